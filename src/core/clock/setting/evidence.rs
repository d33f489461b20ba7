//! What presses tell of the method that is set: how much each of them added.
//!
//! From the last reading before a press to the last one before the next, both times together fall by
//! the time that passed and rise by what was added. A display with whole seconds that may be a second
//! late makes each such sum uncertain by up to three seconds; over several moves that does not grow,
//! a wrong setting does. The step of the presser's own time at his press is right to the age of the
//! reading before it.

use shakmaty::Color;

use crate::{
    clock::{PerMove, SideControl, TimeControl},
    types::Mono,
};

/// Seconds are whole on both sides, and readings a second late.
pub(super) const SUM_WRONG_BY: i64 = 3000;
/// A side of a clock may seem to lose or win so much with each turn that is not watched without a
/// break, since the readings of a press and of a second are not equally late.
const BREAK_WRONG_BY: i64 = 1000;
/// What one turn alone may not explain.
const BEYOND_ONE_TURN: i64 = 2000;
/// A step of one side is measured between readings not further apart.
const STEP_AGE_MAX: i64 = 3000;
/// A running time is read each second, and a press within this time of the last reading.
const PRESS_AGE_MAX: i64 = 2000;
/// So much more than at the beginning of a turn is no rounding.
const GAINED: i64 = 2000;
/// Turns of the beginning, in which a press is hardly missed. Later only less than planned counts:
/// two presses between two readings look like a double increment.
const BEGINNING: usize = 12;
/// The turns looked at together.
const WINDOW: usize = 12;

/// One press and the time until the next. All in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// Who pressed.
    pub side: Color,
    /// Which of his moves that completed, from 1.
    pub number: u16,
    /// The reading before it, and the one before the next.
    pub between: (Mono, Mono),
    /// What was added to both times together.
    pub added: i64,
    /// How long that was watched.
    pub watched: i64,
    /// How long he had thought.
    pub thought: i64,
    /// How long the next time has run.
    pub next: i64,
    /// The age of the reading before the press.
    pub age: i64,
    /// The step of his own time; `None` when the increment may not have shown yet.
    pub step: Option<i64>,
    /// What he has now more than when his turn began; `None` when that is not known for certain.
    pub gain: Option<i64>,
    /// The first press of the game: with it a clock may give Black's first increment.
    pub opening: bool,
}

impl Turn {
    /// What is added with these methods for the presser and his opponent.
    fn expected(&self, own: PerMove, opponent: PerMove) -> i64 {
        let stands = match opponent {
            PerMove::Delay(time) => self.next.min(ms(time)),
            _ => 0,
        };
        match own {
            PerMove::Hourglass => self.watched,
            // A clock says nothing while its time stands: the reading before may be from then.
            PerMove::Delay(time) => stands + self.stood(ms(time)),
            own => self.pressed(own) + stands,
        }
    }

    /// How long his own delay stood since the reading before the press.
    fn stood(&self, delay: i64) -> i64 {
        let left = delay - (self.thought - self.age);
        left.clamp(0, self.age.max(0))
    }

    /// Whether it is known when he pressed. With a delay a press whose reading got lost shows only when
    /// the delay of the other side is over.
    fn is_clear(&self, control: &TimeControl) -> bool {
        let method = |side: Color| planned(control.of(side), self.number);
        let stood = match method(self.side) {
            PerMove::Delay(time) => self.stood(ms(time)),
            _ => 0,
        };
        let delays = Color::ALL
            .into_iter()
            .any(|side| matches!(method(side), PerMove::Delay(_)));
        !delays || self.age - stood <= PRESS_AGE_MAX
    }

    /// What the press itself adds.
    fn pressed(&self, own: PerMove) -> i64 {
        match own {
            PerMove::Increment(time) => ms(time),
            PerMove::Bronstein(time) => self.thought.min(ms(time)),
            PerMove::Nothing | PerMove::Delay(_) | PerMove::Hourglass | PerMove::ByoYomi { .. } => {
                0
            }
        }
    }

    /// How much more the step shows than the method explains; zero within what is uncertain.
    fn step_beyond(&self, own: PerMove) -> i64 {
        let age = self.age;
        let Some(step) = self.step.filter(|_| age <= STEP_AGE_MAX) else {
            return 0;
        };
        if own == PerMove::Hourglass {
            return 0;
        }
        let expected = self.pressed(own);
        let thought_late = if matches!(own, PerMove::Bronstein(_)) {
            1000
        } else {
            0
        };
        let (least, most) = (step - 1000 - thought_late, step + age + 2000 + thought_late);
        if expected < least {
            step - expected
        } else if expected > most {
            step + age - expected
        } else {
            0
        }
    }
}

