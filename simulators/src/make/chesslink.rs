//! A Millennium ChessLink: letters with a block check, seven bits and odd parity, 38,400 baud.

use std::time::Duration;

use rand::Rng as _;

use super::{Front, letter, wire::Wire};
use crate::seed;

/// Registers: block check, scan time, automatic reports, period, brightness.
const REGISTERS: usize = 5;
/// Slots of light: two hex digits for the slot's length and for each of 81 lights.
const LIGHTS: usize = 2 + 2 * 81;
const UNIT: Duration = Duration::from_micros(4096);
const SCAN_UNIT: Duration = Duration::from_micros(2048);
const ANSWERS: Duration = Duration::from_millis(4);
const RESET: Duration = Duration::from_secs(3);

/// One board.
#[derive(Debug, Clone)]
pub(super) struct ChessLink {
    registers: [u8; REGISTERS],
    /// How often a register was written: it is EEPROM.
    writes: u32,
    input: Vec<u8>,
    cells: [u8; 64],
    told: Option<[u8; 64]>,
    scan_at: Duration,
    deaf_until: Duration,
    wire: Wire,
}

impl ChessLink {
    pub(super) fn new(seed: u64, table: u16) -> Self {
        let mut rng = seed::rng(seed, &[BOARD, u64::from(table)]);
        // As they leave the factory, or as some program has left them.
        let reports = [0, 3, 3, 1][rng.random_range(0..4)];
        Self {
            registers: [0, 20, reports, 122, 14],
            writes: 0,
            input: Vec::new(),
            cells: [0; 64],
            told: None,
            scan_at: Duration::from_millis(rng.random_range(0..41)),
            deaf_until: Duration::ZERO,
            wire: Wire::new(38_400),
        }
    }

    fn say(&mut self, now: Duration, text: &[u8]) {
        let check = text.iter().fold(0_u8, |sum, byte| sum ^ byte);
        let digits = format!("{check:02X}");
        let plain = text.iter().chain(digits.as_bytes());
        let bytes = plain.map(|byte| {
            let odd = byte.count_ones() % 2 == 1;
            if odd { *byte } else { byte | 0x80 }
        });
        self.wire.send(now, bytes.collect());
    }

    fn position(&self) -> Vec<u8> {
        let men = self.cells.iter().map(|code| letter(*code));
        std::iter::once(b's').chain(men).collect()
    }

    fn every(&self) -> Duration {
        match self.registers[2] {
            2 => UNIT * u32::from(self.registers[3].max(1)),
            _ => SCAN_UNIT * u32::from(self.registers[1].max(15)),
        }
    }

    /// How many characters a command has between its letter and its check.
    fn data_of(letter: u8) -> Option<usize> {
        Some(match letter {
            b'S' | b'X' | b'T' | b'V' => 0,
            b'R' | b'I' => 2,
            b'W' => 4,
            b'L' => LIGHTS,
            _ => return None,
        })
    }

    fn obey(&mut self, now: Duration, command: &[u8]) {
        let now = now + ANSWERS;
        let hex = |at: usize| {
            let digits = std::str::from_utf8(command.get(at..at + 2)?).ok()?;
            u8::from_str_radix(digits, 16).ok()
        };
        match command[0] {
            b'S' => self.say(now, &self.position()),
            b'X' => self.say(now, b"x"),
            b'L' => self.say(now, b"l"),
            b'V' => self.say(now, b"v0105"),
            b'T' => {
                self.deaf_until = now + RESET;
                self.told = None;
            }
            b'R' => {
                if let Some(register) = hex(1) {
                    let value = self.registers.get(usize::from(register));
                    let value = value.copied().unwrap_or_default();
                    self.say(now, format!("r{register:02X}{value:02X}").as_bytes());
                }
            }
            b'W' => {
                if let (Some(register), Some(value)) = (hex(1), hex(3)) {
                    if let Some(cell) = self.registers.get_mut(usize::from(register)) {
                        *cell = value;
                        self.writes += 1;
                    }
                    self.say(now, format!("w{register:02X}{value:02X}").as_bytes());
                }
            }
            // Older ones do not know who they are.
            _ => {}
        }
    }
}

impl Front for ChessLink {
    fn handle_bytes(&mut self, now: Duration, bytes: &[u8]) {
        if now < self.deaf_until {
            return;
        }
        for byte in bytes {
            self.input.push(byte & 0x7f);
            let Some(length) = Self::data_of(self.input[0]).map(|data| data + 3) else {
                self.input.clear();
                continue;
            };
            if self.input.len() < length {
                continue;
            }
            let command = std::mem::take(&mut self.input);
            let (text, check) = command.split_at(length - 2);
            let sum = text.iter().fold(0_u8, |sum, byte| sum ^ byte);
            if format!("{sum:02X}").as_bytes() == check {
                self.obey(now, text);
            }
        }
    }

    fn handle_scan(&mut self, now: Duration, cells: &[u8; 64]) {
        self.cells = *cells;
        if now < self.scan_at || now < self.deaf_until {
            return;
        }
        self.scan_at = now + self.every();
        let report = match self.registers[2] {
            0 | 2 => true,
            1 => false,
            _ => self.told != Some(self.cells),
        };
        if report {
            self.told = Some(self.cells);
            self.say(now, &self.position());
        }
    }

    fn poll_transmit(&mut self, now: Duration) -> Vec<u8> {
        self.wire.take(now)
    }

    fn poll_timeout(&self) -> Option<Duration> {
        // A board that tells changes only is idle until somebody moves a man, which wakes it.
        let scans = matches!(self.registers[2], 0 | 2) || self.told != Some(self.cells);
        let scan = (scans && self.registers[2] != 1).then_some(self.scan_at);
        self.wire.next().into_iter().chain(scan).min()
    }

    fn reset(&mut self, now: Duration) {
        self.wire.cut(now);
        self.input.clear();
        self.told = None;
        self.deaf_until = Duration::ZERO;
    }
}

const BOARD: u64 = 0x6368_6573_736c;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::pieces;

    fn ask(board: &mut ChessLink, bytes: &[u8]) -> Vec<u8> {
        let now = Duration::from_secs(1);
        board.handle_bytes(now, bytes);
        let later = now + Duration::from_millis(50);
        board.poll_transmit(later)
    }

    #[test]
    fn it_answers_as_the_facts_say() {
        let mut board = ChessLink::new(1, 1);
        board.registers[2] = 3;
        board.handle_scan(Duration::from_millis(900), &pieces::start(false));
        let report = board.poll_transmit(Duration::from_secs(1));
        let plain: Vec<u8> = report.iter().map(|byte| byte & 0x7f).collect();
        assert_eq!(plain.len(), 67);
        assert_eq!(&plain[..10], b"srnbqkbnrp");
        assert!(report.iter().all(|byte| byte.count_ones() % 2 == 1));
        // V with its check 56, with parity and without.
        let version = ask(&mut board, &[0xd6, 0xb5, 0xb6]);
        assert_eq!(version.len(), 7);
        assert_eq!(ask(&mut board, b"V56").len(), 7);
        assert_eq!(ask(&mut board, b"V57"), b"");
        let read: Vec<u8> = ask(&mut board, b"R0250").iter().map(|b| b & 0x7f).collect();
        assert_eq!(&read[..5], b"r0203");
    }
}
