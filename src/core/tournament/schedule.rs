//! When the rounds start, and what a local time of day means.

use std::time::Duration;

use jiff::{
    Timestamp,
    civil::DateTime,
    fmt::temporal::DateTimeParser,
    tz::{AmbiguousOffset, Offset, TimeZone},
};
use serde::{Deserialize, Serialize};

use crate::types::{RoundNo, millis};

/// When each round starts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// The zone for showing times, e.g. `Europe/Kyiv`; empty = UTC.
    pub zone: String,
    /// The start of round 1, 2, …; a round beyond the list starts like [`Schedule::otherwise`].
    pub rounds: Vec<RoundStart>,
    /// What holds for the rounds that are not listed.
    pub otherwise: RoundStart,
}

/// When a round starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum RoundStart {
    /// When the arbiter says so.
    #[default]
    ByHand,
    /// At a planned instant.
    At {
        /// The instant.
        at: Timestamp,
    },
    /// So long after the previous round has closed.
    AfterPrevious {
        /// How long.
        #[serde(with = "millis", rename = "pause_ms")]
        pause: Duration,
    },
}

impl Schedule {
    /// What is planned for a round.
    pub fn planned(&self, round: RoundNo) -> RoundStart {
        usize::from(round.0)
            .checked_sub(1)
            .and_then(|at| self.rounds.get(at))
            .copied()
            .unwrap_or(self.otherwise)
    }

    /// The start of a round, as far as it is known: a pause needs to know when the round before
    /// closed.
    pub fn start(&self, round: RoundNo, previous_closed: Option<Timestamp>) -> Option<Timestamp> {
        match self.planned(round) {
            RoundStart::ByHand => None,
            RoundStart::At { at } => Some(at),
            RoundStart::AfterPrevious { pause } => previous_closed?.checked_add(pause).ok(),
        }
    }
}

/// Why a text is not one instant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LocalTimeError {
    /// Not a date with a time.
    #[error("\"{0}\" is not a date with a time; write it like 2026-12-05T10:00")]
    NotATime(String),
    /// The clocks go back over it.
    #[error(
        "{text} comes twice in {zone}, because the clocks go back: \
         write {first} or {second}"
    )]
    Ambiguous {
        /// The text.
        text: String,
        /// The zone.
        zone: String,
        /// The earlier reading, with its offset.
        first: String,
        /// The later reading, with its offset.
        second: String,
    },
    /// The clocks go forward over it.
    #[error(
        "{text} does not exist in {zone}, because the clocks go forward: \
         write {first} or {second}"
    )]
    Skipped {
        /// The text.
        text: String,
        /// The zone.
        zone: String,
        /// By the clock before the change it would be this.
        first: String,
        /// By the clock after the change it would be this.
        second: String,
    },
}

/// The instant of a local time such as `2026-12-05T10:00`. A time with its own offset
/// (`2026-10-25T03:30+03:00`) or `Z` needs no zone.
///
/// # Errors
/// A local time that the clocks pass twice or leave out is refused with both readings named.
pub fn local_instant(text: &str, zone: &TimeZone) -> Result<Timestamp, LocalTimeError> {
    static PARSER: DateTimeParser = DateTimeParser::new();
    let text = text.trim();
    let not_a_time = || LocalTimeError::NotATime(text.to_owned());
    if let Ok(instant) = PARSER.parse_timestamp(text) {
        return Ok(instant);
    }
    // A date alone would be read as midnight.
    if !text.contains(':') {
        return Err(not_a_time());
    }
    let local: DateTime = PARSER.parse_datetime(text).map_err(|_| not_a_time())?;
    let ambiguous = zone.to_ambiguous_timestamp(local);
    let (before, after) = match ambiguous.offset() {
        AmbiguousOffset::Unambiguous { .. } => {
            return ambiguous.unambiguous().map_err(|_| not_a_time());
        }
        AmbiguousOffset::Fold { before, after } | AmbiguousOffset::Gap { before, after } => {
            (before, after)
        }
    };
    let reading = |offset: Offset| {
        let instant = offset.to_timestamp(local).map_err(|_| not_a_time())?;
        let offset = zone.to_offset(instant);
        Ok(written(offset.to_datetime(instant), offset))
    };
    let (first, second) = (reading(before)?, reading(after)?);
    let text = text.to_owned();
    let zone = zone.iana_name().unwrap_or("the zone").to_owned();
    Err(match ambiguous.offset() {
        AmbiguousOffset::Gap { .. } => LocalTimeError::Skipped {
            text,
            zone,
            first,
            second,
        },
        AmbiguousOffset::Fold { .. } | AmbiguousOffset::Unambiguous { .. } => {
            LocalTimeError::Ambiguous {
                text,
                zone,
                first,
                second,
            }
        }
    })
}

