//! The conversation with a string of boards on one line.
//!
//! Only one request is on the line at a time. Boards are found by pings to all of them; each is then asked for
//! its changes in turn, whoever has waited longest first, so that none starves. A board that falls silent is
//! pinged now and then and costs the others little. Each board is a device of its own: what it tells carries its
//! address as [`Part`]. No I/O and no clock: see [`Link`].

use std::{
    collections::{BTreeMap, VecDeque},
    time::Duration,
};

use super::{
    bus::{ALL, BusCommand, BusReply},
    frame::{Dialect, Frame, Parser},
};
use crate::{
    protocol::{
        ClockCommand, ClockCommandOutcome, Link, LinkCounters, LostReason, Observation, Part,
    },
    types::Mono,
};

mod station;

use self::station::{Station, Task};

/// The name on the command line and in configurations. The boards themselves are of the family of all DGT
/// boards: moved to a cable of their own they stay the same device.
pub const FAMILY: &str = "dgt-bus";

/// What was in the port's buffer before we opened it is not for us.
const SETTLE: Duration = Duration::from_millis(500);
/// The most that a board takes before it answers a ping to all.
const PING_ALL: Duration = Duration::from_millis(1200);
/// Rounds of pings without a new board before the search ends. The first ping of all may only switch boards
/// from single mode back.
const QUIET_ROUNDS: u8 = 2;
/// Rounds before a line on which nobody answers is given up.
const EMPTY_ROUNDS: u8 = 4;
/// How often new boards are looked for while others play.
const SEARCH_EVERY: Duration = Duration::from_mins(1);
/// One byte at 9600 baud.
const BYTE: Duration = Duration::from_micros(1042);
const TRIES: u8 = 3;
const BACK_OFF_FIRST: Duration = Duration::from_millis(500);
const BACK_OFF_LAST: Duration = Duration::from_secs(10);

/// Codes of commands.
mod code {
    pub(super) const CLOCK: u8 = 0x81;
    pub(super) const BOARD: u8 = 0x82;
    pub(super) const CHANGES: u8 = 0x83;
    pub(super) const REPEAT: u8 = 0x84;
    pub(super) const START: u8 = 0x85;
    pub(super) const FROM_START: u8 = 0x86;
    pub(super) const PING: u8 = 0x87;
    pub(super) const IGNORE_PING: u8 = 0x8a;
    pub(super) const VERSION: u8 = 0x8b;
}

/// How a line is to be treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BusSettings {
    /// How long a board may take until its answer begins, beyond the time of the line.
    pub answer: Duration,
    /// A board that says nothing for so long, whatever it is asked, is lost.
    pub silence: Duration,
}

impl Default for BusSettings {
    /// 80 ms for the board while it writes its EEPROM, the rest for adapter and hub.
    fn default() -> Self {
        Self {
            answer: Duration::from_millis(130),
            silence: Duration::from_secs(5),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Closed,
    /// Throwing away what comes.
    Settling {
        until: Mono,
    },
    /// Looking for boards.
    Searching(Search),
    /// Asking them in turn.
    Polling,
}

/// One search for boards: who is known is told to keep quiet, then all are pinged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Search {
    /// Known boards up to this address will ignore the next ping to all.
    quieted: u16,
    rounds: u8,
    quiet_rounds: u8,
    /// Answers to a ping to all are collected until then.
    collecting: Option<Mono>,
    found_new: bool,
}

/// The request on the line.
#[derive(Clone, Copy, Debug)]
struct Asked {
    code: u8,
    address: u16,
    tries: u8,
    deadline: Mono,
}

/// A line with its boards.
#[derive(Debug)]
pub struct BusLink {
    settings: BusSettings,
    phase: Phase,
    parser: Parser,
    stations: BTreeMap<u16, Station>,
    asked: Option<Asked>,
    search_due: Mono,
    messages: u64,
    invalid: u64,
    invalid_bytes: u64,
    unknown: u64,
    /// Nobody was ever there.
    told_empty: bool,
    transmits: VecDeque<Vec<u8>>,
    events: VecDeque<(u16, Observation)>,
    /// About the line as a whole.
    line_events: VecDeque<Observation>,
    back_off: Duration,
    reopen: Option<Duration>,
}

impl BusLink {
    /// A line without a port yet.
    pub fn new(settings: BusSettings) -> Self {
        Self {
            settings,
            phase: Phase::Closed,
            parser: Parser::new(Dialect::Bus),
            stations: BTreeMap::new(),
            asked: None,
            search_due: Mono::ZERO,
            messages: 0,
            invalid: 0,
            invalid_bytes: 0,
            unknown: 0,
            told_empty: false,
            transmits: VecDeque::new(),
            events: VecDeque::new(),
            line_events: VecDeque::new(),
            back_off: BACK_OFF_FIRST,
            reopen: None,
        }
    }

