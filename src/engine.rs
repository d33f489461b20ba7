//! The one task that owns the hub: takes in what the edges bring, makes events durable in groups,
//! and only then tells the world.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use flagfall_core::{
    hub::{
        Hub, Trouble,
        command::{Refused, Request},
        event::Event,
        view::Update,
    },
    protocol::Observation,
    types::Now,
};
use jiff::{SignedDuration, Timestamp};
use tokio::sync::{broadcast, mpsc, oneshot, watch};
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};
use tracing::{error, info, warn};

use crate::{
    forward::Forward,
    handle::{Ask, AskError, Handle},
    journal::{Journal, JournalError, Mark, Outgoing, Record},
    link::{LinkEvent, PortName, quiet::Quiet, supervise::Links},
    pulse::Pulse,
    sheet,
    time::{HubClock, STEP},
};

/// Inputs that are worked off before a commit: the group of the group commit.
const GROUP: usize = 512;

/// How long after a failed write the next one is tried.
const RETRY: Duration = Duration::from_millis(500);

/// How often readings that can wait are taken in, on the hub's time line.
const LISTEN: Duration = Duration::from_secs(1);

/// How often the system clock and the screens are looked at.
const LOOK: Duration = Duration::from_secs(1);

/// What the engine is built from.
pub(crate) struct Parts {
    pub(crate) hub: Hub,
    pub(crate) journal: Journal,
    pub(crate) mark: Mark,
    pub(crate) clock: HubClock,
    pub(crate) handle: Handle,
    pub(crate) asks: mpsc::Receiver<Ask>,
    pub(crate) links: mpsc::Receiver<LinkEvent>,
    /// What the ports have told that can wait.
    pub(crate) quiet: Quiet,
    pub(crate) troubles: mpsc::Receiver<Trouble>,
    pub(crate) updates: broadcast::Sender<Arc<Update>>,
    pub(crate) links_out: Links,
    pub(crate) forward: Forward,
    pub(crate) status: watch::Sender<JournalStatus>,
    pub(crate) latency: Latency,
    /// The ports are being closed.
    pub(crate) stopping: CancellationToken,
}

/// The state of the journal as the health page shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct JournalStatus {
    /// The last durable event.
    pub seq: u64,
    /// Why nothing can be written.
    pub error: Option<String>,
}

/// Real time from the read of a byte until its event was durable and its update published.
#[derive(Clone, Debug)]
pub struct Latency(Arc<Mutex<hdrhistogram::Histogram<u32>>>);

impl Latency {
    /// An empty record from 1 µs to one minute, two digits exact.
    ///
    /// # Errors
    /// Never with these bounds; the library wants it asked.
    pub fn new() -> Result<Self, hdrhistogram::CreationError> {
        let histogram = hdrhistogram::Histogram::new_with_bounds(1, 60_000_000, 2)?;
        Ok(Self(Arc::new(Mutex::new(histogram))))
    }

    fn record(&self, time: Duration) {
        metrics::histogram!("flagfall_latency_seconds").record(time);
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        if let Ok(mut histogram) = self.0.lock() {
            histogram.saturating_record(micros);
        }
    }

    /// The time that a share of the samples stays below, in milliseconds.
    pub fn quantile_ms(&self, quantile: f64) -> f64 {
        let micros = self.0.lock().map_or(0, |it| it.value_at_quantile(quantile));
        micros as f64 / 1000.0
    }
}

/// A command that was carried out or refused, and whoever waits for its events to be durable.
type Waiting = (oneshot::Sender<Result<u64, AskError>>, Result<(), Refused>);

pub(crate) struct Engine {
    parts: Parts,
    /// Events that the hub has made and the journal has not.
    pending: Vec<Record>,
    /// Their messages.
    outgoing: Vec<Outgoing>,
    update: Update,
    /// Commands whose events are in `pending`.
    waiting: Vec<Waiting>,
    reads: Vec<Instant>,
    failed: Option<(Timestamp, String)>,
    retry_at: Option<tokio::time::Instant>,
    /// A step of the system clock that was told and is not followed yet.
    stepped: Option<SignedDuration>,
    pulse: Pulse,
    /// From then on the hub was held up, and the boards have not been told yet.
    held_up: Option<Instant>,
}

impl Engine {
    pub(crate) fn new(parts: Parts) -> Self {
        Self {
            parts,
            pending: Vec::new(),
            outgoing: Vec::new(),
            update: Update::default(),
            waiting: Vec::new(),
            reads: Vec::new(),
            failed: None,
            retry_at: None,
            stepped: None,
            pulse: Pulse::new(Instant::now()),
            held_up: None,
        }
    }

