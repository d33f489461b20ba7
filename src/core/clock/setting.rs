//! Whether the clock is set to the event's control: seen on the display before the start, and from
//! what the first presses add.
//!
//! Fed with what [`ClockModel`](super::ClockModel) accepted and told. Every change of times that is no
//! play (a correction, a stop, an outage) makes it begin anew. What it says is right only within a
//! second or two, and says so.

mod evidence;
mod finding;
mod pace;

use std::{
    collections::{BTreeMap, VecDeque},
    time::Duration,
};

use shakmaty::{ByColor, Color};

pub use self::finding::{Finding, FoundBy, WrongKind, WrongSetting};
use self::{
    evidence::{Evidence, Turn, ms},
    pace::Pace,
};
use super::{ClockEvent, ClockView, FirstIncrement, SideControl, TimeControl, Times};
use crate::types::Mono;

/// A display that nobody touches for so long counts as set.
const SET_AFTER: Duration = Duration::from_secs(20);
/// Whole seconds.
const ROUNDING: Duration = Duration::from_secs(1);
/// A press shows its increment this long after it at the latest.
const SETTLED: i64 = 2500;
/// And in this time when the next press comes: most clocks show it at once.
const MOSTLY_SETTLED: i64 = 1200;
/// Time at zero for so long: no period begins any more.
const ZERO_STANDS: Duration = Duration::from_secs(3);
/// A period's time may differ by so much.
const PERIOD_WRONG_BY: Duration = Duration::from_secs(4);
/// Presses that are hardly missed: nobody is in a hurry yet.
const OPENING: u16 = 12;
/// Turns as planned after which a wrong setting counts as put right.
const RIGHT_TURNS: usize = 4;

/// What the watch says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingEvent {
    /// Something is set wrongly.
    Wrong(Finding),
    /// It is right now.
    Right(WrongKind),
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    times: Times,
    at: Mono,
    running: Option<Color>,
}

/// What stands on a clock that has not run yet.
#[derive(Clone, Copy, Debug)]
struct Display {
    times: Times,
    since: Mono,
    checked: bool,
}

/// A press whose turn is not over.
#[derive(Clone, Copy, Debug)]
struct Pressed {
    side: Color,
    number: u16,
    at: Mono,
    /// The last reading before it.
    before: Seen,
    thought: i64,
    /// What he had when his turn began.
    had: Option<Duration>,
    opening: bool,
    judged: bool,
}

/// A time that stands at zero where the next period should have begun.
#[derive(Clone, Copy, Debug)]
struct Zero {
    side: Color,
    since: Mono,
    period: usize,
    planned: Duration,
}

impl Zero {
    /// When it has stood for so long that no period begins any more; `None` once that is told.
    fn due(self) -> Option<Mono> {
        (!self.planned.is_zero()).then(|| self.since + ZERO_STANDS)
    }
}

/// Watches the setting of one clock through one game.
#[derive(Clone, Debug)]
pub struct SettingWatch {
    control: TimeControl,
    last: Option<Seen>,
    /// The display before the start.
    set: Option<Display>,
    /// Somebody has set it, or the start is near: what it shows is meant, unless it is left over.
    meant: bool,
    /// What the last game left on it.
    left_over: Option<Times>,
    /// It must be set by now, whatever it shows.
    overdue: bool,
    start: Option<(Times, Mono)>,
    started: bool,
    /// The whole game was seen: presses count moves.
    whole: bool,
    presses: ByColor<u16>,
    pressed: Option<Pressed>,
    turn_since: Option<Mono>,
    /// What the side to move had when its turn began.
    turn_had: Option<Duration>,
    zero: Option<Zero>,
    evidence: Evidence,
    pace: Pace,
    /// What is wrong; `None` when only that is known, from before the hub was started anew.
    open: BTreeMap<WrongKind, Option<WrongSetting>>,
    /// What the clock did until it was heard again was not seen.
    unseen: bool,
    events: VecDeque<SettingEvent>,
}

