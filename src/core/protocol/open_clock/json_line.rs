//! JSON lines: the same messages for people. Settings have no line.
//!
//! The profile names the keys of states, events and answers. The keys of an info and of the commands'
//! parameters are ours: `major minor cap res boot depth serial`; `from l r run if side ms why m p e game
//! unix_ms on text`.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::{
    command::{Command, Order},
    message::{Event, Info, Response, State},
    serial::{Packet, crc},
    words::{By, EventKind, Operation, Power, Sides, Status, Why},
};

/// Why a line is no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Error {
    /// Nothing of ours.
    NoMessage,
    /// The check behind the star fails.
    Crc,
    /// A message with a part missing or impossible.
    Content,
}

/// Reads a line without its end.
pub(super) fn read(line: &[u8]) -> Result<Packet, Error> {
    let line = line.trim_ascii();
    let (text, check) = match line {
        [text @ .., b'*', a, b, c, d] if *d != b'}' => (text, Some([*a, *b, *c, *d])),
        text => (text, None),
    };
    if !text.starts_with(b"{") || !text.ends_with(b"}") {
        return Err(Error::NoMessage);
    }
    if let Some(check) = check {
        let digits = std::str::from_utf8(&check).ok();
        let said = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok());
        if said != Some(crc(text)) {
            return Err(Error::Crc);
        }
    }
    let object: Map<String, Value> = serde_json::from_slice(text).map_err(|_| Error::NoMessage)?;
    let keys = Keys(&object);
    let packet = match keys.text("k").ok_or(Error::NoMessage)? {
        "info" => keys.info().map(Packet::Info),
        "state" => keys.state().map(Packet::State),
        "event" => keys.event().map(Packet::Event),
        "cmd" => keys.command().map(Packet::Command),
        "ack" => keys.response().map(Packet::Response),
        _ => return Err(Error::NoMessage),
    };
    packet.ok_or(Error::Content)
}

struct Keys<'a>(&'a Map<String, Value>);

