//! A time control as a type: periods of moves and time, each with an increment.

use std::{fmt, str::FromStr, time::Duration};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use thiserror::Error;

/// One period of a time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Period {
    /// Moves to be made in it; `None` for the rest of the game.
    pub moves: Option<u16>,
    /// The time added when it begins.
    pub base: Duration,
    /// Added with every move (Fischer).
    pub increment: Duration,
}

/// A time control: one or more [`Period`]s, the last one for the rest of the game.
///
/// Written as people write it: `90+30` is minutes and seconds; `90/40+30:30+30` is 90 minutes for 40
/// moves and then 30 minutes, with 30 seconds a move throughout. Serialised in that form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TimeControl {
    periods: Vec<Period>,
}

/// Why a text is no time control.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseControlError {
    /// Nothing there.
    #[error("a time control is missing, e.g. 90+30")]
    Empty,
    /// A number is missing or no number.
    #[error("{0:?} is not a number of {1}")]
    Number(String, &'static str),
    /// A period without moves stands before the last.
    #[error("period {0} has no number of moves, but another period follows it")]
    Moves(usize),
    /// The last period has a number of moves.
    #[error("the last period must be for the rest of the game, not for a number of moves")]
    Last,
    /// There is no time in it at all.
    #[error("a player needs some time: base and increment are both zero")]
    NoTime,
    /// A period or an increment is longer than any game over the board.
    #[error("period {0} is too long: at most 24 hours, and 1 hour a move")]
    TooLong(usize),
}

/// The longest base time of a period.
const BASE_MAX: Duration = Duration::from_hours(24);
/// The longest increment.
const INCREMENT_MAX: Duration = Duration::from_hours(1);

impl TimeControl {
    /// A control of these periods.
    ///
    /// # Errors
    /// A period other than the last has no number of moves, the last one has, there is no time, or
    /// more than any game over the board takes.
    pub fn new(periods: Vec<Period>) -> Result<Self, ParseControlError> {
        let (last, before) = periods.split_last().ok_or(ParseControlError::Empty)?;
        if let Some(open) = before.iter().position(|period| period.moves.is_none()) {
            return Err(ParseControlError::Moves(open + 1));
        }
        if last.moves.is_some() {
            return Err(ParseControlError::Last);
        }
        if periods[0].base.is_zero() && periods[0].increment.is_zero() {
            return Err(ParseControlError::NoTime);
        }
        let long = |period: &Period| period.base > BASE_MAX || period.increment > INCREMENT_MAX;
        if let Some(at) = periods.iter().position(long) {
            return Err(ParseControlError::TooLong(at + 1));
        }
        Ok(Self { periods })
    }

    /// One period for the whole game.
    pub fn fischer(base: Duration, increment: Duration) -> Self {
        Self {
            periods: vec![Period {
                moves: None,
                base,
                increment,
            }],
        }
    }

    /// The periods, in order.
    pub fn periods(&self) -> &[Period] {
        &self.periods
    }

    /// The time on the clock before the first move. Most clocks show the first increment only once the
    /// game runs.
    pub fn initial(&self) -> Duration {
        self.periods[0].base
    }

    /// The largest increment of any period.
    pub fn largest_increment(&self) -> Duration {
        self.periods
            .iter()
            .map(|period| period.increment)
            .max()
            .unwrap_or_default()
    }

    /// Time added at the beginnings of later periods, the largest.
    pub fn largest_bonus(&self) -> Duration {
        self.periods[1..]
            .iter()
            .map(|period| period.base)
            .max()
            .unwrap_or_default()
    }

    /// Base time and 60 increments are ten minutes or less: blitz in the laws.
    pub fn is_blitz(&self) -> bool {
        let total: Duration = self
            .periods
            .iter()
            .map(|period| period.base)
            .sum::<Duration>()
            + self.largest_increment() * 60;
        total <= Duration::from_mins(10)
    }

    /// The value of the PGN tag TimeControl: `5400+30`, `40/5400+30:1800+30`.
    pub fn to_pgn(&self) -> String {
        let periods: Vec<_> = self
            .periods
            .iter()
            .map(|period| {
                let moves = period
                    .moves
                    .map(|moves| format!("{moves}/"))
                    .unwrap_or_default();
                let plus = match period.increment.as_secs() {
                    0 => String::new(),
                    seconds => format!("+{seconds}"),
                };
                format!("{moves}{}{plus}", period.base.as_secs())
            })
            .collect();
        periods.join(":")
    }
}

/// Minutes, with a fraction where the seconds need one.
fn minutes(time: Duration) -> String {
    let (whole, rest) = (time.as_secs() / 60, time.as_secs() % 60);
    if rest == 0 {
        whole.to_string()
    } else {
        format!("{whole}m{rest}s")
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, period) in self.periods.iter().enumerate() {
            if index > 0 {
                f.write_str(":")?;
            }
            f.write_str(&minutes(period.base))?;
            if let Some(moves) = period.moves {
                write!(f, "/{moves}")?;
            }
            if index == 0 || !period.increment.is_zero() || !self.periods[0].increment.is_zero() {
                write!(f, "+{}", period.increment.as_secs())?;
            }
        }
        Ok(())
    }
}

