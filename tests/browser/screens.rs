//! The hall's screens in a browser: one truth of time, numbers and pages, and how all of it looks.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::http::StatusCode;
use flagfall::{time::HubClock, web::Auth};
use flagfall_core::hub::{
    Hub,
    event::{EmergencyKind, HallText, ScreenContent, ScreenLanguage, ScreenSettings, ScreenTheme},
    view::{Phase, PlayOffView, ScreenSound, ScreenView, Update},
};
use flagfall_core::types::TableNo;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use crate::{
    RECORD, WATCH, WRONG_CLOCK, ZERO, count_down,
    driver::Browser,
    fake_hall::{FakeHall, PIN, picture, real},
    open_screen, set_round,
};

const KEY: &str = "screen-of-the-test";

/// The browser is a screen that the hub knows.
pub(crate) const KNOWN: &str = "localStorage.setItem('flagfall-screen-key', 'screen-of-the-test');";

pub(crate) fn screen(settings: ScreenSettings) -> ScreenView {
    ScreenView {
        number: 1,
        key: KEY.to_owned(),
        assigned: true,
        settings,
        online: true,
        width: 1920,
        height: 1080,
        address: "10.0.0.7".to_owned(),
        sound: ScreenSound::Off,
    }
}

pub(crate) fn assign(hall: &FakeHall, settings: ScreenSettings) {
    hall.change(|hall| {
        hall.screens = vec![screen(settings)];
        Update {
            screens: Some(hall.screens.clone()),
            ..Update::default()
        }
    });
}

pub(crate) fn shows(content: ScreenContent) -> ScreenSettings {
    ScreenSettings {
        content,
        ..ScreenSettings::default()
    }
}

/// The texts of the countdown from a number of seconds on, with the true time of each.
async fn seen(browser: &Browser) -> Vec<(String, f64)> {
    let seen = browser
        .eval("return seen.filter(([text]) => /^0:0\\d$/.test(text))")
        .await;
    serde_json::from_value(seen).unwrap()
}

#[tokio::test]
async fn two_screens_agree_though_one_has_a_wrong_clock_and_one_was_in_the_background() {
    let hall = FakeHall::start(picture::playing()).await;
    let wrong = Browser::start().await;
    let slow = Browser::start().await;
    wrong.at_each_start(&[WATCH, WRONG_CLOCK, RECORD]).await;
    slow.at_each_start(&[WATCH, RECORD]).await;
    open_screen(&wrong, &hall).await;
    open_screen(&slow, &hall).await;
    let rate = json!({ "rate": 4 });
    slow.cdp("Emulation.setCPUThrottlingRate", rate).await;
    let target = count_down(&hall, 9).as_nanosecond() as f64 / 1e6;
    // For a while the other one lies behind another tab, where its timers are held back.
    let own = slow.client.window().await.unwrap();
    let other = slow.client.new_window(true).await.unwrap();
    slow.client.switch_to_window(other.handle).await.unwrap();
    tokio::time::sleep(Duration::from_secs(3)).await;
    slow.client.switch_to_window(own).await.unwrap();
    wrong.until("zero", ZERO).await;
    slow.until("zero", ZERO).await;
    let (one, two) = (seen(&wrong).await, seen(&slow).await);
    for text in ["0:03", "0:02", "0:01", "0:00"] {
        let at =
            |seen: &[(String, f64)]| seen.iter().find(|(shown, _)| shown == text).map(|it| it.1);
        let (Some(one), Some(two)) = (at(&one), at(&two)) else {
            panic!("{text} is missing: {one:?} {two:?}")
        };
        assert!((one - two).abs() < 200.0, "{text}: {one} and {two}");
        let due = target - text[2..].parse::<f64>().unwrap() * 1000.0;
        assert!(one >= due - 1.0 && two >= due - 1.0, "{text} was early");
    }
    assert_eq!(wrong.eval("return wrong").await, json!([]));
}

