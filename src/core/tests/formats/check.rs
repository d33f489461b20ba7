//! The checker: each basic rule broken once, and what is excused.

use flagfall_core::{
    pairing::{
        FixedPair, Forbidden, Input, PlayedGame, Presence, RoundRobin, System, UnpairedKind,
        UnpairedScore,
        check::{Breach, ColourLimits, Excuse, Finding, Proposed, Rules, check},
        swiss::dutch::Dutch,
    },
    types::{Color, PlayerNo, Points, RoundNo},
};
use proptest::prelude::*;

use super::event::{game, input, no, pairs, play, round};

fn proposed(pairs: &[(u16, u16)], byes: &[u16]) -> Proposed {
    Proposed {
        pairs: pairs
            .iter()
            .map(|&(white, black)| (PlayerNo(white), PlayerNo(black)))
            .collect(),
        byes: no(byes),
        ..Proposed::default()
    }
}

fn found(input: &Input, pairs: &[(u16, u16)], byes: &[u16]) -> Vec<Finding> {
    check(input, &proposed(pairs, byes), Rules::DUTCH).expect("the state is sound")
}

fn breaches(input: &Input, pairs: &[(u16, u16)], byes: &[u16]) -> Vec<Breach> {
    found(input, pairs, byes)
        .into_iter()
        .map(|finding| finding.breach)
        .collect()
}

#[test]
fn a_correct_pairing_has_no_findings() {
    assert_eq!(found(&input(4, 1), &[(1, 3), (4, 2)], &[]), []);
    assert_eq!(found(&input(3, 1), &[(1, 2)], &[3]), []);
}

#[test]
fn everybody_once() {
    let mut five = input(5, 1);
    five.players[3].presence = Presence::Absent;
    five.players[4].presence = Presence::Withdrawn;
    assert_eq!(
        breaches(&five, &[(1, 9), (1, 5), (2, 2)], &[4]),
        [
            Breach::Repeated {
                player: PlayerNo(1),
                times: 2
            },
            Breach::Repeated {
                player: PlayerNo(2),
                times: 2
            },
            Breach::NotThere {
                player: PlayerNo(4),
                withdrawn: false
            },
            Breach::NotThere {
                player: PlayerNo(5),
                withdrawn: true
            },
            Breach::Unknown {
                player: PlayerNo(9)
            },
            Breach::Missing {
                player: PlayerNo(3)
            },
            Breach::AgainstHimself {
                player: PlayerNo(2)
            },
        ]
    );
}

#[test]
fn rematches_but_not_after_a_forfeit() {
    let mut state = input(4, 3);
    let forfeit = PlayedGame {
        played: false,
        ..game(3, 4, 2)
    };
    state.history = vec![
        round(1, vec![game(1, 2, 1), forfeit]),
        round(2, vec![game(3, 1, 1), game(4, 2, 1)]),
    ];
    let findings = found(&state, &[(2, 1), (4, 3)], &[]);
    assert_eq!(
        findings.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["2 and 1 have met before, in round 1 (C.04.1, 2)."]
    );
    let twice = check(
        &state,
        &proposed(&[(2, 1), (4, 3)], &[]),
        Rules::schedule(2),
    );
    assert_eq!(twice, Ok(vec![]), "a double round robin may");
}

#[test]
fn byes() {
    let mut state = input(5, 3);
    state.history = vec![
        round(1, vec![game(1, 2, 2), game(3, 4, 2)]),
        round(
            2,
            vec![
                game(2, 3, 1),
                PlayedGame {
                    played: false,
                    ..game(4, 1, 2)
                },
            ],
        ),
    ];
    state.history[0].unpaired.push(UnpairedScore {
        player: PlayerNo(5),
        points: Points::ONE,
        kind: UnpairedKind::PairingAllocated,
    });
    state.history[1].unpaired.push(UnpairedScore {
        player: PlayerNo(5),
        points: Points::HALF,
        kind: UnpairedKind::HalfPoint,
    });
    assert_eq!(
        breaches(&state, &[(3, 1), (4, 2)], &[5]),
        [Breach::SecondBye {
            player: PlayerNo(5),
            round: RoundNo(1)
        }]
    );
    assert_eq!(
        breaches(&state, &[(3, 1), (5, 2)], &[4]),
        [Breach::ByeBarred {
            player: PlayerNo(4),
            round: RoundNo(2),
            points: Points::ONE
        }]
    );
    assert_eq!(
        found(&state, &[(3, 5), (4, 2)], &[1]),
        [],
        "lost by forfeit"
    );
    let mut even = input(4, 1);
    assert_eq!(
        breaches(&even, &[(1, 2)], &[3, 4]),
        [
            Breach::SeveralByes {
                players: no(&[3, 4])
            },
            Breach::ByeOfEven {
                player: PlayerNo(3),
                paired: 4
            },
        ]
    );
    even.players[3].presence = Presence::Absent;
    assert_eq!(found(&even, &[(1, 2)], &[3]), []);
}

