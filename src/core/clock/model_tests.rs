use super::*;
use crate::clock::FlagOrder;

fn face(seconds: u64) -> FaceReading {
    FaceReading {
        time: Duration::from_secs(seconds),
        flag_blocked: false,
        flag_shown: false,
        time_per_move: false,
    }
}

/// Left's (White's) and right's seconds, running, and who is to move.
fn reading(left: u64, right: u64, running: bool, lever_high: ClockSide) -> ClockReading {
    ClockReading {
        left: face(left),
        right: face(right),
        running,
        lever_high,
        battery_low: false,
    }
}

const LEFT: ClockSide = ClockSide::Left;
const RIGHT: ClockSide = ClockSide::Right;

struct Hall {
    clock: ClockModel,
    now: u64,
}

impl Hall {
    fn new(control: &str) -> Self {
        let control = Some(control.parse().unwrap());
        let settings = ClockSettings {
            white_side: LEFT,
            control,
        };
        Self {
            clock: ClockModel::new(settings),
            now: 0,
        }
    }

    /// One second later the clock says this.
    fn says(&mut self, reading: &ClockReading) -> Vec<ClockEvent> {
        self.now += 1000;
        self.clock
            .handle_reading(Mono::from_millis(self.now), reading);
        self.events()
    }

    fn waits(&mut self, ms: u64) -> Vec<ClockEvent> {
        self.now += ms;
        self.clock.handle_timeout(Mono::from_millis(self.now));
        self.events()
    }

    fn events(&mut self) -> Vec<ClockEvent> {
        std::iter::from_fn(|| self.clock.poll_event()).collect()
    }

    fn running(control: &str, left: u64, right: u64) -> Self {
        let mut hall = Self::new(control);
        assert_eq!(hall.says(&reading(left, right, false, LEFT)), []);
        let started = hall.says(&reading(left, right, true, LEFT));
        assert!(matches!(
            started[..],
            [ClockEvent::Started {
                running: Color::White,
                ..
            }]
        ));
        hall
    }
}

fn times(white: u64, black: u64) -> Times {
    Times {
        white: Duration::from_secs(white),
        black: Duration::from_secs(black),
    }
}

#[test]
fn the_first_reading_is_a_state() {
    let mut hall = Hall::new("5");
    assert_eq!(hall.says(&reading(100, 90, true, RIGHT)), []);
    let view = hall.clock.current(Mono::from_millis(1500)).unwrap();
    assert_eq!(view.running, Some(Color::Black));
    assert_eq!(
        (view.times, view.age),
        (times(100, 90), Duration::from_millis(500))
    );
}

#[test]
fn a_press_names_who_pressed_and_the_increment_is_no_correction() {
    let mut hall = Hall::running("5+3", 300, 300);
    assert_eq!(hall.says(&reading(299, 300, true, LEFT)), []);
    assert_eq!(
        hall.says(&reading(301, 300, true, RIGHT)),
        [ClockEvent::Press {
            side: Color::White,
            times: times(301, 300)
        }]
    );
    let events = hall.says(&reading(301, 299, true, LEFT));
    assert!(matches!(
        events[..],
        [ClockEvent::Press {
            side: Color::Black,
            ..
        }]
    ));
    assert_eq!(
        hall.says(&reading(301, 302, true, LEFT)),
        [],
        "the increment one reading late"
    );
}

#[test]
fn a_lever_moved_on_a_standing_clock_is_no_press() {
    let mut hall = Hall::new("5");
    hall.says(&reading(300, 300, false, LEFT));
    assert_eq!(hall.says(&reading(300, 300, false, RIGHT)), []);
    let events = hall.says(&reading(300, 300, true, LEFT));
    assert!(matches!(
        events[..],
        [ClockEvent::Started {
            running: Color::White,
            ..
        }]
    ));
}

#[test]
fn stale_and_garbled_readings_pass_without_a_word() {
    let mut hall = Hall::running("5", 200, 100);
    // A stale value over Bluetooth, a zero, the other side's time.
    for noise in [(215, 100), (0, 100), (100, 100)] {
        assert_eq!(
            hall.says(&reading(noise.0, noise.1, true, LEFT)),
            [],
            "{noise:?}"
        );
        assert_eq!(
            hall.says(&reading(198, 100, true, LEFT)),
            [],
            "after {noise:?}"
        );
    }
    let view = hall.clock.current(Mono::from_millis(hall.now)).unwrap();
    assert_eq!((view.times, view.flags.white), (times(198, 100), false));
}

