//! Knock-out, with and without play for the lower places (R-PR-9, rules 7.4).
//!
//! The order of the numbers is the seeding. The bracket is the usual one (1 meets the last seed, and
//! could meet 2 in the final only); where the number is no power of two the empty places stand
//! against the top seeds, who go on without a game. Whoever loses is out or goes into the bracket for
//! the places below.

mod bracket;
mod colours;

use serde::{Deserialize, Serialize};

use super::{
    Explanation, FormatError, FormatReason, Input, PairingError, RoundPairing, System,
    UnpairedReason, entrants,
    schedule::{Meetings, Seats, missing},
};
use crate::types::{PlayerNo, RoundNo};
use bracket::{Bracket, Meeting, Results};

/// A knock-out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnockOut {
    /// How many games a match has, each in a round of its own. Zero counts as one.
    pub games: u16,
    /// For which places those who have lost play on.
    pub places: Places,
    /// The seed of the lots for colours.
    pub seed: u64,
    /// Matches that the points of their games left level.
    pub decisions: Vec<Decision>,
}

/// For which places there is play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "to")]
pub enum Places {
    /// The first only: whoever loses is out.
    #[default]
    First,
    /// Those whose bracket begins with this place or a better one: 3 adds the match for the third
    /// place.
    Down {
        /// The place.
        place: u16,
    },
    /// All of them.
    All,
}

impl Places {
    const fn plays_for(self, place: u16) -> bool {
        match self {
            Self::First => place <= 1,
            Self::Down { place: last } => place <= last || place <= 1,
            Self::All => true,
        }
    }
}

/// How a level match was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// The stage, from 1; `None` = whenever the two meet.
    pub stage: Option<u16>,
    /// Who goes on.
    pub winner: PlayerNo,
    /// Who does not.
    pub loser: PlayerNo,
    /// By what.
    pub by: DecidedBy,
}

/// What decides a level match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "by")]
pub enum DecidedBy {
    /// Further games, which are not in the history.
    PlayOff,
    /// The lot, with its seed.
    Lot {
        /// The seed.
        seed: u64,
    },
    /// The arbiter, by the rules of the event.
    Arbiter,
}

impl Decision {
    /// Draws lots between two players of a stage; the order of the two does not matter.
    pub fn by_lot(stage: u16, one: PlayerNo, other: PlayerNo, seed: u64) -> Self {
        let (one, other) = (one.min(other), one.max(other));
        let mut lot = colours::lot_of(seed, stage, one, other);
        let (winner, loser) = if lot.below(2) == 0 {
            (one, other)
        } else {
            (other, one)
        };
        Self {
            stage: Some(stage),
            winner,
            loser,
            by: DecidedBy::Lot { seed },
        }
    }
}

/// A player's place, or the places that he shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placed {
    /// Who.
    pub player: PlayerNo,
    /// The best of the places.
    pub first: u16,
    /// The worst of them.
    pub last: u16,
}

impl KnockOut {
    /// One game a match, whoever loses is out.
    pub fn single(seed: u64) -> Self {
        Self {
            games: 1,
            seed,
            ..Self::default()
        }
    }

    fn games(&self) -> u16 {
        self.games.max(1)
    }

    /// The matches that keep `input.round` from being paired because nobody has won them; with the
    /// round after the last one those of the last stage. The stage, from 1, comes with them.
    pub fn undecided(&self, input: &Input) -> Option<(u16, Vec<[PlayerNo; 2]>)> {
        match self.standing(input) {
            Err(PairingError::Format(FormatError::Undecided { stage, matches, .. })) => {
                Some((stage, matches))
            }
            _ => None,
        }
    }

