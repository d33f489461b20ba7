//! A TOML file that is read to the end: every wrong key and value is found in one pass, each with
//! its line and what to do.

use std::{
    fmt,
    ops::Range,
    path::{Path, PathBuf},
};

use serde::de::DeserializeOwned;
use toml::{
    Spanned,
    de::{DeTable, DeValue, Deserializer},
};

/// One thing wrong in a configuration file, or a file that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1, when it is known.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do; may be empty.
    pub hint: String,
}

impl Problem {
    /// The same for people who do not care where the file lies.
    pub fn of_file(&self) -> String {
        let file = self.file.file_name().unwrap_or(self.file.as_os_str());
        let short = Self {
            file: file.into(),
            ..self.clone()
        };
        short.to_string()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.message)?;
        if !self.hint.is_empty() {
            write!(f, "; {}", self.hint)?;
        }
        Ok(())
    }
}

/// A parsed file with its text, for the lines.
pub(super) struct Document<'a> {
    file: &'a Path,
    text: &'a str,
    /// As the file has it.
    root: Spanned<DeTable<'a>>,
    /// Without what [`Document::read`] left out, so that places in lists agree with what it gave.
    kept: Spanned<DeTable<'a>>,
}

impl<'a> Document<'a> {
    /// Parses; on failure all errors of syntax.
    pub(super) fn parse(file: &'a Path, text: &'a str) -> Result<Self, Vec<Problem>> {
        let (root, errors) = DeTable::parse_recoverable(text);
        let document = Self {
            file,
            text,
            kept: root.clone(),
            root,
        };
        if errors.is_empty() {
            return Ok(document);
        }
        let problem = |error: &toml::de::Error| {
            document.at(
                error.span().as_ref(),
                format!("not TOML: {}", error.message()),
                "",
            )
        };
        Err(errors.iter().map(problem).collect())
    }

    /// Reads the whole document as `T`. What does not fit is reported and left out, so that the
    /// rest can still be checked; `None` when nothing was left to read.
    pub(super) fn read<T: DeserializeOwned>(&mut self) -> (Option<T>, Vec<Problem>) {
        let mut problems = Vec::new();
        loop {
            let error = match T::deserialize(Deserializer::from(self.kept.clone())) {
                Ok(value) => return (Some(value), problems),
                Err(error) => error,
            };
            // A key that is there but was left out for its value has been reported before.
            let follows = missing_key(error.message()).is_some_and(|key| {
                error
                    .span()
                    .is_some_and(|span| has_key_at(self.root.get_ref(), &span, key))
            });
            if !follows {
                let (mut message, hint) = explain(error.message());
                if message == NO_ADDRESS {
                    let value = error.span().and_then(|span| self.text.get(span));
                    message = format!("{} {message}", value.unwrap_or("the value"));
                }
                problems.push(self.at(error.span().as_ref(), message, hint));
            }
            let removed = error
                .span()
                .is_some_and(|span| remove_from_table(self.kept.get_mut(), &span));
            if !removed {
                return (None, problems);
            }
        }
    }

