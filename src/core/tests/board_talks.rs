//! The conversations with boards other than DGT: how they begin, what they write, how they notice silence.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

use std::time::Duration;

use flagfall_core::{
    protocol::{
        ClockCommand, ClockCommandOutcome, Link, LostReason, Observation, Touch,
        registry::{Habits, Kind, kinds},
    },
    types::{Mono, Square},
};
use proptest::prelude::*;

struct Talk {
    link: Box<dyn Link>,
    written: Vec<Vec<u8>>,
    told: Vec<Observation>,
    reopen: Option<Duration>,
}

impl Talk {
    fn with(name: &str) -> Self {
        let kind = Kind::named(name).unwrap();
        let mut talk = Self {
            link: kind.link(&Habits::default()).unwrap(),
            written: Vec::new(),
            told: Vec::new(),
            reopen: None,
        };
        talk.link.handle_open(Mono::ZERO);
        talk
    }

    fn hear(&mut self, ms: u64, bytes: &[u8]) {
        self.link.handle_bytes(Mono::from_millis(ms), bytes);
        self.drain();
    }

    fn wait(&mut self, from: u64, to: u64) {
        for ms in (from..to).step_by(20) {
            let now = Mono::from_millis(ms);
            if self.link.poll_timeout().is_some_and(|due| due <= now) {
                self.link.handle_timeout(now);
            }
            self.drain();
        }
    }

    fn drain(&mut self) {
        while let Some(bytes) = self.link.poll_transmit() {
            self.written.push(bytes);
        }
        while let Some(seen) = self.link.poll_event() {
            self.told.push(seen);
        }
        self.reopen = self.reopen.or(self.link.poll_reopen());
    }

    /// What was written, without parity.
    fn plain(&self) -> Vec<String> {
        let text = |bytes: &Vec<u8>| bytes.iter().map(|byte| char::from(byte & 0x7f)).collect();
        self.written.iter().map(text).collect()
    }

    fn count(&self, what: &str) -> usize {
        let texts = self.told.iter().map(|seen| format!("{seen:?}"));
        texts.filter(|text| text.contains(what)).count()
    }
}

const SENTIO: &[u8] = b":255 255 0 0 0 0 255 255 \r\n";

/// A ChessLink message with its block check.
fn chesslink(text: &str) -> Vec<u8> {
    let check = text.bytes().fold(0, |sum, byte| sum ^ byte);
    format!("{text}{check:02X}").into_bytes()
}

#[test]
fn a_chesslink_is_asked_who_it_is_before_anything_else() {
    let mut talk = Talk::with("millennium");
    talk.wait(0, 1_900);
    assert_eq!(talk.plain(), ["V56"]);
    // Every byte of it has the top bit: no DGT board takes one for a command.
    assert!(talk.written[0].iter().all(|byte| *byte >= 0x80));
    talk.hear(1_900, &chesslink("v0105"));
    talk.wait(1_900, 3_500);
    assert_eq!(talk.plain()[1..4], ["R0052", "R0250", "S53"]);
    assert_eq!(talk.count("Found"), 1);
}

#[test]
fn registers_are_written_only_when_they_are_wrong() {
    for (reports, writes) in [(0, true), (1, true), (3, false), (5, false)] {
        let mut talk = Talk::with("chesslink");
        talk.wait(0, 200);
        talk.hear(200, &chesslink("v0105"));
        talk.wait(200, 700);
        talk.hear(700, &chesslink("r0000"));
        talk.hear(720, &chesslink(&format!("r02{reports:02X}")));
        talk.wait(720, 2_000);
        let written = talk
            .plain()
            .iter()
            .filter(|text| text.starts_with('W'))
            .count();
        assert_eq!(written, usize::from(writes), "reports {reports}");
        if writes {
            assert!(talk.plain().iter().any(|text| text.starts_with("W0203")));
        }
    }
}

