//! The files that `flagfall track` reads: recordings, JSON lines, hex with or without times, raw bytes.

use anyhow::Context as _;
use flagfall_core::types::Mono;
use jiff::Timestamp;
use serde_json::Value;

use crate::{
    decode::{FamilyName, parse_hex},
    record::{Direction, Recording},
};

/// Bytes that came together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// When; `None` when the file does not say.
    pub at: Option<Mono>,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// The bytes of one board.
#[derive(Debug, Default)]
pub struct Input {
    /// What it is called in its file.
    pub name: Option<String>,
    /// The family that the file names.
    pub family: Option<FamilyName>,
    /// When it began.
    pub started: Option<Timestamp>,
    /// FEN of the position before it, when the file has one.
    pub start: Option<String>,
    /// Whether the file says that the board stands turned.
    pub turned: Option<bool>,
    /// What came from the board, in order.
    pub reads: Vec<Read>,
    /// The times of single messages, when the file has those.
    pub message_times: Vec<Mono>,
    /// The whole recording, for families with a conversation of their own.
    pub recording: Option<Recording>,
}

impl Input {
    /// Bytes without times.
    pub fn raw(bytes: Vec<u8>) -> Self {
        Self {
            reads: vec![Read { at: None, bytes }],
            ..Self::default()
        }
    }
}

/// Whether lines of hex begin with a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Times {
    /// As it looks
    #[default]
    Auto,
    /// Each line begins with milliseconds
    Yes,
    /// Lines are nothing but hex
    No,
}

/// Reads a file. A file of golden vectors has several boards.
///
/// # Errors
/// The file is of no form that is known, or a line of it cannot be read.
pub fn read(content: &[u8], times: Times) -> anyhow::Result<Vec<Input>> {
    if content.starts_with(b"{\"flagfall_recording\"") {
        return Ok(vec![recording(Recording::read(content)?)]);
    }
    let text = match std::str::from_utf8(content) {
        Ok(text) if !text.trim().is_empty() => text,
        // Nothing, or raw bytes.
        _ => return Ok(vec![Input::raw(content.to_vec())]),
    };
    if text.trim_start().starts_with(['{', '[']) {
        return json(text);
    }
    match hex(text, times) {
        Ok(input) => Ok(vec![input]),
        Err(error) if times != Times::Auto => Err(error),
        Err(error) if mostly_hex(text) => Err(error.context(
            "this looks like lines of hex; where times fall say --times yes, and --raw if it \
                 is none",
        )),
        // Some boards speak in text.
        Err(_) => Ok(vec![Input::raw(content.to_vec())]),
    }
}

fn recording(recording: Recording) -> Input {
    let from_board = recording
        .entries
        .iter()
        .filter(|entry| entry.direction == Direction::Rx);
    Input {
        family: FamilyName::named(&recording.header.family),
        started: Some(recording.header.started),
        reads: from_board
            .map(|entry| Read {
                at: Some(entry.at),
                bytes: entry.bytes.clone(),
            })
            .collect(),
        recording: Some(recording),
        ..Input::default()
    }
}

/// One object, a list of objects, or an object a line.
fn json(text: &str) -> anyhow::Result<Vec<Input>> {
    let whole: Option<Vec<Value>> = match serde_json::from_str(text) {
        Ok(Value::Array(list)) => Some(list),
        Ok(object) => Some(vec![object]),
        Err(_) => None,
    };
    let lines = || {
        (1..)
            .zip(text.lines())
            .filter(|(_, line)| !line.trim().is_empty())
            .map(|(number, line)| {
                serde_json::from_str(line).with_context(|| format!("line {number} is no JSON"))
            })
            .collect::<anyhow::Result<Vec<Value>>>()
    };
    let objects = match whole {
        Some(objects) => objects,
        None => lines()?,
    };
    let is_vector = |object: &Value| object.get("decoded").is_some();
    if objects.iter().any(is_vector) {
        return objects
            .iter()
            .filter(|object| of_board(object))
            .map(vector)
            .collect();
    }
    let mut input = Input::default();
    for (number, object) in (1..).zip(&objects).filter(|(_, object)| of_board(object)) {
        let read = entry(object).with_context(|| format!("entry {number}"))?;
        input.reads.extend(read);
    }
    anyhow::ensure!(
        objects.is_empty() || !input.reads.is_empty(),
        "no entry has bytes of a board: they are looked for under \"hex\" or \"bytes_hex\""
    );
    Ok(vec![input])
}

