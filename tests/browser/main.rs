//! Pages in a real browser: the countdown is right, the console works, and everything fits.

// Helpers of tests fail by panicking, as tests do.
#![allow(clippy::unwrap_used)]

mod corrections;
mod driver;
#[path = "../fake_hall/mod.rs"]
mod fake_hall;
mod forms;
mod games;
mod notices;
mod players;
mod queue;
mod screens;
mod screens_console;
mod words;

use std::time::Duration;

use driver::Browser;
use fake_hall::{FakeHall, PIN, picture};
use fantoccini::Locator;
use flagfall::web::Auth;
use flagfall_core::{
    hub::{
        command::Command as HubCommand,
        view::{Phase, Update},
    },
    types::{RoundNo, TableNo},
};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

/// Keeps what went wrong in a page from its first line on.
const WATCH: &str = "window.wrong = [];
    addEventListener('securitypolicyviolation', (e) => wrong.push(`${e.violatedDirective} ${e.blockedURI}`));
    addEventListener('error', (e) => wrong.push(e.message ?? 'a file did not load'), true);
    addEventListener('unhandledrejection', (e) => wrong.push(String(e.reason)));";

/// Moves the browser's own clock by five hours and some.
const WRONG_CLOCK: &str = "{ const Right = Date; const off = 5 * 3600e3 + 1234567;
    window.Date = class extends Right {
        constructor(...a) { if (a.length) super(...a); else super(Right.now() + off); }
        static now() { return Right.now() + off; } }; }";

/// Writes down each text of the countdown with the true time at which it came.
const RECORD: &str = "window.seen = [];
    addEventListener('DOMContentLoaded', () => {
        const label = document.getElementById('label');
        new MutationObserver(() => seen.push([label.textContent, performance.timeOrigin + performance.now()]))
            .observe(label, { childList: true, characterData: true, subtree: true });
    });";

async fn log_in(browser: &Browser, hall: &FakeHall) {
    browser.client.goto(&hall.url("/console")).await.unwrap();
    fill_in(browser, &[("name", "Anna Koval"), ("pin", PIN)]).await;
    browser
        .until("the hall is shown", "document.querySelector('.card')")
        .await;
}

async fn fill_in(browser: &Browser, fields: &[(&str, &str)]) {
    browser
        .until(
            "the login is shown",
            "!document.getElementById('gate').hidden",
        )
        .await;
    for (field, text) in fields {
        let css = format!("#gate [name={field}]");
        let input = browser.client.find(Locator::Css(&css)).await.unwrap();
        input.clear().await.unwrap();
        input.send_keys(text).await.unwrap();
    }
    browser.click("#gate button").await;
}

fn set_round(hall: &FakeHall, phase: Phase, starts_in: SignedDuration) {
    hall.change(|hall| {
        let round = picture::round(phase, starts_in);
        hall.round = Some(round.clone());
        Update {
            round: Some(round),
            ..Update::default()
        }
    });
}

/// Counts a new round down; gives the instant of its start.
fn count_down(hall: &FakeHall, seconds: i64) -> Timestamp {
    let mut round = picture::round(Phase::Scheduled, SignedDuration::ZERO);
    round.number = RoundNo(3);
    let starts_at = hall.clock.now().utc + SignedDuration::from_secs(seconds);
    round.starts_at = Some(starts_at);
    hall.change(|hall| {
        hall.round = Some(round.clone());
        Update {
            round: Some(round),
            ..Update::default()
        }
    });
    starts_at
}

async fn open_screen(browser: &Browser, hall: &FakeHall) {
    browser.client.goto(&hall.url("/screen")).await.unwrap();
    browser
        .until("a screen", "document.getElementById('label').textContent")
        .await;
}

const ZERO: &str = "document.getElementById('label').textContent === '0:00'";

#[tokio::test]
async fn the_countdown_is_never_early_and_shows_each_second_once() {
    let hall = FakeHall::start(picture::playing()).await;
    let browser = Browser::start().await;
    browser.at_each_start(&[WATCH, WRONG_CLOCK, RECORD]).await;
    open_screen(&browser, &hall).await;
    let target = count_down(&hall, 8).as_nanosecond() as f64 / 1e6;
    browser.until("zero", ZERO).await;
    let seen = browser
        .eval("return seen.filter(([text]) => /^0:0\\d$/.test(text))")
        .await;
    let seen: Vec<(String, f64)> = serde_json::from_value(seen).unwrap();
    let left: Vec<u32> = seen
        .iter()
        .map(|(text, _)| text.strip_prefix("0:0").unwrap().parse().unwrap())
        .collect();
    let expected: Vec<u32> = (0..=left[0]).rev().collect();
    assert_eq!(left, expected, "each second once, none skipped");
    assert!(left[0] >= 6, "it was watched from early on: {left:?}");
    for (left, (_, at)) in left.iter().zip(&seen).skip(1) {
        let early = target - f64::from(*left) * 1000.0 - at;
        // The browser tells its own time to some tenths of a millisecond.
        assert!(early <= 1.0, "{left} came {early} ms early");
    }
    assert_eq!(browser.eval("return wrong").await, json!([]));
}

