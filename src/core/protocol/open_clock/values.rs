//! Values of GATT characteristics and advertising, without their framing: for captures whose bytes do not
//! say which characteristic they belong to.
//!
//! A state always has two periods from 1 where an event has the high byte of a move counter, which is 0 or
//! 255; an info has a serial number, padded with zeros, where both have times. That tells the three apart.

use super::{
    command::Command,
    message::{Event, Info, PERIODS, RESPONSE, Response, Settings, State, VALUE},
    serial::Packet,
    words::{EventKind, Method, Operation, Sides, Status},
};

/// Manufacturer data: any company, then the mark of the beacon, then a state.
const BEACON_HEAD: usize = 4;

/// What the bytes begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// A message of so many bytes.
    Is(Packet, usize),
    /// More bytes are needed to say.
    Unsure,
    /// No value of a clock.
    No,
}

/// What a clock's bytes begin with; `last` when nothing follows them.
pub(super) fn of_clock(bytes: &[u8], last: bool) -> Value {
    if bytes.len() < BEACON_HEAD + VALUE && !last {
        return Value::Unsure;
    }
    if let Some(front) = bytes.get(..VALUE)
        && let Some(packet) = twenty(front)
    {
        return Value::Is(packet, VALUE);
    }
    if let [_, _, 0xfc, 0x01, state @ ..] = bytes
        && let Some(state) = state.get(..VALUE).and_then(plausible_state)
    {
        return Value::Is(Packet::State(state), BEACON_HEAD + VALUE);
    }
    if let Some(response) = bytes.get(..RESPONSE).and_then(plausible_response) {
        return Value::Is(Packet::Response(response), RESPONSE);
    }
    settings(bytes, last)
}

/// What a host's bytes are, all of them.
pub(super) fn of_host(bytes: &[u8]) -> Option<Vec<Packet>> {
    if let Value::Is(packet, len) = settings(bytes, true)
        && len == bytes.len()
    {
        return Some(vec![packet]);
    }
    let (mut packets, mut rest) = (Vec::new(), bytes);
    while let Some(&operation) = rest.first() {
        let len = Command::len(operation).unwrap_or(rest.len());
        let (front, after) = rest.split_at_checked(len)?;
        packets.push(Packet::Command(Command::decode(front)?));
        rest = after;
    }
    Some(packets)
}

fn twenty(bytes: &[u8]) -> Option<Packet> {
    if let Some(state) = plausible_state(bytes) {
        return Some(Packet::State(state));
    }
    if let Some(info) = Info::decode(bytes)
        && (1..10).contains(&info.version.0)
        && (!info.serial.is_empty() || plausible_event(bytes).is_none())
    {
        return Some(Packet::Info(info));
    }
    plausible_event(bytes).map(Packet::Event)
}

fn plausible_state(bytes: &[u8]) -> Option<State> {
    let state = State::decode(bytes)?;
    let period = |period: u8| (1..10).contains(&period);
    let plausible = period(state.left_period)
        && period(state.right_period)
        && state.running != Sides::Both
        && plausible_times(state.left_ms, state.right_ms);
    plausible.then_some(state)
}

/// No clock shows more than a hundred hours, or is so far over a limit.
fn plausible_times(left_ms: i32, right_ms: i32) -> bool {
    let most = 360_000_000;
    left_ms.unsigned_abs() <= most && right_ms.unsigned_abs() <= most
}

fn plausible_event(bytes: &[u8]) -> Option<Event> {
    let event = Event::decode(bytes)?;
    let known = !matches!(event.kind, EventKind::Other(_));
    // Bits that no event sets.
    let plausible = known && bytes[7] & 0xcc == 0;
    (plausible && plausible_times(event.left_ms, event.right_ms)).then_some(event)
}

fn plausible_response(bytes: &[u8]) -> Option<Response> {
    let response = Response::decode(bytes)?;
    let known = !matches!(response.operation, Operation::Other(_))
        && !matches!(response.status, Status::Other(_));
    (known && bytes[3] == 0).then_some(response)
}

fn settings(bytes: &[u8], last: bool) -> Value {
    let [1, count, flags, ..] = *bytes else {
        return Value::No;
    };
    let count = usize::from(count);
    if count == 0 || count > PERIODS || flags > 7 {
        return Value::No;
    }
    let len = Settings::len(count);
    let Some(settings) = bytes.get(..len).and_then(Settings::decode) else {
        return if last { Value::No } else { Value::Unsure };
    };
    let known = |method| !matches!(method, Method::Other(_));
    if settings.periods.iter().all(|period| known(period.method)) {
        Value::Is(Packet::Settings(settings), len)
    } else {
        Value::No
    }
}
