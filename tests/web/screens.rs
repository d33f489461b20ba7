//! The hall's screens and papers over the API: who may see what, and what is refused.

use std::sync::{Arc, Mutex};

use axum::{
    body::Body,
    http::{Method, StatusCode, header},
};
use flagfall::time::HubClock;
use flagfall_core::hub::{Hub, screens::SeenScreens};
use serde_json::json;

use crate::fake_hall::{FakeHall, real, text};

const KEY: &str = "a-screen-of-the-test";

async fn hall(
    change: impl FnOnce(&mut flagfall::web::Settings),
) -> (FakeHall, Arc<Mutex<Hub>>, HubClock) {
    let clock = HubClock::start(1.0);
    let hub = Arc::new(Mutex::new(real::swiss(&clock, 6, |_| {})));
    let hall = FakeHall::start_hub(&hub, &clock, change).await;
    (hall, hub, clock)
}

/// What the engine does once a second.
fn look(hub: &Arc<Mutex<Hub>>, clock: &HubClock, seen: SeenScreens) {
    hub.lock().unwrap().handle_screens(clock.now(), seen);
}

#[tokio::test]
async fn a_screen_says_that_it_lives_and_an_arbiter_says_what_it_shows() {
    let (hall, hub, clock) = hall(|_| {}).await;
    let token = hall.token().await;
    let token = Some(token.as_str());
    for bad in [
        json!({ "key": "short" }),
        json!({ "key": "with/slashes/in/it" }),
        json!({ "width": 5 }),
        json!({ "key": KEY, "colour": "red" }),
    ] {
        let (status, problem) = hall
            .post("/api/v1/screen/beat", None, &bad.to_string())
            .await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{bad}: {problem}");
    }
    let beat = json!({ "key": KEY, "width": 1920, "height": 1080 }).to_string();
    let (status, _) = hall.post("/api/v1/screen/beat", None, &beat).await;
    assert_eq!(status, StatusCode::OK);
    look(&hub, &clock, hall.handle.seen_screens());
    let (status, screens) = hall.get("/api/v1/screens", token).await;
    assert_eq!(status, StatusCode::OK);
    let screen = &screens[0];
    assert_eq!(
        (&screen["number"], &screen["online"], &screen["width"]),
        (&json!(1), &json!(true), &json!(1920))
    );
    assert!(screen.get("key").is_none(), "by it one sees the boards");
    let (status, _) = hall.get("/api/v1/screens", None).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);

    let assign = "/api/v1/screens/1/assign";
    let (status, _) = hall.post(assign, None, r#"{"content":"boards"}"#).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    for (path, body, expected) in [
        (
            assign,
            r#"{"content":"films"}"#,
            StatusCode::UNPROCESSABLE_ENTITY,
        ),
        (
            assign,
            r#"{"delay_s":10801}"#,
            StatusCode::UNPROCESSABLE_ENTITY,
        ),
        ("/api/v1/screens/9/assign", "{}", StatusCode::NOT_FOUND),
        ("/api/v1/screens/9/sound-check", "{}", StatusCode::NOT_FOUND),
        (
            assign,
            r#"{"content":"boards","name":"Foyer"}"#,
            StatusCode::OK,
        ),
        ("/api/v1/screens/1/sound-check", "{}", StatusCode::OK),
    ] {
        let (status, answer) = hall.post(path, token, body).await;
        assert_eq!(status, expected, "{path} {body}: {answer}");
    }
    assert_eq!(hall.handle.sound_checks(KEY), 1);
    let boards = format!("/api/v1/screen/boards?key={KEY}");
    assert_eq!(hall.get(&boards, None).await.0, StatusCode::OK);
    let other = "/api/v1/screen/boards?key=another-screen";
    assert_eq!(hall.get(other, None).await.0, StatusCode::FORBIDDEN);
    let (status, _) = hall.get("/api/v1/screen/boards", None).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "nobody in particular");
}

#[tokio::test]
async fn the_standings_on_a_screen_have_names_only_where_they_are_published() {
    for published in [true, false] {
        let (hall, ..) = hall(|settings| settings.publish_names = published).await;
        let (status, lines) = hall.get("/api/v1/screen/standings", None).await;
        assert_eq!(status, StatusCode::OK);
        assert_eq!(lines.as_array().unwrap().len(), 6);
        assert_eq!(lines[0]["name"].is_string(), published, "{lines}");
        assert!(lines[0]["no"].is_number());
    }
}

#[tokio::test]
async fn only_sounds_come_out_of_the_directory_of_sounds() {
    let data = tempfile::tempdir().unwrap();
    std::fs::create_dir(data.path().join("sounds")).unwrap();
    std::fs::write(data.path().join("arbiters.json"), "secret").unwrap();
    for (name, content) in [("one-minute.uk.mp3", "ding"), ("notes.txt", "secret")] {
        std::fs::write(data.path().join("sounds").join(name), content).unwrap();
    }
    let path = data.path().to_owned();
    let (hall, ..) = hall(|settings| settings.data_dir = path).await;
    let (_, sounds) = hall.get("/api/v1/screen/sounds", None).await;
    assert_eq!(sounds, json!(["one-minute.uk.mp3"]));
    let (status, sound) = hall
        .get("/api/v1/screen/sounds/one-minute.uk.mp3", None)
        .await;
    assert_eq!((status, sound), (StatusCode::OK, json!("ding")));
    for name in ["notes.txt", "..%2Farbiters.json", "one-minute.ru.mp3"] {
        let (status, _) = hall
            .get(&format!("/api/v1/screen/sounds/{name}"), None)
            .await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{name}");
    }
    let (status, _) = hall.get("/api/v1/screen/speech/gong?lang=uk", None).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn cards_slips_and_settings_are_printed_for_arbiters() {
    let (hall, hub, clock) = hall(|_| {}).await;
    let token = hall.token().await;
    real::act(
        &mut hub.lock().unwrap(),
        &clock,
        flagfall_core::hub::command::Command::PairRound,
    );
    for path in [
        "setting-sheet.pdf?lang=uk",
        "setting-sheet.pdf?control=120/40:60",
        "table-cards.pdf?lang=ru",
        "result-slips.pdf",
    ] {
        let path = format!("/api/v1/paper/{path}");
        let request = hall
            .request(Method::GET, &path)
            .header(header::AUTHORIZATION, format!("Bearer {token}"));
        let response = hall.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        assert_eq!(response.headers()[header::CONTENT_TYPE], "application/pdf");
        let body = axum::body::to_bytes(response.into_body(), 4 << 20).await;
        assert!(body.unwrap().starts_with(b"%PDF-"), "{path}");
        let refused = hall
            .request(Method::GET, &path)
            .body(Body::empty())
            .unwrap();
        let refused = hall.send(refused).await;
        assert_eq!(refused.status(), StatusCode::UNAUTHORIZED, "{path}");
        assert!(!text(refused).await.contains("%PDF"));
    }
    for path in ["setting-sheet.pdf?control=soon", "result-slips.pdf?lang=fr"] {
        let path = format!("/api/v1/paper/{path}");
        let (status, problem) = hall.get(&path, Some(&token)).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
    }
}
