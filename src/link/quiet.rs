//! Readings of a clock that runs on as it should. Nobody waits for them, so nobody is woken for them:
//! the hub takes them in before whatever comes next, and once a second.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use flagfall_core::{
    protocol::{ClockReading, ClockSide, Observation},
    types::Mono,
};

use super::LinkEvent;

/// With less on the running side each reading counts: the flag may fall.
const CLOSE: Duration = Duration::from_secs(30);
/// Whole seconds and a late line.
const SLACK: Duration = Duration::from_millis(1200);
/// A clock that was not heard of for so long says something new.
const SILENT: Duration = Duration::from_secs(3);

/// Observations of all ports that can wait, in their order.
#[derive(Clone, Debug, Default)]
pub struct Quiet(Arc<Mutex<Vec<LinkEvent>>>);

impl Quiet {
    /// What has waited so far.
    pub fn take(&self) -> Vec<LinkEvent> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn push(&self, event: LinkEvent) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(event);
    }
}

/// What one port's clock said last.
#[derive(Debug, Default)]
pub(super) struct Ticks(Option<(Mono, ClockReading)>);

impl Ticks {
    /// Whether the observation is a reading that follows from the one before.
    pub(super) fn runs_on(&mut self, now: Mono, observation: &Observation) -> bool {
        let Observation::Clock(reading) = observation else {
            return false;
        };
        let last = self.0.replace((now, *reading));
        last.is_some_and(|(at, last)| follows(&last, reading, now.since(at)))
    }
}

fn follows(last: &ClockReading, reading: &ClockReading, passed: Duration) -> bool {
    let face = |reading: &ClockReading| match reading.lever_high {
        ClockSide::Left => reading.left,
        ClockSide::Right => reading.right,
    };
    let mut expected = *last;
    // All but the running side's time must be the same.
    match last.lever_high {
        ClockSide::Left => expected.left.time = reading.left.time,
        ClockSide::Right => expected.right.time = reading.right.time,
    }
    let due = face(last).time.saturating_sub(passed);
    expected == *reading
        && reading.running
        && passed < SILENT
        && face(reading).time >= CLOSE
        && face(reading).time.abs_diff(due) <= SLACK
}

#[cfg(test)]
mod tests {
    use flagfall_core::protocol::FaceReading;

    use super::*;

    fn reading(left: u64, right: u64) -> ClockReading {
        let face = |secs| FaceReading {
            time: Duration::from_secs(secs),
            flag_blocked: false,
            flag_shown: false,
            time_per_move: false,
        };
        ClockReading {
            left: face(left),
            right: face(right),
            running: true,
            lever_high: ClockSide::Left,
            battery_low: false,
        }
    }

    #[test]
    fn only_what_follows_can_wait() {
        let first = reading(600, 500);
        let second = Duration::from_secs(1);
        assert!(follows(&first, &reading(599, 500), second));
        assert!(follows(&first, &reading(600, 500), second));
        assert!(!follows(&first, &reading(597, 500), second));
        assert!(!follows(&first, &reading(602, 500), second));
        assert!(!follows(&first, &reading(599, 499), second));
        assert!(!follows(
            &first,
            &reading(590, 500),
            Duration::from_secs(10)
        ));
        assert!(!follows(&reading(30, 500), &reading(29, 500), second));
        for change in [
            |it: &mut ClockReading| it.running = false,
            |it: &mut ClockReading| it.lever_high = ClockSide::Right,
            |it: &mut ClockReading| it.battery_low = true,
            |it: &mut ClockReading| it.left.flag_shown = true,
        ] {
            let mut other = reading(599, 500);
            change(&mut other);
            assert!(!follows(&first, &other, second), "{other:?}");
        }
    }

    #[test]
    fn a_first_reading_and_what_is_no_reading_cannot_wait() {
        let mut ticks = Ticks::default();
        let clock = |left| Observation::Clock(reading(left, 500));
        assert!(!ticks.runs_on(Mono::ZERO, &clock(600)));
        assert!(!ticks.runs_on(Mono::ZERO, &Observation::ClockGone));
        assert!(ticks.runs_on(Mono::from_millis(1_000), &clock(599)));
    }
}
