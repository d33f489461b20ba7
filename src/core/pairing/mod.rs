//! One module a pairing system. Stands alone: knows players by number, the history and the
//! settings, nothing of names, tables of the hall or the hub.
//!
//! A system is a value of [`System`]; the hub asks it for a [`RoundPairing`] when a round closes.
//! The outcome does not depend on the order in which entrants or history are given.

use serde::{Deserialize, Serialize};

use crate::types::{Color, PlayerNo, RoundNo};

pub mod berger;
pub mod check;
mod error;
mod explanation;
mod format_error;
mod format_reason;
mod input;
pub mod knock_out;
pub mod lot;
pub mod matches;
pub mod matching;
pub mod repair;
pub mod restriction;
mod schedule;
pub mod scheveningen;
pub mod swiss;
pub mod team;
mod unpaired;
pub mod varma;
pub mod words;

pub use berger::RoundRobin;
pub use error::{Hindrance, PairingError};
pub use explanation::Explanation;
pub use format_error::FormatError;
pub use format_reason::{FormatReason, LotColour, TeamColourRule, UpfloatSystem, Upfloater};
pub(crate) use input::entrants;
pub use input::{
    Acceleration, Entrant, FixedPair, Forbidden, Input, PlayedGame, PlayedRound, Presence, Scoring,
    Settings, UnpairedKind, UnpairedScore, VirtualPoints,
};
pub use knock_out::KnockOut;
pub use matches::{Match, MatchTournament};
pub use scheveningen::Scheveningen;

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
    /// Knock-out: he has lost and plays for no further place.
    KnockedOut {
        /// The stage in which he lost, from 1.
        stage: u16,
        /// The best of the places that he shares with the others who lost there.
        place: u16,
    },
    /// Knock-out: nobody stands against him in this stage, he goes on without a game.
    GoesOn {
        /// The stage, from 1.
        stage: u16,
    },
    /// Knock-out with every place played for: his place is settled.
    PlaceSettled {
        /// The place.
        place: u16,
    },
    /// His match of several games is decided before its last game.
    MatchDecided {
        /// The opponent.
        opponent: PlayerNo,
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
