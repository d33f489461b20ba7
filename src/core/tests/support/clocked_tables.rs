//! Tables whose clocks are set rightly or wrongly: library games on the simulated clock, with hands that
//! set it, stops, penalties, lost and late readings.

#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "a helper that fails is a test that fails, and each user needs a part of them"
)]

use std::time::Duration;

use flagfall_core::{
    clock::{PerMove, TimeControl, WrongKind},
    hub::{
        Hub, HubSettings,
        command::{Command, Request},
        event::{AlertFact, AlertKind, ClockFact, Event, Fact, SetUp},
        state::HallState,
    },
    protocol::{DeviceInfo, Observation, dgt::clock::ClockMessage},
    tournament::{EventSettings, Player, event::DefaultTime},
    types::{DeviceId, Mono, Now, PlayerNo, TableNo},
};
use flagfall_simulators::{
    clock::{self as sim, Method, Side, SimClock},
    games::{Game, Pace, library, thinking_times},
};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, Color, Position as _};

pub(crate) const SECOND: Duration = Duration::from_secs(1);

/// What happens beside the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hall {
    /// Readings up to a second late, nothing else.
    Quiet,
    /// Also hands that set the clock in steps, stops, penalties and lost readings.
    Busy,
}

/// One game on a clock: its messages with the time of their arrival.
pub(crate) struct Table {
    pub(crate) clock: SimClock,
    rng: ChaCha8Rng,
    lag: Duration,
    pub(crate) arrived: Duration,
    pub(crate) messages: Vec<(Duration, [u8; 7])>,
    /// When each half-move stood on the board.
    pub(crate) made: Vec<Duration>,
    /// When the game began.
    pub(crate) began: Duration,
}

impl Table {
    pub(crate) fn new(clock: sim::TimeControl, lag: Duration, rng: ChaCha8Rng) -> Self {
        Self {
            clock: SimClock::new(clock),
            rng,
            lag,
            arrived: Duration::ZERO,
            messages: Vec::new(),
            made: Vec::new(),
            began: Duration::ZERO,
        }
    }

    pub(crate) fn say(&mut self, now: Duration, lost: f64) {
        let bytes = self.clock.face(now).wire(false).bytes();
        // The display and the way of the message together are late by a second at most.
        let late = self.lag.mul_f64(self.rng.random_range(0.5..1.0));
        self.arrived = self.arrived.max(now + late);
        if !self.rng.random_bool(lost) {
            self.messages.push((self.arrived, bytes));
        }
    }

    /// The seconds count until then.
    pub(crate) fn pass(&mut self, from: Duration, until: Duration, lost: f64) {
        let mut now = from;
        while let Some(tick) = self
            .clock
            .face(now)
            .next_tick()
            .filter(|tick| *tick < until)
        {
            now = tick;
            self.clock.advance(now);
            self.say(now, lost);
        }
    }

    fn set(&mut self, now: Duration, side: Side, left: Duration) {
        self.clock.edit(now, side, left);
        self.say(now, 0.0);
    }
}

/// What is set and what the two sides have at the start.
pub(crate) fn on_the_clock(set: &TimeControl, in_advance: bool) -> sim::TimeControl {
    let period = set.of(Color::White).periods()[0];
    let method = match period.per_move {
        PerMove::Bronstein(_) => Method::Bronstein,
        PerMove::Delay(_) => Method::Delay,
        _ => Method::Fischer,
    };
    sim::TimeControl {
        method,
        increment_in_advance: in_advance,
        ..sim::TimeControl::fischer(period.base, period.per_move.time())
    }
}

