//! Numbers for costs: machine words where they suffice, wider ones where several criteria are packed
//! one above the other.

use std::{
    fmt::Debug,
    ops::{Add, Sub},
};

/// A signed whole number of a fixed width.
pub trait Weight: Copy + Ord + Debug + Add<Output = Self> + Sub<Output = Self> {
    /// Zero.
    const ZERO: Self;
    /// The width in bits, sign included.
    const BITS: u32;

    /// Half of an even number.
    #[must_use]
    fn half(self) -> Self;

    /// `value << shift`; the result must fit.
    fn shifted(value: u32, shift: u32) -> Self;

    /// Twice the number.
    #[must_use]
    fn double(self) -> Self {
        self + self
    }
}

macro_rules! machine_word {
    ($word:ty) => {
        impl Weight for $word {
            const ZERO: Self = 0;
            const BITS: u32 = <$word>::BITS;

            fn half(self) -> Self {
                self >> 1
            }

            fn shifted(value: u32, shift: u32) -> Self {
                Self::from(value) << shift
            }
        }
    };
}

machine_word!(i64);
machine_word!(i128);

/// `N` words in two's complement, the lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wide<const N: usize>([u64; N]);

impl<const N: usize> Ord for Wide<N> {
    #[inline]
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let top = |number: &Self| number.0[N - 1].cast_signed();
        top(self)
            .cmp(&top(other))
            .then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

impl<const N: usize> PartialOrd for Wide<N> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<const N: usize> Add for Wide<N> {
    type Output = Self;

    #[inline]
    fn add(mut self, other: Self) -> Self {
        let mut carry = false;
        for (own, theirs) in self.0.iter_mut().zip(other.0) {
            let (sum, first) = own.overflowing_add(theirs);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            *own = sum;
            carry = first || second;
        }
        self
    }
}

impl<const N: usize> Sub for Wide<N> {
    type Output = Self;

    #[inline]
    fn sub(mut self, other: Self) -> Self {
        let mut borrow = false;
        for (own, theirs) in self.0.iter_mut().zip(other.0) {
            let (difference, first) = own.overflowing_sub(theirs);
            let (difference, second) = difference.overflowing_sub(u64::from(borrow));
            *own = difference;
            borrow = first || second;
        }
        self
    }
}

impl<const N: usize> Weight for Wide<N> {
    const ZERO: Self = Self([0; N]);
    const BITS: u32 = 64 * N as u32;

    fn half(mut self) -> Self {
        let mut above = self.0[N - 1] >> 63;
        for word in self.0.iter_mut().rev() {
            let low = *word & 1;
            *word = *word >> 1 | above << 63;
            above = low;
        }
        self
    }

    fn shifted(value: u32, shift: u32) -> Self {
        let mut number = Self::ZERO;
        let (at, within) = (shift as usize / 64, shift % 64);
        let value = u64::from(value);
        number.0[at] = value << within;
        if within > 0 && at + 1 < N {
            number.0[at + 1] = value >> (64 - within);
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn wide(value: i128) -> Wide<3> {
        let sign = if value < 0 { u64::MAX } else { 0 };
        Wide([value as u64, (value >> 64) as u64, sign])
    }

    proptest! {
        #[test]
        fn wide_numbers_reckon_like_machine_words(
            a in -(1_i128 << 100)..1_i128 << 100,
            b in -(1_i128 << 100)..1_i128 << 100,
            value in any::<u32>(),
            shift in 0_u32..80,
        ) {
            prop_assert_eq!(wide(a) + wide(b), wide(a + b));
            prop_assert_eq!(wide(a) - wide(b), wide(a - b));
            prop_assert_eq!(wide(a).cmp(&wide(b)), a.cmp(&b));
            prop_assert_eq!(wide(a).double().half(), wide(a));
            prop_assert_eq!(Wide::<3>::shifted(value, shift), wide(i128::from(value) << shift));
        }
    }
}
