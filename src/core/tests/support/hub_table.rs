//! One table in virtual time, by the second.

#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "a helper that fails is a test that fails, and each user needs a part of them"
)]

use std::time::Duration;

use flagfall_core::{
    hub::{
        command::Command,
        event::{AlertKind, ClockFact, Event, Fact},
        state::HallState,
    },
    protocol::{ClockReading, ClockSide, DeviceInfo, FaceReading, Observation},
    types::{Placement, TableNo},
};
use shakmaty::{Chess, Position as _, san::San};

use super::clocked_tables::{Desk, SECOND, at};

pub(crate) const LEFT: ClockSide = ClockSide::Left;
pub(crate) const RIGHT: ClockSide = ClockSide::Right;

/// One table by the second: its board, its clock, and the hub that hears both.
pub(crate) struct Table {
    pub(crate) desk: Desk,
    now: u64,
    pub(crate) position: Chess,
    pub(crate) reading: ClockReading,
}

pub(crate) fn face(seconds: u64) -> FaceReading {
    FaceReading {
        time: Duration::from_secs(seconds),
        flag_blocked: false,
        flag_shown: false,
        time_per_move: false,
    }
}

impl Table {
    /// The start position stands, the clock shows these times, and the round has started.
    pub(crate) fn new(control: &str, seconds: u64) -> Self {
        let mut table = Self {
            desk: Desk::new(control),
            now: 1,
            position: Chess::default(),
            reading: ClockReading {
                left: face(seconds),
                right: face(seconds),
                running: false,
                lever_high: LEFT,
                battery_low: false,
            },
        };
        table.show();
        table.wait(5);
        table.tell();
        table.desk.ask(at(SECOND * 6), Command::StartRound);
        table.wait(5);
        table
    }

    pub(crate) fn now(&self) -> flagfall_core::types::Now {
        at(SECOND * self.now as u32)
    }

    pub(crate) fn wait(&mut self, seconds: u64) {
        for _ in 0..seconds {
            self.now += 1;
            self.desk.pass(SECOND * self.now as u32);
            if self.reading.running {
                let face = match self.reading.lever_high {
                    LEFT => &mut self.reading.left,
                    RIGHT => &mut self.reading.right,
                };
                face.time = face.time.saturating_sub(SECOND);
                self.tell();
            }
        }
    }

    pub(crate) fn show(&mut self) {
        let placement = self.position.board().clone();
        self.show_board(&placement);
    }

    /// A clock of its own stands at the table instead of the one at the board, and shows the same.
    pub(crate) fn put_open_clock(&mut self) {
        let now = self.now();
        let found = Observation::Found(DeviceInfo {
            family: "open-clock".to_owned(),
            serial: Some("77".to_owned()),
            version: None,
        });
        self.desk.hub.handle_observation(now, "clock", found);
        self.desk.drain();
        let devices = &self.desk.hub.state().devices;
        let clock = devices.iter().find(|(_, device)| device.is_clock());
        let device = clock.unwrap().0.clone();
        let table = Some(TableNo(1));
        self.desk.ask(now, Command::AssignDevice { device, table });
    }

    pub(crate) fn show_board(&mut self, placement: &Placement) {
        let placement = placement.clone();
        let change = None;
        let now = self.now();
        self.desk
            .see(now, Observation::Placement { placement, change });
    }

    pub(crate) fn tell(&mut self) {
        let now = self.now();
        self.desk.see(now, Observation::Clock(self.reading));
    }

    pub(crate) fn start(&mut self) {
        self.reading.running = true;
        self.tell();
    }

    pub(crate) fn stop(&mut self) {
        self.reading.running = false;
        self.tell();
    }

    /// A move without a press, three seconds of it.
    pub(crate) fn moves(&mut self, san: &str) {
        let san: San = san.parse().unwrap();
        let made = san.to_move(&self.position).unwrap();
        self.position.play_unchecked(made);
        self.show();
        self.wait(3);
    }

    pub(crate) fn press(&mut self) {
        self.reading.lever_high = self.reading.lever_high.other();
        self.tell();
    }

    pub(crate) fn plays(&mut self, sans: &str) {
        for san in sans.split(' ') {
            self.moves(san);
            self.press();
        }
    }

    pub(crate) fn alerts(&self) -> Vec<(AlertKind, &str)> {
        let open = self.desk.hub.state().alerts.values();
        open.map(|alert| (alert.about, alert.text.as_str()))
            .collect()
    }

    pub(crate) fn facts(&self) -> impl Iterator<Item = &Fact> {
        self.desk.journal.iter().map(|event| &event.fact)
    }

    pub(crate) fn clock_facts(&self) -> Vec<&ClockFact> {
        fn clock(fact: &Fact) -> Option<&ClockFact> {
            match fact {
                Fact::Clock(ClockFact::Sample(_)) => None,
                Fact::Clock(fact) => Some(fact),
                _ => None,
            }
        }
        self.facts().filter_map(clock).collect()
    }

    pub(crate) fn proposals(&self) -> usize {
        self.desk.hub.state().proposals.len()
    }

    /// The journal read again makes the same state.
    pub(crate) fn check_journal(&self) {
        let mut state = HallState::default();
        for event in &self.desk.journal {
            let text = serde_json::to_string(event).unwrap();
            let read: Event = serde_json::from_str(&text).unwrap();
            assert_eq!(serde_json::to_string(&read).unwrap(), text);
            state.apply(&read);
        }
        assert_eq!(&state, self.desk.hub.state());
    }
}

pub(crate) fn kinds(alerts: &[(AlertKind, &str)]) -> Vec<AlertKind> {
    alerts.iter().map(|(about, _)| *about).collect()
}
