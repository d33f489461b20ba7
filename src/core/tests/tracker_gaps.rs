//! Boards that were out of sight: moves are found only where exactly one line leads to what stands there;
//! else the placement is taken over and the record says that moves are missing.

// What is missing in a game that is written here must fail loudly.
#![allow(clippy::unwrap_used)]

use flagfall_core::{
    chess::{TrackEvent, Tracker, TrackerSettings, Witness, result::Outcome},
    types::{Color, Mono, Placement},
};
use shakmaty::{Chess, Position, uci::UciMove};

struct Table {
    tracker: Tracker,
    game: Chess,
    now: u64,
    events: Vec<TrackEvent>,
}

impl Table {
    /// The start position stands and the clock runs, if there is one.
    fn new(clock: bool) -> Self {
        let mut table = Self {
            tracker: Tracker::new(TrackerSettings::default()),
            game: Chess::default(),
            now: 0,
            events: Vec::new(),
        };
        table.show();
        table.wait(3000);
        if clock {
            table.tracker.handle_clock_running(table.at(), true);
            table.tracker.handle_runs(table.at(), Color::White);
        }
        table
    }

    fn at(&self) -> Mono {
        Mono::from_millis(self.now)
    }

    fn drain(&mut self) {
        while let Some(event) = self.tracker.poll_event() {
            self.events.push(event);
        }
    }

    fn wait(&mut self, ms: u64) {
        self.now += ms;
        while let Some(due) = self.tracker.poll_timeout().filter(|due| *due <= self.at()) {
            self.tracker.handle_timeout(due);
            self.drain();
        }
    }

    fn show_board(&mut self, board: &Placement) {
        self.tracker.handle_placement(self.at(), board, None);
        self.drain();
    }

    fn show(&mut self) {
        let board = self.game.board().clone();
        self.show_board(&board);
    }

    /// One square of what stands there changes.
    fn put(&mut self, square: &str, man: Option<char>) {
        let mut board = self.tracker.placement().unwrap().clone();
        let square = square.parse().unwrap();
        match man.and_then(shakmaty::Piece::from_char) {
            Some(piece) => board.set_piece_at(square, piece),
            None => board.discard_piece_at(square),
        }
        self.show_board(&board);
    }

    /// A press that is heard now, whoever is to move.
    fn heard(&mut self, mover: Color) {
        self.tracker.handle_press(self.at(), mover);
        self.drain();
    }

    fn press(&mut self) {
        let mover = self.game.turn().other();
        self.tracker.handle_press(self.at(), mover);
        self.drain();
    }

    /// Moves that the board does not report.
    fn unseen(&mut self, moves: &str) {
        for uci in moves.split_whitespace() {
            let mv = uci.parse::<UciMove>().unwrap().to_move(&self.game).unwrap();
            self.game.play_unchecked(mv);
        }
    }

    /// Moves that it reports, each pressed.
    fn play(&mut self, moves: &str) {
        for uci in moves.split_whitespace() {
            self.unseen(uci);
            self.show();
            self.wait(200);
            self.press();
            self.wait(1000);
        }
    }

    /// The link is cut while these moves are made, and the clock tells how many they were.
    fn outage(&mut self, moves: &str, presses: Option<u16>) {
        let ran = Some(self.game.turn());
        self.tracker.handle_outage(self.at());
        self.wait(20_000);
        self.unseen(moves);
        self.show();
        self.wait(300);
        let witness = Witness {
            ran,
            runs: Some(self.game.turn()),
            presses,
        };
        self.tracker.handle_witness(self.at(), witness);
        self.drain();
    }

    /// Since then changes were not heard; these moves were made, and the clock tells how many they were.
    fn missed(&mut self, since: Mono, moves: &str, presses: Option<u16>) {
        let ran = Some(self.game.turn());
        self.tracker.handle_missed(self.at(), since);
        self.drain();
        self.unseen(moves);
        self.show();
        let witness = Witness {
            ran,
            runs: Some(self.game.turn()),
            presses,
        };
        self.wait(300);
        self.tracker.handle_witness(self.at(), witness);
        self.drain();
    }

