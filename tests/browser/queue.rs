//! The queue on an arbiter's phone: a flag from the clock to the result, a gap of the network, a blitz hall.

use std::sync::{Arc, Mutex};

use flagfall::time::HubClock;
use flagfall_core::{
    hub::{
        Hub,
        command::Command as HubCommand,
        event::Reach,
        staff::{Duty, Member, Staff, Zone},
        view::{AlertView, Severity, Update},
    },
    protocol::{ClockReading, ClockSide, DeviceInfo, FaceReading, Observation},
    types::{DeviceId, TableNo},
};
use jiff::Timestamp;
use serde_json::json;

use crate::{
    WATCH,
    driver::Browser,
    fake_hall::{FakeHall, picture, real},
    log_in,
};

/// A hub with clocks at its tables, seen by browsers.
struct Hall {
    hub: Arc<Mutex<Hub>>,
    clock: HubClock,
    served: FakeHall,
}

impl Hall {
    async fn playing() -> Self {
        let clock = HubClock::start(1.0);
        let mut hub = real::swiss(&clock, 8, |_| {});
        for command in [
            HubCommand::PairRound,
            HubCommand::PublishRound,
            HubCommand::StartRound,
        ] {
            real::act(&mut hub, &clock, command);
        }
        for table in 1..=4 {
            let info = DeviceInfo {
                family: "dgt-board".into(),
                serial: Some(format!("{table:05}")),
                version: None,
            };
            hub.handle_observation(clock.now(), &port(table), Observation::Found(info));
            let assign = HubCommand::AssignDevice {
                device: DeviceId(format!("dgt-{table:05}")),
                table: Some(TableNo(table)),
            };
            real::act(&mut hub, &clock, assign);
        }
        let member = |name: &str, duty, from, to| Member {
            name: name.into(),
            duty,
            tables: vec![Zone {
                from: TableNo(from),
                to: TableNo(to),
            }],
            shifts: vec![],
        };
        let staff = Staff {
            members: vec![
                Member {
                    tables: vec![],
                    ..member("Vira Melnyk", Duty::Chief, 1, 1)
                },
                member("Anna Koval", Duty::Arbiter, 1, 2),
                member("Petro Sich", Duty::Arbiter, 3, 4),
            ],
            ..Staff::default()
        };
        real::act(&mut hub, &clock, HubCommand::SetStaff { staff });
        let hub = Arc::new(Mutex::new(hub));
        let served = FakeHall::start_hub(&hub, &clock, |_| {}).await;
        Self { hub, clock, served }
    }

    /// The clock of a table shows this, in seconds; White's time runs.
    fn clock_shows(&self, table: u16, white: u64, black: u64) {
        let face = |seconds| FaceReading {
            time: std::time::Duration::from_secs(seconds),
            flag_blocked: seconds == 0,
            flag_shown: seconds == 0,
            time_per_move: true,
        };
        let reading = ClockReading {
            left: face(white),
            right: face(black),
            running: true,
            lever_high: ClockSide::Left,
            battery_low: false,
        };
        let mut hub = self.hub.lock().unwrap();
        let now = self.clock.now();
        hub.handle_observation(now, &port(table), Observation::Clock(reading));
        while hub.poll_event().is_some() {}
        if let Some(update) = hub.take_update(now) {
            let _ = self.served.updates.send(Arc::new(update));
        }
    }

    fn flag(&self, table: u16) {
        self.clock_shows(table, 1, 70);
        self.clock_shows(table, 0, 70);
    }

    fn owners(&self) -> Vec<Option<String>> {
        let hub = self.hub.lock().unwrap();
        let alerts = hub.state().alerts.values();
        let flags = alerts.filter(|alert| alert.severity == Severity::Call);
        flags.map(|alert| alert.owner.clone()).collect()
    }

    fn result(&self, table: u16) -> Option<String> {
        let hub = self.hub.lock().unwrap();
        let game = hub.state().game(TableNo(table))?;
        game.result.map(|(result, _)| result.as_str().to_owned())
    }

