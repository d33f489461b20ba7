//! The crosstable of a document, with the habits of other programs straightened out.

use std::collections::BTreeMap;

use super::{
    check::round_no,
    model::{Abnormal, Cell, Code, Document, Record, Row},
    query::Scoring,
};
use crate::types::{PlayerNo, Points, RoundNo};

/// The players by id; of two with the same id the first.
pub(super) struct Table<'a> {
    pub(super) rows: BTreeMap<PlayerNo, (u32, &'a Row)>,
    scoring: Scoring,
    teams: bool,
    abnormal: Vec<&'a Abnormal>,
    /// Announced byes where nothing else is entered.
    announced: BTreeMap<(PlayerNo, RoundNo), Code>,
    /// The rounds with games in which one player alone has a win without an opponent, and nobody
    /// a `U`.
    lone_win: Vec<bool>,
    to_pair: RoundNo,
}

impl<'a> Table<'a> {
    pub(super) fn new(document: &'a Document) -> Self {
        let mut rows = BTreeMap::new();
        for (line, row) in document
            .rows_with_lines()
            .filter(|(_, row)| row.list.is_none())
        {
            rows.entry(PlayerNo(row.id)).or_insert((line, row));
        }
        let mut wins: Vec<Wins> = Vec::new();
        for row in rows.values().map(|(_, row)| row) {
            wins.resize(wins.len().max(row.cells.len()), Wins::default());
            for (wins, cell) in wins.iter_mut().zip(&row.cells) {
                wins.lone += usize::from(is_lone_win(*cell));
                wins.allocated |= cell.code == Some(Code::Allocated);
                wins.paired |= cell.opponent.is_some();
            }
        }
        let teams = document.is_team_event();
        let announced = if teams {
            BTreeMap::new()
        } else {
            document
                .announced_byes()
                .filter(|(round, no, _)| {
                    let at = usize::from(round.0) - 1;
                    let cell = rows
                        .get(no)
                        .and_then(|(_, row): &(u32, &Row)| row.cells.get(at));
                    cell.is_none_or(Cell::is_blank)
                })
                .map(|(round, no, kind)| ((no, round), kind.code()))
                .collect()
        };
        Self {
            rows,
            scoring: document.scoring(),
            teams,
            abnormal: document
                .lines
                .iter()
                .filter_map(|line| match &line.record {
                    Record::Abnormal(abnormal) => Some(abnormal),
                    _ => None,
                })
                .collect(),
            announced,
            lone_win: (wins.into_iter())
                .map(|wins| wins.lone == 1 && !wins.allocated && wins.paired)
                .collect(),
            to_pair: document.round_to_pair(),
        }
    }

    /// The last round of which anything is entered.
    pub(super) fn last_round(&self) -> usize {
        self.lone_win.len()
    }

    /// What a player did in a round (from 1): the cell of his row, else his announced bye. A win,
    /// draw or loss without an opponent is a bye in the hand of another program (trf.md §8).
    pub(super) fn cell(&self, no: PlayerNo, round: usize) -> Cell {
        let row = self.rows.get(&no);
        let cell = row
            .and_then(|(_, row)| row.cells.get(round - 1))
            .copied()
            .unwrap_or_default();
        if cell.is_blank() {
            return match self.announced.get(&(no, round_no(round))) {
                Some(&code) => Cell::bye(code),
                None => cell,
            };
        }
        if self.teams || cell.opponent.is_some() {
            return cell;
        }
        let lone = self.lone_win.get(round - 1).copied().unwrap_or_default();
        Cell::bye(match cell.code {
            Some(Code::Win | Code::UnratedWin | Code::ForfeitWin) if lone => Code::Allocated,
            Some(Code::Win | Code::UnratedWin | Code::ForfeitWin) => Code::Full,
            Some(Code::Draw | Code::UnratedDraw) => Code::Half,
            Some(Code::Loss | Code::UnratedLoss | Code::ForfeitLoss) | None => Code::Zero,
            Some(code @ (Code::Half | Code::Full | Code::Allocated | Code::Zero)) => code,
        })
    }

    /// What a result brought a player, exceptions of record `299` included.
    pub(super) fn worth(&self, no: PlayerNo, round: usize, cell: Cell) -> Points {
        let Some(code) = cell.code else {
            return Points::ZERO;
        };
        self.abnormal(no, code, round)
            .unwrap_or_else(|| self.scoring.points(code))
    }

    /// The points that record `299` gives instead of the usual ones; in team events it speaks of
    /// teams.
    pub(super) fn abnormal(&self, no: PlayerNo, code: Code, round: usize) -> Option<Points> {
        if self.teams {
            return None;
        }
        self.abnormal
            .iter()
            .find(|abnormal| {
                abnormal.code == code.sign()
                    && abnormal.round.is_none_or(|r| r == round_no(round))
                    && (abnormal.players.is_empty() || abnormal.players.contains(&no))
            })
            .and_then(|abnormal| abnormal.game_points.or(abnormal.match_points))
    }

    /// The sum of the rounds up to and including `last`, without announced byes to come.
    pub(super) fn points(&self, no: PlayerNo, last: usize) -> Points {
        (1..=last)
            .map(|round| {
                let entered = self
                    .rows
                    .get(&no)
                    .and_then(|(_, row)| row.cells.get(round - 1));
                let to_come = round_no(round) >= self.to_pair && entered.is_none_or(Cell::is_blank);
                let cell = if to_come {
                    Cell::BLANK
                } else {
                    self.cell(no, round)
                };
                self.worth(no, round, cell)
            })
            .sum()
    }

    /// What the announced byes of rounds to come will bring.
    pub(super) fn announced_points(&self, no: PlayerNo) -> Points {
        self.announced
            .range((no, self.to_pair)..=(no, RoundNo(u16::MAX)))
            .map(|(&(_, round), &code)| self.worth(no, usize::from(round.0), Cell::bye(code)))
            .sum()
    }
}

/// What a round knows of wins without an opponent.
#[derive(Clone, Copy, Default)]
struct Wins {
    lone: usize,
    allocated: bool,
    paired: bool,
}

fn is_lone_win(cell: Cell) -> bool {
    cell.opponent.is_none()
        && matches!(
            cell.code,
            Some(Code::Win | Code::UnratedWin | Code::ForfeitWin)
        )
}
