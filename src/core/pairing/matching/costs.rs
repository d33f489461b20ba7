//! What edges cost.

use super::Weight;

/// The costs of edges, by classes of vertices that cost the same.
#[derive(Clone, Debug)]
pub struct Costs<W> {
    class: Vec<usize>,
    classes: usize,
    table: Vec<W>,
}

impl<W: Weight> Costs<W> {
    /// From the class of each vertex and a function that gives the cost between two classes; it must
    /// be symmetric.
    pub fn new(class: Vec<usize>, classes: usize, cost: impl Fn(usize, usize) -> W) -> Self {
        let mut table = Vec::with_capacity(classes * classes);
        for a in 0..classes {
            for b in 0..classes {
                table.push(if b < a {
                    table[b * classes + a]
                } else {
                    cost(a, b)
                });
            }
        }
        Self {
            class,
            classes,
            table,
        }
    }

    /// The cost of an edge.
    pub fn of(&self, a: usize, b: usize) -> W {
        self.table[self.class[a] * self.classes + self.class[b]]
    }

    /// The cost between two classes.
    pub fn between(&self, a: usize, b: usize) -> W {
        self.table[a * self.classes + b]
    }

    /// The costs of a class to every class.
    pub fn from(&self, class: usize) -> &[W] {
        &self.table[class * self.classes..][..self.classes]
    }

    /// The class of each vertex.
    pub fn classes(&self) -> &[usize] {
        &self.class
    }

    /// How many classes there are.
    pub fn class_count(&self) -> usize {
        self.classes
    }
}
