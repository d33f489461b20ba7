//! Real games played out on boards that only tell occupied from empty squares.
//!
//! What is recorded must be what was played, or the beginning of it. Where the board cannot tell, a
//! question must offer the move that was played; the arbiter of these tests answers it.

// A hand that cannot move must fail loudly.
#![allow(clippy::unwrap_used)]

#[path = "../real_games/games.rs"]
mod games;
mod hands;

use std::collections::BTreeMap;

use flagfall_core::{chess::TrackEvent, types::Square};
use games::{Game, games};
use hands::{Hands, Manner};
use shakmaty::{CastlingMode, Position, Role};

/// How games came out.
#[derive(Clone, Debug, Default)]
struct Figures {
    games: usize,
    plies: usize,
    exact: usize,
    /// Games of which the record is a beginning.
    short: usize,
    /// Games in which something recorded at the end was not played, or a question left out the truth.
    wrong: usize,
    asked: usize,
    corrected: usize,
    results: usize,
    false_results: usize,
    seen: BTreeMap<String, usize>,
}

impl Figures {
    fn add(&mut self, hands: &Hands, game: &Game, name: &str) {
        use Square::{D4, D5, E4, E5};
        // A king's last step to the centre without a press cannot be told from a sign.
        let sign = !hands.manner.clock
            && game.moves.last().is_some_and(|mv| {
                mv.role() == Role::King
                    && !mv.is_castle()
                    && [D4, D5, E4, E5].contains(&mv.to())
                    && !game.last.is_checkmate()
                    && !(mv.is_capture() && game.last.is_insufficient_material())
            });
        let played: Vec<String> = game
            .moves
            .iter()
            .map(|mv| mv.to_uci(CastlingMode::Standard).to_string())
            .collect();
        let expected = &played[..played.len() - usize::from(sign)];
        let found: Vec<String> = hands
            .tracker
            .moves()
            .iter()
            .map(|made| made.uci.clone())
            .collect();
        self.games += 1;
        self.plies += played.len();
        self.asked += hands.asked;
        if found == expected || found == played {
            self.exact += 1;
        } else if hands.bad_questions == 0 && played.starts_with(&found) {
            self.short += 1;
            *self
                .seen
                .entry(format!("{name}: {} of {} plies", found.len(), played.len()))
                .or_default() += 1;
        } else {
            self.wrong += 1;
            let same = found
                .iter()
                .zip(&played)
                .take_while(|(a, b)| a == b)
                .count();
            let last = found.len().min(same + 3);
            *self
                .seen
                .entry(format!(
                    "{name}: WRONG after {same}: {:?} for {:?}",
                    &found[same..last],
                    &played[same..played.len().min(same + 3)]
                ))
                .or_default() += 1;
        }
        let mut told: Vec<String> = Vec::new();
        for event in &hands.events {
            match event {
                TrackEvent::Move(made) => told.push(made.uci.clone()),
                TrackEvent::Withdrawn {
                    from_ply,
                    replaced_by,
                    ..
                } => {
                    self.corrected += 1;
                    told.truncate(usize::from(*from_ply) - 1);
                    told.extend(replaced_by.iter().map(|made| made.uci.clone()));
                }
                TrackEvent::Illegal { .. } => *self.seen.entry("claims".into()).or_default() += 1,
                TrackEvent::ResultByKings { outcome, .. } => {
                    if *outcome == game.outcome {
                        self.results += 1;
                    } else {
                        self.false_results += 1;
                    }
                }
                _ => {}
            }
        }
        assert_eq!(told, found, "{name}: the events tell another game");
    }
}

fn play_all(manner: Manner, seed: u64) -> Figures {
    let mut figures = Figures::default();
    for (index, game) in games().iter().enumerate() {
        let turned = index % 2 == 1;
        let mut hands = Hands::new(Manner { turned, ..manner }, seed + index as u64);
        hands.play(game);
        hands.show_result(game.outcome);
        figures.add(&hands, game, &format!("game {index}"));
    }
    figures
}

const CALM: Manner = Manner {
    clock: true,
    turned: false,
    told: true,
    think: 8000,
    step: 400,
    overlap: 0,
    unseen: 0,
    flicker: 0,
    late: 0,
};

fn all_exact(figures: &Figures) {
    assert_eq!(figures.exact, figures.games, "{figures:#?}");
    assert_eq!(figures.results, figures.games, "{figures:#?}");
    assert_eq!(
        (figures.wrong, figures.false_results),
        (0, 0),
        "{figures:#?}"
    );
}

#[test]
fn calm_games_with_a_clock_are_exact() {
    all_exact(&play_all(CALM, 1));
}

fn none_wrong(figures: &Figures) {
    assert_eq!(
        (figures.wrong, figures.false_results),
        (0, 0),
        "{figures:#?}"
    );
}

#[test]
fn slow_hands_and_untold_orientation() {
    let manner = Manner {
        step: 1500,
        told: false,
        ..CALM
    };
    all_exact(&play_all(manner, 100));
}

#[test]
fn calm_games_without_a_clock() {
    for step in [400, 1500] {
        let manner = Manner {
            clock: false,
            step,
            ..CALM
        };
        none_wrong(&play_all(manner, 1000 + step));
    }
}

/// Where no clock tells of presses, hands that overlap, news in bunches and captures that nobody saw can look
/// like another game that is legal as well. At most one game in twenty may come out so.
fn few_wrong(figures: &Figures) {
    assert!(
        figures.wrong * 20 <= figures.games && figures.false_results == 0,
        "{figures:#?}"
    );
}

const BLITZ: Manner = Manner {
    think: 400,
    step: 150,
    overlap: 60,
    ..CALM
};

#[test]
fn blitz_with_overlapping_hands() {
    none_wrong(&play_all(BLITZ, 3000));
}

#[test]
fn blitz_without_a_clock() {
    let manner = Manner {
        clock: false,
        ..BLITZ
    };
    few_wrong(&play_all(manner, 3000));
}

const BUNCHES: Manner = Manner {
    step: 300,
    overlap: 10,
    late: 300,
    ..CALM
};

#[test]
fn everything_late_and_in_bunches() {
    none_wrong(&play_all(BUNCHES, 4300));
}

#[test]
fn late_and_without_a_clock() {
    let manner = Manner {
        clock: false,
        ..BUNCHES
    };
    few_wrong(&play_all(manner, 4300));
}

#[test]
fn captures_that_nobody_saw() {
    for unseen in [30, 100] {
        none_wrong(&play_all(Manner { unseen, ..CALM }, 5000));
    }
}

#[test]
fn captures_that_nobody_saw_without_a_clock() {
    let manner = Manner {
        clock: false,
        unseen: 30,
        ..CALM
    };
    few_wrong(&play_all(manner, 5000));
}

#[test]
fn squares_that_flicker() {
    for clock in [true, false] {
        let manner = Manner {
            clock,
            unseen: 5,
            flicker: 5,
            ..CALM
        };
        none_wrong(&play_all(manner, 6000));
    }
}
