//! Whole halls: in virtual time, and the program itself, as an operator meets it, on simulated boards.
//! Some of these tests work, more of them wait, so they are one program and run beside each other.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

mod check_files;
mod demo;
mod faults;
mod habits;
mod handling;
mod judge;
mod kill;
mod long_journal;
mod mqtt_schemas;
mod pair_files;
mod pgn;
mod phones;
mod place;
#[path = "../support/process.rs"]
mod process;
mod push;
mod refusals;
mod standings_files;
mod start;
mod swiss;
mod system_clock;
mod virtual_hall;
mod virtual_time;
