//! Hands that play a game on a board that only tells occupied from empty squares.
//!
//! What the board shows follows from what hands do with men: nothing here knows what a tracker can take.

use flagfall_core::{
    chess::{OccupancyTracker, TrackEvent, TrackStatus, TrackerSettings, result::Outcome},
    protocol::Touch,
    types::{Bitboard, Color, Mono, Piece, Placement, Role, Square},
};
use shakmaty::{Board, CastlingMode, Chess, Move, Position, attacks, uci::UciMove};

use crate::games::Game;

/// Splitmix64: the same seed, the same hands.
pub(crate) struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.roll() % n
    }

    fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// How a pair of players handles the board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    pub(crate) clock: bool,
    pub(crate) turned: bool,
    /// The hub was told how the board stands.
    pub(crate) told: bool,
    /// Milliseconds between moves, at most.
    pub(crate) think: u64,
    /// Milliseconds between the steps of a move, at most.
    pub(crate) step: u64,
    /// Chance in percent that the opponent lifts before the man is put down.
    pub(crate) overlap: u64,
    /// Chance in percent that a victim's square is never seen empty.
    pub(crate) unseen: u64,
    /// Chance in percent, with each change, that some square reads wrong for one scan.
    pub(crate) flicker: u64,
    /// Everything arrives this late and in bunches.
    pub(crate) late: u64,
}

/// One change: after a pause, a square and what stands there then.
type Step = (u64, Square, Option<Piece>);

pub(crate) struct Hands {
    pub(crate) manner: Manner,
    dice: Dice,
    pub(crate) tracker: OccupancyTracker,
    pub(crate) events: Vec<TrackEvent>,
    pub(crate) board: Placement,
    now: u64,
    pub(crate) heard: u64,
    /// What an arbiter answers, who has the score sheets.
    truth: Vec<String>,
    pub(crate) asked: usize,
    /// Questions that did not offer the move that was played.
    pub(crate) bad_questions: usize,
}

impl Hands {
    pub(crate) fn new(manner: Manner, seed: u64) -> Self {
        let mut settings = if manner.think < 1000 {
            TrackerSettings::blitz()
        } else {
            TrackerSettings::default()
        };
        if manner.told {
            settings.turned = Some(manner.turned);
        }
        let mut hands = Self {
            manner,
            dice: Dice(seed),
            tracker: OccupancyTracker::new(settings),
            events: Vec::new(),
            board: Board::new(),
            now: 1000,
            heard: 0,
            truth: Vec::new(),
            asked: 0,
            bad_questions: 0,
        };
        hands.show(None);
        hands.wait(3000);
        if manner.clock {
            hands
                .tracker
                .handle_clock_running(Mono::from_millis(hands.heard), true);
        }
        hands
    }

    fn drain(&mut self) {
        while let Some(event) = self.tracker.poll_event() {
            if let TrackEvent::Question { ply, moves, .. } = &event {
                self.asked += 1;
                if let Some(played) = self.truth.get(usize::from(*ply) - 1) {
                    if moves.contains(played) {
                        let played: UciMove = played.parse().unwrap();
                        let now = Mono::from_millis(self.heard);
                        // It may have been answered by what followed.
                        let open = TrackStatus::Asking {
                            ply: *ply,
                            moves: moves.clone(),
                        };
                        let answer = self.tracker.answer(now, &[played]);
                        assert!(answer.is_ok() || self.tracker.status() != open);
                        self.events.push(event);
                        continue;
                    }
                    self.bad_questions += 1;
                }
            }
            self.events.push(event);
        }
    }

    /// When the hub hears of what happens now: on time, or at the end of the bunch.
    fn hearing(&mut self) -> u64 {
        let at = match self.manner.late {
            0 => self.now,
            late => (self.now / late + 1) * late,
        };
        self.heard = self.heard.max(at);
        while let Some(due) = self
            .tracker
            .poll_timeout()
            .filter(|due| *due < Mono::from_millis(self.heard))
        {
            self.tracker.handle_timeout(due);
            self.drain();
        }
        self.heard
    }

    fn wire(&self, squares: Bitboard) -> Bitboard {
        if self.manner.turned {
            squares.rotate_180()
        } else {
            squares
        }
    }

    fn tell(&mut self, occupied: Bitboard, square: Option<Square>) {
        let at = self.hearing();
        let change = square.map(|square| Touch {
            square: if self.manner.turned {
                square.rotate_180()
            } else {
                square
            },
            present: occupied.contains(square),
        });
        let occupied = self.wire(occupied);
        self.tracker
            .handle_occupancy(Mono::from_millis(at), occupied, change);
        self.drain();
    }

    fn show(&mut self, square: Option<Square>) {
        self.tell(self.board.occupied(), square);
    }

