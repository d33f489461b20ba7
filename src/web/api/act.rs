//! What arbiters do. Every command names its author and is answered once it is durable.

use axum::{Json, extract::State};
use flagfall_core::{
    hub::command::{Command, MatchDecision, Request},
    tournament::{Bye, Termination},
    types::{DeviceId, PlayerNo, RoundNo, TableNo},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::extract::{Arbiter, At, Chief, Input, Operator, Who};
use crate::time::milliseconds;
use crate::web::{
    AppState,
    problem::{ActErrors, Problem},
};

/// The most moves told at once.
const MOVES_MAX: usize = 600;

/// The most characters of a note.
const NOTE_MAX: usize = 2000;

/// Done and durable.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Done {
    /// The journal's sequence number of the last event of it.
    seq: u64,
}

pub(super) type Answer = Result<Json<Done>, Problem>;

/// Carries a command out, once where it has a key.
pub(super) async fn carry_out(state: &AppState, who: Who, command: Command) -> Answer {
    let command = match who.key {
        Some(key) => Command::Once {
            key,
            command: Box::new(command),
        },
        None => command,
    };
    let by = who.name;
    let seq = state.handle.command(Request { by, command }).await?;
    Ok(Json(Done { seq }))
}

/// Trims a note; an empty one is none.
pub(super) fn note(field: &str, text: Option<String>) -> Result<Option<String>, Problem> {
    let Some(text) = text else { return Ok(None) };
    if text.chars().count() > NOTE_MAX {
        return Err(Problem::invalid(format!(
            "{field} is longer than {NOTE_MAX} characters"
        )));
    }
    let text = text.trim();
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

pub(super) fn required(field: &str, text: String) -> Result<String, Problem> {
    note(field, Some(text))?.ok_or_else(|| Problem::invalid(format!("{field} is empty")))
}

/// No fields.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

/// A decision on a proposal.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Decision {
    /// Accept or reject.
    accept: bool,
    /// A result other than the proposed one: `1-0`, `0-1`, `1/2-1/2`, `0-0`, `1/2-0`, `0-1/2`, or by
    /// forfeit `+/-`, `-/+`, `-/-`.
    #[schema(max_length = 2000)]
    result: Option<String>,
    /// Your reason, for the record.
    #[schema(max_length = 2000)]
    note: Option<String>,
}

/// Decide a proposal.
#[utoipa::path(
    post, path = "/proposals/{id}/decision", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    params(("id" = u64, Path, description = "The proposal's number")), request_body = Decision,
    responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn decide(
    State(state): State<AppState>,
    Arbiter(by): Arbiter,
    At(proposal): At<u64>,
    Input(body): Input<Decision>,
) -> Answer {
    let command = Command::Decide {
        proposal,
        accept: body.accept,
        result: note("result", body.result)?,
        note: note("note", body.note)?,
    };
    carry_out(&state, by, command).await
}

/// A result.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TableResult {
    /// `1-0`, `0-1`, `1/2-1/2`, `0-0`, `1/2-0`, `0-1/2`, or by forfeit `+/-`, `-/+`, `-/-`.
    #[schema(
        example = "1/2-1/2",
        min_length = 1,
        max_length = 2000,
        pattern = r"\S"
    )]
    result: String,
    /// How the game ended; left out when a result is amended, what was said before stays.
    #[schema(value_type = Option<Termination>)]
    termination: Option<String>,
    /// Your reason, for the record.
    #[schema(max_length = 2000)]
    note: Option<String>,
}

/// Enter or amend a result.
#[utoipa::path(
    post, path = "/tables/{table}/result", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    params(("table" = u16, Path, minimum = 0, maximum = 65535, description = "The table's number")), request_body = TableResult,
    responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn set_result(
    State(state): State<AppState>,
    Arbiter(by): Arbiter,
    At(table): At<TableNo>,
    Input(body): Input<TableResult>,
) -> Answer {
    let command = Command::SetResult {
        table,
        result: required("result", body.result)?,
        termination: note("termination", body.termination)?,
        note: note("note", body.note)?,
    };
    carry_out(&state, by, command).await
}

/// Why an arbiter is called.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Call {
    /// Why.
    #[schema(max_length = 2000)]
    note: Option<String>,
}

