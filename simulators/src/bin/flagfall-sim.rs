//! `flagfall-sim`: boards and halls without wood.

use std::{
    io::{self, Write as _},
    net::SocketAddr,
    path::PathBuf,
    process::ExitCode,
    time::Duration,
};

use anyhow::Context as _;
use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum, error::ErrorKind};
use flagfall_simulators::{
    board::Noise,
    clock::TimeControl,
    games,
    hall::{Hall, HallConfig, HallEventKind, Links, Transport},
    hands::{Incidents, Note},
    make::Mix,
    open_clock::{self, OpenClockPlan, Talk},
};

const EXAMPLES: &str = "\
Examples:
  flagfall-sim board --link /tmp/board
      One board on a pseudo-terminal; two people play a game on it, then another one.
  flagfall-sim board --idle --tcp 127.0.0.1:7001
      A board with the pieces set up and nobody there, on a socket.
  flagfall-sim hall --tables 24 --dir /tmp/hall --speed 60 --start-after 10
      A hall: links /tmp/hall/table-001 … table-024, round 1 starts after ten seconds.
  flagfall-sim hall --tables 8 --tcp 127.0.0.1:7001 --json --speed 30 > truth.jsonl
      Ports 7001 to 7008; one JSON line a port, then one a game with what was really played.
  flagfall-sim hall --mix dgt:4,millennium:2,certabo:2,sentio:1,ichessone:1,bus:4 --dir /tmp/hall
      Boards of several makers. The boards of a bus share a link; the family that a hub has to be told
      of it, and each board's address, are in the output.
  flagfall-sim clock --tcp 127.0.0.1:7101
      A clock by itself, with the open clock profile; two people play game after game on it.

Exit codes:
  0  done, or stopped with Ctrl-C
  1  a port could not be opened, or the output was closed
  2  wrong arguments";

/// Simulated boards with clocks and players, on pseudo-terminals or TCP.
///
/// The same seed plays the same games with the same bytes. Most boards speak the serial protocol of a DGT
/// board with a DGT 3000, others those of other makers; any program that reads such a board can be let
/// loose on them.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// Print the embedded games, one line each: number, half-moves, result, ending
    #[arg(long)]
    list_games: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve one board
    Board(BoardArgs),
    /// Serve one clock with the open clock profile
    Clock(ClockArgs),
    /// Serve a hall and play rounds in it
    Hall(HallArgs),
}

#[derive(Debug, Args)]
struct Common {
    /// Decides everything that is left to chance
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// How many times faster than life, line speed included
    #[arg(long, default_value_t = 1.0, value_name = "X", value_parser = positive)]
    speed: f64,
    /// Base time of the clocks
    #[arg(long, default_value_t = 300, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=35_999))]
    base: u32,
    /// Time added at each move
    #[arg(long, default_value_t = 3, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(0..=3_600))]
    increment: u32,
    /// How lively people are
    #[arg(long, value_enum, default_value_t = Liveliness::Normal)]
    incidents: Liveliness,
    /// How badly the boards read their men, and the cables carry what they say
    #[arg(long, value_enum, default_value_t = Sensors::None)]
    noise: Sensors,
}

#[derive(Debug, Args)]
struct BoardArgs {
    /// Listen here instead of opening a pseudo-terminal
    #[arg(long, value_name = "ADDR", conflicts_with = "link")]
    tcp: Option<SocketAddr>,
    /// Make this link to the pseudo-terminal
    #[arg(long, value_name = "PATH")]
    link: Option<PathBuf>,
    /// Play this game (see --list-games) instead of one chosen by the seed
    #[arg(long, value_name = "N", conflicts_with = "idle")]
    game: Option<usize>,
    /// Nobody plays: pieces set up, clock stopped
    #[arg(long)]
    idle: bool,
    /// White sits at the other side: the wire numbers are turned by 180°
    #[arg(long)]
    turned: bool,
    /// Put the clock in mode 25, in which the host may set it
    #[arg(long)]
    remote: bool,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Args)]
