//! From placements, presses and time to moves, claims and results.
//!
//! A placement is never taken for a move by itself. Every placement that equals a legal position is kept
//! as a node; a node is *settled* and told as [`TrackEvent::Move`] when it can no longer be
//! undone by letting go: the board was quiet for the dwell time, the mover pressed the clock, or the
//! opponent lifted a man or replied. A settled move without reply stays revisable: when the same hand
//! goes on, one [`TrackEvent::Withdrawn`] corrects it.
//!
//! The tracker is a sans-I/O object: after each `handle_*` call drain [`Tracker::poll_event`], then arm
//! a timer for [`Tracker::poll_timeout`].

mod classify;
mod doubt;
mod due;
mod events;
pub(in crate::chess) mod explain;
mod gap;
mod log;
mod node;
mod phase;
mod resync;
mod search;
mod settle;

use std::collections::VecDeque;

use shakmaty::{Bitboard, CastlingMode, Chess, Color, Move, fen::Fen, uci::UciMove};
use thiserror::Error;

use self::{
    classify::{Mismatch, Stand},
    doubt::Doubt,
    gap::Stretch,
    log::Log,
    node::Nodes,
    phase::Phase,
    resync::{Blind, Lost, Put},
};
pub use self::{
    events::{IllegalReason, MoveMade, Note, TrackEvent, TrackStatus, TrackerSettings},
    resync::Witness,
};
use super::{placement::turned, result::Outcome};
use crate::{
    protocol::SquareChange,
    types::{Mono, Placement},
};

/// Why a game cannot be rebuilt from a record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RestoreError {
    /// The start position is no legal position.
    #[error("the start position {0:?} is not a legal position")]
    Start(String),
    /// A move is not legal where it stands.
    #[error("half-move {ply} ({uci}) is not legal")]
    Move {
        /// The half-move, from 1.
        ply: usize,
        /// The move as recorded.
        uci: String,
    },
}

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

/// Both kings in the centre.
#[derive(Clone, Copy, Debug)]
struct KingsSign {
    outcome: Outcome,
    kings: Bitboard,
    since: Mono,
    told: bool,
}

/// Tracks one board through one game. See the [module documentation](self).
#[derive(Clone, Debug)]
pub struct Tracker {
    settings: TrackerSettings,
    phase: Phase,
    turned: Option<bool>,

    /// The parts of the game before moves that were missed, oldest first.
    stretches: Vec<Stretch>,
    /// The start of the present stretch and the position after each settled move.
    positions: Vec<Chess>,
    /// The moves of the present stretch.
    line: Vec<Settled>,
    /// The moves of all stretches.
    made: Vec<MoveMade>,
    start: Chess,
    nodes: Nodes,

    wire: Option<Placement>,
    /// The placement as the players see it.
    seen: Option<Placement>,
    stand: Stand,
    log: Log,
    mismatch: Option<Mismatch>,
    doubt: Option<Doubt>,

    now: Mono,
    last_change: Mono,
    /// When the present stand began.
    stand_since: Mono,
    /// When the board last showed something that is understood.
    left_rest: Mono,

    press: Option<Press>,
    pressed_in_game: bool,
    clock: ClockState,
    /// Whose time runs, as last heard.
    runs: Option<Color>,
    pressed_last: Option<Color>,
    pressed_at: Option<Mono>,
    put: Option<Put>,
    /// Presses in turn that no move has answered for.
    unmatched: u16,
    blind: Option<Blind>,
    lost: Option<Lost>,
    /// What stood there when the board went out of sight.
    seen_before: Option<Placement>,
    /// It was tried to take this placement over.
    tried: bool,
    /// It was asked which line of as many moves as presses leads to this placement.
    line_asked: bool,
    /// A placement to be taken over once it is known who is to move.
    candidate: Option<Placement>,
    /// It was told that the game ended with an incomplete record.
    end_lost: bool,
    kings: Option<KingsSign>,
    claim: Option<Placement>,
    /// Who made the move that is claimed.
    claimed_by: Option<Color>,
    unexplained: bool,
    complained_at: Mono,
    ambiguous: bool,
    searched: bool,
    /// It was asked whether one square of this placement is misread.
    misread: bool,
    hinted: bool,
    over: Option<u16>,
    /// What the last settled move replaced.
    replaced: Option<Replaced>,
    events: VecDeque<TrackEvent>,
}

