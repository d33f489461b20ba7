//! Games that do not start from the usual position: set by the hands of players, in either orientation.

// What is missing in a game that is written here must fail loudly.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use flagfall_core::{
    chess::{
        Start, TrackEvent, Tracker, TrackerSettings, Variant, game::GameRecord, pgn,
        placement::turned, start::CHESS960,
    },
    types::{Color, Mono, Placement},
};
use shakmaty::{Board, CastlingMode, Chess, Move, Piece, Position, Role, Square};

/// Numbers that differ from seed to seed and not from run to run (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % most as u64).unwrap()
    }
}

struct Table {
    tracker: Tracker,
    turned: bool,
    clock: bool,
    dice: Dice,
    board: Board,
    now: u64,
    events: Vec<TrackEvent>,
}

impl Table {
    fn new(start: Start, turned: bool, clock: bool, seed: u64) -> Self {
        let settings = TrackerSettings {
            start,
            ..TrackerSettings::default()
        };
        Self {
            tracker: Tracker::new(settings),
            turned,
            clock,
            dice: Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
            board: Board::empty(),
            now: 1000,
            events: Vec::new(),
        }
    }

    fn at(&self) -> Mono {
        Mono::from_millis(self.now)
    }

    fn drain(&mut self) {
        while let Some(event) = self.tracker.poll_event() {
            self.events.push(event);
        }
    }

    fn wait(&mut self, ms: u64) {
        self.now += ms;
        while let Some(due) = self.tracker.poll_timeout().filter(|due| *due <= self.at()) {
            self.tracker.handle_timeout(due);
            self.drain();
        }
    }

    fn stand(&mut self, board: &Placement) {
        self.board = board.clone();
        let wire = if self.turned {
            turned(&self.board)
        } else {
            self.board.clone()
        };
        self.tracker.handle_placement(self.at(), &wire, None);
        self.drain();
    }

    fn put(&mut self, square: Square, man: Option<Piece>) {
        let mut board = self.board.clone();
        match man {
            Some(man) => board.set_piece_at(square, man),
            None => board.discard_piece_at(square),
        }
        self.stand(&board);
        let pause = 60 + self.dice.below(400) as u64;
        self.wait(pause);
    }

    /// King and rook as hands move them: one after the other, or both lifted and put down in any order.
    fn castle(&mut self, us: Color, [king, king_to, rook, rook_to]: [Square; 4]) {
        let stays = |from, to| from == to;
        let lifts_king = !stays(king, king_to) || self.dice.below(4) == 0;
        let lifts_rook = !stays(rook, rook_to) || self.dice.below(4) == 0;
        // One man alone may go only where the other does not stand.
        let king_alone = lifts_king && king_to != rook;
        let rook_alone = lifts_rook && rook_to != king;
        let way = self.dice.below(4);
        if king_alone && way == 0 {
            self.put(king, None);
            self.put(king_to, Some(us.king()));
            if lifts_rook {
                self.put(rook, None);
                self.put(rook_to, Some(us.rook()));
            }
            return;
        }
        if rook_alone && way == 1 {
            self.put(rook, None);
            self.put(rook_to, Some(us.rook()));
            if lifts_king {
                self.put(king, None);
                self.put(king_to, Some(us.king()));
            }
            return;
        }
        let mut lifts = [(lifts_king, king), (lifts_rook, rook)];
        let mut puts = [
            (lifts_king, king_to, us.king()),
            (lifts_rook, rook_to, us.rook()),
        ];
        if self.dice.below(2) == 0 {
            lifts.reverse();
        }
        if self.dice.below(2) == 0 {
            puts.reverse();
        }
        for (_, square) in lifts.into_iter().filter(|lift| lift.0) {
            self.put(square, None);
        }
        for (_, square, man) in puts.into_iter().filter(|put| put.0) {
            self.put(square, Some(man));
        }
    }

