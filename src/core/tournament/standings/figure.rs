//! A figure with what it is made of.

use serde::Serialize;

use super::{Score, TieBreak, value::Value};
use crate::types::{PlayerNo, RoundNo};

/// The figure of one participant by one tie-break.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Figure {
    /// The figure; `None` where there is none, e.g. no opponent has a rating, or nobody is tied.
    pub value: Option<Value>,
    /// Its parts, by round.
    pub terms: Vec<Term>,
    /// How the parts make the figure.
    pub how: How,
}

impl Figure {
    /// For people: with the decimals that are usual, a place as `1.`, nothing as `–`.
    pub fn text(&self, tie_break: TieBreak) -> String {
        match self.value {
            None => "–".to_owned(),
            Some(place) if tie_break.is_place() => format!("{place}."),
            Some(value) => value.decimal(tie_break.decimals()),
        }
    }
}

/// A part of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Term {
    /// The round, where it is of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<RoundNo>,
    /// The opponent, where it is of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opponent: Option<PlayerNo>,
    /// What it brings.
    pub value: Value,
    /// Of a product: the opponent's score and what was won from him.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product: Option<[Value; 2]>,
    /// Where the number is from.
    pub from: From,
    /// Why it is left out of the figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<LeftOut>,
    /// A voluntary unplayed round (16.2).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub voluntary: bool,
}

impl Term {
    pub(super) const fn new(value: Value, from: From) -> Self {
        Self {
            round: None,
            opponent: None,
            value,
            product: None,
            from,
            left_out: None,
            voluntary: false,
        }
    }

    pub(super) const fn of_round(mut self, at: usize, opponent: Option<PlayerNo>) -> Self {
        self.round = Some(RoundNo(at as u16 + 1));
        self.opponent = opponent;
        self
    }

    /// What the opponent is worth, whatever was won from him.
    pub(super) const fn score(&self) -> Value {
        match self.product {
            Some([score, _]) => score,
            None => self.value,
        }
    }
}

/// Where the number of a term is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum From {
    /// The own result of the round.
    Result,
    /// The own result with the last round taken as drawn.
    LastRoundDrawn,
    /// A trailing bye, which opponents see as a draw (16.3).
    TrailingBye,
    /// The score after the round.
    RunningTotal,
    /// The final score of the opponent.
    OpponentScore,
    /// The same as opponents see it, where that differs from what he has (16.3).
    OpponentAdjusted {
        /// What he has.
        awarded: Value,
    },
    /// A dummy with the own score stands for the opponent of a round not played (16.4).
    Dummy,
    /// The dummy may not have more than the opponent who was to be (16.4).
    DummyAsOpponent {
        /// The own score.
        own: Value,
    },
    /// The dummy may not have more than draws in all rounds (16.4).
    DummyAsDraws {
        /// The own score.
        own: Value,
    },
    /// The rating of the opponent.
    Rating,
    /// The opponent has no rating.
    NoRating,
    /// The rating that the event gives to who has none.
    AssignedRating,
    /// The figure of the opponent by the tie-break that is averaged.
    OpponentFigure,
    /// A board.
    Board {
        /// Which, from 1.
        board: u16,
    },
}

/// Why a term is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeftOut {
    /// The least significant value.
    Lowest,
    /// A voluntary unplayed round goes before the least significant value (16.5).
    Voluntary,
    /// The most significant value.
    Highest,
    /// One of the first rounds.
    FirstRounds,
    /// The opponent has less than the limit.
    BelowLimit,
    /// There is no number.
    Unknown,
}

/// How terms make a figure.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum How {
    /// Their sum.
    #[default]
    Sum,
    /// It stands in the list of participants.
    Given,
    /// Their mean.
    Mean,
    /// The mean of the ratings and what the score adds to it (B.02, 8.1.1).
    Performance {
        /// The mean rating.
        mean: Value,
        /// The points from these games, a win 1.
        score: Value,
        /// Per cent.
        percent: u8,
        /// The difference.
        difference: i16,
    },
    /// The lowest rating from which the score is expected (B.02, 8.1.2).
    Perfect {
        /// The points from these games, a win 1.
        score: Value,
    },
    /// Their sum; only opponents who reach the limit count.
    Limit {
        /// The limit.
        limit: Value,
    },
    /// Their sum, divided and added to the other score.
    Strength {
        /// The sum.
        sum: Value,
        /// The divisor.
        divisor: i64,
        /// The other score.
        other: Value,
    },
    /// The place among who are tied, step by step.
    Place {
        /// The steps that he takes part in; none when nobody is tied with him.
        steps: Vec<Step>,
    },
}

/// One comparison of who are tied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// By what they are compared.
    pub by: Measure,
    /// How many are compared.
    pub tied: usize,
    /// All of them have met each other.
    pub all_met: bool,
    /// Each with what he has among them, best first; empty when they are too many to tell.
    pub results: Vec<Among>,
    /// Pairs who have not met, at most a few.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_met: Vec<[PlayerNo; 2]>,
    /// What comes of it: places, each with who share it; empty when they are too many to tell.
    pub groups: Vec<Vec<PlayerNo>>,
}

/// By what who are tied are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Measure {
    /// Their games or matches with each other.
    Encounter {
        /// By this score.
        score: Score,
    },
    /// Points times board of their match, low first.
    BoardCount,
    /// Points on the boards up to this one down from board 1, one after the other.
    Board {
        /// The board.
        board: u16,
    },
    /// Points without the last boards.
    WithoutLast {
        /// How many boards are left out.
        boards: u16,
    },
}

/// What somebody has among who are tied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Among {
    /// Who.
    pub no: PlayerNo,
    /// The points.
    pub points: Value,
    /// The most that he could have, had those met who have not.
    pub most: Value,
}
