//! The clock message 0x8d: times, or an ack dressed as a time.

use std::time::Duration;

use crate::protocol::{ClockButton, ClockReading, ClockSide, FaceReading};

/// The seven data bytes of a clock message.
pub type ClockData = [u8; 7];

/// Three bytes that are no time.
const NO_TIME: [u8; 3] = [0x0f, 0x7f, 0x7f];

/// What a clock message says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockMessage {
    /// All bytes zero: a Bluetooth board sends it around clock commands. Means nothing.
    Null,
    /// Answer to a clock command, or a button, or a change of mode.
    Ack(Ack),
    /// Times.
    Time(ClockTime),
}

/// One side of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face {
    /// 0–9.
    pub hours: u8,
    /// 0–59.
    pub minutes: u8,
    /// 0–59.
    pub seconds: u8,
    /// D4: the flag has fallen and the clock stands at zero.
    pub flag_blocked: bool,
    /// D5: the sign for a delay or increment is on.
    pub time_per_move: bool,
    /// D6: the flag is shown, the clock may run on.
    pub flag_shown: bool,
}

/// Times and state as sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockTime {
    /// Right side from the front; `None` only without a clock, when the digits make no sense.
    pub right: Option<Face>,
    /// Left side from the front; `None` as for `right`.
    pub left: Option<Face>,
    /// The last byte: D0 running, D1 right lever high, D2 battery low, D3 and D4 turn bits, D5 no
    /// clock.
    pub status: u8,
}

/// Why a clock message cannot be true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClockInvalid {
    /// The hours digit is above 9 and no ack.
    #[error("hours nibble of {} side is {value}", name(*side))]
    Hours {
        /// Which side.
        side: ClockSide,
        /// The nibble.
        value: u8,
    },
    /// A digit above 9.
    #[error("{unit} of {} side are not BCD 00-59", name(*side))]
    NotBcd {
        /// Which side.
        side: ClockSide,
        /// `minutes` or `seconds`.
        unit: &'static str,
    },
    /// More than 59.
    #[error("{unit} of {} side are {value}", name(*side))]
    TooLarge {
        /// Which side.
        side: ClockSide,
        /// `minutes` or `seconds`.
        unit: &'static str,
        /// 60–99.
        value: u8,
    },
}

/// `left` or `right`.
pub(super) fn name(side: ClockSide) -> &'static str {
    match side {
        ClockSide::Left => "left",
        ClockSide::Right => "right",
    }
}

impl ClockMessage {
    /// Reads the seven data bytes.
    pub fn decode(data: &ClockData) -> Result<Self, ClockInvalid> {
        if *data == [0; 7] {
            return Ok(Self::Null);
        }
        if data[0] & 0x0f == 0x0a || data[3] & 0x0f == 0x0a {
            return Ok(Self::Ack(Ack::decode(*data)));
        }
        let right = Face::decode(ClockSide::Right, [data[0], data[1], data[2]]);
        let left = Face::decode(ClockSide::Left, [data[3], data[4], data[5]]);
        let status = data[6];
        let (right, left) = if status & 0x20 == 0 {
            (Some(right?), Some(left?))
        } else {
            // Without a clock the digits are what was left in the board's memory.
            (right.ok(), left.ok())
        };
        Ok(Self::Time(ClockTime {
            right,
            left,
            status,
        }))
    }

    /// The seven data bytes.
    pub fn encode(&self) -> ClockData {
        match self {
            Self::Null => [0; 7],
            Self::Ack(ack) => ack.encode(),
            Self::Time(time) => {
                let right = time.right.map_or(NO_TIME, Face::encode);
                let left = time.left.map_or(NO_TIME, Face::encode);
                [
                    right[0],
                    right[1],
                    right[2],
                    left[0],
                    left[1],
                    left[2],
                    time.status,
                ]
            }
        }
    }
}

