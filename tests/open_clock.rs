//! The hub's conversation with a simulated clock of the open profile, in virtual time, over lines that lose,
//! delay, double and garble what they carry.

use std::{collections::VecDeque, time::Duration};

use flagfall_core::{
    clock::{ClockEvent, ClockModel, ClockSettings},
    protocol::{
        Added, CallKind, ClockCommand, ClockCommandOutcome, ClockReading, ClockSide, Link,
        LostReason, Observation,
        open_clock::link::{OpenClockLink, OpenClockSettings},
    },
    types::{Color, Mono},
};
use flagfall_simulators::{
    clock::Side,
    open_clock::{OpenClock, OpenClockPlan, Talk},
};
use rand::{Rng, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

const MS: Duration = Duration::from_millis(1);
const S: Duration = Duration::from_secs(1);

/// What the line does to what it carries, in percent of the messages.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    lost: u32,
    garbled: u32,
    doubled: u32,
    /// Up to so many ms of delay; the order stays.
    delay: u64,
}

const CLEAN: Line = Line {
    lost: 0,
    garbled: 0,
    doubled: 0,
    delay: 5,
};
const BAD: Line = Line {
    lost: 15,
    garbled: 10,
    doubled: 10,
    delay: 400,
};

type Wire = VecDeque<(Duration, Vec<u8>)>;

struct World {
    clock: OpenClock,
    link: OpenClockLink,
    now: Duration,
    line: Line,
    /// The cable is in.
    plugged: bool,
    to_hub: Wire,
    to_clock: Wire,
    rng: ChaCha8Rng,
    seen: Vec<(Duration, Observation)>,
    writes: usize,
}

fn plan(talk: Talk) -> OpenClockPlan {
    OpenClockPlan {
        serial: "FC-0001".into(),
        talk,
        base: S * 180,
        increment: S * 2,
        freeze: true,
        log_depth: 64,
    }
}

fn carry(wire: &mut Wire, rng: &mut impl Rng, line: Line, now: Duration, mut bytes: Vec<u8>) {
    let mut chance = |percent: u32| rng.random_range(0..100) < percent;
    if chance(line.lost) {
        return;
    }
    let (garbled, doubled) = (chance(line.garbled), chance(line.doubled));
    if garbled && !bytes.is_empty() {
        let at = rng.random_range(0..bytes.len());
        match rng.random_range(0..3) {
            0 => bytes[at] ^= 1 << rng.random_range(0..8),
            1 => drop(bytes.remove(at)),
            _ => bytes.insert(at, rng.random()),
        }
    }
    let delay = Duration::from_millis(rng.random_range(0..=line.delay));
    let last = wire.back().map_or(Duration::ZERO, |(at, _)| *at);
    let at = last.max(now + delay);
    if doubled {
        wire.push_back((at, bytes.clone()));
    }
    wire.push_back((at, bytes));
}

impl World {
    fn new(plan: OpenClockPlan, settings: OpenClockSettings, line: Line, seed: u64) -> Self {
        let mut world = Self {
            clock: OpenClock::new(Duration::ZERO, plan, 77),
            link: OpenClockLink::new(settings),
            now: Duration::ZERO,
            line,
            plugged: false,
            to_hub: Wire::new(),
            to_clock: Wire::new(),
            rng: ChaCha8Rng::seed_from_u64(seed),
            seen: Vec::new(),
            writes: 0,
        };
        world.run(S * 3);
        world.plug();
        world
    }

    fn clean(talk: Talk) -> Self {
        let mut world = Self::new(plan(talk), OpenClockSettings::default(), CLEAN, 1);
        world.run(S * 2);
        world
    }

    fn plug(&mut self) {
        self.plugged = true;
        self.link.handle_open(Mono(self.now));
        self.drain();
    }

    fn unplug(&mut self) {
        self.plugged = false;
        self.to_hub.clear();
        self.to_clock.clear();
        self.clock.unplugged();
        self.link.handle_closed(Mono(self.now));
        self.drain();
    }

