//! What hands do with the pieces and the clock to play a game.
//!
//! [`Hands`] turns a game into timed [`Action`]s, one half-move at a time: each is planned when the one
//! before is carried out, from what stands on the board and what the clock shows, so a player whose
//! time runs out loses whatever the game's source says.

mod ending;
mod incidents;
mod moves;
mod script;
mod settings;

pub use script::{Action, Note, Timed};
pub use settings::{Incidents, Spread};

use std::{collections::BTreeMap, time::Duration};

use rand::Rng as _;
use rand_chacha::ChaCha8Rng;
use shakmaty::{Board, Chess, Color, Move, Position as _, san::SanPlus, uci::UciMove};

use crate::games::{Ending, Game, Outcome, Pace, can_mate, thinking_times};

use incidents::Incident;
use script::Script;

/// What the players see when they plan their next action.
#[derive(Debug, Clone)]
pub struct Situation {
    /// Now.
    pub now: Duration,
    /// What stands on the board, as the players see it.
    pub board: Board,
    /// Time left.
    pub white_left: Duration,
    /// Time left.
    pub black_left: Duration,
}

impl Situation {
    fn left(&self, color: Color) -> Duration {
        color.fold_wb(self.white_left, self.black_left)
    }
}

/// The two players of one game.
#[derive(Debug)]
pub struct Hands {
    moves: Vec<Move>,
    outcome: Outcome,
    ending: Ending,
    times: Vec<Duration>,
    position: Chess,
    ply: usize,
    stage: Stage,
    turn_started: Duration,
    incidents: BTreeMap<usize, Incident>,
    habits: Incidents,
    rng: ChaCha8Rng,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Arriving,
    Playing,
    ShowingResult { flag: bool },
    TidyingUp,
    Gone,
}

/// Nobody moves a man and presses faster.
const FASTEST_MOVE: Duration = Duration::from_millis(350);

impl Hands {
    /// Players who will play `game` at `pace`; `rng` decides all that they do.
    pub fn new(game: &Game, pace: Pace, habits: Incidents, mut rng: ChaCha8Rng) -> Self {
        let times = thinking_times(game, pace, &mut rng);
        let incidents = incidents::plan(game, &habits, &mut rng);
        let flags = game.ending != Ending::TimeForfeit || rng.random_bool(habits.flag_falls);
        let ending = match (flags, game.outcome) {
            (true, _) => game.ending,
            (false, Outcome::Win(_)) => Ending::Resignation,
            (false, Outcome::Draw) => Ending::Agreement,
        };
        Self {
            moves: game.moves.clone(),
            outcome: game.outcome,
            ending,
            times,
            position: Chess::default(),
            ply: 0,
            stage: Stage::Arriving,
            turn_started: Duration::ZERO,
            incidents,
            habits,
            rng,
        }
    }

    /// The next actions, in order of time; empty when the players have gone.
    ///
    /// To be asked again when the last of them is done.
    pub fn next(&mut self, seen: &Situation) -> Vec<Timed> {
        let script = match self.stage {
            Stage::Arriving => self.arrive(seen),
            Stage::Playing if self.ply < self.moves.len() => self.half_move(seen),
            Stage::Playing => self.end_game(seen),
            Stage::ShowingResult { flag } => self.show_result(seen, flag),
            Stage::TidyingUp => self.tidy_up(seen),
            Stage::Gone => return Vec::new(),
        };
        script.finish()
    }

    /// Sets the pieces up if they are not, the clock back, and starts White's time.
    fn arrive(&mut self, seen: &Situation) -> Script {
        let mut script = Script::new(seen);
        let pause = self.habits.start_delay.pick(&mut self.rng);
        script.do_now(Action::ResetClock);
        if script.board != Board::new() {
            script.arrange(&Board::new(), &mut self.rng);
        }
        script.wait(pause);
        script.do_now(Action::Start);
        script.do_now(Action::Note(Note::Started));
        self.turn_started = script.at;
        self.stage = Stage::Playing;
        script
    }

