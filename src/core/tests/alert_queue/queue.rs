//! Zones, neighbours, the chief; taken, given back, taken over, done.

use std::collections::BTreeSet;

use flagfall_core::{
    hub::{
        command::{Command, Refused},
        event::{AlertFact, AlertKind, Event, Fact, Reach},
        staff::{Shift, Staff},
        view::Severity,
    },
    protocol::{LostReason, Observation},
    types::TableNo,
};

use crate::hall::{BLACK, Hall, WHITE, at, staff};

fn set_staff(hall: &mut Hall, staff: Staff) {
    hall.ask("Chief", Command::SetStaff { staff }).unwrap();
}

fn escalations(journal: &[Event]) -> Vec<(Reach, Vec<String>)> {
    let facts = journal.iter().map(|event| &event.fact);
    facts
        .filter_map(|fact| match fact {
            Fact::Alert(AlertFact::Escalated { reach, to, .. }) => Some((*reach, to.clone())),
            _ => None,
        })
        .collect()
}

#[test]
fn what_nobody_takes_goes_to_the_neighbour_and_then_to_the_chief() {
    let mut hall = Hall::playing(30, |_| {});
    set_staff(&mut hall, staff(&["Anna", "Petro", "Olha"]));
    hall.flag(12);
    let (flag, alert) = hall.alert(12, AlertKind::Flag);
    assert_eq!(alert.to, ["Petro"]);
    hall.wait(59);
    assert!(
        !hall.shown(flag).escalated,
        "not before a minute has passed"
    );
    hall.wait(1);
    assert_eq!(hall.shown(flag).reach, Reach::Neighbour);
    assert_eq!(
        hall.shown(flag).to,
        ["Petro", "Anna"],
        "two tables away, not nine"
    );
    hall.wait(60);
    assert_eq!(hall.shown(flag).reach, Reach::Chief);
    assert_eq!(hall.shown(flag).to, ["Petro", "Anna", "Chief", "Deputy"]);
    hall.wait(3600);
    let steps = |event: &&Event| matches!(&event.fact, Fact::Alert(AlertFact::Escalated { alert, .. }) if *alert == flag);
    let told = hall.journal.iter().filter(steps).count();
    assert_eq!(told, 2, "then everybody knows");
    hall.replays();
}

#[test]
fn a_warning_waits_longer_and_a_notice_for_ever() {
    let mut hall = Hall::playing(30, |_| {});
    set_staff(&mut hall, staff(&["Anna", "Petro", "Olha"]));
    hall.observe(12, Observation::Lost(LostReason::PortGone));
    let (lost, alert) = hall.alert(12, AlertKind::DeviceLost);
    assert_eq!(alert.severity, Severity::Warning);
    hall.wait(299);
    assert_eq!(hall.shown(lost).reach, Reach::Zone);
    hall.wait(1);
    assert_eq!(hall.shown(lost).reach, Reach::Neighbour);
    hall.wait(300);
    assert_eq!(hall.shown(lost).reach, Reach::Chief);
    let alerts = hall.view().alerts;
    let notice = alerts.iter().find(|it| it.severity == Severity::Notice);
    assert_eq!(
        notice.map(|it| it.reach),
        Some(Reach::Zone),
        "too few arbiters"
    );
}

