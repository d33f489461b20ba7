//! A game as the journal tells it.

use std::{collections::BTreeMap, time::Duration};

use jiff::Timestamp;

use crate::{
    chess::{
        MoveMade, Start, Variant,
        game::{Gap, IllegalAttempt, sides},
    },
    clock::{
        TimeControl, WrongKind,
        spent::{spent, used_at_rest},
    },
    hub::event::{
        BoardFact, BySide, ClockFact, CorrectionFact, CorrectionOrder, Event, Fact, FlagOrder,
        Passed, ResultSource, Times,
    },
    protocol::{ClockCommandOutcome, ClockSide},
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
    /// Where it starts when not from the usual position.
    pub start: Option<GameStart>,
    /// The clock has run.
    pub clock_started: bool,
    /// The moves that are known.
    pub moves: Vec<PlayedMove>,
    /// Where moves are missing.
    pub gaps: Vec<Gap>,
    /// What stands on the board is not understood.
    pub disturbed: bool,
    /// What the board cannot tell, until moves or an arbiter do.
    pub question: Option<Question>,
    /// Presses since the last one that answered for a recorded move.
    pub ahead: u16,
    /// The one press since then, when it is that of the side to move: its move may be settled later.
    pub early: Option<Early>,
    /// The last times that the journal has.
    pub times: Option<Times>,
    /// When they were read.
    pub times_at: Option<Timestamp>,
    /// Whose time ran then; `None` when the clock stood.
    pub to_run: Option<Color>,
    /// Fallen flags, first fallen first.
    pub flags: Vec<Color>,
    /// Which of them fell first is not known: the clock shows it (R-CK-1).
    pub flags_unordered: bool,
    /// Illegal moves that an arbiter recorded (R-RS-6).
    pub illegal: BySide<u8>,
    /// Moves with the wrong hand that an arbiter recorded (R-RS-7).
    pub hands: BySide<u8>,
    /// What was tried against the rules, unless an arbiter found that it was not, for the PGN.
    pub attempts: Vec<Attempt>,
    /// When the clock was first seen running, and the times then.
    pub clock_from: Option<(Timestamp, Times)>,
    /// Since the last press nobody's time stood still or was changed.
    pub steady: bool,
    /// Periods that are over.
    pub periods: BySide<u8>,
    /// By the moves the clock stands the other way round.
    pub white_side: Option<ClockSide>,
    /// What is set wrongly on the clock, in words.
    pub wrong_settings: BTreeMap<WrongKind, String>,
    /// A correction that is not on the clock yet.
    pub correction: Option<OpenCorrection>,
    /// The result that stands.
    pub result: Option<(GameResult, Termination)>,
    /// When that result was recorded.
    pub result_at: Option<Timestamp>,
    /// What that result rests on, when it was noted.
    pub result_source: Option<ResultSource>,
}

/// A correction that an arbiter ordered and that the clock does not show yet.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenCorrection {
    /// Its number.
    pub number: u64,
    /// What was ordered; what is left of it once the clock ran on with a part.
    pub order: CorrectionOrder,
    /// When.
    pub at: Timestamp,
    /// What the clock showed when it was stopped for it.
    pub base: Option<Times>,
    /// What the clock answered to what was sent.
    pub answer: Option<ClockCommandOutcome>,
}

/// Several moves lead to what a board showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The half move that is not known, from 1.
    pub ply: u16,
    /// The position before it, FEN.
    pub before: String,
    /// The moves that it may have been, UCI.
    pub moves: Vec<String>,
}

/// The start of a game that is not the usual one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameStart {
    /// FEN.
    pub fen: String,
    /// By which rules.
    pub variant: Variant,
    /// An arbiter set it; else the board showed it.
    pub set: bool,
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
    /// When it was settled on the board.
    pub at: Timestamp,
    /// When the clock was pressed after it.
    pub pressed_at: Option<Timestamp>,
    /// From the press before until this one nobody's time stood still or was changed.
    pub steady: bool,
}

/// A press before its move was settled on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Early {
    /// Who pressed.
    pub side: Color,
    /// The times.
    pub times: Times,
    /// When.
    pub at: Timestamp,
    /// From the press before until this one nobody's time stood still or was changed.
    pub steady: bool,
}

/// A move that was tried against the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// What.
    pub what: IllegalAttempt,
    /// When it was claimed.
    pub at: Timestamp,
}

