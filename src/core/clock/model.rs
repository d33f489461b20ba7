//! From clock readings to facts: presses, stops, flags, corrections.
//!
//! A reading is a sample of a display with whole seconds that may be a second late, repeated, stale or
//! garbled. The first one is a state and tells no event. A reading that the last accepted one cannot
//! have led to is held until the next ones bear it out or pass over it. Nothing here knows of boards; who
//! is White is a setting that [`ClockModel::handle_move`] only casts doubt on.

mod flags;
mod period;

use std::{collections::VecDeque, time::Duration};

use shakmaty::{ByColor, Color};

use super::{
    control::TimeControl,
    event::{ClockEvent, ClockView, OrderUnknown, Times},
};
use crate::{
    protocol::{ClockReading, ClockSide, FaceReading},
    types::Mono,
};

/// A press may show its increment this long after the lever.
const INCREMENT_LAG: Duration = Duration::from_millis(2500);
/// Seconds are whole, messages late, and late ones come in bunches.
const SLACK: Duration = Duration::from_secs(10);
/// An increment that a clock may be set to, whatever the control.
const ANY_INCREMENT: Duration = Duration::from_secs(61);
/// A jump that three equal readings must bear out while the clock runs.
const BIG_JUMP: Duration = Duration::from_hours(1);
/// Unchanged times after which an edited clock counts as set.
const EDIT_QUIET: Duration = Duration::from_secs(3);
/// A move seen so long after a press was thought about: the lever had come to rest.
const THOUGHT: Duration = Duration::from_millis(1500);
/// Presses at the start of a game that are compared with the board.
const SIDE_CHECKS: u8 = 8;
/// A sign that stays off for so long has gone.
const BATTERY_STAYS: Duration = Duration::from_secs(10);

/// What one may set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockSettings {
    /// The side of the clock, seen from its front, that is White's. Left with the usual set-up.
    pub white_side: ClockSide,
    /// The event's time control, to know an increment from a correction.
    pub control: Option<TimeControl>,
}

