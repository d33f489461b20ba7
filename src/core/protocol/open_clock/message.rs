//! The messages of a clock and their bytes, the same over every transport. All numbers are little endian.

use super::words::{By, EventKind, Method, Operation, Power, Sides, Status};

/// Bytes of an info, a state and an event.
pub const VALUE: usize = 20;
/// Bytes of a response.
pub const RESPONSE: usize = 10;
/// Periods that settings may have; no control in use has more than a handful.
pub const PERIODS: usize = 16;

/// Who a clock is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// Version of the profile: 1.0 is `(1, 0)`.
    pub version: (u8, u8),
    /// What it can do, a bit each.
    pub capabilities: u16,
    /// The smallest step of its times, ms.
    pub resolution_ms: u16,
    /// Another one after each start.
    pub boot_id: u32,
    /// Events that it keeps.
    pub log_depth: u8,
    /// Serial number, at most nine ASCII characters.
    pub serial: String,
}

/// A complete picture of the clock. Any of them may be lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Counts states, wraps.
    pub frame: u8,
    /// Number of the newest event.
    pub event_seq: u16,
    /// The clock's own time, ms since its start.
    pub device_ms: u32,
    /// Left time at `device_ms`, ms; below zero: over the limit.
    pub left_ms: i32,
    /// Right time, ms.
    pub right_ms: i32,
    /// Moves of the left side, modulo 256.
    pub left_moves: u8,
    /// Moves of the right side, modulo 256.
    pub right_moves: u8,
    /// Period of the left side, from 1.
    pub left_period: u8,
    /// Period of the right side, from 1.
    pub right_period: u8,
    /// Whose time runs.
    pub running: Sides,
    /// Stopped in mid-game.
    pub paused: bool,
    /// It has run since the times were set.
    pub started: bool,
    /// The left flag is down.
    pub left_flag: bool,
    /// The right flag is down.
    pub right_flag: bool,
    /// Which fell first; both: within one tick.
    pub first_flag: Sides,
    /// Which side is White's; none: unknown.
    pub white: Sides,
    /// Its power.
    pub battery: Power,
    /// An arbiter is at it.
    pub editing: bool,
    /// A call, claim or result waits for acknowledgement.
    pub call_open: bool,
    /// Both sides stop when the first flag falls.
    pub freeze: bool,
    /// The log has dropped events.
    pub log_cut: bool,
}

/// A numbered fact. None may be lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its number: 1 after the start, 65535 is followed by 1.
    pub event_seq: u16,
    /// When it happened, on the clock's own time.
    pub device_ms: u32,
    /// What it is about.
    pub kind: EventKind,
    /// Whose it is; see the profile for each kind.
    pub side: Sides,
    /// Who caused it.
    pub by: By,
    /// Left time after it, ms.
    pub left_ms: i32,
    /// Right time after it, ms.
    pub right_ms: i32,
    /// Moves made by the side concerned; `None`: not counted.
    pub moves: Option<u16>,
    /// See the profile for each kind.
    pub arg: i16,
}

/// How a clock is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// White sits on the left.
    pub white_on_left: bool,
    /// Both sides stop when the first flag falls.
    pub freeze_at_first_flag: bool,
    /// A period ends with its last move, not with its time.
    pub move_counter_decides: bool,
    /// The clock's program; 0: its own.
    pub program: u8,
    /// At most [`PERIODS`].
    pub periods: Vec<Period>,
}

/// One period of a time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// Moves to be made; 0: rest of the game.
    pub moves: u8,
    /// What a move gives.
    pub method: Method,
    /// Increment or delay, tenths of a second.
    pub increment_tenths: u16,
    /// Time of the left side, ms.
    pub left_ms: u32,
    /// Time of the right side, ms.
    pub right_ms: u32,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Response {
    /// Of the command.
    pub operation: Operation,
    /// Of the command.
    pub tag: u8,
    /// How it ended.
    pub status: Status,
    /// Number of the newest event after it.
    pub event_seq: u16,
    /// The clock's own time, ms.
    pub device_ms: u32,
}

