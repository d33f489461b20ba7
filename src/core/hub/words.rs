//! What the tracker and the rules say, in words for an arbiter and in the tournament's terms.

use shakmaty::{CastlingMode, Chess, Role, fen::Fen, san::SanPlus, uci::UciMove};

use crate::{
    chess::{
        IllegalReason, Note,
        mate::DeadBy,
        result::{BoardEnd, Outcome},
    },
    hub::decide::name,
    tournament::{GameResult, Termination},
    types::TableNo,
};

pub(super) fn result_of(outcome: Outcome) -> GameResult {
    match outcome {
        Outcome::White => GameResult::WhiteWins,
        Outcome::Black => GameResult::BlackWins,
        Outcome::Draw => GameResult::Draw,
    }
}

pub(super) fn end_of(end: BoardEnd) -> Termination {
    match end {
        BoardEnd::Checkmate => Termination::Mate,
        BoardEnd::Stalemate => Termination::Stalemate,
        BoardEnd::DeadPosition(_) => Termination::DeadPosition,
        BoardEnd::Fivefold => Termination::Fivefold,
        BoardEnd::SeventyFiveMoves => Termination::SeventyFiveMoves,
    }
}

pub(super) fn end_words(end: BoardEnd) -> &'static str {
    match end {
        BoardEnd::Checkmate => "checkmate",
        BoardEnd::Stalemate => "stalemate",
        BoardEnd::DeadPosition(DeadBy::Material) => {
            "dead position: neither side has the pieces to mate"
        }
        BoardEnd::DeadPosition(DeadBy::Blocked) => {
            "dead position: no sequence of legal moves leads to mate; the pawns are blocked"
        }
        BoardEnd::DeadPosition(DeadBy::Exhausted) => {
            "dead position: no sequence of legal moves leads to mate; every one was tried"
        }
        BoardEnd::Fivefold => "the position stands for the fifth time",
        BoardEnd::SeventyFiveMoves => "75 moves without a capture or a pawn move",
    }
}

pub(super) fn reason_words(reason: IllegalReason) -> &'static str {
    match reason {
        IllegalReason::KingInCheck => "the king is left in check",
        IllegalReason::PieceMovement => "the piece does not move so",
        IllegalReason::CastlingForbidden => "castling is not allowed here",
        IllegalReason::PawnNotPromoted => "a pawn was left on the last rank",
        IllegalReason::TwoMenMoved => "two pieces were moved",
        IllegalReason::OutOfTurn => "the other side was to move",
        IllegalReason::PromotedRookAsQueen => "a promoted rook moved like a queen",
    }
}

pub(super) fn note_words(note: &Note) -> String {
    match note {
        Note::Adjusted { squares } => format!("adjusted: {}", squares.join(", ")),
        Note::CastledRookFirst { ply } => format!("half move {ply}: castled with the rook first"),
        Note::EnPassantUnfinished { remove } => {
            format!("the pawn taken en passant still stands on {remove}")
        }
        Note::PressedWithoutMove { side } => {
            format!("{} pressed the clock and nothing had moved", name(*side))
        }
        Note::Threefold { ply } => {
            format!("half move {ply}: the position stands for the third time")
        }
        Note::FiftyMoves { ply } => {
            format!("half move {ply}: fifty moves without a capture or a pawn move")
        }
    }
}

/// A piece as in FEN, in words.
pub(super) fn man(letter: char) -> String {
    if letter == '.' {
        "nothing".to_owned()
    } else {
        letter.to_string()
    }
}

/// Which of these moves was made at half-move `ply`?
pub(super) fn question_words(table: TableNo, ply: u16, before: &str, moves: &[String]) -> String {
    let number = ply.div_ceil(2);
    let side = if ply % 2 == 1 { "White" } else { "Black" };
    let told: Vec<UciMove> = moves.iter().filter_map(|uci| uci.parse().ok()).collect();
    let promoted = match told.as_slice() {
        [UciMove::Normal { from, to, .. }, ..] => told.iter().all(|uci| {
            matches!(uci, UciMove::Normal { from: f, to: t, promotion: Some(_) } if f == from && t == to)
        })
        .then_some(*to),
        _ => None,
    };
    if let Some(square) = promoted {
        let names: Vec<&str> = told
            .iter()
            .filter_map(|uci| match uci {
                UciMove::Normal { promotion, .. } => *promotion,
                _ => None,
            })
            .map(piece_name)
            .collect();
        return format!(
            "Table {table}: {side}'s pawn promoted on {square} in move {number} and the board cannot \
             tell to what. Which was it: {}?",
            names.join(", ")
        );
    }
    let san: Vec<String> = moves.iter().map(|uci| san(before, uci)).collect();
    format!(
        "Table {table}: {side}'s move {number} may have been {}. The board cannot tell. Which was it?",
        san.join(" or ")
    )
}

/// A move as players write it; as it came when it cannot be read.
pub(super) fn san(before: &str, uci: &str) -> String {
    let position = before
        .parse::<Fen>()
        .ok()
        .and_then(|fen| fen.into_position::<Chess>(CastlingMode::Standard).ok());
    let mv = uci.parse::<UciMove>().ok();
    let found = position.zip(mv).and_then(|(position, uci)| {
        let mv = uci.to_move(&position).ok()?;
        Some(SanPlus::from_move(position, mv).to_string())
    });
    found.unwrap_or_else(|| uci.to_owned())
}

pub(super) fn piece_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// A number of things: `1 round`, `2 rounds`.
pub fn counted(count: usize, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}
