//! Several plies at once: which legal lines lead to a placement, and which of them the order of
//! events allows.

use std::ops::RangeInclusive;

use shakmaty::{Bitboard, Chess, Color, Move, Position};

use super::{
    explain::{landing, landing_man},
    log::{Log, Step},
};
use crate::{
    chess::placement::difference,
    types::{Mono, Placement},
};

/// How deep to look without the clock's word. More plies than this between two quiet moments are a
/// gap, not a scan.
pub(super) const DEPTH: usize = 3;
/// Positions to look at before giving up.
const BUDGET: usize = 20_000;
/// The same for each question whether another line may fit as well.
const RIVALS: usize = 1_000;
/// Lines kept for the evidence to choose from.
const LINES: usize = 64;

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

/// What the clock tells of moves that are not in the record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Presses {
    /// The players press it in this game.
    pub(super) heard: bool,
    /// Presses in turn that no move has answered for.
    pub(super) unmatched: usize,
}

impl Presses {
    /// Whether so many half-moves can have been made: of the last two the press may not be heard yet.
    fn allow(self, plies: usize) -> bool {
        !self.heard || plies <= 2 || plies <= self.unmatched + 1
    }
}

/// Looks for legal lines of two and three plies from `root` to `seen`; shortest first.
pub(super) fn lines(
    root: &Chess,
    seen: &Placement,
    log: &Log,
    presses: Presses,
    now: Mono,
) -> Lines {
    let mut budget = BUDGET;
    for depth in (2..=DEPTH).take_while(|&depth| presses.allow(depth)) {
        let mut search = Search::new(seen, log.touched(), budget);
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
        // Hands that overlap may put down in either order, but what was not seen to arrive did not.
        let pressed = presses.unmatched + 1 >= depth;
        let answer = choose(root, search.found, log, |line| log.has_seen(line, pressed));
        if let Lines::One { line, .. } = &answer
            && (may_stand_unread(root, seen, log, line, now)
                || (presses.unmatched >= depth && may_be_longer(root, seen, log, line)))
        {
            return Lines::Many;
        }
        if answer != Lines::None {
            return answer;
        }
    }
    Lines::None
}

/// Looks for the one line that the presses of the clock tell of: as many plies as presses, or one more that
/// has not been pressed yet. Men need not have been seen where they stood for a while.
pub(super) fn pressed_line(
    root: &Chess,
    seen: &Placement,
    log: &Log,
    presses: usize,
    now: Mono,
) -> Lines {
    let mut search = Search::new(seen, Bitboard::FULL, BUDGET);
    for depth in presses.max(1)..=presses + 1 {
        search.run(root, depth);
    }
    if search.budget == 0 {
        return Lines::Many;
    }
    match choose(root, search.found, log, |_| true) {
        Lines::One { line, .. } if may_stand_unread(root, seen, log, &line, now) => Lines::Many,
        answer => answer,
    }
}

/// What the evidence leaves of these lines.
fn choose(
    root: &Chess,
    mut found: Vec<Vec<Move>>,
    log: &Log,
    possible: impl Fn(&[Step]) -> bool,
) -> Lines {
    found.retain(|line| {
        let steps = steps(root, line);
        possible(&steps) && !log.speaks_against(&steps)
    });
    let mut fitting = found.iter().filter(|line| {
        let steps = steps(root, line);
        log.allows(&steps) || log.saw_leaving(&steps)
    });
    match (fitting.next(), fitting.next(), found.as_slice()) {
        (_, _, []) => Lines::None,
        (Some(line), None, _) => Lines::One {
            line: line.clone(),
            seen: true,
        },
        (None, None, [line]) => Lines::One {
            line: line.clone(),
            seen: false,
        },
        _ => Lines::Many,
    }
}

/// A man that this line has taken before it was read may as well stand somewhere and not be read yet.
fn may_stand_unread(root: &Chess, seen: &Placement, log: &Log, line: &[Move], now: Mono) -> bool {
    let steps = steps(root, line);
    let Some(ply) = log.taken_unseen(&steps, now) else {
        return false;
    };
    let mut before = root.clone();
    line[..ply].iter().for_each(|&mv| before.play_unchecked(mv));
    let elsewhere = before
        .legal_moves()
        .into_iter()
        .filter(|mv| mv.from() == line[ply].from() && seen.piece_at(mv.to()).is_none());
    elsewhere.into_iter().any(|mv| {
        let mut complete = seen.clone();
        complete.set_piece_at(mv.to(), steps[ply].arrives_as);
        let mut search = Search::new(&complete, Bitboard::FULL, RIVALS);
        search.run(root, line.len());
        search
            .found
            .iter()
            .any(|line| !log.speaks_against(&self::steps(root, line)))
    })
}

