//! The slow eye of the board: one look at all squares takes 200–250 ms.

use std::{collections::BTreeSet, time::Duration};

/// When the scan passes which square, with work only for squares where something has changed.
#[derive(Debug, Clone)]
pub(super) struct Scan {
    period: Duration,
    phase: Duration,
    due: BTreeSet<(Duration, u8)>,
    waiting: u64,
}

impl Scan {
    pub(super) fn new(period: Duration, phase: Duration) -> Self {
        Self {
            period,
            phase,
            due: BTreeSet::new(),
            waiting: 0,
        }
    }

    pub(super) fn period(&self) -> Duration {
        self.period
    }

    /// A hand changed a square: it will be looked at when the scan comes by.
    pub(super) fn touch(&mut self, now: Duration, square: u8) {
        let bit = 1_u64 << square;
        if self.waiting & bit == 0 {
            self.waiting |= bit;
            self.due.insert((self.next_pass(now, square), square));
        }
    }

    /// The first passes that are still to come.
    pub(super) fn next(&self) -> Option<Duration> {
        self.due.first().map(|&(at, _)| at)
    }

    /// Takes the square whose pass is first, if it is not after `now`.
    pub(super) fn pop(&mut self, now: Duration) -> Option<u8> {
        let &(at, square) = self.due.first().filter(|(at, _)| *at <= now)?;
        self.due.remove(&(at, square));
        self.waiting &= !(1 << square);
        Some(square)
    }

    fn next_pass(&self, now: Duration, square: u8) -> Duration {
        let offset = self.phase + self.period * u32::from(square) / 64;
        let period = self.period.as_nanos();
        let passed = now.saturating_sub(offset).as_nanos();
        let rounds = if now <= offset {
            0
        } else {
            passed.div_ceil(period)
        };
        offset + self.period * rounds as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_is_passed_once_a_period() {
        let ms = Duration::from_millis;
        let mut scan = Scan::new(ms(220), ms(13));
        for square in 0..64 {
            scan.touch(ms(1000), square);
            scan.touch(ms(1001), square);
        }
        let mut passed = Vec::new();
        while let Some(at) = scan.next() {
            passed.push((at, scan.pop(at).unwrap()));
        }
        assert_eq!(passed.len(), 64);
        assert!(
            passed
                .iter()
                .all(|&(at, _)| at >= ms(1000) && at < ms(1220))
        );
        let first = passed[0].1;
        assert!(
            passed
                .iter()
                .enumerate()
                .all(|(i, &(_, s))| s == (first + i as u8) % 64)
        );
    }
}
