//! Who may do what: people with a PIN of their own, and the house PIN.

use axum::{Json, extract::State, http::HeaderMap};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::extract::{Administrator, Input, token};
use crate::web::{
    AppState,
    auth::{AccountView, Role},
    problem::{ActErrors, Problem, ReadErrors},
};

/// Everybody with a PIN of his own.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Accounts {
    /// By name.
    accounts: Vec<AccountView>,
}

fn accounts_of(state: &AppState) -> Json<Accounts> {
    let accounts = state.auth.accounts();
    Json(Accounts { accounts })
}

/// Everybody with a PIN of his own, and what he may do. Who has none logs in with the house PIN and may do
/// everything.
#[utoipa::path(
    get, path = "/accounts", tag = "login", security(("cookie" = []), ("bearer" = [])),
    responses((status = 200, body = Accounts), ReadErrors)
)]
pub(super) async fn accounts(
    State(state): State<AppState>,
    _administrator: Administrator,
) -> Json<Accounts> {
    accounts_of(&state)
}

/// Somebody's own PIN.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Account {
    /// His name, as the record shall have it.
    #[schema(min_length = 1, max_length = 60)]
    name: String,
    /// What he may do.
    role: Role,
    /// 6 characters or more, no row like 123456 and no single digit repeated.
    #[schema(min_length = 6, max_length = 64)]
    pin: String,
}

/// Give somebody a PIN and a role of his own, or others than he had. His sessions end.
#[utoipa::path(
    post, path = "/accounts", tag = "login", security(("cookie" = []), ("bearer" = [])),
    request_body = Account, responses((status = 200, body = Accounts), ActErrors)
)]
pub(super) async fn set_account(
    State(state): State<AppState>,
    Administrator(by): Administrator,
    Input(body): Input<Account>,
) -> Result<Json<Accounts>, Problem> {
    state
        .auth
        .set_account(&body.name, body.role, &body.pin)
        .await?;
    tracing::info!(by = by.name, name = body.name, role = ?body.role, "an account was set");
    Ok(accounts_of(&state))
}

/// Whose PIN.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Whose {
    /// His name.
    #[schema(min_length = 1, max_length = 60)]
    name: String,
}

/// Take somebody's own PIN away. His sessions end.
#[utoipa::path(
    post, path = "/accounts/remove", tag = "login", security(("cookie" = []), ("bearer" = [])),
    request_body = Whose, responses((status = 200, body = Accounts), ActErrors)
)]
pub(super) async fn remove_account(
    State(state): State<AppState>,
    Administrator(by): Administrator,
    Input(body): Input<Whose>,
) -> Result<Json<Accounts>, Problem> {
    if !state.auth.remove_account(&body.name)? {
        return Err(Problem::not_found("account", &body.name));
    }
    tracing::info!(by = by.name, name = body.name, "an account was removed");
    Ok(accounts_of(&state))
}

/// Another house PIN.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HousePin {
    /// 6 characters or more, no row like 123456 and no single digit repeated.
    #[schema(min_length = 6, max_length = 64)]
    pin: String,
}

/// Set another house PIN. The sessions that rest on the old one end, but for this one.
#[utoipa::path(
    post, path = "/house-pin", tag = "login", security(("cookie" = []), ("bearer" = [])),
    request_body = HousePin, responses((status = 200, body = Accounts), ActErrors)
)]
pub(super) async fn house_pin(
    State(state): State<AppState>,
    Administrator(by): Administrator,
    headers: HeaderMap,
    Input(body): Input<HousePin>,
) -> Result<Json<Accounts>, Problem> {
    let token = token(&headers).unwrap_or_default();
    state.auth.set_house_pin(&body.pin, token).await?;
    tracing::info!(by = by.name, "the house PIN was changed");
    Ok(accounts_of(&state))
}
