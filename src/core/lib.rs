//! The pure core of Flagfall, the hub of a chess hall.
//!
//! Everything here is a plain function of (state, input, time): no I/O, no wall clock, no runtime.
//! The daemon around it reads bytes, tells the time and carries out the effects.
//!
//! - [`types`]: the small shared vocabulary (instants, table and round numbers, placements).
//! - [`protocol`]: bytes to messages to [`protocol::Observation`]s, one file a device family.
//! - [`chess`]: placements to legal moves, results by kings, illegal moves, PGN.
//! - [`clock`]: time controls and what clock readings mean.
//! - [`pairing`]: one module a pairing system.
//! - [`tournament`]: players, rounds, results, standings, TRF and CSV.
//! - [`hub`]: the state machine that ties them together: inputs in, events and effects out.

pub mod chess;
pub mod clock;
pub mod hub;
pub mod pairing;
pub mod protocol;
pub mod tournament;
pub mod types;
