//! The stream parser: bytes from a board, cut into frames.
//!
//! Only the first byte of a frame has bit 7 set, so the parser always finds its way again: a byte
//! of 0x80 or more inside a frame ends it and starts the next one. Frames that arrive whole are
//! handed out as slices of the caller's buffer, nothing is copied or allocated for them.

use std::time::Duration;

use crate::{protocol::LinkCounters, types::Mono};

/// Bytes of a header: id and two length bytes.
pub const HEADER: usize = 3;
/// The longest frame there is: a full log (EE dump).
pub const LONGEST: usize = 0x1f03;
/// How long a frame may stay unfinished.
const PATIENCE: Duration = Duration::from_secs(1);
/// The same for the log, which takes eight seconds of line time.
const LOG_PATIENCE: Duration = Duration::from_secs(10);

/// Message ids of single mode.
pub mod id {
    /// Board dump.
    pub const BOARD_DUMP: u8 = 0x86;
    /// Clock: times, or the ack of a clock command.
    pub const CLOCK: u8 = 0x8d;
    /// One square changed.
    pub const FIELD_UPDATE: u8 = 0x8e;
    /// The log.
    pub const EE_MOVES: u8 = 0x8f;
    /// Bus address.
    pub const BUS_ADDRESS: u8 = 0x90;
    /// Five-digit serial number.
    pub const SERIAL: u8 = 0x91;
    /// Trademark text.
    pub const TRADEMARK: u8 = 0x92;
    /// Firmware version.
    pub const VERSION: u8 = 0x93;
    /// Dark squares of a draughts board.
    pub const DRAUGHTS_DARK: u8 = 0x94;
    /// Light squares of a draughts board.
    pub const DRAUGHTS_LIGHT: u8 = 0x95;
    /// Hardware version.
    pub const HARDWARE_VERSION: u8 = 0x96;
    /// Battery of a Bluetooth board.
    pub const BATTERY: u8 = 0xa0;
    /// Ten-digit serial number.
    pub const LONG_SERIAL: u8 = 0xa2;
}

/// Which of the two languages the board speaks: their ids overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// One board on the line.
    #[default]
    Single,
    /// Addressed boards; every reply carries address and sum.
    Bus,
}

impl Dialect {
    /// Whether a message of this id can have this total length. Ids that nobody described may have
    /// any.
    fn allows(self, id: u8, len: usize) -> bool {
        if !(HEADER..=LONGEST).contains(&len) {
            return false;
        }
        match self {
            Self::Single => match id {
                // 103: the dump of a 10×10 board.
                id::BOARD_DUMP => matches!(len, 67 | 103),
                id::CLOCK => len == 10,
                id::FIELD_UPDATE | id::BUS_ADDRESS | id::VERSION => len == 5,
                id::SERIAL => len == 8,
                id::DRAUGHTS_DARK | id::DRAUGHTS_LIGHT => len == 53,
                // The official header gives 7 and 12 for it; firmware in between is imaginable.
                id::BATTERY => (7..=12).contains(&len),
                // Ten characters; a Revelation II puts its firmware and a point in front.
                id::LONG_SERIAL => matches!(len, 13 | 14),
                _ => true,
            },
            // Address and sum are always there.
            Self::Bus => match id {
                0x83 => len == 70,
                0x84 => len == 13,
                0x87 | 0x88 => len == 6,
                0x89 => matches!(len, 6 | 8),
                0x8a => len == 56,
                _ => len >= 6,
            },
        }
    }
}

/// One frame with its content still packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// The whole frame: id, length, data.
    pub(crate) bytes: &'a [u8],
}

impl<'a> Frame<'a> {
    /// The message id, 0x80 or more.
    pub fn id(self) -> u8 {
        self.bytes[0]
    }

    /// What follows the header; every byte is below 0x80.
    pub fn data(self) -> &'a [u8] {
        &self.bytes[HEADER..]
    }
}

/// Cuts a stream into frames and counts what it had to throw away.
#[derive(Clone, Debug, Default)]
pub struct Parser {
    dialect: Dialect,
    /// An unfinished frame; its length is not known before three bytes are there.
    held: Vec<u8>,
    held_since: Mono,
    counters: LinkCounters,
    cut_in_data: u64,
}

