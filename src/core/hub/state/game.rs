//! A game as the journal tells it.

use jiff::Timestamp;

use crate::{
    chess::{
        MoveMade,
        game::{Gap, IllegalAttempt, sides},
    },
    hub::event::{BoardFact, BySide, ClockFact, Event, Fact, ResultSource, Times},
    tournament::{GameResult, Termination},
    types::{Color, PlayerNo},
};

/// A game of the current or an earlier round.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// Who has White.
    pub white: PlayerNo,
    /// Who has Black.
    pub black: PlayerNo,
    /// The start position stood on the board.
    pub ready: bool,
    /// White sits at the wire's rank 8; `None` before the start position was seen.
    pub turned: Option<bool>,
    /// The clock has run.
    pub clock_started: bool,
    /// The moves that are known.
    pub moves: Vec<PlayedMove>,
    /// Where moves are missing.
    pub gaps: Vec<Gap>,
    /// What stands on the board is not understood.
    pub disturbed: bool,
    /// Presses since the last one that answered for a recorded move.
    pub ahead: u16,
    /// The last times that the journal has.
    pub times: Option<Times>,
    /// When they were read.
    pub times_at: Option<Timestamp>,
    /// Whose time ran then; `None` when the clock stood.
    pub to_run: Option<Color>,
    /// Fallen flags, first fallen first.
    pub flags: Vec<Color>,
    /// Illegal moves that an arbiter recorded (R-RS-6).
    pub illegal: BySide<u8>,
    /// What was tried against the rules, recorded or not, for the PGN.
    pub attempts: Vec<IllegalAttempt>,
    /// The result that stands.
    pub result: Option<(GameResult, Termination)>,
    /// What that result rests on, when it was noted.
    pub result_source: Option<ResultSource>,
}

/// A half move of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// UCI.
    pub uci: Box<str>,
    /// SAN.
    pub san: Box<str>,
    /// The times after the press.
    pub times: Option<Times>,
}

impl Game {
    pub(super) fn new(white: PlayerNo, black: PlayerNo) -> Self {
        Self {
            white,
            black,
            ready: false,
            turned: None,
            clock_started: false,
            moves: Vec::new(),
            gaps: Vec::new(),
            disturbed: false,
            ahead: 0,
            times: None,
            times_at: None,
            to_run: None,
            flags: Vec::new(),
            illegal: BySide::default(),
            attempts: Vec::new(),
            result: None,
            result_source: None,
        }
    }

    pub(super) fn apply(&mut self, event: &Event) {
        let before = self.times;
        self.apply_fact(&event.fact);
        if self.times != before || matches!(event.fact, Fact::Press { .. } | Fact::Clock(_)) {
            self.times_at = Some(event.at);
        }
    }

    fn apply_fact(&mut self, fact: &Fact) {
        match fact {
            Fact::Board(BoardFact::Ready { turned }) => {
                self.ready = true;
                self.turned = Some(*turned);
                // The start position again in mid-game is a game begun anew (quirk 21).
                self.moves.clear();
                self.gaps.clear();
                self.disturbed = false;
            }
            Fact::Board(BoardFact::ReadyAssumed) => {
                self.ready = true;
                self.moves.clear();
                self.gaps.clear();
                self.disturbed = false;
            }
            Fact::Board(BoardFact::Disturbed { .. }) => self.disturbed = true,
            Fact::Board(BoardFact::Restored) => self.disturbed = false,
            Fact::Board(BoardFact::Gap { after, fen }) => {
                self.disturbed = false;
                self.ahead = 0;
                Gap::add(&mut self.gaps, *after, fen.clone());
            }
            Fact::Board(BoardFact::GapClosed { after }) => {
                self.gaps.retain(|gap| gap.after != *after);
            }
            Fact::Move(made) => self.push(made),
            Fact::Withdrawn { ply, replaced_by } => {
                self.moves.truncate(usize::from(*ply).saturating_sub(1));
                self.gaps.retain(|gap| gap.after < *ply);
                if let Some(made) = replaced_by {
                    self.push(made);
                }
            }
            Fact::IllegalClaim(claim) => {
                self.disturbed = true;
                self.attempts.push(IllegalAttempt {
                    ply: claim.ply,
                    side: claim.side,
                    offending: claim.offending.clone(),
                    placement: claim.seen.clone(),
                });
            }
            Fact::Press { ply, side, times } => {
                self.times = Some(*times);
                self.to_run = Some(side.other());
                let index = usize::from(*ply).checked_sub(1);
                let mover = index.and_then(|index| self.sides().nth(index));
                // A press after moves that were missed belongs to none that is recorded.
                if mover == Some(*side) && self.ahead == 0 {
                    if let Some(played) = index.and_then(|index| self.moves.get_mut(index)) {
                        played.times = Some(*times);
                    }
                } else {
                    self.ahead = self.ahead.saturating_add(1);
                }
            }
            Fact::Clock(fact) => match fact {
                ClockFact::Started(times) | ClockFact::Restarted(times) => {
                    self.clock_started = true;
                    self.times = Some(*times);
                }
                ClockFact::Stopped(times) => {
                    self.times = Some(*times);
                    self.to_run = None;
                }
                ClockFact::Sample(times) => self.times = Some(*times),
                ClockFact::Gone
                | ClockFact::Back
                | ClockFact::BatteryLow
                | ClockFact::SideDoubt
                | ClockFact::AddedAfterFlag { .. } => {}
            },
            Fact::Flag { side, times, .. } => {
                self.times = Some(*times);
                if !self.flags.contains(side) {
                    self.flags.push(*side);
                }
            }
            Fact::Correction { after, .. } => {
                self.times = Some(*after);
                // A time put back takes the fallen flag with it.
                self.flags.retain(|side| after.of(*side).is_zero());
            }
            Fact::Result {
                result,
                termination,
                source,
                ..
            } => {
                self.result = Some((*result, *termination));
                self.result_source = *source;
            }
            Fact::Board(_)
            | Fact::Event(_)
            | Fact::Round(_)
            | Fact::Player(_)
            | Fact::Announce { .. }
            | Fact::Device(_)
            | Fact::Call { .. }
            | Fact::Proposal(_)
            | Fact::Decision { .. }
            | Fact::Alert(_)
            | Fact::Incident { .. } => {}
        }
    }

    fn push(&mut self, made: &MoveMade) {
        self.ahead = 0;
        self.moves.truncate(usize::from(made.ply).saturating_sub(1));
        let (uci, san) = (made.uci.as_str().into(), made.san.as_str().into());
        self.moves.push(PlayedMove {
            uci,
            san,
            times: None,
        });
    }

    /// Who made each of the moves, and then who is to move.
    pub fn sides(&self) -> impl Iterator<Item = Color> + '_ {
        sides(None, &self.gaps)
    }

    /// The side to move by the moves that are known.
    pub fn turn(&self) -> Color {
        self.sides().nth(self.moves.len()).unwrap_or(Color::White)
    }
}
