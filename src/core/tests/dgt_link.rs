//! The conversation with a scripted board, in virtual time.

use std::{
    collections::{BTreeMap, VecDeque},
    time::Duration,
};

use flagfall_core::{
    protocol::{
        ClockButton, ClockCommand, ClockCommandOutcome, ClockSide, Link, LostReason, Observation,
        dgt::link::{DgtLink, DgtSettings},
    },
    types::{Mono, Piece, Placement, Square},
};

const START: &str = "rnbqkbnrpppppppp................................PPPPPPPPRNBQKBNR";
const VERSION: [u8; 5] = [0x93, 0, 5, 1, 8];
const CLOCK: [u8; 10] = [0x8d, 0, 10, 1, 0x30, 0, 1, 0x29, 0x57, 0x11];
const VERSION_ACK: [u8; 10] = [0x8d, 0, 10, 0x0a, 0x10, 0x09, 0x0a, 0x20, 0, 0];
const DISPLAY_ACK: [u8; 10] = [0x8d, 0, 10, 0x0a, 0x10, 0x0c, 0x0a, 0, 0, 0];

/// A board that answers as written in its table, some ms after each command.
struct Board {
    cells: [u8; 64],
    answers: BTreeMap<u8, Vec<u8>>,
    clock_acks: BTreeMap<u8, Vec<u8>>,
    alive: bool,
}

impl Board {
    fn new() -> Self {
        let codes = ".PRNBKQprnbkq";
        let mut cells = [0; 64];
        for (cell, c) in cells.iter_mut().zip(START.chars()) {
            *cell = codes.find(c).expect("a piece") as u8;
        }
        let serial = [&[0x91, 0, 8][..], b"12345"].concat();
        let long = [&[0xa2, 0, 13][..], b"3000147740"].concat();
        Self {
            cells,
            answers: BTreeMap::from([
                (0x41, CLOCK.to_vec()),
                (0x45, serial),
                (0x46, vec![0x90, 0, 5, 0x60, 0x39]),
                (0x47, [&[0x92, 0, 7][..], b"test"].concat()),
                (0x4c, vec![0xa0, 0, 7, 84, 1, 2, 3]),
                (0x4d, VERSION.to_vec()),
                (0x55, long),
            ]),
            clock_acks: BTreeMap::from([
                (0x09, VERSION_ACK.to_vec()),
                (0x0c, DISPLAY_ACK.to_vec()),
            ]),
            alive: true,
        }
    }

    fn answer(&self, command: &[u8]) -> Vec<u8> {
        match *command {
            _ if !self.alive => Vec::new(),
            [0x42] => [&[0x86, 0, 0x43][..], &self.cells].concat(),
            [code] => self.answers.get(&code).cloned().unwrap_or_default(),
            [0x2b, _, 3, id, ..] => self.clock_acks.get(&id).cloned().unwrap_or_default(),
            _ => panic!("unexpected command {command:02x?}"),
        }
    }
}

/// One link and what it says, over virtual time.
struct World {
    link: DgtLink,
    board: Board,
    now: Mono,
    line: VecDeque<(Mono, Vec<u8>)>,
    sent: Vec<(u64, Vec<u8>)>,
    seen: Vec<(u64, Observation)>,
    reopen: Option<Duration>,
    delay: Duration,
}

impl World {
    fn open(board: Board, settings: DgtSettings) -> Self {
        let mut link = DgtLink::new(settings);
        link.handle_open(Mono::ZERO);
        Self {
            link,
            board,
            now: Mono::ZERO,
            line: VecDeque::new(),
            sent: Vec::new(),
            seen: Vec::new(),
            reopen: None,
            delay: Duration::from_millis(15),
        }
    }

