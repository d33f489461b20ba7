//! Sets of small numbers as bits, and square tables of them.

/// A set of numbers below a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// The empty set of numbers below `bound`.
    pub fn new(bound: usize) -> Self {
        Self {
            words: vec![0; bound.div_ceil(64)],
        }
    }

    /// All numbers below `bound`.
    pub fn full(bound: usize) -> Self {
        let mut set = Self::new(bound);
        for i in 0..bound {
            set.insert(i);
        }
        set
    }

    /// Whether the number is in it.
    pub fn contains(&self, i: usize) -> bool {
        self.words[i / 64] >> (i % 64) & 1 == 1
    }

    /// Puts the number in.
    pub fn insert(&mut self, i: usize) {
        self.words[i / 64] |= 1 << (i % 64);
    }

    /// Takes the number out.
    pub fn remove(&mut self, i: usize) {
        self.words[i / 64] &= !(1 << (i % 64));
    }

    /// Takes everything out.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Puts the numbers of `other` in.
    pub fn add(&mut self, other: &Self) {
        for (own, theirs) in self.words.iter_mut().zip(&other.words) {
            *own |= theirs;
        }
    }

    /// How many numbers are in it.
    pub fn count(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Whether a number is in both.
    pub fn meets(&self, other: &Self) -> bool {
        self.words
            .iter()
            .zip(&other.words)
            .any(|(own, theirs)| own & theirs != 0)
    }

    /// Takes the numbers of `other` out.
    pub fn subtract(&mut self, other: &Self) {
        for (own, theirs) in self.words.iter_mut().zip(&other.words) {
            *own &= !theirs;
        }
    }

    /// The words, the lowest numbers first.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The words, to be changed.
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// The numbers in it, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        ones(&self.words)
    }
}

/// The positions of the bits that are set, ascending.
pub fn ones(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(at, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let bit = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            Some(at * 64 + bit)
        })
    })
}

/// A square table of bits: the edges of a graph, say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitMatrix {
    size: usize,
    stride: usize,
    words: Vec<u64>,
}

impl BitMatrix {
    /// No bit set.
    pub fn new(size: usize) -> Self {
        let stride = size.div_ceil(64);
        Self {
            size,
            stride,
            words: vec![0; stride * size],
        }
    }

    /// Rows and columns.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The bit.
    pub fn get(&self, row: usize, column: usize) -> bool {
        self.words[row * self.stride + column / 64] >> (column % 64) & 1 == 1
    }

    /// Sets the bit.
    pub fn set(&mut self, row: usize, column: usize) {
        self.words[row * self.stride + column / 64] |= 1 << (column % 64);
    }

    /// Clears the bit.
    pub fn unset(&mut self, row: usize, column: usize) {
        self.words[row * self.stride + column / 64] &= !(1 << (column % 64));
    }

    /// Sets the bit and the mirrored one.
    pub fn set_both(&mut self, a: usize, b: usize) {
        self.set(a, b);
        self.set(b, a);
    }

    /// Clears the bit and the mirrored one.
    pub fn unset_both(&mut self, a: usize, b: usize) {
        self.unset(a, b);
        self.unset(b, a);
    }

    /// A row.
    pub fn row(&self, row: usize) -> &[u64] {
        &self.words[row * self.stride..(row + 1) * self.stride]
    }

    /// A row, to be changed.
    pub fn row_mut(&mut self, row: usize) -> &mut [u64] {
        &mut self.words[row * self.stride..(row + 1) * self.stride]
    }
}
