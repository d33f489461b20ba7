//! Why a pair of the Dubov system is as it is.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    pairing::swiss::{ColourRule, Passed, explain},
    types::{PlayerNo, Points},
};

/// Why a pair is as it is. "First" is the player of the half that is ordered by the mean rating of
/// the opponents (S1), "second" the one who was assigned to him (T2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DubovReason {
    /// The score of the bracket.
    pub score: Points,
    /// The first player.
    pub first: PlayerNo,
    /// His number in S1, from 1.
    pub number: usize,
    /// The mean rating of his opponents, 0 without games.
    pub opponents_rating: u32,
    /// The second player.
    pub second: PlayerNo,
    /// How the first came into his half.
    pub first_half: Half,
    /// How the second came into his half.
    pub second_half: Half,
    /// Upfloaters among the two.
    pub upfloats: Vec<UpfloatReason>,
    /// Opponents for the first who come before the second in the order of numbers.
    pub passed: Vec<Passed>,
    /// The rule that gave the colours.
    pub colour: ColourRule,
}

/// How somebody came into his half of the bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Half {
    /// By the colour that he seeks (3.2.3).
    Colour,
    /// Nobody in the bracket has played: by his number (3.2.3).
    Number,
    /// He was moved across to make the halves pairable or equal (3.2.4).
    Shifted,
}

/// Why somebody was taken up into the bracket (C5 to C10, 4.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UpfloatReason {
    /// Who.
    pub player: PlayerNo,
    /// His own score.
    pub score: Points,
    /// How many had to be taken up.
    pub needed: usize,
    /// How many came before him in the order and were left where they are.
    pub passed: usize,
}

impl fmt::Display for DubovReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, second, .. } = self;
        write!(
            f,
            "Scoregroup {}: {first} is number {} of the first half by the mean rating of the \
             opponents ({}); {second} is ",
            self.score.decimal(),
            self.number,
            self.opponents_rating,
        )?;
        f.write_str(if self.passed.is_empty() {
            "the first in the order of the numbers who is free for him"
        } else {
            "the first who is free for him after "
        })?;
        explain::passed(f, &self.passed)?;
        f.write_str(".")?;
        for (player, half) in [(first, self.first_half), (second, self.second_half)] {
            match half {
                Half::Colour => {}
                Half::Number => {
                    write!(
                        f,
                        " Nobody here has played: {player} is in his half by number."
                    )?;
                }
                Half::Shifted => write!(
                    f,
                    " {player} was moved across, so that the halves are equal and can be paired."
                )?,
            }
        }
        for upfloat in &self.upfloats {
            write!(
                f,
                " {} comes up from {}: the scoregroup needs {} from below, and ",
                upfloat.player,
                upfloat.score.decimal(),
                upfloat.needed
            )?;
            match upfloat.passed {
                0 => f.write_str("he is the first in the order.")?,
                passed => write!(
                    f,
                    "the {passed} before him would have made the bracket worse or impossible."
                )?,
            }
        }
        write!(f, " {}", explain::colour(self.colour))
    }
}
