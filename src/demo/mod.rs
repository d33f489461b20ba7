//! A whole simulated hall in one command: boards and clocks on pseudo-terminals, players with their
//! habits, and an arbiter who decides, unless the visitor wants to.

pub mod arbiter;
mod judged;
mod report;
mod shown;

use std::{
    io::Write as _,
    net::SocketAddr,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context as _, anyhow};
use clap::Args;
use flagfall_core::{
    hub::{
        PortSettings,
        command::{Command, Request},
        counted,
        event::SetUp,
        state::HallState,
        view::{HallView, Phase, RoundView, Update},
    },
    tournament::{
        EventSettings, PairingSystem, Player,
        event::DefaultTime,
        schedule::{RoundStart, Schedule},
    },
    types::{PlayerNo, TableNo},
};
use flagfall_simulators::{
    board::Noise,
    clock::TimeControl,
    hall::{Hall, HallConfig, Links, Transport},
    hands::Incidents,
};
use tokio::sync::broadcast::error::RecvError;

use self::{arbiter::Arbiter, report::Report, shown::Shown};
use crate::{
    addresses,
    app::{self, App, Plan, stop_signal},
    exit::Failure,
    games::GamesSettings,
    handle::AskError,
    link::discover::Ports,
    mqtt::{self, Broker, External, MqttSettings},
    time::HubClock,
    web::Auth,
};

/// The name of the demo's event, by which its journal is known.
const NAME: &str = "Flagfall demo open";

/// The PIN of the demo's console.
const PIN: &str = "202612";

/// From one closed round to the next start, on the hall's own time.
const PAUSE: Duration = Duration::from_mins(16);

/// A game that is over at the board and has no result on the hub for so long: the arbiter walks there
/// and asks the players.
const ASK_AFTER: Duration = Duration::from_mins(10);

/// What `flagfall demo` can be told.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  flagfall demo                                    24 boards, three rounds, 60x speed
  flagfall demo --hands-on                         you take the arbiter's decisions
  flagfall demo --tables 200 --speed 1 --rounds 1  a real-time load
  flagfall demo --exit-when-done --json | tail -1  one object with what was found")]
pub struct DemoArgs {
    /// Tables in the hall.
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub tables: u16,
    /// Rounds to play.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=1999))]
    pub rounds: u16,
    /// The pairing system; without it a Swiss, and a round robin where players or rounds ask for one.
    #[arg(long, value_name = "NAME",
        value_parser = clap::builder::PossibleValuesParser::new(PairingSystem::BY_NAME.map(|(name, _)| name)))]
    pub system: Option<String>,
    /// How much faster than real time everything runs.
    #[arg(long, default_value_t = 60.0, value_name = "X", value_parser = speed)]
    pub speed: f64,
    /// Decides the games and everything that people do.
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub seed: u64,
    /// Keep the journal here; a temporary directory otherwise.
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Where the pages are served; port 0 takes a free one.
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "ADDR", value_parser = address)]
    pub http: SocketAddr,
    /// `embedded`, an address for the embedded broker to listen on, or mqtt://HOST:PORT of another.
    #[arg(long, default_value = "embedded", value_name = "ADDR|embedded", value_parser = broker)]
    pub mqtt: Broker,
    /// Leave all decisions to you, at the console.
    #[arg(long)]
    pub hands_on: bool,
    /// Nothing but play: no illegal moves, no knocked-over pieces, no calls.
    #[arg(long)]
    pub quiet_hall: bool,
    /// Stop when the last round is closed.
    #[arg(long)]
    pub exit_when_done: bool,
    /// Print what happens as JSON lines; the last line sums up.
    #[arg(long)]
    pub json: bool,
}

impl DemoArgs {
    /// A Swiss is what a hall plays; in a small field, or over many rounds, it may come to a round
    /// that has no pairing.
    fn pairing_system(&self) -> PairingSystem {
        let named = self.system.as_deref().and_then(PairingSystem::by_name);
        let by_size = if self.tables > 4 && self.rounds <= self.tables {
            "dutch"
        } else {
            "round-robin"
        };
        named
            .or_else(|| PairingSystem::by_name(by_size))
            .unwrap_or(PairingSystem::RoundRobin { cycles: 1 })
    }
}

fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| match text.parse::<u16>() {
        Ok(port) => format!("a port needs its address: write 127.0.0.1:{port}"),
        Err(_) => "write an address with a port, like 127.0.0.1:8080".to_owned(),
    })
}

fn speed(text: &str) -> Result<f64, String> {
    let speed: f64 = text
        .parse()
        .map_err(|_| format!("{text:?} is not a number"))?;
    if (0.1..=600.0).contains(&speed) {
        Ok(speed)
    } else {
        Err("the speed must lie between 0.1 and 600".to_owned())
    }
}

fn broker(text: &str) -> Result<Broker, String> {
    if let Ok(listen) = text.parse() {
        return Ok(Broker::Embedded {
            listen,
            login: None,
        });
    }
    if let Ok(port) = text.parse::<u16>() {
        return Err(format!("a port needs its address: write 127.0.0.1:{port}"));
    }
    match text
        .parse::<crate::config::Broker>()
        .map_err(|error| error.to_string())?
    {
        crate::config::Broker::Embedded => Ok(Broker::Embedded {
            listen: SocketAddr::from(([127, 0, 0, 1], 1883)),
            login: None,
        }),
        crate::config::Broker::External { host, port, tls } => Ok(Broker::External(External {
            host,
            port,
            tls,
            ca_file: None,
            user: None,
            password: None,
        })),
    }
}

/// Runs the demo.
///
/// # Errors
/// When it cannot start, or found a wrong result or move.
pub async fn run(args: DemoArgs) -> Result<(), Failure> {
    if args.rounds >= args.tables * 2 {
        let most = args.tables * 2 - 1;
        return Err(Failure::arguments(anyhow!(
            "{} players can play {} at most: add `--rounds {most}`, or `--tables {}` for {}",
            args.tables * 2,
            counted(usize::from(most), "round"),
            args.rounds / 2 + 1,
            counted(usize::from(args.rounds), "round"),
        )));
    }
    if let Some(data_dir) = &args.data
        && let Some(state) = app::held(data_dir).await?
    {
        may_go_on(&args, data_dir, &state)?;
    }
    let temporary = tempfile::tempdir().context("no temporary directory")?;
    let data_dir = args
        .data
        .clone()
        .unwrap_or_else(|| temporary.path().join("data"));
    let control = if args.speed > 1.0 { (10, 5) } else { (5, 3) };
    let (base, increment) = (
        Duration::from_mins(control.0),
        Duration::from_secs(control.1),
    );
    let hall = Hall::start(HallConfig {
        mix: flagfall_simulators::make::Mix::default(),
        tables: args.tables,
        first_table: 1,
        seed: args.seed,
        speed: args.speed,
        control: TimeControl::fischer(base, increment),
        incidents: if args.quiet_hall {
            Incidents::none()
        } else {
            Incidents::normal()
        },
        noise: Noise::none(),
        turned_share: 0.25,
        transport: Transport::Pty,
        links: Links::InDirectory(temporary.path().join("ports")),
    })
    .await
    .context("the simulated hall did not start")?;
    let shown = Shown::new(&args, TimeControl::fischer(base, increment));
    shown.before(&hall);
    let clock = HubClock::start(args.speed);
    let app = App::start(plan(&args, &hall, data_dir, clock, control)).await?;
    let console = args.hands_on.then(|| {
        let hub = addresses::pages(app.http).into_iter().next();
        format!("{}console", hub.unwrap_or_default())
    });
    let mut demo = Demo {
        arbiter: (!args.hands_on).then(|| Arbiter::new(args.seed)),
        report: Report::new(args.json, args.rounds, console),
        started: 0,
        asked_at: None,
        shown,
        args,
        hall,
        app,
    };
    demo.greet();
    let outcome = demo.play().await;
    let found = demo.finish().await?;
    outcome?;
    found
}

