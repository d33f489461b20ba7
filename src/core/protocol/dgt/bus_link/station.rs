//! One board of the string: what it was asked last, what it shows, when it is asked next.

use std::{collections::VecDeque, time::Duration};

use super::code;
use crate::{
    protocol::{
        ClockReading, DeviceInfo, LostReason, Observation,
        dgt::{
            bus::BusReply,
            clock::ClockMessage,
            ee::{LogEntry, Mark, entries},
            json::version_text,
            link::{FAMILY as BOARD_FAMILY, Picture},
            message::cells,
            piece::Cells,
            recall::{self, Step},
        },
    },
    types::{Mono, Placement},
};

/// How often a board is asked for changes while the line has room; with more boards than that it takes longer.
const CHANGES_EVERY: Duration = Duration::from_millis(500);
/// How often its clock is asked.
const CLOCK_EVERY: Duration = Duration::from_secs(1);
/// The same for a clock that stands.
const STOPPED_CLOCK_EVERY: Duration = Duration::from_secs(3);
/// Quiet after the last change before the whole picture is compared.
const VERIFY_AFTER: Duration = Duration::from_millis(700);
/// The picture is compared anyhow this often.
const VERIFY_EVERY: Duration = Duration::from_secs(20);
/// A lost board is pinged this often.
const PING_EVERY: Duration = Duration::from_secs(2);
/// Questions that must have failed in a row before silence counts.
const FAILURES: u8 = 3;

/// What a board is to be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    Ping,
    Version,
    Changes,
    Board,
    Clock,
    MarkStart,
    FromStart,
}

