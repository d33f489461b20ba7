//! The record of one game: moves, the clock after each, and what was tried against the rules.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use super::{MoveMade, TrackEvent, Variant};
use crate::{
    clock::Times,
    types::{color, millis},
};

/// A move with both times after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedMove {
    /// The move.
    #[serde(flatten)]
    pub made: MoveMade,
    /// Both times after it; `None` when no clock told them. Never worked out from others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<Times>,
    /// How long the mover thought by his clock; `None` unless it proves it.
    #[serde(
        rename = "spent_ms",
        with = "millis::option",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub spent: Option<Duration>,
}

/// A move that the rules forbid, kept beside the record and never in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IllegalAttempt {
    /// The half-move that was to be made.
    pub ply: u16,
    /// Who made it.
    #[serde(with = "color")]
    pub side: Color,
    /// From and to square, e.g. `a1a4`.
    pub offending: String,
    /// Placement that it led to.
    pub placement: String,
    /// The last legal position was put back, or the move exchanged for a legal one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restored: bool,
    /// Gaps in the record before it: they tell which part of the game it belongs to.
    #[serde(default)]
    pub gaps: u16,
}

impl IllegalAttempt {
    /// An attempt in a record with these gaps.
    pub fn new(ply: u16, side: Color, offending: &str, placement: &str, gaps: &[Gap]) -> Self {
        Self {
            ply,
            side,
            offending: offending.to_owned(),
            placement: placement.to_owned(),
            restored: false,
            gaps: gaps.len() as u16,
        }
    }
}

/// A place where moves are missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// Half-moves recorded before it.
    pub after: u16,
    /// FEN of the position from which the game went on; `None` when the game ended before it was known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
}

impl Gap {
    /// Takes a gap into the list: a second one at the same place is a better word on the first, unless it
    /// knows less.
    pub fn add(gaps: &mut Vec<Self>, after: u16, fen: Option<String>) {
        match gaps.iter_mut().find(|gap| gap.after == after) {
            Some(known) if fen.is_some() => known.fen = fen,
            Some(_) => {}
            None => gaps.push(Self { after, fen }),
        }
    }

    /// Takes a gap out: nothing was missing there.
    pub fn close<'a>(
        gaps: &mut Vec<Self>,
        attempts: impl Iterator<Item = &'a mut IllegalAttempt>,
        after: u16,
    ) {
        let Some(at) = gaps.iter().position(|gap| gap.after == after) else {
            return;
        };
        gaps.remove(at);
        for attempt in attempts.filter(|attempt| usize::from(attempt.gaps) > at) {
            attempt.gaps -= 1;
        }
    }

    fn turn(&self) -> Option<Color> {
        turn_of(self.fen.as_deref()?)
    }
}

fn turn_of(fen: &str) -> Option<Color> {
    let side = fen.split(' ').nth(1)?;
    Some(if side == "b" {
        Color::Black
    } else {
        Color::White
    })
}

/// Who made each half-move of a record that starts from `start` and has these gaps, without end.
pub fn sides<'a>(start: Option<&str>, gaps: &'a [Gap]) -> impl Iterator<Item = Color> + 'a {
    let first = start.and_then(turn_of).unwrap_or(Color::White);
    (0_usize..).scan(first, move |turn, index| {
        let gap = gaps.iter().find(|gap| usize::from(gap.after) == index);
        let side = gap.and_then(Gap::turn).unwrap_or(*turn);
        *turn = side.other();
        Some(side)
    })
}

/// One game as it was played. A fold of [`TrackEvent`]s.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// FEN of the first position; `None` for the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// By which rules; Chess960 castles otherwise.
    #[serde(default, skip_serializing_if = "Variant::is_standard")]
    pub variant: Variant,
    /// The moves in order.
    pub moves: Vec<RecordedMove>,
    /// Illegal attempts in order of time.
    #[serde(default)]
    pub illegal: Vec<IllegalAttempt>,
    /// Where moves are missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<Gap>,
}

impl GameRecord {
    /// Takes over what an event says of the moves. `times` are what the clock shows now; they are put to
    /// the move that the event brings.
    pub fn apply(&mut self, event: &TrackEvent, times: Option<Times>) {
        match event {
            TrackEvent::Move(made) => self.push(made, times),
            TrackEvent::Withdrawn {
                from_ply,
                replaced_by,
                ..
            } => {
                self.moves.truncate(usize::from(from_ply.saturating_sub(1)));
                self.gaps.retain(|gap| gap.after < *from_ply);
                if let Some(made) = replaced_by {
                    self.push(made, times);
                }
            }
            TrackEvent::Illegal {
                ply,
                mover,
                offending,
                placement,
                ..
            } => {
                let attempt = IllegalAttempt::new(*ply, *mover, offending, placement, &self.gaps);
                self.illegal.push(attempt);
            }
            TrackEvent::IllegalResolved { .. } => {
                if let Some(last) = self.illegal.last_mut() {
                    last.restored = true;
                }
            }
            TrackEvent::StartsFrom { fen, variant, .. } => {
                self.start = Some(fen.clone());
                self.variant = *variant;
            }
            TrackEvent::Gap { after, fen } => Gap::add(&mut self.gaps, *after, fen.clone()),
            TrackEvent::GapClosed { after } => {
                Gap::close(&mut self.gaps, self.illegal.iter_mut(), *after);
            }
            _ => {}
        }
    }

    /// The clock told the times after a move later than the board told the move.
    pub fn set_times(&mut self, ply: u16, times: Times) {
        let index = usize::from(ply).checked_sub(1);
        if let Some(recorded) = index.and_then(|index| self.moves.get_mut(index)) {
            recorded.times = Some(times);
        }
    }

    fn push(&mut self, made: &MoveMade, times: Option<Times>) {
        self.moves.push(RecordedMove {
            made: made.clone(),
            times,
            spent: None,
        });
    }
}
