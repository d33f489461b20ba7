//! Need 2: a clock that is set wrongly is found in the first minutes. Library games are played on the
//! simulated clock with every kind of wrong setting, and with the right one under hands, stops, lost
//! and late readings, where nothing may be said. `cargo bench --bench settings` prints the whole table.

#[path = "support/clocked_tables.rs"]
mod clocked_tables;

use std::time::Duration;

use clocked_tables::{CASES, Case, Hall, RIGHT, SECOND, Table, control, games, hear, play};
use flagfall_core::{
    clock::{
        ClockModel, ClockSettings, FoundBy, PerMove, SettingEvent, SettingWatch, TimeControl,
        WrongKind, WrongSetting,
    },
    hub::event::AlertKind,
    protocol::{ClockSide, dgt::clock::ClockMessage},
    types::Mono,
};
use flagfall_simulators::{
    clock::{self as sim, Side},
    games::Game,
};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use shakmaty::Color;

/// What the watch says of it.
fn watch(table: &Table, planned: &TimeControl) -> Vec<SettingEvent> {
    watched(table, planned).0
}

/// The same, and the watch as the last message left it.
fn watched(table: &Table, planned: &TimeControl) -> (Vec<SettingEvent>, SettingWatch) {
    let mut model = ClockModel::new(ClockSettings {
        white_side: ClockSide::Left,
        control: Some(planned.clone()),
    });
    let mut watch = SettingWatch::new(planned.clone());
    let mut said = Vec::new();
    for (at, bytes) in &table.messages {
        let now = Mono(*at);
        if let Some(due) = watch.poll_timeout().filter(|due| *due < now) {
            watch.handle_timeout(due);
        }
        let Ok(ClockMessage::Time(time)) = ClockMessage::decode(bytes) else {
            continue;
        };
        let Some(reading) = time.reading() else {
            continue;
        };
        model.handle_reading(now, &reading);
        while let Some(event) = model.poll_event() {
            watch.handle_event(now, &event);
        }
        if let Some(view) = model.current(now).filter(|view| view.at == now) {
            watch.handle_view(&view);
        }
        said.extend(std::iter::from_fn(|| watch.poll_event()));
    }
    (said, watch)
}

/// The move in which the kind was found, 0 before the start; other kinds are false alarms.
fn outcome(said: &[SettingEvent], kind: Option<WrongKind>) -> (Option<u16>, Vec<String>) {
    let mut found = None;
    let mut others = Vec::new();
    for event in said {
        if let SettingEvent::Wrong(finding) = event {
            if Some(finding.wrong.kind()) == kind {
                let at = match finding.found {
                    FoundBy::Display => 0,
                    FoundBy::Presses(presses) => presses.div_ceil(2),
                };
                found.get_or_insert(at);
            } else {
                others.push(finding.to_string());
            }
        }
    }
    (found, others)
}

/// Moves in which it was found, and false alarms.
fn run(case: Case, games: &[&Game], hall: Hall) -> (Vec<Option<u16>>, Vec<String>) {
    let (planned, set, in_advance, kind) = case;
    let (planned, set) = (control(planned), control(set));
    let mut found = Vec::new();
    let mut false_alarms = Vec::new();
    for (seed, game) in games.iter().enumerate() {
        let table = play(game, &set, in_advance, hall, seed as u64);
        let (at, mut others) = outcome(&watch(&table, &planned), kind);
        // Who has another start time may well have another increment too.
        if kind == Some(WrongKind::Start) {
            others.clear();
        }
        false_alarms.append(&mut others);
        found.push(at);
    }
    (found, false_alarms)
}

#[test]
fn wrong_settings_are_found_by_the_third_move() {
    let games = games(6);
    for case in CASES {
        let (found, false_alarms) = run(case, &games, Hall::Quiet);
        assert!(false_alarms.is_empty(), "{case:?}: {false_alarms:?}");
        for at in found {
            match case.3 {
                None => assert_eq!(at, None),
                // A delay differs from an increment only in moves that take less.
                Some(_) => assert!(
                    at.is_some_and(|at| at <= 3)
                        || case.1.contains("Bronstein")
                        || case.0.contains("Bronstein"),
                    "{case:?}: {at:?}"
                ),
            }
        }
    }
}

