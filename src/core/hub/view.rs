//! What pages, the API and MQTT show: a picture of the hall, made from its state.
//!
//! Times are integer milliseconds, instants UTC (RFC 3339). Names of people are in here; who passes
//! a view on to strangers leaves them out.

mod amendment;
mod correction;
mod event;
mod paper;
mod players;
mod screens;
mod sheet;

use jiff::Timestamp;
use serde::Serialize;

pub use self::amendment::{AmendmentView, PlaceChange, RecordView};
pub use self::correction::CorrectionView;
pub use self::event::{
    CellView, EventFigures, EventLine, EventTable, FigureView, RoundFigures, TableState,
};
pub use self::paper::{PaperPlayer, PaperTable, PaperView};
pub use self::players::{
    ByeView, DraftView, EntryView, PlayersView, PublicRound, PublicTable, SeatView,
};
pub use self::screens::{PlayOffView, ScreenSound, ScreenView, ShowView, WallTable};
pub use self::sheet::{SheetEnd, SheetMove, SheetNote, SheetPlayer, SheetStep, SheetView};
use super::{
    event::{Outcome, Reach},
    staff::{EventLevel, Member, Staffing},
};
use crate::types::{Color, DeviceId, PlayerNo, RoundNo, TableNo, color};

/// The whole hall.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HallView {
    /// The journal's sequence number of the last event in this picture.
    pub seq: u64,
    /// The event that is played; `None` before the set-up.
    pub event: Option<EventView>,
    /// The current round; `None` before the first pairing.
    pub round: Option<RoundView>,
    /// The public rounds before it, for who keeps the state of each.
    #[serde(skip)]
    pub earlier: Vec<RoundView>,
    /// All tables of the round and all tables with a device, by number.
    pub tables: Vec<TableView>,
    /// Open alerts as they are worked off: what nobody has taken first, then the most pressing, then
    /// the oldest.
    pub alerts: Vec<AlertView>,
    /// Open proposals, oldest first.
    pub proposals: Vec<ProposalView>,
    /// All devices that were ever seen.
    pub devices: Vec<DeviceView>,
    /// The hall's screens by number.
    pub screens: Vec<ScreenView>,
    /// What the arbiters show on all of them.
    pub show: ShowView,
    /// The arbiters.
    pub staff: StaffView,
    /// Protests, newest first.
    pub protests: Vec<ProtestView>,
}

/// The event in short.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EventView {
    /// Its name.
    pub name: String,
    /// The section's short id, e.g. `open`.
    pub section: String,
    /// Rounds to be played.
    pub rounds: u16,
    /// Number of players.
    pub players: u16,
    /// How many of them the next round that can still be paired finds missing.
    pub away: u16,
    /// The time control as written in the set-up, e.g. `15+10`.
    pub time_control: String,
    /// What the opponent gets for an illegal move, in milliseconds.
    pub penalty_ms: u64,
    /// The pairing system, e.g. `round-robin`.
    pub system: String,
    /// By which rules games are played: `standard` or `chess960`.
    pub variant: String,
    /// The hall's time zone by the event's schedule, e.g. `Europe/Kyiv`; `None` when it names none.
    pub zone: Option<String>,
}

/// Where a round stands (display.md's states of the countdown).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Paired, no start time set.
    Idle,
    /// A start time is set; counting down.
    Scheduled,
    /// T−15:00 passed: players take their seats.
    Seats,
    /// T−5:00 passed.
    Last5,
    /// T−1:00 passed.
    Last1,
    /// The planned start has come; the arbiter has not declared it yet.
    Zero,
    /// Start delayed; no number is shown.
    Held,
    /// Declared started; counting up to the default time.
    Started,
    /// Default time is over; games are played.
    Playing,
    /// All results are in and the round is closed.
    Closed,
}

/// The current round.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RoundView {
    /// Its number.
    #[cfg_attr(feature = "openapi", schema(value_type = u16))]
    pub number: RoundNo,
    /// Where it stands.
    pub phase: Phase,
    /// The pairing is public.
    pub published: bool,
    /// The start that the event's schedule plans, while none is set; it may have passed.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub planned_at: Option<Timestamp>,
    /// The announced start.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub starts_at: Option<Timestamp>,
    /// The declared start.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub started_at: Option<Timestamp>,
    /// When default time ends; `None` when the event has none.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub default_at: Option<Timestamp>,
    /// Default time ends when fewer than half of the games are still played (R-CD-4).
    pub until_half: bool,
    /// When the schedule has the round after it; while games are played, the end of the longest one by its
    /// clock and the pause after it.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub next_at: Option<Timestamp>,
    /// `next_at` is reckoned from games that are still played.
    pub next_about: bool,
    /// The tables that are not ready in the last five minutes; `None` while no screen tells them.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<u16>>))]
    pub waiting: Option<Vec<TableNo>>,
    /// When photography ends; `None` before the start (R-CD-5).
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub photo_until: Option<Timestamp>,
    /// The fixed time that the last boards were given (R-CD-6).
    pub play_off: Option<PlayOffView>,
    /// What the hall reads while the start is delayed.
    pub held_reason: Option<String>,
    /// Tables in the round.
    pub tables: u16,
    /// Tables without a confirmed result.
    pub open: u16,
    /// Player without an opponent this round.
    pub bye: Option<PlayerView>,
}

