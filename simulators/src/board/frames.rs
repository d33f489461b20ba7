//! The messages that a board puts on the line.

/// Ids of the messages in single-board mode.
pub(super) mod id {
    pub(in crate::board) const BOARD_DUMP: u8 = 0x86;
    pub(in crate::board) const CLOCK: u8 = 0x8d;
    pub(in crate::board) const FIELD_UPDATE: u8 = 0x8e;
    pub(in crate::board) const EE_MOVES: u8 = 0x8f;
    pub(in crate::board) const BUS_ADDRESS: u8 = 0x90;
    pub(in crate::board) const SERIAL: u8 = 0x91;
    pub(in crate::board) const TRADEMARK: u8 = 0x92;
    pub(in crate::board) const VERSION: u8 = 0x93;
    pub(in crate::board) const HARDWARE: u8 = 0x96;
    pub(in crate::board) const BATTERY: u8 = 0xa0;
    pub(in crate::board) const LONG_SERIAL: u8 = 0xa2;
}

/// Id, total length in two times seven bits, data.
pub(super) fn single(id: u8, data: &[u8]) -> Vec<u8> {
    let length = data.len() + 3;
    let mut frame = vec![id, (length >> 7) as u8, (length & 0x7f) as u8];
    frame.extend_from_slice(data);
    frame
}

/// The same with the board's address before and the sum behind the data.
pub(super) fn bus(id: u8, address: u16, data: &[u8]) -> Vec<u8> {
    let length = data.len() + 6;
    let mut frame = vec![id, (length >> 7) as u8, (length & 0x7f) as u8];
    frame.extend([(address >> 7) as u8 & 0x7f, (address & 0x7f) as u8]);
    frame.extend_from_slice(data);
    frame.push(sum(&frame));
    frame
}

/// Checksum of the bus: the sum of all bytes before, seven bits of it.
pub(super) fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0_u8, |sum, &byte| sum.wrapping_add(byte)) & 0x7f
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_count_everything() {
        assert_eq!(single(id::FIELD_UPDATE, &[0x34, 0]), [0x8e, 0, 5, 0x34, 0]);
        assert_eq!(single(id::EE_MOVES, &[0; 0x1f00])[..3], [0x8f, 0x3e, 0x03]);
        assert_eq!(bus(0x87, 1025, &[]), [0x87, 0, 6, 8, 1, 0x16]);
        assert_eq!(bus(0x89, 1025, &[1, 2]), [0x89, 0, 8, 8, 1, 1, 2, 0x1d]);
    }
}
