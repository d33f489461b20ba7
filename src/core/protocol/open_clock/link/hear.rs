//! What the clock says, one message after the other.

use std::time::Duration;

use super::super::{
    command::Order,
    face::Face,
    log::{Arrival, Log, ahead},
    message::{Event, Info, Response, State},
    serial::{Frame, Packet},
    told::battery,
    words::{EventKind, Sides},
};
use super::{OpenClockLink, Phase, READING_AGAIN, REPLAY_AFTER, Replay};
use crate::{
    protocol::{CallKind, ClockCall, ClockReading, ClockSide, LostReason, Observation},
    types::Mono,
};

use super::time::DeviceTime;

/// Info's bit for move counters.
const MOVE_COUNTERS: u16 = 7;
/// A state that is older by more than this is of another start of the clock.
const OLD: Duration = Duration::from_secs(3);

impl OpenClockLink {
    pub(super) fn frame(&mut self, now: Mono, frame: Frame) {
        // What is broken is counted, and asked for again when it was an event.
        let Ok(packet) = frame.packet else { return };
        if matches!(packet, Packet::Command(_) | Packet::Settings(_)) {
            // Our own words, from a line that echoes.
            return;
        }
        self.framing = Some(frame.framing);
        self.heard_any = true;
        self.last_heard = now;
        self.unanswered = 0;
        match packet {
            Packet::Info(info) => self.info(now, info),
            Packet::State(state) => self.state(now, &state),
            Packet::Event(event) => self.event(now, &event),
            Packet::Response(response) => self.response(now, &response),
            Packet::Command(_) | Packet::Settings(_) => {}
        }
    }

    fn info(&mut self, now: Mono, info: Info) {
        match &self.info {
            Some(known) if known.serial != info.serial => {
                // Somebody put the cable into another clock.
                self.lose(LostReason::PortGone);
                self.forget();
                self.info = Some(info);
                self.identify(now);
                return;
            }
            Some(known) if known.boot_id != info.boot_id => {
                // Its numbers begin again; all of them are news.
                self.log.begin(0);
                self.log_cut = false;
                self.time = DeviceTime::default();
                self.replay = Replay::default();
            }
            _ => {}
        }
        self.info = Some(info);
        if self.phase != Phase::Closed {
            self.tell_found(now);
        }
    }

    fn forget(&mut self) {
        self.log = Log::default();
        self.log_cut = false;
        self.time = DeviceTime::default();
        self.face = None;
        self.counted = None;
        self.told = None;
        self.replay = Replay::default();
    }

    fn state(&mut self, now: Mono, state: &State) {
        let behind = self.time.behind(state.device_ms);
        if !behind.is_zero() {
            if behind > OLD && self.info.is_none() {
                // It tells no info, so this is all there is of its new start.
                self.forget();
            } else if behind > OLD {
                // It has started anew and its info was not heard.
                self.send(now, Order::GetInfo);
            }
            return;
        }
        if !self.found {
            // It may be another start than the one whose numbers we know.
            return;
        }
        self.time.hear(now, state.device_ms);
        self.log_cut = state.log_cut;
        self.log.hear_state(state.frame, state.event_seq);
        if self.wait_for_missing(now) {
            // What it shows is told when the way to it has been told.
            return;
        }
        self.counters(state);
        let face = Face::of_state(state, self.face.as_ref());
        let before = self.face.replace(face);
        if let Some(first) = state.first_flag.one()
            && face.both_flags_after(before.as_ref())
        {
            // The order is known only from here, so it is told as an order.
            self.tell_reading(now, face.with_flag(first).reading());
        }
        self.tell_reading(now, face.reading());
    }

    /// What a clock that counts moves says of them.
    fn counters(&mut self, state: &State) {
        let (left, right) = (state.left_moves, state.right_moves);
        let counts = self
            .info
            .as_ref()
            .is_some_and(|info| info.can(MOVE_COUNTERS));
        if counts && self.counted.replace((left, right)) != Some((left, right)) {
            self.tell(Observation::ClockMoves { left, right });
        }
    }

