//! Draws: claimed, offered, and agreed before the event allows it (R-RS-9).

use shakmaty::{Chess, Position, uci::UciMove};

use crate::{
    chess::{Start, result::repetitions},
    hub::{
        Hub,
        alerts::Cause,
        decide::name,
        event::{AlertKind, ClaimKind, Proposed},
        state::Game,
        view::Severity,
    },
    tournament::{GameResult, Termination},
    types::{Color, Now, TableNo},
};

impl Hub {
    pub(super) fn draw_claimed(
        &mut self,
        now: Now,
        table: TableNo,
        what: ClaimKind,
        claimant: Option<Color>,
        note: &str,
    ) {
        let Some(game) = self.state.game(table) else {
            return;
        };
        let who = claimant.map_or("A player", name);
        let found = judge(game, what);
        let (claimed, termination) = if what == ClaimKind::Threefold {
            ("the position for the third time", Termination::Threefold)
        } else {
            (
                "fifty moves without a capture or a pawn move",
                Termination::FiftyMoves,
            )
        };
        let turn = match claimant {
            Some(claimant) if claimant != game.turn() => {
                " By the record it is not his move: only the player to move may claim."
            }
            _ => "",
        };
        let text = format!("{who} claims {claimed}. {found}{turn}{note}");
        let proposed = Proposed::Result {
            result: GameResult::Draw,
            termination,
        };
        self.put(now, table, proposed, text, AlertKind::DrawClaim);
    }

    /// A draw is offered: nobody's business unless the event forbids it so early.
    pub(super) fn draw_offered(&mut self, now: Now, table: TableNo, who: Option<Color>) {
        let Some((allowed, at)) = self.too_early(table) else {
            return;
        };
        let who = who.map_or("A player", name);
        let text = format!(
            "Table {table}: {who} offers a draw in move {at}; draws may be offered from move \
             {allowed} on."
        );
        let cause = Cause::at(AlertKind::EarlyDraw, table);
        self.raise(now, cause, Severity::Warning, text, None);
    }

    /// From which move on a draw may be agreed, and the move that is played, where that is earlier. Where
    /// moves are missing the record does not tell.
    pub(in crate::hub) fn too_early(&self, table: TableNo) -> Option<(u16, usize)> {
        let allowed = self.state.set_up.as_ref()?.settings.no_draw_before_move?;
        let game = self.state.game(table)?;
        let known = game.gaps.is_empty() && game.ahead == 0 && !game.moves.is_empty();
        let at = game.moves.len() / 2 + 1;
        (known && at < usize::from(allowed)).then_some((allowed, at))
    }

    /// A draw that the players agreed on, in words, where it is too early for one.
    pub(in crate::hub) fn early_draw(
        &self,
        table: TableNo,
        result: GameResult,
        termination: Termination,
    ) -> Option<String> {
        let agreed = matches!(termination, Termination::Agreement | Termination::Unknown);
        if result != GameResult::Draw || !agreed {
            return None;
        }
        let (allowed, at) = self.too_early(table)?;
        Some(format!(
            "A draw in move {at}: this event allows it from move {allowed} on."
        ))
    }
}

/// What the record says of a claim.
fn judge(game: &Game, what: ClaimKind) -> String {
    let Some(history) = history(game) else {
        return "Moves are missing from the record: it does not tell.".to_owned();
    };
    if what == ClaimKind::Threefold {
        let times = repetitions(&history);
        let verdict = if times >= 3 {
            "so it is"
        } else {
            "so it is not"
        };
        return format!(
            "By the record the position stands for time number {times}: {verdict}, unless he writes \
             down a move that brings it about."
        );
    }
    let plies = history.last().map_or(0, Position::halfmoves);
    let verdict = if plies >= 100 {
        "so it is"
    } else {
        "so it is not"
    };
    format!(
        "By the record there were {} moves of each side: {verdict}.",
        plies / 2
    )
}

/// Every position of a game; `None` where moves are missing.
fn history(game: &Game) -> Option<Vec<Chess>> {
    if !game.gaps.is_empty() || game.disturbed {
        return None;
    }
    let start = match game.start_fen() {
        Some(fen) => Start::from_fen(fen, game.variant())
            .ok()?
            .position()
            .clone(),
        None => Chess::default(),
    };
    let mut history = vec![start];
    for played in &game.moves {
        let mut position = history.last()?.clone();
        let uci: UciMove = played.uci.parse().ok()?;
        let mv = uci.to_move(&position).ok()?;
        position.play_unchecked(mv);
        history.push(position);
    }
    Some(history)
}