impl Game {
    pub(in crate::hub) fn new(white: PlayerNo, black: PlayerNo) -> Self {
        Self {
            white,
            black,
            ready: false,
            turned: None,
            start: None,
            clock_started: false,
            moves: Vec::new(),
            gaps: Vec::new(),
            disturbed: false,
            question: None,
            ahead: 0,
            early: None,
            times: None,
            times_at: None,
            to_run: None,
            flags: Vec::new(),
            flags_unordered: false,
            illegal: BySide::default(),
            hands: BySide::default(),
            attempts: Vec::new(),
            clock_from: None,
            steady: false,
            periods: BySide::default(),
            white_side: None,
            wrong_settings: BTreeMap::new(),
            correction: None,
            result: None,
            result_at: None,
            result_source: None,
        }
    }

    pub(in crate::hub) fn apply(&mut self, event: &Event) {
        let before = self.times;
        if let Fact::CorrectionOrder(fact) = &event.fact {
            self.apply_correction(event, fact);
        }
        self.apply_fact(&event.fact, event.at);
        if self.times != before || matches!(event.fact, Fact::Press { .. } | Fact::Clock(_)) {
            self.times_at = Some(event.at);
        }
    }

    fn apply_correction(&mut self, event: &Event, fact: &CorrectionFact) {
        match fact {
            CorrectionFact::Ordered(order) => {
                self.correction = Some(OpenCorrection {
                    number: event.seq,
                    order: order.clone(),
                    at: event.at,
                    base: order.stood.then_some(order.shown),
                    answer: None,
                });
            }
            CorrectionFact::Done { .. } | CorrectionFact::Cancelled { .. } => {
                self.correction = None;
            }
            CorrectionFact::Stood { shown, .. } => {
                if let Some(open) = &mut self.correction {
                    open.base = Some(*shown);
                }
            }
            CorrectionFact::RunsOn { left, .. } => {
                if let Some(open) = &mut self.correction {
                    open.base = None;
                    open.order.change = *left;
                }
            }
            CorrectionFact::Answered { outcome, .. } => {
                if let Some(open) = &mut self.correction {
                    open.answer = Some(*outcome);
                }
            }
        }
    }

