//! The part of bus mode that finds a board and asks it for its state and its changes.

use std::time::Duration;

use rand::Rng as _;

use super::{Mode, SimBoard, frames::bus as frame, pieces};

/// What the bus side remembers.
#[derive(Debug, Clone, Default)]
pub(super) struct Bus {
    /// A single-board command came last: the next bus command only switches back.
    pub(super) single: bool,
    changes: Vec<u8>,
    last_packet: Vec<u8>,
    /// Everything since the start tag, once it was set.
    since_start: Option<Vec<u8>>,
    ignore_ping: bool,
    reply: Option<(Duration, Vec<u8>)>,
}

/// Longest pause before a board answers a ping to everybody.
const PING_SPREAD_MS: u64 = 1100;
/// A list of changes is cut here; the rest is asked for with a dump.
const CHANGES: usize = 0x1f00;

impl Bus {
    pub(super) fn next(&self) -> Option<Duration> {
        self.reply.as_ref().map(|(at, _)| *at)
    }

    pub(super) fn pop(&mut self, now: Duration) -> Option<Vec<u8>> {
        self.reply
            .take_if(|(at, _)| *at <= now)
            .map(|(_, reply)| reply)
    }

    pub(super) fn changed(&mut self, square: u8, piece: u8) {
        self.note(&[0x40 | piece, square]);
    }

    /// A side was pressed at this time.
    pub(super) fn pressed(&mut self, right: bool, hours: u8, ms: [u8; 2]) {
        let side = if right { 0x60 } else { 0x70 };
        self.note(&[side | (hours & 0x0f).min(9), ms[0], ms[1]]);
    }

    fn note(&mut self, entry: &[u8]) {
        if self.changes.len() + entry.len() <= CHANGES {
            self.changes.extend(entry);
        }
        if let Some(told) = &mut self.since_start
            && told.len() + entry.len() <= CHANGES
        {
            told.extend(entry);
        }
    }
}

impl SimBoard {
    pub(super) fn execute_bus(&mut self, code: u8, address: u16) {
        if self.bus.single {
            self.bus.single = false;
            self.mode = Mode::Bus;
            return;
        }
        self.mode = Mode::Bus;
        let own = self.identity.serial;
        if address != 0 && address != own {
            return;
        }
        let mut soon = Duration::from_millis(5);
        let reply = match code {
            0x81 => frame(0x84, own, &self.plug.view(self.now).bytes()),
            0x82 => frame(0x83, own, &self.seen),
            0x83 => {
                self.bus.last_packet = std::mem::take(&mut self.bus.changes);
                frame(0x85, own, &self.bus.last_packet)
            }
            0x84 => frame(0x85, own, &self.bus.last_packet),
            0x85 => {
                self.bus.changes.clear();
                self.bus.since_start = Some(self.start_tag());
                soon = Duration::from_millis(70);
                frame(0x88, own, &[])
            }
            0x86 => {
                let all = self.bus.since_start.clone().unwrap_or_default();
                // What 83 has yet to give is left for it.
                let told = all.len().saturating_sub(self.bus.changes.len());
                frame(0x86, own, &all[..told])
            }
            0x87 | 0x92 if address == 0 => {
                if std::mem::take(&mut self.bus.ignore_ping) {
                    return;
                }
                soon = Duration::from_millis(self.rng.random_range(1..=PING_SPREAD_MS));
                frame(0x87, own, &[])
            }
            0x87 => frame(0x87, own, &[]),
            0x88 => return self.mode = Mode::Idle,
            0x8a => {
                self.bus.ignore_ping = true;
                frame(0x87, own, &[])
            }
            0x8b => frame(
                0x89,
                own,
                &[self.identity.version.0, self.identity.version.1],
            ),
            _ => return,
        };
        // Only one request is outstanding on the line.
        self.bus.reply = Some((self.now + soon, reply));
    }

    /// The start tag, all men, and the tag of the start position, if that is what stands there.
    fn start_tag(&self) -> Vec<u8> {
        let mut log = vec![0x7b];
        for (square, &piece) in (0_u8..).zip(&self.seen) {
            if piece != 0 {
                log.extend([0x40 | piece, square]);
            }
        }
        if self.seen == pieces::start(false) {
            log.push(0x6f);
        } else if self.seen == pieces::start(true) {
            log.push(0x7a);
        }
        log
    }
}
