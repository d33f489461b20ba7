//! Illegal moves and the wrong hand: what is counted, and what it costs next (R-RS-6, R-RS-7).

use std::time::Duration;

use crate::{
    hub::{
        Hub,
        decide::name,
        event::{AlertKind, Proposed},
        tables::clock_text,
        view::{ConductView, NextPenalty, SideConduct},
    },
    tournament::{GameResult, Termination, event::IllegalMovePolicy},
    types::{Color, Now, TableNo},
};

impl Hub {
    fn illegal_policy(&self) -> Option<IllegalMovePolicy> {
        let set_up = self.state.set_up.as_ref()?;
        Some(set_up.settings.illegal_moves)
    }

    /// The opponent claims an illegal move; the board may have told of it already.
    pub(super) fn illegal_claimed(&mut self, now: Now, table: TableNo, side: Color, note: &str) {
        let told = self.state.proposals.values().any(|open| {
            open.table == table && open.proposal.proposed == Proposed::IllegalMove { side }
        });
        if told {
            return;
        }
        let answered = self
            .state
            .game(table)
            .is_some_and(|game| !game.moves.is_empty() && game.turn() == side);
        // A claim comes before the claimant's own move; later it is not counted.
        let late = if answered {
            let claimant = name(side.other());
            format!(" The record has a move of {claimant} since: then it is not counted.")
        } else {
            String::new()
        };
        let next = self.next_penalty_words(table, side);
        let who = name(side);
        let text = format!("{who} is said to have made an illegal move.{note}{late} {next}");
        let proposed = Proposed::IllegalMove { side };
        self.put(now, table, proposed, text, AlertKind::IllegalMove);
    }

    /// One more illegal move is recorded: at the event's limit they lose the game, or draw it where the
    /// opponent cannot mate; before it they cost time.
    pub(in crate::hub) fn illegal_recorded(
        &mut self,
        now: Now,
        table: TableNo,
        side: Color,
        proposal: u64,
    ) {
        self.explain_correction(table, proposal);
        let (Some(game), Some(policy)) = (self.state.game(table), self.illegal_policy()) else {
            return;
        };
        let recorded = *game.illegal.of(side);
        if game.result.is_some() {
            return;
        }
        if recorded < policy.losing {
            self.propose_penalty(now, table, side, policy.bonus);
            return;
        }
        let opponent = side.other();
        let mut text = format!("{recorded} illegal moves by {} are recorded.", name(side));
        let mut result = GameResult::won_by(opponent);
        if policy.draw_without_mating_material {
            let chance = self.mate_chance(table, opponent);
            if chance.is_excluded() {
                result = GameResult::Draw;
            }
            text += &chance.words(opponent);
        }
        let proposed = Proposed::Result {
            result,
            termination: Termination::IllegalMoves,
        };
        self.put(now, table, proposed, text, AlertKind::IllegalMove);
    }

    /// The wrong hand is recorded once more: as often as the event says it is an illegal move.
    pub(in crate::hub) fn hand_recorded(
        &mut self,
        now: Now,
        table: TableNo,
        side: Color,
        proposal: u64,
    ) {
        let (Some(game), Some(policy)) = (self.state.game(table), self.illegal_policy()) else {
            return;
        };
        if is_illegal(policy, *game.hands.of(side)) {
            self.illegal_recorded(now, table, side, proposal);
        }
    }

    fn propose_penalty(&mut self, now: Now, table: TableNo, side: Color, bonus: Duration) {
        let times = self.times(table, now);
        // Without a clock there is no time to give.
        let timed = self
            .state
            .set_up
            .as_ref()
            .is_some_and(|it| it.settings.time_control.is_some());
        if bonus.is_zero() || !timed {
            return;
        }
        let opponent = side.other();
        let given = clock_text(bonus);
        let figures = times.map(|times| {
            let before = times.of(opponent);
            let after = clock_text(before.saturating_add(bonus));
            format!(" From {} to {after}.", clock_text(before))
        });
        let figures = figures.unwrap_or_default();
        let next = self.next_penalty_words(table, side);
        let text = format!("{} gets {given}.{figures} {next}", name(opponent));
        let proposed = Proposed::Penalty { side, bonus };
        self.put(now, table, proposed, text, AlertKind::Penalty);
    }

    /// What the next illegal move of a side costs.
    fn next_penalty(&self, table: TableNo, side: Color) -> Option<(NextPenalty, Duration)> {
        let (game, policy) = (self.state.game(table)?, self.illegal_policy()?);
        let recorded = *game.illegal.of(side);
        Some(if recorded.saturating_add(1) >= policy.losing {
            (NextPenalty::Loss, Duration::ZERO)
        } else if policy.bonus.is_zero() {
            (NextPenalty::Warning, Duration::ZERO)
        } else {
            (NextPenalty::Time, policy.bonus)
        })
    }

    fn next_penalty_words(&self, table: TableNo, side: Color) -> String {
        let Some(game) = self.state.game(table) else {
            return String::new();
        };
        let recorded = match *game.illegal.of(side) {
            0 => "None is recorded in this game".to_owned(),
            1 => "One is recorded in this game".to_owned(),
            more => format!("{more} are recorded in this game"),
        };
        let next = match self.next_penalty(table, side) {
            Some((NextPenalty::Loss, _)) => "the next one loses it".to_owned(),
            Some((NextPenalty::Time, bonus)) => {
                format!(
                    "the next one gives {} {}",
                    name(side.other()),
                    clock_text(bonus)
                )
            }
            Some((NextPenalty::Warning, _)) | None => "the next one is a warning".to_owned(),
        };
        format!("{recorded}; {next}.")
    }

    /// The counters of a game, once something was counted.
    pub(in crate::hub) fn conduct_view(&self, table: TableNo) -> Option<ConductView> {
        let game = self.state.game(table)?;
        let counted = |side| *game.illegal.of(side) > 0 || *game.hands.of(side) > 0;
        if !Color::ALL.into_iter().any(counted) {
            return None;
        }
        let of = |side| {
            let (next, bonus) = self.next_penalty(table, side)?;
            Some(SideConduct {
                illegal: *game.illegal.of(side),
                hands: *game.hands.of(side),
                next,
                bonus_ms: (!bonus.is_zero()).then_some(bonus.as_millis() as u64),
            })
        };
        Some(ConductView {
            white: of(Color::White)?,
            black: of(Color::Black)?,
        })
    }
}

/// So many moves with the wrong hand are one more illegal move.
pub(in crate::hub) fn is_illegal(policy: IllegalMovePolicy, hands: u8) -> bool {
    hands > 0 && policy.hand_violations > 0 && hands.is_multiple_of(policy.hand_violations)
}
