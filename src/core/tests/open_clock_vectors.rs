//! The golden vectors of the open clock profile, both ways, and what a line can do to them: split and glued
//! reads, repeated frames, noise, lost bytes.

// The vectors are ours: what is missing in them must fail loudly.
#![allow(clippy::unwrap_used)]

use flagfall_core::protocol::{
    board::{Decoder, Tell, View},
    dgt::json::hex,
    families::{Beforehand, Family},
    open_clock::{
        command::{Command, Order},
        message::{Event, Info, Period, Response, Settings, State},
        serial::{Frame, Framing, Packet},
        words::{By, EventKind, Method, Operation, Power, Sides, Status, Why},
    },
    stream::{Stream, Wire},
};
use proptest::prelude::*;
use serde_json::Value;

struct Vector {
    name: String,
    from_host: bool,
    transport: String,
    bytes: Vec<u8>,
    chunks: Vec<Vec<u8>>,
    decoded: Value,
}

fn bytes(hex: &Value) -> Vec<u8> {
    let words = hex.as_str().unwrap().split(' ');
    words
        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect()
}

fn vectors(kind: &str) -> Vec<Vector> {
    let path = format!(
        "{}/../../tests/data/clocks/open-clock-{kind}.json",
        env!("CARGO_MANIFEST_DIR"),
    );
    let list: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    list.into_iter()
        .map(|vector| Vector {
            name: vector["name"].as_str().unwrap().to_owned(),
            from_host: vector["direction"] == "host->clock",
            transport: vector["transport"].as_str().unwrap().to_owned(),
            bytes: bytes(&vector["bytes_hex"]),
            chunks: vector["chunks_hex"]
                .as_array()
                .map(|chunks| chunks.iter().map(bytes).collect())
                .unwrap_or_default(),
            decoded: vector["decoded"].clone(),
        })
        .collect()
}

fn family() -> &'static Family {
    Family::named("open-clock").unwrap()
}

/// The messages of some reads, and the decoder after them.
fn read<'a>(reads: impl IntoIterator<Item = &'a [u8]>) -> (Vec<Value>, Box<dyn Decoder>) {
    let mut decoder = family().decoder(&Beforehand::default());
    let mut messages = Vec::new();
    let mut on_message = |message: &dyn Tell| messages.push(message.json(&mut View::default()));
    for bytes in reads {
        decoder.push(bytes, &mut on_message);
    }
    decoder.finish(&mut on_message);
    (messages, decoder)
}

#[test]
fn messages_are_read_as_the_vectors_say() {
    let mut count = 0;
    for vector in vectors("messages") {
        if vector.from_host {
            let found = family().commands(&vector.bytes);
            assert_eq!(found.json, [vector.decoded], "{}", vector.name);
            assert_eq!((found.dropped, found.rest), (0, vec![]), "{}", vector.name);
        } else {
            let (whole, decoder) = read([&vector.bytes[..]]);
            assert_eq!(whole, [vector.decoded], "{}", vector.name);
            assert!(decoder.held().is_empty(), "{}", vector.name);
            let (by_byte, _) = read(vector.bytes.chunks(1));
            assert_eq!(by_byte, whole, "{}", vector.name);
        }
        count += 1;
    }
    assert!(count >= 55, "only {count}");
}

#[test]
fn messages_are_written_as_the_vectors_say() {
    let mut count = 0;
    for vector in vectors("messages") {
        if vector.decoded["type"] == "invalid" || vector.name == "serial_json_with_crc" {
            continue;
        }
        let packet = packet(&vector.decoded);
        let mut written = Vec::new();
        match vector.transport.as_str() {
            "serial COBS" => packet.write(Framing::Cobs, &mut written),
            "serial JSON line" => packet.write(Framing::JsonLines, &mut written),
            transport => {
                if transport.starts_with("advertising") {
                    written.extend([0xff, 0xff, 0xfc, 0x01]);
                }
                packet.encode_payload(&mut written);
            }
        }
        assert_eq!(hex(&written), hex(&vector.bytes), "{}", vector.name);
        count += 1;
    }
    assert!(count >= 53, "only {count}");
}