#[tokio::test]
async fn what_the_screens_say_is_right_to_the_second_and_the_noun() {
    let hall = FakeHall::start(picture::playing()).await;
    let browser = Browser::start().await;
    open_screen(&browser, &hall).await;
    let load = "window.parts = null;
        Promise.all(['countdown', 'words', 'plural', 'sound', 'size', 'program'].map((name) => import(`/assets/screen/${name}.js`)))
            .then((all) => { window.parts = Object.assign({}, ...all); });";
    browser.eval(load).await;
    browser.until("the parts", "window.parts").await;
    // Ten minutes, looked at each 50 ms: each second once, none skipped, rounded up.
    let seconds = browser
        .eval(
            "const start = Date.parse('2026-12-05T10:00:00Z');
            const round = { number: 1, phase: 'seats', published: true, starts_at: '2026-12-05T10:00:00Z' };
            const time = { wall: () => '12:00' };
            const seen = [];
            for (let now = start - 600_000; now <= start + 2000; now += 50) {
                const { digits } = parts.picture({ round, event: null, now, words: parts.WORDS.en, time, lost: false, moved: false });
                const due = Math.ceil(Math.max(0, start - now) / 1000);
                const [m, s] = digits.split(':').map(Number);
                if (m * 60 + s !== due) return `${digits} at ${start - now}`;
                if (seen.at(-1) !== due) seen.push(due);
            }
            return seen",
        )
        .await;
    let expected: Vec<u32> = (0..=600).rev().collect();
    assert_eq!(seconds, json!(expected));
    for (lang, form, expected) in [
        (
            "uk",
            "left",
            "1 хвилина, 2 хвилини, 5 хвилин, 11 хвилин, 14 хвилин, 21 хвилина, 22 хвилини, 111 хвилин",
        ),
        (
            "uk",
            "in",
            "1 хвилину, 2 хвилини, 5 хвилин, 11 хвилин, 14 хвилин, 21 хвилину, 22 хвилини, 111 хвилин",
        ),
        (
            "ru",
            "left",
            "1 минута, 2 минуты, 5 минут, 11 минут, 14 минут, 21 минута, 22 минуты, 111 минут",
        ),
        (
            "ru",
            "in",
            "1 минуту, 2 минуты, 5 минут, 11 минут, 14 минут, 21 минуту, 22 минуты, 111 минут",
        ),
        (
            "en",
            "left",
            "1 minute, 2 minutes, 5 minutes, 11 minutes, 14 minutes, 21 minutes, 22 minutes, 111 minutes",
        ),
    ] {
        let script = format!(
            "return [1, 2, 5, 11, 14, 21, 22, 111].map((n) => parts.minutes('{lang}', n, '{form}')).join(', ').replaceAll('\\u00a0', ' ')"
        );
        assert_eq!(browser.eval(&script).await, json!(expected));
    }
    // Every language says everything.
    let keys =
        "return Object.values(parts.WORDS).map((words) => JSON.stringify(Object.keys(words)))";
    let keys: Vec<String> = serde_json::from_value(browser.eval(keys).await).unwrap();
    assert!(keys.iter().all(|other| *other == keys[0]), "{keys:?}");
    // Marks are passed once, and never by a jump.
    let marks = "return [[301000, 299900], [299900, 299800], [700000, 1000], [100, 0], [0, 0], [250000, 310000], [null, 0]].map(([a, b]) => parts.passed(a, b).join())";
    let expected = json!(["five-minutes", "", "", "zero", "", "", ""]);
    assert_eq!(browser.eval(marks).await, expected);
    // The rotation shows what fits the phase, and a page of each part of it in turn.
    let turns = "const program = new parts.Program();
        const show = (facts, pages) => Array.from({ length: 5 }, () => {
            const content = program.now({ show: null, left: null, ...facts });
            program.turn(content, pages);
            program.skip();
            program.turn(content, pages);
            return content;
        }).join();
        const round = { number: 2, published: true, open: 1, games: 5, play_off: null };
        return [
            show({ round, phase: 'seats', left: 600_000 }, 1),
            show({ round: { ...round, published: false }, phase: 'seats', left: 600_000 }, 1),
            show({ round, phase: 'zero', left: 0 }, 1),
            show({ round, phase: 'playing' }, 2),
            show({ round: { ...round, play_off: { over: false } }, phase: 'playing' }, 1),
        ]";
    let expected = json!([
        "countdown,pairings-by-name,countdown,pairings-by-name,countdown",
        "countdown,countdown,countdown,countdown,countdown",
        "countdown,countdown,countdown,countdown,countdown",
        "results,results,standings,standings,countdown",
        "play-off,play-off,play-off,play-off,play-off"
    ]);
    assert_eq!(browser.eval(turns).await, expected);
    // 55 inches, as in the table of what can be read from where, and larger figures than there.
    let size = "return [parts.digitHeight(55), parts.enough(40, 55), parts.enough(75, 55), parts.enough(120, 55), parts.enough(0, 55)].map((x) => (typeof x === 'number' ? Math.round(x) : x?.verdict ?? null))";
    let expected = json!([41, "good", "just", "small", null]);
    assert_eq!(browser.eval(size).await, expected);
}

