//! The first of the best candidates (articles 3 and 4): of all matchings of least cost the one that
//! the order of generation meets first.

use std::collections::BTreeMap;

use super::problem::{Halves, Problem};
use crate::pairing::matching::{
    BitMatrix, BitSet, Costs, NONE, Optimum, Solver, Weight, Wide, ones, solve,
};

/// A bracket paired.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The partner of each vertex of the problem.
    pub(super) mates: Vec<usize>,
    /// The upper half of the remainder (S1), by number.
    pub(super) upper: Vec<usize>,
    /// The remainder.
    pub(super) halves: Halves,
}

/// The best candidate, or nothing when the problem has no solution.
pub(super) fn best(problem: &Problem<'_, '_>) -> Option<Candidate> {
    let digits = problem.digits();
    match digits.bits() {
        0..=64 => run::<i64>(problem, &digits.pack()),
        65..=128 => run::<i128>(problem, &digits.pack()),
        129..=192 => run::<Wide<3>>(problem, &digits.pack()),
        193..=256 => run::<Wide<4>>(problem, &digits.pack()),
        257..=512 => run::<Wide<8>>(problem, &digits.pack()),
        _ => run::<Wide<64>>(problem, &digits.pack()),
    }
}

fn run<W: Weight>(problem: &Problem<'_, '_>, costs: &Costs<W>) -> Option<Candidate> {
    let half = (problem.members - problem.moved) / 2;
    let hint = |v: usize| {
        if v < problem.moved {
            v + problem.moved
        } else {
            v + half
        }
    };
    let mut optimum = Optimum::new(&solve(costs, problem.graph.clone(), hint)?);
    // 4.4: which of those moved down are paired; 4.2: whom they get.
    let residents = problem.moved..problem.members;
    for v in 0..problem.moved {
        optimum.limit(v, |other| residents.contains(&other));
    }
    for v in 0..problem.moved {
        if residents.contains(&optimum.mates()[v]) {
            optimum.first(v, residents.clone());
        }
    }
    let remainder: Vec<usize> = residents
        .filter(|&v| optimum.mates()[v] >= problem.moved)
        .collect();
    let paired = remainder
        .iter()
        .filter(|&&v| problem.is_member(optimum.mates()[v]))
        .count();
    let halves = Halves::new(remainder, paired / 2, problem.size());
    let partial = match straight(&halves, &optimum) {
        Ok(straight) => {
            let upper = (0..halves.top).collect();
            return transpose(halves, upper, straight);
        }
        Err(partial) => partial,
    };
    let plan = Exchange::new(&halves, &optimum);
    let best = if plan.bits() <= i64::BITS {
        plan.best::<i64>(partial)
    } else {
        plan.best::<i128>(partial)
    };
    exchange(halves, best?)
}

/// The fewest exchanges, then the smallest sum; crossings of charged blossoms before both.
struct Exchange<'a> {
    halves: &'a Halves,
    optimum: &'a Optimum,
    class: Vec<usize>,
    /// A vertex of each class.
    sample: Vec<usize>,
}

impl<'a> Exchange<'a> {
    fn new(halves: &'a Halves, optimum: &'a Optimum) -> Self {
        let graph = optimum.graph();
        // Numbers matter only to those who can change halves, or whose partner can.
        let number = |v: usize| {
            let own = halves.number[v];
            let plain = own == NONE
                || ones(graph.row(v)).all(|other| halves.moves(v, other) == (None, None));
            let half = if own == NONE {
                0
            } else {
                1 + usize::from(own < halves.top)
            };
            (half, if plain { NONE } else { own })
        };
        let mut numbers = BTreeMap::new();
        let mut sample = Vec::new();
        let class = (0..graph.size())
            .map(|v| {
                *numbers
                    .entry((number(v), optimum.crossing_class(v)))
                    .or_insert_with(|| {
                        sample.push(v);
                        sample.len() - 1
                    })
            })
            .collect();
        Self {
            halves,
            optimum,
            class,
            sample,
        }
    }

    /// What an exchange costs before its numbers do.
    fn unit(&self) -> u64 {
        let players = self.halves.players.len() as u64 + 1;
        4 * players * players
    }

    fn exchange_bits(&self) -> u32 {
        let bound = (self.class.len() as u64) * (self.unit() + self.halves.players.len() as u64);
        u64::BITS - bound.leading_zeros()
    }

    /// How wide a number must be; compare [`super::problem::Digits::bits`].
    fn bits(&self) -> u32 {
        let size = self.class.len() as u64;
        let crossings = size * self.optimum.blossoms();
        let width = |number: u64| u64::BITS - number.leading_zeros();
        self.exchange_bits() + width(crossings) + 7 + width(size)
    }

