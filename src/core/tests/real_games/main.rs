//! Real games played out by hands on a board, in every way that hands have.
//!
//! The hands know nothing of the tracker: they lift, drag, take in either order, castle with either man
//! first, leave pawns unpromoted, adjust men, overlap each other, press the clock or have none.

// The sample is ours: what is missing in it must fail loudly.
#![allow(clippy::unwrap_used)]

mod games;
mod hands;

use std::time::Duration;

use flagfall_core::{
    chess::{Note, TrackEvent},
    types::{Role, Square},
};
use games::{Game, games};
use hands::{Hands, Manner};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen};

impl Hands {
    /// Compares what the tracker found with what was played; how often it corrected itself.
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
