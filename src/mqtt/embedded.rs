//! The broker inside the daemon, for a hall with nothing else.
//!
//! Memory only: every retained topic is said again at every connect anyway. Without a login anyone
//! who reaches the port may publish, so it belongs on the loopback address then.

use std::{fmt, net::SocketAddr, pin::Pin, sync::Arc, time::Duration};

use mqtt5::broker::{
    AuthProvider, AuthResult, BrokerConfig, BrokerShutdownHandle, MqttBroker,
    config::{StorageBackend, StorageConfig},
};
use mqtt5::{packet::connect::ConnectPacket, protocol::v5::reason_codes::ReasonCode};
use tokio::{sync::watch, task::JoinHandle};

use super::{Login, MqttError};
use crate::addresses;

/// Where it listens unless told otherwise.
pub const DEFAULT_LISTEN: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 1883);

/// How long a wrong login waits for its answer.
const GUESS_DELAY: Duration = Duration::from_secs(1);

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
pub async fn start(listen: SocketAddr, login: Option<Login>) -> Result<EmbeddedBroker, MqttError> {
    let failed = |detail: String| MqttError::Embedded { listen, detail };
    if !listen.ip().is_loopback() && login.is_none() {
        tracing::warn!(%listen, "the embedded broker is open to everyone on this network: set [mqtt] user and password");
    }
    // The library says only that it failed; asking first tells why.
    if let Err(error) = std::net::TcpListener::bind(listen) {
        return Err(failed(addresses::refused(
            &error,
            "[mqtt] listen (demo: --mqtt)",
        )));
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
    if let Some(login) = login {
        broker = broker.with_auth_provider(Arc::new(OneLogin(login)));
    }
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

/// Lets in who has the one login; then everything may be done.
///
/// The library's own provider hashes with Argon2 for each connection: on a small machine a flood of
/// wrong passwords would take its memory. The password is in the configuration anyway.
struct OneLogin(Login);

type Answer<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

impl AuthProvider for OneLogin {
    fn authenticate<'a>(
        &'a self,
        connect: &'a ConnectPacket,
        client: SocketAddr,
    ) -> Answer<'a, mqtt5::Result<AuthResult>> {
        let Login { user, password } = &self.0;
        let given = connect.password.as_deref().unwrap_or_default();
        let right = connect.username.as_deref() == Some(user) && same(given, password.as_bytes());
        Box::pin(async move {
            if right {
                return Ok(AuthResult::success_with_user(user.clone()));
            }
            tracing::warn!(%client, "a client of the embedded broker has the wrong login");
            // Guesses of one connection come one after the other.
            tokio::time::sleep(GUESS_DELAY).await;
            Ok(AuthResult::fail(ReasonCode::BadUsernameOrPassword))
        })
    }

    fn authorize_publish<'a>(
        &'a self,
        _client: &str,
        _user: Option<&'a str>,
        _topic: &'a str,
    ) -> Answer<'a, bool> {
        Box::pin(std::future::ready(true))
    }

    fn authorize_subscribe<'a>(
        &'a self,
        _client: &str,
        _user: Option<&'a str>,
        _filter: &'a str,
    ) -> Answer<'a, bool> {
        Box::pin(std::future::ready(true))
    }
}

/// Compares without telling by its time where the difference is.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b)) == 0
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