    fn record(&self) -> String {
        let moves: Vec<_> = self.tracker.moves().iter().map(|made| &*made.uci).collect();
        moves.join(" ")
    }

    fn gaps(&self) -> Vec<(u16, Option<String>)> {
        let gap = |event: &TrackEvent| match event {
            TrackEvent::Gap { after, fen } => Some((*after, fen.clone())),
            _ => None,
        };
        self.events.iter().filter_map(gap).collect()
    }

    fn told(&self, wanted: impl Fn(&TrackEvent) -> bool) -> bool {
        self.events.iter().any(wanted)
    }
}

#[test]
fn a_forced_line_is_found() {
    let mut table = Table::new(true);
    table.play("e2e4 e7e5");
    // No other order of these is legal.
    table.outage("d2d4 e5d4 d1d4", Some(3));
    table.wait(9000);
    assert_eq!(table.record(), "e2e4 e7e5 d2d4 e5d4 d1d4");
    assert!(table.tracker.moves()[4].inferred);
    assert_eq!(table.gaps(), []);
    table.play("b8c6");
    assert_eq!(table.tracker.position(), &table.game);
}

#[test]
fn where_the_order_is_open_moves_are_missing_and_the_game_goes_on() {
    let mut table = Table::new(true);
    table.play("e2e4");
    table.outage("e7e5 g1f3 b8c6 f1b5", Some(4));
    table.wait(9000);
    assert_eq!(table.record(), "e2e4");
    let (after, fen) = table.gaps().pop().unwrap();
    assert_eq!(after, 1);
    // How many moves were made is not claimed: the number is the least that it can be.
    let board = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 2";
    assert_eq!(fen.as_deref(), Some(board));
    table.play("a7a6 b5a4");
    assert_eq!(table.record(), "e2e4 a7a6 b5a4");
    assert!(!table.told(|event| matches!(event, TrackEvent::Unexplained { .. })));

    // The record is enough to go on from after a restart.
    let moves: Vec<UciMove> = table
        .record()
        .split(' ')
        .map(|m| m.parse().unwrap())
        .collect();
    let gaps = [(after, fen.as_deref().unwrap())];
    let restored =
        Tracker::restore_with_gaps(TrackerSettings::default(), None, &moves, &gaps, Some(false));
    assert_eq!(restored.unwrap().position(), table.tracker.position());
}

#[test]
fn the_same_position_after_presses_is_not_the_same_game() {
    let mut table = Table::new(true);
    table.play("g1f3 g8f6");
    table.outage("f3g1 f6g8 g1f3 g8f6", Some(4));
    table.wait(9000);
    assert_eq!(table.gaps().len(), 1, "{:?}", table.events);
    // And without presses it is.
    table.play("d2d4");
    table.outage("", Some(0));
    table.wait(9000);
    assert_eq!(table.gaps().len(), 1);
    assert_eq!(table.record(), "g1f3 g8f6 d2d4");
}

#[test]
fn a_man_in_the_hand_is_not_taken_for_one_that_was_captured() {
    let mut table = Table::new(true);
    table.play("e2e4 d7d5");
    let ran = Some(Color::White);
    table.tracker.handle_outage(table.at());
    table.wait(10_000);
    table.unseen("e4d5 d8d5 b1c3");
    // Black has the queen in his hand: it looks as if the knight had taken her.
    let mut board = table.game.board().clone();
    board.discard_piece_at(shakmaty::Square::D5);
    table.show_board(&board);
    let witness = Witness {
        ran,
        runs: Some(Color::Black),
        presses: Some(3),
    };
    table.tracker.handle_witness(table.at(), witness);
    table.wait(3000);
    assert_eq!(table.record(), "e2e4 d7d5");
    table.play("d5a5");
    assert_eq!(table.record(), "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5");
}

