//! Withdrawals, byes and public rounds over the API, with the hub itself behind it.

use std::sync::{Arc, Mutex};

use axum::http::StatusCode;
use flagfall::time::HubClock;
use flagfall_core::{
    hub::{Hub, command::Command},
    tournament::EventSettings,
};
use serde_json::{Value, json};

use crate::fake_hall::{
    FakeHall, assert_problem,
    real::{self, act},
};

struct Hall {
    pages: FakeHall,
    hub: Arc<Mutex<Hub>>,
    clock: HubClock,
    token: String,
}

impl Hall {
    async fn new(players: u16, change: impl FnOnce(&mut EventSettings)) -> Self {
        let clock = HubClock::start(1.0);
        let hub = Arc::new(Mutex::new(real::swiss(&clock, players, change)));
        let hall = FakeHall::start_hub(&hub, &clock, |settings| {
            settings.player_notes = vec!["players.csv: was read as Windows-1251".into()];
        })
        .await;
        let token = hall.token().await;
        Self {
            pages: hall,
            hub,
            clock,
            token,
        }
    }

    fn act(&self, command: Command) {
        act(&mut self.hub.lock().unwrap(), &self.clock, command);
    }

    fn play_round(&self) {
        real::play_round(&mut self.hub.lock().unwrap(), &self.clock);
    }

    async fn post(&self, path: &str, body: &Value) -> (StatusCode, Value) {
        let path = format!("/api/v1{path}");
        let body = body.to_string();
        self.pages.post(&path, Some(&self.token), &body).await
    }

    async fn players(&self) -> Value {
        let (status, view) = self.pages.get("/api/v1/players", Some(&self.token)).await;
        assert_eq!(status, StatusCode::OK, "{view}");
        view
    }

    async fn pairings(&self, query: &str) -> (StatusCode, Value) {
        let path = format!("/api/v1/pairings{query}");
        self.pages.get(&path, None).await
    }
}

#[tokio::test]
async fn an_arbiter_sees_what_became_of_what_he_asked() {
    let hall = Hall::new(8, |_| {}).await;
    hall.play_round();
    let view = hall.players().await;
    assert_eq!(
        (&view["next"], &view["draft"]["round"]),
        (&2.into(), &2.into())
    );
    assert_eq!(view["byes"], json!(["half", "zero"]));
    assert_eq!(view["notes"][0], "players.csv: was read as Windows-1251");
    let (status, answer) = hall.post("/players/3/withdraw", &json!({})).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let (status, _) = hall
        .post("/players/4/bye", &json!({ "round": 3, "bye": "half" }))
        .await;
    assert_eq!(status, StatusCode::OK);
    let view = hall.players().await;
    assert_eq!(view["draft"]["outdated"], json!([]), "paired anew");
    assert_eq!(view["players"][2]["withdrawn_since"], 2);
    assert!(view["players"][2]["seat"].is_null());
    let bye = json!([{ "round": 3, "worth": "half", "open": true }]);
    assert_eq!(view["players"][3]["byes"], bye);
    assert_eq!(view["players"][3]["seat"]["published"], false);

    for (path, body, words) in [
        (
            "/players/3/withdraw",
            json!({}),
            "has left the event already",
        ),
        ("/players/4/return", json!({}), "has not left"),
        (
            "/players/4/bye",
            json!({ "round": 2, "bye": "full" }),
            "a full bye is not granted",
        ),
        (
            "/players/4/bye",
            json!({ "round": 1, "bye": "half" }),
            "rounds 2 to 5",
        ),
        ("/players/4/bye", json!({ "round": 2 }), "no bye in round 2"),
    ] {
        let (status, answer) = hall.post(path, &body).await;
        assert_eq!(status, StatusCode::CONFLICT, "{path} {body}: {answer}");
        assert_problem(&format!("/api/v1{path}"), status, &answer);
        let detail = answer["detail"].as_str().unwrap();
        assert!(detail.contains(words), "{path} {body}: {detail}");
    }
    let (status, _) = hall.post("/players/99/withdraw", &json!({})).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn who_is_not_paired_is_listed_with_the_reason_and_what_it_is_worth() {
    let hall = Hall::new(9, |_| {}).await;
    for (path, body) in [
        ("/players/1/bye", json!({ "round": 1, "bye": "half" })),
        ("/players/2/bye", json!({ "round": 1, "bye": "zero" })),
        ("/players/3/withdraw", json!({})),
        ("/players/4/bye", json!({ "round": 1, "bye": "zero" })),
        ("/round/pair", json!({})),
    ] {
        let (status, answer) = hall.post(path, &body).await;
        assert_eq!(status, StatusCode::OK, "{path}: {answer}");
    }
    let (_, draft) = hall
        .pages
        .get("/api/v1/rounds/1/pairing", Some(&hall.token))
        .await;
    assert_eq!(draft["pairs"].as_array().unwrap().len(), 2);
    assert_eq!(draft["bye"]["points"], "1.0");
    let unpaired: Vec<_> = draft["unpaired"].as_array().unwrap().iter().collect();
    let said: Vec<_> = unpaired
        .iter()
        .map(|it| {
            (
                it["player"]["no"].as_u64().unwrap(),
                it["points"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(said, [(1, "0.5"), (2, "0.0"), (3, "0.0"), (4, "0.0")]);
    assert!(
        unpaired
            .iter()
            .all(|it| !it["why"].as_str().unwrap().is_empty())
    );
}

#[tokio::test]
async fn earlier_rounds_stay_to_be_seen_and_no_draft_ever_is() {
    let hall = Hall::new(8, |_| {}).await;
    let (_, nothing) = hall.pairings("").await;
    assert!(
        nothing["round"].is_null() && nothing["latest"].is_null(),
        "{nothing}"
    );
    hall.act(Command::PairRound);
    let (_, draft) = hall.pairings("").await;
    assert_eq!(draft["coming"], 1);
    assert_eq!(draft["tables"], json!([]));
    assert_eq!(hall.pairings("?round=1").await.0, StatusCode::NOT_FOUND);

    hall.play_round();
    // Round 2 is drafted: everybody still sees the results of round 1.
    let (_, after) = hall.pairings("").await;
    let heads = ["round", "latest", "coming", "closed"].map(|key| &after[key]);
    assert_eq!(heads, [&json!(1), &json!(1), &json!(2), &json!(true)]);
    let results: Vec<_> = after["tables"].as_array().unwrap().iter().collect();
    assert_eq!(results.len(), 4);
    assert!(
        results.iter().all(|table| table["result"] == "1-0"),
        "{after}"
    );
    let (status, problem) = hall.pairings("?round=2").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert_problem("/api/v1/pairings?round=2", status, &problem);

    hall.act(Command::PublishRound);
    let (_, second) = hall.pairings("").await;
    assert_eq!(
        (&second["round"], &second["coming"]),
        (&2.into(), &Value::Null)
    );
    assert!(second["tables"][0]["result"].is_null());
    let (_, first) = hall.pairings("?round=1").await;
    assert_eq!(first["tables"], after["tables"]);
    assert_eq!((&first["round"], &first["latest"]), (&1.into(), &2.into()));
    for wrong in ["?round=0", "?round=9"] {
        assert_eq!(
            hall.pairings(wrong).await.0,
            StatusCode::NOT_FOUND,
            "{wrong}"
        );
    }
    for wrong in ["?round=x", "?runde=1"] {
        assert_eq!(
            hall.pairings(wrong).await.0,
            StatusCode::BAD_REQUEST,
            "{wrong}"
        );
    }
}
