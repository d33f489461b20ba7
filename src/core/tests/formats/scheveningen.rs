//! Scheveningen.

use std::collections::{BTreeMap, BTreeSet};

use flagfall_core::{
    pairing::{FormatError, PairingError, Presence, Scheveningen, System, UnpairedReason},
    types::PlayerNo,
};
use proptest::prelude::*;

use super::event::{everybody, input, no, pairs, play};

fn sides(size: u16, cycles: u16) -> Scheveningen {
    Scheveningen {
        first: (1..=size).map(PlayerNo).collect(),
        second: (size + 1..=2 * size).map(PlayerNo).collect(),
        cycles,
    }
}

/// The colours of everybody over a whole event, true = White.
fn colours(size: u16, cycles: u16) -> BTreeMap<u16, Vec<bool>> {
    let system = sides(size, cycles);
    let mut colours: BTreeMap<u16, Vec<bool>> = BTreeMap::new();
    play(
        &system,
        input(2 * size, 1),
        size * cycles,
        |_, _| 1,
        |_, paired| {
            for (white, black) in pairs(paired) {
                colours.entry(white).or_default().push(true);
                colours.entry(black).or_default().push(false);
            }
        },
    );
    colours
}

fn difference(colours: &[bool]) -> i32 {
    colours
        .iter()
        .map(|&white| if white { 1 } else { -1 })
        .sum()
}

fn longest_run(colours: &[bool]) -> usize {
    colours
        .chunk_by(|a, b| a == b)
        .map(<[bool]>::len)
        .max()
        .unwrap_or(0)
}

#[test]
fn four_a_side() {
    let rounds: Vec<_> = (1..=4)
        .map(|round| pairs(&sides(4, 1).pair(&input(8, round)).unwrap()))
        .collect();
    assert_eq!(
        rounds,
        [
            [(1, 5), (2, 6), (7, 3), (8, 4)],
            [(6, 1), (7, 2), (3, 8), (4, 5)],
            [(1, 7), (2, 8), (5, 3), (6, 4)],
            [(8, 1), (5, 2), (3, 6), (4, 7)],
        ]
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn everybody_meets_the_other_side_as_often_as_promised(size in 1_u16..=24, cycles in 1_u16..=3) {
        let system = sides(size, cycles);
        prop_assert_eq!(system.rounds(usize::from(2 * size)), Some(size * cycles));
        let mut met: BTreeMap<(u16, u16), u16> = BTreeMap::new();
        play(&system, input(2 * size, 1), size * cycles, |_, _| 1, |_, paired| {
            assert_eq!(everybody(paired), (1..=2 * size).collect::<Vec<_>>());
            for (white, black) in pairs(paired) {
                let pair = (white.min(black), white.max(black));
                assert!(pair.0 <= size && pair.1 > size, "{pair:?} are of one side");
                *met.entry(pair).or_default() += 1;
            }
        });
        prop_assert_eq!(met.len(), usize::from(size) * usize::from(size));
        prop_assert!(met.values().all(|&times| times == cycles));
    }

    #[test]
    fn colours_are_as_level_as_promised(size in 2_u16..=40) {
        for (player, colours) in colours(size, 1) {
            let most = match size % 4 {
                0 => 0,
                2 => 2,
                _ => 3,
            };
            prop_assert!(difference(&colours).abs() <= most, "{}: {:?}", player, colours);
            let run = if size == 3 { 3 } else { 2 };
            prop_assert!(longest_run(&colours) <= run, "{}: {:?}", player, colours);
        }
        for (player, colours) in colours(size, 2) {
            prop_assert_eq!(difference(&colours), 0);
            let run = if size == 3 { 3 } else { 2 };
            prop_assert!(longest_run(&colours) <= run, "{}: {:?}", player, colours);
        }
        for (player, colours) in colours(size, 4) {
            let run = if size == 3 { 3 } else { 2 };
            prop_assert!(longest_run(&colours) <= run, "{}: {:?}", player, colours);
        }
    }

    #[test]
    fn rounds_are_level_between_the_sides(size in 1_u16..=30) {
        for round in 1..=size {
            let paired = sides(size, 1).pair(&input(2 * size, round)).unwrap();
            let whites = pairs(&paired).iter().filter(|&&(white, _)| white <= size).count();
            prop_assert!((2 * whites).abs_diff(usize::from(size)) <= usize::from(size % 2));
        }
    }
}

#[test]
fn a_drawing_repeats_and_keeps_the_sides_together() {
    let (one, other) = (no(&[1, 2, 3, 4, 5, 6]), no(&[7, 8, 9, 10, 11, 12]));
    let drawn = |seed| Scheveningen::drawn(&one, &other, 1, seed);
    assert_eq!(drawn(3), drawn(3));
    let mut firsts = BTreeSet::new();
    for seed in 0..40 {
        let mut sides = drawn(seed);
        sides.first.sort_unstable();
        sides.second.sort_unstable();
        assert!((sides.first == one) != (sides.first == other));
        assert!((sides.second == one) != (sides.second == other));
        firsts.insert(sides.first);
    }
    assert_eq!(firsts.len(), 2, "either side can come first");
}

#[test]
fn a_missing_player_leaves_his_opponent_without_a_game() {
    let mut missing = input(4, 1);
    missing.players[0].presence = Presence::Withdrawn;
    let paired = sides(2, 1).pair(&missing).unwrap();
    assert_eq!(pairs(&paired), [(4, 2)]);
    assert_eq!(everybody(&paired), [1, 2, 3, 4]);
    assert!(matches!(
        paired.unpaired[1].reason,
        UnpairedReason::OpponentMissing { opponent } if opponent.player == PlayerNo(1)
    ));
}

#[test]
fn wrong_sides_are_refused_in_words() {
    let format = |system: &Scheveningen| match system.pair(&input(4, 1)) {
        Err(PairingError::Format(error)) => error,
        other => panic!("{other:?}"),
    };
    let mut uneven = sides(2, 1);
    let gone = uneven.second.pop().unwrap();
    assert_eq!(
        format(&uneven).to_string(),
        "the sides have 2 and 1 players; a Scheveningen event needs as many on both: add a reserve \
         to the smaller side or take a player off the larger one"
    );
    uneven.first.pop();
    assert_eq!(
        format(&uneven),
        FormatError::OnNoSide {
            player: PlayerNo(2)
        }
    );
    let mut twice = sides(2, 1);
    twice.second[1] = PlayerNo(1);
    assert_eq!(
        format(&twice),
        FormatError::SideUnusable {
            player: PlayerNo(1)
        }
    );
    assert_eq!(gone, PlayerNo(4));
    assert_eq!(
        sides(2, 1).pair(&input(4, 3)),
        Err(PairingError::NoSuchRound {
            round: flagfall_core::types::RoundNo(3),
            rounds: 2
        })
    );
}

#[test]
fn the_explanation_is_a_sentence() {
    let paired = sides(2, 2).pair(&input(4, 3)).unwrap();
    assert_eq!(
        paired.pairs[0].explanation.to_string(),
        "Everybody meets everybody of the other side: the table pairs number 1 of the first side \
         (White) with number 2 of the second (Black) in its round 2; this is cycle 2, with the \
         colours reversed."
    );
}
