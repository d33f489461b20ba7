//! Whole events in virtual time: the pure links, tracker, clock model and hub with simulated tables.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
    thread,
    time::Duration,
};

use flagfall_core::{
    hub::{
        Hub, HubSettings,
        command::{Command, Refused, Request},
        event::{AlertFact, AlertKind, ClockFact, CorrectionFact, Event, Fact, ResultSource},
        state::HallState,
    },
    protocol::Observation,
    tournament::Termination,
    types::{Mono, Now, RoundNo, TableNo},
};
use flagfall_simulators::{board::Noise, hands::Incidents};

use crate::{
    judge::{Record, compare, records},
    long_journal,
    virtual_hall::{self, Faults, HallPlan, Outcome, VirtualHall, alerts},
};

fn blitz(tables: u16, rounds: u16, seed: u64) -> HallPlan {
    HallPlan {
        tables,
        rounds,
        seed,
        incidents: Incidents::default(),
        noise: Noise::none(),
        first_game: None,
        base: Duration::from_mins(5),
        increment: Duration::from_secs(3),
        fault_every: None,
        faults: Faults::CutsAndNoise,
        trace: Vec::new(),
    }
}

fn lines(journal: &[Event]) -> Vec<String> {
    journal
        .iter()
        .map(|event| serde_json::to_string(event).unwrap())
        .collect()
}

#[test]
fn three_rounds_are_followed_move_by_move() {
    let outcome = VirtualHall::new(blitz(12, 3, 1)).run();
    let (results, wrong_results, moves, wrong_moves) = compare(&outcome);
    assert_eq!(results, 36);
    assert!(
        wrong_results.is_empty(),
        "{wrong_results:#?}\n{:?}",
        alerts(&outcome.journal)
    );
    assert!(moves > 1000, "{moves}");
    assert!(wrong_moves.is_empty(), "{wrong_moves:#?}");
    assert_eq!(outcome.bytes_dropped, 0);
    // All clocks of this hall are set rightly, and all presses are taken.
    assert_eq!(clock_alarms(&outcome.journal), Vec::<&Fact>::new());
    let ordered = outcome
        .journal
        .iter()
        .filter_map(|event| match &event.fact {
            Fact::CorrectionOrder(CorrectionFact::Done { took, .. }) => Some(took),
            _ => None,
        });
    assert!(ordered.count() > 0, "no penalty got to a clock");
}

/// What the hub calls a fault of a clock or of its setting.
fn clock_alarms(journal: &[Event]) -> Vec<&Fact> {
    let faults = [
        AlertKind::WrongSetting,
        AlertKind::PressMissed,
        AlertKind::WrongSideRuns,
        AlertKind::MoveCounter,
        AlertKind::ClockFault,
        AlertKind::ClockReplaced,
        AlertKind::ClockSide,
    ];
    let facts = journal.iter().map(|event| &event.fact);
    let alarm = |fact: &&Fact| match fact {
        Fact::Alert(AlertFact::Raised { about, .. }) => faults.contains(about),
        _ => false,
    };
    facts.filter(alarm).collect()
}

#[test]
fn a_clock_that_is_set_wrongly_is_found_in_a_whole_hall() {
    let plan = HallPlan {
        increment: Duration::from_secs(10),
        ..blitz(3, 1, 4)
    };
    let outcome = VirtualHall::new(plan).run();
    let mut found = BTreeSet::new();
    let mut presses = BTreeMap::new();
    for event in &outcome.journal {
        match (&event.fact, event.table) {
            (Fact::Press { .. }, Some(table)) => *presses.entry(table).or_insert(0) += 1,
            (Fact::Clock(ClockFact::WrongSetting { .. }), Some(table)) if found.insert(table) => {
                assert!(presses[&table] <= 6, "table {table}: {presses:?}");
            }
            _ => {}
        }
    }
    assert_eq!(found.len(), 3, "{found:?}");
}

#[test]
fn the_state_is_a_fold_of_the_journal() {
    let outcome = VirtualHall::new(blitz(6, 2, 5)).run();
    let mut state = HallState::default();
    for (line, event) in lines(&outcome.journal).iter().zip(&outcome.journal) {
        let read: Event = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), *line);
        assert_eq!(read.seq, event.seq);
        state.apply(&read);
    }
    assert_eq!(state, outcome.state);
    let mut kinds = BTreeMap::new();
    for event in &outcome.journal {
        *kinds.entry(event.kind()).or_insert(0) += 1;
        assert_eq!(
            serde_json::to_value(event).unwrap()["kind"].as_str(),
            Some(event.kind()),
            "the kind on the wire"
        );
    }
    assert!(matches!(
        outcome.journal.last().map(|e| &e.fact),
        Some(Fact::Alert(_) | Fact::Round(_))
    ));
    assert!(kinds["move"] > 100 && kinds["press"] > 100, "{kinds:?}");
}

