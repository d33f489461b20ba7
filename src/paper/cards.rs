//! Cards for the tables: the number for who looks for it, the names, and the code of the table's page.

use flagfall_core::{
    hub::view::{PaperPlayer, PaperTable, PaperView},
    pairing::words::Language,
};
use qrcode::{Color, EcLevel, QrCode};

use super::{
    PaperError, flags,
    page::{Align, HEIGHT, INK, Paper, Sheet, Style, WIDTH},
    words::Words,
};

/// A card is half an A4 page.
const CARD: f32 = HEIGHT / 2.0;
const EDGE: f32 = 14.0;
const CODE: f32 = 38.0;

pub(super) fn draw(
    paper: &mut Paper,
    view: &PaperView,
    site: &str,
    language: Language,
) -> Result<(), PaperError> {
    let words = Words::of(language);
    for pair in view.tables.chunks(2) {
        paper.page(|sheet| {
            for (at, table) in pair.iter().enumerate() {
                card(sheet, CARD * at as f32, view, table, site, words)?;
            }
            sheet.cut((0.0, CARD), (WIDTH, CARD));
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

fn card(
    sheet: &mut Sheet<'_, '_>,
    top: f32,
    view: &PaperView,
    table: &PaperTable,
    site: &str,
    words: &Words,
) -> Result<(), PaperError> {
    let right = WIDTH - EDGE;
    let round = view.round.map(|round| format!("{} {round}", words.round));
    let head = [Some(view.event.clone()), round];
    let head: Vec<String> = head.into_iter().flatten().collect();
    let small = Style::new(4.8).soft();
    sheet.fitted(EDGE, top + 15.0, 120.0, &head.join(" · "), small);
    sheet.text(EDGE, top + 25.0, words.table, Style::new(6.0).soft());
    let number = Style::new(44.0).bold();
    sheet.fitted(
        EDGE - 2.0,
        top + 63.0,
        110.0,
        &table.table.to_string(),
        number,
    );
    code(
        sheet,
        right - CODE,
        top + 12.0,
        &format!("{site}/table/{}", table.table),
    )?;
    let under = Style::new(3.8).align(Align::Centre).soft();
    sheet.text(
        right - CODE / 2.0,
        top + 12.0 + CODE + 5.0,
        words.follow,
        under,
    );
    for (at, (player, side, full)) in [
        (&table.white, words.white, false),
        (&table.black, words.black, true),
    ]
    .into_iter()
    .enumerate()
    {
        line(sheet, top + 86.0 + 30.0 * at as f32, player, side, full);
    }
    Ok(())
}

fn line(sheet: &mut Sheet<'_, '_>, y: f32, player: &PaperPlayer, side: &str, full: bool) {
    let right = WIDTH - EDGE;
    sheet.line((EDGE, y - 12.0), (right, y - 12.0), 0.3);
    sheet.circle(EDGE + 4.0, y - 2.2, 3.6, (!full).then_some(0.6));
    sheet.text(EDGE + 11.0, y - 5.0, side, Style::new(3.8).soft());
    let facts = [
        player.federation.clone(),
        player.rating.map(|rating| rating.to_string()),
    ];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    let style = Style::new(5.6).align(Align::Right);
    let facts = facts.join(" · ");
    let mut end = right;
    if !facts.is_empty() {
        sheet.text(end, y + 5.0, &facts, style);
        end -= sheet.width(&facts, style) + 3.0;
    }
    if let Some(code) = &player.federation
        && flags::draw(sheet, code, end - 10.5, y - 1.4, 7.0)
    {
        end -= 13.5;
    }
    let name = Style::new(10.5).bold();
    sheet.fitted(EDGE + 11.0, y + 6.0, end - EDGE - 13.0, &player.name, name);
}

/// The QR code of an address with its quiet zone inside the square.
fn code(sheet: &mut Sheet<'_, '_>, x: f32, y: f32, address: &str) -> Result<(), PaperError> {
    let code = QrCode::with_error_correction_level(address, EcLevel::M)
        .map_err(|_| PaperError::Address)?;
    let width = code.width();
    let unit = CODE / (width + 4) as f32;
    for (at, colour) in code.to_colors().into_iter().enumerate() {
        if colour == Color::Dark {
            let (column, row) = (at % width, at / width);
            let place = |n: usize| (n + 2) as f32 * unit;
            // A hair wider, so that printers leave no gaps between the dots.
            sheet.fill(
                x + place(column),
                y + place(row),
                unit * 1.02,
                unit * 1.02,
                INK,
            );
        }
    }
    Ok(())
}
