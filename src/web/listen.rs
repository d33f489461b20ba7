//! The listening socket with a limit of connections: one laptop on the venue's Wi-Fi must not use
//! up the daemon's file handles, which boards and journal need.
//!
//! A place is not held for nothing either: who does not finish a request's head, or does not take
//! the answer, is cut off.

use std::{
    collections::BTreeMap,
    io,
    net::IpAddr,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{Router, extract::ConnectInfo, serve::Listener};
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
    time::{Instant, Sleep},
};
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tower_http::add_extension::AddExtension;

/// Connections of one address: a room of phones behind one router.
const PER_ADDRESS: usize = 256;
/// Connections of all addresses; below the usual limit of 1024 open files.
const IN_ALL: usize = 700;

/// What one connection may hold for a request's head or for answers that are not taken; 700 of them
/// must fit beside the boards. A head that is larger is refused.
const BUFFER: usize = 16 * 1024;

pub(super) type Open = Arc<Mutex<BTreeMap<IpAddr, usize>>>;

/// How long a client may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// For the head of a request, and between two requests.
    pub(super) head: Duration,
    /// Without taking any byte of an answer.
    pub(super) write: Duration,
    /// For requests that are under way once the hub stops.
    pub(super) shutdown: Duration,
}

impl Patience {
    /// What a phone on a crowded Wi-Fi needs, with a margin.
    pub(super) const HALL: Self = Self {
        head: Duration::from_secs(15),
        write: Duration::from_secs(30),
        shutdown: Duration::from_secs(5),
    };
}

