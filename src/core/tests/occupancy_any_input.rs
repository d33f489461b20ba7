//! Whatever an occupancy board reports: the tracker does not panic, and what it tells is always a legal
//! game.

// A generated case that cannot be built must fail loudly.
#![allow(clippy::unwrap_used)]

use flagfall_core::{
    chess::{OccupancyTracker, TrackEvent, TrackStatus, TrackerSettings, Witness},
    protocol::Touch,
    types::{Bitboard, Color, Mono, Square},
};
use proptest::prelude::*;
use shakmaty::{Chess, Position, uci::UciMove};

#[derive(Clone, Debug)]
enum Input {
    /// A square changes.
    Flip(u32),
    /// A square is told without a change.
    Again(u32),
    /// A legal move of the tracker's game is made at once, by number; or lifted and put.
    Play(usize, bool),
    /// The squares of the tracker's own position.
    Restore,
    Press(bool),
    Running(bool),
    Outage,
    Missed(u16),
    Witness(Option<bool>, Option<u16>),
    /// The first of the moves that are asked for, or any legal one.
    Answer(usize),
    Wait(u64),
    Result,
    Reopen,
    Rearm,
}

fn input() -> impl Strategy<Value = Input> {
    prop_oneof![
        8 => (0u32..64).prop_map(Input::Flip),
        1 => (0u32..64).prop_map(Input::Again),
        14 => (0usize..200, any::<bool>()).prop_map(|(number, slow)| Input::Play(number, slow)),
        4 => Just(Input::Restore),
        4 => any::<bool>().prop_map(Input::Press),
        1 => any::<bool>().prop_map(Input::Running),
        1 => Just(Input::Outage),
        1 => (0..5_000u16).prop_map(Input::Missed),
        1 => (any::<Option<bool>>(), prop::option::of(0u16..6))
            .prop_map(|(ran, presses)| Input::Witness(ran, presses)),
        2 => (0usize..40).prop_map(Input::Answer),
        10 => (0u64..12_000).prop_map(Input::Wait),
        1 => Just(Input::Result),
        1 => Just(Input::Reopen),
        1 => Just(Input::Rearm),
    ]
}

fn legal(moves: &[String]) -> Chess {
    let mut position = Chess::default();
    for uci in moves {
        let mv = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        position.play_unchecked(mv);
    }
    position
}

