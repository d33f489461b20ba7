//! A Certabo: a line with the tag over each square several times a second, 38,400 baud. Its set is calibrated before
//! the first round: until then two spare queens stand on d3 and d6.

use std::{collections::BTreeMap, time::Duration};

use rand::Rng as _;
use rand_chacha::ChaCha8Rng;

use super::{Front, wire::Wire};
use crate::{board::pieces, seed};

/// Eight LED bytes are one command.
const LIGHTS: usize = 8;
/// One frame in so many misses a man, or shows a tag where there is none.
const NOISE: u32 = 150;
/// Codes of the queens.
const QUEENS: [u8; 2] = [6, 12];
/// d3 and d6 in wire order.
const SPARE: [usize; 2] = [43, 19];

type Tag = [u8; 5];

/// One board with its set of men.
#[derive(Debug, Clone)]
pub(super) struct Certabo {
    every: Duration,
    next: Duration,
    /// Some firmware breaks its lines after every 64 characters.
    breaks_lines: bool,
    cells: [u8; 64],
    /// The man over each square.
    over: [Option<Tag>; 64],
    /// Men beside the board, by kind, the last one taken off on top.
    beside: BTreeMap<u8, Vec<Tag>>,
    calibrating: bool,
    lights: usize,
    rng: ChaCha8Rng,
    wire: Wire,
}

impl Certabo {
    pub(super) fn new(seed: u64, table: u16) -> Self {
        let mut rng = seed::rng(seed, &[BOARD, u64::from(table)]);
        let mut beside: BTreeMap<u8, Vec<Tag>> = BTreeMap::new();
        let men = pieces::start(false);
        for code in men.into_iter().chain(QUEENS).filter(|code| *code != 0) {
            // The numbers of one maker's tags end alike and differ in the middle.
            let tag = [
                rng.random_range(1..255),
                rng.random(),
                rng.random(),
                rng.random(),
                132,
            ];
            beside.entry(code).or_default().push(tag);
        }
        let every = Duration::from_millis(rng.random_range(160..=260));
        Self {
            every,
            next: every.mul_f64(rng.random()),
            breaks_lines: rng.random_bool(0.5),
            cells: [0; 64],
            over: [None; 64],
            beside,
            calibrating: true,
            lights: 0,
            rng,
            wire: Wire::new(38_400),
        }
    }

    /// The men go where the sensors see them.
    fn follow(&mut self, cells: &[u8; 64]) {
        for (at, code) in cells.iter().enumerate() {
            if self.cells[at] != *code
                && let Some(tag) = self.over[at].take()
            {
                self.beside.entry(self.cells[at]).or_default().push(tag);
            }
        }
        // A man may be seen on his new square before the old one is seen empty.
        for (at, code) in cells.iter().enumerate() {
            if self.over[at].is_none() && *code != 0 {
                self.over[at] = self.beside.entry(*code).or_default().pop();
            }
        }
        self.cells = *cells;
    }

    fn line(&mut self) -> Vec<u8> {
        let mut tags = self.over;
        if self.calibrating {
            for (at, queen) in SPARE.into_iter().zip(QUEENS) {
                tags[at] = self.beside.get(&queen).and_then(|men| men.first().copied());
            }
        } else if self.rng.random_ratio(1, NOISE) {
            let at = self.rng.random_range(0..64);
            tags[at] = match tags[at] {
                Some(_) => None,
                None => Some(self.rng.random()),
            };
        }
        let numbers: Vec<String> = tags
            .iter()
            .flat_map(|tag| tag.unwrap_or_default())
            .map(|number| number.to_string())
            .collect();
        let line = format!(":{} \r\n", numbers.join(" ")).into_bytes();
        if !self.breaks_lines {
            return line;
        }
        line.chunks(64).collect::<Vec<_>>().join(&b'\n')
    }
}

impl Front for Certabo {
    fn handle_bytes(&mut self, now: Duration, bytes: &[u8]) {
        self.lights += bytes.len();
        while self.lights >= LIGHTS {
            self.lights -= LIGHTS;
            self.wire.send(now, b"L\r\n".to_vec());
        }
    }

    fn handle_scan(&mut self, now: Duration, cells: &[u8; 64]) {
        if *cells != self.cells {
            self.follow(cells);
        }
        if now >= self.next {
            self.next = now + self.every;
            let line = self.line();
            self.wire.send(now, line);
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

    fn begin(&mut self) {
        self.calibrating = false;
    }
}

const BOARD: u64 = 0x6365_7274_6162;

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of a line, five to a square.
    fn read(line: &[u8]) -> Vec<Vec<u8>> {
        let text: String = line
            .iter()
            .filter(|byte| **byte != b'\n')
            .map(|byte| char::from(*byte))
            .collect();
        let text = text.strip_prefix(':').unwrap().trim_end();
        let numbers: Vec<u8> = text
            .split(' ')
            .map(|number| number.parse().unwrap())
            .collect();
        numbers.chunks(5).map(<[u8]>::to_vec).collect()
    }

    #[test]
    fn a_man_keeps_his_tag_wherever_he_goes() {
        let mut board = Certabo::new(1, 1);
        let start = pieces::start(false);
        board.follow(&start);
        let calibration = read(&board.line());
        assert_eq!(calibration.len(), 64);
        assert!(
            calibration[43].iter().any(|number| *number != 0),
            "the spare queen on d3"
        );
        board.begin();
        board.calibrating = false;
        let before = board.over[52];
        let mut lifted = start;
        lifted[52] = 0;
        board.follow(&lifted);
        assert_eq!(board.over[52], None);
        lifted[36] = 1;
        board.follow(&lifted);
        assert_eq!(board.over[36], before);
    }
}
