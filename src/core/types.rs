//! The small shared vocabulary of the core.

use std::{fmt, str::FromStr, time::Duration};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
pub use shakmaty::{Bitboard, Color, Piece, Role, Square};

/// Which piece stands where. Seen either on the wire (a8 = the square next to the connector) or as
/// the players see it; the name of the variable says which.
pub type Placement = shakmaty::Board;

/// A point on the hub's monotonic time line: the time since the hub started. Decides durations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mono(pub Duration);

impl Mono {
    /// The start of the time line.
    pub const ZERO: Self = Self(Duration::ZERO);

    /// Milliseconds since the hub started, for tests and tables.
    pub const fn from_millis(ms: u64) -> Self {
        Self(Duration::from_millis(ms))
    }

    /// Time passed since `earlier`; zero when `earlier` lies ahead.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

impl std::ops::Add<Duration> for Mono {
    type Output = Self;

    fn add(self, rhs: Duration) -> Self {
        Self(self.0.saturating_add(rhs))
    }
}

/// An instant as the edge stamps it: monotonic for durations, UTC for the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// Monotonic time since the hub started.
    pub mono: Mono,
    /// Wall time, UTC.
    pub utc: Timestamp,
}

macro_rules! number {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u16);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = std::num::ParseIntError;

            fn from_str(s: &str) -> Result<Self, Self::Err> {
                s.parse().map(Self)
            }
        }
    };
}

number! {
    /// A numbered place in the hall, what players call "board 12".
    TableNo
}
number! {
    /// The number of a round, from 1.
    RoundNo
}
number! {
    /// A player's pairing number in the event, from 1.
    PlayerNo
}

/// Points of a game or an event, counted in half points: a win is 2.
///
/// Shown as `1`, `½`, `4½`; serialised as the number of half points.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Points(pub u16);

impl Points {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// Half a point.
    pub const HALF: Self = Self(1);
    /// One point.
    pub const ONE: Self = Self(2);

    /// The number of half points.
    pub const fn halves(self) -> u16 {
        self.0
    }

    /// As TRF and spreadsheets write it: `4.5`.
    pub fn decimal(self) -> String {
        format!("{}.{}", self.0 / 2, if self.0 % 2 == 1 { 5 } else { 0 })
    }
}

impl std::ops::Add for Points {
    type Output = Self;

    fn add(self, rhs: Self) -> Self {
        Self(self.0.saturating_add(rhs.0))
    }
}

impl std::ops::AddAssign for Points {
    fn add_assign(&mut self, rhs: Self) {
        *self = *self + rhs;
    }
}

impl std::iter::Sum for Points {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, |sum, points| sum + points)
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0 / 2, self.0 % 2 == 1) {
            (0, true) => f.write_str("½"),
            (whole, true) => write!(f, "{whole}½"),
            (whole, false) => write!(f, "{whole}"),
        }
    }
}

/// Names a thing with a link, e.g. `dgt-3000147740`. Lower case, digits and hyphens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DeviceId(pub String);

impl fmt::Display for DeviceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// `Duration` as integer milliseconds on the wire.
pub mod millis {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    /// Writes whole milliseconds.
    pub fn serialize<S: Serializer>(value: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(u64::try_from(value.as_millis()).unwrap_or(u64::MAX))
    }

    /// Reads whole milliseconds.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_millis)
    }

    /// The same for an optional duration.
    pub mod option {
        use std::time::Duration;

        use serde::{Deserialize, Deserializer, Serializer};

        /// Writes whole milliseconds or null.
        pub fn serialize<S: Serializer>(
            value: &Option<Duration>,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            match value {
                Some(value) => super::serialize(value, serializer),
                None => serializer.serialize_none(),
            }
        }

        /// Reads whole milliseconds or null.
        pub fn deserialize<'de, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Option<Duration>, D::Error> {
            Ok(Option::<u64>::deserialize(deserializer)?.map(Duration::from_millis))
        }
    }
}

/// `shakmaty::Color` as `"white"` / `"black"` on the wire.
pub mod color {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use shakmaty::Color;

    /// The name on the wire.
    pub fn name(color: Color) -> &'static str {
        match color {
            Color::White => "white",
            Color::Black => "black",
        }
    }

    /// Writes the name.
    pub fn serialize<S: Serializer>(value: &Color, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(name(*value))
    }

    /// Reads the name.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Color, D::Error> {
        read(&String::deserialize(deserializer)?)
    }

    fn read<E: Error>(name: &str) -> Result<Color, E> {
        match name {
            "white" => Ok(Color::White),
            "black" => Ok(Color::Black),
            other => Err(E::custom(format!(
                "expected white or black, found {other:?}"
            ))),
        }
    }

    /// The same for an optional colour.
    pub mod option {
        use serde::{Deserialize, Deserializer, Serializer};
        use shakmaty::Color;

        /// Writes the name or null.
        pub fn serialize<S: Serializer>(
            value: &Option<Color>,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            match value {
                Some(value) => super::serialize(value, serializer),
                None => serializer.serialize_none(),
            }
        }

        /// Reads the name or null.
        pub fn deserialize<'de, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Option<Color>, D::Error> {
            let name = Option::<String>::deserialize(deserializer)?;
            name.as_deref().map(super::read).transpose()
        }
    }
}
