//! Claims at a table, whoever made them: evidence, proposal, decision (R-RS-6, R-RS-7, R-RS-8).

mod conduct;
mod draws;
mod penalties;
mod protests;

pub(super) use self::penalties::is_illegal;

use super::{
    Hub,
    alerts::Cause,
    command::Refused,
    decide::name,
    event::{AlertKind, Claim, ClaimKind, ClaimSource, Fact, Proposal, Proposed},
    view::Severity,
};
use crate::{
    protocol::{CallKind, ClockCall},
    tournament::{GameResult, Termination},
    types::{Color, Now, TableNo},
};

impl Hub {
    /// An arbiter enters a claim.
    pub(super) fn claim_by_arbiter(
        &mut self,
        now: Now,
        table: TableNo,
        (what, against): (ClaimKind, Option<Color>),
        note: Option<String>,
        by: &str,
    ) -> Result<(), Refused> {
        let round = self
            .state
            .round()
            .ok_or_else(|| Refused::Conflict("no round is paired yet".to_owned()))?;
        if !round.published || round.closed_at.is_some() {
            return Err(Refused::Conflict(format!(
                "round {} is not being played",
                round.number
            )));
        }
        let game = round.games.get(&table).ok_or_else(|| Refused::NotFound {
            what: "game at table",
            id: table.to_string(),
        })?;
        // What a player did may come out after his game.
        let late = matches!(what, ClaimKind::ElectronicDevice | ClaimKind::UnfairPlay);
        if game.result.is_some() && !late {
            return Err(Refused::Conflict(format!(
                "the game at table {table} has ended"
            )));
        }
        if what.accuses() && against.is_none() {
            return Err(Refused::Invalid(
                "say who did it: against is white or black".to_owned(),
            ));
        }
        if what == ClaimKind::Other && note.is_none() {
            return Err(Refused::Invalid("say what is claimed".to_owned()));
        }
        let claim = Claim {
            what,
            against,
            ply: game.moves.len() as u16,
            source: ClaimSource::Arbiter,
            note,
            by: by.to_owned(),
        };
        self.claim(now, table, claim);
        Ok(())
    }

    /// Somebody pressed a button of the clock.
    pub(super) fn claim_by_clock(&mut self, now: Now, table: TableNo, call: ClockCall, by: &str) {
        if !self.game_open(table) {
            return;
        }
        let who = call.side.and_then(|side| self.colour_of(table, side));
        let what = match call.what {
            CallKind::IllegalMove => ClaimKind::IllegalMove,
            CallKind::Threefold => ClaimKind::Threefold,
            CallKind::FiftyMoves => ClaimKind::FiftyMoves,
            CallKind::Flag => ClaimKind::Flag,
            CallKind::OtherClaim => ClaimKind::Other,
            CallKind::Arbiter => {
                let note = who.map(|who| format!("{} pressed the button.", name(who)));
                // Cannot be refused: there is a game.
                let _ = self.call(now, table, note, by);
                return;
            }
            CallKind::DrawOffer => return self.draw_offered(now, table, who),
            CallKind::WhiteWon => return self.entered(now, table, GameResult::WhiteWins),
            CallKind::Draw => return self.entered(now, table, GameResult::Draw),
            CallKind::BlackWon => return self.entered(now, table, GameResult::BlackWins),
            CallKind::ResultWithdrawn => return self.shown_result_withdrawn(now, table),
        };
        let claim = Claim {
            what,
            against: who.map(Color::other),
            ply: self
                .state
                .game(table)
                .map_or(0, |game| game.moves.len() as u16),
            source: ClaimSource::Clock,
            note: None,
            by: by.to_owned(),
        };
        self.claim(now, table, claim);
    }

    fn entered(&mut self, now: Now, table: TableNo, result: GameResult) {
        let position = self.position(table);
        let text = "The players entered the result at the clock.".to_owned();
        self.propose_result(now, table, result, Termination::Unknown, position, text);
    }

    fn claim(&mut self, now: Now, table: TableNo, claim: Claim) {
        let what = claim.what;
        let against = claim.against;
        let note = claim.note.as_ref().map(|note| format!(" {note}"));
        let note = note.unwrap_or_default();
        self.emit(now, Some(table), None, Fact::Claim(claim));
        match (what, against) {
            (ClaimKind::IllegalMove, Some(side)) => self.illegal_claimed(now, table, side, &note),
            (ClaimKind::WrongHand, Some(side)) => {
                let text = format!(
                    "{} is said to have moved with the wrong hand, or with both.{note}",
                    name(side)
                );
                let proposed = Proposed::HandViolation { side };
                self.put(now, table, proposed, text, AlertKind::HandViolation);
            }
            (ClaimKind::Threefold | ClaimKind::FiftyMoves, _) => {
                self.draw_claimed(now, table, what, against.map(Color::other), &note);
            }
            (ClaimKind::ElectronicDevice | ClaimKind::UnfairPlay, Some(side)) => {
                self.conduct_claimed(now, table, what, side, &note);
            }
            (ClaimKind::Flag, _)
                if self
                    .open_alert(&Cause::at(AlertKind::Flag, table))
                    .is_some() => {}
            (ClaimKind::WrongColours, _) => {
                let text = format!(
                    "Table {table}: the players sit with each other's colours, or the pieces stand \
                     reversed. The colours of the pairing are never swapped.{note}"
                );
                let cause = Cause::at(AlertKind::WrongColours, table);
                self.raise(now, cause, Severity::Call, text, None);
            }
            _ => {
                let who = against.map_or("A player", |side| name(side.other()));
                let claimed = match what {
                    ClaimKind::Flag => {
                        "claims the flag; the hub has seen none fall. Look at the clock."
                    }
                    ClaimKind::IllegalMove => "claims an illegal move.",
                    _ => "claims something.",
                };
                let text = format!("Table {table}: {who} {claimed}{note}");
                let cause = Cause::at(AlertKind::Claim, table);
                self.raise(now, cause, Severity::Call, text, None);
            }
        }
    }

    /// A proposal with what stands at the table now, and an alert for it.
    fn put(
        &mut self,
        now: Now,
        table: TableNo,
        proposed: Proposed,
        text: String,
        about: AlertKind,
    ) {
        let position = self.position(table);
        let placement = position.split(' ').next().unwrap_or_default();
        let proposal = Proposal {
            proposed,
            seen: self.seen(table).filter(|seen| seen != placement),
            times: self.times(table, now),
            position,
            text,
        };
        self.propose(now, table, proposal, about, Severity::Call);
    }
}
