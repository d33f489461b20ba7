//! From events and updates to MQTT messages.

use std::{collections::BTreeSet, sync::Arc};

use flagfall_core::{
    hub::{
        event::{AlertFact, DeviceFact, Event, Fact, RoundFact},
        view::{TableView, Update},
    },
    types::{RoundNo, TableNo},
};
use tokio::sync::{Notify, mpsc};

use crate::{
    journal::{Outgoing, Record},
    mqtt::{Live, Topics},
};

/// Builds the messages of one hub.
pub(crate) struct Forward {
    topics: Topics,
    section: String,
    live: mpsc::Sender<Live>,
    wake: Arc<Notify>,
}

impl Forward {
    pub(crate) fn new(topics: Topics, live: mpsc::Sender<Live>, wake: Arc<Notify>) -> Self {
        Self {
            topics,
            section: String::new(),
            live,
            wake,
        }
    }

    /// The section of the event that the journal tells of.
    pub(crate) fn set_section(&mut self, section: String) {
        self.section = section;
    }

    /// What must reach the broker because of these events: the events themselves, and the retained
    /// states that they changed. The tables of the update that no event touches are live values.
    pub(crate) fn messages(
        &mut self,
        events: &[(Event, Record)],
        update: &Update,
    ) -> Vec<Outgoing> {
        let mut messages = Vec::new();
        let mut tables = BTreeSet::<TableNo>::new();
        let mut served = BTreeSet::<TableNo>::new();
        let mut ended = BTreeSet::<RoundNo>::new();
        let (mut round, mut moved, mut closed) = (false, false, Vec::new());
        let mut alerts = BTreeSet::<u64>::new();
        for (event, record) in events {
            messages.push(self.topics.event(record));
            tables.extend(event.table);
            match &event.fact {
                Fact::Device(fact) => {
                    served.extend(event.table);
                    // The event tells where to, not where from.
                    moved |= matches!(fact, DeviceFact::Assigned { .. });
                }
                Fact::Event(set_up) => self.section = set_up.settings.section.to_string(),
                Fact::Round(RoundFact::Closed { .. }) => {
                    round = true;
                    ended.extend(event.round);
                }
                Fact::Round(_) | Fact::Announce { .. } | Fact::Result { .. } => round = true,
                Fact::Alert(fact) => {
                    if let AlertFact::Closed { alert, .. } = fact {
                        closed.push(*alert);
                    }
                    alerts.insert(fact.number(event.seq));
                }
                _ => {}
            }
        }
        let Some((last, _)) = events.last() else {
            return messages;
        };
        let (seq, at) = (last.seq, last.at);
        if let Some(view) = update.round.as_ref().filter(|_| round) {
            messages.push(self.topics.countdown(&self.section, view, seq, at));
            messages.extend(self.topics.round(&self.section, view, seq, at));
            // Where the next round is drafted at once, the one that was closed is no longer the current.
            let left = update.earlier.iter();
            for view in left.filter(|view| ended.contains(&view.number)) {
                messages.extend(self.topics.round(&self.section, view, seq, at));
            }
            // A round touches every table: who plays there, in what phase.
            tables.extend(update.tables.iter().map(|table| table.table));
        }
        for table in &update.tables {
            if is_gone(table) {
                messages.extend(self.topics.table_gone(table.table));
                continue;
            }
            if !moved && !tables.contains(&table.table) {
                continue;
            }
            messages.push(self.topics.table_state(table, seq, at));
            if moved || served.contains(&table.table) {
                messages.push(self.topics.availability(table));
            }
        }
        // Two hundred open ones are not told again because one of them was taken.
        let open = update.alerts.iter().flatten();
        let open = open.filter(|alert| alerts.contains(&alert.id));
        messages.extend(open.map(|alert| self.topics.alert(alert, seq, at)));
        messages.extend(
            closed
                .into_iter()
                .map(|alert| self.topics.alert_closed(alert)),
        );
        messages
    }

    /// The running clocks: QoS 0, the latest wins; a full channel costs one value.
    pub(crate) fn live(&self, update: &Update) {
        for table in update.tables.iter().filter(|table| !is_gone(table)) {
            if let Some(clock) = self.topics.live_clock(table, update.seq) {
                drop(self.live.try_send(clock));
            }
        }
    }

    /// The outbox has new rows.
    pub(crate) fn wake(&self) {
        self.wake.notify_one();
    }
}

/// Nobody plays there and no device serves it: it is only in the picture to be taken out of it.
fn is_gone(table: &TableView) -> bool {
    table.white.is_none() && table.device.is_none()
}

#[cfg(test)]
mod tests {
    use flagfall_core::{
        hub::{
            Hub, HubSettings,
            command::{Command, Request},
            event::SetUp,
            state::HallState,
        },
        protocol::{DeviceInfo, Observation},
        tournament::{EventSettings, Player},
        types::{DeviceId, Mono, Now, PlayerNo},
    };

    use super::*;

    /// Carries out a command; what reaches the broker because of it.
    fn said(hub: &mut Hub, forward: &mut Forward, now: Now, command: Command) -> Vec<Outgoing> {
        let by = "Vira".to_owned();
        hub.handle_request(now, Request { by, command }).unwrap();
        let events: Vec<(Event, Record)> = std::iter::from_fn(|| hub.poll_event())
            .map(|event| {
                let record = Record::from(&event);
                (event, record)
            })
            .collect();
        let update = hub.take_update(now).unwrap();
        forward.messages(&events, &update)
    }

