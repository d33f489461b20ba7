//! One placement against one position: finished, unfinished and forbidden moves.

use shakmaty::{
    Bitboard, CastlingMode, CastlingSide, Chess, Color, Move, Piece, Position, Role, Square,
    attacks,
};

use super::events::IllegalReason;
use crate::{
    chess::placement::{difference, last_rank},
    types::Placement,
};

/// A legal move that the placement shows, perhaps with men of the next side already in the hand.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    pub(super) mv: Move,
    pub(super) after: Chess,
    /// Men of the side to move next that are off the board; empty for an exact fit.
    pub(super) in_hand: Bitboard,
}

/// More men than two in the hand are no reply being made.
const HANDS: usize = 2;

/// The legal move that leads from `position` to `seen`.
///
/// The men of the mover alone decide it, so there is at most one.
pub(super) fn fitting_move(position: &Chess, seen: &Placement) -> Option<Fit> {
    let us = position.turn();
    let board = position.board();
    let diff = difference(board, seen);
    let arrivals = diff & seen.by_color(us);
    if arrivals.is_empty() || diff.count() > 4 + HANDS {
        return None;
    }
    position.legal_moves().into_iter().find_map(|mv| {
        let from = mv.from()?;
        let comes = match mv.castling_side() {
            // Either may stay where it is in Chess960.
            Some(side) => {
                arrivals.contains(side.king_to(us)) || arrivals.contains(side.rook_to(us))
            }
            // Only the castling king or rook may find its square taken again by the other one.
            None => arrivals.contains(mv.to()) && diff.contains(from),
        };
        if !comes {
            return None;
        }
        let mut after = position.clone();
        after.play_unchecked(mv);
        let rest = difference(after.board(), seen);
        let in_hand = rest & after.board().by_color(after.turn());
        let only_lifted = rest == in_hand && (rest & seen.occupied()).is_empty();
        (only_lifted && in_hand.count() <= HANDS).then_some(Fit { mv, after, in_hand })
    })
}

/// Where the moving man comes to stand; the king's square when castling.
pub(super) fn landing(mv: Move, us: Color) -> Square {
    match mv.castling_side() {
        Some(side) => side.king_to(us),
        None => mv.to(),
    }
}

/// What the move puts on its landing square.
pub(super) fn landing_man(mv: Move, us: Color) -> Piece {
    mv.promotion().unwrap_or(mv.role()).of(us)
}

/// A legal move whose last step is still missing. It may take as long as it likes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unfinished {
    /// The pawn has taken en passant, its victim still stands.
    EnPassant { mv: Move, victim: Square },
    /// The pawn stands on the last rank.
    Promotion { mv: Move, square: Square },
    /// The king has made its two steps, the rook has not followed.
    Castling { mv: Move, rook: Square },
}

/// Recognises a legal move that lacks its last step.
pub(super) fn unfinished_move(position: &Chess, seen: &Placement) -> Option<Unfinished> {
    let us = position.turn();
    let board = position.board();
    if difference(board, seen).count() > 4 {
        return None;
    }
    let is_seen = |mv: Move, change: &dyn Fn(&mut Placement)| {
        let mut half = position.clone();
        half.play_unchecked(mv);
        let mut half = half.board().clone();
        change(&mut half);
        half == *seen
    };
    for mv in position.en_passant_moves() {
        let victim = Square::from_coords(mv.to().file(), mv.from()?.rank());
        if is_seen(mv, &|half| half.set_piece_at(victim, us.other().pawn())) {
            return Some(Unfinished::EnPassant { mv, victim });
        }
    }
    for mv in position.promotion_moves() {
        let square = mv.to();
        if mv.promotion() == Some(Role::Queen)
            && is_seen(mv, &|half| half.set_piece_at(square, us.pawn()))
        {
            return Some(Unfinished::Promotion { mv, square });
        }
    }
    for mv in position.legal_moves() {
        let (Some(side), Move::Castle { rook, .. }) = (mv.castling_side(), mv) else {
            continue;
        };
        let stands = |half: &mut Placement| {
            half.discard_piece_at(side.rook_to(us));
            half.set_piece_at(rook, us.rook());
        };
        let lifted = |half: &mut Placement| half.discard_piece_at(side.rook_to(us));
        // In Chess960 the king may come to the rook's square.
        let can_stand = rook != side.king_to(us);
        if (can_stand && is_seen(mv, &stands)) || is_seen(mv, &lifted) {
            return Some(Unfinished::Castling { mv, rook });
        }
    }
    None
}

