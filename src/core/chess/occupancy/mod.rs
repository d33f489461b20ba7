//! From occupied squares, presses and time to moves, claims and results.
//!
//! For boards that do not know their men. An occupancy says less than a placement:
//!
//! - A man in the hand looks like a man that has taken while nobody saw the victim leave. Such a capture
//!   is believed only when the mover pressed the clock or was answered, and when one capture alone fits.
//! - A promoted pawn may have become anything, a man may have taken here or there: then
//!   several *readings* are followed at once, each a legal game that fits everything seen. What they have
//!   in common is recorded; where they differ nothing is picked. Later moves rule readings out; if they do
//!   not, [`TrackEvent::Question`] asks, and [`OccupancyTracker::answer`] takes the arbiter's word.
//! - Men on all home squares are *assumed* to be the start position: king and queen exchanged cannot be
//!   seen. Nor can it be seen from which side; unless that was set, White's first move decides it.
//! - Where moves were missed, what stands there cannot be taken over as a new start: the record waits until
//!   the old squares are occupied again or the arbiter tells the moves.
//!
//! A clock that tells of presses is worth more here than on a board that knows its men: without it, hands that
//! overlap and captures that nobody saw can look like another legal game.
//!
//! The tracker is a sans-I/O object: after each `handle_*` call drain
//! [`OccupancyTracker::poll_event`], then arm a timer for [`OccupancyTracker::poll_timeout`].

mod ask;
mod branch;
mod due;
mod fit;
mod kings;
mod phase;
mod press;
mod record;
mod resync;
mod settle;
mod touches;

use std::collections::VecDeque;

use shakmaty::{Bitboard, CastlingMode, Chess, Color, Position, fen::Fen, uci::UciMove};

pub use self::resync::AnswerError;
use self::{
    branch::Branch,
    kings::KingsSign,
    phase::Phase,
    record::{Record, fen_of},
    resync::{Blind, Lost},
};
use super::{MoveMade, TrackEvent, TrackStatus, TrackerSettings, tracker::RestoreError};
use crate::{
    protocol::Touch,
    types::{Mono, Placement},
};

/// The home squares of both sides.
const HOME: Bitboard = Bitboard(0xffff_0000_0000_ffff);

/// What the clock's running bit has told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ClockState {
    /// Nothing, or it never ran: no witness.
    Unknown,
    Running,
    /// It ran in this game and was stopped then.
    Stopped(Mono),
}

#[derive(Clone, Copy, Debug)]
struct Press {
    mover: Color,
    at: Mono,
}

/// A question to the arbiter.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Asked {
    ply: u16,
    moves: Vec<String>,
}

/// Tracks one board that knows occupied and empty squares only. See the
/// [module documentation](self).
#[derive(Clone, Debug)]
pub struct OccupancyTracker {
    settings: TrackerSettings,
    phase: Phase,
    turned: Option<bool>,
    record: Record,
    /// The readings of what was seen since the record. Never empty.
    branches: Vec<Branch>,
    /// There is more than one since then.
    split_since: Option<Mono>,
    asked: Option<Asked>,

    wire: Option<Bitboard>,
    /// The men as far as they are known, players' view.
    view: Option<Placement>,

    now: Mono,
    last_change: Mono,
    /// The board was at rest until then.
    left_rest: Mono,
    resting: bool,
    /// Men are off the board and nothing else differs, since then.
    lifted: Option<(Bitboard, Mono)>,

    press: Option<Press>,
    pressed_in_game: bool,
    clock: ClockState,
    pressed_last: Option<Color>,
    pressed_at: Option<Mono>,
    /// Presses in turn that no move has answered for.
    unmatched: u16,
    blind: Option<Blind>,
    lost: Option<Lost>,
    /// Moves were missed: nothing is taken for a move before the arbiter has spoken.
    gone_on: bool,
    end_lost: bool,
    kings: Option<KingsSign>,
    claim: Option<Bitboard>,
    unexplained: bool,
    ambiguous: bool,
    searched: bool,
    /// It was looked for a claim since the last change or press.
    claims_looked: bool,
    /// What is shown now cannot be made a move of.
    refused: bool,
    hinted: bool,
    over: Option<u16>,
    /// Rook moves that were shown before the last move was made.
    rook_moves: Vec<String>,
    events: VecDeque<TrackEvent>,
}

impl OccupancyTracker {
    /// A tracker that waits for the start position.
    pub fn new(settings: TrackerSettings) -> Self {
        let mut tracker = Self {
            phase: Phase::Waiting { wrong_told: false },
            turned: settings.turned,
            settings,
            record: Record::new(Chess::default()),
            branches: Vec::new(),
            split_since: None,
            asked: None,
            wire: None,
            view: None,
            now: Mono::ZERO,
            last_change: Mono::ZERO,
            left_rest: Mono::ZERO,
            resting: false,
            lifted: None,
            press: None,
            pressed_in_game: false,
            clock: ClockState::Unknown,
            pressed_last: None,
            pressed_at: None,
            unmatched: 0,
            blind: None,
            lost: None,
            gone_on: false,
            end_lost: false,
            kings: None,
            claim: None,
            unexplained: false,
            ambiguous: false,
            searched: false,
            claims_looked: false,
            refused: false,
            hinted: false,
            over: None,
            rook_moves: Vec::new(),
            events: VecDeque::new(),
        };
        tracker.read_anew();
        tracker
    }

