//! Standings of a Swiss of 2,000 players after 11 rounds by every tie-break of players at once.

use std::{collections::BTreeSet, hint::black_box};

use criterion::{Criterion, criterion_group, criterion_main};
use flagfall_core::{
    tournament::{
        result::{Awarded, Bye, GameResult, Played},
        standings::{Crosstable, Detail, Format, Scores, Terms, TieBreak, standings},
    },
    types::{PlayerNo, RoundNo},
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const PLAYERS: u16 = 2000;
const ROUNDS: u16 = 11;
const ALL: &str = "DE,BH,BH/C1,BH/C2,BH/M1,BH/M2,FB,AOB,SB,SB/C1,WIN,WON,BPG,BWG,REP,STD,PS,PS/C1,KS,ARO,\
                   ARO/C1,TPR,PTP,APRO,APPO,RTNG,TPN";

/// Players of like scores meet, now and then somebody does not come or asks for a bye.
fn event() -> Crosstable {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let players: Vec<(PlayerNo, Option<u16>)> = (1..=PLAYERS)
        .map(|no| (PlayerNo(no), Some(2500 - no / 2)))
        .collect();
    let mut points = vec![0_u16; usize::from(PLAYERS) + 1];
    let (mut games, mut byes) = (Vec::new(), Vec::new());
    for round in (1..=ROUNDS).map(RoundNo) {
        let mut order: Vec<u16> = (1..=PLAYERS).collect();
        order
            .sort_by_cached_key(|&no| (u16::MAX - points[usize::from(no)], random.random::<u16>()));
        let away = |random: &mut ChaCha8Rng| random.random_bool(0.02);
        let (here, missing): (Vec<u16>, Vec<u16>) =
            order.into_iter().partition(|_| !away(&mut random));
        for pair in here.chunks(2) {
            let &[white, black] = pair else { continue };
            let result = match random.random_range(0..100) {
                0 => GameResult::WhiteByForfeit,
                1 => GameResult::BlackByForfeit,
                2..35 => GameResult::Draw,
                35..70 => GameResult::WhiteWins,
                _ => GameResult::BlackWins,
            };
            for (no, side) in [
                (white, flagfall_core::types::Color::White),
                (black, flagfall_core::types::Color::Black),
            ] {
                points[usize::from(no)] += result.points(side).halves();
            }
            games.push(Played {
                round,
                white: PlayerNo(white),
                black: PlayerNo(black),
                result,
            });
        }
        byes.extend(missing.into_iter().map(|no| Awarded {
            round,
            player: PlayerNo(no),
            bye: if no % 2 == 0 { Bye::Half } else { Bye::Zero },
        }));
    }
    let scores = Scores {
        players: &players,
        games: &games,
        open: &[],
        byes: &byes,
        struck_out: &BTreeSet::new(),
    };
    Crosstable::of_games(Terms::players(Format::Swiss, ROUNDS), &scores)
}

fn all(c: &mut Criterion) {
    let table = event();
    let order = TieBreak::list(ALL).expect("known codes");
    let mut group = c.benchmark_group("standings");
    group.sample_size(20);
    group.bench_function("values", |b| {
        b.iter(|| standings(black_box(&table), &order, Detail::Values));
    });
    group.bench_function("with all terms", |b| {
        b.iter(|| standings(black_box(&table), &order, Detail::Terms));
    });
    group.finish();
}

criterion_group!(benches, all);
criterion_main!(benches);
