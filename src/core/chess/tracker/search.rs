//! Several plies at once: which legal lines lead to a placement, and which of them the order of
//! events allows.

use std::ops::RangeInclusive;

use shakmaty::{Bitboard, Chess, Color, Move, Piece, Position, Square};

use super::explain::{landing, landing_man};
use crate::{chess::placement::difference, types::Placement};

/// How deep to look. More plies than this between two quiet moments are a gap, not a scan.
const DEPTH: usize = 3;
/// Positions to look at before giving up.
const BUDGET: usize = 20_000;
/// Changes kept as evidence.
const LOG: usize = 256;

/// What was seen to change since the last placement that the record explains, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    entries: Vec<Entry>,
    step: u32,
    touched: Bitboard,
    /// Several squares changed in one picture: what came between was not seen.
    gap: bool,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Changes that came in one picture share their step: their order is not known.
    step: u32,
    square: Square,
    man: Option<Piece>,
}

impl Log {
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.touched = Bitboard::EMPTY;
        self.gap = false;
    }

    /// Records every square that `after` shows otherwise than `before`.
    pub(super) fn record(&mut self, before: &Placement, after: &Placement) {
        self.step += 1;
        let changed = difference(before, after);
        self.gap |= changed.more_than_one();
        for square in changed {
            self.push(square, after.piece_at(square));
        }
    }

    /// Records a square that was reported without having changed: a man taken by its like within one
    /// scan looks so.
    pub(super) fn touch(&mut self, square: Square, man: Option<Piece>) {
        self.step += 1;
        self.push(square, man);
    }

    fn push(&mut self, square: Square, man: Option<Piece>) {
        if self.entries.len() == LOG {
            self.entries.remove(0);
        }
        self.entries.push(Entry {
            step: self.step,
            square,
            man,
        });
        self.touched.add(square);
    }

    /// Whether each man of this line was seen to arrive, in whatever order. A man that is taken at once may
    /// stand there for less than a scan. After a gap, and where there is no evidence at all, nothing
    /// speaks against a line.
    fn has_seen(&self, line: &[(Square, Piece)]) -> bool {
        let seen = |ply: usize| {
            let (square, man) = line[ply];
            let taken = line.get(ply + 1).is_some_and(|(next, _)| *next == square);
            (taken && self.touched.contains(square))
                || self
                    .entries
                    .iter()
                    .any(|e| e.square == square && e.man == Some(man))
        };
        self.entries.is_empty() || self.gap || (0..line.len()).all(seen)
    }

    /// Whether the men of this line were seen to arrive in the line's order.
    fn allows(&self, line: &[(Square, Piece)]) -> bool {
        let mut from = 0;
        line.iter().all(|&(square, man)| {
            let arrival = self
                .entries
                .iter()
                .find(|e| e.step >= from && e.square == square && e.man == Some(man));
            if let Some(entry) = arrival {
                from = entry.step;
            }
            arrival.is_some()
        })
    }
}

/// The answer of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Lines {
    /// No legal line within the depth.
    None,
    /// Exactly one; whether the order of events bears it out.
    One { line: Vec<Move>, seen: bool },
    /// Several that the evidence does not tell apart.
    Many,
}

/// Looks for legal lines of two and three plies from `root` to `seen`; shortest first.
pub(super) fn lines(root: &Chess, seen: &Placement, log: &Log) -> Lines {
    let mut budget = BUDGET;
    for depth in 2..=DEPTH {
        let mut search = Search {
            seen,
            touched: log.touched,
            found: Vec::new(),
            budget,
            path: Vec::new(),
        };
        search.run(root, depth);
        budget = search.budget;
        if budget == 0 {
            // Lines that were not looked at may fit as well.
            return if search.found.is_empty() {
                Lines::None
            } else {
                Lines::Many
            };
        }
        let mut found = search.found;
        if found.is_empty() {
            continue;
        }
        let arrivals = |line: &Vec<Move>| -> Vec<_> {
            let mut side = root.turn();
            let arrival = |&mv: &Move| {
                let us = side;
                side = side.other();
                (landing(mv, us), landing_man(mv, us))
            };
            line.iter().map(arrival).collect()
        };
        // Hands that overlap may put down in either order, but what was not seen to arrive did not.
        found.retain(|line| log.has_seen(&arrivals(line)));
        let fitting: Vec<_> = found
            .iter()
            .filter(|l| log.allows(&arrivals(l)))
            .cloned()
            .collect();
        match (<[_; 1]>::try_from(fitting), found.len()) {
            (Ok([line]), _) => return Lines::One { line, seen: true },
            (Err(_), 0) => {}
            (Err(none), 1) if none.is_empty() => {
                return found
                    .pop()
                    .map_or(Lines::None, |line| Lines::One { line, seen: false });
            }
            (Err(_), _) => return Lines::Many,
        }
    }
    Lines::None
}

