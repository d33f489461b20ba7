//! Chessnut Air, Air+, Pro, Go and Move, over BLE or USB HID.
//!
//! Confidence: high (maker's documents and several programs); the charging bit, stored games, the button
//! and the HID report are borne out less, and of the Move only placements, lights and its motors are
//! sure. A placement comes five times a second whether or not something changed.

use std::time::Duration;

use serde_json::{Map, Value, json};
use shakmaty::Bitboard;

use super::{
    Battery,
    board::{
        Confidence, Evidence, Letters, Order, Say, Tell, Told, View, battery_json, from_h8, names,
        of_ranks, ranks,
    },
    conversation::{self, Script, bytes, bytes_of},
    families::{Family, commands, plain},
    registry::{Capabilities, Device, Gatt, Probe, Recognised, UsbId},
    stream::{Cut, Wire},
};
use crate::types::{Placement, Square};

const LETTERS: Letters = Letters(b".qkbpnRPrBNQK");
/// Bytes of 64 squares, two to a byte.
const SQUARES: usize = 32;
/// What the maker's examples have in place of the uptime.
const NO_UPTIME: u32 = u32::MAX;

/// What a Chessnut board says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Which man stands where.
    Position {
        /// In the wire's numbering.
        placement: Placement,
        /// Seconds since the board was switched on; some firmware fills only the lower 16 bits. `None` in
        /// a HID report, which carries none that is known.
        uptime: Option<u32>,
    },
    /// The answer to a change of mode.
    Ack {
        /// It is ready.
        ok: bool,
    },
    /// The battery of an Air, Pro or Go.
    Battery {
        /// As sent: bit 7 of it or the second byte says that it charges.
        percent: u8,
        /// As sent.
        charging: u8,
    },
    /// The battery of a Move.
    MoveBattery {
        /// Charging if not 0.
        charging: u8,
        /// 0–100.
        percent: u8,
    },
    /// How many games it has stored while nobody was connected.
    StoredGames(u8),
    /// A button was pressed. Low confidence.
    Button(u8),
    /// A Move answers the probe so. What follows is not known.
    IsMove,
}

impl Wire for Message {
    const LONGEST: usize = 63;

    fn cut(bytes: &[u8]) -> Cut<Self> {
        let &[kind, len, ..] = bytes else {
            return match bytes[0] {
                0x01 | 0x0f | 0x23 | 0x2a | 0x32 | 0x41 => Cut::Partial,
                _ => Cut::Junk(1),
            };
        };
        let whole = match (kind, len) {
            (0x01, 0x24) => 38,
            (0x01, 0x3d) => 63,
            (0x0f, 1..=4) => usize::from(len) + 2,
            (0x23 | 0x32, 1) => 3,
            (0x2a, 2) => 4,
            (0x41, 3) => 5,
            (0x41, 5) => 3,
            _ => return Cut::Junk(1),
        };
        let data = &bytes[2..whole.min(bytes.len())];
        let credible = match kind {
            0x01 => data
                .iter()
                .take(SQUARES)
                .all(|b| b >> 4 < 13 && b & 15 < 13),
            0x23 => data.first().is_none_or(|ok| *ok < 2),
            0x2a => data.first().is_none_or(|percent| percent & 0x7f <= 100),
            0x41 if len == 3 => {
                data.first().is_none_or(|what| *what == 0x0c)
                    && data.get(2).is_none_or(|percent| *percent <= 100)
            }
            0x41 => data.first().is_none_or(|what| *what == 0x15),
            _ => true,
        };
        if !credible {
            return Cut::Junk(1);
        }
        if bytes.len() < whole {
            return Cut::Partial;
        }
        let message = match kind {
            0x01 => {
                let Some(placement) = squares(data) else {
                    return Cut::Junk(1);
                };
                let tail = data[SQUARES..].first_chunk().filter(|_| len == 0x24);
                Self::Position {
                    placement,
                    uptime: tail.map(|tail| u32::from_le_bytes(*tail)),
                }
            }
            0x0f => Self::Button(data[0]),
            0x23 => Self::Ack { ok: data[0] == 0 },
            0x2a => Self::Battery {
                percent: data[0],
                charging: data[1],
            },
            0x32 => Self::StoredGames(data[0]),
            _ if len == 3 => Self::MoveBattery {
                charging: data[1],
                percent: data[2],
            },
            _ => Self::IsMove,
        };
        Cut::Message(message, whole)
    }

    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Position {
                placement,
                uptime: Some(uptime),
            } => {
                out.extend([0x01, 0x24]);
                out.extend(nibbles(placement));
                out.extend(uptime.to_le_bytes());
            }
            Self::Position {
                placement,
                uptime: None,
            } => {
                out.extend([0x01, 0x3d]);
                out.extend(nibbles(placement));
                out.extend([0; 0x3d - SQUARES]);
            }
            Self::Ack { ok } => out.extend([0x23, 1, u8::from(!ok)]),
            Self::Battery { percent, charging } => out.extend([0x2a, 2, *percent, *charging]),
            Self::MoveBattery { charging, percent } => {
                out.extend([0x41, 3, 0x0c, *charging, *percent]);
            }
            Self::StoredGames(count) => out.extend([0x32, 1, *count]),
            Self::Button(button) => out.extend([0x0f, 1, *button]),
            Self::IsMove => out.extend([0x41, 5, 0x15]),
        }
    }
}

