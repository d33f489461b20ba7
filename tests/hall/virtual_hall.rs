//! A hall in virtual time: simulated tables, the pure links and the pure hub, with no runtime and no
//! wall clock between them. The same seed gives the same journal.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use flagfall::demo::arbiter::Arbiter;
use flagfall_core::{
    hub::{
        Hub, HubSettings, PortSettings,
        command::{Command, Request},
        event::{AlertFact, Event, Fact, SetUp},
        state::HallState,
        view::Phase,
    },
    protocol::{
        Link, Observation,
        dgt::link::{DgtLink, DgtSettings},
    },
    tournament::{
        EventSettings, Player,
        event::{DefaultTime, PairingSystem},
        schedule::{RoundStart, Schedule},
    },
    types::{Mono, Now, Piece, PlayerNo, RoundNo, TableNo},
};
use flagfall_simulators::{
    board::Noise,
    clock::TimeControl,
    hands::Incidents,
    table::{GameTruth, TableConfig, TableSim},
};
use jiff::Timestamp;

/// The grain of virtual time on the wires.
const QUANTUM: Duration = Duration::from_millis(20);

/// How often the arbiter walks through the hall.
const ASK_EVERY: Duration = Duration::from_mins(10);

/// Trouble that the hall has to bear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// The cable is out for a while.
    Unplug(Duration),
    /// Noise on the line: bytes that mean nothing.
    Garbage(usize),
    /// What the board says is lost for a while, and the line stays open.
    Deaf(Duration),
}

/// Which trouble there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Faults {
    CutsAndNoise,
    Losses,
}

pub(crate) struct HallPlan {
    pub(crate) tables: u16,
    pub(crate) rounds: u16,
    pub(crate) seed: u64,
    pub(crate) incidents: Incidents,
    /// How badly the boards read their men.
    pub(crate) noise: Noise,
    /// The tables play the games of the library one after the other from this one on, not those that
    /// chance gives them.
    pub(crate) first_game: Option<usize>,
    pub(crate) base: Duration,
    pub(crate) increment: Duration,
    /// A fault at a random table on average once in this time.
    pub(crate) fault_every: Option<Duration>,
    pub(crate) faults: Faults,
    /// Everything that is seen, told and done at these tables is printed.
    pub(crate) trace: Vec<u16>,
}

pub(crate) struct Outcome {
    pub(crate) journal: Vec<Event>,
    pub(crate) truths: BTreeMap<(u16, u16), GameTruth>,
    pub(crate) state: HallState,
    pub(crate) bytes_dropped: u64,
    /// Games whose result the hub did not find: the arbiter had to ask.
    pub(crate) asked: Vec<(u16, u16)>,
}

struct Wire {
    sim: TableSim,
    link: DgtLink,
    port: String,
    plugged: bool,
    plug_at: Option<Duration>,
    /// Until then what the board says is lost.
    deaf_until: Duration,
    reopen_at: Option<Duration>,
    due: Duration,
}

pub(crate) struct VirtualHall {
    plan: HallPlan,
    now: Duration,
    start: Timestamp,
    hub: Hub,
    wires: Vec<Wire>,
    /// When each wire acts next.
    due: BTreeSet<(Duration, usize)>,
    arbiter: Arbiter,
    journal: Vec<Event>,
    faults: u64,
    rng: u64,
    started_round: u16,
    asked: Vec<(u16, u16)>,
    /// Games seen finished at the last look.
    finished_at: BTreeSet<(u16, u16)>,
    ask_at: Option<Duration>,
}

pub(crate) fn set_up(tables: u16, rounds: u16, start: Timestamp) -> SetUp {
    let section = "open".parse().unwrap();
    let mut settings = EventSettings::new("Virtual hall", section, Some("5+3"));
    settings.default_time = DefaultTime::After(Duration::from_mins(15));
    settings.rounds = Some(rounds);
    settings.system = PairingSystem::RoundRobin { cycles: 1 };
    settings.schedule = Schedule {
        zone: String::new(),
        rounds: vec![RoundStart::At {
            at: start + Duration::from_mins(16),
        }],
        otherwise: RoundStart::AfterPrevious {
            pause: Duration::from_mins(16),
        },
    };
    let players = (1..=tables * 2)
        .map(|no| Player::new(PlayerNo(no), format!("Player {no}")))
        .collect();
    SetUp { settings, players }
}

