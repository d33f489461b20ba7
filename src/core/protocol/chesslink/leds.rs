//! The lights of a ChessLink board stand at the corners of its squares.

use std::fmt::Write as _;

use shakmaty::Bitboard;

use crate::types::Square;

/// How many lights there are: nine columns of nine, the first at the corner of a8, the ninth at that of a1,
/// the last at that of h1.
pub const LEDS: usize = 81;

/// What each light does in eight slots of time, one bit a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corners(pub [u8; LEDS]);

/// The four lights around a square.
fn around(square: Square) -> [usize; 4] {
    let (column, row) = (square.file() as usize, 7 - square.rank() as usize);
    let first = column * 9 + row;
    [first, first + 1, first + 9, first + 10]
}

impl Corners {
    /// The lights around some squares, all with one pattern.
    pub fn around(squares: impl IntoIterator<Item = Square>, pattern: u8) -> Self {
        let mut corners = [0; LEDS];
        for square in squares {
            for light in around(square) {
                corners[light] = pattern;
            }
        }
        Self(corners)
    }

    /// As they go over the wire.
    pub(super) fn digits(&self) -> String {
        let mut text = String::with_capacity(2 * LEDS);
        for pattern in self.0 {
            // Writing to a string cannot fail.
            let _ = write!(text, "{pattern:02X}");
        }
        text
    }

    /// The one pattern of all lights that are on.
    pub(super) fn pattern(&self) -> Option<u8> {
        let mut lit = self.0.iter().filter(|pattern| **pattern != 0);
        let first = *lit.next()?;
        lit.all(|pattern| *pattern == first).then_some(first)
    }

    /// The squares that are meant: as few as explain every light. `None` when there are none such.
    pub(super) fn squares(&self) -> Option<Bitboard> {
        let lit = |light: usize| self.0[light] != 0;
        let mut explained = [false; LEDS];
        let mut squares = Bitboard::EMPTY;
        for light in 0..LEDS {
            if !lit(light) || explained[light] {
                continue;
            }
            // The first unexplained light is best explained by the square to its lower right.
            let around_it = Square::ALL
                .into_iter()
                .filter(|square| around(*square).contains(&light))
                .filter(|square| around(*square).into_iter().all(lit))
                .min_by_key(|square| light - around(*square)[0])?;
            squares |= Bitboard::from(around_it);
            for light in around(around_it) {
                explained[light] = true;
            }
        }
        Some(squares)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corner_lights_are_where_the_maker_says() {
        assert_eq!(around(Square::A8)[0], 0);
        assert_eq!(around(Square::A1)[1], 8);
        assert_eq!(around(Square::H8)[2], 72);
        assert_eq!(around(Square::H1)[3], 80);
    }

    #[test]
    fn every_pair_of_squares_is_read_back() {
        for first in Square::ALL {
            for second in Square::ALL {
                let squares = Bitboard::from(first) | Bitboard::from(second);
                let corners = Corners::around([first, second], 0xcc);
                assert_eq!(corners.squares(), Some(squares), "{first} {second}");
                assert_eq!(corners.pattern(), Some(0xcc));
            }
        }
    }

    #[test]
    fn a_single_light_is_no_square() {
        let mut corners = Corners([0; LEDS]);
        assert_eq!(corners.squares(), Some(Bitboard::EMPTY));
        assert_eq!(corners.pattern(), None);
        corners.0[40] = 0xff;
        assert_eq!(corners.squares(), None);
    }
}
