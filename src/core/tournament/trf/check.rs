//! Does the file contradict itself?

use std::collections::{BTreeMap, BTreeSet};

use super::{
    model::{Cell, Code, Configuration, Document, Record, Row},
    notice::{Kind, Notice, Severity},
    player::cell_column,
    query::Scoring,
    table::Table,
};
use crate::types::{Color, PlayerNo, Points, RoundNo};

/// Compares what the records say of each other: both sides of each game, points and results, header
/// records of TRF26 and of the extensions, numbers of players who are not in the file.
pub fn check(document: &Document) -> Vec<Notice> {
    let table = Table::new(document);
    let mut notices = Vec::new();
    for (&no, &(line, row)) in &table.rows {
        for (round, cell) in (1..).zip(&row.cells) {
            if let Some(opponent) = cell.opponent {
                let side = Side {
                    line,
                    no,
                    round,
                    cell: *cell,
                };
                side.compare(opponent, &table, &mut notices);
            }
        }
        points(no, line, row, &table, &mut notices);
    }
    duplicates(document, &mut notices);
    contradictions(document, &mut notices);
    unknown_players(document, &table, &mut notices);
    notices
}

/// One player's word on a round.
struct Side {
    line: u32,
    no: PlayerNo,
    round: usize,
    cell: Cell,
}

impl Side {
    fn notice(&self, severity: Severity, kind: Kind, field: &'static str, offset: usize) -> Notice {
        Notice::new(severity, kind, self.line, field)
            .column(cell_column(self.round) + offset)
            .player(Some(self.no))
            .round(self.round)
    }

    fn compare(&self, opponent: PlayerNo, table: &Table, notices: &mut Vec<Notice>) {
        let error = |kind, field, offset| self.notice(Severity::Error, kind, field, offset);
        let hint = "correct one of the two lines";
        if opponent == self.no {
            notices.push(
                error(Kind::Crosstable, "opponent", 0)
                    .value(&opponent.to_string())
                    .problem("is the player himself", "write the opponent's number"),
            );
            return;
        }
        let Some(&(other_line, other)) = table.rows.get(&opponent) else {
            notices.push(
                error(Kind::Unknown, "opponent", 0)
                    .value(&opponent.to_string())
                    .problem(
                        "is the number of no player in the file",
                        "correct it, or add the player",
                    ),
            );
            return;
        };
        let theirs = other.cells.get(self.round - 1).copied().unwrap_or_default();
        if theirs.opponent != Some(self.no) {
            let said = match (theirs.opponent, theirs.code) {
                (Some(third), _) => format!("against {third}"),
                (None, Some(code)) => code.words().to_owned(),
                (None, None) => "nothing".to_owned(),
            };
            notices.push(
                error(Kind::Crosstable, "opponent", 0)
                    .value(&opponent.to_string())
                    .against(Some(other_line), &said)
                    .problem(format!("is the opponent, but player {opponent} has"), hint),
            );
            return;
        }
        if self.no > opponent {
            return;
        }
        if self.cell.colour.is_some() && self.cell.colour == theirs.colour {
            notices.push(
                error(Kind::Crosstable, "colour", 5)
                    .value(colour(self.cell.colour))
                    .against(Some(other_line), colour(theirs.colour))
                    .problem(
                        format!("is the colour here, but player {opponent} has"),
                        hint,
                    ),
            );
        }
        let played = self.cell.code.is_some_and(Code::is_played);
        if played && self.cell.colour.is_none() && theirs.colour.is_none() {
            notices.push(
                error(Kind::Crosstable, "colour", 5)
                    .value("-")
                    .against(Some(other_line), "-")
                    .problem(
                        format!(
                            "is no colour for a game that was played, and player {opponent} has"
                        ),
                        "write w and b",
                    ),
            );
        }
        let severity = match (self.cell.code, theirs.code) {
            (Some(mine), Some(their)) => match agreement(mine, their) {
                Agreement::Same => return,
                Agreement::Odd
                    if table.abnormal(self.no, mine, self.round).is_some()
                        || table.abnormal(opponent, their, self.round).is_some() =>
                {
                    return;
                }
                Agreement::Odd => Severity::Warning,
                Agreement::Contrary => Severity::Error,
            },
            (None, None) => return,
            // Half entered: the round is not over.
            (None, Some(_)) | (Some(_), None) => Severity::Warning,
        };
        let words = |code: Option<Code>| code.map_or("no result", Code::words);
        notices.push(
            self.notice(severity, Kind::Crosstable, "result", 7)
                .value(words(self.cell.code))
                .against(Some(other_line), words(theirs.code))
                .problem(
                    format!("is the result here, but player {opponent} has"),
                    hint,
                ),
        );
    }
}

