//! How tidy or how lively a hall is.

use std::time::Duration;

use rand::Rng as _;
use rand_chacha::ChaCha8Rng;

/// A range of times, drawn evenly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spread {
    /// At least.
    pub least: Duration,
    /// At most.
    pub most: Duration,
}

impl Spread {
    /// From seconds.
    pub const fn secs(least: u64, most: u64) -> Self {
        Self {
            least: Duration::from_secs(least),
            most: Duration::from_secs(most),
        }
    }

    /// From milliseconds.
    pub const fn millis(least: u64, most: u64) -> Self {
        Self {
            least: Duration::from_millis(least),
            most: Duration::from_millis(most),
        }
    }

    pub(crate) fn pick(self, rng: &mut ChaCha8Rng) -> Duration {
        let (least, most) = (self.least.as_micros() as u64, self.most.as_micros() as u64);
        Duration::from_micros(rng.random_range(least..=most.max(least)))
    }
}

/// Probabilities and pauses of what people do. All probabilities are 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Incidents {
    /// A long move is slid over the squares between, per move.
    pub slide: f64,
    /// The capturing piece is lifted before the victim, per capture.
    pub attacker_first: f64,
    /// The capturing piece is put down in the same movement that takes the victim, per capture.
    pub swap_capture: f64,
    /// The rook moves first, per castling.
    pub rook_first: f64,
    /// King and rook are in the air together, per castling.
    pub both_hands: f64,
    /// The pawn taken en passant is taken off only after the press, per such capture.
    pub late_victim: f64,
    /// The pawn stands on the last rank before it is swapped, per promotion.
    pub promotion_swap: f64,
    /// Another piece than the right one is put on the promotion square first, per promotion.
    pub wrong_promotion: f64,
    /// The piece is held while its player thinks, per move.
    pub long_hold: f64,
    /// Another piece is lifted and put back before the one that moves, per move.
    pub other_piece_first: f64,
    /// A completed move is taken back by agreement and another one made, per game.
    pub take_back: f64,
    /// A piece is adjusted during a long think, per move.
    pub jadoube: f64,
    /// The piece stands on another square first, per move.
    pub half_move_back: f64,
    /// The kings go to the centre one after the other instead of being lifted together, per game.
    pub kings_one_by_one: f64,
    /// A drawn result is shown on the squares d4+e4 or d5+e5 instead of a file, per drawn game.
    pub odd_draw_squares: f64,
    /// A flag falls where the source says so; else that player gives up, per such game.
    pub flag_falls: f64,
    /// An illegal move is completed, per game.
    pub illegal_move: f64,
    /// Pieces are knocked over, per game.
    pub knock_over: f64,
    /// The clock is stopped to call the arbiter, per game.
    pub arbiter_call: f64,
    /// The arbiter, when called, corrects a time.
    pub correction: f64,
    /// Time that an opponent gets for an illegal move.
    pub illegal_bonus: Duration,
    /// From the start of the round to White's time running.
    pub start_delay: Spread,
    /// From the stopped clock to the kings being taken.
    pub before_kings: Spread,
    /// Until the arbiter has come to a fallen flag.
    pub arbiter_comes: Spread,
    /// How long the kings stay before pieces are put back.
    pub kings_hold: Spread,
}

impl Incidents {
    /// A clean hall: every move made tidily, no flag, nobody called.
    pub fn none() -> Self {
        Self {
            slide: 0.0,
            attacker_first: 0.0,
            swap_capture: 0.0,
            rook_first: 0.0,
            both_hands: 0.0,
            late_victim: 0.0,
            promotion_swap: 0.0,
            wrong_promotion: 0.0,
            long_hold: 0.0,
            other_piece_first: 0.0,
            take_back: 0.0,
            jadoube: 0.0,
            half_move_back: 0.0,
            kings_one_by_one: 0.0,
            odd_draw_squares: 0.0,
            flag_falls: 0.0,
            illegal_move: 0.0,
            knock_over: 0.0,
            arbiter_call: 0.0,
            correction: 0.0,
            illegal_bonus: Duration::from_mins(2),
            start_delay: Spread::secs(2, 12),
            before_kings: Spread::secs(3, 12),
            arbiter_comes: Spread::secs(20, 60),
            kings_hold: Spread::secs(8, 20),
        }
    }

    /// An ordinary hall.
    pub fn normal() -> Self {
        Self {
            slide: 0.15,
            attacker_first: 0.35,
            swap_capture: 0.2,
            rook_first: 0.2,
            both_hands: 0.1,
            late_victim: 0.3,
            promotion_swap: 0.7,
            wrong_promotion: 0.1,
            long_hold: 0.02,
            other_piece_first: 0.01,
            take_back: 0.01,
            jadoube: 0.02,
            half_move_back: 0.01,
            kings_one_by_one: 0.3,
            odd_draw_squares: 0.15,
            flag_falls: 1.0,
            illegal_move: 0.06,
            knock_over: 0.04,
            arbiter_call: 0.05,
            correction: 0.5,
            ..Self::none()
        }
    }

    /// A hall on its worst day.
    pub fn many() -> Self {
        Self {
            slide: 0.3,
            attacker_first: 0.4,
            swap_capture: 0.3,
            rook_first: 0.5,
            both_hands: 0.2,
            late_victim: 0.6,
            wrong_promotion: 0.3,
            long_hold: 0.05,
            other_piece_first: 0.04,
            take_back: 0.1,
            jadoube: 0.08,
            half_move_back: 0.05,
            kings_one_by_one: 0.5,
            illegal_move: 0.4,
            knock_over: 0.35,
            arbiter_call: 0.35,
            ..Self::normal()
        }
    }
}

impl Default for Incidents {
    fn default() -> Self {
        Self::normal()
    }
}
