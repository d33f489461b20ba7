//! Which screens of the hall are heard: pages that say who they are and send a sign of life, and
//! countdowns that only listen.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use flagfall_core::hub::{
    screens::{SeenScreen, SeenScreens},
    view::ScreenSound,
};

/// A page that is gone for so long is no screen any more, unless it was assigned.
const GONE: Duration = Duration::from_mins(2);
/// Pages that are remembered: a flood of them must not fill the memory.
const MOST: usize = 128;
/// The longest name by which a page is known again.
const KEY_MAX: usize = 40;

/// By what a page is known again: what its browser has made up.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScreenKey(String);

impl ScreenKey {
    /// Letters, digits and hyphens, 8 to 40 of them.
    pub fn new(key: &str) -> Option<Self> {
        let good = (8..=KEY_MAX).contains(&key.len())
            && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        good.then(|| Self(key.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What a page tells of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beat {
    /// Its size in pixels.
    pub size: (u16, u16),
    /// From where it was heard.
    pub address: String,
    /// What it says of its sound.
    pub sound: ScreenSound,
}

#[derive(Debug)]
struct Known {
    streams: usize,
    heard: Instant,
    beat: Beat,
    sound_checks: u32,
}

#[derive(Debug, Default)]
struct Register {
    nameless: usize,
    named: BTreeMap<ScreenKey, Known>,
}

/// The screens that are heard.
#[derive(Clone, Debug, Default)]
pub struct Screens(Arc<Mutex<Register>>);

/// Counts one screen for as long as it is kept.
#[derive(Debug)]
pub struct ScreenGuard {
    screens: Screens,
    key: Option<ScreenKey>,
}

impl Drop for ScreenGuard {
    fn drop(&mut self) {
        let mut register = self.screens.register();
        match &self.key {
            None => register.nameless -= 1,
            Some(key) => {
                if let Some(known) = register.named.get_mut(key) {
                    known.streams -= 1;
                }
            }
        }
    }
}

impl Screens {
    fn register(&self) -> MutexGuard<'_, Register> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A page listens from now on. Without a key it is a countdown of which nothing else is known.
    pub(crate) fn listen(&self, key: Option<ScreenKey>, now: Instant) -> ScreenGuard {
        let mut register = self.register();
        let key = key.filter(|key| register.admits(key));
        match &key {
            None => register.nameless += 1,
            Some(key) => {
                let known = register.known(key, now);
                known.streams += 1;
                known.heard = now;
            }
        }
        drop(register);
        ScreenGuard {
            screens: self.clone(),
            key,
        }
    }

    /// A page lives.
    pub(crate) fn beat(&self, key: &ScreenKey, beat: Beat, now: Instant) {
        let mut register = self.register();
        if register.admits(key) {
            let known = register.known(key, now);
            known.heard = now;
            known.beat = beat;
        }
    }

    /// Asks a page to sound its gong.
    pub(crate) fn check_sound(&self, key: &str) {
        let mut register = self.register();
        for (known, screen) in &mut register.named {
            if known.as_str() == key {
                screen.sound_checks += 1;
            }
        }
    }

    /// How often a page was asked to.
    pub(crate) fn sound_checks(&self, key: &str) -> u32 {
        let register = self.register();
        let mut named = register.named.iter();
        let found = named.find(|(known, _)| known.as_str() == key);
        found.map_or(0, |(_, screen)| screen.sound_checks)
    }

    /// Pages that listen now.
    pub(crate) fn listening(&self) -> usize {
        let register = self.register();
        let named: usize = register.named.values().map(|known| known.streams).sum();
        register.nameless + named
    }

    /// What the hub is told.
    pub(crate) fn seen(&self, now: Instant) -> SeenScreens {
        let mut register = self.register();
        register.forget(now);
        SeenScreens {
            nameless: register.nameless,
            named: (register.named.iter())
                .map(|(key, known)| SeenScreen {
                    key: key.as_str().to_owned(),
                    silent: now.saturating_duration_since(known.heard),
                    size: known.beat.size,
                    address: known.beat.address.clone(),
                    sound: known.beat.sound,
                })
                .collect(),
        }
    }
}

impl Register {
    fn admits(&self, key: &ScreenKey) -> bool {
        self.named.contains_key(key) || self.named.len() < MOST
    }

    fn known(&mut self, key: &ScreenKey, now: Instant) -> &mut Known {
        self.named.entry(key.clone()).or_insert_with(|| Known {
            streams: 0,
            heard: now,
            beat: Beat::default(),
            sound_checks: 0,
        })
    }

    fn forget(&mut self, now: Instant) {
        self.named.retain(|_, known| {
            known.streams > 0 || now.saturating_duration_since(known.heard) < GONE
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> ScreenKey {
        ScreenKey::new(text).unwrap()
    }

    #[test]
    fn keys_are_plain() {
        assert!(ScreenKey::new("3f6b19c0-aa").is_some());
        for bad in ["", "short", "with space", "a/b/c/d/e/f", &"x".repeat(41)] {
            assert_eq!(ScreenKey::new(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_page_that_listens_and_says_nothing_falls_silent() {
        let screens = Screens::default();
        let start = Instant::now();
        let guard = screens.listen(Some(key("abcdefgh")), start);
        let _nameless = screens.listen(None, start);
        let later = start + Duration::from_secs(20);
        let seen = screens.seen(later);
        assert_eq!(seen.nameless, 1);
        assert_eq!(seen.named[0].silent, Duration::from_secs(20));
        let beat = Beat {
            size: (1920, 1080),
            address: "10.0.0.7".to_owned(),
            sound: ScreenSound::Blocked,
        };
        screens.beat(&key("abcdefgh"), beat, later);
        let seen = screens.seen(later);
        assert_eq!(seen.named[0].silent, Duration::ZERO);
        assert_eq!(seen.named[0].sound, ScreenSound::Blocked);
        assert_eq!(screens.listening(), 2);
        drop(guard);
        assert_eq!(screens.listening(), 1);
        assert_eq!(screens.seen(later).named.len(), 1, "it may come back");
        assert_eq!(screens.seen(later + GONE).named.len(), 0);
    }

    #[test]
    fn a_flood_of_pages_is_not_remembered() {
        let screens = Screens::default();
        let start = Instant::now();
        for number in 0..500 {
            screens.beat(&key(&format!("flood-of-{number}")), Beat::default(), start);
        }
        assert_eq!(screens.seen(start).named.len(), MOST);
        let _guard = screens.listen(Some(key("one-too-many")), start);
        assert_eq!(screens.seen(start).nameless, 1, "it still counts");
    }
}
