//! Boards of which it is known where White sits: pieces that stand the other way round (R-PR-11).

use super::{live::LiveTable, tracker::Picture};
use crate::{
    chess::placement::{Seat, start_position},
    hub::{Hub, alerts::Cause, event::AlertKind, view::Severity},
    types::{Now, TableNo},
};

impl Hub {
    /// The pieces are set up for a game: do White's stand where the pairing has White?
    pub(super) fn check_colours(&mut self, now: Now, table: TableNo) {
        let waits = self
            .state
            .game(table)
            .is_some_and(|game| game.moves.is_empty());
        if !waits || !self.game_open(table) {
            return;
        }
        let reversed = self.live.get(table).and_then(LiveTable::stands_reversed);
        let cause = Cause::at(AlertKind::WrongColours, table);
        match reversed {
            Some(true) => {
                let text = format!(
                    "Table {table}: the pieces stand reversed, White's on Black's side. Turn them: the \
                     colours of the pairing are never swapped."
                );
                self.raise(now, cause, Severity::Call, text, None);
            }
            Some(false) => self.clear(now, &cause),
            None => {}
        }
    }
}

impl LiveTable {
    /// Whether a start position stands the wrong way round; `None` where none stands, or nobody has said
    /// where White sits.
    fn stands_reversed(&self) -> Option<bool> {
        let turned = self.configured_turned()?;
        let Some(Picture::Men(wire)) = &self.wire else {
            return None;
        };
        Some((start_position(wire)? == Seat::Turned) != turned)
    }
}
