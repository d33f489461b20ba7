//! The supervisors of ports on real pseudo-terminals and sockets.

use std::{
    io::{ErrorKind, Read, Write},
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc as std_mpsc,
    },
    thread,
    time::Duration,
};

use flagfall::{
    link::{
        LinkEvent, PortName, PortState, StatusBoard,
        discover::Ports,
        families::dgt_links,
        port::{OpenError, open},
        serial::SerialSettings,
        supervise::{CommandError, LinkContext, Links},
    },
    record::{Recording, observation_json},
    time::HubClock,
};
use flagfall_core::{
    protocol::{
        ClockCommand, ClockCommandOutcome, LostReason, Observation,
        dgt::link::{DgtLink, DgtSettings},
        registry::SerialLine,
    },
    types::{Mono, Square},
};
use nix::{
    fcntl::OFlag,
    pty::{grantpt, posix_openpt, ptsname_r, unlockpt},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    sync::mpsc,
    time::timeout,
};
use tokio_util::sync::CancellationToken;

const LINE: SerialLine = SerialLine {
    baud: 9600,
    modem_high: true,
};

fn answer(commands: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = commands;
    while let Some(&code) = rest.first() {
        let len = if code == 0x2b {
            2 + usize::from(rest[1])
        } else {
            1
        };
        match code {
            0x42 => {
                out.extend([0x86, 0, 0x43]);
                out.extend([0; 64]);
            }
            0x45 => out.extend(b"\x91\x00\x0812345"),
            0x4d => out.extend([0x93, 0, 5, 1, 8]),
            0x55 => out.extend(b"\xa2\x00\x0d3000147740"),
            0x2b => out.extend([0x8d, 0, 10, 0x0a, 0x10, rest[3], 0x0a, 0x20, 0, 0]),
            _ => {}
        }
        rest = &rest[len..];
    }
    out
}

/// A board on a pseudo-terminal. Dropping it is pulling the plug.
struct Board {
    path: PathBuf,
    says: std_mpsc::Sender<Vec<u8>>,
    stop: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Board {
    fn new(answers: bool) -> Self {
        let mut master = posix_openpt(OFlag::O_RDWR | OFlag::O_NOCTTY | OFlag::O_NONBLOCK)
            .expect("a pseudo-terminal works");
        grantpt(&master).expect("a pseudo-terminal works");
        unlockpt(&master).expect("a pseudo-terminal works");
        let path = ptsname_r(&master).expect("a pseudo-terminal works").into();
        let (says, said) = std_mpsc::channel::<Vec<u8>>();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = thread::spawn(move || {
            let mut buffer = [0; 256];
            while !stopped.load(Ordering::Relaxed) {
                match master.read(&mut buffer) {
                    Ok(len) if answers => master
                        .write_all(&answer(&buffer[..len]))
                        .expect("a pseudo-terminal works"),
                    Ok(_) => {}
                    // EIO: nobody has the other end open.
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                    Err(_) => {}
                }
                while let Ok(bytes) = said.try_recv() {
                    master.write_all(&bytes).expect("a pseudo-terminal works");
                }
                thread::sleep(Duration::from_millis(1));
            }
        });
        Self {
            path,
            says,
            stop,
            thread: Some(thread),
        }
    }

    fn name(&self) -> PortName {
        PortName(self.path.to_string_lossy().into_owned())
    }

    fn say(&self, bytes: &[u8]) {
        self.says.send(bytes.to_vec()).expect("the board runs");
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the board ends");
        }
    }
}

struct Hub {
    links: Links,
    events: mpsc::Receiver<LinkEvent>,
    status: StatusBoard,
    cancel: CancellationToken,
    task: tokio::task::JoinHandle<()>,
}

impl Hub {
    fn start(include: &[String], record_dir: Option<PathBuf>, channel: usize) -> Self {
        Self::start_at(1.0, include, record_dir, channel)
    }

    fn start_at(
        speed: f64,
        include: &[String],
        record_dir: Option<PathBuf>,
        channel: usize,
    ) -> Self {
        let (sender, events) = mpsc::channel(channel);
        let status = StatusBoard::default();
        let cancel = CancellationToken::new();
        let context = LinkContext {
            clock: HubClock::start(speed),
            events: sender,
            quiet: None,
            status: status.clone(),
            serial: std::collections::BTreeMap::new(),
            record_dir,
            cancel: cancel.clone(),
        };
        let ports = Ports {
            include: include.to_vec(),
            exclude: Vec::new(),
        };
        let (links, run) = Links::start(
            ports,
            dgt_links(std::collections::BTreeSet::new(), speed),
            context,
        );
        Self {
            links,
            events,
            status,
            cancel,
            task: tokio::spawn(run),
        }
    }

