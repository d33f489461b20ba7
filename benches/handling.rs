//! Every game of the library with every kind of handling on boards of every noise: how much of it the
//! hub understands, and whether it ever says what was not played.
//!
//! `cargo bench --bench handling -- [--noise none|ordinary|hostile] [--habit TEXT] [--first N] [--games N] [--seed N] [--show]`
//!
//! `--show` prints what was wrong; `HALL_TRACE=12` beside it everything that happened at table 12.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a helper that fails is a bench that fails"
)]

#[path = "../tests/hall/habits.rs"]
mod habits;
#[path = "../tests/hall/judge.rs"]
#[allow(dead_code, reason = "the tests look at less and more of it")]
mod judge;
#[path = "../tests/hall/virtual_hall.rs"]
#[allow(dead_code, reason = "the tests look at all of its outcome")]
mod virtual_hall;

use std::time::Instant;

use flagfall_core::types::TableNo;
use flagfall_simulators::{board::Noise, games::library};
use habits::{HABITS, play};
use judge::{Record, compare, flaws, judge as judged};
use virtual_hall::Outcome;

fn value(name: &str) -> Option<String> {
    let mut args = std::env::args().skip_while(|arg| arg != name);
    args.nth(1)
}

/// How many of the half-moves played are in the records: each part of a record is laid where it fits.
fn correct_plies(outcome: &Outcome) -> usize {
    let mut plies = 0;
    for ((round, table), truth) in &outcome.truths {
        let state = &outcome.state.rounds[usize::from(*round) - 1];
        let game = &state.games[&TableNo(*table)];
        if judged(game, &truth.moves, true) < Record::Silent {
            plies += game.moves.len();
        }
    }
    plies
}

fn main() {
    let number = |name: &str, usual: usize| value(name).map_or(usual, |n| n.parse().unwrap());
    let games = number("--games", library().len());
    let first = number("--first", 0);
    let seed = number("--seed", 1) as u64;
    println!(
        "noise     habit                     games  whole   gaps   told silent  wrong results asked  plies %  alerts  s"
    );
    for (name, noise) in [
        ("none", Noise::none()),
        ("ordinary", Noise::ordinary()),
        ("hostile", Noise::hostile()),
    ] {
        if value("--noise").is_some_and(|wanted| wanted != name) {
            continue;
        }
        for habit in HABITS {
            if value("--habit").is_some_and(|wanted| !habit.0.contains(&wanted)) {
                continue;
            }
            let began = Instant::now();
            let outcome = play(
                habit,
                noise,
                first,
                games.min(library().len() - first),
                seed,
            );
            let (counts, bad) = flaws(&outcome);
            let (_, wrong_results, plies, _) = compare(&outcome);
            let count = |record| counts.get(&record).copied().unwrap_or(0);
            println!(
                "{name:9} {:24} {:6} {:6} {:6} {:6} {:6} {:6} {:7} {:5} {:8.3} {:7} {:4.1}",
                habit.0,
                outcome.truths.len(),
                count(Record::Complete),
                count(Record::Gap),
                count(Record::Told),
                count(Record::Silent),
                count(Record::Wrong),
                wrong_results.len(),
                outcome.asked.len(),
                100.0 * correct_plies(&outcome) as f64 / plies as f64,
                virtual_hall::alerts(&outcome.journal)
                    .values()
                    .sum::<usize>(),
                began.elapsed().as_secs_f64(),
            );
            if std::env::args().any(|arg| arg == "--show") {
                println!("{:?}", virtual_hall::alerts(&outcome.journal));
                for flaw in &bad {
                    println!("{flaw}");
                }
                for text in &wrong_results {
                    println!("{text}");
                }
                println!("asked {:?}", outcome.asked);
            }
        }
    }
}
