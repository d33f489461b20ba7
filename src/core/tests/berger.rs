//! The Berger tables of the rule book, cell by cell, and what must hold for any size (R-PR-6).

use std::collections::{BTreeMap, BTreeSet};

use flagfall_core::{
    pairing::{
        ByeKind, Entrant, Input, PairingError, PlayedGame, PlayedRound, Presence, RoundPairing,
        RoundRobin, Settings, System, UnpairedReason, berger,
    },
    types::{Color, PlayerNo, Points, RoundNo},
};
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Book {
    tables: Vec<Table>,
    generated_beyond_the_book: Vec<Table>,
}

#[derive(Deserialize)]
struct Table {
    players: Vec<u16>,
    rounds: Vec<Vec<(u16, u16)>>,
}

fn book() -> Vec<Table> {
    let book: Book =
        serde_json::from_str(include_str!("data/berger.json")).expect("the tables are JSON");
    book.tables
        .into_iter()
        .chain(book.generated_beyond_the_book)
        .collect()
}

#[test]
fn tables_equal_the_book() {
    let tables = book();
    let sizes: Vec<u16> = tables
        .iter()
        .flat_map(|table| table.players.clone())
        .collect();
    assert_eq!(sizes, (3..=32).collect::<Vec<_>>());
    for table in tables {
        for &players in &table.players {
            assert_eq!(
                table.rounds.len(),
                usize::from(berger::table_size(players) - 1)
            );
            for (round, book) in (1..).zip(&table.rounds) {
                let ours = berger::berger_round(players, round);
                // The book lists the boards of one round of sixteen in another order.
                if (berger::table_size(players), round) == (16, 10) {
                    assert_eq!(
                        sorted(&ours),
                        sorted(book),
                        "{players} players, round {round}"
                    );
                } else {
                    assert_eq!(&ours, book, "{players} players, round {round}");
                }
            }
        }
    }
}

#[test]
fn pairing_equals_the_book_with_rests() {
    for table in book() {
        for &players in &table.players {
            for (round, book) in (1..).zip(&table.rounds) {
                let paired = RoundRobin::SINGLE.pair(&input(players, round)).unwrap();
                let (rests, games): (Vec<_>, Vec<_>) =
                    book.iter().partition(|&&(w, b)| w > players || b > players);
                assert_eq!(
                    sorted(&pairs(&paired)),
                    sorted(&games),
                    "{players}, round {round}"
                );
                let resting = rests.first().map(|&(w, b)| PlayerNo(w.min(b)));
                assert_eq!(paired.bye.as_ref().map(|bye| bye.player), resting);
                assert!(paired.bye.is_none_or(|bye| bye.kind == ByeKind::Rest));
            }
        }
    }
}

#[test]
fn double_cycle_exchanges_the_last_two_rounds_of_the_first() {
    // Four players: rounds 1 3 2, then 1 2 3 with the colours reversed.
    let schedule: Vec<_> = (1..=6)
        .map(|round| pairs(&RoundRobin::DOUBLE.pair(&input(4, round)).unwrap()))
        .collect();
    assert_eq!(
        schedule,
        [
            [(1, 4), (2, 3)],
            [(2, 4), (3, 1)],
            [(4, 3), (1, 2)],
            [(4, 1), (3, 2)],
            [(3, 4), (2, 1)],
            [(4, 2), (1, 3)],
        ]
    );
    let two: Vec<_> = (1..=2)
        .map(|round| pairs(&RoundRobin::DOUBLE.pair(&input(2, round)).unwrap()))
        .collect();
    assert_eq!(two, [[(1, 2)], [(2, 1)]]);
    assert_eq!(
        RoundRobin::DOUBLE.pair(&input(4, 7)),
        Err(PairingError::NoSuchRound {
            round: RoundNo(7),
            rounds: 6
        })
    );
}

#[test]
fn explanations_are_sentences() {
    let paired = RoundRobin::DOUBLE.pair(&input(5, 6)).unwrap();
    assert_eq!(
        paired.pairs[0].explanation.to_string(),
        "The Berger table for 5 or 6 players pairs 5 (White) with 2 (Black) in its round 1; \
         this is cycle 2, with the colours reversed."
    );
    assert_eq!(
        paired.bye.unwrap().explanation.to_string(),
        "The number of players is odd: in round 1 of the Berger table for 5 or 6 players, 1 meets \
         6, which nobody has, and rests."
    );
}