    /// Runs until `cancel`, then writes what is still pending.
    pub(crate) async fn run(mut self, cancel: CancellationToken) {
        self.commit().await;
        let beats = AbortOnDropHandle::new(tokio::spawn(self.pulse.clone().run()));
        let mut look = tokio::time::interval(LOOK);
        let mut listen = tokio::time::interval(LISTEN.div_f64(self.parts.clock.speed()));
        loop {
            let wake = self
                .parts
                .hub
                .poll_timeout()
                .map(|at| self.parts.clock.until(at));
            let retry = self.retry_at;
            tokio::select! {
                biased;
                () = cancel.cancelled() => break,
                Some(ask) = self.parts.asks.recv() => self.answer(ask),
                Some(event) = self.parts.links.recv() => self.observe(event),
                Some(trouble) = self.parts.troubles.recv() => {
                    let now = self.parts.clock.now();
                    self.parts.hub.handle_trouble(now, trouble);
                }
                () = tokio::time::sleep(wake.unwrap_or(Duration::MAX)), if wake.is_some() => {}
                () = sleep_until(retry), if retry.is_some() => {}
                _ = look.tick() => {
                    self.look();
                    self.look_at_journal().await;
                }
                _ = listen.tick() => {}
            }
            let mut heard_all = false;
            for _ in 0..GROUP {
                if let Ok(event) = self.parts.links.try_recv() {
                    self.observe(event);
                } else if let Ok(ask) = self.parts.asks.try_recv() {
                    self.answer(ask);
                } else {
                    heard_all = true;
                    break;
                }
            }
            self.catch_up();
            self.feel(Instant::now());
            let now = self.parts.clock.now();
            // What a port has told is older than the time that has come now.
            if heard_all
                && self
                    .parts
                    .hub
                    .poll_timeout()
                    .is_some_and(|at| at <= now.mono)
            {
                self.parts.hub.handle_timeout(now);
            }
            self.commit().await;
        }
        drop(beats);
        self.retry_at = None;
        self.commit().await;
        self.parts.mark.write(self.parts.journal.last_seq());
        if let Some((_, reason)) = &self.failed {
            error!(
                events = self.pending.len(),
                reason, "stopping with events that are not written"
            );
            self.set_aside();
        }
    }

    /// Writes what the journal cannot take to a file beside it, a line of JSON for each event.
    fn set_aside(&self) {
        let Some(first) = self.pending.first() else {
            return;
        };
        let name = format!("unwritten-{}.jsonl", first.seq);
        let path = self.parts.journal.path().with_file_name(name);
        let bodies = self.pending.iter().map(|record| record.body.as_str());
        let text: String = bodies.flat_map(|body| [body, "\n"]).collect();
        match std::fs::write(&path, text) {
            Ok(()) => error!(path = %path.display(), "they are kept here instead"),
            Err(error) => error!(%error, "nor can they be kept beside the journal"),
        }
    }

    /// A port's readings that waited are older than anything else it told since.
    fn catch_up(&mut self) {
        for event in self.parts.quiet.take() {
            self.take_in(event);
        }
    }

    fn observe(&mut self, event: LinkEvent) {
        self.catch_up();
        self.take_in(event);
    }

    /// After the hub was held up nobody knows what the boards showed meanwhile, nor when.
    fn feel(&mut self, at: Instant) {
        // A demo's tables are held up with it, and its time line is not theirs.
        if !self.parts.clock.is_real_time() {
            return;
        }
        let noticed = self.pulse.held_up(Instant::now());
        self.held_up = self.held_up.or(noticed);
        // What was read before is taken in as it came.
        if let Some(from) = self.held_up.take_if(|from| *from < at) {
            let seconds = from.elapsed().as_secs_f32();
            warn!(seconds, "the hub was held up; boards are looked at anew");
            let now = self.parts.clock.at(from);
            self.parts.hub.handle_held_up(now);
        }
    }

    fn take_in(&mut self, event: LinkEvent) {
        self.feel(event.read_at);
        // The hub itself closes the ports when it stops: no board is lost by that.
        if matches!(event.observation, Observation::Lost(_)) && self.parts.stopping.is_cancelled() {
            return;
        }
        let before = self.parts.hub.state().seq;
        self.parts
            .hub
            .handle_observation(event.now, &event.port.0, event.observation);
        // Ticks that nobody is told of would flatter the figure.
        if self.parts.hub.state().seq != before {
            self.reads.push(event.read_at);
        }
    }