/// The journal of a real hall is not to be played on, and a demo goes on as it was begun.
fn may_go_on(args: &DemoArgs, data_dir: &Path, state: &HallState) -> Result<(), Failure> {
    let dir = data_dir.display();
    let elsewhere = "give --data another directory";
    let taken = |words: String| Err(Failure::taken(anyhow!(words)));
    let Some(held) = &state.set_up else {
        return if state.seq == 0 {
            Ok(())
        } else {
            taken(format!(
                "{dir} holds the journal of a hall, not of a demo: {elsewhere}"
            ))
        };
    };
    let is_demo = held.settings.name == NAME
        && held
            .players
            .iter()
            .all(|it| it.name == player_name(it.no.0));
    if !is_demo {
        return taken(format!(
            "{dir} holds the journal of \"{}\", not of a demo: {elsewhere}",
            held.settings.name
        ));
    }
    let (tables, rounds) = (
        held.players.len() / 2,
        held.settings.rounds.unwrap_or_default(),
    );
    if (tables, rounds) != (usize::from(args.tables), args.rounds) {
        return taken(format!(
            "{dir} holds a demo of {} and {}: go on with `--tables {tables} --rounds {rounds}`, or \
             {elsewhere}",
            counted(tables, "table"),
            counted(usize::from(rounds), "round"),
        ));
    }
    let playing = state
        .round()
        .filter(|round| round.started_at.is_some() && round.closed_at.is_none());
    if let Some(round) = playing {
        return taken(format!(
            "{dir} holds a demo that was stopped in the middle of round {}; its boards and players \
             are gone: {elsewhere}",
            round.number
        ));
    }
    Ok(())
}

fn plan(
    args: &DemoArgs,
    hall: &Hall,
    data_dir: PathBuf,
    clock: HubClock,
    control: (u64, u64),
) -> Plan {
    let ports = hall.ports();
    let port_settings = ports
        .iter()
        .map(|port| {
            let settings = PortSettings {
                table: Some(TableNo(port.table)),
                turned: None,
            };
            (port.endpoint.to_string(), settings)
        })
        .collect();
    let games = GamesSettings {
        dir: Some(data_dir.join("pgn")),
        broadcast: true,
        names: true,
        ..GamesSettings::default()
    };
    Plan {
        hub: "demo".to_owned(),
        data_dir,
        http: args.http,
        https: None,
        push: None,
        mqtt: MqttSettings {
            broker: args.mqtt.clone(),
            base: "flagfall".to_owned(),
            hub: "demo".to_owned(),
            client_suffix: mqtt::machine_suffix(),
            // Nobody in the demo is a real person.
            publish_names: true,
        },
        ports: Ports {
            include: ports.iter().map(|port| port.endpoint.to_string()).collect(),
            exclude: Vec::new(),
        },
        port_settings,
        serial: std::collections::BTreeMap::new(),
        families: std::collections::BTreeMap::new(),
        bluetooth: std::collections::BTreeSet::new(),
        record_dir: None,
        games,
        escalate_after: Duration::from_mins(1),
        clock_countdown: false,
        set_up: Some(set_up(args, &clock, control)),
        numbered: (1..=args.tables * 2).map(PlayerNo).collect(),
        left_out: Vec::new(),
        player_notes: Vec::new(),
        clock,
        auth: Auth::with_told_pin(PIN),
    }
}

fn set_up(args: &DemoArgs, clock: &HubClock, control: (u64, u64)) -> SetUp {
    // Fixed words, so always names that the settings accept.
    let section = "open"
        .parse()
        .unwrap_or_else(|_| unreachable!("a fixed short name"));
    let time_control = format!("{}+{}", control.0, control.1);
    let mut settings = EventSettings::new(NAME, section, Some(&time_control));
    settings.default_time = DefaultTime::After(Duration::from_mins(15));
    settings.rounds = Some(args.rounds);
    settings.system = args.pairing_system();
    let start = clock
        .now()
        .utc
        .saturating_add(PAUSE)
        .unwrap_or(clock.now().utc);
    settings.schedule = Schedule {
        zone: String::new(),
        rounds: vec![RoundStart::At { at: start }],
        otherwise: RoundStart::AfterPrevious { pause: PAUSE },
    };
    let players = (1..=args.tables * 2)
        .map(|no| Player {
            rating: Some(2450 - no * 7 % 1200),
            ..Player::new(PlayerNo(no), player_name(no))
        })
        .collect();
    SetUp { settings, players }
}

