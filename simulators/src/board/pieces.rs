//! Piece codes and the start position in wire order.

use shakmaty::{Color, Piece, Role, Square};

/// Code of a man on the wire.
pub fn code(piece: Piece) -> u8 {
    let role = match piece.role {
        Role::Pawn => 1,
        Role::Rook => 2,
        Role::Knight => 3,
        Role::Bishop => 4,
        Role::King => 5,
        Role::Queen => 6,
    };
    role + if piece.color == Color::Black { 6 } else { 0 }
}

/// Wire index of a player's square: 0 = a8 … 63 = h1, unless the board is turned.
pub fn index(square: Square, turned: bool) -> u8 {
    let straight = (7 - square.rank() as u8) * 8 + square.file() as u8;
    if turned { 63 - straight } else { straight }
}

/// The start position in wire order.
pub fn start(turned: bool) -> [u8; 64] {
    let mut cells = [0; 64];
    for (square, piece) in shakmaty::Board::new() {
        cells[usize::from(index(square, turned))] = code(piece);
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_position_both_ways() {
        let straight = start(false);
        assert_eq!(straight[..8], [8, 9, 10, 12, 11, 10, 9, 8]);
        assert_eq!(straight[56..], [2, 3, 4, 6, 5, 4, 3, 2]);
        let turned = start(true);
        assert_eq!(turned[..8], [2, 3, 4, 5, 6, 4, 3, 2]);
        assert_eq!(turned[56..], [8, 9, 10, 11, 12, 10, 9, 8]);
    }
}
