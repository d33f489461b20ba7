//! The clock against the board: presses that the clock did not take, time that runs on the wrong side,
//! and a count of moves that is not the board's.
//!
//! Fed with the facts of the clock model and the moves of the board. The proof of a missed press is the
//! time of the side at rest: it would have fallen while that side was to move.

use std::{collections::VecDeque, time::Duration};

use shakmaty::{ByColor, Color};

use super::{ClockEvent, ClockView, PerMove, SideControl, TimeControl, Times};
use crate::types::Mono;

/// The display of the side at rest may take so long to show what the press brought.
const COMES_TO_REST: Duration = Duration::from_secs(3);
/// Whoever was to move for so long has lost a second that shows.
const SHOWS: Duration = Duration::from_millis(2500);
/// After a restart a lever that stands wrong is put right within this time.
const PUT_RIGHT: Duration = Duration::from_secs(10);
/// So many moves in a row against the clock are no chance.
const AGAINST: u8 = 3;
/// So many moves before the end of a period the counts are compared.
const BEFORE_CONTROL: u16 = 5;

/// What does not agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgainstEvent {
    /// Both sides have moved and the clock has stayed with one of them.
    PressMissed {
        /// Whose time runs.
        running: Color,
        /// For how long since the first of these moves.
        since: Duration,
    },
    /// The time of the side that is not to move runs.
    WrongSide {
        /// Whose time runs.
        running: Color,
        /// Since the clock was started again; else by several moves in a row.
        restarted: bool,
    },
    /// The clock follows the moves again.
    Agrees,
    /// Shortly before a control: the clock has counted other moves than the board.
    Counts {
        /// Whose.
        side: Color,
        /// Moves by the clock.
        clock: u16,
        /// Moves by the board.
        board: u16,
        /// The move at which the period ends.
        control: u16,
        /// The clock told its counter; else its presses were counted.
        told: bool,
    },
}

/// One side's time runs.
#[derive(Clone, Copy, Debug)]
struct Run {
    side: Color,
    since: Mono,
    /// The time of the side at rest.
    rest: Duration,
}

/// Compares the clock of one game with its board.
#[derive(Clone, Debug)]
pub struct AgainstBoard {
    control: Option<TimeControl>,
    /// With a delay a time stands before it falls.
    delay: Duration,
    run: Option<Run>,
    /// The last display.
    seen: Mono,
    /// When the moves stood on the board that were made during this run.
    plies: Vec<Mono>,
    against: u8,
    restarted: Option<Mono>,
    told: Option<AgainstEvent>,
    /// Presses since the start, when all were seen.
    presses: Option<ByColor<u16>>,
    counters: Option<ByColor<u8>>,
    compared: ByColor<Option<u16>>,
    events: VecDeque<AgainstEvent>,
}

impl AgainstBoard {
    /// A clock with this control that has not been heard yet.
    pub fn new(control: Option<TimeControl>) -> Self {
        let longest = |side: &SideControl| {
            let each = side.periods().iter().map(|period| match period.per_move {
                PerMove::Delay(time) => time,
                _ => Duration::ZERO,
            });
            each.max().unwrap_or_default()
        };
        let delay = control.as_ref().map_or(Duration::ZERO, |control| {
            longest(control.of(Color::White)).max(longest(control.of(Color::Black)))
        });
        Self {
            control,
            delay,
            run: None,
            seen: Mono::ZERO,
            plies: Vec::new(),
            against: 0,
            restarted: None,
            told: None,
            presses: None,
            counters: None,
            compared: ByColor::default(),
            events: VecDeque::new(),
        }
    }

