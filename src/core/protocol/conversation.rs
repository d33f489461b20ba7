//! The conversation with a board that has no clock desk and no log: open, say what its family wants said, wait
//! for a first valid message, listen, ask when it is quiet, notice silence, begin again.
//!
//! What differs from family to family is a [`Script`] in the family's own file. No I/O and no clock: see
//! [`Link`].

use std::{collections::VecDeque, time::Duration};

use super::{
    ClockCommand, ClockCommandOutcome, DeviceInfo, Link, LinkCounters, LostReason, Observation,
    board::{Decoder, Plain, Sum, Tell, Told},
    registry::Habits,
    stream::Wire,
};
use crate::types::{Bitboard, Color, Mono, Placement, Role};

const IDENTIFY_TRIES: u8 = 3;
/// How long a board may take for its first valid message before it is asked again.
const IDENTIFY_EVERY: Duration = Duration::from_secs(2);
/// An unchanged picture is news again after this: it bears out that nothing was missed.
const PICTURE_AGAIN: Duration = Duration::from_secs(5);
/// A link that is called later than this after the time that it asked for was held up: the port may have
/// lost bytes, and silence proves nothing.
const HELD_UP: Duration = Duration::from_secs(1);
/// Bytes that make no sense may have been a change: the picture is asked for, but not more often.
const DOUBT_AGAIN: Duration = Duration::from_secs(1);
const BATTERY_EVERY: Duration = Duration::from_mins(1);
const BACK_OFF_FIRST: Duration = Duration::from_millis(500);
const BACK_OFF_LAST: Duration = Duration::from_secs(10);

/// Questions of a family, as bytes.
pub type Question = fn() -> Vec<u8>;

/// What is particular to a family.
#[derive(Clone, Copy, Debug)]
pub struct Script {
    /// The family's name, for [`DeviceInfo`].
    pub family: &'static str,
    /// What is written until something valid is heard. On a port that may be anybody's it must do no harm:
    /// a DGT board takes nearly every byte for a command, and some of those write its EEPROM.
    pub probe: fn(&Habits) -> Vec<Vec<u8>>,
    /// What is written then.
    pub start: fn(&Habits) -> Vec<Vec<u8>>,
    /// Asks for the whole picture.
    pub picture: Option<Question>,
    /// A board that has said nothing for so long is asked for the picture.
    pub ask_after: Duration,
    /// It is asked so often even if it talks: changes may get lost on the way.
    pub ask_anyhow: bool,
    /// Asks for the battery, each minute.
    pub battery: Option<Question>,
    /// The least pause between two writes.
    pub gap: Duration,
    /// A board that says nothing for so long, whatever it is asked, is lost.
    pub silence: Duration,
    /// How long a serial number is waited for after the first message.
    pub identity: Duration,
    /// Single frames miss men: a square shows what two of the last three frames agree on.
    pub majority: bool,
}

impl Script {
    /// A board that talks by itself, several times a second, and takes no questions.
    pub const STREAM: Self = Self {
        family: "",
        probe: |_| Vec::new(),
        start: |_| Vec::new(),
        picture: None,
        ask_after: Duration::from_secs(2),
        ask_anyhow: false,
        battery: None,
        gap: Duration::from_millis(250),
        silence: Duration::from_secs(5),
        identity: Duration::ZERO,
        majority: false,
    };
}

/// A conversation with a board whose messages stand for themselves.
pub fn plain<M: Wire + Tell + 'static>(script: Script, habits: &Habits) -> Box<dyn Link> {
    Box::new(BoardLink::new(
        script,
        Box::new(Plain::<M>::default()),
        habits,
    ))
}

/// Commands as bytes, each by itself.
pub fn bytes_of<C: Wire>(commands: &[C]) -> Vec<Vec<u8>> {
    let encode = |command: &C| {
        let mut bytes = Vec::new();
        command.encode(&mut bytes);
        bytes
    };
    commands.iter().map(encode).collect()
}

/// One command as bytes.
pub fn bytes<C: Wire>(command: &C) -> Vec<u8> {
    let mut bytes = Vec::new();
    command.encode(&mut bytes);
    bytes
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No port, or one that we gave up.
    Closed,
    /// Nothing valid was heard yet.
    Waiting { attempt: u8, next: Mono },
    /// A board, and it talks.
    Talking,
}

/// What stands on the board, as last told.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Picture {
    Men(Placement),
    Squares(Bitboard),
}

