//! Standings: points, and the tie-breaks of FIDE (C.07) in any order, each figure with its parts.
//!
//! A [`Crosstable`] says who did what in which round, of players ([`Crosstable::of_games`]) or of
//! teams; [`standings`] sorts it by an ordered list of [`TieBreak`]s. Rounds that were not played count
//! as the articles 15 (round robin) and 16 (Swiss) say, by the [`Edition`] in force since 1 March 2026
//! or the one before. Points are whole halves; figures are exact to a hundredth ([`Value`]).

use std::collections::BTreeMap;

mod code;
mod crosstable;
mod encounters;
mod figure;
mod rating_table;
mod ratings;
mod records;
mod sheet;
mod sums;
mod tie_break;
mod value;
pub mod words;

pub use code::{BoardCheck, Code, Limit, Score};
pub use crosstable::{
    BoardResult, Cell, CellKind, Crosstable, Edition, Format, Row, Scores, Terms, Worth, struck_out,
};
pub use figure::{Among, Figure, From, How, LeftOut, Measure, Step, Term};
pub use tie_break::{ParseTieBreakError, TieBreak};
pub use value::Value;

use encounters::Splitter;
use sheet::Sheet;

use crate::types::PlayerNo;

/// How much of a figure is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Only the values.
    Values,
    /// The parts too.
    Terms,
}

/// One line of the standings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The place, from 1. Who are tied on everything have the same.
    pub rank: u16,
    /// Others have the same rank.
    pub shared: bool,
    /// Who: the number of a player or a team.
    pub player: PlayerNo,
    /// Games (matches) with a result, forfeits included, byes not.
    pub games: u16,
    /// The primary score.
    pub points: Value,
    /// The figures in the order of the tie-breaks asked for.
    pub figures: Vec<Figure>,
    /// Left the event so early that nothing counts (R-ST-1); stands at the end.
    pub struck_out: bool,
}

/// The standings: sorted by the tie-breaks one after the other within those still tied (C.07, 4.2).
/// Points come first unless the list begins with a score of its own. Complete ties share a rank and
/// stand by number.
pub fn standings(table: &Crosstable, order: &[TieBreak], detail: Detail) -> Vec<Standing> {
    let primary = primary(table, order);
    let sheet = Sheet::new(table, primary);
    let (counted, struck): (Vec<usize>, Vec<usize>) =
        (0..table.rows.len()).partition(|&at| !table.rows[at].struck_out);
    let mut groups = vec![counted];
    let mut figures: Vec<Vec<Figure>> = (table.rows.iter())
        .map(|_| Vec::with_capacity(order.len()))
        .collect();
    if !begins_with_points(order) {
        groups = split(groups, |group| {
            by_value(group, false, |at| Some(sheet.total(at, primary)))
        });
    }
    for &tie_break in order {
        groups = if tie_break.is_place() {
            places(&sheet, tie_break, groups, detail, &mut figures)
        } else {
            values(&sheet, tie_break, groups, detail, &mut figures)
        };
    }
    groups.extend(struck.into_iter().map(|at| vec![at]));

    let mut rows = Vec::with_capacity(table.rows.len());
    for group in groups {
        let rank = u16::try_from(rows.len() + 1).unwrap_or(u16::MAX);
        for &at in &group {
            let row = &table.rows[at];
            let paired = |cell: &&Cell| cell.kind == CellKind::Played || cell.kind.is_forfeit();
            rows.push(Standing {
                rank,
                shared: group.len() > 1,
                player: row.no,
                games: row.cells.iter().filter(paired).count() as u16,
                points: sheet.total(at, primary),
                figures: std::mem::take(&mut figures[at]),
                struck_out: row.struck_out,
            });
        }
    }
    rows
}

/// The list says itself by which score it begins.
fn begins_with_points(order: &[TieBreak]) -> bool {
    order
        .first()
        .is_some_and(|first| first.code == Code::Points)
}

/// The score that tie-breaks count unless they name one.
fn primary(table: &Crosstable, order: &[TieBreak]) -> Score {
    let first = order.first().filter(|first| first.code == Code::Points);
    let named = first.and_then(|first| first.score);
    match table.terms.matches {
        Some(_) => named.unwrap_or(table.terms.primary),
        None => Score::Game,
    }
}

/// Groups of places in the table who are still tied, best first.
type Groups = Vec<Vec<usize>>;

/// By a tie-break that gives everybody a figure.
fn values(
    sheet: &Sheet<'_>,
    tie_break: TieBreak,
    groups: Groups,
    detail: Detail,
    figures: &mut [Vec<Figure>],
) -> Groups {
    let prepared = sheet.prepare(tie_break);
    let mut terms = Vec::new();
    for &at in groups.iter().flatten() {
        terms.clear();
        let (value, how) = sheet.figure(at, tie_break, &prepared, &mut terms);
        figures[at].push(Figure {
            value,
            terms: match detail {
                Detail::Values => Vec::new(),
                Detail::Terms => terms.clone(),
            },
            how,
        });
    }
    split(groups, |group| {
        by_value(group, tie_break.low_first(), |at| {
            figures[at].last().and_then(|figure| figure.value)
        })
    })
}

/// By a tie-break that looks at who is tied: the figure is the place among them.
fn places(
    sheet: &Sheet<'_>,
    tie_break: TieBreak,
    groups: Groups,
    detail: Detail,
    figures: &mut [Vec<Figure>],
) -> Groups {
    let mut splitter = Splitter {
        sheet,
        tie_break,
        steps: (detail == Detail::Terms).then(Vec::new),
    };
    let mut sorted = Groups::new();
    for group in groups {
        let mut parts = splitter.split(&group);
        if tie_break.reversed {
            parts.reverse();
        }
        let steps = splitter
            .steps
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default();
        let mut place = 1;
        for part in &parts {
            for &at in part {
                let no = sheet.table.rows[at].no;
                let own = |step: &&Step| {
                    step.groups.is_empty() || step.groups.iter().flatten().any(|it| *it == no)
                };
                figures[at].push(Figure {
                    value: (group.len() > 1).then(|| Value::whole(place)),
                    terms: Vec::new(),
                    how: How::Place {
                        steps: steps.iter().filter(own).cloned().collect(),
                    },
                });
            }
            place += value::signed(part.len());
        }
        sorted.extend(parts);
    }
    sorted
}

fn split(groups: Groups, by: impl Fn(&[usize]) -> Groups) -> Groups {
    let mut sorted = Groups::with_capacity(groups.len());
    for group in groups {
        // Mostly nobody is tied any more.
        if group.len() > 1 {
            sorted.extend(by(&group));
        } else {
            sorted.push(group);
        }
    }
    sorted
}

/// Groups by a figure, the better first and none last; by number within.
fn by_value(group: &[usize], low_first: bool, value: impl Fn(usize) -> Option<Value>) -> Groups {
    let mut parts: BTreeMap<(bool, i64), Vec<usize>> = BTreeMap::new();
    for &at in group {
        let key = match value(at) {
            Some(value) if low_first => (false, value.0),
            Some(value) => (false, -value.0),
            None => (true, 0),
        };
        parts.entry(key).or_default().push(at);
    }
    parts.into_values().collect()
}
