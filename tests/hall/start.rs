//! The start on a long journal. How fast it is: `cargo bench --bench start`.

use flagfall_core::{
    hub::{
        event::{Event, Fact, RoundFact},
        state::HallState,
    },
    types::TableNo,
};

use serde_json::Value;

use crate::{
    long_journal,
    place::{Console, Place, events},
    virtual_time::long_event,
};

const EVENTS: usize = 100_000;

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_thousand_events_are_all_there_after_a_restart() {
    let place = Place::new("");
    place.set_pin().await;
    // It breaks off in the middle of a round.
    let written = &long_event().journal[..EVENTS];
    long_journal::write(&place.journal(), written).await;
    let mut wanted = HallState::default();
    for event in written {
        wanted.apply(event);
    }

    let daemon = place.start();
    let console = Console::open(place.http);
    let hall = console.get("hall");
    let count = |fits: fn(&Fact) -> bool| written.iter().filter(|it| fits(&it.fact)).count();
    // What needs no fold to be counted.
    let paired = count(|fact| matches!(fact, Fact::Round(RoundFact::Paired { .. })));
    assert!(paired > 3, "only {paired} rounds");
    assert_eq!(hall["round"]["number"], paired);
    let set_up = wanted.set_up.as_ref().unwrap();
    assert_eq!(hall["event"]["players"], set_up.players.len());
    assert_eq!(hall["devices"].as_array().unwrap().len(), 100);
    let closed = count(|fact| matches!(fact, Fact::Round(RoundFact::Closed { .. })));
    let standings = console.get("standings");
    let points = |row: &Value| row["points"].as_str().unwrap().parse::<f64>().unwrap();
    let points: f64 = standings.as_array().unwrap().iter().map(points).sum();
    let results = wanted.rounds.iter().flat_map(|round| round.games.values());
    let results = results.filter(|game| game.result.is_some()).count();
    assert!(results >= closed * 100);
    assert!(
        (points - results as f64).abs() < 0.1,
        "{points} of {results}"
    );

    // The games of the round in which it broke off, move by move.
    let mut moves = 0;
    for table in 1..=100 {
        let game = console.get(&format!("tables/{table}/game"));
        let read: Vec<&str> = game["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["uci"].as_str().unwrap())
            .collect();
        let written = &wanted.game(TableNo(table)).unwrap().moves;
        let written: Vec<&str> = written.iter().map(|it| &*it.uci).collect();
        assert_eq!(read, written, "table {table}");
        moves += read.len();
    }
    assert!(moves > 100, "only {moves} moves in the last round");

    // What comes now goes on behind it, and nothing before has changed.
    console.order("incidents", r#"{"text":"the power is back"}"#);
    assert_eq!(daemon.stop(), 0);
    let after = events(&place.journal()).await;
    let lines = |events: &[Event]| -> Vec<String> {
        let line = |event| serde_json::to_string(event).unwrap();
        events.iter().map(line).collect()
    };
    assert!(lines(&after[..written.len()]) == lines(written));
    let last = |event: &Event| matches!(&event.fact, Fact::Incident { text, .. } if text.contains("power"));
    assert!(after.iter().any(last));
}