#[tokio::test]
async fn a_screen_counts_on_without_the_hub_and_comes_back() {
    let hall = FakeHall::start(picture::playing()).await;
    let browser = Browser::start().await;
    open_screen(&browser, &hall).await;
    assert_eq!(hall.handle.screens(), 1, "the screen is counted");
    count_down(&hall, 8);
    browser
        .until(
            "counting",
            "/^0:0[2-9]$/.test(document.getElementById('label').textContent)",
        )
        .await;
    let address = hall.address;
    drop(hall);
    browser.until("zero without the hub", ZERO).await;

    let hall = FakeHall::start_at(
        address,
        picture::before_the_start(SignedDuration::from_secs(600)),
        Auth::with_pin(PIN),
        1.0,
    )
    .await;
    browser
        .until(
            "the new start",
            "document.getElementById('screen').dataset.phase === 'seats'",
        )
        .await;
    assert_eq!(hall.handle.screens(), 1);
}

#[tokio::test]
async fn times_are_those_of_the_hall_wherever_the_browser_thinks_it_is() {
    let hall = FakeHall::start(picture::playing()).await;
    let browser = Browser::start().await;
    let elsewhere = json!({ "timezoneId": "America/New_York" });
    browser
        .cdp("Emulation.setTimezoneOverride", elsewhere)
        .await;
    let start = count_down(&hall, 600).in_tz("Europe/Kyiv").unwrap();
    let shown = start.strftime("%H:%M").to_string();
    open_screen(&browser, &hall).await;
    assert_eq!(
        browser
            .eval("return document.getElementById('first').textContent")
            .await,
        json!(format!("Start at {shown}"))
    );
    log_in(&browser, &hall).await;
    let line = format!("document.getElementById('start-line').textContent === 'Start at {shown}'");
    browser.until("the start in the hall's time", &line).await;
    // What is typed is the hall's time as well.
    let later = start.checked_add(SignedDuration::from_mins(7)).unwrap();
    browser
        .eval(&format!(
            "document.getElementById('start-time').value = '{}'",
            later.strftime("%H:%M")
        ))
        .await;
    browser.click("#schedule button").await;
    browser
        .until("the answer", "document.querySelector('.toast')")
        .await;
    let request = hall.commands.lock().unwrap().last().cloned().unwrap();
    let HubCommand::ScheduleRound { starts_at, .. } = request.command else {
        panic!("{request:?}")
    };
    let minute = later.timestamp().as_second() / 60;
    assert_eq!(starts_at.as_second(), minute * 60);
}

#[tokio::test]
async fn a_fast_time_line_is_followed() {
    let hall = FakeHall::start_with(picture::playing(), Auth::with_pin(PIN), 60.0).await;
    let browser = Browser::start().await;
    open_screen(&browser, &hall).await;
    let target = count_down(&hall, 240);
    browser.until("zero", ZERO).await;
    assert!(
        hall.clock.now().utc >= target,
        "four minutes pass in four seconds, not earlier"
    );
}

#[tokio::test]
async fn the_first_arbiter_sets_the_pin() {
    let dir = tempfile::tempdir().unwrap();
    let auth = Auth::open(dir.path()).unwrap();
    let code = auth.setup_code().unwrap();
    let hall = FakeHall::start_with(picture::playing(), auth, 1.0).await;
    let browser = Browser::start().await;
    browser.client.goto(&hall.url("/console")).await.unwrap();
    fill_in(
        &browser,
        &[("code", &code), ("name", "Anna Koval"), ("pin", "271828")],
    )
    .await;
    browser
        .until("the hall is shown", "document.querySelector('.card')")
        .await;
}

