//! Notices of calls: in the background out of the live stream, and from a push message to a closed page.

use flagfall_core::{
    hub::view::{AlertView, Severity, Update},
    types::TableNo,
};
use serde_json::json;

use crate::{
    WATCH,
    driver::Browser,
    fake_hall::{FakeHall, picture},
    log_in,
};

/// A page that nobody looks at when `away` is set.
const AWAY: &str = "window.away = false;
    Object.defineProperty(Document.prototype, 'hidden', { get: () => window.away });";

fn tell(hall: &FakeHall, change: impl FnOnce(&mut Vec<AlertView>)) {
    hall.change(|hall| {
        change(&mut hall.alerts);
        Update {
            alerts: Some(hall.alerts.clone()),
            ..Update::default()
        }
    });
}

fn flag(hall: &FakeHall, id: u64, table: u16) {
    tell(hall, |alerts| {
        let mut alert = alerts[0].clone();
        alert.id = id;
        alert.kind = "flag".into();
        alert.severity = Severity::Call;
        alert.table = Some(TableNo(table));
        alert.text = format!("Table {table}: White's flag fell just now (±1 s).");
        alert.acknowledged_by = None;
        alert.proposal = None;
        alerts.push(alert);
    });
}

async fn shown(browser: &Browser, what: &str, script: &str) {
    let script = format!(
        "(navigator.serviceWorker.ready.then((it) => it.getNotifications()).then((list) => {{ window.notices = list.map((each) => [each.title, each.body, each.tag]); }}), window.notices && ({script}))"
    );
    browser.until(what, &script).await;
}

#[tokio::test]
async fn a_page_in_the_background_shows_calls_without_the_internet() {
    let hall = FakeHall::start(picture::playing()).await;
    let browser = Browser::start().await;
    browser.at_each_start(&[WATCH, AWAY]).await;
    browser
        .cdp(
            "Browser.grantPermissions",
            json!({ "permissions": ["notifications"], "origin": hall.url("") }),
        )
        .await;
    browser.viewport(390, 844).await;
    log_in(&browser, &hall).await;
    browser
        .until("the worker", "navigator.serviceWorker.controller")
        .await;
    browser.click("#alarm").await;
    browser
        .until(
            "what works",
            "document.querySelector('[data-push-state]').textContent.startsWith('Notices come while')",
        )
        .await;
    browser.check_page("notices").await;
    browser.screenshot("notices-390").await;
    browser.click("[data-language=uk]").await;
    browser.click("dialog.ask .actions .primary").await;

    // While somebody looks the list is enough.
    flag(&hall, 900, 3);
    browser
        .until(
            "the card",
            "document.body.textContent.includes('Прапорець білих упав щойно')",
        )
        .await;
    shown(&browser, "nothing", "window.notices.length === 0").await;
    browser.eval("window.away = true").await;
    flag(&hall, 901, 7);
    shown(
        &browser,
        "the notice",
        "window.notices.length === 1 && window.notices[0].join('|') === 'Стіл 7: Прапорець упав|Прапорець білих упав щойно (±1 с).|alert-901'",
    )
    .await;
    // Somebody goes: it is not shown any longer.
    tell(&hall, |alerts| {
        if let Some(alert) = alerts.iter_mut().find(|alert| alert.id == 901) {
            alert.acknowledged_by = Some("Petro Sich".into());
        }
    });
    shown(&browser, "it is over", "window.notices.length === 0").await;

    // The same from a push service, to the worker alone.
    let worker = include_str!("../../src/web/assets/sw.js");
    browser
        .eval(&format!(
            "navigator.serviceWorker.ready.then((registration) => {{
                 const handlers = {{}};
                 const self = {{ registration, location, addEventListener: (name, handler) => {{ handlers[name] = handler; }} }};
                 {worker}
                 const message = {{ id: 902, kind: 'illegal-move', table: 5, severity: 'call', text: 'Table 5: White completed an illegal move.' }};
                 handlers.push({{ data: {{ json: () => message }}, waitUntil: () => {{}} }});
             }}); return null"
        ))
        .await;
    shown(
        &browser,
        "the message",
        "window.notices.length === 1 && window.notices[0].join('|') === 'Стіл 5: Неможливий хід||alert-902'",
    )
    .await;
    assert_eq!(browser.eval("return wrong").await, json!([]));
}
