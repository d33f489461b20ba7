//! Whether a side can still mate at all, by any series of legal moves (FIDE Laws 5.2.2 and 6.9).
//!
//! - `search`: looks for a helpmate, the likeliest lines first; when every line has been walked and none
//!   mates, that is a proof.
//! - `reach`: which squares each man can ever come to, however both sides play; blocked pawns make
//!   walls in it.
//! - `pattern`: whether a mate fits into those squares.
//!
//! Both answers are proved: [`CanMate::Yes`] brings the moves, [`CanMate::No`] the reason. What the
//! budget does not suffice for is [`CanMate::Unknown`], never a guess. Repetition and the 50 and 75
//! moves do not count here: they end a game by claim or by number, not by what the men can do.

mod estimate;
mod pattern;
mod reach;
mod search;
mod seen;

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, Move, Position};

use self::reach::Reach;

/// How many positions a search may visit: the core knows no clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Budget(u32);

impl Budget {
    /// For a question that an arbiter waits for: less than 50 ms on a core of its own (`benches/mate.rs`).
    pub const ARBITER: Self = Self(80_000);
    /// For each move of each game.
    const EACH_MOVE: Self = Self(2_000);
    /// For lines that are forced or nearly so.
    const FORCED: Self = Self(300);

    /// So many positions.
    #[must_use]
    pub const fn positions(count: u32) -> Self {
        Self(count)
    }
}

/// Whether a side can mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CanMate {
    /// It can.
    Yes {
        /// Legal moves of both sides that end in that mate, not always the fewest.
        line: Vec<Move>,
    },
    /// It is proved that it cannot.
    No(WhyNot),
    /// The budget was used up.
    Unknown,
}

/// Why a side cannot mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyNot {
    /// The game has ended on the board: stalemate, or this side is mated.
    Over,
    /// It has not the men for it, whatever the opponent does with his.
    Material,
    /// The men that could mate never come to where they would.
    Blocked,
    /// Every line of legal moves was walked.
    Exhausted,
}

/// Why neither side can mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeadBy {
    /// Neither has the men for it.
    Material,
    /// The pawns are blocked and nobody gets through.
    Blocked,
    /// Every line of legal moves ends without a mate.
    Exhausted,
}

/// Whether neither side can mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dead {
    /// Proved.
    Yes(DeadBy),
    /// At least one side can.
    No,
    /// The budget was used up.
    Unknown,
}

/// Whether `side` can mate from here by any series of legal moves of both.
#[must_use]
pub fn can_mate(position: &Chess, side: Color, budget: Budget) -> CanMate {
    if position.legal_moves().is_empty() {
        return if position.is_check() && position.turn() != side {
            CanMate::Yes { line: Vec::new() }
        } else {
            CanMate::No(WhyNot::Over)
        };
    }
    if position.has_insufficient_material(side) {
        return CanMate::No(WhyNot::Material);
    }
    if is_blocked_for(position, side) {
        return CanMate::No(WhyNot::Blocked);
    }
    search::helpmate(position, side, budget.0)
}

/// Whether neither side can mate from here (Laws 5.2.2). `budget` is for each side.
#[must_use]
pub fn dead_position(position: &Chess, budget: Budget) -> Dead {
    let first = stronger(position);
    let mut known = true;
    let mut reasons = [WhyNot::Over; 2];
    for (side, reason) in [first, first.other()].into_iter().zip(&mut reasons) {
        match can_mate(position, side, budget) {
            CanMate::Yes { .. } => return Dead::No,
            CanMate::No(why) => *reason = why,
            CanMate::Unknown => known = false,
        }
    }
    if known {
        Dead::Yes(dead_by(reasons))
    } else {
        Dead::Unknown
    }
}

/// The proof that neither side can mate, if it is cheap to find. Ordinary positions, which nearly all are,
/// cost less than a microsecond; others at most a small search.
///
/// `None` says nothing: [`dead_position`] knows more.
#[must_use]
pub fn dead_at_a_glance(position: &Chess) -> Option<DeadBy> {
    if position.is_insufficient_material() {
        return Some(DeadBy::Material);
    }
    let budget = look_closer(position)?;
    match dead_position(position, budget) {
        Dead::Yes(by) => Some(by),
        Dead::No | Dead::Unknown => None,
    }
}

fn dead_by(reasons: [WhyNot; 2]) -> DeadBy {
    if reasons.contains(&WhyNot::Exhausted) {
        DeadBy::Exhausted
    } else if reasons.contains(&WhyNot::Blocked) {
        DeadBy::Blocked
    } else {
        DeadBy::Material
    }
}

fn is_blocked_for(position: &Chess, side: Color) -> bool {
    !pattern::may_mate(&Reach::of(position), side)
}

/// The side whose mate is the easier to find.
fn stronger(position: &Chess) -> Color {
    let worth = |side: Color| {
        let men = position.board().material_side(side);
        let heavy = u32::from(men.queen) * 9 + u32::from(men.rook) * 5;
        heavy + u32::from(men.bishop + men.knight) * 3 + u32::from(men.pawn)
    };
    if worth(Color::White) >= worth(Color::Black) {
        Color::White
    } else {
        Color::Black
    }
}

/// Whether the position may be dead though the men would suffice, and what to spend on the question.
fn look_closer(position: &Chess) -> Option<Budget> {
    let board = position.board();
    let pawns = board.pawns();
    if pawns.any() && reach::all_opposed(board) {
        let heavy = board.rooks_and_queens().any();
        // A knight jumps over walls; a rook or queen is shut in only by a wall that is complete.
        if board.knights().is_empty() && (!heavy || reach::all_rammed(board)) {
            return Some(if heavy {
                Budget::FORCED
            } else {
                Budget::EACH_MOVE
            });
        }
    }
    let few = board.occupied().count() <= 6;
    (few && position.legal_moves().len() <= 2).then_some(Budget::FORCED)
}
