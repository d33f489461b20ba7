//! Tabutronic Sentio and Tactum: which squares are occupied, not by what.
//!
//! Confidence: high over USB; whether a BLE model sends the same text is not known.

use serde_json::{Value, json};
use shakmaty::{Bitboard, Board};

use super::{between, numbers};
use crate::protocol::{
    board::{Tell, Told, View, names, occupancy_json, of_ranks, ranks},
    stream::{Cut, Wire},
};

/// What such a board says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Which squares are occupied.
    Occupancy(Bitboard),
    /// The mark after an LED command: what kind of lights the board has.
    LedKind {
        /// Coloured ones.
        rgb: bool,
    },
}

impl Wire for Line {
    const LONGEST: usize = 64;

    fn cut(bytes: &[u8]) -> Cut<Self> {
        if bytes[0] != b':' {
            return between(bytes, |rgb| Self::LedKind { rgb });
        }
        match numbers::<8>(bytes) {
            Cut::Message(numbers, len) => {
                Cut::Message(Self::Occupancy(of_ranks(numbers, true)), len)
            }
            Cut::Partial => Cut::Partial,
            _ => Cut::Junk(1),
        }
    }

    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Occupancy(occupied) => {
                out.push(b':');
                for number in ranks(*occupied, true) {
                    out.extend(format!("{number} ").bytes());
                }
                out.extend(b"\r\n");
            }
            Self::LedKind { rgb } => out.extend(if *rgb { b"D\r\n" } else { b"L\r\n" }),
        }
    }
}

impl Tell for Line {
    fn told(&self) -> Told {
        match self {
            Self::Occupancy(occupied) => Told::Occupancy(*occupied),
            Self::LedKind { .. } => Told::Other,
        }
    }

    fn json(&self, _view: &mut View) -> Value {
        match self {
            Self::Occupancy(occupied) => {
                let mut occupancy = occupancy_json(*occupied);
                let start = Board::new().occupied();
                let (lifted, placed) = (start & !*occupied, *occupied & !start);
                // Near the start position the difference says more than the squares.
                if (1..=4).contains(&(lifted | placed).count()) {
                    occupancy["lifted"] = json!(names(lifted));
                    if !placed.is_empty() {
                        occupancy["placed"] = json!(names(placed));
                    }
                }
                occupancy
            }
            Self::LedKind { rgb } => json!({"type": "led_kind", "rgb": rgb}),
        }
    }
}
