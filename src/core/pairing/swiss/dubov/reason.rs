//! Why a pair of the Dubov system is as it is.

use serde::{Deserialize, Serialize};

use crate::{
    pairing::swiss::{ColourRule, Passed},
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
    /// The last of these before him, and what speaks against each.
    #[serde(default)]
    pub over: Vec<PassedUpfloat>,
}

/// Somebody who came before an upfloater in the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassedUpfloat {
    /// Who.
    pub player: PlayerNo,
    /// What speaks against him.
    pub why: UpfloatObstacle,
}

/// What speaks against taking somebody up rather than the one who was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UpfloatObstacle {
    /// Nobody in the scoregroup may meet him.
    NoOpponent,
    /// He seeks the other colour (C7).
    Colour,
    /// He has floated up the most times already (C8).
    Maximum,
    /// He has floated up more often (C9).
    MoreOften,
    /// He floated up in the last round (C10).
    LastRound,
    /// He is as good, but the other pairs would be worse or impossible.
    Others,
}