    fn drain(&mut self) {
        let (now, line) = (self.now, self.line);
        while let Some(bytes) = self.clock.poll_transmit() {
            if self.plugged {
                carry(&mut self.to_hub, &mut self.rng, line, now, bytes);
            }
        }
        while let Some(bytes) = self.link.poll_transmit() {
            self.writes += 1;
            if self.plugged {
                carry(&mut self.to_clock, &mut self.rng, line, now, bytes);
            }
        }
        while let Some(seen) = self.link.poll_event() {
            self.seen.push((now, seen));
        }
        if self.link.poll_reopen().is_some() {
            self.link.handle_open(Mono(now));
        }
    }

    /// Lets the time pass, from one thing that happens to the next.
    fn run(&mut self, span: Duration) {
        let end = self.now + span;
        let mut steps = 0;
        loop {
            self.drain();
            let timer = self.link.poll_timeout().map(|at| at.0);
            let fronts = [&self.to_hub, &self.to_clock].map(|wire| wire.front().map(|it| it.0));
            let next = fronts.into_iter().flatten().chain(timer);
            let next = next
                .chain([self.clock.next_event(), end])
                .min()
                .unwrap_or(end);
            self.now = self.now.max(next.min(end));
            self.clock.advance(self.now);
            if let Some((_, bytes)) = self.to_hub.pop_front_if(|it| it.0 <= self.now) {
                // Reads split anywhere.
                let cut = self.rng.random_range(0..=bytes.len());
                for part in [&bytes[..cut], &bytes[cut..]] {
                    self.link.handle_bytes(Mono(self.now), part);
                }
            }
            if let Some((_, bytes)) = self.to_clock.pop_front_if(|it| it.0 <= self.now) {
                self.clock.handle_bytes(self.now, &bytes);
            }
            if self.link.poll_timeout().is_some_and(|at| at.0 <= self.now) {
                self.link.handle_timeout(Mono(self.now));
            }
            self.drain();
            steps += 1;
            assert!(steps < 200_000, "the link never rests");
            if self.now >= end && self.to_hub.front().is_none_or(|it| it.0 > end) {
                return;
            }
        }
    }

    fn command(&mut self, command: ClockCommand) {
        self.link.handle_clock_command(Mono(self.now), command);
        self.drain();
    }

    fn outcomes(&self) -> Vec<ClockCommandOutcome> {
        let outcome = |(_, seen): &(Duration, Observation)| match seen {
            Observation::ClockCommand(outcome) => Some(*outcome),
            _ => None,
        };
        self.seen.iter().filter_map(outcome).collect()
    }

    fn faults(&self) -> Vec<&str> {
        self.seen
            .iter()
            .filter_map(|(_, seen)| match seen {
                Observation::Fault(words) => Some(words.as_str()),
                _ => None,
            })
            .collect()
    }

    fn last_reading(&self) -> ClockReading {
        let readings = self.seen.iter().rev().find_map(|(_, seen)| match seen {
            Observation::Clock(reading) | Observation::ClockAt { reading, .. } => Some(*reading),
            _ => None,
        });
        readings.expect("a reading")
    }

    /// What the hub's clock model makes of all that was told.
    fn facts(&self) -> Vec<(Mono, ClockEvent)> {
        let mut model = ClockModel::new(ClockSettings::default());
        let mut facts = Vec::new();
        for (now, seen) in &self.seen {
            let now = Mono(*now);
            match seen {
                Observation::Clock(reading) => model.handle_reading(now, reading),
                Observation::ClockAt { reading, at } => model.handle_reading(*at, reading),
                Observation::Lost(_) => model.handle_outage(),
                _ => {}
            }
            while let Some(event) = model.poll_event() {
                facts.push((now, event));
            }
        }
        facts
    }

    /// Who pressed, and both times after it, as the hub knows it.
    fn presses(&self) -> Vec<(Color, [u128; 2])> {
        let facts = self.facts().into_iter();
        facts
            .filter_map(|(_, fact)| match fact {
                ClockEvent::Press { side, times } => {
                    Some((side, [times.white.as_millis(), times.black.as_millis()]))
                }
                _ => None,
            })
            .collect()
    }
}

