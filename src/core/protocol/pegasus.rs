//! DGT Pegasus, over BLE (Nordic UART). Tells which squares are occupied, not by what.
//!
//! Confidence: high for the dump, changes, lights and identification; medium for the battery; low for
//! other replies. The frames are those of classic DGT boards, their meaning is not. The board works
//! fully only after a developer key, which its maker gives to developers and nobody else may ship.

use std::time::Duration;

use serde_json::{Value, json};
use shakmaty::{Bitboard, Square};

use super::{
    Battery, Touch,
    board::{
        Confidence, Evidence, Order, Tell, Told, View, battery_json, from_a8, occupancy_json,
        touched_json,
    },
    conversation::{self, Script, bytes, bytes_of},
    dgt::{json::hex, piece::index},
    families::{Family, commands, plain},
    registry::{Capabilities, Device, NORDIC_UART, Probe, Recognised},
    stream::{Cut, Wire},
};

const HEADER: usize = 3;
/// No reply that is known comes near it.
const LONGEST: usize = 512;

/// What a Pegasus says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Which squares are occupied.
    Dump(Bitboard),
    /// One square changed.
    Update {
        /// The square.
        square: Square,
        /// A man was put down.
        present: bool,
    },
    /// The battery; only the first byte and the last are understood.
    Battery([u8; 9]),
    /// Hardware version.
    Hardware(u8, u8),
    /// Software version.
    Software(u8, u8),
    /// Maker, versions and serial number, in lines.
    Trademark(String),
    /// Serial numbers.
    Serial {
        /// The long one.
        long: bool,
        /// As sent.
        text: String,
    },
    /// Whether the board is locked. Not described.
    LockState(Vec<u8>),
    /// What it makes of the developer key. Not described.
    KeyState(Vec<u8>),
    /// A reply that nobody described.
    Unknown {
        /// Its type.
        id: u8,
        /// What it carries.
        data: Vec<u8>,
    },
}

impl Wire for Message {
    const LONGEST: usize = LONGEST;

    fn cut(bytes: &[u8]) -> Cut<Self> {
        // Only the first byte of a frame has bit 7.
        let next = bytes.iter().skip(1).position(|b| *b >= 0x80);
        let whole = &bytes[..next.map_or(bytes.len(), |at| at + 1)];
        let id = whole[0];
        if id < 0x80 {
            return Cut::Junk(whole.len());
        }
        let &[_, high, low, ..] = whole else {
            return if next.is_some() {
                Cut::Junk(whole.len())
            } else {
                Cut::Partial
            };
        };
        let len = usize::from(high) << 7 | usize::from(low);
        let possible = match id {
            0x86 => len == 67,
            0x8e | 0x93 | 0x96 => len == 5,
            0xa0 => len == 12,
            _ => (HEADER..=LONGEST).contains(&len),
        };
        if !possible {
            return Cut::Junk(HEADER);
        }
        let Some(data) = whole.get(HEADER..len) else {
            return if next.is_some() {
                Cut::Junk(whole.len())
            } else {
                Cut::Partial
            };
        };
        let message = match (id, data) {
            (0x86, squares) => {
                let occupied = squares.iter().enumerate().filter(|(_, code)| **code == 1);
                Self::Dump(occupied.map(|(at, _)| from_a8(at)).collect())
            }
            (0x8e, &[at @ 0..64, code]) => Self::Update {
                square: from_a8(at.into()),
                present: code == 1,
            },
            (0x8e, _) => return Cut::Junk(len),
            (0x93, &[main, sub]) => Self::Software(main, sub),
            (0x96, &[main, sub]) => Self::Hardware(main, sub),
            (0xa0, data) => match data.try_into() {
                Ok(battery) => Self::Battery(battery),
                Err(_) => return Cut::Junk(len),
            },
            (0x91 | 0xa2, text) => Self::Serial {
                long: id == 0xa2,
                text: ascii(text),
            },
            (0x92, text) => Self::Trademark(ascii(text)),
            (0xa4, data) => Self::LockState(data.to_vec()),
            (0xa5, data) => Self::KeyState(data.to_vec()),
            (id, data) => Self::Unknown {
                id,
                data: data.to_vec(),
            },
        };
        Cut::Message(message, len)
    }