/// A player as shown beside a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlayerView {
    /// Pairing number.
    #[cfg_attr(feature = "openapi", schema(value_type = u16))]
    pub no: PlayerNo,
    /// Name.
    pub name: String,
    /// Rating, when he has one.
    pub rating: Option<u16>,
}

/// Where a table stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TablePhase {
    /// No game here this round.
    Unused,
    /// Waiting for the start position.
    Waiting,
    /// The start position stands.
    Ready,
    /// The game is played.
    Playing,
    /// A result is proposed and awaits a decision.
    Deciding,
    /// The result is confirmed.
    Finished,
}

/// One table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TableView {
    /// Its number.
    #[cfg_attr(feature = "openapi", schema(value_type = u16))]
    pub table: TableNo,
    /// White.
    pub white: Option<PlayerView>,
    /// Black.
    pub black: Option<PlayerView>,
    /// The pairing of this round is not public: who plays here is nobody else's business yet.
    pub draft: bool,
    /// Where it stands.
    pub phase: TablePhase,
    /// Half moves played.
    pub ply: u16,
    /// The last move in SAN, e.g. `Nxe5+`.
    pub last_san: Option<String>,
    /// The last move in UCI, e.g. `f3e5`.
    pub last_uci: Option<String>,
    /// Side to move by the moves played.
    #[serde(with = "color")]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub turn: Color,
    /// FEN of the position from which the game starts, when it is not the usual one.
    pub start: Option<String>,
    /// The position by the moves played: first field of a FEN.
    pub position: String,
    /// What stands on the board now as the players see it, when it differs from `position`.
    pub seen: Option<String>,
    /// The board's state cannot be explained, or shows an illegal move.
    pub disturbed: bool,
    /// Places in the record where moves are missing.
    pub gaps: u16,
    /// What the board cannot tell: an arbiter says which move it was.
    pub question: Option<QuestionView>,
    /// The confirmed result, e.g. `1-0`.
    pub result: Option<String>,
    /// How the game ended.
    pub termination: Option<String>,
    /// What the result rests on: `board`, `clock`, `hub`, `arbiter`.
    pub result_source: Option<String>,
    /// The clock; `None` when none was ever read.
    pub clock: Option<ClockView>,
    /// The side whose flag fell, first fallen first.
    pub flags: Vec<String>,
    /// Both flags are down, and which fell first is not known: look at the clock.
    pub flags_unordered: bool,
    /// The device that serves the table.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub device: Option<DeviceId>,
    /// The device is talking.
    pub online: bool,
    /// The device's last word.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub heard_at: Option<Timestamp>,
    /// Open alerts at this table.
    pub alerts: Vec<u64>,
    /// The moves the arbiter recorded as illegal so far: White, Black.
    pub illegal: (u8, u8),
    /// What was counted in this game and what comes next; null while nothing was.
    pub conduct: Option<ConductView>,
    /// A correction that the clock does not show yet.
    pub correction: Option<CorrectionView>,
}

/// What was counted against the players of a game (R-RS-6, R-RS-7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ConductView {
    /// White's.
    pub white: SideConduct,
    /// Black's.
    pub black: SideConduct,
}

/// What was counted against one player in his game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SideConduct {
    /// Illegal moves, those for the wrong hand included.
    pub illegal: u8,
    /// Moves with the wrong hand.
    pub hands: u8,
    /// What the next illegal move costs.
    pub next: NextPenalty,
    /// What the opponent gets for it.
    pub bonus_ms: Option<u64>,
}

/// What an illegal move costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum NextPenalty {
    /// It is recorded, nothing more.
    Warning,
    /// Time for the opponent.
    Time,
    /// The game.
    Loss,
}

/// Which of these moves was made?
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct QuestionView {
    /// The half move that is not known, from 1.
    pub ply: u16,
    /// The moves that it may have been: two at least.
    pub moves: Vec<ReadingView>,
}

/// A move that may have been made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReadingView {
    /// UCI: what answers the question.
    pub uci: String,
    /// SAN.
    pub san: String,
}

