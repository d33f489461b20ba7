//! Standings of a round robin: an exercise of FIDE's technical commission and the rules one by one.

use std::collections::{BTreeMap, BTreeSet};

use flagfall_core::{
    tournament::result::{Awarded, Bye, Played},
    tournament::standings::{Scores, Standing, TieBreak, TieBreakValue, standings, struck_out},
    types::{PlayerNo, Points, RoundNo},
};

/// The round robin of the tie-break exercises of FIDE's TEC: six players, one forfeit.
const EXERCISE: [(u16, u16, u16, &str); 15] = [
    (1, 1, 5, "1/2-1/2"),
    (1, 2, 6, "1-0"),
    (1, 3, 4, "1-0"),
    (2, 1, 2, "1-0"),
    (2, 6, 3, "0-1"),
    (2, 5, 4, "1-0"),
    (3, 3, 1, "0-1"),
    (3, 2, 5, "1-0"),
    (3, 4, 6, "1/2-1/2"),
    (4, 1, 4, "0-1"),
    (4, 2, 3, "1/2-1/2"),
    (4, 5, 6, "-/+"),
    (5, 6, 1, "0-1"),
    (5, 4, 2, "0-1"),
    (5, 3, 5, "1-0"),
];

#[test]
fn exercise_of_the_technical_commission() {
    let games = games(&EXERCISE);
    let rows = table(&games, 6, &[TieBreak::SonnebornBerger]);
    let sb: BTreeMap<u16, String> = rows
        .iter()
        .map(|row| (row.player.0, row.tie_breaks[0].to_string()))
        .collect();
    let expected = ["9.25", "6.25", "6.25", "4.25", "3.25", "2.25"];
    assert_eq!(
        sb.values().collect::<Vec<_>>(),
        expected.iter().collect::<Vec<_>>()
    );

    let rows = table(&games, 6, &[TieBreak::DirectEncounter]);
    let ranks: Vec<_> = rows
        .iter()
        .map(|row| (row.player.0, row.rank, row.shared))
        .collect();
    assert_eq!(
        ranks,
        [
            (1, 1, false),
            (2, 2, true),
            (3, 2, true),
            (6, 4, false),
            (5, 5, false),
            (4, 6, false)
        ]
    );
    assert_eq!(rows[3].tie_breaks, [TieBreakValue::Place(Some(1))]);
    assert!(
        rows.iter()
            .all(|row| row.points == if row.rank <= 3 { Points(7) } else { Points(3) })
    );
}

#[test]
fn order_of_the_rule_book_decides_one_after_the_other() {
    // 1 and 2 draw with each other and are level in SB; 2 has more wins.
    let games = games(&[
        (1, 1, 2, "1/2-1/2"),
        (2, 1, 3, "1/2-1/2"),
        (3, 1, 4, "1/2-1/2"),
        (2, 2, 4, "1-0"),
        (3, 2, 3, "0-1"),
        (1, 3, 4, "0-1"),
    ]);
    let rows = table(&games, 4, &TieBreak::ROUND_ROBIN);
    let order: Vec<_> = rows
        .iter()
        .map(|row| (row.player.0, row.points.0))
        .collect();
    assert_eq!(
        order.iter().map(|(_, points)| *points).collect::<Vec<_>>(),
        [3, 3, 3, 3]
    );
    assert_eq!(rows[3].player, PlayerNo(1), "no win");
    assert!(rows[0].shared && rows[2].shared);
}

