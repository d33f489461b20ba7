//! A bracket as a matching problem: vertices, edges, and the criteria as costs.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Quality, Rules, Unavoidable,
    roster::{Roster, Trait},
};
use crate::pairing::matching::{BitMatrix, Costs, NONE, Weight};

/// What a vertex is to the bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Zone {
    /// A player moved down from above.
    Moved,
    /// A player of the scoregroup.
    Resident,
    /// A player of the next scoregroup.
    Next,
    /// A player below that.
    Rest,
    /// The bye.
    Bye,
    /// Nobody: who is matched with it is left over.
    Nobody,
}

/// How far a problem looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// The bracket alone; as many are left over as must be.
    Bracket {
        /// How many.
        left: usize,
    },
    /// The bracket and the next scoregroup, whatever becomes of the rest.
    Next {
        /// How many of them are left over.
        left: usize,
        /// It may be fewer of them.
        at_most: bool,
    },
    /// Everybody: what is left must be completable (C4).
    Everybody {
        /// The choice of the downfloaters minds the next bracket.
        look_ahead: bool,
    },
}

/// One place in the order of the criteria.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Criterion {
    /// C6.
    Downfloaters,
    /// C7: downfloaters with this score.
    DownfloaterScore(u16),
    /// C.6 of 2017: score differences of this size.
    Difference(u16),
    /// C8: left over in the next bracket.
    LeftNext,
    /// C8: left over there with this score.
    LeftNextScore(u16),
    /// C9.
    ByeMissed,
    /// C10.
    Imbalance,
    /// C11.
    ThirdColour,
    /// C12.
    Preference,
    /// C13.
    StrongPreference,
    /// C14 (0) and C16 (1).
    Down(usize),
    /// C15 (0) and C17 (1).
    Up(usize),
    /// C18 and C20: differences of this size.
    DownDifference(usize, u16),
    /// C19 and C21.
    UpDifference(usize, u16),
}

/// A bracket with its surroundings.
pub(super) struct Problem<'r, 'f> {
    pub(super) roster: &'r Roster<'f>,
    pub(super) rules: Rules,
    pub(super) view: View,
    /// The place of each vertex; [`NONE`] for nobody. Members of the bracket come first, in order.
    pub(super) places: Vec<usize>,
    pub(super) zones: Vec<Zone>,
    /// How many were moved down.
    pub(super) moved: usize,
    /// How many members the bracket has.
    pub(super) members: usize,
    pub(super) graph: BitMatrix,
    /// The single downfloater takes the bye: C9 counts.
    pub(super) bye_counts: bool,
    /// 2017: the next bracket is the last.
    next_is_last: bool,
    lowest: u16,
}

/// Who is in the bracket and who is below.
#[derive(Clone, Debug)]
pub(super) struct Bracket {
    /// Moved down, in order.
    pub(super) moved: Vec<usize>,
    /// The scoregroup.
    pub(super) residents: std::ops::Range<usize>,
    /// The next scoregroup.
    pub(super) next: std::ops::Range<usize>,
}

impl<'r, 'f> Problem<'r, 'f> {
    pub(super) fn new(roster: &'r Roster<'f>, rules: Rules, bracket: &Bracket, view: View) -> Self {
        let mut places = bracket.moved.clone();
        places.extend(bracket.residents.clone());
        let moved = bracket.moved.len();
        let members = places.len();
        let mut zones: Vec<Zone> = (0..members)
            .map(|at| {
                if at < moved {
                    Zone::Moved
                } else {
                    Zone::Resident
                }
            })
            .collect();
        let mut extend = |range: std::ops::Range<usize>, zone| {
            zones.extend(range.clone().map(|_| zone));
            places.extend(range);
        };
        match view {
            View::Bracket { left } => {
                places.resize(members + left, NONE);
                zones.resize(members + left, Zone::Nobody);
            }
            View::Next { left, .. } => {
                extend(bracket.next.clone(), Zone::Next);
                places.resize(places.len() + left, NONE);
                zones.resize(places.len(), Zone::Nobody);
            }
            View::Everybody { .. } => {
                extend(bracket.next.clone(), Zone::Next);
                extend(bracket.next.end..roster.count, Zone::Rest);
                if let Some(seat) = roster.seat() {
                    extend(seat..seat + 1, Zone::Bye);
                }
            }
        }
        let size = places.len();
        let mut graph = BitMatrix::new(size);
        for a in 0..size {
            for b in a + 1..size {
                let edge = match (zones[a], zones[b]) {
                    // They could have met in the bracket above.
                    (Zone::Moved, Zone::Moved) => false,
                    (_, Zone::Nobody) => {
                        zones[a] != Zone::Nobody || matches!(view, View::Next { at_most: true, .. })
                    }
                    _ => roster.legal.get(places[a], places[b]),
                };
                if edge {
                    graph.set_both(a, b);
                }
            }
        }
        let lowest = places[..members]
            .iter()
            .map(|&place| roster.traits[place].score)
            .min()
            .unwrap_or(0);
        Self {
            roster,
            rules,
            view,
            places,
            zones,
            moved,
            members,
            graph,
            bye_counts: false,
            next_is_last: bracket.next.end == roster.count,
            lowest,
        }
    }

