//! Direct encounters and board results: what is decided among who are tied (C.07, 6, 12 and 13).

use std::collections::BTreeMap;

use super::{
    TieBreak,
    code::{BoardCheck, Code, Score},
    crosstable::{CellKind, Format},
    figure::{Among, Measure, Step},
    sheet::Sheet,
    value::{Value, signed},
};

/// The numbers of opponents met that are common (1 to 6) divide it: means without fractions.
const MEAN: i64 = 60;
/// Of more who are tied only the number is told.
const TOLD: usize = 24;
/// So many pairs that have not met are named.
const NAMED: usize = 6;

/// The groups of who stay tied, best first.
type Groups = Vec<Vec<usize>>;

/// Score against the tied, in hundredths times [`MEAN`].
#[derive(Clone, Copy)]
struct Score60 {
    at: usize,
    score: i64,
    /// With what the games still to be played, or never paired, could have brought.
    most: i64,
}

/// Splits groups by a tie-break that looks at the group, and tells how.
pub(super) struct Splitter<'a> {
    pub(super) sheet: &'a Sheet<'a>,
    pub(super) tie_break: TieBreak,
    /// Where the steps go, if they are wanted.
    pub(super) steps: Option<Vec<Step>>,
}

impl Splitter<'_> {
    /// The groups of those who stay tied, best first.
    pub(super) fn split(&mut self, group: &[usize]) -> Groups {
        if group.len() < 2 {
            return vec![group.to_vec()];
        }
        let score = self.tie_break.score.unwrap_or(self.sheet.primary);
        match self.tie_break.code {
            Code::DirectEncounter => self.encounter(group, score),
            Code::ExtendedDirectEncounter(first, then) => self.extended(group, score, first, then),
            Code::TopBoards => self.boards(group, BoardCheck::Top),
            Code::BottomBoards => self.boards(group, BoardCheck::Bottom),
            _ => vec![group.to_vec()],
        }
    }

    /// Direct encounter, again within each tie that remains.
    fn encounter(&mut self, group: &[usize], score: Score) -> Groups {
        if group.len() < 2 {
            return vec![group.to_vec()];
        }
        let parts = self.encounter_once(group, score);
        if parts.len() == 1 {
            return parts;
        }
        parts
            .iter()
            .flat_map(|part| self.encounter(part, score))
            .collect()
    }

    /// On one score, then on the other, from the start when that has split anything, then by boards
    /// between two (13.3).
    fn extended(
        &mut self,
        group: &[usize],
        score: Score,
        first: Option<BoardCheck>,
        then: Option<BoardCheck>,
    ) -> Groups {
        if group.len() < 2 {
            return vec![group.to_vec()];
        }
        let mut parts: Groups = Vec::new();
        for part in self.encounter(group, score) {
            parts.extend(self.encounter(&part, score.other()));
        }
        if parts.len() > 1 {
            return parts
                .iter()
                .flat_map(|part| self.extended(part, score, first, then))
                .collect();
        }
        for check in [first, then].into_iter().flatten() {
            if let &[one, other] = group {
                let parts = self.match_boards(one, other, check);
                if parts.len() > 1 {
                    return parts;
                }
            }
        }
        vec![group.to_vec()]
    }

    fn encounter_once(&mut self, group: &[usize], score: Score) -> Groups {
        let mut among: Vec<Score60> = (group.iter())
            .map(|&at| self.among(at, group, score))
            .collect();
        among.sort_by_key(|it| (-it.score, -it.most, it.at));
        let all_met = among.iter().all(|it| it.most == it.score);
        let mut parts: Groups = Vec::new();
        if all_met {
            for (place, it) in among.iter().enumerate() {
                match parts.last_mut() {
                    Some(part) if among[place - 1].score == it.score => part.push(it.at),
                    _ => parts.push(vec![it.at]),
                }
            }
        } else {
            // Whoever stays ahead of all the others, whatever the missing games bring, is first; then
            // the second, and so on (6.3).
            let mut best_behind = vec![i64::MIN; among.len() + 1];
            for place in (0..among.len()).rev() {
                best_behind[place] = best_behind[place + 1].max(among[place].most);
            }
            let alone = (0..among.len())
                .take_while(|&place| among[place].score > best_behind[place + 1])
                .count();
            parts.extend(among[..alone].iter().map(|it| vec![it.at]));
            let rest: Vec<usize> = among[alone..].iter().map(|it| it.at).collect();
            if !rest.is_empty() {
                parts.push(rest);
            }
        }
        for part in &mut parts {
            part.sort_unstable();
        }
        self.tell(Measure::Encounter { score }, &among, &parts, !all_met);
        parts
    }

    /// The score of one against the others of the group: the mean of each pair's meetings (6.1).
    fn among(&self, at: usize, group: &[usize], score: Score) -> Score60 {
        let table = self.sheet.table;
        let predetermined = table.terms.format == Format::Predetermined;
        let forfeits = predetermined || self.tie_break.forfeits_count;
        let [win, ..] = table.terms.worth(score);
        let due = match table.terms.format {
            Format::Swiss => 1,
            Format::Predetermined if table.terms.is_over() => 0,
            Format::Predetermined => i64::from(table.terms.meetings).max(1),
        };
        let mut met: BTreeMap<usize, (i64, i64)> = BTreeMap::new();
        for (round, cell) in table.rows[at].cells.iter().enumerate() {
            let counts = cell.kind == CellKind::Played || (forfeits && cell.kind.is_forfeit());
            let Some(opponent) = table.opponents[at][round].filter(|_| counts) else {
                continue;
            };
            if group.binary_search(&opponent).is_ok() {
                let (sum, count) = met.entry(opponent).or_default();
                *sum += cell.points(score).0;
                *count += 1;
            }
        }
        let mut own = Score60 {
            at,
            score: 0,
            most: 0,
        };
        for &(sum, count) in met.values() {
            let due = due.max(count);
            own.score += sum * MEAN / due;
            own.most += (due - count) * win.0 * MEAN / due;
        }
        let strangers = signed(group.len() - 1 - met.len());
        own.most += own.score + if due > 0 { strangers * win.0 * MEAN } else { 0 };
        own
    }

    /// Two teams by the boards of their matches with each other (13.3.2).
    fn match_boards(&mut self, one: usize, other: usize, check: BoardCheck) -> Groups {
        let boards = [one, other].map(|at| {
            let opponent = if at == one { other } else { one };
            self.match_points(at, opponent)
        });
        let [Some(first), Some(second)] = boards else {
            return vec![vec![one, other]];
        };
        self.by_boards(&[(one, first), (other, second)], check)
    }

    /// The points by board against one opponent; `None` when they have not met.
    fn match_points(&self, at: usize, opponent: usize) -> Option<Vec<Value>> {
        let table = self.sheet.table;
        let mut points = vec![Value::ZERO; usize::from(table.terms.boards).max(1)];
        let mut met = false;
        for (round, cell) in table.rows[at].cells.iter().enumerate() {
            if table.opponents[at][round] != Some(opponent) {
                continue;
            }
            for board in &cell.boards {
                met = true;
                if let Some(sum) = points.get_mut(usize::from(board.board).wrapping_sub(1)) {
                    *sum += Value::points(board.points);
                }
            }
        }
        met.then_some(points)
    }

    /// By all matches.
    fn boards(&mut self, group: &[usize], check: BoardCheck) -> Groups {
        let points: Vec<(usize, Vec<Value>)> = (group.iter())
            .map(|&at| (at, self.sheet.board_points(at)))
            .collect();
        self.by_boards(&points, check)
    }

    fn by_boards(&mut self, points: &[(usize, Vec<Value>)], check: BoardCheck) -> Groups {
        let keys: Vec<(usize, Vec<i64>)> = (points.iter())
            .map(|(at, points)| (*at, key(points, check)))
            .collect();
        let mut by_key: BTreeMap<Vec<i64>, Vec<usize>> = BTreeMap::new();
        for (at, key) in &keys {
            by_key.entry(key.clone()).or_default().push(*at);
        }
        let parts: Groups = by_key.into_values().rev().collect();
        // What decides between the first two that differ, else the last thing looked at.
        let depth = keys.first().map_or(0, |(_, key)| key.len());
        let differs = |place: usize| keys.iter().any(|(_, key)| key[place] != keys[0].1[place]);
        let place = (0..depth)
            .find(|&place| differs(place))
            .unwrap_or(depth.saturating_sub(1));
        let measure = match check {
            BoardCheck::Count => Measure::BoardCount,
            BoardCheck::Top => Measure::Board {
                board: place as u16 + 1,
            },
            BoardCheck::Bottom => Measure::WithoutLast {
                boards: place as u16 + 1,
            },
        };
        let among: Vec<Score60> = keys
            .iter()
            .map(|(at, key)| {
                let score = key.get(place).copied().unwrap_or_default().abs() * MEAN;
                Score60 {
                    at: *at,
                    score,
                    most: score,
                }
            })
            .collect();
        self.tell(measure, &among, &parts, false);
        parts
    }

    fn tell(&mut self, by: Measure, among: &[Score60], parts: &Groups, strangers: bool) {
        let Some(steps) = &mut self.steps else { return };
        let rows = &self.sheet.table.rows;
        let few = among.len() <= TOLD;
        let results = among.iter().filter(|_| few).map(|it| Among {
            no: rows[it.at].no,
            points: Value(it.score / MEAN),
            most: Value(it.most / MEAN),
        });
        let groups =
            (parts.iter().filter(|_| few)).map(|part| part.iter().map(|&at| rows[at].no).collect());
        let mut step = Step {
            by,
            tied: among.len(),
            all_met: !strangers,
            results: results.collect(),
            not_met: Vec::new(),
            groups: groups.collect(),
        };
        if strangers {
            let mut members: Vec<usize> = among.iter().map(|it| it.at).collect();
            members.sort_unstable();
            step.not_met = strangers_of(self.sheet, self.tie_break, &members);
        }
        // Beginning anew after a split compares some again with the same outcome.
        if !steps.contains(&step) {
            steps.push(step);
        }
    }
}

