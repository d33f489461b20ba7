//! The API from outside: who may do what, and what errors say.

use std::collections::BTreeSet;

use axum::{
    body::Body,
    http::{Method, StatusCode, header},
};
use flagfall::web::openapi_json;
use flagfall_core::{
    clock::Change,
    hub::{
        command::{Command, CorrectionAsked, MatchDecision},
        event::BySide,
    },
    tournament::Bye,
    types::{PlayerNo, RoundNo, TableNo},
};
use serde_json::{Value, json};

use crate::{
    fake_hall::{assert_problem, text},
    playing,
};

#[tokio::test]
async fn strangers_see_the_time_only() {
    let hall = playing().await;
    for path in [
        "/api/v1/hall",
        "/api/v1/hall/stream",
        "/api/v1/tables/1",
        "/api/v1/tables/1/game",
        "/api/v1/tables/1/game.pgn",
        "/api/v1/tables/1/sheet",
        "/api/v1/tables/1/sheet?round=1",
        "/api/v1/rounds/2/games.pgn",
        "/api/v1/standings",
        "/api/v1/alerts",
        "/api/v1/proposals",
        "/api/v1/players",
        "/api/v1/staff",
        "/api/v1/protests",
    ] {
        for token in [None, Some("0000"), Some("")] {
            let (status, body) = hall.get(path, token).await;
            assert_eq!(status, StatusCode::UNAUTHORIZED, "{path}");
            assert_problem(path, status, &body);
        }
    }
    for path in [
        "/api/v1/alerts/3/acknowledge",
        "/api/v1/alerts/3/close",
        "/api/v1/alerts/3/take-over",
        "/api/v1/alerts/3/release",
        "/api/v1/staff",
        "/api/v1/protests",
        "/api/v1/protests/3/outcome",
        "/api/v1/tables/1/claim",
        "/api/v1/proposals/11/decision",
        "/api/v1/tables/1/result",
        "/api/v1/tables/1/call",
        "/api/v1/tables/1/orientation",
        "/api/v1/tables/1/correction",
        "/api/v1/tables/1/correction/withdraw",
        "/api/v1/tables/1/start-position",
        "/api/v1/round/start-position",
        "/api/v1/tables/1/moves",
        "/api/v1/incidents",
        "/api/v1/round/pair",
        "/api/v1/round/publish",
        "/api/v1/round/schedule",
        "/api/v1/round/shift",
        "/api/v1/round/hold",
        "/api/v1/round/start",
        "/api/v1/round/close",
        "/api/v1/devices/x/assign",
    ] {
        let (status, body) = hall.post(path, None, "{}").await;
        assert_eq!(status, StatusCode::UNAUTHORIZED, "{path}");
        assert_problem(path, status, &body);
    }
    assert!(hall.commands.lock().unwrap().is_empty());
    let (status, body) = hall.get("/api/v1/time", None).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(body["rate"], 1.0);
    let now: jiff::Timestamp = body["now"].as_str().unwrap().parse().unwrap();
    assert!(
        now <= jiff::Timestamp::now(),
        "the time given is never ahead"
    );
}

