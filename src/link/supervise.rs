//! One task a port: open it, drive its conversation, close it, try again.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use flagfall_core::{
    protocol::{ClockCommand, DeviceInfo, LostReason, Observation, Part},
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
    families::{LinkFactory, PortFamily, Talkers, Wanted},
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
/// Clock commands waiting for one port.
const COMMANDS: usize = 32;

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

/// A command for the clock of a device, and which of several behind the port it is.
pub type PartCommand = (Option<Part>, ClockCommand);

type Senders = Arc<Mutex<BTreeMap<PortName, mpsc::Sender<PartCommand>>>>;

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
        let whole = || Some((senders.get(port)?, None));
        let part = || {
            let (line, part) = port.split()?;
            Some((senders.get(&line)?, Some(part)))
        };
        let (sender, part) = whole()
            .or_else(part)
            .ok_or_else(|| CommandError::NoPort(port.clone()))?;
        sender
            .try_send((part, command))
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
                let family = factory(&port);
                tasks.spawn(serve(port, family, commands, context.clone()));
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
    family: PortFamily,
    commands: mpsc::Receiver<PartCommand>,
    context: LinkContext,
) {
    Port::new(port, family, commands, context).run().await;
}

/// Serves one port and records its raw bytes.
pub async fn serve_recorded(
    port: PortName,
    family: PortFamily,
    commands: mpsc::Receiver<PartCommand>,
    recorder: Recorder,
    context: LinkContext,
) {
    let mut served = Port::new(port, family, commands, context);
    served.tape = Tape::Running(recorder);
    served.run().await;
}

/// Where raw bytes go.
enum Tape {
    /// Nowhere.
    Off,
    /// To a file, once it is known whose bytes they are; what came before waits here.
    Waiting(Vec<(Mono, Direction, Vec<u8>)>),
    /// To this file.
    Running(Recorder),
}

/// Bytes of an unknown device that are kept until it is known.
const TAPE_WAITS: usize = 64 * 1024;

struct Port {
    name: PortName,
    talkers: Talkers,
    commands: mpsc::Receiver<PartCommand>,
    tape: Tape,
    known: BTreeMap<Option<Part>, Known>,
    context: LinkContext,
}

/// How a session with an open port ended.
enum End {
    /// The hub stops.
    Stop,
    /// The port went away, for this reason.
    Gone(String),
    /// Nobody of this kind answered; somebody of another one may.
    Next,
    /// Nobody answered, whoever was asked: the port is closed and opened again after a while.
    Reopen(Duration),
}

impl Port {
    fn new(
        name: PortName,
        family: PortFamily,
        commands: mpsc::Receiver<PartCommand>,
        context: LinkContext,
    ) -> Self {
        let tape = match context.record_dir {
            Some(_) => Tape::Waiting(Vec::new()),
            None => Tape::Off,
        };
        let known = match family.wanted {
            Wanted::Kind(kind) => Some(kind),
            Wanted::Auto => None,
        };
        let mut port = Self {
            name,
            talkers: Talkers::new(family),
            commands,
            tape,
            known: BTreeMap::new(),
            context,
        };
        if let Some(kind) = known {
            let now = port.context.clock.now();
            port.start_tape(now, kind.name);
        }
        port
    }

