//! Whatever a board reports: the tracker does not panic, and what it tells is always a legal game.

// A generated case that cannot be built must fail loudly.
#![allow(clippy::unwrap_used)]

use flagfall_core::{
    chess::{TrackEvent, Tracker, TrackerSettings, Witness},
    types::{Color, Mono, Piece, Placement, Square},
};
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, Position, fen::Fen, uci::UciMove};

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
    Runs(bool),
    /// The link is cut; the next placement comes after it.
    Outage,
    /// Changes of so many milliseconds were not heard.
    Missed(u16),
    Witness(Option<bool>, Option<bool>, Option<u16>),
    /// The hub is started again with what it has written down.
    Restart,
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
        1 => any::<bool>().prop_map(Input::Runs),
        2 => Just(Input::Outage),
        2 => (0..5_000u16).prop_map(Input::Missed),
        2 => (any::<Option<bool>>(), any::<Option<bool>>(), prop::option::of(0u16..12))
            .prop_map(|(ran, runs, presses)| Input::Witness(ran, runs, presses)),
        1 => Just(Input::Restart),
        10 => (0u64..12_000).prop_map(Input::Wait),
        1 => Just(Input::Result),
        1 => Just(Input::Reopen),
        1 => Just(Input::Rearm),
    ]
}

/// The game that the events tell.
#[derive(Default)]
struct Told {
    moves: Vec<String>,
    /// Where moves are missing, and from where the game went on.
    gaps: Vec<(u16, String)>,
    /// The end was not seen.
    end_missing: bool,
}

impl Told {
    fn hear(&mut self, event: &TrackEvent) {
        match event {
            TrackEvent::Move(made) => {
                self.moves.push(made.uci.clone());
                assert_eq!(usize::from(made.ply), self.moves.len());
            }
            TrackEvent::Withdrawn {
                from_ply,
                moves,
                replaced_by,
            } => {
                let gone = self.moves.split_off(usize::from(*from_ply) - 1);
                assert_eq!(&gone, moves);
                assert!(
                    self.gaps.iter().all(|(after, _)| after < from_ply),
                    "over a gap"
                );
                self.moves
                    .extend(replaced_by.iter().map(|made| made.uci.clone()));
            }
            TrackEvent::Gap { after, fen } => {
                assert_eq!(usize::from(*after), self.moves.len());
                self.end_missing = fen.is_none();
                if let Some(fen) = fen {
                    self.gaps.retain(|(known, _)| known != after);
                    self.gaps.push((*after, fen.clone()));
                }
            }
            TrackEvent::GapClosed { after } => {
                assert_eq!(usize::from(*after), self.moves.len());
                if !std::mem::take(&mut self.end_missing) {
                    assert_eq!(self.gaps.pop().map(|(gap, _)| gap), Some(*after));
                }
            }
            _ => {}
        }
    }

    fn gaps(&self) -> Vec<(u16, &str)> {
        self.gaps
            .iter()
            .map(|(after, fen)| (*after, fen.as_str()))
            .collect()
    }
}

