//! Raw recordings of ports: written in a hall, played back through the same conversation.
//!
//! A recording is JSON lines: a header, then one line for each piece of bytes with its time in
//! milliseconds since the start (`t_ms`), its direction and the bytes in hex.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::Context as _;
use flagfall_core::{
    protocol::{
        ClockReading, Link, Observation, Recalled, SquareChange,
        dgt::{self, json::hex},
        registry::{Habits, Kind},
    },
    types::{Mono, Now, Piece},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use thiserror::Error;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::{
    decode::parse_hex,
    exit::Failure,
    link::{
        LinkEvent, PortName, StatusBoard,
        families::one_kind,
        port::{Address, OpenError},
        supervise::{LinkContext, PartCommand, serve_recorded},
    },
    time::HubClock,
};

/// The form of recordings that this version writes and reads.
const VERSION: u32 = 1;

/// The first line of a recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The form of the file.
    pub flagfall_recording: u32,
    /// Where it was recorded.
    pub port: PortName,
    /// The family of the device, e.g. `dgt-board`.
    pub family: String,
    /// When it began, UTC.
    pub started: jiff::Timestamp,
}

/// What a line of a recording is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// From the device.
    Rx,
    /// To the device.
    Tx,
    /// The port was opened.
    Open,
    /// The port was closed or went away.
    Closed,
}

/// One line of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Time since the start.
    pub at: Mono,
    /// What it is about.
    pub direction: Direction,
    /// The bytes.
    pub bytes: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    t_ms: u64,
    dir: Direction,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    hex: String,
}

/// Writes a recording.
#[derive(Debug)]
pub struct Recorder {
    file: File,
    start: Mono,
}

impl Recorder {
    /// Starts a recording in a file, which must not hold anything yet.
    pub fn create(path: &Path, port: &PortName, family: &str, now: Now) -> io::Result<Self> {
        let mut file = File::create_new(path)?;
        let header = Header {
            flagfall_recording: VERSION,
            port: port.clone(),
            family: family.to_owned(),
            started: now.utc,
        };
        write_line(&mut file, &header)?;
        Ok(Self {
            file,
            start: now.mono,
        })
    }

    /// Starts a recording in a directory, in a file named by port and time.
    pub fn create_in(dir: &Path, port: &PortName, family: &str, now: Now) -> io::Result<Self> {
        std::fs::create_dir_all(dir)?;
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let port_part: String = port.0.chars().map(plain).collect();
        let time = now.utc.strftime("%Y%m%dT%H%M%S%.3fZ");
        let name = format!("{}-{time}.jsonl", port_part.trim_matches('-'));
        Self::create(&dir.join(name), port, family, now)
    }

    /// Appends a line. The line is with the system when this returns, so a crash of the hub does
    /// not lose it.
    pub fn write(&mut self, at: Mono, direction: Direction, bytes: &[u8]) -> io::Result<()> {
        let line = Line {
            t_ms: u64::try_from(at.since(self.start).as_millis()).unwrap_or(u64::MAX),
            dir: direction,
            hex: hex(bytes),
        };
        write_line(&mut self.file, &line)
    }
}

fn write_line(file: &mut File, value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    file.write_all(&line)
}

/// A recording read back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The first line.
    pub header: Header,
    /// All others.
    pub entries: Vec<Entry>,
}

/// Why a recording cannot be read.
#[derive(Debug, Error)]
pub enum RecordingError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The first line is no header.
    #[error("this is no recording: `flagfall record` writes them, with a first line that says so")]
    Header,
    /// The file is of a form that we do not know.
    #[error("form {0} of the recording is not known here")]
    Version(u32),
    /// A line cannot be read.
    #[error("line {line}: {reason}")]
    Line {
        /// From 1.
        line: usize,
        /// Why.
        reason: String,
    },
}

impl Recording {
    /// Reads a file.
    pub fn open(path: &Path) -> Result<Self, RecordingError> {
        Self::read(BufReader::new(File::open(path)?))
    }

    /// Reads a recording. A last line that was cut (power failure) is left out.
    pub fn read(reader: impl BufRead) -> Result<Self, RecordingError> {
        let mut lines = reader.lines();
        let first = lines.next().transpose()?.unwrap_or_default();
        let header: Header = serde_json::from_str(&first).map_err(|_| RecordingError::Header)?;
        if header.flagfall_recording != VERSION {
            return Err(RecordingError::Version(header.flagfall_recording));
        }
        let mut entries = Vec::new();
        let mut bad = None;
        for (number, line) in (2..).zip(lines) {
            if let Some(error) = bad.take() {
                return Err(error);
            }
            match read_line(&line?) {
                Ok(entry) => entries.push(entry),
                Err(reason) => {
                    bad = Some(RecordingError::Line {
                        line: number,
                        reason,
                    });
                }
            }
        }
        Ok(Self { header, entries })
    }

