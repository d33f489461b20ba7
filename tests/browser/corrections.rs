//! A clock is corrected from a phone: a penalty with one tap, the card with its keys, and done when the clock
//! shows it.

use flagfall_core::{
    clock::Change,
    hub::{
        command::{Command, CorrectionAsked},
        event::BySide,
        view::{CorrectionView, TableView, Update},
    },
    types::TableNo,
};
use jiff::SignedDuration;

use crate::{
    WATCH,
    driver::Browser,
    fake_hall::{FakeHall, picture},
    log_in,
};

const DIALOG: &str = "document.getElementById('correction-dialog')";

fn change_table(hall: &FakeHall, change: impl FnOnce(&mut TableView)) {
    hall.change(|hall| {
        let table = &mut hall.tables[0];
        change(table);
        Update {
            tables: vec![table.clone()],
            ..Update::default()
        }
    });
}

async fn says(browser: &Browser, what: &str, part: &str, text: &str) {
    let script = format!("{DIALOG}.querySelector('{part}').textContent.includes('{text}')");
    browser.until(what, &script).await;
}

#[tokio::test]
async fn a_penalty_is_ordered_with_two_taps_and_done_when_the_clock_shows_it() {
    let hall = FakeHall::start(picture::playing()).await;
    let browser = Browser::start().await;
    browser.at_each_start(&[WATCH]).await;
    browser.viewport(360, 740).await;
    log_in(&browser, &hall).await;
    change_table(&hall, |table| {
        let clock = table.clock.as_mut().unwrap();
        (clock.white_ms, clock.black_ms) = (600_000, 300_000);
        clock.running = None;
    });
    browser.click("#boards-list .card").await;
    browser.click("#table-dialog [data-clock]").await;
    says(&browser, "the table", "[data-title]", "Table 1").await;
    says(
        &browser,
        "the event's penalty",
        "[data-presets]",
        "Black +0:02:00",
    )
    .await;
    browser.look("correction-ask").await;
    browser.viewport(360, 740).await;
    browser.click("[data-presets] button:last-child").await;
    says(
        &browser,
        "the figures",
        "[data-preview]",
        "0:05:00 → 0:07:00",
    )
    .await;
    browser.click("#correction-dialog [type=submit]").await;
    let ordered = Command::CorrectClock {
        table: TableNo(1),
        correction: CorrectionAsked {
            change: Change::Add {
                white_ms: 0,
                black_ms: 120_000,
            },
            moves: BySide::default(),
            why: "illegal move by White".to_owned(),
        },
    };
    for _ in 0..100 {
        if !hall.commands.lock().unwrap().is_empty() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let asked = hall.commands.lock().unwrap().pop().unwrap();
    assert_eq!(asked.command, ordered);

    // The hub says what the clock must show; it refused to be set from afar.
    let now = hall.clock.now().utc;
    let card = CorrectionView {
        id: 77,
        by: "Anna Koval".to_owned(),
        why: "illegal move by White".to_owned(),
        ordered_at: now,
        due_at: now + SignedDuration::from_secs(60),
        add_white_ms: 0,
        add_black_ms: 120_000,
        white_ms: Some(600_000),
        black_ms: Some(420_000),
        white_moves: Some(12),
        black_moves: Some(11),
        white_left: false,
        way: "sent".to_owned(),
        answer: Some("refused".to_owned()),
    };
    change_table(&hall, |table| table.correction = Some(card));
    says(&browser, "Black's figure", "[data-black]", "0:07:00").await;
    says(&browser, "by hand", "[data-state]", "by hand").await;
    says(&browser, "the stopwatch", "[data-watch]", "second").await;
    browser.click("[data-model=\"DGT XL\"]").await;
    says(
        &browser,
        "its keys",
        "[data-steps]",
        "far right for 3 seconds",
    )
    .await;
    says(
        &browser,
        "the figures in the steps",
        "[data-steps]",
        "Black 0:07:00, then White 0:10:00",
    )
    .await;
    says(&browser, "the moves", "[data-steps]", "White 12, Black 11").await;
    browser.look("correction-card").await;
    change_table(&hall, |table| {
        table.correction = None;
        table.clock.as_mut().unwrap().black_ms = 420_000;
    });
    says(&browser, "done", "[data-over]", "The clock shows it").await;
}