impl Default for ClockSettings {
    fn default() -> Self {
        Self {
            white_side: ClockSide::Left,
            control: None,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Accepted {
    reading: ClockReading,
    at: Mono,
}

/// A reading that does not follow from the accepted one.
#[derive(Clone, Copy, Debug)]
struct Held {
    reading: ClockReading,
    at: Mono,
    count: u8,
}

/// Times that are being changed while the clock stands.
#[derive(Clone, Copy, Debug)]
struct Edit {
    before: Times,
    changed: Mono,
    /// Another clock is being set in the place of the old one: that takes until it runs.
    until_it_runs: bool,
}

/// Makes facts of the readings of one clock through one game.
#[derive(Clone, Debug)]
pub struct ClockModel {
    settings: ClockSettings,
    last: Option<Accepted>,
    held: Option<Held>,
    started: bool,
    gone: bool,
    /// Readings were missed: the next one is a state that anything may have led to.
    unseen: bool,
    battery_told: bool,
    battery_good: Option<Mono>,
    last_press: Option<Mono>,
    flags: ByColor<bool>,
    zero_since: ByColor<Option<Mono>>,
    /// Periods that are over.
    passed: ByColor<usize>,
    /// The flag's sign still stands from the end of a period, and is no flag any more.
    sign_of_period: ByColor<bool>,
    edit: Option<Edit>,
    /// The last press, as a witness of which side is whose.
    side_press: Option<(Color, Mono)>,
    /// The board told a move since then.
    moved_since: bool,
    side_checks: u8,
    side_doubts: u8,
    events: VecDeque<ClockEvent>,
}

impl ClockModel {
    /// A clock that has not been heard yet.
    pub fn new(settings: ClockSettings) -> Self {
        Self {
            settings,
            last: None,
            held: None,
            started: false,
            gone: false,
            unseen: false,
            battery_told: false,
            battery_good: None,
            last_press: None,
            flags: ByColor {
                white: false,
                black: false,
            },
            zero_since: ByColor {
                white: None,
                black: None,
            },
            passed: ByColor::default(),
            sign_of_period: ByColor {
                white: false,
                black: false,
            },
            edit: None,
            side_press: None,
            moved_since: false,
            side_checks: 0,
            side_doubts: 0,
            events: VecDeque::new(),
        }
    }

    /// A new game: what was started, flagged or doubted belongs to the old one.
    pub fn rearm(&mut self) {
        let mut fresh = Self::new(self.settings.clone());
        fresh.last = self.last;
        fresh.gone = self.gone;
        fresh.battery_told = self.battery_told;
        std::mem::swap(&mut fresh.events, &mut self.events);
        *self = fresh;
    }

    /// Says which side is White's, from the board's orientation or by the arbiter.
    pub fn set_white_side(&mut self, side: ClockSide) {
        if side != self.settings.white_side {
            self.settings.white_side = side;
            self.flags.swap();
            self.zero_since.swap();
            self.passed.swap();
            self.sign_of_period.swap();
            self.side_press = None;
            self.side_doubts = 0;
        }
    }

    /// The side that is White's.
    pub fn white_side(&self) -> ClockSide {
        self.settings.white_side
    }

    /// So many periods are over already.
    pub fn set_passed(&mut self, passed: ByColor<usize>) {
        self.passed = passed;
    }

    /// The event's time control.
    pub fn set_control(&mut self, control: Option<TimeControl>) {
        self.settings.control = control;
    }

    /// The clock said what it shows.
    pub fn handle_reading(&mut self, now: Mono, reading: &ClockReading) {
        self.handle_timeout(now);
        self.watch_battery(now, reading.battery_low);
        let back = std::mem::take(&mut self.gone);
        if back {
            self.events.push_back(ClockEvent::Back);
        }
        let Some(last) = self.last else {
            self.accept(now, reading);
            self.started = reading.running;
            self.watch_flags(now, reading, true, Some(OrderUnknown::AtFirstSight));
            return;
        };
        let gap = std::mem::take(&mut self.unseen) || back;
        let follows = gap || self.follows(&last.reading, last.at, reading, now);
        // The flag is told before the stop that it causes.
        let unseen = gap.then_some(OrderUnknown::OutOfSight);
        self.watch_flags(now, reading, follows, unseen);
        if gap && self.started && !self.may_follow(&last, reading, now) {
            self.replaced(now, &last, reading);
        } else if follows {
            self.held = None;
            self.take(now, &last, reading, gap);
        } else {
            self.hold(now, &last, reading);
        }
    }

    /// The clock was unplugged, or the link to it is lost.
    pub fn handle_gone(&mut self, _now: Mono) {
        if self.last.is_some() && !self.gone {
            self.gone = true;
            self.held = None;
            self.zero_since = ByColor {
                white: None,
                black: None,
            };
            self.events.push_back(ClockEvent::Gone);
        }
    }

    /// The link is lost: what happens to the clock until the next reading is not known.
    pub fn handle_outage(&mut self) {
        self.unseen = true;
        self.held = None;
    }

    /// A move by `mover` was settled on the board: a second witness for which side is White's.
    pub fn handle_move(&mut self, seen_at: Mono, mover: Color) {
        self.check_side(seen_at, mover);
    }

    /// The time of [`ClockModel::poll_timeout`] has come.
    pub fn handle_timeout(&mut self, now: Mono) {
        if self.poll_timeout().is_some_and(|due| due <= now) {
            self.finish_edit();
        }
    }

    /// When [`ClockModel::handle_timeout`] is due.
    pub fn poll_timeout(&self) -> Option<Mono> {
        let edit = self.edit.filter(|edit| !edit.until_it_runs)?;
        Some(edit.changed + EDIT_QUIET)
    }

    /// The next fact.
    pub fn poll_event(&mut self) -> Option<ClockEvent> {
        self.events.pop_front()
    }

    /// What the clock shows; `None` before its first word.
    pub fn current(&self, now: Mono) -> Option<ClockView> {
        let Accepted { reading, at } = self.last?;
        let to_move = self.color(reading.lever_high);
        Some(ClockView {
            times: self.times(&reading),
            running: reading.running.then_some(to_move),
            to_move,
            at,
            age: now.since(at),
            flags: self.flags,
            gone: self.gone,
            battery_low: reading.battery_low,
        })
    }

    fn color(&self, side: ClockSide) -> Color {
        Color::from_white(side == self.settings.white_side)
    }

    fn face(&self, reading: &ClockReading, side: Color) -> FaceReading {
        let white_left = self.settings.white_side == ClockSide::Left;
        if side.is_white() == white_left {
            reading.left
        } else {
            reading.right
        }
    }

    fn times(&self, reading: &ClockReading) -> Times {
        Times {
            white: self.face(reading, Color::White).time,
            black: self.face(reading, Color::Black).time,
        }
    }

    fn accept(&mut self, now: Mono, reading: &ClockReading) {
        self.last = Some(Accepted {
            reading: *reading,
            at: now,
        });
    }

    /// The most that play itself adds to a side. A clock set wrongly adds something else than planned,
    /// and that is no correction.
    fn most_added(&self) -> Duration {
        let planned = self.settings.control.as_ref().map(|control| {
            control.largest_increment() + control.largest_bonus() + Duration::from_secs(1)
        });
        planned.unwrap_or_default().max(ANY_INCREMENT)
    }

    /// Whether play leads from one reading to the other. While the clock stands anything may follow:
    /// hands are at it.
    fn follows(&self, old: &ClockReading, at: Mono, new: &ClockReading, now: Mono) -> bool {
        if !old.running {
            return true;
        }
        let pressed = old.lever_high != new.lever_high
            || self
                .last_press
                .is_some_and(|press| now.since(press) <= INCREMENT_LAG);
        let most_added = if pressed {
            self.most_added()
        } else {
            Duration::ZERO
        };
        let most_used = now.since(at) + SLACK;
        let both = self.brings_both_a_period(old, new, now.since(at));
        Color::ALL.into_iter().all(|side| {
            let (before, after) = (self.face(old, side).time, self.face(new, side).time);
            let ran = self.color(old.lever_high) == side || self.color(new.lever_high) == side;
            let used = if ran { most_used } else { Duration::ZERO };
            let risen = after <= before + most_added
                || both
                || (ran && self.is_next_period(side, before, after, now.since(at)));
            risen && after + used >= before
        })
    }

    /// A reading that does not follow: stale or garbled, unless the next ones agree with it.
    fn hold(&mut self, now: Mono, last: &Accepted, reading: &ClockReading) {
        let count = match self.held {
            Some(held) if self.follows(&held.reading, held.at, reading, now) => held.count + 1,
            _ => 1,
        };
        let (before, after) = (self.times(&last.reading), self.times(reading));
        let jump = Color::ALL
            .into_iter()
            .map(|side| before.of(side).abs_diff(after.of(side)))
            .max()
            .unwrap_or_default();
        let needed = if jump > BIG_JUMP { 3 } else { 2 };
        if count < needed {
            self.held = Some(Held {
                reading: *reading,
                at: now,
                count,
            });
            return;
        }
        self.held = None;
        if reading.running && !self.bears_out_a_period(now, last, reading) {
            self.events.push_back(ClockEvent::Corrected {
                before,
                after,
                stopped: false,
            });
        }
        self.take(now, last, reading, true);
        if !reading.running && self.started {
            self.edit = Some(Edit {
                before,
                changed: now,
                until_it_runs: false,
            });
        }
    }

    /// Accepts a reading and tells what changed. After a gap the lever is a state, not an event.
    fn take(&mut self, now: Mono, last: &Accepted, reading: &ClockReading, gap: bool) {
        let old = &last.reading;
        let (before, after) = (self.times(old), self.times(reading));
        let running = self.color(reading.lever_high);
        self.accept(now, reading);
        let periods = if gap || !(old.running && reading.running) {
            Vec::new()
        } else {
            self.periods_begin(now, last, reading)
        };
        match (old.running, reading.running) {
            (true, true) if old.lever_high != reading.lever_high && !gap => {
                let side = running.other();
                self.last_press = Some(now);
                self.events
                    .push_back(ClockEvent::Press { side, times: after });
                self.side_press = Some((side, now));
                self.moved_since = false;
            }
            (true, false) => {
                let running = self.color(old.lever_high);
                self.events.push_back(ClockEvent::Stopped {
                    running,
                    times: after,
                });
            }
            (false, true) => {
                if before != after {
                    self.note_edit(before, now);
                }
                self.finish_edit();
                self.events.push_back(if self.started {
                    ClockEvent::Restarted {
                        running,
                        times: after,
                    }
                } else {
                    ClockEvent::Started {
                        running,
                        times: after,
                    }
                });
                self.started = true;
            }
            (false, false) if before != after => self.note_edit(before, now),
            _ => {}
        }
        for (side, added) in periods {
            self.tell_period(now, last, reading, side, added);
        }
        if old.running && reading.running {
            for side in Color::ALL {
                let added = after.of(side).saturating_sub(before.of(side));
                if *self.flags.get(side) && !added.is_zero() {
                    self.events
                        .push_back(ClockEvent::AddedAfterFlag { side, added });
                }
            }
        }
    }

    /// Times changed while the clock stood. Setting a clock before the game is no correction.
    fn note_edit(&mut self, before: Times, now: Mono) {
        if self.started {
            let edit = self.edit.get_or_insert(Edit {
                before,
                changed: now,
                until_it_runs: false,
            });
            edit.changed = now;
        }
    }

    /// It was out of sight and shows what play cannot have led to.
    fn replaced(&mut self, now: Mono, last: &Accepted, reading: &ClockReading) {
        let before = self
            .edit
            .map_or(self.times(&last.reading), |edit| edit.before);
        let event = ClockEvent::Replaced {
            before,
            after: self.times(reading),
            away: now.since(last.at),
        };
        self.held = None;
        self.take(now, last, reading, true);
        // Before the stop or start that came with it.
        self.events.push_back(event);
        self.edit = (!reading.running).then_some(Edit {
            before,
            changed: now,
            until_it_runs: true,
        });
    }

    /// Whether play, of which nothing was seen, may have led from one reading to the other.
    fn may_follow(&self, last: &Accepted, new: &ClockReading, now: Mono) -> bool {
        let away = now.since(last.at);
        // Nobody presses more often than once in two seconds.
        let presses = u32::try_from(away.as_secs() / 4 + 1).unwrap_or(u32::MAX);
        let most_added = self.most_added().saturating_mul(presses);
        let old = &last.reading;
        let ran = old.running || new.running;
        Color::ALL.into_iter().all(|side| {
            let (before, after) = (self.face(old, side).time, self.face(new, side).time);
            if ran {
                after <= before + most_added && after + away + SLACK >= before
            } else {
                after.abs_diff(before) <= Duration::from_secs(1)
            }
        })
    }

    fn watch_battery(&mut self, now: Mono, low: bool) {
        if low {
            self.battery_good = None;
            if !std::mem::replace(&mut self.battery_told, true) {
                self.events.push_back(ClockEvent::BatteryLow);
            }
        } else if self.battery_told {
            let since = *self.battery_good.get_or_insert(now);
            if now.since(since) >= BATTERY_STAYS {
                self.battery_told = false;
                self.battery_good = None;
                self.events.push_back(ClockEvent::BatteryGood);
            }
        }
    }

    fn finish_edit(&mut self) {
        let (Some(Edit { before, .. }), Some(last)) = (self.edit.take(), self.last) else {
            return;
        };
        let after = self.times(&last.reading);
        // The second that was running when the clock was stopped may show late.
        let late = Color::ALL.into_iter().all(|side| {
            before
                .of(side)
                .checked_sub(after.of(side))
                .is_some_and(|used| used <= Duration::from_secs(1))
        });
        if !late {
            self.events.push_back(ClockEvent::Corrected {
                before,
                after,
                stopped: true,
            });
        }
    }

    /// Whoever pressed last is not the one who thinks. Only a move that nobody crowded counts: in quick
    /// play lever and board come in any order.
    fn check_side(&mut self, seen_at: Mono, mover: Color) {
        let Some((pressed, at)) = self.side_press.filter(|(_, at)| *at <= seen_at) else {
            return;
        };
        let crowded = std::mem::replace(&mut self.moved_since, true);
        if crowded || seen_at.since(at) < THOUGHT || self.side_checks >= SIDE_CHECKS {
            return;
        }
        self.side_checks += 1;
        if pressed != mover {
            self.side_doubts = 0;
            return;
        }
        self.side_doubts += 1;
        if self.side_doubts == 2 {
            self.side_checks = SIDE_CHECKS;
            let white_side = self.settings.white_side.other();
            self.events.push_back(ClockEvent::SideDoubt { white_side });
        }
    }
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
