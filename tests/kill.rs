//! A hall that runs is killed without warning, again and again: what the hub has told anybody is in
//! the journal, and the journal is whole.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

use std::{
    fmt::Write as _,
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use flagfall::{
    journal::Journal,
    web::{Asker, Auth},
};
use flagfall_core::hub::{event::Event, state::HallState};
use flagfall_simulators::{
    clock::TimeControl,
    hall::{Hall, HallConfig, Transport},
};

const KILLS: u64 = 50;
const TABLES: u16 = 12;

struct Hub(Child);

impl Drop for Hub {
    fn drop(&mut self) {
        // It may be dead already.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

fn free_port() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
}

fn start(config: &Path) -> Hub {
    let child = Command::new(env!("CARGO_BIN_EXE_flagfall"))
        .args(["--log", "warn", "run", "--config"])
        .arg(config)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    Hub(child)
}

/// Twelve tables on sockets that play on, whatever becomes of the hub.
async fn hall() -> Hall {
    Hall::start(HallConfig {
        tables: TABLES,
        seed: 7,
        speed: 8.0,
        control: TimeControl::fischer(Duration::from_mins(10), Duration::from_secs(5)),
        transport: Transport::Tcp {
            addr: "127.0.0.1:0".parse().unwrap(),
        },
        ..HallConfig::default()
    })
    .await
    .unwrap()
}

fn configure(directory: &Path, hall: &Hall, http: SocketAddr, mqtt: SocketAddr) -> PathBuf {
    let mut text = format!(
        "[hub]\nname = \"hall-a\"\ndata_dir = \"data\"\n[http]\nlisten = \"{http}\"\n\
         [mqtt]\nlisten = \"{mqtt}\"\n[event]\nname = \"Kill\"\nsection = \"open\"\n\
         time_control = \"10+5\"\nrounds = 3\nplayers = \"players.csv\"\n"
    );
    for port in hall.ports() {
        let (path, table) = (port.endpoint, port.table);
        writeln!(text, "[[port]]\npath = \"{path}\"\ntable = {table}").unwrap();
    }
    let mut players = "name\n".to_owned();
    for no in 1..=TABLES * 2 {
        writeln!(players, "Player {no}").unwrap();
    }
    fs::write(directory.join("players.csv"), players).unwrap();
    let config = directory.join("flagfall.toml");
    fs::write(&config, text).unwrap();
    config
}

fn post(http: SocketAddr, path: &str, headers: &str, body: &str) -> Option<String> {
    let mut stream = TcpStream::connect(http).ok()?;
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    write!(
        stream,
        "POST /api/v1/{path} HTTP/1.1\r\nHost: {http}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n{headers}\r\n{body}",
        body.len()
    )
    .ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    Some(answer)
}

fn get(http: SocketAddr, path: &str, headers: &str) -> Option<TcpStream> {
    let mut stream = TcpStream::connect(http).ok()?;
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {http}\r\n{headers}\r\n"
    )
    .ok()?;
    Some(stream)
}

/// Logs in at the console and returns the bearer token; waits until the hub serves.
fn login(http: SocketAddr) -> (String, Duration) {
    let started = Instant::now();
    let body = r#"{"pin":"202612","name":"Killer","bearer":true}"#;
    loop {
        assert!(
            started.elapsed() < Duration::from_mins(1),
            "the hub does not serve on {http}"
        );
        let token = post(http, "login", "", body).and_then(|answer| {
            let json = &answer[answer.find('{')?..=answer.rfind('}')?];
            let value: serde_json::Value = serde_json::from_str(json).ok()?;
            Some(value["token"].as_str()?.to_owned())
        });
        if let Some(token) = token {
            return (token, started.elapsed());
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// Everything that the live stream acknowledged: the sequence numbers of its updates.
fn listen(http: SocketAddr, token: &str) -> mpsc::Receiver<u64> {
    let (sender, receiver) = mpsc::channel();
    let headers = format!("Authorization: Bearer {token}\r\nAccept: text/event-stream\r\n");
    let stream = get(http, "/api/v1/hall/stream", &headers).expect("the stream opens");
    thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            let Some(data) = line.strip_prefix("data:") else {
                continue;
            };
            let Ok(value) = serde_json::from_str::<serde_json::Value>(data) else {
                continue;
            };
            if let Some(seq) = value["seq"].as_u64() {
                // The listener may be gone already.
                let _ = sender.send(seq);
            }
        }
    });
    receiver
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_kills_lose_nothing_that_was_told() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    let hall = hall().await;
    let (http, mqtt) = (free_port(), free_port());
    let config = configure(directory.path(), &hall, http, mqtt);
    // The PIN is set before the first start, as the console's first visitor would.
    let auth = Auth::open(&data).unwrap();
    let code = auth.setup_code().unwrap();
    let asker = Asker {
        address: "127.0.0.1".parse().unwrap(),
        device: None,
    };
    auth.setup(asker, &code, "202612", "Killer").await.unwrap();

    let (mut told, mut events) = (0, 0);
    let mut slowest = Duration::ZERO;
    for kill in 0..KILLS {
        let mut hub = start(&config);
        let (token, up) = login(http);
        slowest = slowest.max(up);
        if kill == 0 {
            let bearer = format!("Authorization: Bearer {token}\r\n");
            for step in ["pair", "publish", "start"] {
                let answer = post(http, &format!("round/{step}"), &bearer, "{}").unwrap();
                assert!(answer.starts_with("HTTP/1.1 200"), "{step}: {answer}");
            }
            let tables: Vec<u16> = (1..=TABLES).collect();
            hall.start_round(1, &tables);
        }
        let acknowledged = listen(http, &token);
        // Spread over the first moments, the boards' coming back, and play.
        thread::sleep(Duration::from_millis(30 + (kill * 337) % 2900));
        hub.0.kill().unwrap();
        hub.0.wait().unwrap();
        thread::sleep(Duration::from_millis(30));
        told = acknowledged.try_iter().max().unwrap_or(told).max(told);

        let journal = Journal::open(data.join("journal.db")).await.unwrap();
        let (mut state, mut last) = (HallState::default(), 0);
        journal
            .replay(1, |record| {
                assert_eq!(record.seq, last + 1, "a hole in the journal");
                last = record.seq;
                let event: Event = serde_json::from_str(&record.body).unwrap();
                assert_eq!(event.seq, record.seq);
                state.apply(&event);
            })
            .await
            .unwrap();
        journal.close().await;
        assert!(
            last >= told,
            "kill {kill}: {told} was told, the journal ends at {last}"
        );
        assert_eq!(state.seq, last);
        events = last;
    }
    assert!(
        told > 0 && events > 1000,
        "the hall did not run: {told} told of {events}"
    );
    println!("{events} events, {told} told; a start took at most {slowest:?}");
}
