//! Commands of one link: one at a time, told done only when the clock says so, never carried out twice.
//!
//! An answer may get lost. A command that changes nothing is then simply repeated. One that changes something
//! may have been carried out: the clock is asked how it stands, and its log tells, because each change by a
//! host is an event.

use std::{collections::VecDeque, time::Duration};

use super::super::{
    command::Order,
    message::{Event, Info, Response},
    words::{By, EventKind, Operation, Status, Why},
};
use crate::{
    protocol::{Added, ClockCommand, ClockCommandOutcome},
    types::Mono,
};

const ANSWER: Duration = Duration::from_millis(1500);
const TRIES: u8 = 3;
/// Questions are free, and their answer is worth waiting for.
const QUESTIONS: u8 = 8;
/// Commands kept waiting; more than a console ever has.
const QUEUE: usize = 32;

#[derive(Debug)]
struct Current {
    order: Order,
    tag: u8,
    tries: u8,
    deadline: Mono,
    /// The question whether it was carried out, when its answer did not come.
    question: Option<Question>,
    /// A change of its kind by a host was heard since it was sent.
    seen: bool,
}

#[derive(Debug)]
struct Question {
    tag: u8,
    tries: u8,
    answered: bool,
}

/// How a command ended, with words for the arbiter when it did not end well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ended {
    pub(super) outcome: ClockCommandOutcome,
    pub(super) words: Option<&'static str>,
}

impl Ended {
    fn new(outcome: ClockCommandOutcome, words: Option<&'static str>) -> Self {
        Self { outcome, words }
    }
}

/// The queue of one link.
#[derive(Debug, Default)]
pub(super) struct Desk {
    queue: VecDeque<Order>,
    current: Option<Current>,
}

impl Desk {
    /// Takes a command. Returns how it ended when it ends at once.
    pub(super) fn push(
        &mut self,
        command: &ClockCommand,
        newest: Option<u16>,
        may_change: bool,
        info: Option<&Info>,
    ) -> Option<Ended> {
        let order = order(command, newest);
        let operation = order.operation();
        let refused = |words| Some(Ended::new(ClockCommandOutcome::Refused, Some(words)));
        if operation.changes() && !may_change {
            return refused("the hub may not change this clock");
        }
        let missing = |bit| info.is_some_and(|info| !info.can(bit));
        if operation.capability().is_some_and(missing) {
            return refused("this clock cannot do that");
        }
        if self.queue.len() >= QUEUE {
            return Some(Ended::new(ClockCommandOutcome::Unanswered, None));
        }
        self.queue.push_back(order);
        None
    }

    /// When something is to be sent or given up.
    pub(super) fn due(&self, gap: bool) -> Option<Mono> {
        match &self.current {
            // The log will tell when the gap is filled.
            Some(current) if gap && current.question.as_ref().is_some_and(|q| q.answered) => None,
            Some(current) => Some(current.deadline),
            None => (!self.queue.is_empty()).then_some(Mono::ZERO),
        }
    }

    /// What to send now, and what ended. `gap`: events are missing, so the log cannot tell yet.
    pub(super) fn advance(
        &mut self,
        now: Mono,
        gap: bool,
        new_tag: &mut dyn FnMut() -> u8,
    ) -> (Option<(u8, Order)>, Option<Ended>) {
        let Some(current) = &mut self.current else {
            let Some(order) = self.queue.pop_front() else {
                return (None, None);
            };
            let tag = new_tag();
            self.current = Some(Current {
                order: order.clone(),
                tag,
                tries: 1,
                deadline: now + ANSWER,
                question: None,
                seen: false,
            });
            return (Some((tag, order)), None);
        };
        if current.question.as_ref().is_some_and(|q| q.answered) {
            if gap {
                return (None, None);
            }
            if current.seen {
                return (None, self.end(ClockCommandOutcome::Done, None));
            }
            current.question = None;
            return self.again(now, new_tag);
        }
        if now < current.deadline {
            return (None, None);
        }
        if !current.order.operation().changes() {
            return self.again(now, new_tag);
        }
        let tries = current.question.as_ref().map_or(0, |q| q.tries);
        if tries >= QUESTIONS {
            return (None, self.end(ClockCommandOutcome::Unanswered, None));
        }
        let tag = new_tag();
        current.deadline = now + ANSWER;
        current.question = Some(Question {
            tag,
            tries: tries + 1,
            answered: false,
        });
        (Some((tag, Order::GetState)), None)
    }

