//! How mechanical clocks are set for a time control: a dial for each control (R-CD-7).

use flagfall_core::{
    clock::{
        PerMove, SideControl, TimeControl,
        hands::{HandControl, Hands, hand_controls},
    },
    pairing::words::Language,
    types::Color,
};

use super::{
    PaperError,
    page::{Align, Paper, Sheet, Style, WIDTH},
    words::Words,
};

/// Dials in a row and rows on a page.
const ACROSS: usize = 2;
const DOWN: usize = 3;
const RADIUS: f32 = 27.0;

pub(super) fn draw(
    paper: &mut Paper,
    event: &str,
    control: &TimeControl,
    language: Language,
) -> Result<(), PaperError> {
    let words = Words::of(language);
    let mut dials = Vec::new();
    for (side, name) in [(Color::White, words.white), (Color::Black, words.black)] {
        let side_control = control.of(side);
        for (at, hands) in hand_controls(side_control).into_iter().enumerate() {
            let mut title = words.control(at + 1);
            if control.is_unequal() {
                title = format!("{name}: {title}");
            }
            dials.push((title, hands));
        }
        if !control.is_unequal() {
            break;
        }
    }
    let added = [Color::White, Color::Black]
        .into_iter()
        .any(|side| adds(control.of(side)));
    for page in dials.chunks(ACROSS * DOWN) {
        paper.page(|sheet| {
            let middle = WIDTH / 2.0;
            let head = Style::new(9.5).bold().align(Align::Centre);
            sheet.fitted(middle, 26.0, 180.0, words.setting, head);
            let under = Style::new(5.5).align(Align::Centre);
            sheet.fitted(middle, 36.0, 180.0, event, under);
            let shown = control.to_string();
            sheet.fitted(middle, 45.0, 180.0, &shown, under.bold());
            for (at, (title, hands)) in page.iter().enumerate() {
                let alone = page.len() == 1;
                let x = if alone {
                    middle
                } else {
                    WIDTH * (0.27 + 0.46 * (at % ACROSS) as f32)
                };
                let y = 88.0 + 78.0 * (at / ACROSS) as f32;
                dial(sheet, (x, y), title, hands, words);
            }
            if added {
                let note = Style::new(4.2).align(Align::Centre).soft();
                sheet.fitted(middle, 286.0, 190.0, words.electronic, note);
            }
            Ok(())
        })?;
    }
    Ok(())
}

fn adds(side: &SideControl) -> bool {
    let mut periods = side.periods().iter();
    periods.any(|period| period.per_move != PerMove::Nothing)
}

fn dial(
    sheet: &mut Sheet<'_, '_>,
    (x, y): (f32, f32),
    title: &str,
    control: &HandControl,
    words: &Words,
) {
    let moves = control
        .moves
        .map_or(words.rest.to_owned(), |n| words.moves(n));
    let minutes = control.base.as_secs() / 60;
    let head = format!("{title} · {moves} · {minutes} {}", words.min);
    let bold = Style::new(4.4).bold().align(Align::Centre);
    sheet.fitted(x, y - RADIUS - 4.0, 88.0, &head, bold);
    sheet.circle(x, y, RADIUS, Some(0.8));
    for mark in 0..60 {
        let turn = mark as f32 / 60.0;
        let (inner, width) = if mark % 5 == 0 {
            (0.88, 0.7)
        } else {
            (0.95, 0.25)
        };
        let (from, to) = (
            at(x, y, turn, RADIUS * inner),
            at(x, y, turn, RADIUS * 0.98),
        );
        sheet.line(from, to, width);
    }
    let figure = Style::new(5.6).bold().align(Align::Centre);
    for hour in 1..=12_u8 {
        let (px, py) = at(x, y, f32::from(hour) / 12.0, RADIUS * 0.75);
        sheet.text(px, py + 2.0, &hour.to_string(), figure);
    }
    // The flag hangs before twelve on the minutes.
    hands(sheet, (x, y), control.from);
    let line = Style::new(4.6).align(Align::Centre);
    let set = format!("{} {}", words.starts, control.from.text());
    sheet.fitted(x, y + RADIUS + 6.5, 92.0, &set, line.bold());
    let falls = format!("{} {}", words.falls, control.falls.text());
    sheet.fitted(x, y + RADIUS + 12.5, 92.0, &falls, line);
    if control.laps {
        let note = Style::new(3.6).align(Align::Centre).soft();
        sheet.fitted(x, y + RADIUS + 17.5, 92.0, words.laps, note);
    }
}

fn hands(sheet: &mut Sheet<'_, '_>, (x, y): (f32, f32), hands: Hands) {
    for (turn, length, width) in [
        (hands.hour_turn(), 0.5, 2.2),
        (hands.minute_turn(), 0.82, 1.3),
    ] {
        let tail = at(x, y, turn + 0.5, RADIUS * 0.1);
        sheet.hand(tail, at(x, y, turn, RADIUS * length), width);
    }
    sheet.circle(x, y, 1.8, None);
}

/// The point of a turn clockwise from twelve.
fn at(x: f32, y: f32, turn: f32, radius: f32) -> (f32, f32) {
    let angle = turn * std::f32::consts::TAU;
    (x + radius * angle.sin(), y - radius * angle.cos())
}
