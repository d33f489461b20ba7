//! When a shown move becomes part of the record, and how it leaves it.

use std::time::Duration;

use shakmaty::{CastlingSide, Chess, Move, Position, Role, Square, san::SanPlus};

use super::{
    MoveMade, Note, Replaced, Settled, TrackEvent, Tracker, classify::Stand, explain::landing,
    node::Origin,
};
use crate::{
    chess::{
        placement::CENTRE,
        result::{BoardEnd, Outcome, proved_end, repetitions},
    },
    types::Mono,
};

/// A press may reach us this long before the placement that it confirms.
const PRESS_LEAD: Duration = Duration::from_millis(1500);
/// How long a move waits that was made while another man of the mover reads as missing.
const INFERRED_HOLD: Duration = Duration::from_secs(10);

/// Whether a king's step is a move beyond doubt: it mates, or takes the last man that could. Asked for each
/// placement, so it goes by the men alone.
pub(super) fn ends_game(mv: Move, after: &Chess) -> bool {
    after.is_checkmate() || (mv.is_capture() && after.is_insufficient_material())
}

impl Tracker {
    /// A node has just been shown: what does that say of the moves before it?
    pub(super) fn shown(&mut self, id: usize, before: &Stand) {
        // A reply has been put down and nothing is in the hand: what it answers is made. Only a king's
        // step to the centre waits for the reply to stand, for the other king may be sliding there too.
        let chain = self.nodes.chain(id);
        let exact = matches!(self.stand, Stand::Node(_));
        let answered = chain[..chain.len() - 1]
            .iter()
            .rev()
            .copied()
            .find(|&made| exact && !self.is_king_to_centre(made));
        if let Some(made) = answered {
            self.settle(made);
            return;
        }
        if let (
            Stand::Hand {
                node: Some(id),
                squares,
            },
            Stand::Node(shown),
        ) = (&self.stand, before)
        {
            let (id, squares) = (*id, *squares);
            // The opponent has lifted a man, unless it is one that the same hand may be about to take.
            if id == *shown
                && !self.is_king_to_centre(id)
                && !self.clock_stopped_before(self.nodes[id].at)
                && !self.may_still_take(id, squares)
            {
                self.settle(id);
            }
        }
    }

    /// How long the board must be quiet before node `id` settles; `None`: not by time.
    pub(super) fn hold(&self, id: usize) -> Option<Duration> {
        let node = &self.nodes[id];
        let dwell = self.settings.dwell;
        if node.pressed {
            return Some(Duration::ZERO);
        }
        // Once the clock stands, a king in the centre shows a result, even where its step would end the game.
        let king = node.mv.role() == Role::King && CENTRE.contains(node.mv.to());
        if king && self.clock_stopped_before(node.at) {
            return None;
        }
        if node.after.is_checkmate() || node.after.is_stalemate() || ends_game(node.mv, &node.after)
        {
            return Some(dwell);
        }
        if self.is_king_to_centre(id) || self.clock_stopped_before(node.at) {
            return None;
        }
        if node.inferred && self.mismatch.is_some_and(|m| m.seen.is_none()) {
            return Some(INFERRED_HOLD);
        }
        if let Stand::Hand { squares, .. } = self.stand {
            let doubtful = self.may_still_take(id, squares);
            return Some(if doubtful { dwell * 3 } else { dwell });
        }
        if self.may_become_castling(id) {
            return Some(self.settings.castling_hold);
        }
        // A knight cannot go further along its line.
        Some(if node.mv.role() == Role::Knight {
            dwell / 2
        } else {
            dwell
        })
    }

    /// A king's move to a centre square may be the first half of a result (never one that was answered).
    pub(super) fn is_king_to_centre(&self, id: usize) -> bool {
        let node = &self.nodes[id];
        node.mv.role() == Role::King
            && !node.mv.is_castle()
            && CENTRE.contains(node.mv.to())
            && !node.pressed
            && !ends_game(node.mv, &node.after)
            && !node.after.is_stalemate()
    }

    /// The rook stands where castling would put it, and castling is still possible; in Chess960 the king may
    /// come first by a step that is a move of its own.
    fn may_become_castling(&self, id: usize) -> bool {
        let node = &self.nodes[id];
        let before = self.position_at(node.origin);
        let us = before.turn();
        let half_of = |side: CastlingSide, king: Square, rook: Square| match node.mv {
            Move::Normal {
                role: Role::Rook,
                from,
                to,
                ..
            } => from == rook && to == side.rook_to(us),
            Move::Normal {
                role: Role::King,
                from,
                to,
                ..
            } => from == king && to == side.king_to(us),
            _ => false,
        };
        !node.mv.is_capture()
            && CastlingSide::ALL.into_iter().any(|side| {
                before.castling_moves(side).into_iter().any(
                    |mv| matches!(mv, Move::Castle { king, rook } if half_of(side, king, rook)),
                )
            })
    }

