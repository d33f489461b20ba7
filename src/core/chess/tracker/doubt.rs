//! A move that its maker may have taken up again.
//!
//! A man that has just made a move is lifted, and no press has borne the move out. It may be carried on, and
//! a board that reads it late shows the reply first. Until something stands on its square again nothing
//! counts that rests on that move.

use shakmaty::{Bitboard, Piece, Position, Square};

use super::{
    ClockState, Tracker,
    classify::Stand,
    explain::{landing, landing_man},
};
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
    man: Piece,
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
        if let Some(doubt) = self.doubt {
            let answered = doubt.plies != self.line.len();
            let stands = seen.piece_at(doubt.square) == Some(doubt.man);
            if answered || stands {
                self.doubt = None;
            }
            // Another man on its square may have taken it, or come after it went on.
            if stands
                && !answered
                && let (Some(last), Some(at)) = (self.line.last_mut(), doubt.pressed)
            {
                last.pressed.get_or_insert(at);
                self.unmatched = self.unmatched.saturating_sub(1);
            }
        }
        let Some(last) = self.line.last().filter(|last| last.pressed.is_none()) else {
            return;
        };
        let us = self.position().turn().other();
        let (square, man) = (landing(last.mv, us), landing_man(last.mv, us));
        let lifted = missing_only(self.position().board(), seen);
        if matches!(self.stand, Stand::Hand { .. })
            && lifted == Some(Bitboard::from(square))
            && self.doubt.is_none()
            // Without a clock hands that overlap look the same, and are more common.
            && (self.pressed_in_game || self.clock == ClockState::Running)
        {
            self.doubt = Some(Doubt {
                plies: self.line.len(),
                square,
                man,
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
