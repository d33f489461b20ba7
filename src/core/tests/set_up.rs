//! The event file and the list of players, read again while the event is played.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

use std::collections::BTreeSet;

use flagfall_core::{
    hub::{
        Hub, HubSettings, Trouble,
        command::{Command, Request},
        event::{Event, SetUp},
        set_up::{Fitted, SetUpRefused, fit},
        state::HallState,
    },
    tournament::{EventSettings, Player},
    types::{Mono, Now, PlayerNo},
};

fn now() -> Now {
    Now {
        mono: Mono::ZERO,
        utc: "2026-12-05T08:00:00Z".parse().unwrap(),
    }
}

/// A list without numbers: `name;rating;fide` in lines.
fn list(lines: &[&str]) -> SetUp {
    let players = (1..)
        .zip(lines)
        .map(|(no, line)| {
            let mut fields = line.split(';');
            let name = fields.next().unwrap();
            Player {
                rating: fields.next().and_then(|rating| rating.parse().ok()),
                fide_id: fields.next().and_then(|id| id.parse().ok()),
                ..Player::new(PlayerNo(no), name)
            }
        })
        .collect();
    SetUp {
        settings: EventSettings::new("Atumn Cup", "open".parse().unwrap(), Some("5+3")),
        players,
    }
}

const LIST: [&str; 4] = [
    "Koval, Olena;2000",
    "Bondar, Ivan;1900;14100001",
    "Novak, Petro;1800",
    "Zhuk, Daria",
];

/// A hub in which round 1 is paired, and public if wanted.
fn hub(set_up: SetUp, published: bool) -> Hub {
    let mut hub = Hub::new(HubSettings::default(), HallState::default(), now());
    hub.handle_set_up(now(), set_up);
    let mut order = |command| {
        let by = "Vira".to_owned();
        hub.handle_request(now(), Request { by, command }).unwrap();
    };
    order(Command::PairRound);
    if published {
        order(Command::PublishRound);
    }
    hub
}

fn again(hub: &Hub, set_up: SetUp) -> Result<Fitted, SetUpRefused> {
    fit(hub.state(), set_up, &BTreeSet::new())
}

fn numbers(set_up: &SetUp) -> Vec<(u16, &str)> {
    (set_up.players.iter())
        .map(|player| (player.no.0, player.name.as_str()))
        .collect()
}

fn refused(hub: &Hub, set_up: SetUp) -> String {
    again(hub, set_up).unwrap_err().to_string()
}

#[test]
fn the_name_may_be_corrected_while_a_round_is_played() {
    let mut hub = hub(list(&LIST), true);
    while hub.poll_event().is_some() {}
    let mut corrected = list(&LIST);
    corrected.settings.name = "Autumn Cup".to_owned();
    let fitted = again(&hub, corrected.clone()).unwrap();
    assert_eq!(fitted.set_up, corrected);
    assert_eq!(fitted.notes, [""; 0]);
    hub.handle_set_up(now(), fitted.set_up);
    let events: Vec<Event> = std::iter::from_fn(|| hub.poll_event()).collect();
    assert_eq!(events.len(), 1);
    let state = hub.state();
    assert_eq!(state.set_up.as_ref().unwrap().settings.name, "Autumn Cup");
    assert_eq!(state.rounds.len(), 1, "the round goes on");
    assert!(state.rounds[0].published);
}

#[test]
fn an_event_keeps_its_system_and_its_played_rounds() {
    let mut other = list(&LIST);
    other.settings.system = "knock-out".parse().unwrap();
    let was = list(&LIST).settings.system.name();
    let said = refused(&hub(list(&LIST), true), other.clone());
    for word in [was, "knock-out", "1 round", "data_dir"] {
        assert!(said.contains(word), "{said}");
    }
    let mut shorter = list(&LIST);
    shorter.settings.rounds = Some(0);
    let said = refused(&hub(list(&LIST), true), shorter);
    assert!(said.contains("rounds = 0"), "{said}");
    // A draft is nobody's: it is paired anew by the other system.
    let mut hub = hub(list(&LIST), false);
    let fitted = again(&hub, other).unwrap();
    hub.handle_set_up(now(), fitted.set_up);
    let state = hub.state();
    assert_eq!(state.rounds.len(), 1);
    let explained = format!("{:?}", state.rounds[0].pairing.pairs[0].explanation);
    assert!(explained.contains("KnockOut"), "{explained}");
}

