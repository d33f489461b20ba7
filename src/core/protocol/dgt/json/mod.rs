//! Messages and commands as JSON: the form of `flagfall decode dgt` and of the golden vectors.
//!
//! `expect` and `note` are for the reader; they depend on nothing but the message.

use serde_json::{Map, Value, json};

use super::{
    bus::BusReply,
    clock::{Ack, AckKind, ClockMessage, ClockTime, Face, name},
    ee::{LogEntry, Mark, entries},
    frame::{Dialect, Frame, HEADER, Parser, id},
    message::{BatteryStatus, Message},
    piece::{Cells, Code, square},
};
use crate::{protocol::ClockButton, types::Mono};

mod bus;
mod command;

pub use self::{
    bus::bus_json,
    command::{command_json, commands_json},
};

/// Bytes as lower-case hex with a blank between.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;

    let mut text = String::with_capacity(bytes.len() * 3);
    for byte in bytes {
        if !text.is_empty() {
            text.push(' ');
        }
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// One message of a board.
pub fn frame_json(frame: Frame<'_>, dialect: Dialect) -> Value {
    match dialect {
        Dialect::Single => match Message::decode(frame) {
            Ok(message) => message_json(&message),
            Err(invalid) if frame.id() == id::CLOCK => {
                json!({"msg": "clock_invalid", "reason": invalid.to_string()})
            }
            Err(invalid) => {
                json!({"msg": "invalid", "id": frame.id(), "reason": invalid.to_string()})
            }
        },
        Dialect::Bus => BusReply::decode(frame).map_or_else(
            || json!({"msg": "invalid", "id": frame.id(), "reason": "no room for address and sum"}),
            |reply| bus_json(&reply),
        ),
    }
}

/// A piece of a stream fed to a fresh parser: its messages and what the parser still holds.
pub fn stream_json(bytes: &[u8], dialect: Dialect) -> Value {
    let mut parser = Parser::new(dialect);
    let mut messages = Vec::new();
    parser.feed(Mono::ZERO, bytes, |frame| {
        messages.push(frame_json(frame, dialect));
    });
    let mut stream = json!({"messages": messages, "leftover_hex": hex(parser.held())});
    if parser.cut_in_data() > 0 {
        stream["note"] = json!("id byte inside data starts a new frame");
    }
    stream
}

/// A message of single mode.
pub fn message_json(message: &Message<'_>) -> Value {
    match message {
        Message::BoardDump(cells) => dump_json(cells),
        Message::LargeDump(codes) => json!({
            "msg": "board_dump_100", "codes": codes,
            "note": "not a chess board: report unsupported device",
        }),
        Message::DraughtsDump { light, codes } => json!({
            "msg": if *light { "board_dump_50w" } else { "board_dump_50b" },
            "codes": codes, "note": "not a chess board: report unsupported device",
        }),
        Message::FieldUpdate { index, code } => {
            let mut update = json!({
                "msg": "field_update", "index": index, "square": square_name(*index),
                "piece": code.char(),
            });
            let magic = match code.byte() {
                0x0d => "draw",
                0x0e => "white-win",
                0x0f => "black-win",
                _ => return update,
            };
            update["note"] = json!(format!("magic piece: {magic}"));
            update
        }
        Message::Clock(clock) => clock_json(clock),
        Message::EeMoves(data) => {
            let mut moves = json!({"msg": "ee_moves", "events": events_json(data)});
            if let Some(note) = turned_log_note(data) {
                moves["note"] = note.into();
            }
            moves
        }
        Message::BusAddress { high, low } => json!({
            "msg": "bus_address", "value": u16::from(*high) << 7 | u16::from(*low),
            "hi": high, "lo": low,
        }),
        Message::Serial(text) => json!({"msg": "serial", "text": text}),
        Message::LongSerial(text) => json!({"msg": "long_serial", "text": text}),
        Message::Trademark(text) => {
            let mut trademark = json!({"msg": "trademark", "text": text});
            let len = text.len() + HEADER;
            if len > 127 {
                trademark["note"] = json!(format!(
                    "length high byte is {}: total {len} = {:02x} {:02x}",
                    len >> 7,
                    len >> 7,
                    len & 0x7f
                ));
            }
            trademark
        }
        Message::Version { main, sub } => json!({
            "msg": "version", "main": main, "sub": sub, "text": version_text(*main, *sub),
        }),
        Message::HardwareVersion([main, sub]) => json!({
            "msg": "hardware_version", "main": main, "sub": sub,
            "text": version_text(*main, *sub),
        }),
        Message::HardwareVersion(data) => {
            json!({"msg": "hardware_version", "data_hex": hex(data)})
        }
        Message::Battery(battery) => battery_json(battery),
        Message::Unknown { id, data } => {
            json!({"msg": "unknown", "id": id, "data_hex": hex(data)})
        }
    }
}

/// `1.02`: the second part always has two digits.
pub(in crate::protocol::dgt) fn version_text(main: u8, sub: u8) -> String {
    format!("{main}.{sub:02}")
}

fn square_name(index: u8) -> Option<String> {
    square(index).map(|square| square.to_string())
}

fn cell_text(cells: &Cells) -> String {
    cells.0.iter().map(|code| code.char()).collect()
}

fn dump_json(cells: &Cells) -> Value {
    let mut dump = Map::new();
    dump.insert("msg".into(), json!("board_dump"));
    dump.insert("cells".into(), json!(cell_text(cells)));
    if cells.has_magic() {
        dump.insert(
            "note".into(),
            json!(
                "0x0d draw, 0x0e white-win, 0x0f black-win tokens; not a chess placement, never \
                 map to a FEN"
            ),
        );
        return dump.into();
    }
    let start = Cells::from(&shakmaty::Board::new());
    let fen = |cells: &Cells| json!(cells.placement().to_string());
    if cells.looks_turned() {
        dump.insert("fen_raw".into(), fen(cells));
        dump.insert("fen".into(), fen(&cells.turned()));
        dump.insert("orientation".into(), json!("white_at_index_0"));
        return dump.into();
    }
    dump.insert("fen".into(), fen(cells));
    if *cells == start {
        dump.insert("orientation".into(), json!("white_at_index_63"));
    } else if is_start_with_gaps(cells, &start) {
        let men = cells.0.iter().filter(|code| **code != Code::EMPTY).count();
        dump.insert(
            "note".into(),
            json!(format!("{men} men; not the start position")),
        );
    }
    dump.into()
}

/// The start position from which at most a handful of men is missing: not yet set up.
fn is_start_with_gaps(cells: &Cells, start: &Cells) -> bool {
    let mut missing = 0;
    for (found, wanted) in cells.0.iter().zip(&start.0) {
        if found != wanted {
            if *found != Code::EMPTY {
                return false;
            }
            missing += 1;
        }
    }
    (1..=4).contains(&missing)
}

/// A clock message.
pub fn clock_json(clock: &ClockMessage) -> Value {
    match clock {
        ClockMessage::Null => {
            json!({"msg": "clock_null", "note": "all seven data bytes zero: ignore"})
        }
        ClockMessage::Ack(ack) => ack_json(*ack),
        ClockMessage::Time(time) => time_json(time),
    }
}

fn time_json(time: &ClockTime) -> Value {
    let face = |face: Option<Face>| {
        face.map(|face| {
            json!({
                "h": face.hours, "m": face.minutes, "s": face.seconds,
                "flag_blocked": face.flag_blocked, "time_per_move": face.time_per_move,
                "flag_shown": face.flag_shown,
            })
        })
    };
    json!({
        "msg": "clock_time", "right": face(time.right), "left": face(time.left),
        "running": time.running(), "lever_high": name(time.lever_high()),
        "battery_low": time.battery_low(), "right_turn_bit": time.right_turn_bit(),
        "left_turn_bit": time.left_turn_bit(), "connected": time.connected(),
    })
}

fn ack_json(ack: Ack) -> Value {
    let kind = match ack.kind() {
        AckKind::None => "none",
        AckKind::Command(0x01) => "display",
        AckKind::Command(0x02) => "icons",
        AckKind::Command(0x03) => "end",
        AckKind::Command(0x08) | AckKind::Button => "button",
        AckKind::Command(0x09) => "version",
        AckKind::Command(0x0a) => "set_n_run",
        AckKind::Command(0x0b) => "beep",
        AckKind::Command(0x0c) => "ascii",
        AckKind::Command(0x0d) => "rev2_ascii",
        AckKind::Ready => "ready",
        AckKind::Mode(_) => "mode",
        AckKind::NotRemote => "not_mode_23",
        AckKind::Command(_) | AckKind::Unknown(_) => "unknown",
    };
    let mut value = json!({
        "msg": "clock_ack", "ack": ack.0, "ok": ack.ok(), "auto": ack.auto(), "kind": kind,
    });
    if let Some((main, sub)) = ack.version() {
        value["version"] = json!(format!("{main}.{sub}"));
    }
    match ack.kind() {
        AckKind::Button => {
            let names: Vec<_> = ack.buttons().into_iter().map(button_name).collect();
            value["button"] = match names.as_slice() {
                [] => Value::Null,
                names => json!(names.join("+")),
            };
        }
        AckKind::Mode(mode) => value["mode"] = json!(mode),
        _ => {}
    }
    if !ack.ok() {
        value["reason"] = match ack.0[0] {
            0x40 => json!("0x40: clock not in mode 23"),
            0x20 => json!("ack0 0x20: seen on a DGT XL 1.14"),
            other => json!(format!("ack0 {other:#04x}: not 0x10")),
        };
    }
    value
}

fn button_name(button: ClockButton) -> &'static str {
    match button {
        ClockButton::Back => "back",
        ClockButton::Minus => "minus",
        ClockButton::Ok => "ok",
        ClockButton::Plus => "plus",
        ClockButton::Run => "run",
    }
}

