//! Boards that were out of sight: what the clock tells of that time, and that moves are missing.

use std::time::Duration;

use jiff::Timestamp;

use super::live::LiveTable;
use crate::{
    chess::Witness,
    clock::{ClockView, TimeControl},
    hub::{
        Hub,
        alerts::Cause,
        event::{AlertKind, BoardFact, Times},
        state::Game,
        view::Severity,
        words::question_words,
    },
    types::{Color, Mono, Now, TableNo},
};

/// Shorter increments do not stand out from whole seconds.
const LEAST_INCREMENT: Duration = Duration::from_secs(2);
/// Two readings with whole seconds on both sides are wrong by less than this.
const ROUNDING: Duration = Duration::from_millis(2200);

/// The clock when the board was last in sight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    times: Times,
    /// Whose lever stood high.
    ran: Color,
    at: When,
}

#[derive(Clone, Copy, Debug)]
enum When {
    Here(Mono),
    /// Before the hub was started.
    Before(Timestamp),
}

impl Known {
    /// What the clock showed last; `None` if it stood.
    pub(super) fn from_clock(view: &ClockView) -> Option<Self> {
        Some(Self {
            times: view.times,
            ran: view.running?,
            at: When::Here(view.at),
        })
    }

    /// What the journal has, when its last press answered for a recorded move.
    pub(super) fn from_journal(game: &Game) -> Option<Self> {
        let ran = game.to_run.filter(|_| !game.disturbed && game.ahead == 0)?;
        Some(Self {
            times: game.times?,
            ran,
            at: When::Before(game.times_at?),
        })
    }

    fn elapsed(&self, now: Now) -> Option<Duration> {
        match self.at {
            When::Here(at) => Some(now.mono.since(at)),
            When::Before(at) => Duration::try_from(now.utc.duration_since(at)).ok(),
        }
    }

    /// How often the clock was pressed until this reading.
    ///
    /// Whoever did not lose a second has not been to move. With an increment both times together tell
    /// it: they fall by the time that passed and grow with each press.
    fn presses(&self, now: Now, view: &ClockView, control: Option<&TimeControl>) -> Option<u16> {
        let other = self.ran.other();
        let odd = view.to_move == other;
        if !odd && view.times.of(other) == self.times.of(other) {
            return Some(0);
        }
        let increment = control?.single_increment()?;
        if increment < LEAST_INCREMENT || view.running.is_none() {
            return None;
        }
        let sum = |times: Times| times.white + times.black;
        let with_time_passed = sum(view.times) + self.elapsed(now)?;
        let added = (with_time_passed + ROUNDING).checked_sub(sum(self.times))?;
        let added = added.saturating_sub(ROUNDING);
        // The lever tells whether the number is odd.
        let first = if odd { increment } else { Duration::ZERO };
        let pairs =
            (added.saturating_sub(first) + increment).as_millis() / (2 * increment).as_millis();
        let presses = u16::try_from(2 * pairs).ok()?.checked_add(u16::from(odd))?;
        let near = added.abs_diff(increment * u32::from(presses)) <= ROUNDING.min(increment);
        // The other side's time is another one, so it was to move at least once.
        (near && presses > 0).then_some(presses)
    }
}

impl LiveTable {
    /// The board is out of sight from now on.
    pub(super) fn lose_sight(&mut self, now: Now) {
        if self.tracker.in_sight() {
            self.known = self
                .clock
                .current(now.mono)
                .and_then(|view| Known::from_clock(&view));
        }
        self.lose_clock();
        self.tracker.handle_outage(now.mono);
    }

    /// The whole picture agreed with what was heard: up to now nothing is missing.
    pub(super) fn agree(&mut self, now: Now) {
        self.agreed = self
            .clock
            .current(now.mono)
            .and_then(|view| Known::from_clock(&view));
    }

    /// Changes on the board since then were not heard.
    pub(super) fn miss(&mut self, now: Now, since: Mono) {
        if self.tracker.in_sight() {
            self.known = self.agreed.take();
        }
        self.tracker.handle_missed(now.mono, since);
    }

