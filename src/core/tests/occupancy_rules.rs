//! Single things that hands do on a board that only tells occupied from empty squares.

// A case that is written wrongly must fail loudly.
#![allow(clippy::unwrap_used)]

use flagfall_core::{
    chess::{
        IllegalReason, OccupancyTracker, TrackEvent, TrackStatus, TrackerSettings, Witness,
        occupancy::AnswerError, result::Outcome,
    },
    protocol::Touch,
    types::{Bitboard, Color, Mono, Square},
};
use shakmaty::{Position, uci::UciMove};

const HOME: Bitboard = Bitboard(0xffff_0000_0000_ffff);

struct Table {
    tracker: OccupancyTracker,
    occupied: Bitboard,
    now: u64,
    events: Vec<TrackEvent>,
}

impl Table {
    fn new(turned: Option<bool>) -> Self {
        let settings = TrackerSettings {
            turned,
            ..TrackerSettings::default()
        };
        Self::on(OccupancyTracker::new(settings), HOME)
    }

    fn from(fen: &str) -> Self {
        let settings = TrackerSettings::default();
        let tracker = OccupancyTracker::restore(settings, Some(fen), &[], Some(false)).unwrap();
        let occupied = tracker.position().board().occupied();
        Self::on(tracker, occupied)
    }

    fn on(tracker: OccupancyTracker, occupied: Bitboard) -> Self {
        let mut table = Self {
            tracker,
            occupied,
            now: 1000,
            events: Vec::new(),
        };
        table.show(None);
        table.wait(3000);
        table
    }

    fn at(&self) -> Mono {
        Mono::from_millis(self.now)
    }

    fn show(&mut self, change: Option<Touch>) {
        let (at, occupied) = (self.at(), self.occupied);
        self.tracker.handle_occupancy(at, occupied, change);
        self.drain();
    }

    fn drain(&mut self) {
        while let Some(event) = self.tracker.poll_event() {
            self.events.push(event);
        }
    }

    fn wait(&mut self, ms: u64) {
        let until = self.now + ms;
        while let Some(due) = self.tracker.poll_timeout() {
            if due > Mono::from_millis(until) {
                break;
            }
            self.tracker.handle_timeout(due);
            self.drain();
        }
        self.now = until;
    }

    /// Lifts (`e2-`) and puts (`e4+`), 200 ms apart; `w` and `b` press the clock; a number waits so
    /// many milliseconds more.
    fn run(&mut self, script: &str) -> &mut Self {
        for word in script.split_whitespace() {
            self.wait(200);
            match word {
                "w" | "b" => {
                    let mover = Color::from_white(word == "w");
                    self.tracker.handle_press(self.at(), mover);
                    self.drain();
                }
                _ if word.chars().all(char::is_numeric) => self.wait(word.parse().unwrap()),
                _ => {
                    let (square, what) = word.split_at(2);
                    let square: Square = square.parse().unwrap();
                    let present = what == "+";
                    self.occupied.set(square, present);
                    self.show(Some(Touch { square, present }));
                }
            }
        }
        self
    }

    fn moves(&self) -> String {
        let moves: Vec<_> = self.tracker.moves().iter().map(|it| &*it.uci).collect();
        moves.join(" ")
    }

    fn questions(&self) -> Vec<Vec<String>> {
        let question = |event: &TrackEvent| match event {
            TrackEvent::Question { moves, .. } => Some(moves.clone()),
            _ => None,
        };
        self.events.iter().filter_map(question).collect()
    }
}

#[test]
fn moves_in_every_order_of_hands() {
    let cases = [
        // As the published streams of such boards have them.
        (
            "e2- e4+ e7- e5+ g1- f3+ b8- c6+ f1- c4+ f8- c5+ e1- g1+ h1- f1+ 1000",
            "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1",
        ),
        (
            "e2- e4+ e7- e5+ g1- f3+ b8- c6+ d2- d4+ d4- e5- d4+ 1500 f3- d4- d4+ 1500 c6- d4- d4+ 1500",
            "e2e4 e7e5 g1f3 b8c6 d2d4 e5d4 f3d4 c6d4",
        ),
        // The rook first, and a long pause between rook and king.
        (
            "e2- e4+ e7- e5+ g1- f3+ b8- c6+ f1- c4+ f8- c5+ h1- f1+ 3000 e1- g1+ 1000",
            "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1",
        ),
        // En passant with the victim late.
        (
            "e2- e4+ 700 a7- a6+ 700 e4- e5+ 700 d7- d5+ 700 e5- d6+ 4000 d5- 1000",
            "e2e4 a7a6 e4e5 d7d5 e5d6",
        ),
        // A man in the hand for ten minutes, another adjusted, one returned and another moved.
        (
            "e2- 600000 e4+ 700 d7- d7+ 700 e7- e7+ c7- c5+ 1000",
            "e2e4 c7c5",
        ),
        // The opponent lifts before the man is put down.
        ("e2- e7- e4+ e5+ 1000", "e2e4 e7e5"),
        // A move taken back.
        ("e2- e4+ 1000 e4- e2+ 2500 d2- d4+ 1000", "d2d4"),
    ];
    for (script, expected) in cases {
        for turned in [Some(false), None] {
            let mut table = Table::new(turned);
            table.run(script);
            assert_eq!(table.moves(), expected, "{script}");
            assert_eq!(table.questions(), Vec::<Vec<String>>::new());
        }
    }
}

