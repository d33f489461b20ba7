//! Transports of devices: serial lines and TCP, found, opened, supervised and opened again.
//!
//! The conversation itself is a [`Link`](flagfall_core::protocol::Link) of the core; here are only
//! bytes, time and ports. [`supervise::Links`] is what the daemon starts.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use flagfall_core::{
    protocol::{DeviceInfo, LinkCounters, Observation, Part},
    types::Now,
};
use serde::{Deserialize, Serialize};

pub mod discover;
pub mod families;
pub mod port;
pub mod quiet;
pub mod serial;
pub mod supervise;
pub mod tags;
pub mod tcp;
pub mod thread;

/// Names a port: a path such as `/dev/serial/by-id/…` or an address such as `tcp://host:4001`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PortName(pub String);

impl PortName {
    /// The name of one of several devices behind this port.
    #[must_use]
    pub fn part(&self, part: &Part) -> Self {
        Self(format!("{}{}{}", self.0, Part::MARK, part.0))
    }

    /// Port and part of such a name.
    pub fn split(&self) -> Option<(Self, Part)> {
        let (port, part) = self.0.rsplit_once(Part::MARK)?;
        Some((Self(port.to_owned()), Part(part.to_owned())))
    }
}

impl fmt::Display for PortName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for PortName {
    fn from(name: &str) -> Self {
        Self(name.to_owned())
    }
}

/// One observation on its way to the hub.
#[derive(Clone, Debug)]
pub struct LinkEvent {
    /// Where it was made.
    pub port: PortName,
    /// When, on the hub's time line.
    pub now: Now,
    /// The real instant at which the bytes had been read (or a time-out ran): what the way from
    /// there to a page is measured against.
    pub read_at: Instant,
    /// What was observed.
    pub observation: Observation,
}

/// What a port is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PortState {
    /// The path is not there: nothing plugged in.
    #[default]
    Absent,
    /// It could not be opened, or nothing useful answered; tried again soon.
    Closed,
    /// Open.
    Open,
}

/// The state of one port for the operator's page and the metrics.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LinkStatus {
    /// What it is doing.
    pub state: PortState,
    /// Why it is not open, in words.
    pub error: Option<String>,
    /// Why raw bytes are no longer recorded, in words.
    pub recording_error: Option<String>,
    /// The device that answers here now.
    pub device: Option<DeviceInfo>,
    /// Several devices are behind it, each with a status of its own (`PORT#PART`).
    pub shared: bool,
    /// Counters since the start.
    pub counters: LinkCounters,
    /// How often a device was found here again.
    pub reconnects: u32,
    #[serde(skip)]
    pub(crate) was_found: bool,
}

/// The states of all ports, shared between the supervisors and the pages.
#[derive(Clone, Debug, Default)]
pub struct StatusBoard(Arc<Mutex<BTreeMap<PortName, LinkStatus>>>);

impl StatusBoard {
    /// All ports in the order of their names.
    pub fn snapshot(&self) -> BTreeMap<PortName, LinkStatus> {
        self.lock().clone()
    }

    /// One port.
    pub fn get(&self, port: &PortName) -> Option<LinkStatus> {
        self.lock().get(port).cloned()
    }

    pub(crate) fn update(&self, port: &PortName, change: impl FnOnce(&mut LinkStatus)) {
        let mut all = self.lock();
        if let Some(status) = all.get_mut(port) {
            change(status);
        } else {
            change(all.entry(port.clone()).or_default());
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<PortName, LinkStatus>> {
        // A panic elsewhere leaves at worst an old figure behind.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