/// Reads numbers from the front of some bytes; zeros when there are none left.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a>(pub(super) &'a [u8]);

impl Fields<'_> {
    pub(super) fn take<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        let len = N.min(self.0.len());
        let (front, rest) = self.0.split_at(len);
        bytes[..len].copy_from_slice(front);
        self.0 = rest;
        bytes
    }

    pub(super) fn u8(&mut self) -> u8 {
        u8::from_le_bytes(self.take())
    }

    pub(super) fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take())
    }

    pub(super) fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    pub(super) fn i32(&mut self) -> i32 {
        i32::from_le_bytes(self.take())
    }
}

impl Info {
    /// From its bytes; `None` when there are not [`VALUE`] or the serial number is no text.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let (bytes, serial) = exactly(bytes, VALUE)?.split_at(11);
        let end = serial.iter().position(|byte| *byte == 0).unwrap_or(9);
        let (serial, padding) = serial.split_at(end);
        let text = serial.iter().all(|byte| (b' '..=b'~').contains(byte));
        if !text || padding.iter().any(|byte| *byte != 0) {
            return None;
        }
        let mut fields = Fields(bytes);
        Some(Self {
            version: (fields.u8(), fields.u8()),
            capabilities: fields.u16(),
            resolution_ms: fields.u16(),
            boot_id: fields.u32(),
            log_depth: fields.u8(),
            serial: String::from_utf8_lossy(serial).into_owned(),
        })
    }

    /// Appends its bytes.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend([self.version.0, self.version.1]);
        out.extend(self.capabilities.to_le_bytes());
        out.extend(self.resolution_ms.to_le_bytes());
        out.extend(self.boot_id.to_le_bytes());
        out.push(self.log_depth);
        let mut serial = [0; 9];
        for (place, byte) in serial.iter_mut().zip(self.serial.bytes()) {
            *place = byte;
        }
        out.extend(serial);
    }

    /// Whether it has this bit of the capabilities.
    pub fn can(&self, bit: u16) -> bool {
        self.capabilities >> bit & 1 == 1
    }
}

impl State {
    /// From its bytes; `None` when there are not [`VALUE`].
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut fields = Fields(exactly(bytes, VALUE)?);
        let (frame, event_seq, device_ms) = (fields.u8(), fields.u16(), fields.u32());
        let (left_ms, right_ms) = (fields.i32(), fields.i32());
        let (left_moves, right_moves) = (fields.u8(), fields.u8());
        let periods = fields.u8();
        let [low, high] = fields.take();
        let bit = |byte: u8, bit: u8| byte >> bit & 1 == 1;
        Some(Self {
            frame,
            event_seq,
            device_ms,
            left_ms,
            right_ms,
            left_moves,
            right_moves,
            left_period: periods & 0x0f,
            right_period: periods >> 4,
            running: Sides::from_bits(low),
            paused: bit(low, 2),
            started: bit(low, 3),
            left_flag: bit(low, 4),
            right_flag: bit(low, 5),
            first_flag: Sides::from_bits(low >> 6),
            white: Sides::from_bits(high),
            battery: Power::from_code(high >> 2 & 3),
            editing: bit(high, 4),
            call_open: bit(high, 5),
            freeze: bit(high, 6),
            log_cut: bit(high, 7),
        })
    }

    /// Appends its bytes.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.push(self.frame);
        out.extend(self.event_seq.to_le_bytes());
        out.extend(self.device_ms.to_le_bytes());
        out.extend(self.left_ms.to_le_bytes());
        out.extend(self.right_ms.to_le_bytes());
        out.extend([self.left_moves, self.right_moves]);
        out.push(self.left_period & 0x0f | self.right_period << 4);
        let bit = |is: bool, bit: u8| u8::from(is) << bit;
        out.push(
            self.running.bits()
                | bit(self.paused, 2)
                | bit(self.started, 3)
                | bit(self.left_flag, 4)
                | bit(self.right_flag, 5)
                | self.first_flag.bits() << 6,
        );
        out.push(
            self.white.bits()
                | (self.battery.code() & 3) << 2
                | bit(self.editing, 4)
                | bit(self.call_open, 5)
                | bit(self.freeze, 6)
                | bit(self.log_cut, 7),
        );
    }
}

