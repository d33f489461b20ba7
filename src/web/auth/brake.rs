//! A delay that grows with every wrong guess from an address, or from a device that is known.
//!
//! Behind one router or proxy all phones have one address. Whoever logged in from his phone before is
//! therefore counted by that phone, so that a guesser beside him cannot lock him out.

use std::{
    collections::BTreeMap,
    net::IpAddr,
    time::{Duration, Instant},
};

/// Wrong guesses that cost nothing: fingers slip.
const FREE: u32 = 4;
/// The longest delay.
const LONGEST: Duration = Duration::from_mins(5);
/// Guessers remembered; beyond that the oldest is forgotten.
const GUESSERS: usize = 4096;

/// Whose guesses are counted together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Guesser {
    /// A device where somebody logged in before, by its token.
    Known(String),
    /// Anybody at an address.
    Address(IpAddr),
}

#[derive(Debug)]
struct Entry {
    wrong: u32,
    not_before: Instant,
}

/// Wrong guesses by guesser.
#[derive(Debug, Default)]
pub(super) struct Brake(BTreeMap<Guesser, Entry>);

impl Brake {
    /// Counts an attempt as wrong until told otherwise.
    ///
    /// # Errors
    /// The seconds to wait, when it comes too early; it is not counted then.
    pub(super) fn attempt(&mut self, from: &Guesser, now: Instant) -> Result<(), u64> {
        if !self.0.contains_key(from) && self.0.len() >= GUESSERS {
            let oldest = self.0.iter().min_by_key(|(_, entry)| entry.not_before);
            if let Some(guesser) = oldest.map(|(guesser, _)| guesser.clone()) {
                self.0.remove(&guesser);
            }
        }
        let entry = self.0.entry(from.clone()).or_insert(Entry {
            wrong: 0,
            not_before: now,
        });
        let wait = entry.not_before.saturating_duration_since(now);
        if !wait.is_zero() {
            return Err(wait.as_secs() + 1);
        }
        entry.wrong += 1;
        let delay = match entry.wrong.checked_sub(FREE + 1) {
            None => Duration::ZERO,
            Some(over) => LONGEST.min(Duration::from_secs(1 << over.min(16))),
        };
        entry.not_before = now + delay;
        Ok(())
    }

    /// The attempt was right.
    pub(super) fn succeeded(&mut self, from: &Guesser) {
        self.0.remove(from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delay_doubles_up_to_five_minutes() {
        let from = &Guesser::Address(IpAddr::from([192, 0, 2, 1]));
        let mut now = Instant::now();
        let mut brake = Brake::default();
        for _ in 0..=FREE {
            assert_eq!(brake.attempt(from, now), Ok(()));
        }
        let mut delays = Vec::new();
        for _ in 0..11 {
            let mut waited = 0;
            while brake.attempt(from, now).is_err() {
                now += Duration::from_secs(1);
                waited += 1;
            }
            delays.push(waited);
        }
        assert_eq!(delays, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
    }
}
