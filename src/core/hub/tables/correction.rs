//! Corrections of a clock: ordered with exact figures, sent or set by hand, and done only when the clock
//! shows them (R-CK-4). A change that no order or decision explains is an alert (R-CK-5).

use std::time::Duration;

use super::clock::{clock_text, times_text};
use crate::{
    clock::{Change, ClockEvent, correction::shows},
    hub::{
        Hub,
        alerts::Cause,
        command::{CorrectionAsked, Refused},
        decide::name,
        event::{AlertKind, BySide, CorrectionFact, CorrectionOrder, Fact, Times, Way},
        state::{Device, OpenCorrection},
        view::Severity,
    },
    protocol::{Added, ClockCommand, ClockCommandOutcome, ClockSide, dgt::link::FAMILY as DGT},
    types::{Color, Mono, Now, TableNo},
};

/// R-CK-4: a correction takes a minute or less.
pub(in crate::hub) const A_MINUTE: Duration = Duration::from_mins(1);
/// A change that nobody had ordered may be explained so long afterwards.
const EXPLAINED_AFTER: Duration = Duration::from_mins(10);
/// The most that anybody adds to a clock or sets it to; what a display can show.
const MOST: i64 = 36_000_000;

/// A change of times without a decision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unexplained {
    before: Times,
    after: Times,
    at: Mono,
}

impl Hub {
    /// An arbiter orders a correction.
    pub(in crate::hub) fn correct_clock(
        &mut self,
        now: Now,
        table: TableNo,
        asked: CorrectionAsked,
        by: &str,
    ) -> Result<(), Refused> {
        let CorrectionAsked { change, moves, why } = asked;
        let why = why.trim();
        if why.is_empty() {
            return Err(Refused::Invalid(
                "say why the clock is corrected".to_owned(),
            ));
        }
        let (white, black) = match change {
            Change::Add { white_ms, black_ms } => (white_ms, black_ms),
            Change::Set { white_ms, black_ms } => (white_ms.cast_signed(), black_ms.cast_signed()),
        };
        if [white, black].into_iter().any(|ms| ms.abs() >= MOST) {
            return Err(Refused::Invalid(
                "a clock shows less than ten hours".to_owned(),
            ));
        }
        if matches!(change, Change::Add { .. }) && white == 0 && black == 0 {
            return Err(Refused::Invalid("nothing is to be changed".to_owned()));
        }
        let game = self.state.game(table).ok_or_else(|| Refused::NotFound {
            what: "game at table",
            id: table.to_string(),
        })?;
        if !self.game_open(table) {
            return Err(Refused::Conflict(format!(
                "no game is played at table {table}"
            )));
        }
        if let Some(open) = &game.correction {
            return Err(Refused::Conflict(format!(
                "{}'s correction at table {table} is not on the clock yet: set it or withdraw it first",
                open.order.by
            )));
        }
        if self.times(table, now).is_none() {
            return Err(Refused::Conflict(format!(
                "no clock is read at table {table}: set it by hand and note the incident"
            )));
        }
        self.order_correction(now, table, change, moves, (why, None), by);
        Ok(())
    }

    /// The order is not wanted any more.
    pub(in crate::hub) fn cancel_correction(
        &mut self,
        now: Now,
        table: TableNo,
        by: &str,
    ) -> Result<(), Refused> {
        let open = self
            .state
            .game(table)
            .and_then(|game| game.correction.as_ref());
        let order = open
            .map(|open| open.number)
            .ok_or_else(|| Refused::NotFound {
                what: "correction at table",
                id: table.to_string(),
            })?;
        self.end_correction(now, table, order, by);
        Ok(())
    }

    /// The game is over: what was to be set on its clock does not matter any more.
    pub(in crate::hub) fn drop_correction(&mut self, now: Now, table: TableNo) {
        let open = self
            .state
            .game(table)
            .and_then(|game| game.correction.as_ref());
        if let Some(order) = open.map(|open| open.number) {
            self.end_correction(now, table, order, "hub");
        }
    }

    fn end_correction(&mut self, now: Now, table: TableNo, order: u64, by: &str) {
        let by = by.to_owned();
        self.correction_fact(now, table, CorrectionFact::Cancelled { order, by });
        self.corrections_due.remove(&table);
        self.clear_table(now, table, &[AlertKind::CorrectionOpen]);
    }