/// What the engine does once a second.
fn look(hall: &FakeHall, hub: &Arc<Mutex<Hub>>, clock: &HubClock) {
    let mut hub = hub.lock().unwrap();
    hub.handle_screens(clock.now(), hall.handle.seen_screens());
    while hub.poll_event().is_some() {}
    if let Some(update) = hub.take_update(clock.now()) {
        let _ = hall.updates.send(Arc::new(update));
    }
}

#[tokio::test]
async fn a_screen_shows_its_number_until_it_is_given_a_page_and_remembers_it() {
    let clock = HubClock::start(1.0);
    let hub = Arc::new(Mutex::new(real::swiss(&clock, 12, |_| {})));
    let hall = FakeHall::start_hub(&hub, &clock, |_| {}).await;
    let token = hall.token().await;
    let browser = Browser::start().await;
    browser.at_each_start(&[WATCH]).await;
    browser.client.goto(&hall.url("/screen")).await.unwrap();
    browser
        .until(
            "it listens",
            "document.getElementById('title').textContent || flagfall.time.synced !== null",
        )
        .await;
    for _ in 0..100 {
        if hall.handle.screens() == 1 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    look(&hall, &hub, &clock);
    browser
        .until(
            "its number",
            "document.getElementById('big').textContent === '1'",
        )
        .await;
    browser.viewport(1920, 1080).await;
    browser.screenshot("screens-number").await;
    let body = r#"{"name":"Foyer","content":"standings","languages":["uk"],"theme":"light"}"#;
    let (status, answer) = hall
        .post("/api/v1/screens/1/assign", Some(&token), body)
        .await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let standings = "!document.getElementById('page').hidden && document.querySelectorAll('.list.standings li').length === 12 && document.documentElement.dataset.theme === 'light'";
    browser.until("the standings", standings).await;
    browser.client.refresh().await.unwrap();
    browser.until("the standings again", standings).await;
    // Any browser stands in for it.
    browser.client.goto(&hall.url("/screen/1")).await.unwrap();
    browser.until("the standings elsewhere", standings).await;
    // Boards are shown where an arbiter has put them, and nowhere else.
    let (status, _) = hall.get("/api/v1/screen/boards?number=1", None).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    let body = r#"{"content":"boards","delay_s":60}"#;
    hall.post("/api/v1/screens/1/assign", Some(&token), body)
        .await;
    let (status, tables) = hall.get("/api/v1/screen/boards?number=1", None).await;
    assert_eq!(
        (status, tables),
        (StatusCode::OK, json!([])),
        "before the start"
    );
    assert_eq!(browser.eval("return wrong").await, json!([]));
}

fn text(uk: &str, en: &str) -> HallText {
    HallText {
        uk: uk.to_owned(),
        en: en.to_owned(),
        ..HallText::default()
    }
}

#[tokio::test]
async fn every_page_of_a_screen_fits_and_can_be_read() {
    let mut start = picture::playing();
    start.show.notice = Some(text(
        "Нагородження\nо 18:00 у великій залі.\nБуфет працює до 20:00.",
        "Prize giving\nat 18:00 in the large hall.\nThe buffet is open until 20:00.",
    ));
    let round = start.round.as_mut().unwrap();
    round.next_at = Some(Timestamp::now() + SignedDuration::from_hours(1));
    round.play_off = Some(PlayOffView {
        until: Timestamp::now() + SignedDuration::from_secs(247),
        over: false,
        tables: [3, 7, 11].map(TableNo).to_vec(),
    });
    let hall = FakeHall::start(start).await;
    let browser = Browser::start().await;
    browser.at_each_start(&[WATCH, KNOWN]).await;
    for (name, content, ready) in [
        ("names", ScreenContent::PairingsByName, ".list.names li"),
        ("tables", ScreenContent::PairingsByBoard, ".list.pairs li"),
        ("results", ScreenContent::Results, ".list.pairs li"),
        ("standings", ScreenContent::Standings, ".list.standings li"),
        ("boards", ScreenContent::Boards, ".wall .card"),
        ("notice", ScreenContent::Notice, ".plain.notice"),
        ("play-off", ScreenContent::PlayOff, ".plain.play-off"),
        ("next", ScreenContent::NextRound, ".plain.next-round"),
    ] {
        let language = match name {
            "names" | "notice" | "play-off" => ScreenLanguage::Uk,
            "tables" | "next" => ScreenLanguage::Ru,
            _ => ScreenLanguage::En,
        };
        let settings = ScreenSettings {
            languages: vec![language],
            ..shows(content)
        };
        assign(&hall, settings);
        if name == "names" {
            browser.client.goto(&hall.url("/screen")).await.unwrap();
        }
        browser
            .until(name, &format!("document.querySelector('{ready}')"))
            .await;
        for (theme, width, height, picture) in [
            ("dark", 1920, 1080, true),
            ("light", 1080, 1920, true),
            ("dark", 390, 844, true),
            ("dark", 3840, 2160, false),
            ("light", 1366, 768, false),
            ("light", 320, 568, false),
        ] {
            browser.viewport(width, height).await;
            browser.theme(theme).await;
            // The page is laid out at its next look at the time.
            browser.eval("return flagfall.draw()").await;
            let what = format!("screens-{name}-{theme}-{width}");
            browser.check_page(&what).await;
            if picture {
                browser.screenshot(&what).await;
            }
        }
    }
    assert_eq!(browser.eval("return wrong").await, json!([]));
}

#[tokio::test]
async fn a_screen_that_has_turned_its_pages_for_half_a_day_keeps_nothing() {
    let hall = FakeHall::start(picture::playing()).await;
    assign(&hall, shows(ScreenContent::Rotation));
    let browser = Browser::start().await;
    browser.at_each_start(&[WATCH, KNOWN]).await;
    browser.client.goto(&hall.url("/screen")).await.unwrap();
    browser
        .until(
            "it turns",
            "flagfall.time.now() && document.getElementById('title').textContent",
        )
        .await;
    // Twelve hours of pages that stand for fifteen seconds.
    let turn = "for (let i = 0; i < 720; i += 1) { flagfall.program.skip(); flagfall.draw(); }";
    let heap = async || {
        browser.cdp("HeapProfiler.collectGarbage", json!({})).await;
        let usage = browser.cdp("Runtime.getHeapUsage", json!({})).await;
        usage["usedSize"].as_f64().unwrap()
    };
    browser.eval(turn).await;
    let before = heap().await;
    for _ in 0..4 {
        browser.eval(turn).await;
    }
    let grown = heap().await - before;
    assert!(grown < 400_000.0, "{grown} bytes more after 2880 pages");
    let nodes = browser
        .eval("return document.querySelectorAll('*').length")
        .await;
    assert!(nodes.as_u64().unwrap() < 400, "{nodes} elements");
    assert_eq!(browser.eval("return wrong").await, json!([]));
}

#[tokio::test]
async fn the_countdown_takes_the_whole_screen_two_minutes_before_the_start() {
    let hall = FakeHall::start(picture::playing()).await;
    assign(&hall, shows(ScreenContent::PairingsByName));
    let browser = Browser::start().await;
    browser.at_each_start(&[WATCH, KNOWN]).await;
    browser.client.goto(&hall.url("/screen")).await.unwrap();
    set_round(&hall, Phase::Last5, SignedDuration::from_secs(124));
    browser
        .until(
            "the bar on the pairings",
            "document.querySelector('.list.names li') && document.getElementById('screen').hidden
                && /^2:0[0-4]$/.test(document.getElementById('strip-label').textContent)",
        )
        .await;
    browser
        .until(
            "the countdown alone",
            "document.getElementById('page').hidden && !document.getElementById('screen').hidden
                && /^[12]:\\d\\d$/.test(document.getElementById('label').textContent)",
        )
        .await;
    assert_eq!(browser.eval("return wrong").await, json!([]));
}

#[tokio::test]
async fn announcements_are_heard_once_and_read() {
    // A minute a second.
    let hall = FakeHall::start_with(picture::playing(), Auth::with_pin(PIN), 60.0).await;
    let settings = ScreenSettings {
        sound: true,
        ..shows(ScreenContent::Countdown)
    };
    assign(&hall, settings);
    let browser = Browser::start().await;
    browser.at_each_start(&[WATCH, KNOWN]).await;
    browser.client.goto(&hall.url("/screen")).await.unwrap();
    browser
        .until(
            "it sounds",
            "document.documentElement.dataset.sound === 'on' && flagfall.time.now()",
        )
        .await;
    count_down(&hall, 330);
    browser
        .until(
            "five minutes are read",
            "/^The round starts in 5.minutes$/.test(document.getElementById('second').textContent)",
        )
        .await;
    browser.until("zero", ZERO).await;
    let played = browser.eval("return flagfall.sound.played").await;
    assert_eq!(played, json!(["five-minutes", "one-minute", "zero"]));
}

#[tokio::test]
async fn message_blackout_and_emergency_go_over_everything() {
    let hall = FakeHall::start(picture::playing()).await;
    let settings = ScreenSettings {
        languages: vec![ScreenLanguage::Uk, ScreenLanguage::En],
        stacked: true,
        theme: ScreenTheme::Dark,
        ..shows(ScreenContent::Countdown)
    };
    assign(&hall, settings);
    let browser = Browser::start().await;
    browser.at_each_start(&[WATCH, KNOWN]).await;
    browser.client.goto(&hall.url("/screen")).await.unwrap();
    set_round(&hall, Phase::Seats, SignedDuration::from_secs(754));
    browser
        .until(
            "two languages",
            "document.getElementById('first').textContent.includes('Початок о') && document.getElementById('first').textContent.includes('Start at')",
        )
        .await;
    let over = |name: &'static str, change: &dyn Fn(&mut flagfall_core::hub::view::ShowView)| {
        hall.change(|hall| {
            change(&mut hall.show);
            Update {
                show: Some(hall.show.clone()),
                ..Update::default()
            }
        });
        format!("!document.getElementById('{name}').hidden")
    };
    let sizes = [(1920, 1080), (1080, 1920), (390, 844)];
    let soon = Timestamp::now() + SignedDuration::from_mins(5);
    let stacked = "!document.getElementById('screen').hidden".to_owned();
    let message = |show: &mut flagfall_core::hub::view::ShowView| {
        show.message = Some(text(
            "Буфет зачиняється о 15:00",
            "The buffet closes at 15:00",
        ));
        show.message_until = Some(soon);
    };
    let emergency = |show: &mut flagfall_core::hub::view::ShowView| {
        show.emergency = Some(EmergencyKind::Leave);
        show.blackout_until = Some(soon);
    };
    for name in ["stacked", "message", "emergency"] {
        let ready = match name {
            "stacked" => stacked.clone(),
            "message" => over("message", &message),
            _ => over("emergency", &emergency),
        };
        browser.until(name, &ready).await;
        for (width, height) in sizes {
            browser.viewport(width, height).await;
            browser.eval("return flagfall.draw()").await;
            if name != "message" {
                browser.check_page(&format!("{name} {width}")).await;
            }
            browser.screenshot(&format!("screens-{name}-{width}")).await;
        }
    }
    assert_eq!(
        browser
            .eval("return document.getElementById('black').hidden")
            .await,
        json!(true),
        "an emergency is not hidden by a blackout"
    );
    let calm = over("black", &|show| show.emergency = None);
    browser.until("black", &calm).await;
    // The last five minutes are not hidden either.
    set_round(&hall, Phase::Last5, SignedDuration::from_secs(290));
    browser
        .until("the countdown", "document.getElementById('black').hidden")
        .await;
    assert_eq!(browser.eval("return wrong").await, json!([]));
}