    fn encode(&self, out: &mut Vec<u8>) {
        let (id, data): (u8, Vec<u8>) = match self {
            Self::Dump(occupied) => (
                0x86,
                (0..64)
                    .map(|at| u8::from(occupied.contains(from_a8(at))))
                    .collect(),
            ),
            Self::Update { square, present } => (0x8e, vec![index(*square), u8::from(*present)]),
            Self::Battery(data) => (0xa0, data.to_vec()),
            Self::Hardware(main, sub) => (0x96, vec![*main, *sub]),
            Self::Software(main, sub) => (0x93, vec![*main, *sub]),
            Self::Trademark(text) => (0x92, text.clone().into_bytes()),
            Self::Serial { long, text } => {
                (if *long { 0xa2 } else { 0x91 }, text.clone().into_bytes())
            }
            Self::LockState(data) => (0xa4, data.clone()),
            Self::KeyState(data) => (0xa5, data.clone()),
            Self::Unknown { id, data } => (*id, data.clone()),
        };
        let len = data.len() + HEADER;
        out.extend([id, (len >> 7) as u8 & 0x7f, len as u8 & 0x7f]);
        out.extend(data.iter().map(|byte| byte & 0x7f));
    }
}

fn ascii(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

fn battery(data: [u8; 9]) -> (u8, bool) {
    (data[0].min(100), data[8] != 1)
}

impl Tell for Message {
    fn told(&self) -> Told {
        match self {
            Self::Dump(occupied) => Told::Occupancy(*occupied),
            Self::Update { square, present } => Told::Touched(Touch {
                square: *square,
                present: *present,
            }),
            Self::Battery(data) => {
                let (percent, charging) = battery(*data);
                Told::Battery(Battery {
                    percent: Some(percent),
                    charging,
                })
            }
            Self::Software(main, sub) => Told::Version(format!("{main}.{sub}")),
            Self::Serial { text, .. } => Told::Serial(text.trim().to_owned()),
            _ => Told::Other,
        }
    }

    fn json(&self, _view: &mut View) -> Value {
        match self {
            Self::Dump(occupied) => occupancy_json(*occupied),
            Self::Update { square, present } => touched_json(*square, *present),
            Self::Battery(data) => {
                let (percent, charging) = battery(*data);
                battery_json(percent, charging)
            }
            Self::Hardware(main, sub) => {
                json!({"type": "hardware_version", "major": main, "minor": sub})
            }
            Self::Software(main, sub) => {
                json!({"type": "software_version", "major": main, "minor": sub})
            }
            Self::Trademark(text) => {
                json!({"type": "trademark", "lines": text.lines().collect::<Vec<_>>()})
            }
            Self::Serial { long, text } => {
                json!({"type": if *long { "long_serial" } else { "short_serial" }, "text": text})
            }
            Self::LockState(data) => json!({"type": "lock_state", "data_hex": hex(data)}),
            Self::KeyState(data) => json!({"type": "key_state", "data_hex": hex(data)}),
            Self::Unknown { id, data } => {
                json!({"type": "unknown", "id": id, "data_hex": hex(data)})
            }
        }
    }
}

/// What a host says to a Pegasus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A command of one letter.
    Request(u8),
    /// All lights out.
    LedsOff,
    /// Lights.
    Leds {
        /// In the order of the wire.
        squares: Vec<Square>,
        /// Speed of the blinking.
        speed: u8,
        /// How often they blink; 0 stays lit.
        times: u8,
        /// Brightness.
        intensity: u8,
    },
    /// The key that its maker gave to a developer.
    DeveloperKey([u8; 6]),
}

/// The commands of one letter.
const REQUESTS: [(u8, &str); 15] = [
    (b'@', "reset"),
    (b'B', "dump"),
    (b'D', "start_updates"),
    (b'E', "short_serial"),
    // These three are seen, but nobody says what they ask for.
    (b'F', "unknown_46"),
    (b'I', "unknown_49"),
    (b'V', "unknown_56"),
    (b'G', "trademark"),
    (b'H', "hardware_version"),
    (b'L', "battery"),
    (b'M', "software_version"),
    (b'U', "long_serial"),
    (b'Y', "lock_state"),
    (b'Z', "key_state"),
    // What one emulator takes for the battery's letter.
    (b'2', "battery_of_an_emulator"),
];

fn request(letter: u8) -> Option<&'static str> {
    let known = REQUESTS.iter().find(|(code, _)| *code == letter)?;
    Some(known.1)
}

