//! How fast the trackers follow boards and clocks, and how long the worst single update takes, over
//! games of the library played by ordinary hands on boards that have been used for some years, or that
//! should be sent in for repair.
//!
//! `cargo bench -p flagfall-core --bench tracker -- [--games N] [--hostile]`. First the whole library is
//! played through and the worst updates are printed, then criterion measures a sample.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a helper that fails is a bench that fails, and what it prints is its result"
)]

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use criterion::{Criterion, Throughput};
use flagfall_core::{
    chess::{OccupancyTracker, Tracker, TrackerSettings, Witness},
    clock::{ClockEvent, ClockModel, ClockSettings},
    protocol::{
        ClockSide, Link, Observation, SquareChange, Touch,
        dgt::link::{DgtLink, DgtSettings},
    },
    types::{Bitboard, Color, Mono, Placement},
};
use flagfall_simulators::{
    board::Noise,
    clock::TimeControl,
    games::library,
    hands::Incidents,
    table::{TableConfig, TableSim},
};

/// Each update is timed in so many plays of its game, and the shortest counts: what is longer was the
/// machine's.
const PLAYS: usize = 3;
/// Games of which criterion takes the mean.
const SAMPLE: usize = 40;

/// What a tracker is told.
#[derive(Clone, Debug)]
enum Input {
    Picture(Placement, Option<SquareChange>),
    Missed(Mono),
    Outage,
    Press(Color),
    Running(bool),
    Runs(Color),
    Witness(Option<Color>),
    /// The time that the tracker asked for has come.
    Due,
}

/// One game as its tracker is told of it.
type Game = Vec<(Mono, Input)>;

/// The two kinds of tracker.
trait Follow {
    fn fresh() -> Self;
    fn hear(&mut self, at: Mono, input: &Input);
    fn due(&self) -> Option<Mono>;
    /// Empties the queue of events.
    fn drain(&mut self);
    fn plies(&self) -> usize;
    fn turned(&self) -> Option<bool>;
    fn in_sight(&self) -> bool;
}

macro_rules! follow {
    ($tracker:ty, $self:ident, $at:ident, $placement:ident, $change:ident => $picture:expr) => {
        impl Follow for $tracker {
            fn fresh() -> Self {
                Self::new(TrackerSettings::blitz())
            }

            fn hear(&mut $self, $at: Mono, input: &Input) {
                match input {
                    Input::Picture($placement, $change) => $picture,
                    Input::Missed(since) => $self.handle_missed($at, *since),
                    Input::Outage => $self.handle_outage($at),
                    Input::Press(side) => $self.handle_press($at, *side),
                    Input::Running(running) => $self.handle_clock_running($at, *running),
                    Input::Runs(side) => $self.handle_runs($at, *side),
                    Input::Witness(runs) => {
                        let witness = Witness { ran: None, runs: *runs, presses: None };
                        $self.handle_witness($at, witness);
                    }
                    Input::Due => $self.handle_timeout($at),
                }
            }

            fn due(&self) -> Option<Mono> {
                self.poll_timeout()
            }

            fn drain(&mut self) {
                while let Some(event) = self.poll_event() {
                    black_box(event);
                }
            }

            fn plies(&self) -> usize {
                self.moves().len()
            }

            fn turned(&self) -> Option<bool> {
                Self::turned(self)
            }

            fn in_sight(&self) -> bool {
                Self::in_sight(self)
            }
        }
    };
}

follow!(Tracker, self, at, placement, change => self.handle_placement(at, placement, *change));
follow!(OccupancyTracker, self, at, placement, change => {
    let touch = change.map(|change| Touch {
        square: change.square,
        present: change.piece.is_some(),
    });
    self.handle_occupancy(at, occupied(placement), touch);
});

fn occupied(placement: &Placement) -> Bitboard {
    placement.occupied()
}

