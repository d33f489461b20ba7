//! One reading of what was seen: the moves that it takes for made, and those that it takes for shown.

use shakmaty::{Bitboard, Chess, Color, Move, Position};

use super::{
    fit::{Fit, Line, fits},
    touches::{BURST, Touches},
};
use crate::types::Mono;

/// Moves in a row that may be shown and not made.
const DEPTH: usize = 4;
/// Shown lines that are remembered.
const SHOWN: usize = 48;

/// A move of a reading.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) mv: Move,
    /// When the man was seen on its square.
    pub(super) at: Mono,
    /// The lever bore it out.
    pub(super) pressed: bool,
    /// The board did not show every step.
    pub(super) inferred: bool,
}

/// A line that the board has shown complete, and that could still be undone by letting go.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    /// It begins in place of the last move made, not after it.
    pub(super) instead: bool,
    pub(super) steps: Vec<Step>,
    /// The position after each step.
    pub(super) positions: Vec<Chess>,
    /// The touches since it stood there.
    pub(super) log: Touches,
    pub(super) exact_at: Option<Mono>,
    /// It was thought to follow from something that was only seen later.
    stale: bool,
    /// It has stood for longer than a man that is sliding on is seen on a square.
    pub(super) stood: bool,
    /// Men of the next side that are off the board.
    pub(super) hand: Bitboard,
    /// For each step whether a capture was not seen.
    pub(super) unseen: Vec<bool>,
}

impl Shown {
    pub(super) fn after(&self) -> &Chess {
        &self.positions[self.positions.len() - 1]
    }

    pub(super) fn last(&self) -> &Step {
        &self.steps[self.steps.len() - 1]
    }

    pub(super) fn mover(&self) -> Color {
        self.after().turn().other()
    }

    /// Captures that were not seen and that no lever bore out.
    pub(super) fn doubts(&self) -> usize {
        let both = self.unseen.iter().zip(&self.steps);
        both.filter(|(unseen, step)| **unseen && !step.pressed)
            .count()
    }

    fn is(&self, instead: bool, moves: &[Move]) -> bool {
        self.instead == instead
            && self.steps.len() == moves.len()
            && self.steps.iter().zip(moves).all(|(s, mv)| s.mv == *mv)
    }
}

/// What the occupancy is for one reading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Stand {
    /// Nothing was judged.
    #[default]
    None,
    /// The position of the reading.
    Rest,
    /// These lines, by their place among those shown.
    Shows(Vec<usize>),
    /// None.
    Other,
}

/// One reading.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    /// The board is turned by 180° in it.
    pub(super) turned: bool,
    /// The record's last position, and that after each move of the reading.
    pub(super) positions: Vec<Chess>,
    /// What it takes for made beyond the record.
    pub(super) moves: Vec<Step>,
    /// The touches since the last of them.
    pub(super) log: Touches,
    /// The touches since the one before.
    pub(super) before: Touches,
    pub(super) shown: Vec<Shown>,
    pub(super) stand: Stand,
    /// The record's position before its last move, as long as that may be replaced.
    pub(super) previous: Option<(Chess, Move)>,
    /// The lever bore out the record's last move.
    pub(super) previous_pressed: bool,
    /// The opponent has touched his men since and all was in its place again then: the last move is made.
    closed: Option<Mono>,
}

impl Branch {
    pub(super) fn new(position: Chess, turned: bool) -> Self {
        Self {
            turned,
            positions: vec![position],
            moves: Vec::new(),
            log: Touches::default(),
            before: Touches::default(),
            shown: Vec::new(),
            stand: Stand::None,
            previous: None,
            previous_pressed: false,
            closed: None,
        }
    }

    pub(super) fn tip(&self) -> &Chess {
        &self.positions[self.positions.len() - 1]
    }

    /// The squares as its players see them.
    pub(super) fn view(&self, wire: Bitboard) -> Bitboard {
        if self.turned { wire.rotate_180() } else { wire }
    }

    /// The position before the last move, and that move.
    pub(super) fn prior(&self) -> Option<(&Chess, Move)> {
        if self.closed.is_some() {
            return None;
        }
        match self.moves.last() {
            Some(last) => Some((&self.positions[self.positions.len() - 2], last.mv)),
            None => self.previous.as_ref().map(|(position, mv)| (position, *mv)),
        }
    }