    /// The moving man could go on and take one of the lifted men.
    fn may_still_take(&self, id: usize, lifted: shakmaty::Bitboard) -> bool {
        let node = &self.nodes[id];
        self.position_at(node.origin)
            .legal_moves()
            .into_iter()
            .any(|mv| {
                mv.from() == node.mv.from()
                    && mv.is_capture()
                    && (lifted.contains(mv.to()) || mv.is_en_passant())
            })
    }

    /// The only move on the board was read after its maker had pressed for it.
    fn read_late(&self, id: usize) -> bool {
        let node = &self.nodes[id];
        let lifted = node
            .mv
            .from()
            .filter(|_| node.origin == Origin::Line(self.line.len()));
        self.unmatched == 1
            && self.pressed_last == Some(node.mover())
            && lifted.is_some_and(|from| self.log.is_put_down(from, node.mover()))
    }

    /// Uses the last press: it settles the presser's move that stands on the board.
    pub(super) fn apply_press(&mut self) {
        if let Stand::Node(id) = self.stand
            && self.read_late(id)
        {
            self.nodes[id].pressed = true;
            self.press = None;
            self.settle(id);
            return;
        }
        let Some(press) = self.press else { return };
        if self.now.since(press.at) > PRESS_LEAD {
            return;
        }
        if let Stand::Node(id) | Stand::Hand { node: Some(id), .. } = self.stand
            && self.nodes[id].mover() == press.mover
        {
            self.nodes[id].pressed = true;
            self.press = None;
            self.settle(id);
            return;
        }
        if !matches!(
            self.stand,
            Stand::Rest | Stand::Node(_) | Stand::Hand { .. }
        ) {
            return;
        }
        // The clock's word may come after the reply has been made. If the presser's last move is borne
        // out already, the placement of the next one may still be on its way.
        let back = if self.position().turn() == press.mover {
            2
        } else if self.press_in_doubt(press.at) {
            self.press = None;
            return;
        } else {
            1
        };
        let last = self
            .line
            .len()
            .checked_sub(back)
            .map(|ply| &mut self.line[ply]);
        if let Some(last) = last.filter(|last| last.pressed.is_none()) {
            last.pressed = Some(self.now);
            self.press = None;
            self.unmatched = self.unmatched.saturating_sub(1);
        }
    }

    /// Makes node `id` and its ancestors part of the record.
    pub(super) fn settle(&mut self, id: usize) {
        let chain = self.nodes.chain(id);
        let base = self.nodes.base(id);
        self.understood(false);
        self.tell_set_up();
        let replacing = base < self.line.len();
        let gone = self.cut(base);
        for (index, &step) in chain.iter().enumerate() {
            let node = &self.nodes[step];
            let (mv, at, pressed, inferred) = (node.mv, node.at, node.pressed, node.inferred);
            let of_line = node.of_line;
            let rook_first = mv.is_castle() && self.rook_came_first(step, replacing);
            let made = self.append(mv, pressed, inferred, at);
            let ply = made.ply;
            if let Some(last) = self.line.last_mut() {
                last.of_line = of_line;
            }
            if inferred && let Some(mut mismatch) = self.mismatch.filter(|m| !m.told) {
                mismatch.told = true;
                self.mismatch = Some(mismatch);
                self.tell_mismatch(mismatch);
            }
            self.events.push_back(if replacing && index == 0 {
                TrackEvent::Withdrawn {
                    from_ply: ply,
                    moves: gone.clone(),
                    replaced_by: Some(made),
                }
            } else {
                TrackEvent::Move(made)
            });
            if rook_first {
                self.events
                    .push_back(TrackEvent::Note(Note::CastledRookFirst { ply }));
            }
            self.tell_end();
        }
        let ids = self.nodes.settled(id, self.line.len());
        self.stand = match std::mem::replace(&mut self.stand, Stand::None) {
            Stand::Node(now) if now == id => {
                self.log.clear();
                Stand::Rest
            }
            Stand::Hand {
                node: Some(now),
                squares,
            } if now == id => Stand::Hand {
                node: None,
                squares,
            },
            Stand::Unfinished(Origin::Node(now), what) if now == id => {
                Stand::Unfinished(Origin::Line(self.line.len()), what)
            }
            Stand::Unfinished(Origin::Node(now), what) => match ids[now] {
                Some(now) => Stand::Unfinished(Origin::Node(now), what),
                None => Stand::Unfinished(Origin::Line(self.line.len()), what),
            },
            Stand::Node(now) => ids[now].map_or(Stand::Rest, Stand::Node),
            Stand::Hand {
                node: Some(now),
                squares,
            } => Stand::Hand {
                node: ids[now],
                squares,
            },
            other => other,
        };
        self.searched = false;
        self.lost = None;
    }