/// A clock as last read.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ClockView {
    /// White's time.
    pub white_ms: u64,
    /// Black's time.
    pub black_ms: u64,
    /// The side whose time runs: `white`, `black` or null.
    #[serde(with = "color::option")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub running: Option<Color>,
    /// The side whose lever stands high, so that it is to move, running or not; null when it was not
    /// read since the hub started.
    #[serde(with = "color::option")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub lever: Option<Color>,
    /// When it was read.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub at: Timestamp,
}

/// How pressing an alert is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, serde::Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// For the operator; nobody need walk.
    Notice,
    /// Something will go wrong if nobody looks.
    Warning,
    /// An arbiter is needed at the table now.
    Call,
}

/// An open alert.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AlertView {
    /// Its number.
    pub id: u64,
    /// What it is, e.g. `flag`, `illegal-move`, `clock-stopped`, `device-lost`.
    pub kind: String,
    /// How pressing.
    pub severity: Severity,
    /// Where.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u16>))]
    pub table: Option<TableNo>,
    /// The device that it is about.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub device: Option<DeviceId>,
    /// What happened and what to do, one English sentence.
    pub text: String,
    /// When it was raised.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub raised_at: Timestamp,
    /// The arbiter who has taken it; nobody else goes.
    pub acknowledged_by: Option<String>,
    /// When he took it.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub taken_at: Option<Timestamp>,
    /// Nobody took it in time.
    pub escalated: bool,
    /// How far it has gone since: to the zone, to the neighbour, to the chief.
    pub reach: Reach,
    /// Whom it goes to; empty: to all.
    pub to: Vec<String>,
    /// The proposal whose decision closes it.
    pub proposal: Option<u64>,
    /// What stood at the table when it was raised, where no proposal has it.
    pub evidence: Option<EvidenceView>,
}

/// What stood at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EvidenceView {
    /// Half moves recorded.
    pub ply: u16,
    /// The position by the moves played: FEN.
    pub position: String,
    /// What stood on the board, when it was something else: first field of a FEN.
    pub seen: Option<String>,
    /// White's time.
    pub white_ms: Option<u64>,
    /// Black's time.
    pub black_ms: Option<u64>,
}

/// A protest (R-RS-11).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProtestView {
    /// Its number.
    pub id: u64,
    /// The table, when it concerns one.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u16>))]
    pub table: Option<TableNo>,
    /// The round in which it was handed in.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u16>))]
    pub round: Option<RoundNo>,
    /// Whose.
    pub player: Option<PlayerView>,
    /// Against what.
    pub text: String,
    /// When it was handed in.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub filed_at: Timestamp,
    /// Who recorded it.
    pub filed_by: String,
    /// Until when it is to be decided.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub due_at: Option<Timestamp>,
    /// How it ended; null while it is open.
    pub outcome: Option<Outcome>,
    /// The deposit was given back.
    pub deposit_returned: Option<bool>,
    /// Why.
    pub note: Option<String>,
    /// Who recorded the outcome.
    pub decided_by: Option<String>,
    /// When.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub decided_at: Option<Timestamp>,
}

/// The arbiters and how they compare with what the round needs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StaffView {
    /// What kind of event it is.
    pub level: EventLevel,
    /// The arbiters.
    pub members: Vec<MemberView>,
    /// How many there are and should be (R-AR-1).
    pub staffing: Staffing,
}

/// An arbiter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MemberView {
    /// What the list says of him.
    #[serde(flatten)]
    pub member: Member,
    /// He is there now.
    pub on_duty: bool,
}

/// An open proposal: the hub proposes, an arbiter decides.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProposalView {
    /// Its number.
    pub id: u64,
    /// `result`, `illegal-move`, `forfeit`, `hand-violation`, `penalty` or `disqualify`.
    pub kind: String,
    /// The table.
    #[cfg_attr(feature = "openapi", schema(value_type = u16))]
    pub table: TableNo,
    /// White.
    pub white: Option<PlayerView>,
    /// Black.
    pub black: Option<PlayerView>,
    /// The result that is proposed, e.g. `1-0`.
    pub result: Option<String>,
    /// How the game ended.
    pub termination: Option<String>,
    /// What was seen, one English sentence.
    pub text: String,
    /// The position before what was seen: FEN.
    pub position: String,
    /// What stands on the board, when it matters: first field of a FEN.
    pub seen: Option<String>,
    /// White's time then.
    pub white_ms: Option<u64>,
    /// Black's time then.
    pub black_ms: Option<u64>,
    /// When it was raised.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub raised_at: Timestamp,
}

