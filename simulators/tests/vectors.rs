//! The host-to-board vectors, fed to a board: does it react as each of them expects?

#![allow(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

use std::time::Duration;

use flagfall_simulators::{
    board::{Mode, SimBoard, pieces},
    clock::{Button, Side, SimClock, TimeControl},
};
use serde_json::Value;

const MS: Duration = Duration::from_millis(1);

/// A host's end of the line that knows only ids and lengths.
struct Bench {
    board: SimBoard,
    now: Duration,
    unread: Vec<u8>,
}

impl Bench {
    fn new() -> Self {
        let control = TimeControl::fischer(MS * 5_400_000, MS * 30_000);
        let board = SimBoard::new(3, 1, SimClock::new(control), pieces::start(false));
        Self {
            board,
            now: MS * 1000,
            unread: Vec::new(),
        }
    }

    fn send(&mut self, bytes: &[u8]) {
        self.board.handle_bytes(self.now, bytes);
    }

    fn run(&mut self, time: Duration) -> Vec<Vec<u8>> {
        self.now += time;
        self.unread
            .extend(self.board.poll_transmit(self.now).unwrap_or_default());
        frames(&mut self.unread)
    }

    /// What comes within a second.
    fn ask(&mut self, bytes: &[u8]) -> Vec<Vec<u8>> {
        self.send(bytes);
        self.run(MS * 1000)
    }
}

/// Takes the whole frames.
fn frames(unread: &mut Vec<u8>) -> Vec<Vec<u8>> {
    let mut frames = Vec::new();
    while let [id, hi, lo, ..] = *unread.as_slice() {
        assert!(
            id >= 0x80 && hi < 0x80 && lo < 0x80,
            "no header: {id:02x} {hi:02x} {lo:02x}"
        );
        let length = usize::from(hi) * 128 + usize::from(lo);
        if unread.len() < length {
            break;
        }
        let frame: Vec<u8> = unread.drain(..length).collect();
        assert!(
            frame[1..].iter().all(|&byte| byte < 0x80),
            "bit 7 in data of {id:02x}"
        );
        frames.push(frame);
    }
    frames
}

fn ids(frames: &[Vec<u8>]) -> Vec<(u8, usize)> {
    frames.iter().map(|frame| (frame[0], frame.len())).collect()
}

fn host_vectors(text: &str) -> Vec<(String, Vec<u8>, Value)> {
    let vectors: Vec<Value> = serde_json::from_str(text).unwrap();
    vectors
        .into_iter()
        .filter(|vector| vector["direction"] == "host->board")
        .map(|vector| {
            let hex = vector["bytes_hex"].as_str().unwrap();
            let bytes = hex
                .split(' ')
                .map(|byte| u8::from_str_radix(byte, 16).unwrap())
                .collect();
            (
                vector["name"].as_str().unwrap().to_owned(),
                bytes,
                vector["decoded"].clone(),
            )
        })
        .collect()
}

#[test]
fn board_commands() {
    let vectors = host_vectors(include_str!("data/dgt-board.json"));
    assert!(!vectors.is_empty());
    for (name, bytes, decoded) in vectors {
        let mut bench = Bench::new();
        let got = bench.ask(&bytes);
        let expected: &[(u8, usize)] = match decoded["cmd"].as_str().unwrap() {
            "reset_idle" | "to_bus_mode" | "update_nice" | "update_board" | "set_leds" => &[],
            "send_clock" => &[(0x8d, 10)],
            "send_board" => &[(0x86, 67)],
            "serial" => &[(0x91, 8)],
            "bus_address" => &[(0x90, 5)],
            "version" => &[(0x93, 5)],
            "battery" => &[(0xa0, 12)],
            "long_serial" => &[(0xa2, 13)],
            "trademark" => {
                assert_eq!(ids(&got).len(), 1, "{name}");
                assert_eq!(got[0][0], 0x92);
                let text = String::from_utf8(got[0][3..].to_vec()).unwrap();
                assert!(text.contains("Flagfall"));
                assert!(
                    !text.to_lowercase().contains("digital game"),
                    "not ours to send: {text}"
                );
                continue;
            }
            other => panic!("{name}: nobody has said what {other} does"),
        };
        assert_eq!(ids(&got), expected, "{name}");
    }
}