impl VirtualHall {
    pub(crate) fn new(plan: HallPlan) -> Self {
        let start: Timestamp = "2026-12-05T08:00:00Z".parse().unwrap();
        let ports = (1..=plan.tables)
            .map(|table| {
                (
                    port(table),
                    PortSettings {
                        table: Some(TableNo(table)),
                        turned: None,
                    },
                )
            })
            .collect();
        let settings = HubSettings {
            ports,
            id_salt: 1,
            ..HubSettings::default()
        };
        let now = Now {
            mono: Mono::ZERO,
            utc: start,
        };
        let mut hub = Hub::new(settings, HallState::default(), now);
        hub.handle_set_up(now, set_up(plan.tables, plan.rounds, start));
        hub.handle_screens(now, 1);
        let wires = (1..=plan.tables)
            .map(|table| Wire {
                sim: TableSim::new(TableConfig {
                    seed: plan.seed,
                    table,
                    turned: table % 5 == 0,
                    control: TimeControl::fischer(plan.base, plan.increment),
                    incidents: plan.incidents.clone(),
                    noise: plan.noise,
                }),
                link: DgtLink::new(DgtSettings::CABLE),
                port: port(table),
                plugged: true,
                plug_at: None,
                deaf_until: Duration::ZERO,
                reopen_at: Some(Duration::ZERO),
                due: Duration::ZERO,
            })
            .collect::<Vec<_>>();
        let due = (0..wires.len())
            .map(|index| (Duration::ZERO, index))
            .collect();
        let (arbiter, rng) = (Arbiter::new(plan.seed), plan.seed | 1);
        Self {
            plan,
            now: Duration::ZERO,
            start,
            hub,
            wires,
            due,
            arbiter,
            journal: Vec::new(),
            faults: 0,
            rng,
            started_round: 0,
            asked: Vec::new(),
            finished_at: BTreeSet::new(),
            ask_at: Some(ASK_EVERY),
        }
    }

    fn now(&self) -> Now {
        Now {
            mono: Mono(self.now),
            utc: self.start + self.now,
        }
    }

    fn random(&mut self, below: u64) -> u64 {
        // xorshift: the harness needs chance that is the same everywhere.
        self.rng ^= self.rng << 13;
        self.rng ^= self.rng >> 7;
        self.rng ^= self.rng << 17;
        self.rng % below
    }

    /// Plays the whole event, or fails loudly after two virtual days.
    pub(crate) fn run(mut self) -> Outcome {
        let limit = Duration::from_hours(48);
        let mut next_fault = self.plan.fault_every;
        // The first round is paired by whoever sets the event up.
        let request = Request {
            by: "organiser".to_owned(),
            command: Command::PairRound,
        };
        self.hub.handle_request(self.now(), request).unwrap();
        self.settle();
        while !self.finished() {
            assert!(
                self.now < limit,
                "the hall hangs: {:?}",
                self.hub
                    .state()
                    .round()
                    .map(|r| { (r.number, r.open_tables().collect::<Vec<_>>()) })
            );
            let wire = self.due.first().map(|(at, _)| *at);
            let hub = self.hub.poll_timeout().map(|at| at.0);
            let arbiter = self.arbiter.poll_timeout().map(|at| at.0);
            let next = [wire, hub, arbiter, next_fault, self.ask_at]
                .into_iter()
                .flatten()
                .min()
                .unwrap();
            self.now = self.now.max(next);
            if next_fault.is_some_and(|at| at <= self.now) {
                self.fault();
                let every = self.plan.fault_every.unwrap().as_millis() as u64;
                let gap = Duration::from_millis(every / 2 + self.random(every));
                next_fault = Some(self.now + gap);
            }
            while let Some(&(at, index)) = self.due.first() {
                if at > self.now {
                    break;
                }
                self.due.pop_first();
                self.pump(index);
            }
            let now = self.now();
            if self.hub.poll_timeout().is_some_and(|at| at <= now.mono) {
                self.hub.handle_timeout(now);
            }
            while let Some(request) = self.arbiter.poll_request(now.mono) {
                // What overtook him in the meantime is refused; he goes on.
                let _ = self.hub.handle_request(now, request);
                self.settle();
            }
            self.settle();
            if self.ask_at.is_some_and(|at| at <= self.now) {
                self.ask_at = Some(self.now + ASK_EVERY);
                self.ask_players();
            }
        }
        let mut truths = BTreeMap::new();
        let mut bytes_dropped = 0;
        for (table, wire) in (1..).zip(&self.wires) {
            bytes_dropped += wire.link.counters().bytes_dropped;
            for round in 1..=self.plan.rounds {
                if let Some(truth) = wire.sim.truth(u32::from(round)) {
                    truths.insert((round, table), truth.clone());
                }
            }
        }
        let state = self.hub.state().clone();
        let (journal, asked) = (self.journal, self.asked);
        Outcome {
            journal,
            truths,
            state,
            bytes_dropped,
            asked,
        }
    }