    /// The clock told a fact.
    pub fn handle_event(&mut self, now: Mono, event: &ClockEvent) {
        match *event {
            ClockEvent::Started { running, times } => {
                self.presses = Some(ByColor::default());
                self.begin(now, running, times);
            }
            ClockEvent::Press { side, times } => {
                if let Some(presses) = &mut self.presses {
                    let presses = presses.get_mut(side);
                    *presses = presses.saturating_add(1);
                }
                self.restarted = None;
                if matches!(self.told, Some(AgainstEvent::PressMissed { .. })) {
                    self.agrees();
                }
                self.begin(now, side.other(), times);
            }
            ClockEvent::Restarted { running, times } => {
                self.restarted = Some(now);
                self.begin(now, running, times);
            }
            ClockEvent::Stopped { .. } | ClockEvent::Corrected { .. } => self.interrupted(),
            ClockEvent::Gone
            | ClockEvent::Back
            | ClockEvent::Replaced { .. }
            | ClockEvent::SideDoubt { .. } => self.handle_outage(),
            ClockEvent::Flag { .. }
            | ClockEvent::Period { .. }
            | ClockEvent::AddedAfterFlag { .. }
            | ClockEvent::BatteryLow
            | ClockEvent::BatteryGood => {}
        }
    }

    /// What the clock does is not seen for a while.
    pub fn handle_outage(&mut self) {
        self.interrupted();
        self.presses = None;
        self.against = 0;
    }

    /// The clock told its own counters, modulo 256.
    pub fn handle_counters(&mut self, counters: ByColor<u8>) {
        self.counters = Some(counters);
    }

    /// A move stood on the board at `at`. A move that was only inferred has no such moment.
    pub fn handle_move(&mut self, at: Mono, side: Color, inferred: bool) {
        if inferred {
            self.handle_lost();
            return;
        }
        let Some(run) = self.run else {
            return;
        };
        if at < run.since {
            return;
        }
        self.plies.push(at);
        if run.side == side {
            self.against = 0;
        } else if at.since(run.since) >= COMES_TO_REST {
            self.against = self.against.saturating_add(1);
            if self.against == AGAINST {
                let running = run.side;
                let restarted = false;
                self.tell(AgainstEvent::WrongSide { running, restarted });
            }
        }
    }

    /// Moves were taken back, or what stands on the board is not understood.
    pub fn handle_lost(&mut self) {
        self.plies.clear();
        self.against = 0;
        // Which moves were made meanwhile is not known.
        self.run = None;
    }

    /// What the clock shows. `turn`: who is to move by the board, where that is known.
    pub fn handle_view(&mut self, view: &ClockView, turn: Option<Color>) {
        let Some(running) = view.running.filter(|_| !view.gone) else {
            return;
        };
        self.seen = view.at;
        self.check_restart(view.at, running, turn);
        let Some(run) = &mut self.run else {
            return;
        };
        let rest = view.times.of(run.side.other());
        if running != run.side {
            // A press that was not told as one.
            self.interrupted();
            return;
        }
        if rest != run.rest {
            if view.at.since(run.since) > COMES_TO_REST {
                // It ran meanwhile, unseen.
                run.since = view.at;
                self.plies.clear();
            }
            run.rest = rest;
        }
        self.check_press(view.at, running);
    }

    /// The board's moves of each side, when it knows them all. To be told with each move and press.
    pub fn handle_count(&mut self, board: ByColor<u16>) {
        // Whoever thinks for a while now has made and pressed all his moves.
        let thinks = |run: &Run| self.seen.since(run.since) >= COMES_TO_REST;
        let (Some(control), Some(run)) = (&self.control, self.run.filter(thinks)) else {
            return;
        };
        let side = run.side;
        let made = *board.get(side);
        let Some(ends) = period_end(control.of(side), made) else {
            return;
        };
        let near = made + BEFORE_CONTROL >= ends && made < ends;
        // A move that he has just made is not pressed.
        if !near || !self.plies.is_empty() || *self.compared.get(side) == Some(ends) {
            return;
        }
        let clock = match (self.counters, self.presses) {
            // The nearest number that ends in this.
            (Some(counters), _) => {
                let off = counters.get(side).wrapping_sub(made as u8).cast_signed();
                made.saturating_add_signed(off.into())
            }
            // A press may be missed, and none is made up.
            (None, Some(presses)) => *presses.get(side).max(&made),
            (None, None) => return,
        };
        if clock != made {
            *self.compared.get_mut(side) = Some(ends);
            self.events.push_back(AgainstEvent::Counts {
                side,
                clock,
                board: made,
                control: ends,
                told: self.counters.is_some(),
            });
        }
    }