#[test]
fn one_owner_at_a_time_and_all_see_who() {
    let mut hall = Hall::playing(20, |_| {});
    set_staff(&mut hall, staff(&["Anna", "Petro"]));
    hall.flag(3);
    let alert = hall.alert(3, AlertKind::Flag).0;
    let take = || Command::AcknowledgeAlert { alert };
    hall.ask("Anna", take()).unwrap();
    hall.ask("Anna", take()).unwrap();
    let refused = hall.ask("Petro", take()).unwrap_err();
    assert!(refused.to_string().contains("Anna has taken"), "{refused}");
    assert_eq!(hall.shown(alert).acknowledged_by.as_deref(), Some("Anna"));
    hall.wait(600);
    assert!(!hall.shown(alert).escalated, "she is on her way");

    let refused = hall.ask("Petro", Command::ReleaseAlert { alert });
    assert!(matches!(refused, Err(Refused::Conflict(_))));
    hall.ask("Anna", Command::ReleaseAlert { alert }).unwrap();
    assert_eq!(hall.shown(alert).acknowledged_by, None);
    hall.wait(60);
    assert_eq!(hall.shown(alert).reach, Reach::Neighbour, "asked again");
    hall.ask("Petro", take()).unwrap();
    hall.ask("Anna", Command::TakeOverAlert { alert }).unwrap();
    assert_eq!(hall.shown(alert).acknowledged_by.as_deref(), Some("Anna"));
    hall.replays();
}

#[test]
fn only_the_owner_says_that_it_is_done() {
    let mut hall = Hall::playing(2, |_| {});
    let call = Command::CallArbiter {
        table: TableNo(1),
        note: None,
    };
    hall.ask("Player", call).unwrap();
    let alert = hall.alert(1, AlertKind::Call).0;
    hall.ask("Anna", Command::AcknowledgeAlert { alert })
        .unwrap();
    let close = || Command::CloseAlert { alert };
    assert!(matches!(
        hall.ask("Petro", close()),
        Err(Refused::Conflict(_))
    ));
    assert!(hall.find(1, AlertKind::Call).is_some());
    hall.ask("Anna", close()).unwrap();
    assert!(hall.find(1, AlertKind::Call).is_none());
    assert!(matches!(
        hall.ask("Anna", close()),
        Err(Refused::NotFound { .. })
    ));
}

#[test]
fn without_a_list_of_arbiters_everybody_is_called_and_the_chief_once() {
    let mut hall = Hall::playing(2, |_| {});
    hall.flag(1);
    let flag = hall.alert(1, AlertKind::Flag).0;
    assert!(hall.shown(flag).to.is_empty(), "to all");
    hall.wait(60);
    assert_eq!(hall.shown(flag).reach, Reach::Chief);
    assert_eq!(escalations(&hall.journal).len(), 1);
}

#[test]
fn a_call_goes_on_where_it_was_after_a_restart() {
    let mut hall = Hall::playing(20, |_| {});
    set_staff(&mut hall, staff(&["Anna", "Petro"]));
    hall.flag(3);
    let flag = hall.alert(3, AlertKind::Flag).0;
    hall.wait(60);
    hall.restart(flagfall_core::hub::HubSettings::default());
    hall.wait(60);
    assert_eq!(hall.shown(flag).reach, Reach::Chief);
}

#[test]
fn a_change_of_shift_moves_what_is_open() {
    let mut hall = Hall::playing(20, |_| {});
    let mut staff = staff(&["Anna", "Petro", "Olha"]);
    let zone = staff.members[3].tables.clone();
    staff.members[4].tables = zone;
    let hour = |hours: u64| at(std::time::Duration::from_secs(hours * 3600)).utc;
    let shift = |from, until| {
        let (from, until) = (hour(from), hour(until));
        vec![Shift { from, until }]
    };
    staff.members[3].shifts = shift(0, 1);
    staff.members[4].shifts = shift(1, 9);
    set_staff(&mut hall, staff);
    hall.wait(3590);
    hall.flag(15);
    hall.flag(16);
    let (open, alert) = hall.alert(15, AlertKind::Flag);
    assert_eq!(alert.to, ["Petro"]);
    let taken = hall.alert(16, AlertKind::Flag).0;
    hall.ask("Petro", Command::AcknowledgeAlert { alert: taken })
        .unwrap();
    hall.wait(10);
    assert_eq!(
        hall.shown(open).to,
        ["Olha"],
        "at the hour, not at the minute"
    );
    assert_eq!(hall.shown(taken).acknowledged_by.as_deref(), Some("Petro"));
    let on_duty: Vec<bool> = (hall.view().staff.members.iter())
        .map(|member| member.on_duty)
        .collect();
    assert_eq!(on_duty, [true, true, true, false, true]);
    hall.replays();
}

