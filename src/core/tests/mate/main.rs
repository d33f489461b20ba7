//! Whether a side can still mate: known positions, and a reference that walks through everything.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

#[allow(
    clippy::disallowed_types,
    reason = "positions have no order, and nothing is listed"
)]
mod reference;

use flagfall_core::chess::mate::{
    Budget, CanMate, Dead, DeadBy, WhyNot, can_mate, dead_at_a_glance, dead_position,
};
use proptest::prelude::*;
use reference::{Dice, fen, mates, position, reachable};
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, Position, Role, Setup, Square, attacks,
};

/// Who can mate, as a sign a side: `+` can, `-` cannot.
fn chances(position: &Chess) -> String {
    let sign = |side| match can_mate(position, side, Budget::ARBITER) {
        CanMate::Yes { line } => {
            assert!(mates(position, &line, side), "{}", fen(position));
            '+'
        }
        CanMate::No(_) => '-',
        CanMate::Unknown => '?',
    };
    Color::ALL.into_iter().map(sign).collect()
}

/// White's chance, Black's.
const KNOWN: &[(&str, &str, &str)] = &[
    // Laws 6.9: flags in endings.
    (
        "8/8/4k3/8/8/8/3Q4/K7 w - - 0 1",
        "+-",
        "a queen and a lone king",
    ),
    ("8/8/4k3/8/8/3N4/3N4/K7 w - - 0 1", "+-", "two knights"),
    (
        "8/8/4k3/3n4/8/3N4/8/K7 w - - 0 1",
        "++",
        "knight and knight",
    ),
    (
        "8/8/4k3/3n4/8/3B4/8/K7 w - - 0 1",
        "++",
        "bishop and knight",
    ),
    (
        "8/8/4k3/3b4/8/3B4/8/K7 w - - 0 1",
        "--",
        "bishops of one colour",
    ),
    (
        "8/8/4k3/3b4/3B4/8/8/K7 w - - 0 1",
        "++",
        "bishops of two colours",
    ),
    (
        "8/8/4k3/3q4/8/3N4/8/K7 w - - 0 1",
        "-+",
        "a knight cannot mate a queen",
    ),
    (
        "8/8/4k3/3r4/8/3N4/8/K7 w - - 0 1",
        "++",
        "but a rook shuts its king in",
    ),
    (
        "8/8/4k3/3r4/8/3B4/8/K7 w - - 0 1",
        "-+",
        "a bishop cannot mate a rook",
    ),
    ("8/8/4k3/3p4/8/3N4/8/K7 w - - 0 1", "++", "knight and pawn"),
    ("8/8/4k3/3p4/8/3B4/8/K7 w - - 0 1", "++", "bishop and pawn"),
    (
        "7k/8/8/8/8/3B4/7P/K7 w - - 0 1",
        "+-",
        "the wrong bishop: a win if he helps",
    ),
    ("8/8/4k3/8/4P3/8/8/K7 w - - 0 1", "+-", "a pawn"),
    // The board has decided.
    ("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", "--", "stalemate"),
    ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "+-", "mate"),
    (
        "8/8/8/8/8/4K3/1Q6/k7 b - - 0 1",
        "--",
        "the queen must be taken",
    ),
    (
        "8/8/8/8/8/2K5/1Q6/k7 b - - 0 1",
        "+-",
        "the queen is protected: mate",
    ),
    (
        "8/8/8/8/8/4K3/1R6/k7 b - - 0 1",
        "--",
        "the rook must be taken",
    ),
    (
        "8/8/8/8/8/k3K3/1R6/8 b - - 0 1",
        "+-",
        "the rook need not be taken",
    ),
    // Walls (Laws 5.2.2).
    (
        "2k5/1p6/1P1p2p1/3Pp1Pp/1K2Pp1P/5P2/8/8 w - - 0 50",
        "--",
        "played out in earnest for five moves more",
    ),
    (
        "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K3 w - - 0 1",
        "--",
        "kings",
    ),
    (
        "4kb2/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4KB2 w - - 0 1",
        "--",
        "bishops of their pawns' colour",
    ),
    (
        "2b1k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/2B1K3 w - - 0 1",
        "++",
        "bishops that give themselves for a pawn",
    ),
    (
        "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/1N2K3 w - - 0 1",
        "++",
        "a knight jumps",
    ),
    (
        "4k2r/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/R3K3 w - - 0 1",
        "++",
        "rooks that let themselves be taken",
    ),
    (
        "4k3/8/1p1p1p2/pPpPpPpP/P1P1P1P1/8/8/4K3 w - g6 0 1",
        "++",
        "taken en passant at once",
    ),
    (
        "4k3/7p/1p1p1p2/pPpPpPpP/P1P1P1P1/8/8/4K3 w - - 0 1",
        "++",
        "a way around",
    ),
    (
        "8/6p1/1p5p/pPk5/P4p2/2K2P1P/6P1/8 b - - 0 38",
        "++",
        "kings that can take pawns",
    ),
    ("4k3/8/4p3/4P3/8/8/8/4K3 w - - 0 1", "++", "one pawn each"),
    // Openings and middle games.
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "++",
        "the start",
    ),
    (
        "r2q1rk1/pp2ppbp/2p2np1/3P1bB1/2Q5/2N5/PPP2PPP/R3K2R w KQ - 0 12",
        "++",
        "a middle game",
    ),
];

