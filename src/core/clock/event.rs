//! What a clock did and what it shows.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, Color};

use crate::{
    protocol::ClockSide,
    types::{Mono, color, millis},
};

/// The times of both sides, as displayed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Times {
    /// White's time.
    #[serde(rename = "white_ms", with = "millis")]
    pub white: Duration,
    /// Black's time.
    #[serde(rename = "black_ms", with = "millis")]
    pub black: Duration,
}

impl Times {
    /// The time of one side.
    pub fn of(self, side: Color) -> Duration {
        side.fold_wb(self.white, self.black)
    }
}

/// Which flag fell first (R-CK-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FlagOrder {
    /// This side fell while the other still had time.
    First,
    /// The other side had fallen before.
    Second,
    /// Both fell between two readings: look at the clock.
    Unknown,
}

/// Why nobody can say which flag fell first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OrderUnknown {
    /// Both fell between two readings.
    BetweenReadings,
    /// Both fell while the clock was not heard.
    OutOfSight,
    /// Both were down when the clock was first heard.
    AtFirstSight,
}

impl OrderUnknown {
    /// In words, the end of a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Self::BetweenReadings => "both fell between two readings of the clock",
            Self::OutOfSight => "both fell while the clock could not be heard",
            Self::AtFirstSight => "both were down when the clock was first heard",
        }
    }
}

/// What the clock did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ClockEvent {
    /// A player pressed; the other's time runs.
    Press {
        /// Who pressed.
        #[serde(with = "color")]
        side: Color,
        /// Times after it; the increment may follow with the next reading.
        times: Times,
    },
    /// The clock runs for the first time in this game.
    Started {
        /// Whose time runs.
        #[serde(with = "color")]
        running: Color,
        /// Times at that moment.
        times: Times,
    },
    /// The clock stands: in mid-game a call for the arbiter.
    Stopped {
        /// Whose time was running.
        #[serde(with = "color")]
        running: Color,
        /// Times at that moment.
        times: Times,
    },
    /// The clock runs again.
    Restarted {
        /// Whose time runs.
        #[serde(with = "color")]
        running: Color,
        /// Times at that moment.
        times: Times,
    },
    /// A flag fell: a proposal, right to about a second; the clock itself decides.
    Flag {
        /// Whose.
        #[serde(with = "color")]
        side: Color,
        /// Which first, when known.
        order: FlagOrder,
        /// Why not, when it is not.
        unknown: Option<OrderUnknown>,
        /// It fell at most so long before it was heard of.
        within: Duration,
        /// Times at that moment.
        times: Times,
    },
    /// The next period of a side began. At a time of zero its flag is told before.
    Period {
        /// Whose.
        #[serde(with = "color")]
        side: Color,
        /// Which, from 1.
        period: usize,
        /// What it brought.
        #[serde(rename = "added_ms", with = "millis")]
        added: Duration,
        /// Times after it.
        times: Times,
    },
    /// Times changed by something that is no play (R-CK-5).
    Corrected {
        /// Before.
        before: Times,
        /// After.
        after: Times,
        /// The clock stood meanwhile.
        stopped: bool,
    },
    /// Time was added to a side whose flag is down (R-CK-3).
    AddedAfterFlag {
        /// Whose.
        #[serde(with = "color")]
        side: Color,
        /// How much.
        #[serde(rename = "added_ms", with = "millis")]
        added: Duration,
    },
    /// First report of a low battery (R-CK-2: at least ten hours are left).
    BatteryLow,
    /// The battery was changed.
    BatteryGood,
    /// The clock was unplugged or its board is lost; the last times stand.
    Gone,
    /// It is back.
    Back,
    /// What came back shows times that play does not explain: it is another clock, or was set anew.
    Replaced {
        /// What the clock showed before.
        before: Times,
        /// What it shows now.
        after: Times,
        /// How long it was not heard.
        #[serde(rename = "away_ms", with = "millis")]
        away: Duration,
    },
    /// Twice in a row the presses and the moves were of different sides: the clock stands the other way
    /// round.
    SideDoubt {
        /// The side that seems to be White's.
        white_side: ClockSide,
    },
}

/// What the clock shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockView {
    /// Times as last displayed.
    pub times: Times,
    /// Whose time runs; `None` when the clock stands.
    pub running: Option<Color>,
    /// Whose lever stands high, running or not.
    pub to_move: Color,
    /// When that was heard.
    pub at: Mono,
    /// How old it is.
    pub age: Duration,
    /// The flags that are down.
    pub flags: ByColor<bool>,
    /// The clock is not heard of any more.
    pub gone: bool,
    /// The battery is low.
    pub battery_low: bool,
}