/// What the board and the clock of a table say while its players play a game of the library.
fn observations(number: usize, noise: Noise) -> Vec<(Mono, Observation)> {
    let mut sim = TableSim::new(TableConfig {
        seed: 1,
        table: number as u16 + 1,
        turned: number % 5 == 4,
        control: TimeControl::fischer(Duration::from_mins(5), Duration::from_secs(3)),
        incidents: Incidents::normal(),
        noise,
    });
    let mut link = DgtLink::new(DgtSettings::CABLE);
    let mut heard = Vec::new();
    let mut now = Duration::ZERO;
    link.handle_open(Mono::ZERO);
    let mut over_at = None;
    while over_at.is_none_or(|at| now < at + Duration::from_secs(20)) {
        if now > Duration::from_secs(5) && sim.truth(1).is_none() {
            sim.start_round(now, 1, Some(number));
        }
        sim.handle_timeout(now);
        if link.poll_timeout().is_some_and(|at| at.0 <= now) {
            link.handle_timeout(Mono(now));
        }
        while let Some(bytes) = sim.poll_transmit(now) {
            link.handle_bytes(Mono(now), &bytes);
        }
        while let Some(bytes) = link.poll_transmit() {
            sim.handle_bytes(now, &bytes);
        }
        while let Some(observation) = link.poll_event() {
            heard.push((Mono(now), observation));
        }
        while sim.poll_event().is_some() {}
        if over_at.is_none() && sim.truth(1).is_some_and(|truth| truth.finished) {
            over_at = Some(now);
        }
        let next = [sim.poll_timeout(), link.poll_timeout().map(|at| at.0)];
        let next = next.into_iter().flatten().min().unwrap_or(now);
        now = next.max(now + Duration::from_millis(20));
    }
    heard
}

/// What the hub would tell the tracker of it: the clock model finds the presses, the tracker says when it
/// wants to be woken.
fn told<T: Follow>(heard: &[(Mono, Observation)]) -> Game {
    let mut game = Told {
        tracker: T::fresh(),
        clock: ClockModel::new(ClockSettings::default()),
        inputs: Vec::new(),
    };
    for (at, observation) in heard {
        game.wake(*at);
        match observation {
            Observation::Placement { placement, change } => {
                game.tell(*at, Input::Picture(placement.clone(), *change));
                if let Some(turned) = game.tracker.turned() {
                    game.clock.set_white_side(if turned {
                        ClockSide::Right
                    } else {
                        ClockSide::Left
                    });
                }
            }
            Observation::Missed { since } => game.tell(*at, Input::Missed(*since)),
            Observation::Lost(_) => {
                game.clock.handle_outage();
                game.tell(*at, Input::Outage);
            }
            Observation::Clock(reading) => {
                game.clock.handle_reading(*at, reading);
                game.hear_clock(*at);
            }
            Observation::ClockAt { reading, at: read } => {
                game.clock.handle_reading(*read, reading);
                game.hear_clock(*at);
            }
            _ => {}
        }
    }
    game.inputs
}

struct Told<T> {
    tracker: T,
    clock: ClockModel,
    inputs: Game,
}

impl<T: Follow> Told<T> {
    fn tell(&mut self, at: Mono, input: Input) {
        self.tracker.hear(at, &input);
        self.tracker.drain();
        self.inputs.push((at, input));
    }

    fn wake(&mut self, until: Mono) {
        while let Some(due) = self.tracker.due().filter(|due| *due <= until) {
            self.tell(due, Input::Due);
        }
    }

    fn hear_clock(&mut self, at: Mono) {
        while let Some(event) = self.clock.poll_event() {
            match event {
                ClockEvent::Press { side, .. } => self.tell(at, Input::Press(side)),
                ClockEvent::Started { .. } | ClockEvent::Restarted { .. } => {
                    self.tell(at, Input::Running(true));
                }
                ClockEvent::Stopped { .. } => self.tell(at, Input::Running(false)),
                _ => {}
            }
        }
        let runs = self.clock.current(at).and_then(|view| view.running);
        match (self.tracker.in_sight(), runs) {
            (true, Some(side)) => self.tell(at, Input::Runs(side)),
            (true, None) => {}
            (false, runs) => self.tell(at, Input::Witness(runs)),
        }
    }
}

