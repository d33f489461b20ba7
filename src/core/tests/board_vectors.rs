//! The golden vectors of boards other than DGT: decoded as they say, encoded back to the same bytes, however
//! the bytes are split.
//!
//! The words in `decoded` were written one vector at a time: some leave out what the message also says. So what
//! they say must be in ours, and ours may say more.

// The vectors are ours: what is missing in them must fail loudly.
#![allow(clippy::unwrap_used)]

use flagfall_core::protocol::{
    board::{Decoder, View},
    certabo, chesslink, chessnut, chessup, cpp,
    families::{Beforehand, FAMILIES, Family},
    hos, ichessone, pegasus, square_off,
    stream::{Stream, Wire},
    wpp,
};
use serde_json::{Value, json};

struct Vector {
    family: &'static Family,
    name: String,
    from_host: bool,
    bytes: Vec<u8>,
    chunks: Option<Vec<Vec<u8>>>,
    decoded: Value,
}

fn bytes(hex: &Value) -> Vec<u8> {
    let words = hex.as_str().unwrap().split(' ');
    words
        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect()
}

fn vectors(family: &'static Family, kind: &str) -> Vec<Vector> {
    let path = format!(
        "{}/../../tests/data/boards/{}-{kind}.json",
        env!("CARGO_MANIFEST_DIR"),
        family.name
    );
    let Ok(text) = std::fs::read_to_string(path) else {
        return Vec::new();
    };
    let list: Vec<Value> = serde_json::from_str(&text).unwrap();
    list.into_iter()
        .map(|vector| Vector {
            family,
            name: format!("{} {}", family.name, vector["name"].as_str().unwrap()),
            from_host: vector["direction"] == "host->board",
            bytes: bytes(&vector["bytes_hex"]),
            chunks: vector["chunks_hex"]
                .as_array()
                .map(|chunks| chunks.iter().map(bytes).collect()),
            decoded: vector["decoded"].clone(),
        })
        .collect()
}

fn all(kind: &str) -> Vec<Vector> {
    let found: Vec<_> = FAMILIES
        .iter()
        .flat_map(|family| vectors(family, kind))
        .collect();
    assert!(!found.is_empty());
    found
}

/// The messages of some reads, with the number of dropped bytes.
fn read<'a>(
    mut decoder: Box<dyn Decoder>,
    reads: impl IntoIterator<Item = &'a [u8]>,
) -> (Vec<Value>, u64) {
    let (mut messages, mut view) = (Vec::new(), View::default());
    let mut on_message = |message: &dyn flagfall_core::protocol::board::Tell| {
        messages.push(message.json(&mut view));
    };
    for bytes in reads {
        decoder.push(bytes, &mut on_message);
    }
    decoder.finish(&mut on_message);
    assert!(decoder.held().is_empty(), "{:02x?}", decoder.held());
    (messages, decoder.counters().bytes_dropped)
}

/// A set of men with a known calibration: most lines of a tag board need one.
fn beforehand() -> Beforehand {
    let certabo = Family::named("certabo").unwrap();
    let frames = vectors(certabo, "messages");
    let table = &frames[0].decoded["code_table"];
    Beforehand {
        calibration: Some(serde_json::from_value(table.clone()).unwrap()),
        start_calibrates: false,
    }
}

/// Whether everything that `expected` says is in `found`.
fn says(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => expected.iter().all(|(key, value)| {
            // Words for the reader.
            matches!(key.as_str(), "note" | "uses")
                || found.get(key).is_some_and(|found| says(found, value))
        }),
        (found, expected) => found == expected,
    }
}

/// What a vector says as a list of messages.
fn expected(vector: &Vector) -> Vec<Value> {
    match vector.decoded["messages"].as_array() {
        Some(messages) => messages.clone(),
        None => vec![vector.decoded.clone()],
    }
}

#[test]
fn what_boards_say() {
    let beforehand = beforehand();
    let mut count = 0;
    for vector in all("messages").iter().filter(|vector| !vector.from_host) {
        let decoder = || vector.family.decoder(&beforehand);
        let (messages, dropped) = read(decoder(), [&vector.bytes[..]]);
        let expected = expected(vector);
        let same = messages.len() == expected.len()
            && messages.iter().zip(&expected).all(|(a, b)| says(a, b));
        assert!(same, "{}:\n{}", vector.name, json!(messages));
        let should_drop = match &vector.decoded["type"] {
            // The whole message is dropped, and told.
            kind if *kind == "invalid" => vector.bytes.len() as u64,
            _ => vector.decoded["skipped_bytes"].as_u64().unwrap_or(0),
        };
        assert_eq!(dropped, should_drop, "{}", vector.name);

        let by_byte = read(decoder(), vector.bytes.chunks(1));
        assert_eq!(by_byte, (messages.clone(), dropped), "{}", vector.name);
        if let Some(chunks) = &vector.chunks {
            let chunked = read(decoder(), chunks.iter().map(Vec::as_slice));
            assert_eq!(chunked, (messages, dropped), "{}", vector.name);
        }
        count += 1;
    }
    assert!(count >= 60, "only {count}");
}

