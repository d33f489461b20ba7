//! The live side of the tables: what devices say, run through tracker and clock model, becomes
//! facts, proposals and alerts. Nothing in here is journalled itself: at a restart it comes back
//! from the moves and from the boards' next dump.

mod against;
mod assign;
mod board;
mod clock;
mod colours;
mod correction;
mod devices;
mod flag;
mod live;
mod mate;
mod setting;
mod sight;
mod start;
mod tracker;

use shakmaty::uci::UciMove;

pub(super) use self::{
    assign::{AwaitedKing, Clash},
    clock::{clock_text, times_text},
    correction::A_MINUTE,
    devices::Shown,
    live::{LiveTable, LiveTables},
};
use self::{
    live::STOP_CALL_AFTER,
    sight::Known,
    tracker::{Change, Picture},
};
use super::{
    Hub,
    alerts::Cause,
    command::Refused,
    event::{AlertKind, BoardFact, Fact, SetUp, Times},
    view::Severity,
};
use crate::{
    protocol::ClockSide,
    types::{Color, Mono, Now, TableNo},
};

impl Hub {
    /// A game is open here: it has a pairing that is public and no result.
    pub(in crate::hub) fn game_open(&self, table: TableNo) -> bool {
        let Some(round) = self.state.round() else {
            return false;
        };
        round.published
            && round.closed_at.is_none()
            && round
                .games
                .get(&table)
                .is_some_and(|game| game.result.is_none())
    }

    pub(in crate::hub) fn times(&self, table: TableNo, now: Now) -> Option<Times> {
        Some(self.live.get(table)?.clock.current(now.mono)?.times)
    }

    /// Who sits at a side of the clock.
    pub(in crate::hub) fn colour_of(&self, table: TableNo, side: ClockSide) -> Option<Color> {
        let white = self.live.get(table)?.clock.white_side();
        Some(Color::from_white(side == white))
    }

    pub(in crate::hub) fn seen(&self, table: TableNo) -> Option<String> {
        Some(self.live.get(table)?.seen()?.to_string())
    }

    /// A pairing became public: the tables wait for their start positions.
    pub(in crate::hub) fn arm_tables(&mut self, now: Now) {
        let tables: Vec<TableNo> = self
            .state
            .round()
            .into_iter()
            .flat_map(|round| round.games.keys().copied())
            .collect();
        for table in tables {
            // What is missing from the last round's game is in its record.
            self.clear_table(now, table, &[AlertKind::MovesMissing, AlertKind::WhichMove]);
            let old = self.live.remove(table);
            let ended = self.times_at_last_end(table);
            let shown = old.as_ref().and_then(|old| old.left_over(ended, now));
            let wire = old.and_then(|live| live.wire);
            let mut live = self.new_live(table);
            if shown.is_some() {
                live.setting = live.setting.map(|watch| watch.with_left_over(shown));
            }
            self.live.insert(table, live);
            self.show(now, table, wire);
        }
    }

    /// What the journal has of the clock at the end of the game before this round's.
    fn times_at_last_end(&self, table: TableNo) -> Option<Times> {
        let (_, earlier) = self.state.rounds.split_last()?;
        let last = earlier
            .iter()
            .rev()
            .find_map(|round| round.games.get(&table))?;
        last.times
    }

    /// After a restart the tables go on from their moves.
    pub(in crate::hub) fn restore_tables(&mut self) {
        let Some(round) = self.state.round().filter(|round| round.published) else {
            return;
        };
        let tables: Vec<TableNo> = round.games.keys().copied().collect();
        for table in tables {
            let mut live = self.new_live(table);
            live.known = self.state.game(table).and_then(Known::from_journal);
            self.live.insert(table, live);
        }
    }

    /// Another device serves the table, or the same one again.
    pub(in crate::hub) fn device_changed(&mut self, table: TableNo) {
        if !self.live.contains_key(table) {
            let live = self.new_live(table);
            self.live.insert(table, live);
        }
        self.dirty.tables.insert(table);
    }

    pub(in crate::hub) fn new_live(&self, table: TableNo) -> LiveTable {
        let control = self.state.set_up.as_ref().and_then(SetUp::control);
        let turned = self
            .settings
            .ports
            .values()
            .filter(|port| port.table == Some(table))
            .find_map(|port| port.turned);
        let game = self.state.game(table);
        let mut live = LiveTable::new(game, control.as_ref(), turned, self.variant());
        let left_over = self.times_at_last_end(table);
        live.setting = live.setting.map(|watch| watch.with_left_over(left_over));
        // A result is proposed: what stands there now is no take-back.
        if self.open_result(table).is_some() {
            live.tracker.set_result();
        }
        live
    }

    pub(in crate::hub) fn show(&mut self, now: Now, table: TableNo, wire: Option<Picture>) {
        if let Some(wire) = wire {
            self.show_picture(now, table, wire, None);
        }
    }

