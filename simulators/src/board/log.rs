//! The board's own log: what it writes to its EEPROM while it is on.

use std::{collections::VecDeque, time::Duration};

use super::pieces;

/// Bytes the ring holds, the end mark included.
const CAPACITY: usize = 0x1f00;

const POWER_UP: u8 = 0x6a;
const END: u8 = 0x6b;
const FOUR_ROWS: u8 = 0x6c;
const EMPTY_BOARD: u8 = 0x6d;
const DOWNLOADED: u8 = 0x6e;
const START: u8 = 0x6f;
const START_TURNED: u8 = 0x7a;
const NOTHING: u8 = 0x7f;

/// Two changes closer together than this are marked so.
const FAST: Duration = Duration::from_millis(250);

/// Entries, oldest first.
#[derive(Debug, Clone, Default)]
pub(super) struct EventLog {
    entries: VecDeque<Entry>,
    size: usize,
    last_change: Option<Duration>,
    /// Squares whose men have left home since the last start tag, a bit each.
    away: u64,
    tagged: Option<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    bytes: [u8; 3],
    length: usize,
}

impl Entry {
    fn new(bytes: &[u8]) -> Self {
        let mut entry = Self {
            bytes: [0; 3],
            length: bytes.len(),
        };
        entry.bytes[..bytes.len()].copy_from_slice(bytes);
        entry
    }

    fn is_field(self, square: u8) -> bool {
        self.length == 2 && self.bytes[1] == square
    }
}

impl EventLog {
    /// The board comes up with these pieces on it.
    pub(super) fn power_up(&mut self, seen: &[u8; 64]) {
        for _ in 0..3 {
            self.push(&[NOTHING]);
        }
        self.push(&[POWER_UP]);
        self.all_pieces(seen);
        self.tagged = None;
        self.tag(seen);
    }

    /// Every man on the board, as the scan commands and the power-up write them.
    pub(super) fn all_pieces(&mut self, seen: &[u8; 64]) {
        for (square, &piece) in seen.iter().enumerate() {
            if piece != 0 {
                self.push(&[0x40 | piece, square as u8]);
            }
        }
    }

    /// The scan saw a change.
    pub(super) fn change(&mut self, now: Duration, square: u8, piece: u8, seen: &[u8; 64]) {
        let fast = self
            .last_change
            .is_some_and(|last| now.saturating_sub(last) < FAST);
        self.last_change = Some(now);
        let entry = Entry::new(&[0x40 | (u8::from(fast) << 4) | piece, square]);
        // A square that flickers overwrites its own entry, else one bad sensor would fill the ring.
        match self.entries.back_mut() {
            Some(last) if last.is_field(square) => *last = entry,
            _ => self.push_entry(entry),
        }
        self.note_away(seen);
        self.tag(seen);
    }

    /// A player pressed: his time, from the left or the right side of the clock.
    pub(super) fn press(&mut self, right: bool, hours: u8, ms: [u8; 2]) {
        let side = if right { 0x60 } else { 0x70 };
        self.push(&[side | (hours & 0x0f).min(9), ms[0], ms[1]]);
    }

    /// The data of the log message; the reading itself is logged too.
    pub(super) fn download(&mut self) -> Vec<u8> {
        let entries = self
            .entries
            .iter()
            .flat_map(|entry| &entry.bytes[..entry.length]);
        let data = entries.copied().chain([END]).collect();
        self.push(&[DOWNLOADED]);
        data
    }

    fn note_away(&mut self, seen: &[u8; 64]) {
        let start = self.tagged.map(|tag| pieces::start(tag == START_TURNED));
        if let Some(start) = start {
            for (square, (now, home)) in seen.iter().zip(start).enumerate() {
                self.away |= u64::from(home != 0 && *now != home) << square;
            }
        }
    }

    /// Writes a tag when a marked position is reached; a start again only when more than two men were
    /// away from it.
    fn tag(&mut self, seen: &[u8; 64]) {
        let tag = if *seen == pieces::start(false) {
            START
        } else if *seen == pieces::start(true) {
            START_TURNED
        } else if seen.iter().all(|&piece| piece == 0) {
            self.push_once(EMPTY_BOARD);
            return;
        } else if four_rows(seen) {
            self.push_once(FOUR_ROWS);
            return;
        } else {
            return;
        };
        let moved = self.away.count_ones() > 2;
        if self.tagged != Some(tag) || moved {
            self.tagged = Some(tag);
            self.push(&[tag]);
        }
        self.away = 0;
    }

    fn push_once(&mut self, tag: u8) {
        let entry = Entry::new(&[tag]);
        if self.entries.back() != Some(&entry) {
            self.push_entry(entry);
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        self.push_entry(Entry::new(bytes));
    }

    fn push_entry(&mut self, entry: Entry) {
        self.size += entry.length;
        self.entries.push_back(entry);
        while self.size >= CAPACITY {
            let Some(oldest) = self.entries.pop_front() else {
                break;
            };
            self.size -= oldest.length;
        }
    }
}

/// Sixteen men a side on the outer rows and nothing between.
fn four_rows(seen: &[u8; 64]) -> bool {
    let full = |row: usize| seen[row * 8..row * 8 + 8].iter().all(|&piece| piece != 0);
    [0, 1, 6, 7].into_iter().all(full) && seen[16..48].iter().all(|&piece| piece == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_tag_moves_and_times() {
        let mut log = EventLog::default();
        let mut seen = pieces::start(false);
        log.power_up(&seen);
        let power_up = log.download();
        assert_eq!(power_up[..6], [0x7f, 0x7f, 0x7f, 0x6a, 0x48, 0x00]);
        assert_eq!(power_up[power_up.len() - 2..], [START, END]);

        seen[0x34] = 0;
        log.change(Duration::from_secs(5), 0x34, 0, &seen);
        seen[0x24] = 1;
        log.change(Duration::from_millis(5100), 0x24, 1, &seen);
        log.press(false, 1, [0x29, 0x58]);
        let data = log.download();
        let tail = [0x6e, 0x40, 0x34, 0x51, 0x24, 0x71, 0x29, 0x58, END];
        assert_eq!(data[data.len() - tail.len()..], tail);
    }

    #[test]
    fn start_is_tagged_again_only_after_three_men_were_away() {
        let mut log = EventLog::default();
        let start = pieces::start(false);
        log.power_up(&start);
        let tags = |log: &mut EventLog| log.download().split(|&b| b == START).count() - 1;
        let mut at = Duration::from_secs(1);
        for men in [2_u8, 3] {
            let mut seen = start;
            for square in 48..48 + men {
                seen[usize::from(square)] = 0;
                log.change(at, square, 0, &seen);
                at += Duration::from_secs(1);
            }
            for square in 48..48 + men {
                seen[usize::from(square)] = 1;
                log.change(at, square, 1, &seen);
                at += Duration::from_secs(1);
            }
            assert_eq!(tags(&mut log), usize::from(men) - 1);
        }
    }

    #[test]
    fn ring_keeps_its_size() {
        let mut log = EventLog::default();
        for _ in 0..9000 {
            log.press(true, 0, [0x10, 0x00]);
        }
        let data = log.download();
        assert!(data.len() <= CAPACITY && data.len() > CAPACITY - 4);
        assert_eq!(data[0], 0x60, "whole entries only");
    }
}
