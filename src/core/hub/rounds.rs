//! The round: publishing, the planned and the declared start, closing.

use std::{collections::BTreeSet, time::Duration};

use jiff::Timestamp;

use super::{
    Hub,
    alerts::Cause,
    command::Refused,
    event::{AlertKind, Fact, Mark, RoundFact},
    set_up::players_of,
    state::Round,
    view::{Phase, Severity},
};
use crate::{
    tournament::event::ProposalKind,
    types::{Now, PlayerNo, RoundNo},
};

impl Hub {
    /// Where the current round stands.
    pub fn phase(&self) -> Option<Phase> {
        self.state
            .round()
            .map(|round| phase_of(round, &self.skipped_marks))
    }

    /// The start that the event's schedule plans for the current round, while none is set.
    pub(super) fn planned_start(&self) -> Option<Timestamp> {
        let set_up = self.state.set_up.as_ref()?;
        let round = self.state.round()?;
        if round.starts_at.is_some() || round.started_at.is_some() {
            return None;
        }
        let closed = match self.state.rounds.as_slice() {
            [.., previous, _] => previous.closed_at,
            _ => None,
        };
        set_up.settings.schedule.start(round.number, closed)
    }

    /// Sets the start that the event's schedule plans. One that has passed is left to the arbiter:
    /// the hall must not see a countdown that begins at zero.
    pub(super) fn schedule_by_plan(&mut self, now: Now) {
        if let Some(starts_at) = self.planned_start().filter(|start| *start > now.utc) {
            self.set_start(now, starts_at, "schedule");
        }
    }

    fn set_start(&mut self, now: Now, starts_at: Timestamp, by: &str) {
        self.emit(
            now,
            None,
            None,
            Fact::Round(RoundFact::Scheduled {
                starts_at,
                by: by.to_owned(),
            }),
        );
        self.arm_countdown(now);
    }

    /// The current round before its start, or why there is none.
    fn waiting_round(&self) -> Result<&Round, Refused> {
        let round = self.current_round()?;
        if round.started_at.is_some() {
            return Err(Refused::Conflict(format!(
                "round {} has started",
                round.number
            )));
        }
        Ok(round)
    }

    fn current_round(&self) -> Result<&Round, Refused> {
        self.state
            .round()
            .ok_or_else(|| Refused::Conflict("no round is paired yet".to_owned()))
    }

    pub(super) fn publish_round(&mut self, now: Now, by: &str) -> Result<(), Refused> {
        let round = self.waiting_round()?;
        if round.published {
            return Err(Refused::Conflict(format!(
                "round {} is public already",
                round.number
            )));
        }
        self.emit(
            now,
            None,
            None,
            Fact::Round(RoundFact::Published { by: by.to_owned() }),
        );
        self.clear(now, &Cause::hall(AlertKind::DraftAtStart));
        self.arm_tables(now);
        self.schedule_by_plan(now);
        self.check_staffing(now);
        Ok(())
    }

    pub(super) fn schedule_round(
        &mut self,
        now: Now,
        starts_at: Timestamp,
        earlier_confirmed: bool,
        by: &str,
    ) -> Result<(), Refused> {
        let round = self.waiting_round()?;
        if starts_at < now.utc {
            return Err(Refused::Invalid(format!("{starts_at} lies in the past")));
        }
        if let Some(announced) = round.starts_at
            && starts_at < announced
        {
            if self
                .countdown
                .is_some_and(|start| start.since(now.mono) < Duration::from_mins(5))
            {
                return Err(Refused::Conflict(
                    "inside the last five minutes the start may not be moved to an earlier time"
                        .to_owned(),
                ));
            }
            if !earlier_confirmed {
                return Err(Refused::Conflict(format!(
                    "{starts_at} is earlier than the announced {announced}: say so with \
                     earlier_confirmed"
                )));
            }
        }
        self.set_start(now, starts_at, by);
        Ok(())
    }

    pub(super) fn shift_round(
        &mut self,
        now: Now,
        seconds: i32,
        earlier_confirmed: bool,
        by: &str,
    ) -> Result<(), Refused> {
        let round = self.waiting_round()?;
        let Some(announced) = round.starts_at else {
            return Err(Refused::Conflict(
                "no start is set that could be moved: set one first".to_owned(),
            ));
        };
        // A start that has passed without a word moves on from now.
        let from = if seconds > 0 {
            announced.max(now.utc)
        } else {
            announced
        };
        let starts_at = from
            .checked_add(jiff::SignedDuration::from_secs(i64::from(seconds)))
            .map_err(|_| Refused::Invalid(format!("{seconds} s is out of range")))?;
        self.schedule_round(now, starts_at, earlier_confirmed, by)
    }

    pub(super) fn hold_round(
        &mut self,
        now: Now,
        reason: Option<String>,
        by: &str,
    ) -> Result<(), Refused> {
        self.waiting_round()?;
        self.emit(
            now,
            None,
            None,
            Fact::Round(RoundFact::Held {
                reason,
                by: by.to_owned(),
            }),
        );
        self.countdown = None;
        self.touch_clock_faces();
        Ok(())
    }

    pub(super) fn start_round(&mut self, now: Now, by: &str) -> Result<(), Refused> {
        let round = self.waiting_round()?;
        if !round.published {
            return Err(Refused::Conflict(format!(
                "the pairing of round {} is a draft: publish it before the start",
                round.number
            )));
        }
        self.emit(
            now,
            None,
            None,
            Fact::Round(RoundFact::Started { by: by.to_owned() }),
        );
        self.countdown = None;
        self.touch_clock_faces();
        self.clear(now, &Cause::hall(AlertKind::NoScreen));
        self.arm_default_time(now);
        self.play_off_offered = false;
        self.arm_after_start(now);
        self.follow_up(now);
        self.look_at_settings(now);
        Ok(())
    }

