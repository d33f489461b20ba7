//! Where the daemon gets its time from.

use std::{sync::Arc, time::Duration};

use flagfall_core::types::{Mono, Now};
use jiff::Timestamp;

/// The hub's time line. At speed 1 its UTC is the system's; a demo runs the whole line faster.
#[derive(Clone, Debug)]
pub struct HubClock(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    start: std::time::Instant,
    start_utc: Timestamp,
    speed: f64,
}

impl HubClock {
    /// Starts the time line now.
    pub fn start(speed: f64) -> Self {
        Self(Arc::new(Inner {
            start: std::time::Instant::now(),
            start_utc: Timestamp::now(),
            speed,
        }))
    }

    /// How much faster than real time it runs.
    pub fn speed(&self) -> f64 {
        self.0.speed
    }

    /// The present.
    pub fn now(&self) -> Now {
        self.at(std::time::Instant::now())
    }

    /// The hub's time at a real instant that has just passed.
    pub fn at(&self, instant: std::time::Instant) -> Now {
        let elapsed = instant
            .saturating_duration_since(self.0.start)
            .mul_f64(self.0.speed);
        let utc = if self.is_real_time() {
            Timestamp::now()
        } else {
            self.0.start_utc + elapsed
        };
        Now {
            mono: Mono(elapsed),
            utc,
        }
    }

    /// Speed 1: UTC is the system's.
    pub fn is_real_time(&self) -> bool {
        (self.0.speed - 1.0).abs() < f64::EPSILON
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
