//! Time controls as they are set on the clock.

use std::time::Duration;

use super::{ClockFace, Side};

/// One period of a time control.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Period {
    /// Time given at its start.
    pub time: Duration,
    /// Added at each completed move.
    pub increment: Duration,
    /// Moves that must be made in it; `None` in the last one.
    pub moves: Option<u32>,
}

/// What the seconds of [`Period::increment`] do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Added at each press.
    #[default]
    Fischer,
    /// The time used for the move comes back, at most so much.
    Bronstein,
    /// The time stands still for so long before it runs.
    Delay,
}

/// Base time and increment, in one or more periods.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeControl {
    /// At least one.
    pub periods: Vec<Period>,
    /// What the increment is.
    pub method: Method,
    /// Whether the first increment is on the clock before the first move (as the laws count it) or
    /// comes only with the first press.
    pub increment_in_advance: bool,
    /// Whether the clock freezes when a flag falls in the last period; else that side stays at zero, with its
    /// flag, and the opponent's time can still be started.
    pub freeze: bool,
}

impl TimeControl {
    /// One period: base time and an increment at each press.
    pub fn fischer(base: Duration, increment: Duration) -> Self {
        Self {
            periods: vec![Period {
                time: base,
                increment,
                moves: None,
            }],
            method: Method::Fischer,
            increment_in_advance: false,
            freeze: false,
        }
    }

    /// What each side shows before the game.
    pub fn start(&self) -> Duration {
        let first = self.period(0);
        first.time
            + if self.increment_in_advance {
                first.increment
            } else {
                Duration::ZERO
            }
    }

    /// Base time and increment of the first period.
    pub fn budget(&self) -> (Duration, Duration) {
        let first = self.period(0);
        (first.time, first.increment)
    }

    pub(super) fn period(&self, index: usize) -> Period {
        self.periods
            .get(index.min(self.periods.len().saturating_sub(1)))
            .cloned()
            .unwrap_or(Period {
                time: Duration::ZERO,
                increment: Duration::ZERO,
                moves: None,
            })
    }

    /// The period that opens for `side` when it reaches zero, if another one is left.
    pub(super) fn next_period(&self, face: &ClockFace, side: Side) -> Option<Period> {
        self.periods.get(face.side(side).period + 1).cloned()
    }
}
