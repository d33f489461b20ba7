//! Workbooks (XLSX) of players as the CSV that the core reads: the first sheet, from the line on that
//! names its columns.

use std::io::Cursor;

use calamine::{Data, Reader, Xlsx};
use flagfall_core::tournament::csv::{PlayersFile, read_players};
use jiff::{ToSpan, civil::date};
use thiserror::Error;

/// Why a workbook cannot be read.
#[derive(Debug, Error)]
pub enum WorkbookError {
    /// It is damaged, or protected by a password.
    #[error("the workbook cannot be opened: {0}; save it again as .xlsx without a password")]
    Damaged(#[from] calamine::XlsxError),
    /// No sheet has anything.
    #[error("the workbook has no sheet with players")]
    Empty,
}

/// Lines over the names of the columns that are looked at: titles, dates, empty ones.
const TITLES: usize = 20;

/// A workbook begins like every zip.
pub fn is_workbook(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

/// Reads players from the first sheet that has something. Numbers of lines are those of the sheet.
///
/// # Errors
/// When it cannot be opened or is empty.
pub fn players(bytes: &[u8]) -> Result<PlayersFile, WorkbookError> {
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes))?;
    let mut lines: Vec<String> = Vec::new();
    let mut above = 0;
    for at in 0..book.sheet_names().len() {
        let Some(sheet) = book.worksheet_range_at(at) else {
            break;
        };
        let sheet = sheet?;
        if sheet.is_empty() {
            continue;
        }
        above = sheet.start().map_or(0, |(row, _)| row);
        lines = sheet.rows().map(line).collect();
        break;
    }
    if lines.is_empty() {
        return Err(WorkbookError::Empty);
    }
    let from = |skip: usize| read_players(lines[skip..].join("\r\n").as_bytes());
    let names_columns = |file: &PlayersFile| !file.errors.iter().any(|it| it.field == "header");
    let found = (0..lines.len().min(TITLES))
        .map(|skip| (skip, from(skip)))
        .find(|(_, file)| names_columns(file));
    let (skip, mut file) = found.unwrap_or_else(|| (0, from(0)));
    for error in &mut file.errors {
        error.line += above + u32::try_from(skip).unwrap_or_default();
    }
    Ok(file)
}

fn line(cells: &[Data]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| quoted(&text(cell))).collect();
    cells.join(";")
}

/// A cell as a person would write it.
fn text(cell: &Data) -> String {
    match cell {
        Data::Float(number) if number.fract() == 0.0 => format!("{number:.0}"),
        Data::DateTime(time) => {
            // Days since the end of 1899, with a 29 February 1900 that never was.
            let days = time.as_f64().floor() as i64;
            let day = date(1899, 12, 30).checked_add(days.days());
            day.map_or_else(|_| days.to_string(), |day| day.to_string())
        }
        Data::DateTimeIso(time) => time.split('T').next().unwrap_or(time).to_owned(),
        Data::Empty | Data::Error(_) => String::new(),
        other => other.to_string(),
    }
}

fn quoted(text: &str) -> String {
    let text = text.replace(['\r', '\n'], " ");
    if text.contains([';', '"']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use rust_xlsxwriter::{Format, Workbook};

    use super::*;

    fn workbook(fill: impl FnOnce(&mut rust_xlsxwriter::Worksheet)) -> Vec<u8> {
        let mut book = Workbook::new();
        fill(book.add_worksheet());
        book.save_to_buffer().unwrap()
    }

    #[test]
    fn a_list_as_organisers_keep_it() {
        let bytes = workbook(|sheet| {
            sheet
                .write_string(0, 0, "Кубок міста, список учасників")
                .unwrap();
            let head = ["№", "Прізвище, ім'я", "Рейтинг", "Дата народження", "Клуб"];
            for (at, name) in (0..).zip(head) {
                sheet.write_string(2, at, name).unwrap();
            }
            sheet.write_number(3, 0, 1).unwrap();
            sheet.write_string(3, 1, "Ґаламаґа; \"Їжак\"").unwrap();
            sheet.write_number(3, 2, 2310).unwrap();
            let day = Format::new().set_num_format("dd.mm.yyyy");
            sheet.write_number_with_format(3, 3, 40_908, &day).unwrap();
            sheet.write_string(3, 4, "ДЮСШ").unwrap();
            sheet.write_number(4, 0, 2).unwrap();
            sheet.write_string(4, 1, "Коваль, Олена").unwrap();
            sheet.write_string(4, 2, "багато").unwrap();
        });
        assert!(is_workbook(&bytes));
        let file = players(&bytes).unwrap();
        let player = &file.players[0];
        assert_eq!(player.name, "Ґаламаґа; \"Їжак\"");
        assert_eq!(player.rating, Some(2310));
        assert_eq!(player.birth.unwrap().to_string(), "2011-12-31");
        assert_eq!(player.club.as_deref(), Some("ДЮСШ"));
        assert_eq!(file.errors.len(), 1, "{:?}", file.errors);
        assert_eq!(
            (file.errors[0].line, file.errors[0].field.as_str()),
            (5, "rating")
        );
    }

    #[test]
    fn what_is_no_list_says_so() {
        assert!(matches!(
            players(b"PK\x03\x04junk"),
            Err(WorkbookError::Damaged(_))
        ));
        assert!(matches!(
            players(&workbook(|_| {})),
            Err(WorkbookError::Empty)
        ));
        let file = players(&workbook(|sheet| {
            sheet.write_string(0, 0, "only a title").unwrap();
        }));
        assert_eq!(file.unwrap().errors[0].field, "header");
    }
}
