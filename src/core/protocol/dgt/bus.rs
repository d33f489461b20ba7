//! Bus mode: addressed commands and replies with a sum.
//!
//! The ids overlap with those of single mode, so a stream is read in one mode or the other.

use super::frame::{Frame, HEADER};

/// The address that all boards listen to.
pub const ALL: u16 = 0;
/// The fixed address of a Centaur's board controller, which speaks bus mode with its own log codes.
pub const CENTAUR: u16 = 848;

/// The sum that ends every bus frame.
pub fn checksum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0u8, |sum, b| sum.wrapping_add(*b)) & 0x7f
}

/// A reply with its wrapping taken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BusReply<'a> {
    /// Message id.
    pub id: u8,
    /// Who answers, 14 bits.
    pub address: u16,
    /// What stands between address and sum. Not to be believed when the sum is wrong.
    pub data: &'a [u8],
    /// The sum is right.
    pub checksum_ok: bool,
}

impl<'a> BusReply<'a> {
    /// Takes the wrapping off; `None` when the frame is too short to have one.
    pub fn decode(frame: Frame<'a>) -> Option<Self> {
        let (&sum, summed) = frame.bytes.split_last()?;
        let &[high, low, ref data @ ..] = summed.get(HEADER..)? else {
            return None;
        };
        Some(Self {
            id: frame.id(),
            address: u16::from(high) << 7 | u16::from(low),
            data,
            checksum_ok: checksum(summed) == sum,
        })
    }
}

/// A command to one board or to all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BusCommand {
    /// 0x81–0xa2.
    pub code: u8,
    /// 14 bits; [`ALL`] for every board.
    pub address: u16,
    /// The sum is right.
    pub checksum_ok: bool,
}

/// Bytes of a command: code, address, sum.
pub const COMMAND_LEN: usize = 4;

impl BusCommand {
    /// Reads four bytes; `None` when the code is none of bus mode.
    pub fn decode(bytes: &[u8; COMMAND_LEN]) -> Option<Self> {
        let [code, high, low, sum] = *bytes;
        command_name(code)?;
        Some(Self {
            code,
            address: u16::from(high & 0x7f) << 7 | u16::from(low & 0x7f),
            checksum_ok: checksum(&bytes[..3]) == sum,
        })
    }

    /// The four bytes, with the right sum.
    pub fn encode(&self) -> [u8; COMMAND_LEN] {
        let mut bytes = [
            self.code,
            (self.address >> 7) as u8 & 0x7f,
            self.address as u8 & 0x7f,
            0,
        ];
        bytes[3] = checksum(&bytes[..3]);
        bytes
    }
}

/// The name of a bus command in the JSON form; `None` for codes that are none.
pub fn command_name(code: u8) -> Option<&'static str> {
    Some(match code {
        0x81 => "bus_send_clock",
        0x82 => "bus_send_board",
        0x83 => "bus_send_changes",
        0x84 => "bus_repeat_changes",
        0x85 => "bus_set_start_game",
        0x86 => "bus_send_from_start",
        0x87 => "bus_ping",
        0x88 => "bus_end",
        0x89 => "bus_reset",
        0x8a => "bus_ignore_next_ping",
        0x8b => "bus_send_version",
        0x8c => "bus_send_board_50b",
        0x8d => "bus_send_all",
        0x91 => "bus_serial",
        0x92 => "bus_random_ping",
        0x93 => "bus_i2c_clock",
        0x94 => "bus_i2c_button",
        0x95 => "bus_i2c_ack",
        0x96 => "bus_statistics",
        0x97 => "bus_trademark",
        0x98 => "bus_battery",
        0x99 => "bus_repeat_i2c_button",
        0x9a => "bus_repeat_i2c_ack",
        0x9b => "bus_hardware_version",
        0xa0 => "bus_configuration",
        0xa1 => "bus_sbi_clock_message",
        0xa2 => "bus_i2c_clock_message",
        _ => return None,
    })
}

/// The name of a bus reply in the JSON form; `None` for ids that nobody described.
pub fn reply_name(id: u8) -> Option<&'static str> {
    Some(match id {
        0x83 => "bus_board",
        0x84 => "bus_clock",
        0x85 => "bus_update",
        0x86 => "bus_from_start",
        0x87 => "bus_ping",
        0x88 => "bus_start_game_written",
        0x89 => "bus_version",
        0x8a => "bus_board_50b",
        // The same log in the newer firmware, with a sequence bit in the id.
        0x8b => "bus_update_even",
        0x8c => "bus_hardware_version",
        0xb0 => "bus_serial",
        0xb1 => "bus_i2c_button",
        0xb2 => "bus_statistics",
        0xb3 => "bus_configuration",
        0xb4 => "bus_trademark",
        0xb5 => "bus_battery",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_carry_their_sum() {
        let command = BusCommand {
            code: 0x83,
            address: 1025,
            checksum_ok: true,
        };
        assert_eq!(command.encode(), [0x83, 0x08, 0x01, 0x0c]);
        assert_eq!(BusCommand::decode(&command.encode()), Some(command));
        assert!(BusCommand::decode(&[0x83, 8, 1, 0x0d]).is_some_and(|c| !c.checksum_ok));
    }

    #[test]
    fn a_wrong_sum_shows() {
        let reply = BusReply::decode(Frame {
            bytes: &[0x87, 0, 6, 8, 1, 0x17],
        })
        .unwrap();
        assert_eq!((reply.address, reply.checksum_ok), (1025, false));
    }
}