impl Message {
    fn battery(&self) -> Option<(u8, bool)> {
        match *self {
            Self::Battery { percent, charging } => {
                Some((percent & 0x7f, percent >= 0x80 || charging == 1))
            }
            Self::MoveBattery { charging, percent } => Some((percent, charging != 0)),
            _ => None,
        }
    }
}

impl Tell for Message {
    fn told(&self) -> Told {
        if let Some((percent, charging)) = self.battery() {
            return Told::Battery(Battery {
                percent: Some(percent),
                charging,
            });
        }
        match self {
            Self::Position { placement, .. } => Told::Placement(placement.clone()),
            Self::Button(button) => Told::Button(*button),
            _ => Told::Other,
        }
    }

    fn json(&self, view: &mut View) -> Value {
        if let Some((percent, charging)) = self.battery() {
            return battery_json(percent, charging);
        }
        match self {
            Self::Position { placement, uptime } => {
                let mut position = view.position_json(placement, Say::TurnedAndRaw);
                match *uptime {
                    Some(NO_UPTIME) => {
                        position.insert("tail".into(), json!("ffffffff"));
                    }
                    Some(uptime) => {
                        position.insert("uptime_s".into(), json!(uptime));
                    }
                    None => {}
                }
                position.into()
            }
            Self::Ack { ok } => json!({"type": "ack", "ok": ok}),
            Self::StoredGames(count) => json!({"type": "file_count", "count": count}),
            Self::Button(button) => json!({"type": "button", "button": button}),
            _ => json!({"type": "probe_reply", "is_move": true}),
        }
    }
}

fn squares(bytes: &[u8]) -> Option<Placement> {
    let codes = bytes
        .iter()
        .take(SQUARES)
        .enumerate()
        .flat_map(|(at, byte)| {
            [
                (from_h8(2 * at), byte & 15),
                (from_h8(2 * at + 1), byte >> 4),
            ]
        });
    LETTERS.placement(codes)
}

fn nibbles(placement: &Placement) -> [u8; SQUARES] {
    std::array::from_fn(|at| {
        let code = |index| LETTERS.code(placement.piece_at(from_h8(index)));
        code(2 * at) | code(2 * at + 1) << 4
    })
}

