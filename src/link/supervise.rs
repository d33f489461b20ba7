//! One task a port: open it, drive its conversation, close it, try again.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use flagfall_core::{
    protocol::{
        ClockCommand, DeviceInfo, Link, LostReason, Observation,
        dgt::link::{DgtLink, DgtSettings},
        open_clock::link::{OpenClockLink, OpenClockSettings},
    },
    types::{Mono, Now},
};
use thiserror::Error;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    sync::mpsc,
    task::JoinSet,
    time::timeout,
};
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

use super::{
    LinkEvent, PortName, PortState, StatusBoard,
    discover::{self, Ports},
    port::{self, Address, Transport},
    quiet::{Known, Quiet},
    serial::SerialSettings,
};
use crate::{
    record::{Direction, Recorder},
    time::HubClock,
};

/// How often patterns are looked up and absent paths looked for, in real time.
const RESCAN: Duration = Duration::from_secs(1);
const BACK_OFF_FIRST: Duration = Duration::from_millis(500);
const BACK_OFF_LAST: Duration = Duration::from_secs(10);
/// A port that takes no bytes for this long, in real time, is as good as gone.
const WRITE_TIMEOUT: Duration = Duration::from_secs(5);
/// On a time line faster than life the machine still needs its time: no board is called silent
/// before so much real time.
const SILENCE_FLOOR: Duration = Duration::from_secs(2);
/// Clock commands waiting for one port.
const COMMANDS: usize = 32;

/// Makes the conversation for a port.
pub type LinkFactory = Arc<dyn Fn(&PortName) -> Box<dyn Link> + Send + Sync>;

/// DGT boards everywhere: with Bluetooth habits on the ports named and on `/dev/rfcomm*`, on a cable
/// elsewhere. `speed` is that of the hub's time line.
pub fn dgt_links(bluetooth: BTreeSet<PortName>, speed: f64) -> LinkFactory {
    Arc::new(move |port| {
        let mut settings = if bluetooth.contains(port) || port.0.starts_with("/dev/rfcomm") {
            DgtSettings::BLUETOOTH
        } else {
            DgtSettings::CABLE
        };
        settings.silence = settings.silence.max(SILENCE_FLOOR.mul_f64(speed));
        Box::new(DgtLink::new(settings))
    })
}

/// Clocks of the open profile on the ports named, DGT boards everywhere else: see [`dgt_links`].
pub fn links(clocks: BTreeSet<PortName>, bluetooth: BTreeSet<PortName>, speed: f64) -> LinkFactory {
    let boards = dgt_links(bluetooth, speed);
    Arc::new(move |port| {
        if !clocks.contains(port) {
            return boards(port);
        }
        let mut settings = OpenClockSettings::default();
        settings.silence = settings.silence.max(SILENCE_FLOOR.mul_f64(speed));
        Box::new(OpenClockLink::new(settings))
    })
}

/// What the supervisors of all ports share.
#[derive(Clone)]
pub struct LinkContext {
    /// The hub's time line.
    pub clock: HubClock,
    /// Where observations go. When it is full the ports wait, nothing is lost.
    pub events: mpsc::Sender<LinkEvent>,
    /// Where readings that can wait go; without it they go the same way.
    pub quiet: Option<Quiet>,
    /// Where the state of each port is shown.
    pub status: StatusBoard,
    /// Settings of serial lines, by port; the usual ones where a port is not named.
    pub serial: BTreeMap<PortName, SerialSettings>,
    /// Raw bytes of each port are recorded in a file here.
    pub record_dir: Option<PathBuf>,
    /// Stops all ports.
    pub cancel: CancellationToken,
}

/// Why a clock command did not reach a port.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum CommandError {
    /// Nobody serves such a port.
    #[error("no port {0}")]
    NoPort(PortName),
    /// Too many commands are waiting there.
    #[error("port {0} has too many commands waiting")]
    Full(PortName),
}

type Senders = Arc<Mutex<BTreeMap<PortName, mpsc::Sender<ClockCommand>>>>;