fn hear(told: &mut Vec<String>, event: &TrackEvent) {
    match event {
        TrackEvent::Move(made) => {
            told.push(made.uci.clone());
            assert_eq!(usize::from(made.ply), told.len());
        }
        TrackEvent::Withdrawn {
            from_ply,
            moves,
            replaced_by,
        } => {
            let gone = told.split_off(usize::from(*from_ply) - 1);
            assert_eq!(&gone, moves);
            told.extend(replaced_by.iter().map(|made| made.uci.clone()));
        }
        TrackEvent::Question { ply, moves, .. } => {
            assert_eq!(usize::from(*ply), told.len() + 1);
            assert!(moves.len() > 1);
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_told_moves_are_always_a_legal_game(
        turned in any::<Option<bool>>(),
        inputs in prop::collection::vec(input(), 1..90),
    ) {
        let settings = TrackerSettings { turned, ..TrackerSettings::default() };
        let mut tracker = OccupancyTracker::new(settings);
        let mut occupied = Bitboard(0xffff_0000_0000_ffff);
        let mut now = 0;
        let mut told: Vec<String> = Vec::new();
        tracker.handle_occupancy(Mono::ZERO, occupied, None);
        for input in inputs {
            let at = Mono::from_millis(now);
            let wire = |squares: Bitboard, tracker: &OccupancyTracker| {
                if tracker.turned() == Some(true) { squares.rotate_180() } else { squares }
            };
            match input {
                Input::Flip(square) => {
                    let square = Square::new(square);
                    occupied.toggle(square);
                    let touch = Touch { square, present: occupied.contains(square) };
                    tracker.handle_occupancy(at, occupied, Some(touch));
                }
                Input::Again(square) => {
                    let square = Square::new(square);
                    let touch = Touch { square, present: occupied.contains(square) };
                    tracker.handle_occupancy(at, occupied, Some(touch));
                }
                Input::Play(number, slow) => {
                    let mut position = tracker.position().clone();
                    for uci in tracker.standing().iter().skip(tracker.moves().len()) {
                        if let Ok(mv) = uci.to_move(&position) {
                            position.play_unchecked(mv);
                        }
                    }
                    let moves = position.legal_moves();
                    if !moves.is_empty() {
                        let mv = moves[number % moves.len()];
                        let before = position.board().occupied();
                        position.play_unchecked(mv);
                        let after = position.board().occupied();
                        if slow {
                            let lifted = before & after & !Bitboard::from(mv.to());
                            occupied = wire(lifted, &tracker);
                            tracker.handle_occupancy(at, occupied, None);
                            now += 300;
                        }
                        occupied = wire(after, &tracker);
                        tracker.handle_occupancy(Mono::from_millis(now), occupied, None);
                    }
                }
                Input::Restore => {
                    occupied = wire(tracker.position().board().occupied(), &tracker);
                    tracker.handle_occupancy(at, occupied, None);
                }
                Input::Press(white) => tracker.handle_press(at, Color::from_white(white)),
                Input::Running(running) => tracker.handle_clock_running(at, running),
                Input::Outage => tracker.handle_outage(at),
                Input::Missed(ms) => {
                    let since = now.saturating_sub(u64::from(ms));
                    tracker.handle_missed(at, Mono::from_millis(since));
                }
                Input::Witness(ran, presses) => {
                    let ran = ran.map(Color::from_white);
                    tracker.handle_witness(at, Witness { ran, runs: ran, presses });
                }
                Input::Answer(number) => {
                    let asked = match tracker.status() {
                        TrackStatus::Asking { moves, .. } => moves,
                        _ => tracker
                            .position()
                            .legal_moves()
                            .iter()
                            .map(|mv| mv.to_uci(shakmaty::CastlingMode::Standard).to_string())
                            .collect(),
                    };
                    if !asked.is_empty() {
                        let uci = asked[number % asked.len()].parse().unwrap();
                        let _ = tracker.answer(at, &[uci]);
                    }
                }
                Input::Wait(ms) => {
                    now += ms;
                    let until = Mono::from_millis(now);
                    let mut wakes = 0;
                    while let Some(due) = tracker.poll_timeout().filter(|due| *due <= until) {
                        tracker.handle_timeout(due);
                        wakes += 1;
                        prop_assert!(wakes < 100, "it never sleeps: {:?}", tracker.status());
                    }
                }
                Input::Result => tracker.set_result(),
                Input::Reopen => tracker.reopen(),
                Input::Rearm => {
                    while let Some(event) = tracker.poll_event() {
                        hear(&mut told, &event);
                    }
                    tracker.rearm();
                    told.clear();
                }
            }
            while let Some(event) = tracker.poll_event() {
                hear(&mut told, &event);
            }
            let kept: Vec<_> = tracker.moves().iter().map(|made| made.uci.clone()).collect();
            prop_assert_eq!(&kept, &told);
            prop_assert_eq!(&legal(&told), tracker.position());
            let _ = tracker.status();
            let standing: Vec<_> = tracker.standing().iter().map(ToString::to_string).collect();
            let _ = legal(&standing);
        }
    }
}

/// What is told at a time that has passed already is told now.
mod time {
    use super::*;

    #[derive(Clone, Debug)]
    enum Input {
        Flip(u32),
        Play(usize),
        Press(bool),
        Running(bool),
        Wake,
    }

    fn input() -> impl Strategy<Value = Input> {
        prop_oneof![
            3 => (0u32..64).prop_map(Input::Flip),
            8 => (0usize..200).prop_map(Input::Play),
            4 => any::<bool>().prop_map(Input::Press),
            1 => any::<bool>().prop_map(Input::Running),
            4 => Just(Input::Wake),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn that_runs_backwards_is_refused(
            inputs in prop::collection::vec((input(), 0u64..4_000, 0u64..9_000), 1..60),
        ) {
            let settings = TrackerSettings { turned: Some(false), ..TrackerSettings::default() };
            let mut occupied = Bitboard(0xffff_0000_0000_ffff);
            let mut trackers = [(); 2].map(|()| OccupancyTracker::new(settings.clone()));
            for tracker in &mut trackers {
                tracker.handle_occupancy(Mono::ZERO, occupied, None);
            }
            let mut now = 3_000;
            for (input, wait, back) in inputs {
                now += wait;
                if let Input::Flip(square) = &input {
                    occupied.toggle(Square::new(*square));
                } else if let Input::Play(number) = &input {
                    let mut position = trackers[0].position().clone();
                    let moves = position.legal_moves();
                    if !moves.is_empty() {
                        position.play_unchecked(moves[number % moves.len()]);
                        occupied = position.board().occupied();
                    }
                }
                for (tracker, at) in trackers.iter_mut().zip([now, now.saturating_sub(back)]) {
                    // Both have seen the time as far as it went.
                    tracker.handle_timeout(Mono::from_millis(now));
                    let at = Mono::from_millis(at);
                    match &input {
                        Input::Flip(_) | Input::Play(_) => tracker.handle_occupancy(at, occupied, None),
                        Input::Press(white) => tracker.handle_press(at, Color::from_white(*white)),
                        Input::Running(running) => tracker.handle_clock_running(at, *running),
                        Input::Wake => tracker.handle_timeout(at),
                    }
                }
                let [straight, jumping] = &mut trackers;
                loop {
                    let (ours, theirs) = (straight.poll_event(), jumping.poll_event());
                    prop_assert_eq!(&ours, &theirs);
                    if ours.is_none() {
                        break;
                    }
                }
                prop_assert_eq!(straight.poll_timeout(), jumping.poll_timeout());
                prop_assert_eq!(straight.moves(), jumping.moves());
                prop_assert_eq!(straight.status(), jumping.status());
            }
        }
    }
}