#[test]
fn a_requested_full_point_bars_since_2026_only() {
    let mut state = input(3, 2);
    state.history = vec![round(1, vec![game(1, 2, 2)])];
    state.history[0].unpaired.push(UnpairedScore {
        player: PlayerNo(3),
        points: Points::ONE,
        kind: UnpairedKind::FullPoint,
    });
    let pairing = proposed(&[(1, 2)], &[3]);
    let barred = |rules| {
        let findings = check(&state, &pairing, rules).unwrap();
        findings
            .iter()
            .any(|f| matches!(f.breach, Breach::ByeBarred { .. }))
    };
    assert!(barred(Rules::DUTCH));
    assert!(!barred(Rules::DUTCH_2017));
}

/// 1 had White twice, 2 and 4 had Black twice, 3 had White twice; 1 and 3 have won everything.
fn two_rounds(last: u16) -> Input {
    let mut state = input(8, 3);
    state.settings.rounds = Some(last);
    state.history = vec![
        round(
            1,
            vec![game(1, 2, 2), game(3, 4, 2), game(5, 6, 1), game(7, 8, 1)],
        ),
        round(
            2,
            vec![game(1, 4, 2), game(3, 2, 2), game(6, 7, 1), game(8, 5, 1)],
        ),
    ];
    state
}

#[test]
fn colours() {
    let state = two_rounds(9);
    assert_eq!(
        found(&state, &[(1, 3), (2, 8), (4, 7), (5, 6)], &[]),
        [
            Breach::ThirdColour {
                player: PlayerNo(1),
                colour: Color::White
            }
            .into(),
            Breach::ColourDifference {
                player: PlayerNo(1),
                difference: 3
            }
            .into(),
            Breach::Rematch {
                white: PlayerNo(5),
                black: PlayerNo(6),
                before: RoundNo(1),
                times: 1
            }
            .into(),
        ]
    );
    assert_eq!(
        breaches(&state, &[(1, 7), (8, 3), (2, 5), (4, 6)], &[])[2..],
        [Breach::ColoursTurned {
            white: PlayerNo(1),
            black: PlayerNo(7)
        }],
        "7 is due White"
    );
    let denied: Vec<String> = found(&state, &[(6, 2), (5, 1), (7, 3), (4, 8)], &[])
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        denied,
        [
            "2 has Black for the third time running, twice is the limit (C.04.1, 7).",
            "2 has 3 Black more than White, 2 is the limit (C.04.1, 6).",
            "6 (White) and 2 (Black) would both get the colour that they are due the other way \
             round (C.04.1, 8).",
        ]
    );
}

#[test]
fn the_stronger_preference_comes_first() {
    // 1 and 2 are both due Black: 1 strongly, 2 mildly.
    let mut state = input(6, 4);
    state.history = vec![
        round(1, vec![game(1, 3, 1), game(4, 2, 1)]),
        round(2, vec![game(5, 1, 1), game(2, 6, 1)]),
        round(3, vec![game(1, 4, 1), game(3, 6, 1)]),
    ];
    let findings = found(&state, &[(1, 2), (3, 5), (6, 4)], &[]);
    assert_eq!(
        findings[0].to_string(),
        "1 is due Black more than 2, who has it (C.04.1, 8)."
    );
}

