//! Players from a CSV file as spreadsheets and entry forms write it.
//!
//! The separator (`;`, `,` or tab) is recognised by the header line, whose column names may be
//! spelt in many ways. Text that is not UTF-8 is read as Windows-1251 or 1252, as old spreadsheets write
//! it, and the guess is said. A broken line is reported with its number, the field and what to do, and the
//! rest is kept. Quotes do not reach over lines: a player is one line.

use std::collections::{BTreeMap, BTreeSet};

use self::column::Column;
use super::{
    LineError,
    player::{Player, Sex},
    trf::{Encoding, guess},
};
use crate::types::PlayerNo;

mod column;

/// What a CSV file brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayersFile {
    /// The players of the lines that could be read, in the order of the file.
    pub players: Vec<Player>,
    /// The numbers that lines gave themselves; all others only come from the order of the lines.
    pub numbered: BTreeSet<PlayerNo>,
    /// The lines that could not.
    pub errors: Vec<LineError>,
    /// Columns that were left aside because their name says nothing to us.
    pub ignored_columns: Vec<String>,
    /// The encoding that was assumed: a guess unless it is UTF-8.
    pub encoding: Encoding,
}

/// Reads players. Without a column of numbers they are numbered from 1 in the order of the file.
pub fn read_players(bytes: &[u8]) -> PlayersFile {
    let mut file = PlayersFile::default();
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        file.errors.push(whole_line(
            1,
            "is UTF-16",
            "save the file again as CSV UTF-8",
            "",
        ));
        return file;
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let encoding = guess(bytes);
    file.encoding = encoding;
    let mut lines = lines(bytes).filter(|(_, line)| !line.trim_ascii().is_empty());
    let Some((header_no, header)) = lines.next() else {
        file.errors.push(whole_line(
            1,
            "is empty",
            "write a header line with a name column",
            "",
        ));
        return file;
    };
    let (header, _) = encoding.decode(header);
    let separator = separator(&header);
    let names = fields(&header, separator);
    let columns: Vec<Option<Column>> = names.iter().map(|name| Column::named(name)).collect();
    for (at, name) in names.iter().enumerate() {
        match columns[at] {
            None if !name.is_empty() => file.ignored_columns.push(name.clone()),
            Some(column) if columns[..at].contains(&Some(column)) => {
                file.errors.push(LineError {
                    line: header_no,
                    column: None,
                    field: column.name().into(),
                    value: name.clone(),
                    problem: "is a second column for the same thing".into(),
                    hint: "rename or remove one of them".into(),
                });
                return file;
            }
            None | Some(_) => {}
        }
    }
    if !columns
        .iter()
        .any(|column| matches!(column, Some(Column::Name | Column::Surname)))
    {
        file.errors.push(LineError {
            line: header_no,
            column: None,
            field: "header".into(),
            value: header.trim().to_owned(),
            problem: "names no column for the players".into(),
            hint: "the first line must name the columns, one of them \"name\"".into(),
        });
        return file;
    }

    let mut taken: BTreeMap<PlayerNo, u32> = BTreeMap::new();
    for (line_no, line) in lines {
        match Line::new(line_no, encoding, line, separator, &columns).and_then(|line| line.player())
        {
            Ok((no, mut player)) => {
                if let Some(no) = no {
                    if let Some(first) = taken.insert(no, line_no) {
                        taken.insert(no, first);
                        file.errors.push(LineError {
                            line: line_no,
                            column: None,
                            field: Column::No.name().into(),
                            value: no.to_string(),
                            problem: format!("is already the number of line {first}"),
                            hint: "give one of the two another number".into(),
                        });
                        continue;
                    }
                    player.no = no;
                }
                file.players.push(player);
            }
            Err(error) => file.errors.push(error),
        }
    }
    file.numbered = taken.into_keys().collect();
    number(&mut file.players, &file.numbered);
    file
}

/// Gives those without a number the lowest free ones.
fn number(players: &mut [Player], taken: &BTreeSet<PlayerNo>) {
    let mut free = (1..=u16::MAX)
        .map(PlayerNo)
        .filter(|no| !taken.contains(no));
    for player in players.iter_mut().filter(|player| player.no == UNNUMBERED) {
        if let Some(no) = free.next() {
            player.no = no;
        }
    }
}

const UNNUMBERED: PlayerNo = PlayerNo(0);

/// One line by its columns.
struct Line<'a> {
    no: u32,
    columns: &'a [Option<Column>],
    fields: Vec<String>,
}

impl<'a> Line<'a> {
    fn new(
        no: u32,
        encoding: Encoding,
        line: &[u8],
        separator: u8,
        columns: &'a [Option<Column>],
    ) -> Result<Self, LineError> {
        let (line, whole) = encoding.decode(line);
        let shown = line.trim();
        if !whole {
            return Err(whole_line(
                no,
                &format!("is not {}", encoding.name()),
                "save the file again as CSV UTF-8",
                shown,
            ));
        }
        if shown.matches('"').count() % 2 == 1 {
            return Err(whole_line(
                no,
                "has a quotation mark without its pair",
                "close it, or remove it",
                shown,
            ));
        }
        let fields = fields(&line, separator);
        if let Some(extra) = fields.get(columns.len()..)
            && extra.iter().any(|field| !field.is_empty())
        {
            return Err(whole_line(
                no,
                &format!(
                    "has {} fields where the header has {}",
                    fields.len(),
                    columns.len()
                ),
                "put a field that contains the separator into quotation marks",
                shown,
            ));
        }
        Ok(Self {
            no,
            columns,
            fields,
        })
    }

