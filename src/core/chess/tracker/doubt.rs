//! A move that its maker may have taken up again.
//!
//! A man that has just made a move is lifted, and no press has borne the move out. It may be carried on, and
//! a board that reads it late shows the reply first. Until something stands on its square again nothing
//! counts that rests on that move.

use shakmaty::{Bitboard, Position, Square};

use super::{Tracker, classify::Stand, explain::landing};
use crate::{
    chess::placement::missing_only,
    types::{Mono, Placement},
};

/// The last move of the record, its man lifted again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Doubt {
    /// Settled moves up to and with it.
    plies: usize,
    /// Where its man stood.
    square: Square,
    /// Its maker has pressed since: for this move or for what became of it.
    pressed: Option<Mono>,
}

impl Tracker {
    /// The move that is in doubt with this placement.
    pub(super) fn doubted(&self, view: &Placement) -> Option<Doubt> {
        self.doubt
            .filter(|doubt| doubt.plies == self.line.len() && view.piece_at(doubt.square).is_none())
    }

    /// Watches the man of the last move; called with each placement in sight.
    pub(super) fn watch_last_man(&mut self, seen: &Placement) {
        if let Some(doubt) = self.doubt
            && self.doubted(seen).is_none()
        {
            self.doubt = None;
            let same = doubt.plies == self.line.len();
            let last = self.line.last_mut().filter(|_| same);
            if let (Some(last), Some(at)) = (last, doubt.pressed) {
                last.pressed.get_or_insert(at);
                self.unmatched = self.unmatched.saturating_sub(1);
            }
        }
        let Some(last) = self.line.last().filter(|last| last.pressed.is_none()) else {
            return;
        };
        let square = landing(last.mv, self.position().turn().other());
        let lifted = missing_only(self.position().board(), seen);
        if matches!(self.stand, Stand::Hand { .. })
            && lifted == Some(Bitboard::from(square))
            && self.doubt.is_none()
            // Without a clock hands that overlap look the same, and are more common.
            && self.pressed_in_game
        {
            self.doubt = Some(Doubt {
                plies: self.line.len(),
                square,
                pressed: None,
            });
        }
    }

    /// The maker of a doubted move has pressed. Says whether there is such a move.
    pub(super) fn press_in_doubt(&mut self, at: Mono) -> bool {
        let doubted = self
            .seen
            .as_ref()
            .is_some_and(|seen| self.doubted(seen).is_some());
        if doubted && let Some(doubt) = &mut self.doubt {
            doubt.pressed = Some(at);
        }
        doubted
    }
}
