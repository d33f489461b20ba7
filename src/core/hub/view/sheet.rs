//! The game's page: everything that the journal tells of one game, for whoever must decide a dispute.

use jiff::Timestamp;
use serde::Serialize;

use crate::types::{Color, PlayerNo, RoundNo, TableNo, color};

/// One game as evidence (R-RS-4, R-RS-12).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SheetView {
    /// The table.
    #[cfg_attr(feature = "openapi", schema(value_type = u16))]
    pub table: TableNo,
    /// The round.
    #[cfg_attr(feature = "openapi", schema(value_type = u16))]
    pub round: RoundNo,
    /// The rounds with a game at this table.
    #[cfg_attr(feature = "openapi", schema(value_type = [u16]))]
    pub rounds: Vec<RoundNo>,
    /// The event's name.
    pub event: String,
    /// The time control as written in the set-up.
    pub time_control: String,
    /// The hall's time zone by the event's schedule; null when it names none.
    pub zone: Option<String>,
    /// White.
    pub white: SheetPlayer,
    /// Black.
    pub black: SheetPlayer,
    /// The declared start of the round.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub round_started_at: Option<Timestamp>,
    /// When the clock was first seen running.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub clock_started_at: Option<Timestamp>,
    /// The result that stands, e.g. `1-0`.
    pub result: Option<String>,
    /// How the game ended.
    pub termination: Option<String>,
    /// When that result was recorded.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub result_at: Option<Timestamp>,
    /// Illegal moves that arbiters recorded: White, Black.
    pub illegal: (u8, u8),
    /// All half-moves in the order in which they were made, those that do not stand any more too.
    pub moves: Vec<SheetMove>,
    /// Everything else, in order.
    pub notes: Vec<SheetNote>,
    /// The last position with its times: as it stood before the kings moved, when they showed the result.
    pub end: SheetEnd,
}

/// A player on the game's page.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SheetPlayer {
    /// Pairing number.
    #[cfg_attr(feature = "openapi", schema(value_type = u16))]
    pub no: PlayerNo,
    /// Name.
    pub name: String,
    /// Title, e.g. `WGM`.
    pub title: Option<String>,
    /// Rating.
    pub rating: Option<u16>,
}

/// A half-move.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SheetMove {
    /// The number of its event: moves and notes together are in order by it.
    pub seq: u64,
    /// The number of the move, e.g. 12 for 12… Nf6.
    pub number: u16,
    /// Who moved.
    #[serde(with = "color")]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub side: Color,
    /// SAN.
    pub san: String,
    /// UCI.
    pub uci: String,
    /// When it stood on the board.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub at: Timestamp,
    /// When the clock was pressed after it.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub pressed_at: Option<Timestamp>,
    /// White's time after the press.
    pub white_ms: Option<u64>,
    /// Black's time after the press.
    pub black_ms: Option<u64>,
    /// How long the mover thought by his clock, where it proves it.
    pub spent_ms: Option<u64>,
    /// The board did not show every step of it.
    pub inferred: bool,
    /// When it was taken back or corrected: it does not stand any more.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub withdrawn_at: Option<Timestamp>,
}

/// Something that happened beside the moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SheetNote {
    /// The number of its event.
    pub seq: u64,
    /// When.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub at: Timestamp,
    /// `board`, `touch`, `clock`, `flag`, `correction`, `illegal`, `gap`, `withdrawn`, `call`, `alert`,
    /// `proposal`, `result`, `incident` or `device`.
    pub kind: String,
    /// What happened, one English sentence.
    pub text: String,
    /// The person who did or said it.
    pub by: Option<String>,
    /// The position that it is about: FEN.
    pub position: Option<String>,
    /// What stood on the board instead: first field of a FEN.
    pub seen: Option<String>,
    /// White's time then.
    pub white_ms: Option<u64>,
    /// Black's time then.
    pub black_ms: Option<u64>,
    /// What came of it: who took it, who decided what.
    pub steps: Vec<SheetStep>,
}

/// What came of something.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SheetStep {
    /// When.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub at: Timestamp,
    /// What.
    pub text: String,
    /// Who; null when nobody did anything.
    pub by: Option<String>,
}

/// The last position of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SheetEnd {
    /// FEN.
    pub position: String,
    /// The last move, UCI.
    pub last_uci: Option<String>,
    /// White's time then.
    pub white_ms: Option<u64>,
    /// Black's time then.
    pub black_ms: Option<u64>,
    /// When it was frozen as evidence for a result; null for the last position of the moves.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub frozen_at: Option<Timestamp>,
}
