//! Boards out of sight or not understood, and the arbiter's word.

use std::{ops::RangeInclusive, time::Duration};

use shakmaty::{Bitboard, Chess, Color, Position, uci::UciMove};
use thiserror::Error;

use super::{
    ClockState, OccupancyTracker,
    branch::{Branch, Stand, Step},
    due::Due,
    fit::all_lines,
    phase::Phase,
};
use crate::{
    chess::{TrackEvent, tracker::Witness},
    types::Mono,
};

/// After the board is back the clock has so long to tell what it knows.
const CLOCK_WORD: Duration = Duration::from_millis(2500);
/// More plies than this in one outage are not looked for.
const FURTHEST: usize = 4;
/// Without the clock's word, lines longer than the shortest by this much are looked for.
const LONGER: usize = 2;
/// Presses in turn at an unchanged ply after which moves are being missed.
const PRESSES: u16 = 3;
/// Presses while nothing on the board is understood after which the game has gone on.
const PLAYED_ON: u16 = 2;

/// Why an arbiter's word on the moves was not taken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AnswerError {
    /// A move is not legal where it stands.
    #[error("{uci} is not legal after the moves before it")]
    Illegal {
        /// The move.
        uci: String,
    },
    /// The moves are legal, but they do not lead to what the board shows.
    #[error("these moves do not lead to the squares that are occupied on the board")]
    NotOnTheBoard,
    /// Nothing was said, or it is not known how the board stands.
    #[error("there is nothing to be said about the moves now")]
    Nothing,
}

/// The board was out of sight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blind {
    /// It was understood until then.
    clean: bool,
    /// When it came back.
    back: Option<Mono>,
    witness: Option<Witness>,
    looked: bool,
}

/// What stands on the board in sight is not understood.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lost {
    /// Presses meanwhile, each by the other side than the one before.
    presses: u16,
}

impl OccupancyTracker {
    /// From now on the board was not seen: the link was lost, or the hub was down. Until it is in sight
    /// again and understood, nothing is taken for a single move.
    pub fn handle_outage(&mut self, now: Mono) {
        self.handle_timeout(now);
        if self.phase != (Phase::Playing { set_up_told: true }) {
            return;
        }
        let clean = match &self.blind {
            Some(blind) => blind.clean,
            None => !self.unexplained && self.claim.is_none() && self.lost.is_none(),
        };
        self.blind = Some(Blind {
            clean,
            back: None,
            witness: None,
            looked: false,
        });
        self.lost = None;
        self.press = None;
        self.wire = None;
        self.lifted = None;
        for branch in &mut self.branches {
            branch.forget();
            branch.log.clear();
            branch.before.clear();
            branch.previous = None;
        }
    }

    /// The board has told changes since then that were not heard: what was told for moves since is taken
    /// back, and the board counts as out of sight from that time on.
    pub fn handle_missed(&mut self, now: Mono, since: Mono) {
        self.handle_timeout(now);
        let playing = self.phase == (Phase::Playing { set_up_told: true });
        if playing && self.blind.is_none() {
            let kept = self.record.line.iter().take_while(|it| it.told <= since);
            let kept = kept.count();
            let early = |branch: &Branch| branch.moves.iter().all(|step| step.at <= since);
            if kept < self.record.line.len() || !self.branches.iter().all(early) {
                self.withdraw(kept);
            }
        }
        self.handle_outage(now);
    }

    /// The clock's word on an outage. May come again and again until [`Self::in_sight`].
    pub fn handle_witness(&mut self, now: Mono, witness: Witness) {
        self.handle_timeout(now);
        if let Some(blind) = &mut self.blind
            && blind.witness != Some(witness)
        {
            blind.witness = Some(witness);
            blind.looked = false;
        }
    }

    /// The journal says that the board was not understood when the hub went down.
    pub fn was_disturbed(&mut self) {
        self.unexplained = true;
    }

    /// A result stands: a record that is not complete is told.
    pub fn handle_end(&mut self, now: Mono) {
        self.handle_timeout(now);
        if self.phase == (Phase::Playing { set_up_told: true }) {
            self.ask_at_end();
            self.tell_lost_end();
        }
    }

    /// The board is seen, and no outage is left to be explained.
    pub fn in_sight(&self) -> bool {
        self.blind.is_none()
    }

