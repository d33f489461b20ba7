//! The hall's screens as the journal tells of them.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::hub::event::{EmergencyKind, HallText, ScreenFact, ScreenSettings};

/// A screen that an arbiter has assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screen {
    /// By what the browser is known again.
    pub key: String,
    /// What it shows.
    pub settings: ScreenSettings,
}

/// What the arbiters show in the hall.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Screens {
    /// The assigned screens by number.
    pub assigned: BTreeMap<u16, Screen>,
    /// The message on all screens, and when it goes.
    pub message: Option<(HallText, Timestamp)>,
    /// All screens are black until then.
    pub blackout: Option<Timestamp>,
    /// The text of the notice page.
    pub notice: Option<HallText>,
    /// The emergency page.
    pub emergency: Option<(EmergencyKind, HallText)>,
}

impl Screens {
    pub(super) fn apply(&mut self, fact: &ScreenFact) {
        match fact {
            ScreenFact::Assigned {
                screen,
                key,
                settings,
                ..
            } => {
                let new = Screen {
                    key: key.clone(),
                    settings: settings.clone(),
                };
                self.assigned.insert(*screen, new);
            }
            ScreenFact::Forgotten { screen, .. } => {
                self.assigned.remove(screen);
            }
            ScreenFact::Message { text, until, .. } => {
                self.message = text.clone().zip(*until);
            }
            ScreenFact::Blackout { until, .. } => self.blackout = *until,
            ScreenFact::Notice { text, .. } => self.notice.clone_from(text),
            ScreenFact::Emergency { about, text, .. } => {
                self.emergency = Some((*about, text.clone().unwrap_or_default()));
            }
            ScreenFact::EmergencyOver { .. } => self.emergency = None,
        }
    }
}