/// What a host says to a Chessnut board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Placements as they are. The first thing to say.
    Realtime,
    /// Hand over stored games instead.
    UploadMode,
    /// One light a square, on or off.
    Leds(Bitboard),
    /// A tone.
    Beep {
        /// Its pitch.
        hz: u16,
        /// Its length in milliseconds.
        ms: u16,
    },
    /// Ask for the battery.
    Battery,
    /// Ask for the version of the board's controller.
    McuVersion,
    /// Ask for the version of its radio.
    BleVersion,
    /// Ask for its name.
    DeviceName,
    /// Ask how many games it has stored.
    StoredGames,
    /// Ask for the newest stored game.
    NewestGame,
    /// Ask whether it is a Move; other boards answer the second half, the number of stored games.
    Probe,
    /// A Move moves its men there itself. Never in a rated game.
    AutoMove {
        /// What shall stand on the board.
        target: Placement,
        /// 0 by force, 1 as usual.
        mode: u8,
    },
    /// The coloured lights of a Move: 0 off, 1 red, 2 green, 3 blue; a1 first, h8 last.
    Colours([u8; 64]),
    /// Ask a Move for its battery.
    MoveBattery,
    /// Ask a Move for its men. Low confidence.
    PieceStatus,
}

/// Commands that are always the same bytes, with their names. The probe comes before what it begins
/// with.
const FIXED: [(&[u8], Command, &str); 11] = [
    (&[0x41, 1, 0x15, 0x31, 1, 0], Command::Probe, "probe"),
    (&[0x21, 1, 0], Command::Realtime, "enable_realtime"),
    (&[0x21, 1, 1], Command::UploadMode, "enable_upload_mode"),
    (&[0x29, 1, 0], Command::Battery, "battery_request"),
    (&[0x27, 1, 1], Command::McuVersion, "mcu_version_request"),
    (&[0x27, 1, 0], Command::BleVersion, "ble_version_request"),
    (&[0x2b, 1, 0], Command::DeviceName, "device_name_request"),
    (&[0x31, 1, 0], Command::StoredGames, "file_count_request"),
    (&[0x34, 1, 1], Command::NewestGame, "newest_file_request"),
    (&[0x41, 1, 0x0c], Command::MoveBattery, "battery_request"),
    (
        &[0x41, 1, 0x0b],
        Command::PieceStatus,
        "piece_status_request",
    ),
];

impl Wire for Command {
    const LONGEST: usize = 35;

    fn cut(bytes: &[u8]) -> Cut<Self> {
        for (fixed, command, _) in &FIXED {
            if bytes.starts_with(fixed) {
                return Cut::Message(command.clone(), fixed.len());
            }
            if fixed.starts_with(bytes) {
                return Cut::Partial;
            }
        }
        let len = match bytes {
            [0x0a | 0x0b | 0x42 | 0x43] => return Cut::Partial,
            [0x0a, 8, ..] => 10,
            [0x0b, 4, ..] => 6,
            [0x42, 0x21, ..] => 35,
            [0x43, 0x20, ..] => 34,
            _ => return Cut::Junk(1),
        };
        if bytes.len() < len {
            return Cut::Partial;
        }
        let data = &bytes[2..len];
        let command = match (bytes[0], data) {
            (0x0b, &[a, b, c, d]) => Self::Beep {
                hz: u16::from_be_bytes([a, b]),
                ms: u16::from_be_bytes([c, d]),
            },
            (0x42, &[.., mode]) => match squares(data) {
                Some(target) => Self::AutoMove { target, mode },
                None => return Cut::Junk(1),
            },
            (0x43, data) => {
                let mut colours = [0; 64];
                for (at, byte) in data.iter().enumerate() {
                    colours[from_h8(2 * at) as usize] = byte & 15;
                    colours[from_h8(2 * at + 1) as usize] = byte >> 4;
                }
                Self::Colours(colours)
            }
            (_, data) => match data.first_chunk() {
                Some(ranks) => Self::Leds(of_ranks(*ranks, true)),
                None => return Cut::Junk(1),
            },
        };
        Cut::Message(command, len)
    }

    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Leds(squares) => {
                out.extend([0x0a, 8]);
                out.extend(ranks(*squares, true));
            }
            Self::Beep { hz, ms } => {
                out.extend([0x0b, 4]);
                out.extend(hz.to_be_bytes());
                out.extend(ms.to_be_bytes());
            }
            Self::AutoMove { target, mode } => {
                out.extend([0x42, 0x21]);
                out.extend(nibbles(target));
                out.push(*mode);
            }
            Self::Colours(colours) => {
                out.extend([0x43, 0x20]);
                out.extend((0..SQUARES).map(|at| {
                    (colours[from_h8(2 * at) as usize] & 15)
                        | colours[from_h8(2 * at + 1) as usize] << 4
                }));
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
            Self::Leds(squares) => json!({"type": "leds", "squares": names(*squares)}),
            Self::Beep { hz, ms } => json!({"type": "beep", "hz": hz, "ms": ms}),
            Self::AutoMove { target, mode } => {
                json!({"type": "auto_move", "target": target.to_string(), "mode_byte": mode})
            }
            Self::Colours(colours) => {
                let lit = Square::ALL
                    .into_iter()
                    .filter(|s| colours[*s as usize] != 0);
                let lit: Map<_, _> = lit
                    .map(|s| (s.to_string(), json!(colours[s as usize])))
                    .collect();
                json!({"type": "leds", "colours": lit})
            }
            fixed => {
                let known = FIXED.iter().find(|(_, command, _)| command == fixed);
                json!({"type": known.map(|(.., name)| name)})
            }
        }
    }
}