    fn answer(&mut self, ask: Ask) {
        self.catch_up();
        self.feel(Instant::now());
        let now = self.parts.clock.now();
        let hub = &mut self.parts.hub;
        // A receiver that has gone away needs no answer.
        match ask {
            Ask::Hall(reply) => drop(reply.send(Arc::new(hub.hall_view(now)))),
            Ask::Game(table, round, reply) => drop(reply.send(hub.game_view(table, round))),
            Ask::RoundPgn(round, reply) => drop(reply.send(hub.round_pgn(round))),
            Ask::GamesPgn(round, tables, feeds, reply) => {
                drop(reply.send(hub.games_pgn(round, &tables, &feeds)));
            }
            Ask::Sheet(table, round, reply) => {
                let sheet = hub.sheet(table, round);
                let journal = self.parts.journal.clone();
                // The journal is read beside the hub's work.
                tokio::spawn(async move {
                    let read = match sheet {
                        Some(sheet) => sheet::read_back(&journal, sheet).await.map(Some),
                        None => Ok(None),
                    };
                    drop(reply.send(read));
                });
            }
            Ask::Pairing(round, language, reply) => {
                drop(reply.send(hub.pairing_view(round, language)));
            }
            Ask::Players(reply) => drop(reply.send(hub.players_view())),
            Ask::PublicRound(round, reply) => drop(reply.send(hub.public_round(round))),
            Ask::Repair(reply) => drop(reply.send(hub.repair_view())),
            Ask::Report(options, zone, reply) => drop(reply.send(hub.report(options, &zone))),
            Ask::Standings(explained, reply) => {
                drop(reply.send(hub.standings_explained(explained)));
            }
            Ask::EventTable(explained, reply) => drop(reply.send(hub.event_table(explained))),
            Ask::EventFigures(reply) => drop(reply.send(hub.event_figures())),
            Ask::Record(language, reply) => {
                let journal = self.parts.journal.clone();
                tokio::spawn(async move {
                    drop(reply.send(sheet::read_record(&journal, language).await));
                });
            }
            Ask::Amendment(asked, language, reply) => {
                drop(reply.send(hub.amendment_view(now, &asked, language)));
            }
            Ask::Reverted(number, language, reply) => {
                drop(reply.send(hub.revert_view(now, number, language)));
            }
            Ask::Paper(reply) => drop(reply.send(hub.paper_view())),
            Ask::Wall(delay, reply) => drop(reply.send(hub.wall(now, delay))),
            Ask::Command(request, reply) => self.carry_out(now, request, reply),
        }
    }

    fn carry_out(
        &mut self,
        now: Now,
        request: Request,
        reply: oneshot::Sender<Result<u64, AskError>>,
    ) {
        if let Some((_, reason)) = &self.failed {
            drop(reply.send(Err(AskError::Journal(reason.clone()))));
            return;
        }
        let done = self.parts.hub.handle_request(now, request);
        self.waiting.push((reply, done));
    }

    fn look(&mut self) {
        let now = self.parts.clock.now();
        self.parts
            .hub
            .handle_screens(now, self.parts.handle.seen_screens());
        let Some(ahead) = self.parts.clock.compare(Timestamp::now()) else {
            self.stepped = None;
            return;
        };
        let seconds = ahead.as_secs_f64().round();
        if self.parts.hub.countdown_runs() {
            // Once a step, not once a look.
            let told = |told: SignedDuration| (told - ahead).abs() < STEP;
            if self.stepped.is_some_and(told) {
                return;
            }
            self.stepped = Some(ahead);
            let text = format!(
                "The system clock was set by {seconds} s. The hub keeps its own time until the \
                 countdown is over; then it follows."
            );
            self.parts
                .hub
                .handle_trouble(now, Trouble::SystemClock(text));
        } else {
            warn!(seconds, "the system clock was set; the hub follows");
            self.stepped = None;
            let text = format!(
                "The system clock was set by {seconds} s and the hub followed. \
                 The order of events is kept by their numbers."
            );
            self.parts
                .hub
                .handle_trouble(now, Trouble::SystemClock(text));
            self.parts.clock.adopt(Timestamp::now());
            self.parts.hub.handle_clock_adopted(self.parts.clock.now());
        }
    }

    /// Nobody may be told that all is well while the journal is gone, even if nothing is written.
    async fn look_at_journal(&mut self) {
        if self.failed.is_none()
            && let Err(error) = self.parts.journal.check().await
        {
            self.fail(&error);
        }
        self.parts.mark.keep(self.parts.journal.last_seq());
    }

