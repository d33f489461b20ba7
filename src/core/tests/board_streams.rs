//! What every stream of a board other than DGT can do to its decoder: split and glued reads, repeated
//! messages, noise between them, and bytes that are nothing at all.

// A panic is what these tests look for.
#![allow(clippy::unwrap_used)]

use flagfall_core::protocol::{
    board::{Decoder, Evidence, Tell, Told, View},
    families::{Beforehand, FAMILIES, Family},
};
use proptest::prelude::*;
use serde_json::Value;

/// The most that any family may hold back.
const HELD: usize = 2048;

/// The messages that boards of a family send, from the golden vectors.
fn messages(family: &Family) -> Vec<Vec<u8>> {
    let path = format!(
        "{}/../../tests/data/boards/{}-messages.json",
        env!("CARGO_MANIFEST_DIR"),
        family.name
    );
    let vectors: Vec<Value> =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let bytes = |hex: &str| -> Vec<u8> {
        let words = hex.split(' ');
        words
            .map(|byte| u8::from_str_radix(byte, 16).unwrap())
            .collect()
    };
    vectors
        .iter()
        .filter(|vector| vector["direction"] == "board->host")
        .filter(|vector| {
            // Noise is added here; a wrong check is told and dropped.
            let decoded = &vector["decoded"];
            decoded["skipped_bytes"].is_null() && decoded["type"] != "invalid"
        })
        .map(|vector| bytes(vector["bytes_hex"].as_str().unwrap()))
        .collect()
}

/// Bytes that begin no message of the family and end none.
fn noise(family: &Family) -> Vec<u8> {
    match family.name {
        "chessnut" | "chessnut-move" => vec![0xf0, 0x98, 0x76, 0x54, 0xff, 0x10],
        "chesslink" => b"\x01\x02zZ#Q~".to_vec(),
        "certabo" | "tabutronic-sentio" => b"xyz#!12345".to_vec(),
        "ichessone" => b"\x00xyz\xffp".to_vec(),
        "pegasus" => vec![0x00, 0x34, 0x7f, 0x01],
        "squareoff" => b"xyz*#u,;".to_vec(),
        "hos" => b"FFxyz,,FF".to_vec(),
        "chessup" => vec![0xf0, 0xfe, 0x99, 0x45],
        _ => b"\x01\x02\x03#".to_vec(),
    }
}

/// A decoder under test with everything that it said.
struct Bench {
    decoder: Box<dyn Decoder>,
    view: View,
    said: Vec<Value>,
}

impl Bench {
    fn new(family: &Family) -> Self {
        let beforehand = Beforehand {
            calibration: None,
            start_calibrates: true,
        };
        Self {
            decoder: family.decoder(&beforehand),
            view: View::default(),
            said: Vec::new(),
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        let (said, view) = (&mut self.said, &mut self.view);
        self.decoder.push(bytes, &mut |message: &dyn Tell| {
            said.push(message.json(view));
            let _: Told = message.told();
        });
        assert!(self.decoder.held().len() <= HELD);
    }

    fn finish(&mut self) {
        let (said, view) = (&mut self.said, &mut self.view);
        self.decoder
            .finish(&mut |message: &dyn Tell| said.push(message.json(view)));
    }
}

fn family() -> impl Strategy<Value = &'static Family> {
    // Clocks have tests of their own.
    (0..FAMILIES.len())
        .prop_map(|at| &FAMILIES[at])
        .prop_filter("a board", |family| family.evidence != Evidence::Times)
}

/// Families whose messages only the end of a value closes have no stream that noise could be in.
fn streams() -> impl Strategy<Value = &'static Family> {
    family().prop_filter("a stream", |family| !family.values)
}

/// Messages of a family, some repeated, with noise before, between and behind.
fn noisy() -> impl Strategy<Value = (&'static Family, Vec<(usize, bool)>)> {
    let parts = proptest::collection::vec((0_usize..40, any::<bool>()), 1..12);
    (streams(), parts)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn reads_do_not_matter(
        family in family(),
        picks in proptest::collection::vec(0_usize..40, 1..10),
        garbage in proptest::collection::vec(any::<u8>(), 0..60),
        cuts in proptest::collection::vec(0_usize..120, 0..40),
    ) {
        let messages = messages(family);
        let mut bytes: Vec<u8> = picks
            .iter()
            .flat_map(|pick| messages[pick % messages.len()].clone())
            .collect();
        let middle = bytes.len() / 2;
        bytes.splice(middle..middle, garbage);
        let mut whole = Bench::new(family);
        whole.push(&bytes);
        let mut split = Bench::new(family);
        let mut rest = &bytes[..];
        for cut in cuts {
            let (now, later) = rest.split_at(cut.min(rest.len()));
            split.push(now);
            rest = later;
        }
        split.push(rest);
        prop_assert_eq!(&split.said, &whole.said);
        prop_assert_eq!(split.decoder.held(), whole.decoder.held());
        prop_assert_eq!(split.decoder.counters(), whole.decoder.counters());
    }

    #[test]
    fn noise_is_counted_and_changes_nothing((family, parts) in noisy()) {
        let messages = messages(family);
        let noise = noise(family);
        let (mut clean, mut dirty) = (Bench::new(family), Bench::new(family));
        let mut added = 0;
        for (pick, with_noise) in parts {
            let message = &messages[pick % messages.len()];
            clean.push(message);
            if with_noise {
                dirty.push(&noise);
                added += noise.len() as u64;
            }
            dirty.push(message);
        }
        dirty.push(&noise);
        added += noise.len() as u64;
        clean.finish();
        dirty.finish();
        prop_assert_eq!(&dirty.said, &clean.said);
        prop_assert_eq!(clean.decoder.counters().bytes_dropped, 0);
        let held = dirty.decoder.held().len() as u64;
        // Line ends and blanks are no fault, so they are not counted.
        prop_assert_eq!(dirty.decoder.counters().bytes_dropped + held, added, "{}", family.name);
    }

    #[test]
    fn any_bytes_are_survived(
        family in family(),
        chunks in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..200), 0..20),
    ) {
        let mut bench = Bench::new(family);
        for chunk in &chunks {
            bench.push(chunk);
        }
        bench.finish();
        let total: usize = chunks.iter().map(Vec::len).sum();
        let counters = bench.decoder.counters();
        prop_assert_eq!(counters.bytes, total as u64);
        prop_assert!(counters.bytes_dropped + bench.decoder.held().len() as u64 <= total as u64);
        // Commands of hosts are read from the same kind of noise.
        let whole = chunks.concat();
        let found = family.commands(&whole);
        prop_assert!(found.dropped + found.rest.len() as u64 <= total as u64);
    }

    /// Text that is nearly right goes further into a decoder than noise.
    #[test]
    fn damaged_messages_are_survived(
        family in streams(),
        picks in proptest::collection::vec(0_usize..40, 1..6),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
    ) {
        let messages = messages(family);
        let mut bytes: Vec<u8> = picks
            .iter()
            .flat_map(|pick| messages[pick % messages.len()].clone())
            .collect();
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let mut bench = Bench::new(family);
        for byte in &bytes {
            bench.push(std::slice::from_ref(byte));
        }
        // The next whole messages are heard again, at the latest after what was held is passed over.
        let before = bench.said.len();
        for _ in 0..=HELD / messages[0].len() + 2 {
            bench.push(&messages[0]);
        }
        bench.finish();
        prop_assert!(bench.said.len() > before, "{}", family.name);
    }
}
