//! Bytes from the host, cut into commands.

use std::time::Duration;

/// One command, complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command {
    /// A byte with bit 7 clear that stands alone.
    Single(u8),
    /// Data of a clock command, from the byte after the size on.
    Clock(Vec<u8>),
    /// LEDs, developer key, I²C clock: taken off the line and answered with nothing.
    Swallowed,
    /// A bus command with a right sum.
    Bus { code: u8, address: u16 },
    /// A bus command with a wrong sum.
    BadSum,
}

/// Cuts the stream; forgets a command that is not continued for a second.
#[derive(Debug, Clone, Default)]
pub(super) struct Input {
    partial: Vec<u8>,
    last_byte: Duration,
}

/// Commands that carry a size byte and so many bytes more.
const CLOCK: u8 = 0x2b;
const I2C_CLOCK: u8 = 0x2c;
const LEDS: u8 = 0x60;
const DEVELOPER_KEY: u8 = 0x63;

const PATIENCE: Duration = Duration::from_secs(1);

impl Input {
    /// Takes a byte; answers a command when it is the last one of it.
    pub(super) fn push(&mut self, now: Duration, byte: u8) -> Option<Command> {
        if now.saturating_sub(self.last_byte) > PATIENCE {
            self.partial.clear();
        }
        self.last_byte = now;
        let free_data = self.partial.first() == Some(&DEVELOPER_KEY);
        if byte >= 0x80 && !free_data {
            // Data has bit 7 clear: whatever was begun is over.
            self.partial.clear();
        }
        self.partial.push(byte);
        let command = self.complete()?;
        self.partial.clear();
        Some(command)
    }

    fn complete(&self) -> Option<Command> {
        match *self.partial.as_slice() {
            [
                code @ (CLOCK | I2C_CLOCK | LEDS | DEVELOPER_KEY),
                ref rest @ ..,
            ] => {
                let (&size, data) = rest.split_first()?;
                if data.len() < usize::from(size) {
                    return None;
                }
                Some(if code == CLOCK {
                    Command::Clock(data.to_vec())
                } else {
                    Command::Swallowed
                })
            }
            [code, ref rest @ ..] if code >= 0x80 => {
                let &[hi, lo, sum] = rest else { return None };
                let right = super::frames::sum(&[code, hi, lo]) == sum;
                let address = u16::from(hi) << 7 | u16::from(lo);
                Some(if right {
                    Command::Bus { code, address }
                } else {
                    Command::BadSum
                })
            }
            [code] => Some(Command::Single(code)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feed(input: &mut Input, at_ms: u64, bytes: &[u8]) -> Vec<Command> {
        let at = Duration::from_millis(at_ms);
        bytes
            .iter()
            .filter_map(|&byte| input.push(at, byte))
            .collect()
    }

    #[test]
    fn data_is_not_taken_for_commands() {
        let mut input = Input::default();
        let set = [
            0x2b, 0x0a, 0x03, 0x0a, 0x01, 0x42, 0x41, 0x01, 0x45, 0x40, 0x09, 0x00,
        ];
        let commands = feed(&mut input, 10, &[&set[..], &[0x42]].concat());
        assert_eq!(
            commands,
            [Command::Clock(set[2..].to_vec()), Command::Single(0x42)]
        );
        assert_eq!(
            feed(&mut input, 20, &[0x60, 4, 0, 0x40, 0x40, 0]),
            [Command::Swallowed]
        );
    }

    #[test]
    fn unfinished_command_is_forgotten() {
        let mut input = Input::default();
        assert_eq!(feed(&mut input, 10, &[0x2b, 0x0c, 0x03]), []);
        assert_eq!(feed(&mut input, 500, &[0x0c]), []);
        assert_eq!(feed(&mut input, 1600, &[0x42]), [Command::Single(0x42)]);
    }

    #[test]
    fn bus_commands_are_summed() {
        let mut input = Input::default();
        let bytes = [
            0x8b, 0x00, 0x00, 0x0b, 0x81, 0x10, 0x06, 0x17, 0x87, 0x08, 0x01, 0x00,
        ];
        assert_eq!(
            feed(&mut input, 10, &bytes),
            [
                Command::Bus {
                    code: 0x8b,
                    address: 0
                },
                Command::Bus {
                    code: 0x81,
                    address: 0x10 * 128 + 6
                },
                Command::BadSum
            ]
        );
    }
}
