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

/// A flag falls at one position in so many.
const FLAGS: u32 = 10;

/// How long the answer takes. When it is longer than `worst`, the shortest of three times: what is longer
/// was the machine's.
#[allow(
    clippy::disallowed_methods,
    reason = "a bench measures with the wall clock"
)]
fn time<T>(worst: Duration, ask: impl Fn() -> T) -> Duration {
    let once = || {
        let began = Instant::now();
        black_box(ask());
        began.elapsed()
    };
    let first = once();
    if first > worst {
        first.min(once()).min(once())
    } else {
        first
    }
}

/// Asks at each position of each game of the library.
fn worst() {
    let mut moves = (0_u32, Duration::ZERO, Duration::ZERO, String::new());
    let mut flags = moves.clone();
    for game in library() {
        let mut position = Chess::default();
        for &mv in &game.moves {
            position.play_unchecked(mv);
            let fen = || Fen::from_position(&position, EnPassantMode::Legal).to_string();
            let took = time(moves.2, || dead_at_a_glance(black_box(&position)));
            moves = (moves.0 + 1, moves.1 + took, moves.2, moves.3);
            if took > moves.2 {
                (moves.2, moves.3) = (took, fen());
            }
            if !moves.0.is_multiple_of(FLAGS) {
                continue;
            }
            for side in [Color::White, Color::Black] {
                let ask = || can_mate(black_box(&position), side, Budget::ARBITER);
                let took = time(flags.2, ask);
                flags = (flags.0 + 1, flags.1 + took, flags.2, flags.3);
                if took > flags.2 {
                    (flags.2, flags.3) = (took, format!("{} for {side}", fen()));
                }
            }
        }
    }
    for (name, (asked, total, worst, fen)) in [("each move", moves), ("flag", flags)] {
        let mean = total / asked;
        println!("{name}: asked {asked} times, mean {mean:.1?}, worst {worst:.1?}: {fen}");
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
