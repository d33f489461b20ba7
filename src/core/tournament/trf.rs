//! Players from a tournament report file, TRF16 or TRF26: the `001` records and the header records
//! that describe the event. Rounds, teams and everything else are left alone.
//!
//! Columns count characters; a file whose names were padded by bytes is recognised by the fields
//! behind the name and read by bytes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    LineError,
    csv::{lines, parse_rating},
    player::{Player, Sex},
};
use crate::types::PlayerNo;

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

/// How the bytes became text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// UTF-8 (or plain ASCII), with or without a byte order mark.
    #[default]
    Utf8,
    /// Not UTF-8, so taken for Windows-1252, the superset of Latin-1 that old programs write.
    Windows1252,
}

/// Reads players and header. Never fails: what cannot be read is in `errors`.
pub fn read_players(bytes: &[u8]) -> TrfPlayers {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let encoding = match std::str::from_utf8(bytes) {
        Ok(_) => Encoding::Utf8,
        Err(_) => Encoding::Windows1252,
    };
    let mut file = TrfPlayers {
        encoding,
        ..TrfPlayers::default()
    };
    let mut taken: BTreeMap<PlayerNo, u32> = BTreeMap::new();
    for (no, line) in lines(bytes) {
        let record = Record::new(no, line, encoding);
        match record.code().as_str() {
            "001" => match record.player() {
                Ok(player) => {
                    if let Some(first) = taken.get(&player.no) {
                        file.errors.push(record.error(
                            5..=8,
                            "starting rank",
                            format!("is already the number of line {first}"),
                            "give one of the two another number",
                        ));
                    } else {
                        taken.insert(player.no, no);
                        file.players.push(player);
                    }
                }
                Err(error) => file.errors.push(error),
            },
            code => {
                if let Err(error) = file.event.take(code, &record) {
                    file.errors.push(error);
                }
            }
        }
    }
    if file.players.is_empty() && file.errors.is_empty() {
        file.errors.push(LineError {
            line: 1,
            column: None,
            field: "001".into(),
            value: String::new(),
            problem: "no player record is in the file".into(),
            hint: "choose a report file (TRF16 or TRF26); its players stand in lines that begin \
                   with 001"
                .into(),
        });
    }
    file
}

impl TrfEvent {
    fn take(&mut self, code: &str, record: &Record) -> Result<(), LineError> {
        let text = Some(record.text(5..=usize::MAX)).filter(|text| !text.is_empty());
        let rounds = |text: Option<String>| {
            text.map(|text| {
                text.parse::<u16>()
                    .ok()
                    .filter(|&rounds| rounds > 0)
                    .ok_or_else(|| {
                        record.error(
                            5..=usize::MAX,
                            "number of rounds",
                            "is not a number from 1",
                            "correct it, or remove the line",
                        )
                    })
            })
            .transpose()
        };
        match code {
            "012" => self.name = text,
            "022" => self.city = text,
            "032" => self.federation = text,
            "042" => self.start = text,
            "052" => self.end = text,
            "102" => self.chief_arbiter = text,
            // The records of TRF26 say the same as older ones in a form for programs.
            "122" => self.time_control = self.time_control.take().or(text),
            "222" => self.time_control = text.or(self.time_control.take()),
            "092" => self.system = self.system.take().or(text),
            "192" => self.system = text.or(self.system.take()),
            "142" => self.rounds = rounds(text)?.or(self.rounds),
            "XXR" => self.rounds = self.rounds.or(rounds(text)?),
            _ => {}
        }
        Ok(())
    }
}

/// One line, addressed by columns from 1.
struct Record {
    no: u32,
    /// One entry a column: a character, or what remains of it where columns count bytes.
    columns: Vec<char>,
}

/// Where the blanks between the fields behind the name stand.
const GAPS: [usize; 4] = [48, 53, 57, 69];

/// Fills the columns of a character of several bytes in a line padded by bytes; never text.
const FILLER: char = '\u{0}';

impl Record {
    fn new(no: u32, line: &[u8], encoding: Encoding) -> Self {
        let Ok(text) = std::str::from_utf8(line) else {
            return Self {
                no,
                columns: line.iter().map(|&byte| windows_1252(byte)).collect(),
            };
        };
        if encoding == Encoding::Windows1252 {
            return Self {
                no,
                columns: line.iter().map(|&byte| windows_1252(byte)).collect(),
            };
        }
        let by_character = Self {
            no,
            columns: text.chars().collect(),
        };
        if text.is_ascii() || by_character.fits() {
            return by_character;
        }
        let columns = text
            .chars()
            .flat_map(|c| std::iter::once(c).chain(std::iter::repeat_n(FILLER, c.len_utf8() - 1)));
        let by_byte = Self {
            no,
            columns: columns.collect(),
        };
        if by_byte.fits() {
            by_byte
        } else {
            by_character
        }
    }

