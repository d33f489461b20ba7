//! Requests: answered, limited, never from the past.

use std::time::Duration;

use flagfall::mqtt::{Broker, Inbound};
use serde_json::json;

use crate::harness::{EVENTS, Hub, Listener, Mosquitto, publish, settings, states};

const REQUEST: &str = "flagfall/hall-a/request";
const RESPONSE: &str = "flagfall/hall-a/response";

async fn connected(broker: &Mosquitto, data: &std::path::Path) -> (Hub, Listener) {
    let settings = settings(Broker::External(broker.external()));
    let hub = Hub::start(data, settings, states(&[])).await;
    hub.connected().await;
    hub.events(1).await;
    hub.drained().await;
    (hub, Listener::start(broker.port, &[]))
}

async fn next(hub: &mut Hub) -> Inbound {
    let next = tokio::time::timeout(Duration::from_secs(20), hub.requests.recv()).await;
    next.expect("no request came").unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_reaches_the_hub_and_is_answered() {
    let data = tempfile::tempdir().unwrap();
    let broker = Mosquitto::start();
    let (mut hub, listener) = connected(&broker, data.path()).await;

    let topic = format!("{REQUEST}/call");
    publish(
        broker.port,
        &topic,
        r#"{"transaction":"t-1","table":12}"#,
        &[],
    );
    let inbound = next(&mut hub).await;
    assert_eq!(inbound.verb, "call");
    assert_eq!(inbound.args, json!({"table": 12}));
    assert_eq!(inbound.transaction, Some(json!("t-1")));
    inbound.reply.send(Ok(json!({"alert": 7}))).unwrap();
    let answer = listener.wait_for(&format!("{RESPONSE}/call"), |_| true);
    assert!(!answer.retained);
    let expected = json!({"status": "ok", "transaction": "t-1", "data": {"alert": 7}});
    assert_eq!(answer.json(), expected);

    publish(broker.port, &topic, r#"{"transaction":2}"#, &[]);
    let inbound = next(&mut hub).await;
    inbound
        .reply
        .send(Err("no table was named".to_owned()))
        .unwrap();
    let answer = listener.wait_for(&format!("{RESPONSE}/call"), |heard| {
        heard.json()["transaction"] == 2
    });
    assert_eq!(answer.json()["status"], "error");
    assert_eq!(answer.json()["error"], "no table was named");

    for (payload, error) in [
        ("[1]".to_owned(), "not a JSON object"),
        ("{".to_owned(), "not a JSON object"),
        (r#"{"transaction":[]}"#.to_owned(), "string or a number"),
        (format!(r#"{{"x":"{}"}}"#, "x".repeat(9_000)), "at most"),
    ] {
        publish(broker.port, &format!("{REQUEST}/bad"), &payload, &[]);
        listener.wait_for(&format!("{RESPONSE}/bad"), |heard| {
            heard.json()["error"].as_str().unwrap().contains(error)
        });
    }

    // Retained ones are ignored, the one sent now and the one found at the next connect.
    publish(
        broker.port,
        &format!("{REQUEST}/old"),
        r#"{"transaction":3}"#,
        &["-r"],
    );
    hub.stop().await;
    let (mut hub, _) = connected(&broker, data.path()).await;
    publish(broker.port, &format!("{REQUEST}/new"), "", &[]);
    assert_eq!(next(&mut hub).await.verb, "new");
    assert_eq!(listener.on(&format!("{RESPONSE}/old")), []);
    hub.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_sent_again_on_request() {
    let data = tempfile::tempdir().unwrap();
    let broker = Mosquitto::start();
    let (hub, listener) = connected(&broker, data.path()).await;
    hub.events(29).await;
    listener.wait_for(EVENTS, |heard| heard.json()["seq"] == 30);
    let live = listener.on(EVENTS).len();

    let topic = format!("{REQUEST}/replay");
    let ask = |ask: &str| publish(broker.port, &topic, ask, &[]);
    ask(r#"{"from":12,"limit":5,"transaction":"a"}"#);
    ask(r#"{"from":28,"transaction":"b"}"#);
    ask(r#"{"from":99,"transaction":"c"}"#);
    ask(r#"{"from":0,"transaction":"d"}"#);
    ask(r#"{"from":1,"limit":100000,"transaction":"e"}"#);
    let answer = |mark: &'static str| {
        listener
            .wait_for(&format!("{RESPONSE}/replay"), move |heard| {
                heard.json()["transaction"] == mark
            })
            .json()
    };
    for (mark, seqs, next) in [
        ("a", json!([12, 13, 14, 15, 16]), json!(17)),
        ("b", json!([28, 29, 30]), json!(null)),
        ("c", json!([]), json!(null)),
    ] {
        let data = &answer(mark)["data"];
        let events = data["events"].as_array().unwrap();
        let found: Vec<_> = events.iter().map(|event| event["seq"].clone()).collect();
        assert_eq!(json!(found), seqs, "{mark}");
        assert_eq!(data["next"], next, "{mark}");
        assert_eq!(data["last_seq"], 30, "{mark}");
    }
    // The very same event as the first time.
    assert!(
        listener
            .on(EVENTS)
            .iter()
            .any(|h| h.json() == answer("a")["data"]["events"][0])
    );
    for mark in ["d", "e"] {
        assert_eq!(answer(mark)["status"], "error", "{mark}");
    }
    assert_eq!(
        listener.on(EVENTS).len(),
        live,
        "replayed on the event topic"
    );
    hub.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_requests_does_not_hold_up_the_events() {
    let data = tempfile::tempdir().unwrap();
    let broker = Mosquitto::start();
    let (mut hub, listener) = connected(&broker, data.path()).await;
    let mut flood = std::process::Command::new("mosquitto_pub")
        .args([
            "-h",
            "127.0.0.1",
            "-p",
            &broker.port.to_string(),
            "-q",
            "0",
            "-l",
        ])
        .args(["-t", "flagfall/hall-a/request/call"])
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = flood.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        for _ in 0..20_000 {
            std::io::Write::write_all(&mut stdin, b"{\"table\":1}\n").unwrap();
        }
    });
    // The events go on while the flood comes in and the hub answers.
    let mut let_through = 0;
    hub.events(200).await;
    while let Ok(Some(inbound)) =
        tokio::time::timeout(Duration::from_secs(2), hub.requests.recv()).await
    {
        let_through += 1;
        let _ = inbound.reply.send(Ok(json!({})));
    }
    writer.join().unwrap();
    flood.wait().unwrap();
    assert!(
        (1..=300).contains(&let_through),
        "{let_through} of 20000 were let through"
    );
    listener.wait_for(EVENTS, |heard| heard.json()["seq"] == 201);
    hub.drained().await;
    let refusals = listener.on(&format!("{RESPONSE}/call"));
    assert!(
        refusals
            .iter()
            .any(|h| h.json()["error"] == "too many requests"),
        "{refusals:?}"
    );
    hub.stop().await;
}
