//! Messages in the form of the golden vectors, and the decoder behind `flagfall decode open-clock`.

use serde_json::{Value as Json, json};

use super::{
    command::{Command, Order},
    face,
    log::Log,
    message::{Event, Response, Settings, State},
    serial::{Fault, Frame, Packet},
    values::{self, Value},
    words::{EventKind, Sides, Why},
};
use crate::protocol::{
    Battery, LinkCounters,
    board::{Decoder, Tell, Told, View},
    dgt::json::hex,
    families::{Beforehand, Commands},
    stream::{Cut, Stream, Wire as _},
};

impl Packet {
    /// All of it, in the form of the golden vectors.
    pub fn json(&self) -> Json {
        match self {
            Self::Info(info) => json!({
                "type": "info", "protocol": [info.version.0, info.version.1],
                "capabilities": info.capabilities, "resolution_ms": info.resolution_ms,
                "boot_id": info.boot_id, "log_depth": info.log_depth, "serial": info.serial,
            }),
            Self::State(state) => state_json(state),
            Self::Event(event) => event_json(event),
            Self::Settings(settings) => settings_json(settings),
            Self::Command(command) => command_json(command),
            Self::Response(response) => response_json(response),
        }
    }
}

impl Tell for Packet {
    fn told(&self) -> Told {
        match self {
            Self::State(state) => Told::Clock(face::reading_of_state(state)),
            Self::Event(event) => battery(event).map_or(Told::Other, Told::Battery),
            Self::Info(info) => Told::Version(format!("{}.{}", info.version.0, info.version.1)),
            Self::Settings(_) | Self::Command(_) | Self::Response(_) => Told::Other,
        }
    }

    fn json(&self, _view: &mut View) -> Json {
        self.json()
    }
}

impl Tell for Frame {
    fn told(&self) -> Told {
        self.packet.as_ref().map_or(Told::Other, Tell::told)
    }

    fn json(&self, _view: &mut View) -> Json {
        match &self.packet {
            Ok(packet) => packet.json(),
            Err(fault) => {
                let reason = match fault {
                    Fault::Crc => "crc",
                    Fault::Content => "content",
                };
                json!({"type": "invalid", "reason": reason})
            }
        }
    }
}

/// The charge that an event tells.
pub(super) fn battery(event: &Event) -> Option<Battery> {
    (event.kind == EventKind::Battery).then(|| Battery {
        percent: u8::try_from(event.arg)
            .ok()
            .filter(|percent| *percent <= 100),
        charging: false,
    })
}

fn state_json(state: &State) -> Json {
    let white = match state.white {
        Sides::None => "unknown",
        sides => sides.word(),
    };
    json!({
        "type": "state", "frame": state.frame, "event_seq": state.event_seq,
        "device_ms": state.device_ms, "left_ms": state.left_ms, "right_ms": state.right_ms,
        "left_moves": state.left_moves, "right_moves": state.right_moves,
        "left_period": state.left_period, "right_period": state.right_period,
        "running": state.running.word(), "paused": state.paused, "started": state.started,
        "left_flag": state.left_flag, "right_flag": state.right_flag,
        "first_flag": state.first_flag.word(), "white": white,
        "battery": state.battery.word(), "editing": state.editing,
        "call_open": state.call_open, "freeze": state.freeze, "log_cut": state.log_cut,
    })
}

fn event_json(event: &Event) -> Json {
    json!({
        "type": "event", "event_seq": event.event_seq, "device_ms": event.device_ms,
        "event": event.kind.word(), "side": event.side.word(), "by": event.by.word(),
        "left_ms": event.left_ms, "right_ms": event.right_ms, "moves": event.moves,
        "arg": event.arg,
    })
}

fn settings_json(settings: &Settings) -> Json {
    let periods: Vec<_> = settings
        .periods
        .iter()
        .map(|period| {
            json!({
                "moves": period.moves, "method": period.method.word(),
                "increment_ms": u32::from(period.increment_tenths) * 100,
                "left_ms": period.left_ms, "right_ms": period.right_ms,
            })
        })
        .collect();
    json!({
        "type": "settings", "version": 1, "white_on_left": settings.white_on_left,
        "freeze_at_first_flag": settings.freeze_at_first_flag,
        "move_counter_decides": settings.move_counter_decides,
        "program": settings.program, "periods": periods,
    })
}