#[test]
fn clock_commands() {
    let vectors = host_vectors(include_str!("data/dgt-clock.json"));
    assert!(!vectors.is_empty());
    for (name, bytes, decoded) in vectors {
        let mut bench = Bench::new();
        assert_eq!(
            bench.ask(&bytes),
            Vec::<Vec<u8>>::new(),
            "{name}: no ack in idle mode"
        );
        bench.ask(&[0x44]);
        assert_eq!(
            bench.ask(&bytes),
            Vec::<Vec<u8>>::new(),
            "{name}: no ack in mode 44"
        );

        bench.board.set_mode_25(bench.now, true);
        bench.send(&[0x4b]);
        bench.run(MS * 1000);
        bench.send(&bytes);
        assert_eq!(
            bench.run(MS * 90),
            Vec::<Vec<u8>>::new(),
            "{name}: too quick"
        );
        let got = bench.run(MS * 340);
        let acks: Vec<[u8; 4]> = got.iter().filter_map(|frame| ack(frame)).collect();
        let (id, data) = match decoded["cmd"].as_str().unwrap() {
            "display" => (1, 0),
            "icons" => (2, 0),
            "end_display" => (3, 0),
            "button_query" => (8, 0),
            "clock_version" => (9, 0x22),
            "set_n_run" => (10, 0),
            "beep" => (11, 0),
            "ascii" => (12, 0),
            "rev2_ascii" => (13, 0),
            other => panic!("{name}: nobody has said what {other} does"),
        };
        assert_eq!(acks, [[0x10, id, data, 0]], "{name}");
        if let Some(text) = decoded["text"].as_str() {
            assert_eq!(bench.board.clock().display(), Some(text), "{name}");
        }
        if decoded["cmd"] == "set_n_run" {
            let now = bench.now;
            let face = bench
                .board
                .touch_clock(now, |clock| clock.face(now).clone());
            let running = face.running_side();
            assert_eq!(
                running == Some(Side::Left),
                decoded["left_down"] == true,
                "{name}"
            );
            assert_eq!(
                running == Some(Side::Right),
                decoded["right_down"] == true,
                "{name}"
            );
            for (side, key) in [(Side::Left, "left"), (Side::Right, "right")] {
                let part = |i: usize| decoded[key][i].as_u64().unwrap();
                let set = Duration::from_secs(part(0) * 3600 + part(1) * 60 + part(2));
                let spent = set.saturating_sub(face.side(side).left);
                assert!(spent <= MS * 500, "{name}: {spent:?} gone");
                assert_eq!(spent.is_zero(), running != Some(side), "{name}");
            }
        }
    }
}

#[test]
fn set_and_run_is_refused_outside_mode_25() {
    let mut bench = Bench::new();
    bench.send(&[0x4b]);
    bench.run(MS * 100);
    let got = bench.ask(&[0x2b, 0x0a, 0x03, 0x0a, 1, 30, 0, 1, 30, 0, 9, 0]);
    assert_eq!(got, [vec![0x8d, 0, 0x0a, 0x0a, 0x40, 0x0a, 0x0a, 0, 0, 0]]);
}

#[test]
fn log_command() {
    for (name, bytes, _) in host_vectors(include_str!("data/dgt-ee.json")) {
        let mut bench = Bench::new();
        bench.board.set_square(bench.now, 0x34, 0);
        bench.run(MS * 1000);
        bench.board.set_square(bench.now, 0x24, 1);
        bench.run(MS * 1000);
        let now = bench.now;
        bench.board.touch_clock(now, |clock| clock.start(now));
        bench.run(MS * 2000);
        bench.board.press(bench.now, Side::Left);
        let got = bench.ask(&bytes);
        assert_eq!(ids(&got).len(), 1, "{name}");
        assert_eq!(got[0][0], 0x8f, "{name}");
        // Start tag, e2-e4, the time of the left side after its press (increment added), end.
        let tail = [0x6f, 0x40, 0x34, 0x41, 0x24, 0x71, 0x30, 0x28, 0x6b];
        assert_eq!(got[0][got[0].len() - tail.len()..], tail, "{name}");
    }
}

/// The four bytes of an ack, by the rule of the golden vectors' README, read on its own here.
fn ack(frame: &[u8]) -> Option<[u8; 4]> {
    let &[0x8d, 0, 10, b3, b4, b5, b6, b7, b8, _] = frame else {
        return None;
    };
    if b3 & 0x0f != 0x0a && b6 & 0x0f != 0x0a {
        return None;
    }
    let bit = |byte: u8, bit: u8| (byte >> bit & 1) << 7;
    Some([
        b4 | bit(b6, 4),
        b5 | bit(b6, 5),
        b7 | bit(b3, 4),
        b8 | bit(b3, 5),
    ])
}

