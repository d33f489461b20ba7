//! One module a pairing system. Stands alone: knows players by number, the history and the
//! settings, nothing of names, tables of the hall or the hub.
//!
//! A system is a value of [`System`]; the hub asks it for a [`RoundPairing`] when a round closes.
//! The outcome does not depend on the order in which entrants or history are given.

use serde::{Deserialize, Serialize};

use crate::types::{Color, PlayerNo, RoundNo};

pub mod berger;
mod error;
mod explanation;
mod input;
pub mod matching;
pub mod swiss;
pub mod words;

pub use berger::RoundRobin;
pub use error::PairingError;
pub use explanation::Explanation;
pub(crate) use input::entrants;
pub use input::{
    Acceleration, Entrant, FixedPair, Forbidden, Input, PlayedGame, PlayedRound, Presence, Scoring,
    Settings, UnpairedKind, UnpairedScore, VirtualPoints,
};

/// A pairing system.
pub trait System: Send + Sync {
    /// The name in settings and files, e.g. `round-robin`.
    fn name(&self) -> &'static str;

    /// How many rounds the system needs for this number of entrants; `None` when the event is free
    /// to choose.
    fn rounds(&self, entrants: usize) -> Option<u16>;

    /// Pairs the round that `input` asks for.
    ///
    /// # Errors
    /// When the input contradicts itself or no pairing exists; the message says what to do.
    fn pair(&self, input: &Input) -> Result<RoundPairing, PairingError>;
}

/// A paired round: a draft until somebody publishes it. Every entrant is in it exactly once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundPairing {
    /// The round.
    pub round: RoundNo,
    /// The pairs, in the order of their boards.
    pub pairs: Vec<Pair>,
    /// The odd man out.
    pub bye: Option<Allocated>,
    /// Everybody else, with the reason.
    pub unpaired: Vec<Unpaired>,
}

/// Two players and their board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    /// The board within the section, from 1.
    pub board: u16,
    /// Who has White.
    pub white: PlayerNo,
    /// Who has Black.
    pub black: PlayerNo,
    /// Why these two, and why these colours (R-PR-4).
    pub explanation: Explanation,
}

/// The bye that the pairing gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allocated {
    /// Who.
    pub player: PlayerNo,
    /// Which kind.
    pub kind: ByeKind,
    /// Why he.
    pub explanation: Explanation,
}

/// Which bye a pairing gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ByeKind {
    /// The pairing-allocated bye of a Swiss: the points of a win (C.04.1.3).
    PairingAllocated,
    /// Rest in a round robin with an odd number: no points.
    Rest,
}

/// A player whom the round leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unpaired {
    /// Who.
    pub player: PlayerNo,
    /// Why.
    pub reason: UnpairedReason,
}

/// Why a player is not paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum UnpairedReason {
    /// He misses this round.
    Absent {
        /// His opponent by the table, when the system knows him.
        opponent: Option<Missed>,
    },
    /// He left the event.
    Withdrawn {
        /// His opponent by the table, when the system knows him.
        opponent: Option<Missed>,
    },
    /// He is there, but the opponent whom the table gives him is not.
    OpponentMissing {
        /// The opponent and the colours of the pair that does not take place.
        opponent: Missed,
    },
}

/// The other half of a pair that does not take place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missed {
    /// The opponent.
    pub player: PlayerNo,
    /// The colour that the unpaired player would have had.
    #[serde(with = "crate::types::color")]
    pub own_colour: Color,
}
