//! What standings are worked out from: who did what in which round.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{Score, value::Value};
use crate::{
    tournament::{
        pairing_system::PairingSystem,
        result::{Awarded, Bye, Played},
    },
    types::{Color, PlayerNo, Points, RoundNo},
};

/// How an event is paired, as far as unplayed rounds care (C.07, 15 and 16).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Paired round by round.
    Swiss,
    /// Known beforehand who meets whom: round robins and the like. Forfeits count as games.
    Predetermined,
}

impl Format {
    /// Of a pairing system.
    pub fn of(system: &PairingSystem) -> Self {
        if system.is_swiss() {
            Self::Swiss
        } else {
            Self::Predetermined
        }
    }
}

/// The text of C.07.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Edition {
    /// Before 1 March 2026: the dummy of an unplayed round has the own score, however high.
    #[serde(rename = "2023")]
    Fide2023,
    /// In force since 1 March 2026: that score is capped (16.4).
    #[default]
    #[serde(rename = "2026")]
    Fide2026,
}

/// What a win, a draw and a loss are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    /// A win.
    pub win: Points,
    /// A draw.
    pub draw: Points,
    /// A loss.
    pub loss: Points,
}

impl Worth {
    /// 1, ½, 0.
    pub const GAME: Self = Self {
        win: Points::ONE,
        draw: Points::HALF,
        loss: Points::ZERO,
    };

    /// Match points 2, 1, 0.
    pub const MATCH: Self = Self {
        win: Points(4),
        draw: Points(2),
        loss: Points::ZERO,
    };
}

/// What holds for the whole event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// How it is paired.
    pub format: Format,
    /// The text of the rules.
    pub edition: Edition,
    /// Rounds that count in these standings.
    pub rounds: u16,
    /// Rounds of the whole event; 0 = as many as count.
    pub planned: u16,
    /// How often two participants meet in a predetermined event.
    pub meetings: u16,
    /// Of a game.
    pub game: Worth,
    /// Of a match of teams; `None` = participants are players.
    pub matches: Option<Worth>,
    /// The score that decides first in a team event.
    pub primary: Score,
    /// Boards of a match; 1 for players.
    pub boards: u16,
    /// The rating that who has none is given in rating tie-breaks; without it he is left out of them.
    pub unrated: Option<u16>,
}

impl Terms {
    /// Players, 1-½-0, rules in force.
    pub const fn players(format: Format, rounds: u16) -> Self {
        Self {
            format,
            edition: Edition::Fide2026,
            rounds,
            planned: 0,
            meetings: 1,
            game: Worth::GAME,
            matches: None,
            primary: Score::Game,
            boards: 1,
            unrated: None,
        }
    }

    /// Teams, 2-1-0, rules in force.
    pub const fn teams(format: Format, rounds: u16, boards: u16) -> Self {
        Self {
            matches: Some(Worth::MATCH),
            primary: Score::Match,
            boards,
            ..Self::players(format, rounds)
        }
    }

    /// What a round is worth by a score.
    pub(super) fn worth(&self, score: Score) -> [Value; 3] {
        let (worth, times) = match (score, self.matches) {
            (Score::Match, Some(worth)) => (worth, 1),
            _ => (self.game, i64::from(self.boards)),
        };
        [worth.win, worth.draw, worth.loss].map(|points| Value(Value::points(points).0 * times))
    }

    /// The last round of the event is among those that count.
    pub(super) const fn is_over(&self) -> bool {
        self.rounds >= self.planned
    }
}

/// What somebody did in a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CellKind {
    /// Played over the board.
    Played,
    /// The opponent did not come.
    ForfeitWin,
    /// Did not come himself; both sides when nobody came.
    ForfeitLoss,
    /// The pairing-allocated bye.
    Allocated,
    /// A full-point bye.
    Full,
    /// A half-point bye, asked for.
    Half,
    /// Absent, or not entered yet.
    #[default]
    Zero,
    /// No opponent by the schedule: the odd one out of a round robin, or the opponent does not count.
    Rest,
    /// Paired, without a result yet.
    Open,
}

impl CellKind {
    /// A voluntary unplayed round: a bye that was asked for, or a game lost by not coming (16.2).
    pub const fn is_voluntary(self) -> bool {
        matches!(self, Self::Half | Self::Zero | Self::ForfeitLoss)
    }

