//! `flagfall track`: a recorded stream of one board as PGN or JSON.
//!
//! - [`input`]: the forms of files; - [`mod@hear`]: bytes to what a board told; - [`game`]: the trackers;
//! - [`moves`]: boards that judge moves themselves; - [`report`]: what is printed.

use std::{
    io::{self, Read as _, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::Context as _;
use clap::ValueEnum;
use flagfall_core::{
    chess::{Start, TrackerSettings, Variant, placement::turned, tracker::RestoreError},
    protocol::{
        board::{Evidence, Told},
        families::Beforehand,
    },
    types::Placement,
};

use crate::{
    decode::{FamilyName, boards},
    exit::Failure,
};

pub mod game;
pub mod hear;
pub mod input;
pub mod moves;
pub mod report;

use self::{
    game::{Game, View},
    hear::{Heard, hear},
    input::{Input, Times},
    report::Report,
};

/// How the board stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Orientation {
    /// As the men tell
    #[default]
    Auto,
    /// White sits where the wire has ranks 1 and 2
    #[value(alias = "white")]
    Normal,
    /// White sits on the other side
    #[value(alias = "black")]
    Turned,
}

/// Arguments of `flagfall track`.
#[derive(Debug, clap::Args)]
pub struct TrackArgs {
    /// The file: a recording of `flagfall record`, JSON lines, hex or raw bytes; - for standard input
    pub file: PathBuf,
    /// The family of the board; a recording names its own
    #[arg(long, value_parser = FamilyName::parser())]
    pub family: Option<FamilyName>,
    /// The position before the first byte: FEN, or 960:NUMBER for one of Chess960 (0 to 959); 960 waits for any
    /// of these; else the start position is waited for
    #[arg(long, value_name = "FEN|960[:NUMBER]")]
    pub start: Option<String>,
    /// How the board stands
    #[arg(long, value_enum, default_value_t)]
    pub orientation: Orientation,
    /// Print JSON, one object a game
    #[arg(long)]
    pub json: bool,
    /// Print PGN, which is the default; with --json, as a part of the object
    #[arg(long)]
    pub pgn: bool,
    /// Milliseconds between two messages of an input without times
    #[arg(long, value_name = "MS", default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..=600_000))]
    pub pace: u64,
    /// Whether lines of hex begin with milliseconds
    #[arg(long, value_enum, default_value_t)]
    pub times: Times,
    /// The input is raw bytes, whatever it looks like
    #[arg(long, conflicts_with = "times")]
    pub raw: bool,
    /// A game of ten minutes and less a player: moves are final sooner
    #[arg(long)]
    pub blitz: bool,
    /// Which tag is which man, for boards that read tags: see `flagfall decode --help`. Without it, the
    /// position of calibration or the first start position in the file tells
    #[arg(long, value_name = "FILE")]
    pub calibration: Option<PathBuf>,
}

/// How an input is to be read.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The family.
    pub family: FamilyName,
    /// FEN of the position before the first byte.
    pub start: Option<String>,
    /// How the board stands.
    pub orientation: Orientation,
    /// Between two messages of an input without times.
    pub pace: Duration,
    /// Dwell times for fast games.
    pub blitz: bool,
    /// What the decoder must know.
    pub beforehand: Beforehand,
}

impl Plan {
    /// The usual plan for a family.
    pub fn new(family: FamilyName) -> Self {
        Self {
            family,
            start: None,
            orientation: Orientation::Auto,
            pace: Duration::from_millis(400),
            blitz: false,
            beforehand: Beforehand {
                start_calibrates: true,
                ..Beforehand::default()
            },
        }
    }

