//! Drawing lots so that anybody can repeat the drawing: a seed in, the same lots out.

use serde::{Deserialize, Serialize};

use crate::types::Color;

/// A source of lots: SplitMix64 over a seed that is shown and recorded.
#[derive(Clone, Debug)]
pub struct Lot {
    state: u64,
}

impl Lot {
    /// Starts from a seed.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Lots of their own for a key, from a common seed.
    pub const fn keyed(seed: u64, key: [u64; 3]) -> Self {
        let mut lot = Self::new(seed);
        let mut at = 0;
        while at < key.len() {
            lot = Self::new(lot.bits() ^ key[at]);
            at += 1;
        }
        lot
    }

    /// The next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// One of `0..bound`, each as likely as the others; 0 when there is no choice.
    pub const fn below(&mut self, bound: usize) -> usize {
        if bound < 2 {
            return 0;
        }
        let bound = bound as u64;
        // What lies above the last whole multiple is drawn again.
        let unfair = u64::MAX % bound + 1;
        loop {
            let bits = self.bits();
            if unfair == bound || bits <= u64::MAX - unfair {
                return (bits % bound) as usize;
            }
        }
    }

    /// White or Black.
    pub const fn colour(&mut self) -> Color {
        if self.below(2) == 0 {
            Color::White
        } else {
            Color::Black
        }
    }

    /// Mixes a list.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            let other = self.below(last + 1);
            list.swap(last, other);
        }
    }
}

/// A colour drawn by lot, with what is needed to draw it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawnColour {
    /// The seed.
    pub seed: u64,
    /// What came out.
    #[serde(with = "crate::types::color")]
    pub colour: Color,
}

impl DrawnColour {
    /// Draws the initial colour of an event (C.04.3 5.1 and its likes); goes into
    /// [`Settings::initial_colour`](super::Settings).
    pub const fn draw(seed: u64) -> Self {
        Self {
            seed,
            colour: Lot::new(seed).colour(),
        }
    }
}

/// Numbers drawn by lot without restriction, with what is needed to draw them again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawnNumbers {
    /// The seed.
    pub seed: u64,
    /// The number of each player, in the order in which they stepped up.
    pub numbers: Vec<u16>,
}

impl DrawnNumbers {
    /// Draws the numbers 1 to `players`.
    pub fn draw(players: u16, seed: u64) -> Self {
        let mut numbers: Vec<u16> = (1..=players).collect();
        Lot::new(seed).shuffle(&mut numbers);
        Self { seed, numbers }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_equal_the_published_ones() {
        let mut lot = Lot::new(1_234_567);
        let drawn: Vec<u64> = (0..5).map(|_| lot.bits()).collect();
        assert_eq!(
            drawn,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        );
    }

    #[test]
    fn every_lot_comes_up_about_as_often() {
        let mut counts = [0_u32; 6];
        let mut lot = Lot::new(7);
        for _ in 0..6000 {
            counts[lot.below(6)] += 1;
        }
        assert!(
            counts.iter().all(|&count| (850..1150).contains(&count)),
            "{counts:?}"
        );
        let white = (0..1000)
            .filter(|&seed| DrawnColour::draw(seed).colour == Color::White)
            .count();
        assert!((420..580).contains(&white), "{white}");
    }

    #[test]
    fn shuffling_keeps_everything_and_repeats() {
        let mixed = |seed| {
            let mut list: Vec<u8> = (0..20).collect();
            Lot::new(seed).shuffle(&mut list);
            list
        };
        assert_eq!(mixed(5), mixed(5));
        assert_ne!(mixed(5), mixed(6));
        let mut sorted = mixed(5);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..20).collect::<Vec<_>>());
        let drawn = DrawnNumbers::draw(9, 4);
        assert_eq!(drawn, DrawnNumbers::draw(9, 4));
        assert_ne!(drawn.numbers, DrawnNumbers::draw(9, 5).numbers);
    }
}
