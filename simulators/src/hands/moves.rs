//! How one move is made with the hands.

use std::{collections::BTreeSet, time::Duration};

use rand::{Rng as _, seq::IndexedRandom as _};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, File, Move, Piece, Position, Role, Square, attacks};

use super::{Incidents, Spread, script::Work};

/// Lifting, carrying and putting down of `m`, without the press.
pub(super) fn hand_work(
    position: &Chess,
    m: Move,
    think: Duration,
    habits: &Incidents,
    rng: &mut ChaCha8Rng,
) -> Work {
    let mut hand = Hand::new(think, rng);
    let color = position.turn();
    if hand.chance(habits.other_piece_first) {
        hand.touch_another(position, m);
    }
    if hand.chance(habits.long_hold) {
        hand.holds = think.mul_f64(0.6);
    }
    match m {
        Move::Castle { king, rook } => hand.castle(king, rook, color, habits),
        Move::EnPassant { from, to } => hand.en_passant(from, to, color, habits),
        Move::Normal {
            role,
            from,
            to,
            capture,
            promotion,
        } => {
            let piece = role.of(color);
            if let Some(promotion) = promotion {
                hand.promote(
                    from,
                    to,
                    capture.is_some(),
                    piece,
                    promotion.of(color),
                    habits,
                );
            } else if capture.is_some() {
                hand.capture(from, to, piece, habits);
            } else {
                hand.step(position, m, from, to, piece, habits);
            }
        }
        Move::Put { role, to } => hand.work.put(to, role.of(color)),
    }
    hand.pause(150, 700);
    hand.work
}

/// What is still to be done after the press: a pawn taken en passant that was forgotten.
pub(super) fn late_work(done: &Work, rng: &mut ChaCha8Rng) -> Work {
    let mut work = Work::default();
    if let Some(square) = done.forgotten {
        work.wait(Spread::millis(1500, 7000).pick(rng));
        work.lift(square);
    }
    work
}

/// A piece lifted and put back during a think that is long enough for it.
pub(super) fn jadoube(
    position: &Chess,
    room: Duration,
    habits: &Incidents,
    rng: &mut ChaCha8Rng,
) -> Option<Work> {
    if room < Duration::from_secs(4) || !rng.random_bool(habits.jadoube) {
        return None;
    }
    let squares: Vec<Square> = position.board().occupied().into_iter().collect();
    let square = *squares.choose(rng)?;
    let piece = position.board().piece_at(square)?;
    let mut work = Work::default();
    work.wait(
        Spread {
            least: room / 8,
            most: room / 2,
        }
        .pick(rng),
    );
    work.lift(square);
    work.wait(Spread::millis(300, 1200).pick(rng));
    work.put(square, piece);
    Some(work)
}

/// A hand with its own speed.
struct Hand<'a> {
    work: Work,
    rng: &'a mut ChaCha8Rng,
    speed: f64,
    /// How long the piece stays in the hand.
    holds: Duration,
}

impl<'a> Hand<'a> {
    fn new(think: Duration, rng: &'a mut ChaCha8Rng) -> Self {
        // Who thinks for two seconds does not carry a piece for one.
        let speed = (think.as_secs_f64() / 6.0).clamp(0.35, 1.0);
        Self {
            work: Work::default(),
            rng,
            speed,
            holds: Duration::ZERO,
        }
    }

    fn chance(&mut self, probability: f64) -> bool {
        probability > 0.0 && self.rng.random_bool(probability)
    }

    /// The piece that moves is taken.
    fn take(&mut self, from: Square) {
        self.work.lift(from);
        self.work.wait(std::mem::take(&mut self.holds));
    }

    /// A piece that will not be moved after all.
    fn touch_another(&mut self, position: &Chess, m: Move) {
        let movable: BTreeSet<Square> = position
            .legal_moves()
            .into_iter()
            .filter_map(Move::from)
            .filter(|&from| Some(from) != m.from())
            .collect();
        let movable: Vec<Square> = movable.into_iter().collect();
        let Some(&square) = movable.choose(self.rng) else {
            return;
        };
        if let Some(piece) = position.board().piece_at(square) {
            self.work.lift(square);
            self.pause(300, 1500);
            self.work.put(square, piece);
            self.pause(300, 1200);
        }
    }

    fn pause(&mut self, least: u64, most: u64) {
        let time = Spread::millis(least, most).pick(self.rng);
        self.work.wait(time.mul_f64(self.speed));
    }

