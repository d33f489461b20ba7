//! What goes wrong at a board, and how people mend it.

use std::{collections::BTreeMap, time::Duration};

use rand::{Rng as _, seq::IndexedRandom as _};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Bitboard, Chess, Move, Position, Role, Square, attacks};

use super::{Action, Hands, Incidents, Note, Situation, Spread, moves::hand_work, script::Script};
use crate::games::Game;

/// Something out of the ordinary in one half-move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Incident {
    IllegalMove,
    KnockOver,
    ArbiterCall,
    TakeBack,
}

/// An incident as played.
pub(super) struct Played {
    pub(super) script: Script,
    /// How long nobody's time ran.
    pub(super) stopped: Duration,
    /// The half-move must be planned afresh when all this is done.
    pub(super) ends_chunk: bool,
}

/// Which half-moves of the game something happens in.
pub(super) fn plan(
    game: &Game,
    habits: &Incidents,
    rng: &mut ChaCha8Rng,
) -> BTreeMap<usize, Incident> {
    let plies = game.moves.len();
    let mut planned = BTreeMap::new();
    for (incident, probability) in [
        (Incident::ArbiterCall, habits.arbiter_call),
        (Incident::KnockOver, habits.knock_over),
        (Incident::IllegalMove, habits.illegal_move),
        (Incident::TakeBack, habits.take_back),
    ] {
        if probability > 0.0 && rng.random_bool(probability) {
            let ply = rng.random_range(plies / 5..=plies * 4 / 5);
            planned.insert(ply, incident);
        }
    }
    planned
}

/// Where kings show results.
const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// Nobody starts trouble when he has less than this.
const TIME_FOR_TROUBLE: Duration = Duration::from_secs(25);

impl Hands {
    /// Plays an incident at the start of a half-move; `None` when there is no time for it or it cannot
    /// happen in this position.
    pub(super) fn play_incident(&mut self, incident: Incident, seen: &Situation) -> Option<Played> {
        if seen.white_left.min(seen.black_left) < TIME_FOR_TROUBLE {
            return None;
        }
        match incident {
            Incident::IllegalMove => self.illegal_move(seen),
            Incident::KnockOver => Some(self.knock_over(seen)),
            Incident::ArbiterCall => Some(self.arbiter_call(seen)),
            Incident::TakeBack => self.take_back(seen),
        }
    }

    fn illegal_move(&mut self, seen: &Situation) -> Option<Played> {
        let (from, to) = illegal_step(&self.position, &mut self.rng)?;
        let mover = self.position.turn();
        let piece = self.position.board().piece_at(from)?;
        let before = self.position.board().clone();
        let mut script = Script::new(seen);
        script.wait(Spread::millis(800, 6000).pick(&mut self.rng));
        if before.piece_at(to).is_some() {
            script.do_now(Action::Lift(to));
            script.wait(Spread::millis(200, 600).pick(&mut self.rng));
        }
        script.do_now(Action::Lift(from));
        script.wait(Spread::millis(250, 700).pick(&mut self.rng));
        script.do_now(Action::Put(to, piece));
        script.wait(Spread::millis(200, 700).pick(&mut self.rng));
        script.do_now(Action::Press(mover));
        script.do_now(Action::Note(Note::Illegal { color: mover }));

        script.wait(Spread::secs(3, 12).pick(&mut self.rng));
        script.do_now(Action::Stop);
        script.do_now(Action::Note(Note::ArbiterCalled));
        let stopped_at = script.at;
        script.wait(Spread::secs(30, 90).pick(&mut self.rng));
        script.arrange(&before, &mut self.rng);
        script.wait(Spread::secs(2, 8).pick(&mut self.rng));
        script.do_now(Action::AddTime(mover.other(), self.habits.illegal_bonus));
        script.do_now(Action::Note(Note::Corrected));
        script.wait(Spread::secs(1, 4).pick(&mut self.rng));
        // The lever goes back to the offender's time before the clock is started.
        script.do_now(Action::Press(mover.other()));
        script.wait(Spread::secs(1, 4).pick(&mut self.rng));
        script.do_now(Action::Start);
        let stopped = script.at.saturating_sub(stopped_at);
        Some(Played {
            script,
            stopped,
            ends_chunk: true,
        })
    }

