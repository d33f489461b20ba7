//! Matchings of most edges, by alternating trees with contracted odd cycles (Edmonds), on rows of
//! bits.

use super::{BitMatrix, BitSet};

/// No vertex.
pub const NONE: usize = usize::MAX;

/// The room that a search needs, kept from one search to the next.
#[derive(Clone, Debug)]
pub struct Alternating {
    /// The way back: for a vertex at odd distance its parent, inside odd cycles both ways.
    back: Vec<usize>,
    /// The base of the contracted cycle of a vertex.
    base: Vec<usize>,
    /// The vertices of a contracted cycle, by its base.
    members: Vec<Option<BitSet>>,
    /// The vertices at even distance.
    even: BitSet,
    /// The vertices that the tree has not reached.
    outside: BitSet,
    queue: Vec<usize>,
    marks: Vec<u32>,
    mark: u32,
    scratch: Vec<u64>,
}

impl Alternating {
    /// For graphs of `size` vertices.
    pub fn new(size: usize) -> Self {
        Self {
            back: vec![NONE; size],
            base: (0..size).collect(),
            members: vec![None; size],
            even: BitSet::new(size),
            outside: BitSet::new(size),
            queue: Vec::new(),
            marks: vec![0; size],
            mark: 0,
            scratch: vec![0; size.div_ceil(64)],
        }
    }

    /// Grows the tree of the unmatched vertex `root` among the vertices of `active` until `found`
    /// says yes to a vertex at even distance or an unmatched vertex is met; matches along the way to
    /// it. A vertex at even distance that was found is unmatched afterwards. Returns it (or the
    /// unmatched vertex that was matched), or nothing: then [`Self::reached`] has every vertex that
    /// can change places with the root.
    pub fn search(
        &mut self,
        graph: &BitMatrix,
        mate: &mut [usize],
        active: &BitSet,
        root: usize,
        mut found: impl FnMut(usize) -> bool,
    ) -> Option<usize> {
        for (i, base) in self.base.iter_mut().enumerate() {
            *base = i;
        }
        self.members.fill(None);
        self.even.clear();
        self.outside.words_mut().copy_from_slice(active.words());
        self.queue.clear();
        self.outside.remove(root);
        self.even.insert(root);
        self.back[root] = NONE;
        if found(root) {
            return Some(root);
        }
        self.queue.push(root);
        let mut next = 0;
        while let Some(&x) = self.queue.get(next) {
            next += 1;
            for at in 0..self.scratch.len() {
                loop {
                    let word = graph.row(x)[at] & self.outside.words()[at];
                    if word == 0 {
                        break;
                    }
                    let y = at * 64 + word.trailing_zeros() as usize;
                    self.outside.remove(y);
                    self.back[y] = x;
                    let beyond = mate[y];
                    if beyond == NONE {
                        self.flip(mate, y);
                        return Some(y);
                    }
                    self.outside.remove(beyond);
                    self.even.insert(beyond);
                    self.queue.push(beyond);
                    if found(beyond) {
                        self.free(mate, beyond);
                        return Some(beyond);
                    }
                }
            }
            // Edges between two even vertices close odd cycles.
            loop {
                let own = self.find(x);
                let cycle = self.members[own].as_ref();
                let mut other = None;
                for (at, &row) in graph.row(x).iter().enumerate() {
                    let inside = cycle.map_or(0, |cycle| cycle.words()[at]);
                    let word = row & self.even.words()[at] & !inside;
                    if word != 0 {
                        other = Some(at * 64 + word.trailing_zeros() as usize);
                        break;
                    }
                }
                let Some(y) = other else { break };
                let queued = self.queue.len();
                self.contract(mate, x, y);
                for at in queued..self.queue.len() {
                    let z = self.queue[at];
                    if found(z) {
                        self.free(mate, z);
                        return Some(z);
                    }
                }
            }
        }
        None
    }

    /// The vertices at even distance from the root of the last search.
    pub fn reached(&self) -> &BitSet {
        &self.even
    }

    /// The vertices that the last search did not reach.
    pub fn outside(&self) -> &BitSet {
        &self.outside
    }

