//! Finding back after moves were missed.
//!
//! A board that was out of sight (an outage, a restart of the hub) may have seen any number of moves.
//! What stands there afterwards is taken for moves only when exactly one legal line leads to it, counting
//! every length that the clock does not exclude. Otherwise the placement is taken over as a new start,
//! and the record says that moves are missing. The same happens when a board in sight shows
//! nothing that is understood while the players go on: they press, or time passes.

use std::{ops::RangeInclusive, time::Duration};

use shakmaty::{Color, Position};

use super::{
    ClockState, Press, Settled, Tracker,
    classify::Stand,
    due::{Due, STILL},
    gap::men_can_remain,
    node::{Node, Origin},
    phase::Phase,
    search::{Only, only_line},
};
use crate::{
    chess::placement::{Seat, difference, likely_seat, missing_only, turned},
    types::{Mono, Placement},
};

/// After the board is back the clock has so long to tell what it knows.
const CLOCK_WORD: Duration = Duration::from_millis(2500);
/// More plies than this in one outage are not looked for.
pub(super) const FURTHEST: usize = 8;
/// Without the clock's word, lines longer than the shortest by this much are looked for.
const LONGER: usize = 3;
/// A placement that nothing explains is taken over after this time without a press.
const LEFT_STANDING: Duration = Duration::from_secs(30);
/// A man may be put down beside the middle of its square and be read only later: so long is waited for
/// the one line that explains the board before it is taken over as it is.
const PATIENCE: Duration = Duration::from_secs(4);
/// Without a press nobody's hand is at a board on which nothing changed for so long.
const NOBODY_THERE: Duration = Duration::from_secs(8);
/// The placement that a press confirms may be told this much later.
const SCAN: Duration = Duration::from_millis(400);
/// What was read for so long is no bad contact.
const STEADY: Duration = Duration::from_millis(700);
/// A clock tells of a press with its next report, so much later at most.
const HEARD_LATE: Duration = Duration::from_millis(1500);
/// Squares that change in one scan of the board are told within this time, in any order.
const BURST: Duration = Duration::from_millis(100);
/// A clock that is heard at all says in this time whose time runs.
const CLOCK_SILENT: Duration = Duration::from_secs(15);
/// Presses in turn at an unchanged ply after which moves are being missed.
const PRESSES: u16 = 3;
/// Presses while nothing on the board is understood after which the game has gone on.
const PLAYED_ON: u16 = 2;

/// What a clock tells of the time in which the board was out of sight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    /// Whose time ran when the board was last in sight.
    pub ran: Option<Color>,
    /// Whose time runs now.
    pub runs: Option<Color>,
    /// How often it was pressed meanwhile, where the times tell.
    pub presses: Option<u16>,
}

/// The board was out of sight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blind {
    /// It was understood until then.
    clean: bool,
    /// When it came back.
    back: Option<Mono>,
    witness: Option<Witness>,
    /// Nothing more can be found out about the present placement.
    pub(super) looked: bool,
}

impl Blind {
    /// A picture of the board has come since.
    pub(super) fn is_back(self) -> bool {
        self.back.is_some()
    }
}

/// What stands on the board in sight is not understood.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lost {
    pub(super) since: Mono,
    /// Presses since then, each by the other side than the one before.
    pub(super) presses: u16,
}

/// The last man put down, with nothing in a hand since as far as was seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Put {
    side: Color,
    at: Mono,
}

impl Tracker {
    /// From now on the board was not seen: the link was lost, or the hub was down. Until it is in sight
    /// again and understood, nothing is taken for a single move.
    pub fn handle_outage(&mut self, now: Mono) {
        self.handle_timeout(now);
        // Before the game is set up there is nothing to lose.
        if self.phase != (Phase::Playing { set_up_told: true }) {
            return;
        }
        if let Some(blind) = &mut self.blind {
            blind.back = None;
            blind.witness = None;
            self.runs = None;
            self.wire = None;
            return;
        }
        let clean = match self.stand {
            Stand::Rest | Stand::Node(_) | Stand::Hand { .. } | Stand::Unfinished(..) => true,
            // A restored game of which nothing was seen yet.
            Stand::None => !self.unexplained && self.claim.is_none(),
            _ => false,
        };
        self.lose_sight(clean);
        self.seen_before.clone_from(&self.seen);
    }

