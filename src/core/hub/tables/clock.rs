//! What a clock does: presses, stops, flags, corrections.

use std::time::Duration;

use crate::{
    clock::ClockEvent,
    hub::{
        Hub,
        alerts::Cause,
        decide::name,
        event::{AlertKind, ClockFact, Fact, SetUp, Times},
        view::Severity,
    },
    protocol::ClockSide,
    types::{Mono, Now, TableNo},
};

/// What a clock promises when it says that its battery is low (R-CK-2).
const BATTERY_LASTS: Duration = Duration::from_hours(10);

/// How often a running clock is written down.
const SAMPLE_EVERY: Duration = Duration::from_mins(1);

impl Hub {
    pub(in crate::hub) fn drain_clock(&mut self, now: Now, table: TableNo) {
        self.drain_clock_at(now, now.mono, table);
    }

    /// The same for what happened at the clock at another moment than now.
    pub(super) fn drain_clock_at(&mut self, now: Now, at: Mono, table: TableNo) {
        while let Some(event) = self
            .live
            .get_mut(table)
            .and_then(|live| live.clock.poll_event())
        {
            self.watch_setting(at, table, &event);
            self.watch_presses(at, table, &event);
            if self.game_open(table) {
                self.handle_clock(now, table, event);
            }
        }
        let control = self.state.set_up.as_ref().and_then(SetUp::control);
        if let Some(live) = self.live.get_mut(table) {
            live.witness(now, control.as_ref());
        }
        self.look_for_correction(now, at, table);
        self.watch_display(now, at, table);
        self.compare_with_board(now, at, table);
        self.drain_tracker(now, table);
        self.join(now, table);
    }

    /// A clock that was running when it was first heard of has started, whenever that was.
    pub(in crate::hub) fn join(&mut self, now: Now, table: TableNo) {
        let round_runs = self
            .state
            .round()
            .is_some_and(|round| round.started_at.is_some());
        let unstarted = self
            .state
            .game(table)
            .is_some_and(|game| !game.clock_started);
        if !round_runs || !unstarted || !self.game_open(table) {
            return;
        }
        let current = self
            .live
            .get(table)
            .and_then(|live| live.clock.current(now.mono));
        if let Some(current) = current.filter(|current| current.running.is_some()) {
            self.clock_runs(now, table, true);
            self.clock_fact(now, table, ClockFact::Started(current.times));
        }
    }

    pub(in crate::hub) fn handle_clock(&mut self, now: Now, table: TableNo, event: ClockEvent) {
        // Until it runs in this game, a clock shows what the last game left or somebody is setting.
        let started = self
            .state
            .game(table)
            .is_some_and(|game| game.clock_started);
        let of_a_game = matches!(
            event,
            ClockEvent::Press { .. }
                | ClockEvent::Stopped { .. }
                | ClockEvent::Flag { .. }
                | ClockEvent::Period { .. }
                | ClockEvent::Replaced { .. }
                | ClockEvent::Corrected { .. }
                | ClockEvent::AddedAfterFlag { .. }
                | ClockEvent::SideDoubt { .. }
        );
        if of_a_game && !started {
            return;
        }
        self.watch_correction(now, table, &event);
        match event {
            ClockEvent::Press { side, times } => {
                if let Some(live) = self.live.get_mut(table) {
                    live.tracker.handle_press(now.mono, side);
                }
                self.drain_tracker(now, table);
                let ply = self
                    .state
                    .game(table)
                    .map_or(0, |game| game.moves.len() as u16);
                let recalled = self.live.get(table).is_some_and(|live| live.recalling);
                let press = Fact::Press {
                    ply,
                    side,
                    times,
                    recalled,
                };
                self.emit(now, Some(table), None, press);
            }
            ClockEvent::Started { running: _, times } => {
                self.clock_runs(now, table, true);
                self.clock_fact(now, table, ClockFact::Started(times));
            }
            ClockEvent::Stopped { running: _, times } => {
                self.clock_runs(now, table, false);
                self.clock_fact(now, table, ClockFact::Stopped(times));
                let asks = self.open_result(table).is_none()
                    && self
                        .state
                        .game(table)
                        .is_some_and(|game| game.flags.is_empty());
                if asks && let Some(live) = self.live.get_mut(table) {
                    live.stopped_at = Some(now.mono);
                }
            }
            ClockEvent::Restarted { running: _, times } => {
                self.clock_runs(now, table, true);
                self.clock_fact(now, table, ClockFact::Restarted(times));
                if let Some(live) = self.live.get_mut(table) {
                    live.stopped_at = None;
                }
                self.clear_table(now, table, &[AlertKind::ClockStopped]);
            }
            ClockEvent::Flag { .. } => self.handle_flag(now, table, &event),
            ClockEvent::Period {
                side,
                period,
                added,
                times,
            } => {
                let fact = ClockFact::Period {
                    side,
                    period,
                    added,
                    times,
                };
                self.clock_fact(now, table, fact);
            }
            ClockEvent::Corrected {
                before,
                after,
                stopped,
            } => {
                self.handle_correction(now, table, before, after, stopped);
            }
            ClockEvent::AddedAfterFlag { side, added } => {
                self.clock_fact(now, table, ClockFact::AddedAfterFlag { side, added });
                let text = format!(
                    "Table {table}: the clock added {} s to {} after the flag fell. \
                     Check the clock's setting.",
                    added.as_secs(),
                    name(side)
                );
                let cause = Cause::at(AlertKind::ClockFault, table);
                self.raise(now, cause, Severity::Call, text, None);
            }
            ClockEvent::BatteryLow => self.battery_low(now, table),
            ClockEvent::BatteryGood => {
                self.clock_fact(now, table, ClockFact::BatteryGood);
                self.clear_table(now, table, &[AlertKind::ClockBattery]);
            }
            ClockEvent::Gone => {
                self.clock_fact(now, table, ClockFact::Gone);
                let text = format!(
                    "Table {table}: the clock is unplugged from the board. {}Until it is back no \
                     flag can be told.",
                    self.last_shown(now, table)
                );
                let cause = Cause::at(AlertKind::ClockGone, table);
                self.raise(now, cause, Severity::Warning, text, None);
            }
            ClockEvent::Back => {
                self.clock_fact(now, table, ClockFact::Back);
                self.clear_table(now, table, &[AlertKind::ClockGone]);
            }
            ClockEvent::Replaced {
                before,
                after,
                away,
            } => {
                self.clock_fact(now, table, ClockFact::Replaced { before, after });
                let text = format!(
                    "Table {table}: after {} s out of sight the clock shows {}; before it showed \
                     {}. Another clock, or set anew: compare its times and its setting.",
                    away.as_secs(),
                    times_text(after),
                    times_text(before)
                );
                let cause = Cause::at(AlertKind::ClockReplaced, table);
                self.raise(now, cause, Severity::Call, text, None);
            }
            ClockEvent::SideDoubt { white_side } => self.turn_clock(now, table, white_side),
        }
    }

