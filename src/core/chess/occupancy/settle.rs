//! When a shown move is made, and what of it is common to all readings.

use std::time::Duration;

use shakmaty::{Bitboard, CastlingSide, Move, Position, Role};

use super::{
    OccupancyTracker,
    branch::{Branch, Shown, Stand, Step},
    record::uci_of,
};
use crate::{
    chess::{Note, TrackEvent, placement::CENTRE, result::repetitions},
    types::Mono,
};

/// A capture that nobody saw is believed so long after the press at the earliest.
const SURE: Duration = Duration::from_millis(600);
/// A man that slides on is seen on a square, or on two, for less than this.
pub(super) const STOOD: Duration = Duration::from_millis(150);
/// More readings than this are none.
const READINGS: usize = 48;

/// More lines than this out of sight are no explanation.
pub(super) const MOST_LINES: usize = 8;

/// A shown line: its reading and its place there.
pub(super) type Place = (usize, usize);

impl OccupancyTracker {
    pub(super) fn shown(&self, place: Place) -> &Shown {
        &self.branches[place.0].shown[place.1]
    }

    /// The lines that explain the board with the least that must be assumed.
    pub(super) fn best(&self) -> Vec<Place> {
        let mut all: Vec<Place> = Vec::new();
        for (b, branch) in self.branches.iter().enumerate() {
            all.extend(branch.fitting().iter().map(|&id| (b, id)));
        }
        let least = all.iter().map(|&place| self.cost(place)).min();
        all.retain(|&place| Some(self.cost(place)) == least);
        all
    }

    pub(super) fn cost(&self, place: Place) -> usize {
        self.branches[place.0].cost(place.1)
    }

    /// The lines of which a reply has been put down with nothing in a hand, up to the move that it answers:
    /// that is made. Only a king's step to the centre waits, for the other king may be on its way there
    /// too.
    pub(super) fn answered(&self) -> Vec<(usize, usize, usize)> {
        let best = self.best();
        let answered: Vec<_> = best
            .iter()
            .filter_map(|&place| {
                let shown = self.shown(place);
                let len = shown.steps.len();
                let clear = shown.hand.is_empty() && !shown.unseen[len - 1];
                let upto = self.before_kings(place, len - 1);
                let clear = clear && !self.clock_stopped_before(shown.steps[0].at);
                (clear && upto > 0).then_some((place.0, place.1, upto))
            })
            .collect();
        if answered.len() == best.len() {
            answered
        } else {
            Vec::new()
        }
    }

    /// So many of the first `upto` moves as do not end with a king's step to the centre.
    fn before_kings(&self, place: Place, upto: usize) -> usize {
        let mut upto = upto;
        while upto > 0 && self.is_king_to_centre(place, upto - 1) {
            upto -= 1;
        }
        upto
    }

    /// How many moves all these lines of a reading begin with, when they do not end there: what follows is
    /// open. 0 when a hand may be about to go on with the last of them.
    fn begun(&self, places: &[Place]) -> usize {
        let Some((&first, others)) = places.split_first() else {
            return 0;
        };
        let shown = self.shown(first);
        let alike = |at: usize| {
            others.iter().all(|&place| {
                let other = self.shown(place);
                other.instead == shown.instead
                    && other
                        .steps
                        .get(at)
                        .is_some_and(|it| it.mv == shown.steps[at].mv)
            })
        };
        let common = (0..shown.steps.len()).take_while(|&at| alike(at)).count();
        let known = (0..common)
            .take_while(|&at| !shown.unseen[at] || shown.steps[at].pressed)
            .count();
        let upto = self.before_kings(first, known);
        let may_go_on = |&place: &Place| {
            let line = self.shown(place);
            line.steps.len() == upto && line.hand.any() && self.may_still_take(place)
        };
        let certain = self.cost(first) <= 1;
        if upto == 0 || !certain || places.iter().any(may_go_on) {
            return 0;
        }
        upto
    }

    /// The first moves of these lines have stood on the board for a while.
    fn has_stood(&self, places: &[Place], upto: usize) -> bool {
        places.iter().all(|&(b, id)| {
            let begins = self.branches[b].begins(id, upto);
            begins.is_some_and(|line| line.stood)
        })
    }