/// What the clock itself did.
#[derive(Default)]
struct Played {
    presses: Vec<(Color, [u128; 2])>,
}

/// Plays on until a flag falls. `outages`: from which press on the cable is out, and for how long.
fn play(world: &mut World, outages: &[(usize, Duration)]) -> Played {
    let mut played = Played::default();
    world.clock.start(world.now, Side::Left);
    let (mut side, mut unplugged_for) = (Side::Left, Duration::ZERO);
    let mut thinking = ChaCha8Rng::seed_from_u64(5);
    for number in 0.. {
        if let Some((_, span)) = outages.iter().find(|(from, _)| *from == number) {
            world.unplug();
            unplugged_for = *span;
        }
        let think = MS * thinking.random_range(150..9000);
        world.run(think);
        if !world.plugged {
            unplugged_for = unplugged_for.saturating_sub(think);
            if unplugged_for.is_zero() {
                world.plug();
            }
        }
        if !world.clock.press(world.now, side) {
            break;
        }
        let colour = Color::from_white(side == Side::Left);
        let times = world.clock.times_ms(world.now).map(|time| time as u128);
        played.presses.push((colour, times));
        side = side.other();
        assert!(number < 500, "nobody loses");
    }
    if !world.plugged {
        world.plug();
    }
    world.run(S * 30);
    played
}

const TALKS: [Talk; 3] = [
    Talk::Cobs,
    Talk::Json { checked: false },
    Talk::Json { checked: true },
];

#[test]
fn a_clock_is_found_and_read() {
    for talk in TALKS {
        let mut world = World::clean(talk);
        let Observation::Found(info) = &world.seen[0].1 else {
            panic!("{:?}", world.seen);
        };
        assert_eq!(
            (info.family.as_str(), info.serial.as_deref()),
            ("open-clock", Some("FC-0001"))
        );
        world.clock.start(world.now, Side::Left);
        world.run(S * 10 + MS * 250);
        let reading = world.last_reading();
        assert!(reading.running);
        assert_eq!(reading.lever_high, ClockSide::Left);
        // The last state is at most a second old, and exact for its moment.
        assert!((169_700..=171_000).contains(&reading.left.time.as_millis()));
        assert_eq!(reading.right.time, S * 180);
        world.clock.press(world.now, Side::Left);
        world.clock.call(world.now, Side::Right);
        world.run(MS * 20);
        let reading = world.last_reading();
        assert_eq!(reading.left.time.as_millis(), 169_750 + 2000);
        assert_eq!(reading.lever_high, ClockSide::Right);
        let called = world.seen.iter().find_map(|(_, seen)| match seen {
            Observation::Called(call) => Some(*call),
            _ => None,
        });
        let called = called.unwrap();
        assert_eq!(
            (called.side, called.what),
            (Some(ClockSide::Right), CallKind::Arbiter)
        );
        let before = world.writes;
        world.run(S * 60);
        assert_eq!(world.writes, before, "a running clock is not questioned");
        assert_eq!(world.faults(), Vec::<&str>::new());
    }
}

#[test]
fn nothing_is_lost_on_disturbed_lines() {
    for (seed, talk) in (1..9).zip(TALKS.into_iter().cycle()) {
        // Without a check a garbled line may be taken for a good one.
        let line = match talk {
            Talk::Json { checked: false } => Line { garbled: 0, ..BAD },
            _ => BAD,
        };
        let mut world = World::new(plan(talk), OpenClockSettings::default(), line, seed);
        world.run(S * 20);
        let played = play(&mut world, &[(12, S * 4), (30, S * 45)]);
        assert!(played.presses.len() > 40, "a short game");
        assert_eq!(world.presses(), played.presses, "seed {seed}, {talk:?}");
        let flags: Vec<_> = world
            .facts()
            .into_iter()
            .filter(|(_, fact)| matches!(fact, ClockEvent::Flag { .. }))
            .collect();
        assert_eq!(flags.len(), 1, "seed {seed}: {flags:?}");
        assert_eq!(world.faults(), Vec::<&str>::new(), "seed {seed}");
    }
}

