//! The line of a DGT bus under noise: whatever stands between the replies, however they are cut into reads, the
//! same is told.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

use std::time::Duration;

use flagfall_core::{
    protocol::{
        Link, LostReason, Observation,
        dgt::bus_link::{BusLink, BusSettings},
    },
    types::Mono,
};
use proptest::prelude::*;

/// What a board is asked, and what this one answers; `None` where it is silent.
fn answer(
    command: &[u8],
    address: u16,
    board: &[u8; 64],
    changes: &mut Vec<u8>,
) -> Option<Vec<u8>> {
    let &[code, high, low, _] = command else {
        return None;
    };
    let asked = u16::from(high) << 7 | u16::from(low);
    if asked != address && asked != 0 {
        return None;
    }
    let (id, data) = match code {
        0x81 => (0x84, vec![0, 0x30, 0, 0, 0x30, 0, 0x10]),
        0x82 => (0x83, board.to_vec()),
        0x83 => (0x85, std::mem::take(changes)),
        0x85 => (0x88, Vec::new()),
        0x87 | 0x8a => (0x87, Vec::new()),
        0x8b => (0x89, vec![1, 7]),
        _ => return None,
    };
    let length = data.len() + 6;
    let mut reply = vec![id, (length >> 7) as u8, (length & 0x7f) as u8];
    reply.extend([(address >> 7) as u8, (address & 0x7f) as u8]);
    reply.extend(data);
    let sum = reply.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte)) & 0x7f;
    reply.push(sum);
    Some(reply)
}

struct Bench {
    link: BusLink,
    board: [u8; 64],
    changes: Vec<u8>,
    told: Vec<(Mono, String)>,
    asked: Vec<Vec<u8>>,
}

impl Bench {
    fn new() -> Self {
        let mut board = [0; 64];
        (board[4], board[60]) = (11, 5);
        Self {
            link: BusLink::new(BusSettings::default()),
            board,
            changes: Vec::new(),
            told: Vec::new(),
            asked: Vec::new(),
        }
    }

    /// Runs for a while. `garble` makes of each reply what arrives, in reads.
    fn run(&mut self, from: u64, to: u64, mut garble: impl FnMut(u64, Vec<u8>) -> Vec<Vec<u8>>) {
        let mut pending: Vec<(u64, Vec<u8>)> = Vec::new();
        for ms in (from..to).step_by(5) {
            let now = Mono::from_millis(ms);
            let due: Vec<_> = pending.extract_if(.., |(at, _)| *at <= ms).collect();
            for (_, bytes) in due {
                self.link.handle_bytes(now, &bytes);
            }
            if self.link.poll_timeout().is_some_and(|at| at <= now) {
                self.link.handle_timeout(now);
            }
            while let Some(command) = self.link.poll_transmit() {
                self.asked.push(command.clone());
                if let Some(reply) = answer(&command, 1025, &self.board, &mut self.changes) {
                    for (nth, read) in (1..).zip(garble(ms, reply)) {
                        pending.push((ms + 10 + 5 * nth, read));
                    }
                }
            }
            while let Some((part, seen)) = self.link.poll_part_event() {
                let part = part.map(|part| part.0);
                self.told.push((now, format!("{part:?} {}", short(&seen))));
            }
        }
    }

    fn put(&mut self, square: usize, code: u8) {
        self.board[square] = code;
        self.changes.extend([0x40 | code, square as u8]);
    }
}

fn short(seen: &Observation) -> String {
    match seen {
        Observation::Placement { placement, change } => {
            format!("{placement} {}", change.is_some())
        }
        Observation::Clock(_) => "clock".to_owned(),
        other => format!("{other:?}"),
    }
}

/// What was told, without repetitions and times.
fn gist(bench: &Bench) -> Vec<String> {
    let mut gist: Vec<String> = bench.told.iter().map(|(_, text)| text.clone()).collect();
    gist.retain(|text| !text.ends_with("clock") && !text.ends_with("false"));
    gist
}

fn play(mut garble: impl FnMut(u64, Vec<u8>) -> Vec<Vec<u8>>) -> Bench {
    let mut bench = Bench::new();
    bench.link.handle_open(Mono::ZERO);
    bench.run(0, 8_000, &mut garble);
    bench.put(60, 0);
    bench.run(8_000, 10_000, &mut garble);
    bench.put(52, 5);
    bench.run(10_000, 14_000, &mut garble);
    bench
}

fn clean() -> Vec<String> {
    gist(&play(|_, reply| vec![reply]))
}

