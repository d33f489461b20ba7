//! The queue of alerts over the API: one owner, many phones at once, and who may do what.

use std::sync::{Arc, Mutex};

use axum::{
    body::Body,
    http::{Method, StatusCode, header},
};
use flagfall::time::HubClock;
use flagfall_core::hub::{Hub, command::Command};
use serde_json::{Value, json};

use crate::{
    fake_hall::{FakeHall, PIN, assert_problem, real},
    playing,
};

/// A round is played in a hub of its own.
async fn hall() -> (Arc<Mutex<Hub>>, FakeHall) {
    let clock = HubClock::start(1.0);
    let mut hub = real::swiss(&clock, 40, |_| {});
    for command in [
        Command::PairRound,
        Command::PublishRound,
        Command::StartRound,
    ] {
        real::act(&mut hub, &clock, command);
    }
    let hub = Arc::new(Mutex::new(hub));
    let served = FakeHall::start_hub(&hub, &clock, |_| {}).await;
    (hub, served)
}

async fn log_in(hall: &FakeHall, name: &str, pin: &str) -> String {
    let body = json!({"pin": pin, "name": name, "bearer": true}).to_string();
    let (status, answer) = hall.post("/api/v1/login", None, &body).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    answer["token"].as_str().unwrap().to_owned()
}

/// One request of a phone with its key; the answer's status.
async fn tap(hall: &FakeHall, token: &str, path: &str, key: &str, body: &Value) -> StatusCode {
    let request = hall
        .request(Method::POST, &format!("/api/v1{path}"))
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::AUTHORIZATION, format!("Bearer {token}"))
        .header("idempotency-key", key)
        .body(Body::from(body.to_string()))
        .unwrap();
    hall.send(request).await.status()
}

/// Issue: arbiter actions under the load of twenty phones, none lost, none applied twice.
#[tokio::test]
async fn twenty_phones_lose_nothing_and_do_nothing_twice() {
    const PHONES: usize = 20;
    const TAPS: usize = 15;
    let (hub, hall) = hall().await;
    let hall = Arc::new(hall);
    let token = log_in(&hall, "Chief", PIN).await;
    for table in 1..=20 {
        let path = format!("/api/v1/tables/{table}/call");
        let (status, answer) = hall.post(&path, Some(&token), "{}").await;
        assert_eq!(status, StatusCode::OK, "{answer}");
    }
    let calls: Vec<u64> = hub.lock().unwrap().state().alerts.keys().copied().collect();
    assert_eq!(calls.len(), 20);
    let mut tokens = Vec::new();
    for phone in 0..PHONES {
        tokens.push(log_in(&hall, &format!("Arbiter {phone}"), PIN).await);
    }
    let before = hub.lock().unwrap().state().seq;

    let phones: Vec<_> = (tokens.into_iter().enumerate())
        .map(|(phone, token)| {
            let (hall, calls) = (Arc::clone(&hall), calls.clone());
            tokio::spawn(async move {
                let mut taken = 0;
                for at in 0..TAPS {
                    // Everybody wants the same calls, and a lost answer makes the phone ask again,
                    // here at once and side by side.
                    let alert = calls[(phone + at) % calls.len()];
                    let path = format!("/alerts/{alert}/acknowledge");
                    let key = format!("take-{phone}-{at}");
                    let nothing = json!({});
                    let (first, second) = tokio::join!(
                        tap(&hall, &token, &path, &key, &nothing),
                        tap(&hall, &token, &path, &key, &nothing),
                    );
                    assert_eq!(first, second, "the same answer for the same tap");
                    taken += u32::from(first == StatusCode::OK);
                    let text = json!({"text": format!("phone {phone} tap {at}")});
                    let key = format!("note-{phone}-{at}");
                    for _ in 0..2 {
                        let status = tap(&hall, &token, "/incidents", &key, &text).await;
                        assert_eq!(status, StatusCode::OK);
                    }
                }
                taken
            })
        })
        .collect();
    let mut taken = 0;
    for phone in phones {
        taken += phone.await.unwrap();
    }
    let hub = hub.lock().unwrap();
    assert_eq!(taken, 20, "each call has one owner");
    let owners = hub.state().alerts.values().filter(|it| it.owner.is_some());
    assert_eq!(owners.count(), 20);
    let written = hub.state().seq - before;
    let expected = 20 + PHONES * TAPS;
    assert_eq!(written, expected as u64, "each tap once in the journal");
}

#[tokio::test]
async fn a_key_that_cannot_be_used_is_refused() {
    let hall = playing().await;
    let token = hall.token().await;
    let long = "x".repeat(65);
    for key in ["", "two words", &long] {
        let status = tap(&hall, &token, "/alerts/3/acknowledge", key, &json!({})).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{key:?}");
    }
    assert!(hall.commands.lock().unwrap().is_empty());
}