fn command_json(command: &Command) -> Json {
    let mut value = match &command.order {
        Order::GetInfo | Order::GetState | Order::Pause | Order::ClearFlags | Order::Identify => {
            json!({})
        }
        Order::Replay { from } => json!({"from": from}),
        Order::SetTimes {
            left_ms,
            right_ms,
            then_running,
            if_event_seq,
        } => json!({
            "left_ms": left_ms, "right_ms": right_ms,
            "then_running": then_running.word(), "if_event_seq": if_event_seq,
        }),
        Order::AddTime { side, ms, why } => json!({
            "side": side.word(), "ms": ms,
            "why": match why {
                Why::Other(code) => json!(code),
                why => json!(why.word()),
            },
        }),
        Order::Resume { side } => json!({"side": side.word()}),
        Order::SetMoves { side, moves } => json!({"side": side.word(), "moves": moves}),
        Order::SetPeriod { side, period } => json!({"side": side.word(), "period": period}),
        Order::Acknowledge { event } => json!({"event_seq": event}),
        Order::NewGame { game } => json!({"game": game}),
        Order::TimeSync { host_unix_ms } => json!({"host_unix_ms": host_unix_ms}),
        Order::Lock { locked } => json!({"locked": locked}),
        Order::Display { text } => json!({"text": text}),
    };
    value["type"] = json!("command");
    value["op"] = json!(command.order.operation().word());
    value["tag"] = json!(command.tag);
    value
}

fn response_json(response: &Response) -> Json {
    json!({
        "type": "response", "op": response.operation.word(), "tag": response.tag,
        "status": response.status.word(), "event_seq": response.event_seq,
        "device_ms": response.device_ms,
    })
}

/// Reads a clock's bytes: a serial line in either framing, or values as a capture of GATT holds them.
/// Which it is, the first message says.
#[derive(Debug, Default)]
pub(super) struct ClockDecoder {
    kind: Kind,
    stream: Stream,
    /// Bytes before the kind is known, or of an unfinished value.
    held: Vec<u8>,
    counters: LinkCounters,
    log: Log,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Unknown,
    Line,
    Values,
}

impl ClockDecoder {
    fn judge(&self, last: bool) -> Kind {
        let value = || values::of_clock(&self.held, last);
        match Frame::cut(&self.held[..self.held.len().min(Frame::LONGEST)]) {
            Cut::Message(..) | Cut::Broken(..) => Kind::Line,
            Cut::Partial if !last && self.held.len() < Frame::LONGEST => Kind::Unknown,
            Cut::Partial | Cut::Junk(_) | Cut::Filler(_) => match value() {
                Value::Is(..) => Kind::Values,
                Value::Unsure if !last => Kind::Unknown,
                Value::Unsure | Value::No => Kind::Line,
            },
        }
    }

    fn take(&mut self, last: bool, on_message: &mut dyn FnMut(&dyn Tell)) {
        if self.kind == Kind::Unknown && !self.held.is_empty() {
            self.kind = self.judge(last);
        }
        match self.kind {
            Kind::Unknown => {}
            Kind::Line => {
                let held = std::mem::take(&mut self.held);
                let log = &mut self.log;
                let mut on_frame = |frame: Frame| {
                    if let Ok(packet) = &frame.packet {
                        note(log, packet);
                    }
                    on_message(&frame);
                };
                self.stream.push(&held, &mut on_frame);
                if last {
                    self.stream.finish(&mut on_frame);
                }
            }
            Kind::Values => self.take_values(last, on_message),
        }
    }