#[test]
fn what_happened_while_the_line_was_away_has_its_own_time() {
    let mut world = World::clean(Talk::Cobs);
    world.clock.start(world.now, Side::Left);
    world.run(S * 5);
    world.unplug();
    world.run(S * 7);
    let pressed = world.now;
    world.clock.press(world.now, Side::Left);
    world.run(S * 20);
    world.plug();
    world.run(S * 2);
    let (told, at) = world
        .seen
        .iter()
        .find_map(|(told, seen)| match seen {
            Observation::ClockAt { reading, at } if reading.lever_high == ClockSide::Right => {
                Some((*told, at.0))
            }
            _ => None,
        })
        .expect("the press");
    assert!(told >= pressed + S * 20);
    assert!(at.abs_diff(pressed) < MS * 10, "{at:?} for {pressed:?}");
}

#[test]
fn a_log_that_was_too_short_is_said() {
    let short = OpenClockPlan {
        log_depth: 4,
        base: S * 600,
        ..plan(Talk::Cobs)
    };
    let mut world = World::new(short, OpenClockSettings::default(), CLEAN, 1);
    world.run(S * 2);
    world.clock.start(world.now, Side::Left);
    world.run(S);
    world.unplug();
    for side in [Side::Left, Side::Right].into_iter().cycle().take(10) {
        world.run(S * 2);
        world.clock.press(world.now, side);
    }
    world.plug();
    world.run(S * 10);
    // Boot, start and ten presses; the last four are kept.
    assert_eq!(
        world.faults(),
        ["events 3 to 8 of the clock are lost: look at the clock"]
    );
    let times = world.clock.times_ms(world.now);
    let reading = world.last_reading();
    assert_eq!(reading.lever_high, ClockSide::Left);
    assert_eq!(reading.right.time.as_millis() as i64, times[1]);
}

#[test]
fn a_silent_clock_is_lost_and_comes_back() {
    let mut world = World::clean(Talk::Cobs);
    world.clock.start(world.now, Side::Left);
    world.run(S * 3);
    world.line.lost = 100;
    let silent = world.now;
    world.run(S * 5);
    let lost = |world: &World| {
        let mut all = world.seen.iter();
        all.find(|(_, seen)| *seen == Observation::Lost(LostReason::Silent))
            .map(|(at, _)| *at)
    };
    assert_eq!(lost(&world), None);
    world.run(S * 10);
    assert!(lost(&world).is_some_and(|at| at >= silent + S * 7 && at <= silent + S * 12));
    world.clock.press(world.now, Side::Left);
    world.line.lost = 0;
    world.run(S * 3);
    assert_eq!(world.presses().len(), 1);
    assert_eq!(world.last_reading().lever_high, ClockSide::Right);
}

#[test]
fn a_stranger_is_no_clock() {
    let mut link = OpenClockLink::new(OpenClockSettings::default());
    link.handle_open(Mono::ZERO);
    let mut now = Mono::ZERO;
    let mut reopen = None;
    for _ in 0..50 {
        link.handle_bytes(now, b"$GPGGA,123519,4807.038,N*47\r\n");
        reopen = reopen.or(link.poll_reopen());
        let Some(next) = link.poll_timeout() else {
            break;
        };
        now = next;
        link.handle_timeout(now);
    }
    assert!(reopen.is_some());
    assert_eq!(
        link.poll_event(),
        Some(Observation::Lost(LostReason::NotADevice))
    );
    assert_eq!(link.poll_event(), None);
}

#[test]
fn a_brown_out_is_told_and_the_new_numbers_are_followed() {
    let mut world = World::clean(Talk::Cobs);
    world.clock.start(world.now, Side::Left);
    world.run(S * 20);
    world.clock.brown_out(world.now, 78);
    world.run(S * 3);
    assert_eq!(
        world.faults(),
        ["the clock has started anew: compare its times"]
    );
    assert!(!world.last_reading().running);
    assert_eq!(world.last_reading().left.time, S * 160);
    world.clock.resume(world.now, Side::Left);
    world.run(S * 4);
    world.clock.press(world.now, Side::Left);
    world.run(S);
    assert_eq!(world.presses().len(), 1);
    assert!(
        !world
            .facts()
            .iter()
            .any(|(_, f)| matches!(f, ClockEvent::Flag { .. }))
    );
}