/// What each role is let do: the status of a request that is fine otherwise.
#[tokio::test]
async fn each_role_does_what_is_its_own() {
    let (_hub, hall) = hall().await;
    let administrator = log_in(&hall, "Olena", PIN).await;
    for (name, role) in [
        ("Screen", "screen"),
        ("Operator", "operator"),
        ("Arbiter", "arbiter"),
        ("Chief", "chief"),
    ] {
        let body = json!({"name": name, "role": role, "pin": "314159"}).to_string();
        let (status, answer) = hall
            .post("/api/v1/accounts", Some(&administrator), &body)
            .await;
        assert_eq!(status, StatusCode::OK, "{answer}");
    }
    let mut tokens = Vec::new();
    for name in ["Screen", "Operator", "Arbiter", "Chief"] {
        tokens.push((name, log_in(&hall, name, "314159").await));
    }
    tokens.push(("Administrator", administrator));
    // From which of them on the address is open.
    for (path, body, from) in [
        ("/tables/1/call", json!({}), 1),
        ("/incidents", json!({"text": "A phone rang"}), 1),
        ("/tables/1/claim", json!({"what": "threefold"}), 2),
        ("/tables/2/result", json!({"result": "1-0"}), 2),
        ("/protests", json!({"text": "Noise"}), 2),
        ("/staff", json!({"members": []}), 3),
        ("/round/hold", json!({}), 3),
        ("/players/3/withdraw", json!({}), 3),
        ("/accounts/remove", json!({"name": "Nobody"}), 4),
        ("/house-pin", json!({"pin": "1"}), 4),
    ] {
        for (at, (name, token)) in tokens.iter().enumerate() {
            let path = format!("/api/v1{path}");
            let (status, answer) = hall.post(&path, Some(token), &body.to_string()).await;
            assert_eq!(
                status == StatusCode::FORBIDDEN,
                at < from,
                "{name} {path}: {answer}"
            );
            if at < from {
                assert_problem(&path, status, &answer);
            }
        }
    }
    for (path, from) in [("/hall", 0), ("/alerts", 0), ("/accounts", 4)] {
        for (at, (name, token)) in tokens.iter().enumerate() {
            let path = format!("/api/v1{path}");
            let (status, _) = hall.get(&path, Some(token)).await;
            assert_eq!(status == StatusCode::FORBIDDEN, at < from, "{name} {path}");
        }
    }
}

#[tokio::test]
async fn an_operator_takes_what_is_about_devices_only() {
    let hall = playing().await;
    let administrator = hall.token().await;
    let body = json!({"name": "Ihor", "role": "operator", "pin": "314159"}).to_string();
    let (status, _) = hall
        .post("/api/v1/accounts", Some(&administrator), &body)
        .await;
    assert_eq!(status, StatusCode::OK);
    let token = log_in(&hall, "Ihor", "314159").await;
    // 3 is a flag, 2 a silent board.
    for (alert, expected) in [(3, StatusCode::FORBIDDEN), (2, StatusCode::OK)] {
        for what in ["acknowledge", "close"] {
            let path = format!("/api/v1/alerts/{alert}/{what}");
            let (status, answer) = hall.post(&path, Some(&token), "{}").await;
            assert_eq!(status, expected, "{path}: {answer}");
        }
    }
}

#[tokio::test]
async fn zones_and_owners_are_seen_by_all() {
    let (_hub, hall) = hall().await;
    let anna = log_in(&hall, "Anna", PIN).await;
    let petro = log_in(&hall, "Petro", PIN).await;
    let staff = json!({"level": "national", "members": [
        {"name": "Vira", "duty": "chief"},
        {"name": "Anna", "tables": [{"from": 1, "to": 10}]},
        {"name": "Petro", "tables": [{"from": 11, "to": 20}],
         "shifts": [{"from": "2026-01-01T00:00:00Z", "until": "2100-01-01T00:00:00Z"}]},
    ]});
    let (status, answer) = hall
        .post("/api/v1/staff", Some(&anna), &staff.to_string())
        .await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let (_, shown) = hall.get("/api/v1/staff", Some(&petro)).await;
    assert_eq!(shown["staffing"]["arbiters_needed"], 7, "{shown}");
    assert_eq!(shown["members"][2]["on_duty"], true);

    hall.post("/api/v1/tables/12/call", Some(&anna), "{}").await;
    let (_, alerts) = hall.get("/api/v1/alerts", Some(&petro)).await;
    let call = alerts.as_array().unwrap();
    let call = call.iter().find(|it| it["kind"] == "call").unwrap().clone();
    assert_eq!(call["to"], json!(["Petro"]));
    assert_eq!(call["reach"], "zone");
    let id = &call["id"];
    let act = async |what: &str, token: &str| {
        let path = format!("/api/v1/alerts/{id}/{what}");
        hall.post(&path, Some(token), "{}").await.0
    };
    assert_eq!(act("acknowledge", &petro).await, StatusCode::OK);
    assert_eq!(act("acknowledge", &anna).await, StatusCode::CONFLICT);
    assert_eq!(act("release", &anna).await, StatusCode::CONFLICT);
    assert_eq!(act("take-over", &anna).await, StatusCode::OK);
    assert_eq!(act("close", &petro).await, StatusCode::CONFLICT);
    assert_eq!(act("release", &anna).await, StatusCode::OK);
    assert_eq!(act("close", &petro).await, StatusCode::OK);

    let bad = json!({"members": [{"name": "A", "tables": [{"from": 9, "to": 2}]}]});
    let (status, answer) = hall
        .post("/api/v1/staff", Some(&anna), &bad.to_string())
        .await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        answer.to_string().contains("ends before it begins"),
        "{answer}"
    );
}
