//! A DGT 3000: two times, a lever, and a control computer that can take orders from the board.
//!
//! Times are kept exactly and shown in whole seconds, rounded up, as a clock does that reads 0:00 only
//! when nothing is left. [`ClockFace`] is one moment of the clock; it can tell every later moment until
//! somebody touches the clock.

mod control;
mod face;
mod remote;

pub use control::{Method, Period, TimeControl};
pub use face::{ClockFace, Flag, Side, WireTime};
pub use remote::{Ack, AutoAck, Button, Remote};

use std::time::Duration;

/// A clock with its time control, its remote mode and who flagged first.
#[derive(Debug, Clone)]
pub struct SimClock {
    face: ClockFace,
    control: TimeControl,
    remote: Remote,
    battery_low: bool,
    first_flag: Option<Side>,
}

impl SimClock {
    /// A stopped clock set to `control`, the left side high.
    pub fn new(control: TimeControl) -> Self {
        Self {
            face: ClockFace::set(Duration::ZERO, control.start(), control.start(), Side::Left),
            control,
            remote: Remote::default(),
            battery_low: false,
            first_flag: None,
        }
    }

    /// The clock as it is at `now`.
    pub fn face(&mut self, now: Duration) -> &ClockFace {
        self.advance(now);
        &self.face
    }

    /// When the clock next does something by itself that is not counting (a flag), if it runs.
    pub fn next_event(&self) -> Option<Duration> {
        self.face.zero_at()
    }

    /// Lets the time pass; falls the flag or opens the next period when a side is at zero.
    ///
    /// Answers whether something other than counting happened.
    pub fn advance(&mut self, now: Duration) -> bool {
        let mut happened = false;
        while let Some(at) = self.face.zero_at().filter(|&at| at <= now) {
            self.face = self.face.at(at);
            let Some(side) = self.face.running_side() else {
                break;
            };
            self.pass_control(side);
            happened = true;
        }
        self.face = self.face.at(now);
        happened
    }

    fn pass_control(&mut self, side: Side) {
        self.first_flag.get_or_insert(side);
        let next = if self.remote.mode_25() {
            None
        } else {
            self.control.next_period(&self.face, side)
        };
        let state = self.face.side_mut(side);
        if let Some(period) = next {
            state.left = period.time;
            state.period += 1;
            state.flag = Flag::Shown;
        } else {
            state.left = Duration::ZERO;
            state.spent = true;
            if self.control.freeze {
                state.flag = Flag::Blocked;
                self.face.stop();
            } else {
                state.flag = Flag::Shown;
            }
        }
    }

    /// Somebody presses the lever down on `side`: that player's move is complete and, if the clock is
    /// running, the other side runs.
    ///
    /// The increment is added to the presser, not after his last flag has fallen (R-CK-3). Pressing a
    /// side that is down already does nothing. Answers whether the lever moved.
    pub fn press(&mut self, now: Duration, side: Side) -> bool {
        self.advance(now);
        if self.face.high() != side {
            return false;
        }
        let was_running = self.face.running_side() == Some(side);
        if was_running && !self.remote.mode_25() {
            let increment = self.control.period(self.face.side(side).period).increment;
            let method = self.control.method;
            let state = self.face.side_mut(side);
            state.moves += 1;
            if !state.spent {
                state.left += match method {
                    Method::Fischer => increment,
                    Method::Bronstein => state.used.min(increment),
                    Method::Delay => Duration::ZERO,
                };
            }
            self.begin_turn(side.other());
        }
        self.face.set_high(side.other());
        if was_running && !self.remote.lever_toggles() {
            self.face.stop();
        }
        true
    }

    /// A side's turn begins: nothing of it is used, and the delay is before it.
    fn begin_turn(&mut self, side: Side) {
        let delay = match self.control.method {
            Method::Delay => self.control.period(self.face.side(side).period).increment,
            Method::Fischer | Method::Bronstein => Duration::ZERO,
        };
        let state = self.face.side_mut(side);
        state.used = Duration::ZERO;
        state.delay = delay;
    }

    /// Start button: the high side's time runs, unless it has none left.
    pub fn start(&mut self, now: Duration) {
        self.advance(now);
        let high = self.face.high();
        if self.face.side(high).moves == 0 && self.face.side(high).used.is_zero() {
            self.begin_turn(high);
        }
        self.face.run();
    }

