//! What the Swiss systems share: who is to be paired, with what history, and what the basic rules
//! (C.04.1, C.04.2) say about him.
//!
//! A system starts from [`Field::new`], which checks the [`Input`](super::Input) and derives per
//! player: score and pairing score, opponents met, colours and colour preference, floats, whether
//! he may have the bye. Players are addressed by their index in [`Field::players`], which is the
//! order of their numbers; [`Field::to_pair`] lists those who are paired in this round, best first.
//! A system ends with [`Field::finish`], which orders the boards (C.04.2, 3.6), puts in the fixed
//! pairs and lists whoever is left out.

mod baku;
mod board_order;
pub mod burstein;
mod colour;
mod criteria;
pub mod double;
pub mod dubov;
pub mod dutch;
mod field;
mod ground;
pub mod lim;
mod simple_colours;
mod stuck;
pub mod team;
mod upfloat;

pub use baku::{baku_last, baku_points};
pub use colour::{ColourRule, Colours, Preference};
pub use field::{ByeBar, Field, Float, FloatRule, Player, RoundRecord};
pub use ground::{ByeObstacle, ByeReason, Obstacle, Passed, PassedBye};
