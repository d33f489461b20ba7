//! The positions that a search has visited, each once.

use shakmaty::{Bitboard, Board, CastlingSide, Chess, Color, EnPassantMode, Position};

const EMPTY: u32 = u32::MAX;

/// A set of positions. They are compared whole, so that two are never taken for one.
#[derive(Debug, Default)]
pub(super) struct Seen {
    keys: Vec<Key>,
    /// Indices of keys, each at the first free place from where its hash points to.
    slots: Vec<u32>,
}

impl Seen {
    /// Whether the key was not there yet.
    pub(super) fn insert(&mut self, key: Key) -> bool {
        if self.keys.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let place = self.place(&key);
        let new = self.slots[place] == EMPTY;
        if new {
            self.slots[place] = self.keys.len() as u32;
            self.keys.push(key);
        }
        new
    }

    /// Where the key is, or would be.
    fn place(&self, key: &Key) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = key.hash() as usize & mask;
        while self.slots[place] != EMPTY && self.keys[self.slots[place] as usize] != *key {
            place = (place + 1) & mask;
        }
        place
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 4).max(256);
        self.slots = vec![EMPTY; size];
        for index in 0..self.keys.len() {
            let place = self.place(&self.keys[index]);
            self.slots[place] = index as u32;
        }
    }
}

/// All of a position that the moves depend on, and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    planes: [u64; 4],
    state: u16,
}

impl Key {
    pub(super) fn of(position: &Chess) -> Self {
        let board = position.board();
        let castles = position.castles();
        let mut state = u16::from(position.turn().is_white());
        for color in Color::ALL {
            for side in [CastlingSide::KingSide, CastlingSide::QueenSide] {
                state = state << 1 | u16::from(castles.has(color, side));
            }
        }
        let passing = position.ep_square(EnPassantMode::Legal);
        let passing = passing.map_or(64, |square| square as u16);
        Self {
            planes: planes(board),
            state: state << 7 | passing,
        }
    }

    fn hash(&self) -> u64 {
        let parts = self.planes.into_iter().chain([u64::from(self.state)]);
        parts.fold(0, |hash: u64, part| {
            let mixed = (hash ^ part).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            mixed ^ (mixed >> 29)
        })
    }
}

/// The board as four bits a square.
fn planes(board: &Board) -> [u64; 4] {
    let (roles, _) = board.clone().into_bitboards();
    let bits = |parts: [Bitboard; 3]| u64::from(parts[0] | parts[1] | parts[2]);
    [
        bits([roles.pawn, roles.bishop, roles.queen]),
        bits([roles.knight, roles.bishop, roles.king]),
        bits([roles.rook, roles.queen, roles.king]),
        u64::from(board.white()),
    ]
}
