//! The golden vectors of DGT boards through `flagfall decode`.

use flagfall::decode::{Decoded, from_board, from_host, parse_hex};
use serde_json::Value;

fn check(text: &str, stream: bool) {
    let vectors: Vec<Value> = serde_json::from_str(text).expect("JSON");
    assert!(!vectors.is_empty());
    for vector in vectors {
        let bytes = parse_hex(vector["bytes_hex"].as_str().expect("hex")).expect("hex");
        let Decoded { lines, remarks } = if vector["direction"] == "host->board" {
            from_host(&bytes)
        } else {
            from_board(&bytes, false, stream)
        };
        assert_eq!(lines.len(), 1, "{}", vector["name"]);
        assert_eq!(lines[0], vector["decoded"], "{}", vector["name"]);
        assert!(
            stream || remarks.is_empty(),
            "{}: {remarks:?}",
            vector["name"]
        );
    }
}

#[test]
fn messages() {
    check(include_str!("data/dgt/dgt-board.json"), false);
    check(include_str!("data/dgt/dgt-clock.json"), false);
    check(include_str!("data/dgt/dgt-ee.json"), false);
}

/// Bus mode is seen from the bytes.
#[test]
fn bus_mode() {
    check(include_str!("data/dgt/dgt-bus.json"), false);
}

#[test]
fn streams() {
    check(include_str!("data/dgt/dgt-framing.json"), true);
}
