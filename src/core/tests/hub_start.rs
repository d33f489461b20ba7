//! Rounds that do not start from the usual position: drawn by number, set by FEN, or recognised.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

use flagfall_core::{
    chess::{Start, Variant, placement::turned},
    hub::{
        Hub, HubSettings,
        command::{Command, Refused, Request},
        event::{AlertKind, BoardFact, Event, Fact, SetUp},
        state::HallState,
    },
    protocol::{DeviceInfo, Observation},
    tournament::{EventSettings, PairingSystem, Player, event::DefaultTime},
    types::{Bitboard, DeviceId, Mono, Now, Placement, PlayerNo, TableNo},
};
use shakmaty::{Chess, Position, uci::UciMove};

const TABLE: TableNo = TableNo(1);

fn at(ms: u64) -> Now {
    let start: jiff::Timestamp = "2026-12-05T08:00:00Z".parse().unwrap();
    let since = std::time::Duration::from_millis(ms);
    Now {
        utc: start.checked_add(since).unwrap(),
        mono: Mono::from_millis(ms),
    }
}

struct Hall {
    hub: Hub,
    now: u64,
    journal: Vec<Event>,
}

impl Hall {
    fn new(variant: Variant) -> Self {
        let mut settings = EventSettings::new("Cup", "open".parse().unwrap(), None);
        settings.system = PairingSystem::by_name("dutch").unwrap();
        settings.rounds = Some(1);
        settings.default_time = DefaultTime::None;
        settings.variant = variant;
        let players = (1..=4)
            .map(|no| Player::new(PlayerNo(no), format!("Player {no}")))
            .collect();
        let mut hall = Self {
            hub: Hub::new(HubSettings::default(), HallState::default(), at(0)),
            now: 0,
            journal: Vec::new(),
        };
        hall.hub.handle_set_up(at(0), SetUp { settings, players });
        hall.ask(Command::PairRound).unwrap();
        assert!(matches!(hall.draw(Some(0)), Err(Refused::Conflict(_))));
        hall.ask(Command::PublishRound).unwrap();
        hall.find_board();
        let device: DeviceId = hall.hub.state().devices.keys().next().unwrap().clone();
        hall.ask(Command::AssignDevice {
            device,
            table: Some(TABLE),
        })
        .unwrap();
        hall
    }

    fn find_board(&mut self) {
        self.observe(Observation::Found(DeviceInfo {
            family: "dgt".to_owned(),
            serial: Some("12345".to_owned()),
            version: None,
        }));
    }

    fn ask(&mut self, command: Command) -> Result<(), Refused> {
        let by = "Vira".to_owned();
        let done = self
            .hub
            .handle_request(at(self.now), Request { by, command });
        self.drain();
        done
    }

    fn draw(&mut self, number: Option<u16>) -> Result<(), Refused> {
        self.ask(Command::SetStart {
            table: None,
            number,
            fen: None,
        })
    }

    fn set_fen(&mut self, fen: &str) -> Result<(), Refused> {
        self.ask(Command::SetStart {
            table: Some(TABLE),
            number: None,
            fen: Some(fen.to_owned()),
        })
    }

    fn observe(&mut self, observation: Observation) {
        self.hub
            .handle_observation(at(self.now), "port", observation);
        self.drain();
    }

