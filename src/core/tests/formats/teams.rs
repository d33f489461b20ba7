//! C.04.6 and C.04.5 against the text read literally; then colours, boards and scores.

use std::collections::BTreeSet;

use flagfall_core::{
    pairing::{
        Acceleration, Explanation, FormatError, FormatReason, Input, PairingError, PlayedGame,
        PlayedRound, Presence, RoundPairing, System, TeamColourRule, UnpairedKind, UnpairedScore,
        berger::berger_round,
        check::{Proposed, Rules, check},
        lot::Lot,
        swiss::double::{self, DoubleSwiss},
        team::{
            MATCH_POINTS, PrimaryScore, TeamMatch, TeamPreferences, TeamRound, TeamSwiss,
            TeamUnpaired,
        },
    },
    types::{Color, PlayerNo, Points, RoundNo},
};
use proptest::prelude::*;

use super::event::{everybody, game, input, pairs, round};
use super::literal::{Kind, Literal};

/// An event with rounds made at random: forfeits, byes and rematches happen.
fn random(teams: u16, past: u16, rounds: u16, seed: u64) -> Input {
    let mut lot = Lot::new(seed);
    let mut state = input(teams, past + 1);
    state.settings.rounds = Some(rounds);
    state.settings.scoring = MATCH_POINTS;
    for number in 1..=past {
        let mut order: Vec<u16> = (1..=teams).collect();
        lot.shuffle(&mut order);
        let games = order
            .chunks_exact(2)
            .map(|two| {
                let (white, black) = [(4, 0), (2, 2), (0, 4), (4, 0)][lot.below(4)];
                PlayedGame {
                    white: PlayerNo(two[0]),
                    black: PlayerNo(two[1]),
                    white_points: Points(white),
                    black_points: Points(black),
                    played: lot.below(8) > 0,
                }
            })
            .collect();
        let unpaired = order
            .chunks_exact(2)
            .remainder()
            .iter()
            .map(|&team| UnpairedScore {
                player: PlayerNo(team),
                points: Points(2),
                kind: UnpairedKind::PairingAllocated,
            })
            .collect();
        state.history.push(PlayedRound {
            round: RoundNo(number),
            games,
            unpaired,
        });
    }
    state
}

