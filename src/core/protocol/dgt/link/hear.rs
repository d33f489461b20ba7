//! What a link makes of the board's messages.

use super::{DUMP_RETRY, DgtLink, MISSED_TICK, Phase, READING_AGAIN};
use crate::{
    protocol::{
        Battery, LostReason, Observation,
        dgt::{
            clock::{Ack, AckKind, ClockMessage, ClockTime},
            frame::{Frame, id},
            json::version_text,
            message::Message,
        },
    },
    types::Mono,
};

impl DgtLink {
    pub(super) fn frame(&mut self, now: Mono, frame: Frame<'_>) {
        match Message::decode(frame) {
            // An id nobody knows may as well be noise: no sign of life.
            Ok(Message::Unknown { .. }) => self.unknown += 1,
            Ok(message) => {
                self.messages += 1;
                self.heard(now);
                self.message(now, &message);
            }
            Err(_) => {
                self.invalid += 1;
                self.invalid_bytes += frame.bytes.len() as u64;
                self.heard(now);
                if self.phase == Phase::Talking && frame.id() == id::BOARD_DUMP {
                    self.ask_dump_at(now + DUMP_RETRY);
                }
            }
        }
    }

    fn message(&mut self, now: Mono, message: &Message<'_>) {
        if let Message::Version { main, sub } = *message {
            self.identity.version = Some(version_text(main, sub));
            if matches!(self.phase, Phase::Identifying { .. }) {
                self.start_talking(now);
            }
        }
        if self.phase != Phase::Talking {
            return;
        }
        match *message {
            Message::BoardDump(cells) => {
                if !self.picture.is_known() {
                    self.dump_due = None;
                }
                if !self.picture.agrees(&cells) {
                    self.tell_missed();
                }
                self.agreed_at = now;
                for magic in self.picture.dump(cells) {
                    self.tell(Observation::Magic(magic));
                }
                if let Some(seen) = self.picture.observation() {
                    self.tell(seen);
                }
            }
            Message::FieldUpdate { index, code } => {
                if self.picture.denies(index, code) {
                    self.tell_missed();
                }
                if let Some(seen) = self.picture.update(index, code) {
                    self.note_change(index, code);
                    self.tell(seen);
                }
                if let Some(magic) = code.magic() {
                    self.tell(Observation::Magic(magic));
                }
                self.ask_dump_at(now + self.settings.dump_after);
            }
            Message::Clock(ClockMessage::Time(time)) => {
                self.tick(now);
                self.clock_time(now, &time);
            }
            Message::Clock(ClockMessage::Ack(ack)) => self.clock_ack(now, ack),
            Message::Clock(ClockMessage::Null) => {}
            Message::Serial(serial) => self.serial(now, serial),
            Message::BusAddress { .. } | Message::Trademark(_) => self.identity.later_answer = true,
            Message::LongSerial(serial) => {
                self.identity.long_serial = Some(serial.trim().to_owned());
                self.tell_found(now);
            }
            Message::EeMoves(log) => self.log(now, log),
            Message::Battery(battery) => self.tell(Observation::Battery(Battery {
                percent: battery.percent.map(|percent| percent.min(100)),
                charging: battery.charging().unwrap_or(false),
            })),
            Message::LargeDump(_) | Message::DraughtsDump { .. } if !self.refused_kind => {
                self.refused_kind = true;
                let words = "a draughts board answers; only chess boards are supported";
                self.tell(Observation::Fault(words.to_owned()));
            }
            _ => {}
        }
    }

    fn serial(&mut self, now: Mono, serial: &str) {
        let other = self
            .identity
            .serial
            .as_deref()
            .is_some_and(|known| known != serial);
        if self.found && other {
            // Somebody put the cable into another board, faster than silence shows.
            self.lose(now, LostReason::PortGone);
            self.identify(now);
            return;
        }
        // The first 45 went out before 55, any other one after it.
        self.identity.later_answer |= self.identity.serial.is_some();
        self.identity.serial = Some(serial.to_owned());
    }

    fn tell_missed(&mut self) {
        let since = self.agreed_at;
        self.tell(Observation::Missed { since });
    }

    /// A running clock tells its time each second: where a second is missing, more may be.
    fn tick(&mut self, now: Mono) {
        let ran = self.reading.is_some_and(|(_, reading)| reading.running);
        if ran && now.since(self.last_tick) > MISSED_TICK {
            self.doubt(now);
        }
        self.last_tick = now;
    }

    fn clock_time(&mut self, now: Mono, time: &ClockTime) {
        let Some(reading) = time.reading() else {
            self.reading = None;
            if self.clock_present.replace(false) == Some(true) {
                self.tell(Observation::ClockGone);
            }
            return;
        };
        match self.clock_present.replace(true) {
            Some(true) => {}
            Some(false) => self.clock.ask_version(),
            None => self.clock.ask_version_if_silent(),
        }
        let news = self
            .reading
            .is_none_or(|(at, last)| last != reading || now.since(at) >= READING_AGAIN);
        if news {
            self.reading = Some((now, reading));
            self.tell(Observation::Clock(reading));
        }
    }

    fn clock_ack(&mut self, now: Mono, ack: Ack) {
        match ack.kind() {
            AckKind::Button => {
                if let [button] = *ack.buttons() {
                    self.tell(Observation::Button(button));
                }
            }
            AckKind::Ready => self.clock.ask_version(),
            AckKind::Mode(mode) => self.clock.mode(Some(mode)),
            AckKind::NotRemote => self.clock.mode(None),
            AckKind::Command(_) | AckKind::None | AckKind::Unknown(_) => {
                if let Some(outcome) = self.clock.ack(now, ack) {
                    self.tell(Observation::ClockCommand(outcome));
                }
            }
        }
    }
}