    /// Stop button.
    pub fn stop(&mut self, now: Duration) {
        self.advance(now);
        self.face.stop();
    }

    /// An arbiter sets one side by hand; only a stopped clock lets him.
    ///
    /// A side that gets time again has no flag any more.
    pub fn edit(&mut self, now: Duration, side: Side, left: Duration) -> bool {
        self.advance(now);
        if self.face.running_side().is_some() {
            return false;
        }
        let state = self.face.side_mut(side);
        state.left = left.min(MAX_TIME);
        if !left.is_zero() {
            state.flag = Flag::None;
            state.spent = false;
        }
        true
    }

    /// Back to the full time for a new game, stopped, with `high` to run first.
    pub fn reset(&mut self, now: Duration, high: Side) {
        self.first_flag = None;
        self.face = ClockFace::set(now, self.control.start(), self.control.start(), high);
    }

    /// Sets the clock to another time control.
    pub fn set_control(&mut self, now: Duration, control: TimeControl) {
        self.control = control;
        self.reset(now, self.face.high());
    }

    /// The time control in force.
    pub fn control(&self) -> &TimeControl {
        &self.control
    }

    /// The side that passed a control first (R-CK-1).
    pub fn first_flag(&self) -> Option<Side> {
        self.first_flag
    }

    /// Whether the low-battery sign is on.
    pub fn battery_low(&self) -> bool {
        self.battery_low
    }

    /// Turns the low-battery sign on or off.
    pub fn set_battery_low(&mut self, low: bool) {
        self.battery_low = low;
    }

    /// Puts the clock in mode 25, where the board may set it, or back to its own option.
    ///
    /// Mode 25 starts with both sides at zero. Answers what the clock tells the board about it.
    pub fn set_mode_25(&mut self, now: Duration, on: bool) -> Option<AutoAck> {
        self.advance(now);
        if self.remote.mode_25() == on {
            return None;
        }
        self.remote.set_mode_25(on);
        if on {
            let high = self.face.high();
            self.face = ClockFace::set(now, Duration::ZERO, Duration::ZERO, high);
            Some(AutoAck::Mode(25))
        } else {
            self.reset(now, self.face.high());
            Some(AutoAck::LeftMode)
        }
    }

    /// Whether the clock is in mode 25.
    pub fn mode_25(&self) -> bool {
        self.remote.mode_25()
    }

    /// The text that a remote command has put on the display, if one is shown.
    pub fn display(&self) -> Option<&str> {
        self.remote.display()
    }

    /// Carries out the data of a clock command (from the `03` on, the closing `00` included).
    ///
    /// `None`: not a command that this clock understands; it stays silent.
    pub fn command(&mut self, now: Duration, data: &[u8]) -> Option<Ack> {
        self.advance(now);
        self.remote.command(data, &mut self.face, now)
    }
}

/// The largest time that the display and the wire can express.
pub const MAX_TIME: Duration = Duration::from_secs(9 * 3600 + 59 * 60 + 59);

#[cfg(test)]
mod tests {
    use super::*;

    const S: Duration = Duration::from_secs(1);

    fn clock(base: u64, increment: u64) -> SimClock {
        SimClock::new(TimeControl::fischer(S * base as u32, S * increment as u32))
    }

    #[test]
    fn times_sum_up_over_a_game() {
        let mut clock = clock(300, 3);
        clock.start(S * 10);
        assert!(clock.press(S * 25, Side::Left));
        assert!(
            !clock.press(S * 26, Side::Left),
            "the lever is down on the left already"
        );
        assert!(clock.press(S * 65, Side::Right));
        clock.stop(S * 70);
        let face = clock.face(S * 500);
        assert_eq!(face.side(Side::Left).left, S * (300 - 15 + 3 - 5));
        assert_eq!(face.side(Side::Right).left, S * (300 - 40 + 3));
        assert_eq!(face.running_side(), None);
    }

