//! The hands of a mechanical clock: set so that the first control falls at six o'clock (R-CD-7).

use std::time::Duration;

use super::control::SideControl;

/// Where the hands stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hands {
    /// 0 to 11; 0 is twelve.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// 0 to 59: a setter sees it as a part of the minute.
    pub second: u8,
}

/// Seconds around the dial.
const DIAL: u64 = 12 * 3600;
const SIX: u64 = 6 * 3600;

impl Hands {
    fn at(seconds: u64) -> Self {
        let seconds = seconds % DIAL;
        Self {
            hour: (seconds / 3600) as u8,
            minute: (seconds / 60 % 60) as u8,
            second: (seconds % 60) as u8,
        }
    }

    /// As people say it: `4:30`, and `4:59:30` where the seconds count.
    pub fn text(self) -> String {
        let hour = if self.hour == 0 { 12 } else { self.hour };
        if self.second == 0 {
            format!("{hour}:{:02}", self.minute)
        } else {
            format!("{hour}:{:02}:{:02}", self.minute, self.second)
        }
    }

    /// The angle of the hour hand from twelve, clockwise, in turns.
    pub fn hour_turn(self) -> f32 {
        let seconds =
            u32::from(self.hour) * 3600 + u32::from(self.minute) * 60 + u32::from(self.second);
        seconds as f32 / DIAL as f32
    }

    /// The angle of the minute hand from twelve, clockwise, in turns.
    pub fn minute_turn(self) -> f32 {
        (f32::from(self.minute) * 60.0 + f32::from(self.second)) / 3600.0
    }
}

/// One control on a mechanical clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandControl {
    /// Moves to be made in it; `None` for the rest of the game.
    pub moves: Option<u16>,
    /// Its time.
    pub base: Duration,
    /// Where the hands stand when it begins, if nothing was saved.
    pub from: Hands,
    /// Where they stand when its flag falls.
    pub falls: Hands,
    /// The dial goes round at least once: the arbiter counts the times that six o'clock is passed.
    pub laps: bool,
}

/// The controls of one side: the first one falls at six o'clock, and the clock goes on from there. What a
/// move adds no mechanical clock can give.
pub fn hand_controls(side: &SideControl) -> Vec<HandControl> {
    let mut at = None;
    (side.periods().iter())
        .map(|period| {
            let base = period.base.as_secs();
            // So many turns that the hands never start behind zero.
            let from = at.unwrap_or(SIX + DIAL - base % DIAL);
            let falls = from + base;
            at = Some(falls);
            HandControl {
                moves: period.moves,
                base: period.base,
                from: Hands::at(from),
                falls: Hands::at(falls),
                laps: base >= DIAL,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::*;
    use crate::clock::TimeControl;

    fn texts(control: &str) -> Vec<(String, String)> {
        let control: TimeControl = control.parse().unwrap();
        hand_controls(control.of(Color::White))
            .iter()
            .map(|it| (it.from.text(), it.falls.text()))
            .collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        let owned = |(a, b): &(&str, &str)| ((*a).to_owned(), (*b).to_owned());
        expected.iter().map(owned).collect()
    }

    #[test]
    fn the_first_control_falls_at_six() {
        assert_eq!(texts("90+0"), pairs(&[("4:30", "6:00")]));
        assert_eq!(texts("5+0"), pairs(&[("5:55", "6:00")]));
        assert_eq!(
            texts("120/40:60"),
            pairs(&[("4:00", "6:00"), ("6:00", "7:00")])
        );
        assert_eq!(
            texts("100/40:50/20:15"),
            pairs(&[("4:20", "6:00"), ("6:00", "6:50"), ("6:50", "7:05")])
        );
    }

    #[test]
    fn long_controls_go_round_the_dial() {
        let hands = |minutes| {
            let side = TimeControl::fischer(Duration::from_mins(minutes), Duration::ZERO);
            hand_controls(side.of(Color::White))[0]
        };
        assert_eq!(hands(6 * 60).from.text(), "12:00");
        assert_eq!(hands(7 * 60).from.text(), "11:00");
        assert!(!hands(11 * 60).laps && hands(12 * 60).laps);
    }

    #[test]
    fn hands_stand_between_the_marks() {
        let hands = Hands {
            hour: 4,
            minute: 30,
            second: 0,
        };
        assert!((hands.hour_turn() - 0.375).abs() < 1e-6);
        assert!((hands.minute_turn() - 0.5).abs() < 1e-6);
    }
}
