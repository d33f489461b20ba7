//! A figure of the standings, exact to a hundredth.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::types::Points;

/// A figure in hundredths: points count 50 for a half, products of points 25 for a quarter, ratings
/// 100 for one; means are rounded to what their article says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub i64);

impl Value {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// A whole number.
    pub const fn whole(number: i64) -> Self {
        Self(number * 100)
    }

    /// Points.
    pub const fn points(points: Points) -> Self {
        Self(points.0 as i64 * 50)
    }

    /// Two scores multiplied.
    #[must_use]
    pub const fn times(self, other: Self) -> Self {
        Self(self.0 * other.0 / 100)
    }

    /// The mean of a sum over `count`, a half rounded up, to `unit` hundredths; `None` of nothing.
    pub const fn mean(sum: i64, count: i64, unit: i64) -> Option<Self> {
        if count <= 0 || unit <= 0 {
            return None;
        }
        let divisor = count * unit;
        Some(Self((2 * sum + divisor).div_euclid(2 * divisor) * unit))
    }

    /// As a number of a JSON document.
    pub fn number(self) -> f64 {
        self.0 as f64 / 100.0
    }

    /// With so many decimals, more where the figure needs them.
    pub fn decimal(self, decimals: usize) -> String {
        let needed = match self.0 % 100 {
            0 => 0,
            rest if rest % 10 == 0 => 1,
            _ => 2,
        };
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, rest) = (self.0.abs() / 100, self.0.abs() % 100);
        match decimals.max(needed) {
            0 => format!("{sign}{whole}"),
            1 => format!("{sign}{whole}.{}", rest / 10),
            _ => format!("{sign}{whole}.{rest:02}"),
        }
    }
}

/// A number of things as a signed number.
pub(super) fn signed(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

impl std::ops::Add for Value {
    type Output = Self;

    fn add(self, rhs: Self) -> Self {
        Self(self.0 + rhs.0)
    }
}

impl std::ops::Sub for Value {
    type Output = Self;

    fn sub(self, rhs: Self) -> Self {
        Self(self.0 - rhs.0)
    }
}

impl std::ops::AddAssign for Value {
    fn add_assign(&mut self, rhs: Self) {
        self.0 += rhs.0;
    }
}

impl std::iter::Sum for Value {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, |sum, value| sum + value)
    }
}

impl fmt::Display for Value {
    /// As short as it goes: `4`, `4.5`, `4.25`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.decimal(0))
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_and_signs() {
        for (value, decimals, text) in [
            (Value(1350), 1, "13.5"),
            (Value(1300), 1, "13.0"),
            (Value(1300), 0, "13"),
            (Value(25), 1, "0.25"),
            (Value(-50), 0, "-0.5"),
            (Value(900), 2, "9.00"),
        ] {
            assert_eq!(value.decimal(decimals), text);
        }
    }

    #[test]
    fn a_half_is_rounded_up() {
        assert_eq!(Value::mean(10_700, 8, 1), Some(Value(1338)));
        assert_eq!(Value::mean(401_100, 2, 100), Some(Value::whole(2006)));
        assert_eq!(Value::mean(-300, 2, 100), Some(Value::whole(-1)));
        assert_eq!(Value::mean(5, 0, 1), None);
        assert_eq!(Value(150).times(Value(250)), Value(375));
    }
}
