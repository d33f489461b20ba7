//! What the clock's lever bears out.

use std::time::Duration;

use shakmaty::{Color, Position};

use super::{OccupancyTracker, settle::Place};

/// A press may reach us this long before the picture that it confirms.
const PRESS_LEAD: Duration = Duration::from_millis(1500);

impl OccupancyTracker {
    /// Uses the last press: it makes the presser's move that stands on the board.
    pub(super) fn apply_press(&mut self) {
        let Some(press) = self.press else { return };
        if self.now.since(press.at) > PRESS_LEAD {
            return;
        }
        let mut found = false;
        for branch in &mut self.branches {
            for id in branch.fitting().to_vec() {
                let shown = &branch.shown[id];
                // A man off its square is no move before the board has had the time to show it.
                let complete =
                    shown.hand.is_empty() || shown.doubts() == 0 || shown.exact_at.is_some();
                if shown.mover() == press.mover && complete {
                    branch.press(id);
                    found = true;
                }
            }
        }
        if found {
            self.press = None;
            let best = self.best();
            if let Some(upto) = self.pressed_for(&best, press.mover) {
                self.settle_first(&best, upto);
            }
            return;
        }
        self.bear_out_last();
    }

    /// How many moves of these lines the lever has just borne out, if they agree on that.
    fn pressed_for(&self, best: &[Place], mover: Color) -> Option<usize> {
        let own = |&&place: &&Place| self.shown(place).mover() == mover;
        let length = best
            .iter()
            .filter(own)
            .map(|&place| self.shown(place).steps.len());
        let upto = length.clone().min()?;
        let agree = length.max() == Some(upto)
            && best.iter().all(|&place| {
                let line = self.shown(place);
                line.steps.len() >= upto
                    && line.unseen[..upto].iter().all(|unseen| !unseen)
                    && self.begins_like(place, best, upto)
            });
        agree.then_some(upto)
    }

    /// Whether one of the lines that end after so many moves is the beginning of this one.
    fn begins_like(&self, place: Place, lines: &[Place], upto: usize) -> bool {
        let line = self.shown(place);
        lines.iter().any(|&other| {
            let shorter = self.shown(other);
            other.0 == place.0
                && shorter.steps.len() == upto
                && shorter.instead == line.instead
                && shorter
                    .steps
                    .iter()
                    .zip(&line.steps)
                    .all(|(a, b)| a.mv == b.mv)
        })
    }

    /// The clock's word may come after the reply has been made, or long after the move was told.
    fn bear_out_last(&mut self) {
        let Some(press) = self.press else { return };
        let mut done = false;
        for branch in &mut self.branches {
            let back = if branch.tip().turn() == press.mover {
                2
            } else {
                1
            };
            if let Some(at) = branch.moves.len().checked_sub(back) {
                done |= !branch.moves[at].pressed;
                branch.moves[at].pressed = true;
                continue;
            }
            let rest = back - branch.moves.len();
            let at = self.record.line.len().checked_sub(rest);
            if let Some(last) = at.map(|at| &mut self.record.line[at]) {
                done |= !last.pressed;
                last.pressed = true;
                branch.previous_pressed |= rest == 1;
            }
        }
        if done {
            self.press = None;
            self.unmatched = self.unmatched.saturating_sub(1);
        }
    }
}
