//! The hall's screens: their numbers, what they show, whether they live; messages, blackout and the
//! emergency page on all of them.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use jiff::{SignedDuration, Timestamp};

use super::{
    Hub,
    alerts::Cause,
    command::Refused,
    event::{
        AlertKind, EmergencyKind, Fact, HallText, Mark, RoundFact, ScreenFact, ScreenSettings,
        TableTimes,
    },
    view::{ScreenSound, ScreenView, Severity, ShowView},
};
use crate::types::{DeviceId, Mono, Now, RoundNo, TableNo};

/// Three missed signs of life.
const SILENT: Duration = Duration::from_secs(15);

/// How long screens have to come back after the hub was started.
const COME_BACK: Duration = Duration::from_secs(45);

/// More screens than this no hall has.
const MOST: usize = 64;

/// The longest name of a screen, in characters.
const NAME_MAX: usize = 60;

/// The longest delay of the wall of boards.
const DELAY_MAX_S: u32 = 3 * 3600;

/// How long a message may stand, or a blackout may last.
const SHOW_MAX: Duration = Duration::from_hours(2);

/// More players than this need the big countdown (R-CD-1).
const SCREEN_ABOVE: usize = 30;

/// A page that was heard of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenScreen {
    /// By what it is known again.
    pub key: String,
    /// How long ago it was heard last.
    pub silent: Duration,
    /// Its size in pixels.
    pub size: (u16, u16),
    /// From where.
    pub address: String,
    /// What it said of its sound.
    pub sound: ScreenSound,
}

/// The screens as the edge of the daemon sees them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeenScreens {
    /// Countdowns that do not say who they are: other programs, and pages that stand in for a screen.
    pub nameless: usize,
    /// Pages that do.
    pub named: Vec<SeenScreen>,
}

impl SeenScreens {
    /// So many countdowns that do not say who they are.
    pub fn nameless(nameless: usize) -> Self {
        Self {
            nameless,
            named: Vec::new(),
        }
    }
}

/// What the hub keeps of the screens that is not in the journal.
#[derive(Debug)]
pub(super) struct LiveScreens {
    since: Mono,
    nameless: usize,
    /// The pages that are heard, by key, with their number.
    heard: BTreeMap<String, (u16, SeenScreen)>,
    /// The round for which the missing countdown was told.
    missed: Option<RoundNo>,
    /// Screens whose silence was told: whoever closed the alert knows.
    told: BTreeSet<u16>,
}

impl LiveScreens {
    pub(super) fn new(since: Mono) -> Self {
        Self {
            since,
            nameless: 0,
            heard: BTreeMap::new(),
            missed: None,
            told: BTreeSet::new(),
        }
    }
}

impl Hub {
    /// Takes in which screens live. Called about once a second.
    pub fn handle_screens(&mut self, now: Now, seen: SeenScreens) {
        let before = self.screen_views();
        let SeenScreens { nameless, named } = seen;
        self.screens.nameless = nameless;
        let keys: Vec<String> = named.iter().map(|screen| screen.key.clone()).collect();
        self.screens
            .heard
            .retain(|key, _| keys.iter().any(|seen| seen == key));
        for screen in named {
            let number = match self.screens.heard.get(&screen.key) {
                Some((number, _)) => Some(*number),
                None => self.number_for(&screen.key),
            };
            if let Some(number) = number {
                let key = screen.key.clone();
                self.screens.heard.insert(key, (number, screen));
            }
        }
        self.look_for_silent(now);
        self.check_screens(now);
        self.dirty.screens |= before != self.screen_views();
    }

    /// The number that a screen had, else the lowest free one.
    fn number_for(&self, key: &str) -> Option<u16> {
        let assigned = &self.state.screens.assigned;
        if let Some((number, _)) = assigned.iter().find(|(_, screen)| screen.key == key) {
            return Some(*number);
        }
        let heard = self.screens.heard.values().map(|(number, _)| *number);
        let taken: Vec<u16> = assigned.keys().copied().chain(heard).collect();
        if taken.len() >= MOST {
            return None;
        }
        (1..=MOST as u16).find(|number| !taken.contains(number))
    }

    /// R-CD-1: a screen that is silent may be black.
    fn look_for_silent(&mut self, now: Now) {
        let settled = now.mono.since(self.screens.since) >= COME_BACK;
        let states: Vec<(u16, bool, String)> = (self.screen_views().into_iter())
            .filter(|view| view.assigned)
            .map(|view| (view.number, view.online, view.settings.name))
            .collect();
        for (number, online, name) in states {
            let cause = screen_cause(number);
            let heard = self.screens.heard.values().any(|(no, _)| *no == number);
            if online {
                self.screens.told.remove(&number);
                self.clear(now, &cause);
            } else if (settled || heard) && self.screens.told.insert(number) {
                let place = if name.is_empty() {
                    String::new()
                } else {
                    format!(" ({name})")
                };
                let text = format!(
                    "Screen {number}{place} has been silent for 15 seconds. Look whether it still shows \
                     its page; any other browser takes its place at /screen/{number}."
                );
                self.raise(now, cause, Severity::Warning, text, None);
            }
        }
    }