#[tokio::test]
async fn what_an_arbiter_asks_carries_his_name() {
    let hall = playing().await;
    let token = hall.token().await;
    let token = Some(token.as_str());
    let started = "2026-11-30T15:00:00Z".parse().unwrap();
    let cases: Vec<(&str, &str, Command)> = vec![
        (
            "/alerts/3/acknowledge",
            "",
            Command::AcknowledgeAlert { alert: 3 },
        ),
        ("/alerts/3/close", "{}", Command::CloseAlert { alert: 3 }),
        (
            "/proposals/11/decision",
            r#"{"accept":true,"result":"0-1","note":" he said so "}"#,
            Command::Decide {
                proposal: 11,
                accept: true,
                result: Some("0-1".into()),
                note: Some("he said so".into()),
            },
        ),
        (
            "/tables/5/result",
            r#"{"result":"1/2-1/2","termination":"agreement"}"#,
            Command::SetResult {
                table: TableNo(5),
                result: "1/2-1/2".into(),
                termination: Some("agreement".into()),
                note: None,
            },
        ),
        (
            "/players/7/withdraw",
            "",
            Command::WithdrawPlayer {
                player: PlayerNo(7),
            },
        ),
        (
            "/players/7/return",
            "{}",
            Command::ReturnPlayer {
                player: PlayerNo(7),
            },
        ),
        (
            "/players/7/bye",
            r#"{"round":3,"bye":"half"}"#,
            Command::SetBye {
                player: PlayerNo(7),
                round: RoundNo(3),
                bye: Some(Bye::Half),
            },
        ),
        (
            "/players/7/bye",
            r#"{"round":3}"#,
            Command::SetBye {
                player: PlayerNo(7),
                round: RoundNo(3),
                bye: None,
            },
        ),
        ("/round/repair", "", Command::RepairRound),
        (
            "/round/decide-match",
            r#"{"players":[3,6],"how":"play-off","winner":6}"#,
            Command::DecideMatch(MatchDecision {
                players: [PlayerNo(3), PlayerNo(6)],
                winner: Some(PlayerNo(6)),
                by_lot: false,
                play_off: true,
            }),
        ),
        (
            "/round/decide-match",
            r#"{"players":[3,6],"how":"lot"}"#,
            Command::DecideMatch(MatchDecision {
                players: [PlayerNo(3), PlayerNo(6)],
                winner: None,
                by_lot: true,
                play_off: false,
            }),
        ),
        (
            "/tables/5/call",
            "",
            Command::CallArbiter {
                table: TableNo(5),
                note: None,
            },
        ),
        (
            "/tables/5/orientation",
            r#"{"turned":true}"#,
            Command::SetOrientation {
                table: TableNo(5),
                turned: true,
            },
        ),
        (
            "/tables/5/correction",
            r#"{"add_black_ms":120000,"why":" illegal move by White "}"#,
            Command::CorrectClock {
                table: TableNo(5),
                correction: CorrectionAsked {
                    change: Change::Add {
                        white_ms: 0,
                        black_ms: 120_000,
                    },
                    moves: BySide::default(),
                    why: "illegal move by White".into(),
                },
            },
        ),
        (
            "/tables/5/correction",
            r#"{"white_ms":300000,"black_ms":240000,"white_moves":12,"why":"clock fault"}"#,
            Command::CorrectClock {
                table: TableNo(5),
                correction: CorrectionAsked {
                    change: Change::Set {
                        white_ms: 300_000,
                        black_ms: 240_000,
                    },
                    moves: BySide {
                        white: Some(12),
                        black: None,
                    },
                    why: "clock fault".into(),
                },
            },
        ),
        (
            "/tables/5/correction/withdraw",
            "",
            Command::CancelCorrection { table: TableNo(5) },
        ),
        (
            "/tables/5/start-position",
            r#"{"fen":" 4k3/8/8/8/8/8/8/R3K3 w - - 0 1"}"#,
            Command::SetStart {
                table: Some(TableNo(5)),
                number: None,
                fen: Some("4k3/8/8/8/8/8/8/R3K3 w - - 0 1".into()),
            },
        ),
        (
            "/round/start-position",
            r#"{"number":518}"#,
            Command::SetStart {
                table: None,
                number: Some(518),
                fen: None,
            },
        ),
        (
            "/tables/5/moves",
            r#"{"moves":["e7e8q"]}"#,
            Command::TellMoves {
                table: TableNo(5),
                moves: vec!["e7e8q".into()],
            },
        ),
        (
            "/incidents",
            r#"{"text":"A phone rang"}"#,
            Command::RecordIncident {
                table: None,
                text: "A phone rang".into(),
            },
        ),
        ("/round/pair", "", Command::PairRound),
        ("/round/publish", "", Command::PublishRound),
        (
            "/round/schedule",
            r#"{"starts_at":"2026-11-30T15:00:00Z"}"#,
            Command::ScheduleRound {
                starts_at: started,
                earlier_confirmed: false,
            },
        ),
        (
            "/round/shift",
            r#"{"seconds":-60,"earlier_confirmed":true}"#,
            Command::ShiftRound {
                seconds: -60,
                earlier_confirmed: true,
            },
        ),
        (
            "/round/hold",
            r#"{"reason":"  "}"#,
            Command::HoldRound { reason: None },
        ),
        (
            "/devices/dgt-7/assign",
            r#"{"table":9}"#,
            Command::AssignDevice {
                device: flagfall_core::types::DeviceId("dgt-7".into()),
                table: Some(TableNo(9)),
            },
        ),
    ];
    for (path, body, command) in cases {
        let (status, answer) = hall.post(&format!("/api/v1{path}"), token, body).await;
        assert_eq!(status, StatusCode::OK, "{path}: {answer}");
        assert!(answer["seq"].as_u64().is_some(), "{answer}");
        let request = hall.commands.lock().unwrap().last().cloned().unwrap();
        assert_eq!(request.by, "Anna Koval");
        assert_eq!(request.command, command, "{path}");
    }
}

