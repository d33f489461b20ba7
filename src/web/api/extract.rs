//! What handlers take from a request, with errors that say what to do.

use axum::{
    extract::{FromRequest, FromRequestParts, Path, Request, rejection::BytesRejection},
    http::{HeaderMap, StatusCode, header, request::Parts},
};
use serde::de::DeserializeOwned;

use super::{AppState, COOKIE};
use crate::web::problem::Problem;

/// An arbiter who is logged in.
pub(super) struct Arbiter(pub(super) String);

impl FromRequestParts<AppState> for Arbiter {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        token(&parts.headers)
            .and_then(|token| state.auth.who(token))
            .map(Self)
            .ok_or_else(Problem::unauthorized)
    }
}

/// The token of a request: the bearer token of a script, else the cookie of a page.
pub(super) fn token(headers: &HeaderMap) -> Option<&str> {
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        return value.to_str().ok()?.strip_prefix("Bearer ").map(str::trim);
    }
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == COOKIE)
        .map(|(_, token)| token)
}

/// A number or name in the path.
pub(super) struct At<T>(pub(super) T);

impl<T: DeserializeOwned + Send> FromRequestParts<AppState> for At<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let Path(value) = Path::from_request_parts(parts, state)
            .await
            .map_err(|error| {
                Problem::new(
                    StatusCode::BAD_REQUEST,
                    error.body_text(),
                    "put a number of the right size into the address",
                )
            })?;
        Ok(Self(value))
    }
}

/// A JSON body; an empty one and `null` count as `{}`. Fields that are not known are refused, so that a
/// misspelt one is not silently without effect.
pub(super) struct Input<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<AppState> for Input<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Problem> {
        let bytes = axum::body::Bytes::from_request(request, state)
            .await
            .map_err(|error| body_problem(&error))?;
        let text: &[u8] = match bytes.trim_ascii() {
            b"" | b"null" => b"{}",
            text => text,
        };
        serde_json::from_slice(text).map(Self).map_err(|error| {
            if error.is_data() {
                Problem::invalid(error.to_string())
            } else {
                Problem::new(
                    StatusCode::BAD_REQUEST,
                    format!("the body is not JSON: {error}"),
                    "send one JSON object in UTF-8",
                )
            }
        })
    }
}

fn body_problem(error: &BytesRejection) -> Problem {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "the body is longer than 16 KiB",
            "send a shorter note",
        )
    } else {
        Problem::new(
            StatusCode::BAD_REQUEST,
            "the body did not arrive whole",
            "send it again",
        )
    }
}