    fn step(
        &mut self,
        position: &Chess,
        m: Move,
        from: Square,
        to: Square,
        piece: Piece,
        habits: &Incidents,
    ) {
        self.take(from);
        if self.chance(habits.half_move_back)
            && let Some(other) = self.other_square(position, m, from)
        {
            self.pause(200, 600);
            self.work.put(other, piece);
            self.pause(500, 1800);
            self.work.lift(other);
        } else if self.chance(habits.slide) {
            self.slide(from, to, piece);
        }
        self.pause(200, 700);
        self.work.put(to, piece);
    }

    /// Another empty square that the same piece could go to, where it does not transform.
    fn other_square(&mut self, position: &Chess, m: Move, from: Square) -> Option<Square> {
        let others: Vec<Square> = position
            .legal_moves()
            .into_iter()
            .filter(|other| {
                other.from() == Some(from)
                    && other.to() != m.to()
                    && !other.is_capture()
                    && !other.is_castle()
                    && !other.is_promotion()
            })
            .map(Move::to)
            .collect();
        others.choose(self.rng).copied()
    }

    fn slide(&mut self, from: Square, to: Square, piece: Piece) {
        let mut between: Vec<Square> = attacks::between(from, to).into_iter().collect();
        between.sort_by_key(|square| square.distance(from));
        for square in between {
            self.pause(30, 90);
            self.work.put(square, piece);
            self.pause(40, 160);
            self.work.lift(square);
        }
    }

    fn capture(&mut self, from: Square, to: Square, piece: Piece, habits: &Incidents) {
        if self.chance(habits.swap_capture) {
            self.take(from);
            self.pause(250, 600);
        } else if self.chance(habits.attacker_first) {
            self.take(from);
            self.pause(200, 600);
            self.work.lift(to);
            self.pause(150, 500);
        } else {
            self.work.lift(to);
            self.pause(250, 800);
            self.take(from);
            self.pause(200, 600);
        }
        self.work.put(to, piece);
    }

    fn en_passant(&mut self, from: Square, to: Square, color: shakmaty::Color, habits: &Incidents) {
        let victim = Square::from_coords(to.file(), from.rank());
        let late = self.chance(habits.late_victim);
        let first = !late && self.chance(0.3);
        if first {
            self.work.lift(victim);
            self.pause(250, 700);
        }
        self.take(from);
        self.pause(200, 700);
        self.work.put(to, Role::Pawn.of(color));
        if late {
            self.work.forgotten = Some(victim);
        } else if !first {
            self.pause(200, 900);
            self.work.lift(victim);
        }
    }

    fn castle(&mut self, king: Square, rook: Square, color: shakmaty::Color, habits: &Incidents) {
        let (king_file, rook_file) = if rook > king {
            (File::G, File::F)
        } else {
            (File::C, File::D)
        };
        let king_to = Square::from_coords(king_file, king.rank());
        let rook_to = Square::from_coords(rook_file, king.rank());
        let king = (king, king_to, Role::King.of(color));
        let rook = (rook, rook_to, Role::Rook.of(color));
        if self.chance(habits.both_hands) {
            self.work.lift(king.0);
            self.pause(50, 250);
            self.work.lift(rook.0);
            self.pause(250, 700);
            self.work.put(king.1, king.2);
            self.pause(50, 250);
            self.work.put(rook.1, rook.2);
            return;
        }
        let rook_first = self.chance(habits.rook_first);
        let order = if rook_first {
            [rook, king]
        } else {
            [king, rook]
        };
        for (i, (from, to, piece)) in order.into_iter().enumerate() {
            if i > 0 {
                self.pause(300, 1500);
            }
            self.work.lift(from);
            self.pause(200, 700);
            self.work.put(to, piece);
        }
    }

    fn promote(
        &mut self,
        from: Square,
        to: Square,
        capture: bool,
        pawn: Piece,
        queen: Piece,
        habits: &Incidents,
    ) {
        if capture {
            self.work.lift(to);
            self.pause(250, 700);
        }
        self.take(from);
        self.pause(250, 700);
        if self.chance(habits.wrong_promotion) {
            let others = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
            let wrong = others.into_iter().filter(|role| *role != queen.role);
            let wrong: Vec<Role> = wrong.collect();
            if let Some(role) = wrong.choose(self.rng) {
                self.work.put(to, role.of(queen.color));
                self.pause(600, 3000);
                self.work.lift(to);
                self.pause(200, 900);
            }
        } else if self.chance(habits.promotion_swap) {
            self.work.put(to, pawn);
            self.pause(900, 6000);
            self.work.lift(to);
            self.pause(200, 900);
        }
        self.work.put(to, queen);
    }
}
