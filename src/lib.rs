//! The daemon of Flagfall: configuration, and what connects the core to the world.

pub mod config;
