//! `flagfall decode`: bytes of a device as JSON lines, one a message.

use std::{
    fs,
    io::{self, BufWriter, Read, Write},
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap::ValueEnum;
use flagfall_core::{
    protocol::dgt::{
        bus,
        frame::{Dialect, Parser},
        json::{commands_json, frame_json, hex, stream_json},
        message::Message,
    },
    types::Mono,
};
use serde_json::Value;
use thiserror::Error;

/// Families whose bytes can be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Family {
    /// DGT boards and the clocks behind them
    Dgt,
}

/// Who sent the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Source {
    /// The board
    #[value(name = "from-board")]
    Board,
    /// The host
    #[value(name = "from-host")]
    Host,
}

/// Arguments of `flagfall decode`.
#[derive(Debug, clap::Args)]
pub struct DecodeArgs {
    /// The family of the device
    pub family: Family,
    /// The file to read; - or nothing for standard input
    #[arg(conflicts_with = "bytes")]
    pub file: Option<PathBuf>,
    /// The bytes themselves, in hex
    #[arg(long, value_name = "HEX")]
    pub bytes: Option<String>,
    /// Who sent the bytes
    #[arg(long, value_enum, default_value = "from-board")]
    pub direction: Source,
    /// The input is hex, whatever it looks like
    #[arg(long, conflicts_with = "raw")]
    pub hex: bool,
    /// The input is raw bytes, whatever it looks like
    #[arg(long, conflicts_with = "bytes")]
    pub raw: bool,
    /// The board speaks bus mode (else seen from the bytes)
    #[arg(long)]
    pub bus: bool,
    /// Print one object with all messages and what is left over
    #[arg(long)]
    pub stream: bool,
}

/// Hex that cannot be read.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{token:?} (word {position}) is no hex")]
pub struct HexError {
    /// The word.
    pub token: String,
    /// From 1.
    pub position: usize,
}

/// Reads hex: bytes apart or together, with or without `0x`, between blanks, commas and line ends.
pub fn parse_hex(text: &str) -> Result<Vec<u8>, HexError> {
    let mut bytes = Vec::new();
    let words = text
        .split(|c: char| c.is_whitespace() || c == ',')
        .filter(|word| !word.is_empty());
    for (position, word) in (1..).zip(words) {
        let error = || HexError {
            token: word.chars().take(20).collect(),
            position,
        };
        let digits = word
            .strip_prefix("0x")
            .or(word.strip_prefix("0X"))
            .unwrap_or(word);
        let values: Option<Vec<u8>> = digits
            .chars()
            .map(|c| c.to_digit(16).map(|digit| digit as u8))
            .collect();
        match values.ok_or_else(error)?.as_slice() {
            [] => return Err(error()),
            [digit] => bytes.push(*digit),
            digits if digits.len() % 2 == 0 => {
                bytes.extend(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]));
            }
            _ => return Err(error()),
        }
    }
    Ok(bytes)
}

/// What was read from some bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// One value a message, or the one of `--stream`.
    pub lines: Vec<Value>,
    /// What an operator should know: dropped bytes, an unfinished rest.
    pub remarks: Vec<String>,
}

/// Decodes bytes of a board.
pub fn from_board(bytes: &[u8], bus: bool, stream: bool) -> Decoded {
    let dialect = if bus || looks_like_bus(bytes) {
        Dialect::Bus
    } else {
        Dialect::Single
    };
    let mut parser = Parser::new(dialect);
    let mut lines = Vec::new();
    parser.feed(Mono::ZERO, bytes, |frame| {
        lines.push(frame_json(frame, dialect));
    });
    if stream {
        lines = vec![stream_json(bytes, dialect)];
    }
    let mut remarks = Vec::new();
    let counters = parser.counters();
    if counters.bytes_dropped > 0 {
        remarks.push(format!(
            "{} bytes belong to no message ({} frames cut short)",
            counters.bytes_dropped, counters.unfinished
        ));
    }
    remarks.extend(unfinished(parser.held()));
    Decoded { lines, remarks }
}

