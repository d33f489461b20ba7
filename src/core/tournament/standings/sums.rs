//! Buchholz, Sonneborn-Berger and their kin: sums over rounds, with what stands for a round that was
//! not played (C.07, 15 and 16) and what is cut (14, 16.5).

use super::{
    TieBreak,
    code::{Code, Score},
    crosstable::{Cell, CellKind, Edition, Format},
    figure::{From, LeftOut, Term},
    sheet::Sheet,
    value::Value,
};

/// What opponents see of everybody, by place in the table.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// As opponents see it (16.3).
    pub(super) adjusted: Vec<Value>,
    /// The own score; in fore mode with the last round drawn.
    pub(super) own: Vec<Value>,
}

/// What a sum is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum {
    /// The score of the opponent.
    pub(super) score: Score,
    /// The score of the round that multiplies it.
    pub(super) times: Option<Score>,
    pub(super) fore: bool,
    pub(super) forfeits_count: bool,
}

impl Sum {
    /// What a tie-break adds up; `None` for those that do not.
    pub(super) fn of(tie_break: TieBreak, primary: Score) -> Option<Self> {
        let score = tie_break.score.unwrap_or(primary);
        let (score, times) = match tie_break.code {
            Code::Buchholz
            | Code::ForeBuchholz
            | Code::OpponentsBuchholz
            | Code::ScheduleStrength => (score, None),
            Code::SonnebornBerger => (score, Some(score)),
            Code::ExtendedSonnebornBerger(None) => (score, Some(score.other())),
            Code::ExtendedSonnebornBerger(Some((opponent, own))) => (opponent, Some(own)),
            _ => return None,
        };
        Some(Self {
            score,
            times,
            fore: tie_break.fore || tie_break.code == Code::ForeBuchholz,
            forfeits_count: tie_break.forfeits_count,
        })
    }
}

