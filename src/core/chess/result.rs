//! Outcomes: the kings' signs (R-RS-1) and the ends that the board itself proves.

use std::fmt;

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, EnPassantMode, Position, Setup, Square};

use super::{
    mate::{DeadBy, dead_at_a_glance},
    placement::{CENTRE, is_light, lone_kings},
};
use crate::types::Placement;

/// Who won a game played over the board. Forfeits and double losses are the tournament's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// White won.
    White,
    /// Black won.
    Black,
    /// A draw.
    Draw,
}

impl Outcome {
    /// The win of this side.
    pub fn win(side: Color) -> Self {
        side.fold_wb(Self::White, Self::Black)
    }

    /// `1-0`, `0-1` or `1/2-1/2`, as in PGN.
    pub fn token(self) -> &'static str {
        match self {
            Self::White => "1-0",
            Self::Black => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.token())
    }
}

/// An end of the game that follows from the moves alone (R-RS-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoardEnd {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Neither side can mate by any series of legal moves.
    DeadPosition(DeadBy),
    /// The position stands for the fifth time.
    Fivefold,
    /// 75 moves by each side without a capture or a pawn move.
    SeventyFiveMoves,
}

/// The result that the kings show when both stand in the centre, whichever stands where.
///
/// Both on light squares: White won. Both on dark: Black won. One of each: draw. Adjacent kings never
/// happen in play, so there is no game position that looks like this.
#[must_use]
pub fn shown_by_kings(placement: &Placement) -> Option<Outcome> {
    let (white, black) = lone_kings(placement)?;
    if !CENTRE.contains(white) || !CENTRE.contains(black) {
        return None;
    }
    Some(match (is_light(white), is_light(black)) {
        (true, true) => Outcome::White,
        (false, false) => Outcome::Black,
        _ => Outcome::Draw,
    })
}

/// Whether the placement has a king on a centre square other than `except`.
pub(crate) fn king_in_centre(placement: &Placement, color: Color, except: Option<Square>) -> bool {
    placement
        .by_piece(color.king())
        .into_iter()
        .any(|square| CENTRE.contains(square) && Some(square) != except)
}

/// The end that the last of these positions proves, given all before it.
///
/// `history` is every position of the game from its start, the current one last.
#[must_use]
pub fn proved_end(history: &[Chess]) -> Option<(BoardEnd, Outcome)> {
    let position = history.last()?;
    if position.is_checkmate() {
        return Some((BoardEnd::Checkmate, Outcome::win(position.turn().other())));
    }
    if position.is_stalemate() {
        return Some((BoardEnd::Stalemate, Outcome::Draw));
    }
    if let Some(by) = dead_at_a_glance(position) {
        return Some((BoardEnd::DeadPosition(by), Outcome::Draw));
    }
    if position.halfmoves() >= 150 {
        return Some((BoardEnd::SeventyFiveMoves, Outcome::Draw));
    }
    (repetitions(history) >= 5).then_some((BoardEnd::Fivefold, Outcome::Draw))
}

/// How often the last position has stood on the board, itself included.
#[must_use]
pub fn repetitions(history: &[Chess]) -> usize {
    let Some(last) = history.last() else { return 0 };
    let window = last.halfmoves() as usize + 1;
    let recent = history.iter().rev().take(window).step_by(2);
    // Comparing boards first keeps the costly part for real repetitions.
    let key = identity(last);
    recent
        .filter(|old| old.board() == last.board() && identity(old) == key)
        .count()
}

/// What makes two positions the same: placement, turn, castling rights, a real en passant.
fn identity(position: &Chess) -> Setup {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    setup.halfmoves = 0;
    setup.fullmoves = std::num::NonZeroU32::MIN;
    setup
}

#[cfg(test)]
mod tests {
    use shakmaty::{Board, CastlingMode, fen::Fen, uci::UciMove};

    use super::*;

    fn kings(white: Square, black: Square) -> Board {
        let mut board = Board::empty();
        board.set_piece_at(white, Color::White.king());
        board.set_piece_at(black, Color::Black.king());
        board
    }

    fn history(fen: &str, moves: &str) -> Vec<Chess> {
        let fen: Fen = fen.parse().unwrap();
        let mut history = vec![fen.into_position::<Chess>(CastlingMode::Standard).unwrap()];
        for uci in moves.split_whitespace() {
            let mut next = history.last().unwrap().clone();
            let m = uci.parse::<UciMove>().unwrap().to_move(&next).unwrap();
            next.play_unchecked(m);
            history.push(next);
        }
        history
    }

    /// R-RS-1 with all four ways of a draw.
    #[test]
    fn kings_in_the_centre_show_the_result() {
        use Square::{D4, D5, D6, E4, E5};
        let cases = [
            (E4, D5, Some(Outcome::White)),
            (D5, E4, Some(Outcome::White)),
            (D4, E5, Some(Outcome::Black)),
            (E5, D4, Some(Outcome::Black)),
            (D4, D5, Some(Outcome::Draw)),
            (E5, E4, Some(Outcome::Draw)),
            (D4, E4, Some(Outcome::Draw)),
            (E5, D5, Some(Outcome::Draw)),
            (D4, D6, None),
        ];
        for (white, black, expected) in cases {
            assert_eq!(
                shown_by_kings(&kings(white, black)),
                expected,
                "{white} {black}"
            );
        }
    }

    #[test]
    fn the_board_proves_its_ends() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let end = |fen: &str, moves: &str| proved_end(&history(fen, moves));
        assert_eq!(
            end(start, "f2f3 e7e5 g2g4 d8h4"),
            Some((BoardEnd::Checkmate, Outcome::Black))
        );
        assert_eq!(
            end("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7"),
            Some((BoardEnd::Stalemate, Outcome::Draw))
        );
        assert_eq!(
            end("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", "e1e2"),
            Some((BoardEnd::DeadPosition(DeadBy::Material), Outcome::Draw))
        );
        // Laws 5.2.2: the last gap in the wall is closed.
        assert_eq!(
            end(
                "4k3/6p1/1p1p1p1p/pPpPpP1P/P1P1P1P1/8/8/4K3 b - - 0 1",
                "g7g5"
            ),
            None,
            "the pawn can be taken en passant"
        );
        assert_eq!(
            end("4k3/8/1p1p1ppp/pPpPpP1P/P1P1P1P1/8/8/4K3 b - - 0 1", "g6g5"),
            Some((BoardEnd::DeadPosition(DeadBy::Blocked), Outcome::Draw))
        );
        assert_eq!(
            end("4k3/8/8/8/8/8/3R4/4K3 w - - 149 90", "d2d3"),
            Some((BoardEnd::SeventyFiveMoves, Outcome::Draw))
        );
        let dance = "g1f3 g8f6 f3g1 f6g8 ";
        assert_eq!(end(start, &dance.repeat(3)), None);
        assert_eq!(repetitions(&history(start, &dance.repeat(3))), 4);
        assert_eq!(
            end(start, &dance.repeat(4)),
            Some((BoardEnd::Fivefold, Outcome::Draw))
        );
    }

    #[test]
    fn a_lost_castling_right_is_another_position() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let seen = history(fen, "e1f1 e8f8 f1e1 f8e8 e1f1 e8f8 f1e1 f8e8");
        assert_eq!(repetitions(&seen), 2);
    }
}
