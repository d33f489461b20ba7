//! Why the pairing is as it is (R-PR-4).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{
    FormatReason,
    swiss::{
        ColourRule,
        dutch::{DutchBye, DutchPair},
    },
};

/// The rule that decided, as data; `Display` makes it a sentence.
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
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Berger {
                size,
                table_round,
                cycle,
                white,
                black,
            } => {
                write!(
                    f,
                    "The Berger table for {} or {size} players pairs {white} (White) with {black} \
                     (Black) in its round {table_round}",
                    size - 1
                )?;
                if *cycle > 1 {
                    write!(f, "; this is cycle {cycle}")?;
                    if cycle % 2 == 0 {
                        f.write_str(", with the colours reversed")?;
                    }
                }
                f.write_str(".")
            }
            Self::BergerRest {
                size,
                table_round,
                number,
            } => write!(
                f,
                "The number of players is odd: in round {table_round} of the Berger table for {} \
                 or {size} players, {number} meets {size}, which nobody has, and rests.",
                size - 1
            ),
            Self::Format(reason) => reason.fmt(f),
            Self::DutchPair(why) => why.fmt(f),
            Self::DutchBye(why) => why.fmt(f),
            Self::Fixed { .. } => f.write_str("The arbiter set this pair and its colours."),
        }
    }
}
