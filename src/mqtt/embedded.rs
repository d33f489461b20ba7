//! The broker inside the daemon, for a hall with nothing else.
//!
//! Memory only: every retained topic is said again at every connect anyway. Anyone who reaches the
//! port may publish, so it belongs on the loopback address unless the network is trusted.

use std::{fmt, net::SocketAddr, time::Duration};

use mqtt5::broker::{
    BrokerConfig, BrokerShutdownHandle, MqttBroker,
    config::{StorageBackend, StorageConfig},
};
use tokio::{sync::watch, task::JoinHandle};

use super::MqttError;

/// Where it listens unless told otherwise.
pub const DEFAULT_LISTEN: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 1883);

/// A running broker. Dropping it stops it without waiting.
pub struct EmbeddedBroker {
    address: SocketAddr,
    shutdown: BrokerShutdownHandle,
    task: JoinHandle<()>,
}

impl fmt::Debug for EmbeddedBroker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EmbeddedBroker")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

/// Starts the broker; it takes connections (MQTT 3.1.1 and 5) when this returns.
pub async fn start(listen: SocketAddr) -> Result<EmbeddedBroker, MqttError> {
    let failed = |detail: String| MqttError::Embedded { listen, detail };
    if !listen.ip().is_loopback() {
        tracing::warn!(%listen, "the embedded broker is open to everyone on this network");
    }
    let storage = StorageConfig::new()
        .with_backend(StorageBackend::Memory)
        .with_persistence(false);
    let config = BrokerConfig::new()
        .with_bind_address(listen)
        .with_storage(storage)
        .with_max_clients(500)
        .with_max_packet_size(1024 * 1024)
        .with_max_retained_messages(20_000)
        .with_sys_topics_enabled(false);
    let mut broker = MqttBroker::with_config(config)
        .await
        .map_err(|error| failed(error.to_string()))?;
    let address = broker.local_addr().unwrap_or(listen);
    let shutdown = broker.shutdown_handle();
    let mut ready: watch::Receiver<bool> = broker.ready_receiver();
    let task = tokio::spawn(async move {
        if let Err(error) = broker.run().await {
            tracing::error!(%error, "the embedded broker stopped");
        }
    });
    // An error here means that it ended before it was ready.
    ready
        .wait_for(|ready| *ready)
        .await
        .map_err(|_| failed("it ended at once".to_owned()))?;
    Ok(EmbeddedBroker {
        address,
        shutdown,
        task,
    })
}

impl EmbeddedBroker {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Stops it and waits until its port is free.
    pub async fn stop(mut self) {
        self.shutdown.shutdown();
        if tokio::time::timeout(Duration::from_secs(3), &mut self.task)
            .await
            .is_err()
        {
            self.task.abort();
        }
    }
}

impl Drop for EmbeddedBroker {
    fn drop(&mut self) {
        self.shutdown.shutdown();
    }
}