    /// The fields behind the name stand where they should.
    fn fits(&self) -> bool {
        let blank = |column: &usize| self.columns.get(column - 1).is_none_or(|c| *c == ' ');
        let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        GAPS.iter().all(blank) && digits(&self.text(49..=52)) && digits(&self.text(58..=68))
    }

    fn code(&self) -> String {
        self.text(1..=3)
    }

    /// The text in the columns, trimmed.
    fn text(&self, columns: std::ops::RangeInclusive<usize>) -> String {
        let from = (columns.start() - 1).min(self.columns.len());
        let to = (*columns.end()).min(self.columns.len());
        let text: String = self.columns[from..to]
            .iter()
            .filter(|c| **c != FILLER)
            .collect();
        text.trim().to_owned()
    }

    fn error(
        &self,
        columns: std::ops::RangeInclusive<usize>,
        field: &str,
        problem: impl Into<String>,
        hint: &str,
    ) -> LineError {
        LineError {
            line: self.no,
            column: u32::try_from(*columns.start()).ok(),
            field: field.into(),
            value: self.text(columns),
            problem: problem.into(),
            hint: hint.into(),
        }
    }

    /// A field that may be empty, parsed.
    fn parsed<T>(
        &self,
        columns: std::ops::RangeInclusive<usize>,
        field: &str,
        hint: &str,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, LineError> {
        match self.text(columns.clone()).as_str() {
            "" => Ok(None),
            text => parse(text)
                .map(Some)
                .map_err(|e| self.error(columns, field, e, hint)),
        }
    }

    fn player(&self) -> Result<Player, LineError> {
        let hint = "write the pairing number, right-aligned in columns 5 to 8";
        let no = self
            .parsed(5..=8, "starting rank", hint, |s| match s.parse() {
                Ok(0) | Err(_) => Err("is not a number from 1".to_owned()),
                Ok(no) => Ok(PlayerNo(no)),
            })?
            .ok_or_else(|| self.error(5..=8, "starting rank", "is empty", hint))?;
        let name = self.text(15..=47);
        if name.is_empty() {
            let hint = "write the name in columns 15 to 47";
            return Err(self.error(15..=47, "name", "is empty", hint));
        }
        let sex = self.parsed(
            10..=10,
            "sex",
            "write m or w, or leave it blank",
            |s| match s.to_ascii_lowercase().as_str() {
                "m" => Ok(Sex::Male),
                "w" | "f" => Ok(Sex::Female),
                _ => Err("is neither m nor w".to_owned()),
            },
        )?;
        let title = self.parsed(11..=13, "title", "correct it, or leave it blank", |s| {
            s.parse()
                .map_err(|e: super::player::ParseTitleError| e.to_string())
        })?;
        let rating = self.parsed(
            49..=52,
            "rating",
            "write digits only in columns 49 to 52",
            parse_rating,
        )?;
        let fide_id = self.parsed(
            58..=68,
            "fide id",
            "write digits only in columns 58 to 68",
            |s| s.parse().map_err(|_| "is not a FIDE number".to_owned()),
        )?;
        let birth = self.parsed(
            70..=79,
            "birth",
            "write it as 1990/01/02 in columns 70 to 79",
            |s| {
                // A date of zeros is how some programs write "not known".
                if s.bytes()
                    .all(|b| matches!(b, b'0' | b'/' | b'-' | b'.' | b' '))
                {
                    return Ok(None);
                }
                s.parse()
                    .map(Some)
                    .map_err(|e: super::player::ParseBirthError| e.to_string())
            },
        )?;
        Ok(Player {
            sex,
            title,
            rating: rating.filter(|&rating| rating > 0),
            federation: Some(self.text(54..=56)).filter(|text| !text.is_empty()),
            fide_id: fide_id.filter(|&id| id > 0),
            birth: birth.flatten(),
            ..Player::new(no, name)
        })
    }
}

/// A byte of Windows-1252; the five bytes without a meaning become the replacement character.
fn windows_1252(byte: u8) -> char {
    const UPPER: [char; 32] = [
        '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž',
        '\u{fffd}', '\u{fffd}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ',
        '\u{fffd}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => UPPER[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}
