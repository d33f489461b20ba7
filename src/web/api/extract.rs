//! What handlers take from a request, with errors that say what to do.

use std::time::Duration;

use axum::{
    body::Bytes,
    extract::{FromRequest, FromRequestParts, Path, Query, Request, rejection::BytesRejection},
    http::{HeaderMap, StatusCode, header, request::Parts},
};
use flagfall_core::hub::KEY_MAX;
use serde::de::DeserializeOwned;

use super::{AppState, COOKIE, DEVICE_COOKIE};
use crate::web::{
    auth::{Role, Visitor},
    guard::SECURE,
    problem::Problem,
};

/// How long a body may take to arrive: it is short, and a place is held for it.
const BODY_TIMEOUT: Duration = Duration::from_secs(15);

/// The header by which a request that comes twice is carried out once.
const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// Who asks, and by what name he knows this very request.
pub(super) struct Who {
    pub(super) name: String,
    pub(super) role: Role,
    pub(super) key: Option<String>,
}

impl Who {
    fn of(parts: &Parts, state: &AppState, needed: Role) -> Result<Self, Problem> {
        let visitor = token(&parts.headers).and_then(|token| state.auth.who(token));
        let Visitor { name, role } = visitor.ok_or_else(Problem::unauthorized)?;
        if !role.may(needed) {
            return Err(Problem::forbidden(role, needed));
        }
        let key = key(&parts.headers)?;
        Ok(Self { name, role, key })
    }
}

/// Somebody who is logged in and may do what is a role's.
macro_rules! visitor {
    ($(#[$doc:meta])* $name:ident, $role:ident) => {
        $(#[$doc])*
        pub(super) struct $name(pub(super) Who);

        impl FromRequestParts<AppState> for $name {
            type Rejection = Problem;

            async fn from_request_parts(
                parts: &mut Parts,
                state: &AppState,
            ) -> Result<Self, Problem> {
                Who::of(parts, state, Role::$role).map(Self)
            }
        }
    };
}

/// Anybody who is logged in; what he reads is the same for all.
pub(super) struct Viewer;

impl FromRequestParts<AppState> for Viewer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        Who::of(parts, state, Role::Screen).map(|_| Self)
    }
}

visitor! {
    /// Who looks after boards and clocks.
    Operator, Operator
}
visitor! {
    /// Who takes alerts and decides.
    Arbiter, Arbiter
}
visitor! {
    /// Who leads.
    Chief, Chief
}
visitor! {
    /// Who says who may do what.
    Administrator, Administrator
}

fn key(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let Some(value) = headers.get(IDEMPOTENCY_KEY) else {
        return Ok(None);
    };
    let good = |key: &&str| {
        (1..=KEY_MAX).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_graphic())
    };
    match value.to_str().ok().filter(good) {
        Some(key) => Ok(Some(key.to_owned())),
        None => Err(Problem::new(
            StatusCode::BAD_REQUEST,
            "the Idempotency-Key cannot be used",
            "send 1 to 64 letters, digits and signs of ASCII without spaces, e.g. a UUID",
        )),
    }
}

/// The token of a request: the bearer token of a script, else the cookie of a page.
pub(super) fn token(headers: &HeaderMap) -> Option<&str> {
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        return value.to_str().ok()?.strip_prefix("Bearer ").map(str::trim);
    }
    named(headers, COOKIE)
}

/// Whether somebody is logged in on whose behalf a page is asked for.
pub(in crate::web) fn is_logged_in(headers: &HeaderMap, state: &AppState) -> bool {
    token(headers)
        .and_then(|token| state.auth.who(token))
        .is_some()
}

/// The token of a device where somebody was logged in before.
pub(super) fn device(headers: &HeaderMap) -> Option<&str> {
    named(headers, DEVICE_COOKIE)
}

/// The cookie of HTTPS goes before that of HTTP, which is sent there, too.
fn named<'a>(headers: &'a HeaderMap, wanted: &str) -> Option<&'a str> {
    cookie(headers, &format!("{SECURE}{wanted}")).or_else(|| cookie(headers, wanted))
}

fn cookie<'a>(headers: &'a HeaderMap, wanted: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == wanted)
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

/// What stands behind the `?` of the address. Words that are not known are refused.
pub(super) struct Asked<T>(pub(super) T);

impl<T: DeserializeOwned + Send> FromRequestParts<AppState> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let Query(asked) = Query::from_request_parts(parts, state)
            .await
            .map_err(|error| {
                Problem::new(
                    StatusCode::BAD_REQUEST,
                    error.body_text(),
                    "/api/openapi.json has the words that may stand behind the ?",
                )
            })?;
        Ok(Self(asked))
    }
}

/// A JSON body; an empty one and `null` count as `{}`. Fields that are not known are refused, so that a
/// misspelt one is not silently without effect.
pub(super) struct Input<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<AppState> for Input<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Problem> {
        let bytes = body(request, state).await?;
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

async fn body<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes, Problem> {
    match tokio::time::timeout(BODY_TIMEOUT, Bytes::from_request(request, state)).await {
        Ok(bytes) => bytes.map_err(|error| body_problem(&error)),
        Err(_) => Err(Problem::new(
            StatusCode::REQUEST_TIMEOUT,
            "the body took too long to arrive",
            "send it again",
        )),
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

#[cfg(test)]
mod tests {
    use axum::{body::Body, response::IntoResponse};
    use futures_util::stream;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_body_that_never_ends_is_given_up() {
        // A byte a second, so that the connection itself looks alive.
        let drip = stream::unfold((), |()| async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            Some((Ok::<_, std::io::Error>("x"), ()))
        });
        let request = Request::new(Body::from_stream(drip));
        let problem = body(request, &()).await.unwrap_err();
        let status = problem.into_response().status();
        assert_eq!(status, StatusCode::REQUEST_TIMEOUT);
    }
}
