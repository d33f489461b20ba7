//! The forms that tell the hub what a board cannot, in a real browser and three languages.

use fantoccini::Locator;
use flagfall_core::{
    hub::{
        command::Command,
        view::{HallView, QuestionView, ReadingView, Severity, TablePhase},
    },
    types::TableNo,
};
use serde_json::json;

use crate::{
    WATCH,
    driver::Browser,
    fake_hall::{FakeHall, picture},
    log_in,
};

const TABLE: TableNo = TableNo(5);

/// A browser that is set to a language.
async fn browser_in(language: &str) -> Browser {
    let browser = Browser::start().await;
    let set = format!(
        "Object.defineProperty(Navigator.prototype, 'languages', {{ get: () => ['{language}'] }});"
    );
    browser.at_each_start(&[WATCH, &set]).await;
    browser
}

fn last_command(hall: &FakeHall) -> Option<Command> {
    let commands = hall.commands.lock().unwrap();
    commands.last().map(|request| request.command.clone())
}

async fn answered(browser: &Browser) {
    browser
        .until("the answer", "document.querySelector('.toast:not(.bad)')")
        .await;
}

/// A board that knows occupied squares only has asked what a pawn became.
fn asking() -> HallView {
    let mut hall = picture::playing();
    let reading = |(uci, san): (&str, &str)| ReadingView {
        uci: uci.into(),
        san: san.into(),
    };
    let question = QuestionView {
        ply: 87,
        moves: [
            ("b7a8q", "bxa8=Q+"),
            ("b7a8r", "bxa8=R"),
            ("b7a8b", "bxa8=B"),
            ("b7a8n", "bxa8=N"),
        ]
        .map(reading)
        .into(),
    };
    let table = hall.tables.iter_mut().find(|each| each.table == TABLE);
    table.unwrap().question = Some(question);
    let mut alert = hall.alerts[0].clone();
    alert.id = 99;
    alert.kind = "which-move".into();
    alert.severity = Severity::Warning;
    alert.table = Some(TABLE);
    alert.text = "Table 5: White's pawn promoted on a8 in move 44 and the board cannot tell to what. Which was it: \
                  queen, rook, bishop, knight?"
        .into();
    hall.alerts.push(alert);
    hall
}

#[tokio::test]
async fn the_move_that_a_board_cannot_tell_is_chosen_on_its_card_and_on_the_tables_page() {
    let hall = FakeHall::start(asking()).await;
    let browser = browser_in("uk-UA").await;
    log_in(&browser, &hall).await;
    browser
        .until(
            "the readings",
            "document.querySelector('.need .reading [data-uci=b7a8n]')",
        )
        .await;
    let texts = browser
        .eval("return [...document.querySelectorAll('.need .reading:not([hidden]) .actions button')].map((each) => [each.textContent, each.ariaLabel])")
        .await;
    assert_eq!(texts[0], json!(["bxa8=Q+", "Записати bxa8=Q+"]));
    assert_eq!(texts.as_array().map(Vec::len), Some(4));
    browser.look("console-which-move").await;
    browser.click(".need .reading [data-uci=b7a8n]").await;
    answered(&browser).await;
    let told = |moves: &[&str]| {
        Some(Command::TellMoves {
            table: TABLE,
            moves: moves.iter().map(|uci| (*uci).to_owned()).collect(),
        })
    };
    assert_eq!(last_command(&hall), told(&["b7a8n"]));

    // On the table's page, where it was none of them.
    browser.client.goto(&hall.url("/table/5")).await.unwrap();
    browser.click("#reading summary").await;
    browser.look("table-which-move").await;
    let input = browser
        .client
        .find(Locator::Css("#reading input"))
        .await
        .unwrap();
    input.send_keys("bxa8").await.unwrap();
    browser.click("#reading [type=submit]").await;
    browser
        .until(
            "a word of help",
            "document.querySelector('.toast.bad')?.textContent.includes('e7e8q')",
        )
        .await;
    assert_eq!(last_command(&hall), told(&["b7a8n"]), "nothing was sent");
    input.clear().await.unwrap();
    input.send_keys(" B7A8R  g7g6 ").await.unwrap();
    browser.click("#reading [type=submit]").await;
    answered(&browser).await;
    assert_eq!(last_command(&hall), told(&["b7a8r", "g7g6"]));
}

