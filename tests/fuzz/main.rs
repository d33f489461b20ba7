//! From bytes to games, with bytes that nobody ever sent.
//!
//! Each target takes the golden vectors and recordings, breaks them in every way, and keeps what leads to
//! something new: other messages, other events. So it wanders through the program much as a fuzzer with
//! coverage does, on a stable compiler. In an ordinary test run each target makes a few rounds, always the
//! same ones; `tests/run --fuzz SECONDS` lets each run for so long. A case that fails is written to
//! `fuzz-failures/` in the build directory; put it into `tests/data/fuzz/TARGET/` with the mend, where each
//! test run tries it again.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

mod corpus;
mod mutate;
mod paths;

use std::{
    collections::BTreeSet,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    time::{Duration, Instant},
};

use flagfall::decode::FamilyName;
use flagfall_core::protocol::families::FAMILIES;
use mutate::Mutator;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// Rounds of each target in an ordinary test run.
const ROUNDS: u32 = 40;
/// Inputs that are kept at most.
const KEPT: usize = 3_000;

/// What a target saw, in short: inputs that make it see something new are kept.
type Seen = BTreeSet<String>;

/// How long to go on.
enum Until {
    Rounds(u32),
    Time(Instant, Duration),
}

impl Until {
    fn new() -> Self {
        match std::env::var("FLAGFALL_FUZZ_SECONDS") {
            Ok(seconds) => {
                let time = Duration::from_secs(seconds.parse().unwrap());
                Self::Time(Instant::now(), time)
            }
            Err(_) => Self::Rounds(ROUNDS),
        }
    }

    fn over(&self, rounds: u32) -> bool {
        match self {
            Self::Rounds(all) => rounds >= *all,
            Self::Time(began, time) => began.elapsed() >= *time,
        }
    }
}

fn directory(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Runs a target: the cases that once failed, the corpus as it is, then what becomes of it.
fn fuzz(target: &str, corpus: &[Vec<u8>], run: impl Fn(&[u8], u64) -> Seen) {
    assert!(!corpus.is_empty(), "{target} has nothing to begin with");
    let try_one = |bytes: &[u8], seed: u64| -> Seen {
        catch_unwind(AssertUnwindSafe(|| run(bytes, seed))).unwrap_or_else(|cause| {
            let place = directory("fuzz-failures");
            std::fs::create_dir_all(&place).unwrap();
            let file = place.join(format!("{target}-{seed}.bin"));
            std::fs::write(&file, bytes).unwrap();
            eprintln!(
                "{target}: seed {seed} fails, its bytes are in {}",
                file.display()
            );
            std::panic::resume_unwind(cause)
        })
    };
    for (name, bytes) in corpus::once_failed(target) {
        let seed = name.rsplit('-').next().and_then(|end| end.parse().ok());
        try_one(&bytes, seed.unwrap_or(0));
    }
    let until = Until::new();
    let mut known = Seen::new();
    let mut kept: Vec<Vec<u8>> = Vec::new();
    let mut slowest = Duration::ZERO;
    let mut rounds = 0;
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    while !until.over(rounds) {
        let seed = rng.random();
        // First the corpus itself; in an ordinary run a part of it only.
        let fresh = corpus.get(rounds as usize * corpus.len().div_ceil(ROUNDS as usize));
        let bytes = if let Some(bytes) = fresh.filter(|_| rounds < ROUNDS / 2) {
            bytes.clone()
        } else {
            let from_kept = !kept.is_empty() && rng.random_bool(0.7);
            let from = if from_kept { kept.as_slice() } else { corpus };
            let first = from[rng.random_range(0..from.len())].clone();
            let other = &corpus[rng.random_range(0..corpus.len())];
            Mutator(&mut rng).mutate(first, other)
        };
        let began = Instant::now();
        let seen = try_one(&bytes, seed);
        slowest = slowest.max(began.elapsed());
        if !seen.is_subset(&known) {
            known.extend(seen);
            if kept.len() < KEPT {
                kept.push(bytes);
            }
        }
        rounds += 1;
    }
    eprintln!(
        "{target}: {rounds} rounds, {} kept, {} things seen, slowest {slowest:.1?}",
        kept.len(),
        known.len()
    );
}

fn boards() -> impl Iterator<Item = FamilyName> {
    let others = FAMILIES.iter().map(FamilyName::Board);
    std::iter::once(FamilyName::Dgt).chain(others)
}

/// Messages do not depend on how bytes were split, and no byte makes a decoder fail or hoard.
#[test]
fn decoders() {
    for family in FAMILIES {
        let name = format!("decode-{}", family.name);
        fuzz(&name, &corpus::of(family.name), |bytes, seed| {
            paths::decode(family, bytes, seed)
        });
    }
    fuzz("decode-dgt", &corpus::of("dgt"), paths::decode_dgt);
}

/// Bytes to games as `flagfall track` makes them: every game is legal, and its PGN says the same.
#[test]
fn tracks() {
    for family in boards().filter(|family| paths::plays(*family)) {
        let name = format!("track-{}", family.name());
        fuzz(&name, &corpus::of(family.name()), |bytes, seed| {
            paths::track(family, bytes, seed)
        });
    }
}

/// The files that `flagfall track` reads, whatever they are.
#[test]
fn files() {
    fuzz("files", &corpus::files(), |bytes, _| paths::file(bytes));
}

/// Bytes of a table's board and clock through link, hub, journal, pages and PGN.
#[test]
fn halls() {
    fuzz("hall-dgt", &corpus::of("dgt"), paths::hall_dgt);
    for family in FAMILIES {
        let name = format!("hall-{}", family.name);
        if paths::plays(FamilyName::Board(family)) {
            fuzz(&name, &corpus::of(family.name), |bytes, seed| {
                paths::hall(family, bytes, seed)
            });
        }
    }
}
