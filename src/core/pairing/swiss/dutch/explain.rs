//! Why a pair, a float, a bye is as it is: facts for a sentence in any language, and the English one.

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

/// The criteria that count players.
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

impl fmt::Display for DutchPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bracket = &self.bracket;
        write!(
            f,
            "Bracket {} ({} points, {} players, {} pairs)",
            bracket.number, bracket.score, bracket.players, bracket.pairs
        )?;
        match self.how {
            How::Proposed => f.write_str(": the first candidate pairs them (article 3).")?,
            How::Transposed { proposed } => write!(
                f,
                ": {} was to meet {proposed} first; a transposition (4.2) gives this pair.",
                self.upper
            )?,
            How::Exchanged { players } => write!(
                f,
                ": it takes an exchange between the halves of {players} for {players} (4.3)."
            )?,
        }
        for skipped in &self.skipped {
            let reason = match skipped.reason {
                SkipReason::Met => "they have met (C1)",
                SkipReason::Forbidden => "they must not meet in this round",
                SkipReason::SameColour => "both must have the same colour (C3)",
                SkipReason::Worse => "the pairing would come out worse",
            };
            write!(f, " Not {}: {reason}.", skipped.opponent)?;
        }
        for (name, side) in [("White", &self.white), ("Black", &self.black)] {
            if let Some(float) = &side.float {
                write!(f, " {name} {float}.")?;
            }
        }
        f.write_str(match self.colour {
            ColourRule::BothGranted => " Colours: as they are due (5.2.1).",
            ColourRule::Stronger => " Colours: the stronger preference wins (5.2.2).",
            ColourRule::LargerDifference => " Colours: the larger colour difference wins (5.2.2).",
            ColourRule::LastDifference => {
                " Colours: the other way round than when they last differed (5.2.3)."
            }
            ColourRule::HigherRanked => " Colours: the higher ranked gets what he is due (5.2.4).",
            ColourRule::InitialColour => " Colours: by the lot and the number (5.2.5).",
            ColourRule::Fixed => " Colours: set by the arbiter.",
        })?;
        let mut broken = bracket.unavoidable.iter();
        if let Some(first) = broken.next() {
            let article = |one: &Unavoidable| one.quality.article(bracket.rules);
            write!(
                f,
                " The bracket cannot avoid {}: {}",
                article(first),
                first.times
            )?;
            for one in broken {
                write!(f, ", {}: {}", article(one), one.times)?;
            }
            f.write_str(".")?;
        }
        Ok(())
    }
}

impl fmt::Display for FloatFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "comes down from bracket {}, which {} of {} players leave: ",
            self.bracket, self.downfloaters, self.players
        )?;
        f.write_str(match self.reason {
            FloatReason::NoOpponent => "nobody there may meet him",
            FloatReason::Last => "he is the last in order",
            FloatReason::Criteria => "the criteria choose him",
        })
    }
}

impl fmt::Display for DutchBye {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "The number of players is odd: the bye goes to the lowest score that allows it, {} \
             points",
            self.score
        )?;
        for (numbers, why) in [
            (&self.barred, "may not have it (C2)"),
            (&self.needed, "cannot be spared by the others (C4)"),
        ] {
            if let Some((first, rest)) = numbers.split_first() {
                write!(f, "; {first}")?;
                for no in rest {
                    write!(f, ", {no}")?;
                }
                write!(f, " {why}")?;
            }
        }
        if let Some(float) = &self.float {
            write!(f, "; he {float}")?;
        }
        write!(f, ". He missed {} rounds.", self.missed)
    }
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