    /// The lever bore out the last move.
    fn prior_pressed(&self) -> bool {
        let last = self.moves.last();
        last.map_or(self.previous_pressed, |last| last.pressed)
    }

    pub(super) fn each_log(&mut self, mut note: impl FnMut(&mut Touches)) {
        note(&mut self.log);
        note(&mut self.before);
        for shown in &mut self.shown {
            note(&mut shown.log);
        }
    }

    pub(super) fn fitting(&self) -> &[usize] {
        match &self.stand {
            Stand::Shows(fitting) => fitting,
            _ => &[],
        }
    }

    /// The lever bears out the last move of a shown line, in every line that begins so.
    pub(super) fn press(&mut self, id: usize) {
        let instead = self.shown[id].instead;
        let moves: Vec<Move> = self.shown[id].steps.iter().map(|step| step.mv).collect();
        for shown in self.shown.iter_mut().filter(|it| it.instead == instead) {
            let begins = shown.steps.iter().zip(&moves).all(|(s, mv)| s.mv == *mv);
            if begins && let Some(step) = shown.steps.get_mut(moves.len() - 1) {
                step.pressed = true;
            }
        }
    }

    /// What is shown has stood for a while.
    pub(super) fn has_stood(&mut self) {
        for id in self.fitting().to_vec() {
            let shown = &mut self.shown[id];
            shown.stood |= shown.hand.is_empty();
        }
    }

    /// What must be assumed for a shown line: captures that were not seen, a next move that is being made,
    /// a lever pressed before the move was complete.
    pub(super) fn cost(&self, id: usize) -> usize {
        let shown = &self.shown[id];
        let early = shown.instead && self.prior_pressed();
        shown.doubts() + usize::from(shown.hand.any()) + 2 * usize::from(early)
    }

    /// The line that ends with the first so many moves of another one.
    pub(super) fn begins(&self, id: usize, upto: usize) -> Option<&Shown> {
        let line = &self.shown[id];
        let moves: Vec<Move> = line.steps[..upto].iter().map(|step| step.mv).collect();
        self.shown.iter().find(|it| it.is(line.instead, &moves))
    }

    /// Forgets what was shown and not made.
    pub(super) fn forget(&mut self) {
        self.shown.clear();
        self.stand = Stand::None;
    }

    /// Judges the occupancy. `certain` asks for placements that the touches may have led to.
    pub(super) fn look(&mut self, wire: Bitboard, now: Mono, certain: bool) {
        let occupied = self.view(wire);
        if self.tip().board().occupied() == occupied {
            let touched = self.log.squares();
            let moved = self.prior().map(|(_, mv)| mv.to());
            if (touched & self.tip().us()).any() && moved.is_some_and(|to| !touched.contains(to)) {
                self.closed = Some(now);
            }
            self.shown.clear();
            self.log.rest(now);
            self.stand = Stand::Rest;
            return;
        }
        if self.closed.is_some_and(|at| now <= at + BURST) {
            self.closed = None;
        }
        let mut fitting: Vec<usize> = Vec::new();
        for fit in fits(self.tip(), &self.log, occupied) {
            fitting.push(self.show(None, false, fit, now));
        }
        // Shorter lines first: what is seen of them decides what may follow.
        let mut origins: Vec<usize> = (0..self.shown.len()).collect();
        origins.sort_by_key(|id| self.shown[*id].steps.len());
        for id in origins {
            let shown = &self.shown[id];
            let open = shown.steps.len() < DEPTH && shown.after().board().occupied() != occupied;
            if shown.stale || !open {
                continue;
            }
            for fit in fits(shown.after(), &shown.log, occupied) {
                fitting.push(self.show(Some(id), false, fit, now));
            }
        }
        // Shown again after something was lifted and put back.
        for (id, shown) in self.shown.iter_mut().enumerate() {
            let here = shown.after().board().occupied() == occupied;
            if here && !shown.stale && !fitting.contains(&id) {
                let exact = shown.steps.len() > 1 || shown.instead;
                if exact {
                    shown.hand = Bitboard::EMPTY;
                    fitting.push(id);
                }
            }
        }
        // Whoever goes on with the same hand has not moved yet; a capture that nobody saw explains less.
        let doubtful = |id: &usize| self.shown[*id].doubts() > 0;
        if fitting.iter().all(doubtful)
            && let Some((position, mv)) = self.prior()
        {
            // Only the man that has moved, or the king after his rook, goes on.
            let goes_on = self.log.squares().contains(mv.to());
            let instead: Vec<Fit> = fits(position, &self.before, occupied)
                .into_iter()
                .filter(|fit| !fit.unseen && fit.mv != mv && (fit.mv.is_castle() || goes_on))
                .collect();
            let found = instead.into_iter();
            let instead: Vec<usize> = found.map(|fit| self.show(None, true, fit, now)).collect();
            fitting.extend(instead);
        }
        if certain {
            let board = self.tip().board().clone();
            let led_to = self.log.replay(&board);
            fitting.retain(|id| {
                let shown = &self.shown[*id];
                !shown.instead
                    && led_to
                        .iter()
                        .any(|(placement, _)| placement == shown.after().board())
            });
        }
        fitting.retain(|id| !self.shown[*id].stale);
        fitting.sort_unstable();
        fitting.dedup();
        self.stand = if fitting.is_empty() {
            Stand::Other
        } else {
            Stand::Shows(fitting)
        };
    }