#[test]
fn known_positions() {
    for (fen, expected, what) in KNOWN {
        assert_eq!(chances(&position(fen)), *expected, "{what}: {fen}");
    }
}

#[test]
fn a_dead_position_says_why() {
    let dead = |fen: &str| {
        let position = position(fen);
        let dead = dead_position(&position, Budget::ARBITER);
        if let Some(by) = dead_at_a_glance(&position) {
            assert_eq!(dead, Dead::Yes(by), "{fen}");
        }
        dead
    };
    assert_eq!(
        dead("8/8/4k3/8/8/3B4/8/K7 w - - 0 1"),
        Dead::Yes(DeadBy::Material)
    );
    assert_eq!(
        dead("4kb2/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4KB2 w - - 0 1"),
        Dead::Yes(DeadBy::Blocked)
    );
    assert_eq!(
        dead("8/8/8/8/8/4K3/1Q6/k7 b - - 0 1"),
        Dead::Yes(DeadBy::Exhausted)
    );
    assert_eq!(dead("8/8/4k3/8/8/3Q4/8/K7 w - - 0 1"), Dead::No);
    let far = position("8/8/8/2b5/8/8/5kn1/K2B4 w - - 0 1");
    assert_eq!(dead_position(&far, Budget::positions(1)), Dead::Unknown);
}

/// The last pawn move into a wall is seen by the glance that each move gets.
#[test]
fn each_move_sees_the_wall_close() {
    let glance = |fen| dead_at_a_glance(&position(fen));
    let wall = "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K3 b - - 0 1";
    assert_eq!(glance(wall), Some(DeadBy::Blocked));
    // While one step is left, it may be the other side's.
    let tempo = "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P3/6P1/8/4K3 w - - 0 1";
    assert_eq!(chances(&position(tempo)), "++", "g5-g4 opens it");
    assert_eq!(glance(tempo), None);
}

/// No side has the men for a mate: all positions of the class, up to reflection.
#[test]
fn men_that_never_mate() {
    let (knight, bishop) = (Role::Knight, Role::Bishop);
    for (minor, other, same_colour, expected) in [
        (knight, Role::Queen, None, false),
        (knight, Role::Rook, None, true),
        (knight, Role::Bishop, None, true),
        (knight, Role::Knight, None, true),
        (bishop, Role::Queen, None, false),
        (bishop, Role::Rook, None, false),
        (bishop, Role::Bishop, Some(true), false),
        (bishop, Role::Bishop, Some(false), true),
        (bishop, Role::Knight, None, true),
    ] {
        let found = mates_of(minor, other, same_colour);
        assert_eq!(
            found.is_some(),
            expected,
            "{minor:?} against {other:?}: {}",
            found.as_ref().map_or_else(String::new, fen)
        );
        if let Some(mate) = found {
            let answer = can_mate(&mate, Color::White, Budget::ARBITER);
            assert_eq!(answer, CanMate::Yes { line: Vec::new() });
        }
    }
}

/// A mate by White's king and `minor` against Black's king and `other`.
fn mates_of(minor: Role, other: Role, same_colour: Option<bool>) -> Option<Chess> {
    use Square::{A1, B1, B2, C1, C2, C3, D1, D2, D3, D4};
    // All other squares are reflections of these.
    for lone in [A1, B1, C1, D1, B2, C2, D2, C3, D3, D4] {
        for at in Square::ALL {
            let strikes = attacks::attacks(at, minor.of(Color::White), Bitboard::EMPTY);
            if !strikes.contains(lone) {
                continue;
            }
            for king in Square::ALL {
                for their in Square::ALL {
                    let squares = Bitboard::from_iter([lone, at, king, their]);
                    if squares.count() < 4
                        || same_colour
                            .is_some_and(|same| same != (at.is_light() == their.is_light()))
                    {
                        continue;
                    }
                    let mut board = Board::empty();
                    board.set_piece_at(lone, Color::Black.king());
                    board.set_piece_at(king, Color::White.king());
                    board.set_piece_at(at, minor.of(Color::White));
                    board.set_piece_at(their, other.of(Color::Black));
                    let setup = Setup {
                        board,
                        turn: Color::Black,
                        ..Setup::empty()
                    };
                    let position = setup.position::<Chess>(CastlingMode::Standard);
                    if let Ok(position) = position
                        && position.is_checkmate()
                    {
                        return Some(position);
                    }
                }
            }
        }
    }
    None
}

#[derive(Debug, Default)]
struct Tally {
    compared: usize,
    impossible: usize,
    unknown: usize,
    too_many: usize,
}

