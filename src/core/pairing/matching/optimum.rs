//! All best matchings at once: questions of the kind "is there a best matching in which…", asked one
//! after the other, each answer binding for the next.

use super::{Alternating, BitMatrix, BitSet, NONE, Solver, Weight, ones};

/// The best matchings that agree with every answer so far.
#[derive(Clone, Debug)]
pub enum Optimum<'a, W> {
    /// They are the perfect matchings of a graph.
    Graph(Tight),
    /// Charged blossoms bind them too: each question is a new search for the least cost.
    Weighted {
        /// The state, with one best matching.
        solver: Box<Solver<'a, W>>,
        /// The least cost.
        total: W,
    },
}

/// A graph of which every perfect matching is a best one, with one of them.
#[derive(Clone, Debug)]
pub struct Tight {
    graph: BitMatrix,
    mate: Vec<usize>,
    active: BitSet,
    search: Alternating,
}

impl Tight {
    /// From a graph and a perfect matching of it.
    pub fn new(graph: BitMatrix, mate: Vec<usize>) -> Self {
        let size = graph.size();
        Self {
            graph,
            mate,
            active: BitSet::full(size),
            search: Alternating::new(size),
        }
    }

    /// The edges that may still be in a best matching, and one best matching.
    pub fn into_parts(self) -> (BitMatrix, Vec<usize>) {
        (self.graph, self.mate)
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

    fn limit(&mut self, vertex: usize, allowed: &impl Fn(usize) -> bool) -> bool {
        if !allowed(self.mate[vertex]) {
            let any = ones(self.graph.row(vertex)).any(allowed);
            if !any || !self.rematch(vertex, allowed) {
                self.keep(vertex, |other| !allowed(other));
                return false;
            }
        }
        self.keep(vertex, allowed);
        true
    }

    fn first(&mut self, vertex: usize, order: &mut dyn Iterator<Item = usize>) -> Option<usize> {
        let row: Vec<usize> = order.filter(|&j| self.graph.get(vertex, j)).collect();
        let &wanted = row.first()?;
        if self.mate[vertex] != wanted && !self.rematch(vertex, |x| x == wanted) {
            let root = self.mate[vertex];
            let best = *row.iter().find(|&&j| self.search.reached().contains(j))?;
            if best != root {
                self.mate[vertex] = NONE;
                self.mate[root] = NONE;
                self.search.free(&mut self.mate, best);
                self.mate[vertex] = best;
                self.mate[best] = vertex;
            }
        }
        let partner = self.mate[vertex];
        self.keep(vertex, |other| other == partner);
        self.keep(partner, |other| other == vertex);
        Some(partner)
    }
}

impl<'a, W: Weight> Optimum<'a, W> {
    /// From a solved state.
    pub fn new(solver: Solver<'a, W>) -> Self {
        if solver.has_blossoms() {
            Self::Weighted {
                total: solver.total(),
                solver: Box::new(solver),
            }
        } else {
            Self::Graph(Tight::new(solver.tight(), solver.mates().to_vec()))
        }
    }

    /// All perfect matchings of a graph, with one of them.
    pub fn from_graph(graph: BitMatrix, mate: Vec<usize>) -> Self {
        Self::Graph(Tight::new(graph, mate))
    }

    /// One best matching.
    pub fn mates(&self) -> &[usize] {
        match self {
            Self::Graph(tight) => &tight.mate,
            Self::Weighted { solver, .. } => solver.mates(),
        }
    }

    /// Whether a best matching exists in which the partner of `vertex` is allowed. From then on it is
    /// so, or it is not so.
    pub fn limit(&mut self, vertex: usize, allowed: impl Fn(usize) -> bool) -> bool {
        match self {
            Self::Graph(tight) => tight.limit(vertex, &allowed),
            Self::Weighted { solver, total } => {
                if allowed(solver.mates()[vertex]) {
                    let kept = solver.limit(vertex, allowed);
                    debug_assert!(kept);
                    return true;
                }
                let any = ones(solver.graph().row(vertex))
                    .any(|other| allowed(other) && !solver.is_hopeless(vertex, other));
                if any {
                    let mut trial = solver.clone();
                    if trial.limit(vertex, &allowed) && trial.total() == *total {
                        *solver = trial;
                        return true;
                    }
                }
                solver.limit(vertex, |other| !allowed(other));
                false
            }
        }
    }

    /// The first partner in this order that `vertex` has in a best matching; from then on he has it.
    pub fn first(
        &mut self,
        vertex: usize,
        mut order: impl Iterator<Item = usize>,
    ) -> Option<usize> {
        match self {
            Self::Graph(tight) => tight.first(vertex, &mut order),
            Self::Weighted { .. } => order.find(|&other| self.limit(vertex, |x| x == other)),
        }
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
        let table: Vec<i64> = (0..classes * classes).map(|_| next(4) as i64).collect();
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
        let mut optimum = Optimum::new(solver);
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
