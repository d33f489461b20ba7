//! What was seen of the men, square by square, and what it says of a line of moves.
//!
//! A man may be read late where it arrives, since it stands beside the middle of its square, but an empty
//! square is seen at once. A player puts down one man before lifting the next. So the order in which one
//! side's men left tells the order of its moves, and the moves of the two sides take turns.

use std::time::Duration;

use shakmaty::{Bitboard, ByColor, ByRole, Color, Piece, Square};

use crate::{
    chess::placement::difference,
    types::{Mono, Placement},
};

/// Changes kept as evidence.
const KEPT: usize = 256;
/// An empty square is read as such within one scan of the board, and this much later told.
const SCAN: Duration = Duration::from_millis(400);
/// A man put down beside the middle of its square may be read so much later.
const UNREAD: Duration = Duration::from_secs(9);
/// What reads so for less than this may be a bad contact.
const FLICKER: Duration = Duration::from_millis(700);
/// Men put down one after the other may be read in the other order within one scan.
const SAME_SCAN: Duration = Duration::from_millis(300);

/// What was seen to change since the last placement that the record explains, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    entries: Vec<Entry>,
    presses: Vec<(Mono, Color)>,
    step: u32,
    /// The last picture of the whole board.
    whole: Moment,
    touched: Bitboard,
    /// Several squares changed in one picture: what came between was not seen.
    gap: bool,
    /// Until then men that have left may stand somewhere unread.
    unread: Option<Mono>,
}

/// Pictures are counted, so that those of one instant have an order too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Moment {
    step: u32,
    at: Mono,
}

/// A square reads otherwise than before.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// It read as before then.
    since: Moment,
    told: Moment,
    square: Square,
    was: Option<Piece>,
    man: Option<Piece>,
}

/// What is known of the men of one kind.
#[derive(Clone, Copy, Debug, Default)]
struct Whereabouts {
    /// So many more have left than have arrived or were taken.
    missing: i32,
    /// When the last of them left.
    left: Mono,
}

/// A half-move as a board shows it: where a man left and where it arrived.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) from: Square,
    pub(super) to: Square,
    pub(super) man: Piece,
    pub(super) arrives_as: Piece,
}

impl Step {
    fn side(self) -> Color {
        self.man.color
    }
}

