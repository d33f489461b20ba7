//! What the sensors make of the men: worn coils, men beside the middle of their square, bad contacts.

use std::{collections::BTreeMap, time::Duration};

use rand::Rng as _;
use rand_chacha::ChaCha8Rng;

use crate::hands::Spread;

/// How badly a board reads its men, and its cable carries what it says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    /// Some man is not read, or read as another one, for a scan or two: on average once in this time.
    pub flicker_every: Option<Duration>,
    /// Share of flickers that read as another man instead of nothing.
    pub flicker_as_other: f64,
    /// A man is put down beside the middle of its square and not read until it settles, per man put down.
    pub off_centre: f64,
    /// How long that lasts.
    pub settles: Spread,
    /// A man is read as another one in the first scan, per man put down.
    pub misread: f64,
    /// A byte is lost on the line, per byte.
    pub lost_byte: f64,
}

impl Noise {
    /// Every man is read, every byte arrives.
    pub const fn none() -> Self {
        Self {
            flicker_every: None,
            flicker_as_other: 0.0,
            off_centre: 0.0,
            settles: Spread::millis(0, 0),
            misread: 0.0,
            lost_byte: 0.0,
        }
    }

    /// A board that has been used for some years.
    pub const fn ordinary() -> Self {
        Self {
            flicker_every: Some(Duration::from_secs(90)),
            flicker_as_other: 0.2,
            off_centre: 0.01,
            settles: Spread::millis(300, 2_500),
            misread: 0.002,
            lost_byte: 0.000_01,
        }
    }

    /// A board that should be sent in for repair, on a cable that should be thrown away.
    pub const fn hostile() -> Self {
        Self {
            flicker_every: Some(Duration::from_secs(6)),
            flicker_as_other: 0.4,
            off_centre: 0.08,
            settles: Spread::millis(300, 8_000),
            misread: 0.03,
            lost_byte: 0.000_5,
        }
    }
}

/// What a square reads as instead of what stands there.
#[derive(Debug, Clone, Copy)]
struct Veil {
    until: Duration,
    reads: u8,
}

#[derive(Debug, Clone)]
pub(super) struct Sensors {
    noise: Noise,
    veils: BTreeMap<u8, Veil>,
    next_flicker: Option<Duration>,
    rng: ChaCha8Rng,
}

impl Sensors {
    pub(super) fn new(noise: Noise, now: Duration, rng: ChaCha8Rng) -> Self {
        let mut sensors = Self {
            noise,
            veils: BTreeMap::new(),
            next_flicker: None,
            rng,
        };
        sensors.plan_flicker(now);
        sensors
    }

    /// The same sensors in another state.
    pub(super) fn with(&self, noise: Noise, now: Duration) -> Self {
        Self::new(noise, now, self.rng.clone())
    }

    /// What the square reads as.
    pub(super) fn read(&self, now: Duration, square: u8, stands: u8) -> u8 {
        match self.veils.get(&square) {
            Some(veil) if now < veil.until => veil.reads,
            _ => stands,
        }
    }

    /// A hand has put a man on the square, or taken it away.
    pub(super) fn put(&mut self, now: Duration, square: u8, piece: u8, period: Duration) {
        self.veils.remove(&square);
        if piece == 0 {
            return;
        }
        if self.happens(self.noise.off_centre) {
            let until = now + self.noise.settles.pick(&mut self.rng);
            self.veils.insert(square, Veil { until, reads: 0 });
        } else if self.happens(self.noise.misread) {
            let reads = self.another(piece);
            let until = now + period;
            self.veils.insert(square, Veil { until, reads });
        }
    }

    /// When a square reads otherwise than before without a hand.
    pub(super) fn next(&self) -> Option<Duration> {
        let veils = self.veils.values().map(|veil| veil.until);
        veils.chain(self.next_flicker).min()
    }

    /// The squares that read otherwise from now on.
    pub(super) fn advance(&mut self, now: Duration, cells: &[u8; 64], period: Duration) -> Vec<u8> {
        let ended = self.veils.iter().filter(|(_, veil)| veil.until <= now);
        let mut changed: Vec<u8> = ended.map(|(square, _)| *square).collect();
        self.veils.retain(|_, veil| veil.until > now);
        if self.next_flicker.is_some_and(|at| at <= now) {
            self.plan_flicker(now);
            let square = self.rng.random_range(0..64);
            let stands = cells[usize::from(square)];
            if stands != 0 && !self.veils.contains_key(&square) {
                let other = self.happens(self.noise.flicker_as_other);
                let reads = if other { self.another(stands) } else { 0 };
                let until = now + period.mul_f64(self.rng.random_range(0.5..2.0));
                self.veils.insert(square, Veil { until, reads });
                changed.push(square);
            }
        }
        changed
    }

    /// What arrives of these bytes.
    pub(super) fn carry(&mut self, mut bytes: Vec<u8>) -> Vec<u8> {
        let lost = self.noise.lost_byte;
        bytes.retain(|_| !self.happens(lost));
        bytes
    }

    fn plan_flicker(&mut self, now: Duration) {
        // Half of the squares that are looked at are empty.
        self.next_flicker = self
            .noise
            .flicker_every
            .map(|every| now + every.mul_f64(self.rng.random_range(0.0..1.0)));
    }

    fn another(&mut self, piece: u8) -> u8 {
        1 + (piece - 1 + self.rng.random_range(1..12)) % 12
    }

    fn happens(&mut self, probability: f64) -> bool {
        probability > 0.0 && self.rng.random_bool(probability)
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;

    use super::*;

    const PERIOD: Duration = Duration::from_millis(220);

    #[test]
    fn a_clean_board_reads_what_stands_there() {
        let mut sensors = Sensors::new(Noise::none(), Duration::ZERO, ChaCha8Rng::seed_from_u64(1));
        sensors.put(Duration::ZERO, 5, 3, PERIOD);
        assert_eq!(sensors.read(Duration::ZERO, 5, 3), 3);
        assert_eq!(sensors.next(), None);
        assert_eq!(sensors.carry(vec![1, 2, 3]), [1, 2, 3]);
    }

    #[test]
    fn a_flicker_is_over_soon_and_never_shows_the_right_man() {
        let mut sensors = Sensors::new(
            Noise::hostile(),
            Duration::ZERO,
            ChaCha8Rng::seed_from_u64(1),
        );
        let cells = [7; 64];
        let (mut now, mut wrong, mut hidden) = (Duration::ZERO, 0, 0);
        while now < Duration::from_mins(10) {
            now = sensors.next().unwrap();
            for square in sensors.advance(now, &cells, PERIOD) {
                match sensors.read(now, square, 7) {
                    7 => {}
                    0 => hidden += 1,
                    other => {
                        assert!((1..=12).contains(&other));
                        wrong += 1;
                    }
                }
                assert_eq!(sensors.read(now + PERIOD * 2, square, 7), 7);
            }
        }
        assert!(wrong > 20 && hidden > wrong, "{wrong} {hidden}");
    }
}
