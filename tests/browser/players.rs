//! Players on the console and rounds on the public page, with the hub itself behind them.

use std::sync::{Arc, Mutex};

use fantoccini::Locator;
use flagfall::time::HubClock;
use flagfall_core::{
    hub::{Hub, command::Command},
    tournament::Bye,
    types::{PlayerNo, RoundNo},
};
use serde_json::json;

use crate::{
    WATCH,
    driver::Browser,
    fake_hall::{FakeHall, real},
    log_in,
};

struct Swiss {
    hub: Arc<Mutex<Hub>>,
    clock: HubClock,
    hall: FakeHall,
}

/// A Swiss whose first round is over; the second is a draft.
async fn after_the_first_round() -> Swiss {
    let clock = HubClock::start(1.0);
    let mut hub = real::swiss(&clock, 12, |_| {});
    real::play_round(&mut hub, &clock);
    let hub = Arc::new(Mutex::new(hub));
    let hall = FakeHall::start_hub(&hub, &clock, |settings| {
        settings.player_notes = vec!["players.csv: was read as Windows-1251".into()];
    })
    .await;
    Swiss { hub, clock, hall }
}

impl Swiss {
    fn act(&self, command: Command) {
        real::act(&mut self.hub.lock().unwrap(), &self.clock, command);
    }

    fn left_since(&self, player: u16) -> Option<RoundNo> {
        let hub = self.hub.lock().unwrap();
        hub.state().left_since(PlayerNo(player), RoundNo(5))
    }
}

async fn find(browser: &Browser, text: &str) {
    let input = browser
        .client
        .find(Locator::Css("#player-find"))
        .await
        .unwrap();
    input.clear().await.unwrap();
    input.send_keys(text).await.unwrap();
}

/// What the open dialog says of the player.
async fn state_is(browser: &Browser, text: &str) {
    let script =
        format!("document.querySelector('#player-dialog [data-state]').textContent === '{text}'");
    browser.until(text, &script).await;
}

async fn agree(browser: &Browser) {
    browser
        .until("the question", "document.querySelector('dialog.ask')")
        .await;
    browser.click("dialog.ask [value=yes]").await;
}

#[tokio::test]
async fn a_player_is_found_on_a_phone_withdrawn_brought_back_and_given_a_bye() {
    let swiss = after_the_first_round().await;
    let browser = Browser::start().await;
    browser.at_each_start(&[WATCH]).await;
    browser.viewport(360, 740).await;
    log_in(&browser, &swiss.hall).await;
    browser
        .until(
            "the note on the list",
            "document.getElementById('player-notes').textContent.includes('Windows-1251')",
        )
        .await;
    // By a part of the name, without its accents; then by number.
    find(&browser, "muller").await;
    let names = "[...document.querySelectorAll('.person .name')].map((e) => e.textContent).join()";
    let only = format!("{names} === 'Müller, Jürgen'");
    browser.until("one fits", &only).await;
    find(&browser, "1").await;
    let first = "document.querySelector('.person .number').textContent === '1'";
    browser.until("the exact number first", first).await;
    find(&browser, "3").await;
    browser
        .until(
            "number 3",
            "document.querySelector('.person .number').textContent === '3'",
        )
        .await;
    browser.click(".person").await;
    state_is(&browser, "present").await;

    // The draft is touched: a second word, and it is paired anew.
    browser.click("[data-withdraw]").await;
    agree(&browser).await;
    state_is(&browser, "withdrawn from round 2 on").await;
    browser
        .until(
            "what came of it",
            "document.querySelector('[data-done]').textContent.includes('paired anew')",
        )
        .await;
    assert_eq!(swiss.left_since(3), Some(RoundNo(2)));
    browser.click("[data-return]").await;
    agree(&browser).await;
    state_is(&browser, "present").await;
    assert_eq!(swiss.left_since(3), None);

    // A later round is no matter of the draft; nothing is asked.
    browser
        .eval("document.querySelector('[data-bye-round]').value = '4'")
        .await;
    browser.click("[data-bye=half]").await;
    state_is(&browser, "½ bye in round 4").await;
    browser.look("console-player").await;
    browser.click("[data-back='4']").await;
    state_is(&browser, "present").await;

    // Somebody else is quicker, with the question already asked here: the
    // hub's words stand below the button.
    swiss.act(Command::SetBye {
        player: PlayerNo(3),
        round: RoundNo(4),
        bye: Some(Bye::Zero),
    });
    browser.click("[data-withdraw]").await;
    swiss.act(Command::WithdrawPlayer {
        player: PlayerNo(3),
    });
    agree(&browser).await;
    browser
        .until(
            "the refusal",
            "document.querySelector('[data-leave-problem]').textContent.includes('has left the event already')",
        )
        .await;
    state_is(&browser, "withdrawn from round 2 on, absent in round 4").await;
    browser.look("console-player-refused").await;
    assert_eq!(browser.eval("return wrong").await, json!([]));
}