    /// The addresses of the boards that were found so far.
    pub fn addresses(&self) -> Vec<u16> {
        self.stations.keys().copied().collect()
    }

    fn close(&mut self) {
        self.phase = Phase::Closed;
        self.asked = None;
        self.parser.reset();
        self.transmits.clear();
    }

    fn send(&mut self, now: Mono, code: u8, address: u16, tries: u8) {
        let bytes = BusCommand {
            code,
            address,
            checksum_ok: true,
        }
        .encode();
        let line = BYTE * (bytes.len() as u32 + answer_bytes(code));
        self.transmits.push_back(bytes.to_vec());
        self.asked = Some(Asked {
            code,
            address,
            tries,
            deadline: now + self.settings.answer + line,
        });
    }

    fn frame(&mut self, now: Mono, frame: Frame<'_>) {
        let Some(reply) = BusReply::decode(frame) else {
            self.invalid += 1;
            return;
        };
        if !reply.checksum_ok {
            self.invalid += 1;
            self.invalid_bytes += frame.bytes.len() as u64;
            // Answers to a ping to all may well have met on the line.
            if self.asked.is_some() {
                self.try_again(now);
            }
            return;
        }
        self.messages += 1;
        if let Phase::Searching(search) = &mut self.phase
            && search.collecting.is_some()
            && reply.id == 0x87
        {
            self.stations.entry(reply.address).or_insert_with(|| {
                search.found_new = true;
                Station::new(reply.address, now)
            });
            return;
        }
        let Some(asked) = self
            .asked
            .filter(|asked| asked.address == reply.address && answers(asked.code, reply.id))
        else {
            // A late answer to what was asked again meanwhile, or somebody's that nobody asked.
            self.unknown += u64::from(super::bus::reply_name(reply.id).is_none());
            return;
        };
        self.asked = None;
        if let Some(station) = self.stations.get_mut(&reply.address) {
            station.answered(now, asked.code, &reply);
            self.drain(reply.address);
        }
    }

    /// A wrong sum or no answer: the same again, but what was told once must not be asked for anew.
    fn try_again(&mut self, now: Mono) {
        let Some(asked) = self.asked.take() else {
            return;
        };
        let patient = self
            .stations
            .get(&asked.address)
            .is_none_or(Station::is_present);
        if asked.tries < TRIES && patient {
            let code = match asked.code {
                code::CHANGES => code::REPEAT,
                other => other,
            };
            self.send(now, code, asked.address, asked.tries + 1);
            return;
        }
        if let Some(station) = self.stations.get_mut(&asked.address) {
            station.unanswered(now, asked.code, self.settings.silence);
            self.drain(asked.address);
        }
    }

    fn drain(&mut self, address: u16) {
        if let Some(station) = self.stations.get_mut(&address) {
            let told = station.take_events();
            self.events
                .extend(told.into_iter().map(|seen| (address, seen)));
        }
    }

    fn advance(&mut self, now: Mono) {
        if let Phase::Settling { until } = self.phase {
            if now < until {
                return;
            }
            self.phase = Phase::Searching(Search::default());
        }
        if self.phase == Phase::Closed {
            return;
        }
        if self.asked.is_some_and(|asked| now >= asked.deadline) {
            self.try_again(now);
        }
        if self.asked.is_some() {
            return;
        }
        if let Phase::Searching(search) = self.phase {
            self.search(now, search);
        }
        if self.phase == Phase::Polling && self.asked.is_none() {
            if now >= self.search_due {
                self.phase = Phase::Searching(Search {
                    // One quiet round is enough where boards are known.
                    quiet_rounds: QUIET_ROUNDS - 1,
                    ..Search::default()
                });
                return self.advance(now);
            }
            self.poll(now);
        }
    }

    fn search(&mut self, now: Mono, mut search: Search) {
        if let Some(until) = search.collecting {
            if now < until {
                return;
            }
            search.collecting = None;
            search.rounds += 1;
            search.quiet_rounds += 1;
            if std::mem::take(&mut search.found_new) {
                search.quiet_rounds = 0;
            }
            search.quieted = 0;
            let empty = self.stations.is_empty();
            if empty && search.rounds >= EMPTY_ROUNDS {
                return self.give_up();
            }
            if !empty && search.quiet_rounds >= QUIET_ROUNDS {
                self.phase = Phase::Polling;
                self.search_due = now + SEARCH_EVERY;
                self.back_off = BACK_OFF_FIRST;
                return;
            }
        }
        let mut known = self.stations.range(search.quieted + 1..);
        let next = known.find(|(_, station)| station.is_present());
        if let Some((&address, _)) = next {
            search.quieted = address;
            self.phase = Phase::Searching(search);
            // Whoever misses it answers the ping as well, which does no harm.
            self.send(now, code::IGNORE_PING, address, TRIES);
        } else {
            search.collecting = Some(now + PING_ALL + self.settings.answer);
            self.phase = Phase::Searching(search);
            self.send(now, code::PING, ALL, TRIES);
            // Nobody in particular is waited for.
            self.asked = None;
        }
    }