impl Log {
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.presses.clear();
        self.touched = Bitboard::EMPTY;
        self.gap = false;
        self.unread = None;
    }

    /// Squares that men may have left though they stand there now.
    pub(super) fn touched(&self) -> Bitboard {
        self.touched
    }

    /// Records every square that `after` shows otherwise than `before`. With `whole` the board has told how
    /// all squares stand, and a change may have been missed since it last did.
    pub(super) fn record(&mut self, at: Mono, before: &Placement, after: &Placement, whole: bool) {
        self.step += 1;
        let told = Moment {
            step: self.step,
            at,
        };
        let changed = difference(before, after);
        self.gap |= changed.more_than_one();
        for square in changed {
            self.push(Entry {
                since: if whole { self.whole } else { told },
                told,
                square,
                was: before.piece_at(square),
                man: after.piece_at(square),
            });
        }
        if whole {
            self.whole = told;
        }
        self.unread = self.find_unread();
    }

    /// The board has told of all squares, and none has changed.
    pub(super) fn confirm(&mut self, at: Mono) {
        self.step += 1;
        self.whole = Moment {
            step: self.step,
            at,
        };
    }

    /// Records a square that was reported without having changed: a man taken by its like within one
    /// scan looks so.
    pub(super) fn touch(&mut self, at: Mono, square: Square, man: Option<Piece>) {
        self.step += 1;
        let told = Moment {
            step: self.step,
            at,
        };
        self.push(Entry {
            since: told,
            told,
            square,
            was: None,
            man,
        });
    }

    /// `side` has pressed the clock: its men stand on the board.
    pub(super) fn press(&mut self, at: Mono, side: Color) {
        if self.presses.len() == KEPT {
            self.presses.remove(0);
        }
        self.presses.push((at, side));
        self.unread = self.find_unread();
    }

    /// The first press of `side` since then.
    fn pressed_since(&self, at: Mono, side: Color) -> Option<Mono> {
        let later = self
            .presses
            .iter()
            .find(|(press, by)| *press >= at && *by == side);
        later.map(|(press, _)| *press)
    }

    /// Whether the man that was lifted here has been put down, since its owner has pressed.
    pub(super) fn is_put_down(&self, square: Square, side: Color) -> bool {
        let last = self.entries.iter().rfind(|e| e.square == square);
        last.is_some_and(|e| e.man.is_none() && self.pressed_since(e.told.at, side).is_some())
    }

    fn push(&mut self, entry: Entry) {
        if self.entries.len() == KEPT {
            self.entries.remove(0);
        }
        self.touched.add(entry.square);
        self.entries.push(entry);
    }

    fn arrivals(&self, step: Step) -> impl DoubleEndedIterator<Item = &Entry> {
        self.entries
            .iter()
            .filter(move |e| e.square == step.to && e.man == Some(step.arrives_as))
    }

    /// When the man of this step of the line left for good.
    fn left(&self, line: &[Step], ply: usize) -> Option<&Entry> {
        let step = line[ply];
        let mut leaving = self
            .entries
            .iter()
            .filter(|e| e.square == step.from && e.was == Some(step.man));
        let comes_again = line[ply + 1..]
            .iter()
            .any(|later| later.to == step.from && later.arrives_as == step.man);
        if comes_again {
            leaving.next()
        } else {
            leaving.next_back()
        }
    }

    /// Whether each man of this line was seen to arrive, in whatever order. After a gap, and where there is
    /// no evidence at all, nothing speaks against a line. With `taken_unseen` a man that was taken at once
    /// may have stood there for less than a scan.
    pub(super) fn has_seen(&self, line: &[Step], taken_unseen: bool) -> bool {
        self.entries.is_empty()
            || self.gap
            || (0..line.len())
                .all(|ply| (taken_unseen && is_taken(line, ply)) || self.arrived(line, ply))
    }

    /// Whether the man of this step was seen to arrive, and not only its like by an earlier one.
    fn arrived(&self, line: &[Step], ply: usize) -> bool {
        let step = line[ply];
        let alike = |it: &&Step| it.to == step.to && it.arrives_as == step.arrives_as;
        let needed = line[..=ply].iter().filter(alike).count();
        self.arrivals(step).nth(needed - 1).is_some()
    }

    /// Until then men that have left, and were not taken where they stood, may stand somewhere unread.
    pub(super) fn unread_until(&self) -> Option<Mono> {
        self.unread
    }

    fn find_unread(&self) -> Option<Mono> {
        let mut men: ByColor<ByRole<Whereabouts>> = ByColor::default();
        for square in self.touched {
            let stays = self.stays(square);
            for (index, &(_, man)) in stays.iter().enumerate() {
                let Some(man) = man else { continue };
                let known = men.get_mut(man.color).get_mut(man.role);
                known.missing += i32::from(index == 0);
                let Some((left, _)) = stays.get(index + 1) else {
                    known.missing -= 1;
                    continue;
                };
                known.left = known.left.max(*left);
                let next = stays[index + 1..].iter().find_map(|stay| stay.1);
                known.missing -= i32::from(next.is_some_and(|next| next.color != man.color));
            }
        }
        let until = |side: Color| {
            let missing = men[side].iter().filter(|known| known.missing > 0);
            let put_down = |left| self.pressed_since(left, side).unwrap_or(left);
            missing.map(|known| put_down(known.left) + UNREAD).max()
        };
        until(Color::White).max(until(Color::Black))
    }

    /// What stood on a square, one after the other, and since when. Bad contacts are left out.
    fn stays(&self, square: Square) -> Vec<(Mono, Option<Piece>)> {
        let entries = || self.entries.iter().filter(|e| e.square == square);
        let first = entries().next().map(|e| (Mono::ZERO, e.was));
        let mut stays: Vec<(Mono, Option<Piece>)> = first.into_iter().collect();
        for entry in entries() {
            let at = entry.told.at;
            if stays.len() > 1 && stays.last().is_some_and(|(since, _)| at < *since + FLICKER) {
                stays.pop();
            }
            if stays.last().is_some_and(|(_, man)| *man != entry.man) {
                stays.push((at, entry.man));
            }
        }
        stays
    }

    /// The step of this line whose man was taken before it was seen to arrive, and left not long ago.
    pub(super) fn taken_unseen(&self, line: &[Step], now: Mono) -> Option<usize> {
        let unseen = |ply: &usize| {
            let lately = self.left(line, *ply);
            is_taken(line, *ply)
                && !self.arrived(line, *ply)
                && lately.is_some_and(|left| now < left.told.at + UNREAD)
        };
        (!self.entries.is_empty() && !self.gap)
            .then(|| (0..line.len()).find(unseen))
            .flatten()
    }

    /// Whether the men of this line were seen to arrive in the line's order, as far as a scan has an order.
    pub(super) fn allows(&self, line: &[Step]) -> bool {
        let mut before = Mono::ZERO;
        (0..line.len()).all(|ply| {
            let arrival = self.arrived_after(line, ply, before);
            before = before.max(arrival.unwrap_or(before));
            arrival.is_some()
        })
    }

    /// When the man of this step arrived, if that may have been after this time. Where no later move of the
    /// line touches its square it has come to stay.
    fn arrived_after(&self, line: &[Step], ply: usize, before: Mono) -> Option<Mono> {
        let step = line[ply];
        let moves_on = |later: &Step| later.to == step.to || later.from == step.to;
        let may_be = |at: &Mono| before < *at + SAME_SCAN;
        if line[ply + 1..].iter().any(moves_on) {
            return self.arrivals(step).map(|e| e.told.at).find(may_be);
        }
        let stays = self.stays(step.to);
        let stay = stays
            .into_iter()
            .rfind(|(_, man)| *man == Some(step.arrives_as));
        stay.map(|(since, _)| since).filter(may_be)
    }

    /// Whether each man of this line arrived, and was seen to leave: then nothing was missed.
    pub(super) fn saw_leaving(&self, line: &[Step]) -> bool {
        !self.gap
            && (0..line.len()).all(|ply| self.left(line, ply).is_some() && self.arrived(line, ply))
    }

    /// Whether a man was lifted here before one was lifted there.
    pub(super) fn left_first(&self, here: Square, there: Square) -> bool {
        let left = |square: Square| {
            let of_square = |e: &&Entry| e.square == square && e.man.is_none();
            self.entries.iter().rev().find(of_square)
        };
        match (left(here), left(there)) {
            (Some(here), Some(there)) => here.told.step < there.told.step,
            (here, _) => here.is_some(),
        }
    }

    /// Whether this line was not played, whatever was read late: one side's men left in another order, or
    /// a man still stood where the line has it leave when a later one had been put down.
    pub(super) fn speaks_against(&self, line: &[Step]) -> bool {
        (0..line.len()).any(|ply| {
            let Some(left) = self.left(line, ply) else {
                return false;
            };
            (ply + 1..line.len()).any(|later| {
                if line[later].side() == line[ply].side() {
                    let leaves = self.left(line, later);
                    leaves.is_some_and(|leaves| left.since.step > leaves.told.step)
                } else {
                    let came = self.arrivals(line[later]).next_back();
                    came.is_some_and(|came| left.since.at > came.told.at + SCAN)
                }
            })
        })
    }
}

