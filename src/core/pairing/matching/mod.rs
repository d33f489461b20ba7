//! Matching in general graphs: the arithmetic below the Swiss systems. Knows vertices and weights,
//! nothing of chess.

mod alternating;
mod bits;
mod blossom;
mod optimum;
mod start;
mod weight;

pub use alternating::{Alternating, NONE, maximise};
pub use bits::{BitMatrix, BitSet, ones};
pub use blossom::{Costs, Solver};
pub use optimum::Optimum;
pub use start::solve;
pub use weight::{Weight, Wide};