    /// Moves are certainly missing from the record, or may be.
    pub fn has_lost_track(&self) -> bool {
        match self.blind {
            None => {
                let open = self.turned.is_some() && self.branches.len() > 1;
                open || self.unexplained || self.gone_on
            }
            Some(blind) => !blind.clean || !self.stands_at_tip(),
        }
    }

    fn stands_at_tip(&self) -> bool {
        self.wire.is_some_and(|wire| {
            self.branches
                .iter()
                .any(|branch| branch.tip().board().occupied() == branch.view(wire))
        })
    }

    /// The game ends and the record is not complete.
    pub(super) fn tell_lost_end(&mut self) {
        if self.has_lost_track() && !std::mem::replace(&mut self.end_lost, true) {
            self.events.push_back(TrackEvent::Gap {
                after: self.record.plies(),
                fen: None,
            });
        }
    }

    /// Counts a press that no move has answered for.
    pub(super) fn count_press(&mut self, mover: Color) {
        if self.pressed_last.replace(mover) == Some(mover) {
            return;
        }
        self.unmatched = self.unmatched.saturating_add(1);
        if let Some(lost) = &mut self.lost {
            lost.presses = lost.presses.saturating_add(1);
        }
    }

    /// Whether what is seen is understood; called with each picture in sight.
    pub(super) fn watch_sight(&mut self) {
        let understood = self.is_rest()
            || self.branches.iter().any(|b| !b.fitting().is_empty())
            || self.lifted_only().is_some()
            || self.kings.is_some()
            || self.unfinished().is_some()
            || self.back().is_some();
        self.lost = match (understood, self.lost) {
            (true, _) => None,
            (false, None) => Some(Lost { presses: 0 }),
            (false, known) => known,
        };
    }

    pub(super) fn presses_count(&self) -> bool {
        let lost = self.lost.is_some_and(|lost| lost.presses >= PLAYED_ON);
        let begun = !self.record.made.is_empty();
        lost || (begun && self.unmatched >= PRESSES)
    }

    /// Presses alone tell that moves are missed.
    pub(super) fn presses_tell(&self) -> bool {
        self.presses_count()
            && !self.gone_on
            && self.claim.is_none()
            && self.over.is_none()
            && self.kings.is_none()
    }

    /// Moves were missed: only the arbiter, who stops the clock and restores the position, or tells the
    /// moves, can bring the record and the board together.
    pub(super) fn watch_restored(&mut self, wire: Bitboard) {
        let stopped = matches!(self.clock, ClockState::Stopped(_));
        let restored = stopped && self.stands_at_tip();
        for branch in &mut self.branches {
            branch.log.clear();
            branch.before.clear();
            branch.previous = None;
            let rest = restored && branch.tip().board().occupied() == branch.view(wire);
            branch.stand = if rest { Stand::Rest } else { Stand::Other };
        }
        if restored {
            self.understood(true);
        }
    }

    /// Judges an occupancy while an outage is not explained.
    pub(super) fn look_again(&mut self, _wire: Bitboard) {
        let now = self.now;
        if let Some(blind) = &mut self.blind {
            blind.back.get_or_insert(now);
            blind.looked = false;
        }
        self.watch_kings();
    }

    pub(super) fn blind_due(&self, blind: Blind, add: &mut impl FnMut(Mono, Due)) {
        let (Some(back), true) = (blind.back, self.wire.is_some()) else {
            return;
        };
        if self.kings.is_some() {
            return;
        }
        if self.wire == Some(super::HOME) && self.start_means_over() && !self.stands_at_tip() {
            add(
                self.last_change + self.settings.start_quiet,
                Due::StartAgain,
            );
            return;
        }
        if !blind.looked {
            let word = match blind.witness {
                Some(_) => back,
                None => back + CLOCK_WORD,
            };
            add(
                word.max(self.last_change + self.settings.dwell),
                Due::Resync,
            );
        } else if !self.unexplained {
            let late = back + self.settings.unexplained_after;
            add(
                late.max(self.last_change + self.settings.dwell),
                Due::Unexplained,
            );
        }
    }

