//! Slips on which the players write the result and sign it.

use flagfall_core::{
    hub::view::{PaperPlayer, PaperTable, PaperView},
    pairing::words::Language,
};

use super::{
    PaperError,
    page::{Align, HEIGHT, Paper, Sheet, Style, WIDTH},
    words::Words,
};

/// A slip is A6: a quarter of an A4 page.
const SLIP: (f32, f32) = (WIDTH / 2.0, HEIGHT / 2.0);
const EDGE: f32 = 9.0;

pub(super) fn draw(
    paper: &mut Paper,
    view: &PaperView,
    language: Language,
) -> Result<(), PaperError> {
    let words = Words::of(language);
    for four in view.tables.chunks(4) {
        paper.page(|sheet| {
            for (at, table) in four.iter().enumerate() {
                let corner = (SLIP.0 * (at % 2) as f32, SLIP.1 * (at / 2) as f32);
                slip(sheet, corner, view, table, words);
            }
            sheet.cut((SLIP.0, 0.0), (SLIP.0, HEIGHT));
            sheet.cut((0.0, SLIP.1), (WIDTH, SLIP.1));
            Ok(())
        })?;
    }
    if view.tables.is_empty() {
        paper.page(|sheet| {
            let style = Style::new(7.0).align(Align::Centre);
            sheet.text(WIDTH / 2.0, 40.0, words.none, style);
            Ok(())
        })?;
    }
    Ok(())
}

fn slip(
    sheet: &mut Sheet<'_, '_>,
    (x, y): (f32, f32),
    view: &PaperView,
    table: &PaperTable,
    words: &Words,
) {
    let (left, right) = (x + EDGE, x + SLIP.0 - EDGE);
    let width = right - left;
    sheet.fitted(left, y + 14.0, width, &view.event, Style::new(4.4).soft());
    let round = view
        .round
        .map_or_else(String::new, |round| format!("{} {round}", words.round));
    sheet.text(left, y + 25.0, &round, Style::new(6.2).bold());
    let number = format!("{} {}", words.table, table.table);
    sheet.text(
        right,
        y + 25.0,
        &number,
        Style::new(6.2).bold().align(Align::Right),
    );
    sheet.line((left, y + 29.0), (right, y + 29.0), 0.4);
    player(
        sheet,
        (left, y + 38.0),
        width,
        &table.white,
        words.white,
        false,
    );
    player(
        sheet,
        (left, y + 56.0),
        width,
        &table.black,
        words.black,
        true,
    );
    sheet.text(left, y + 75.0, words.result, Style::new(4.2).soft());
    let cell = (width - 8.0) / 3.0;
    for (at, text) in ["1 – 0", "½ – ½", "0 – 1"].into_iter().enumerate() {
        let from = left + (cell + 4.0) * at as f32;
        sheet.frame(from, y + 78.0, cell, 17.0, 0.5);
        let style = Style::new(6.6).bold().align(Align::Centre);
        sheet.text(from + cell / 2.0, y + 89.0, text, style);
    }
    for (at, side) in [words.white, words.black].into_iter().enumerate() {
        let base = y + 116.0 + 18.0 * at as f32;
        sheet.line((left, base), (right, base), 0.3);
        let style = Style::new(3.8).soft();
        sheet.text(
            left,
            base + 4.8,
            &format!("{}: {side}", words.signed),
            style,
        );
    }
}

fn player(
    sheet: &mut Sheet<'_, '_>,
    (x, y): (f32, f32),
    width: f32,
    player: &PaperPlayer,
    side: &str,
    full: bool,
) {
    sheet.circle(x + 2.4, y - 1.2, 2.2, (!full).then_some(0.5));
    sheet.text(x + 7.0, y, side, Style::new(3.8).soft());
    sheet.fitted(x, y + 8.4, width, &player.name, Style::new(6.0).bold());
}