#[test]
fn presses_without_moves_call_at_once() {
    let mut table = Table::new(true);
    table.play("e2e4 e7e5");
    for uci in ["g1f3", "b8c6", "f1b5"] {
        table.unseen(uci);
        table.press();
        table.wait(500);
    }
    let told = |event: &TrackEvent| matches!(event, TrackEvent::Unexplained { presses: 3, .. });
    assert!(table.told(told), "{:?}", table.events);
    table.wait(60_000);
    let closed = |event: &TrackEvent| matches!(event, TrackEvent::Explained);
    assert!(!table.told(closed), "an unchanged board explains nothing");
    // The board is heard again.
    table.unseen("a7a6");
    table.show();
    table.wait(200);
    table.press();
    table.wait(9000);
    assert_eq!(table.gaps().len(), 1, "{:?}", table.events);
    table.play("b5a4");
    assert_eq!(table.record(), "e2e4 e7e5 b5a4");
}

/// The rook was slid to e1, pressed, and read only when the kings were on their way.
#[test]
fn a_last_move_read_after_the_clock_was_stopped_is_in_the_record() {
    let mut table = Table::new(true);
    table.play("e2e4 e7e5 d1h5 b8c6 f1c4 g8f6");
    table.put("h5", None);
    table.unseen("h5f7");
    table.press();
    table.wait(1500);
    table.tracker.handle_clock_running(table.at(), false);
    table.put("e1", None);
    table.put("f7", Some('Q'));
    table.put("e8", None);
    table.put("e4", Some('K'));
    table.put("d5", Some('k'));
    table.wait(6000);
    let shown = |event: &TrackEvent| matches!(event, TrackEvent::ResultByKings { .. });
    assert!(table.told(shown), "{:?}", table.events);
    assert_eq!(table.record(), "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7");
}

/// The hub once never came back from this.
#[test]
fn levers_tried_while_a_man_is_off_the_board_before_the_start() {
    let mut table = Table::new(false);
    table.tracker = Tracker::new(TrackerSettings::default());
    table.show();
    table.put("a1", None);
    for side in [Color::White, Color::Black, Color::White] {
        table.heard(side);
    }
    table.wait(10_000);
    table.put("a1", Some('R'));
    table.wait(3000);
    table.play("e2e4 e7e5");
    assert_eq!(table.record(), "e2e4 e7e5");
}

#[test]
fn a_gap_is_closed_when_the_old_position_is_restored() {
    let mut table = Table::new(true);
    table.play("e2e4 e7e5");
    let before = table.game.board().clone();
    table.outage("g1f3 b8c6 f1b5", None);
    table.wait(9000);
    assert_eq!(table.gaps().len(), 1);
    table.show_board(&before);
    table.wait(5000);
    let closed = |event: &TrackEvent| matches!(event, TrackEvent::GapClosed { after: 2 });
    assert!(table.told(closed), "{:?}", table.events);
    assert_eq!(table.tracker.position().board(), &before);
    assert_eq!(table.tracker.position().turn(), Color::White);
}

#[test]
fn a_side_that_presses_without_having_moved_had_moved_before() {
    let mut table = Table::new(true);
    table.play("e2e4");
    table.outage("e7e5 g1f3 b8c6", None);
    // The press of Black is heard when White has answered already.
    table.unseen("f1b5");
    table.show();
    table.tracker.handle_press(table.at(), Color::Black);
    table.wait(700);
    assert_eq!(table.gaps(), [], "a man may be in a hand");
    table.wait(8000);
    assert_eq!(table.tracker.position().turn(), Color::White);
    table.press();
    table.wait(2000);
    assert_eq!(table.tracker.position().turn(), Color::Black);
    table.play("a7a6");
    assert_eq!(table.record(), "e2e4 a7a6");
}

