//! A game as PGN: the seven-tag roster, `%clk` after each move, lines within 80 columns.
//!
//! PGN cannot say that moves are missing. A record with gaps is written as one game for each part: every
//! part has the whole roster and a tag `Fragment "2/3"`, those after a gap start from their own `FEN`, those
//! before one end with a comment and `*`. Only the last part has the result, so that it counts once.

use std::{fmt::Write as _, time::Duration};

use shakmaty::Color;

use super::{
    game::{GameRecord, RecordedMove},
    result::Outcome,
};

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

/// What stands where moves are missing.
const MISSING: &str = "{Moves are missing here. The next fragment goes on from its FEN.}";
/// The same at the end.
const MISSING_AT_END: &str = "{Moves may be missing here.}";

/// A part of a game between gaps.
struct Part<'a> {
    start: Option<&'a str>,
    moves: &'a [RecordedMove],
    /// Half-moves recorded before it.
    before: usize,
    /// What follows it.
    comment: Option<&'a str>,
}

/// Writes the game. Ends with an empty line, so that games can be put one after the other.
#[must_use]
pub fn write(tags: &PgnTags, game: &GameRecord) -> String {
    let parts = parts(game);
    let mut out = String::new();
    for (number, part) in (1..).zip(&parts) {
        let result = tags.result.filter(|_| number == parts.len());
        let fragment = (parts.len() > 1).then(|| format!("{number}/{}", parts.len()));
        if number > 1 {
            out.push('\n');
        }
        write_part(&mut out, tags, game, part, result, fragment);
    }
    out
}

fn parts(game: &GameRecord) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let (mut start, mut before) = (game.start.as_deref(), 0);
    for gap in game.gaps.iter().filter(|gap| gap.fen.is_some()) {
        let after = usize::from(gap.after).clamp(before, game.moves.len());
        parts.push(Part {
            start,
            moves: &game.moves[before..after],
            before,
            comment: Some(MISSING),
        });
        (start, before) = (gap.fen.as_deref(), after);
    }
    let ends_unseen = game.gaps.last().is_some_and(|gap| gap.fen.is_none());
    parts.push(Part {
        start,
        moves: &game.moves[before..],
        before,
        comment: ends_unseen.then_some(MISSING_AT_END),
    });
    parts
}

fn write_part(
    out: &mut String,
    tags: &PgnTags,
    game: &GameRecord,
    part: &Part<'_>,
    result: Option<Outcome>,
    fragment: Option<String>,
) {
    let token = result.map_or("*", Outcome::token);
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
        tag(out, name, if value.is_empty() { "?" } else { value });
    }
    if let Some(fen) = part.start {
        tag(out, "SetUp", "1");
        tag(out, "FEN", fen);
    }
    for (name, value) in &tags.more {
        tag(out, name, value);
    }
    if let Some(fragment) = fragment {
        tag(out, "Fragment", &fragment);
    }
    out.push('\n');
    wrap(out, &move_text(game, part, token));
    out.push('\n');
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
fn move_text(game: &GameRecord, part: &Part<'_>, token: &str) -> Vec<String> {
    let (first_number, first_side) = first_move(part.start);
    let mut pieces = Vec::new();
    let mut number_due = true;
    let offset = usize::from(first_side == Color::Black);
    for (index, recorded) in part.moves.iter().enumerate() {
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
        number_due |= comments(&mut pieces, game, part.before + index + 2);
        if index == 0 && part.before == 0 {
            // An attempt before any move stands with the first one.
            number_due |= comments(&mut pieces, game, 1);
        }
    }
    if part.moves.is_empty() && part.before == 0 {
        comments(&mut pieces, game, 1);
    }
    if let Some(comment) = part.comment {
        pieces.extend(comment.split(' ').map(ToOwned::to_owned));
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
    fn a_game_with_gaps_is_written_in_parts() {
        let mut game = GameRecord::default();
        game.apply(&made(1, "e2e4", "e4"), None);
        let fen = "4k3/4p3/8/8/8/8/8/4K3 w - - 0 30".to_owned();
        let gap = |after, fen: Option<&str>| TrackEvent::Gap {
            after,
            fen: fen.map(ToOwned::to_owned),
        };
        // The first word on a gap is corrected by the second; a poorer one changes nothing.
        game.apply(&gap(1, None), None);
        game.apply(&gap(1, Some("8/8/8/8/8/8/8/8 b - - 0 1")), None);
        game.apply(&gap(1, Some(&fen)), None);
        game.apply(&gap(1, None), None);
        game.apply(&made(2, "e1e2", "Ke2"), None);
        game.apply(&gap(2, None), None);
        let tags = PgnTags {
            result: Some(Outcome::Black),
            ..PgnTags::default()
        };
        let text = write(&tags, &game);
        let (first, second) = text.split_once("\n\n\n").unwrap();
        assert!(
            first.contains("[Result \"*\"]\n[Fragment \"1/2\"]\n\n1. e4 {Moves"),
            "{text}"
        );
        assert!(first.ends_with("FEN.} *"), "{text}");
        assert!(
            second.contains("[Result \"0-1\"]\n[SetUp \"1\"]\n[FEN \"4k3/"),
            "{text}"
        );
        assert!(
            second.ends_with("\n30. Ke2 {Moves may be missing here.} 0-1\n\n"),
            "{text}"
        );

        // A move taken back takes the gaps after it along.
        game.apply(
            &TrackEvent::Withdrawn {
                from_ply: 2,
                moves: vec!["e1e2".into()],
                replaced_by: None,
            },
            None,
        );
        assert_eq!(game.gaps.len(), 1);
        game.apply(&TrackEvent::GapClosed { after: 1 }, None);
        assert_eq!(
            write(&PgnTags::default(), &game).matches("[Event").count(),
            1
        );
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
