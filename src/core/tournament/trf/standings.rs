//! From a report file to what standings are worked out from.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    convert::RequestError,
    model::{Cell, Code, Document, Record, TextField},
    system::SystemKind,
    table::Table,
};
use crate::{
    tournament::{
        pairing_system::PairingSystem,
        standings::{
            self, CellKind, Crosstable, Edition, Format, ParseTieBreakError, Row, Terms, TieBreak,
            Worth,
        },
    },
    types::{PlayerNo, RoundNo},
};

/// What the reader of a report file may be told that the file does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StandingsOptions {
    /// The kind of event.
    pub format: Option<Format>,
    /// The text of the rules; by the start of the event (`042`) without it.
    pub edition: Option<Edition>,
    /// Only the rounds up to this one; all that were paired without it.
    pub round: Option<RoundNo>,
    /// Who withdrew from a round robin; before half of his games nothing of him counts (R-ST-1).
    pub withdrawn: BTreeSet<PlayerNo>,
    /// The rating of who has none.
    pub unrated: Option<u16>,
}

/// How the kind of event was found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// It was told.
    Told,
    /// The file says it (`192`).
    Written,
    /// Everybody has met everybody.
    AllMet,
    /// Nothing speaks against a Swiss.
    Assumed,
}

impl Document {
    /// The table of the players. In a team event that of the players alike, by their own games.
    ///
    /// # Errors
    /// When the file has no players or contradicts itself.
    pub fn crosstable(
        &self,
        options: &StandingsOptions,
    ) -> Result<(Crosstable, Known), RequestError> {
        let table = Table::new(self);
        if table.rows.is_empty() {
            return Err(RequestError::NoPlayers);
        }
        let rounds = self.rounds_that_count(options)?;
        let (format, known) = self.format(options, || all_met(&table, rounds));
        let scoring = self.scoring();
        let worth = Worth {
            win: scoring.win,
            draw: scoring.draw,
            loss: scoring.loss,
        };
        let struck = self.struck_out(&table, format, rounds, options);
        let rows = (table.rows.iter())
            .map(|(&no, (_, row))| Row {
                no,
                rating: row.rating.filter(|&rating| rating > 0),
                struck_out: struck.contains(&no),
                cells: (1..=usize::from(rounds))
                    .map(|round| {
                        let cell = table.cell(no, round);
                        let points = table.worth(no, round, cell);
                        standings::Cell::player(kind(cell), cell.opponent, cell.colour, points)
                    })
                    .collect(),
            })
            .collect();
        let terms = Terms {
            edition: self.edition(options),
            planned: self.rounds().unwrap_or(0),
            meetings: self.meetings(),
            game: worth,
            unrated: options.unrated,
            ..Terms::players(format, rounds)
        };
        Ok((Crosstable::new(terms, rows), known))
    }

    /// The tie-breaks that the file names: `212`, else `202`.
    ///
    /// # Errors
    /// Names the code that is not known.
    pub fn tie_breaks(&self) -> Result<Option<Vec<TieBreak>>, ParseTieBreakError> {
        let text = self.text(TextField::Standings);
        let text = text.or_else(|| self.text(TextField::TieBreaks));
        text.map(TieBreak::list).transpose()
    }

    /// The name of a player or a team.
    pub fn name_of(&self, no: PlayerNo, team: bool) -> Option<String> {
        if !team {
            let row = self.rows().find(|row| row.id == no.0)?;
            return Some(row.name.clone());
        }
        let records = || self.lines.iter().map(|line| &line.record);
        let new = records().find_map(|record| match record {
            Record::Team(team) if team.no == no.0 => Some(team.name.clone()),
            _ => None,
        });
        let mut old = records().filter_map(|record| match record {
            Record::OldTeam { name, .. } => Some(name.clone()),
            _ => None,
        });
        new.or_else(|| old.nth(usize::from(no.0).checked_sub(1)?))
    }

    /// The rounds that count: up to the one that was asked for, else to the last that was paired.
    pub(super) fn rounds_that_count(
        &self,
        options: &StandingsOptions,
    ) -> Result<u16, RequestError> {
        let next = self.round_to_pair();
        let last = RoundNo(next.0 - 1);
        self.contradictions(next)?;
        match options.round {
            Some(asked) if asked > last || asked.0 == 0 => {
                Err(RequestError::NotPaired { asked, last })
            }
            Some(asked) => Ok(asked.0),
            None => Ok(last.0),
        }
    }

