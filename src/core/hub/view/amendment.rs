//! What a correction would do, and the record of what was changed.

use jiff::Timestamp;
use serde::Serialize;

use super::PlayerView;
use crate::types::{RoundNo, TableNo};

/// A correction before it is made: what it is and what comes of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AmendmentView {
    /// What is put right, in words.
    pub text: String,
    /// What comes of it, one sentence each.
    pub consequences: Vec<String>,
    /// Who has another place or other points by it.
    pub places: Vec<PlaceChange>,
}

/// A player whose line in the standings changes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlaceChange {
    /// Who.
    pub player: PlayerView,
    /// His place before.
    pub place_before: u16,
    /// His place after.
    pub place_after: u16,
    /// His points before, e.g. `2.5`.
    pub points_before: String,
    /// His points after.
    pub points_after: String,
}

/// One line of the record: who changed what, when.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RecordView {
    /// The journal's number; of a correction the one by which it is taken back.
    pub id: u64,
    /// When.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub at: Timestamp,
    /// The round, when it concerns one.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u16>))]
    pub round: Option<RoundNo>,
    /// The table, when it concerns one.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u16>))]
    pub table: Option<TableNo>,
    /// `published`, `closed`, `result`, `amendment`, `player`, `list`, `settings`, `incident`, `protest`.
    pub kind: String,
    /// Who; empty where nobody is named.
    pub by: String,
    /// In words.
    pub text: String,
    /// It is a correction that can still be taken back.
    pub revertible: bool,
}
