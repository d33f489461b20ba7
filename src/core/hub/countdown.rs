//! The countdown: its marks, zero, the screens that show it, default time and who is absent by then.

use std::time::Duration;

use super::{
    Hub,
    alerts::Cause,
    event::{AlertKind, Fact, Mark, Proposal, Proposed, RoundFact},
    view::Severity,
};
use crate::{
    tournament::{GameResult, event::DefaultTime},
    types::{Color, Mono, Now, TableNo},
};

/// With default time zero nobody can have moved at once: who has not started is asked for then.
const LEAST_GRACE: Duration = Duration::from_mins(2);

/// More players than this need the big countdown (R-CD-1).
const SCREEN_ABOVE: usize = 30;

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
        if self.default_at.is_some_and(|at| at <= now.mono) {
            self.default_at = None;
            self.emit(now, None, None, Fact::Round(RoundFact::DefaultTime));
        }
        if self.absent_at.is_some_and(|at| at <= now.mono) {
            self.absent_at = None;
            self.ask_for_absent(now);
        }
    }

    fn handle_marks(&mut self, now: Now) {
        while let Some(start) = self.countdown {
            let Some(mark) = self.next_mark() else { return };
            if mark_at(start, mark) > now.mono {
                return;
            }
            self.emit(now, None, None, Fact::Announce { mark });
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

    /// R-CD-1: more than 30 players and no countdown screen a quarter of an hour before the start.
    pub(super) fn check_screens(&mut self, now: Now) {
        let cause = Cause::hall(AlertKind::NoScreen);
        if self.screens > 0 {
            self.screen_missed = None;
            self.clear(now, &cause);
            return;
        }
        let wanted = self
            .state
            .set_up
            .as_ref()
            .is_some_and(|it| it.players.len() > SCREEN_ABOVE)
            && self
                .countdown
                .is_some_and(|start| mark_at(start, Mark::Seats) <= now.mono);
        let round = self.state.round().map(|round| round.number);
        // Once a round: whoever closed the alert has been told.
        if wanted && self.screen_missed != round {
            self.screen_missed = round;
            let text = "No countdown screen is connected. Open /screen on the hall's screen: \
                        with more than 30 players one is required.";
            self.raise(now, cause, Severity::Call, text, None);
        }
    }

    /// R-CD-4: the hub can name an absent player only where the clock shows him.
    fn ask_for_absent(&mut self, now: Now) {
        let Some(round) = self.state.round() else {
            return;
        };
        let idle: Vec<TableNo> = round
            .games
            .iter()
            .filter(|(_, game)| game.moves.is_empty() && game.result.is_none())
            .map(|(table, _)| *table)
            .collect();
        for table in idle {
            let white_runs = self
                .live
                .get(table)
                .and_then(|live| live.running(now))
                .is_some_and(|side| side == Color::White);
            if white_runs && self.default_time().is_some() {
                let proposal = Proposal {
                    proposed: Proposed::Forfeit {
                        result: GameResult::BlackByForfeit,
                    },
                    position: shakmaty::fen::Fen::default().to_string(),
                    seen: None,
                    times: self.times(table, now),
                    text: "Default time is over; White's clock runs and White has not moved."
                        .to_owned(),
                };
                self.propose(
                    now,
                    table,
                    proposal,
                    AlertKind::NotStarted,
                    Severity::Warning,
                );
            } else if !white_runs && self.state.device_at(table).is_some() {
                let text = format!("Nobody has started at table {table}. Who is absent?");
                let cause = Cause::at(AlertKind::NotStarted, table);
                self.raise(now, cause, Severity::Warning, text, None);
            }
        }
    }

    pub(super) fn schedule_timeout(&self) -> Option<Mono> {
        let mark = self
            .countdown
            .and_then(|start| self.next_mark().map(|mark| mark_at(start, mark)));
        [mark, self.default_at, self.absent_at]
            .into_iter()
            .flatten()
            .min()
    }
}

fn mark_at(start: Mono, mark: Mark) -> Mono {
    Mono(start.0.saturating_sub(mark.before_start()))
}
