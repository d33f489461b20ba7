//! All best matchings at once: questions of the kind "is there a best matching in which…", asked one
//! after the other, each answer binding for the next.
//!
//! The best matchings are the perfect matchings of the edges without slack that cross every charged
//! blossom just once. Mostly there is no charged blossom, or the perfect matching that an
//! alternating tree finds crosses them well; only otherwise a new search for the fewest crossings is
//! needed.

use super::{Alternating, BitMatrix, BitSet, Costs, NONE, Solver, Weight, ones, solve};

/// The best matchings that agree with every answer so far, with one of them.
#[derive(Clone, Debug)]
pub struct Optimum {
    tight: Tight,
    /// How often an edge crosses charged blossoms, and how many there are.
    crossings: Option<(Costs<i64>, i64)>,
}

/// A graph and a perfect matching of it.
#[derive(Clone, Debug)]
struct Tight {
    graph: BitMatrix,
    mate: Vec<usize>,
    active: BitSet,
    search: Alternating,
}

impl Tight {
    fn new(graph: BitMatrix, mate: Vec<usize>) -> Self {
        let size = graph.size();
        Self {
            graph,
            mate,
            active: BitSet::full(size),
            search: Alternating::new(size),
        }
    }

    fn keep(&mut self, vertex: usize, allowed: impl Fn(usize) -> bool) {
        let row: Vec<usize> = ones(self.graph.row(vertex)).collect();
        for other in row {
            if !allowed(other) {
                self.graph.unset_both(vertex, other);
            }
        }
    }

    /// Changes the matching so that `vertex` gets a partner for whom `found` says yes; otherwise the
    /// search knows everybody whom it can get.
    fn rematch(&mut self, vertex: usize, found: impl Fn(usize) -> bool) -> bool {
        let root = self.mate[vertex];
        self.mate[vertex] = NONE;
        self.mate[root] = NONE;
        self.active.remove(vertex);
        let row = self.graph.row(vertex);
        let has = |other: usize| row[other / 64] >> (other % 64) & 1 == 1;
        let partner = self
            .search
            .search(&self.graph, &mut self.mate, &self.active, root, |x| {
                has(x) && found(x)
            });
        self.active.insert(vertex);
        let partner_or_root = partner.unwrap_or(root);
        self.mate[vertex] = partner_or_root;
        self.mate[partner_or_root] = vertex;
        partner.is_some()
    }

    /// Changes the matching so that `vertex` gets the first partner in this order that he can have.
    fn rematch_first(&mut self, vertex: usize, order: &[usize]) -> Option<usize> {
        let &wanted = order.first()?;
        if self.mate[vertex] != wanted && !self.rematch(vertex, |x| x == wanted) {
            let root = self.mate[vertex];
            let best = *order.iter().find(|&&j| self.search.reached().contains(j))?;
            if best != root {
                self.mate[vertex] = NONE;
                self.mate[root] = NONE;
                self.search.free(&mut self.mate, best);
                self.mate[vertex] = best;
                self.mate[best] = vertex;
            }
        }
        Some(self.mate[vertex])
    }
}

impl Optimum {
    /// From a solved state.
    pub fn new<W: Weight>(solver: &Solver<'_, W>) -> Self {
        Self {
            tight: Tight::new(solver.tight(), solver.mates().to_vec()),
            crossings: solver.crossings(),
        }
    }

    /// All perfect matchings of a graph, with one of them.
    pub fn from_graph(graph: BitMatrix, mate: Vec<usize>) -> Self {
        Self {
            tight: Tight::new(graph, mate),
            crossings: None,
        }
    }

    /// One best matching.
    pub fn mates(&self) -> &[usize] {
        &self.tight.mate
    }

    /// The edges that may still be in a best matching.
    pub fn graph(&self) -> &BitMatrix {
        &self.tight.graph
    }