/// A completed act of one side that the rules forbid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::chess) struct Forbidden {
    pub(in crate::chess) mover: Color,
    pub(in crate::chess) from: Square,
    pub(in crate::chess) to: Square,
    pub(in crate::chess) reasons: Vec<IllegalReason>,
    /// Without the clock it may as well be something else, e.g. a hand that is not done.
    pub(in crate::chess) needs_press: bool,
}

/// Recognises one man moved (or two, or a castling) against the rules of `position`.
pub(in crate::chess) fn forbidden_move(
    position: &Chess,
    seen: &Placement,
    mode: CastlingMode,
) -> Option<Forbidden> {
    let board = position.board();
    let diff = difference(board, seen);
    if !(2..=4).contains(&diff.count()) {
        return None;
    }
    let us = position.turn();
    [us, us.other()]
        .into_iter()
        .find_map(|mover| one_side_acted(position, seen, mode, mover))
}

fn one_side_acted(
    position: &Chess,
    seen: &Placement,
    mode: CastlingMode,
    mover: Color,
) -> Option<Forbidden> {
    let board = position.board();
    let diff = difference(board, seen);
    let own_before = board.by_color(mover) & diff;
    let own_after = seen.by_color(mover) & diff;
    let gone = own_before & !own_after;
    let come = own_after & !own_before;
    // Every changed square must be one that the mover left, entered or emptied by taking.
    let taken = diff & !gone & !come;
    if !(seen.by_color(mover.other()) & diff).is_empty() {
        return None;
    }
    if gone.count() == 2 && come.count() == 2 && taken.is_empty() {
        return two_men(position, seen, (gone, come), mode, mover);
    }
    let (from, to) = (gone.single_square()?, come.single_square()?);
    let (was, is) = (board.piece_at(from)?, seen.piece_at(to)?);
    let promoted = was.role == Role::Pawn && last_rank(mover).contains(to);
    if was != is && !promoted {
        return None;
    }
    let en_passant = match (taken.single_square(), taken.count()) {
        (_, 0) => false,
        (Some(victim), 1) => {
            was.role == Role::Pawn
                && victim == Square::from_coords(to.file(), from.rank())
                && board.piece_at(victim) == Some(mover.other().pawn())
        }
        _ => return None,
    };
    if !taken.is_empty() && !en_passant {
        return None;
    }
    let mut reasons = Vec::new();
    if mover != position.turn() {
        reasons.push(IllegalReason::OutOfTurn);
    }
    if en_passant || !moves_so(board, was, from, to) {
        reasons.push(IllegalReason::PieceMovement);
    }
    if king_attacked(seen, mover) {
        reasons.push(IllegalReason::KingInCheck);
    }
    if promoted && is.role == Role::Pawn {
        reasons.push(IllegalReason::PawnNotPromoted);
    }
    let out_of_turn = mover != position.turn();
    (!reasons.is_empty()).then_some(Forbidden {
        mover,
        from,
        to,
        reasons,
        needs_press: out_of_turn || promoted,
    })
}

/// Two men of one side: a castling without the right, or simply two moves at once.
fn two_men(
    position: &Chess,
    seen: &Placement,
    (gone, come): (Bitboard, Bitboard),
    mode: CastlingMode,
    mover: Color,
) -> Option<Forbidden> {
    let board = position.board();
    let men = |placement: &Placement, squares: Bitboard| {
        let mut roles: Vec<_> = squares
            .into_iter()
            .filter_map(|square| placement.role_at(square))
            .collect();
        roles.sort_unstable();
        roles
    };
    if men(board, gone) != men(seen, come) {
        return None;
    }
    let king = (gone & board.kings()).single_square();
    let as_960 = |to: Square| {
        let comes =
            |side: CastlingSide| to == side.king_to(mover) && come.contains(side.rook_to(mover));
        mode == CastlingMode::Chess960 && CastlingSide::ALL.into_iter().any(comes)
    };
    let castled = king
        .zip((come & seen.kings()).single_square())
        .filter(|(from, to)| {
            from.rank() == to.rank()
                && (from.distance(*to) == 2 || as_960(*to))
                && !(gone & board.rooks()).is_empty()
        });
    let (from, to, reason, needs_press) = match castled {
        Some((from, to)) => (from, to, IllegalReason::CastlingForbidden, false),
        None => (
            gone.first()?,
            come.first()?,
            IllegalReason::TwoMenMoved,
            true,
        ),
    };
    let mut reasons = vec![reason];
    if mover != position.turn() {
        reasons.insert(0, IllegalReason::OutOfTurn);
    }
    if king_attacked(seen, mover) {
        reasons.push(IllegalReason::KingInCheck);
    }
    Some(Forbidden {
        mover,
        from,
        to,
        reasons,
        needs_press,
    })
}

