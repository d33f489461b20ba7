//! What a wrong setting is called, with its figures, and the words for an arbiter.

use std::{fmt, time::Duration};

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use crate::clock::{FirstIncrement, PerMove, TimeControl, Times};

/// What is set wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongSetting {
    /// The time at the start.
    StartTime {
        /// What the clock showed.
        shown: Times,
        /// What the event's control gives.
        planned: Times,
    },
    /// Each side has the other's time, as the sides of an armageddon game differ.
    SidesSwapped {
        /// What the clock showed.
        shown: Times,
        /// What the event's control gives.
        planned: Times,
    },
    /// The increment before the first move: given and should not be, or the other way.
    FirstIncrement {
        /// How long it is.
        increment: Duration,
        /// What the event has; never unsaid.
        planned: FirstIncrement,
    },
    /// What a move adds.
    PerMove {
        /// Whose; `None` for both.
        side: Option<Color>,
        /// What the clock does, as far as the moves tell.
        seen: PerMove,
        /// What the event has.
        planned: PerMove,
    },
    /// The next period did not come.
    NoPeriod {
        /// Whose time stands at zero.
        side: Color,
        /// The period, from 1.
        period: usize,
        /// Its time.
        planned: Duration,
    },
    /// A period began with another time.
    PeriodTime {
        /// Whose.
        side: Color,
        /// The period, from 1.
        period: usize,
        /// What was added.
        added: Duration,
        /// Its time.
        planned: Duration,
    },
}

/// Kinds of [`WrongSetting`]: one of each is open at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WrongKind {
    /// The time at the start, or its sides.
    Start,
    /// The increment before the first move.
    FirstIncrement,
    /// What a move adds.
    PerMove,
    /// A later period.
    Period,
}

impl WrongSetting {
    /// The kind.
    pub fn kind(&self) -> WrongKind {
        match self {
            Self::StartTime { .. } | Self::SidesSwapped { .. } => WrongKind::Start,
            Self::FirstIncrement { .. } => WrongKind::FirstIncrement,
            Self::PerMove { .. } => WrongKind::PerMove,
            Self::NoPeriod { .. } | Self::PeriodTime { .. } => WrongKind::Period,
        }
    }
}

/// How it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundBy {
    /// By the display before the clock ran.
    Display,
    /// By what was added after this many presses.
    Presses(u16),
}

/// A wrong setting, how it was found, and how sure the figures are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub wrong: WrongSetting,
    /// How it was found.
    pub found: FoundBy,
    /// The figures may be wrong by so much: the display has whole seconds and may be a second late.
    pub uncertainty: Duration,
    /// The event's control.
    pub control: TimeControl,
}

impl Finding {
    /// What to do about it, a sentence.
    pub fn advice(&self) -> &'static str {
        match (self.found, self.wrong) {
            (FoundBy::Display, _) => "Set it before the game starts.",
            (_, WrongSetting::NoPeriod { .. }) => {
                "Before a flag is claimed: stop the clock and give that side its time."
            }
            (_, WrongSetting::PeriodTime { .. }) => {
                "Stop the clock and correct the time of that side; the other one will have the same."
            }
            (
                _,
                WrongSetting::StartTime { .. }
                | WrongSetting::SidesSwapped { .. }
                | WrongSetting::FirstIncrement { .. }
                | WrongSetting::PerMove { .. },
            ) => {
                "Stop the clock, set it to the event's control and give both sides the times that they \
                 ought to have."
            }
        }
    }
}

impl fmt::Display for Finding {
    /// What is set, what must be set, and how it was found.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.wrong {
            WrongSetting::StartTime { shown, planned } => write!(
                f,
                "the clock is set to {} for White and {} for Black; it must be {} and {}",
                time(shown.white),
                time(shown.black),
                time(planned.white),
                time(planned.black)
            ),
            WrongSetting::SidesSwapped { shown, planned } => write!(
                f,
                "the sides are exchanged: White has {} and Black {}; it must be {} and {}. Set the \
                 times or turn the clock",
                time(shown.white),
                time(shown.black),
                time(planned.white),
                time(planned.black)
            ),
            WrongSetting::FirstIncrement { increment, planned } => {
                let seconds = increment.as_secs();
                match planned {
                    FirstIncrement::NotGiven => write!(
                        f,
                        "the clock gives the {seconds} s already before the first move; it must add \
                         them from the first press on"
                    ),
                    FirstIncrement::Given | FirstIncrement::Unsaid => write!(
                        f,
                        "the clock does not give the {seconds} s before the first move; each side \
                         must have {seconds} s more"
                    ),
                }
            }
            WrongSetting::PerMove {
                side,
                seen,
                planned,
            } => {
                let whose = match side {
                    None => "",
                    Some(Color::White) => " on White's side",
                    Some(Color::Black) => " on Black's side",
                };
                write!(
                    f,
                    "the clock{whose} has {}; it must have {}",
                    method(seen),
                    method(planned)
                )
            }
            WrongSetting::NoPeriod {
                side,
                period,
                planned,
            } => write!(
                f,
                "{side}'s time stands at zero after the moves of period {}, and period {period} with \
                 {} does not begin: it is not set",
                period - 1,
                time(planned)
            ),
            WrongSetting::PeriodTime {
                side,
                period,
                added,
                planned,
            } => write!(
                f,
                "{side}'s period {period} began with {}; it must be {}",
                time(added),
                time(planned)
            ),
        }?;
        write!(f, " (the event has {}). ", self.control)?;
        match self.found {
            FoundBy::Display => write!(f, "Seen on the display before the start"),
            FoundBy::Presses(1) => write!(f, "Found at the first press of the clock"),
            FoundBy::Presses(presses) => write!(
                f,
                "Found in move {}, after {presses} presses of the clock",
                presses.div_ceil(2)
            ),
        }?;
        write!(f, ", ±{} s.", self.uncertainty.as_secs())
    }
}

/// `h:mm:ss`.
fn time(time: Duration) -> String {
    let seconds = time.as_secs();
    format!(
        "{}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

fn method(method: PerMove) -> String {
    let seconds = method.time().as_secs();
    match method {
        PerMove::Nothing => "no increment".to_owned(),
        PerMove::Increment(_) => format!("an increment of {seconds} s a move"),
        PerMove::Bronstein(_) => format!("a Bronstein delay of {seconds} s"),
        PerMove::Delay(_) => format!("a delay of {seconds} s before the time runs"),
        PerMove::Hourglass => "an hourglass".to_owned(),
        PerMove::ByoYomi { times, .. } => format!("byo-yomi of {times} × {seconds} s"),
    }
}
