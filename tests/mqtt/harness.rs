//! A broker, a listener, a hub without an engine.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Write},
    net::{SocketAddr, TcpStream},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use flagfall::{
    journal::{Journal, Outgoing, Record},
    mqtt::{
        self, Broker, External, Inbound, Live, MqttHandle, MqttSettings, MqttStatus, StateSource,
        Topics,
    },
};
use jiff::Timestamp;
use nix::sys::signal::Signal;
use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::process::{Program, free_address};

/// Debian's mosquitto on a free port.
pub(crate) struct Mosquitto {
    pub(crate) directory: TempDir,
    pub(crate) port: u16,
    program: Option<Program>,
}

impl Mosquitto {
    pub(crate) fn start() -> Self {
        Self::with("allow_anonymous true\n", |_| ())
    }

    /// `prepare` may put files into the directory that `config` names as `DIR`.
    pub(crate) fn with(config: &str, prepare: impl FnOnce(&Path)) -> Self {
        let directory = tempfile::tempdir().unwrap();
        prepare(directory.path());
        let port = free_address().port();
        let user = std::env::var("USER").unwrap_or_else(|_| "root".to_owned());
        let config = format!(
            "listener {port} 127.0.0.1\npersistence false\nmax_queued_messages 0\nuser {user}\n{}",
            config.replace("DIR", directory.path().to_str().unwrap())
        );
        std::fs::write(directory.path().join("mosquitto.conf"), config).unwrap();
        let mut broker = Self {
            directory,
            port,
            program: None,
        };
        broker.start_again();
        broker
    }

    pub(crate) fn start_again(&mut self) {
        let program = ["/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto"]
            .into_iter()
            .find(|program| Path::new(program).exists())
            .expect("apt install mosquitto mosquitto-clients");
        let program = Program::start(
            Command::new(program)
                .arg("-c")
                .arg(self.directory.path().join("mosquitto.conf"))
                .stdout(Stdio::null())
                .stderr(Stdio::null()),
        );
        self.program = Some(program);
        let address = SocketAddr::from(([127, 0, 0, 1], self.port));
        wait("mosquitto to listen", Duration::from_secs(10), || {
            TcpStream::connect(address).ok()
        });
    }

    /// Ends it without a word; it keeps nothing.
    pub(crate) fn kill(&mut self) {
        self.program = None;
    }

    pub(crate) fn signal(&self, signal: Signal) {
        self.program.as_ref().unwrap().signal(signal);
    }

    pub(crate) fn external(&self) -> External {
        external(self.port)
    }
}

pub(crate) fn external(port: u16) -> External {
    External {
        host: "127.0.0.1".to_owned(),
        port,
        tls: false,
        ca_file: None,
        user: None,
        password: None,
    }
}

pub(crate) fn wait<T>(what: &str, patience: Duration, mut look: impl FnMut() -> Option<T>) -> T {
    let until = Instant::now() + patience;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < until, "waited in vain for {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// A message as a listener prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heard {
    pub(crate) retained: bool,
    pub(crate) qos: u8,
    pub(crate) topic: String,
    pub(crate) payload: String,
}

impl Heard {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.payload).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }
}

/// A client that hears everything of the hub.
pub(crate) struct Listener {
    program: Program,
    heard: Arc<Mutex<Vec<Heard>>>,
}

impl Listener {
    /// `mosquitto_sub`, once it has subscribed.
    pub(crate) fn start(port: u16, arguments: &[&str]) -> Self {
        let mut command = Command::new("mosquitto_sub");
        command
            .args(["-h", "127.0.0.1", "-p", &port.to_string(), "-V", "mqttv5"])
            .args(["-q", "1", "-t", "flagfall/#", "-t", "test/#"])
            .args(["-F", "%r %q %t %p"])
            .args(arguments);
        let listener = Self::of(&mut command);
        listener.wait_subscribed(port, arguments);
        listener
    }

