//! Where the daemon gets its time from.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use flagfall_core::types::{Mono, Now};
use jiff::{SignedDuration, Timestamp};

/// A difference between the system clock and the hub's below this is followed in silence.
pub(crate) const STEP: SignedDuration = SignedDuration::from_secs(2);

/// The hub's time line. It starts at the system clock's time and goes on with the monotonic clock,
/// so that a stepped system clock moves no countdown. A demo runs the whole line faster.
#[derive(Clone, Debug)]
pub struct HubClock(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    start: Instant,
    start_utc: Timestamp,
    speed: f64,
    /// What was added since the start to stay with the system clock.
    offset_ms: AtomicI64,
}

impl HubClock {
    /// Starts the time line now.
    pub fn start(speed: f64) -> Self {
        Self(Arc::new(Inner {
            start: Instant::now(),
            start_utc: Timestamp::now(),
            speed,
            offset_ms: AtomicI64::new(0),
        }))
    }

    /// How much faster than real time it runs.
    pub fn speed(&self) -> f64 {
        self.0.speed
    }

    /// The present.
    pub fn now(&self) -> Now {
        self.at(Instant::now())
    }

    /// The hub's time at a real instant that has just passed.
    pub fn at(&self, instant: Instant) -> Now {
        let elapsed = instant
            .saturating_duration_since(self.0.start)
            .mul_f64(self.0.speed);
        let offset = SignedDuration::from_millis(self.0.offset_ms.load(Ordering::Relaxed));
        let utc = self
            .0
            .start_utc
            .saturating_add(elapsed)
            .and_then(|t| t.saturating_add(offset));
        Now {
            mono: Mono(elapsed),
            utc: milliseconds(utc.unwrap_or(self.0.start_utc)),
        }
    }

    /// Speed 1: this line should agree with the system clock.
    pub fn is_real_time(&self) -> bool {
        (self.0.speed - 1.0).abs() < f64::EPSILON
    }

    /// Compares with the system clock. A small difference is followed; a step is left alone and
    /// returned, since a countdown may be running: somebody must decide (display.md §5).
    pub fn compare(&self, system: Timestamp) -> Option<SignedDuration> {
        if !self.is_real_time() {
            return None;
        }
        let ahead = system.duration_since(self.now().utc);
        if ahead.abs() >= STEP {
            return Some(ahead);
        }
        let ahead = i64::try_from(ahead.as_millis()).unwrap_or_default();
        self.0.offset_ms.fetch_add(ahead, Ordering::Relaxed);
        None
    }

    /// Takes the system clock's time over, step or not.
    pub fn adopt(&self, system: Timestamp) {
        let ahead = system.duration_since(self.now().utc).as_millis();
        self.0
            .offset_ms
            .fetch_add(i64::try_from(ahead).unwrap_or_default(), Ordering::Relaxed);
    }

    /// Real time until a point of the time line; zero when it has passed.
    pub fn until(&self, target: Mono) -> Duration {
        target.since(self.now().mono).div_f64(self.0.speed)
    }

    /// Sleeps until a point of the time line.
    pub async fn sleep_until(&self, target: Mono) {
        tokio::time::sleep(self.until(target)).await;
    }
}

/// An instant in whole milliseconds, as everything that the hub says and keeps has it.
pub(crate) fn milliseconds(instant: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(instant.as_millisecond()).unwrap_or(instant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_of_the_system_clock_is_told_and_not_followed() {
        let clock = HubClock::start(1.0);
        let before = clock.now().utc;
        let stepped = before - SignedDuration::from_hours(2);
        let told = clock.compare(stepped).unwrap();
        assert_eq!(told.as_secs(), -7200);
        assert!(clock.now().utc >= before);
        clock.adopt(stepped);
        assert!(clock.now().utc < before - SignedDuration::from_mins(119));
    }

    #[test]
    fn instants_are_whole_milliseconds() {
        let clock = HubClock::start(7.0);
        for _ in 0..100 {
            assert_eq!(clock.now().utc.subsec_nanosecond() % 1_000_000, 0);
        }
    }

    #[test]
    fn a_drift_is_followed() {
        let clock = HubClock::start(1.0);
        let before = clock.now().utc;
        assert_eq!(
            clock.compare(before + SignedDuration::from_millis(800)),
            None
        );
        assert!(clock.now().utc >= before + SignedDuration::from_millis(790));
    }

    #[test]
    fn a_fast_line_leaves_the_system_clock_alone() {
        let clock = HubClock::start(60.0);
        assert_eq!(
            clock.compare(clock.now().utc + SignedDuration::from_hours(5)),
            None
        );
        let target = clock.now().mono + Duration::from_mins(1);
        assert!(clock.until(target) <= Duration::from_secs(1));
    }
}
