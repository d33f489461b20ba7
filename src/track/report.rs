//! Games as PGN, as JSON, and in words.

use flagfall_core::{
    chess::{
        TrackEvent,
        pgn::{self, PgnTags},
    },
    clock::ClockEvent,
    types::Mono,
};
use serde_json::{Value, json};

use super::{
    game::{By, Game},
    hear::{Heard, LEAD},
    input::Input,
};

/// A game with where it comes from.
pub struct Report<'a> {
    /// The game.
    pub game: &'a Game,
    /// From 1.
    pub number: usize,
    /// What it was read from.
    pub input: &'a Input,
    /// What the board told.
    pub heard: &'a Heard,
    /// Name of the family.
    pub family: &'static str,
    /// Name of the file, for the tags.
    pub title: &'a str,
}

/// Milliseconds in the time of the input.
fn ms(at: Mono) -> u64 {
    u64::try_from(at.since(Mono::ZERO + LEAD).as_millis()).unwrap_or(u64::MAX)
}

fn seconds(at: Mono) -> f64 {
    ms(at) as f64 / 1000.0
}

fn stamped(at: Mono, event: &impl serde::Serialize) -> Value {
    let mut value = json!(event);
    value["t_ms"] = json!(ms(at));
    value
}

impl Report<'_> {
    /// The game as PGN, ended by an empty line.
    pub fn pgn(&self) -> String {
        let started = self.input.started;
        let date = started.map(|started| started.strftime("%Y.%m.%d").to_string());
        let outcome = self.game.outcome();
        let ended = if outcome.is_some() {
            "normal"
        } else {
            "unterminated"
        };
        let tags = PgnTags {
            event: self.title.to_owned(),
            date: date.unwrap_or_default(),
            round: "-".to_owned(),
            result: outcome,
            more: vec![("Termination".to_owned(), ended.to_owned())],
            ..PgnTags::default()
        };
        pgn::write(&tags, &self.game.record)
    }

    /// All of it as one object.
    pub fn json(&self, with_pgn: bool) -> Value {
        let game = self.game;
        let settled = game.record.moves.len() - game.provisional.len();
        let moves: Vec<_> = game
            .record
            .moves
            .iter()
            .map(|played| {
                let mut value = json!(played);
                value["t_ms"] = json!(ms(played.made.at));
                value["provisional"] = json!(usize::from(played.made.ply) > settled);
                value
            })
            .collect();
        let (mut alerts, mut notes) = (Vec::new(), Vec::new());
        for (at, event) in &game.found {
            match event {
                // These are the record itself.
                TrackEvent::Move(_) | TrackEvent::SetUp { .. } | TrackEvent::GameOver { .. } => {}
                TrackEvent::ResultByKings { .. } => {}
                TrackEvent::Note(note) => notes.push(stamped(*at, note)),
                event => alerts.push(stamped(*at, event)),
            }
        }
        let shown: Vec<_> = game
            .shown
            .iter()
            .map(|shown| {
                json!({
                    "result": shown.outcome.token(), "by": by_name(shown.by),
                    "t_ms": ms(shown.at), "plies": shown.plies,
                })
            })
            .collect();
        let clock: Vec<_> = game.clock.iter().map(|(at, e)| stamped(*at, e)).collect();
        let mut object = json!({
            "name": self.input.name, "family": self.family, "game": self.number,
            "started": self.input.started, "start_fen": game.record.start,
            "moves": moves, "provisional": game.provisional,
            "result": game.outcome().map_or("*", |outcome| outcome.token()),
            "shown": shown, "conflict": game.outcome().is_none() && !game.shown.is_empty(),
            "illegal": game.record.illegal, "gaps": game.record.gaps,
            "alerts": alerts, "notes": notes, "clock": clock,
            "fen": game.fen,
            "final_placement": game.placement.as_ref().map(ToString::to_string),
            "orientation": match game.turned {
                None => "unknown",
                Some(false) => "normal",
                Some(true) => "turned",
            },
            "status": game.status, "complete": is_complete(game),
            "bytes": self.heard.counters.bytes,
            "bytes_dropped": self.heard.counters.bytes_dropped,
            "bytes_unfinished": self.heard.held,
            "messages": self.heard.counters.messages,
            "tags_unread": self.heard.unread,
        });
        if with_pgn {
            object["pgn"] = json!(self.pgn());
        }
        object
    }

    /// What somebody must look at, in words.
    pub fn remarks(&self) -> Vec<String> {
        let game = self.game;
        let mut remarks = Vec::new();
        for (at, event) in &game.clock {
            if let ClockEvent::Flag { side, .. } = event {
                let side = side.fold_wb("White", "Black");
                remarks.push(format!("at {:.1} s: {side}'s flag fell", seconds(*at)));
            }
        }
        for (at, event) in &game.found {
            let words = match event {
                TrackEvent::WrongSetUp { detail, .. } => format!("set up wrongly: {detail}"),
                TrackEvent::Illegal {
                    ply,
                    mover,
                    offending,
                    ..
                } => format!(
                    "half-move {ply}: illegal {offending} by {}",
                    mover.fold_wb("White", "Black")
                ),
                TrackEvent::Unexplained {
                    seen,
                    ambiguous: false,
                    ..
                } => format!("what stands on the board cannot be explained: {seen}"),
                TrackEvent::Unexplained { seen, .. } => {
                    format!("several lines of moves lead to what stands there: {seen}")
                }
                TrackEvent::Gap { after, .. } => {
                    format!("moves are missing after half-move {after}")
                }
                TrackEvent::Mismatch {
                    square,
                    expected,
                    seen,
                } => format!("{square} reads as {seen} and must be {expected}"),
                TrackEvent::ResultMissing { .. } => {
                    "the men were put back and no result was shown".to_owned()
                }
                _ => continue,
            };
            remarks.push(format!("at {:.1} s: {words}", seconds(*at)));
        }
        if game.outcome().is_none() && !game.shown.is_empty() {
            remarks.push("what shows a result does not agree: the result is left open".to_owned());
        }
        if !game.provisional.is_empty() {
            remarks.push(format!(
                "not final at the end: {}",
                game.provisional.join(" ")
            ));
        }
        remarks
    }
}

/// Whether every move until the end is known.
pub fn is_complete(game: &Game) -> bool {
    !game.unexplained && game.record.gaps.is_empty()
}

fn by_name(by: By) -> Value {
    match by {
        By::Kings => json!("kings"),
        By::ResultPiece => json!("result-piece"),
        By::Board(end) => json!(end),
    }
}