    fn play(&mut self, position: &Chess, mv: Move) {
        let us = position.turn();
        if let (Some(side), Move::Castle { king, rook }) = (mv.castling_side(), mv) {
            self.castle(us, [king, side.king_to(us), rook, side.rook_to(us)]);
        } else {
            let from = mv.from().unwrap();
            self.put(from, None);
            if mv.is_capture() && self.dice.below(2) == 0 {
                let taken = if mv.is_en_passant() {
                    Square::from_coords(mv.to().file(), from.rank())
                } else {
                    mv.to()
                };
                self.put(taken, None);
            }
            self.put(mv.to(), Some(mv.promotion().unwrap_or(mv.role()).of(us)));
        }
        let mut after = position.clone();
        after.play_unchecked(mv);
        if self.board != *after.board() {
            self.stand(after.board());
            self.wait(80);
        }
        if self.clock {
            self.tracker.handle_press(self.at(), us);
            self.drain();
        }
        let think = 900 + self.dice.below(3000) as u64;
        self.wait(think);
    }

    fn wrong_set_ups(&self) -> Vec<&str> {
        let mut said = Vec::new();
        for event in &self.events {
            if let TrackEvent::WrongSetUp { detail, .. } = event {
                said.push(detail.as_str());
            }
        }
        said
    }

    fn record(&self) -> GameRecord {
        let mut record = GameRecord::default();
        for event in &self.events {
            record.apply(event, None);
        }
        record
    }

    fn started(&self) -> Option<(Option<u16>, Variant)> {
        self.events.iter().rev().find_map(|event| match event {
            TrackEvent::StartsFrom {
                number, variant, ..
            } => Some((*number, *variant)),
            _ => None,
        })
    }

    fn set_up(&self) -> usize {
        let told = |event: &&_| matches!(event, TrackEvent::SetUp { .. });
        self.events.iter().filter(told).count()
    }
}

/// A legal game in which everybody castles who can.
fn game(start: &Chess, dice: &mut Dice) -> (Vec<Move>, Chess) {
    let (mut position, mut moves) = (start.clone(), Vec::new());
    while moves.len() < 60 {
        let legal = position.legal_moves();
        // A king in the centre may be showing a result, and so waits longer than these hands think.
        let plain = |mv: &&Move| mv.role() != Role::King || mv.is_castle();
        let castling = legal.iter().find(|mv| mv.is_castle());
        let quiet: Vec<_> = legal.iter().filter(plain).collect();
        let Some(mv) =
            castling.or_else(|| (!quiet.is_empty()).then(|| quiet[dice.below(quiet.len())]))
        else {
            break;
        };
        moves.push(*mv);
        position.play_unchecked(*mv);
    }
    (moves, position)
}

fn uci(moves: &[Move]) -> Vec<String> {
    let uci = |mv: &Move| mv.to_uci(CastlingMode::Chess960).to_string();
    moves.iter().map(uci).collect()
}

#[test]
fn games_of_chess960_are_followed_exactly() {
    let mut castled = 0;
    for seed in 0..60_u16 {
        let mut dice = Dice(u64::from(seed) * 7919 + 17);
        let number = u16::try_from(dice.below(CHESS960.into())).unwrap();
        let start = Start::chess960(number).unwrap();
        let (moves, last) = game(start.position(), &mut dice);
        castled += moves.iter().filter(|mv| mv.is_castle()).count();
        // In every second game nobody has told the number.
        let set = if seed % 2 == 0 {
            start.clone()
        } else {
            Start::any960()
        };
        let mut table = Table::new(set, seed % 4 < 2, seed % 3 > 0, seed.into());
        table.stand(start.board());
        table.wait(3000);
        assert_eq!(table.started(), Some((Some(number), Variant::Chess960)));
        let mut position = start.position().clone();
        for mv in &moves {
            table.play(&position, *mv);
            position.play_unchecked(*mv);
        }
        table.wait(20_000);
        let made: Vec<_> = table
            .tracker
            .moves()
            .iter()
            .map(|it| it.uci.clone())
            .collect();
        assert_eq!(made, uci(&moves), "seed {seed}, start {number}");
        assert_eq!(table.tracker.position(), &last);
        let claims = |event: &TrackEvent| {
            matches!(
                event,
                TrackEvent::Illegal { .. } | TrackEvent::Gap { .. } | TrackEvent::WrongSetUp { .. }
            )
        };
        assert!(!table.events.iter().any(claims), "seed {seed}");

        // The record alone is enough to go on from.
        let record = table.record();
        let told: Vec<_> = record
            .moves
            .iter()
            .map(|it| it.made.uci.parse().unwrap())
            .collect();
        let settings = TrackerSettings {
            start: Start::any960(),
            ..TrackerSettings::default()
        };
        let again = Tracker::restore(settings, record.start.as_deref(), &told, None).unwrap();
        assert_eq!(again.position(), &last);
    }
    // Else the games prove little.
    assert!(castled >= 60, "{castled}");
}

