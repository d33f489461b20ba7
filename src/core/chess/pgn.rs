//! A game as PGN: the seven-tag roster, `%clk` and `%emt` after each move, lines within 80 columns.
//!
//! PGN cannot say that moves are missing. A record with gaps is written as one game for each part: every
//! part has the whole roster and a tag `Fragment "2/3"`, those after a gap start from their own `FEN`, those
//! before one end with a comment and `*`. Only the last part has the result, so that it counts once. A
//! move against the rules is a comment; where it was played on, the part ends there.

use std::{fmt::Write as _, time::Duration};

use shakmaty::Color;

use super::{
    Variant,
    game::{GameRecord, IllegalAttempt, RecordedMove},
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
    /// A comment behind the last move, e.g. a result that PGN has no sign for; mostly empty.
    pub remark: String,
}

/// Columns of the move text.
const WIDTH: usize = 79;

/// What stands where moves are missing.
const MISSING: &str = "{Moves are missing here. The next fragment goes on from its FEN.}";
/// The same behind an illegal move to which the opponent replied (R-RS-6).
const PLAYED_ON: &str = "{It was played on. The next fragment goes on from its FEN.}";
/// What stands where moves are missing at the end.
const MISSING_AT_END: &str = "{Moves may be missing here.}";

/// A part of a game between gaps.
struct Part<'a> {
    start: Option<&'a str>,
    moves: &'a [RecordedMove],
    /// Half-moves recorded before it.
    before: usize,
    /// What was tried against the rules in it.
    illegal: Vec<&'a IllegalAttempt>,
    /// What follows it.
    comment: Option<&'a str>,
}

/// Writes the game. Ends with an empty line, so that games can be put one after the other.
#[must_use]
pub fn write(tags: &PgnTags, game: &GameRecord) -> String {
    let parts = parts(game);
    let mut out = String::new();
    for (number, part) in (1..).zip(&parts) {
        let fragment = (parts.len() > 1).then(|| format!("{number}/{}", parts.len()));
        if number > 1 {
            out.push('\n');
        }
        let last = number == parts.len();
        write_part(&mut out, tags, game.variant, part, last, fragment);
    }
    out
}

fn parts(game: &GameRecord) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let (mut start, mut before, mut gaps) = (game.start.as_deref(), 0, 0);
    let illegal = |from: usize, until: usize| {
        let of_part = |attempt: &&IllegalAttempt| (from..until).contains(&attempt.gaps.into());
        game.illegal.iter().filter(of_part).collect::<Vec<_>>()
    };
    for (at, gap) in game.gaps.iter().enumerate() {
        if gap.fen.is_none() {
            continue;
        }
        let after = usize::from(gap.after).clamp(before, game.moves.len());
        let illegal = illegal(gaps, at + 1);
        let played_on = illegal
            .last()
            .is_some_and(|last| !last.restored && usize::from(last.ply) == after + 1);
        parts.push(Part {
            start,
            moves: &game.moves[before..after],
            before,
            illegal,
            comment: Some(if played_on { PLAYED_ON } else { MISSING }),
        });
        (start, before, gaps) = (gap.fen.as_deref(), after, at + 1);
    }
    let ends_unseen = game.gaps.last().is_some_and(|gap| gap.fen.is_none());
    parts.push(Part {
        start,
        moves: &game.moves[before..],
        before,
        illegal: illegal(gaps, usize::MAX),
        comment: ends_unseen.then_some(MISSING_AT_END),
    });
    parts
}

fn write_part(
    out: &mut String,
    tags: &PgnTags,
    variant: Variant,
    part: &Part<'_>,
    last: bool,
    fragment: Option<String>,
) {
    let token = tags.result.filter(|_| last).map_or("*", Outcome::token);
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
    if variant == Variant::Chess960 {
        // The word by which readers know that castling is meant so.
        tag(out, "Variant", "Chess960");
    }
    if let Some(fen) = part.start {
        tag(out, "SetUp", "1");
        tag(out, "FEN", fen);
    }
    for (name, value) in &tags.more {
        // How the game ended belongs to the part in which it did.
        if last || !name.starts_with("Termination") {
            tag(out, name, value);
        }
    }
    if let Some(fragment) = fragment {
        tag(out, "Fragment", &fragment);
    }
    out.push('\n');
    let mut pieces = move_text(part);
    if last && !tags.remark.is_empty() {
        comment(&mut pieces, &tags.remark);
    }
    pieces.push(token.to_owned());
    wrap(out, &pieces);
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
fn move_text(part: &Part<'_>) -> Vec<String> {
    let (first_number, first_side) = first_move(part.start);
    let mut pieces = Vec::new();
    let mut illegal = part.illegal.iter().peekable();
    // An attempt stands behind the move that was legal before it.
    let mut tried = |pieces: &mut Vec<String>, moves: usize| {
        let mut any = false;
        while let Some(attempt) = illegal.next_if(|it| usize::from(it.ply) <= moves + 1) {
            any = true;
            comment(pieces, &illegal_words(attempt));
        }
        any
    };
    let mut number_due = true;
    tried(&mut pieces, part.before);
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
        let times = times(recorded);
        number_due = !times.is_empty();
        if number_due {
            pieces.push(format!("{{{times}}}"));
        }
        number_due |= tried(&mut pieces, part.before + index + 1);
    }
    // What was tried for a move that was taken back again.
    tried(&mut pieces, usize::MAX - 1);
    if let Some(comment) = part.comment {
        pieces.extend(comment.split(' ').map(ToOwned::to_owned));
    }
    pieces
}

