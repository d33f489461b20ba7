//! Whether the hub itself was held up: stopped, starved, or the whole machine asleep.
//!
//! What the ports told meanwhile waits in their buffers and comes all at once, with one time. A board
//! that seems to have been still was only not listened to.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

/// How often it beats, in real time.
const BEAT: Duration = Duration::from_millis(200);
/// A beat that comes so late was held up.
const HELD_UP: Duration = Duration::from_millis(600);

/// A beat that stops when the hub does.
#[derive(Clone, Debug)]
pub(crate) struct Pulse(Arc<Mutex<Beats>>);

#[derive(Debug)]
struct Beats {
    last: Instant,
    held_up: Option<Instant>,
}

impl Pulse {
    /// Begins at this moment.
    pub(crate) fn new(now: Instant) -> Self {
        Self(Arc::new(Mutex::new(Beats {
            last: now,
            held_up: None,
        })))
    }

    /// Beats for ever.
    pub(crate) async fn run(self) {
        loop {
            tokio::time::sleep(BEAT).await;
            self.beat(Instant::now());
        }
    }

    /// The last beat before the hub was held up, if it was since this was asked last.
    pub(crate) fn held_up(&self, now: Instant) -> Option<Instant> {
        self.beat(now);
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .held_up
            .take()
    }

    fn beat(&self, now: Instant) {
        let mut beats = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if now.saturating_duration_since(beats.last) > HELD_UP {
            let last = beats.last;
            beats.held_up.get_or_insert(last);
        }
        beats.last = beats.last.max(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beat_that_fails_is_told_once_and_from_when() {
        let start = Instant::now();
        let after = |ms| start + Duration::from_millis(ms);
        let pulse = Pulse::new(start);
        pulse.beat(after(100));
        assert_eq!(pulse.held_up(after(500)), None);
        // Whoever wakes first notices it.
        pulse.beat(after(3000));
        pulse.beat(after(3100));
        assert_eq!(pulse.held_up(after(3150)), Some(after(500)));
        assert_eq!(pulse.held_up(after(3160)), None);
        assert_eq!(pulse.held_up(after(6000)), Some(after(3160)));
    }
}
