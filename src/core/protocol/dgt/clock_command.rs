//! Commands to the clock through the board (0x2b), and the seven-segment letters of a DGT XL.

use std::time::Duration;

use crate::protocol::ClockSide;

/// The longest time that the display can show, in seconds.
const LONGEST: u64 = 9 * 3600 + 59 * 60 + 59;
/// Run byte: the lever says who runs.
const LEVER_TOGGLES: u8 = 0x08;

/// A command to the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardClockCommand {
    /// 01: seven-segment text (XL, TopMatch).
    Display {
        /// The six places from left to right (A–F).
        segments: [u8; 6],
        /// Dots, colons and "1"s.
        icons: u8,
        /// Beep with it.
        beep: bool,
    },
    /// 02: icons.
    Icons {
        /// Left icons: time, fischer, delay, hourglass, up, byo-yomi, end.
        left: u8,
        /// Right icons.
        right: u8,
        /// Left periods and flag.
        left_periods: u8,
        /// Right periods and flag.
        right_periods: u8,
        /// Bit 0 clears all.
        special: u8,
    },
    /// 03: back to the times.
    EndDisplay,
    /// 08: button query.
    Button,
    /// 09: version.
    Version,
    /// 0a: set the times and the running side; only in the remote mode.
    SetNRun {
        /// Hours, minutes, seconds, plain binary; hours with 0x10 count up.
        left: [u8; 3],
        /// The same.
        right: [u8; 3],
        /// 01 left down, 02 right down, 04 pause, 08 the lever toggles.
        run: u8,
    },
    /// 0b: beep.
    Beep {
        /// In units of 64 ms.
        units: u8,
    },
    /// 0c: eight characters (DGT 3000).
    Ascii {
        /// ASCII.
        text: [u8; 8],
        /// 0–15.
        beep: u8,
    },
    /// 0d: eleven characters (Revelation II).
    Rev2Ascii {
        /// ASCII.
        text: [u8; 11],
        /// As for eight characters.
        beep: u8,
    },
}

/// Starts and ends the content of every clock command.
const START: u8 = 0x03;
const END: u8 = 0x00;
/// The last byte of a seven-segment display.
const BEEP: u8 = 0x03;
const SILENT: u8 = 0x01;

impl BoardClockCommand {
    /// Its id, which the ack repeats.
    pub fn id(&self) -> u8 {
        match self {
            Self::Display { .. } => 0x01,
            Self::Icons { .. } => 0x02,
            Self::EndDisplay => 0x03,
            Self::Button => 0x08,
            Self::Version => 0x09,
            Self::SetNRun { .. } => 0x0a,
            Self::Beep { .. } => 0x0b,
            Self::Ascii { .. } => 0x0c,
            Self::Rev2Ascii { .. } => 0x0d,
        }
    }

    /// Appends the bytes, 0x2b included.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let mut put = |data: &[u8]| {
            // The size counts what follows it.
            out.extend_from_slice(&[0x2b, data.len() as u8 + 3, START, self.id()]);
            out.extend_from_slice(data);
            out.push(END);
        };
        match *self {
            Self::Display {
                segments: s,
                icons,
                beep,
            } => put(&[
                s[2],
                s[1],
                s[0],
                s[5],
                s[4],
                s[3],
                icons,
                if beep { BEEP } else { SILENT },
            ]),
            Self::Icons {
                left,
                right,
                left_periods,
                right_periods,
                special,
            } => put(&[left, right, left_periods, right_periods, special, 0, 0, 0]),
            Self::EndDisplay | Self::Button | Self::Version => put(&[]),
            Self::SetNRun { left, right, run } => {
                put(&[left[0], left[1], left[2], right[0], right[1], right[2], run]);
            }
            Self::Beep { units } => put(&[units]),
            Self::Ascii { text, beep } => {
                let mut data = [beep; 9];
                data[..8].copy_from_slice(&text);
                put(&data);
            }
            Self::Rev2Ascii { text, beep } => {
                let mut data = [beep; 12];
                data[..11].copy_from_slice(&text);
                put(&data);
            }
        }
    }

    /// Reads what follows the size byte; `None` when no command looks like that.
    pub fn decode(content: &[u8]) -> Option<Self> {
        let &[START, id, ref data @ .., END] = content else {
            return None;
        };
        Some(match (id, data) {
            (0x01, &[ref s @ .., icons, beep @ (BEEP | SILENT)]) if s.len() == 6 => Self::Display {
                segments: [s[2], s[1], s[0], s[5], s[4], s[3]],
                icons,
                beep: beep == BEEP,
            },
            (0x02, &[left, right, left_periods, right_periods, special, _, _, _]) => Self::Icons {
                left,
                right,
                left_periods,
                right_periods,
                special,
            },
            (0x03, []) => Self::EndDisplay,
            (0x08, []) => Self::Button,
            (0x09, []) => Self::Version,
            (0x0a, &[lh, lm, ls, rh, rm, rs, run]) => Self::SetNRun {
                left: [lh, lm, ls],
                right: [rh, rm, rs],
                run,
            },
            (0x0b, &[units]) => Self::Beep { units },
            (0x0c, &[ref text @ .., beep]) => Self::Ascii {
                text: text.try_into().ok()?,
                beep,
            },
            (0x0d, &[ref text @ .., beep]) => Self::Rev2Ascii {
                text: text.try_into().ok()?,
                beep,
            },
            _ => return None,
        })
    }

    /// Sets both times; `run`: whose time runs then, the lever handing it over. Nobody's: the clock stands.
    pub fn set_times(left: Duration, right: Duration, run: Option<ClockSide>) -> Self {
        let split = |time: Duration| {
            let seconds = time.as_secs().min(LONGEST);
            [seconds / 3600, seconds / 60 % 60, seconds % 60].map(|part| part as u8)
        };
        let running = match run {
            Some(ClockSide::Left) => 0x01,
            Some(ClockSide::Right) => 0x02,
            None => 0x04,
        };
        Self::SetNRun {
            left: split(left),
            right: split(right),
            run: running | LEVER_TOGGLES,
        }
    }

    /// A text for an XL: six places, what it cannot show left blank.
    pub fn display(text: &str, beep: bool) -> Self {
        let mut segments = [0; 6];
        for (place, c) in segments.iter_mut().zip(text.chars()) {
            *place = segments_of(c);
        }
        Self::Display {
            segments,
            icons: 0,
            beep,
        }
    }

    /// A text for a DGT 3000: eight characters, padded with blanks; what is not ASCII becomes `?`.
    pub fn ascii(text: &str, beep: bool) -> Self {
        let mut bytes = [b' '; 8];
        for (place, c) in bytes.iter_mut().zip(text.chars()) {
            *place = if matches!(c, ' '..='~') {
                c as u8
            } else {
                b'?'
            };
        }
        Self::Ascii {
            text: bytes,
            // Longer ones last seconds.
            beep: if beep { 3 } else { 0 },
        }
    }
}