#[test]
fn a_king_that_steps_before_its_rook_has_castled() {
    let fen = "1k6/8/8/8/8/8/8/5KR1 w G - 0 1";
    // King and rook change places; the king may not go there alone.
    for [first, second] in [[Square::F1, Square::G1], [Square::G1, Square::F1]] {
        let start = Start::from_fen(fen, Variant::Chess960).unwrap();
        let mut table = Table::new(start.clone(), false, false, 1);
        table.stand(start.board());
        table.wait(3000);
        table.put(first, None);
        table.put(second, None);
        table.wait(3000);
        table.put(Square::F1, Some(Color::White.rook()));
        table.wait(3000);
        table.put(Square::G1, Some(Color::White.king()));
        table.wait(3000);
        assert_eq!(table.tracker.moves()[0].san, "O-O");
    }
    // A single step of the king is a move of its own, and yet only half of this one.
    let start = Start::from_fen("1k6/8/8/8/8/8/8/5K1R w H - 0 1", Variant::Chess960).unwrap();
    let mut table = Table::new(start.clone(), false, false, 1);
    table.stand(start.board());
    table.wait(3000);
    table.put(Square::F1, None);
    table.put(Square::G1, Some(Color::White.king()));
    table.wait(2000);
    assert!(table.tracker.moves().is_empty());
    table.put(Square::H1, None);
    table.wait(2000);
    table.put(Square::F1, Some(Color::White.rook()));
    table.wait(3000);
    let told = table.tracker.moves();
    assert_eq!((told.len(), told[0].uci.as_str()), (1, "f1h1"));
    assert!(
        !table
            .events
            .iter()
            .any(|it| matches!(it, TrackEvent::Withdrawn { .. }))
    );
}

#[test]
fn a_wrong_set_up_of_a_drawn_position_is_told_by_squares() {
    let start = Start::chess960(0).unwrap();
    for (set, detail) in [
        (start.clone(), "f1/g1 exchanged"),
        (Start::any960(), "f1/g1 exchanged"),
        (
            Start::default(),
            "wrong men on a1, b1, c1, d1, f1, g1, h1, a8, b8, c8, d8, e8, f8, g8, h8",
        ),
    ] {
        let mut board = start.board().clone();
        board.set_piece_at(Square::F1, Color::White.king());
        board.set_piece_at(Square::G1, Color::White.rook());
        let mut table = Table::new(set, true, false, 3);
        table.stand(&board);
        table.wait(6000);
        assert_eq!(table.wrong_set_ups().len(), 1);
        if detail.starts_with('f') {
            assert_eq!(table.wrong_set_ups(), [detail]);
        }
        assert_eq!(table.set_up(), 0);
    }
    // Without the setting the men of a drawn position are set up wrongly.
    let mut table = Table::new(Start::default(), false, false, 3);
    table.stand(start.board());
    table.wait(6000);
    assert_eq!((table.wrong_set_ups().len(), table.set_up()), (1, 0));
}

#[test]
fn the_usual_position_waits_for_the_drawn_one() {
    let start = Start::chess960(100).unwrap();
    let mut table = Table::new(start.clone(), false, false, 5);
    table.stand(&Board::new());
    table.wait(20_000);
    assert!(table.events.is_empty(), "{:?}", table.events);
    table.stand(start.board());
    table.wait(3000);
    assert_eq!(table.started(), Some((Some(100), Variant::Chess960)));

    // With no number it is a start like any other, until the men are put up anew.
    let mut table = Table::new(Start::any960(), true, false, 5);
    table.stand(&Board::new());
    table.wait(3000);
    assert_eq!(table.started(), Some((Some(518), Variant::Chess960)));
    let mut between = start.board().clone();
    for file in [Square::A1, Square::B1, Square::C8] {
        between.discard_piece_at(file);
    }
    table.stand(&between);
    table.wait(30_000);
    table.stand(start.board());
    table.wait(3000);
    assert_eq!(table.started(), Some((Some(100), Variant::Chess960)));
    assert_eq!((table.set_up(), table.wrong_set_ups().len()), (2, 0));
}