impl<'a> Keys<'a> {
    fn text(&self, key: &str) -> Option<&'a str> {
        self.0.get(key)?.as_str()
    }

    fn number<N: TryFrom<i128>>(&self, key: &str) -> Option<N> {
        let value = self.0.get(key)?;
        let number = value
            .as_u64()
            .map(i128::from)
            .or(value.as_i64().map(i128::from))?;
        N::try_from(number).ok()
    }

    /// A key that may be left out.
    fn number_or<N: TryFrom<i128>>(&self, key: &str, default: N) -> Option<N> {
        if self.0.contains_key(key) {
            self.number(key)
        } else {
            Some(default)
        }
    }

    fn yes(&self, key: &str) -> Option<bool> {
        self.0.get(key).map_or(Some(false), Value::as_bool)
    }

    fn sides(&self, key: &str) -> Option<Sides> {
        match self.0.get(key) {
            None => Some(Sides::None),
            Some(value) => Sides::from_letter(value.as_str()?),
        }
    }

    fn info(&self) -> Option<Info> {
        let serial = self.text("serial")?;
        let plain = serial.len() <= 9 && serial.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        Some(Info {
            version: (self.number("major")?, self.number_or("minor", 0)?),
            capabilities: self.number("cap")?,
            resolution_ms: self.number("res")?,
            boot_id: self.number("boot")?,
            log_depth: self.number("depth")?,
            serial: plain.then(|| serial.to_owned())?,
        })
    }

    fn state(&self) -> Option<State> {
        let flags = self.sides("flags")?;
        let battery = match self.0.get("bat") {
            None => Power::Good,
            Some(word) => Power::from_word(word.as_str()?)?,
        };
        let nibble = |period: u8| (period < 16).then_some(period);
        Some(State {
            frame: self.number("f")?,
            event_seq: self.number("e")?,
            device_ms: self.number("t")?,
            left_ms: self.number("l")?,
            right_ms: self.number("r")?,
            left_moves: self.number_or("lm", 0)?,
            right_moves: self.number_or("rm", 0)?,
            left_period: nibble(self.number_or("lp", 1)?)?,
            right_period: nibble(self.number_or("rp", 1)?)?,
            running: self.sides("run")?,
            paused: self.yes("paused")?,
            started: self.yes("started")?,
            left_flag: flags.bits() & 1 != 0,
            right_flag: flags.bits() & 2 != 0,
            first_flag: self.sides("first")?,
            white: self.sides("white")?,
            battery,
            editing: self.yes("edit")?,
            call_open: self.yes("call")?,
            freeze: self.yes("freeze")?,
            log_cut: self.yes("cut")?,
        })
    }

    fn event(&self) -> Option<Event> {
        Some(Event {
            event_seq: self.number("e")?,
            device_ms: self.number("t")?,
            // A kind of a later version still has its number.
            kind: EventKind::from_word(self.text("type")?).unwrap_or(EventKind::Other(0)),
            side: self.sides("side")?,
            by: match self.0.get("by") {
                None => By::Clock,
                Some(word) => By::from_word(word.as_str()?)?,
            },
            left_ms: self.number("l")?,
            right_ms: self.number("r")?,
            moves: match self.0.get("m") {
                None | Some(Value::Null) => None,
                Some(_) => Some(self.number("m")?),
            },
            arg: self.number_or("arg", 0)?,
        })
    }

    fn command(&self) -> Option<Command> {
        let order = match Operation::from_word(self.text("op")?)? {
            Operation::GetInfo => Order::GetInfo,
            Operation::GetState => Order::GetState,
            Operation::Replay => Order::Replay {
                from: self.number("from")?,
            },
            Operation::SetTimes => Order::SetTimes {
                left_ms: self.number("l")?,
                right_ms: self.number("r")?,
                then_running: self.sides("run")?,
                if_event_seq: match self.0.get("if") {
                    None | Some(Value::Null) => None,
                    Some(_) => Some(self.number("if")?),
                },
            },
            Operation::AddTime => Order::AddTime {
                side: self.sides("side")?,
                ms: self.number("ms")?,
                why: Why::from_word(self.text("why")?)?,
            },
            Operation::Pause => Order::Pause,
            Operation::Resume => Order::Resume {
                side: self.sides("side")?,
            },
            Operation::SetMoves => Order::SetMoves {
                side: self.sides("side")?,
                moves: self.number("m")?,
            },
            Operation::SetPeriod => Order::SetPeriod {
                side: self.sides("side")?,
                period: self.number("p")?,
            },
            Operation::ClearFlags => Order::ClearFlags,
            Operation::Acknowledge => Order::Acknowledge {
                event: self.number("e")?,
            },
            Operation::NewGame => Order::NewGame {
                game: self.number("game")?,
            },
            Operation::TimeSync => Order::TimeSync {
                host_unix_ms: self.number("unix_ms")?,
            },
            Operation::Lock => Order::Lock {
                locked: self.yes("on")?,
            },
            Operation::Display => Order::Display {
                text: self.text("text")?.to_owned(),
            },
            Operation::Identify => Order::Identify,
            Operation::Other(_) => return None,
        };
        Some(Command {
            tag: self.number("tag")?,
            order,
        })
    }

    fn response(&self) -> Option<Response> {
        let status = match (self.yes("ok")?, self.text("status")) {
            (true, _) => Status::Ok,
            // Refused, and no reason given.
            (false, None) => Status::Other(u8::MAX),
            (false, Some(word)) => {
                Status::from_word(word).filter(|status| *status != Status::Ok)?
            }
        };
        Some(Response {
            operation: Operation::from_word(self.text("op")?)?,
            tag: self.number("tag")?,
            status,
            event_seq: self.number("e")?,
            device_ms: self.number("t")?,
        })
    }
}

/// A line under construction.
struct Line(String);

impl Line {
    fn new(kind: &str) -> Self {
        Self(format!("{{\"k\":\"{kind}\""))
    }

    fn put(&mut self, key: &str, value: impl Into<Value>) -> &mut Self {
        // Writing to a string does not fail.
        let _ = write!(self.0, ",\"{key}\":{}", value.into());
        self
    }
}

