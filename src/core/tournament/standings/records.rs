//! Tie-breaks by the own record (C.07, type B), and what stands in the list of participants.

use super::{
    TieBreak,
    code::{Code, Limit, Score},
    crosstable::{Cell, CellKind},
    figure::{From, How, LeftOut, Term},
    sheet::Sheet,
    value::{Value, signed},
};
use crate::types::{Color, Points};

const ONE: Value = Value::whole(1);

impl Sheet<'_> {
    /// The figure by the own record.
    pub(super) fn by_record(
        &self,
        at: usize,
        tie_break: TieBreak,
        score: Score,
        terms: &mut Vec<Term>,
    ) -> How {
        let cells = &self.table.rows[at].cells;
        match tie_break.code {
            Code::Progressive => {
                let mut total = Value::ZERO;
                for (round, cell) in cells.iter().enumerate() {
                    total += cell.points(score);
                    let mut term = Term::new(total, From::RunningTotal).of_round(round, None);
                    let cut = round < usize::from(tie_break.cut_low);
                    term.left_out = cut.then_some(LeftOut::FirstRounds);
                    terms.push(term);
                }
                How::Sum
            }
            Code::Koya => self.koya(at, tie_break.limit, score, terms),
            Code::BoardCount => {
                for (board, points) in (1_i64..).zip(self.board_points(at)) {
                    let from = From::Board {
                        board: board as u16,
                    };
                    let mut term = Term::new(Value(points.0 * board), from);
                    term.product = Some([points, Value::whole(board)]);
                    terms.push(term);
                }
                How::Sum
            }
            _ => {
                for (round, cell) in cells.iter().enumerate() {
                    let value = self.of_round(at, round, cell, tie_break.code, score);
                    if value != Value::ZERO {
                        terms.push(Term::new(value, From::Result).of_round(round, cell.opponent));
                    }
                }
                How::Sum
            }
        }
    }

    /// What a round adds.
    fn of_round(&self, at: usize, round: usize, cell: &Cell, code: Code, score: Score) -> Value {
        let by_board = score == Score::Game && self.table.terms.matches.is_some();
        let count = |good: &dyn Fn(CellKind, Option<Color>, Value) -> bool| -> Value {
            if by_board && !cell.boards.is_empty() {
                let boards = cell.boards.iter().filter(|board| {
                    let kind = if board.played {
                        CellKind::Played
                    } else {
                        CellKind::ForfeitWin
                    };
                    good(kind, board.colour, Value::points(board.points))
                });
                Value::whole(signed(boards.count()))
            } else {
                Value::whole(i64::from(good(cell.kind, cell.colour, cell.points(score))))
            }
        };
        let [win, draw, loss] = if by_board && !cell.boards.is_empty() {
            let game = self.table.terms.game;
            [game.win, game.draw, game.loss].map(Value::points)
        } else {
            self.table.terms.worth(score)
        };
        let played = |kind: CellKind| kind == CellKind::Played;
        let black = |colour: Option<Color>| colour == Some(Color::Black);
        match code {
            Code::Wins => count(&|_, _, points| points >= win),
            Code::Won => count(&|kind, _, points| played(kind) && points >= win),
            Code::BlackGames => count(&|kind, colour, _| played(kind) && black(colour)),
            Code::BlackWon => {
                count(&|kind, colour, points| played(kind) && black(colour) && points >= win)
            }
            Code::Elected => match cell.kind {
                CellKind::Rest | CellKind::Open => Value::ZERO,
                kind if kind.is_voluntary() => Value::ZERO,
                _ => ONE,
            },
            Code::Standard => self.standard_points(at, round, cell, score, [draw, loss]),
            _ => cell.points(score),
        }
    }

    /// 1, ½ or 0 for a round, whatever the event gives.
    fn standard_points(
        &self,
        at: usize,
        round: usize,
        cell: &Cell,
        score: Score,
        [draw, loss]: [Value; 2],
    ) -> Value {
        let half = Value::points(Points::HALF);
        if score == Score::Game && !cell.boards.is_empty() {
            let worth = self.table.terms.game;
            let halves = cell
                .boards
                .iter()
                .map(|board| super::ratings::standard(board.points, worth));
            return Value::points(Points(halves.sum()));
        }
        let own = cell.points(score);
        let level = match self.table.opponents[at][round] {
            Some(opponent) => {
                let other = self.table.rows[opponent].cells[round].points(score);
                // Both have lost: nobody is better than a loss.
                if own == other && own <= loss {
                    return Value::ZERO;
                }
                own.cmp(&other)
            }
            None => own.cmp(&draw),
        };
        let boards = if score == Score::Game {
            i64::from(self.table.terms.boards)
        } else {
            1
        };
        match level {
            std::cmp::Ordering::Greater => Value(ONE.0 * boards),
            std::cmp::Ordering::Equal if cell.kind != CellKind::Rest => Value(half.0 * boards),
            _ => Value::ZERO,
        }
    }

    /// Points against who has at least half of the maximum.
    fn koya(&self, at: usize, limit: Limit, score: Score, terms: &mut Vec<Term>) -> How {
        let [win, ..] = self.table.terms.worth(score);
        let maximum = win.0 * self.games_each;
        let limit = match limit {
            // Rounded up to the next hundredth: reached is reached.
            Limit::Percent(percent) => Value((maximum * i64::from(percent) + 99) / 100),
            Limit::Halves(halves) => Value(maximum / 2 + i64::from(halves) * 50),
        };
        for (round, cell) in self.table.rows[at].cells.iter().enumerate() {
            let Some(opponent) = self.table.opponents[at][round] else {
                continue;
            };
            let mut term = Term::new(cell.points(score), From::Result);
            term = term.of_round(round, cell.opponent);
            let below = self.total(opponent, score) < limit;
            term.left_out = below.then_some(LeftOut::BelowLimit);
            terms.push(term);
        }
        How::Limit { limit }
    }

    /// The points of all rounds by board, board 1 first. A match that was not played gives each board its
    /// part of the game points.
    pub(super) fn board_points(&self, at: usize) -> Vec<Value> {
        let boards = usize::from(self.table.terms.boards).max(1);
        let mut points = vec![Value::ZERO; boards];
        for cell in &self.table.rows[at].cells {
            if cell.boards.is_empty() {
                let part = Value(Value::points(cell.game_points).0 / signed(boards));
                for sum in &mut points {
                    *sum += part;
                }
            }
            for board in &cell.boards {
                if let Some(sum) = points.get_mut(usize::from(board.board).wrapping_sub(1)) {
                    *sum += Value::points(board.points);
                }
            }
        }
        points
    }
}
