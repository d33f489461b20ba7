//! A board behind a TCP socket: serial servers and simulators.

use std::time::Duration;

use tokio::{net::TcpStream, time::timeout};

use super::{PortName, port::OpenError};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Connects to `host:port`.
pub async fn open(name: &PortName, address: &str) -> Result<TcpStream, OpenError> {
    let stream = timeout(CONNECT_TIMEOUT, TcpStream::connect(address))
        .await
        .map_err(|_| OpenError::TimedOut(name.clone(), CONNECT_TIMEOUT))?
        .map_err(|error| OpenError::io(name, error))?;
    // Commands are single bytes and must not wait for each other.
    stream
        .set_nodelay(true)
        .map_err(|error| OpenError::io(name, error))?;
    Ok(stream)
}
