//! Whether the readings of a clock come in time. What presses add is measured between readings; where the
//! line holds them back for seconds, nothing is measured.

use std::time::Duration;

use shakmaty::Color;

use super::evidence::ms;
use crate::types::Mono;

/// Whole seconds and a second of lag.
const IN_TIME: i64 = 2100;
/// After readings that were late so long nothing is measured.
const SETTLES: Duration = Duration::from_secs(20);

/// One run of one side's time.
#[derive(Clone, Copy, Debug)]
struct Run {
    side: Color,
    last: i64,
    /// The time has been seen to fall: with a delay it stands first.
    falls: bool,
    /// When the time would be over by each of the readings, the earliest and the latest.
    over: (i64, i64),
}

/// Watches how regularly the readings come.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pace {
    run: Option<Run>,
    late: Option<Mono>,
}

impl Pace {
    /// A reading. Returns whether it shows that readings are late.
    pub(super) fn is_late(&mut self, at: Mono, running: Option<(Color, Duration)>) -> bool {
        let Some((side, time)) = running else {
            self.run = None;
            return false;
        };
        let (now, left) = (ms(at.0), ms(time));
        let over = now + left;
        let fresh = Run {
            side,
            last: left,
            falls: false,
            over: (over, over),
        };
        let Some(run) = self
            .run
            .as_mut()
            .filter(|run| run.side == side && left <= run.last)
        else {
            self.run = Some(fresh);
            return false;
        };
        if left == run.last {
            return false;
        }
        run.last = left;
        run.over = if run.falls {
            (run.over.0.min(over), run.over.1.max(over))
        } else {
            (over, over)
        };
        run.falls = true;
        let late = run.over.1 - run.over.0 > IN_TIME;
        if late {
            self.late = Some(at);
            self.run = Some(fresh);
        }
        late
    }

    /// Nothing was late for a while.
    pub(super) fn is_steady(&self, now: Mono) -> bool {
        self.late.is_none_or(|late| now.since(late) >= SETTLES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tells(readings: &[(u64, u64)]) -> bool {
        let mut pace = Pace::default();
        let mut late = false;
        for (ms, seconds) in readings {
            let time = Duration::from_secs(*seconds);
            late |= pace.is_late(Mono::from_millis(*ms), Some((Color::White, time)));
        }
        assert_eq!(late, !pace.is_steady(Mono::from_millis(9_000)));
        late
    }

    #[test]
    fn a_second_of_lag_is_usual_and_a_burst_is_not() {
        assert!(!tells(&[
            (0, 100),
            (1900, 99),
            (2100, 98),
            (3950, 97),
            (6000, 94)
        ]));
        assert!(tells(&[
            (0, 100),
            (1000, 99),
            (5500, 98),
            (5501, 97),
            (5502, 96)
        ]));
        // Heard for the first time in the burst.
        assert!(tells(&[
            (5500, 98),
            (5501, 97),
            (5502, 96),
            (5503, 95),
            (5504, 94)
        ]));
    }

    #[test]
    fn a_delay_in_which_the_time_stands_is_no_lag() {
        assert!(!tells(&[
            (0, 100),
            (1000, 100),
            (6000, 99),
            (7000, 98),
            (8000, 97)
        ]));
    }
}
