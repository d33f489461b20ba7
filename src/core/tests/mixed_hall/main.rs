//! A hall with boards of several makers: each conversation of the registry against a simulator that was written
//! from the facts, and the games that the hub makes of it.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

mod hall;

use std::time::Duration;

use flagfall_core::protocol::{LostReason, Observation, Recalled};
use flagfall_simulators::{hands::Incidents, make::Make};

use self::hall::Hall;

const GAME: Duration = Duration::from_mins(30);

fn found(hall: &Hall, port: &str) -> usize {
    let of_port = hall.seen.iter().filter(|(_, it, _)| it == port);
    of_port
        .filter(|(.., seen)| matches!(seen, Observation::Found(_)))
        .count()
}

#[test]
fn a_mixed_hall_plays_and_exact_moves_arrive() {
    let makes = [
        Make::Dgt,
        Make::Millennium,
        Make::Millennium,
        Make::Certabo,
        Make::Certabo,
        Make::IChessOne,
        Make::Bus,
        Make::Bus,
        Make::Bus,
        Make::Sentio,
    ];
    let mut hall = Hall::new(&makes, 7, &Incidents::none());
    // Sets are calibrated, boards found.
    hall.run(Duration::from_secs(12));
    hall.start();
    hall.run_until(GAME, |hall| hall.all_over());
    for (table, make) in (1..).zip(makes) {
        let truth = hall.truth(table);
        let ours = hall.moves(table);
        if make == Make::Sentio {
            // Not every move can be known from occupied squares alone; none may be wrong.
            let alike = ours
                .iter()
                .zip(&truth.moves)
                .take_while(|(a, b)| a == b)
                .count();
            assert!(
                alike == ours.len()
                    || hall
                        .board_facts(table)
                        .iter()
                        .any(|it| it.contains("Question")),
                "table {table}: {ours:?}\n{:?}",
                truth.moves
            );
            assert!(alike > 10, "table {table}: only {alike} moves");
            continue;
        }
        let mut played = truth.moves;
        let last = played.last().map(|uci| uci[2..4].to_owned());
        let to_centre = last.is_some_and(|to| ["d4", "d5", "e4", "e5"].contains(&&*to));
        if !make.has_clock() && to_centre && ours.len() + 1 == played.len() {
            // Without a clock a king's last step to the centre may as well be the result.
            played.pop();
        }
        assert_eq!(
            ours,
            played,
            "table {table} {make}: {:?}",
            hall.board_facts(table)
        );
    }
    for line in &hall.lines {
        assert_eq!(found(&hall, &line.port), usize::from(line.sims.len() == 1));
    }
    let dropped: Vec<_> = hall
        .lines
        .iter()
        .map(|line| (line.port.clone(), line.link.counters().bytes_dropped))
        .filter(|(_, dropped)| *dropped > 0)
        .collect();
    assert_eq!(dropped, [], "bytes were dropped on clean lines");
}

#[test]
fn twenty_boards_on_one_line_are_asked_in_turn() {
    let makes = [Make::Bus; 20];
    let mut hall = Hall::new(&makes, 3, &Incidents::normal());
    hall.run(Duration::from_secs(20));
    assert_eq!(hall.hub.state().devices.len(), 20, "all boards are found");
    hall.start();
    hall.run(Duration::from_mins(3));
    // Nobody waits for more than a few seconds to be heard.
    for table in 1..=20 {
        let (truth, ours) = (hall.truth(table), hall.moves(table));
        let missing = truth.moves.len().saturating_sub(ours.len());
        assert!(
            missing <= 3,
            "table {table}: {missing} of {}",
            truth.moves.len()
        );
    }
}

#[test]
fn a_board_of_a_bus_that_falls_silent_is_lost_alone_and_its_moves_are_recalled() {
    let makes = [Make::Bus; 4];
    let mut hall = Hall::new(&makes, 11, &Incidents::none());
    hall.run(Duration::from_secs(12));
    hall.start();
    hall.run(Duration::from_secs(30));
    let now = hall.now;
    hall.sim(2).board_mut().set_mute(now, true);
    hall.run(Duration::from_secs(25));
    let lost: Vec<_> = hall
        .seen
        .iter()
        .filter(|(.., seen)| matches!(seen, Observation::Lost(_)))
        .map(|(_, port, seen)| (port.clone(), seen.clone()))
        .collect();
    assert_eq!(lost.len(), 1, "{lost:?}");
    assert_eq!(lost[0].1, Observation::Lost(LostReason::Silent));
    // The others go on.
    for table in [1, 3, 4] {
        let (truth, ours) = (hall.truth(table), hall.moves(table));
        assert!(truth.moves.len() <= ours.len() + 2, "table {table}");
    }
    let before = hall.moves(2).len();
    let now = hall.now;
    hall.sim(2).board_mut().set_mute(now, false);
    hall.run(Duration::from_secs(20));
    assert!(hall.moves(2).len() > before);
    hall.run_until(GAME, |hall| hall.all_over());
    for table in 1..=4 {
        let facts = hall.board_facts(table);
        assert_eq!(
            hall.moves(table),
            hall.truth(table).moves,
            "table {table}: {facts:?}"
        );
    }
}

#[test]
fn moves_made_while_a_dgt_board_could_not_be_heard_are_read_from_its_log() {
    let makes = [Make::Dgt; 6];
    let mut hall = Hall::new(&makes, 5, &Incidents::none());
    hall.run(Duration::from_secs(5));
    hall.start();
    hall.run(Duration::from_secs(40));
    // The line is cut for long enough that no search could find the moves.
    for table in 1..=6 {
        let now = hall.now;
        hall.sim(table).board_mut().set_mute(now, true);
    }
    hall.run(Duration::from_secs(75));
    let before: Vec<usize> = (1..=6).map(|table| hall.moves(table).len()).collect();
    for table in 1..=6 {
        let now = hall.now;
        hall.sim(table).board_mut().set_mute(now, false);
    }
    hall.run(Duration::from_secs(30));
    let recalled = |port: &str| {
        hall.seen.iter().any(|(_, it, seen)| {
            let board = matches!(
                seen,
                Observation::Recalled {
                    what: Recalled::Board {
                        change: Some(_),
                        ..
                    },
                    ..
                }
            );
            it == port && board
        })
    };
    assert!((1..=6).any(|table| recalled(&format!("line-{table}"))));
    hall.run_until(GAME, |hall| hall.all_over());
    for (table, before) in (1..=6).zip(before) {
        let truth = hall.truth(table);
        assert!(
            truth.moves.len() > before + 4,
            "table {table} hardly played"
        );
        let facts = hall.board_facts(table);
        assert_eq!(hall.moves(table), truth.moves, "table {table}: {facts:?}");
    }
}
