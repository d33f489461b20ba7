//! What stands before every request: headers that keep strangers' pages out, and the errors of the
//! router itself.

use axum::{
    body::Body,
    extract::Request,
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::problem::Problem;

/// What stands before the name of a cookie that belongs to HTTPS and this host alone.
pub(super) const SECURE: &str = "__Host-";

/// Nothing from elsewhere, nothing inline, no frames.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; \
    frame-ancestors 'none'; require-trusted-types-for 'script'";

/// Sets the security headers and completes problems with the path they belong to.
pub(super) async fn headers(request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let mut response = next.run(request).await;
    if let Some(problem) = response.extensions_mut().remove::<Problem>() {
        let body = serde_json::to_string(&problem.at(&path)).unwrap_or_default();
        response.headers_mut().remove(header::CONTENT_LENGTH);
        *response.body_mut() = Body::from(body);
    }
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(
        "permissions-policy",
        HeaderValue::from_static("camera=(), microphone=(), geolocation=()"),
    );
    headers.insert(
        "cross-origin-opener-policy",
        HeaderValue::from_static("same-origin"),
    );
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Over HTTPS cookies are never sent in the clear; their names differ from those that are, which a browser
/// would not let a page of HTTP overwrite.
pub(super) async fn secure_cookies(mut response: Response) -> Response {
    let cookies: Vec<HeaderValue> = (response.headers().get_all(header::SET_COOKIE).iter())
        .filter_map(|cookie| {
            let cookie = cookie.to_str().ok()?;
            HeaderValue::from_str(&format!("{SECURE}{cookie}; Secure")).ok()
        })
        .collect();
    response.headers_mut().remove(header::SET_COOKIE);
    for cookie in cookies {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// Refuses commands that a page of another site makes the browser send, and bodies that are not
/// JSON (a form of another site can send those without asking).
pub(super) async fn same_origin(request: Request, next: Next) -> Response {
    if !matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    ) {
        let headers = request.headers();
        if is_foreign(headers) {
            return Problem::new(
                StatusCode::FORBIDDEN,
                "the request was made by a page of another site",
                "open the hub's own page; scripts send no Origin header",
            )
            .into_response();
        }
        if has_body(headers) && !is_json(headers) {
            return Problem::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "the body is not declared as JSON",
                "send the header `Content-Type: application/json`",
            )
            .into_response();
        }
    }
    next.run(request).await
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn is_foreign(headers: &HeaderMap) -> bool {
    if let Some(site) = headers.get("sec-fetch-site")
        && !matches!(site.as_bytes(), b"same-origin" | b"none")
    {
        return true;
    }
    if !headers.contains_key(header::ORIGIN) {
        return false;
    }
    let origin = text(headers, header::ORIGIN)
        .and_then(|origin| origin.split_once("://"))
        .map(|(_, authority)| authority);
    origin.is_none() || origin != text(headers, header::HOST)
}

fn has_body(headers: &HeaderMap) -> bool {
    headers.contains_key(header::TRANSFER_ENCODING)
        || text(headers, header::CONTENT_LENGTH).is_some_and(|length| length != "0")
}

fn is_json(headers: &HeaderMap) -> bool {
    text(headers, header::CONTENT_TYPE).is_some_and(|value| {
        value
            .split(';')
            .next()
            .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
    })
}

/// No route of that name.
pub(super) async fn not_found(request: Request) -> Response {
    let path = request.uri().path();
    if path.starts_with("/api/") {
        return Problem::new(
            StatusCode::NOT_FOUND,
            "there is no such address",
            "/api/openapi.json lists all addresses of the API",
        )
        .into_response();
    }
    super::pages::not_found()
}

/// The route exists, the method does not.
pub(super) async fn method_not_allowed(request: Request) -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        format!("{} is not possible here", request.method()),
        "/api/openapi.json lists the methods of each address",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| {
                (
                    header::HeaderName::from_static(name),
                    HeaderValue::from_static(value),
                )
            })
            .collect()
    }

    #[test]
    fn only_the_hubs_own_pages_may_command() {
        for (pairs, foreign) in [
            (&[("host", "hub:8080")][..], false),
            (
                &[("host", "hub:8080"), ("origin", "http://hub:8080")],
                false,
            ),
            (&[("host", "hub:8080"), ("origin", "http://hub:80")], true),
            (&[("host", "hub"), ("origin", "http://evil.example")], true),
            (&[("host", "hub"), ("origin", "null")], true),
            (&[("host", "hub"), ("sec-fetch-site", "cross-site")], true),
            (&[("host", "hub"), ("sec-fetch-site", "same-site")], true),
            (&[("host", "hub"), ("sec-fetch-site", "same-origin")], false),
        ] {
            assert_eq!(is_foreign(&headers(pairs)), foreign, "{pairs:?}");
        }
    }
}
