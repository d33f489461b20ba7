//! The next period of a time control: its time comes when the last second of the one before is over, or,
//! on clocks that count moves, with the press of the last of its moves.

use std::time::Duration;

use shakmaty::Color;

use super::{Accepted, ClockModel, INCREMENT_LAG};
use crate::{clock::ClockEvent, protocol::ClockReading, types::Mono};

/// A display with whole seconds may not have shown the last ones.
const LAST_SECONDS: Duration = Duration::from_secs(3);
/// Less than this is an increment, or a second that was shown late.
const LEAST: Duration = Duration::from_secs(10);

impl ClockModel {
    /// The time that the event gives a side with its next period.
    fn next_base(&self, side: Color) -> Option<Duration> {
        let control = self.settings.control.as_ref()?.of(side);
        let next = control.periods().get(*self.passed.get(side) + 1)?;
        (next.base > LEAST).then_some(next.base)
    }

    /// Whether a side's time went up from zero by what the event gives it then.
    pub(super) fn is_next_period(
        &self,
        side: Color,
        before: Duration,
        after: Duration,
        passed: Duration,
    ) -> bool {
        let near = passed + LAST_SECONDS;
        let fits = |base| after <= base + near + self.most_added() && after + near >= base;
        before <= near && self.next_base(side).is_some_and(fits)
    }

    /// Whether a rise that stays is a period that began at zero, whatever the event has. It is told then.
    pub(super) fn bears_out_a_period(
        &mut self,
        now: Mono,
        last: &Accepted,
        reading: &ClockReading,
    ) -> bool {
        let side = self.color(last.reading.lever_high);
        let rise = |side| {
            let (before, after) = (self.face(&last.reading, side), self.face(reading, side));
            after.time.saturating_sub(before.time)
        };
        let added = rise(side);
        let begins = last.reading.running
            && self.ran_out(now, last, side)
            && added > LEAST
            && (rise(side.other()).is_zero() || rise(side.other()).abs_diff(added) <= LAST_SECONDS);
        if begins {
            self.tell_period(now, last, reading, side, added);
        }
        begins
    }

    /// A side's time was over, or nearly, when it was last seen.
    fn ran_out(&self, now: Mono, last: &Accepted, side: Color) -> bool {
        let ran = self.color(last.reading.lever_high) == side;
        ran && self.face(&last.reading, side).time <= now.since(last.at) + LAST_SECONDS
    }

    /// Whether the running side's period is over and both sides have got the next one's time: a DGT 3000
    /// that does not count moves gives it to both at once.
    pub(super) fn brings_both_a_period(
        &self,
        old: &ClockReading,
        new: &ClockReading,
        passed: Duration,
    ) -> bool {
        let side = self.color(old.lever_high);
        let (before, after) = (self.face(old, side).time, self.face(new, side).time);
        self.is_next_period(side, before, after, passed) && self.gets_base(side.other(), old, new)
    }

    /// A side at rest has got just the time of its next period.
    fn gets_base(&self, side: Color, old: &ClockReading, new: &ClockReading) -> bool {
        let (before, after) = (self.face(old, side).time, self.face(new, side).time);
        self.next_base(side)
            .is_some_and(|base| after.abs_diff(before + base) <= LAST_SECONDS)
    }

    /// The sides whose next period began with a reading that follows from the last one, and their times.
    /// A side that has run out comes first.
    pub(super) fn periods_begin(
        &self,
        now: Mono,
        last: &Accepted,
        reading: &ClockReading,
    ) -> Vec<(Color, Duration)> {
        let passed = now.since(last.at);
        let old = &last.reading;
        let just = |at| now.since(at) <= INCREMENT_LAG;
        let pressed = old.lever_high != reading.lever_high || self.last_press.is_some_and(just);
        let ran = self.color(old.lever_high);
        let begins = |side: Color| {
            let base = self.next_base(side)?;
            let (before, after) = (self.face(old, side).time, self.face(reading, side).time);
            let at_zero = side == ran && self.is_next_period(side, before, after, passed);
            let used = if side == ran { passed } else { Duration::ZERO } + LAST_SECONDS;
            let with_a_press = pressed && after + used >= before + base;
            let begins = after > before + LEAST && (at_zero || with_a_press);
            begins.then_some((side, base, at_zero))
        };
        let mut found: Vec<_> = [ran, ran.other()].into_iter().filter_map(begins).collect();
        let with_the_other = found
            .iter()
            .any(|(side, _, at_zero)| *side == ran && *at_zero)
            && found.len() == 1
            && self.gets_base(ran.other(), old, reading);
        if let Some(base) = self.next_base(ran.other()).filter(|_| with_the_other) {
            found.push((ran.other(), base, false));
        }
        found
            .into_iter()
            .map(|(side, base, _)| (side, base))
            .collect()
    }

    pub(super) fn tell_period(
        &mut self,
        now: Mono,
        last: &Accepted,
        reading: &ClockReading,
        side: Color,
        added: Duration,
    ) {
        let shown = std::mem::replace(self.flags.get_mut(side), false);
        if !shown && self.ran_out(now, last, side) {
            self.tell_passing(now, side, reading);
        }
        *self.sign_of_period.get_mut(side) = true;
        *self.zero_since.get_mut(side) = None;
        let passed = self.passed.get_mut(side);
        *passed += 1;
        let period = *passed + 1;
        let times = self.times(reading);
        self.events.push_back(ClockEvent::Period {
            side,
            period,
            added,
            times,
        });
    }
}
