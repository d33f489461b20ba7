//! A whole simulated hall in one command.

pub mod arbiter;
