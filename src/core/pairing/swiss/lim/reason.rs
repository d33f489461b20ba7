//! Why a pair of the Lim system is as it is.

use serde::{Deserialize, Serialize};

use crate::{
    pairing::swiss::Passed,
    types::{Color, PlayerNo, Points},
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimFloat {
    /// Who.
    pub player: PlayerNo,
    /// His score.
    pub from: Points,
    /// Why.
    pub cause: FloatCause,
    /// The colour that most of the group were due and he too, where that spoke for him (3.2.2).
    #[serde(default, with = "crate::types::color::option")]
    pub majority: Option<Color>,
    /// Who came before him in the order of preference, but could not be spared; the first few.
    #[serde(default)]
    pub passed: Vec<PlayerNo>,
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
