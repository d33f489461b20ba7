//! From events and updates to MQTT messages.

use std::{collections::BTreeSet, sync::Arc};

use flagfall_core::{
    hub::{
        event::{AlertFact, Event, Fact},
        view::Update,
    },
    types::TableNo,
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
        let (mut round, mut closed) = (false, Vec::new());
        for (event, record) in events {
            messages.push(self.topics.event(record));
            tables.extend(event.table);
            match &event.fact {
                Fact::Device(_) => served.extend(event.table),
                Fact::Event(set_up) => self.section = set_up.settings.section.to_string(),
                Fact::Round(_) | Fact::Announce { .. } | Fact::Result { .. } => round = true,
                Fact::Alert(AlertFact::Closed { alert, .. }) => closed.push(*alert),
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
            // A round touches every table: who plays there, in what phase.
            tables.extend(update.tables.iter().map(|table| table.table));
        }
        for table in update
            .tables
            .iter()
            .filter(|table| tables.contains(&table.table))
        {
            messages.push(self.topics.table_state(table, seq, at));
            if served.contains(&table.table) {
                messages.push(self.topics.availability(table));
            }
        }
        let open = update.alerts.iter().flatten();
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
        for table in &update.tables {
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
