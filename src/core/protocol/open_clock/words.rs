//! Codes of the open clock profile and the words for them.

use crate::protocol::ClockSide;

/// Codes that may grow: a code that we do not know is kept as it came.
macro_rules! coded {
    ($(#[$doc:meta])* $name:ident { $($(#[$what:meta])* $variant:ident = $code:literal $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$what])* $variant,)*
            /// A code of a later version of the profile.
            Other(u8),
        }

        impl $name {
            /// What the code means.
            pub fn from_code(code: u8) -> Self {
                match code {
                    $($code => Self::$variant,)*
                    other => Self::Other(other),
                }
            }

            /// The code on the wire.
            pub fn code(self) -> u8 {
                match self {
                    $(Self::$variant => $code,)*
                    Self::Other(code) => code,
                }
            }

            /// The word for it; `None` for one that we do not know.
            pub fn from_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// The word for it.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                    Self::Other(_) => "unknown",
                }
            }
        }
    };
}

coded! {
    /// What an event is about.
    EventKind {
        /// The clock has started; the argument says why.
        Boot = 1 "boot",
        /// The program was chosen.
        Setup = 2 "setup",
        /// A side begins to run.
        Start = 3 "start",
        /// A player pressed; the other side runs.
        Press = 4 "press",
        /// The clock was stopped.
        Pause = 5 "pause",
        /// The clock runs again.
        Resume = 6 "resume",
        /// A flag fell.
        Flag = 7 "flag",
        /// A period began.
        Period = 8 "period",
        /// A time was changed by hand or by the host.
        TimeCorrection = 9 "time_correction",
        /// A move counter was changed.
        MoveCorrection = 10 "move_correction",
        /// The players entered a result.
        Result = 11 "result",
        /// A player claims something.
        Claim = 12 "claim",
        /// A player calls the arbiter.
        ArbiterCall = 13 "arbiter_call",
        /// The charge of the battery.
        Battery = 14 "battery",
        /// Which side is White's.
        Colours = 15 "colours",
        /// A call, claim or result was acknowledged.
        Acknowledged = 16 "acknowledged",
    }
}

coded! {
    /// Who caused an event.
    By {
        /// A player.
        Player = 0 "player",
        /// An arbiter at the clock.
        Arbiter = 1 "arbiter",
        /// A command of a host.
        Host = 2 "host",
        /// The clock itself.
        Clock = 3 "clock",
    }
}

coded! {
    /// How the clock is powered.
    Power {
        /// The battery is good.
        Good = 0 "ok",
        /// Low, at least ten hours are left.
        Low = 1 "low",
        /// Nearly empty.
        Critical = 2 "critical",
        /// It is on external power.
        External = 3 "external",
    }
}

coded! {
    /// What a command asks for.
    Operation {
        /// Who are you.
        GetInfo = 0 "get_info",
        /// How do you stand.
        GetState = 1 "get_state",
        /// Tell events again.
        Replay = 2 "replay",
        /// Set both times.
        SetTimes = 3 "set_times",
        /// Add to one time, or take from it.
        AddTime = 4 "add_time",
        /// Stop.
        Pause = 5 "pause",
        /// Run.
        Resume = 6 "resume",
        /// Set a move counter.
        SetMoves = 7 "set_moves",
        /// Set the period of a side.
        SetPeriod = 8 "set_period",
        /// Put the flags up.
        ClearFlags = 9 "clear_flags",
        /// A call, claim or result was seen.
        Acknowledge = 10 "acknowledge",
        /// A new game begins.
        NewGame = 11 "new_game",
        /// The host's time, for the clock's own log.
        TimeSync = 12 "time_sync",
        /// No set-up at the clock.
        Lock = 13 "lock",
        /// Show a text.
        Display = 14 "display",
        /// Blink or beep.
        Identify = 15 "identify",
    }
}

