//! What was seen to be lifted and put, in order.

use std::time::Duration;

use shakmaty::{Bitboard, Piece, Square};

use crate::types::{Mono, Placement};

/// Touches kept as evidence.
const KEPT: usize = 256;
/// A square that reads empty for less than this may have flickered.
const FLICKER: Duration = Duration::from_millis(60);
/// News that comes within this time has waited together: how long it took is not known.
const BUNCH: Duration = Duration::from_millis(5);
/// Squares that change in one scan of the board are told within this time, in any order.
pub(super) const BURST: Duration = Duration::from_millis(100);
/// The square that a man has left may read as taken for so long when it stands on its new one.
const SCAN: Duration = Duration::from_millis(400);
/// More placements than this that the same touches may have led to tell nothing.
const PLACEMENTS: usize = 96;

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Changes that came in one picture share their step: their order is not known.
    step: u32,
    at: Mono,
    square: Square,
    present: bool,
}

/// The touches since a position stood on the board.
#[derive(Clone, Debug, Default)]
pub(super) struct Touches {
    entries: Vec<Entry>,
    step: u32,
    /// The oldest were forgotten.
    cut: bool,
    /// All was in its place again then.
    rested: Option<Mono>,
}

/// What was seen of a man taking another one's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exchange {
    /// The victim's square was empty for a while and filled when the attacker was off its own.
    Seen,
    /// Nothing, or nothing that could not be a flicker.
    Unseen,
}