/// One board.
pub struct BoardLink {
    script: Script,
    habits: Habits,
    decoder: Box<dyn Decoder>,
    phase: Phase,
    sum: Sum,
    /// The last frames, newest last, for [`Script::majority`].
    frames: VecDeque<Placement>,
    /// The picture and when it was told last.
    shown: Option<(Mono, Picture)>,
    /// The board has told a change by itself: a picture that does not follow from changes was missed.
    tells_changes: bool,
    /// When the changes last agreed with a whole picture.
    agreed_at: Mono,
    serial: Option<String>,
    version: Option<String>,
    identity_until: Option<Mono>,
    unread_told: bool,
    noise: u64,
    doubted_at: Mono,
    found: bool,
    lost: bool,
    last_heard: Mono,
    last_asked: Mono,
    unanswered: u8,
    battery_due: Option<Mono>,
    questions: VecDeque<Vec<u8>>,
    ready_at: Mono,
    events: VecDeque<Observation>,
    transmits: VecDeque<Vec<u8>>,
    back_off: Duration,
    reopen: Option<Duration>,
}

impl BoardLink {
    /// A link without a port yet.
    pub fn new(script: Script, decoder: Box<dyn Decoder>, habits: &Habits) -> Self {
        Self {
            script: Script {
                silence: script.silence.max(habits.least_silence),
                ..script
            },
            habits: habits.clone(),
            decoder,
            phase: Phase::Closed,
            sum: Sum::default(),
            frames: VecDeque::new(),
            shown: None,
            tells_changes: false,
            agreed_at: Mono::ZERO,
            serial: None,
            version: None,
            identity_until: None,
            unread_told: false,
            noise: 0,
            doubted_at: Mono::ZERO,
            found: false,
            lost: false,
            last_heard: Mono::ZERO,
            last_asked: Mono::ZERO,
            unanswered: 0,
            battery_due: None,
            questions: VecDeque::new(),
            ready_at: Mono::ZERO,
            events: VecDeque::new(),
            transmits: VecDeque::new(),
            back_off: BACK_OFF_FIRST,
            reopen: None,
        }
    }

    fn tell(&mut self, seen: Observation) {
        if self.found {
            self.events.push_back(seen);
        }
    }

    fn begin(&mut self, now: Mono) {
        self.forget();
        self.phase = Phase::Waiting {
            attempt: 1,
            next: now + IDENTIFY_EVERY,
        };
        self.questions = (self.script.probe)(&self.habits).into();
    }

    fn forget(&mut self) {
        self.sum.forget();
        self.frames.clear();
        self.shown = None;
        self.tells_changes = false;
        self.identity_until = None;
        self.unread_told = false;
        self.questions.clear();
        self.battery_due = None;
        self.unanswered = 0;
        // A change must not be made of two halves.
        self.decoder.reset();
        self.noise = self.decoder.counters().bytes_dropped;
    }

    fn close(&mut self) {
        self.phase = Phase::Closed;
        self.forget();
        self.transmits.clear();
    }

    fn lose(&mut self, reason: LostReason) {
        if self.found || (reason == LostReason::NotADevice && !self.lost) {
            self.events.push_back(Observation::Lost(reason));
            self.lost = true;
        }
        self.found = false;
        (self.serial, self.version) = (None, None);
    }

    fn tell_found(&mut self, now: Mono) {
        self.identity_until = None;
        self.found = true;
        self.lost = false;
        self.back_off = BACK_OFF_FIRST;
        self.events.push_back(Observation::Found(DeviceInfo {
            family: self.script.family.to_owned(),
            serial: self.serial.clone(),
            version: self.version.clone(),
        }));
        if let Some((at, picture)) = &mut self.shown {
            *at = now;
            let seen = seen(picture.clone());
            self.events.push_back(seen);
        }
    }

    fn heard(&mut self, now: Mono) {
        self.last_heard = now;
        self.unanswered = 0;
        if matches!(self.phase, Phase::Waiting { .. }) {
            self.phase = Phase::Talking;
            self.agreed_at = now;
            self.battery_due = self.script.battery.map(|_| now);
            self.questions = (self.script.start)(&self.habits).into();
            self.questions.extend(self.script.picture.map(|ask| ask()));
            self.last_asked = now;
            self.identity_until = Some(now + self.script.identity);
        }
    }

