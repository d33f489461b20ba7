//! ChessUp 1 and 2, over BLE (Nordic UART).
//!
//! Confidence: medium (one program and fragments); low for what follows the squares of a position. The
//! board judges moves itself and lets no illegal one stand, so a claim can never be seen on it. A promotion
//! begins as a move does and is only shorter: whoever reads must tell where a value ends.

use serde_json::{Value, json};

use super::{
    board::{Confidence, Evidence, Order, Tell, Told, View, from_a1},
    dgt::json::hex,
    families::{Family, commands, plain},
    registry::{Capabilities, Device, Gatt, NORDIC_UART, Probe, Recognised},
    stream::{Cut, Wire},
};
use crate::types::{Piece, Placement, Role, Square};

const ROLES: [Role; 6] = [
    Role::Pawn,
    Role::Rook,
    Role::Knight,
    Role::Bishop,
    Role::Queen,
    Role::King,
];
const EMPTY: u8 = 0x40;

fn piece(code: u8) -> Option<Piece> {
    let role = *ROLES.get(usize::from(code & 7))?;
    match code >> 3 {
        0 => Some(role.of(shakmaty::Color::White)),
        1 => Some(role.of(shakmaty::Color::Black)),
        _ => None,
    }
}

fn code(piece: Piece) -> u8 {
    let role = ROLES.iter().position(|role| *role == piece.role);
    role.unwrap_or_default() as u8 | u8::from(piece.color.is_black()) << 3
}

/// What a ChessUp says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// A move that the board found legal. It is repeated until it is acknowledged.
    Move {
        /// From here.
        from: Square,
        /// To there.
        to: Square,
    },
    /// What the pawn of the last move became.
    Promotion(Piece),
    /// Which man stands where, as the board believes. Turn, castling and counters follow it on the wire, in
    /// a form that is not known.
    Position(Placement),
    /// Versions.
    Info([u8; 15]),
    /// A man was touched.
    Touched {
        /// Its square.
        square: Square,
        /// What the board believes it to be.
        piece: Option<Piece>,
    },
    /// It was let go.
    Released,
    /// Whether it charges.
    Charging(u8),
}

impl Wire for Message {
    const LONGEST: usize = 65;

    fn cut(bytes: &[u8]) -> Cut<Self> {
        let square = |at: u8| (at < 64).then(|| from_a1(at.into()));
        let coords = |file: u8, rank: u8| {
            (file < 8 && rank < 8).then(|| from_a1(usize::from(rank * 8 + file)))
        };
        let message = match *bytes {
            [0xa3] => return Cut::Partial,
            [0xa3, 0x35, a, b, c, d, ..] => match (coords(a, b), coords(c, d)) {
                (Some(from), Some(to)) => Some((Self::Move { from, to }, 6)),
                _ => piece(a).map(|piece| (Self::Promotion(piece), 3)),
            },
            [0xa3, 0x35, ref rest @ ..] => {
                // What cannot go on as a move is a promotion.
                return match (rest.first(), rest.iter().skip(1).any(|b| *b > 7)) {
                    (Some(code), true) => match piece(*code) {
                        Some(piece) => Cut::Message(Self::Promotion(piece), 3),
                        None => Cut::Junk(1),
                    },
                    (Some(code), false) if *code > 7 && piece(*code).is_none() => Cut::Junk(1),
                    _ => Cut::Partial,
                };
            }
            [0x67, ref squares @ ..] => {
                if squares.iter().any(|b| *b != EMPTY && piece(*b).is_none()) {
                    return Cut::Junk(1);
                }
                if squares.len() < 64 {
                    return Cut::Partial;
                }
                let mut board = Placement::empty();
                for (at, byte) in squares.iter().take(64).enumerate() {
                    if let Some(piece) = piece(*byte) {
                        board.set_piece_at(from_a1(at), piece);
                    }
                }
                Some((Self::Position(board), 65))
            }
            [0xb2, ref info @ ..] => match info.first_chunk() {
                Some(info) => Some((Self::Info(*info), 16)),
                None => return Cut::Partial,
            },
            [0xb8] | [0xb8, 0..64] => return Cut::Partial,
            [0xb8, at, what, ..] => square(at).map(|square| {
                let piece = piece(what);
                (Self::Touched { square, piece }, 3)
            }),
            [0xbb, ..] => Some((Self::Released, 1)),
            [0x31] => return Cut::Partial,
            [0x31, charging @ 0..=1, ..] => Some((Self::Charging(charging), 2)),
            _ => None,
        };
        message.map_or(Cut::Junk(1), |(message, len)| Cut::Message(message, len))
    }

