//! What players and arbiters claim, and protests, in the journal.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::types::{Color, PlayerNo, color};

/// What is claimed at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ClaimKind {
    /// An illegal move (R-RS-6).
    IllegalMove,
    /// The position has stood three times (9.2 of the Laws).
    Threefold,
    /// Fifty moves without a capture or a pawn move (9.3 of the Laws).
    FiftyMoves,
    /// The flag has fallen.
    Flag,
    /// A move with the wrong hand, or with both (R-RS-7).
    WrongHand,
    /// The pieces stand reversed, or the players sit with each other's colours (R-PR-11).
    WrongColours,
    /// A telephone or another electronic device (R-RS-8).
    ElectronicDevice,
    /// Unfair play (R-RS-8).
    UnfairPlay,
    /// Something else.
    Other,
}

impl ClaimKind {
    /// Somebody did something, and the claim must say who.
    pub const fn accuses(self) -> bool {
        matches!(
            self,
            Self::IllegalMove | Self::WrongHand | Self::ElectronicDevice | Self::UnfairPlay
        )
    }
}

/// Where a claim came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimSource {
    /// A button of the clock.
    Clock,
    /// An arbiter entered it.
    Arbiter,
}

/// A claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// What.
    pub what: ClaimKind,
    /// Whom it is about: who is said to have done it, or for a draw and a flag the opponent of who claims;
    /// absent when that is not known.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "color::option"
    )]
    pub against: Option<Color>,
    /// Half moves recorded then.
    pub ply: u16,
    /// From where.
    pub source: ClaimSource,
    /// In words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Who entered it; the device for a clock.
    pub by: String,
}

/// How a protest ended (R-RS-11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The committee agreed with it: the deposit goes back.
    Upheld,
    /// The committee did not.
    Rejected,
    /// Taken back by whoever handed it in.
    Withdrawn,
}

/// Something about a protest. Its number is the `seq` of its filing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum ProtestFact {
    /// Handed in.
    Filed {
        /// Whose; absent for a team or an organiser.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        player: Option<PlayerNo>,
        /// Against what.
        text: String,
        /// Until when it is to be decided.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        due_at: Option<Timestamp>,
        /// Who recorded it.
        by: String,
    },
    /// Decided.
    Decided {
        /// The protest.
        protest: u64,
        /// How.
        outcome: Outcome,
        /// The deposit was given back.
        deposit_returned: bool,
        /// Why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
        /// Who recorded it.
        by: String,
    },
}
