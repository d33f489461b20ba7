//! Who has not come by the default time (R-CD-4).

use std::time::Duration;

use super::{
    Hub,
    alerts::Cause,
    decide::name,
    event::{AlertKind, Proposal, Proposed},
    view::Severity,
};
use crate::{
    tournament::{GameResult, event::DefaultTime},
    types::{Color, Now, TableNo},
};

/// A shorter default time says nothing of a player who has been to move once: he may be thinking.
const LONGER_THAN_A_THOUGHT: Duration = Duration::from_mins(5);

impl Hub {
    /// Asks for everybody who is not there; once default time is over (`due`) by a proposal for each
    /// player whom the clock shows to be absent.
    pub(super) fn ask_for_absent(&mut self, now: Now, due: bool) {
        let Some(round) = self.state.round() else {
            return;
        };
        let idle: Vec<(TableNo, usize)> = round
            .games
            .iter()
            .filter(|(_, game)| game.result.is_none() && game.gaps.is_empty())
            // Where no board is seen the presses tell how far the game is.
            .map(|(table, game)| (*table, game.moves.len().max(game.ahead.into())))
            .filter(|(_, made)| *made < 2)
            .collect();
        for (table, made) in idle {
            let live = self.live.get(table);
            let running = live.and_then(|live| live.running(now));
            match (made, running) {
                (0, Some(Color::White)) if due => self.propose_forfeit(now, table, Color::White),
                (1, Some(Color::Black)) if due && self.is_long() => {
                    self.propose_forfeit(now, table, Color::Black);
                }
                (0, running) if self.state.device_at(table).is_some() => {
                    let ask = match running {
                        Some(side) => format!("{}’s clock runs.", name(side)),
                        None => "The clock does not run.".to_owned(),
                    };
                    let text = format!("Nobody has started at table {table}. {ask} Who is absent?");
                    let cause = Cause::at(AlertKind::NotStarted, table);
                    self.raise(now, cause, Severity::Warning, text, None);
                }
                _ => {}
            }
        }
    }

    fn is_long(&self) -> bool {
        let half = self
            .state
            .set_up
            .as_ref()
            .is_some_and(|it| it.settings.default_time == DefaultTime::UntilHalf);
        half || self
            .default_time()
            .is_some_and(|time| time >= LONGER_THAN_A_THOUGHT)
    }

    fn propose_forfeit(&mut self, now: Now, table: TableNo, absent: Color) {
        let who = name(absent);
        let proposal = Proposal {
            proposed: Proposed::Forfeit {
                result: GameResult::forfeit_to(absent.other()),
            },
            position: self.position(table),
            seen: None,
            times: self.times(table, now),
            text: format!("Default time is over; {who}'s clock runs and {who} has not moved."),
        };
        let about = AlertKind::NotStarted;
        self.propose(now, table, proposal, about, Severity::Warning);
    }

    /// Where default time lasts until fewer than half still play: a game has ended.
    pub(super) fn check_half(&mut self, now: Now) {
        let until_half = self
            .state
            .set_up
            .as_ref()
            .is_some_and(|it| it.settings.default_time == DefaultTime::UntilHalf);
        let Some(round) = self
            .state
            .round()
            .filter(|round| round.started_at.is_some())
        else {
            return;
        };
        let few = round.open_tables().count() * 2 < round.games.len();
        let number = Some(round.number);
        if until_half && few && self.half_asked != number {
            self.half_asked = number;
            self.ask_for_absent(now, true);
        }
    }
}