    /// Plays the bytes to a link in their own time. Calls `tell` with each observation and its
    /// time.
    pub fn play(&self, link: &mut dyn Link, mut tell: impl FnMut(Mono, Observation)) {
        let mut drain = |at: Mono, link: &mut dyn Link| {
            // The link writes to nobody: the answers are in the recording.
            while link.poll_transmit().is_some() {}
            while let Some(seen) = link.poll_event() {
                tell(at, seen);
            }
        };
        if self
            .entries
            .first()
            .is_some_and(|entry| entry.direction != Direction::Open)
        {
            link.handle_open(Mono::ZERO);
        }
        for entry in &self.entries {
            while let Some(due) = link.poll_timeout().filter(|due| *due <= entry.at) {
                link.handle_timeout(due);
                drain(due, link);
            }
            match entry.direction {
                Direction::Rx => link.handle_bytes(entry.at, &entry.bytes),
                Direction::Tx => {}
                Direction::Open => link.handle_open(entry.at),
                Direction::Closed => link.handle_closed(entry.at),
            }
            drain(entry.at, link);
        }
    }
}

fn read_line(line: &str) -> Result<Entry, String> {
    let line: Line = serde_json::from_str(line).map_err(|error| error.to_string())?;
    Ok(Entry {
        at: Mono::from_millis(line.t_ms),
        direction: line.dir,
        bytes: parse_hex(&line.hex).map_err(|error| error.to_string())?,
    })
}

/// An observation as JSON, for people and scripts.
pub fn observation_json(at: Mono, observation: &Observation) -> Value {
    let mut value = match observation {
        Observation::Found(info) => json!({"ev": "found", "device": info}),
        Observation::Lost(reason) => json!({"ev": "lost", "reason": reason}),
        Observation::Placement { placement, change } => json!({
            "ev": "placement", "fen": placement.to_string(),
            "change": change.map(square_json),
        }),
        Observation::Occupancy { occupied, change } => json!({
            "ev": "occupancy",
            "occupied": occupied.into_iter().map(|square| square.to_string()).collect::<Vec<_>>(),
            "change": change.map(|change| json!({
                "square": change.square.to_string(),
                "present": change.present,
            })),
        }),
        Observation::Recalled { at, what } => match what {
            Recalled::Board { placement, change } => json!({
                "ev": "recalled", "fen": placement.to_string(), "at_ms": millis(*at),
                "change": change.map(square_json),
            }),
            Recalled::Clock(reading) => {
                json!({"ev": "recalled", "clock": reading, "at_ms": millis(*at)})
            }
        },
        Observation::Missed { since } => json!({"ev": "missed", "since_ms": millis(*since)}),
        Observation::Magic(magic) => json!({"ev": "magic", "piece": magic}),
        Observation::Clock(reading) => clock_json(reading),
        Observation::ClockAt { reading, at } => {
            json!({"ev": "clock", "clock": reading, "at_ms": millis(*at)})
        }
        Observation::Called(call) => json!({"ev": "called", "call": call}),
        Observation::ClockGone => json!({"ev": "clock_gone"}),
        Observation::ClockMoves { left, right } => {
            json!({"ev": "clock_moves", "left": left, "right": right})
        }
        Observation::Button(button) => json!({"ev": "button", "button": button}),
        Observation::Battery(battery) => json!({"ev": "battery", "battery": battery}),
        Observation::ClockCommand(outcome) => json!({"ev": "clock_command", "outcome": outcome}),
        Observation::Fault(words) => json!({"ev": "fault", "words": words}),
    };
    value["t_ms"] = json!(millis(at));
    value
}

fn square_json(change: SquareChange) -> Value {
    json!({"square": change.square.to_string(), "piece": change.piece.map(Piece::char)})
}

fn millis(at: Mono) -> u64 {
    u64::try_from(at.0.as_millis()).unwrap_or(u64::MAX)
}

fn clock_json(reading: &ClockReading) -> Value {
    json!({"ev": "clock", "clock": reading})
}

/// Arguments of `flagfall record`.
#[derive(Debug, clap::Args)]
pub struct RecordArgs {
    /// The port: a path or tcp://host:port
    pub port: String,
    /// The kind of device: `flagfall devices --kinds` lists them
    #[arg(long, value_name = "FAMILY", default_value = dgt::BOARD.name, value_parser = kind)]
    pub family: Kind,
    /// The file to write; it must not exist yet
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Stop after this many seconds instead of at Ctrl-C
    #[arg(long, value_name = "N")]
    pub seconds: Option<u64>,
}

/// Arguments of `flagfall replay`.
#[derive(Debug, clap::Args)]
pub struct ReplayArgs {
    /// The recording
    pub file: PathBuf,
    /// How much faster than it happened
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = speed, conflicts_with = "fast")]
    pub speed: f64,
    /// As fast as the machine can
    #[arg(long)]
    pub fast: bool,
}