    fn again(
        &mut self,
        now: Mono,
        new_tag: &mut dyn FnMut() -> u8,
    ) -> (Option<(u8, Order)>, Option<Ended>) {
        let Some(current) = &mut self.current else {
            return (None, None);
        };
        if current.tries >= TRIES {
            return (None, self.end(ClockCommandOutcome::Unanswered, None));
        }
        current.tries += 1;
        current.tag = new_tag();
        current.deadline = now + ANSWER;
        (Some((current.tag, current.order.clone())), None)
    }

    /// An answer came. Returns how the command ended.
    pub(super) fn answer(&mut self, response: &Response) -> Option<Ended> {
        let current = self.current.as_mut()?;
        if let Some(question) = &mut current.question
            && question.tag == response.tag
            && response.operation == Operation::GetState
        {
            question.answered = true;
        }
        if current.tag != response.tag || current.order.operation() != response.operation {
            return None;
        }
        if response.status == Status::Ok {
            return self.end(ClockCommandOutcome::Done, None);
        }
        // Repeated after it had been carried out: what it asked for no longer fits, but is done.
        if response.status == Status::Stale && current.seen {
            return self.end(ClockCommandOutcome::Done, None);
        }
        let words = match response.status {
            Status::Unsupported => "this clock cannot do that",
            Status::BadValue => "the clock does not take that value",
            Status::NotNow => "the clock cannot do that now",
            Status::Stale => "something happened at the clock meanwhile: look again and repeat it",
            Status::NotPermitted => {
                "the clock permits no changes: hold its two buttons, then repeat it within two minutes"
            }
            Status::Ok | Status::Other(_) => "the clock refused",
        };
        self.end(ClockCommandOutcome::Refused, Some(words))
    }

    /// An event came, in its turn.
    pub(super) fn event(&mut self, event: &Event) {
        let Some(current) = &mut self.current else {
            return;
        };
        let kind = match current.order.operation() {
            Operation::SetTimes | Operation::AddTime => EventKind::TimeCorrection,
            Operation::SetMoves => EventKind::MoveCorrection,
            Operation::Pause => EventKind::Pause,
            Operation::Resume => EventKind::Resume,
            Operation::Acknowledge => EventKind::Acknowledged,
            _ => return,
        };
        current.seen |= event.by == By::Host && event.kind == kind;
    }

    fn end(&mut self, outcome: ClockCommandOutcome, words: Option<&'static str>) -> Option<Ended> {
        self.current.take().map(|_| Ended::new(outcome, words))
    }

    /// The line is gone: nothing waiting will be answered. Returns how many commands that were.
    pub(super) fn abort(&mut self) -> usize {
        let waiting = self.queue.len() + usize::from(self.current.take().is_some());
        self.queue.clear();
        waiting
    }
}

/// A command in the words of the profile. Times are set only if nothing has happened since `newest`.
fn order(command: &ClockCommand, newest: Option<u16>) -> Order {
    let millis = |time: Duration| i32::try_from(time.as_millis()).unwrap_or(i32::MAX);
    match command {
        ClockCommand::Display { text, .. } => Order::Display { text: text.clone() },
        ClockCommand::EndDisplay => Order::Display {
            text: String::new(),
        },
        ClockCommand::SetTimes { left, right, run } => Order::SetTimes {
            left_ms: millis(*left),
            right_ms: millis(*right),
            then_running: run.map(Into::into).unwrap_or_default(),
            if_event_seq: newest,
        },
        ClockCommand::AddTime { side, ms, why } => Order::AddTime {
            side: (*side).into(),
            ms: *ms,
            why: match why {
                Added::Penalty => Why::Penalty,
                Added::Compensation => Why::Compensation,
                Added::Repair => Why::Repair,
            },
        },
        ClockCommand::SetMoves { side, moves } => Order::SetMoves {
            side: (*side).into(),
            moves: *moves,
        },
        ClockCommand::Pause => Order::Pause,
        ClockCommand::Resume { side } => Order::Resume {
            side: (*side).into(),
        },
        ClockCommand::Acknowledge { number } => Order::Acknowledge { event: *number },
    }
}
