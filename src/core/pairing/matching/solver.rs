//! Perfect matchings of least cost: the primal-dual method of Edmonds, with the trees of all
//! unmatched vertices at once, and able to go on from any feasible start.
//!
//! A vertex has a potential, an odd set ("blossom") a charge that is never negative. The slack of an
//! edge, `4·cost − potential − potential` plus the charges of the blossoms that hold both ends, is
//! never negative; matched edges have none. Then a perfect matching is one of least cost. Four times
//! the cost, and potentials that are even at the start, keep every step a whole number.
//!
//! By turns the matching is made as large as edges without slack let it be, and the potentials move
//! as far as the trees that show it so allow.

use super::{
    BitMatrix, BitSet, Costs, NONE, Weight,
    blossoms::{Blossoms, Part},
    forest::{Forest, Trees, forest},
    kinds::{Kinds, Label},
};

/// The state of the method: potentials, blossoms, matching.
#[derive(Clone, Debug)]
pub struct Solver<'a, W> {
    costs: &'a Costs<W>,
    graph: BitMatrix,
    kinds: Kinds<W>,
    blossoms: Blossoms<W>,
    mate: Vec<usize>,
}

impl<'a, W: Weight> Solver<'a, W> {
    /// Starts with these potentials, whose sums must not be more than twice the cost of an edge, and
    /// a matching that uses only edges for which they are equal.
    pub fn new(costs: &'a Costs<W>, graph: BitMatrix, potential: &[W], mate: Vec<usize>) -> Self {
        let size = graph.size();
        let doubled: Vec<W> = potential.iter().map(|p| p.double()).collect();
        Self {
            costs,
            graph,
            kinds: Kinds::new(costs, &doubled),
            blossoms: Blossoms::new(size),
            mate,
        }
    }

    /// The matching.
    pub fn mates(&self) -> &[usize] {
        &self.mate
    }

    /// The sum of the costs of the matching.
    pub fn total(&self) -> W {
        let mut total = W::ZERO;
        for (a, &b) in self.mate.iter().enumerate() {
            if b != NONE && a < b {
                total = total + self.costs.of(a, b);
            }
        }
        total
    }

    /// Matches everybody at least cost; false when no perfect matching exists.
    pub fn solve(&mut self) -> bool {
        loop {
            let (tight, faces) = self.contracted();
            let before: Vec<usize> = (0..self.mate.len())
                .map(|face| {
                    if !faces.contains(face) {
                        return NONE;
                    }
                    match self.mate[self.blossoms.base(self.blossoms.top(face))] {
                        NONE => NONE,
                        other => self.blossoms.face(other),
                    }
                })
                .collect();
            let mut after = before.clone();
            let forest = forest(&tight, &mut after, &faces);
            for (one, &two) in after.iter().enumerate() {
                if two != NONE && one < two && before[one] != two {
                    self.join(self.blossoms.top(one), self.blossoms.top(two));
                }
            }
            let Some(forest) = forest else { return true };
            let trees = Trees::new(&forest, &self.blossoms, self.mate.len());
            let Some(step) = self.step(&forest, &trees) else {
                return false;
            };
            self.adjust(&forest, &trees, &tight, step);
        }
    }

    /// The edges without slack between outermost parts, each of them as the vertex that stands for
    /// it, and these vertices.
    fn contracted(&self) -> (BitMatrix, BitSet) {
        let size = self.mate.len();
        // Edges within a blossom play no part any more.
        let mut tight = self.kinds.tight(self.costs, |v| {
            let within = self.blossoms.get(self.blossoms.top(v));
            (self.graph.row(v), within.map(|blossom| &blossom.leaves))
        });
        let mut faces = BitSet::full(size);
        for (_, blossom) in self.blossoms.outermost() {
            let mut row = BitSet::new(size);
            for leaf in blossom.leaves.iter() {
                for (word, leaf) in row.words_mut().iter_mut().zip(tight.row(leaf)) {
                    *word |= leaf;
                }
            }
            tight.row_mut(blossom.face).copy_from_slice(row.words());
            for other in row.iter() {
                tight.set(other, blossom.face);
            }
            faces.subtract(&blossom.leaves);
            faces.insert(blossom.face);
        }
        (tight, faces)
    }