/// Everything is of the board that is not said to be of the host.
fn of_board(object: &Value) -> bool {
    let said = object.get("dir").or_else(|| object.get("direction"));
    !matches!(
        said.and_then(Value::as_str),
        Some("tx" | "host->board" | "open" | "closed")
    )
}

fn bytes_of(object: &Value) -> anyhow::Result<Option<Vec<u8>>> {
    let hex = object.get("hex").or_else(|| object.get("bytes_hex"));
    let Some(hex) = hex.and_then(Value::as_str) else {
        return Ok(None);
    };
    Ok(Some(parse_hex(hex)?))
}

/// A line of a log: an entry without bytes tells nothing of the board.
fn entry(object: &Value) -> anyhow::Result<Option<Read>> {
    let Some(bytes) = bytes_of(object)? else {
        return Ok(None);
    };
    let ms = object["t_ms"].as_u64();
    let seconds = object["t_s"].as_f64().filter(|seconds| *seconds >= 0.0);
    let ms = ms.or(seconds.map(|seconds| (seconds * 1000.0).round() as u64));
    Ok(Some(Read {
        at: ms.map(Mono::from_millis),
        bytes,
    }))
}

/// A golden vector: bytes, perhaps as they were split, with what must come of them.
fn vector(object: &Value) -> anyhow::Result<Input> {
    let name = object["name"].as_str().unwrap_or("a vector").to_owned();
    let whole = bytes_of(object).with_context(|| name.clone())?;
    let chunks = object["chunks_hex"].as_array();
    let chunks = chunks.map(|chunks| {
        let texts = chunks
            .iter()
            .map(|chunk| chunk.as_str().unwrap_or_default());
        texts.map(parse_hex).collect::<Result<Vec<_>, _>>()
    });
    let chunks = match chunks.transpose().with_context(|| name.clone())? {
        Some(chunks) => chunks,
        None => vec![whole.with_context(|| format!("{name} has no bytes"))?],
    };
    let decoded = &object["decoded"];
    let start = decoded["initial_fen"]
        .as_str()
        .or(decoded["start_fen"].as_str());
    let updates = decoded["updates"].as_array().map(Vec::as_slice);
    let message_times: Option<Vec<_>> = updates
        .unwrap_or_default()
        .iter()
        .map(|update| update["t_ms"].as_u64().map(Mono::from_millis))
        .collect();
    Ok(Input {
        name: Some(name),
        start: start.map(ToOwned::to_owned),
        turned: decoded
            .get("orientation")
            .map(|how| how == "white_at_index_0"),
        reads: chunks
            .into_iter()
            .map(|bytes| Read { at: None, bytes })
            .collect(),
        message_times: message_times.unwrap_or_default(),
        ..Input::default()
    })
}

/// Lines of hex, with or without milliseconds before it; `#` begins a remark.
fn hex(text: &str, times: Times) -> anyhow::Result<Input> {
    let lines: Vec<(usize, &str)> = (1..)
        .zip(text.lines())
        .map(|(number, line)| (number, line.split('#').next().unwrap_or_default().trim()))
        .filter(|(_, line)| !line.is_empty())
        .collect();
    let timed = match times {
        Times::Yes => true,
        Times::No => false,
        Times::Auto => look_timed(&lines),
    };
    let mut input = Input::default();
    for (number, line) in lines {
        let (at, hex) = match split_time(line) {
            Some((ms, hex)) if timed => (Some(Mono::from_millis(ms)), hex),
            _ if timed => anyhow::bail!("line {number} does not begin with a time"),
            _ => (None, line),
        };
        let bytes = parse_hex(hex).with_context(|| format!("line {number}"))?;
        input.reads.push(Read { at, bytes });
    }
    Ok(input)
}

/// Whether most lines can be read: then the others are mistakes rather than a board's own text.
fn mostly_hex(text: &str) -> bool {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let (good, bad): (Vec<_>, Vec<_>) = lines.partition(|line| {
        let line = line.split('#').next().unwrap_or_default().trim();
        let hex = split_time(line).map_or(line, |(_, hex)| hex);
        parse_hex(line).is_ok() || parse_hex(hex).is_ok()
    });
    good.len() > 2 * bad.len()
}

