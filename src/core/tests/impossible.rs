//! Rounds that cannot be paired: which system refuses, by which article, and who stands in the way.

use flagfall_core::{
    pairing::{
        Entrant, Forbidden, Hindrance, Input, PairingError, PlayedGame, PlayedRound, Settings,
        System, UnpairedKind, UnpairedScore,
        swiss::{burstein::Burstein, dubov::Dubov, dutch::Dutch, lim::Lim, team::TeamSwiss},
    },
    types::{PlayerNo, Points, RoundNo},
};

/// The games of a round, and who had the bye.
type Past = (&'static [(u16, u16)], &'static [u16]);

/// White wins all games; who has no game and no bye is absent.
fn input(players: u16, rounds: &[Past]) -> Input {
    let history = (1..)
        .zip(rounds)
        .map(|(round, (games, byes))| PlayedRound {
            round: RoundNo(round),
            games: games
                .iter()
                .map(|&(white, black)| PlayedGame {
                    white: PlayerNo(white),
                    black: PlayerNo(black),
                    white_points: Points::ONE,
                    black_points: Points::ZERO,
                    played: true,
                })
                .collect(),
            unpaired: byes
                .iter()
                .map(|&player| UnpairedScore {
                    player: PlayerNo(player),
                    points: Points::ONE,
                    kind: UnpairedKind::PairingAllocated,
                })
                .collect(),
        })
        .collect();
    Input {
        players: (1..=players)
            .map(|no| Entrant::present(PlayerNo(no)))
            .collect(),
        history,
        round: RoundNo(rounds.len() as u16 + 1),
        settings: Settings {
            // The last round: Burstein pairs its first half as Dutch.
            rounds: Some(rounds.len() as u16 + 1),
            ..Settings::default()
        },
    }
}

/// Every system refuses by its own article and sees this in the way.
fn refused(input: &Input, expected: &Hindrance) {
    let systems: [(&dyn System, &str); 6] = [
        (&Dutch::FIDE_2026, "C.04.3, "),
        (&Dutch::FIDE_2017, "C.04.3 of 2017"),
        (&Dubov, "C.04.4.1"),
        (&Burstein, "C.04.4.2"),
        (&Lim::default(), "C.04.4.3"),
        (&TeamSwiss::default(), "C.04.6"),
    ];
    for (system, chapter) in systems {
        match system.pair(input) {
            Err(PairingError::Impossible {
                article, hindrance, ..
            }) => {
                assert!(article.starts_with(chapter), "{article}");
                assert_eq!(hindrance, *expected, "{}", system.name());
            }
            other => panic!("{}: {other:?}", system.name()),
        }
    }
}

fn no(players: &[u16]) -> Vec<PlayerNo> {
    players.iter().copied().map(PlayerNo).collect()
}

#[test]
fn everybody_has_met_everybody() {
    refused(&input(2, &[(&[(1, 2)], &[])]), &Hindrance::AllMet);
}

#[test]
fn one_has_met_everybody() {
    let rounds: &[Past] = &[(&[(1, 2)], &[]), (&[(3, 1)], &[]), (&[(1, 4)], &[])];
    let alone = |met| Hindrance::Alone {
        players: no(&[1]),
        met,
    };
    refused(&input(4, rounds), &alone(true));
    let mut banned = input(4, &rounds[..2]);
    banned.settings.forbidden.push(Forbidden {
        players: no(&[1, 4]),
        first: RoundNo(1),
        last: None,
    });
    refused(&banned, &alone(false));
}

#[test]
fn nobody_may_have_the_bye() {
    let rounds: &[Past] = &[(&[], &[1]), (&[], &[2]), (&[], &[3])];
    refused(&input(3, rounds), &Hindrance::NobodyForBye);
}

#[test]
fn only_who_had_the_bye_could_be_left_out() {
    let rounds: &[Past] = &[(&[(2, 3)], &[]), (&[], &[2]), (&[], &[3])];
    refused(
        &input(3, rounds),
        &Hindrance::ByeNeeded {
            players: no(&[2, 3]),
        },
    );
}

#[test]
fn somebody_is_left_however_one_pairs() {
    // 1, 2 and 3 have met each other and would all have to meet 4.
    let rounds: &[Past] = &[(&[(1, 2)], &[]), (&[(2, 3)], &[]), (&[(3, 1)], &[])];
    refused(&input(4, rounds), &Hindrance::LeftOver { count: 2 });
}