#[tokio::test]
async fn an_arbiter_logs_in_and_accepts_a_proposal() {
    let hall = FakeHall::start(picture::playing()).await;
    let browser = Browser::start().await;
    browser.at_each_start(&[WATCH]).await;
    browser.client.goto(&hall.url("/console")).await.unwrap();
    fill_in(&browser, &[("name", "Anna Koval"), ("pin", "999999")]).await;
    browser.until("wrong PIN", "document.querySelector('#gate [data-problem]').textContent.includes('not the right PIN')").await;
    assert_eq!(
        browser
            .eval("return document.querySelectorAll('.card').length")
            .await,
        json!(0)
    );
    fill_in(&browser, &[("pin", PIN)]).await;
    browser
        .until("the hall is shown", "document.querySelector('.card')")
        .await;

    // The proposal of table 12: kings in the centre.
    browser.eval("[...document.querySelectorAll('.need')].find((e) => e.textContent.includes('Table 12')).id = 'kings'").await;
    browser
        .until(
            "both positions",
            "document.querySelectorAll('#kings .diagram').length === 2",
        )
        .await;
    browser.click("#kings .accept").await;
    browser
        .until("it has gone", "!document.querySelector('#kings')")
        .await;
    assert!(
        hall.commands.lock().unwrap().is_empty(),
        "it can be taken back for ten seconds"
    );
    browser.click("#held .now").await;
    browser
        .until("it is done", "document.querySelector('.toast')")
        .await;
    let request = hall.commands.lock().unwrap().last().cloned().unwrap();
    assert_eq!(request.by, "Anna Koval");
    assert_eq!(
        request.command,
        HubCommand::Decide {
            proposal: 11,
            accept: true,
            result: None,
            note: None
        }
    );

    // A result of another table, by its card; a second word is asked.
    tokio::time::sleep(Duration::from_millis(500)).await;
    browser.eval("[...document.querySelectorAll('.card')].find((e) => e.querySelector('.number').textContent === '5').id = 'five'").await;
    browser.click("#five").await;
    browser
        .until("the table", "document.getElementById('table-dialog').open")
        .await;
    browser.screenshot("console-table").await;
    browser.click("[data-result='0-1']").await;
    browser
        .until("the question", "document.querySelector('dialog.ask')")
        .await;
    assert!(
        hall.commands.lock().unwrap().len() == 1,
        "nothing is recorded before the second word"
    );
    browser.screenshot("console-question").await;
    browser.click("dialog.ask [value=yes]").await;
    browser
        .until(
            "the result",
            "document.querySelector('#five .phase').textContent === '0–1'",
        )
        .await;
    let request = hall.commands.lock().unwrap().last().cloned().unwrap();
    let HubCommand::SetResult { table, result, .. } = request.command else {
        panic!("{request:?}")
    };
    assert_eq!((table, result.as_str()), (TableNo(5), "0-1"));

    // What the hub refuses is said in words.
    browser.click("#five").await;
    browser.click("[data-dismiss]").await;
    set_round(&hall, Phase::Zero, SignedDuration::from_secs(-2));
    browser
        .until(
            "zero",
            "document.getElementById('phase').textContent.startsWith('Zero')",
        )
        .await;
    browser.click("#start").await;
    browser
        .until(
            "the refusal",
            "document.querySelector('.toast.bad')?.textContent.includes('no space left')",
        )
        .await;
    assert_eq!(browser.eval("return wrong").await, json!([]));
}

#[tokio::test]
async fn a_start_that_has_passed_is_asked_for_anew_when_the_pairing_is_published() {
    let mut before = picture::before_the_start(SignedDuration::ZERO);
    let round = before.round.as_mut().unwrap();
    round.phase = Phase::Idle;
    round.published = false;
    round.planned_at = round
        .starts_at
        .take()
        .map(|now| now - SignedDuration::from_mins(20));
    let hall = FakeHall::start(before).await;
    let browser = Browser::start().await;
    browser.at_each_start(&[WATCH]).await;
    log_in(&browser, &hall).await;
    browser
        .until(
            "the planned start",
            "document.getElementById('start-line').textContent.includes('has passed')",
        )
        .await;
    browser.look("console-draft").await;
    browser.click("#publish").await;
    browser
        .until("the question", "document.querySelector('dialog.ask')")
        .await;
    browser.look("console-publish").await;
    browser.click("dialog.ask [value=yes]").await;
    browser
        .until("the answer", "document.querySelector('.toast')")
        .await;
    let commands: Vec<_> = (hall.commands.lock().unwrap().iter())
        .map(|request| request.command.clone())
        .collect();
    let [
        HubCommand::ScheduleRound { starts_at, .. },
        HubCommand::PublishRound,
    ] = &commands[..]
    else {
        panic!("{commands:?}")
    };
    assert!(*starts_at > hall.clock.now().utc);
}

#[tokio::test]
async fn a_board_without_a_table_is_put_at_one_on_its_card() {
    let hall = FakeHall::start(picture::playing()).await;
    let browser = Browser::start().await;
    log_in(&browser, &hall).await;
    browser
        .until("the card", "document.querySelector('.need .assign input')")
        .await;
    let input = browser
        .client
        .find(Locator::Css(".need .assign input"))
        .await
        .unwrap();
    input.send_keys("25").await.unwrap();
    browser.click(".need .assign button").await;
    browser
        .until("the answer", "document.querySelector('.toast')")
        .await;
    let request = hall.commands.lock().unwrap().last().cloned().unwrap();
    let HubCommand::AssignDevice { device, table } = request.command else {
        panic!("{request:?}")
    };
    assert_eq!(
        (device.0.as_str(), table),
        ("dgt-3000147799", Some(TableNo(25)))
    );
}