/// A long event, played once for all tests that look at it.
pub(crate) fn long_event() -> &'static Outcome {
    static LONG: OnceLock<Outcome> = OnceLock::new();
    LONG.get_or_init(|| VirtualHall::new(long_journal::plan()).run())
}

/// Issue: nine rounds of a hundred tables with faults, twice, the same journal.
#[test]
fn nine_rounds_of_a_hundred_tables_with_faults_twice() {
    let (first, second) = thread::scope(|scope| {
        let other = scope.spawn(|| VirtualHall::new(long_journal::plan()).run());
        (long_event(), other.join().unwrap())
    });
    let (results, wrong_results, moves, _) = compare(first);
    assert_eq!(results, 900);
    assert!(
        wrong_results.is_empty(),
        "{wrong_results:#?}\n{:?}",
        alerts(&first.journal)
    );
    assert!(moves > 50_000, "{moves}");
    // Moves may be missing where the line was cut, but then the record says so, and it never says what
    // was not played.
    let (counts, bad) = records(first);
    println!("{counts:?}");
    assert!(bad.is_empty(), "{counts:?}\n{}", bad.join("\n"));
    assert!(counts[&Record::Complete] > 800, "{counts:?}");
    assert!(first.asked.len() < 5, "{:?}", first.asked);
    let kinds = alerts(&first.journal);
    assert!(
        !kinds.contains_key("ClockSide"),
        "no clock stands the wrong way round: {kinds:?}"
    );
    assert!(
        lines(&first.journal) == lines(&second.journal),
        "the same seed gave another journal"
    );
}

/// Bytes get lost and the line stays open: no cable was pulled, nobody is told, and yet nothing that was
/// not played is recorded.
#[test]
fn lost_bytes_make_no_wrong_moves() {
    let mut plan = blitz(12, 3, long_journal::seed(1));
    plan.fault_every = Some(Duration::from_secs(3));
    plan.faults = Faults::Losses;
    let outcome = VirtualHall::new(plan).run();
    let (results, wrong_results, ..) = compare(&outcome);
    assert_eq!(results, 36);
    assert!(wrong_results.is_empty(), "{wrong_results:#?}");
    let (counts, bad) = records(&outcome);
    println!("{counts:?}");
    assert!(bad.is_empty(), "{counts:?}\n{}", bad.join("\n"));
}

#[test]
fn a_game_that_has_not_begun_has_no_result_but_a_forfeit() {
    let start = "2026-12-05T08:00:00Z".parse().unwrap();
    let now = Now {
        mono: Mono::ZERO,
        utc: start,
    };
    let mut hub = Hub::new(HubSettings::default(), HallState::default(), now);
    hub.handle_set_up(now, virtual_hall::set_up(2, 3, start));
    let mut ask = |command| {
        hub.handle_request(
            now,
            Request {
                by: "arbiter".to_owned(),
                command,
            },
        )
    };
    let result = |result: &str| Command::SetResult {
        table: TableNo(1),
        result: result.to_owned(),
        termination: None,
        note: None,
    };
    ask(Command::PairRound).unwrap();
    assert!(ask(Command::StartRound).is_err(), "a draft is not started");
    ask(Command::PublishRound).unwrap();
    assert!(ask(result("1-0")).is_err());
    ask(result("+/-")).unwrap();
    ask(Command::StartRound).unwrap();
    ask(result("1-0")).unwrap();
    assert!(
        ask(Command::CloseRound { round: RoundNo(1) }).is_err(),
        "table 2 is open"
    );
}

/// A hall of two tables whose first round has started, and a way to ask it.
fn started() -> (Hub, Now) {
    let start = "2026-12-05T08:00:00Z".parse().unwrap();
    let now = Now {
        mono: Mono::ZERO,
        utc: start,
    };
    let mut hub = Hub::new(HubSettings::default(), HallState::default(), now);
    hub.handle_set_up(now, virtual_hall::set_up(2, 3, start));
    for command in [
        Command::PairRound,
        Command::PublishRound,
        Command::StartRound,
    ] {
        ask(&mut hub, now, "anna", command).unwrap();
    }
    (hub, now)
}