/// A hall of Chess960 before the first move.
fn before_the_start() -> HallView {
    let mut hall = picture::playing();
    hall.event.as_mut().unwrap().variant = "chess960".into();
    for table in &mut hall.tables {
        table.ply = 0;
        table.result = None;
        table.phase = TablePhase::Waiting;
        table.position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".into();
        table.seen = None;
    }
    let table = hall.tables.iter_mut().find(|each| each.table == TABLE);
    table.unwrap().seen = Some("nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN".into());
    hall
}

async fn choose(browser: &Browser, kind: &str) {
    browser
        .click(&format!(".start-position [name=kind] option[value={kind}]"))
        .await;
}

#[tokio::test]
async fn the_start_of_a_round_or_a_table_is_set_on_a_form() {
    let hall = FakeHall::start(before_the_start()).await;
    let browser = browser_in("ru").await;
    log_in(&browser, &hall).await;
    browser.click("#start-position").await;
    browser
        .until("the form", "document.querySelector('.start-position')")
        .await;
    let title = browser
        .eval("return document.querySelector('.start-position h2').textContent")
        .await;
    assert_eq!(title, json!("Начальная позиция всех партий тура"));
    choose(&browser, "number").await;
    let number = browser
        .client
        .find(Locator::Css(".start-position [name=number]"))
        .await
        .unwrap();
    number.send_keys("960").await.unwrap();
    browser.click(".start-position [type=submit]").await;
    let invalid = browser
        .eval(
            "return document.querySelector('.start-position [name=number]').validity.rangeOverflow",
        )
        .await;
    assert_eq!(invalid, json!(true));
    assert_eq!(last_command(&hall), None, "nothing was sent");
    number.clear().await.unwrap();
    number.send_keys("307").await.unwrap();
    browser.look("console-start-position").await;
    browser.click(".start-position [type=submit]").await;
    answered(&browser).await;
    let set = |table, number, fen: Option<&str>| {
        Some(Command::SetStart {
            table,
            number,
            fen: fen.map(str::to_owned),
        })
    };
    assert_eq!(last_command(&hall), set(None, Some(307), None));

    // What stands on one board, as the arbiter sees it before he sets it.
    browser.click("#boards-list li:nth-child(5) .card").await;
    browser.click("[data-start-position]").await;
    choose(&browser, "board").await;
    let fen = "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1";
    browser
        .until(
            "the position",
            &format!("document.querySelector('.start-position code').textContent === '{fen}'"),
        )
        .await;
    browser.look("table-start-position").await;
    browser.click(".start-position [type=submit]").await;
    browser
        .until(
            "the form closes",
            "!document.querySelector('.start-position')",
        )
        .await;
    assert_eq!(last_command(&hall), set(Some(TABLE), None, Some(fen)));
}

#[tokio::test]
async fn a_game_that_has_begun_offers_no_start_position() {
    let hall = FakeHall::start(picture::playing()).await;
    let browser = browser_in("en-GB").await;
    log_in(&browser, &hall).await;
    browser.click("#boards-list li:nth-child(5) .card").await;
    browser
        .until("the table", "document.getElementById('table-dialog').open")
        .await;
    let shown = browser
        .eval("return [...document.querySelectorAll('#start-position, [data-start-position]')].filter((each) => each.checkVisibility()).length")
        .await;
    assert_eq!(shown, json!(0));
    // Nobody is asked where there is no question.
    assert_eq!(
        browser.eval("return [...document.querySelectorAll('.reading')].filter((each) => each.checkVisibility()).length").await,
        json!(0)
    );
}
