//! Comma-separated values.

use super::{Cell, Grid};

pub(super) fn write(grid: &Grid) -> String {
    let mut text = String::from("\u{feff}");
    let head: Vec<Cell> = grid.head.iter().cloned().map(Cell::Text).collect();
    for row in [&head].into_iter().chain(&grid.rows) {
        let cells: Vec<String> = row.iter().map(quoted).collect();
        text.push_str(&cells.join(","));
        text.push_str("\r\n");
    }
    text
}

/// A cell; what a spreadsheet would take for a formula is made a text.
fn quoted(cell: &Cell) -> String {
    let text = cell.as_str();
    let formula = matches!(cell, Cell::Text(_)) && text.starts_with(['=', '+', '-', '@', '\t']);
    let text = if formula {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    if text.contains([',', '"', '\n', '\r', ';']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_would_break_a_line_or_calculate() {
        for (cell, written) in [
            (Cell::Text("Коваль, Олена".into()), "\"Коваль, Олена\""),
            (Cell::Text("=1+1".into()), "'=1+1"),
            (Cell::Text("O\"Neil".into()), "\"O\"\"Neil\""),
            (Cell::Number("-2.5".into()), "-2.5"),
        ] {
            assert_eq!(quoted(&cell), written);
        }
    }
}
