//! Charged odd sets ("blossoms"), one within the other. In each of them all but any one vertex can be
//! matched among themselves by edges without slack: a blossom keeps the graph of these edges between
//! its parts, and a search in it says how.

use super::{Alternating, BitMatrix, BitSet, NONE, Weight};

/// A blossom, or a vertex: blossom `b` has the number `size + b`.
pub(super) type Part = usize;

#[derive(Clone, Debug)]
pub(super) struct Blossom<W> {
    pub(super) charge: W,
    parts: Vec<Part>,
    /// The edges without slack between the parts, by their place in `parts`.
    graph: BitMatrix,
    /// The vertex that is matched outside.
    base: usize,
    /// All vertices.
    pub(super) leaves: BitSet,
    /// The vertex that stands for it: any one of its own.
    pub(super) face: usize,
    /// The blossom around it.
    outer: Option<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct Blossoms<W> {
    size: usize,
    list: Vec<Option<Blossom<W>>>,
    /// The outermost part that holds each vertex.
    top: Vec<Part>,
    /// The innermost.
    inner: Vec<Part>,
}

impl<W: Weight> Blossoms<W> {
    pub(super) fn new(size: usize) -> Self {
        Self {
            size,
            list: Vec::new(),
            top: (0..size).collect(),
            inner: (0..size).collect(),
        }
    }

    /// The outermost part that holds a vertex.
    pub(super) fn top(&self, vertex: usize) -> Part {
        self.top[vertex]
    }

    /// The innermost part that holds a vertex.
    pub(super) fn inner(&self, vertex: usize) -> Part {
        self.inner[vertex]
    }

    pub(super) fn get(&self, part: Part) -> Option<&Blossom<W>> {
        self.list.get(part.checked_sub(self.size)?)?.as_ref()
    }

    pub(super) fn get_mut(&mut self, part: Part) -> Option<&mut Blossom<W>> {
        self.list.get_mut(part.checked_sub(self.size)?)?.as_mut()
    }

    /// The blossoms that lie in no other.
    pub(super) fn outermost(&self) -> impl Iterator<Item = (Part, &Blossom<W>)> {
        (self.size..)
            .zip(&self.list)
            .filter_map(|(part, blossom)| Some((part, blossom.as_ref()?)))
            .filter(|(_, blossom)| blossom.outer.is_none())
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.list.iter().flatten().count()
    }

    /// The vertex of a part that is matched outside.
    pub(super) fn base(&self, part: Part) -> usize {
        self.get(part).map_or(part, |blossom| blossom.base)
    }

    /// The vertex that stands for an outermost part.
    pub(super) fn face(&self, vertex: usize) -> usize {
        self.get(self.top[vertex])
            .map_or(vertex, |blossom| blossom.face)
    }

    /// The blossoms that hold a part, itself included, from the inside out.
    pub(super) fn around(&self, part: Part) -> impl Iterator<Item = (Part, &Blossom<W>)> {
        let mut next = Some(part);
        std::iter::from_fn(move || {
            let part = next?;
            let blossom = self.get(part)?;
            next = blossom.outer;
            Some((part, blossom))
        })
    }

    /// The charges of the blossoms that hold both vertices.
    pub(super) fn common_charge(&self, a: usize, b: usize) -> W {
        let mut total = W::ZERO;
        for (_, blossom) in self.around(self.inner[a]) {
            if blossom.leaves.contains(b) {
                total = total + blossom.charge;
            }
        }
        total
    }

