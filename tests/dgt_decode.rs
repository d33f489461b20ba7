//! The golden vectors of DGT boards through `flagfall decode`.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

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

/// A recording of a whole event is decoded piece by piece, whether a frame or a word is cut or not.
#[test]
fn long_inputs() {
    let frame = [0x8e, 0x00, 0x05, 0x34, 0x00];
    let frames = 40_000;
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("raw", frame.repeat(frames)),
        ("hex", b"8e 0005, 0x34 00\n".repeat(frames)),
        (
            "open",
            b"8e 0005, 0x34 00 ".repeat(frames).trim_ascii().to_vec(),
        ),
    ] {
        let path = directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_flagfall"))
            .args(["decode", "dgt"])
            .arg(&path)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.is_empty(), "{name}: {said}");
        let lines = String::from_utf8(output.stdout).unwrap();
        assert_eq!(lines.lines().count(), frames, "{name}");
        let first = lines.lines().next().unwrap();
        assert!(first.contains("field_update"), "{first}");
        assert!(lines.lines().all(|line| line == first), "{name}");
    }
}
