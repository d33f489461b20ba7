//! The open clock profile, version 1.0: our own proposal for clocks that can be read, and nobody's standard.
//!
//! A state is a complete picture and may be lost; an event is a numbered fact and may not: the clock keeps its
//! last ones, and [`link`] asks for those that it did not hear. Every message carries the clock's own time.
//! Reading needs no permission, changing does.
//!
//! The payloads are those of [`message`] and [`command`] over every transport; [`serial`] frames them.

pub mod command;
mod face;
mod json_line;
pub mod link;
pub mod log;
pub mod message;
pub mod serial;
mod told;
mod values;
pub mod words;

pub use self::message::Info;
pub(super) use self::told::{commands, decoder};

/// The family in [`DeviceInfo`](super::DeviceInfo) and on the command line.
pub const FAMILY: &str = "open-clock";
