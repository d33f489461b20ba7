//! A hall of clocks in virtual time.

use std::time::Duration;

use flagfall_core::{
    hub::{
        Hub, HubSettings, PortSettings,
        command::{Command, Refused, Request},
        event::{AlertKind, Event, SetUp},
        screens::SeenScreens,
        staff::{Duty, EventLevel, Member, Staff, Zone},
        state::{Alert, HallState},
        view::{AlertView, HallView},
    },
    protocol::{ClockReading, ClockSide, DeviceInfo, FaceReading, Observation},
    tournament::{EventSettings, PairingSystem, Player, event::DefaultTime},
    types::{Color, Mono, Now, PlayerNo, TableNo},
};

pub(crate) struct Hall {
    pub(crate) hub: Hub,
    pub(crate) now: Duration,
    pub(crate) journal: Vec<Event>,
}

/// What the clocks show at the start, seconds: a flag falls without a jump.
pub(crate) const WHITE: u64 = 1;
pub(crate) const BLACK: u64 = 120;

pub(crate) fn at(now: Duration) -> Now {
    let start: jiff::Timestamp = "2026-12-05T08:00:00Z".parse().unwrap();
    Now {
        mono: Mono(now),
        utc: start.checked_add(now).unwrap(),
    }
}

fn settings(tables: u16) -> HubSettings {
    let port = |table| {
        let settings = PortSettings {
            table: Some(TableNo(table)),
            turned: None,
        };
        (format!("port-{table}"), settings)
    };
    HubSettings {
        ports: (1..=tables).map(port).collect(),
        ..HubSettings::default()
    }
}

impl Hall {
    /// A round is played at so many tables, each with a clock that runs.
    pub(crate) fn playing(tables: u16, change: impl FnOnce(&mut EventSettings)) -> Self {
        let mut hall = Self::published(tables, change);
        hall.ask("Chief", Command::StartRound).unwrap();
        for table in 1..=tables {
            hall.clock(table, WHITE, BLACK, Some(Color::White));
        }
        hall
    }

    /// The pairing is public and a board with a clock is at every table.
    pub(crate) fn published(tables: u16, change: impl FnOnce(&mut EventSettings)) -> Self {
        let mut event = EventSettings::new("Cup", "open".parse().unwrap(), Some("5+3"));
        event.system = PairingSystem::by_name("dutch").unwrap();
        event.rounds = Some(3);
        event.default_time = DefaultTime::None;
        change(&mut event);
        let players = (1..=tables * 2)
            .map(|no| Player::new(PlayerNo(no), format!("Player {no}")))
            .collect();
        let mut hall = Self {
            hub: Hub::new(settings(tables), HallState::default(), at(Duration::ZERO)),
            now: Duration::ZERO,
            journal: Vec::new(),
        };
        let set_up = SetUp {
            settings: event,
            players,
        };
        hall.hub.handle_set_up(at(hall.now), set_up);
        hall.hub
            .handle_screens(at(hall.now), SeenScreens::nameless(1));
        for table in 1..=tables {
            let info = DeviceInfo {
                family: "dgt-board".to_owned(),
                serial: Some(format!("{table:05}")),
                version: None,
            };
            hall.observe(table, Observation::Found(info));
        }
        hall.ask("Chief", Command::PairRound).unwrap();
        hall.ask("Chief", Command::PublishRound).unwrap();
        hall
    }

    pub(crate) fn observe(&mut self, table: u16, observation: Observation) {
        let port = format!("port-{table}");
        self.hub
            .handle_observation(at(self.now), &port, observation);
        self.drain();
    }

    /// White's clock is on the left, as for a board that is not turned.
    pub(crate) fn clock(&mut self, table: u16, white: u64, black: u64, runs: Option<Color>) {
        let face = |seconds| FaceReading {
            time: Duration::from_secs(seconds),
            flag_blocked: seconds == 0,
            flag_shown: seconds == 0,
            time_per_move: true,
        };
        let reading = ClockReading {
            left: face(white),
            right: face(black),
            running: runs.is_some(),
            lever_high: match runs {
                Some(Color::Black) => ClockSide::Right,
                Some(Color::White) | None => ClockSide::Left,
            },
            battery_low: false,
        };
        self.observe(table, Observation::Clock(reading));
    }

    /// White's flag falls.
    pub(crate) fn flag(&mut self, table: u16) {
        self.clock(table, 0, BLACK, Some(Color::White));
    }

    pub(crate) fn ask(&mut self, by: &str, command: Command) -> Result<(), Refused> {
        let by = by.to_owned();
        let done = self
            .hub
            .handle_request(at(self.now), Request { by, command });
        self.drain();
        done
    }

    /// The hub is started anew from its journal; what is plugged in is found again.
    pub(crate) fn restart(&mut self, settings: HubSettings) {
        self.hub = Hub::new(settings, self.hub.state().clone(), at(self.now));
        self.drain();
        let devices = self.hub.state().devices.values();
        let found: Vec<(String, DeviceInfo)> = devices
            .map(|device| (device.port.clone(), device.info.clone()))
            .collect();
        for (port, info) in found {
            let found = Observation::Found(info);
            self.hub.handle_observation(at(self.now), &port, found);
        }
        self.drain();
    }

    fn drain(&mut self) {
        while let Some(event) = self.hub.poll_event() {
            self.journal.push(event);
        }
    }

    /// Time passes; what is due happens when it is due.
    pub(crate) fn wait(&mut self, seconds: u64) {
        let until = self.now + Duration::from_secs(seconds);
        while let Some(due) = self.hub.poll_timeout() {
            if due > Mono(until) {
                break;
            }
            self.now = self.now.max(due.0);
            self.hub.handle_timeout(at(self.now));
            self.drain();
        }
        self.now = until;
    }

    pub(crate) fn view(&self) -> HallView {
        self.hub.hall_view(at(self.now))
    }

    /// The open alert of a kind at a table.
    pub(crate) fn alert(&self, table: u16, about: AlertKind) -> (u64, &Alert) {
        self.find(table, about)
            .unwrap_or_else(|| panic!("no {about:?} at table {table}"))
    }

    pub(crate) fn find(&self, table: u16, about: AlertKind) -> Option<(u64, &Alert)> {
        (self.hub.state().alerts.iter())
            .find(|(_, alert)| alert.table == Some(TableNo(table)) && alert.about == about)
            .map(|(number, alert)| (*number, alert))
    }

    pub(crate) fn shown(&self, number: u64) -> AlertView {
        let view = self.view();
        view.alerts.into_iter().find(|it| it.id == number).unwrap()
    }

    /// The journal tells the same state again, from its own text.
    pub(crate) fn replays(&self) {
        let mut state = HallState::default();
        for event in &self.journal {
            let text = serde_json::to_string(event).unwrap();
            state.apply(&serde_json::from_str(&text).unwrap());
        }
        assert_eq!(&state, self.hub.state());
    }
}

/// A chief and arbiters with zones of ten tables each.
pub(crate) fn staff(arbiters: &[&str]) -> Staff {
    let member = |name: &str, duty, tables| Member {
        name: name.to_owned(),
        duty,
        tables,
        shifts: Vec::new(),
    };
    let mut members = vec![
        member("Chief", Duty::Chief, Vec::new()),
        member("Deputy", Duty::Deputy, Vec::new()),
    ];
    members.extend((0..).zip(arbiters).map(|(at, name)| {
        let zone = Zone {
            from: TableNo(at * 10 + 1),
            to: TableNo(at * 10 + 10),
        };
        member(name, Duty::Arbiter, vec![zone])
    }));
    Staff {
        level: EventLevel::Other,
        members,
    }
}
