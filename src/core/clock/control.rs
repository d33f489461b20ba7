//! A time control as a type: for each side periods of moves and time, and what each move adds.
//!
//! `notation` reads and writes what people write, `code` the codes of PGN tags and of record 222
//! of tournament reports.

mod code;
mod error;
mod notation;

use std::{str::FromStr as _, time::Duration};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use shakmaty::Color;

pub use self::error::{ControlProblem, ParseControlError};

/// What a move adds to a player's time, or keeps from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PerMove {
    /// Nothing.
    Nothing,
    /// So much with every move (Fischer).
    Increment(Duration),
    /// The time used for the move comes back, at most so much (Bronstein).
    Bronstein(Duration),
    /// The time stands still for so long before it runs (US delay).
    Delay(Duration),
    /// What one side uses the other gets.
    Hourglass,
    /// When the base is used up, so many times of so long; one is used up only by a move that takes
    /// all of it.
    ByoYomi {
        /// How many.
        times: u16,
        /// How long each.
        each: Duration,
    },
}

impl PerMove {
    /// The time that a move takes into account: increment, delay or one time of byo-yomi.
    pub fn time(self) -> Duration {
        match self {
            Self::Nothing | Self::Hourglass => Duration::ZERO,
            Self::Increment(time) | Self::Bronstein(time) | Self::Delay(time) => time,
            Self::ByoYomi { each, .. } => each,
        }
    }

    /// The most that a press adds to what is shown.
    fn added(self) -> Duration {
        match self {
            Self::Delay(_) => Duration::ZERO,
            other => other.time(),
        }
    }
}

/// One period of a time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Period {
    /// Moves to be made in it; `None` for the rest of the game.
    pub moves: Option<u16>,
    /// The time added when it begins.
    pub base: Duration,
    /// What its moves add.
    pub per_move: PerMove,
}

impl Period {
    /// The increment; zero with every other method.
    pub fn increment(&self) -> Duration {
        match self.per_move {
            PerMove::Increment(time) => time,
            _ => Duration::ZERO,
        }
    }
}

/// Whether the increment is on the clock before the first move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FirstIncrement {
    /// Not said: as the clock has it.
    #[default]
    Unsaid,
    /// It is (`from move 1`).
    Given,
    /// It comes only with the first press (`from move 2`).
    NotGiven,
}

/// The periods of one side.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SideControl {
    periods: Vec<Period>,
    first: FirstIncrement,
}

/// The longest base time of a period.
const BASE_MAX: Duration = Duration::from_hours(24);
/// The longest increment.
const INCREMENT_MAX: Duration = Duration::from_hours(1);
/// The most moves of a period.
const MOVES_MAX: u16 = 200;
/// The most periods.
const PERIODS_MAX: usize = 20;

impl SideControl {
    /// These periods. `first` counts only if the first of them has an increment.
    ///
    /// # Errors
    /// A period other than the last has no number of moves, the last one has, there is no time, or
    /// more than any game over the board takes, or a method stands where it cannot.
    pub fn new(mut periods: Vec<Period>, first: FirstIncrement) -> Result<Self, ControlProblem> {
        let (last, before) = periods.split_last().ok_or(ControlProblem::Empty)?;
        if periods.len() > PERIODS_MAX {
            return Err(ControlProblem::ManyPeriods(periods.len()));
        }
        if let Some(open) = before.iter().position(|period| period.moves.is_none()) {
            return Err(ControlProblem::Moves(open + 1));
        }
        if last.moves.is_some() {
            return Err(ControlProblem::Last);
        }
        let moves = before.iter().filter_map(|period| period.moves);
        if let Some(moves) = moves.clone().find(|&moves| moves > MOVES_MAX) {
            return Err(ControlProblem::ManyMoves(moves.into()));
        }
        if moves.clone().any(|moves| moves == 0) {
            return Err(ControlProblem::Number("0".to_owned(), "moves"));
        }
        if periods[0].base.is_zero() && periods[0].per_move.time().is_zero() {
            return Err(ControlProblem::NoTime);
        }
        let long =
            |period: &Period| period.base > BASE_MAX || period.per_move.time() > INCREMENT_MAX;
        if let Some(at) = periods.iter().position(long) {
            return Err(ControlProblem::TooLong(at + 1));
        }
        let whole = |time: Duration| time.subsec_nanos() == 0;
        let parts = |period: &Period| !whole(period.base) || !whole(period.per_move.time());
        if let Some(at) = periods.iter().position(parts) {
            return Err(ControlProblem::Fraction(at + 1));
        }
        let byo_yomi = |period: &Period| matches!(period.per_move, PerMove::ByoYomi { .. });
        if let Some(at) = before.iter().position(byo_yomi) {
            return Err(ControlProblem::ByoYomi(at + 1));
        }
        let hourglass = |period: &Period| period.per_move == PerMove::Hourglass;
        if periods.iter().any(hourglass) && (periods.len() > 1 || periods[0].base.is_zero()) {
            return Err(ControlProblem::Hourglass);
        }
        for period in &mut periods {
            let none = match period.per_move {
                PerMove::ByoYomi { times, each } => times == 0 || each.is_zero(),
                PerMove::Hourglass => false,
                other => other.time().is_zero(),
            };
            if none {
                period.per_move = PerMove::Nothing;
            }
        }
        let first = if periods[0].increment().is_zero() {
            FirstIncrement::Unsaid
        } else {
            first
        };
        // Byo-yomi without a single time may have been all there was.
        if periods[0].base.is_zero() && periods[0].per_move == PerMove::Nothing {
            return Err(ControlProblem::NoTime);
        }
        Ok(Self { periods, first })
    }