    pub(super) fn size(&self) -> usize {
        self.places.len()
    }

    /// What a matching costs by the criteria that stand above the look-ahead.
    pub(super) fn leading(&self, mates: &[usize]) -> Vec<u64> {
        self.criteria()
            .into_iter()
            .take_while(|criterion| {
                matches!(
                    criterion,
                    Criterion::Downfloaters
                        | Criterion::DownfloaterScore(_)
                        | Criterion::Difference(_)
                )
            })
            .map(|criterion| {
                (0..self.members)
                    .filter(|&v| !self.is_member(mates[v]) || v < mates[v])
                    .map(|v| self.cost(criterion, v, mates[v]))
                    .sum()
            })
            .collect()
    }

    /// How often each criterion that counts players is broken by a matching of the bracket.
    pub(super) fn broken(&self, mates: &[usize]) -> Vec<Unavoidable> {
        [
            (Criterion::Downfloaters, Quality::Downfloaters),
            (Criterion::Imbalance, Quality::Imbalance),
            (Criterion::ThirdColour, Quality::ThirdColour),
            (Criterion::Preference, Quality::Preference),
            (Criterion::StrongPreference, Quality::StrongPreference),
            (Criterion::Down(0), Quality::DownLastRound),
            (Criterion::Up(0), Quality::UpLastRound),
            (Criterion::Down(1), Quality::DownTwoAgo),
            (Criterion::Up(1), Quality::UpTwoAgo),
        ]
        .into_iter()
        .filter_map(|(criterion, quality)| {
            let times: u64 = (0..self.members)
                .filter(|&v| !self.is_member(mates[v]) || v < mates[v])
                .map(|v| self.cost(criterion, v, mates[v]))
                .sum();
            (times > 0).then_some(Unavoidable {
                quality,
                times: times as u16,
            })
        })
        .collect()
    }

    /// How many members a matching leaves without a partner in the bracket.
    pub(super) fn downfloaters(&self, mates: &[usize]) -> usize {
        (0..self.members)
            .filter(|&v| !self.is_member(mates[v]))
            .count()
    }

    pub(super) fn is_member(&self, vertex: usize) -> bool {
        vertex < self.members
    }

    fn of(&self, vertex: usize) -> &Trait {
        &self.roster.traits[self.places[vertex]]
    }

    fn looks_ahead(&self) -> bool {
        match self.view {
            View::Bracket { .. } => false,
            View::Next { .. } => true,
            View::Everybody { look_ahead } => look_ahead,
        }
    }

    /// The criteria that can differ here, the most important first.
    pub(super) fn criteria(&self) -> Vec<Criterion> {
        let scores = |zones: &[Zone]| -> Vec<u16> {
            let set: BTreeSet<u16> = (0..self.size())
                .filter(|&v| zones.contains(&self.zones[v]))
                .map(|v| self.of(v).score)
                .collect();
            set.into_iter().rev().collect()
        };
        let own = scores(&[Zone::Moved, Zone::Resident]);
        let mut differences = BTreeSet::new();
        for &a in &own {
            for &b in own.iter().filter(|&&b| b < a) {
                differences.insert(a - b);
            }
            differences.insert(self.float_difference(a));
        }
        let differences: Vec<u16> = differences.into_iter().rev().collect();
        let mut criteria = vec![Criterion::Downfloaters];
        match self.rules {
            Rules::Fide2026 if own.len() > 1 => {
                criteria.extend(own.iter().map(|&s| Criterion::DownfloaterScore(s)));
            }
            Rules::Fide2026 => {}
            Rules::Fide2017 => {
                criteria.extend(differences.iter().map(|&d| Criterion::Difference(d)));
            }
        }
        if self.looks_ahead() {
            criteria.push(Criterion::LeftNext);
            let scores = scores(&[Zone::Moved, Zone::Resident, Zone::Next]);
            criteria.extend(scores.into_iter().map(Criterion::LeftNextScore));
        }
        if self.bye_counts {
            criteria.push(Criterion::ByeMissed);
        }
        criteria.extend([
            Criterion::Imbalance,
            Criterion::ThirdColour,
            Criterion::Preference,
            Criterion::StrongPreference,
        ]);
        for back in 0..2 {
            criteria.extend([Criterion::Down(back), Criterion::Up(back)]);
        }
        for back in 0..2 {
            criteria.extend(
                differences
                    .iter()
                    .map(|&d| Criterion::DownDifference(back, d)),
            );
            criteria.extend(
                differences
                    .iter()
                    .map(|&d| Criterion::UpDifference(back, d)),
            );
        }
        criteria
    }