#[test]
fn without_a_clock_the_next_move_tells_who_is_to_move() {
    let mut table = Table::new(false);
    for uci in ["e2e4", "e7e5"] {
        table.unseen(uci);
        table.show();
        table.wait(1000);
    }
    // Nobody moves before the clock has run or a move was made; here two were.
    table.tracker.handle_outage(table.at());
    table.wait(5000);
    table.unseen("g1f3 b8c6 f1b5");
    table.show();
    table.wait(20_000);
    table.unseen("g8f6");
    table.show();
    table.wait(2000);
    assert_eq!(table.record(), "e2e4 e7e5 g8f6");
    assert_eq!(table.tracker.position().turn(), Color::White);
}

#[test]
fn a_result_after_an_outage_says_that_moves_are_missing() {
    let mut table = Table::new(true);
    table.play("e2e4 e7e5");
    table.tracker.handle_outage(table.at());
    table.wait(60_000);
    table.unseen("g1f3 b8c6 f1b5 a7a6");
    let mut board = table.game.board().clone();
    for (from, to, man) in [("e1", "e4", 'K'), ("e8", "d5", 'k')] {
        board.discard_piece_at(from.parse().unwrap());
        board.set_piece_at(
            to.parse().unwrap(),
            shakmaty::Piece::from_char(man).unwrap(),
        );
    }
    table.show_board(&board);
    table.wait(6000);
    assert_eq!(table.gaps(), [(2, None)]);
    let result = |event: &TrackEvent| {
        matches!(
            event,
            TrackEvent::ResultByKings {
                outcome: Outcome::White,
                ..
            }
        )
    };
    assert!(table.told(result), "{:?}", table.events);
}

#[test]
fn a_claim_is_not_taken_over_while_the_clock_stands() {
    let mut table = Table::new(true);
    table.play("e2e4 e7e5");
    let mut board = table.game.board().clone();
    // A rook through its own pawn.
    board.discard_piece_at(shakmaty::Square::A1);
    board.set_piece_at(shakmaty::Square::A3, Color::White.rook());
    table.show_board(&board);
    table.wait(200);
    table.tracker.handle_press(table.at(), Color::White);
    table.wait(2000);
    assert!(table.told(|event| matches!(event, TrackEvent::Illegal { .. })));
    table.tracker.handle_clock_running(table.at(), false);
    table.tracker.handle_outage(table.at());
    table.wait(5000);
    table.show_board(&board);
    table.wait(120_000);
    assert_eq!(table.gaps(), []);
    table.show();
    table.wait(3000);
    assert_eq!(table.record(), "e2e4 e7e5");
    let restored =
        |event: &TrackEvent| matches!(event, TrackEvent::IllegalResolved { restored: true });
    assert!(table.told(restored), "{:?}", table.events);
}

#[test]
fn a_press_heard_late_does_not_prove_that_no_man_is_in_a_hand() {
    let mut table = Table::new(true);
    table.play("e2e4 e7e5");
    table.outage("g1f3 b8c6 f1b5", None);
    // Black moves and presses, and White has lifted the bishop when that is heard.
    table.unseen("a7a6");
    table.put("a7", None);
    table.wait(300);
    table.put("a6", Some('p'));
    table.wait(700);
    table.put("b5", None);
    table.wait(200);
    table.heard(Color::Black);
    table.wait(2000);
    assert_eq!(table.gaps(), []);
    table.unseen("b5a4");
    table.put("a4", Some('B'));
    table.wait(300);
    table.press();
    table.wait(1000);
    let board = "r1bqkbnr/1ppp1ppp/p1n5/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 4";
    let placement = |fen: &str| fen.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let gaps = table.gaps();
    assert_eq!(gaps.len(), 1, "{:?}", table.events);
    assert_eq!(placement(gaps[0].1.as_ref().unwrap()), placement(board));
    table.play("g8f6");
    assert_eq!(table.record(), "e2e4 e7e5 g8f6");
}

