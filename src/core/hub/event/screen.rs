//! The screens of the hall in the journal: what each shows, and what is shown on all of them.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Times;
use crate::types::TableNo;

/// What a screen shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ScreenContent {
    /// What fits the phase of the round, in turn.
    #[default]
    Rotation,
    /// The countdown and nothing else.
    Countdown,
    /// Who plays where, by name.
    PairingsByName,
    /// Who plays where, by board.
    PairingsByBoard,
    /// The standings.
    Standings,
    /// The results as they come in.
    Results,
    /// The positions and clocks of the running games; for a foyer, never for the hall itself.
    Boards,
    /// What the arbiters have to say.
    Notice,
    /// The tables that are played to the end in a fixed time (R-CD-6).
    PlayOff,
    /// When the next round begins.
    NextRound,
}

impl ScreenContent {
    /// The screen counts as the countdown that R-CD-1 demands.
    pub fn is_countdown(self) -> bool {
        matches!(self, Self::Rotation | Self::Countdown)
    }
}

/// A language of the hall's screens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ScreenLanguage {
    /// Ukrainian.
    Uk,
    /// Russian.
    Ru,
    /// English.
    En,
}

/// Light letters on black for panels, black on white for projectors in a lit hall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ScreenTheme {
    /// For panels.
    #[default]
    Dark,
    /// For projectors.
    Light,
}

/// What an arbiter has set for one screen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ScreenSettings {
    /// Where it hangs, e.g. `Foyer, north wall`; may be empty.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(max_length = 60))]
    pub name: String,
    /// What it shows.
    #[serde(default)]
    pub content: ScreenContent,
    /// In which languages, the first one first; none = what the browser speaks.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(max_items = 3))]
    pub languages: Vec<ScreenLanguage>,
    /// Two languages stand under each other rather than in turn.
    #[serde(default)]
    pub stacked: bool,
    /// Dark or light.
    #[serde(default)]
    pub theme: ScreenTheme,
    /// It sounds the gong and says the announcements (R-CD-2).
    #[serde(default)]
    pub sound: bool,
    /// In the last five minutes it tells the numbers of the boards that are not ready: their pieces were not
    /// seen in the start position. Numbers, never names.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub waiting: bool,
    /// How much later it shows the boards, seconds.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(maximum = 10800))]
    pub delay_s: u32,
}

/// A text for all screens, in the languages that somebody wrote it in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct HallText {
    /// In Ukrainian.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "openapi", schema(max_length = 600))]
    pub uk: String,
    /// In Russian.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "openapi", schema(max_length = 600))]
    pub ru: String,
    /// In English.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "openapi", schema(max_length = 600))]
    pub en: String,
}

impl HallText {
    /// The longest text of one language, in characters.
    pub const MAX: usize = 600;

    /// Nothing in any language.
    pub fn is_empty(&self) -> bool {
        self.all().all(|text| text.trim().is_empty())
    }

    /// A text that fills more than a screen can show.
    pub fn is_too_long(&self) -> bool {
        self.all().any(|text| text.chars().count() > Self::MAX)
    }

    fn all(&self) -> impl Iterator<Item = &str> {
        [&self.uk, &self.ru, &self.en]
            .into_iter()
            .map(String::as_str)
    }
}

/// What everybody must do at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EmergencyKind {
    /// Leave by the marked exits.
    Leave,
    /// Stop the clocks and stay seated.
    StopClocks,
    /// The alarm was a drill, and is over.
    DrillOver,
    /// What the arbiter has written.
    Other,
}

/// The clock of a table at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableTimes {
    /// The table; `table` itself is the event's.
    #[serde(rename = "no")]
    pub table: TableNo,
    /// Its times.
    #[serde(flatten)]
    pub times: Times,
}

/// Something about the screens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum ScreenFact {
    /// A screen was given something to show.
    Assigned {
        /// Its number.
        screen: u16,
        /// By what it is known again; not told to others.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        key: String,
        /// What.
        settings: ScreenSettings,
        /// By whom.
        by: String,
    },
    /// A screen is not one of the hall's any more.
    Forgotten {
        /// Its number.
        screen: u16,
        /// By whom.
        by: String,
    },
    /// A message on all screens.
    Message {
        /// What it says; absent when it was taken down.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<HallText>,
        /// When it goes by itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<Timestamp>,
        /// By whom.
        by: String,
    },
    /// All screens are black, e.g. for a speech.
    Blackout {
        /// When it ends by itself; absent when it was ended.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<Timestamp>,
        /// By whom.
        by: String,
    },
    /// The text of the notice page.
    Notice {
        /// What it says; absent when it was taken down.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<HallText>,
        /// By whom.
        by: String,
    },
    /// The emergency page is on all screens.
    Emergency {
        /// What it says.
        about: EmergencyKind,
        /// In the arbiter's words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<HallText>,
        /// The clocks of all tables at that moment.
        clocks: Vec<TableTimes>,
        /// By whom.
        by: String,
    },
    /// It was taken down.
    EmergencyOver {
        /// By whom.
        by: String,
    },
}

/// The rest of a round that is given a fixed time (R-CD-6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayOff {
    /// When it ends.
    pub until: Timestamp,
    /// The tables that were still playing.
    pub tables: BTreeSet<TableNo>,
    /// It has ended: what is open is adjudicated.
    pub over: bool,
}
