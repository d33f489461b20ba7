//! One round: round 7 of 9 for 20 to 2,000 players, 4,000 players with a random history, and a
//! saturated field; other systems than Dutch to 1,000 players.

#[path = "../tests/support/corpus.rs"]
#[allow(dead_code, reason = "the tests use all of it")]
mod corpus;
#[path = "../tests/support/random.rs"]
mod random;
#[path = "../tests/support/trf.rs"]
mod trf;

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use flagfall_core::pairing::{
    Input, System,
    swiss::{burstein::Burstein, dubov::Dubov, dutch::Dutch, lim::Lim},
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Perf {
    id: String,
    round: u16,
    trf: String,
}

fn inputs() -> Vec<(String, Input)> {
    let round7: Vec<Perf> = corpus::read(include_bytes!("../tests/data/pairing/round7.jsonl.zst"));
    let mut inputs: Vec<(String, Input)> = round7
        .iter()
        .map(|perf| {
            let id = perf.id.trim_start_matches("perf-").to_owned();
            (id, trf::input(&perf.trf, perf.round))
        })
        .collect();
    inputs.push(("4000".into(), random::input(4000, 7, 1)));
    inputs.push(("saturated-14".into(), saturated()));
    inputs
}

/// The field of the corpus with most rounds behind it, of about 14 players.
fn saturated() -> Input {
    let tournaments: Vec<corpus::Tournament> =
        corpus::read(include_bytes!("../tests/data/pairing/dutch-2026.jsonl.zst"));
    tournaments
        .iter()
        .filter(|tournament| tournament.id.contains("-sat-"))
        .flat_map(|tournament| &tournament.cases)
        .filter(|case| !case.impossible)
        .max_by_key(|case| {
            let players = case.trf.matches("\n001").count();
            (case.round.min(11), players <= 14, players)
        })
        .map(|case| trf::input(&case.trf, case.round))
        .expect("the corpus has saturated fields")
}

fn round(c: &mut Criterion) {
    let inputs = inputs();
    for system in [Dutch::FIDE_2026, Dutch::FIDE_2017] {
        let mut group = c.benchmark_group(system.name());
        group.sample_size(10);
        for (id, input) in &inputs {
            group.bench_with_input(BenchmarkId::from_parameter(id), input, |b, input| {
                b.iter(|| system.pair(black_box(input)));
            });
        }
        group.finish();
    }
}

fn other_systems(c: &mut Criterion) {
    let inputs = inputs();
    let systems: [&dyn System; 3] = [&Dubov, &Burstein, &Lim::default()];
    for system in systems {
        let mut group = c.benchmark_group(system.name());
        group.sample_size(10);
        for (id, input) in inputs
            .iter()
            .filter(|(_, input)| input.players.len() <= 1000)
        {
            group.bench_with_input(BenchmarkId::from_parameter(id), input, |b, input| {
                b.iter(|| system.pair(black_box(input)));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, round, other_systems);
criterion_main!(benches);
