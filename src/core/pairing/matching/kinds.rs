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
    list: Vec<Kind<W>>,
}

#[derive(Clone, Debug)]
pub(super) struct Kind<W> {
    class: usize,
    potential: W,
    pub(super) members: BitSet,
}

impl<W: Weight> Kinds<W> {
    pub(super) fn new(costs: &Costs<W>, potential: &[W]) -> Self {
        Self::collect(
            costs
                .classes()
                .iter()
                .zip(potential)
                .map(|(&class, &p)| (class, p)),
        )
    }

    fn collect(vertices: impl ExactSizeIterator<Item = (usize, W)>) -> Self {
        let size = vertices.len();
        let mut numbers = BTreeMap::new();
        let mut list: Vec<Kind<W>> = Vec::new();
        let of: Vec<usize> = vertices
            .map(|(class, potential)| {
                *numbers.entry((class, potential)).or_insert_with(|| {
                    list.push(Kind {
                        class,
                        potential,
                        members: BitSet::new(size),
                    });
                    list.len() - 1
                })
            })
            .collect();
        for (v, &kind) in of.iter().enumerate() {
            list[kind].members.insert(v);
        }
        Self { of, list }
    }

    pub(super) fn list(&self) -> &[Kind<W>] {
        &self.list
    }

    /// The kind of a vertex.
    pub(super) fn of(&self, vertex: usize) -> usize {
        self.of[vertex]
    }

    /// The slack of an edge between two kinds, but for the charges: `4·cost − potential − potential`.
    pub(super) fn slack(&self, costs: &Costs<W>, a: usize, b: usize) -> W {
        let (one, two) = (&self.list[a], &self.list[b]);
        costs.between(one.class, two.class).double().double() - one.potential - two.potential
    }

    /// The edges of the graph that have no slack, charges left aside.
    pub(super) fn tight(&self, costs: &Costs<W>, graph: &BitMatrix) -> BitMatrix {
        let masks: Vec<BitSet> = (0..self.list.len())
            .map(|a| {
                let mut mask = BitSet::new(self.of.len());
                for (b, kind) in self.list.iter().enumerate() {
                    if self.slack(costs, a, b) == W::ZERO {
                        mask.add(&kind.members);
                    }
                }
                mask
            })
            .collect();
        let mut tight = graph.clone();
        for (v, &kind) in self.of.iter().enumerate() {
            for (word, mask) in tight.row_mut(v).iter_mut().zip(masks[kind].words()) {
                *word &= mask;
            }
        }
        tight
    }

    /// Raises the potentials of even vertices and lowers those of odd ones.
    pub(super) fn adjust(&mut self, label: &[Label], step: W) {
        let count = self.list.len();
        // By kind and label; potentials are compared once each.
        let mut moved = vec![NONE; count * 3];
        let mut numbers = BTreeMap::new();
        let mut list: Vec<Kind<W>> = Vec::with_capacity(count);
        let size = self.of.len();
        for (of, &label) in self.of.iter_mut().zip(label) {
            let new = &mut moved[*of * 3 + label as usize];
            if *new == NONE {
                let Kind {
                    class, potential, ..
                } = self.list[*of];
                let potential = match label {
                    Label::Free => potential,
                    Label::Even => potential + step,
                    Label::Odd => potential - step,
                };
                *new = *numbers.entry((class, potential)).or_insert_with(|| {
                    list.push(Kind {
                        class,
                        potential,
                        members: BitSet::new(size),
                    });
                    list.len() - 1
                });
            }
            *of = *new;
        }
        for (v, &kind) in self.of.iter().enumerate() {
            list[kind].members.insert(v);
        }
        self.list = list;
    }
}