#[test]
fn hands_stops_and_lost_readings_are_no_wrong_setting() {
    let games = games(12);
    for text in RIGHT {
        for hall in [Hall::Quiet, Hall::Busy] {
            let (_, false_alarms) = run((text, text, false, None), &games, hall);
            assert!(false_alarms.is_empty(), "{text} {hall:?}: {false_alarms:?}");
        }
    }
}

fn two_periods(second: Option<u64>) -> Table {
    let period = |time, moves| sim::Period {
        time,
        increment: Duration::ZERO,
        moves,
    };
    let mut periods = vec![period(SECOND * 60, Some(2))];
    periods.extend(second.map(|minutes| period(SECOND * 60 * minutes as u32, None)));
    let clock = sim::TimeControl {
        periods,
        ..sim::TimeControl::fischer(SECOND, SECOND)
    };
    let mut table = Table::new(clock, SECOND / 2, ChaCha8Rng::seed_from_u64(0));
    let mut now = SECOND;
    table.say(now, 0.0);
    now += SECOND * 5;
    table.clock.start(now);
    table.say(now, 0.0);
    for side in [Side::Left, Side::Right, Side::Left, Side::Right] {
        table.pass(now, now + SECOND * 5, 0.0);
        now += SECOND * 5;
        table.clock.press(now, side);
        table.say(now, 0.0);
    }
    for _ in 0..70 {
        now += SECOND;
        table.say(now, 0.0);
    }
    table
}

/// What is said of a clock that must have a minute for two moves and then half an hour.
fn of_two_periods(second: Option<u64>) -> Vec<WrongSetting> {
    let said = watch(&two_periods(second), &control("1/2:30"));
    let wrong = |event| match event {
        SettingEvent::Wrong(finding) => Some(finding.wrong),
        SettingEvent::Right(_) => None,
    };
    said.into_iter().filter_map(wrong).collect()
}

#[test]
fn a_second_period_that_is_missing_or_another_one_is_told_when_the_first_is_over() {
    assert_eq!(of_two_periods(Some(30)), []);
    assert!(matches!(
        of_two_periods(None)[..],
        [WrongSetting::NoPeriod {
            side: Color::White,
            period: 2,
            ..
        }]
    ));
    let of_twenty = of_two_periods(Some(20));
    assert!(
        matches!(
            of_twenty[..],
            [WrongSetting::PeriodTime {
                side: Color::White,
                period: 2,
                ..
            }]
        ),
        "{of_twenty:?}"
    );
}

/// A clock that is blocked at zero may have nothing more to say.
#[test]
fn a_second_period_that_is_missing_is_told_though_the_clock_is_silent() {
    let mut table = two_periods(None);
    let at_zero = |bytes: &[u8; 7]| match ClockMessage::decode(bytes) {
        Ok(ClockMessage::Time(time)) => time
            .reading()
            .is_some_and(|reading| reading.left.time.is_zero()),
        _ => false,
    };
    let first = table.messages.iter().position(|(_, bytes)| at_zero(bytes));
    table.messages.truncate(first.unwrap() + 1);
    let (said, mut watch) = watched(&table, &control("1/2:30"));
    assert_eq!(said, []);
    let due = watch.poll_timeout().expect("it is waited for");
    assert!(due <= Mono(table.messages.last().unwrap().0 + SECOND * 3));
    watch.handle_timeout(due);
    let Some(SettingEvent::Wrong(finding)) = watch.poll_event() else {
        panic!("nothing is told");
    };
    assert!(matches!(
        finding.wrong,
        WrongSetting::NoPeriod { period: 2, .. }
    ));
    assert_eq!(watch.poll_timeout(), None, "told once");
}

