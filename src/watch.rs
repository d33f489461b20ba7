//! Looks after the daemon's parts once a second: health for the console, trouble for the hub.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    time::{Duration, Instant},
};

use flagfall_core::hub::Trouble;
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use crate::{
    engine::JournalStatus,
    handle::Handle,
    link::{LinkStatus, PortState, StatusBoard},
    mqtt::MqttStatus,
    time::HubClock,
    web::{
        Health,
        health::{JournalHealth, MqttHealth, TimeHealth},
    },
};

/// A port that does not come up within this time is told to the operator.
const PATIENCE: Duration = Duration::from_secs(10);

/// What is looked at.
pub(crate) struct Watched {
    pub(crate) clock: HubClock,
    pub(crate) handle: Handle,
    pub(crate) ports: StatusBoard,
    /// The ports that the configuration names one by one.
    pub(crate) named: BTreeSet<String>,
    pub(crate) journal: watch::Receiver<JournalStatus>,
    pub(crate) mqtt: watch::Receiver<MqttStatus>,
    pub(crate) broker: String,
    pub(crate) troubles: mpsc::Sender<Trouble>,
    pub(crate) metrics: Option<PrometheusHandle>,
}

/// Looks until `cancel`.
pub(crate) async fn watch(
    watched: Watched,
    health: watch::Sender<Health>,
    cancel: CancellationToken,
) {
    let mut tick = tokio::time::interval(Duration::from_secs(1));
    let mut down = BTreeMap::<String, Instant>::new();
    let mut told = BTreeSet::<String>::new();
    loop {
        tokio::select! {
            () = cancel.cancelled() => return,
            _ = tick.tick() => {}
        }
        let ports = watched.ports.snapshot();
        let by_name: BTreeMap<&str, &LinkStatus> = ports
            .iter()
            .map(|(name, status)| (name.0.as_str(), status))
            .collect();
        for name in &watched.named {
            let trouble = trouble_of(by_name.get(name.as_str()).copied());
            let since = if trouble.is_some() {
                down.entry(name.clone())
                    .or_insert_with(Instant::now)
                    .elapsed()
            } else {
                down.remove(name);
                Duration::ZERO
            };
            let tell = match &trouble {
                Some(_) => since >= PATIENCE && told.insert(name.clone()),
                None => told.remove(name),
            };
            if tell {
                let port = name.clone();
                // The engine is only gone when everything stops.
                drop(
                    watched
                        .troubles
                        .send(Trouble::Port {
                            port,
                            error: trouble,
                        })
                        .await,
                );
            }
        }
        let new = picture(&watched, &ports.into_values().collect::<Vec<_>>());
        health.send_if_modified(|old| {
            let changed = *old != new;
            *old = new;
            changed
        });
        if let Some(metrics) = &watched.metrics {
            metrics.run_upkeep();
        }
        metrics::gauge!("flagfall_screens").set(watched.handle.screens() as f64);
    }
}

fn trouble_of(status: Option<&LinkStatus>) -> Option<String> {
    let Some(status) = status else {
        return Some(
            "nothing is plugged in here; plug the board in or correct the path".to_owned(),
        );
    };
    match status.state {
        PortState::Open => None,
        PortState::Absent => {
            Some("nothing is plugged in here; plug the board in or correct the path".to_owned())
        }
        PortState::Closed => Some(
            status
                .error
                .clone()
                .unwrap_or_else(|| "no board answers here".to_owned()),
        ),
    }
}

fn picture(watched: &Watched, ports: &[LinkStatus]) -> Health {
    let journal = watched.journal.borrow();
    let mqtt = watched.mqtt.borrow();
    let (synchronised, source) = synchronised();
    let talking = ports.iter().filter(|port| port.device.is_some()).count();
    metrics::gauge!("flagfall_links_up").set(talking as f64);
    let sum = |of: fn(&LinkStatus) -> u64| ports.iter().map(of).sum::<u64>();
    metrics::counter!("flagfall_link_bytes_total").absolute(sum(|port| port.counters.bytes));
    metrics::counter!("flagfall_link_bytes_dropped_total")
        .absolute(sum(|port| port.counters.bytes_dropped));
    Health {
        journal: JournalHealth {
            seq: journal.seq,
            error: journal.error.clone(),
        },
        mqtt: Some(MqttHealth {
            connected: mqtt.connected,
            broker: watched.broker.clone(),
            outbox: mqtt.outbox_len,
        }),
        time: TimeHealth {
            synchronised,
            source: source.map(str::to_owned),
        },
        links_up: u32::try_from(talking).unwrap_or(u32::MAX),
        links: u32::try_from(ports.len()).unwrap_or(u32::MAX),
        speed: watched.clock.speed(),
    }
}

/// Whether the system clock is synchronised, as far as systemd-timesyncd leaves a mark; `None` when
/// that cannot be known.
pub(crate) fn synchronised() -> (Option<bool>, Option<&'static str>) {
    if Path::new("/run/systemd/timesync/synchronized").exists() {
        (Some(true), Some("systemd-timesyncd"))
    } else if Path::new("/run/systemd/timesync").exists() {
        (Some(false), Some("systemd-timesyncd"))
    } else {
        (None, None)
    }
}
