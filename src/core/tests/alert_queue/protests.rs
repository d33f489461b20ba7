//! Protests: handed in, due, decided (R-RS-11).

use flagfall_core::{
    hub::{
        command::{Command, Refused},
        event::{AlertKind, Outcome},
        state::Alert,
        view::Severity,
    },
    types::{PlayerNo, TableNo},
};

use crate::hall::{Hall, staff};

fn file(text: &str, minutes: Option<u32>) -> Command {
    Command::FileProtest {
        table: Some(TableNo(1)),
        player: Some(PlayerNo(1)),
        text: text.to_owned(),
        minutes,
    }
}

fn decided(protest: u64, outcome: Outcome, deposit_returned: bool) -> Command {
    Command::DecideProtest {
        protest,
        outcome,
        deposit_returned,
        note: Some("by three votes".to_owned()),
    }
}

fn alerts(hall: &Hall) -> Vec<(u64, Alert)> {
    let alerts = hall.hub.state().alerts.iter();
    let alerts = alerts.filter(|(_, alert)| alert.about == AlertKind::Protest);
    alerts
        .map(|(number, alert)| (*number, alert.clone()))
        .collect()
}

#[test]
fn a_protest_is_open_until_its_outcome_is_recorded() {
    let mut hall = Hall::playing(2, |_| {});
    let staff = staff(&["Anna"]);
    hall.ask("Chief", Command::SetStaff { staff }).unwrap();
    hall.ask("Anna", file("The flag had not fallen", Some(30)))
        .unwrap();
    hall.ask("Anna", file("The light was out", None)).unwrap();
    let open = alerts(&hall);
    assert_eq!(open.len(), 2, "each by itself, though at one table");
    assert_eq!(open[0].1.to, ["Chief", "Deputy"]);
    assert_eq!(open[0].1.severity, Severity::Warning);
    let close = Command::CloseAlert { alert: open[0].0 };
    assert!(matches!(
        hall.ask("Chief", close),
        Err(Refused::Conflict(_))
    ));

    hall.wait(30 * 60 - 1);
    assert_eq!(alerts(&hall)[0].1.severity, Severity::Warning);
    hall.wait(1);
    let late: Vec<Alert> = (alerts(&hall).into_iter())
        .map(|(_, alert)| alert)
        .filter(|alert| alert.severity == Severity::Call)
        .collect();
    assert_eq!(late.len(), 1);
    assert!(late[0].text.contains("should have been decided"));
    hall.wait(3600);
    assert_eq!(alerts(&hall).len(), 2, "told once");

    let views = hall.view().protests;
    assert_eq!(views.len(), 2);
    assert_eq!(views[0].text, "The light was out", "newest first");
    let (first, second) = (views[1].id, views[0].id);
    assert!(matches!(
        hall.ask("Chief", decided(first, Outcome::Upheld, false)),
        Err(Refused::Invalid(_))
    ));
    hall.ask("Chief", decided(first, Outcome::Upheld, true))
        .unwrap();
    hall.ask("Chief", decided(second, Outcome::Rejected, false))
        .unwrap();
    assert!(alerts(&hall).is_empty());
    assert!(matches!(
        hall.ask("Chief", decided(first, Outcome::Rejected, false)),
        Err(Refused::Conflict(_))
    ));
    let view = hall.view().protests.remove(1);
    assert_eq!(view.outcome, Some(Outcome::Upheld));
    assert_eq!(view.decided_by.as_deref(), Some("Chief"));
    hall.replays();
}

#[test]
fn a_deadline_survives_a_restart() {
    let mut hall = Hall::playing(1, |_| {});
    hall.ask("Anna", file("Noise", Some(10))).unwrap();
    hall.restart(flagfall_core::hub::HubSettings::default());
    hall.wait(600);
    assert_eq!(alerts(&hall)[0].1.severity, Severity::Call);
}

#[test]
fn protests_that_make_no_sense_are_refused() {
    let mut hall = Hall::playing(1, |_| {});
    let nobody = Command::FileProtest {
        table: None,
        player: Some(PlayerNo(99)),
        text: "x".to_owned(),
        minutes: None,
    };
    for (command, not_found) in [
        (file(" ", None), false),
        (file("x", Some(0)), false),
        (file("x", Some(1_000_000)), false),
        (nobody, true),
        (decided(77, Outcome::Rejected, false), true),
    ] {
        let refused = hall.ask("Anna", command).unwrap_err();
        assert_eq!(
            matches!(refused, Refused::NotFound { .. }),
            not_found,
            "{refused}"
        );
    }
}
