//! The conversation with one DGT board.
//!
//! Open, settle, identify before anything else is written, ask for the whole state, then listen;
//! keep asking when it is quiet, notice silence, begin again. No I/O and no clock: see
//! [`Link`].

use std::{collections::VecDeque, time::Duration};

use super::{
    command::Request,
    frame::{Dialect, Parser},
    piece::{Cells, Code},
};
use crate::{
    protocol::{
        ClockCommand, ClockCommandOutcome, ClockReading, DeviceInfo, Link, LinkCounters,
        LostReason, Observation,
    },
    types::Mono,
};

mod clock_desk;
mod hear;
mod memory;
mod picture;

use self::clock_desk::ClockDesk;
pub(super) use self::picture::Picture;

/// The family in [`DeviceInfo`].
pub const FAMILY: &str = "dgt-board";

/// What was in the port's buffer before we opened it is not for us.
const SETTLE: Duration = Duration::from_millis(500);
const IDENTIFY_EVERY: Duration = Duration::from_secs(2);
const IDENTIFY_TRIES: u8 = 3;
/// Old boards do not answer the question for the long serial number.
const IDENTITY_WAIT: Duration = Duration::from_secs(1);
/// How often that wait is repeated when nothing shows that the board has come so far: a slow board
/// must not be taken for an old one, it would get another name.
const IDENTITY_WAITS: u8 = 4;
/// The board's input buffer holds ten bytes.
const GAP: Duration = Duration::from_millis(100);
const KEEP_ALIVE: Duration = Duration::from_secs(1);
/// A running clock speaks each second, give or take the board's scan: that is sign of life enough.
const NEXT_TICK: Duration = Duration::from_millis(1250);
/// After a longer pause of a running clock bytes were lost.
const MISSED_TICK: Duration = Duration::from_millis(1800);
/// A link that is called later than this after the time that it asked for was held up, and the port may
/// have thrown bytes away.
const HELD_UP: Duration = Duration::from_secs(1);
/// What the last question before a loss is given for its answer.
const LAST_ANSWER: Duration = Duration::from_millis(750);
const SILENCE: Duration = Duration::from_secs(5);
/// Questions that must have gone unanswered before silence counts: when the hub itself slept, the
/// board could not be heard.
const SILENT_QUESTIONS: u8 = 4;
/// A board that browned out for a moment answers the keep-alive but is idle and tells no change:
/// its mode is set again and its state compared this often.
const REFRESH: Duration = Duration::from_secs(15);
/// A board whose clock ticks is at work; its state is still compared this often.
const REFRESH_TICKING: Duration = Duration::from_mins(1);
const BATTERY_EVERY: Duration = Duration::from_mins(1);
/// An unanswered question for the first dump is repeated after this.
const DUMP_RETRY: Duration = Duration::from_secs(1);
/// An unchanged clock reading is news again after this (with room for the line's jitter).
const READING_AGAIN: Duration = Duration::from_millis(950);
/// A full log takes eight seconds of line time, and the board does nothing else meanwhile.
const LOG_WAIT: Duration = Duration::from_secs(12);
/// So many of the changes heard last are kept, to find in the log where they were made.
const HEARD: usize = 24;
const BACK_OFF_FIRST: Duration = Duration::from_millis(500);
const BACK_OFF_LAST: Duration = Duration::from_secs(10);

/// How a link is to be treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DgtSettings {
    /// A Bluetooth board: it has a battery, its clock acks echo, its changes lag.
    pub bluetooth: bool,
    /// Quiet after the last change before a dump is asked for.
    pub dump_after: Duration,
    /// A board that says nothing for so long, whatever it is asked, is lost.
    pub silence: Duration,
}

impl DgtSettings {
    /// A board on a cable.
    pub const CABLE: Self = Self {
        bluetooth: false,
        dump_after: Duration::from_millis(250),
        silence: SILENCE,
    };

    /// A board on classic Bluetooth (`/dev/rfcomm*`).
    pub const BLUETOOTH: Self = Self {
        bluetooth: true,
        dump_after: Duration::from_millis(500),
        silence: SILENCE,
    };
}

