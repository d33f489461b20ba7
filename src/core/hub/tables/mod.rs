//! The live side of the tables: what devices say, run through tracker and clock model, becomes
//! facts, proposals and alerts. Nothing in here is journalled itself: at a restart it comes back
//! from the moves and from the boards' next dump.

mod board;
mod clock;
mod devices;
mod live;
mod sight;

use shakmaty::Position as _;

pub(super) use self::{
    devices::Shown,
    live::{LiveTable, LiveTables},
};
use self::{
    live::{STOP_CALL_AFTER, position_of},
    sight::Known,
};
use super::{
    Hub,
    alerts::Cause,
    command::Refused,
    event::{AlertKind, BoardFact, Fact, SetUp, Times},
    view::Severity,
};
use crate::types::{Color, Mono, Now, Placement, TableNo};

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

    /// Whether a side could mate by any series of legal moves, as far as the material shows. What
    /// stands on the board counts, since moves may have been missed.
    pub(in crate::hub) fn can_mate(&self, table: TableNo, side: Color) -> bool {
        self.live.get(table).is_none_or(|live| {
            let seen = live.tracker.placement().and_then(position_of);
            let position = seen.as_ref().unwrap_or_else(|| live.tracker.position());
            !position.has_insufficient_material(side)
        })
    }

    pub(in crate::hub) fn times(&self, table: TableNo, now: Now) -> Option<Times> {
        Some(self.live.get(table)?.clock.current(now.mono)?.times)
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
            self.clear_table(now, table, &[AlertKind::MovesMissing]);
            let wire = self.live.remove(table).and_then(|live| live.wire);
            self.live.insert(table, self.new_live(table));
            self.show(now, table, wire);
        }
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
        let mut live = LiveTable::new(self.state.game(table), control.as_ref(), turned);
        // A result is proposed: what stands there now is no take-back.
        if self.open_result(table).is_some() {
            live.tracker.set_result();
        }
        live
    }

    pub(in crate::hub) fn show(&mut self, now: Now, table: TableNo, wire: Option<Placement>) {
        let (Some(wire), Some(live)) = (wire, self.live.get_mut(table)) else {
            return;
        };
        live.tracker.handle_placement(now.mono, &wire, None);
        live.wire = Some(wire);
        self.drain_tracker(now, table);
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
