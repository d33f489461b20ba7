//! Where the game stands for the tracker: set-up, play, result shown, closed.

use std::time::Duration;

use shakmaty::{Color, Move, Position, Role, Square};

use super::{
    ClockState, KingsSign, MoveMade, Note, Replaced, TrackEvent, Tracker,
    classify::{Mismatch, Stand},
    fen_of,
    node::Origin,
    settle::ends_game,
};
use crate::{
    chess::{
        placement::{CENTRE, Seat, difference, home_but_lacking, letter, turned},
        result::shown_by_kings,
    },
    types::{Mono, Placement},
};

/// A man moved out of a king's way is moved this shortly before the kings.
const ASIDE: Duration = Duration::from_secs(3);

/// The same when it had just made the last move: nobody corrects a move and then gives up the game.
const CORRECTED_ASIDE: Duration = Duration::from_secs(10);

/// A move that stood this long was no square on a man's way.
const STOOD: Duration = Duration::from_millis(2500);

/// A set-up that is not the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WrongSetUp {
    squares: Vec<Square>,
    /// White and Black sit the other way round than was set.
    seat_wrong: bool,
    /// Players' view.
    placement: Placement,
    /// Quiet after which it is told.
    pub(super) after: Duration,
}

/// What the tracker is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Waiting for the start position.
    Waiting { wrong_told: bool },
    /// A game, perhaps without a move.
    Playing { set_up_told: bool },
    /// The kings have shown a result.
    Shown,
    /// The game is over; only the start position is looked for.
    Closed { again_told: bool },
}

impl Tracker {
    /// Decides the orientation while it is open.
    pub(super) fn orient(&mut self, wire: &Placement) {
        if self.set_up_anew(wire) {
            self.withdraw(0);
            self.phase = Phase::Waiting { wrong_told: false };
            self.turned = self.settings.turned;
        }
        if matches!(self.phase, Phase::Waiting { .. }) {
            // A seat that was set must hold; otherwise the start position decides.
            let Some((seat, start)) = self.settings.start.seen_in(wire) else {
                return;
            };
            let is_turned = seat == Seat::Turned;
            if self.settings.turned.is_none_or(|set| set == is_turned) {
                self.turned = Some(is_turned);
                self.phase = Phase::Playing { set_up_told: false };
                self.log.clear();
                if start.is_open() {
                    self.start = start.position().clone();
                    self.positions = vec![self.start.clone()];
                    self.nodes.clear();
                    self.settings.start = start;
                }
            }
        } else if self.turned.is_none() {
            let tip = self.position().board();
            if wire == tip {
                self.turned = Some(false);
            } else if turned(wire) == *tip {
                self.turned = Some(true);
            }
        }
    }

    /// Before a game of Chess960 begins the men are put up as another of the 960. Hands that do so may look
    /// like moves.
    fn set_up_anew(&self, wire: &Placement) -> bool {
        let start = &self.settings.start;
        let another = |seen: &Placement| start.is_another(self.home(), seen);
        let early = match self.made.len() {
            0 => true,
            1..4 => start.is_open() && self.clock == ClockState::Unknown,
            _ => false,
        };
        matches!(self.phase, Phase::Playing { .. })
            && early
            && self.stretches.is_empty()
            && (another(wire) || another(&turned(wire)))
    }

    /// The men as players set them up for this game.
    pub(super) fn home(&self) -> &Placement {
        if self.settings.start.is_open() {
            self.start.board()
        } else {
            self.settings.start.board()
        }
    }

    /// The men stand ready for a game, this one or another.
    pub(super) fn is_set_up(&self, seen: &Placement) -> bool {
        self.settings.start.is_set_up(self.home(), seen)
    }

    /// Judges the placement that has just come.
    pub(super) fn advance(&mut self) {
        let Some(seen) = self.seen.clone() else {
            return;
        };
        let before = std::mem::replace(&mut self.stand, Stand::None);
        match self.phase {
            Phase::Waiting { .. } => {
                self.phase = Phase::Waiting { wrong_told: false };
            }
            Phase::Closed { .. } => {
                self.phase = Phase::Closed {
                    again_told: self.again_told(&seen),
                };
            }
            Phase::Shown => {
                self.watch_kings(&seen);
                if seen == *self.position().board() {
                    self.stand = Stand::Rest;
                } else if self.is_set_up(&seen) {
                    self.stand = Stand::Start;
                }
            }
            Phase::Playing { .. } if self.blind.is_some() => {
                self.look_again(&seen);
                return;
            }
            Phase::Playing { .. } => self.judge(&seen, &before),
        }
        if self.stand == Stand::None {
            self.nodes.clear();
        }
    }