impl Default for DgtSettings {
    fn default() -> Self {
        Self::CABLE
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No port, or one that we gave up.
    Closed,
    /// Throwing away what comes.
    Settling { until: Mono },
    /// Asked for the version; anything else would be said to a stranger.
    Identifying { attempt: u8, next: Mono },
    /// A board, and it talks.
    Talking,
}

#[derive(Debug, Default)]
struct Identity {
    serial: Option<String>,
    long_serial: Option<String>,
    version: Option<String>,
    /// When the long serial number is no longer waited for.
    deadline: Option<Mono>,
    /// A question asked after that for the long serial number was answered: the line is in order
    /// and the number will not come.
    later_answer: bool,
    waits: u8,
}

/// What was known of a board when it was lost.
#[derive(Debug)]
struct Before {
    serial: Option<String>,
    cells: Cells,
    heard: Vec<(u8, Code)>,
    reading: Option<ClockReading>,
    lost_at: Mono,
}

/// One board.
#[derive(Debug)]
pub struct DgtLink {
    settings: DgtSettings,
    phase: Phase,
    parser: Parser,
    messages: u64,
    invalid: u64,
    invalid_bytes: u64,
    unknown: u64,
    identity: Identity,
    /// `Found` was told and no `Lost` since.
    found: bool,
    /// `Lost` was told and no `Found` since.
    lost: bool,
    picture: Picture,
    /// The changes heard last, newest last.
    heard: VecDeque<(u8, Code)>,
    /// What was known before the board was lost; its log may tell how it went on.
    before: Option<Before>,
    /// The log was asked for, and is waited for until then.
    log_until: Option<Mono>,
    clock: ClockDesk,
    clock_present: Option<bool>,
    reading: Option<(Mono, ClockReading)>,
    refused_kind: bool,
    questions: VecDeque<Request>,
    /// The end of the gap after the last command.
    ready_at: Mono,
    last_heard: Mono,
    /// The clock told its time.
    last_tick: Mono,
    last_keep_alive: Mono,
    /// Keep-alives since anything was heard.
    unanswered: u8,
    dump_due: Option<Mono>,
    /// The last dump: until then nothing was missed.
    agreed_at: Mono,
    /// Bytes of no message as counted when a dump was last asked for on their account.
    noise: u64,
    refreshed_at: Mono,
    battery_due: Option<Mono>,
    transmits: VecDeque<Vec<u8>>,
    events: VecDeque<Observation>,
    back_off: Duration,
    reopen: Option<Duration>,
}

impl DgtLink {
    /// A link without a port yet.
    pub fn new(settings: DgtSettings) -> Self {
        Self {
            settings,
            phase: Phase::Closed,
            parser: Parser::new(Dialect::Single),
            messages: 0,
            invalid: 0,
            invalid_bytes: 0,
            unknown: 0,
            identity: Identity::default(),
            found: false,
            lost: false,
            picture: Picture::default(),
            heard: VecDeque::new(),
            before: None,
            log_until: None,
            clock: ClockDesk::new(settings.bluetooth),
            clock_present: None,
            reading: None,
            refused_kind: false,
            questions: VecDeque::new(),
            ready_at: Mono::ZERO,
            last_heard: Mono::ZERO,
            last_tick: Mono::ZERO,
            last_keep_alive: Mono::ZERO,
            unanswered: 0,
            dump_due: None,
            agreed_at: Mono::ZERO,
            noise: 0,
            refreshed_at: Mono::ZERO,
            battery_due: None,
            transmits: VecDeque::new(),
            events: VecDeque::new(),
            back_off: BACK_OFF_FIRST,
            reopen: None,
        }
    }

    /// Clock acks that answered no command on its way.
    pub fn stale_acks(&self) -> u64 {
        self.clock.stale_acks()
    }

    /// Nothing is told of a device before it is found, nor after it is lost.
    fn tell(&mut self, seen: Observation) {
        if self.found {
            self.events.push_back(seen);
        }
    }

    fn tell_found(&mut self, now: Mono) {
        self.identity.deadline = None;
        if self.found || self.log_until.is_some() || self.asks_for_log(now) {
            return;
        }
        self.tell_found_with(Vec::new());
    }

    /// The board is told to be there, with what it remembers.
    fn tell_found_with(&mut self, recalled: Vec<Observation>) {
        self.before = None;
        self.log_until = None;
        self.found = true;
        self.lost = false;
        self.back_off = BACK_OFF_FIRST;
        let serial = self
            .identity
            .long_serial
            .as_ref()
            .or(self.identity.serial.as_ref());
        self.events.push_back(Observation::Found(DeviceInfo {
            family: FAMILY.to_owned(),
            serial: serial.cloned(),
            version: self.identity.version.clone(),
        }));
        self.events.extend(recalled);
        self.events.extend(self.picture.observation());
        self.events
            .extend(self.reading.map(|(_, reading)| Observation::Clock(reading)));
    }

    fn lose(&mut self, now: Mono, reason: LostReason) {
        self.remember(now);
        for outcome in self.clock.abort() {
            self.tell(Observation::ClockCommand(outcome));
        }
        if self.found || (reason == LostReason::NotADevice && !self.lost) {
            self.events.push_back(Observation::Lost(reason));
            self.lost = true;
        }
        self.found = false;
    }

    fn identify(&mut self, now: Mono) {
        self.phase = Phase::Identifying {
            attempt: 1,
            next: now + IDENTIFY_EVERY,
        };
        self.forget();
        self.questions
            .extend([Request::UpdateNice, Request::Version]);
    }

