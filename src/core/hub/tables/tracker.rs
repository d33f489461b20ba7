//! The two kinds of board as one: those that know their men, and those that know occupied squares only.

use shakmaty::{Chess, Position as _, uci::UciMove};

use crate::{
    chess::{
        OccupancyTracker, TrackEvent, Tracker, TrackerSettings, Witness, occupancy::AnswerError,
        tracker::RestoreError,
    },
    protocol::{Observation, SquareChange, Touch},
    types::{Bitboard, Color, Mono, Placement},
};

/// What a board knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// Which man stands where.
    #[default]
    Men,
    /// Which squares are occupied.
    Squares,
}

/// What a board shows, in the wire's numbering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::hub) enum Picture {
    Men(Placement),
    Squares(Bitboard),
}

impl Picture {
    pub(super) fn of(observation: &Observation) -> Option<Self> {
        match observation {
            Observation::Placement { placement, .. } => Some(Self::Men(placement.clone())),
            Observation::Occupancy { occupied, .. } => Some(Self::Squares(*occupied)),
            _ => None,
        }
    }

    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Men(_) => Kind::Men,
            Self::Squares(_) => Kind::Squares,
        }
    }
}

/// The change that led to a picture.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    Man(SquareChange),
    Touch(Touch),
}

impl Change {
    pub(super) fn of(observation: &Observation) -> Option<Self> {
        match observation {
            Observation::Placement { change, .. } => change.map(Self::Man),
            Observation::Occupancy { change, .. } => change.map(Self::Touch),
            _ => None,
        }
    }
}

/// The tracker of a table's board. Chosen by what the board shows first.
#[derive(Debug)]
pub(super) enum BoardTracker {
    Men(Box<Tracker>),
    Squares(Box<OccupancyTracker>),
}

/// Calls the same method of whichever tracker it is.
macro_rules! either {
    ($self:ident, $tracker:ident => $call:expr) => {
        match $self {
            Self::Men($tracker) => $call,
            Self::Squares($tracker) => $call,
        }
    };
}

impl BoardTracker {
    pub(super) fn new(kind: Kind, settings: TrackerSettings) -> Self {
        match kind {
            Kind::Men => Self::Men(Box::new(Tracker::new(settings))),
            Kind::Squares => Self::Squares(Box::new(OccupancyTracker::new(settings))),
        }
    }

    pub(super) fn restore(
        kind: Kind,
        settings: TrackerSettings,
        start: Option<&str>,
        moves: &[UciMove],
        gaps: &[(u16, &str)],
        turned: Option<bool>,
    ) -> Result<Self, RestoreError> {
        Ok(match kind {
            Kind::Men => Self::Men(Box::new(Tracker::restore_with_gaps(
                settings, start, moves, gaps, turned,
            )?)),
            Kind::Squares => Self::Squares(Box::new(OccupancyTracker::restore_with_gaps(
                settings, start, moves, gaps, turned,
            )?)),
        })
    }

    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Men(_) => Kind::Men,
            Self::Squares(_) => Kind::Squares,
        }
    }

    /// A picture; one of the other kind is not for this tracker.
    pub(super) fn handle_picture(&mut self, now: Mono, picture: &Picture, change: Option<Change>) {
        match (self, picture) {
            (Self::Men(tracker), Picture::Men(placement)) => {
                let change = match change {
                    Some(Change::Man(change)) => Some(change),
                    _ => None,
                };
                tracker.handle_placement(now, placement, change);
            }
            (Self::Squares(tracker), Picture::Squares(occupied)) => {
                let change = match change {
                    Some(Change::Touch(touch)) => Some(touch),
                    _ => None,
                };
                tracker.handle_occupancy(now, *occupied, change);
            }
            (Self::Men(_), Picture::Squares(_)) | (Self::Squares(_), Picture::Men(_)) => {}
        }
    }

    /// An arbiter's word on the moves; a board that knows its men needs none.
    pub(super) fn answer(&mut self, now: Mono, moves: &[UciMove]) -> Result<(), AnswerError> {
        match self {
            Self::Men(_) => Err(AnswerError::Nothing),
            Self::Squares(tracker) => tracker.answer(now, moves),
        }
    }

    /// Moves are missing from the record, or may be.
    pub(super) fn has_lost_track(&self) -> bool {
        either!(self, it => it.has_lost_track())
    }

    /// The position with the moves that stand on the board complete, settled or not.
    pub(super) fn standing_position(&self) -> Chess {
        match self {
            Self::Men(tracker) => tracker.standing_position().clone(),
            Self::Squares(tracker) => {
                let mut position = tracker.start().clone();
                for uci in tracker.standing() {
                    match uci.to_move(&position) {
                        Ok(mv) => position.play_unchecked(mv),
                        // After a gap the moves do not follow from the start.
                        Err(_) => return tracker.position().clone(),
                    }
                }
                position
            }
        }
    }

    pub(super) fn handle_press(&mut self, now: Mono, mover: Color) {
        either!(self, it => it.handle_press(now, mover));
    }

    pub(super) fn handle_clock_running(&mut self, now: Mono, running: bool) {
        either!(self, it => it.handle_clock_running(now, running));
    }

    pub(super) fn handle_runs(&mut self, now: Mono, side: Color) {
        either!(self, it => it.handle_runs(now, side));
    }

    pub(super) fn handle_witness(&mut self, now: Mono, witness: Witness) {
        either!(self, it => it.handle_witness(now, witness));
    }

    pub(super) fn handle_outage(&mut self, now: Mono) {
        either!(self, it => it.handle_outage(now));
    }

    /// The board remembers what happened out of sight.
    pub(super) fn handle_recalled(&mut self, now: Mono) {
        match self {
            Self::Men(tracker) => tracker.handle_recalled(now),
            // No such board has a memory that is read.
            Self::Squares(_) => {}
        }
    }

    pub(super) fn handle_missed(&mut self, now: Mono, since: Mono) {
        either!(self, it => it.handle_missed(now, since));
    }

    pub(super) fn handle_end(&mut self, now: Mono) {
        either!(self, it => it.handle_end(now));
    }

    pub(super) fn handle_timeout(&mut self, now: Mono) {
        either!(self, it => it.handle_timeout(now));
    }

    pub(super) fn poll_timeout(&self) -> Option<Mono> {
        either!(self, it => it.poll_timeout())
    }

    pub(super) fn poll_event(&mut self) -> Option<TrackEvent> {
        either!(self, it => it.poll_event())
    }

    pub(super) fn in_sight(&self) -> bool {
        either!(self, it => it.in_sight())
    }

    pub(super) fn was_disturbed(&mut self) {
        either!(self, it => it.was_disturbed());
    }

    pub(super) fn set_result(&mut self) {
        either!(self, it => it.set_result());
    }

    pub(super) fn position(&self) -> &Chess {
        either!(self, it => it.position())
    }

    pub(super) fn placement(&self) -> Option<&Placement> {
        either!(self, it => it.placement())
    }

    pub(super) fn fen(&self) -> String {
        either!(self, it => it.fen())
    }

    /// The result was none: a tracker that follows several readings goes on with them.
    pub(super) fn reopen(&mut self) -> bool {
        match self {
            Self::Men(_) => false,
            Self::Squares(tracker) => {
                tracker.reopen();
                true
            }
        }
    }
}