/// Call an arbiter to a table.
#[utoipa::path(
    post, path = "/tables/{table}/call", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    params(("table" = u16, Path, minimum = 0, maximum = 65535, description = "The table's number")), request_body = Option<Call>,
    responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn call(
    State(state): State<AppState>,
    Operator(by): Operator,
    At(table): At<TableNo>,
    Input(body): Input<Call>,
) -> Answer {
    let note = note("note", body.note)?;
    carry_out(&state, by, Command::CallArbiter { table, note }).await
}

/// How the board of a table stands.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Orientation {
    /// White sits at the wire's rank 8.
    turned: bool,
}

/// Say how the board of a table stands.
#[utoipa::path(
    post, path = "/tables/{table}/orientation", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    params(("table" = u16, Path, minimum = 0, maximum = 65535, description = "The table's number")), request_body = Orientation,
    responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn orientation(
    State(state): State<AppState>,
    Operator(by): Operator,
    At(table): At<TableNo>,
    Input(Orientation { turned }): Input<Orientation>,
) -> Answer {
    carry_out(&state, by, Command::SetOrientation { table, turned }).await
}

/// From where games start; one of the two.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StartPosition {
    /// One of the 960 by its number after Scharnagl; 518 is the usual position. Only where the event plays
    /// Chess960.
    #[schema(maximum = 959)]
    number: Option<u16>,
    /// Any position, e.g. a handicap: FEN.
    #[schema(max_length = 2000)]
    fen: Option<String>,
}

impl StartPosition {
    fn of(self, table: Option<TableNo>) -> Result<Command, Problem> {
        Ok(Command::SetStart {
            table,
            number: self.number,
            fen: note("fen", self.fen)?,
        })
    }
}

/// Say from which position all games of the round start. Refused once one of them has begun.
#[utoipa::path(
    post, path = "/round/start-position", tag = "round", security(("cookie" = []), ("bearer" = [])),
    request_body = StartPosition, responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn start_positions(
    State(state): State<AppState>,
    Chief(by): Chief,
    Input(body): Input<StartPosition>,
) -> Answer {
    carry_out(&state, by, body.of(None)?).await
}

/// Say from which position the game at a table starts.
#[utoipa::path(
    post, path = "/tables/{table}/start-position", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    params(("table" = u16, Path, minimum = 0, maximum = 65535, description = "The table's number")), request_body = StartPosition,
    responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn start_position(
    State(state): State<AppState>,
    Arbiter(by): Arbiter,
    At(table): At<TableNo>,
    Input(body): Input<StartPosition>,
) -> Answer {
    carry_out(&state, by, body.of(Some(table))?).await
}

/// How a game went on from its record.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ToldMoves {
    /// The moves in UCI from the end of the record on: the answer to a question, or the moves that were
    /// missed.
    #[schema(example = json!(["e7e8q"]), min_items = 1, max_items = 600)]
    moves: Vec<String>,
}

/// Say which move was made where a board that does not know its men cannot tell.
#[utoipa::path(
    post, path = "/tables/{table}/moves", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    params(("table" = u16, Path, minimum = 0, maximum = 65535, description = "The table's number")), request_body = ToldMoves,
    responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn tell_moves(
    State(state): State<AppState>,
    Operator(by): Operator,
    At(table): At<TableNo>,
    Input(ToldMoves { moves }): Input<ToldMoves>,
) -> Answer {
    if moves.is_empty() || moves.len() > MOVES_MAX {
        return Err(Problem::invalid(format!(
            "moves holds 1 to {MOVES_MAX} moves"
        )));
    }
    carry_out(&state, by, Command::TellMoves { table, moves }).await
}

/// Something that belongs in the record.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Incident {
    /// The table, when it concerns one.
    #[schema(value_type = Option<u16>, maximum = 65535)]
    table: Option<TableNo>,
    /// What happened.
    #[schema(min_length = 1, max_length = 2000, pattern = r"\S")]
    text: String,
}

/// Record an incident.
#[utoipa::path(
    post, path = "/incidents", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    request_body = Incident, responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn incident(
    State(state): State<AppState>,
    Operator(by): Operator,
    Input(body): Input<Incident>,
) -> Answer {
    let command = Command::RecordIncident {
        table: body.table,
        text: required("text", body.text)?,
    };
    carry_out(&state, by, command).await
}

/// Pair the next round, or again while it is a draft.
#[utoipa::path(
    post, path = "/round/pair", tag = "round", security(("cookie" = []), ("bearer" = [])),
    request_body = Option<Nothing>, responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn pair(
    State(state): State<AppState>,
    Chief(by): Chief,
    Input(Nothing {}): Input<Nothing>,
) -> Answer {
    carry_out(&state, by, Command::PairRound).await
}