    /// A program that prints a line a message: retained, QoS, topic, payload.
    pub(crate) fn of(command: &mut Command) -> Self {
        let mut program = Program::start(command.stdout(Stdio::piped()));
        let heard = Arc::new(Mutex::new(Vec::new()));
        let lines = BufReader::new(program.0.stdout.take().unwrap()).lines();
        let sink = Arc::clone(&heard);
        thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let mut parts = line.splitn(4, ' ');
                let mut next = || parts.next().unwrap_or_default().to_owned();
                let heard = Heard {
                    retained: next() == "1",
                    qos: next().parse().unwrap(),
                    topic: next(),
                    payload: next(),
                };
                sink.lock().unwrap().push(heard);
            }
        });
        Self { program, heard }
    }

    /// Ends it without a goodbye to the broker.
    pub(crate) fn kill(mut self) {
        self.program.kill();
    }

    /// Publishes until it hears it: then the subscription stands.
    pub(crate) fn wait_subscribed(&self, port: u16, arguments: &[&str]) {
        let mark = format!("mark-{:?}", Instant::now());
        wait("the listener to subscribe", Duration::from_secs(20), || {
            publish(port, "test/mark", &mark, arguments);
            thread::sleep(Duration::from_millis(50));
            self.all().iter().any(|h| h.payload == mark).then_some(())
        });
    }

    pub(crate) fn all(&self) -> Vec<Heard> {
        self.heard.lock().unwrap().clone()
    }

    pub(crate) fn on(&self, topic: &str) -> Vec<Heard> {
        let mut all = self.all();
        all.retain(|heard| heard.topic == topic);
        all
    }

    /// The first message on a topic that fits.
    pub(crate) fn wait_for(&self, topic: &str, fits: impl Fn(&Heard) -> bool) -> Heard {
        wait(topic, Duration::from_secs(25), || {
            self.on(topic).into_iter().find(&fits)
        })
    }
}

pub(crate) fn publish(port: u16, topic: &str, payload: &str, arguments: &[&str]) {
    let mut child = Command::new("mosquitto_pub")
        .args(["-h", "127.0.0.1", "-p", &port.to_string(), "-V", "mqttv5"])
        .args(["-q", "1", "-t", topic])
        // Of an empty input mosquitto_pub would make no message.
        .arg(if payload.is_empty() { "-n" } else { "-s" })
        .args(arguments)
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("apt install mosquitto-clients");
    let mut stdin = child.stdin.take().unwrap();
    // A broker that is away ends the publisher before it has read.
    let _ = stdin.write_all(payload.as_bytes());
    drop(stdin);
    child.wait().unwrap();
}

pub(crate) type States = Arc<Mutex<Option<BTreeMap<String, String>>>>;

struct Source(States);

impl StateSource for Source {
    async fn states(&self) -> Option<Vec<Outgoing>> {
        let states = self.0.lock().unwrap().clone()?;
        let states = states.into_iter();
        Some(
            states
                .map(|(topic, payload)| state(&topic, &payload))
                .collect(),
        )
    }
}

pub(crate) fn state(topic: &str, payload: &str) -> Outgoing {
    Outgoing {
        topic: topic.to_owned(),
        payload: payload.into(),
        retain: true,
    }
}

/// The MQTT side with a journal and a few states, without an engine.
pub(crate) struct Hub {
    pub(crate) journal: Journal,
    pub(crate) handle: MqttHandle,
    pub(crate) states: States,
    pub(crate) live: mpsc::Sender<Live>,
    pub(crate) requests: mpsc::Receiver<Inbound>,
    topics: Topics,
    cancel: CancellationToken,
}

pub(crate) fn settings(broker: Broker) -> MqttSettings {
    MqttSettings {
        broker,
        base: "flagfall".to_owned(),
        hub: "hall-a".to_owned(),
        client_suffix: "00000001".to_owned(),
        publish_names: false,
    }
}

pub(crate) fn states(states: &[(&str, &str)]) -> States {
    let own = |(topic, payload): &(&str, &str)| ((*topic).to_owned(), (*payload).to_owned());
    Arc::new(Mutex::new(Some(states.iter().map(own).collect())))
}

impl Hub {
    pub(crate) async fn start(data: &Path, settings: MqttSettings, states: States) -> Self {
        let journal = Journal::open(journal_path(data)).await.unwrap();
        let topics = Topics::new(&settings.base, &settings.hub, settings.publish_names).unwrap();
        let (live, live_receiver) = mpsc::channel(64);
        let (request_sender, requests) = mpsc::channel(64);
        let cancel = CancellationToken::new();
        let handle = mqtt::spawn(
            settings,
            journal.clone(),
            Source(Arc::clone(&states)),
            live_receiver,
            request_sender,
            cancel.clone(),
        )
        .await
        .unwrap();
        Self {
            journal,
            handle,
            states,
            live,
            requests,
            topics,
            cancel,
        }
    }

