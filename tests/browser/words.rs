//! The words of the console: none is missing in Ukrainian or Russian, and no alert speaks English only.

use std::collections::BTreeSet;

use flagfall_core::{
    hub::{command::Command as HubCommand, event::AlertKind},
    types::TableNo,
};
use serde_json::{Value, json};

use crate::{
    WATCH,
    driver::Browser,
    fake_hall::{FakeHall, picture},
    log_in,
};

/// What the hub says, a line for each kind of sentence: `kind<TAB>text`.
const SENTENCES: &str = include_str!("../data/alerts/sentences.tsv");

/// Words that would show that a part of a sentence was not translated.
const ENGLISH: &str = r"/\b(the|is|are|was|were|and|of|to|not|by|in|on|at|it|no|has)\b/i";

async fn console() -> (FakeHall, Browser) {
    let hall = FakeHall::start(picture::playing()).await;
    let browser = Browser::start().await;
    browser.at_each_start(&[WATCH]).await;
    browser.viewport(390, 844).await;
    log_in(&browser, &hall).await;
    (hall, browser)
}

async fn import(browser: &Browser, path: &str) {
    let script =
        format!("window.it = null; import('/assets/{path}').then((it) => {{ window.it = it; }});");
    browser.eval(&script).await;
    browser.until(path, "window.it").await;
}

#[tokio::test]
async fn no_word_and_no_kind_lacks_its_language() {
    let (_hall, browser) = console().await;
    for (path, tables) in [
        ("words/desk.js", vec!["WORDS"]),
        ("words/queue.js", vec!["WORDS", "KINDS"]),
        ("words/ends.js", vec!["ENDS"]),
        ("words/forms.js", vec!["WORDS"]),
        ("words/correction.js", vec!["WORDS", "KEYS"]),
    ] {
        import(&browser, path).await;
        for table in tables {
            // Plural forms differ by language; each has at least its own.
            let script = format!(
                "const all = it.{table};
                 const walk = (value, lang, path) => {{
                     if (value === null || typeof value !== 'object') return [path];
                     if ('one' in value && 'other' in value) {{
                         const forms = new Intl.PluralRules(lang).resolvedOptions().pluralCategories;
                         return [path, ...forms.filter((form) => !(form in value)).map((form) => `${{path}} lacks ${{form}} in ${{lang}}`)];
                     }}
                     return Object.entries(value).flatMap(([key, each]) => walk(each, lang, `${{path}}.${{key}}`));
                 }};
                 const en = walk(all.en, 'en', '');
                 return ['uk', 'ru'].flatMap((lang) => {{
                     const own = walk(all[lang], lang, '');
                     return [...en.filter((key) => !own.includes(key)).map((key) => `${{lang}}: no ${{key}}`),
                         ...own.filter((key) => !en.includes(key)).map((key) => `${{lang}}: ${{key}}`)];
                 }});"
            );
            assert_eq!(browser.eval(&script).await, json!([]), "{path} {table}");
        }
    }
    let kinds: Vec<Value> = AlertKind::ALL.iter().map(|kind| json!(kind)).collect();
    import(&browser, "words/queue.js").await;
    let unnamed = browser
        .eval(&format!(
            "return {}.filter((kind) => !it.KINDS.en[kind])",
            json!(kinds)
        ))
        .await;
    assert_eq!(unnamed, json!([]));
}

