//! Matches and match tournaments.

use std::collections::BTreeMap;

use flagfall_core::{
    pairing::{
        FormatError, Match, MatchTournament, PairingError, RoundRobin, System, matches::MatchLength,
    },
    types::{Color, PlayerNo, Points, RoundNo},
};
use proptest::prelude::*;

use super::event::{everybody, game, input, pairs, play, round};

/// Who has White in each game, all games drawn.
fn whites(system: Match, games: u16, initial: Color) -> Vec<u16> {
    let mut start = input(2, 1);
    start.settings.initial_colour = Some(initial);
    let mut whites = Vec::new();
    play(
        &system,
        start,
        games,
        |_, _| 1,
        |_, paired| {
            whites.push(paired.pairs[0].white.0);
        },
    );
    whites
}

#[test]
fn colours_alternate_from_the_lot() {
    assert_eq!(whites(Match::of(4), 4, Color::White), [1, 2, 1, 2]);
    assert_eq!(whites(Match::of(4), 4, Color::Black), [2, 1, 2, 1]);
    let turned = Match {
        second_half_reversed: true,
        ..Match::of(6)
    };
    assert_eq!(whites(turned, 6, Color::White), [1, 2, 1, 1, 2, 1]);
}

#[test]
fn a_match_ends_when_one_cannot_be_caught() {
    let won = |games: &[u16]| {
        let mut input = input(2, games.len() as u16 + 1);
        for (number, &halves) in (1..).zip(games) {
            // The points are those of player 1.
            let played = if number % 2 == 1 {
                game(1, 2, halves)
            } else {
                game(2, 1, 2 - halves)
            };
            input.history.push(round(number, vec![played]));
        }
        input
    };
    let four = Match::of(4);
    assert_eq!(
        four.winner(&won(&[2, 2])),
        Ok(None),
        "2-0 of 4 is not enough"
    );
    assert_eq!(four.winner(&won(&[2, 2, 1])), Ok(Some(PlayerNo(1))));
    let over = four.pair(&won(&[0, 0, 1])).unwrap_err();
    assert_eq!(
        over.to_string(),
        "the match is decided after 3 games, 2 has won it; close the event, or let the players \
         play all games"
    );
    let all = Match {
        length: MatchLength::Games {
            games: 4,
            play_all: true,
        },
        second_half_reversed: false,
    };
    assert!(all.pair(&won(&[2, 2, 1])).is_ok());
    assert_eq!(all.winner(&won(&[2, 2, 1, 0])), Ok(Some(PlayerNo(1))));
    assert_eq!(all.winner(&won(&[2, 0, 1, 1])), Ok(None), "level");
    assert_eq!(
        all.pair(&won(&[1, 1, 1, 1])),
        Err(PairingError::NoSuchRound {
            round: RoundNo(5),
            rounds: 4
        })
    );
    let wins = Match {
        length: MatchLength::Wins {
            wins: 2,
            most: None,
        },
        second_half_reversed: false,
    };
    assert_eq!(wins.winner(&won(&[2, 0, 1, 1, 1])), Ok(None));
    assert_eq!(wins.winner(&won(&[2, 0, 1, 0])), Ok(Some(PlayerNo(2))));
    assert_eq!(wins.rounds(2), None);
    let points = Match {
        length: MatchLength::Points {
            points: Points(4),
            most: Some(10),
        },
        second_half_reversed: false,
    };
    assert_eq!(points.winner(&won(&[2, 1])), Ok(None));
    assert_eq!(points.winner(&won(&[2, 1, 1])), Ok(Some(PlayerNo(1))));
    assert_eq!(
        four.pair(&input(3, 1)),
        Err(FormatError::NotTwo { entered: 3 }.into())
    );
}

#[test]
fn one_game_a_match_is_a_round_robin() {
    let single = MatchTournament {
        games: 1,
        cycles: 2,
    };
    for players in 2..=9 {
        for number in 1..=RoundRobin::DOUBLE.rounds(usize::from(players)).unwrap() {
            let asked = input(players, number);
            assert_eq!(
                pairs(&single.pair(&asked).unwrap()),
                pairs(&RoundRobin::DOUBLE.pair(&asked).unwrap())
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn every_pair_plays_its_games_in_a_row(players in 2_u16..=12, games in 1_u16..=6, cycles in 1_u16..=2) {
        let system = MatchTournament { games, cycles };
        let rounds = system.rounds(usize::from(players)).unwrap();
        let mut met: BTreeMap<(u16, u16), Vec<(u16, bool)>> = BTreeMap::new();
        let mut colours: BTreeMap<u16, Vec<bool>> = BTreeMap::new();
        play(&system, input(players, 1), rounds, |_, _| 1, |input, paired| {
            assert_eq!(everybody(paired), (1..=players).collect::<Vec<_>>());
            for (white, black) in pairs(paired) {
                met.entry((white.min(black), white.max(black)))
                    .or_default()
                    .push((input.round.0, white < black));
                colours.entry(white).or_default().push(true);
                colours.entry(black).or_default().push(false);
            }
        });
        prop_assert_eq!(met.len(), usize::from(players) * usize::from(players - 1) / 2);
        for played in met.values() {
            prop_assert_eq!(played.len(), usize::from(games * cycles));
            for own in played.chunks(usize::from(games)) {
                for two in own.windows(2) {
                    prop_assert_eq!(two[0].0 + 1, two[1].0);
                    prop_assert_ne!(two[0].1, two[1].1, "colours alternate");
                }
            }
            if games % 2 == 0 || cycles == 2 {
                let whites = played.iter().filter(|(_, white)| *white).count();
                prop_assert_eq!(2 * whites, played.len());
            }
        }
        if games > 1 {
            for (player, colours) in colours {
                let longest = colours.chunk_by(|a, b| a == b).map(<[bool]>::len).max();
                prop_assert!(longest <= Some(2), "{}: {:?}", player, colours);
            }
        }
    }
}

#[test]
fn explanations_are_sentences() {
    let system = MatchTournament {
        games: 2,
        cycles: 1,
    };
    let paired = system.pair(&input(4, 4)).unwrap();
    assert_eq!(
        paired.pairs[0].explanation.to_string(),
        "Game 2 of 2 of the match that the Berger table gives in its round 2; the colours \
         alternate within the match."
    );
    let paired = Match::of(4).pair(&input(2, 1)).unwrap();
    assert_eq!(
        paired.pairs[0].explanation.to_string(),
        "The first game of the match; the lot gave the colours."
    );
}