    fn hear(&mut self, now: Mono, told: Told) {
        match told {
            // Acknowledgements prove that something answers, but texts of others may look the same.
            Told::Other if matches!(self.phase, Phase::Waiting { .. }) => return,
            _ => self.heard(now),
        }
        match told {
            Told::Version(version) => self.version = Some(version),
            Told::Serial(serial) => {
                let other = self
                    .serial
                    .as_ref()
                    .is_some_and(|known| known.len() == serial.len() && *known != serial);
                if self.found && other {
                    // Another board on the same port, faster than silence shows.
                    self.lose(LostReason::PortGone);
                    self.begin(now);
                    return;
                }
                // The long number comes after the short one, and stands.
                self.serial = Some(serial);
            }
            Told::Placement(placement) => {
                let placement = self.steady(placement);
                self.show(now, Picture::Men(placement));
            }
            Told::Occupancy(occupied) => {
                let known = self.sum.occupied();
                if self.tells_changes && known.is_some_and(|known| known != occupied) {
                    let since = self.agreed_at;
                    self.tell(Observation::Missed { since });
                }
                self.agreed_at = now;
                self.sum.assume(occupied);
                self.show(now, Picture::Squares(occupied));
            }
            Told::Touched(_) => {
                self.tells_changes = true;
                let seen = self.sum.observe(told);
                if let Some(occupied) = self.sum.occupied() {
                    self.shown = Some((now, Picture::Squares(occupied)));
                }
                match seen {
                    Some(seen) => self.tell(seen),
                    None => self.doubt(now),
                }
            }
            Told::Unread if !self.unread_told => {
                self.unread_told = true;
                // Said when the board is found, if need be.
                self.events.push_back(Observation::Fault(
                    "the men's tags are not known: set up the start position, or name a file of \
                     tags in the configuration"
                        .to_owned(),
                ));
            }
            Told::Clock(reading) => self.tell(Observation::Clock(reading)),
            Told::Battery(battery) => self.tell(Observation::Battery(battery)),
            _ => {}
        }
    }

    /// What most of the last three frames show.
    fn steady(&mut self, placement: Placement) -> Placement {
        if !self.script.majority {
            return placement;
        }
        self.frames.push_back(placement);
        if self.frames.len() > 3 {
            self.frames.pop_front();
        }
        let count = self.frames.len();
        let Some(newest) = self.frames.back().cloned() else {
            return Placement::empty();
        };
        if count < 3 || self.frames.iter().all(|frame| *frame == newest) {
            return newest;
        }
        let [a, b, c] = [0, 1, 2].map(|at| &self.frames[at]);
        let mut steady = Placement::empty();
        for color in Color::ALL {
            for role in Role::ALL {
                let of = |board: &Placement| board.by_piece(role.of(color));
                let (a, b, c) = (of(a), of(b), of(c));
                for square in a & b | a & c | b & c {
                    steady.set_piece_at(square, role.of(color));
                }
            }
        }
        steady
    }

    fn show(&mut self, now: Mono, picture: Picture) {
        let news = self
            .shown
            .as_ref()
            .is_none_or(|(at, last)| *last != picture || now.since(*at) >= PICTURE_AGAIN);
        if news {
            self.tell(seen(picture.clone()));
            self.shown = Some((now, picture));
        }
    }

    /// What was not understood may have been a change.
    fn doubt(&mut self, now: Mono) {
        if self.phase == Phase::Talking && now.since(self.doubted_at) >= DOUBT_AGAIN {
            self.doubted_at = now;
            self.ask_picture();
        }
    }

    fn ask_picture(&mut self) {
        if let Some(question) = self.script.picture.map(|ask| ask())
            && !self.questions.contains(&question)
        {
            self.questions.push_back(question);
        }
    }

    fn was_held_up(&self, now: Mono) -> bool {
        self.poll_timeout()
            .is_some_and(|due| now.since(due) > HELD_UP)
    }

    fn silent_at(&self) -> Mono {
        self.last_heard + self.script.silence
    }

    fn ask_at(&self) -> Option<Mono> {
        self.script.picture?;
        let since = if self.script.ask_anyhow {
            self.last_asked
        } else {
            self.last_heard.max(self.last_asked)
        };
        Some(since + self.script.ask_after)
    }

