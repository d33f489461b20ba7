//! One moment of the clock, and what it looks like on the wire.

use std::time::Duration;

/// The clock's own sides, seen from its front.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// Left of the front.
    Left,
    /// Right of the front.
    Right,
}

impl Side {
    /// The opponent's side.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// A flag on the display.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Flag {
    /// Not fallen.
    #[default]
    None,
    /// Fallen and shown; the clock runs on, in the next period or at zero.
    Shown,
    /// Fallen in the last period, and the whole clock is frozen.
    Blocked,
}

/// One player's half of the clock.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SideState {
    /// Time left, exactly.
    pub left: Duration,
    /// Counts up instead of down (set by a remote command).
    pub counts_up: bool,
    /// Nothing left and no further period.
    pub spent: bool,
    /// The flag.
    pub flag: Flag,
    /// Index of the period.
    pub period: usize,
    /// Moves completed by a press.
    pub moves: u32,
    /// Time used in this turn.
    pub used: Duration,
    /// What is left of the delay before the time runs.
    pub delay: Duration,
}

/// The clock at one instant; between two touches every later instant follows from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClockFace {
    as_of: Duration,
    left: SideState,
    right: SideState,
    high: Side,
    running: bool,
}

/// The seven data bytes of a time message, by meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WireTime {
    /// Right hours byte (hours 0–9 and flag bits), minutes, seconds in BCD.
    pub right: u8,
    /// Minutes and seconds of the right side, BCD.
    pub right_ms: [u8; 2],
    /// Left hours byte.
    pub left: u8,
    /// Minutes and seconds of the left side, BCD.
    pub left_ms: [u8; 2],
    /// Running, lever, battery, turn, no clock.
    pub status: u8,
}

impl WireTime {
    /// What a board says of the clock when none is plugged in.
    pub const NO_CLOCK: Self = Self {
        right: 0,
        right_ms: [0; 2],
        left: 0,
        left_ms: [0; 2],
        status: 0x20,
    };

    /// The data bytes in their order on the wire: right side first.
    pub fn bytes(self) -> [u8; 7] {
        let [rm, rs] = self.right_ms;
        let [lm, ls] = self.left_ms;
        [self.right, rm, rs, self.left, lm, ls, self.status]
    }
}

impl ClockFace {
    /// A stopped clock with these times.
    pub(super) fn set(now: Duration, left: Duration, right: Duration, high: Side) -> Self {
        Self {
            as_of: now,
            left: SideState {
                left,
                ..SideState::default()
            },
            right: SideState {
                left: right,
                ..SideState::default()
            },
            high,
            running: false,
        }
    }

    /// The same clock at another instant, if nobody touches it in between.
    ///
    /// Never past zero: what happens there is the control's affair.
    #[must_use]
    pub fn at(&self, now: Duration) -> Self {
        let mut face = self.clone();
        let passed = now.saturating_sub(self.as_of);
        face.as_of = self.as_of.max(now);
        if self.running {
            let high = face.high;
            let state = face.side_mut(high);
            state.left = if state.counts_up {
                (state.left + passed).min(super::MAX_TIME)
            } else {
                let waited = passed.min(state.delay);
                state.delay -= waited;
                state.left.saturating_sub(passed.saturating_sub(waited))
            };
            state.used += passed;
        }
        face
    }

    /// One half of the clock.
    pub fn side(&self, side: Side) -> &SideState {
        match side {
            Side::Left => &self.left,
            Side::Right => &self.right,
        }
    }

    pub(super) fn side_mut(&mut self, side: Side) -> &mut SideState {
        match side {
            Side::Left => &mut self.left,
            Side::Right => &mut self.right,
        }
    }

    /// The side whose lever stands high: its time runs when the clock runs.
    pub fn high(&self) -> Side {
        self.high
    }

    pub(super) fn set_high(&mut self, side: Side) {
        self.high = side;
        if self.side(side).flag == Flag::Blocked {
            self.running = false;
        }
    }

    /// The side whose time runs.
    pub fn running_side(&self) -> Option<Side> {
        self.running.then_some(self.high)
    }

    pub(super) fn run(&mut self) {
        self.running = self.side(self.high).flag != Flag::Blocked;
    }

    pub(super) fn stop(&mut self) {
        self.running = false;
    }

    /// When the running side reaches zero.
    pub(super) fn zero_at(&self) -> Option<Duration> {
        let state = self.side(self.high);
        (self.running && !state.counts_up && !state.spent)
            .then(|| self.as_of + state.delay + state.left)
    }

    /// The instant after this one at which the shown seconds next change by counting.
    pub fn next_tick(&self) -> Option<Duration> {
        if !self.running {
            return None;
        }
        let state = self.side(self.high);
        let part = Duration::from_nanos(u64::from(state.left.subsec_nanos()));
        let second = Duration::from_secs(1);
        if state.counts_up {
            return Some(self.as_of + second.saturating_sub(part));
        }
        if state.left.is_zero() {
            return None;
        }
        // Rounded up, the display changes when the fraction is used up.
        let wait = if part.is_zero() { second } else { part };
        Some(self.as_of + state.delay + wait.min(state.left))
    }

    /// The time message of this moment.
    pub fn wire(&self, battery_low: bool) -> WireTime {
        let (left, left_ms) = shown(&self.left);
        let (right, right_ms) = shown(&self.right);
        let turn = match self.high {
            Side::Left => 0x10,
            Side::Right => 0x0a,
        };
        let status = u8::from(self.running) | turn | (u8::from(battery_low) << 2);
        WireTime {
            right,
            right_ms,
            left,
            left_ms,
            status,
        }
    }
}

fn shown(state: &SideState) -> (u8, [u8; 2]) {
    let up = u64::from(state.left.subsec_nanos() > 0 && !state.counts_up);
    let seconds = (state.left.as_secs() + up).min(super::MAX_TIME.as_secs());
    let flag = match state.flag {
        Flag::None => 0,
        Flag::Shown => 0x40,
        Flag::Blocked => 0x50,
    };
    (
        flag | (seconds / 3600) as u8,
        [bcd(seconds / 60 % 60), bcd(seconds % 60)],
    )
}

fn bcd(value: u64) -> u8 {
    (value / 10 * 16 + value % 10) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn right_comes_first_and_seconds_round_up() {
        let mut face = ClockFace::set(
            Duration::ZERO,
            Duration::from_secs(5397),
            Duration::from_millis(4_328_100),
            Side::Right,
        );
        face.run();
        let wire = face.at(Duration::from_millis(10)).wire(false);
        assert_eq!(wire.bytes(), [0x01, 0x12, 0x09, 0x01, 0x29, 0x57, 0x0b]);
    }

    #[test]
    fn ticks_fall_where_the_shown_second_changes() {
        let mut face = ClockFace::set(
            Duration::from_secs(7),
            Duration::from_millis(2300),
            Duration::from_secs(9),
            Side::Left,
        );
        face.run();
        let mut at = Duration::from_secs(7);
        let mut seen = Vec::new();
        while let Some(next) = face.at(at).next_tick() {
            seen.push((next.as_millis(), face.at(next).wire(false).left_ms[1]));
            at = next;
        }
        assert_eq!(seen, [(7300, 2), (8300, 1), (9300, 0)]);
    }
}