    /// How often an edge crosses charged blossoms: whoever looks for a perfect matching of
    /// [`Self::graph`] must keep the sum as small as it can be.
    pub fn crossings(&self, a: usize, b: usize) -> i64 {
        self.crossings
            .as_ref()
            .map_or(0, |(costs, _)| costs.of(a, b))
    }

    /// Vertices of the same class cross the same charged blossoms.
    pub fn crossing_class(&self, vertex: usize) -> usize {
        self.crossings
            .as_ref()
            .map_or(0, |(costs, _)| costs.classes()[vertex])
    }

    /// How many charged blossoms there are.
    pub fn blossoms(&self) -> u64 {
        self.crossings
            .as_ref()
            .map_or(0, |(_, blossoms)| blossoms.unsigned_abs())
    }

    /// The best matchings with edges of `graph` only, a part of [`Self::graph`]; nothing when there
    /// is none. `mate` is a matching of such edges to start from.
    pub fn within(&self, graph: &BitMatrix, mate: Vec<usize>) -> Result<Self, Vec<usize>> {
        let mut mate = mate;
        let all = BitSet::full(graph.size());
        if !super::maximise(graph, &mut mate, &all).is_empty() {
            return Err(mate);
        }
        let mate = self.settle(graph, mate.clone()).ok_or(mate)?;
        Ok(Self {
            tight: Tight::new(graph.clone(), mate),
            crossings: self.crossings.clone(),
        })
    }

    /// Whether a best matching exists in which the partner of `vertex` is allowed. From then on it is
    /// so, or it is not so.
    pub fn limit(&mut self, vertex: usize, allowed: impl Fn(usize) -> bool) -> bool {
        if !allowed(self.tight.mate[vertex]) {
            let any = ones(self.tight.graph.row(vertex)).any(&allowed);
            let before = self.tight.mate.clone();
            if !any
                || !self.tight.rematch(vertex, &allowed)
                || !self.confirm(vertex, &allowed, before)
            {
                self.tight.keep(vertex, |other| !allowed(other));
                return false;
            }
        }
        self.tight.keep(vertex, allowed);
        true
    }

    /// The first partner in this order that `vertex` has in a best matching; from then on he has it.
    pub fn first(&mut self, vertex: usize, order: impl Iterator<Item = usize>) -> Option<usize> {
        let mut row: Vec<usize> = order
            .filter(|&other| self.tight.graph.get(vertex, other))
            .collect();
        loop {
            let before = self.tight.mate.clone();
            let partner = self.tight.rematch_first(vertex, &row)?;
            if before[vertex] == partner || self.confirm(vertex, &|x| x == partner, before) {
                self.tight.keep(vertex, |other| other == partner);
                self.tight.keep(partner, |other| other == vertex);
                return Some(partner);
            }
            self.tight.graph.unset_both(vertex, partner);
            row.retain(|&other| other != partner);
        }
    }

    /// Whether a perfect matching with such a partner can be a best one; if so it is one afterwards,
    /// if not the matching is what it was before.
    fn confirm(
        &mut self,
        vertex: usize,
        allowed: &impl Fn(usize) -> bool,
        before: Vec<usize>,
    ) -> bool {
        if self.crossings.is_none() {
            return true;
        }
        let found = std::mem::replace(&mut self.tight.mate, before);
        if self.is_best(&found) {
            self.tight.mate = found;
            return true;
        }
        let mut graph = self.tight.graph.clone();
        for other in ones(self.tight.graph.row(vertex)) {
            if !allowed(other) {
                graph.unset_both(vertex, other);
            }
        }
        match self.settle(&graph, found) {
            Some(best) => {
                self.tight.mate = best;
                true
            }
            None => false,
        }
    }

    fn is_best(&self, mate: &[usize]) -> bool {
        self.crossings.as_ref().is_none_or(|(costs, total)| {
            let twice: i64 = mate.iter().enumerate().map(|(a, &b)| costs.of(a, b)).sum();
            twice == 2 * total
        })
    }