    #[test]
    fn flag_stays_at_zero_and_nothing_is_added_afterwards() {
        let mut clock = clock(5, 3);
        clock.start(S);
        assert_eq!(clock.next_event(), Some(S * 6));
        assert_eq!(clock.face(S * 5).wire(false).left & 0x50, 0);
        let wire = clock.face(S * 7).wire(false);
        assert_eq!(
            (wire.left, wire.left_ms, wire.status & 1),
            (0x40, [0, 0], 1)
        );
        assert_eq!(clock.first_flag(), Some(Side::Left));
        assert!(clock.press(S * 8, Side::Left));
        assert_eq!(clock.face(S * 9).side(Side::Left).left, Duration::ZERO);
        assert_eq!(clock.face(S * 9).side(Side::Right).left, S * 4);
        assert_eq!(clock.face(S * 60).side(Side::Right).flag, Flag::Shown);
        assert_eq!(
            clock.first_flag(),
            Some(Side::Left),
            "the first one stays the first"
        );
    }

    #[test]
    fn clock_that_freezes_is_blocked() {
        let control = TimeControl {
            freeze: true,
            ..TimeControl::fischer(S * 5, S * 3)
        };
        let mut clock = SimClock::new(control);
        clock.start(S);
        let wire = clock.face(S * 7).wire(false);
        assert_eq!((wire.left, wire.status & 1), (0x50, 0));
        clock.start(S * 8);
        assert_eq!(clock.face(S * 9).running_side(), None);
    }

    #[test]
    fn second_period_opens_at_zero() {
        let mut clock = SimClock::new(TimeControl {
            periods: vec![
                Period {
                    time: S * 60,
                    increment: Duration::ZERO,
                    moves: Some(40),
                },
                Period {
                    time: S * 30,
                    increment: S,
                    moves: None,
                },
            ],
            method: Method::Fischer,
            increment_in_advance: false,
            freeze: false,
        });
        clock.start(Duration::ZERO);
        let face = clock.face(S * 61).clone();
        assert_eq!(face.side(Side::Left).left, S * 29);
        assert_eq!(face.side(Side::Left).flag, Flag::Shown);
        assert_eq!(face.running_side(), Some(Side::Left));
        clock.press(S * 62, Side::Left);
        assert_eq!(
            clock.face(S * 62).side(Side::Left).left,
            S * 29,
            "28 left and 1 added"
        );
    }

    #[test]
    fn delay_and_bronstein_give_what_was_used() {
        let with = |method| {
            let control = TimeControl {
                method,
                ..TimeControl::fischer(S * 60, S * 5)
            };
            let mut clock = SimClock::new(control);
            clock.start(S * 10);
            let early = clock.face(S * 12).side(Side::Left).left;
            clock.press(S * 13, Side::Left);
            clock.press(S * 21, Side::Right);
            let face = clock.face(S * 21).clone();
            (
                early,
                face.side(Side::Left).left,
                face.side(Side::Right).left,
            )
        };
        assert_eq!(with(Method::Fischer), (S * 58, S * 62, S * 57));
        assert_eq!(with(Method::Bronstein), (S * 58, S * 60, S * 57));
        assert_eq!(with(Method::Delay), (S * 60, S * 60, S * 57));
    }

    #[test]
    fn only_a_stopped_clock_is_edited() {
        let mut clock = clock(300, 0);
        clock.start(S);
        assert!(!clock.edit(S * 2, Side::Right, S * 420));
        clock.stop(S * 3);
        assert!(clock.edit(S * 4, Side::Right, S * 420));
        assert_eq!(clock.face(S * 5).side(Side::Right).left, S * 420);
    }

    #[test]
    fn setnrun_only_in_mode_25() {
        let mut clock = clock(300, 0);
        let set = [0x03, 0x0a, 0x01, 0x1e, 0x00, 0x01, 0x1d, 0x3b, 0x09, 0x00];
        assert_eq!(clock.command(S, &set).map(|ack| ack.0[0]), Some(0x40));
        assert_eq!(clock.set_mode_25(S, true), Some(AutoAck::Mode(25)));
        assert_eq!(clock.command(S, &set), Some(Ack([0x10, 0x0a, 0, 0])));
        let face = clock.face(S * 11).clone();
        assert_eq!(face.side(Side::Left).left, S * (5400 - 10));
        assert_eq!(face.side(Side::Right).left, S * 5399);
        clock.press(S * 11, Side::Left);
        assert_eq!(
            clock.face(S * 12).running_side(),
            Some(Side::Right),
            "the lever toggles"
        );
        assert_eq!(clock.set_mode_25(S * 12, false), Some(AutoAck::LeftMode));
    }
}
