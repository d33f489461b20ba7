//! The hall's screens, and what the hub says by the clock beside the countdown: R-CD-1, -2, -4, -5, -6.

// Helpers of tests fail by panicking, as tests do.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use flagfall_core::{
    hub::{
        Hub, HubSettings,
        command::{Command, Refused, Request},
        event::{
            AlertFact, AlertKind, EmergencyKind, Event, Fact, HallText, Mark, RoundFact,
            ScreenContent, ScreenFact, ScreenLanguage, ScreenSettings, SetUp,
        },
        screens::{SeenScreen, SeenScreens},
        state::HallState,
        view::{Phase, ScreenSound},
    },
    protocol::{ClockCommand, DeviceInfo, Observation},
    tournament::{
        EventSettings, Player,
        event::{DefaultTime, PlayOffTime},
        schedule::{RoundStart, Schedule},
    },
    types::{Mono, Now, PlayerNo, RoundNo, TableNo},
};
use jiff::SignedDuration;

/// A hall in virtual time; keeps what was written down.
struct Hall {
    hub: Hub,
    now: Now,
    journal: Vec<Event>,
}

impl Hall {
    fn new(players: u16, change: impl FnOnce(&mut EventSettings)) -> Self {
        let now = Now {
            mono: Mono::from_millis(3_600_000),
            utc: "2026-12-05T08:00:00Z".parse().unwrap(),
        };
        let mut settings = EventSettings::new("Cup", "open".parse().unwrap(), Some("5+3"));
        change(&mut settings);
        let players = (1..=players)
            .map(|no| Player::new(PlayerNo(no), format!("Player {no}")))
            .collect();
        let mut hub = Hub::new(HubSettings::default(), HallState::default(), now);
        hub.handle_set_up(now, SetUp { settings, players });
        let mut hall = Self {
            hub,
            now,
            journal: Vec::new(),
        };
        hall.drain();
        hall
    }

    fn drain(&mut self) {
        while let Some(event) = self.hub.poll_event() {
            self.journal.push(event);
        }
    }

    fn ask(&mut self, command: Command) -> Result<(), Refused> {
        let by = "Anna".to_owned();
        let done = self.hub.handle_request(self.now, Request { by, command });
        self.drain();
        done
    }

    fn act(&mut self, command: Command) {
        self.ask(command).unwrap();
    }

    /// Lets time pass, and the hub do what comes due.
    fn pass(&mut self, time: Duration) {
        let until = self.now.mono + time;
        while let Some(at) = self.hub.poll_timeout().filter(|at| *at <= until) {
            self.go_to(at.max(self.now.mono));
            self.hub.handle_timeout(self.now);
            self.drain();
        }
        self.go_to(until);
    }

    fn go_to(&mut self, at: Mono) {
        let step = at.since(self.now.mono);
        self.now.mono = at;
        self.now.utc += SignedDuration::try_from(step).unwrap();
    }

    /// The pages that are heard, by key and how long ago.
    fn see(&mut self, pages: &[(&str, u64)]) {
        let named = (pages.iter())
            .map(|(key, silent)| SeenScreen {
                key: (*key).to_owned(),
                silent: Duration::from_secs(*silent),
                size: (1920, 1080),
                address: "10.0.0.7".to_owned(),
                sound: ScreenSound::Blocked,
            })
            .collect();
        let seen = SeenScreens { nameless: 0, named };
        self.hub.handle_screens(self.now, seen);
        self.drain();
    }

    fn numbers(&self) -> Vec<(u16, String, bool)> {
        let views = self.hub.hall_view(self.now).screens;
        views
            .into_iter()
            .map(|view| (view.number, view.key, view.online))
            .collect()
    }

    fn open(&self, about: AlertKind) -> usize {
        let alerts = self.hub.state().alerts.values();
        alerts.filter(|alert| alert.about == about).count()
    }

    fn marks(&self) -> Vec<Mark> {
        let facts = self.journal.iter().map(|event| &event.fact);
        facts
            .filter_map(|fact| match fact {
                Fact::Announce { mark } => Some(*mark),
                _ => None,
            })
            .collect()
    }

    fn publish_for(&mut self, minutes: i64) {
        self.act(Command::PairRound);
        self.act(Command::PublishRound);
        let starts_at = self.now.utc + SignedDuration::from_mins(minutes);
        self.act(Command::ScheduleRound {
            starts_at,
            earlier_confirmed: false,
        });
    }

    fn result(&mut self, table: u16) {
        self.act(Command::SetResult {
            table: TableNo(table),
            result: "1-0".to_owned(),
            termination: None,
            note: None,
        });
    }
}

