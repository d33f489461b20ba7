//! Gaps: a placement taken over as the start of a new stretch of the record.

use std::num::NonZeroU32;

use shakmaty::{Bitboard, ByColor, Chess, Color, Position, PositionError, Role, Setup};

use super::{
    ClockState, Settled, TrackEvent, Tracker, explain::fitting_move, fen_of, resync::FURTHEST,
    search::least_plies,
};
use crate::types::Placement;

/// So many moves before a gap are withdrawn if they were found by a search for several.
const DOUBTED: usize = 6;

/// A part of the game before moves that were missed.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    positions: Vec<Chess>,
    line: Vec<Settled>,
}

impl Tracker {
    /// Takes what stands on the board for the position from which the game goes on.
    pub(super) fn take_over(&mut self) {
        self.tried = true;
        if self.blind.is_some() {
            self.find_line(FURTHEST);
            if self.blind.is_none() {
                return;
            }
            // A move that was not pressed may have been made another one out of sight.
            if self.pressed_in_game && self.line.last().is_some_and(|last| last.pressed.is_none()) {
                self.withdraw(self.line.len() - 1);
                self.find_line(FURTHEST);
                if self.blind.is_none() {
                    return;
                }
            }
        }
        // A square put right by what it once showed would put a man there that is none.
        self.forget_mismatch();
        let Some(view) = self.view() else { return };
        let turns: Vec<Color> = match self.runs {
            Some(side) => vec![side],
            None => Color::ALL.into_iter().collect(),
        };
        let mut starts: Vec<Chess> = turns
            .into_iter()
            .filter_map(|turn| self.new_start(&view, turn))
            .collect();
        match (starts.pop(), starts.is_empty()) {
            (Some(start), true) => self.go_on_from(start),
            // Either side may be to move: the next move will tell.
            (Some(_), false) => self.candidate = Some(view),
            (None, _) => {}
        }
    }

    /// A move was made from a placement that waits for its side to move.
    pub(super) fn candidate_tells(&mut self) -> bool {
        if self.clock_stands() {
            return false;
        }
        let (Some(candidate), Some(seen)) = (self.candidate.clone(), self.view()) else {
            return false;
        };
        let start = Color::ALL.into_iter().find_map(|turn| {
            let start = self.new_start(&candidate, turn)?;
            let fit = fitting_move(&start, &seen)?;
            fit.in_hand.is_empty().then_some(start)
        });
        let told = start.is_some();
        if let Some(start) = start {
            self.go_on_from(start);
        }
        told
    }

    /// The side that was thought not to be to move has moved from a position taken over: whose time runs
    /// was heard late.
    pub(super) fn turn_tells(&mut self, seen: &Placement) -> bool {
        if !self.fresh() || self.clock_stands() {
            return false;
        }
        let board = self.position().board().clone();
        let start = self.new_start(&board, self.position().turn().other());
        let moved =
            |start: &Chess| fitting_move(start, seen).is_some_and(|fit| fit.in_hand.is_empty());
        let Some(start) = start.filter(moved) else {
            return false;
        };
        self.go_on_from(start);
        true
    }

    /// The opponent has answered the move that is claimed, and so it stands (R-RS-6: a claim comes before
    /// that). The game goes on from the position with it.
    pub(super) fn played_on(&mut self, seen: &Placement) -> bool {
        if self.clock_stands() || seen == self.position().board() {
            return false;
        }
        let (Some(claimed), Some(mover)) = (self.claim.clone(), self.claimed_by) else {
            return false;
        };
        let start = self.new_start(&claimed, mover.other());
        let answered =
            |start: &Chess| fitting_move(start, seen).is_some_and(|fit| fit.in_hand.is_empty());
        let Some(start) = start.filter(answered) else {
            return false;
        };
        self.go_on_from(start);
        true
    }

    /// Nobody plays: kings on their way to the centre are no moves.
    fn clock_stands(&self) -> bool {
        matches!(self.clock, ClockState::Stopped(_))
    }

    fn go_on_from(&mut self, start: Chess) {
        self.tell_set_up();
        self.understood(false);
        self.blind = None;
        self.lost = None;
        self.candidate = None;
        self.unmatched = 0;
        self.ambiguous = false;
        self.replaced = None;
        self.over = None;
        self.nodes.clear();
        self.log.clear();
        self.withdraw_guesses();
        self.begin_stretch(start);
        self.events.push_back(TrackEvent::Gap {
            after: self.plies(),
            fen: Some(fen_of(self.position())),
        });
        self.tell_end();
        self.advance();
    }