    /// How many plies may have been played out of sight.
    fn plies_missed(tip: &Chess, blind: Blind) -> Option<RangeInclusive<usize>> {
        let witness = blind.witness?;
        let (presses, ran) = (witness.presses?, witness.ran?);
        let unpressed = u16::from(tip.turn() != ran);
        let least = usize::from(presses.saturating_sub(unpressed));
        Some(least..=least + 1)
    }

    /// The board is back and quiet: what was played? Readings to which no line leads end here.
    pub(super) fn resync(&mut self) {
        let (Some(mut blind), Some(wire)) = (self.blind, self.wire) else {
            return;
        };
        blind.looked = true;
        self.blind = Some(blind);
        let mut next: Vec<Branch> = Vec::new();
        for branch in &self.branches {
            let told = Self::plies_missed(branch.tip(), blind);
            let first = told.as_ref().map_or(0, |plies| *plies.start());
            let seen = branch.view(wire);
            if first < 2 && branch.tip().board().occupied() == seen {
                next.push(branch.clone());
                continue;
            }
            let last = told.as_ref().map_or(FURTHEST, |plies| *plies.end());
            if !blind.clean || first > FURTHEST {
                return;
            }
            let longer = told.is_none().then_some(LONGER);
            let lines = all_lines(
                branch.tip(),
                seen,
                first.max(1)..=last.min(FURTHEST),
                longer,
            );
            if lines.open {
                return;
            }
            let mut shown = branch.clone();
            shown.show_lines(lines.found, self.last_change, true);
            for &id in shown.fitting() {
                let upto = shown.shown[id].steps.len();
                next.push(shown.made(id, upto));
            }
        }
        // With men in a hand the board looks like that after other moves.
        let moved = next.iter().any(|branch| branch.stand == Stand::Rest);
        let lifted = moved && self.lifted_only().is_some() && blind.witness.is_none();
        if next.is_empty() || next.len() > super::settle::MOST_LINES || lifted {
            return;
        }
        self.blind = None;
        self.unmatched = 0;
        if next
            .iter()
            .any(|branch| branch.moves.len() > self.branches[0].moves.len())
        {
            self.understood(false);
        }
        if self.turned.is_none() && next.iter().all(|b| b.turned == next[0].turned) {
            self.turned = Some(next[0].turned);
        }
        self.branches = next;
        self.commit(Vec::new());
        self.advance();
    }

    /// The arbiter says how the game went on from the record: the answer to a question, or the moves
    /// that were missed, in UCI.
    ///
    /// Where readings are open, those that begin so remain. Otherwise the moves must lead to the squares that
    /// are occupied now.
    ///
    /// # Errors
    /// A move is not legal, or the moves do not fit the board.
    pub fn answer(&mut self, now: Mono, moves: &[UciMove]) -> Result<(), AnswerError> {
        self.handle_timeout(now);
        let (Some(turned), false) = (self.turned, moves.is_empty()) else {
            return Err(AnswerError::Nothing);
        };
        let mut position = self.record.tip().clone();
        let mut steps = Vec::new();
        let mut positions = vec![position.clone()];
        for uci in moves {
            let mv = uci.to_move(&position).map_err(|_| AnswerError::Illegal {
                uci: uci.to_string(),
            })?;
            position.play_unchecked(mv);
            positions.push(position.clone());
            steps.push(Step {
                mv,
                at: self.now,
                pressed: true,
                inferred: true,
            });
        }
        let begins = |branch: &Branch| {
            branch.moves.len() >= steps.len()
                && branch.moves.iter().zip(&steps).all(|(a, b)| a.mv == b.mv)
        };
        if self.branches.iter().any(begins) {
            self.branches.retain(begins);
            if self.branches.len() == 1 {
                self.tell_end_found();
            }
            self.commit(Vec::new());
            self.refresh_view();
            return Ok(());
        }
        let mut told = Branch::new(self.record.tip().clone(), turned);
        told.moves = steps;
        told.positions = positions;
        let seen = self.wire.map(|wire| told.view(wire));
        if seen != Some(position.board().occupied()) {
            return Err(AnswerError::NotOnTheBoard);
        }
        self.blind = None;
        self.unmatched = 0;
        self.understood(false);
        self.branches = vec![told];
        self.commit(Vec::new());
        self.advance();
        Ok(())
    }
}