impl FromStr for TimeControl {
    type Err = ParseControlError;

    /// Reads `90+30`, `5`, `70 + 30`, `70 min + 30 s/move`, `90/40+30:30+30`, `4m30s+2`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text: String = text.split_whitespace().collect();
        let text = without_units(&text);
        if text.is_empty() {
            return Err(ParseControlError::Empty);
        }
        let periods = text
            .split(':')
            .map(parse_period)
            .collect::<Result<Vec<_>, _>>()?;
        Self::new(periods)
    }
}

/// Leaves out the units behind a number; a word that only contains one stays as it was written.
fn without_units(text: &str) -> String {
    let mut rest = text;
    let mut plain = String::with_capacity(text.len());
    while let Some(first) = rest.chars().next() {
        let unit = ["minutes", "minute", "min", "s/move"]
            .into_iter()
            .find(|unit| rest.starts_with(unit))
            .filter(|_| plain.ends_with(|c: char| c.is_ascii_digit()));
        rest = &rest[unit.map_or(first.len_utf8(), str::len)..];
        if unit.is_none() {
            plain.push(first);
        }
    }
    plain
}

fn parse_period(text: &str) -> Result<Period, ParseControlError> {
    let (main, increment) = match text.split_once('+') {
        Some((main, increment)) => (
            main,
            number(increment.trim_end_matches(['s', '"']), "seconds")?,
        ),
        None => (text, 0),
    };
    let (base, moves) = match main.split_once('/') {
        Some((base, moves)) => {
            let count = number(moves, "moves")?;
            let count = u16::try_from(count).ok().filter(|&count| count > 0);
            let count = count.ok_or_else(|| ParseControlError::Number(moves.into(), "moves"))?;
            (base, Some(count))
        }
        None => (main, None),
    };
    let seconds = match base.split_once('m') {
        Some((whole, rest)) => {
            number(whole, "minutes")? * 60
                + match rest.trim_end_matches('s') {
                    "" => 0,
                    rest => number(rest, "seconds")?,
                }
        }
        None => number(base.trim_end_matches('\''), "minutes")? * 60,
    };
    Ok(Period {
        moves,
        base: Duration::from_secs(seconds),
        increment: Duration::from_secs(increment),
    })
}

/// A number small enough for any clock.
fn number(text: &str, unit: &'static str) -> Result<u64, ParseControlError> {
    let value = text.parse::<u64>().ok().filter(|&value| value <= 100_000);
    value.ok_or_else(|| ParseControlError::Number(text.to_owned(), unit))
}

impl Serialize for TimeControl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TimeControl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R-CK-7: the controls of the rule books, and one with periods.
    #[test]
    fn controls_are_read_and_written() {
        let cases = [
            ("70 min + 30 s/move", "70+30", "4200+30"),
            ("5 minutes", "5+0", "300"),
            ("70 + 30", "70+30", "4200+30"),
            ("45+15", "45+15", "2700+15"),
            ("5", "5+0", "300"),
            ("90/40+30:30+30", "90/40+30:30+30", "40/5400+30:1800+30"),
            (
                "120/40:60/20:15+30",
                "120/40+0:60/20:15+30",
                "40/7200:20/3600:900+30",
            ),
            ("4m30s+2", "4m30s+2", "270+2"),
        ];
        for (text, shown, pgn) in cases {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(
                (control.to_string().as_str(), control.to_pgn().as_str()),
                (shown, pgn)
            );
            assert_eq!(
                control.to_string().parse::<TimeControl>().unwrap(),
                control,
                "{text}"
            );
        }
    }

    #[test]
    fn errors_name_what_is_wrong() {
        let error = |text: &str| text.parse::<TimeControl>().unwrap_err();
        assert_eq!(error(""), ParseControlError::Empty);
        assert_eq!(
            error("90+x"),
            ParseControlError::Number("x".into(), "seconds")
        );
        assert_eq!(
            error("ten"),
            ParseControlError::Number("ten".into(), "minutes")
        );
        assert_eq!(
            error("five min"),
            ParseControlError::Number("five".into(), "minutes")
        );
        assert_eq!(
            error("90/0+30:30"),
            ParseControlError::Number("0".into(), "moves")
        );
        assert_eq!(error("90:30"), ParseControlError::Moves(1));
        assert_eq!(error("90/40"), ParseControlError::Last);
        assert_eq!(error("0"), ParseControlError::NoTime);
        assert_eq!(error("1441+0"), ParseControlError::TooLong(1));
        assert_eq!(error("90/40+30:30+3601"), ParseControlError::TooLong(2));
    }

    #[test]
    fn blitz_is_ten_minutes_in_all() {
        let is_blitz = |text: &str| text.parse::<TimeControl>().unwrap().is_blitz();
        assert!(is_blitz("3+2") && is_blitz("10") && !is_blitz("10+5") && !is_blitz("15+10"));
    }
}