    /// The periods, in order; at least one.
    pub fn periods(&self) -> &[Period] {
        &self.periods
    }

    /// Whether the increment is on the clock before the first move.
    pub fn first_increment(&self) -> FirstIncrement {
        self.first
    }

    /// The base time of the first period.
    pub fn initial(&self) -> Duration {
        self.periods[0].base
    }

    /// The period in which a move is made, the first move being 1.
    pub fn period_of_move(&self, number: u16) -> usize {
        let mut last = 0_u16;
        let open = |period: &Period| match period.moves {
            Some(moves) => {
                last = last.saturating_add(moves);
                number <= last
            }
            None => true,
        };
        let at = self.periods.iter().position(open);
        at.unwrap_or(self.periods.len() - 1)
    }

    fn most(&self, of: impl Fn(&Period) -> Duration) -> Duration {
        self.periods.iter().map(of).max().unwrap_or_default()
    }
}

/// A time control: one or more [`Period`]s for each side, the last one for the rest of the game.
///
/// Written as people write it: `90+30` is minutes and seconds; `90/40+30:30+30` is 90 minutes for 40
/// moves and then 30 minutes, with 30 seconds a move throughout; `5 v 4` gives White a minute more.
/// Serialised in that form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TimeControl {
    white: SideControl,
    /// Black's, where it differs.
    black: Option<SideControl>,
}

/// The time controls of the rule books by name (R-CK-7), and the one with periods in use most.
pub const PRESETS: [(&str, &str); 5] = [
    ("championship", "70+30"),
    ("team", "45+15"),
    ("blitz", "5+0"),
    ("armageddon", "5+0 v 4+0"),
    ("classical", "90/40+30:30+30"),
];

impl TimeControl {
    /// A control of these periods for both sides.
    ///
    /// # Errors
    /// Those of [`SideControl::new`].
    pub fn new(periods: Vec<Period>) -> Result<Self, ParseControlError> {
        Ok(Self::equal(SideControl::new(
            periods,
            FirstIncrement::Unsaid,
        )?))
    }

    /// The same for both sides.
    pub fn equal(both: SideControl) -> Self {
        Self {
            white: both,
            black: None,
        }
    }

    /// Other times for the sides, as in an armageddon game.
    ///
    /// # Errors
    /// An hourglass that is not the same for both.
    pub fn unequal(white: SideControl, black: SideControl) -> Result<Self, ParseControlError> {
        if white == black {
            return Ok(Self::equal(white));
        }
        let hourglass = |side: &SideControl| side.periods[0].per_move == PerMove::Hourglass;
        if hourglass(&white) || hourglass(&black) {
            return Err(ControlProblem::Hourglass.into());
        }
        Ok(Self {
            white,
            black: Some(black),
        })
    }

    /// One period for the whole game.
    pub fn fischer(base: Duration, increment: Duration) -> Self {
        let per_move = if increment.is_zero() {
            PerMove::Nothing
        } else {
            PerMove::Increment(increment)
        };
        Self::equal(SideControl {
            periods: vec![Period {
                moves: None,
                base,
                per_move,
            }],
            first: FirstIncrement::Unsaid,
        })
    }

    /// One of [`PRESETS`].
    pub fn preset(name: &str) -> Option<Self> {
        let (_, text) = PRESETS.into_iter().find(|(preset, _)| *preset == name)?;
        Self::from_str(text).ok()
    }

    /// What one side has.
    pub fn of(&self, side: Color) -> &SideControl {
        match side {
            Color::White => &self.white,
            Color::Black => self.black.as_ref().unwrap_or(&self.white),
        }
    }

    /// Whether the sides differ.
    pub fn is_unequal(&self) -> bool {
        self.black.is_some()
    }

    /// The increment of a control that has one period and the same increment for both sides.
    pub fn single_increment(&self) -> Option<Duration> {
        let ([white], [black]) = (self.white.periods(), self.of(Color::Black).periods()) else {
            return None;
        };
        let increment = white.increment();
        (increment == black.increment() && white.per_move == black.per_move).then_some(increment)
    }

    /// The most that a press adds, in any period of either side.
    pub fn largest_increment(&self) -> Duration {
        self.largest(|side| side.most(|period| period.per_move.added()))
    }

    /// Time added at the beginnings of later periods, the largest.
    pub fn largest_bonus(&self) -> Duration {
        self.largest(|side| {
            let later = side.periods[1..].iter();
            later.map(|period| period.base).max().unwrap_or_default()
        })
    }

    /// Base time and 60 increments are ten minutes or less for both sides: blitz in the laws.
    pub fn is_blitz(&self) -> bool {
        let total = self.largest(|side| {
            let base: Duration = side.periods.iter().map(|period| period.base).sum();
            base + side.most(|period| period.per_move.time()) * 60
        });
        total <= Duration::from_mins(10)
    }

    fn largest(&self, of: impl Fn(&SideControl) -> Duration) -> Duration {
        of(&self.white).max(of(self.of(Color::Black)))
    }
}

impl Serialize for TimeControl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TimeControl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(D::Error::custom)
    }
}

#[cfg(test)]
#[path = "control_tests.rs"]
mod tests;
