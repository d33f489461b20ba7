//! The table with what every tie-break needs, and the figures by one tie-break.

use super::{
    TieBreak,
    code::{Code, Score},
    crosstable::{Cell, CellKind, Crosstable},
    figure::{From, How, Term},
    sums::{Seen, Sum, cut},
    value::{Value, signed},
};

/// The table, and the totals by score and place in the table.
pub(super) struct Sheet<'a> {
    pub(super) table: &'a Crosstable,
    pub(super) primary: Score,
    totals: [Vec<Value>; 2],
    /// The games that a participant of a round robin has; the rounds of a Swiss.
    pub(super) games_each: i64,
}

/// What a tie-break needs of everybody before the figure of anybody.
pub(super) enum Prepared {
    Nothing,
    Sum(Sum, Seen),
    /// The figures that are averaged.
    Others(Vec<Option<Value>>),
}

impl<'a> Sheet<'a> {
    pub(super) fn new(table: &'a Crosstable, primary: Score) -> Self {
        let totals = [Score::Match, Score::Game].map(|score| {
            let total = |cells: &[Cell]| cells.iter().map(|cell| cell.points(score)).sum();
            table.rows.iter().map(|row| total(&row.cells)).collect()
        });
        let games = |cells: &[Cell]| {
            let paired = cells.iter().filter(|cell| cell.kind != CellKind::Rest);
            signed(paired.count())
        };
        let games = table.rows.iter().map(|row| games(&row.cells));
        Self {
            table,
            primary,
            totals,
            games_each: games.max().unwrap_or(0),
        }
    }

    pub(super) fn total(&self, at: usize, score: Score) -> Value {
        self.totals[usize::from(score == Score::Game)][at]
    }

    /// What a tie-break needs of everybody.
    pub(super) fn prepare(&self, tie_break: TieBreak) -> Prepared {
        let all = |tie_break: TieBreak| {
            let prepared = self.prepare(tie_break);
            let mut terms = Vec::new();
            let figures = (0..self.table.rows.len()).map(|at| {
                terms.clear();
                self.figure(at, tie_break, &prepared, &mut terms).0
            });
            Prepared::Others(figures.collect())
        };
        match tie_break.code {
            Code::OpponentsBuchholz => all(TieBreak {
                code: Code::Buchholz,
                ..tie_break
            }),
            Code::OpponentsPerformance => all(TieBreak::of(Code::Performance)),
            Code::OpponentsPerfect => all(TieBreak::of(Code::Perfect)),
            _ => match Sum::of(tie_break, self.primary) {
                Some(sum) => Prepared::Sum(sum, self.seen(sum.score, sum.fore)),
                None => Prepared::Nothing,
            },
        }
    }

    /// The figure of one by a tie-break that does not look at who is tied; its parts go to `terms`.
    pub(super) fn figure(
        &self,
        at: usize,
        tie_break: TieBreak,
        prepared: &Prepared,
        terms: &mut Vec<Term>,
    ) -> (Option<Value>, How) {
        let score = tie_break.score.unwrap_or(self.primary);
        let row = &self.table.rows[at];
        match (tie_break.code, prepared) {
            (Code::Number, _) => (Some(Value::whole(i64::from(row.no.0))), How::Given),
            (Code::Rating, _) => (self.own_rating(at), How::Given),
            (Code::OtherScore, _) => {
                let other = self.primary.other();
                let how = self.by_record(at, TieBreak::POINTS, other, terms);
                (Some(counted(terms)), how)
            }
            (Code::Adjusted | Code::ForeAdjusted, _) => {
                let fore = tie_break.code == Code::ForeAdjusted;
                self.seen_rounds(at, score, fore, terms);
                (Some(counted(terms)), How::Sum)
            }
            (Code::OpponentsRating | Code::Performance | Code::Perfect, _) => {
                self.by_rating(at, tie_break, terms)
            }
            (_, Prepared::Others(figures)) => {
                // Two decimals of a mean Buchholz, whole ratings.
                let unit = if tie_break.code == Code::OpponentsBuchholz {
                    1
                } else {
                    100
                };
                self.mean_of_others(at, figures, unit, terms)
            }
            (_, Prepared::Sum(sum, seen)) => {
                self.sum_terms(at, *sum, seen, terms);
                cut(terms, tie_break.cut_low, tie_break.cut_high);
                let total = counted(terms);
                if tie_break.code == Code::ScheduleStrength {
                    self.strength(at, tie_break, score, total)
                } else {
                    (Some(total), How::Sum)
                }
            }
            (_, Prepared::Nothing) => {
                let how = self.by_record(at, tie_break, score, terms);
                (Some(counted(terms)), how)
            }
        }
    }

    /// The mean of the figures of the opponents met over the board.
    fn mean_of_others(
        &self,
        at: usize,
        figures: &[Option<Value>],
        unit: i64,
        terms: &mut Vec<Term>,
    ) -> (Option<Value>, How) {
        let row = &self.table.rows[at];
        for (round, cell) in row.cells.iter().enumerate() {
            let opponent = self.table.opponents[at][round];
            let met = cell.kind == CellKind::Played;
            let Some(opponent) = opponent.filter(|_| met) else {
                continue;
            };
            if let Some(value) = figures[opponent] {
                let term = Term::new(value, From::OpponentFigure);
                terms.push(term.of_round(round, cell.opponent));
            }
        }
        let sum = counted(terms);
        (Value::mean(sum.0, signed(terms.len()), unit), How::Mean)
    }

    /// The other score and the part of the Buchholz that is worth as much (13.4).
    fn strength(
        &self,
        at: usize,
        tie_break: TieBreak,
        score: Score,
        sum: Value,
    ) -> (Option<Value>, How) {
        let other = score.other();
        let [most, ..] = self.table.terms.worth(score);
        let [most_other, ..] = self.table.terms.worth(other);
        let by_rule = most.0 * i64::from(self.table.terms.rounds) / most_other.0.max(1);
        let divisor = match tie_break.divisor {
            0 => by_rule.max(1),
            divisor => i64::from(divisor),
        };
        let own = self.total(at, other);
        let how = How::Strength {
            sum,
            divisor,
            other: own,
        };
        let value = Value::mean(own.0 * divisor + sum.0, divisor, 1);
        (value, how)
    }
}

/// The sum of the terms that are not left out.
fn counted(terms: &[Term]) -> Value {
    let counted = terms.iter().filter(|term| term.left_out.is_none());
    counted.map(|term| term.value).sum()
}
