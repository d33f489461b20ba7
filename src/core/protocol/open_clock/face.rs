//! What the clock's face shows, from its states and events.

use std::time::Duration;

use super::{
    message::{Event, State},
    words::{EventKind, Power, Sides},
};
use crate::protocol::{ClockReading, ClockSide, FaceReading};

/// The face as last told, and what an event does to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Face {
    left_ms: i32,
    right_ms: i32,
    running: Sides,
    /// Who runs or ran last: his lever stands high.
    high: ClockSide,
    flags: Sides,
    freeze: bool,
    battery_low: bool,
}

impl Default for Face {
    fn default() -> Self {
        Self {
            left_ms: 0,
            right_ms: 0,
            running: Sides::None,
            high: ClockSide::Left,
            flags: Sides::None,
            freeze: false,
            battery_low: false,
        }
    }
}

impl Face {
    /// The face of a state, coming from an earlier one.
    pub(super) fn of_state(state: &State, before: Option<&Self>) -> Self {
        let white = state.white.one().unwrap_or(ClockSide::Left);
        let high = state
            .running
            .one()
            .or(before.map(|face| face.high))
            .unwrap_or(white);
        Self {
            left_ms: state.left_ms,
            right_ms: state.right_ms,
            running: state.running,
            high,
            flags: Sides::of(state.left_flag, state.right_flag),
            freeze: state.freeze,
            battery_low: matches!(state.battery, Power::Low | Power::Critical),
        }
    }

    /// The face after an event.
    pub(super) fn after(self, event: &Event) -> Self {
        let mut face = Self {
            left_ms: event.left_ms,
            right_ms: event.right_ms,
            ..self
        };
        let runs = match event.kind {
            EventKind::Start | EventKind::Resume => event.side.one(),
            EventKind::Press => event.side.one().map(ClockSide::other),
            _ => None,
        };
        if let Some(side) = runs {
            face.running = side.into();
            face.high = side;
        }
        match event.kind {
            EventKind::Pause | EventKind::Boot | EventKind::Setup => face.running = Sides::None,
            EventKind::Flag => {
                face.flags = Sides::from_bits(face.flags.bits() | event.side.bits());
                if face.freeze {
                    face.running = Sides::None;
                }
            }
            EventKind::TimeCorrection => {
                // Time again: the flag is up.
                let left = face.flags.has(ClockSide::Left) && face.left_ms <= 0;
                let right = face.flags.has(ClockSide::Right) && face.right_ms <= 0;
                face.flags = Sides::of(left, right);
            }
            _ => {}
        }
        if matches!(event.kind, EventKind::Setup | EventKind::Boot) {
            face.flags = Sides::None;
        }
        face
    }

    /// Whether both flags are down in this one and none was in the one before.
    pub(super) fn both_flags_after(&self, before: Option<&Self>) -> bool {
        self.flags == Sides::Both && before.is_none_or(|face| face.flags == Sides::None)
    }

    /// The same with this flag alone.
    pub(super) fn with_flag(self, side: ClockSide) -> Self {
        Self {
            flags: side.into(),
            ..self
        }
    }

    /// Whether this flag is down.
    pub(super) fn has_flag(&self, side: ClockSide) -> bool {
        self.flags.has(side)
    }

    /// As a reading. A side that is over its limit shows zero.
    pub(super) fn reading(&self) -> ClockReading {
        let side = |ms: i32, side: ClockSide| {
            let flag = self.flags.has(side);
            FaceReading {
                time: Duration::from_millis(u64::try_from(ms).unwrap_or(0)),
                flag_blocked: flag && self.freeze,
                flag_shown: flag,
                time_per_move: false,
            }
        };
        ClockReading {
            left: side(self.left_ms, ClockSide::Left),
            right: side(self.right_ms, ClockSide::Right),
            running: self.running != Sides::None,
            lever_high: self.high,
            battery_low: self.battery_low,
        }
    }
}

/// What a state shows by itself.
pub(super) fn reading_of_state(state: &State) -> ClockReading {
    Face::of_state(state, None).reading()
}
