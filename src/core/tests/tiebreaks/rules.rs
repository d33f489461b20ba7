//! The rules one by one.

use std::collections::BTreeSet;

use flagfall_core::{
    tournament::{
        result::{Awarded, Bye, Played},
        standings::{
            Crosstable, Detail, Edition, Figure, Format, From, How, LeftOut, Scores, Standing,
            Terms, TieBreak, Value, standings, struck_out,
        },
    },
    types::{PlayerNo, RoundNo},
};

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
        [150, 150, 150, 150]
    );
    assert_eq!(rows[3].player, PlayerNo(1), "no win");
    assert!(rows[0].shared && rows[2].shared);
}

#[test]
fn direct_encounter_waits_for_open_games_unless_one_leads_anyway() {
    let open = games(&[(1, 1, 2, "1-0"), (2, 3, 4, "1-0")]);
    let rows = table(&open, 4, &[TieBreak::DIRECT_ENCOUNTER]);
    assert!(rows[0].shared, "1 and 3 have not met");
    // 1 leads with a win over 2, but 3 may still overtake him.
    let caught = games(&[(1, 1, 2, "1-0"), (2, 2, 4, "1-0"), (1, 3, 5, "1-0")]);
    let rows = table(&caught, 5, &[TieBreak::DIRECT_ENCOUNTER]);
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
    let rows = table(&led, 6, &[TieBreak::DIRECT_ENCOUNTER]);
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
    let terms = Terms::players(Format::Predetermined, 3);
    let rows = ranked(terms, 4, &games, &[], &struck, &TieBreak::ROUND_ROBIN);
    assert!(rows.iter().all(|row| row.points == Value::ZERO));
    let last = rows.last().unwrap();
    assert!((last.player, last.struck_out, last.rank) == (PlayerNo(2), true, 4));
}

#[test]
fn byes_bring_points_but_no_games() {
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
    let terms = Terms::players(Format::Swiss, 1);
    let order = [TieBreak::WINS, TieBreak::GAMES_WON];
    let rows = ranked(terms, 4, &[], &byes, &BTreeSet::new(), &order);
    let shown: Vec<_> = rows
        .iter()
        .map(|row| {
            let figures = [0, 1].map(|at| row.figures[at].value.unwrap().0);
            (row.player.0, row.rank, row.points.0, figures)
        })
        .collect();
    assert_eq!(
        shown,
        [
            (1, 1, 100, [100, 0]),
            (4, 1, 100, [100, 0]),
            (2, 3, 50, [0, 0]),
            (3, 4, 0, [0, 0]),
        ]
    );
}

/// 1 wins two games and by forfeit over 2, who scores nothing.
const FORFEIT: [(u16, u16, u16, &str); 5] = [
    (1, 1, 3, "1-0"),
    (1, 2, 4, "0-1"),
    (2, 1, 4, "1-0"),
    (2, 3, 2, "1-0"),
    (3, 1, 2, "+/-"),
];

#[test]
fn the_dummy_of_a_forfeit_has_no_more_than_the_opponent_since_2026() {
    let missed = [(3, 3, Bye::PairingAllocated), (3, 4, Bye::Half)];
    let old = swiss(1, "BH", Edition::Fide2023, &FORFEIT, &missed);
    assert_eq!(value(&old), "6.5");
    assert_eq!(old.terms[2].from, From::Dummy);
    let new = swiss(1, "BH", Edition::Fide2026, &FORFEIT, &missed);
    assert_eq!(value(&new), "3.5");
    let own = Value::whole(3);
    assert_eq!(new.terms[2].from, From::DummyAsOpponent { own });
    // Counted as a game the opponent's score is simply his.
    let game = swiss(1, "BH/P", Edition::Fide2023, &FORFEIT, &missed);
    assert_eq!(value(&game), "3.5");
    assert_eq!(game.terms[2].from, From::OpponentScore);
}

#[test]
fn the_dummy_of_a_bye_has_no_more_than_draws() {
    let list = [(1, 1, 2, "1-0"), (2, 1, 3, "1-0"), (2, 4, 2, "1-0")];
    let missed = [
        (1, 3, Bye::Half),
        (1, 4, Bye::Zero),
        (3, 1, Bye::PairingAllocated),
    ];
    let figure = swiss(1, "BH", Edition::Fide2026, &list, &missed);
    let own = Value::whole(3);
    assert_eq!(figure.terms[2].from, From::DummyAsDraws { own });
    assert_eq!(figure.terms[2].value, Value(150));
    let own = swiss(4, "SB", Edition::Fide2026, &list, &missed);
    // A bye for nothing brings nothing in a product.
    assert_eq!(own.terms[0].value, Value::ZERO);
}