impl SettingWatch {
    /// A clock of which nothing is known yet, to be set to this.
    pub fn new(control: TimeControl) -> Self {
        Self {
            control,
            last: None,
            set: None,
            meant: false,
            left_over: None,
            overdue: false,
            start: None,
            started: false,
            whole: false,
            presses: ByColor::default(),
            pressed: None,
            turn_since: None,
            turn_had: None,
            zero: None,
            evidence: Evidence::default(),
            pace: Pace::default(),
            open: BTreeMap::new(),
            unseen: false,
            events: VecDeque::new(),
        }
    }

    /// These were told as wrong before.
    #[must_use]
    pub fn with_told(mut self, told: impl IntoIterator<Item = WrongKind>) -> Self {
        self.open = told.into_iter().map(|kind| (kind, None)).collect();
        self
    }

    /// The last game ended with this on the clock: until somebody sets it, it is not set wrongly.
    #[must_use]
    pub fn with_left_over(mut self, times: Option<Times>) -> Self {
        self.left_over = times;
        self
    }

    /// The start is near: a clock that shows something else is wrong, even if nobody has touched it since
    /// it was first seen.
    pub fn handle_due(&mut self, now: Mono) {
        self.meant = true;
        self.handle_timeout(now);
    }

    /// The round has begun: what the last game left on the clock is wrong as well.
    pub fn handle_overdue(&mut self, now: Mono) {
        self.overdue = true;
        self.handle_due(now);
    }

    /// The link to the clock was lost: what it did until it is heard again was not seen.
    pub fn handle_outage(&mut self) {
        self.interrupted();
        self.whole = false;
        self.last = None;
        self.unseen = true;
    }

    /// White's side is the other one now: the times seen so far change sides.
    pub fn handle_turned(&mut self) {
        self.forget();
        self.last = None;
        self.set = None;
    }

    /// The clock told a fact. Facts come before the reading that they were seen in.
    pub fn handle_event(&mut self, now: Mono, event: &ClockEvent) {
        match *event {
            ClockEvent::Started { times, .. } => self.starts(now, times),
            ClockEvent::Press { side, .. } => self.press(now, side),
            ClockEvent::Stopped { .. } | ClockEvent::Restarted { .. } => self.interrupted(),
            ClockEvent::Gone | ClockEvent::Back => self.handle_outage(),
            ClockEvent::Corrected { .. } => self.forget(),
            ClockEvent::Replaced { .. } => {
                self.handle_outage();
                self.forget();
            }
            // What came with it is no increment.
            ClockEvent::Period { .. } => self.interrupted(),
            ClockEvent::Flag { .. }
            | ClockEvent::AddedAfterFlag { .. }
            | ClockEvent::BatteryLow
            | ClockEvent::BatteryGood
            | ClockEvent::SideDoubt { .. } => {}
        }
    }

    /// What the clock shows.
    pub fn handle_view(&mut self, view: &ClockView) {
        if view.gone {
            return;
        }
        self.unseen = false;
        let now = view.at;
        let seen = Seen {
            times: view.times,
            at: now,
            running: view.running,
        };
        if view.running.is_none()
            && !self.started
            && self.set.is_none_or(|set| set.times != view.times)
        {
            self.meant |= self.set.is_some();
            self.set = Some(Display {
                times: view.times,
                since: now,
                checked: false,
            });
        }
        let running = view.running.map(|side| (side, view.times.of(side)));
        if self.pace.is_late(now, running) {
            self.interrupted();
            self.evidence.clear();
            self.start = None;
        }
        // Whatever ran when it was first heard of had begun before.
        self.started |= view.running.is_some();
        self.watch_periods(&seen);
        self.last = Some(seen);
        self.handle_timeout(now);
        self.judge_open();
    }