#[test]
fn a_jump_that_stays_is_a_correction() {
    let mut hall = Hall::running("5", 200, 100);
    assert_eq!(hall.says(&reading(199, 220, true, LEFT)), []);
    assert_eq!(
        hall.says(&reading(198, 220, true, LEFT)),
        [ClockEvent::Corrected {
            before: times(200, 100),
            after: times(198, 220),
            stopped: false
        }]
    );
    // More than an hour: three times.
    for seconds in [198, 197] {
        assert_eq!(hall.says(&reading(seconds, 9000, true, LEFT)), []);
    }
    assert_eq!(hall.says(&reading(196, 9000, true, LEFT)).len(), 1);
}

/// R-CK-5; the arbiter's hand turns digit by digit, and that is one correction.
#[test]
fn an_edited_clock_is_one_correction_with_before_and_after() {
    let mut hall = Hall::running("90+30", 1200, 1000);
    let events = hall.says(&reading(1199, 1000, false, LEFT));
    assert_eq!(
        events,
        [ClockEvent::Stopped {
            running: Color::White,
            times: times(1199, 1000)
        }]
    );
    for right in [1060, 1120] {
        assert_eq!(hall.says(&reading(1199, right, false, LEFT)), []);
    }
    let events = hall.waits(3000);
    assert_eq!(
        events,
        [ClockEvent::Corrected {
            before: times(1199, 1000),
            after: times(1199, 1120),
            stopped: true
        }]
    );
    let events = hall.says(&reading(1199, 1120, true, LEFT));
    assert!(matches!(
        events[..],
        [ClockEvent::Restarted {
            running: Color::White,
            ..
        }]
    ));
}

#[test]
fn setting_the_clock_before_the_game_is_no_correction() {
    let mut hall = Hall::new("90+30");
    hall.says(&reading(300, 300, false, LEFT));
    hall.says(&reading(5400, 5400, false, LEFT));
    assert_eq!(hall.waits(10_000), []);
}

/// R-CK-1: the side that fell first is named, the order kept.
#[test]
fn flags_keep_their_order() {
    let mut hall = Hall::running("5", 1, 2);
    let mut fallen = reading(0, 2, true, RIGHT);
    fallen.left.flag_shown = true;
    let events = hall.says(&fallen);
    assert!(events.contains(&ClockEvent::Flag {
        side: Color::White,
        order: FlagOrder::First,
        unknown: None,
        within: Duration::from_secs(2),
        times: times(0, 2)
    }));
    let mut both = reading(0, 0, false, RIGHT);
    both.left.flag_shown = true;
    both.right.flag_blocked = true;
    let events = hall.says(&both);
    assert!(events.contains(&ClockEvent::Flag {
        side: Color::Black,
        order: FlagOrder::Second,
        unknown: None,
        within: Duration::from_secs(2),
        times: times(0, 0)
    }));
    assert!(!events.iter().any(|e| matches!(
        e,
        ClockEvent::Flag {
            side: Color::White,
            ..
        }
    )));
}

#[test]
fn two_flags_in_one_reading_have_no_known_order() {
    let mut hall = Hall::running("5", 1, 1);
    let mut both = reading(0, 0, true, LEFT);
    both.left.flag_shown = true;
    both.right.flag_shown = true;
    let orders: Vec<_> = hall
        .says(&both)
        .into_iter()
        .filter_map(|event| match event {
            ClockEvent::Flag { order, .. } => Some(order),
            _ => None,
        })
        .collect();
    assert_eq!(orders, [FlagOrder::Unknown, FlagOrder::Unknown]);
}

