//! Square Off Pro, over BLE (Nordic UART). Tells which squares are occupied, not by what.
//!
//! Confidence: medium (one program and fragments); low for the battery and the result. The older robots, which
//! move men themselves, speak otherwise and are not covered.

use std::time::Duration;

use serde_json::{Value, json};
use shakmaty::Bitboard;

use super::{
    Battery, Touch,
    board::{Confidence, Evidence, Order, Tell, Told, View, occupancy_json, touched_json},
    conversation::{self, Script, bytes, bytes_of},
    families::{Family, commands, plain},
    registry::{Capabilities, Device, NORDIC_UART, Probe, Recognised},
    stream::{Cut, Wire},
};
use crate::types::Square;

/// What a Square Off says: `code#body*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// A new game has begun.
    NewGame,
    /// Which squares are occupied.
    Occupancy(Bitboard),
    /// One square changed.
    Update {
        /// The square.
        square: Square,
        /// A man was put down.
        present: bool,
    },
    /// The battery, as the board writes it.
    Battery(String),
}

/// The codes of a direction and the longest body of each.
type Codes = &'static [(&'static [u8], usize)];

const FROM_BOARD: Codes = &[(b"14#", 2), (b"30#", 64), (b"0#", 3), (b"22#", 16)];
const FROM_HOST: Codes = &[
    (b"14#", 1),
    (b"30#", 1),
    (b"4#", 0),
    (b"25#", 128),
    (b"27#", 2),
];

/// What the bytes begin with.
enum Frame<'a> {
    Whole(&'static [u8], &'a [u8]),
    Partial,
    Junk,
}

fn frame(bytes: &[u8], codes: Codes) -> Frame<'_> {
    for &(code, longest) in codes {
        if let Some(rest) = bytes.strip_prefix(code) {
            return match rest.iter().position(|b| *b == b'*') {
                Some(end) if end <= longest => Frame::Whole(code, &rest[..end]),
                None if rest.len() <= longest && rest.iter().all(u8::is_ascii_graphic) => {
                    Frame::Partial
                }
                _ => Frame::Junk,
            };
        }
        if code.starts_with(bytes) {
            return Frame::Partial;
        }
    }
    Frame::Junk
}

fn square(name: &[u8]) -> Option<Square> {
    Square::from_ascii(name).ok()
}

/// The square with this number when a1 comes first, then a2, and h8 last.
fn by_file(index: usize) -> Square {
    super::board::from_a1(index % 8 * 8 + index / 8)
}

impl Wire for Message {
    const LONGEST: usize = 3 + 64 + 1;

    fn cut(bytes: &[u8]) -> Cut<Self> {
        let (code, body) = match frame(bytes, FROM_BOARD) {
            Frame::Whole(code, body) => (code, body),
            Frame::Partial => return Cut::Partial,
            Frame::Junk => return Cut::Junk(1),
        };
        let message = match (code, body) {
            (b"14#", b"GO") => Some(Self::NewGame),
            (b"30#", cells) if cells.len() == 64 => {
                let known = cells.iter().all(|cell| matches!(cell, b'0' | b'1'));
                let occupied = cells.iter().enumerate().filter(|(_, cell)| **cell == b'1');
                known.then(|| Self::Occupancy(occupied.map(|(at, _)| by_file(at)).collect()))
            }
            (b"0#", [name @ .., way @ (b'u' | b'd')]) => square(name).map(|square| Self::Update {
                square,
                present: *way == b'd',
            }),
            (b"22#", text) => std::str::from_utf8(text)
                .ok()
                .map(|text| Self::Battery(text.to_owned())),
            _ => None,
        };
        match message {
            Some(message) => Cut::Message(message, code.len() + body.len() + 1),
            None => Cut::Junk(1),
        }
    }

    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::NewGame => out.extend(b"14#GO"),
            Self::Occupancy(occupied) => {
                out.extend(b"30#");
                out.extend((0..64).map(|at| b'0' + u8::from(occupied.contains(by_file(at)))));
            }
            Self::Update { square, present } => {
                out.extend(format!("0#{square}{}", if *present { 'd' } else { 'u' }).bytes());
            }
            Self::Battery(text) => out.extend(format!("22#{text}").bytes()),
        }
        out.push(b'*');
    }
}

fn percent(text: &str) -> Option<u8> {
    text.trim_end_matches('%')
        .parse()
        .ok()
        .filter(|percent| *percent <= 100)
}

