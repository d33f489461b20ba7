//! Commands of the host as JSON.

use serde_json::{Value, json};

use super::{bus::bus_command_json, hex, square_name};
use crate::protocol::dgt::{
    bus::{self, BusCommand},
    clock_command::{BoardClockCommand, text_of},
    command::{Command, Parsed, Request},
};

/// Commands of the host, in order, with what is left over at the end.
pub fn commands_json(mut bytes: &[u8]) -> (Vec<Value>, &[u8]) {
    let mut commands = Vec::new();
    while let Some(&first) = bytes.first() {
        if first >= 0x80 {
            let known = bytes.first_chunk().and_then(BusCommand::decode);
            let len = match known {
                Some(command) => {
                    commands.push(bus_command_json(command));
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
