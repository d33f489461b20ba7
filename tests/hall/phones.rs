//! Twenty phones on a network that loses answers, against the daemon: every tap is carried out, and once.

use std::{collections::BTreeSet, sync::Arc, thread};

use serde_json::Value;

use crate::place::{Console, Place, bodies, count};

const PHONES: usize = 20;
const TAPS: usize = 6;
const TABLES: u16 = 20;

/// Sends a tap again and again until its answer comes: the first two answers are lost.
fn tap(phone: &Console, path: &str, key: &str, body: &str) -> u16 {
    phone.lose(path, key, body);
    phone.lose(path, key, body);
    let (status, _) = phone.tap(path, key, body);
    // An answer that did come stays the answer.
    assert_eq!(status, phone.tap(path, key, body).0, "{path}");
    status
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_phones_lose_answers_and_no_tap() {
    let place = Place::with_event("5+3", TABLES, "");
    place.set_pin().await;
    let hub = place.start();
    let chief = Console::open(place.http);
    for step in ["pair", "publish", "start"] {
        chief.order(&format!("round/{step}"), "{}");
    }
    for table in 1..=TABLES {
        chief.order(&format!("tables/{table}/call"), "{}");
    }
    let alerts = chief.get("alerts");
    let calls: Vec<u64> = (alerts.as_array().unwrap().iter())
        .filter(|alert| alert["kind"] == "call")
        .map(|alert| alert["id"].as_u64().unwrap())
        .collect();
    assert_eq!(calls.len(), usize::from(TABLES));

    let calls = Arc::new(calls);
    let phones: Vec<_> = (0..PHONES)
        .map(|number| {
            let (calls, http) = (Arc::clone(&calls), place.http);
            thread::spawn(move || {
                let phone = Console::named(http, &format!("Arbiter {number}"));
                let mut taken = 0;
                for at in 0..TAPS {
                    // Everybody wants the same calls at the same time.
                    let alert = calls[(number / 2 + at) % calls.len()];
                    let path = format!("alerts/{alert}/acknowledge");
                    let status = tap(&phone, &path, &format!("take-{number}-{at}"), "{}");
                    assert!(status == 200 || status == 409, "{status}");
                    taken += usize::from(status == 200);
                    let note = format!("{{\"text\":\"phone {number} tap {at}\"}}");
                    let key = format!("note-{number}-{at}");
                    assert_eq!(tap(&phone, "incidents", &key, &note), 200);
                }
                taken
            })
        })
        .collect();
    let taken: usize = phones.into_iter().map(|phone| phone.join().unwrap()).sum();
    assert_eq!(hub.stop(), 0);

    let written = bodies(&place.journal()).await;
    assert_eq!(count(&written, "alert", "acknowledged"), taken);
    let acknowledged = written
        .iter()
        .filter(|body| body["kind"] == "alert" && body["state"] == "acknowledged");
    let owned: BTreeSet<u64> = acknowledged.filter_map(|it| it["alert"].as_u64()).collect();
    assert_eq!(owned.len(), taken, "one owner for each call");
    let notes: Vec<&str> = (written.iter())
        .filter(|body| body["kind"] == "incident")
        .filter_map(|body| body["text"].as_str())
        .filter(|text| text.starts_with("phone "))
        .collect();
    let different: BTreeSet<&str> = notes.iter().copied().collect();
    assert_eq!(different.len(), PHONES * TAPS, "none lost");
    assert_eq!(notes.len(), PHONES * TAPS, "none twice");
    assert!(written.iter().all(Value::is_object));
}