#[test]
fn update_modes() {
    let step = |mode: u8| {
        let mut bench = Bench::new();
        bench.send(&[mode]);
        bench.run(MS * 1500);
        bench.board.set_square(bench.now, 0x34, 0);
        let quiet = ids(&bench.run(MS * 2000));
        let now = bench.now;
        bench.board.touch_clock(now, |clock| clock.start(now));
        let running = ids(&bench.run(MS * 3900));
        let count = |got: &[(u8, usize)], id| got.iter().filter(|frame| frame.0 == id).count();
        (
            count(&quiet, 0x8e),
            count(&quiet, 0x8d),
            count(&running, 0x8d),
        )
    };
    assert_eq!(step(0x40), (0, 0, 0));
    assert_eq!(step(0x44), (1, 0, 0));
    let (fields, stopped, running) = step(0x43);
    assert_eq!(
        (fields, stopped),
        (1, 2),
        "every second, though nothing changes"
    );
    assert!((3..=8).contains(&running), "{running}");
    let (fields, stopped, running) = step(0x4b);
    assert_eq!((fields, stopped), (1, 0), "only what changes");
    assert!(
        (4..=5).contains(&running),
        "start, then a second each: {running}"
    );
}

#[test]
fn reset_ends_an_update_mode_and_41_works_in_all() {
    for mode in [0x40, 0x43, 0x44, 0x4b] {
        let mut bench = Bench::new();
        bench.send(&[mode]);
        bench.run(MS * 100);
        bench.send(&[0x41]);
        assert!(
            ids(&bench.run(MS * 100)).contains(&(0x8d, 10)),
            "mode {mode:02x}"
        );
        bench.send(&[0x40]);
        bench.run(MS * 100);
        bench.board.set_square(bench.now, 10, 0);
        assert_eq!(bench.run(MS * 3000), Vec::<Vec<u8>>::new());
        assert_eq!(bench.board.mode(), Mode::Idle);
        let dump = bench.ask(&[0x42]);
        assert_eq!(dump[0][3 + 10], 0, "the scan goes on in idle mode");
    }
}

#[test]
fn clock_reports_by_itself() {
    let mut bench = Bench::new();
    bench.send(&[0x4b]);
    bench.run(MS * 100);
    let report = |bench: &mut Bench| {
        bench
            .run(MS * 1000)
            .iter()
            .filter_map(|frame| ack(frame))
            .collect::<Vec<_>>()
    };
    bench.board.press_button(bench.now, Button::Back);
    assert_eq!(report(&mut bench), [[0x10, 0x88, 0, 0x31]]);
    bench.board.set_mode_25(bench.now, true);
    assert_eq!(report(&mut bench), [[0x10, 0x8a, 0, 25]]);
    bench.board.set_mode_25(bench.now, false);
    assert_eq!(report(&mut bench), [[0x10, 0x90, 0, 0]]);
    bench.board.connect_clock(bench.now, false);
    let gone = bench.run(MS * 1000);
    assert_eq!(gone, [vec![0x8d, 0, 10, 0, 0, 0, 0, 0, 0, 0x20]]);
    assert_eq!(
        bench.ask(&[0x2b, 3, 3, 9, 0]),
        Vec::<Vec<u8>>::new(),
        "nobody there to answer"
    );
    bench.board.connect_clock(bench.now, true);
    assert_eq!(report(&mut bench), [[0x10, 0x81, 0, 0]]);
}

#[test]
fn one_clock_command_at_a_time() {
    let mut bench = Bench::new();
    bench.send(&[0x4b]);
    bench.run(MS * 100);
    // Version, end, beep: the third takes the place of the second, which waits for the first.
    bench.send(&[0x2b, 3, 3, 9, 0, 0x2b, 3, 3, 3, 0, 0x2b, 4, 3, 0x0b, 1, 0]);
    let first = bench.run(MS * 420);
    let acks = |got: &[Vec<u8>]| {
        got.iter()
            .filter_map(|frame| ack(frame))
            .collect::<Vec<_>>()
    };
    assert_eq!(acks(&first)[0], [0x10, 9, 0x22, 0]);
    let rest = bench.run(MS * 2000);
    assert_eq!(
        [acks(&first), acks(&rest)].concat()[1..],
        [[0x10, 0x0b, 0, 0]]
    );
}

