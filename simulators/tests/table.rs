//! Whole games in virtual time: what is played, what is seen, and that it is the same each time.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

use std::time::Duration;

use flagfall_simulators::{
    board::{Noise, pieces},
    clock::TimeControl,
    games,
    hands::{Incidents, Note},
    table::{GameTruth, TableConfig, TableSim},
};
use shakmaty::{Board, Chess, Color, Position as _, Role, Square, uci::UciMove};

const S: Duration = Duration::from_secs(1);

fn table(number: u16, incidents: Incidents, turned: bool) -> TableSim {
    TableSim::new(TableConfig {
        seed: 11,
        table: number,
        turned,
        control: TimeControl::fischer(S * 300, S * 3),
        incidents,
        noise: Noise::none(),
    })
}

/// Runs until the game is finished, looking whenever the table wants to be looked at.
fn play_out(
    sim: &mut TableSim,
    round: u32,
    mut look: impl FnMut(&TableSim),
) -> (GameTruth, Vec<u8>) {
    let mut bytes = Vec::new();
    while !sim.truth(round).unwrap().finished {
        let at = sim.poll_timeout().expect("a game goes on");
        bytes.extend(sim.poll_transmit(at).unwrap_or_default());
        look(sim);
        assert!(at < S * 7200, "nobody plays for two hours at this pace");
    }
    (sim.truth(round).unwrap().clone(), bytes)
}

fn cells(board: &Board, turned: bool) -> [u8; 64] {
    let mut cells = [0; 64];
    for (square, piece) in board.clone() {
        cells[usize::from(pieces::index(square, turned))] = pieces::code(piece);
    }
    cells
}

/// Plays the moves of the truth; every one must be legal.
fn replay(truth: &GameTruth) -> Chess {
    let mut position = Chess::default();
    for uci in &truth.moves {
        let m = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        position.play_unchecked(m);
    }
    position
}

#[test]
fn positions_stand_when_the_clock_is_pressed() {
    for (number, turned) in [(1, false), (2, true), (3, false), (4, true)] {
        let mut sim = table(number, Incidents::many(), turned);
        sim.start_round(S, 1, None);
        let mut position = Chess::default();
        while !sim.truth(1).unwrap().finished {
            let at = sim.poll_timeout().unwrap();
            sim.handle_timeout(at);
            while let Some(event) = sim.poll_event() {
                if let Note::Moved { uci, .. } = event.note {
                    let m = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
                    position.play_unchecked(m);
                    let mut stands = sim.placement().clone();
                    if let shakmaty::Move::EnPassant { from, to } = m {
                        // This one may still stand there.
                        stands.discard_piece_at(Square::from_coords(to.file(), from.rank()));
                    }
                    assert_eq!(&stands, position.board(), "table {number} after {uci}");
                }
            }
            assert_eq!(sim.board().placement(), &cells(sim.placement(), turned));
        }
        assert_eq!(sim.placement(), &Board::new());
        sim.handle_timeout(sim.poll_timeout().map_or(S * 7200, |at| at + S));
        assert_eq!(sim.board().seen(), &pieces::start(turned));
    }
}

#[test]
fn kings_show_the_result_and_hold() {
    let mut shown = 0;
    for number in 1..=30 {
        let mut sim = table(number, Incidents::normal(), false);
        sim.start_round(S, 1, None);
        let mut shown_at = None;
        let (truth, _) = play_out(&mut sim, 1, |_| {});
        while let Some(event) = sim.poll_event() {
            if event.note == Note::ResultShown {
                shown_at = Some(event.at);
            }
        }
        assert!(shown_at.is_some());

        // The same again, stopped while the kings stand.
        let mut sim = table(number, Incidents::normal(), false);
        sim.start_round(S, 1, None);
        for after in [0, 7] {
            sim.handle_timeout(shown_at.unwrap() + S * after);
            let white = sim.placement().king_of(Color::White).unwrap();
            let black = sim.placement().king_of(Color::Black).unwrap();
            let light = [white, black]
                .into_iter()
                .filter(|king| king.is_light())
                .count();
            let centre = [Square::D4, Square::D5, Square::E4, Square::E5];
            assert!(centre.contains(&white) && centre.contains(&black));
            let expected = match truth.result.as_str() {
                "1-0" => 2,
                "0-1" => 0,
                _ => 1,
            };
            assert_eq!(light, expected, "{}", truth.result);
        }
        shown += 1;
    }
    assert_eq!(shown, 30);
}