    /// The time of [`SettingWatch::poll_timeout`] has come.
    pub fn handle_timeout(&mut self, now: Mono) {
        if self.poll_timeout().is_none_or(|due| due > now) {
            return;
        }
        if self.display_due().is_some_and(|due| due <= now)
            && let Some(set) = &mut self.set
        {
            set.checked = true;
            let times = set.times;
            self.check_start(times, FoundBy::Display);
        }
        if let Some(zero) = self.zero
            && zero.due().is_some_and(|due| due <= now)
        {
            // Told once; a clock that is blocked may say nothing more.
            self.zero = Some(Zero {
                planned: Duration::ZERO,
                ..zero
            });
            let wrong = WrongSetting::NoPeriod {
                side: zero.side,
                period: zero.period + 1,
                planned: zero.planned,
            };
            self.wrong(wrong, FoundBy::Presses(self.all_presses()), ROUNDING);
        }
    }

    /// When [`SettingWatch::handle_timeout`] is due.
    pub fn poll_timeout(&self) -> Option<Mono> {
        let zero = self.zero.and_then(Zero::due);
        self.display_due().into_iter().chain(zero).min()
    }

    fn display_due(&self) -> Option<Mono> {
        let waits = !self.started && self.meant;
        let set = self.set.filter(|set| waits && !set.checked)?;
        let left_over = |left: Times| {
            let near = |side: Color| left.of(side).abs_diff(set.times.of(side)) <= ROUNDING;
            Color::ALL.into_iter().all(near)
        };
        let not_set = !self.overdue && self.left_over.is_some_and(left_over);
        (!not_set).then(|| set.since + SET_AFTER)
    }

    /// What there is to say.
    pub fn poll_event(&mut self) -> Option<SettingEvent> {
        self.events.pop_front()
    }

    fn starts(&mut self, now: Mono, times: Times) {
        self.started = true;
        if self.unseen {
            // It may have run for a while.
            self.forget();
            return;
        }
        self.whole = true;
        // A hand that set it and started at once left no other display.
        let near = |set: Times| {
            Color::ALL
                .into_iter()
                .all(|side| set.of(side).abs_diff(times.of(side)) <= ROUNDING * 2)
        };
        let shown = self.set.map(|set| set.times).filter(|set| near(*set));
        self.start = Some((shown.unwrap_or(times), now));
        self.turn_since = Some(now);
        self.evidence.clear();
    }

    fn press(&mut self, now: Mono, side: Color) {
        let Some(before) = self.last else {
            return;
        };
        if let Some(turn) = self.turn(&before) {
            self.evidence.push(turn, &self.control);
            self.judge(None);
        }
        let number = self.presses.get(side).saturating_add(1);
        *self.presses.get_mut(side) = number;
        let all = self.all_presses();
        let opening = self.whole && all == 1;
        if opening && let Some((shown, at)) = self.start {
            self.check_start(shown, FoundBy::Presses(1));
            if self.turn_since.is_some() {
                self.check_first_increment(shown, at, &before, side);
            }
        }
        let had = self.turn_had.take();
        // What the opponent added with his own last press stands there by now.
        let settled = self
            .pressed
            .is_none_or(|last| last.side != side && ms(before.at.since(last.at)) >= SETTLED);
        self.turn_had = settled.then(|| before.times.of(side.other()));
        let thought = self.turn_since.map(|since| ms(now.since(since)));
        self.turn_since = self.pace.is_steady(now).then_some(now);
        self.pressed = thought.map(|thought| Pressed {
            side,
            number,
            at: now,
            before,
            thought,
            had,
            opening,
            judged: false,
        });
    }

    fn all_presses(&self) -> u16 {
        self.presses.white.saturating_add(self.presses.black)
    }

    /// The clock stood or was out of sight: what it did meanwhile is not to be measured.
    fn interrupted(&mut self) {
        self.pressed = None;
        self.turn_since = None;
        self.turn_had = None;
    }

    fn forget(&mut self) {
        self.interrupted();
        self.start = None;
        self.evidence.clear();
        self.zero = None;
    }

