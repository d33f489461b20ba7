//! A table of any width and length, on as many pages as it takes.

use super::{
    PaperError,
    page::{Align, HEIGHT, Paper, Sheet, Style, WIDTH},
};
use crate::grid::{Cell, Grid};

const EDGE: f32 = 12.0;
/// Between two columns.
const GAP: f32 = 3.0;
/// Letters are made smaller down to this, then texts are cut.
const SMALLEST: f32 = 2.1;
const LARGEST: f32 = 3.4;

pub(super) fn draw(paper: &mut Paper, grid: &Grid) -> Result<(), PaperError> {
    let mut next = 0;
    let mut number = 1;
    loop {
        paper.page(|sheet| {
            next = one(sheet, grid, next, number);
            Ok(())
        })?;
        number += 1;
        if next >= grid.rows.len() {
            return Ok(());
        }
    }
}

/// Draws lines from `from` on and says where the next page begins.
fn one(sheet: &mut Sheet<'_, '_>, grid: &Grid, from: usize, number: usize) -> usize {
    let wide = WIDTH - 2.0 * EDGE;
    let mut y = EDGE + 5.0;
    sheet.fitted(EDGE, y, wide, &grid.title, Style::new(5.2).bold());
    y += 6.0;
    sheet.fitted(EDGE, y, wide - 15.0, &grid.subtitle, Style::new(3.4).soft());
    let page = Style::new(3.2).soft().align(Align::Right);
    sheet.text(WIDTH - EDGE, y, &number.to_string(), page);
    y += 7.0;
    let (size, widths) = layout(sheet, grid, wide);
    let step = size * 1.55;
    let head: Vec<Cell> = grid.head.iter().cloned().map(Cell::Text).collect();
    line(
        sheet,
        y,
        &head,
        grid.rows.first(),
        &widths,
        Style::new(size).bold(),
    );
    y += step * 1.15;
    let mut at = from;
    while at < grid.rows.len() && y < HEIGHT - EDGE {
        line(sheet, y, &grid.rows[at], None, &widths, Style::new(size));
        y += step;
        at += 1;
    }
    // Not even one line fits where there is no room: go on all the same.
    at.max(from + 1)
}

/// The size of the letters, and the width of each column.
fn layout(sheet: &Sheet<'_, '_>, grid: &Grid, wide: f32) -> (f32, Vec<f32>) {
    let widths = |size: f32| -> Vec<f32> {
        (0..grid.head.len())
            .map(|at| {
                let head = sheet.width(&grid.head[at], Style::new(size).bold());
                let cells = grid.rows.iter().filter_map(|row| row.get(at));
                let cells = cells.map(|cell| sheet.width(cell.as_str(), Style::new(size)));
                cells.fold(head, f32::max)
            })
            .collect()
    };
    let gaps = GAP * grid.head.len().saturating_sub(1) as f32;
    let full = widths(LARGEST);
    let room = (wide - gaps).max(1.0);
    let need: f32 = full.iter().sum();
    let size = (LARGEST * room / need.max(1.0)).clamp(SMALLEST, LARGEST);
    let mut widths = widths(size);
    let over = widths.iter().sum::<f32>() - room;
    if over > 0.0 {
        // The widest column, usually the names, gives way.
        let widest = widths.iter_mut().max_by(|a, b| a.total_cmp(b));
        if let Some(widest) = widest {
            *widest = (*widest - over).max(10.0);
        }
    }
    (size, widths)
}

/// A line; `like` says how its cells stand, where that is another line's.
fn line(
    sheet: &mut Sheet<'_, '_>,
    y: f32,
    cells: &[Cell],
    like: Option<&Vec<Cell>>,
    widths: &[f32],
    style: Style,
) {
    let mut x = EDGE;
    for (at, (cell, width)) in cells.iter().zip(widths).enumerate() {
        let model = like.and_then(|row| row.get(at)).unwrap_or(cell);
        if matches!(model, Cell::Number(_)) {
            sheet.text(x + width, y, cell.as_str(), style.align(Align::Right));
        } else {
            sheet.fitted(x, y, *width, cell.as_str(), style);
        }
        x += width + GAP;
    }
}