    fn forget(&mut self) {
        self.identity = Identity::default();
        self.picture.forget();
        self.reading = None;
        self.questions.clear();
        self.dump_due = None;
        self.battery_due = None;
        self.heard.clear();
        self.log_until = None;
    }

    fn start_talking(&mut self, now: Mono) {
        self.phase = Phase::Talking;
        self.questions.clear();
        self.questions.extend([
            Request::SendBoard,
            Request::Serial,
            Request::LongSerial,
            Request::BusAddress,
            Request::Trademark,
            // A stopped clock would not tell anything by itself.
            Request::SendClock,
        ]);
        if self.settings.bluetooth {
            self.questions.push_back(Request::Battery);
            self.battery_due = Some(now + BATTERY_EVERY);
        }
        self.clock.ask_version();
        self.heard(now);
        self.last_keep_alive = now;
        self.refreshed_at = now;
    }

    /// What was not read in time may be lost.
    fn was_held_up(&self, now: Mono) -> bool {
        self.poll_timeout()
            .is_some_and(|due| now.since(due) > HELD_UP)
    }

    /// Bytes that make no sense may have been a change: the board is asked what stands there before more
    /// is made of it.
    fn watch_noise(&mut self, now: Mono) {
        let line = self.parser.counters();
        let noise = line.bytes_dropped + line.unfinished + self.invalid;
        if std::mem::replace(&mut self.noise, noise) < noise {
            self.doubt(now);
        }
    }

    fn doubt(&mut self, now: Mono) {
        if self.phase == Phase::Talking && self.picture.is_known() {
            // A line of noise is not to be filled with dumps as well.
            self.ask_dump_at(now.max(self.agreed_at + DUMP_RETRY));
        }
    }

    fn ask_dump_at(&mut self, at: Mono) {
        self.dump_due = Some(at);
    }

    fn ask(&mut self, request: Request) {
        if !self.questions.contains(&request) {
            self.questions.push_back(request);
        }
    }

    /// Does everything that is due.
    fn advance(&mut self, now: Mono) {
        match self.phase {
            Phase::Closed => return,
            Phase::Settling { until } if now >= until => self.identify(now),
            Phase::Settling { .. } => return,
            Phase::Identifying { next, .. } if now < next => {}
            Phase::Identifying { attempt, .. } if attempt < IDENTIFY_TRIES => {
                self.phase = Phase::Identifying {
                    attempt: attempt + 1,
                    next: now + IDENTIFY_EVERY,
                };
                self.ask(Request::UpdateNice);
                self.ask(Request::Version);
            }
            Phase::Identifying { .. } => {
                self.give_up(now);
                return;
            }
            Phase::Talking => self.advance_talk(now),
        }
        self.transmit(now);
    }

    fn advance_talk(&mut self, now: Mono) {
        if let Some(until) = self.log_until {
            // Nothing else is answered while the log goes over the line.
            if now >= until {
                self.tell_found_with(Vec::new());
                self.heard(now);
            }
            return;
        }
        if self.silent_at().is_some_and(|at| now >= at) {
            self.lose(now, LostReason::Silent);
            self.identify(now);
            return;
        }
        if self.identity.deadline.is_some_and(|at| now >= at) {
            self.end_identity_wait(now);
        }
        if self.dump_due.is_some_and(|at| now >= at) {
            self.dump_due = None;
            self.ask(Request::SendBoard);
        }
        if self.battery_due.is_some_and(|at| now >= at) {
            self.battery_due = Some(now + BATTERY_EVERY);
            self.ask(Request::Battery);
        }
        if now >= self.refresh_at() {
            self.refreshed_at = now;
            self.ask(Request::UpdateNice);
            self.ask(Request::SendBoard);
            self.ask(Request::SendClock);
        }
        if now >= self.keep_alive_at() {
            self.last_keep_alive = now;
            self.unanswered = self.unanswered.saturating_add(1);
            self.ask(Request::Serial);
        }
        for outcome in self.clock.expire(now) {
            self.tell(Observation::ClockCommand(outcome));
        }
    }

    fn end_identity_wait(&mut self, now: Mono) {
        let known = self.identity.later_answer && self.identity.serial.is_some();
        self.identity.waits += 1;
        if known || self.identity.waits >= IDENTITY_WAITS {
            self.tell_found(now);
            return;
        }
        self.identity.deadline = Some(now + IDENTITY_WAIT);
        self.ask(Request::Serial);
    }

    fn heard(&mut self, now: Mono) {
        self.last_heard = now;
        self.unanswered = 0;
    }

    /// When silence becomes a loss, as things stand.
    fn silent_at(&self) -> Option<Mono> {
        (self.unanswered >= SILENT_QUESTIONS).then(|| {
            (self.last_heard + self.settings.silence).max(self.last_keep_alive + LAST_ANSWER)
        })
    }