#[tokio::test]
async fn a_lost_link_is_shown_plainly_and_mended() {
    let hall = FakeHall::start(picture::playing()).await;
    let browser = Browser::start().await;
    log_in(&browser, &hall).await;
    browser
        .until("live", "document.documentElement.dataset.link === 'up'")
        .await;
    let address = hall.address;
    drop(hall);
    browser.until("the banner", "document.getElementById('offline').textContent.startsWith('No connection to the hub since') && !document.getElementById('offline').hidden").await;
    browser.screenshot("console-lost").await;
    // A hub without the session: nothing is shown until he logs in again.
    let _hall = FakeHall::start_at(address, picture::playing(), Auth::with_pin(PIN), 1.0).await;
    browser
        .until(
            "the login",
            "!document.getElementById('gate').hidden && document.getElementById('console').hidden",
        )
        .await;
}

#[tokio::test]
async fn every_state_of_the_screen() {
    let hall = FakeHall::start(picture::before_the_start(SignedDuration::from_secs(754))).await;
    let browser = Browser::start().await;
    browser.at_each_start(&[WATCH]).await;
    for lang in ["en", "uk"] {
        browser.viewport(1920, 1080).await;
        browser
            .client
            .goto(&hall.url(&format!("/screen?lang={lang}")))
            .await
            .unwrap();
        for (name, phase, starts_in) in [
            ("idle", Phase::Idle, 754),
            ("scheduled", Phase::Scheduled, 6_754),
            ("held", Phase::Held, 60),
            ("seats", Phase::Seats, 754),
            ("closed", Phase::Closed, -9000),
            ("last5", Phase::Last5, 284),
            ("idle", Phase::Idle, 754),
            ("last1", Phase::Last1, 47),
            ("playing", Phase::Playing, -4000),
            ("zero", Phase::Zero, -3),
            ("started", Phase::Started, -130),
        ] {
            set_round(&hall, phase, SignedDuration::from_secs(starts_in));
            browser
                .until(
                    name,
                    &format!("document.getElementById('screen').dataset.phase === '{name}'"),
                )
                .await;
            for (theme, width, height, picture) in [
                ("dark", 1920, 1080, true),
                ("light", 1920, 1080, lang == "en"),
                ("dark", 3840, 2160, false),
                ("dark", 1080, 1920, false),
                ("dark", 360, 740, lang == "en"),
                ("light", 320, 568, false),
            ] {
                // Other words change the fit, not the layout: the extremes are enough.
                if lang == "uk" && width != 1920 && width != 320 {
                    continue;
                }
                browser.viewport(width, height).await;
                browser.theme(theme).await;
                let what = format!("screen-{name}-{lang}-{theme}-{width}");
                browser.check_page(&what).await;
                if picture {
                    browser.screenshot(&what).await;
                }
            }
        }
    }
    assert_eq!(browser.eval("return wrong").await, json!([]));
}

#[tokio::test]
async fn every_page_fits_and_can_be_read() {
    let hall = FakeHall::start(picture::playing()).await;
    let browser = Browser::start().await;
    browser.at_each_start(&[WATCH]).await;
    browser.client.goto(&hall.url("/console")).await.unwrap();
    browser
        .until(
            "the login is shown",
            "!document.getElementById('gate').hidden",
        )
        .await;
    browser.look("login").await;
    log_in(&browser, &hall).await;
    browser
        .eval("document.getElementById('devices').open = true")
        .await;
    browser.look("console").await;
    browser
        .eval("document.getElementById('devices').open = false")
        .await;
    set_round(&hall, Phase::Last5, SignedDuration::from_secs(251));
    browser
        .until(
            "counting",
            "document.getElementById('countdown').textContent.startsWith('4:')",
        )
        .await;
    browser.look("console-before").await;
    browser.viewport(360, 740).await;
    browser.theme("dark").await;
    for part in ["needs", "round", "boards"] {
        browser.click(&format!("#jump [href='#{part}']")).await;
        browser.screenshot(&format!("console-phone-{part}")).await;
    }
    browser
        .eval("document.querySelector('.card').click()")
        .await;
    browser.look("console-dialog").await;
    for (name, path, ready) in [
        ("index", "/", "document.querySelector('.door')"),
        (
            "pairings",
            "/pairings",
            "document.querySelector('#tables li')",
        ),
        (
            "table",
            "/table/3",
            "document.querySelector('#moves button')",
        ),
        ("not-found", "/nothing", "document.querySelector('h1')"),
    ] {
        browser.client.goto(&hall.url(path)).await.unwrap();
        browser.until(name, ready).await;
        browser.look(name).await;
    }
}
