//! What holds for every field: the Dutch system equals its text taken at its word, never breaks an
//! absolute criterion, and minds neither the order of the input nor who is not there.

#[path = "support/literal.rs"]
mod literal;
#[path = "support/random.rs"]
mod random;

use std::collections::BTreeSet;

use flagfall_core::{
    pairing::{
        Entrant, Explanation, FixedPair, Hindrance, Input, PairingError, Presence, RoundPairing,
        System,
        swiss::{ByeBar, Field, dutch::Dutch},
    },
    types::{PlayerNo, RoundNo},
};
use proptest::prelude::*;
use random::Dice;

const SYSTEMS: [Dutch; 2] = [Dutch::FIDE_2026, Dutch::FIDE_2017];

/// The pairs without their colours, and the bye.
fn unordered(paired: &RoundPairing) -> (BTreeSet<(PlayerNo, PlayerNo)>, Option<PlayerNo>) {
    let pairs = paired
        .pairs
        .iter()
        .map(|pair| (pair.white.min(pair.black), pair.white.max(pair.black)))
        .collect();
    (pairs, paired.bye.as_ref().map(|bye| bye.player))
}

/// What is wrong with a pairing by the absolute criteria.
fn faults(input: &Input, paired: &RoundPairing, bar: ByeBar) -> Vec<String> {
    let field = Field::new(input).expect("the field is sound");
    let index = |no: PlayerNo| {
        field
            .players()
            .iter()
            .position(|p| p.no == no)
            .expect("he is entered")
    };
    let mut faults = Vec::new();
    let mut seen = BTreeSet::new();
    let named = paired
        .pairs
        .iter()
        .flat_map(|pair| [pair.white, pair.black])
        .chain(paired.bye.iter().map(|bye| bye.player));
    for no in named {
        if !seen.insert(no) {
            faults.push(format!("{no} twice"));
        }
    }
    let present = input
        .players
        .iter()
        .filter(|entrant| entrant.presence == Presence::Present);
    if seen != present.map(|entrant| entrant.no).collect() {
        faults.push("not everybody who is present is in the round".into());
    }
    for pair in &paired.pairs {
        let met = input
            .history
            .iter()
            .flat_map(|past| &past.games)
            .any(|game| {
                game.played
                    && BTreeSet::from([game.white, game.black])
                        == BTreeSet::from([pair.white, pair.black])
            });
        let forbidden = input.settings.forbidden.iter().any(|group| {
            group.players.contains(&pair.white) && group.players.contains(&pair.black)
        });
        if met || forbidden {
            faults.push(format!("{} and {} must not meet", pair.white, pair.black));
        }
        let (w, b) = (index(pair.white), index(pair.black));
        let (white, black) = (field.player(w).preference, field.player(b).preference);
        let excepted = field.is_topscorer(w) || field.is_topscorer(b);
        if white.is_absolute() && white == black && !excepted {
            faults.push(format!(
                "{} and {} are due the same",
                pair.white, pair.black
            ));
        }
    }
    if let Some(bye) = &paired.bye {
        let player = field.player(index(bye.player));
        if player.bye_barred(bar, &field.scoring) {
            faults.push(format!("the bye is barred to {}", bye.player));
        }
    }
    faults
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn equals_the_text_taken_at_its_word(
        players in 2_u16..=8,
        round in 1_u16..=6,
        seed in any::<u64>(),
    ) {
        let input = random::input(players, round, seed);
        let field = Field::new(&input).unwrap();
        let no = |i: usize| field.player(i).no;
        let expected = literal::pair(&field).map(|(pairs, bye)| {
            let pairs: BTreeSet<_> = pairs.into_iter().map(|(a, b)| (no(a), no(b))).collect();
            (pairs, bye.map(no))
        });
        let ours = match Dutch::FIDE_2026.pair(&input) {
            Ok(paired) => Some(unordered(&paired)),
            Err(PairingError::Impossible { .. }) => None,
            Err(other) => return Err(TestCaseError::fail(other.to_string())),
        };
        prop_assert_eq!(ours, expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn absolute_criteria_are_never_broken(
        players in 2_u16..=60,
        round in 1_u16..=9,
        seed in any::<u64>(),
    ) {
        let input = random::input(players, round, seed);
        for (system, bar) in SYSTEMS.into_iter().zip([ByeBar::WinUnplayed, ByeBar::ForfeitWin]) {
            match system.pair(&input) {
                Ok(paired) => {
                    prop_assert_eq!(faults(&input, &paired, bar), Vec::<String>::new());
                }
                Err(PairingError::Impossible { round, present, article, hindrance }) => {
                    prop_assert_eq!((round, present), (input.round, usize::from(players)));
                    prop_assert!(article.starts_with("C.04.3"));
                    prop_assert_ne!(hindrance, Hindrance::Unknown);
                }
                Err(other) => return Err(TestCaseError::fail(other.to_string())),
            }
        }
    }

    #[test]
    fn order_of_the_input_and_absent_players_change_nothing(
        players in 2_u16..=40,
        round in 1_u16..=7,
        seed in any::<u64>(),
    ) {
        let input = random::input(players, round, seed);
        let mut other = input.clone();
        let mut dice = Dice::new(seed ^ 1);
        let absent = PlayerNo(1 + dice.below(usize::from(players) * 10) as u16);
        if !absent.0.is_multiple_of(10) {
            other.players.push(Entrant {
                presence: Presence::Absent,
                ..Entrant::present(absent)
            });
        }
        dice.shuffle(&mut other.players);
        dice.shuffle(&mut other.history);
        for past in &mut other.history {
            dice.shuffle(&mut past.games);
            dice.shuffle(&mut past.unpaired);
        }
        for system in SYSTEMS {
            let paired = system.pair(&input).map(|round| (round.pairs, round.bye));
            let again = system.pair(&other).map(|round| (round.pairs, round.bye));
            prop_assert_eq!(paired, again);
        }
    }

    #[test]
    fn explanations_are_kept_as_data(
        players in 2_u16..=20,
        round in 1_u16..=5,
        seed in any::<u64>(),
    ) {
        let input = random::input(players, round, seed);
        if let Ok(paired) = Dutch::FIDE_2026.pair(&input) {
            let text = serde_json::to_string(&paired).unwrap();
            let again: RoundPairing = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(&paired, &again);
            for pair in &paired.pairs {
                prop_assert!(matches!(pair.explanation, Explanation::DutchPair(_)));
                prop_assert!(pair.explanation.to_string().ends_with('.'));
            }
        }
    }
}

#[test]
fn nobody_present_is_said() {
    let mut input = random::input(4, 1, 0);
    for entrant in &mut input.players {
        entrant.presence = Presence::Absent;
    }
    let error = PairingError::NobodyPresent { round: RoundNo(1) };
    assert_eq!(Dutch::FIDE_2026.pair(&input), Err(error.clone()));
    // One alone is no round either: he would only get a bye.
    input.players[2].presence = Presence::Present;
    assert_eq!(Dutch::FIDE_2026.pair(&input), Err(error));
}

#[test]
fn a_fixed_pair_stands() {
    let mut input = random::input(6, 1, 5);
    input.settings.forbidden.clear();
    input.settings.fixed = vec![FixedPair {
        round: RoundNo(1),
        white: PlayerNo(60),
        black: PlayerNo(20),
    }];
    let paired = Dutch::FIDE_2026.pair(&input).unwrap();
    let pairs = unordered(&paired).0;
    let expected = [(10, 40), (20, 60), (30, 50)].map(|(a, b)| (PlayerNo(a), PlayerNo(b)));
    assert_eq!(pairs, BTreeSet::from(expected));
    assert!(paired.pairs.iter().any(|pair| pair.white == PlayerNo(60)));
}

#[test]
fn a_fixed_pair_of_somebody_absent_is_refused() {
    let mut input = random::input(6, 1, 5);
    input.players[1].presence = Presence::Absent;
    let (white, black) = (PlayerNo(60), PlayerNo(20));
    input.settings.fixed = vec![FixedPair {
        round: RoundNo(1),
        white,
        black,
    }];
    assert_eq!(
        Dutch::FIDE_2026.pair(&input),
        Err(PairingError::FixedPairUnusable { white, black })
    );
}