    /// Keeps a move that is shown; returns its place.
    fn show(&mut self, origin: Option<usize>, instead: bool, fit: Fit, now: Mono) -> usize {
        let (mut steps, mut positions, mut unseen, mut instead) =
            (Vec::new(), Vec::new(), Vec::new(), instead);
        let log = match origin.map(|id| &self.shown[id]) {
            Some(shown) => {
                steps.clone_from(&shown.steps);
                positions.clone_from(&shown.positions);
                unseen.clone_from(&shown.unseen);
                instead = shown.instead;
                &shown.log
            }
            None if instead => &self.before,
            None => &self.log,
        };
        let mut log = log.lifted(fit.hand);
        steps.push(Step {
            mv: fit.mv,
            at: now,
            pressed: false,
            inferred: fit.unseen,
        });
        positions.push(fit.after);
        unseen.push(fit.unseen);
        let exact = fit.hand.is_empty();
        let moves: Vec<Move> = steps.iter().map(|step| step.mv).collect();
        let known = self.shown.iter().position(|it| it.is(instead, &moves));
        if let Some(id) = known {
            let last = moves.len() - 1;
            if self.shown[id].unseen[last] && !fit.unseen {
                // What followed a capture that was only now seen did not follow it.
                for other in &mut self.shown {
                    let follows = other.instead == instead && other.steps.len() > moves.len();
                    let begins = other.steps.iter().zip(&moves);
                    other.stale |= follows && begins.into_iter().all(|(s, mv)| s.mv == *mv);
                }
                self.shown[id].log = log;
            }
            let shown = &mut self.shown[id];
            if std::mem::take(&mut shown.stale) {
                shown.unseen = unseen;
                shown.exact_at = None;
                shown.stood = false;
            }
            shown.hand = fit.hand;
            shown.unseen[last] = fit.unseen;
            shown.steps[last].inferred = fit.unseen;
            if exact {
                shown.exact_at.get_or_insert(now);
                shown.log.rest(now);
            }
            return id;
        }
        if exact {
            log.clear();
        }
        self.push(Shown {
            instead,
            steps,
            positions,
            log,
            exact_at: exact.then_some(now),
            stale: false,
            stood: false,
            hand: fit.hand,
            unseen,
        })
    }

    fn push(&mut self, shown: Shown) -> usize {
        self.shown.push(shown);
        self.shown.len() - 1
    }

    /// Forgets the oldest of too many shown lines, unless they are shown now.
    pub(super) fn trim(&mut self) {
        while let Some(old) = self.shown.iter().position(|shown| shown.stale) {
            self.drop_line(old);
        }
        while self.shown.len() > SHOWN {
            let fitting = self.fitting().to_vec();
            let Some(old) = (0..self.shown.len()).find(|id| !fitting.contains(id)) else {
                return;
            };
            self.drop_line(old);
        }
    }

