//! The two framings of a serial line: COBS for machines, JSON lines for people.
//!
//! A COBS frame never begins like a line: its second byte is its kind, 1 to 6, and a line is text. So both
//! are told apart frame by frame, and a clock that changes over is understood at once.

use super::{
    command::Command,
    json_line,
    message::{Event, Info, PERIODS, Response, Settings, State},
};
use crate::protocol::stream::{Cut, Wire};

/// How messages are framed on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// `COBS(kind, payload, CRC) 00`.
    Cobs,
    /// One JSON object a line.
    JsonLines,
}

/// A message of either side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Packet {
    /// Who the clock is.
    Info(Info),
    /// How it stands.
    State(State),
    /// What happened.
    Event(Event),
    /// How it is set, or is to be set.
    Settings(Settings),
    /// What it is to do.
    Command(Command),
    /// How that ended.
    Response(Response),
}

/// Why a frame is no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The check fails.
    Crc,
    /// A well-formed frame of a known kind says something impossible.
    Content,
}

/// What a frame on the line is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// How it was framed.
    pub framing: Framing,
    /// The message.
    pub packet: Result<Packet, Fault>,
}

/// Kind, settings, check: the longest content.
const CONTENT: usize = 1 + 4 + 12 * PERIODS + 2;
/// A longer line is none.
const LINE: usize = 512;

impl Packet {
    /// Its kind in a COBS frame.
    fn kind(&self) -> u8 {
        match self {
            Self::Info(_) => 1,
            Self::State(_) => 2,
            Self::Event(_) => 3,
            Self::Settings(_) => 4,
            Self::Command(_) => 5,
            Self::Response(_) => 6,
        }
    }

    /// Appends the payload alone, as GATT carries it.
    pub fn encode_payload(&self, out: &mut Vec<u8>) {
        match self {
            Self::Info(info) => info.encode(out),
            Self::State(state) => state.encode(out),
            Self::Event(event) => event.encode(out),
            Self::Settings(settings) => settings.encode(out),
            Self::Command(command) => command.encode(out),
            Self::Response(response) => response.encode(out),
        }
    }

    fn decode(kind: u8, payload: &[u8]) -> Option<Self> {
        match kind {
            1 => Info::decode(payload).map(Self::Info),
            2 => State::decode(payload).map(Self::State),
            3 => Event::decode(payload).map(Self::Event),
            4 => Settings::decode(payload).map(Self::Settings),
            5 => Command::decode(payload).map(Self::Command),
            6 => Response::decode(payload).map(Self::Response),
            _ => None,
        }
    }

    /// Appends the frame. Settings have no JSON line: they are always COBS.
    pub fn write(&self, framing: Framing, out: &mut Vec<u8>) {
        if framing == Framing::JsonLines && json_line::write(self, out) {
            return;
        }
        let mut content = vec![self.kind()];
        self.encode_payload(&mut content);
        content.extend(crc(&content).to_le_bytes());
        stuff(&content, out);
        out.push(0);
    }
}

impl Wire for Frame {
    const LONGEST: usize = LINE;

    fn cut(bytes: &[u8]) -> Cut<Self> {
        match bytes {
            [0, ..] => Cut::Filler(1),
            [b'{', next, ..] if *next >= b' ' || next.is_ascii_whitespace() => line(bytes),
            [_] => Cut::Partial,
            [_, 1..=6, ..] => frame(bytes),
            [b'\n' | b'\r' | b' ', ..] => Cut::Filler(1),
            _ => Cut::Junk(1),
        }
    }

    fn cut_last(bytes: &[u8]) -> Option<(Self, usize)> {
        let packet = json_line::read(bytes).ok()?;
        let frame = Self {
            framing: Framing::JsonLines,
            packet: Ok(packet),
        };
        Some((frame, bytes.len()))
    }

    fn encode(&self, out: &mut Vec<u8>) {
        if let Ok(packet) = &self.packet {
            packet.write(self.framing, out);
        }
    }
}