#[test]
fn a_handicap_is_a_start_only_when_it_was_set() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1";
    let handicap = Start::from_fen(fen, Variant::Standard).unwrap();
    let mut table = Table::new(handicap.clone(), true, true, 7);
    table.stand(handicap.board());
    table.wait(3000);
    let (moves, last) = game(handicap.position(), &mut Dice(11));
    let mut position = handicap.position().clone();
    for mv in &moves {
        table.play(&position, *mv);
        position.play_unchecked(*mv);
    }
    assert_eq!(table.tracker.position(), &last);
    let text = pgn::write(&pgn::PgnTags::default(), &table.record());
    assert!(
        text.contains(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]")),
        "{text}"
    );
    assert!(!text.contains("Variant"), "{text}");

    // Else a man is missing; nobody is told while the men are being set up.
    let mut table = Table::new(Start::default(), false, false, 7);
    table.stand(&Board::empty());
    let mut board = Board::empty();
    let whole = Board::new();
    for square in whole.occupied() {
        if square == Square::B1 {
            continue;
        }
        board.set_piece_at(square, whole.piece_at(square).unwrap());
        table.stand(&board);
        table.wait(20_000);
    }
    assert!(table.events.is_empty(), "{:?}", table.events);
    table.wait(45_000);
    assert_eq!(table.wrong_set_ups(), ["b1 empty"]);
    // Once is enough, and the man ends it.
    table.wait(200_000);
    table.stand(&whole);
    table.wait(3000);
    assert_eq!((table.wrong_set_ups().len(), table.set_up()), (1, 1));
    assert_eq!(
        TrackerSettings::default().lacking_set_up_after,
        Duration::from_mins(1)
    );
}

#[test]
fn a_game_begun_illegally_begins_again() {
    let start = Start::chess960(700).unwrap();
    for set in [start.clone(), Start::any960()] {
        let mut table = Table::new(set, false, false, 9);
        table.stand(start.board());
        table.wait(3000);
        let (moves, _) = game(start.position(), &mut Dice(3));
        let mut position = start.position().clone();
        for mv in &moves[..3] {
            table.play(&position, *mv);
            position.play_unchecked(*mv);
        }
        assert_eq!(table.tracker.moves().len(), 3);
        table.stand(start.board());
        table.wait(5000);
        assert!(table.tracker.moves().is_empty());
        assert!(
            !table
                .events
                .iter()
                .any(|it| matches!(it, TrackEvent::StartAgain { .. }))
        );
        // After a real game the same means that it is over.
        let mut position = start.position().clone();
        for mv in &moves[..8] {
            table.play(&position, *mv);
            position.play_unchecked(*mv);
        }
        table.stand(start.board());
        table.wait(5000);
        assert!(table.events.contains(&TrackEvent::StartAgain { plies: 8 }));
    }
}

#[test]
fn castling_without_the_right_is_a_claim() {
    // The rook's file is attacked where the king passes.
    let fen = "k3r3/8/8/8/8/8/8/1RK4R w HB - 0 1";
    let start = Start::from_fen(fen, Variant::Chess960).unwrap();
    let mut table = Table::new(start.clone(), false, true, 9);
    table.stand(start.board());
    table.wait(3000);
    table.put(Square::C1, None);
    table.put(Square::G1, Some(Color::White.king()));
    table.put(Square::H1, None);
    table.put(Square::F1, Some(Color::White.rook()));
    table.tracker.handle_press(table.at(), Color::White);
    table.wait(4000);
    let claim = table.events.iter().find_map(|event| match event {
        TrackEvent::Illegal {
            offending, reasons, ..
        } => Some((offending.as_str(), reasons.clone())),
        _ => None,
    });
    let (offending, reasons) = claim.unwrap();
    assert_eq!(offending, "c1g1");
    assert_eq!(format!("{reasons:?}"), "[CastlingForbidden]");
}
