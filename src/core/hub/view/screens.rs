//! The hall's screens for the console, and what is on all of them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::PlayerView;
use crate::{
    hub::event::{EmergencyKind, HallText, ScreenSettings},
    types::{Color, TableNo, color},
};

/// Whether a screen can be heard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ScreenSound {
    /// It has no sound by its settings, or did not say.
    #[default]
    Off,
    /// It sounds.
    On,
    /// Somebody muted it at the screen.
    Muted,
    /// Its browser lets nothing sound until somebody touches the page.
    Blocked,
}

/// A screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ScreenView {
    /// The large number that it showed, or shows.
    pub number: u16,
    /// By what its browser is known.
    #[serde(skip)]
    pub key: String,
    /// An arbiter has given it something to show.
    pub assigned: bool,
    /// What it shows.
    pub settings: ScreenSettings,
    /// Its page was heard in the last 15 s.
    pub online: bool,
    /// Width of the page, pixels; 0 when it was not told.
    pub width: u16,
    /// Height of the page, pixels.
    pub height: u16,
    /// The address that it was heard from.
    pub address: String,
    /// What it said of its sound.
    pub sound: ScreenSound,
}

/// What the arbiters show on all screens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ShowView {
    /// A message over what is shown.
    pub message: Option<HallText>,
    /// When the message goes.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub message_until: Option<Timestamp>,
    /// Black until then, or until five minutes before the start.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub blackout_until: Option<Timestamp>,
    /// The text of the notice page.
    pub notice: Option<HallText>,
    /// The emergency page is up.
    pub emergency: Option<EmergencyKind>,
    /// What it says beside the prepared words.
    pub emergency_text: Option<HallText>,
}

/// The rest of a round that is given a fixed time (R-CD-6).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlayOffView {
    /// When it ends.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub until: Timestamp,
    /// It has ended.
    pub over: bool,
    /// The tables that are still open.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<u16>))]
    pub tables: Vec<TableNo>,
}

/// A table on the wall of boards, as it may be shown there.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WallTable {
    /// Its number.
    #[cfg_attr(feature = "openapi", schema(value_type = u16))]
    pub table: TableNo,
    /// White.
    pub white: PlayerView,
    /// Black.
    pub black: PlayerView,
    /// First field of a FEN.
    pub position: String,
    /// The last move, UCI.
    pub last_uci: Option<String>,
    /// White's time.
    pub white_ms: Option<u64>,
    /// Black's time.
    pub black_ms: Option<u64>,
    /// Whose time runs.
    #[serde(with = "color::option")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub running: Option<Color>,
    /// The result.
    pub result: Option<String>,
}