/// The time in front of a line, and the rest.
fn split_time(line: &str) -> Option<(u64, &str)> {
    let (time, hex) = line.split_once(|c: char| c.is_whitespace() || ",;:".contains(c))?;
    Some((time.parse().ok()?, hex.trim_start_matches([',', ';', ':'])))
}

/// Whether the first words are times: they never decrease, and not all of them could be bytes.
fn look_timed(lines: &[(usize, &str)]) -> bool {
    let firsts: Option<Vec<(u64, bool)>> = lines
        .iter()
        .map(|(_, line)| {
            let (ms, _) = split_time(line)?;
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            Some((ms, digits == 2))
        })
        .collect();
    firsts.is_some_and(|firsts| {
        firsts.is_sorted_by_key(|(ms, _)| *ms) && !firsts.iter().all(|(_, byte)| *byte)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Input {
        let mut inputs = read(text.as_bytes(), Times::Auto).unwrap();
        assert_eq!(inputs.len(), 1);
        inputs.remove(0)
    }

    fn times(input: &Input) -> Vec<Option<u128>> {
        let at = |read: &Read| read.at.map(|at| at.0.as_millis());
        input.reads.iter().map(at).collect()
    }

    #[test]
    fn hex_with_and_without_times() {
        let timed = one("# a board\n0 8e 00 05 34 00\n150 8e00052401 # down\n");
        assert_eq!(times(&timed), [Some(0), Some(150)]);
        assert_eq!(timed.reads[1].bytes, [0x8e, 0, 5, 0x24, 1]);
        for marked in ["100: 8e\n200: 00\n", "100,8e\n200,00\n"] {
            assert_eq!(times(&one(marked)), [Some(100), Some(200)], "{marked}");
        }
        for plain in ["30 23 65 32 75 2a", "8e 00 05\n34 00", "10 8e\n20 00"] {
            assert!(times(&one(plain)).iter().all(Option::is_none), "{plain}");
        }
        let forced = read(b"10 8e\n20 00", Times::Yes).unwrap();
        assert_eq!(times(&forced[0]), [Some(10), Some(20)]);
        assert!(read(b"8e 00", Times::Yes).is_err());
    }

    #[test]
    fn raw_bytes_and_text_of_boards_are_taken_as_they_are() {
        for raw in [&b"\x8e\x00\x05"[..], b":255 255 0 0 0 0 255 255 \r\n"] {
            let inputs = read(raw, Times::Auto).unwrap();
            assert_eq!(inputs[0].reads[0].bytes, raw);
        }
    }

    #[test]
    fn a_slip_in_a_file_of_hex_is_told_with_its_line() {
        let text = "0 8e 00 05 34 00\n150 8e 00 05 24 O1\n300 8e 00 05 34 00\n450 8e 00 05 1c 01\n";
        let error = read(text.as_bytes(), Times::Auto).unwrap_err();
        let words = format!("{error:#}");
        assert!(
            words.contains("line 2") && words.contains("--raw"),
            "{words}"
        );
        // A board's own words are no slips.
        assert!(read(b"move e2e4\nmove e7e5\nsync 8/8\n", Times::Auto).is_ok());
    }

    #[test]
    fn json_lines_and_vectors() {
        let lines = one(
            "{\"t_s\": 0.5, \"dir\": \"board->host\", \"bytes_hex\": \"8e 00\"}\n\
             {\"t_s\": 0.6, \"dir\": \"host->board\", \"bytes_hex\": \"42\"}\n\
             {\"t_s\": 0.7, \"dir\": \"board->host\", \"msg\": \"no bytes\"}\n",
        );
        assert_eq!(times(&lines), [Some(500)]);
        let vector = one(
            "[{\"name\": \"v\", \"bytes_hex\": \"01 02\", \"chunks_hex\": [\"01\", \"02\"], \
             \"decoded\": {\"initial_fen\": \"x\", \"updates\": [{\"t_ms\": 7}]}}]",
        );
        assert_eq!(
            (vector.reads.len(), vector.start.as_deref()),
            (2, Some("x"))
        );
        assert_eq!(vector.message_times, [Mono::from_millis(7)]);
    }
}
