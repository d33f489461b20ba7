//! The drawing itself, step by step as it would be done with envelopes.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Envelope, envelopes, order::contingents};
use crate::{
    pairing::{
        berger::{berger_round, table_size},
        lot::Lot,
    },
    types::RoundNo,
};

/// Who draws a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate<'a> {
    /// The name, surname first.
    pub name: &'a str,
    /// The federation's code, like `UKR`.
    pub federation: Option<&'a str>,
}

/// Why a drawing cannot be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VarmaError {
    /// There is no table of that size.
    #[error(
        "the Varma tables are for 9 to 24 players, there are {players}; draw the numbers without \
         restriction, or split the event"
    )]
    NoTable {
        /// How many players there are.
        players: usize,
    },
}

/// A number drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drawn {
    /// Who drew: the index among the candidates.
    pub candidate: usize,
    /// From which envelope.
    pub envelope: Envelope,
    /// The numbers that were left in it.
    pub from: Vec<u16>,
    /// The number.
    pub number: u16,
}

impl fmt::Display for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} from envelope {}, which held",
            self.number, self.envelope
        )?;
        for (at, number) in self.from.iter().enumerate() {
            write!(f, "{} {number}", if at > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

/// The players of a federation, who draw one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contingent {
    /// The federation; `None` for a player without one.
    pub federation: Option<String>,
    /// The envelopes from which the first of them chose; empty when none held enough numbers.
    pub offered: Vec<Envelope>,
    /// Envelopes with enough numbers that were not offered, because a federation further down could
    /// then not have stayed in one envelope.
    pub kept_back: Vec<Envelope>,
    /// The numbers, in the order of drawing. They come from several envelopes when none held enough.
    pub drawn: Vec<Drawn>,
}

impl fmt::Display for Contingent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.federation {
            Some(code) => write!(f, "{code}, {} to draw", self.drawn.len())?,
            None => f.write_str("One without such a group")?,
        }
        if self.offered.is_empty() {
            f.write_str("; no envelope holds enough numbers, they draw from the fullest")?;
        }
        for (text, envelopes) in [
            ("choose among", &self.offered),
            ("kept back", &self.kept_back),
        ] {
            for (at, envelope) in envelopes.iter().enumerate() {
                if at == 0 {
                    write!(f, "; {text} {envelope}")?;
                } else {
                    write!(f, ", {envelope}")?;
                }
            }
        }
        for (at, drawn) in self.drawn.iter().enumerate() {
            write!(f, "{} {drawn}", if at > 0 { ";" } else { "; drawn:" })?;
        }
        f.write_str(".")
    }
}

/// Two compatriots who meet in one of the last three rounds nevertheless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LateMeeting {
    /// The index of one of them among the candidates.
    pub one: usize,
    /// The other.
    pub other: usize,
    /// The round of the Berger table.
    pub round: RoundNo,
}

/// A drawing: the seed and every step, so that it can be shown and repeated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VarmaDraw {
    /// The seed of the lots.
    pub seed: u64,
    /// The numbers in the envelopes A to D at the start.
    pub envelopes: [Vec<u16>; 4],
    /// The contingents in the order of drawing.
    pub contingents: Vec<Contingent>,
    /// What the tables could not prevent: a federation too large for an envelope, and numbers 6 and
    /// 12 of envelope C when 12 take part. Empty as a rule.
    pub late_meetings: Vec<LateMeeting>,
}

impl VarmaDraw {
    /// The number of each candidate, in the order in which they were given.
    pub fn numbers(&self) -> Vec<u16> {
        let mut numbers: Vec<(usize, u16)> = self
            .contingents
            .iter()
            .flat_map(|contingent| &contingent.drawn)
            .map(|drawn| (drawn.candidate, drawn.number))
            .collect();
        numbers.sort_unstable();
        numbers.into_iter().map(|(_, number)| number).collect()
    }
}