/// All ports of the hub: the way to them from the daemon.
#[derive(Clone, Debug, Default)]
pub struct Links {
    senders: Senders,
}

impl Links {
    /// Serves the ports until the context is cancelled. Spawn the returned future.
    pub fn start(
        ports: Ports,
        factory: LinkFactory,
        context: LinkContext,
    ) -> (Self, impl Future<Output = ()> + Send + use<>) {
        let links = Self::default();
        let run = links.clone().run(ports, factory, context);
        (links, run)
    }

    /// Sends a command to the clock at a port; its end comes as an observation.
    pub fn command(&self, port: &PortName, command: ClockCommand) -> Result<(), CommandError> {
        let senders = self.senders.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = senders
            .get(port)
            .ok_or_else(|| CommandError::NoPort(port.clone()))?;
        sender
            .try_send(command)
            .map_err(|_| CommandError::Full(port.clone()))
    }

    async fn run(self, ports: Ports, factory: LinkFactory, context: LinkContext) {
        let mut tasks = JoinSet::new();
        let mut rescan = tokio::time::interval(RESCAN);
        loop {
            tokio::select! {
                () = context.cancel.cancelled() => break,
                _ = rescan.tick() => {}
            }
            for port in self.new_ports(&ports) {
                let (sender, commands) = mpsc::channel(COMMANDS);
                self.senders
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .insert(port.clone(), sender);
                let link = factory(&port);
                tasks.spawn(serve(port, link, commands, context.clone()));
            }
        }
        while tasks.join_next().await.is_some() {}
    }

    fn new_ports(&self, ports: &Ports) -> Vec<PortName> {
        let names = ports.names();
        let senders = self.senders.lock().unwrap_or_else(PoisonError::into_inner);
        let served = |name: &PathBuf| {
            let port = PortName(name.to_string_lossy().into_owned());
            senders.contains_key(&port)
        };
        if names.iter().all(served) {
            return Vec::new();
        }
        let taken = discover::devices(senders.keys());
        ports
            .resolve(names)
            .into_iter()
            .filter(|port| !senders.contains_key(port))
            .filter(|port| {
                std::fs::canonicalize(&port.0).map_or(true, |device| !taken.contains_key(&device))
            })
            .collect()
    }
}

/// Serves one port until the context is cancelled.
pub async fn serve(
    port: PortName,
    link: Box<dyn Link>,
    commands: mpsc::Receiver<ClockCommand>,
    context: LinkContext,
) {
    let recorder = context
        .record_dir
        .as_ref()
        .map(|dir| Recorder::create_in(dir, &port, context.clock.now()));
    let mut served = Port {
        name: port,
        link,
        commands,
        recorder: None,
        known: Known::default(),
        context,
    };
    match recorder {
        Some(Ok(recorder)) => served.recorder = Some(recorder),
        Some(Err(error)) => served.recording_failed(&error),
        None => {}
    }
    served.run().await;
}

/// Serves one port and records its raw bytes.
pub async fn serve_recorded(
    port: PortName,
    link: Box<dyn Link>,
    commands: mpsc::Receiver<ClockCommand>,
    recorder: Recorder,
    context: LinkContext,
) {
    let mut served = Port {
        name: port,
        link,
        commands,
        recorder: Some(recorder),
        known: Known::default(),
        context,
    };
    served.run().await;
}

struct Port {
    name: PortName,
    link: Box<dyn Link>,
    commands: mpsc::Receiver<ClockCommand>,
    recorder: Option<Recorder>,
    known: Known,
    context: LinkContext,
}

/// How a session with an open port ended.
enum End {
    /// The hub stops.
    Stop,
    /// The port went away, for this reason.
    Gone(String),
    /// The conversation wants the port closed and opened again after a while.
    Reopen(Duration),
}