    fn half_move(&mut self, seen: &Situation) -> Script {
        let mover = self.position.turn();
        let (mut from, mut left) = (seen.now, seen.left(mover));
        let mut script = Script::new(seen);
        if let Some(incident) = self.incidents.remove(&self.ply)
            && let Some(played) = self.play_incident(incident, seen)
        {
            let stopped = played.stopped;
            script = played.script;
            left = left.saturating_sub(script.at.saturating_sub(seen.now + stopped));
            from = script.at;
            self.turn_started += stopped;
            if played.ends_chunk {
                self.turn_started = script.at;
                return script;
            }
        }
        let m = self.moves[self.ply];
        let think = self.times[self.ply];
        let deadline = from + left;
        if left < FASTEST_MOVE + Duration::from_millis(150) {
            return self.fall(script, deadline, mover);
        }

        let hand = moves::hand_work(&self.position, m, think, &self.habits, &mut self.rng);
        let wish = (self.turn_started + think).saturating_sub(hand.length());
        let earliest = from + Duration::from_millis(self.rng.random_range(80..200));
        let reserve = Duration::from_millis(self.rng.random_range(300..900));
        let latest = deadline.saturating_sub(hand.length() + reserve);
        let start = wish.min(latest).max(earliest);
        if let Some(adjust) = moves::jadoube(
            &self.position,
            start.saturating_sub(from),
            &self.habits,
            &mut self.rng,
        ) {
            script.play_from(from, &adjust, 1.0);
        }
        // Too little time for unhurried hands: everything is done faster.
        let room = deadline.saturating_sub(start + Duration::from_millis(120));
        let hurry = (room.as_secs_f64() / hand.length().as_secs_f64()).min(1.0);
        script.play_from(start, &hand, hurry);

        let san = SanPlus::from_move(self.position.clone(), m).to_string();
        let uci = UciMove::from_standard(m).to_string();
        script.do_now(Action::Press(mover));
        script.do_now(Action::Note(Note::Moved {
            color: mover,
            uci,
            san,
        }));
        self.turn_started = script.at;
        let after = moves::late_work(&hand, &mut self.rng);
        script.play_from(script.at, &after, 1.0);
        self.position.play_unchecked(m);
        self.ply += 1;
        script
    }

    /// The mover's time runs out, whatever was to come.
    fn fall(&mut self, mut script: Script, zero: Duration, loser: Color) -> Script {
        let opponent = loser.other();
        self.outcome = if can_mate(&self.position, opponent) {
            Outcome::Win(opponent)
        } else {
            Outcome::Draw
        };
        self.ending = Ending::TimeForfeit;
        script.wait_until(zero);
        script.wait(Spread::millis(1500, 8000).pick(&mut self.rng));
        self.over(script, Some(loser))
    }

    /// All moves are made: give up, agree, or let the flag fall.
    fn end_game(&mut self, seen: &Situation) -> Script {
        let mover = self.position.turn();
        let left = seen.left(mover);
        let mut script = Script::new(seen);
        if self.ending == Ending::TimeForfeit {
            return self.fall(script, seen.now + left, mover);
        }
        let pause = match self.ending {
            Ending::Resignation | Ending::Agreement => Spread::secs(2, 25),
            _ => Spread::millis(800, 4000),
        };
        let pause = pause.pick(&mut self.rng).min(left / 2);
        script.wait(pause);
        self.over(script, None)
    }

    fn over(&mut self, mut script: Script, flag: Option<Color>) -> Script {
        script.do_now(Action::Stop);
        script.do_now(Action::Note(Note::Over {
            outcome: self.outcome,
            ending: self.ending,
            flag,
        }));
        self.stage = Stage::ShowingResult {
            flag: flag.is_some(),
        };
        script
    }
}