    /// A reading of the clock came: the tracker hears what it tells.
    pub(super) fn witness(&mut self, now: Now, control: Option<&TimeControl>) {
        let Some(view) = self
            .clock
            .current(now.mono)
            .filter(|view| view.at == now.mono && !view.gone)
        else {
            return;
        };
        if self.tracker.in_sight() {
            if let Some(side) = view.running {
                self.tracker.handle_runs(now.mono, side);
            }
            return;
        }
        let witness = Witness {
            ran: self.known.map(|known| known.ran),
            runs: view.running,
            presses: self
                .known
                .and_then(|known| known.presses(now, &view, control)),
        };
        self.tracker.handle_witness(now.mono, witness);
    }
}

impl Hub {
    /// Since `from` the hub itself was held up: no board was in sight, and what is heard next has waited.
    pub fn handle_held_up(&mut self, from: Now) {
        for table in self.live.numbers() {
            if let Some(live) = self.live.get_mut(table) {
                live.lose_sight(from);
            }
            self.drain_tracker(from, table);
        }
    }

    /// The record of a table has a gap. Said once, until somebody closes it.
    pub(super) fn handle_gap(&mut self, now: Now, table: TableNo, after: u16, fen: Option<String>) {
        let text = match &fen {
            Some(_) => format!(
                "Table {table}: moves are missing after half-move {after}. The position on the \
                 board was taken over; the score sheets know the moves."
            ),
            None => format!(
                "Table {table}: the game ended unseen; moves may be missing after half-move \
                 {after}. The score sheets know them."
            ),
        };
        self.set_disturbed(table, false);
        self.board(now, table, BoardFact::Gap { after, fen });
        let cause = Cause::at(AlertKind::MovesMissing, table);
        self.raise(now, cause, Severity::Warning, text, None);
    }

    /// Which of several moves was made? Said once, until it is answered or later moves tell.
    pub(super) fn handle_question(
        &mut self,
        now: Now,
        table: TableNo,
        ply: u16,
        before: String,
        moves: Vec<String>,
    ) {
        let text = question_words(table, ply, &before, &moves);
        self.board(now, table, BoardFact::Question { ply, before, moves });
        self.clear_table(now, table, &[AlertKind::WhichMove]);
        let cause = Cause::at(AlertKind::WhichMove, table);
        self.raise(now, cause, Severity::Warning, text, None);
    }

    /// A result is about to stand: if the tracker has lost the game, the record says so.
    pub(in crate::hub) fn tell_lost_end(&mut self, now: Now, table: TableNo) {
        if let Some(live) = self.live.get_mut(table) {
            live.tracker.handle_end(now.mono);
        }
        self.drain_tracker(now, table);
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::ByColor;

    use super::*;

    fn view(white: u64, black: u64, to_move: Color, at: u64) -> ClockView {
        ClockView {
            times: Times {
                white: Duration::from_secs(white),
                black: Duration::from_secs(black),
            },
            running: Some(to_move),
            to_move,
            at: Mono::from_millis(at * 1000),
            age: Duration::ZERO,
            flags: ByColor {
                white: false,
                black: false,
            },
            gone: false,
            battery_low: false,
        }
    }

    fn presses(before: ClockView, after: ClockView, control: &str) -> Option<u16> {
        let now = Now {
            mono: after.at,
            utc: Timestamp::UNIX_EPOCH,
        };
        let control: TimeControl = control.parse().unwrap();
        Known::from_clock(&before)?.presses(now, &after, Some(&control))
    }

    #[test]
    fn increments_tell_how_often_a_clock_was_pressed() {
        let (white, black) = (Color::White, Color::Black);
        let start = view(200, 190, white, 10);
        // Nobody pressed in twenty seconds.
        assert_eq!(presses(start, view(180, 190, white, 30), "5+3"), Some(0));
        // Twenty seconds, once: three seconds were added.
        assert_eq!(presses(start, view(193, 180, black, 30), "5+3"), Some(1));
        // Four times.
        assert_eq!(presses(start, view(196, 186, white, 30), "5+3"), Some(4));
        // Seconds are whole.
        assert_eq!(presses(start, view(195, 186, white, 30), "5+3"), Some(4));
        // Without an increment only a side that has lost nothing tells something.
        assert_eq!(presses(start, view(180, 190, white, 30), "5+0"), Some(0));
        assert_eq!(presses(start, view(190, 180, white, 30), "5+0"), None);
        // A minute that play does not explain.
        assert_eq!(presses(start, view(130, 186, white, 30), "5+3"), None);
    }
}
