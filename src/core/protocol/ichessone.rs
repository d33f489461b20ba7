//! iChessOne, over BLE (Nordic UART) or USB serial at 115200 8N1.
//!
//! Confidence: medium to high (two programs, one with tests). The reply to the question for versions is
//! not known.

use std::time::Duration;

use serde_json::{Value, json};
use shakmaty::Bitboard;

use super::{
    Battery,
    board::{
        Confidence, Evidence, Letters, Order, Say, Tell, Told, View, battery_json, from_a8, names,
        of_ranks, ranks,
    },
    conversation::{self, Script, bytes, bytes_of},
    families::{Family, commands, plain},
    registry::{Capabilities, Device, NORDIC_UART, Probe, Recognised, SerialLine},
    stream::{Cut, Wire},
};
use crate::types::Placement;

const LETTERS: Letters = Letters(b".PNBRQKpnbrqk");
/// Bytes of 64 squares, two to a byte.
const SQUARES: usize = 32;

/// What an iChessOne says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Which man stands where, in the wire's numbering.
    Position(Placement),
    /// The battery.
    Battery {
        /// It charges if not 0.
        charging: u8,
        /// 0–100.
        percent: u8,
    },
}

impl Wire for Message {
    const LONGEST: usize = 2 + SQUARES;

    fn cut(bytes: &[u8]) -> Cut<Self> {
        match bytes {
            [b'='] => Cut::Partial,
            [b'=', b'p', squares @ ..] => {
                if squares.iter().any(|b| b >> 4 > 12 || b & 15 > 12) {
                    return Cut::Junk(1);
                }
                let Some(squares) = squares.first_chunk::<SQUARES>() else {
                    return Cut::Partial;
                };
                let codes = squares.iter().enumerate().flat_map(|(at, byte)| {
                    [
                        (from_a8(2 * at), byte >> 4),
                        (from_a8(2 * at + 1), byte & 15),
                    ]
                });
                match LETTERS.placement(codes) {
                    Some(placement) => Cut::Message(Self::Position(placement), Self::LONGEST),
                    None => Cut::Junk(1),
                }
            }
            [b'=', b'b'] => Cut::Partial,
            [b'=', b'b', charging, ..] if *charging > 1 => Cut::Junk(1),
            [b'=', b'b', _] => Cut::Partial,
            &[b'=', b'b', charging, percent @ 0..=100, ..] => {
                Cut::Message(Self::Battery { charging, percent }, 4)
            }
            _ => Cut::Junk(1),
        }
    }

    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Position(placement) => {
                out.extend(b"=p");
                let code = |index| LETTERS.code(placement.piece_at(from_a8(index)));
                out.extend((0..SQUARES).map(|at| code(2 * at) << 4 | code(2 * at + 1)));
            }
            Self::Battery { charging, percent } => out.extend([b'=', b'b', *charging, *percent]),
        }
    }
}

impl Tell for Message {
    fn told(&self) -> Told {
        match self {
            Self::Position(placement) => Told::Placement(placement.clone()),
            Self::Battery { charging, percent } => Told::Battery(Battery {
                percent: Some(*percent),
                charging: *charging != 0,
            }),
        }
    }

    fn json(&self, view: &mut View) -> Value {
        match self {
            Self::Position(placement) => view.position_json(placement, Say::Turned).into(),
            Self::Battery { charging, percent } => battery_json(*percent, *charging != 0),
        }
    }
}

/// What a host says to an iChessOne. Nothing closes a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A position on each change.
    OnChange,
    /// A position each so many milliseconds. A heartbeat without questions.
    Every(u32),
    /// No positions without being asked.
    Off,
    /// `CSOFF`; what it switches off is not described.
    StatusOff,
    /// Ask for the position.
    Position,
    /// Ask for the battery.
    Battery,
    /// Ask for the versions.
    Version,
    /// Lights.
    Leds {
        /// The squares.
        squares: Bitboard,
        /// Level of red.
        red: u8,
        /// Levels of green and blue.
        green_blue: u8,
        /// The marks beyond the eighth and before the first rank.
        edges: [u8; 2],
        /// 1: no flashing, and the last pattern goes out.
        flags: u8,
        /// 0xff stays.
        duration: u8,
    },
}

