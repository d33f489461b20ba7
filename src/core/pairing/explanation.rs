//! Why the pairing is as it is (R-PR-4).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{
    FormatReason,
    swiss::{
        ByeReason, ColourRule,
        burstein::BursteinReason,
        dubov::DubovReason,
        dutch::{DutchBye, DutchPair},
        lim::LimReason,
    },
    words::{self, Language},
};

/// The rule that decided, as data; `Display` makes it an English sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "rule")]
#[non_exhaustive]
pub enum Explanation {
    /// The Berger table gives this pair (R-PR-6).
    Berger {
        /// The size of the table, even.
        size: u16,
        /// The round of the table.
        table_round: u16,
        /// The cycle, from 1; even cycles have the colours reversed.
        cycle: u16,
        /// White's number in the table.
        white: u16,
        /// Black's number in the table.
        black: u16,
    },
    /// The Berger table gives the highest number, which nobody has.
    BergerRest {
        /// The size of the table, even.
        size: u16,
        /// The round of the table.
        table_round: u16,
        /// The number of the player who rests.
        number: u16,
    },
    /// What is special to a format: a side, a bracket, a match, teams, a repair.
    Format(FormatReason),
    /// A pair of the FIDE (Dutch) system.
    DutchPair(Box<DutchPair>),
    /// The bye of the FIDE (Dutch) system.
    DutchBye(Box<DutchBye>),
    /// An arbiter set this pair.
    Fixed {
        /// Who set the colours: the arbiter too.
        colour: ColourRule,
    },
    /// The bye of a system that gives it before anything else.
    ByeFirst(Box<ByeReason>),
    /// A pair of the Dubov system.
    Dubov(Box<DubovReason>),
    /// A pair of the Burstein system.
    Burstein(Box<BursteinReason>),
    /// A pair of the Lim system.
    Lim(Box<LimReason>),
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&words::explain(self, Language::English))
    }
}
