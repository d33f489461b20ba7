//! The page of a game, and the rounds that everybody may read.

use axum::{
    body::Body,
    http::{HeaderMap, Method, StatusCode, header},
};
use flagfall::{games::Live, web::Auth};
use flagfall_core::types::RoundNo;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::{
    fake_hall::{FakeHall, PIN, assert_problem, picture, text},
    playing,
};

#[tokio::test]
async fn a_games_page_tells_what_happened_and_who_decided() {
    let hall = playing().await;
    let token = hall.token().await;
    let token = Some(token.as_str());
    let (status, sheet) = hall.get("/api/v1/tables/3/sheet?round=1", token).await;
    assert_eq!(status, StatusCode::OK, "{sheet}");
    assert_eq!(
        (&sheet["round"], &sheet["zone"], &sheet["result"]),
        (&json!(1), &json!("Europe/Kyiv"), &json!("0-1"))
    );
    let moves = sheet["moves"].as_array().unwrap();
    let line: Vec<String> = moves
        .iter()
        .map(|made| {
            let gone = if made["withdrawn_at"].is_null() {
                ""
            } else {
                "†"
            };
            format!("{}{}{gone}", made["number"], made["san"].as_str().unwrap())
        })
        .collect();
    assert_eq!(
        line.join(" "),
        "1e4 1e5 2Nf3 2Nc6 3Bb5 3a6† 3h6† 3a6 4Ba4 4Nf6 5O-O 5Be7"
    );
    // Both times, the time of day, and the time spent where the clock proves it.
    assert_eq!(moves[0]["pressed_at"], "2026-11-30T15:00:26Z");
    assert_eq!(
        (
            &moves[0]["white_ms"],
            &moves[0]["black_ms"],
            &moves[0]["spent_ms"]
        ),
        (&json!(5_409_000), &json!(5_400_000), &json!(21_000))
    );
    assert_eq!(
        moves[4]["spent_ms"],
        Value::Null,
        "the clock stood meanwhile"
    );
    let notes = sheet["notes"].as_array().unwrap();
    let texts: Vec<&str> = notes
        .iter()
        .map(|note| note["text"].as_str().unwrap())
        .collect();
    for words in [
        "Corrected: 3… a6 is 3… h6.",
        "The clock runs again; it stood for 0:01:34.",
        "White completed an illegal move, f1f3: the piece does not move so.",
        "The times were changed from 1:28:05 / 1:28:10 to 1:28:05 / 1:30:10; a decision explains it.",
        "White’s flag fell first. Black has material to mate.",
        "The result is 0-1 (flag), shown by the clock.",
    ] {
        assert!(texts.contains(&words), "{words}: {texts:#?}");
    }
    // One note for a call and its alert, with who took it.
    let call = notes.iter().find(|note| note["kind"] == "call").unwrap();
    assert_eq!(call["steps"][0]["by"], "Петро Сич");
    assert!(
        notes.iter().all(|note| note["kind"] != "alert"),
        "{texts:#?}"
    );
    let claim = notes.iter().find(|note| note["kind"] == "illegal").unwrap();
    assert_eq!(claim["steps"][0]["text"], "Accepted: “first one”");
    assert_eq!(claim["steps"][0]["by"], "Anna Koval");
    assert!(claim["position"].is_string() && claim["seen"].is_string());
    assert_eq!(sheet["illegal"], json!([1, 0]));
    assert_eq!(sheet["end"]["white_ms"], 0);
    assert_eq!(sheet["end"]["frozen_at"].as_str().unwrap().len(), 20);

    for path in [
        "/api/v1/tables/99/sheet",
        "/api/v1/tables/99/sheet?round=4",
        "/api/v1/tables/99/game?round=4",
    ] {
        let (status, problem) = hall.get(path, token).await;
        assert_eq!(status, StatusCode::NOT_FOUND);
        assert_problem(path, status, &problem);
    }
    let (status, _) = hall.get("/api/v1/tables/3/sheet?round=x", token).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
}

async fn broadcasting() -> (FakeHall, watch::Sender<Live>) {
    let (sender, live) = watch::channel(Live::default());
    let address = "127.0.0.1:0".parse().unwrap();
    let hall = FakeHall::start_changed(
        address,
        picture::playing(),
        Auth::with_pin(PIN),
        |settings| {
            settings.live = Some(live);
        },
    )
    .await;
    (hall, sender)
}