    fn join(&mut self, one: Part, two: Part) {
        let (costs, kinds, graph) = (self.costs, &self.kinds, &self.graph);
        let edge = |blossoms: &Blossoms<W>, one: Part, two: Part, charge: W| {
            let fits = |x: usize, y: usize| {
                graph.get(x, y) && kinds.slack(costs, kinds.of(x), kinds.of(y)) + charge == W::ZERO
            };
            match (blossoms.get(one), blossoms.get(two)) {
                (None, None) => fits(one, two).then_some((one, two)),
                (Some(one), None) => one.leaves.iter().find(|&x| fits(x, two)).map(|x| (x, two)),
                (None, Some(two)) => two.leaves.iter().find(|&y| fits(one, y)).map(|y| (one, y)),
                (Some(one), Some(two)) => one
                    .leaves
                    .iter()
                    .find_map(|x| two.leaves.iter().find(|&y| fits(x, y)).map(|y| (x, y))),
            }
        };
        self.blossoms
            .join(&mut self.mate, (one, two), W::ZERO, &edge);
    }

    /// How far the potentials can move; nothing when they can for ever: then no perfect matching
    /// exists.
    fn step(&self, forest: &Forest, trees: &Trees) -> Option<W> {
        let mut step: Option<W> = None;
        for (_, blossom) in self.blossoms.outermost() {
            let charge = blossom.charge.half();
            if forest.odd.contains(blossom.face) && step.is_none_or(|step| charge < step) {
                step = Some(charge);
            }
        }
        let size = self.mate.len();
        for kind in 0..self.kinds.count() {
            // What the even vertices of this kind have edges to: outside the forest, and in other
            // parts of it at even distance.
            let (mut free, mut even) = (BitSet::new(size), BitSet::new(size));
            let mut any = false;
            for x in self.kinds.members(kind).iter() {
                if trees.label[x] != Label::Even {
                    continue;
                }
                any = true;
                let row = self.graph.row(x);
                let words = free.words_mut().iter_mut().zip(trees.free.words());
                for ((word, free), row) in words.zip(row) {
                    *word |= row & free;
                }
                let words = even.words_mut().iter_mut().zip(trees.others(x).words());
                for ((word, others), row) in words.zip(row) {
                    *word |= row & others;
                }
            }
            if !any {
                continue;
            }
            self.kinds.slacks(self.costs, kind, &free, |_, slack| {
                if step.is_none_or(|step| slack < step) {
                    step = Some(slack);
                }
            });
            self.kinds.slacks(self.costs, kind, &even, |_, slack| {
                if step.is_none_or(|step| slack < step.double()) {
                    step = Some(slack.half());
                }
            });
        }
        debug_assert!(step.is_none_or(|step| step > W::ZERO));
        step
    }

    fn adjust(&mut self, forest: &Forest, trees: &Trees, tight: &BitMatrix, step: W) {
        self.kinds.adjust(&trees.label, step);
        let mut spent = Vec::new();
        let charged: Vec<(Part, usize)> = self
            .blossoms
            .outermost()
            .map(|(part, blossom)| (part, blossom.face))
            .collect();
        for (part, face) in charged {
            let Some(blossom) = self.blossoms.get_mut(part) else {
                continue;
            };
            if forest.odd.contains(face) {
                blossom.charge = blossom.charge - step.double();
                if blossom.charge == W::ZERO {
                    spent.push(part);
                }
            } else if forest.even.contains(face) && trees.alone(face) {
                blossom.charge = blossom.charge + step.double();
            }
        }
        for part in spent {
            self.blossoms.dissolve(part);
        }
        for faces in &forest.cycles {
            self.blossoms
                .contract(faces, tight, &self.mate, step.double());
        }
    }

    /// The edges without slack. Together with the blossoms they hold all best matchings.
    pub fn tight(&self) -> BitMatrix {
        let mut tight = self.kinds.tight(self.costs, |v| (self.graph.row(v), None));
        let size = self.mate.len();
        // Inside a blossom its charges count: by vertices of the same kind and innermost blossom.
        for (_, blossom) in self.blossoms.outermost() {
            let mut cells: Vec<(usize, BitSet)> = Vec::new();
            for leaf in blossom.leaves.iter() {
                let cell = |v: usize| (self.kinds.of(v), self.blossoms.inner(v));
                let known = cells.iter_mut().find(|(one, _)| cell(*one) == cell(leaf));
                if let Some((_, members)) = known {
                    members.insert(leaf);
                } else {
                    let mut members = BitSet::new(size);
                    members.insert(leaf);
                    cells.push((leaf, members));
                }
            }
            for (one, members) in &cells {
                let mut mask = BitSet::new(size);
                for (other, others) in &cells {
                    let (a, b) = (self.kinds.of(*one), self.kinds.of(*other));
                    let charge = self.blossoms.common_charge(*one, *other);
                    if self.kinds.slack(self.costs, a, b) + charge == W::ZERO {
                        mask.add(others);
                    }
                }
                for v in members.iter() {
                    for (at, word) in tight.row_mut(v).iter_mut().enumerate() {
                        let leaves = blossom.leaves.words()[at];
                        *word = *word & !leaves | self.graph.row(v)[at] & mask.words()[at];
                    }
                }
            }
        }
        tight
    }

