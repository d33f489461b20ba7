//! Time controls, and what clock readings mean.
//!
//! - [`control`]: a time control as a type, parsed from and written to the notations in use.
//! - [`model`]: readings in; presses, flags, stops and corrections out.

pub mod control;
pub mod model;

pub use control::{ParseControlError, Period, TimeControl};
pub use model::{ClockEvent, ClockModel, ClockSettings, ClockView, FlagOrder, Times};