fn shows(content: ScreenContent) -> ScreenSettings {
    ScreenSettings {
        name: "Foyer".to_owned(),
        content,
        languages: vec![ScreenLanguage::Uk, ScreenLanguage::En],
        ..ScreenSettings::default()
    }
}

fn text(en: &str) -> HallText {
    HallText {
        en: en.to_owned(),
        ..HallText::default()
    }
}

#[test]
fn a_screen_keeps_the_number_and_the_page_that_it_was_given() {
    let mut hall = Hall::new(4, |_| {});
    hall.see(&[("left-screen", 0), ("right-screen", 0)]);
    let both = |online| {
        vec![
            (1, "left-screen".to_owned(), online),
            (2, "right-screen".to_owned(), online),
        ]
    };
    assert_eq!(hall.numbers(), both(true));
    let settings = shows(ScreenContent::Standings);
    hall.act(Command::AssignScreen {
        screen: 2,
        settings: settings.clone(),
    });

    // The hub is started anew; the screens come back in another order.
    let mut state = HallState::default();
    for event in &hall.journal {
        state.apply(event);
    }
    hall.hub = Hub::new(HubSettings::default(), state, hall.now);
    hall.see(&[("right-screen", 0)]);
    assert_eq!(hall.numbers(), both(true)[1..]);
    hall.see(&[("right-screen", 0), ("left-screen", 0)]);
    assert_eq!(hall.numbers(), both(true));
    let views = hall.hub.hall_view(hall.now).screens;
    assert_eq!((views[1].assigned, &views[1].settings), (true, &settings));

    // Where nobody listens any more there is no screen, unless it was assigned.
    hall.see(&[]);
    assert_eq!(hall.numbers(), [(2, "right-screen".to_owned(), false)]);
    hall.act(Command::ForgetScreen { screen: 2 });
    assert_eq!(hall.numbers(), []);
    let gone = hall.ask(Command::ForgetScreen { screen: 2 });
    assert!(matches!(gone, Err(Refused::NotFound { .. })), "{gone:?}");
}

#[test]
fn a_screen_that_is_silent_for_fifteen_seconds_is_told_once() {
    let mut hall = Hall::new(4, |_| {});
    hall.see(&[("left-screen", 0), ("not-assigned", 0)]);
    let settings = shows(ScreenContent::Countdown);
    hall.act(Command::AssignScreen {
        screen: 1,
        settings,
    });
    hall.see(&[("left-screen", 14), ("not-assigned", 99)]);
    assert_eq!(hall.open(AlertKind::ScreenSilent), 0);
    hall.see(&[("left-screen", 15)]);
    hall.see(&[("left-screen", 16)]);
    assert_eq!(hall.open(AlertKind::ScreenSilent), 1);
    // An arbiter has seen it; it is not told again while it lasts.
    let alerts = hall.hub.state().alerts.iter();
    let silent = alerts.filter(|(_, alert)| alert.about == AlertKind::ScreenSilent);
    let alert = silent.map(|(number, _)| *number).next().unwrap();
    hall.act(Command::CloseAlert { alert });
    hall.see(&[("left-screen", 17)]);
    assert_eq!(hall.open(AlertKind::ScreenSilent), 0);
    hall.see(&[("left-screen", 0)]);
    hall.see(&[("left-screen", 20)]);
    assert_eq!(hall.open(AlertKind::ScreenSilent), 1, "silent anew");
    hall.see(&[("left-screen", 0)]);
    assert_eq!(hall.open(AlertKind::ScreenSilent), 0, "it is back");
}

#[test]
fn a_large_event_without_a_countdown_is_told_a_quarter_of_an_hour_before() {
    for (players, content, silent, wanted) in [
        (31, None, 0, 1),
        (30, None, 0, 0),
        (31, Some(ScreenContent::Rotation), 0, 0),
        (31, Some(ScreenContent::Standings), 0, 1),
        (31, Some(ScreenContent::Countdown), 20, 1),
    ] {
        let mut hall = Hall::new(players, |_| {});
        if let Some(content) = content {
            hall.see(&[("the-screen", 0)]);
            hall.act(Command::AssignScreen {
                screen: 1,
                settings: shows(content),
            });
            hall.see(&[("the-screen", silent)]);
        }
        hall.publish_for(20);
        hall.pass(Duration::from_secs(299));
        assert_eq!(hall.open(AlertKind::NoScreen), 0);
        hall.pass(Duration::from_secs(1));
        let told = hall.open(AlertKind::NoScreen);
        assert_eq!(told, wanted, "{players} {content:?} {silent}");
    }
}

