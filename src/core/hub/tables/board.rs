//! What the tracker finds on a board: moves, claims, results, disorder.

use super::live::white_side;
use crate::{
    chess::{Note, TrackEvent, result::Outcome},
    hub::{
        Hub,
        alerts::Cause,
        decide::name,
        event::{AlertKind, BoardFact, Fact, IllegalClaim, Proposal, Proposed},
        view::Severity,
        words::{end_of, end_words, man, note_words, reason_words, result_of},
    },
    tournament::{GameResult, Termination},
    types::{Now, TableNo},
};

impl Hub {
    pub(in crate::hub) fn drain_tracker(&mut self, now: Now, table: TableNo) {
        while let Some(event) = self
            .live
            .get_mut(table)
            .and_then(|live| live.tracker.poll_event())
        {
            self.handle_track(now, table, event);
        }
    }

    pub(in crate::hub) fn handle_track(&mut self, now: Now, table: TableNo, event: TrackEvent) {
        if let TrackEvent::SetUp { turned } = event
            && let Some(live) = self.live.get_mut(table)
        {
            live.set_white_side(white_side(turned));
        }
        // What an arbiter answers belongs in the record of a game that has ended as well.
        let of_the_record = matches!(
            event,
            TrackEvent::Move(_)
                | TrackEvent::Withdrawn { .. }
                | TrackEvent::GapClosed { .. }
                | TrackEvent::Question { .. }
                | TrackEvent::QuestionClosed { .. }
        );
        let answered = of_the_record && self.live.get(table).is_some_and(|live| live.answering);
        if !answered && !self.game_open(table) {
            return;
        }
        let lost = matches!(
            event,
            TrackEvent::SetUp { .. }
                | TrackEvent::Withdrawn { .. }
                | TrackEvent::Illegal { .. }
                | TrackEvent::Unexplained { .. }
                | TrackEvent::Gap { .. }
                | TrackEvent::GapClosed { .. }
                | TrackEvent::Explained
                | TrackEvent::IllegalResolved { .. }
        );
        if lost && let Some(live) = self.live.get_mut(table) {
            live.against.handle_lost();
        }
        match event {
            TrackEvent::SetUp { turned } => {
                self.board(now, table, BoardFact::Ready { turned });
                self.clear_table(now, table, &[AlertKind::WrongSetUp, AlertKind::Disturbed]);
            }
            TrackEvent::StartsFrom {
                fen,
                variant,
                number,
            } => {
                let known = self.state.game(table).and_then(|game| game.start.as_ref());
                if known.is_none_or(|start| start.fen != fen || start.variant != variant) {
                    let fact = BoardFact::StartsFrom {
                        fen,
                        variant,
                        number,
                        by: None,
                    };
                    self.board(now, table, fact);
                }
            }
            TrackEvent::StartAssumed => {
                self.board(now, table, BoardFact::ReadyAssumed);
                self.clear_table(now, table, &[AlertKind::WrongSetUp, AlertKind::Disturbed]);
            }
            TrackEvent::Question { ply, before, moves } => {
                self.handle_question(now, table, ply, before, moves);
            }
            TrackEvent::QuestionClosed { ply } => {
                self.board(now, table, BoardFact::QuestionClosed { ply });
                self.clear_table(now, table, &[AlertKind::WhichMove]);
            }
            TrackEvent::WrongSetUp { detail, placement } => {
                let text = format!("Table {table} is set up wrongly: {detail}.");
                self.board(
                    now,
                    table,
                    BoardFact::WrongSetUp {
                        detail,
                        seen: placement,
                    },
                );
                let cause = Cause::at(AlertKind::WrongSetUp, table);
                self.raise(now, cause, Severity::Warning, text, None);
            }
            TrackEvent::Move(made) => {
                if let Some(live) = self.live.get_mut(table) {
                    live.clock.handle_move(made.at, made.side);
                    live.against.handle_move(made.at, made.side, made.inferred);
                }
                self.emit(now, Some(table), None, Fact::Move(made));
                self.clear_table(now, table, &[AlertKind::NotStarted, AlertKind::WrongSetUp]);
                self.drain_clock(now, table);
            }
            TrackEvent::Withdrawn {
                from_ply,
                moves: _,
                replaced_by,
            } => {
                let fact = Fact::Withdrawn {
                    ply: from_ply,
                    replaced_by,
                };
                self.emit(now, Some(table), None, fact);
                self.proved_end_withdrawn(now, table);
            }
            TrackEvent::Illegal {
                ply,
                before,
                placement,
                mover,
                offending,
                reasons,
                pressed: _,
            } => {
                let times = self.times(table, now);
                let claim = IllegalClaim {
                    ply,
                    side: mover,
                    offending,
                    before,
                    seen: placement,
                    reasons,
                    times,
                };
                self.handle_illegal(now, table, claim);
            }
            TrackEvent::Unexplained {
                expected,
                seen,
                ambiguous,
                presses,
                since: _,
            } => {
                self.set_disturbed(table, true);
                let text = if presses > 1 {
                    format!(
                        "Table {table}: the clock was pressed {presses} times and no move was \
                         understood. Moves are being missed: look at the board."
                    )
                } else if ambiguous {
                    format!("Table {table}: several lines of moves lead to what stands there. Ask.")
                } else {
                    format!("Table {table}: what stands on the board cannot be explained.")
                };
                self.board(now, table, BoardFact::Disturbed { expected, seen });
                let cause = Cause::at(AlertKind::Disturbed, table);
                let severity = if presses > 1 {
                    Severity::Call
                } else {
                    Severity::Warning
                };
                self.raise(now, cause, severity, text, None);
            }
            TrackEvent::Gap { after, fen } => self.handle_gap(now, table, after, fen),
            TrackEvent::GapClosed { after } => {
                self.board(now, table, BoardFact::GapClosed { after });
                self.clear_table(now, table, &[AlertKind::MovesMissing]);
            }
            TrackEvent::Explained | TrackEvent::IllegalResolved { .. } => {
                self.set_disturbed(table, false);
                self.board(now, table, BoardFact::Restored);
                self.clear_table(now, table, &[AlertKind::Disturbed]);
            }
            TrackEvent::Mismatch {
                square,
                expected,
                seen,
            } => {
                let text = format!(
                    "Table {table}: {square} must show {} and shows {}. Move the piece to the \
                     middle of its square, or look whether it is the right one.",
                    man(expected),
                    man(seen)
                );
                self.board(
                    now,
                    table,
                    BoardFact::Mismatch {
                        square,
                        expected,
                        seen,
                    },
                );
                let cause = Cause::at(AlertKind::Disturbed, table);
                self.raise(now, cause, Severity::Warning, text, None);
            }
            TrackEvent::MismatchOver { square } => {
                self.board(now, table, BoardFact::MismatchOver { square });
                self.clear_table(now, table, &[AlertKind::Disturbed]);
            }
            TrackEvent::ResultByKings {
                outcome,
                final_fen,
                plies: _,
            } => {
                let words = match outcome {
                    Outcome::White => "White won",
                    Outcome::Black => "Black won",
                    Outcome::Draw => "a draw",
                };
                let text = format!("The kings in the centre say: {words}.");
                let result = result_of(outcome);
                let termination = self.shown_termination(table, result);
                self.propose_result(now, table, result, termination, final_fen, text);
            }
            TrackEvent::ResultWithdrawn => self.shown_result_withdrawn(now, table),
            TrackEvent::ResultMissing { .. } => {
                if self.open_result(table).is_none() {
                    let text = format!(
                        "Table {table}: the pieces were put back and no result was shown. Ask."
                    );
                    let cause = Cause::at(AlertKind::ResultMissing, table);
                    self.raise(now, cause, Severity::Call, text, None);
                }
            }
            TrackEvent::StartAgain { .. } => self.board(now, table, BoardFact::StartAgain),
            TrackEvent::GameOver {
                ply: _,
                outcome,
                reason,
            } => {
                let text = format!(
                    "The position on the board ends the game: {}.",
                    end_words(reason)
                );
                let position = self.position(table);
                let (result, termination) = (result_of(outcome), end_of(reason));
                self.propose_result(now, table, result, termination, position, text);
            }
            TrackEvent::Note(note) => {
                self.board(
                    now,
                    table,
                    BoardFact::Note {
                        detail: note_words(&note),
                        touched: match note {
                            Note::Adjusted { squares } => squares,
                            _ => Vec::new(),
                        },
                    },
                );
            }
        }
    }

