//! The clock's own time on the hub's time line.

use std::time::Duration;

use crate::types::Mono;

/// The smallest difference is looked for anew after this, because quartzes drift.
const WINDOW: Duration = Duration::from_mins(2);

/// Maps the clock's milliseconds to the hub's: by the smallest difference seen, which had the least delay.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DeviceTime {
    /// The newest, unwrapped.
    newest: Option<i64>,
    best: i64,
    since: Mono,
    before: Option<i64>,
}

impl DeviceTime {
    /// A message that was made at `device_ms` came now.
    pub(super) fn hear(&mut self, now: Mono, device_ms: u32) {
        let device = self.unwrap(device_ms);
        let difference = millis(now) - device;
        if self.newest.is_none() {
            self.best = difference;
            self.since = now;
        }
        self.newest = self.newest.max(Some(device));
        if now.since(self.since) > WINDOW {
            self.before = Some(self.best);
            self.best = difference;
            self.since = now;
        }
        self.best = self.best.min(difference);
    }

    /// How far `device_ms` lies behind the newest time; zero when it does not.
    pub(super) fn behind(&self, device_ms: u32) -> Duration {
        let newest = self.newest.unwrap_or_default();
        let behind = newest - self.unwrap(device_ms);
        Duration::from_millis(u64::try_from(behind).unwrap_or(0))
    }

    /// When that was; `None` before anything was heard.
    pub(super) fn at(&self, device_ms: u32) -> Option<Mono> {
        self.newest?;
        let best = self
            .before
            .map_or(self.best, |before| before.min(self.best));
        let at = self.unwrap(device_ms) + best;
        Some(Mono::from_millis(u64::try_from(at).unwrap_or(0)))
    }

    /// Near the newest time: the counter wraps after 49 days.
    fn unwrap(&self, device_ms: u32) -> i64 {
        match self.newest {
            None => i64::from(device_ms),
            Some(newest) => {
                let step = device_ms.wrapping_sub(newest as u32).cast_signed();
                newest + i64::from(step)
            }
        }
    }
}

fn millis(now: Mono) -> i64 {
    i64::try_from(now.0.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quickest_message_tells_the_difference() {
        let mut time = DeviceTime::default();
        for (now, device) in [(10_300, 300), (11_020, 1000), (12_250, 2000)] {
            time.hear(Mono::from_millis(now), device);
        }
        assert_eq!(time.at(500), Some(Mono::from_millis(10_500)));
        assert_eq!(time.behind(1500), Duration::from_millis(500));
        assert_eq!(time.behind(2500), Duration::ZERO);
    }

    #[test]
    fn the_counter_wraps() {
        let mut time = DeviceTime::default();
        time.hear(Mono::from_millis(5000), u32::MAX - 99);
        time.hear(Mono::from_millis(5200), 100);
        assert_eq!(time.at(400), Some(Mono::from_millis(5500)));
        assert_eq!(time.at(u32::MAX), Some(Mono::from_millis(5099)));
    }
}
