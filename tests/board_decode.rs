//! The golden vectors of boards other than DGT through `flagfall decode`.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

use std::{io::Write, process::Command};

use flagfall::decode::{
    FamilyName, boards,
    boards::{from_board, from_host},
    parse_hex,
};
use flagfall_core::protocol::{board::Evidence, families::FAMILIES};
use serde_json::Value;

fn vectors(family: &str) -> Vec<Value> {
    let path = format!("tests/data/boards/{family}-messages.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// What a vector says must be said; more may be.
fn says(found: &Value, expected: &Value) -> bool {
    let Some(expected) = expected.as_object() else {
        return found == expected;
    };
    expected
        .iter()
        .filter(|(key, _)| !matches!(key.as_str(), "note" | "uses"))
        .all(|(key, value)| match value {
            Value::Object(_) => says(&found[key], value),
            value => found.get(key) == Some(value),
        })
}

#[test]
fn every_family_has_a_name_and_is_found_by_it() {
    for family in FAMILIES {
        for name in std::iter::once(&family.name).chain(family.aliases) {
            let found = FamilyName::named(name).unwrap();
            assert_eq!(found.name(), family.name);
        }
    }
    assert_eq!(FamilyName::named("dgt-board").unwrap().name(), "dgt");
    assert!(FamilyName::named("abacus").is_none());
}

#[test]
fn messages() {
    let table = vectors("certabo")[0]["decoded"].clone();
    let mut file = tempfile::NamedTempFile::new().unwrap();
    write!(file, "{table}").unwrap();
    let beforehand = boards::beforehand(Some(file.path())).unwrap();
    let boards = FAMILIES.iter();
    for family in boards.filter(|family| family.evidence != Evidence::Times) {
        for vector in vectors(family.name) {
            let bytes = parse_hex(vector["bytes_hex"].as_str().unwrap()).unwrap();
            let decoded = if vector["direction"] == "host->board" {
                from_host(family, &bytes, true)
            } else {
                from_board(family, &bytes, &beforehand, true)
            };
            let [stream] = decoded.lines.as_slice() else {
                panic!("{}", vector["name"]);
            };
            let expected = &vector["decoded"];
            if expected["type"] == "sequence" {
                let skipped = expected["skipped_bytes"].as_u64().unwrap_or(0);
                assert_eq!(stream["skipped_bytes"], skipped, "{}", vector["name"]);
                assert_eq!(decoded.remarks.is_empty(), skipped == 0);
                if let Some(commands) = expected.get("commands") {
                    assert_eq!(&stream["commands"], commands);
                }
            } else {
                let messages = stream["messages"].as_array().unwrap();
                assert_eq!(messages.len(), 1, "{}: {stream}", vector["name"]);
                assert!(says(&messages[0], expected), "{}: {stream}", vector["name"]);
            }
        }
    }
}

fn flagfall(args: &[&str]) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_flagfall"))
        .arg("decode")
        .args(args)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    assert!(output.status.success(), "{args:?}");
    (text(output.stdout), text(output.stderr))
}

#[test]
fn on_the_command_line() {
    let (out, err) = flagfall(&["pegasus", "--bytes", "11 8e 00 05 34 00 8e 00"]);
    assert_eq!(
        out,
        "{\"present\":false,\"square\":\"e2\",\"type\":\"field_update\"}\n"
    );
    assert!(err.contains("1 bytes belong to no message"), "{err}");
    assert!(err.contains("unfinished at the end: 8e 00"), "{err}");
    let (out, err) = flagfall(&[
        "sentio",
        "--direction",
        "from-host",
        "--bytes",
        "00 00 00 00 10 00 10 00",
    ]);
    assert_eq!(out, "{\"squares\":[\"e2\",\"e4\"],\"type\":\"leds\"}\n");
    assert_eq!(err, "");
}

/// Longer than what is read at once, as bytes and as hex.
#[test]
fn long_inputs() {
    let directory = tempfile::tempdir().unwrap();
    let (line, hex) = (
        b"30#R*0#e2u*".repeat(20_000),
        "30 23 65 32 75 2a\n".repeat(20_000),
    );
    for (name, content, dropped) in [("raw", line, true), ("hex", hex.into_bytes(), false)] {
        let path = directory.path().join(name);
        std::fs::write(&path, content).unwrap();
        let (out, err) = flagfall(&["squareoff", path.to_str().unwrap()]);
        assert_eq!(out.lines().count(), 20_000, "{name}");
        assert_eq!(err.contains("100000 bytes belong to no"), dropped, "{err}");
    }
}