    fn take_values(&mut self, last: bool, on_message: &mut dyn FnMut(&dyn Tell)) {
        let mut at = 0;
        while at < self.held.len() {
            at += match values::of_clock(&self.held[at..], last) {
                Value::Is(packet, len) => {
                    self.counters.messages += 1;
                    note(&mut self.log, &packet);
                    on_message(&packet);
                    len
                }
                Value::Unsure if !last => break,
                Value::Unsure | Value::No => {
                    self.counters.bytes_dropped += 1;
                    1
                }
            };
        }
        self.held.drain(..at);
    }
}

fn note(log: &mut Log, packet: &Packet) {
    match packet {
        Packet::State(state) => log.hear_state(state.frame, state.event_seq),
        Packet::Event(event) if event.kind == EventKind::Boot && event.event_seq == 1 => {
            log.begin(1);
        }
        Packet::Event(event) => {
            log.hear_event(event.event_seq);
        }
        Packet::Response(response) => log.note(response.event_seq),
        Packet::Info(_) | Packet::Settings(_) | Packet::Command(_) => {}
    }
}

impl Decoder for ClockDecoder {
    fn push(&mut self, bytes: &[u8], on_message: &mut dyn FnMut(&dyn Tell)) {
        self.counters.bytes += bytes.len() as u64;
        // Piece by piece, so that what is held stays small whatever the read.
        for piece in bytes.chunks(Frame::LONGEST) {
            self.held.extend_from_slice(piece);
            self.take(false, on_message);
        }
    }

    fn finish(&mut self, on_message: &mut dyn FnMut(&dyn Tell)) {
        self.take(true, on_message);
    }

    fn reset(&mut self) {
        self.stream.reset();
        self.counters.bytes_dropped += self.held.len() as u64;
        self.counters.unfinished += u64::from(!self.held.is_empty());
        self.held.clear();
        self.kind = Kind::Unknown;
    }

    fn held(&self) -> &[u8] {
        if self.held.is_empty() {
            self.stream.held()
        } else {
            &self.held
        }
    }

    fn counters(&self) -> LinkCounters {
        let line = self.stream.counters();
        LinkCounters {
            bytes_dropped: self.counters.bytes_dropped + line.bytes_dropped,
            messages: self.counters.messages + line.messages,
            unfinished: self.counters.unfinished + line.unfinished,
            bytes: self.counters.bytes,
            ..line
        }
    }

    fn stream_json(&self) -> Option<Json> {
        let missing = self.log.missing();
        let mut value = json!({
            "type": "stream", "lost_states": self.log.lost_states(), "replay_from": missing,
        });
        if let Some(from) = missing {
            value["replay_command_hex_after_tag"] =
                json!(hex(&from.to_le_bytes()).replace(' ', ""));
        }
        Some(value)
    }
}

/// A decoder for the bytes of a clock.
pub(in crate::protocol) fn decoder(_: &Beforehand) -> Box<dyn Decoder> {
    Box::new(ClockDecoder::default())
}

/// The commands of a host, framed or as values.
pub(in crate::protocol) fn commands(bytes: &[u8]) -> Commands {
    let mut found = Commands::default();
    let mut stream = Stream::default();
    let mut take = |packet: &Packet| {
        found.json.push(packet.json());
        found.names.push(match packet {
            Packet::Command(command) => command.order.operation().word().to_owned(),
            other => other.json()["type"].as_str().unwrap_or_default().to_owned(),
        });
    };
    let framed = matches!(
        Frame::cut(&bytes[..bytes.len().min(Frame::LONGEST)]),
        Cut::Message(..) | Cut::Broken(..)
    );
    if !framed && let Some(values) = values::of_host(bytes) {
        values.iter().for_each(take);
        return found;
    }
    let mut broken = Vec::new();
    let mut on_frame = |frame: Frame| match &frame.packet {
        Ok(packet) => take(packet),
        Err(_) => broken.push(Tell::json(&frame, &mut View::default())),
    };
    stream.push(bytes, &mut on_frame);
    stream.finish(&mut on_frame);
    found.json.extend(broken);
    found.dropped = stream.counters().bytes_dropped;
    found.rest = stream.held().to_vec();
    found
}
