//! How the clock puts its words on a serial line, and takes those of a host from it.

use serde_json::{Value, json};

/// How the clock frames what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Talk {
    /// COBS with a check.
    Cobs,
    /// JSON lines; with a check behind a star or without.
    Json {
        /// Whether each line ends with a check.
        checked: bool,
    },
}

/// What the clock says: a kind, its bytes, and the same as a line.
pub(super) struct Said {
    pub(super) kind: u8,
    pub(super) bytes: Vec<u8>,
    pub(super) line: Value,
}

/// A command of the host, as the clock understands it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) op: u8,
    pub(super) tag: u8,
    /// Parameters as the profile lays them out.
    pub(super) params: Vec<u8>,
}

/// What came from the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Heard {
    Command(Asked),
    Settings(Vec<u8>),
}

/// The names of the operations, in the order of their numbers.
pub(super) const OPS: [&str; 16] = [
    "get_info",
    "get_state",
    "replay",
    "set_times",
    "add_time",
    "pause",
    "resume",
    "set_moves",
    "set_period",
    "clear_flags",
    "acknowledge",
    "new_game",
    "time_sync",
    "lock",
    "display",
    "identify",
];

impl Talk {
    pub(super) fn put(self, said: &Said) -> Vec<u8> {
        match self {
            Self::Cobs => {
                let mut plain = vec![said.kind];
                plain.extend(&said.bytes);
                let check = check(&plain);
                plain.extend([check as u8, (check >> 8) as u8]);
                let mut frame = cobs(&plain);
                frame.push(0);
                frame
            }
            Self::Json { checked } => {
                let mut text = said.line.to_string();
                if checked {
                    let sum = check(text.as_bytes());
                    text.extend(["*", &format!("{sum:04X}")]);
                }
                text.push('\n');
                text.into_bytes()
            }
        }
    }
}

/// CRC-16 with the polynomial 1021 from FFFF, a nibble at a time.
pub(super) fn check(bytes: &[u8]) -> u16 {
    let mut sum = 0xffff_u16;
    for byte in bytes {
        for nibble in [byte >> 4, byte & 15] {
            let index = (sum >> 12) ^ u16::from(nibble);
            // For four bits the table is the index times the polynomial.
            let entry = (0..4).fold(0, |entry, bit| {
                entry ^ (((index >> bit) & 1) * (0x1021 << bit))
            });
            sum = (sum << 4) ^ entry;
        }
    }
    sum
}

fn cobs(plain: &[u8]) -> Vec<u8> {
    let mut out = vec![0];
    let mut mark = 0;
    for &byte in plain {
        if byte == 0 {
            out[mark] = (out.len() - mark) as u8;
            mark = out.len();
            out.push(0);
        } else {
            out.push(byte);
            if out.len() - mark == 255 {
                out[mark] = 255;
                mark = out.len();
                out.push(0);
            }
        }
    }
    out[mark] = (out.len() - mark) as u8;
    out
}

fn uncobs(frame: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut frame = frame.iter();
    while let Some(&code) = frame.next() {
        for _ in 1..code {
            out.push(*frame.next()?);
        }
        if code < 255 && !frame.as_slice().is_empty() {
            out.push(0);
        }
    }
    Some(out)
}

/// The most that a host says at once.
const LONGEST: usize = 600;

/// What has come from the host and is not complete.
#[derive(Debug, Clone, Default)]
pub(super) struct Ear {
    buffer: Vec<u8>,
}

impl Ear {
    /// Takes bytes and answers what they complete. The clock has one language and hears no other.
    pub(super) fn hear(&mut self, bytes: &[u8], talk: Talk) -> Vec<Heard> {
        let end = match talk {
            Talk::Cobs => 0,
            Talk::Json { .. } => b'\n',
        };
        let mut heard = Vec::new();
        for &byte in bytes {
            if byte == end {
                let said = std::mem::take(&mut self.buffer);
                heard.extend(match talk {
                    Talk::Cobs => frame(&said),
                    Talk::Json { .. } => line(&said),
                });
            } else if self.buffer.len() < LONGEST {
                self.buffer.push(byte);
            }
        }
        heard
    }
}

fn frame(frame: &[u8]) -> Option<Heard> {
    let plain = uncobs(frame)?;
    let (body, sum) = plain.split_at(plain.len().checked_sub(2)?);
    if check(body).to_le_bytes() != *sum {
        return None;
    }
    match body {
        [4, settings @ ..] => Some(Heard::Settings(settings.to_vec())),
        [5, op, tag, params @ ..] => Some(Heard::Command(Asked {
            op: *op,
            tag: *tag,
            params: params.to_vec(),
        })),
        _ => None,
    }
}

fn line(text: &[u8]) -> Option<Heard> {
    let text = std::str::from_utf8(text).ok()?.trim();
    let object = match text.rsplit_once('*') {
        Some((object, sum)) if sum.len() == 4 => {
            let sum = u16::from_str_radix(sum, 16).ok()?;
            (sum == check(object.as_bytes())).then_some(object)?
        }
        _ => text,
    };
    let said: Value = serde_json::from_str(object).ok()?;
    if said["k"] != "cmd" {
        return None;
    }
    let op = OPS.iter().position(|name| said["op"] == *name)? as u8;
    let number = |key: &str| said[key].as_i64().unwrap_or_default();
    let side = |key: &str| match said[key].as_str() {
        Some("l") => 1,
        Some("r") => 2,
        Some("b") => 3,
        _ => 0_u8,
    };
    let mut params = Vec::new();
    match OPS[usize::from(op)] {
        "replay" => params.extend((number("from") as u16).to_le_bytes()),
        "set_times" => {
            params.extend((number("l") as i32).to_le_bytes());
            params.extend((number("r") as i32).to_le_bytes());
            params.push(side("run"));
            let only_if = said["if"].as_u64().unwrap_or(0xffff) as u16;
            params.extend(only_if.to_le_bytes());
        }
        "add_time" => {
            params.push(side("side"));
            params.extend((number("ms") as i32).to_le_bytes());
            params.push(match said["why"].as_str() {
                Some("penalty") => 1,
                Some("compensation") => 2,
                _ => 3,
            });
        }
        "resume" => params.push(side("side")),
        "set_moves" => {
            params.push(side("side"));
            params.extend((number("m") as u16).to_le_bytes());
        }
        "acknowledge" => params.extend((number("e") as u16).to_le_bytes()),
        "display" => params.extend(said["text"].as_str().unwrap_or_default().bytes()),
        _ => {}
    }
    Some(Heard::Command(Asked {
        op,
        tag: number("tag") as u8,
        params,
    }))
}

/// `l`, `r`, `b` or `-`.
pub(super) fn letter(sides: u8) -> Value {
    json!(["-", "l", "r", "b"][usize::from(sides & 3)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_and_stuffing() {
        assert_eq!(check(b"123456789"), 0x29b1);
        for plain in [vec![0, 1, 0], vec![], vec![7; 300], vec![0; 4]] {
            let stuffed = cobs(&plain);
            assert!(!stuffed.contains(&0));
            assert_eq!(uncobs(&stuffed), Some(plain));
        }
    }
}