/// Some pairs who have not met.
fn strangers_of(
    sheet: &Sheet<'_>,
    tie_break: TieBreak,
    members: &[usize],
) -> Vec<[crate::types::PlayerNo; 2]> {
    let table = sheet.table;
    let forfeits = table.terms.format == Format::Predetermined || tie_break.forfeits_count;
    let met = |one: usize, other: usize| {
        let cells = table.rows[one].cells.iter().zip(&table.opponents[one]);
        cells.into_iter().any(|(cell, opponent)| {
            let counts = cell.kind == CellKind::Played || (forfeits && cell.kind.is_forfeit());
            counts && *opponent == Some(other)
        })
    };
    let pairs = members
        .iter()
        .enumerate()
        .flat_map(|(place, &one)| members[place + 1..].iter().map(move |&other| (one, other)));
    pairs
        .filter(|&(one, other)| !met(one, other))
        .take(NAMED)
        .map(|(one, other)| [table.rows[one].no, table.rows[other].no])
        .collect()
}

/// What is compared one after the other, the higher the better.
fn key(points: &[Value], check: BoardCheck) -> Vec<i64> {
    match check {
        BoardCheck::Count => {
            let count: i64 = (1..).zip(points).map(|(board, it)| board * it.0).sum();
            vec![-count]
        }
        BoardCheck::Top => points.iter().map(|it| it.0).collect(),
        BoardCheck::Bottom => (1..points.len())
            .map(|left_out| {
                points[..points.len() - left_out]
                    .iter()
                    .map(|it| it.0)
                    .sum()
            })
            .collect(),
    }
}
