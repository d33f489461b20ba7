//! Criteria as the digits of one cost, the most important first, and the matchings that are best by
//! all of them.

use std::collections::BTreeMap;

use crate::pairing::matching::{BitMatrix, Costs, Optimum, Weight, Wide, solve};

/// What edges cost by each criterion. Vertices with the same key cost the same.
pub(super) struct Criteria {
    class: Vec<usize>,
    /// A vertex of each class.
    sample: Vec<usize>,
    counts: Vec<u64>,
    columns: Vec<(u32, Vec<u32>)>,
}

impl Criteria {
    pub(super) fn new<K: Ord>(size: usize, key: impl Fn(usize) -> K) -> Self {
        let mut numbers = BTreeMap::new();
        let mut sample = Vec::new();
        let mut counts = Vec::new();
        let class = (0..size)
            .map(|v| {
                let class = *numbers.entry(key(v)).or_insert_with(|| {
                    sample.push(v);
                    counts.push(0);
                    sample.len() - 1
                });
                counts[class] += 1;
                class
            })
            .collect();
        Self {
            class,
            sample,
            counts,
            columns: Vec::new(),
        }
    }

    /// Adds the next criterion: what an edge between two vertices, the smaller first, costs.
    pub(super) fn add(&mut self, cost: impl Fn(usize, usize) -> u32) {
        let classes = self.sample.len();
        let mut column = vec![0; classes * classes];
        let mut most = vec![0; classes];
        for a in 0..classes {
            for b in a..classes {
                let (x, y) = (self.sample[a], self.sample[b]);
                let digit = cost(x.min(y), x.max(y));
                column[a * classes + b] = digit;
                most[a] = most[a].max(digit);
                most[b] = most[b].max(digit);
            }
        }
        let bound: u64 = self
            .counts
            .iter()
            .zip(&most)
            .map(|(n, most)| n * u64::from(*most))
            .sum();
        let bits = 64 - bound.div_ceil(2).leading_zeros();
        if bits > 0 {
            self.columns.push((bits, column));
        }
    }

    /// The best perfect matchings of the graph. `hint` is the partner that a vertex probably gets.
    /// Nothing when no perfect matching exists.
    pub(super) fn solve(&self, graph: BitMatrix, hint: impl Fn(usize) -> usize) -> Option<Optimum> {
        let digits: u32 = self.columns.iter().map(|(bits, _)| bits).sum();
        // Potentials run beyond the costs.
        let spare = 7 + usize::BITS - self.class.len().leading_zeros();
        match digits + spare {
            ..=64 => self.run::<i64>(graph, hint),
            65..=128 => self.run::<i128>(graph, hint),
            129..=256 => self.run::<Wide<4>>(graph, hint),
            257..=512 => self.run::<Wide<8>>(graph, hint),
            513..=4096 => self.run::<Wide<64>>(graph, hint),
            // Thousands of different scores: no event has them.
            _ => None,
        }
    }

    fn run<W: Weight>(&self, graph: BitMatrix, hint: impl Fn(usize) -> usize) -> Option<Optimum> {
        let classes = self.sample.len();
        let costs = Costs::new(self.class.clone(), classes, |a, b| {
            let mut total = W::ZERO;
            let mut shift = 0;
            for (bits, column) in self.columns.iter().rev() {
                let digit = column[a.min(b) * classes + a.max(b)];
                total = total + W::shifted(digit, shift);
                shift += bits;
            }
            total
        });
        Some(Optimum::new(&solve(&costs, graph, hint)?))
    }
}
