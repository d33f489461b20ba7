//! Who is logged in, and who is kept out.

use std::collections::BTreeSet;

use axum::{
    body::Body,
    http::{Method, Request, StatusCode, header},
    response::Response,
};
use flagfall::web::Auth;
use serde_json::{Value, json};

use crate::{
    fake_hall::{FakeHall, PIN, json, picture},
    playing,
};

#[tokio::test]
async fn pages_of_other_sites_cannot_command() {
    let hall = playing().await;
    let cookie = cookie(&hall).await;
    let shift = |name: &'static str, value: String, kind: &'static str| {
        hall.request(Method::POST, "/api/v1/round/shift")
            .header(header::COOKIE, &cookie)
            .header(name, value)
            .header(header::CONTENT_TYPE, kind)
            .body(Body::from(r#"{"seconds":60}"#))
            .unwrap()
    };
    let own = format!("http://{}", hall.address);
    for (request, expected) in [
        (
            shift("origin", "http://evil.example".into(), "application/json"),
            StatusCode::FORBIDDEN,
        ),
        (
            shift("origin", "null".into(), "application/json"),
            StatusCode::FORBIDDEN,
        ),
        (
            shift("sec-fetch-site", "cross-site".into(), "application/json"),
            StatusCode::FORBIDDEN,
        ),
        (
            shift("sec-fetch-site", "same-site".into(), "application/json"),
            StatusCode::FORBIDDEN,
        ),
        (
            shift("origin", own.clone(), "text/plain"),
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ),
        (
            shift("origin", own.clone(), "application/x-www-form-urlencoded"),
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ),
        (
            shift("origin", own, "application/json; charset=utf-8"),
            StatusCode::OK,
        ),
    ] {
        let shown = format!("{:?}", request.headers());
        let before = hall.commands.lock().unwrap().len();
        let response = hall.send(request).await;
        assert_eq!(response.status(), expected, "{shown}");
        let carried_out = hall.commands.lock().unwrap().len() - before;
        assert_eq!(
            carried_out,
            usize::from(expected == StatusCode::OK),
            "{shown}"
        );
    }
}

async fn login(hall: &FakeHall, body: Value) -> Response {
    let request = hall
        .request(Method::POST, "/api/v1/login")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(body.to_string()))
        .unwrap();
    hall.send(request).await
}

async fn cookie(hall: &FakeHall) -> String {
    let response = login(hall, json!({ "pin": PIN, "name": "Anna Koval" })).await;
    assert_eq!(response.status(), StatusCode::OK);
    let set = response.headers()[header::SET_COOKIE]
        .to_str()
        .unwrap()
        .to_owned();
    let parts: BTreeSet<&str> = set.split("; ").collect();
    assert!(
        parts.contains("HttpOnly") && parts.contains("SameSite=Strict"),
        "{set}"
    );
    let body = json(response).await;
    assert_eq!(body["by"], "Anna Koval");
    assert!(
        body.get("token").is_none(),
        "a page's script never sees the token"
    );
    set.split(';').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_session_lasts_until_the_logout() {
    let hall = playing().await;
    let cookie = cookie(&hall).await;
    let with_cookie = |method: Method, path: &str| -> Request<Body> {
        hall.request(method, path)
            .header(header::COOKIE, format!("other=1; {cookie}"))
            .body(Body::empty())
            .unwrap()
    };
    let answer = hall.send(with_cookie(Method::GET, "/api/v1/session")).await;
    assert_eq!(json(answer).await["by"], "Anna Koval");
    assert_eq!(
        hall.send(with_cookie(Method::GET, "/api/v1/hall"))
            .await
            .status(),
        StatusCode::OK
    );
    let answer = hall.send(with_cookie(Method::POST, "/api/v1/logout")).await;
    assert!(
        answer.headers()[header::SET_COOKIE]
            .to_str()
            .unwrap()
            .contains("Max-Age=0")
    );
    assert_eq!(
        hall.send(with_cookie(Method::GET, "/api/v1/hall"))
            .await
            .status(),
        StatusCode::UNAUTHORIZED
    );
}

#[tokio::test]
async fn a_browser_that_was_logged_in_is_not_locked_out_by_its_neighbour() {
    let hall = playing().await;
    let response = login(&hall, json!({ "pin": PIN, "name": "Anna Koval" })).await;
    let device = response
        .headers()
        .get_all(header::SET_COOKIE)
        .iter()
        .filter_map(|set| set.to_str().ok()?.split(';').next())
        .find(|set| set.starts_with("flagfall-device="))
        .unwrap()
        .to_owned();
    for guess in 0..8 {
        let body = json!({ "pin": format!("10000{guess}"), "name": "Eve" });
        login(&hall, body).await;
    }
    let body = json!({ "pin": PIN, "name": "Anna Koval" }).to_string();
    for (cookie, wanted) in [
        ("other=1".to_owned(), StatusCode::TOO_MANY_REQUESTS),
        (device, StatusCode::OK),
    ] {
        let request = hall
            .request(Method::POST, "/api/v1/login")
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::COOKIE, &cookie)
            .body(Body::from(body.clone()))
            .unwrap();
        assert_eq!(hall.send(request).await.status(), wanted, "{cookie}");
    }
}

#[tokio::test]
async fn guessing_the_pin_is_slowed_down() {
    let hall = playing().await;
    let mut last = None;
    for guess in 0..10 {
        let response = login(
            &hall,
            json!({ "pin": format!("10000{guess}"), "name": "Eve" }),
        )
        .await;
        last = Some((
            response.status(),
            response.headers().get(header::RETRY_AFTER).cloned(),
        ));
        assert!(response.headers().get(header::SET_COOKIE).is_none());
    }
    let (status, retry) = last.unwrap();
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
    assert!(retry.is_some());
    // Even the right PIN has to wait now: else guesses could go on.
    let response = login(&hall, json!({ "pin": PIN, "name": "Eve" })).await;
    assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn the_pin_is_set_once_with_the_code() {
    let dir = tempfile::tempdir().unwrap();
    let auth = Auth::open(dir.path()).unwrap();
    let code = auth.setup_code().unwrap();
    let hall = FakeHall::start_with(picture::playing(), auth, 1.0).await;
    let (_, session) = hall.get("/api/v1/session", None).await;
    assert_eq!(session["setup_needed"], true);
    assert!(
        !session.to_string().contains(&code),
        "the code is for the terminal only"
    );
    for (code, pin, expected) in [
        ("AAAA-AAAA", "271828", StatusCode::UNAUTHORIZED),
        (code.as_str(), "123456", StatusCode::UNPROCESSABLE_ENTITY),
        (code.as_str(), "271828", StatusCode::OK),
        (code.as_str(), "314159", StatusCode::CONFLICT),
    ] {
        let body = json!({ "code": code, "pin": pin, "name": "Anna" }).to_string();
        let (status, answer) = hall.post("/api/v1/setup", None, &body).await;
        assert_eq!(status, expected, "{answer}");
    }
    assert_eq!(
        login(&hall, json!({ "pin": "314159", "name": "Eve" }))
            .await
            .status(),
        StatusCode::UNAUTHORIZED
    );
    assert_eq!(
        login(&hall, json!({ "pin": "271828", "name": "Bo" }))
            .await
            .status(),
        StatusCode::OK
    );
}