pub(crate) fn play(
    game: &Game,
    set: &TimeControl,
    in_advance: bool,
    hall: Hall,
    seed: u64,
) -> Table {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let base = set.of(Color::White).initial();
    let pace = Pace {
        base,
        increment: set.of(Color::White).periods()[0].per_move.time(),
    };
    let thinking = thinking_times(game, pace, &mut rng);
    let busy = hall == Hall::Busy;
    let lost = if busy { 0.03 } else { 0.0 };
    let lag = SECOND.mul_f64(rng.random_range(0.05..1.0));
    let mut table = Table::new(on_the_clock(set, in_advance), lag, rng);
    let mut now = Duration::ZERO;
    let (white, black) = [Color::White, Color::Black]
        .map(|side| set.of(side).initial())
        .into();
    let first = if in_advance {
        pace.increment
    } else {
        Duration::ZERO
    };
    // The last game's times, then the new ones, in steps if by hand.
    table.clock.edit(now, Side::Left, SECOND * 754);
    table.set(now, Side::Right, SECOND * 33);
    now += SECOND * 60;
    if busy {
        for minutes in 1..=4 {
            table.set(now, Side::Left, SECOND * 60 * minutes);
            now += SECOND;
        }
    }
    table.set(now, Side::Left, white + first);
    now += SECOND * 2;
    table.set(now, Side::Right, black + first);
    now += SECOND * 60;
    table.clock.start(now);
    table.began = now;
    table.say(now, 0.0);
    for (ply, thought) in thinking.iter().take(60).enumerate() {
        let side = [Side::Left, Side::Right][ply % 2];
        let press = now + (*thought).max(SECOND.mul_f64(0.4));
        if busy && table.rng.random_bool(0.05) {
            // The arbiter stops the clock, perhaps gives a penalty, and starts it again.
            let stop = now + press.saturating_sub(now) / 2;
            table.pass(now, stop, lost);
            table.clock.stop(stop);
            table.say(stop, 0.0);
            now = stop + SECOND * table.rng.random_range(3..40);
            if table.rng.random_bool(0.5) {
                let left = table.clock.face(now).side(side.other()).left;
                table.set(now, side.other(), left + SECOND * 120);
                now += SECOND * 5;
            }
            table.clock.start(now);
            table.say(now, 0.0);
        }
        let press = press.max(now + SECOND / 2);
        table
            .made
            .push(now.max(press.saturating_sub(SECOND.mul_f64(0.35))));
        table.pass(now, press, lost);
        now = press;
        table.clock.press(now, side);
        table.say(now, lost);
    }
    table
}

/// The event's control, what is set, whether the clock shows the first increment, and what is found.
pub(crate) type Case = (&'static str, &'static str, bool, Option<WrongKind>);

pub(crate) const CASES: [Case; 24] = [
    ("70+30", "70+0", false, Some(WrongKind::PerMove)),
    ("70+30", "70+3", false, Some(WrongKind::PerMove)),
    ("70+30", "70+15", true, Some(WrongKind::Start)),
    ("45+15", "45+30", false, Some(WrongKind::PerMove)),
    ("5+3", "5+0", false, Some(WrongKind::PerMove)),
    ("5+3", "5+2", false, Some(WrongKind::PerMove)),
    ("3+2", "3+3", false, Some(WrongKind::PerMove)),
    ("5", "5+3", false, Some(WrongKind::PerMove)),
    ("70+30", "70 delay 30", false, Some(WrongKind::PerMove)),
    ("70+30", "70 Bronstein 30", false, Some(WrongKind::PerMove)),
    ("15+10", "15 delay 10", false, Some(WrongKind::PerMove)),
    ("15+10", "15 Bronstein 10", false, Some(WrongKind::PerMove)),
    ("25 delay 10", "25+10", false, Some(WrongKind::PerMove)),
    ("25 delay 10", "25+0", false, Some(WrongKind::PerMove)),
    ("25 Bronstein 10", "25+10", false, Some(WrongKind::PerMove)),
    ("70+30", "90+30", false, Some(WrongKind::Start)),
    ("5", "3", false, Some(WrongKind::Start)),
    ("120/40:60+30", "90/40:30+30", false, Some(WrongKind::Start)),
    ("5 v 4", "4 v 5", false, Some(WrongKind::Start)),
    (
        "90+30 from move 2",
        "90+30",
        true,
        Some(WrongKind::FirstIncrement),
    ),
    (
        "90+30 from move 1",
        "90+30",
        false,
        Some(WrongKind::FirstIncrement),
    ),
    ("70+30", "70+30", false, None),
    ("70+30", "70+30", true, None),
    ("5+3", "5+3", false, None),
];

/// Rightly set clocks of the other kinds.
pub(crate) const RIGHT: [&str; 9] = [
    "5",
    "3+2",
    "15+10",
    "45+15",
    "25 delay 10",
    "5 delay 3",
    "25 Bronstein 10",
    "5 v 4",
    "90+30 from move 2",
];

pub(crate) fn control(text: &str) -> TimeControl {
    text.parse().expect("a time control")
}

/// Games of 15 moves and more, those with clock times first.
pub(crate) fn games(of: usize) -> Vec<&'static Game> {
    let long = library().iter().filter(|game| game.moves.len() >= 30);
    let clocked = long.clone().filter(|game| game.clocks.is_some());
    clocked
        .chain(long.filter(|game| game.clocks.is_none()))
        .step_by(3)
        .take(of)
        .collect()
}

/// What a hub says of a table.
pub(crate) struct Heard {
    /// The moves in which something was told to be wrong, 0 before the start.
    pub(crate) wrong: Vec<(WrongKind, u16)>,
    /// All other alerts.
    pub(crate) alerts: Vec<(AlertKind, String)>,
    pub(crate) journal: Vec<Event>,
    pub(crate) state: HallState,
}