#[test]
fn a_man_that_is_gone_has_taken_only_if_the_clock_or_the_reply_says_so() {
    let fen = "4k3/8/8/3p4/4P3/8/4K3/8 w - - 0 1";
    let mut table = Table::from(fen);
    table.run("e4- 60000");
    assert_eq!(table.moves(), "");
    assert_eq!(
        table.tracker.status(),
        TrackStatus::InHand {
            squares: vec!["e4".into()]
        }
    );
    table.run("w 1500");
    assert_eq!(table.moves(), "e4d5");
    assert!(table.tracker.moves()[0].inferred);
    let mut table = Table::from(fen);
    table.run("e4- 3000 e8- e7+ 1500");
    assert_eq!(table.moves(), "e4d5 e8e7");
}

#[test]
fn two_captures_that_fit_are_asked_and_never_picked() {
    let fen = "4k3/8/8/3p1p2/4P3/8/4K3/8 w - - 0 1";
    let mut table = Table::from(fen);
    table.run("e4- w 1500");
    assert_eq!(table.moves(), "");
    table.run("e8- e7+ b 1500 e2- e3+ w 12000");
    assert_eq!(table.moves(), "");
    assert_eq!(table.questions(), [["e4d5", "e4f5"]]);
    let told: UciMove = "e4f5".parse().unwrap();
    table.tracker.answer(table.at(), &[told]).unwrap();
    table.drain();
    assert_eq!(table.moves(), "e4f5 e8e7 e2e3");
    assert!(
        table
            .events
            .contains(&TrackEvent::QuestionClosed { ply: 1 })
    );

    // Black's pawn moves on: it was not the one that was taken.
    let mut table = Table::from(fen);
    table.run("e4- w 1500 d5- d4+ b 1500");
    assert_eq!(table.moves(), "e4f5 d5d4");
    assert_eq!(table.questions(), Vec::<Vec<String>>::new());
}

#[test]
fn a_promoted_man_shows_itself_or_is_asked_for() {
    let fen = "8/4P2k/8/8/8/8/8/4K3 w - - 0 1";
    let mut table = Table::from(fen);
    table.run("e7- e8+ w 1500 h7- g7+ b 1500");
    assert_eq!(table.moves(), "");
    // As a bishop and as a rook: a queen.
    table.run("e8- h5+ w 1500 g7- f6+ b 1500 h5- h1+ w 1500");
    assert_eq!(table.moves(), "e7e8q h7g7 e8h5 g7f6 h5h1");

    let mut table = Table::from(fen);
    table.run("e7- e8+ w 12000");
    let asked = table.questions();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].len(), 4);
    assert_eq!(
        table
            .tracker
            .answer(table.at(), &["e7e8k".parse().unwrap()]),
        Err(AnswerError::Illegal {
            uci: "e7e8k".into()
        })
    );
    table
        .tracker
        .answer(table.at(), &["e7e8n".parse().unwrap()])
        .unwrap();
    assert_eq!(table.moves(), "e7e8n");
}

#[test]
fn the_first_move_tells_from_which_side() {
    let mut table = Table::new(None);
    assert_eq!(table.events, [TrackEvent::StartAssumed]);
    // White at the wire's rank 8 plays e2-e4.
    table.run("d7- d5+ 1000 d2- d4+ 1000");
    assert_eq!(table.moves(), "e2e4 e7e5");
    assert_eq!(table.tracker.turned(), Some(true));
    assert!(table.events.contains(&TrackEvent::SetUp { turned: true }));
    let mut told = Table::new(Some(true));
    assert_eq!(told.events, [TrackEvent::SetUp { turned: true }]);
    told.run("d7- d5+ 1000");
    assert_eq!(told.moves(), "e2e4");
}