#[test]
fn a_press_heard_after_the_reply_does_not_tell_who_is_to_move() {
    let mut table = Table::new(true);
    table.play("e2e4 e7e5");
    table.outage("g1f3 b8c6", None);
    table.unseen("f1b5");
    table.show();
    table.wait(500);
    table.unseen("a7a6");
    table.show();
    table.wait(500);
    table.heard(Color::White);
    table.wait(700);
    assert_eq!(table.gaps(), []);
    table.press();
    table.wait(700);
    let gaps = table.gaps();
    assert!(gaps[0].1.as_ref().unwrap().contains(" w "), "{gaps:?}");
    table.play("b5a4");
    assert_eq!(table.record(), "e2e4 e7e5 b5a4");
}

#[test]
fn the_first_move_corrects_the_turn_and_accuses_nobody() {
    let mut table = Table::new(true);
    table.play("e2e4");
    table.outage("e7e5 g1f3 b8c6 f1b5", None);
    // The clock says that White's time runs: he has not pressed.
    table.tracker.handle_runs(table.at(), Color::White);
    table.wait(9000);
    assert_eq!(table.tracker.position().turn(), Color::White);
    table.unseen("a7a6");
    table.show();
    table.wait(200);
    table.press();
    table.wait(3000);
    let accused = |event: &TrackEvent| matches!(event, TrackEvent::Illegal { .. });
    assert!(!table.told(accused), "{:?}", table.events);
    assert_eq!(table.record(), "e2e4 a7a6");
    let last = table.gaps().pop().unwrap().1.unwrap();
    assert!(last.contains(" b "), "{last}");
    assert_eq!(table.tracker.position().turn(), Color::White);
}

#[test]
fn a_man_that_was_in_the_hand_comes_back_into_the_position() {
    let mut table = Table::new(true);
    table.play("e2e4");
    table.outage("e7e5 g1f3 b8c6 f1b5", None);
    table.put("d8", None);
    table.wait(9000);
    let first = table.gaps().remove(0).1.unwrap();
    assert!(first.starts_with("r1b1kbnr/"), "{first}");
    table.unseen("d8g5");
    table.put("g5", Some('q'));
    table.wait(200);
    table.press();
    table.wait(3000);
    let doubted = |event: &TrackEvent| {
        matches!(
            event,
            TrackEvent::Illegal { .. } | TrackEvent::Mismatch { .. }
        )
    };
    assert!(!table.told(doubted), "{:?}", table.events);
    let last = table.gaps().pop().unwrap().1.unwrap();
    assert!(last.contains("/1B2p1q1/") && last.contains(" w "), "{last}");
    table.play("f3g5");
    assert_eq!(table.record(), "e2e4 f3g5");
}

#[test]
fn a_square_misread_before_is_not_put_right_in_what_is_taken_over() {
    let mut table = Table::new(true);
    table.play("e2e4 e7e5 g1f3 b8c6");
    // The knight stands between two squares, and the bishop moves.
    table.put("f3", None);
    table.wait(10_000);
    table.put("f1", None);
    table.put("b5", Some('B'));
    table.wait(200);
    table.heard(Color::White);
    table.wait(1000);
    assert!(table.told(|event| matches!(event, TrackEvent::Mismatch { .. })));
    table.unseen("f1b5");
    // Out of sight it moves and is taken.
    table.outage("a7a6 f3e5 c6e5 b5a4", None);
    table.wait(12_000);
    assert!(table.told(|event| matches!(event, TrackEvent::MismatchOver { .. })));
    let last = table.gaps().pop().unwrap().1.unwrap();
    let board = "r1bqkbnr/1ppp1ppp/p7/4n3/B3P3/8/PPPP1PPP/RNBQK2R b";
    assert!(last.starts_with(board), "{last}");
}