    fn press(&mut self, mover: Color) {
        let at = self.hearing();
        self.tracker.handle_press(Mono::from_millis(at), mover);
        self.drain();
    }

    pub(crate) fn wait(&mut self, ms: u64) {
        self.now += ms;
        self.hearing();
    }

    fn put(&mut self, square: Square, piece: Option<Piece>) {
        let before = self.board.occupied();
        match piece {
            Some(piece) => self.board.set_piece_at(square, piece),
            None => self.board.discard_piece_at(square),
        }
        // A man put where another one stands changes nothing for the board.
        if self.board.occupied() != before {
            self.show(Some(square));
        }
        if self.dice.chance(self.manner.flicker) {
            let square = Square::new(u32::try_from(self.dice.below(64)).unwrap());
            let occupied = self.board.occupied();
            self.wait(5);
            self.tell(occupied ^ Bitboard::from(square), Some(square));
            let scan = self.dice.between(10, 50);
            self.wait(scan);
            self.tell(occupied, Some(square));
        }
    }

    pub(crate) fn run(&mut self, steps: &[Step]) {
        for &(pause, square, piece) in steps {
            self.wait(pause);
            self.put(square, piece);
        }
    }

    fn pause(&mut self) -> u64 {
        let most = self.manner.step;
        self.dice.between(20, most)
    }

    /// The time in which one man is taken away and another one put in its place.
    fn exchange(&mut self) -> u64 {
        self.pause().max(80)
    }

    /// The steps of one move, in the manner of the moment.
    fn steps(&mut self, position: &Chess, mv: Move) -> Vec<Step> {
        let us = position.turn();
        let from = mv.from().unwrap();
        let man = mv.role().of(us);
        let mut steps = Vec::new();
        let mut add = |pause: u64, square: Square, piece: Option<Piece>| {
            steps.push((pause, square, piece));
        };
        if let (Some(side), Move::Castle { king, rook }) = (mv.castling_side(), mv) {
            let (king_to, rook_to) = (side.king_to(us), side.rook_to(us));
            let king_part = [(king, None), (king_to, Some(us.king()))];
            let rook_part = [(rook, None), (rook_to, Some(us.rook()))];
            let order = match self.dice.below(5) {
                0 => [rook_part[0], rook_part[1], king_part[0], king_part[1]],
                1 => [king_part[0], rook_part[0], king_part[1], rook_part[1]],
                2 => [rook_part[0], king_part[0], king_part[1], rook_part[1]],
                _ => [king_part[0], king_part[1], rook_part[0], rook_part[1]],
            };
            for (square, piece) in order {
                add(self.pause(), square, piece);
            }
            return steps;
        }
        if let Move::EnPassant { to, .. } = mv {
            let victim = Square::from_coords(to.file(), from.rank());
            match self.dice.below(3) {
                0 => {
                    add(self.pause(), victim, None);
                    add(self.pause(), from, None);
                    add(self.pause(), to, Some(man));
                }
                1 => {
                    add(self.pause(), from, None);
                    add(self.pause(), to, Some(man));
                    add(self.pause() * 4, victim, None);
                }
                _ => {
                    add(self.pause(), from, None);
                    add(self.pause(), victim, None);
                    add(self.pause(), to, Some(man));
                }
            }
            return steps;
        }
        let to = mv.to();
        let unseen = self.dice.chance(self.manner.unseen);
        if let Some(role) = mv.promotion() {
            let way = if unseen { 2 } else { self.dice.below(2) };
            if mv.is_capture() && way == 0 {
                add(self.pause(), to, None);
            }
            add(self.pause(), from, None);
            if mv.is_capture() && way == 1 {
                add(self.pause(), to, None);
            }
            if self.dice.chance(60) {
                add(self.exchange(), to, Some(man));
                if self.dice.chance(50) {
                    add(self.pause() * 3, to, None);
                }
            }
            add(self.exchange(), to, Some(role.of(us)));
            return steps;
        }
        let victim_first = mv.is_capture() && !unseen && self.dice.chance(40);
        if victim_first {
            add(self.pause(), to, None);
        }
        let slides = matches!(
            mv.role(),
            Role::Bishop | Role::Rook | Role::Queen | Role::Pawn
        );
        if slides && self.dice.chance(35) {
            // The man is seen on every square, the new one perhaps before the old one is empty.
            let mut at = from;
            let path: Vec<_> = attacks::between(from, to).into_iter().collect();
            let upwards = u32::from(from) < u32::from(to);
            let path: Vec<_> = if upwards {
                path
            } else {
                path.into_iter().rev().collect()
            };
            for square in path.into_iter().chain([to]) {
                let taken = square == to && mv.is_capture() && !victim_first && !unseen;
                if taken {
                    add(self.pause() / 2, to, None);
                }
                let pause = if square == to && mv.is_capture() {
                    self.exchange()
                } else {
                    self.pause() / 2
                };
                if self.dice.chance(50) {
                    add(pause, square, Some(man));
                    add(10, at, None);
                } else {
                    add(pause, at, None);
                    add(10, square, Some(man));
                }
                at = square;
            }
            return steps;
        }
        add(self.pause(), from, None);
        if mv.is_capture() && !victim_first && !unseen {
            add(self.pause(), to, None);
        }
        add(self.exchange(), to, Some(man));
        steps
    }