/// Holds the drawing. The outcome depends on the candidates and the seed only; the order in which
/// candidates are given matters only between equal names of one federation.
///
/// # Errors
/// When there is no table for that many players.
pub fn draw(candidates: &[Candidate<'_>], seed: u64) -> Result<VarmaDraw, VarmaError> {
    let no_table = VarmaError::NoTable {
        players: candidates.len(),
    };
    let players = u16::try_from(candidates.len()).map_err(|_| no_table)?;
    let start = envelopes(players).ok_or(no_table)?;
    let order = contingents(candidates);
    let sizes: Vec<usize> = order.iter().map(|(_, members)| members.len()).collect();
    let mut lot = Lot::new(seed);
    let mut left = start.clone();
    let mut drawn = Vec::new();
    for (at, (federation, members)) in order.into_iter().enumerate() {
        let rest = &sizes[at + 1..];
        let (offered, kept_back) = offer(&left, members.len(), rest);
        let chosen = offered.get(lot.below(offered.len())).copied();
        let drawn_by = members
            .into_iter()
            .map(|candidate| {
                let envelope = chosen.unwrap_or_else(|| fullest(&left));
                let numbers = &mut left[envelope as usize];
                let from = numbers.clone();
                let number = numbers.remove(lot.below(numbers.len()));
                Drawn {
                    candidate,
                    envelope,
                    from,
                    number,
                }
            })
            .collect();
        drawn.push(Contingent {
            federation,
            offered,
            kept_back,
            drawn: drawn_by,
        });
    }
    Ok(VarmaDraw {
        seed,
        envelopes: start,
        late_meetings: late_meetings(&drawn, players),
        contingents: drawn,
    })
}

/// The envelopes among which a contingent of `size` may choose, and those kept back.
fn offer(left: &[Vec<u16>; 4], size: usize, rest: &[usize]) -> (Vec<Envelope>, Vec<Envelope>) {
    let lengths = left.each_ref().map(Vec::len);
    let enough: Vec<Envelope> = Envelope::ALL
        .into_iter()
        .filter(|&envelope| lengths[envelope as usize] >= size)
        .collect();
    let (good, bad): (Vec<Envelope>, Vec<Envelope>) = enough.iter().partition(|&&envelope| {
        let mut after = lengths;
        after[envelope as usize] -= size;
        fits(after, rest)
    });
    if good.is_empty() {
        // A federation has to be split whatever is chosen.
        (enough, Vec::new())
    } else {
        (good, bad)
    }
}

/// Whether contingents of these sizes, the largest first, all stay in one envelope each.
fn fits(left: [usize; 4], sizes: &[usize]) -> bool {
    let Some((&size, rest)) = sizes.split_first() else {
        return true;
    };
    if size == 1 {
        return left.iter().sum::<usize>() >= sizes.len();
    }
    (0..4).any(|at| {
        // Equal room is equal.
        let first = left.iter().position(|&room| room == left[at]) == Some(at);
        first && left[at] >= size && {
            let mut after = left;
            after[at] -= size;
            fits(after, rest)
        }
    })
}

fn fullest(left: &[Vec<u16>; 4]) -> Envelope {
    let mut best = Envelope::A;
    for envelope in Envelope::ALL {
        if left[envelope as usize].len() > left[best as usize].len() {
            best = envelope;
        }
    }
    best
}

fn late_meetings(contingents: &[Contingent], players: u16) -> Vec<LateMeeting> {
    let rounds = table_size(players) - 1;
    let mut late = Vec::new();
    for round in rounds - 2..=rounds {
        for (white, black) in berger_round(players, round) {
            for contingent in contingents {
                let by = |number| {
                    let drawn = &contingent.drawn;
                    drawn.iter().find(|drawn| drawn.number == number)
                };
                if let (Some(one), Some(other)) = (by(white), by(black)) {
                    late.push(LateMeeting {
                        one: one.candidate.min(other.candidate),
                        other: one.candidate.max(other.candidate),
                        round: RoundNo(round),
                    });
                }
            }
        }
    }
    late
}
