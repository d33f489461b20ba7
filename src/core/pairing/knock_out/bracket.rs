//! The bracket: which seeds stand against each other in a stage, for which places.

use std::collections::BTreeMap;

use super::{KnockOut, Places};
use crate::{
    pairing::{Entrant, Input, Presence},
    types::PlayerNo,
};

/// Those who play for the same run of places, in the order of the bracket. An empty place loses.
pub(super) struct Group {
    /// The best of the places.
    pub(super) first: u16,
    slots: Vec<Option<usize>>,
}

/// Two neighbours of a group.
pub(super) enum Meeting {
    /// Two seeds.
    Two(usize, usize),
    /// A seed against an empty place.
    Alone(usize),
    /// Two empty places.
    Nobody,
}

impl Group {
    /// The worst of the places.
    pub(super) fn last(&self) -> u16 {
        self.first + self.slots.len() as u16 - 1
    }

    /// The meetings of the stage, in the order of the bracket.
    pub(super) fn meetings(&self) -> impl Iterator<Item = Meeting> + '_ {
        self.slots
            .chunks_exact(2)
            .map(|two| match (two[0], two[1]) {
                (Some(one), Some(other)) => Meeting::Two(one, other),
                (Some(alone), None) | (None, Some(alone)) => Meeting::Alone(alone),
                (None, None) => Meeting::Nobody,
            })
    }
}

/// A seed that plays no more.
pub(super) struct Gone {
    pub(super) seed: usize,
    pub(super) first: u16,
    pub(super) last: u16,
    /// The stage in which he lost; nothing when his place was played for.
    pub(super) stage: Option<u16>,
}

/// The matches of a stage that have no winner.
pub(super) struct Open {
    pub(super) stage: u16,
    pub(super) matches: Vec<[usize; 2]>,
}

/// The bracket as a stage begins.
pub(super) struct Bracket {
    pub(super) groups: Vec<Group>,
    pub(super) gone: Vec<Gone>,
}

impl Bracket {
    /// Plays the bracket up to the beginning of `stage`.
    pub(super) fn at(results: &Results<'_>, seeds: usize, stage: u16) -> Result<Self, Open> {
        let mut bracket = Self {
            groups: vec![Group {
                first: 1,
                slots: seeding(seeds),
            }],
            gone: Vec::new(),
        };
        for past in 1..stage {
            bracket.advance(results, past)?;
        }
        Ok(bracket)
    }

    fn advance(&mut self, results: &Results<'_>, stage: u16) -> Result<(), Open> {
        let mut next = Vec::new();
        let mut open = Vec::new();
        for group in std::mem::take(&mut self.groups) {
            let half = group.slots.len() / 2;
            let (mut won, mut lost) = (Vec::with_capacity(half), Vec::with_capacity(half));
            for meeting in group.meetings() {
                let (winner, loser) = match meeting {
                    Meeting::Two(one, other) => {
                        let Some(outcome) = results.outcome(stage, one, other) else {
                            open.push([one, other]);
                            continue;
                        };
                        outcome
                    }
                    Meeting::Alone(alone) => (Some(alone), None),
                    Meeting::Nobody => (None, None),
                };
                won.push(winner);
                lost.push(loser);
            }
            let below = group.first + half as u16;
            let plays_on = results.places().plays_for(below);
            for (first, slots, plays_on) in [(group.first, won, true), (below, lost, plays_on)] {
                if plays_on && slots.len() > 1 {
                    next.push(Group { first, slots });
                    continue;
                }
                let last = first + slots.len() as u16 - 1;
                let settled = plays_on || slots.len() == 1;
                self.gone
                    .extend(slots.into_iter().flatten().map(|seed| Gone {
                        seed,
                        first,
                        last,
                        stage: (!settled).then_some(stage),
                    }));
            }
        }
        if !open.is_empty() {
            return Err(Open {
                stage,
                matches: open,
            });
        }
        next.sort_by_key(|group| group.first);
        self.groups = next;
        Ok(())
    }
}

