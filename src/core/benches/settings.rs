//! In which move the hub finds a clock that is set wrongly, and whether it ever calls for one that is not.
//!
//! `cargo bench --bench settings -- [--games N] [--right] [--show]`; `--right`: only clocks that are set rightly.

#![allow(
    clippy::print_stdout,
    reason = "a table on the terminal is what this is for"
)]

#[path = "../tests/support/clocked_tables.rs"]
mod clocked_tables;

use clocked_tables::{CASES, Case, Hall, RIGHT, control, games, hear, play};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let number = args.iter().skip_while(|arg| *arg != "--games").nth(1);
    let games = games(number.and_then(|number| number.parse().ok()).unwrap_or(400));
    let only_right = args.iter().any(|arg| arg == "--right");
    let show = args.iter().any(|arg| arg == "--show");
    println!(
        "event | set | hall | games | before | 1 | 2 | 3 | 4-6 | later | never | false alarms"
    );
    let right = RIGHT.map(|text| (text, text, false, None));
    let wanted = |case: &Case| !only_right || case.3.is_none();
    for case in CASES.into_iter().chain(right).filter(wanted) {
        let (planned, set, in_advance, kind) = case;
        for hall in [Hall::Quiet, Hall::Busy] {
            let mut at = Vec::new();
            let mut false_alarms = Vec::new();
            for (seed, game) in games.iter().enumerate() {
                let table = play(game, &control(set), in_advance, hall, seed as u64);
                let heard = hear(&table, planned, Some(game));
                let found = heard.wrong.iter().find(|(what, _)| Some(*what) == kind);
                at.push(found.map(|(_, at)| *at));
                // Who has another start time may well have another increment too.
                let others = heard.wrong.iter().filter(|(what, _)| kind != Some(*what));
                if kind.is_none() || hall == Hall::Quiet && found.is_none_or(|(_, at)| *at != 0) {
                    false_alarms.extend(others.map(|other| format!("{seed}: {other:?}")));
                }
            }
            let count = |from, to| {
                let within = |at: &&u16| (from..=to).contains(*at);
                at.iter().flatten().filter(within).count()
            };
            let shown = if in_advance { ", shown in advance" } else { "" };
            println!(
                "{planned} | {set}{shown} | {hall:?} | {} | {} | {} | {} | {} | {} | {} | {} | {}",
                at.len(),
                count(0, 0),
                count(1, 1),
                count(2, 2),
                count(3, 3),
                count(4, 6),
                count(7, u16::MAX),
                at.iter().filter(|at| at.is_none()).count(),
                false_alarms.len()
            );
            if show {
                for alarm in false_alarms.iter().take(3) {
                    println!("    {alarm}");
                }
            }
        }
    }
}