#[test]
fn every_move_of_the_start_is_announced_again_and_an_earlier_one_needs_a_second_word() {
    let mut hall = Hall::new(4, |_| {});
    hall.publish_for(6);
    hall.pass(Duration::from_mins(2));
    assert_eq!(hall.marks(), [Mark::FiveMinutes], "T-15:00 had passed");
    let shift = |seconds, earlier_confirmed| Command::ShiftRound {
        seconds,
        earlier_confirmed,
    };
    // Four minutes left: not earlier, whatever anybody says.
    assert!(hall.ask(shift(-60, true)).is_err());
    hall.act(shift(300, false));
    assert!(hall.ask(shift(-60, false)).is_err(), "a second word");
    hall.act(shift(-60, true));
    hall.pass(Duration::from_mins(8));
    let marks = [
        Mark::FiveMinutes,
        Mark::FiveMinutes,
        Mark::OneMinute,
        Mark::Zero,
    ];
    assert_eq!(hall.marks(), marks);
    assert_eq!(hall.hub.phase(), Some(Phase::Zero));
}

#[test]
fn photography_ends_with_an_announcement() {
    let mut hall = Hall::new(4, |settings| settings.default_time = DefaultTime::None);
    hall.publish_for(1);
    hall.pass(Duration::from_mins(1));
    hall.act(Command::StartRound);
    let round = hall.hub.hall_view(hall.now).round.unwrap();
    let window = round.photo_until.unwrap().duration_since(hall.now.utc);
    assert_eq!(window, SignedDuration::from_mins(10), "round 1");
    hall.pass(Duration::from_secs(599));
    assert!(!hall.marks().contains(&Mark::PhotoOver));
    hall.pass(Duration::from_secs(1));
    assert_eq!(hall.marks().last(), Some(&Mark::PhotoOver));
    assert_eq!(hall.hub.phase(), Some(Phase::Started), "nothing else moved");
}

#[test]
fn the_last_boards_are_given_a_time_and_then_adjudicated() {
    let mut hall = Hall::new(10, |settings| {
        settings.play_off_time = Some(PlayOffTime {
            after_percent: 60,
            time: Duration::from_mins(5),
        });
    });
    hall.publish_for(1);
    let play_off = Command::StartPlayOff { seconds: None };
    assert!(hall.ask(play_off.clone()).is_err(), "nobody plays yet");
    hall.act(Command::StartRound);
    for table in 1..=2 {
        hall.result(table);
    }
    assert_eq!(hall.open(AlertKind::PlayOffTime), 0);
    hall.result(3);
    assert_eq!(hall.open(AlertKind::PlayOffTime), 1, "three of five");
    hall.act(play_off.clone());
    assert_eq!(hall.open(AlertKind::PlayOffTime), 0);
    assert!(hall.ask(play_off).is_err(), "it runs");
    let view = hall
        .hub
        .hall_view(hall.now)
        .round
        .unwrap()
        .play_off
        .unwrap();
    assert_eq!(view.tables, [TableNo(4), TableNo(5)]);
    hall.result(4);
    hall.pass(Duration::from_secs(299));
    assert_eq!(hall.open(AlertKind::Adjudicate), 0);

    // The hub is started anew in the last second.
    let mut state = HallState::default();
    for event in &hall.journal {
        state.apply(event);
    }
    hall.hub = Hub::new(HubSettings::default(), state, hall.now);
    hall.pass(Duration::from_secs(1));
    assert_eq!(hall.open(AlertKind::Adjudicate), 1);
    let over = |event: &Event| matches!(event.fact, Fact::Round(RoundFact::PlayOffOver));
    assert!(hall.journal.iter().any(over));
    hall.result(5);
    assert_eq!(hall.open(AlertKind::Adjudicate), 0);
    hall.act(Command::CloseRound { round: RoundNo(1) });
}

