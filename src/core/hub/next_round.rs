//! What screens tell beside the countdown: when the next round begins, as far as that can be said, and
//! which boards are not ready for this one.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::{
    Hub,
    rounds::phase_of,
    state::{Game, Round},
    view::Phase,
};
use crate::{
    clock::TimeControl,
    tournament::schedule::RoundStart,
    types::{Color, RoundNo, TableNo},
};

/// So many moves a game is reckoned to have, as the laws reckon it to tell blitz from rapid (A.1).
const MOVES: u16 = 60;
/// A game that has more moves than that is given so many more.
const MORE: u16 = 10;
/// A time that is reckoned is told to five minutes.
const GRID_S: i64 = 300;

impl Hub {
    /// When the schedule has the round after one, as far as that is known. A round that begins a while
    /// after this one closes is reckoned from the game that may last longest.
    pub(super) fn next_start(&self, round: &Round) -> Option<Timestamp> {
        let next = RoundNo(round.number.0 + 1);
        if self.rounds().is_some_and(|rounds| next.0 > rounds) {
            return None;
        }
        let schedule = &self.state.set_up.as_ref()?.settings.schedule;
        let closed = match round.closed_at {
            Some(closed) => Some(closed),
            None => self.longest_end(round),
        };
        let start = schedule.start(next, closed)?;
        if self.next_is_reckoned(round) {
            return on_grid(start);
        }
        Some(start)
    }

    /// The start of the next round hangs on games that are still played.
    pub(super) fn next_is_reckoned(&self, round: &Round) -> bool {
        let next = RoundNo(round.number.0 + 1);
        let planned = |schedule: RoundStart| matches!(schedule, RoundStart::AfterPrevious { .. });
        let set_up = self.state.set_up.as_ref();
        round.closed_at.is_none()
            && set_up.is_some_and(|it| planned(it.settings.schedule.planned(next)))
    }

    /// When the last game of a round ends at the latest, by its clock and 60 moves.
    fn longest_end(&self, round: &Round) -> Option<Timestamp> {
        let started = round.started_at?;
        if let Some(play_off) = &round.play_off {
            return Some(play_off.until);
        }
        let control = self.state.set_up.as_ref()?.control();
        let open = round.games.values().filter(|game| game.result.is_none());
        let ends = open.map(|game| longest(game, started, control.as_ref()));
        ends.collect::<Option<Vec<_>>>()?.into_iter().max()
    }

    /// The tables that the screens tell as not ready, in the last five minutes; `None` while they do not.
    pub(super) fn waiting_tables(&self, round: &Round) -> Option<Vec<TableNo>> {
        let current = self.state.round().map(|round| round.number);
        if !self.tells_waiting() || current != Some(round.number) {
            return None;
        }
        let games = round.games.iter().filter(|(table, game)| {
            let begun = game.ready || game.clock_started || !game.moves.is_empty();
            !begun && game.result.is_none() && self.state.device_at(**table).is_some()
        });
        Some(games.map(|(table, _)| *table).collect())
    }

    /// A screen tells them, and it is time to.
    pub(super) fn tells_waiting(&self) -> bool {
        let mut screens = self.state.screens.assigned.values();
        screens.any(|screen| screen.settings.waiting)
            && self.state.round().is_some_and(|round| {
                let phase = phase_of(round, &self.skipped_marks);
                round.published && matches!(phase, Phase::Last5 | Phase::Last1 | Phase::Zero)
            })
    }
}

/// The latest end of one game; `None` without a control to reckon by.
fn longest(game: &Game, started: Timestamp, control: Option<&TimeControl>) -> Option<Timestamp> {
    let made = |side: Color| {
        let first = side == Color::White;
        (game.moves.len() as u16).saturating_add(u16::from(first)) / 2
    };
    let control = control?;
    let mut left = Duration::ZERO;
    for side in [Color::White, Color::Black] {
        let (made, own) = (made(side), control.of(side));
        let at = own.period_of_move(made.saturating_add(1));
        let later: Duration = own.periods()[at..].iter().skip(1).map(|it| it.base).sum();
        let moves = MOVES.saturating_sub(made).max(MORE);
        let shown = match (game.times, side) {
            (Some(times), Color::White) => times.white,
            (Some(times), Color::Black) => times.black,
            (None, _) => own.initial(),
        };
        left += shown + later + own.periods()[at].per_move.time() * u32::from(moves);
    }
    let from = game.times.and(game.times_at).unwrap_or(started);
    from.checked_add(SignedDuration::try_from(left).ok()?).ok()
}

/// The next full five minutes.
fn on_grid(at: Timestamp) -> Option<Timestamp> {
    let over = (at.as_millisecond()).rem_euclid(GRID_S * 1000);
    let up = if over == 0 { 0 } else { GRID_S * 1000 - over };
    at.checked_add(SignedDuration::from_millis(up)).ok()
}
