//! Knock-out.

use std::collections::BTreeMap;

use flagfall_core::{
    pairing::{
        FormatError, FormatReason, Input, KnockOut, LotColour, PairingError, Presence,
        RoundPairing, System, UnpairedReason,
        knock_out::{DecidedBy, Decision, Places},
        lot::Lot,
    },
    types::{PlayerNo, Points, RoundNo},
};
use proptest::prelude::*;

use super::event::{everybody, game, input, pairs, play, round};

/// The smaller number wins.
fn favourite(white: u16, black: u16) -> u16 {
    if white < black { 2 } else { 0 }
}

fn meetings(round: &RoundPairing) -> Vec<(u16, u16)> {
    pairs(round)
        .into_iter()
        .map(|(white, black)| (white.min(black), white.max(black)))
        .collect()
}

fn reason(round: &RoundPairing, player: u16) -> UnpairedReason {
    round
        .unpaired
        .iter()
        .find(|own| own.player == PlayerNo(player))
        .map(|own| own.reason)
        .expect("he is left out")
}

fn rounds(system: &KnockOut, players: u16) -> (Vec<Vec<(u16, u16)>>, Input) {
    let mut all = Vec::new();
    let last = system.rounds(usize::from(players)).expect("there are two");
    let end = play(system, input(players, 1), last, favourite, |_, paired| {
        assert_eq!(everybody(paired), (1..=players).collect::<Vec<_>>());
        all.push(meetings(paired));
    });
    (all, end)
}

#[test]
fn eight_seeds() {
    let (all, end) = rounds(&KnockOut::single(1), 8);
    assert_eq!(
        all,
        [
            vec![(1, 8), (4, 5), (2, 7), (3, 6)],
            vec![(1, 4), (2, 3)],
            vec![(1, 2)],
        ]
    );
    let standing: Vec<(u16, u16, u16)> = KnockOut::single(1)
        .standing(&end)
        .unwrap()
        .iter()
        .map(|own| (own.player.0, own.first, own.last))
        .collect();
    assert_eq!(
        standing,
        [
            (1, 1, 1),
            (2, 2, 2),
            (3, 3, 4),
            (4, 3, 4),
            (5, 5, 8),
            (6, 5, 8),
            (7, 5, 8),
            (8, 5, 8),
        ]
    );
}

#[test]
fn the_top_seeds_go_on_without_a_game() {
    let system = KnockOut::single(1);
    let first = system.pair(&input(6, 1)).unwrap();
    assert_eq!(meetings(&first), [(4, 5), (3, 6)]);
    assert_eq!(first.bye, None, "going on is no bye of points");
    for player in [1, 2] {
        assert_eq!(reason(&first, player), UnpairedReason::GoesOn { stage: 1 });
    }
    let (all, _) = rounds(&system, 6);
    assert_eq!(all[1], [(1, 4), (2, 3)]);
}

#[test]
fn the_third_place_is_played_for_when_the_event_says_so() {
    let system = KnockOut {
        places: Places::Down { place: 3 },
        ..KnockOut::single(1)
    };
    let (all, end) = rounds(&system, 8);
    assert_eq!(all[2], [(1, 2), (3, 4)]);
    let standing = system.standing(&end).unwrap();
    assert_eq!(
        standing[2..4]
            .iter()
            .map(|own| (own.player.0, own.first))
            .collect::<Vec<_>>(),
        [(3, 3), (4, 4)]
    );
}

#[test]
fn all_places_of_six() {
    let system = KnockOut {
        places: Places::All,
        ..KnockOut::single(1)
    };
    let (all, end) = rounds(&system, 6);
    assert_eq!(
        all,
        [
            vec![(4, 5), (3, 6)],
            vec![(1, 4), (2, 3)],
            vec![(1, 2), (3, 4), (5, 6)],
        ]
    );
    let standing: Vec<(u16, u16, u16)> = system
        .standing(&end)
        .unwrap()
        .iter()
        .map(|own| (own.player.0, own.first, own.last))
        .collect();
    assert_eq!(standing, (1..=6).map(|n| (n, n, n)).collect::<Vec<_>>());
}

