//! HOS Sensory and ZmartFun, over BLE (service FFE0): a board with a clock inside that can be read.
//!
//! Confidence: medium (one program; its test has recorded frames). Messages are hex text that a comma ends. The
//! clock tells whole seconds and which side counts, no flag; whether its left side is always the same one is
//! not known, and which side is White's is not in the frame. That the rest of a clock frame still shows
//! ranks 3 to 8 of the board is an observation from the recorded frames, so it is never taken for a placement.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::{
    ClockReading, ClockSide, FaceReading,
    board::{Confidence, Evidence, Letters, Order, Say, Tell, Told, View, from_a1},
    conversation::{self, Script},
    dgt::json::hex,
    families::{Family, commands, plain},
    registry::{Capabilities, Device, Gatt, Probe, Recognised, UsbId},
    stream::{Cut, Wire},
};
use crate::types::{Piece, Placement, Square};

const LETTERS: Letters = Letters(b".KQRNBPkqrnbp");
/// Hex digits of a frame: two for its kind, one for each square.
const DIGITS: usize = 66;
const CLOCK: &[u8] = b"00FFCA";

/// What the clock inside shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Hours, minutes, seconds of the left side.
    pub left: [u8; 3],
    /// The same of the right side.
    pub right: [u8; 3],
    /// It runs.
    pub running: bool,
    /// Whose time counts.
    pub counting: ClockSide,
}

/// What a HOS board says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Which man stands where, in the wire's numbering.
    Position(Placement),
    /// The clock.
    Clock {
        /// What it shows.
        clock: Clock,
        /// What is left of the board's frame behind it, ranks 3 to 8.
        upper_ranks: Placement,
    },
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}

/// The number of the square that a digit is for: the second of each pair comes first.
fn swapped(at: usize) -> usize {
    at ^ 1
}

fn men(digits: &[u8], first: usize) -> Option<Placement> {
    let codes: Option<Vec<_>> = (first..)
        .zip(digits)
        .map(|(at, byte)| Some((from_a1(swapped(at)), digit(*byte)?)))
        .collect();
    LETTERS.placement(codes?)
}

fn seconds([h, m, s]: [u8; 3]) -> u64 {
    (u64::from(h) * 60 + u64::from(m)) * 60 + u64::from(s)
}

impl Wire for Message {
    const LONGEST: usize = DIGITS + 1;

    fn cut(bytes: &[u8]) -> Cut<Self> {
        let digits = &bytes[..bytes.len().min(DIGITS)];
        if matches!(bytes[0], b'\r' | b'\n') {
            return Cut::Filler(1);
        }
        let begins = digits.iter().zip(b"00").all(|(byte, zero)| byte == zero);
        if !begins || !digits.iter().all(u8::is_ascii_hexdigit) {
            return Cut::Junk(1);
        }
        match bytes.get(DIGITS) {
            None => return Cut::Partial,
            // Logs have one message a line instead.
            Some(b',' | b'\n' | b'\r') => {}
            Some(_) => return Cut::Junk(1),
        }
        let message = if digits[..CLOCK.len()].eq_ignore_ascii_case(CLOCK) {
            clock(digits)
        } else {
            men(&digits[2..], 0).map(Self::Position)
        };
        match message {
            Some(message) => Cut::Message(message, DIGITS + 1),
            None => Cut::Junk(1),
        }
    }

    fn encode(&self, out: &mut Vec<u8>) {
        let code = |placement: &Placement, at| {
            let code = LETTERS.code(placement.piece_at(from_a1(swapped(at))));
            format!("{code:X}")
        };
        let text: String = match self {
            Self::Position(placement) => {
                let men: String = (0..64).map(|at| code(placement, at)).collect();
                format!("00{men},")
            }
            Self::Clock { clock, upper_ranks } => {
                let state = u8::from(clock.running) << 7
                    | u8::from(clock.counting == ClockSide::Right) << 6;
                let men: String = (16..64).map(|at| code(upper_ranks, at)).collect();
                let mut times = [clock.left, clock.right].concat();
                if let Some(last) = times.last_mut() {
                    *last = (*last & 0x3f) | state;
                }
                let times = hex(&times).replace(' ', "").to_uppercase();
                format!("00FFCA{times}{men},")
            }
        };
        out.extend(text.bytes());
    }
}

/// Two times one after the other.
fn halves(six: [u8; 6]) -> [[u8; 3]; 2] {
    let mut halves = [[0; 3]; 2];
    halves.as_flattened_mut().copy_from_slice(&six);
    halves
}

fn clock(digits: &[u8]) -> Option<Message> {
    let (pairs, _) = digits[CLOCK.len()..].as_chunks::<2>();
    let mut bytes = [0; 6];
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = digit(*high)? << 4 | digit(*low)?;
    }
    let state = bytes[5];
    let [left, right] = halves(bytes.map(|byte| byte & 0x3f));
    let clock = Clock {
        left,
        right,
        running: state & 0x80 != 0,
        counting: if state & 0x40 == 0 {
            ClockSide::Left
        } else {
            ClockSide::Right
        },
    };
    // Two ranks of the board are overwritten by the clock.
    let upper_ranks = men(&digits[2 + 16..], 16).unwrap_or_else(Placement::empty);
    Some(Message::Clock { clock, upper_ranks })
}

