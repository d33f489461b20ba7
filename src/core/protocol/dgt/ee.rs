//! The board's log: the data of an EE dump and of the changes in bus mode.

use super::piece::Code;
use crate::protocol::ClockSide;

/// One entry of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogEntry {
    /// A square changed.
    Field {
        /// Wire number, 0–63.
        index: u8,
        /// What stands there now.
        code: Code,
        /// Less than about 250 ms after the entry before.
        fast: bool,
    },
    /// The time of a side when the clock was pressed.
    Time {
        /// The clock's own side, never swapped.
        side: ClockSide,
        /// Hours.
        hours: u8,
        /// Minutes.
        minutes: u8,
        /// Seconds.
        seconds: u8,
    },
    /// A single-byte mark.
    Mark(Mark),
    /// Bytes whose length or content we do not know: nothing after them can be read.
    Stop {
        /// The first such byte.
        code: u8,
    },
}

/// Marks of one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// 6a: switched on.
    PowerUp,
    /// 6b: the end.
    Eof,
    /// 6c: men on the four outer rows, not the start position.
    FourRows,
    /// 6d: no men.
    EmptyBoard,
    /// 6e: the log was downloaded.
    Downloaded,
    /// 6f: start position.
    BeginPosition,
    /// 7a: start position turned.
    BeginPositionRotated,
    /// 7b: start tag.
    StartTag,
    /// 7c: restarted by the watchdog.
    Watchdog,
    /// 7d and 7e: reserved.
    Reserved(u8),
    /// 7f: nothing.
    Nop,
    /// 00: nothing.
    Nop2,
}

impl Mark {
    fn new(byte: u8) -> Option<Self> {
        Some(match byte {
            0x6a => Self::PowerUp,
            0x6b => Self::Eof,
            0x6c => Self::FourRows,
            0x6d => Self::EmptyBoard,
            0x6e => Self::Downloaded,
            0x6f => Self::BeginPosition,
            0x7a => Self::BeginPositionRotated,
            0x7b => Self::StartTag,
            0x7c => Self::Watchdog,
            0x7d | 0x7e => Self::Reserved(byte),
            0x7f => Self::Nop,
            0x00 => Self::Nop2,
            _ => return None,
        })
    }

    /// The name in the JSON form.
    pub fn name(self) -> &'static str {
        match self {
            Self::PowerUp => "power_up",
            Self::Eof => "eof",
            Self::FourRows => "four_rows",
            Self::EmptyBoard => "empty_board",
            Self::Downloaded => "downloaded",
            Self::BeginPosition => "begin_position",
            Self::BeginPositionRotated => "begin_position_rotated",
            Self::StartTag => "start_tag",
            Self::Watchdog => "watchdog",
            Self::Reserved(0x7d) => "future_1",
            Self::Reserved(_) => "future_2",
            Self::Nop => "nop",
            Self::Nop2 => "nop2",
        }
    }
}

/// Reads the log, oldest first, up to its end or the first thing that cannot be read.
pub fn entries(data: &[u8]) -> Entries<'_> {
    Entries { rest: data }
}

/// See [`entries`].
#[derive(Clone, Debug)]
pub struct Entries<'a> {
    rest: &'a [u8],
}

impl Iterator for Entries<'_> {
    type Item = LogEntry;

    fn next(&mut self) -> Option<LogEntry> {
        let &code = self.rest.first()?;
        let read = match code {
            0x40..=0x5f => self.field(code),
            0x60..=0x69 | 0x70..=0x79 => self.time(code),
            _ => Mark::new(code).map(|mark| (LogEntry::Mark(mark), 1)),
        };
        let Some((entry, len)) = read else {
            self.rest = &[];
            return Some(LogEntry::Stop { code });
        };
        self.rest = match entry {
            LogEntry::Mark(Mark::Eof) => &[],
            _ => &self.rest[len..],
        };
        Some(entry)
    }
}

impl Entries<'_> {
    fn field(&self, code: u8) -> Option<(LogEntry, usize)> {
        let index = *self.rest.get(1).filter(|&&index| index < 64)?;
        let entry = LogEntry::Field {
            index,
            code: Code::new(code & 0x0f)?,
            fast: code & 0x10 != 0,
        };
        Some((entry, 2))
    }

    fn time(&self, code: u8) -> Option<(LogEntry, usize)> {
        let bcd =
            |byte: u8| (byte & 0x0f < 10 && byte < 0x60).then(|| (byte >> 4) * 10 + (byte & 0x0f));
        let entry = LogEntry::Time {
            side: if code < 0x70 {
                ClockSide::Right
            } else {
                ClockSide::Left
            },
            hours: code & 0x0f,
            minutes: bcd(*self.rest.get(1)?)?,
            seconds: bcd(*self.rest.get(2)?)?,
        };
        Some((entry, 3))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn stops_at_what_it_cannot_read() {
        // A delay entry of the newer firmware: its length is not known.
        let read: Vec<_> = entries(&[0x6f, 0x12, 0x40, 0x34]).collect();
        assert_eq!(
            read,
            [
                LogEntry::Mark(Mark::BeginPosition),
                LogEntry::Stop { code: 0x12 }
            ]
        );
        // An entry cut in the middle.
        assert_eq!(
            entries(&[0x61, 0x29]).collect::<Vec<_>>(),
            [LogEntry::Stop { code: 0x61 }]
        );
    }

    #[test]
    fn nothing_follows_the_end() {
        assert_eq!(entries(&[0x6b, 0x40, 0x34]).count(), 1);
    }

    proptest! {
        #[test]
        fn always_ends(data in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(entries(&data).count() <= data.len());
        }
    }
}
