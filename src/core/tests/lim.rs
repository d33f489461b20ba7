//! The Lim system: no program can be trusted, so each test is made from an article of the text.

use std::collections::BTreeSet;

use flagfall_core::{
    pairing::{
        Entrant, Explanation, Forbidden, Input, PlayedGame, PlayedRound, RoundPairing, Settings,
        System, UnpairedKind, UnpairedScore,
        swiss::lim::{
            FloatCause, Found, LastRound, Lim, LimColour, LimReason, Numbering, Scrutiny,
        },
    },
    types::{Color, PlayerNo, Points, RoundNo},
};

/// A game: White, Black, White's half points.
type Game = (u16, u16, u16);

fn input(players: u16, rounds: &[&[Game]]) -> Input {
    let history = (1..)
        .zip(rounds)
        .map(|(round, games)| {
            let mut missing: BTreeSet<u16> = (1..=players).collect();
            let games = games
                .iter()
                .map(|&(white, black, halves)| {
                    missing.remove(&white);
                    missing.remove(&black);
                    PlayedGame {
                        white: PlayerNo(white),
                        black: PlayerNo(black),
                        white_points: Points(halves),
                        black_points: Points(2 - halves),
                        played: true,
                    }
                })
                .collect();
            PlayedRound {
                round: RoundNo(round),
                games,
                unpaired: missing
                    .into_iter()
                    .map(|no| UnpairedScore {
                        player: PlayerNo(no),
                        points: Points::HALF,
                        kind: UnpairedKind::HalfPoint,
                    })
                    .collect(),
            }
        })
        .collect();
    Input {
        players: (1..=players)
            .map(|no| Entrant::present(PlayerNo(no)))
            .collect(),
        history,
        round: RoundNo(rounds.len() as u16 + 1),
        settings: Settings {
            rounds: Some(9),
            initial_colour: Some(Color::White),
            ..Settings::default()
        },
    }
}

fn forbid(input: &mut Input, a: u16, others: &[u16]) {
    for &b in others {
        input.settings.forbidden.push(Forbidden {
            players: vec![PlayerNo(a), PlayerNo(b)],
            first: RoundNo(1),
            last: None,
        });
    }
}

fn pair_with(lim: Lim, input: &Input) -> RoundPairing {
    lim.pair(input).expect("a pairing exists")
}

fn colours(paired: &RoundPairing) -> BTreeSet<(u16, u16)> {
    paired
        .pairs
        .iter()
        .map(|pair| (pair.white.0, pair.black.0))
        .collect()
}

fn pairs(paired: &RoundPairing) -> BTreeSet<(u16, u16)> {
    colours(paired)
        .into_iter()
        .map(|(a, b)| (a.min(b), a.max(b)))
        .collect()
}