fn ask(hub: &mut Hub, now: Now, by: &str, command: Command) -> Result<(), Refused> {
    let by = by.to_owned();
    hub.handle_request(now, Request { by, command })
}

fn enter(result: &str, termination: Option<&str>) -> Command {
    Command::SetResult {
        table: TableNo(1),
        result: result.to_owned(),
        termination: termination.map(str::to_owned),
        note: None,
    }
}

#[test]
fn an_amended_result_keeps_how_the_game_ended_where_it_can() {
    let (mut hub, now) = started();
    for (result, said, stands) in [
        ("1-0", Some("resignation"), Termination::Resignation),
        ("0-1", None, Termination::Resignation),
        ("1/2-1/2", None, Termination::Unknown),
        ("1/2-1/2", Some("agreement"), Termination::Agreement),
        ("1/2-1/2", None, Termination::Agreement),
        ("+/-", None, Termination::NoShow),
        ("1-0", None, Termination::Unknown),
    ] {
        ask(&mut hub, now, "anna", enter(result, said)).unwrap();
        let game = hub.state().game(TableNo(1)).unwrap();
        assert_eq!(game.result, Some((result.parse().unwrap(), stands)));
        assert_eq!(game.result_source, Some(ResultSource::Arbiter));
    }
}

#[test]
fn who_decides_second_hears_who_was_first() {
    let outcome = VirtualHall::new(blitz(2, 1, 5)).run();
    let mut state = HallState::default();
    let decided = outcome
        .journal
        .iter()
        .inspect(|event| state.apply(event))
        .find_map(|event| match &event.fact {
            Fact::Decision { proposal, by, .. } => Some((*proposal, by.clone(), event.at)),
            _ => None,
        });
    let (proposal, by, at) = decided.unwrap();
    let now = Now {
        mono: Mono::ZERO,
        utc: at + Duration::from_secs(1),
    };
    let mut hub = Hub::new(HubSettings::default(), state, now);
    let decide = |proposal| Command::Decide {
        proposal,
        accept: true,
        result: None,
        note: None,
    };
    let Err(Refused::Conflict(why)) = ask(&mut hub, now, "boris", decide(proposal)) else {
        panic!("a second decision is a conflict");
    };
    assert!(
        why.contains(&by) && why.contains(&at.to_string()),
        "{why} names {by} and {at}"
    );
    let never = ask(&mut hub, now, "boris", decide(u64::MAX));
    assert!(matches!(never, Err(Refused::NotFound { .. })));
}

#[test]
fn an_incident_happens_at_a_table_that_there_is() {
    let (mut hub, now) = started();
    let incident = |table| Command::RecordIncident {
        table,
        text: "a telephone rang".to_owned(),
    };
    for table in [None, Some(TableNo(2))] {
        ask(&mut hub, now, "anna", incident(table)).unwrap();
    }
    let unknown = ask(&mut hub, now, "anna", incident(Some(TableNo(99))));
    assert!(matches!(unknown, Err(Refused::NotFound { .. })));
}

/// A restart between the proposal and the decision once took the game's moves back, since the start
/// position stood again.
#[test]
fn a_restart_keeps_the_moves_of_a_game_that_waits_for_its_decision() {
    let outcome = VirtualHall::new(blitz(2, 1, 5)).run();
    let proposed =
        |event: &Event| matches!(&event.fact, Fact::Proposal(_)) && event.table == Some(TableNo(1));
    let until = outcome.journal.iter().position(proposed).unwrap();
    let mut state = HallState::default();
    // A short game: the tracker looks no further back for a take-back.
    let short = |event: &&Event| !matches!(&event.fact, Fact::Move(made) if made.ply > 3);
    outcome.journal[..=until]
        .iter()
        .filter(short)
        .for_each(|event| state.apply(event));
    let moves = state.game(TableNo(1)).unwrap().moves.clone();
    let device = state.device_at(TableNo(1)).unwrap().1.clone();
    let now = |seconds| Now {
        mono: Mono(Duration::from_secs(seconds)),
        utc: outcome.journal[until].at + Duration::from_secs(seconds),
    };
    let mut hub = Hub::new(HubSettings::default(), state, now(1));
    hub.handle_observation(now(2), &device.port, Observation::Found(device.info));
    let placement = flagfall_core::types::Placement::new();
    let start = Observation::Placement {
        placement,
        change: None,
    };
    hub.handle_observation(now(3), &device.port, start);
    for seconds in 4..120 {
        hub.handle_timeout(now(seconds));
    }
    assert!(!moves.is_empty());
    assert_eq!(hub.state().game(TableNo(1)).unwrap().moves, moves);
}
