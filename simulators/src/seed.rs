//! Independent random streams from one seed.

use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

/// A generator for the stream named by `path`, for example `[TABLE, 7]`.
///
/// Streams of different paths are independent, so that one more draw in one place changes nothing
/// elsewhere.
pub(crate) fn rng(seed: u64, path: &[u64]) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(mix(seed, path))
}

/// SplitMix64 over the seed and the parts of the path.
pub(crate) fn mix(seed: u64, path: &[u64]) -> u64 {
    let step = |state: u64, part: u64| {
        let mut z = (state ^ part).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    path.iter()
        .fold(step(seed, 0), |state, &part| step(state, part))
}
