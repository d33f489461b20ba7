//! Standings: points and the tie-breaks of a round robin (R-ST-5, C.07 from 1 Mar 2026), the
//! withdrawn players of a round robin left out as R-ST-1 says.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    str::FromStr,
};

use serde::{Deserialize, Serialize};

use super::result::{Awarded, Played};
use crate::types::{PlayerNo, Points};

/// A tie-break with its FIDE code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum TieBreak {
    /// `SB`: the points of each opponent times the points won from him.
    SonnebornBerger,
    /// `WIN`: rounds worth a win, played or not.
    Wins,
    /// `WON`: games won over the board.
    GamesWon,
    /// `DE`: the games among those who are still tied.
    DirectEncounter,
}

impl TieBreak {
    /// The order of the rule book for a round robin (R-ST-5).
    pub const ROUND_ROBIN: [Self; 3] = [Self::SonnebornBerger, Self::Wins, Self::DirectEncounter];

    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::SonnebornBerger,
        Self::Wins,
        Self::GamesWon,
        Self::DirectEncounter,
    ];

    /// The FIDE code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::SonnebornBerger => "SB",
            Self::Wins => "WIN",
            Self::GamesWon => "WON",
            Self::DirectEncounter => "DE",
        }
    }
}

impl fmt::Display for TieBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

/// Not a tie-break that we know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown tie-break \"{0}\"; known are SB, WIN, WON, DE")]
pub struct ParseTieBreakError(pub String);

impl FromStr for TieBreak {
    type Err = ParseTieBreakError;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|tie_break| tie_break.code().eq_ignore_ascii_case(s.trim()))
            .ok_or_else(|| ParseTieBreakError(s.to_owned()))
    }
}

impl From<TieBreak> for String {
    fn from(tie_break: TieBreak) -> Self {
        tie_break.code().to_owned()
    }
}

impl TryFrom<String> for TieBreak {
    type Error = ParseTieBreakError;

    fn try_from(s: String) -> Result<Self, Self::Error> {
        s.parse()
    }
}

/// What the standings are computed from.
#[derive(Clone, Copy, Debug)]
pub struct Scores<'a> {
    /// Everybody entered.
    pub players: &'a [PlayerNo],
    /// The pairings with a result.
    pub games: &'a [Played],
    /// The byes.
    pub byes: &'a [Awarded],
    /// Those whose games do not count, see [`struck_out`]. Empty for a Swiss (R-ST-2).
    pub struck_out: &'a BTreeSet<PlayerNo>,
    /// How often each pair meets in the event: 1, or 2 in a double round robin; 0 when the system
    /// does not say (Swiss). Decides whether a direct encounter is still open.
    pub meetings: u16,
}

/// One line of the standings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// The place, from 1. Players who are tied on everything have the same.
    pub rank: u16,
    /// Others have the same rank.
    pub shared: bool,
    /// Who.
    pub player: PlayerNo,
    /// Games with a result, forfeits included, byes not.
    pub games: u16,
    /// The points.
    pub points: Points,
    /// The values in the order of the tie-breaks asked for.
    pub tie_breaks: Vec<TieBreakValue>,
    /// Left the event so early that nothing counts (R-ST-1); stands at the end.
    pub struck_out: bool,
}

/// The value of a tie-break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind", content = "value")]
pub enum TieBreakValue {
    /// In quarter points, e.g. Sonneborn-Berger.
    Quarters(u32),
    /// A number of things.
    Count(u16),
    /// Place among the tied, from 1; `None` when nobody was tied.
    Place(Option<u16>),
}

impl fmt::Display for TieBreakValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Quarters(quarters) => write!(f, "{}.{:02}", quarters / 4, quarters % 4 * 25),
            Self::Count(count) => write!(f, "{count}"),
            Self::Place(Some(place)) => write!(f, "{place}."),
            Self::Place(None) => f.write_str("–"),
        }
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