    /// What a downfloater adds to the score differences (2017, A.8).
    fn float_difference(&self, score: u16) -> u16 {
        score - self.lowest + 2
    }

    /// What an edge costs by a criterion. `a` comes before `b`.
    pub(super) fn cost(&self, criterion: Criterion, a: usize, b: usize) -> u64 {
        let flag = |condition: bool| u64::from(condition);
        if !self.is_member(a) {
            return match criterion {
                Criterion::LeftNext | Criterion::LeftNextScore(_) => {
                    self.left_next(criterion, a, b) + self.left_next(criterion, b, a)
                }
                _ => 0,
            };
        }
        if !self.is_member(b) {
            let own = self.of(a);
            let old = self.rules == Rules::Fide2017;
            return match criterion {
                Criterion::Downfloaters => 1,
                Criterion::DownfloaterScore(score) => flag(own.score == score),
                Criterion::Difference(difference) => {
                    flag(self.float_difference(own.score) == difference)
                }
                Criterion::LeftNext | Criterion::LeftNextScore(_) => {
                    self.left_next(criterion, a, b) + self.left_next(criterion, b, a)
                }
                Criterion::ByeMissed if self.zones[b] == Zone::Bye => own.missed as u64,
                Criterion::Down(back) => {
                    flag(own.down[back] && (old || self.zones[a] == Zone::Resident))
                }
                // Who floats on meets somebody lower still.
                Criterion::DownDifference(back, difference) => flag(
                    (old || self.zones[a] == Zone::Moved)
                        && own.down[back]
                        && self.float_difference(own.score) == difference,
                ),
                _ => 0,
            };
        }
        let (high, low) = (self.of(a), self.of(b));
        let difference = high.score.abs_diff(low.score);
        let floats = match self.rules {
            Rules::Fide2026 => self.zones[a] == Zone::Moved,
            Rules::Fide2017 => difference > 0,
        };
        let same = high.preference.colour().is_some()
            && high.preference.colour() == low.preference.colour();
        match criterion {
            Criterion::Difference(size) => flag(difference == size),
            Criterion::Imbalance => self.topscorer_costs(a, b).0,
            Criterion::ThirdColour => self.topscorer_costs(a, b).1,
            Criterion::Preference => flag(same),
            Criterion::StrongPreference => {
                flag(same && high.preference.is_strong() && low.preference.is_strong())
            }
            Criterion::Down(back) => {
                flag(self.rules == Rules::Fide2017 && floats && high.down[back])
            }
            Criterion::Up(back) => flag(floats && low.up[back]),
            Criterion::DownDifference(back, size) => {
                flag(floats && high.down[back] && difference == size)
            }
            Criterion::UpDifference(back, size) => {
                flag(floats && low.up[back] && difference == size)
            }
            _ => 0,
        }
    }

    fn topscorer_costs(&self, a: usize, b: usize) -> (u64, u64) {
        self.roster.topscorer_costs(self.places[a], self.places[b])
    }

    /// What it costs in the next bracket that `vertex` is matched with `other`.
    fn left_next(&self, criterion: Criterion, vertex: usize, other: usize) -> u64 {
        let there = self.is_member(vertex) || self.zones[vertex] == Zone::Next;
        let paired = self.is_member(other) || self.zones[other] == Zone::Next;
        if !there || paired {
            return 0;
        }
        match criterion {
            Criterion::LeftNextScore(score) => u64::from(self.of(vertex).score == score),
            _ if self.rules == Rules::Fide2017
                && self.next_is_last
                && !self.of(vertex).bye_allowed =>
            {
                3
            }
            _ => 1,
        }
    }

