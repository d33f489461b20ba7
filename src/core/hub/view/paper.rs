//! What is printed for the tables.

use crate::types::{PlayerNo, RoundNo, TableNo};

/// The tables of the current round, for cards and slips.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaperView {
    /// The event's name.
    pub event: String,
    /// The time control as written in the set-up; empty without clocks.
    pub time_control: String,
    /// The round; `None` before the first pairing.
    pub round: Option<RoundNo>,
    /// It is public.
    pub published: bool,
    /// Its tables by number.
    pub tables: Vec<PaperTable>,
}

/// One table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaperTable {
    /// Its number.
    pub table: TableNo,
    /// White.
    pub white: PaperPlayer,
    /// Black.
    pub black: PaperPlayer,
}

/// A player as his card shows him.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaperPlayer {
    /// Pairing number.
    pub no: PlayerNo,
    /// Name.
    pub name: String,
    /// Federation by the code of FIDE, e.g. `UKR`.
    pub federation: Option<String>,
    /// Rating.
    pub rating: Option<u16>,
}
