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
    let mut looks = BTreeMap::<String, Look>::new();
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
            let status = by_name.get(name.as_str()).copied();
            let look = looks.entry(name.clone()).or_default();
            if let Some(trouble) = look.at(name, status, Instant::now()) {
                // The engine is only gone when everything stops.
                drop(watched.troubles.send(trouble).await);
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

/// What is known of one port's trouble.
#[derive(Debug, Default)]
struct Look {
    down_since: Option<Instant>,
    last_error: Option<String>,
    told: bool,
}

impl Look {
    /// What is to be told of the port now: its trouble, or that it is over.
    ///
    /// Only a board that talks ends a trouble: a peer that opens and drops, again and again, is as
    /// good as none.
    fn at(&mut self, port: &str, status: Option<&LinkStatus>, now: Instant) -> Option<Trouble> {
        const ABSENT: &str = "nothing is plugged in here; plug the board in or correct the path";
        let state = status.map_or(PortState::Absent, |status| status.state);
        match (state, status) {
            (PortState::Open, Some(status)) if status.device.is_some() => {
                self.down_since = None;
                self.last_error = None;
                return std::mem::take(&mut self.told).then(|| Trouble::Port {
                    port: port.to_owned(),
                    error: None,
                });
            }
            // It may yet answer; until then the trouble goes on, if there was one.
            (PortState::Open, _) => {}
            (PortState::Absent, _) => self.down(ABSENT.to_owned(), now),
            (PortState::Closed, status) => {
                let error = status.and_then(|status| status.error.clone());
                self.down(
                    error.unwrap_or_else(|| "no board answers here".to_owned()),
                    now,
                );
            }
        }
        let since = self.down_since?;
        if self.told || now.duration_since(since) < PATIENCE {
            return None;
        }
        self.told = true;
        Some(Trouble::Port {
            port: port.to_owned(),
            error: self.last_error.clone(),
        })
    }

    fn down(&mut self, error: String, now: Instant) {
        self.last_error = Some(error);
        self.down_since.get_or_insert(now);
    }
}

fn picture(watched: &Watched, ports: &[LinkStatus]) -> Health {
    let journal = watched.journal.borrow();
    let mqtt = watched.mqtt.borrow();
    let (synchronised, source) = synchronised();
    // A line with several devices is none itself.
    let devices = || ports.iter().filter(|port| !port.shared);
    let talking = devices().filter(|port| port.device.is_some()).count();
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
        links: u32::try_from(devices().count()).unwrap_or(u32::MAX),
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

#[cfg(test)]
mod tests {
    use flagfall_core::protocol::DeviceInfo;

    use super::*;

    fn status(state: PortState, error: Option<&str>) -> LinkStatus {
        LinkStatus {
            state,
            error: error.map(str::to_owned),
            ..LinkStatus::default()
        }
    }

    fn talking() -> LinkStatus {
        let device = DeviceInfo {
            family: "dgt-board".to_owned(),
            serial: None,
            version: None,
        };
        LinkStatus {
            device: Some(device),
            ..status(PortState::Open, None)
        }
    }

    /// Looks at one status a second and tells what was said, by second.
    fn told(statuses: impl IntoIterator<Item = LinkStatus>) -> Vec<(u64, Option<String>)> {
        let start = Instant::now();
        let mut look = Look::default();
        (0..)
            .zip(statuses)
            .filter_map(|(second, status)| {
                let now = start + Duration::from_secs(second);
                match look.at("tcp://192.0.2.9:4001", Some(&status), now)? {
                    Trouble::Port { error, .. } => Some((second, error)),
                    other => panic!("{other:?}"),
                }
            })
            .collect()
    }

    #[test]
    fn a_port_that_drops_again_and_again_is_trouble() {
        let dropped = || status(PortState::Closed, Some("the port went away"));
        let opened = || status(PortState::Open, None);
        let flapping = (0..30).map(|second| if second % 2 == 0 { dropped() } else { opened() });
        assert_eq!(
            told(flapping.chain([talking()])),
            [(10, Some("the port went away".to_owned())), (30, None)]
        );
    }

    #[test]
    fn a_short_loss_is_no_trouble() {
        let lost = (0..9).map(|_| status(PortState::Absent, None));
        assert_eq!(told(lost.chain(std::iter::repeat_n(talking(), 20))), []);
        // A board that is switched on late was never in trouble.
        assert_eq!(told((0..30).map(|_| status(PortState::Open, None))), []);
    }
}