struct ClockArgs {
    /// Listen here
    #[arg(long, value_name = "ADDR")]
    tcp: SocketAddr,
    /// How it talks
    #[arg(long, value_enum, default_value_t = Framing::Cobs)]
    framing: Framing,
    /// Its serial number, at most nine characters of ASCII
    #[arg(long, default_value = "SIM-0001", value_parser = serial)]
    serial: String,
    /// Let hosts change it, as if the arbiter kept holding its two buttons
    #[arg(long)]
    permit: bool,
    /// Base time of each game
    #[arg(long, default_value_t = 300, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=35_999))]
    base: u32,
    /// Time added at each move
    #[arg(long, default_value_t = 3, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(0..=3_600))]
    increment: u32,
    /// Decides how long people think
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Framing {
    /// COBS frames with a check
    Cobs,
    /// JSON lines with a check
    Json,
}

fn serial(text: &str) -> Result<String, String> {
    let fits = (1..=9).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
    fits.then(|| text.to_owned())
        .ok_or_else(|| "one to nine characters of ASCII without blanks".to_owned())
}

#[derive(Debug, Args)]
struct HallArgs {
    /// Boards of several makers, e.g. dgt:60,millennium:10,certabo:10,sentio:5,ichessone:5,bus:20; a bus has at
    /// most 20 boards on a line
    #[arg(long, value_name = "MAKE:N,…", conflicts_with = "tables")]
    mix: Option<Mix>,
    /// How many tables
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=5_000))]
    tables: u16,
    /// Make links table-001 … in this directory
    #[arg(long, value_name = "DIR", conflicts_with = "tcp")]
    dir: Option<PathBuf>,
    /// Listen on this address for the first table and on the following ports for the others
    #[arg(long, value_name = "BASE_ADDR")]
    tcp: Option<SocketAddr>,
    /// Real seconds before the first round starts
    #[arg(long, default_value_t = 5.0, value_name = "SECONDS", value_parser = positive)]
    start_after: f64,
    /// How many rounds to play
    #[arg(long, default_value_t = 1, value_name = "N")]
    rounds: u32,
    /// Share of boards that stand turned by 180°
    #[arg(long, default_value_t = 0.25, value_name = "0..1", value_parser = share)]
    turned_share: f64,
    /// Print JSON lines: ports at the start, each game's truth at its end
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Liveliness {
    /// Tidy moves, no flags, nobody calls an arbiter
    None,
    /// An ordinary hall
    Normal,
    /// A hall on its worst day
    Many,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Sensors {
    /// Every man is read, every byte arrives
    None,
    /// Boards that have been used for some years
    Ordinary,
    /// Boards that should be sent in for repair
    Hostile,
}

impl Common {
    fn config(&self) -> HallConfig {
        let seconds = |value: u32| Duration::from_secs(value.into());
        HallConfig {
            seed: self.seed,
            speed: self.speed,
            control: TimeControl::fischer(seconds(self.base), seconds(self.increment)),
            incidents: match self.incidents {
                Liveliness::None => Incidents::none(),
                Liveliness::Normal => Incidents::normal(),
                Liveliness::Many => Incidents::many(),
            },
            noise: match self.noise {
                Sensors::None => Noise::none(),
                Sensors::Ordinary => Noise::ordinary(),
                Sensors::Hostile => Noise::hostile(),
            },
            ..HallConfig::default()
        }
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing better can be done when even stderr is closed.
            let _ = writeln!(io::stderr(), "flagfall-sim: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[tokio::main]
async fn run(cli: Cli) -> anyhow::Result<()> {
    if cli.list_games {
        return list_games();
    }
    let Some(command) = cli.command else {
        wrong_arguments("nothing to do: give `board`, `hall` or `--list-games`");
    };
    tokio::select! {
        stopped = tokio::signal::ctrl_c() => stopped.context("cannot wait for Ctrl-C"),
        done = async {
            match command {
                Command::Board(args) => board(args).await,
                Command::Clock(args) => clock(args).await,
                Command::Hall(args) => hall(args).await,
            }
        } => done,
    }
}

/// Says why in clap's way and leaves with its exit code.
fn wrong_arguments(why: &str) -> ! {
    Cli::command().error(ErrorKind::ValueValidation, why).exit()
}

fn list_games() -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    for (number, game) in games::library().iter().enumerate() {
        let (result, ending) = (game.outcome.as_str(), game.ending.name());
        let clocked = if game.clocks.is_some() {
            ", clock times"
        } else {
            ""
        };
        writeln!(
            out,
            "{number:4}  {:3} half-moves  {result:7}  {ending}{clocked}",
            game.moves.len()
        )?;
    }
    Ok(())
}

fn say(line: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")
        .and_then(|()| out.flush())
        .context("cannot write to the output")
}

async fn board(args: BoardArgs) -> anyhow::Result<()> {
    if let Some(game) = args.game
        && game >= games::library().len()
    {
        let last = games::library().len() - 1;
        wrong_arguments(&format!("there is no game {game}: the last one is {last}"));
    }
    let config = HallConfig {
        tables: 1,
        turned_share: if args.turned { 1.0 } else { 0.0 },
        transport: args
            .tcp
            .map_or(Transport::Pty, |addr| Transport::Tcp { addr }),
        links: args.link.map_or(Links::None, Links::Single),
        ..args.common.config()
    };
    let hall = Hall::start(config).await?;
    for port in hall.ports() {
        say(&format!("board {} on {}", port.serial, port.endpoint))?;
    }
    hall.mode_25(1, args.remote);
    if args.idle {
        return std::future::pending().await;
    }
    for round in 1.. {
        hall.play(1, round, args.game);
        hall.wait_round(round).await;
        if let Some(truth) = hall.truth(round, 1) {
            say(&format!(
                "game {}: {} half-moves, {} by {}",
                truth.game,
                truth.moves.len(),
                truth.result,
                truth.termination
            ))?;
        }
    }
    Ok(())
}

async fn clock(args: ClockArgs) -> anyhow::Result<()> {
    let listener = tokio::net::TcpListener::bind(args.tcp)
        .await
        .with_context(|| format!("cannot listen on {}", args.tcp))?;
    let endpoint = listener.local_addr()?;
    say(&format!("clock {} on tcp://{endpoint}", args.serial))?;
    let plan = OpenClockPlan {
        serial: args.serial,
        talk: match args.framing {
            Framing::Cobs => Talk::Cobs,
            Framing::Json => Talk::Json { checked: true },
        },
        base: Duration::from_secs(args.base.into()),
        increment: Duration::from_secs(args.increment.into()),
        freeze: true,
        log_depth: 64,
    };
    Ok(open_clock::serve(listener, plan, args.permit, args.seed).await?)
}

async fn hall(args: HallArgs) -> anyhow::Result<()> {
    let tables = args.mix.as_ref().map_or(args.tables, Mix::tables);
    let config = HallConfig {
        tables,
        mix: args.mix.unwrap_or_default(),
        turned_share: args.turned_share,
        transport: args
            .tcp
            .map_or(Transport::Pty, |addr| Transport::Tcp { addr }),
        links: args.dir.map_or(Links::None, Links::InDirectory),
        ..args.common.config()
    };
    let hall = Hall::start(config).await?;
    let ports = hall.ports();
    for port in &ports {
        if args.json {
            let line = serde_json::json!({
                "kind": "port",
                "table": port.table,
                "endpoint": port.endpoint.to_string(),
                "serial": port.serial,
                "turned": port.turned,
                "make": port.make,
                "family": port.make.family(),
            });
            say(&line.to_string())?;
        } else {
            let turned = if port.turned { ", turned" } else { "" };
            say(&format!(
                "table {:3}  {}  {} board {}{turned}",
                port.table, port.endpoint, port.make, port.serial
            ))?;
        }
    }
    let tables: Vec<u16> = ports.iter().map(|port| port.table).collect();
    tokio::time::sleep(Duration::from_secs_f64(args.start_after)).await;
    for round in 1..=args.rounds {
        let mut events = hall.events();
        hall.start_round(round, &tables);
        let mut open = tables.len();
        while open > 0 {
            let Ok(event) = events.recv().await else {
                // Some are lost when the output stands still: what has finished is in the book.
                hall.wait_round(round).await;
                break;
            };
            let HallEventKind::Game { note, .. } = event.kind else {
                continue;
            };
            match note {
                Note::Finished => open -= 1,
                Note::Moved { .. } | Note::ResultShown => {}
                note if !args.json => {
                    say(&format!(
                        "table {:3}  round {round}  {}",
                        event.table,
                        describe(&note)
                    ))?;
                }
                _ => {}
            }
        }
        for truth in hall.truths(round) {
            if args.json {
                let mut line = serde_json::to_value(&truth)?;
                line["kind"] = "game".into();
                say(&line.to_string())?;
            }
        }
        if !args.json {
            say(&format!("round {round} is over"))?;
        }
    }
    hall.shutdown().await;
    Ok(())
}

fn describe(note: &Note) -> String {
    match note {
        Note::Started => "White's time is started".to_owned(),
        Note::Moved { san, .. } => san.clone(),
        Note::Illegal { color } => format!("illegal move by {color}"),
        Note::ArbiterCalled => "clock stopped, arbiter called".to_owned(),
        Note::Corrected => "a time is corrected".to_owned(),
        Note::KnockedOver => "pieces are knocked over".to_owned(),
        Note::TakenBack => "a move is taken back".to_owned(),
        Note::Over {
            outcome, ending, ..
        } => format!("{} by {}", outcome.as_str(), ending.name()),
        Note::ResultShown => "kings in the centre".to_owned(),
        Note::Finished => "pieces set up again".to_owned(),
    }
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value > 0.0 => Ok(value),
        _ => Err("must be a number above 0".to_owned()),
    }
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("must be a number from 0 to 1".to_owned()),
    }
}