/// Whoever thinks for long at first shows no difference; later, each quick move does.
#[test]
fn an_increment_for_a_bronstein_delay_is_found_whenever_it_shows() {
    let said_of = |method| {
        let clock = sim::TimeControl {
            method,
            ..sim::TimeControl::fischer(SECOND * 1500, SECOND * 10)
        };
        let mut table = Table::new(clock, SECOND / 2, ChaCha8Rng::seed_from_u64(0));
        let mut now = SECOND;
        table.say(now, 0.0);
        now += SECOND * 5;
        table.clock.start(now);
        table.say(now, 0.0);
        for ply in 0..40 {
            let thought = SECOND * if ply < 30 { 17 } else { 5 };
            table.pass(now, now + thought, 0.0);
            now += thought;
            let side = [Side::Left, Side::Right][ply % 2];
            table.clock.press(now, side);
            table.say(now, 0.0);
        }
        watch(&table, &control("25 Bronstein 10"))
    };
    assert_eq!(said_of(sim::Method::Bronstein), []);
    let said = said_of(sim::Method::Fischer);
    let [SettingEvent::Wrong(finding)] = &said[..] else {
        panic!("{said:?}");
    };
    let seen = PerMove::Increment(SECOND * 10);
    assert!(
        matches!(finding.wrong, WrongSetting::PerMove { seen: found, .. } if found == seen),
        "{finding}"
    );
}

#[test]
fn what_was_set_wrongly_and_put_right_is_over() {
    let mut table = two_periods(Some(30));
    table.messages.clear();
    table.arrived = Duration::ZERO;
    let clock = sim::TimeControl::fischer(SECOND * 3000, SECOND);
    table.clock.stop(Duration::ZERO);
    table.clock.set_control(Duration::ZERO, clock);
    for (at, minutes) in [(1, 50), (2, 90), (60, 70), (120, 70)] {
        for side in [Side::Left, Side::Right] {
            table.clock.edit(SECOND * at, side, SECOND * 60 * minutes);
        }
        table.say(SECOND * at, 0.0);
    }
    let said = watch(&table, &control("70+30"));
    let [
        SettingEvent::Wrong(finding),
        SettingEvent::Right(WrongKind::Start),
    ] = &said[..]
    else {
        panic!("{said:?}");
    };
    assert_eq!(
        finding.to_string(),
        "the clock is set to 1:30:00 for White and 1:30:00 for Black; it must be 1:10:00 and 1:10:00 \
         (the event has 70+30). Seen on the display before the start, ±1 s."
    );
}

/// The same, as a hub with the board of the table hears it: a line of the record and an alert.
#[test]
fn a_hub_calls_for_wrong_settings_and_for_nothing_else() {
    let games = games(2);
    let right = ["5", "3+2", "15+10", "5 v 4"].map(|text| (text, text, false, None));
    for case in CASES.into_iter().chain(right) {
        let (planned, set, in_advance, kind) = case;
        for (seed, game) in games.iter().enumerate() {
            let table = play(game, &control(set), in_advance, Hall::Quiet, seed as u64);
            let heard = hear(&table, planned, Some(game));
            // The players of the library think longer than the default time.
            let others =
                |about: &AlertKind| !matches!(about, AlertKind::Flag | AlertKind::NotStarted);
            let alerts: Vec<_> = heard
                .alerts
                .iter()
                .filter(|(about, _)| others(about))
                .collect();
            assert!(alerts.is_empty(), "{case:?}: {alerts:?}");
            match kind {
                None => assert_eq!(heard.wrong, [], "{case:?}"),
                // A delay differs from an increment only in moves that take less.
                Some(_) if set.contains("Bronstein") || planned.contains("Bronstein") => {}
                // A single second hides behind the rounding for a move longer.
                Some(kind) => assert!(
                    heard
                        .wrong
                        .first()
                        .is_some_and(|(what, at)| *what == kind && *at <= 4),
                    "{case:?}: {:?}",
                    heard.wrong
                ),
            }
        }
    }
}
