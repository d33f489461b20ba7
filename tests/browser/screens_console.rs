//! The hall's screens on the arbiters' console: what each shows, whether it is heard, and in which language.

use std::time::Duration;

use flagfall_core::hub::{
    command::Command as HubCommand,
    event::{EmergencyKind, ScreenContent, ScreenLanguage, ScreenSettings},
    view::{Phase, ScreenSound, ScreenView, Update},
};
use flagfall_core::types::TableNo;
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::{
    WATCH,
    driver::Browser,
    fake_hall::{FakeHall, picture},
    log_in,
    screens::{KNOWN, assign, screen, shows},
    set_round,
};

#[tokio::test]
async fn an_arbiter_gives_a_screen_its_page_and_raises_an_emergency() {
    let mut start = picture::playing();
    start.screens = vec![
        screen(shows(ScreenContent::Rotation)),
        ScreenView {
            number: 2,
            assigned: false,
            key: "another-screen".to_owned(),
            ..screen(ScreenSettings::default())
        },
    ];
    let hall = FakeHall::start(start).await;
    let browser = Browser::start().await;
    browser.at_each_start(&[WATCH]).await;
    log_in(&browser, &hall).await;
    browser
        .until(
            "both screens",
            "document.querySelectorAll('.screen-row').length === 2",
        )
        .await;
    browser.click(".screen-row[data-new]").await;
    browser
        .until(
            "its dialog",
            "document.querySelector('dialog.screens-dialog[open]')",
        )
        .await;
    browser
        .eval(
            "const form = document.querySelector('.screen-form');
            form.elements.name.value = 'Foyer';
            form.elements.content.value = 'boards';
            form.elements.content.dispatchEvent(new Event('change'));
            form.elements.delay.value = '15';
            form.elements['lang-uk'].checked = true;
            form.querySelector('details').open = true;
            form.elements.distance.value = '40';
            form.elements.diagonal.value = '55';
            form.elements.diagonal.dispatchEvent(new Event('input'));",
        )
        .await;
    browser.look("console-screen").await;
    browser.click(".screen-form [type=submit]").await;
    browser
        .until(
            "it is done",
            "!document.querySelector('dialog.screens-dialog')",
        )
        .await;
    let last = |hall: &FakeHall| {
        hall.commands
            .lock()
            .unwrap()
            .last()
            .cloned()
            .unwrap()
            .command
    };
    let HubCommand::AssignScreen {
        screen: 2,
        settings,
    } = last(&hall)
    else {
        panic!("{:?}", last(&hall))
    };
    let expected = ScreenSettings {
        name: "Foyer".to_owned(),
        languages: vec![ScreenLanguage::Uk],
        delay_s: 900,
        ..shows(ScreenContent::Boards)
    };
    assert_eq!(settings, expected);

    browser.viewport(1280, 900).await;
    browser.click("[data-emergency]").await;
    let hold = "const key = document.querySelector('.hold');
        key.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));";
    let release = "document.querySelector('.hold').dispatchEvent(new PointerEvent('pointerup', { bubbles: true }));";
    browser
        .until("the keys", "document.querySelector('.hold')")
        .await;
    let before = hall.commands.lock().unwrap().len();
    browser.eval(hold).await;
    browser.eval(release).await;
    browser.eval(hold).await;
    browser
        .until(
            "it was held",
            "!document.querySelector('.emergency-banner').hidden",
        )
        .await;
    let commands = hall.commands.lock().unwrap().clone();
    assert_eq!(commands.len(), before + 1, "a touch does nothing");
    let raised = HubCommand::RaiseEmergency {
        about: EmergencyKind::Leave,
        text: None,
    };
    assert_eq!(commands[before].command, raised);
    browser
        .until("closed", "!document.querySelector('dialog[open]')")
        .await;
    browser.screenshot("console-emergency").await;
    browser.click(".emergency-banner button").await;
    browser
        .until("calm", "document.querySelector('.emergency-banner').hidden")
        .await;
    let none: Value = json!([]);
    assert_eq!(browser.eval("return wrong").await, none);
}

