//! Messages and commands as JSON: the form of `flagfall decode dgt` and of the golden vectors.
//!
//! `expect` and `note` are for the reader; they depend on nothing but the message.

use serde_json::{Map, Value, json};

use super::{
    bus::{self, BusCommand, BusReply},
    clock::{Ack, AckKind, ClockMessage, ClockTime, Face, name},
    clock_command::{BoardClockCommand, text_of},
    command::{Command, Parsed, Request},
    ee::{LogEntry, Mark, entries},
    frame::{Dialect, Frame, Parser},
    message::{BatteryStatus, Message, cells},
    piece::{Cells, Code, square},
};
use crate::{protocol::ClockButton, types::Mono};

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
            Err(invalid) if frame.id() == super::frame::id::CLOCK => {
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
        messages.push(frame_json(frame, dialect))
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
            let len = text.len() + super::frame::HEADER;
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
pub(super) fn version_text(main: u8, sub: u8) -> String {
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

/// A reply of bus mode.
pub fn bus_json(reply: &BusReply<'_>) -> Value {
    let mut value = Map::new();
    let mut put = |key: &str, content: Value| value.insert(key.into(), content);
    let name = bus::reply_name(reply.id);
    put("msg", json!(name.unwrap_or("bus_unknown")));
    if name.is_none() {
        put("id", json!(reply.id));
    }
    put("address", json!(reply.address));
    put("checksum_ok", json!(reply.checksum_ok));
    if !reply.checksum_ok {
        // Nothing inside is to be believed; what helps is to ask again, in the right way.
        match reply.id {
            0x85 | 0x8b => put("action", json!("send 84 (repeat changes), not 83")),
            _ => put("action", json!("repeat the command")),
        };
        return value.into();
    }
    match (reply.id, reply.data) {
        (0x83, data) => match cells(data) {
            Ok(cells) => put("cells", json!(cell_text(&cells))),
            Err(invalid) => put("reason", json!(invalid.to_string())),
        },
        (0x84, data) => {
            let clock = data.try_into().ok().map(ClockMessage::decode);
            put(
                "clock",
                match clock {
                    Some(Ok(clock)) => clock_json(&clock),
                    Some(Err(invalid)) => {
                        json!({"msg": "clock_invalid", "reason": invalid.to_string()})
                    }
                    None => Value::Null,
                },
            )
        }
        (0x85, data) if reply.address == bus::CENTAUR => {
            put(
                "note",
                json!(
                    "Centaur sees occupancy only: 0x40 lift, 0x41 place; its square numbering is not \
                 a8=0"
                ),
            );
            put("centaur_events", centaur_events(data).into())
        }
        (0x85 | 0x86 | 0x8b, data) => put("events", events_json(data).into()),
        (0x87 | 0x88, _) => None,
        (0x89, &[main, sub]) => {
            put("main", json!(main));
            put("sub", json!(sub))
        }
        (0x89, _) => {
            put("note", json!("firmware up to 1.2"));
            put("main", Value::Null);
            put("sub", Value::Null)
        }
        (0x8a, data) => put("codes", json!(data)),
        (0xb0 | 0xb4, data) => put("text", json!(String::from_utf8_lossy(data))),
        (0xb1, data) if reply.address == bus::CENTAUR => {
            put(
                "note",
                json!("Centaur-internal; shows that 0xb1 carries a raw I2C clock message"),
            );
            put("button", json!(centaur_button(data)))
        }
        (_, data) => put("data_hex", json!(hex(data))),
    };
    value.into()
}

fn centaur_events(data: &[u8]) -> Vec<Value> {
    data.chunks(2)
        .map(|pair| match *pair {
            [0x40, square] => json!({"lift": square}),
            [0x41, square] => json!({"place": square}),
            _ => json!({"unknown": hex(pair)}),
        })
        .collect()
}

/// Inside is an I²C message of a clock: `00 14 0a 05`, the button that is down, the one before.
fn centaur_button(data: &[u8]) -> Option<&'static str> {
    match data.get(4)? {
        0x01 => Some("BACK"),
        0x02 => Some("DOWN"),
        0x04 => Some("PLAY"),
        0x08 => Some("UP"),
        0x10 => Some("TICK"),
        0x40 => Some("HELP"),
        _ => None,
    }
}

/// Commands of the host, in order, with what is left over at the end.
pub fn commands_json(mut bytes: &[u8]) -> (Vec<Value>, &[u8]) {
    let mut commands = Vec::new();
    while let Some(&first) = bytes.first() {
        if first >= 0x80 {
            let known = bytes.first_chunk().and_then(BusCommand::decode);
            let len = match known {
                Some(command) => {
                    commands.push(bus_command_json(&command));
                    bus::COMMAND_LEN
                }
                None if bus::command_name(first).is_some() => return (commands, bytes),
                None => {
                    commands.push(foreign_json(first));
                    // Of a foreign command only the beginning can be told.
                    bytes[1..]
                        .iter()
                        .position(|b| *b >= 0x80)
                        .map_or(bytes.len(), |at| at + 1)
                }
            };
            bytes = &bytes[len..];
            continue;
        }
        match Command::parse(bytes) {
            Parsed::Command(command, len) => {
                commands.push(command_json(&command));
                bytes = &bytes[len..];
            }
            Parsed::Partial => return (commands, bytes),
            Parsed::Unknown(code) => {
                commands.push(json!({"cmd": format!("unknown_{code:02x}")}));
                bytes = &bytes[1..];
            }
        }
    }
    (commands, bytes)
}

fn foreign_json(code: u8) -> Value {
    let mut command = json!({"cmd": format!("unknown_{code:02x}")});
    if code == 0xdf {
        command["note"] = json!(
            "LiveChess sends this to look for another device family; a board simply ignores it"
        );
    }
    command
}

fn bus_command_json(command: &BusCommand) -> Value {
    let mut value = json!({
        "cmd": bus::command_name(command.code), "address": command.address,
        "checksum_ok": command.checksum_ok,
    });
    match command.code {
        0x87 if command.address == bus::ALL => {
            value["note"] = json!("every board answers within 1.1 s");
        }
        0x89 => value["note"] = json!("wait 3 s"),
        _ => {}
    }
    value
}

/// A command of single mode.
pub fn command_json(command: &Command) -> Value {
    match command {
        Command::Request(request) => request_json(*request),
        Command::Leds {
            pattern: 2,
            from,
            to,
        } => json!({
            "cmd": "set_leds", "pattern": 2, "setting": match from {
                1 => "dim_moved_piece",
                2 => "reversal",
                _ => "unknown",
            },
            "on": *to == 1, "device": "Revelation II",
        }),
        Command::Leds { pattern, from, to } => json!({
            "cmd": "set_leds", "pattern": pattern, "from": square_name(*from),
            "to": square_name(*to), "device": "Revelation II",
        }),
        Command::OtherLeds(content) => json!({
            "cmd": "set_leds", "data_hex": hex(content), "device": "other",
        }),
        Command::DeveloperKey(content) => {
            json!({"cmd": "developer_key", "data_hex": hex(content)})
        }
        Command::Clock(command) => clock_command_json(command),
        Command::BadClock(content) => {
            json!({"cmd": "clock_invalid", "data_hex": hex(content)})
        }
    }
}

fn request_json(request: Request) -> Value {
    let (cmd, key, text) = match request {
        Request::ResetIdle => ("reset_idle", "expect", "idle mode, no reply"),
        Request::SendClock => ("send_clock", "expect", "one BWTIME"),
        Request::SendBoard => ("send_board", "expect", "one BOARD_DUMP"),
        Request::Update => ("update", "expect", "FIELD_UPDATE, BWTIME every second"),
        Request::UpdateBoard => ("update_board", "expect", "FIELD_UPDATE only"),
        Request::Serial => ("serial", "expect", "SERIALNR"),
        Request::BusAddress => ("bus_address", "expect", "BUS_ADRES"),
        Request::Trademark => ("trademark", "expect", "TRADEMARK"),
        Request::HardwareVersion => ("hardware_version", "expect", "HARDWARE_VERSION"),
        Request::SendEeMoves => (
            "send_ee_moves",
            "note",
            "up to 7939 bytes, 8 s at 9600 baud; blocks everything else",
        ),
        Request::ToBusMode => ("to_bus_mode", "expect", "no reply"),
        Request::UpdateNice => (
            "update_nice",
            "expect",
            "FIELD_UPDATE, BWTIME on change only",
        ),
        Request::Battery => ("battery", "expect", "BATTERY_STATUS"),
        Request::Version => ("version", "expect", "VERSION"),
        Request::SendDraughtsDark => ("send_board_50b", "expect", "one BOARD_DUMP_50B"),
        Request::SendDraughtsLight => ("send_board_50w", "expect", "one BOARD_DUMP_50W"),
        Request::LongSerial => ("long_serial", "expect", "LONG_SERIALNR"),
        Request::I2cClock => ("i2c_clock", "expect", "one I2C_CLOCK"),
        Request::I2cUpdate => ("i2c_update", "expect", "I2C_CLOCK"),
        Request::I2cUpdateNice => ("i2c_update_nice", "expect", "I2C_CLOCK on change only"),
        Request::BootLoader => ("boot_loader", "note", "never send"),
        Request::ScanToEeprom(0x51) => ("scan_50b", "note", "writes to the EEPROM, never send"),
        Request::ScanToEeprom(0x53) => ("scan_50w", "note", "writes to the EEPROM, never send"),
        Request::ScanToEeprom(_) => ("scan_100", "note", "writes to the EEPROM, never send"),
    };
    json!({"cmd": cmd, key: text})
}

fn clock_command_json(command: &BoardClockCommand) -> Value {
    match *command {
        BoardClockCommand::Display {
            segments,
            icons,
            beep,
        } => json!({"cmd": "display", "text": text_of(segments), "icons": icons, "beep": beep}),
        BoardClockCommand::Icons {
            left: 0,
            right: 0,
            left_periods: 0,
            right_periods: 0,
            special: 1,
        } => json!({"cmd": "icons", "clear_all": true}),
        BoardClockCommand::Icons {
            left,
            right,
            left_periods,
            right_periods,
            special,
        } => json!({
            "cmd": "icons", "left": left, "right": right, "left_periods": left_periods,
            "right_periods": right_periods, "special": special, "clear_all": special & 1 != 0,
        }),
        BoardClockCommand::EndDisplay => json!({"cmd": "end_display"}),
        BoardClockCommand::Button => json!({"cmd": "clock_button"}),
        BoardClockCommand::Version => json!({"cmd": "clock_version"}),
        BoardClockCommand::SetNRun { left, right, run } => set_n_run_json(left, right, run),
        BoardClockCommand::Beep { units } => {
            json!({"cmd": "beep", "ms": u32::from(units) * 64})
        }
        BoardClockCommand::Ascii { text, beep } => json!({
            "cmd": "ascii", "text": String::from_utf8_lossy(&text), "beep": beep,
        }),
        BoardClockCommand::Rev2Ascii { text, beep } => json!({
            "cmd": "rev2_ascii", "text": String::from_utf8_lossy(&text), "beep": beep,
        }),
    }
}

fn set_n_run_json(left: [u8; 3], right: [u8; 3], run: u8) -> Value {
    let shown = |[h, m, s]: [u8; 3]| json!([h & 0x0f, m, s]);
    let mut value = json!({
        "cmd": "set_n_run", "left": shown(left), "right": shown(right),
        "left_down": run & 0x01 != 0, "right_down": run & 0x02 != 0, "pause": run & 0x04 != 0,
        "toggle_on_lever": run & 0x08 != 0,
    });
    for (key, time) in [("left_up", left), ("right_up", right)] {
        if time[0] & 0x10 != 0 {
            value[key] = json!(true);
        }
    }
    if left[1..] == [59, 59] || right[1..] == [59, 59] {
        value["note"] = json!("plain binary 3b, not BCD 59");
    }
    value
}
