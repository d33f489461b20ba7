//! What is on the broker, with which bits; the same script for mosquitto and the embedded broker.

use std::time::Duration;

use flagfall::mqtt::{Broker, Live, Login};

use crate::harness::{
    EVENTS, Hub, Listener, Mosquitto, assert_complete, publish, settings, state, states, wait,
};

const STATUS: &str = "flagfall/hall-a/status";
const TABLE_1: &str = "flagfall/hall-a/table/1/state";
const TABLE_2: &str = "flagfall/hall-a/table/2/state";
const CLOCK: &str = "flagfall/hall-a/table/1/clock";

/// The hub and a listener, for what only one of the brokers shows.
async fn script(hub: Hub, port: u16) -> (Hub, Listener) {
    hub.connected().await;
    let early = Listener::start(port, &[]);
    hub.events(3).await;
    hub.send(state(TABLE_1, r#"{"ply":1}"#)).await;
    assert_complete(&early, 3);
    let event = early.on(EVENTS)[0].json();
    assert_eq!(event["v"], 1);
    assert_eq!(event["hub"], "hall-a");
    assert_eq!(event["table"], 12);
    assert_eq!(event["side"], "white");
    assert_eq!(event["white"]["no"], 5);
    assert!(event["white"].get("name").is_none(), "{event}");
    early.wait_for(TABLE_1, |heard| heard.payload == r#"{"ply":1}"#);
    assert_eq!(early.on(EVENTS)[0].qos, 1);

    // Whoever comes late sees the states and no event.
    let late = Listener::start(port, &[]);
    for (topic, payload) in [
        (STATUS, "online"),
        (TABLE_1, r#"{"ply":1}"#),
        (TABLE_2, r#"{"ply":0}"#),
    ] {
        let heard = late.wait_for(topic, |_| true);
        assert_eq!(
            (heard.retained, heard.payload.as_str()),
            (true, payload),
            "{topic}"
        );
        assert_eq!(heard.qos, 1, "{topic}");
    }
    let info = late.wait_for("flagfall/hall-a/info", |_| true);
    assert!(info.retained);
    assert_eq!(info.json()["version"], env!("CARGO_PKG_VERSION"));
    let health = late.wait_for("flagfall/hall-a/health", |_| true);
    assert!(health.retained);
    assert!(health.json()["disk_free_bytes"].is_u64(), "{health:?}");
    assert_eq!(late.on(EVENTS), []);

    // A clock that ticks far too often: the first value and the last one arrive, few between.
    for ms in (0..=2_000).rev().step_by(10) {
        let payload = format!(r#"{{"white_ms":{ms}}}"#).into_bytes();
        let topic = CLOCK.to_owned();
        hub.live.send(Live { topic, payload }).await.unwrap();
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    late.wait_for(CLOCK, |heard| heard.json()["white_ms"] == 0);
    let ticks = late.on(CLOCK);
    assert!((2..=4).contains(&ticks.len()), "{ticks:?}");
    assert!(ticks.iter().all(|tick| tick.qos == 0), "{ticks:?}");

    // Emptied topics are gone for the next one.
    hub.send(state(TABLE_2, "")).await;
    late.wait_for(TABLE_2, |heard| heard.payload.is_empty());
    let later = Listener::start(port, &[]);
    later.wait_for(CLOCK, |heard| {
        heard.retained && heard.json()["white_ms"] == 0
    });
    later.wait_for(TABLE_1, |_| true);
    assert_eq!(later.on(TABLE_2), []);

    hub.drained().await;
    let retained = hub.journal.retained().await.unwrap();
    assert!(!retained.contains(&TABLE_2.to_owned()), "{retained:?}");

    (hub, later)
}

fn two_tables() -> crate::harness::States {
    states(&[(TABLE_1, r#"{"ply":0}"#), (TABLE_2, r#"{"ply":0}"#)])
}

#[tokio::test(flavor = "multi_thread")]
async fn states_are_retained_and_events_never_on_mosquitto() {
    let data = tempfile::tempdir().unwrap();
    let broker = Mosquitto::start();
    let settings = settings(Broker::External(broker.external()));
    let hub = Hub::start(data.path(), settings, two_tables()).await;
    let (_hub, later) = script(hub, broker.port).await;

    // The will of a connection that we had before comes late.
    publish(broker.port, STATUS, "offline", &["-r"]);
    wait("the repair", Duration::from_secs(10), || {
        let status = later.on(STATUS);
        let offline = status.iter().position(|h| h.payload == "offline")?;
        status[offline..]
            .iter()
            .any(|h| h.payload == "online")
            .then_some(())
    });
}

#[cfg(feature = "embedded-broker")]
#[tokio::test(flavor = "multi_thread")]
async fn states_are_retained_and_events_never_on_the_embedded_broker() {
    let data = tempfile::tempdir().unwrap();
    let listen = "127.0.0.1:0".parse().unwrap();
    let settings = settings(Broker::Embedded {
        listen,
        login: None,
    });
    let hub = Hub::start(data.path(), settings, two_tables()).await;
    let port = hub.handle.embedded_address().unwrap().port();
    script(hub, port).await;
}

#[cfg(feature = "embedded-broker")]
#[tokio::test(flavor = "multi_thread")]
async fn the_embedded_broker_asks_for_the_login_that_is_set() {
    let data = tempfile::tempdir().unwrap();
    let login = Login {
        user: "hall".to_owned(),
        password: "rook on the seventh".to_owned(),
    };
    let hub_settings = settings(Broker::Embedded {
        listen: "127.0.0.1:0".parse().unwrap(),
        login: Some(login.clone()),
    });
    let hub = Hub::start(data.path(), hub_settings, two_tables()).await;
    hub.connected().await;
    let port = hub.handle.embedded_address().unwrap().port().to_string();
    let read = |login: &[&str]| {
        std::process::Command::new("mosquitto_sub")
            .args([
                "-h",
                "127.0.0.1",
                "-p",
                &port,
                "-t",
                "#",
                "-C",
                "1",
                "-W",
                "5",
            ])
            .args(login)
            .output()
            .unwrap()
            .status
            .success()
    };
    assert!(read(&["-u", &login.user, "-P", &login.password]));
    assert!(!read(&[]));
    assert!(!read(&["-u", &login.user, "-P", "rook on the eighth"]));
    assert!(!read(&["-u", "other", "-P", &login.password]));
}

/// Only the hub says what the hub says, and others cannot fill its memory.
#[cfg(feature = "embedded-broker")]
#[tokio::test(flavor = "multi_thread")]
async fn nobody_else_speaks_for_the_hub_on_the_embedded_broker() {
    let data = tempfile::tempdir().unwrap();
    let hub_settings = settings(Broker::Embedded {
        listen: "127.0.0.1:0".parse().unwrap(),
        login: None,
    });
    let hub = Hub::start(data.path(), hub_settings, two_tables()).await;
    hub.connected().await;
    hub.drained().await;
    let port = hub.handle.embedded_address().unwrap().port();
    let listener = Listener::start(port, &[]);
    let status = "flagfall/hall-a/status";
    listener.wait_for(status, |heard| heard.payload == "online");

    // Neither by a message, nor by a will, nor with the hub's own client id.
    let id = ["-i", "flagfall-hall-a-00000001"];
    for topic in [status, "flagfall/hall-a/table/99/state"] {
        publish(port, topic, "false", &["-r"]);
        publish(port, topic, "false", &["-r", id[0], id[1]]);
    }
    publish(port, "flagfall/hall-a/request/pause", "{}", &[]);
    publish(port, "test/large", &"x".repeat(20_000), &["-r"]);
    publish(port, "test/small", "small", &["-r"]);
    listener.wait_for("test/small", |heard| heard.payload == "small");
    listener.wait_for("flagfall/hall-a/request/pause", |heard| {
        heard.payload == "{}"
    });
    assert!(listener.all().iter().all(|heard| heard.payload != "false"));
    assert_eq!(listener.on("test/large"), []);
    assert!(hub.handle.status().borrow().connected);
    hub.stop().await;
}

#[cfg(feature = "embedded-broker")]
fn owner() -> flagfall::mqtt::embedded::Owner {
    flagfall::mqtt::embedded::Owner::new("hub".to_owned(), "flagfall/hub".to_owned())
}

#[cfg(feature = "embedded-broker")]
#[tokio::test]
async fn the_embedded_broker_stops_and_frees_its_port() {
    let listen = "127.0.0.1:0".parse().unwrap();
    let first = flagfall::mqtt::embedded::start(listen, None, owner())
        .await
        .unwrap();
    let address = first.address();
    let error = flagfall::mqtt::embedded::start(address, None, owner())
        .await
        .unwrap_err();
    assert!(error.to_string().contains(&address.to_string()), "{error}");
    first.stop().await;
    flagfall::mqtt::embedded::start(address, None, owner())
        .await
        .unwrap()
        .stop()
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hub_that_stops_says_so() {
    let data = tempfile::tempdir().unwrap();
    let broker = Mosquitto::start();
    let hub_settings = settings(Broker::External(broker.external()));
    let hub = Hub::start(data.path(), hub_settings, two_tables()).await;
    hub.connected().await;
    let listener = Listener::start(broker.port, &[]);
    listener.wait_for(STATUS, |heard| heard.payload == "online");
    hub.stop().await;
    listener.wait_for(STATUS, |heard| heard.payload == "offline");
}
