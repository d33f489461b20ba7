//! What the hub proposes, and how that ends.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{
    chess::IllegalReason,
    clock::Times,
    tournament::{GameResult, Termination},
    types::{Color, PlayerNo, color, millis},
};

/// A completed move that the rules forbid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IllegalClaim {
    /// The half move that was to be made, from 1.
    pub ply: u16,
    /// Who moved.
    #[serde(with = "color")]
    pub side: Color,
    /// From and to square, e.g. `a1a4`.
    pub offending: String,
    /// The last legal position, FEN.
    pub before: String,
    /// What stands on the board: first field of a FEN.
    pub seen: String,
    /// Why the rules forbid it.
    pub reasons: Vec<IllegalReason>,
    /// The times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<Times>,
}

/// What the hub proposes, with its evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// What.
    #[serde(flatten)]
    pub proposed: Proposed,
    /// The position before what was seen (R-RS-4), FEN.
    pub position: String,
    /// What stands on the board, when it matters: first field of a FEN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<String>,
    /// The times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<Times>,
    /// What was seen, in words.
    pub text: String,
}

/// What is proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Proposed {
    /// This result.
    Result {
        /// The result.
        result: GameResult,
        /// How the game ended.
        termination: Termination,
    },
    /// To record an illegal move (R-RS-6).
    IllegalMove {
        /// Whose.
        #[serde(with = "color")]
        side: Color,
    },
    /// A forfeit, since a player did not come (R-CD-4).
    Forfeit {
        /// The result.
        result: GameResult,
    },
    /// To record a move with the wrong hand, or with both (R-RS-7).
    HandViolation {
        /// Whose.
        #[serde(with = "color")]
        side: Color,
    },
    /// Time for the opponent of who made an illegal move (R-RS-6).
    Penalty {
        /// Who made it.
        #[serde(with = "color")]
        side: Color,
        /// What the opponent gets.
        #[serde(with = "millis", rename = "bonus_ms")]
        bonus: Duration,
    },
    /// A player is out of the event (R-RS-8).
    Disqualify {
        /// Who.
        player: PlayerNo,
    },
}

/// How a proposal ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Accepted.
    Accepted,
    /// Rejected.
    Rejected,
    /// No longer of use.
    Overtaken,
}

/// What a result rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResultSource {
    /// The pieces: kings in the centre, mate, a dead position.
    Board,
    /// The clock: a flag.
    Clock,
    /// The hub's count: default time, illegal moves.
    Hub,
    /// An arbiter's word.
    Arbiter,
}