#[tokio::test]
async fn refusals_say_what_where_and_what_to_do() {
    let hall = playing().await;
    let token = hall.token().await;
    let token = Some(token.as_str());
    let long = format!(r#"{{"text":"{}"}}"#, "x".repeat(20_000));
    let note = format!(r#"{{"text":"{}"}}"#, "x".repeat(2_001));
    for (path, body, expected, words) in [
        (
            "/proposals/99/decision",
            r#"{"accept":true}"#,
            StatusCode::NOT_FOUND,
            "no proposal 99",
        ),
        (
            "/proposals/11/decision",
            r#"{"accept":true,"resultt":"1-0"}"#,
            StatusCode::UNPROCESSABLE_ENTITY,
            "unknown field `resultt`",
        ),
        (
            "/proposals/11/decision",
            "{}",
            StatusCode::UNPROCESSABLE_ENTITY,
            "missing field `accept`",
        ),
        (
            "/proposals/x/decision",
            r#"{"accept":true}"#,
            StatusCode::BAD_REQUEST,
            "x",
        ),
        (
            "/tables/5/result",
            r#"{"result":"2-0"}"#,
            StatusCode::UNPROCESSABLE_ENTITY,
            "2-0",
        ),
        (
            "/tables/5/result",
            r#"{"result":""}"#,
            StatusCode::UNPROCESSABLE_ENTITY,
            "result is empty",
        ),
        ("/tables/70000/call", "", StatusCode::BAD_REQUEST, "70000"),
        (
            "/round/close",
            r#"{"round":2}"#,
            StatusCode::CONFLICT,
            "3 results are missing",
        ),
        (
            "/round/start",
            "",
            StatusCode::SERVICE_UNAVAILABLE,
            "no space left",
        ),
        (
            "/round/schedule",
            r#"{"starts_at":"soon"}"#,
            StatusCode::UNPROCESSABLE_ENTITY,
            "four digit",
        ),
        (
            "/devices/dgt-7/assign",
            "",
            StatusCode::UNPROCESSABLE_ENTITY,
            "missing field `table`",
        ),
        ("/incidents", "{", StatusCode::BAD_REQUEST, "not JSON"),
        ("/incidents", &long, StatusCode::PAYLOAD_TOO_LARGE, "16 KiB"),
        (
            "/incidents",
            &note,
            StatusCode::UNPROCESSABLE_ENTITY,
            "2000 characters",
        ),
        ("/nothing", "{}", StatusCode::NOT_FOUND, "no such address"),
        ("/hall", "{}", StatusCode::METHOD_NOT_ALLOWED, "POST"),
    ] {
        let path = format!("/api/v1{path}");
        let (status, answer) = hall.post(&path, token, body).await;
        assert_eq!(status, expected, "{path} {answer}");
        assert_problem(&path, status, &answer);
        let detail = answer["detail"].as_str().unwrap();
        assert!(detail.contains(words), "{path}: {detail}");
    }
    let (status, answer) = hall.get("/api/v1/tables/99", token).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert_problem("/api/v1/tables/99", status, &answer);
}

#[tokio::test]
async fn health_says_what_is_wrong() {
    let hall = playing().await;
    let (status, body) = hall.get("/healthz", None).await;
    assert_eq!(
        (status, &body["ok"]),
        (StatusCode::OK, &json!(true)),
        "{body}"
    );
    hall.health
        .send_modify(|health| health.journal.error = Some("disk full".into()));
    let (status, body) = hall.get("/healthz", None).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(
        body["problems"][0].as_str().unwrap().contains("disk full"),
        "{body}"
    );
}

#[tokio::test]
async fn downloads_and_pages_have_the_right_headers() {
    let hall = playing().await;
    let token = hall.token().await;
    let request = hall
        .request(Method::GET, "/api/v1/tables/7/game.pgn")
        .header(header::AUTHORIZATION, format!("Bearer {token}"));
    let response = hall.send(request.body(Body::empty()).unwrap()).await;
    assert_eq!(
        response.headers()[header::CONTENT_TYPE],
        "application/x-chess-pgn"
    );
    assert_eq!(
        response.headers()[header::CONTENT_DISPOSITION],
        "attachment; filename=\"round2-table7.pgn\""
    );
    assert!(text(response).await.starts_with("[Event"));

    for path in [
        "/",
        "/screen",
        "/console",
        "/table/7",
        "/table/7/game",
        "/assets/game.js",
        "/assets/console.js",
        "/nothing",
    ] {
        let request = hall.request(Method::GET, path);
        let response = hall.send(request.body(Body::empty()).unwrap()).await;
        let headers = response.headers();
        let policy = headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert!(
            policy.contains("default-src 'none'") && !policy.contains("unsafe"),
            "{policy}"
        );
        assert_eq!(headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff", "{path}");
        assert!(headers.contains_key(header::CACHE_CONTROL), "{path}");
        let body = text(response).await;
        for elsewhere in ["http://", "https://", "//cdn", " style=", "onclick"] {
            let body = body.replace("http://www.w3.org/2000/svg", "");
            assert!(!body.contains(elsewhere), "{path} has {elsewhere}");
        }
    }
}

#[tokio::test]
async fn a_draft_is_explained_to_arbiters_in_their_language() {
    let hall = playing().await;
    let (status, _) = hall.get("/api/v1/rounds/2/pairing", None).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    let (status, _) = hall.get("/api/v1/report.trf", None).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    let bearer = hall.token().await;
    let token = Some(bearer.as_str());
    let (status, draft) = hall.get("/api/v1/rounds/2/pairing", token).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(draft["published"], false);
    assert_eq!(draft["pairs"][0]["why"], "Bracket 1.");
    assert_eq!(draft["unpaired"][0]["why"], "He is absent in this round.");
    let (status, repair) = hall.get("/api/v1/round/repair", token).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(repair["repair"][0]["after"], "not playing");
    assert_eq!(repair["anew"].as_array().unwrap().len(), 2);
    let (status, _) = hall.get("/api/v1/round/repair", None).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    let (_, draft) = hall.get("/api/v1/rounds/2/pairing?lang=uk", token).await;
    assert_eq!(draft["unpaired"][0]["why"], "Пропускає цей тур.");
    for (path, expected) in [
        ("/api/v1/rounds/9/pairing", StatusCode::NOT_FOUND),
        (
            "/api/v1/rounds/2/pairing?lang=xx",
            StatusCode::UNPROCESSABLE_ENTITY,
        ),
        (
            "/api/v1/rounds/2/pairing?language=uk",
            StatusCode::BAD_REQUEST,
        ),
        ("/api/v1/report.trf?trf16=maybe", StatusCode::BAD_REQUEST),
    ] {
        let (status, problem) = hall.get(path, token).await;
        assert_eq!(status, expected, "{path}: {problem}");
        assert!(problem["help"].is_string(), "{path}: {problem}");
    }
    for (path, body) in [
        ("/api/v1/report.trf", "142 9\r"),
        ("/api/v1/report.trf?trf16=true", "XXR 9\r"),
    ] {
        let request = hall
            .request(Method::GET, path)
            .header(header::AUTHORIZATION, format!("Bearer {bearer}"));
        let response = hall.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(
            response.headers()[header::CONTENT_DISPOSITION],
            "attachment; filename=\"report.trf\""
        );
        assert_eq!(text(response).await, body);
    }
}

#[tokio::test]
async fn the_document_describes_every_address() {
    let document: Value = serde_json::from_str(&openapi_json()).unwrap();
    let paths = document["paths"].as_object().unwrap();
    for path in [
        "/api/v1/hall",
        "/api/v1/round/close",
        "/api/v1/login",
        "/api/v1/tables/{table}/sheet",
        "/live/{file}",
        "/healthz",
        "/metrics",
        "/api/openapi.json",
    ] {
        assert!(paths.contains_key(path), "{path}");
    }
    assert_eq!(paths.len(), 85, "{:?}", paths.keys().collect::<Vec<_>>());
    // Every reference leads somewhere.
    let text = document.to_string();
    for reference in text.split("\"$ref\":\"#").skip(1) {
        let pointer = reference.split('"').next().unwrap();
        assert!(document.pointer(pointer).is_some(), "{pointer}");
    }
    let mut ids = BTreeSet::new();
    for (path, item) in paths {
        for (method, operation) in item.as_object().unwrap() {
            let id = operation["operationId"].as_str().unwrap();
            assert!(ids.insert(id.to_owned()), "{method} {path}: {id} is taken");
            assert!(operation["summary"].as_str().is_some(), "{method} {path}");
        }
    }
    let hall = playing().await;
    let (status, served) = hall.get("/api/openapi.json", None).await;
    assert_eq!((status, served), (StatusCode::OK, document));
}
