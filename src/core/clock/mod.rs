//! Time controls, and what clock readings mean.
//!
//! - [`control`]: a time control as a type, parsed from and written to the notations in use.
//! - [`event`]: what a clock did and what it shows.
//! - [`hands`]: how the hands of a mechanical clock are set.
//! - [`model`]: readings in; presses, flags, stops and corrections out.
//! - [`against`]: whether the clock follows the moves of the board.
//! - [`correction`]: what an arbiter has a clock corrected to.
//! - [`spent`]: how long a player thought, where his clock proves it.
//! - [`setting`]: whether the clock is set to the event's control.

pub mod against;
pub mod control;
pub mod correction;
pub mod event;
pub mod hands;
pub mod model;
pub mod setting;
pub mod spent;

pub use against::{AgainstBoard, AgainstEvent};
pub use control::{
    ControlProblem, FirstIncrement, PRESETS, ParseControlError, PerMove, Period, SideControl,
    TimeControl,
};
pub use correction::Change;
pub use event::{ClockEvent, ClockView, FlagOrder, OrderUnknown, Times};
pub use model::{ClockModel, ClockSettings};
pub use setting::{Finding, FoundBy, SettingEvent, SettingWatch, WrongKind, WrongSetting};