    /// How often an edge crosses a charged blossom, and how many there are, if any.
    pub fn crossings(&self) -> Option<(Costs<i64>, i64)> {
        let mut classes: Vec<Vec<Part>> = Vec::new();
        let class = (0..self.mate.len())
            .map(|v| {
                let around: Vec<Part> = self
                    .blossoms
                    .around(self.blossoms.inner(v))
                    .map(|(part, _)| part)
                    .collect();
                classes
                    .iter()
                    .position(|known| *known == around)
                    .unwrap_or_else(|| {
                        classes.push(around);
                        classes.len() - 1
                    })
            })
            .collect();
        let charged = self.blossoms.count();
        let costs = Costs::new(class, classes.len(), |a, b| {
            let (one, two) = (&classes[a], &classes[b]);
            let common = one.iter().filter(|part| two.contains(part)).count();
            i64::from((one.len() + two.len() - 2 * common) as u32)
        });
        (charged > 0).then_some((costs, i64::from(charged as u32)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{super::solve, *};

    /// The least cost of matching each set of vertices among themselves.
    fn least(costs: &Costs<i64>, graph: &BitMatrix) -> Vec<Option<i64>> {
        let mut least = vec![None; 1 << graph.size()];
        least[0] = Some(0);
        for set in 1..least.len() {
            let a = set.trailing_zeros() as usize;
            least[set] = (a + 1..graph.size())
                .filter(|&b| set >> b & 1 == 1 && graph.get(a, b))
                .filter_map(|b| Some(least[set & !(1 << a) & !(1 << b)]? + costs.of(a, b)))
                .min();
        }
        least
    }

    /// A matching of least cost of a set.
    fn matching(
        costs: &Costs<i64>,
        graph: &BitMatrix,
        least: &[Option<i64>],
        set: usize,
    ) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        let mut set = set;
        while set != 0 {
            let a = set.trailing_zeros() as usize;
            let b = (a + 1..graph.size())
                .find(|&b| {
                    set >> b & 1 == 1
                        && graph.get(a, b)
                        && least[set & !(1 << a) & !(1 << b)]
                            .is_some_and(|rest| Some(rest + costs.of(a, b)) == least[set])
                })
                .expect("the set can be matched");
            pairs.push((a, b));
            set &= !(1 << a) & !(1 << b);
        }
        pairs
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn every_best_matching_is_without_slack_and_crosses_each_blossom_once(
            half in 2_usize..=6,
            classes in 1_usize..=12,
            most in 1_i64..9,
            percent in 20_usize..100,
            table in prop::collection::vec(0_i64..1000, 144),
            edges in prop::collection::vec(0_usize..100, 144),
            class in prop::collection::vec(0_usize..144, 12),
        ) {
            let size = half * 2;
            let class = class[..size].iter().map(|class| class % classes).collect();
            let costs = Costs::new(class, classes, |a, b| table[a * 12 + b] % most);
            let mut graph = BitMatrix::new(size);
            for a in 0..size {
                for b in a + 1..size {
                    if edges[a * 12 + b] < percent {
                        graph.set_both(a, b);
                    }
                }
            }
            let least = least(&costs, &graph);
            let all = (1 << size) - 1;
            let solver = solve(&costs, graph.clone(), |a| a ^ 1);
            prop_assert_eq!(solver.as_ref().map(Solver::total), least[all]);
            let Some(solver) = solver else { return Ok(()) };
            let (tight, crossings) = (solver.tight(), solver.crossings());
            for a in 0..size {
                for b in (a + 1..size).filter(|&b| graph.get(a, b)) {
                    let rest = all & !(1 << a) & !(1 << b);
                    let Some(cost) = least[rest] else { continue };
                    if Some(cost + costs.of(a, b)) != least[all] {
                        continue;
                    }
                    let mut pairs = matching(&costs, &graph, &least, rest);
                    pairs.push((a, b));
                    prop_assert!(pairs.iter().all(|&(x, y)| tight.get(x, y)));
                    if let Some((crossings, blossoms)) = &crossings {
                        let sum: i64 = pairs.iter().map(|&(x, y)| crossings.of(x, y)).sum();
                        prop_assert_eq!(sum, *blossoms);
                    }
                }
            }
        }
    }
}
