//! How long each move takes.

use std::time::Duration;

use rand::Rng as _;
use rand_chacha::ChaCha8Rng;

use super::{Ending, Game};

/// The event's time control, as the players feel it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// Time at the start.
    pub base: Duration,
    /// Added at each move.
    pub increment: Duration,
}

/// Seconds from the opponent's press to the own one, a figure for each move.
///
/// Where the game has clock times they are scaled to the event's time control; else the figures are
/// drawn so that openings are quick, a few moves are long, and a side uses 40–95 % of what it gets, all of
/// which is only intended: the clock on the table decides.
pub fn thinking_times(game: &Game, pace: Pace, rng: &mut ChaCha8Rng) -> Vec<Duration> {
    let spent = game
        .clocks
        .as_deref()
        .map(|clocks| spent_times(game, clocks));
    let plies = game.moves.len();
    let mut times = vec![Duration::ZERO; plies];
    for side in 0..2 {
        let weights: Vec<f64> = (side..plies)
            .step_by(2)
            .map(|ply| match &spent {
                Some(spent) => spent[ply].as_secs_f64(),
                None => weight(ply / 2, plies / 2, rng),
            })
            .collect();
        let moves = weights.len().max(1) as f64;
        let budget = total(pace, moves);
        let flags = game.ending == Ending::TimeForfeit && plies % 2 == side;
        let share = match (&spent, flags) {
            (Some(_), _) => weights.iter().sum::<f64>() / total_of(game, moves),
            (None, true) => rng.random_range(0.86..0.97),
            // A short game ends long before the time does.
            (None, false) => rng.random_range(0.4..0.9) * (moves / 35.0).clamp(0.15, 1.0),
        };
        let sum: f64 = weights.iter().sum::<f64>().max(1e-9);
        for (i, weight) in weights.iter().enumerate() {
            let seconds = weight / sum * budget * share.min(0.97);
            times[side + 2 * i] = Duration::from_secs_f64(seconds.max(0.0));
        }
    }
    times
}

fn total(pace: Pace, moves: f64) -> f64 {
    pace.base.as_secs_f64() + pace.increment.as_secs_f64() * moves
}

fn total_of(game: &Game, moves: f64) -> f64 {
    let (base, increment) = game.budget;
    total(Pace { base, increment }, moves).max(1.0)
}

/// Differences of the clock, the increment given back. The first move of a side is often not timed.
fn spent_times(game: &Game, clocks: &[Duration]) -> Vec<Duration> {
    let (base, increment) = game.budget;
    clocks
        .iter()
        .enumerate()
        .map(|(ply, &left)| {
            let before = ply.checked_sub(2).map_or(base, |earlier| clocks[earlier]);
            (before + increment).saturating_sub(left)
        })
        .collect()
}

fn weight(number: usize, of: usize, rng: &mut ChaCha8Rng) -> f64 {
    let phase = match number {
        0..6 => 0.3,
        6..10 => 0.8,
        _ if number * 10 > of * 8 => 0.6,
        _ => 1.2,
    };
    // The product of uniforms has the long tail of human thought.
    let a: f64 = rng.random_range(0.15..1.6);
    let b: f64 = rng.random_range(0.3..1.5);
    let long = if rng.random_bool(0.06) {
        rng.random_range(2.0..5.0)
    } else {
        1.0
    };
    phase * a * b * long
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{games::library, seed};

    #[test]
    fn totals_fit_the_time_control() {
        let pace = Pace {
            base: Duration::from_mins(5),
            increment: Duration::from_secs(3),
        };
        for (i, game) in library().iter().enumerate() {
            let times = thinking_times(game, pace, &mut seed::rng(5, &[i as u64]));
            assert_eq!(times.len(), game.moves.len());
            for side in 0..2 {
                let used: Duration = times.iter().skip(side).step_by(2).sum();
                let moves = game.moves.len().div_ceil(2) as u32;
                assert!(
                    used <= pace.base + pace.increment * moves,
                    "game {i} side {side}"
                );
            }
        }
    }

    #[test]
    fn clock_times_are_scaled() {
        let game = library().iter().find(|game| game.clocks.is_some()).unwrap();
        let (base, increment) = game.budget;
        let same = thinking_times(game, Pace { base, increment }, &mut seed::rng(1, &[]));
        let double = Pace {
            base: base * 2,
            increment: increment * 2,
        };
        let doubled = thinking_times(game, double, &mut seed::rng(1, &[]));
        let ratio = doubled[20].as_secs_f64() / same[20].as_secs_f64();
        assert!((ratio - 2.0).abs() < 0.01, "{ratio}");
    }
}
