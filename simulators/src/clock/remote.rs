//! What the clock does with commands that the board passes on, and what it says by itself.

use std::time::Duration;

use super::{ClockFace, Flag, Side};

/// The four bytes of an acknowledgement, before they are hidden in a time message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ack(pub [u8; 4]);

/// The buttons in front of the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Button {
    /// Leftmost.
    Back,
    /// Plus.
    Plus,
    /// Start and stop.
    Run,
    /// Minus.
    Minus,
    /// Rightmost.
    Ok,
}

/// Something the clock reports without being asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AutoAck {
    /// Just connected.
    Ready,
    /// A button.
    Button(Button),
    /// The option number that was chosen.
    Mode(u8),
    /// The remote mode was left.
    LeftMode,
}

impl AutoAck {
    /// As an acknowledgement.
    pub fn ack(self) -> Ack {
        let (kind, data) = match self {
            Self::Ready => (0x81, 0),
            Self::Button(Button::Back) => (0x88, 0x31),
            Self::Button(Button::Plus) => (0x88, 0x32),
            Self::Button(Button::Run) => (0x88, 0x33),
            Self::Button(Button::Minus) => (0x88, 0x34),
            Self::Button(Button::Ok) => (0x88, 0x35),
            Self::Mode(mode) => (0x8a, mode),
            Self::LeftMode => (0x90, 0),
        };
        Ack([OK, kind, 0, data])
    }
}

impl Ack {
    /// The data bytes of the time message that carries it.
    pub fn bytes(self) -> [u8; 7] {
        let [ack0, ack1, ack2, ack3] = self.0;
        let top = |byte: u8, bit: u8| (byte >> 7) << bit;
        [
            0x0a | top(ack2, 4) | top(ack3, 5),
            ack0 & 0x7f,
            ack1 & 0x7f,
            0x0a | top(ack0, 4) | top(ack1, 5),
            ack2 & 0x7f,
            ack3 & 0x7f,
            0,
        ]
    }
}

const OK: u8 = 0x10;
const REFUSED: u8 = 0x40;
/// High nibble main version, low nibble the rest.
const VERSION: u8 = 0x22;

/// The remote side of the clock.
#[derive(Debug, Clone, Default)]
pub struct Remote {
    mode_25: bool,
    stands_still: bool,
    display: Option<String>,
    icons: [u8; 5],
}

impl Remote {
    pub(super) fn mode_25(&self) -> bool {
        self.mode_25
    }

    pub(super) fn set_mode_25(&mut self, on: bool) {
        self.mode_25 = on;
        self.stands_still = false;
        self.display = None;
    }

    /// Whether a lever change hands the time over; a run byte may have switched that off.
    pub(super) fn lever_toggles(&self) -> bool {
        !(self.mode_25 && self.stands_still)
    }

    pub(super) fn display(&self) -> Option<&str> {
        self.display.as_deref()
    }

    /// Icon bytes as last sent.
    pub fn icons(&self) -> [u8; 5] {
        self.icons
    }

    pub(super) fn command(
        &mut self,
        data: &[u8],
        face: &mut ClockFace,
        now: Duration,
    ) -> Option<Ack> {
        let [0x03, id, body @ .., 0x00] = data else {
            return None;
        };
        let done = Some(Ack([OK, *id, 0, 0]));
        match (id, body) {
            (0x01, [segments @ .., _icons, _beep]) if segments.len() == 6 => {
                self.display = Some(read_segments(segments));
                done
            }
            (0x02, [a, b, c, d, special, 0, 0, 0]) => {
                let clear = special & 1 != 0;
                self.icons = if clear {
                    [0; 5]
                } else {
                    [*a, *b, *c, *d, *special]
                };
                done
            }
            (0x03, []) => {
                self.display = None;
                done
            }
            (0x08, []) => done,
            (0x09, []) => Some(Ack([OK, 0x09, VERSION, 0])),
            (0x0a, [lh, lm, ls, rh, rm, rs, run]) => {
                let left = plain_time(*lh, *lm, *ls);
                let right = plain_time(*rh, *rm, *rs);
                let (true, Some(left), Some(right)) = (self.mode_25, left, right) else {
                    return Some(Ack([REFUSED, 0x0a, 0, 0]));
                };
                self.set_and_run(face, now, left, right, *run);
                done
            }
            (0x0b, [_ticks]) => done,
            (0x0c, [text @ .., _beep]) if text.len() == 8 => {
                self.show(text);
                done
            }
            (0x0d, [text @ .., _beep]) if text.len() == 11 => {
                self.show(text);
                done
            }
            _ => None,
        }
    }

