//! Why a pair of the Burstein system is as it is.

use serde::{Deserialize, Serialize};

use crate::{
    pairing::swiss::{ColourRule, Passed},
    types::{PlayerNo, Points},
};

/// Why a pair is as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BursteinReason {
    /// The higher ranked of the two by index.
    pub upper: PlayerNo,
    /// His rank in the bracket, from 1.
    pub rank: usize,
    /// His Buchholz, in half points.
    pub buchholz_halves: u32,
    /// His Sonneborn-Berger, in quarter points.
    pub berger_quarters: u32,
    /// The lower ranked.
    pub lower: PlayerNo,
    /// His rank in the bracket.
    pub lower_rank: usize,
    /// How many the bracket has.
    pub members: usize,
    /// Who of the two came down from the bracket above.
    #[serde(default)]
    pub came_down: Vec<BursteinFloat>,
    /// Opponents for the upper who are ranked below the lower and were free.
    pub passed: Vec<Passed>,
    /// The rule that gave the colours.
    pub colour: ColourRule,
}

/// Why somebody was left over in a bracket (C5 to C8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BursteinFloat {
    /// Who.
    pub player: PlayerNo,
    /// His score.
    pub score: Points,
    /// How many that bracket left over.
    pub left: usize,
    /// How many it had.
    pub members: usize,
    /// Why he.
    pub cause: FloatedDown,
}

/// Why he and not another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FloatedDown {
    /// Nobody in the bracket may meet him.
    NoOpponent,
    /// His score is the lowest there, and the order of pairings leaves him over.
    LowestScore,
    /// Somebody with a lower score stays, because the criteria are better so.
    Criteria,
}
