//! Matching in general graphs: the arithmetic below the Swiss systems. Knows vertices and weights,
//! nothing of chess.

mod bits;

pub use bits::{BitMatrix, BitSet};