    /// The kings went back: it was a slip. What the clock or the position proves stays proposed.
    pub(in crate::hub) fn shown_result_withdrawn(&mut self, now: Now, table: TableNo) {
        self.overtake_result(now, table, |termination| {
            termination == Termination::Unknown
        });
    }

    /// The move that ended the game was taken back or corrected: whatever it proved is void.
    fn proved_end_withdrawn(&mut self, now: Now, table: TableNo) {
        self.overtake_result(now, table, Termination::is_proved_by_board);
    }

    fn overtake_result(&mut self, now: Now, table: TableNo, which: impl Fn(Termination) -> bool) {
        let open = self.state.proposals.iter().find(|(_, open)| {
            open.table == table
                && matches!(
                    open.proposal.proposed,
                    Proposed::Result { termination, .. } if which(termination)
                )
        });
        if let Some((number, _)) = open {
            let number = *number;
            self.overtake(now, table, number);
        }
    }

    pub(in crate::hub) fn board(&mut self, now: Now, table: TableNo, fact: BoardFact) {
        self.emit(now, Some(table), None, Fact::Board(fact));
    }

    pub(in crate::hub) fn set_disturbed(&mut self, table: TableNo, disturbed: bool) {
        if let Some(live) = self.live.get_mut(table) {
            live.disturbed = disturbed;
        }
    }