impl Tell for Message {
    fn told(&self) -> Told {
        match self {
            Self::NewGame => Told::Other,
            Self::Occupancy(occupied) => Told::Occupancy(*occupied),
            Self::Update { square, present } => Told::Touched(Touch {
                square: *square,
                present: *present,
            }),
            Self::Battery(text) => Told::Battery(Battery {
                percent: percent(text),
                charging: false,
            }),
        }
    }

    fn json(&self, _view: &mut View) -> Value {
        match self {
            Self::NewGame => json!({"type": "new_game_ack"}),
            Self::Occupancy(occupied) => occupancy_json(*occupied),
            Self::Update { square, present } => touched_json(*square, *present),
            Self::Battery(text) => {
                let mut battery = json!({"type": "battery", "raw": text});
                if let Some(percent) = percent(text) {
                    battery["percent"] = json!(percent);
                }
                battery
            }
        }
    }
}

/// What a host says to a Square Off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Begin a game.
    NewGame,
    /// Ask which squares are occupied.
    Occupancy,
    /// Ask for the battery.
    Battery,
    /// Lights, in the order of the wire.
    Leds(Vec<Square>),
    /// How the game ended: `wt`, `bl`, `dw`, or `ck` for check.
    Result(String),
}

impl Wire for Command {
    const LONGEST: usize = 3 + 128 + 1;

    fn cut(bytes: &[u8]) -> Cut<Self> {
        let (code, body) = match frame(bytes, FROM_HOST) {
            Frame::Whole(code, body) => (code, body),
            Frame::Partial => return Cut::Partial,
            Frame::Junk => return Cut::Junk(1),
        };
        let command = match (code, body) {
            (b"14#", b"1") => Some(Self::NewGame),
            (b"30#", b"R") => Some(Self::Occupancy),
            (b"4#", b"") => Some(Self::Battery),
            (b"25#", names) => {
                let squares: Option<Vec<_>> = names.chunks(2).map(square).collect();
                squares.map(Self::Leds)
            }
            (b"27#", b"wt" | b"bl" | b"dw" | b"ck") => {
                Some(Self::Result(String::from_utf8_lossy(body).into_owned()))
            }
            _ => None,
        };
        match command {
            Some(command) => Cut::Message(command, code.len() + body.len() + 1),
            None => Cut::Junk(1),
        }
    }

    fn encode(&self, out: &mut Vec<u8>) {
        let text = match self {
            Self::NewGame => "14#1*".to_owned(),
            Self::Occupancy => "30#R*".to_owned(),
            Self::Battery => "4#*".to_owned(),
            Self::Leds(squares) => {
                let names: String = squares.iter().map(ToString::to_string).collect();
                format!("25#{names}*")
            }
            Self::Result(result) => format!("27#{result}*"),
        };
        out.extend(text.bytes());
    }
}

impl Order for Command {
    fn json(&self) -> Value {
        match self {
            Self::NewGame => json!({"type": "new_game"}),
            Self::Occupancy => json!({"type": "occupancy_request"}),
            Self::Battery => json!({"type": "battery_request"}),
            Self::Leds(squares) => {
                let names: Vec<_> = squares.iter().map(ToString::to_string).collect();
                json!({"type": "leds", "squares": names})
            }
            Self::Result(result) => json!({"type": "result", "result": result}),
        }
    }
}

const TALK: Script = Script {
    family: "squareoff",
    probe: |_| bytes_of(&[Command::NewGame]),
    picture: Some(|| bytes(&Command::Occupancy)),
    ask_after: Duration::from_secs(3),
    ask_anyhow: true,
    battery: Some(|| bytes(&Command::Battery)),
    gap: Duration::from_millis(200),
    silence: Duration::from_secs(10),
    ..Script::STREAM
};

/// The robots of this maker speak otherwise and are not read.
pub const FAMILY: Family = Family {
    name: "squareoff",
    aliases: &["square-off"],
    title: "Square Off Pro",
    evidence: Evidence::Occupancy,
    confidence: Confidence::Medium,
    values: false,
    device: Device {
        recognised: Recognised {
            usb: &[],
            names: &["Square Off"],
            probe: Probe::Ask,
        },
        can: Capabilities {
            leds: true,
            battery: true,
            ..Capabilities::NONE
        },
        serial: None,
        gatt: Some(NORDIC_UART),
        talk: Some(|habits| conversation::plain::<Message>(TALK, habits)),
    },
    decoder: plain::<Message>,
    commands: commands::<Command>,
};
