//! Questions to the arbiter.

use super::{
    Asked, OccupancyTracker,
    record::{fen_of, uci_of},
};
use crate::chess::TrackEvent;

impl OccupancyTracker {
    /// What was asked may have found its answer.
    pub(super) fn review_question(&mut self) {
        if self.branches.len() == 1 {
            self.split_since = None;
        } else {
            self.split_since.get_or_insert(self.now);
        }
        let open = self.open_question();
        if let Some(asked) = &self.asked
            && open.as_ref() != Some(asked)
        {
            let ply = asked.ply;
            self.asked = None;
            self.events.push_back(TrackEvent::QuestionClosed { ply });
            if let Some(open) = open {
                self.ask(open);
            }
        }
    }

    /// The first half-move in which the readings differ.
    pub(super) fn open_question(&self) -> Option<Asked> {
        if self.branches.len() < 2 || self.turned.is_none() {
            return None;
        }
        let mut moves: Vec<String> = Vec::new();
        for branch in &self.branches {
            let uci = uci_of(branch.moves.first()?.mv);
            if !moves.contains(&uci) {
                moves.push(uci);
            }
        }
        Some(Asked {
            ply: self.record.plies() + 1,
            moves,
        })
    }

    pub(super) fn ask(&mut self, asked: Asked) {
        self.events.push_back(TrackEvent::Question {
            ply: asked.ply,
            before: fen_of(self.record.tip()),
            moves: asked.moves.clone(),
        });
        self.asked = Some(asked);
    }

    /// The game ends: no move will tell any more what is open.
    pub(super) fn ask_at_end(&mut self) {
        if let (None, Some(open)) = (&self.asked, self.open_question()) {
            self.ask(open);
        }
    }
}
