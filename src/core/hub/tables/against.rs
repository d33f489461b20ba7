//! The clock against the board: presses that were not taken, time on the wrong side, other counts of
//! moves. Each is a line of the record and an alert with its evidence.

use shakmaty::ByColor;

use super::clock::times_text;
use crate::{
    clock::{AgainstEvent, ClockEvent},
    hub::{
        Hub,
        alerts::Cause,
        decide::name,
        event::{AlertKind, ClockFact, Disagreement},
        view::Severity,
    },
    types::{Color, Mono, Now, TableNo},
};

impl Hub {
    /// The clock model told something that happened at `at`.
    pub(super) fn watch_presses(&mut self, at: Mono, table: TableNo, event: &ClockEvent) {
        if let Some(live) = self.live.get_mut(table) {
            live.against.handle_event(at, event);
        }
    }

    /// What the clock shows since `at` against what the board knows.
    pub(super) fn compare_with_board(&mut self, now: Now, at: Mono, table: TableNo) {
        let open = self.game_open(table) && self.open_result(table).is_none();
        let game = self.state.game(table);
        let known = game.filter(|game| open && !game.disturbed && game.clock_started);
        let turn = known.map(crate::hub::state::Game::turn);
        let count = known
            .filter(|game| game.gaps.is_empty() && !game.moves.is_empty())
            .map(|game| {
                let mut made = ByColor::<u16>::default();
                for side in game.sides().take(game.moves.len()) {
                    *made.get_mut(side) += 1;
                }
                made
            });
        let Some(live) = self.live.get_mut(table) else {
            return;
        };
        let turn = turn.filter(|_| live.tracker.in_sight());
        if let Some(view) = live.clock.current(at).filter(|view| view.at == at) {
            live.against.handle_view(&view, turn);
        }
        if let Some(count) = count {
            live.against.handle_count(count);
        }
        self.drain_against(now, table);
    }

    fn drain_against(&mut self, now: Now, table: TableNo) {
        while let Some(event) = self
            .live
            .get_mut(table)
            .and_then(|live| live.against.poll_event())
        {
            if self.game_open(table) {
                self.handle_against(now, table, event);
            }
        }
    }

    fn handle_against(&mut self, now: Now, table: TableNo, event: AgainstEvent) {
        let last = self.last_moves(table);
        let times = self.times(table, now).unwrap_or_default();
        let shown = times_text(times);
        let (what, about, severity, text) = match event {
            AgainstEvent::Agrees => {
                self.clock_fact(now, table, ClockFact::AgreesWithBoard);
                let kinds = [AlertKind::PressMissed, AlertKind::WrongSideRuns];
                return self.clear_table(now, table, &kinds);
            }
            AgainstEvent::PressMissed { running, since } => (
                Disagreement::PressMissed { running },
                AlertKind::PressMissed,
                Severity::Call,
                format!(
                    "{last} were made, and {}'s time has run on for {} s (±1 s) without a change: \
                     the clock shows {shown}. It did not take a press, or nobody pressed. Look at \
                     the clock.",
                    name(running),
                    since.as_secs()
                ),
            ),
            AgainstEvent::WrongSide { running, restarted } => {
                let since = if restarted {
                    "since the clock was started again"
                } else {
                    "for several moves"
                };
                let text = format!(
                    "{}'s time runs {since}, but after {last} {} is to move. The clock shows \
                     {shown}. Put the lever right and give back what has run.",
                    name(running),
                    name(running.other())
                );
                let what = Disagreement::WrongSide { running };
                (what, AlertKind::WrongSideRuns, Severity::Call, text)
            }
            AgainstEvent::Counts {
                side,
                clock,
                board,
                control,
                told,
            } => {
                let by = if told {
                    format!("the clock's counter says {clock}")
                } else {
                    format!("the clock was pressed {clock} times")
                };
                let text = format!(
                    "{} has made {board} moves by the board, and {by}. At move {control} a clock \
                     that counts will be wrong by {}: set its counter before that.",
                    name(side),
                    clock.abs_diff(board)
                );
                let what = Disagreement::MoveCount { side, clock, board };
                (what, AlertKind::MoveCounter, Severity::Warning, text)
            }
        };
        self.clock_fact(now, table, ClockFact::AgainstBoard(what));
        let text = format!("Table {table}: {text}");
        self.raise(now, Cause::at(about, table), severity, text, None);
    }

    /// The last two half-moves, e.g. `14. Nf3 Nf6`.
    fn last_moves(&self, table: TableNo) -> String {
        let Some(game) = self.state.game(table) else {
            return String::new();
        };
        let from = game.moves.len().saturating_sub(2);
        let mut number = 1;
        let mut text = Vec::new();
        for (index, (played, side)) in game.moves.iter().zip(game.sides()).enumerate() {
            if index >= from {
                match side {
                    Color::White => text.push(format!("{number}. {}", played.san)),
                    Color::Black if index == from => text.push(format!("{number}… {}", played.san)),
                    Color::Black => text.push(played.san.to_string()),
                }
            }
            number += u16::from(side == Color::Black);
        }
        text.join(" ")
    }
}
