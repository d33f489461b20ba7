//! Where the game stands for the tracker: set-up, play, result shown, closed.

use shakmaty::{Bitboard, Position};

use super::{
    ClockState, HOME, OccupancyTracker,
    branch::Stand,
    fit::{HANDS, unfinished},
    record::{fen_of, uci_of},
};
use crate::chess::{Note, TrackEvent, TrackStatus};

/// How far back a returned position is looked for.
const BACK: usize = 8;

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

impl OccupancyTracker {
    /// Judges the occupancy that has just come.
    pub(super) fn advance(&mut self) {
        let Some(wire) = self.wire else { return };
        match self.phase {
            Phase::Waiting { .. } if wire == HOME => {
                self.phase = Phase::Playing { set_up_told: false };
                self.read_anew();
                self.judge(wire);
            }
            Phase::Waiting { .. } => {
                self.phase = Phase::Waiting { wrong_told: false };
            }
            Phase::Closed { again_told } => {
                self.phase = Phase::Closed {
                    again_told: again_told && wire == HOME,
                };
            }
            Phase::Shown => {
                self.watch_kings();
                for branch in &mut self.branches {
                    let rest = branch.tip().board().occupied() == branch.view(wire);
                    branch.stand = if rest { Stand::Rest } else { Stand::Other };
                }
            }
            Phase::Playing { .. } if self.blind.is_some() => self.look_again(wire),
            Phase::Playing { .. } => self.judge(wire),
        }
        self.refresh_view();
    }

    fn judge(&mut self, wire: Bitboard) {
        if self.gone_on {
            self.watch_restored(wire);
            return;
        }
        let (now, certain) = (self.now, self.unexplained);
        for branch in &mut self.branches {
            branch.look(wire, now, certain);
            branch.trim();
        }
        self.watch_kings();
        self.watch_sight();
        let rest = self.is_rest();
        if self.resting && !rest {
            self.left_rest = self.now;
            self.hinted = false;
        }
        self.note_adjusted(rest);
        self.resting = rest;
        if rest {
            // Readings that stand elsewhere have lost.
            if self.turned.is_some() || !self.record.made.is_empty() {
                self.keep_resting();
            }
        } else if self.set_up_was_left() {
            self.phase = Phase::Waiting { wrong_told: false };
            self.turned = self.settings.turned;
            self.read_anew();
            return;
        } else {
            self.judge_shown();
        }
        self.apply_press();
    }

    fn keep_resting(&mut self) {
        let before = self.branches.len();
        self.branches.retain(|branch| branch.stand == Stand::Rest);
        if self.branches.len() == before {
            return;
        }
        if let (None, [only]) = (self.turned, self.branches.as_slice()) {
            self.turned = Some(only.turned);
        }
        self.commit(Vec::new());
    }

    fn note_adjusted(&mut self, rest: bool) {
        let lifted = self.lifted_only();
        if let (Some((squares, since)), true) = (self.lifted, rest)
            && self.now.since(since) >= self.settings.dwell / 2
            && self.turned.is_some()
        {
            let squares = squares.into_iter().map(|s| s.to_string()).collect();
            self.events
                .push_back(TrackEvent::Note(Note::Adjusted { squares }));
        }
        self.lifted = match (lifted, self.lifted) {
            (Some(squares), Some((_, since))) => Some((squares, since)),
            (Some(squares), None) => Some((squares, self.now)),
            (None, _) => None,
        };
    }

    /// Men that are off the board, when nothing else differs.
    pub(super) fn lifted_only(&self) -> Option<Bitboard> {
        let (gone, come) = self.difference()?;
        (come.is_empty() && gone.any() && gone.count() <= HANDS).then_some(gone)
    }

    /// The start position was only passed through while men were being set up.
    fn set_up_was_left(&self) -> bool {
        let differ = self.wire.map_or(0, |wire| (wire ^ HOME).count());
        self.phase == Phase::Playing { set_up_told: false }
            && self.record.made.is_empty()
            && self.branches.iter().all(|branch| branch.moves.is_empty())
            && differ > 4
    }

    pub(super) fn tell_set_up(&mut self) {
        if self.phase != (Phase::Playing { set_up_told: false }) {
            return;
        }
        self.phase = Phase::Playing { set_up_told: true };
        self.events.push_back(match self.turned {
            Some(turned) => TrackEvent::SetUp { turned },
            None => TrackEvent::StartAssumed,
        });
    }

    /// Home squares without a man, when nearly all stand.
    pub(super) fn missing_at_home(&self) -> Option<Bitboard> {
        let wire = self.wire?;
        let missing = HOME & !wire;
        (missing.any() && missing.count() <= HANDS).then_some(missing)
    }

    pub(super) fn tell_wrong_set_up(&mut self) {
        self.phase = Phase::Waiting { wrong_told: true };
        let (Some(missing), Some(wire)) = (self.missing_at_home(), self.wire) else {
            return;
        };
        // Unless it is known which side White has, a square and the opposite one are the same.
        let name = |square: shakmaty::Square| match self.turned {
            Some(true) => square.rotate_180().to_string(),
            Some(false) => square.to_string(),
            None => format!("{square} (or {})", square.rotate_180()),
        };
        let names: Vec<_> = missing.into_iter().map(name).collect();
        let seat = self.turned == Some(true);
        let mut board = shakmaty::Board::new();
        let seen = if seat { wire.rotate_180() } else { wire };
        for square in board.occupied() & !seen {
            board.discard_piece_at(square);
        }
        self.events.push_back(TrackEvent::WrongSetUp {
            detail: format!("no man is seen on {}", names.join(" and ")),
            placement: board.to_string(),
        });
    }

