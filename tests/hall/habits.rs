//! Every way that hands have with men.

use std::time::Duration;

use flagfall_simulators::{board::Noise, hands::Incidents};

use crate::virtual_hall::{Faults, HallPlan, Outcome, VirtualHall};

/// A habit that all hands have.
type Habit = (&'static str, fn(&mut Incidents));

/// One kind of handling each; the rest of the game is tidy.
pub(crate) const HABITS: [Habit; 21] = [
    ("tidy", |_| {}),
    ("slide", |all| all.slide = 1.0),
    ("attacker first", |all| all.attacker_first = 1.0),
    ("capture by swapping", |all| all.swap_capture = 1.0),
    ("rook first", |all| all.rook_first = 1.0),
    ("both hands", |all| all.both_hands = 1.0),
    ("en passant late", |all| all.late_victim = 1.0),
    ("pawn left, then swapped", |all| all.promotion_swap = 1.0),
    ("wrong promotion", |all| all.wrong_promotion = 1.0),
    ("held while thinking", |all| all.long_hold = 1.0),
    ("another touched first", |all| all.other_piece_first = 1.0),
    ("taken back", |all| all.take_back = 1.0),
    ("j'adoube", |all| all.jadoube = 1.0),
    ("half move back", |all| all.half_move_back = 1.0),
    ("kings one by one", |all| all.kings_one_by_one = 1.0),
    ("odd squares for draws", |all| all.odd_draw_squares = 1.0),
    ("illegal move", |all| all.illegal_move = 1.0),
    ("knocked over", |all| all.knock_over = 1.0),
    ("arbiter called", |all| all.arbiter_call = 1.0),
    ("ordinary hall", |all| *all = Incidents::normal()),
    ("worst day", |all| *all = Incidents::many()),
];

/// Plays a part of the library with a habit on boards of this noise. With `HALL_TRACE=12,40`
/// everything that happens at tables 12 and 40 is printed.
pub(crate) fn play(
    (_, habit): Habit,
    noise: Noise,
    first: usize,
    games: usize,
    seed: u64,
) -> Outcome {
    let mut incidents = Incidents::none();
    incidents.flag_falls = 1.0;
    habit(&mut incidents);
    VirtualHall::new(HallPlan {
        tables: games as u16,
        rounds: 1,
        seed,
        incidents,
        noise,
        first_game: Some(first),
        base: Duration::from_mins(5),
        increment: Duration::from_secs(3),
        fault_every: None,
        faults: Faults::CutsAndNoise,
        trace: std::env::var("HALL_TRACE")
            .iter()
            .flat_map(|tables| tables.split(','))
            .map(|table| table.parse().unwrap())
            .collect(),
    })
    .run()
}