impl Wire for Command {
    const LONGEST: usize = 2 + 0xff;

    fn cut(bytes: &[u8]) -> Cut<Self> {
        match *bytes {
            [letter, ..] if request(letter).is_some() => Cut::Message(Self::Request(letter), 1),
            [0x60 | 0x63] => Cut::Partial,
            [code @ (0x60 | 0x63), len, ref rest @ ..] => {
                let Some(data) = rest.get(..usize::from(len)) else {
                    return Cut::Partial;
                };
                let command = match (code, data) {
                    (0x60, [0, 0]) => Self::LedsOff,
                    (0x60, [5, speed, times, intensity, squares @ .., 0])
                        if squares.iter().all(|at| *at < 64) =>
                    {
                        Self::Leds {
                            squares: squares.iter().map(|at| from_a8((*at).into())).collect(),
                            speed: *speed,
                            times: *times,
                            intensity: *intensity,
                        }
                    }
                    (0x63, [key @ .., 0]) if key.len() == 6 => {
                        let mut six = [0; 6];
                        six.copy_from_slice(key);
                        Self::DeveloperKey(six)
                    }
                    _ => return Cut::Junk(1),
                };
                Cut::Message(command, 2 + data.len())
            }
            _ => Cut::Junk(1),
        }
    }

    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Request(letter) => out.push(*letter),
            Self::LedsOff => out.extend([0x60, 2, 0, 0]),
            Self::Leds {
                squares,
                speed,
                times,
                intensity,
            } => {
                // A pattern of all squares is 64 bytes long at most.
                let squares = &squares[..squares.len().min(64)];
                out.extend([0x60, squares.len() as u8 + 5, 5, *speed, *times, *intensity]);
                out.extend(squares.iter().map(|square| index(*square)));
                out.push(0);
            }
            Self::DeveloperKey(key) => {
                out.extend([0x63, 7]);
                out.extend(key);
                out.push(0);
            }
        }
    }
}

impl Order for Command {
    fn json(&self) -> Value {
        match self {
            Self::Request(letter) => json!({"type": "request", "what": request(*letter)}),
            Self::LedsOff => json!({"type": "leds", "squares": []}),
            Self::Leds {
                squares,
                speed,
                times,
                intensity,
            } => json!({
                "type": "leds", "speed": speed, "times": times, "intensity": intensity,
                "squares": squares.iter().map(ToString::to_string).collect::<Vec<_>>(),
            }),
            Self::DeveloperKey(key) => {
                json!({"type": "developer_key", "key_hex": hex(key).replace(' ', "")})
            }
        }
    }

    fn name(&self) -> String {
        match self {
            // Among others its name must differ from that of the key itself.
            Self::Request(b'Z') => "ask_key_state".to_owned(),
            Self::Request(letter) => request(*letter).unwrap_or_default().to_owned(),
            Self::LedsOff => "leds_off".to_owned(),
            Self::Leds { .. } => "leds".to_owned(),
            Self::DeveloperKey(_) => "developer_key".to_owned(),
        }
    }
}

/// Changes are told, but one that is lost on the way is not told again: so the whole picture is asked for
/// as well. Whether that keeps a board from switching itself off after half an hour is not known.
const TALK: Script = Script {
    family: "pegasus",
    probe: |habits| {
        let key = habits.developer_key.map(Command::DeveloperKey);
        let asks = [b'E', b'U', b'M', b'B', b'D'].map(Command::Request);
        bytes_of(&key.into_iter().chain(asks).collect::<Vec<_>>())
    },
    picture: Some(|| bytes(&Command::Request(b'B'))),
    ask_after: Duration::from_secs(3),
    ask_anyhow: true,
    battery: Some(|| bytes(&Command::Request(b'L'))),
    gap: Duration::from_millis(100),
    silence: Duration::from_secs(10),
    identity: Duration::from_secs(1),
    ..Script::STREAM
};

/// The board's own key is a setting, see [`Habits::developer_key`](super::registry::Habits::developer_key).
pub const FAMILY: Family = Family {
    name: "pegasus",
    aliases: &["dgt-pegasus"],
    title: "DGT Pegasus",
    evidence: Evidence::Occupancy,
    confidence: Confidence::High,
    values: false,
    device: Device {
        recognised: Recognised {
            usb: &[],
            names: &["DGT_PEGASUS", "DGT PEGASUS"],
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
