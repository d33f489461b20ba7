//! `flagfall`: arguments in, exit code out. Everything else is in the library.

use std::{path::PathBuf, process::ExitCode};

use clap::{CommandFactory, Parser, Subcommand};
use flagfall::{
    app, decode, demo, devices,
    exit::Failure,
    record::{self, RecordArgs, ReplayArgs},
    tournament,
    track::{self, TrackArgs},
};
use tracing_subscriber::EnvFilter;

/// The hub of a chess hall.
///
/// Collects moves, clock times, flags and results from sensor boards and clocks, keeps them in a
/// journal that loses nothing, drives the countdown to the round, calls the arbiter, forwards
/// everything to MQTT and pairs the next round.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100, after_help = AFTER_HELP)]
struct Cli {
    /// What is logged to stderr, e.g. `info`, `debug`, `flagfall::link=trace`.
    #[arg(long, global = true, value_name = "FILTER", env = "FLAGFALL_LOG", value_parser = log_filter)]
    log: Option<String>,
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Examples:
  flagfall demo                                   a whole simulated hall, three rounds at 60x speed
  flagfall demo --hands-on                        the same, and you are the arbiter
  flagfall run --config config/flagfall.toml      the hub on real ports
  flagfall run --config flagfall.toml --check     only check the configuration
  flagfall decode dgt --bytes \"8e 00 05 34 00\"    what a frame means
  flagfall devices                                what is attached, and what each can do
  flagfall record /dev/ttyUSB0 --out board.jsonl  every byte of a device, for a later replay
  flagfall track board.jsonl > game.pgn           the game of a recording
  flagfall pair open.trf                          the next round of a report file
  flagfall check open.trf                         whether its rounds were paired by the rules
  flagfall standings open.trf --explain           the table, each figure with its parts
  flagfall players list.xlsx --fide fide.txt      the list with numbers and ratings of FIDE
  flagfall generate --players 60 --rounds 9       a tournament that nobody played
  flagfall completions bash > /etc/bash_completion.d/flagfall

Exit codes:
  0  done
  1  failed while running; the message says what and where
  2  the arguments make no sense
  3  the configuration, or a file that it leads to or that was given, is wrong; every problem is
     named
  4  something that must be ours alone is taken: a port, an address, the data directory
  5  the demo found a wrong result or a wrong move, check a round that is paired otherwise, or track
     a game that it could not follow to the end
  6  the round cannot be paired: nobody is there, or no pairing is legal
  7  check found a round that breaks a rule which no pairing may break";

const DECODE_HELP: &str = "\
Examples:
  flagfall decode dgt --bytes \"8e 00 05 34 00\"
  flagfall decode pegasus --direction from-host --bytes \"60 02 00 00\"
  flagfall decode certabo --calibration set-3.json line.bin";

const DEVICES_HELP: &str = "\
Every serial port is opened and asked who is there, which takes some seconds; boards that talk by themselves are
only listened to. A port that a running hub has is named and left alone. Which kinds are there:
--kinds. A string of boards on one line has to be named: --family dgt-bus.

Examples:
  flagfall devices                                    all serial ports of this machine
  flagfall devices /dev/ttyUSB0 tcp://10.0.0.7:4001   only these
  flagfall devices --exclude '/dev/ttyS*' --json      for scripts
  flagfall devices --family dgt-bus /dev/ttyUSB1      the boards of a bus
  flagfall devices --kinds                            what could be attached, and how it is recognised";

const RECORD_HELP: &str = "\
Examples:
  flagfall record /dev/ttyACM0 --out board.jsonl                 until Ctrl+C
  flagfall record tcp://192.168.1.40:4001 --out board.jsonl --seconds 60";

const REPLAY_HELP: &str = "\
Examples:
  flagfall replay board.jsonl                     what the driver makes of the bytes, in real time
  flagfall replay --fast board.jsonl | grep flag  only lines about flags, at once";

const TRACK_HELP: &str = "\
A recording of `flagfall record` names its family and has its times. Other files need --family:
  - JSON lines with \"t_ms\" (or \"t_s\") and \"hex\" (or \"bytes_hex\"); \"dir\" tx is left out
  - lines of hex, each perhaps with milliseconds before it: `1250 8e 00 05 34 00`
  - raw bytes
Without times, messages come --pace milliseconds apart. After the last byte time runs on for a
minute, so that the last move settles. When the men are put back to the start position, another
game begins. Boards that judge moves themselves (chessup, cpp, wpp) tell moves, and nothing has to settle.

Examples:
  flagfall track board.jsonl                              the game as PGN
  flagfall track --json board.jsonl                       with times, claims, alerts, dropped bytes
  flagfall track --family chessnut --pace 200 dump.bin
  flagfall track --family dgt --times yes log.hex         each line begins with milliseconds
  flagfall track --family certabo --calibration tags.json --raw usb.bin
  flagfall track --family chessup values.hex              one value of its GATT service a line
  flagfall track --family pegasus --start \"8/8/8/8/8/4k3/4p3/4K3 w - - 0 60\" tail.hex

docs/recordings.md describes the files and the JSON. Exit code 5: a game could not be followed to its end.";

const BACKUP_HELP: &str = "\
Examples:
  flagfall backup --data data cup-round-3.db      while the hub runs, or not
  flagfall backup --data /var/lib/flagfall /media/stick/cup.db";

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a whole simulated hall: boards, clocks, players and, unless you want to, the arbiter.
    Demo(demo::DemoArgs),
    /// Run the hub on real ports.
    Run {
        /// The configuration file; config/flagfall.toml shows every key.
        #[arg(long, value_name = "FILE")]
        config: PathBuf,
        /// Check the configuration and stop.
        #[arg(long)]
        check: bool,
    },
    /// Say what bytes mean, one JSON object a message.
    #[command(after_help = DECODE_HELP)]
    Decode(decode::DecodeArgs),
    /// Pair a round of a report file (TRF16, TRF26).
    Pair(tournament::PairArgs),
    /// Pair every round of a report file again and report what differs.
    Check(tournament::CheckArgs),
    /// The standings of a report file by any tie-breaks, each figure with its parts.
    Standings(tournament::StandingsArgs),
    /// Read a list of players (CSV, XLSX, TRF), fill it from the rating list of FIDE, write it.
    Players(tournament::PlayersArgs),
    /// Draw the numbers of a round robin by the Varma tables, so that compatriots meet early.
    Draw(tournament::DrawArgs),
    /// Make up a tournament: a report file with results by rating and chance.
    Generate(tournament::GenerateArgs),
    /// List what is attached and what each device can do.
    #[command(after_help = DEVICES_HELP)]
    Devices(devices::DevicesArgs),
    /// Write every byte of a device to a file.
    #[command(after_help = RECORD_HELP)]
    Record(RecordArgs),
    /// Play a recording back through the driver and print what it observes.
    #[command(after_help = REPLAY_HELP)]
    Replay(ReplayArgs),
    /// Make the game of a recording: PGN or JSON.
    #[command(after_help = TRACK_HELP)]
    Track(TrackArgs),
    /// Copy the journal while the hub runs.
    #[command(after_help = BACKUP_HELP)]
    Backup {
        /// The hub's data directory.
        #[arg(long, value_name = "DIR")]
        data: PathBuf,
        /// The copy; must not exist yet.
        out: PathBuf,
    },
    /// Print the completion script of a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let quiet = matches!(
        cli.command,
        Command::Decode(_)
            | Command::Demo(_)
            | Command::Devices(_)
            | Command::Replay(_)
            | Command::Track(_)
            | Command::Pair(_)
            | Command::Check(_)
            | Command::Standings(_)
            | Command::Players(_)
            | Command::Draw(_)
            | Command::Generate(_)
            | Command::Completions { .. }
    );
    start_log(cli.log.as_deref(), quiet);
    match run(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // The cause chain on one line: what was wrong, where, what to do.
            tracing::debug!("{:?}", failure.error);
            let _ = std::io::Write::write_fmt(
                &mut std::io::stderr(),
                format_args!("flagfall: {:#}\n", failure.error),
            );
            failure.code()
        }
    }
}

fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Decode(args) => Ok(decode::run(&args)?),
        Command::Pair(args) => tournament::pair(&args),
        Command::Check(args) => tournament::check(&args),
        Command::Standings(args) => tournament::standings(&args),
        Command::Players(args) => tournament::players(&args),
        Command::Draw(args) => tournament::draw(&args),
        Command::Generate(args) => tournament::generate(&args),
        Command::Completions { shell } => {
            clap_complete::generate(
                shell,
                &mut Cli::command(),
                "flagfall",
                &mut std::io::stdout(),
            );
            Ok(())
        }
        Command::Demo(args) => runtime()?.block_on(demo::run(args)),
        Command::Run { config, check } => runtime()?.block_on(app::run(&config, check)),
        Command::Devices(args) => runtime()?.block_on(devices::run(args)),
        Command::Record(args) => runtime()?.block_on(record::record(args)),
        Command::Replay(args) => Ok(runtime()?.block_on(record::replay(args))?),
        Command::Track(args) => track::run(&args),
        Command::Backup { data, out } => runtime()?.block_on(app::backup(&data, &out)),
    }
}

fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    Ok(tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(anyhow::Error::from)?)
}

/// A word that is neither a level nor part of this program would silently log nothing.
fn log_filter(text: &str) -> Result<String, String> {
    const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];
    let hint = "write e.g. info, debug or flagfall::link=trace";
    EnvFilter::builder()
        .parse(text)
        .map_err(|error| format!("{error}; {hint}"))?;
    let stray = text.split(',').map(str::trim).find(|word| {
        let level = LEVELS.contains(&word.to_ascii_lowercase().as_str());
        !level && !word.contains(['=', '[']) && !word.starts_with("flagfall")
    });
    match stray {
        Some(word) => Err(format!("\"{word}\" is no level; {hint}")),
        None => Ok(text.to_owned()),
    }
}

fn start_log(filter: Option<&str>, quiet: bool) {
    let default = if quiet {
        "warn,rumqttc=error"
    } else {
        "info,sqlx=warn,mqtt5=warn,rumqttc=error"
    };
    let filter = EnvFilter::builder()
        .parse(filter.unwrap_or(default))
        .unwrap_or_else(|_| EnvFilter::new(default));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr()))
        .with_target(false)
        // Whoever read the log may be gone; saying so on the same stream would panic.
        .log_internal_errors(false)
        .init();
}
