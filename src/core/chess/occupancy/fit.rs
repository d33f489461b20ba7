//! One occupancy against one position: which legal moves and lines lead to it.

use std::ops::RangeInclusive;

use shakmaty::{Bitboard, Chess, Move, Position, Square};

use super::touches::{Exchange, Touches};

/// More men than two in the hand are no reply being made.
pub(super) const HANDS: usize = 2;
/// Positions to look at before giving up.
const BUDGET: u32 = 20_000;
/// More lines than this tell nothing.
const LINES: usize = 24;

/// A legal move that the occupancy shows.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    pub(super) mv: Move,
    pub(super) after: Chess,
    /// Men of the side to move next that are off the board; empty for an exact fit.
    pub(super) hand: Bitboard,
    /// It takes a man, and that was not seen: the mover's man is simply not there any more.
    pub(super) unseen: bool,
}

/// The squares that a move leaves empty and those that it fills.
pub(super) fn traffic(mv: Move, position: &Chess) -> (Bitboard, Bitboard) {
    let us = position.turn();
    match mv {
        Move::Castle { king, rook } => {
            let fill = mv.castling_side().map_or(Bitboard::EMPTY, |side| {
                Bitboard::from(side.king_to(us)) | Bitboard::from(side.rook_to(us))
            });
            let leave = Bitboard::from(king) | Bitboard::from(rook);
            (leave & !fill, fill)
        }
        Move::EnPassant { from, to } => {
            let victim = Square::from_coords(to.file(), from.rank());
            (
                Bitboard::from(from) | Bitboard::from(victim),
                Bitboard::from(to),
            )
        }
        _ => (
            mv.from().map_or(Bitboard::EMPTY, Bitboard::from),
            Bitboard::from(mv.to()),
        ),
    }
}

fn unseen(mv: Move, log: &Touches) -> bool {
    let exchanged = mv.is_capture() && !mv.is_en_passant();
    exchanged
        && mv
            .from()
            .is_some_and(|from| log.exchange(from, mv.to()) == Exchange::Unseen)
}

/// The legal moves that lead from `position` to these squares: complete ones if there are any, else
/// those after which the opponent has men in the hand. Those that were seen, if there are any.
pub(super) fn fits(position: &Chess, log: &Touches, occupied: Bitboard) -> Vec<Fit> {
    let before = position.board().occupied();
    let (gone, come) = (before & !occupied, occupied & !before);
    if gone.is_empty() || gone.count() > 3 + HANDS || come.count() > 2 {
        return Vec::new();
    }
    let them = position.them();
    let mut found: Vec<Fit> = Vec::new();
    for mv in position.legal_moves() {
        let (leave, fill) = traffic(mv, position);
        let expected = (before & !leave) | fill;
        let hand = expected & !occupied;
        let gone_first = mv.is_castle()
            || mv.is_capture()
            || mv.from().is_none_or(|from| log.may_go(from, mv.to()));
        let only_lifted = gone_first
            && (occupied & !expected).is_empty()
            && (hand & !(them & !fill)).is_empty()
            && hand.count() <= HANDS;
        if !only_lifted {
            continue;
        }
        let mut after = position.clone();
        after.play_unchecked(mv);
        found.push(Fit {
            mv,
            after,
            hand,
            unseen: unseen(mv, log),
        });
    }
    if found.iter().any(|fit| fit.hand.is_empty()) {
        found.retain(|fit| fit.hand.is_empty());
    }
    if found.iter().any(|fit| !fit.unseen) {
        found.retain(|fit| !fit.unseen);
    }
    found
}

/// Legal moves in a row.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) moves: Vec<Move>,
    /// The position after each.
    pub(super) positions: Vec<Chess>,
    /// How many of them take a man without having been seen to.
    pub(super) unseen: u32,
}

/// Every line that there is.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    pub(super) found: Vec<Line>,
    /// More lines, or more positions, than may be looked at.
    pub(super) open: bool,
}

