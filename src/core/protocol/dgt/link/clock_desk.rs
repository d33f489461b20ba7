//! Clock commands of one link: one at a time, repeated when unanswered, matched with their acks.
//!
//! A second command while one is outstanding hangs some clocks, and acks of earlier commands come
//! late; so only the ack of the command on its way counts.

use std::{collections::VecDeque, time::Duration};

use crate::{
    protocol::{
        ClockCommand, ClockCommandOutcome,
        dgt::{
            clock::{Ack, AckKind},
            clock_command::BoardClockCommand,
        },
    },
    types::Mono,
};

const ACK_TIMEOUT: Duration = Duration::from_secs(2);
const TRIES: u8 = 3;
/// The options of a DGT XL and of a DGT 3000 in which the hub may set the times.
const REMOTE_MODES: [u8; 2] = [23, 25];
/// Bluetooth firmware 2.10 repeats an ack for a second: the next command waits that long.
const BLUETOOTH_ECHO: Duration = Duration::from_secs(1);
/// Commands kept waiting; more than a console ever has.
const QUEUE: usize = 32;

/// What the clock can show, from its answer to the version command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Capability {
    /// Version not asked yet.
    Ask,
    /// 1.x: seven segments.
    Segments,
    /// 2.x and later: eight characters.
    Ascii,
    /// It does not obey. Left alone until it is plugged in again.
    None,
}

#[derive(Debug)]
struct Current {
    command: BoardClockCommand,
    /// Nobody waits for the outcome of our own version command.
    probe: bool,
    tries: u8,
    deadline: Mono,
    /// The clock answered with an error.
    error: bool,
}

/// The queue of one link.
#[derive(Debug)]
pub(super) struct ClockDesk {
    queue: VecDeque<ClockCommand>,
    current: Option<Current>,
    capability: Capability,
    /// Whether the clock is in the mode in which the hub may set it; `None` until it says so.
    remote: Option<bool>,
    echo: Duration,
    hold_until: Mono,
    stale_acks: u64,
}

impl ClockDesk {
    pub(super) fn new(bluetooth: bool) -> Self {
        Self {
            queue: VecDeque::new(),
            current: None,
            capability: Capability::Ask,
            remote: None,
            echo: if bluetooth {
                BLUETOOTH_ECHO
            } else {
                Duration::ZERO
            },
            hold_until: Mono::ZERO,
            stale_acks: 0,
        }
    }

    /// The clock said which option it is in, or that it has left its remote mode.
    pub(super) fn mode(&mut self, mode: Option<u8>) {
        self.remote = Some(mode.is_some_and(|mode| REMOTE_MODES.contains(&mode)));
    }

    /// A clock may be there that was not asked yet: ask its version first.
    pub(super) fn ask_version(&mut self) {
        self.remote = None;
        if self.current.as_ref().is_none_or(|current| !current.probe) {
            self.capability = Capability::Ask;
        }
    }

    /// Times come from a clock that did not answer before: it may have been plugged in since.
    pub(super) fn ask_version_if_silent(&mut self) {
        if self.capability == Capability::None {
            self.capability = Capability::Ask;
        }
    }

    /// Takes a command. Returns how it ended when it ends at once.
    pub(super) fn push(&mut self, command: ClockCommand) -> Option<ClockCommandOutcome> {
        let possible = match command {
            ClockCommand::Display { .. } | ClockCommand::EndDisplay => true,
            // In a tournament's own option the clock keeps the time, and nobody sets it from here.
            ClockCommand::SetTimes { .. } => self.remote != Some(false),
            _ => false,
        };
        if !possible {
            return Some(ClockCommandOutcome::Refused);
        }
        if self.capability == Capability::None || self.queue.len() >= QUEUE {
            return Some(ClockCommandOutcome::Unanswered);
        }
        self.queue.push_back(command);
        None
    }

    /// Something may be written now.
    pub(super) fn wants_to_send(&self, now: Mono) -> bool {
        self.send_at().is_some_and(|at| now >= at)
    }

    /// When something may be written, as far as the clock is concerned.
    pub(super) fn send_at(&self) -> Option<Mono> {
        match &self.current {
            Some(current) if current.tries < TRIES => Some(current.deadline),
            Some(_) => None,
            None if self.capability == Capability::Ask || !self.queue.is_empty() => {
                Some(self.hold_until)
            }
            None => None,
        }
    }

