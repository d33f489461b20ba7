//! The task that publishes: connects, says who we are, sends the outbox, answers.
//!
//! Everything that goes out passes through this one task in one order, so a state said again at a
//! connect can never overwrite a newer one from the outbox: the states go first, then the rows.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet, VecDeque},
    future::pending,
    sync::Arc,
    time::{Duration, Instant},
};

use jiff::Timestamp;
use serde_json::json;
use tokio::{
    sync::{Notify, mpsc, watch},
    time::{MissedTickBehavior, interval, sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use super::{
    Live, MqttStatus, StateSource,
    link::{Ack, Acknowledged, Connector, Link, LinkEvent},
    requests::{Inbound, Requests},
    topics::Topics,
};
use crate::{
    journal::{Journal, JournalError, Outgoing},
    time::milliseconds,
};

/// Messages with QoS 1 on their way.
const WINDOW: usize = 20;
/// Rows fetched at once.
const PAGE: u32 = 100;
/// Acknowledged rows are deleted together: each deletion is a write to the disk.
const DONE_BATCH: usize = 100;
const TICK: Duration = Duration::from_millis(250);
/// What is not urgent happens every so many ticks.
const SECOND: u64 = 4;
/// A live topic is published at most this often.
const LIVE_EVERY: Duration = Duration::from_secs(1);
const HEALTH_EVERY: Duration = Duration::from_mins(1);
/// Silence after which the broker is asked for a sign.
const PROBE_AFTER: Duration = Duration::from_secs(4);
/// Silence after which the broker counts as dead; noticed within 15 s.
const DEAD_AFTER: Duration = Duration::from_secs(14);
/// The broker talks, but does not acknowledge what was sent.
const STUCK_AFTER: Duration = Duration::from_secs(30);
/// Between a foreign `offline` and our `online`: a broker may deliver two publishers' messages in
/// either order (mqtt5 0.49 does when they come close together), and two hubs of one name must not
/// fight as fast as they can.
const REPAIR_AFTER: Duration = Duration::from_millis(500);
const BACK_OFF: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(10));
/// A trouble that was not met for this long is over.
const QUIET_AFTER: Duration = Duration::from_secs(10);
/// A connection that lasted this long was a good one: the next wait is short again.
const GOOD_AFTER: Duration = Duration::from_secs(10);

/// What a publisher is made of.
pub(super) struct Parts<S> {
    pub(super) connector: Connector,
    pub(super) topics: Topics,
    pub(super) journal: Journal,
    pub(super) states: S,
    pub(super) live: mpsc::Receiver<Live>,
    pub(super) requests: mpsc::Sender<Inbound>,
    pub(super) wake: Arc<Notify>,
    pub(super) status: watch::Sender<MqttStatus>,
    pub(super) cancel: CancellationToken,
}

/// The publisher and what it keeps between connections.
pub(super) struct Publisher<S> {
    parts: Parts<S>,
    started: Timestamp,
    live: BTreeMap<String, LiveTopic>,
    live_open: bool,
    /// Acknowledged rows whose deletion has not been written yet.
    done: Vec<i64>,
    /// Topics that the journal knows to be retained.
    remembered: HashSet<String>,
    noted: Noted,
}

/// Troubles that go on: a full disk is met ten times a second and is one trouble.
#[derive(Default)]
struct Noted(BTreeMap<String, Instant>);

impl Noted {
    /// Whether a trouble has not been met for a while; it counts as met now.
    fn is_new(&mut self, trouble: &str, now: Instant) -> bool {
        self.0
            .retain(|_, met| now.duration_since(*met) < QUIET_AFTER);
        self.0.insert(trouble.to_owned(), now).is_none()
    }
}

#[derive(Default)]
struct LiveTopic {
    waiting: Option<Vec<u8>>,
    sent: Option<Instant>,
}

/// A message on its way; `row` when it is from the outbox.
struct InFlight {
    row: Option<i64>,
    topic: String,
    ack: Ack,
}

/// One connection's state.
struct Session {
    link: Link,
    requests: Requests,
    in_flight: VecDeque<InFlight>,
    /// Waits outside the outbox: birth, states, answers.
    direct: VecDeque<Outgoing>,
    rows: VecDeque<(i64, Outgoing)>,
    /// The last row fetched.
    fetched: i64,
    /// There may be rows after `fetched`.
    more: bool,
    /// The states have not been said yet on this connection.
    states_due: bool,
    /// When `online` must be said (again).
    status_due: Option<Instant>,
    /// When an acknowledgement last came, or the window was last empty.
    progress: Instant,
    probed: Instant,
    health: Option<Instant>,
}

/// How a connection ended.
enum End {
    Cancelled,
    Lost(String),
}

impl<S: StateSource> Publisher<S> {
    pub(super) fn new(parts: Parts<S>) -> Self {
        Self {
            parts,
            started: milliseconds(Timestamp::now()),
            live: BTreeMap::new(),
            live_open: true,
            done: Vec::new(),
            remembered: HashSet::new(),
            noted: Noted::default(),
        }
    }

    /// Publishes until cancelled.
    pub(super) async fn run(mut self) {
        let mut wait = BACK_OFF.0;
        loop {
            let opened = Instant::now();
            let link = self.parts.connector.open();
            match self.connection(link).await {
                End::Cancelled => break,
                End::Lost(reason) => {
                    tracing::warn!(reason, "MQTT connection lost");
                    metrics::counter!("flagfall_mqtt_connections_lost_total").increment(1);
                    self.flush_done().await;
                    self.set_status(false, Some(reason)).await;
                }
            }
            if opened.elapsed() >= GOOD_AFTER {
                wait = BACK_OFF.0;
            }
            if self.pause(wait.mul_f64(rand::random_range(0.8..1.0))).await {
                break;
            }
            wait = (wait * 2).min(BACK_OFF.1);
        }
        self.flush_done().await;
        self.set_status(false, None).await;
    }

    /// Waits, while live values are still taken, so that nobody blocks. True when cancelled.
    async fn pause(&mut self, wait: Duration) -> bool {
        let until = sleep(wait);
        tokio::pin!(until);
        loop {
            tokio::select! {
                () = self.parts.cancel.cancelled() => return true,
                () = &mut until => return false,
                live = self.parts.live.recv(), if self.live_open => self.take_live(live),
            }
        }
    }

    fn take_live(&mut self, live: Option<Live>) {
        match live {
            Some(live) => {
                self.live.entry(live.topic).or_default().waiting = Some(live.payload);
            }
            None => self.live_open = false,
        }
    }

    /// One connection from its first byte to its end.
    async fn connection(&mut self, mut link: Link) -> End {
        loop {
            tokio::select! {
                () = self.parts.cancel.cancelled() => return End::Cancelled,
                event = link.events.recv() => match event {
                    Some(LinkEvent::Up) => break,
                    Some(LinkEvent::Down(reason)) => return End::Lost(reason),
                    Some(LinkEvent::Message(_)) => {}
                    None => return End::Lost("the connection ended".to_owned()),
                },
                live = self.parts.live.recv(), if self.live_open => self.take_live(live),
            }
        }
        let now = Instant::now();
        let mut session = Session {
            link,
            requests: Requests::new(
                self.parts.topics.clone(),
                self.parts.journal.clone(),
                self.parts.requests.clone(),
            ),
            in_flight: VecDeque::new(),
            direct: VecDeque::new(),
            rows: VecDeque::new(),
            fetched: 0,
            more: true,
            states_due: true,
            status_due: Some(now),
            progress: now,
            probed: now,
            health: None,
        };
        metrics::counter!("flagfall_mqtt_connects_total").increment(1);
        self.set_status(true, None).await;
        let end = self.serve(&mut session).await;
        if matches!(end, End::Cancelled) {
            self.goodbye(session).await;
        }
        end
    }

    async fn serve(&mut self, session: &mut Session) -> End {
        if session.link.subscribe(&self.parts.connector).is_err() {
            return End::Lost("the client's queue is full at the start".to_owned());
        }
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut ticks = 0_u64;
        loop {
            if let Err(error) = self.pump(session).await {
                // The disk will be better or the operator will see it; the connection is fine.
                self.note(error.to_string());
            }
            let wake = Arc::clone(&self.parts.wake);
            tokio::select! {
                () = self.parts.cancel.cancelled() => return End::Cancelled,
                event = session.link.events.recv() => match event {
                    Some(LinkEvent::Message(message)) => {
                        session.direct.extend(session.requests.take(&message));
                    }
                    Some(LinkEvent::Up) => {}
                    Some(LinkEvent::Down(reason)) => return End::Lost(reason),
                    None => return End::Lost("the connection ended".to_owned()),
                },
                () = session.link.called_offline.notified() => {
                    session.status_due = Some(Instant::now() + REPAIR_AFTER);
                }
                answered = first(&mut session.in_flight) => {
                    if let Some(reason) = self.acknowledged(session, answered) {
                        return End::Lost(reason);
                    }
                    if self.done.len() >= DONE_BATCH {
                        self.flush_done().await;
                    }
                }
                answer = session.requests.answer() => session.direct.push_back(answer),
                () = wake.notified() => session.more = true,
                live = self.parts.live.recv(), if self.live_open => self.take_live(live),
                _ = tick.tick() => {
                    ticks += 1;
                    if let Some(reason) = self.watch(session) {
                        return End::Lost(reason);
                    }
                    if ticks.is_multiple_of(SECOND) {
                        self.flush_done().await;
                        // Rows from whoever forgot to wake us.
                        session.more = true;
                        self.set_status(true, None).await;
                    }
                    if session.health.is_none_or(|then| then.elapsed() >= HEALTH_EVERY) {
                        session.health = Some(Instant::now());
                        self.tell_health(session);
                    }
                }
            }
        }
    }

    /// Fills the window and sends live values that are due.
    async fn pump(&mut self, session: &mut Session) -> Result<(), JournalError> {
        if session.status_due.is_some_and(|due| due <= Instant::now()) {
            session.status_due = None;
            let topic = self.parts.topics.status();
            self.remember(vec![topic.clone()]).await?;
            session.direct.push_front(retained(topic, "online"));
        }
        if session.states_due {
            self.prepare_states(session).await?;
        }
        while session.in_flight.len() < WINDOW {
            if let Some(message) = session.direct.front() {
                let Ok(ack) = session.link.publish(message) else {
                    return Ok(());
                };
                let topic = message.topic.clone();
                session.direct.pop_front();
                session.sent(None, topic, ack);
                continue;
            }
            if session.rows.is_empty() && session.more {
                self.fetch(session).await?;
            }
            let Some((row, message)) = session.rows.front() else {
                break;
            };
            let Ok(ack) = session.link.publish(message) else {
                return Ok(());
            };
            if message.retain {
                // Whatever waits for the live channel there is older.
                if let Some(live) = self.live.get_mut(&message.topic) {
                    live.waiting = None;
                }
                self.remembered.remove(&message.topic);
            }
            let (row, topic) = (*row, message.topic.clone());
            session.rows.pop_front();
            session.sent(Some(row), topic, ack);
            metrics::counter!("flagfall_mqtt_published_total").increment(1);
        }
        self.tell_live(session).await
    }

    async fn fetch(&mut self, session: &mut Session) -> Result<(), JournalError> {
        let rows = self.parts.journal.outbox(session.fetched, PAGE).await?;
        session.more = rows.len() == PAGE as usize;
        if let Some((last, _)) = rows.last() {
            session.fetched = *last;
        }
        let done = &self.done;
        session
            .rows
            .extend(rows.into_iter().filter(|(row, _)| !done.contains(row)));
        Ok(())
    }

    /// Says who we are and all states again, and empties what is no more.
    async fn prepare_states(&mut self, session: &mut Session) -> Result<(), JournalError> {
        let topics = &self.parts.topics;
        // Read before the states: a topic that appears in between must not look like one that is gone.
        let remembered = self.parts.journal.retained().await?;
        let Some(states) = self.parts.states.states().await else {
            return Ok(());
        };
        session.states_due = false;
        let info = Outgoing {
            topic: topics.info(),
            payload: self.info().to_string().into_bytes(),
            retain: true,
        };
        let (status, health) = (topics.status(), topics.health());
        let current: BTreeSet<String> = states
            .iter()
            .map(|state| state.topic.clone())
            .chain([status, health, info.topic.clone()])
            .collect();
        let gone: Vec<Outgoing> = remembered
            .iter()
            .filter(|topic| !current.contains(*topic))
            .map(|topic| retained(topic.clone(), ""))
            .collect();
        self.remembered = remembered.into_iter().collect();
        self.remember(current.into_iter().collect()).await?;
        if !gone.is_empty() {
            tracing::info!(
                topics = gone.len(),
                "emptying retained topics that are no more"
            );
            for message in &gone {
                self.remembered.remove(&message.topic);
                self.live.remove(&message.topic);
            }
            // Through the outbox: so they are emptied even if we are killed now, and only once.
            self.parts.journal.append(&[], &gone).await?;
            session.more = true;
        }
        for live in self.live.values_mut() {
            // The states are at least as new.
            live.waiting = None;
        }
        session.direct.push_back(info);
        session.direct.extend(states);
        Ok(())
    }

    /// Has the journal remember topics that are about to hold something retained.
    async fn remember(&mut self, mut topics: Vec<String>) -> Result<(), JournalError> {
        topics.retain(|topic| !self.remembered.contains(topic));
        if !topics.is_empty() {
            self.parts.journal.remember_retained(&topics).await?;
            self.remembered.extend(topics);
        }
        Ok(())
    }

    async fn tell_live(&mut self, session: &mut Session) -> Result<(), JournalError> {
        let due: Vec<String> = self
            .live
            .iter()
            .filter(|(_, live)| {
                live.waiting.is_some() && live.sent.is_none_or(|then| then.elapsed() >= LIVE_EVERY)
            })
            .map(|(topic, _)| topic.clone())
            .collect();
        self.remember(due.clone()).await?;
        for topic in due {
            if let Some(live) = self.live.get_mut(&topic)
                && let Some(payload) = live.waiting.take()
            {
                if session.link.tell(&topic, payload.clone(), true).is_err() {
                    // No room now; the next tick tries again unless a newer value has come.
                    live.waiting = Some(payload);
                    break;
                }
                live.sent = Some(Instant::now());
                metrics::counter!("flagfall_mqtt_live_total").increment(1);
            }
        }
        Ok(())
    }

    /// Books an answer of the broker; the reason to give the connection up, when it is one.
    fn acknowledged(
        &mut self,
        session: &mut Session,
        (message, answer): (InFlight, Acknowledged),
    ) -> Option<String> {
        session.progress = Instant::now();
        match answer {
            Acknowledged::Accepted => {}
            Acknowledged::Refused(reason) => {
                metrics::counter!("flagfall_mqtt_refused_total").increment(1);
                // Kept back it would hold up everything behind it; the event stays in the journal.
                self.note(format!("broker refuses {}: {reason}", message.topic));
            }
            Acknowledged::Lost(reason) => return Some(reason),
        }
        self.done.extend(message.row);
        None
    }

    /// Looks after the connection; the reason to give it up, when there is one.
    fn watch(&self, session: &mut Session) -> Option<String> {
        let silent = session.link.silent();
        if silent >= DEAD_AFTER {
            return Some(format!(
                "the broker has been silent for {} s",
                silent.as_secs()
            ));
        }
        if silent >= PROBE_AFTER && session.probed.elapsed() >= PROBE_AFTER {
            session.probed = Instant::now();
            session.link.probe(&self.parts.connector);
        }
        if session.in_flight.is_empty() {
            session.progress = Instant::now();
        }
        (session.progress.elapsed() >= STUCK_AFTER)
            .then(|| "the broker acknowledges nothing any more".to_owned())
    }

    /// `offline` in our own words, what is on its way, and a proper end.
    async fn goodbye(&mut self, mut session: Session) {
        let offline = retained(self.parts.topics.status(), "offline");
        if let Ok(ack) = session.link.publish(&offline) {
            session.sent(None, offline.topic, ack);
        }
        let drained = async {
            while !session.in_flight.is_empty() {
                let answered = first(&mut session.in_flight).await;
                if let (InFlight { row, .. }, Acknowledged::Accepted) = answered {
                    self.done.extend(row);
                }
            }
        };
        // A broker that does not answer must not hold up the end.
        let _ = timeout(Duration::from_secs(1), drained).await;
        session.link.close(Duration::from_millis(500)).await;
    }

    async fn flush_done(&mut self) {
        if self.done.is_empty() {
            return;
        }
        match self.parts.journal.outbox_done(&self.done).await {
            Ok(()) => self.done.clear(),
            Err(error) => self.note(error.to_string()),
        }
    }

    fn note(&mut self, error: String) {
        if self.noted.is_new(&error, Instant::now()) {
            tracing::warn!(error, "MQTT");
        }
        self.parts
            .status
            .send_modify(|status| status.last_error = Some(error));
    }

    async fn set_status(&self, connected: bool, error: Option<String>) {
        let waiting = self.parts.journal.outbox_len().await;
        self.parts.status.send_if_modified(|status| {
            let before = status.clone();
            if status.connected != connected || status.since.is_none() {
                status.connected = connected;
                status.since = Some(milliseconds(Timestamp::now()));
            }
            if let Ok((len, oldest)) = waiting {
                status.outbox_len = len;
                status.oldest = oldest;
                metrics::gauge!("flagfall_mqtt_outbox_rows").set(len as f64);
            }
            if error.is_some() {
                status.last_error = error;
            }
            metrics::gauge!("flagfall_mqtt_connected").set(f64::from(u8::from(connected)));
            *status != before
        });
    }

    fn info(&self) -> serde_json::Value {
        json!({
            "v": 1,
            "seq": self.parts.journal.last_seq(),
            "at": milliseconds(Timestamp::now()),
            "version": env!("CARGO_PKG_VERSION"),
            "started_at": self.started,
            "time": if self.parts.states.synced() { "synced" } else { "unsure" },
            "uptime_source": "monotonic",
        })
    }

    fn tell_health(&self, session: &Session) {
        let status = self.parts.status.borrow().clone();
        let mut health = self.parts.states.health();
        let directory = self.parts.journal.path().parent();
        let disk_free = directory
            .and_then(|directory| nix::sys::statvfs::statvfs(directory).ok())
            .map(|disk| disk.blocks_available().saturating_mul(disk.fragment_size()));
        for (key, value) in [
            ("v", json!(1)),
            ("seq", json!(self.parts.journal.last_seq())),
            ("at", json!(milliseconds(Timestamp::now()))),
            ("outbox_len", json!(status.outbox_len)),
            (
                "oldest_ms",
                json!(status.oldest.map(|age| age.as_millis() as u64)),
            ),
            ("disk_free_bytes", json!(disk_free)),
            ("temperature_c", json!(temperature())),
            ("last_error", json!(status.last_error)),
        ] {
            health.insert(key.to_owned(), value);
        }
        let payload = serde_json::Value::Object(health).to_string().into_bytes();
        // Dropped when there is no room: the next comes in a minute.
        let _ = session
            .link
            .tell(&self.parts.topics.health(), payload, true);
    }
}

impl Session {
    fn sent(&mut self, row: Option<i64>, topic: String, ack: Ack) {
        if self.in_flight.is_empty() {
            self.progress = Instant::now();
        }
        self.in_flight.push_back(InFlight { row, topic, ack });
    }
}

/// The answer to the oldest message on its way. Brokers answer in order, so the first is the next.
async fn first(in_flight: &mut VecDeque<InFlight>) -> (InFlight, Acknowledged) {
    let Some(message) = in_flight.front_mut() else {
        return pending().await;
    };
    let answer = message.ack.as_mut().await;
    match in_flight.pop_front() {
        Some(message) => (message, answer),
        None => pending().await,
    }
}

fn retained(topic: String, payload: &str) -> Outgoing {
    Outgoing {
        topic,
        payload: payload.into(),
        retain: true,
    }
}

/// The board's temperature, where the system tells it.
fn temperature() -> Option<f64> {
    let text = std::fs::read_to_string("/sys/class/thermal/thermal_zone0/temp").ok()?;
    text.trim().parse::<f64>().ok().map(|milli| milli / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trouble_is_said_once_until_it_was_over() {
        let start = Instant::now();
        let mut noted = Noted::default();
        let said = (0..300_u32)
            .filter(|tick| noted.is_new("disk full", start + TICK * *tick))
            .count();
        assert_eq!(said, 1);
        assert!(noted.is_new("refused", start + TICK * 300));
        let later = start + TICK * 300 + QUIET_AFTER;
        assert!(noted.is_new("disk full", later));
    }
}
