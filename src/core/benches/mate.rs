//! What it costs to ask whether a side can still mate: for each move of each game, and once when a flag
//! falls. First the longest answers over all positions of the library are printed.

#![allow(clippy::print_stdout, reason = "what a bench prints is its result")]

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use criterion::{Criterion, criterion_group, criterion_main};
use flagfall_core::chess::mate::{Budget, can_mate, dead_at_a_glance};
use flagfall_simulators::games::library;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position, fen::Fen};

/// A typical middle game.
const MIDDLE_GAME: &str = "r2q1rk1/pp2ppbp/2p2np1/3P1bB1/2Q5/2N5/PPP2PPP/R3K2R w KQ - 0 12";
/// A wall with a bishop on either side of it.
const WALL: &str = "4kb2/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4KB2 w - - 0 1";
/// Every pawn has another before it, and there is a way through: what takes each move longest.
const NEARLY_BLOCKED: &str = "8/4k1p1/1p5p/pP6/P4p2/5P2/4K1PP/8 b - - 1 35";
/// No line is found and none ruled out: the whole budget is used.
const UNDECIDED: &str = "K1k5/P6b/8/3p4/3B4/1P6/p7/8 w - - 0 1";
/// The same with many moves in each position.
const UNDECIDED_MIDDLE_GAME: &str = "3R3r/1p3p2/p1p2k2/4pB2/P3P2p/1Pb4P/2P2PP1/3R2K1 b - - 0 22";

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().unwrap_or_default();
    fen.into_position(CastlingMode::Standard)
        .unwrap_or_default()
}

/// The shortest of three times: what is longer was the machine's.
#[allow(
    clippy::disallowed_methods,
    reason = "a bench measures with the wall clock"
)]
fn time<T>(ask: impl Fn() -> T) -> Duration {
    let once = || {
        let began = Instant::now();
        black_box(ask());
        began.elapsed()
    };
    once().min(once()).min(once())
}

/// Asks at each position of each game of the library.
fn worst() {
    let mut moves = (Duration::ZERO, Duration::ZERO, String::new());
    let mut flags = moves.clone();
    let mut positions = 0;
    for game in library() {
        let mut position = Chess::default();
        for &mv in &game.moves {
            position.play_unchecked(mv);
            positions += 1;
            let fen = || Fen::from_position(&position, EnPassantMode::Legal).to_string();
            let took = time(|| dead_at_a_glance(black_box(&position)));
            moves.0 += took;
            if took > moves.1 {
                (moves.1, moves.2) = (took, fen());
            }
            for side in [Color::White, Color::Black] {
                let took = time(|| can_mate(black_box(&position), side, Budget::ARBITER));
                flags.0 += took / 2;
                if took > flags.1 {
                    (flags.1, flags.2) = (took, format!("{} for {side}", fen()));
                }
            }
        }
    }
    for (name, (total, worst, fen)) in [("each move", moves), ("flag", flags)] {
        let mean = total / positions;
        println!("{name}: {positions} positions, mean {mean:.1?}, worst {worst:.1?}: {fen}");
    }
}

fn mate(c: &mut Criterion) {
    worst();
    let mut group = c.benchmark_group("mate");
    for (name, fen) in [
        ("middle game", MIDDLE_GAME),
        ("wall", WALL),
        ("nearly blocked", NEARLY_BLOCKED),
    ] {
        let position = position(fen);
        group.bench_function(format!("each move, {name}"), |b| {
            b.iter(|| dead_at_a_glance(black_box(&position)));
        });
    }
    group.sample_size(20);
    for (name, fen, side) in [
        ("middle game", MIDDLE_GAME, Color::White),
        ("wall", WALL, Color::White),
        ("undecided", UNDECIDED, Color::White),
        ("undecided middle game", UNDECIDED_MIDDLE_GAME, Color::Black),
    ] {
        let position = position(fen);
        group.bench_function(format!("flag, {name}"), |b| {
            b.iter(|| can_mate(black_box(&position), side, Budget::ARBITER));
        });
    }
    group.finish();
}

criterion_group!(benches, mate);
criterion_main!(benches);