    /// R-CD-1: more than 30 players and no countdown screen a quarter of an hour before the start.
    pub(super) fn check_screens(&mut self, now: Now) {
        let cause = Cause::hall(AlertKind::NoScreen);
        if self.countdown_screens() > 0 {
            self.screens.missed = None;
            self.clear(now, &cause);
            return;
        }
        let wanted = self
            .state
            .set_up
            .as_ref()
            .is_some_and(|it| it.players.len() > SCREEN_ABOVE)
            && self
                .countdown
                .is_some_and(|start| start.since(now.mono) <= Mark::Seats.before_start());
        let round = self.state.round().map(|round| round.number);
        // Once a round: whoever closed the alert has been told.
        if wanted && self.screens.missed != round {
            self.screens.missed = round;
            let text = "No countdown screen is connected. Open /screen on the hall's screen: \
                        with more than 30 players one is required.";
            self.raise(now, cause, Severity::Call, text, None);
        }
    }

    fn countdown_screens(&self) -> usize {
        let named = (self.screen_views().into_iter())
            .filter(|view| view.online && view.settings.content.is_countdown())
            .count();
        self.screens.nameless + named
    }

    pub(super) fn screen_views(&self) -> Vec<ScreenView> {
        let assigned = &self.state.screens.assigned;
        let mut views: BTreeMap<u16, ScreenView> = (assigned.iter())
            .map(|(number, screen)| {
                let view = ScreenView {
                    number: *number,
                    key: screen.key.clone(),
                    assigned: true,
                    settings: screen.settings.clone(),
                    online: false,
                    width: 0,
                    height: 0,
                    address: String::new(),
                    sound: ScreenSound::Off,
                };
                (*number, view)
            })
            .collect();
        for (number, seen) in self.screens.heard.values() {
            let view = views.entry(*number).or_insert_with(|| ScreenView {
                number: *number,
                key: seen.key.clone(),
                assigned: false,
                settings: ScreenSettings::default(),
                online: false,
                width: 0,
                height: 0,
                address: String::new(),
                sound: ScreenSound::Off,
            });
            view.online = seen.silent < SILENT;
            (view.width, view.height) = seen.size;
            view.address.clone_from(&seen.address);
            view.sound = seen.sound;
        }
        views.into_values().collect()
    }

    pub(super) fn show_view(&self, now: Now) -> ShowView {
        let screens = &self.state.screens;
        let message = screens.message.as_ref();
        let message = message.filter(|(_, until)| *until > now.utc);
        ShowView {
            message: message.map(|(text, _)| text.clone()),
            message_until: message.map(|(_, until)| *until),
            blackout_until: screens.blackout.filter(|until| *until > now.utc),
            notice: screens.notice.clone(),
            emergency: screens.emergency.as_ref().map(|(about, _)| *about),
            emergency_text: (screens.emergency.as_ref())
                .map(|(_, text)| text.clone())
                .filter(|text| !text.is_empty()),
        }
    }

    pub(super) fn assign_screen(
        &mut self,
        now: Now,
        screen: u16,
        settings: ScreenSettings,
        by: &str,
    ) -> Result<(), Refused> {
        if settings.name.chars().count() > NAME_MAX {
            let text = format!("the name of a screen is longer than {NAME_MAX} characters");
            return Err(Refused::Invalid(text));
        }
        if settings.delay_s > DELAY_MAX_S {
            let text = format!("delay_s is more than {DELAY_MAX_S}");
            return Err(Refused::Invalid(text));
        }
        if settings.languages.len() > 3 {
            return Err(Refused::Invalid("languages holds three at most".to_owned()));
        }
        let heard = self.screens.heard.values().find(|(no, _)| *no == screen);
        let key = match (self.state.screens.assigned.get(&screen), heard) {
            (Some(known), _) => known.key.clone(),
            (None, Some((_, seen))) => seen.key.clone(),
            (None, None) => return Err(no_screen(screen)),
        };
        let fact = ScreenFact::Assigned {
            screen,
            key,
            settings,
            by: by.to_owned(),
        };
        self.emit(now, None, None, Fact::Screen(fact));
        self.check_screens(now);
        Ok(())
    }

    pub(super) fn forget_screen(&mut self, now: Now, screen: u16, by: &str) -> Result<(), Refused> {
        if !self.state.screens.assigned.contains_key(&screen) {
            return Err(no_screen(screen));
        }
        let by = by.to_owned();
        let fact = ScreenFact::Forgotten { screen, by };
        self.emit(now, None, None, Fact::Screen(fact));
        self.clear(now, &screen_cause(screen));
        self.check_screens(now);
        Ok(())
    }

