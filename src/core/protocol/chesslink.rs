//! Millennium ChessLink, Exclusive, Supreme Tournament 55, eONE and King Performance: USB serial, classic
//! Bluetooth, BLE.
//!
//! Confidence: high, but for the identity reply (low). Seven-bit ASCII with odd parity in the top bit, also
//! over BLE; some emulators leave that bit empty, so it is ignored on input. The block check must be on (bit 0
//! of register 0 is 0): without it nothing tells a message from noise. Which way round the squares come
//! depends on the side of the cable.

use std::time::Duration;

use serde_json::{Value, json};
use shakmaty::Bitboard;

use super::{
    board::{Confidence, Evidence, Order, Say, Tell, Told, View, from_a8, names},
    conversation::{self, Script, bytes, bytes_of},
    families::{Family, commands, plain},
    registry::{Capabilities, Device, Gatt, Probe, Recognised, SerialLine},
    stream::{Cut, Wire},
};
use crate::types::{Piece, Placement, Square};

mod leds;

pub use leds::{Corners, LEDS};

/// Bytes of the longest reply.
const LONGEST: usize = 67;
/// Digits of the block check.
const CHECK: usize = 2;

/// What a ChessLink board says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Which man stands where, in the wire's numbering.
    Position(Placement),
    /// Firmware version, four digits.
    Version([u8; 4]),
    /// The lights were set.
    LedsSet,
    /// The lights are out.
    LedsOff,
    /// A register was written.
    Written {
        /// Its number.
        register: u8,
        /// What it holds.
        value: u8,
    },
    /// A register was read.
    Register {
        /// Its number.
        register: u8,
        /// What it holds.
        value: u8,
    },
    /// Who the board is. Low confidence: its length is not described.
    Identity(String),
    /// A message whose block check is wrong.
    BadCheck,
}

/// How a message goes on after its letter.
enum Body {
    Men,
    Digits(usize),
    Text,
}

impl Wire for Message {
    const LONGEST: usize = LONGEST;

    fn cut(bytes: &[u8]) -> Cut<Self> {
        let plain: Vec<u8> = bytes.iter().map(|byte| byte & 0x7f).collect();
        let body = match plain[0] {
            b's' => Body::Men,
            b'v' | b'w' | b'r' => Body::Digits(4),
            b'l' | b'x' => Body::Digits(0),
            b'i' => Body::Text,
            _ => return Cut::Junk(1),
        };
        let (data_len, fits): (usize, fn(u8) -> bool) = match body {
            Body::Men => (64, |b| b == b'.' || Piece::from_char(b.into()).is_some()),
            Body::Digits(count) => (count, is_hex),
            Body::Text => return identity(&plain),
        };
        let data = &plain[1..plain.len().min(1 + data_len)];
        let end = plain.get(1 + data_len..).unwrap_or_default();
        let end = &end[..end.len().min(CHECK)];
        if !data.iter().all(|b| fits(*b)) || !end.iter().all(|b| is_hex(*b)) {
            return Cut::Junk(1);
        }
        let len = 1 + data_len + CHECK;
        if plain.len() < len {
            return Cut::Partial;
        }
        if value(end) != Some(check(&plain[..=data_len])) {
            return Cut::Broken(Self::BadCheck, len);
        }
        let register = || Some((value(&data[..2])?, value(&data[2..])?));
        let message = match plain[0] {
            b's' => Self::Position(men(data)),
            b'l' => Self::LedsSet,
            b'x' => Self::LedsOff,
            b'v' => match data.try_into() {
                Ok(digits) => Self::Version(digits),
                Err(_) => return Cut::Junk(1),
            },
            letter => match register() {
                Some((register, value)) if letter == b'w' => Self::Written { register, value },
                Some((register, value)) => Self::Register { register, value },
                None => return Cut::Junk(1),
            },
        };
        Cut::Message(message, len)
    }

    fn encode(&self, out: &mut Vec<u8>) {
        let text = match self {
            Self::Position(placement) => {
                let letter = |at| placement.piece_at(from_a8(at)).map_or('.', Piece::char);
                format!("s{}", (0..64).map(letter).collect::<String>())
            }
            Self::Version(digits) => format!("v{}", String::from_utf8_lossy(digits)),
            Self::LedsSet => "l".to_owned(),
            Self::LedsOff => "x".to_owned(),
            Self::Written { register, value } => format!("w{register:02X}{value:02X}"),
            Self::Register { register, value } => format!("r{register:02X}{value:02X}"),
            Self::Identity(text) => format!("i{text}"),
            // Nobody sends one on purpose.
            Self::BadCheck => return,
        };
        send(&text, out);
    }
}

/// The end of an identity is where the block check fits.
fn identity(plain: &[u8]) -> Cut<Message> {
    let printable = |byte: &u8| (0x20..0x7f).contains(byte);
    let run = plain.iter().take_while(|byte| printable(byte)).count();
    for end in 1..run.saturating_sub(1) {
        let (text, digits) = plain[..end + CHECK].split_at(end);
        if value(digits) == Some(check(text)) {
            let text = text[1..].iter().map(|byte| char::from(*byte)).collect();
            return Cut::Message(Message::Identity(text), end + CHECK);
        }
    }
    if run == plain.len() {
        Cut::Partial
    } else {
        Cut::Junk(1)
    }
}