fn line(bytes: &[u8]) -> Cut<Frame> {
    let stop = |byte: &u8| *byte == b'\n' || (*byte < b' ' && !byte.is_ascii_whitespace());
    let Some(end) = bytes.iter().position(stop) else {
        return Cut::Partial;
    };
    if bytes[end] != b'\n' {
        return Cut::Junk(1);
    }
    let framing = Framing::JsonLines;
    let answer = |packet| Frame { framing, packet };
    match json_line::read(&bytes[..end]) {
        Ok(packet) => Cut::Message(answer(Ok(packet)), end + 1),
        Err(json_line::Error::NoMessage) => Cut::Junk(1),
        Err(json_line::Error::Crc) => Cut::Broken(answer(Err(Fault::Crc)), end + 1),
        Err(json_line::Error::Content) => Cut::Broken(answer(Err(Fault::Content)), end + 1),
    }
}

fn frame(bytes: &[u8]) -> Cut<Frame> {
    let mut content = Vec::with_capacity(32);
    let (mut at, mut zero) = (0, false);
    while let Some(&code) = bytes.get(at) {
        if code == 0 {
            return whole(&content, at + 1);
        }
        if zero {
            content.push(0);
        }
        // A full run has no zero behind it.
        zero = code < u8::MAX;
        let end = at + usize::from(code);
        let run = &bytes[at + 1..end.min(bytes.len())];
        content.extend_from_slice(run);
        if run.contains(&0) || content.len() > longest(&content) {
            return Cut::Junk(1);
        }
        at = end;
    }
    Cut::Partial
}

/// The longest content of the kind that it begins with.
fn longest(content: &[u8]) -> usize {
    match content.first() {
        Some(1..=3) => 23,
        Some(4) | None => CONTENT,
        Some(5) => 1 + 2 + super::command::TEXT + 2,
        Some(6) => 13,
        Some(_) => 0,
    }
}

fn whole(content: &[u8], len: usize) -> Cut<Frame> {
    let framing = Framing::Cobs;
    let Some((checked, &check)) = content.split_last_chunk::<2>() else {
        return Cut::Junk(1);
    };
    let Some((&kind, payload)) = checked.split_first() else {
        return Cut::Junk(1);
    };
    let packet = Packet::decode(kind, payload);
    if crc(checked) != u16::from_le_bytes(check) {
        // With the length of its kind it was a message once; else it may be half of one and half of the
        // next.
        return match packet {
            Some(_) => Cut::Broken(
                Frame {
                    framing,
                    packet: Err(Fault::Crc),
                },
                len,
            ),
            None => Cut::Junk(1),
        };
    }
    match packet {
        Some(packet) => Cut::Message(
            Frame {
                framing,
                packet: Ok(packet),
            },
            len,
        ),
        None => Cut::Broken(
            Frame {
                framing,
                packet: Err(Fault::Content),
            },
            len,
        ),
    }
}

fn stuff(content: &[u8], out: &mut Vec<u8>) {
    for run in content.split(|byte| *byte == 0) {
        let mut rest = run;
        while rest.len() >= 254 {
            let (full, after) = rest.split_at(254);
            out.push(255);
            out.extend(full);
            rest = after;
        }
        out.push(rest.len() as u8 + 1);
        out.extend(rest);
    }
}

/// CRC-16/CCITT-FALSE.
pub(super) fn crc(bytes: &[u8]) -> u16 {
    let mut crc = u16::MAX;
    for byte in bytes {
        crc ^= u16::from(*byte) << 8;
        for _ in 0..8 {
            let carry = crc & 0x8000 != 0;
            crc <<= 1;
            if carry {
                crc ^= 0x1021;
            }
        }
    }
    crc
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_is_ccitt_false() {
        assert_eq!(crc(b"123456789"), 0x29b1);
    }

    #[test]
    fn zeros_at_either_end_are_stuffed() {
        let mut out = Vec::new();
        stuff(&[0, 7, 0, 0], &mut out);
        assert_eq!(out, [1, 2, 7, 1, 1]);
    }
}