/// The answer to the question for the only line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Only {
    /// No line of these lengths.
    None,
    /// This one and no other.
    One(Vec<Move>),
    /// Several, or more positions than may be looked at.
    Open,
}

/// Looks for every line of `plies` half-moves from `root` to `seen`, whatever was seen in between.
///
/// With `longer`, lengths that exceed the shortest line found by more than that are left out.
pub(super) fn only_line(
    root: &Chess,
    seen: &Placement,
    plies: RangeInclusive<usize>,
    longer: Option<usize>,
) -> Only {
    let mut all = All {
        seen,
        path: Vec::new(),
        found: None,
        more: false,
        budget: BUDGET,
    };
    let mut last = *plies.end();
    for length in plies {
        if length > last {
            break;
        }
        all.run(root, length);
        if all.more || all.budget == 0 {
            return Only::Open;
        }
        if let (Some(line), Some(longer)) = (&all.found, longer) {
            last = last.min(line.len() + longer);
        }
    }
    all.found.map_or(Only::None, Only::One)
}

/// The least number of half-moves that can lead from `root` to `seen`, by the men that must move.
pub(super) fn least_plies(root: &Chess, seen: &Placement) -> usize {
    let (us, them) = (root.turn(), root.turn().other());
    let ours = least_moves(root, seen, us);
    let theirs = least_moves(root, seen, them);
    (2 * ours).saturating_sub(1).max(2 * theirs)
}

/// Moves that `side` must make, since its men stand elsewhere. Castling moves two of them at once.
fn least_moves(position: &Chess, seen: &Placement, side: Color) -> usize {
    let board = position.board();
    let arrivals = difference(board, seen) & seen.by_color(side);
    arrivals.count() - usize::from(position.castles().has_color(side) && arrivals.count() > 1)
}

struct All<'a> {
    seen: &'a Placement,
    path: Vec<Move>,
    found: Option<Vec<Move>>,
    more: bool,
    budget: usize,
}

impl All<'_> {
    fn run(&mut self, position: &Chess, plies: usize) {
        if self.more || self.budget == 0 {
            return;
        }
        self.budget -= 1;
        let board = position.board();
        if plies == 0 {
            if board == self.seen {
                self.more = self.found.replace(self.path.clone()).is_some();
            }
            return;
        }
        let us = position.turn();
        for mv in position.legal_moves() {
            if plies == 1 && self.seen.piece_at(landing(mv, us)) != Some(landing_man(mv, us)) {
                continue;
            }
            let mut after = position.clone();
            after.play_unchecked(mv);
            if !self.within_reach(&after, plies - 1) {
                continue;
            }
            self.path.push(mv);
            self.run(&after, plies - 1);
            self.path.pop();
        }
    }

    /// Whether each side has moves enough left to put its men where they stand, and to take what is gone.
    fn within_reach(&self, position: &Chess, plies: usize) -> bool {
        let board = position.board();
        Color::ALL.into_iter().all(|side| {
            let moves = if side == position.turn() {
                plies.div_ceil(2)
            } else {
                plies / 2
            };
            let others = side.other();
            let (before, after) = (board.by_color(others), self.seen.by_color(others));
            let taken = before.count().checked_sub(after.count());
            taken.is_some_and(|taken| taken <= moves)
                && least_moves(position, self.seen, side) <= moves
        })
    }
}

