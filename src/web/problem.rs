//! Errors of the API: what went wrong, where, and what to do (RFC 9457).

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use flagfall_core::hub::command::Refused;
use serde::Serialize;
use utoipa::{IntoResponses, ToSchema};

use crate::{handle::AskError, web::auth::Role};

/// An error as `application/problem+json`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Problem {
    /// What went wrong, in a few words; the same for every error of the kind.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What went wrong this time.
    pub detail: String,
    /// Where: the path of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// What to do about it.
    pub help: String,
    /// Seconds to wait before the next attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
}

impl Problem {
    /// A problem of a kind.
    pub fn new(status: StatusCode, detail: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            title: status.canonical_reason().unwrap_or("Error").to_owned(),
            status: status.as_u16(),
            detail: detail.into(),
            instance: None,
            help: help.into(),
            retry_after: None,
        }
    }

    pub(super) fn unauthorized() -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            "this is for arbiters who are logged in",
            "log in at /console, or send the header `Authorization: Bearer TOKEN` with a token from POST /api/v1/login",
        )
    }

    pub(super) fn forbidden(role: Role, needed: Role) -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            format!(
                "this is for {}, and you are logged in as {}",
                needed.words(),
                role.words()
            ),
            format!("ask {} to do it", needed.words()),
        )
    }

    pub(super) fn not_found(what: &str, id: impl std::fmt::Display) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            format!("there is no {what} {id}"),
            "it may have gone meanwhile: look at what there is now (GET /api/v1/hall)",
        )
    }

    pub(super) fn invalid(detail: impl Into<String>) -> Self {
        Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            detail,
            "correct it and try again",
        )
    }

    pub(super) fn at(mut self, path: &str) -> Self {
        self.instance = Some(path.to_owned());
        self
    }

    pub(super) fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }
}

impl From<AskError> for Problem {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Refused(Refused::NotFound { what, id }) => Self::not_found(what, id),
            AskError::Refused(Refused::Conflict(why)) => Self::new(
                StatusCode::CONFLICT,
                why,
                "look at how things stand now and decide again",
            ),
            AskError::Refused(Refused::Invalid(why)) => Self::invalid(why),
            AskError::Journal(_) => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                error.to_string(),
                "nothing was changed; free space on the hub's disk or look at its log, then try again",
            ),
            AskError::Unread(_) => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                error.to_string(),
                "look at the hub's log, then try again",
            ),
            AskError::Stopping => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                error.to_string(),
                "wait until the hub is back and try again",
            ),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = serde_json::to_string(&self).unwrap_or_default();
        let mut response = (
            status,
            [(header::CONTENT_TYPE, "application/problem+json")],
            body,
        )
            .into_response();
        if status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(
                header::WWW_AUTHENTICATE,
                HeaderValue::from_static("Bearer realm=\"flagfall\""),
            );
        }
        if let Some(seconds) = self.retry_after {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, seconds.into());
        }
        // The guard knows the path and writes the body again with it.
        response.extensions_mut().insert(self);
        response
    }
}

/// The errors every read can give, for the OpenAPI document.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "read by the derive only")]
pub(super) enum ReadErrors {
    /// A number in the path or the query is no number.
    #[response(status = 400, content_type = "application/problem+json")]
    BadRequest(#[to_schema] Problem),
    /// Not logged in.
    #[response(status = 401, content_type = "application/problem+json")]
    Unauthorized(#[to_schema] Problem),
    /// Logged in as somebody who may not see this.
    #[response(status = 403, content_type = "application/problem+json")]
    Forbidden(#[to_schema] Problem),
    /// There is no such thing.
    #[response(status = 404, content_type = "application/problem+json")]
    NotFound(#[to_schema] Problem),
    /// The hub is stopping.
    #[response(status = 503, content_type = "application/problem+json")]
    Unavailable(#[to_schema] Problem),
}

/// The errors every command can give, for the OpenAPI document.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "read by the derive only")]
pub(super) enum ActErrors {
    /// A number in the path is no number, or the body is not JSON.
    #[response(status = 400, content_type = "application/problem+json")]
    BadRequest(#[to_schema] Problem),
    /// Not logged in.
    #[response(status = 401, content_type = "application/problem+json")]
    Unauthorized(#[to_schema] Problem),
    /// Logged in as somebody who may not do this, or asked by a page of another site.
    #[response(status = 403, content_type = "application/problem+json")]
    Forbidden(#[to_schema] Problem),
    /// There is no such thing.
    #[response(status = 404, content_type = "application/problem+json")]
    NotFound(#[to_schema] Problem),
    /// It cannot be done in this state.
    #[response(status = 409, content_type = "application/problem+json")]
    Conflict(#[to_schema] Problem),
    /// The body is too long.
    #[response(status = 413, content_type = "application/problem+json")]
    TooLarge(#[to_schema] Problem),
    /// The body is not declared as JSON.
    #[response(status = 415, content_type = "application/problem+json")]
    MediaType(#[to_schema] Problem),
    /// A field is missing, unknown or makes no sense.
    #[response(status = 422, content_type = "application/problem+json")]
    Invalid(#[to_schema] Problem),
    /// Too many attempts.
    #[response(status = 429, content_type = "application/problem+json")]
    TooMany(#[to_schema] Problem),
    /// The journal cannot be written, or the hub is stopping.
    #[response(status = 503, content_type = "application/problem+json")]
    Unavailable(#[to_schema] Problem),
}
