//! The FIDE (Dutch) system, C.04.3, by the text of 2026 or of 2017.
//!
//! A round is paired bracket by bracket from the top. Within a bracket the quality criteria are the
//! digits of one cost, a matching of least cost gives what can be reached, and the first candidate
//! that reaches it is found by asking for the partners one after the other. Each bracket is first
//! looked at alone; only where the next bracket or the completion could object, more of the field
//! comes in.

mod candidate;
mod colours;
mod explain;
mod facts;
mod problem;
mod roster;
mod round;

use serde::{Deserialize, Serialize};

pub use explain::{
    BracketFacts, DutchBye, DutchPair, FloatFacts, FloatReason, How, Instead, Quality, Side,
    SkipReason, Skipped, Tried, Unavoidable,
};

use super::{ByeBar, Field, FloatRule};
use crate::pairing::{Explanation, Input, PairingError, RoundPairing, System};

/// Which text of C.04.3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rules {
    /// In force since 1 February 2026.
    #[default]
    #[serde(rename = "2026")]
    Fide2026,
    /// In force until 31 January 2026.
    #[serde(rename = "2017")]
    Fide2017,
}

impl Rules {
    const fn float_rule(self) -> FloatRule {
        match self {
            Self::Fide2026 => FloatRule::Rewarded,
            Self::Fide2017 => FloatRule::AnyUnplayed,
        }
    }

    const fn bye_bar(self) -> ByeBar {
        match self {
            Self::Fide2026 => ByeBar::WinUnplayed,
            Self::Fide2017 => ByeBar::ForfeitWin,
        }
    }
}

/// The FIDE (Dutch) system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dutch {
    /// The text.
    pub rules: Rules,
}

impl Dutch {
    /// By the text in force.
    pub const FIDE_2026: Self = Self {
        rules: Rules::Fide2026,
    };
    /// By the text of 2017.
    pub const FIDE_2017: Self = Self {
        rules: Rules::Fide2017,
    };
}

impl System for Dutch {
    fn name(&self) -> &'static str {
        match self.rules {
            Rules::Fide2026 => "dutch",
            Rules::Fide2017 => "dutch-2017",
        }
    }

    fn rounds(&self, _entrants: usize) -> Option<u16> {
        None
    }

    fn pair(&self, input: &Input) -> Result<RoundPairing, PairingError> {
        let field = Field::new(input)?;
        let paired = round::pair(&field, self.rules)?;
        let pairs = paired
            .pairs
            .into_iter()
            .map(|(white, black, why)| (white, black, Explanation::DutchPair(Box::new(why))))
            .collect();
        let bye = paired
            .bye
            .map(|(player, why)| (player, Explanation::DutchBye(Box::new(why))));
        Ok(field.finish(pairs, bye))
    }
}
