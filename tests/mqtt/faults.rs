//! Brokers that go away, forget, stop dead, refuse; a hub that is killed.

use std::{
    path::Path,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use flagfall::mqtt::Broker;
use nix::sys::signal::Signal;

use crate::harness::{
    EVENTS, Gate, Hub, Listener, Mosquitto, assert_complete, external, publish, settings, states,
    wait,
};

const STATUS: &str = "flagfall/hall-a/status";
const TABLE_1: &str = "flagfall/hall-a/table/1/state";
const TABLE_2: &str = "flagfall/hall-a/table/2/state";

/// A hub that has reached its broker on a way that can be shut.
async fn behind_a_gate(broker: &Mosquitto, data: &Path) -> (Gate, Hub) {
    let gate = Gate::start(broker.port).await;
    let settings = settings(Broker::External(external(gate.port)));
    let hub = Hub::start(data, settings, states(&[(TABLE_1, "{}")])).await;
    hub.connected().await;
    (gate, hub)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broker_that_was_away_and_forgot_everything_loses_nothing() {
    let data = tempfile::tempdir().unwrap();
    let mut broker = Mosquitto::start();
    let (gate, hub) = behind_a_gate(&broker, data.path()).await;
    let listener = Listener::start(broker.port, &[]);
    hub.events(50).await;
    assert_complete(&listener, 50);
    hub.drained().await;

    gate.shut();
    broker.kill();
    hub.until("the loss to be noticed", |status| !status.connected)
        .await;
    hub.events(200).await;
    let status = hub
        .until("the outbox to fill", |status| status.outbox_len == 200)
        .await;
    assert!(status.last_error.is_some(), "{status:?}");
    tokio::time::sleep(Duration::from_secs(3)).await;
    broker.start_again();
    listener.wait_subscribed(broker.port, &[]);
    let before = listener.all().len();
    gate.open();
    hub.events(50).await;
    assert_complete(&listener, 300);
    hub.drained().await;
    // Everything was said again.
    let again = &listener.all()[before..];
    for topic in [STATUS, TABLE_1, "flagfall/hall-a/info"] {
        assert!(again.iter().any(|heard| heard.topic == topic), "{topic}");
    }
    // And a late listener of the new broker sees it all.
    let late = Listener::start(broker.port, &[]);
    assert!(late.wait_for(TABLE_1, |_| true).retained);
    hub.stop().await;
}

/// A minute is longer than any keep-alive and than the longest pause between two attempts. The hall
/// plays on all the time, so that the line is cut in the middle of events and their acknowledgements.
#[tokio::test(flavor = "multi_thread")]
async fn a_broker_away_for_a_minute_while_events_go_on_loses_nothing() {
    const AWAY: Duration = Duration::from_mins(1);
    let data = tempfile::tempdir().unwrap();
    let mut broker = Mosquitto::start();
    let (gate, hub) = behind_a_gate(&broker, data.path()).await;
    let listener = Listener::start(broker.port, &[]);

    let (hub, done) = (Arc::new(hub), Arc::new(AtomicBool::new(false)));
    let (player, enough) = (Arc::clone(&hub), Arc::clone(&done));
    let play = tokio::spawn(async move {
        while !enough.load(Ordering::Relaxed) {
            player.events(5).await;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    listener.wait_for(EVENTS, |heard| heard.json()["seq"] == 100);
    gate.shut();
    // What the broker had is with the listener before the broker goes.
    listener.wait_subscribed(broker.port, &[]);
    broker.kill();
    let before = hub.journal.last_seq();
    tokio::time::sleep(AWAY).await;
    let status = hub.handle.status().borrow().clone();
    assert!(
        !status.connected && status.last_error.is_some(),
        "{status:?}"
    );
    let meanwhile = hub.journal.last_seq() - before;
    assert!(meanwhile > 100, "only {meanwhile} events");
    let (waiting, _) = hub.journal.outbox_len().await.unwrap();
    assert!(waiting >= meanwhile, "{waiting} wait of {meanwhile}");
    broker.start_again();
    listener.wait_subscribed(broker.port, &[]);
    gate.open();
    hub.connected().await;
    let back = hub.journal.last_seq();
    listener.wait_for(EVENTS, |heard| heard.json()["seq"] == back + 100);
    done.store(true, Ordering::Relaxed);
    play.await.unwrap();
    let last = hub.journal.last_seq();
    assert_complete(&listener, last);
    hub.drained().await;
    let twice = listener.on(EVENTS).len() as u64 - last;
    eprintln!("{last} events, {twice} of them sent twice");
    Arc::into_inner(hub).unwrap().stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broker_that_stops_dead_is_noticed_and_nothing_is_lost() {
    let data = tempfile::tempdir().unwrap();
    let broker = Mosquitto::start();
    let settings = settings(Broker::External(broker.external()));
    let hub = Hub::start(data.path(), settings, states(&[(TABLE_1, "{}")])).await;
    let listener = Listener::start(broker.port, &[]);
    hub.connected().await;
    hub.events(20).await;
    assert_complete(&listener, 20);

    broker.signal(Signal::SIGSTOP);
    let stopped = Instant::now();
    hub.events(100).await;
    hub.until("the dead broker to be noticed", |status| !status.connected)
        .await;
    let noticed = stopped.elapsed();
    broker.signal(Signal::SIGCONT);
    assert!(noticed <= Duration::from_secs(15), "{noticed:?}");
    eprintln!("a stopped broker was noticed after {noticed:?}");
    hub.events(20).await;
    assert_complete(&listener, 140);
    hub.drained().await;
    // The wills of the given-up connections came in between; the last word is right.
    let late = Listener::start(broker.port, &[]);
    wait("the last word", Duration::from_secs(10), || {
        let status = late.on(STATUS);
        (status.last()?.payload == "online").then_some(())
    });
    hub.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_password_is_named_and_tried_again() {
    let data = tempfile::tempdir().unwrap();
    let broker = Mosquitto::with(
        "allow_anonymous false\npassword_file DIR/passwords\n",
        |directory| password(directory, "another"),
    );
    let mut external = broker.external();
    external.user = Some("hub".to_owned());
    external.password = Some("right".to_owned());
    assert!(!format!("{external:?}").contains("right"));
    let settings = settings(Broker::External(external));
    let hub = Hub::start(data.path(), settings, states(&[])).await;
    hub.events(5).await;
    let status = hub
        .until("the refusal", |status| status.last_error.is_some())
        .await;
    assert!(!status.connected);
    let error = status.last_error.unwrap();
    assert!(error.contains("broker refused user/password"), "{error}");

    password(broker.directory.path(), "right");
    broker.signal(Signal::SIGHUP);
    hub.connected().await;
    hub.drained().await;
    hub.stop().await;
}

fn password(directory: &Path, password: &str) {
    let status = Command::new("mosquitto_passwd")
        .args(["-b", "-c"])
        .arg(directory.join("passwords"))
        .args(["hub", password])
        .status()
        .unwrap();
    assert!(status.success());
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_needs_the_right_ca() {
    let data = tempfile::tempdir().unwrap();
    let broker = Mosquitto::with(
        "allow_anonymous true\ncafile DIR/ca.pem\ncertfile DIR/server.pem\nkeyfile DIR/server.key\n",
        certificates,
    );
    let stranger = tempfile::tempdir().unwrap();
    certificates(stranger.path());
    let mut external = broker.external();
    external.tls = true;
    external.ca_file = Some(stranger.path().join("ca.pem"));
    let wrong = settings(Broker::External(external.clone()));
    let hub = Hub::start(data.path(), wrong, states(&[])).await;
    let status = hub
        .until("the refusal", |status| status.last_error.is_some())
        .await;
    let error = status.last_error.unwrap();
    assert!(error.contains("TLS"), "{error}");
    hub.events(5).await;
    hub.stop().await;

    let ca = broker.directory.path().join("ca.pem");
    external.ca_file = Some(ca.clone());
    let right = settings(Broker::External(external));
    let hub = Hub::start(data.path(), right, states(&[(TABLE_1, "{}")])).await;
    hub.connected().await;
    hub.drained().await;
    let listener = Listener::start(broker.port, &["--cafile", ca.to_str().unwrap()]);
    assert!(listener.wait_for(TABLE_1, |_| true).retained);
    hub.stop().await;
}

/// An own CA and a certificate for 127.0.0.1.
fn certificates(directory: &Path) {
    let script = "
        openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test-ca \
            -keyout ca.key -out ca.pem
        openssl req -newkey rsa:2048 -nodes -subj /CN=broker -keyout server.key -out server.csr
        echo 'subjectAltName=IP:127.0.0.1,DNS:localhost' > san
        openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 \
            -extfile san -out server.pem";
    let output = Command::new("sh")
        .args(["-ec", script])
        .current_dir(directory)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn a_killed_hub_leaves_nothing_retained_that_is_no_more() {
    let data = tempfile::tempdir().unwrap();
    let broker = Mosquitto::start();
    let first = tokio::runtime::Runtime::new().unwrap();
    let old = states(&[(TABLE_1, r#"{"ply":1}"#), (TABLE_2, r#"{"ply":2}"#)]);
    let hub = first.block_on(async {
        let settings = settings(Broker::External(broker.external()));
        let hub = Hub::start(data.path(), settings, old).await;
        hub.connected().await;
        hub
    });
    let listener = Listener::start(broker.port, &[]);
    listener.wait_for(TABLE_2, |_| true);
    // Killed: no goodbye; the broker speaks the will.
    first.shutdown_background();
    drop(hub);
    listener.wait_for(STATUS, |heard| heard.payload == "offline");

    // Table 2 was taken away meanwhile; the hub does not know yet what there is.
    let second = tokio::runtime::Runtime::new().unwrap();
    second.block_on(async {
        let settings = settings(Broker::External(broker.external()));
        let now = states(&[(TABLE_1, r#"{"ply":1}"#)]);
        let known = now.lock().unwrap().take();
        let hub = Hub::start(data.path(), settings, now).await;
        hub.connected().await;
        hub.events(1).await;
        assert_complete(&listener, 1);
        assert!(
            listener
                .on(TABLE_2)
                .iter()
                .all(|heard| !heard.payload.is_empty())
        );
        *hub.states.lock().unwrap() = known;
        listener.wait_for(TABLE_2, |heard| heard.payload.is_empty());
        hub.stop().await;
    });
    // Once: not again at the next start.
    second.block_on(async {
        let settings = settings(Broker::External(broker.external()));
        let hub = Hub::start(data.path(), settings, states(&[(TABLE_1, "{}")])).await;
        listener.wait_for(TABLE_1, |heard| heard.payload == "{}");
        hub.events(1).await;
        assert_complete(&listener, 2);
        hub.stop().await;
    });
    let emptied = listener.on(TABLE_2);
    assert_eq!(
        emptied
            .iter()
            .filter(|heard| heard.payload.is_empty())
            .count(),
        1
    );

    // A renamed hub takes its old name off the broker.
    second.block_on(async {
        let mut settings = settings(Broker::External(broker.external()));
        settings.hub = "hall-b".to_owned();
        let hub = Hub::start(data.path(), settings, states(&[])).await;
        listener.wait_for(TABLE_1, |heard| heard.payload.is_empty());
        listener.wait_for(STATUS, |heard| heard.payload.is_empty());
        hub.stop().await;
    });
    publish(broker.port, "test/end", "end", &[]);
}