    fn apply_fact(&mut self, fact: &Fact, at: Timestamp) {
        match fact {
            Fact::Board(BoardFact::Ready { turned }) => {
                self.ready = true;
                self.turned = Some(*turned);
                self.white_side = None;
                // The start position again in mid-game is a game begun anew (quirk 21).
                self.moves.clear();
                self.gaps.clear();
                self.attempts.clear();
                self.early = None;
                self.disturbed = false;
                self.question = None;
            }
            Fact::Board(BoardFact::StartsFrom {
                fen, variant, by, ..
            }) => {
                let set = by.is_some() || self.start.as_ref().is_some_and(|start| start.set);
                let usual = Start::from_fen(fen, *variant).is_ok_and(|start| start.is_usual());
                let (fen, variant) = (fen.clone(), *variant);
                self.start = (!usual).then_some(GameStart { fen, variant, set });
                if by.is_some() {
                    self.ready = false;
                }
            }
            Fact::Board(BoardFact::ReadyAssumed) => {
                self.ready = true;
                self.moves.clear();
                self.gaps.clear();
                self.disturbed = false;
                self.question = None;
            }
            Fact::Board(BoardFact::Question { ply, before, moves }) => {
                self.question = Some(Question {
                    ply: *ply,
                    before: before.clone(),
                    moves: moves.clone(),
                });
            }
            Fact::Board(BoardFact::QuestionClosed { .. }) => self.question = None,
            Fact::Board(BoardFact::Disturbed { .. }) => self.disturbed = true,
            Fact::Board(BoardFact::Restored) => {
                self.disturbed = false;
                if let Some(last) = self.attempts.last_mut() {
                    last.what.restored = true;
                }
            }
            Fact::Board(BoardFact::Gap { after, fen }) => {
                self.disturbed = false;
                self.ahead = 0;
                self.early = None;
                Gap::add(&mut self.gaps, *after, fen.clone());
            }
            Fact::Board(BoardFact::GapClosed { after }) => {
                let attempts = self.attempts.iter_mut().map(|attempt| &mut attempt.what);
                Gap::close(&mut self.gaps, attempts, *after);
            }
            Fact::Move(made) => self.push(made, at),
            Fact::Withdrawn { ply, replaced_by } => {
                self.moves.truncate(usize::from(*ply).saturating_sub(1));
                self.gaps.retain(|gap| gap.after < *ply);
                self.early = None;
                if let Some(made) = replaced_by {
                    self.push(made, at);
                }
            }
            Fact::IllegalClaim(claim) => {
                self.disturbed = true;
                let what = IllegalAttempt::new(
                    claim.ply,
                    claim.side,
                    &claim.offending,
                    &claim.seen,
                    &self.gaps,
                );
                self.attempts.push(Attempt { what, at });
            }
            Fact::Press {
                ply,
                side,
                times,
                recalled,
            } => {
                self.times = Some(*times);
                self.to_run = Some(side.other());
                let steady = std::mem::replace(&mut self.steady, !recalled);
                let index = usize::from(*ply).checked_sub(1);
                let mover = index.and_then(|index| self.sides().nth(index));
                // A press after moves that were missed belongs to none that is recorded.
                if mover == Some(*side) && self.ahead == 0 {
                    match index.and_then(|index| self.moves.get_mut(index)) {
                        // After a take-back the side whose move stands sets the other clock going again.
                        Some(played) if played.pressed_at.is_some() => self.steady = false,
                        Some(played) => {
                            played.times = Some(*times);
                            played.pressed_at = (!recalled).then_some(at);
                            played.steady = steady;
                        }
                        None => {}
                    }
                } else {
                    self.ahead = self.ahead.saturating_add(1);
                    let only = self.ahead == 1 && self.turn() == *side && !recalled;
                    self.early = only.then_some(Early {
                        side: *side,
                        times: *times,
                        at,
                        steady,
                    });
                }
            }
            Fact::Clock(fact) => match fact {
                ClockFact::Started(times) => {
                    self.steady = true;
                    self.clock_started = true;
                    self.clock_from = Some((at, *times));
                    self.times = Some(*times);
                }
                ClockFact::Restarted(times) => {
                    self.steady = false;
                    self.clock_started = true;
                    self.times = Some(*times);
                }
                ClockFact::Stopped(times) => {
                    self.steady = false;
                    self.times = Some(*times);
                    self.to_run = None;
                }
                ClockFact::Sample(times) => self.times = Some(*times),
                ClockFact::Gone | ClockFact::Back => self.steady = false,
                ClockFact::Replaced { after, .. } => {
                    self.steady = false;
                    self.times = Some(*after);
                }
                ClockFact::Period { side, times, .. } => {
                    let over = self.periods.of_mut(*side);
                    *over = over.saturating_add(1);
                    self.times = Some(*times);
                    // The clock has gone on from its end.
                    self.flags.retain(|flag| flag != side);
                    self.flags_unordered &= self.flags.len() > 1;
                }
                ClockFact::Turned { white } => {
                    self.steady = false;
                    self.white_side = Some(*white);
                    self.to_run = self.to_run.map(Color::other);
                    self.times = self.times.map(|times| Times {
                        white: times.black,
                        black: times.white,
                    });
                }
                ClockFact::WrongSetting { what, text } => {
                    self.wrong_settings.insert(*what, text.clone());
                }
                ClockFact::SettingRight { what } => {
                    self.wrong_settings.remove(what);
                }
                ClockFact::BatteryLow
                | ClockFact::AgainstBoard(_)
                | ClockFact::AgreesWithBoard
                | ClockFact::BatteryGood
                | ClockFact::SideDoubt
                | ClockFact::AddedAfterFlag { .. } => {}
            },
            Fact::Flag {
                side,
                order,
                times,
                control,
                ..
            } => {
                self.times = Some(*times);
                let in_time = control.is_some_and(Passed::in_time);
                if !in_time && !self.flags.contains(side) {
                    self.flags.push(*side);
                }
                self.flags_unordered = *order == FlagOrder::Unknown && self.flags.len() > 1;
            }
            Fact::Correction { after, .. } => {
                self.steady = false;
                self.times = Some(*after);
                // A time put back takes the fallen flag with it.
                self.flags.retain(|side| after.of(*side).is_zero());
                self.flags_unordered &= self.flags.len() > 1;
            }
            Fact::Result {
                result,
                termination,
                source,
                ..
            } => {
                self.result = Some((*result, *termination));
                self.result_source = *source;
                self.result_at = Some(at);
            }
            Fact::Board(_)
            | Fact::Event(_)
            | Fact::Round(_)
            | Fact::Player(_)
            | Fact::Announce { .. }
            | Fact::Screen(_)
            | Fact::Device(_)
            | Fact::CorrectionOrder(_)
            | Fact::Call { .. }
            | Fact::Proposal(_)
            | Fact::Decision { .. }
            | Fact::Alert(_)
            | Fact::Incident { .. }
            | Fact::Claim(_)
            | Fact::Protest(_)
            | Fact::Amendment(_)
            | Fact::Staff { .. } => {}
        }
    }

