//! The hub on MQTT: states retained, events once each with their number, requests answered.
//!
//! Nothing is published that is not in the journal: events and changed states wait in its outbox
//! until the broker has acknowledged them. At every connect all states are said again. A broker may
//! be away for an hour, lose its memory or stop dead; nothing is lost then, and what comes twice has
//! the same `id`.

#[cfg(feature = "embedded-broker")]
pub mod embedded;
mod link;
mod publisher;
mod requests;
mod settings;
mod topics;

use std::{io, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};
use thiserror::Error;
use tokio::{
    sync::{Notify, mpsc, watch},
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

pub use self::{
    requests::Inbound,
    settings::{Broker, External, Login, MqttSettings, machine_suffix},
    topics::Topics,
};
use crate::journal::{Journal, Outgoing};

/// Why the MQTT side cannot start. A broker that cannot be reached is none of these: it is tried
/// again for ever.
#[derive(Debug, Error)]
pub enum MqttError {
    /// The name of a topic level is not usable.
    #[error("mqtt {what} {name:?}: use lower case letters, digits and hyphens, 1 to 64")]
    Name {
        /// `base` or `hub`.
        what: &'static str,
        /// What was given.
        name: String,
    },
    /// The CA file cannot be read.
    #[error("cannot read the CA file {path}: {error}")]
    CaFile {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The system's CAs cannot be used.
    #[error("TLS cannot be set up: {0}")]
    Tls(String),
    /// The embedded broker did not start.
    #[error("the embedded broker cannot listen on {listen}: {detail}")]
    Embedded {
        /// Where it should listen.
        listen: SocketAddr,
        /// What went wrong.
        detail: String,
    },
    /// This build has no embedded broker.
    #[error("this Flagfall was built without the embedded broker: name an external one")]
    NotBuilt,
}

/// A value that is soon replaced by the next, such as a running clock: QoS 0, retained, at most once
/// a second for a topic, the latest wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Live {
    /// The whole topic.
    pub topic: String,
    /// The payload.
    pub payload: Vec<u8>,
}

/// What the publisher asks the engine.
pub trait StateSource: Send + Sync + 'static {
    /// All retained states as they are now; `None` when the engine cannot say yet, e.g. while it is
    /// rebuilding. Topics that are not in here are emptied on the broker.
    fn states(&self) -> impl Future<Output = Option<Vec<Outgoing>>> + Send;

    /// The system clock is synchronised.
    fn synced(&self) -> bool {
        false
    }

    /// More fields for `health`, e.g. counts of links.
    fn health(&self) -> Map<String, Value> {
        Map::new()
    }
}

/// How the MQTT side does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MqttStatus {
    /// The broker has accepted us.
    pub connected: bool,
    /// Since when `connected` is as it is.
    pub since: Option<Timestamp>,
    /// Messages that the broker has not acknowledged.
    pub outbox_len: u64,
    /// How long the oldest of them has waited.
    #[serde(with = "flagfall_core::types::millis::option", rename = "oldest_ms")]
    pub oldest: Option<Duration>,
    /// The last thing that went wrong, for people. Kept after it was overcome.
    pub last_error: Option<String>,
}

/// The running MQTT side.
#[derive(Debug)]
pub struct MqttHandle {
    status: watch::Receiver<MqttStatus>,
    wake: Arc<Notify>,
    address: Option<SocketAddr>,
    task: JoinHandle<()>,
}

impl MqttHandle {
    /// How it does, now and on every change.
    pub fn status(&self) -> watch::Receiver<MqttStatus> {
        self.status.clone()
    }

    /// The outbox has new rows. Call it after each append with messages.
    pub fn wake(&self) {
        self.wake.notify_one();
    }

    /// Wakes from elsewhere: `notify_one` does what [`MqttHandle::wake`] does.
    pub fn waker(&self) -> Arc<Notify> {
        Arc::clone(&self.wake)
    }

    /// Where the embedded broker listens.
    pub fn embedded_address(&self) -> Option<SocketAddr> {
        self.address
    }

    /// Waits for the end after the cancellation: `offline` is published, the embedded broker stopped.
    pub async fn stopped(self) {
        if let Err(error) = self.task.await {
            tracing::error!(%error, "the MQTT side failed");
        }
    }
}

/// Starts the MQTT side. Returns when it runs (the embedded broker too), not when it is connected.
#[cfg_attr(
    not(feature = "embedded-broker"),
    expect(
        clippy::unused_async,
        reason = "only the embedded broker must be waited for"
    )
)]
pub async fn spawn(
    settings: MqttSettings,
    journal: Journal,
    states: impl StateSource,
    live: mpsc::Receiver<Live>,
    requests: mpsc::Sender<Inbound>,
    cancel: CancellationToken,
) -> Result<MqttHandle, MqttError> {
    let topics = Topics::new(&settings.base, &settings.hub, settings.publish_names)?;
    #[cfg(feature = "embedded-broker")]
    let owner = embedded::Owner::new(settings.client_id(), topics.prefix());
    #[cfg(feature = "embedded-broker")]
    let broker = match &settings.broker {
        Broker::Embedded { listen, login } => {
            Some(embedded::start(*listen, login.clone(), owner.clone()).await?)
        }
        Broker::External(_) => None,
    };
    #[cfg(feature = "embedded-broker")]
    let address = broker.as_ref().map(embedded::EmbeddedBroker::address);
    #[cfg(not(feature = "embedded-broker"))]
    let address = match &settings.broker {
        Broker::Embedded { .. } => return Err(MqttError::NotBuilt),
        Broker::External(_) => None,
    };
    #[cfg(feature = "embedded-broker")]
    let known = address.map(|address| (address, owner.secret().to_owned()));
    #[cfg(not(feature = "embedded-broker"))]
    let known = None;
    let connector = link::Connector::new(&settings, &topics, known)?;
    let wake = Arc::new(Notify::new());
    let (status_sender, status) = watch::channel(MqttStatus::default());
    let publisher = publisher::Publisher::new(publisher::Parts {
        connector,
        topics,
        journal,
        states,
        live,
        requests,
        wake: Arc::clone(&wake),
        status: status_sender,
        cancel,
    });
    let task = tokio::spawn(async move {
        publisher.run().await;
        #[cfg(feature = "embedded-broker")]
        if let Some(broker) = broker {
            broker.stop().await;
        }
    });
    Ok(MqttHandle {
        status,
        wake,
        address,
        task,
    })
}