    async fn run(&mut self) {
        let mut back_off = BACK_OFF_FIRST;
        loop {
            let Some(transport) = self.open(&mut back_off).await else {
                break;
            };
            let before = self.talkers.counters().messages;
            let end = self.session(transport).await;
            if self.talkers.counters().messages > before {
                back_off = BACK_OFF_FIRST;
            }
            let wait = match end {
                End::Stop => break,
                End::Next => Duration::ZERO,
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
        self.talkers.look(&self.name);
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
                opened = port::open(&self.name, settings, self.talkers.line()) => opened,
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
        if let Tape::Waiting(waiting) = &mut self.tape {
            // What nobody understood was not his.
            waiting.clear();
        }
        self.record(now.mono, Direction::Open, &[]);
        let Some(link) = self.talkers.link() else {
            return End::Reopen(BACK_OFF_LAST);
        };
        link.handle_open(now.mono);
        let end = self.talk(&mut transport).await;
        drop(transport);
        let now = self.context.clock.now();
        self.record(now.mono, Direction::Closed, &[]);
        if !matches!(end, End::Reopen(_)) {
            if let Some(link) = self.talkers.link() {
                link.handle_closed(now.mono);
            }
            if !self.deliver(now, Instant::now()).await {
                return End::Stop;
            }
        }
        match end {
            End::Next | End::Reopen(_) if !self.talkers.next() => End::Next,
            End::Next => End::Reopen(BACK_OFF_FIRST),
            end => end,
        }
    }

    async fn talk(&mut self, transport: &mut Box<dyn Transport>) -> End {
        let clock = self.context.clock.clone();
        let cancel = self.context.cancel.clone();
        let mut buffer = [0; 4096];
        let mut now = clock.now();
        let mut read_at = Instant::now();
        let glance = self.talkers.glance(clock.speed()).map(|it| now.mono + it);
        let heard_before = self.messages();
        loop {
            while let Some(bytes) = self.poll_transmit() {
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
            let Some(link) = self.talkers.link() else {
                return End::Next;
            };
            if let Some(wait) = link.poll_reopen() {
                return End::Reopen(wait);
            }
            let mut due = link.poll_timeout();
            if let Some(until) = glance.filter(|_| self.messages() == heard_before) {
                if now.mono >= until {
                    return End::Next;
                }
                due = Some(due.map_or(until, |due| due.min(until)));
            }
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
                    if let Some(link) = self.talkers.link() {
                        link.handle_bytes(now.mono, bytes);
                    }
                    let counters = self.talkers.counters();
                    self.context.status.update(&self.name, |status| status.counters = counters);
                }
                Some(command) = self.commands.recv() => {
                    read_at = Instant::now();
                    now = clock.at(read_at);
                    self.command(now.mono, command);
                }
                () = sleep_until(&clock, due) => {
                    read_at = Instant::now();
                    now = clock.at(read_at);
                    if let Some(link) = self.talkers.link() {
                        link.handle_timeout(now.mono);
                    }
                }
            }
        }
    }

    fn messages(&self) -> u64 {
        self.talkers.counters().messages
    }

    fn poll_transmit(&mut self) -> Option<Vec<u8>> {
        self.talkers.link()?.poll_transmit()
    }

    fn command(&mut self, now: Mono, (part, command): PartCommand) {
        let Some(link) = self.talkers.link() else {
            return;
        };
        match part {
            Some(part) => link.handle_part_command(now, &part, command),
            None => link.handle_clock_command(now, command),
        }
    }

    /// Hands on what the link has told. `false` when the hub stops.
    async fn deliver(&mut self, now: Now, read_at: Instant) -> bool {
        loop {
            let told = self.talkers.link().and_then(|link| link.poll_part_event());
            let Some((part, observation)) = told else {
                return true;
            };
            // As long as others may be there, nobody is told that it is not this one.
            let passed_over = observation == Observation::Lost(LostReason::NotADevice)
                && self.talkers.others_wait();
            if passed_over {
                continue;
            }
            let port = match &part {
                Some(part) => self.name.part(part),
                None => self.name.clone(),
            };
            self.note(now, &port, part.is_some(), &observation);
            let event = LinkEvent {
                port,
                now,
                read_at,
                observation,
            };
            let known = self.known.entry(part).or_default();
            let waits = known.expects(now.mono, &event.observation);
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
    }

    /// Found and lost, for the log and the status.
    fn note(&mut self, now: Now, port: &PortName, is_part: bool, observation: &Observation) {
        match observation {
            Observation::Found(info) => {
                info!(port = %port, "device found: {}", words_of(info));
                self.talkers.prove();
                if let Some(kind) = self.talkers.kind() {
                    self.start_tape(now, kind.name);
                }
                let status = &self.context.status;
                if is_part {
                    let line = self.talkers.kind().map(|kind| DeviceInfo {
                        family: kind.name.to_owned(),
                        serial: None,
                        version: None,
                    });
                    status.update(&self.name, |status| {
                        status.shared = true;
                        status.device = line;
                    });
                }
                status.update(port, |status| {
                    status.state = PortState::Open;
                    status.error = None;
                    status.reconnects += u32::from(std::mem::replace(&mut status.was_found, true));
                    status.device = Some(info.clone());
                });
            }
            Observation::Lost(reason) => {
                // Closing the ports at the end loses nothing.
                if !self.context.cancel.is_cancelled() {
                    info!(port = %port, "device lost: {}", lost_words(*reason));
                }
                self.context.status.update(port, |status| {
                    status.device = None;
                    if is_part {
                        status.state = PortState::Closed;
                        status.error = Some(lost_words(*reason).to_owned());
                    }
                });
            }
            _ => {}
        }
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
                    self.command(now.mono, command);
                    if !self.deliver(now, Instant::now()).await {
                        return false;
                    }
                }
                () = clock.sleep_until(until) => return true,
            }
        }
    }

    fn closed(&self, state: PortState, error: Option<String>) {
        let counters = self.talkers.counters();
        self.context.status.update(&self.name, |status| {
            status.state = state;
            status.error = error;
            status.device = None;
            status.counters = counters;
        });
    }

    fn record(&mut self, at: Mono, direction: Direction, bytes: &[u8]) {
        match &mut self.tape {
            Tape::Off => {}
            Tape::Waiting(waiting) => {
                let held: usize = waiting.iter().map(|(.., bytes)| bytes.len() + 16).sum();
                if held < TAPE_WAITS {
                    waiting.push((at, direction, bytes.to_vec()));
                }
            }
            Tape::Running(recorder) => {
                if let Err(error) = recorder.write(at, direction, bytes) {
                    self.tape = Tape::Off;
                    self.recording_failed(&error);
                }
            }
        }
    }

    /// It is known whose bytes they are: what has waited is written.
    fn start_tape(&mut self, now: Now, family: &str) {
        let (Tape::Waiting(waiting), Some(dir)) = (&mut self.tape, &self.context.record_dir) else {
            return;
        };
        let waiting = std::mem::take(waiting);
        let began = waiting.first().map_or(now.mono, |(at, ..)| *at);
        let begun = Now {
            mono: began,
            utc: now.utc - now.mono.since(began),
        };
        let started = Recorder::create_in(dir, &self.name, family, begun);
        match started {
            Ok(recorder) => {
                self.tape = Tape::Running(recorder);
                for (at, direction, bytes) in waiting {
                    self.record(at, direction, &bytes);
                }
            }
            Err(error) => {
                self.tape = Tape::Off;
                self.recording_failed(&error);
            }
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