    fn drain(&mut self) {
        let ms = self.now.0.as_millis() as u64;
        while let Some(bytes) = self.link.poll_transmit() {
            let answer = self.board.answer(&bytes);
            if !answer.is_empty() {
                self.line.push_back((self.now + self.delay, answer));
            }
            self.sent.push((ms, bytes));
        }
        while let Some(seen) = self.link.poll_event() {
            self.seen.push((ms, seen));
        }
        self.reopen = self.link.poll_reopen().or(self.reopen.take());
    }

    /// Runs to a point of time, from one thing that happens to the next.
    fn run_to(&mut self, ms: u64) {
        let end = Mono::from_millis(ms);
        let mut steps = 0;
        loop {
            self.drain();
            let timer = self.link.poll_timeout();
            let arrival = self.line.front().map(|(at, _)| *at);
            let Some(next) = timer
                .into_iter()
                .chain(arrival)
                .min()
                .filter(|at| *at <= end)
            else {
                break;
            };
            steps += 1;
            assert!(steps < 100_000, "the link spins");
            self.now = self.now.max(next);
            if arrival == Some(next) {
                let (_, bytes) = self.line.pop_front().expect("arrived");
                self.link.handle_bytes(self.now, &bytes);
            } else {
                self.link.handle_timeout(self.now);
            }
        }
        self.now = end;
    }

    fn hear(&mut self, bytes: &[u8]) {
        self.link.handle_bytes(self.now, bytes);
        self.drain();
    }

    fn commands(&self) -> Vec<u8> {
        self.sent.iter().map(|(_, bytes)| bytes[0]).collect()
    }

    fn asked(&self, code: u8) -> usize {
        self.sent
            .iter()
            .filter(|(_, bytes)| bytes[0] == code)
            .count()
    }

    fn take_seen(&mut self) -> Vec<Observation> {
        std::mem::take(&mut self.seen)
            .into_iter()
            .map(|(_, seen)| seen)
            .collect()
    }

    fn count(&self, wanted: impl Fn(&Observation) -> bool) -> usize {
        self.seen.iter().filter(|(_, seen)| wanted(seen)).count()
    }
}

fn is_found(seen: &Observation) -> bool {
    matches!(seen, Observation::Found(_))
}

fn is_lost(seen: &Observation) -> bool {
    matches!(seen, Observation::Lost(_))
}

fn is_placement(seen: &Observation) -> bool {
    matches!(seen, Observation::Placement { .. })
}

#[test]
fn start_of_a_conversation() {
    let mut world = World::open(Board::new(), DgtSettings::CABLE);
    // Left in the buffer by somebody else: a version that must not count.
    world.hear(&VERSION);
    world.run_to(1_400);
    let times: Vec<_> = world.sent.iter().map(|(ms, _)| *ms).collect();
    assert_eq!(times[..4], [500, 600, 700, 800]);
    assert_eq!(
        world.commands(),
        [0x4b, 0x4d, 0x42, 0x45, 0x55, 0x46, 0x47, 0x41, 0x2b]
    );
    assert_eq!(world.sent[8].1, [0x2b, 3, 3, 9, 0]);
    let seen = world.take_seen();
    let Observation::Found(info) = &seen[0] else {
        panic!("{seen:?}");
    };
    assert_eq!(info.family, "dgt-board");
    assert_eq!(info.serial.as_deref(), Some("3000147740"));
    assert_eq!(info.version.as_deref(), Some("1.08"));
    assert_eq!(
        seen[1],
        Observation::Placement {
            placement: Placement::new(),
            change: None
        }
    );
    assert!(matches!(&seen[2], Observation::Clock(reading) if reading.running));
    assert_eq!(seen.len(), 3, "an ack is no reading: {seen:?}");
}

#[test]
fn an_old_board_has_its_short_number() {
    let mut board = Board::new();
    board.answers.remove(&0x55);
    let mut world = World::open(board, DgtSettings::CABLE);
    world.run_to(3_000);
    let found: Vec<_> = world
        .seen
        .iter()
        .filter(|(_, seen)| is_found(seen))
        .collect();
    let [(ms, Observation::Found(info))] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!(info.serial.as_deref(), Some("12345"));
    // 55 went out at 900 ms.
    assert_eq!(*ms, 1_900);
}