impl Sheet<'_> {
    /// The cell of the last round of the event, where somebody was paired: it is drawn in fore mode.
    fn fore_cell(&self, at: usize) -> Option<usize> {
        let last = self.table.rows[at].cells.len().checked_sub(1)?;
        let cell = &self.table.rows[at].cells[last];
        let paired = cell.opponent.is_some();
        (self.table.terms.is_over() && paired).then_some(last)
    }

    /// The rounds of one participant as opponents see them (16.3): byes asked for after which he never
    /// came back are draws.
    pub(super) fn seen_rounds(&self, at: usize, score: Score, fore: bool, terms: &mut Vec<Term>) {
        let cells = &self.table.rows[at].cells;
        let drawn = self.fore_cell(at).filter(|_| fore);
        let [_, draw, _] = self.table.terms.worth(score);
        let there =
            |(round, cell): &(usize, &Cell)| !cell.kind.is_voluntary() || drawn == Some(*round);
        let last_there = match self.table.terms.format {
            Format::Predetermined => cells.len(),
            Format::Swiss => {
                let last = cells.iter().enumerate().rev().find(there);
                last.map_or(0, |(round, _)| round + 1)
            }
        };
        for (round, cell) in cells.iter().enumerate() {
            let (value, from) = if drawn == Some(round) {
                (draw, From::LastRoundDrawn)
            } else if round >= last_there && cell.kind.is_requested() {
                (draw, From::TrailingBye)
            } else {
                (cell.points(score), From::Result)
            };
            terms.push(Term::new(value, from).of_round(round, cell.opponent));
        }
    }

    /// What opponents see of everybody.
    pub(super) fn seen(&self, score: Score, fore: bool) -> Seen {
        let [_, draw, _] = self.table.terms.worth(score);
        let mut terms = Vec::new();
        let mut seen = Seen::default();
        for at in 0..self.table.rows.len() {
            terms.clear();
            self.seen_rounds(at, score, fore, &mut terms);
            seen.adjusted
                .push(terms.iter().map(|term| term.value).sum());
            let mut own = self.total(at, score);
            if let Some(last) = self.fore_cell(at).filter(|_| fore) {
                own = own + draw - self.table.rows[at].cells[last].points(score);
            }
            seen.own.push(own);
        }
        seen
    }

    /// The terms of a sum, one a round.
    pub(super) fn sum_terms(&self, at: usize, sum: Sum, seen: &Seen, terms: &mut Vec<Term>) {
        let row = &self.table.rows[at];
        let predetermined = self.table.terms.format == Format::Predetermined;
        let drawn = self.fore_cell(at).filter(|_| sum.fore);
        for (round, cell) in row.cells.iter().enumerate() {
            let opponent = self.table.opponents[at][round];
            if matches!(cell.kind, CellKind::Rest | CellKind::Open) {
                continue;
            }
            let is_game = cell.kind == CellKind::Played
                || (cell.kind.is_forfeit() && (predetermined || sum.forfeits_count))
                || drawn == Some(round);
            let (score, from, voluntary) = match opponent.filter(|_| is_game) {
                Some(opponent) => {
                    let awarded = self.total(opponent, sum.score);
                    let score = seen.adjusted[opponent];
                    let from = if score == awarded {
                        From::OpponentScore
                    } else {
                        From::OpponentAdjusted { awarded }
                    };
                    (score, from, false)
                }
                None if predetermined => continue,
                None => {
                    let (score, from) = self.dummy(seen.own[at], opponent, sum.score, seen);
                    (score, from, cell.kind.is_voluntary())
                }
            };
            let product = sum.times.map(|times| [score, cell.points(times)]);
            let mut term = Term::new(score, from).of_round(round, cell.opponent);
            term.value = product.map_or(score, |[score, own]| score.times(own));
            term.product = product;
            term.voluntary = voluntary;
            terms.push(term);
        }
    }

    /// The score of the dummy that stands for the opponent of a round not played (16.4).
    fn dummy(
        &self,
        own: Value,
        opponent: Option<usize>,
        score: Score,
        seen: &Seen,
    ) -> (Value, From) {
        if self.table.terms.edition < Edition::Fide2026 {
            return (own, From::Dummy);
        }
        let [_, draw, _] = self.table.terms.worth(score);
        let (cap, from) = match opponent {
            Some(opponent) => (seen.adjusted[opponent], From::DummyAsOpponent { own }),
            None => (
                Value(draw.0 * i64::from(self.table.terms.rounds)),
                From::DummyAsDraws { own },
            ),
        };
        if own > cap {
            (cap, from)
        } else {
            (own, From::Dummy)
        }
    }
}

/// Leaves out the least significant values, those of voluntary unplayed rounds first where the rule
/// says so (16.5), then the most significant ones.
pub(super) fn cut(terms: &mut [Term], low: u8, high: u8) {
    for _ in 0..low {
        let counted = || (terms.iter().enumerate()).filter(|(_, term)| term.left_out.is_none());
        let least = counted().min_by_key(|(_, term)| (term.score(), term.value));
        let voluntary = counted()
            .filter(|(_, term)| term.voluntary)
            .min_by_key(|(_, term)| (term.value, term.score()));
        let (at, why) = match (least, voluntary) {
            (None, _) => return,
            (Some((_, least)), Some((at, term))) if term.value >= least.value => {
                (at, LeftOut::Voluntary)
            }
            (Some((at, _)), _) => (at, LeftOut::Lowest),
        };
        terms[at].left_out = Some(why);
    }
    for _ in 0..high {
        let counted = || (terms.iter().enumerate()).filter(|(_, term)| term.left_out.is_none());
        // The first of equals, so that the same terms are left out whatever their order was.
        let most = counted()
            .rev()
            .max_by_key(|(_, term)| (term.score(), term.value));
        let Some((at, _)) = most else { return };
        terms[at].left_out = Some(LeftOut::Highest);
    }
}