    fn push(&mut self, made: &MoveMade, at: Timestamp) {
        let next = self.moves.len() + 1 == usize::from(made.ply);
        let early = self.early.take();
        let early = early.filter(|early| next && self.ahead == 1 && early.side == made.side);
        // Whose press was whose is not certain where the board did not show every step.
        self.steady &= !made.inferred;
        self.ahead = 0;
        self.moves.truncate(usize::from(made.ply).saturating_sub(1));
        // One press and several moves of that side at once: whose it was, nobody knows.
        let own = self.moves.iter_mut().rev().nth(1);
        if let Some(own) =
            own.filter(|own| own.at == at && own.pressed_at.is_some_and(|it| it <= at))
        {
            (own.times, own.pressed_at, own.steady) = (None, None, false);
        }
        let (uci, san) = (made.uci.as_str().into(), made.san.as_str().into());
        self.moves.push(PlayedMove {
            uci,
            san,
            times: early.map(|early| early.times),
            at,
            pressed_at: early.map(|early| early.at),
            steady: !made.inferred && early.is_some_and(|early| early.steady),
        });
    }

    /// An arbiter found that what led to this placement was no illegal move.
    pub(super) fn acquit(&mut self, side: Color, placement: Option<&str>) {
        let acquitted =
            |what: &IllegalAttempt| what.side == side && Some(what.placement.as_str()) == placement;
        if let Some(at) = self.attempts.iter().rposition(|it| acquitted(&it.what)) {
            self.attempts.remove(at);
        }
    }

    /// No moves are missing before half-move `index` (from 0).
    fn follows(&self, index: usize) -> bool {
        self.gaps.iter().all(|gap| usize::from(gap.after) != index)
    }

    /// The times after half-move `index` (from 0) of `side`: the mover's as it stood while the opponent thought,
    /// where that was read. A display may be a second late at the press, or its increment.
    pub fn left(&self, index: usize, side: Color, control: Option<&TimeControl>) -> Option<Times> {
        let played = self.moves.get(index)?;
        let read = played.times?;
        let rest = self
            .moves
            .get(index + 1)
            .filter(|next| next.steady && self.follows(index + 1))
            .and_then(|next| next.times)
            .map(|times| times.of(side));
        let lag = Duration::from_secs(1);
        let added = control.map_or(Duration::ZERO, |control| {
            control.largest_increment() + control.largest_bonus()
        });
        let at = read.of(side);
        let right = rest.filter(|rest| *rest + lag >= at && *rest <= at + added + lag);
        let right = right.unwrap_or(at);
        Some(match side {
            Color::White => Times {
                white: right,
                ..read
            },
            Color::Black => Times {
                black: right,
                ..read
            },
        })
    }

    /// How long `side` thought over its half-move `index` (from 0) by its clock, where it proves it.
    pub fn spent(
        &self,
        index: usize,
        side: Color,
        control: Option<&TimeControl>,
    ) -> Option<Duration> {
        let control = control?;
        let played = self.moves.get(index).filter(|played| played.steady)?;
        if !self.follows(index) {
            return None;
        }
        let last = index.checked_sub(1);
        let (began, before) = match last.and_then(|last| self.moves.get(last)) {
            Some(last) => (last.pressed_at?, last.times?),
            None => self.clock_from?,
        };
        // A clock that ran already when it was first heard tells no beginning of a turn.
        let initial = control.of(side).initial();
        let fresh = initial..=initial + control.largest_increment();
        let lag = Duration::from_secs(1);
        if index < 2
            && !fresh.contains(&before.of(side))
            && !fresh.contains(&(before.of(side) + lag))
        {
            return None;
        }
        let read = played.times?;
        // Where words of the clock were lost, a press is heard late: the time of the next side has run
        // since.
        let late = |from: Times, to: Times, rests: Color| {
            used_at_rest(control.of(rests), from.of(rests), to.of(rests))
        };
        let began_late = match index
            .checked_sub(2)
            .and_then(|own| self.moves.get(own)?.times)
        {
            Some(own) => late(own, before, side)?,
            None => Duration::ZERO,
        };
        // A second may be the display's, or a press that was heard late: then nobody knows.
        if began_late >= lag {
            return None;
        }
        let measured = played.pressed_at?.duration_since(began).unsigned_abs();
        let measured = measured.checked_sub(late(before, read, side.other())?)?;
        let after = self.left(index, side, Some(control))?;
        spent(control.of(side), before.of(side), after.of(side), measured)
    }

    /// FEN of the first position; `None` for the usual one.
    pub fn start_fen(&self) -> Option<&str> {
        self.start.as_ref().map(|start| start.fen.as_str())
    }

    /// By which rules it is played.
    pub fn variant(&self) -> Variant {
        self.start
            .as_ref()
            .map_or(Variant::Standard, |start| start.variant)
    }

    /// Who made each of the moves, and then who is to move.
    pub fn sides(&self) -> impl Iterator<Item = Color> + '_ {
        sides(self.start_fen(), &self.gaps)
    }

    /// The side to move by the moves that are known.
    pub fn turn(&self) -> Color {
        self.sides().nth(self.moves.len()).unwrap_or(Color::White)
    }
}

#[cfg(test)]
mod tests;