/// The standings: sorted by points, then by each tie-break within those still tied (C.07, 4.2).
/// Complete ties share a rank and stand by number.
pub fn standings(scores: &Scores<'_>, order: &[TieBreak]) -> Vec<Standing> {
    let sheet = Sheet::new(scores);
    let mut groups = vec![sheet.counted()];
    groups = split(&groups, |group| by_value(group, |no| sheet.points(no)));
    let mut values: BTreeMap<PlayerNo, Vec<TieBreakValue>> =
        scores.players.iter().map(|&no| (no, Vec::new())).collect();
    for &tie_break in order {
        for group in &groups {
            let places = match tie_break {
                TieBreak::DirectEncounter if group.len() > 1 => sheet.direct_encounter(group),
                TieBreak::DirectEncounter
                | TieBreak::SonnebornBerger
                | TieBreak::Wins
                | TieBreak::GamesWon => BTreeMap::new(),
            };
            for &no in group {
                let value = match tie_break {
                    TieBreak::SonnebornBerger => {
                        TieBreakValue::Quarters(sheet.sonneborn_berger(no))
                    }
                    TieBreak::Wins => TieBreakValue::Count(sheet.wins(no)),
                    TieBreak::GamesWon => TieBreakValue::Count(sheet.games_won(no)),
                    TieBreak::DirectEncounter => TieBreakValue::Place(places.get(&no).copied()),
                };
                values.entry(no).or_default().push(value);
            }
        }
        groups = split(&groups, |group| match tie_break {
            TieBreak::SonnebornBerger => by_value(group, |no| sheet.sonneborn_berger(no)),
            TieBreak::Wins => by_value(group, |no| sheet.wins(no)),
            TieBreak::GamesWon => by_value(group, |no| sheet.games_won(no)),
            TieBreak::DirectEncounter => sheet.direct_groups(group),
        });
    }
    groups.extend(sheet.struck().into_iter().map(|no| vec![no]));

    let mut rows = Vec::with_capacity(scores.players.len());
    for group in groups {
        let rank = u16::try_from(rows.len())
            .unwrap_or(u16::MAX)
            .saturating_add(1);
        for &player in &group {
            rows.push(Standing {
                rank,
                shared: group.len() > 1,
                player,
                games: sheet.games(player),
                points: sheet.points(player),
                tie_breaks: values.remove(&player).unwrap_or_default(),
                struck_out: scores.struck_out.contains(&player),
            });
        }
    }
    rows
}

/// A number that the common counts of meetings (1 to 6) divide, for means without fractions.
const MEAN: u32 = 60;

/// The results by player, the struck out left away.
struct Sheet<'a> {
    scores: &'a Scores<'a>,
    rows: BTreeMap<PlayerNo, Row>,
}

#[derive(Default)]
struct Row {
    points: Points,
    wins: u16,
    won: u16,
    /// (opponent, own points) of each game.
    games: Vec<(PlayerNo, Points)>,
}

impl<'a> Sheet<'a> {
    fn new(scores: &'a Scores<'a>) -> Self {
        let counted = |no: &PlayerNo| !scores.struck_out.contains(no);
        let mut rows: BTreeMap<PlayerNo, Row> = scores
            .players
            .iter()
            .map(|&no| (no, Row::default()))
            .collect();
        for game in scores
            .games
            .iter()
            .filter(|g| counted(&g.white) && counted(&g.black))
        {
            for player in [game.white, game.black] {
                let Some((side, opponent)) = game.side_of(player) else {
                    continue;
                };
                let Some(row) = rows.get_mut(&player) else {
                    continue;
                };
                let points = game.result.points(side);
                row.points += points;
                row.games.push((opponent, points));
                if game.result.winner() == Some(side) {
                    row.wins += 1;
                    row.won += u16::from(game.result.is_played());
                }
            }
        }
        for awarded in scores
            .byes
            .iter()
            .filter(|awarded| counted(&awarded.player))
        {
            if let Some(row) = rows.get_mut(&awarded.player) {
                row.points += awarded.bye.points();
                row.wins += u16::from(awarded.bye.points() == Points::ONE);
            }
        }
        Self { scores, rows }
    }

    fn counted(&self) -> Vec<PlayerNo> {
        self.rows
            .keys()
            .copied()
            .filter(|no| !self.scores.struck_out.contains(no))
            .collect()
    }

    fn struck(&self) -> Vec<PlayerNo> {
        self.rows
            .keys()
            .copied()
            .filter(|no| self.scores.struck_out.contains(no))
            .collect()
    }

    fn points(&self, no: PlayerNo) -> Points {
        self.rows.get(&no).map_or(Points::ZERO, |row| row.points)
    }