/// Decodes bytes of a host.
pub fn from_host(bytes: &[u8]) -> Decoded {
    let (lines, rest) = commands_json(bytes);
    Decoded {
        lines,
        remarks: unfinished(rest).into_iter().collect(),
    }
}

fn unfinished(rest: &[u8]) -> Option<String> {
    (!rest.is_empty()).then(|| format!("unfinished at the end: {}", hex(rest)))
}

/// Ids that single mode does not have, and frames of known bus ids without a byte left over.
fn looks_like_bus(bytes: &[u8]) -> bool {
    let mut strange = false;
    let mut single = Parser::new(Dialect::Single);
    single.feed(Mono::ZERO, bytes, |frame| {
        strange |= !matches!(Message::decode(frame), Ok(message)
            if !matches!(message, Message::Unknown { .. }));
    });
    if !strange && single.counters().bytes_dropped == 0 {
        return false;
    }
    let (mut frames, mut known) = (0, true);
    let mut parser = Parser::new(Dialect::Bus);
    parser.feed(Mono::ZERO, bytes, |frame| {
        frames += 1;
        known &= bus::reply_name(frame.id()).is_some();
    });
    frames > 0 && known && parser.counters().bytes_dropped == 0
}

/// Runs the command.
pub fn run(args: &DecodeArgs) -> anyhow::Result<()> {
    let Family::Dgt = args.family;
    let bytes = match &args.bytes {
        Some(text) => parse_hex(text)?,
        None => bytes_of(&read(args.file.as_deref())?, args)?,
    };
    let decoded = match args.direction {
        Source::Board => from_board(&bytes, args.bus, args.stream),
        Source::Host => from_host(&bytes),
    };
    match print(&decoded) {
        // Whoever reads has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("cannot write"),
    }
}

fn read(file: Option<&Path>) -> anyhow::Result<Vec<u8>> {
    match file {
        Some(path) if path != Path::new("-") => {
            fs::read(path).with_context(|| format!("cannot read {}", path.display()))
        }
        _ => {
            let mut input = Vec::new();
            io::stdin()
                .lock()
                .read_to_end(&mut input)
                .context("cannot read standard input")?;
            Ok(input)
        }
    }
}

/// Hex is text of nothing but hex words; everything else is raw.
fn bytes_of(input: &[u8], args: &DecodeArgs) -> Result<Vec<u8>, HexError> {
    let text = std::str::from_utf8(input).ok().filter(|_| !args.raw);
    match text.map(parse_hex) {
        Some(Ok(bytes)) => Ok(bytes),
        Some(Err(error)) if args.hex => Err(error),
        None if args.hex => parse_hex(&String::from_utf8_lossy(input)),
        _ => Ok(input.to_vec()),
    }
}

fn print(decoded: &Decoded) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for line in &decoded.lines {
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    let mut error = io::stderr().lock();
    for remark in &decoded.remarks {
        writeln!(error, "flagfall: {remark}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_in_many_forms() {
        for text in ["8e 00 05", "8e0005", "0x8e,0x00, 0x5", "8E\n00\t05\n"] {
            assert_eq!(parse_hex(text), Ok(vec![0x8e, 0, 5]), "{text}");
        }
        let error = parse_hex("8e 0g").unwrap_err();
        assert_eq!(error.to_string(), "\"0g\" (word 2) is no hex");
        assert!(parse_hex("8e0").is_err());
        assert!(parse_hex("0x").is_err());
    }

    #[test]
    fn tells_what_is_left() {
        let decoded = from_board(&[0x12, 0x8e, 0, 5, 0x34, 0, 0x8e, 0], false, false);
        assert_eq!(decoded.lines.len(), 1);
        assert_eq!(decoded.remarks.len(), 2);
        assert_eq!(decoded.remarks[1], "unfinished at the end: 8e 00");
        assert_eq!(
            from_host(&[0x40, 0x2b, 3]).remarks,
            ["unfinished at the end: 2b 03"]
        );
    }
}