/// The presses since times were last changed by other things than play.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    turns: Vec<Turn>,
    seen: usize,
}

/// What is not as planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub side: Option<Color>,
    pub seen: PerMove,
    pub planned: PerMove,
}

impl Evidence {
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(super) fn push(&mut self, turn: Turn, control: &TimeControl) {
        if !turn.is_clear(control) {
            return;
        }
        if self.turns.len() == WINDOW {
            self.turns.remove(0);
        }
        self.turns.push(turn);
        self.seen += 1;
    }

    pub(super) fn len(&self) -> usize {
        self.seen
    }

    /// Looks at the turns, and one more that may not be over.
    /// `late` in the game a press may be missed, and with it the opponent's.
    pub(super) fn judge(
        &self,
        control: &TimeControl,
        open: Option<Turn>,
        late: bool,
    ) -> Option<Verdict> {
        let open = open.filter(|turn| turn.is_clear(control));
        let turns: Vec<Turn> = self.turns.iter().copied().chain(open).collect();
        let only_less = self.seen > BEGINNING;
        let wrong = |whose: Option<Color>| {
            let of = |turn: &&Turn| whose.is_none_or(|side| turn.side == side);
            let turns: Vec<&Turn> = turns.iter().filter(of).collect();
            // Whatever presses were missed: only an increment makes a time longer than it was.
            if by_gains(&turns, control) {
                return Some(());
            }
            let sign =
                by_steps(&turns, control, late).or_else(|| by_sums(&turns, control, late))?;
            // Who has no increment cannot get less.
            let none = |turn: &&Turn| planned(control.of(turn.side), turn.number).time().is_zero();
            let possible = if sign < 0 {
                !turns.iter().all(none)
            } else {
                !only_less
            };
            possible.then_some(())
        };
        let sides: Vec<Color> = Color::ALL
            .into_iter()
            .filter(|side| wrong(Some(*side)).is_some())
            .collect();
        let side = match sides[..] {
            [side] => Some(side),
            [] => {
                wrong(None)?;
                None
            }
            _ => None,
        };
        let about = side.unwrap_or_else(|| turns.last().map_or(Color::White, |turn| turn.side));
        let number = turns.last().map_or(1, |turn| turn.number);
        let planned = planned(control.of(about), number);
        let side = side.filter(|side| {
            // The other side may only not have shown it yet.
            let other: Vec<&Turn> = turns.iter().filter(|turn| turn.side != *side).collect();
            let behaves = |turn: &&Turn| {
                let beyond = beyond(turn, control, late).abs();
                beyond < SUM_WRONG_BY / 2 && turn.step.is_some()
            };
            other.iter().filter(|turn| behaves(turn)).count() * 2 > other.len()
        });
        let seen = fit(&turns, side, control, planned);
        Some(Verdict {
            side,
            seen,
            planned,
        })
    }
}

fn planned(side: &SideControl, number: u16) -> PerMove {
    side.periods()[side.period_of_move(number)].per_move
}

/// What is left when two presses may have been missed that add so much.
fn or_missed(beyond: i64, missed: i64, late: bool) -> i64 {
    if late && (beyond - missed).abs() < beyond.abs() {
        beyond - missed
    } else {
        beyond
    }
}

/// How much more was added than planned.
fn beyond(turn: &Turn, control: &TimeControl, late: bool) -> i64 {
    let own = planned(control.of(turn.side), turn.number);
    let opponent = planned(control.of(turn.side.other()), turn.number);
    let beyond = turn.added - turn.expected(own, opponent);
    if turn.opening {
        let first = ms(control.of(turn.side.other()).periods()[0].increment());
        return or_missed(beyond, first, true);
    }
    or_missed(beyond, ms(own.time()) + ms(opponent.time()), late)
}

/// A Bronstein delay never adds more than was used. Two turns in which it did, and it is none.
fn by_gains(turns: &[&Turn], control: &TimeControl) -> bool {
    let more = |turn: &&&Turn| {
        let method = planned(control.of(turn.side), turn.number);
        matches!(method, PerMove::Bronstein(_)) && turn.gain.is_some_and(|gain| gain >= GAINED)
    };
    turns.iter().filter(more).count() >= 2
}