    #[test]
    fn a_table_that_is_no_more_leaves_nothing_on_the_broker() {
        let now = Now {
            mono: Mono::ZERO,
            utc: "2026-12-05T08:00:00Z".parse().unwrap(),
        };
        let mut hub = Hub::new(HubSettings::default(), HallState::default(), now);
        let info = DeviceInfo {
            family: "dgt-board".to_owned(),
            serial: Some("0000007765".to_owned()),
            version: None,
        };
        hub.handle_observation(now, "/dev/ttyUSB0", Observation::Found(info));
        let topics = Topics::new("flagfall", "hall-a", false).unwrap();
        let (live, _live) = mpsc::channel(8);
        let mut forward = Forward::new(topics, live, Arc::new(Notify::new()));
        let mut assign = |table: u16| {
            let command = Command::AssignDevice {
                device: DeviceId("dgt-0000007765".to_owned()),
                table: Some(TableNo(table)),
            };
            said(&mut hub, &mut forward, now, command)
                .into_iter()
                .filter(|message| message.topic.contains("/table/"))
                .map(|message| {
                    assert!(message.retain);
                    let topic = message.topic.trim_start_matches("flagfall/hall-a/table/");
                    (topic.to_owned(), message.payload.is_empty())
                })
                .collect::<Vec<(String, bool)>>()
        };
        let told = |topic: &str, empty: bool| (topic.to_owned(), empty);
        assert_eq!(
            assign(99),
            [told("99/state", false), told("99/availability", false)]
        );
        assert_eq!(
            assign(1),
            [
                told("1/state", false),
                told("1/availability", false),
                told("99/state", true),
                told("99/clock", true),
                told("99/availability", true),
            ]
        );
    }

    #[test]
    fn a_round_that_is_closed_while_the_next_is_drafted_is_told_as_closed() {
        let now = Now {
            mono: Mono::ZERO,
            utc: "2026-12-05T08:00:00Z".parse().unwrap(),
        };
        let mut hub = Hub::new(HubSettings::default(), HallState::default(), now);
        let section = "open".parse().unwrap();
        let mut settings = EventSettings::new("Cup", section, Some("5+3"));
        settings.rounds = Some(3);
        let players = (1..=4)
            .map(|no| Player::new(PlayerNo(no), format!("Player {no}")))
            .collect();
        hub.handle_set_up(now, SetUp { settings, players });
        let topics = Topics::new("flagfall", "hall-a", false).unwrap();
        let (live, _live) = mpsc::channel(8);
        let mut forward = Forward::new(topics, live, Arc::new(Notify::new()));
        let result = |table| Command::SetResult {
            table: TableNo(table),
            result: "1/2-1/2".to_owned(),
            termination: None,
            note: None,
        };
        let mut closed = None;
        for command in [
            Command::PairRound,
            Command::PublishRound,
            Command::StartRound,
            result(1),
            result(2),
            Command::CloseRound { round: RoundNo(1) },
        ] {
            for message in said(&mut hub, &mut forward, now, command) {
                if message.topic.ends_with("/round/open/1") {
                    let round: serde_json::Value =
                        serde_json::from_slice(&message.payload).unwrap();
                    closed = round["closed"].as_bool();
                }
            }
        }
        assert_eq!(closed, Some(true));
        let hall = hub.hall_view(now);
        assert_eq!(hall.round.unwrap().number, RoundNo(2), "a draft");
        assert_eq!(hall.earlier.len(), 1);
    }

    #[test]
    fn two_hundred_open_alerts_are_not_told_again_because_one_is_taken() {
        let now = Now {
            mono: Mono::ZERO,
            utc: "2026-12-05T08:00:00Z".parse().unwrap(),
        };
        let mut hub = Hub::new(HubSettings::default(), HallState::default(), now);
        let topics = Topics::new("flagfall", "hall-a", false).unwrap();
        let (live, _live) = mpsc::channel(8);
        let mut forward = Forward::new(topics, live, Arc::new(Notify::new()));
        for at in 0..200 {
            let info = DeviceInfo {
                family: "dgt-board".to_owned(),
                serial: Some(format!("{at:010}")),
                version: None,
            };
            hub.handle_observation(now, &format!("port-{at}"), Observation::Found(info));
        }
        while hub.poll_event().is_some() {}
        let _ = hub.take_update(now);
        assert_eq!(hub.state().alerts.len(), 200);
        let alert = *hub.state().alerts.keys().nth(7).unwrap();
        for (command, empty) in [
            (Command::AcknowledgeAlert { alert }, false),
            (Command::ReleaseAlert { alert }, false),
            (Command::CloseAlert { alert }, true),
        ] {
            let told = said(&mut hub, &mut forward, now, command);
            let topics: Vec<(&str, bool)> = (told.iter())
                .filter(|message| message.topic.contains("/alert/"))
                .map(|message| (message.topic.as_str(), message.payload.is_empty()))
                .collect();
            assert_eq!(
                topics,
                [(format!("flagfall/hall-a/alert/{alert}").as_str(), empty)]
            );
        }
    }
}
