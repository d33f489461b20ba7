//! Boards find their tables: by the white king, over clashes of serial numbers, and in the middle of a game.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

use flagfall_core::{
    hub::{
        Hub, HubSettings,
        command::{Command, Refused, Request},
        event::{AlertFact, AlertKind, Event, Fact, SetUp},
        state::HallState,
    },
    protocol::{DeviceInfo, LostReason, Observation, SquareChange},
    tournament::{EventSettings, PairingSystem, Player, event::DefaultTime},
    types::{Color, DeviceId, Mono, Now, Piece, Placement, PlayerNo, Role, Square, TableNo},
};

struct Hall {
    hub: Hub,
    now: u64,
    journal: Vec<Event>,
}

impl Hall {
    fn new() -> Self {
        let mut settings = EventSettings::new("Cup", "open".parse().unwrap(), None);
        settings.system = PairingSystem::by_name("dutch").unwrap();
        settings.rounds = Some(1);
        settings.default_time = DefaultTime::None;
        let players = (1..=4)
            .map(|no| Player::new(PlayerNo(no), format!("Player {no}")))
            .collect();
        let mut hall = Self {
            hub: Hub::new(HubSettings::default(), HallState::default(), at(0)),
            now: 0,
            journal: Vec::new(),
        };
        hall.hub.handle_set_up(at(0), SetUp { settings, players });
        hall.drain();
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

    fn observe(&mut self, port: &str, observation: Observation) {
        self.hub.handle_observation(at(self.now), port, observation);
        self.drain();
    }

    fn find(&mut self, port: &str, serial: &str) {
        let info = DeviceInfo {
            family: "dgt-board".to_owned(),
            serial: Some(serial.to_owned()),
            version: None,
        };
        self.observe(port, Observation::Found(info));
    }

    fn show(&mut self, port: &str, placement: &Placement) {
        let placement = placement.clone();
        self.observe(
            port,
            Observation::Placement {
                placement,
                change: None,
            },
        );
    }

    /// Lifts the man from a square and puts him on another one.
    fn play(&mut self, port: &str, board: &mut Placement, from: Square, to: Square) {
        let piece = board.remove_piece_at(from).unwrap();
        self.changed(port, board, from, None);
        board.set_piece_at(to, piece);
        self.changed(port, board, to, Some(piece));
    }

    fn changed(&mut self, port: &str, board: &Placement, square: Square, piece: Option<Piece>) {
        let change = Some(SquareChange { square, piece });
        let placement = board.clone();
        self.observe(port, Observation::Placement { placement, change });
        self.wait(2_000);
    }

    fn lift_king(&mut self, port: &str) {
        let mut board = Placement::new();
        self.show(port, &board);
        board.discard_piece_at(Square::E1);
        self.show(port, &board);
        self.show(port, &Placement::new());
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

    fn table_of(&self, device: &str) -> Option<u16> {
        let devices = &self.hub.state().devices;
        devices[&DeviceId(device.to_owned())]
            .table
            .map(|table| table.0)
    }

    fn raised(&self, kind: AlertKind) -> usize {
        let alerts = self.journal.iter().filter(|event| {
            matches!(&event.fact, Fact::Alert(AlertFact::Raised { about, .. }) if *about == kind)
        });
        alerts.count()
    }
}

fn at(ms: u64) -> Now {
    let start: jiff::Timestamp = "2026-12-05T08:00:00Z".parse().unwrap();
    Now {
        mono: Mono::from_millis(ms),
        utc: start + std::time::Duration::from_millis(ms),
    }
}

#[test]
fn the_white_king_says_which_board_is_the_tables() {
    let mut hall = Hall::new();
    hall.find("a", "3000100001");
    hall.find("b", "3000100002");
    // Nobody waits for a king.
    hall.lift_king("a");
    assert_eq!(hall.table_of("dgt-3000100001"), None);
    hall.ask(Command::AwaitKing { table: TableNo(7) }).unwrap();
    hall.lift_king("b");
    assert_eq!(hall.table_of("dgt-3000100002"), Some(7));
    // Once.
    hall.lift_king("a");
    assert_eq!(hall.table_of("dgt-3000100001"), None);
    // And not for ever.
    hall.ask(Command::AwaitKing { table: TableNo(8) }).unwrap();
    hall.wait(121_000);
    hall.lift_king("a");
    assert_eq!(hall.table_of("dgt-3000100001"), None);
    assert!(hall.ask(Command::AwaitKing { table: TableNo(0) }).is_err());
}

#[test]
fn a_board_that_is_known_elsewhere_is_asked_about() {
    let mut hall = Hall::new();
    hall.find("a", "3000100001");
    hall.ask(Command::AwaitKing { table: TableNo(1) }).unwrap();
    hall.lift_king("a");
    hall.ask(Command::AwaitKing { table: TableNo(2) }).unwrap();
    hall.lift_king("a");
    assert_eq!(hall.table_of("dgt-3000100001"), Some(1), "not by itself");
    assert_eq!(hall.raised(AlertKind::DeviceMoved), 1);
    hall.ask(Command::AssignDevice {
        device: DeviceId("dgt-3000100001".to_owned()),
        table: Some(TableNo(2)),
    })
    .unwrap();
    let open = hall.hub.state().alerts.values();
    assert_eq!(
        open.filter(|alert| alert.about == AlertKind::DeviceMoved)
            .count(),
        0
    );
}

#[test]
fn two_boards_with_one_number_are_told_apart_by_their_ports() {
    let mut hall = Hall::new();
    hall.find("/dev/ttyUSB0", "12345");
    hall.find("/dev/ttyUSB1", "12345");
    assert_eq!(hall.hub.state().devices.len(), 1);
    hall.wait(11_000);
    assert_eq!(hall.raised(AlertKind::DeviceClash), 1);
    assert_eq!(hall.table_of("dgt-12345-ttyusb1"), None);
    // Both are listened to.
    hall.ask(Command::AwaitKing { table: TableNo(2) }).unwrap();
    hall.lift_king("/dev/ttyUSB1");
    assert_eq!(hall.table_of("dgt-12345-ttyusb1"), Some(2));
    assert_eq!(hall.table_of("dgt-12345"), None);
    // It is known again by its port, also when it comes first.
    for port in ["/dev/ttyUSB0", "/dev/ttyUSB1"] {
        hall.observe(port, Observation::Lost(LostReason::PortGone));
    }
    hall.find("/dev/ttyUSB1", "12345");
    hall.find("/dev/ttyUSB0", "12345");
    hall.wait(11_000);
    assert_eq!(hall.hub.state().devices.len(), 2);
    assert!(
        hall.hub
            .state()
            .devices
            .values()
            .all(|device| device.online)
    );
    assert_eq!(hall.raised(AlertKind::DeviceClash), 1);
}

#[test]
fn a_board_put_into_another_port_stays_the_same_board() {
    let mut hall = Hall::new();
    hall.find("a", "12345");
    hall.ask(Command::AwaitKing { table: TableNo(2) }).unwrap();
    hall.lift_king("a");
    // The new port is faster than the old one's silence.
    hall.find("b", "12345");
    hall.show("b", &Placement::new());
    hall.wait(4_000);
    hall.observe("a", Observation::Lost(LostReason::Silent));
    hall.wait(20_000);
    let devices = &hall.hub.state().devices;
    assert_eq!(devices.len(), 1);
    let device = &devices[&DeviceId("dgt-12345".to_owned())];
    assert_eq!((device.port.as_str(), device.online), ("b", true));
    assert_eq!(hall.raised(AlertKind::DeviceClash), 0);
}

#[test]
fn a_spare_board_in_the_middle_of_a_game_goes_on_with_it() {
    let mut hall = Hall::new();
    hall.find("a", "3000100001");
    hall.ask(Command::AwaitKing { table: TableNo(1) }).unwrap();
    hall.lift_king("a");
    for command in [
        Command::PairRound,
        Command::PublishRound,
        Command::StartRound,
    ] {
        hall.ask(command).unwrap();
    }
    hall.wait(3_000);
    let mut board = Placement::new();
    let moves = [
        (Square::E2, Square::E4),
        (Square::E7, Square::E5),
        (Square::G1, Square::F3),
    ];
    for (from, to) in moves {
        hall.play("a", &mut board, from, to);
    }
    hall.wait(5_000);
    // It breaks; the spare one is set up as the game stands.
    hall.observe("a", Observation::Lost(LostReason::Silent));
    hall.find("b", "3000100009");
    hall.show("b", &board);
    hall.ask(Command::AssignDevice {
        device: DeviceId("dgt-3000100009".to_owned()),
        table: Some(TableNo(1)),
    })
    .unwrap();
    hall.wait(10_000);
    for (from, to) in [(Square::B8, Square::C6), (Square::F1, Square::B5)] {
        hall.play("b", &mut board, from, to);
    }
    hall.wait(10_000);
    let game = hall.hub.state().game(TableNo(1)).unwrap();
    let moves: Vec<&str> = game.moves.iter().map(|made| &*made.uci).collect();
    assert_eq!(moves, ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]);
    assert!(game.gaps.is_empty());
    let king = Piece {
        color: Color::White,
        role: Role::King,
    };
    assert_eq!(board.piece_at(Square::E1), Some(king));
    assert_eq!(hall.table_of("dgt-3000100001"), None);
}