    /// The turn of the last press, up to a reading.
    fn turn(&self, until: &Seen) -> Option<Turn> {
        let pressed = self.pressed?;
        let (before, next) = (pressed.before, ms(until.at.since(pressed.at)));
        if !self.methods_known() || self.at_a_control(pressed) {
            return None;
        }
        let low = |times: Times| times.white.min(times.black) < ROUNDING * 3;
        if low(before.times) || low(until.times) {
            return None;
        }
        let sum = |times: Times| ms(times.white) + ms(times.black);
        let watched = ms(until.at.since(before.at));
        let own = |times: Times| ms(times.of(pressed.side));
        let age = ms(pressed.at.since(before.at));
        Some(Turn {
            side: pressed.side,
            number: pressed.number,
            between: (before.at, until.at),
            added: sum(until.times) - sum(before.times) + watched,
            watched,
            thought: pressed.thought,
            next,
            age,
            step: (next >= MOSTLY_SETTLED).then(|| own(until.times) - own(before.times)),
            gain: pressed.had.map(|had| own(until.times) - ms(had)),
            opening: pressed.opening,
        })
    }

    /// Which period a move belongs to is known if all were seen, and does not matter if all have the
    /// same method.
    fn methods_known(&self) -> bool {
        let same = |side: Color| {
            let periods = self.control.of(side).periods();
            periods
                .iter()
                .all(|period| period.per_move == periods[0].per_move)
        };
        self.whole || Color::ALL.into_iter().all(same)
    }

    /// With this move a period may have ended.
    fn at_a_control(&self, pressed: Pressed) -> bool {
        let side = self.control.of(pressed.side);
        side.period_of_move(pressed.number) != side.period_of_move(pressed.number.saturating_add(1))
    }

    fn judge_open(&mut self) {
        let Some(last) = self.last else {
            return;
        };
        let due = self
            .pressed
            .filter(|pressed| !pressed.judged && ms(last.at.since(pressed.at)) >= SETTLED);
        if due.is_some() {
            if let Some(pressed) = &mut self.pressed {
                pressed.judged = true;
            }
            let turn = self.turn(&last);
            self.judge(turn);
        }
    }

    fn judge(&mut self, open: Option<Turn>) {
        let late = self.all_presses() > OPENING || !self.whole;
        let verdict = self.evidence.judge(&self.control, open, late);
        let presses = FoundBy::Presses(self.all_presses());
        match verdict {
            Some(verdict) => {
                let wrong = WrongSetting::PerMove {
                    side: verdict.side,
                    seen: verdict.seen,
                    planned: verdict.planned,
                };
                if !self.open.contains_key(&wrong.kind()) {
                    self.wrong(wrong, presses, Duration::from_secs(1));
                }
            }
            // A press that was missed must not make it right.
            None if self.evidence.len() >= RIGHT_TURNS
                && self.evidence.judge(&self.control, open, false).is_none() =>
            {
                self.right(WrongKind::PerMove);
            }
            None => {}
        }
    }

    fn check_start(&mut self, shown: Times, found: FoundBy) {
        let planned = Times {
            white: self.control.of(Color::White).initial(),
            black: self.control.of(Color::Black).initial(),
        };
        let fits = |times: Times| {
            Color::ALL
                .into_iter()
                .all(|side| start_fits(self.control.of(side), times.of(side)).is_some())
        };
        let turned = Times {
            white: shown.black,
            black: shown.white,
        };
        if fits(shown) {
            self.right(WrongKind::Start);
            let side = self.control.of(Color::White);
            let in_advance = start_fits(side, shown.white) == Some(true);
            if in_advance && side.first_increment() == FirstIncrement::NotGiven {
                let wrong = WrongSetting::FirstIncrement {
                    increment: side.periods()[0].increment(),
                    planned: FirstIncrement::NotGiven,
                };
                self.wrong(wrong, found, ROUNDING);
            } else {
                self.right(WrongKind::FirstIncrement);
            }
        } else if self.control.is_unequal() && fits(turned) {
            self.wrong(
                WrongSetting::SidesSwapped { shown, planned },
                found,
                ROUNDING,
            );
        } else {
            self.wrong(WrongSetting::StartTime { shown, planned }, found, ROUNDING);
        }
    }