/// Boards that talk five times a second once they are told to.
const TALK: Script = Script {
    family: "chessnut",
    probe: |_| bytes_of(&[Command::Realtime]),
    battery: Some(|| bytes(&Command::Battery)),
    gap: Duration::from_millis(200),
    silence: Duration::from_secs(4),
    ..Script::STREAM
};

/// The services of commands and of answers share one base; the third, with stored games, is left alone.
const GATT: Gatt = Gatt {
    service: "1b7e8261-2877-41c3-b46e-cf057c562023",
    write: "1b7e8272-2877-41c3-b46e-cf057c562023",
    notify: &[
        "1b7e8262-2877-41c3-b46e-cf057c562023",
        "1b7e8273-2877-41c3-b46e-cf057c562023",
    ],
    least_mtu: Some(41),
    pause: Duration::from_millis(200),
    values: false,
};

/// Over USB these boards are HID devices, which is not built.
pub const FAMILY: Family = Family {
    name: "chessnut",
    aliases: &["chessnut-air", "chessnut-pro", "chessnut-go"],
    title: "Chessnut Air, Air+, Pro and Go",
    evidence: Evidence::Placement,
    confidence: Confidence::High,
    values: false,
    device: Device {
        recognised: Recognised {
            usb: &[UsbId {
                vendor: 0x2d80,
                product: None,
            }],
            names: &["Chessnut Air", "Chessnut Pro", "Chessnut Go", "Smart Chess"],
            probe: Probe::Ask,
        },
        can: Capabilities {
            leds: true,
            battery: true,
            ..Capabilities::NONE
        },
        serial: None,
        gatt: Some(GATT),
        talk: Some(|habits| conversation::plain::<Message>(TALK, habits)),
    },
    decoder: plain::<Message>,
    commands: commands::<Command>,
};

/// The robot: it is never told to move its men.
pub const MOVE: Family = Family {
    name: "chessnut-move",
    aliases: &[],
    title: "Chessnut Move",
    device: Device {
        recognised: Recognised {
            usb: &[],
            names: &["Chessnut Move"],
            probe: Probe::Ask,
        },
        talk: Some(|habits| {
            let talk = Script {
                family: "chessnut-move",
                battery: Some(|| bytes(&Command::MoveBattery)),
                ..TALK
            };
            conversation::plain::<Message>(talk, habits)
        }),
        ..FAMILY.device
    },
    ..FAMILY
};