/// Change the draft of round 1 as little as possible, in the place of the one that was paired anew
/// because somebody left, came or asked for a bye.
#[utoipa::path(
    post, path = "/round/repair", tag = "round", security(("cookie" = []), ("bearer" = [])),
    request_body = Option<Nothing>, responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn repair(
    State(state): State<AppState>,
    Chief(by): Chief,
    Input(Nothing {}): Input<Nothing>,
) -> Answer {
    carry_out(&state, by, Command::RepairRound).await
}

/// A level match of a knock-out.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LevelMatch {
    /// The two players, by number.
    players: [u16; 2],
    /// What decides.
    how: DecidedHow,
    /// Who goes on; left out when the lot decides.
    winner: Option<u16>,
}

/// What decides a level match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum DecidedHow {
    /// Further games.
    PlayOff,
    /// The lot, which the hub draws and records.
    Lot,
    /// The arbiter, by the rules of the event.
    Arbiter,
}

/// Say who goes on from a level match of a knock-out, once its round is closed. When it was the last one
/// the next round is paired.
#[utoipa::path(
    post, path = "/round/decide-match", tag = "round", security(("cookie" = []), ("bearer" = [])),
    request_body = LevelMatch, responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn decide_match(
    State(state): State<AppState>,
    Chief(by): Chief,
    Input(body): Input<LevelMatch>,
) -> Answer {
    let command = Command::DecideMatch(MatchDecision {
        players: body.players.map(PlayerNo),
        winner: body.winner.map(PlayerNo),
        by_lot: body.how == DecidedHow::Lot,
        play_off: body.how == DecidedHow::PlayOff,
    });
    carry_out(&state, by, command).await
}

/// A player leaves the event: from the next round that is not public he is not paired. A draft is
/// paired anew.
#[utoipa::path(
    post, path = "/players/{player}/withdraw", tag = "round", security(("cookie" = []), ("bearer" = [])),
    params(("player" = u16, Path, minimum = 0, maximum = 65535, description = "The player's number")),
    request_body = Option<Nothing>, responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn withdraw(
    State(state): State<AppState>,
    Chief(by): Chief,
    At(player): At<PlayerNo>,
    Input(Nothing {}): Input<Nothing>,
) -> Answer {
    carry_out(&state, by, Command::WithdrawPlayer { player }).await
}

/// A player who left is back. A draft is paired anew.
#[utoipa::path(
    post, path = "/players/{player}/return", tag = "round", security(("cookie" = []), ("bearer" = [])),
    params(("player" = u16, Path, minimum = 0, maximum = 65535, description = "The player's number")),
    request_body = Option<Nothing>, responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn back(
    State(state): State<AppState>,
    Chief(by): Chief,
    At(player): At<PlayerNo>,
    Input(Nothing {}): Input<Nothing>,
) -> Answer {
    carry_out(&state, by, Command::ReturnPlayer { player }).await
}

/// A round that a player misses.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ByeAsked {
    /// The round, not public yet.
    round: u16,
    /// What it is worth; left out, the bye is taken back.
    bye: Option<ByeWorth>,
}

/// What a bye is worth.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum ByeWorth {
    /// A win.
    Full,
    /// A draw.
    Half,
    /// Nothing: announced absence.
    Zero,
}

/// Give a player a bye that he asked for, or take it back. A draft is paired anew.
#[utoipa::path(
    post, path = "/players/{player}/bye", tag = "round", security(("cookie" = []), ("bearer" = [])),
    params(("player" = u16, Path, minimum = 0, maximum = 65535, description = "The player's number")),
    request_body = ByeAsked, responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn bye(
    State(state): State<AppState>,
    Chief(by): Chief,
    At(player): At<PlayerNo>,
    Input(body): Input<ByeAsked>,
) -> Answer {
    let command = Command::SetBye {
        player,
        round: RoundNo(body.round),
        bye: body.bye.map(|worth| match worth {
            ByeWorth::Full => Bye::Full,
            ByeWorth::Half => Bye::Half,
            ByeWorth::Zero => Bye::Zero,
        }),
    };
    carry_out(&state, by, command).await
}

/// Make the draft pairing public.
#[utoipa::path(
    post, path = "/round/publish", tag = "round", security(("cookie" = []), ("bearer" = [])),
    request_body = Option<Nothing>, responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn publish(
    State(state): State<AppState>,
    Chief(by): Chief,
    Input(Nothing {}): Input<Nothing>,
) -> Answer {
    carry_out(&state, by, Command::PublishRound).await
}