    /// A picture has just been judged: what does it say of the move before? When it has stood there for a
    /// while and the game goes on from it, it is made.
    pub(super) fn judge_shown(&mut self) {
        let best = self.best();
        let upto = self.begun(&best);
        if upto == 0 || self.refused {
            return;
        }
        let goes_on = best.iter().all(|&place| {
            let line = self.shown(place);
            line.steps.len() > upto || line.hand.any()
        });
        let stopped = self.clock_stopped_before(self.shown(best[0]).steps[upto - 1].at);
        if goes_on && !stopped && self.has_stood(&best, upto) {
            self.settle_first(&best, upto);
        }
    }

    /// The first so many moves of these lines are made.
    pub(super) fn settle_first(&mut self, places: &[Place], upto: usize) {
        let all: Vec<_> = places
            .iter()
            .map(|&place| (place.0, place.1, upto))
            .collect();
        self.settle(&all);
    }

    pub(super) fn settle_all(&mut self, places: &[Place]) {
        let all: Vec<_> = places
            .iter()
            .map(|&place| (place.0, place.1, self.shown(place).steps.len()))
            .collect();
        self.settle(&all);
    }

    /// How long the board must be quiet before these lines are made, and how many of their moves then;
    /// `None`: not by time.
    pub(super) fn hold(&self, places: &[Place]) -> Option<(Duration, Option<usize>)> {
        let clean = places
            .iter()
            .all(|&place| self.shown(place).hand.is_empty());
        let mut longest = Duration::ZERO;
        let all = places.iter().all(|&place| {
            let hold = self.hold_of(place);
            longest = longest.max(hold.unwrap_or_default());
            hold.is_some()
        });
        if places.is_empty() {
            None
        } else if clean && all {
            Some((longest, None))
        } else {
            let upto = self.begun(places);
            let stopped = |&place: &Place| {
                upto > 0 && self.clock_stopped_before(self.shown(place).steps[upto - 1].at)
            };
            let held = upto == 0 || places.iter().any(stopped);
            let stood = upto > 0 && self.has_stood(places, upto);
            let hold = if stood { STOOD } else { self.settings.dwell };
            (!held).then_some((hold, Some(upto)))
        }
    }

    fn hold_of(&self, place: Place) -> Option<Duration> {
        let shown = self.shown(place);
        let at = shown.steps.len() - 1;
        let last = shown.last();
        let dwell = self.settings.dwell;
        if shown.doubts() > 0 {
            // A man that is not there may be in a hand for ten minutes.
            return None;
        }
        if last.pressed {
            let sure = shown.unseen.iter().all(|unseen| !unseen);
            return Some(if sure {
                Duration::ZERO
            } else {
                SURE.max(dwell)
            });
        }
        if self.ends_game(place) {
            return Some(dwell);
        }
        if self.is_king_to_centre(place, at) || self.clock_stopped_before(last.at) {
            return None;
        }
        if self.may_become_castling(place) {
            return Some(self.settings.castling_hold);
        }
        // The victim may be back on its square and the man still in the hand.
        if last.mv.is_capture() {
            return Some(dwell * if self.pressed_in_game { 3 } else { 2 });
        }
        // A knight cannot go further along its line.
        Some(if last.mv.role() == Role::Knight {
            dwell / 2
        } else {
            dwell
        })
    }

    fn ends_game(&self, place: Place) -> bool {
        let shown = self.shown(place);
        let after = shown.after();
        let last = shown.last().mv;
        after.is_checkmate()
            || after.is_stalemate()
            || (last.is_capture() && after.is_insufficient_material())
    }

    /// A king's move to a centre square may be the first half of a result (never one that was answered).
    pub(super) fn is_king_to_centre(&self, place: Place, step: usize) -> bool {
        let shown = self.shown(place);
        let Step { mv, pressed, .. } = shown.steps[step];
        let after = &shown.positions[step];
        let ends = after.is_checkmate()
            || after.is_stalemate()
            || (mv.is_capture() && after.is_insufficient_material());
        mv.role() == Role::King && !mv.is_castle() && CENTRE.contains(mv.to()) && !pressed && !ends
    }

    fn before_last(&self, place: Place) -> Option<&shakmaty::Chess> {
        let branch = &self.branches[place.0];
        let shown = self.shown(place);
        match shown.steps.len() {
            1 if shown.instead => branch.prior().map(|(position, _)| position),
            1 => Some(branch.tip()),
            more => Some(&shown.positions[more - 2]),
        }
    }