    /// The kind of event, and how it was found out.
    pub(super) fn format(
        &self,
        options: &StandingsOptions,
        all_met: impl Fn() -> bool,
    ) -> (Format, Known) {
        if let Some(format) = options.format {
            return (format, Known::Told);
        }
        if let Some(code) = self.system() {
            let format = match (PairingSystem::by_code(&code), &code.system) {
                (_, SystemKind::Custom(text)) if text.contains("SWISS") => Some(Format::Swiss),
                (_, SystemKind::Team(_) | SystemKind::DoubleSwiss) => Some(Format::Swiss),
                (Some(system), _) => Some(Format::of(&system)),
                (None, SystemKind::RoundRobin { .. }) => Some(Format::Predetermined),
                (None, _) => None,
            };
            if let Some(format) = format {
                return (format, Known::Written);
            }
        }
        if all_met() {
            (Format::Predetermined, Known::AllMet)
        } else {
            (Format::Swiss, Known::Assumed)
        }
    }

    /// By the start of the event; without one the rules in force.
    pub(super) fn edition(&self, options: &StandingsOptions) -> Edition {
        options.edition.unwrap_or_else(|| {
            let start = self.text(TextField::Start).and_then(date);
            match start {
                Some(start) if start < (2026, 3, 1) => Edition::Fide2023,
                _ => Edition::Fide2026,
            }
        })
    }

    /// How often two meet by the system that the file names.
    pub(super) fn meetings(&self) -> u16 {
        let system = self.system().and_then(|code| PairingSystem::by_code(&code));
        system.map_or(1, |system| system.meetings())
    }

    /// Who of those who withdrew had played less than half of his games.
    fn struck_out(
        &self,
        table: &Table<'_>,
        format: Format,
        rounds: u16,
        options: &StandingsOptions,
    ) -> BTreeSet<PlayerNo> {
        if format == Format::Swiss {
            return BTreeSet::new();
        }
        let each = (table.rows.len() - 1) * usize::from(self.meetings());
        let played = |no: PlayerNo| {
            let cells = (1..=usize::from(rounds)).map(|round| table.cell(no, round));
            cells.filter(|cell| kind(*cell) == CellKind::Played).count()
        };
        let known = options.withdrawn.iter().copied();
        known
            .filter(|no| table.rows.contains_key(no) && 2 * played(*no) < each)
            .collect()
    }
}

/// What a cell of the file says.
pub(super) fn kind(cell: Cell) -> CellKind {
    match (cell.code, cell.opponent) {
        (None, Some(_)) => CellKind::Open,
        (None | Some(Code::Zero), _) => CellKind::Zero,
        (Some(Code::Half), _) => CellKind::Half,
        (Some(Code::Full), _) => CellKind::Full,
        (Some(Code::Allocated), _) => CellKind::Allocated,
        (Some(Code::ForfeitWin), _) => CellKind::ForfeitWin,
        (Some(Code::ForfeitLoss), _) => CellKind::ForfeitLoss,
        (Some(code), _) if code.is_played() => CellKind::Played,
        (Some(_), _) => CellKind::Zero,
    }
}

/// Everybody was paired with everybody equally often.
fn all_met(table: &Table<'_>, rounds: u16) -> bool {
    let pairs = table.rows.keys().flat_map(|&no| {
        let cells = (1..=usize::from(rounds)).map(move |round| table.cell(no, round));
        cells.filter_map(move |cell| Some((no, cell.opponent?)))
    });
    met_all(table.rows.len(), pairs)
}

/// The same from pairs, each told from both sides.
pub(super) fn met_all(
    participants: usize,
    pairs: impl Iterator<Item = (PlayerNo, PlayerNo)>,
) -> bool {
    let mut met: BTreeMap<(PlayerNo, PlayerNo), u16> = BTreeMap::new();
    for pair in pairs {
        *met.entry(pair).or_default() += 1;
    }
    let often = met.values().next();
    participants > 2
        && met.len() == participants * (participants - 1)
        && met.values().all(|times| Some(times) == often)
}

/// `2026/03/01`, `2026-03-01`, `01.03.2026`, as the words of a line begin.
fn date(text: &str) -> Option<(u16, u16, u16)> {
    let word = text.split_whitespace().next()?;
    let mut parts = word
        .split(['/', '-', '.'])
        .map(|part| part.parse::<u16>().ok());
    let (first, middle, last) = (parts.next()??, parts.next()??, parts.next()??);
    if first > 31 {
        Some((first, middle, last))
    } else if last > 31 {
        Some((last, middle, first))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_as_files_write_them() {
        for (text, read) in [
            ("2026/03/01", Some((2026, 3, 1))),
            ("2026-02-28 10:00", Some((2026, 2, 28))),
            ("1.3.2026", Some((2026, 3, 1))),
            ("01/03/26", None),
            ("March", None),
        ] {
            assert_eq!(date(text), read, "{text}");
        }
    }
}