#[test]
fn streams_say_what_was_lost() {
    let vectors = vectors("streams");
    assert_eq!(vectors.len(), 3);
    for vector in vectors {
        let (messages, decoder) = read([&vector.bytes[..]]);
        assert_eq!(messages.len(), 2, "{}", vector.name);
        assert_eq!(decoder.stream_json(), Some(vector.decoded.clone()));
        let (_, decoder) = read(vector.chunks.iter().map(Vec::as_slice));
        assert_eq!(decoder.stream_json(), Some(vector.decoded));
    }
}

/// Values as a capture of GATT has them, one after the other, whatever their first bytes look like.
#[test]
fn values_are_told_apart() {
    let values: Vec<_> = vectors("messages")
        .into_iter()
        .filter(|vector| !vector.from_host && !vector.transport.starts_with("serial"))
        .collect();
    let glued: Vec<u8> = values.iter().flat_map(|v| v.bytes.clone()).collect();
    let (messages, decoder) = read(glued.chunks(7));
    let expected: Vec<_> = values.iter().map(|v| v.decoded.clone()).collect();
    assert_eq!(messages, expected);
    assert_eq!(decoder.counters().bytes_dropped, 0);
}

/// The message that a vector describes: the test reads the words, not the bytes.
fn packet(said: &Value) -> Packet {
    let number = |key: &str| said[key].as_i64().unwrap();
    let sides = |key: &str| match said[key].as_str().unwrap() {
        "left" => Sides::Left,
        "right" => Sides::Right,
        "both" => Sides::Both,
        _ => Sides::None,
    };
    let yes = |key: &str| said[key].as_bool().unwrap();
    let word = |key: &str| said[key].as_str().unwrap();
    match word("type") {
        "info" => Packet::Info(Info {
            version: (1, 0),
            capabilities: number("capabilities") as u16,
            resolution_ms: number("resolution_ms") as u16,
            boot_id: number("boot_id") as u32,
            log_depth: number("log_depth") as u8,
            serial: word("serial").to_owned(),
        }),
        "state" => Packet::State(State {
            frame: number("frame") as u8,
            event_seq: number("event_seq") as u16,
            device_ms: number("device_ms") as u32,
            left_ms: number("left_ms") as i32,
            right_ms: number("right_ms") as i32,
            left_moves: number("left_moves") as u8,
            right_moves: number("right_moves") as u8,
            left_period: number("left_period") as u8,
            right_period: number("right_period") as u8,
            running: sides("running"),
            paused: yes("paused"),
            started: yes("started"),
            left_flag: yes("left_flag"),
            right_flag: yes("right_flag"),
            first_flag: sides("first_flag"),
            white: sides("white"),
            battery: Power::from_word(word("battery")).unwrap(),
            editing: yes("editing"),
            call_open: yes("call_open"),
            freeze: yes("freeze"),
            log_cut: yes("log_cut"),
        }),
        "event" => Packet::Event(Event {
            event_seq: number("event_seq") as u16,
            device_ms: number("device_ms") as u32,
            kind: EventKind::from_word(word("event")).unwrap(),
            side: sides("side"),
            by: By::from_word(word("by")).unwrap(),
            left_ms: number("left_ms") as i32,
            right_ms: number("right_ms") as i32,
            moves: said["moves"].as_u64().map(|moves| moves as u16),
            arg: number("arg") as i16,
        }),
        "settings" => Packet::Settings(Settings {
            white_on_left: yes("white_on_left"),
            freeze_at_first_flag: yes("freeze_at_first_flag"),
            move_counter_decides: yes("move_counter_decides"),
            program: number("program") as u8,
            periods: said["periods"]
                .as_array()
                .unwrap()
                .iter()
                .map(period)
                .collect(),
        }),
        "response" => Packet::Response(Response {
            operation: Operation::from_word(word("op")).unwrap(),
            tag: number("tag") as u8,
            status: Status::from_word(word("status")).unwrap(),
            event_seq: number("event_seq") as u16,
            device_ms: number("device_ms") as u32,
        }),
        _ => {
            let order = match word("op") {
                "replay" => Order::Replay {
                    from: number("from") as u16,
                },
                "add_time" => Order::AddTime {
                    side: sides("side"),
                    ms: number("ms") as i32,
                    why: Why::from_word(word("why")).unwrap(),
                },
                "set_times" => Order::SetTimes {
                    left_ms: number("left_ms") as i32,
                    right_ms: number("right_ms") as i32,
                    then_running: sides("then_running"),
                    if_event_seq: said["if_event_seq"].as_u64().map(|seq| seq as u16),
                },
                "pause" => Order::Pause,
                "time_sync" => Order::TimeSync {
                    host_unix_ms: number("host_unix_ms") as u64,
                },
                "new_game" => Order::NewGame {
                    game: number("game") as u32,
                },
                op => panic!("{op}"),
            };
            let tag = number("tag") as u8;
            Packet::Command(Command { tag, order })
        }
    }
}

