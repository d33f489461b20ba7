//! The queue of alerts and the arbiters who work it off.

use axum::{Json, extract::State};
use flagfall_core::hub::{
    command::Command,
    staff::Staff,
    view::{AlertView, StaffView},
};

use super::{
    act::{Answer, Done, Nothing, carry_out},
    extract::{At, Chief, Input, Operator, Viewer, Who},
};
use crate::web::{
    AppState,
    auth::Role,
    problem::{ActErrors, Problem, ReadErrors},
};

/// What an operator sees to.
const OPERATORS: [&str; 10] = [
    "device-lost",
    "device-unassigned",
    "device-clash",
    "device-moved",
    "device-battery",
    "clock-battery",
    "clock-gone",
    "port",
    "no-screen",
    "game-files",
];

/// An operator sees to boards and clocks; everything else waits for an arbiter.
async fn may_touch(state: &AppState, who: &Who, alert: u64) -> Result<(), Problem> {
    if who.role.may(Role::Arbiter) {
        return Ok(());
    }
    let hall = state.handle.hall().await?;
    let open = hall.alerts.iter().find(|open| open.id == alert);
    // What is not there is refused where it is looked for.
    if open.is_none_or(|open| OPERATORS.contains(&open.kind.as_str())) {
        return Ok(());
    }
    Err(Problem::forbidden(who.role, Role::Arbiter))
}

/// Open alerts as they are worked off: what nobody has taken first, then the most pressing, then the
/// oldest.
#[utoipa::path(
    get, path = "/alerts", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    responses((status = 200, body = Vec<AlertView>), ReadErrors)
)]
pub(super) async fn alerts(
    State(state): State<AppState>,
    _viewer: Viewer,
) -> Result<Json<Vec<AlertView>>, Problem> {
    Ok(Json(state.handle.hall().await?.alerts.clone()))
}

/// Take an alert: you have seen it and are on your way. Refused when somebody else has.
#[utoipa::path(
    post, path = "/alerts/{id}/acknowledge", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    params(("id" = u64, Path, description = "The alert's number")), request_body = Option<Nothing>,
    responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn acknowledge(
    State(state): State<AppState>,
    Operator(by): Operator,
    At(alert): At<u64>,
    Input(Nothing {}): Input<Nothing>,
) -> Answer {
    may_touch(&state, &by, alert).await?;
    carry_out(&state, by, Command::AcknowledgeAlert { alert }).await
}

/// Go in the place of the arbiter who has taken an alert.
#[utoipa::path(
    post, path = "/alerts/{id}/take-over", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    params(("id" = u64, Path, description = "The alert's number")), request_body = Option<Nothing>,
    responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn take_over(
    State(state): State<AppState>,
    Operator(by): Operator,
    At(alert): At<u64>,
    Input(Nothing {}): Input<Nothing>,
) -> Answer {
    may_touch(&state, &by, alert).await?;
    carry_out(&state, by, Command::TakeOverAlert { alert }).await
}

/// Give back an alert that you have taken: it is open to all again.
#[utoipa::path(
    post, path = "/alerts/{id}/release", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    params(("id" = u64, Path, description = "The alert's number")), request_body = Option<Nothing>,
    responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn release(
    State(state): State<AppState>,
    Operator(by): Operator,
    At(alert): At<u64>,
    Input(Nothing {}): Input<Nothing>,
) -> Answer {
    may_touch(&state, &by, alert).await?;
    carry_out(&state, by, Command::ReleaseAlert { alert }).await
}

/// Close an alert: the matter is dealt with. Refused when somebody else has taken it, and while a proposal
/// waits for its decision.
#[utoipa::path(
    post, path = "/alerts/{id}/close", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    params(("id" = u64, Path, description = "The alert's number")), request_body = Option<Nothing>,
    responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn close(
    State(state): State<AppState>,
    Operator(by): Operator,
    At(alert): At<u64>,
    Input(Nothing {}): Input<Nothing>,
) -> Answer {
    may_touch(&state, &by, alert).await?;
    carry_out(&state, by, Command::CloseAlert { alert }).await
}

/// The arbiters, their zones and shifts, and how many the rule book asks for.
#[utoipa::path(
    get, path = "/staff", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    responses((status = 200, body = StaffView), ReadErrors)
)]
pub(super) async fn staff(
    State(state): State<AppState>,
    _viewer: Viewer,
) -> Result<Json<StaffView>, Problem> {
    Ok(Json(state.handle.hall().await?.staff.clone()))
}

/// Set the arbiters, their zones and shifts: the whole list anew.
#[utoipa::path(
    post, path = "/staff", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    request_body = Staff, responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn set_staff(
    State(state): State<AppState>,
    Chief(by): Chief,
    Input(staff): Input<Staff>,
) -> Answer {
    carry_out(&state, by, Command::SetStaff { staff }).await
}
