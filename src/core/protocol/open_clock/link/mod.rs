//! The conversation with one clock of the open profile on a serial line.
//!
//! Ask who it is, listen, ask again for events that were not heard, and tell what happened in its order and
//! with its own time, also after the line was away. No I/O and no clock: see [`Link`].

use std::{collections::VecDeque, time::Duration};

use super::{
    FAMILY,
    command::{Command, Order},
    face::Face,
    log::{Log, ahead},
    message::Info,
    serial::{Frame, Framing, Packet},
};
use crate::{
    protocol::{
        ClockCommand, ClockCommandOutcome, ClockReading, DeviceInfo, Link, LinkCounters,
        LostReason, Observation, stream::Stream,
    },
    types::Mono,
};

mod desk;
mod hear;
mod time;

use self::{
    desk::{Desk, Ended},
    time::DeviceTime,
};

const IDENTIFY_EVERY: Duration = Duration::from_secs(1);
/// A clock that has just started may say nothing for a while.
const IDENTIFY_TRIES: u8 = 6;
/// A clock at rest tells its state at least every five seconds; it is asked when it is quiet for longer than
/// this.
const KEEP_ALIVE: Duration = Duration::from_secs(2);
const SILENCE: Duration = Duration::from_secs(8);
/// Questions that must have gone unanswered before silence counts: when the hub itself slept, the clock
/// could not be heard.
const SILENT_QUESTIONS: u8 = 3;
/// A state may overtake its event: so long is waited before a replay is asked for.
const REPLAY_AFTER: Duration = Duration::from_millis(300);
/// A replay that brought nothing new is asked for again after this.
const REPLAY_AGAIN: Duration = Duration::from_secs(1);
/// Replays without success before events are given up that the clock no longer has room for: the line may
/// have lost the oldest that it still has.
const REPLAYS_CUT: u8 = 3;
/// The same when it should still have them: for a clock that keeps fewer than it says.
const REPLAYS: u8 = 20;
/// An unchanged reading is news again after this.
const READING_AGAIN: Duration = Duration::from_millis(950);
const BACK_OFF_FIRST: Duration = Duration::from_millis(500);
const BACK_OFF_LAST: Duration = Duration::from_secs(10);

/// How a link is to be treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenClockSettings {
    /// The hub may change times, counters and the running side. Reading is always free.
    pub may_change: bool,
    /// A clock that says nothing for so long, whatever it is asked, is lost.
    pub silence: Duration,
}