impl Port {
    async fn run(&mut self) {
        let mut back_off = BACK_OFF_FIRST;
        loop {
            let Some(transport) = self.open(&mut back_off).await else {
                break;
            };
            let before = self.link.counters().messages;
            let end = self.session(transport).await;
            if self.link.counters().messages > before {
                back_off = BACK_OFF_FIRST;
            }
            let wait = match end {
                End::Stop => break,
                End::Reopen(wait) => {
                    let words = "opened, but no device answered";
                    self.closed(PortState::Closed, Some(words.to_owned()));
                    wait
                }
                End::Gone(reason) => {
                    info!(port = %self.name, reason, "port went away");
                    self.closed(PortState::Closed, Some(reason));
                    let wait = back_off;
                    back_off = (back_off * 2).min(BACK_OFF_LAST);
                    wait
                }
            };
            if !self.wait_closed(wait).await {
                break;
            }
        }
        self.closed(PortState::Closed, None);
    }

    /// Tries until the port is open; `None` when the hub stops.
    async fn open(&mut self, back_off: &mut Duration) -> Option<Box<dyn Transport>> {
        let address = Address::of(&self.name);
        loop {
            if !address.is_present() {
                self.closed(PortState::Absent, None);
                // A device that comes back deserves a quick start.
                *back_off = BACK_OFF_FIRST;
                while !address.is_present() {
                    let wait = RESCAN.mul_f64(self.context.clock.speed());
                    if !self.wait_closed(wait).await {
                        return None;
                    }
                }
            }
            let cancel = self.context.cancel.clone();
            let settings = self
                .context
                .serial
                .get(&self.name)
                .copied()
                .unwrap_or_default();
            let opened = tokio::select! {
                () = cancel.cancelled() => return None,
                opened = port::open(&self.name, settings) => opened,
            };
            match opened {
                Ok(transport) => return Some(transport),
                Err(error) => {
                    let words = error.to_string();
                    let known = self.context.status.get(&self.name);
                    if known.is_none_or(|status| status.error.as_ref() != Some(&words)) {
                        warn!(port = %self.name, "{words}");
                    }
                    self.closed(PortState::Closed, Some(words));
                }
            }
            let wait = *back_off;
            *back_off = (*back_off * 2).min(BACK_OFF_LAST);
            if !self.wait_closed(wait).await {
                return None;
            }
        }
    }

    async fn session(&mut self, mut transport: Box<dyn Transport>) -> End {
        let now = self.context.clock.now();
        self.context.status.update(&self.name, |status| {
            status.state = PortState::Open;
            status.error = None;
        });
        self.record(now.mono, Direction::Open, &[]);
        self.link.handle_open(now.mono);
        let end = self.talk(&mut transport).await;
        drop(transport);
        let now = self.context.clock.now();
        self.record(now.mono, Direction::Closed, &[]);
        if !matches!(end, End::Reopen(_)) {
            self.link.handle_closed(now.mono);
            if !self.deliver(now, Instant::now()).await {
                return End::Stop;
            }
        }
        end
    }

    async fn talk(&mut self, transport: &mut Box<dyn Transport>) -> End {
        let clock = self.context.clock.clone();
        let cancel = self.context.cancel.clone();
        let mut buffer = [0; 4096];
        let mut now = clock.now();
        let mut read_at = Instant::now();
        loop {
            while let Some(bytes) = self.link.poll_transmit() {
                self.record(now.mono, Direction::Tx, &bytes);
                match timeout(WRITE_TIMEOUT, transport.write_all(&bytes)).await {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => return End::Gone(error.to_string()),
                    Err(_) => return End::Gone("the port takes no bytes".to_owned()),
                }
            }
            if !self.deliver(now, read_at).await {
                return End::Stop;
            }
            if let Some(wait) = self.link.poll_reopen() {
                return End::Reopen(wait);
            }
            let due = self.link.poll_timeout();
            tokio::select! {
                // What has arrived is read before silence is noticed.
                biased;
                () = cancel.cancelled() => return End::Stop,
                read = transport.read(&mut buffer) => {
                    let bytes = match read {
                        Ok(0) => return End::Gone("the port went away".to_owned()),
                        Ok(len) => &buffer[..len],
                        Err(error) => return End::Gone(error.to_string()),
                    };
                    read_at = Instant::now();
                    now = clock.at(read_at);
                    self.record(now.mono, Direction::Rx, bytes);
                    self.link.handle_bytes(now.mono, bytes);
                    let counters = self.link.counters();
                    self.context.status.update(&self.name, |status| status.counters = counters);
                }
                Some(command) = self.commands.recv() => {
                    read_at = Instant::now();
                    now = clock.at(read_at);
                    self.link.handle_clock_command(now.mono, command);
                }
                () = sleep_until(&clock, due) => {
                    read_at = Instant::now();
                    now = clock.at(read_at);
                    self.link.handle_timeout(now.mono);
                }
            }
        }
    }

