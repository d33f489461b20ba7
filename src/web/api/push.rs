//! Phones that want to be called while the console is closed.

use axum::{Json, extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::extract::{Arbiter, Input, Viewer};
use crate::{
    push::{Phone, Push, PushError},
    web::{
        AppState,
        problem::{ActErrors, Problem, ReadErrors},
    },
};

/// What a phone needs to know to be called.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PushView {
    /// The hub's key for push services, base64url; null when the hub calls nobody through them.
    key: Option<String>,
    /// A push service was not reached of late.
    stuck: bool,
    /// The port of HTTPS, which browsers want for notices; null when there is none.
    https: Option<u16>,
    /// The hub has a certificate of its own, at `/flagfall-ca.crt`.
    authority: bool,
}

/// How phones are called.
#[utoipa::path(
    get, path = "/push", tag = "service", security(("cookie" = []), ("bearer" = [])),
    responses((status = 200, body = PushView), ReadErrors)
)]
pub(super) async fn push(State(state): State<AppState>, _viewer: Viewer) -> Json<PushView> {
    Json(PushView {
        key: state.push.as_deref().map(Push::public_key),
        stuck: state.push.as_deref().is_some_and(Push::is_stuck),
        https: state.settings.https,
        authority: state.settings.authority.is_some(),
    })
}

/// A browser's subscription, as its `PushSubscription` has it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Subscription {
    /// Its address at the push service.
    endpoint: String,
    /// Its public key, base64url.
    p256dh: String,
    /// The secret that it shares with the hub, base64url.
    auth: String,
}

/// Nothing more to say.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Subscribed {}

/// Call me on this browser.
#[utoipa::path(
    post, path = "/push", tag = "service", security(("cookie" = []), ("bearer" = [])),
    request_body = Subscription, responses((status = 200, body = Subscribed), ActErrors)
)]
pub(super) async fn subscribe(
    State(state): State<AppState>,
    Arbiter(who): Arbiter,
    Input(body): Input<Subscription>,
) -> Result<Json<Subscribed>, Problem> {
    let phone = Phone {
        name: who.name,
        endpoint: body.endpoint,
        key: body.p256dh,
        secret: body.auth,
    };
    service(&state)?
        .subscribe(phone)
        .map_err(|error| refused(&error))?;
    Ok(Json(Subscribed {}))
}

/// An address at a push service.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Address {
    /// The address.
    endpoint: String,
}

/// Do not call this browser any more.
#[utoipa::path(
    post, path = "/push/forget", tag = "service", security(("cookie" = []), ("bearer" = [])),
    request_body = Address, responses((status = 200, body = Subscribed), ActErrors)
)]
pub(super) async fn forget(
    State(state): State<AppState>,
    _viewer: Viewer,
    Input(body): Input<Address>,
) -> Result<Json<Subscribed>, Problem> {
    let push = service(&state)?;
    push.forget(&body.endpoint)
        .map_err(|error| refused(&error.into()))?;
    Ok(Json(Subscribed {}))
}

fn service(state: &AppState) -> Result<&Push, Problem> {
    state.push.as_deref().ok_or_else(|| {
        Problem::new(
            StatusCode::NOT_FOUND,
            "this hub calls nobody through push services",
            "write `on = true` below [push] in its configuration",
        )
    })
}

fn refused(error: &PushError) -> Problem {
    let (status, help) = match error {
        PushError::Service(_) => (
            StatusCode::BAD_REQUEST,
            "name the push service in `services` below [push], if it is to be trusted",
        ),
        PushError::Keys => (
            StatusCode::BAD_REQUEST,
            "send the keys `p256dh` and `auth` of the browser's PushSubscription",
        ),
        PushError::Full => (StatusCode::CONFLICT, "remove phones that nobody uses"),
        PushError::File(_) => (
            StatusCode::INTERNAL_SERVER_ERROR,
            "look at the disk of the hub",
        ),
    };
    Problem::new(status, error.to_string(), help)
}
