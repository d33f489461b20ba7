//! What time alone brings about.

use std::time::Duration;

use shakmaty::{Move, Position, Role};

use super::{
    ClockState, IllegalReason, Note, TrackEvent, Tracker,
    classify::Stand,
    explain::{Forbidden, Unfinished},
    fen_of,
    node::{Node, Origin},
    phase::Phase,
    resync::FURTHEST,
    search::{Lines, Presses, lines, pressed_line},
};
use crate::{
    chess::{placement::CENTRE, result::king_in_centre},
    types::Mono,
};

/// Quiet after which an unexplained board is worth a word: nobody's hands are at work.
pub(super) const STILL: Duration = Duration::from_secs(2);

/// Before somebody is accused the board has had the time to show everything again: bytes may be lost.
const SURE: Duration = Duration::from_millis(600);

/// Something to be done at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    Settle(usize),
    Withdraw(usize),
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
    Misread,
    PressAlone,
    Resync,
    PressedLine,
    TakeOver,
    CloseGap,
}

impl Tracker {
    pub(super) fn next_due(&self) -> Option<(Mono, Due)> {
        let quiet = |hold: Duration| self.last_change + hold;
        let mut next: Option<(Mono, Due)> = None;
        let mut add = |at: Mono, due: Due| {
            if next.is_none_or(|(first, _)| at < first) {
                next = Some((at, due));
            }
        };
        match self.phase {
            Phase::Waiting { wrong_told } => {
                if !wrong_told && let Some(wrong) = self.wrong_set_up() {
                    add(quiet(wrong.after), Due::WrongSetUp);
                }
            }
            Phase::Closed { again_told } => {
                let again = self.seen.as_ref().is_some_and(|seen| self.is_set_up(seen));
                if !again_told && again && !self.line.is_empty() {
                    add(quiet(self.settings.start_quiet), Due::StartAgain);
                }
            }
            Phase::Shown => {
                match self.stand {
                    Stand::Rest => add(quiet(self.settings.dwell), Due::KingsBack),
                    Stand::Start => add(quiet(self.settings.start_quiet), Due::StartAgain),
                    _ => {}
                }
                self.kings_due(&mut add);
            }
            Phase::Playing { set_up_told } => {
                if !set_up_told && self.stand == Stand::Rest {
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
        match &self.stand {
            Stand::BeforeGap => add(quiet(STILL.max(dwell)), Due::CloseGap),
            Stand::None | Stand::Kings(_) => {}
            Stand::Rest => {
                // Where presses alone told of missed moves, an unchanged board does not explain them.
                let changed = self.last_change >= self.complained_at;
                if self.claim.is_some() || (self.unexplained && changed) {
                    add(quiet(dwell), Due::Resolve);
                }
                if let Some(press) = self.press {
                    self.turn_due(press, add);
                    add(press.at + STILL, Due::PressAlone);
                }
            }
            Stand::Node(id) => {
                if let Some(hold) = self.hold(*id) {
                    add(quiet(hold), Due::Settle(*id));
                }
            }
            Stand::Hand { node, squares } => {
                if let Some(id) = *node
                    && let Some(hold) = self.hold(id)
                {
                    add(quiet(hold), Due::Settle(id));
                }
                if squares.count() == 1
                    && node.is_none()
                    && self.doubt.is_none()
                    && self.mismatch.is_none()
                    && !self.misread
                {
                    // It may be on its way, put down and not read yet.
                    let unread = self.log.unread_until().unwrap_or(Mono::ZERO);
                    add(
                        quiet(self.settings.mismatch_after).max(unread),
                        Due::Misread,
                    );
                }
            }
            Stand::Back(plies) => {
                // A king that steps back to the centre may be showing a result.
                let king = self.line.last().is_some_and(|last| {
                    last.mv.role() == Role::King
                        && last.mv.from().is_some_and(|from| CENTRE.contains(from))
                });
                let hold = match plies + 1 == self.line.len() {
                    true if king => self.settings.result_hold,
                    true => dwell,
                    false => STILL.max(dwell),
                };
                add(quiet(hold), Due::Withdraw(*plies));
            }
            Stand::Start => add(quiet(self.settings.start_quiet), Due::StartAgain),
            Stand::Unfinished(_, Unfinished::EnPassant { .. }) => {
                if !self.hinted {
                    add(
                        self.stand_since + self.settings.unexplained_after,
                        Due::EnPassantHint,
                    );
                }
            }
            Stand::Unfinished(..) => self.claim_due(add),
            Stand::Mismatch(_) => {
                self.lost_due(add);
                // In a position taken over the man may have been in a hand.
                if self.mismatch.is_none() && !self.misread && !self.fresh() {
                    add(quiet(self.settings.mismatch_after), Due::Misread);
                }
            }
            Stand::Forbidden(_) => {
                // Nobody is accused of what two legal moves explain.
                if self.searched {
                    self.claim_due(add);
                } else {
                    add(quiet(dwell), Due::Search);
                }
                self.unexplained_due(add);
                self.lost_due(add);
            }
            Stand::Unknown(_) => {
                if !self.searched {
                    add(quiet(dwell), Due::Search);
                }
                self.unexplained_due(add);
                self.lost_due(add);
            }
        }
    }

    fn unexplained_due(&self, add: &mut impl FnMut(Mono, Due)) {
        if self.unexplained || self.claim.is_some() || self.over.is_some() {
            return;
        }
        let late = self.left_rest + self.settings.unexplained_after;
        add(late.max(self.last_change + STILL), Due::Unexplained);
    }

    /// A forbidden move is complete when its maker pressed the clock, or, where no clock tells of
    /// presses, when it is left standing.
    fn claim_due(&self, add: &mut impl FnMut(Mono, Due)) {
        // Nobody is accused by a position that no move has borne out.
        let Some(forbidden) = self.claimable().filter(|_| !self.fresh()) else {
            return;
        };
        let known = self.claim.is_some();
        if known && self.claim == self.seen {
            return;
        }
        // A man that is not read yet makes a move look like another.
        let unread = self.log.unread_until().unwrap_or(Mono::ZERO);
        if let Some(pressed) = self.pressed_since_left(forbidden.mover) {
            let hold = self.settings.dwell.max(SURE);
            let sure = pressed.max(self.last_change) + hold;
            add(sure.max(unread), Due::Claim);
        } else if !known
            && !forbidden.needs_press
            && !self.pressed_in_game
            && !matches!(self.clock, ClockState::Stopped(_))
        {
            let sure = self.last_change + self.settings.illegal_after;
            add(sure.max(unread), Due::Claim);
        }
    }

    fn claimable(&self) -> Option<Forbidden> {
        match &self.stand {
            Stand::Forbidden(forbidden) => {
                let seen = self.seen.as_ref()?;
                let before = self.position().board();
                let king = before.king_of(forbidden.mover);
                // A king lifted to the centre is on its way to show a result.
                let shows = before.role_at(forbidden.from) == Some(Role::King)
                    && CENTRE.contains(forbidden.to)
                    && king_in_centre(seen, forbidden.mover, king)
                    && forbidden.reasons.contains(&IllegalReason::PieceMovement);
                (!shows).then(|| forbidden.clone())
            }
            Stand::Unfinished(Origin::Line(plies), Unfinished::Promotion { mv, square })
                if *plies == self.line.len() =>
            {
                Some(Forbidden {
                    mover: self.position().turn(),
                    from: mv.from()?,
                    to: *square,
                    reasons: vec![IllegalReason::PawnNotPromoted],
                    needs_press: true,
                })
            }
            _ => None,
        }
    }

    pub(super) fn fire(&mut self, due: Due) {
        match due {
            Due::Settle(id) => self.settle(id),
            Due::Withdraw(plies) => {
                self.withdraw(plies);
                self.advance();
            }
            Due::Search => self.search(),
            Due::Kings => self.tell_kings(),
            Due::KingsBack => self.withdraw_kings(),
            Due::Claim => self.tell_claim(),
            Due::Unexplained => {
                self.unexplained = true;
                self.complained_at = self.now;
                self.distrust();
                self.events.push_back(TrackEvent::Unexplained {
                    expected: self.position().board().to_string(),
                    seen: self
                        .seen
                        .as_ref()
                        .map(ToString::to_string)
                        .unwrap_or_default(),
                    ambiguous: self.ambiguous,
                    presses: self.unmatched,
                    since: self.left_rest,
                });
            }
            Due::EnPassantHint => {
                self.hinted = true;
                if let Stand::Unfinished(_, Unfinished::EnPassant { victim, .. }) = self.stand {
                    let remove = victim.to_string();
                    self.events
                        .push_back(TrackEvent::Note(Note::EnPassantUnfinished { remove }));
                }
            }
            Due::Resolve => {
                if !self.distrust() {
                    self.understood(true);
                }
            }
            Due::SetUp => self.tell_set_up(),
            Due::WrongSetUp => self.tell_wrong_set_up(),
            Due::StartAgain => self.tell_start_again(),
            Due::Misread => self.take_for_misread(),
            Due::Resync => self.resync(),
            Due::PressedLine => {
                self.line_asked = true;
                self.find_pressed_line();
            }
            Due::TakeOver => {
                if self.blind.is_some() || !self.find_pressed_line() {
                    self.take_over();
                }
            }
            Due::CloseGap => self.close_gap(),
            Due::PressAlone => {
                if let Some(press) = self.press.take()
                    && press.mover == self.position().turn()
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
        // Who is to move there is not borne out yet, and so the order would be a guess.
        if self.fresh() {
            return;
        }
        let Some(seen) = self.seen.clone() else {
            return;
        };
        let played = self.line.len();
        let presses = Presses {
            heard: self.pressed_in_game,
            unmatched: usize::from(self.unmatched),
        };
        let doubted = self.doubted(&seen).is_some();
        let mut found = (played, Lines::None);
        if !doubted {
            found.1 = lines(self.position(), &seen, &self.log, presses, self.now);
        }
        if found.1 == Lines::None && played > 0 {
            // The last move may have been carried on while the opponent replied.
            let last = self.line[played - 1].mv;
            let instead = lines(
                &self.positions[played - 1],
                &seen,
                &self.log,
                Presses {
                    unmatched: presses.unmatched + 1,
                    ..presses
                },
                self.now,
            );
            // What is in doubt is made good by the one line that the presses allow.
            if let Lines::One { line, seen } = &instead
                && (*seen || (doubted && presses.unmatched >= line.len()))
                && line[0].from() == last.from()
                && line[0] != last
            {
                found = (played - 1, instead);
            }
        }
        let (base, mut answer) = found;
        // Out of order, a man that moves twice was carried on before the reply, not after it.
        if let Lines::One { line, seen: false } = &answer
            && line.iter().enumerate().skip(1).any(|(ply, mv)| {
                mv.from().is_some_and(|from| match ply.checked_sub(2) {
                    Some(earlier) => line[earlier].to() == from,
                    None => self.is_last_moved(from),
                })
            })
        {
            answer = Lines::None;
        }
        match answer {
            Lines::None => {}
            Lines::Many => self.ambiguous = true,
            Lines::One {
                line,
                seen: borne_out,
            } => {
                let plies = line.len();
                if let Some(id) = self.add_line(base, line, !borne_out) {
                    let mover = self.nodes[id].mover();
                    if presses.unmatched >= plies && self.pressed_last == Some(mover) {
                        for step in self.nodes.chain(id) {
                            self.nodes[step].pressed = true;
                        }
                    }
                    self.stand = Stand::Node(id);
                    self.shown(id, &Stand::None);
                }
            }
        }
    }

    /// Keeps a line that starts after so many settled moves, and answers with its last node.
    pub(super) fn add_line(
        &mut self,
        base: usize,
        line: Vec<Move>,
        inferred: bool,
    ) -> Option<usize> {
        let mut origin = Origin::Line(base);
        let mut after = self.position_at(origin).clone();
        let mut last = None;
        let of_line = line.len() > 1;
        for mv in line {
            after.play_unchecked(mv);
            let known = self.nodes.find(origin, mv);
            let id = known.unwrap_or_else(|| {
                self.nodes.add(Node {
                    origin,
                    mv,
                    after: after.clone(),
                    exact_at: None,
                    at: self.last_change,
                    pressed: false,
                    inferred,
                    of_line,
                })
            });
            self.nodes[id].of_line |= of_line;
            origin = Origin::Node(id);
            last = Some(id);
        }
        last
    }

    /// The players have gone on, as the clock tells, and now nobody's hand is at the board: the one line of
    /// as many moves as presses that leads to what stands there.
    pub(super) fn find_pressed_line(&mut self) -> bool {
        let presses = usize::from(self.unmatched);
        if !(1..=FURTHEST).contains(&presses) || self.fresh() {
            return false;
        }
        let Some(seen) = self.seen.clone() else {
            return false;
        };
        // The press for a move in doubt counts for what became of it.
        let base = self.line.len() - usize::from(self.doubted(&seen).is_some());
        let mut answer = pressed_line(&self.positions[base], &seen, &self.log, presses, self.now);
        if answer == Lines::None
            && let Some(corrected) = self.mismatch.and_then(|it| it.corrected(&seen))
        {
            answer = pressed_line(
                &self.positions[base],
                &corrected,
                &self.log,
                presses,
                self.now,
            );
        }
        let Lines::One { line, .. } = answer else {
            return false;
        };
        // Whoever was answered has pressed; of the last move the lever tells.
        let last_pressed = line.len() == presses;
        let Some(id) = self.add_line(base, line, true) else {
            return false;
        };
        for step in self.nodes.chain(id) {
            self.nodes[step].pressed = step != id || last_pressed;
        }
        self.stand = Stand::Node(id);
        self.settle(id);
        true
    }

    fn tell_claim(&mut self) {
        let Some(mut forbidden) = self.claimable() else {
            return;
        };
        let pressed = self.pressed_since_left(forbidden.mover).is_some();
        self.press = None;
        if self.promoted_to_rook(forbidden.from)
            && forbidden.reasons.contains(&IllegalReason::PieceMovement)
        {
            forbidden.reasons.push(IllegalReason::PromotedRookAsQueen);
        }
        self.claim.clone_from(&self.seen);
        self.claimed_by = Some(forbidden.mover);
        self.events.push_back(TrackEvent::Illegal {
            ply: self.plies() + 1,
            before: fen_of(self.position()),
            placement: self
                .seen
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default(),
            mover: forbidden.mover,
            offending: format!("{}{}", forbidden.from, forbidden.to),
            reasons: forbidden.reasons,
            pressed,
        });
    }

    /// The man on `square` is a rook that a pawn became.
    fn promoted_to_rook(&self, square: shakmaty::Square) -> bool {
        let mut at = square;
        for settled in self.line.iter().rev() {
            if settled.mv.to() == at {
                if let Some(role) = settled.mv.promotion() {
                    return role == Role::Rook;
                }
                if let Some(from) = settled.mv.from() {
                    at = from;
                }
            }
        }
        false
    }
}
