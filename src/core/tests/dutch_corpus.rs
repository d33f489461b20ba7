//! Every round of the corpora is paired like the reference: White, Black and the bye; what has no
//! legal pairing is refused.

#[path = "support/corpus.rs"]
#[allow(dead_code, reason = "each test uses its part")]
mod corpus;
#[path = "support/trf.rs"]
mod trf;

use corpus::{Case, compare};
use flagfall_core::pairing::{System, swiss::dutch::Dutch};
use serde::Deserialize;

/// What is wrong with a case, if anything.
fn difference(system: Dutch, case: &Case) -> Option<String> {
    case.difference(system.pair(&trf::input(&case.trf, case.round)), |no| no.0)
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
    compare(packed, [4897, 48], |case| {
        difference(Dutch::FIDE_2026, case)
    });
}

#[test]
fn rules_of_2017() {
    let packed = include_bytes!("data/pairing/dutch-2017.jsonl.zst");
    compare(packed, [3439, 35], |case| {
        difference(Dutch::FIDE_2017, case)
    });
}