#[test]
fn too_few_arbiters_are_told_of_once_and_until_there_are_enough() {
    let mut hall = Hall::published(20, |_| {});
    let staffing = |hall: &Hall| {
        let alerts = hall.view().alerts;
        let mut texts = alerts.into_iter().filter(|it| it.kind == "staffing");
        let text = texts.next().map(|alert| alert.text);
        assert!(texts.next().is_none(), "once");
        text
    };
    assert_eq!(
        staffing(&hall),
        None,
        "an event without a list is not asked"
    );
    set_staff(&mut hall, staff(&["Anna"]));
    let text = staffing(&hall).unwrap();
    assert!(text.contains("1 of 4 arbiters"), "{text}");
    assert!(text.contains("tables 11\u{2013}20"), "{text}");
    set_staff(&mut hall, staff(&["Anna", "Petro", "Olha", "Ivan"]));
    assert_eq!(staffing(&hall), None);
}

/// Issue: two hundred flags in one minute stay usable.
#[test]
fn two_hundred_flags_in_a_minute_are_all_there_the_undecided_first() {
    let mut hall = Hall::playing(200, |_| {});
    let names: Vec<String> = (1..=20).map(|no| format!("Arbiter {no}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    set_staff(&mut hall, staff(&names));
    for table in 1..=200 {
        hall.flag(table);
        if table % 4 == 0 {
            hall.wait(1);
        }
    }
    let queue = hall.view().alerts;
    let flags: BTreeSet<u16> = (queue.iter())
        .filter(|alert| alert.kind == "flag")
        .filter_map(|alert| alert.table)
        .map(|table| table.0)
        .collect();
    assert_eq!(flags.len(), 200, "nothing is dropped");
    // Each arbiter has his ten, and not two hundred.
    for name in &names {
        let own = queue.iter().filter(|it| it.to == [(*name).to_owned()]);
        assert_eq!(own.count(), 10, "{name}");
    }
    // Half of them are taken, some decided: what is left undecided comes first, the oldest of it first.
    let flags = queue.iter().filter(|it| it.kind == "flag");
    for alert in flags.filter(|it| it.table.unwrap().0 % 2 == 0) {
        let owner = alert.to[0].clone();
        hall.ask(&owner, Command::AcknowledgeAlert { alert: alert.id })
            .unwrap();
    }
    let decided = queue.iter().find(|it| it.table == Some(TableNo(1)));
    let command = Command::Decide {
        proposal: decided.unwrap().proposal.unwrap(),
        accept: true,
        result: None,
        note: None,
    };
    hall.ask("Arbiter 1", command).unwrap();
    let queue = hall.view().alerts;
    let flags: Vec<u16> = (queue.iter())
        .filter(|alert| alert.severity == Severity::Call)
        .map(|alert| alert.table.unwrap().0)
        .collect();
    let odd = (3..=200).filter(|table| table % 2 == 1);
    let even = (2..=200).filter(|table| table % 2 == 0);
    assert_eq!(flags, odd.chain(even).collect::<Vec<_>>());
    hall.replays();
}

#[test]
fn an_alert_keeps_what_stood_at_the_table() {
    let mut hall = Hall::playing(1, |_| {});
    hall.clock(1, WHITE, BLACK, None);
    hall.wait(20);
    let (stopped, _) = hall.alert(1, AlertKind::ClockStopped);
    let evidence = hall.shown(stopped).evidence.unwrap();
    assert_eq!(
        (evidence.white_ms, evidence.black_ms),
        (Some(1_000), Some(120_000))
    );
    assert!(evidence.position.starts_with("rnbqkbnr/"), "{evidence:?}");
    hall.clock(1, 181, 300, None);
    let later = hall.shown(stopped).evidence.unwrap();
    assert_eq!(later, evidence, "what stood there then");
}