    /// Once told, the start position is told again only after it has been left.
    fn again_told(&self, seen: &Placement) -> bool {
        self.phase == Phase::Closed { again_told: true } && self.is_set_up(seen)
    }

    fn judge(&mut self, seen: &Placement, before: &Stand) {
        self.stand = self.classify(seen);
        self.watch_last_man(seen);
        self.watch_kings(seen);
        self.heal(seen);
        self.watch_sight();
        if self.played_on(seen) {
            return;
        }
        if self.lost.is_some() && (self.candidate_tells() || self.turn_tells(seen)) {
            return;
        }
        if self.stand != *before {
            let hand_since = std::mem::replace(&mut self.stand_since, self.now);
            self.hinted = false;
            if matches!(before, Stand::Rest | Stand::None) {
                self.left_rest = self.now;
            }
            if let (
                Stand::Hand {
                    node: None,
                    squares,
                },
                Stand::Rest,
            ) = (before, &self.stand)
                && self.now.since(hand_since) >= self.settings.dwell / 2
            {
                let squares = squares
                    .into_iter()
                    .map(|square| square.to_string())
                    .collect();
                self.events
                    .push_back(TrackEvent::Note(Note::Adjusted { squares }));
            }
        }
        match self.stand {
            Stand::Rest => {
                self.nodes.clear();
                self.log.clear();
            }
            Stand::Node(id) | Stand::Hand { node: Some(id), .. } => self.shown(id, before),
            // The next man is on his way: the move before is made.
            Stand::Unfinished(Origin::Node(id), _) if !self.is_king_to_centre(id) => {
                self.settle(id);
            }
            Stand::Unknown(squares) if self.set_up_was_left(squares) => {
                self.phase = Phase::Waiting { wrong_told: false };
                self.turned = self.settings.turned;
                self.stand = Stand::None;
            }
            _ => {}
        }
        self.apply_press();
    }

    /// The start position was only passed through while men were being set up.
    fn set_up_was_left(&self, squares: usize) -> bool {
        // Where any of the 960 will do, the men may have stood ready for another game.
        let passing = self.phase == Phase::Playing { set_up_told: false }
            || (self.settings.start.is_open() && self.clock == ClockState::Unknown);
        passing && self.made.is_empty() && self.stretches.is_empty() && squares > 4
    }

    pub(super) fn watch_kings(&mut self, seen: &Placement) {
        let Some(outcome) = shown_by_kings(seen) else {
            // A sign that was told waits to be withdrawn, not to be told again.
            self.kings = None;
            return;
        };
        let kings = seen.kings();
        let same = self
            .kings
            .filter(|sign| sign.kings == kings && sign.outcome == outcome);
        self.kings = Some(same.unwrap_or(KingsSign {
            outcome,
            kings,
            since: self.now,
            told: false,
        }));
    }

    /// Forgets a misread square that reads right again or that the game has passed over.
    fn heal(&mut self, seen: &Placement) {
        let Some(mismatch) = self.mismatch else {
            return;
        };
        // A move that explains what the square shows: the man was in a hand.
        let moved_on = matches!(self.stand, Stand::Node(id)
            if self.nodes[id].after.board().piece_at(mismatch.square) == mismatch.seen);
        let still = !moved_on
            && seen.piece_at(mismatch.square) == mismatch.seen
            && self.position().board().piece_at(mismatch.square) == mismatch.expected;
        if !still {
            self.forget_mismatch();
        }
    }

    /// What a square showed says nothing of what it shows now.
    pub(super) fn forget_mismatch(&mut self) {
        if let Some(mismatch) = self.mismatch.take()
            && mismatch.told
        {
            let square = mismatch.square.to_string();
            self.events.push_back(TrackEvent::MismatchOver { square });
        }
    }

