//! What hands on a board mean: placements to legal moves, results by kings, illegal moves, PGN.
//!
//! - [`placement`]: helpers over [`crate::types::Placement`].
//! - [`start`]: the positions from which games start.
//! - [`tracker`]: placements, presses and time in; moves, claims and results out.
//! - [`occupancy`]: the same from boards that know occupied and empty squares only.
//! - [`result`]: outcomes, the kings' signs (R-RS-1), ends that the board itself proves.
//! - [`mate`]: whether a side can still mate at all, dead positions.
//! - [`game`]: the record of one game with the clock times after each move.
//! - [`pgn`]: that record as PGN.
//!
//! Nothing here resolves doubt by likelihood: legality, the order of events, the clock's lever and time
//! are the only witnesses. What they do not settle is reported as unknown.

pub mod game;
pub mod mate;
pub mod occupancy;
pub mod pgn;
pub mod placement;
pub mod result;
pub mod start;
pub mod tracker;

pub use occupancy::OccupancyTracker;
pub use start::{Start, Variant};
pub use tracker::{
    IllegalReason, MoveMade, Note, TrackEvent, TrackStatus, Tracker, TrackerSettings, Witness,
};
