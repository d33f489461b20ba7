//! Matching in general graphs: the arithmetic below the Swiss systems. Knows vertices and weights,
//! nothing of chess.

mod alternating;
mod bits;
mod blossoms;
mod costs;
mod forest;
mod kinds;
mod optimum;
mod solver;
mod start;
mod weight;

pub use alternating::{Alternating, NONE, maximise};
pub use bits::{BitMatrix, BitSet, ones};
pub use costs::Costs;
pub use optimum::Optimum;
pub use solver::Solver;
pub use start::solve;
pub use weight::{Weight, Wide};