impl Default for OpenClockSettings {
    fn default() -> Self {
        Self {
            may_change: true,
            silence: SILENCE,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No port, or one that we gave up.
    Closed,
    /// Asked who it is.
    Identifying { attempt: u8, next: Mono },
    /// A clock, and it talks.
    Talking,
}

/// Asking for events again.
#[derive(Clone, Copy, Debug, Default)]
struct Replay {
    due: Option<Mono>,
    /// Asked since the last event that fitted.
    tries: u8,
    /// The first event heard beyond the gap.
    beyond: Option<u16>,
}

/// One clock.
#[derive(Debug)]
pub struct OpenClockLink {
    settings: OpenClockSettings,
    phase: Phase,
    stream: Stream,
    /// As last heard.
    framing: Option<Framing>,
    info: Option<Info>,
    log: Log,
    log_cut: bool,
    time: DeviceTime,
    face: Option<Face>,
    /// The move counters as last told.
    counted: Option<(u8, u8)>,
    /// The last reading told and the moment it is of.
    told: Option<(Mono, ClockReading)>,
    replay: Replay,
    desk: Desk,
    tag: u8,
    /// Something valid was heard since the port was opened.
    heard_any: bool,
    last_heard: Mono,
    last_asked: Mono,
    unanswered: u8,
    /// `Found` was told and no `Lost` since.
    found: bool,
    /// `Lost` was told and no `Found` since.
    lost: bool,
    transmits: VecDeque<Vec<u8>>,
    events: VecDeque<Observation>,
    back_off: Duration,
    reopen: Option<Duration>,
}

impl OpenClockLink {
    /// A link without a port yet.
    pub fn new(settings: OpenClockSettings) -> Self {
        Self {
            settings,
            phase: Phase::Closed,
            stream: Stream::default(),
            framing: None,
            info: None,
            log: Log::default(),
            log_cut: false,
            time: DeviceTime::default(),
            face: None,
            counted: None,
            told: None,
            replay: Replay::default(),
            desk: Desk::default(),
            tag: 0,
            heard_any: false,
            last_heard: Mono::ZERO,
            last_asked: Mono::ZERO,
            unanswered: 0,
            found: false,
            lost: false,
            transmits: VecDeque::new(),
            events: VecDeque::new(),
            back_off: BACK_OFF_FIRST,
            reopen: None,
        }
    }

    /// Nothing is told of a device before it is found, nor after it is lost.
    fn tell(&mut self, seen: Observation) {
        if self.found {
            self.events.push_back(seen);
        }
    }

    fn tell_found(&mut self, now: Mono) {
        self.phase = Phase::Talking;
        if self.found {
            return;
        }
        self.found = true;
        self.lost = false;
        self.back_off = BACK_OFF_FIRST;
        let info = self.info.as_ref();
        self.events.push_back(Observation::Found(DeviceInfo {
            family: FAMILY.to_owned(),
            serial: info
                .map(|info| info.serial.clone())
                .filter(|serial| !serial.is_empty()),
            version: info.map(|info| format!("{}.{}", info.version.0, info.version.1)),
        }));
        // What happened meanwhile is told as what follows from this, not as a new beginning.
        let earlier = self.told.filter(|_| self.log.stored().is_some());
        if let Some((at, reading)) = earlier {
            self.events.push_back(Observation::ClockAt { reading, at });
        }
        self.send(now, Order::GetState);
    }

    fn lose(&mut self, reason: LostReason) {
        for _ in 0..self.desk.abort() {
            self.tell(Observation::ClockCommand(ClockCommandOutcome::Unanswered));
        }
        if self.found || (reason == LostReason::NotADevice && !self.lost) {
            self.events.push_back(Observation::Lost(reason));
            self.lost = true;
        }
        self.found = false;
        // Its start may be another one when it is heard again.
        self.replay = Replay::default();
    }

    fn identify(&mut self, now: Mono) {
        self.phase = Phase::Identifying {
            attempt: 1,
            next: now + IDENTIFY_EVERY,
        };
        self.heard_any = false;
        self.send(now, Order::GetInfo);
    }

    fn new_tag(&mut self) -> u8 {
        self.tag = self.tag.wrapping_add(1);
        self.tag
    }

    fn send(&mut self, now: Mono, order: Order) {
        let tag = self.new_tag();
        self.send_tagged(now, tag, order);
    }

    fn send_tagged(&mut self, now: Mono, tag: u8, order: Order) {
        let mut bytes = Vec::new();
        let framing = self.framing.unwrap_or(Framing::Cobs);
        if order == Order::GetInfo {
            // Ends what the clock may have of an earlier conversation, or of the other framing.
            bytes.push(match framing {
                Framing::Cobs => 0,
                Framing::JsonLines => b'\n',
            });
        }
        Packet::Command(Command { tag, order }).write(framing, &mut bytes);
        self.transmits.push_back(bytes);
        self.last_asked = now;
    }

    /// Does everything that is due.
    fn advance(&mut self, now: Mono) {
        match self.phase {
            Phase::Closed => {}
            Phase::Identifying { next, .. } if now < next => {}
            Phase::Identifying { attempt, .. } if attempt < IDENTIFY_TRIES => {
                self.phase = Phase::Identifying {
                    attempt: attempt + 1,
                    next: now + IDENTIFY_EVERY,
                };
                // A clock that speaks JSON lines understands only those.
                if !self.heard_any {
                    self.framing = match self.framing {
                        Some(Framing::JsonLines) => None,
                        _ => Some(Framing::JsonLines),
                    };
                }
                self.send(now, Order::GetInfo);
            }
            // One that only tells its states and takes no questions.
            Phase::Identifying { .. } if self.heard_any => self.tell_found(now),
            Phase::Identifying { .. } => self.give_up(),
            Phase::Talking => self.advance_talk(now),
        }
    }

    fn advance_talk(&mut self, now: Mono) {
        if self.silent_at().is_some_and(|at| now >= at) {
            self.lose(LostReason::Silent);
            self.identify(now);
            return;
        }
        if self.replay.due.is_some_and(|at| now >= at) {
            self.ask_replay(now);
        }
        let gap = self.log.missing().is_some();
        if self.desk.due(gap).is_some_and(|at| now >= at) {
            let mut tag = self.tag;
            let mut new_tag = || {
                tag = tag.wrapping_add(1);
                tag
            };
            let (send, ended) = self.desk.advance(now, gap, &mut new_tag);
            self.tag = tag;
            if let Some((tag, order)) = send {
                self.send_tagged(now, tag, order);
            }
            self.end_command(ended);
        }
        if now >= self.keep_alive_at() {
            self.unanswered = self.unanswered.saturating_add(1);
            self.send(now, Order::GetState);
        }
    }

    fn end_command(&mut self, ended: Option<Ended>) {
        let words = ended.and_then(|ended| ended.words);
        if let Some(words) = words {
            self.tell(Observation::Fault(words.to_owned()));
        }
        // Told even without a device: somebody waits for it.
        self.events
            .extend(ended.map(|ended| Observation::ClockCommand(ended.outcome)));
    }

    /// Events are missing: asks for them, or gives them up when the clock no longer has them.
    fn ask_replay(&mut self, now: Mono) {
        self.replay.due = None;
        let Some(first) = self.log.missing() else {
            self.replay = Replay::default();
            return;
        };
        let cannot = self.info.as_ref().is_some_and(|info| !info.can(0));
        let most = if self.is_cut(first) {
            REPLAYS_CUT
        } else {
            REPLAYS
        };
        if cannot || self.replay.tries >= most {
            self.give_up_events(first);
        }
        if let Some(from) = self.log.missing() {
            self.replay.tries += 1;
            self.replay.due = Some(now + REPLAY_AGAIN);
            self.send(now, Order::Replay { from });
        } else {
            self.replay = Replay::default();
            // Its state is all that is left.
            self.send(now, Order::GetState);
        }
    }

    /// Whether the clock has dropped this event, as far as it says.
    fn is_cut(&self, event: u16) -> bool {
        let kept = self.info.as_ref().map_or(0, |info| info.log_depth);
        self.log_cut && ahead(event, self.log.newest()) >= u16::from(kept)
    }

    fn give_up_events(&mut self, first: u16) {
        match self.replay.beyond {
            Some(beyond) => self.log.give_up_before(beyond),
            None => self.log.give_up_all(),
        }
        self.replay = Replay::default();
        let stored = self.log.stored().unwrap_or_default();
        self.tell(Observation::Fault(format!(
            "events {first} to {stored} of the clock are lost: look at the clock"
        )));
    }

    fn keep_alive_at(&self) -> Mono {
        self.last_heard.max(self.last_asked) + KEEP_ALIVE
    }

    /// When silence becomes a loss, as things stand.
    fn silent_at(&self) -> Option<Mono> {
        (self.unanswered >= SILENT_QUESTIONS).then(|| {
            (self.last_heard + self.settings.silence).max(self.last_asked + KEEP_ALIVE / 2)
        })
    }

    fn give_up(&mut self) {
        self.lose(LostReason::NotADevice);
        self.close();
        self.framing = None;
        self.reopen = Some(self.back_off);
        self.back_off = (self.back_off * 2).min(BACK_OFF_LAST);
    }

    fn close(&mut self) {
        self.phase = Phase::Closed;
        self.stream.reset();
        self.transmits.clear();
    }
}

impl Link for OpenClockLink {
    fn handle_open(&mut self, now: Mono) {
        self.close();
        self.reopen = None;
        self.last_heard = now;
        self.identify(now);
    }

    fn handle_bytes(&mut self, now: Mono, bytes: &[u8]) {
        if self.phase == Phase::Closed {
            return;
        }
        let mut stream = std::mem::take(&mut self.stream);
        stream.push(bytes, |frame: Frame| self.frame(now, frame));
        self.stream = stream;
        self.advance(now);
    }

    fn handle_timeout(&mut self, now: Mono) {
        self.advance(now);
    }

    fn handle_closed(&mut self, _now: Mono) {
        self.lose(LostReason::PortGone);
        self.close();
        self.reopen = None;
    }

    fn handle_clock_command(&mut self, now: Mono, command: ClockCommand) {
        let ended = if self.found {
            let (newest, may_change) = (self.log.stored(), self.settings.may_change);
            self.desk
                .push(&command, newest, may_change, self.info.as_ref())
        } else {
            Some(Ended {
                outcome: ClockCommandOutcome::Unanswered,
                words: None,
            })
        };
        self.end_command(ended);
        self.advance(now);
    }

    fn poll_transmit(&mut self) -> Option<Vec<u8>> {
        self.transmits.pop_front()
    }

    fn poll_event(&mut self) -> Option<Observation> {
        self.events.pop_front()
    }

    fn poll_timeout(&self) -> Option<Mono> {
        match self.phase {
            Phase::Closed => None,
            Phase::Identifying { next, .. } => Some(next),
            Phase::Talking => {
                let gap = self.log.missing().is_some();
                let wanted = [self.silent_at(), self.replay.due, self.desk.due(gap)];
                let keep_alive = std::iter::once(self.keep_alive_at());
                wanted.into_iter().flatten().chain(keep_alive).min()
            }
        }
    }

    fn poll_reopen(&mut self) -> Option<Duration> {
        self.reopen.take()
    }

    fn counters(&self) -> LinkCounters {
        self.stream.counters()
    }
}