    /// The rook stands where castling would put it, and castling is still possible.
    fn may_become_castling(&self, place: Place) -> bool {
        let mv = self.shown(place).last().mv;
        let Some(before) = self.before_last(place) else {
            return false;
        };
        mv.role() == Role::Rook
            && CastlingSide::ALL.into_iter().any(|side| {
                side.rook_to(before.turn()) == mv.to()
                    && before.castling_moves(side).into_iter().any(
                        |castling| matches!(castling, Move::Castle { rook, .. } if Some(rook) == mv.from()),
                    )
            })
    }

    /// The moving man could go on and take one of the lifted men.
    fn may_still_take(&self, place: Place) -> bool {
        let shown = self.shown(place);
        let Some(before) = self.before_last(place) else {
            return false;
        };
        before.legal_moves().into_iter().any(|mv| {
            mv.from() == shown.last().mv.from()
                && mv.is_capture()
                && (shown.hand.contains(mv.to()) || mv.is_en_passant())
        })
    }

    /// Takes the first so many moves of these lines for made. Readings that show nothing of the kind end
    /// here.
    pub(super) fn settle(&mut self, chosen: &[(usize, usize, usize)]) {
        let replaces = |&(b, id, _): &(usize, usize, usize)| {
            self.branches[b].moves.is_empty() && self.branches[b].shown[id].instead
        };
        let replacing = chosen.iter().all(replaces);
        if !replacing && chosen.iter().any(replaces) {
            // Some say that the last move was another one: that is for later moves to tell.
            self.refused = true;
            return;
        }
        let mut next: Vec<Branch> = Vec::new();
        for &(b, id, upto) in chosen {
            let made = self.branches[b].made(id, upto);
            let same = |other: &&mut Branch| {
                other.turned == made.turned
                    && other.moves.len() == made.moves.len()
                    && other
                        .moves
                        .iter()
                        .zip(&made.moves)
                        .all(|(a, b)| a.mv == b.mv)
            };
            match next.iter_mut().find(same) {
                // Lines that begin alike: what they show beyond that is kept of all.
                Some(known) => known.join(made),
                None => next.push(made),
            }
        }
        if next.is_empty() || next.len() > READINGS {
            self.ambiguous = true;
            self.refused = true;
            return;
        }
        let before = self.branches.iter().flat_map(|branch| &branch.shown);
        self.rook_moves = before
            .filter(|shown| shown.steps.len() == 1 && shown.last().mv.role() == Role::Rook)
            .map(|shown| uci_of(shown.last().mv))
            .collect();
        self.understood(false);
        self.tell_set_up();
        self.unmatched = 0;
        self.searched = false;
        let gone = if replacing {
            let plies = self.record.line.len().saturating_sub(1);
            self.cut(plies)
        } else {
            Vec::new()
        };
        self.branches = next;
        self.commit(gone);
    }

    /// Records what all readings have in common. `gone` are moves that were taken out for it.
    pub(super) fn commit(&mut self, gone: Vec<String>) {
        let mut gone = Some(gone).filter(|gone| !gone.is_empty());
        let first = self.branches[0].clone();
        let alike = |at: usize, step: &Step| {
            self.branches.iter().all(|branch| {
                branch.turned == first.turned
                    && branch
                        .moves
                        .get(at)
                        .is_some_and(|other| other.mv == step.mv)
            })
        };
        let common = first
            .moves
            .iter()
            .enumerate()
            .take_while(|(at, step)| alike(*at, step))
            .count();
        if common > 0 && self.turned.is_none() {
            self.turned = Some(first.turned);
            self.events.push_back(TrackEvent::SetUp {
                turned: first.turned,
            });
        }
        for at in 0..common {
            let mut step = first.moves[at];
            step.pressed = self.branches.iter().all(|branch| branch.moves[at].pressed);
            step.inferred = self.branches.iter().any(|branch| branch.moves[at].inferred);
            let rook_first = step.mv.is_castle() && self.rook_came_first(gone.as_deref(), step.mv);
            let made = self.record.append(step, self.now);
            let ply = made.ply;
            self.events.push_back(match gone.take() {
                Some(moves) => TrackEvent::Withdrawn {
                    from_ply: ply,
                    moves,
                    replaced_by: Some(made),
                },
                None => TrackEvent::Move(made),
            });
            if rook_first {
                self.events
                    .push_back(TrackEvent::Note(Note::CastledRookFirst { ply }));
            }
            self.tell_end();
        }
        if let Some(moves) = gone {
            self.events.push_back(TrackEvent::Withdrawn {
                from_ply: self.record.plies() + 1,
                moves,
                replaced_by: None,
            });
        }
        let previous = self.record.previous();
        let pressed = self.record.line.last().is_some_and(|last| last.pressed);
        for branch in &mut self.branches {
            branch.moves.drain(..common);
            branch.positions.drain(..common);
            if branch.moves.is_empty() {
                branch.previous.clone_from(&previous);
                branch.previous_pressed = pressed;
            }
        }
        self.review_question();
    }

