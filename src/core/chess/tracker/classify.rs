//! What a placement is, given the record and the moves that the board has shown.

use shakmaty::{Bitboard, Chess, Move, Piece, Position, Square};

use super::{
    ClockState, TrackStatus, Tracker,
    explain::{Fit, Forbidden, Unfinished, fitting_move, forbidden_move, landing, unfinished_move},
    node::{Node, Origin},
    phase::Phase,
    search::{DEPTH, may_be_longer},
};
use crate::{
    chess::{
        placement::{difference, letter, missing_only},
        result::{Outcome, shown_by_kings},
    },
    types::Placement,
};

/// How far back a returned position is looked for.
const BACK: usize = 8;
/// Men off the board that still look like hands at work.
const HANDS: usize = 2;

/// What stands on the board.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stand {
    /// Nothing to judge: no placement, or not in play.
    None,
    /// The position of the record.
    Rest,
    /// A complete move that is not settled.
    Node(usize),
    /// Men are off the board; with `node` the opponent of a complete move has lifted them.
    Hand {
        node: Option<usize>,
        squares: Bitboard,
    },
    /// A legal move without its last step.
    Unfinished(Origin, Unfinished),
    /// An earlier position: this many moves would remain.
    Back(usize),
    /// The position before moves that were thought missing.
    BeforeGap,
    /// The start position after moves were played.
    Start,
    /// Both kings in the centre.
    Kings(Outcome),
    /// One square reads otherwise than it must.
    Mismatch(Mismatch),
    /// One side acted against the rules.
    Forbidden(Forbidden),
    /// None of these; how many squares differ.
    Unknown(usize),
}

/// A square that reads otherwise than it must.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mismatch {
    pub(super) square: Square,
    pub(super) expected: Option<Piece>,
    pub(super) seen: Option<Piece>,
    /// The arbiter knows.
    pub(super) told: bool,
}

impl Mismatch {
    pub(super) fn between(expected: &Placement, seen: &Placement) -> Option<Self> {
        let square = difference(expected, seen).single_square()?;
        Some(Self {
            square,
            expected: expected.piece_at(square),
            seen: seen.piece_at(square),
            told: false,
        })
    }

    /// What would stand there if the square read right.
    pub(super) fn corrected(self, seen: &Placement) -> Option<Placement> {
        (seen.piece_at(self.square) == self.seen).then(|| {
            let mut board = seen.clone();
            match self.expected {
                Some(piece) => board.set_piece_at(self.square, piece),
                None => board.discard_piece_at(self.square),
            }
            board
        })
    }
}

impl Tracker {
    /// Judges the placement on the board and keeps the moves that it shows.
    pub(super) fn classify(&mut self, seen: &Placement) -> Stand {
        if let Some(stand) = self.explained(seen, false) {
            return stand;
        }
        let corrected = self.mismatch.and_then(|mismatch| mismatch.corrected(seen));
        if let Some(view) = corrected {
            let lifted = missing_only(self.position().board(), seen).filter(|m| m.count() <= HANDS);
            if let Some(squares) = lifted {
                return Stand::Hand {
                    node: None,
                    squares,
                };
            }
            if let Some(stand) = self.explained(&view, true) {
                return stand;
            }
            return self.unexplained_stand(&view);
        }
        self.unexplained_stand(seen)
    }

    fn explained(&mut self, view: &Placement, inferred: bool) -> Option<Stand> {
        if let Some(outcome) = shown_by_kings(view) {
            return Some(Stand::Kings(outcome));
        }
        if view == self.position().board() {
            return Some(match self.mismatch {
                Some(mismatch) if inferred => Stand::Mismatch(mismatch),
                _ => Stand::Rest,
            });
        }
        let doubted = self.doubted(view).is_some();
        let stands = |id: usize| !doubted || self.nodes.base(id) < self.line.len();
        let exact = self
            .nodes
            .newest_first()
            .find(|&id| self.nodes[id].after.board() == view && stands(id));
        let longer =
            |&id: &usize| self.may_be_longer(view, self.nodes[id].origin, self.nodes[id].mv);
        if let Some(id) = exact.filter(|id| !longer(id)) {
            let now = self.now;
            self.nodes[id].exact_at.get_or_insert(now);
            // A reply that was put back is no reply.
            let ids = self.nodes.undo_after(id);
            return Some(Stand::Node(ids[id].unwrap_or(id)));
        }
        if let Some(stand) = self.shown_move(view, inferred) {
            return Some(stand);
        }
        if self.is_set_up(view) && self.start_means_over(view) {
            return Some(Stand::Start);
        }
        if self.before_gap(view).is_some() {
            return Some(Stand::BeforeGap);
        }
        let played = self.line.len();
        (played.saturating_sub(BACK)..played)
            .rev()
            .find(|&plies| self.positions[plies].board() == view)
            .map(Stand::Back)
    }

