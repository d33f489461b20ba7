//! The games for everybody: what a broadcast polls. Off unless the organiser turned it on.

use axum::{
    extract::{Path, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use flagfall_core::types::RoundNo;
use jiff::{Timestamp, fmt::rfc2822::DateTimeParser};

use super::{AppState, problem::Problem};
use crate::games::LiveRound;

/// The games of a public round as PGN, for Lichess and other programs that poll an address: `round.pgn`
/// is the newest public round, `round-3.pgn` is round 3. Public when the hub's configuration says so.
///
/// Each game ends at its last legal move; an illegal one is a comment. With the configured delay the
/// last moves are not there yet.
#[utoipa::path(
    get, path = "/live/{file}", tag = "service",
    params(
        ("file" = String, Path, description = "`round.pgn` or `round-N.pgn`"),
        ("if-none-match" = Option<String>, Header, description = "The ETag of the text that the client has")
    ),
    responses(
        (status = 200, content_type = "application/x-chess-pgn", body = String),
        (status = 304, description = "The client has this text"),
        (status = 404, description = "No broadcast, or no such round", content_type = "application/problem+json", body = Problem)
    )
)]
pub(super) async fn round(
    State(state): State<AppState>,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let Some(live) = &state.settings.live else {
        return Err(Problem::new(
            StatusCode::NOT_FOUND,
            "this hub does not broadcast its games",
            "the organiser turns it on in the configuration: [broadcast] on = true",
        ));
    };
    let number = number_of(&file).ok_or_else(|| Problem::not_found("live file", &file))?;
    let round = live.borrow().round(number).cloned();
    let round = round.ok_or_else(|| match number {
        Some(number) => Problem::not_found("public round", number),
        None => Problem::new(
            StatusCode::NOT_FOUND,
            "no round is public yet",
            "ask again once the pairing is published",
        ),
    })?;
    let common = [
        (header::ETAG, round.tag.clone()),
        (header::LAST_MODIFIED, http_date(round.changed_at)),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*".to_owned()),
        (
            header::ACCESS_CONTROL_EXPOSE_HEADERS,
            "ETag, Last-Modified".to_owned(),
        ),
    ];
    if is_known(&headers, &round) {
        return Ok((StatusCode::NOT_MODIFIED, common).into_response());
    }
    let kind = HeaderValue::from_static("application/x-chess-pgn; charset=utf-8");
    Ok((common, [(header::CONTENT_TYPE, kind)], round.text).into_response())
}

/// Lets the pages of other sites ask whether their text is still right.
#[utoipa::path(
    options, path = "/live/{file}", tag = "service",
    params(("file" = String, Path, description = "`round.pgn` or `round-N.pgn`")),
    responses((status = 204, description = "They may"))
)]
pub(super) async fn preflight() -> Response {
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD"),
        (
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            "If-None-Match, If-Modified-Since",
        ),
        (header::ACCESS_CONTROL_MAX_AGE, "86400"),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}

/// `Some(None)` is the newest round.
#[allow(
    clippy::option_option,
    reason = "no such file, the newest round, a round"
)]
fn number_of(file: &str) -> Option<Option<RoundNo>> {
    let name = file.strip_prefix("round")?.strip_suffix(".pgn")?;
    if name.is_empty() {
        return Some(None);
    }
    let digits = name.strip_prefix('-')?;
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    plain.then(|| digits.parse().ok()).flatten().map(Some)
}

/// RFC 9110, 13.2.2: the tag decides when there is one.
fn is_known(headers: &HeaderMap, round: &LiveRound) -> bool {
    let text = |name| {
        headers
            .get(name)
            .and_then(|value: &HeaderValue| value.to_str().ok())
    };
    if let Some(tags) = text(header::IF_NONE_MATCH) {
        return tags
            .split(',')
            .map(|tag| tag.trim().trim_start_matches("W/"))
            .any(|tag| tag == "*" || tag == round.tag);
    }
    let since = text(header::IF_MODIFIED_SINCE)
        .and_then(|date| DateTimeParser::new().parse_timestamp(date).ok());
    since.is_some_and(|since| round.changed_at.as_second() <= since.as_second())
}

fn http_date(at: Timestamp) -> String {
    at.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_by_their_round() {
        assert_eq!(number_of("round.pgn"), Some(None));
        assert_eq!(number_of("round-12.pgn"), Some(Some(RoundNo(12))));
        for other in [
            "",
            "round",
            "round-.pgn",
            "round-01.pgn",
            "round-+1.pgn",
            "round-70000.pgn",
            "round1.pgn",
            "live.pgn",
        ] {
            assert_eq!(number_of(other), None, "{other}");
        }
    }
}
