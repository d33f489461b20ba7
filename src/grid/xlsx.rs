//! A workbook.

use rust_xlsxwriter::{Format, FormatAlign, Workbook};
use thiserror::Error;

use super::{Cell, Grid};

/// Why there is no workbook.
#[derive(Debug, Error)]
#[error("the workbook could not be made: {0}")]
pub struct XlsxError(#[from] rust_xlsxwriter::XlsxError);

/// The widest column, in characters.
const WIDEST: usize = 40;

pub(super) fn write(grid: &Grid) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    let bold = Format::new().set_bold();
    let head = Format::new()
        .set_bold()
        .set_align(FormatAlign::Center)
        .set_border_bottom(rust_xlsxwriter::FormatBorder::Thin);
    sheet.write_string_with_format(0, 0, &grid.title, &bold)?;
    sheet.write_string(1, 0, &grid.subtitle)?;
    let mut widths: Vec<usize> = vec![4; grid.head.len()];
    for ((at, text), width) in (0..).zip(&grid.head).zip(&mut widths) {
        sheet.write_string_with_format(3, at, text, &head)?;
        *width = (*width).max(text.chars().count());
    }
    for (line, row) in (4..).zip(&grid.rows) {
        for ((at, cell), width) in (0..).zip(row).zip(&mut widths) {
            *width = (*width).max(cell.as_str().chars().count());
            match cell {
                Cell::Number(text) => match text.parse::<f64>() {
                    Ok(number) => sheet.write_number(line, at, number)?,
                    Err(_) => sheet.write_string(line, at, text)?,
                },
                Cell::Text(text) => sheet.write_string(line, at, text)?,
            };
        }
    }
    for (at, width) in (0..).zip(widths) {
        sheet.set_column_width(at, (width.min(WIDEST) + 2) as f64)?;
    }
    sheet.set_freeze_panes(4, 0)?;
    sheet.set_repeat_rows(3, 3)?;
    sheet
        .set_landscape()
        .set_paper_size(9)
        .set_print_fit_to_pages(1, 0);
    Ok(book.save_to_buffer()?)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use calamine::{Data, Reader, Xlsx};

    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let grid = Grid {
            title: "Кубок Києва".into(),
            subtitle: "Турнірна таблиця".into(),
            head: vec!["Місце".into(), "Ім'я".into(), "Очки".into()],
            rows: vec![
                vec![
                    Cell::Number("1".into()),
                    Cell::Text("Ґаламаґа, Їжак".into()),
                    Cell::of("2.5".into()),
                ],
                vec![
                    Cell::Number("2".into()),
                    Cell::Text("=SUM(A1)".into()),
                    Cell::of("½".into()),
                ],
            ],
        };
        let mut book: Xlsx<_> = Xlsx::new(Cursor::new(write(&grid).unwrap())).unwrap();
        let range = book.worksheet_range_at(0).unwrap().unwrap();
        let cell = |row, at| range.get_value((row, at)).cloned().unwrap_or_default();
        assert_eq!(cell(0, 0), Data::String("Кубок Києва".into()));
        assert_eq!(cell(3, 1), Data::String("Ім'я".into()));
        assert_eq!(cell(4, 1), Data::String("Ґаламаґа, Їжак".into()));
        assert_eq!(cell(4, 2), Data::Float(2.5));
        assert_eq!(cell(5, 1), Data::String("=SUM(A1)".into()), "no formula");
        assert_eq!(cell(5, 2), Data::String("½".into()));
    }
}
