//! A Tabutronic Sentio: a line of eight numbers several times a second, 38,400 baud.

use std::time::Duration;

use rand::Rng as _;

use super::{Front, wire::Wire};
use crate::seed;

/// Eight LED bytes are one command.
const LIGHTS: usize = 8;

/// One board.
#[derive(Debug, Clone)]
pub(super) struct Sentio {
    every: Duration,
    next: Duration,
    lights: usize,
    wire: Wire,
}

impl Sentio {
    pub(super) fn new(seed: u64, table: u16) -> Self {
        let mut rng = seed::rng(seed, &[BOARD, u64::from(table)]);
        let every = Duration::from_millis(rng.random_range(120..=220));
        Self {
            every,
            next: every.mul_f64(rng.random()),
            lights: 0,
            wire: Wire::new(38_400),
        }
    }
}

/// Rank 8 first, a file a bit, a the highest.
fn line(cells: &[u8; 64]) -> String {
    let rank = |men: &[u8]| {
        men.iter()
            .fold(0_u8, |byte, man| byte << 1 | u8::from(*man != 0))
    };
    let numbers: Vec<String> = cells.chunks(8).map(|men| rank(men).to_string()).collect();
    format!(":{} \r\n", numbers.join(" "))
}

impl Front for Sentio {
    fn handle_bytes(&mut self, now: Duration, bytes: &[u8]) {
        self.lights += bytes.len();
        while self.lights >= LIGHTS {
            self.lights -= LIGHTS;
            self.wire.send(now, b"L\r\n".to_vec());
        }
    }

    fn handle_scan(&mut self, now: Duration, cells: &[u8; 64]) {
        if now >= self.next {
            self.next = now + self.every;
            self.wire.send(now, line(cells).into_bytes());
        }
    }

    fn poll_transmit(&mut self, now: Duration) -> Vec<u8> {
        self.wire.take(now)
    }

    fn poll_timeout(&self) -> Option<Duration> {
        self.wire.next().into_iter().chain([self.next]).min()
    }

    fn reset(&mut self, now: Duration) {
        self.wire.cut(now);
        self.next = now + self.every;
        self.lights = 0;
    }
}

const BOARD: u64 = 0x7365_6e74_696f;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::pieces;

    #[test]
    fn the_start_position_is_the_known_line() {
        let start = pieces::start(false);
        assert_eq!(line(&start), ":255 255 0 0 0 0 255 255 \r\n");
        let mut moved = start;
        (moved[52], moved[36]) = (0, 1);
        assert_eq!(line(&moved), ":255 255 0 0 8 0 247 255 \r\n");
    }
}