    /// What there is to say.
    pub fn poll_event(&mut self) -> Option<AgainstEvent> {
        self.events.pop_front()
    }

    fn begin(&mut self, now: Mono, side: Color, times: Times) {
        self.plies.clear();
        self.run = Some(Run {
            side,
            since: now,
            rest: times.of(side.other()),
        });
    }

    fn interrupted(&mut self) {
        self.run = None;
        self.plies.clear();
        self.restarted = None;
    }

    fn check_restart(&mut self, at: Mono, running: Color, turn: Option<Color>) {
        let Some(turn) = turn else {
            return;
        };
        if turn == running {
            self.restarted = None;
            if matches!(self.told, Some(AgainstEvent::WrongSide { .. })) {
                self.agrees();
            }
        } else if self
            .restarted
            .is_some_and(|since| at.since(since) >= PUT_RIGHT)
        {
            self.restarted = None;
            let restarted = true;
            self.tell(AgainstEvent::WrongSide { running, restarted });
        }
    }

    fn check_press(&mut self, at: Mono, running: Color) {
        let shows = SHOWS + self.delay;
        let &[first, .., last] = &self.plies[..] else {
            return;
        };
        if last.since(first) >= shows && at.since(last) >= shows {
            let since = at.since(first);
            self.tell(AgainstEvent::PressMissed { running, since });
        }
    }

    fn tell(&mut self, event: AgainstEvent) {
        if self.told.is_none() {
            self.told = Some(event);
            self.events.push_back(event);
        }
    }

    fn agrees(&mut self) {
        self.told = None;
        self.against = 0;
        self.events.push_back(AgainstEvent::Agrees);
    }
}