impl Tell for Message {
    fn told(&self) -> Told {
        match self {
            Self::Position(placement) => Told::Placement(placement.clone()),
            Self::Clock { clock, .. } => {
                let face = |time| FaceReading {
                    time: Duration::from_secs(seconds(time)),
                    flag_blocked: false,
                    flag_shown: false,
                    time_per_move: false,
                };
                Told::Clock(ClockReading {
                    left: face(clock.left),
                    right: face(clock.right),
                    running: clock.running,
                    lever_high: clock.counting,
                    battery_low: false,
                })
            }
        }
    }

    fn json(&self, view: &mut View) -> Value {
        match self {
            Self::Position(placement) => view.position_json(placement, Say::TurnedAndRaw).into(),
            Self::Clock { clock, upper_ranks } => {
                let men: Map<_, _> = upper_ranks
                    .clone()
                    .into_iter()
                    .map(|(square, piece): (Square, Piece)| {
                        (square.to_string(), json!(piece.char()))
                    })
                    .collect();
                json!({
                    "type": "clock", "left_s": seconds(clock.left),
                    "right_s": seconds(clock.right), "running": clock.running,
                    "side_flag": clock.counting, "ranks_3_to_8": men,
                })
            }
        }
    }
}

/// What a host says to a HOS board. Over USB HID every byte has a zero before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Set both times and the increment.
    SetClock {
        /// Hours, minutes, seconds.
        white: [u8; 3],
        /// Hours, minutes, seconds.
        black: [u8; 3],
        /// Seconds a move.
        increment: u8,
    },
    /// Stop the clock.
    Stop,
    /// Back to the times that were set.
    Reset,
    /// Start it on its left side.
    StartLeft,
    /// Start it on its right side.
    StartRight,
    /// All lights out.
    LedsOff,
    /// One light. Leave 2.5 s between lights over BLE.
    Led(Square),
}

const FIXED: [(u8, Command, &str); 5] = [
    (0xaf, Command::Stop, "stop_clock"),
    (0xb3, Command::Reset, "reset_clock"),
    (0xb4, Command::StartLeft, "start_left"),
    (0xb5, Command::StartRight, "start_right"),
    (0xba, Command::LedsOff, "leds_off"),
];
/// The light of a1.
const FIRST_LED: u8 = 100;

impl Wire for Command {
    const LONGEST: usize = 8;

    fn cut(bytes: &[u8]) -> Cut<Self> {
        match *bytes {
            [0xae, ref times @ .., increment] if times.len() == 6 => {
                let mut six = [0; 6];
                six.copy_from_slice(times);
                let [white, black] = halves(six);
                let command = Self::SetClock {
                    white,
                    black,
                    increment,
                };
                Cut::Message(command, 8)
            }
            [0xae, ..] => Cut::Partial,
            [led @ FIRST_LED..=163, ..] => {
                Cut::Message(Self::Led(from_a1((led - FIRST_LED).into())), 1)
            }
            [code, ..] => match FIXED.iter().find(|(known, ..)| *known == code) {
                Some((_, command, _)) => Cut::Message(command.clone(), 1),
                None => Cut::Junk(1),
            },
            [] => Cut::Partial,
        }
    }

    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::SetClock {
                white,
                black,
                increment,
            } => {
                out.push(0xae);
                out.extend(white);
                out.extend(black);
                out.push(*increment);
            }
            Self::Led(square) => out.push(FIRST_LED + *square as u8),
            fixed => {
                let known = FIXED.iter().find(|(_, command, _)| command == fixed);
                out.extend(known.map(|(code, ..)| *code));
            }
        }
    }
}

impl Order for Command {
    fn json(&self) -> Value {
        match self {
            Self::SetClock {
                white,
                black,
                increment,
            } => json!({
                "type": "set_clock", "white": white, "black": black, "increment_s": increment,
            }),
            Self::Led(square) => json!({"type": "led", "square": square.to_string()}),
            fixed => {
                let known = FIXED.iter().find(|(_, command, _)| command == fixed);
                json!({"type": known.map(|(.., name)| name)})
            }
        }
    }
}

const TALK: Script = Script {
    family: "hos",
    ..Script::STREAM
};

/// Over USB these boards are HID devices, which is not built. Their clock can be read; setting it is not
/// built.
pub const FAMILY: Family = Family {
    name: "hos",
    aliases: &["zmartfun"],
    title: "HOS Sensory, ZmartFun",
    evidence: Evidence::Placement,
    confidence: Confidence::Medium,
    values: false,
    device: Device {
        recognised: Recognised {
            usb: &[UsbId {
                vendor: 0x0925,
                product: None,
            }],
            names: &[],
            probe: Probe::Listen,
        },
        can: Capabilities {
            clock: true,
            leds: true,
            ..Capabilities::NONE
        },
        serial: None,
        gatt: Some(Gatt {
            service: "0000ffe0-0000-1000-8000-00805f9b34fb",
            write: "0000ffe1-0000-1000-8000-00805f9b34fb",
            notify: &["0000ffe1-0000-1000-8000-00805f9b34fb"],
            least_mtu: None,
            pause: Duration::from_millis(2500),
            values: false,
        }),
        talk: Some(|habits| conversation::plain::<Message>(TALK, habits)),
    },
    decoder: plain::<Message>,
    commands: commands::<Command>,
};