impl Event {
    /// From its bytes; `None` when there are not [`VALUE`].
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut fields = Fields(exactly(bytes, VALUE)?);
        let (event_seq, device_ms) = (fields.u16(), fields.u32());
        let (kind, who) = (fields.u8(), fields.u8());
        Some(Self {
            event_seq,
            device_ms,
            kind: EventKind::from_code(kind),
            side: Sides::from_bits(who),
            by: By::from_code(who >> 4 & 3),
            left_ms: fields.i32(),
            right_ms: fields.i32(),
            moves: Some(fields.u16()).filter(|moves| *moves != u16::MAX),
            arg: i16::from_le_bytes(fields.take()),
        })
    }

    /// Appends its bytes.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend(self.event_seq.to_le_bytes());
        out.extend(self.device_ms.to_le_bytes());
        out.extend([
            self.kind.code(),
            self.side.bits() | (self.by.code() & 3) << 4,
        ]);
        out.extend(self.left_ms.to_le_bytes());
        out.extend(self.right_ms.to_le_bytes());
        out.extend(self.moves.unwrap_or(u16::MAX).to_le_bytes());
        out.extend(self.arg.to_le_bytes());
    }
}

impl Settings {
    /// Bytes of settings with so many periods.
    pub fn len(periods: usize) -> usize {
        4 + 12 * periods
    }

    /// From its bytes; `None` when they are of another version or length.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let (head, mut rest) = bytes.split_at_checked(4)?;
        let [1, count, flags, program] = *head else {
            return None;
        };
        let count = usize::from(count);
        if count > PERIODS || bytes.len() != Self::len(count) {
            return None;
        }
        let mut periods = Vec::new();
        while let Some((period, after)) = rest.split_at_checked(12) {
            let mut fields = Fields(period);
            periods.push(Period {
                moves: fields.u8(),
                method: Method::from_code(fields.u8()),
                increment_tenths: fields.u16(),
                left_ms: fields.u32(),
                right_ms: fields.u32(),
            });
            rest = after;
        }
        Some(Self {
            white_on_left: flags & 1 != 0,
            freeze_at_first_flag: flags & 2 != 0,
            move_counter_decides: flags & 4 != 0,
            program,
            periods,
        })
    }

    /// Appends its bytes; periods beyond [`PERIODS`] are left out.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let periods = &self.periods[..self.periods.len().min(PERIODS)];
        let flags = u8::from(self.white_on_left)
            | u8::from(self.freeze_at_first_flag) << 1
            | u8::from(self.move_counter_decides) << 2;
        out.extend([1, periods.len() as u8, flags, self.program]);
        for period in periods {
            out.extend([period.moves, period.method.code()]);
            out.extend(period.increment_tenths.to_le_bytes());
            out.extend(period.left_ms.to_le_bytes());
            out.extend(period.right_ms.to_le_bytes());
        }
    }
}

impl Response {
    /// From its bytes; `None` when there are not [`RESPONSE`] or it answers nothing.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut fields = Fields(exactly(bytes, RESPONSE)?);
        let operation = fields.u8().checked_sub(0x80)?;
        let (tag, status, _zero) = (fields.u8(), fields.u8(), fields.u8());
        Some(Self {
            operation: Operation::from_code(operation),
            tag,
            status: Status::from_code(status),
            event_seq: fields.u16(),
            device_ms: fields.u32(),
        })
    }

    /// Appends its bytes.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend([
            self.operation.code() | 0x80,
            self.tag,
            self.status.code(),
            0,
        ]);
        out.extend(self.event_seq.to_le_bytes());
        out.extend(self.device_ms.to_le_bytes());
    }
}

fn exactly(bytes: &[u8], len: usize) -> Option<&[u8]> {
    (bytes.len() == len).then_some(bytes)
}
