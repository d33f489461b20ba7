//! The Varma tables cell by cell, and the drawing.

use std::collections::{BTreeMap, BTreeSet};

use flagfall_core::{
    pairing::{
        berger::{berger_round, table_size},
        varma::{Candidate, Envelope, LateMeeting, VarmaError, draw, envelopes},
    },
    types::RoundNo,
};
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Book {
    tables: Vec<Table>,
}

#[derive(Deserialize)]
struct Table {
    players: Vec<u16>,
    groups: BTreeMap<String, Vec<u16>>,
    latest_round_two_of_a_group_meet: BTreeMap<String, BTreeMap<String, u16>>,
}

fn book() -> Vec<Table> {
    let book: Book =
        serde_json::from_str(include_str!("../data/varma.json")).expect("the tables are JSON");
    book.tables
}

/// The last round in which two of these numbers meet, 0 when they do not.
fn latest_meeting(players: u16, numbers: &[u16]) -> u16 {
    (1..table_size(players))
        .filter(|&round| {
            berger_round(players, round)
                .iter()
                .any(|(white, black)| numbers.contains(white) && numbers.contains(black))
        })
        .max()
        .unwrap_or(0)
}

#[test]
fn tables_equal_the_book() {
    let mut sizes = Vec::new();
    for table in book() {
        for players in table.players {
            sizes.push(players);
            let ours = envelopes(players).unwrap();
            let latest = &table.latest_round_two_of_a_group_meet[&players.to_string()];
            for (envelope, numbers) in Envelope::ALL.into_iter().zip(&ours) {
                let name = envelope.to_string();
                let book: Vec<u16> = table.groups[&name]
                    .iter()
                    .copied()
                    .filter(|&number| number <= players)
                    .collect();
                assert_eq!(*numbers, book, "{players} players, {name}");
                assert_eq!(
                    latest_meeting(players, numbers),
                    latest[&name],
                    "{players} {name}"
                );
            }
            let mut all = ours.concat();
            all.sort_unstable();
            assert_eq!(all, (1..=players).collect::<Vec<_>>());
        }
    }
    assert_eq!(sizes, (9..=24).collect::<Vec<_>>());
    assert_eq!((envelopes(8), envelopes(25)), (None, None));
}

fn candidates<'a>(names: &'a [(&'a str, &'a str)]) -> Vec<Candidate<'a>> {
    names
        .iter()
        .map(|&(name, federation)| Candidate {
            name,
            federation: Some(federation).filter(|code| !code.is_empty()),
        })
        .collect()
}

#[test]
fn the_largest_federation_draws_first_then_by_code_and_name() {
    let names = [
        ("Якименко", "UKR"),
        ("Nowak", "POL"),
        ("Іваненко", "UKR"),
        ("Kowalski", "POL"),
        ("Берідзе", "GEO"),
        ("Єременко", "UKR"),
        ("Alone", ""),
        ("Adams", "ENG"),
        ("Smith", "ENG"),
        ("Abel", ""),
    ];
    let drawn = draw(&candidates(&names), 11).unwrap();
    let order: Vec<(Option<&str>, Vec<&str>)> = drawn
        .contingents
        .iter()
        .map(|contingent| {
            let members = &contingent.drawn;
            (
                contingent.federation.as_deref(),
                members.iter().map(|own| names[own.candidate].0).collect(),
            )
        })
        .collect();
    assert_eq!(
        order,
        [
            (Some("UKR"), vec!["Єременко", "Іваненко", "Якименко"]),
            (Some("ENG"), vec!["Adams", "Smith"]),
            (Some("POL"), vec!["Kowalski", "Nowak"]),
            (Some("GEO"), vec!["Берідзе"]),
            (None, vec!["Abel"]),
            (None, vec!["Alone"]),
        ]
    );
    let first = &drawn.contingents[0];
    let seen: Vec<Envelope> = first
        .offered
        .iter()
        .chain(&first.kept_back)
        .copied()
        .collect();
    assert_eq!(
        seen.into_iter().collect::<BTreeSet<_>>(),
        BTreeSet::from([Envelope::A, Envelope::B]),
        "C and D hold two numbers only"
    );
    assert_eq!(drawn.late_meetings, []);
    assert_eq!(drawn, draw(&candidates(&names), 11).unwrap());
    let others: BTreeSet<Vec<u16>> = (0..30)
        .map(|seed| draw(&candidates(&names), seed).unwrap().numbers())
        .collect();
    assert!(others.len() > 20, "other seeds, other lots");
}

