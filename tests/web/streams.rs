//! The live streams: first the whole, then changes, few messages, and never a false state.

use std::time::Duration;

use axum::{
    body::{Body, BodyDataStream},
    http::{Method, StatusCode, header},
};
use flagfall_core::hub::view::{Phase, TablePhase, Update};
use jiff::SignedDuration;
use serde_json::Value;
use tokio_stream::StreamExt;

use crate::{
    fake_hall::{FakeHall, assert_problem, picture},
    playing,
};

/// The events of a live stream.
struct Events {
    stream: BodyDataStream,
    rest: Vec<u8>,
}

impl Events {
    async fn open(hall: &FakeHall, path: &str, token: Option<&str>) -> Self {
        let mut request = hall.request(Method::GET, path);
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let response = hall.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(
            response.headers()[header::CONTENT_TYPE],
            "text/event-stream"
        );
        Self {
            stream: response.into_body().into_data_stream(),
            rest: Vec::new(),
        }
    }

    /// The next event; `None` at the end of the stream.
    async fn next(&mut self) -> Option<(String, Value)> {
        loop {
            if let Some(end) = self.rest.windows(2).position(|two| two == b"\n\n") {
                let event = self.rest.drain(..end + 2).collect();
                let event = String::from_utf8(event).unwrap();
                let (name, data) = event.trim_end().split_once('\n').expect("a name and data");
                let name = name.strip_prefix("event: ").expect("a name").to_owned();
                let data = data.strip_prefix("data: ").expect("data");
                return Some((name, serde_json::from_str(data).expect("JSON")));
            }
            let chunk = tokio::time::timeout(Duration::from_secs(20), self.stream.next())
                .await
                .expect("the stream lives")?;
            // A cut connection at shutdown is an end, too.
            let chunk = chunk.ok()?;
            // A chunk may end in the middle of a letter.
            self.rest.extend_from_slice(&chunk);
        }
    }

    /// The next event of a name.
    async fn of(&mut self, wanted: &str) -> Value {
        loop {
            let (name, data) = self.next().await.expect("the stream goes on");
            if name == wanted {
                return data;
            }
        }
    }
}

#[tokio::test]
async fn the_stream_begins_with_the_whole_and_goes_on_with_changes() {
    let hall = playing().await;
    let token = hall.token().await;
    let mut events = Events::open(&hall, "/api/v1/hall/stream", Some(&token)).await;
    let whole = events.of("hall").await;
    assert_eq!(whole["tables"].as_array().unwrap().len(), 24);
    let health = events.of("health").await;
    assert_eq!(health["journal"]["seq"], 4182);
    hall.health.send_modify(|health| health.journal.seq = 4183);
    assert_eq!(events.of("health").await["journal"]["seq"], 4183);
    hall.change(|hall| {
        hall.tables[0].ply = 99;
        Update {
            tables: vec![hall.tables[0].clone()],
            ..Update::default()
        }
    });
    let update = events.of("update").await;
    assert_eq!(update["tables"][0]["ply"], 99);
    assert!(
        update.get("round").is_none(),
        "what did not change is not sent"
    );
}

#[tokio::test]
async fn many_changes_become_few_messages_and_the_last_one_counts() {
    let hall = playing().await;
    let token = hall.token().await;
    let mut events = Events::open(&hall, "/api/v1/hall/stream", Some(&token)).await;
    events.of("hall").await;
    let changes: u16 = 200;
    for ply in 1..=changes {
        hall.change(|hall| {
            let table = usize::from(ply % 2);
            hall.tables[table].ply = ply;
            Update {
                tables: vec![hall.tables[table].clone()],
                ..Update::default()
            }
        });
    }
    let mut messages = 0;
    let mut plies = [0, 0];
    while plies != [u64::from(changes), u64::from(changes) - 1] {
        let update = events.of("update").await;
        messages += 1;
        for table in update["tables"].as_array().unwrap() {
            let number = table["table"].as_u64().unwrap();
            plies[usize::try_from(number).unwrap() - 1] = table["ply"].as_u64().unwrap();
        }
    }
    assert!(
        messages <= 5,
        "{messages} messages for {changes} changes at once"
    );
}

#[tokio::test]
async fn who_missed_changes_gets_the_whole_hall_again() {
    let hall = playing().await;
    let token = hall.token().await;
    let mut events = Events::open(&hall, "/api/v1/hall/stream", Some(&token)).await;
    events.of("hall").await;
    // More at once than the channel holds; nothing here yields to the reader.
    for ply in 0..2_000 {
        hall.change(|hall| {
            hall.tables[3].ply = ply;
            hall.tables[3].phase = TablePhase::Finished;
            Update::default()
        });
    }
    let again = events.of("hall").await;
    assert_eq!(again["tables"][3]["ply"], 1_999);
}

