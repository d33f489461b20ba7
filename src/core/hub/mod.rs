//! The state machine that ties the core together: observations and commands in, events and effects
//! out.

pub mod command;
pub mod view;
