//! What a port's name means, and how it is opened.

use std::{io, path::PathBuf, time::Duration};

use flagfall_core::protocol::registry::SerialLine;
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite};

use super::{PortName, serial, serial::SerialSettings, tcp};

/// Bytes in and out.
pub trait Transport: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Transport for T {}

/// Where a port leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A serial line.
    Serial(PathBuf),
    /// `host:port`.
    Tcp(String),
}

/// Why a port could not be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// Nothing is plugged in there.
    #[error("port {0} is not there")]
    Absent(PortName),
    /// Another program has it, or a second hub.
    #[error("port {0} is held by another program")]
    Held(PortName),
    /// The user may not.
    #[error("no permission to open port {0} (is the user in the group that owns it?)")]
    Forbidden(PortName),
    /// It can be opened, but is no serial line.
    #[error("{0} is no serial port")]
    NotSerial(PortName),
    /// The peer did not answer in time.
    #[error("port {0} does not answer within {secs} s", secs = .1.as_secs())]
    TimedOut(PortName, Duration),
    /// Anything else.
    #[error("port {port} cannot be opened: {error}")]
    Other {
        /// Which.
        port: PortName,
        /// Why.
        error: io::Error,
    },
}

impl OpenError {
    pub(super) fn io(port: &PortName, error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Absent(port.clone()),
            io::ErrorKind::PermissionDenied => Self::Forbidden(port.clone()),
            io::ErrorKind::ResourceBusy => Self::Held(port.clone()),
            _ => Self::Other {
                port: port.clone(),
                error,
            },
        }
    }
}

impl Address {
    /// Reads a name: `tcp://host:port`, anything else is a path.
    pub fn of(name: &PortName) -> Self {
        match name.0.strip_prefix("tcp://") {
            Some(address) => Self::Tcp(address.to_owned()),
            None => Self::Serial(PathBuf::from(&name.0)),
        }
    }

    /// Whether it makes sense to try: the path of a serial line is there.
    pub fn is_present(&self) -> bool {
        match self {
            Self::Serial(path) => path.exists(),
            Self::Tcp(_) => true,
        }
    }
}

/// Opens a port, for us alone.
pub async fn open(
    name: &PortName,
    settings: SerialSettings,
    line: SerialLine,
) -> Result<Box<dyn Transport>, OpenError> {
    match Address::of(name) {
        Address::Serial(path) => Ok(Box::new(serial::open(name, &path, settings, line).await?)),
        Address::Tcp(address) => Ok(Box::new(tcp::open(name, &address).await?)),
    }
}