/// Appends the line; answers whether there is one.
pub(super) fn write(packet: &Packet, out: &mut Vec<u8>) -> bool {
    let line = match packet {
        Packet::Info(info) => {
            let mut line = Line::new("info");
            line.put("major", info.version.0)
                .put("minor", info.version.1)
                .put("cap", info.capabilities)
                .put("res", info.resolution_ms)
                .put("boot", info.boot_id)
                .put("depth", info.log_depth)
                .put("serial", info.serial.as_str());
            line
        }
        Packet::State(state) => state_line(state),
        Packet::Event(event) => event_line(event),
        Packet::Settings(_) => return false,
        Packet::Command(command) => command_line(command),
        Packet::Response(response) => {
            let mut line = Line::new("ack");
            line.put("tag", response.tag)
                .put("op", response.operation.word())
                .put("ok", response.status == Status::Ok);
            if !matches!(response.status, Status::Ok | Status::Other(_)) {
                line.put("status", response.status.word());
            }
            line.put("e", response.event_seq)
                .put("t", response.device_ms);
            line
        }
    };
    out.extend(line.0.bytes());
    out.extend(b"}\n");
    true
}

fn state_line(state: &State) -> Line {
    let flags = Sides::of(state.left_flag, state.right_flag);
    let mut line = Line::new("state");
    line.put("f", state.frame)
        .put("e", state.event_seq)
        .put("t", state.device_ms)
        .put("l", state.left_ms)
        .put("r", state.right_ms)
        .put("lm", state.left_moves)
        .put("rm", state.right_moves)
        .put("lp", state.left_period)
        .put("rp", state.right_period)
        .put("run", state.running.letter())
        .put("paused", state.paused)
        .put("started", state.started)
        .put("flags", flags.letter())
        .put("first", state.first_flag.letter())
        .put("white", state.white.letter())
        .put("bat", state.battery.word())
        .put("edit", state.editing)
        .put("call", state.call_open)
        .put("freeze", state.freeze)
        .put("cut", state.log_cut);
    line
}

fn event_line(event: &Event) -> Line {
    let mut line = Line::new("event");
    line.put("e", event.event_seq)
        .put("t", event.device_ms)
        .put("type", event.kind.word())
        .put("side", event.side.letter())
        .put("by", event.by.word())
        .put("l", event.left_ms)
        .put("r", event.right_ms);
    if let Some(moves) = event.moves {
        line.put("m", moves);
    }
    if event.arg != 0 {
        line.put("arg", event.arg);
    }
    line
}

fn command_line(command: &Command) -> Line {
    let mut line = Line::new("cmd");
    line.put("tag", command.tag)
        .put("op", command.order.operation().word());
    match &command.order {
        Order::GetInfo | Order::GetState | Order::Pause | Order::ClearFlags | Order::Identify => {
            &mut line
        }
        Order::Replay { from } => line.put("from", *from),
        Order::SetTimes {
            left_ms,
            right_ms,
            then_running,
            if_event_seq,
        } => {
            line.put("l", *left_ms)
                .put("r", *right_ms)
                .put("run", then_running.letter());
            match if_event_seq {
                Some(seq) => line.put("if", *seq),
                None => &mut line,
            }
        }
        Order::AddTime { side, ms, why } => line
            .put("side", side.letter())
            .put("ms", *ms)
            .put("why", why.word()),
        Order::Resume { side } => line.put("side", side.letter()),
        Order::SetMoves { side, moves } => line.put("side", side.letter()).put("m", *moves),
        Order::SetPeriod { side, period } => line.put("side", side.letter()).put("p", *period),
        Order::Acknowledge { event } => line.put("e", *event),
        Order::NewGame { game } => line.put("game", *game),
        Order::TimeSync { host_unix_ms } => line.put("unix_ms", *host_unix_ms),
        Order::Lock { locked } => line.put("on", *locked),
        Order::Display { text } => {
            let shown = super::command::shown(text).map(char::from);
            line.put("text", shown.collect::<String>())
        }
    };
    line
}