/// The bytes of changes are lost while the line stays open; the whole picture tells of it afterwards.
#[test]
fn what_was_heard_between_two_pictures_that_disagree_is_not_believed() {
    let mut table = Table::new(true);
    table.play("e2e4 e7e5");
    let since = table.at();
    table.wait(1000);
    // The knight comes down on h3 and slides on to f3; the slide is lost, the press is heard.
    let mut board = table.game.board().clone();
    board.discard_piece_at(shakmaty::Square::G1);
    board.set_piece_at(shakmaty::Square::H3, Color::White.knight());
    table.show_board(&board);
    table.wait(200);
    table.heard(Color::White);
    table.wait(50);
    assert_eq!(table.record(), "e2e4 e7e5 g1h3");
    table.missed(since, "g1f3", Some(1));
    table.wait(9000);
    assert_eq!(table.record(), "e2e4 e7e5 g1f3");
    assert_eq!(table.gaps(), []);
    table.play("b8c6");
    assert_eq!(table.tracker.position(), &table.game);
}

#[test]
fn a_press_heard_after_the_last_good_picture_proves_no_move() {
    let mut table = Table::new(true);
    table.play("e2e4 e7e5");
    table.wait(1000);
    let mut board = table.game.board().clone();
    board.discard_piece_at(shakmaty::Square::G1);
    board.set_piece_at(shakmaty::Square::H3, Color::White.knight());
    table.show_board(&board);
    table.wait(500);
    // Until here all was heard: the knight rested on h3.
    let since = table.at();
    table.wait(1500);
    table.heard(Color::White);
    table.missed(since, "g1f3", Some(1));
    table.wait(9000);
    assert_eq!(table.record(), "e2e4 e7e5 g1f3");
    assert_eq!(table.gaps(), []);
}

#[test]
fn kings_on_their_way_to_the_centre_do_not_change_who_is_to_move() {
    let mut table = Table::new(true);
    table.play("e2e4 e7e5 e1e2 e8e7 e2e3 e7e6");
    table.outage("g1f3 b8c6 f1b5", None);
    table.wait(9000);
    let gaps = table.gaps();
    assert!(gaps[0].1.as_ref().unwrap().contains(" b "), "{gaps:?}");
    table.tracker.handle_clock_running(table.at(), false);
    table.put("e3", None);
    table.wait(500);
    table.put("d3", Some('K'));
    table.wait(9000);
    assert_eq!(table.gaps().len(), 1, "{:?}", table.events);
}

/// R-RS-6: an illegal move is claimed before the opponent moves himself; what he has answered stands, and
/// the record goes on from there.
#[test]
fn an_illegal_move_that_is_answered_is_played_on() {
    let mut table = Table::new(true);
    table.play("e2e4 e7e5");
    // The bishop jumps over its pawn.
    table.put("f1", None);
    table.put("c5", Some('B'));
    table.wait(200);
    table.heard(Color::White);
    table.wait(2000);
    assert!(table.told(|event| matches!(event, TrackEvent::Illegal { .. })));
    table.put("g8", None);
    table.wait(300);
    table.put("f6", Some('n'));
    table.wait(200);
    table.heard(Color::Black);
    table.wait(1000);
    let resolved = TrackEvent::IllegalResolved { restored: false };
    assert!(table.events.contains(&resolved), "{:?}", table.events);
    let start = "rnbqkbnr/pppp1ppp/8/2B1p3/4P3/8/PPPP1PPP/RNBQK1NR b KQkq - 0 2";
    assert_eq!(table.gaps(), [(2, Some(start.to_owned()))]);
    table.put("d2", None);
    table.put("d4", Some('P'));
    table.wait(200);
    table.heard(Color::White);
    table.wait(1000);
    assert_eq!(table.record(), "e2e4 e7e5 g8f6 d2d4");
}

/// The arbiter has the position restored: that is no answer.
#[test]
fn an_illegal_move_that_is_taken_back_leaves_no_gap() {
    let mut table = Table::new(true);
    table.play("e2e4 e7e5");
    table.put("f1", None);
    table.put("c5", Some('B'));
    table.wait(200);
    table.heard(Color::White);
    table.wait(2000);
    table.put("c5", None);
    table.wait(400);
    table.put("f1", Some('B'));
    table.wait(3000);
    assert_eq!(table.gaps(), []);
    table.play("g1f3 b8c6");
    assert_eq!(table.record(), "e2e4 e7e5 g1f3 b8c6");
}
