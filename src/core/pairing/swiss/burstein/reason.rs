//! Why a pair of the Burstein system is as it is.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    pairing::swiss::{ColourRule, Passed, explain},
    types::PlayerNo,
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
    /// Who of the two came down from a higher scoregroup, where he could not be paired (C5, C6).
    pub floated: Vec<PlayerNo>,
    /// Opponents for the upper who are ranked below the lower and were free.
    pub passed: Vec<Passed>,
    /// The rule that gave the colours.
    pub colour: ColourRule,
}

impl fmt::Display for BursteinReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { upper, lower, .. } = self;
        write!(
            f,
            "Of {} in the bracket {upper} is number {} by the opposition met (Buchholz {}, \
             Sonneborn-Berger {}) and meets the lowest whom he can: {lower}, number {}",
            self.members,
            self.rank,
            f64::from(self.buchholz_halves) / 2.0,
            f64::from(self.berger_quarters) / 4.0,
            self.lower_rank
        )?;
        if !self.passed.is_empty() {
            f.write_str(", after ")?;
            explain::passed(f, &self.passed)?;
        }
        f.write_str(".")?;
        for player in &self.floated {
            write!(
                f,
                " {player} came down: above, not everybody could be paired."
            )?;
        }
        write!(f, " {}", explain::colour(self.colour))
    }
}