    pub(super) fn close_round(
        &mut self,
        now: Now,
        number: RoundNo,
        by: &str,
    ) -> Result<(), Refused> {
        let round = self.current_round()?;
        if round.number != number {
            return Err(Refused::Conflict(format!(
                "round {number} is not the current round, {} is",
                round.number
            )));
        }
        if round.closed_at.is_some() {
            return Err(Refused::Conflict(format!(
                "round {number} is closed already"
            )));
        }
        let open: Vec<String> = round.open_tables().map(|table| table.to_string()).collect();
        if !open.is_empty() {
            let where_to = match open.as_slice() {
                [table] => format!("the result is missing at table {table}"),
                tables => format!("results are missing at tables {}", tables.join(", ")),
            };
            return Err(Refused::Conflict(where_to));
        }
        self.emit(
            now,
            None,
            None,
            Fact::Round(RoundFact::Closed { by: by.to_owned() }),
        );
        self.clear(now, &Cause::hall(AlertKind::RoundComplete));
        self.clear(now, &Cause::hall(AlertKind::PlayOffTime));
        self.photo_at = None;
        self.play_off_at = None;
        self.default_at = None;
        self.absent_at = None;
        if self.rounds().is_none_or(|rounds| number.0 < rounds) {
            self.pair_next(now, by);
        } else {
            self.check_decided(now);
        }
        Ok(())
    }

    /// A draft whose players or system are not those of the event any more is paired again.
    pub(super) fn repair_draft(&mut self, now: Now, other_system: bool) {
        let (Some(round), Some(set_up)) = (self.state.round(), &self.state.set_up) else {
            return;
        };
        let drafted: BTreeSet<PlayerNo> = players_of(round).collect();
        let entered = set_up.players.iter().map(|player| player.no).collect();
        if !round.published && (other_system || drafted != entered) {
            self.pair_draft_for_list(now, "config");
        }
    }

    /// The last result is in.
    pub(super) fn check_complete(&mut self, now: Now) {
        self.handle_share(now);
        let Some(round) = self.state.round() else {
            return;
        };
        let number = round.number;
        let complete = round.closed_at.is_none()
            && round.started_at.is_some()
            && round.open_tables().next().is_none();
        if !complete {
            return;
        }
        if self.accepts(ProposalKind::CloseRound) {
            // Cannot be refused: no result is missing.
            let _ = self.close_round(now, number, "policy");
            return;
        }
        let text = format!("All results of round {number} are in. Check them and close the round.");
        self.raise(
            now,
            Cause::hall(AlertKind::RoundComplete),
            Severity::Notice,
            text,
            None,
        );
    }
}

/// Where a round stands.
pub(super) fn phase_of(round: &Round, skipped: &[Mark]) -> Phase {
    if round.closed_at.is_some() {
        Phase::Closed
    } else if round.default_passed {
        Phase::Playing
    } else if round.started_at.is_some() {
        Phase::Started
    } else if round.held.is_some() {
        Phase::Held
    } else if round.starts_at.is_none() {
        Phase::Idle
    } else {
        match round.marks.iter().chain(skipped).max() {
            None => Phase::Scheduled,
            Some(Mark::Seats) => Phase::Seats,
            Some(Mark::FiveMinutes) => Phase::Last5,
            Some(Mark::OneMinute) => Phase::Last1,
            // What is announced after the start does not come before it.
            Some(Mark::Zero | Mark::PhotoOver) => Phase::Zero,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        hub::{
            HubSettings,
            command::{Command, Request},
            event::SetUp,
            state::HallState,
        },
        tournament::{EventSettings, Player, schedule::RoundStart},
        types::{Mono, PlayerNo},
    };

    fn paired(now: Now, planned: Timestamp) -> Hub {
        let section = "open".parse().unwrap();
        let mut settings = EventSettings::new("Cup", section, Some("5+3"));
        settings.schedule.rounds = vec![RoundStart::At { at: planned }];
        let players = (1..=4)
            .map(|no| Player::new(PlayerNo(no), format!("Player {no}")))
            .collect();
        let mut hub = Hub::new(HubSettings::default(), HallState::default(), now);
        hub.handle_set_up(now, SetUp { settings, players });
        act(&mut hub, now, Command::PairRound);
        hub
    }

    fn act(hub: &mut Hub, now: Now, command: Command) {
        let by = "Anna".to_owned();
        hub.handle_request(now, Request { by, command }).unwrap();
    }

    #[test]
    fn a_planned_start_is_announced_with_the_pairing_unless_it_has_passed() {
        let now = Now {
            mono: Mono::ZERO,
            utc: "2026-12-05T08:00:00Z".parse().unwrap(),
        };
        for (minutes, phase) in [(30, Phase::Scheduled), (-30, Phase::Idle)] {
            let planned = now.utc + jiff::SignedDuration::from_mins(minutes);
            let mut hub = paired(now, planned);
            let draft = hub.hall_view(now).round.unwrap();
            assert_eq!(draft.planned_at, Some(planned), "the draft shows the plan");
            assert_eq!(draft.starts_at, None);
            act(&mut hub, now, Command::PublishRound);
            let public = hub.hall_view(now).round.unwrap();
            assert_eq!(public.phase, phase);
            let announced = (minutes > 0).then_some(planned);
            assert_eq!(public.starts_at, announced);
        }
    }
}
