//! The system clock is set back by two hours and forward again while a hall plays. Debian's libfaketime
//! does it to the program alone, without touching its monotonic clock, as a real step does.

use std::{
    collections::BTreeSet,
    fs,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use flagfall_core::{
    hub::event::{AlertFact, AlertKind, DeviceFact, Event, Fact, Mark, RoundFact},
    types::TableNo,
};
use flagfall_simulators::{
    clock::TimeControl,
    hall::{Hall, HallConfig, Transport},
    hands::Incidents,
};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::{
    place::{Console, Place, events, ports, wait},
    process::Program,
};

/// The daemon's system clock, as a file that libfaketime reads.
struct SystemClock(PathBuf);

impl SystemClock {
    fn set(&self, offset: &str) {
        // In one step: it must never read half of it.
        let new = self.0.with_extension("new");
        fs::write(&new, offset).unwrap();
        fs::rename(&new, &self.0).unwrap();
    }

    fn start(&self, place: &Place) -> Program {
        let program = Program::start(
            place
                .daemon()
                .env("LD_PRELOAD", library())
                .env("FAKETIME_TIMESTAMP_FILE", &self.0)
                .env("FAKETIME_NO_CACHE", "1")
                .env("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
        );
        wait(place.http, |status, _| status == 200);
        program
    }
}

fn library() -> PathBuf {
    let folders = fs::read_dir("/usr/lib").unwrap();
    folders
        .map(|folder| folder.unwrap().path().join("faketime/libfaketimeMT.so.1"))
        .find(|library| library.exists())
        .expect("apt install faketime")
}

fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(started.elapsed() < Duration::from_mins(1), "no {what}");
        thread::sleep(Duration::from_millis(100));
    }
}

/// How far the hub's time is ahead of ours, in whole minutes.
fn minutes_ahead(console: &Console) -> i64 {
    let now = console.get("time")["now"].as_str().unwrap().to_owned();
    let ahead = now
        .parse::<Timestamp>()
        .unwrap()
        .duration_since(Timestamp::now());
    (ahead.as_secs() as f64 / 60.0).round() as i64
}

/// The words of the open alert about the system clock.
fn told(console: &Console) -> Option<String> {
    let alerts = console.get("alerts");
    let about = |alert: &&Value| alert["kind"] == "system-clock";
    let alert = alerts.as_array()?.iter().find(about)?;
    alert["text"].as_str().map(str::to_owned)
}

fn plies(console: &Console) -> u64 {
    let hall = console.get("hall");
    let tables = hall["tables"].as_array().unwrap().iter();
    tables.map(|table| table["ply"].as_u64().unwrap()).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_set_back_and_forward_by_two_hours_moves_nothing() {
    let hall = Hall::start(HallConfig {
        tables: 3,
        seed: 5,
        speed: 8.0,
        control: TimeControl::fischer(Duration::from_mins(10), Duration::from_secs(5)),
        incidents: Incidents::none(),
        transport: Transport::Tcp {
            addr: "127.0.0.1:0".parse().unwrap(),
        },
        ..HallConfig::default()
    })
    .await
    .unwrap();
    // Nobody comes to table 3: by a step of two hours his default time would be over.
    let more = format!("default_time = \"0:30\"\n{}", ports(&hall));
    let place = Place::with_event("10+5", 3, &more);
    place.set_pin().await;
    let clock = SystemClock(place.path("clock"));
    clock.set("+0");
    let daemon = clock.start(&place);
    let console = Console::open(place.http);
    wait(place.http, |_, body| body.contains("\"links_up\":3"));

    // In the countdown the hub keeps its own time, whatever the system says.
    console.order("round/pair", "{}");
    console.order("round/publish", "{}");
    let starts_at = Timestamp::now() + SignedDuration::from_secs(8);
    console.order(
        "round/schedule",
        &format!(r#"{{"starts_at":"{starts_at}"}}"#),
    );
    clock.set("-2h");
    let words = until("alert", || told(&console));
    assert!(words.contains("until the countdown is over"), "{words}");
    let round = console.get("hall")["round"].clone();
    let shown: Timestamp = round["starts_at"].as_str().unwrap().parse().unwrap();
    assert_eq!(shown.as_millisecond(), starts_at.as_millisecond());
    assert_eq!(round["started_at"], Value::Null);
    assert_eq!(minutes_ahead(&console), 0);
    until("end of the countdown", || {
        (console.get("hall")["round"]["phase"] == "zero").then_some(())
    });
    assert!(Timestamp::now() >= starts_at, "it ended early");
    console.order("round/start", "{}");

    // Then it follows, back and forth, and the games go on.
    hall.start_round(1, &[1, 2]);
    until("step back", || {
        (minutes_ahead(&console) == -120).then_some(())
    });
    until("moves", || (plies(&console) >= 10).then_some(()));
    clock.set("+0");
    until("step forward", || {
        (minutes_ahead(&console) == 0).then_some(())
    });
    let words = told(&console).unwrap();
    assert!(words.contains("followed"), "{words}");
    let before = plies(&console);
    until("more moves", || {
        (plies(&console) >= before + 10).then_some(())
    });
    assert_eq!(daemon.stop(), 0);
    let journal = events(&place.journal()).await;
    assert_unmoved(&journal, starts_at);
    let truth = [1, 2].map(|table| hall.truth(1, table).unwrap().moves);
    for (table, truth) in (1..).zip(truth) {
        let played: Vec<&str> = journal
            .iter()
            .filter(|event| event.table == Some(TableNo(table)))
            .filter_map(|event| match &event.fact {
                Fact::Move(made) => Some(&*made.uci),
                _ => None,
            })
            .collect();
        assert_eq!(played, truth[..played.len()], "table {table}");
    }
}

/// The journal's numbers keep the order, its times go to and fro, and nothing was made of that.
fn assert_unmoved(journal: &[Event], starts_at: Timestamp) {
    let steps: Vec<i64> = journal
        .windows(2)
        .map(|pair| pair[1].at.duration_since(pair[0].at).as_secs() / 60)
        .filter(|minutes| minutes.abs() > 100)
        .collect();
    assert!(matches!(steps[..], [-120..=-119, 119..=120]), "{steps:?}");
    let zero = |event: &&Event| matches!(event.fact, Fact::Announce { mark: Mark::Zero });
    let zero: Vec<Timestamp> = journal.iter().filter(zero).map(|event| event.at).collect();
    let late = zero[0].duration_since(starts_at);
    assert!(
        zero.len() == 1 && (0..30).contains(&late.as_secs()),
        "{zero:?}"
    );
    let mut about = BTreeSet::new();
    for event in journal {
        match &event.fact {
            Fact::Alert(AlertFact::Raised { about: kind, .. }) => {
                about.insert(*kind);
            }
            Fact::Round(RoundFact::DefaultTime)
            | Fact::Proposal(_)
            | Fact::Device(DeviceFact::Lost { .. })
            | Fact::Flag { .. }
            | Fact::Correction { .. } => panic!("a step of the clock is no reason: {event:?}"),
            _ => {}
        }
    }
    about.remove(&AlertKind::NoScreen);
    assert_eq!(about, BTreeSet::from([AlertKind::SystemClock]));
}