#[tokio::test]
async fn a_screen_is_told_no_names_and_nothing_of_the_games() {
    let hall = playing().await;
    let mut screen = Events::open(&hall, "/api/v1/screen/stream", None).await;
    let view = screen.of("screen").await;
    assert_eq!(view["round"]["phase"], "playing");
    let all = view.to_string();
    for name in ["Іваненко", "Müller", "white", "position", "tables"] {
        assert!(!all.contains(name), "{all}");
    }
}

#[tokio::test]
async fn a_screen_hears_of_rounds_only_and_is_counted() {
    let hall = playing().await;
    let mut events = Events::open(&hall, "/api/v1/screen/stream", None).await;
    events.of("screen").await;
    assert_eq!(hall.handle.screens(), 1);
    hall.change(|hall| Update {
        tables: vec![hall.tables[0].clone()],
        ..Update::default()
    });
    // More than a frame later, so that the two cannot become one.
    tokio::time::sleep(Duration::from_millis(250)).await;
    hall.change(|_| Update {
        round: Some(picture::round(Phase::Held, SignedDuration::from_secs(60))),
        ..Update::default()
    });
    let (name, data) = loop {
        let event = events.next().await.unwrap();
        if event.0 != "tick" {
            break event;
        }
    };
    assert_eq!(name, "screen");
    assert_eq!(data["round"]["held_reason"], "Registration is still open");
    drop(events);
    for _ in 0..200 {
        if hall.handle.screens() == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("a screen that has gone is still counted");
}

#[tokio::test]
async fn streams_end_when_the_hub_stops() {
    let mut hall = playing().await;
    let token = hall.token().await;
    let mut events = Events::open(&hall, "/api/v1/hall/stream", Some(&token)).await;
    events.of("hall").await;
    hall.cancel.cancel();
    while events.next().await.is_some() {}
    tokio::time::timeout(Duration::from_secs(10), &mut hall.server)
        .await
        .expect("the server stops")
        .unwrap();
}

#[tokio::test]
async fn one_address_cannot_take_all_streams() {
    let hall = playing().await;
    let mut open = Vec::new();
    for _ in 0..96 {
        open.push(Events::open(&hall, "/api/v1/screen/stream", None).await);
    }
    let (status, answer) = hall.get("/api/v1/screen/stream", None).await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
    assert_problem("/api/v1/screen/stream", status, &answer);
}

#[tokio::test]
async fn everybody_sees_the_pairings_once_they_are_public_and_no_draft() {
    let mut before = picture::before_the_start(SignedDuration::from_secs(600));
    before.round.as_mut().unwrap().published = false;
    let hall = FakeHall::start(before).await;
    let mut events = Events::open(&hall, "/api/v1/pairings/stream", None).await;
    let draft = events.of("pairings").await;
    assert_eq!((&draft["latest"], &draft["coming"]), (&1.into(), &2.into()));
    // The round before, until the new one is public.
    assert_eq!(draft["round"], 1);
    assert_eq!(draft["tables"].as_array().unwrap().len(), 1);
    assert_eq!(draft["tables"][0]["result"], "0-1");
    let (_, asked) = hall.get("/api/v1/pairings", None).await;
    assert_eq!(asked, draft);

    hall.change(|hall| {
        let round = hall.round.as_mut().unwrap();
        round.published = true;
        Update {
            round: Some(round.clone()),
            ..Update::default()
        }
    });
    let public = events.of("pairings").await;
    assert_eq!(public["round"], 2);
    assert!(public["coming"].is_null(), "{public}");
    assert_eq!(public["tables"].as_array().unwrap().len(), 24);
    assert!(public["tables"][0]["white"]["name"].is_string());

    // A move is nothing new here, a result is.
    hall.change(|hall| {
        hall.tables[0].ply += 1;
        Update {
            tables: vec![hall.tables[0].clone()],
            ..Update::default()
        }
    });
    hall.change(|hall| {
        hall.tables[0].result = Some("1-0".into());
        Update {
            tables: vec![hall.tables[0].clone()],
            ..Update::default()
        }
    });
    let after = events.of("pairings").await;
    assert_eq!(after["tables"][0]["result"], "1-0");
}

#[tokio::test]
async fn names_are_left_out_of_the_pairings_unless_they_are_published() {
    let hall = FakeHall::start_unnamed(picture::playing()).await;
    let (_, pairings) = hall.get("/api/v1/pairings", None).await;
    let white = &pairings["tables"][0]["white"];
    assert_eq!(white["no"], 1);
    assert!(white["name"].is_null(), "{white}");
}
