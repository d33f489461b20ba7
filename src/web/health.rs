//! What the hub says about its own state: `/healthz` and the console's health line.

use serde::Serialize;
use utoipa::ToSchema;

/// The state of the daemon's parts. The app keeps it in a `tokio::sync::watch`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct Health {
    /// The journal.
    pub journal: JournalHealth,
    /// The way to the broker; `None` when MQTT is not set up.
    pub mqtt: Option<MqttHealth>,
    /// The system clock.
    pub time: TimeHealth,
    /// Device links that talk now.
    pub links_up: u32,
    /// Device links that are set up or were found.
    pub links: u32,
    /// How much faster than real time the hub runs; 1 outside demos.
    pub speed: f64,
}

/// The state of the journal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct JournalHealth {
    /// The last event's sequence number.
    pub seq: u64,
    /// Why nothing can be written; `None` when all is well.
    pub error: Option<String>,
}

/// The state of the way to the broker.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct MqttHealth {
    /// Connected now.
    pub connected: bool,
    /// The broker's address.
    pub broker: String,
    /// Messages that wait for the broker.
    pub outbox: u64,
}

/// The state of the system clock.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct TimeHealth {
    /// Synchronised with a time source; `None` when that cannot be known.
    pub synchronised: Option<bool>,
    /// The source, e.g. `chrony`.
    pub source: Option<String>,
}

/// The answer of `/healthz`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct HealthReport {
    /// Nothing is wrong that stops the hall.
    pub(super) ok: bool,
    /// The hub's name.
    pub(super) hub: String,
    /// The program's version.
    pub(super) version: String,
    /// What is wrong, and what to do.
    pub(super) problems: Vec<String>,
    /// All parts.
    #[serde(flatten)]
    pub(super) health: Health,
}

impl Health {
    /// What is wrong, and whether it stops the hall. A lost broker does not: the outbox keeps
    /// everything.
    pub fn problems(&self) -> (bool, Vec<String>) {
        let mut ok = true;
        let mut problems = Vec::new();
        if let Some(error) = &self.journal.error {
            ok = false;
            problems.push(format!(
                "The journal cannot be written: {error}. Nothing is accepted until it can."
            ));
        }
        if let Some(mqtt) = self.mqtt.as_ref().filter(|mqtt| !mqtt.connected) {
            problems.push(format!(
                "No connection to the broker {}; {} messages wait and will be sent.",
                mqtt.broker, mqtt.outbox
            ));
        }
        if self.time.synchronised == Some(false) {
            problems.push(
                "The system clock is not synchronised; check chrony or timesyncd before a start by the clock."
                    .to_owned(),
            );
        }
        (ok, problems)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_journal_stops_the_hall() {
        let mut health = Health {
            mqtt: Some(MqttHealth {
                connected: false,
                broker: "mqtt://localhost".into(),
                outbox: 3,
            }),
            ..Health::default()
        };
        let (ok, problems) = health.problems();
        assert!(ok);
        assert!(problems[0].contains("3 messages wait"), "{problems:?}");

        health.journal.error = Some("disk full".into());
        assert!(!health.problems().0);
    }
}
