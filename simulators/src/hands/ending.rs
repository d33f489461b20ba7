//! After the game: kings to the centre, pieces back to their squares.

use rand::Rng as _;
use shakmaty::{Board, Color, Role, Square};

use super::{Action, Hands, Note, Situation, Spread, Stage, script::Script};
use crate::games::Outcome;

impl Hands {
    /// Shows the result with the kings (R-RS-1) and holds them there.
    pub(super) fn show_result(&mut self, seen: &Situation, flag: bool) -> Script {
        let mut script = Script::new(seen);
        if flag {
            script.wait(self.habits.arbiter_comes.pick(&mut self.rng));
        }
        script.wait(self.habits.before_kings.pick(&mut self.rng));
        let squares = self.result_squares();
        let kings = if self.rng.random_bool(0.5) {
            squares
        } else {
            [squares[1], squares[0]]
        };
        let colors = [Color::White, Color::Black];
        let reach = Spread::millis(250, 900);
        let together = !self.rng.random_bool(self.habits.kings_one_by_one);
        if together {
            for color in colors {
                self.lift_king(&mut script, color);
            }
        }
        for (color, to) in colors.into_iter().zip(kings) {
            let king = Role::King.of(color);
            if script.board.piece_at(to) == Some(king) {
                continue;
            }
            if !together {
                self.lift_king(&mut script, color);
            }
            if script
                .board
                .piece_at(to)
                .is_some_and(|piece| piece.role != Role::King)
            {
                script.wait(reach.pick(&mut self.rng));
                script.do_now(Action::Lift(to));
            } else if script.board.piece_at(to).is_some() {
                // The other king is in the way: it is lifted and comes to its own square next.
                self.lift_king(&mut script, color.other());
            }
            script.wait(reach.pick(&mut self.rng));
            script.do_now(Action::Put(to, king));
            script.wait(reach.pick(&mut self.rng));
        }
        script.do_now(Action::Note(Note::ResultShown));
        script.wait(self.habits.kings_hold.pick(&mut self.rng));

        // The pieces go home first, the kings still show the result.
        let mut target = Board::new();
        for color in colors {
            if let Some(home) = target.king_of(color) {
                target.discard_piece_at(home);
            }
        }
        for (color, to) in colors.into_iter().zip(kings) {
            target.set_piece_at(to, Role::King.of(color));
        }
        script.arrange(&target, &mut self.rng);
        self.stage = Stage::TidyingUp;
        script
    }

    pub(super) fn tidy_up(&mut self, seen: &Situation) -> Script {
        let mut script = Script::new(seen);
        script.wait(Spread::secs(2, 10).pick(&mut self.rng));
        script.arrange(&Board::new(), &mut self.rng);
        script.do_now(Action::Note(Note::Finished));
        self.stage = Stage::Gone;
        script
    }

    fn lift_king(&mut self, script: &mut Script, color: Color) {
        if let Some(from) = script.board.king_of(color) {
            script.wait(Spread::millis(150, 700).pick(&mut self.rng));
            script.do_now(Action::Lift(from));
        }
    }

    /// Both light squares: White has won; both dark: Black; one of each: a draw.
    fn result_squares(&mut self) -> [Square; 2] {
        match self.outcome {
            Outcome::Win(Color::White) => [Square::E4, Square::D5],
            Outcome::Win(Color::Black) => [Square::D4, Square::E5],
            Outcome::Draw => {
                let odd = self.rng.random_bool(self.habits.odd_draw_squares);
                match (odd, self.rng.random_bool(0.5)) {
                    (false, false) => [Square::D4, Square::D5],
                    (false, true) => [Square::E4, Square::E5],
                    (true, false) => [Square::D4, Square::E4],
                    (true, true) => [Square::D5, Square::E5],
                }
            }
        }
    }
}