impl Task {
    pub(super) fn code(self) -> u8 {
        match self {
            Self::Ping => code::PING,
            Self::Version => code::VERSION,
            Self::Changes => code::CHANGES,
            Self::Board => code::BOARD,
            Self::Clock => code::CLOCK,
            Self::MarkStart => code::START,
            Self::FromStart => code::FROM_START,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    /// Heard of, and not told yet.
    New,
    Found,
    Lost,
}

/// One board.
#[derive(Debug)]
pub(super) struct Station {
    address: u16,
    presence: Presence,
    version: Option<String>,
    picture: Picture,
    /// The picture before it was lost: what its log tells goes on from there.
    before: Option<Cells>,
    lost_at: Mono,
    reading: Option<ClockReading>,
    /// What the clock told last, until the changes that came before it have been fetched: a press must not
    /// be heard before the move.
    untold: Option<ClockReading>,
    clock_present: Option<bool>,
    /// A dump that does not follow from the changes, until the changes that it was ahead of have come.
    doubted: Option<Cells>,
    /// The first changes after it was found are from before the first dump.
    flushed: bool,
    /// Changes may be lost on the line.
    incomplete: bool,
    /// The start position was marked in its log.
    marked: bool,
    /// Something else stood there since, or it is not known what did.
    played: bool,
    /// The id of the last changes, and whether it alternates from packet to packet.
    last_update: Option<u8>,
    alternates: bool,
    agreed_at: Mono,
    last_heard: Mono,
    failures: u8,
    urgent: VecDeque<Task>,
    changes_due: Mono,
    clock_due: Mono,
    verify_due: Mono,
    events: Vec<Observation>,
}

impl Station {
    pub(super) fn new(address: u16, now: Mono) -> Self {
        let mut station = Self {
            address,
            presence: Presence::New,
            version: None,
            picture: Picture::default(),
            before: None,
            lost_at: now,
            reading: None,
            untold: None,
            clock_present: None,
            doubted: None,
            flushed: false,
            incomplete: false,
            marked: false,
            played: true,
            last_update: None,
            alternates: false,
            agreed_at: now,
            last_heard: now,
            failures: 0,
            urgent: VecDeque::new(),
            changes_due: now,
            clock_due: now,
            verify_due: now,
            events: Vec::new(),
        };
        station.come(now);
        station
    }

    /// Whether it answers, as far as is known.
    pub(super) fn is_present(&self) -> bool {
        self.presence != Presence::Lost
    }

    pub(super) fn take_events(&mut self) -> Vec<Observation> {
        std::mem::take(&mut self.events)
    }

    /// It is heard for the first time, or again.
    fn come(&mut self, now: Mono) {
        self.presence = Presence::New;
        self.failures = 0;
        self.flushed = false;
        self.doubted = None;
        self.incomplete = false;
        self.urgent = [Task::Version, Task::Changes, Task::Board, Task::Clock].into();
        (self.changes_due, self.clock_due, self.verify_due) = (now, now, now + VERIFY_EVERY);
    }

    pub(super) fn next_task(&self) -> (Mono, Task) {
        if self.presence == Presence::Lost {
            return (self.changes_due, Task::Ping);
        }
        if let Some(task) = self.urgent.front() {
            // In turn with the others, not before them.
            return (self.changes_due.min(self.last_heard), *task);
        }
        let all = [
            (self.changes_due, Task::Changes),
            (self.verify_due, Task::Board),
            (self.clock_due, Task::Clock),
        ];
        let first = all.into_iter().min_by_key(|(due, _)| *due);
        first.unwrap_or((self.changes_due, Task::Changes))
    }

    /// A task goes out now.
    pub(super) fn begin(&mut self, now: Mono, task: Task) {
        if self.urgent.front() == Some(&task) {
            self.urgent.pop_front();
        }
        match task {
            Task::Ping => self.changes_due = now + PING_EVERY,
            Task::Changes => self.changes_due = now + CHANGES_EVERY,
            Task::Board => self.verify_due = now + VERIFY_EVERY,
            Task::Clock => {
                let runs = self.reading.is_some_and(|reading| reading.running);
                let every = if runs {
                    CLOCK_EVERY
                } else {
                    STOPPED_CLOCK_EVERY
                };
                self.clock_due = now + every;
            }
            Task::Version | Task::MarkStart | Task::FromStart => {}
        }
    }

    /// It gave up answering.
    pub(super) fn unanswered(&mut self, now: Mono, code: u8, silence: Duration) {
        self.failures = self.failures.saturating_add(1);
        if matches!(code, code::CHANGES | code::REPEAT) && self.flushed {
            self.incomplete = true;
            if self.marked && !self.urgent.contains(&Task::FromStart) {
                self.urgent.push_back(Task::FromStart);
            } else {
                self.ask_board();
            }
        }
        if matches!(code, code::BOARD) {
            self.ask_board();
        }
        let silent = now.since(self.last_heard) >= silence && self.failures >= FAILURES;
        if silent && self.is_present() {
            self.lose(now, LostReason::Silent);
        }
    }

    fn ask_board(&mut self) {
        if !self.urgent.contains(&Task::Board) {
            self.urgent.push_back(Task::Board);
        }
    }

    pub(super) fn lose(&mut self, now: Mono, reason: LostReason) {
        if self.presence == Presence::Found {
            self.events.push(Observation::Lost(reason));
            self.lost_at = now;
            self.before = self.picture.cells();
        }
        self.presence = Presence::Lost;
        self.picture.forget();
        self.urgent.clear();
        self.clock_present = None;
        self.untold = None;
        self.changes_due = now;
    }

    /// An answer to what was asked.
    pub(super) fn answered(&mut self, now: Mono, code: u8, reply: &BusReply<'_>) {
        self.last_heard = now;
        self.failures = 0;
        if self.presence == Presence::Lost {
            self.come(now);
        }
        match code {
            code::VERSION => {
                if let &[main, sub] = reply.data {
                    self.version = Some(version_text(main, sub));
                }
            }
            code::CHANGES | code::REPEAT => self.changes(now, code, reply),
            code::FROM_START => {
                self.incomplete = false;
                if let Some(known) = self.picture.cells()
                    && let Some(steps) = recall::since(reply.data, &known, &[])
                {
                    self.follow(now, steps);
                }
                self.ask_board();
            }
            code::BOARD => match cells(reply.data) {
                Ok(cells) => self.board(now, cells),
                Err(_) => self.ask_board(),
            },
            code::CLOCK => self.clock(reply.data),
            code::START => {
                (self.marked, self.played) = (true, false);
                self.ask_board();
            }
            _ => {}
        }
    }

    fn changes(&mut self, now: Mono, code: u8, reply: &BusReply<'_>) {
        let again = code == code::CHANGES && self.last_update == Some(reply.id);
        self.alternates |= self.last_update.is_some_and(|last| last != reply.id);
        self.last_update = Some(reply.id);
        if again && self.alternates {
            // A late repetition of what was told before.
            self.changes_due = now;
            return;
        }
        if !self.flushed {
            self.flushed = true;
            self.recall(now, reply.data);
            return;
        }
        self.follow(now, recall::steps(reply.data));
        if entries(reply.data).any(|it| matches!(it, LogEntry::Stop { .. })) {
            self.ask_board();
        }
        self.settle_doubt();
        self.tell_clock();
    }

    fn tell_clock(&mut self) {
        if let Some(reading) = self.untold.take() {
            self.reading = Some(reading);
            if self.presence == Presence::Found {
                self.events.push(Observation::Clock(reading));
            }
        }
    }

    /// What happened while it was out of reach: the board has kept it for us.
    fn recall(&mut self, now: Mono, data: &[u8]) {
        let Some(before) = self.before.take() else {
            return;
        };
        let restarted = entries(data).any(|it| it == LogEntry::Mark(Mark::PowerUp));
        if restarted || data.is_empty() {
            return;
        }
        self.tell_found();
        let told = recall::tell(
            &before,
            self.reading,
            &recall::steps(data),
            self.lost_at,
            now,
        );
        self.events.extend(told);
    }

    /// Changes as they come.
    fn follow(&mut self, now: Mono, steps: Vec<Step>) {
        for step in steps {
            match step {
                Step::Field { index, code, .. } => {
                    self.verify_due = self.verify_due.min(now + VERIFY_AFTER);
                    let seen = self.picture.update(index, code);
                    self.events.extend(seen);
                    self.events.extend(code.magic().map(Observation::Magic));
                    if self.doubted.is_some() && self.picture.cells() == self.doubted {
                        self.doubted = None;
                        self.agreed_at = now;
                    }
                }
                // The clock is asked: what it says then is told after the changes before it. The log may have
                // the press before the move, as a scan takes its time.
                Step::Press { .. } => self.clock_due = now,
                // It has no memory of what was before; the picture will tell.
                Step::Restart => self.ask_board(),
            }
        }
    }

    /// All changes have come that the dump was ahead of: if it still differs, some were lost.
    fn settle_doubt(&mut self) {
        let Some(cells) = self.doubted.take() else {
            return;
        };
        let since = self.agreed_at;
        self.events.push(Observation::Missed { since });
        self.take_over(cells);
        self.ask_board();
    }

    fn board(&mut self, now: Mono, cells: Cells) {
        if self.picture.is_known() && !self.picture.agrees(&cells) {
            // It may be ahead of the changes that were not asked for yet.
            self.doubted = Some(cells);
            if !self.urgent.contains(&Task::Changes) {
                self.urgent.push_front(Task::Changes);
            }
            return;
        }
        self.doubted = None;
        self.agreed_at = now;
        self.tell_found();
        self.take_over(cells);
        let start = Cells::from(&Placement::new());
        let at_start = cells == start || cells.turned() == start;
        if !at_start {
            self.played = true;
        } else if self.played && !self.urgent.contains(&Task::MarkStart) {
            self.urgent.push_back(Task::MarkStart);
        }
    }

    fn take_over(&mut self, cells: Cells) {
        let magic = self.picture.dump(cells);
        self.events
            .extend(magic.into_iter().map(Observation::Magic));
        self.events.extend(self.picture.observation());
    }

    fn tell_found(&mut self) {
        if self.presence == Presence::Found {
            return;
        }
        self.presence = Presence::Found;
        self.events.push(Observation::Found(DeviceInfo {
            family: BOARD_FAMILY.to_owned(),
            serial: Some(format!("{:05}", self.address)),
            version: self.version.clone(),
        }));
    }

    fn clock(&mut self, data: &[u8]) {
        let message = data.try_into().ok().map(ClockMessage::decode);
        let Some(Ok(ClockMessage::Time(time))) = message else {
            return;
        };
        let Some(reading) = time.reading() else {
            self.reading = None;
            if self.clock_present.replace(false) == Some(true) {
                self.events.push(Observation::ClockGone);
            }
            return;
        };
        self.clock_present = Some(true);
        self.untold = Some(reading);
        if !self.urgent.contains(&Task::Changes) {
            self.urgent.push_front(Task::Changes);
        }
    }
}
