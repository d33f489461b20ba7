//! The players as arbiters see them, and a public round as everybody may.

use jiff::Timestamp;
use serde::Serialize;

use super::PlayerView;
use crate::types::{RoundNo, TableNo};

/// All players with what they are to the next round.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlayersView {
    /// The first round whose pairing can still be another; null when the last one is public.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u16>))]
    pub next: Option<RoundNo>,
    /// Rounds to be played, where that is known.
    pub rounds: Option<u16>,
    /// What a bye that is asked for may be worth here: `half`, `zero`, `full`.
    pub byes: Vec<String>,
    /// The pairing that is made and not public.
    pub draft: Option<DraftView>,
    /// The players by number.
    pub players: Vec<EntryView>,
}

/// A draft, held against who is there.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DraftView {
    /// The round.
    #[cfg_attr(feature = "openapi", schema(value_type = u16))]
    pub round: RoundNo,
    /// Those who came or went since it was made. When there is one, the draft is out of date.
    pub outdated: Vec<PlayerView>,
}

/// A player with what he is to the next round.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EntryView {
    /// Who.
    pub player: PlayerView,
    /// The first round that he misses; null while he is in the event.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u16>))]
    pub withdrawn_since: Option<RoundNo>,
    /// The byes that he asked for, by round.
    pub byes: Vec<ByeView>,
    /// His game of the current round, a draft's too.
    pub seat: Option<SeatView>,
}

/// A bye that was asked for, or an absence that was announced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ByeView {
    /// The round.
    #[cfg_attr(feature = "openapi", schema(value_type = u16))]
    pub round: RoundNo,
    /// `half`, `zero` or `full`.
    pub worth: String,
    /// The round is not public: it can still be taken back.
    pub open: bool,
}

/// Where somebody plays.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SeatView {
    /// The round.
    #[cfg_attr(feature = "openapi", schema(value_type = u16))]
    pub round: RoundNo,
    /// The pairing is public.
    pub published: bool,
    /// The table.
    #[cfg_attr(feature = "openapi", schema(value_type = u16))]
    pub table: TableNo,
    /// His colour: `white` or `black`.
    pub color: String,
    /// Against whom.
    pub opponent: PlayerView,
    /// The clock has run or a move was seen.
    pub begun: bool,
    /// The confirmed result, e.g. `1-0`.
    pub result: Option<String>,
}

/// A round that is public, with its results.
#[derive(Clone, Debug, PartialEq)]
pub struct PublicRound {
    /// Its number.
    pub number: RoundNo,
    /// The announced start.
    pub starts_at: Option<Timestamp>,
    /// The declared start.
    pub started_at: Option<Timestamp>,
    /// All results are in and the round is closed.
    pub closed: bool,
    /// The tables by number.
    pub tables: Vec<PublicTable>,
    /// The player without an opponent.
    pub bye: Option<PlayerView>,
}

/// One table of a public round.
#[derive(Clone, Debug, PartialEq)]
pub struct PublicTable {
    /// Its number.
    pub table: TableNo,
    /// White.
    pub white: PlayerView,
    /// Black.
    pub black: PlayerView,
    /// The confirmed result, e.g. `1-0`.
    pub result: Option<String>,
}
