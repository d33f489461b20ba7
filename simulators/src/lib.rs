//! Simulated boards, clocks and players: what a chess hall brings, without the hall.
//!
//! Everything up to [`table`] is a plain object driven by time, without I/O: the same seed and the
//! same host bytes at the same times give the same bytes. [`hall`] pumps these objects through
//! pseudo-terminals or TCP.
//!
//! - [`board`]: the electronics of a DGT board on a serial line.
//! - [`make`]: what boards of other makers put on their line.
//! - [`clock`]: a DGT 3000 and what it answers to remote commands.
//! - [`open_clock`]: a clock with the open clock profile.
//! - [`games`]: real games, and how long the players think.
//! - [`hands`]: what hands do with the pieces and the clock to play such a game.
//! - [`table`]: board, clock and players together.
//! - [`hall`]: many tables served on ptys or TCP by one process.
//!
//! The simulator is written from the protocol's facts alone and shares nothing with the hub, so that
//! a misreading on one side shows as a disagreement. All instants are [`std::time::Duration`]s since
//! the start of the simulation.

pub mod board;
pub mod clock;
pub mod games;
pub mod hall;
pub mod hands;
pub mod make;
pub mod open_clock;
pub mod table;

mod seed;
