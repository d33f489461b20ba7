//! The queue of alerts: to whom they go, who takes them, and that none is lost.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

mod hall;
mod once;
mod queue;
