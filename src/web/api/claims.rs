//! Claims at a table, and protests.

use axum::{Json, extract::State};
use flagfall_core::{
    hub::{
        command::Command,
        event::{ClaimKind, Outcome},
        view::ProtestView,
    },
    types::{Color, PlayerNo, TableNo},
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    act::{Answer, Done, carry_out, note, required},
    extract::{Arbiter, At, Chief, Input, Viewer},
};
use crate::web::{
    AppState,
    problem::{ActErrors, Problem, ReadErrors},
};

/// A side.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Self::White,
            Side::Black => Self::Black,
        }
    }
}

/// What is claimed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Claimed {
    /// What.
    what: ClaimKind,
    /// Who is said to have done it; for a draw or a flag the opponent of who claims.
    against: Option<Side>,
    /// In words, for the record.
    #[schema(max_length = 2000)]
    note: Option<String>,
}

/// Enter a claim: an alert with its evidence, and a proposal where there is something to decide.
#[utoipa::path(
    post, path = "/tables/{table}/claim", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    params(("table" = u16, Path, minimum = 0, maximum = 65535, description = "The table's number")), request_body = Claimed,
    responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn claim(
    State(state): State<AppState>,
    Arbiter(by): Arbiter,
    At(table): At<TableNo>,
    Input(body): Input<Claimed>,
) -> Answer {
    let command = Command::Claim {
        table,
        what: body.what,
        against: body.against.map(Color::from),
        note: note("note", body.note)?,
    };
    carry_out(&state, by, command).await
}

/// A protest.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Protest {
    /// The table, when it concerns one.
    #[schema(value_type = Option<u16>, maximum = 65535)]
    table: Option<TableNo>,
    /// Whose, by number; left out for a team or an organiser.
    player: Option<u16>,
    /// Against what.
    #[schema(min_length = 1, max_length = 2000, pattern = r"\S")]
    text: String,
    /// It is to be decided within so many minutes; then the chief arbiter is called.
    #[schema(minimum = 1, maximum = 20160)]
    minutes: Option<u32>,
}

/// Record that a protest was handed in.
#[utoipa::path(
    post, path = "/protests", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    request_body = Protest, responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn file_protest(
    State(state): State<AppState>,
    Arbiter(by): Arbiter,
    Input(body): Input<Protest>,
) -> Answer {
    let command = Command::FileProtest {
        table: body.table,
        player: body.player.map(PlayerNo),
        text: required("text", body.text)?,
        minutes: body.minutes,
    };
    carry_out(&state, by, command).await
}

/// All protests of the event, newest first.
#[utoipa::path(
    get, path = "/protests", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    responses((status = 200, body = Vec<ProtestView>), ReadErrors)
)]
pub(super) async fn protests(
    State(state): State<AppState>,
    _viewer: Viewer,
) -> Result<Json<Vec<ProtestView>>, Problem> {
    Ok(Json(state.handle.hall().await?.protests.clone()))
}

/// How a protest ended.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Ended {
    /// How.
    outcome: Outcome,
    /// The deposit was given back; it always is when the protest is upheld.
    deposit_returned: bool,
    /// Why.
    #[schema(max_length = 2000)]
    note: Option<String>,
}

/// Record the outcome of a protest.
#[utoipa::path(
    post, path = "/protests/{id}/outcome", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    params(("id" = u64, Path, description = "The protest's number")), request_body = Ended,
    responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn decide_protest(
    State(state): State<AppState>,
    Chief(by): Chief,
    At(protest): At<u64>,
    Input(body): Input<Ended>,
) -> Answer {
    let command = Command::DecideProtest {
        protest,
        outcome: body.outcome,
        deposit_returned: body.deposit_returned,
        note: note("note", body.note)?,
    };
    carry_out(&state, by, command).await
}