const SEGMENTS: [(char, u8); 38] = [
    ('0', 0x3f),
    ('1', 0x06),
    ('2', 0x5b),
    ('3', 0x4f),
    ('4', 0x66),
    ('5', 0x6d),
    ('6', 0x7d),
    ('7', 0x07),
    ('8', 0x7f),
    ('9', 0x6f),
    ('a', 0x5f),
    ('b', 0x7c),
    ('c', 0x58),
    ('d', 0x5e),
    ('e', 0x7b),
    ('f', 0x71),
    ('g', 0x3d),
    ('h', 0x74),
    ('i', 0x10),
    ('j', 0x1e),
    ('k', 0x75),
    ('l', 0x38),
    ('m', 0x55),
    ('n', 0x54),
    ('o', 0x5c),
    ('p', 0x73),
    ('q', 0x67),
    ('r', 0x50),
    ('s', 0x6d),
    ('t', 0x78),
    ('u', 0x3e),
    ('v', 0x2a),
    ('w', 0x7e),
    ('x', 0x64),
    ('y', 0x6e),
    ('z', 0x5b),
    (' ', 0x00),
    ('-', 0x40),
];

fn segments_of(c: char) -> u8 {
    let c = c.to_ascii_lowercase();
    match c {
        '_' => 0x08,
        '=' => 0x48,
        _ => SEGMENTS
            .iter()
            .find(|(known, _)| *known == c)
            .map_or(0, |(_, s)| *s),
    }
}

/// The text that six places show. `s` and `z` look like 5 and 2: they are letters in a word that
/// has other letters and no digit. `?` where the segments are no character.
pub fn text_of(segments: [u8; 6]) -> String {
    let read = |s: u8| match s {
        0x08 => '_',
        0x48 => '=',
        _ => SEGMENTS
            .iter()
            .find(|(_, known)| *known == s)
            .map_or('?', |(c, _)| *c),
    };
    let text: String = segments.map(read).iter().collect();
    text.split_inclusive(' ')
        .map(|word| {
            let letters = word.contains(|c: char| c.is_ascii_lowercase());
            let digits = word.contains(|c: char| c.is_ascii_digit() && c != '5' && c != '2');
            if letters && !digits {
                word.replace('5', "s").replace('2', "z")
            } else {
                word.to_owned()
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_read_back() {
        for text in ["rnd  1", "123456", "start ", "52", "flag-x", "a_=b"] {
            let BoardClockCommand::Display { segments, .. } =
                BoardClockCommand::display(text, false)
            else {
                panic!("no display");
            };
            assert_eq!(text_of(segments).trim_end(), text.trim_end());
        }
    }

    #[test]
    fn ascii_is_padded_and_clean() {
        let BoardClockCommand::Ascii { text, .. } = BoardClockCommand::ascii("Тур 1", true)
        else {
            panic!("no ascii");
        };
        assert_eq!(&text, b"??? 1   ");
    }
}
