//! Published and generated figures of C.07: the exercises of FIDE's technical commission, an arbiter
//! course, and events whose figures another program has computed.

mod players;
mod properties;
mod rules;
mod teams;

use std::collections::BTreeMap;

use flagfall_core::{
    tournament::standings::{Crosstable, Detail, Edition, Standing, TieBreak, standings},
    types::PlayerNo,
};
use serde::Deserialize;

/// One expected list.
#[derive(Deserialize)]
struct Case {
    code: String,
    edition: String,
    kind: String,
    expected: BTreeMap<u16, f64>,
}

impl Case {
    /// The texts of the rules that it holds for.
    fn editions(&self) -> Vec<Edition> {
        if self.edition.contains("2026 (") {
            vec![Edition::Fide2026]
        } else if self.edition.contains("2023") {
            vec![Edition::Fide2023]
        } else {
            vec![Edition::Fide2023, Edition::Fide2026]
        }
    }

    /// The first word: notes stand behind some codes.
    fn list(&self, before: &str) -> Vec<TieBreak> {
        let words: Vec<&str> = self.code.split(' ').collect();
        let list = match words[..] {
            ["order", list] => list.to_owned(),
            [code, ..] => format!("{before}{code}"),
            [] => String::new(),
        };
        TieBreak::list(&list).unwrap_or_else(|error| panic!("{error}"))
    }

    /// What is wrong with our figures, `table` being the event by the edition.
    fn differences(&self, table: &Crosstable) -> Vec<String> {
        let edition = table.terms().edition;
        let ranks = |rows: &[Standing]| -> BTreeMap<u16, u16> {
            rows.iter().map(|row| (row.player.0, row.rank)).collect()
        };
        let ours: BTreeMap<u16, f64> = match self.kind.as_str() {
            "value" => figures(table, &self.list("PTS,"), 1),
            "rank" => ranks(&ranked(table, &self.list("PTS,")))
                .into_iter()
                .map(|(no, rank)| (no, f64::from(rank)))
                .collect(),
            "order" => (1..)
                .zip(ranked(table, &self.list("")))
                .map(|(place, row)| (place, f64::from(row.player.0)))
                .collect(),
            "rank-relative" => {
                let ranks = ranks(&ranked(table, &self.list("PTS,")));
                let mut own: Vec<u16> = self.expected.keys().map(|no| ranks[no]).collect();
                own.sort_unstable();
                let place = |rank| own.iter().filter(|other| **other < rank).count() + 1;
                let relative = |no: &u16| (*no, place(ranks[no]) as f64);
                self.expected.keys().map(relative).collect()
            }
            kind => panic!("unknown kind {kind}"),
        };
        let wrong = |(no, expected): (&u16, &f64)| {
            let found = ours.get(no).copied().unwrap_or(f64::NAN);
            let same = (found - expected).abs() < 0.001;
            (!same).then(|| {
                format!(
                    "{} {edition:?}, {no}: {found}, expected {expected}",
                    self.code
                )
            })
        };
        self.expected.iter().filter_map(wrong).collect()
    }
}

fn ranked(table: &Crosstable, order: &[TieBreak]) -> Vec<Standing> {
    standings(table, order, Detail::Values)
}

/// The figures at a place of the list.
fn figures(table: &Crosstable, order: &[TieBreak], at: usize) -> BTreeMap<u16, f64> {
    ranked(table, order)
        .into_iter()
        .filter_map(|row| {
            let PlayerNo(no) = row.player;
            row.figures[at].value.map(|value| (no, value.number()))
        })
        .collect()
}