    /// Hands on what the link has told. `false` when the hub stops.
    async fn deliver(&mut self, now: Now, read_at: Instant) -> bool {
        while let Some(observation) = self.link.poll_event() {
            match &observation {
                Observation::Found(info) => {
                    info!(port = %self.name, "device found: {}", words_of(info));
                    self.context
                        .status
                        .update(&self.name, |status| status.device = Some(info.clone()));
                }
                Observation::Lost(reason) => {
                    // Closing the ports at the end loses nothing.
                    if !self.context.cancel.is_cancelled() {
                        info!(port = %self.name, "device lost: {}", lost_words(*reason));
                    }
                    self.context
                        .status
                        .update(&self.name, |status| status.device = None);
                }
                _ => {}
            }
            let event = LinkEvent {
                port: self.name.clone(),
                now,
                read_at,
                observation,
            };
            let waits = self.known.expects(now.mono, &event.observation);
            if let Some(quiet) = self.context.quiet.as_ref().filter(|_| waits) {
                quiet.push(event);
                continue;
            }
            // A full channel makes the port wait; its bytes wait in the kernel.
            tokio::select! {
                biased;
                sent = self.context.events.send(event) => if sent.is_err() {
                    return false;
                },
                () = self.context.cancel.cancelled() => return false,
            }
        }
        true
    }

    /// Waits with the port closed, for a time of the hub's line. `false` when the hub stops.
    async fn wait_closed(&mut self, wait: Duration) -> bool {
        let clock = self.context.clock.clone();
        let until = clock.now().mono + wait;
        loop {
            tokio::select! {
                () = self.context.cancel.cancelled() => return false,
                Some(command) = self.commands.recv() => {
                    let now = clock.now();
                    self.link.handle_clock_command(now.mono, command);
                    if !self.deliver(now, Instant::now()).await {
                        return false;
                    }
                }
                () = clock.sleep_until(until) => return true,
            }
        }
    }

    fn closed(&self, state: PortState, error: Option<String>) {
        let counters = self.link.counters();
        self.context.status.update(&self.name, |status| {
            status.state = state;
            status.error = error;
            status.device = None;
            status.counters = counters;
        });
    }

    fn record(&mut self, at: Mono, direction: Direction, bytes: &[u8]) {
        let Some(recorder) = &mut self.recorder else {
            return;
        };
        if let Err(error) = recorder.write(at, direction, bytes) {
            self.recorder = None;
            self.recording_failed(&error);
        }
    }

    /// A full disk must not stop the board.
    fn recording_failed(&self, error: &std::io::Error) {
        warn!(port = %self.name, %error, "raw bytes are no longer recorded");
        self.context.status.update(&self.name, |status| {
            status.recording_error = Some(error.to_string());
        });
    }
}

/// A device in words for the log.
fn words_of(info: &DeviceInfo) -> String {
    let serial = info.serial.iter().map(|serial| format!(" {serial}"));
    let version = info.version.iter().map(|it| format!(", version {it}"));
    let more: String = serial.chain(version).collect();
    format!("{}{more}", info.family)
}

fn lost_words(reason: LostReason) -> &'static str {
    match reason {
        LostReason::Silent => "it is silent",
        LostReason::PortGone => "its port went away",
        LostReason::NotADevice => "what answers is no such device",
        LostReason::HubRestarted => "not heard of since the hub started",
    }
}

async fn sleep_until(clock: &HubClock, due: Option<Mono>) {
    match due {
        Some(due) => clock.sleep_until(due).await,
        None => std::future::pending().await,
    }
}