fn period(said: &Value) -> Period {
    let number = |key: &str| said[key].as_u64().unwrap();
    Period {
        moves: number("moves") as u8,
        method: Method::from_word(said["method"].as_str().unwrap()).unwrap(),
        increment_tenths: (number("increment_ms") / 100) as u16,
        left_ms: number("left_ms") as u32,
        right_ms: number("right_ms") as u32,
    }
}

fn any_order() -> impl Strategy<Value = Order> {
    let side = || (0_u8..4).prop_map(Sides::from_bits);
    prop_oneof![
        Just(Order::GetInfo),
        Just(Order::GetState),
        any::<u16>().prop_map(|from| Order::Replay { from }),
        (any::<i32>(), any::<i32>(), side(), 0_u16..u16::MAX).prop_map(|(l, r, side, seq)| {
            Order::SetTimes {
                left_ms: l,
                right_ms: r,
                then_running: side,
                if_event_seq: (seq > 0).then_some(seq),
            }
        }),
        (side(), any::<i32>(), 1_u8..4).prop_map(|(side, ms, why)| Order::AddTime {
            side,
            ms,
            why: Why::from_code(why)
        }),
        Just(Order::Pause),
        side().prop_map(|side| Order::Resume { side }),
        (side(), any::<u16>()).prop_map(|(side, moves)| Order::SetMoves { side, moves }),
        (side(), any::<u8>()).prop_map(|(side, period)| Order::SetPeriod { side, period }),
        Just(Order::ClearFlags),
        any::<u16>().prop_map(|event| Order::Acknowledge { event }),
        any::<u32>().prop_map(|game| Order::NewGame { game }),
        any::<u64>().prop_map(|host_unix_ms| Order::TimeSync { host_unix_ms }),
        any::<bool>().prop_map(|locked| Order::Lock { locked }),
        "[ -~]{0,16}".prop_map(|text| Order::Display { text }),
        Just(Order::Identify),
    ]
}

fn any_packet() -> impl Strategy<Value = Packet> {
    let bytes = proptest::collection::vec(any::<u8>(), 20);
    let info = ("[!-~]{0,9}", any::<u32>(), any::<u16>()).prop_map(|(serial, boot_id, bits)| {
        Packet::Info(Info {
            version: (1, 0),
            capabilities: bits,
            resolution_ms: 10,
            boot_id,
            log_depth: 64,
            serial,
        })
    });
    let state = bytes
        .clone()
        .prop_map(|bytes| Packet::State(State::decode(&bytes).unwrap()));
    let event = (bytes, 1_u8..17).prop_map(|(bytes, kind)| {
        let event = Event::decode(&bytes).unwrap();
        Packet::Event(Event {
            kind: EventKind::from_code(kind),
            ..event
        })
    });
    let command =
        (any::<u8>(), any_order()).prop_map(|(tag, order)| Packet::Command(Command { tag, order }));
    let response = (any::<u8>(), 0_u8..16, 0_u8..6, any::<u16>(), any::<u32>()).prop_map(
        |(tag, op, status, event_seq, device_ms)| {
            Packet::Response(Response {
                operation: Operation::from_code(op),
                tag,
                status: Status::from_code(status),
                event_seq,
                device_ms,
            })
        },
    );
    let one = (
        any::<u8>(),
        0_u8..7,
        any::<u16>(),
        any::<u32>(),
        any::<u32>(),
    )
        .prop_map(
            |(moves, method, increment_tenths, left_ms, right_ms)| Period {
                moves,
                method: Method::from_code(method),
                increment_tenths,
                left_ms,
                right_ms,
            },
        );
    let settings = proptest::collection::vec(one, 1..16).prop_map(|periods| {
        Packet::Settings(Settings {
            white_on_left: true,
            freeze_at_first_flag: false,
            move_counter_decides: true,
            program: 3,
            periods,
        })
    });
    prop_oneof![info, state, event, command, response, settings]
}