    /// A move that leads to the placement from a node, from the record, or instead of its last move.
    fn shown_move(&mut self, view: &Placement, inferred: bool) -> Option<Stand> {
        let mut loose: Option<(Origin, Fit)> = None;
        let doubted = self.doubted(view).is_some();
        for origin in self.origins() {
            if doubted && self.plies_before(origin) == self.line.len() {
                continue;
            }
            let Some(fit) = fitting_move(self.position_at(origin), view) else {
                continue;
            };
            let next = self.position_at(origin).turn().other();
            let unread = |square| self.log.is_put_down(square, next);
            if self.pressed_for_more(origin)
                || fit.in_hand.into_iter().any(unread)
                || self.may_be_longer(view, origin, fit.mv)
            {
                continue;
            }
            if fit.in_hand.is_empty() {
                loose = Some((origin, fit));
                break;
            }
            let repeats_last = matches!(origin, Origin::Line(plies)
                if self.line.get(plies).is_some_and(|last| last.mv == fit.mv));
            if loose.is_none() && !repeats_last && !self.lifts_what_it_answers(origin, &fit) {
                loose = Some((origin, fit));
            }
        }
        let (origin, Fit { mv, after, in_hand }) = loose?;
        let exact = in_hand.is_empty();
        let now = self.now;
        let id = self.nodes.find(origin, mv).unwrap_or_else(|| {
            self.nodes.add(Node {
                origin,
                mv,
                after,
                exact_at: exact.then_some(now),
                at: now,
                pressed: false,
                inferred,
                of_line: false,
            })
        });
        if exact {
            self.nodes[id].exact_at.get_or_insert(now);
            Some(Stand::Node(id))
        } else {
            Some(Stand::Hand {
                node: Some(id),
                squares: in_hand,
            })
        }
    }

    /// The clock tells of more moves than one from there and those before it. One press may still be that
    /// of the last move of the record, and who has moved last may not have pressed yet.
    fn pressed_for_more(&self, origin: Origin) -> bool {
        // A move that was pressed is not carried on once the opponent has pressed too.
        let instead = match origin {
            Origin::Line(plies) => self.line.get(plies),
            Origin::Node(_) => None,
        };
        if instead.is_some_and(|replaced| replaced.pressed.is_some()) {
            return self.unmatched > 0;
        }
        let plies = match origin {
            Origin::Line(_) => 1,
            Origin::Node(id) => self.nodes.chain(id).len() + 1,
        };
        let mover = self.position_at(origin).turn();
        let told = plies + usize::from(self.pressed_last == Some(mover));
        usize::from(self.unmatched) > told
    }

    /// The clock tells of no fewer moves than these, and a man arrived out of order: it may have moved twice.
    fn may_be_longer(&self, view: &Placement, origin: Origin, mv: Move) -> bool {
        let Origin::Node(id) = origin else {
            return false;
        };
        let chain = self.nodes.chain(id);
        let moves = chain.into_iter().map(|step| self.nodes[step].mv);
        let line: Vec<Move> = moves.chain([mv]).collect();
        let root = &self.positions[self.nodes.base(id)];
        // Longer lines are left to the presses.
        line.len() < DEPTH
            && usize::from(self.unmatched) >= line.len()
            && may_be_longer(root, view, &self.log, &line)
    }

    /// The reply was put down while the man that it answers was in a hand again: that man may be carried on
    /// to where it is not read yet.
    fn lifts_what_it_answers(&self, origin: Origin, fit: &Fit) -> bool {
        let seen_whole = self
            .nodes
            .find(origin, fit.mv)
            .is_some_and(|id| self.nodes[id].exact_at.is_some());
        let (mv, borne_out) = match origin {
            Origin::Node(id) => (self.nodes[id].mv, self.nodes[id].pressed),
            Origin::Line(plies) => match plies.checked_sub(1).map(|last| self.line[last]) {
                Some(last) => (last.mv, last.pressed.is_some()),
                None => return false,
            },
        };
        let us = self.position_at(origin).turn().other();
        let answered = landing(mv, us);
        // Whose opponent is at it may be lifting for his next move.
        let before = fit
            .mv
            .from()
            .is_some_and(|from| self.log.left_first(answered, from));
        self.pressed_in_game
            && !seen_whole
            && !borne_out
            && fit.in_hand.contains(answered)
            && before
    }

    /// Where a move may start: newest first, the record's last move may be replaced.
    fn origins(&self) -> Vec<Origin> {
        let played = self.line.len();
        let mut origins: Vec<_> = self.nodes.newest_first().map(Origin::Node).collect();
        origins.push(Origin::Line(played));
        if played > 0 {
            origins.push(Origin::Line(played - 1));
        }
        origins
    }

