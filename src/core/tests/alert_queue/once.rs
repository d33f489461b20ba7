//! A request that comes twice is carried out once, also across a restart.

use flagfall_core::{
    hub::{
        HubSettings,
        command::{Command, Refused},
        event::Fact,
    },
    types::TableNo,
};

use crate::hall::Hall;

fn call(key: &str) -> Command {
    Command::Once {
        key: key.to_owned(),
        command: Box::new(Command::CallArbiter {
            table: TableNo(1),
            note: None,
        }),
    }
}

fn calls(hall: &Hall) -> usize {
    let facts = hall.journal.iter().map(|event| &event.fact);
    facts
        .filter(|fact| matches!(fact, Fact::Call { .. }))
        .count()
}

#[test]
fn the_same_key_again_does_nothing_and_is_no_error() {
    let mut hall = Hall::playing(1, |_| {});
    for _ in 0..3 {
        hall.ask("Anna", call("a1")).unwrap();
    }
    assert_eq!(calls(&hall), 1);
    hall.ask("Anna", call("a2")).unwrap();
    hall.ask("Petro", call("a1")).unwrap();
    assert_eq!(calls(&hall), 3, "another request, and another's request");
    hall.replays();

    hall.restart(HubSettings::default());
    hall.ask("Anna", call("a1")).unwrap();
    assert_eq!(calls(&hall), 3, "the journal remembers");
}

#[test]
fn what_was_refused_may_be_asked_again() {
    let mut hall = Hall::published(1, |_| {});
    let result = || Command::Once {
        key: "r".to_owned(),
        command: Box::new(Command::SetResult {
            table: TableNo(1),
            result: "1-0".to_owned(),
            termination: None,
            note: None,
        }),
    };
    assert!(
        hall.ask("Anna", result()).is_err(),
        "the round has not started"
    );
    hall.ask("Chief", Command::StartRound).unwrap();
    hall.ask("Anna", result()).unwrap();
    assert!(hall.hub.state().game(TableNo(1)).unwrap().result.is_some());
}

#[test]
fn keys_that_cannot_be_kept_are_refused() {
    let mut hall = Hall::playing(1, |_| {});
    for key in ["", "x".repeat(65).as_str()] {
        let refused = hall.ask("Anna", call(key));
        assert!(matches!(refused, Err(Refused::Invalid(_))), "{key}");
    }
    let twice = Command::Once {
        key: "b".to_owned(),
        command: Box::new(call("a")),
    };
    assert!(matches!(hall.ask("Anna", twice), Err(Refused::Invalid(_))));
    assert_eq!(calls(&hall), 0);
}
