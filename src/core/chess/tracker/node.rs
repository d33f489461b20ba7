//! Moves that the board has shown and that are not settled.

use std::ops::{Index, IndexMut};

use shakmaty::{Chess, Color, Move, Position};

use crate::types::Mono;

/// Nodes kept at once; a hand that wanders over the board leaves many.
const KEPT: usize = 48;

/// Where a node branches off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// After this many settled moves.
    Line(usize),
    /// After another node.
    Node(usize),
}

/// A legal move that a placement showed.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) origin: Origin,
    pub(super) mv: Move,
    pub(super) after: Chess,
    /// First seen with nothing else changed.
    pub(super) exact_at: Option<Mono>,
    /// First seen at all.
    pub(super) at: Mono,
    pub(super) pressed: bool,
    pub(super) inferred: bool,
    /// One of several moves that explain the board together.
    pub(super) of_line: bool,
}

impl Node {
    /// Who made the move.
    pub(super) fn mover(&self) -> Color {
        self.after.turn().other()
    }
}

/// The tree of nodes, oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes(Vec<Node>);

impl Nodes {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Ids from the newest to the oldest.
    pub(super) fn newest_first(&self) -> impl Iterator<Item = usize> + use<> {
        (0..self.0.len()).rev()
    }

    pub(super) fn find(&self, origin: Origin, mv: Move) -> Option<usize> {
        self.0
            .iter()
            .position(|node| node.origin == origin && node.mv == mv)
    }

    /// Adds a node and returns its id. When there are too many, those that nothing hangs on go first:
    /// then ids change, so hold none across this call but the origin given.
    pub(super) fn add(&mut self, mut node: Node) -> usize {
        if self.0.len() >= KEPT {
            let keep = match node.origin {
                Origin::Node(id) => self.chain(id),
                Origin::Line(_) => Vec::new(),
            };
            let moved = self.retain(|id| keep.contains(&id));
            if let Origin::Node(id) = node.origin {
                node.origin = moved[id].map_or(node.origin, Origin::Node);
            }
        }
        self.0.push(node);
        self.0.len() - 1
    }

    /// The node and its unsettled ancestors, oldest first.
    pub(super) fn chain(&self, id: usize) -> Vec<usize> {
        let mut chain = vec![id];
        let mut origin = self.0[id].origin;
        while let Origin::Node(parent) = origin {
            chain.push(parent);
            origin = self.0[parent].origin;
        }
        chain.reverse();
        chain
    }

    /// How many settled moves lie before the first of the node's chain.
    pub(super) fn base(&self, id: usize) -> usize {
        let mut origin = self.0[id].origin;
        loop {
            match origin {
                Origin::Line(plies) => return plies,
                Origin::Node(parent) => origin = self.0[parent].origin,
            }
        }
    }

    /// Node `id` has become the last of `plies` settled moves: keeps what follows from it. Returns the
    /// new ids by the old ones.
    pub(super) fn settled(&mut self, id: usize, plies: usize) -> Vec<Option<usize>> {
        let below: Vec<bool> = (0..self.0.len())
            .map(|other| other != id && self.chain(other).contains(&id))
            .collect();
        for node in &mut self.0 {
            if node.origin == Origin::Node(id) {
                node.origin = Origin::Line(plies);
            }
        }
        self.retain(|other| below[other])
    }

    /// Forgets everything that follows from node `id`. Returns the new ids by the old ones.
    pub(super) fn undo_after(&mut self, id: usize) -> Vec<Option<usize>> {
        let keep: Vec<bool> = (0..self.0.len())
            .map(|other| other == id || !self.chain(other).contains(&id))
            .collect();
        self.retain(|other| keep[other])
    }

    fn retain(&mut self, keep: impl Fn(usize) -> bool) -> Vec<Option<usize>> {
        let mut next = 0;
        let ids: Vec<Option<usize>> = (0..self.0.len())
            .map(|id| {
                keep(id).then(|| {
                    next += 1;
                    next - 1
                })
            })
            .collect();
        let mut old = 0;
        self.0.retain(|_| {
            old += 1;
            ids[old - 1].is_some()
        });
        for node in &mut self.0 {
            if let Origin::Node(parent) = node.origin
                && let Some(moved) = ids[parent]
            {
                node.origin = Origin::Node(moved);
            }
        }
        ids
    }
}

impl Index<usize> for Nodes {
    type Output = Node;

    fn index(&self, id: usize) -> &Node {
        &self.0[id]
    }
}

impl IndexMut<usize> for Nodes {
    fn index_mut(&mut self, id: usize) -> &mut Node {
        &mut self.0[id]
    }
}
