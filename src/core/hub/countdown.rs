//! The countdown: its marks, zero, the screens that show it, default time and who is absent by then.

use std::time::Duration;

use super::{
    Hub,
    alerts::Cause,
    event::{AlertKind, Fact, Mark, RoundFact},
    view::Severity,
};
use crate::{
    tournament::event::DefaultTime,
    types::{Mono, Now},
};

/// With default time zero nobody can have moved at once: who has not started is asked for then.
const LEAST_GRACE: Duration = Duration::from_mins(2);

impl Hub {
    /// The start as a point of monotonic time, so that a stepped wall clock does not move it.
    pub(super) fn arm_countdown(&mut self, now: Now) {
        self.countdown = self
            .state
            .round()
            .filter(|round| round.started_at.is_none() && round.held.is_none())
            .and_then(|round| round.starts_at)
            .map(|starts_at| {
                // A negative duration does not convert: that start has passed.
                let ahead = Duration::try_from(starts_at.duration_since(now.utc));
                now.mono + ahead.unwrap_or_default()
            });
        self.touch_clock_faces();
        // Marks that lie in the past, or passed while the hub was down, are not made up for.
        self.skipped_marks = self.countdown.map_or_else(Vec::new, |start| {
            Mark::ALL
                .into_iter()
                .filter(|mark| *mark != Mark::Zero && mark_at(start, *mark) < now.mono)
                .collect()
        });
    }

    pub(super) fn arm_default_time(&mut self, now: Now) {
        self.default_at = None;
        self.absent_at = None;
        let Some(round) = self.state.round() else {
            return;
        };
        let (Some(started), None) = (round.started_at, round.closed_at) else {
            return;
        };
        let passed = Duration::try_from(now.utc.duration_since(started)).unwrap_or_default();
        if !round.default_passed {
            self.default_at = self
                .default_time()
                .map(|time| now.mono + time.saturating_sub(passed));
        }
        let look = self.default_time().unwrap_or_default().max(LEAST_GRACE);
        if passed <= look {
            self.absent_at = Some(now.mono + look.saturating_sub(passed));
        }
    }

    /// The event's default time as a duration, where it is one.
    pub(super) fn default_time(&self) -> Option<Duration> {
        match self.state.set_up.as_ref()?.settings.default_time {
            DefaultTime::After(time) => Some(time),
            DefaultTime::UntilHalf | DefaultTime::None => None,
        }
    }

    /// The countdown's marks, zero, default time, absent players.
    pub(super) fn handle_schedule(&mut self, now: Now) {
        self.handle_marks(now);
        self.handle_after_start(now);
        self.handle_clock_faces(now);
        if self.default_at.is_some_and(|at| at <= now.mono) {
            self.default_at = None;
            self.emit(now, None, None, Fact::Round(RoundFact::DefaultTime));
        }
        if self.absent_at.is_some_and(|at| at <= now.mono) {
            self.absent_at = None;
            let due = self.default_time().is_some();
            self.ask_for_absent(now, due);
        }
    }

    fn handle_marks(&mut self, now: Now) {
        while let Some(start) = self.countdown {
            let Some(mark) = self.next_mark() else { return };
            if mark_at(start, mark) > now.mono {
                return;
            }
            self.emit(now, None, None, Fact::Announce { mark });
            if mark == Mark::FiveMinutes {
                self.lift_blackout(now);
            }
            self.look_at_settings(now);
            if mark == Mark::Zero {
                self.countdown = None;
                self.handle_zero(now);
            }
        }
    }

    fn next_mark(&self) -> Option<Mark> {
        let round = self.state.round()?;
        Mark::ALL
            .into_iter()
            .find(|mark| !round.marks.contains(mark) && !self.skipped_marks.contains(mark))
    }

    fn handle_zero(&mut self, now: Now) {
        let Some(round) = self.state.round() else {
            return;
        };
        if !round.published {
            let number = round.number;
            let held = RoundFact::Held {
                reason: None,
                by: "schedule".to_owned(),
            };
            self.emit(now, None, None, Fact::Round(held));
            let text = format!(
                "The start of round {number} has come, but its pairing is a draft. \
                 Publish it and set a new start."
            );
            let cause = Cause::hall(AlertKind::DraftAtStart);
            self.raise(now, cause, Severity::Call, text, None);
        } else if self
            .state
            .set_up
            .as_ref()
            .is_some_and(|it| it.settings.start_by_itself)
        {
            // Cannot be refused: it is published and has not started.
            let _ = self.start_round(now, "schedule");
        }
    }

    pub(super) fn schedule_timeout(&self) -> Option<Mono> {
        let mark = self
            .countdown
            .and_then(|start| self.next_mark().map(|mark| mark_at(start, mark)));
        [
            mark,
            self.default_at,
            self.absent_at,
            self.photo_at,
            self.play_off_at,
            self.clock_faces_at,
        ]
        .into_iter()
        .flatten()
        .min()
    }
}

fn mark_at(start: Mono, mark: Mark) -> Mono {
    Mono(start.0.saturating_sub(mark.before_start()))
}