    /// Whether events are missing. They are asked for soon.
    fn wait_for_missing(&mut self, now: Mono) -> bool {
        let missing = self.log.missing().is_some();
        if missing {
            self.replay.due.get_or_insert(now + REPLAY_AFTER);
        }
        missing
    }

    fn event(&mut self, now: Mono, event: &Event) {
        if !self.found {
            return;
        }
        match self.log.hear_event(event.event_seq) {
            Arrival::Next => {}
            Arrival::Known => {
                if event.kind == EventKind::Boot && self.time.behind(event.device_ms) > OLD {
                    self.send(now, Order::GetInfo);
                }
                return;
            }
            Arrival::Early => {
                let earlier = |known| ahead(event.event_seq, known) == 0;
                if !self.replay.beyond.is_some_and(earlier) {
                    self.replay.beyond = Some(event.event_seq);
                }
                // Behind the answer to an earlier question this is no news.
                self.replay.due.get_or_insert(now);
                return;
            }
        }
        self.replay = Replay::default();
        self.wait_for_missing(now);
        if self.time.at(event.device_ms).is_none() {
            self.time.hear(now, event.device_ms);
        }
        self.desk.event(event);
        self.show_event(now, event);
        if let Some(battery) = battery(event) {
            self.tell(Observation::Battery(battery));
        }
        if let Some(what) = call(event) {
            self.tell(Observation::Called(ClockCall {
                number: event.event_seq,
                side: event.side.one(),
                what,
            }));
        }
        if event.kind == EventKind::Boot {
            let words = "the clock has started anew: compare its times";
            self.tell(Observation::Fault(words.to_owned()));
        }
    }

    fn show_event(&mut self, now: Mono, event: &Event) {
        let face = self.face.unwrap_or_default().after(event);
        self.face = Some(face);
        if event.kind == EventKind::Boot {
            // A clock that has just started may not know its times yet: its next state tells them.
            return;
        }
        let earliest = self.told.map_or(Mono::ZERO, |(at, _)| at);
        let at = self.time.at(event.device_ms).unwrap_or(now);
        let at = at.max(earliest).min(now);
        let reading = face.reading();
        if event.kind == EventKind::Flag && event.arg == 3 {
            // Within one tick: no order, so both are told at once, with the second one.
            let other = event.side.one().map(ClockSide::other);
            let second = event.side == Sides::Both || other.is_some_and(|side| face.has_flag(side));
            if !second {
                return;
            }
        }
        self.told = Some((at, reading));
        self.tell(Observation::ClockAt { reading, at });
    }

    fn tell_reading(&mut self, now: Mono, reading: ClockReading) {
        let news = self
            .told
            .is_none_or(|(at, last)| last != reading || now.since(at) >= READING_AGAIN);
        if news {
            self.told = Some((now, reading));
            self.tell(Observation::Clock(reading));
        }
    }

    fn response(&mut self, now: Mono, response: &Response) {
        if self.found {
            self.log.note(response.event_seq);
            self.wait_for_missing(now);
            let ended = self.desk.answer(response);
            self.end_command(ended);
        }
    }
}

/// What somebody calls for with an event.
fn call(event: &Event) -> Option<CallKind> {
    Some(match (event.kind, event.arg) {
        (EventKind::ArbiterCall, _) => CallKind::Arbiter,
        (EventKind::Claim, 1) => CallKind::IllegalMove,
        (EventKind::Claim, 2) => CallKind::Threefold,
        (EventKind::Claim, 3) => CallKind::FiftyMoves,
        (EventKind::Claim, 4) => CallKind::DrawOffer,
        (EventKind::Claim, 5) => CallKind::Flag,
        (EventKind::Claim, _) => CallKind::OtherClaim,
        (EventKind::Result, 0) => CallKind::ResultWithdrawn,
        (EventKind::Result, 1) => CallKind::WhiteWon,
        (EventKind::Result, 2) => CallKind::Draw,
        (EventKind::Result, 3) => CallKind::BlackWon,
        _ => return None,
    })
}
