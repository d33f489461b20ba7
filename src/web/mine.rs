//! What one screen is told of itself: its number and what it is to show.

use axum::body::Bytes;
use flagfall_core::hub::{event::ScreenSettings, view::ScreenView};
use serde::Serialize;
use utoipa::ToSchema;

use super::{AppState, fanout::message};
use crate::screens::ScreenKey;

/// Who listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// A page that does not say who it is.
    Nobody,
    /// A screen that is known by what its browser has made up.
    Key(ScreenKey),
    /// A page that stands in for the screen of this number.
    Number(u16),
}

impl Who {
    pub(super) fn key(&self) -> Option<&ScreenKey> {
        match self {
            Self::Key(key) => Some(key),
            Self::Nobody | Self::Number(_) => None,
        }
    }

    /// The screen that it is, among all.
    pub(super) fn among<'a>(&self, screens: &'a [ScreenView]) -> Option<&'a ScreenView> {
        screens.iter().find(|screen| match self {
            Self::Nobody => false,
            Self::Key(key) => screen.key == key.as_str(),
            Self::Number(number) => screen.number == *number,
        })
    }
}

/// A screen as it is told of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct You {
    /// The large number that it shows until it is assigned.
    number: u16,
    /// An arbiter has given it something to show.
    assigned: bool,
    /// What it is to show.
    #[serde(flatten)]
    settings: ScreenSettings,
    /// How often somebody wanted to hear it; a change sounds the gong once.
    sound_check: u32,
}

/// What one listener was told of itself.
pub(super) struct Mine {
    who: Who,
    key: String,
    told: Option<You>,
}

impl Mine {
    pub(super) fn new(who: Who) -> Self {
        Self {
            who,
            key: String::new(),
            told: None,
        }
    }

    /// What is new for it, as an SSE message.
    pub(super) fn news(
        &mut self,
        state: &AppState,
        screens: Option<&[ScreenView]>,
    ) -> Option<Bytes> {
        let view = self.who.among(screens?)?;
        self.key.clone_from(&view.key);
        let you = You {
            number: view.number,
            assigned: view.assigned,
            settings: view.settings.clone(),
            sound_check: state.handle.sound_checks(&view.key),
        };
        self.tell(you)
    }

    /// Whether somebody wants to hear it.
    pub(super) fn again(&mut self, state: &AppState) -> Option<Bytes> {
        let mut you = self.told.clone()?;
        you.sound_check = state.handle.sound_checks(&self.key);
        self.tell(you)
    }

    fn tell(&mut self, you: You) -> Option<Bytes> {
        if self.told.as_ref() == Some(&you) {
            return None;
        }
        let text = message("you", &you);
        self.told = Some(you);
        Some(text)
    }
}
