//! The checker against the corpora: what the programs of reference paired breaks no basic rule but
//! those that the last round excuses, and a pairing spoilt by hand does.

#[path = "support/corpus.rs"]
#[allow(dead_code, reason = "each test uses its part")]
mod corpus;
#[path = "support/trf.rs"]
mod trf;

use flagfall_core::{
    pairing::{
        Input,
        check::{Breach, Excuse, Finding, Proposed, Rules, check},
    },
    types::PlayerNo,
};

struct Counts {
    rounds: usize,
    excused: usize,
}

fn compare(packed: &[u8], rules: Rules) -> Counts {
    let mut counts = Counts {
        rounds: 0,
        excused: 0,
    };
    for tournament in corpus::read::<corpus::Tournament>(packed) {
        for case in tournament.cases {
            let Some(pairs) = case.pairs else { continue };
            let input = trf::input(&case.trf, case.round);
            let proposed = Proposed {
                pairs: pairs
                    .iter()
                    .map(|&(white, black)| (PlayerNo(white), PlayerNo(black)))
                    .collect(),
                byes: case.bye.map(PlayerNo).into_iter().collect(),
                ..Proposed::default()
            };
            let findings = check(&input, &proposed, rules).expect("the history is sound");
            let name = format!("{} round {}", tournament.id, case.round);
            for finding in &findings {
                assert!(
                    matches!(finding.excuse, Some(Excuse::Topscorers { .. })),
                    "{name}: {finding}"
                );
            }
            counts.excused += findings.len();
            counts.rounds += 1;
            spoil(&input, &proposed, rules, &name);
        }
    }
    counts
}

/// Each way to spoil a pairing is found.
fn spoil(input: &Input, proposed: &Proposed, rules: Rules, name: &str) {
    let found = |spoilt: &Proposed, is: &dyn Fn(&Breach) -> bool| {
        let findings = check(input, spoilt, rules).expect("the history is sound");
        assert!(
            findings.iter().any(|finding| is(&finding.breach)),
            "{name}: {findings:?}"
        );
    };
    let mut without = proposed.clone();
    if let Some((white, black)) = without.pairs.pop() {
        let gone = [white, black];
        found(
            &without,
            &|b| matches!(b, Breach::Missing { player } if gone.contains(player)),
        );
    }
    // The first pair that met in the history meets again.
    let played = input.history.iter().flat_map(|round| &round.games);
    if let Some(game) = played.clone().find(|game| game.played) {
        let mut again = proposed.clone();
        again.pairs.push((game.black, game.white));
        found(
            &again,
            &|b| matches!(b, Breach::Rematch { white, .. } if *white == game.black),
        );
    }
    let met = |finding: &Finding| matches!(finding.breach, Breach::Repeated { .. });
    let mut twice = proposed.clone();
    twice.pairs.extend(proposed.pairs.first().copied());
    let findings = check(input, &twice, rules).expect("the history is sound");
    assert_eq!(findings.iter().filter(|f| met(f)).count(), 2, "{name}");
}

#[test]
fn pairings_of_2026_break_no_rule() {
    let packed = include_bytes!("data/pairing/dutch-2026.jsonl.zst");
    let counts = compare(packed, Rules::DUTCH);
    assert_eq!(counts.rounds, 4897);
    assert!(counts.excused > 0, "topscorers occur");
}

#[test]
fn pairings_of_2017_break_no_rule() {
    let packed = include_bytes!("data/pairing/dutch-2017.jsonl.zst");
    let counts = compare(packed, Rules::DUTCH_2017);
    assert_eq!(counts.rounds, 3439);
    assert!(counts.excused > 0, "topscorers occur");
}
