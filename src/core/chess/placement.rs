//! Helpers over [`Placement`]: turning, comparing, recognising the start position.

use shakmaty::{Bitboard, Board, Color, Piece, Rank, Square};

use crate::types::Placement;

/// The squares of the kings' signs: d4, e4, d5, e5.
pub const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// The placement as the players see it, from the wire's, or the other way round.
///
/// A board whose connector lies on the other side shows everything turned by 180° (never mirrored).
#[must_use]
pub fn turned(placement: &Placement) -> Placement {
    let mut board = placement.clone();
    board.rotate_180();
    board
}

/// The squares on which the two placements differ.
#[must_use]
pub fn difference(a: &Placement, b: &Placement) -> Bitboard {
    let (roles_a, colors_a) = a.clone().into_bitboards();
    let (roles_b, colors_b) = b.clone().into_bitboards();
    let mut diff = (colors_a.white ^ colors_b.white) | (colors_a.black ^ colors_b.black);
    diff |= roles_a.pawn ^ roles_b.pawn;
    diff |= roles_a.knight ^ roles_b.knight;
    diff |= roles_a.bishop ^ roles_b.bishop;
    diff |= roles_a.rook ^ roles_b.rook;
    diff |= roles_a.queen ^ roles_b.queen;
    diff | (roles_a.king ^ roles_b.king)
}

/// The squares that are occupied in `full` and empty in `part`, if that is the only difference.
#[must_use]
pub fn missing_only(full: &Placement, part: &Placement) -> Option<Bitboard> {
    let diff = difference(full, part);
    (diff & part.occupied()).is_empty().then_some(diff)
}

/// So many more men at home tell which way round a board stands.
const CLEARLY: usize = 8;

/// How the start position stands on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// White sits where the wire numbering says ranks 1 and 2 are.
    Normal,
    /// White sits on the other side: the board is turned by 180°.
    Turned,
}

/// Recognises the usual start position on the wire, in either orientation.
#[must_use]
pub fn start_position(wire: &Placement) -> Option<Seat> {
    seat_of(wire, &Board::new())
}

/// Recognises these men on the wire, in either orientation.
#[must_use]
pub fn seat_of(wire: &Placement, start: &Board) -> Option<Seat> {
    if wire == start {
        Some(Seat::Normal)
    } else if turned(wire) == *start {
        Some(Seat::Turned)
    } else {
        None
    }
}

/// Which way round a board stands in mid-game, by the men that have not left their squares. `None` when
/// they do not tell clearly.
#[must_use]
pub fn likely_seat(wire: &Placement, start: &Board) -> Option<Seat> {
    let at_home = |board: &Placement| (board.occupied() & !difference(start, board)).count();
    let (normal, other) = (at_home(wire), at_home(&turned(wire)));
    match (normal.checked_sub(CLEARLY), other.checked_sub(CLEARLY)) {
        (Some(least), _) if least >= other => Some(Seat::Normal),
        (_, Some(least)) if least >= normal => Some(Seat::Turned),
        _ => None,
    }
}

/// A complete set on its home squares that is not the start position, or is it for the wrong side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongHome {
    /// How White sits.
    pub seat: Seat,
    /// The squares with another man than the start position has there, players' view.
    pub squares: Vec<Square>,
}

/// Recognises 32 men on the four home ranks, and where they are not those of `start`.
///
/// With `squares` empty the men are right and only the seat can be wrong.
#[must_use]
pub fn home_but_wrong(wire: &Placement, start: &Board) -> Option<WrongHome> {
    let low = Bitboard::from(Rank::First) | Bitboard::from(Rank::Second);
    let high = Bitboard::from(Rank::Seventh) | Bitboard::from(Rank::Eighth);
    if wire.occupied() != (low | high) {
        return None;
    }
    let (seat, view) = if wire.white() == low {
        (Seat::Normal, wire.clone())
    } else if wire.white() == high {
        (Seat::Turned, turned(wire))
    } else {
        return None;
    };
    let squares = difference(&view, start).into_iter().collect();
    Some(WrongHome { seat, squares })
}