#[test]
fn another_section_does_not_throw_a_round_away() {
    let mut other = list(&LIST);
    other.settings.section = "open-b".parse().unwrap();
    let said = refused(&hub(list(&LIST), true), other.clone());
    for word in ["open-b", "Atumn Cup", "section = \"open\"", "data_dir"] {
        assert!(said.contains(word), "{said}");
    }
    // A draft is no loss.
    let mut drafted = hub(list(&LIST), false);
    let fitted = again(&drafted, other.clone()).unwrap();
    drafted.handle_set_up(now(), fitted.set_up);
    assert!(drafted.state().rounds.is_empty());
}

#[test]
fn another_list_is_another_event() {
    let lines = ["Tkach, A", "Honchar, B", "Koval, Olena;2000", "Dorosh, C"];
    let said = refused(&hub(list(&LIST), true), list(&lines));
    assert!(said.contains("only 1 of the 4"), "{said}");
    assert!(said.contains("data_dir"), "{said}");
}

#[test]
fn players_keep_their_numbers_wherever_their_lines_stand() {
    let hub = hub(list(&LIST), true);
    // Sorted anew, one rating corrected, one name written the other way round, one new by FIDE id.
    let lines = [
        "Ivan Bondarenko;1900;14100001",
        "OLENA KOVAL;2010",
        "Novak, Petro;1800",
        "Tymchuk, Lesia;1500",
        "Zhuk, Daria",
    ];
    let fitted = again(&hub, list(&lines)).unwrap();
    assert_eq!(
        numbers(&fitted.set_up),
        [
            (1, "OLENA KOVAL"),
            (2, "Ivan Bondarenko"),
            (3, "Novak, Petro"),
            (4, "Zhuk, Daria"),
            (5, "Tymchuk, Lesia"),
        ]
    );
    assert_eq!(
        fitted.notes,
        [
            "Number 2 was \"Bondar, Ivan\" and is \"Ivan Bondarenko\" now.",
            "Tymchuk, Lesia is new in the list of players and has number 5.",
        ]
    );
    // The same list once more: the new one is known now.
    let mut hub = hub;
    hub.handle_set_up(now(), fitted.set_up.clone());
    let once_more = again(&hub, list(&lines)).unwrap();
    assert_eq!(
        (once_more.set_up, once_more.notes.len()),
        (fitted.set_up, 0)
    );
}

#[test]
fn numbers_of_the_list_do_not_move_results() {
    let hub = hub(list(&LIST), true);
    let mut given = list(&LIST);
    given.players.swap(0, 3);
    given.players[0].no = PlayerNo(1);
    given.players[3].no = PlayerNo(4);
    let all = (1..=4).map(PlayerNo).collect();
    let fitted = fit(hub.state(), given, &all).unwrap();
    assert_eq!(numbers(&fitted.set_up), numbers(&list(&LIST)));
    assert_eq!(fitted.notes.len(), 2, "{:?}", fitted.notes);
    assert!(
        fitted.notes[0].starts_with("Zhuk, Daria keeps number 4; the list of players says 1"),
        "{:?}",
        fitted.notes
    );
}

#[test]
fn whoever_has_been_paired_stays() {
    let hub = hub(list(&LIST), true);
    let fitted = again(&hub, list(&[LIST[0], LIST[2], LIST[3]])).unwrap();
    assert_eq!(numbers(&fitted.set_up), numbers(&list(&LIST)));
    let [note] = fitted.notes.as_slice() else {
        panic!("{:?}", fitted.notes)
    };
    assert!(
        note.contains("Bondar, Ivan (number 2)") && note.contains("stays"),
        "{note}"
    );
}

