//! The golden vectors of DGT boards: decoded exactly as they say, encoded back to the same bytes.

use flagfall_core::{
    protocol::dgt::{
        command::{Command, Parsed},
        frame::{Dialect, Parser},
        json::{commands_json, frame_json, hex, stream_json},
        message::Message,
    },
    types::Mono,
};
use serde_json::Value;

struct Vector {
    name: String,
    from_host: bool,
    bytes: Vec<u8>,
    decoded: Value,
}

fn vectors(text: &str) -> Vec<Vector> {
    let list: Vec<Value> = serde_json::from_str(text).expect("a vector");
    list.into_iter()
        .map(|vector| Vector {
            name: vector["name"].as_str().expect("a vector").to_owned(),
            from_host: vector["direction"] == "host->board",
            bytes: vector["bytes_hex"]
                .as_str()
                .expect("a vector")
                .split(' ')
                .map(|byte| u8::from_str_radix(byte, 16).expect("a vector"))
                .collect(),
            decoded: vector["decoded"].clone(),
        })
        .collect()
}

fn decode(vector: &Vector, dialect: Dialect) -> Vec<Value> {
    if vector.from_host {
        let (commands, rest) = commands_json(&vector.bytes);
        assert!(rest.is_empty(), "{}: {} left", vector.name, hex(rest));
        return commands;
    }
    let mut messages = Vec::new();
    let mut parser = Parser::new(dialect);
    parser.feed(Mono::ZERO, &vector.bytes, |frame| {
        messages.push(frame_json(frame, dialect));
    });
    assert!(parser.held().is_empty(), "{}: unfinished", vector.name);
    assert_eq!(parser.counters().bytes_dropped, 0, "{}", vector.name);
    messages
}

fn check(text: &str, dialect: Dialect) {
    for vector in vectors(text) {
        let decoded = decode(&vector, dialect);
        assert_eq!(decoded.len(), 1, "{}", vector.name);
        assert_eq!(decoded[0], vector.decoded, "{}", vector.name);
    }
}

#[test]
fn board() {
    check(include_str!("data/dgt/dgt-board.json"), Dialect::Single);
}

#[test]
fn clock() {
    check(include_str!("data/dgt/dgt-clock.json"), Dialect::Single);
}

#[test]
fn ee() {
    check(include_str!("data/dgt/dgt-ee.json"), Dialect::Single);
}

#[test]
fn bus() {
    check(include_str!("data/dgt/dgt-bus.json"), Dialect::Bus);
}

#[test]
fn framing() {
    for vector in vectors(include_str!("data/dgt/dgt-framing.json")) {
        assert_eq!(
            stream_json(&vector.bytes, Dialect::Single),
            vector.decoded,
            "{}",
            vector.name
        );
    }
}

/// What was read is written as the same bytes, wherever the content makes sense.
#[test]
fn encode_back() {
    let mut encoded = 0;
    for text in [
        include_str!("data/dgt/dgt-board.json"),
        include_str!("data/dgt/dgt-clock.json"),
        include_str!("data/dgt/dgt-ee.json"),
    ] {
        for vector in vectors(text) {
            let mut bytes = Vec::new();
            if vector.from_host {
                let Parsed::Command(command, _) = Command::parse(&vector.bytes) else {
                    panic!("{}", vector.name);
                };
                command.encode(&mut bytes);
            } else {
                Parser::new(Dialect::Single).feed(Mono::ZERO, &vector.bytes, |frame| {
                    if let Ok(message) = Message::decode(frame) {
                        message.encode(&mut bytes);
                    }
                });
                // An ack may carry its mark in one of the two places; we write both.
                if bytes.is_empty() || vector.name.starts_with("ack_nibble_only") {
                    continue;
                }
            }
            assert_eq!(hex(&bytes), hex(&vector.bytes), "{}", vector.name);
            encoded += 1;
        }
    }
    assert!(encoded > 70, "only {encoded} encoded");
}