fn legal(moves: &[String], gaps: &[(u16, &str)]) -> Chess {
    let mut position = Chess::default();
    for ply in 0..=moves.len() {
        if let Some((_, fen)) = gaps.iter().find(|(after, _)| usize::from(*after) == ply) {
            let fen: Fen = fen.parse().unwrap();
            position = fen.into_position(CastlingMode::Standard).unwrap();
        }
        if let Some(uci) = moves.get(ply) {
            let mv = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(mv);
        }
    }
    position
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_told_moves_are_always_a_legal_game(inputs in prop::collection::vec(input(), 1..120)) {
        let mut tracker = Tracker::new(TrackerSettings::default());
        let mut board = Placement::new();
        let mut now = 0;
        let mut told = Told::default();
        let side = |white: Option<bool>| white.map(Color::from_white);
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
                Input::Runs(white) => tracker.handle_runs(at, Color::from_white(white)),
                Input::Outage => tracker.handle_outage(at),
                Input::Missed(ms) => {
                    let since = now.saturating_sub(u64::from(ms));
                    tracker.handle_missed(at, Mono::from_millis(since));
                }
                Input::Witness(ran, runs, presses) => {
                    let witness = Witness { ran: side(ran), runs: side(runs), presses };
                    tracker.handle_witness(at, witness);
                }
                Input::Restart => {
                    if tracker.moves().is_empty() {
                        continue;
                    }
                    while let Some(event) = tracker.poll_event() {
                        told.hear(&event);
                    }
                    let moves: Vec<UciMove> =
                        told.moves.iter().map(|uci| uci.parse().unwrap()).collect();
                    let position = tracker.position().clone();
                    tracker = Tracker::restore_with_gaps(
                        TrackerSettings::default(),
                        None,
                        &moves,
                        &told.gaps(),
                        tracker.turned(),
                    )
                    .unwrap();
                    prop_assert_eq!(tracker.position(), &position);
                    told.end_missing = false;
                    tracker.handle_outage(at);
                }
                Input::Result => tracker.set_result(),
                Input::Reopen => tracker.reopen(),
                Input::Rearm => {
                    tracker.rearm();
                    while let Some(event) = tracker.poll_event() {
                        told.hear(&event);
                    }
                    told = Told::default();
                }
            }
            while let Some(event) = tracker.poll_event() {
                told.hear(&event);
            }
            let kept: Vec<_> = tracker.moves().iter().map(|made| made.uci.clone()).collect();
            prop_assert_eq!(&kept, &told.moves);
            prop_assert_eq!(&legal(&told.moves, &told.gaps()), tracker.position());
            let _ = tracker.status();
            let standing: Vec<_> = tracker.standing().iter().map(ToString::to_string).collect();
            let _ = legal(&standing, &told.gaps());
        }
    }
}

/// What is told at a time that has passed already is told now.
mod time {
    use super::*;

    #[derive(Clone, Debug)]
    enum Input {
        Put(u32, Option<char>),
        Play(usize),
        Press(bool),
        Running(bool),
        Wake,
    }

    fn input() -> impl Strategy<Value = Input> {
        prop_oneof![
            3 => (0u32..64, prop::option::of(prop::sample::select("PNRQKpnrqk".chars().collect::<Vec<_>>())))
                .prop_map(|(square, man)| Input::Put(square, man)),
            8 => (0usize..200).prop_map(Input::Play),
            4 => any::<bool>().prop_map(Input::Press),
            1 => any::<bool>().prop_map(Input::Running),
            4 => Just(Input::Wake),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn that_runs_backwards_is_refused(
            inputs in prop::collection::vec((input(), 0u64..4_000, 0u64..9_000), 1..80),
        ) {
            let mut board = Placement::new();
            let mut trackers = [(); 2].map(|()| Tracker::new(TrackerSettings::default()));
            for tracker in &mut trackers {
                tracker.handle_placement(Mono::ZERO, &board, None);
            }
            let mut now = 3_000;
            for (input, wait, back) in inputs {
                now += wait;
                if let Input::Put(square, man) = &input {
                    let square = Square::new(*square);
                    match man.and_then(Piece::from_char) {
                        Some(piece) => board.set_piece_at(square, piece),
                        None => board.discard_piece_at(square),
                    }
                } else if let Input::Play(number) = &input {
                    let mut position = trackers[0].position().clone();
                    let moves = position.legal_moves();
                    if !moves.is_empty() {
                        position.play_unchecked(moves[number % moves.len()]);
                        board = position.board().clone();
                    }
                }
                for (tracker, at) in trackers.iter_mut().zip([now, now.saturating_sub(back)]) {
                    // Both have seen the time as far as it went.
                    tracker.handle_timeout(Mono::from_millis(now));
                    let at = Mono::from_millis(at);
                    match &input {
                        Input::Put(..) | Input::Play(_) => tracker.handle_placement(at, &board, None),
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
