//! Flags, and which fell first (R-CK-1).

use std::time::Duration;

use shakmaty::{ByColor, Color};

use super::ClockModel;
use crate::{
    clock::{ClockEvent, FlagOrder, OrderUnknown},
    protocol::ClockReading,
    types::Mono,
};

/// Two readings of zero this far apart are a fallen flag even without the flag's sign.
const ZERO_STANDS: Duration = Duration::from_millis(900);
/// A display with whole seconds reaches the hub up to this late.
const LATE: Duration = Duration::from_secs(1);

impl ClockModel {
    /// A flag needs its sign, or zero twice; one zero alone is noise. `unseen`: readings before this one
    /// were missed, and why.
    pub(super) fn watch_flags(
        &mut self,
        now: Mono,
        reading: &ClockReading,
        follows: bool,
        unseen: Option<OrderUnknown>,
    ) {
        let mut fallen = ByColor {
            white: false,
            black: false,
        };
        for side in Color::ALL {
            let face = self.face(reading, side);
            let zero = face.time.is_zero() && self.started;
            let since = self.zero_since.get_mut(side);
            *since = if zero {
                Some(since.unwrap_or(now))
            } else {
                None
            };
            let stands = since.is_some_and(|since| now.since(since) >= ZERO_STANDS);
            let of_period = self.sign_of_period.get_mut(side);
            *of_period &= face.flag_shown || face.flag_blocked;
            let shown = face.flag_shown && !*of_period;
            *fallen.get_mut(side) = face.flag_blocked || shown || stands;
        }
        let before = self.flags;
        let at_once = fallen.white && fallen.black && !before.white && !before.black;
        for side in Color::ALL {
            let (was, is) = (*before.get(side), *fallen.get(side));
            if is && !was {
                let order = if at_once {
                    FlagOrder::Unknown
                } else if *before.get(side.other()) {
                    FlagOrder::Second
                } else {
                    FlagOrder::First
                };
                let unknown = at_once.then_some(unseen.unwrap_or(OrderUnknown::BetweenReadings));
                self.tell_flag(now, reading, side, order, unknown);
            }
            // The sign goes only when the clock is set again or a period begins, not by a stray message.
            let face = self.face(reading, side);
            let set_again = was && !is && !face.time.is_zero() && follows;
            *self.flags.get_mut(side) = is || (was && !set_again);
        }
    }

    fn tell_flag(
        &mut self,
        now: Mono,
        reading: &ClockReading,
        side: Color,
        order: FlagOrder,
        unknown: Option<OrderUnknown>,
    ) {
        let times = self.times(reading);
        let heard = self.last.map_or(Duration::ZERO, |last| now.since(last.at));
        let stood = self.zero_since.get(side).map(|since| now.since(since));
        let within = heard.max(stood.unwrap_or_default()) + LATE;
        self.events.push_back(ClockEvent::Flag {
            side,
            order,
            unknown,
            within,
            times,
        });
    }

    /// The flag of a side that passed a control without showing it.
    pub(super) fn tell_passing(&mut self, now: Mono, side: Color, reading: &ClockReading) {
        let order = if *self.flags.get(side.other()) {
            FlagOrder::Second
        } else {
            FlagOrder::First
        };
        self.tell_flag(now, reading, side, order, None);
    }
}
