//! What is printed for the hall: how mechanical clocks are set, cards for the tables, slips for the
//! results. PDF of A4 pages, in Ukrainian, Russian and English, with its fonts in it.

mod cards;
mod flags;
mod page;
mod setting;
mod slips;
mod table;
mod words;

use flagfall_core::{clock::TimeControl, hub::view::PaperView, pairing::words::Language};
use thiserror::Error;

use self::page::Paper;
use crate::grid::Grid;

/// Why there is no paper.
#[derive(Debug, Error)]
pub enum PaperError {
    /// A part of the drawing did not come out.
    #[error("the page could not be made: {0}")]
    Drawing(String),
    /// The address of a table does not fit into a code.
    #[error("the address of the table is too long for its code")]
    Address,
}

/// How mechanical clocks are set for a time control (R-CD-7).
///
/// # Errors
/// The PDF could not be made.
pub fn setting_sheet(
    event: &str,
    control: &TimeControl,
    language: Language,
) -> Result<Vec<u8>, PaperError> {
    let mut paper = Paper::new()?;
    setting::draw(&mut paper, event, control, language)?;
    paper.finish()
}

/// A card of A5 for each table: its number, who plays there, and the code of its page below `site`.
///
/// # Errors
/// The PDF could not be made.
pub fn table_cards(
    view: &PaperView,
    site: &str,
    language: Language,
) -> Result<Vec<u8>, PaperError> {
    let mut paper = Paper::new()?;
    cards::draw(&mut paper, view, site, language)?;
    paper.finish()
}

/// A slip of A6 for each table, on which the players write the result and sign it.
///
/// # Errors
/// The PDF could not be made.
pub fn result_slips(view: &PaperView, language: Language) -> Result<Vec<u8>, PaperError> {
    let mut paper = Paper::new()?;
    slips::draw(&mut paper, view, language)?;
    paper.finish()
}

/// A table on A4 pages, each with the heads of the columns.
///
/// # Errors
/// The PDF could not be made.
pub fn table(grid: &Grid) -> Result<Vec<u8>, PaperError> {
    let mut paper = Paper::new()?;
    table::draw(&mut paper, grid)?;
    paper.finish()
}

#[cfg(test)]
mod tests {
    use flagfall_core::{
        hub::view::{PaperPlayer, PaperTable},
        types::{PlayerNo, RoundNo, TableNo},
    };

    use super::*;

    fn player(no: u16, name: &str, federation: &str) -> PaperPlayer {
        PaperPlayer {
            no: PlayerNo(no),
            name: name.to_owned(),
            federation: Some(federation.to_owned()),
            rating: Some(2400 - no),
        }
    }

    fn view(tables: u16) -> PaperView {
        PaperView {
            event: "Кубок Києва".to_owned(),
            time_control: "90/40+30:30+30".to_owned(),
            round: Some(RoundNo(3)),
            published: true,
            tables: (1..=tables)
                .map(|table| PaperTable {
                    table: TableNo(table),
                    white: player(1, "Ґаламаґа-Єщенко, Їжакевич Соломія", "UKR"),
                    black: player(2, "Łukasiewicz, Zofia", "POL"),
                })
                .collect(),
        }
    }

    /// How many pages a file has.
    fn pages(pdf: &[u8]) -> usize {
        assert!(pdf.starts_with(b"%PDF-"), "no PDF");
        let text = String::from_utf8_lossy(pdf);
        let count = text.split("/Count ").nth(1).unwrap();
        let digits: String = count.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().unwrap()
    }

    #[test]
    fn every_paper_is_made_in_every_language() {
        let control: TimeControl = "120/40:60/20:15+30".parse().unwrap();
        for language in [Language::English, Language::Ukrainian, Language::Russian] {
            let sheet = setting_sheet("Кубок Києва", &control, language).unwrap();
            assert_eq!(pages(&sheet), 1);
            let site = "http://192.168.1.20:8080";
            let cards = table_cards(&view(5), site, language).unwrap();
            assert_eq!(pages(&cards), 3, "two on a page");
            let slips = result_slips(&view(5), language).unwrap();
            assert_eq!(pages(&slips), 2, "four on a page");
            if let Some(dir) = std::env::var_os("FLAGFALL_PAPER") {
                let dir = std::path::PathBuf::from(dir);
                for (name, pdf) in [("setting", &sheet), ("cards", &cards), ("slips", &slips)] {
                    std::fs::write(dir.join(format!("{name}-{language:?}.pdf")), pdf).unwrap();
                }
            }
        }
        assert_eq!(
            pages(&table_cards(&view(0), "http://hub", Language::English).unwrap()),
            1,
            "an empty page, rather than no file"
        );
    }

    #[test]
    fn a_long_table_takes_more_pages() {
        use crate::grid::Cell;
        let row = |no: u16| {
            let name = Cell::Text(format!("Ґаламаґа-Єщенко {no}, Їжакевич Соломія Остапівна"));
            let figures = (0..20).map(|at| Cell::Text(format!("{at}w½")));
            [Cell::Number(no.to_string()), name]
                .into_iter()
                .chain(figures)
                .collect()
        };
        let grid = |rows: u16| Grid {
            title: "Кубок".into(),
            subtitle: "Таблиця".into(),
            head: (0..22).map(|at| at.to_string()).collect(),
            rows: (1..=rows).map(row).collect(),
        };
        assert_eq!(pages(&table(&grid(0)).unwrap()), 1);
        assert_eq!(pages(&table(&grid(20)).unwrap()), 1);
        let many = pages(&table(&grid(400)).unwrap());
        assert!((4..=9).contains(&many), "{many}");
    }

    #[test]
    fn a_control_with_many_periods_takes_more_pages() {
        let control: TimeControl = "10/5:10/5:10/5:10/5:10/5:10/5:10".parse().unwrap();
        let sheet = setting_sheet("Cup", &control, Language::English).unwrap();
        assert_eq!(pages(&sheet), 2);
    }
}
