//! Corrections of a clock that an arbiter has ordered, in the journal.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{BySide, Times};
use crate::{clock::Change, protocol::ClockCommandOutcome, types::millis};

/// How a correction gets to the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// The hub sends it.
    Sent,
    /// An arbiter sets it by hand.
    Card,
}

/// What is to be corrected, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CorrectionOrder {
    /// The times.
    pub change: Change,
    /// What the move counters must show then, moves made, where the record knows them.
    pub moves: BySide<Option<u16>>,
    /// Why.
    pub why: String,
    /// The decision that it carries out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<u64>,
    /// What the clock showed.
    pub shown: Times,
    /// The clock stood, so that what it must show is known to the second.
    pub stood: bool,
    /// How it gets there.
    pub way: Way,
    /// Who ordered it.
    pub by: String,
}

/// Something about an ordered correction. An order's number is the event's `seq`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum CorrectionFact {
    /// Ordered.
    Ordered(CorrectionOrder),
    /// The clock stands: it must show these times with the change.
    Stood {
        /// The order.
        order: u64,
        /// What it shows.
        #[serde(flatten)]
        shown: Times,
    },
    /// It runs on without the correction, or without all of it.
    RunsOn {
        /// The order.
        order: u64,
        /// What is still to be changed.
        left: Change,
    },
    /// The clock answered what was sent. Done is not yet shown.
    Answered {
        /// The order.
        order: u64,
        /// How.
        outcome: ClockCommandOutcome,
    },
    /// The clock shows it.
    Done {
        /// The order.
        order: u64,
        /// How long it took from the order on.
        #[serde(with = "millis", rename = "took_ms")]
        took: Duration,
        /// What it shows.
        #[serde(flatten)]
        shown: Times,
    },
    /// It is not wanted any more.
    Cancelled {
        /// The order.
        order: u64,
        /// By whom; `hub` when the game ended before.
        by: String,
    },
}
