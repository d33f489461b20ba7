//! How long a player thought, by his clock.

use std::time::Duration;

use super::control::SideControl;

/// Whole seconds on the display and the lag of the wire.
const NEAR: Duration = Duration::from_millis(1500);
/// How much nearer than the next best reading the right one must be.
const MARGIN: Duration = Duration::from_secs(1);

/// The time that went by on a player's clock in one turn: `before` is what it showed when his turn began,
/// `after` what it showed behind his press, `measured` how long the turn took by the hub.
///
/// An increment and the time of a new period may be in either reading or in neither, so the measured time
/// must tell the readings apart. `None` when it does not, or when no reading fits it: what the clock does
/// not prove is not worked out (quirk 51).
#[must_use]
pub fn spent(
    control: &SideControl,
    before: Duration,
    after: Duration,
    measured: Duration,
) -> Option<Duration> {
    let mut readings: Vec<(Duration, Duration)> = added(control)
        .into_iter()
        .filter_map(|added| (before + added).checked_sub(after))
        .map(|spent| (spent.abs_diff(measured), spent))
        .collect();
    readings.sort_unstable();
    readings.dedup();
    let (off, best) = *readings.first()?;
    let alone = readings
        .get(1)
        .is_none_or(|(other, _)| *other >= off + MARGIN);
    (off <= NEAR && alone).then_some(best)
}

/// What was used of a time between two readings in which it ought to have been at rest, at the least: a
/// second when the display was late, more when the press was heard late. `None` when play does not lead
/// from one to the other.
#[must_use]
pub fn used_at_rest(control: &SideControl, before: Duration, after: Duration) -> Option<Duration> {
    let used = added(control).into_iter();
    used.filter_map(|added| (before + added).checked_sub(after))
        .min()
}

/// What play may add between two readings.
fn added(control: &SideControl) -> Vec<Duration> {
    let mut added = vec![Duration::ZERO];
    for period in control.periods() {
        let increment = period.increment();
        added.extend([increment, increment * 2]);
    }
    for period in &control.periods()[1..] {
        let with: Vec<Duration> = added.iter().map(|time| *time + period.base).collect();
        added.extend(with);
    }
    added
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{clock::TimeControl, types::Color};

    fn seconds(control: &str, before: u64, after: u64, measured_ms: u64) -> Option<u64> {
        let control: TimeControl = control.parse().unwrap();
        let measured = Duration::from_millis(measured_ms);
        spent(
            control.of(Color::White),
            Duration::from_secs(before),
            Duration::from_secs(after),
            measured,
        )
        .map(|spent| spent.as_secs())
    }

    #[test]
    fn the_measured_time_tells_where_the_increment_is() {
        // In the reading behind the press, not there yet, and missing in the one before as well.
        assert_eq!(seconds("90+30", 5400, 5415, 15_400), Some(15));
        assert_eq!(seconds("90+30", 5400, 5385, 15_400), Some(15));
        assert_eq!(seconds("90+30", 5400, 5445, 15_400), Some(15));
        assert_eq!(seconds("5", 300, 285, 15_400), Some(15));
        // Half an hour more with the fortieth move.
        assert_eq!(seconds("90/40+30:30+30", 100, 1900, 30_200), Some(30));
    }

    #[test]
    fn a_time_at_rest_is_used_by_nobody() {
        let control: TimeControl = "90+30".parse().unwrap();
        let control = control.of(Color::White);
        let used = |before, after| {
            used_at_rest(
                control,
                Duration::from_secs(before),
                Duration::from_secs(after),
            )
            .map(|used| used.as_secs())
        };
        assert_eq!(used(100, 100), Some(0));
        assert_eq!(used(100, 130), Some(0), "the increment came late");
        assert_eq!(used(100, 129), Some(1));
        assert_eq!(used(100, 98), Some(2));
        assert_eq!(used(100, 400), None);
    }

    #[test]
    fn what_does_not_fit_or_fits_twice_is_not_known() {
        // Nothing that play adds explains two minutes.
        assert_eq!(seconds("90+30", 5400, 5520, 15_400), None);
        // One second of increment is within what the display and the wire are late.
        assert_eq!(seconds("3+1", 180, 171, 9_500), None);
        assert_eq!(seconds("3+2", 180, 172, 10_100), Some(10));
        // The clock was not pressed when the hub heard of it.
        assert_eq!(seconds("90+30", 5400, 5415, 40_000), None);
    }
}