enum Agreement {
    Same,
    /// An arbiter may decide so, but it may be a slip.
    Odd,
    Contrary,
}

fn agreement(mine: Code, theirs: Code) -> Agreement {
    use Code::{Draw, ForfeitLoss, ForfeitWin, Loss, UnratedDraw, UnratedLoss, UnratedWin, Win};
    match (mine, theirs) {
        (Win, Loss) | (Loss, Win | Loss) | (Draw, Draw) => Agreement::Same,
        (UnratedWin, UnratedLoss)
        | (UnratedLoss, UnratedWin | UnratedLoss)
        | (UnratedDraw, UnratedDraw) => Agreement::Same,
        (ForfeitWin, ForfeitLoss) | (ForfeitLoss, ForfeitWin | ForfeitLoss) => Agreement::Same,
        (Draw, Loss) | (Loss, Draw) | (UnratedDraw, UnratedLoss) | (UnratedLoss, UnratedDraw) => {
            Agreement::Odd
        }
        _ => Agreement::Contrary,
    }
}

const fn colour(colour: Option<Color>) -> &'static str {
    match colour {
        Some(Color::White) => "w",
        Some(Color::Black) => "b",
        None => "-",
    }
}

fn points(no: PlayerNo, line: u32, row: &Row, table: &Table, notices: &mut Vec<Notice>) {
    let Some(written) = row.points else { return };
    let sum = table.points(no, table.last_round());
    // A bye of a round to come may be in the points already, or not yet.
    let granted: Points = table.announced_points(no);
    if written == sum || written == sum + granted {
        return;
    }
    notices.push(
        Notice::new(Severity::Warning, Kind::Points, line, "points")
            .column(81)
            .player(Some(no))
            .value(&written.decimal())
            .against(None, &sum.decimal())
            .problem(
                "are not the sum of the results,",
                "correct the points or the results",
            ),
    );
}

fn duplicates(document: &Document, notices: &mut Vec<Notice>) {
    let mut taken: BTreeMap<_, (u32, &str)> = BTreeMap::new();
    for (line, row) in document.rows_with_lines() {
        let key = (row.list.as_deref(), row.id);
        let Some((first, name)) = taken.get(&key) else {
            taken.insert(key, (line, &row.name));
            continue;
        };
        notices.push(
            Notice::new(Severity::Error, Kind::Duplicate, line, "starting rank")
                .column(5)
                .player(Some(PlayerNo(row.id)))
                .value(&row.id.to_string())
                .against(Some(*first), name)
                .problem(
                    "is already the number of",
                    "give one of the two another number",
                ),
        );
    }
}

fn contradictions(document: &Document, notices: &mut Vec<Notice>) {
    let mut rounds: Vec<(u32, u16)> = Vec::new();
    let mut colours: Vec<(u32, Color)> = Vec::new();
    for (no, record) in document.numbered() {
        match record {
            Record::Rounds { rounds: said, .. } => rounds.push((no, *said)),
            Record::InitialColour(colour) => colours.push((no, *colour)),
            Record::Configuration(words) => {
                colours.extend(words.iter().filter_map(|word| match word {
                    Configuration::InitialColour(colour) => Some((no, *colour)),
                    Configuration::Rank | Configuration::Other(_) => None,
                }));
            }
            _ => {}
        }
    }
    let mut differ = |field, (line, value): (u32, String), (first, used): (u32, String)| {
        notices.push(
            Notice::new(Severity::Warning, Kind::Contradiction, line, field)
                .column(5)
                .value(&value)
                .against(Some(first), &used)
                .problem(
                    "is said here, but",
                    "correct one of them; TRF26's record counts",
                ),
        );
    };
    if let Some(&(first, used)) = rounds.first() {
        for &(line, value) in rounds.iter().filter(|(_, value)| *value != used) {
            differ(
                "number of rounds",
                (line, value.to_string()),
                (first, used.to_string()),
            );
        }
    }
    if let Some(&(first, used)) = colours.first() {
        for &(line, value) in colours.iter().filter(|(_, value)| *value != used) {
            differ(
                "initial colour",
                (line, colour(Some(value)).to_owned()),
                (first, colour(Some(used)).to_owned()),
            );
        }
    }
    scorings(document, notices);
}