fn men(letters: &[u8]) -> Placement {
    let mut board = Placement::empty();
    for (at, letter) in letters.iter().enumerate() {
        if let Some(piece) = Piece::from_char(char::from(*letter)) {
            board.set_piece_at(from_a8(at), piece);
        }
    }
    board
}

fn is_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'A'..=b'F')
}

/// Two hex digits.
fn value(digits: &[u8]) -> Option<u8> {
    let &[high, low] = digits else {
        return None;
    };
    if !is_hex(high) || !is_hex(low) {
        return None;
    }
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(high)? << 4 | digit(low)?).ok()
}

/// The block check: all characters before it, without parity.
fn check(plain: &[u8]) -> u8 {
    plain.iter().fold(0, |sum, byte| sum ^ byte)
}

/// Appends a message with block check and parity.
fn send(text: &str, out: &mut Vec<u8>) {
    let sum = check(text.as_bytes()) & 0x7f;
    let whole = format!("{text}{sum:02X}");
    out.extend(whole.bytes().map(|byte| {
        let byte = byte & 0x7f;
        byte | u8::from(byte.count_ones().is_multiple_of(2)) << 7
    }));
}

impl Tell for Message {
    fn told(&self) -> Told {
        match self {
            Self::Position(placement) => Told::Placement(placement.clone()),
            Self::Version(digits) => Told::Version(String::from_utf8_lossy(digits).into_owned()),
            _ => Told::Other,
        }
    }

    fn json(&self, view: &mut View) -> Value {
        match self {
            Self::Position(placement) => view.position_json(placement, Say::StartToo).into(),
            Self::Version(digits) => {
                json!({"type": "version", "raw": String::from_utf8_lossy(digits)})
            }
            Self::LedsSet => json!({"type": "leds_ack"}),
            Self::LedsOff => json!({"type": "leds_all_off_ack"}),
            Self::Written { register, value } => {
                json!({"type": "register_written", "register": register, "value": value})
            }
            Self::Register { register, value } => {
                json!({"type": "register_read", "register": register, "value": value})
            }
            Self::Identity(text) => json!({"type": "identity", "text": text}),
            Self::BadCheck => json!({"type": "invalid", "reason": "block check"}),
        }
    }

    fn answer(&self) -> Option<Vec<u8>> {
        self.mended().map(|command| bytes(&command))
    }
}

/// What a host says to a ChessLink board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Ask for the position.
    Status,
    /// Ask for the version.
    Version,
    /// All lights out.
    LedsOff,
    /// Start anew; nothing is answered, wait three seconds.
    Reset,
    /// Lights at the corners of the squares.
    Leds {
        /// Length of a slot in units of 4.096 ms.
        slot: u8,
        /// What each light does in eight slots.
        corners: Corners,
    },
    /// Write a register of the EEPROM. Not at every connection: it wears out.
    Write {
        /// Its number.
        register: u8,
        /// What it shall hold.
        value: u8,
    },
    /// Read a register.
    Read(u8),
    /// Ask who the board is; newer ones answer.
    Identity(u8),
    /// A command whose block check is wrong.
    BadCheck,
}

impl Wire for Command {
    const LONGEST: usize = 1 + 2 + 2 * LEDS + CHECK;

    fn cut(bytes: &[u8]) -> Cut<Self> {
        let plain: Vec<u8> = bytes.iter().map(|byte| byte & 0x7f).collect();
        let digits = match plain[0] {
            b'S' | b'V' | b'X' | b'T' => 0,
            b'R' | b'I' => 2,
            b'W' => 4,
            b'L' => 2 + 2 * LEDS,
            _ => return Cut::Junk(1),
        };
        let len = 1 + digits + CHECK;
        let rest = &plain[1..plain.len().min(len)];
        if !rest.iter().all(|b| is_hex(*b)) {
            return Cut::Junk(1);
        }
        if plain.len() < len {
            return Cut::Partial;
        }
        let values: Vec<u8> = rest.chunks(2).filter_map(value).collect();
        let Some((sum, values)) = values.split_last() else {
            return Cut::Junk(1);
        };
        if *sum != check(&plain[..=digits]) {
            return Cut::Broken(Self::BadCheck, len);
        }
        let command = match (plain[0], values) {
            (b'S', _) => Self::Status,
            (b'V', _) => Self::Version,
            (b'X', _) => Self::LedsOff,
            (b'T', _) => Self::Reset,
            (b'R', &[register]) => Self::Read(register),
            (b'I', &[what]) => Self::Identity(what),
            (b'W', &[register, value]) => Self::Write { register, value },
            (_, [slot, patterns @ ..]) => match patterns.try_into() {
                Ok(patterns) => Self::Leds {
                    slot: *slot,
                    corners: Corners(patterns),
                },
                Err(_) => return Cut::Junk(1),
            },
            _ => return Cut::Junk(1),
        };
        Cut::Message(command, len)
    }