#[test]
fn a_level_match_needs_a_decision() {
    let mut system = KnockOut::single(1);
    let mut level = input(4, 2);
    level
        .history
        .push(round(1, vec![game(1, 4, 1), game(2, 3, 2)]));
    assert_eq!(
        system.pair(&level),
        Err(FormatError::Undecided {
            stage: 1,
            round: RoundNo(2),
            matches: vec![[PlayerNo(1), PlayerNo(4)]],
        }
        .into())
    );
    system.decisions.push(Decision {
        stage: Some(1),
        winner: PlayerNo(4),
        loser: PlayerNo(1),
        by: DecidedBy::PlayOff,
    });
    let final_round = system.pair(&level).unwrap();
    assert_eq!(meetings(&final_round), [(2, 4)]);
    assert_eq!(
        reason(&final_round, 1),
        UnpairedReason::KnockedOut { stage: 1, place: 3 }
    );
    let lot = Decision::by_lot(1, PlayerNo(4), PlayerNo(1), 9);
    assert_eq!(lot, Decision::by_lot(1, PlayerNo(1), PlayerNo(4), 9));
    let winners = (0..100)
        .filter(|&seed| Decision::by_lot(1, PlayerNo(4), PlayerNo(1), seed).winner == PlayerNo(1))
        .count();
    assert!((30..70).contains(&winners), "{winners}");
}

#[test]
fn who_leaves_loses_what_he_has_not_won() {
    let system = KnockOut::single(1);
    let mut left = input(4, 1);
    left.players[3].presence = Presence::Withdrawn;
    let first = system.pair(&left).unwrap();
    assert_eq!(meetings(&first), [(2, 3)]);
    assert!(matches!(
        reason(&first, 1),
        UnpairedReason::OpponentMissing { .. }
    ));
    left.history.push(round(1, vec![game(2, 3, 0)]));
    left.round = RoundNo(2);
    assert_eq!(meetings(&system.pair(&left).unwrap()), [(1, 3)]);
    // A winner who leaves later stays the winner of what he won.
    let mut later = input(4, 2);
    later
        .history
        .push(round(1, vec![game(1, 4, 2), game(2, 3, 2)]));
    later.players[0].presence = Presence::Withdrawn;
    assert_eq!(
        system.pair(&later),
        Err(PairingError::NobodyPresent { round: RoundNo(2) })
    );
    later.round = RoundNo(3);
    let standing = system.standing(&later).unwrap();
    assert_eq!(standing[0].player, PlayerNo(2), "he wins the final");
    assert_eq!(standing[1].player, PlayerNo(1));
}

#[test]
fn colours_alternate_else_balance_else_lot() {
    let colour = |history: &[(u16, u16)], a: u16, b: u16| {
        // A match for places 1 and 2 of two players, with games of others before it.
        let mut state = input(4, 2);
        state.history.push(round(
            1,
            history
                .iter()
                .map(|&(w, b)| game(w, b, favourite(w, b)))
                .collect(),
        ));
        let paired = KnockOut::single(5).pair(&state).unwrap();
        let pair = paired.pairs[0].clone();
        assert_eq!(meetings(&paired), [(a, b)]);
        let by = match pair.explanation {
            flagfall_core::pairing::Explanation::Format(FormatReason::KnockOut {
                colour, ..
            }) => colour,
            other => panic!("{other:?}"),
        };
        (pair.white.0, by)
    };
    assert_eq!(colour(&[(1, 4), (3, 2)], 1, 2), (2, LotColour::Alternate));
    assert_eq!(colour(&[(4, 1), (2, 3)], 1, 2), (1, LotColour::Alternate));
    assert!(matches!(
        colour(&[(1, 4), (2, 3)], 1, 2),
        (_, LotColour::Lot { seed: 5 })
    ));

    // Unequal numbers of games: 1 had a stage without a game.
    let mut state = input(3, 2);
    state.history.push(round(1, vec![game(2, 3, 2)]));
    let paired = KnockOut::single(5).pair(&state).unwrap();
    assert_eq!(pairs(&paired), [(1, 2)]);
    assert!(
        paired.pairs[0]
            .explanation
            .to_string()
            .ends_with("the one who has played alternates his colour.")
    );

    // 1: Black, White; 4: White, White; both are due Black, 4 has had White more often.
    let mut state = input(8, 3);
    state.history.push(round(
        1,
        vec![game(8, 1, 0), game(4, 5, 2), game(2, 7, 2), game(6, 3, 0)],
    ));
    state
        .history
        .push(round(2, vec![game(1, 4, 2), game(2, 3, 2)]));
    let paired = KnockOut::single(5).pair(&state).unwrap();
    assert_eq!(pairs(&paired), [(1, 2)], "2 has had White twice");
    assert!(
        paired.pairs[0]
            .explanation
            .to_string()
            .contains("had it less often")
    );
}

