//! Every round of the corpora is paired like the reference: White, Black and the bye; what has no
//! legal pairing is refused.

#[path = "support/corpus.rs"]
mod corpus;
#[path = "support/trf.rs"]
mod trf;

use std::collections::BTreeSet;

use flagfall_core::pairing::{PairingError, System, swiss::dutch::Dutch};
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
fn difference(system: Dutch, case: &Case) -> Option<String> {
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

fn compare(system: Dutch, packed: &[u8], paired: usize, impossible: usize) {
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

/// One large round with the answers of both programs of reference.
#[derive(Deserialize)]
struct Large {
    id: String,
    round: u16,
    trf: String,
    dutch_2026: Option<Answer>,
    dutch_2017: Option<Answer>,
}

#[derive(Deserialize)]
struct Answer {
    pairs: Vec<(u16, u16)>,
    bye: Option<u16>,
}

/// Up to 500 players two programs agree on the answers of 2026; above, they are those of one.
#[test]
fn large_rounds() {
    let rounds: Vec<Large> = corpus::read(include_bytes!("data/pairing/round7.jsonl.zst"));
    assert_eq!(rounds.len(), 7);
    let mut wrong = Vec::new();
    for round in rounds {
        for (system, answer) in [
            (Dutch::FIDE_2026, round.dutch_2026),
            (Dutch::FIDE_2017, round.dutch_2017),
        ] {
            let answer = answer.expect("both have paired it");
            let case = Case {
                round: round.round,
                trf: round.trf.clone(),
                pairs: Some(answer.pairs),
                bye: answer.bye,
                impossible: false,
            };
            if let Some(difference) = difference(system, &case) {
                wrong.push(format!("{} by {}: {difference}", round.id, system.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rules_of_2026() {
    let packed = include_bytes!("data/pairing/dutch-2026.jsonl.zst");
    compare(Dutch::FIDE_2026, packed, 4897, 48);
}

#[test]
fn rules_of_2017() {
    let packed = include_bytes!("data/pairing/dutch-2017.jsonl.zst");
    compare(Dutch::FIDE_2017, packed, 3439, 35);
}