impl Face {
    fn decode(side: ClockSide, [hours, minutes, seconds]: [u8; 3]) -> Result<Self, ClockInvalid> {
        if hours & 0x0f > 9 {
            return Err(ClockInvalid::Hours {
                side,
                value: hours & 0x0f,
            });
        }
        Ok(Self {
            hours: hours & 0x0f,
            minutes: sixty(side, "minutes", minutes)?,
            seconds: sixty(side, "seconds", seconds)?,
            flag_blocked: hours & 0x10 != 0,
            time_per_move: hours & 0x20 != 0,
            flag_shown: hours & 0x40 != 0,
        })
    }

    fn encode(self) -> [u8; 3] {
        let bcd = |value: u8| ((value / 10) << 4) | (value % 10);
        [
            self.hours
                | u8::from(self.flag_blocked) << 4
                | u8::from(self.time_per_move) << 5
                | u8::from(self.flag_shown) << 6,
            bcd(self.minutes),
            bcd(self.seconds),
        ]
    }

    fn reading(self) -> FaceReading {
        let seconds =
            u64::from(self.hours) * 3600 + u64::from(self.minutes) * 60 + u64::from(self.seconds);
        FaceReading {
            time: Duration::from_secs(seconds),
            flag_blocked: self.flag_blocked,
            flag_shown: self.flag_shown,
            time_per_move: self.time_per_move,
        }
    }
}

fn sixty(side: ClockSide, unit: &'static str, byte: u8) -> Result<u8, ClockInvalid> {
    let (tens, ones) = (byte >> 4, byte & 0x0f);
    if tens > 9 || ones > 9 {
        return Err(ClockInvalid::NotBcd { side, unit });
    }
    let value = tens * 10 + ones;
    if value > 59 {
        return Err(ClockInvalid::TooLarge { side, unit, value });
    }
    Ok(value)
}

impl ClockTime {
    /// D0.
    pub fn running(&self) -> bool {
        self.status & 0x01 != 0
    }

    /// D1: the side that stands high is to move.
    pub fn lever_high(&self) -> ClockSide {
        if self.status & 0x02 == 0 {
            ClockSide::Left
        } else {
            ClockSide::Right
        }
    }

    /// D2.
    pub fn battery_low(&self) -> bool {
        self.status & 0x04 != 0
    }

    /// D3. Sources contradict each other about it: for the log only.
    pub fn right_turn_bit(&self) -> bool {
        self.status & 0x08 != 0
    }

    /// D4. For the log only.
    pub fn left_turn_bit(&self) -> bool {
        self.status & 0x10 != 0
    }

    /// D5 is the opposite: no clock.
    pub fn connected(&self) -> bool {
        self.status & 0x20 == 0
    }

    /// The reading for the clock model; `None` without a clock.
    pub fn reading(&self) -> Option<ClockReading> {
        if !self.connected() {
            return None;
        }
        Some(ClockReading {
            left: self.left?.reading(),
            right: self.right?.reading(),
            running: self.running(),
            lever_high: self.lever_high(),
            battery_low: self.battery_low(),
        })
    }
}

/// The four rebuilt bytes of an ack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ack(pub [u8; 4]);

/// What an ack is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AckKind {
    /// About no command; a DGT XL 1.14 sends it as an error.
    None,
    /// The command with this id (0x01–0x0d).
    Command(u8),
    /// The clock has just been connected.
    Ready,
    /// A button was pressed.
    Button,
    /// The clock entered a mode; 23 and 25 take commands.
    Mode(u8),
    /// The clock left its remote mode.
    NotRemote,
    /// Nothing that we know.
    Unknown(u8),
}

impl Ack {
    fn decode(data: ClockData) -> Self {
        let bit = |byte: u8, bit: u8| if byte & bit == 0 { 0 } else { 0x80 };
        // Data bytes have no bit 7; the clock puts those four bits into the hours.
        Self([
            data[1] & 0x7f | bit(data[3], 0x10),
            data[2] & 0x7f | bit(data[3], 0x20),
            data[4] & 0x7f | bit(data[0], 0x10),
            data[5] & 0x7f | bit(data[0], 0x20),
        ])
    }

