//! Simulated boards of several makers, the conversations that the registry has for them, and the hub, in
//! virtual time.

use std::{collections::BTreeMap, time::Duration};

use flagfall_core::{
    hub::{
        Hub, HubSettings, PortSettings,
        command::{Command, Request},
        event::{Event, Fact, SetUp},
        state::HallState,
    },
    protocol::{
        Link, Observation,
        certabo::tags::SharedTags,
        registry::{Habits, Kind},
    },
    tournament::{EventSettings, PairingSystem, Player, event::DefaultTime},
    types::{Mono, Now, PlayerNo, TableNo},
};
use flagfall_simulators::{
    board::Noise,
    clock::TimeControl,
    hands::{Incidents, Note},
    make::Make,
    table::{GameTruth, TableConfig, TableSim},
};
use jiff::Timestamp;

const QUANTUM: Duration = Duration::from_millis(10);
/// The arbiter writes the result down so long after the end of a game.
const WRITTEN_AFTER: Duration = Duration::from_secs(8);

pub(crate) struct Line {
    pub(crate) sims: Vec<TableSim>,
    pub(crate) link: Box<dyn Link>,
    pub(crate) port: String,
    make: Make,
    open: bool,
    reopen_at: Option<Duration>,
}

/// Tables in the order of their makers; those of a bus share one line.
pub(crate) struct Hall {
    pub(crate) hub: Hub,
    pub(crate) now: Duration,
    pub(crate) lines: Vec<Line>,
    pub(crate) journal: Vec<Event>,
    pub(crate) seen: Vec<(Duration, String, Observation)>,
    results: Vec<(Duration, TableNo, String)>,
}

impl Hall {
    pub(crate) fn new(makes: &[Make], seed: u64, incidents: &Incidents) -> Self {
        let tags = SharedTags::default();
        let mut lines: Vec<Line> = Vec::new();
        let mut ports = BTreeMap::new();
        for (table, make) in (1..).zip(makes.iter().copied()) {
            let config = TableConfig {
                seed,
                table,
                turned: table % 3 == 0,
                control: TimeControl::fischer(Duration::from_mins(3), Duration::from_secs(2)),
                incidents: incidents.clone(),
                noise: Noise::none(),
            };
            let sim = TableSim::of(config, make);
            let serial = sim.board().identity().serial;
            match lines.last_mut() {
                Some(line) if line.make == Make::Bus && make == Make::Bus => line.sims.push(sim),
                _ => {
                    let kind = Kind::named(make.family()).unwrap();
                    let habits = Habits {
                        tags: tags.clone(),
                        ..Habits::default()
                    };
                    lines.push(Line {
                        sims: vec![sim],
                        link: kind.link(&habits).unwrap(),
                        port: format!("line-{table}"),
                        make,
                        open: false,
                        reopen_at: Some(Duration::ZERO),
                    });
                }
            }
            let line = &lines.last().unwrap().port;
            let port = match make {
                Make::Bus => format!("{line}#{serial:05}"),
                _ => line.clone(),
            };
            let table = Some(TableNo(table));
            ports.insert(
                port,
                PortSettings {
                    table,
                    turned: None,
                },
            );
        }
        let settings = HubSettings {
            ports,
            ..HubSettings::default()
        };
        let mut hall = Self {
            hub: Hub::new(settings, HallState::default(), at(Duration::ZERO)),
            now: Duration::ZERO,
            lines,
            journal: Vec::new(),
            seen: Vec::new(),
            results: Vec::new(),
        };
        hall.hub
            .handle_set_up(at(hall.now), event(makes.len() as u16));
        hall
    }

    /// Pairs and starts the round; everybody plays the game that seed and table choose.
    pub(crate) fn start(&mut self) {
        self.ask(Command::PairRound);
        self.ask(Command::PublishRound);
        self.ask(Command::StartRound);
        for sim in self.lines.iter_mut().flat_map(|line| &mut line.sims) {
            sim.start_round(self.now, 1, None);
        }
    }

    pub(crate) fn ask(&mut self, command: Command) {
        let by = "arbiter".to_owned();
        self.hub
            .handle_request(at(self.now), Request { by, command })
            .unwrap();
        self.drain();
    }

    pub(crate) fn sim(&mut self, table: u16) -> &mut TableSim {
        let mut sims = self.lines.iter_mut().flat_map(|line| &mut line.sims);
        sims.find(|sim| sim.config().table == table).unwrap()
    }