fn kind(text: &str) -> Result<Kind, String> {
    Kind::named(text)
        .filter(Kind::on_serial)
        .ok_or_else(|| "no device of this name has a serial line".to_owned())
}

fn speed(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(speed) if speed.is_finite() && speed > 0.0 => Ok(speed),
        _ => Err("a number above 0".to_owned()),
    }
}

/// How often it is looked whether the port could be opened.
const LOOK: Duration = Duration::from_millis(100);

/// Records a port; prints what it observes as JSON lines. A port that cannot be opened at all ends it
/// at once, and leaves no file.
///
/// # Errors
/// When the port or the file cannot be had, or the recording is not complete.
pub async fn record(args: RecordArgs) -> Result<(), Failure> {
    let port = PortName(args.port);
    if !Address::of(&port).is_present() {
        return Err(Failure::from(anyhow::anyhow!(
            "there is no port {port}: plug the device in, or look at /dev/serial/by-id for its name"
        )));
    }
    let clock = HubClock::start(1.0);
    let start = clock.now();
    let recorder = Recorder::create(&args.out, &port, args.family.name, start)
        .with_context(|| format!("cannot write {}", args.out.display()))?;
    let (events, mut received) = mpsc::channel::<LinkEvent>(256);
    // Kept: a closed channel would read as a stop of the commands only.
    let (_commands, command_receiver) = mpsc::channel::<PartCommand>(1);
    let status = StatusBoard::default();
    let cancel = CancellationToken::new();
    let context = LinkContext {
        clock: clock.clone(),
        events,
        quiet: None,
        status: status.clone(),
        serial: BTreeMap::new(),
        record_dir: None,
        cancel: cancel.clone(),
    };
    let family = one_kind(args.family, BTreeSet::new(), 1.0)(&port);
    let task = tokio::spawn(serve_recorded(
        port.clone(),
        family,
        command_receiver,
        recorder,
        context,
    ));
    let stop = async {
        match args.seconds {
            Some(seconds) => tokio::time::sleep(Duration::from_secs(seconds)).await,
            // Without a signal handler there is still the kill.
            None => match tokio::signal::ctrl_c().await {
                Ok(()) => {}
                Err(_) => std::future::pending().await,
            },
        }
    };
    tokio::pin!(stop);
    let mut look = tokio::time::interval(LOOK);
    let mut opened = false;
    loop {
        tokio::select! {
            event = received.recv() => match event {
                Some(event) => {
                    opened = true;
                    print_line(&observation_json(event.now.mono, &event.observation))
                        .context("cannot write")?;
                }
                None => break,
            },
            () = &mut stop => break,
            _ = look.tick(), if !opened => {
                let failed = status.get(&port).is_some_and(|status| status.error.is_some());
                opened = has_entries(&args.out);
                if failed && !opened {
                    break;
                }
            }
        }
    }
    // Before the end of the port's task, which takes the error back.
    let before = status.get(&port).unwrap_or_default();
    cancel.cancel();
    received.close();
    task.await.context("the port's task failed")?;
    let after = status.get(&port).unwrap_or_default();
    if let Some(error) = after.recording_error {
        let error = anyhow::anyhow!("the recording is not complete: {error}");
        return Err(Failure::from(error));
    }
    if !has_entries(&args.out) {
        std::fs::remove_file(&args.out)
            .with_context(|| format!("cannot remove the empty {}", args.out.display()))?;
    }
    let Some(error) = before.error else {
        return Ok(());
    };
    let held = error == OpenError::Held(port).to_string();
    let error = anyhow::anyhow!(error);
    Err(if held {
        Failure::taken(error)
    } else {
        Failure::from(error)
    })
}

/// Whether a recording has more than its header.
fn has_entries(path: &Path) -> bool {
    let lines = File::open(path).map(|file| BufReader::new(file).lines());
    lines.is_ok_and(|mut lines| lines.nth(1).is_some())
}

/// Plays a recording back; prints what it observes as JSON lines.
pub async fn replay(args: ReplayArgs) -> anyhow::Result<()> {
    let recording = Recording::open(&args.file)
        .with_context(|| format!("cannot replay {}", args.file.display()))?;
    let family = &recording.header.family;
    let mut link = Kind::named(family)
        .and_then(|kind| kind.link(&Habits::default()))
        .with_context(|| format!("devices of family {family} cannot be replayed"))?;
    let mut seen = Vec::new();
    recording.play(&mut *link, |at, observation| seen.push((at, observation)));
    let start = tokio::time::Instant::now();
    for (at, observation) in seen {
        if !args.fast {
            tokio::time::sleep_until(start + at.0.div_f64(args.speed)).await;
        }
        print_line(&observation_json(at, &observation))?;
    }
    Ok(())
}

fn print_line(value: &Value) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{value}")?;
    out.flush()
}
