//! Real games played out by hands on a board, in every way that hands have.
//!
//! The hands know nothing of the tracker: they lift, drag, take in either order, castle with either man
//! first, leave pawns unpromoted, adjust men, overlap each other, press the clock or have none.

// The sample is ours: what is missing in it must fail loudly.
#![allow(clippy::unwrap_used)]

use std::{ops::ControlFlow, time::Duration};

use flagfall_core::{
    chess::{Note, TrackEvent, Tracker, TrackerSettings, placement::turned, result::Outcome},
    types::{Color, Mono, Piece, Placement, Role, Square},
};
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, EnPassantMode, Move, Position, attacks, fen::Fen,
};

struct Game {
    moves: Vec<Move>,
    outcome: Outcome,
    last: Chess,
}

struct Collect;

impl Visitor for Collect {
    type Tags = Option<Outcome>;
    type Movetext = (Option<Outcome>, Chess, Vec<Move>);
    type Output = Game;

    fn begin_tags(&mut self) -> ControlFlow<Game, Self::Tags> {
        ControlFlow::Continue(None)
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Game> {
        if name == b"Result" {
            *tags = match value.as_bytes() {
                b"1-0" => Some(Outcome::White),
                b"0-1" => Some(Outcome::Black),
                _ => Some(Outcome::Draw),
            };
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Game, Self::Movetext> {
        ControlFlow::Continue((tags, Chess::default(), Vec::new()))
    }

    fn san(&mut self, text: &mut Self::Movetext, san: SanPlus) -> ControlFlow<Game> {
        let mv = san.san.to_move(&text.1).unwrap();
        text.1.play_unchecked(mv);
        text.2.push(mv);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (outcome, last, moves): Self::Movetext) -> Game {
        Game {
            moves,
            outcome: outcome.unwrap(),
            last,
        }
    }
}

fn games() -> Vec<Game> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/games-sample.pgn"
    );
    let mut reader = Reader::new(std::fs::File::open(path).unwrap());
    std::iter::from_fn(|| reader.read_game(&mut Collect).unwrap()).collect()
}

/// Splitmix64: the same seed, the same hands.
struct Dice(u64);

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
struct Manner {
    clock: bool,
    turned: bool,
    /// Milliseconds between moves, at most.
    think: u64,
    /// Milliseconds between the steps of a move, at most.
    step: u64,
    /// Chance in percent that the opponent lifts before the man is put down.
    overlap: u64,
    /// Everything arrives this late and in bunches.
    late: u64,
}

/// One change: after a pause, a square and what stands there then.
type Step = (u64, Square, Option<Piece>);

struct Hands {
    manner: Manner,
    dice: Dice,
    tracker: Tracker,
    events: Vec<TrackEvent>,
    board: Placement,
    now: u64,
    heard: u64,
}

impl Hands {
    fn new(manner: Manner, seed: u64) -> Self {
        let settings = if manner.think < 1000 {
            TrackerSettings::blitz()
        } else {
            TrackerSettings::default()
        };
        let mut hands = Self {
            manner,
            dice: Dice(seed),
            tracker: Tracker::new(settings),
            events: Vec::new(),
            board: Board::new(),
            now: 1000,
            heard: 0,
        };
        hands.show();
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

    fn show(&mut self) {
        let at = self.hearing();
        let wire = if self.manner.turned {
            turned(&self.board)
        } else {
            self.board.clone()
        };
        self.tracker
            .handle_placement(Mono::from_millis(at), &wire, None);
        self.drain();
    }

    fn press(&mut self, mover: Color) {
        let at = self.hearing();
        self.tracker.handle_press(Mono::from_millis(at), mover);
        self.drain();
    }

    fn wait(&mut self, ms: u64) {
        self.now += ms;
        self.hearing();
    }

    fn put(&mut self, square: Square, piece: Option<Piece>) {
        match piece {
            Some(piece) => self.board.set_piece_at(square, piece),
            None => self.board.discard_piece_at(square),
        }
        self.show();
    }

    fn run(&mut self, steps: &[Step]) {
        for &(pause, square, piece) in steps {
            self.wait(pause);
            self.put(square, piece);
        }
    }

    fn pause(&mut self) -> u64 {
        let most = self.manner.step;
        self.dice.between(20, most)
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
            let order = match self.dice.below(4) {
                0 => [rook_part[0], rook_part[1], king_part[0], king_part[1]],
                1 => [king_part[0], rook_part[0], king_part[1], rook_part[1]],
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
        if let Some(role) = mv.promotion() {
            if mv.is_capture() && self.dice.chance(50) {
                add(self.pause(), to, None);
            }
            add(self.pause(), from, None);
            if self.dice.chance(60) {
                add(self.pause(), to, Some(man));
                if self.dice.chance(50) {
                    add(self.pause() * 3, to, None);
                }
            }
            add(self.pause() * 2, to, Some(role.of(us)));
            return steps;
        }
        let victim_first = mv.is_capture() && self.dice.chance(40);
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
                if square == to && mv.is_capture() && !victim_first && self.dice.chance(50) {
                    add(self.pause() / 2, to, None);
                }
                if self.dice.chance(50) {
                    add(self.pause() / 2, square, Some(man));
                    add(10, at, None);
                } else {
                    add(self.pause() / 2, at, None);
                    add(10, square, Some(man));
                }
                at = square;
            }
            return steps;
        }
        add(self.pause(), from, None);
        if mv.is_capture() && !victim_first && self.dice.chance(60) {
            add(self.pause(), to, None);
        }
        add(self.pause(), to, Some(man));
        steps
    }

