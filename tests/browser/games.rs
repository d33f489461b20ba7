//! The page of a game in a real browser: on a phone, on a large screen, and on paper.

use serde_json::{Value, json};

use crate::{
    WATCH,
    driver::Browser,
    fake_hall::{FakeHall, picture},
    log_in,
};

#[tokio::test]
async fn a_games_page_fits_on_a_phone_and_on_paper() {
    let hall = FakeHall::start(picture::playing()).await;
    let browser = Browser::start().await;
    browser.at_each_start(&[WATCH]).await;
    log_in(&browser, &hall).await;
    // From the proposal's card as an arbiter goes.
    browser
        .click("#needs-list .need[data-severity=decide] .record-link")
        .await;
    browser
        .until("the game", "document.querySelector('#lines .half')")
        .await;
    let address = browser.client.current_url().await.unwrap();
    assert!(address.path().ends_with("/game"), "{address}");
    let url = hall.url("/table/3/game?round=1");
    browser.client.goto(&url).await.unwrap();
    browser
        .until("the game", "document.querySelector('#lines .half')")
        .await;
    browser.look("game").await;

    // By the hall's clock, not by that of the machine that shows it.
    let text = browser.eval("return document.body.innerText").await;
    let text = text.as_str().unwrap().to_owned();
    for words in [
        "17:00:26",
        "Mon, 30 Nov 2026",
        "1. e4",
        "3… h6",
        "it stood for 0:01:34",
        "Петро Сич",
        "a decision explains it",
        "Final position",
        "Europe/Kyiv",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
    let withdrawn = browser
        .eval("return [...document.querySelectorAll('#lines del')].map((each) => each.textContent)")
        .await;
    assert_eq!(withdrawn, json!(["3… a6", "3… h6"]));
    let boards = browser
        .eval("return document.querySelectorAll('.note[data-kind=illegal] .diagram').length")
        .await;
    assert_eq!(boards, json!(2), "both positions of the claim");

    // An A4 sheet between its margins, as the printer sees it.
    browser.viewport(703, 1030).await;
    for theme in ["dark", "light"] {
        browser.theme(theme).await;
        let media = json!({ "media": "print" });
        browser.cdp("Emulation.setEmulatedMedia", media).await;
        let found = browser.eval(PRINTED).await;
        assert_eq!(found, json!([]), "{theme}");
        browser.screenshot(&format!("game-print-{theme}")).await;
        browser
            .cdp("Emulation.setEmulatedMedia", json!({ "media": "" }))
            .await;
    }
    let options = json!({ "preferCSSPageSize": true, "printBackground": false });
    let pdf = browser.cdp("Page.printToPDF", options).await;
    let pages = pages(&pdf);
    assert_eq!(pages, 1, "a short game is one sheet");
}

/// What is wrong with a page that is about to be printed.
const PRINTED: &str = "const found = [];
    for (const away of document.querySelectorAll('.top, #gate, #rounds, button, #answers')) {
        if (away.checkVisibility()) found.push(`${away.id || away.className} is printed`);
    }
    for (const element of document.querySelectorAll('#sheet, #sheet *')) {
        if (!element.checkVisibility() || element.closest('.diagram, .man')) continue;
        const { color, backgroundColor } = getComputedStyle(element);
        if (color !== 'rgb(0, 0, 0)') found.push(`${element.className} is ${color}`);
        if (!['rgb(255, 255, 255)', 'rgba(0, 0, 0, 0)'].includes(backgroundColor)) found.push(`${element.className} stands on ${backgroundColor}`);
    }
    if (document.documentElement.scrollWidth > innerWidth) found.push(`${document.documentElement.scrollWidth} px wide`);
    return [...new Set(found)];";

/// The pages of a PDF in base64.
fn pages(pdf: &Value) -> usize {
    let data = pdf["data"].as_str().unwrap();
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let bytes: Vec<u8> = data
        .trim_end_matches('=')
        .as_bytes()
        .chunks(4)
        .flat_map(|four| {
            let bits = four
                .iter()
                .fold(0_u32, |bits, byte| (bits << 6) | u32::from(digit(*byte)));
            let bits = bits << (6 * (4 - four.len()));
            bits.to_be_bytes()[1..four.len()].to_vec()
        })
        .collect();
    let text = String::from_utf8_lossy(&bytes);
    text.matches("/Type /Page\n")
        .count()
        .max(text.matches("/Type/Page/").count())
}
