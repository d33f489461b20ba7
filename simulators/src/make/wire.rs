//! The way out of a board: messages that take their time on the line.

use std::{collections::VecDeque, time::Duration};

/// Messages being sent; each is handed out when its last byte has left.
#[derive(Debug, Clone)]
pub(super) struct Wire {
    byte: Duration,
    out: VecDeque<(Duration, Vec<u8>)>,
    free_at: Duration,
}

/// More than this unsent means that the line is slower than the board talks: what is new is left out.
const FULL: usize = 16;

impl Wire {
    /// Ten bits a byte.
    pub(super) fn new(baud: u32) -> Self {
        Self {
            byte: Duration::from_secs(10) / baud,
            out: VecDeque::new(),
            free_at: Duration::ZERO,
        }
    }

    pub(super) fn send(&mut self, now: Duration, bytes: Vec<u8>) {
        if self.out.len() >= FULL {
            return;
        }
        self.free_at = self.free_at.max(now) + self.byte * bytes.len() as u32;
        self.out.push_back((self.free_at, bytes));
    }

    pub(super) fn take(&mut self, now: Duration) -> Vec<u8> {
        let mut bytes = Vec::new();
        while let Some((_, message)) = self.out.pop_front_if(|(at, _)| *at <= now) {
            bytes.extend(message);
        }
        bytes
    }

    pub(super) fn next(&self) -> Option<Duration> {
        self.out.front().map(|(at, _)| *at)
    }

    pub(super) fn cut(&mut self, now: Duration) {
        self.out.clear();
        self.free_at = now;
    }
}
