//! The far end of a table's cable: a pty master or a listening socket.

use std::{
    fmt, fs, future, io,
    net::SocketAddr,
    os::{fd::OwnedFd, unix::fs::symlink},
    path::{Path, PathBuf},
};

use nix::{
    fcntl::{FcntlArg, FdFlag, OFlag, fcntl},
    pty::openpty,
    sys::termios::{self, FlushArg, SetArg},
    unistd,
};
use tokio::{
    io::unix::AsyncFd,
    net::{TcpListener, TcpStream},
};

use super::{HallConfig, Links, Transport};

/// Where a hub connects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Endpoint {
    /// A serial device.
    Pty(PathBuf),
    /// A socket.
    Tcp(SocketAddr),
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pty(path) => path.display().fmt(f),
            Self::Tcp(addr) => write!(f, "tcp://{addr}"),
        }
    }
}

/// The cable of one table, plugged in or not.
#[derive(Debug)]
pub(super) struct Port {
    kind: Kind,
    line: Option<Line>,
}

#[derive(Debug)]
enum Kind {
    Pty { link: Option<PathBuf> },
    Tcp { addr: SocketAddr },
}

#[derive(Debug)]
enum Line {
    Pty {
        master: AsyncFd<OwnedFd>,
        slave: OwnedFd,
        path: PathBuf,
    },
    Tcp {
        listener: TcpListener,
        host: Option<TcpStream>,
    },
}

impl Port {
    pub(super) async fn open(config: &HallConfig, nth: u16, table: u16) -> io::Result<Self> {
        let kind = match &config.transport {
            Transport::Pty => Kind::Pty {
                link: match &config.links {
                    Links::None => None,
                    Links::InDirectory(dir) => Some(dir.join(format!("table-{table:03}"))),
                    Links::Single(path) => Some(path.clone()),
                },
            },
            Transport::Tcp { addr } => {
                let mut addr = *addr;
                if addr.port() != 0 {
                    let port = addr
                        .port()
                        .checked_add(nth)
                        .ok_or(io::ErrorKind::AddrNotAvailable)?;
                    addr.set_port(port);
                }
                Kind::Tcp { addr }
            }
        };
        let mut port = Self { kind, line: None };
        port.plug().await?;
        Ok(port)
    }

    /// Opens the port, if it is not open.
    pub(super) async fn plug(&mut self) -> io::Result<()> {
        if self.line.is_some() {
            return Ok(());
        }
        self.line = Some(match &mut self.kind {
            Kind::Pty { link } => {
                let (master, slave, path) = raw_pty()?;
                if let Some(link) = link {
                    point(link, &path)?;
                }
                Line::Pty {
                    master: watch(master)?,
                    slave,
                    path,
                }
            }
            Kind::Tcp { addr } => {
                let listener = TcpListener::bind(*addr).await?;
                // A free port stays the table's own after the first time.
                *addr = listener.local_addr()?;
                Line::Tcp {
                    listener,
                    host: None,
                }
            }
        });
        Ok(())
    }

    /// Closes the port; whoever has it open sees it vanish.
    pub(super) fn unplug(&mut self) {
        let Some(line) = self.line.take() else { return };
        if let (Kind::Pty { link: Some(link) }, Line::Pty { path, .. }) = (&self.kind, line)
            && fs::read_link(link).is_ok_and(|target| target == path)
        {
            // A link that is gone already is as good.
            let _ = fs::remove_file(link);
        }
    }

    pub(super) fn endpoint(&self) -> Option<Endpoint> {
        match (&self.kind, self.line.as_ref()?) {
            (Kind::Pty { link: Some(link) }, _) => Some(Endpoint::Pty(link.clone())),
            (_, Line::Pty { path, .. }) => Some(Endpoint::Pty(path.clone())),
            (_, Line::Tcp { listener, .. }) => listener.local_addr().ok().map(Endpoint::Tcp),
        }
    }