    /// R-CK-2: at least ten hours from the first report on, whichever round that was in.
    fn battery_low(&mut self, now: Now, table: TableNo) {
        self.clock_fact(now, table, ClockFact::BatteryLow);
        let since = self.state.clock_low.get(&table).copied();
        let since = since.unwrap_or(now.utc);
        let until = since.checked_add(BATTERY_LASTS).unwrap_or(since);
        let local = |at: jiff::Timestamp| {
            let at = self.settings.zone.to_datetime(at);
            at.strftime("%H:%M").to_string()
        };
        let text = format!(
            "Table {table}: the clock's battery is low since {}. It runs until {} at least, ten \
             hours; change it before a round that may last longer.",
            local(since),
            local(until)
        );
        let cause = Cause::at(AlertKind::ClockBattery, table);
        self.raise(now, cause, Severity::Warning, text, None);
    }

    /// The last times with their age, a sentence; empty when nothing was read.
    fn last_shown(&self, now: Now, table: TableNo) -> String {
        let view = self
            .live
            .get(table)
            .and_then(|live| live.clock.current(now.mono));
        view.map_or_else(String::new, |view| {
            format!(
                "It showed {} {} s ago. ",
                times_text(view.times),
                view.age.as_secs()
            )
        })
    }

    /// Twice in a row presses and moves were of different sides: the first moves teach which side is
    /// White's, and the arbiter is told.
    fn turn_clock(&mut self, now: Now, table: TableNo, white_side: ClockSide) {
        if let Some(live) = self.live.get_mut(table) {
            live.set_white_side(white_side);
        }
        self.clock_fact(now, table, ClockFact::Turned { white: white_side });
        let side = match white_side {
            ClockSide::Left => "left",
            ClockSide::Right => "right",
        };
        let text = format!(
            "Table {table}: the clock stands the other way round, by the first moves: its {side} side \
             is White's. The times are shown so from now on; look whether that is right, and whether \
             the sides have their own times."
        );
        let cause = Cause::at(AlertKind::ClockSide, table);
        self.raise(now, cause, Severity::Warning, text, None);
    }

    pub(in crate::hub) fn clock_runs(&mut self, now: Now, table: TableNo, runs: bool) {
        if let Some(live) = self.live.get_mut(table) {
            live.tracker.handle_clock_running(now.mono, runs);
        }
        self.drain_tracker(now, table);
    }

    pub(in crate::hub) fn clock_fact(&mut self, now: Now, table: TableNo, fact: ClockFact) {
        self.emit(now, Some(table), None, Fact::Clock(fact));
    }

    /// When the running clocks are written down next. All at once: one write to the disk, and one
    /// bundle for the network, instead of one a table.
    pub(in crate::hub) fn sample_timeout(&self) -> Option<Mono> {
        let round = self.state.round()?;
        (round.started_at.is_some() && round.closed_at.is_none()).then_some(self.sample_at)
    }

    pub(in crate::hub) fn handle_sample(&mut self, now: Now) {
        if self.sample_timeout().is_none_or(|at| at > now.mono) {
            return;
        }
        self.sample_at = now.mono + SAMPLE_EVERY;
        for table in self.live.numbers() {
            let current = self
                .live
                .get(table)
                .and_then(|live| live.clock.current(now.mono))
                .filter(|current| current.running.is_some());
            if let Some(current) = current.filter(|_| self.game_open(table)) {
                self.clock_fact(now, table, ClockFact::Sample(current.times));
            }
        }
    }
}

/// White's and Black's time for people.
pub(in crate::hub) fn times_text(times: Times) -> String {
    format!("{} / {}", clock_text(times.white), clock_text(times.black))
}

/// `h:mm:ss` for people.
pub(in crate::hub) fn clock_text(time: Duration) -> String {
    let seconds = time.as_secs();
    format!(
        "{}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}
