//! From occupied squares, lifts, presses and time to moves, claims and results.
//!
//! For boards that do not know their men. An occupancy says less than a placement: a man in the
//! hand looks like a man that has taken, a promoted pawn may have become anything, and the start position
//! looks the same from both sides.
//!
//! The tracker is a sans-I/O object: after each `handle_*` call drain
//! [`OccupancyTracker::poll_event`], then arm a timer for [`OccupancyTracker::poll_timeout`].

use std::collections::VecDeque;

use shakmaty::{Bitboard, CastlingMode, Chess, Color, EnPassantMode, fen::Fen, uci::UciMove};

use super::{
    MoveMade, TrackEvent, TrackStatus, TrackerSettings,
    tracker::{RestoreError, Witness},
};
use crate::{
    protocol::Touch,
    types::{Mono, Placement},
};

/// Tracks one board that knows occupied and empty squares only. See the
/// [module documentation](self).
#[derive(Clone, Debug)]
pub struct OccupancyTracker {
    settings: TrackerSettings,
    start: Chess,
    tip: Chess,
    made: Vec<MoveMade>,
    turned: Option<bool>,
    now: Mono,
    events: VecDeque<TrackEvent>,
}

impl OccupancyTracker {
    /// A tracker that waits for the start position.
    pub fn new(settings: TrackerSettings) -> Self {
        Self {
            turned: settings.turned,
            settings,
            start: Chess::default(),
            tip: Chess::default(),
            made: Vec::new(),
            now: Mono::ZERO,
            events: VecDeque::new(),
        }
    }

    /// Rebuilds a game in progress: from the journal, or from a position that an arbiter set.
    ///
    /// # Errors
    /// The start position or one of the moves is not legal.
    pub fn restore(
        settings: TrackerSettings,
        start: Option<&str>,
        _moves: &[UciMove],
        turned: Option<bool>,
    ) -> Result<Self, RestoreError> {
        let mut tracker = Self::new(settings);
        tracker.turned = turned.or(tracker.turned);
        if let Some(fen) = start {
            let position = fen
                .parse::<Fen>()
                .ok()
                .and_then(|parsed| parsed.into_position(CastlingMode::Standard).ok());
            tracker.start = position.ok_or_else(|| RestoreError::Start(fen.to_owned()))?;
        }
        Ok(tracker)
    }

    /// The occupied squares in the wire's numbering; `change` is the update that led to it, `None` for a
    /// dump. Every picture in between must come here too, in order.
    pub fn handle_occupancy(&mut self, now: Mono, _occupied: Bitboard, _change: Option<Touch>) {
        self.handle_timeout(now);
    }

    /// The lever changed: `mover` pressed, having moved.
    pub fn handle_press(&mut self, now: Mono, _mover: Color) {
        self.handle_timeout(now);
    }

    /// The clock runs or stands. Moves made while it stands wait for it to run again.
    pub fn handle_clock_running(&mut self, now: Mono, _running: bool) {
        self.handle_timeout(now);
    }

    /// From now on the board was not seen.
    pub fn handle_outage(&mut self, now: Mono) {
        self.handle_timeout(now);
    }

    /// The clock's word on an outage.
    pub fn handle_witness(&mut self, now: Mono, _witness: Witness) {
        self.handle_timeout(now);
    }

    /// The time of [`Self::poll_timeout`] has come. Time that runs backwards is ignored.
    pub fn handle_timeout(&mut self, now: Mono) {
        self.now = self.now.max(now);
    }

    /// When [`Self::handle_timeout`] is due.
    pub fn poll_timeout(&self) -> Option<Mono> {
        None
    }

    /// The next thing found.
    pub fn poll_event(&mut self) -> Option<TrackEvent> {
        self.events.pop_front()
    }

    /// The settled moves.
    pub fn moves(&self) -> &[MoveMade] {
        &self.made
    }

    /// The settled moves and those that stand on the board complete.
    pub fn standing(&self) -> Vec<UciMove> {
        let settled = self.made.iter();
        settled.filter_map(|made| made.uci.parse().ok()).collect()
    }

    /// The position after the last settled move.
    pub fn position(&self) -> &Chess {
        &self.tip
    }

    /// The position from which the record starts.
    pub fn start(&self) -> &Chess {
        &self.start
    }

    /// What stands on the board by the record, when the occupied squares agree with it.
    pub fn placement(&self) -> Option<&Placement> {
        None
    }

    /// The board is turned by 180°; `None` while undecided.
    pub fn turned(&self) -> Option<bool> {
        self.turned
    }

    /// The arbiter says how the board stands.
    pub fn set_turned(&mut self, turned: bool) {
        self.turned = Some(turned);
        self.settings.turned = Some(turned);
    }

    /// What the board shows at this moment.
    pub fn status(&self) -> TrackStatus {
        TrackStatus::NoBoard
    }

    /// The FEN of the position after the last settled move.
    pub fn fen(&self) -> String {
        Fen::from_position(&self.tip, EnPassantMode::Legal).to_string()
    }
}