#[test]
fn the_next_round_is_reckoned_from_the_longest_game_until_the_round_is_closed() {
    let pause = Duration::from_mins(10);
    let mut hall = Hall::new(4, |settings| {
        settings.rounds = Some(2);
        settings.schedule = Schedule {
            otherwise: RoundStart::AfterPrevious { pause },
            ..Schedule::default()
        };
    });
    hall.publish_for(20);
    let next = |hall: &Hall| {
        let round = hall.hub.hall_view(hall.now).round.unwrap();
        (round.next_at.map(|at| at.to_string()), round.next_about)
    };
    assert_eq!(next(&hall), (None, false), "nobody knows before the start");
    hall.pass(Duration::from_mins(20));
    hall.act(Command::StartRound);
    // 08:20, five minutes and 60 times three seconds a side, ten minutes; on the next full five.
    assert_eq!(next(&hall), (Some("2026-12-05T08:50:00Z".into()), true));
    hall.result(1);
    hall.result(2);
    hall.pass(Duration::from_secs(61));
    hall.act(Command::CloseRound { round: RoundNo(1) });
    // Round 2 is paired at once, and now its start is known.
    let view = hall.hub.hall_view(hall.now).round.unwrap();
    let planned = view.starts_at.or(view.planned_at).map(|at| at.to_string());
    assert_eq!(view.number, RoundNo(2));
    assert_eq!(planned.as_deref(), Some("2026-12-05T08:31:01Z"));
}

#[test]
fn boards_that_are_not_ready_are_told_by_number_where_a_screen_asks_for_them() {
    let mut hall = Hall::new(4, |_| {});
    for table in [1, 2] {
        let info = DeviceInfo {
            family: "dgt-board".to_owned(),
            serial: Some(format!("{table:010}")),
            version: None,
        };
        let port = format!("usb{table}");
        hall.hub
            .handle_observation(hall.now, &port, Observation::Found(info));
        hall.drain();
        let device = hall.hub.hall_view(hall.now).devices[table - 1]
            .device
            .clone();
        let table = Some(TableNo(table as u16));
        hall.act(Command::AssignDevice { device, table });
    }
    hall.publish_for(10);
    let waiting = |hall: &Hall| hall.hub.hall_view(hall.now).round.unwrap().waiting;
    hall.see(&[("wall-north", 0)]);
    let tells = |waiting| Command::AssignScreen {
        screen: 1,
        settings: ScreenSettings {
            waiting,
            ..ScreenSettings::default()
        },
    };
    hall.pass(Duration::from_mins(6));
    hall.act(tells(false));
    assert_eq!(waiting(&hall), None, "off by default");
    hall.act(tells(true));
    assert_eq!(waiting(&hall), Some(vec![TableNo(1), TableNo(2)]));
}

#[test]
fn default_time_may_last_until_fewer_than_half_are_playing() {
    let mut hall = Hall::new(8, |settings| settings.default_time = DefaultTime::UntilHalf);
    hall.publish_for(1);
    hall.act(Command::StartRound);
    assert!(hall.hub.hall_view(hall.now).round.unwrap().until_half);
    hall.result(1);
    hall.result(2);
    assert_eq!(hall.hub.phase(), Some(Phase::Started), "half are playing");
    hall.result(3);
    assert_eq!(hall.hub.phase(), Some(Phase::Playing));
    assert!(!hall.hub.hall_view(hall.now).round.unwrap().until_half);
}

#[test]
fn a_blackout_ends_by_itself_and_never_hides_the_last_five_minutes() {
    let mut hall = Hall::new(4, |_| {});
    hall.publish_for(8);
    hall.act(Command::BlackOut { seconds: 3600 });
    let dark = |hall: &Hall| hall.hub.hall_view(hall.now).show.blackout_until.is_some();
    hall.pass(Duration::from_secs(179));
    assert!(dark(&hall));
    hall.pass(Duration::from_secs(1));
    assert!(!dark(&hall), "five minutes are left");
    assert!(hall.ask(Command::BlackOut { seconds: 60 }).is_err());
    hall.act(Command::HoldRound { reason: None });
    hall.act(Command::BlackOut { seconds: 60 });
    assert!(dark(&hall), "nothing counts");
    hall.pass(Duration::from_mins(1));
    assert!(!dark(&hall));
    for seconds in [7201, u32::MAX] {
        assert!(hall.ask(Command::BlackOut { seconds }).is_err());
    }
}

#[test]
fn a_message_goes_by_itself() {
    let mut hall = Hall::new(4, |_| {});
    let say = |words: &str, seconds| Command::ShowMessage {
        text: Some(text(words)),
        seconds,
    };
    hall.act(say("The buffet is open", 30));
    let shown = |hall: &Hall| hall.hub.hall_view(hall.now).show.message;
    assert_eq!(shown(&hall), Some(text("The buffet is open")));
    hall.pass(Duration::from_secs(30));
    assert_eq!(shown(&hall), None);
    hall.act(say("Again", 30));
    hall.act(Command::ShowMessage {
        text: None,
        seconds: 0,
    });
    assert_eq!(shown(&hall), None);
    assert!(hall.ask(say(&"x".repeat(601), 30)).is_err());
    assert!(hall.ask(say("No end", 0)).is_err());
}