#[tokio::test]
async fn a_usb_keypad_moves_the_start_only_where_it_was_allowed() {
    let hall = FakeHall::start(picture::before_the_start(SignedDuration::from_secs(754))).await;
    let browser = Browser::start().await;
    browser.at_each_start(&[WATCH]).await;
    log_in(&browser, &hall).await;
    browser
        .until("the keys", "document.querySelector('.keypad input')")
        .await;
    let press = |code: &str| {
        format!("dispatchEvent(new KeyboardEvent('keydown', {{ code: '{code}', bubbles: true }}))")
    };
    browser.eval(&press("NumpadAdd")).await;
    browser.click(".keypad input").await;
    for code in ["NumpadAdd", "Numpad5"] {
        let before = hall.commands.lock().unwrap().len();
        browser.eval(&press(code)).await;
        for _ in 0..200 {
            if hall.commands.lock().unwrap().len() > before {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    let commands = hall.commands.lock().unwrap().clone();
    let moved: Vec<_> = (commands.into_iter())
        .map(|request| match request.command {
            HubCommand::ShiftRound { seconds, .. } => seconds,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(moved, [60, 300], "nothing before it was allowed");
    assert_eq!(browser.eval("return wrong").await, json!([]));
}

#[tokio::test]
async fn no_word_of_the_screens_lacks_its_language() {
    let hall = FakeHall::start(picture::playing()).await;
    let browser = Browser::start().await;
    browser.client.goto(&hall.url("/screen")).await.unwrap();
    browser
        .eval(
            "window.all = null;
            Promise.all(['words/round', 'words/screens', 'screen/words'].map((path) => import(`/assets/${path}.js`)))
                .then((parts) => { window.all = parts.map(({ WORDS }) => WORDS); });",
        )
        .await;
    browser.until("the words", "window.all").await;
    // Every word in every language, of the same kind, with all plural forms, and none of it in English.
    let wrong = browser
        .eval(
            "const known = ['console', 'USB', 'Enter', 'M', 'autoplay', 'policy', 'no', 'user', 'gesture', 'required', 'screen', 'pairings', 'A', 'B', 'C'];
            const walk = (en, own, lang, path) => {
                if (typeof en !== typeof own) return [`${lang} ${path} is missing`];
                if (typeof en === 'object') {
                    if ('other' in en && 'one' in en) {
                        const { pluralCategories } = new Intl.PluralRules(lang).resolvedOptions();
                        return pluralCategories.filter((form) => !own[form]).map((form) => `${lang} ${path} lacks ${form}`);
                    }
                    return [...new Set([...Object.keys(en), ...Object.keys(own)])].flatMap((key) => walk(en[key], own[key], lang, `${path}.${key}`));
                }
                const text = typeof own === 'function' ? String(own('5', '9', '7')) : own;
                if (text.includes('undefined')) return [`${lang} ${path}: ${text}`];
                if (lang === 'en') return [];
                const left = (text.match(/[A-Za-z]+/g) ?? []).filter((word) => !known.includes(word));
                return left.length ? [`${lang} ${path} is not translated: ${left}`] : [];
            };
            return all.flatMap((words, i) => ['en', 'uk', 'ru'].flatMap((lang) => walk(words.en, words[lang], lang, i)))",
        )
        .await;
    assert_eq!(wrong, json!([]));
}

#[tokio::test]
async fn the_round_and_the_screens_follow_the_language() {
    let mut start = picture::before_the_start(SignedDuration::from_secs(754));
    start.screens = vec![screen(ScreenSettings {
        sound: true,
        ..shows(ScreenContent::Rotation)
    })];
    start.screens[0].sound = ScreenSound::Blocked;
    let hall = FakeHall::start(start).await;
    let browser = Browser::start().await;
    browser.at_each_start(&[WATCH]).await;
    log_in(&browser, &hall).await;
    for (tag, round, start, live, quiet) in [
        (
            "uk",
            "Тур 2 з",
            "Почати зараз",
            "працює 1 із 1",
            "звук заблоковано",
        ),
        (
            "ru",
            "Тур 2 из",
            "Начать сейчас",
            "работает 1 из 1",
            "звук заблокирован",
        ),
        (
            "en",
            "Round 2 of",
            "Start now",
            "1 of 1 live",
            "sound blocked",
        ),
    ] {
        browser.viewport(1280, 900).await;
        browser.click("#alarm").await;
        browser.click(&format!("[data-language={tag}]")).await;
        browser.click("dialog.ask .actions .primary").await;
        let says = format!(
            "document.getElementById('round-title').textContent.startsWith('{round}')
                && document.getElementById('start').textContent === '{start}'
                && document.querySelector('#screens h2 .small').textContent === '{live}'
                && document.querySelector('.screen-state').textContent.includes('{quiet}')"
        );
        browser.until(tag, &says).await;
        for (width, height) in [(1920, 1080), (390, 844)] {
            browser.viewport(width, height).await;
            browser.check_page(&format!("console {tag} {width}")).await;
            browser.screenshot(&format!("console-{tag}-{width}")).await;
        }
        browser.click(".screen-row").await;
        browser
            .until("why", "document.querySelector('[data-quiet=blocked]')")
            .await;
        browser
            .eval(
                "const form = document.querySelector('.screen-form');
                form.querySelector('details').open = true;
                form.elements.distance.value = '75';
                form.elements.diagonal.value = '55';
                form.elements.diagonal.dispatchEvent(new Event('input'));",
            )
            .await;
        browser.check_page(&format!("screen {tag}")).await;
        browser.screenshot(&format!("console-screen-{tag}")).await;
        browser
            .client
            .execute(
                "document.querySelector('dialog.screens-dialog').close()",
                vec![],
            )
            .await
            .unwrap();
        for name in ["#hold", "[data-emergency]"] {
            browser.click(name).await;
            browser
                .until(name, "document.querySelector('dialog[open]')")
                .await;
            browser.check_page(&format!("{name} {tag}")).await;
            let part = name.trim_matches(|c: char| !c.is_alphabetic());
            browser.screenshot(&format!("console-{part}-{tag}")).await;
            browser
                .eval("document.querySelector('dialog[open]').close()")
                .await;
        }
    }
    // In a round that is played: how many boards have not begun, and when the next round may start.
    browser
        .eval("import('/assets/words/round.js').then((it) => { window.w = it; }); return null")
        .await;
    browser.until("the words", "window.w").await;
    let plurals = browser
        .eval("return [1, 3, 5, 21].map((n) => w.many('idleBoards', n))")
        .await;
    let expected = json!([
        "1 board has not started",
        "3 boards have not started",
        "5 boards have not started",
        "21 boards have not started"
    ]);
    assert_eq!(plurals, expected);
    set_round(&hall, Phase::Playing, SignedDuration::from_secs(-4000));
    browser
        .until(
            "they are counted",
            "/1 board has not started/.test(document.getElementById('open').textContent)",
        )
        .await;
    assert_eq!(browser.eval("return wrong").await, json!([]));
}

#[tokio::test]
async fn a_screen_whose_browser_blocks_its_sound_says_so() {
    let hall = FakeHall::start(picture::playing()).await;
    assign(
        &hall,
        ScreenSettings {
            sound: true,
            ..shows(ScreenContent::Countdown)
        },
    );
    let browser = Browser::start().await;
    browser.at_each_start(&[WATCH, KNOWN]).await;
    browser.client.goto(&hall.url("/screen")).await.unwrap();
    browser
        .until("its settings", "document.documentElement.dataset.sound")
        .await;
    let said = || hall.handle.seen_screens().named.first().map(|it| it.sound);
    let tell = "document.dispatchEvent(new Event('visibilitychange'))";
    for (script, expected) in [
        // As a browser of its own accord does not before somebody touched the page.
        ("", ScreenSound::Blocked),
        ("click", ScreenSound::On),
        ("m", ScreenSound::Muted),
    ] {
        match script {
            "" => {}
            "click" => browser.click("#screen").await,
            key => {
                browser
                    .eval(&format!(
                        "dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}' }}))"
                    ))
                    .await;
            }
        }
        if script == "click" {
            browser
                .until("it may sound", "flagfall.sound.state === 'on'")
                .await;
        }
        browser.eval(tell).await;
        for _ in 0..200 {
            if said() == Some(expected) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(said(), Some(expected), "after {script:?}");
    }
}

#[tokio::test]
async fn boards_that_are_not_ready_are_told_where_a_screen_is_to_tell_them() {
    let hall = FakeHall::start(picture::before_the_start(SignedDuration::from_secs(240))).await;
    let browser = Browser::start().await;
    browser.at_each_start(&[WATCH, KNOWN]).await;
    let tells = |waiting| ScreenSettings {
        waiting,
        languages: vec![ScreenLanguage::Uk],
        ..shows(ScreenContent::Countdown)
    };
    assign(&hall, tells(false));
    hall.change(|hall| {
        let round = hall.round.as_mut().unwrap();
        round.phase = Phase::Last5;
        round.waiting = Some((1..=15).map(TableNo).collect());
        Update {
            round: hall.round.clone(),
            ..Update::default()
        }
    });
    browser.client.goto(&hall.url("/screen")).await.unwrap();
    let second = "document.getElementById('second').textContent";
    browser.until("words", second).await;
    let said = browser.eval(&format!("return {second}")).await;
    assert!(
        !said.as_str().unwrap().contains('1'),
        "off by default: {said}"
    );
    assign(&hall, tells(true));
    browser
        .until(
            "the boards",
            &format!("{second} === 'Ще не готові столи: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, …'"),
        )
        .await;
    for (width, height) in [(1920, 1080), (1080, 1920), (390, 844), (320, 568)] {
        browser.viewport(width, height).await;
        browser.check_page(&format!("waiting {width}")).await;
        browser
            .screenshot(&format!("screens-waiting-{width}"))
            .await;
    }
    assert_eq!(browser.eval("return wrong").await, json!([]));
}