/// A hub with one table whose pairing is public.
pub(crate) struct Desk {
    pub(crate) hub: Hub,
    pub(crate) journal: Vec<Event>,
}

pub(crate) fn at(time: Duration) -> Now {
    let start: jiff::Timestamp = "2026-12-05T08:00:00Z".parse().unwrap();
    Now {
        utc: start.checked_add(time).unwrap(),
        mono: Mono(time),
    }
}

impl Desk {
    pub(crate) fn new(planned: &str) -> Self {
        let mut settings = EventSettings::new("Cup", "open".parse().unwrap(), Some(planned));
        settings.rounds = Some(1);
        settings.default_time = DefaultTime::None;
        let players = (1..=2)
            .map(|no| Player::new(PlayerNo(no), format!("Player {no}")))
            .collect();
        let now = at(Duration::ZERO);
        let mut hall = Self {
            hub: Hub::new(HubSettings::default(), HallState::default(), now),
            journal: Vec::new(),
        };
        hall.hub.handle_set_up(now, SetUp { settings, players });
        hall.ask(now, Command::PairRound);
        hall.ask(now, Command::PublishRound);
        hall.see(
            now,
            Observation::Found(DeviceInfo {
                family: "dgt-board".to_owned(),
                serial: Some("12345".to_owned()),
                version: None,
            }),
        );
        let device: DeviceId = hall.hub.state().devices.keys().next().unwrap().clone();
        let table = Some(TableNo(1));
        hall.ask(now, Command::AssignDevice { device, table });
        hall
    }

    pub(crate) fn ask(&mut self, now: Now, command: Command) {
        let by = "Vira".to_owned();
        self.hub
            .handle_request(now, Request { by, command })
            .unwrap();
        self.journal
            .extend(std::iter::from_fn(|| self.hub.poll_event()));
    }

    pub(crate) fn see(&mut self, now: Now, observation: Observation) {
        self.hub.handle_observation(now, "port", observation);
        self.drain();
    }

    pub(crate) fn drain(&mut self) {
        self.journal
            .extend(std::iter::from_fn(|| self.hub.poll_event()));
    }

    pub(crate) fn pass(&mut self, until: Duration) {
        while let Some(due) = self.hub.poll_timeout().filter(|due| due.0 < until) {
            self.hub.handle_timeout(at(due.0));
            self.journal
                .extend(std::iter::from_fn(|| self.hub.poll_event()));
        }
    }
}

/// The table as a hub hears it. With a board it sees the moves of the game, too.
pub(crate) fn hear(table: &Table, planned: &str, game: Option<&Game>) -> Heard {
    let mut hall = Desk::new(planned);
    let mut seen: Vec<(Duration, Observation)> = Vec::new();
    for (at, bytes) in &table.messages {
        if let Ok(ClockMessage::Time(time)) = ClockMessage::decode(bytes)
            && let Some(reading) = time.reading()
        {
            seen.push((*at, Observation::Clock(reading)));
        }
    }
    if let Some(game) = game {
        let mut position = Chess::default();
        let mut show = |at, position: &Chess| {
            let placement = position.board().clone();
            let change = None;
            seen.push((at, Observation::Placement { placement, change }));
        };
        show(Duration::from_secs(1), &position);
        for (at, made) in table.made.iter().zip(&game.moves) {
            position.play_unchecked(*made);
            show(*at, &position);
        }
    }
    seen.sort_by_key(|(at, _)| *at);
    let starts = table.began.saturating_sub(SECOND * 10);
    let mut started = false;
    for (time, observation) in seen {
        if time > starts && !started {
            started = true;
            hall.pass(starts);
            hall.ask(at(starts), Command::StartRound);
        }
        hall.pass(time);
        hall.see(at(time), observation);
    }
    let mut heard = Heard {
        wrong: Vec::new(),
        alerts: Vec::new(),
        journal: Vec::new(),
        state: hall.hub.state().clone(),
    };
    let mut presses = 0_u16;
    for event in &hall.journal {
        match &event.fact {
            Fact::Press { .. } => presses += 1,
            Fact::Clock(ClockFact::WrongSetting { what, .. }) => {
                heard.wrong.push((*what, presses.div_ceil(2)));
            }
            Fact::Alert(AlertFact::Raised { about, text, .. }) => {
                let boring = matches!(about, AlertKind::DeviceUnassigned | AlertKind::WrongSetting);
                if !boring {
                    heard.alerts.push((*about, text.clone()));
                }
            }
            _ => {}
        }
    }
    heard.journal = hall.journal;
    heard
}