    /// Tracks the games of one input.
    ///
    /// # Errors
    /// The position to start from is not legal.
    pub fn track(&self, input: &Input) -> Result<(Heard, Vec<Game>), RestoreError> {
        let start = self.start.as_ref().or(input.start.as_ref());
        let rules = match start {
            Some(text) => Some(start_of(text)?),
            None => None,
        };
        let start = rules.as_ref().filter(|start| !start.is_open());
        let players = match start {
            Some(start) => start.board().clone(),
            None => Placement::new(),
        };
        let set = match self.orientation {
            Orientation::Auto => input.turned,
            Orientation::Normal => Some(false),
            Orientation::Turned => Some(true),
        };
        let look = |assumed_turned: bool, set: Option<bool>| {
            let wire = if assumed_turned {
                turned(&players)
            } else {
                players.clone()
            };
            let heard = hear(input, self.family, &self.beforehand, self.pace, &wire);
            // An assumed picture says which way round it was assumed.
            let set = set.or(heard.assumed.then_some(assumed_turned));
            let base = if self.blitz {
                TrackerSettings::blitz()
            } else {
                TrackerSettings::default()
            };
            let view = View {
                settings: TrackerSettings {
                    turned: set,
                    // After a game from an arbiter's position the usual one is waited for.
                    start: rules
                        .clone()
                        .filter(|start| !start.variant().is_standard())
                        .unwrap_or_default(),
                    ..base
                },
                start: start.map(Start::fen),
                occupancy: self.evidence() == Evidence::Occupancy,
            };
            let games = if self.evidence() == Evidence::Moves {
                moves::play(&heard.told, &view)?
            } else {
                game::play(&heard.observations, &view)?
            };
            Ok::<_, RestoreError>((heard, games))
        };
        let first = look(set == Some(true), set)?;
        if set.is_some() || !first.0.assumed {
            return Ok(first);
        }
        // Nothing but changes: they make sense one way round.
        let other = look(true, None)?;
        let merit = |games: &[Game]| games.iter().map(Game::merit).max();
        Ok(if merit(&other.1) > merit(&first.1) {
            other
        } else {
            first
        })
    }

    fn evidence(&self) -> Evidence {
        match self.family {
            FamilyName::Dgt => Evidence::Placement,
            FamilyName::Board(family) => family.evidence,
        }
    }
}

/// A start in words: `960`, `960:518` or a FEN.
fn start_of(text: &str) -> Result<Start, RestoreError> {
    let error = || RestoreError::Start(text.to_owned());
    if text.trim() == "960" {
        return Ok(Start::any960());
    }
    let start = match text.trim().strip_prefix("960:") {
        Some(number) => Start::chess960(number.parse().map_err(|_| error())?),
        None => Start::from_fen(text, Variant::Standard),
    };
    start.map_err(|_| error())
}

/// Runs the command.
///
/// # Errors
/// With the exit code of what went wrong: the arguments, the file, or games that could not be followed.
pub fn run(args: &TrackArgs) -> Result<(), Failure> {
    if let Some(start) = &args.start {
        start_of(start).map_err(Failure::arguments)?;
    }
    let mut beforehand =
        boards::beforehand(args.calibration.as_deref()).map_err(Failure::configuration)?;
    beforehand.start_calibrates = true;
    let content = content(&args.file)?;
    let inputs = if args.raw {
        vec![Input::raw(content)]
    } else {
        input::read(&content, args.times)
            .with_context(|| format!("{} cannot be read", args.file.display()))
            .map_err(Failure::configuration)?
    };
    let stem = args.file.file_stem().unwrap_or_default().to_string_lossy();
    let mut followed = Followed::default();
    for input in &inputs {
        let plan = Plan {
            family: family(args.family.or(input.family))?,
            start: args.start.clone(),
            orientation: args.orientation,
            pace: Duration::from_millis(args.pace),
            blitz: args.blitz,
            beforehand: beforehand.clone(),
        };
        let (heard, games) = plan
            .track(input)
            .map_err(|error| Failure::configuration(anyhow::Error::from(error)))?;
        let title = input.name.as_deref().unwrap_or(&stem);
        let printed = print(args, &plan, input, &heard, &games, title);
        followed.add(&heard, &games);
        match printed {
            // Whoever reads has seen enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            other => other.context("cannot write")?,
        }
    }
    followed.verdict()
}

