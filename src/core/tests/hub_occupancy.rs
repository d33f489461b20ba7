//! A table whose board only tells occupied from empty squares: its moves are journalled, what the board
//! cannot tell is asked, and an arbiter's answer settles it.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

use flagfall_core::{
    hub::{
        Hub, HubSettings,
        command::{Command, Refused, Request},
        event::{AlertKind, BoardFact, Event, Fact, SetUp},
        state::HallState,
        view::QuestionView,
    },
    protocol::{DeviceInfo, Observation, Touch},
    tournament::{EventSettings, PairingSystem, Player, event::DefaultTime},
    types::{Bitboard, DeviceId, Mono, Now, PlayerNo, Square, TableNo},
};

const TABLE: TableNo = TableNo(1);

struct Hall {
    hub: Hub,
    now: u64,
    journal: Vec<Event>,
    occupied: Bitboard,
}

impl Hall {
    fn new() -> Self {
        let mut settings = EventSettings::new("Cup", "open".parse().unwrap(), None);
        settings.system = PairingSystem::by_name("dutch").unwrap();
        settings.rounds = Some(1);
        settings.default_time = DefaultTime::None;
        let players = (1..=2)
            .map(|no| Player::new(PlayerNo(no), format!("Player {no}")))
            .collect();
        let mut hall = Self {
            hub: Hub::new(HubSettings::default(), HallState::default(), at(0)),
            now: 0,
            journal: Vec::new(),
            occupied: Bitboard(0xffff_0000_0000_ffff),
        };
        hall.hub.handle_set_up(at(0), SetUp { settings, players });
        for command in [
            Command::PairRound,
            Command::PublishRound,
            Command::StartRound,
        ] {
            hall.ask(command).unwrap();
        }
        let info = DeviceInfo {
            family: "dgt-pegasus".to_owned(),
            serial: Some("12345".to_owned()),
            version: None,
        };
        hall.observe(Observation::Found(info));
        let device: DeviceId = hall.hub.state().devices.keys().next().unwrap().clone();
        hall.ask(Command::AssignDevice {
            device,
            table: Some(TABLE),
        })
        .unwrap();
        hall.show(None);
        hall.wait(3000);
        hall
    }

    fn ask(&mut self, command: Command) -> Result<(), Refused> {
        let by = "Vira".to_owned();
        let done = self
            .hub
            .handle_request(at(self.now), Request { by, command });
        self.drain();
        done
    }

    fn tell(&mut self, moves: &str) -> Result<(), Refused> {
        self.ask(Command::TellMoves {
            table: TABLE,
            moves: moves.split(' ').map(str::to_owned).collect(),
        })
    }

    fn observe(&mut self, observation: Observation) {
        self.hub
            .handle_observation(at(self.now), "port", observation);
        self.drain();
    }

    fn show(&mut self, change: Option<Touch>) {
        let occupied = self.occupied;
        self.observe(Observation::Occupancy { occupied, change });
    }

    fn wait(&mut self, ms: u64) {
        let until = self.now + ms;
        while let Some(due) = self.hub.poll_timeout() {
            if due > Mono::from_millis(until) {
                break;
            }
            self.now = self.now.max(u64::try_from(due.0.as_millis()).unwrap() + 1);
            self.hub.handle_timeout(at(self.now));
            self.drain();
        }
        self.now = self.now.max(until);
    }

    fn drain(&mut self) {
        while let Some(event) = self.hub.poll_event() {
            self.journal.push(event);
        }
    }

    /// Lifts and puts, `e2- e4+`, one second apart.
    fn hands(&mut self, script: &str) {
        for word in script.split_whitespace() {
            let (square, what) = word.split_at(2);
            let square: Square = square.parse().unwrap();
            let present = what == "+";
            self.occupied.set(square, present);
            self.show(Some(Touch { square, present }));
            self.wait(1000);
        }
        self.wait(2000);
    }

    fn moves(&self) -> Vec<&str> {
        let game = self.hub.state().game(TABLE).unwrap();
        game.moves.iter().map(|played| &*played.uci).collect()
    }

    fn question(&self) -> Option<String> {
        let mut alerts = self.hub.state().alerts.values();
        let open = alerts.find(|alert| alert.about == AlertKind::WhichMove)?;
        Some(open.text.clone())
    }

    /// What the pages offer for an answer.
    fn readings(&self) -> Option<QuestionView> {
        self.hub.table_view(TABLE, at(self.now)).question
    }
}

fn at(ms: u64) -> Now {
    let start: jiff::Timestamp = "2026-12-05T08:00:00Z".parse().unwrap();
    Now {
        mono: Mono::from_millis(ms),
        utc: start + jiff::SignedDuration::from_millis(i64::try_from(ms).unwrap()),
    }
}

