//! Why a pair, a float, a bye is as it is: facts for a sentence in any language.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Rules;
use crate::{
    pairing::swiss::{ColourRule, Preference},
    types::{Color, PlayerNo, Points},
};

/// Why two players meet, and with these colours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DutchPair {
    /// The bracket in which they were paired.
    pub bracket: BracketFacts,
    /// The one of the two who is in the upper half (S1): partners are sought for him.
    pub upper: PlayerNo,
    /// How the pair came about.
    pub how: How,
    /// Whom he would have met before, and why not; the first few.
    pub skipped: Vec<Skipped>,
    /// The rule that gave the colours.
    pub colour: ColourRule,
    /// White.
    pub white: Side,
    /// Black.
    pub black: Side,
}

/// One of the two.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    /// The pairing score.
    pub score: Points,
    /// The colour he was due.
    pub due: Preference,
    /// How he came down into the bracket.
    pub float: Option<FloatFacts>,
}

/// A bracket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BracketFacts {
    /// From the top, from 1.
    pub number: u16,
    /// The text by which it was paired.
    pub rules: Rules,
    /// The score of its residents, of the best of them in a collapsed bracket.
    pub score: Points,
    /// Its players.
    pub players: u16,
    /// How many of them were moved down into it.
    pub moved: u16,
    /// Its pairs.
    pub pairs: u16,
    /// What it could not avoid, the most important first.
    pub unavoidable: Vec<Unavoidable>,
}

/// A criterion that could not be met in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unavoidable {
    /// Which.
    pub quality: Quality,
    /// How often it is broken in the bracket.
    pub times: u16,
}

/// The criteria, those that count players first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quality {
    /// Downfloaters.
    Downfloaters,
    /// Topscorers or their opponents with a colour difference above two.
    Imbalance,
    /// Topscorers or their opponents with a third equal colour running.
    ThirdColour,
    /// Players without the colour that they are due.
    Preference,
    /// Players without the colour that they are strongly due.
    StrongPreference,
    /// Downfloats like last round.
    DownLastRound,
    /// Upfloats like last round.
    UpLastRound,
    /// Downfloats like two rounds ago.
    DownTwoAgo,
    /// Upfloats like two rounds ago.
    UpTwoAgo,
    /// The scores of the downfloaters, in 2017 the score differences.
    Scores,
    /// What the next bracket can make of it.
    NextBracket,
    /// Games that the player with the bye has missed.
    MissedGames,
    /// Score differences of those who float down like last round.
    DownDifference,
    /// Score differences of those who float up like last round.
    UpDifference,
    /// Score differences of those who float down like two rounds ago.
    DownDifferenceTwoAgo,
    /// Score differences of those who float up like two rounds ago.
    UpDifferenceTwoAgo,
}

impl Quality {
    /// The number of the criterion in the text.
    pub const fn article(self, rules: Rules) -> &'static str {
        match (rules, self) {
            (Rules::Fide2026, Self::Downfloaters) => "C6",
            (Rules::Fide2026, Self::Imbalance) => "C10",
            (Rules::Fide2026, Self::ThirdColour) => "C11",
            (Rules::Fide2026, Self::Preference) => "C12",
            (Rules::Fide2026, Self::StrongPreference) => "C13",
            (Rules::Fide2026, Self::DownLastRound) => "C14",
            (Rules::Fide2026, Self::UpLastRound) => "C15",
            (Rules::Fide2026, Self::DownTwoAgo) => "C16",
            (Rules::Fide2026, Self::UpTwoAgo) => "C17",
            (Rules::Fide2026, Self::Scores) => "C7",
            (Rules::Fide2026, Self::NextBracket) => "C8",
            (Rules::Fide2026, Self::MissedGames) => "C9",
            (Rules::Fide2026, Self::DownDifference) => "C18",
            (Rules::Fide2026, Self::UpDifference) => "C19",
            (Rules::Fide2026, Self::DownDifferenceTwoAgo) => "C20",
            (Rules::Fide2026, Self::UpDifferenceTwoAgo) => "C21",
            (Rules::Fide2017, Self::Scores) => "C.6",
            (Rules::Fide2017, Self::NextBracket) => "C.7",
            // Nothing of the kind in that text, where it never decides.
            (Rules::Fide2017, Self::MissedGames) => "C.2",
            (Rules::Fide2017, Self::DownDifference) => "C.16",
            (Rules::Fide2017, Self::UpDifference) => "C.17",
            (Rules::Fide2017, Self::DownDifferenceTwoAgo) => "C.18",
            (Rules::Fide2017, Self::UpDifferenceTwoAgo) => "C.19",
            (Rules::Fide2017, Self::Downfloaters) => "C.5",
            (Rules::Fide2017, Self::Imbalance) => "C.8",
            (Rules::Fide2017, Self::ThirdColour) => "C.9",
            (Rules::Fide2017, Self::Preference) => "C.10",
            (Rules::Fide2017, Self::StrongPreference) => "C.11",
            (Rules::Fide2017, Self::DownLastRound) => "C.12",
            (Rules::Fide2017, Self::UpLastRound) => "C.13",
            (Rules::Fide2017, Self::DownTwoAgo) => "C.14",
            (Rules::Fide2017, Self::UpTwoAgo) => "C.15",
        }
    }
}

