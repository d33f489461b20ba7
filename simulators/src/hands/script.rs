//! Actions in time.

use std::time::Duration;

use rand::{Rng as _, seq::SliceRandom as _};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Board, Color, Piece, Square};

use super::{Situation, Spread};
use crate::games::{Ending, Outcome};

/// One thing that a hand does, or a line in the book of what was really played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// A piece is taken off its square.
    Lift(Square),
    /// A piece is put on a square.
    Put(Square, Piece),
    /// This player presses his side of the clock.
    Press(Color),
    /// The start button.
    Start,
    /// The stop button.
    Stop,
    /// The clock is set back to the full time, White's side high.
    ResetClock,
    /// The arbiter gives a player more time on the stopped clock.
    AddTime(Color, Duration),
    /// The arbiter takes time from a player on the stopped clock.
    TakeTime(Color, Duration),
    /// For the book.
    Note(Note),
}

/// What is true of the game, apart from what sensors see of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// White's time was started.
    Started,
    /// A move was completed with a press.
    Moved {
        /// Who.
        color: Color,
        /// As in `e7e8q`; castling as the king's step.
        uci: String,
        /// With check signs.
        san: String,
    },
    /// An illegal move was completed with a press.
    Illegal {
        /// Who.
        color: Color,
    },
    /// The clock was stopped to call the arbiter.
    ArbiterCalled,
    /// An arbiter changed a time.
    Corrected,
    /// Pieces were knocked over.
    KnockedOver,
    /// A completed move is taken back by agreement.
    TakenBack,
    /// The game is over.
    Over {
        /// Who won.
        outcome: Outcome,
        /// How.
        ending: Ending,
        /// Whose flag fell.
        flag: Option<Color>,
    },
    /// The kings stand in the centre.
    ResultShown,
    /// The start position stands again and the players have gone.
    Finished,
}

/// An action at its instant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timed {
    /// Since the start of the simulation.
    pub at: Duration,
    /// What is done.
    pub action: Action,
}

/// Hand work with times relative to its start, to be moved about and hurried.
#[derive(Debug, Clone, Default)]
pub(super) struct Work {
    steps: Vec<(Duration, Action)>,
    at: Duration,
    /// A square to be emptied only after the press (en passant).
    pub(super) forgotten: Option<Square>,
}

impl Work {
    pub(super) fn wait(&mut self, time: Duration) {
        self.at += time;
    }

    pub(super) fn lift(&mut self, square: Square) {
        self.steps.push((self.at, Action::Lift(square)));
    }

    pub(super) fn put(&mut self, square: Square, piece: Piece) {
        self.steps.push((self.at, Action::Put(square, piece)));
    }

    pub(super) fn length(&self) -> Duration {
        self.at
    }
}

/// A growing list of actions and what the board looks like at its end.
#[derive(Debug)]
pub(super) struct Script {
    /// Instant of the next action.
    pub(super) at: Duration,
    pub(super) board: Board,
    actions: Vec<Timed>,
}

impl Script {
    pub(super) fn new(seen: &Situation) -> Self {
        Self {
            at: seen.now,
            board: seen.board.clone(),
            actions: Vec::new(),
        }
    }

    pub(super) fn wait(&mut self, time: Duration) {
        self.at += time;
    }

    pub(super) fn wait_until(&mut self, at: Duration) {
        self.at = self.at.max(at);
    }

    pub(super) fn do_now(&mut self, action: Action) {
        match action {
            Action::Lift(square) => self.board.discard_piece_at(square),
            Action::Put(square, piece) => self.board.set_piece_at(square, piece),
            _ => {}
        }
        self.actions.push(Timed {
            at: self.at,
            action,
        });
    }

    /// Adds hand work from `start` on, its pauses shortened by `hurry`.
    pub(super) fn play_from(&mut self, start: Duration, work: &Work, hurry: f64) {
        let start = self.at.max(start);
        for (after, action) in &work.steps {
            self.at = start + after.mul_f64(hurry);
            self.do_now(action.clone());
        }
        self.at = start + work.at.mul_f64(hurry);
    }

    /// Moves pieces one by one until `target` stands; what is missing comes from beside the board.
    pub(super) fn arrange(&mut self, target: &Board, rng: &mut ChaCha8Rng) {
        let mut squares: Vec<Square> = Square::ALL.to_vec();
        squares.shuffle(rng);
        let reach = Spread::millis(200, 600);
        for &to in &squares {
            let Some(piece) = target.piece_at(to) else {
                continue;
            };
            if self.board.piece_at(to) == Some(piece) {
                continue;
            }
            if self.board.piece_at(to).is_some() {
                self.wait(reach.pick(rng));
                self.do_now(Action::Lift(to));
            }
            let spare = squares.iter().copied().find(|&from| {
                self.board.piece_at(from) == Some(piece) && target.piece_at(from) != Some(piece)
            });
            self.wait(reach.pick(rng));
            if let Some(from) = spare {
                self.do_now(Action::Lift(from));
                self.wait(reach.pick(rng));
            }
            self.do_now(Action::Put(to, piece));
        }
        for &square in &squares {
            if target.piece_at(square).is_none() && self.board.piece_at(square).is_some() {
                self.wait(Duration::from_millis(rng.random_range(100..400)));
                self.do_now(Action::Lift(square));
            }
        }
    }

    pub(super) fn finish(self) -> Vec<Timed> {
        self.actions
    }
}
