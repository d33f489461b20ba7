//! Every round of the corpora for Dubov and Burstein is paired like the reference: White, Black and
//! the bye; what has no legal pairing is refused.

#[path = "support/corpus.rs"]
#[allow(dead_code, reason = "each test uses its part")]
mod corpus;
#[path = "support/trf.rs"]
mod trf;

use corpus::{Case, compare};
use flagfall_core::pairing::{
    System,
    swiss::{burstein::Burstein, dubov::Dubov},
};

/// What is wrong with a case, if anything.
fn difference(system: &dyn System, case: &Case) -> Option<String> {
    case.difference(system.pair(&trf::input(&case.trf, case.round)), |no| no.0)
}

#[test]
fn dubov() {
    let packed = include_bytes!("data/pairing/dubov-2026.jsonl.zst");
    compare(packed, [948, 8], |case| difference(&Dubov, case));
}

#[test]
fn burstein() {
    let packed = include_bytes!("data/pairing/burstein-2026.jsonl.zst");
    compare(packed, [1048, 10], |case| difference(&Burstein, case));
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
