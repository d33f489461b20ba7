//! The event's pages and files: what everybody sees, what arbiters see, corrections and the report.

use std::sync::{Arc, Mutex};

use axum::{
    body::Body,
    http::{Method, StatusCode, header},
};
use flagfall::time::HubClock;
use flagfall_core::hub::Hub;
use serde_json::json;

use crate::fake_hall::{FakeHall, real};

struct Event {
    pages: FakeHall,
    hub: Arc<Mutex<Hub>>,
    clock: HubClock,
    token: String,
}

impl Event {
    async fn new(names: bool) -> Self {
        let clock = HubClock::start(1.0);
        let hub = Arc::new(Mutex::new(real::swiss(&clock, 8, |settings| {
            settings.tie_breaks = vec!["BH".parse().unwrap(), "DE".parse().unwrap()];
        })));
        let pages = FakeHall::start_hub(&hub, &clock, |settings| {
            settings.publish_names = names;
        })
        .await;
        let token = pages.token().await;
        Self {
            pages,
            hub,
            clock,
            token,
        }
    }

    fn play_round(&self) {
        real::play_round(&mut self.hub.lock().unwrap(), &self.clock);
    }

    async fn page(&self, path: &str, token: Option<&str>) -> (StatusCode, String) {
        let mut request = self.pages.request(Method::GET, path);
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let response = self.pages.send(request.body(Body::empty()).unwrap()).await;
        let status = response.status();
        let bytes = axum::body::to_bytes(response.into_body(), 4 << 20)
            .await
            .unwrap();
        (status, String::from_utf8_lossy(&bytes).into_owned())
    }

    async fn public(&self, path: &str) -> (StatusCode, String) {
        self.page(path, None).await
    }

    async fn staff(&self, path: &str) -> (StatusCode, String) {
        self.page(path, Some(&self.token)).await
    }
}

const PAGES: [&str; 4] = [
    "/standings",
    "/crosstable",
    "/player/1",
    "/files/standings.csv",
];

#[tokio::test]
async fn names_are_for_all_only_where_the_organiser_says_so() {
    for names in [false, true] {
        let event = Event::new(names).await;
        event.play_round();
        let name = crate::fake_hall::picture::player(1).name;
        for path in PAGES {
            let (status, text) = event.public(path).await;
            assert_eq!(status, StatusCode::OK, "{path}");
            assert_eq!(text.contains(&name), names, "{path}: {text}");
            assert_eq!(text.contains("2483"), names, "the rating, {path}");
            let (_, text) = event.staff(path).await;
            assert!(text.contains(&name), "{path} for arbiters");
        }
    }
}

#[tokio::test]
async fn a_draft_and_a_running_round_are_told_apart_from_what_stands() {
    let event = Event::new(true).await;
    let (_, text) = event.public("/standings?lang=en").await;
    assert!(text.contains("No round is public yet."), "{text}");
    event.play_round();
    // Round 2 is paired as a draft.
    let (_, public) = event.public("/standings?lang=en").await;
    assert!(public.contains("After round 1 of 5."), "{public}");
    assert!(
        !public.contains("Round 2") && !public.contains("Draft"),
        "{public}"
    );
    let (_, staff) = event.staff("/standings?lang=en").await;
    assert!(staff.contains("Round 2 is a draft"), "{staff}");
    real::act(
        &mut event.hub.lock().unwrap(),
        &event.clock,
        flagfall_core::hub::command::Command::PublishRound,
    );
    let (_, text) = event.public("/standings?lang=uk").await;
    assert!(text.contains("Попередня"), "{text}");
    assert!(
        text.contains("Грається тур 2: 4 партії тривають."),
        "{text}"
    );
    let (_, text) = event.public("/player/1?lang=uk").await;
    assert!(text.contains("class=\"now\""), "{text}");
}