/// A name in one script, Latin and Cyrillic in turn, so that both are seen on the pages.
fn player_name(no: u16) -> String {
    const LATIN: ([&str; 12], [&str; 7]) = (
        [
            "Bondar",
            "Novak",
            "Lysenko",
            "Horvat",
            "Savchuk",
            "Marchenko",
            "Rudenko",
            "Moroz",
            "Petryk",
            "Zhuk",
            "Oliynyk",
            "Tymchuk",
        ],
        [
            "Olena", "Iryna", "Marko", "Daria", "Petro", "Yurii", "Lesia",
        ],
    );
    const CYRILLIC: ([&str; 12], [&str; 7]) = (
        [
            "Коваль",
            "Шевченко",
            "Мельник",
            "Ткач",
            "Гончар",
            "Кравець",
            "Клименко",
            "Левченко",
            "Дорош",
            "Сидорук",
            "Панченко",
            "Юрченко",
        ],
        [
            "Андрій",
            "Тарас",
            "Софія",
            "Остап",
            "Ганна",
            "Богдан",
            "Марія",
        ],
    );
    let index = usize::from(no - 1);
    let (surnames, names) = if index.is_multiple_of(2) {
        CYRILLIC
    } else {
        LATIN
    };
    let index = index / 2;
    format!(
        "{}, {}",
        surnames[index % surnames.len()],
        names[index % names.len()]
    )
}

struct Demo {
    args: DemoArgs,
    hall: Hall,
    app: App,
    arbiter: Option<Arbiter>,
    report: Report,
    /// The last round whose players were sent to their boards.
    started: u16,
    shown: Shown,
    asked_at: Option<flagfall_core::types::Mono>,
}

impl Demo {
    fn greet(&self) {
        let mut lines: Vec<String> = addresses::pages(self.app.http)
            .into_iter()
            .flat_map(|hub| {
                [
                    format!("countdown   {hub}screen"),
                    format!("arbiters    {hub}console   PIN {PIN}, any name"),
                    format!("broadcast   {hub}live/round.pgn"),
                    format!("API         {hub}api/openapi.json"),
                ]
            })
            .collect();
        if let Some(broker) = self.app.broker {
            lines.push(format!(
                "MQTT        mosquitto_sub -h {} -p {} -t 'flagfall/demo/#' -v",
                broker.ip(),
                broker.port()
            ));
        }
        let who = if self.arbiter.is_some() {
            "A simulated arbiter takes the decisions; --hands-on leaves them to you."
        } else {
            "The decisions are yours: publish the pairing, start the round, confirm results."
        };
        let head = format!(
            "{}, {}, {}x speed, seed {}. {who}",
            counted(usize::from(self.args.tables), "table"),
            counted(usize::from(self.args.rounds), "round"),
            self.args.speed,
            self.args.seed
        );
        if self.args.json {
            let mut err = std::io::stderr().lock();
            for line in lines {
                // A closed terminal is no reason to stop.
                drop(writeln!(err, "{line}"));
            }
        } else {
            let mut out = std::io::stdout().lock();
            // A closed terminal is no reason to stop.
            drop(writeln!(out, "{head}\n"));
            for line in lines {
                drop(writeln!(out, "  {line}"));
            }
            drop(writeln!(out));
        }
    }

    async fn play(&mut self) -> Result<(), Failure> {
        let mut updates = self.app.handle.updates();
        let request = Request {
            by: "demo".to_owned(),
            command: Command::PairRound,
        };
        match self.app.handle.command(request).await {
            // A journal from before: the round is there already.
            Ok(_) | Err(AskError::Refused(_)) => {}
            Err(error) => return Err(Failure::from(anyhow::Error::from(error))),
        }
        let hall = self.hall_view().await?;
        self.see(&as_update(&hall));
        let mut look = tokio::time::interval(Duration::from_millis(200));
        let stop = stop_signal();
        tokio::pin!(stop);
        loop {
            let wake = self.arbiter.as_ref().and_then(Arbiter::poll_timeout);
            let wake = wake.map(|at| self.app.clock.until(at));
            tokio::select! {
                () = &mut stop => return Ok(()),
                update = updates.recv() => match update {
                    Ok(update) => self.see(&update),
                    Err(RecvError::Lagged(_)) => {
                        let hall = self.hall_view().await?;
                        self.see(&as_update(&hall));
                    }
                    Err(RecvError::Closed) => return Ok(()),
                },
                () = tokio::time::sleep(wake.unwrap_or(Duration::MAX)), if wake.is_some() => {
                    self.decide().await;
                }
                _ = look.tick() => self.ask_players().await,
            }
            if self.report.all_closed() && self.args.exit_when_done {
                return Ok(());
            }
        }
    }