#[test]
fn direct_encounter_waits_for_open_games_unless_one_leads_anyway() {
    let open = games(&[(1, 1, 2, "1-0"), (2, 3, 4, "1-0")]);
    let rows = table(&open, 4, &[TieBreak::DirectEncounter]);
    assert!(rows[0].shared, "1 and 3 have not met");
    // 1 leads with a win over 2, but 3 may still overtake him.
    let caught = games(&[(1, 1, 2, "1-0"), (2, 2, 4, "1-0"), (1, 3, 5, "1-0")]);
    let rows = table(&caught, 5, &[TieBreak::DirectEncounter]);
    assert!(
        rows[..3].iter().all(|row| row.rank == 1 && row.shared),
        "{rows:?}"
    );
    // 1 beat 2 and 3 of the tied, who have not met yet: nobody can catch him.
    let led = games(&[
        (1, 1, 2, "1-0"),
        (2, 1, 3, "1-0"),
        (1, 3, 4, "1-0"),
        (2, 2, 5, "1-0"),
        (3, 3, 6, "1-0"),
        (3, 2, 4, "1-0"),
    ]);
    let rows = table(&led, 6, &[TieBreak::DirectEncounter]);
    let top: Vec<_> = rows[..3]
        .iter()
        .map(|row| (row.player.0, row.rank))
        .collect();
    assert_eq!(top, [(1, 1), (2, 2), (3, 2)]);
}

#[test]
fn withdrawal_before_half_strikes_the_games_out_and_at_half_it_does_not() {
    let games = games(&[(1, 1, 2, "1-0"), (2, 3, 2, "0-1"), (3, 4, 2, "-/+")]);
    let left = BTreeSet::from([PlayerNo(2)]);
    assert_eq!(struck_out(&left, &games, 4), BTreeSet::new(), "two of four");
    let struck = struck_out(&left, &games, 5);
    assert_eq!(struck, left, "two of five; a forfeit is not played");
    let players: Vec<_> = (1..=4).map(PlayerNo).collect();
    let scores = Scores {
        players: &players,
        games: &games,
        byes: &[],
        struck_out: &struck,
        meetings: 1,
    };
    let rows = standings(&scores, &TieBreak::ROUND_ROBIN);
    assert!(rows.iter().all(|row| row.points == Points::ZERO));
    let last = rows.last().unwrap();
    assert!((last.player, last.struck_out, last.rank) == (PlayerNo(2), true, 4));
}

#[test]
fn byes_bring_points_but_no_games() {
    let players = [PlayerNo(1), PlayerNo(2), PlayerNo(3), PlayerNo(4)];
    let byes = [
        (1, Bye::PairingAllocated),
        (2, Bye::Half),
        (3, Bye::Rest),
        (4, Bye::Full),
    ]
    .map(|(no, bye)| Awarded {
        round: RoundNo(1),
        player: PlayerNo(no),
        bye,
    });
    let struck_out = BTreeSet::new();
    let scores = Scores {
        players: &players,
        games: &[],
        byes: &byes,
        struck_out: &struck_out,
        meetings: 0,
    };
    let rows = standings(&scores, &[TieBreak::Wins, TieBreak::GamesWon]);
    let shown: Vec<_> = rows
        .iter()
        .map(|row| (row.player.0, row.rank, row.points.0, row.tie_breaks.clone()))
        .collect();
    let (win, none) = (TieBreakValue::Count(1), TieBreakValue::Count(0));
    assert_eq!(
        shown,
        [
            (1, 1, 2, vec![win, none]),
            (4, 1, 2, vec![win, none]),
            (2, 3, 1, vec![none, none]),
            (3, 4, 0, vec![none, none]),
        ]
    );
}

fn games(list: &[(u16, u16, u16, &str)]) -> Vec<Played> {
    list.iter()
        .map(|&(round, white, black, result)| Played {
            round: RoundNo(round),
            white: PlayerNo(white),
            black: PlayerNo(black),
            result: result.parse().expect("the tests write results"),
        })
        .collect()
}

fn table(games: &[Played], players: u16, order: &[TieBreak]) -> Vec<Standing> {
    let players: Vec<_> = (1..=players).map(PlayerNo).collect();
    let struck_out = BTreeSet::new();
    let scores = Scores {
        players: &players,
        games,
        byes: &[],
        struck_out: &struck_out,
        meetings: 1,
    };
    standings(&scores, order)
}