impl Tally {
    /// Compares the answers for one position with what a walk through all of it finds.
    fn compare(&mut self, position: &Chess, limit: usize) {
        for side in Color::ALL {
            let answer = can_mate(position, side, Budget::ARBITER);
            let here = || format!("{side:?} {} {answer:?}", fen(position));
            if let CanMate::Yes { line } = &answer {
                assert!(mates(position, line, side), "{}", here());
            }
            match (reachable(position, side, limit), &answer) {
                (_, CanMate::Unknown) => {
                    eprintln!("unknown: {side:?} {}", fen(position));
                    self.unknown += 1;
                }
                (Some(can), CanMate::Yes { .. }) => assert!(can, "{}", here()),
                (Some(can), CanMate::No(_)) => {
                    self.impossible += 1;
                    assert!(!can, "{}", here());
                }
                // That line has just been played.
                (None, CanMate::Yes { .. }) => {}
                (None, CanMate::No(WhyNot::Material)) => {}
                (None, CanMate::No(_)) => self.too_many += 1,
            }
            self.compared += 1;
        }
        if let Some(by) = dead_at_a_glance(position) {
            let dead = dead_position(position, Budget::ARBITER);
            assert_eq!(dead, Dead::Yes(by), "{}", fen(position));
        }
    }
}

const CLASSES: &[&str] = &[
    "KvK",
    "KQvK",
    "KRvK",
    "KPvK",
    "KNNvK",
    "KBPvK",
    "KBvKB",
    "KNvKB",
    "KNvKN",
    "KNvKQ",
    "KNvKP",
    "KBvKP",
    "KBvKR",
    "KPvKP",
    "KPvKQ",
    "KRvKR",
    "KQvKQ",
    "KPPvKP",
    "KNPvKP",
    "KBPvKBP",
    "KPPPvKPPP",
];

const BEHIND_WALLS: &[&str] = &["", "", "B", "B", "BB", "R", "N", "P"];

fn compare_all(walls: u64, each: usize, limit: usize) -> (Tally, Tally) {
    let (mut men, mut pawns) = (Tally::default(), Tally::default());
    for (seed, class) in CLASSES.iter().enumerate() {
        let mut dice = Dice(seed as u64);
        for _ in 0..each {
            men.compare(&dice.men(class), limit);
        }
    }
    let mut dice = Dice(1);
    for _ in 0..walls {
        pawns.compare(&dice.wall(BEHIND_WALLS), limit);
    }
    eprintln!("men {men:?}, walls {pawns:?}");
    (men, pawns)
}

#[test]
fn agrees_with_a_walk_through_everything() {
    let (men, walls) = compare_all(100, 4, 3_000);
    assert!(walls.impossible > 8, "{walls:?}");
    assert!(men.unknown * 50 < men.compared, "{men:?}");
    assert!(walls.unknown * 8 < walls.compared, "{walls:?}");
}

/// By hand, in release: `cargo test --release -p flagfall-core --test mate -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn agrees_with_a_walk_through_everything_at_length() {
    compare_all(2_000, 100, 20_000);
}

fn any_position() -> impl Strategy<Value = Chess> {
    let piece = (0..64u32, 0..5usize, any::<bool>()).prop_map(|(at, role, white)| {
        let roles = [
            Role::Pawn,
            Role::Knight,
            Role::Bishop,
            Role::Rook,
            Role::Queen,
        ];
        (Square::new(at), roles[role].of(Color::from_white(white)))
    });
    let men = prop::collection::vec(piece, 0..14);
    (men, 0..64u32, 0..64u32, any::<bool>()).prop_filter_map(
        "not legal",
        |(men, white, black, turn)| {
            let mut board = Board::empty();
            for (at, piece) in men {
                let pawn_on_last = piece.role == Role::Pawn && Bitboard::BACKRANKS.contains(at);
                if !pawn_on_last {
                    board.set_piece_at(at, piece);
                }
            }
            let kings = [(white, Color::White.king()), (black, Color::Black.king())];
            for (at, king) in kings {
                board.set_piece_at(Square::new(at), king);
            }
            let setup = Setup {
                board,
                turn: Color::from_white(turn),
                ..Setup::empty()
            };
            setup.position(CastlingMode::Standard).ok()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Lines are legal, and the same position with colours exchanged is not judged otherwise.
    #[test]
    fn any_position_is_judged_alike_from_both_sides(position in any_position()) {
        let mirrored: Chess = position
            .to_setup(shakmaty::EnPassantMode::Legal)
            .into_mirrored()
            .position(CastlingMode::Standard)
            .unwrap();
        let budget = Budget::positions(1_500);
        for side in Color::ALL {
            let here = can_mate(&position, side, budget);
            let there = can_mate(&mirrored, side.other(), budget);
            if let CanMate::Yes { line } = &here {
                prop_assert!(mates(&position, line, side));
            }
            let apart = matches!(
                (&here, &there),
                (CanMate::Yes { .. }, CanMate::No(_)) | (CanMate::No(_), CanMate::Yes { .. })
            );
            prop_assert!(!apart, "{here:?} {there:?}");
        }
        if dead_at_a_glance(&position).is_some() {
            prop_assert_ne!(dead_position(&mirrored, Budget::ARBITER), Dead::No);
        }
    }
}