    pub(crate) fn truth(&mut self, table: u16) -> GameTruth {
        self.sim(table).truth(1).unwrap().clone()
    }

    /// The moves that the hub has of a table.
    pub(crate) fn moves(&self, table: u16) -> Vec<String> {
        let game = self.hub.state().game(TableNo(table)).unwrap();
        game.moves.iter().map(|made| made.uci.to_string()).collect()
    }

    /// What the journal says of gaps and disorder at a table.
    pub(crate) fn board_facts(&self, table: u16) -> Vec<String> {
        let here = self
            .journal
            .iter()
            .filter(|event| event.table == Some(TableNo(table)));
        here.filter_map(|event| match &event.fact {
            Fact::Board(fact) => Some(format!("{fact:?}")),
            _ => None,
        })
        .collect()
    }

    pub(crate) fn all_over(&self) -> bool {
        let mut sims = self.lines.iter().flat_map(|line| &line.sims);
        sims.all(|sim| sim.truth(1).is_some_and(|truth| truth.finished))
    }

    pub(crate) fn run(&mut self, time: Duration) {
        let until = self.now + time;
        while self.now < until {
            self.step();
        }
    }

    pub(crate) fn run_until(&mut self, limit: Duration, done: impl Fn(&mut Self) -> bool) {
        let until = self.now + limit;
        while !done(self) {
            assert!(self.now < until, "not within {limit:?}");
            self.step();
        }
    }

    fn step(&mut self) {
        self.now += QUANTUM;
        for index in 0..self.lines.len() {
            self.pump(index);
        }
        let now = at(self.now);
        while self.hub.poll_timeout().is_some_and(|due| due <= now.mono) {
            self.hub.handle_timeout(now);
        }
        self.drain();
        let due = self.results.iter().position(|(due, ..)| *due <= self.now);
        if let Some(index) = due {
            let (_, table, result) = self.results.remove(index);
            self.ask(Command::SetResult {
                table,
                result,
                termination: None,
                note: None,
            });
        }
    }

    fn pump(&mut self, index: usize) {
        let now = Mono(self.now);
        let line = &mut self.lines[index];
        if line.reopen_at.is_some_and(|due| due <= self.now) {
            line.reopen_at = None;
            line.open = true;
            line.link.handle_open(now);
        }
        for sim in &mut line.sims {
            if let Some(bytes) = sim.poll_transmit(self.now) {
                line.link.handle_bytes(now, &bytes);
            }
        }
        if line.link.poll_timeout().is_some_and(|due| due <= now) {
            line.link.handle_timeout(now);
        }
        while let Some(bytes) = line.link.poll_transmit() {
            for sim in &mut line.sims {
                sim.handle_bytes(self.now, &bytes);
            }
        }
        if let Some(wait) = line.link.poll_reopen() {
            line.open = false;
            line.reopen_at = Some(self.now + wait);
        }
        while let Some((part, seen)) = line.link.poll_part_event() {
            let port = match part {
                Some(part) => format!("{}#{}", line.port, part.0),
                None => line.port.clone(),
            };
            self.seen.push((self.now, port.clone(), seen.clone()));
            self.hub.handle_observation(at(self.now), &port, seen);
        }
        for sim in &mut line.sims {
            while let Some(event) = sim.poll_event() {
                if let Note::Over { .. } = event.note
                    && let Some(truth) = sim.truth(1)
                {
                    let table = TableNo(event.table);
                    let due = self.now + WRITTEN_AFTER;
                    self.results.push((due, table, truth.result.clone()));
                }
            }
        }
    }

    fn drain(&mut self) {
        while let Some(event) = self.hub.poll_event() {
            self.journal.push(event);
        }
        while self.hub.poll_clock_command().is_some() {}
    }
}

fn at(now: Duration) -> Now {
    let start: Timestamp = "2026-12-05T08:00:00Z".parse().unwrap();
    Now {
        mono: Mono(now),
        utc: start + now,
    }
}

fn event(tables: u16) -> SetUp {
    let section = "open".parse().unwrap();
    let mut settings = EventSettings::new("Mixed hall", section, Some("3+2"));
    settings.default_time = DefaultTime::None;
    settings.rounds = Some(1);
    settings.system = PairingSystem::by_name("dutch").unwrap();
    let players = (1..=tables * 2)
        .map(|no| Player::new(PlayerNo(no), format!("Player {no}")))
        .collect();
    SetUp { settings, players }
}