    async fn hall_view(&self) -> Result<std::sync::Arc<HallView>, Failure> {
        Ok(self.app.handle.hall().await.context("the hub is gone")?)
    }

    fn see(&mut self, update: &Update) {
        self.report.see(update);
        if let Some(round) = &update.round {
            self.see_round(round);
        }
        if let Some(arbiter) = &mut self.arbiter {
            arbiter.handle_update(self.app.clock.now().mono, update);
        }
    }

    /// The declared start sends the players to their boards.
    fn see_round(&mut self, round: &RoundView) {
        if matches!(round.phase, Phase::Started | Phase::Playing) && round.number.0 > self.started {
            self.started = round.number.0;
            let tables: Vec<u16> = (1..=self.args.tables).collect();
            self.hall.start_round(u32::from(round.number.0), &tables);
            self.shown.started(&self.hall, round.number.0);
        }
        if round.phase == Phase::Closed {
            self.shown.closed(&self.hall, round.number.0);
        }
    }

    async fn decide(&mut self) {
        let now = self.app.clock.now().mono;
        while let Some(request) = self.arbiter.as_mut().and_then(|it| it.poll_request(now)) {
            // What was overtaken in the meantime is refused; he goes on.
            if let Err(error) = self.app.handle.command(request).await {
                tracing::debug!(%error, "the arbiter came too late");
            }
        }
    }

    /// The last way to a result: the arbiter walks to the board and asks. Each time is counted, since
    /// the hub should have found it.
    async fn ask_players(&mut self) {
        if self.arbiter.is_none() || self.started == 0 {
            return;
        }
        let round = u32::from(self.started);
        let now = self.app.clock.now().mono;
        if !self.hall.round_finished(round) {
            self.asked_at = None;
            return;
        }
        if now.since(*self.asked_at.get_or_insert(now)) < ASK_AFTER {
            return;
        }
        self.asked_at = Some(now);
        let Ok(hall) = self.app.handle.hall().await else {
            return;
        };
        // The next round may be paired already: those players have not sat down yet.
        if hall
            .round
            .as_ref()
            .is_none_or(|it| it.number.0 != self.started)
        {
            return;
        }
        for table in hall
            .tables
            .iter()
            .filter(|table| table.white.is_some() && table.result.is_none())
        {
            let Some(truth) = self.hall.truth(round, table.table.0) else {
                continue;
            };
            let command = Command::SetResult {
                table: table.table,
                result: truth.result.clone(),
                termination: None,
                note: Some("asked the players".to_owned()),
            };
            let request = Request {
                by: arbiter::NAME.to_owned(),
                command,
            };
            if self.app.handle.command(request).await.is_ok() {
                self.report.asked(table.table);
            }
        }
    }

    async fn finish(mut self) -> Result<Result<(), Failure>, Failure> {
        for round in 1..=self.args.rounds {
            for table in 1..=self.args.tables {
                let Some(truth) = self.hall.truth(u32::from(round), table) else {
                    continue;
                };
                let (round, table) = (flagfall_core::types::RoundNo(round), TableNo(table));
                let game = self
                    .app
                    .handle
                    .game(table, Some(round))
                    .await
                    .context("the hub is gone")?;
                self.report.compare(&truth, game.as_ref());
            }
        }
        let dropped = self
            .app
            .ports
            .snapshot()
            .values()
            .map(|port| port.counters.bytes_dropped)
            .sum();
        let latency = self.app.latency.clone();
        let events = self.app.journal.last_seq();
        self.app.stop().await;
        self.hall.shutdown().await;
        let wrong = self.report.print(events, dropped, &latency);
        // What a person decided otherwise is his decision.
        let judged = self.arbiter.is_some();
        Ok(wrong
            .map_err(Failure::wrong_result)
            .or_else(|wrong| if judged { Err(wrong) } else { Ok(()) }))
    }
}

fn as_update(hall: &HallView) -> Update {
    Update {
        seq: hall.seq,
        event: hall.event.clone(),
        round: hall.round.clone(),
        earlier: Vec::new(),
        tables: hall.tables.clone(),
        alerts: Some(hall.alerts.clone()),
        proposals: Some(hall.proposals.clone()),
        devices: Some(hall.devices.clone()),
        screens: Some(hall.screens.clone()),
        show: Some(hall.show.clone()),
        staff: Some(hall.staff.clone()),
        protests: Some(hall.protests.clone()),
    }
}