    fn wins(&self, no: PlayerNo) -> u16 {
        self.rows.get(&no).map_or(0, |row| row.wins)
    }

    fn games_won(&self, no: PlayerNo) -> u16 {
        self.rows.get(&no).map_or(0, |row| row.won)
    }

    fn games(&self, no: PlayerNo) -> u16 {
        self.rows.get(&no).map_or(0, |row| row.games.len() as u16)
    }

    /// In quarter points. In a round robin forfeits count like games (C.07, 15.2).
    fn sonneborn_berger(&self, no: PlayerNo) -> u32 {
        let Some(row) = self.rows.get(&no) else {
            return 0;
        };
        row.games
            .iter()
            .map(|&(opponent, points)| {
                u32::from(points.halves()) * u32::from(self.points(opponent).halves())
            })
            .sum()
    }

    /// The place of each of `group` after the direct encounter, from 1.
    fn direct_encounter(&self, group: &[PlayerNo]) -> BTreeMap<PlayerNo, u16> {
        let mut places = BTreeMap::new();
        let mut place = 1_u16;
        for tied in self.direct_groups(group) {
            places.extend(tied.iter().map(|&no| (no, place)));
            place = place.saturating_add(tied.len() as u16);
        }
        places
    }

    /// Splits those who are tied by their games among each other, again within each tie that
    /// remains (C.07, 6).
    fn direct_groups(&self, group: &[PlayerNo]) -> Vec<Vec<PlayerNo>> {
        if group.len() < 2 {
            return vec![group.to_vec()];
        }
        let among: Vec<Among> = group.iter().map(|&no| self.among(no, group)).collect();
        let first = if among.iter().all(|a| a.open == 0) {
            let score = |no: PlayerNo| {
                group
                    .iter()
                    .position(|&other| other == no)
                    .map_or(0, |at| among[at].score)
            };
            by_value(group, score)
        } else {
            // Somebody who leads whatever the open games bring is first; then the same among the
            // rest, whose games with him no longer count.
            let leader = among.iter().enumerate().find(|(at, leader)| {
                among
                    .iter()
                    .enumerate()
                    .all(|(other, a)| other == *at || leader.score > a.best())
            });
            match leader {
                Some((at, _)) => {
                    let rest: Vec<_> = group
                        .iter()
                        .copied()
                        .filter(|&no| no != group[at])
                        .collect();
                    vec![vec![group[at]], rest]
                }
                None => vec![group.to_vec()],
            }
        };
        if first.len() == 1 {
            return first;
        }
        first
            .iter()
            .flat_map(|part| self.direct_groups(part))
            .collect()
    }

    /// The score of one player against the others of the group: the mean of each pair's meetings.
    fn among(&self, no: PlayerNo, group: &[PlayerNo]) -> Among {
        let mut among = Among::default();
        let Some(row) = self.rows.get(&no) else {
            return among;
        };
        for &other in group.iter().filter(|&&other| other != no) {
            let (mut sum, mut met) = (0_u32, 0_u32);
            for &(_, points) in row.games.iter().filter(|(opponent, _)| *opponent == other) {
                sum += u32::from(points.halves());
                met += 1;
            }
            let due = u32::from(self.scores.meetings).max(1).max(met);
            among.score += sum * MEAN / due;
            among.open += (due - met) * MEAN * u32::from(Points::ONE.halves()) / due;
        }
        among
    }
}

/// Score against the tied, in half points times [`MEAN`].
#[derive(Clone, Copy, Default)]
struct Among {
    score: u32,
    /// What the games still to be played could bring.
    open: u32,
}

impl Among {
    const fn best(self) -> u32 {
        self.score + self.open
    }
}

fn split(
    groups: &[Vec<PlayerNo>],
    by: impl Fn(&[PlayerNo]) -> Vec<Vec<PlayerNo>>,
) -> Vec<Vec<PlayerNo>> {
    groups.iter().flat_map(|group| by(group)).collect()
}

/// Groups by a value, highest first; by number within.
fn by_value<V: Ord>(group: &[PlayerNo], value: impl Fn(PlayerNo) -> V) -> Vec<Vec<PlayerNo>> {
    let mut parts: BTreeMap<V, Vec<PlayerNo>> = BTreeMap::new();
    for &no in group {
        parts.entry(value(no)).or_default().push(no);
    }
    parts.into_values().rev().collect()
}