    /// A message that goes by itself; without a text the one that stands goes now.
    pub(super) fn show_message(
        &mut self,
        now: Now,
        text: Option<HallText>,
        seconds: u32,
        by: &str,
    ) -> Result<(), Refused> {
        let text = checked(text)?;
        let until = match text {
            Some(_) => Some(until(now, Duration::from_secs(seconds.into()))?),
            None => None,
        };
        let by = by.to_owned();
        let fact = ScreenFact::Message { text, until, by };
        self.emit(now, None, None, Fact::Screen(fact));
        Ok(())
    }

    /// Black screens for so long; at zero seconds they come back.
    pub(super) fn black_out(&mut self, now: Now, seconds: u32, by: &str) -> Result<(), Refused> {
        let until = match seconds {
            0 => None,
            _ => Some(until(now, Duration::from_secs(seconds.into()))?),
        };
        let close = |start: Mono| start.since(now.mono) <= Mark::FiveMinutes.before_start();
        if until.is_some() && self.countdown.is_some_and(close) {
            return Err(Refused::Conflict(
                "the round starts in less than five minutes: the countdown stays".to_owned(),
            ));
        }
        let by = by.to_owned();
        self.emit(
            now,
            None,
            None,
            Fact::Screen(ScreenFact::Blackout { until, by }),
        );
        Ok(())
    }

    pub(super) fn set_notice(
        &mut self,
        now: Now,
        text: Option<HallText>,
        by: &str,
    ) -> Result<(), Refused> {
        let text = checked(text)?;
        let by = by.to_owned();
        self.emit(
            now,
            None,
            None,
            Fact::Screen(ScreenFact::Notice { text, by }),
        );
        Ok(())
    }

    /// The emergency page on all screens; the countdown is held, and the times of all clocks are written
    /// down.
    pub(super) fn raise_emergency(
        &mut self,
        now: Now,
        about: EmergencyKind,
        text: Option<HallText>,
        by: &str,
    ) -> Result<(), Refused> {
        let text = checked(text)?;
        if about == EmergencyKind::Other && text.is_none() {
            return Err(Refused::Invalid("say what everybody must do".to_owned()));
        }
        let tables: Vec<TableNo> = self.all_tables().into_iter().collect();
        let clocks = tables.into_iter().filter_map(|table| {
            let times = self.times(table, now)?;
            Some(TableTimes { table, times })
        });
        let fact = ScreenFact::Emergency {
            about,
            text,
            clocks: clocks.collect(),
            by: by.to_owned(),
        };
        self.emit(now, None, None, Fact::Screen(fact));
        let counting = (self.state.round())
            .is_some_and(|round| round.started_at.is_none() && round.starts_at.is_some());
        if counting && self.state.round().is_some_and(|round| round.held.is_none()) {
            let held = RoundFact::Held {
                reason: None,
                by: by.to_owned(),
            };
            self.emit(now, None, None, Fact::Round(held));
            self.countdown = None;
            self.touch_clock_faces();
        }
        Ok(())
    }

    pub(super) fn end_emergency(&mut self, now: Now, by: &str) -> Result<(), Refused> {
        if self.state.screens.emergency.is_none() {
            let text = "no emergency page is shown".to_owned();
            return Err(Refused::Conflict(text));
        }
        let by = by.to_owned();
        self.emit(
            now,
            None,
            None,
            Fact::Screen(ScreenFact::EmergencyOver { by }),
        );
        Ok(())
    }

    /// A blackout ends by itself at five minutes before the start.
    pub(super) fn lift_blackout(&mut self, now: Now) {
        if self
            .state
            .screens
            .blackout
            .is_some_and(|until| until > now.utc)
        {
            let by = "schedule".to_owned();
            let fact = ScreenFact::Blackout { until: None, by };
            self.emit(now, None, None, Fact::Screen(fact));
        }
    }
}

fn screen_cause(number: u16) -> Cause {
    let device = DeviceId(format!("screen-{number}"));
    Cause::of(AlertKind::ScreenSilent, None, &device)
}

fn no_screen(screen: u16) -> Refused {
    Refused::NotFound {
        what: "screen",
        id: screen.to_string(),
    }
}

fn checked(text: Option<HallText>) -> Result<Option<HallText>, Refused> {
    let text = text.filter(|text| !text.is_empty());
    if text.as_ref().is_some_and(HallText::is_too_long) {
        let text = format!("a text is longer than {} characters", HallText::MAX);
        return Err(Refused::Invalid(text));
    }
    Ok(text)
}

fn until(now: Now, time: Duration) -> Result<Timestamp, Refused> {
    let invalid = || Refused::Invalid("seconds is 1 to 7200".to_owned());
    if time.is_zero() || time > SHOW_MAX {
        return Err(invalid());
    }
    let time = SignedDuration::try_from(time).map_err(|_| invalid())?;
    now.utc.checked_add(time).map_err(|_| invalid())
}
