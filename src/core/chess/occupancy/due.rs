//! What time alone brings about.

use std::time::Duration;

use shakmaty::{CastlingMode, Move, Position, Square};

use super::{
    ClockState, HOME, OccupancyTracker, fit::seen_lines, phase::Phase, record::fen_of,
    settle::STOOD,
};
use crate::{
    chess::{
        Note, TrackEvent,
        tracker::explain::{Forbidden, forbidden_move},
    },
    types::{Color, Mono, Placement},
};

/// Quiet after which an unexplained board is worth a word: nobody's hands are at work.
const STILL: Duration = Duration::from_secs(2);
/// Before somebody is accused the board has had the time to show everything again.
const SURE: Duration = Duration::from_millis(600);
/// How long later moves have to tell which of several moves was made.
const ASK_AFTER: Duration = Duration::from_secs(10);

/// Something to be done at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    Settle(Option<usize>),
    Answered,
    TakeBack(usize),
    Search,
    Kings,
    KingsBack,
    Claim,
    Unexplained,
    EnPassantHint,
    Resolve,
    SetUp,
    WrongSetUp,
    StartAgain,
    PressAlone,
    Ask,
    Resync,
}

impl OccupancyTracker {
    pub(super) fn next_due(&self) -> Option<(Mono, Due)> {
        let quiet = |hold: Duration| self.last_change + hold;
        let mut next: Option<(Mono, Due)> = None;
        let mut add = |at: Mono, due: Due| {
            if next.is_none_or(|(first, _)| at < first) {
                next = Some((at, due));
            }
        };
        if let Some(since) = self.split_since.filter(|_| self.asked.is_none())
            && self.open_question().is_some()
        {
            add(since + ASK_AFTER, Due::Ask);
        }
        match self.phase {
            Phase::Waiting { wrong_told } => {
                if !wrong_told && self.missing_at_home().is_some() {
                    add(quiet(self.settings.wrong_set_up_after), Due::WrongSetUp);
                }
            }
            Phase::Closed { again_told } => {
                if !again_told && self.wire == Some(HOME) && !self.record.made.is_empty() {
                    add(quiet(self.settings.start_quiet), Due::StartAgain);
                }
            }
            Phase::Shown => {
                if self.is_rest() {
                    add(quiet(self.settings.dwell), Due::KingsBack);
                } else if self.wire == Some(HOME) {
                    add(quiet(self.settings.start_quiet), Due::StartAgain);
                }
                self.kings_due(&mut add);
            }
            Phase::Playing { set_up_told } => {
                if !set_up_told && self.is_rest() {
                    add(quiet(self.settings.start_quiet), Due::SetUp);
                }
                self.kings_due(&mut add);
                match self.blind {
                    Some(blind) => self.blind_due(blind, &mut add),
                    None => self.play_due(&mut add),
                }
            }
        }
        next
    }

    fn kings_due(&self, add: &mut impl FnMut(Mono, Due)) {
        if let Some(sign) = self.kings.filter(|sign| !sign.told) {
            add(sign.since + self.settings.result_hold, Due::Kings);
        }
    }