    /// A bye that was asked for.
    pub const fn is_requested(self) -> bool {
        matches!(self, Self::Half | Self::Zero)
    }

    /// A game that was to be and was not played.
    pub const fn is_forfeit(self) -> bool {
        matches!(self, Self::ForfeitWin | Self::ForfeitLoss)
    }
}

impl From<Bye> for CellKind {
    fn from(bye: Bye) -> Self {
        match bye {
            Bye::PairingAllocated => Self::Allocated,
            Bye::Rest => Self::Rest,
            Bye::Full => Self::Full,
            Bye::Half => Self::Half,
            Bye::Zero => Self::Zero,
        }
    }
}

/// A board of a match, as one of the teams sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardResult {
    /// Which, from 1.
    pub board: u16,
    /// The points of the team's player.
    pub points: Points,
    /// His colour.
    pub colour: Option<Color>,
    /// Over the board.
    pub played: bool,
}

/// One round of one participant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// What happened.
    pub kind: CellKind,
    /// Against whom, played or not.
    pub opponent: Option<PlayerNo>,
    /// The own colour.
    pub colour: Option<Color>,
    /// Match points; of players the points.
    pub match_points: Points,
    /// Game points; of players the points.
    pub game_points: Points,
    /// The boards, in a match of teams.
    pub boards: Vec<BoardResult>,
}

impl Cell {
    /// A round of a player.
    pub const fn player(
        kind: CellKind,
        opponent: Option<PlayerNo>,
        colour: Option<Color>,
        points: Points,
    ) -> Self {
        Self {
            kind,
            opponent,
            colour,
            match_points: points,
            game_points: points,
            boards: Vec::new(),
        }
    }

    pub(super) const fn points(&self, score: Score) -> Value {
        Value::points(match score {
            Score::Match => self.match_points,
            Score::Game => self.game_points,
        })
    }
}

/// One participant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The number.
    pub no: PlayerNo,
    /// The rating.
    pub rating: Option<u16>,
    /// Left a round robin before half of his games: nothing counts (R-ST-1).
    pub struck_out: bool,
    /// Round 1 first.
    pub cells: Vec<Cell>,
}

/// What happened in an event of players.
#[derive(Clone, Copy, Debug)]
pub struct Scores<'a> {
    /// Everybody entered, with his rating.
    pub players: &'a [(PlayerNo, Option<u16>)],
    /// The pairings with a result.
    pub games: &'a [Played],
    /// The pairings that have none yet.
    pub open: &'a [(RoundNo, PlayerNo, PlayerNo)],
    /// The byes.
    pub byes: &'a [Awarded],
    /// Those whose games do not count, see [`struck_out`]. Empty for a Swiss (R-ST-2).
    pub struck_out: &'a BTreeSet<PlayerNo>,
}

/// Who did what in which round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crosstable {
    pub(super) terms: Terms,
    /// By number.
    pub(super) rows: Vec<Row>,
    /// The place in `rows` of each opponent, by row and round.
    pub(super) opponents: Vec<Vec<Option<usize>>>,
}

impl Crosstable {
    /// From rows in any order. Rounds beyond those that count are dropped, missing ones were missed;
    /// games against who is struck out are rests.
    pub fn new(terms: Terms, mut rows: Vec<Row>) -> Self {
        rows.sort_by_key(|row| row.no);
        rows.dedup_by_key(|row| row.no);
        let places: BTreeMap<PlayerNo, usize> = (rows.iter().enumerate())
            .map(|(at, row)| (row.no, at))
            .collect();
        let struck: BTreeSet<PlayerNo> = (rows.iter().filter(|row| row.struck_out))
            .map(|row| row.no)
            .collect();
        let missed = match terms.format {
            Format::Swiss => CellKind::Zero,
            Format::Predetermined => CellKind::Rest,
        };
        for row in &mut rows {
            row.cells.resize_with(usize::from(terms.rounds), || Cell {
                kind: missed,
                ..Cell::default()
            });
            for cell in &mut row.cells {
                let unknown = |no: &PlayerNo| !places.contains_key(no) || struck.contains(no);
                if row.struck_out || cell.opponent.as_ref().is_some_and(unknown) {
                    *cell = Cell {
                        kind: CellKind::Rest,
                        ..Cell::default()
                    };
                } else if terms.format == Format::Predetermined
                    && cell.opponent.is_none()
                    && cell.kind == CellKind::Zero
                {
                    cell.kind = CellKind::Rest;
                }
            }
        }
        let opponents = rows
            .iter()
            .map(|row| {
                let at = |cell: &Cell| places.get(&cell.opponent?).copied();
                row.cells.iter().map(at).collect()
            })
            .collect();
        Self {
            terms,
            rows,
            opponents,
        }
    }

