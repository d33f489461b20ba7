//! Whatever a board reports: the tracker does not panic, and what it tells is always a legal game.

// A generated case that cannot be built must fail loudly.
#![allow(clippy::unwrap_used)]

use flagfall_core::{
    chess::{TrackEvent, Tracker, TrackerSettings},
    types::{Color, Mono, Piece, Placement, Square},
};
use proptest::prelude::*;
use shakmaty::{Chess, Position, uci::UciMove};

#[derive(Clone, Debug)]
enum Input {
    /// A square changes to this.
    Put(u32, Option<char>),
    /// A legal move of the board's game is made at once, by number.
    Play(usize),
    /// The board shows the tracker's own position again.
    Restore,
    Press(bool),
    Running(bool),
    Wait(u64),
    Result,
    Reopen,
    Rearm,
}

fn input() -> impl Strategy<Value = Input> {
    let man = prop::option::of(prop::sample::select(
        "PNBRQKpnbrqk".chars().collect::<Vec<_>>(),
    ));
    prop_oneof![
        8 => (0u32..64, man).prop_map(|(square, man)| Input::Put(square, man)),
        12 => (0usize..200).prop_map(Input::Play),
        4 => Just(Input::Restore),
        3 => any::<bool>().prop_map(Input::Press),
        1 => any::<bool>().prop_map(Input::Running),
        10 => (0u64..12_000).prop_map(Input::Wait),
        1 => Just(Input::Result),
        1 => Just(Input::Reopen),
        1 => Just(Input::Rearm),
    ]
}

/// The game that the events tell, or why it is none.
fn replay(game: &mut Vec<String>, event: &TrackEvent) {
    match event {
        TrackEvent::Move(made) => {
            game.push(made.uci.clone());
            assert_eq!(usize::from(made.ply), game.len());
        }
        TrackEvent::Withdrawn {
            from_ply,
            moves,
            replaced_by,
        } => {
            let gone = game.split_off(usize::from(*from_ply) - 1);
            assert_eq!(&gone, moves);
            game.extend(replaced_by.iter().map(|made| made.uci.clone()));
        }
        _ => {}
    }
}

fn legal(game: &[String]) -> Chess {
    game.iter().fold(Chess::default(), |mut position, uci| {
        let mv = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        position.play_unchecked(mv);
        position
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_told_moves_are_always_a_legal_game(inputs in prop::collection::vec(input(), 1..120)) {
        let mut tracker = Tracker::new(TrackerSettings::default());
        let mut board = Placement::new();
        let mut now = 0;
        let mut game = Vec::new();
        tracker.handle_placement(Mono::ZERO, &board, None);
        for input in inputs {
            let at = Mono::from_millis(now);
            match input {
                Input::Put(square, man) => {
                    let square = Square::new(square);
                    match man.and_then(Piece::from_char) {
                        Some(piece) => board.set_piece_at(square, piece),
                        None => board.discard_piece_at(square),
                    }
                    tracker.handle_placement(at, &board, None);
                }
                Input::Play(number) => {
                    let mut position = tracker.position().clone();
                    for uci in tracker.standing().iter().skip(tracker.moves().len()) {
                        if let Ok(mv) = uci.to_move(&position) {
                            position.play_unchecked(mv);
                        }
                    }
                    let moves = position.legal_moves();
                    if !moves.is_empty() {
                        position.play_unchecked(moves[number % moves.len()]);
                        board = position.board().clone();
                        tracker.handle_placement(at, &board, None);
                    }
                }
                Input::Restore => {
                    board = tracker.position().board().clone();
                    tracker.handle_placement(at, &board, None);
                }
                Input::Press(white) => tracker.handle_press(at, Color::from_white(white)),
                Input::Running(running) => tracker.handle_clock_running(at, running),
                Input::Wait(ms) => {
                    now += ms;
                    let until = Mono::from_millis(now);
                    let mut wakes = 0;
                    while let Some(due) = tracker.poll_timeout().filter(|due| *due <= until) {
                        tracker.handle_timeout(due);
                        wakes += 1;
                        prop_assert!(wakes < 100, "the tracker never sleeps: {:?}", tracker.status());
                    }
                }
                Input::Result => tracker.set_result(),
                Input::Reopen => tracker.reopen(),
                Input::Rearm => {
                    tracker.rearm();
                    while let Some(event) = tracker.poll_event() {
                        replay(&mut game, &event);
                    }
                    game.clear();
                }
            }
            while let Some(event) = tracker.poll_event() {
                replay(&mut game, &event);
            }
            let kept: Vec<_> = tracker.moves().iter().map(|made| made.uci.clone()).collect();
            prop_assert_eq!(&kept, &game);
            prop_assert_eq!(&legal(&game), tracker.position());
            let _ = tracker.status();
            let _ = legal(&tracker.standing().iter().map(ToString::to_string).collect::<Vec<_>>());
        }
    }
}