#[test]
fn a_board_is_found_and_its_changes_are_told_once() {
    let bench = play(|_, reply| vec![reply]);
    let told = gist(&bench);
    assert!(
        told[0].contains("Found") && told[0].contains("01025"),
        "{told:?}"
    );
    assert_eq!(
        told[1..],
        [
            "Some(\"01025\") 4k3/8/8/8/8/8/8/8 true",
            "Some(\"01025\") 4k3/8/8/8/8/8/4K3/8 true"
        ]
    );
    assert_eq!(bench.link.counters().bytes_dropped, 0);
}

#[test]
fn a_wrong_sum_after_changes_is_answered_with_repeat() {
    let mut broken = false;
    let mut packet = Vec::new();
    let mut bench = Bench::new();
    bench.link.handle_open(Mono::ZERO);
    bench.run(0, 8_000, |_, reply| vec![reply]);
    bench.put(60, 0);
    let before = bench.asked.len();
    bench.run(8_000, 9_500, |_, reply| {
        if reply[0] == 0x85 && reply.len() > 6 && !broken {
            broken = true;
            packet.clone_from(&reply);
            let mut bad = reply;
            *bad.last_mut().unwrap() ^= 1;
            return vec![bad];
        }
        vec![reply]
    });
    assert!(broken);
    let codes: Vec<u8> = bench.asked[before..]
        .iter()
        .map(|command| command[0])
        .collect();
    let repeat = codes.iter().position(|code| *code == 0x84);
    assert!(repeat.is_some_and(|at| codes[at - 1] == 0x83), "{codes:x?}");
    assert!(bench.link.counters().invalid > 0);
    // This board does not know how to repeat: the picture tells what was lost.
    bench.run(9_500, 12_000, |_, reply| vec![reply]);
    let last = bench.told.iter().rev().find(|(_, text)| text.contains('/'));
    assert!(last.is_some_and(|(_, text)| text.contains("4k3/8/8/8/8/8/8/8")));
    assert!(bench.told.iter().any(|(_, text)| text.contains("Missed")));
}

#[test]
fn silence_is_told_once_and_the_board_is_found_again() {
    let mut bench = Bench::new();
    bench.link.handle_open(Mono::ZERO);
    bench.run(0, 8_000, |_, reply| vec![reply]);
    bench.run(8_000, 20_000, |_, _| Vec::new());
    let lost = format!("{:?}", Observation::Lost(LostReason::Silent));
    let count = |bench: &Bench, what: &str| {
        bench
            .told
            .iter()
            .filter(|(_, text)| text.contains(what))
            .count()
    };
    assert_eq!((count(&bench, &lost), count(&bench, "Found")), (1, 1));
    bench.run(20_000, 26_000, |_, reply| vec![reply]);
    assert_eq!((count(&bench, &lost), count(&bench, "Found")), (1, 2));
}

#[test]
fn nobody_on_the_line_ends_the_attempt() {
    let mut link = BusLink::new(BusSettings::default());
    link.handle_open(Mono::ZERO);
    let mut reopen = None;
    for ms in (0..20_000).step_by(10) {
        link.handle_timeout(Mono::from_millis(ms));
        while link.poll_transmit().is_some() {}
        reopen = reopen.or(link.poll_reopen());
    }
    assert!(reopen.is_some_and(|wait| wait >= Duration::from_millis(500)));
    assert_eq!(
        link.poll_part_event(),
        Some((None, Observation::Lost(LostReason::NotADevice)))
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn reads_and_noise_do_not_matter(
        cuts in proptest::collection::vec(1_usize..20, 1..8),
        // Below 0x80: bytes that begin no frame.
        noise in proptest::collection::vec(proptest::collection::vec(0_u8..0x80, 0..6), 1..5),
    ) {
        let (mut cut, mut dirt) = (cuts.iter().cycle(), noise.iter().cycle());
        let bench = play(|_, reply| {
            let mut bytes = dirt.next().unwrap().clone();
            bytes.extend(reply);
            let mut reads = Vec::new();
            while !bytes.is_empty() {
                let len = (*cut.next().unwrap()).min(bytes.len());
                reads.push(bytes.drain(..len).collect());
                if reads.len() == 3 {
                    reads.push(std::mem::take(&mut bytes));
                }
            }
            reads
        });
        prop_assert_eq!(gist(&bench), clean());
    }

    #[test]
    fn any_bytes_do_no_harm(
        reads in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..80), 0..60),
    ) {
        let mut link = BusLink::new(BusSettings::default());
        link.handle_open(Mono::ZERO);
        for (ms, read) in (0..).step_by(137).zip(&reads) {
            let now = Mono::from_millis(ms);
            link.handle_bytes(now, read);
            link.handle_timeout(now);
            while link.poll_transmit().is_some() {}
            while link.poll_part_event().is_some() {}
        }
    }
}
