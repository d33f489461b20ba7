//! WhitePawn Protocol: lines of text that a line feed ends.
//!
//! Confidence: high for what its published test says, low for its use. The board judges moves itself.

use serde_json::{Value, json};

use super::{
    board::{Confidence, Evidence, Order, Tell, Told, View},
    families::{Family, commands, plain},
    registry::{Capabilities, Device, Probe, Recognised},
    stream::{Cut, Wire},
};

/// Characters of a move, filled with blanks on the left.
const MOVE: usize = 5;
/// Longest line.
const LONGEST: usize = 80;

/// What a board says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Who it is.
    Handshake {
        /// Version of the protocol.
        protocol: u8,
        /// Of the board.
        version: String,
        /// Of the board.
        serial: String,
    },
    /// A move on the board.
    Move(String),
    /// The game is over.
    End(String),
}

/// The line in front; `None` while its end is missing.
fn line(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let end = bytes.iter().position(|b| *b == b'\n')?;
    Some((bytes[..end].trim_ascii_end(), end + 1))
}

fn text(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    Some(text.trim().to_owned())
}

fn hex(bytes: &[u8]) -> Option<u16> {
    u16::from_str_radix(std::str::from_utf8(bytes).ok()?, 16).ok()
}

/// Starts of lines, so that noise before one is told at once.
fn may_begin(bytes: &[u8], codes: &[&[u8]]) -> bool {
    codes
        .iter()
        .any(|code| bytes.starts_with(code) || code.starts_with(bytes))
}

impl Wire for Message {
    const LONGEST: usize = LONGEST;

    fn cut(bytes: &[u8]) -> Cut<Self> {
        if !may_begin(bytes, &[b"H1", b"MB", b"GE"]) {
            return if bytes[0].is_ascii_whitespace() {
                Cut::Filler(1)
            } else {
                Cut::Junk(1)
            };
        }
        let Some((line, len)) = line(bytes) else {
            return Cut::Partial;
        };
        let message = match line.split_at_checked(2) {
            Some((b"H1", rest)) => (|| {
                let (protocol, rest) = rest.split_at_checked(2)?;
                let (version, serial) = rest.split_at_checked(8)?;
                Some(Self::Handshake {
                    protocol: u8::try_from(hex(protocol)?).ok()?,
                    version: text(version)?,
                    serial: text(serial)?,
                })
            })(),
            Some((b"MB", mv)) if mv.len() == MOVE => text(mv).map(Self::Move),
            Some((b"GE", rest)) => text(rest).map(Self::End),
            _ => None,
        };
        message.map_or(Cut::Junk(1), |message| Cut::Message(message, len))
    }

    fn encode(&self, out: &mut Vec<u8>) {
        let line = match self {
            Self::Handshake {
                protocol,
                version,
                serial,
            } => format!("H1{protocol:02X}{version:>8}{serial}\n"),
            Self::Move(mv) => format!("MB{mv:>MOVE$}\n"),
            Self::End(rest) => format!("GE{rest}\n"),
        };
        out.extend(line.bytes());
    }
}

impl Tell for Message {
    fn told(&self) -> Told {
        match self {
            Self::Handshake { version, .. } => Told::Version(version.clone()),
            Self::Move(mv) => Told::Move(mv.clone()),
            Self::End(_) => Told::Other,
        }
    }

    fn json(&self, _view: &mut View) -> Value {
        match self {
            Self::Handshake {
                protocol,
                version,
                serial,
            } => json!({
                "type": "handshake_reply", "protocol": protocol, "version": version,
                "serial": serial,
            }),
            Self::Move(mv) => json!({"type": "move", "text": mv}),
            Self::End(rest) => json!({"type": "end", "text": rest}),
        }
    }
}

/// What a host says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Who the host is.
    Handshake {
        /// Version of the protocol.
        protocol: u8,
        /// Build of the host.
        build: u16,
    },
    /// A new game.
    NewGame {
        /// Kind of game.
        kind: u8,
        /// A flag that is not described further.
        flag: char,
    },
    /// A move for the board to show.
    Move(String),
    /// The game is over.
    End(String),
}

impl Wire for Command {
    const LONGEST: usize = LONGEST;

    fn cut(bytes: &[u8]) -> Cut<Self> {
        if !may_begin(bytes, &[b"H0", b"NG", b"MA", b"GE"]) {
            return if bytes[0].is_ascii_whitespace() {
                Cut::Filler(1)
            } else {
                Cut::Junk(1)
            };
        }
        let Some((line, len)) = line(bytes) else {
            return Cut::Partial;
        };
        let command = match line.split_at_checked(2) {
            Some((b"H0", rest)) if rest.len() == 6 => (|| {
                Some(Self::Handshake {
                    protocol: u8::try_from(hex(&rest[..2])?).ok()?,
                    build: hex(&rest[2..])?,
                })
            })(),
            Some((b"NG", &[kind @ b'0'..=b'9', flag])) if flag.is_ascii_graphic() => {
                Some(Self::NewGame {
                    kind: kind - b'0',
                    flag: flag.into(),
                })
            }
            Some((b"MA", mv)) if mv.len() == MOVE => text(mv).map(Self::Move),
            Some((b"GE", rest)) => text(rest).map(Self::End),
            _ => None,
        };
        command.map_or(Cut::Junk(1), |command| Cut::Message(command, len))
    }

    fn encode(&self, out: &mut Vec<u8>) {
        let line = match self {
            Self::Handshake { protocol, build } => format!("H0{protocol:02X}{build:04X}\n"),
            Self::NewGame { kind, flag } => format!("NG{kind}{flag}\n"),
            Self::Move(mv) => format!("MA{mv:>MOVE$}\n"),
            Self::End(rest) => format!("GE{rest}\n"),
        };
        out.extend(line.bytes());
    }
}

impl Order for Command {
    fn json(&self) -> Value {
        match self {
            Self::Handshake { protocol, build } => {
                json!({"type": "handshake", "protocol": protocol, "build": build})
            }
            Self::NewGame { kind, flag } => {
                json!({"type": "new_game", "game_type": kind, "flag": flag})
            }
            Self::Move(mv) => json!({"type": "move_to_board", "text": mv}),
            Self::End(rest) => json!({"type": "end", "text": rest}),
        }
    }
}

/// Little used; the hub does not speak with it.
pub const FAMILY: Family = Family {
    name: "wpp",
    aliases: &[],
    title: "boards with the WhitePawn Protocol",
    evidence: Evidence::Moves,
    confidence: Confidence::Low,
    values: false,
    device: Device {
        recognised: Recognised {
            usb: &[],
            names: &[],
            probe: Probe::Named,
        },
        can: Capabilities::NONE,
        serial: None,
        gatt: None,
        talk: None,
    },
    decoder: plain::<Message>,
    commands: commands::<Command>,
};