#[test]
fn a_board_that_talks_by_itself_is_only_listened_to() {
    let mut talk = Talk::with("tabutronic-sentio");
    for ms in (100..6_000).step_by(200) {
        talk.hear(ms, SENTIO);
        talk.wait(ms, ms + 200);
    }
    assert_eq!(talk.written, Vec::<Vec<u8>>::new());
    assert_eq!(talk.count("Found"), 1);
    // The same picture is told again now and then, not with every line.
    assert!(
        (1..=3).contains(&talk.count("Occupancy")),
        "{:?}",
        talk.told
    );
    talk.wait(6_000, 14_000);
    assert_eq!(talk.count("Silent"), 1);
    talk.hear(14_000, SENTIO);
    talk.wait(14_000, 14_100);
    assert_eq!(talk.count("Found"), 2);
}

#[test]
fn nobody_there_is_told_once_however_often_it_is_tried() {
    let mut talk = Talk::with("certabo");
    talk.wait(0, 8_000);
    assert_eq!(talk.told, [Observation::Lost(LostReason::NotADevice)]);
    let first = talk.reopen.take().unwrap();
    talk.link.handle_open(Mono::from_millis(9_000));
    talk.wait(9_000, 18_000);
    assert_eq!(talk.told.len(), 1);
    assert!(talk.reopen.unwrap() > first);
}

#[test]
fn a_pegasus_dump_that_differs_from_the_changes_was_missed() {
    let dump = |occupied: &[u8]| {
        let mut frame = vec![0x86, 0, 0x43];
        frame.extend((0..64).map(|at| u8::from(occupied.contains(&at))));
        frame
    };
    let mut talk = Talk::with("pegasus");
    talk.wait(0, 300);
    talk.hear(300, b"\x91\x00\x0812345");
    talk.hear(310, &dump(&[52, 60]));
    talk.wait(310, 1_500);
    let found = talk.told.iter().any(
        |seen| matches!(seen, Observation::Found(info) if info.serial.as_deref() == Some("12345")),
    );
    assert!(found, "{:?}", talk.told);
    talk.hear(1_500, &[0x8e, 0, 5, 52, 0]);
    let lifted = Touch {
        square: Square::E2,
        present: false,
    };
    assert!(matches!(
        talk.told.last(),
        Some(Observation::Occupancy { change, .. }) if *change == Some(lifted)
    ));
    // It is asked for the whole picture although it talks.
    talk.wait(1_500, 5_000);
    assert!(talk.plain().iter().filter(|text| *text == "B").count() > 1);
    talk.hear(5_000, &dump(&[36, 60]));
    assert_eq!(talk.count("Missed"), 1);
}

#[test]
fn no_board_takes_commands_for_a_clock_it_has_not() {
    let mut talk = Talk::with("ichessone");
    let command = || ClockCommand::EndDisplay;
    talk.link.handle_clock_command(Mono::ZERO, command());
    talk.wait(0, 100);
    assert_eq!(
        talk.told,
        [Observation::ClockCommand(ClockCommandOutcome::Unanswered)]
    );
}

fn spoken_with() -> Vec<Kind> {
    kinds().filter(|kind| kind.device.talk.is_some()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_bytes_at_any_time_do_no_harm(
        kind in 0..spoken_with().len(),
        reads in proptest::collection::vec((proptest::collection::vec(any::<u8>(), 0..90), 0_u64..4_000), 0..40),
    ) {
        let kind = spoken_with()[kind];
        let mut talk = Talk {
            link: kind.link(&Habits::default()).unwrap(),
            written: Vec::new(),
            told: Vec::new(),
            reopen: None,
        };
        talk.link.handle_open(Mono::ZERO);
        let mut ms = 0;
        for (read, pause) in reads {
            talk.hear(ms, &read);
            talk.wait(ms, ms + pause);
            ms += pause;
            if talk.reopen.take().is_some() {
                talk.link.handle_open(Mono::from_millis(ms));
            }
        }
        talk.link.handle_closed(Mono::from_millis(ms));
        talk.drain();
        // Found and lost alternate, per device; a bus has many.
        let states: Vec<bool> = talk.told.iter().filter_map(|seen| match seen {
            Observation::Found(_) => Some(true),
            Observation::Lost(LostReason::NotADevice) => None,
            Observation::Lost(_) => Some(false),
            _ => None,
        }).collect();
        if kind.name != "dgt-bus" {
            prop_assert!(states.windows(2).all(|two| two[0] != two[1]), "{states:?}");
            prop_assert!(states.last() != Some(&true), "closed and still there");
        }
    }
}