    fn show(&mut self, text: &[u8]) {
        let text = text
            .iter()
            .map(|&b| if b.is_ascii_graphic() { b as char } else { ' ' });
        self.display = Some(text.collect());
    }

    fn set_and_run(
        &mut self,
        face: &mut ClockFace,
        now: Duration,
        left: (Duration, bool),
        right: (Duration, bool),
        run: u8,
    ) {
        let high = match run & 0x03 {
            0x01 => Side::Left,
            0x02 => Side::Right,
            _ => face.high(),
        };
        *face = ClockFace::set(now, left.0, right.0, high);
        for (side, (time, up)) in [(Side::Left, left), (Side::Right, right)] {
            let state = face.side_mut(side);
            state.counts_up = up;
            // A side set to nothing starts below its flag only if it counts down.
            state.flag = if time.is_zero() && !up && run & 0x03 != 0 && side == high {
                Flag::Blocked
            } else {
                Flag::None
            };
        }
        self.display = None;
        self.stands_still = run & 0x08 == 0;
        if run & 0x04 == 0 && run & 0x03 != 0 {
            face.run();
        }
    }
}

/// Plain binary hours (bit 4: count up), minutes, seconds.
fn plain_time(h: u8, m: u8, s: u8) -> Option<(Duration, bool)> {
    let hours = h & 0x0f;
    let valid = h & !0x1f == 0 && hours <= 9 && m <= 59 && s <= 59;
    let seconds = u64::from(hours) * 3600 + u64::from(m) * 60 + u64::from(s);
    valid.then(|| (Duration::from_secs(seconds), h & 0x10 != 0))
}

/// Text of a seven-segment command; the wire has C B A F E D for a display of A B C D E F.
fn read_segments(wire: &[u8]) -> String {
    const GLYPHS: [(u8, char); 22] = [
        (0x3f, '0'),
        (0x06, '1'),
        (0x5b, '2'),
        (0x4f, '3'),
        (0x66, '4'),
        (0x6d, '5'),
        (0x7d, '6'),
        (0x07, '7'),
        (0x7f, '8'),
        (0x6f, '9'),
        (0x00, ' '),
        (0x40, '-'),
        (0x5f, 'a'),
        (0x7c, 'b'),
        (0x58, 'c'),
        (0x5e, 'd'),
        (0x7b, 'e'),
        (0x71, 'f'),
        (0x54, 'n'),
        (0x5c, 'o'),
        (0x50, 'r'),
        (0x78, 't'),
    ];
    [2, 1, 0, 5, 4, 3]
        .into_iter()
        .filter_map(|i| wire.get(i))
        .map(|seg| {
            GLYPHS
                .iter()
                .find(|(code, _)| code == seg)
                .map_or('?', |&(_, glyph)| glyph)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acks_hide_their_top_bits() {
        let button = AutoAck::Button(Button::Back).ack();
        assert_eq!(button.bytes(), [0x0a, 0x10, 0x08, 0x2a, 0x00, 0x31, 0x00]);
        assert_eq!(
            AutoAck::Mode(23).ack().bytes(),
            [0x0a, 0x10, 0x0a, 0x2a, 0, 0x17, 0]
        );
        assert_eq!(
            AutoAck::LeftMode.ack().bytes(),
            [0x0a, 0x10, 0x10, 0x2a, 0, 0, 0]
        );
        assert_eq!(
            Ack([0x90, 1, 0x82, 0xb1]).bytes(),
            [0x3a, 0x10, 1, 0x1a, 2, 0x31, 0]
        );
    }

    #[test]
    fn segments_read_in_display_order() {
        assert_eq!(read_segments(&[0x5e, 0x54, 0x50, 0x06, 0, 0]), "rnd  1");
        assert_eq!(
            read_segments(&[0x4f, 0x5b, 0x06, 0x7d, 0x6d, 0x66]),
            "123456"
        );
    }

    #[test]
    fn malformed_commands_are_not_answered() {
        let mut remote = Remote::default();
        let mut face = ClockFace::set(Duration::ZERO, Duration::ZERO, Duration::ZERO, Side::Left);
        for data in [
            &[0x03, 0x0c, 0x41, 0x00][..],
            &[0x03, 0x33, 0x00],
            &[0x02, 0x03, 0x00],
        ] {
            assert_eq!(remote.command(data, &mut face, Duration::ZERO), None);
        }
    }
}