#[test]
fn unknown_and_unfinished_commands_do_no_harm() {
    let mut bench = Bench::new();
    assert_eq!(
        bench.ask(&[0x00, 0x20, 0x4e, 0x4f, 0x50, 0x56, 0x7f, 0x2a]),
        Vec::<Vec<u8>>::new()
    );
    assert_eq!(bench.ask(&[0x2b, 0x0c, 0x03]), Vec::<Vec<u8>>::new());
    bench.run(MS * 1100);
    assert_eq!(ids(&bench.ask(&[0x4d])), [(0x93, 5)]);
}

#[test]
fn more_than_the_input_buffer_holds_is_lost() {
    let mut bench = Bench::new();
    bench.send(&[0x42; 40]);
    let dumps = bench.run(MS * 10_000).len();
    assert!((10..=13).contains(&dumps), "{dumps}");
}

#[test]
fn log_blocks_the_rest() {
    let mut bench = Bench::new();
    bench.send(&[0x4b]);
    for i in 0..3000_u16 {
        bench
            .board
            .set_square(bench.now, 20 + (i % 4) as u8, (i % 3) as u8);
        bench.run(MS * 300);
    }
    bench.send(&[0x49]);
    bench.run(MS * 20);
    bench.board.set_square(bench.now, 0x34, 0);
    let got = bench.run(MS * 9000);
    assert_eq!((got[0][0], got[0].len() > 5000), (0x8f, true));
    assert_eq!(got.last().unwrap()[..], [0x8e, 0, 5, 0x34, 0]);
}

#[test]
fn line_is_no_faster_than_9600_baud() {
    let mut bench = Bench::new();
    bench.send(&[0x42]);
    let start = bench.now;
    let mut arrived = 0;
    for ms in 1..=80 {
        bench.now = start + MS * ms;
        arrived += bench
            .board
            .poll_transmit(bench.now)
            .map_or(0, |bytes| bytes.len());
        assert!(
            arrived as f64 <= f64::from(ms) / 1.0416,
            "{arrived} bytes after {ms} ms"
        );
    }
    assert_eq!(arrived, 67);
}

#[test]
fn scan_takes_its_time() {
    let mut bench = Bench::new();
    bench.send(&[0x44]);
    bench.run(MS * 1000);
    // A piece that passes quickly is hardly ever seen; one that stays is seen within one scan.
    let mut seen = 0;
    for _ in 0..100 {
        bench.board.set_square(bench.now, 30, 6);
        bench.run(MS * 20);
        bench.board.set_square(bench.now, 30, 0);
        let seen_now = bench.run(MS * 993);
        assert!(seen_now.len() <= 2, "there and gone");
        seen += usize::from(!seen_now.is_empty());
    }
    assert!((1..40).contains(&seen), "{seen} of 100");
    bench.board.set_square(bench.now, 30, 6);
    assert_eq!(ids(&bench.run(MS * 260)), [(0x8e, 5)]);
}

#[test]
fn power_cycle_leaves_the_board_idle() {
    let mut bench = Bench::new();
    bench.send(&[0x4b, 0x42]);
    bench.run(MS * 30);
    bench.board.power_off(bench.now);
    bench.unread.clear();
    bench.board.set_square(bench.now, 0x34, 0);
    bench.send(&[0x42]);
    assert_eq!(bench.board.poll_transmit(bench.now + MS * 500), None);
    bench.now += MS * 500;
    bench.board.power_on(bench.now);
    assert_eq!(bench.board.mode(), Mode::Idle);
    assert_eq!(bench.ask(&[0x42])[0][3 + 0x34], 0);
}

#[test]
fn first_bus_command_only_switches() {
    let mut bench = Bench::new();
    bench.ask(&[0x40, 0x40, 0x40]);
    assert!(
        bench.ask(&[0x8b, 0, 0, 0x0b]).is_empty(),
        "it throws the board out of single mode"
    );
    let got = bench.ask(&[0x8b, 0, 0, 0x0b]);
    assert_eq!(ids(&got), [(0x89, 8)]);
    bench.send(&[0x45]);
    assert_eq!(ids(&bench.run(MS * 100)), [(0x91, 8)]);
    assert_eq!(bench.board.mode(), Mode::Idle);
    // After 4a a bus command is executed at once.
    bench.ask(&[0x4a]);
    assert_eq!(ids(&bench.ask(&[0x82, 0, 0, 0x02])), [(0x83, 70)]);
}
