//! A game as PGN: the seven-tag roster, `%clk` after each move, lines within 80 columns.

use std::{fmt::Write as _, time::Duration};

use shakmaty::Color;

use super::{game::GameRecord, result::Outcome};

/// What stands in the tags. Empty texts become `?`, as the standard asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnTags {
    /// Name of the event.
    pub event: String,
    /// Place.
    pub site: String,
    /// `2026.11.30`; unknown parts as `??`.
    pub date: String,
    /// Round, perhaps with the table: `3` or `3.12`.
    pub round: String,
    /// `Surname, Name`.
    pub white: String,
    /// `Surname, Name`.
    pub black: String,
    /// The result; `None` while it is open.
    pub result: Option<Outcome>,
    /// Further tags in the order given, e.g. `TimeControl`, `Termination`, `Board`.
    pub more: Vec<(String, String)>,
}

/// Columns of the move text.
const WIDTH: usize = 79;

/// Writes the game. Ends with an empty line, so that games can be put one after the other.
#[must_use]
pub fn write(tags: &PgnTags, game: &GameRecord) -> String {
    let mut out = String::new();
    let token = tags.result.map_or("*", Outcome::token);
    let date = if tags.date.is_empty() {
        "????.??.??"
    } else {
        &tags.date
    };
    let roster = [
        ("Event", tags.event.as_str()),
        ("Site", &tags.site),
        ("Date", date),
        ("Round", &tags.round),
        ("White", &tags.white),
        ("Black", &tags.black),
        ("Result", token),
    ];
    for (name, value) in roster {
        tag(&mut out, name, if value.is_empty() { "?" } else { value });
    }
    if let Some(fen) = &game.start {
        tag(&mut out, "SetUp", "1");
        tag(&mut out, "FEN", fen);
    }
    for (name, value) in &tags.more {
        tag(&mut out, name, value);
    }
    out.push('\n');
    wrap(&mut out, &move_text(game, token));
    out.push('\n');
    out
}

fn tag(out: &mut String, name: &str, value: &str) {
    let name: String = name
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '_')
        .collect();
    let value: String = value
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    // Writing to a string cannot fail.
    let _ = writeln!(out, "[{name} \"{value}\"]");
}

/// The move text as pieces that must not be broken.
fn move_text(game: &GameRecord, token: &str) -> Vec<String> {
    let (first_number, first_side) = first_move(game.start.as_deref());
    let mut pieces = Vec::new();
    let mut number_due = true;
    let offset = usize::from(first_side == Color::Black);
    for (index, recorded) in game.moves.iter().enumerate() {
        let half = index + offset;
        let number = first_number + half / 2;
        if half.is_multiple_of(2) {
            pieces.push(format!("{number}."));
        } else if number_due {
            pieces.push(format!("{number}..."));
        }
        pieces.push(recorded.made.san.clone());
        number_due = false;
        if let Some(times) = recorded.times {
            pieces.push(format!(
                "{{[%clk {}]}}",
                clock_time(times.of(recorded.made.side))
            ));
            number_due = true;
        }
        number_due |= comments(&mut pieces, game, index + 2);
        if index == 0 {
            // An attempt before any move stands with the first one.
            number_due |= comments(&mut pieces, game, 1);
        }
    }
    if game.moves.is_empty() {
        comments(&mut pieces, game, 1);
    }
    pieces.push(token.to_owned());
    pieces
}

/// Illegal attempts at this half-move; says whether there were any.
fn comments(pieces: &mut Vec<String>, game: &GameRecord, ply: usize) -> bool {
    let before = pieces.len();
    for attempt in game
        .illegal
        .iter()
        .filter(|attempt| usize::from(attempt.ply) == ply)
    {
        let side = attempt.side.fold_wb("White", "Black");
        let text = format!(
            "{{Illegal by {side}: {}}}",
            attempt.offending.replace('}', "")
        );
        pieces.extend(text.split(' ').map(ToOwned::to_owned));
    }
    pieces.len() > before
}

/// Move number and side of the first move.
fn first_move(start: Option<&str>) -> (usize, Color) {
    let mut fields = start.unwrap_or_default().split(' ').skip(1);
    let side = if fields.next() == Some("b") {
        Color::Black
    } else {
        Color::White
    };
    let number = fields
        .nth(3)
        .and_then(|number| number.parse().ok())
        .unwrap_or(1);
    (number, side)
}