    /// Whoever has finished ten minutes ago and has no result yet is asked by the arbiter.
    fn ask_players(&mut self) {
        let Some(round) = self.hub.state().round() else {
            return;
        };
        let number = round.number.0;
        let open: Vec<TableNo> = round.open_tables().collect();
        for table in open {
            let sim = &self.wires[usize::from(table.0) - 1].sim;
            let Some(truth) = sim.truth(u32::from(number)).filter(|truth| truth.finished) else {
                continue;
            };
            let result = truth.result.clone();
            if !self.finished_at.insert((number, table.0)) {
                let command = Command::SetResult {
                    table,
                    result,
                    termination: None,
                    note: None,
                };
                let request = Request {
                    by: "arbiter".to_owned(),
                    command,
                };
                self.hub.handle_request(self.now(), request).unwrap();
                self.asked.push((number, table.0));
                self.settle();
            }
        }
    }

    fn finished(&self) -> bool {
        self.hub.state().round().is_some_and(|round| {
            round.number == RoundNo(self.plan.rounds) && round.closed_at.is_some()
        })
    }

    /// Lets one wire do everything that is due, both ways.
    fn pump(&mut self, index: usize) {
        let now = self.now();
        let wire = &mut self.wires[index];
        if wire.plug_at.is_some_and(|at| at <= self.now) {
            wire.plug_at = None;
            wire.plugged = true;
            wire.reopen_at = Some(self.now);
        }
        if wire.plugged && wire.reopen_at.is_some_and(|at| at <= self.now) {
            wire.reopen_at = None;
            wire.link.handle_open(now.mono);
        }
        for _ in 0..64 {
            wire.sim.handle_timeout(self.now);
            if wire.link.poll_timeout().is_some_and(|at| at <= now.mono) {
                wire.link.handle_timeout(now.mono);
            }
            let mut quiet = true;
            while let Some(bytes) = wire.sim.poll_transmit(self.now) {
                quiet = false;
                if wire.plugged && wire.deaf_until <= self.now {
                    wire.link.handle_bytes(now.mono, &bytes);
                }
            }
            while let Some(bytes) = wire.link.poll_transmit() {
                quiet = false;
                if wire.plugged {
                    wire.sim.handle_bytes(self.now, &bytes);
                }
            }
            if let Some(wait) = wire.link.poll_reopen() {
                wire.reopen_at = Some(self.now + wait);
            }
            while let Some(observation) = wire.link.poll_event() {
                quiet = false;
                if self.plan.trace.contains(&(index as u16 + 1)) {
                    trace(index as u16 + 1, now, &observation);
                }
                self.hub.handle_observation(now, &wire.port, observation);
            }
            if quiet {
                break;
            }
        }
        while let Some(event) = wire.sim.poll_event() {
            if self.plan.trace.contains(&(index as u16 + 1)) {
                eprintln!(
                    "{:4}{:10.3} players {:?}",
                    index + 1,
                    event.at.as_secs_f64(),
                    event.note
                );
            }
        }
        let next = [
            wire.sim.poll_timeout(),
            wire.link.poll_timeout().map(|at| at.0),
            wire.plug_at,
            wire.reopen_at.filter(|_| wire.plugged),
        ];
        if let Some(at) = next.into_iter().flatten().min() {
            // A message comes in as a whole rather than byte by byte.
            self.schedule(index, at.max(self.now + QUANTUM));
        }
    }

