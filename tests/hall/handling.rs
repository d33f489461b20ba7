//! Every way that hands have with men, on boards that read well and badly.

use flagfall_simulators::{board::Noise, games::library};

use crate::{
    habits::{HABITS, play},
    judge::{Record, compare, records},
};

/// Games of the library that the tests play with each habit, spread over it.
const GAMES: usize = 6;

#[test]
fn clean_boards_tell_every_game_whatever_the_hands_do() {
    for (index, habit) in HABITS.into_iter().enumerate() {
        let first = index * (library().len() - GAMES) / HABITS.len();
        let outcome = play(habit, Noise::none(), first, GAMES, 1);
        let (_, wrong_results, _, wrong_moves) = compare(&outcome);
        assert!(wrong_results.is_empty(), "{}: {wrong_results:#?}", habit.0);
        assert!(wrong_moves.is_empty(), "{}: {wrong_moves:#?}", habit.0);
        assert!(outcome.asked.is_empty(), "{}: {:?}", habit.0, outcome.asked);
    }
}

#[test]
fn boards_that_were_used_for_years_make_no_wrong_moves() {
    let (habit, first) = (HABITS[HABITS.len() - 2], library().len() / 2);
    let outcome = play(habit, Noise::ordinary(), first, 4 * GAMES, 1);
    let (_, wrong_results, ..) = compare(&outcome);
    assert!(wrong_results.is_empty(), "{wrong_results:#?}");
    let (counts, bad) = records(&outcome);
    assert!(bad.is_empty(), "{counts:?}\n{}", bad.join("\n"));
    assert!(counts.contains_key(&Record::Complete), "{counts:?}");
}