#[test]
fn what_hosts_say() {
    let mut count = 0;
    for vector in all("messages").iter().filter(|vector| vector.from_host) {
        let found = vector.family.commands(&vector.bytes);
        assert_eq!((found.dropped, found.rest.len()), (0, 0), "{}", vector.name);
        if vector.decoded["type"] == "sequence" {
            assert_eq!(json!(found.names), vector.decoded["commands"]);
        } else {
            assert_eq!(found.json.len(), 1, "{}", vector.name);
            assert!(
                says(&found.json[0], &vector.decoded),
                "{}: {}",
                vector.name,
                found.json[0]
            );
        }
        count += 1;
    }
    assert!(count >= 55, "only {count}");
}

/// Reads bytes as messages of one type and writes them back.
fn written_back<M: Wire>(bytes: &[u8]) -> Vec<u8> {
    let (mut out, mut stream) = (Vec::new(), Stream::default());
    stream.push(bytes, |message: M| message.encode(&mut out));
    stream.finish(|message: M| message.encode(&mut out));
    out
}

#[test]
fn encode_back() {
    let mut encoded = 0;
    for vector in all("messages").iter().chain(&all("games")) {
        let board: fn(&[u8]) -> Vec<u8> = match vector.family.name {
            "chessnut" | "chessnut-move" => written_back::<chessnut::Message>,
            "chesslink" => written_back::<chesslink::Message>,
            "certabo" => written_back::<certabo::Line>,
            "tabutronic-sentio" => written_back::<certabo::occupancy::Line>,
            "ichessone" => written_back::<ichessone::Message>,
            "pegasus" => written_back::<pegasus::Message>,
            "squareoff" => written_back::<square_off::Message>,
            "hos" => written_back::<hos::Message>,
            "chessup" => written_back::<chessup::Message>,
            "cpp" => written_back::<cpp::Message>,
            _ => written_back::<wpp::Message>,
        };
        let host: fn(&[u8]) -> Vec<u8> = match vector.family.name {
            "chessnut" | "chessnut-move" => written_back::<chessnut::Command>,
            "chesslink" => written_back::<chesslink::Command>,
            "certabo" | "tabutronic-sentio" => written_back::<certabo::leds::Command>,
            "ichessone" => written_back::<ichessone::Command>,
            "pegasus" => written_back::<pegasus::Command>,
            "squareoff" => written_back::<square_off::Command>,
            "hos" => written_back::<hos::Command>,
            "chessup" => written_back::<chessup::Command>,
            "cpp" => written_back::<cpp::Command>,
            _ => written_back::<wpp::Command>,
        };
        let back = if vector.from_host { host } else { board }(&vector.bytes);
        let odd = [
            // Junk, wrong checks, stray line ends: nobody writes them on purpose.
            "junk_before_position",
            "status_bad_block_check",
            "position_line_feed_every_64_characters",
            "_with_led_mark",
            // 255 where there is no tag, as one firmware has it.
            "calibration_noisy_0",
        ];
        if odd.iter().any(|odd| vector.name.ends_with(odd)) {
            assert!(back.len() <= vector.bytes.len() + 4, "{}", vector.name);
            continue;
        }
        assert_eq!(back, vector.bytes, "{}", vector.name);
        encoded += 1;
    }
    assert!(encoded >= 120, "only {encoded}");
}

/// The calibration that a board shows, and the lines after it, in one stream.
#[test]
fn a_tag_board_calibrates_itself() {
    let certabo = Family::named("certabo").unwrap();
    let frames: Vec<_> = vectors(certabo, "messages")
        .into_iter()
        .filter(|vector| !vector.from_host)
        .collect();
    let reads = frames.iter().map(|vector| &vector.bytes[..]);
    let (messages, dropped) = read(certabo.decoder(&Beforehand::default()), reads);
    assert_eq!(dropped, 0);
    let expected: Vec<_> = frames.iter().flat_map(expected).collect();
    assert_eq!(messages.len(), expected.len());
    for (found, expected) in messages.iter().zip(&expected) {
        assert!(says(found, expected), "{found}\n{expected}");
    }

    // Without: the tags are told, no men are made up.
    let (messages, _) = read(
        certabo.decoder(&Beforehand::default()),
        [&frames[1].bytes[..]],
    );
    assert_eq!(messages[0]["type"], "tags");
    assert_eq!(messages[0]["squares"].as_array().unwrap().len(), 32);
    // Or the start position is taken for right, where that was asked for.
    let trusting = Beforehand {
        calibration: None,
        start_calibrates: true,
    };
    let reads = [&frames[1].bytes[..], &frames[2].bytes];
    let (messages, _) = read(certabo.decoder(&trusting), reads);
    assert_eq!(messages[1]["placement"], frames[2].decoded["placement"]);
}