    /// A square has read wrong for long enough.
    pub(super) fn take_for_misread(&mut self) {
        self.misread = true;
        let Some(seen) = &self.seen else { return };
        let Some(mut mismatch) = Mismatch::between(self.position().board(), seen) else {
            return;
        };
        // A man off its square is in a hand until a move is made without it.
        mismatch.told = mismatch.seen.is_some();
        self.mismatch = Some(mismatch);
        if mismatch.told {
            self.tell_mismatch(mismatch);
        }
    }

    pub(super) fn tell_mismatch(&mut self, mismatch: Mismatch) {
        self.events.push_back(TrackEvent::Mismatch {
            square: mismatch.square.to_string(),
            expected: letter(mismatch.expected),
            seen: letter(mismatch.seen),
        });
    }

    pub(super) fn tell_set_up(&mut self) {
        if self.phase == (Phase::Playing { set_up_told: false }) {
            self.phase = Phase::Playing { set_up_told: true };
            let start = &self.settings.start;
            if !start.is_usual() {
                self.events.push_back(TrackEvent::StartsFrom {
                    fen: start.fen(),
                    variant: start.variant(),
                    number: start.number().filter(|_| !start.variant().is_standard()),
                });
            }
            self.events.push_back(TrackEvent::SetUp {
                turned: self.turned == Some(true),
            });
        }
    }

    /// What is wrong with the set-up on the board, if most men stand at home.
    pub(super) fn wrong_set_up(&self) -> Option<WrongSetUp> {
        let wire = self.wire.as_ref()?;
        let start = &self.settings.start;
        let (home, after) = match start.wrong_home(wire) {
            Some(home) => (home, self.settings.wrong_set_up_after),
            None => (
                home_but_lacking(wire, start.board()).filter(|_| !start.is_open())?,
                self.settings.lacking_set_up_after,
            ),
        };
        let placement = match home.seat {
            Seat::Normal => wire.clone(),
            Seat::Turned => turned(wire),
        };
        let seat_wrong = self
            .settings
            .turned
            .is_some_and(|set| set != (home.seat == Seat::Turned));
        // The start of another round is about to be changed.
        let another = start.is_another(start.board(), &placement);
        (!home.squares.is_empty() || seat_wrong).then_some(WrongSetUp {
            squares: home.squares,
            seat_wrong,
            placement,
            after: if another {
                self.settings.lacking_set_up_after
            } else {
                after
            },
        })
    }

    pub(super) fn tell_wrong_set_up(&mut self) {
        self.phase = Phase::Waiting { wrong_told: true };
        let Some(wrong) = self.wrong_set_up() else {
            return;
        };
        let names = |empty: bool| -> Vec<String> {
            let is_empty = |square: &&Square| wrong.placement.piece_at(**square).is_none();
            let squares = wrong.squares.iter().filter(|it| is_empty(it) == empty);
            squares.map(ToString::to_string).collect()
        };
        let mut said = Vec::new();
        match names(false).as_slice() {
            [] => {}
            [a, b] => said.push(format!("{a}/{b} exchanged")),
            more => said.push(format!("wrong men on {}", more.join(", "))),
        }
        let empty = names(true);
        if !empty.is_empty() {
            said.push(format!("{} empty", empty.join(", ")));
        }
        if wrong.seat_wrong {
            said.push("white and black on each other's side".to_owned());
        }
        self.events.push_back(TrackEvent::WrongSetUp {
            detail: said.join("; "),
            placement: wrong.placement.to_string(),
        });
    }

    /// The kings have stood in the centre for long enough.
    pub(super) fn tell_kings(&mut self) {
        let Some(sign) = &mut self.kings else { return };
        sign.told = true;
        let outcome = sign.outcome;
        if self.phase != Phase::Shown {
            self.freeze();
        }
        self.phase = Phase::Shown;
        self.nodes.clear();
        self.tell_lost_end();
        self.events.push_back(TrackEvent::ResultByKings {
            outcome,
            final_fen: fen_of(self.position()),
            plies: self.plies(),
        });
    }