    fn play_due(&self, add: &mut impl FnMut(Mono, Due)) {
        let quiet = |hold: Duration| self.last_change + hold;
        let dwell = self.settings.dwell;
        if self.presses_tell() {
            add(self.pressed_at.unwrap_or(self.now), Due::Unexplained);
        }
        if self.wire.is_none() || self.kings.is_some() {
            return;
        }
        if self.stands_at_start() {
            add(quiet(self.settings.start_quiet), Due::StartAgain);
            return;
        }
        if self.gone_on {
            return;
        }
        if self.is_rest() {
            if self.claim.is_some() || self.unexplained {
                add(quiet(dwell), Due::Resolve);
            }
            if let Some(press) = self.press {
                add(press.at + STILL, Due::PressAlone);
            }
            return;
        }
        let best = self.best();
        if let Some((hold, upto)) = self.hold(&best).filter(|_| !self.refused) {
            add(quiet(hold).max(self.settle_after(&best)), Due::Settle(upto));
        }
        if !self.refused && !self.answered().is_empty() {
            add(quiet(STOOD), Due::Answered);
        }
        if !best.is_empty() {
            return;
        }
        if let Some(back) = self.back() {
            let hold = match back {
                1 if self.king_may_show() => self.settings.result_hold,
                1 => dwell,
                _ => STILL.max(dwell),
            };
            add(quiet(hold), Due::TakeBack(back));
            return;
        }
        if let Some(mv) = self.unfinished() {
            if matches!(mv, Move::EnPassant { .. }) && !self.hinted {
                add(quiet(self.settings.unexplained_after), Due::EnPassantHint);
            }
            return;
        }
        if !self.searched {
            add(quiet(dwell), Due::Search);
        }
        if self.lifted_only().is_some() {
            return;
        }
        self.claim_due(add);
        if !self.unexplained && self.claim.is_none() && self.over.is_none() {
            let late = self.left_rest + self.settings.unexplained_after;
            add(late.max(self.last_change + STILL), Due::Unexplained);
        }
    }

    /// A capture that nobody saw waits for the picture that follows a press.
    fn settle_after(&self, best: &[(usize, usize)]) -> Mono {
        let unseen = |&place: &(usize, usize)| self.shown(place).unseen.iter().any(|it| *it);
        let doubtful = best.iter().any(unseen);
        match self.pressed_at.filter(|_| doubtful) {
            Some(at) => at + SURE.max(self.settings.dwell),
            None => Mono::ZERO,
        }
    }

    /// A king that steps back to the centre may be showing a result.
    fn king_may_show(&self) -> bool {
        let prior = self.branches[0].prior();
        prior.is_some_and(|(_, mv)| {
            mv.role() == shakmaty::Role::King
                && mv
                    .from()
                    .is_some_and(|from| crate::chess::placement::CENTRE.contains(from))
        })
    }

    /// A forbidden move is complete when its maker pressed the clock, or, where no clock tells of presses,
    /// when it is left standing.
    fn claim_due(&self, add: &mut impl FnMut(Mono, Due)) {
        if self.claim.is_some() && self.claim == self.wire {
            return;
        }
        if self.claims_looked {
            return;
        }
        if let Some((_, at)) = self.pressed_since_left() {
            let hold = self.settings.dwell.max(SURE);
            add(at.max(self.last_change) + hold, Due::Claim);
        } else if self.claim.is_none()
            && !self.pressed_in_game
            && !matches!(self.clock, ClockState::Stopped(_))
        {
            add(self.last_change + self.settings.illegal_after, Due::Claim);
        }
    }

    fn pressed_since_left(&self) -> Option<(Color, Mono)> {
        self.press
            .filter(|press| press.at >= self.left_rest)
            .map(|press| (press.mover, press.at))
    }

    /// One act against the rules that explains what was touched, and what stands there after it. Who
    /// pressed has nothing in the hand.
    fn claimable(&self, mover: Option<Color>) -> Option<(Forbidden, Placement)> {
        let [branch] = self.branches.as_slice() else {
            return None;
        };
        if !branch.moves.is_empty() || self.turned.is_none() {
            return None;
        }
        let tip = branch.tip();
        let mut found: Option<(Forbidden, Placement)> = None;
        for (placement, hand) in branch.log.replay(tip.board()) {
            if mover.is_some_and(|mover| hand.iter().any(|man| man.color == mover)) {
                continue;
            }
            let forbidden = forbidden_move(tip, &placement, CastlingMode::Standard)?;
            if mover.is_some_and(|mover| mover != forbidden.mover)
                || self.king_shows(forbidden.mover, forbidden.to)
            {
                return None;
            }
            // The man that has just moved is being moved on: no second move of the same side.
            if self.is_last_moved(forbidden.from) {
                return None;
            }
            if found.as_ref().is_some_and(|(known, _)| *known != forbidden) {
                return None;
            }
            found = Some((forbidden, placement));
        }
        found
    }