    /// Waits for bytes from the host; 0 when only the connection has changed. Nothing is lost when the
    /// future is dropped.
    pub(super) async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.line {
            None => future::pending().await,
            Some(Line::Pty { master, .. }) => loop {
                let mut guard = master.readable().await?;
                match guard.try_io(|fd| Ok(unistd::read(fd.get_ref(), buffer)?)) {
                    Ok(result) => return result,
                    Err(_would_block) => {}
                }
            },
            Some(Line::Tcp { listener, host }) => loop {
                let Some(stream) = host else {
                    *host = Some(accept(listener).await?);
                    return Ok(0);
                };
                tokio::select! {
                    ready = stream.readable() => ready?,
                    // Whoever comes later has the cable: the one before may be half dead.
                    next = accept(listener) => {
                        *host = Some(next?);
                        return Ok(0);
                    }
                }
                match stream.try_read(buffer) {
                    Ok(0) => *host = None,
                    Ok(n) => return Ok(n),
                    Err(e) if e.kind() == io::ErrorKind::WouldBlock => {}
                    Err(_) => *host = None,
                }
            },
        }
    }

    /// Writes what the host takes now; answers how much. With nobody at the far end all is taken.
    pub(super) fn try_write(&mut self, bytes: &[u8]) -> usize {
        let written = match &mut self.line {
            None | Some(Line::Tcp { host: None, .. }) => return bytes.len(),
            Some(Line::Pty { master, .. }) => {
                unistd::write(master.get_ref(), bytes).map_err(io::Error::from)
            }
            Some(Line::Tcp {
                host: Some(stream), ..
            }) => stream.try_write(bytes),
        };
        match written {
            Ok(n) => n,
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => 0,
            // The reader finds out that the host is gone.
            Err(_) => bytes.len(),
        }
    }

    /// Throws away what the host has not fetched, as an adapter does that nobody has opened.
    pub(super) fn discard_unread(&self) {
        if let Some(Line::Pty { slave, .. }) = &self.line {
            // Nothing depends on it: stale bytes are only less tidy.
            let _ = termios::tcflush(slave, FlushArg::TCIFLUSH);
        }
    }
}

impl Drop for Port {
    fn drop(&mut self) {
        self.unplug();
    }
}

async fn accept(listener: &TcpListener) -> io::Result<TcpStream> {
    let (stream, _) = listener.accept().await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

#[allow(
    deprecated,
    reason = "deprecated for types that change their descriptor; an OwnedFd cannot, and the successor \
              is unsafe code"
)]
fn watch(master: OwnedFd) -> io::Result<AsyncFd<OwnedFd>> {
    AsyncFd::new(master)
}

/// A pty in raw mode with a master that does not block. The slave stays open here, else the master would
/// fail until the hub opens it.
fn raw_pty() -> io::Result<(OwnedFd, OwnedFd, PathBuf)> {
    let pair = openpty(None, None)?;
    let mut settings = termios::tcgetattr(&pair.slave)?;
    termios::cfmakeraw(&mut settings);
    termios::cfsetspeed(&mut settings, termios::BaudRate::B9600)?;
    termios::tcsetattr(&pair.slave, SetArg::TCSANOW, &settings)?;
    for fd in [&pair.master, &pair.slave] {
        fcntl(fd, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC))?;
    }
    let flags = OFlag::from_bits_retain(fcntl(&pair.master, FcntlArg::F_GETFL)?);
    fcntl(&pair.master, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
    let path = unistd::ttyname(&pair.slave)?;
    Ok((pair.master, pair.slave, path))
}

/// Makes `link` point to `path`, replacing an older link but no other file.
fn point(link: &Path, path: &Path) -> io::Result<()> {
    if let Some(dir) = link.parent() {
        fs::create_dir_all(dir)?;
    }
    if fs::symlink_metadata(link).is_ok_and(|meta| meta.is_symlink()) {
        fs::remove_file(link)?;
    }
    symlink(path, link)
}
