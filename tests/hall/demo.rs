//! `flagfall demo`.

use std::{
    net::SocketAddr,
    process::{Command, Output},
};

use flagfall::journal::Journal;
use flagfall_core::{
    hub::{Hub, HubSettings, event::Event, state::HallState},
    types::{Mono, Now},
};

use crate::{
    long_journal,
    place::{BIN, stderr},
    process::free_address,
    virtual_hall,
};

/// Between two rounds the demo's arbiter once entered the last round's results again.
#[test]
fn a_demo_of_two_rounds_finds_what_was_played() {
    let address = |port: SocketAddr| port.to_string();
    let output = Command::new(BIN)
        .args([
            "demo", "--tables", "4", "--rounds", "2", "--speed", "90", "--seed", "3",
        ])
        .args([
            "--exit-when-done",
            "--json",
            "--http",
            &address(free_address()),
        ])
        .args(["--mqtt", &address(free_address())])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let sum: serde_json::Value = serde_json::from_str(said.lines().last().unwrap()).unwrap();
    assert_eq!(sum["rounds_closed"], 2, "{sum}");
    assert_eq!(sum["results_confirmed"], 8, "{sum}");
    assert_eq!(sum["results_asked"], 0, "{sum}");
    assert_eq!(sum["wrong_results"], 0, "{sum} {}", stderr(&output));
    assert!(sum["moves"].as_u64().unwrap() > 100, "{sum}");
    // What a newcomer is to see.
    let told = |kind: &str, words: &str| {
        let lines = said
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        lines
            .filter(|line: &serde_json::Value| line["alert"] == kind)
            .any(|line| {
                line["text"]
                    .as_str()
                    .is_some_and(|text| text.contains(words))
            })
    };
    assert!(told("flag", "Table 2: "), "{said}");
    let wrong = "Table 3: the clock is set to 0:15:00 for White and 0:15:00 for Black";
    assert!(told("wrong-setting", wrong), "{said}");
}

fn demo(more: &[&str]) -> Output {
    Command::new(BIN)
        .args(["demo", "--speed", "200", "--exit-when-done", "--quiet-hall"])
        .args(["--http", &free_address().to_string()])
        .args(["--mqtt", &free_address().to_string()])
        .args(more)
        .output()
        .unwrap()
}

#[test]
fn more_rounds_than_the_players_have_make_no_sense() {
    let output = demo(&["--tables", "1"]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(
        said.contains("2 players can play 1 round at most"),
        "{said}"
    );
    assert!(
        said.contains("--rounds 1") && said.contains("--tables 2"),
        "{said}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_demo_leaves_the_journal_of_a_hall_alone() {
    let place = tempfile::tempdir().unwrap();
    let start = "2026-12-05T08:00:00Z".parse().unwrap();
    let now = Now {
        mono: Mono::ZERO,
        utc: start,
    };
    let mut hub = Hub::new(HubSettings::default(), HallState::default(), now);
    hub.handle_set_up(now, virtual_hall::set_up(2, 3, start));
    let written: Vec<Event> = std::iter::from_fn(|| hub.poll_event()).collect();
    let journal = place.path().join("journal.db");
    long_journal::write(&journal, &written).await;
    let output = demo(&["--data", &place.path().display().to_string()]);
    assert_eq!(output.status.code(), Some(4));
    assert!(
        stderr(&output).contains("\"Virtual hall\", not of a demo"),
        "{}",
        stderr(&output)
    );
    let journal = Journal::open(journal).await.unwrap();
    assert_eq!(journal.last_seq(), written.len() as u64);
    journal.close().await;
}

#[test]
fn a_demo_goes_on_as_it_was_begun_or_not_at_all() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().display().to_string();
    let played = demo(&["--data", &data, "--tables", "1", "--rounds", "1"]);
    let said = String::from_utf8_lossy(&played.stdout);
    assert!(
        said.contains("\"rounds_closed\": 1"),
        "{said} {}",
        stderr(&played)
    );
    assert!(said.starts_with("1 table, 1 round, "), "{said}");

    let output = demo(&["--data", &data, "--tables", "2", "--rounds", "3"]);
    assert_eq!(output.status.code(), Some(4));
    let said = stderr(&output);
    assert!(said.contains("a demo of 1 table and 1 round"), "{said}");
    assert!(said.contains("--tables 1 --rounds 1"), "{said}");
    // All is played: it is over at once.
    let output = demo(&["--data", &data, "--tables", "1", "--rounds", "1"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}