/// The move with which the period of the next move ends.
fn period_end(side: &SideControl, made: u16) -> Option<u16> {
    let periods = side.periods();
    let current = side.period_of_move(made.saturating_add(1));
    periods[..=current]
        .iter()
        .map(|period| period.moves)
        .sum::<Option<u16>>()
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: Duration = Duration::from_secs(1);

    fn at(seconds: u64) -> Mono {
        Mono(S * seconds as u32)
    }

    fn times(white: u64, black: u64) -> Times {
        Times {
            white: Duration::from_secs(white),
            black: Duration::from_secs(black),
        }
    }

    struct Game {
        against: AgainstBoard,
        turn: Color,
    }

    impl Game {
        fn new(control: &str) -> Self {
            let mut against = AgainstBoard::new(Some(control.parse().unwrap()));
            let running = Color::White;
            let times = times(300, 300);
            against.handle_event(at(0), &ClockEvent::Started { running, times });
            let turn = Color::White;
            Self { against, turn }
        }

        fn shows(&mut self, second: u64, white: u64, black: u64, running: Color) {
            let view = ClockView {
                times: times(white, black),
                running: Some(running),
                to_move: running,
                at: at(second),
                age: Duration::ZERO,
                flags: ByColor {
                    white: false,
                    black: false,
                },
                gone: false,
                battery_low: false,
            };
            self.against.handle_view(&view, Some(self.turn));
        }

        fn moves(&mut self, second: u64) {
            self.against.handle_move(at(second), self.turn, false);
            self.turn = self.turn.other();
        }

        fn press(&mut self, second: u64, side: Color, white: u64, black: u64) {
            let times = times(white, black);
            let press = ClockEvent::Press { side, times };
            self.against.handle_event(at(second), &press);
        }

        fn said(&mut self) -> Vec<AgainstEvent> {
            std::iter::from_fn(|| self.against.poll_event()).collect()
        }
    }

    #[test]
    fn a_press_that_the_clock_did_not_take_is_found_after_two_half_moves() {
        let (white, black) = (Color::White, Color::Black);
        let mut game = Game::new("5+3");
        game.moves(10);
        game.shows(15, 285, 300, white);
        assert_eq!(game.said(), [], "he may press late");
        game.moves(20);
        game.shows(21, 279, 300, white);
        assert_eq!(game.said(), [], "and so may the other");
        game.shows(23, 277, 300, white);
        let since = S * 13;
        let running = white;
        assert_eq!(game.said(), [AgainstEvent::PressMissed { running, since }]);
        game.shows(24, 276, 300, white);
        assert_eq!(game.said(), [], "once");
        game.moves(30);
        game.press(31, white, 269, 300);
        assert_eq!(game.said(), [AgainstEvent::Agrees]);
        game.shows(32, 269, 299, black);
        assert_eq!(game.said(), []);
    }

    #[test]
    fn presses_that_were_only_not_heard_are_no_missed_ones() {
        let white = Color::White;
        let mut game = Game::new("5");
        game.moves(10);
        // He pressed, and the other one too: his time fell while nothing was heard.
        game.moves(20);
        game.shows(25, 281, 291, white);
        assert_eq!(game.said(), []);
        // Too quick for a second to show.
        let mut game = Game::new("5");
        game.moves(10);
        game.moves(11);
        game.shows(25, 276, 300, white);
        assert_eq!(game.said(), []);
    }

    #[test]
    fn time_on_the_wrong_side_after_a_restart_is_told_until_it_is_right() {
        let (white, black) = (Color::White, Color::Black);
        let mut game = Game::new("5+3");
        let stopped = ClockEvent::Stopped {
            running: white,
            times: times(290, 300),
        };
        game.against.handle_event(at(10), &stopped);
        let restarted = ClockEvent::Restarted {
            running: black,
            times: times(290, 300),
        };
        game.against.handle_event(at(60), &restarted);
        game.shows(65, 290, 295, black);
        assert_eq!(game.said(), [], "a lever is put right in a moment");
        game.shows(70, 290, 290, black);
        let (running, restarted) = (black, true);
        assert_eq!(
            game.said(),
            [AgainstEvent::WrongSide { running, restarted }]
        );
        game.press(75, black, 290, 285);
        game.shows(76, 289, 285, white);
        assert_eq!(game.said(), [AgainstEvent::Agrees]);
    }

    #[test]
    fn another_count_than_the_boards_is_told_before_the_control() {
        let mut game = Game::new("90/40:30");
        for press in 0..36 {
            for side in Color::ALL {
                game.press(press * 10, side, 300, 300);
            }
        }
        let count = |white, black| ByColor { white, black };
        game.shows(351, 300, 300, Color::White);
        game.against.handle_count(count(35, 36));
        assert_eq!(game.said(), [], "his last move may not be settled yet");
        game.shows(354, 297, 300, Color::White);
        game.against.handle_count(count(34, 34));
        assert_eq!(game.said(), [], "the control is far");
        game.against.handle_count(count(35, 36));
        let counts = AgainstEvent::Counts {
            side: Color::White,
            clock: 36,
            board: 35,
            control: 40,
            told: false,
        };
        assert_eq!(game.said(), [counts]);
        game.against.handle_count(count(36, 37));
        assert_eq!(game.said(), [], "once");
        game.press(360, Color::White, 290, 300);
        game.shows(365, 290, 295, Color::Black);
        let counters = ByColor {
            white: 36,
            black: 33,
        };
        game.against.handle_counters(counters);
        game.against.handle_count(count(36, 37));
        let counts = AgainstEvent::Counts {
            side: Color::Black,
            clock: 33,
            board: 37,
            control: 40,
            told: true,
        };
        assert_eq!(game.said(), [counts]);
    }
}