#[test]
fn byes_after_which_nobody_came_back_are_draws_to_the_opponents() {
    let list = [(1, 1, 2, "0-1"), (2, 1, 3, "1-0")];
    let missed = [
        (2, 2, Bye::Zero),
        (3, 1, Bye::Zero),
        (3, 2, Bye::Zero),
        (3, 3, Bye::Half),
    ];
    let figure = swiss(1, "BH", Edition::Fide2026, &list, &missed);
    // 2 has one point and two trailing byes; what 3 was given would be half a point anyway.
    let awarded = Value::whole(1);
    assert_eq!(figure.terms[0].from, From::OpponentAdjusted { awarded });
    assert_eq!(figure.terms[0].value, Value::whole(2));
    assert_eq!(figure.terms[1].value, Value(50));
    let adjusted = swiss(2, "ABH", Edition::Fide2026, &list, &missed);
    assert_eq!(value(&adjusted), "2");
    assert_eq!(adjusted.terms[1].from, From::TrailingBye);
    // Whoever comes back keeps what he was awarded.
    let back = [(3, 2, 3, "0-1")];
    let list: Vec<_> = list.into_iter().chain(back).collect();
    let figure = swiss(1, "BH", Edition::Fide2026, &list, &missed[..2]);
    assert_eq!(figure.terms[0].from, From::OpponentScore);
}

#[test]
fn a_voluntary_unplayed_round_is_cut_before_the_least_value() {
    let list = [
        (1, 1, 2, "1-0"),
        (2, 1, 3, "1-0"),
        (3, 4, 1, "0-1"),
        (3, 3, 2, "1-0"),
    ];
    let missed = [
        (1, 3, Bye::Half),
        (1, 4, Bye::Half),
        (2, 2, Bye::PairingAllocated),
        (2, 4, Bye::Half),
        (4, 1, Bye::Half),
        (4, 2, Bye::Full),
        (4, 3, Bye::Full),
        (4, 4, Bye::Full),
    ];
    let figure = swiss(1, "BH/C1", Edition::Fide2026, &list, &missed);
    let cut: Vec<_> = figure.terms.iter().map(|term| term.left_out).collect();
    assert_eq!(cut, [None, None, None, Some(LeftOut::Voluntary)]);
    assert!(figure.terms[3].voluntary);
    let counted = figure.terms.iter().filter(|term| term.left_out.is_none());
    assert_eq!(figure.value, Some(counted.map(|term| term.value).sum()));
    // The second cut takes what is least; the medians take the highest with no exception.
    let figure = swiss(1, "BH/M1", Edition::Fide2026, &list, &missed);
    assert!(
        figure
            .terms
            .iter()
            .any(|term| term.left_out == Some(LeftOut::Highest))
    );
}

#[test]
fn fore_buchholz_draws_the_games_of_the_last_round_only() {
    let list = [
        (1, 1, 2, "1-0"),
        (1, 3, 4, "1-0"),
        (2, 1, 3, "1-0"),
        (2, 2, 4, "+/-"),
    ];
    let figure = swiss(1, "FB", Edition::Fide2026, &list, &[]);
    assert_eq!(value(&figure), "2");
    // The forfeit of the last round is a game like the others, and drawn.
    let figure = swiss(2, "FB", Edition::Fide2026, &list, &[]);
    assert_eq!(value(&figure), "2");
    assert_eq!(value(&swiss(2, "BH/F", Edition::Fide2026, &list, &[])), "2");
    let before = Terms {
        planned: 3,
        ..Terms::players(Format::Swiss, 2)
    };
    let order = [
        TieBreak::list("FB").unwrap()[0],
        TieBreak::list("BH").unwrap()[0],
    ];
    for row in ranked(before, 4, &games(&list), &[], &BTreeSet::new(), &order) {
        assert_eq!(
            row.figures[0].value, row.figures[1].value,
            "not the last round yet"
        );
    }
}

#[test]
fn direct_encounter_in_a_swiss_says_why_it_decides_nothing() {
    let list = [(1, 1, 2, "1-0"), (1, 3, 4, "1-0"), (1, 5, 6, "1/2-1/2")];
    let figure = swiss(1, "DE", Edition::Fide2026, &list, &[]);
    let How::Place { steps } = &figure.how else {
        panic!("{figure:?}")
    };
    assert_eq!(steps[0].not_met, [[PlayerNo(1), PlayerNo(3)]]);
    assert!(!steps[0].all_met && steps[0].groups.len() == 1);
    assert_eq!(figure.value, Some(Value::whole(1)));
    let alone = [(1, 1, 2, "1-0"), (1, 3, 4, "1/2-1/2")];
    assert_eq!(swiss(1, "DE", Edition::Fide2026, &alone, &[]).value, None);
}

#[test]
fn a_forfeit_is_no_meeting_in_a_swiss() {
    let list = [
        (1, 1, 2, "+/-"),
        (2, 2, 3, "1-0"),
        (2, 4, 1, "1-0"),
        (3, 4, 3, "1-0"),
    ];
    let tied = swiss(1, "DE", Edition::Fide2026, &list, &[(1, 3, Bye::Zero)]);
    assert_eq!(tied.value, Some(Value::whole(1)), "{tied:?}");
    let other = swiss(2, "DE", Edition::Fide2026, &list, &[(1, 3, Bye::Zero)]);
    assert_eq!(other.value, Some(Value::whole(1)));
    let counted = swiss(2, "DE/P", Edition::Fide2026, &list, &[(1, 3, Bye::Zero)]);
    assert!(counted.value > Some(Value::whole(1)));
}