/// Everything comes four seconds late: slow, but no old board.
#[test]
fn a_slow_board_keeps_its_name() {
    let mut world = World::open(Board::new(), DgtSettings::CABLE);
    world.run_to(800);
    world.delay = Duration::from_millis(3_800);
    world.run_to(8_000);
    assert!(
        matches!(&world.seen[0].1, Observation::Found(info)
            if info.serial.as_deref() == Some("3000147740")),
        "{:?}",
        world.seen
    );
    assert_eq!(world.count(is_found) + world.count(is_lost), 1);
}

/// The hub was starved for ten seconds; the board is fine.
#[test]
fn sleeping_is_not_silence() {
    let mut world = World::open(Board::new(), DgtSettings::CABLE);
    world.run_to(3_000);
    world.take_seen();
    world.now = Mono::from_millis(13_000);
    world.link.handle_timeout(world.now);
    world.run_to(14_000);
    assert_eq!(world.count(is_lost), 0);
}

#[test]
fn no_board_at_all() {
    let mut board = Board::new();
    board.alive = false;
    let mut world = World::open(board, DgtSettings::CABLE);
    let mut waits = Vec::new();
    for _ in 0..7 {
        let start = world.now.0.as_millis() as u64;
        world.run_to(start + 20_000);
        waits.push(world.reopen.take().unwrap().as_millis());
        assert_eq!(world.link.poll_timeout(), None);
        world.link.handle_open(world.now);
    }
    assert_eq!(waits, [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
    // A stranger hears nothing but these two, and the arbiter hears of it once.
    assert_eq!(world.commands(), [0x4b, 0x4d].repeat(21));
    assert_eq!(
        world.take_seen(),
        [Observation::Lost(LostReason::NotADevice)]
    );
}

#[test]
fn silence_is_one_loss_and_one_return() {
    let mut world = World::open(Board::new(), DgtSettings::CABLE);
    world.run_to(10_000);
    world.take_seen();
    world.board.alive = false;
    world.run_to(25_000);
    assert_eq!(world.take_seen(), [Observation::Lost(LostReason::Silent)]);
    assert_eq!(world.reopen.take(), Some(Duration::from_millis(500)));
    world.link.handle_open(world.now);
    world.board.alive = true;
    world.sent.clear();
    world.run_to(30_000);
    assert_eq!(world.commands()[..3], [0x4b, 0x4d, 0x42]);
    assert_eq!(world.count(is_found), 1);
    assert_eq!(world.count(is_lost), 0);
    assert!(is_placement(&world.seen[1].1));
}

#[test]
fn a_board_that_returns_by_itself_is_not_closed() {
    let mut world = World::open(Board::new(), DgtSettings::CABLE);
    world.run_to(10_000);
    world.take_seen();
    world.board.alive = false;
    world.run_to(16_500);
    world.board.alive = true;
    world.run_to(20_000);
    assert_eq!(world.reopen, None);
    assert_eq!((world.count(is_lost), world.count(is_found)), (1, 1));
}

#[test]
fn keeps_asking_when_it_is_quiet() {
    let mut world = World::open(Board::new(), DgtSettings::CABLE);
    world.run_to(3_000);
    world.sent.clear();
    world.run_to(13_000);
    let asked = world.asked(0x45);
    assert!((9..=11).contains(&asked), "asked {asked} times");
    assert_eq!(world.count(is_lost), 0);
    // A running clock is sign of life enough.
    world.sent.clear();
    for step in 1..8 {
        world.hear(&CLOCK);
        // The tick of a second is never to the millisecond.
        world.run_to(13_000 + step * 1_040);
    }
    assert!(!world.commands().contains(&0x45));
}

#[test]
fn a_restarted_board_is_put_back_to_work() {
    let mut world = World::open(Board::new(), DgtSettings::CABLE);
    world.run_to(3_000);
    world.take_seen();
    // It is idle now and says nothing of this.
    world.board.cells[52] = 0;
    world.board.cells[36] = 1;
    world.sent.clear();
    world.run_to(20_000);
    assert!(world.commands().contains(&0x4b));
    let told = world.count(|seen| {
        matches!(seen, Observation::Placement { placement, .. }
            if placement.piece_at(Square::E4).is_some())
    });
    assert!(told > 0);
}

#[test]
fn a_ticking_clock_needs_fewer_looks_at_the_board() {
    let mut world = World::open(Board::new(), DgtSettings::CABLE);
    world.run_to(3_000);
    world.sent.clear();
    let mut time = CLOCK;
    for second in 1..=118 {
        time[8] = time[8] & 0xf0 | (second % 8) as u8;
        world.hear(&time);
        world.run_to(3_000 + second * 1_000);
    }
    assert_eq!(world.asked(0x4b), 2, "{:?}", world.sent);
    // Then it stands.
    world.run_to(140_000);
    assert_eq!(world.asked(0x4b), 3, "{:?}", world.sent);
}

#[test]
fn a_move_and_the_dump_after_it() {
    let mut world = World::open(Board::new(), DgtSettings::CABLE);
    world.run_to(3_000);
    world.take_seen();
    world.sent.clear();
    world.hear(&[0x8e, 0, 5, 52, 0]);
    world.run_to(3_100);
    world.hear(&[0x8e, 0, 5, 36, 1]);
    world.board.cells[52] = 0;
    // The update said a pawn; the dump knows better and wins.
    world.board.cells[36] = 6;
    world.run_to(3_349);
    assert!(world.sent.is_empty());
    world.run_to(3_500);
    assert_eq!(world.sent, [(3_350, vec![0x42])]);
    let seen = world.take_seen();
    let pieces: Vec<_> = seen
        .iter()
        .map(|seen| match seen {
            Observation::Placement { placement, change } => (
                placement.piece_at(Square::E4).map(Piece::char),
                change.map(|change| change.square),
            ),
            Observation::Missed { since } => {
                // The first dump came within a second.
                assert!(*since < Mono::from_millis(1_000));
                (Some('!'), None)
            }
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        pieces,
        [
            (None, Some(Square::E2)),
            (Some('P'), Some(Square::E4)),
            (Some('!'), None),
            (Some('Q'), None)
        ]
    );
}

fn is_missed(seen: &Observation) -> bool {
    matches!(seen, Observation::Missed { .. })
}

#[test]
fn what_was_not_there_cannot_go() {
    let mut world = World::open(Board::new(), DgtSettings::CABLE);
    world.run_to(3_000);
    world.take_seen();
    // The knight's way to e4 was not heard; now it goes.
    world.hear(&[0x8e, 0, 5, 36, 0]);
    let seen = world.take_seen();
    assert!(is_missed(&seen[0]) && is_placement(&seen[1]), "{seen:?}");
    // A man that is taken by its like changes nothing and proves nothing.
    world.hear(&[0x8e, 0, 5, 52, 1]);
    assert_eq!(world.count(is_missed), 0);
}

#[test]
fn doubts_ask_for_the_whole_picture() {
    type Doubt = fn(&mut World);
    let cases: [(&str, Doubt); 3] = [
        ("noise", |world| world.hear(&[0x8e, 0, 5, 52, 0x8d])),
        // The last reading was asked for at the beginning.
        ("missing seconds", |world| world.hear(&CLOCK)),
        ("held up", |world| {
            world.now = Mono::from_millis(9_000);
            world.link.handle_timeout(world.now);
        }),
    ];
    for (name, doubt) in cases {
        let mut world = World::open(Board::new(), DgtSettings::CABLE);
        world.run_to(4_500);
        world.take_seen();
        world.board.cells[52] = 0;
        world.sent.clear();
        doubt(&mut world);
        let at = world.now.0.as_millis() as u64;
        world.run_to(at + 300);
        assert_eq!(world.asked(0x42), 1, "{name}");
        assert_eq!(world.count(is_missed), 1, "{name}");
    }
    // A line that is nothing but noise is not filled up with dumps.
    let mut world = World::open(Board::new(), DgtSettings::CABLE);
    world.run_to(4_500);
    world.sent.clear();
    for step in 1..=50 {
        world.hear(&[1, 2, 3]);
        world.run_to(4_500 + step * 100);
    }
    let asked = world.asked(0x42);
    assert!((4..=6).contains(&asked), "{asked}");
}

#[test]
fn bluetooth_waits_longer_and_asks_for_the_battery() {
    let mut world = World::open(Board::new(), DgtSettings::BLUETOOTH);
    world.run_to(3_000);
    assert_eq!(
        world.count(|seen| matches!(seen, Observation::Battery(b) if b.percent == Some(84))),
        1
    );
    world.sent.clear();
    world.hear(&[0x8e, 0, 5, 52, 0]);
    world.run_to(3_499);
    assert!(!world.commands().contains(&0x42));
    world.run_to(3_510);
    assert!(world.commands().contains(&0x42));
    world.run_to(125_000);
    assert_eq!(world.asked(0x4c), 2);
}

#[test]
fn garbage_is_neither_life_nor_news() {
    let mut world = World::open(Board::new(), DgtSettings::CABLE);
    world.run_to(3_000);
    world.take_seen();
    world.board.alive = false;
    for step in 0..100u64 {
        let noise: Vec<u8> = (0..9)
            .map(|at| (step * 37 + at * 11) as u8 & 0x7f)
            .collect();
        world.hear(&noise);
        world.run_to(3_000 + step * 100);
    }
    assert_eq!(world.take_seen(), [Observation::Lost(LostReason::Silent)]);
    assert!(world.link.counters().bytes_dropped >= 900);
}

#[test]
fn a_port_that_vanishes_in_a_frame() {
    let mut world = World::open(Board::new(), DgtSettings::CABLE);
    world.run_to(3_000);
    world.take_seen();
    world.hear(&[0x8e, 0, 5, 52]);
    world.link.handle_closed(world.now);
    world.drain();
    assert_eq!(world.take_seen(), [Observation::Lost(LostReason::PortGone)]);
    assert_eq!(world.link.counters().unfinished, 1);
    assert_eq!(world.link.poll_timeout(), None);
    world.link.handle_open(world.now);
    // The rest of the old frame must not become part of a new one.
    world.hear(&[0]);
    world.run_to(6_000);
    assert!(is_found(&world.seen[0].1));
    assert_eq!(world.count(is_found), 1);
}

#[test]
fn another_board_on_the_same_cable() {
    let mut world = World::open(Board::new(), DgtSettings::CABLE);
    world.run_to(3_000);
    world.take_seen();
    let other = [&[0x91, 0, 8][..], b"00777"].concat();
    world.board.answers.insert(0x45, other);
    world.board.answers.remove(&0x55);
    world.run_to(8_000);
    assert!(is_lost(&world.seen[0].1));
    assert!(matches!(&world.seen[1].1, Observation::Found(info)
        if info.serial.as_deref() == Some("00777")));
    assert_eq!(world.count(is_found), 1);
}

fn show(text: &str) -> ClockCommand {
    ClockCommand::Display {
        text: text.into(),
        beep: false,
    }
}

fn outcomes(world: &mut World) -> Vec<ClockCommandOutcome> {
    world
        .take_seen()
        .into_iter()
        .filter_map(|seen| match seen {
            Observation::ClockCommand(outcome) => Some(outcome),
            _ => None,
        })
        .collect()
}

#[test]
fn clock_commands_go_one_at_a_time() {
    let mut world = World::open(Board::new(), DgtSettings::CABLE);
    world.run_to(3_000);
    world.take_seen();
    world.sent.clear();
    world.board.clock_acks.remove(&0x0c);
    world.link.handle_clock_command(world.now, show("ROUND 1"));
    world.link.handle_clock_command(world.now, show("ROUND 2"));
    world.run_to(4_000);
    let texts = |world: &World| -> Vec<String> {
        let texts = world.sent.iter().filter(|(_, bytes)| bytes[0] == 0x2b);
        texts
            .map(|(_, bytes)| String::from_utf8_lossy(&bytes[4..12]).into_owned())
            .collect()
    };
    assert_eq!(texts(&world), ["ROUND 1 "]);
    // The ack of an earlier command is no answer to this one.
    world.hear(&[0x8d, 0, 10, 0x0a, 0x10, 0x03, 0x0a, 0, 0, 0]);
    assert!(outcomes(&mut world).is_empty());
    assert_eq!(world.link.stale_acks(), 1);
    world.run_to(5_500);
    assert_eq!(texts(&world), ["ROUND 1 ", "ROUND 1 "]);
    world.hear(&DISPLAY_ACK);
    assert_eq!(outcomes(&mut world), [ClockCommandOutcome::Done]);
    world.run_to(20_000);
    // Three tries, then it is left alone.
    assert_eq!(texts(&world)[2..], ["ROUND 2 ", "ROUND 2 ", "ROUND 2 "]);
    assert_eq!(outcomes(&mut world), [ClockCommandOutcome::Unanswered]);
    world.link.handle_clock_command(world.now, show("ROUND 3"));
    world.run_to(21_000);
    assert_eq!(outcomes(&mut world), [ClockCommandOutcome::Unanswered]);
    assert_eq!(texts(&world).len(), 5);
}

/// In a tournament's own option the clock keeps the time: it is set only where it says that it may be.
#[test]
fn times_are_set_in_the_remote_mode_only() {
    let ack = |ack0, kind, high, data| [0x8d, 0, 10, 0x0a, ack0, kind, high, 0, data, 0];
    let (refused, done) = (ack(0x40, 0x0a, 0x0a, 0), ack(0x10, 0x0a, 0x0a, 0));
    let (mode_25, left_it) = (ack(0x10, 0x0a, 0x2a, 25), ack(0x10, 0x10, 0x2a, 0));
    let mut board = Board::new();
    board.clock_acks.insert(0x0a, refused.to_vec());
    let mut world = World::open(board, DgtSettings::CABLE);
    world.run_to(3_000);
    let set = |world: &mut World| {
        world.take_seen();
        world.sent.clear();
        let command = ClockCommand::SetTimes {
            left: Duration::from_secs(3600 + 2 * 60 + 3),
            right: Duration::from_mins(7),
            run: Some(ClockSide::Right),
        };
        world.link.handle_clock_command(world.now, command);
        let soon = world.now.0.as_millis() as u64 + 1_000;
        world.run_to(soon);
        let sent = world.sent.iter().filter(|(_, bytes)| bytes[0] == 0x2b);
        let sent = sent.map(|(_, bytes)| bytes.clone()).collect::<Vec<_>>();
        (sent, outcomes(world))
    };
    // What nobody knows yet is tried once.
    let bytes = vec![0x2b, 0x0a, 3, 0x0a, 1, 2, 3, 0, 7, 0, 0x0a, 0];
    let first = set(&mut world);
    assert_eq!(
        first,
        (vec![bytes.clone()], vec![ClockCommandOutcome::Refused])
    );
    assert_eq!(
        set(&mut world),
        (vec![], vec![ClockCommandOutcome::Refused])
    );
    world.hear(&mode_25);
    world.board.clock_acks.insert(0x0a, done.to_vec());
    assert_eq!(
        set(&mut world),
        (vec![bytes], vec![ClockCommandOutcome::Done])
    );
    world.hear(&left_it);
    assert_eq!(
        set(&mut world),
        (vec![], vec![ClockCommandOutcome::Refused])
    );
}

#[test]
fn a_refusal_and_an_old_clock() {
    let mut board = Board::new();
    board
        .clock_acks
        .insert(0x09, vec![0x8d, 0, 10, 0x0a, 0x10, 0x09, 0x0a, 0x1e, 0, 0]);
    board
        .clock_acks
        .insert(0x01, vec![0x8d, 0, 10, 0x0a, 0x40, 0x01, 0x0a, 0, 0, 0]);
    let mut world = World::open(board, DgtSettings::CABLE);
    world.run_to(3_000);
    world.take_seen();
    world.link.handle_clock_command(world.now, show("rnd  1"));
    world.run_to(4_000);
    assert_eq!(outcomes(&mut world), [ClockCommandOutcome::Refused]);
    let expected = [0x2b, 0x0b, 3, 1, 0x5e, 0x54, 0x50, 6, 0, 0, 0, 1, 0];
    assert!(world.sent.iter().any(|(_, bytes)| *bytes == expected));
}

#[test]
fn readings_are_told_when_they_are_news() {
    let mut world = World::open(Board::new(), DgtSettings::CABLE);
    world.run_to(3_000);
    world.take_seen();
    world.hear(&CLOCK);
    world.hear(&CLOCK);
    world.hear(&[0x8d, 0, 10, 0, 0, 0, 0, 0, 0, 0]);
    world.hear(&[0x8d, 0, 10, 1, 0x30, 0, 1, 0x7b, 0x57, 0x11]);
    let mut later = CLOCK;
    later[8] = 0x56;
    world.hear(&later);
    assert_eq!(world.count(|seen| matches!(seen, Observation::Clock(_))), 2);
    assert_eq!(world.link.counters().invalid, 1);
    world.take_seen();
    world.hear(&[0x8d, 0, 10, 0, 0, 0, 0, 0, 0, 0x20]);
    world.hear(&[0x8d, 0, 10, 0, 0, 0, 0, 0, 0, 0x20]);
    world.hear(&[0x8d, 0, 10, 0x0a, 0x10, 0x08, 0x2a, 0, 0x31, 0]);
    assert_eq!(
        world.take_seen(),
        [
            Observation::ClockGone,
            Observation::Button(ClockButton::Back)
        ]
    );
}

/// Whatever comes in, the link neither panics nor spins nor writes what could do harm.
#[test]
fn survives_any_bytes() {
    use proptest::prelude::*;

    let frame = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..30),
        (0x80u8..0xb8, proptest::collection::vec(0u8..0x80, 0..70)).prop_map(|(id, data)| {
            let len = data.len() + 3;
            [&[id, (len >> 7) as u8, (len & 0x7f) as u8][..], &data].concat()
        }),
    ];
    let script = proptest::collection::vec((frame, 0u64..3_000), 0..40);
    proptest!(ProptestConfig::with_cases(300), |(script in script, answers in any::<bool>())| {
        let mut board = Board::new();
        board.alive = answers;
        let mut world = World::open(board, DgtSettings::CABLE);
        let mut ms = 1_000;
        for (bytes, wait) in script {
            world.run_to(ms);
            world.hear(&bytes);
            if world.reopen.take().is_some() {
                world.link.handle_open(world.now);
            }
            world.link.handle_clock_command(world.now, show("x"));
            ms += wait;
        }
        world.run_to(ms + 10_000);
        let harmless = [0x2b, 0x41, 0x42, 0x45, 0x46, 0x47, 0x4b, 0x4d, 0x55];
        prop_assert!(world.commands().iter().all(|code| harmless.contains(code)));
        // One Lost to one Found, in turn.
        let mut found = false;
        for (_, seen) in world.seen.iter().filter(|(_, seen)| is_found(seen) || is_lost(seen)) {
            let never = *seen == Observation::Lost(LostReason::NotADevice);
            prop_assert!(found != is_found(seen) || never, "{:?}", seen);
            found = is_found(seen);
        }
    });
}