/// Serves until `cancel`, then lets requests end for a while. `tls` makes HTTPS of it; `open` counts the
/// connections of all listeners.
pub(super) async fn serve(
    mut listener: TcpListener,
    tls: Option<TlsAcceptor>,
    app: Router,
    open: Open,
    patience: Patience,
    cancel: CancellationToken,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(patience.head)
        .max_buf_size(BUFFER)
        .pipeline_flush(false);
    let graceful = GracefulShutdown::new();
    loop {
        let (stream, address) = tokio::select! {
            () = cancel.cancelled() => break,
            accepted = Listener::accept(&mut listener) => accepted,
        };
        let Some(place) = Place::take(&open, super::peer(address)) else {
            tracing::debug!(%address, "too many connections");
            continue;
        };
        // A change must not wait for the next one before it goes out.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection cannot send small messages at once");
        }
        let connection = Connection {
            stream,
            patience: patience.write,
            stalled: None,
            _place: place,
        };
        let service =
            TowerToHyperService::new(AddExtension::new(app.clone(), ConnectInfo(address)));
        let (http, watcher, tls) = (http.clone(), graceful.watcher(), tls.clone());
        tokio::spawn(async move {
            let served = match tls {
                None => {
                    let served = http.serve_connection(TokioIo::new(connection), service);
                    watcher.watch(served).await
                }
                Some(tls) => {
                    // Who does not shake hands has no place here.
                    let shaken = tokio::time::timeout(patience.head, tls.accept(connection));
                    let Ok(Ok(stream)) = shaken.await else {
                        return tracing::trace!(%address, "no TLS");
                    };
                    let served = http.serve_connection(TokioIo::new(stream), service);
                    watcher.watch(served).await
                }
            };
            if let Err(error) = served {
                tracing::trace!(%address, %error, "a connection broke");
            }
        });
    }
    drop(listener);
    if tokio::time::timeout(patience.shutdown, graceful.shutdown())
        .await
        .is_err()
    {
        tracing::debug!("requests are cut off at the stop");
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

/// A counted connection whose other side must take what it asked for.
#[derive(Debug)]
struct Connection {
    stream: TcpStream,
    patience: Duration,
    /// Runs while the other side takes nothing.
    stalled: Option<Pin<Box<Sleep>>>,
    _place: Place,
}

impl Connection {
    /// Passes on the outcome of a write; one that waits for too long is an error.
    fn watched<T>(
        &mut self,
        context: &mut Context<'_>,
        outcome: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.stalled = None;
            return outcome;
        }
        let patience = self.patience;
        let stalled = self
            .stalled
            .get_or_insert_with(|| Box::pin(tokio::time::sleep_until(Instant::now() + patience)));
        ready!(stalled.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
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
        let outcome = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watched(context, outcome)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.watched(context, outcome)
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
    use std::net::SocketAddr;

    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    /// Longer than any test's patience by far.
    const SOON: Duration = Duration::from_secs(20);

    async fn served(patience: Patience) -> (SocketAddr, CancellationToken) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = Router::new()
            .route("/", get(|| async { "here" }))
            .route("/much", get(|| async { vec![0_u8; 64 << 20] }));
        let cancel = CancellationToken::new();
        tokio::spawn(serve(
            listener,
            None,
            app,
            Open::default(),
            patience,
            cancel.clone(),
        ));
        (address, cancel)
    }

    fn short() -> Patience {
        Patience {
            head: Duration::from_millis(300),
            write: Duration::from_millis(300),
            shutdown: SOON,
        }
    }

    async fn rest(stream: &mut TcpStream) -> String {
        let mut answer = Vec::new();
        tokio::time::timeout(SOON, stream.read_to_end(&mut answer))
            .await
            .expect("the hub closes the connection")
            .unwrap();
        String::from_utf8(answer).unwrap()
    }

    #[tokio::test]
    async fn half_sent_heads_do_not_keep_their_places() {
        let (address, _cancel) = served(short()).await;
        let mut held = Vec::new();
        for _ in 0..PER_ADDRESS {
            let mut stream = TcpStream::connect(address).await.unwrap();
            stream
                .write_all(b"GET / HTTP/1.1\r\nHost: hub\r\nX-Half")
                .await
                .unwrap();
            held.push(stream);
        }
        for stream in &mut held {
            rest(stream).await;
        }
        // All places are free again, though the other side still holds its ends.
        let mut honest = TcpStream::connect(address).await.unwrap();
        honest
            .write_all(b"GET / HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n\r\n")
            .await
            .unwrap();
        assert!(rest(&mut honest).await.ends_with("here"));
    }

    #[tokio::test]
    async fn an_idle_connection_is_closed() {
        let (address, _cancel) = served(short()).await;
        let mut idle = TcpStream::connect(address).await.unwrap();
        assert_eq!(rest(&mut idle).await, "");
        let mut kept = TcpStream::connect(address).await.unwrap();
        kept.write_all(b"GET / HTTP/1.1\r\nHost: hub\r\n\r\n")
            .await
            .unwrap();
        assert!(rest(&mut kept).await.ends_with("here"));
    }

    #[tokio::test]
    async fn who_takes_no_answer_is_cut_off() {
        let (address, cancel) = served(short()).await;
        let mut greedy = TcpStream::connect(address).await.unwrap();
        greedy
            .write_all(b"GET /much HTTP/1.1\r\nHost: hub\r\n\r\n")
            .await
            .unwrap();
        let mut first = [0; 1];
        greedy.read_exact(&mut first).await.unwrap();
        tokio::time::sleep(Duration::from_secs(1)).await;
        cancel.cancel();
        // Far less than the whole comes: the hub has hung up.
        let mut answer = Vec::new();
        let end = tokio::time::timeout(SOON, greedy.read_to_end(&mut answer)).await;
        assert!(end.expect("the hub hangs up").is_err() || answer.len() < 60 << 20);
    }

    /// The buffer is what a connection may hold: a head that does not fit is refused, not gathered.
    #[tokio::test]
    async fn a_huge_head_is_refused() {
        let (address, _cancel) = served(short()).await;
        for (length, answer) in [(BUFFER / 2, "200"), (2 * BUFFER, "431")] {
            let mut stream = TcpStream::connect(address).await.unwrap();
            let filler = "x".repeat(length);
            let head = format!("GET / HTTP/1.1\r\nHost: hub\r\nX-Filler: {filler}\r\n");
            stream.write_all(head.as_bytes()).await.unwrap();
            if length < BUFFER {
                stream
                    .write_all(b"Connection: close\r\n\r\n")
                    .await
                    .unwrap();
            }
            let mut first = [0; 12];
            stream.read_exact(&mut first).await.unwrap();
            assert!(first.ends_with(answer.as_bytes()), "{first:?}");
        }
    }

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