fn reason(paired: &RoundPairing, player: u16) -> &LimReason {
    let pair = paired
        .pairs
        .iter()
        .find(|pair| [pair.white.0, pair.black.0].contains(&player))
        .expect("he is paired");
    match &pair.explanation {
        Explanation::Lim(reason) => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn round_one_of_forty_has_the_pattern_of_article_7() {
    let mut first = input(40, &[]);
    let expected: BTreeSet<(u16, u16)> = (1..=20)
        .map(|no| {
            if no % 2 == 1 {
                (no, no + 20)
            } else {
                (no + 20, no)
            }
        })
        .collect();
    assert_eq!(colours(&pair_with(Lim::default(), &first)), expected);
    // By the other lot all mirrored.
    first.settings.initial_colour = Some(Color::Black);
    let mirrored: BTreeSet<(u16, u16)> = expected.into_iter().map(|(w, b)| (b, w)).collect();
    assert_eq!(colours(&pair_with(Lim::default(), &first)), mirrored);
}

#[test]
fn round_one_gives_the_bye_to_the_lowest_rated() {
    let paired = pair_with(Lim::default(), &input(7, &[]));
    assert_eq!(paired.bye.map(|bye| bye.player), Some(PlayerNo(7)));
    assert_eq!(
        pairs(&RoundPairing {
            bye: None,
            ..pair_with(Lim::default(), &input(7, &[]))
        }),
        BTreeSet::from([(1, 4), (2, 5), (3, 6)])
    );
}

#[test]
fn scrutiny_in_a_group_of_six_goes_through_4_5_6_3_2() {
    // In round 1 the groups are one group of six; forbidden pairs stand for pairs that met.
    for (kept_apart, opponent) in [
        (vec![], 4),
        (vec![4], 5),
        (vec![4, 5], 6),
        (vec![4, 5, 6], 3),
        (vec![4, 5, 6, 3], 2),
    ] {
        let mut round = input(6, &[]);
        forbid(&mut round, 1, &kept_apart);
        let paired = pair_with(Lim::default(), &round);
        assert!(pairs(&paired).contains(&(1, opponent)), "{kept_apart:?}");
        let passed: Vec<u16> = reason(&paired, 1)
            .passed
            .iter()
            .map(|p| p.player.0)
            .collect();
        assert_eq!(passed, kept_apart);
    }
}

#[test]
fn an_opponent_is_passed_over_when_the_rest_could_not_be_paired() {
    let mut round = input(6, &[]);
    // If 1 met 4, number 5 would have nobody left.
    forbid(&mut round, 5, &[1, 2, 3, 6]);
    let paired = pair_with(Lim::default(), &round);
    assert_eq!(pairs(&paired), BTreeSet::from([(4, 5), (1, 6), (2, 3)]));
}

#[test]
fn the_order_of_scrutiny_is_an_option_from_number_three_on() {
    let mut round = input(6, &[]);
    forbid(&mut round, 3, &[6]);
    forbid(&mut round, 1, &[4]);
    forbid(&mut round, 2, &[5]);
    // 1 gets 5, 2 gets 6, 3 gets 4 either way; with eight players the readings part.
    let paired = pair_with(Lim::default(), &round);
    assert_eq!(pairs(&paired), BTreeSet::from([(1, 5), (2, 6), (3, 4)]));
    let mut round = input(8, &[]);
    forbid(&mut round, 1, &[5, 6, 7]);
    forbid(&mut round, 4, &[8]);
    forbid(&mut round, 3, &[7, 8]);
    // 1-8, 2-6; 3 was proposed 7, behind it is 8.
    let around = pair_with(Lim::default(), &round);
    assert_eq!(
        pairs(&around),
        BTreeSet::from([(1, 8), (2, 6), (3, 5), (4, 7)])
    );
    forbid(&mut round, 2, &[6, 7, 8]);
    let outwards = Lim {
        scrutiny: Scrutiny::Outwards,
        ..Lim::default()
    };
    assert_eq!(
        pairs(&pair_with(outwards, &round)),
        BTreeSet::from([(1, 8), (2, 5), (3, 6), (4, 7)])
    );
    let mut round = input(8, &[]);
    forbid(&mut round, 3, &[7, 8]);
    forbid(&mut round, 1, &[5, 6]);
    forbid(&mut round, 2, &[6, 7]);
    // 1-7, 2-8; 3 tries 7 and 8 in vain, then 5 first or 6 first.
    let around = pairs(&pair_with(Lim::default(), &round));
    assert_eq!(around, BTreeSet::from([(1, 7), (2, 8), (3, 5), (4, 6)]));
    let other = pairs(&pair_with(outwards, &round));
    assert_eq!(other, BTreeSet::from([(1, 7), (2, 8), (3, 6), (4, 5)]));
}

/// Three winners, due Black, White and Black; three losers, due White, Black and White.
fn three_and_three() -> Input {
    input(6, &[&[(1, 4, 2), (5, 2, 0), (3, 6, 2)]])
}

#[test]
fn the_even_maker_is_due_the_majority_colour_and_lowest_or_highest() {
    // 3.2.2, 3.2.4: down the lowest numbered of those due Black, up the highest of those due White.
    let paired = pair_with(Lim::default(), &three_and_three());
    assert_eq!(pairs(&paired), BTreeSet::from([(1, 2), (3, 4), (5, 6)]));
    let floats: Vec<(u16, FloatCause)> = reason(&paired, 3)
        .floats
        .iter()
        .map(|float| (float.player.0, float.cause))
        .collect();
    assert_eq!(
        floats,
        [(3, FloatCause::EvenMaker), (4, FloatCause::EvenMaker)]
    );
}

#[test]
fn which_number_is_highest_is_an_option() {
    let lim = Lim {
        numbering: Numbering::LastIsHighest,
        ..Lim::default()
    };
    let paired = pair_with(lim, &three_and_three());
    assert_eq!(pairs(&paired), BTreeSet::from([(2, 3), (4, 5), (1, 6)]));
}

/// Three winners, three losers, four who drew.
fn with_median() -> Input {
    input(
        10,
        &[&[(1, 6, 2), (7, 2, 0), (3, 8, 2), (9, 4, 1), (5, 10, 1)]],
    )
}

#[test]
fn floaters_choose_first_in_the_median_group() {
    // 3 comes down, due Black, and gets the highest numbered who is due White: 4. 6 comes up, due
    // White; the lowest numbered who is due Black is 9, but then 5 and 10, who have met, would be
    // left: 5.
    let paired = pair_with(Lim::default(), &with_median());
    assert_eq!(
        pairs(&paired),
        BTreeSet::from([(1, 2), (7, 8), (3, 4), (5, 6), (9, 10)])
    );
    let six = reason(&paired, 6);
    assert_eq!((six.first.0, six.found), (6, Found::Floater));
    let passed: Vec<u16> = six.passed.iter().map(|p| p.player.0).collect();
    assert_eq!(passed, [9]);
}

#[test]
fn who_has_an_opponent_next_door_floats_before_who_has_none() {
    // 3.9: type (d) before type (c). Without the bars 3 would float.
    let mut round = with_median();
    forbid(&mut round, 3, &[4, 5, 9, 10]);
    let paired = pair_with(Lim::default(), &round);
    let pairs = pairs(&paired);
    assert!(pairs.contains(&(2, 3)), "{pairs:?}");
    assert!(pairs.contains(&(1, 4)), "{pairs:?}");
}

#[test]
fn a_floater_of_the_last_round_is_spared() {
    // 1, 2 and 3 have two points and are all due White; 3 met somebody with fewer points.
    let came_down = input(
        12,
        &[
            &[
                (1, 7, 2),
                (2, 8, 2),
                (3, 9, 2),
                (4, 10, 2),
                (5, 11, 2),
                (12, 6, 2),
            ],
            &[
                (4, 1, 0),
                (5, 2, 0),
                (6, 3, 0),
                (7, 10, 1),
                (8, 11, 1),
                (9, 12, 2),
            ],
        ],
    );
    assert!(pairs(&pair_with(Lim::default(), &came_down)).contains(&(1, 3)));
    // Had 6 won before, 3 would have met an equal and would be the one to go.
    let mut equal = came_down;
    let game = &mut equal.history[0].games[5];
    (game.white_points, game.black_points) = (Points::ZERO, Points::ONE);
    assert!(pairs(&pair_with(Lim::default(), &equal)).contains(&(1, 2)));
}

#[test]
fn a_player_without_opponent_in_his_group_floats() {
    // 2.3.1: 1 has met or must not meet everybody in the top group of four.
    let mut round = input(8, &[&[(1, 5, 2), (6, 2, 0), (3, 7, 2), (8, 4, 0)]]);
    forbid(&mut round, 1, &[2, 3, 4]);
    let paired = pair_with(Lim::default(), &round);
    let one = reason(&paired, 1);
    let floats: Vec<(u16, FloatCause)> = one
        .floats
        .iter()
        .map(|float| (float.player.0, float.cause))
        .collect();
    assert!(floats.contains(&(1, FloatCause::NoOpponent)), "{floats:?}");
}

#[test]
fn second_scrutiny_exchanges_for_colours() {
    // All drew in round 1. By compatibility alone 1-5, 2-6, 3-4; but 1 and 5 are both due Black.
    let round = input(6, &[&[(1, 4, 1), (5, 2, 1), (3, 6, 1)]]);
    let paired = pair_with(Lim::default(), &round);
    assert_eq!(colours(&paired), BTreeSet::from([(6, 1), (2, 3), (4, 5)]));
    assert_eq!(
        reason(&paired, 1).found,
        Found::ColourExchange {
            before: PlayerNo(5)
        }
    );
}

#[test]
fn a_maxi_tournament_exchanges_within_100_points_only() {
    let mut round = input(6, &[&[(1, 4, 1), (5, 2, 1), (3, 6, 1)]]);
    for (entrant, rating) in round
        .players
        .iter_mut()
        .zip([2400, 2300, 2200, 2000, 1900, 1500])
    {
        entrant.rating = Some(rating);
    }
    let maxi = Lim {
        maxi_tournament: true,
        ..Lim::default()
    };
    assert_eq!(
        pairs(&pair_with(maxi, &round)),
        BTreeSet::from([(1, 5), (2, 6), (3, 4)])
    );
    assert_eq!(
        pairs(&pair_with(Lim::default(), &round)),
        BTreeSet::from([(1, 6), (2, 3), (4, 5)])
    );
}

#[test]
fn equal_histories_favour_the_higher_above_and_the_lower_below_the_median() {
    // 5.4: the winners were both White, the losers both Black.
    let paired = pair_with(Lim::default(), &input(4, &[&[(1, 3, 2), (2, 4, 2)]]));
    assert_eq!(colours(&paired), BTreeSet::from([(2, 1), (4, 3)]));
    assert_eq!(reason(&paired, 1).colour, LimColour::HigherRanked);
    assert_eq!(reason(&paired, 3).colour, LimColour::LowerRanked);
}

#[test]
fn a_blocked_median_takes_the_neighbours_apart() {
    // 2.6.2: 3 and 4 have met and no more floaters came from above than from below: the higher
    // neighbours 1 and 2 come in; 5 and 6 stay together.
    let round = input(
        6,
        &[&[(1, 5, 2), (6, 2, 0), (3, 4, 1)], &[(6, 1, 0), (2, 5, 2)]],
    );
    let paired = pair_with(Lim::default(), &round);
    let made = pairs(&paired);
    assert!(
        made.contains(&(5, 6)) && !made.contains(&(1, 2)),
        "{made:?}"
    );
    let floats = &reason(&paired, 1).floats;
    assert_eq!(floats[0].cause, FloatCause::Unpaired);
}

#[test]
fn in_the_last_round_equal_scores_outweigh_colours() {
    // 1 and 2 have won twice with White, the others lost twice with Black: all bans fall among
    // equals.
    let mut round = input(4, &[&[(1, 3, 2), (2, 4, 2)], &[(1, 4, 2), (2, 3, 2)]]);
    round.settings.rounds = Some(3);
    let paired = pair_with(Lim::default(), &round);
    assert_eq!(pairs(&paired), BTreeSet::from([(1, 2), (3, 4)]));
    let strict = Lim {
        last_round: LastRound::AsBefore,
        ..Lim::default()
    };
    assert!(strict.pair(&round).is_err());
    // Before the last round the limits hold anyway.
    round.settings.rounds = Some(4);
    assert!(Lim::default().pair(&round).is_err());
}