    /// A move is made and pressed, both agree to take it back, and the lever goes back too.
    fn take_back(&mut self, seen: &Situation) -> Option<Played> {
        let intended = self.moves[self.ply];
        let others: Vec<Move> = self
            .position
            .legal_moves()
            .into_iter()
            .filter(|m| !(m.role() == Role::King && CENTRE.contains(m.to())))
            .filter(|m| *m != intended && !m.is_promotion() && !m.is_en_passant())
            .filter(|m| {
                let mut after = self.position.clone();
                after.play_unchecked(*m);
                !after.is_game_over()
            })
            .collect();
        let wrong = *others.choose(&mut self.rng)?;
        let mover = self.position.turn();
        let before = self.position.board().clone();
        let mut script = Script::new(seen);
        let hand = hand_work(
            &self.position,
            wrong,
            Duration::from_secs(6),
            &Incidents::none(),
            &mut self.rng,
        );
        let think = Spread::secs(1, 4).pick(&mut self.rng);
        script.play_from(script.at + think, &hand, 1.0);
        script.do_now(Action::Press(mover));
        script.wait(Spread::secs(1, 6).pick(&mut self.rng));
        script.do_now(Action::Note(Note::TakenBack));
        script.arrange(&before, &mut self.rng);
        script.wait(Spread::millis(300, 1500).pick(&mut self.rng));
        script.do_now(Action::Press(mover.other()));
        Some(Played {
            script,
            stopped: Duration::ZERO,
            ends_chunk: true,
        })
    }

    fn knock_over(&mut self, seen: &Situation) -> Played {
        let before = self.position.board().clone();
        let mut script = Script::new(seen);
        script.wait(Spread::millis(500, 3000).pick(&mut self.rng));
        let occupied: Vec<Square> = before.occupied().into_iter().collect();
        let centre = occupied
            .choose(&mut self.rng)
            .copied()
            .unwrap_or(Square::E4);
        let mut near = occupied;
        near.sort_by_key(|square| square.distance(centre));
        near.truncate(self.rng.random_range(2..=5));
        for square in near {
            script.do_now(Action::Lift(square));
            script.wait(Spread::millis(20, 120).pick(&mut self.rng));
        }
        script.do_now(Action::Note(Note::KnockedOver));
        let stops = self.rng.random_bool(0.5);
        let mut stopped_at = None;
        if stops {
            script.wait(Spread::millis(600, 2500).pick(&mut self.rng));
            script.do_now(Action::Stop);
            stopped_at = Some(script.at);
        }
        script.wait(Spread::secs(1, 5).pick(&mut self.rng));
        script.arrange(&before, &mut self.rng);
        if stops {
            script.wait(Spread::secs(1, 5).pick(&mut self.rng));
            script.do_now(Action::Start);
        }
        let stopped = stopped_at.map_or(Duration::ZERO, |at| script.at.saturating_sub(at));
        Played {
            script,
            stopped,
            ends_chunk: false,
        }
    }

    fn arbiter_call(&mut self, seen: &Situation) -> Played {
        let mut script = Script::new(seen);
        script.wait(Spread::secs(1, 6).pick(&mut self.rng));
        script.do_now(Action::Stop);
        script.do_now(Action::Note(Note::ArbiterCalled));
        let stopped_at = script.at;
        script.wait(Spread::secs(20, 80).pick(&mut self.rng));
        if self.rng.random_bool(self.habits.correction) {
            let gets = self.rng.random_bool(0.5);
            let color = if gets {
                self.position.turn()
            } else {
                self.position.turn().other()
            };
            let time = Duration::from_secs(self.rng.random_range(1..=12) * 10);
            let little = seen.left(color) < time + TIME_FOR_TROUBLE;
            let action = if little || self.rng.random_bool(0.7) {
                Action::AddTime(color, time)
            } else {
                Action::TakeTime(color, time)
            };
            script.do_now(action);
            script.do_now(Action::Note(Note::Corrected));
            script.wait(Spread::secs(2, 8).pick(&mut self.rng));
        }
        script.do_now(Action::Start);
        let stopped = script.at.saturating_sub(stopped_at);
        // What is left on the clock may be another figure than before.
        Played {
            script,
            stopped,
            ends_chunk: true,
        }
    }
}

/// A step that a person could make by mistake: it leaves the king in check, or slips by one square.
pub(super) fn illegal_step(position: &Chess, rng: &mut ChaCha8Rng) -> Option<(Square, Square)> {
    let board = position.board();
    let us = position.us();
    let legal = position.legal_moves();
    let allowed = |from: Square, to: Square| {
        legal
            .iter()
            .any(|m| m.from() == Some(from) && m.to() == to && !m.is_castle())
    };
    // A king in the centre would look like a result.
    let mut blunders = Vec::new();
    let mut slips = Vec::new();
    for from in us & !board.pawns() {
        let Some(piece) = board.piece_at(from) else {
            continue;
        };
        let reach = attacks::attacks(from, piece, board.occupied());
        let not_here = if piece.role == Role::King {
            CENTRE
        } else {
            Bitboard::EMPTY
        };
        for to in reach & !us & !board.kings() & !not_here {
            if !allowed(from, to) {
                blunders.push((from, to));
            }
        }
        if matches!(piece.role, Role::Knight | Role::Bishop | Role::Rook) {
            let beside = reach.into_iter().filter(|&to| allowed(from, to));
            let slip: Bitboard = beside.flat_map(attacks::king_attacks).collect();
            slips.extend(
                (slip & !board.occupied() & !reach)
                    .into_iter()
                    .map(|to| (from, to)),
            );
        }
    }
    blunders.choose(rng).or_else(|| slips.choose(rng)).copied()
}
