//! What can happen to bytes.

use rand::Rng as _;
use rand_chacha::ChaCha8Rng;

/// No input grows beyond this.
const LONGEST: usize = 20_000;

/// Bytes with a meaning in some family: starts and ends of messages, codes, edges.
const TELLING: [u8; 20] = [
    0x00, 0x01, 0x02, 0x0a, 0x0d, 0x20, 0x3a, 0x7f, 0x80, 0x86, 0x8d, 0x8e, 0x90, 0xa3, 0xb8, 0xbb,
    0xd8, 0xf0, 0xfe, 0xff,
];

pub(crate) struct Mutator<'a>(pub(crate) &'a mut ChaCha8Rng);

impl Mutator<'_> {
    /// Some bytes after one to eight mishaps; `other` is what they may be mixed with.
    pub(crate) fn mutate(&mut self, mut bytes: Vec<u8>, other: &[u8]) -> Vec<u8> {
        for _ in 0..1 << self.0.random_range(0..4_u32) {
            self.once(&mut bytes, other);
        }
        bytes.truncate(LONGEST);
        bytes
    }

    fn at(&mut self, bytes: &[u8]) -> usize {
        self.0.random_range(0..=bytes.len())
    }

    /// A stretch, mostly as short as a message.
    fn stretch(&mut self, bytes: &[u8]) -> std::ops::Range<usize> {
        let from = self.at(bytes);
        let most = if self.0.random_bool(0.8) { 12 } else { 400 };
        let len = self.0.random_range(0..=most);
        from..(from + len).min(bytes.len())
    }

    fn once(&mut self, bytes: &mut Vec<u8>, other: &[u8]) {
        let stretch = self.stretch(bytes);
        let at = self.at(bytes);
        match self.0.random_range(0..10) {
            0 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << self.0.random_range(0..8_u32);
                }
            }
            1 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = self.0.random();
                }
            }
            2 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = TELLING[self.0.random_range(0..TELLING.len())];
                }
            }
            3 => drop(bytes.drain(stretch)),
            // Told twice.
            4 => {
                let copy = bytes[stretch].to_vec();
                bytes.splice(at..at, copy);
            }
            // In another order.
            5 => {
                let moved: Vec<u8> = bytes.drain(stretch).collect();
                let at = at.min(bytes.len());
                bytes.splice(at..at, moved);
            }
            6 => {
                let theirs = self.stretch(other);
                bytes.splice(at..at, other[theirs].iter().copied());
            }
            7 => {
                let theirs = self.at(other);
                bytes.truncate(at);
                bytes.extend(&other[theirs..]);
            }
            8 => {
                let noise: Vec<u8> = (0..self.0.random_range(1..9))
                    .map(|_| self.0.random())
                    .collect();
                bytes.splice(at..at, noise);
            }
            _ => {
                if self.0.random_bool(0.2) {
                    bytes.truncate(at);
                } else if let Some(byte) = bytes.get_mut(at) {
                    *byte = byte
                        .wrapping_add(self.0.random_range(0..3_u8))
                        .wrapping_sub(1);
                }
            }
        }
    }
}