    /// The game did not go on from where several moves at once had led: they were others. And a move that
    /// was not pressed may have been carried on.
    fn withdraw_guesses(&mut self) {
        let played = self.line.len();
        let guess = self.line.iter().skip(played.saturating_sub(DOUBTED));
        let certain = guess.take_while(|settled| !settled.of_line).count();
        let unpressed =
            self.pressed_in_game && self.line.last().is_some_and(|last| last.pressed.is_none());
        let kept = played.saturating_sub(DOUBTED) + certain;
        self.withdraw(kept.min(played - usize::from(unpressed)));
    }

    /// Starts a new stretch of the record; one without moves is replaced.
    pub(super) fn begin_stretch(&mut self, start: Chess) {
        let positions = std::mem::replace(&mut self.positions, vec![start]);
        let line = std::mem::take(&mut self.line);
        if !line.is_empty() || self.stretches.is_empty() {
            self.stretches.push(Stretch { positions, line });
        }
    }

    /// How many moves of the stretch before would remain, if the board shows that again and nothing was
    /// played since it was given up.
    pub(super) fn before_gap(&self, view: &Placement) -> Option<usize> {
        let before = self.stretches.last().filter(|_| self.line.is_empty())?;
        before
            .positions
            .last()
            .is_some_and(|position| position.board() == view)
            .then_some(before.line.len())
    }

    /// Nothing was missed: the board shows the position before the gap again.
    pub(super) fn close_gap(&mut self) {
        let Some(Stretch { positions, line }) = self.stretches.pop() else {
            return;
        };
        self.positions = positions;
        self.line = line;
        self.nodes.clear();
        self.log.clear();
        self.over = self.proved_over().map(|(ply, ..)| ply);
        self.events.push_back(TrackEvent::GapClosed {
            after: self.plies(),
        });
        self.advance();
    }

    /// The game ends and the record is not complete: nobody knows from where it went on.
    pub(super) fn tell_lost_end(&mut self) {
        if self.has_lost_track() {
            self.tell_gap_at_end();
        }
    }

    /// The game goes on, and nothing is missing.
    pub(super) fn tell_end_found(&mut self) {
        if std::mem::take(&mut self.end_lost) {
            self.events.push_back(TrackEvent::GapClosed {
                after: self.plies(),
            });
        }
    }

    pub(super) fn tell_gap_at_end(&mut self) {
        // A gap at this very place says as much.
        let said = self.line.is_empty() && !self.stretches.is_empty();
        if !said && !std::mem::replace(&mut self.end_lost, true) {
            self.events.push_back(TrackEvent::Gap {
                after: self.plies(),
                fen: None,
            });
        }
    }

    /// A legal position of this game with these men, as far as it can be known. Castling is allowed where
    /// it was allowed before and king and rook stand at home.
    fn new_start(&self, view: &Placement, turn: Color) -> Option<Chess> {
        let tip = self.position();
        let known = self
            .stretches
            .last()
            .filter(|_| self.line.is_empty())
            .and_then(|stretch| stretch.positions.last())
            .unwrap_or(tip);
        if !men_can_remain(known.board(), view) {
            return None;
        }
        let rights = known.castles().castling_rights();
        let at_home = |color: Color| {
            let king = view.king_of(color);
            let stays = king.is_some() && king == known.board().king_of(color);
            let rooks = rights & view.by_piece(color.rook()) & Bitboard::from(color.backrank());
            if stays { rooks } else { Bitboard::EMPTY }
        };
        let mut plies = least_plies(known, view).max(1);
        plies += usize::from((plies % 2 == 1) == (turn == known.turn()));
        let played = 2 * (known.fullmoves().get() - 1) + u32::from(known.turn().is_black());
        let played = played.saturating_add(u32::try_from(plies).ok()?);
        let setup = Setup {
            board: view.clone(),
            promoted: Bitboard::EMPTY,
            pockets: None,
            turn,
            castling_rights: at_home(Color::White) | at_home(Color::Black),
            ep_square: None,
            remaining_checks: None,
            halfmoves: 0,
            fullmoves: NonZeroU32::new(played / 2 + 1)?,
        };
        // After an illegal move that was played on two bishops may stand on squares of one colour.
        setup
            .position(self.mode())
            .or_else(PositionError::ignore_too_much_material)
            .ok()
    }
}

/// Whether play can lead from one set of men to the other: nothing comes to be but by promotion.
pub(super) fn men_can_remain(before: &Placement, after: &Placement) -> bool {
    let counts: ByColor<_> = before.material();
    let now: ByColor<_> = after.material();
    Color::ALL.into_iter().all(|color| {
        let (old, new) = (counts.get(color), now.get(color));
        let Some(pawns_gone) = old.pawn.checked_sub(new.pawn) else {
            return false;
        };
        let more: u8 = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
            .into_iter()
            .map(|role| new.get(role).saturating_sub(*old.get(role)))
            .sum();
        new.king == 1 && more <= pawns_gone
    })
}