#[test]
fn zero_without_a_sign_must_stand_for_two_readings() {
    let mut hall = Hall::running("5", 1, 50);
    assert_eq!(hall.says(&reading(0, 50, true, LEFT)), []);
    let events = hall.says(&reading(0, 50, true, LEFT));
    assert!(matches!(
        events[..],
        [ClockEvent::Flag {
            side: Color::White,
            order: FlagOrder::First,
            ..
        }]
    ));
    assert_eq!(hall.says(&reading(0, 50, true, LEFT)), [], "told once");
}

/// R-CK-3.
#[test]
fn an_increment_after_the_flag_is_told() {
    let mut hall = Hall::running("5+3", 1, 50);
    let mut down = reading(0, 50, true, LEFT);
    down.left.flag_shown = true;
    assert_eq!(hall.says(&down).len(), 1);
    let mut added = reading(3, 50, true, RIGHT);
    added.left.flag_shown = true;
    let events = hall.says(&added);
    let added = Duration::from_secs(3);
    assert!(events.contains(&ClockEvent::AddedAfterFlag {
        side: Color::White,
        added
    }));
}

#[test]
fn an_unplugged_clock_keeps_its_last_times() {
    let mut hall = Hall::running("5", 200, 100);
    hall.clock.handle_gone(Mono::from_millis(hall.now));
    hall.clock.handle_gone(Mono::from_millis(hall.now));
    assert_eq!(hall.events(), [ClockEvent::Gone]);
    assert_eq!(hall.waits(20_000), []);
    let view = hall.clock.current(Mono::from_millis(hall.now)).unwrap();
    assert!(view.gone && view.age == Duration::from_secs(20));
    // Back with the lever changed meanwhile: no press was seen.
    assert_eq!(
        hall.says(&reading(185, 98, true, RIGHT)),
        [ClockEvent::Back]
    );
}

#[test]
fn a_low_battery_is_told_once() {
    let mut hall = Hall::running("5", 200, 100);
    let mut low = reading(199, 100, true, LEFT);
    low.battery_low = true;
    assert_eq!(hall.says(&low), [ClockEvent::BatteryLow]);
    assert_eq!(hall.says(&low), []);
}

/// The clock says that White pressed, and after a long think it is White again who moves: twice.
#[test]
fn the_thinker_being_the_one_who_pressed_casts_doubt_on_the_sides() {
    let mut hall = Hall::running("5", 300, 300);
    let pressed = hall.says(&reading(299, 300, true, RIGHT));
    assert!(matches!(
        pressed[..],
        [ClockEvent::Press {
            side: Color::White,
            ..
        }]
    ));
    hall.clock
        .handle_move(Mono::from_millis(hall.now + 2000), Color::White);
    assert_eq!(hall.events(), []);
    let pressed = hall.says(&reading(299, 298, true, LEFT));
    assert!(matches!(
        pressed[..],
        [ClockEvent::Press {
            side: Color::Black,
            ..
        }]
    ));
    hall.clock
        .handle_move(Mono::from_millis(hall.now + 2000), Color::Black);
    assert_eq!(hall.events(), [ClockEvent::SideDoubt { white_side: RIGHT }]);
    hall.clock.set_white_side(RIGHT);
    let view = hall.clock.current(Mono::from_millis(hall.now)).unwrap();
    assert_eq!(view.times, times(298, 299));
}

/// A whole hall of quick games raised sixty false doubts when lever and board came crosswise.
#[test]
fn quick_play_casts_no_doubt_on_the_sides() {
    let mut hall = Hall::running("5", 300, 300);
    for (left, right, lever, mover) in [
        (300, 300, RIGHT, Color::White),
        (300, 300, LEFT, Color::White),
        (300, 299, RIGHT, Color::Black),
        (299, 299, LEFT, Color::White),
    ] {
        hall.says(&reading(left, right, true, lever));
        // Two moves after one press, and one that was seen before the press was told.
        hall.clock
            .handle_move(Mono::from_millis(hall.now - 100), mover);
        hall.clock
            .handle_move(Mono::from_millis(hall.now + 300), mover);
        hall.clock
            .handle_move(Mono::from_millis(hall.now + 1800), mover.other());
        let doubts: Vec<_> = hall
            .events()
            .into_iter()
            .filter(|event| matches!(event, ClockEvent::SideDoubt { .. }))
            .collect();
        assert_eq!(doubts, []);
    }
}
