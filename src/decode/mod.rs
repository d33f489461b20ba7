//! `flagfall decode`: bytes of a device as JSON lines, one a message.

use std::{
    fs::File,
    io::{self, BufWriter, Read, Write},
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap::ValueEnum;
use flagfall_core::{
    protocol::{
        dgt::{
            bus,
            frame::{Dialect, Parser},
            json::{commands_json, frame_json, hex, stream_json},
            message::Message,
        },
        families::Beforehand,
    },
    types::Mono,
};
use serde_json::Value;
use thiserror::Error;

pub mod boards;
mod family;

use self::boards::BoardReader;
pub use self::family::FamilyName;

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
    #[arg(value_parser = FamilyName::parser())]
    pub family: FamilyName,
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
    /// The board speaks bus mode (else seen from the bytes); DGT only
    #[arg(long)]
    pub bus: bool,
    /// Which tag is which man, for boards that read tags (certabo): the `code_table` that decode prints
    /// for the position of calibration, as a JSON file
    #[arg(long, value_name = "FILE")]
    pub calibration: Option<PathBuf>,
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

impl Decoded {
    fn only(remarks: Vec<String>) -> Self {
        Self {
            lines: Vec::new(),
            remarks,
        }
    }
}

/// Decodes bytes of a DGT board.
pub fn from_board(bytes: &[u8], bus: bool, stream: bool) -> Decoded {
    let dialect = dialect(bytes, bus);
    let mut parser = Parser::new(dialect);
    let mut lines = Vec::new();
    parser.feed(Mono::ZERO, bytes, |frame| {
        lines.push(frame_json(frame, dialect));
    });
    if stream {
        lines = vec![stream_json(bytes, dialect)];
    }
    Decoded {
        lines,
        remarks: remarks(&parser),
    }
}

fn dialect(bytes: &[u8], bus: bool) -> Dialect {
    if bus || looks_like_bus(bytes) {
        Dialect::Bus
    } else {
        Dialect::Single
    }
}

fn remarks(parser: &Parser) -> Vec<String> {
    let mut remarks = Vec::new();
    let counters = parser.counters();
    if counters.bytes_dropped > 0 {
        remarks.push(format!(
            "{} bytes belong to no message ({} frames cut short)",
            counters.bytes_dropped, counters.unfinished
        ));
    }
    remarks.extend(unfinished(parser.held()));
    remarks
}

/// Decodes bytes of a host of DGT boards.
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

/// Input up to here is read whole; the beginning of a longer one tells its form.
const PIECE: usize = 64 << 10;
/// How a recording begins.
const RECORDING: &[u8] = b"{\"flagfall_recording\"";
/// What `--stream` makes one object of.
const STREAM_MAX: usize = 16 << 20;

/// Runs the command.
pub fn run(args: &DecodeArgs) -> anyhow::Result<()> {
    let beforehand = boards::beforehand(args.calibration.as_deref())?;
    if let Some(text) = &args.bytes {
        return quiet(print(&decode(&parse_hex(text)?, args, &beforehand)));
    }
    let mut input = open(args.file.as_deref())?;
    let most = if args.stream { STREAM_MAX } else { PIECE };
    let head = piece(&mut input, most)?;
    if !args.raw && head.starts_with(RECORDING) {
        let file = args.file.as_deref().unwrap_or(Path::new("FILE"));
        anyhow::bail!(
            "this is a recording of `flagfall record`: use `flagfall replay {0}` for what its driver \
             makes of it, or `flagfall track {0}` for the game",
            file.display()
        );
    }
    if head.len() < most {
        return quiet(print(&decode(&bytes_of(&head, args)?, args, &beforehand)));
    }
    anyhow::ensure!(
        !args.stream,
        "the input is longer than --stream can take, 16 MiB"
    );
    long(&head, input, args, &beforehand)
}

fn decode(bytes: &[u8], args: &DecodeArgs, beforehand: &Beforehand) -> Decoded {
    match (args.family, args.direction) {
        (FamilyName::Dgt, Source::Board) => from_board(bytes, args.bus, args.stream),
        (FamilyName::Dgt, Source::Host) => from_host(bytes),
        (FamilyName::Board(family), Source::Board) => {
            boards::from_board(family, bytes, beforehand, args.stream)
        }
        (FamilyName::Board(family), Source::Host) => boards::from_host(family, bytes, args.stream),
    }
}

/// Whoever reads may have seen enough.
fn quiet(printed: io::Result<()>) -> anyhow::Result<()> {
    match printed {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("cannot write"),
    }
}

fn open(file: Option<&Path>) -> anyhow::Result<Box<dyn Read>> {
    Ok(match file {
        Some(path) if path != Path::new("-") => {
            let file = File::open(path);
            Box::new(file.with_context(|| format!("cannot read {}", path.display()))?)
        }
        _ => Box::new(io::stdin().lock()),
    })
}

fn piece(input: &mut impl Read, most: usize) -> anyhow::Result<Vec<u8>> {
    let mut piece = Vec::new();
    input
        .take(most as u64)
        .read_to_end(&mut piece)
        .context("cannot read the input")?;
    Ok(piece)
}

/// Decodes an input of any length piece by piece.
fn long(
    head: &[u8],
    mut input: impl Read,
    args: &DecodeArgs,
    beforehand: &Beforehand,
) -> anyhow::Result<()> {
    let mut words = Words::default();
    let reads_as_hex = || {
        let bytes = Words::default().take(head);
        bytes.is_ok_and(|bytes| !bytes.is_empty())
    };
    let is_hex = !args.raw && (args.hex || reads_as_hex());
    let mut board = None;
    let mut other = match args.family {
        FamilyName::Dgt => None,
        FamilyName::Board(family) => Some(BoardReader::new(family, beforehand)),
    };
    let mut host = Vec::new();
    let mut piece_now = head.to_vec();
    let mut out = BufWriter::new(io::stdout().lock());
    while !piece_now.is_empty() {
        let bytes = if is_hex {
            words.take(&piece_now)?
        } else {
            piece_now
        };
        let mut lines = Vec::new();
        match (args.direction, &mut other) {
            (Source::Board, Some(reader)) => lines = reader.take(&bytes),
            (Source::Host, Some(_)) => {
                host.extend_from_slice(&bytes);
                anyhow::ensure!(
                    host.len() <= STREAM_MAX,
                    "the input is longer than commands of a host can be, 16 MiB"
                );
            }
            (Source::Board, None) => {
                let (parser, dialect) = board.get_or_insert_with(|| {
                    let dialect = dialect(&bytes, args.bus);
                    (Parser::new(dialect), dialect)
                });
                parser.feed(Mono::ZERO, &bytes, |frame| {
                    lines.push(frame_json(frame, *dialect));
                });
            }
            (Source::Host, None) => {
                host.extend_from_slice(&bytes);
                let (commands, rest) = commands_json(&host);
                lines = commands;
                host = rest.to_vec();
            }
        }
        if let Err(error) = print_lines(&mut out, &lines) {
            return quiet(Err(error));
        }
        piece_now = piece(&mut input, PIECE)?;
        if piece_now.is_empty() && is_hex {
            // The last word has no blank behind it.
            piece_now = words.last();
        }
    }
    let last = match (args.family, args.direction, other, &board) {
        (_, Source::Board, Some(reader), _) => reader.end(),
        (FamilyName::Board(family), Source::Host, ..) => boards::from_host(family, &host, false),
        (.., Some((parser, _))) => Decoded::only(remarks(parser)),
        _ => Decoded::only(unfinished(&host).into_iter().collect()),
    };
    quiet(
        print_lines(&mut out, &last.lines)
            .and_then(|()| out.flush())
            .and_then(|()| print_remarks(&last.remarks)),
    )
}

fn print_lines(out: &mut impl Write, lines: &[Value]) -> io::Result<()> {
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))
}