    fn best<W: Weight>(&self, partial: Vec<usize>) -> Option<Optimum> {
        let shift = self.exchange_bits();
        let costs = Costs::new(self.class.clone(), self.sample.len(), |a, b| {
            let (a, b) = (self.sample[a], self.sample[b]);
            let (down, up) = self.halves.moves(a, b);
            let exchange = down.map_or(0, |number| self.unit() - number as u64)
                + up.map_or(0, |number| number as u64);
            W::shifted(self.optimum.crossings(a, b) as u32, shift) + W::shifted(exchange as u32, 0)
        });
        let mut mates = partial;
        for (v, mate) in mates.iter_mut().enumerate() {
            if *mate != NONE && costs.of(v, *mate) != W::ZERO {
                *mate = NONE;
            }
        }
        let start = vec![W::ZERO; mates.len()];
        let mut solver = Solver::new(&costs, self.optimum.graph().clone(), &start, mates);
        solver.solve().then(|| Optimum::new(&solver))
    }
}

/// The edges that stay when nobody changes halves: S1 meets S2 only, and only S2 is left over.
fn cross(halves: &Halves, graph: &BitMatrix) -> BitMatrix {
    let size = graph.size();
    let mut cut = graph.clone();
    let (mut top, mut bottom) = (BitSet::full(size), BitSet::full(size));
    for (at, &v) in halves.players.iter().enumerate() {
        if at < halves.top {
            top.remove(v);
        } else {
            bottom.remove(v);
        }
    }
    let mut others = top.clone();
    for (others, bottom) in others.words_mut().iter_mut().zip(bottom.words()) {
        *others &= bottom;
    }
    for (at, &v) in halves.players.iter().enumerate() {
        for other in 0..top.words().len() {
            let (top, bottom, others) = (
                top.words()[other],
                bottom.words()[other],
                others.words()[other],
            );
            // S1 meets S2 only; S2 meets S1 or whoever is not of the remainder.
            let allowed = if at < halves.top {
                !bottom
            } else {
                !top | others
            };
            cut.row_mut(v)[other] &= allowed;
        }
    }
    for v in others.iter() {
        for &upper in &halves.players[..halves.top] {
            cut.unset(v, upper);
        }
    }
    cut
}

/// Tries without exchanges: the best matchings in which S1 meets S2. Otherwise a matching of that
/// kind as large as can be.
fn straight(halves: &Halves, optimum: &Optimum) -> Result<Optimum, Vec<usize>> {
    let cut = cross(halves, optimum.graph());
    let mut mate = optimum.mates().to_vec();
    for (v, other) in mate.iter_mut().enumerate() {
        if !cut.get(v, *other) {
            *other = NONE;
        }
    }
    for (at, &upper) in halves.players[..halves.top].iter().enumerate() {
        let Some(&lower) = halves.players.get(at + halves.top) else {
            break;
        };
        if mate[upper] == NONE && mate[lower] == NONE && cut.get(upper, lower) {
            mate[upper] = lower;
            mate[lower] = upper;
        }
    }
    optimum.within(&cut, mate)
}

/// 4.3: which residents change halves.
fn exchange(halves: Halves, optimum: Optimum) -> Option<Candidate> {
    let mut optimum = optimum;
    let number = |v: usize| halves.number[v];
    let goes_down = |optimum: &Optimum, at: usize| {
        let other = number(optimum.mates()[halves.players[at]]);
        other < at || other == NONE
    };
    let all = (0..halves.top)
        .filter(|&at| goes_down(&optimum, at))
        .count();
    let mut kept: Vec<usize> = Vec::new();
    for at in (0..halves.top).rev() {
        let down = optimum.limit(halves.players[at], |other| {
            number(other) < at || number(other) == NONE
        });
        if !down {
            kept.push(at);
        }
    }
    let mut rising = all;
    for at in halves.top..halves.players.len() {
        if rising == 0 {
            break;
        }
        let up = optimum.limit(halves.players[at], |other| {
            number(other) > at && number(other) != NONE
        });
        if up {
            rising -= 1;
            kept.push(at);
        }
    }
    debug_assert_eq!(kept.len(), halves.top);
    kept.sort_unstable();
    transpose(halves, kept, optimum)
}

/// 4.2: the first transposition.
fn transpose(halves: Halves, kept: Vec<usize>, optimum: Optimum) -> Option<Candidate> {
    let mut optimum = optimum;
    let mut upper = vec![false; halves.players.len()];
    for &at in &kept {
        upper[at] = true;
    }
    let lower: Vec<usize> = halves
        .players
        .iter()
        .zip(&upper)
        .filter(|(_, upper)| !**upper)
        .map(|(&v, _)| v)
        .collect();
    for &at in &kept {
        optimum.first(halves.players[at], lower.iter().copied())?;
    }
    Some(Candidate {
        mates: optimum.mates().to_vec(),
        upper: kept,
        halves,
    })
}