    fn schedule(&mut self, index: usize, at: Duration) {
        let wire = &mut self.wires[index];
        self.due.remove(&(wire.due, index));
        wire.due = at;
        self.due.insert((at, index));
    }

    fn fault(&mut self) {
        self.faults += 1;
        let index = self.random(self.wires.len() as u64) as usize;
        let kind = if self.plan.faults == Faults::Losses {
            FaultKind::Deaf(Duration::from_millis(20 + self.random(4_500)))
        } else if self.random(2) == 0 {
            FaultKind::Unplug(Duration::from_secs(3 + self.random(40)))
        } else {
            FaultKind::Garbage(1 + self.random(200) as usize)
        };
        let now = self.now();
        match kind {
            FaultKind::Unplug(time) => {
                let wire = &mut self.wires[index];
                if !wire.plugged {
                    return;
                }
                wire.plugged = false;
                wire.plug_at = Some(self.now + time);
                wire.link.handle_closed(now.mono);
            }
            FaultKind::Deaf(time) => self.wires[index].deaf_until = self.now + time,
            FaultKind::Garbage(length) => {
                let noise: Vec<u8> = (0..length).map(|_| self.random(256) as u8).collect();
                if self.wires[index].plugged {
                    self.wires[index].link.handle_bytes(now.mono, &noise);
                }
            }
        }
        self.schedule(index, self.now);
    }

    /// Events into the journal, updates to the arbiter, the declared start to the players.
    fn settle(&mut self) {
        let now = self.now();
        while let Some(event) = self.hub.poll_event() {
            if let Some(table) = event.table.filter(|it| self.plan.trace.contains(&it.0)) {
                let seconds = now.mono.0.as_secs_f64();
                eprintln!("{:4}{seconds:10.3} hub {:?}", table.0, event.fact);
            }
            self.journal.push(event);
        }
        if let Some(update) = self.hub.take_update(now) {
            self.arbiter.handle_update(now.mono, &update);
            if let Some(round) = update.round
                && round.phase == Phase::Started
                && round.number.0 > self.started_round
            {
                self.started_round = round.number.0;
                for index in 0..self.wires.len() {
                    let game = self.plan.first_game.map(|first| first + index);
                    let round = u32::from(round.number.0);
                    self.wires[index].sim.start_round(self.now, round, game);
                    self.schedule(index, self.now);
                }
            }
        }
        while self.hub.poll_clock_command().is_some() {}
    }
}

fn port(table: u16) -> String {
    format!("table-{table:03}")
}

fn trace(table: u16, now: Now, observation: &Observation) {
    let seconds = now.mono.0.as_secs_f64();
    match observation {
        Observation::Placement { placement, change } => match change {
            Some(change) => eprintln!(
                "{table:4}{seconds:10.3} board {} {}",
                change.square,
                change.piece.map_or('.', Piece::char)
            ),
            None => eprintln!("{table:4}{seconds:10.3} board {placement}"),
        },
        Observation::Clock(reading) => eprintln!(
            "{table:4}{seconds:10.3} clock {:?} {:?} {} {:?}",
            reading.left.time, reading.right.time, reading.running, reading.lever_high
        ),
        other => eprintln!("{table:4}{seconds:10.3} {other:?}"),
    }
}

/// How often each kind of alert was raised, for messages.
pub(crate) fn alerts(journal: &[Event]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for event in journal {
        if let Fact::Alert(AlertFact::Raised { about, .. }) = &event.fact {
            *counts.entry(format!("{about:?}")).or_default() += 1;
        }
    }
    counts
}