    /// Players reset within the first moves: the same game begins again. Later the game is over.
    pub(super) fn start_means_over(&self) -> bool {
        let played = usize::from(self.record.plies())
            + self
                .branches
                .iter()
                .map(|b| b.moves.len())
                .max()
                .unwrap_or(0);
        let own_start = self.record.positions[0].board().occupied() == HOME;
        !own_start || played >= 4 || (played >= 2 && self.clock != ClockState::Unknown)
    }

    /// All home squares are taken again, and no move explains that.
    pub(super) fn stands_at_start(&self) -> bool {
        let begun = !self.record.made.is_empty()
            || self.branches.iter().any(|branch| !branch.moves.is_empty());
        self.wire == Some(HOME) && begun && self.start_means_over() && !self.is_rest()
    }

    /// The start position stands again.
    pub(super) fn tell_start_again(&mut self) {
        let known = !matches!(self.phase, Phase::Playing { .. }) || self.over.is_some();
        let plies = self.record.plies();
        if matches!(self.phase, Phase::Playing { .. }) {
            self.tell_lost_end();
        }
        if !known {
            let final_fen = fen_of(self.record.tip());
            self.events
                .push_back(TrackEvent::ResultMissing { final_fen, plies });
        }
        self.events.push_back(TrackEvent::StartAgain { plies });
        self.phase = Phase::Closed { again_told: true };
        for branch in &mut self.branches {
            branch.forget();
        }
    }

    /// The board shows an earlier position in every reading: so many moves of the record and of each
    /// reading's own would be gone.
    pub(super) fn back(&self) -> Option<usize> {
        let wire = self.wire?;
        let mut all = self.branches.iter().map(|branch| {
            let seen = branch.view(wire);
            let own = branch.positions[1..].iter();
            let line: Vec<_> = self.record.positions.iter().chain(own).collect();
            let last = line.len() - 1;
            (1..=BACK.min(last)).find(|back| line[last - back].board().occupied() == seen)
        });
        let first = all.next()??;
        all.all(|back| back == Some(first)).then_some(first)
    }

    /// Takes the last so many moves back.
    pub(super) fn take_back(&mut self, back: usize) {
        let own = self.branches.iter().map(|branch| branch.moves.len());
        let fewest = own.min().unwrap_or(0);
        if back > fewest {
            let plies = self.record.line.len().saturating_sub(back - fewest);
            self.withdraw(plies);
        } else {
            self.understood(false);
            let mut kept: Vec<super::Branch> = Vec::new();
            for branch in std::mem::take(&mut self.branches) {
                let mut next = super::Branch::new(branch.positions[0].clone(), branch.turned);
                let left = branch.moves.len() - back;
                next.moves = branch.moves[..left].to_vec();
                next.positions = branch.positions[..=left].to_vec();
                let same = |other: &super::Branch| {
                    other.moves.len() == left
                        && other
                            .moves
                            .iter()
                            .zip(&next.moves)
                            .all(|(a, b)| a.mv == b.mv)
                };
                if !kept.iter().any(same) {
                    kept.push(next);
                }
            }
            self.branches = kept;
            self.commit(Vec::new());
        }
        self.advance();
    }

    /// A legal move that lacks its last step.
    pub(super) fn unfinished(&self) -> Option<shakmaty::Move> {
        let wire = self.wire?;
        self.branches.iter().find_map(|branch| {
            let occupied = branch.view(wire);
            let shown = branch.shown.iter().map(super::branch::Shown::after);
            shown
                .chain([branch.tip()])
                .find_map(|position| unfinished(position, occupied))
        })
    }

    pub(super) fn describe(&self) -> TrackStatus {
        let names = |squares: Bitboard| squares.into_iter().map(|s| s.to_string()).collect();
        if self.wire.is_none() {
            return TrackStatus::NoBoard;
        }
        match self.phase {
            Phase::Waiting { .. } => return TrackStatus::Waiting,
            Phase::Closed { .. } => return TrackStatus::Closed,
            Phase::Playing { .. } | Phase::Shown => {}
        }
        if let Some(sign) = self.kings {
            return TrackStatus::KingsShow {
                outcome: sign.outcome,
            };
        }
        if let Some(asked) = &self.asked {
            return TrackStatus::Asking {
                ply: asked.ply,
                moves: asked.moves.clone(),
            };
        }
        if self.is_rest() {
            return TrackStatus::AtRest;
        }
        let sure: Vec<_> = self
            .best()
            .into_iter()
            .filter(|&place| self.cost(place) == 0)
            .collect();
        if let [place] = sure.as_slice() {
            let steps = self.shown(*place).steps.iter();
            let moves = steps.map(|step| uci_of(step.mv)).collect();
            return TrackStatus::Provisional { moves };
        }
        if let Some(squares) = self.lifted_only() {
            return TrackStatus::InHand {
                squares: names(squares),
            };
        }
        if let Some(mv) = self.unfinished() {
            return TrackStatus::Unfinished { uci: uci_of(mv) };
        }
        if self.stands_at_start() {
            return TrackStatus::StartAgain;
        }
        if let Some(back) = self.back() {
            let plies = usize::from(self.record.plies()).saturating_sub(back);
            return TrackStatus::TakenBack {
                plies: u16::try_from(plies).unwrap_or(u16::MAX),
            };
        }
        let (gone, come) = self.difference().unwrap_or_default();
        TrackStatus::Disturbed {
            squares: u8::try_from((gone | come).count()).unwrap_or(u8::MAX),
        }
    }
}
