//! DGT boards and the clocks behind them: serial line, USB, Bluetooth serial, and TCP for tests.
//!
//! - [`frame`]: the stream cut into frames; - [`message`], [`clock`], [`ee`]: what they say;
//! - [`command`], [`clock_command`]: what the host says; - [`bus`]: addressed boards on one line;
//! - [`json`]: all of it as JSON; - [`link`]: the conversation with one board, [`bus_link`]: with a string of
//!   boards; - [`recall`]: what a board remembers; - [`device`]: how they are found.

pub mod bus;
pub mod bus_link;
pub mod clock;
pub mod clock_command;
pub mod command;
pub mod device;
pub mod ee;
pub mod frame;
pub mod json;
pub mod link;
pub mod message;
pub mod piece;
pub mod recall;

pub use self::device::{BOARD, BUS};