    /// How many settled moves lie before what starts there.
    fn plies_before(&self, origin: Origin) -> usize {
        match origin {
            Origin::Line(plies) => plies,
            Origin::Node(id) => self.nodes.base(id),
        }
    }

    pub(super) fn position_at(&self, origin: Origin) -> &Chess {
        match origin {
            Origin::Line(plies) => &self.positions[plies],
            Origin::Node(id) => &self.nodes[id].after,
        }
    }

    /// Players reset within the first moves: the same game begins again. Later the game is over.
    fn start_means_over(&self, view: &Placement) -> bool {
        let played = self.made.len();
        let own_start = self.positions[0].board() == view;
        !own_start || played >= 4 || (played >= 2 && self.clock != ClockState::Unknown)
    }

    fn unexplained_stand(&self, view: &Placement) -> Stand {
        let tip = self.position();
        let hand = |board: &Placement| {
            missing_only(board, view).filter(|squares| squares.count() <= HANDS)
        };
        let in_hand = hand(tip.board()).or_else(|| {
            self.nodes
                .newest_first()
                .find_map(|id| hand(self.nodes[id].after.board()))
        });
        if let Some(squares) = in_hand {
            return Stand::Hand {
                node: None,
                squares,
            };
        }
        if self.doubted(view).is_some() {
            return Stand::Unknown(difference(tip.board(), view).count());
        }
        let unfinished = self.origins().into_iter().rev().find_map(|origin| {
            let what = unfinished_move(self.position_at(origin), view)?;
            Some(Stand::Unfinished(origin, what))
        });
        if let Some(stand) = unfinished {
            return stand;
        }
        if let Some(mismatch) = Mismatch::between(tip.board(), view) {
            return Stand::Mismatch(mismatch);
        }
        let differing = difference(tip.board(), view).count();
        match forbidden_move(tip, view, self.mode()) {
            // The man that has just moved is being moved on: no second move of the same side.
            Some(forbidden) if !self.is_last_moved(forbidden.from) => Stand::Forbidden(forbidden),
            _ => Stand::Unknown(differing),
        }
    }

    pub(super) fn is_last_moved(&self, from: Square) -> bool {
        self.line
            .last()
            .is_some_and(|last| landing(last.mv, self.position().turn().other()) == from)
    }

    /// The unsettled moves that stand on the board now, oldest first.
    pub(super) fn standing_chain(&self) -> Vec<usize> {
        match self.stand {
            Stand::Node(id) | Stand::Hand { node: Some(id), .. } => self.nodes.chain(id),
            _ => Vec::new(),
        }
    }

    pub(super) fn describe(&self) -> TrackStatus {
        let names = |squares: Bitboard| squares.into_iter().map(|s| s.to_string()).collect();
        let uci = |mv: Move| self.uci_of(mv).to_string();
        if self.seen.is_none() {
            return TrackStatus::NoBoard;
        }
        match (&self.phase, &self.stand) {
            (Phase::Waiting { .. }, _) => TrackStatus::Waiting,
            (Phase::Closed { .. }, _) => TrackStatus::Closed,
            (_, Stand::None | Stand::Rest) => TrackStatus::AtRest,
            (_, Stand::Node(_)) => TrackStatus::Provisional {
                moves: self
                    .standing_chain()
                    .iter()
                    .map(|&id| uci(self.nodes[id].mv))
                    .collect(),
            },
            (_, Stand::Hand { squares, .. }) => TrackStatus::InHand {
                squares: names(*squares),
            },
            (_, Stand::Unfinished(_, unfinished)) => {
                let (Unfinished::EnPassant { mv, .. }
                | Unfinished::Promotion { mv, .. }
                | Unfinished::Castling { mv, .. }) = *unfinished;
                TrackStatus::Unfinished { uci: uci(mv) }
            }
            (_, Stand::Back(plies)) => TrackStatus::TakenBack {
                plies: u16::try_from(self.base() + *plies).unwrap_or(u16::MAX),
            },
            (_, Stand::BeforeGap) => TrackStatus::TakenBack {
                plies: self.plies(),
            },
            (_, Stand::Start) => TrackStatus::StartAgain,
            (_, Stand::Kings(outcome)) => TrackStatus::KingsShow { outcome: *outcome },
            (_, Stand::Mismatch(mismatch)) => TrackStatus::Mismatch {
                square: mismatch.square.to_string(),
                expected: letter(mismatch.expected),
                seen: letter(mismatch.seen),
            },
            (_, Stand::Forbidden(forbidden)) => TrackStatus::Illegal {
                offending: format!("{}{}", forbidden.from, forbidden.to),
                reasons: forbidden.reasons.clone(),
            },
            (_, Stand::Unknown(squares)) => TrackStatus::Disturbed {
                squares: u8::try_from(*squares).unwrap_or(u8::MAX),
            },
        }
    }
}