/// A move that was taken out of the record for another one.
#[derive(Clone, Copy, Debug)]
struct Replaced {
    /// How many moves lie before it.
    plies: usize,
    mv: Move,
    at: Mono,
}

/// A settled move as the rules see it.
#[derive(Clone, Copy, Debug)]
struct Settled {
    mv: Move,
    /// When the lever bore it out, perhaps only after it was told.
    pressed: Option<Mono>,
    told: Mono,
    /// One of several moves that explained the board together.
    of_line: bool,
}

impl Tracker {
    /// A tracker that waits for the start position.
    pub fn new(settings: TrackerSettings) -> Self {
        let turned = settings.turned;
        let start = settings.start.position().clone();
        Self {
            settings,
            phase: Phase::Waiting { wrong_told: false },
            turned,
            stretches: Vec::new(),
            positions: vec![start.clone()],
            line: Vec::new(),
            made: Vec::new(),
            start,
            nodes: Nodes::default(),
            wire: None,
            seen: None,
            stand: Stand::None,
            log: Log::default(),
            mismatch: None,
            doubt: None,
            now: Mono::ZERO,
            last_change: Mono::ZERO,
            stand_since: Mono::ZERO,
            left_rest: Mono::ZERO,
            press: None,
            pressed_in_game: false,
            clock: ClockState::Unknown,
            runs: None,
            pressed_last: None,
            pressed_at: None,
            put: None,
            unmatched: 0,
            blind: None,
            lost: None,
            seen_before: None,
            complained_at: Mono::ZERO,
            tried: false,
            line_asked: false,
            candidate: None,
            end_lost: false,
            kings: None,
            claim: None,
            claimed_by: None,
            unexplained: false,
            ambiguous: false,
            searched: false,
            misread: false,
            hinted: false,
            over: None,
            replaced: None,
            events: VecDeque::new(),
        }
    }