    /// The record as it was before the kings moved: a complete last move counts, a king's first step
    /// to the centre does not.
    fn freeze(&mut self) {
        let Some(seen) = &self.seen else { return };
        let kings = seen.kings();
        let complete = self.nodes.newest_first().find(|&id| {
            let node = &self.nodes[id];
            let board = node.after.board();
            let elsewhere = difference(board, seen).without(board.kings() | CENTRE);
            !self.is_king_to_centre(id)
                && !self.clock_stopped_before(node.at)
                && !node.mv.from().is_some_and(|from| kings.contains(from))
                && elsewhere.is_empty()
        });
        if let Some(id) = complete {
            self.settle(id);
        } else if let Some(mv) = self.last_move_read_late(seen)
            && let Some(id) = self.add_line(self.line.len(), vec![mv], true)
        {
            self.nodes[id].pressed = true;
            self.settle(id);
        }
        let since = self.kings.map_or(self.now, |sign| sign.since);
        let shortly = |made: &MoveMade| since.since(made.at) < ASIDE;
        // The man that made the last move was moved out of a king's way: that looks like a correction,
        // but the move had stood for a while.
        if let Some(Replaced { plies, mv, at }) = self.replaced
            && self
                .line
                .last()
                .is_some_and(|last| last.pressed.is_none() && !CENTRE.contains(last.mv.to()))
            && self.made.last().is_some_and(|made| {
                since.since(made.at) < CORRECTED_ASIDE && made.at.since(at) >= STOOD
            })
            && kings.contains(mv.to())
        {
            self.put_back(plies, mv);
            return;
        }
        let bogus = self
            .line
            .last()
            .zip(self.made.last())
            .is_some_and(|(last, made)| {
                let king = last.mv.role() == Role::King
                    && CENTRE.contains(last.mv.to())
                    && !ends_game(last.mv, self.position());
                // A man was moved out of a king's way, which may look like a move.
                let aside = last.mv.role() != Role::King
                    && last.mv.from().is_some_and(|from| kings.contains(from))
                    && !CENTRE.contains(last.mv.to())
                    && (self.pressed_in_game || shortly(made));
                last.pressed.is_none() && (king || aside)
            });
        if bogus {
            self.withdraw(self.line.len() - 1);
        }
    }

    /// The last move was pressed, but its man was not read before the kings moved: the only move that tells
    /// where the other men stand now.
    fn last_move_read_late(&self, seen: &Placement) -> Option<Move> {
        let before = self.position();
        if self.unmatched != 1 || self.pressed_last != Some(before.turn()) {
            return None;
        }
        let others_stand = |board: &Placement| {
            let kings = board.kings() | seen.kings() | CENTRE;
            difference(board, seen).without(kings).is_empty()
        };
        if others_stand(before.board()) {
            return None;
        }
        let mut fitting = before.legal_moves().into_iter().filter(|&mv| {
            let mut after = before.clone();
            after.play_unchecked(mv);
            others_stand(after.board())
        });
        let only = fitting.next();
        only.filter(|_| fitting.next().is_none())
    }

    /// The kings went back to the position of the record.
    pub(super) fn withdraw_kings(&mut self) {
        self.phase = Phase::Playing { set_up_told: true };
        self.kings = None;
        self.events.push_back(TrackEvent::ResultWithdrawn);
        self.advance();
    }

    /// The start position stands again.
    pub(super) fn tell_start_again(&mut self) {
        let known = !matches!(self.phase, Phase::Playing { .. }) || self.over.is_some();
        let plies = self.plies();
        if matches!(self.phase, Phase::Playing { .. }) {
            self.tell_lost_end();
        }
        if !known {
            let final_fen = fen_of(self.position());
            self.events
                .push_back(TrackEvent::ResultMissing { final_fen, plies });
        }
        self.events.push_back(TrackEvent::StartAgain { plies });
        self.phase = Phase::Closed { again_told: true };
        self.stand = Stand::None;
        self.nodes.clear();
    }

    pub(super) fn plies(&self) -> u16 {
        u16::try_from(self.made.len()).unwrap_or(u16::MAX)
    }

    /// Whether moves made now wait for the clock: it stands, and stood before the move was seen.
    pub(super) fn clock_stopped_before(&self, seen_at: Mono) -> bool {
        matches!(self.clock, ClockState::Stopped(at) if at < seen_at)
    }

    pub(super) fn pressed_since_left(&self, mover: Color) -> Option<Mono> {
        self.press
            .filter(|press| press.mover == mover && press.at >= self.left_rest)
            .map(|p| p.at)
    }
}