    /// A best matching of a part of the graph that has this perfect matching.
    fn settle(&self, graph: &BitMatrix, mate: Vec<usize>) -> Option<Vec<usize>> {
        if self.is_best(&mate) {
            return Some(mate);
        }
        let (costs, total) = self.crossings.as_ref()?;
        let solver = solve(costs, graph.clone(), |v| mate[v])?;
        (solver.total() == *total).then(|| solver.mates().to_vec())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{
        super::{Costs, solve},
        *,
    };

    /// All perfect matchings, as lists of partners.
    fn all(graph: &BitMatrix) -> Vec<Vec<usize>> {
        fn go(graph: &BitMatrix, mate: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
            let Some(a) = mate.iter().position(|&b| b == NONE) else {
                found.push(mate.clone());
                return;
            };
            for b in a + 1..mate.len() {
                if mate[b] == NONE && graph.get(a, b) {
                    mate[a] = b;
                    mate[b] = a;
                    go(graph, mate, found);
                    mate[a] = NONE;
                    mate[b] = NONE;
                }
            }
        }
        let mut found = Vec::new();
        go(graph, &mut vec![NONE; graph.size()], &mut found);
        found
    }

    fn total(costs: &Costs<i64>, mate: &[usize]) -> i64 {
        let sum: i64 = (0..mate.len()).map(|a| costs.of(a, mate[a])).sum();
        sum / 2
    }

    /// Asks for the first partner of every vertex, and for some limits, and compares with all
    /// matchings.
    fn compare(size: usize, classes: usize, seed: &[u8]) -> Result<(), TestCaseError> {
        let mut at = 0;
        let mut next = |bound: usize| {
            at += 1;
            let a = u64::from(seed[at % seed.len()]) + 1;
            let b = u64::from(seed[(at * 7 + 3) % seed.len()]) + at as u64;
            ((a.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ b.wrapping_mul(0xBF58_476D_1CE4_E5B9)) >> 33)
                as usize
                % bound
        };
        let class: Vec<usize> = (0..size).map(|_| next(classes)).collect();
        let table: Vec<i64> = (0..classes * classes)
            .map(|_| i64::from(next(4) as u32))
            .collect();
        let costs = Costs::new(class, classes, |a, b| table[a * classes + b]);
        let mut graph = BitMatrix::new(size);
        let density = 2 + next(6);
        for a in 0..size {
            for b in a + 1..size {
                if next(density) > 0 {
                    graph.set_both(a, b);
                }
            }
        }
        let matchings = all(&graph);
        let least = matchings.iter().map(|mate| total(&costs, mate)).min();
        let solver = solve(&costs, graph, |a| a ^ 1);
        prop_assert_eq!(solver.as_ref().map(Solver::total), least);
        let Some(solver) = solver else { return Ok(()) };
        let mut best: Vec<Vec<usize>> = matchings
            .into_iter()
            .filter(|mate| Some(total(&costs, mate)) == least)
            .collect();
        let mut optimum = Optimum::new(&solver);
        for vertex in 0..size {
            if next(2) == 0 {
                let bar = next(size);
                let possible = best.iter().any(|mate| mate[vertex] < bar);
                prop_assert_eq!(optimum.limit(vertex, |x| x < bar), possible);
                best.retain(|mate| (mate[vertex] < bar) == possible);
            } else {
                let order: Vec<usize> = (0..size).rev().collect();
                let first = best.iter().map(|mate| mate[vertex]).max();
                prop_assert_eq!(optimum.first(vertex, order.into_iter()), first);
                best.retain(|mate| Some(mate[vertex]) == first);
            }
            prop_assert!(best.contains(&optimum.mates().to_vec()));
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn answers_equal_those_of_all_matchings(
            half in 1_usize..=5,
            classes in 1_usize..=10,
            seed in prop::collection::vec(any::<u8>(), 40..80),
        ) {
            compare(half * 2, classes, &seed)?;
        }
    }
}
