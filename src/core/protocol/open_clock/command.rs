//! Commands of a host to a clock.

use super::{
    message::Fields,
    words::{Operation, Sides, Why},
};

/// Characters of a text on the display.
pub const TEXT: usize = 16;
/// No condition on the newest event.
const ALWAYS: u16 = u16::MAX;

/// A command with the tag that its answer will carry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Chosen by the host.
    pub tag: u8,
    /// What to do.
    pub order: Order,
}

/// What a clock is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Say who you are.
    GetInfo,
    /// Say how you stand.
    GetState,
    /// Tell this event and all later ones.
    Replay {
        /// The first one wanted.
        from: u16,
    },
    /// Set both times.
    SetTimes {
        /// Left, ms.
        left_ms: i32,
        /// Right, ms.
        right_ms: i32,
        /// Who runs then.
        then_running: Sides,
        /// Only if this is the newest event.
        if_event_seq: Option<u16>,
    },
    /// Change one time.
    AddTime {
        /// Whose.
        side: Sides,
        /// By how much, ms.
        ms: i32,
        /// Why.
        why: Why,
    },
    /// Stop.
    Pause,
    /// Run.
    Resume {
        /// Who.
        side: Sides,
    },
    /// Set a move counter.
    SetMoves {
        /// Whose.
        side: Sides,
        /// Moves made.
        moves: u16,
    },
    /// Set a period.
    SetPeriod {
        /// Whose.
        side: Sides,
        /// From 1.
        period: u8,
    },
    /// Put the flags up.
    ClearFlags,
    /// A call, claim or result was seen.
    Acknowledge {
        /// The number of its event.
        event: u16,
    },
    /// A new game begins.
    NewGame {
        /// The host's number for it.
        game: u32,
    },
    /// The host's time.
    TimeSync {
        /// Unix time, ms.
        host_unix_ms: u64,
    },
    /// Forbid set-up at the clock, or allow it again.
    Lock {
        /// Forbid.
        locked: bool,
    },
    /// Show a text.
    Display {
        /// At most [`TEXT`] characters of ASCII.
        text: String,
    },
    /// Blink or beep.
    Identify,
}

impl Order {
    /// Its operation.
    pub fn operation(&self) -> Operation {
        match self {
            Self::GetInfo => Operation::GetInfo,
            Self::GetState => Operation::GetState,
            Self::Replay { .. } => Operation::Replay,
            Self::SetTimes { .. } => Operation::SetTimes,
            Self::AddTime { .. } => Operation::AddTime,
            Self::Pause => Operation::Pause,
            Self::Resume { .. } => Operation::Resume,
            Self::SetMoves { .. } => Operation::SetMoves,
            Self::SetPeriod { .. } => Operation::SetPeriod,
            Self::ClearFlags => Operation::ClearFlags,
            Self::Acknowledge { .. } => Operation::Acknowledge,
            Self::NewGame { .. } => Operation::NewGame,
            Self::TimeSync { .. } => Operation::TimeSync,
            Self::Lock { .. } => Operation::Lock,
            Self::Display { .. } => Operation::Display,
            Self::Identify => Operation::Identify,
        }
    }
}

/// Bytes of the parameters of an operation; `None` when they vary or we do not know it.
fn parameters(operation: Operation) -> Option<usize> {
    Some(match operation {
        Operation::GetInfo
        | Operation::GetState
        | Operation::Pause
        | Operation::ClearFlags
        | Operation::Identify => 0,
        Operation::Resume | Operation::Lock => 1,
        Operation::Replay | Operation::SetPeriod | Operation::Acknowledge => 2,
        Operation::SetMoves => 3,
        Operation::NewGame => 4,
        Operation::AddTime => 6,
        Operation::TimeSync => 8,
        Operation::SetTimes => 11,
        Operation::Display | Operation::Other(_) => return None,
    })
}

impl Command {
    /// Bytes of the command at the front, when its operation says so.
    pub(super) fn len(operation: u8) -> Option<usize> {
        parameters(Operation::from_code(operation)).map(|len| len + 2)
    }

