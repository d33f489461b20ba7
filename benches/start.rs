//! How long the program takes from its start until it serves, on a journal of 100,000 events.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that fails is a bench that fails"
)]

#[path = "../tests/hall/long_journal.rs"]
mod long_journal;
#[path = "../tests/support/process.rs"]
#[allow(dead_code, reason = "the tests use all of it")]
mod process;
#[path = "../tests/hall/virtual_hall.rs"]
#[allow(dead_code, reason = "the tests look at all of its outcome")]
mod virtual_hall;

use std::{
    fs,
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use criterion::{Criterion, criterion_group, criterion_main};
use process::{Program, free_address};
use tokio::runtime::Runtime;
use virtual_hall::VirtualHall;

const EVENTS: usize = 100_000;

fn serves(http: SocketAddr) -> Option<bool> {
    let mut stream = TcpStream::connect(http).ok()?;
    write!(
        stream,
        "GET /healthz HTTP/1.1\r\nHost: {http}\r\nConnection: close\r\n\r\n"
    )
    .ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    Some(answer.starts_with("HTTP/1.1 200"))
}

/// From the start of the program to the first good answer of `/healthz`.
fn start(directory: &Path) -> Duration {
    let (http, mqtt) = (free_address(), free_address());
    let config = directory.join("flagfall.toml");
    let text = format!(
        "[hub]\nname = \"bench\"\ndata_dir = \"data\"\n[http]\nlisten = \"{http}\"\n\
         [mqtt]\nlisten = \"{mqtt}\"\n"
    );
    fs::write(&config, text).unwrap();
    let started = Instant::now();
    let program = Program::start(
        Command::new(env!("CARGO_BIN_EXE_flagfall"))
            .args(["--log", "warn", "run", "--config"])
            .arg(&config)
            .stderr(Stdio::null()),
    );
    while serves(http) != Some(true) {
        assert!(started.elapsed() < Duration::from_mins(1));
        thread::sleep(Duration::from_millis(2));
    }
    let taken = started.elapsed();
    assert_eq!(program.stop(), 0);
    taken
}

fn starts(c: &mut Criterion) {
    let runtime = Runtime::new().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let events = VirtualHall::new(long_journal::plan()).run().journal;
    let journal = directory.path().join("data/journal.db");
    runtime.block_on(long_journal::write(&journal, &events[..EVENTS]));
    let mut group = c.benchmark_group("start");
    group.sample_size(10);
    group.bench_function(EVENTS.to_string(), |bencher| {
        bencher.iter_custom(|times| (0..times).map(|_| start(directory.path())).sum());
    });
    group.finish();
}

criterion_group!(benches, starts);
criterion_main!(benches);
