//! What stands on a square, as the wire codes it, and how the wire numbers the squares.

use shakmaty::{Color, File, Piece, Rank, Role, Square};

use crate::{protocol::MagicPiece, types::Placement};

/// A piece code of the wire, 0x00–0x0f.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Code(u8);

const CHARS: &[u8; 16] = b".PRNBKQprnbkq=+-";

impl Code {
    /// The empty square.
    pub const EMPTY: Self = Self(0);

    /// `None` for codes that no piece has.
    pub fn new(byte: u8) -> Option<Self> {
        (byte < 0x10).then_some(Self(byte))
    }

    /// The byte on the wire.
    pub fn byte(self) -> u8 {
        self.0
    }

    /// `PRNBKQ`/`prnbkq`, `.` for empty, `=` `+` `-` for the magic pieces.
    pub fn char(self) -> char {
        CHARS[usize::from(self.0)].into()
    }

    /// The chessman; `None` for an empty square and for magic pieces.
    pub fn piece(self) -> Option<Piece> {
        let (color, code) = match self.0 {
            code @ 0x01..=0x06 => (Color::White, code),
            code @ 0x07..=0x0c => (Color::Black, code - 6),
            _ => return None,
        };
        let role = match code {
            1 => Role::Pawn,
            2 => Role::Rook,
            3 => Role::Knight,
            4 => Role::Bishop,
            5 => Role::King,
            _ => Role::Queen,
        };
        Some(Piece { color, role })
    }

    /// The result that a magic piece stands for.
    pub fn magic(self) -> Option<MagicPiece> {
        match self.0 {
            0x0d => Some(MagicPiece::Draw),
            0x0e => Some(MagicPiece::WhiteWins),
            0x0f => Some(MagicPiece::BlackWins),
            _ => None,
        }
    }
}

impl From<Option<Piece>> for Code {
    fn from(piece: Option<Piece>) -> Self {
        let Some(piece) = piece else {
            return Self::EMPTY;
        };
        let code = match piece.role {
            Role::Pawn => 1,
            Role::Rook => 2,
            Role::Knight => 3,
            Role::Bishop => 4,
            Role::King => 5,
            Role::Queen => 6,
        };
        Self(code + if piece.color.is_black() { 6 } else { 0 })
    }
}

/// The square with a number of the wire: 0 is a8, 7 h8, 63 h1. `None` above 63.
pub fn square(index: u8) -> Option<Square> {
    (index < 64).then(|| {
        Square::from_coords(
            File::new(u32::from(index % 8)),
            Rank::new(u32::from(7 - index / 8)),
        )
    })
}

/// The number of a square on the wire.
pub fn index(square: Square) -> u8 {
    let rank = 7 - square.rank() as u8;
    rank * 8 + square.file() as u8
}

/// All 64 squares in the order of the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cells(pub [Code; 64]);

impl Cells {
    /// The picture in the wire's numbering. Magic pieces count as nothing.
    pub fn placement(&self) -> Placement {
        let mut board = Placement::empty();
        for (index, code) in (0u8..).zip(self.0) {
            if let (Some(square), Some(piece)) = (square(index), code.piece()) {
                board.set_piece_at(square, piece);
            }
        }
        board
    }

    /// Whether there is a magic piece.
    pub fn has_magic(&self) -> bool {
        self.0.iter().any(|code| code.magic().is_some())
    }

    /// The board seen from the other side.
    #[must_use]
    pub fn turned(&self) -> Self {
        let mut cells = self.0;
        cells.reverse();
        Self(cells)
    }

    /// Whether the men show that White sits at index 0: more pawns stand at home that way round
    /// than the other. Bare positions say nothing and count as not turned.
    pub fn looks_turned(&self) -> bool {
        let count = |range: std::ops::Range<usize>, code: u8| {
            self.0[range].iter().filter(|c| c.0 == code).count()
        };
        let turned = count(8..16, 0x01) + count(48..56, 0x07);
        let normal = count(48..56, 0x01) + count(8..16, 0x07);
        // Two pawns before their promotion are ordinary, three men more are not.
        turned > normal + 2
    }
}

impl From<&Placement> for Cells {
    fn from(board: &Placement) -> Self {
        let mut cells = [Code::EMPTY; 64];
        for (square, piece) in board.clone() {
            cells[usize::from(index(square))] = Some(piece).into();
        }
        Self(cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_and_pieces_translate_both_ways() {
        assert_eq!(square(0), Some(Square::A8));
        assert_eq!(square(52), Some(Square::E2));
        assert_eq!(square(64), None);
        for number in 0..64 {
            assert_eq!(square(number).map(index), Some(number));
        }
        for byte in 0..13 {
            let code = Code::new(byte).unwrap();
            assert_eq!(Code::from(code.piece()), code);
        }
        assert_eq!(Code::new(0x10), None);
    }

    #[test]
    fn a_placement_survives_the_wire() {
        let board = Placement::new();
        let cells = Cells::from(&board);
        assert_eq!(cells.placement(), board);
        assert!(!cells.looks_turned());
        assert!(cells.turned().looks_turned());
    }
}
