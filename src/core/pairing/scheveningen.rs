//! Scheveningen: everybody of one side meets everybody of the other (rules 7.3).
//!
//! The table is our own. Within a cycle nobody has a colour three times running (three a side: up to
//! three). With a number divisible by four everybody is level in colours and so is every round; with
//! other even numbers the rounds are level and players up to two apart; with odd numbers rounds are
//! one White apart and players up to three. Two cycles level everybody.

use std::collections::BTreeMap;

use super::{
    Entrant, Explanation, FormatError, FormatReason, Input, PairingError, RoundPairing, System,
    entrants,
    lot::Lot,
    schedule::{Meetings, Seats},
};
use crate::types::PlayerNo;

/// A Scheveningen event. With both sides empty the first half of the numbers meets the second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scheveningen {
    /// The first side, in the order of the table. Its players alternate their colours.
    pub first: Vec<PlayerNo>,
    /// The second side.
    pub second: Vec<PlayerNo>,
    /// How often everybody meets everybody. Zero counts as one.
    pub cycles: u16,
}

impl Scheveningen {
    /// The first half of the numbers against the second.
    pub const fn halves(cycles: u16) -> Self {
        Self {
            first: Vec::new(),
            second: Vec::new(),
            cycles,
        }
    }

    /// Draws by lot which side is the first, and the places on both.
    #[must_use]
    pub fn drawn(one: &[PlayerNo], other: &[PlayerNo], cycles: u16, seed: u64) -> Self {
        let mut lot = Lot::new(seed);
        let (mut first, mut second) = if lot.below(2) == 0 {
            (one.to_vec(), other.to_vec())
        } else {
            (other.to_vec(), one.to_vec())
        };
        lot.shuffle(&mut first);
        lot.shuffle(&mut second);
        Self {
            first,
            second,
            cycles,
        }
    }

    fn cycles(&self) -> u16 {
        self.cycles.max(1)
    }
}

/// A pair of the table; places count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TablePair {
    /// The place on the first side.
    pub first: u16,
    /// The place on the second side.
    pub second: u16,
    /// The first side has White.
    pub first_white: bool,
}

/// The pairs of a round with `size` players a side: round `round` from 1 of a schedule of any number
/// of cycles. Even cycles have the colours reversed, and every cycle starts as many rounds later in
/// the table as it takes that nobody has a colour three times running across the seam.
pub fn scheveningen_round(size: u16, round: u16) -> Vec<TablePair> {
    let Some((cycle, table_round)) = table_round(size, round) else {
        return Vec::new();
    };
    let half = size.div_ceil(2);
    (0..size)
        .map(|first| {
            let offset = u32::from(first) + u32::from(table_round - 1);
            let turned =
                u32::from(first >= half) + u32::from(table_round - 1) + u32::from(cycle - 1);
            TablePair {
                first,
                second: (offset % u32::from(size)) as u16,
                first_white: turned.is_multiple_of(2),
            }
        })
        .collect()
}

/// (cycle, round of the table), both from 1.
fn table_round(size: u16, round: u16) -> Option<(u16, u16)> {
    if size == 0 || round == 0 {
        return None;
    }
    let (cycle, within) = ((round - 1) / size, (round - 1) % size);
    let shift: u32 = match size {
        4 => 2,
        even if even % 2 == 0 => 1,
        _ => 0,
    };
    let start = shift * u32::from(cycle);
    let table_round = (u32::from(within) + start) % u32::from(size);
    Some((cycle + 1, table_round as u16 + 1))
}

impl System for Scheveningen {
    fn name(&self) -> &'static str {
        "scheveningen"
    }

    fn rounds(&self, entrants: usize) -> Option<u16> {
        let size = if self.is_halves() {
            entrants.div_ceil(2)
        } else {
            self.first.len()
        };
        u16::try_from(size).ok()?.checked_mul(self.cycles())
    }

    fn pair(&self, input: &Input) -> Result<RoundPairing, PairingError> {
        let entrants = entrants(input)?;
        let (first, second) = self.seated(&entrants)?;
        let rounds = self
            .rounds(entrants.len())
            .ok_or(PairingError::TooManyPlayers {
                entered: entrants.len(),
                system: self.name(),
            })?;
        let rounds = input.settings.rounds.map_or(rounds, |own| own.min(rounds));
        let no_such_round = PairingError::NoSuchRound {
            round: input.round,
            rounds,
        };
        if input.round.0 > rounds {
            return Err(no_such_round);
        }
        let size = first.len() as u16;
        let (cycle, table_round) = table_round(size, input.round.0).ok_or(no_such_round)?;
        let meetings = Meetings::new(input);
        let mut seats = Seats::new(input.round, &meetings, self.cycles());
        for pair in scheveningen_round(size, input.round.0) {
            let (a, b) = (
                first[usize::from(pair.first)],
                second[usize::from(pair.second)],
            );
            let (white, black, white_at, black_at) = if pair.first_white {
                (a, b, pair.first, pair.second)
            } else {
                (b, a, pair.second, pair.first)
            };
            let reason = FormatReason::Scheveningen {
                white: white_at + 1,
                black: black_at + 1,
                white_first_side: pair.first_white,
                table_round,
                cycle,
            };
            seats.seat(white, black, Explanation::Format(reason))?;
        }
        seats.finish()
    }
}

impl Scheveningen {
    const fn is_halves(&self) -> bool {
        self.first.is_empty() && self.second.is_empty()
    }

    /// The entrants of both sides, checked.
    fn seated(&self, entrants: &[Entrant]) -> Result<(Vec<Entrant>, Vec<Entrant>), FormatError> {
        if self.is_halves() && entrants.len().is_multiple_of(2) {
            let (first, second) = entrants.split_at(entrants.len() / 2);
            return Ok((first.to_vec(), second.to_vec()));
        }
        if self.is_halves() {
            return Err(FormatError::SidesUnequal {
                first: entrants.len().div_ceil(2),
                second: entrants.len() / 2,
            });
        }
        if self.first.len() != self.second.len() {
            return Err(FormatError::SidesUnequal {
                first: self.first.len(),
                second: self.second.len(),
            });
        }
        let mut left: BTreeMap<PlayerNo, Entrant> = entrants
            .iter()
            .map(|entrant| (entrant.no, *entrant))
            .collect();
        let mut take = |side: &[PlayerNo]| {
            side.iter()
                .map(|&player| {
                    left.remove(&player)
                        .ok_or(FormatError::SideUnusable { player })
                })
                .collect::<Result<Vec<Entrant>, FormatError>>()
        };
        let (first, second) = (take(&self.first)?, take(&self.second)?);
        match left.keys().next() {
            Some(&player) => Err(FormatError::OnNoSide { player }),
            None => Ok((first, second)),
        }
    }
}
