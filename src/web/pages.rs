//! The pages: shells without data. What they show comes over the API, so that a page that is not
//! logged in holds nothing.

use askama::Template;
use axum::{
    Router,
    extract::{Path, State},
    http::StatusCode,
    response::{Html, IntoResponse, Response},
    routing::get,
};

use super::{AppState, Settings};

#[derive(Template)]
#[template(path = "index.html")]
struct Index<'a> {
    hub: &'a str,
    version: &'a str,
}

#[derive(Template)]
#[template(path = "screen.html")]
struct Screen<'a> {
    hub: &'a str,
}

#[derive(Template)]
#[template(path = "pairings.html")]
struct Pairings<'a> {
    hub: &'a str,
}

#[derive(Template)]
#[template(path = "console.html")]
struct Console<'a> {
    hub: &'a str,
}

#[derive(Template)]
#[template(path = "table.html")]
struct Table<'a> {
    hub: &'a str,
    table: u16,
}

#[derive(Template)]
#[template(path = "game.html")]
struct Game<'a> {
    hub: &'a str,
    table: u16,
}

#[derive(Template)]
#[template(path = "not_found.html")]
struct NotFound;

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/", get(index))
        .route("/screen", get(screen))
        .route("/screen/{number}", get(stand_in))
        .route("/pairings", get(pairings))
        .route("/console", get(console))
        .route("/table/{table}", get(table))
        .route("/table/{table}/game", get(game))
}

pub(super) fn page(status: StatusCode, template: &impl Template) -> Response {
    match template.render() {
        Ok(text) => (status, Html(text)).into_response(),
        Err(error) => {
            tracing::error!(%error, "a page cannot be made");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

async fn index(State(state): State<AppState>) -> Response {
    let Settings { hub, version, .. } = &*state.settings;
    page(StatusCode::OK, &Index { hub, version })
}

async fn screen(State(state): State<AppState>) -> Response {
    let hub = &state.settings.hub;
    page(StatusCode::OK, &Screen { hub })
}

/// A page that shows what the screen of that number shows, in its place.
async fn stand_in(State(state): State<AppState>, Path(number): Path<String>) -> Response {
    let hub = &state.settings.hub;
    match number.parse::<u16>() {
        Ok(1..) => page(StatusCode::OK, &Screen { hub }),
        _ => not_found(),
    }
}

async fn pairings(State(state): State<AppState>) -> Response {
    let hub = &state.settings.hub;
    page(StatusCode::OK, &Pairings { hub })
}

async fn console(State(state): State<AppState>) -> Response {
    let hub = &state.settings.hub;
    page(StatusCode::OK, &Console { hub })
}

async fn table(State(state): State<AppState>, Path(table): Path<String>) -> Response {
    let hub = &state.settings.hub;
    match table.parse() {
        Ok(table) => page(StatusCode::OK, &Table { hub, table }),
        Err(_) => not_found(),
    }
}

async fn game(State(state): State<AppState>, Path(table): Path<String>) -> Response {
    let hub = &state.settings.hub;
    match table.parse() {
        Ok(table) => page(StatusCode::OK, &Game { hub, table }),
        Err(_) => not_found(),
    }
}

pub(super) fn not_found() -> Response {
    page(StatusCode::NOT_FOUND, &NotFound)
}