#[test]
fn an_emergency_holds_the_countdown_and_is_taken_down_by_hand() {
    let mut hall = Hall::new(4, |_| {});
    hall.publish_for(10);
    let raise = |about, text| Command::RaiseEmergency { about, text };
    assert!(hall.ask(raise(EmergencyKind::Other, None)).is_err());
    assert!(hall.ask(Command::EndEmergency).is_err(), "there is none");
    hall.act(raise(EmergencyKind::Leave, Some(text("Gate 3 is closed"))));
    assert_eq!(hall.hub.phase(), Some(Phase::Held));
    let show = hall.hub.hall_view(hall.now).show;
    assert_eq!(show.emergency, Some(EmergencyKind::Leave));
    assert_eq!(show.emergency_text, Some(text("Gate 3 is closed")));
    hall.pass(Duration::from_mins(30));
    assert_eq!(hall.marks(), [], "nothing is announced meanwhile");
    hall.act(Command::EndEmergency);
    assert_eq!(hall.hub.hall_view(hall.now).show.emergency, None);
    let by = |event: &Event| match &event.fact {
        Fact::Screen(ScreenFact::EmergencyOver { by }) => Some(by.clone()),
        _ => None,
    };
    assert_eq!(hall.journal.iter().find_map(by).as_deref(), Some("Anna"));
    assert_eq!(hall.hub.phase(), Some(Phase::Held), "an arbiter says when");
}

#[test]
fn clocks_show_the_minutes_until_five_minutes_before_the_start() {
    let mut hall = Hall::new(4, |_| {});
    let settings = HubSettings {
        clock_countdown: true,
        ..HubSettings::default()
    };
    hall.hub = Hub::new(settings, hall.hub.state().clone(), hall.now);
    let info = DeviceInfo {
        family: "dgt-board".to_owned(),
        serial: Some("0000007765".to_owned()),
        version: None,
    };
    hall.hub
        .handle_observation(hall.now, "usb", Observation::Found(info));
    hall.drain();
    let shown = |hall: &mut Hall| {
        let mut texts = Vec::new();
        while let Some((port, command)) = hall.hub.poll_clock_command() {
            assert_eq!(port, "usb");
            texts.push(match command {
                ClockCommand::Display { text, beep } => {
                    assert!(!beep && text.len() <= 8, "{text}");
                    text.trim().to_owned()
                }
                ClockCommand::EndDisplay => "end".to_owned(),
                other => panic!("{other:?}"),
            });
        }
        texts
    };
    hall.publish_for(17);
    hall.pass(Duration::from_secs(119));
    assert_eq!(shown(&mut hall), [""; 0]);
    hall.pass(Duration::from_secs(1));
    assert_eq!(shown(&mut hall), ["15 min"]);
    hall.pass(Duration::from_mins(3));
    assert_eq!(shown(&mut hall), ["14 min", "13 min"]);
    hall.act(Command::HoldRound { reason: None });
    hall.pass(Duration::from_secs(1));
    assert_eq!(shown(&mut hall), ["end"]);
    let starts_at = hall.now.utc + SignedDuration::from_mins(7);
    hall.act(Command::ScheduleRound {
        starts_at,
        earlier_confirmed: true,
    });
    hall.pass(Duration::from_mins(7));
    assert_eq!(shown(&mut hall), ["7 min", "6 min", "end"]);
    // Off, the clocks are left alone.
    let mut hall = Hall::new(4, |_| {});
    hall.publish_for(10);
    hall.pass(Duration::from_mins(10));
    assert_eq!(shown(&mut hall), [""; 0]);
}

#[test]
fn what_is_told_of_screens_fits_the_journal() {
    let mut hall = Hall::new(31, |_| {});
    hall.see(&[("the-screen", 0)]);
    hall.act(Command::AssignScreen {
        screen: 1,
        settings: shows(ScreenContent::Boards),
    });
    hall.act(Command::SetNotice {
        text: Some(text("Prizes\nat 18:00")),
    });
    hall.see(&[("the-screen", 30)]);
    for event in &hall.journal {
        let line = serde_json::to_string(event).unwrap();
        let read: Event = serde_json::from_str(&line).unwrap();
        assert_eq!(&read, event, "{line}");
    }
    let raised = |event: &&Event| matches!(event.fact, Fact::Alert(AlertFact::Raised { .. }));
    assert_eq!(hall.journal.iter().filter(raised).count(), 1);
}