#[test]
fn kings_in_the_centre_show_the_result_whichever_stands_where() {
    let fen = "6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1";
    for (script, expected) in [
        ("g1- g8- e4+ d5+ 6000", Outcome::White),
        ("g8- d4+ g1- e5+ 6000", Outcome::Black),
        ("g1- d4+ g8- d5+ 6000", Outcome::Draw),
    ] {
        let mut table = Table::from(fen);
        table.run(script);
        let result = table.events.iter().find_map(|event| match event {
            TrackEvent::ResultByKings { outcome, .. } => Some(*outcome),
            _ => None,
        });
        assert_eq!(result, Some(expected), "{script}");
        assert_eq!(table.moves(), "", "{script}");
    }
}

#[test]
fn a_forbidden_move_is_a_claim() {
    use IllegalReason::{KingInCheck, PieceMovement};
    let cases = [
        (
            "4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1",
            "a1- a4+ w 2000",
            KingInCheck,
        ),
        (
            "4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1",
            "a1- b3+ w 2000",
            PieceMovement,
        ),
        (
            "4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1",
            "a1- b3+ 4000",
            PieceMovement,
        ),
    ];
    for (fen, script, reason) in cases {
        let mut table = Table::from(fen);
        table.run(script);
        let claim = table.events.iter().find_map(|event| match event {
            TrackEvent::Illegal {
                reasons, offending, ..
            } => Some((offending.clone(), reasons.clone())),
            _ => None,
        });
        let offending = format!("{}{}", &script[..2], &script[4..6]);
        assert_eq!(claim, Some((offending, vec![reason])), "{script}");
        assert_eq!(table.moves(), "");
        // The arbiter restores the position.
        table.run(&format!("{}- {}+ 2000", &script[4..6], &script[..2]));
        let resolved = TrackEvent::IllegalResolved { restored: true };
        assert!(table.events.contains(&resolved), "{:?}", table.events);
    }
}

#[test]
fn an_outage_is_bridged_by_the_only_line_or_waits_for_the_arbiter() {
    let mut table = Table::new(Some(false));
    table.run("e2- e4+ 1000");
    table.tracker.handle_outage(table.at());
    table.occupied = table.occupied.without(Square::E7).with(Square::E5);
    table.show(None);
    table.wait(5000);
    assert_eq!(table.moves(), "e2e4 e7e5");
    assert!(table.tracker.in_sight());

    // Many moves were missed: nothing is taken for a move, and the arbiter tells them.
    table.tracker.handle_outage(table.at());
    let witness = Witness {
        ran: Some(Color::White),
        runs: Some(Color::White),
        presses: Some(6),
    };
    table.tracker.handle_witness(table.at(), witness);
    for (from, to) in [
        (Square::G1, Square::F3),
        (Square::B8, Square::C6),
        (Square::F1, Square::C4),
        (Square::F8, Square::C5),
        (Square::D2, Square::D3),
        (Square::G8, Square::F6),
    ] {
        table.occupied = table.occupied.without(from).with(to);
    }
    table.show(None);
    table.wait(15_000);
    assert_eq!(table.moves(), "e2e4 e7e5");
    let unexplained = |event: &TrackEvent| matches!(event, TrackEvent::Unexplained { .. });
    assert!(table.events.iter().any(unexplained));
    let told = |moves: &str| -> Vec<UciMove> {
        moves.split(' ').map(|uci| uci.parse().unwrap()).collect()
    };
    let wrong = table.tracker.answer(table.at(), &told("g1f3 b8c6"));
    assert_eq!(wrong, Err(AnswerError::NotOnTheBoard));
    let missed = told("g1f3 b8c6 f1c4 f8c5 d2d3 g8f6");
    table.tracker.answer(table.at(), &missed).unwrap();
    table.drain();
    assert!(table.events.contains(&TrackEvent::Explained));
    table.run("e1- g1+ h1- f1+ 1500");
    assert_eq!(
        table.moves(),
        "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 d2d3 g8f6 e1g1"
    );
}

#[test]
fn time_that_runs_backwards_is_refused() {
    let mut table = Table::new(Some(false));
    table.run("e2- e4+ 1000");
    let before = table.moves();
    table.tracker.handle_timeout(Mono::ZERO);
    table.tracker.handle_press(Mono::ZERO, Color::Black);
    let due = table.tracker.poll_timeout();
    assert!(due.is_none_or(|due| due >= Mono::from_millis(table.now)));
    assert_eq!(table.moves(), before);
}