/// `162`, `BB…` and `XXS` may all be there; they should say the same.
fn scorings(document: &Document, notices: &mut Vec<Notice>) {
    let mut found: Vec<(u32, Scoring)> = Vec::new();
    for wanted in [
        |record: &Record| matches!(record, Record::Scoring(_)),
        |record: &Record| matches!(record, Record::BbpPoints(..)),
        |record: &Record| matches!(record, Record::XxScoring(_)),
    ] {
        let lines: Vec<_> = document
            .lines
            .iter()
            .filter(|line| wanted(&line.record))
            .cloned()
            .collect();
        if let Some((no, _)) = document.numbered().find(|(_, record)| wanted(record)) {
            found.push((
                no,
                Document {
                    lines,
                    ..Document::default()
                }
                .scoring(),
            ));
        }
    }
    let words = |s: Scoring| {
        format!(
            "{} {} {}, bye {}",
            s.win.decimal(),
            s.draw.decimal(),
            s.loss.decimal(),
            s.allocated.decimal()
        )
    };
    let Some(&(first, used)) = found.first() else {
        return;
    };
    for &(line, scoring) in &found[1..] {
        if words(scoring) != words(used) {
            notices.push(
                Notice::new(Severity::Warning, Kind::Contradiction, line, "scoring")
                    .column(5)
                    .value(&words(scoring))
                    .against(Some(first), &words(used))
                    .problem(
                        "is said here, but",
                        "correct one of them; the other one counts",
                    ),
            );
        }
    }
}

fn unknown_players(document: &Document, table: &Table, notices: &mut Vec<Notice>) {
    let teams: Option<BTreeSet<PlayerNo>> = document.is_team_event().then(|| {
        let team = |record: &Record| match record {
            Record::Team(team) => Some(PlayerNo(team.no)),
            _ => None,
        };
        document
            .lines
            .iter()
            .filter_map(|line| team(&line.record))
            .collect()
    });
    let known = |no: PlayerNo, entrant: bool| match &teams {
        Some(teams) if entrant => teams.is_empty() || teams.contains(&no),
        _ => table.rows.contains_key(&no),
    };
    let mut said: BTreeSet<(PlayerNo, bool)> = BTreeSet::new();
    for (line, record) in document.numbered() {
        let (entrant, players): (bool, Vec<PlayerNo>) = match record {
            Record::Byes { players, .. }
            | Record::Forbidden { players, .. }
            | Record::XxForbidden(players)
            | Record::XxAbsent(players) => (true, players.clone()),
            Record::Abnormal(abnormal) => (true, abnormal.players.clone()),
            Record::XxAcceleration { player, .. } => (true, vec![*player]),
            Record::Team(team) => (false, team.members.clone()),
            Record::OldTeam { members, .. } => (false, members.clone()),
            Record::LineUp { boards, .. } => (false, boards.iter().copied().flatten().collect()),
            _ => continue,
        };
        for no in players {
            if !known(no, entrant) && said.insert((no, entrant)) {
                notices.push(
                    Notice::new(Severity::Warning, Kind::Unknown, line, "player")
                        .player(Some(no))
                        .value(&no.to_string())
                        .problem("is not in the file", "correct it, or add the player"),
                );
            }
        }
    }
    for (round, no, kind) in document.announced_byes() {
        if teams.is_none()
            && let Some(&(line, row)) = table.rows.get(&no)
            && let Some(code) = row
                .cells
                .get(usize::from(round.0) - 1)
                .and_then(|cell| cell.code)
            && code != kind.code()
        {
            let round = usize::from(round.0);
            let side = Side {
                line,
                no,
                round,
                cell: Cell::bye(code),
            };
            notices.push(
                side.notice(Severity::Warning, Kind::Contradiction, "result", 7)
                    .value(code.words())
                    .against(None, kind.code().words())
                    .problem("is the result, but record 240 has", "correct one of them"),
            );
        }
    }
}

/// The round as the table counts it.
pub(super) fn round_no(round: usize) -> RoundNo {
    RoundNo(u16::try_from(round).unwrap_or(u16::MAX))
}