/// Whether such a man may go so, check left aside.
fn moves_so(board: &Placement, man: Piece, from: Square, to: Square) -> bool {
    if board.by_color(man.color).contains(to) {
        return false;
    }
    if man.role != Role::Pawn {
        return attacks::attacks(from, man, board.occupied()).contains(to);
    }
    if board.occupied().contains(to) {
        return attacks::pawn_attacks(man.color, from).contains(to);
    }
    let step = if man.color == Color::White { 8 } else { -8 };
    let Some(next) = from.offset(step) else {
        return false;
    };
    let second = man.color.relative_rank(shakmaty::Rank::Second);
    to == next
        || (from.rank() == second
            && !board.occupied().contains(next)
            && next.offset(step) == Some(to))
}

fn king_attacked(placement: &Placement, side: Color) -> bool {
    placement.king_of(side).is_some_and(|king| {
        !placement
            .attacks_to(king, side.other(), placement.occupied())
            .is_empty()
    })
}

#[cfg(test)]
mod tests {
    use shakmaty::{Board, CastlingMode, fen::Fen};

    use super::*;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>()
            .unwrap()
            .into_position(CastlingMode::Standard)
            .unwrap()
    }

    fn board(fen: &str) -> Board {
        Board::from_ascii_board_fen(fen.as_bytes()).unwrap()
    }

    #[test]
    fn a_reply_in_the_hand_does_not_hide_the_move() {
        let fit = fitting_move(
            &Chess::default(),
            &board("rnbqkbnr/ppp1pppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR"),
        )
        .unwrap();
        assert_eq!(fit.mv.to_uci(CastlingMode::Standard).to_string(), "d2d4");
        assert_eq!(fit.in_hand, Square::D7.into());
    }

    #[test]
    fn a_mover_with_a_man_in_the_hand_has_not_moved() {
        let seen = board("rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKB1R");
        assert!(fitting_move(&Chess::default(), &seen).is_none());
    }

    #[test]
    fn unfinished_moves_are_no_errors() {
        let ep = position("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
        let found = unfinished_move(&ep, &board("4k3/8/3P4/3p4/8/8/8/4K3"));
        assert!(matches!(
            found,
            Some(Unfinished::EnPassant {
                victim: Square::D5,
                ..
            })
        ));

        let promotion = position("3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1");
        let found = unfinished_move(&promotion, &board("3P2k1/8/8/8/8/8/8/4K3"));
        assert!(matches!(
            found,
            Some(Unfinished::Promotion {
                square: Square::D8,
                ..
            })
        ));

        let castling = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        for seen in ["r3k2r/8/8/8/8/8/8/R5KR", "r3k2r/8/8/8/8/8/8/R5K1"] {
            let found = unfinished_move(&castling, &board(seen));
            assert!(
                matches!(
                    found,
                    Some(Unfinished::Castling {
                        rook: Square::H1,
                        ..
                    })
                ),
                "{seen}"
            );
        }
    }

    #[test]
    fn forbidden_moves_come_with_their_reasons() {
        use IllegalReason::{
            CastlingForbidden, KingInCheck, OutOfTurn, PawnNotPromoted, PieceMovement, TwoMenMoved,
        };
        let cases: [(&str, &str, &[IllegalReason]); 7] = [
            (
                "4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1",
                "4k3/8/8/8/R7/8/4r3/4K3",
                &[KingInCheck],
            ),
            (
                "4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1",
                "4k3/8/8/8/8/1R6/4P3/4K3",
                &[PieceMovement],
            ),
            (
                "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
                "4k3/8/8/8/8/8/8/5RK1",
                &[CastlingForbidden],
            ),
            (
                "4k3/8/8/8/8/8/PP6/4K3 w - - 0 1",
                "4k3/8/8/8/8/PP6/8/4K3",
                &[TwoMenMoved],
            ),
            (
                "4k3/4p3/8/8/8/8/PP6/4K3 w - - 0 1",
                "4k3/8/4p3/8/8/8/PP6/4K3",
                &[OutOfTurn],
            ),
            (
                "6k1/4P3/8/8/8/8/8/4K3 w - - 0 1",
                "4P1k1/8/8/8/8/8/8/4K3",
                &[PawnNotPromoted],
            ),
            (
                "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1",
                "4k3/8/3P4/8/8/8/8/4K3",
                &[PieceMovement],
            ),
        ];
        for (fen, seen, reasons) in cases {
            let found =
                forbidden_move(&position(fen), &board(seen), CastlingMode::Standard).unwrap();
            assert_eq!(found.reasons, reasons, "{fen} -> {seen}");
        }
        assert_eq!(
            forbidden_move(&Chess::default(), &Board::empty(), CastlingMode::Standard),
            None
        );
    }
}