    /// When the last try is over.
    pub(super) fn give_up_at(&self) -> Option<Mono> {
        let current = self.current.as_ref()?;
        (current.tries >= TRIES).then_some(current.deadline)
    }

    /// The bytes to write; only to be asked when [`ClockDesk::wants_to_send`].
    pub(super) fn send(&mut self, now: Mono) -> Option<Vec<u8>> {
        if self.current.is_none() {
            let (command, probe) = if self.capability == Capability::Ask {
                (BoardClockCommand::Version, true)
            } else {
                let wanted = self.queue.pop_front()?;
                (self.for_the_clock(&wanted)?, false)
            };
            self.current = Some(Current {
                command,
                probe,
                tries: 0,
                deadline: now,
                error: false,
            });
        }
        let current = self.current.as_mut()?;
        current.tries += 1;
        current.deadline = now + ACK_TIMEOUT;
        let mut bytes = Vec::new();
        current.command.encode(&mut bytes);
        Some(bytes)
    }

    fn for_the_clock(&self, command: &ClockCommand) -> Option<BoardClockCommand> {
        Some(match command {
            ClockCommand::Display { text, beep } if self.capability == Capability::Segments => {
                BoardClockCommand::display(text, *beep)
            }
            ClockCommand::Display { text, beep } => BoardClockCommand::ascii(text, *beep),
            ClockCommand::EndDisplay => BoardClockCommand::EndDisplay,
            ClockCommand::SetTimes { left, right, run } => {
                BoardClockCommand::set_times(*left, *right, *run)
            }
            // Not taken in.
            _ => return None,
        })
    }

    /// Ends a command whose last try is over. Returns the outcomes to tell.
    pub(super) fn expire(&mut self, now: Mono) -> Vec<ClockCommandOutcome> {
        if self.give_up_at().is_none_or(|at| now < at) {
            return Vec::new();
        }
        let Some(current) = self.current.take() else {
            return Vec::new();
        };
        self.hold_until = now;
        if current.error {
            // It answers, so the next command may fare better.
            if current.probe {
                self.capability = Capability::Ascii;
                return Vec::new();
            }
            return vec![ClockCommandOutcome::Refused];
        }
        self.capability = Capability::None;
        let waiting = self.queue.len() + usize::from(!current.probe);
        self.queue.clear();
        vec![ClockCommandOutcome::Unanswered; waiting]
    }

    /// An ack came that is no button, mode or the like. Returns the outcome to tell.
    pub(super) fn ack(&mut self, now: Mono, ack: Ack) -> Option<ClockCommandOutcome> {
        let ours = self
            .current
            .as_ref()
            .is_some_and(|current| match ack.kind() {
                AckKind::Command(id) => id == current.command.id(),
                AckKind::None => !ack.ok(),
                _ => false,
            });
        if !ours {
            self.stale_acks += 1;
            return None;
        }
        if !ack.ok() && !ack.refused() {
            if let Some(current) = &mut self.current {
                current.error = true;
            }
            return None;
        }
        let current = self.current.take()?;
        self.hold_until = now + self.echo;
        if matches!(current.command, BoardClockCommand::SetNRun { .. }) {
            self.remote = Some(ack.ok());
        }
        if current.probe {
            self.capability = match ack.version() {
                Some((1, _)) => Capability::Segments,
                _ => Capability::Ascii,
            };
            return None;
        }
        Some(if ack.ok() {
            ClockCommandOutcome::Done
        } else {
            ClockCommandOutcome::Refused
        })
    }

    /// The line is gone: nothing waiting will be answered. Returns the outcomes to tell.
    pub(super) fn abort(&mut self) -> Vec<ClockCommandOutcome> {
        let current = self.current.take().filter(|current| !current.probe);
        let waiting = self.queue.len() + usize::from(current.is_some());
        self.queue.clear();
        self.capability = Capability::Ask;
        vec![ClockCommandOutcome::Unanswered; waiting]
    }

    /// Acks that belonged to no command on its way.
    pub(super) fn stale_acks(&self) -> u64 {
        self.stale_acks
    }
}