    /// The places that are settled when `input.round` is about to be paired, the best first.
    ///
    /// # Errors
    /// When the input contradicts itself or an earlier match has no winner.
    pub fn standing(&self, input: &Input) -> Result<Vec<Placed>, PairingError> {
        let seeds = entrants(input)?;
        let results = Results::new(input, &seeds, self);
        let stage = (input.round.0.saturating_sub(1)) / self.games() + 1;
        let bracket = Bracket::at(&results, seeds.len(), stage)
            .map_err(|open| undecided(input.round, &results, &open))?;
        let mut placed: Vec<Placed> = bracket
            .gone
            .iter()
            .map(|gone| Placed {
                player: seeds[gone.seed].no,
                first: gone.first,
                last: gone.last.min(seeds.len() as u16),
            })
            .collect();
        placed.sort_by_key(|placed| (placed.first, placed.player));
        Ok(placed)
    }
}

fn undecided(round: RoundNo, results: &Results<'_>, open: &bracket::Open) -> FormatError {
    FormatError::Undecided {
        stage: open.stage,
        round,
        matches: (open.matches.iter())
            .map(|two| two.map(|seed| results.no(seed)))
            .collect(),
    }
}

impl System for KnockOut {
    fn name(&self) -> &'static str {
        "knock-out"
    }

    fn rounds(&self, entrants: usize) -> Option<u16> {
        if entrants < 2 {
            return None;
        }
        let stages = entrants.next_power_of_two().trailing_zeros() as u16;
        stages.checked_mul(self.games())
    }

    fn pair(&self, input: &Input) -> Result<RoundPairing, PairingError> {
        let seeds = entrants(input)?;
        let rounds = self.rounds(seeds.len()).unwrap_or(0);
        if input.round.0 == 0 || input.round.0 > rounds {
            return Err(PairingError::NoSuchRound {
                round: input.round,
                rounds,
            });
        }
        let stage = (input.round.0 - 1) / self.games() + 1;
        let game = (input.round.0 - 1) % self.games() + 1;
        let results = Results::new(input, &seeds, self);
        let bracket = Bracket::at(&results, seeds.len(), stage)
            .map_err(|open| undecided(input.round, &results, &open))?;
        let meetings = Meetings::new(input);
        let mut seats = Seats::new(input.round, &meetings, u16::MAX);
        for group in &bracket.groups {
            for meeting in group.meetings() {
                match meeting {
                    Meeting::Nobody => {}
                    Meeting::Alone(seed) => {
                        let own = seeds[seed];
                        let reason =
                            missing(own.presence, None).unwrap_or(UnpairedReason::GoesOn { stage });
                        seats.leave(own.no, reason);
                    }
                    Meeting::Two(one, other) => {
                        if results.is_decided(stage, one, other, self.games() + 1 - game) {
                            let (a, b) = (seeds[one].no, seeds[other].no);
                            seats.leave(a, UnpairedReason::MatchDecided { opponent: b });
                            seats.leave(b, UnpairedReason::MatchDecided { opponent: a });
                            continue;
                        }
                        let first_round = RoundNo((stage - 1) * self.games() + 1);
                        let colours = colours::allocate(
                            input,
                            first_round,
                            stage,
                            game,
                            self.seed,
                            [seeds[one].no, seeds[other].no],
                        );
                        let (white, black) = if colours.first_white {
                            (one, other)
                        } else {
                            (other, one)
                        };
                        let reason = FormatReason::KnockOut {
                            stage,
                            first_place: group.first,
                            last_place: group.last(),
                            white_seed: white as u16 + 1,
                            black_seed: black as u16 + 1,
                            game,
                            colour: colours.by,
                        };
                        seats.seat(seeds[white], seeds[black], Explanation::Format(reason))?;
                    }
                }
            }
        }
        for gone in &bracket.gone {
            let reason = match gone.stage {
                Some(stage) => UnpairedReason::KnockedOut {
                    stage,
                    place: gone.first,
                },
                None => UnpairedReason::PlaceSettled { place: gone.first },
            };
            let own = seeds[gone.seed];
            seats.leave(own.no, missing(own.presence, None).unwrap_or(reason));
        }
        seats.finish()
    }
}