fn framing() -> impl Strategy<Value = Framing> {
    prop_oneof![Just(Framing::Cobs), Just(Framing::JsonLines)]
}

fn frames(stream: &mut Stream, bytes: &[u8]) -> Vec<Packet> {
    let mut packets = Vec::new();
    stream.push(bytes, |frame: Frame| packets.extend(frame.packet));
    assert!(stream.held().len() <= Frame::LONGEST);
    packets
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_is_written_is_read(
        packets in proptest::collection::vec((any_packet(), framing()), 1..8),
        cut in 1_usize..40,
    ) {
        let mut bytes = Vec::new();
        for (packet, framing) in &packets {
            packet.write(*framing, &mut bytes);
        }
        let mut stream = Stream::default();
        let found: Vec<_> = bytes.chunks(cut).flat_map(|read| frames(&mut stream, read)).collect();
        let expected: Vec<_> = packets.into_iter().map(|(packet, _)| packet).collect();
        prop_assert_eq!(found, expected);
        prop_assert_eq!(stream.counters().bytes_dropped, 0);
        prop_assert!(stream.held().is_empty());
    }

    /// Noise before, between and behind, and frames twice: every whole frame is heard, as often as it came.
    #[test]
    fn noise_hides_nothing(
        parts in proptest::collection::vec(
            (any_packet(), framing(), 1_usize..3, prop_oneof![
                Just(Vec::new()),
                Just(b"ets Jul 29 2019 12:21:46\r\nrst:0x1\r\n".to_vec()),
                Just(vec![0xff, 0x80, 0x99]),
                Just(vec![0]),
                Just(b"{\"k\":\"state\",\"f\"\n".to_vec()),
                Just(vec![9, 2, 5, 0]),
            ]),
            1..8,
        ),
        cut in 1_usize..60,
    ) {
        let (mut bytes, mut expected) = (Vec::new(), Vec::new());
        for (packet, framing, times, noise) in parts {
            bytes.extend(noise);
            for _ in 0..times {
                packet.write(framing, &mut bytes);
                expected.push(packet.clone());
            }
        }
        let mut stream = Stream::default();
        let found: Vec<_> = bytes.chunks(cut).flat_map(|read| frames(&mut stream, read)).collect();
        prop_assert_eq!(found, expected);
    }

    /// One byte lost, changed or put in costs at most the frames that it touches, and never makes up one.
    #[test]
    fn a_damaged_frame_is_not_believed(
        packets in proptest::collection::vec(any_packet(), 3..7),
        at in any::<prop::sample::Index>(),
        change in 0_u8..3,
        byte in any::<u8>(),
    ) {
        let mut bytes = Vec::new();
        for packet in &packets {
            packet.write(Framing::Cobs, &mut bytes);
        }
        let at = at.index(bytes.len());
        match change {
            0 => drop(bytes.remove(at)),
            1 => bytes[at] ^= byte.max(1),
            _ => bytes.insert(at, byte),
        }
        let found = frames(&mut Stream::default(), &bytes);
        prop_assert!(found.len() + 2 >= packets.len());
        let mut rest = packets.iter();
        for packet in &found {
            prop_assert!(rest.any(|sent| sent == packet), "{packet:?} was never sent");
        }
    }

    #[test]
    fn any_bytes_are_survived(
        chunks in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..700), 0..6),
    ) {
        let mut decoder = family().decoder(&Beforehand::default());
        let mut messages = 0;
        for chunk in &chunks {
            decoder.push(chunk, &mut |message: &dyn Tell| {
                message.told();
                messages += 1;
            });
            prop_assert!(decoder.held().len() <= 1024);
        }
        decoder.finish(&mut |_| messages += 1);
        decoder.stream_json();
        let whole = chunks.concat();
        let counters = decoder.counters();
        prop_assert_eq!(counters.bytes, whole.len() as u64);
        prop_assert!(counters.bytes_dropped + decoder.held().len() as u64 <= counters.bytes);
        family().commands(&whole);
    }
}