    fn drop_line(&mut self, old: usize) {
        self.shown.remove(old);
        if let Stand::Shows(fitting) = &mut self.stand {
            for id in fitting.iter_mut().filter(|id| **id > old) {
                *id -= 1;
            }
        }
    }

    /// Keeps lines that a search has found.
    pub(super) fn show_lines(&mut self, lines: Vec<Line>, now: Mono, inferred: bool) {
        let base = self.tip().clone();
        let mut fitting = Vec::new();
        for line in lines {
            let mut position = base.clone();
            let mut unseen = Vec::new();
            let steps = line.moves.iter().map(|&mv| Step {
                mv,
                at: now,
                pressed: false,
                inferred,
            });
            let steps: Vec<Step> = steps.collect();
            for &mv in &line.moves {
                let capture = mv.is_capture() && !mv.is_en_passant();
                let seen = mv.from().is_some_and(|from| {
                    self.log.exchange(from, mv.to()) == super::touches::Exchange::Seen
                });
                unseen.push(capture && !seen && !inferred);
                position.play_unchecked(mv);
            }
            let known = self.shown.iter().position(|it| it.is(false, &line.moves));
            let id = known.unwrap_or_else(|| {
                self.push(Shown {
                    instead: false,
                    steps,
                    positions: line.positions,
                    log: Touches::default(),
                    exact_at: Some(now),
                    stale: false,
                    stood: false,
                    hand: Bitboard::EMPTY,
                    unseen,
                })
            });
            fitting.push(id);
        }
        self.stand = if fitting.is_empty() {
            Stand::Other
        } else {
            Stand::Shows(fitting)
        };
    }

    /// The reading in which the first `upto` moves of a shown line have been made. What is shown
    /// beyond them stays shown.
    pub(super) fn made(&self, id: usize, upto: usize) -> Self {
        let chosen = &self.shown[id];
        let mut next = self.clone();
        let mut log = self.log.clone();
        let mut before = self.before.clone();
        if chosen.instead {
            // The record's own last move is taken out of it by the caller.
            if next.moves.pop().is_some() {
                next.positions.pop();
            } else if let Some((position, _)) = next.previous.take() {
                next.positions = vec![position];
            }
            log.clone_from(&self.before);
        }
        for index in 0..upto {
            next.moves.push(chosen.steps[index]);
            next.positions.push(chosen.positions[index].clone());
            let moves: Vec<Move> = chosen.steps[..=index].iter().map(|step| step.mv).collect();
            let own = self
                .shown
                .iter()
                .find(|it| it.is(chosen.instead, &moves))
                .map(|it| it.log.clone());
            before = log;
            log = own.unwrap_or_default();
        }
        next.log = log;
        next.before = before;
        next.closed = None;
        let begins = |shown: &Shown| {
            shown.instead == chosen.instead
                && shown.steps.len() > upto
                && (0..upto).all(|at| shown.steps[at].mv == chosen.steps[at].mv)
        };
        let mut fitting = Vec::new();
        next.shown.clear();
        for (place, shown) in self.shown.iter().enumerate().filter(|(_, it)| begins(it)) {
            if self.fitting().contains(&place) {
                fitting.push(next.shown.len());
            }
            let mut rest = shown.clone();
            rest.instead = false;
            rest.steps.drain(..upto);
            rest.positions.drain(..upto);
            rest.unseen.drain(..upto);
            next.shown.push(rest);
        }
        next.stand = if !fitting.is_empty() {
            Stand::Shows(fitting)
        } else if chosen.steps.len() == upto && chosen.hand.is_empty() {
            Stand::Rest
        } else {
            Stand::Other
        };
        next
    }

    /// Takes over what another one with the same moves shows.
    pub(super) fn join(&mut self, other: Self) {
        let shows = other.fitting().to_vec();
        let mut fitting = self.fitting().to_vec();
        for (id, shown) in other.shown.into_iter().enumerate() {
            let moves: Vec<Move> = shown.steps.iter().map(|step| step.mv).collect();
            let known = self
                .shown
                .iter()
                .position(|it| it.is(shown.instead, &moves));
            let place = known.unwrap_or_else(|| self.push(shown));
            if shows.contains(&id) && !fitting.contains(&place) {
                fitting.push(place);
            }
        }
        if !fitting.is_empty() {
            self.stand = Stand::Shows(fitting);
        }
    }
}
