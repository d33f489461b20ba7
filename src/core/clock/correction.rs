//! What an arbiter has a clock corrected to, and whether it shows that (R-CK-4).

use std::time::Duration;

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use super::Times;

/// A display with whole seconds that is a second late on either side of the change.
const WITHIN: Duration = Duration::from_secs(2);

/// How the times are to be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "kebab-case")]
pub enum Change {
    /// By so much; below zero takes away.
    Add {
        /// White's, in milliseconds.
        white_ms: i64,
        /// Black's, in milliseconds.
        black_ms: i64,
    },
    /// To these times.
    Set {
        /// White's, in milliseconds.
        white_ms: u64,
        /// Black's, in milliseconds.
        black_ms: u64,
    },
}

impl Change {
    /// The times that a clock which shows `from` must show then. Nobody gets less than nothing.
    #[must_use]
    pub fn target(self, from: Times) -> Times {
        match self {
            Self::Add { white_ms, black_ms } => Times {
                white: add(from.white, white_ms),
                black: add(from.black, black_ms),
            },
            Self::Set { white_ms, black_ms } => Times {
                white: Duration::from_millis(white_ms),
                black: Duration::from_millis(black_ms),
            },
        }
    }

    /// By how much a side's time changes from what it is, in milliseconds.
    pub fn of(self, side: Color, from: Times) -> i64 {
        let ms = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        match self {
            Self::Add { white_ms, black_ms } => side.fold_wb(white_ms, black_ms),
            Self::Set { .. } => ms(self.target(from).of(side)) - ms(from.of(side)),
        }
    }

    /// Whether this change is what led from one display to the other.
    pub fn explains(self, before: Times, after: Times) -> bool {
        shows(self.target(before), after)
    }
}

/// Whether a display shows these times, as exactly as a clock with whole seconds can.
pub fn shows(target: Times, shown: Times) -> bool {
    Color::ALL
        .into_iter()
        .all(|side| target.of(side).abs_diff(shown.of(side)) <= WITHIN)
}

fn add(time: Duration, ms: i64) -> Duration {
    let by = Duration::from_millis(ms.unsigned_abs());
    if ms < 0 {
        time.saturating_sub(by)
    } else {
        time.saturating_add(by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(white: u64, black: u64) -> Times {
        Times {
            white: Duration::from_secs(white),
            black: Duration::from_secs(black),
        }
    }

    #[test]
    fn two_minutes_for_black_are_black_s_alone() {
        let penalty = Change::Add {
            white_ms: 0,
            black_ms: 120_000,
        };
        assert_eq!(penalty.target(times(600, 33)), times(600, 153));
        assert!(penalty.explains(times(600, 33), times(599, 154)));
        assert!(
            !penalty.explains(times(600, 33), times(720, 33)),
            "the other side"
        );
        assert!(
            !penalty.explains(times(600, 33), times(600, 93)),
            "half of it"
        );
        assert_eq!(penalty.of(Color::Black, times(1, 1)), 120_000);
    }

    #[test]
    fn exact_times_are_what_they_are_wherever_the_clock_was() {
        let set = Change::Set {
            white_ms: 300_000,
            black_ms: 240_000,
        };
        assert_eq!(set.target(times(7, 9)), times(300, 240));
        assert!(set.explains(times(7, 9), times(300, 240)));
        assert_eq!(set.of(Color::White, times(301, 9)), -1000);
    }

    #[test]
    fn nobody_gets_less_than_nothing() {
        let taken = Change::Add {
            white_ms: -60_000,
            black_ms: 0,
        };
        assert_eq!(taken.target(times(30, 30)), times(0, 30));
    }
}