/// The seeds (from 0) in the order of the bracket, with empty places up to a power of two.
fn seeding(seeds: usize) -> Vec<Option<usize>> {
    let mut order = vec![0];
    while order.len() < seeds {
        let last = 2 * order.len() - 1;
        order = order
            .into_iter()
            .flat_map(|seed| [seed, last - seed])
            .collect();
    }
    order
        .into_iter()
        .map(|seed| (seed < seeds).then_some(seed))
        .collect()
}

/// What the history says about matches.
pub(super) struct Results<'a> {
    seeds: &'a [Entrant],
    settings: &'a KnockOut,
    win: u32,
    /// Half points by (stage, player, opponent).
    points: BTreeMap<(u16, PlayerNo, PlayerNo), u32>,
    /// Games by the same.
    games: BTreeMap<(u16, PlayerNo, PlayerNo), u16>,
}

impl<'a> Results<'a> {
    pub(super) fn new(input: &Input, seeds: &'a [Entrant], settings: &'a KnockOut) -> Self {
        let mut points = BTreeMap::new();
        let mut games = BTreeMap::new();
        for past in &input.history {
            let stage = past.round.0.saturating_sub(1) / settings.games() + 1;
            for game in &past.games {
                for (own, other, gained) in [
                    (game.white, game.black, game.white_points),
                    (game.black, game.white, game.black_points),
                ] {
                    *points.entry((stage, own, other)).or_insert(0) += u32::from(gained.0);
                    *games.entry((stage, own, other)).or_insert(0) += 1;
                }
            }
        }
        Self {
            seeds,
            settings,
            win: u32::from(input.settings.scoring.win.0),
            points,
            games,
        }
    }

    pub(super) fn no(&self, seed: usize) -> PlayerNo {
        self.seeds[seed].no
    }

    const fn places(&self) -> Places {
        self.settings.places
    }

    fn score(&self, stage: u16, own: usize, other: usize) -> u32 {
        let key = (stage, self.no(own), self.no(other));
        self.points.get(&key).copied().unwrap_or(0)
    }

    fn played(&self, stage: u16, one: usize, other: usize) -> u16 {
        let key = (stage, self.no(one), self.no(other));
        self.games.get(&key).copied().unwrap_or(0)
    }

    /// One of the two can no longer be caught with `left` games to play.
    pub(super) fn is_decided(&self, stage: u16, one: usize, other: usize, left: u16) -> bool {
        let lead = self
            .score(stage, one, other)
            .abs_diff(self.score(stage, other, one));
        lead > u32::from(left) * self.win
    }

    /// Winner and loser; nothing while the match is open. A decision counts where the points are level,
    /// the last one of several. Who has left loses a match that was level, not played, or could still have
    /// been turned round; when both have, nobody goes on.
    fn outcome(
        &self,
        stage: u16,
        one: usize,
        other: usize,
    ) -> Option<(Option<usize>, Option<usize>)> {
        let one_wins = (Some(one), Some(other));
        let other_wins = (Some(other), Some(one));
        let gone = |seed: usize| self.seeds[seed].presence == Presence::Withdrawn;
        let left = self
            .settings
            .games()
            .saturating_sub(self.played(stage, one, other));
        if left > 0 && !self.is_decided(stage, one, other, left) {
            match (gone(one), gone(other)) {
                (false, true) => return Some(one_wins),
                (true, false) => return Some(other_wins),
                _ => {}
            }
        }
        match self
            .score(stage, one, other)
            .cmp(&self.score(stage, other, one))
        {
            std::cmp::Ordering::Greater => return Some(one_wins),
            std::cmp::Ordering::Less => return Some(other_wins),
            std::cmp::Ordering::Equal => {}
        }
        let (a, b) = (self.no(one), self.no(other));
        let own = self.settings.decisions.iter().rev().find(|decision| {
            let two = [decision.winner, decision.loser];
            decision.stage.is_none_or(|own| own == stage) && (two == [a, b] || two == [b, a])
        });
        if let Some(decision) = own {
            return Some(if decision.winner == a {
                one_wins
            } else {
                other_wins
            });
        }
        match (gone(one), gone(other)) {
            (false, true) => Some(one_wins),
            (true, false) => Some(other_wins),
            (true, true) => Some((None, None)),
            (false, false) => None,
        }
    }
}