    /// What a board shows goes to the tracker of its kind.
    fn show_picture(&mut self, now: Now, table: TableNo, picture: Picture, change: Option<Change>) {
        let game = self.state.game(table);
        let Some(live) = self.live.get_mut(table) else {
            return;
        };
        if live.tracker.kind() != picture.kind() {
            live.change_kind(picture.kind(), game);
            if live.cannot_follow() {
                self.tell_cannot_follow(now, table);
                return;
            }
        }
        live.tracker.handle_picture(now.mono, &picture, change);
        live.wire = Some(picture);
        self.drain_tracker(now, table);
        self.check_colours(now, table);
    }

    /// A result stands: what the players do with the pieces now is theirs.
    pub(in crate::hub) fn result_stands(&mut self, table: TableNo) {
        if let Some(live) = self.live.get_mut(table) {
            live.disturbed = false;
            live.stopped_at = None;
            live.tracker.set_result();
        }
    }

    /// The proposed result was none: the game goes on.
    pub(in crate::hub) fn result_rejected(&mut self, now: Now, table: TableNo) {
        if let Some(live) = self.live.get_mut(table)
            && live.tracker.reopen()
        {
            self.drain_tracker(now, table);
            return;
        }
        let wire = self.live.get_mut(table).and_then(|live| live.wire.take());
        let live = self.new_live(table);
        self.live.insert(table, live);
        self.show(now, table, wire);
    }

    pub(in crate::hub) fn set_orientation(
        &mut self,
        now: Now,
        table: TableNo,
        turned: bool,
    ) -> Result<(), Refused> {
        let game = self.state.game(table).ok_or_else(|| Refused::NotFound {
            what: "game at table",
            id: table.to_string(),
        })?;
        if !game.moves.is_empty() {
            return Err(Refused::Conflict(format!(
                "the game at table {table} has begun"
            )));
        }
        self.board(now, table, BoardFact::Ready { turned });
        let wire = self.live.get_mut(table).and_then(|live| live.wire.take());
        self.live.insert(table, self.new_live(table));
        self.show(now, table, wire);
        Ok(())
    }

    /// An arbiter says how the game at a table went on from its record: which of several moves was made, or
    /// the moves that were missed.
    pub(in crate::hub) fn tell_moves(
        &mut self,
        now: Now,
        table: TableNo,
        moves: Vec<String>,
        by: &str,
    ) -> Result<(), Refused> {
        if self.state.game(table).is_none() {
            return Err(Refused::NotFound {
                what: "game at table",
                id: table.to_string(),
            });
        }
        let told: Result<Vec<UciMove>, _> = moves.iter().map(|uci| uci.parse()).collect();
        let told = told.map_err(|_| Refused::Invalid(format!("not UCI: {}", moves.join(" "))))?;
        let Some(live) = self.live.get_mut(table) else {
            return Err(Refused::Conflict(format!(
                "no board is seen at table {table}"
            )));
        };
        live.tracker
            .answer(now.mono, &told)
            .map_err(|error| Refused::Conflict(error.to_string()))?;
        live.answering = true;
        let by = by.to_owned();
        self.board(now, table, BoardFact::Answered { moves, by });
        self.drain_tracker(now, table);
        if let Some(live) = self.live.get_mut(table) {
            live.answering = false;
        }
        Ok(())
    }

    pub(in crate::hub) fn table_timeout(&self) -> Option<Mono> {
        self.live.timeout()
    }

    pub(in crate::hub) fn handle_table_timeouts(&mut self, now: Now) {
        for table in self.live.due(now.mono) {
            let Some(live) = self.live.get_mut(table) else {
                continue;
            };
            if live.tracker.poll_timeout().is_some_and(|at| at <= now.mono) {
                live.tracker.handle_timeout(now.mono);
                self.drain_tracker(now, table);
            }
            let Some(live) = self.live.get_mut(table) else {
                continue;
            };
            if live.clock.poll_timeout().is_some_and(|at| at <= now.mono) {
                live.clock.handle_timeout(now.mono);
                self.drain_clock(now, table);
            }
            if let Some(watch) = self
                .live
                .get_mut(table)
                .and_then(|live| live.setting.as_mut())
            {
                watch.handle_timeout(now.mono);
                self.drain_setting(now, table);
            }
            let Some(live) = self.live.get_mut(table) else {
                continue;
            };
            if live
                .stopped_at
                .is_some_and(|at| at + STOP_CALL_AFTER <= now.mono)
            {
                live.stopped_at = None;
                self.call_for_stopped_clock(now, table);
            }
        }
    }

    pub(in crate::hub) fn call_for_stopped_clock(&mut self, now: Now, table: TableNo) {
        if !self.game_open(table) || self.open_result(table).is_some() {
            return;
        }
        let fact = Fact::Call {
            reason: "clock-stopped".to_owned(),
            note: None,
            by: None,
        };
        self.emit(now, Some(table), None, fact);
        let text = format!("Table {table}: the clock was stopped in the middle of the game.");
        let cause = Cause::at(AlertKind::ClockStopped, table);
        self.raise(now, cause, Severity::Call, text, None);
    }
}