impl Parser {
    /// A parser that holds nothing.
    pub fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            ..Self::default()
        }
    }

    /// Takes bytes that arrived at `now` and calls `on_frame` for every frame they complete.
    pub fn feed(&mut self, now: Mono, bytes: &[u8], mut on_frame: impl FnMut(Frame<'_>)) {
        self.expire(now);
        self.counters.bytes += bytes.len() as u64;
        let mut rest = bytes;
        if !self.held.is_empty() {
            rest = self.finish_held(rest, &mut on_frame);
        }
        while let Some(&first) = rest.first() {
            if first < 0x80 {
                let skip = rest.iter().position(|&b| b >= 0x80).unwrap_or(rest.len());
                self.counters.bytes_dropped += skip as u64;
                rest = &rest[skip..];
                continue;
            }
            let &[_, high, low, ..] = rest else {
                match rest.get(1) {
                    Some(&second) if second >= 0x80 => rest = self.cut(rest, 1),
                    _ => {
                        self.hold(now, rest);
                        return;
                    }
                }
                continue;
            };
            if (high | low) >= 0x80 {
                rest = self.cut(rest, if high >= 0x80 { 1 } else { 2 });
                continue;
            }
            let len = length(high, low);
            if !self.dialect.allows(first, len) {
                self.counters.bytes_dropped += HEADER as u64;
                rest = &rest[HEADER..];
                continue;
            }
            let available = &rest[..len.min(rest.len())];
            if let Some(at) = header_byte(&available[HEADER..]) {
                self.cut_in_data += 1;
                rest = self.cut(rest, HEADER + at);
            } else if available.len() == len {
                on_frame(Frame { bytes: available });
                rest = &rest[len..];
            } else {
                self.hold(now, available);
                return;
            }
        }
    }

    /// Goes on with the held frame. Returns what is left for the normal way.
    fn finish_held<'a>(
        &mut self,
        mut rest: &'a [u8],
        on_frame: &mut impl FnMut(Frame<'_>),
    ) -> &'a [u8] {
        while let Some(&next) = rest.first() {
            if next >= 0x80 {
                if self.held.len() >= HEADER {
                    self.cut_in_data += 1;
                }
                self.drop_held();
                return rest;
            }
            if self.held.len() < HEADER {
                self.held.push(next);
                rest = &rest[1..];
                if self.held.len() < HEADER {
                    continue;
                }
                if !self.dialect.allows(self.held[0], self.held_length()) {
                    self.counters.bytes_dropped += HEADER as u64;
                    self.held.clear();
                    return rest;
                }
            } else {
                let missing = self.held_length() - self.held.len();
                let part = &rest[..missing.min(rest.len())];
                let good = header_byte(part).unwrap_or(part.len());
                self.held.extend_from_slice(&part[..good]);
                rest = &rest[good..];
            }
            if self.held.len() == self.held_length() {
                on_frame(Frame { bytes: &self.held });
                self.held.clear();
                return rest;
            }
        }
        rest
    }

    /// Drops a frame that has been unfinished for too long.
    pub fn expire(&mut self, now: Mono) {
        if self.deadline().is_some_and(|deadline| now >= deadline) {
            self.drop_held();
        }
    }

    /// When [`Parser::expire`] has something to do.
    pub fn deadline(&self) -> Option<Mono> {
        let first = self.held.first()?;
        let log = match self.dialect {
            Dialect::Single => *first == id::EE_MOVES,
            Dialect::Bus => matches!(first, 0x85 | 0x86),
        };
        Some(self.held_since + if log { LOG_PATIENCE } else { PATIENCE })
    }

    /// The unfinished frame.
    pub fn held(&self) -> &[u8] {
        &self.held
    }

    /// Forgets the unfinished frame: the line was opened anew.
    pub fn reset(&mut self) {
        if !self.held.is_empty() {
            self.drop_held();
        }
    }

    /// Bytes, dropped bytes and unfinished frames so far. What is inside the frames is counted by
    /// whoever reads them.
    pub fn counters(&self) -> LinkCounters {
        self.counters
    }

    /// How many frames were cut short by an id byte among their data.
    pub fn cut_in_data(&self) -> u64 {
        self.cut_in_data
    }

    fn hold(&mut self, now: Mono, part: &[u8]) {
        self.held.extend_from_slice(part);
        self.held_since = now;
    }

    fn cut<'a>(&mut self, rest: &'a [u8], at: usize) -> &'a [u8] {
        self.counters.unfinished += 1;
        self.counters.bytes_dropped += at as u64;
        &rest[at..]
    }

    fn drop_held(&mut self) {
        self.counters.unfinished += 1;
        self.counters.bytes_dropped += self.held.len() as u64;
        self.held.clear();
    }

    /// Only to be asked when the header is complete.
    fn held_length(&self) -> usize {
        length(self.held[1], self.held[2])
    }
}

fn length(high: u8, low: u8) -> usize {
    usize::from(high) << 7 | usize::from(low)
}

