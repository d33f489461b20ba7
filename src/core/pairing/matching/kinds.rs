//! Vertices of the same class with the same potential: between two such kinds every edge has the
//! same slack, so that slacks are reckoned once a pair of kinds, and edges are looked for by rows of
//! bits.

use std::collections::BTreeMap;

use super::{BitMatrix, BitSet, Costs, NONE, Weight};

/// How a vertex stands to the forest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    /// Not in it.
    Free,
    /// At even distance from a root.
    Even,
    /// At odd distance.
    Odd,
}

/// The kinds of the vertices.
#[derive(Clone, Debug)]
pub(super) struct Kinds<W> {
    /// The kind of each vertex.
    of: Vec<usize>,
    // By kind:
    class: Vec<usize>,
    potential: Vec<W>,
    members: Vec<BitSet>,
}

impl<W: Weight> Kinds<W> {
    pub(super) fn new(costs: &Costs<W>, potential: &[W]) -> Self {
        let mut numbers = BTreeMap::new();
        let of = costs
            .classes()
            .iter()
            .zip(potential)
            .map(|(&class, &potential)| {
                let next = numbers.len();
                *numbers.entry((class, potential)).or_insert(next)
            })
            .collect();
        Self::collect(of, numbers)
    }

    fn collect(of: Vec<usize>, numbers: BTreeMap<(usize, W), usize>) -> Self {
        let mut members = vec![BitSet::new(of.len()); numbers.len()];
        for (v, &kind) in of.iter().enumerate() {
            members[kind].insert(v);
        }
        let mut class = vec![NONE; numbers.len()];
        let mut potential = vec![W::ZERO; numbers.len()];
        for ((own, value), kind) in numbers {
            class[kind] = own;
            potential[kind] = value;
        }
        Self {
            of,
            class,
            potential,
            members,
        }
    }

    /// How many kinds there are.
    pub(super) fn count(&self) -> usize {
        self.class.len()
    }

    /// The kind of a vertex.
    pub(super) fn of(&self, vertex: usize) -> usize {
        self.of[vertex]
    }

    /// The vertices of a kind.
    pub(super) fn members(&self, kind: usize) -> &BitSet {
        &self.members[kind]
    }

    /// The slack of an edge between two kinds, but for the charges: `4·cost − potential − potential`.
    pub(super) fn slack(&self, costs: &Costs<W>, a: usize, b: usize) -> W {
        let cost = costs.between(self.class[a], self.class[b]);
        cost.double().double() - self.potential[a] - self.potential[b]
    }

    /// The kinds that have a vertex in a set, with the slacks to them from one kind. When the set is
    /// small a kind may come more than once.
    pub(super) fn slacks(
        &self,
        costs: &Costs<W>,
        kind: usize,
        set: &BitSet,
        mut found: impl FnMut(usize, W),
    ) {
        let row = costs.from(self.class[kind]);
        let own = self.potential[kind];
        let slack =
            |other: usize| row[self.class[other]].double().double() - own - self.potential[other];
        if set.count() < self.count() {
            for vertex in set.iter() {
                let other = self.of[vertex];
                found(other, slack(other));
            }
        } else {
            for other in 0..self.count() {
                if self.members[other].meets(set) {
                    found(other, slack(other));
                }
            }
        }
    }

    /// The edges that have no slack, charges left aside, of those that `edges` gives as a row for a
    /// vertex.
    pub(super) fn tight<'g>(
        &self,
        costs: &Costs<W>,
        edges: impl Fn(usize) -> (&'g [u64], Option<&'g BitSet>),
    ) -> BitMatrix {
        let size = self.of.len();
        let mut tight = BitMatrix::new(size);
        for (kind, own) in self.members.iter().enumerate() {
            let mut reach = BitSet::new(size);
            for v in own.iter() {
                let row = tight.row_mut(v);
                let (all, without) = edges(v);
                row.copy_from_slice(all);
                if let Some(without) = without {
                    for (word, without) in row.iter_mut().zip(without.words()) {
                        *word &= !without;
                    }
                }
                for (word, row) in reach.words_mut().iter_mut().zip(row) {
                    *word |= *row;
                }
            }
            let mut mask = BitSet::new(size);
            self.slacks(costs, kind, &reach, |other, slack| {
                if slack == W::ZERO {
                    mask.add(&self.members[other]);
                }
            });
            for v in own.iter() {
                for (word, mask) in tight.row_mut(v).iter_mut().zip(mask.words()) {
                    *word &= mask;
                }
            }
        }
        tight
    }

    /// Raises the potentials of even vertices and lowers those of odd ones.
    pub(super) fn adjust(&mut self, label: &[Label], step: W) {
        // By kind and label: few numbers to compare.
        let mut moved = vec![NONE; self.count() * 3];
        let mut numbers = BTreeMap::new();
        let mut of = std::mem::take(&mut self.of);
        for (of, &label) in of.iter_mut().zip(label) {
            let new = &mut moved[*of * 3 + label as usize];
            if *new == NONE {
                let potential = match label {
                    Label::Free => self.potential[*of],
                    Label::Even => self.potential[*of] + step,
                    Label::Odd => self.potential[*of] - step,
                };
                let next = numbers.len();
                *new = *numbers.entry((self.class[*of], potential)).or_insert(next);
            }
            *of = *new;
        }
        *self = Self::collect(of, numbers);
    }
}
