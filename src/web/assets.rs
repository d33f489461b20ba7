//! Styles, scripts and pictures out of the binary.

use axum::{
    Router,
    extract::{Path, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use rust_embed::Embed;

use super::AppState;

#[derive(Embed)]
#[folder = "src/web/assets/"]
struct Assets;

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/assets/{*path}", get(asset))
        .route("/favicon.ico", get(favicon))
        .route("/sw.js", get(worker))
        .route("/flagfall-ca.crt", get(authority))
}

/// At the root, so that it may serve the console.
async fn worker(headers: HeaderMap) -> Response {
    file("sw.js", &headers)
}

/// What a phone must trust for HTTPS.
async fn authority(State(state): State<AppState>) -> Response {
    let Some(authority) = state.settings.authority.clone() else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let headers = [(header::CONTENT_TYPE, "application/x-x509-ca-cert")];
    (headers, authority).into_response()
}

async fn favicon(headers: HeaderMap) -> Response {
    file("icon.svg", &headers)
}

async fn asset(Path(path): Path<String>, headers: HeaderMap) -> Response {
    file(&path, &headers)
}

/// A file with its hash as the tag: pages ask again each time and a restarted hub with other
/// scripts is noticed at once.
fn file(path: &str, headers: &HeaderMap) -> Response {
    let Some(file) = Assets::get(path) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let tag = file.metadata.sha256_hash()[..8]
        .iter()
        .fold(String::from("\""), |tag, byte| format!("{tag}{byte:02x}"))
        + "\"";
    if headers
        .get(header::IF_NONE_MATCH)
        .is_some_and(|known| known.as_bytes() == tag.as_bytes())
    {
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response();
    }
    let headers = [
        (header::CONTENT_TYPE, content_type(path).to_owned()),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::ETAG, tag),
    ];
    (headers, file.data).into_response()
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, end)| end) {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("woff2") => "font/woff2",
        Some("txt") => "text/plain; charset=utf-8",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}
