//! Readings of a clock that runs on as it should, and boards that show what they showed. Nobody waits for
//! them, so nobody is woken for them: the hub takes them in before whatever comes next, and once a second.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use flagfall_core::{
    protocol::{ClockReading, ClockSide, Observation},
    types::{Bitboard, Mono, Placement},
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

/// What one port's device said last.
#[derive(Debug, Default)]
pub(super) struct Known {
    clock: Option<(Mono, ClockReading)>,
    board: Option<Placement>,
    occupied: Option<Bitboard>,
}

impl Known {
    /// Whether the observation is a reading that follows from the one before, or a picture that shows
    /// the same.
    pub(super) fn expects(&mut self, now: Mono, observation: &Observation) -> bool {
        match observation {
            Observation::Clock(reading) => {
                let last = self.clock.replace((now, *reading));
                last.is_some_and(|(at, last)| follows(&last, reading, now.since(at)))
            }
            Observation::Placement { placement, change } => {
                let last = self.board.replace(placement.clone());
                change.is_none() && last.as_ref() == Some(placement)
            }
            Observation::Occupancy { occupied, change } => {
                let last = self.occupied.replace(*occupied);
                change.is_none() && last == Some(*occupied)
            }
            // What comes next is waited for, whatever it is.
            Observation::Found(_) | Observation::Missed { .. } => {
                *self = Self::default();
                false
            }
            _ => false,
        }
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
    use flagfall_core::{
        protocol::{FaceReading, SquareChange},
        types::Square,
    };

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
        let mut known = Known::default();
        let clock = |left| Observation::Clock(reading(left, 500));
        assert!(!known.expects(Mono::ZERO, &clock(600)));
        assert!(!known.expects(Mono::ZERO, &Observation::ClockGone));
        assert!(known.expects(Mono::from_millis(1_000), &clock(599)));
    }

    #[test]
    fn only_a_whole_picture_that_shows_the_same_can_wait() {
        let mut known = Known::default();
        let mut placement = Placement::default();
        let dump = |placement: &Placement| Observation::Placement {
            placement: placement.clone(),
            change: None,
        };
        assert!(!known.expects(Mono::ZERO, &dump(&placement)));
        assert!(known.expects(Mono::ZERO, &dump(&placement)));
        placement.discard_piece_at(Square::E2);
        let lifted = Observation::Placement {
            placement: placement.clone(),
            change: Some(SquareChange {
                square: Square::E2,
                piece: None,
            }),
        };
        assert!(!known.expects(Mono::ZERO, &lifted));
        assert!(!known.expects(Mono::ZERO, &lifted), "a change is news");
        assert!(known.expects(Mono::ZERO, &dump(&placement)));
        let missed = Observation::Missed { since: Mono::ZERO };
        assert!(!known.expects(Mono::ZERO, &missed));
        assert!(!known.expects(Mono::ZERO, &dump(&placement)));
    }
}