/// Looks for the lines that were played on a board in sight: the shortest that the touches allow.
pub(super) fn seen_lines(root: &Chess, log: &Touches, occupied: Bitboard) -> Lines {
    for plies in 2..=3 {
        let mut search = Search::new(occupied, Some(log));
        search.run(root, plies);
        let mut lines = search.lines;
        if lines.open {
            return lines;
        }
        if lines.found.is_empty() {
            continue;
        }
        let in_order = |line: &Line| {
            let mut step = 0;
            line.moves.iter().all(|mv| {
                let arrived = log.put(landing(*mv), step);
                step = arrived.unwrap_or(step);
                arrived.is_some() || mv.is_capture()
            })
        };
        // Hands that overlap may put down in either order, but a man that moves twice was not
        // answered in between.
        let once = |line: &Line| {
            let tos: Vec<_> = line.moves.iter().map(|mv| landing(*mv)).collect();
            line.moves
                .iter()
                .all(|mv| mv.from().is_none_or(|from| !tos.contains(&from)))
        };
        let least = lines.found.iter().map(|line| line.unseen).min();
        lines.found.retain(|line| Some(line.unseen) == least);
        if lines.found.iter().any(in_order) {
            lines.found.retain(in_order);
        } else {
            lines.found.retain(once);
        }
        return lines;
    }
    Lines::default()
}

/// Looks for every line of so many half-moves to these squares, whatever was seen in between.
///
/// With `longer`, lengths that exceed the shortest line found by more than that are left out.
pub(super) fn all_lines(
    root: &Chess,
    occupied: Bitboard,
    plies: RangeInclusive<usize>,
    longer: Option<usize>,
) -> Lines {
    let mut search = Search::new(occupied, None);
    let mut last = *plies.end();
    for length in plies {
        if length > last {
            break;
        }
        let known = search.lines.found.len();
        search.run(root, length);
        if search.lines.open {
            break;
        }
        if let (Some(longer), 0, false) = (longer, known, search.lines.found.is_empty()) {
            last = last.min(length + longer);
        }
    }
    search.lines
}

/// Where the moving man comes to stand; the king's square when castling.
fn landing(mv: Move) -> Square {
    match (mv, mv.castling_side()) {
        (Move::Castle { king, .. }, Some(side)) => {
            Square::from_coords(side.king_to(shakmaty::Color::White).file(), king.rank())
        }
        _ => mv.to(),
    }
}

struct Search<'a> {
    occupied: Bitboard,
    log: Option<&'a Touches>,
    touched: Bitboard,
    moves: Vec<Move>,
    positions: Vec<Chess>,
    unseen: u32,
    lines: Lines,
    budget: u32,
}

impl<'a> Search<'a> {
    fn new(occupied: Bitboard, log: Option<&'a Touches>) -> Self {
        Self {
            occupied,
            log,
            touched: log.map_or(Bitboard::FULL, Touches::squares),
            moves: Vec::new(),
            positions: Vec::new(),
            unseen: 0,
            lines: Lines::default(),
            budget: BUDGET,
        }
    }

    fn run(&mut self, position: &Chess, plies: usize) {
        if self.lines.open {
            return;
        }
        let before = position.board().occupied();
        if plies == 0 {
            if before == self.occupied {
                self.lines.found.push(Line {
                    moves: self.moves.clone(),
                    positions: self.positions.clone(),
                    unseen: self.unseen,
                });
                self.lines.open = self.lines.found.len() > LINES;
            }
            return;
        }
        let Some(budget) = self.budget.checked_sub(1) else {
            self.lines.open = true;
            return;
        };
        self.budget = budget;
        for mv in position.legal_moves() {
            let (leave, fill) = traffic(mv, position);
            // A man that was never touched has not moved.
            if !(leave & !self.touched).is_empty() || !(fill & !before & !self.touched).is_empty() {
                continue;
            }
            let expected = (before & !leave) | fill;
            let rest = plies - 1;
            let taken = expected.count().checked_sub(self.occupied.count());
            if taken.is_none_or(|taken| taken > rest)
                || (expected ^ self.occupied).count() > 4 * rest
            {
                continue;
            }
            let unseen = self.log.is_some_and(|log| unseen(mv, log));
            let mut after = position.clone();
            after.play_unchecked(mv);
            self.moves.push(mv);
            self.positions.push(after.clone());
            self.unseen += u32::from(unseen);
            self.run(&after, rest);
            self.unseen -= u32::from(unseen);
            self.positions.pop();
            self.moves.pop();
        }
    }
}

/// A legal move whose last step is still missing.
pub(super) fn unfinished(position: &Chess, occupied: Bitboard) -> Option<Move> {
    let before = position.board().occupied();
    position.legal_moves().into_iter().find(|mv| match *mv {
        Move::EnPassant { from, to } => occupied == before.without(from).with(to),
        Move::Castle { king, rook } => {
            let to = mv.castling_side().map(|side| side.king_to(position.turn()));
            to.is_some_and(|to| {
                let half = before.without(king).with(to);
                occupied == half || occupied == half.without(rook)
            })
        }
        _ => false,
    })
}
