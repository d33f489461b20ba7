//! What holds for every event.

use std::collections::BTreeSet;

use flagfall_core::{
    tournament::{
        result::{Awarded, Bye, GameResult, Played},
        standings::{
            Crosstable, Detail, Edition, Format, Scores, Standing, Terms, TieBreak, standings,
        },
    },
    types::{PlayerNo, RoundNo},
};
use proptest::prelude::*;
use rand::{Rng, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

const CODES: &str = "BH,BH/C1,BH/C2,BH/M1,FB,AOB,SB,SB/C1,DE,DE/P,WIN,WON,BPG,BWG,PS,PS/C1,KS,REP,STD,\
                     ARO,ARO/C1,TPR,PTP,APRO,APPO,BH/P,ABH,AFB,RTNG";

struct Event {
    players: Vec<(PlayerNo, Option<u16>)>,
    games: Vec<Played>,
    byes: Vec<Awarded>,
}

/// Anybody against anybody, with all that may happen.
fn event(seed: u64, players: u16, rounds: u16) -> Event {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut event = Event {
        players: (1..=players)
            .map(|no| {
                (
                    PlayerNo(no),
                    random
                        .random_bool(0.9)
                        .then(|| random.random_range(1400..2500)),
                )
            })
            .collect(),
        games: Vec::new(),
        byes: Vec::new(),
    };
    for round in (1..=rounds).map(RoundNo) {
        let mut seats: Vec<PlayerNo> = event.players.iter().map(|(no, _)| *no).collect();
        seats.shuffle(&mut random);
        while let Some(white) = seats.pop() {
            let byes = [Bye::PairingAllocated, Bye::Half, Bye::Zero, Bye::Full];
            match seats.pop().filter(|_| random.random_bool(0.85)) {
                Some(black) => event.games.push(Played {
                    round,
                    white,
                    black,
                    result: GameResult::ALL[random.random_range(0..GameResult::ALL.len())],
                }),
                None => event.byes.push(Awarded {
                    round,
                    player: white,
                    bye: byes[random.random_range(0..byes.len())],
                }),
            }
        }
    }
    event
}

fn ranked(event: &Event, format: Format, detail: Detail) -> Vec<Standing> {
    let terms = Terms {
        edition: Edition::Fide2026,
        ..Terms::players(format, 0)
    };
    let scores = Scores {
        players: &event.players,
        games: &event.games,
        open: &[],
        byes: &event.byes,
        struck_out: &BTreeSet::new(),
    };
    let table = Crosstable::of_games(terms, &scores);
    standings(&table, &TieBreak::list(CODES).expect("known codes"), detail)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The order in which players, games and byes were entered does not show.
    #[test]
    fn the_order_of_entry_does_not_show(seed: u64, players in 2_u16..24, rounds in 1_u16..9) {
        let mut event = event(seed, players, rounds);
        let mut random = ChaCha8Rng::seed_from_u64(seed ^ 1);
        for format in [Format::Swiss, Format::Predetermined] {
            let before = ranked(&event, format, Detail::Terms);
            event.players.shuffle(&mut random);
            event.games.shuffle(&mut random);
            event.byes.shuffle(&mut random);
            prop_assert_eq!(ranked(&event, format, Detail::Terms), before);
        }
    }

    /// Parts are told without changing anything, places rise, and who shares one says so.
    #[test]
    fn places_and_parts_hold_together(seed: u64, players in 1_u16..24, rounds in 1_u16..9) {
        let event = event(seed, players, rounds);
        let told = ranked(&event, Format::Swiss, Detail::Terms);
        let short = ranked(&event, Format::Swiss, Detail::Values);
        prop_assert_eq!(told.len(), usize::from(players));
        for (at, (row, other)) in told.iter().zip(&short).enumerate() {
            prop_assert_eq!((row.player, row.rank), (other.player, other.rank));
            let values = |row: &Standing| -> Vec<_> { row.figures.iter().map(|it| it.value).collect() };
            prop_assert_eq!(values(row), values(other));
            let level = |other: &Standing| other.rank == row.rank && other.player != row.player;
            prop_assert_eq!(row.shared, told.iter().any(level));
            prop_assert!(usize::from(row.rank) <= at + 1);
            prop_assert!(told[..at].iter().all(|better| better.points >= row.points));
        }
    }
}
