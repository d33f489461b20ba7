//! The list of players that an event names: a CSV file, a workbook or a tournament report.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use flagfall_core::{
    tournament::{
        LineError, Player,
        csv::{self, PlayersFile},
        trf::{self, Encoding},
    },
    types::PlayerNo,
};

use super::document::Problem;
use crate::workbook::{self, WorkbookError};

/// A list of players and what came with it.
#[derive(Default)]
pub(super) struct List {
    pub(super) players: Vec<Player>,
    pub(super) numbered: BTreeSet<PlayerNo>,
    pub(super) event_name: Option<String>,
    pub(super) notes: Vec<Problem>,
}

impl List {
    /// The players by number, and the lines that were left out.
    pub(super) fn read(path: &Path, bytes: &[u8]) -> (Self, Vec<Problem>) {
        let (mut players, errors, numbered, event_name, encoding) = if is_trf(bytes) {
            let file = trf::read_players(bytes);
            let numbered = file.players.iter().map(|player| player.no).collect();
            let name = file.event.name;
            (file.players, file.errors, numbered, name, file.encoding)
        } else {
            let file = if workbook::is_workbook(bytes) {
                workbook::players(bytes).unwrap_or_else(|error| damaged(&error))
            } else {
                csv::read_players(bytes)
            };
            (
                file.players,
                file.errors,
                file.numbered,
                None,
                file.encoding,
            )
        };
        players.sort_by_key(|player| player.no);
        let mut notes = doubled(path, &players);
        notes.extend(guessed(path, encoding));
        let list = Self {
            players,
            numbered,
            event_name,
            notes,
        };
        let errors = errors.iter().map(|error| in_file(path, error)).collect();
        (list, errors)
    }
}

/// A workbook that cannot be opened, as a list with one fault.
fn damaged(error: &WorkbookError) -> PlayersFile {
    PlayersFile {
        errors: vec![LineError {
            line: 1,
            column: None,
            field: "file".to_owned(),
            value: "xlsx".to_owned(),
            problem: error.to_string(),
            hint: "or save it as CSV UTF-8".to_owned(),
        }],
        ..PlayersFile::default()
    }
}

/// The encoding, when it is a guess.
fn guessed(path: &Path, encoding: Encoding) -> Option<Problem> {
    (encoding != Encoding::Utf8).then(|| Problem {
        file: path.to_owned(),
        line: None,
        message: format!("is not UTF-8 and was read as {}", encoding.name()),
        hint: "look at the names; if they are wrong, save the file again as UTF-8".to_owned(),
    })
}

/// Names that stand twice: two persons, or one line too many.
fn doubled(path: &Path, players: &[Player]) -> Vec<Problem> {
    let mut names: BTreeMap<String, Vec<&Player>> = BTreeMap::new();
    for player in players {
        let name = player.name.to_lowercase();
        names.entry(name).or_default().push(player);
    }
    names.retain(|_, players| players.len() > 1);
    names
        .into_values()
        .map(|players| {
            let numbers: Vec<String> = players.iter().map(|it| it.no.to_string()).collect();
            Problem {
                file: path.to_owned(),
                line: None,
                message: format!(
                    "the name \"{}\" stands {} times, as numbers {}",
                    players[0].name,
                    players.len(),
                    numbers.join(", ")
                ),
                hint: "remove a line unless these are several persons".to_owned(),
            }
        })
        .collect()
}

/// A report file has player records.
fn is_trf(bytes: &[u8]) -> bool {
    bytes
        .split(|b| matches!(b, b'\r' | b'\n'))
        .any(|line| line.starts_with(b"001 "))
}

fn in_file(path: &Path, error: &LineError) -> Problem {
    let column = error
        .column
        .map_or_else(String::new, |column| format!("column {column}, "));
    Problem {
        file: path.to_owned(),
        line: usize::try_from(error.line).ok(),
        message: format!("{column}{}", error.cause()),
        hint: error.hint.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notes(bytes: &[u8]) -> Vec<String> {
        let (list, errors) = List::read(Path::new("/etc/list.trf"), bytes);
        assert_eq!(errors, []);
        assert_eq!(list.players.len(), 2);
        list.notes.iter().map(Problem::of_file).collect()
    }

    #[test]
    fn a_guessed_encoding_is_said_for_both_kinds_of_file() {
        let row = |no: u16, name: &[u8]| {
            let mut line = format!("001 {no:4}      ").into_bytes();
            line.extend(name);
            line.resize(84, b' ');
            line.push(b'\n');
            line
        };
        let report = [
            row(1, b"\xca\xee\xe2\xe0\xeb\xfc, \xce"),
            row(2, b"Smith, J"),
        ]
        .concat();
        for (bytes, encoding) in [
            (report.as_slice(), "Windows-1251"),
            (
                b"name\n\xca\xee\xe2\xe0\xeb\xfc\n\xc1\xee\xed\xe4\xe0\xf0\n",
                "Windows-1251",
            ),
            (b"name\nM\xfcller\nSmith\n", "Windows-1252"),
        ] {
            let said = notes(bytes);
            let [note] = said.as_slice() else {
                panic!("{said:?}")
            };
            let start =
                format!("list.trf: is not UTF-8 and was read as {encoding}; look at the names");
            assert!(note.starts_with(&start), "{note}");
        }
        assert_eq!(notes("name\nКоваль\nMüller\n".as_bytes()), [""; 0]);
    }
}
