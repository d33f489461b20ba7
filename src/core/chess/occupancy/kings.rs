//! The kings in the centre.

use std::time::Duration;

use shakmaty::{Bitboard, Color, Position, Role};

use super::{OccupancyTracker, branch::Branch, phase::Phase, record::fen_of};
use crate::{
    chess::{
        TrackEvent,
        placement::{CENTRE, lone_kings},
        result::{Outcome, shown_by_kings},
    },
    types::Mono,
};

/// A man moved out of a king's way is moved this shortly before the kings.
const ASIDE: Duration = Duration::from_secs(3);

/// Both kings in the centre.
#[derive(Clone, Copy, Debug)]
pub(super) struct KingsSign {
    pub(super) outcome: Outcome,
    /// Their squares on the wire.
    kings: Bitboard,
    pub(super) since: Mono,
    pub(super) told: bool,
}

/// What the kings of a reading show, if it is sure that two men in the centre are the kings. Which of them
/// stands where does not matter.
fn shown_in(branch: &Branch, wire: Bitboard) -> Option<(Outcome, Bitboard)> {
    let seen = branch.view(wire);
    let board = branch.tip().board();
    let lifted = branch.log.squares() & board.kings();
    if (seen & CENTRE).count() < 2 || lifted.is_empty() {
        return None;
    }
    let mut found = None;
    for (placement, _) in branch.log.replay(board) {
        // A king that was lifted is somewhere on the board.
        if lone_kings(&placement).is_none() {
            continue;
        }
        let sign = (shown_by_kings(&placement)?, placement.kings());
        if found.is_some_and(|known| known != sign) {
            return None;
        }
        found = Some(sign);
    }
    found.map(|(outcome, kings)| {
        let kings = if branch.turned {
            kings.rotate_180()
        } else {
            kings
        };
        (outcome, kings)
    })
}

impl OccupancyTracker {
    pub(super) fn watch_kings(&mut self) {
        let Some(wire) = self.wire else { return };
        if let Some(sign) = self.kings {
            if (sign.kings & !wire).is_empty() {
                return;
            }
            self.kings = None;
        }
        let mut all = self
            .branches
            .iter()
            .map(|branch| shown_in(branch, wire))
            .collect::<Vec<_>>();
        all.dedup();
        if let [Some((outcome, kings))] = all.as_slice() {
            self.kings = Some(KingsSign {
                outcome: *outcome,
                kings: *kings,
                since: self.now,
                told: false,
            });
        }
    }

    /// The kings have stood in the centre for long enough.
    pub(super) fn tell_kings(&mut self) {
        let Some(sign) = &mut self.kings else { return };
        sign.told = true;
        let outcome = sign.outcome;
        if self.phase != Phase::Shown {
            self.freeze();
        }
        self.phase = Phase::Shown;
        for branch in &mut self.branches {
            branch.forget();
        }
        self.ask_at_end();
        self.tell_lost_end();
        self.events.push_back(TrackEvent::ResultByKings {
            outcome,
            final_fen: fen_of(self.record.tip()),
            plies: self.record.plies(),
        });
    }

    /// The record as it was before the kings moved: a complete last move counts, a king's first step to the
    /// centre does not.
    fn freeze(&mut self) {
        let (Some(wire), Some(sign)) = (self.wire, self.kings) else {
            return;
        };
        let mut complete = Vec::new();
        for (b, branch) in self.branches.iter().enumerate() {
            let seen = branch.view(wire);
            let signs = branch.view(sign.kings);
            for (id, shown) in branch.shown.iter().enumerate() {
                let board = shown.after().board();
                let elsewhere = (board.occupied() ^ seen)
                    & !(board.kings() | signs | CENTRE | branch.tip().board().kings());
                let last = shown.steps.len() - 1;
                let borne_out = shown.doubts() == 0 || shown.last().pressed;
                if elsewhere.is_empty()
                    && shown.exact_at.is_some()
                    && borne_out
                    && shown.last().mv.role() != Role::King
                    && !self.is_king_to_centre((b, id), last)
                    && !self.clock_stopped_before(shown.last().at)
                    && !signs.contains(shown.last().mv.from().unwrap_or(shown.last().mv.to()))
                {
                    complete.push((b, id));
                }
            }
        }
        let longest = complete
            .iter()
            .map(|&place| self.shown(place).steps.len())
            .max();
        complete.retain(|&place| Some(self.shown(place).steps.len()) == longest);
        if !complete.is_empty() {
            self.settle_all(&complete);
        }
        let Some(last) = self.record.line.last().copied() else {
            return;
        };
        if self.branches.iter().any(|branch| !branch.moves.is_empty()) {
            return;
        }
        let signs = self.branches[0].view(sign.kings);
        let tip = self.record.tip();
        let ends = tip.is_checkmate() || (last.mv.is_capture() && tip.is_insufficient_material());
        let king = last.mv.role() == Role::King && CENTRE.contains(last.mv.to()) && !ends;
        // A man was moved out of a king's way, which may look like a move.
        let shortly = self
            .record
            .made
            .last()
            .is_some_and(|made| sign.since.since(made.at) < ASIDE);
        let aside = last.mv.role() != Role::King
            && last.mv.from().is_some_and(|from| signs.contains(from))
            && !CENTRE.contains(last.mv.to())
            && (self.pressed_in_game || shortly);
        if !last.pressed && (king || aside) {
            let plies = self.record.line.len() - 1;
            self.withdraw(plies);
        }
    }

    /// The kings went back to the position of the record.
    pub(super) fn withdraw_kings(&mut self) {
        self.phase = Phase::Playing { set_up_told: true };
        self.kings = None;
        self.events.push_back(TrackEvent::ResultWithdrawn);
        self.advance();
    }

    /// A king on its way to the centre accuses nobody.
    pub(super) fn king_shows(&self, mover: Color, to: shakmaty::Square) -> bool {
        let board = self.branches[0].tip().board();
        CENTRE.contains(to) && board.king_of(mover).is_some_and(|king| king != to)
    }
}
