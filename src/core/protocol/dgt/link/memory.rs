//! After a gap: the board's log tells what happened meanwhile.

use super::{Before, DgtLink, HEARD, LOG_WAIT};
use crate::{
    protocol::dgt::{
        command::Request,
        piece::{Cells, Code},
        recall::{self, Step},
    },
    types::Mono,
};

impl DgtLink {
    pub(super) fn note_change(&mut self, index: u8, code: Code) {
        if self.heard.len() == HEARD {
            self.heard.pop_front();
        }
        self.heard.push_back((index, code));
    }

    /// The board is about to be lost: what is known of it now is where its log goes on.
    pub(super) fn remember(&mut self, now: Mono) {
        let serial = self
            .identity
            .long_serial
            .as_ref()
            .or(self.identity.serial.as_ref());
        if let Some(cells) = self.picture.cells().filter(|_| self.found) {
            self.before = Some(Before {
                serial: serial.cloned(),
                cells,
                heard: self.heard.iter().copied().collect(),
                reading: self.reading.map(|(_, reading)| reading),
                lost_at: now,
            });
        }
    }

    /// Whether the log is needed, and asked for: the same board is back and shows something else. Nothing
    /// is told before it has come.
    pub(super) fn asks_for_log(&mut self, now: Mono) -> bool {
        let serial = self
            .identity
            .long_serial
            .as_ref()
            .or(self.identity.serial.as_ref());
        let needed = self.before.as_ref().is_some_and(|before| {
            let other = self
                .picture
                .cells()
                .is_some_and(|cells| cells != before.cells);
            other && before.serial.as_ref() == serial
        });
        if needed {
            self.log_until = Some(now + LOG_WAIT);
            self.questions.clear();
            self.questions.push_back(Request::SendEeMoves);
        }
        needed
    }

    /// The log has come.
    pub(super) fn log(&mut self, now: Mono, log: &[u8]) {
        if self.log_until.is_none() {
            return;
        }
        let recalled = self
            .before
            .take()
            .and_then(|before| {
                let steps = recall::since(log, &before.cells, &before.heard)?;
                // The log must lead to what stands there now, else it is not to be believed.
                let leads = self.picture.cells() == Some(after(before.cells, &steps));
                leads.then(|| {
                    let (cells, reading) = (&before.cells, before.reading);
                    recall::tell(cells, reading, &steps, before.lost_at, now)
                })
            })
            .unwrap_or_default();
        self.tell_found_with(recalled);
        // Changes may have been made while the log went over the line.
        self.ask_dump_at(now);
        self.heard(now);
        self.last_keep_alive = now;
    }
}

fn after(mut cells: Cells, steps: &[Step]) -> Cells {
    for step in steps {
        if let Step::Field { index, code, .. } = *step {
            cells.0[usize::from(index)] = code;
        }
    }
    cells
}