coded! {
    /// Why time is added.
    Why {
        /// A penalty (the opponent gets it).
        Penalty = 1 "penalty",
        /// Compensation for a disturbance.
        Compensation = 2 "compensation",
        /// A wrong setting is mended.
        Repair = 3 "repair",
    }
}

coded! {
    /// How a clock answers a command.
    Status {
        /// Done.
        Ok = 0 "ok",
        /// It cannot do that.
        Unsupported = 1 "unsupported",
        /// A value makes no sense.
        BadValue = 2 "bad_value",
        /// Not in this state.
        NotNow = 3 "not_now",
        /// Something happened since the event that the command named.
        Stale = 4 "stale",
        /// Changes are not permitted now.
        NotPermitted = 5 "not_permitted",
    }
}

coded! {
    /// What a move costs or gives.
    Method {
        /// Time only.
        Plain = 0 "plain",
        /// An increment, also before move one.
        Fischer = 1 "fischer",
        /// Bronstein's delay.
        Bronstein = 2 "bronstein",
        /// The time waits before it runs.
        UsDelay = 3 "us_delay",
        /// Time is counted up.
        CountUp = 4 "count_up",
        /// What one uses the other gets.
        Hourglass = 5 "hourglass",
        /// Periods of overtime.
        ByoYomi = 6 "byo_yomi",
    }
}

impl Operation {
    /// Whether it changes the game on the clock: such commands need a permission, reading needs none.
    pub fn changes(self) -> bool {
        !matches!(
            self,
            Self::GetInfo
                | Self::GetState
                | Self::Replay
                | Self::TimeSync
                | Self::Display
                | Self::Identify
        )
    }

    /// The bit of [`Info::capabilities`](super::Info::capabilities) that a clock must have for it.
    pub fn capability(self) -> Option<u16> {
        match self {
            Self::Replay => Some(0),
            Self::SetTimes => Some(2),
            Self::AddTime => Some(3),
            Self::Pause | Self::Resume => Some(4),
            Self::SetMoves => Some(7),
            _ => None,
        }
    }
}

/// None, one or both sides of the clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sides {
    /// None; for White's side: unknown.
    #[default]
    None,
    /// The left one.
    Left,
    /// The right one.
    Right,
    /// Both.
    Both,
}

impl Sides {
    /// From the low two bits.
    pub fn from_bits(bits: u8) -> Self {
        match bits & 3 {
            0 => Self::None,
            1 => Self::Left,
            2 => Self::Right,
            _ => Self::Both,
        }
    }

    /// As two bits.
    pub fn bits(self) -> u8 {
        self as u8
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Left => "left",
            Self::Right => "right",
            Self::Both => "both",
        }
    }

    /// The letter of JSON lines.
    pub fn letter(self) -> &'static str {
        match self {
            Self::None => "-",
            Self::Left => "l",
            Self::Right => "r",
            Self::Both => "b",
        }
    }

    /// From the letter of JSON lines.
    pub fn from_letter(letter: &str) -> Option<Self> {
        Some(match letter {
            "-" => Self::None,
            "l" => Self::Left,
            "r" => Self::Right,
            "b" => Self::Both,
            _ => return None,
        })
    }

    /// The side, when it is one.
    pub fn one(self) -> Option<ClockSide> {
        match self {
            Self::Left => Some(ClockSide::Left),
            Self::Right => Some(ClockSide::Right),
            Self::None | Self::Both => None,
        }
    }

    /// Whether it is this side or both.
    pub fn has(self, side: ClockSide) -> bool {
        self == Self::Both || self.one() == Some(side)
    }

    /// These sides.
    pub fn of(left: bool, right: bool) -> Self {
        Self::from_bits(u8::from(left) | u8::from(right) << 1)
    }
}

impl From<ClockSide> for Sides {
    fn from(side: ClockSide) -> Self {
        match side {
            ClockSide::Left => Self::Left,
            ClockSide::Right => Self::Right,
        }
    }
}