#[tokio::test]
async fn figures_open_to_their_sums_in_the_reader_s_language() {
    let event = Event::new(true).await;
    event.play_round();
    for (lang, word) in [
        ("en", "How the figures"),
        ("uk", "Як складаються"),
        ("ru", "Как складываются"),
    ] {
        let (_, text) = event.public(&format!("/player/1?lang={lang}")).await;
        assert!(text.contains(word), "{text}");
        assert!(text.matches("<details>").count() >= 2, "{text}");
        assert!(text.contains(&format!("<html lang=\"{lang}\">")), "{text}");
        assert!(
            !text.contains("http://") && !text.contains("https://"),
            "nothing from elsewhere"
        );
    }
    assert_eq!(event.public("/player/99").await.0, StatusCode::NOT_FOUND);
    assert_eq!(event.public("/player/x").await.0, StatusCode::NOT_FOUND);
    assert_eq!(
        event.public("/files/standings.exe").await.0,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn files_are_what_they_say() {
    let event = Event::new(true).await;
    event.play_round();
    for which in ["standings", "crosstable"] {
        let (_, csv) = event.public(&format!("/files/{which}.csv?lang=uk")).await;
        assert!(csv.starts_with("\u{feff}Місце,№,"), "{csv}");
        assert_eq!(csv.lines().count(), 9, "{csv}");
        let (status, pdf) = event.public(&format!("/files/{which}.pdf")).await;
        assert_eq!(status, StatusCode::OK);
        assert!(pdf.starts_with("%PDF-"));
        let (status, xlsx) = event.public(&format!("/files/{which}.xlsx")).await;
        assert_eq!(status, StatusCode::OK);
        assert!(xlsx.starts_with("PK"));
    }
}

#[tokio::test]
async fn a_correction_is_foreseen_made_recorded_and_taken_back() {
    let event = Event::new(false).await;
    event.play_round();
    let change = json!({ "what": "result", "round": 1, "table": 1, "result": "0-1" });
    let post = async |path: &str, body: &serde_json::Value| {
        let path = format!("/api/v1{path}");
        (event.pages)
            .post(&path, Some(&event.token), &body.to_string())
            .await
    };
    let (status, view) = post("/amendments/preview?lang=uk", &change).await;
    assert_eq!(status, StatusCode::OK, "{view}");
    assert_eq!(view["text"], "Тур 1, стіл 1: результат 1-0 → 0-1.");
    assert_eq!(
        view["consequences"][0],
        "Чернетка туру 2 складається заново."
    );
    assert!(view["places"].as_array().unwrap().len() >= 2, "{view}");
    let (status, answer) = post("/amendments", &json!({ "change": change, "note": "" })).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{answer}");
    let made = json!({ "change": change, "note": "slip read wrongly" });
    let (status, answer) = post("/amendments", &made).await;
    assert_eq!(status, StatusCode::OK, "{answer}");

    let record = async || {
        let (_, record) = event.pages.get("/api/v1/record", Some(&event.token)).await;
        let lines = record.as_array().unwrap().clone();
        let amendments = lines.into_iter().filter(|line| line["kind"] == "amendment");
        amendments.collect::<Vec<_>>()
    };
    let lines = record().await;
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0]["revertible"], true);
    let (_, report) = event.staff("/report?lang=en").await;
    assert!(report.contains("slip read wrongly"), "{report}");
    let path = format!("/amendments/{}/revert", lines[0]["id"]);
    let (status, answer) = post(&path, &json!({ "note": "it was right" })).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let lines = record().await;
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["revertible"], false);
    let (status, _) = post(&path, &json!({ "note": "again" })).await;
    assert_eq!(status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn the_report_and_the_corrections_are_for_the_staff() {
    let event = Event::new(true).await;
    event.play_round();
    for path in ["/report", "/corrections"] {
        assert_eq!(
            event.public(path).await.0,
            StatusCode::UNAUTHORIZED,
            "{path}"
        );
        let (status, text) = event.staff(path).await;
        assert_eq!(status, StatusCode::OK, "{text}");
    }
    let (_, text) = event.staff("/report?lang=ru").await;
    for word in [
        "Отчёт о соревновании",
        "Дополнительные показатели",
        "BH, DE",
        "Нет.",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let body = json!({ "what": "colours", "round": 1, "table": 1 }).to_string();
    let (status, _) = event
        .pages
        .post("/api/v1/amendments/preview", None, &body)
        .await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
}