    fn encode(self) -> ClockData {
        let [a, b, c, d] = self.0;
        let high = |first: u8, second: u8| 0x0a | first >> 7 << 4 | second >> 7 << 5;
        [
            high(c, d),
            a & 0x7f,
            b & 0x7f,
            high(a, b),
            c & 0x7f,
            d & 0x7f,
            0,
        ]
    }

    /// Whether it says yes.
    pub fn ok(self) -> bool {
        self.0[0] == 0x10
    }

    /// Whether the clock refused because it is not in its remote mode.
    pub fn refused(self) -> bool {
        self.0[0] == 0x40
    }

    /// Sent without a command.
    pub fn auto(self) -> bool {
        self.0[1] >= 0x80
    }

    /// What it is about.
    pub fn kind(self) -> AckKind {
        match self.0[1] {
            0x00 => AckKind::None,
            id @ 0x01..=0x0d => AckKind::Command(id),
            0x81 => AckKind::Ready,
            0x88 => AckKind::Button,
            0x8a => AckKind::Mode(self.0[3]),
            0x90 => AckKind::NotRemote,
            other => AckKind::Unknown(other),
        }
    }

    /// The clock's version out of the answer to the version command.
    pub fn version(self) -> Option<(u8, u8)> {
        (self.ok() && self.kind() == AckKind::Command(0x09))
            .then_some((self.0[2] >> 4, self.0[2] & 0x0f))
    }

    /// The buttons of a button ack: one, or two pressed together. Empty when it is another.
    ///
    /// `ack3` names the last button; in `ack2` some clocks send a bit for each one that is down.
    pub fn buttons(self) -> Vec<ClockButton> {
        const BITS: [(u8, ClockButton); 5] = [
            (0x04, ClockButton::Back),
            (0x08, ClockButton::Plus),
            (0x10, ClockButton::Run),
            (0x20, ClockButton::Minus),
            (0x40, ClockButton::Ok),
        ];
        if self.kind() != AckKind::Button {
            return Vec::new();
        }
        let down: Vec<_> = BITS
            .into_iter()
            .filter_map(|(bit, button)| (self.0[2] & bit != 0).then_some(button))
            .collect();
        if down.len() > 1 {
            return down;
        }
        match self.0[3] {
            0x31 => vec![ClockButton::Back],
            0x32 => vec![ClockButton::Plus],
            0x33 => vec![ClockButton::Run],
            0x34 => vec![ClockButton::Minus],
            0x35 => vec![ClockButton::Ok],
            _ => down,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_ack_never_becomes_a_reading() {
        let ten_hours = ClockMessage::decode(&[0x0a, 0x10, 0x01, 0, 0, 0, 0]);
        assert_eq!(ten_hours, Ok(ClockMessage::Ack(Ack([0x10, 0x01, 0, 0]))));
    }

    #[test]
    fn stale_digits_without_a_clock_are_no_error() {
        let gone = ClockMessage::decode(&[0x0c, 0x7b, 0, 0, 0x05, 0, 0x20]).unwrap();
        let ClockMessage::Time(time) = gone else {
            panic!("{gone:?}")
        };
        assert!(time.right.is_none() && time.left.is_some());
        assert_eq!(time.reading(), None);
    }

    #[test]
    fn two_buttons_are_not_one() {
        assert_eq!(Ack([0x10, 0x88, 5, 49]).buttons(), [ClockButton::Back]);
        assert_eq!(Ack([0x10, 0x88, 0, 53]).buttons(), [ClockButton::Ok]);
        assert_eq!(
            Ack([0x10, 0x88, 37, 52]).buttons(),
            [ClockButton::Back, ClockButton::Minus]
        );
    }

    proptest! {
        #[test]
        fn round_trip(data in proptest::array::uniform7(0u8..0x80)) {
            if let Ok(message) = ClockMessage::decode(&data) {
                prop_assert_eq!(ClockMessage::decode(&message.encode()), Ok(message));
            }
        }
    }
}
