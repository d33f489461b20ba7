//! The wire out of the board: 9600 baud, eight bits, one start and one stop bit.

use std::{collections::VecDeque, time::Duration};

/// Time of one byte on the line.
pub(super) const BYTE: Duration = Duration::from_nanos(1_041_667);

/// How many bytes a USB adapter gathers before it hands them on.
const ADAPTER_GATHERS: usize = 16;

/// A byte with the instant at which its last bit has left.
type Sent = (Duration, u8);

/// What is being sent, and when each message of it ends.
#[derive(Debug, Clone, Default)]
pub(super) struct Line {
    out: VecDeque<Sent>,
    ends: VecDeque<Duration>,
    free_at: Duration,
}

impl Line {
    /// Queues a message behind what is being sent; answers when its last byte is out.
    pub(super) fn send(&mut self, now: Duration, bytes: &[u8]) -> Duration {
        self.free_at = self.free_at.max(now);
        for &byte in bytes {
            self.free_at += BYTE;
            self.out.push_back((self.free_at, byte));
        }
        if !bytes.is_empty() {
            self.ends.push_back(self.free_at);
        }
        self.free_at
    }

    /// When the last queued byte is out.
    pub(super) fn free_at(&self) -> Duration {
        self.free_at
    }

    /// Takes what has left the board by now.
    pub(super) fn take(&mut self, now: Duration) -> Vec<u8> {
        self.ends.retain(|&end| end > now);
        let ready = self.out.partition_point(|&(at, _)| at <= now);
        self.out.drain(..ready).map(|(_, byte)| byte).collect()
    }

    /// When it is worth looking again: a message is whole, or the adapter is full.
    pub(super) fn next(&self) -> Option<Duration> {
        let full = self.out.get(ADAPTER_GATHERS - 1).map(|&(at, _)| at);
        self.ends.front().copied().into_iter().chain(full).min()
    }

    /// The plug is pulled.
    pub(super) fn cut(&mut self) {
        *self = Self::default();
    }
}
