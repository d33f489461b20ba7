//! Every round of the corpora as a user gives it: a report file is read, its code names the system,
//! and the pairs come out by the ids of the file.

#[path = "support/corpus.rs"]
mod corpus;

use std::collections::BTreeSet;

use flagfall_core::{
    pairing::PairingError,
    tournament::{PairingSystem, trf},
    types::RoundNo,
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

fn difference(case: &Case, name: &str) -> Option<String> {
    let document = trf::read(case.trf.as_bytes()).document;
    let request = match document.request(None) {
        Ok(request) => request,
        Err(error) => return Some(error.to_string()),
    };
    if request.input.round != RoundNo(case.round) {
        return Some(format!("it is round {}", request.input.round));
    }
    let system = request.system.as_ref().and_then(PairingSystem::by_code);
    if system != PairingSystem::by_name(name) {
        return Some(format!("the file names {:?}", request.system));
    }
    let paired = match system?.system().pair(&request.input) {
        Ok(paired) => paired,
        Err(PairingError::Impossible { .. }) if case.impossible => return None,
        Err(error) => return Some(error.to_string()),
    };
    let ours: BTreeSet<(u16, u16)> = paired
        .pairs
        .iter()
        .map(|pair| (request.id(pair.white).0, request.id(pair.black).0))
        .collect();
    let theirs: BTreeSet<(u16, u16)> = case.pairs.clone().unwrap_or_default().into_iter().collect();
    let bye = paired.bye.map(|bye| request.id(bye.player).0);
    (ours != theirs || bye != case.bye).then(|| format!("bye {bye:?}, pairs {ours:?}"))
}

fn compare(packed: &[u8], name: &str, rounds: usize) {
    let tournaments: Vec<Tournament> = corpus::read(packed);
    let mut found = 0;
    let mut wrong = Vec::new();
    for tournament in &tournaments {
        for case in &tournament.cases {
            found += 1;
            if let Some(difference) = difference(case, name) {
                wrong.push(format!(
                    "{} round {}: {difference}",
                    tournament.id, case.round
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {found} rounds differ\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert_eq!(found, rounds);
}

#[test]
fn rules_of_2026() {
    let packed = include_bytes!("data/pairing/dutch-2026.jsonl.zst");
    compare(packed, "dutch", 4897 + 48);
}

#[test]
fn rules_of_2017() {
    let packed = include_bytes!("data/pairing/dutch-2017.jsonl.zst");
    compare(packed, "dutch-2017", 3439 + 35);
}