/// White promotes in the fifth move.
const TO_H8: &str =
    "h2- h4+ g7- g5+ h4- g5- g5+ h7- h6+ g5- h6- h6+ g8- f6+ h6- h7+ h8- g8+ h7- h8+";

#[test]
fn moves_are_journalled_a_promotion_is_asked_and_the_answer_settles_it() {
    let mut hall = Hall::new();
    assert!(hall.hub.state().game(TABLE).unwrap().ready);
    hall.hands(TO_H8);
    let before = [
        "h2h4", "g7g5", "h4g5", "h7h6", "g5h6", "g8f6", "h6h7", "h8g8",
    ];
    assert_eq!(hall.moves(), before);
    assert_eq!(hall.hub.state().game(TABLE).unwrap().turned, Some(false));
    assert_eq!(hall.question(), None, "later moves may tell");
    assert_eq!(hall.readings(), None);
    hall.wait(12_000);
    let text = hall.question().unwrap();
    assert!(
        text.contains("promoted on h8 in move 5") && text.contains("queen, "),
        "{text}"
    );
    let readings = hall.readings().unwrap();
    assert_eq!(readings.ply, 9);
    let queen = readings.moves.iter().find(|each| each.uci == "h7h8q");
    assert_eq!(queen.map(|each| each.san.as_str()), Some("h8=Q"));
    // The game goes on meanwhile.
    hall.hands("e7- e6+");
    assert_eq!(hall.moves(), before);
    assert!(matches!(
        hall.tell("h7h8k"),
        Err(Refused::Conflict(_) | Refused::Invalid(_))
    ));
    hall.tell("h7h8q").unwrap();
    assert_eq!(hall.moves()[8..], ["h7h8q", "e7e6"]);
    assert_eq!(hall.question(), None);
    assert_eq!(hall.readings(), None);
    let by = |event: &Event| matches!(&event.fact, Fact::Board(BoardFact::Answered { by, .. }) if by == "Vira");
    assert!(hall.journal.iter().any(by));
}

#[test]
fn a_question_outlives_the_result() {
    let mut hall = Hall::new();
    hall.hands(TO_H8);
    hall.ask(Command::SetResult {
        table: TABLE,
        result: "1-0".into(),
        termination: None,
        note: None,
    })
    .unwrap();
    assert!(hall.question().is_some(), "no move will tell any more");
    assert!(hall.readings().is_some());
    hall.tell("h7h8r").unwrap();
    assert_eq!(hall.moves().last(), Some(&"h7h8r"));
    assert_eq!(hall.question(), None);
    assert!(hall.hub.state().game(TABLE).unwrap().gaps.is_empty());
}

/// Laws 4.3, for the arbiter to judge: nobody hears a “j’adoube”.
#[test]
fn a_man_that_was_touched_before_another_moved_is_remarked_on_the_games_page() {
    let mut hall = Hall::new();
    hall.hands("e2- e4+ e7- e5+ g1- g1+ b1- c3+ b8- b8+ b8- c6+ c6- c6+ f1- c4+");
    assert_eq!(hall.moves(), ["e2e4", "e7e5", "b1c3", "b8c6", "f1c4"]);
    let mut sheet = hall.hub.sheet(TABLE, None).unwrap();
    hall.journal.iter().for_each(|event| sheet.apply(event));
    let sheet = sheet.finish();
    let lifted: Vec<(&str, &str)> = sheet
        .notes
        .iter()
        .filter(|note| note.text.contains("ifted and put back"))
        .map(|note| (note.kind.as_str(), note.text.as_str()))
        .collect();
    assert_eq!(
        lifted,
        [
            (
                "touch",
                "White’s knight on g1 was lifted and put back, then White moved another man: 2. Nc3. Touch-move is \
                 for the arbiter to judge (Laws 4.2, 4.3)."
            ),
            // The same man moved.
            ("board", "Lifted and put back: Black’s knight on b8."),
            // Black's man at White's turn: whose hand it was is not known.
            ("board", "Lifted and put back: Black’s knight on c6."),
        ]
    );
}

#[test]
fn a_board_that_knows_its_men_has_nothing_to_ask() {
    let mut hall = Hall::new();
    hall.observe(Observation::Placement {
        placement: flagfall_core::types::Placement::new(),
        change: None,
    });
    assert!(matches!(hall.tell("e2e4"), Err(Refused::Conflict(_))));
    assert!(matches!(
        hall.ask(Command::TellMoves {
            table: TableNo(7),
            moves: vec!["e2e4".into()],
        }),
        Err(Refused::NotFound { .. })
    ));
}