    /// Makes a blossom of outermost parts, given by the vertices that stand for them. `graph` has the
    /// edges without slack between those; `mate` the matching, that leaves out one of the parts.
    pub(super) fn contract(
        &mut self,
        faces: &BitSet,
        graph: &BitMatrix,
        mate: &[usize],
        charge: W,
    ) {
        let parts: Vec<Part> = faces.iter().map(|face| self.top[face]).collect();
        let mut place = vec![NONE; self.size];
        for (at, face) in faces.iter().enumerate() {
            place[face] = at;
        }
        let mut own = BitMatrix::new(parts.len());
        for (at, face) in faces.iter().enumerate() {
            for (word, (row, faces)) in graph.row(face).iter().zip(faces.words()).enumerate() {
                for other in super::ones(&[row & faces]) {
                    own.set_both(at, place[word * 64 + other]);
                }
            }
        }
        let index = self
            .list
            .iter()
            .position(Option::is_none)
            .unwrap_or_else(|| {
                self.list.push(None);
                self.list.len() - 1
            });
        let number = self.size + index;
        let mut leaves = BitSet::new(self.size);
        for &part in &parts {
            if let Some(blossom) = self.get_mut(part) {
                blossom.outer = Some(number);
                leaves.add(&blossom.leaves);
            } else {
                leaves.insert(part);
                self.inner[part] = number;
            }
        }
        for leaf in leaves.iter() {
            self.top[leaf] = number;
        }
        let base = parts
            .iter()
            .map(|&part| self.base(part))
            .find(|&base| mate[base] == NONE || !leaves.contains(mate[base]))
            .unwrap_or(NONE);
        self.list[index] = Some(Blossom {
            charge,
            face: base,
            parts,
            graph: own,
            base,
            leaves,
            outer: None,
        });
    }

    /// Takes an outermost blossom apart.
    pub(super) fn dissolve(&mut self, part: Part) {
        let Some(index) = part.checked_sub(self.size) else {
            return;
        };
        let Some(blossom) = self.list.get_mut(index).and_then(Option::take) else {
            return;
        };
        for part in blossom.parts {
            if let Some(inner) = self.get_mut(part) {
                inner.outer = None;
                for leaf in inner.leaves.clone().iter() {
                    self.top[leaf] = part;
                }
            } else {
                self.top[part] = part;
                self.inner[part] = part;
            }
        }
    }

    /// Matches a vertex of one part with a vertex of another: both have an edge for it, chosen by
    /// `edge` among the edges whose slack is that of the charges around the parts, which are
    /// `charge`.
    pub(super) fn join(
        &mut self,
        mate: &mut [usize],
        (one, two): (Part, Part),
        charge: W,
        edge: &impl Fn(&Self, Part, Part, W) -> Option<(usize, usize)>,
    ) {
        let Some((x, y)) = edge(self, one, two, charge) else {
            debug_assert!(false, "the parts are joined by an edge without slack");
            return;
        };
        self.rebase(mate, one, x, charge, edge);
        self.rebase(mate, two, y, charge, edge);
        mate[x] = y;
        mate[y] = x;
    }

    /// Rematches a part within so that `vertex` is the one that is matched outside.
    fn rebase(
        &mut self,
        mate: &mut [usize],
        part: Part,
        vertex: usize,
        charge: W,
        edge: &impl Fn(&Self, Part, Part, W) -> Option<(usize, usize)>,
    ) {
        let Some(blossom) = self.get(part) else {
            return;
        };
        let charge = charge + blossom.charge;
        let mut place = vec![NONE; self.size];
        for (at, &inner) in blossom.parts.iter().enumerate() {
            match self.get(inner) {
                Some(blossom) => blossom.leaves.iter().for_each(|leaf| place[leaf] = at),
                None => place[inner] = at,
            }
        }
        let (hole, wanted) = (place[blossom.base], place[vertex]);
        let holder = blossom.parts[wanted];
        let mut changed = Vec::new();
        if hole != wanted {
            let count = blossom.parts.len();
            let before: Vec<usize> = (0..count)
                .map(|at| {
                    if at == hole {
                        NONE
                    } else {
                        place[mate[self.base(blossom.parts[at])]]
                    }
                })
                .collect();
            let mut after = before.clone();
            Alternating::new(count).search(
                &blossom.graph,
                &mut after,
                &BitSet::full(count),
                hole,
                |at| at == wanted,
            );
            debug_assert_eq!(after[wanted], NONE);
            for (at, &other) in after.iter().enumerate() {
                if other != NONE && at < other && before[at] != other {
                    changed.push((blossom.parts[at], blossom.parts[other]));
                }
            }
        }
        for pair in changed {
            self.join(mate, pair, charge, edge);
        }
        self.rebase(mate, holder, vertex, charge, edge);
        if let Some(blossom) = self.get_mut(part) {
            blossom.base = vertex;
        }
    }
}
