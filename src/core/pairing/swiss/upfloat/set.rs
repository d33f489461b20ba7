//! The upfloaters of a bracket (3.5).

use std::collections::BTreeMap;

use super::{Digits, Field, Traits, graph};
use crate::{
    pairing::matching::{
        BitMatrix, BitSet, Costs, NONE, Optimum, Solver, Weight, Wide, maximise, solve,
    },
    types::Points,
};

/// The positions of the upfloaters for the top group of `left`; nothing when the group cannot be
/// completed. `below` is the score of the following group.
pub(super) fn choose(field: &Field, left: &[Traits], below: Option<Points>) -> Option<Vec<usize>> {
    let search = Search::new(field, left, below)?;
    if search.needs_none() {
        return Some(Vec::new());
    }
    let upfloaters = search.fewest(search.levels.len())?;
    // C5 raises the lowest score first: no deeper than needed for so few.
    let depth = (1..search.levels.len())
        .find(|&depth| search.fewest(depth) == Some(upfloaters))
        .unwrap_or(search.levels.len());
    let (widest, _) = search.digits(depth, true);
    match widest.width() {
        ..=63 => search.first::<i64>(depth),
        64..=127 => search.first::<i128>(depth),
        128..=512 => search.first::<Wide<8>>(depth),
        _ => search.first::<Wide<64>>(depth),
    }
}

struct Search<'a> {
    left: &'a [Traits],
    residents: usize,
    /// The scores below, the highest first.
    levels: Vec<Points>,
    /// The score of the following group.
    below: Option<Points>,
    /// C1.
    graph: BitMatrix,
}

/// Where each criterion stands.
struct Places {
    few: u32,
    /// By level from the second; the first follows from the others.
    scores: Vec<u32>,
    ahead: Option<u32>,
    floats: u32,
}

impl<'a> Search<'a> {
    fn new(field: &Field, left: &'a [Traits], below: Option<Points>) -> Option<Self> {
        let top = left.first()?.score;
        let residents = left.partition_point(|own| own.score == top);
        let mut levels: Vec<Points> = left[residents..].iter().map(|own| own.score).collect();
        levels.dedup();
        Some(Self {
            left,
            residents,
            levels,
            below,
            graph: graph(field, left),
        })
    }

    /// The group and the rest can both be paired within themselves.
    fn needs_none(&self) -> bool {
        let size = self.left.len();
        [0..self.residents, self.residents..size]
            .into_iter()
            .all(|range| {
                let mut active = BitSet::new(size);
                for at in range {
                    active.insert(at);
                }
                let mut mate = vec![NONE; size];
                maximise(&self.graph, &mut mate, &active).is_empty()
            })
    }

    fn is_resident(&self, at: usize) -> bool {
        at < self.residents
    }

    /// The level of a score, from 0 below the group.
    fn level(&self, score: Points) -> usize {
        self.levels.partition_point(|&other| other > score)
    }

    /// Pairs between the group and levels from `depth` on are out.
    fn limited(&self, depth: usize) -> BitMatrix {
        let mut graph = self.graph.clone();
        for (at, own) in self.left.iter().enumerate().skip(self.residents) {
            if self.level(own.score) >= depth {
                for resident in 0..self.residents {
                    graph.unset_both(at, resident);
                }
            }
        }
        graph
    }

    fn costs<W: Weight>(&self, cost: impl Fn(&Traits, &Traits) -> W) -> Costs<W> {
        let mut classes: BTreeMap<(Points, bool), (usize, usize)> = BTreeMap::new();
        let mut class = Vec::with_capacity(self.left.len());
        for (at, own) in self.left.iter().enumerate() {
            let next = classes.len();
            let found = classes
                .entry((own.score, own.floated))
                .or_insert((next, at));
            class.push(found.0);
        }
        let mut sample = vec![0; classes.len()];
        for (class, at) in classes.into_values() {
            sample[class] = at;
        }
        Costs::new(class, sample.len(), |a, b| {
            cost(&self.left[sample[a]], &self.left[sample[b]])
        })
    }