#[test]
fn topscorers_are_excused_in_the_last_round() {
    let topscorers = |limits, last| {
        let rules = Rules {
            colours: limits,
            ..Rules::DUTCH
        };
        check(
            &two_rounds(last),
            &proposed(&[(1, 3), (2, 8), (4, 7), (5, 6)], &[]),
            rules,
        )
        .unwrap()
        .into_iter()
        .filter(|finding| !matches!(finding.breach, Breach::Rematch { .. }))
        .map(|finding| finding.excuse)
        .collect::<Vec<_>>()
    };
    let excused = Some(Excuse::Topscorers {
        players: no(&[1, 3]),
    });
    let over_half = ColourLimits::LastRoundOverHalf;
    assert_eq!(topscorers(over_half, 3), [excused.clone(), excused]);
    assert_eq!(topscorers(over_half, 4), [None, None], "not the last round");
    assert_eq!(topscorers(ColourLimits::Always, 3), [None, None]);
    assert_eq!(topscorers(ColourLimits::Never, 3), []);
    // 5 to 8 have exactly half of the points.
    let half = |limits| {
        let mut state = two_rounds(3);
        state.history[1].games[3] = game(5, 8, 1);
        let rules = Rules {
            colours: limits,
            ..Rules::DUTCH
        };
        check(
            &state,
            &proposed(&[(5, 2), (4, 6), (7, 1), (8, 3)], &[]),
            rules,
        )
        .unwrap()[0]
            .excuse
            .is_some()
    };
    assert!(!half(over_half));
    assert!(half(ColourLimits::LastRoundHalf));
}

#[test]
fn forbidden_and_fixed_pairs() {
    let mut state = input(4, 2);
    state.settings.forbidden.push(Forbidden {
        players: no(&[1, 2, 4]),
        first: RoundNo(2),
        last: Some(RoundNo(3)),
    });
    let findings = found(&state, &[(1, 2), (3, 4)], &[]);
    assert_eq!(
        findings[0].to_string(),
        "1 and 2 must not meet in rounds from 2 to 3 (event rules)."
    );
    assert_eq!(findings.len(), 1);
    state.round = RoundNo(4);
    assert_eq!(found(&state, &[(1, 2), (3, 4)], &[]), []);

    state.round = RoundNo(2);
    state.settings.fixed.push(FixedPair {
        round: RoundNo(2),
        white: PlayerNo(1),
        black: PlayerNo(2),
    });
    let findings = found(&state, &[(1, 2), (3, 4)], &[]);
    assert_eq!(findings[0].excuse, Some(Excuse::SetByArbiter));
    assert_eq!(
        breaches(&state, &[(2, 1), (3, 4)], &[])[1],
        Breach::FixedPairMissing {
            white: PlayerNo(1),
            black: PlayerNo(2)
        },
        "the colours are part of it"
    );
}

#[test]
fn a_round_robin_with_missing_players_is_correct() {
    let mut state = input(5, 1);
    state.players[1].presence = Presence::Absent;
    let paired = RoundRobin::SINGLE.pair(&state).unwrap();
    assert_eq!(
        check(&state, &Proposed::from(&paired), Rules::schedule(1)),
        Ok(vec![])
    );
    state.players[1].presence = Presence::Present;
    let breaches = check(&state, &Proposed::from(&paired), Rules::schedule(1)).unwrap();
    assert_eq!(
        breaches,
        [Breach::Missing {
            player: PlayerNo(2)
        }
        .into()],
        "he has come after all"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(25))]

    #[test]
    fn what_the_dutch_system_pairs_breaks_no_rule(players in 10_u16..=20, results in prop::collection::vec(0_u16..=2, 40)) {
        let mut at = 0;
        let mut start = input(players, 1);
        start.settings.rounds = Some(5);
        let mut had_bye = Vec::new();
        let mut states: Vec<(Input, Proposed)> = Vec::new();
        let mut state = start;
        for number in 1..=5 {
            state.round = RoundNo(number);
            let paired = Dutch::FIDE_2026.pair(&state).unwrap();
            states.push((state.clone(), Proposed::from(&paired)));
            let games = pairs(&paired)
                .into_iter()
                .map(|(white, black)| {
                    at += 1;
                    game(white, black, results[at % results.len()])
                })
                .collect();
            let mut played = round(number, games);
            if let Some(bye) = &paired.bye {
                had_bye.push(bye.player);
                played.unpaired.push(UnpairedScore {
                    player: bye.player,
                    points: Points::ONE,
                    kind: UnpairedKind::PairingAllocated,
                });
            }
            state.history.push(played);
        }
        for (state, pairing) in states {
            let findings = check(&state, &pairing, Rules::DUTCH).unwrap();
            prop_assert!(findings.iter().all(|f| f.excuse.is_some()), "{:?}", findings);
        }
    }

    #[test]
    fn what_the_round_robin_pairs_breaks_no_rule(players in 3_u16..=14) {
        let rounds = RoundRobin::SINGLE.rounds(usize::from(players)).unwrap();
        play(&RoundRobin::SINGLE, input(players, 1), rounds, |_, _| 1, |input, paired| {
            assert_eq!(check(input, &Proposed::from(paired), Rules::schedule(1)), Ok(vec![]));
        });
    }
}