/// `h:mm:ss`, with a tenth where the clock tells one.
fn clock_time(time: Duration) -> String {
    let seconds = time.as_secs();
    let mut text = format!(
        "{}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    );
    let tenth = time.subsec_millis() / 100;
    if tenth > 0 {
        let _ = write!(text, ".{tenth}");
    }
    text
}

fn wrap(out: &mut String, pieces: &[String]) {
    let mut column = 0;
    for piece in pieces {
        let length = piece.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            out.push('\n');
            column = 0;
        }
        if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(piece);
        column += length;
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::{MoveMade, TrackEvent},
        clock::Times,
        types::Mono,
    };

    fn made(ply: u16, uci: &str, san: &str) -> TrackEvent {
        TrackEvent::Move(MoveMade {
            ply,
            side: if ply % 2 == 1 {
                Color::White
            } else {
                Color::Black
            },
            uci: uci.into(),
            san: san.into(),
            pressed: true,
            inferred: false,
            at: Mono::ZERO,
        })
    }

    fn times(white: u64, black: u64) -> Times {
        Times {
            white: Duration::from_millis(white),
            black: Duration::from_millis(black),
        }
    }

    #[test]
    fn a_game_is_written_with_the_times_that_are_known() {
        let mut game = GameRecord::default();
        game.apply(&made(1, "e2e4", "e4"), Some(times(5_399_000, 5_400_000)));
        game.apply(&made(2, "e7e5", "e5"), None);
        game.apply(&made(3, "g1f3", "Nf3"), Some(times(19_400, 5_400_000)));
        let tags = PgnTags {
            event: "Cup \"A\"".into(),
            white: "Шевченко, Тарас".into(),
            result: Some(Outcome::Draw),
            more: vec![("TimeControl".into(), "5400+30".into())],
            ..PgnTags::default()
        };
        assert_eq!(
            write(&tags, &game),
            "[Event \"Cup \\\"A\\\"\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
             [White \"Шевченко, Тарас\"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n\
             [TimeControl \"5400+30\"]\n\n\
             1. e4 {[%clk 1:29:59]} 1... e5 2. Nf3 {[%clk 0:00:19.4]} 1/2-1/2\n\n"
        );
    }

    #[test]
    fn an_illegal_attempt_is_a_comment_and_a_correction_leaves_no_trace() {
        let mut game = GameRecord::default();
        game.apply(&made(1, "e2e4", "e4"), None);
        game.apply(
            &TrackEvent::Illegal {
                ply: 2,
                before: String::new(),
                placement: "8/8/8/8/8/8/8/8".into(),
                mover: Color::Black,
                offending: "e8e6".into(),
                reasons: Vec::new(),
                pressed: true,
            },
            None,
        );
        game.apply(&made(2, "e7e6", "e6"), None);
        let TrackEvent::Move(better) = made(2, "e7e5", "e5") else {
            unreachable!()
        };
        let corrected = TrackEvent::Withdrawn {
            from_ply: 2,
            moves: vec!["e7e6".into()],
            replaced_by: Some(better),
        };
        game.apply(&corrected, None);
        game.set_times(2, times(1000, 2000));
        let text = write(&PgnTags::default(), &game);
        assert!(
            text.ends_with("\n1. e4 {Illegal by Black: e8e6} 1... e5 {[%clk 0:00:02]} *\n\n"),
            "{text}"
        );
    }

    #[test]
    fn a_game_from_a_position_counts_from_there() {
        let start = "4k3/4p3/8/8/8/8/8/4K3 b - - 0 30".to_owned();
        let mut game = GameRecord {
            start: Some(start),
            ..GameRecord::default()
        };
        game.apply(&made(1, "e7e5", "e5"), None);
        game.apply(&made(2, "e1e2", "Ke2"), None);
        let text = write(&PgnTags::default(), &game);
        assert!(text.contains("[SetUp \"1\"]\n[FEN \"4k3/4p3/8/8/8/8/8/4K3 b - - 0 30\"]\n"));
        assert!(text.ends_with("\n30... e5 31. Ke2 *\n\n"), "{text}");
    }

    #[test]
    fn lines_stay_within_eighty_columns() {
        let mut game = GameRecord::default();
        for ply in 1..=120 {
            game.apply(&made(ply, "g1f3", "Nf3"), Some(times(1000, 2000)));
        }
        let text = write(&PgnTags::default(), &game);
        assert!(text.lines().all(|line| line.len() < 80));
        assert_eq!(text.matches("{[%clk 0:00:01]}").count(), 60);
    }
}