    /// Kings say who won; the journal knows of a fallen flag or a mate.
    pub(in crate::hub) fn shown_termination(
        &self,
        table: TableNo,
        result: GameResult,
    ) -> Termination {
        let Some(game) = self.state.game(table) else {
            return Termination::Unknown;
        };
        match (game.flags.first(), result.winner()) {
            (Some(first), Some(winner)) if *first == winner.other() => Termination::Flag,
            (Some(_), None) => Termination::FlagNoMatingMaterial,
            _ => Termination::Unknown,
        }
    }

    pub(in crate::hub) fn propose_result(
        &mut self,
        now: Now,
        table: TableNo,
        result: GameResult,
        termination: Termination,
        position: String,
        text: String,
    ) {
        if !self.game_open(table) {
            return;
        }
        self.clear_table(now, table, &[AlertKind::ClockStopped]);
        let mut text = text;
        let gaps = self.state.game(table).map(|game| &*game.gaps);
        let gaps = gaps.unwrap_or_default();
        let ends_unseen = gaps.last().is_some_and(|gap| gap.fen.is_none());
        let gaps = !gaps.is_empty();
        if let Some(live) = self.live.get_mut(table) {
            live.stopped_at = None;
            if live.disturbed || ends_unseen {
                text += " Moves are missing from the record: the position is an earlier one.";
            } else if gaps {
                text += " Moves are missing from the record.";
            }
        }
        let proposal = Proposal {
            proposed: Proposed::Result {
                result,
                termination,
            },
            position,
            seen: self.seen(table),
            times: self.times(table, now),
            text,
        };
        self.propose(
            now,
            table,
            proposal,
            AlertKind::ResultConflict,
            Severity::Notice,
        );
    }

    pub(in crate::hub) fn handle_illegal(&mut self, now: Now, table: TableNo, claim: IllegalClaim) {
        self.set_disturbed(table, true);
        let reasons: Vec<&str> = claim
            .reasons
            .iter()
            .map(|reason| reason_words(*reason))
            .collect();
        let side = claim.side;
        let text = format!(
            "{} completed an illegal move, {}: {}.",
            name(side),
            claim.offending,
            reasons.join("; ")
        );
        let proposal = Proposal {
            proposed: Proposed::IllegalMove { side },
            position: claim.before.clone(),
            seen: Some(claim.seen.clone()),
            times: claim.times,
            text,
        };
        self.emit(now, Some(table), None, Fact::IllegalClaim(claim));
        self.propose(now, table, proposal, AlertKind::IllegalMove, Severity::Call);
    }
}