    /// The rook stood on its castling square before the king came.
    fn rook_came_first(&self, castling: usize, replacing: bool) -> bool {
        let node = &self.nodes[castling];
        let us = node.mover();
        let Some(side) = node.mv.castling_side() else {
            return false;
        };
        let as_rook = |mv: Move| mv.role() == Role::Rook && landing(mv, us) == side.rook_to(us);
        let replaced = replacing
            && matches!(node.origin, Origin::Line(plies)
                if self.replaced.is_some_and(|old| old.plies == plies && as_rook(old.mv)));
        replaced
            || self.nodes.newest_first().any(|id| {
                id != castling && self.nodes[id].origin == node.origin && as_rook(self.nodes[id].mv)
            })
    }

    /// Appends a legal move to the record.
    pub(super) fn append(&mut self, mv: Move, pressed: bool, inferred: bool, at: Mono) -> MoveMade {
        let mut position = self.position().clone();
        let side = position.turn();
        let san = SanPlus::from_move_and_play_unchecked(&mut position, mv);
        self.positions.push(position);
        self.unmatched = 0;
        let told = self.now;
        let borne_out = pressed.then_some(told);
        self.line.push(Settled {
            mv,
            pressed: borne_out,
            told,
            of_line: false,
        });
        let ply = u16::try_from(self.made.len() + 1).unwrap_or(u16::MAX);
        let made = MoveMade {
            ply,
            side,
            uci: self.uci_of(mv).to_string(),
            san: san.to_string(),
            pressed,
            inferred,
            at,
        };
        self.made.push(made.clone());
        made
    }

    /// Removes every move after the first `plies`; returns them.
    fn cut(&mut self, plies: usize) -> Vec<String> {
        let base = self.base();
        let gone = self.line.get(plies).zip(self.made.get(base + plies));
        self.replaced = gone.map(|(gone, made)| Replaced {
            plies,
            mv: gone.mv,
            at: made.at,
        });
        self.line.truncate(plies);
        self.doubt = None;
        self.positions.truncate(plies + 1);
        if self.over.is_some_and(|ply| usize::from(ply) > base + plies) {
            self.over = None;
        }
        self.made
            .drain(base + plies..)
            .map(|made| made.uci)
            .collect()
    }

    /// Takes back every move after the first `plies`.
    pub(super) fn withdraw(&mut self, plies: usize) {
        if plies >= self.line.len() {
            return;
        }
        self.understood(false);
        let moves = self.cut(plies);
        let from_ply = self.plies() + 1;
        self.events.push_back(TrackEvent::Withdrawn {
            from_ply,
            moves,
            replaced_by: None,
        });
        self.nodes.clear();
        self.log.clear();
    }

    /// Restores the move that a false correction took out of the record.
    pub(super) fn put_back(&mut self, plies: usize, mv: Move) {
        let moves = self.cut(plies);
        let made = self.append(mv, true, false, self.now);
        let (from_ply, replaced_by) = (made.ply, Some(made));
        self.events.push_back(TrackEvent::Withdrawn {
            from_ply,
            moves,
            replaced_by,
        });
        self.tell_end();
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
        if self.blind.is_none() {
            self.tell_end_found();
        }
    }

    pub(super) fn proved_over(&self) -> Option<(u16, BoardEnd, Outcome)> {
        proved_end(&self.positions).map(|(reason, outcome)| (self.plies(), reason, outcome))
    }

    pub(super) fn tell_end(&mut self) {
        let ply = self.plies();
        if self.over.is_some() {
            return;
        }
        if let Some((ply, reason, outcome)) = self.proved_over() {
            self.over = Some(ply);
            self.events.push_back(TrackEvent::GameOver {
                ply,
                outcome,
                reason,
            });
            return;
        }
        if repetitions(&self.positions) == 3 {
            self.events
                .push_back(TrackEvent::Note(Note::Threefold { ply }));
        }
        if self.position().halfmoves() == 100 {
            self.events
                .push_back(TrackEvent::Note(Note::FiftyMoves { ply }));
        }
    }
}
