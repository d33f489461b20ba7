//! The search for a helpmate: always on from the position that looks nearest to one.

use std::{cmp::Reverse, collections::BinaryHeap};

use shakmaty::{Chess, Color, Move, Position};

use super::{
    CanMate, WhyNot,
    estimate::{Plan, estimate},
    is_blocked_for,
    reach::all_opposed,
    seen::{Key, Seen},
};

/// What an analysis of where men can come to costs, in visited positions.
const ANALYSIS: u32 = 30;

/// A position and how it came about.
struct Node {
    position: Chess,
    parent: u32,
    mv: Option<Move>,
    depth: u32,
}

/// Looks for a line in which `side` mates. The position has a legal move.
///
/// The plans share what was visited: a change of plan only sorts anew what is still to be looked at. So
/// the end of the list, whatever the plan, means that every line was walked.
pub(super) fn helpmate(position: &Chess, side: Color, budget: u32) -> CanMate {
    let mut search = Search {
        side,
        plan: Plan::Strip,
        nodes: Vec::new(),
        seen: Seen::default(),
        open: BinaryHeap::new(),
        work: 0,
    };
    search.seen.insert(Key::of(position));
    search.add(position.clone(), 0, None, 0);
    let closed = all_opposed(position.board());
    let mut plans = if closed { CLOSED } else { OPEN }.into_iter();
    let mut until = 0;
    while let Some(&Reverse((_, id))) = search.open.peek() {
        if search.work >= until {
            let Some((plan, share)) = plans.next() else {
                return CanMate::Unknown;
            };
            until += budget / SHARES * share;
            search.turn_to(plan);
            continue;
        }
        search.open.pop();
        if let Some(line) = search.expand(id) {
            return CanMate::Yes { line };
        }
    }
    CanMate::No(WhyNot::Exhausted)
}

/// What is tried one after the other, and for how many shares of the budget.
const OPEN: [(Plan, u32); 4] = [
    (Plan::Strip, 1),
    (Plan::ShutIn, 2),
    (Plan::Strip, 2),
    (Plan::ShutIn, 3),
];
/// The same where every pawn has another before it.
const CLOSED: [(Plan, u32); 4] = [
    (Plan::Strip, 1),
    (Plan::Break, 3),
    (Plan::ShutIn, 2),
    (Plan::Strip, 2),
];
const SHARES: u32 = 8;

struct Search {
    side: Color,
    plan: Plan,
    nodes: Vec<Node>,
    seen: Seen,
    /// Cost and index of the nodes whose moves were not looked at yet, the least cost first.
    open: BinaryHeap<Reverse<(u32, u32)>>,
    /// Positions visited so far.
    work: u32,
}

impl Search {
    fn turn_to(&mut self, plan: Plan) {
        if self.plan == plan {
            return;
        }
        self.plan = plan;
        let open = std::mem::take(&mut self.open).into_iter();
        self.open = open
            .map(|Reverse((_, id))| Reverse((self.cost(&self.nodes[id as usize]), id)))
            .collect();
    }

    fn cost(&self, node: &Node) -> u32 {
        estimate(node.position.board(), self.side, self.plan) * 8 + node.depth
    }

    fn add(&mut self, position: Chess, parent: u32, mv: Option<Move>, depth: u32) -> u32 {
        let id = self.nodes.len() as u32;
        let node = Node {
            position,
            parent,
            mv,
            depth,
        };
        self.open.push(Reverse((self.cost(&node), id)));
        self.nodes.push(node);
        id
    }

    /// Looks at what follows a node; the line if it is the mate.
    fn expand(&mut self, id: u32) -> Option<Vec<Move>> {
        let node = &self.nodes[id as usize];
        let (position, depth) = (node.position.clone(), node.depth + 1);
        for mv in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(mv);
            self.work += 1;
            if !self.seen.insert(Key::of(&after)) {
                continue;
            }
            let mates = after.turn() != self.side && after.is_checkmate();
            if !mates && mv.is_zeroing() && self.is_lost(&after) {
                continue;
            }
            let next = self.add(after, id, Some(mv), depth);
            if mates {
                return Some(self.line(next));
            }
        }
        None
    }

    /// What cannot be undone has taken this side the last chance to mate.
    fn is_lost(&mut self, position: &Chess) -> bool {
        if position.has_insufficient_material(self.side) {
            return true;
        }
        if !all_opposed(position.board()) {
            return false;
        }
        self.work += ANALYSIS;
        is_blocked_for(position, self.side)
    }

    fn line(&self, last: u32) -> Vec<Move> {
        let mut line = Vec::new();
        let mut node = &self.nodes[last as usize];
        while let Some(mv) = node.mv {
            line.push(mv);
            node = &self.nodes[node.parent as usize];
        }
        line.reverse();
        line
    }
}