/// `[%clk 1:29:45] [%emt 0:00:15]`, as far as they are known.
fn times(recorded: &RecordedMove) -> String {
    let clk = recorded
        .times
        .map(|times| format!("[%clk {}]", clock_time(times.of(recorded.made.side))));
    let emt = recorded
        .spent
        .map(|spent| format!("[%emt {}]", clock_time(spent)));
    let known: Vec<String> = [clk, emt].into_iter().flatten().collect();
    known.join(" ")
}

fn illegal_words(attempt: &IllegalAttempt) -> String {
    let side = attempt.side.fold_wb("White", "Black");
    let stands = if attempt.placement.is_empty() {
        String::new()
    } else {
        format!(", on the board {}", attempt.placement)
    };
    format!("Illegal by {side}: {}{stands}", attempt.offending)
}

/// A comment that lines may be broken in; braces would end it too early.
fn comment(pieces: &mut Vec<String>, text: &str) {
    let plain = text.replace(['{', '}'], "");
    let mut words = plain.split_whitespace().peekable();
    let mut first = true;
    while let Some(word) = words.next() {
        let open = if std::mem::take(&mut first) { "{" } else { "" };
        let close = if words.peek().is_none() { "}" } else { "" };
        pieces.push(format!("{open}{word}{close}"));
    }
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
        chess::{MoveMade, Start, TrackEvent},
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
            text.ends_with(
                "\n1. e4 {Illegal by Black: e8e6, on the board 8/8/8/8/8/8/8/8} 1... e5\n\
                 {[%clk 0:00:02]} *\n\n"
            ),
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
    fn a_game_of_chess960_says_so() {
        let start = Start::chess960(0).unwrap();
        let mut game = GameRecord::default();
        let starts = TrackEvent::StartsFrom {
            fen: start.fen(),
            variant: start.variant(),
            number: start.number(),
        };
        game.apply(&starts, None);
        game.apply(&made(1, "g1h1", "O-O"), None);
        let text = write(&PgnTags::default(), &game);
        assert!(
            text.contains(
                "[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
                 [FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\"]\n"
            ),
            "{text}"
        );
        assert!(text.ends_with("\n1. O-O *\n\n"), "{text}");
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
    fn a_move_that_was_played_on_ends_its_part() {
        let illegal = |ply, mover, offending: &str| TrackEvent::Illegal {
            ply,
            before: String::new(),
            placement: "4k3/8/8/8/8/8/8/4K3".into(),
            mover,
            offending: offending.into(),
            reasons: Vec::new(),
            pressed: true,
        };
        let gap = TrackEvent::Gap {
            after: 1,
            fen: Some("4k3/8/8/8/8/8/8/4K3 w - - 0 3".into()),
        };
        let mut game = GameRecord::default();
        game.apply(&made(1, "e2e4", "e4"), None);
        game.apply(&illegal(2, Color::Black, "e8e6"), None);
        game.apply(&gap, None);
        game.apply(&illegal(2, Color::White, "e1e3"), None);
        game.apply(&TrackEvent::IllegalResolved { restored: true }, None);
        game.apply(&made(2, "e1e2", "Ke2"), None);
        let tags = PgnTags {
            result: Some(Outcome::White),
            more: vec![("Termination".into(), "normal".into())],
            remark: "a {remark}".into(),
            ..PgnTags::default()
        };
        let text = write(&tags, &game);
        let (first, second) = text.split_once("\n\n\n").unwrap();
        assert!(
            first.ends_with(
                "\n1. e4 {Illegal by Black: e8e6, on the board 4k3/8/8/8/8/8/8/4K3} {It was played\n\
                 on. The next fragment goes on from its FEN.} *"
            ),
            "{text}"
        );
        assert!(!first.contains("Termination") && second.contains("[Termination \"normal\"]"));
        assert!(
            second.ends_with(
                "\n{Illegal by White: e1e3, on the board 4k3/8/8/8/8/8/8/4K3} 3. Ke2 {a remark}\n1-0\n\n"
            ),
            "{text}"
        );

        // What is put back and then lost from sight was not played on.
        let mut game = GameRecord::default();
        game.apply(&made(1, "e2e4", "e4"), None);
        game.apply(&illegal(2, Color::Black, "e8e6"), None);
        game.apply(&TrackEvent::IllegalResolved { restored: true }, None);
        game.apply(&gap, None);
        let text = write(&PgnTags::default(), &game);
        assert!(text.contains("{Moves are"), "{text}");
        // Nothing was missing after all: the attempt is one of the whole game's.
        game.apply(&illegal(2, Color::Black, "e8d6"), None);
        game.apply(&TrackEvent::GapClosed { after: 1 }, None);
        let text = write(&PgnTags::default(), &game);
        assert_eq!(
            (
                text.matches("[Event").count(),
                text.matches("Illegal").count()
            ),
            (1, 2)
        );
    }

    #[test]
    fn the_time_spent_stands_with_the_time_left() {
        let mut game = GameRecord::default();
        game.apply(&made(1, "e2e4", "e4"), Some(times(5_415_000, 5_400_000)));
        game.moves[0].spent = Some(Duration::from_secs(15));
        game.apply(&made(2, "e7e5", "e5"), None);
        game.moves[1].spent = Some(Duration::from_secs(61));
        let text = write(&PgnTags::default(), &game);
        assert!(
            text.ends_with(
                "\n1. e4 {[%clk 1:30:15] [%emt 0:00:15]} 1... e5 {[%emt 0:01:01]} *\n\n"
            ),
            "{text}"
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