    /// A decision gives a player time. Where the clock shows it already, nothing is left to do.
    pub(in crate::hub) fn order_penalty(
        &mut self,
        now: Now,
        table: TableNo,
        (to, time): (Color, Duration),
        (why, proposal): (&str, u64),
        by: &str,
    ) {
        let open = self
            .state
            .game(table)
            .is_some_and(|game| game.correction.is_some());
        if time.is_zero() || open || self.times(table, now).is_none() {
            return self.explain_correction(table, proposal);
        }
        let ms = i64::try_from(time.as_millis()).unwrap_or(MOST);
        let change = match to {
            Color::White => Change::Add {
                white_ms: ms,
                black_ms: 0,
            },
            Color::Black => Change::Add {
                white_ms: 0,
                black_ms: ms,
            },
        };
        let why = (why, Some(proposal));
        self.order_correction(now, table, change, BySide::default(), why, by);
    }

    fn order_correction(
        &mut self,
        now: Now,
        table: TableNo,
        change: Change,
        moves: BySide<Option<u16>>,
        (why, proposal): (&str, Option<u64>),
        by: &str,
    ) {
        let Some(live) = self.live.get_mut(table) else {
            return;
        };
        let Some(view) = live.clock.current(now.mono) else {
            return;
        };
        let stood = view.running.is_none();
        let before = live.unexplained.take_if(|it| {
            now.mono.since(it.at) <= EXPLAINED_AFTER && change.explains(it.before, it.after)
        });
        let made = self.moves_made(table);
        let moves = BySide {
            white: moves.white.or(made.white),
            black: moves.black.or(made.black),
        };
        let port = if before.is_none() {
            self.settable(table)
        } else {
            None
        };
        let order = CorrectionOrder {
            change,
            moves,
            why: why.to_owned(),
            proposal,
            shown: before.map_or(view.times, |it| it.before),
            stood: stood || before.is_some(),
            way: if port.is_some() { Way::Sent } else { Way::Card },
            by: by.to_owned(),
        };
        let fact = Fact::CorrectionOrder(CorrectionFact::Ordered(order));
        let number = self.emit(now, Some(table), None, fact);
        if let Some(before) = before {
            // It was set by hand before it was recorded.
            self.clear_table(now, table, &[AlertKind::Correction]);
            return self.correction_done(now, table, number, before.after);
        }
        self.corrections_due.insert(table, now.mono + A_MINUTE);
        if let Some((port, board)) = port {
            self.send_correction(table, &port, board, change, moves, view.times, view.running);
        }
    }

