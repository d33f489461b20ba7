//! The listening socket with a limit of connections: one laptop on the venue's Wi-Fi must not use
//! up the daemon's file handles, which boards and journal need.

use std::{
    collections::BTreeMap,
    io,
    net::{IpAddr, SocketAddr},
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
};

use axum::serve::Listener;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
};

/// Connections of one address: a room of phones behind one router.
const PER_ADDRESS: usize = 256;
/// Connections of all addresses; below the usual limit of 1024 open files.
const IN_ALL: usize = 700;

type Open = Arc<Mutex<BTreeMap<IpAddr, usize>>>;

/// A listener that closes connections beyond the limits at once.
#[derive(Debug)]
pub(super) struct Limited {
    listener: TcpListener,
    open: Open,
}

impl Limited {
    pub(super) fn new(listener: TcpListener) -> Self {
        Self {
            listener,
            open: Open::default(),
        }
    }
}

impl Listener for Limited {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            let (stream, address) = Listener::accept(&mut self.listener).await;
            if let Some(place) = Place::take(&self.open, super::peer(address)) {
                let connection = Connection {
                    stream,
                    _place: place,
                };
                return (connection, address);
            }
            tracing::debug!(%address, "too many connections");
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// Counts a connection for as long as it is kept.
#[derive(Debug)]
struct Place {
    open: Open,
    from: IpAddr,
}

impl Place {
    fn take(open: &Open, from: IpAddr) -> Option<Self> {
        let mut counts = open.lock().unwrap_or_else(PoisonError::into_inner);
        let here = counts.get(&from).copied().unwrap_or(0);
        if here >= PER_ADDRESS || counts.values().sum::<usize>() >= IN_ALL {
            return None;
        }
        counts.insert(from, here + 1);
        Some(Self {
            open: Arc::clone(open),
            from,
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut counts = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.from) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.from);
            }
        }
    }
}

/// A counted connection.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) stream: TcpStream,
    _place: Place,
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_cannot_take_all_places() {
        let open = Open::default();
        let greedy = IpAddr::from([192, 0, 2, 1]);
        let kept: Vec<_> = std::iter::from_fn(|| Place::take(&open, greedy)).collect();
        assert_eq!(kept.len(), PER_ADDRESS);
        assert!(Place::take(&open, IpAddr::from([192, 0, 2, 2])).is_some());
        drop(kept);
        assert!(open.lock().unwrap().is_empty());
    }
}