/// With its offset, to the minute.
fn written(local: DateTime, offset: Offset) -> String {
    let minutes = offset.seconds() / 60;
    let sign = if minutes < 0 { '-' } else { '+' };
    let (hours, minutes) = (minutes.abs() / 60, minutes.abs() % 60);
    format!(
        "{}{sign}{hours:02}:{minutes:02}",
        local.strftime("%Y-%m-%dT%H:%M")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kyiv by the rule of the European Union, so that the test needs no zone files.
    fn kyiv() -> TimeZone {
        TimeZone::posix("EET-2EEST,M3.5.0/3,M10.5.0/4").unwrap()
    }

    #[test]
    fn a_plain_local_time() {
        let instant = local_instant("2026-12-05T10:00", &kyiv()).unwrap();
        assert_eq!(instant.to_string(), "2026-12-05T08:00:00Z");
        assert_eq!(
            local_instant("2026-12-05 10:00:00", &kyiv()).unwrap(),
            instant
        );
        assert_eq!(
            local_instant("2026-12-05T10:00+02:00", &TimeZone::UTC).unwrap(),
            instant
        );
        assert_eq!(
            local_instant("2026-12-05T08:00Z", &kyiv()).unwrap(),
            instant
        );
    }

    #[test]
    fn the_hour_that_comes_twice_is_refused_with_both_readings() {
        let error = local_instant("2026-10-25T03:30", &kyiv()).unwrap_err();
        assert!(
            matches!(&error, LocalTimeError::Ambiguous { first, second, .. }
            if first == "2026-10-25T03:30+03:00" && second == "2026-10-25T03:30+02:00"),
            "{error}"
        );
        // Each reading is accepted as written.
        let first = local_instant("2026-10-25T03:30+03:00", &kyiv()).unwrap();
        let second = local_instant("2026-10-25T03:30+02:00", &kyiv()).unwrap();
        assert_eq!(second.duration_since(first).as_secs(), 3600);
    }

    #[test]
    fn the_hour_that_is_left_out_is_refused() {
        let error = local_instant("2027-03-28T03:30", &kyiv()).unwrap_err();
        assert!(
            matches!(&error, LocalTimeError::Skipped { first, second, .. }
            if first == "2027-03-28T04:30+03:00" && second == "2027-03-28T02:30+02:00"),
            "{error}"
        );
    }

    #[test]
    fn what_is_no_time() {
        for bad in [
            "",
            "10:00",
            "2026-12-05",
            "tomorrow",
            "2026-13-05T10:00",
            "2026-12-05T25:00",
        ] {
            assert_eq!(
                local_instant(bad, &kyiv()),
                Err(LocalTimeError::NotATime(bad.to_owned())),
                "{bad}"
            );
        }
    }

    #[test]
    fn rounds_by_plan_by_pause_and_by_hand() {
        let at: Timestamp = "2026-12-05T08:00:00Z".parse().unwrap();
        let closed: Timestamp = "2026-12-05T10:10:00Z".parse().unwrap();
        let pause = Duration::from_mins(15);
        let mut schedule = Schedule {
            zone: "Europe/Kyiv".into(),
            rounds: vec![RoundStart::At { at }],
            otherwise: RoundStart::AfterPrevious { pause },
        };
        assert_eq!(schedule.start(RoundNo(1), None), Some(at));
        assert_eq!(schedule.start(RoundNo(2), None), None);
        let second = schedule.start(RoundNo(2), Some(closed)).unwrap();
        assert_eq!(second.to_string(), "2026-12-05T10:25:00Z");
        schedule.otherwise = RoundStart::ByHand;
        assert_eq!(schedule.start(RoundNo(2), Some(closed)), None);
        assert_eq!(schedule.planned(RoundNo(0)), RoundStart::ByHand);
    }
}