    fn keep_alive_at(&self) -> Mono {
        let quiet = self.last_heard.max(self.last_keep_alive) + KEEP_ALIVE;
        quiet.max(self.last_tick + NEXT_TICK)
    }

    fn refresh_at(&self) -> Mono {
        let latest = self.refreshed_at + REFRESH_TICKING;
        (self.refreshed_at + REFRESH).max(latest.min(self.last_tick + NEXT_TICK))
    }

    fn transmit(&mut self, now: Mono) {
        if now < self.ready_at {
            return;
        }
        let bytes = if let Some(request) = self.questions.pop_front() {
            if request == Request::LongSerial {
                self.identity.deadline = Some(now + IDENTITY_WAIT);
            }
            if request == Request::SendBoard && !self.picture.is_known() {
                self.ask_dump_at(now + DUMP_RETRY);
            }
            vec![request.code()]
        } else if self.phase == Phase::Talking && self.clock.wants_to_send(now) {
            match self.clock.send(now) {
                Some(bytes) => bytes,
                None => return,
            }
        } else {
            return;
        };
        self.transmits.push_back(bytes);
        self.ready_at = now + GAP;
    }

    fn give_up(&mut self, now: Mono) {
        self.lose(now, LostReason::NotADevice);
        self.close();
        self.reopen = Some(self.back_off);
        self.back_off = (self.back_off * 2).min(BACK_OFF_LAST);
    }

    fn close(&mut self) {
        self.phase = Phase::Closed;
        self.forget();
        self.parser.reset();
        self.transmits.clear();
    }
}

impl Link for DgtLink {
    fn handle_open(&mut self, now: Mono) {
        self.close();
        self.reopen = None;
        self.phase = Phase::Settling {
            until: now + SETTLE,
        };
        self.ready_at = now;
    }

    fn handle_bytes(&mut self, now: Mono, bytes: &[u8]) {
        match self.phase {
            Phase::Closed => return,
            // Whatever has piled up in the port belongs to another conversation.
            Phase::Settling { .. } => {
                self.advance(now);
                return;
            }
            Phase::Identifying { .. } | Phase::Talking => {}
        }
        if self.was_held_up(now) {
            self.doubt(now);
        }
        let mut parser = std::mem::take(&mut self.parser);
        parser.feed(now, bytes, |frame| self.frame(now, frame));
        self.parser = parser;
        self.watch_noise(now);
        self.advance(now);
    }

    fn handle_timeout(&mut self, now: Mono) {
        if self.was_held_up(now) {
            self.doubt(now);
        }
        self.parser.expire(now);
        self.watch_noise(now);
        self.advance(now);
    }

    fn handle_closed(&mut self, now: Mono) {
        self.lose(now, LostReason::PortGone);
        self.close();
        self.reopen = None;
    }

    fn handle_clock_command(&mut self, now: Mono, command: ClockCommand) {
        let outcome = if self.found {
            self.clock.push(command)
        } else {
            Some(ClockCommandOutcome::Unanswered)
        };
        // Told even without a device: somebody waits for it.
        self.events.extend(outcome.map(Observation::ClockCommand));
        self.advance(now);
    }

    fn poll_transmit(&mut self) -> Option<Vec<u8>> {
        self.transmits.pop_front()
    }

    fn poll_event(&mut self) -> Option<Observation> {
        self.events.pop_front()
    }

    fn poll_timeout(&self) -> Option<Mono> {
        let wanted = match self.phase {
            Phase::Closed => return None,
            Phase::Settling { until } => return Some(until),
            Phase::Identifying { next, .. } => [Some(next), None, None, None, None, None, None],
            Phase::Talking if self.log_until.is_some() => {
                [self.log_until, None, None, None, None, None, None]
            }
            Phase::Talking => [
                self.silent_at(),
                Some(self.refresh_at()),
                Some(self.keep_alive_at()),
                self.identity.deadline,
                self.dump_due,
                self.battery_due,
                self.clock.give_up_at(),
            ],
        };
        let talking = self.phase == Phase::Talking;
        let write = if self.questions.is_empty() {
            self.clock
                .send_at()
                .filter(|_| talking)
                .map(|at| at.max(self.ready_at))
        } else {
            Some(self.ready_at)
        };
        wanted
            .into_iter()
            .flatten()
            .chain(write)
            .chain(self.parser.deadline())
            .min()
    }

    fn poll_reopen(&mut self) -> Option<Duration> {
        self.reopen.take()
    }

    fn counters(&self) -> LinkCounters {
        let line = self.parser.counters();
        LinkCounters {
            bytes_dropped: line.bytes_dropped + self.invalid_bytes,
            messages: self.messages,
            invalid: self.invalid,
            unknown: self.unknown,
            ..line
        }
    }
}
