//! The clock's plug in the board: what the board knows of the clock, and how late.

use std::{collections::VecDeque, time::Duration};

use rand::Rng as _;
use rand_chacha::ChaCha8Rng;

use crate::clock::{Ack, ClockFace, SimClock, WireTime};

/// A clock behind its cable. The board hears of the display a little later than the players see it.
#[derive(Debug, Clone)]
pub(super) struct Plug {
    clock: SimClock,
    connected: bool,
    lag: Duration,
    history: VecDeque<(Duration, ClockFace, bool)>,
    acks: VecDeque<(Duration, Ack)>,
    busy_until: Duration,
    waiting: Option<Vec<u8>>,
}

impl Plug {
    pub(super) fn new(clock: SimClock, lag: Duration) -> Self {
        let mut plug = Self {
            clock,
            connected: true,
            lag,
            history: VecDeque::new(),
            acks: VecDeque::new(),
            busy_until: Duration::ZERO,
            waiting: None,
        };
        plug.remember(Duration::ZERO);
        plug
    }

    pub(super) fn clock(&self) -> &SimClock {
        &self.clock
    }

    pub(super) fn connected(&self) -> bool {
        self.connected
    }

    pub(super) fn connect(&mut self, connected: bool) {
        self.connected = connected;
        if !connected {
            self.acks.clear();
            self.busy_until = Duration::ZERO;
            self.waiting = None;
        }
    }

    /// Lets the clock run to `now`, each of its flags at its own instant.
    pub(super) fn advance(&mut self, now: Duration) {
        while let Some(at) = self.clock.next_event().filter(|&at| at <= now) {
            self.clock.advance(at);
            self.remember(at);
        }
    }

    /// Somebody touches the clock.
    pub(super) fn touch<R>(&mut self, now: Duration, f: impl FnOnce(&mut SimClock) -> R) -> R {
        self.advance(now);
        let answer = f(&mut self.clock);
        self.remember(now);
        answer
    }

    fn remember(&mut self, now: Duration) {
        let face = self.clock.face(now).clone();
        let viewed = now.saturating_sub(self.lag);
        while self.history.get(1).is_some_and(|(at, ..)| *at <= viewed) {
            self.history.pop_front();
        }
        self.history
            .push_back((now, face, self.clock.battery_low()));
    }

    /// The time that the board has heard by `now`; [`Plug::advance`] must have come so far.
    pub(super) fn view(&self, now: Duration) -> WireTime {
        if !self.connected {
            return WireTime::NO_CLOCK;
        }
        let viewed = now.saturating_sub(self.lag);
        self.history
            .iter()
            .rev()
            .find(|(at, ..)| *at <= viewed)
            .or_else(|| self.history.front())
            .map_or(WireTime::NO_CLOCK, |(_, face, low)| {
                face.at(viewed).wire(*low)
            })
    }

    /// When the board may next hear something else than at `now`.
    pub(super) fn next_change(&self, now: Duration) -> Option<Duration> {
        if !self.connected {
            return None;
        }
        let viewed = now.saturating_sub(self.lag);
        let current = self.history.partition_point(|(at, ..)| *at <= viewed);
        let touched = self.history.get(current).map(|(at, ..)| *at);
        let tick = current
            .checked_sub(1)
            .and_then(|i| self.history.get(i))
            .and_then(|(_, face, _)| face.at(viewed).next_tick());
        touched
            .into_iter()
            .chain(tick)
            .min()
            .map(|at| at + self.lag)
    }

    /// A command for the clock has arrived; it is carried out and acknowledged after a moment.
    ///
    /// Commands are to be sent one at a time (dgt-serial §8). One that comes too early waits for the ack
    /// of the one before; there is one place to wait, and the latest comer takes it.
    pub(super) fn command(&mut self, now: Duration, data: &[u8], rng: &mut ChaCha8Rng) {
        let delay = Duration::from_millis(rng.random_range(100..=400));
        if !self.connected {
            return;
        }
        if now < self.busy_until {
            self.waiting = Some(data.to_vec());
            return;
        }
        if let Some(ack) = self.touch(now, |clock| clock.command(now, data)) {
            self.busy_until = now + delay;
            self.ack_at(now + delay, ack);
        }
    }

    /// When the clock turns to the command that waits.
    pub(super) fn next_waiting(&self) -> Option<Duration> {
        self.waiting.as_ref().map(|_| self.busy_until)
    }

    /// Carries out the command that waits, if it is due.
    pub(super) fn resume(&mut self, now: Duration, rng: &mut ChaCha8Rng) {
        if self.next_waiting().is_some_and(|at| at <= now)
            && let Some(data) = self.waiting.take()
        {
            self.command(now, &data, rng);
        }
    }

    /// The clock says something by itself.
    pub(super) fn report(&mut self, now: Duration, ack: Ack, rng: &mut ChaCha8Rng) {
        let delay = Duration::from_millis(rng.random_range(20..=120));
        if self.connected {
            self.ack_at(now + delay, ack);
        }
    }

    fn ack_at(&mut self, at: Duration, ack: Ack) {
        let place = self.acks.partition_point(|(other, _)| *other <= at);
        self.acks.insert(place, (at, ack));
    }

    pub(super) fn next_ack(&self) -> Option<Duration> {
        self.acks.front().map(|(at, _)| *at)
    }

    pub(super) fn pop_ack(&mut self, now: Duration) -> Option<Ack> {
        self.acks.front().filter(|(at, _)| *at <= now)?;
        self.acks.pop_front().map(|(_, ack)| ack)
    }
}