    fn adjust(&mut self, own: Bitboard) {
        let all: Vec<_> = own.into_iter().collect();
        let square = all[usize::try_from(self.dice.below(all.len() as u64)).unwrap()];
        let man = self.board.piece_at(square);
        let (a, b) = (self.pause(), self.pause() * 3);
        self.run(&[(a, square, None), (b, square, man)]);
    }

    fn play(&mut self, game: &Game) {
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
    fn show_result(&mut self, outcome: Outcome) {
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
        self.wait(5000);
    }

    fn check(&self, game: &Game, name: &str) -> usize {
        let context = || format!("{name} {:?}", self.manner);
        // A king's step to the centre that no lever bore out and that the other king follows there cannot
        // be told from the sign itself: by agreement it is the sign.
        let sign = game.moves.last().is_some_and(|mv| {
            let centre = [Square::D4, Square::E4, Square::D5, Square::E5];
            !self.manner.clock
                && mv.role() == Role::King
                && centre.contains(&mv.to())
                && !game.last.is_checkmate()
                && !(mv.is_capture() && game.last.is_insufficient_material())
        });
        let played = game.moves.len() - usize::from(sign);
        let expected: Vec<_> = game.moves[..played]
            .iter()
            .map(|mv| mv.to_uci(CastlingMode::Standard).to_string())
            .collect();
        let found: Vec<_> = self
            .tracker
            .moves()
            .iter()
            .map(|made| made.uci.clone())
            .collect();
        let same = expected
            .iter()
            .zip(&found)
            .take_while(|(a, b)| a == b)
            .count();
        assert!(
            found == expected,
            "{}: after {same} plies found {:?}, played {:?} ({} and {}); {:?}",
            context(),
            &found[same..found.len().min(same + 4)],
            &expected[same..expected.len().min(same + 4)],
            found.len(),
            expected.len(),
            self.events.iter().rev().take(6).collect::<Vec<_>>(),
        );
        let mut replayed: Vec<String> = Vec::new();
        let mut corrected = 0;
        for event in &self.events {
            match event {
                TrackEvent::Move(made) => replayed.push(made.uci.clone()),
                TrackEvent::Withdrawn {
                    from_ply,
                    replaced_by,
                    ..
                } => {
                    corrected += 1;
                    replayed.truncate(usize::from(*from_ply) - 1);
                    replayed.extend(replaced_by.iter().map(|made| made.uci.clone()));
                }
                TrackEvent::Illegal { .. } => panic!("{}: {event:?}", context()),
                _ => {}
            }
        }
        assert_eq!(
            replayed,
            expected,
            "{}: the events tell another game",
            context()
        );
        let results: Vec<_> = self
            .events
            .iter()
            .filter_map(|event| match event {
                TrackEvent::ResultByKings {
                    outcome, final_fen, ..
                } => Some((*outcome, final_fen.clone())),
                _ => None,
            })
            .collect();
        let mut last = Chess::default();
        game.moves[..played]
            .iter()
            .for_each(|&mv| last.play_unchecked(mv));
        let fen = Fen::from_position(&last, EnPassantMode::Legal).to_string();
        assert_eq!(results, [(game.outcome, fen)], "{}", context());
        let set_up = TrackEvent::SetUp {
            turned: self.manner.turned,
        };
        assert!(self.events.contains(&set_up), "{}", context());
        let again = self
            .events
            .iter()
            .any(|e| matches!(e, TrackEvent::StartAgain { .. }));
        assert!(
            again,
            "{}: the start position was not seen again",
            context()
        );
        corrected
    }
}

fn play_all(manner: Manner, seed: u64) -> (usize, usize) {
    let mut corrected = 0;
    let mut plies = 0;
    for (index, game) in games().iter().enumerate() {
        let turned = index % 2 == 1;
        let mut hands = Hands::new(Manner { turned, ..manner }, seed + index as u64);
        hands.play(game);
        hands.show_result(game.outcome);
        corrected += hands.check(game, &format!("game {index}"));
        plies += game.moves.len();
    }
    (corrected, plies)
}

const CALM: Manner = Manner {
    clock: true,
    turned: false,
    think: 8000,
    step: 400,
    overlap: 0,
    late: 0,
};

#[test]
fn calm_games_with_a_clock() {
    let (corrected, _) = play_all(CALM, 1);
    assert_eq!(corrected, 0, "nothing that was told had to be taken back");
}

#[test]
fn calm_games_without_a_clock() {
    let (corrected, plies) = play_all(
        Manner {
            clock: false,
            ..CALM
        },
        1000,
    );
    assert!(
        corrected * 200 < plies,
        "{corrected} corrections in {plies} plies"
    );
}

#[test]
fn slow_hands_without_a_clock() {
    play_all(
        Manner {
            clock: false,
            step: 1500,
            ..CALM
        },
        2000,
    );
}

#[test]
fn blitz_with_overlapping_hands() {
    for clock in [true, false] {
        let manner = Manner {
            clock,
            turned: false,
            think: 400,
            step: 150,
            overlap: 60,
            late: 0,
        };
        play_all(manner, 3000);
    }
}

#[test]
fn everything_late_and_in_bunches() {
    for (late, think) in [(300, 8000), (1500, 4000), (700, 600)] {
        for clock in [true, false] {
            let manner = Manner {
                clock,
                turned: false,
                think,
                step: 300,
                overlap: 10,
                late,
            };
            play_all(manner, 4000 + late);
        }
    }
}

#[test]
fn a_lifted_and_returned_man_is_noted() {
    let mut hands = Hands::new(CALM, 5);
    let knight = hands.board.piece_at(Square::G1);
    hands.run(&[(100, Square::G1, None), (900, Square::G1, knight)]);
    hands.wait(3000);
    let note = TrackEvent::Note(Note::Adjusted {
        squares: vec!["g1".into()],
    });
    assert!(hands.events.contains(&note), "{:?}", hands.events);
    assert_eq!(hands.tracker.moves(), []);
    assert_eq!(
        Duration::from_millis(hands.heard),
        Duration::from_millis(hands.now)
    );
}
