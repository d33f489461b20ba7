//! From the file of a team event to what the standings of its teams are worked out from.

use std::collections::BTreeMap;

use super::{
    convert::RequestError,
    model::{Code, Document, Record},
    standings::{Known, StandingsOptions, met_all},
    table::Table,
    team_rounds::Teams,
};
use crate::{
    pairing::{
        UnpairedKind,
        team::{PrimaryScore, TeamMatch, TeamRound},
    },
    tournament::{
        pairing_system::PairingSystem,
        standings::{BoardResult, Cell, CellKind, Crosstable, Row, Score, Terms, Worth},
    },
    types::{Color, PlayerNo, RoundNo},
};

impl Document {
    /// The table of the teams, with match and game points.
    ///
    /// # Errors
    /// When the file names no two teams, a player stands in two, or the file contradicts itself.
    pub fn team_crosstable(
        &self,
        options: &StandingsOptions,
    ) -> Result<(Crosstable, Known), RequestError> {
        let table = Table::new(self);
        let teams = Teams::new(self, &table)?;
        let last = self.rounds_that_count(options)?;
        let rounds: Vec<TeamRound> = (1..=last)
            .map(|round| teams.round(RoundNo(round)))
            .collect::<Result<_, _>>()?;
        let numbers: Vec<PlayerNo> = teams.numbers().collect();
        let (format, known) = self.format(options, || {
            let matches = rounds.iter().flat_map(|round| &round.matches);
            let both = |it: &TeamMatch| [(it.white, it.black), (it.black, it.white)];
            met_all(numbers.len(), matches.flat_map(both))
        });
        let mut cells: BTreeMap<PlayerNo, Vec<Cell>> =
            numbers.iter().map(|&no| (no, Vec::new())).collect();
        for round in &rounds {
            let mut put = |no: PlayerNo, cell: Cell| {
                if let Some(cells) = cells.get_mut(&no) {
                    cells.push(cell);
                }
            };
            for own in &round.matches {
                for (side, no, opponent) in [(0, own.white, own.black), (1, own.black, own.white)] {
                    put(no, match_cell(&teams, round.round, own, side, no, opponent));
                }
            }
            for own in &round.unpaired {
                let kind = match own.kind {
                    UnpairedKind::PairingAllocated => CellKind::Allocated,
                    UnpairedKind::FullPoint => CellKind::Full,
                    UnpairedKind::HalfPoint => CellKind::Half,
                    _ => CellKind::Zero,
                };
                let cell = Cell {
                    kind,
                    match_points: own.match_points,
                    game_points: own.game_points,
                    ..Cell::default()
                };
                put(own.team, cell);
            }
        }
        let rows = cells.into_iter().map(|(no, cells)| Row {
            no,
            rating: self.strength(no),
            struck_out: false,
            cells,
        });
        let system = self.system().and_then(|code| PairingSystem::by_code(&code));
        let primary = match system {
            Some(PairingSystem::TeamSwiss {
                primary: PrimaryScore::GamePoints,
                ..
            }) => Score::Game,
            _ => Score::Match,
        };
        let games = self.scoring();
        let matches = teams.match_scoring();
        let terms = Terms {
            edition: self.edition(options),
            planned: self.rounds().unwrap_or(0),
            meetings: self.meetings(),
            game: Worth {
                win: games.win,
                draw: games.draw,
                loss: games.loss,
            },
            matches: Some(Worth {
                win: matches.win,
                draw: matches.draw,
                loss: matches.loss,
            }),
            primary,
            unrated: options.unrated,
            ..Terms::teams(format, last, teams.boards_of_a_match())
        };
        Ok((Crosstable::new(terms, rows.collect()), known))
    }

    /// The strength of a team, where it is a number.
    fn strength(&self, no: PlayerNo) -> Option<u16> {
        let mut records = self.lines.iter().map(|line| &line.record);
        records.find_map(|record| match record {
            Record::Team(team) if team.no == no.0 => team.strength.trim().parse().ok(),
            _ => None,
        })
    }
}

/// A match as one of its teams sees it.
fn match_cell(
    teams: &Teams<'_>,
    round: RoundNo,
    own: &TeamMatch,
    side: usize,
    no: PlayerNo,
    opponent: PlayerNo,
) -> Cell {
    let kind = if own.played {
        CellKind::Played
    } else if own.match_points[side] > own.match_points[1 - side] {
        CellKind::ForfeitWin
    } else {
        CellKind::ForfeitLoss
    };
    let boards = teams
        .games(no, round)
        .map(|(board, cell, points)| BoardResult {
            board,
            points,
            colour: cell.colour,
            played: cell.code.is_some_and(Code::is_played),
        });
    Cell {
        kind,
        opponent: Some(opponent),
        colour: Some(if side == 0 {
            Color::White
        } else {
            Color::Black
        }),
        match_points: own.match_points[side],
        game_points: own.game_points[side],
        boards: boards.collect(),
    }
}
