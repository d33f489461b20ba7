//! Formats beside the individual Swiss systems, the checker, drawing and repair.

mod check;
mod event;
mod knock_out;
mod literal;
mod matches;
mod repair;
mod scheveningen;
mod teams;
mod varma;
