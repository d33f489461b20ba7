//! Tie-breaks by rating (C.07, 10): only games over the board, in every kind of event.

use super::{
    TieBreak,
    code::Code,
    crosstable::{CellKind, Worth},
    figure::{From, How, LeftOut, Term},
    rating_table::{difference, expected},
    sheet::Sheet,
    value::{Value, signed},
};
use crate::types::Points;

/// The part of a game that counts for performances, in half points: 1, ½, 0, whatever the event gives.
pub(super) fn standard(points: Points, worth: Worth) -> u16 {
    if points >= worth.win {
        2
    } else {
        u16::from(points > worth.loss)
    }
}

impl Sheet<'_> {
    fn rating(&self, at: usize) -> Option<(Value, From)> {
        let own = self.table.rows[at].rating.filter(|&rating| rating > 0);
        let of = |rating: u16| Value::whole(i64::from(rating));
        own.map(|rating| (of(rating), From::Rating)).or_else(|| {
            let assigned = self.table.terms.unrated?;
            Some((of(assigned), From::AssignedRating))
        })
    }

    pub(super) fn own_rating(&self, at: usize) -> Option<Value> {
        self.rating(at).map(|(rating, _)| rating)
    }

    /// The ratings of the opponents met over the board, the lowest and highest cut.
    fn rating_terms(&self, at: usize, tie_break: TieBreak, terms: &mut Vec<Term>) {
        for (round, cell) in self.table.rows[at].cells.iter().enumerate() {
            let opponent = self.table.opponents[at][round];
            let Some(opponent) = opponent.filter(|_| cell.kind == CellKind::Played) else {
                continue;
            };
            let mut term = match self.rating(opponent) {
                Some((rating, from)) => Term::new(rating, from),
                None => Term {
                    left_out: Some(LeftOut::Unknown),
                    ..Term::new(Value::ZERO, From::NoRating)
                },
            };
            term = term.of_round(round, cell.opponent);
            terms.push(term);
        }
        super::sums::cut(terms, tie_break.cut_low, tie_break.cut_high);
    }

    /// `ARO`, `TPR`, `PTP`.
    pub(super) fn by_rating(
        &self,
        at: usize,
        tie_break: TieBreak,
        terms: &mut Vec<Term>,
    ) -> (Option<Value>, How) {
        self.rating_terms(at, tie_break, terms);
        let counted = || terms.iter().filter(|term| term.left_out.is_none());
        let count = signed(counted().count());
        let sum: Value = counted().map(|term| term.value).sum();
        let Some(mean) = Value::mean(sum.0, count, 100) else {
            return (None, How::Mean);
        };
        let cells = &self.table.rows[at].cells;
        let halves: u16 = counted()
            .filter_map(|term| term.round)
            .map(|round| {
                let cell = &cells[usize::from(round.0) - 1];
                match self.table.terms.matches {
                    Some(worth) => standard(cell.match_points, worth),
                    None => standard(cell.game_points, self.table.terms.game),
                }
            })
            .sum();
        let score = Value::points(Points(halves));
        match tie_break.code {
            Code::Performance => {
                let percent = ((100 * i64::from(halves) + count) / (2 * count)) as u8;
                let difference = difference(percent);
                let how = How::Performance {
                    mean,
                    score,
                    percent,
                    difference,
                };
                (Some(mean + Value::whole(i64::from(difference))), how)
            }
            Code::Perfect => {
                let ratings = counted().map(|term| (term.value.0 / 100) as i32);
                let perfect = perfect(&ratings, i32::from(halves) * 50);
                (perfect.map(Value::whole), How::Perfect { score })
            }
            _ => (Some(mean), How::Mean),
        }
    }
}

/// The lowest whole rating from which at least `score` (hundredths) is expected; with nothing scored
/// 800 below the lowest opponent.
fn perfect(ratings: &(impl Iterator<Item = i32> + Clone), score: i32) -> Option<i64> {
    let lowest = ratings.clone().min()?;
    let highest = ratings.clone().max()?;
    if score == 0 {
        return Some(i64::from(lowest) - 800);
    }
    let enough = |rating: i32| -> bool {
        let sum: i32 = ratings.clone().map(|other| expected(rating - other)).sum();
        sum >= score
    };
    // Nothing is expected from `low`, everything from `high`.
    let (mut low, mut high) = (lowest - 800, highest + 800);
    while high - low > 1 {
        let middle = low.midpoint(high);
        if enough(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(i64::from(high))
}