#[test]
fn a_name_may_be_corrected_where_something_else_agrees() {
    let hub = hub(list(&LIST), true);
    let fitted = again(
        &hub,
        list(&[LIST[3], "Nowak, Petro;1800", LIST[1], LIST[0]]),
    )
    .unwrap();
    assert_eq!(fitted.set_up.players[2].name, "Nowak, Petro");
    assert_eq!(fitted.set_up.players.len(), 4);

    // Nothing but the place and the look of the name: a sister, or a slip?
    let said = refused(&hub, list(&[LIST[0], LIST[1], LIST[2], "Zhuk, Dariya"]));
    assert!(
        said.contains("Zhuk, Daria\"") && said.contains("Zhuk, Dariya\""),
        "{said}"
    );
    let said = refused(&hub, list(&[LIST[0], LIST[1], LIST[2], "Moroz, Taras"]));
    assert!(
        said.contains("Zhuk, Daria\"") && said.contains("Moroz, Taras\""),
        "{said}"
    );
    assert!(said.contains("`no`"), "{said}");
    // The way out that it names.
    let given = list(&[LIST[0], LIST[1], LIST[2], "Moroz, Daria"]);
    let fitted = fit(hub.state(), given, &[PlayerNo(4)].into()).unwrap();
    assert_eq!(numbers(&fitted.set_up)[3], (4, "Moroz, Daria"));
    let given = list(&[LIST[0], LIST[1], LIST[2], LIST[3], "Moroz, Taras"]);
    assert_eq!(again(&hub, given).unwrap().set_up.players.len(), 5);
}

#[test]
fn namesakes_are_told_apart_or_the_list_is_refused() {
    let namesakes = [
        "Moroz, Ivan;1700",
        "Moroz, Ivan",
        "Zhuk, Daria",
        "Tkach, Lev",
    ];
    let hub = hub(list(&namesakes), true);
    let turned = [
        "Tkach, Lev",
        "Moroz, Ivan",
        "Zhuk, Daria",
        "Moroz, Ivan;1700",
    ];
    let fitted = again(&hub, list(&turned)).unwrap();
    assert_eq!(fitted.set_up, list(&namesakes));
    // The only one left could be either.
    let said = refused(
        &hub,
        list(&["Tkach, Lev", "Moroz, Ivan;1750", "Zhuk, Daria"]),
    );
    assert!(
        said.contains("Moroz, Ivan") && said.contains("FIDE"),
        "{said}"
    );
}

#[test]
fn an_unchanged_list_with_namesakes_is_no_doubt() {
    let twins = ["Moroz, Ivan", "Moroz, Ivan", "Zhuk, Daria"];
    let fitted = again(&hub(list(&twins), true), list(&twins)).unwrap();
    assert_eq!((fitted.set_up, fitted.notes.len()), (list(&twins), 0));
}

#[test]
fn a_draft_follows_the_list() {
    let mut hub = hub(list(&LIST), false);
    let fitted = again(
        &hub,
        list(&[LIST[2], LIST[0], LIST[1], "Tkach, Lev", "Tkach, Ira"]),
    );
    let fitted = fitted.unwrap();
    assert_eq!(
        numbers(&fitted.set_up),
        [
            (1, "Koval, Olena"),
            (2, "Bondar, Ivan"),
            (3, "Novak, Petro"),
            (5, "Tkach, Lev"),
            (6, "Tkach, Ira"),
        ]
    );
    hub.handle_set_up(now(), fitted.set_up);
    let round = hub.state().round().unwrap();
    assert_eq!(hub.state().rounds.len(), 1);
    let mut drafted: Vec<u16> = (round.pairing.pairs.iter())
        .flat_map(|pair| [pair.white.0, pair.black.0])
        .chain(round.pairing.bye.iter().map(|bye| bye.player.0))
        .collect();
    drafted.sort_unstable();
    assert_eq!(drafted, [1, 2, 3, 5, 6]);
}

#[test]
fn before_the_first_pairing_the_list_is_taken_as_it_is() {
    let mut hub = Hub::new(HubSettings::default(), HallState::default(), now());
    hub.handle_set_up(now(), list(&LIST));
    let other = list(&["Tkach, Lev", "Zhuk, Daria"]);
    assert_eq!(again(&hub, other.clone()).unwrap().set_up, other);
}

#[test]
fn what_is_wrong_with_the_list_is_one_alert() {
    let mut hub = hub(list(&LIST), true);
    let texts = |hub: &Hub| -> Vec<String> {
        let alerts = hub.state().alerts.values();
        alerts.map(|alert| alert.text.clone()).collect()
    };
    let mut tell = |text: &str| {
        hub.handle_trouble(now(), Trouble::Players(text.to_owned()));
        texts(&hub)
    };
    assert_eq!(tell("line 3"), ["line 3"]);
    assert_eq!(tell("line 3"), ["line 3"]);
    assert_eq!(tell("line 4"), ["line 4"]);
    assert_eq!(tell(""), [""; 0]);
}
