//! The broker inside the daemon, for a hall with nothing else.
//!
//! Memory only: every retained topic is said again at every connect anyway. Nobody but the hub may
//! publish where the hub speaks. Without a login anyone who reaches the port may send requests, so it
//! belongs on the loopback address then.

use std::{
    collections::BTreeSet,
    fmt,
    net::SocketAddr,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use mqtt5::broker::{
    AuthProvider, AuthResult, BrokerConfig, BrokerEventHandler, BrokerShutdownHandle,
    ClientPublishEvent, MqttBroker, PublishAction,
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

/// The hub's largest message is the event with all players of the largest event.
const PACKET_MAX: usize = 512 * 1024;
/// The largest message of anyone else.
const OTHERS_MAX: usize = 64 * 1024;
/// Retained topics of everyone else together, and the largest message of one.
const OTHERS_RETAINED: usize = 200;
const OTHERS_RETAINED_MAX: usize = 16 * 1024;

/// The hub as the broker knows it.
#[derive(Clone)]
pub struct Owner {
    client_id: String,
    prefix: String,
    /// Never leaves the process, but for the loopback.
    secret: String,
}

impl Owner {
    /// A hub with this client id that alone speaks below `prefix`, with a secret of its own.
    pub fn new(client_id: String, prefix: String) -> Self {
        Self {
            client_id,
            prefix,
            secret: format!("{:032x}", rand::random::<u128>()),
        }
    }

    pub(super) fn secret(&self) -> &str {
        &self.secret
    }
}

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
///
/// `login` is what everyone but its owner must give.
pub async fn start(
    listen: SocketAddr,
    login: Option<Login>,
    owner: Owner,
) -> Result<EmbeddedBroker, MqttError> {
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
    let door = Arc::new(Door {
        login,
        owner,
        retained: Mutex::default(),
    });
    let storage = StorageConfig::new()
        .with_backend(StorageBackend::Memory)
        .with_persistence(false);
    let config = BrokerConfig::new()
        .with_bind_address(listen)
        .with_storage(storage)
        .with_max_clients(500)
        .with_max_packet_size(PACKET_MAX)
        .with_max_retained_messages(20_000)
        .with_sys_topics_enabled(false)
        .with_event_handler(door.clone());
    let mut broker = MqttBroker::with_config(config)
        .await
        .map_err(|error| failed(error.to_string()))?;
    broker = broker.with_auth_provider(door);
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

/// Lets in the owner, and who has the one login if there is one; keeps everyone else from the owner's
/// topics and from filling the memory.
///
/// The library's own provider hashes with Argon2 for each connection: on a small machine a flood of
/// wrong passwords would take its memory. The password is in the configuration anyway.
struct Door {
    login: Option<Login>,
    owner: Owner,
    /// Retained topics of everyone but the owner.
    retained: Mutex<BTreeSet<String>>,
}

impl Door {
    /// Whether the login is right; with the user.
    fn opens(&self, connect: &ConnectPacket) -> Option<AuthResult> {
        let given = connect.password.as_deref().unwrap_or_default();
        if connect.client_id == self.owner.client_id {
            return same(given, self.owner.secret.as_bytes())
                .then(|| AuthResult::success_with_user(self.owner.client_id.clone()));
        }
        let Some(Login { user, password }) = &self.login else {
            return Some(AuthResult::success());
        };
        (connect.username.as_deref() == Some(user) && same(given, password.as_bytes()))
            .then(|| AuthResult::success_with_user(user.clone()))
    }

    /// Below the owner's prefix others may only ask.
    fn may_publish(&self, client: &str, topic: &str) -> bool {
        client == self.owner.client_id
            || topic
                .strip_prefix(&self.owner.prefix)
                .and_then(|rest| rest.strip_prefix('/'))
                .is_none_or(|rest| rest.starts_with("request/"))
    }

    /// Takes one of the places for retained topics of others.
    fn may_retain(&self, topic: &str, length: usize) -> bool {
        let mut retained = self.retained.lock().unwrap_or_else(PoisonError::into_inner);
        if length == 0 {
            retained.remove(topic);
            return true;
        }
        if length > OTHERS_RETAINED_MAX {
            return false;
        }
        let place = retained.contains(topic) || retained.len() < OTHERS_RETAINED;
        if place {
            retained.insert(topic.to_owned());
        }
        place
    }
}

type Answer<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

impl AuthProvider for Door {
    fn authenticate<'a>(
        &'a self,
        connect: &'a ConnectPacket,
        client: SocketAddr,
    ) -> Answer<'a, mqtt5::Result<AuthResult>> {
        let opens = self.opens(connect);
        // A will is a message like any other; the library asks for its topic when it is sent.
        let will = connect
            .will
            .as_ref()
            .filter(|_| opens.is_some() && connect.client_id != self.owner.client_id);
        let will = will.is_none_or(|will| {
            will.payload.len() <= OTHERS_MAX
                && (!will.retain || self.may_retain(&will.topic, will.payload.len()))
        });
        Box::pin(async move {
            if let Some(result) = opens {
                if will {
                    return Ok(result);
                }
                return Ok(AuthResult::fail(ReasonCode::QuotaExceeded));
            }
            tracing::warn!(%client, "a client of the embedded broker has the wrong login");
            // Guesses of one connection come one after the other.
            tokio::time::sleep(GUESS_DELAY).await;
            Ok(AuthResult::fail(ReasonCode::BadUsernameOrPassword))
        })
    }

    fn authorize_publish<'a>(
        &'a self,
        client: &str,
        _user: Option<&'a str>,
        topic: &'a str,
    ) -> Answer<'a, bool> {
        Box::pin(std::future::ready(self.may_publish(client, topic)))
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

impl BrokerEventHandler for Door {
    fn on_client_publish(&self, event: ClientPublishEvent) -> Answer<'_, PublishAction> {
        let length = event.payload.len();
        let good = *event.client_id == *self.owner.client_id
            || (length <= OTHERS_MAX && (!event.retain || self.may_retain(&event.topic, length)));
        if !good {
            tracing::debug!(client = %event.client_id, topic = %event.topic, length, "dropped: too large, or too much retained");
        }
        let action = if good {
            PublishAction::Continue
        } else {
            PublishAction::Handled
        };
        Box::pin(std::future::ready(action))
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