const FIXED: [(&[u8], Command, &str); 6] = [
    (b"CPIRQ", Command::OnChange, "report_on_change"),
    (b"CPOFF", Command::Off, "report_off"),
    (b"CSOFF", Command::StatusOff, "status_off"),
    (b"RP", Command::Position, "position_request"),
    (b"RB", Command::Battery, "battery_request"),
    (b"RH", Command::Version, "version_request"),
];

impl Wire for Command {
    const LONGEST: usize = 16;

    fn cut(bytes: &[u8]) -> Cut<Self> {
        for (fixed, command, _) in &FIXED {
            if bytes.starts_with(fixed) {
                return Cut::Message(command.clone(), fixed.len());
            }
            if fixed.starts_with(bytes) {
                return Cut::Partial;
            }
        }
        match bytes {
            [b'C', b'P', b'M', digits @ ..] => {
                let len = digits.iter().take_while(|b| b.is_ascii_digit()).count();
                if len == digits.len() && len < 9 {
                    return Cut::Partial;
                }
                Self::cut_last(&bytes[..3 + len])
                    .map_or(Cut::Junk(1), |(command, len)| Cut::Message(command, len))
            }
            [b'C', b'P'] | [b'E'] => Cut::Partial,
            &[b'E', b'L', red, green_blue, top, ref rest @ ..] => {
                let Some((ranks, &[bottom, flags, duration, ..])) = rest.split_first_chunk() else {
                    return Cut::Partial;
                };
                let leds = Self::Leds {
                    squares: of_ranks(*ranks, false),
                    red,
                    green_blue,
                    edges: [top, bottom],
                    flags,
                    duration,
                };
                Cut::Message(leds, 16)
            }
            [b'E', b'L', ..] => Cut::Partial,
            _ => Cut::Junk(1),
        }
    }

    fn cut_last(bytes: &[u8]) -> Option<(Self, usize)> {
        let digits = std::str::from_utf8(bytes).ok()?.strip_prefix("CPM")?;
        Some((Self::Every(digits.parse().ok()?), bytes.len()))
    }

    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Every(ms) => out.extend(format!("CPM{ms}").into_bytes()),
            Self::Leds {
                squares,
                red,
                green_blue,
                edges: [top, bottom],
                flags,
                duration,
            } => {
                out.extend([b'E', b'L', *red, *green_blue, *top]);
                out.extend(ranks(*squares, false));
                out.extend([*bottom, *flags, *duration]);
            }
            fixed => {
                let known = FIXED.iter().find(|(_, command, _)| command == fixed);
                out.extend(known.map_or(&[][..], |(bytes, ..)| bytes));
            }
        }
    }
}

impl Order for Command {
    fn json(&self) -> Value {
        match self {
            Self::Every(ms) => json!({"type": "report_periodically", "ms": ms}),
            Self::Leds { squares, .. } => json!({"type": "leds", "squares": names(*squares)}),
            fixed => {
                let known = FIXED.iter().find(|(_, command, _)| command == fixed);
                json!({"type": known.map(|(.., name)| name)})
            }
        }
    }
}

const TALK: Script = Script {
    family: "ichessone",
    // A DGT board answers it with dumps; the command for reports would be written in its EEPROM.
    probe: |_| bytes_of(&[Command::Position]),
    start: |_| bytes_of(&[Command::OnChange]),
    picture: Some(|| bytes(&Command::Position)),
    ask_after: Duration::from_secs(2),
    battery: Some(|| bytes(&Command::Battery)),
    gap: Duration::from_millis(100),
    silence: Duration::from_secs(7),
    ..Script::STREAM
};

/// Its USB ids are not known.
pub const FAMILY: Family = Family {
    name: "ichessone",
    aliases: &[],
    title: "iChessOne",
    evidence: Evidence::Placement,
    confidence: Confidence::Medium,
    values: false,
    device: Device {
        recognised: Recognised {
            usb: &[],
            names: &["iChessOne"],
            probe: Probe::Ask,
        },
        can: Capabilities {
            leds: true,
            battery: true,
            ..Capabilities::NONE
        },
        serial: Some(SerialLine {
            baud: 115_200,
            modem_high: true,
        }),
        gatt: Some(NORDIC_UART),
        talk: Some(|habits| conversation::plain::<Message>(TALK, habits)),
    },
    decoder: plain::<Message>,
    commands: commands::<Command>,
};