    /// The next observation that fits; the others on the way are thrown away.
    async fn wait_for(&mut self, fits: impl Fn(&Observation) -> bool) -> LinkEvent {
        let wait = async {
            loop {
                let event = self.events.recv().await.expect("the supervisors run");
                if fits(&event.observation) {
                    return event;
                }
            }
        };
        timeout(Duration::from_secs(20), wait)
            .await
            .expect("it is observed in time")
    }

    async fn stop(mut self) -> Vec<LinkEvent> {
        self.cancel.cancel();
        let mut rest = Vec::new();
        while let Some(event) = self.events.recv().await {
            rest.push(event);
        }
        self.task.await.expect("the supervisors end");
        rest
    }
}

fn found(seen: &Observation) -> bool {
    matches!(seen, Observation::Found(info) if info.serial.as_deref() == Some("3000147740"))
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unplug_and_replug_under_another_device() {
    let dir = tempfile::tempdir().unwrap();
    let link = dir.path().join("usb-board-a");
    let mut hub = Hub::start(&[text(&dir.path().join("usb-*"))], None, 64);
    // Not there yet: found by a later scan.
    let board = Board::new(true);
    symlink(&board.path, &link).unwrap();
    let event = hub.wait_for(found).await;
    let port = PortName(text(&link));
    assert_eq!(event.port, port);
    assert_eq!(hub.status.get(&port).unwrap().state, PortState::Open);
    // In the middle of a frame.
    board.say(&[0x8e, 0, 5]);
    drop(board);
    std::fs::remove_file(&link).unwrap();
    let lost = hub
        .wait_for(|seen| matches!(seen, Observation::Lost(_)))
        .await;
    assert_eq!(lost.observation, Observation::Lost(LostReason::PortGone));
    let board = Board::new(true);
    symlink(&board.path, &link).unwrap();
    // Exactly one return: nothing but Found is next.
    let next = hub.wait_for(|_| true).await;
    assert!(found(&next.observation), "{next:?}");
    let dump = hub.wait_for(|_| true).await;
    assert!(
        matches!(dump.observation, Observation::Placement { .. }),
        "{dump:?}"
    );
    hub.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_hub_on_the_same_port() {
    let board = Board::new(true);
    let port = board.name();
    let mut hub = Hub::start(std::slice::from_ref(&port.0), None, 64);
    hub.wait_for(found).await;
    let refused = open(&port, SerialSettings::default(), LINE).await;
    let error = refused.err().expect("refused");
    assert!(matches!(error, OpenError::Held(_)), "{error}");
    assert_eq!(
        error.to_string(),
        format!("port {port} is held by another program")
    );
    // The first hub does not notice.
    board.say(&[0x8e, 0, 5, 36, 1]);
    hub.wait_for(|seen| {
        matches!(
            seen,
            Observation::Placement {
                change: Some(_),
                ..
            }
        )
    })
    .await;
    // The second one says so and waits for its turn.
    let mut second = Hub::start(std::slice::from_ref(&port.0), None, 64);
    let says = async {
        while second
            .status
            .get(&port)
            .and_then(|status| status.error)
            .is_none()
        {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_secs(10), says)
        .await
        .expect("the error is shown");
    hub.stop().await;
    second.wait_for(found).await;
    second.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_board_but_noise() {
    let noise = Board::new(false);
    let port = noise.name();
    let mut hub = Hub::start_at(5.0, std::slice::from_ref(&port.0), None, 64);
    let stop = Arc::new(AtomicBool::new(false));
    let (stopped, says) = (Arc::clone(&stop), noise.says.clone());
    let thread = thread::spawn(move || {
        let mut byte = 7u8;
        while !stopped.load(Ordering::Relaxed) {
            let bytes: Vec<u8> = std::iter::repeat_with(|| {
                byte = byte.wrapping_mul(197).wrapping_add(91);
                byte
            })
            .take(20)
            .collect();
            let _ = says.send(bytes);
            thread::sleep(Duration::from_millis(5));
        }
    });
    let event = hub.wait_for(|_| true).await;
    assert_eq!(event.observation, Observation::Lost(LostReason::NotADevice));
    assert!(hub.status.get(&port).unwrap().counters.bytes_dropped > 0);
    stop.store(true, Ordering::Relaxed);
    thread.join().unwrap();
    hub.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clock_commands_find_their_port() {
    let board = Board::new(true);
    let mut hub = Hub::start(&[board.name().0], None, 64);
    hub.wait_for(found).await;
    let command = ClockCommand::Display {
        text: "ROUND 1".into(),
        beep: true,
    };
    hub.links.command(&board.name(), command).unwrap();
    let end = hub
        .wait_for(|seen| matches!(seen, Observation::ClockCommand(_)))
        .await;
    assert_eq!(
        end.observation,
        Observation::ClockCommand(ClockCommandOutcome::Done)
    );
    let stranger = PortName::from("/dev/ttyS77");
    assert_eq!(
        hub.links.command(&stranger, ClockCommand::EndDisplay),
        Err(CommandError::NoPort(stranger))
    );
    hub.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_hub_loses_nothing() {
    let board = Board::new(true);
    let mut hub = Hub::start(&[board.name().0], None, 1);
    hub.wait_for(found).await;
    let mut bytes = Vec::new();
    for index in 0..64 {
        bytes.extend([0x8e, 0, 5, index, 1]);
    }
    board.say(&bytes);
    for index in 0..64u8 {
        let wanted = |seen: &Observation| {
            matches!(
                seen,
                Observation::Placement {
                    change: Some(_),
                    ..
                }
            )
        };
        let event = hub.wait_for(wanted).await;
        let Observation::Placement {
            change: Some(change),
            ..
        } = event.observation
        else {
            panic!("a change");
        };
        assert_eq!(change.square, Square::new(u32::from(index) ^ 0x38));
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
    hub.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_board_behind_a_socket() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("tcp://{}", listener.local_addr().unwrap());
    let server = tokio::spawn(async move {
        for _ in 0..2 {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut buffer = [0; 256];
            // Hangs up after the long serial number.
            while let Ok(len @ 1..) = stream.read(&mut buffer).await {
                let commands = &buffer[..len];
                stream.write_all(&answer(commands)).await.unwrap();
                if commands.contains(&0x55) {
                    break;
                }
            }
        }
    });
    let mut hub = Hub::start(&[address], None, 64);
    for _ in 0..2 {
        hub.wait_for(found).await;
        let lost = hub
            .wait_for(|seen| matches!(seen, Observation::Lost(_)))
            .await;
        assert_eq!(lost.observation, Observation::Lost(LostReason::PortGone));
    }
    server.await.unwrap();
    hub.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_recording_tells_the_same_again() {
    let dir = tempfile::tempdir().unwrap();
    let board = Board::new(true);
    let mut hub = Hub::start(&[board.name().0], Some(dir.path().to_owned()), 256);
    let mut live = vec![hub.wait_for(found).await];
    for index in [52, 36, 28] {
        board.say(&[0x8e, 0, 5, index, 1]);
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
    board.say(&[0x8d, 0, 10, 1, 0x30, 0, 1, 0x29, 0x57, 0x11]);
    loop {
        let event = hub.wait_for(|_| true).await;
        let last = matches!(event.observation, Observation::Clock(_));
        live.push(event);
        if last {
            break;
        }
    }
    hub.stop().await;
    let file = std::fs::read_dir(dir.path())
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let recording = Recording::open(&file).unwrap();
    assert_eq!(recording.header.port, board.name());
    let mut again = Vec::new();
    recording.play(&mut DgtLink::new(DgtSettings::CABLE), |_, seen| {
        again.push(seen);
    });
    let json = |seen: &Observation| observation_json(Mono::ZERO, seen).to_string();
    let live: Vec<_> = live.iter().map(|event| json(&event.observation)).collect();
    let again: Vec<_> = again.iter().map(json).collect();
    assert_eq!(again[..live.len()], live);
}

#[test]
fn a_cut_recording_is_read_up_to_the_cut() {
    let header = r#"{"flagfall_recording":1,"port":"x","family":"dgt-board","started":"2026-01-01T00:00:00Z"}"#;
    let good = r#"{"t_ms":5,"dir":"rx","hex":"8e 00"}"#;
    let read = |text: String| Recording::read(text.as_bytes());
    let cut = read(format!("{header}\n{good}\n{{\"t_ms\":6,\"di")).unwrap();
    assert_eq!(cut.entries.len(), 1);
    let error = read(format!("{header}\nnonsense\n{good}\n")).unwrap_err();
    assert!(error.to_string().starts_with("line 2: "), "{error}");
    assert!(read("nonsense\n".into()).is_err());
}
