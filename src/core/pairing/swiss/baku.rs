//! The Baku acceleration (C.04.7).

use crate::{
    pairing::Scoring,
    types::{Points, RoundNo},
};

/// How many players group A has at round 1: twice a quarter of the field, rounded up.
pub const fn baku_last(players: usize) -> usize {
    2 * players.div_ceil(4)
}

/// The virtual points of group A in a round of an event of `rounds` rounds: a win's worth in the
/// first half of the accelerated rounds, a draw's in the second, nothing afterwards.
pub fn baku_points(rounds: u16, round: RoundNo, scoring: &Scoring) -> Points {
    let accelerated = rounds.div_ceil(2);
    if round.0 <= accelerated.div_ceil(2) {
        scoring.win
    } else if round.0 <= accelerated {
        scoring.draw
    } else {
        Points::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn group_a_of_161_has_82() {
        assert_eq!(baku_last(161), 82);
        assert_eq!(baku_last(12), 6);
    }

    #[test]
    fn nine_rounds_have_three_of_one_and_two_of_half() {
        let points: Vec<u16> = (1..=9)
            .map(|round| baku_points(9, RoundNo(round), &Scoring::STANDARD).halves())
            .collect();
        assert_eq!(points, [2, 2, 2, 1, 1, 0, 0, 0, 0]);
    }
}
