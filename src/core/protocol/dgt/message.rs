//! Messages of a board in single mode.

use super::{
    clock::{ClockData, ClockInvalid, ClockMessage},
    frame::{Frame, id},
    piece::{Cells, Code},
};

/// What a frame says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message<'a> {
    /// All 64 squares.
    BoardDump(Cells),
    /// A dump of one hundred squares: a 10×10 board.
    LargeDump(&'a [u8]),
    /// The 50 dark (`light: false`) or light squares of a draughts board.
    DraughtsDump {
        /// The light squares.
        light: bool,
        /// The codes.
        codes: &'a [u8],
    },
    /// One square changed.
    FieldUpdate {
        /// Wire number, 0–63.
        index: u8,
        /// What stands there now.
        code: Code,
    },
    /// From the clock.
    Clock(ClockMessage),
    /// The log; see [`super::ee`].
    EeMoves(&'a [u8]),
    /// The bus address: the serial number, as far as 14 bits hold it.
    BusAddress {
        /// Bits 13–7.
        high: u8,
        /// Bits 6–0.
        low: u8,
    },
    /// Five digits.
    Serial(&'a str),
    /// Ten characters.
    LongSerial(&'a str),
    /// Maker, build and more, with line feeds. Never read for logic.
    Trademark(&'a str),
    /// Firmware.
    Version {
        /// Before the point.
        main: u8,
        /// After the point, two digits.
        sub: u8,
    },
    /// Hardware version (P1.0): layout not published.
    HardwareVersion(&'a [u8]),
    /// The board's own battery.
    Battery(BatteryStatus),
    /// A message of an id that we do not know.
    Unknown {
        /// 0x80 or more.
        id: u8,
        /// The data.
        data: &'a [u8],
    },
}

/// Battery report of a Bluetooth board; `None` is "not available" (0x7f) or not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatteryStatus {
    /// Charge, percent.
    pub percent: Option<u8>,
    /// Time left: hours, minutes.
    pub left: Option<(u8, u8)>,
    /// Time switched on: hours, minutes.
    pub on: Option<(u8, u8)>,
    /// Time in standby: days, hours, minutes.
    pub standby: Option<(u8, u8, u8)>,
    /// Bit 0 charging, bit 1 discharging.
    pub status: Option<u8>,
}

/// Why a message's content cannot be true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    /// A code that no piece has.
    #[error("piece code {0}")]
    PieceCode(u8),
    /// A square number above 63.
    #[error("field index {0}")]
    FieldIndex(u8),
    /// An impossible time.
    #[error(transparent)]
    Clock(#[from] ClockInvalid),
    /// Less data than the id needs.
    #[error("{0} data bytes")]
    Size(usize),
}

impl<'a> Message<'a> {
    /// Reads a frame.
    pub fn decode(frame: Frame<'a>) -> Result<Self, Invalid> {
        let data = frame.data();
        // Data bytes are below 0x80 and so always text; whether it is sense is not asked here.
        let text = || std::str::from_utf8(data).map_err(|_| Invalid::Size(data.len()));
        Ok(match frame.id() {
            id::FIELD_UPDATE => {
                let &[index, code] = data else {
                    return Err(Invalid::Size(data.len()));
                };
                if index > 63 {
                    return Err(Invalid::FieldIndex(index));
                }
                Self::FieldUpdate {
                    index,
                    code: Code::new(code).ok_or(Invalid::PieceCode(code))?,
                }
            }
            id::CLOCK => {
                let data: &ClockData = data.try_into().map_err(|_| Invalid::Size(data.len()))?;
                Self::Clock(ClockMessage::decode(data)?)
            }
            id::BOARD_DUMP if data.len() == 100 => Self::LargeDump(data),
            id::BOARD_DUMP => Self::BoardDump(cells(data)?),
            id::DRAUGHTS_DARK | id::DRAUGHTS_LIGHT => Self::DraughtsDump {
                light: frame.id() == id::DRAUGHTS_LIGHT,
                codes: data,
            },
            id::EE_MOVES => Self::EeMoves(data),
            id::BUS_ADDRESS => {
                let &[high, low] = data else {
                    return Err(Invalid::Size(data.len()));
                };
                Self::BusAddress { high, low }
            }
            id::SERIAL => Self::Serial(text()?),
            id::LONG_SERIAL => Self::LongSerial(text()?),
            id::TRADEMARK => Self::Trademark(text()?),
            id::VERSION => {
                let &[main, sub] = data else {
                    return Err(Invalid::Size(data.len()));
                };
                Self::Version { main, sub }
            }
            id::HARDWARE_VERSION => Self::HardwareVersion(data),
            id::BATTERY => Self::Battery(BatteryStatus::decode(data)),
            id => Self::Unknown { id, data },
        })
    }

    /// Appends the frame.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let start = out.len();
        let mut put = |id: u8, data: &[u8]| {
            out.extend_from_slice(&[id, 0, 0]);
            out.extend_from_slice(data);
        };
        match *self {
            Self::BoardDump(cells) => put(id::BOARD_DUMP, &cells.0.map(Code::byte)),
            Self::LargeDump(codes) => put(id::BOARD_DUMP, codes),
            Self::DraughtsDump {
                light: false,
                codes,
            } => put(id::DRAUGHTS_DARK, codes),
            Self::DraughtsDump { light: true, codes } => put(id::DRAUGHTS_LIGHT, codes),
            Self::FieldUpdate { index, code } => put(id::FIELD_UPDATE, &[index, code.byte()]),
            Self::Clock(clock) => put(id::CLOCK, &clock.encode()),
            Self::EeMoves(data) => put(id::EE_MOVES, data),
            Self::BusAddress { high, low } => put(id::BUS_ADDRESS, &[high, low]),
            Self::Serial(text) => put(id::SERIAL, text.as_bytes()),
            Self::LongSerial(text) => put(id::LONG_SERIAL, text.as_bytes()),
            Self::Trademark(text) => put(id::TRADEMARK, text.as_bytes()),
            Self::Version { main, sub } => put(id::VERSION, &[main, sub]),
            Self::HardwareVersion(data) => put(id::HARDWARE_VERSION, data),
            Self::Battery(battery) => put(id::BATTERY, &battery.encode()),
            Self::Unknown { id, data } => put(id, data),
        }
        let len = out.len() - start;
        out[start + 1] = (len >> 7) as u8;
        out[start + 2] = (len & 0x7f) as u8;
    }
}

/// Reads 64 codes.
pub(super) fn cells(data: &[u8]) -> Result<Cells, Invalid> {
    let data: &[u8; 64] = data.try_into().map_err(|_| Invalid::Size(data.len()))?;
    let mut cells = [Code::EMPTY; 64];
    for (cell, &byte) in cells.iter_mut().zip(data) {
        *cell = Code::new(byte).ok_or(Invalid::PieceCode(byte))?;
    }
    Ok(Cells(cells))
}

impl BatteryStatus {
    fn decode(data: &[u8]) -> Self {
        let at = |index: usize| data.get(index).copied().filter(|&byte| byte != 0x7f);
        Self {
            percent: at(0),
            left: at(1).zip(at(2)),
            on: at(3).zip(at(4)),
            standby: at(5).zip(at(6)).zip(at(7)).map(|((d, h), m)| (d, h, m)),
            status: at(8),
        }
    }

    fn encode(&self) -> [u8; 9] {
        let (left_h, left_m) = self.left.unwrap_or((0x7f, 0x7f));
        let (on_h, on_m) = self.on.unwrap_or((0x7f, 0x7f));
        let (days, hours, minutes) = self.standby.unwrap_or((0x7f, 0x7f, 0x7f));
        [
            self.percent.unwrap_or(0x7f),
            left_h,
            left_m,
            on_h,
            on_m,
            days,
            hours,
            minutes,
            self.status.unwrap_or(0x7f),
        ]
    }

    /// On the charger.
    pub fn charging(&self) -> Option<bool> {
        Some(self.status? & 0x01 != 0)
    }

    /// Living on the battery.
    pub fn discharging(&self) -> Option<bool> {
        Some(self.status? & 0x02 != 0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{
        super::frame::{Dialect, Parser},
        *,
    };
    use crate::types::Mono;

    fn only_frame(bytes: &[u8]) -> Option<Vec<u8>> {
        let mut found = Vec::new();
        Parser::new(Dialect::Single).feed(Mono::ZERO, bytes, |f| found.push(f.bytes.to_vec()));
        (found.len() == 1).then(|| found.remove(0))
    }

    #[test]
    fn refuses_impossible_content() {
        let decode = |bytes| Message::decode(Frame { bytes });
        assert_eq!(decode(&[0x8e, 0, 5, 64, 1]), Err(Invalid::FieldIndex(64)));
        assert_eq!(decode(&[0x8e, 0, 5, 12, 16]), Err(Invalid::PieceCode(16)));
    }

    #[test]
    fn a_short_battery_report_gives_what_it_has() {
        let Ok(Message::Battery(battery)) = Message::decode(Frame {
            bytes: &[0xa0, 0, 7, 50, 0x7f, 0x7f, 3],
        }) else {
            panic!("no battery");
        };
        assert_eq!(battery.percent, Some(50));
        assert_eq!(battery.left, None);
        assert_eq!(battery.charging(), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// Every message that can be read is written as bytes that read the same.
        #[test]
        fn round_trip(
            id in 0x80u8..=0xff,
            data in proptest::collection::vec(0u8..0x80, 0..120),
            known in prop_oneof![Just(None), (0usize..9).prop_map(Some)],
        ) {
            // Mostly lengths that the known ids have, so that they are reached.
            let (id, len) = match known {
                None => (id, data.len()),
                Some(at) => [
                    (id::BOARD_DUMP, 64), (id::CLOCK, 7), (id::FIELD_UPDATE, 2), (id::SERIAL, 5),
                    (id::VERSION, 2), (id::BATTERY, 9), (id::LONG_SERIAL, 10),
                    (id::DRAUGHTS_DARK, 50), (id::BUS_ADDRESS, 2),
                ][at],
            };
            let mut data = data;
            data.resize(len, 0);
            if id == id::BOARD_DUMP || id == id::FIELD_UPDATE {
                for byte in &mut data {
                    *byte %= 16;
                }
            }
            let mut bytes = vec![id, ((len + 3) >> 7) as u8, ((len + 3) & 0x7f) as u8];
            bytes.extend(data);
            let Some(frame) = only_frame(&bytes) else { return Ok(()) };
            let Ok(message) = Message::decode(Frame { bytes: &frame }) else { return Ok(()) };
            let mut again = Vec::new();
            message.encode(&mut again);
            let frame = only_frame(&again).expect("an encoded message is a frame");
            prop_assert_eq!(Message::decode(Frame { bytes: &frame }), Ok(message));
        }
    }
}