/// The opponent's next move takes the man of this one.
fn is_taken(line: &[Step], ply: usize) -> bool {
    line.get(ply + 1)
        .is_some_and(|next| next.to == line[ply].to)
}

#[cfg(test)]
mod tests {
    use shakmaty::{Board, Role};

    use super::*;

    /// One board after the other, each so many milliseconds after the start.
    fn seen(stages: &[(u64, &str)]) -> Log {
        let mut log = Log::default();
        let board = |fen: &str| Board::from_ascii_board_fen(fen.as_bytes()).unwrap();
        for pair in stages.windows(2) {
            let at = Mono(Duration::from_millis(pair[1].0));
            log.record(at, &board(pair[0].1), &board(pair[1].1), false);
        }
        log
    }

    fn step(from: Square, to: Square, man: Piece) -> Step {
        Step {
            from,
            to,
            man,
            arrives_as: man,
        }
    }

    #[test]
    fn a_man_that_left_may_stand_unread_until_it_is_read_or_was_taken() {
        let lifted = [
            (0, "4k3/8/8/3p4/8/8/8/3RK3"),
            (1_000, "4k3/8/8/3p4/8/8/8/4K3"),
        ];
        let mut log = seen(&lifted);
        let until = |at: u64| Some(Mono(Duration::from_millis(at)) + UNREAD);
        assert_eq!(log.unread_until(), until(1_000));
        // It is put down when its owner presses.
        log.press(Mono(Duration::from_secs(4)), Color::White);
        assert_eq!(log.unread_until(), until(4_000));
        let read = [&lifted[..], &[(6_000, "4k3/8/8/3p4/3R4/8/8/4K3")]].concat();
        assert_eq!(seen(&read).unread_until(), None);
        let takes = [
            &lifted[..],
            &[
                (2_000, "4k3/8/8/8/8/8/8/4K3"),
                (2_300, "4k3/8/8/3R4/8/8/8/4K3"),
            ],
        ];
        assert_eq!(seen(&takes.concat()).unread_until(), None);
    }

    #[test]
    fn a_bad_contact_is_no_man_on_its_way() {
        let log = seen(&[
            (0, "4k3/8/8/3p4/8/8/8/3RK3"),
            (1_000, "4k3/8/8/3p4/8/8/8/4K3"),
            (1_300, "4k3/8/8/3p4/8/8/8/3RK3"),
        ]);
        assert_eq!(log.unread_until(), None);
        assert!(!log.is_put_down(Square::D1, Color::White));
    }

    #[test]
    fn the_order_of_leaving_tells_what_was_read_late() {
        // The rook was put down first and read last.
        let log = seen(&[
            (0, "4k3/4p3/8/8/8/8/7P/R3K3"),
            (1_000, "4k3/4p3/8/8/8/8/7P/4K3"),
            (2_000, "4k3/8/8/8/8/8/7P/4K3"),
            (2_300, "4k3/8/4p3/8/8/8/7P/4K3"),
            (3_000, "4k3/8/4p3/8/8/8/8/4K3"),
            (3_300, "4k3/8/4p3/8/8/7P/8/4K3"),
            (4_000, "4k3/8/4p3/8/8/7P/8/3RK3"),
        ]);
        let rook = step(Square::A1, Square::D1, Role::Rook.of(Color::White));
        let pawn = step(Square::H2, Square::H3, Role::Pawn.of(Color::White));
        let reply = step(Square::E7, Square::E6, Role::Pawn.of(Color::Black));
        assert!(!log.speaks_against(&[rook, reply, pawn]));
        assert!(log.speaks_against(&[pawn, reply, rook]));
        assert!(!log.allows(&[rook, reply, pawn]));
    }
}