    async fn until(&self, what: &str, done: impl Fn(&Self) -> bool) {
        for _ in 0..400 {
            if done(self) {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("did not happen: {what}");
    }
}

/// A list that has just moved takes no taps.
async fn flag_settles(browser: &Browser) {
    browser
        .until("the flag", "document.querySelector('.need .take')")
        .await;
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
}

fn port(table: u16) -> String {
    format!("port-{table}")
}

/// Issue: flag on a clock, alert on a phone-size page, taken, decided, state of the round.
#[tokio::test]
async fn a_flag_is_taken_and_decided_on_a_phone() {
    let hall = Hall::playing().await;
    let browser = Browser::start().await;
    browser.at_each_start(&[WATCH]).await;
    browser.viewport(390, 844).await;
    log_in(&browser, &hall.served).await;
    hall.flag(2);
    hall.flag(3);
    // Hers is table 2; the other one is her neighbour's, and not in her way.
    browser
        .until("her flag", "document.querySelector('.need .take')")
        .await;
    let texts = "[...document.querySelectorAll('.need h3')].map((e) => e.textContent).join()";
    browser
        .until(
            "table 2",
            &format!("{texts}.includes('Table 2Flag fallen')"),
        )
        .await;
    let shown = browser.eval(&format!("return {texts}")).await;
    assert!(!shown.as_str().unwrap().contains("Table 3"), "{shown}");
    assert_eq!(
        browser
            .eval("return document.documentElement.dataset.rang")
            .await,
        json!("call"),
        "it rang"
    );
    browser.check_page("queue 390").await;
    browser.screenshot("queue-flag-390").await;

    browser.click(".need .take").await;
    browser
        .until(
            "she is on it",
            "document.querySelector('.need .taken').textContent === 'Anna Koval is on it'",
        )
        .await;
    assert_eq!(hall.owners(), [Some("Anna Koval".to_owned()), None]);
    browser.screenshot("queue-taken-390").await;

    // A slip of the thumb is taken back; nothing has reached the hub.
    browser.click(".need .accept").await;
    browser
        .until(
            "the time to think again",
            "document.querySelector('#held .undo')",
        )
        .await;
    browser.check_page("queue held 390").await;
    browser.screenshot("queue-undo-390").await;
    browser.click("#held .undo").await;
    browser
        .until(
            "the card is back",
            "document.querySelector('.need .accept')",
        )
        .await;
    assert_eq!(hall.result(2), None);
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    browser.click(".need .accept").await;
    browser.click("#held .now").await;
    hall.until("the result stands", |hall| {
        hall.result(2).as_deref() == Some("0-1")
    })
    .await;
    browser
        .until(
            "her list is empty",
            "!document.getElementById('needs-none').hidden",
        )
        .await;
    browser
        .until(
            "the round",
            "[...document.querySelectorAll('.card')].some((e) => e.querySelector('.number').textContent === '2' && e.querySelector('.phase').textContent === '0–1')",
        )
        .await;
    // The other arbiter's is there when she looks for it.
    browser.click("[data-whose=all]").await;
    browser
        .until(
            "table 3",
            &format!("{texts}.includes('Table 3Flag fallen')"),
        )
        .await;
    assert_eq!(browser.eval("return wrong").await, json!([]));
}

/// Undecided decisions go by themselves once their time is over.
#[tokio::test]
async fn what_nobody_takes_back_is_sent() {
    let hall = Hall::playing().await;
    let browser = Browser::start().await;
    browser.viewport(390, 844).await;
    log_in(&browser, &hall.served).await;
    hall.flag(1);
    flag_settles(&browser).await;
    browser.click(".need .reject").await;
    browser
        .until("it waits", "document.querySelector('#held .undo')")
        .await;
    hall.until("it is rejected", |hall| {
        hall.hub.lock().unwrap().state().proposals.is_empty()
    })
    .await;
    assert_eq!(hall.result(1), None);
}

#[tokio::test]
async fn taps_are_kept_through_a_gap_and_a_reload() {
    let hall = Hall::playing().await;
    let browser = Browser::start().await;
    browser.viewport(390, 844).await;
    log_in(&browser, &hall.served).await;
    // On the hub's own machine, as over HTTPS, the console can be installed.
    browser
        .until(
            "the worker",
            "(navigator.serviceWorker.getRegistration().then((it) => { window.worker = it?.active?.state; }), window.worker === 'activated')",
        )
        .await;
    browser.client.refresh().await.unwrap();
    browser
        .until("again", "document.documentElement.dataset.link === 'up'")
        .await;
    hall.flag(1);
    flag_settles(&browser).await;
    let offline = |offline: bool| json!({ "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 });
    browser.cdp("Network.enable", json!({})).await;
    browser
        .cdp("Network.emulateNetworkConditions", offline(true))
        .await;
    browser.click(".need .take").await;
    browser
        .until(
            "it is said to wait",
            "!document.getElementById('outbox').hidden && document.getElementById('outbox').textContent === '1 tap waits for the hub'",
        )
        .await;
    browser.screenshot("queue-gap-390").await;
    assert_eq!(hall.owners(), [None]);
    browser.client.refresh().await.unwrap();
    browser
        .until("the page opens without the hub", "document.querySelector('#gate [data-problem]')?.textContent.includes('does not answer')")
        .await;
    browser
        .cdp("Network.emulateNetworkConditions", offline(false))
        .await;
    hall.until("the tap arrives", |hall| {
        hall.owners() == [Some("Anna Koval".to_owned())]
    })
    .await;
    browser
        .until(
            "nothing waits",
            "document.getElementById('outbox').hidden && JSON.parse(localStorage['flagfall-outbox']).length === 0",
        )
        .await;
}

/// Issue: two hundred flags in one minute of blitz stay usable.
#[tokio::test]
async fn two_hundred_flags_are_one_heading_with_lines_below() {
    let hall = FakeHall::start(picture::playing()).await;
    let browser = Browser::start().await;
    browser.at_each_start(&[WATCH]).await;
    browser.viewport(390, 844).await;
    log_in(&browser, &hall).await;
    hall.change(|hall| {
        hall.proposals.clear();
        hall.alerts = (1..=200)
            .map(|table| AlertView {
                id: 1000 + u64::from(table),
                kind: "flag".into(),
                severity: Severity::Call,
                table: Some(TableNo(table)),
                device: None,
                text: format!("Table {table}: both flags are down. Look at the clock."),
                raised_at: Timestamp::now(),
                acknowledged_by: table.is_multiple_of(2).then(|| "Petro Sich".into()),
                taken_at: None,
                escalated: false,
                reach: Reach::Zone,
                to: vec![],
                proposal: None,
                evidence: None,
            })
            .collect();
        Update {
            alerts: Some(hall.alerts.clone()),
            proposals: Some(vec![]),
            ..Update::default()
        }
    });
    browser
        .until(
            "one heading",
            "document.querySelector('.group')?.textContent.startsWith('Flag fallen200 tables')",
        )
        .await;
    let order = "[...document.querySelectorAll('.need .table-link')].map((e) => Number(e.textContent.slice(6)))";
    let tables = browser.eval(&format!("return {order}")).await;
    let tables: Vec<u16> = serde_json::from_value(tables).unwrap();
    assert_eq!(tables.len(), 200, "nothing is dropped");
    assert!(
        tables[..100].iter().all(|table| table % 2 == 1),
        "the undecided first"
    );
    let height = "document.querySelector('.need[data-line]').getBoundingClientRect().height";
    let line = browser
        .eval(&format!("return {height}"))
        .await
        .as_f64()
        .unwrap();
    assert!(line < 140.0, "a line, not a card: {line}");
    browser.check_page("queue of 200").await;
    browser.screenshot("queue-200-390").await;
    // The page has just been through all sizes, and 200 lines may still move under a pointer.
    browser
        .eval("document.querySelector('.group button').click()")
        .await;
    browser
        .until("the cards", "!document.querySelector('.need[data-line]')")
        .await;
    assert_eq!(browser.eval("return wrong").await, json!([]));
}

#[tokio::test]
async fn the_language_is_changed_at_any_time() {
    let hall = FakeHall::start(picture::playing()).await;
    let browser = Browser::start().await;
    browser.viewport(390, 844).await;
    log_in(&browser, &hall).await;
    browser
        .eval("import('/assets/words/queue.js').then((it) => { window.w = it; }); return null")
        .await;
    browser.until("the words", "window.w").await;
    for (tag, heading, plurals) in [
        (
            "uk",
            "Потребує вас",
            ["1 стіл", "3 столи", "5 столів", "21 стіл"],
        ),
        (
            "ru",
            "Требует вас",
            ["1 стол", "3 стола", "5 столов", "21 стол"],
        ),
        (
            "en",
            "Needs you",
            ["1 table", "3 tables", "5 tables", "21 tables"],
        ),
    ] {
        browser.click("#alarm").await;
        browser.click(&format!("[data-language={tag}]")).await;
        browser
            .until(
                heading,
                &format!("document.querySelector('[data-word=needs]').textContent === '{heading}'"),
            )
            .await;
        let found = browser
            .eval("return [1, 3, 5, 21].map((n) => w.many('group', n))")
            .await;
        assert_eq!(found, json!(plurals));
        browser.check_page(&format!("settings {tag}")).await;
        browser.screenshot(&format!("queue-settings-{tag}")).await;
        browser.click("dialog.ask .actions .primary").await;
        browser.check_page(&format!("queue {tag}")).await;
    }
}

#[tokio::test]
async fn claims_protests_and_zones_are_entered_by_hand() {
    let hall = Hall::playing().await;
    let browser = Browser::start().await;
    browser.at_each_start(&[WATCH]).await;
    browser.viewport(390, 844).await;
    log_in(&browser, &hall.served).await;
    browser.eval("[...document.querySelectorAll('.card')].find((e) => e.querySelector('.number').textContent === '1').id = 'one'").await;
    browser.click("#one").await;
    browser.click("#table-dialog [data-claim]").await;
    browser
        .until(
            "the question",
            "document.querySelector('dialog.ask select')",
        )
        .await;
    browser.check_page("claim").await;
    browser.screenshot("claim-390").await;
    browser.eval("const what = document.querySelector('dialog.ask select'); what.value = 'wrong-hand'; what.dispatchEvent(new Event('change'))").await;
    browser.click("dialog.ask [value=black]").await;
    browser.click("dialog.ask [value=yes]").await;
    hall.until("the claim", |hall| {
        !hall.hub.lock().unwrap().state().proposals.is_empty()
    })
    .await;
    browser.click("#table-dialog [data-protest]").await;
    browser
        .eval("document.querySelector('dialog.ask [name=text]').value = 'The light was out'")
        .await;
    browser.check_page("protest").await;
    browser.click("dialog.ask [value=yes]").await;
    hall.until("the protest", |hall| {
        hall.hub.lock().unwrap().state().protests.len() == 1
    })
    .await;
    browser.click("#table-dialog [data-dismiss]").await;
    browser
        .until(
            "it counts",
            "[...document.querySelectorAll('.need .accept')].some((e) => e.textContent === 'It counts')",
        )
        .await;

    browser.click("#staff-edit").await;
    browser
        .until("the list", "document.querySelector('.staff-edit li')")
        .await;
    browser.check_page("staff").await;
    browser.screenshot("staff-390").await;
    browser
        .eval("document.querySelectorAll('.staff-edit [name=tables]')[1].value = '1-3, 9'")
        .await;
    // Two shifts by the hall's clock, the second one from where the first ends.
    browser
        .click(".staff-edit > li:nth-child(2) [data-add-shift]")
        .await;
    browser
        .eval(
            "const [from, until] = document.querySelectorAll('.shifts input');
             from.value = '2026-12-05T09:00'; until.value = '2026-12-05T08:30';",
        )
        .await;
    browser.click("dialog.ask [value=yes]").await;
    browser
        .until("it is refused", "document.querySelector('.toast.bad')")
        .await;
    browser
        .eval("document.querySelectorAll('.shifts input')[1].value = '2026-12-05T13:30'; document.querySelector('.toast.bad').remove()")
        .await;
    browser
        .click(".staff-edit > li:nth-child(2) [data-add-shift]")
        .await;
    let next = browser
        .eval("return document.querySelectorAll('.shifts [name=from]')[1].value")
        .await;
    assert_eq!(next, json!("2026-12-05T13:30"));
    browser.check_page("shifts").await;
    browser.screenshot("shifts-390").await;
    browser.click("dialog.ask [value=yes]").await;
    hall.until("the zone", |hall| {
        let hub = hall.hub.lock().unwrap();
        hub.state().staff.members[1].tables.len() == 2
    })
    .await;
    {
        let hub = hall.hub.lock().unwrap();
        let shifts = &hub.state().staff.members[1].shifts;
        let told: Vec<_> = shifts
            .iter()
            .map(|shift| (shift.from.to_string(), shift.until.to_string()))
            .collect();
        // Kyiv is two hours ahead in December.
        assert_eq!(told[0].0, "2026-12-05T07:00:00Z");
        assert_eq!(told[0].1, "2026-12-05T11:30:00Z");
        assert_eq!(told[1].0, told[0].1);
    }
    assert_eq!(browser.eval("return wrong").await, json!([]));
}

#[tokio::test]
async fn an_operator_is_not_offered_what_he_may_not_do() {
    let hall = FakeHall::start(picture::playing()).await;
    let token = hall.token().await;
    let body = json!({"name": "Anna Koval", "role": "operator", "pin": crate::fake_hall::PIN});
    let (status, answer) = hall
        .post("/api/v1/accounts", Some(&token), &body.to_string())
        .await;
    assert!(status.is_success(), "{answer}");
    let browser = Browser::start().await;
    browser.viewport(390, 844).await;
    log_in(&browser, &hall).await;
    let shown = browser
        .eval("return [...document.querySelectorAll('.need[data-severity=decide] .accept, [data-for]')].filter((e) => e.checkVisibility()).length")
        .await;
    assert_eq!(shown, json!(0));
    assert!(hall.commands.lock().unwrap().is_empty());
}
