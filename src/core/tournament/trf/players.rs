//! The players of a report file for an event of ours; its rounds are left alone.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{
    Document, Encoding, Kind, Record, Row, Severity, TextField, player::parse_birth, read,
};
use crate::{
    tournament::{
        LineError,
        player::{Player, Sex},
    },
    types::PlayerNo,
};

/// What a report file brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrfPlayers {
    /// What the file says of the event.
    pub event: TrfEvent,
    /// The players of the lines that could be read, in the order of the file.
    pub players: Vec<Player>,
    /// The lines that could not, with column.
    pub errors: Vec<LineError>,
    /// The encoding that was assumed.
    pub encoding: Encoding,
}

/// The header of a report file. A record that is missing or empty is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrfEvent {
    /// `012`.
    pub name: Option<String>,
    /// `022`.
    pub city: Option<String>,
    /// `032`.
    pub federation: Option<String>,
    /// `042`, as written: the form differs from program to program.
    pub start: Option<String>,
    /// `052`, as written.
    pub end: Option<String>,
    /// `102`.
    pub chief_arbiter: Option<String>,
    /// `222`, else `122`: the time control.
    pub time_control: Option<String>,
    /// `142`, else `XXR`.
    pub rounds: Option<u16>,
    /// `192`, else `092`: the kind of event.
    pub system: Option<String>,
}

/// Reads players and header. Never fails: what cannot be read is in `errors`.
pub fn read_players(bytes: &[u8]) -> TrfPlayers {
    let reading = read(bytes);
    // What is wrong with rounds, results and other records is no matter of the entry list.
    let entry: Vec<_> = reading
        .notices
        .iter()
        .filter(|notice| match notice.kind {
            Kind::Empty | Kind::Duplicate => true,
            Kind::Encoding => notice.severity == Severity::Error,
            Kind::Field | Kind::Columns => {
                notice.severity >= Severity::Warning
                    && notice.round.is_none()
                    && !matches!(notice.field, "points" | "rank" | "results")
                    && is_entry(&reading.document, notice.line)
            }
            Kind::Unknown | Kind::Crosstable | Kind::Points | Kind::Contradiction => false,
        })
        .collect();
    let broken: BTreeSet<u32> = entry.iter().map(|notice| notice.line).collect();
    TrfPlayers {
        event: TrfEvent::of(&reading.document),
        players: reading
            .document
            .rows_with_lines()
            .filter(|(line, row)| row.list.is_none() && !broken.contains(line))
            .map(|(_, row)| row.player())
            .collect(),
        errors: entry.into_iter().map(LineError::from).collect(),
        encoding: reading.document.encoding,
    }
}

/// A line of a player, or of the header as far as it can be broken.
fn is_entry(document: &Document, line: u32) -> bool {
    let at = usize::try_from(line).unwrap_or(usize::MAX).wrapping_sub(1);
    match document.lines.get(at).map(|line| &line.record) {
        Some(Record::Player(row)) => row.list.is_none(),
        Some(Record::Other(text)) => ["001", "142", "XXR"]
            .iter()
            .any(|code| text.starts_with(code)),
        _ => false,
    }
}

impl TrfEvent {
    /// The header of a document.
    pub fn of(document: &Document) -> Self {
        let text = |field| document.text(field).map(str::to_owned);
        Self {
            name: text(TextField::Name),
            city: text(TextField::City),
            federation: text(TextField::Federation),
            start: text(TextField::Start),
            end: text(TextField::End),
            chief_arbiter: text(TextField::ChiefArbiter),
            time_control: text(TextField::TimeControlCode).or_else(|| text(TextField::TimeControl)),
            rounds: document.rounds(),
            system: text(TextField::SystemCode).or_else(|| text(TextField::Kind)),
        }
    }
}

impl Row {
    /// The player of an entry list. What cannot be read is left out.
    pub fn player(&self) -> Player {
        Player {
            sex: self.sex.and_then(|sex| match sex.to_ascii_lowercase() {
                'm' => Some(Sex::Male),
                'w' | 'f' => Some(Sex::Female),
                _ => None,
            }),
            title: self.title.parse().ok(),
            rating: self.rating.filter(|&rating| rating > 0),
            federation: Some(self.federation.clone()).filter(|text| !text.is_empty()),
            fide_id: self.number.parse().ok().filter(|&id| id > 0),
            birth: parse_birth(&self.birth).ok().flatten(),
            ..Player::new(PlayerNo(self.id), self.name.clone())
        }
    }
}
