//! What the clock says after the start: the photo window (R-CD-5), default time by the share of games
//! (R-CD-4), and the time that the last boards are given (R-CD-6).

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::{
    Hub,
    alerts::Cause,
    command::Refused,
    event::{AlertKind, Fact, Mark, RoundFact},
    state::Round,
    view::{PlayOffView, Severity},
};
use crate::{
    tournament::event::DefaultTime,
    types::{Now, TableNo},
};

/// The usual time of R-CD-6.
const USUAL: Duration = Duration::from_mins(5);
/// The longest that may be given.
const LONGEST: Duration = Duration::from_hours(1);

impl Hub {
    /// After the start, or a restart of the hub: what is still to come of the round's clock.
    pub(super) fn arm_after_start(&mut self, now: Now) {
        self.photo_at = None;
        self.play_off_at = None;
        let Some(round) = self.state.round() else {
            return;
        };
        let ahead = |at: Timestamp| Duration::try_from(at.duration_since(now.utc)).ok();
        let photo = self
            .photo_until(round)
            .filter(|_| round.closed_at.is_none());
        // A window that ended while the hub was down is not announced any more.
        let photo = photo.filter(|_| !round.marks.contains(&Mark::PhotoOver));
        let photo = photo.and_then(ahead).map(|left| now.mono + left);
        let play_off = round.play_off.as_ref().filter(|play_off| !play_off.over);
        let play_off = play_off.map(|it| now.mono + ahead(it.until).unwrap_or_default());
        self.photo_at = photo;
        self.play_off_at = play_off;
    }

    /// When photography ends; `None` before the start and where none is allowed.
    pub(super) fn photo_until(&self, round: &Round) -> Option<Timestamp> {
        let settings = &self.state.set_up.as_ref()?.settings;
        let time = settings.photography.of(round.number);
        if time.is_zero() {
            return None;
        }
        round.started_at?.checked_add(time).ok()
    }

    pub(super) fn handle_after_start(&mut self, now: Now) {
        if self.photo_at.is_some_and(|at| at <= now.mono) {
            self.photo_at = None;
            let mark = Mark::PhotoOver;
            self.emit(now, None, None, Fact::Announce { mark });
        }
        if self.play_off_at.is_some_and(|at| at <= now.mono) {
            self.play_off_at = None;
            self.emit(now, None, None, Fact::Round(RoundFact::PlayOffOver));
            for table in self.play_off_tables() {
                let text = format!(
                    "Time is over at table {table}: stop the game, adjudicate it and enter the result."
                );
                let cause = Cause::at(AlertKind::Adjudicate, table);
                self.raise(now, cause, Severity::Call, text, None);
            }
        }
    }

    /// Default time ends when fewer than half of the games are still played.
    pub(super) fn until_half(&self, round: &Round) -> bool {
        let set_up = self.state.set_up.as_ref();
        !round.default_passed
            && set_up.is_some_and(|it| it.settings.default_time == DefaultTime::UntilHalf)
    }

    /// A result has come in.
    pub(super) fn handle_share(&mut self, now: Now) {
        let adjudicated: Vec<TableNo> = (self.state.alerts.values())
            .filter(|alert| alert.about == AlertKind::Adjudicate)
            .filter_map(|alert| alert.table)
            .filter(|table| {
                self.state
                    .game(*table)
                    .is_none_or(|game| game.result.is_some())
            })
            .collect();
        for table in adjudicated {
            self.clear_table(now, table, &[AlertKind::Adjudicate]);
        }
        let Some((round, settings)) = self.state.round().zip(self.state.set_up.as_ref()) else {
            return;
        };
        if round.started_at.is_none() || round.closed_at.is_some() {
            return;
        }
        let settings = &settings.settings;
        let (tables, open) = (round.games.len(), round.open_tables().count());
        let until_half = settings.default_time == DefaultTime::UntilHalf;
        let half = until_half && !round.default_passed && open * 2 < tables;
        let offer = settings.play_off_time.filter(|rule| {
            open > 0
                && round.play_off.is_none()
                && (tables - open) * 100 >= tables * usize::from(rule.after_percent)
        });
        if half {
            self.emit(now, None, None, Fact::Round(RoundFact::DefaultTime));
        }
        let cause = Cause::hall(AlertKind::PlayOffTime);
        match offer {
            Some(rule) if !self.play_off_offered => {
                self.play_off_offered = true;
                let text = format!(
                    "{} % of the games are over: the boards that are left may be given {} minutes now.",
                    rule.after_percent,
                    rule.time.as_secs().div_ceil(60)
                );
                self.raise(now, cause, Severity::Notice, text, None);
            }
            None if open == 0 => self.clear(now, &cause),
            _ => {}
        }
    }

    /// The last boards are given so much time; without a figure what the event says.
    pub(super) fn start_play_off(
        &mut self,
        now: Now,
        seconds: Option<u32>,
        by: &str,
    ) -> Result<(), Refused> {
        let Some(round) = self.state.round() else {
            return Err(Refused::Conflict("no round is paired yet".to_owned()));
        };
        if round.started_at.is_none() || round.closed_at.is_some() {
            let text = format!("round {} is not being played", round.number);
            return Err(Refused::Conflict(text));
        }
        if round.play_off.as_ref().is_some_and(|it| !it.over) {
            let text = "the last boards have been given their time already".to_owned();
            return Err(Refused::Conflict(text));
        }
        let tables: Vec<TableNo> = round.open_tables().collect();
        if tables.is_empty() {
            return Err(Refused::Conflict("no game is open".to_owned()));
        }
        let rule = self.state.set_up.as_ref();
        let rule = rule.and_then(|set_up| set_up.settings.play_off_time);
        let usual = rule.map_or(USUAL, |rule| rule.time);
        let time = seconds.map_or(usual, |seconds| Duration::from_secs(seconds.into()));
        let bad = || Refused::Invalid("seconds is 1 to 3600".to_owned());
        if time.is_zero() || time > LONGEST {
            return Err(bad());
        }
        let ahead = SignedDuration::try_from(time).map_err(|_| bad())?;
        let until = now.utc.checked_add(ahead).map_err(|_| bad())?;
        let by = by.to_owned();
        let fact = RoundFact::PlayOff { until, tables, by };
        self.emit(now, None, None, Fact::Round(fact));
        self.play_off_at = Some(now.mono + time);
        self.clear(now, &Cause::hall(AlertKind::PlayOffTime));
        Ok(())
    }

    /// Those of the tables that were given a time that are still open.
    fn play_off_tables(&self) -> Vec<TableNo> {
        let Some(round) = self.state.round() else {
            return Vec::new();
        };
        let given = round.play_off.as_ref();
        let open = round.open_tables();
        open.filter(|table| given.is_some_and(|it| it.tables.contains(table)))
            .collect()
    }
}

/// The fixed time of the last boards, for people.
pub(super) fn play_off_view(round: &Round) -> Option<PlayOffView> {
    let play_off = round.play_off.as_ref()?;
    Some(PlayOffView {
        until: play_off.until,
        over: play_off.over,
        tables: (round.open_tables())
            .filter(|table| play_off.tables.contains(table))
            .collect(),
    })
}
