//! The lights of Certabo and Tabutronic boards.

use serde_json::{Value, json};
use shakmaty::Bitboard;

use crate::{
    protocol::{
        board::{Order, names, of_ranks, ranks},
        stream::{Cut, Wire},
    },
    types::Square,
};

/// Corners with a coloured light each: nine rows of nine, from h1 along the first rank to a1, then up.
const CORNERS: usize = 81;
const RGB_LEN: usize = 2 + CORNERS * 3 + 2;

/// What a host says to a board: nothing but which lights burn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// One light a square: eight bytes and no mark of their own.
    Leds(Bitboard),
    /// The coloured lights at the corners: red, green, blue.
    Rgb(Box<[[u8; 3]; CORNERS]>),
}

impl Command {
    /// Lights around some squares in one colour.
    pub fn rgb(squares: Bitboard, colour: [u8; 3]) -> Self {
        let mut corners = Box::new([[0; 3]; CORNERS]);
        for corner in squares.into_iter().flat_map(corners_of) {
            corners[corner] = colour;
        }
        Self::Rgb(corners)
    }
}

fn corners_of(square: Square) -> [usize; 4] {
    let first = square.rank() as usize * 9 + (7 - square.file() as usize);
    [first, first + 1, first + 9, first + 10]
}

/// The squares and the one colour of a picture, as few squares as explain every light.
fn squares_of(corners: &[[u8; 3]; CORNERS]) -> Option<(Bitboard, Option<[u8; 3]>)> {
    let colour = corners.iter().find(|rgb| **rgb != [0; 3]).copied();
    let mut explained = [false; CORNERS];
    let mut squares = Bitboard::EMPTY;
    for corner in 0..CORNERS {
        if corners[corner] == [0; 3] || explained[corner] {
            continue;
        }
        let square = Square::ALL
            .into_iter()
            .filter(|square| corners_of(*square).contains(&corner))
            .filter(|square| {
                corners_of(*square)
                    .into_iter()
                    .all(|at| Some(corners[at]) == colour)
            })
            .min_by_key(|square| corner - corners_of(*square)[0])?;
        squares |= Bitboard::from(square);
        for at in corners_of(square) {
            explained[at] = true;
        }
    }
    Some((squares, colour))
}

impl Wire for Command {
    const LONGEST: usize = RGB_LEN;

    /// Plain lights may begin as coloured ones do: the end of those decides.
    fn cut(bytes: &[u8]) -> Cut<Self> {
        let marked = [0xff, 0x55];
        let looks_rgb = bytes.iter().zip(marked).all(|(byte, mark)| *byte == mark);
        if looks_rgb {
            let Some((colours, end)) = bytes[..]
                .get(2..RGB_LEN)
                .and_then(|rest| rest.split_at_checked(CORNERS * 3))
            else {
                return Cut::Partial;
            };
            if end == b"\r\n" {
                let mut corners = Box::new([[0; 3]; CORNERS]);
                for (corner, rgb) in corners.iter_mut().zip(colours.chunks_exact(3)) {
                    corner.copy_from_slice(rgb);
                }
                return Cut::Message(Self::Rgb(corners), RGB_LEN);
            }
        }
        match bytes.first_chunk() {
            Some(ranks) => Cut::Message(Self::Leds(of_ranks(*ranks, false)), 8),
            None => Cut::Partial,
        }
    }

    fn cut_last(bytes: &[u8]) -> Option<(Self, usize)> {
        Some((Self::Leds(of_ranks(*bytes.first_chunk()?, false)), 8))
    }

    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Leds(squares) => out.extend(ranks(*squares, false)),
            Self::Rgb(corners) => {
                out.extend([0xff, 0x55]);
                out.extend(corners.iter().flatten());
                out.extend(b"\r\n");
            }
        }
    }
}

impl Order for Command {
    fn json(&self) -> Value {
        match self {
            Self::Leds(squares) => json!({"type": "leds", "squares": names(*squares)}),
            Self::Rgb(corners) => {
                if let Some((squares, colour)) = squares_of(corners) {
                    let rgb = colour.unwrap_or_default();
                    return json!({"type": "rgb_leds", "squares": names(squares), "rgb": rgb});
                }
                let lit = corners
                    .iter()
                    .enumerate()
                    .filter(|(_, rgb)| **rgb != [0; 3]);
                let lit: Vec<_> = lit
                    .map(|(at, rgb)| json!({"corner": at, "rgb": rgb}))
                    .collect();
                json!({"type": "rgb_leds", "corners": lit})
            }
        }
    }
}