    fn is_last_moved(&self, from: Square) -> bool {
        self.record
            .line
            .last()
            .is_some_and(|last| !last.mv.is_castle() && last.mv.to() == from)
    }

    pub(super) fn fire(&mut self, due: Due) {
        match due {
            Due::Settle(upto) => {
                let best = self.best();
                match upto {
                    Some(upto) => self.settle_first(&best, upto),
                    None => self.settle_all(&best),
                }
                self.refresh_view();
            }
            Due::Answered => {
                let answered = self.answered();
                self.settle(&answered);
            }
            Due::TakeBack(back) => self.take_back(back),
            Due::Search => self.search(),
            Due::Kings => self.tell_kings(),
            Due::KingsBack => self.withdraw_kings(),
            Due::Claim => self.tell_claim(),
            Due::Unexplained => self.tell_unexplained(),
            Due::EnPassantHint => {
                self.hinted = true;
                if let Some(Move::EnPassant { from, to }) = self.unfinished() {
                    let remove = Square::from_coords(to.file(), from.rank()).to_string();
                    self.events
                        .push_back(TrackEvent::Note(Note::EnPassantUnfinished { remove }));
                }
            }
            Due::Resolve => self.understood(true),
            Due::SetUp => self.tell_set_up(),
            Due::WrongSetUp => self.tell_wrong_set_up(),
            Due::StartAgain => self.tell_start_again(),
            Due::Resync => self.resync(),
            Due::Ask => {
                if let Some(open) = self.open_question() {
                    self.ask(open);
                }
            }
            Due::PressAlone => {
                if let Some(press) = self.press.take()
                    && press.mover == self.branches[0].tip().turn()
                    && self.turned.is_some()
                {
                    let side = press.mover;
                    self.events
                        .push_back(TrackEvent::Note(Note::PressedWithoutMove { side }));
                }
            }
        }
    }

    /// The board is quiet and one move does not explain it: look for several.
    fn search(&mut self) {
        self.searched = true;
        let Some(wire) = self.wire else { return };
        if self.unexplained {
            return;
        }
        let now = self.last_change;
        let found: Vec<_> = self
            .branches
            .iter()
            .map(|branch| seen_lines(branch.tip(), &branch.log, branch.view(wire)))
            .collect();
        if found.iter().any(|lines| lines.open) {
            self.ambiguous = true;
            return;
        }
        for (branch, lines) in self.branches.iter_mut().zip(found) {
            branch.show_lines(lines.found, now, false);
        }
        self.apply_press();
        self.refresh_view();
    }

    fn tell_claim(&mut self) {
        self.claims_looked = true;
        let pressed = self.pressed_since_left();
        let found = match pressed {
            Some((mover, _)) => self.claimable(Some(mover)),
            None => self
                .claimable(None)
                .filter(|(forbidden, _)| !forbidden.needs_press),
        };
        let Some((forbidden, placement)) = found else {
            return;
        };
        self.press = None;
        self.claim = self.wire;
        self.events.push_back(TrackEvent::Illegal {
            ply: self.record.plies() + 1,
            before: fen_of(self.record.tip()),
            placement: placement.to_string(),
            mover: forbidden.mover,
            offending: format!("{}{}", forbidden.from, forbidden.to),
            reasons: forbidden.reasons,
            pressed: pressed.is_some(),
        });
    }

    fn tell_unexplained(&mut self) {
        self.unexplained = true;
        if self.presses_count() {
            self.gone_on = true;
            for branch in &mut self.branches {
                branch.forget();
            }
        }
        self.refresh_view();
        self.events.push_back(TrackEvent::Unexplained {
            expected: self.record.tip().board().to_string(),
            seen: self
                .view
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default(),
            ambiguous: self.ambiguous,
            presses: self.unmatched,
            since: self.left_rest,
        });
    }
}