/// Hex words out of pieces that may cut a word in two.
#[derive(Default)]
struct Words {
    cut: Vec<u8>,
    before: usize,
}

impl Words {
    fn take(&mut self, piece: &[u8]) -> Result<Vec<u8>, HexError> {
        let mut text = std::mem::take(&mut self.cut);
        text.extend_from_slice(piece);
        let end = text
            .iter()
            .rposition(|byte| byte.is_ascii_whitespace() || *byte == b',')
            .map_or(0, |at| at + 1);
        self.cut = text.split_off(end);
        let error = |token: &[u8]| HexError {
            token: String::from_utf8_lossy(token).chars().take(20).collect(),
            position: self.before + 1,
        };
        // No word of hex is as long as that; and it must not fill the memory.
        if self.cut.len() > PIECE {
            return Err(error(&self.cut));
        }
        let text = std::str::from_utf8(&text).map_err(|_| error(&text))?;
        let bytes = parse_hex(text).map_err(|error| HexError {
            position: error.position + self.before,
            ..error
        })?;
        self.before += (text.split(|c: char| c.is_whitespace() || c == ','))
            .filter(|word| !word.is_empty())
            .count();
        Ok(bytes)
    }

    /// What was cut off by the end, closed with a blank.
    fn last(&mut self) -> Vec<u8> {
        let mut word = std::mem::take(&mut self.cut);
        if !word.is_empty() {
            word.push(b' ');
        }
        word
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
    print_lines(&mut out, &decoded.lines)?;
    out.flush()?;
    print_remarks(&decoded.remarks)
}

fn print_remarks(remarks: &[String]) -> io::Result<()> {
    let mut error = io::stderr().lock();
    for remark in remarks {
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
    fn words_survive_being_cut() {
        let mut words = Words::default();
        let mut bytes = Vec::new();
        for piece in ["8e 0", "0 05,3", "4 0x0", "0"] {
            bytes.extend(words.take(piece.as_bytes()).unwrap());
        }
        let last = words.last();
        bytes.extend(words.take(&last).unwrap());
        assert_eq!(bytes, [0x8e, 0, 5, 0x34, 0]);
        let error = words.take(b"00 0g ").unwrap_err();
        assert_eq!(error.to_string(), "\"0g\" (word 7) is no hex");
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