/// Recognises a start position that is not complete: no man stands elsewhere, and three of four stand where
/// they must. The squares are those that are empty or have another man.
#[must_use]
pub fn home_but_lacking(wire: &Placement, start: &Board) -> Option<WrongHome> {
    let lacking = |view: &Placement| {
        let diff = difference(view, start);
        let elsewhere = view.occupied() & !start.occupied();
        let most = 4 * diff.count() <= start.occupied().count();
        (elsewhere.is_empty() && most && diff.any()).then(|| diff.into_iter().collect())
    };
    let normal = lacking(wire).map(|squares| (Seat::Normal, squares));
    let (seat, squares) =
        normal.or_else(|| lacking(&turned(wire)).map(|squares| (Seat::Turned, squares)))?;
    Some(WrongHome { seat, squares })
}

/// Both kings, when exactly one of each stands on the board.
#[must_use]
pub fn lone_kings(placement: &Placement) -> Option<(Square, Square)> {
    let white = placement.by_piece(Color::White.king()).single_square()?;
    let black = placement.by_piece(Color::Black.king()).single_square()?;
    Some((white, black))
}

/// The placement field of a FEN.
#[must_use]
pub fn to_fen(placement: &Placement) -> String {
    placement.to_string()
}

/// The letter of a man as in a FEN, `.` for an empty square.
#[must_use]
pub fn letter(piece: Option<Piece>) -> char {
    piece.map_or('.', Piece::char)
}

/// Whether the square is light.
#[must_use]
pub fn is_light(square: Square) -> bool {
    square.is_light()
}

/// The back rank on which a pawn of this colour promotes.
#[must_use]
pub(crate) fn last_rank(color: Color) -> Bitboard {
    Bitboard::from(color.relative_rank(Rank::Eighth))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        Board::from_ascii_board_fen(fen.as_bytes()).unwrap()
    }

    #[test]
    fn the_start_position_is_known_from_both_sides() {
        assert_eq!(start_position(&Board::new()), Some(Seat::Normal));
        let raw = board("RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr");
        assert_eq!(start_position(&raw), Some(Seat::Turned));
        assert_eq!(
            start_position(&board("rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR")),
            None
        );
    }

    #[test]
    fn exchanged_men_are_named_as_the_players_see_them() {
        let raw = board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR");
        let wrong = home_but_wrong(&raw, &Board::new()).unwrap();
        assert_eq!(
            (wrong.seat, wrong.squares),
            (Seat::Normal, vec![Square::D1, Square::E1])
        );
        let wrong = home_but_wrong(&turned(&raw), &Board::new()).unwrap();
        assert_eq!(
            (wrong.seat, wrong.squares),
            (Seat::Turned, vec![Square::D1, Square::E1])
        );
        let few = board("8/8/8/8/8/8/8/4K2k");
        assert_eq!(home_but_wrong(&few, &Board::new()), None);
    }

    #[test]
    fn a_start_position_with_a_man_missing_is_told_from_a_game() {
        let start = Board::new();
        let lacking = |fen: &str| home_but_lacking(&board(fen), &start).map(|it| it.squares);
        assert_eq!(lacking("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"), None);
        let raw = board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RN1QKBNR");
        let wrong = Some(WrongHome {
            seat: Seat::Turned,
            squares: vec![Square::C1],
        });
        assert_eq!(home_but_lacking(&turned(&raw), &start), wrong);
        assert_eq!(
            lacking("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKNBR"),
            Some(vec![Square::A1, Square::F1, Square::G1])
        );
        // A game is on, or men are being set up.
        assert_eq!(
            lacking("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"),
            None
        );
        assert_eq!(lacking("1nbqkbnr/8/8/8/8/8/PPPPPPPP/RNBQKBNR"), None);
    }

    #[test]
    fn missing_men_are_told_from_other_changes() {
        let start = Board::new();
        let part = board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R");
        assert_eq!(missing_only(&start, &part), Some(Square::G1.into()));
        assert_eq!(missing_only(&part, &start), None);
        assert_eq!(missing_only(&start, &start), Some(Bitboard::EMPTY));
    }

    #[test]
    fn the_centre_is_four_squares() {
        let squares: Vec<_> = CENTRE.into_iter().collect();
        assert_eq!(squares, [Square::D4, Square::E4, Square::D5, Square::E5]);
    }
}