    /// Rebuilds a game in progress: from the journal, or from a position that an arbiter set.
    ///
    /// Without a `start` the game began from that of the settings. With no `start`, no moves and `turned`
    /// unknown this is [`Tracker::new`]. While `turned` is unknown
    /// the first placement that shows the record's position in either orientation decides it.
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
        let mode = tracker.mode();
        let legal = |fen: &str| {
            let position = fen
                .parse::<Fen>()
                .ok()
                .and_then(|parsed| parsed.into_position::<Chess>(mode).ok());
            position.ok_or_else(|| RestoreError::Start(fen.to_owned()))
        };
        if let Some(fen) = start {
            tracker.start = legal(fen)?;
            tracker.positions = vec![tracker.start.clone()];
        }
        let mut gaps = gaps.iter().peekable();
        let mut go_on = |tracker: &mut Self, plies: usize| {
            while let Some((_, fen)) = gaps.next_if(|(after, _)| usize::from(*after) == plies) {
                tracker.begin_stretch(legal(fen)?);
            }
            Ok(())
        };
        go_on(&mut tracker, 0)?;
        for (index, uci) in moves.iter().enumerate() {
            let ply = index + 1;
            let error = || RestoreError::Move {
                ply,
                uci: uci.to_string(),
            };
            let mv = uci.to_move(tracker.position()).map_err(|_| error())?;
            tracker.append(mv, true, false, Mono::ZERO);
            go_on(&mut tracker, ply)?;
        }
        if start.is_some() || !tracker.made.is_empty() || turned.is_some() {
            tracker.phase = Phase::Playing { set_up_told: true };
        }
        tracker.over = tracker.proved_over().map(|(ply, ..)| ply);
        Ok(tracker)
    }

    /// A picture of the board in the wire's numbering; `change` is the update that led to it, `None` for
    /// a dump. Every picture in between must come here too, in order.
    pub fn handle_placement(&mut self, now: Mono, wire: &Placement, change: Option<SquareChange>) {
        self.handle_timeout(now);
        if self.wire.as_ref() == Some(wire) {
            match change {
                // A man taken by its like within one scan is reported, but changes nothing.
                Some(SquareChange {
                    square,
                    piece: Some(piece),
                }) => {
                    let square = if self.turned() == Some(true) {
                        square.rotate_180()
                    } else {
                        square
                    };
                    self.log.touch(self.now, square, Some(piece));
                }
                Some(_) => {}
                None => self.log.confirm(self.now),
            }
            return;
        }
        self.wire = Some(wire.clone());
        self.last_change = self.now;
        self.searched = false;
        self.misread = false;
        self.ambiguous = false;
        self.tried = false;
        self.line_asked = false;
        self.look(change.is_none());
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
        self.runs = Some(mover.other());
        self.log.press(self.now, mover);
        self.count_press(mover);
        self.tried = false;
        self.line_asked = false;
        if self.blind.is_some() {
            // Who pressed for which move is not known before the board is understood.
            self.press = None;
            if let Some(blind) = &mut self.blind {
                blind.looked = false;
            }
            return;
        }
        self.join();
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

    /// The time of [`Tracker::poll_timeout`] has come. Time that runs backwards is ignored.
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

    /// When [`Tracker::handle_timeout`] is due.
    pub fn poll_timeout(&self) -> Option<Mono> {
        self.next_due().map(|(at, _)| at)
    }

    /// The next thing found.
    pub fn poll_event(&mut self) -> Option<TrackEvent> {
        self.events.pop_front()
    }

    /// The position after the last settled move.
    pub fn position(&self) -> &Chess {
        // The start position is never removed.
        &self.positions[self.positions.len() - 1]
    }

    /// The position from which the record starts.
    pub fn start(&self) -> &Chess {
        &self.start
    }

    /// The settled moves. What has been withdrawn is not among them.
    pub fn moves(&self) -> &[MoveMade] {
        &self.made
    }

    /// The settled moves and those that stand on the board complete but could still be undone by letting
    /// go. For live pages; the record takes [`Tracker::moves`].
    pub fn standing(&self) -> Vec<UciMove> {
        let chain = self.standing_chain();
        let keep = chain
            .first()
            .map_or(self.line.len(), |&first| self.nodes.base(first));
        let settled = self.made[..self.base() + keep].iter();
        settled
            .filter_map(|made| made.uci.parse().ok())
            .chain(chain.iter().map(|&id| self.uci_of(self.nodes[id].mv)))
            .collect()
    }

    /// The position after the moves of [`Tracker::standing`].
    pub fn standing_position(&self) -> &Chess {
        let last = self.standing_chain().last().copied();
        last.map_or_else(|| self.position(), |id| &self.nodes[id].after)
    }

    /// What stands on the board, players' view.
    pub fn placement(&self) -> Option<&Placement> {
        self.seen.as_ref()
    }

    /// The board is turned by 180°; `None` while undecided.
    pub fn turned(&self) -> Option<bool> {
        self.turned
    }

    /// The arbiter says how the board stands (adjourned games, Chess960).
    pub fn set_turned(&mut self, turned: bool) {
        self.turned = Some(turned);
        self.settings.turned = Some(turned);
        self.look(true);
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
        self.look(true);
    }

    /// A result stands: nothing is tracked until [`Tracker::rearm`] or [`Tracker::reopen`].
    pub fn set_result(&mut self) {
        self.phase = Phase::Closed { again_told: false };
        self.nodes.clear();
        self.look(true);
    }

    /// The result was annulled: tracking goes on with the game as it stood.
    pub fn reopen(&mut self) {
        self.phase = Phase::Playing { set_up_told: true };
        self.kings = None;
        self.look(true);
    }

    /// What the board shows at this moment.
    pub fn status(&self) -> TrackStatus {
        self.describe()
    }

    /// The FEN of the position after the last settled move.
    pub fn fen(&self) -> String {
        fen_of(self.position())
    }

    /// How castling is read and written in this game.
    fn mode(&self) -> CastlingMode {
        self.settings.start.variant().castling()
    }

    fn uci_of(&self, mv: Move) -> UciMove {
        mv.to_uci(self.mode())
    }

    /// Judges what the board shows; with `whole` it has told of every square.
    fn look(&mut self, whole: bool) {
        let Some(wire) = self.wire.clone() else {
            return;
        };
        let before = self.seen.take();
        self.orient(&wire);
        let seen = if self.turned == Some(true) {
            turned(&wire)
        } else {
            wire
        };
        // What came out of sight has no order, and says nothing of hands.
        let in_sight = self.blind.is_none_or(Blind::is_back);
        if let Some(before) = &before {
            if in_sight {
                self.log.record(self.now, before, &seen, whole);
            }
            self.watch_hands(before, &seen);
        }
        self.seen = Some(seen);
        self.advance();
    }
}

fn fen_of(position: &Chess) -> String {
    Fen::from_position(position, shakmaty::EnPassantMode::Legal).to_string()
}
