//! Clocks against the event's control: what the watch finds becomes a line of the record and an alert
//! (R-CK-7).

use jiff::SignedDuration;

use crate::{
    clock::{ClockEvent, Finding, FoundBy, SettingEvent, SettingWatch},
    hub::{
        Hub,
        alerts::Cause,
        event::{AlertKind, ClockFact, Mark},
        view::Severity,
    },
    types::{Mono, Now, TableNo},
};

/// After the start players may still set their clocks themselves.
const SETTLED: SignedDuration = SignedDuration::from_secs(60);

impl Hub {
    /// The clock model told something that happened at `at`.
    pub(super) fn watch_setting(&mut self, at: Mono, table: TableNo, event: &ClockEvent) {
        if let Some(watch) = self.setting_of(table) {
            watch.handle_event(at, event);
        }
    }

    /// What the clock shows since `at`, and what that means for its setting.
    pub(super) fn watch_display(&mut self, now: Now, at: Mono, table: TableNo) {
        let (due, overdue) = (self.settings_due(), self.settings_overdue(now));
        let Some(live) = self.live.get_mut(table) else {
            return;
        };
        let Some(watch) = &mut live.setting else {
            return;
        };
        if overdue {
            watch.handle_overdue(now.mono);
        } else if due {
            watch.handle_due(now.mono);
        }
        // Only what was accepted just now: a display is judged once.
        if let Some(view) = live.clock.current(at).filter(|view| view.at == at) {
            watch.handle_view(&view);
        }
        self.drain_setting(now, table);
    }

    /// The start is near, or has come: all clocks must be set.
    pub(in crate::hub) fn look_at_settings(&mut self, now: Now) {
        if !self.settings_due() {
            return;
        }
        for table in self.live.numbers() {
            if let Some(watch) = self.setting_of(table) {
                watch.handle_due(now.mono);
                self.drain_setting(now, table);
            }
        }
    }

    /// Five minutes before the start there is still time to walk to every table.
    fn settings_due(&self) -> bool {
        self.state.round().is_some_and(|round| {
            round.started_at.is_some() || round.marks.contains(&Mark::FiveMinutes)
        })
    }

    /// A while after the declared start all players are there who come in time.
    fn settings_overdue(&self, now: Now) -> bool {
        let started = self.state.round().and_then(|round| round.started_at);
        started.is_some_and(|at| now.utc.duration_since(at) >= SETTLED)
    }

    fn setting_of(&mut self, table: TableNo) -> Option<&mut SettingWatch> {
        self.live.get_mut(table)?.setting.as_mut()
    }

    pub(super) fn drain_setting(&mut self, now: Now, table: TableNo) {
        while let Some(event) = self.setting_of(table).and_then(SettingWatch::poll_event) {
            if !self.game_open(table) {
                continue;
            }
            match event {
                SettingEvent::Wrong(finding) => self.wrong_setting(now, table, &finding),
                SettingEvent::Right(what) => {
                    self.clock_fact(now, table, ClockFact::SettingRight { what });
                    let game = self.state.game(table);
                    if game.is_some_and(|game| game.wrong_settings.is_empty()) {
                        self.clear_table(now, table, &[AlertKind::WrongSetting]);
                    }
                }
            }
        }
    }

    fn wrong_setting(&mut self, now: Now, table: TableNo, finding: &Finding) {
        let what = finding.wrong.kind();
        let text = format!("{finding} {}", finding.advice());
        self.clock_fact(now, table, ClockFact::WrongSetting { what, text });
        let Some(game) = self.state.game(table) else {
            return;
        };
        let all: Vec<&str> = game.wrong_settings.values().map(String::as_str).collect();
        let text = format!("Table {table}: {}", all.join(" Also: "));
        // Before the start somebody has time; a game that runs on a wrong clock has not.
        let severity = match finding.found {
            FoundBy::Display => Severity::Warning,
            FoundBy::Presses(_) => Severity::Call,
        };
        // The alert that is open tells less than is known now.
        self.clear_table(now, table, &[AlertKind::WrongSetting]);
        let cause = Cause::at(AlertKind::WrongSetting, table);
        self.raise(now, cause, severity, text, None);
    }
}