    fn cut_last(bytes: &[u8]) -> Option<(Self, usize)> {
        match bytes {
            [0xa3, 0x35, code] => Some((Self::Promotion(piece(*code)?), 3)),
            _ => None,
        }
    }

    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Move { from, to } => {
                out.extend([0xa3, 0x35]);
                for square in [from, to] {
                    out.extend([square.file() as u8, square.rank() as u8]);
                }
            }
            Self::Promotion(piece) => out.extend([0xa3, 0x35, code(*piece)]),
            Self::Position(placement) => {
                out.push(0x67);
                out.extend((0..64).map(|at| placement.piece_at(from_a1(at)).map_or(EMPTY, code)));
            }
            Self::Info(info) => {
                out.push(0xb2);
                out.extend(info);
            }
            Self::Touched { square, piece } => {
                out.extend([0xb8, *square as u8, piece.map_or(EMPTY, code)]);
            }
            Self::Released => out.push(0xbb),
            Self::Charging(charging) => out.extend([0x31, *charging]),
        }
    }
}

fn version(parts: &[u8]) -> String {
    let parts: Vec<_> = parts.iter().map(ToString::to_string).collect();
    parts.join(".")
}

impl Tell for Message {
    fn told(&self) -> Told {
        match self {
            Self::Move { from, to } => Told::Move(format!("{from}{to}")),
            Self::Promotion(piece) => Told::Promoted(piece.role),
            Self::Position(placement) => Told::Placement(placement.clone()),
            Self::Info(info) => Told::Version(version(&info[1..4])),
            _ => Told::Other,
        }
    }

    fn json(&self, _view: &mut View) -> Value {
        match self {
            Self::Move { from, to } => json!({
                "type": "move", "from": from.to_string(), "to": to.to_string(), "reply_hex": "21",
            }),
            Self::Promotion(piece) => {
                json!({"type": "promotion", "piece": piece.char(), "reply_hex": "23"})
            }
            Self::Position(placement) => {
                json!({"type": "position_prefix", "placement": placement.to_string()})
            }
            Self::Info(info) => json!({
                "type": "board_info", "firmware": version(&info[1..4]),
                "ble_firmware": version(&info[4..7]), "bootloader": bootloader(info),
                "model": info[14], "serial_bytes_hex": hex(&info[7..11]).replace(' ', ""),
            }),
            Self::Touched { square, piece } => json!({
                "type": "touched", "square": square.to_string(), "piece": piece.map(Piece::char),
            }),
            Self::Released => json!({"type": "released"}),
            Self::Charging(charging) => json!({"type": "charging", "charging": *charging != 0}),
        }
    }
}

fn bootloader(info: &[u8; 15]) -> String {
    version(&info[11..14])
}

/// What a host says to a ChessUp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A move has arrived.
    AckMove,
    /// A promotion has arrived.
    AckPromotion,
    /// Ask for the position.
    Position,
    /// A new game.
    Reset,
    /// A move for the board to show.
    Move {
        /// From here.
        from: Square,
        /// To there.
        to: Square,
    },
    /// What its pawn becomes.
    Promotion(Piece),
}

const FIXED: [(u8, Command, &str); 4] = [
    (0x21, Command::AckMove, "ack_move"),
    (0x23, Command::AckPromotion, "ack_promotion"),
    (0x67, Command::Position, "position_request"),
    (0x64, Command::Reset, "reset_game"),
];

impl Wire for Command {
    const LONGEST: usize = 3;

    fn cut(bytes: &[u8]) -> Cut<Self> {
        let command = match *bytes {
            [0x99 | 0x97] | [0x99, 0..64] => return Cut::Partial,
            [0x99, from @ 0..64, to @ 0..64] => {
                let [from, to] = [from, to].map(|at| from_a1(at.into()));
                Some((Self::Move { from, to }, 3))
            }
            [0x97, code, ..] => piece(code).map(|piece| (Self::Promotion(piece), 2)),
            [code, ..] => {
                let known = FIXED.iter().find(|(known, ..)| *known == code);
                known.map(|(_, command, _)| (command.clone(), 1))
            }
            [] => None,
        };
        command.map_or(Cut::Junk(1), |(command, len)| Cut::Message(command, len))
    }

    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Move { from, to } => out.extend([0x99, *from as u8, *to as u8]),
            Self::Promotion(piece) => out.extend([0x97, code(*piece)]),
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
            Self::Move { from, to } => json!({
                "type": "move_to_board", "from": from.to_string(), "to": to.to_string(),
            }),
            Self::Promotion(piece) => {
                json!({"type": "promotion_to_board", "piece": piece.char()})
            }
            fixed => {
                let known = FIXED.iter().find(|(_, command, _)| command == fixed);
                json!({"type": known.map(|(.., name)| name)})
            }
        }
    }
}

/// It lets no illegal move stand, so no claim can be seen at it: moves that a board judged itself do not enter a
/// rated game, and the hub does not speak with it.
pub const FAMILY: Family = Family {
    name: "chessup",
    aliases: &[],
    title: "ChessUp 1 and 2",
    evidence: Evidence::Moves,
    confidence: Confidence::Medium,
    values: true,
    device: Device {
        recognised: Recognised {
            usb: &[],
            names: &["ChessUp"],
            probe: Probe::Ask,
        },
        can: Capabilities::NONE,
        serial: None,
        gatt: Some(Gatt {
            values: true,
            ..NORDIC_UART
        }),
        talk: None,
    },
    decoder: plain::<Message>,
    commands: commands::<Command>,
};