/// Where the first byte with bit 7 is. Looks at all bytes at once before it looks for the place.
fn header_byte(data: &[u8]) -> Option<usize> {
    if data.iter().fold(0, |all, b| all | b) < 0x80 {
        return None;
    }
    data.iter().position(|&b| b >= 0x80)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const E4: [u8; 5] = [0x8e, 0x00, 0x05, 0x24, 0x01];

    fn frames(parser: &mut Parser, now: Mono, bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut found = Vec::new();
        parser.feed(now, bytes, |frame| found.push(frame.bytes.to_vec()));
        found
    }

    #[test]
    fn drops_a_frame_that_stays_unfinished() {
        let mut parser = Parser::new(Dialect::Single);
        assert!(frames(&mut parser, Mono::from_millis(10), &E4[..4]).is_empty());
        assert_eq!(parser.deadline(), Some(Mono::from_millis(1010)));
        // Without the time-out this would complete the old frame.
        assert!(frames(&mut parser, Mono::from_millis(1010), &[0x01]).is_empty());
        assert_eq!(parser.counters().unfinished, 1);
        assert_eq!(parser.counters().bytes_dropped, 5);
    }

    #[test]
    fn waits_ten_seconds_for_a_log() {
        let mut parser = Parser::new(Dialect::Single);
        frames(&mut parser, Mono::ZERO, &[0x8f, 0x00, 0x05, 0x6f]);
        let found = frames(&mut parser, Mono::from_millis(9_999), &[0x6b]);
        assert_eq!(found, [[0x8f, 0x00, 0x05, 0x6f, 0x6b]]);
    }

    #[test]
    fn refuses_a_length_that_the_id_cannot_have() {
        let mut parser = Parser::new(Dialect::Single);
        let mut bytes = vec![0x8e, 0x00, 0x06];
        bytes.extend(E4);
        assert_eq!(frames(&mut parser, Mono::ZERO, &bytes), [E4]);
        assert_eq!(parser.counters().bytes_dropped, 3);
        // Byte by byte the same.
        let mut slow = Parser::new(Dialect::Single);
        let found: Vec<_> = bytes
            .iter()
            .flat_map(|&b| frames(&mut slow, Mono::ZERO, &[b]))
            .collect();
        assert_eq!(found, [E4]);
        assert_eq!(slow.counters(), parser.counters());
    }

    /// Bytes as a bad line gives them: good frames, their pieces, noise.
    fn line() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            4 => Just(E4.to_vec()),
            2 => (0usize..5).prop_map(|n| E4[..n].to_vec()),
            2 => Just(vec![0x8d, 0, 10, 1, 0x30, 0, 1, 0x30, 0, 0x10]),
            1 => Just({
                let mut dump = vec![0x86, 0x00, 0x43];
                dump.extend([0; 64]);
                dump
            }),
            1 => (0u8..0x80, 0u8..0x80).prop_map(|(a, b)| vec![0xb7, a, b]),
            2 => proptest::collection::vec(any::<u8>(), 0..12),
        ];
        proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn chunks_do_not_matter(
            bytes in line(),
            cuts in proptest::collection::vec(0usize..40, 0..60),
            bus in any::<bool>(),
        ) {
            let dialect = if bus { Dialect::Bus } else { Dialect::Single };
            let mut whole = Parser::new(dialect);
            let expected = frames(&mut whole, Mono::ZERO, &bytes);
            let mut parser = Parser::new(dialect);
            let (mut found, mut rest) = (Vec::new(), &bytes[..]);
            for cut in cuts {
                let (now, later) = rest.split_at(cut.min(rest.len()));
                found.extend(frames(&mut parser, Mono::ZERO, now));
                rest = later;
            }
            found.extend(frames(&mut parser, Mono::ZERO, rest));
            prop_assert_eq!(found, expected);
            prop_assert_eq!(parser.held(), whole.held());
            prop_assert_eq!(parser.counters(), whole.counters());
            prop_assert_eq!(parser.cut_in_data(), whole.cut_in_data());
        }

        #[test]
        fn every_byte_is_accounted_for(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
            let mut parser = Parser::new(Dialect::Single);
            let found = frames(&mut parser, Mono::ZERO, &bytes);
            let in_frames: usize = found.iter().map(Vec::len).sum();
            prop_assert_eq!(
                in_frames + parser.held().len() + parser.counters().bytes_dropped as usize,
                bytes.len()
            );
            prop_assert!(found.iter().all(|f| f[0] >= 0x80 && f[1..].iter().all(|b| *b < 0x80)));
        }

        /// After any garbage the first whole frame is seen, at once.
        #[test]
        fn never_loses_sync(bytes in line()) {
            let mut parser = Parser::new(Dialect::Single);
            frames(&mut parser, Mono::ZERO, &bytes);
            let found = frames(&mut parser, Mono::ZERO, &E4);
            prop_assert_eq!(found.last().map(Vec::as_slice), Some(&E4[..]));
        }
    }
}