    /// Journals `count` events and their messages.
    pub(crate) async fn events(&self, count: u64) {
        for _ in 0..count {
            let seq = self.journal.last_seq() + 1;
            let record = record(seq);
            let message = self.topics.event(&record);
            self.journal.append(&[record], &[message]).await.unwrap();
            self.handle.wake();
        }
    }

    pub(crate) async fn send(&self, message: Outgoing) {
        self.journal.append(&[], &[message]).await.unwrap();
        self.handle.wake();
    }

    pub(crate) async fn until(
        &self,
        what: &str,
        fits: impl FnMut(&MqttStatus) -> bool,
    ) -> MqttStatus {
        let mut status = self.handle.status();
        let found = tokio::time::timeout(Duration::from_secs(30), status.wait_for(fits)).await;
        let Ok(found) = found else {
            panic!(
                "waited in vain for {what}: {:?}",
                self.handle.status().borrow()
            );
        };
        found.unwrap().clone()
    }

    pub(crate) async fn connected(&self) {
        self.until("the connection", |status| status.connected)
            .await;
    }

    /// Waits until the broker has everything; the journal knows it sooner than the status.
    pub(crate) async fn drained(&self) {
        let drained = async {
            while self.journal.outbox_len().await.unwrap().0 > 0 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let drained = tokio::time::timeout(Duration::from_secs(30), drained).await;
        drained.expect("the outbox did not drain");
    }

    pub(crate) async fn stop(self) {
        self.cancel.cancel();
        self.handle.stopped().await;
        self.journal.close().await;
    }
}

pub(crate) fn journal_path(data: &Path) -> PathBuf {
    data.join("journal.db")
}

pub(crate) fn record(seq: u64) -> Record {
    Record {
        seq,
        id: format!("event-{seq}"),
        at: Timestamp::UNIX_EPOCH,
        kind: "flag".to_owned(),
        section: Some("open".to_owned()),
        round: Some(3),
        table: Some(12),
        body: format!(r#"{{"seq":{seq},"side":"white","white":{{"no":5,"name":"Somebody"}}}}"#),
    }
}

pub(crate) const EVENTS: &str = "flagfall/hall-a/event/flag";

/// All events up to `last` arrived; what came twice has the same id and the same content; order is
/// kept but for repeats.
pub(crate) fn assert_complete(listener: &Listener, last: u64) {
    listener.wait_for(EVENTS, |heard| heard.json()["seq"] == last);
    let mut seen: BTreeMap<u64, String> = BTreeMap::new();
    for heard in listener.on(EVENTS) {
        assert!(!heard.retained, "{heard:?}");
        let event = heard.json();
        let seq = event["seq"].as_u64().unwrap();
        assert_eq!(event["id"], format!("event-{seq}"));
        if let Some(first) = seen.get(&seq) {
            assert_eq!(*first, heard.payload);
        } else {
            let newest = seen.keys().next_back().copied().unwrap_or(0);
            assert_eq!(seq, newest + 1, "out of order or lost");
            seen.insert(seq, heard.payload);
        }
    }
    assert_eq!(seen.len() as u64, last);
}

/// A way to the broker that can be shut, so that the listener may be there before the hub.
pub(crate) struct Gate {
    pub(crate) port: u16,
    open: tokio::sync::watch::Sender<bool>,
}

impl Gate {
    pub(crate) async fn start(target: u16) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (open, state) = tokio::sync::watch::channel(true);
        tokio::spawn(async move {
            while let Ok((mut hub, _)) = listener.accept().await {
                let mut state = state.clone();
                if !*state.borrow_and_update() {
                    continue;
                }
                tokio::spawn(async move {
                    let broker = tokio::net::TcpStream::connect(("127.0.0.1", target)).await;
                    let Ok(mut broker) = broker else { return };
                    tokio::select! {
                        _ = tokio::io::copy_bidirectional(&mut hub, &mut broker) => {}
                        _ = state.changed() => {}
                    }
                });
            }
        });
        Self { port, open }
    }

    pub(crate) fn shut(&self) {
        self.open.send(false).unwrap();
    }

    pub(crate) fn open(&self) {
        self.open.send(true).unwrap();
    }
}