    /// The port of a clock at this table that may be set from here, and whether that goes through a
    /// board.
    fn settable(&self, table: TableNo) -> Option<(String, bool)> {
        let devices = &self.state.devices;
        let here = |device: &&Device| device.online && device.table == Some(table);
        let clock = devices.values().filter(here).find(|it| it.is_clock());
        let board = || {
            let mut boards = devices.values().filter(here);
            boards.find(|it| it.info.family == DGT)
        };
        let device = clock.or_else(board)?;
        Some((device.port.clone(), !device.is_clock()))
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one order")]
    fn send_correction(
        &mut self,
        table: TableNo,
        port: &str,
        board: bool,
        change: Change,
        moves: BySide<Option<u16>>,
        shown: Times,
        running: Option<Color>,
    ) {
        let Some(live) = self.live.get_mut(table) else {
            return;
        };
        let white = live.clock.white_side();
        let side = |color: Color| match color {
            Color::White => white,
            Color::Black => white.other(),
        };
        let mut commands = Vec::new();
        match change {
            // What happens at the clock meanwhile is not overwritten.
            Change::Add { .. } if !board => {
                for color in Color::ALL {
                    let ms = change.of(color, shown);
                    if let Ok(ms) = i32::try_from(ms)
                        && ms != 0
                    {
                        commands.push(ClockCommand::AddTime {
                            side: side(color),
                            ms,
                            why: Added::Penalty,
                        });
                    }
                }
            }
            Change::Add { .. } | Change::Set { .. } => {
                let target = change.target(shown);
                let (left, right) = match white {
                    ClockSide::Left => (target.white, target.black),
                    ClockSide::Right => (target.black, target.white),
                };
                let run = running.map(side);
                commands.push(ClockCommand::SetTimes { left, right, run });
            }
        }
        if !board {
            let counters = [(Color::White, moves.white), (Color::Black, moves.black)];
            commands.extend(counters.into_iter().filter_map(|(color, moves)| {
                let side = side(color);
                moves.map(|moves| ClockCommand::SetMoves { side, moves })
            }));
        }
        live.answers_due = commands.len();
        let port = port.to_owned();
        self.clock_commands
            .extend(commands.into_iter().map(|command| (port.clone(), command)));
    }

    /// The clock answered a command.
    pub(super) fn clock_answered(
        &mut self,
        now: Now,
        table: TableNo,
        outcome: ClockCommandOutcome,
    ) {
        let Some(live) = self.live.get_mut(table) else {
            return;
        };
        if live.answers_due == 0 {
            return;
        }
        live.answers_due -= 1;
        let last = live.answers_due == 0;
        let open = self
            .state
            .game(table)
            .and_then(|game| game.correction.as_ref());
        let Some((order, answer)) = open.map(|open| (open.number, open.answer)) else {
            return;
        };
        let bad = outcome != ClockCommandOutcome::Done;
        // One that does not count moves is corrected all the same.
        if answer.is_none() && (bad || last) {
            let fact = CorrectionFact::Answered { order, outcome };
            self.correction_fact(now, table, fact);
        }
    }

    /// What happens at the clock while a correction is to be set.
    pub(super) fn watch_correction(&mut self, now: Now, table: TableNo, event: &ClockEvent) {
        if let ClockEvent::Press { .. } = event
            && let Some(live) = self.live.get_mut(table)
        {
            live.fulfilled = None;
        }
        let open = self
            .state
            .game(table)
            .and_then(|game| game.correction.as_ref());
        let Some(open) = open else {
            return;
        };
        let order = open.number;
        match *event {
            ClockEvent::Stopped { times, .. } if open.base.is_none() => {
                let fact = CorrectionFact::Stood {
                    order,
                    shown: times,
                };
                self.correction_fact(now, table, fact);
            }
            ClockEvent::Restarted { times, .. } => {
                let Some(target) = open.target() else {
                    return;
                };
                if shows(target, times) {
                    return self.correction_done(now, table, order, times);
                }
                let ms = |side: Color| {
                    Change::Set {
                        white_ms: 0,
                        black_ms: 0,
                    }
                    .of(side, times)
                        - Change::Set {
                            white_ms: 0,
                            black_ms: 0,
                        }
                        .of(side, target)
                };
                let left = match open.order.change {
                    Change::Add { .. } => Change::Add {
                        white_ms: ms(Color::White),
                        black_ms: ms(Color::Black),
                    },
                    set @ Change::Set { .. } => set,
                };
                let text = format!(
                    "Table {table}: the clock was started with {}, and {} was ordered for {}. Stop \
                     it and set that, or withdraw the order.",
                    times_text(times),
                    times_text(target),
                    open.order.why
                );
                self.correction_fact(now, table, CorrectionFact::RunsOn { order, left });
                let cause = Cause::at(AlertKind::CorrectionOpen, table);
                self.raise(now, cause, Severity::Warning, text, None);
            }
            _ => {}
        }
    }

    /// The display may show it now, without having been seen to change.
    pub(super) fn look_for_correction(&mut self, now: Now, at: Mono, table: TableNo) {
        let open = self
            .state
            .game(table)
            .and_then(|game| game.correction.as_ref());
        let Some((order, target)) = open.and_then(|open| Some((open.number, open.target()?)))
        else {
            return;
        };
        let view = self.live.get(table).and_then(|live| live.clock.current(at));
        if let Some(view) = view.filter(|view| view.at == at && shows(target, view.times)) {
            self.correction_done(now, table, order, view.times);
        }
    }

    fn correction_done(&mut self, now: Now, table: TableNo, order: u64, shown: Times) {
        let open = self
            .state
            .game(table)
            .and_then(|game| game.correction.as_ref());
        let since = open.map_or(now.utc, |open| open.at);
        let took = Duration::try_from(now.utc.duration_since(since)).unwrap_or_default();
        self.correction_fact(now, table, CorrectionFact::Done { order, took, shown });
        if let Some(live) = self.live.get_mut(table) {
            live.fulfilled = Some((order, shown));
        }
        self.corrections_due.remove(&table);
        self.clear_table(now, table, &[AlertKind::CorrectionOpen]);
    }

    fn correction_fact(&mut self, now: Now, table: TableNo, fact: CorrectionFact) {
        self.emit(now, Some(table), None, Fact::CorrectionOrder(fact));
    }

    /// Moves completed by each side, as a clock that counts them has it; `None` where some are missing.
    fn moves_made(&self, table: TableNo) -> BySide<Option<u16>> {
        let Some(game) = self.state.game(table) else {
            return BySide::default();
        };
        if !game.gaps.is_empty() || game.disturbed || game.moves.is_empty() {
            return BySide::default();
        }
        let made = |side| {
            let mine = game.sides().take(game.moves.len());
            u16::try_from(mine.filter(|mover| *mover == side).count()).ok()
        };
        BySide {
            white: made(Color::White),
            black: made(Color::Black),
        }
    }

    /// Times changed by something that is no play.
    pub(in crate::hub) fn handle_correction(
        &mut self,
        now: Now,
        table: TableNo,
        before: Times,
        after: Times,
        stopped: bool,
    ) {
        let open = self
            .state
            .game(table)
            .and_then(|game| game.correction.as_ref());
        let open = open.map(|open| (open.number, open.shows(before, after), open.target()));
        let Some(live) = self.live.get_mut(table) else {
            return;
        };
        let runs = live
            .clock
            .current(now.mono)
            .is_some_and(|view| view.running.is_some());
        let decision = match open {
            // While the clock stands it is still being set.
            Some((order, fits, _)) if fits || (stopped && !runs) => Some(order),
            _ => match live.fulfilled.take_if(|(_, shown)| shows(*shown, after)) {
                Some((order, _)) => Some(order),
                None => live.explains.take(),
            },
        };
        let fact = Fact::Correction {
            before,
            after,
            decision,
        };
        self.emit(now, Some(table), None, fact);
        if let Some((order, true, _)) = open {
            self.correction_done(now, table, order, after);
            if let Some(live) = self.live.get_mut(table) {
                live.fulfilled = None;
            }
            return;
        }
        if decision.is_some() {
            return;
        }
        if let Some(live) = self.live.get_mut(table) {
            let at = now.mono;
            live.unexplained = Some(Unexplained { before, after, at });
        }
        let what = match open.and_then(|(_, _, target)| target) {
            Some(target) => format!("but it was to be set to {}", times_text(target)),
            None => "and no decision explains it".to_owned(),
        };
        let text = format!(
            "Table {table}: the clock was changed from {} to {} ({}, ±1 s), {what}.",
            times_text(before),
            times_text(after),
            changes(before, after)
        );
        let cause = Cause::at(AlertKind::Correction, table);
        self.raise(now, cause, Severity::Warning, text, None);
    }

    /// An accepted penalty explains the next change of the clock.
    pub(in crate::hub) fn explain_correction(&mut self, table: TableNo, proposal: u64) {
        if let Some(live) = self.live.get_mut(table) {
            live.explains = Some(proposal);
        }
    }

    /// After a restart the minutes of the open orders go on.
    pub(in crate::hub) fn arm_corrections(&mut self, now: Now) {
        let games = self.state.round().map(|round| &round.games);
        let open = games.into_iter().flatten().filter_map(|(table, game)| {
            let since = game.correction.as_ref()?.at;
            let passed = Duration::try_from(now.utc.duration_since(since)).unwrap_or_default();
            Some((*table, now.mono + A_MINUTE.saturating_sub(passed)))
        });
        self.corrections_due = open.collect();
    }

    /// Orders that a minute was not enough for.
    pub(in crate::hub) fn handle_late_corrections(&mut self, now: Now) {
        let due = self
            .corrections_due
            .iter()
            .filter(|(_, at)| **at <= now.mono);
        let due: Vec<TableNo> = due.map(|(table, _)| *table).collect();
        for table in due {
            self.corrections_due.remove(&table);
            let open = self
                .state
                .game(table)
                .and_then(|game| game.correction.as_ref());
            let Some(open) = open else {
                continue;
            };
            let must = open.target().map_or_else(String::new, |target| {
                format!(" It must show {}.", times_text(target))
            });
            let text = format!(
                "Table {table}: the clock does not show after a minute what {} ordered ({}).{must}",
                open.order.by, open.order.why
            );
            let cause = Cause::at(AlertKind::CorrectionOpen, table);
            self.raise(now, cause, Severity::Warning, text, None);
        }
    }
}

impl OpenCorrection {
    /// What the clock must show, once that is known to the second.
    pub(in crate::hub) fn target(&self) -> Option<Times> {
        match self.order.change {
            Change::Set { .. } => Some(self.order.change.target(self.order.shown)),
            Change::Add { .. } => Some(self.order.change.target(self.base?)),
        }
    }

    fn shows(&self, before: Times, after: Times) -> bool {
        match self.target() {
            Some(target) => shows(target, after),
            None => self.order.change.explains(before, after),
        }
    }
}

/// `White +0:02:00`, both sides if both changed.
fn changes(before: Times, after: Times) -> String {
    let change = |side: Color| {
        let (before, after) = (before.of(side), after.of(side));
        let sign = if after < before { '−' } else { '+' };
        let by = after.abs_diff(before);
        (!by.is_zero()).then(|| format!("{} {sign}{}", name(side), clock_text(by)))
    };
    let all: Vec<String> = Color::ALL.into_iter().filter_map(change).collect();
    all.join(", ")
}