    /// What makes two vertices cost the same.
    fn key(&self, vertex: usize) -> (Zone, u16, u8, [bool; 5], usize, usize) {
        let zone = self.zones[vertex];
        match zone {
            Zone::Rest | Zone::Bye | Zone::Nobody => (zone, 0, 0, [false; 5], 0, NONE),
            Zone::Next => {
                let own = self.of(vertex);
                let flags = [
                    self.rules == Rules::Fide2017 && own.bye_allowed,
                    false,
                    false,
                    false,
                    false,
                ];
                (zone, own.score, 0, flags, 0, NONE)
            }
            Zone::Moved | Zone::Resident => {
                let own = self.of(vertex);
                let colour = match (own.preference.colour(), own.preference.is_strong()) {
                    (None, _) => 0,
                    (Some(colour), strong) => {
                        1 + u8::from(colour.is_white()) * 2 + u8::from(strong)
                    }
                };
                let mixed = self.moved > 0 || self.rules == Rules::Fide2017;
                let flags = [
                    own.down[0],
                    own.down[1],
                    mixed && own.up[0],
                    mixed && own.up[1],
                    self.rules == Rules::Fide2017 && own.bye_allowed,
                ];
                let missed = if self.bye_counts { own.missed } else { 0 };
                let alone = if self.roster.has_topscorers() && own.preference.is_absolute() {
                    vertex
                } else {
                    NONE
                };
                (zone, own.score, colour, flags, missed, alone)
            }
        }
    }

    /// The criteria as digits of one number.
    pub(super) fn digits(&self) -> Digits {
        let mut numbers = BTreeMap::new();
        let mut sample = Vec::new();
        let class: Vec<usize> = (0..self.size())
            .map(|v| {
                *numbers.entry(self.key(v)).or_insert_with(|| {
                    sample.push(v);
                    sample.len() - 1
                })
            })
            .collect();
        let classes = sample.len();
        let mut counts = vec![0_u64; classes];
        for &class in &class {
            counts[class] += 1;
        }
        let mut columns = Vec::new();
        for criterion in self.criteria() {
            let mut column = vec![0_u64; classes * classes];
            let mut most = vec![0_u64; classes];
            for a in 0..classes {
                for b in a..classes {
                    let (x, y) = (sample[a].min(sample[b]), sample[a].max(sample[b]));
                    let cost = self.cost(criterion, x, y);
                    column[a * classes + b] = cost;
                    most[a] = most[a].max(cost);
                    most[b] = most[b].max(cost);
                }
            }
            let bound: u64 = counts.iter().zip(&most).map(|(n, most)| n * most).sum();
            let bits = 64 - bound.div_ceil(2).leading_zeros();
            if bits > 0 {
                columns.push((bits, column));
            }
        }
        Digits {
            class,
            classes,
            columns,
        }
    }
}

/// The halves of the remainder: vertices in order, the first of them in S1.
#[derive(Clone, Debug)]
pub(super) struct Halves {
    /// The remainder.
    pub(super) players: Vec<usize>,
    /// How many of them are in S1.
    pub(super) top: usize,
    /// The number of each vertex in the remainder, [`NONE`] for the others.
    pub(super) number: Vec<usize>,
}

impl Halves {
    pub(super) fn new(players: Vec<usize>, top: usize, size: usize) -> Self {
        let mut number = vec![NONE; size];
        for (at, &v) in players.iter().enumerate() {
            number[v] = at;
        }
        Self {
            players,
            top,
            number,
        }
    }

    /// What an edge means for the exchange: (goes down, comes up), by number.
    pub(super) fn moves(&self, a: usize, b: usize) -> (Option<usize>, Option<usize>) {
        let (one, two) = (self.number[a], self.number[b]);
        let (upper, lower) = (one.min(two), one.max(two));
        match (upper, lower) {
            (NONE, NONE) => (None, None),
            (single, NONE) => ((single < self.top).then_some(single), None),
            _ => (
                (lower < self.top).then_some(lower),
                (upper >= self.top).then_some(upper),
            ),
        }
    }
}

/// Costs as digits, the most important first.
pub(super) struct Digits {
    class: Vec<usize>,
    classes: usize,
    columns: Vec<(u32, Vec<u64>)>,
}

impl Digits {
    /// How wide a number must be: the digits, and room for potentials that run beyond the costs.
    pub(super) fn bits(&self) -> u32 {
        let digits: u32 = self.columns.iter().map(|(bits, _)| bits).sum();
        digits + 7 + (usize::BITS - self.class.len().leading_zeros())
    }

    pub(super) fn pack<W: Weight>(&self) -> Costs<W> {
        Costs::new(self.class.clone(), self.classes, |a, b| {
            let mut total = W::ZERO;
            let mut shift = 0;
            for (bits, column) in self.columns.iter().rev() {
                let digit = column[a.min(b) * self.classes + a.max(b)];
                total = total + W::shifted(digit as u32, shift);
                shift += bits;
            }
            total
        })
    }
}