#[tokio::test]
async fn who_leaves_at_once_loses_his_game() {
    let swiss = after_the_first_round().await;
    swiss.act(Command::PublishRound);
    swiss.act(Command::StartRound);
    let browser = Browser::start().await;
    browser.at_each_start(&[WATCH]).await;
    log_in(&browser, &swiss.hall).await;
    find(&browser, "1").await;
    browser
        .until("a player", "document.querySelector('.person')")
        .await;
    browser.click(".person").await;
    browser.click("[data-withdraw-now]").await;
    agree(&browser).await;
    state_is(&browser, "withdrawn from round 3 on").await;
    let hub = swiss.hub.lock().unwrap();
    let games = &hub.state().round().unwrap().games;
    let game = games
        .values()
        .find(|game| [game.white, game.black].contains(&PlayerNo(1)))
        .unwrap();
    let lost = if game.white == PlayerNo(1) {
        "-/+"
    } else {
        "+/-"
    };
    assert_eq!(game.result.unwrap().0.as_str(), lost, "no move was played");
}

#[tokio::test]
async fn everybody_can_look_back_at_earlier_rounds() {
    let swiss = after_the_first_round().await;
    let browser = Browser::start().await;
    browser.at_each_start(&[WATCH]).await;
    let url = swiss.hall.url("/pairings");
    browser.client.goto(&url).await.unwrap();
    let title = |text: &str| format!("document.getElementById('title').textContent === '{text}'");
    let shown =
        "[...document.querySelectorAll('#tables .result')].map((e) => e.textContent).join()";
    browser
        .until(
            "round 2 is announced",
            "document.getElementById('coming').textContent.includes('round 2 will be posted soon')",
        )
        .await;
    browser.until("round 1", &title("Round 1 of 5")).await;
    let results = format!("{shown} === '1–0,1–0,1–0,1–0,1–0,1–0'");
    browser.until("its results", &results).await;
    swiss.act(Command::PublishRound);
    // The page asks again for what the hub has not told it by itself.
    browser.client.refresh().await.unwrap();
    browser.until("round 2", &title("Round 2 of 5")).await;
    browser.look("pairings-rounds").await;
    browser.click("#rounds a[href='/pairings?round=1']").await;
    browser.until("round 1 again", &title("Round 1 of 5")).await;
    browser.until("with its results", &results).await;
    browser.look("pairings-earlier").await;
    browser.click("#rounds a[href='/pairings']").await;
    browser.until("the newest", &title("Round 2 of 5")).await;
    browser
        .client
        .goto(&format!("{url}?round=3"))
        .await
        .unwrap();
    browser
        .until(
            "no draft and nothing that is not there",
            "document.getElementById('none').textContent === 'Round 3 is not public.'",
        )
        .await;
    assert_eq!(browser.eval("return wrong").await, json!([]));
}