    /// Clocks that show the base time give the first increment, if at all, when they start.
    fn check_first_increment(&mut self, shown: Times, at: Mono, before: &Seen, side: Color) {
        let control = self.control.of(side);
        let increment = control.periods()[0].increment();
        // Less does not stand out from what readings are wrong by.
        let clear = increment >= Duration::from_secs(5);
        let at_base = start_fits(control, shown.of(side)) == Some(false);
        if !clear || !at_base || control.first_increment() == FirstIncrement::Unsaid {
            return;
        }
        let gained = ms(before.times.of(side)) + ms(before.at.since(at)) - ms(shown.of(side));
        let given = gained > ms(increment) / 2;
        let planned = control.first_increment();
        if given != (planned == FirstIncrement::Given) {
            let wrong = WrongSetting::FirstIncrement { increment, planned };
            self.wrong(wrong, FoundBy::Presses(1), ROUNDING * 2);
        }
    }

    /// A time at zero is followed by the next period, if the control has one.
    fn watch_periods(&mut self, seen: &Seen) {
        let Some(last) = self.last.filter(|_| self.whole) else {
            return;
        };
        let at_zero = |side: Color| seen.times.of(side).is_zero();
        let side = match (last.running, seen.running) {
            (Some(before), Some(now)) if before == now => now,
            // A clock that is blocked may say that nothing runs.
            (Some(side), None) if at_zero(side) => side,
            (None, None) if self.zero.is_some_and(|zero| at_zero(zero.side)) => return,
            _ => {
                self.zero = None;
                return;
            }
        };
        let control = self.control.of(side).clone();
        let made = *self.presses.get(side);
        let next = control.period_of_move(made.saturating_add(1));
        let (before, now) = (last.times.of(side), seen.times.of(side));
        let Some(period) = control.periods().get(next).filter(|_| next > 0) else {
            return;
        };
        if now.is_zero() {
            if self.zero.is_none_or(|zero| zero.side != side) {
                self.zero = Some(Zero {
                    side,
                    since: seen.at,
                    period: next,
                    planned: period.base,
                });
            }
            return;
        }
        self.zero = None;
        if before < ROUNDING * 3 && now > before + ROUNDING * 10 {
            let added = now.saturating_sub(before);
            if added.abs_diff(period.base) > PERIOD_WRONG_BY {
                let wrong = WrongSetting::PeriodTime {
                    side,
                    period: next + 1,
                    added,
                    planned: period.base,
                };
                let found = FoundBy::Presses(self.all_presses());
                self.wrong(wrong, found, PERIOD_WRONG_BY);
            }
        }
    }

    fn wrong(&mut self, wrong: WrongSetting, found: FoundBy, uncertainty: Duration) {
        if self.open.insert(wrong.kind(), Some(wrong)) == Some(Some(wrong)) {
            return;
        }
        self.events.push_back(SettingEvent::Wrong(Finding {
            wrong,
            found,
            uncertainty,
            control: self.control.clone(),
        }));
    }

    fn right(&mut self, kind: WrongKind) {
        if self.open.remove(&kind).is_some() {
            self.events.push_back(SettingEvent::Right(kind));
        }
    }
}

/// Whether a display is the start of a side's control; with the first increment on it or not.
fn start_fits(control: &SideControl, shown: Duration) -> Option<bool> {
    let near = |time: Duration| shown.abs_diff(time) <= ROUNDING;
    let increment = control.periods()[0].increment();
    if near(control.initial()) {
        return Some(false);
    }
    (!increment.is_zero() && near(control.initial() + increment)).then_some(true)
}