struct Search<'a> {
    seen: &'a Placement,
    touched: Bitboard,
    path: Vec<Move>,
    found: Vec<Vec<Move>>,
    budget: usize,
}

impl Search<'_> {
    fn run(&mut self, position: &Chess, plies: usize) {
        if self.budget == 0 {
            return;
        }
        self.budget -= 1;
        let diff = difference(position.board(), self.seen);
        if plies == 0 {
            if diff.is_empty() {
                self.found.push(self.path.clone());
            }
            return;
        }
        // A ply changes two squares, four when castling.
        if diff.count() > 4 * plies {
            return;
        }
        let last = plies == 1;
        for mv in position.legal_moves() {
            let Some(from) = mv.from() else { continue };
            // A man that stands where it stood and was never touched has not moved.
            if !diff.contains(from) && (last || !self.touched.contains(from)) {
                continue;
            }
            if last
                && self.seen.piece_at(landing(mv, position.turn()))
                    != Some(landing_man(mv, position.turn()))
            {
                continue;
            }
            let mut after = position.clone();
            after.play_unchecked(mv);
            self.path.push(mv);
            self.run(&after, plies - 1);
            self.path.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Board, CastlingMode, fen::Fen};

    use super::*;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>()
            .unwrap()
            .into_position(CastlingMode::Standard)
            .unwrap()
    }

    fn board(fen: &str) -> Board {
        Board::from_ascii_board_fen(fen.as_bytes()).unwrap()
    }

    fn uci(lines: &Lines) -> Option<String> {
        match lines {
            Lines::One { line, .. } => Some(
                line.iter()
                    .map(|mv| mv.to_uci(CastlingMode::Standard).to_string())
                    .collect::<Vec<_>>()
                    .join(" "),
            ),
            Lines::None | Lines::Many => None,
        }
    }

    #[test]
    fn two_moves_in_one_scan_have_one_explanation() {
        let seen = board("rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR");
        let found = lines(&Chess::default(), &seen, &Log::default());
        assert_eq!(uci(&found).as_deref(), Some("d2d4 d7d5"));
        assert!(matches!(found, Lines::One { seen: false, .. }));
    }

    #[test]
    fn the_order_of_events_decides_between_transpositions() {
        let start = position("4k3/4p3/8/8/8/8/P6P/4K3 w - - 0 1");
        let stages = [
            "4k3/4p3/8/8/8/7P/P7/4K3",
            "4k3/8/4p3/8/8/7P/P7/4K3",
            "4k3/8/4p3/8/8/P6P/8/4K3",
        ];
        let last = board(stages[2]);
        assert_eq!(lines(&start, &last, &Log::default()), Lines::Many);
        let mut log = Log::default();
        let mut before = start.board().clone();
        for stage in stages {
            log.record(&before, &board(stage));
            before = board(stage);
        }
        assert_eq!(
            uci(&lines(&start, &last, &log)).as_deref(),
            Some("h2h3 e7e6 a2a3")
        );
    }

    #[test]
    fn a_move_that_was_not_seen_was_not_played() {
        // The knight could have been taken on d4, but it was only lifted, and so was the pawn.
        let start = position("4k3/8/8/4p3/8/5N2/8/4K3 w - - 0 1");
        let stages = [
            "4k3/8/8/4p3/8/8/8/4K3",
            "4k3/8/8/8/8/8/8/4K3",
            "4k3/8/8/8/3p4/8/8/4K3",
        ];
        let last = board(stages[2]);
        let mut log = Log::default();
        let mut before = start.board().clone();
        for stage in stages.map(board) {
            log.record(&before, &stage);
            before = stage;
        }
        assert_eq!(lines(&start, &last, &log), Lines::None);
        let mut gap = Log::default();
        gap.record(start.board(), &last);
        assert_eq!(
            uci(&lines(&start, &last, &gap)).as_deref(),
            Some("f3d4 e5d4")
        );
    }

    #[test]
    fn what_no_line_reaches_stays_unknown() {
        let seen = board("rnbqkbnr/pppppppp/8/8/3QK3/8/PPPPPPPP/RNB2BNR");
        assert_eq!(
            lines(&Chess::default(), &seen, &Log::default()),
            Lines::None
        );
    }
}