async fn ask(
    hall: &FakeHall,
    path: &str,
    known: &[(header::HeaderName, &str)],
) -> (StatusCode, HeaderMap, String) {
    let mut request = hall.request(Method::GET, path);
    for (name, value) in known {
        request = request.header(name, *value);
    }
    let response = hall.send(request.body(Body::empty()).unwrap()).await;
    (
        response.status(),
        response.headers().clone(),
        text(response).await,
    )
}

#[tokio::test]
async fn a_broadcast_polls_the_round_and_asks_for_it_again_only_when_it_changed() {
    let (hall, live) = broadcasting().await;
    let (status, _, body) = ask(&hall, "/live/round.pgn", &[]).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(body.contains("no round is public yet"), "{body}");

    let told = "2026-12-05T10:00:00.700Z".parse().unwrap();
    live.send_modify(|live| assert!(live.put(RoundNo(1), "1. e4 *\n", told)));
    live.send_modify(|live| assert!(!live.put(RoundNo(1), "1. e4 *\n", told)));
    let (status, headers, body) = ask(&hall, "/live/round.pgn", &[]).await;
    assert_eq!((status, body.as_str()), (StatusCode::OK, "1. e4 *\n"));
    assert_eq!(
        headers[header::CONTENT_TYPE],
        "application/x-chess-pgn; charset=utf-8"
    );
    assert_eq!(headers[header::ACCESS_CONTROL_ALLOW_ORIGIN], "*");
    assert_eq!(
        headers[header::LAST_MODIFIED],
        "Sat, 05 Dec 2026 10:00:00 GMT"
    );
    assert_eq!(headers[header::CACHE_CONTROL], "no-cache");
    let tag = headers[header::ETAG].to_str().unwrap().to_owned();
    let weak = format!("\"x\", W/{tag}");
    for (known, expected) in [
        (vec![(header::IF_NONE_MATCH, tag.as_str())], 304),
        (vec![(header::IF_NONE_MATCH, weak.as_str())], 304),
        (vec![(header::IF_NONE_MATCH, "\"x\"")], 200),
        (
            vec![(header::IF_MODIFIED_SINCE, "Sat, 05 Dec 2026 10:00:00 GMT")],
            304,
        ),
        (
            vec![(header::IF_MODIFIED_SINCE, "Sat, 05 Dec 2026 09:59:59 GMT")],
            200,
        ),
        (vec![(header::IF_MODIFIED_SINCE, "yesterday")], 200),
        // The tag knows better than the date.
        (
            vec![
                (header::IF_NONE_MATCH, "\"x\""),
                (header::IF_MODIFIED_SINCE, "Sat, 05 Dec 2026 11:00:00 GMT"),
            ],
            200,
        ),
    ] {
        let (status, headers, body) = ask(&hall, "/live/round.pgn", &known).await;
        assert_eq!(status.as_u16(), expected, "{known:?}");
        assert_eq!(headers[header::ETAG], tag.as_str());
        assert_eq!(body.is_empty(), expected == 304);
    }

    // The next round takes its place; the old one stays at its own address.
    live.send_modify(|live| assert!(live.put(RoundNo(2), "1. d4 *\n", told)));
    let (_, headers, body) = ask(&hall, "/live/round.pgn", &[(header::IF_NONE_MATCH, &tag)]).await;
    assert_eq!(body, "1. d4 *\n");
    assert_ne!(headers[header::ETAG], tag.as_str());
    let (_, _, body) = ask(&hall, "/live/round-1.pgn", &[]).await;
    assert_eq!(body, "1. e4 *\n");
    for path in ["/live/round-3.pgn", "/live/other.pgn", "/live/round-01.pgn"] {
        let (status, _, body) = ask(&hall, path, &[]).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
        assert_problem(path, status, &serde_json::from_str(&body).unwrap());
    }

    let request = hall.request(Method::OPTIONS, "/live/round.pgn");
    let response = hall.send(request.body(Body::empty()).unwrap()).await;
    assert_eq!(response.status(), StatusCode::NO_CONTENT);
    let allowed = response.headers()[header::ACCESS_CONTROL_ALLOW_HEADERS].to_str();
    assert!(allowed.unwrap().contains("If-None-Match"));
}

#[tokio::test]
async fn nobody_reads_games_of_a_hub_that_does_not_broadcast() {
    let hall = playing().await;
    let (status, _, body) = ask(&hall, "/live/round.pgn", &[]).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(body.contains("[broadcast] on = true"), "{body}");
}
