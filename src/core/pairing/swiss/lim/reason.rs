//! Why a pair of the Lim system is as it is.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    pairing::swiss::{Passed, explain},
    types::{PlayerNo, Points},
};

/// Why a pair is as it is. Opponents were sought for the first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimReason {
    /// The score of the group in which they were paired.
    pub score: Points,
    /// For whom an opponent was sought.
    pub first: PlayerNo,
    /// The opponent.
    pub second: PlayerNo,
    /// How he was found.
    pub found: Found,
    /// Opponents who came earlier in the order.
    pub passed: Vec<Passed>,
    /// Floaters among the two.
    pub floats: Vec<LimFloat>,
    /// What gave the colours.
    pub colour: LimColour,
}

/// How an opponent was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Found {
    /// The first is a floater and has the choice (3.8).
    Floater,
    /// By scrutiny (2.4, 4.2).
    Scrutiny {
        /// The number of the first in the group, from the side on which scrutiny begins, from 1.
        number: usize,
        /// Whom the proposal gave him, when the first is in the leading half.
        proposed: Option<PlayerNo>,
    },
    /// By an exchange that gives more players the colours they are due (5.2).
    ColourExchange {
        /// Whom he had before the exchange.
        before: PlayerNo,
    },
}

/// Why somebody left his scoregroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimFloat {
    /// Who.
    pub player: PlayerNo,
    /// His score.
    pub from: Points,
    /// Why.
    pub cause: FloatCause,
}

/// Why somebody left a scoregroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FloatCause {
    /// Nobody there is compatible with him (2.3.1 to 2.3.3).
    NoOpponent,
    /// To make the number even (2.3.4, 3.2).
    EvenMaker,
    /// So that the others can all be paired (4.4).
    Others,
    /// His pair was taken apart for the median group (2.6).
    Unpaired,
}

/// What gave a pair its colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LimColour {
    /// Each gets what he is due (5.5, 5.6).
    Granted,
    /// One of them must not have the other colour (5.3).
    Forced,
    /// The other way round than in the last round in which they differed (5.4).
    LastDifference,
    /// Equal histories in the median or above: the higher ranked (5.4).
    HigherRanked,
    /// Equal histories below the median: the lower ranked (5.4).
    LowerRanked,
    /// By lot and number (7).
    Lot,
}

impl fmt::Display for LimReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, second, .. } = self;
        write!(f, "Scoregroup {}: ", self.score.decimal())?;
        match self.found {
            Found::Floater => write!(
                f,
                "{first} is a floater and gets the first compatible opponent who is due the other \
                 colour, {second} (3.8)"
            )?,
            Found::Scrutiny { number, proposed } if proposed == Some(*second) => {
                write!(
                    f,
                    "{second} was proposed for {first}, number {number} (2.4)"
                )?;
            }
            Found::Scrutiny { number, .. } => write!(
                f,
                "scrutiny finds {second} for {first}, number {number} (4.2)"
            )?,
            Found::ColourExchange { before } => write!(
                f,
                "{first} had {before}; an exchange for {second} gives more players the colour they \
                 are due (5.2)"
            )?,
        }
        if !self.passed.is_empty() {
            f.write_str(", after ")?;
            explain::passed(f, &self.passed)?;
        }
        f.write_str(".")?;
        for float in &self.floats {
            let why = match float.cause {
                FloatCause::NoOpponent => "nobody there is compatible with him (2.3)",
                FloatCause::EvenMaker => "the number there was odd (3.2)",
                FloatCause::Others => "without him the others could be paired (4.4)",
                FloatCause::Unpaired => "the median group needed opponents (2.6)",
            };
            write!(
                f,
                " {} comes from {}: {why}.",
                float.player,
                float.from.decimal()
            )?;
        }
        f.write_str(match self.colour {
            LimColour::Granted => " Colours: as they are due (5.5, 5.6).",
            LimColour::Forced => " Colours: one of them must not have the other colour (5.3).",
            LimColour::LastDifference => {
                " Colours: the other way round than when they last differed (5.4)."
            }
            LimColour::HigherRanked => " Colours: the higher ranked gets what he is due (5.4).",
            LimColour::LowerRanked => {
                " Colours: below the median the lower ranked gets what he is due (5.4)."
            }
            LimColour::Lot => " Colours: by lot and number (7).",
        })
    }
}