    /// From all its bytes; `None` when the operation is not known or the parameters are not its.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let (&[operation, tag], rest) = bytes.split_first_chunk::<2>()?;
        let operation = Operation::from_code(operation);
        if parameters(operation).is_some_and(|len| len != rest.len()) {
            return None;
        }
        let mut fields = Fields(rest);
        let side = |fields: &mut Fields<'_>| Sides::from_bits(fields.u8());
        let order = match operation {
            Operation::GetInfo => Order::GetInfo,
            Operation::GetState => Order::GetState,
            Operation::Replay => Order::Replay { from: fields.u16() },
            Operation::SetTimes => Order::SetTimes {
                left_ms: fields.i32(),
                right_ms: fields.i32(),
                then_running: side(&mut fields),
                if_event_seq: Some(fields.u16()).filter(|seq| *seq != ALWAYS),
            },
            Operation::AddTime => Order::AddTime {
                side: side(&mut fields),
                ms: fields.i32(),
                why: Why::from_code(fields.u8()),
            },
            Operation::Pause => Order::Pause,
            Operation::Resume => Order::Resume {
                side: side(&mut fields),
            },
            Operation::SetMoves => Order::SetMoves {
                side: side(&mut fields),
                moves: fields.u16(),
            },
            Operation::SetPeriod => Order::SetPeriod {
                side: side(&mut fields),
                period: fields.u8(),
            },
            Operation::ClearFlags => Order::ClearFlags,
            Operation::Acknowledge => Order::Acknowledge {
                event: fields.u16(),
            },
            Operation::NewGame => Order::NewGame { game: fields.u32() },
            Operation::TimeSync => Order::TimeSync {
                host_unix_ms: u64::from_le_bytes(fields.take()),
            },
            Operation::Lock => Order::Lock {
                locked: fields.u8() != 0,
            },
            Operation::Display => Order::Display { text: text(rest)? },
            Operation::Identify => Order::Identify,
            Operation::Other(_) => return None,
        };
        Some(Self { tag, order })
    }

    /// Appends its bytes.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend([self.order.operation().code(), self.tag]);
        match &self.order {
            Order::GetInfo
            | Order::GetState
            | Order::Pause
            | Order::ClearFlags
            | Order::Identify => {}
            Order::Replay { from } => out.extend(from.to_le_bytes()),
            Order::SetTimes {
                left_ms,
                right_ms,
                then_running,
                if_event_seq,
            } => {
                out.extend(left_ms.to_le_bytes());
                out.extend(right_ms.to_le_bytes());
                out.push(then_running.bits());
                out.extend(if_event_seq.unwrap_or(ALWAYS).to_le_bytes());
            }
            Order::AddTime { side, ms, why } => {
                out.push(side.bits());
                out.extend(ms.to_le_bytes());
                out.push(why.code());
            }
            Order::Resume { side } => out.push(side.bits()),
            Order::SetMoves { side, moves } => {
                out.push(side.bits());
                out.extend(moves.to_le_bytes());
            }
            Order::SetPeriod { side, period } => out.extend([side.bits(), *period]),
            Order::Acknowledge { event } => out.extend(event.to_le_bytes()),
            Order::NewGame { game } => out.extend(game.to_le_bytes()),
            Order::TimeSync { host_unix_ms } => out.extend(host_unix_ms.to_le_bytes()),
            Order::Lock { locked } => out.push(u8::from(*locked)),
            Order::Display { text } => out.extend(shown(text)),
        }
    }
}

/// A text as a display can show it, at most [`TEXT`] bytes.
pub(super) fn shown(text: &str) -> impl Iterator<Item = u8> + '_ {
    text.chars()
        .map(|c| {
            if (' '..='~').contains(&c) {
                c as u8
            } else {
                b'?'
            }
        })
        .take(TEXT)
}

fn text(bytes: &[u8]) -> Option<String> {
    let end = bytes.iter().rposition(|byte| *byte != 0);
    let bytes = &bytes[..end.map_or(0, |at| at + 1)];
    let plain = bytes.len() <= TEXT && bytes.iter().all(|byte| (b' '..=b'~').contains(byte));
    plain.then(|| String::from_utf8_lossy(bytes).into_owned())
}
