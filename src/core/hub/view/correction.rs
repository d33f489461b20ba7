//! A correction of a clock that is to be carried out.

use jiff::Timestamp;
use serde::Serialize;

/// A correction that is not on the clock yet.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CorrectionView {
    /// Its number.
    pub id: u64,
    /// Who ordered it.
    pub by: String,
    /// Why.
    pub why: String,
    /// When.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub ordered_at: Timestamp,
    /// When a minute is over (R-CK-4).
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub due_at: Timestamp,
    /// By how much White's time changes, milliseconds.
    pub add_white_ms: i64,
    /// By how much Black's time changes, milliseconds.
    pub add_black_ms: i64,
    /// What White's side must show; null while the clock runs and the change is relative.
    pub white_ms: Option<u64>,
    /// What Black's side must show; null while the clock runs and the change is relative.
    pub black_ms: Option<u64>,
    /// White's moves made, for the clock's counter; null when the record does not know.
    pub white_moves: Option<u16>,
    /// Black's moves made, for the clock's counter; null when the record does not know.
    pub black_moves: Option<u16>,
    /// White's time is on the left of the display.
    pub white_left: bool,
    /// `sent`: the hub has sent it to the clock; `card`: somebody sets it by hand.
    pub way: String,
    /// What the clock answered: `done`, `refused`, `unanswered`; null before, and with a card.
    pub answer: Option<String>,
}
