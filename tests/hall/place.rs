//! A directory with a configuration, a hall that it names, and a console.

use std::{
    fmt::Write as _,
    fs,
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use flagfall::{
    journal::Journal,
    web::{Asker, Auth},
};
use flagfall_core::hub::event::Event;
use flagfall_simulators::hall::Hall;
use serde_json::Value;

use crate::process::{Program, free_address};

pub(crate) const BIN: &str = env!("CARGO_BIN_EXE_flagfall");
const PIN: &str = "202612";

/// Against a test that hangs; nothing here is meant to take so long.
const PATIENCE: Duration = Duration::from_mins(1);

pub(crate) struct Place {
    pub(crate) directory: tempfile::TempDir,
    pub(crate) http: SocketAddr,
}

impl Place {
    /// A directory with a configuration; `more` is TOML.
    pub(crate) fn new(more: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let (http, mqtt) = (free_address(), free_address());
        let text = format!(
            "[hub]\nname = \"hall-a\"\ndata_dir = \"data\"\n[http]\nlisten = \"{http}\"\n\
             [mqtt]\nbroker = \"embedded\"\nlisten = \"{mqtt}\"\n{more}"
        );
        fs::write(directory.path().join("flagfall.toml"), text).unwrap();
        Self { directory, http }
    }

    /// The same with an event: two players a table, three rounds.
    pub(crate) fn with_event(time_control: &str, tables: u16, more: &str) -> Self {
        let place = Self::new(&format!(
            "[event]\nname = \"Test\"\nsection = \"open\"\ntime_control = \"{time_control}\"\n\
             rounds = 3\nplayers = \"players.csv\"\n{more}"
        ));
        let mut players = "name\n".to_owned();
        for no in 1..=tables * 2 {
            writeln!(players, "Player {no}").unwrap();
        }
        fs::write(place.path("players.csv"), players).unwrap();
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn config(&self) -> PathBuf {
        self.path("flagfall.toml")
    }

    pub(crate) fn journal(&self) -> PathBuf {
        self.path("data/journal.db")
    }

    /// The daemon, not started yet.
    pub(crate) fn daemon(&self) -> Command {
        let mut command = Command::new(BIN);
        command
            .args(["--log", "warn", "run", "--config"])
            .arg(self.config())
            .stderr(Stdio::null());
        command
    }

    /// The daemon, once it serves.
    pub(crate) fn start(&self) -> Program {
        let program = Program::start(&mut self.daemon());
        wait(self.http, |status, _| status == 200);
        program
    }

    pub(crate) fn refused(&self) -> Output {
        Command::new(BIN)
            .args(["run", "--config"])
            .arg(self.config())
            .output()
            .unwrap()
    }

    /// Sets the console's PIN before the first start, as its first visitor would.
    pub(crate) async fn set_pin(&self) {
        let auth = Auth::open(&self.path("data")).unwrap();
        let code = auth.setup_code().unwrap();
        let asker = Asker {
            address: "127.0.0.1".parse().unwrap(),
            device: None,
        };
        auth.setup(asker, &code, PIN, "Arbiter").await.unwrap();
    }
}

/// Configuration of a hall's ports.
pub(crate) fn ports(hall: &Hall) -> String {
    let mut text = String::new();
    for port in hall.ports() {
        let (path, table) = (port.endpoint, port.table);
        writeln!(text, "[[port]]\npath = \"{path}\"\ntable = {table}").unwrap();
    }
    text
}

/// Sends a request; the answer is still to be read.
pub(crate) fn send(
    http: SocketAddr,
    request: &str,
    headers: &str,
    body: &str,
) -> Option<TcpStream> {
    let mut stream = TcpStream::connect(http).ok()?;
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    write!(
        stream,
        "{request} HTTP/1.1\r\nHost: {http}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n{headers}\r\n{body}",
        body.len()
    )
    .ok()?;
    Some(stream)
}

/// Status and body.
fn ask(http: SocketAddr, request: &str, headers: &str, body: &str) -> Option<(u16, String)> {
    let mut answer = String::new();
    send(http, request, headers, body)?
        .read_to_string(&mut answer)
        .ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    Some((head.split(' ').nth(1)?.parse().ok()?, body.to_owned()))
}

/// What everybody is told at a path.
pub(crate) fn plain(http: SocketAddr, request: &str) -> String {
    let (status, body) = ask(http, request, "", "").unwrap();
    assert_eq!(status, 200, "{request}: {body}");
    body
}

/// Waits until status and body of the state of health are as wanted.
pub(crate) fn wait(http: SocketAddr, wanted: impl Fn(u16, &str) -> bool) {
    let started = Instant::now();
    let mut last = None;
    while started.elapsed() < PATIENCE {
        last = ask(http, "GET /healthz", "", "");
        if last
            .as_ref()
            .is_some_and(|(status, body)| wanted(*status, body))
        {
            return;
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("the hub never got there: {last:?}");
}

/// An arbiter who is logged in.
pub(crate) struct Console {
    http: SocketAddr,
    headers: String,
}

impl Console {
    /// Waits until the hub serves.
    pub(crate) fn open(http: SocketAddr) -> Self {
        Self::named(http, "Arbiter")
    }

    /// The same for somebody else.
    pub(crate) fn named(http: SocketAddr, name: &str) -> Self {
        let started = Instant::now();
        let body = format!(r#"{{"pin":"{PIN}","name":"{name}","bearer":true}}"#);
        loop {
            assert!(
                started.elapsed() < PATIENCE,
                "the hub does not serve on {http}"
            );
            let token = ask(http, "POST /api/v1/login", "", &body).and_then(|(_, answer)| {
                let value: Value = serde_json::from_str(&answer).ok()?;
                Some(value["token"].as_str()?.to_owned())
            });
            if let Some(token) = token {
                let headers = format!("Authorization: Bearer {token}\r\n");
                return Self { http, headers };
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Gives an order that is carried out.
    pub(crate) fn order(&self, path: &str, body: &str) {
        let (status, said) = self.try_order(path, body);
        assert_eq!(status, 200, "{path}: {said}");
    }

    /// Gives an order; the status and what was said.
    pub(crate) fn try_order(&self, path: &str, body: &str) -> (u16, String) {
        let request = format!("POST /api/v1/{path}");
        ask(self.http, &request, &self.headers, body).unwrap()
    }

    /// A tap with its key; the status and what was said.
    pub(crate) fn tap(&self, path: &str, key: &str, body: &str) -> (u16, String) {
        let (request, headers) = self.keyed(path, key);
        ask(self.http, &request, &headers, body).unwrap()
    }

    /// The same, gone before the answer comes.
    pub(crate) fn lose(&self, path: &str, key: &str, body: &str) {
        let (request, headers) = self.keyed(path, key);
        drop(send(self.http, &request, &headers, body));
    }

    fn keyed(&self, path: &str, key: &str) -> (String, String) {
        let headers = format!("{}Idempotency-Key: {key}\r\n", self.headers);
        (format!("POST /api/v1/{path}"), headers)
    }

    pub(crate) fn get(&self, path: &str) -> Value {
        let answer = ask(self.http, &format!("GET /api/v1/{path}"), &self.headers, "");
        let (status, said) = answer.unwrap();
        assert_eq!(status, 200, "{path}: {said}");
        serde_json::from_str(&said).unwrap()
    }

    /// The live stream of the hall.
    pub(crate) fn stream(&self) -> TcpStream {
        let headers = format!("{}Accept: text/event-stream\r\n", self.headers);
        send(self.http, "GET /api/v1/hall/stream", &headers, "").expect("the stream opens")
    }
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// All events of a journal whose daemon has ended, checked for holes.
pub(crate) async fn events(journal: &Path) -> Vec<Event> {
    let journal = Journal::open(journal).await.unwrap();
    let mut events = Vec::new();
    journal
        .replay(1, |record| {
            let event: Event = serde_json::from_str(&record.body).unwrap();
            assert_eq!(record.seq, events.len() as u64 + 1, "a hole in the journal");
            assert_eq!(event.seq, record.seq);
            events.push(event);
        })
        .await
        .unwrap();
    journal.close().await;
    events
}

/// The same as JSON.
pub(crate) async fn bodies(journal: &Path) -> Vec<Value> {
    let events = events(journal).await;
    let json = |event: &Event| serde_json::to_value(event).unwrap();
    events.iter().map(json).collect()
}

pub(crate) fn count(bodies: &[Value], kind: &str, state: &str) -> usize {
    bodies
        .iter()
        .filter(|body| body["kind"] == kind && body["state"] == state)
        .count()
}
