//! What the hub makes of a clock beside a board: flags and periods, batteries, other clocks, sides, presses
//! that were not taken. In virtual time, by the second.

#[path = "support/clocked_tables.rs"]
mod clocked_tables;
#[path = "support/hub_table.rs"]
mod hub_table;

use std::time::Duration;

use clocked_tables::SECOND;
use flagfall_core::{
    hub::{
        Hub, HubSettings,
        command::Command,
        event::{AlertFact, AlertKind, ClockFact, Fact, FlagOrder, OrderUnknown},
    },
    protocol::Observation,
    types::{Color, TableNo},
};
use hub_table::{RIGHT, Table, face, kinds};

#[test]
fn two_flags_at_once_call_the_arbiter_with_the_reason() {
    let mut table = Table::new("5", 300);
    table.start();
    table.plays("e4 e5");
    table.wait(2);
    table.reading.left.time = Duration::ZERO;
    table.reading.right.time = Duration::ZERO;
    table.reading.left.flag_shown = true;
    table.reading.right.flag_shown = true;
    table.tell();
    assert_eq!(kinds(&table.alerts()), [AlertKind::Flag]);
    let text = table.alerts()[0].1.to_owned();
    assert!(text.contains("both fell between two readings"), "{text}");
    let told = table.facts().any(|fact| {
        matches!(
            fact,
            Fact::Flag {
                order: FlagOrder::Unknown,
                unknown: Some(OrderUnknown::BetweenReadings),
                ..
            }
        )
    });
    assert!(told);
    assert_eq!(table.proposals(), 0);
    let view = table.desk.hub.hall_view(table.now());
    assert!(view.tables[0].flags_unordered, "the table says so too");
    table.check_journal();
}

#[test]
fn a_control_passed_with_its_moves_is_no_flag() {
    let mut table = Table::new("1/2:30", 60);
    table.start();
    table.plays("e4 e5 Nf3 Nc6");
    table.wait(53);
    assert_eq!(table.reading.left.time, SECOND);
    // The next second brings half an hour and the sign of the flag, which stays.
    table.reading.left = face(1801);
    table.reading.left.flag_shown = true;
    table.wait(5);
    table.plays("Bb5 a6 Ba4 Nf6");
    assert_eq!(table.alerts(), []);
    assert_eq!(table.proposals(), 0);
    let period = table.clock_facts().into_iter().find_map(|fact| match fact {
        ClockFact::Period {
            side,
            period,
            added,
            ..
        } => Some((*side, *period, *added)),
        _ => None,
    });
    assert_eq!(period, Some((Color::White, 2, SECOND * 1800)));
    let game = table.desk.hub.state().game(TableNo(1)).unwrap();
    assert!(game.flags.is_empty());
    table.check_journal();
}

/// A DGT 3000 that does not count moves gives both sides the next period's time when one runs out.
#[test]
fn the_next_period_may_come_to_both_sides_at_once() {
    let mut table = Table::new("1/2:30", 60);
    table.start();
    table.plays("e4 e5 Nf3 Nc6");
    table.wait(53);
    table.reading.left = face(1801);
    table.reading.left.flag_shown = true;
    table.reading.right.time += SECOND * 1800;
    table.wait(5);
    table.plays("Bb5 a6 Ba4 Nf6");
    assert_eq!(table.alerts(), []);
    let game = table.desk.hub.state().game(TableNo(1)).unwrap();
    assert_eq!((game.periods.white, game.periods.black), (1, 1));
    table.check_journal();
}

#[test]
fn flags_that_fell_out_of_sight_have_no_order_and_say_so() {
    let mut table = Table::new("1", 60);
    table.start();
    table.plays("e4 e5");
    let now = table.now();
    table.desk.see(now, Observation::ClockGone);
    table.reading.running = false;
    table.wait(60);
    table.reading.left = face(0);
    table.reading.right = face(0);
    table.reading.left.flag_shown = true;
    table.reading.right.flag_shown = true;
    table.tell();
    let alerts = table.alerts();
    assert_eq!(kinds(&alerts), [AlertKind::Flag]);
    assert!(alerts[0].1.contains("could not be heard"), "{alerts:?}");
}

#[test]
fn a_control_passed_without_its_moves_is_proposed_as_lost() {
    let mut table = Table::new("1/3:30", 60);
    table.start();
    table.plays("e4 e5 Nf3 Nc6");
    table.wait(53);
    table.reading.left = face(1801);
    table.reading.left.flag_shown = true;
    table.wait(2);
    assert_eq!(kinds(&table.alerts()), [AlertKind::Flag]);
    let open = table.desk.hub.state().proposals.values().next().unwrap();
    assert!(
        open.proposal.text.contains("2 of 3 moves"),
        "{}",
        open.proposal.text
    );
    table.check_journal();
}

#[test]
fn the_last_period_ends_as_a_flag() {
    let mut table = Table::new("1/2:30", 60);
    table.start();
    table.plays("e4 e5 Nf3 Nc6");
    table.wait(53);
    table.reading.left = face(1801);
    table.wait(1801);
    assert_eq!(table.proposals(), 0);
    table.wait(2);
    assert_eq!(kinds(&table.alerts()), [AlertKind::Flag]);
    assert_eq!(table.proposals(), 1);
    table.check_journal();
}