impl Touches {
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.cut = false;
        self.rested = None;
    }

    /// All is in its place again: what was touched tells nothing of what is touched later than in the same
    /// scan.
    pub(super) fn rest(&mut self, at: Mono) {
        self.rested = Some(at);
    }

    /// Records every square that `after` shows otherwise than `before`.
    pub(super) fn record(&mut self, at: Mono, before: Bitboard, after: Bitboard) {
        self.step += 1;
        for square in before ^ after {
            self.push(at, square, after.contains(square));
        }
    }

    /// Records a square that was told without having changed: an exchange within one scan looks so.
    pub(super) fn touch(&mut self, at: Mono, square: Square, present: bool) {
        self.step += 1;
        self.push(at, square, present);
    }

    fn push(&mut self, at: Mono, square: Square, present: bool) {
        if self.rested.take().is_some_and(|rested| rested + BURST < at) {
            self.entries.clear();
            self.cut = false;
        }
        if self.entries.len() == KEPT {
            self.entries.remove(0);
            self.cut = true;
        }
        self.entries.push(Entry {
            step: self.step,
            at,
            square,
            present,
        });
    }

    /// What remains as evidence when a move has been made while these squares were empty: that they
    /// were lifted.
    pub(super) fn lifted(&self, squares: Bitboard) -> Self {
        let last = |entry: &&Entry| !entry.present && squares.contains(entry.square);
        Self {
            entries: self.entries.iter().filter(last).copied().collect(),
            step: self.step,
            cut: false,
            rested: None,
        }
    }

    /// The squares that were lifted or put.
    pub(super) fn squares(&self) -> Bitboard {
        self.entries.iter().map(|entry| entry.square).collect()
    }

    /// Whether a man was seen to be put on this square at or after this step; the step after that.
    pub(super) fn put(&self, square: Square, from: u32) -> Option<u32> {
        self.entries
            .iter()
            .find(|entry| entry.present && entry.square == square && entry.step >= from)
            .map(|entry| entry.step)
    }

    /// Whether a man can have gone from one empty square to another by what was seen: it did not arrive
    /// long before it left.
    pub(super) fn may_go(&self, from: Square, to: Square) -> bool {
        let put = |entry: &Entry| entry.present && entry.square == to;
        let Some(index) = self.entries.iter().rposition(put) else {
            return true;
        };
        let arrived = self.entries[index].at;
        let lifted = |entry: &&Entry| !entry.present && entry.square == from;
        let Some(left) = self.entries.iter().find(lifted).map(|entry| entry.at) else {
            return true;
        };
        // Another man that was in a hand then explains the arrival better than a slow scan.
        let before = &self.entries[..index];
        let off = before.iter().filter(|entry| !entry.present).count();
        let others = off > before.iter().filter(|entry| entry.present).count();
        left <= arrived + if others { BURST } else { SCAN }
    }

    /// What was seen of the man from `from` taking on `to`.
    pub(super) fn exchange(&self, from: Square, to: Square) -> Exchange {
        let lifted = self
            .entries
            .iter()
            .rev()
            .find(|entry| !entry.present && entry.square == from)
            .map_or(Mono::ZERO, |entry| entry.at);
        let mut emptied: Option<Mono> = None;
        for entry in self.entries.iter().filter(|entry| entry.square == to) {
            if !entry.present {
                emptied = Some(entry.at);
                continue;
            }
            let in_order = entry.at + BURST >= lifted;
            let long = emptied
                .take()
                .is_none_or(|emptied| !(BUNCH..FLICKER).contains(&entry.at.since(emptied)));
            if in_order && long {
                return Exchange::Seen;
            }
        }
        Exchange::Unseen
    }

    /// Every placement that these touches may have led to from `start`, with the men that are off the
    /// board then. Empty when there are too many to tell anything.
    pub(super) fn replay(&self, start: &Placement) -> Vec<(Placement, Vec<Piece>)> {
        if self.cut {
            return Vec::new();
        }
        let mut states = vec![(start.clone(), Vec::new())];
        for entry in &self.entries {
            let mut next: Vec<(Placement, Vec<Piece>)> = Vec::new();
            for (board, hand) in states {
                let man = board.piece_at(entry.square);
                match (entry.present, man) {
                    (false, Some(man)) => {
                        let (mut board, mut hand) = (board, hand);
                        board.discard_piece_at(entry.square);
                        hand.push(man);
                        hand.sort_unstable_by_key(|man| man.char());
                        next.push((board, hand));
                    }
                    (true, None) => {
                        let mut tried = Vec::new();
                        for (index, man) in hand.iter().enumerate() {
                            if tried.contains(man) {
                                continue;
                            }
                            tried.push(*man);
                            let (mut board, mut hand) = (board.clone(), hand.clone());
                            hand.remove(index);
                            board.set_piece_at(entry.square, *man);
                            next.push((board, hand));
                        }
                    }
                    (true, Some(_)) => next.push((board, hand)),
                    (false, None) => {}
                }
            }
            let mut states_now: Vec<(Placement, Vec<Piece>)> = Vec::new();
            for state in next {
                if !states_now.contains(&state) {
                    states_now.push(state);
                }
            }
            if states_now.len() > PLACEMENTS {
                return Vec::new();
            }
            states = states_now;
        }
        states
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Board;

    use super::*;

    fn touches(told: &[(u64, Square, bool)]) -> Touches {
        let mut touches = Touches::default();
        for &(at, square, present) in told {
            touches.touch(Mono::from_millis(at), square, present);
        }
        touches
    }

    #[test]
    fn an_exchange_is_told_from_a_flicker_and_from_an_adjustment() {
        use Square::{D5, E4};
        let cases = [
            (
                vec![(0, E4, false), (300, D5, false), (500, D5, true)],
                Exchange::Seen,
            ),
            (
                vec![(0, D5, false), (300, E4, false), (500, D5, true)],
                Exchange::Seen,
            ),
            (
                vec![(0, E4, false), (300, D5, false), (330, D5, true)],
                Exchange::Unseen,
            ),
            (
                vec![(0, D5, false), (300, D5, true), (900, E4, false)],
                Exchange::Unseen,
            ),
            (vec![(0, E4, false)], Exchange::Unseen),
            (vec![(0, E4, false), (300, D5, true)], Exchange::Seen),
        ];
        for (told, expected) in cases {
            assert_eq!(touches(&told).exchange(E4, D5), expected, "{told:?}");
        }
    }

    #[test]
    fn two_men_in_the_hand_may_be_put_either_way() {
        use Square::{D4, E1, E4, E8};
        let told = touches(&[
            (0, E1, false),
            (9, E8, false),
            (20, D4, true),
            (30, E4, true),
        ]);
        let found = told.replay(&Board::new());
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|(board, hand)| hand.is_empty()
            && board.kings() == Bitboard::from(D4) | Bitboard::from(E4)));
    }
}