    /// The board has told changes since then that were not heard, and what was heard of it without them
    /// cannot be trusted: the board counts as out of sight from that time on.
    pub fn handle_missed(&mut self, now: Mono, since: Mono) {
        self.handle_timeout(now);
        let playing = self.phase == (Phase::Playing { set_up_told: true });
        let told = |settled: &&Settled| settled.told <= since;
        let kept = self.line.iter().take_while(told).count();
        let heard = self.last_change > since || kept < self.line.len();
        // A press that was heard since may belong to another move.
        if let Some(last) = kept.checked_sub(1).and_then(|at| self.line.get_mut(at)) {
            last.pressed = last.pressed.filter(|at| *at <= since);
        }
        if !playing || self.blind.is_some() || !heard {
            return self.handle_outage(now);
        }
        let lost_before = self.lost.is_some_and(|lost| lost.since <= since);
        let clean = !self.unexplained && self.claim.is_none() && !lost_before;
        self.withdraw(kept);
        self.lose_sight(clean);
        self.seen_before = None;
    }

    /// The board has kept what happened out of sight, and tells it from here on: nothing was missed.
    pub fn handle_recalled(&mut self, now: Mono) {
        self.handle_timeout(now);
        if self
            .blind
            .is_some_and(|blind| blind.clean && !blind.is_back())
        {
            self.blind = None;
        }
    }

    fn lose_sight(&mut self, clean: bool) {
        self.blind = Some(Blind {
            clean,
            back: None,
            witness: None,
            looked: false,
        });
        self.forget_mismatch();
        self.lost = None;
        self.press = None;
        self.runs = None;
        self.candidate = None;
        self.stand = Stand::None;
        self.nodes.clear();
        self.log.clear();
        // The next picture is news, even if it shows the same.
        self.wire = None;
    }

    /// The clock's word on an outage. May come again and again until [`Tracker::in_sight`].
    pub fn handle_witness(&mut self, now: Mono, witness: Witness) {
        self.handle_timeout(now);
        self.runs = witness.runs.or(self.runs);
        if let Some(blind) = &mut self.blind
            && blind.witness != Some(witness)
        {
            blind.witness = Some(witness);
            blind.looked = false;
        }
    }

    /// Whose time runs, with each reading of the clock.
    pub fn handle_runs(&mut self, now: Mono, side: Color) {
        self.handle_timeout(now);
        self.runs = Some(side);
    }

    /// The journal says that the board was not understood when the hub went down.
    pub fn was_disturbed(&mut self) {
        self.unexplained = true;
    }

    /// A result stands: a record that is not complete is told.
    pub fn handle_end(&mut self, now: Mono) {
        self.handle_timeout(now);
        let unseen = matches!(self.phase, Phase::Waiting { .. }) && self.unmatched > 0;
        let playing = self.phase == (Phase::Playing { set_up_told: true });
        if unseen || (playing && self.has_lost_track()) {
            self.tell_gap_at_end();
        }
    }

    /// The board is seen, and no outage is left to be explained.
    pub fn in_sight(&self) -> bool {
        self.blind.is_none()
    }

    /// Moves are certainly missing from the record, or may be: the board is out of sight, or what it
    /// shows is not understood.
    pub fn has_lost_track(&self) -> bool {
        let Some(blind) = self.blind else {
            return self.unexplained || self.lost.is_some_and(|lost| lost.presses >= PLAYED_ON);
        };
        let Some(seen) = self.seen.as_ref().filter(|_| blind.back.is_some()) else {
            return true;
        };
        let exact = blind.witness.is_some_and(|it| it.presses.is_some());
        let men = |board: &Placement| board.occupied().without(board.kings());
        let tip = self.position().board();
        let moved = !(difference(tip, seen) & (men(tip) | men(seen))).is_empty();
        // Put back for the next game the men tell nothing; kings in the centre have hidden their moves.
        !blind.clean
            || !exact
            || *self.plies_missed(blind).start() > 0
            || (moved && !self.is_set_up(seen))
    }

