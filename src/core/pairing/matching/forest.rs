//! Largest matchings with the reason why they cannot be larger.

use super::{
    Alternating, BitMatrix, BitSet, NONE, Weight, alternating::match_neighbours,
    blossoms::Blossoms, kinds::Label,
};

/// Why a matching cannot be larger (Gallai, Edmonds): the alternating trees of all unmatched
/// vertices.
#[derive(Clone, Debug)]
pub(super) struct Forest {
    /// The vertices at even distance from an unmatched one.
    pub(super) even: BitSet,
    /// The others that the trees reach; each of them separates what it is matched with.
    pub(super) odd: BitSet,
    /// Sets of vertices at even distance that hang together, of three or more.
    pub(super) cycles: Vec<BitSet>,
}

/// Makes the matching as large as it can be among the vertices of `active`, and shows why it cannot
/// be larger; nothing when everybody is matched.
pub(super) fn forest(graph: &BitMatrix, mate: &mut [usize], active: &BitSet) -> Option<Forest> {
    let size = graph.size();
    let left = match_neighbours(graph, mate, active);
    if left.is_empty() {
        return None;
    }
    let mut active = active.clone();
    let mut search = Alternating::new(size);
    let mut forest = Forest {
        even: BitSet::new(size),
        odd: BitSet::new(size),
        cycles: Vec::new(),
    };
    for root in left {
        if mate[root] != NONE
            || search
                .search(graph, mate, &active, root, |_| false)
                .is_some()
        {
            continue;
        }
        // A tree that found nobody will be of no use to another root.
        forest.even.add(search.reached());
        active.subtract(search.outside());
        active.subtract(search.reached());
        forest.odd.add(&active);
        active = search.outside().clone();
        forest.cycles.extend(search.cycles());
    }
    let complete = forest.even.iter().next().is_none();
    (!complete).then_some(forest)
}

/// The forest told by vertices.
pub(super) struct Trees {
    pub(super) label: Vec<Label>,
    even: BitSet,
    pub(super) free: BitSet,
    /// The part at even distance of each vertex, in `others`; [`NONE`] for a vertex alone.
    part: Vec<usize>,
    /// The even vertices outside each part.
    others: Vec<BitSet>,
    /// The faces that an odd cycle holds.
    joined: BitSet,
}

impl Trees {
    pub(super) fn new<W: Weight>(forest: &Forest, blossoms: &Blossoms<W>, size: usize) -> Self {
        let mut label = vec![Label::Free; size];
        for (v, label) in label.iter_mut().enumerate() {
            let face = blossoms.face(v);
            if forest.even.contains(face) {
                *label = Label::Even;
            } else if forest.odd.contains(face) {
                *label = Label::Odd;
            }
        }
        let (mut even, mut free) = (BitSet::new(size), BitSet::new(size));
        for (v, &label) in label.iter().enumerate() {
            match label {
                Label::Even => even.insert(v),
                Label::Free => free.insert(v),
                Label::Odd => {}
            }
        }
        let mut joined = BitSet::new(size);
        let mut part = vec![NONE; size];
        let mut others = Vec::new();
        let mut add = |leaves: &BitSet| {
            for leaf in leaves.iter() {
                part[leaf] = others.len();
            }
            let mut rest = even.clone();
            rest.subtract(leaves);
            others.push(rest);
        };
        for faces in &forest.cycles {
            joined.add(faces);
            let mut leaves = BitSet::new(size);
            for face in faces.iter() {
                match blossoms.get(blossoms.top(face)) {
                    Some(blossom) => leaves.add(&blossom.leaves),
                    None => leaves.insert(face),
                }
            }
            add(&leaves);
        }
        for (_, blossom) in blossoms.outermost() {
            if forest.even.contains(blossom.face) && !joined.contains(blossom.face) {
                add(&blossom.leaves);
            }
        }
        Self {
            label,
            even,
            free,
            part,
            others,
            joined,
        }
    }

    /// The even vertices outside the part of an even vertex; a vertex alone has no edge to itself.
    pub(super) fn others(&self, vertex: usize) -> &BitSet {
        self.others.get(self.part[vertex]).unwrap_or(&self.even)
    }

    /// Whether an even part is in no odd cycle with others.
    pub(super) fn alone(&self, face: usize) -> bool {
        !self.joined.contains(face)
    }
}