fn compare(state: &Input, kind: Kind) {
    let ours = match kind {
        Kind::Team(preferences) => TeamSwiss {
            preferences,
            ..TeamSwiss::default()
        }
        .pair(state),
        Kind::Double => DoubleSwiss.pair(state),
    };
    let literal = Literal::new(state, kind).pair();
    match (ours, literal) {
        (Err(PairingError::Impossible { article, .. }), None) => {
            let chapter = match kind {
                Kind::Team(_) => "C.04.6",
                Kind::Double => "C.04.5",
            };
            assert!(article.starts_with(chapter), "{article}");
        }
        (Ok(ours), Some((expected, bye))) => {
            let made: BTreeSet<(usize, usize)> = pairs(&ours)
                .into_iter()
                .map(|(w, b)| (usize::from(w.min(b)) - 1, usize::from(w.max(b)) - 1))
                .collect();
            let taker = ours.bye.as_ref().map(|bye| usize::from(bye.player.0) - 1);
            assert_eq!((made, taker), (expected, bye), "{state:?}");
            let players = state.players.len() as u16;
            assert_eq!(everybody(&ours), (1..=players).collect::<Vec<_>>());
            let findings =
                check(state, &Proposed::from(&ours), Rules::TEAMS).expect("the state is sound");
            assert_eq!(findings, []);
        }
        (ours, literal) => panic!("{ours:?} against {literal:?} in {state:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn equals_the_text_read_literally(
        teams in 3_u16..=10,
        past in 0_u16..=6,
        more in 1_u16..=3,
        kind in 0_u8..4,
        seed: u64,
    ) {
        let kind = match kind {
            0 => Kind::Team(TeamPreferences::A),
            1 => Kind::Team(TeamPreferences::B),
            2 => Kind::Team(TeamPreferences::None),
            _ => Kind::Double,
        };
        compare(&random(teams, past, past + more, seed), kind);
    }
}

fn of(numbers: &[(u16, u16)]) -> BTreeSet<(u16, u16)> {
    numbers.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect()
}

fn meetings(paired: &RoundPairing) -> BTreeSet<(u16, u16)> {
    of(&pairs(paired))
}

#[test]
fn the_first_identifier_of_a_bracket() {
    let mut state = input(24, 1);
    let bracket = [4, 6, 8, 9, 10, 11, 16, 24];
    state.players.retain(|own| bracket.contains(&own.no.0));
    let system = TeamSwiss::default();
    assert_eq!(
        meetings(&system.pair(&state).unwrap()),
        of(&[(4, 10), (6, 11), (8, 16), (9, 24)])
    );
    state.round = RoundNo(2);
    state.history = vec![round(1, vec![game(4, 10, 1)])];
    // 4 and 10 have the same half point and have met: both need upfloaters.
    assert_eq!(
        meetings(&system.pair(&state).unwrap()),
        of(&[(4, 8), (6, 10), (9, 16), (11, 24)])
    );
}

#[test]
fn where_every_set_fails_c6_the_first_one_is_taken() {
    // 1 stands alone on top; of 2 to 6 below only 2 and 3 have not met. Whoever comes up, the others
    // cannot manage among themselves: two of them need upfloaters, or all four when 2 or 3 came.
    let mut state = input(10, 7);
    state.settings.rounds = Some(9);
    for number in 1..=5 {
        let games = berger_round(5, number)
            .into_iter()
            .filter(|&(w, b)| w < 6 && b < 6 && (w.min(b), w.max(b)) != (1, 2))
            .map(|(w, b)| PlayedGame {
                white_points: Points(0),
                black_points: Points(0),
                ..game(w + 1, b + 1, 1)
            })
            .collect();
        state.history.push(round(number, games));
    }
    let mut scores = round(6, Vec::new());
    scores.unpaired = (1..=6)
        .map(|team| UnpairedScore {
            player: PlayerNo(team),
            points: Points(if team == 1 { 4 } else { 2 }),
            kind: UnpairedKind::HalfPoint,
        })
        .collect();
    state.history.push(scores);
    let paired = DoubleSwiss.pair(&state).unwrap();
    assert!(meetings(&paired).contains(&(1, 2)), "{paired:?}");
    let with_upfloater = |player| {
        let pair = paired
            .pairs
            .iter()
            .find(|pair| [pair.white, pair.black].contains(&PlayerNo(player)))
            .unwrap();
        match &pair.explanation {
            Explanation::Format(FormatReason::Upfloat {
                group, upfloater, ..
            }) => (*group, upfloater.clone()),
            other => panic!("{other:?}"),
        }
    };
    let (group, upfloater) = with_upfloater(1);
    assert_eq!((group, upfloater.unwrap().player), (1, PlayerNo(2)));
    let (group, upfloater) = with_upfloater(3);
    let upfloater = upfloater.unwrap();
    assert_eq!((group, upfloater.player), (4, PlayerNo(7)));
    assert_eq!(upfloater.passed_over, []);
    compare(&state, Kind::Double);
}

#[test]
fn two_hundred_teams_are_paired() {
    let state = random(201, 5, 9, 3);
    let paired = TeamSwiss::default().pair(&state).unwrap();
    assert_eq!(paired.pairs.len(), 100);
    assert_eq!(
        check(&state, &Proposed::from(&paired), Rules::TEAMS),
        Ok(vec![])
    );
    let mut turned = state.clone();
    turned.players.reverse();
    turned.history.reverse();
    assert_eq!(TeamSwiss::default().pair(&turned), Ok(paired));
}

/// White and the rule for the pair of `a` and `b`, after games given as (white, black) a round.
fn colour(
    system: &dyn System,
    history: &[&[(u16, u16)]],
    prepare: impl Fn(&mut Input),
    a: u16,
    b: u16,
) -> (u16, TeamColourRule) {
    let mut state = input(8, history.len() as u16 + 1);
    state.settings.rounds = Some(9);
    for (number, games) in (1..).zip(history) {
        // Everything is drawn, so that all who play have the same score.
        let games = games.iter().map(|&(w, b)| game(w, b, 1)).collect();
        state.history.push(round(number, games));
    }
    state
        .players
        .retain(|own| own.no.0 == a || own.no.0 == b || named(history, own.no.0));
    for own in &mut state.players {
        if own.no.0 != a && own.no.0 != b {
            own.presence = Presence::Withdrawn;
        }
    }
    prepare(&mut state);
    let paired = system.pair(&state).expect("there is a pairing");
    let pair = &paired.pairs[0];
    match &pair.explanation {
        Explanation::Format(FormatReason::Upfloat { colour, .. }) => (pair.white.0, *colour),
        other => panic!("{other:?}"),
    }
}

fn named(history: &[&[(u16, u16)]], team: u16) -> bool {
    history
        .iter()
        .any(|games| games.iter().any(|&(w, b)| w == team || b == team))
}

#[test]
fn colours_of_teams() {
    let type_a = TeamSwiss::default();
    let type_b = TeamSwiss {
        preferences: TeamPreferences::B,
        ..TeamSwiss::default()
    };
    let none = TeamSwiss {
        preferences: TeamPreferences::None,
        ..TeamSwiss::default()
    };
    let same = |_: &mut Input| {};
    // 4.3.1, by the number among those who are there.
    assert_eq!(
        colour(&type_a, &[], same, 1, 2),
        (1, TeamColourRule::InitialColour)
    );
    let black = |state: &mut Input| state.settings.initial_colour = Some(Color::Black);
    assert_eq!(
        colour(&type_a, &[], black, 1, 2),
        (2, TeamColourRule::InitialColour)
    );
    // 4.3.2: 1 had Black twice, 2 is level.
    let history: [&[(u16, u16)]; 2] = [&[(3, 1), (2, 4)], &[(4, 1), (3, 2)]];
    assert_eq!(
        colour(&type_a, &history, same, 1, 2),
        (1, TeamColourRule::Granted)
    );
    assert_eq!(
        colour(&none, &history, same, 1, 2),
        (1, TeamColourRule::FewerWhites)
    );
    // 4.3.3 for type B: 1 had White, 2 had Black.
    let history: [&[(u16, u16)]; 1] = [&[(1, 3), (4, 2)]];
    assert_eq!(
        colour(&type_b, &history, same, 1, 2),
        (2, TeamColourRule::Granted)
    );
    assert_eq!(
        colour(&type_a, &history, same, 1, 2),
        (2, TeamColourRule::FewerWhites)
    );
    // 4.3.4: both want White, 2 strongly.
    let history: [&[(u16, u16)]; 3] = [&[(1, 3), (4, 2)], &[(5, 1), (6, 2)], &[(3, 1), (2, 7)]];
    // 1: W B B (difference −1, twice Black: strong). 2: B B W (difference −1: mild).
    assert_eq!(
        colour(&type_b, &history, same, 1, 2),
        (1, TeamColourRule::StrongOnly)
    );
    assert_eq!(
        colour(&type_a, &history, same, 1, 2),
        (1, TeamColourRule::Granted)
    );
    // 4.3.6: both level and due the same, they differed two rounds ago.
    let history: [&[(u16, u16)]; 2] = [&[(1, 3), (4, 2)], &[(5, 1), (2, 6)]];
    assert_eq!(
        colour(&type_a, &history, same, 1, 2),
        (1, TeamColourRule::LastDifference)
    );
    // 4.3.7: both want White, nothing differs.
    let history: [&[(u16, u16)]; 1] = [&[(3, 1), (4, 2)]];
    assert_eq!(
        colour(&type_b, &history, same, 1, 2),
        (1, TeamColourRule::FirstPreference)
    );
    // 4.3.8: nothing differs, no preferences.
    assert_eq!(
        colour(&type_a, &history, same, 1, 2),
        (1, TeamColourRule::FirstAlternates)
    );
    // The secondary score makes the first team.
    let by_games = TeamSwiss {
        secondary: [(PlayerNo(2), Points(9)), (PlayerNo(1), Points(7))].into(),
        ..TeamSwiss::default()
    };
    assert_eq!(
        colour(&by_games, &history, same, 1, 2),
        (2, TeamColourRule::FirstAlternates)
    );
    assert_eq!(
        colour(&by_games, &[], same, 1, 2),
        (1, TeamColourRule::InitialColour)
    );
}

#[test]
fn colours_of_the_double_swiss() {
    let same = |_: &mut Input| {};
    let system = DoubleSwiss;
    assert_eq!(
        colour(&system, &[], same, 1, 2),
        (1, TeamColourRule::InitialColour)
    );
    let history: [&[(u16, u16)]; 1] = [&[(1, 3), (4, 2)]];
    assert_eq!(
        colour(&system, &history, same, 1, 2),
        (2, TeamColourRule::FewerWhites)
    );
    let history: [&[(u16, u16)]; 2] = [&[(1, 3), (4, 2)], &[(5, 1), (2, 6)]];
    assert_eq!(
        colour(&system, &history, same, 1, 2),
        (1, TeamColourRule::LastDifference)
    );
    let history: [&[(u16, u16)]; 1] = [&[(1, 3), (2, 4)]];
    assert_eq!(
        colour(&system, &history, same, 1, 2),
        (2, TeamColourRule::FirstAlternates)
    );
    // 1 has not played, 2 had Black: level in Whites, only the other can alternate.
    let history: [&[(u16, u16)]; 1] = [&[(4, 2)]];
    let level = |state: &mut Input| {
        state.history[0].unpaired.push(UnpairedScore {
            player: PlayerNo(1),
            points: Points::HALF,
            kind: UnpairedKind::HalfPoint,
        });
    };
    assert_eq!(
        colour(&system, &history, level, 1, 2),
        (2, TeamColourRule::OtherAlternates)
    );
    assert_eq!(double::SCORING.pab, Points(3), "a win and a draw");
}

#[test]
fn the_bye_goes_to_the_lowest_who_has_played_most() {
    let mut state = input(5, 2);
    state.settings.rounds = Some(5);
    state.settings.scoring = MATCH_POINTS;
    let mut lost = game(1, 4, 2);
    lost.white_points = Points(4);
    lost.black_points = Points(0);
    let forfeit = PlayedGame {
        white: PlayerNo(2),
        black: PlayerNo(5),
        played: false,
        ..lost
    };
    state.history = vec![PlayedRound {
        round: RoundNo(1),
        games: vec![lost, forfeit],
        unpaired: vec![UnpairedScore {
            player: PlayerNo(3),
            points: Points(2),
            kind: UnpairedKind::PairingAllocated,
        }],
    }];
    let paired = TeamSwiss::default().pair(&state).unwrap();
    let bye = paired.bye.unwrap();
    assert_eq!(bye.player, PlayerNo(4), "5 did not play");
    assert_eq!(
        bye.explanation.to_string(),
        "The number is odd: the bye goes to the lowest score (0), then to whoever has played most \
         (1), then to the largest number (C.04.6, 3.4)."
    );
}

#[test]
fn scores_of_team_rounds() {
    let rounds = [TeamRound {
        round: RoundNo(1),
        matches: vec![TeamMatch::from_games(
            PlayerNo(1),
            PlayerNo(2),
            [Points(5), Points(3)],
            true,
            &MATCH_POINTS,
        )],
        unpaired: vec![TeamUnpaired {
            team: PlayerNo(3),
            kind: UnpairedKind::PairingAllocated,
            match_points: Points(2),
            game_points: Points(4),
        }],
    }];
    let (system, history) =
        TeamSwiss::after(&rounds, TeamPreferences::A, PrimaryScore::MatchPoints);
    assert_eq!(history[0].games[0].white_points, Points(4));
    assert_eq!(system.secondary[&PlayerNo(1)], Points(5));
    assert_eq!(system.secondary[&PlayerNo(3)], Points(4));
    let (system, history) = TeamSwiss::after(&rounds, TeamPreferences::A, PrimaryScore::GamePoints);
    assert_eq!(history[0].games[0].white_points, Points(5));
    assert_eq!(system.secondary[&PlayerNo(1)], Points(4));
    let mut state = input(3, 2);
    state.history = history;
    state.settings.acceleration = Acceleration::Baku { last: None };
    state.settings.rounds = Some(5);
    assert_eq!(
        system.pair(&state),
        Err(FormatError::BakuByGamePoints.into())
    );
}