#[test]
fn a_low_battery_has_a_horizon_and_an_end() {
    let mut table = Table::new("5", 300);
    table.start();
    table.reading.battery_low = true;
    table.wait(3);
    let alerts = table.alerts();
    assert_eq!(kinds(&alerts), [AlertKind::ClockBattery]);
    assert!(alerts[0].1.contains("since 08:00"), "{alerts:?}");
    assert!(alerts[0].1.contains("until 18:00"), "{alerts:?}");
    table.reading.battery_low = false;
    table.wait(5);
    assert_eq!(table.alerts().len(), 1, "a sign that flickers is still one");
    table.wait(10);
    assert_eq!(table.alerts(), []);
    table.check_journal();
}

#[test]
fn another_clock_in_the_place_of_the_old_one_is_told() {
    let mut table = Table::new("5", 300);
    table.start();
    table.plays("e4 e5");
    table.stop();
    let before = table.reading;
    let now = table.now();
    table.desk.see(now, Observation::ClockGone);
    assert_eq!(kinds(&table.alerts()), [AlertKind::ClockGone]);
    table.wait(10);
    table.reading.left = face(300);
    table.reading.right = face(300);
    table.tell();
    assert_eq!(kinds(&table.alerts()), [AlertKind::ClockReplaced]);
    // Set to what the old one showed it needs no word more.
    table.reading = before;
    table.tell();
    table.wait(5);
    table.start();
    table.wait(5);
    assert_eq!(kinds(&table.alerts()), [AlertKind::ClockReplaced]);
    table.check_journal();
}

#[test]
fn the_first_moves_teach_which_side_is_white() {
    let mut table = Table::new("5", 300);
    table.reading.lever_high = RIGHT;
    table.start();
    for san in "e4 e5 Nf3 Nc6 Bb5".split(' ') {
        table.wait(3);
        table.plays(san);
    }
    assert_eq!(kinds(&table.alerts()), [AlertKind::ClockSide]);
    let game = table.desk.hub.state().game(TableNo(1)).unwrap();
    assert_eq!(game.white_side, Some(RIGHT));
    table.plays("a6 Ba4");
    let shown = table.desk.hub.hall_view(table.now()).tables[0]
        .clock
        .clone();
    let shown = shown.unwrap();
    assert_eq!(shown.white_ms, table.reading.right.time.as_millis() as u64);
    assert_eq!(shown.running, Some(Color::Black));
    table.check_journal();
    // A hub that is started anew remembers it.
    let state = table.desk.hub.state().clone();
    let now = table.now();
    let mut hub = Hub::new(HubSettings::default(), state, now);
    hub.handle_observation(now, "port", Observation::Clock(table.reading));
    let known = hub.state().game(TableNo(1)).unwrap().white_side;
    assert_eq!(known, Some(RIGHT));
}

#[test]
fn a_press_that_the_clock_did_not_take_calls_with_the_moves() {
    let mut table = Table::new("5", 300);
    table.start();
    table.plays("e4 e5");
    table.moves("Nf3");
    assert_eq!(table.alerts(), []);
    table.moves("Nc6");
    let alerts = table.alerts();
    assert_eq!(kinds(&alerts), [AlertKind::PressMissed]);
    assert!(alerts[0].1.contains("2. Nf3 Nc6"), "{alerts:?}");
    assert!(
        alerts[0].1.contains("White's time has run on"),
        "{alerts:?}"
    );
    table.moves("Bb5");
    table.press();
    table.wait(2);
    assert_eq!(table.alerts(), []);
    let facts = table.clock_facts();
    assert!(facts.contains(&&ClockFact::AgreesWithBoard), "{facts:?}");
    table.check_journal();
}

#[test]
fn time_on_the_wrong_side_after_a_restart_calls() {
    let mut table = Table::new("5", 300);
    table.start();
    table.plays("e4 e5");
    table.wait(4);
    table.stop();
    table.wait(10);
    table.reading.lever_high = RIGHT;
    table.start();
    table.wait(8);
    assert_eq!(table.alerts(), []);
    table.wait(4);
    let alerts = table.alerts();
    assert_eq!(kinds(&alerts), [AlertKind::WrongSideRuns]);
    assert!(alerts[0].1.contains("White is to move"), "{alerts:?}");
    table.press();
    table.wait(2);
    assert_eq!(table.alerts(), []);
    table.check_journal();
}

#[test]
fn whatever_was_raised_ends_with_the_game() {
    let mut table = Table::new("5", 300);
    table.start();
    table.plays("e4 e5");
    table.moves("Nf3");
    table.moves("Nc6");
    table.wait(3);
    assert_eq!(table.alerts().len(), 1);
    let now = table.now();
    let (result, termination, note) = ("1-0".to_owned(), None, None);
    let entered = Command::SetResult {
        table: TableNo(1),
        result,
        termination,
        note,
    };
    table.desk.ask(now, entered);
    let open = table.alerts();
    assert!(!kinds(&open).contains(&AlertKind::PressMissed), "{open:?}");
    let raised = table
        .facts()
        .filter(|fact| matches!(fact, Fact::Alert(AlertFact::Raised { .. })))
        .count();
    assert!(raised > 0);
}