/// How a pair came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// As the first candidate has it (article 3).
    Proposed,
    /// By transposition of the lower half (4.2).
    Transposed {
        /// Whom the first candidate gave to the upper player.
        proposed: PlayerNo,
    },
    /// One of the two changed halves (4.3).
    Exchanged {
        /// How many players of the bracket left the upper half.
        players: u16,
    },
}

/// An opponent who came before in the order of generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Who.
    pub opponent: PlayerNo,
    /// Why not he.
    pub reason: SkipReason,
}

/// Why an opponent was passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SkipReason {
    /// They have met (C1).
    Met,
    /// They must not meet in this round.
    Forbidden,
    /// Both must have the same colour (C3).
    SameColour,
    /// The bracket, or what is below, would come out worse (C4 and after).
    Worse,
}

/// Why somebody was moved down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FloatFacts {
    /// The bracket that he left, from 1.
    pub bracket: u16,
    /// The players of that bracket.
    pub players: u16,
    /// How many left it.
    pub downfloaters: u16,
    /// Why he.
    pub reason: FloatReason,
    /// Who would sooner have gone, and what stood against it.
    #[serde(default)]
    pub instead: Option<Instead>,
}

/// Somebody who comes after a floater in the order and stays nevertheless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instead {
    /// Who: the last in the order of those who stay.
    pub player: PlayerNo,
    /// What comes of exchanging the two.
    pub tried: Tried,
}

/// What comes of an exchange of a floater for somebody after him.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Tried {
    /// The floater would get an opponent whom he must not meet.
    Opponent {
        /// Whom.
        opponent: PlayerNo,
        /// Why not.
        reason: SkipReason,
    },
    /// The other one cannot take his place further down.
    Below,
    /// The pairing is worse by a criterion.
    Worse {
        /// The first that differs.
        quality: Quality,
    },
    /// The pairing is as good by the criteria, but comes later in the order of generation.
    Later,
}

/// Why he and not another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FloatReason {
    /// Nobody in the bracket may meet him (C1, C3).
    NoOpponent,
    /// He is the last in order and nothing speaks against it.
    Last,
    /// The criteria choose him over players who come after him (C4 to C21).
    Criteria,
}

/// Why somebody has the bye.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DutchBye {
    /// The text.
    pub rules: Rules,
    /// His pairing score.
    pub score: Points,
    /// The rounds in which he did not play (C9).
    pub missed: u16,
    /// Ranked below him, but the bye is barred to them (C2).
    pub barred: Vec<PlayerNo>,
    /// With fewer points, but the rest could not be paired without them (C4, C5).
    pub needed: Vec<PlayerNo>,
    /// How he came down to it.
    pub float: Option<FloatFacts>,
}

/// The colour that a preference asks for, as a word.
impl fmt::Display for Preference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let strength = match self {
            Self::None => return f.write_str("none"),
            Self::Mild(_) => "mild",
            Self::Strong(_) => "strong",
            Self::Absolute(_) => "absolute",
        };
        let colour = match self.colour() {
            Some(Color::White) => "White",
            _ => "Black",
        };
        write!(f, "{strength} {colour}")
    }
}