    /// Rebuilds a game in progress: from the journal, or from a position that an arbiter set.
    ///
    /// With no `start`, no moves and `turned` unknown this is [`Self::new`]. While `turned` is unknown, the
    /// first occupancy or move that fits one side only decides it.
    ///
    /// # Errors
    /// The start position or one of the moves is not legal.
    pub fn restore(
        settings: TrackerSettings,
        start: Option<&str>,
        moves: &[UciMove],
        turned: Option<bool>,
    ) -> Result<Self, RestoreError> {
        Self::restore_with_gaps(settings, start, moves, &[], turned)
    }

    /// The same for a record in which moves are missing: after so many half-moves the game went on from
    /// that position.
    ///
    /// # Errors
    /// The start position, a position after a gap or one of the moves is not legal.
    pub fn restore_with_gaps(
        settings: TrackerSettings,
        start: Option<&str>,
        moves: &[UciMove],
        gaps: &[(u16, &str)],
        turned: Option<bool>,
    ) -> Result<Self, RestoreError> {
        let mut tracker = Self::new(settings);
        tracker.turned = turned.or(tracker.turned);
        let legal = |fen: &str| {
            let position = fen
                .parse::<Fen>()
                .ok()
                .and_then(|parsed| parsed.into_position::<Chess>(CastlingMode::Standard).ok());
            position.ok_or_else(|| RestoreError::Start(fen.to_owned()))
        };
        if let Some(fen) = start {
            tracker.record = Record::new(legal(fen)?);
        }
        for ply in 0..=moves.len() {
            for (_, fen) in gaps.iter().filter(|gap| usize::from(gap.0) == ply) {
                tracker.record.go_on_from(legal(fen)?);
            }
            let Some(uci) = moves.get(ply) else { break };
            let mv = uci
                .to_move(tracker.record.tip())
                .map_err(|_| RestoreError::Move {
                    ply: ply + 1,
                    uci: uci.to_string(),
                })?;
            let step = branch::Step {
                mv,
                at: Mono::ZERO,
                pressed: true,
                inferred: false,
            };
            tracker.record.append(step, Mono::ZERO);
        }
        if start.is_some() || !moves.is_empty() || turned.is_some() {
            tracker.phase = Phase::Playing { set_up_told: true };
        }
        tracker.over = tracker.record.proved_over().map(|(ply, ..)| ply);
        tracker.read_anew();
        Ok(tracker)
    }

    /// Nothing was seen beyond the record.
    fn read_anew(&mut self) {
        let seats = match self.turned {
            Some(turned) => vec![turned],
            None => vec![false, true],
        };
        let previous = self.record.previous();
        self.branches = seats
            .into_iter()
            .map(|turned| {
                let mut branch = Branch::new(self.record.tip().clone(), turned);
                branch.previous.clone_from(&previous);
                branch
            })
            .collect();
        self.split_since = None;
    }

    /// The occupied squares in the wire's numbering; `change` is the update that led to it, `None` for a
    /// dump. Every picture in between must come here too, in order.
    pub fn handle_occupancy(&mut self, now: Mono, occupied: Bitboard, change: Option<Touch>) {
        self.handle_timeout(now);
        if self.wire == Some(occupied) {
            // A man taken by another one within one scan is reported, but changes nothing.
            if let Some(touch) = change.filter(|touch| touch.present)
                && occupied.contains(touch.square)
            {
                let at = self.now;
                for branch in &mut self.branches {
                    let square = if branch.turned {
                        touch.square.rotate_180()
                    } else {
                        touch.square
                    };
                    branch.each_log(|log| log.touch(at, square, true));
                }
                self.advance();
            }
            return;
        }
        let before = self.wire.replace(occupied);
        if self.now.since(self.last_change) >= settle::STOOD {
            self.branches.iter_mut().for_each(Branch::has_stood);
        }
        self.last_change = self.now;
        self.searched = false;
        self.ambiguous = false;
        self.claims_looked = false;
        self.refused = false;
        if let Some(before) = before {
            let at = self.now;
            for branch in &mut self.branches {
                let (before, after) = (branch.view(before), branch.view(occupied));
                branch.each_log(|log| log.record(at, before, after));
            }
        }
        self.advance();
    }

    /// The lever changed: `mover` pressed, having moved.
    pub fn handle_press(&mut self, now: Mono, mover: Color) {
        self.handle_timeout(now);
        self.pressed_in_game = true;
        if self.clock == ClockState::Unknown {
            self.clock = ClockState::Running;
        }
        self.press = Some(Press {
            mover,
            at: self.now,
        });
        self.pressed_at = Some(self.now);
        self.claims_looked = false;
        self.count_press(mover);
        if self.blind.is_some() {
            // Who pressed for which move is not known before the board is understood.
            self.press = None;
            return;
        }
        self.apply_press();
    }