/// A device.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeviceView {
    /// Its name.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub device: DeviceId,
    /// The family, e.g. `dgt-board`.
    pub family: String,
    /// Firmware version.
    pub version: Option<String>,
    /// The port it was last seen on.
    pub port: String,
    /// The table it serves.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u16>))]
    pub table: Option<TableNo>,
    /// It is talking.
    pub online: bool,
    /// Charge left, 0–100.
    pub battery: Option<u8>,
}

/// The moves of a table's game, for the page of one table and for PGN.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GameView {
    /// The table.
    #[cfg_attr(feature = "openapi", schema(value_type = u16))]
    pub table: TableNo,
    /// The round.
    #[cfg_attr(feature = "openapi", schema(value_type = u16))]
    pub round: RoundNo,
    /// FEN of the first position; absent for the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Moves in SAN with the mover's time after the move.
    pub moves: Vec<MoveView>,
    /// Where moves are missing.
    pub gaps: Vec<GapView>,
    /// The whole game as PGN; a game with gaps as several, one for each part.
    pub pgn: String,
}

/// A place where moves are missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GapView {
    /// Half moves recorded before it.
    pub after: u16,
    /// FEN of the position from which the game went on; null when the game ended before that.
    pub fen: Option<String>,
}

/// One half move.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MoveView {
    /// SAN.
    pub san: String,
    /// UCI.
    pub uci: String,
    /// The mover's time after the move, when it was read.
    pub clock_ms: Option<u64>,
}

/// A line of the standings.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StandingView {
    /// Place, shared when tied.
    pub place: u16,
    /// The player.
    pub player: PlayerView,
    /// Points, e.g. `2.5`.
    pub points: String,
    /// Tie-breaks in the order of the event, by FIDE code.
    pub tie_breaks: Vec<(String, String)>,
    /// When asked for: what each of them is made of, a line for each part and one for the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanations: Option<Vec<Vec<String>>>,
}

/// What changed since the last update: the live stream of the pages. Absent parts did not change;
/// a table is always sent whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Update {
    /// The journal's sequence number of the last event in this update.
    pub seq: u64,
    /// The event was set up anew, or a player left, came back or misses a round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<EventView>,
    /// The round changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<RoundView>,
    /// The public rounds before it, when the round changed.
    #[serde(skip)]
    pub earlier: Vec<RoundView>,
    /// The tables that changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<TableView>,
    /// All open alerts, when one of them changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alerts: Option<Vec<AlertView>>,
    /// All open proposals, when one of them changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposals: Option<Vec<ProposalView>>,
    /// All devices, when one of them changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub devices: Option<Vec<DeviceView>>,
    /// All screens, when one of them changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screens: Option<Vec<ScreenView>>,
    /// What is shown on all screens, when it changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub show: Option<ShowView>,
    /// The arbiters, when one of them, or what the round needs, changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub staff: Option<StaffView>,
    /// All protests, when one of them changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protests: Option<Vec<ProtestView>>,
}

/// A paired round with the reasons.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PairingView {
    /// The round.
    #[cfg_attr(feature = "openapi", schema(value_type = u16))]
    pub round: RoundNo,
    /// False while it is a draft.
    pub published: bool,
    /// The pairing system, e.g. `dutch`.
    pub system: String,
    /// The colour of number 1 in round 1, `white` or `black`; null where the system does not ask.
    pub initial_colour: Option<String>,
    /// The pairs in the order of their boards.
    pub pairs: Vec<PairView>,
    /// The odd man out.
    pub bye: Option<UnpairedView>,
    /// Everybody else who is not paired.
    pub unpaired: Vec<UnpairedView>,
}

/// What may be done about a draft of round 1 that no longer holds (R-PR-8).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RepairView {
    /// The round.
    #[cfg_attr(feature = "openapi", schema(value_type = u16))]
    pub round: RoundNo,
    /// What a repair changes against the draft as it was before.
    pub repair: Vec<ChangeView>,
    /// What pairing anew changes against it.
    pub anew: Vec<ChangeView>,
}

/// What changes for a player.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChangeView {
    /// Who.
    pub player: PlayerView,
    /// Opponent and colour stay, the board is another.
    pub board_only: bool,
    /// Where he was, e.g. `White against 4 on board 2`; opponents by number.
    pub before: String,
    /// Where he is now.
    pub after: String,
}

/// A pair with its reason.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PairView {
    /// The board within the section, from 1.
    pub board: u16,
    /// Who has White.
    pub white: PlayerView,
    /// Who has Black.
    pub black: PlayerView,
    /// Why these two, and why these colours; players by number.
    pub why: String,
}

/// A player without an opponent.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UnpairedView {
    /// Who.
    pub player: PlayerView,
    /// What the round is worth to him, e.g. `0.5`.
    pub points: String,
    /// Why.
    pub why: String,
}