    /// The rook was told to have moved to its castling square before the king came.
    fn rook_came_first(&self, gone: Option<&[String]>, castling: Move) -> bool {
        let us = self.record.tip().turn();
        let (Some(side), Move::Castle { rook, .. }) = (castling.castling_side(), castling) else {
            return false;
        };
        let as_rook = format!("{rook}{}", side.rook_to(us));
        let told = gone.is_some_and(|gone| gone.first() == Some(&as_rook));
        told || self.rook_moves.contains(&as_rook)
    }

    /// Removes every move of the record's stretch after the first `plies`.
    pub(super) fn cut(&mut self, plies: usize) -> Vec<String> {
        let kept = self.record.base() + plies;
        if self.over.is_some_and(|ply| usize::from(ply) > kept) {
            self.over = None;
        }
        self.record.cut(plies)
    }

    /// Takes back every move after the first `plies` of the record.
    pub(super) fn withdraw(&mut self, plies: usize) {
        self.understood(false);
        let turned = self.branches[0].turned;
        if plies < self.record.line.len() {
            let moves = self.cut(plies);
            self.events.push_back(TrackEvent::Withdrawn {
                from_ply: self.record.plies() + 1,
                moves,
                replaced_by: None,
            });
        }
        self.begin_anew(turned);
    }

    /// One reading only: the record.
    pub(super) fn begin_anew(&mut self, turned: bool) {
        let mut branch = Branch::new(self.record.tip().clone(), turned);
        branch.previous = self.record.previous();
        self.branches = vec![branch];
        self.review_question();
    }

    /// The board is understood again: claims and complaints end.
    pub(super) fn understood(&mut self, restored: bool) {
        if self.claim.is_some() || self.unexplained {
            self.unmatched = 0;
        }
        if self.claim.take().is_some() {
            self.events
                .push_back(TrackEvent::IllegalResolved { restored });
        }
        if std::mem::take(&mut self.unexplained) {
            self.events.push_back(TrackEvent::Explained);
        }
        self.gone_on = false;
        self.lost = None;
        if self.blind.is_none() {
            self.tell_end_found();
        }
    }

    /// The game goes on, and nothing is missing.
    pub(super) fn tell_end_found(&mut self) {
        if std::mem::take(&mut self.end_lost) {
            self.events.push_back(TrackEvent::GapClosed {
                after: self.record.plies(),
            });
        }
    }

    pub(super) fn tell_end(&mut self) {
        let ply = self.record.plies();
        if self.over.is_some() {
            return;
        }
        if let Some((ply, reason, outcome)) = self.record.proved_over() {
            self.over = Some(ply);
            self.events.push_back(TrackEvent::GameOver {
                ply,
                outcome,
                reason,
            });
            return;
        }
        if repetitions(&self.record.positions) == 3 {
            self.events
                .push_back(TrackEvent::Note(Note::Threefold { ply }));
        }
        if self.record.tip().halfmoves() == 100 {
            self.events
                .push_back(TrackEvent::Note(Note::FiftyMoves { ply }));
        }
    }

    /// The squares that differ from the first reading's position: emptied and filled.
    pub(super) fn difference(&self) -> Option<(Bitboard, Bitboard)> {
        let branch = &self.branches[0];
        let seen = branch.view(self.wire?);
        let tip = branch.tip().board().occupied();
        Some((tip & !seen, seen & !tip))
    }

    /// Whether moves made now wait for the clock: it stands, and stood before the move was seen.
    pub(super) fn clock_stopped_before(&self, seen_at: Mono) -> bool {
        matches!(self.clock, super::ClockState::Stopped(at) if at < seen_at)
    }

    pub(super) fn is_rest(&self) -> bool {
        self.branches
            .iter()
            .any(|branch| branch.stand == Stand::Rest)
    }
}