fn replay<T: Follow>(game: &Game) -> usize {
    let mut tracker = T::fresh();
    for (at, input) in game {
        tracker.hear(*at, input);
        tracker.drain();
    }
    tracker.plies()
}

/// How long each update of a game takes.
#[allow(
    clippy::disallowed_methods,
    reason = "a bench measures with the wall clock"
)]
fn times<T: Follow>(game: &Game) -> Vec<Duration> {
    let mut best = vec![Duration::MAX; game.len()];
    for _ in 0..PLAYS {
        let mut tracker = T::fresh();
        for ((at, input), best) in game.iter().zip(&mut best) {
            let began = Instant::now();
            tracker.hear(*at, input);
            tracker.drain();
            *best = began.elapsed().min(*best);
        }
    }
    best
}

/// Prints the rate over all games and the worst updates.
fn worst<T: Follow>(name: &str, games: &[Game]) {
    let mut all = Vec::new();
    let (mut news, mut plies) = (0, 0);
    for (number, game) in games.iter().enumerate() {
        let took = times::<T>(game).into_iter().enumerate();
        all.extend(took.map(|(index, time)| (time, number, index)));
        // A wake-up or the same side's time running on is no news.
        let idle = |input: &Input| matches!(input, Input::Due | Input::Runs(_));
        news += game.iter().filter(|(_, input)| !idle(input)).count();
        plies += replay::<T>(game);
    }
    let total: Duration = all.iter().map(|(time, ..)| *time).sum();
    all.sort_unstable();
    let at = |share: f64| all[((all.len() - 1) as f64 * share) as usize].0;
    println!(
        "{name}: {} games, {plies} plies, {} updates ({news} of them news of board or clock) in {total:.2?}: \
         {:.0} updates/s, {:.0} news/s, {:.0} plies/s",
        games.len(),
        all.len(),
        all.len() as f64 / total.as_secs_f64(),
        news as f64 / total.as_secs_f64(),
        plies as f64 / total.as_secs_f64(),
    );
    println!(
        "  median {:.1?}, 99 % {:.1?}, 99.9 % {:.1?}, 99.99 % {:.1?}, worst:",
        at(0.5),
        at(0.99),
        at(0.999),
        at(0.9999)
    );
    for (time, game, index) in all.iter().rev().take(5) {
        let (at, input) = &games[*game][*index];
        let seconds = at.0.as_secs_f64();
        println!("  {time:.1?} in game {game}, update {index} at {seconds:.2} s: {input:?}");
    }
}

fn bench<T: Follow>(c: &mut Criterion, name: &str, heard: &[Vec<(Mono, Observation)>]) {
    let games: Vec<Game> = heard.iter().map(|heard| told::<T>(heard)).collect();
    worst::<T>(name, &games);
    let sample = &games[..SAMPLE.min(games.len())];
    let mut group = c.benchmark_group("tracker");
    let updates = sample.iter().map(Vec::len).sum::<usize>();
    group.throughput(Throughput::Elements(updates as u64));
    group.sample_size(10);
    group.bench_function(format!("{name}, {updates} updates"), |b| {
        b.iter(|| sample.iter().map(replay::<T>).sum::<usize>());
    });
    group.finish();
}

fn main() {
    let mut args = std::env::args().skip_while(|arg| arg != "--games");
    let games = args.nth(1).map_or(library().len(), |n| n.parse().unwrap());
    let noise = if std::env::args().any(|arg| arg == "--hostile") {
        Noise::hostile()
    } else {
        Noise::ordinary()
    };
    let numbers = 0..games.min(library().len());
    let heard: Vec<_> = numbers.map(|game| observations(game, noise)).collect();
    let mut criterion = Criterion::default();
    bench::<Tracker>(&mut criterion, "men", &heard);
    bench::<OccupancyTracker>(&mut criterion, "occupied squares", &heard);
    criterion.final_summary();
}