    /// The odd cycles that the last search contracted, as the vertices of each; they are given away.
    pub fn cycles(&mut self) -> impl Iterator<Item = BitSet> + '_ {
        self.members.iter_mut().filter_map(Option::take)
    }

    /// Matches along the way from the root to `z`, at even distance, and leaves `z` unmatched.
    /// Only right after a search that found nothing.
    pub fn free(&self, mate: &mut [usize], z: usize) {
        let before = mate[z];
        if before == NONE {
            return;
        }
        mate[z] = NONE;
        self.flip(mate, before);
    }

    fn flip(&self, mate: &mut [usize], from: usize) {
        let mut x = from;
        while x != NONE {
            let parent = self.back[x];
            let next = mate[parent];
            mate[x] = parent;
            mate[parent] = x;
            x = next;
        }
    }

    fn find(&mut self, x: usize) -> usize {
        let mut top = x;
        while self.base[top] != top {
            top = self.base[top];
        }
        let mut x = x;
        while self.base[x] != top {
            x = std::mem::replace(&mut self.base[x], top);
        }
        top
    }

    fn contract(&mut self, mate: &[usize], x: usize, y: usize) {
        let top = self.common(mate, x, y);
        let size = self.back.len();
        let mut cycle = self.members[top].take().unwrap_or_else(|| {
            let mut own = BitSet::new(size);
            own.insert(top);
            own
        });
        self.shrink(mate, x, y, top, &mut cycle);
        self.shrink(mate, y, x, top, &mut cycle);
        self.members[top] = Some(cycle);
    }

    fn common(&mut self, mate: &[usize], x: usize, y: usize) -> usize {
        self.mark += 1;
        let (mut a, mut b) = (self.find(x), self.find(y));
        loop {
            if a != NONE {
                if self.marks[a] == self.mark {
                    return a;
                }
                self.marks[a] = self.mark;
                a = match mate[a] {
                    NONE => NONE,
                    odd => self.find(self.back[odd]),
                };
            }
            std::mem::swap(&mut a, &mut b);
        }
    }

    fn shrink(&mut self, mate: &[usize], x: usize, y: usize, top: usize, cycle: &mut BitSet) {
        let (mut x, mut y) = (x, y);
        while self.find(x) != top {
            self.back[x] = y;
            y = mate[x];
            if !self.even.contains(y) {
                self.even.insert(y);
                self.queue.push(y);
            }
            // A cycle inside is walked through to its base, which joins last.
            for z in [x, y] {
                if self.base[z] != z {
                    continue;
                }
                match self.members[z].take() {
                    Some(members) => {
                        for (own, theirs) in cycle.words_mut().iter_mut().zip(members.words()) {
                            *own |= theirs;
                        }
                    }
                    None => cycle.insert(z),
                }
                self.base[z] = top;
            }
            x = self.back[y];
        }
    }
}

/// Makes the matching as large as it can be among the vertices of `active`; the vertices that stay
/// unmatched, ascending.
pub fn maximise(graph: &BitMatrix, mate: &mut [usize], active: &BitSet) -> Vec<usize> {
    let mut search = None;
    let mut left = match_neighbours(graph, mate, active);
    left.retain(|&root| {
        if mate[root] != NONE {
            return false;
        }
        search
            .get_or_insert_with(|| Alternating::new(graph.size()))
            .search(graph, mate, active, root, |_| false)
            .is_none()
    });
    left.retain(|&root| mate[root] == NONE);
    left
}

/// Matches what can be matched without changing anything; the vertices that had no free neighbour
/// when it was their turn, ascending.
pub(super) fn match_neighbours(
    graph: &BitMatrix,
    mate: &mut [usize],
    active: &BitSet,
) -> Vec<usize> {
    let mut free = active.clone();
    for v in active.iter() {
        if mate[v] != NONE {
            free.remove(v);
        }
    }
    let mut left = Vec::new();
    for root in active.iter() {
        if mate[root] != NONE {
            continue;
        }
        let near = graph
            .row(root)
            .iter()
            .zip(free.words())
            .enumerate()
            .find(|(_, (row, free))| *row & *free != 0)
            .map(|(at, (row, free))| at * 64 + (row & free).trailing_zeros() as usize);
        let Some(y) = near else {
            left.push(root);
            continue;
        };
        mate[root] = y;
        mate[y] = root;
        free.remove(root);
        free.remove(y);
    }
    left
}
