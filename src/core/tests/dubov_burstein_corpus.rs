//! Every round of the corpora for Dubov and Burstein is paired like the reference: White, Black and
//! the bye; what has no legal pairing is refused.

#[path = "support/corpus.rs"]
mod corpus;
#[path = "support/trf.rs"]
mod trf;

use std::collections::BTreeSet;

use flagfall_core::pairing::{
    PairingError, System,
    swiss::{burstein::Burstein, dubov::Dubov},
};
use serde::Deserialize;

/// A tournament.
#[derive(Deserialize)]
struct Tournament {
    id: String,
    cases: Vec<Case>,
}

/// One round of it.
#[derive(Deserialize)]
struct Case {
    round: u16,
    trf: String,
    #[serde(default)]
    pairs: Option<Vec<(u16, u16)>>,
    bye: Option<u16>,
    #[serde(default)]
    impossible: bool,
}

/// What is wrong with a case, if anything.
fn difference(system: &dyn System, case: &Case) -> Option<String> {
    let paired = match system.pair(&trf::input(&case.trf, case.round)) {
        Ok(paired) => paired,
        Err(PairingError::Impossible { .. }) if case.impossible => return None,
        Err(error) => return Some(error.to_string()),
    };
    if case.impossible {
        return Some("paired, but no legal pairing exists".into());
    }
    let ours: BTreeSet<(u16, u16)> = paired
        .pairs
        .iter()
        .map(|pair| (pair.white.0, pair.black.0))
        .collect();
    let theirs: BTreeSet<(u16, u16)> = case.pairs.clone().unwrap_or_default().into_iter().collect();
    let bye = paired.bye.map(|bye| bye.player.0);
    (ours != theirs || bye != case.bye).then(|| {
        format!(
            "ours {:?}, theirs {:?}; bye {bye:?}, theirs {:?}",
            ours.difference(&theirs).collect::<Vec<_>>(),
            theirs.difference(&ours).collect::<Vec<_>>(),
            case.bye
        )
    })
}

fn compare(system: &dyn System, packed: &[u8], paired: usize, impossible: usize) {
    let tournaments: Vec<Tournament> = corpus::read(packed);
    let mut wrong = Vec::new();
    let mut counts = [0, 0];
    for tournament in &tournaments {
        for case in &tournament.cases {
            counts[usize::from(case.impossible)] += 1;
            if let Some(difference) = difference(system, case) {
                wrong.push(format!(
                    "{} round {}: {difference}",
                    tournament.id, case.round
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} rounds differ\n{}",
        wrong.len(),
        counts[0] + counts[1],
        wrong.join("\n")
    );
    assert_eq!(counts, [paired, impossible]);
}

#[test]
fn dubov() {
    let packed = include_bytes!("data/pairing/dubov-2026.jsonl.zst");
    compare(&Dubov, packed, 948, 8);
}

#[test]
fn burstein() {
    let packed = include_bytes!("data/pairing/burstein-2026.jsonl.zst");
    compare(&Burstein, packed, 1048, 10);
}

#[test]
fn sonneborn_berger_goes_by_points() {
    // Scores 3, 1, 0: by points number 2 is ranked above number 7, by results it would be below.
    let case = Case {
        round: 6,
        trf: include_str!("data/pairing/burstein-3-1-0.trf").into(),
        pairs: Some(vec![
            (17, 18),
            (3, 12),
            (7, 1),
            (6, 2),
            (13, 14),
            (11, 20),
            (5, 9),
            (10, 4),
            (16, 15),
        ]),
        bye: Some(19),
        impossible: false,
    };
    assert_eq!(difference(&Burstein, &case), None);
}
