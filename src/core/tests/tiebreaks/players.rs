//! Events of players, from their report files.

use std::{collections::BTreeMap, io::Read as _};

use flagfall_core::tournament::{
    standings::{Crosstable, Edition, Format, TieBreak},
    trf::{self, StandingsOptions},
};
use serde::Deserialize;

use super::{Case, figures, ranked};

#[derive(Deserialize)]
struct Published {
    trf: String,
    #[serde(default)]
    round_robin: bool,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Generated {
    id: String,
    trf: String,
    #[serde(default)]
    round_robin: bool,
    values: BTreeMap<String, BTreeMap<u16, Option<f64>>>,
    #[serde(flatten)]
    others: BTreeMap<String, serde_json::Value>,
}

fn table(trf: &str, edition: Edition) -> Crosstable {
    let reading = trf::read(trf.as_bytes());
    let options = StandingsOptions {
        edition: Some(edition),
        ..StandingsOptions::default()
    };
    reading
        .document
        .crosstable(&options)
        .expect("a sound file")
        .0
}

#[test]
fn published_figures() {
    for text in [
        include_str!("../data/tiebreaks/tec-swiss-5.json"),
        include_str!("../data/tiebreaks/tec-round-robin.json"),
        include_str!("../data/tiebreaks/course-2026-swiss-5.json"),
        include_str!("../data/tiebreaks/koya-round-robin.json"),
    ] {
        let event: Published = serde_json::from_str(text).unwrap();
        assert!(!event.cases.is_empty());
        let mut wrong = Vec::new();
        for case in &event.cases {
            for edition in case.editions() {
                let table = table(&event.trf, edition);
                // Nobody says it to the reader: everybody has met everybody.
                assert_eq!(
                    table.terms().format == Format::Predetermined,
                    event.round_robin
                );
                wrong.extend(case.differences(&table));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

#[test]
fn generated_figures_and_ranks() {
    let packed: &[u8] = include_bytes!("../data/tiebreaks/generated.jsonl.zst");
    let mut text = String::new();
    ruzstd::decoding::StreamingDecoder::new(packed)
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    let mut wrong = Vec::new();
    let mut events = 0;
    for line in text.lines() {
        let event: Generated = serde_json::from_str(line).unwrap();
        let table = table(&event.trf, Edition::Fide2026);
        let is_round_robin = table.terms().format == Format::Predetermined;
        assert_eq!(is_round_robin, event.round_robin, "{}", event.id);
        events += 1;
        for (code, expected) in &event.values {
            let order = TieBreak::list(&format!("PTS,{code}")).unwrap();
            let ours = figures(&table, &order, 1);
            for (no, expected) in expected {
                let found = ours.get(no).copied();
                let same = match (found, expected) {
                    (Some(found), Some(expected)) => (found - expected).abs() < 0.001,
                    (None, None) => true,
                    _ => false,
                };
                if !same {
                    wrong.push(format!(
                        "{} {code} {no}: {found:?}, expected {expected:?}",
                        event.id
                    ));
                }
            }
        }
        for (name, list, expected) in event.others.iter().filter_map(|(key, value)| {
            let list = key.strip_prefix("rank_")?.replace("BHC1", "BH/C1");
            let ranks: BTreeMap<u16, u16> = serde_json::from_value(value.clone()).ok()?;
            Some((key, list.replace('_', ","), ranks))
        }) {
            for row in ranked(&table, &TieBreak::list(&list).unwrap()) {
                let expected = expected[&row.player.0];
                if row.rank != expected {
                    wrong.push(format!(
                        "{} {name} {}: {}, expected {expected}",
                        event.id, row.player, row.rank
                    ));
                }
            }
        }
    }
    assert_eq!(events, 76);
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
