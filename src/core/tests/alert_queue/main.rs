//! The queue of alerts and the claims: to whom they go, who takes them, what is decided, and that none
//! is lost.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

mod claims;
mod hall;
mod once;
mod protests;
mod queue;
