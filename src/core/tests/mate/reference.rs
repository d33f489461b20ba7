//! The other way to the same answer: walk through everything that can be reached.

use std::{
    collections::{HashSet, VecDeque},
    ops::Range,
};

use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, Move, Position, Rank, Role, Setup, Square, fen::Fen,
};

/// Whether a position in which `side` has mated can be reached; `None` when there are more than `limit`
/// positions to walk through.
pub(crate) fn reachable(position: &Chess, side: Color, limit: usize) -> Option<bool> {
    let mut seen = HashSet::from([position.clone()]);
    let mut waiting = VecDeque::from([position.clone()]);
    while let Some(position) = waiting.pop_front() {
        if position.turn() != side && position.is_checkmate() {
            return Some(true);
        }
        for mv in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(mv);
            if seen.insert(after.clone()) {
                waiting.push_back(after);
            }
        }
        if seen.len() > limit {
            return None;
        }
    }
    Some(false)
}

/// The line is legal and ends in a mate by `side`.
pub(crate) fn mates(position: &Chess, line: &[Move], side: Color) -> bool {
    let mut position = position.clone();
    for &mv in line {
        if !position.is_legal(mv) {
            return false;
        }
        position.play_unchecked(mv);
    }
    position.is_checkmate() && position.turn() != side
}

pub(crate) fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().unwrap();
    fen.into_position(CastlingMode::Standard).unwrap()
}

pub(crate) fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// A sequence of numbers that depends on the seed alone.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 33) as usize % bound
    }

    /// These men on squares by chance, e.g. `KBvKN`.
    pub(crate) fn men(&mut self, class: &str) -> Chess {
        loop {
            let mut setup = self.empty();
            let (white, black) = class.split_once('v').unwrap();
            // Crowded at the edge, more is forced.
            let within = if self.below(2) == 0 { 0..64 } else { 0..18 };
            self.put(&mut setup, Color::White, white, within.clone());
            self.put(&mut setup, Color::Black, black, within);
            if let Ok(position) = setup.position(CastlingMode::Standard) {
                return position;
            }
        }
    }

    /// A chain of pawns across the board, here and there with a fault, the kings, and perhaps a few men
    /// from `pieces`.
    pub(crate) fn wall(&mut self, pieces: &[&str]) -> Chess {
        loop {
            let mut setup = self.empty();
            let first = self.below(2) as u32;
            let faults = 12 + self.below(400);
            for file in 0..8 {
                let mut rank = 3 + (file + first) % 2;
                let mut gap = 1;
                match self.below(faults) {
                    0 => continue,
                    1 => rank -= 1,
                    2 => gap = 2,
                    3 => gap = 3,
                    _ => {}
                }
                let at = |rank: u32| Square::new(rank * 8 + file);
                setup.board.set_piece_at(at(rank), Color::White.pawn());
                let black = (rank + gap).min(6);
                setup.board.set_piece_at(at(black), Color::Black.pawn());
            }
            let white = pieces[self.below(pieces.len())];
            let black = pieces[self.below(pieces.len())];
            self.put(&mut setup, Color::White, &format!("K{white}"), 0..24);
            self.put(&mut setup, Color::Black, &format!("K{black}"), 40..64);
            if let Ok(position) = setup.position(CastlingMode::Standard) {
                return position;
            }
        }
    }

    fn empty(&mut self) -> Setup {
        Setup {
            turn: Color::from_white(self.below(2) == 0),
            ..Setup::empty()
        }
    }

    fn put(&mut self, setup: &mut Setup, color: Color, men: &str, within: Range<u32>) {
        for man in men.chars() {
            let role = Role::from_char(man).unwrap();
            let at = loop {
                let at = within.start + self.below(within.len()) as u32;
                let at = Square::new(at);
                let last = matches!(at.rank(), Rank::First | Rank::Eighth);
                if setup.board.piece_at(at).is_none() && !(last && role == Role::Pawn) {
                    break at;
                }
            };
            setup.board.set_piece_at(at, role.of(color));
        }
    }
}