    /// Makes durable what the hub has made, then tells the world.
    async fn commit(&mut self) {
        self.collect();
        if let Some(at) = self.retry_at
            && at > tokio::time::Instant::now()
        {
            return;
        }
        if self.failed.is_some() {
            if let Err(error) = self.parts.journal.repair().await {
                self.fail(&error);
                return;
            }
            if let Err(error) = self.parts.journal.check().await {
                self.fail(&error);
                return;
            }
        }
        if !self.pending.is_empty() || !self.outgoing.is_empty() || self.failed.is_some() {
            let written = self
                .parts
                .journal
                .append(&self.pending, &self.outgoing)
                .await;
            if let Err(error) = written {
                self.fail(&error);
                return;
            }
            self.recover();
        }
        self.tell();
    }

    fn collect(&mut self) {
        let now = self.parts.clock.now();
        let mut events = Vec::new();
        while let Some(event) = self.parts.hub.poll_event() {
            let record = Record::from(&event);
            events.push((event, record));
        }
        let update = self.parts.hub.take_update(now);
        if update.is_none() && events.is_empty() {
            return;
        }
        let update = update.unwrap_or_default();
        self.outgoing
            .extend(self.parts.forward.messages(&events, &update));
        self.pending
            .extend(events.into_iter().map(|(_, record)| record));
        merge(&mut self.update, update);
    }

    fn fail(&mut self, error: &JournalError) {
        let reason = error.to_string();
        for (reply, _) in self.waiting.drain(..) {
            drop(reply.send(Err(AskError::Journal(reason.clone()))));
        }
        if self.failed.is_none() {
            error!(%error, "the journal cannot be written; events are kept in memory");
            self.failed = Some((self.parts.clock.now().utc, reason.clone()));
            let seq = self.parts.journal.last_seq();
            self.parts.status.send_replace(JournalStatus {
                seq,
                error: Some(reason),
            });
        }
        self.retry_at = Some(tokio::time::Instant::now() + RETRY);
    }

    fn recover(&mut self) {
        self.retry_at = None;
        if let Some((since, reason)) = self.failed.take() {
            info!("the journal can be written again; nothing was lost");
            let now = self.parts.clock.now();
            self.parts
                .hub
                .handle_trouble(now, Trouble::JournalGap { since, reason });
        }
    }

    /// Everything is durable: answers, pages, MQTT, clocks.
    fn tell(&mut self) {
        let seq = self.parts.journal.last_seq();
        if !self.pending.is_empty() {
            self.parts.status.send_if_modified(|status| {
                let new = JournalStatus { seq, error: None };
                let changed = *status != new;
                *status = new;
                changed
            });
        }
        for (reply, done) in self.waiting.drain(..) {
            drop(reply.send(done.map(|()| seq).map_err(AskError::from)));
        }
        let update = std::mem::take(&mut self.update);
        if update != Update::default() {
            self.parts.forward.live(&update);
            // Without a page that listens there is nobody to tell.
            drop(self.parts.updates.send(Arc::new(update)));
        }
        if !self.outgoing.is_empty() {
            self.parts.forward.wake();
        }
        while let Some((port, command)) = self.parts.hub.poll_clock_command() {
            if let Err(error) = self.parts.links_out.command(&PortName(port), command) {
                warn!(%error, "a clock command found no way");
            }
        }
        self.pending.clear();
        self.outgoing.clear();
        for read in self.reads.drain(..) {
            self.parts.latency.record(read.elapsed());
        }
    }
}

async fn sleep_until(at: Option<tokio::time::Instant>) {
    if let Some(at) = at {
        tokio::time::sleep_until(at).await;
    }
}

impl From<&Event> for Record {
    fn from(event: &Event) -> Self {
        Self {
            seq: event.seq,
            id: event.id.clone(),
            at: event.at,
            kind: event.kind().to_owned(),
            section: event.section.as_ref().map(ToString::to_string),
            round: event.round.map(|round| round.0),
            table: event.table.map(|table| table.0),
            // Events are plain data with text keys: they always have a JSON form.
            body: serde_json::to_string(event).unwrap_or_default(),
        }
    }
}

/// Adds a newer update to one that could not be told yet.
fn merge(old: &mut Update, new: Update) {
    old.seq = new.seq;
    old.event = new.event.or(old.event.take());
    old.round = new.round.or(old.round.take());
    old.alerts = new.alerts.or(old.alerts.take());
    old.proposals = new.proposals.or(old.proposals.take());
    old.devices = new.devices.or(old.devices.take());
    old.screens = new.screens.or(old.screens.take());
    old.show = new.show.or(old.show.take());
    old.tables
        .retain(|table| new.tables.iter().all(|newer| newer.table != table.table));
    old.tables.extend(new.tables);
}
