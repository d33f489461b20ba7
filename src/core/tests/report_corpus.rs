//! Every round of the corpora as a user gives it: a report file is read, its code names the system,
//! and the pairs come out by the ids of the file.

#[path = "support/corpus.rs"]
#[allow(dead_code, reason = "each test uses its part")]
mod corpus;

use corpus::{Case, compare};
use flagfall_core::{
    tournament::{PairingSystem, trf},
    types::RoundNo,
};

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
    let paired = system?.system().pair(&request.input);
    case.difference(paired, |no| request.id(no).0)
}

#[test]
fn rules_of_2026() {
    let packed = include_bytes!("data/pairing/dutch-2026.jsonl.zst");
    compare(packed, [4897, 48], |case| difference(case, "dutch"));
}

#[test]
fn rules_of_2017() {
    let packed = include_bytes!("data/pairing/dutch-2017.jsonl.zst");
    compare(packed, [3439, 35], |case| difference(case, "dutch-2017"));
}
