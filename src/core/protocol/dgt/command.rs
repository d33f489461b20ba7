//! Commands of the host in single mode, written and read.

use super::clock_command::BoardClockCommand;

/// Commands of a single byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// 40: to idle; ends any update mode.
    ResetIdle,
    /// 41: one clock message.
    SendClock,
    /// 42: a board dump.
    SendBoard,
    /// 43: changes and the clock each second.
    Update,
    /// 44: changes, no clock and no clock acks.
    UpdateBoard,
    /// 45: five-digit serial number.
    Serial,
    /// 46: bus address.
    BusAddress,
    /// 47: trademark text.
    Trademark,
    /// 48: hardware version.
    HardwareVersion,
    /// 49: the whole log, up to eight seconds of line time.
    SendEeMoves,
    /// 4a: to bus mode.
    ToBusMode,
    /// 4b: changes, and the clock when it changes.
    UpdateNice,
    /// 4c: battery.
    Battery,
    /// 4d: firmware version.
    Version,
    /// 50: dark squares of a draughts board.
    SendDraughtsDark,
    /// 52: light squares of a draughts board.
    SendDraughtsLight,
    /// 55: ten-digit serial number.
    LongSerial,
    /// 56: I²C clock.
    I2cClock,
    /// 57: I²C clock, updates.
    I2cUpdate,
    /// 58: I²C clock, updates on change.
    I2cUpdateNice,
    /// 4e: read, but never written: it starts the boot loader.
    BootLoader,
    /// 51, 53, 54: read, but never written: they burn a scan into the EEPROM.
    ScanToEeprom(u8),
}

impl Request {
    /// The command with this code.
    pub fn new(code: u8) -> Option<Self> {
        Some(match code {
            0x40 => Self::ResetIdle,
            0x41 => Self::SendClock,
            0x42 => Self::SendBoard,
            0x43 => Self::Update,
            0x44 => Self::UpdateBoard,
            0x45 => Self::Serial,
            0x46 => Self::BusAddress,
            0x47 => Self::Trademark,
            0x48 => Self::HardwareVersion,
            0x49 => Self::SendEeMoves,
            0x4a => Self::ToBusMode,
            0x4b => Self::UpdateNice,
            0x4c => Self::Battery,
            0x4d => Self::Version,
            0x4e => Self::BootLoader,
            0x50 => Self::SendDraughtsDark,
            0x52 => Self::SendDraughtsLight,
            0x51 | 0x53 | 0x54 => Self::ScanToEeprom(code),
            0x55 => Self::LongSerial,
            0x56 => Self::I2cClock,
            0x57 => Self::I2cUpdate,
            0x58 => Self::I2cUpdateNice,
            _ => return None,
        })
    }

    /// Its code.
    pub fn code(self) -> u8 {
        match self {
            Self::ResetIdle => 0x40,
            Self::SendClock => 0x41,
            Self::SendBoard => 0x42,
            Self::Update => 0x43,
            Self::UpdateBoard => 0x44,
            Self::Serial => 0x45,
            Self::BusAddress => 0x46,
            Self::Trademark => 0x47,
            Self::HardwareVersion => 0x48,
            Self::SendEeMoves => 0x49,
            Self::ToBusMode => 0x4a,
            Self::UpdateNice => 0x4b,
            Self::Battery => 0x4c,
            Self::Version => 0x4d,
            Self::BootLoader => 0x4e,
            Self::SendDraughtsDark => 0x50,
            Self::SendDraughtsLight => 0x52,
            Self::ScanToEeprom(code) => code,
            Self::LongSerial => 0x55,
            Self::I2cClock => 0x56,
            Self::I2cUpdate => 0x57,
            Self::I2cUpdateNice => 0x58,
        }
    }
}

/// A command of the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// One byte.
    Request(Request),
    /// 60 with the layout of a Revelation II.
    Leds {
        /// 0 off, 1 on, 2 a setting.
        pattern: u8,
        /// Wire number, or 0x40 for all squares.
        from: u8,
        /// The same.
        to: u8,
    },
    /// 60 with another layout (other boards reuse the code).
    OtherLeds(Vec<u8>),
    /// 63: developer key of a Pegasus.
    DeveloperKey(Vec<u8>),
    /// 2b: to the clock.
    Clock(BoardClockCommand),
    /// 2b with content that no clock command has; what follows the size byte.
    BadClock(Vec<u8>),
}

/// What stands at the head of some bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parsed {
    /// A command and its length.
    Command(Command, usize),
    /// The beginning of one.
    Partial,
    /// A byte that begins none.
    Unknown(u8),
}

impl Command {
    /// Appends the bytes.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let mut sized = |code: u8, content: &[u8]| {
            out.extend_from_slice(&[code, content.len() as u8]);
            out.extend_from_slice(content);
        };
        match self {
            Self::Request(request) => out.push(request.code()),
            Self::Leds { pattern, from, to } => sized(0x60, &[*pattern, *from, *to, 0]),
            Self::OtherLeds(content) => sized(0x60, content),
            Self::DeveloperKey(content) => sized(0x63, content),
            Self::Clock(command) => command.encode(out),
            Self::BadClock(content) => sized(0x2b, content),
        }
    }

    /// Reads the command at the head of `bytes`.
    pub fn parse(bytes: &[u8]) -> Parsed {
        let Some((&code, rest)) = bytes.split_first() else {
            return Parsed::Partial;
        };
        if let Some(request) = Request::new(code) {
            return Parsed::Command(Self::Request(request), 1);
        }
        if !matches!(code, 0x2b | 0x60 | 0x63) {
            return Parsed::Unknown(code);
        }
        let Some((&size, rest)) = rest.split_first() else {
            return Parsed::Partial;
        };
        if size >= 0x80 {
            return Parsed::Unknown(code);
        }
        let Some(content) = rest.get(..usize::from(size)) else {
            return Parsed::Partial;
        };
        let command = match (code, content) {
            (0x2b, _) => BoardClockCommand::decode(content)
                .map_or_else(|| Self::BadClock(content.to_vec()), Self::Clock),
            (0x60, &[pattern @ 0..=2, from, to, 0]) => Self::Leds { pattern, from, to },
            (0x60, _) => Self::OtherLeds(content.to_vec()),
            _ => Self::DeveloperKey(content.to_vec()),
        };
        Parsed::Command(command, 2 + content.len())
    }
}

impl From<Request> for Command {
    fn from(request: Request) -> Self {
        Self::Request(request)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_cut_command_is_partial() {
        for cut in 1..5 {
            assert_eq!(Command::parse(&[0x2b, 3, 3, 9, 0][..cut]), Parsed::Partial);
        }
        assert_eq!(Command::parse(&[0x13]), Parsed::Unknown(0x13));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5_000))]

        #[test]
        fn round_trip(
            head in prop_oneof![Just(vec![]), (0u8..16, 0u8..16).prop_map(|(size, id)| {
                vec![0x2b, size, 3, id]
            })],
            tail in proptest::collection::vec(prop_oneof![Just(0u8), 0u8..0x80], 0..20),
        ) {
            let bytes = [head, tail].concat();
            if let Parsed::Command(command, len) = Command::parse(&bytes) {
                let mut again = Vec::new();
                command.encode(&mut again);
                prop_assert_eq!(Command::parse(&again), Parsed::Command(command, again.len()));
                prop_assert!(len <= bytes.len());
            }
        }
    }
}
