//! Chess Peripheral Protocol, for open boards: one text command a GATT value, nothing closes it.
//!
//! Confidence: high for what the published specification says, which still changes. The central owns the
//! rules, the board owns synchronisation; a piece may be unknown (`U`, `u`, `?`). Time goes only to the board.

use std::time::Duration;

use serde_json::{Value, json};

use super::{
    board::{Confidence, Evidence, Order, Tell, Told, View},
    families::{Family, commands, plain},
    registry::{Capabilities, Device, Gatt, Probe, Recognised},
    stream::{Cut, Wire},
};
use crate::types::Placement;

/// A full FEN with room for the longest names.
const LONGEST: usize = 256;

/// A command of either side: its word and what follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The word.
    pub word: String,
    /// What follows, perhaps nothing.
    pub rest: String,
}

impl Line {
    /// A line from its words.
    pub fn new(word: &str, rest: &str) -> Self {
        Self {
            word: word.to_owned(),
            rest: rest.to_owned(),
        }
    }

    fn text(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?.trim();
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        // The protocol still gets new words: any may come, noise may not.
        let credible = (2..=20).contains(&word.len())
            && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
            && !rest.contains(char::is_control);
        credible.then(|| Self::new(word, rest.trim()))
    }

    /// A value that its end or a line end closes.
    fn cut(bytes: &[u8]) -> Cut<Self> {
        match bytes.iter().position(|b| matches!(b, b'\n' | 0)) {
            Some(0) => Cut::Filler(1),
            Some(end) => match Self::text(&bytes[..end]) {
                Some(line) => Cut::Message(line, end + 1),
                None => Cut::Junk(end + 1),
            },
            None => Cut::Partial,
        }
    }

    fn encode(&self, out: &mut Vec<u8>) {
        out.extend(self.word.bytes());
        if !self.rest.is_empty() {
            out.push(b' ');
            out.extend(self.rest.bytes());
        }
    }

    fn json(&self) -> Value {
        let rest = &self.rest;
        match self.word.as_str() {
            "begin" | "sync" | "unsync" | "state" => json!({"type": self.word, "fen": rest}),
            "move" | "promote" | "last_move" | "undo" | "redo" => {
                json!({"type": self.word, "uci": rest})
            }
            "feature" | "variant" | "set_variant" => json!({"type": self.word, "name": rest}),
            "end" => json!({"type": "end", "reason": rest}),
            "side" => json!({"type": "side", "side": rest}),
            "check" => json!({"type": "check", "square": rest}),
            "err" | "msg" => json!({"type": self.word, "message": rest}),
            "time" => {
                let mut times = rest.split_whitespace().map(str::parse::<u64>);
                match (times.next(), times.next()) {
                    (Some(Ok(white)), Some(Ok(black))) => {
                        json!({"type": "time", "white_ms": white, "black_ms": black})
                    }
                    _ => json!({"type": "time", "text": rest}),
                }
            }
            word if rest.is_empty() => json!({"type": word}),
            word => json!({"type": word, "text": rest}),
        }
    }
}

/// What a board says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message(pub Line);

impl Wire for Message {
    const LONGEST: usize = LONGEST;

    fn cut(bytes: &[u8]) -> Cut<Self> {
        wrap(Line::cut(bytes), Self)
    }

    fn cut_last(bytes: &[u8]) -> Option<(Self, usize)> {
        Some((Self(Line::text(bytes)?), bytes.len()))
    }

    fn encode(&self, out: &mut Vec<u8>) {
        self.0.encode(out);
    }
}

fn wrap<M>(cut: Cut<Line>, message: fn(Line) -> M) -> Cut<M> {
    match cut {
        Cut::Message(line, len) => Cut::Message(message(line), len),
        Cut::Filler(len) => Cut::Filler(len),
        Cut::Broken(_, len) | Cut::Junk(len) => Cut::Junk(len),
        Cut::Partial => Cut::Partial,
    }
}

impl Tell for Message {
    fn told(&self) -> Told {
        let line = &self.0;
        match line.word.as_str() {
            "move" => Told::Move(line.rest.clone()),
            "undo" => Told::TakenBack(line.rest.clone()),
            // "unsync" and "state" come while hands are at work: no position of the game.
            "sync" => {
                let board = line.rest.split(' ').next().unwrap_or_default();
                // Unknown men are no letters of a placement.
                match Placement::from_ascii_board_fen(board.as_bytes()) {
                    Ok(placement) => Told::Placement(placement),
                    Err(_) => Told::Other,
                }
            }
            _ => Told::Other,
        }
    }

    fn json(&self, _view: &mut View) -> Value {
        self.0.json()
    }
}

/// What a central says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command(pub Line);

impl Wire for Command {
    const LONGEST: usize = LONGEST;

    fn cut(bytes: &[u8]) -> Cut<Self> {
        wrap(Line::cut(bytes), Self)
    }

    fn cut_last(bytes: &[u8]) -> Option<(Self, usize)> {
        Some((Self(Line::text(bytes)?), bytes.len()))
    }

    fn encode(&self, out: &mut Vec<u8>) {
        self.0.encode(out);
    }
}

impl Order for Command {
    fn json(&self) -> Value {
        self.0.json()
    }
}

/// The application owns the rules and the board follows it; the hub does not speak with it yet.
pub const FAMILY: Family = Family {
    name: "cpp",
    aliases: &[],
    title: "open boards with the Chess Peripheral Protocol",
    evidence: Evidence::Moves,
    confidence: Confidence::High,
    values: true,
    device: Device {
        recognised: Recognised {
            usb: &[],
            names: &[],
            probe: Probe::Ask,
        },
        can: Capabilities::NONE,
        serial: None,
        gatt: Some(Gatt {
            service: "f5351050-b2c9-11ec-a0c0-b3bc53b08d33",
            write: "f53513ca-b2c9-11ec-a0c1-639b8957db99",
            notify: &["f535147e-b2c9-11ec-a0c2-8bbd706ec4e6"],
            least_mtu: Some(103),
            pause: Duration::ZERO,
            values: true,
        }),
        talk: None,
    },
    decoder: plain::<Message>,
    commands: commands::<Command>,
};