#[test]
fn an_envelope_is_kept_back_where_a_federation_would_be_split() {
    // 16 players in envelopes of 6, 5, 3, 2: only with five out of B do 3, 3, 3 and 2 fit.
    let mut names = Vec::new();
    for (federation, count) in [("AAA", 5), ("BBB", 3), ("CCC", 3), ("DDD", 3), ("EEE", 2)] {
        names.extend(std::iter::repeat_n(("X", federation), count));
    }
    for seed in 0..20 {
        let drawn = draw(&candidates(&names), seed).unwrap();
        assert_eq!(drawn.contingents[0].offered, [Envelope::B]);
        assert_eq!(drawn.contingents[0].kept_back, [Envelope::A]);
        for contingent in &drawn.contingents {
            let from: BTreeSet<Envelope> =
                contingent.drawn.iter().map(|own| own.envelope).collect();
            assert_eq!(from.len(), 1, "{contingent:?}");
        }
        assert_eq!(drawn.late_meetings, []);
        let shown = drawn.contingents[0].to_string();
        let first = &drawn.contingents[0].drawn[0];
        assert!(
            shown.starts_with(&format!(
                "AAA, 5 to draw; choose among B; kept back A; drawn: {} from envelope B, which held \
                 1, 2, 3, 9, 10; ",
                first.number
            )),
            "{shown}"
        );
    }
}

#[test]
fn a_federation_too_large_for_an_envelope_is_split_and_late_meetings_are_said() {
    let names = [("X", "UKR"); 10];
    let drawn = draw(&candidates(&names), 1).unwrap();
    assert_eq!(drawn.contingents[0].offered, []);
    // Everybody meets everybody, so every pair of the last three rounds is one of compatriots.
    assert_eq!(drawn.late_meetings.len(), 15);
    assert!(
        drawn
            .late_meetings
            .iter()
            .all(|late| late.round >= RoundNo(7))
    );
}

#[test]
fn six_and_twelve_of_twelve_meet_in_round_eleven() {
    let mut names = vec![("A", "AAA"), ("B", "AAA"), ("C", "AAA")];
    let codes: Vec<String> = (0..9).map(|i| format!("X{i}")).collect();
    names.extend(codes.iter().map(|code| ("N", code.as_str())));
    let late: Vec<Vec<LateMeeting>> = (0..60)
        .map(|seed| draw(&candidates(&names), seed).unwrap().late_meetings)
        .filter(|late| !late.is_empty())
        .collect();
    assert!(!late.is_empty(), "envelope C comes up");
    for meetings in late {
        assert_eq!(meetings.len(), 1);
        assert_eq!(meetings[0].round, RoundNo(11));
    }
}

#[test]
fn other_sizes_are_refused_in_words() {
    let names = vec![("X", "UKR"); 8];
    assert_eq!(
        draw(&candidates(&names), 1),
        Err(VarmaError::NoTable { players: 8 })
    );
    assert!(
        draw(&candidates(&names), 1)
            .unwrap_err()
            .to_string()
            .contains("draw the numbers without restriction")
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn everybody_gets_a_number_and_compatriots_stay_apart(
        federations in prop::collection::vec(0_u8..9, 9..=24),
        seed: u64,
    ) {
        let codes: Vec<String> = federations.iter().map(|f| format!("F{f}")).collect();
        let names: Vec<String> = (0..codes.len()).map(|i| format!("N{i:02}")).collect();
        let all: Vec<Candidate<'_>> = names
            .iter()
            .zip(&codes)
            .map(|(name, code)| Candidate { name, federation: Some(code) })
            .collect();
        let drawn = draw(&all, seed).unwrap();
        let numbers = drawn.numbers();
        let players = numbers.len() as u16;
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        prop_assert_eq!(sorted, (1..=players).collect::<Vec<_>>());
        let mut left = envelopes(players).unwrap();
        let mut split = false;
        for contingent in &drawn.contingents {
            let from: BTreeSet<Envelope> = contingent.drawn.iter().map(|own| own.envelope).collect();
            split |= from.len() > 1;
            for own in &contingent.drawn {
                let numbers = &mut left[own.envelope as usize];
                prop_assert_eq!(&own.from, &*numbers);
                numbers.retain(|&number| number != own.number);
            }
        }
        if !split && players != 12 {
            prop_assert_eq!(&drawn.late_meetings, &vec![]);
        }
        // The order in which they are given does not matter.
        let mut turned = all.clone();
        turned.rotate_left(4);
        let mut again = draw(&turned, seed).unwrap().numbers();
        again.rotate_right(4);
        prop_assert_eq!(again, numbers);
    }
}