#[test]
fn same_seed_same_bytes_however_often_one_looks() {
    let run = |step: Option<Duration>| {
        let mut sim = table(7, Incidents::many(), false);
        sim.handle_bytes(S / 10, &[0x4b, 0x4d, 0x42]);
        sim.start_round(S, 1, None);
        let mut bytes = Vec::new();
        let mut at = S;
        while at < S * 1500 {
            at = match step {
                Some(step) => at + step,
                None => sim.poll_timeout().unwrap_or(at + S).max(at),
            };
            bytes.extend(sim.poll_transmit(at.min(S * 1500)).unwrap_or_default());
        }
        (bytes, sim.truth(1).cloned())
    };
    let eager = run(None);
    assert!(eager.0.len() > 5000);
    assert_eq!(eager, run(Some(Duration::from_millis(977))));
    assert_eq!(eager, run(Some(S * 10)));
}

#[test]
fn clean_hall_is_clean() {
    for number in 1..=10 {
        let mut sim = table(number, Incidents::none(), number % 2 == 0);
        sim.start_round(S, 1, None);
        let (truth, _) = play_out(&mut sim, 1, |_| {});
        let game = &games::library()[truth.game];
        assert_eq!(truth.flag, None);
        assert_eq!(
            truth.illegal_attempts + truth.corrections + truth.arbiter_calls,
            0
        );
        assert_eq!(truth.moves.len(), game.moves.len());
        assert_eq!(truth.result, game.outcome.as_str());
        assert_eq!(replay(&truth).board(), game.final_position().board());
    }
}

#[test]
fn flags_fall_where_the_game_says_so() {
    let mut fallen = 0;
    for (number, game) in games::library().iter().enumerate() {
        if game.ending != games::Ending::TimeForfeit || fallen >= 12 {
            continue;
        }
        let mut sim = table(9, Incidents::normal(), false);
        sim.start_round(S, 1, Some(number));
        let mut blocked = false;
        let (truth, _) = play_out(&mut sim, 1, |sim| {
            blocked |= sim.board().clock().first_flag().is_some();
        });
        assert!(blocked);
        assert!(truth.flag.is_some(), "game {number}: {}", truth.termination);
        assert_eq!(truth.termination, "time forfeit");
        fallen += 1;
    }
    assert_eq!(fallen, 12);
}

#[test]
fn incidents_happen_and_the_game_goes_on() {
    let mut total = (0, 0, 0, 0);
    for number in 1..=40 {
        let mut sim = table(number, Incidents::many(), false);
        sim.start_round(S, 2, None);
        let (truth, _) = play_out(&mut sim, 2, |_| {});
        replay(&truth);
        assert!(truth.corrections >= truth.illegal_attempts);
        total.0 += truth.illegal_attempts;
        total.1 += truth.knocked_over;
        total.2 += truth.arbiter_calls;
        total.3 += truth.corrections;
        // Whoever is not out of time has never been.
        if truth.flag.is_none() {
            assert!(
                truth.clock_ms.iter().all(|&left| left > 0),
                "table {number}"
            );
        }
    }
    assert!(
        total.0 >= 5 && total.1 >= 5 && total.2 >= 10 && total.3 >= 10,
        "{total:?}"
    );
}

#[test]
fn illegal_moves_are_illegal() {
    let mut seen = 0;
    for number in 1..=20 {
        let mut habits = Incidents::none();
        habits.illegal_move = 1.0;
        let mut sim = table(number, habits, false);
        sim.start_round(S, 1, None);
        let mut position = Chess::default();
        while !sim.truth(1).unwrap().finished {
            let at = sim.poll_timeout().unwrap();
            sim.handle_timeout(at);
            while let Some(event) = sim.poll_event() {
                match event.note {
                    Note::Moved { uci, .. } => {
                        let m = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
                        position.play_unchecked(m);
                    }
                    Note::Illegal { color } => {
                        assert_eq!(color, position.turn());
                        let reachable = position.legal_moves().into_iter().any(|m| {
                            let mut after = position.clone();
                            after.play_unchecked(m);
                            after.board() == sim.placement()
                        });
                        assert!(!reachable);
                        assert_ne!(sim.placement(), position.board());
                        assert_eq!(sim.placement().by_role(Role::King).count(), 2);
                        seen += 1;
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(seen >= 15, "{seen}");
}

#[test]
fn rounds_follow_each_other() {
    let mut sim = table(5, Incidents::normal(), true);
    let mut at = S;
    let mut games = Vec::new();
    for round in 1..=3 {
        sim.start_round(at, round, None);
        while !sim.truth(round).unwrap().finished {
            at = sim.poll_timeout().unwrap();
            sim.handle_timeout(at);
        }
        games.push(sim.truth(round).unwrap().game);
        at += S * 60;
    }
    assert_eq!(sim.placement(), &Board::new());
    assert!(games[0] != games[1] && games[1] != games[2]);
    sim.poll_transmit(at);
    assert_eq!(sim.poll_timeout(), None, "an idle table needs no attention");
}