/// When the round starts.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Schedule {
    /// The planned start, UTC.
    #[schema(value_type = String, format = DateTime)]
    starts_at: Timestamp,
    /// Confirms a start earlier than the announced one.
    #[serde(default)]
    earlier_confirmed: bool,
}

/// Set the start of the round.
#[utoipa::path(
    post, path = "/round/schedule", tag = "round", security(("cookie" = []), ("bearer" = [])),
    request_body = Schedule, responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn schedule(
    State(state): State<AppState>,
    Chief(by): Chief,
    Input(body): Input<Schedule>,
) -> Answer {
    let command = Command::ScheduleRound {
        starts_at: milliseconds(body.starts_at),
        earlier_confirmed: body.earlier_confirmed,
    };
    carry_out(&state, by, command).await
}

/// By how much the start moves.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Shift {
    /// Seconds; negative is earlier.
    seconds: i32,
    /// Confirms a start earlier than the announced one.
    #[serde(default)]
    earlier_confirmed: bool,
}

/// Move the start of the round.
#[utoipa::path(
    post, path = "/round/shift", tag = "round", security(("cookie" = []), ("bearer" = [])),
    request_body = Shift, responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn shift(
    State(state): State<AppState>,
    Chief(by): Chief,
    Input(body): Input<Shift>,
) -> Answer {
    let command = Command::ShiftRound {
        seconds: body.seconds,
        earlier_confirmed: body.earlier_confirmed,
    };
    carry_out(&state, by, command).await
}

/// Why the start is delayed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Hold {
    /// What the hall reads.
    #[schema(max_length = 2000)]
    reason: Option<String>,
}

/// Hold the start: no number on the screen until released or scheduled anew.
#[utoipa::path(
    post, path = "/round/hold", tag = "round", security(("cookie" = []), ("bearer" = [])),
    request_body = Option<Hold>, responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn hold(
    State(state): State<AppState>,
    Chief(by): Chief,
    Input(body): Input<Hold>,
) -> Answer {
    let reason = note("reason", body.reason)?;
    carry_out(&state, by, Command::HoldRound { reason }).await
}

/// Start the round now: default time counts from here.
#[utoipa::path(
    post, path = "/round/start", tag = "round", security(("cookie" = []), ("bearer" = [])),
    request_body = Option<Nothing>, responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn start(
    State(state): State<AppState>,
    Chief(by): Chief,
    Input(Nothing {}): Input<Nothing>,
) -> Answer {
    carry_out(&state, by, Command::StartRound).await
}

/// Which round is closed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CloseRound {
    /// The round meant, so that a second click cannot close the next one.
    #[schema(value_type = u16, maximum = 65535)]
    round: RoundNo,
}

/// Close the round; refused while a result is missing.
#[utoipa::path(
    post, path = "/round/close", tag = "round", security(("cookie" = []), ("bearer" = [])),
    request_body = CloseRound, responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn close_round(
    State(state): State<AppState>,
    Chief(by): Chief,
    Input(CloseRound { round }): Input<CloseRound>,
) -> Answer {
    carry_out(&state, by, Command::CloseRound { round }).await
}

/// Where a device serves.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Assignment {
    /// The table; null takes it away. Never left out: an empty body must not take a device away.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(value_type = Option<u16>, maximum = 65535, required = true)]
    table: Option<TableNo>,
}

/// Put a device at a table.
#[utoipa::path(
    post, path = "/devices/{id}/assign", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    params(("id" = String, Path, description = "The device's name")), request_body = Assignment,
    responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn assign(
    State(state): State<AppState>,
    Operator(by): Operator,
    At(device): At<DeviceId>,
    Input(Assignment { table }): Input<Assignment>,
) -> Answer {
    carry_out(&state, by, Command::AssignDevice { device, table }).await
}

/// Find the board of a table: lift the white king from the start position on it within two minutes.
#[utoipa::path(
    post, path = "/tables/{table}/find-board", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    params(("table" = u16, Path, description = "The table")), request_body = Nothing,
    responses((status = 200, body = Done), ActErrors)
)]
pub(super) async fn find_board(
    State(state): State<AppState>,
    Operator(by): Operator,
    At(table): At<TableNo>,
    Input(Nothing {}): Input<Nothing>,
) -> Answer {
    carry_out(&state, by, Command::AwaitKing { table }).await
}