    /// The clock runs or stands. Moves made while it stands wait for it to run again.
    pub fn handle_clock_running(&mut self, now: Mono, running: bool) {
        self.handle_timeout(now);
        self.clock = match (self.clock, running) {
            (_, true) => ClockState::Running,
            (ClockState::Running, false) => ClockState::Stopped(self.now),
            (before, false) => before,
        };
    }

    /// Whose time runs, with each reading of the clock. An occupancy needs no such word.
    pub fn handle_runs(&mut self, now: Mono, _side: Color) {
        self.handle_timeout(now);
    }

    /// The time of [`Self::poll_timeout`] has come. Time that runs backwards is ignored.
    pub fn handle_timeout(&mut self, now: Mono) {
        while let Some((at, due)) = self.next_due() {
            if at > now {
                break;
            }
            self.now = self.now.max(at);
            self.fire(due);
        }
        self.now = self.now.max(now);
    }

    /// When [`Self::handle_timeout`] is due.
    pub fn poll_timeout(&self) -> Option<Mono> {
        self.next_due().map(|(at, _)| at)
    }

    /// The next thing found.
    pub fn poll_event(&mut self) -> Option<TrackEvent> {
        self.events.pop_front()
    }

    /// The settled moves: those of which there is one reading only. What has been withdrawn is not
    /// among them.
    pub fn moves(&self) -> &[MoveMade] {
        &self.record.made
    }

    /// The settled moves and those that stand on the board complete but could still be undone by letting
    /// go, as far as all readings agree. For live pages; the record takes [`Self::moves`].
    pub fn standing(&self) -> Vec<UciMove> {
        let mut settled: Vec<UciMove> = self
            .record
            .made
            .iter()
            .filter_map(|made| made.uci.parse().ok())
            .collect();
        if let [branch] = self.branches.as_slice()
            && let [id] = branch.fitting()
            && branch.shown[*id].doubts() == 0
        {
            let shown = &branch.shown[*id];
            if shown.instead {
                settled.pop();
            }
            let steps = shown.steps.iter();
            settled.extend(steps.map(|step| step.mv.to_uci(CastlingMode::Standard)));
        }
        settled
    }

    /// How many moves all readings have made beyond the record, and how many readings there are. For
    /// pages that show that a question is open.
    pub fn readings(&self) -> (usize, usize) {
        let beyond = self.branches.iter().map(|branch| branch.moves.len());
        (beyond.min().unwrap_or(0), self.branches.len())
    }

    /// The position after the last settled move.
    pub fn position(&self) -> &Chess {
        self.record.tip()
    }

    /// The position from which the record starts.
    pub fn start(&self) -> &Chess {
        &self.record.start
    }

    /// What stands on the board, players' view: the men of the first reading on the squares that are
    /// occupied. `None` before the board was seen or while its orientation is not known.
    pub fn placement(&self) -> Option<&Placement> {
        self.view.as_ref()
    }

    /// The board is turned by 180°; `None` while undecided.
    pub fn turned(&self) -> Option<bool> {
        self.turned
    }

    /// The arbiter says how the board stands.
    pub fn set_turned(&mut self, turned: bool) {
        self.turned = Some(turned);
        self.settings.turned = Some(turned);
        self.read_anew();
        self.advance();
    }

    /// A new round: forget the game and wait for the start position.
    pub fn rearm(&mut self) {
        let wire = self.wire.take();
        let events = std::mem::take(&mut self.events);
        let (now, last_change) = (self.now, self.last_change);
        *self = Self::new(self.settings.clone());
        self.now = now;
        self.last_change = last_change;
        self.events = events;
        self.wire = wire;
        self.advance();
    }

    /// A result stands: nothing is tracked until [`Self::rearm`] or [`Self::reopen`]. A question stays
    /// open, and its answer is still taken.
    pub fn set_result(&mut self) {
        self.phase = Phase::Closed { again_told: false };
        for branch in &mut self.branches {
            branch.forget();
        }
        self.advance();
    }

    /// The result was annulled: tracking goes on with the game as it stood.
    pub fn reopen(&mut self) {
        self.phase = Phase::Playing { set_up_told: true };
        self.kings = None;
        self.advance();
    }

    /// What the board shows at this moment.
    pub fn status(&self) -> TrackStatus {
        self.describe()
    }

    /// The FEN of the position after the last settled move.
    pub fn fen(&self) -> String {
        fen_of(self.record.tip())
    }

    fn refresh_view(&mut self) {
        self.view = self.wire.filter(|_| self.turned.is_some()).map(|wire| {
            let branch = &self.branches[0];
            let seen = branch.view(wire);
            let position = match branch.fitting() {
                [id, ..] if branch.shown[*id].doubts() == 0 => branch.shown[*id].after(),
                _ => branch.tip(),
            };
            let mut board = position.board().clone();
            for square in position.board().occupied() & !seen {
                board.discard_piece_at(square);
            }
            board
        });
    }
}