/// Where the men of this line arrived out of order, one of them may have stood unread on its way: then it
/// moved twice, and the line is longer.
pub(super) fn may_be_longer(root: &Chess, seen: &Placement, log: &Log, line: &[Move]) -> bool {
    if log.allows(&steps(root, line)) {
        return false;
    }
    let mut search = Search::new(seen, log.touched(), RIVALS);
    search.on_the_way = true;
    search.run(root, line.len() + 1);
    search
        .found
        .iter()
        .any(|line| !log.speaks_against(&steps(root, line)))
}

/// A line as a board shows it.
fn steps(root: &Chess, line: &[Move]) -> Vec<Step> {
    let mut us = root.turn().other();
    line.iter()
        .filter_map(|&mv| {
            us = us.other();
            let (from, to) = (mv.from()?, landing(mv, us));
            Some(match (mv, mv.castling_side()) {
                // The king stays, so the rook bears witness.
                (Move::Castle { rook, .. }, Some(side)) if from == to => Step {
                    from: rook,
                    to: side.rook_to(us),
                    man: us.rook(),
                    arrives_as: us.rook(),
                },
                _ => Step {
                    from,
                    to,
                    man: mv.role().of(us),
                    arrives_as: landing_man(mv, us),
                },
            })
        })
        .collect()
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
    let mut search = Search::new(seen, Bitboard::FULL, BUDGET);
    search.enough = 2;
    let mut last = *plies.end();
    for length in plies {
        if length > last {
            break;
        }
        search.run(root, length);
        if search.found.len() > 1 || search.budget == 0 {
            return Only::Open;
        }
        if let (Some(line), Some(longer)) = (search.found.first(), longer) {
            last = last.min(line.len() + longer);
        }
    }
    search.found.pop().map_or(Only::None, Only::One)
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

struct Search<'a> {
    seen: &'a Placement,
    /// Squares that men may have left though they stand there now.
    touched: Bitboard,
    path: Vec<Move>,
    found: Vec<Vec<Move>>,
    /// Men may also have left the squares that they came to, unread.
    on_the_way: bool,
    /// So many lines are enough.
    enough: usize,
    budget: usize,
}

impl<'a> Search<'a> {
    fn new(seen: &'a Placement, touched: Bitboard, budget: usize) -> Self {
        Self {
            seen,
            touched,
            path: Vec::new(),
            found: Vec::new(),
            on_the_way: false,
            enough: LINES,
            budget,
        }
    }

    fn run(&mut self, position: &Chess, plies: usize) {
        if self.budget == 0 || self.found.len() >= self.enough {
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
        let last = plies == 1;
        for mv in position.legal_moves() {
            let Some(from) = mv.from() else { continue };
            // A man that stands where it stood and was never touched has not moved. In Chess960 a castling
            // king may stay.
            let may_have_left =
                |square| diff.contains(square) || (!last && self.touched.contains(square));
            let rook = match mv {
                Move::Castle { rook, .. } => rook,
                _ => from,
            };
            let came = self.on_the_way && self.path.iter().any(|earlier| earlier.to() == from);
            if !may_have_left(from) && !may_have_left(rook) && !came {
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

#[cfg(test)]
mod tests {
    use shakmaty::{Board, CastlingMode, fen::Fen};

    use super::*;

    const NO_CLOCK: Presses = Presses {
        heard: false,
        unmatched: 0,
    };

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
        let found = lines(
            &Chess::default(),
            &seen,
            &Log::default(),
            NO_CLOCK,
            Mono::ZERO,
        );
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
        assert_eq!(
            lines(&start, &last, &Log::default(), NO_CLOCK, Mono::ZERO),
            Lines::Many
        );
        let mut log = Log::default();
        let mut before = start.board().clone();
        for stage in stages {
            log.record(Mono::ZERO, &before, &board(stage), true);
            before = board(stage);
        }
        assert_eq!(
            uci(&lines(&start, &last, &log, NO_CLOCK, Mono::ZERO)).as_deref(),
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
            log.record(Mono::ZERO, &before, &stage, true);
            before = stage;
        }
        assert_eq!(
            lines(&start, &last, &log, NO_CLOCK, Mono::ZERO),
            Lines::None
        );
        let mut gap = Log::default();
        gap.record(Mono::ZERO, start.board(), &last, true);
        assert_eq!(
            uci(&lines(&start, &last, &gap, NO_CLOCK, Mono::ZERO)).as_deref(),
            Some("f3d4 e5d4")
        );
    }

    #[test]
    fn what_no_line_reaches_stays_unknown() {
        let seen = board("rnbqkbnr/pppppppp/8/8/3QK3/8/PPPPPPPP/RNB2BNR");
        assert_eq!(
            lines(
                &Chess::default(),
                &seen,
                &Log::default(),
                NO_CLOCK,
                Mono::ZERO
            ),
            Lines::None
        );
    }
}
