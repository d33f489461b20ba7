//! A hall that runs is killed without warning, again and again: what the hub has told anybody is in
//! the journal, and the journal is whole.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use flagfall::journal::Journal;
use flagfall_core::hub::{event::Event, state::HallState};

const KILLS: u64 = 50;

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

fn start(data: &Path, http: SocketAddr, mqtt: SocketAddr, seed: u64) -> Hub {
    let child = Command::new(env!("CARGO_BIN_EXE_flagfall"))
        .args([
            "--log", "warn", "demo", "--json", "--tables", "6", "--rounds", "11",
        ])
        .args(["--speed", "300", "--seed", &seed.to_string()])
        .args(["--http", &http.to_string(), "--mqtt", &mqtt.to_string()])
        .arg("--data")
        .arg(data)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    Hub(child)
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
    loop {
        assert!(
            started.elapsed() < Duration::from_mins(1),
            "the hub does not serve on {http}"
        );
        let body = r#"{"pin":"202612","name":"Killer","bearer":true}"#;
        let answer = TcpStream::connect(http).ok().and_then(|mut stream| {
            stream
                .set_read_timeout(Some(Duration::from_secs(20)))
                .unwrap();
            write!(
                stream,
                "POST /api/v1/login HTTP/1.1\r\nHost: {http}\r\nContent-Type: application/json\r\n\
                 Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            )
            .ok()?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer).ok()?;
            let json = answer.split("\r\n\r\n").nth(1)?;
            let value: serde_json::Value =
                serde_json::from_str(json.get(json.find('{')?..=json.rfind('}')?)?).ok()?;
            Some(value["token"].as_str()?.to_owned())
        });
        if let Some(token) = answer {
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

#[tokio::test]
async fn fifty_kills_lose_nothing_that_was_told() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    let (mut told, mut events) = (0, 0);
    let mut slowest = Duration::ZERO;
    for round in 0..KILLS {
        let (http, mqtt) = (free_port(), free_port());
        let mut hub = start(&data, http, mqtt, 7);
        let (token, up) = login(http);
        slowest = slowest.max(up);
        let acknowledged = listen(http, &token);
        // Spread over the first moments and the middle of play.
        thread::sleep(Duration::from_millis(30 + (round * 137) % 900));
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
            "kill {round}: {told} was told, the journal ends at {last}"
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