#[test]
fn a_withdrawn_player_keeps_his_number_and_names_his_opponent() {
    let mut input = input(4, 1);
    input.players[3].presence = Presence::Withdrawn;
    let paired = RoundRobin::SINGLE.pair(&input).unwrap();
    assert_eq!(pairs(&paired), [(2, 3)]);
    assert_eq!(paired.pairs[0].board, 1);
    assert_eq!(paired.bye, None, "an opponent who left is no rest");
    let [one, four] = paired.unpaired[..] else {
        panic!("two are left out: {paired:?}")
    };
    assert!(
        matches!(one.reason, UnpairedReason::OpponentMissing { opponent }
        if one.player == PlayerNo(1) && opponent.player == PlayerNo(4)
            && opponent.own_colour == Color::White)
    );
    assert!(matches!(
        four.reason,
        UnpairedReason::Withdrawn { opponent: Some(_) }
    ));
}

#[test]
fn numbers_with_gaps_take_the_table_in_their_order() {
    let mut gaps = input(4, 1);
    for (entrant, no) in gaps.players.iter_mut().zip([30, 10, 40, 20]) {
        entrant.no = PlayerNo(no);
    }
    assert_eq!(
        pairs(&RoundRobin::SINGLE.pair(&gaps).unwrap()),
        [(10, 40), (20, 30)]
    );
}

