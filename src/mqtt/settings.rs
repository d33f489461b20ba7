//! What the publisher must be told.

use std::{fmt, net::SocketAddr, path::PathBuf};

/// The settings of the MQTT side.
#[derive(Clone, Debug)]
pub struct MqttSettings {
    /// Which broker.
    pub broker: Broker,
    /// First level of every topic, usually `flagfall`. Lower case, digits, hyphen.
    pub base: String,
    /// Short name of the hub, second level of every topic. Lower case, digits, hyphen.
    pub hub: String,
    /// Last part of the client id, so that two hubs never throw each other out. See
    /// [`machine_suffix`].
    pub client_suffix: String,
    /// Publish names and ratings of players. Off by default everywhere.
    pub publish_names: bool,
}

impl MqttSettings {
    /// What the hub calls itself to the broker.
    pub(super) fn client_id(&self) -> String {
        format!("flagfall-{}-{}", self.hub, self.client_suffix)
    }
}

/// Which broker to publish to.
#[derive(Clone, Debug)]
pub enum Broker {
    /// The one inside the daemon.
    Embedded {
        /// Where it listens; port 0 takes any free one.
        listen: SocketAddr,
        /// What everybody logs in with; without it nobody needs to.
        login: Option<Login>,
    },
    /// One elsewhere, e.g. Mosquitto.
    External(External),
}

/// A user with his password.
#[derive(Clone, PartialEq, Eq)]
pub struct Login {
    /// User.
    pub user: String,
    /// Password.
    pub password: String,
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Settings end up in logs; passwords must not.
        f.debug_struct("Login")
            .field("user", &self.user)
            .field("password", &"…")
            .finish()
    }
}

/// How to reach a broker elsewhere.
#[derive(Clone)]
pub struct External {
    /// Host name or address.
    pub host: String,
    /// Port, usually 1883, with TLS 8883.
    pub port: u16,
    /// Encrypt.
    pub tls: bool,
    /// The CA that signed the broker's certificate, PEM; the system's CAs when absent.
    pub ca_file: Option<PathBuf>,
    /// User.
    pub user: Option<String>,
    /// Password.
    pub password: Option<String>,
}

impl fmt::Debug for External {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Settings end up in logs; passwords must not.
        f.debug_struct("External")
            .field("host", &self.host)
            .field("port", &self.port)
            .field("tls", &self.tls)
            .field("ca_file", &self.ca_file)
            .field("user", &self.user)
            .field("password", &self.password.as_ref().map(|_| "…"))
            .finish()
    }
}

/// Eight hex digits that stay the same on this machine and differ on others. The machine id itself
/// is not to leave the machine (`man machine-id`), hence a hash of it.
pub fn machine_suffix() -> String {
    let id = std::fs::read("/etc/machine-id")
        .or_else(|_| std::fs::read("/proc/sys/kernel/hostname"))
        .unwrap_or_default();
    // FNV-1a, 32 bits.
    let hash = id.trim_ascii().iter().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    });
    format!("{hash:08x}")
}
