//! Halls on real ptys and sockets, read by hand.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

use std::{
    collections::BTreeMap,
    fs,
    io::Read as _,
    net::TcpStream,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use flagfall_simulators::{
    clock::TimeControl,
    hall::{Endpoint, Hall, HallConfig, HallError, Links, Transport},
    hands::Incidents,
};
use nix::{
    fcntl::OFlag,
    poll::{PollFd, PollFlags, PollTimeout, poll},
};

/// The test's own end of a cable: bytes in, whole messages out.
struct Cable<T> {
    line: T,
    unread: Vec<u8>,
}

type Serial = Cable<fs::File>;

fn open(path: &Path) -> Serial {
    use std::os::unix::fs::OpenOptionsExt as _;
    let line = fs::OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(OFlag::O_NOCTTY.bits())
        .open(path)
        .unwrap();
    Cable {
        line,
        unread: Vec::new(),
    }
}

impl<T: std::io::Read + std::io::Write + std::os::fd::AsFd> Cable<T> {
    fn send(&mut self, bytes: &[u8]) {
        self.line.write_all(bytes).unwrap();
    }

    /// The next message, or `None` after two silent seconds or when the line is gone.
    fn next(&mut self) -> Option<Vec<u8>> {
        let until = Instant::now() + Duration::from_secs(2);
        loop {
            if let [_, hi, lo, ..] = *self.unread.as_slice() {
                let length = usize::from(hi) * 128 + usize::from(lo);
                if self.unread.len() >= length {
                    return Some(self.unread.drain(..length).collect());
                }
            }
            let left = until.saturating_duration_since(Instant::now());
            let mut fds = [PollFd::new(self.line.as_fd(), PollFlags::POLLIN)];
            let timeout = PollTimeout::try_from(left).unwrap_or(PollTimeout::ZERO);
            if poll(&mut fds, timeout).unwrap() == 0 {
                return None;
            }
            let mut buffer = [0; 4096];
            match self.line.read(&mut buffer) {
                Ok(0) | Err(_) => return None,
                Ok(count) => self.unread.extend(&buffer[..count]),
            }
        }
    }

    fn ask(&mut self, command: u8) -> Option<Vec<u8>> {
        self.send(&[command]);
        self.next()
    }
}

/// A directory of one test, gone at its end.
struct TempDir(PathBuf);

impl TempDir {
    fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("flagfall-sim-{name}-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        Self(dir)
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn config(tables: u16) -> HallConfig {
    HallConfig {
        tables,
        seed: 21,
        speed: 200.0,
        control: TimeControl::fischer(Duration::from_mins(1), Duration::ZERO),
        incidents: Incidents::normal(),
        turned_share: 0.5,
        ..HallConfig::default()
    }
}

fn path(endpoint: &Endpoint) -> PathBuf {
    match endpoint {
        Endpoint::Pty(path) => path.clone(),
        Endpoint::Tcp(addr) => panic!("{addr} is no pty"),
    }
}

async fn blocking<R: Send + 'static>(f: impl FnOnce() -> R + Send + 'static) -> R {
    tokio::task::spawn_blocking(f).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn boards_on_ptys_play_a_round() {
    let dir = TempDir::new("round");
    let links = Links::InDirectory(dir.0.join("hall"));
    let hall = Hall::start(HallConfig { links, ..config(6) })
        .await
        .unwrap();
    let ports = hall.ports();
    assert_eq!(ports.len(), 6);
    assert_eq!(path(&ports[2].endpoint), dir.0.join("hall/table-003"));
    let serials: BTreeMap<_, _> = ports
        .iter()
        .map(|port| (&port.serial, port.table))
        .collect();
    assert_eq!(serials.len(), 6, "every board has its own number");

    let (first, serial, turned) = (
        path(&ports[0].endpoint),
        ports[0].serial.clone(),
        ports[0].turned,
    );
    let mut cable = blocking(move || {
        let mut cable = open(&first);
        assert_eq!(cable.ask(0x45).unwrap()[3..], *serial.as_bytes());
        let dump = cable.ask(0x42).unwrap();
        assert_eq!((dump[0], dump.len()), (0x86, 67));
        assert_eq!(dump[3], if turned { 2 } else { 8 });
        cable.send(&[0x4b]);
        cable
    })
    .await;

    let tables: Vec<u16> = ports.iter().map(|port| port.table).collect();
    hall.start_round(1, &tables);
    assert!(!hall.round_finished(1));
    let counts = blocking(move || {
        let mut counts = BTreeMap::new();
        // The whole game, until the table is quiet again.
        while let Some(frame) = cable.next() {
            *counts.entry(frame[0]).or_insert(0) += 1;
        }
        counts
    })
    .await;
    assert!(counts[&0x8e] > 5 && counts[&0x8d] > 5, "{counts:?}");

    tokio::time::timeout(Duration::from_mins(1), hall.wait_round(1))
        .await
        .unwrap();
    for table in tables {
        let truth = hall.truth(1, table).unwrap();
        assert!(truth.finished && truth.result != "*");
        assert_eq!(truth.moves.len(), truth.san.len());
        assert_eq!(truth.moves.len(), truth.clock_ms.len());
    }
    hall.shutdown().await;
    assert!(!dir.0.join("hall/table-001").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn boards_on_sockets() {
    let addr = "127.0.0.1:0".parse().unwrap();
    let transport = Transport::Tcp { addr };
    let hall = Hall::start(HallConfig {
        transport,
        ..config(3)
    })
    .await
    .unwrap();
    for port in hall.ports() {
        let Endpoint::Tcp(addr) = port.endpoint else {
            panic!("a socket was asked for")
        };
        let version = blocking(move || {
            let mut cable = Cable {
                line: TcpStream::connect(addr).unwrap(),
                unread: Vec::new(),
            };
            let version = cable.ask(0x4d);
            // The next one takes over, whatever became of the first.
            let mut again = Cable {
                line: TcpStream::connect(addr).unwrap(),
                unread: Vec::new(),
            };
            assert_eq!(again.ask(0x4d), version);
            version
        })
        .await;
        assert_eq!(version.unwrap()[..3], [0x93, 0, 5]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cable_pulled_and_plugged_in_again() {
    let dir = TempDir::new("plug");
    let links = Links::InDirectory(dir.0.clone());
    let hall = Hall::start(HallConfig { links, ..config(1) })
        .await
        .unwrap();
    let link = path(&hall.ports()[0].endpoint);
    let first = link.clone();
    let mut cable = blocking(move || {
        let mut cable = open(&first);
        assert!(cable.ask(0x4d).is_some());
        cable
    })
    .await;
    let mut events = hall.events();
    hall.unplug(1);
    events.recv().await.unwrap();
    assert!(fs::symlink_metadata(&link).is_err(), "the device is gone");
    blocking(move || assert_eq!(cable.next(), None)).await;
    hall.plug(1);
    events.recv().await.unwrap();
    blocking(move || assert!(open(&link).ask(0x42).is_some())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mute_and_noisy_boards() {
    let hall = Hall::start(config(1)).await.unwrap();
    let device = path(&hall.ports()[0].endpoint);
    let mut events = hall.events();
    hall.silence(1, true);
    events.recv().await.unwrap();
    let mut cable = blocking(move || {
        let mut cable = open(&device);
        assert_eq!(cable.ask(0x42), None);
        cable
    })
    .await;
    hall.silence(1, false);
    hall.garbage(1, 50);
    events.recv().await.unwrap();
    events.recv().await.unwrap();
    blocking(move || {
        let mut noise: Vec<u8> = Vec::new();
        let mut buffer = [0; 64];
        while noise.len() < 50 {
            let count = cable.line.read(&mut buffer).unwrap();
            noise.extend(&buffer[..count]);
        }
        assert_eq!(noise.len(), 50);
        assert_eq!(cable.ask(0x4d).unwrap()[0], 0x93);
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_opened_is_named() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let transport = Transport::Tcp {
        addr: taken.local_addr().unwrap(),
    };
    let error = Hall::start(HallConfig {
        transport,
        ..config(1)
    })
    .await
    .unwrap_err();
    assert!(matches!(error, HallError::Port { table: 1, .. }));
    assert_eq!(error.to_string(), "cannot open the port of table 1");
    let error = Hall::start(HallConfig {
        speed: 0.0,
        ..config(1)
    })
    .await
    .unwrap_err();
    assert!(matches!(error, HallError::Speed(_)));

    let dir = TempDir::new("file");
    let file = dir.0.join("precious");
    fs::write(&file, "data").unwrap();
    let links = Links::Single(file.clone());
    assert!(
        Hall::start(HallConfig { links, ..config(1) })
            .await
            .is_err()
    );
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        "data",
        "only links are replaced"
    );
}