#[test]
fn two_meetings_count_as_their_mean() {
    let list = games(&[
        (1, 1, 2, "1-0"),
        (1, 3, 4, "0-1"),
        (2, 2, 1, "1/2-1/2"),
        (2, 4, 3, "1/2-1/2"),
        (3, 2, 3, "1-0"),
        (3, 1, 4, "0-1"),
        (4, 3, 2, "1-0"),
        (4, 4, 1, "1-0"),
    ]);
    let terms = Terms {
        meetings: 2,
        ..Terms::players(Format::Predetermined, 4)
    };
    let rows = ranked(
        terms,
        4,
        &list,
        &[],
        &BTreeSet::new(),
        &[TieBreak::DIRECT_ENCOUNTER],
    );
    let second = &rows[1];
    let How::Place { steps } = &second.figures[0].how else {
        panic!("{second:?}")
    };
    let points = |step: usize| -> Vec<_> {
        let results = steps[step].results.iter();
        results.map(|it| it.points.0).collect()
    };
    assert_eq!((second.player, second.rank), (PlayerNo(1), 2));
    assert!(steps.iter().all(|step| step.all_met));
    // 1, 2 and 3 are tied; then 1 and 2 again, by their own two games.
    assert_eq!((points(0), points(1)), (vec![75, 75, 50], vec![75, 25]));
}

#[test]
fn koya_counts_who_reaches_the_limit() {
    let list = games(&[
        (1, 1, 4, "1-0"),
        (1, 2, 3, "1-0"),
        (2, 4, 3, "0-1"),
        (2, 1, 2, "1/2-1/2"),
        (3, 2, 4, "1/2-1/2"),
        (3, 3, 1, "0-1"),
    ]);
    let terms = Terms::players(Format::Predetermined, 3);
    let koya = |code: &str| {
        let order = [code.parse().unwrap()];
        let rows = ranked(terms, 4, &list, &[], &BTreeSet::new(), &order);
        let first = rows.iter().find(|row| row.player.0 == 1).unwrap();
        value(&first.figures[0])
    };
    // Points: 2.5, 2, 1, 0.5 of 3.
    assert_eq!(koya("KS"), "0.5");
    assert_eq!(koya("KS/L-1"), "1.5");
    assert_eq!(koya("KS/L+2"), "0");
    assert_eq!(koya("KS/L10"), "2.5");
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

/// A round robin of nine rounds, of which these are played.
fn table(games: &[Played], players: u16, order: &[TieBreak]) -> Vec<Standing> {
    let terms = Terms {
        planned: 9,
        ..Terms::players(Format::Predetermined, 0)
    };
    ranked(terms, players, games, &[], &BTreeSet::new(), order)
}

fn ranked(
    terms: Terms,
    players: u16,
    games: &[Played],
    byes: &[Awarded],
    struck_out: &BTreeSet<PlayerNo>,
    order: &[TieBreak],
) -> Vec<Standing> {
    let players: Vec<_> = (1..=players).map(|no| (PlayerNo(no), None)).collect();
    let scores = Scores {
        players: &players,
        games,
        open: &[],
        byes,
        struck_out,
    };
    standings(&Crosstable::of_games(terms, &scores), order, Detail::Terms)
}

fn byes(list: &[(u16, u16, Bye)]) -> Vec<Awarded> {
    let awarded = |&(round, no, bye): &(u16, u16, Bye)| Awarded {
        round: RoundNo(round),
        player: PlayerNo(no),
        bye,
    };
    list.iter().map(awarded).collect()
}

/// The figure of one player of a Swiss by one tie-break.
fn swiss(
    no: u16,
    code: &str,
    edition: Edition,
    list: &[(u16, u16, u16, &str)],
    missed: &[(u16, u16, Bye)],
) -> Figure {
    let terms = Terms {
        edition,
        ..Terms::players(Format::Swiss, 0)
    };
    let (games, byes) = (games(list), byes(missed));
    let players = games.iter().flat_map(|game| [game.white.0, game.black.0]);
    let players = players
        .chain(missed.iter().map(|(_, no, _)| *no))
        .max()
        .expect("somebody plays");
    let order = [code.parse().expect("the tests write codes")];
    let mut rows = ranked(terms, players, &games, &byes, &BTreeSet::new(), &order);
    let at = rows
        .iter()
        .position(|row| row.player.0 == no)
        .expect("he plays");
    rows.swap_remove(at).figures.swap_remove(0)
}

fn value(figure: &Figure) -> String {
    figure.value.expect("a figure").to_string()
}