    /// A problem with the value at `keys`, or with the nearest thing above it that is in the file.
    pub(super) fn problem(
        &self,
        keys: &[&str],
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Problem {
        self.at(self.span(keys).as_ref(), message, hint)
    }

    /// Whether the file has `key` in the table at `keys`.
    pub(super) fn has(&self, keys: &[&str], key: &str) -> bool {
        let mut table = self.root.get_ref();
        for step in keys {
            let below = table.iter().find(|(key, _)| key.get_ref() == step);
            let Some(next) = below.and_then(|(_, value)| value.get_ref().as_table()) else {
                return false;
            };
            table = next;
        }
        table.keys().any(|found| found.get_ref() == key)
    }

    /// Where the value of `keys` stands; numbers choose from an array.
    fn span(&self, keys: &[&str]) -> Option<Range<usize>> {
        let (first, rest) = keys.split_first()?;
        let (key, mut value) = self
            .kept
            .get_ref()
            .iter()
            .find(|(key, _)| key.get_ref() == first)?;
        let mut span = key.span();
        for step in rest {
            let (next, at) = match value.get_ref() {
                DeValue::Table(table) => {
                    match table.iter().find(|(key, _)| key.get_ref() == step) {
                        Some((key, value)) => (value, key.span()),
                        None => break,
                    }
                }
                DeValue::Array(array) => {
                    match step.parse::<usize>().ok().and_then(|at| array.get(at)) {
                        Some(value) => (value, value.span()),
                        None => break,
                    }
                }
                DeValue::String(_)
                | DeValue::Integer(_)
                | DeValue::Float(_)
                | DeValue::Boolean(_)
                | DeValue::Datetime(_) => break,
            };
            (value, span) = (next, at);
        }
        Some(span)
    }

    fn at(
        &self,
        span: Option<&Range<usize>>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Problem {
        let line = span.filter(|span| span.end > 0).map(|span| {
            self.text
                .get(..span.start)
                .unwrap_or_default()
                .matches('\n')
                .count()
                + 1
        });
        Problem {
            file: self.file.to_owned(),
            line,
            message: message.into(),
            hint: hint.into(),
        }
    }
}

/// The key of which serde says that it is missing.
fn missing_key(message: &str) -> Option<&str> {
    message.strip_prefix("missing field `")?.strip_suffix('`')
}

/// Whether a table that stands at `span` has the key.
fn has_key_at(table: &DeTable<'_>, span: &Range<usize>, key: &str) -> bool {
    table
        .values()
        .any(|value| value_has_key_at(value, span, key))
}

fn value_has_key_at(value: &Spanned<DeValue<'_>>, span: &Range<usize>, key: &str) -> bool {
    match value.get_ref() {
        DeValue::Table(table) => {
            (value.span() == *span && table.keys().any(|found| found.get_ref() == key))
                || has_key_at(table, span, key)
        }
        DeValue::Array(array) => array.iter().any(|value| value_has_key_at(value, span, key)),
        DeValue::String(_)
        | DeValue::Integer(_)
        | DeValue::Float(_)
        | DeValue::Boolean(_)
        | DeValue::Datetime(_) => false,
    }
}

/// Removes the key or value whose place is exactly `span`. Looks below first: a list of tables has
/// the place of its first table.
fn remove_from_table(table: &mut DeTable<'_>, span: &Range<usize>) -> bool {
    if table.iter_mut().any(|(_, value)| remove_below(value, span)) {
        return true;
    }
    let before = table.len();
    let kept = std::mem::take(table)
        .into_iter()
        .filter(|(key, value)| key.span() != *span && value.span() != *span);
    *table = kept.collect();
    table.len() < before
}

fn remove_below(value: &mut Spanned<DeValue<'_>>, span: &Range<usize>) -> bool {
    match value.get_mut() {
        DeValue::Table(table) => remove_from_table(table, span),
        DeValue::Array(array) => {
            if array.iter_mut().any(|value| remove_below(value, span)) {
                return true;
            }
            let before = array.len();
            *array = array
                .iter()
                .filter(|value| value.span() != *span)
                .cloned()
                .collect();
            array.len() < before
        }
        DeValue::String(_)
        | DeValue::Integer(_)
        | DeValue::Float(_)
        | DeValue::Boolean(_)
        | DeValue::Datetime(_) => false,
    }
}

const NO_ADDRESS: &str = "is not an address with a port";
const ADDRESS_HINT: &str = "write it like \"0.0.0.0:8080\"";

/// Turns serde's words into ours: (message, hint).
fn explain(message: &str) -> (String, String) {
    let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    match (message, names.split_first()) {
        (m, Some((wrong, known))) if m.starts_with("unknown field ") => {
            (format!("unknown key `{wrong}`"), suggest(wrong, known))
        }
        (m, Some((wrong, known))) if m.starts_with("unknown variant ") => {
            (format!("unknown value \"{wrong}\""), suggest(wrong, known))
        }
        (m, Some((key, _))) if m.starts_with("missing field ") => {
            (format!("`{key}` is missing"), format!("add `{key} = …`"))
        }
        (m, _) if m.starts_with("invalid type: ") || m.starts_with("invalid value: ") => {
            let expected = m.rsplit("expected ").next().unwrap_or_default();
            let hint = if expected.contains("socket address") {
                ADDRESS_HINT
            } else if expected.contains("string") {
                "put it into quotation marks"
            } else if expected.contains("boolean") {
                "write true or false without quotation marks"
            } else if expected.starts_with(['u', 'i']) {
                "write a whole number without quotation marks"
            } else if expected.contains("sequence") {
                "write a list in [ ]"
            } else {
                ""
            };
            (m.to_owned(), hint.to_owned())
        }
        (m, _) if m.contains("socket address") => (NO_ADDRESS.to_owned(), ADDRESS_HINT.to_owned()),
        (m, _) => (m.to_owned(), String::new()),
    }
}

/// The nearest of the known words, or all of them when none is near.
pub(super) fn suggest(wrong: &str, known: &[&str]) -> String {
    let lower = wrong.to_lowercase();
    let nearest = known
        .iter()
        .map(|&word| (strsim::jaro_winkler(&lower, &word.to_lowercase()), word))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    match nearest {
        Some((likeness, word)) if likeness >= 0.75 => format!("did you mean `{word}`?"),
        Some(_) if known.len() > 32 => String::new(),
        Some(_) => format!("known here: {}", known.join(", ")),
        None => String::new(),
    }
}