    fn field(&self, column: Column) -> &str {
        self.columns
            .iter()
            .position(|&c| c == Some(column))
            .and_then(|at| self.fields.get(at))
            .map_or("", String::as_str)
    }

    fn error(&self, column: Column, problem: impl Into<String>, hint: &str) -> LineError {
        LineError {
            line: self.no,
            column: None,
            field: column.name().into(),
            value: self.field(column).to_owned(),
            problem: problem.into(),
            hint: hint.to_owned(),
        }
    }

    fn text(&self, column: Column) -> Option<String> {
        Some(self.field(column).to_owned()).filter(|text| !text.is_empty())
    }

    /// A field that may be empty, parsed.
    fn parsed<T>(
        &self,
        column: Column,
        hint: &str,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, LineError> {
        match self.field(column) {
            "" | "-" => Ok(None),
            text => parse(text)
                .map(Some)
                .map_err(|problem| self.error(column, problem, hint)),
        }
    }

    fn player(&self) -> Result<(Option<PlayerNo>, Player), LineError> {
        let surname = self.field(Column::Surname);
        let first = self.field(Column::FirstName);
        let name = match (self.field(Column::Name), surname, first) {
            ("", "", _) => {
                let column = if self.columns.contains(&Some(Column::Name)) {
                    Column::Name
                } else {
                    Column::Surname
                };
                return Err(self.error(column, "is empty", "write the player's name"));
            }
            ("", surname, "") => surname.to_owned(),
            // A file with surname and "name" means the first name by the latter.
            ("", surname, first) | (first, surname, "") if !surname.is_empty() => {
                format!("{surname}, {first}")
            }
            (name, _, _) => name.to_owned(),
        };
        if !name.contains(char::is_alphabetic) {
            return Err(whole_line(
                self.no,
                "names no player",
                "write the player's name",
                &name,
            ));
        }
        let no = self.parsed(
            Column::No,
            "write a whole number from 1, or leave it empty",
            |s| match s.trim_end_matches('.').parse() {
                Ok(0) | Err(_) => Err("is not a number from 1 to 65535".into()),
                Ok(no) => Ok(PlayerNo(no)),
            },
        )?;
        let rating = self.parsed(
            Column::Rating,
            "write digits only, or leave it empty",
            parse_rating,
        )?;
        let birth = self.parsed(Column::Birth, "write 2011 or 2011-04-30", |s| {
            s.parse()
                .map_err(|e: super::player::ParseBirthError| e.to_string())
        })?;
        let fide_id = self.parsed(
            Column::FideId,
            "write digits only, or leave it empty",
            |s| s.parse().map_err(|_| "is not a FIDE number".to_owned()),
        )?;
        let title = self.parsed(Column::Title, "correct it, or leave it empty", |s| {
            s.parse()
                .map_err(|e: super::player::ParseTitleError| e.to_string())
        })?;
        let sex = self.parsed(Column::Sex, "write m or w, or leave it empty", |s| match s
            .to_lowercase()
            .as_str()
        {
            "m" | "male" | "ч" | "м" | "чол" | "муж" => Ok(Sex::Male),
            "w" | "f" | "female" | "ж" | "жін" | "жен" => Ok(Sex::Female),
            _ => Err("is neither m nor w".to_owned()),
        })?;
        let federation = self.parsed(Column::Federation, "write three letters like UKR", |s| {
            if s.len() == 3 && s.bytes().all(|b| b.is_ascii_alphabetic()) {
                Ok(s.to_ascii_uppercase())
            } else {
                Err("is not a federation code".to_owned())
            }
        })?;
        let player = Player {
            title,
            rating: rating.filter(|&rating| rating > 0),
            federation,
            birth,
            fide_id: fide_id.filter(|&id| id > 0),
            sex,
            club: self.text(Column::Club),
            ..Player::new(UNNUMBERED, name)
        };
        Ok((no, player))
    }
}

/// A rating of at most four digits; 0 = unrated.
pub(crate) fn parse_rating(text: &str) -> Result<u16, String> {
    match text.parse() {
        Ok(rating @ 0..=3999) => Ok(rating),
        Err(_) if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) => {
            Err("is not a whole number".to_owned())
        }
        Ok(_) | Err(_) => Err("is not a rating from 0 to 3999".to_owned()),
    }
}

fn whole_line(line: u32, problem: &str, hint: &str, value: &str) -> LineError {
    LineError {
        line,
        column: None,
        field: "line".into(),
        value: value.into(),
        problem: problem.into(),
        hint: hint.into(),
    }
}

/// The sign that the header has most of.
fn separator(header: &str) -> u8 {
    let count = |sign: u8| header.bytes().filter(|&b| b == sign).count();
    // At equal counts the first wins: a semicolon is never part of a column's name.
    [b',', b'\t', b';']
        .into_iter()
        .max_by_key(|&sign| count(sign))
        .unwrap_or(b',')
}

/// The fields of a line whose quotation marks are paired.
fn fields(line: &str, separator: u8) -> Vec<String> {
    let mut record = csv::StringRecord::new();
    let read = csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(line.as_bytes())
        .read_record(&mut record);
    match read {
        Ok(_) => record.iter().map(str::to_owned).collect(),
        Err(_) => Vec::new(),
    }
}

/// Lines with their numbers; ends CR, LF and CRLF.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = (u32, &[u8])> {
    let mut rest = bytes;
    let mut no = 0;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        no += 1;
        let end = rest
            .iter()
            .position(|b| matches!(b, b'\r' | b'\n'))
            .unwrap_or(rest.len());
        let line = &rest[..end];
        rest = &rest[end..];
        rest = rest
            .strip_prefix(b"\r\n")
            .or_else(|| rest.get(1..))
            .unwrap_or_default();
        Some((no, line))
    })
}
