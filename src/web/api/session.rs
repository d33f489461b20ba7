//! Logging in and out, and the first PIN.

use std::net::SocketAddr;

use axum::{
    Json,
    extract::{ConnectInfo, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    COOKIE, DEVICE_COOKIE,
    extract::{Input, device, token},
};
use crate::web::{
    AppState, AuthError,
    auth::{Asker, LoggedIn, Role, SESSION_SECONDS, Visitor},
    peer,
    problem::{ActErrors, Problem},
};

/// How long a browser remembers that its arbiter was let in: until the next event, seconds.
const DEVICE_SECONDS: i64 = 90 * 24 * 3600;

impl From<AuthError> for Problem {
    fn from(error: AuthError) -> Self {
        let text = error.to_string();
        match error {
            AuthError::Wrong(what) => Self::new(
                StatusCode::UNAUTHORIZED,
                text,
                format!(
                    "type the {what} again; after five wrong ones each further one takes longer"
                ),
            ),
            AuthError::Wait(seconds) => Self::new(
                StatusCode::TOO_MANY_REQUESTS,
                text,
                "wait, or log in from a device where you were logged in before",
            )
            .retry_after(seconds),
            AuthError::NoPin => Self::new(
                StatusCode::CONFLICT,
                text,
                "set one at /console with the set-up code that the hub printed when it started",
            ),
            AuthError::PinSet => Self::new(
                StatusCode::CONFLICT,
                text,
                "log in with it; to set a new one, delete arbiters.json from the data directory and restart the hub",
            ),
            AuthError::WeakPin(_) => {
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, text, "choose another PIN")
            }
            AuthError::Full => Self::new(
                StatusCode::CONFLICT,
                text,
                "take the PIN of somebody who is not there any more",
            ),
            AuthError::Name => Self::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                text,
                "write your name as the record shall have it",
            ),
            AuthError::Io(_) | AuthError::Damaged { .. } => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                text,
                "look at the hub's disk and log",
            ),
        }
    }
}

/// Who is logged in here.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SessionInfo {
    /// The arbiter's name; null when nobody is.
    by: Option<String>,
    /// What he may do; null when nobody is logged in.
    role: Option<Role>,
    /// No PIN is set yet: `POST /setup` first.
    setup_needed: bool,
    /// The PIN of a demo, which everybody may know; null elsewhere.
    demo_pin: Option<String>,
    /// The hub's name.
    hub: String,
    /// The program's version.
    version: String,
    /// The token for scripts, when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
}

fn info(state: &AppState, visitor: Option<Visitor>) -> SessionInfo {
    let (by, role) = match visitor {
        Some(Visitor { name, role }) => (Some(name), Some(role)),
        None => (None, None),
    };
    SessionInfo {
        by,
        role,
        setup_needed: state.auth.setup_code().is_some(),
        demo_pin: state.auth.told_pin().map(str::to_owned),
        hub: state.settings.hub.clone(),
        version: state.settings.version.clone(),
        token: None,
    }
}

/// Who is logged in here.
#[utoipa::path(get, path = "/session", tag = "login", responses((status = 200, body = SessionInfo)))]
pub(super) async fn session(
    State(state): State<AppState>,
    headers: HeaderMap,
) -> Json<SessionInfo> {
    let by = token(&headers).and_then(|token| state.auth.who(token));
    Json(info(&state, by))
}

/// A login.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Login {
    /// The arbiters' PIN.
    pin: String,
    /// Your name, as the record shall have it.
    #[schema(
        min_length = 1,
        max_length = 60,
        pattern = r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$"
    )]
    name: String,
    /// A script's login: answers with a bearer token, sets no cookie.
    #[serde(default)]
    bearer: bool,
}

/// Log in. Sets the session cookie, or gives a bearer token.
#[utoipa::path(
    post, path = "/login", tag = "login", request_body = Login,
    responses((status = 200, body = SessionInfo), ActErrors)
)]
pub(super) async fn login(
    State(state): State<AppState>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    Input(body): Input<Login>,
) -> Result<Response, Problem> {
    let from = asker(from, &headers);
    let tokens = state.auth.login(from, &body.pin, &body.name).await?;
    Ok(logged_in(&state, tokens, body.bearer))
}

/// The first PIN.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Setup {
    /// The code the hub printed when it started.
    code: String,
    /// The new PIN: 6 characters or more, no row like 123456 and no single digit repeated.
    #[schema(min_length = 6, max_length = 64)]
    pin: String,
    /// Your name.
    #[schema(min_length = 1, max_length = 60)]
    name: String,
}

/// Set the first PIN and log in.
#[utoipa::path(
    post, path = "/setup", tag = "login", request_body = Setup,
    responses((status = 200, body = SessionInfo), ActErrors)
)]
pub(super) async fn setup(
    State(state): State<AppState>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    Input(body): Input<Setup>,
) -> Result<Response, Problem> {
    let tokens = state
        .auth
        .setup(asker(from, &headers), &body.code, &body.pin, &body.name)
        .await?;
    Ok(logged_in(&state, tokens, false))
}

fn asker(from: SocketAddr, headers: &HeaderMap) -> Asker<'_> {
    Asker {
        address: peer(from),
        device: device(headers),
    }
}

fn logged_in(state: &AppState, tokens: LoggedIn, bearer: bool) -> Response {
    let mut answer = info(state, state.auth.who(&tokens.session));
    if bearer {
        answer.token = Some(tokens.session);
        return Json(answer).into_response();
    }
    let mut response = Json(answer).into_response();
    set_cookie(&mut response, COOKIE, &tokens.session, SESSION_SECONDS);
    set_cookie(&mut response, DEVICE_COOKIE, &tokens.device, DEVICE_SECONDS);
    response
}

fn set_cookie(response: &mut Response, name: &str, token: &str, seconds: i64) {
    let cookie = format!("{name}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}");
    if let Ok(value) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
}

/// Log out.
#[utoipa::path(
    post, path = "/logout", tag = "login", security(("cookie" = []), ("bearer" = [])),
    responses((status = 200, body = SessionInfo), ActErrors)
)]
pub(super) async fn logout(State(state): State<AppState>, headers: HeaderMap) -> Response {
    if let Some(token) = token(&headers) {
        state.auth.logout(token);
    }
    let mut response = Json(info(&state, None)).into_response();
    set_cookie(&mut response, COOKIE, "", 0);
    response
}
