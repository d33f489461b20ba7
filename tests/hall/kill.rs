//! A hall that runs is killed without warning, again and again: what the hub has told anybody is in
//! the journal, and the journal is whole.

use std::{
    io::{BufRead as _, BufReader},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use flagfall_core::hub::state::HallState;
use flagfall_simulators::{
    clock::TimeControl,
    hall::{Hall, HallConfig, Transport},
};

use crate::{
    place::{Console, Place, events, ports},
    process::Program,
};

const KILLS: u64 = 50;
const TABLES: u16 = 12;

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

/// Everything that the live stream acknowledged: the sequence numbers of its updates.
fn listen(console: &Console) -> mpsc::Receiver<u64> {
    let (sender, receiver) = mpsc::channel();
    let stream = console.stream();
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
    let hall = hall().await;
    let place = Place::with_event("10+5", TABLES, &ports(&hall));
    place.set_pin().await;

    let (mut told, mut written) = (0, 0);
    let mut slowest = Duration::ZERO;
    for kill in 0..KILLS {
        let started = Instant::now();
        let mut hub = Program::start(&mut place.daemon());
        let console = Console::open(place.http);
        slowest = slowest.max(started.elapsed());
        if kill == 0 {
            for step in ["pair", "publish", "start"] {
                console.order(&format!("round/{step}"), "{}");
            }
            let tables: Vec<u16> = (1..=TABLES).collect();
            hall.start_round(1, &tables);
        }
        let acknowledged = listen(&console);
        // Spread over the first moments, the boards' coming back, and play.
        thread::sleep(Duration::from_millis(30 + (kill * 337) % 2900));
        hub.kill();
        thread::sleep(Duration::from_millis(30));
        told = acknowledged.try_iter().max().unwrap_or(told).max(told);

        let events = events(&place.journal()).await;
        let mut state = HallState::default();
        for event in &events {
            state.apply(event);
        }
        written = events.len() as u64;
        assert!(
            written >= told,
            "kill {kill}: {told} was told, the journal ends at {written}"
        );
        assert_eq!(state.seq, written);
    }
    assert!(
        told > 0 && written > 1000,
        "the hall did not run: {told} told of {written}"
    );
    println!("{written} events, {told} told; a start took at most {slowest:?}");
}
