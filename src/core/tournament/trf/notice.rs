//! What the reader has to say about a file.

use std::fmt;

use serde::Serialize;

use crate::{
    tournament::LineError,
    types::{PlayerNo, RoundNo},
};

/// How much a notice matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// A guess that was made, e.g. of the encoding.
    Info,
    /// Odd, or a detail of a player that pairing does not need was left out.
    Warning,
    /// A player, a result or a setting was left out, or the file contradicts itself: do not pair
    /// from it.
    Error,
}

/// What a notice is about, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The encoding was guessed, or bytes have no meaning in it.
    Encoding,
    /// Columns count bytes, or are shifted.
    Columns,
    /// A field cannot be read.
    Field,
    /// A number or record stands twice.
    Duplicate,
    /// An opponent, or a player named elsewhere, is not in the file.
    Unknown,
    /// Two players tell different stories of one game.
    Crosstable,
    /// The points are not the sum of the results.
    Points,
    /// Two records say different things of the event.
    Contradiction,
    /// No player is in the file.
    Empty,
}

/// The other place of a contradiction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Other {
    /// Its line, if it has one.
    pub line: Option<u32>,
    /// What stands there.
    pub value: String,
}

/// A remark about one place of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Notice {
    /// How much it matters.
    pub severity: Severity,
    /// What it is about.
    pub kind: Kind,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: Option<u32>,
    /// Whose line it is.
    pub player: Option<PlayerNo>,
    /// The round in question.
    pub round: Option<RoundNo>,
    /// The name of the field, e.g. `rating`.
    pub field: &'static str,
    /// What stands there.
    pub value: String,
    /// What contradicts it.
    pub other: Option<Other>,
    /// What is wrong, e.g. `is not a whole number`.
    pub problem: String,
    /// What to do; may be empty.
    pub hint: &'static str,
}

/// Longer values are cut: a line may be megabytes long.
const SHOWN: usize = 60;

impl Notice {
    pub(super) fn new(severity: Severity, kind: Kind, line: u32, field: &'static str) -> Self {
        Self {
            severity,
            kind,
            line,
            column: None,
            player: None,
            round: None,
            field,
            value: String::new(),
            other: None,
            problem: String::new(),
            hint: "",
        }
    }

    pub(super) fn column(mut self, column: usize) -> Self {
        self.column = u32::try_from(column).ok();
        self
    }

    pub(super) fn player(mut self, player: Option<PlayerNo>) -> Self {
        self.player = player;
        self
    }

    pub(super) fn round(mut self, round: usize) -> Self {
        self.round = u16::try_from(round).ok().map(RoundNo);
        self
    }

    pub(super) fn value(mut self, value: &str) -> Self {
        self.value = shown(value);
        self
    }

    pub(super) fn against(mut self, line: Option<u32>, value: &str) -> Self {
        self.other = Some(Other {
            line,
            value: shown(value),
        });
        self
    }

    pub(super) fn problem(mut self, problem: impl Into<String>, hint: &'static str) -> Self {
        self.problem = problem.into();
        self.hint = hint;
        self
    }
}

fn shown(value: &str) -> String {
    match value.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &value[..at]),
        None => value.to_owned(),
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if let Some(column) = self.column {
            write!(f, ", column {column}")?;
        }
        if let Some(player) = self.player {
            write!(f, ", player {player}")?;
        }
        if let Some(round) = self.round {
            write!(f, ", round {round}")?;
        }
        write!(f, ", {}: \"{}\" {}", self.field, self.value, self.problem)?;
        if let Some(other) = &self.other {
            write!(f, " \"{}\"", other.value)?;
            if let Some(line) = other.line {
                write!(f, " in line {line}")?;
            }
        }
        if !self.hint.is_empty() {
            write!(f, "; {}", self.hint)?;
        }
        Ok(())
    }
}

impl From<&Notice> for LineError {
    fn from(notice: &Notice) -> Self {
        let mut problem = notice.problem.clone();
        if let Some(other) = &notice.other {
            problem = format!("{problem} \"{}\"", other.value);
            if let Some(line) = other.line {
                problem = format!("{problem} in line {line}");
            }
        }
        Self {
            line: notice.line,
            column: notice.column,
            field: notice.field.to_owned(),
            value: notice.value.clone(),
            problem,
            hint: notice.hint.to_owned(),
        }
    }
}