#[test]
fn contradictions_are_refused_in_words() {
    let single = RoundRobin::SINGLE;
    assert_eq!(
        single.pair(&input(1, 1)),
        Err(PairingError::TooFewPlayers { entered: 1 })
    );
    assert_eq!(
        single.pair(&input(4, 0)),
        Err(PairingError::NoSuchRound {
            round: RoundNo(0),
            rounds: 3
        })
    );
    let mut short = input(4, 3);
    short.settings.rounds = Some(2);
    assert_eq!(
        single.pair(&short),
        Err(PairingError::NoSuchRound {
            round: RoundNo(3),
            rounds: 2
        })
    );
    let mut twice = input(4, 1);
    twice.players[1].no = PlayerNo(1);
    assert_eq!(
        single.pair(&twice),
        Err(PairingError::DuplicateNumber {
            player: PlayerNo(1)
        })
    );
    let mut nobody = input(3, 1);
    nobody.players[1].presence = Presence::Absent;
    assert_eq!(
        single.pair(&nobody),
        Err(PairingError::NobodyPresent { round: RoundNo(1) })
    );
    let mut stranger = input(4, 2);
    stranger.history.push(round_of(1, &[(1, 9)]));
    assert_eq!(
        single.pair(&stranger),
        Err(PairingError::UnknownPlayer {
            round: RoundNo(1),
            player: PlayerNo(9)
        })
    );
    let mut met = input(4, 2);
    met.history.push(round_of(1, &[(3, 4)]));
    assert_eq!(
        single.pair(&met).unwrap_err().to_string(),
        "4 and 3 should meet in round 2, but have met before in round 1; the rounds played differ \
         from the table, pair this round by hand"
    );
    met.history[0].games[0].played = false;
    assert!(single.pair(&met).is_ok(), "a forfeit is no meeting");
    met.history.push(round_of(2, &[]));
    assert_eq!(
        single.pair(&met),
        Err(PairingError::HistoryOutOfOrder {
            round: RoundNo(2),
            found: RoundNo(2)
        })
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn single_cycle_is_complete_and_balanced(players in 2_u16..=200) {
        let n = berger::table_size(players);
        let mut seen = BTreeSet::new();
        let mut whites: BTreeMap<u16, u16> = BTreeMap::new();
        for round in 1..n {
            let pairs = berger::berger_round(players, round);
            let in_round: BTreeSet<u16> = pairs.iter().flat_map(|&(w, b)| [w, b]).collect();
            prop_assert_eq!(in_round, (1..=n).collect::<BTreeSet<_>>());
            for (white, black) in pairs {
                prop_assert!(seen.insert((white.min(black), white.max(black))));
                *whites.entry(white).or_default() += 1;
            }
        }
        prop_assert_eq!(seen.len(), usize::from(n) * usize::from(n - 1) / 2);
        for number in 1..=n {
            let expected = if number <= n / 2 { n / 2 } else { n / 2 - 1 };
            prop_assert_eq!(whites.get(&number).copied().unwrap_or(0), expected);
        }
        prop_assert!(berger::berger_round(players, n).is_empty());
    }

    #[test]
    fn double_cycle_is_fair(players in 2_u16..=60) {
        let rounds = RoundRobin::DOUBLE.rounds(usize::from(players)).unwrap();
        let mut seen = BTreeSet::new();
        let mut colours: BTreeMap<PlayerNo, Vec<Color>> = BTreeMap::new();
        let mut history = Vec::new();
        for round in 1..=rounds {
            let paired = RoundRobin::DOUBLE
                .pair(&Input { history: history.clone(), ..input(players, round) })
                .unwrap();
            for pair in &paired.pairs {
                prop_assert!(seen.insert((pair.white, pair.black)));
                colours.entry(pair.white).or_default().push(Color::White);
                colours.entry(pair.black).or_default().push(Color::Black);
            }
            history.push(round_of(round, &pairs(&paired)));
        }
        prop_assert_eq!(seen.len(), usize::from(players) * usize::from(players - 1));
        for (player, colours) in colours {
            let white = colours.iter().filter(|&&colour| colour == Color::White).count();
            prop_assert_eq!(2 * white, colours.len());
            prop_assert!(
                colours.windows(3).all(|three| three[0] != three[1] || three[1] != three[2]),
                "{} has one colour three times running: {:?}", player, colours
            );
        }
    }

    #[test]
    fn any_number_of_cycles_is_fair(players in 2_u16..=24, cycles in 1_u16..=6) {
        let system = RoundRobin { cycles };
        let rounds = system.rounds(usize::from(players)).unwrap();
        let mut met: BTreeMap<(PlayerNo, PlayerNo), u16> = BTreeMap::new();
        let mut colours: BTreeMap<PlayerNo, Vec<Color>> = BTreeMap::new();
        for round in 1..=rounds {
            let paired = system.pair(&input(players, round)).unwrap();
            for pair in &paired.pairs {
                *met.entry((pair.white, pair.black)).or_default() += 1;
                colours.entry(pair.white).or_default().push(Color::White);
                colours.entry(pair.black).or_default().push(Color::Black);
            }
        }
        for a in 1..=players {
            for b in a + 1..=players {
                let times = |white, black| {
                    met.get(&(PlayerNo(white), PlayerNo(black))).copied().unwrap_or(0)
                };
                prop_assert_eq!(times(a, b) + times(b, a), cycles);
                prop_assert!(times(a, b).abs_diff(times(b, a)) <= 1);
            }
        }
        for (player, colours) in colours {
            prop_assert!(
                colours.windows(3).all(|three| three[0] != three[1] || three[1] != three[2]),
                "{} has one colour three times running: {:?}", player, colours
            );
        }
    }

    #[test]
    fn everybody_is_somewhere_once_whoever_is_missing(
        (players, round, presence, rotate) in (2_u16..=40).prop_flat_map(|players| (
            Just(players),
            1..berger::table_size(players),
            proptest::collection::vec(0_u8..6, usize::from(players)),
            0..usize::from(players),
        ))
    ) {
        let mut input = input(players, round);
        for (entrant, presence) in input.players.iter_mut().zip(presence) {
            entrant.presence = match presence {
                0 => Presence::Absent,
                1 => Presence::Withdrawn,
                _ => Presence::Present,
            };
        }
        let result = RoundRobin::SINGLE.pair(&input);
        input.players.rotate_left(rotate);
        prop_assert_eq!(&result, &RoundRobin::SINGLE.pair(&input), "order must not matter");
        match result {
            Err(error) => prop_assert_eq!(error, PairingError::NobodyPresent { round: RoundNo(round) }),
            Ok(paired) => {
                let mut all: Vec<u16> = pairs(&paired).into_iter().flat_map(|(w, b)| [w, b]).collect();
                all.extend(paired.bye.iter().map(|bye| bye.player.0));
                all.extend(paired.unpaired.iter().map(|unpaired| unpaired.player.0));
                all.sort_unstable();
                prop_assert_eq!(all, (1..=players).collect::<Vec<_>>());
                let boards: Vec<u16> = paired.pairs.iter().map(|pair| pair.board).collect();
                prop_assert_eq!(boards, (1..=paired.pairs.len() as u16).collect::<Vec<_>>());
            }
        }
    }
}

fn input(players: u16, round: u16) -> Input {
    Input {
        players: (1..=players)
            .map(|no| Entrant::present(PlayerNo(no)))
            .collect(),
        history: Vec::new(),
        round: RoundNo(round),
        settings: Settings::default(),
    }
}

fn round_of(round: u16, pairs: &[(u16, u16)]) -> PlayedRound {
    let games = pairs
        .iter()
        .map(|&(white, black)| PlayedGame {
            white: PlayerNo(white),
            black: PlayerNo(black),
            white_points: Points::ONE,
            black_points: Points::ZERO,
            played: true,
        })
        .collect();
    PlayedRound {
        round: RoundNo(round),
        games,
        unpaired: Vec::new(),
    }
}

fn pairs(paired: &RoundPairing) -> Vec<(u16, u16)> {
    paired
        .pairs
        .iter()
        .map(|pair| (pair.white.0, pair.black.0))
        .collect()
}

fn sorted(pairs: &[(u16, u16)]) -> Vec<(u16, u16)> {
    let mut pairs = pairs.to_vec();
    pairs.sort_unstable();
    pairs
}