/// Two steps that the method cannot make, the same way, and no more that it can. The sign tells
/// whether more or less was added.
fn by_steps(turns: &[&Turn], control: &TimeControl, late: bool) -> Option<i64> {
    let steps: Vec<i64> = turns
        .iter()
        .filter(|turn| turn.step.is_some())
        .map(|turn| {
            let method = planned(control.of(turn.side), turn.number);
            let beyond = or_missed(turn.step_beyond(method), ms(method.time()), late);
            // What is left of a missed press is rounding.
            if beyond.abs() < SUM_WRONG_BY && late {
                0
            } else {
                beyond
            }
        })
        .collect();
    [1, -1].into_iter().find(|sign| {
        let wrong = steps.iter().filter(|step| step.signum() == *sign).count();
        wrong >= 2 && 2 * wrong > steps.len()
    })
}

/// A sum that is wrong by more than readings can be, and not by one turn alone.
fn by_sums(turns: &[&Turn], control: &TimeControl, late: bool) -> Option<i64> {
    let by_think = |turn: &&&Turn| {
        let method = |side: Color| planned(control.of(side), turn.number);
        Color::ALL
            .into_iter()
            .any(|side| matches!(method(side), PerMove::Bronstein(_) | PerMove::Delay(_)))
    };
    // What depends on thinking times has their uncertainty each time.
    let thinking = 500 * number(turns.iter().filter(by_think).count());
    let breaks = turns
        .windows(2)
        .filter(|pair| pair[0].between.1 != pair[1].between.0)
        .count();
    let uncertain = SUM_WRONG_BY + thinking + BREAK_WRONG_BY * number(breaks);
    let each: Vec<i64> = turns
        .iter()
        .map(|turn| beyond(turn, control, late))
        .collect();
    let total: i64 = each.iter().sum();
    let sign = total.signum();
    let largest = each.iter().map(|beyond| beyond * sign).max()?;
    // A lost reading may hide a delay for as long as it is.
    let often = each
        .iter()
        .filter(|beyond| **beyond > SUM_WRONG_BY / 2)
        .count()
        >= 3;
    if thinking > 0 && sign > 0 && !often {
        return None;
    }
    (total.abs() > uncertain && total.abs() - largest >= BEYOND_ONE_TURN).then_some(sign)
}

/// The method that explains the turns best. The simpler one if two do.
fn fit(turns: &[Turn], side: Option<Color>, control: &TimeControl, intended: PerMove) -> PerMove {
    let about: Vec<&Turn> = turns
        .iter()
        .filter(|turn| side.is_none_or(|side| turn.side == side) && !turn.opening)
        .collect();
    let mut times: Vec<u64> = vec![
        1,
        2,
        3,
        5,
        10,
        15,
        20,
        30,
        45,
        60,
        intended.time().as_secs(),
    ];
    let count = number(about.len().max(1));
    let mean = about.iter().map(|turn| turn.added).sum::<i64>() / count;
    times.push(((mean + 500) / 1000).max(0) as u64);
    times.retain(|time| *time > 0);
    let seconds = |time: u64| std::time::Duration::from_secs(time);
    let candidates = std::iter::once(PerMove::Nothing)
        .chain(times.iter().map(|time| PerMove::Increment(seconds(*time))))
        .chain(times.iter().map(|time| PerMove::Bronstein(seconds(*time))))
        .chain(times.iter().map(|time| PerMove::Delay(seconds(*time))));
    let cost = |method: PerMove| -> i64 {
        let of = |turn: &Turn, whose: Color| {
            if side.is_none_or(|side| whose == side) {
                method
            } else {
                planned(control.of(whose), turn.number)
            }
        };
        let each = about.iter().map(|turn| {
            let expected = turn.expected(of(turn, turn.side), of(turn, turn.side.other()));
            (turn.added - expected).abs() + turn.step_beyond(of(turn, turn.side)).abs()
        });
        // Each method more must be worth it; a time that events use is likelier than another.
        let rare = match method {
            PerMove::Nothing => 0,
            PerMove::Increment(_) => 300,
            _ => 600,
        };
        let same_time = method.time() == intended.time();
        each.sum::<i64>() / count + rare - i64::from(same_time) * 200
    };
    candidates
        .filter(|candidate| *candidate != intended)
        .min_by_key(|candidate| cost(*candidate))
        .unwrap_or(PerMove::Nothing)
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

pub(super) fn ms(time: std::time::Duration) -> i64 {
    time.as_millis() as i64
}