    fn stand(&mut self, players: &Placement) {
        let placement = turned(players);
        self.observe(Observation::Placement {
            placement,
            change: None,
        });
        self.wait(3000);
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

    fn play(&mut self, position: &mut Chess, moves: &str) {
        for uci in moves.split(' ') {
            let uci: UciMove = uci.parse().unwrap();
            position.play_unchecked(uci.to_move(position).unwrap());
            self.stand(&position.board().clone());
        }
    }

    fn moves(&self) -> Vec<&str> {
        let game = self.hub.state().game(TABLE).unwrap();
        game.moves.iter().map(|played| &*played.uci).collect()
    }

    fn pgn(&self) -> String {
        self.hub.game_view(TABLE, None).unwrap().pgn
    }

    fn wrong(&self) -> bool {
        let mut alerts = self.hub.state().alerts.values();
        alerts.any(|alert| alert.about == AlertKind::WrongSetUp)
    }

    /// The hub goes down and comes back with what the journal says.
    fn restart(&mut self) {
        let text: Vec<String> = self
            .journal
            .iter()
            .map(|event| serde_json::to_string(event).unwrap())
            .collect();
        let mut state = HallState::default();
        for line in text {
            state.apply(&serde_json::from_str(&line).unwrap());
        }
        self.hub = Hub::new(HubSettings::default(), state, at(self.now));
        self.find_board();
    }
}

#[test]
fn a_drawn_position_is_played_and_survives_a_restart() {
    let mut hall = Hall::new(Variant::Chess960);
    hall.draw(Some(0)).unwrap();
    hall.ask(Command::StartRound).unwrap();
    let start = Start::chess960(0).unwrap();
    // Another of the 960 is not the drawn one.
    hall.stand(Start::chess960(1).unwrap().board());
    hall.wait(70_000);
    assert!(hall.wrong());
    hall.stand(start.board());
    assert!(!hall.wrong());
    let mut position = start.position().clone();
    hall.play(&mut position, "e1d3 e8d6");
    hall.restart();
    hall.stand(position.board());

    hall.play(&mut position, "d3e5 d6e4");
    assert_eq!(hall.moves(), ["e1d3", "e8d6", "d3e5", "d6e4"]);
    let text = hall.pgn();
    assert!(
        text.contains("[Variant \"Chess960\"]\n[SetUp \"1\"]"),
        "{text}"
    );
    assert!(text.contains("PPPPPPPP/BBQNNRKR w KQkq - 0 1"), "{text}");
    assert!(matches!(hall.draw(Some(1)), Err(Refused::Conflict(_))));
    // Said once by the arbiter, and not again by the board.
    let said = |event: &&Event| {
        event.table == Some(TABLE)
            && matches!(event.fact, Fact::Board(BoardFact::StartsFrom { .. }))
    };
    assert_eq!(hall.journal.iter().filter(said).count(), 1);
}

#[test]
fn without_a_number_the_board_says_it() {
    let mut hall = Hall::new(Variant::Chess960);
    hall.ask(Command::StartRound).unwrap();
    let fen = "rnbqnbkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQNBKR w KQkq - 0 1";
    let start = Start::from_fen(fen, Variant::Chess960).unwrap();
    assert!(start.number().is_some());
    hall.stand(start.board());
    let mut position = start.position().clone();
    hall.play(&mut position, "e2e3 e7e6 f1d3 f8d6");
    hall.restart();
    hall.stand(position.board());
    // The king stays and the rook passes it.
    hall.play(&mut position, "g1h1 g8h8");
    assert_eq!(
        hall.moves(),
        ["e2e3", "e7e6", "f1d3", "f8d6", "g1h1", "g8h8"]
    );
    let text = hall.pgn();
    assert!(text.contains("3. O-O O-O"), "{text}");
    assert!(text.contains(&format!("[FEN \"{fen}\"]")), "{text}");
}

#[test]
fn a_handicap_is_set_for_one_table() {
    let mut hall = Hall::new(Variant::Standard);
    hall.ask(Command::StartRound).unwrap();
    assert!(matches!(hall.draw(Some(518)), Err(Refused::Conflict(_))));
    assert!(matches!(hall.draw(None), Err(Refused::Invalid(_))));
    assert!(matches!(hall.set_fen("nonsense"), Err(Refused::Invalid(_))));
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1";
    let start = Start::from_fen(fen, Variant::Standard).unwrap();
    hall.stand(start.board());
    hall.wait(70_000);
    assert!(hall.wrong());
    hall.set_fen(fen).unwrap();
    hall.wait(3000);
    assert!(!hall.wrong());
    let mut position = start.position().clone();
    hall.play(&mut position, "e2e4 e7e5");
    assert_eq!(hall.moves(), ["e2e4", "e7e5"]);
    let text = hall.pgn();
    assert!(text.contains(&format!("[FEN \"{fen}\"]")), "{text}");
    assert!(!text.contains("Variant"), "{text}");
    // The other table plays from the usual position.
    assert!(hall.hub.state().game(TableNo(2)).unwrap().start.is_none());
}

#[test]
fn a_board_that_does_not_know_its_men_is_no_witness() {
    let mut hall = Hall::new(Variant::Chess960);
    hall.ask(Command::StartRound).unwrap();
    hall.observe(Observation::Occupancy {
        occupied: Bitboard(0xffff_0000_0000_ffff),
        change: None,
    });
    hall.wait(5000);
    assert!(hall.wrong());
    for occupied in [0xffff_0000_0000_efff, 0xffff_0000_1000_efff] {
        hall.observe(Observation::Occupancy {
            occupied: Bitboard(occupied),
            change: None,
        });
        hall.wait(5000);
    }
    assert!(hall.moves().is_empty());
}