#[tokio::test]
async fn every_alert_speaks_all_languages() {
    let samples: Vec<(&str, &str)> = SENTENCES
        .lines()
        .map(|line| line.split_once('\t').unwrap())
        .collect();
    let kinds: BTreeSet<&str> = samples.iter().map(|(kind, _)| *kind).collect();
    for kind in AlertKind::ALL {
        let name = json!(kind);
        let name = name.as_str().unwrap();
        assert!(kinds.contains(name), "no sentence of {name}");
    }
    let (_hall, browser) = console().await;
    import(&browser, "said/phrases.js").await;
    let texts: Vec<&str> = samples.iter().map(|(_, text)| *text).collect();
    let wrong = browser
        .eval(&format!(
            // What an arbiter typed stays as it is: here it is written in Cyrillic letters.
            "return {}.flatMap((text) => ['uk', 'ru'].map((lang) => {{
                 const said = it.inLanguage(text, lang);
                 const bad = said.left.some((each) => /[a-z]/i.test(each)) || {ENGLISH}.test(said.text) || /undefined/.test(said.text);
                 return bad ? `${{text}} => ${{said.text}}` : null;
             }})).filter(Boolean);",
            json!(texts)
        ))
        .await;
    assert_eq!(wrong, json!([]));
    let plurals = browser
        .eval(
            "return [1, 3, 5, 21].flatMap((n) => ['uk', 'ru'].map((lang) =>
                 it.inLanguage(`Table 4: the clock was pressed ${n} times and no move was understood. Moves are being missed: look at the board.`, lang).text.split(',')[0]));",
        )
        .await;
    assert_eq!(
        plurals,
        json!([
            "Кнопку годинника натиснуто 1 раз",
            "Кнопка часов нажата 1 раз",
            "Кнопку годинника натиснуто 3 рази",
            "Кнопка часов нажата 3 раза",
            "Кнопку годинника натиснуто 5 разів",
            "Кнопка часов нажата 5 раз",
            "Кнопку годинника натиснуто 21 раз",
            "Кнопка часов нажата 21 раз",
        ])
    );
    // A note in English stays whole.
    let note = browser
        .eval("return it.inLanguage('Table 4 calls an arbiter: He has a telephone.', 'uk').text")
        .await;
    assert_eq!(note, json!("Викликають арбітра: He has a telephone."));
}

#[tokio::test]
async fn the_dialogs_follow_the_language() {
    let (hall, browser) = console().await;
    browser.click("#alarm").await;
    browser.click("[data-language=uk]").await;
    browser.screenshot("language-uk").await;
    browser.click("dialog.ask .actions .primary").await;
    browser.click(".card").await;
    browser
        .until(
            "the dialog",
            "document.querySelector('#table-dialog [data-claim]').textContent === 'Заява'",
        )
        .await;
    browser.check_page("table uk").await;
    browser.screenshot("table-uk").await;
    browser.click("#table-dialog [data-claim]").await;
    browser
        .until(
            "the claim",
            "document.querySelector('dialog.ask .primary')?.textContent === 'Записати заяву'",
        )
        .await;
    browser.check_page("claim uk").await;
    browser.screenshot("claim-uk").await;
    browser.click("dialog.ask [value=yes]").await;
    browser
        .until("it is sent", "!document.querySelector('dialog.ask')")
        .await;
    browser.click("#table-dialog [data-clock]").await;
    browser
        .until(
            "the correction",
            "document.querySelector('#correction-dialog [data-own-word=order]').textContent === 'Призначити виправлення'",
        )
        .await;
    browser.check_page("correction uk").await;
    browser
        .eval("document.getElementById('correction-dialog').close()")
        .await;
    browser.click("#table-dialog [data-dismiss]").await;
    let claims = || {
        let commands = hall.commands.lock().unwrap();
        let claim = commands
            .iter()
            .find(|it| matches!(it.command, HubCommand::Claim { .. }));
        claim.map(|it| format!("{:?}", it.command))
    };
    for _ in 0..200 {
        if claims().is_some() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let claim = claims().expect("the claim arrives");
    assert!(
        claim.contains(&format!("{:?}", TableNo(1))) || claim.contains("IllegalMove"),
        "{claim}"
    );
    // And back, with the page open.
    browser.click("#alarm").await;
    browser.click("[data-language=ru]").await;
    browser.click("dialog.ask .actions .primary").await;
    browser
        .until(
            "the page",
            "document.querySelector('#boards-title').textContent === 'Столы' && document.documentElement.lang === 'ru'",
        )
        .await;
    browser.screenshot("console-ru").await;
    assert_eq!(browser.eval("return wrong").await, json!([]));
}
