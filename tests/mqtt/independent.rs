//! A client that nobody here wrote, paho for Python, follows a whole demo with MQTT 5.

use std::{
    net::TcpStream,
    path::PathBuf,
    process::{Command, Stdio},
    sync::OnceLock,
    time::Duration,
};

use serde_json::Value;

use crate::{
    harness::{Heard, Listener, Mosquitto, publish, wait},
    process::{Program, free_address},
};

const STATUS: &str = "flagfall/demo/status";

/// Where paho is, installed from its registry at the first use.
fn paho() -> PathBuf {
    static INSTALLED: OnceLock<PathBuf> = OnceLock::new();
    let install = || {
        let tests = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let place = tests.join("paho-mqtt-2.1.0");
        if place.exists() {
            return place;
        }
        let new = tempfile::tempdir_in(&tests).unwrap();
        let status = Command::new("python3")
            .args(["-m", "pip", "install", "--quiet", "--require-hashes"])
            .args([
                "--disable-pip-version-check",
                "--root-user-action",
                "ignore",
            ])
            .args(["--requirement", "tests/mqtt/requirements.txt", "--target"])
            .arg(new.path())
            .status()
            .expect("apt install python3-pip");
        assert!(status.success(), "pip could not install paho-mqtt");
        // Whole or not at all; another run may have been faster.
        drop(std::fs::rename(new.path(), &place));
        assert!(place.exists());
        place
    };
    INSTALLED.get_or_init(install).clone()
}

fn reader(port: u16, will: &[&str]) -> Listener {
    let mut command = Command::new("python3");
    command
        .env("PYTHONPATH", paho())
        .args(["tests/mqtt/paho_reader.py", &port.to_string()])
        .args(will);
    let listener = Listener::of(&mut command);
    listener.wait_subscribed(port, &[]);
    listener
}

fn demo(mqtt: &str) -> Program {
    Program::start(
        Command::new(env!("CARGO_BIN_EXE_flagfall"))
            .args(["--log", "error", "demo", "--tables", "4", "--rounds", "1"])
            .args(["--speed", "60", "--seed", "3", "--exit-when-done", "--json"])
            .args(["--http", "127.0.0.1:0", "--mqtt", mqtt])
            .stdout(Stdio::piped()),
    )
}

/// The numbers of all events that were heard, once each and without a gap, from first to last.
fn sequence(listener: &Listener) -> (u64, u64) {
    let mut numbers = listener
        .all()
        .into_iter()
        .filter(|heard| heard.topic.starts_with("flagfall/demo/event/"))
        .map(|heard| {
            assert_eq!((heard.retained, heard.qos), (false, 1), "{heard:?}");
            let event = heard.json();
            assert!(event["id"].is_string() && event["v"] == 1, "{event}");
            assert_eq!(
                heard.topic,
                format!("flagfall/demo/event/{}", event["kind"].as_str().unwrap())
            );
            event["seq"].as_u64().unwrap()
        });
    let first = numbers.next().unwrap();
    let last = numbers.fold(first, |last, seq| {
        assert_eq!(seq, last + 1, "a gap, or out of order");
        seq
    });
    (first, last)
}

/// What somebody finds who comes into a running hall.
fn assert_retained(late: &Listener) {
    let retained = |topic: &str| {
        let heard = late.wait_for(topic, |_| true);
        assert!(heard.retained && heard.qos == 1, "{heard:?}");
        heard
    };
    assert_eq!(retained(STATUS).payload, "online");
    assert!(retained("flagfall/demo/info").json()["version"].is_string());
    for table in 1..=4 {
        let state = retained(&format!("flagfall/demo/table/{table}/state")).json();
        assert!(state["seq"].is_u64(), "{state}");
        let availability = format!("flagfall/demo/table/{table}/availability");
        assert_eq!(retained(&availability).payload, "online");
    }
    let old = |heard: &&Heard| heard.retained && heard.topic.contains("/event/");
    assert_eq!(late.all().iter().find(old), None, "events are not retained");
}

fn moves(listener: &Listener) -> usize {
    listener.on("flagfall/demo/event/move").len()
}

#[cfg(feature = "embedded-broker")]
#[test]
fn paho_follows_a_demo_on_the_embedded_broker() {
    let address = free_address();
    paho();
    let mut demo = demo(&address.to_string());
    wait("the broker", Duration::from_secs(20), || {
        TcpStream::connect(address).ok()
    });
    let early = reader(address.port(), &[]);
    wait("the game to begin", Duration::from_mins(1), || {
        (moves(&early) > 20).then_some(())
    });
    assert_retained(&reader(address.port(), &[]));

    // The embedded broker speaks the will of a client that dies.
    reader(address.port(), &["test/will", "gone"]).kill();
    assert_eq!(early.wait_for("test/will", |_| true).payload, "gone");

    let sum = std::io::read_to_string(demo.0.stdout.take().unwrap()).unwrap();
    let sum: Value = serde_json::from_str(sum.lines().last().unwrap()).unwrap();
    assert_eq!(demo.stop(), 0, "{sum}");
    early.wait_for(STATUS, |heard| heard.payload == "offline");
    let (_, last) = sequence(&early);
    assert_eq!(sum["events"], last, "{sum}");
}

#[test]
fn paho_follows_a_demo_on_mosquitto_and_hears_its_death() {
    let broker = Mosquitto::start();
    let early = reader(broker.port, &[]);
    let mut demo = demo(&format!("mqtt://127.0.0.1:{}", broker.port));
    let birth = early.wait_for(STATUS, |_| true);
    assert_eq!((birth.payload.as_str(), birth.retained), ("online", false));
    wait("the game to begin", Duration::from_mins(1), || {
        (moves(&early) > 20).then_some(())
    });
    assert_retained(&reader(broker.port, &[]));
    // The hub repairs what another says in its name: a will of an old connection may come late.
    publish(broker.port, STATUS, "offline", &["-r"]);
    wait("the second birth", Duration::from_secs(20), || {
        let said: Vec<String> = early.on(STATUS).into_iter().map(|it| it.payload).collect();
        said.ends_with(&["offline".to_owned(), "online".to_owned()])
            .then_some(())
    });

    demo.kill();
    wait("the will", Duration::from_secs(20), || {
        (early.on(STATUS).last()?.payload == "offline").then_some(())
    });
    let (first, last) = sequence(&early);
    assert!(first == 1 && last > 100, "{first} to {last}");
    let late = reader(broker.port, &[]);
    let status = late.wait_for(STATUS, |_| true);
    assert_eq!(
        (status.retained, status.payload.as_str()),
        (true, "offline")
    );
}