fn battery_json(battery: &BatteryStatus) -> Value {
    json!({
        "msg": "battery", "percent": battery.percent,
        "left": battery.left.map(|(h, m)| json!({"h": h, "m": m})),
        "on": battery.on.map(|(h, m)| json!({"h": h, "m": m})),
        "standby": battery.standby.map(|(d, h, m)| json!({"d": d, "h": h, "m": m})),
        "charging": battery.charging(), "discharging": battery.discharging(),
    })
}

fn events_json(data: &[u8]) -> Vec<Value> {
    entries(data)
        .map(|entry| match entry {
            LogEntry::Field { index, code, fast } => json!({
                "ev": "field", "square": square_name(index), "piece": code.char(), "fast": fast,
            }),
            LogEntry::Time {
                side,
                hours,
                minutes,
                seconds,
            } => json!({
                "ev": "time", "side": name(side), "h": hours, "m": minutes, "s": seconds,
            }),
            LogEntry::Mark(mark) => json!({"ev": mark.name()}),
            LogEntry::Stop { code } => json!({
                "ev": "unknown", "code": code, "note": "length unknown: ask for a dump",
            }),
        })
        .collect()
}

/// A hint for the reader of a log that begins with the turned start position: the first step in
/// both numberings.
fn turned_log_note(data: &[u8]) -> Option<String> {
    let mut log = entries(data).skip_while(|e| *e != LogEntry::Mark(Mark::BeginPositionRotated));
    log.next()?;
    let (
        LogEntry::Field {
            index: from,
            code: Code::EMPTY,
            ..
        },
        LogEntry::Field { index: to, .. },
    ) = (log.next()?, log.next()?)
    else {
        return None;
    };
    Some(format!(
        "indices stay raw: with white at index 0 raw {}-{} is {}-{} for the players",
        square(from)?,
        square(to)?,
        square(63 - from)?,
        square(63 - to)?
    ))
}