    fn give_up(&mut self) {
        if !std::mem::replace(&mut self.told_empty, true) {
            self.line_events
                .push_back(Observation::Lost(LostReason::NotADevice));
        }
        self.close();
        self.reopen = Some(self.back_off);
        self.back_off = (self.back_off * 2).min(BACK_OFF_LAST);
    }

    fn next_task(&self) -> Option<(Mono, u16, Task)> {
        self.stations
            .iter()
            .map(|(address, station)| {
                let (due, task) = station.next_task();
                (due, *address, task)
            })
            .min_by_key(|(due, address, _)| (*due, *address))
    }

    fn poll(&mut self, now: Mono) {
        let Some((due, address, task)) = self.next_task() else {
            return;
        };
        if due <= now
            && let Some(station) = self.stations.get_mut(&address)
        {
            station.begin(now, task);
            let tries = if station.is_present() { 1 } else { TRIES };
            self.send(now, task.code(), address, tries);
        }
    }
}

/// Bytes of the answer, as far as they are known beforehand.
fn answer_bytes(code: u8) -> u32 {
    match code {
        code::CLOCK => 13,
        code::BOARD => 70,
        // Seventy milliseconds go by before it.
        code::START => 76,
        _ => 8,
    }
}

/// Whether a reply is one to this command.
fn answers(code: u8, reply: u8) -> bool {
    match code {
        code::CLOCK => reply == 0x84,
        code::BOARD => reply == 0x83,
        code::CHANGES | code::REPEAT => matches!(reply, 0x85 | 0x8b),
        code::START => reply == 0x88,
        code::FROM_START => reply == 0x86,
        code::PING | code::IGNORE_PING => reply == 0x87,
        code::VERSION => reply == 0x89,
        _ => false,
    }
}

impl Link for BusLink {
    fn handle_open(&mut self, now: Mono) {
        self.close();
        self.reopen = None;
        self.phase = Phase::Settling {
            until: now + SETTLE,
        };
    }

    fn handle_bytes(&mut self, now: Mono, bytes: &[u8]) {
        match self.phase {
            Phase::Closed => return,
            Phase::Settling { .. } => return self.advance(now),
            Phase::Searching(_) | Phase::Polling => {}
        }
        let mut parser = std::mem::take(&mut self.parser);
        parser.feed(now, bytes, |frame| self.frame(now, frame));
        self.parser = parser;
        // A long answer is on its way: the log of a board, or slow bytes.
        if let Some(asked) = &mut self.asked
            && !self.parser.held().is_empty()
        {
            asked.deadline = asked.deadline.max(now + self.settings.answer);
        }
        self.advance(now);
    }

    fn handle_timeout(&mut self, now: Mono) {
        self.parser.expire(now);
        self.advance(now);
    }

    fn handle_closed(&mut self, now: Mono) {
        let addresses = self.addresses();
        for address in addresses {
            if let Some(station) = self.stations.get_mut(&address) {
                station.lose(now, LostReason::PortGone);
                self.drain(address);
            }
        }
        self.close();
        self.reopen = None;
    }

    fn handle_clock_command(&mut self, _now: Mono, _command: ClockCommand) {
        self.line_events
            .push_back(Observation::ClockCommand(ClockCommandOutcome::Unanswered));
    }

    fn handle_part_command(&mut self, _now: Mono, part: &Part, _command: ClockCommand) {
        // How a clock is commanded over the bus was never published.
        let outcome = Observation::ClockCommand(ClockCommandOutcome::Refused);
        match part.0.parse() {
            Ok(address) => self.events.push_back((address, outcome)),
            Err(_) => self.line_events.push_back(outcome),
        }
    }

    fn poll_transmit(&mut self) -> Option<Vec<u8>> {
        self.transmits.pop_front()
    }

    fn poll_event(&mut self) -> Option<Observation> {
        self.poll_part_event().map(|(_, seen)| seen)
    }

    fn poll_part_event(&mut self) -> Option<(Option<Part>, Observation)> {
        if let Some(seen) = self.line_events.pop_front() {
            return Some((None, seen));
        }
        let (address, seen) = self.events.pop_front()?;
        Some((Some(Part(format!("{address:05}"))), seen))
    }

    fn poll_timeout(&self) -> Option<Mono> {
        let wanted = match self.phase {
            Phase::Closed => return None,
            Phase::Settling { until } => return Some(until),
            _ if self.asked.is_some() => self.asked.map(|asked| asked.deadline),
            Phase::Searching(search) => search.collecting.or(Some(Mono::ZERO)),
            Phase::Polling => self
                .next_task()
                .map(|(due, ..)| due)
                .into_iter()
                .chain([self.search_due])
                .min(),
        };
        wanted.into_iter().chain(self.parser.deadline()).min()
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