    fn encode(&self, out: &mut Vec<u8>) {
        let text = match self {
            Self::Status => "S".to_owned(),
            Self::Version => "V".to_owned(),
            Self::LedsOff => "X".to_owned(),
            Self::Reset => "T".to_owned(),
            Self::Leds { slot, corners } => format!("L{slot:02X}{}", corners.digits()),
            Self::Write { register, value } => format!("W{register:02X}{value:02X}"),
            Self::Read(register) => format!("R{register:02X}"),
            Self::Identity(what) => format!("I{what:02X}"),
            // Nobody sends one on purpose.
            Self::BadCheck => return,
        };
        send(&text, out);
    }
}

impl Order for Command {
    fn json(&self) -> Value {
        match self {
            Self::Status => json!({"type": "status_request"}),
            Self::Version => json!({"type": "version_request"}),
            Self::LedsOff => json!({"type": "leds_all_off"}),
            Self::Reset => json!({"type": "reset"}),
            Self::Leds { slot, corners } => {
                let mut leds = json!({"type": "leds", "slot_hex": format!("{slot:02X}")});
                match corners.squares() {
                    Some(squares) => leds["squares"] = json!(names(squares)),
                    None => leds["patterns_hex"] = json!(corners.digits()),
                }
                if let Some(pattern) = corners.pattern() {
                    leds["pattern_hex"] = json!(format!("{pattern:02X}"));
                }
                leds
            }
            Self::Write { register, value } => {
                json!({"type": "write_register", "register": register, "value": value})
            }
            Self::Read(register) => json!({"type": "read_register", "register": register}),
            Self::Identity(what) => json!({"type": "identity_request", "what": what}),
            Self::BadCheck => json!({"type": "invalid", "reason": "block check"}),
        }
    }
}

/// The command that lights squares with one pattern.
pub fn light(squares: Bitboard, pattern: u8, slot: u8) -> Command {
    Command::Leds {
        slot,
        corners: Corners::around(squares.into_iter().collect::<Vec<Square>>(), pattern),
    }
}

/// The register that switches the block check.
const BLOCK_CHECK: u8 = 0x00;
/// The register that says when positions are told.
const REPORTS: u8 = 0x02;
/// Positions are told on each change.
const ON_CHANGE: u8 = 3;

impl Message {
    /// Registers are read first and written only when they are wrong: they are EEPROM and wear out. Without the
    /// block check nothing tells a message from noise; a board that tells no changes would have to be
    /// asked all the time, and one that tells every scan fills the line.
    fn mended(&self) -> Option<Command> {
        match *self {
            Self::Register {
                register: BLOCK_CHECK,
                value,
            } if value & 1 == 1 => Some(Command::Write {
                register: BLOCK_CHECK,
                value: value & !1,
            }),
            Self::Register {
                register: REPORTS,
                value,
            } if value < ON_CHANGE => Some(Command::Write {
                register: REPORTS,
                value: ON_CHANGE,
            }),
            _ => None,
        }
    }
}

const TALK: Script = Script {
    family: "chesslink",
    // All its bytes have the top bit, by parity: no board of another make obeys them.
    probe: |_| bytes_of(&[Command::Version]),
    start: |_| bytes_of(&[Command::Read(BLOCK_CHECK), Command::Read(REPORTS)]),
    picture: Some(|| bytes(&Command::Status)),
    ask_after: Duration::from_secs(2),
    gap: Duration::from_millis(100),
    silence: Duration::from_secs(7),
    identity: Duration::from_millis(500),
    ..Script::STREAM
};

/// By cable where there is one: on BlueZ its BLE is troublesome (see `ble-practice`).
pub const FAMILY: Family = Family {
    name: "chesslink",
    aliases: &["millennium"],
    title: "Millennium ChessLink, Exclusive, Supreme Tournament 55, eONE, King Performance",
    evidence: Evidence::Placement,
    confidence: Confidence::High,
    values: false,
    device: Device {
        recognised: Recognised {
            usb: &[],
            names: &["MILLENNIUM CHESS"],
            probe: Probe::Ask,
        },
        can: Capabilities {
            leds: true,
            ..Capabilities::NONE
        },
        // Seven bits and odd parity on the wire: the codec makes the parity bit.
        serial: Some(SerialLine {
            baud: 38_400,
            modem_high: false,
        }),
        gatt: Some(Gatt {
            service: "49535343-fe7d-4ae5-8fa9-9fafd205e455",
            write: "49535343-8841-43f4-a8d4-ecbe34729bb3",
            notify: &["49535343-1e4d-4bd9-ba61-23c647249616"],
            least_mtu: None,
            pause: Duration::from_millis(100),
            values: false,
        }),
        talk: Some(|habits| conversation::plain::<Message>(TALK, habits)),
    },
    decoder: plain::<Message>,
    commands: commands::<Command>,
};