    /// From the games and byes of an event of players. `terms.rounds` grows to the last round of
    /// which anything is told.
    pub fn of_games(mut terms: Terms, scores: &Scores<'_>) -> Self {
        let told = scores.games.iter().map(|game| game.round);
        let told = told.chain(scores.byes.iter().map(|awarded| awarded.round));
        terms.rounds = terms
            .rounds
            .max(told.map(|round| round.0).max().unwrap_or(0));
        let mut cells: BTreeMap<PlayerNo, BTreeMap<u16, Cell>> = BTreeMap::new();
        let mut put = |no: PlayerNo, round: u16, cell: Cell| {
            cells.entry(no).or_default().insert(round, cell);
        };
        for &(round, white, black) in scores.open {
            for (player, opponent, side) in
                [(white, black, Color::White), (black, white, Color::Black)]
            {
                let cell = Cell::player(CellKind::Open, Some(opponent), Some(side), Points::ZERO);
                put(player, round.0, cell);
            }
        }
        for awarded in scores.byes {
            let cell = Cell::player(awarded.bye.into(), None, None, awarded.bye.points());
            put(awarded.player, awarded.round.0, cell);
        }
        for game in scores.games {
            for player in [game.white, game.black] {
                let Some((side, opponent)) = game.side_of(player) else {
                    continue;
                };
                let kind = match (game.result.is_played(), game.result.winner()) {
                    (true, _) => CellKind::Played,
                    (false, Some(winner)) if winner == side => CellKind::ForfeitWin,
                    (false, _) => CellKind::ForfeitLoss,
                };
                let points = game.result.points(side);
                let cell = Cell::player(kind, Some(opponent), Some(side), points);
                put(player, game.round.0, cell);
            }
        }
        let missed = match terms.format {
            Format::Swiss => CellKind::Zero,
            Format::Predetermined => CellKind::Rest,
        };
        let rows = scores
            .players
            .iter()
            .map(|&(no, rating)| {
                let mut own = cells.remove(&no).unwrap_or_default();
                let cell = |round| {
                    own.remove(&round).unwrap_or(Cell {
                        kind: missed,
                        ..Cell::default()
                    })
                };
                Row {
                    no,
                    rating,
                    struck_out: scores.struck_out.contains(&no),
                    cells: (1..=terms.rounds).map(cell).collect(),
                }
            })
            .collect();
        Self::new(terms, rows)
    }

    /// What holds for the whole event.
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Who has played less than half of his games and none of the last ones, two at least: number,
    /// games played, games in all. The table does not say whether he withdrew.
    pub fn looks_withdrawn(&self) -> Vec<(PlayerNo, usize, usize)> {
        let games = |row: &Row| -> usize {
            let paired = row.cells.iter().filter(|cell| cell.opponent.is_some());
            paired.count()
        };
        let each = self.rows.iter().map(games).max().unwrap_or(0);
        let looks = |row: &Row| {
            let played = |cell: &Cell| cell.kind == CellKind::Played;
            let absent = (row.cells.iter().rev()).take_while(|cell| !played(cell));
            let missed = absent
                .filter(|cell| cell.kind == CellKind::ForfeitLoss)
                .count();
            let played = row.cells.iter().filter(|cell| played(cell)).count();
            (!row.struck_out && missed >= 2 && 2 * played < each).then_some((row.no, played, each))
        };
        self.rows.iter().filter_map(looks).collect()
    }

    /// The participants by number.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }
}

/// Players of a round robin who withdrew with less than half of their games played: nothing of
/// them counts. At exactly half everything counts (R-ST-1).
pub fn struck_out(
    withdrawn: &BTreeSet<PlayerNo>,
    games: &[Played],
    games_each: u16,
) -> BTreeSet<PlayerNo> {
    let played = |player: PlayerNo| {
        games
            .iter()
            .filter(|game| game.result.is_played() && game.side_of(player).is_some())
            .count()
    };
    withdrawn
        .iter()
        .copied()
        .filter(|&no| 2 * played(no) < usize::from(games_each))
        .collect()
}