fn content(file: &Path) -> Result<Vec<u8>, Failure> {
    let mut content = Vec::new();
    let read = if file == Path::new("-") {
        io::stdin().lock().read_to_end(&mut content).map(drop)
    } else {
        std::fs::read(file).map(|bytes| content = bytes)
    };
    read.with_context(|| format!("cannot read {}", file.display()))
        .map_err(Failure::configuration)?;
    Ok(content)
}

fn family(named: Option<FamilyName>) -> Result<FamilyName, Failure> {
    let Some(family) = named else {
        let error = anyhow::anyhow!(
            "the file does not say which board it comes from: name it with --family"
        );
        return Err(Failure::arguments(error));
    };
    match family {
        FamilyName::Board(clock) if clock.evidence == Evidence::Times => {
            Err(Failure::arguments(anyhow::anyhow!(
                "{} tell times, no moves: use `flagfall decode {}`",
                clock.title,
                clock.name
            )))
        }
        family => Ok(family),
    }
}

fn print(
    args: &TrackArgs,
    plan: &Plan,
    input: &Input,
    heard: &Heard,
    games: &[Game],
    title: &str,
) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mut remarks = Vec::new();
    for (number, game) in (1..).zip(games) {
        let report = Report {
            game,
            number,
            input,
            heard,
            family: plan.family.name(),
            title,
        };
        if args.json {
            writeln!(out, "{}", report.json(args.pgn))?;
        } else {
            write!(out, "{}", report.pgn())?;
        }
        remarks.extend(report.remarks());
    }
    out.flush()?;
    if heard.counters.bytes_dropped > 0 {
        let dropped = heard.counters.bytes_dropped;
        remarks.push(format!("{dropped} bytes belong to no message"));
    }
    if heard.unread > 0 {
        let lines = heard.unread;
        remarks.push(format!(
            "{lines} lines of tags came before any calibration: give one with --calibration"
        ));
    }
    let mut error = io::stderr().lock();
    for remark in remarks {
        writeln!(error, "flagfall: {title}: {remark}")?;
    }
    Ok(())
}

/// Whether the games of all inputs could be followed.
#[derive(Default)]
struct Followed {
    bytes: u64,
    silent: usize,
    incomplete: usize,
}

impl Followed {
    fn add(&mut self, heard: &Heard, games: &[Game]) {
        self.bytes += heard.counters.bytes;
        let useful = |told: &Told| {
            !matches!(
                told,
                Told::Other | Told::Version(_) | Told::Serial(_) | Told::Calibrating
            )
        };
        let heard = !heard.observations.is_empty() || heard.told.iter().any(|(_, t)| useful(t));
        self.silent += usize::from(!heard);
        let incomplete = games.iter().filter(|game| !report::is_complete(game));
        self.incomplete += incomplete.count();
    }

    fn verdict(&self) -> Result<(), Failure> {
        let words = match (self.silent, self.incomplete) {
            (0, 0) => return Ok(()),
            (0, games) => format!(
                "{games} game(s) could not be followed to the end: moves are missing or the \
                 position is not explained"
            ),
            _ if self.bytes == 0 => "there are no bytes of a board in it".to_owned(),
            _ => "no message of such a board is in it: is the family right?".to_owned(),
        };
        Err(Failure::wrong_result(anyhow::anyhow!(words)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_is_a_fen_or_a_number_of_chess960() {
        assert!(start_of("960").unwrap().is_open());
        let zero = start_of("960:0").unwrap();
        assert_eq!(
            (zero.number(), zero.variant()),
            (Some(0), Variant::Chess960)
        );
        let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert!(start_of(usual).unwrap().is_usual());
        for wrong in ["960:960", "960:", "961", "8/8/8/8/8/8/8/8 w - - 0 1"] {
            assert_eq!(start_of(wrong), Err(RestoreError::Start(wrong.to_owned())));
        }
    }
}