    /// Whether a pair has an upfloater: (resident, upfloater).
    fn upfloat<'t>(&self, a: &'t Traits, b: &'t Traits) -> Option<(&'t Traits, &'t Traits)> {
        let top = self.left[0].score;
        match (a.score == top, b.score == top) {
            (true, false) => Some((a, b)),
            (false, true) => Some((b, a)),
            _ => None,
        }
    }

    /// C4 with upfloaters from the first `depth` levels only.
    fn fewest(&self, depth: usize) -> Option<i64> {
        let costs = self.costs(|a, b| i64::from(self.upfloat(a, b).is_some()));
        let solver = solve(&costs, self.limited(depth), |at| at ^ 1)?;
        Some(solver.total())
    }

    fn digits(&self, depth: usize, ahead: bool) -> (Digits, Places) {
        let mut digits = Digits::new(self.left.len());
        let floats = digits.next();
        let ahead = ahead.then(|| digits.next());
        // The lowest level is the most significant.
        let scores = (1..depth).map(|_| digits.next()).collect();
        let few = digits.next();
        (
            digits,
            Places {
                few,
                scores,
                ahead,
                floats,
            },
        )
    }

    fn packed<W: Weight>(&self, places: &Places) -> Costs<W> {
        self.costs(|a, b| {
            let mut cost = W::ZERO;
            let mut add = |place| cost = cost + W::shifted(1, place);
            if let Some((_, upfloater)) = self.upfloat(a, b) {
                add(places.few);
                let level = self.level(upfloater.score);
                if let Some(&place) = level.checked_sub(1).and_then(|at| places.scores.get(at)) {
                    add(place);
                }
                if upfloater.floated {
                    add(places.floats);
                }
            } else if let (Some(place), Some(below)) = (places.ahead, self.below) {
                let (high, low) = (a.score.max(b.score), a.score.min(b.score));
                if high == below && low < below {
                    add(place);
                }
            }
            cost
        })
    }

    /// The first set that is best by C4 to C7.
    fn first<W: Weight>(&self, depth: usize) -> Option<Vec<usize>> {
        let (_, places) = self.digits(depth, true);
        let costs = self.packed::<W>(&places);
        let solver = solve(&costs, self.limited(depth), |at| at ^ 1)?;
        if self.group_below_manages(&solver) {
            return Some(self.walk(Optimum::new(&solver)));
        }
        // No set is better than another by C6.
        let (_, places) = self.digits(depth, false);
        let costs = self.packed::<W>(&places);
        let solver = solve(&costs, self.limited(depth), |at| at ^ 1)?;
        Some(self.walk(Optimum::new(&solver)))
    }

    /// C6: of the following group, emptied or not, no more need upfloaters than its parity says.
    fn group_below_manages<W: Weight>(&self, solver: &Solver<'_, W>) -> bool {
        let (mut members, mut meet_lower) = (0, 0);
        for (at, &mate) in solver.mates().iter().enumerate() {
            let own = &self.left[at];
            if Some(own.score) == self.below && !self.is_resident(mate) {
                members += 1;
                if self.left[mate].score < own.score {
                    meet_lower += 1;
                }
            }
        }
        meet_lower == members % 2
    }

    /// The set that comes first in the order of 3.5.4.
    fn walk(&self, mut optimum: Optimum) -> Vec<usize> {
        let mut wanted = optimum
            .mates()
            .iter()
            .skip(self.residents)
            .filter(|&&mate| self.is_resident(mate))
            .count();
        let mut set = Vec::with_capacity(wanted);
        for at in self.residents..self.left.len() {
            if wanted == 0 {
                break;
            }
            if optimum.limit(at, |mate| self.is_resident(mate)) {
                set.push(at);
                wanted -= 1;
            }
        }
        set
    }
}