#[test]
fn matches_of_two_games() {
    let system = KnockOut {
        games: 2,
        ..KnockOut::single(3)
    };
    assert_eq!(system.rounds(4), Some(4));
    let first = system.pair(&input(4, 1)).unwrap();
    let mut state = input(4, 2);
    let played = |round: &RoundPairing| {
        pairs(round)
            .into_iter()
            .map(|(w, b)| game(w, b, favourite(w, b)))
            .collect::<Vec<_>>()
    };
    state.history.push(round(1, played(&first)));
    let second = system.pair(&state).unwrap();
    let turned: Vec<(u16, u16)> = pairs(&first).into_iter().map(|(w, b)| (b, w)).collect();
    assert_eq!(pairs(&second), turned);
    state.history.push(round(2, played(&second)));
    state.round = RoundNo(3);
    assert_eq!(meetings(&system.pair(&state).unwrap()), [(1, 2)]);

    // Four games: at 2½ to ½ the last is not played.
    let four = KnockOut {
        games: 4,
        ..KnockOut::single(3)
    };
    let mut state = input(2, 4);
    for (number, halves) in [(1, 2), (2, 2), (3, 1)] {
        state.history.push(round(number, vec![game(1, 2, halves)]));
    }
    assert_eq!(
        four.pair(&state),
        Err(PairingError::NobodyPresent { round: RoundNo(4) })
    );
    let mut more = input(4, 4);
    for (number, halves) in [(1, 2), (2, 2), (3, 1)] {
        more.history
            .push(round(number, vec![game(1, 4, halves), game(2, 3, 1)]));
    }
    let last = four.pair(&more).unwrap();
    assert_eq!(meetings(&last), [(2, 3)]);
    assert_eq!(
        reason(&last, 4),
        UnpairedReason::MatchDecided {
            opponent: PlayerNo(1)
        }
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn places_are_all_different_when_all_are_played_for(players in 2_u16..=40, seed: u64, games in 1_u16..=2) {
        let system = KnockOut { places: Places::All, games, ..KnockOut::single(seed) };
        let mut lot = Lot::new(seed);
        let mut strength: Vec<usize> = (0..usize::from(players)).collect();
        lot.shuffle(&mut strength);
        let stronger = |white: u16, black: u16| {
            if strength[usize::from(white) - 1] < strength[usize::from(black) - 1] { 2 } else { 0 }
        };
        let last = system.rounds(usize::from(players)).unwrap();
        let mut met: BTreeMap<(u16, u16), u16> = BTreeMap::new();
        let end = play(&system, input(players, 1), last, stronger, |_, paired| {
            assert_eq!(everybody(paired), (1..=players).collect::<Vec<_>>());
            for pair in meetings(paired) {
                *met.entry(pair).or_default() += 1;
            }
        });
        let standing = system.standing(&end).unwrap();
        let places: Vec<(u16, u16)> = standing.iter().map(|own| (own.first, own.last)).collect();
        prop_assert_eq!(places, (1..=players).map(|n| (n, n)).collect::<Vec<_>>());
        let best = (1..=players).min_by_key(|&n| strength[usize::from(n) - 1]).unwrap();
        prop_assert_eq!(standing[0].player, PlayerNo(best), "the strongest wins");
        prop_assert!(met.values().all(|&times| times == games));
    }

    #[test]
    fn one_is_left_at_the_end(players in 2_u16..=64, seed: u64) {
        let system = KnockOut::single(seed);
        let mut games = 0;
        let last = system.rounds(usize::from(players)).unwrap();
        let end = play(&system, input(players, 1), last, favourite, |_, paired| {
            games += paired.pairs.len();
        });
        prop_assert_eq!(games, usize::from(players) - 1, "everybody else loses once");
        prop_assert_eq!(system.standing(&end).unwrap().len(), usize::from(players));
        prop_assert_eq!(end.history.iter().flat_map(|r| &r.games).map(|g| g.white_points + g.black_points).sum::<Points>(), Points(2 * (players - 1)));
    }
}

#[test]
fn the_explanation_is_a_sentence() {
    let system = KnockOut {
        places: Places::All,
        ..KnockOut::single(1)
    };
    let mut state = input(4, 2);
    state
        .history
        .push(round(1, vec![game(1, 4, 2), game(3, 2, 0)]));
    let paired = system.pair(&state).unwrap();
    assert_eq!(
        paired.pairs[1].explanation.to_string(),
        "Stage 2 of the knock-out pairs seed 4 (White) with seed 3 (Black) for places 3 to 4; both \
         alternate their colours."
    );
}
