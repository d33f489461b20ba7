//! Tables that leave the hub as files: CSV, XLSX, PDF.

mod csv;
mod xlsx;

use flagfall_core::{hub::view::EventTable, types::PlayerNo};

pub use self::xlsx::XlsxError;
use crate::web::event::words::Words;

/// A table with its heading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// What it is of, e.g. the event.
    pub title: String,
    /// What it shows, and what it rests on.
    pub subtitle: String,
    /// The heads of the columns.
    pub head: Vec<String>,
    /// The lines; each has as many cells as there are columns.
    pub rows: Vec<Vec<Cell>>,
}

/// One cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Words: left-aligned.
    Text(String),
    /// A number as it is written, with a point; right-aligned.
    Number(String),
}

impl Cell {
    /// What stands there.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Text(text) | Self::Number(text) => text,
        }
    }

    /// A number where it is one.
    pub fn of(text: String) -> Self {
        if text.parse::<f64>().is_ok_and(f64::is_finite) {
            Self::Number(text)
        } else {
            Self::Text(text)
        }
    }
}

impl Grid {
    /// Comma-separated, UTF-8 with the mark by which spreadsheets know it.
    pub fn csv(&self) -> String {
        csv::write(self)
    }

    /// A workbook with one sheet, whose numbers are numbers.
    ///
    /// # Errors
    /// When a sheet cannot hold it.
    pub fn xlsx(&self) -> Result<Vec<u8>, XlsxError> {
        xlsx::write(self)
    }
}

/// Which table of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Places, points, tie-breaks.
    Standings,
    /// The same with every round.
    Crosstable,
}

/// A table of an event. Without names players stand there by their numbers only.
pub(crate) fn of_event(
    table: &EventTable,
    which: Which,
    names: bool,
    words: &Words,
    cell: impl Fn(&flagfall_core::hub::view::CellView) -> String,
) -> Grid {
    let mut head = vec![words.place.to_owned(), words.number.to_owned()];
    if names {
        head.extend([words.title, words.name, words.rating, words.federation].map(str::to_owned));
    }
    if which == Which::Crosstable {
        head.extend((1..=table.round).map(|round| round.to_string()));
    }
    head.push(words.points.to_owned());
    head.extend(table.tie_breaks.iter().cloned());
    let number = |no: PlayerNo| Cell::Number(no.to_string());
    let rows = table.lines.iter().map(|line| {
        let mut row = vec![Cell::Number(line.place.to_string()), number(line.player.no)];
        if names {
            let player = &line.player;
            let text = |text: Option<String>| Cell::Text(text.unwrap_or_default());
            row.push(text(player.title.map(|title| title.to_string())));
            row.push(Cell::Text(player.name.clone()));
            row.push(Cell::of(
                player.rating.map(|it| it.to_string()).unwrap_or_default(),
            ));
            row.push(text(player.federation.clone()));
        }
        if which == Which::Crosstable {
            row.extend(line.cells.iter().map(|it| Cell::Text(cell(it))));
        }
        row.push(Cell::of(line.points.clone()));
        row.extend(line.figures.iter().map(|it| Cell::of(it.text.clone())));
        row
    });
    let shown = match which {
        Which::Standings => words.standings,
        Which::Crosstable => words.crosstable,
    };
    let state = words.after(table.round, table.rounds);
    Grid {
        title: table.event.clone(),
        subtitle: format!("{shown}. {state}."),
        head,
        rows: rows.collect(),
    }
}
