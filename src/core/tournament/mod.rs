//! Players, results, standings, event settings, and the files that they come from.
//!
//! Knows nothing of devices or the hub; of pairing the systems by name and what a report file asks of
//! them.

use std::fmt;

use serde::{Deserialize, Serialize};

mod basic_rules;
pub mod board_prizes;
pub mod csv;
pub mod drawing;
pub mod event;
pub mod fide_list;
pub mod pairing_system;
pub mod player;
pub mod result;
pub mod schedule;
pub mod simulate;
pub mod standings;
pub mod tie_match;
pub mod trf;

pub use event::EventSettings;
pub use pairing_system::{PairingSystem, Sides, SystemError, help as system_help};
pub use player::Player;
pub use result::{Bye, GameResult, Termination};

/// One fault in an imported file. The line is left out of the import; the rest is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineError {
    /// The line in the file, from 1.
    pub line: u32,
    /// The column (character) in the line, from 1, where the format counts columns.
    pub column: Option<u32>,
    /// The name of the field, e.g. `rating`.
    pub field: String,
    /// What stands there.
    pub value: String,
    /// What is wrong with it, e.g. `is not a whole number`.
    pub problem: String,
    /// What to do.
    pub hint: String,
}

/// Longer values stand behind what is wrong with them.
const SHORT: usize = 30;
/// So much of a value is shown.
const SHOWN: usize = 60;

impl LineError {
    /// What is wrong where in the line, without what to do. The cause comes first: a value may be as
    /// long as the line.
    pub fn cause(&self) -> String {
        let Self {
            field,
            value,
            problem,
            ..
        } = self;
        let length = value.chars().count();
        if length <= SHORT {
            return format!("{field}: \"{value}\" {problem}");
        }
        let shown: String = value.chars().take(SHOWN).collect();
        let more = if length > SHOWN { "…" } else { "" };
        format!("{field} {problem}: \"{shown}{more}\"")
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if let Some(column) = self.column {
            write!(f, ", column {column}")?;
        }
        write!(f, ", {}; {}", self.cause(), self.hint)
    }
}

impl std::error::Error for LineError {}