const PENALTY: ClockCommand = ClockCommand::AddTime {
    side: ClockSide::Right,
    ms: 120_000,
    why: Added::Penalty,
};

#[test]
fn changes_need_a_permission() {
    for talk in TALKS {
        let mut world = World::clean(talk);
        world.command(PENALTY);
        world.run(S);
        assert_eq!(world.outcomes(), [ClockCommandOutcome::Refused]);
        assert!(world.faults()[0].contains("hold its two buttons"));
        assert_eq!(world.clock.times_ms(world.now), [180_000, 180_000]);
        let text = "TABLE 12".to_owned();
        world.command(ClockCommand::Display { text, beep: false });
        world.clock.hold_buttons(world.now);
        world.command(PENALTY);
        world.run(S);
        assert_eq!(world.outcomes()[1..], [ClockCommandOutcome::Done; 2]);
        assert_eq!(world.clock.display(), "TABLE 12");
        assert_eq!(world.clock.times_ms(world.now), [180_000, 300_000]);
        assert_eq!(world.last_reading().right.time, S * 300);
        // Two minutes later it is over.
        world.run(S * 120);
        world.command(PENALTY);
        world.run(S);
        assert_eq!(world.outcomes()[3], ClockCommandOutcome::Refused);
    }
    let settings = OpenClockSettings {
        may_change: false,
        ..OpenClockSettings::default()
    };
    let mut world = World::new(plan(Talk::Cobs), settings, CLEAN, 1);
    world.run(S * 2);
    world.clock.hold_buttons(world.now);
    world.command(PENALTY);
    world.run(S);
    assert_eq!(world.outcomes(), [ClockCommandOutcome::Refused]);
    assert_eq!(world.faults(), ["the hub may not change this clock"]);
}

#[test]
fn times_are_not_set_over_a_press_in_between() {
    let mut world = World::clean(Talk::Cobs);
    world.clock.hold_buttons(world.now);
    world.clock.start(world.now, Side::Left);
    world.run(S * 3);
    let set = ClockCommand::SetTimes {
        left: S * 100,
        right: S * 90,
        run: Some(ClockSide::Left),
    };
    world.command(set.clone());
    world.clock.press(world.now, Side::Left);
    world.run(S);
    assert_eq!(world.outcomes(), [ClockCommandOutcome::Refused]);
    assert!(world.faults()[0].contains("meanwhile"));
    world.command(set);
    world.run(S);
    assert_eq!(world.outcomes()[1], ClockCommandOutcome::Done);
    let [left, right] = world.clock.times_ms(world.now);
    assert!((98_900..=100_000).contains(&left));
    assert_eq!(right, 90_000);
    assert_eq!(world.last_reading().right.time, S * 90);
}

/// Answers get lost; what was added must be added once.
#[test]
fn a_change_is_never_made_twice() {
    let mut outcomes = [0; 2];
    for seed in 0..40 {
        let line = Line { lost: 40, ..CLEAN };
        let mut world = World::new(plan(Talk::Cobs), OpenClockSettings::default(), line, seed);
        world.run(S * 20);
        world.clock.hold_buttons(world.now);
        world.command(PENALTY);
        world.run(S * 40);
        let added = (world.clock.times_ms(world.now)[1] - 180_000) / 1000;
        match world.outcomes()[..] {
            [ClockCommandOutcome::Done] => {
                outcomes[0] += 1;
                assert_eq!(added, 120, "seed {seed}");
            }
            // Nobody knows, and that is said.
            [ClockCommandOutcome::Unanswered] => {
                outcomes[1] += 1;
                assert!(added == 0 || added == 120, "seed {seed}: {added}");
            }
            ref other => panic!("seed {seed}: {other:?}"),
        }
    }
    assert!(outcomes[0] >= 30, "{outcomes:?}");
}
