//! How far a position looks from a helpmate. It decides what is tried first, never what is true.

use shakmaty::{Bitboard, Board, Color, File, Rank, Role, Square, attacks};

use super::reach::all_opposed;

const CORNERS: [Square; 4] = [Square::A1, Square::H1, Square::A8, Square::H8];

/// A pawn must promote first: farther than every position with a rook or a queen.
const PAWN_FIRST: u32 = 300;
/// Minor pieces need the help of the other side's men.
const MINOR: u32 = 600;
/// Nothing is opened yet.
const CLOSED: u32 = 2_000;
/// A man who never comes to where he would be of help.
const USELESS: u32 = 30;

/// What is tried: where one plan leads nowhere, another may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// Take what can be taken, and let a pawn stand that already stands in its king's way.
    Strip,
    /// Leave the men where they help to shut their king in, and let pawns promote for it.
    ShutIn,
    /// Where all pawns are blocked, first give something up to open the way.
    Break,
}

/// Small is near. `side` is the one that is to mate.
pub(super) fn estimate(board: &Board, side: Color, plan: Plan) -> u32 {
    let (Some(ours), Some(theirs)) = (board.king_of(side), board.king_of(side.other())) else {
        return 0;
    };
    if plan == Plan::Break && all_opposed(board) {
        return CLOSED + promotion(board, side, ours).unwrap_or(0);
    }
    let us = board.by_color(side);
    let them = board.by_color(side.other());
    let kings = ours.distance(theirs);
    let heavy = us & board.rooks_and_queens();
    if heavy.any() {
        let flights = flights(board, side, theirs);
        let far = heavy.into_iter().map(|at| at.distance(theirs)).min();
        // Shut in behind their own pawns they are of no use.
        let free = heavy
            .into_iter()
            .fold(Bitboard::EMPTY, |all, at| all | board.attacks_from(at))
            & !us;
        let nearer = 6 * edge(theirs) + 2 * far.unwrap_or(0) + 8 - free.count().min(16) as u32 / 2;
        return match plan {
            // Whoever is taken can neither take nor step between.
            Plan::Strip | Plan::Break => {
                let safe = u32::from(free.is_disjoint(them));
                let kings = 2 * corner(theirs) + 3 * kings;
                nearer + kings + 2 * flights + 6 * them.count() as u32 + 3 * safe
            }
            Plan::ShutIn => nearer + 4 * flights,
        };
    }
    if let Some(pawn) = promotion(board, side, ours) {
        return PAWN_FIRST + pawn + edge(theirs) + corner(theirs) + kings / 2;
    }
    let place = CORNERS
        .into_iter()
        .map(|corner| {
            let king = 4 * theirs.distance(corner) + 3 * ours.distance(corner).abs_diff(2);
            king + corner_cost(board, side, corner, plan)
        })
        .min();
    MINOR + place.unwrap_or(0) + 2 * flights(board, side, theirs)
}

/// What minor pieces still lack for a mate in this corner.
fn corner_cost(board: &Board, side: Color, corner: Square, plan: Plan) -> u32 {
    let minors = board.by_color(side) & !board.kings();
    let bishops = minors & board.bishops();
    let knights = minors & board.knights();
    let mut cost = bishops
        .into_iter()
        .map(|at| at.distance(corner).min(3) / 2)
        .sum::<u32>();
    if knights.is_empty()
        && bishops
            .into_iter()
            .all(|at| at.is_light() != corner.is_light())
    {
        cost += USELESS;
    }
    cost += knights
        .into_iter()
        .map(|at| at.distance(corner).saturating_sub(2))
        .sum::<u32>();
    // Somebody of theirs stands next to the corner, unless a second piece of ours keeps the king in.
    let helpers = board.by_color(side.other()) & !board.kings();
    let helper = helpers
        .into_iter()
        .map(|at| match board.role_at(at) {
            // They take whoever gives the check.
            Some(Role::Queen) => USELESS,
            Some(Role::Rook) if knights.is_empty() => USELESS,
            _ => helper_cost(board, side.other(), at, corner, plan),
        })
        .min()
        .unwrap_or(USELESS);
    let need = if minors.more_than_one() { 8 } else { USELESS };
    cost + 2 * helper.min(need)
}

/// How far a man of the side to be mated is from standing in his king's way next to this corner.
fn helper_cost(board: &Board, color: Color, at: Square, corner: Square, plan: Plan) -> u32 {
    let beside = attacks::rook_attacks(corner, Bitboard::FULL);
    match board.role_at(at) {
        Some(Role::Pawn) => {
            if beside.contains(at) && plan != Plan::ShutIn {
                return 0;
            }
            let last = color.other().backrank();
            if corner.rank() != last {
                return USELESS;
            }
            let goal = Square::from_coords(at.file(), last);
            3 + 2 * at.distance(goal) + at.file().distance(corner.file()) / 2
        }
        Some(Role::Bishop) if at.is_light() == corner.is_light() => USELESS,
        _ => beside
            .into_iter()
            .map(|to| to.distance(at))
            .min()
            .unwrap_or(USELESS),
    }
}

/// Squares that the king could still go to.
fn flights(board: &Board, side: Color, king: Square) -> u32 {
    let around = attacks::king_attacks(king) & !board.by_color(side.other());
    let occupied = board.occupied().without(king);
    around
        .into_iter()
        .filter(|&to| board.attacks_to(to, side, occupied).is_empty())
        .count() as u32
}

/// What the best pawn still needs to promote.
fn promotion(board: &Board, side: Color, king: Square) -> Option<u32> {
    let pawns = board.pawns() & board.by_color(side);
    let enemies = board.by_color(side.other()) & !board.kings();
    let last = side.other().backrank();
    pawns
        .into_iter()
        .map(|pawn| {
            let goal = Square::from_coords(pawn.file(), last);
            let ahead = attacks::between(pawn, goal).with(goal) & board.occupied();
            let rammers = ahead & board.pawns();
            let men = ahead & !board.pawns();
            let mut cost = 8 * pawn.distance(goal) + 2 * men.count() as u32;
            if let Some(nearest) = rammers.into_iter().map(|at| at.distance(king)).min() {
                cost += 12 * rammers.count() as u32 + 3 * nearest;
                if !attacks::pawn_attacks(side, pawn).is_disjoint(enemies) {
                    cost = cost.saturating_sub(10);
                }
            }
            cost
        })
        .min()
}

fn edge(square: Square) -> u32 {
    let (file, rank) = (square.file() as u32, square.rank() as u32);
    file.min(7 - file).min(rank.min(7 - rank))
}

fn corner(square: Square) -> u32 {
    let file = square
        .file()
        .distance(File::A)
        .min(square.file().distance(File::H));
    let rank = square
        .rank()
        .distance(Rank::First)
        .min(square.rank().distance(Rank::Eighth));
    file.max(rank)
}