    fn adjust(&mut self, own: Bitboard) {
        let all: Vec<_> = own.into_iter().collect();
        let square = all[usize::try_from(self.dice.below(all.len() as u64)).unwrap()];
        let man = self.board.piece_at(square);
        let (a, b) = (self.pause(), self.pause() * 3);
        self.run(&[(a, square, None), (b, square, man)]);
    }

    pub(crate) fn play(&mut self, game: &Game) {
        self.truth = game
            .moves
            .iter()
            .map(|mv| mv.to_uci(CastlingMode::Standard).to_string())
            .collect();
        let mut position = Chess::default();
        let mut held: Option<Vec<Step>> = None;
        for (ply, &mv) in game.moves.iter().enumerate() {
            let us = position.turn();
            let mut steps = held.take().unwrap_or_else(|| self.steps(&position, mv));
            let mut after = position.clone();
            after.play_unchecked(mv);
            if self.manner.overlap == 0 && self.dice.chance(8) {
                self.adjust(position.us());
            }
            // The opponent lifts his man (one that is not being taken) before ours stands.
            if let Some(&next) = game.moves.get(ply + 1)
                && steps.len() > 1
                && self.dice.chance(self.manner.overlap)
            {
                let mut reply = self.steps(&after, next);
                let (_, square, piece) = reply[0];
                let plain = !next.is_castle() && next.from() == Some(square) && piece.is_none();
                if plain && square != mv.to() && steps.iter().all(|step| step.1 != square) {
                    reply.remove(0);
                    let last = steps.len() - 1;
                    steps.insert(last, (self.pause() / 2, square, None));
                    held = Some(reply);
                }
            }
            self.run(&steps);
            if self.manner.clock {
                let pause = self.pause();
                self.wait(pause);
                self.press(us);
            }
            let think = self.dice.between(30, self.manner.think);
            if held.is_none() {
                self.wait(think);
            }
            position = after;
        }
        assert_eq!(
            self.board,
            *position.board(),
            "the hands played another game"
        );
    }

    /// Kings to the centre, then the men home.
    pub(crate) fn show_result(&mut self, outcome: Outcome) {
        use Square::{D4, D5, E4, E5};
        if self.manner.clock {
            self.tracker
                .handle_clock_running(Mono::from_millis(self.heard), false);
        }
        let pairs: &[(Square, Square)] = match outcome {
            Outcome::White => &[(E4, D5), (D5, E4)],
            Outcome::Black => &[(D4, E5), (E5, D4)],
            Outcome::Draw => &[
                (D4, D5),
                (D5, D4),
                (E4, E5),
                (E5, E4),
                (D4, E4),
                (E4, D4),
                (D5, E5),
                (E5, D5),
            ],
        };
        let (white, black) = pairs[usize::try_from(self.dice.below(pairs.len() as u64)).unwrap()];
        let from = |color| self.board.king_of(color).unwrap();
        let mut kings = [
            (from(Color::White), white, Color::White.king()),
            (from(Color::Black), black, Color::Black.king()),
        ];
        if self.dice.chance(50) {
            kings.swap(0, 1);
        }
        self.wait(3000);
        // Men in the way are moved aside.
        for (_, to, king) in kings {
            if self.board.piece_at(to).is_some_and(|man| man != king)
                && self.board.role_at(to) != Some(Role::King)
            {
                let free = (!self.board.occupied()).last().unwrap();
                let man = self.board.piece_at(to);
                self.run(&[(300, to, None), (300, free, man)]);
            }
        }
        if self.dice.chance(50) {
            self.run(&[(200, kings[0].0, None), (300, kings[1].0, None)]);
        } else {
            self.run(&[(200, kings[0].0, None), (400, kings[0].1, Some(kings[0].2))]);
            if kings[1].0 == kings[0].1 {
                // The other king stood there and was pushed off.
            } else {
                self.run(&[(600, kings[1].0, None)]);
            }
        }
        self.run(&[
            (300, kings[0].1, Some(kings[0].2)),
            (300, kings[1].1, Some(kings[1].2)),
        ]);
        self.wait(7000);
        let home = Board::new();
        let clear: Vec<_> = self.board.occupied().into_iter().collect();
        for square in clear {
            self.run(&[(50, square, None)]);
        }
        for (square, man) in home {
            self.run(&[(80, square, Some(man))]);
        }
        self.wait(15_000);
    }
}
