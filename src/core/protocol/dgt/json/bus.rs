//! Bus mode as JSON.

use serde_json::{Map, Value, json};

use super::{cell_text, clock_json, events_json, hex};
use crate::protocol::dgt::{
    bus::{self, BusCommand, BusReply},
    clock::ClockMessage,
    message::cells,
};

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

pub(super) fn bus_command_json(command: BusCommand) -> Value {
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