    fn advance(&mut self, now: Mono) {
        match self.phase {
            Phase::Closed => return,
            Phase::Waiting { next, .. } if now < next => {}
            Phase::Waiting { attempt, .. } if attempt < IDENTIFY_TRIES => {
                self.phase = Phase::Waiting {
                    attempt: attempt + 1,
                    next: now + IDENTIFY_EVERY,
                };
                self.questions = (self.script.probe)(&self.habits).into();
            }
            Phase::Waiting { .. } => {
                self.lose(LostReason::NotADevice);
                self.close();
                self.reopen = Some(self.back_off);
                self.back_off = (self.back_off * 2).min(BACK_OFF_LAST);
                return;
            }
            Phase::Talking => self.advance_talk(now),
        }
        if now >= self.ready_at
            && let Some(question) = self.questions.pop_front()
        {
            self.transmits.push_back(question);
            self.ready_at = now + self.script.gap;
        }
    }

    fn advance_talk(&mut self, now: Mono) {
        if now >= self.silent_at() {
            self.lose(LostReason::Silent);
            self.begin(now);
            return;
        }
        if self.identity_until.is_some_and(|until| now >= until) {
            self.tell_found(now);
        }
        if self.ask_at().is_some_and(|at| now >= at) {
            self.last_asked = now;
            self.unanswered = self.unanswered.saturating_add(1);
            self.ask_picture();
        }
        if self.battery_due.is_some_and(|at| now >= at) {
            self.battery_due = Some(now + BATTERY_EVERY);
            self.questions.extend(self.script.battery.map(|ask| ask()));
        }
    }

    fn take_in(&mut self, now: Mono, bytes: &[u8], ends: bool) {
        let mut heard: Vec<(Told, Option<Vec<u8>>)> = Vec::new();
        let mut note = |message: &dyn Tell| {
            heard.push((message.told(), message.answer()));
        };
        self.decoder.push(bytes, &mut note);
        if ends {
            self.decoder.finish(&mut note);
            self.decoder.reset();
        }
        for (told, answer) in heard {
            self.questions.extend(answer);
            self.hear(now, told);
        }
        let noise = self.decoder.counters().bytes_dropped;
        if std::mem::replace(&mut self.noise, noise) < noise {
            self.doubt(now);
        }
        self.advance(now);
    }
}

fn seen(picture: Picture) -> Observation {
    match picture {
        Picture::Men(placement) => Observation::Placement {
            placement,
            change: None,
        },
        Picture::Squares(occupied) => Observation::Occupancy {
            occupied,
            change: None,
        },
    }
}

impl Link for BoardLink {
    fn handle_open(&mut self, now: Mono) {
        self.close();
        self.reopen = None;
        self.ready_at = now;
        self.begin(now);
        self.advance(now);
    }

    fn handle_bytes(&mut self, now: Mono, bytes: &[u8]) {
        if self.phase == Phase::Closed {
            return;
        }
        if self.was_held_up(now) {
            self.doubt(now);
        }
        self.take_in(now, bytes, false);
    }

    fn handle_value_end(&mut self, now: Mono) {
        if self.phase != Phase::Closed {
            self.take_in(now, &[], true);
        }
    }

    fn handle_timeout(&mut self, now: Mono) {
        if self.phase == Phase::Talking && self.was_held_up(now) {
            // It may have talked all the while: what waits in the port is read first.
            self.last_heard = now;
            self.doubt(now);
        }
        self.advance(now);
    }

    fn handle_closed(&mut self, _now: Mono) {
        self.lose(LostReason::PortGone);
        self.close();
        self.reopen = None;
    }

    fn handle_clock_command(&mut self, _now: Mono, _command: ClockCommand) {
        // No such board passes commands to a clock. Told even so: somebody waits for it.
        let outcome = if self.found {
            ClockCommandOutcome::Refused
        } else {
            ClockCommandOutcome::Unanswered
        };
        self.events.push_back(Observation::ClockCommand(outcome));
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
            Phase::Waiting { next, .. } => [Some(next), None, None, None],
            Phase::Talking => [
                Some(self.silent_at()),
                self.identity_until,
                self.ask_at(),
                self.battery_due,
            ],
        };
        let write = (!self.questions.is_empty()).then_some(self.ready_at);
        wanted.into_iter().flatten().chain(write).min()
    }

    fn poll_reopen(&mut self) -> Option<Duration> {
        self.reopen.take()
    }

    fn counters(&self) -> LinkCounters {
        self.decoder.counters()
    }
}
