//! The record: what was told, and what follows from it.

use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, fen::Fen, san::SanPlus};

use crate::{
    chess::{
        MoveMade,
        result::{BoardEnd, Outcome, proved_end},
    },
    types::Mono,
};

use super::branch::Step;

/// A move of the record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settled {
    pub(super) mv: Move,
    /// The lever bore it out, perhaps only after it was told.
    pub(super) pressed: bool,
    pub(super) told: Mono,
}

/// The settled moves.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) start: Chess,
    /// The start of the present stretch and the position after each of its moves.
    pub(super) positions: Vec<Chess>,
    pub(super) line: Vec<Settled>,
    /// The moves of all stretches.
    pub(super) made: Vec<MoveMade>,
}

impl Record {
    pub(super) fn new(start: Chess) -> Self {
        Self {
            positions: vec![start.clone()],
            start,
            line: Vec::new(),
            made: Vec::new(),
        }
    }

    pub(super) fn tip(&self) -> &Chess {
        // The start of the stretch is never removed.
        &self.positions[self.positions.len() - 1]
    }

    /// The position before the last move, and that move.
    pub(super) fn previous(&self) -> Option<(Chess, Move)> {
        let last = self.line.last()?;
        Some((self.positions[self.line.len() - 1].clone(), last.mv))
    }

    pub(super) fn plies(&self) -> u16 {
        u16::try_from(self.made.len()).unwrap_or(u16::MAX)
    }

    /// How many moves lie before the present stretch.
    pub(super) fn base(&self) -> usize {
        self.made.len() - self.line.len()
    }

    /// The game went on from here after moves that are missing.
    pub(super) fn go_on_from(&mut self, position: Chess) {
        self.positions = vec![position];
        self.line.clear();
    }

    pub(super) fn append(&mut self, step: Step, now: Mono) -> MoveMade {
        let mut position = self.tip().clone();
        let side = position.turn();
        let san = SanPlus::from_move_and_play_unchecked(&mut position, step.mv);
        self.positions.push(position);
        self.line.push(Settled {
            mv: step.mv,
            pressed: step.pressed,
            told: now,
        });
        let made = MoveMade {
            ply: self.plies() + 1,
            side,
            uci: uci_of(step.mv),
            san: san.to_string(),
            pressed: step.pressed,
            inferred: step.inferred,
            at: step.at,
        };
        self.made.push(made.clone());
        made
    }

    /// Removes every move of the stretch after the first `plies`; returns them.
    pub(super) fn cut(&mut self, plies: usize) -> Vec<String> {
        let base = self.base();
        self.line.truncate(plies);
        self.positions.truncate(plies + 1);
        self.made
            .drain(base + plies..)
            .map(|made| made.uci)
            .collect()
    }

    pub(super) fn proved_over(&self) -> Option<(u16, BoardEnd, Outcome)> {
        proved_end(&self.positions).map(|(reason, outcome)| (self.plies(), reason, outcome))
    }
}

pub(super) fn uci_of(mv: Move) -> String {
    mv.to_uci(CastlingMode::Standard).to_string()
}

pub(super) fn fen_of(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}
