//! Who a board says it is.

use rand::Rng as _;

use crate::seed;

/// Serial numbers, versions and the other fixed answers of one board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Five digits on the wire; below 16384, so that it is the bus address too.
    pub serial: u16,
    /// Ten characters.
    pub long_serial: String,
    /// Firmware main and sub version.
    pub version: (u8, u8),
    /// Hardware main and sub version.
    pub hardware: (u8, u8),
    /// Percent at power-up.
    pub battery: u8,
}

impl Identity {
    /// The board of a table in the hall that `seed` names; serials in one hall differ.
    pub fn seeded(seed: u64, table: u16) -> Self {
        let base = 1000 + (seed::mix(seed, &[ROOM]) % 8000) as u16;
        let serial = (base + table % 7000) % 16384;
        let mut rng = seed::rng(seed, &[ROOM, u64::from(table)]);
        let (version, long_serial) = match rng.random_range(0..3) {
            0 => ((1, 7), format!("00000{serial:05}")),
            1 => ((1, 8), format!("00000{serial:05}")),
            _ => ((3, 10), format!("30001{serial:05}")),
        };
        let hardware = (version.0, 0);
        Self {
            serial,
            long_serial,
            version,
            hardware,
            battery: rng.random_range(60..=100),
        }
    }

    pub(super) fn serial_digits(&self) -> String {
        format!("{:05}", self.serial)
    }

    pub(super) fn bus_address(&self) -> [u8; 2] {
        [(self.serial >> 7) as u8, (self.serial & 0x7f) as u8]
    }

    /// Our own words: the real text is its owner's mark and must not come from another device.
    pub(super) fn trademark(&self) -> String {
        let (main, sub) = self.version;
        format!(
            "Flagfall simulated board\r\nMade of software, no sensors inside\r\n\
             Version {main}.{sub:02}\r\nSerial {:05}\r\n",
            self.serial
        )
    }
}

const ROOM: u64 = 0x0062_6f61_7264;