    /// How many moves lie before the present stretch.
    pub(super) fn base(&self) -> usize {
        self.made.len() - self.line.len()
    }

    /// Judges a placement while an outage is not explained.
    pub(super) fn look_again(&mut self, seen: &Placement) {
        if self.candidate_tells() {
            return;
        }
        let Some(blind) = &mut self.blind else { return };
        blind.back.get_or_insert(self.now);
        blind.looked = false;
        self.watch_kings(seen);
        let tip = self.position().board();
        self.stand = if let Some(sign) = self.kings {
            Stand::Kings(sign.outcome)
        } else if seen == tip {
            Stand::Rest
        } else if !self.made.is_empty() && self.is_set_up(seen) {
            Stand::Start
        } else {
            Stand::Unknown(difference(tip, seen).count())
        };
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

    /// Whether what is seen is understood; called with each placement in sight.
    pub(super) fn watch_sight(&mut self) {
        match self.stand {
            Stand::Unknown(_) | Stand::Forbidden(_) => {
                let since = self.now;
                self.lost.get_or_insert(Lost { since, presses: 0 });
            }
            Stand::Mismatch(_) if self.fresh() => {
                let since = self.now;
                self.lost.get_or_insert(Lost { since, presses: 0 });
            }
            Stand::Hand { node: None, .. } | Stand::Mismatch(_) | Stand::Unfinished(..) => {}
            _ => self.lost = None,
        }
    }

    pub(super) fn blind_due(&self, blind: Blind, add: &mut impl FnMut(Mono, Due)) {
        let (Some(back), false) = (blind.back, self.seen.is_none()) else {
            return;
        };
        if self.stand == Stand::Start {
            add(
                self.last_change + self.settings.start_quiet,
                Due::StartAgain,
            );
            return;
        }
        if matches!(self.stand, Stand::Kings(_)) {
            return;
        }
        if !blind.looked {
            let word = if blind.witness.is_some() {
                back
            } else {
                back + CLOCK_WORD
            };
            add(
                word.max(self.last_change + self.settings.dwell),
                Due::Resync,
            );
        } else if !self.waits_for_hands() && self.may_take_over() {
            let heard = self.runs.is_some() || self.clock == ClockState::Unknown;
            let word = if heard { back } else { back + CLOCK_SILENT };
            add(word.max(self.legible_at()), Due::TakeOver);
        }
        if self.presses_tell() {
            add(self.pressed_at.unwrap_or(self.now), Due::Unexplained);
        } else if !self.unexplained && self.stand != Stand::Rest {
            let late = back + self.settings.unexplained_after;
            add(late.max(self.last_change + STILL), Due::Unexplained);
        }
    }

    /// When a placement that is not understood may be taken over, for a board in sight.
    pub(super) fn lost_due(&self, add: &mut impl FnMut(Mono, Due)) {
        let Some(lost) = self.lost else { return };
        if !self.may_take_over() {
            return;
        }
        let certain = lost.presses >= PLAYED_ON || self.unmatched >= PRESSES || self.fresh();
        if certain || (self.ambiguous && self.searched) {
            if self.line_asked || self.fresh() {
                let patience = if self.fresh() {
                    Duration::ZERO
                } else {
                    PATIENCE
                };
                add(self.legible_at().max(lost.since + patience), Due::TakeOver);
            } else {
                add(self.complete_at(), Due::PressedLine);
            }
        } else if self.claim.is_none() {
            let left = (lost.since + LEFT_STANDING).max(self.last_change + NOBODY_THERE);
            add(left.max(self.legible_at()), Due::TakeOver);
        }
    }

    /// The clock was pressed again and again and the board showed nothing of it: what it shows next is
    /// no single move. Answers whether the board is distrusted from now on.
    pub(super) fn distrust(&mut self) -> bool {
        let playing = self.phase == (Phase::Playing { set_up_told: true });
        if self.unmatched < PRESSES || self.stand != Stand::Rest || !playing || self.blind.is_some()
        {
            return false;
        }
        self.seen_before = None;
        self.blind = Some(Blind {
            clean: false,
            back: None,
            witness: None,
            looked: false,
        });
        true
    }

    /// A clock that stands may stand for an arbiter who restores the position, and before the game men
    /// are put anywhere.
    fn may_take_over(&self) -> bool {
        let begun = !self.made.is_empty() || self.clock != ClockState::Unknown;
        let claimed = self.claim.is_some() && self.claim == self.seen;
        begun && !claimed && !self.tried && !matches!(self.clock, ClockState::Stopped(_))
    }

    /// Presses alone tell that moves are missed.
    pub(super) fn presses_tell(&self) -> bool {
        let lost = self.lost.is_some_and(|lost| lost.presses >= PLAYED_ON);
        !self.unexplained
            && self.claim.is_none()
            && self.over.is_none()
            && (lost || self.unmatched >= PRESSES)
    }

    /// When no man can be in a hand: after a press that found the board as it is now, else when it has
    /// been still for long.
    ///
    /// A press is heard when the opponent may have lifted a man or replied already. So the last thing
    /// that changed must be a man of the presser's put down, or lie before the press could be made.
    fn complete_at(&self) -> Mono {
        let still = self.last_change + NOBODY_THERE;
        let Some(at) = self.pressed_at.filter(|at| *at >= self.last_change) else {
            return still;
        };
        let own = self
            .put
            .is_some_and(|put| Some(put.side) == self.pressed_last);
        if own || at.since(self.last_change) >= HEARD_LATE {
            still.min(at + self.settings.dwell.max(SCAN))
        } else {
            still
        }
    }

    /// When every man that stands on the board can be taken to be read, and rightly.
    fn legible_at(&self) -> Mono {
        let read = self.last_change + STEADY;
        let unread = self.log.unread_until().unwrap_or(Mono::ZERO);
        self.complete_at().max(read).max(unread)
    }

    /// Watches the hands: whose man was put down last.
    pub(super) fn watch_hands(&mut self, before: &Placement, seen: &Placement) {
        let changed = difference(before, seen);
        if changed.is_empty() {
            return;
        }
        let at = self.now;
        let emptied = changed.without(seen.occupied());
        let alone = |side: Color| (emptied & before.by_color(side.other())).is_empty();
        let arrived = |side: Color| !(changed & seen.by_color(side)).is_empty();
        let in_sight = self.blind.is_none_or(Blind::is_back);
        self.put = match (arrived(Color::White), arrived(Color::Black)) {
            // The square that the man came from may be told after the one that he stands on.
            (false, false) => self
                .put
                .filter(|put| alone(put.side) && at.since(put.at) < BURST),
            (true, true) => None,
            (white, _) => Some(Put {
                side: Color::from_white(white),
                at,
            }),
        }
        // What happened out of sight has no order.
        .filter(|put| in_sight && alone(put.side));
    }

    /// The side that was to move in a position taken over has pressed and nothing has changed: its move
    /// had been made before.
    pub(super) fn turn_due(&self, press: Press, add: &mut impl FnMut(Mono, Due)) {
        let moved = press.mover == self.position().turn() && press.at >= self.last_change;
        if self.fresh() && moved && !self.tried {
            add(press.at + SCAN, Due::TakeOver);
        }
    }

    /// A position was taken over and nothing was played from it: it may have been a wrong one.
    pub(super) fn fresh(&self) -> bool {
        self.line.is_empty() && !self.stretches.is_empty()
    }

    /// Men are in a hand, and nothing else is wrong.
    fn waits_for_hands(&self) -> bool {
        let (Some(seen), Some(blind)) = (&self.seen, self.blind) else {
            return false;
        };
        let went_on = blind
            .witness
            .and_then(|witness| witness.presses)
            .is_some_and(|presses| presses > 1);
        let lifted = missing_only(self.position().board(), seen);
        !went_on && lifted.is_some_and(|lifted| lifted.count() <= 2)
    }

    /// How many plies may have been played out of sight.
    fn plies_missed(&self, blind: Blind) -> RangeInclusive<usize> {
        let (Some(presses), Some(ran)) = (
            blind.witness.and_then(|witness| witness.presses),
            blind.witness.and_then(|witness| witness.ran),
        ) else {
            return 0..=FURTHEST;
        };
        // The last move of the record may have been made and not pressed, and so may the one that
        // stands on the board.
        let unpressed = u16::from(self.position().turn() != ran);
        let least = usize::from(presses.saturating_sub(unpressed));
        least..=least + 1
    }

    /// The board is back and quiet: what was played?
    pub(super) fn resync(&mut self) {
        self.find_line(1);
    }

    /// Looks for the only line of at most so many plies. With men in a hand the board looks like that
    /// after other moves, so more than one ply needs a complete board.
    pub(super) fn find_line(&mut self, furthest: usize) {
        let (Some(mut blind), Some(seen)) = (self.blind, self.view()) else {
            return;
        };
        blind.looked = true;
        self.blind = Some(blind);
        let plies = self.plies_missed(blind);
        let exact = blind
            .witness
            .is_some_and(|witness| witness.presses.is_some());
        let same = seen == *self.position().board() || self.seen == self.seen_before;
        if same && (!exact || *plies.start() < 2) {
            self.sighted();
            return;
        }
        let (first, last) = (*plies.start(), (*plies.end()).min(furthest));
        if !blind.clean || first > last || (!exact && furthest == 1) {
            return;
        }
        let longer = if exact { None } else { Some(LONGER) };
        let Only::One(line) = only_line(self.position(), &seen, first.max(1)..=last, longer) else {
            return;
        };
        self.blind = None;
        self.tell_end_found();
        let mut origin = Origin::Line(self.line.len());
        let mut after = self.position().clone();
        let mut tip = None;
        let runs = blind.witness.and_then(|witness| witness.runs);
        let last = line.len() - 1;
        for (index, mv) in line.into_iter().enumerate() {
            after.play_unchecked(mv);
            // Whoever moved again has pressed before; of the last move the lever tells.
            let pressed = runs.is_some() && (index < last || runs == Some(after.turn()));
            let id = self.nodes.add(Node {
                origin,
                mv,
                after: after.clone(),
                exact_at: None,
                at: self.last_change,
                pressed,
                inferred: true,
                of_line: true,
            });
            origin = Origin::Node(id);
            tip = Some(id);
        }
        if let Some(id) = tip {
            self.stand = Stand::Node(id);
            self.settle(id);
        }
        self.sighted();
    }

    /// The outage is explained.
    fn sighted(&mut self) {
        self.blind = None;
        self.unmatched = 0;
        self.tell_end_found();
        self.advance();
    }

    /// The placement, a square that is known to be misread put right.
    pub(super) fn view(&self) -> Option<Placement> {
        let seen = self.seen.as_ref()?;
        let corrected = self.mismatch.and_then(|mismatch| mismatch.corrected(seen));
        Some(corrected.unwrap_or_else(|| seen.clone()))
    }

    /// The game has begun and the start position was never seen on this board: joins it, if the men tell
    /// which way round it stands.
    pub(super) fn join(&mut self) {
        let (Phase::Waiting { .. }, Some(wire)) = (self.phase, self.wire.clone()) else {
            return;
        };
        let seat = match self.settings.turned {
            Some(true) => Some(Seat::Turned),
            Some(false) => Some(Seat::Normal),
            None => likely_seat(&wire, self.home()),
        };
        let Some(seat) = seat else { return };
        let is_turned = seat == Seat::Turned;
        let view = if is_turned { turned(&wire) } else { wire };
        if self.unmatched < PRESSES || !men_can_remain(self.position().board(), &view) {
            return;
        }
        self.turned = Some(is_turned);
        self.phase = Phase::Playing { set_up_told: false };
        self.tell_set_up();
        // Whose presses those were was not known while White's side was not.
        self.runs = None;
        self.seen = None;
        self.blind = Some(Blind {
            clean: true,
            back: None,
            witness: None,
            looked: false,
        });
        self.look(true);
    }
}
