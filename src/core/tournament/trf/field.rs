//! Reading fields of a line, with a notice for each that cannot be read.

use std::ops::RangeInclusive;

use super::{
    columns::Columns,
    notice::{Kind, Notice, Severity},
};
use crate::types::{PlayerNo, Points};

/// A line being read.
pub(super) struct Fields<'a, 'n> {
    pub(super) columns: Columns<'a>,
    /// The line, from 1.
    pub(super) line: u32,
    /// Whose line it is, once known.
    pub(super) player: Option<PlayerNo>,
    /// The round being read.
    pub(super) round: Option<usize>,
    pub(super) notices: &'n mut Vec<Notice>,
}

impl Fields<'_, '_> {
    /// Says something of this line; player and round are added.
    pub(super) fn push(&mut self, notice: Notice) {
        let mut notice = notice.player(self.player);
        if let Some(round) = self.round {
            notice = notice.round(round);
        }
        self.notices.push(notice);
    }

    pub(super) fn error(
        &mut self,
        columns: RangeInclusive<usize>,
        field: &'static str,
        problem: impl Into<String>,
        hint: &'static str,
    ) {
        let notice = Notice::new(Severity::Error, Kind::Field, self.line, field)
            .column(*columns.start())
            .value(self.columns.text(columns))
            .problem(problem, hint);
        self.push(notice);
    }

    /// Says that something stands between the fields.
    pub(super) fn shifted(&mut self, columns: RangeInclusive<usize>, what: &str) {
        let notice = Notice::new(Severity::Error, Kind::Columns, self.line, "columns")
            .column(*columns.start())
            .value(self.columns.raw(columns))
            .problem(
                format!("is not where the columns should be: {what} cannot be trusted"),
                "move the fields to their columns; the blanks between them must stay",
            );
        self.push(notice);
    }

    /// The blanks between the fields of a record; `None`, and said, when one is missing.
    pub(super) fn gaps(&mut self, gaps: &[usize]) -> Option<()> {
        if gaps.iter().all(|&gap| self.columns.blank(gap)) {
            return Some(());
        }
        self.shifted(5..=gaps.last().map_or(5, |gap| gap + 1), "the record");
        None
    }

    /// Like [`Fields::error`] for a detail of a player that neither pairing nor points need.
    pub(super) fn warning(
        &mut self,
        columns: RangeInclusive<usize>,
        field: &'static str,
        problem: impl Into<String>,
        hint: &'static str,
    ) {
        self.error(columns, field, problem, hint);
        if let Some(notice) = self.notices.last_mut() {
            notice.severity = Severity::Warning;
        }
    }

    /// Like [`Fields::optional`] for such a detail.
    pub(super) fn detail<T>(
        &mut self,
        columns: RangeInclusive<usize>,
        field: &'static str,
        hint: &'static str,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Option<T> {
        let before = self.notices.len();
        let value = self.optional(columns, field, hint, parse);
        for notice in &mut self.notices[before..] {
            notice.severity = Severity::Warning;
        }
        value
    }

    /// A field that may be empty; `None` too where it cannot be read.
    pub(super) fn optional<T>(
        &mut self,
        columns: RangeInclusive<usize>,
        field: &'static str,
        hint: &'static str,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Option<T> {
        match self.columns.text(columns.clone()) {
            "" => None,
            text => match parse(text) {
                Ok(value) => Some(value),
                Err(problem) => {
                    self.error(columns, field, problem, hint);
                    None
                }
            },
        }
    }

    /// A field that must be there.
    pub(super) fn required<T>(
        &mut self,
        columns: RangeInclusive<usize>,
        field: &'static str,
        hint: &'static str,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Option<T> {
        if self.columns.text(columns.clone()).is_empty() {
            self.error(columns, field, "is empty", hint);
            return None;
        }
        self.optional(columns, field, hint, parse)
    }

    /// A whole number from `least`.
    pub(super) fn number(
        &mut self,
        columns: RangeInclusive<usize>,
        field: &'static str,
        least: u16,
    ) -> Option<u16> {
        self.required(columns, field, NUMBER, |s| whole(s, least))
    }

    /// Numbers of four columns, the first at `from`, the next five columns on. `None` when one of
    /// them cannot be read. 0 becomes `None`.
    pub(super) fn numbers(
        &mut self,
        from: usize,
        width: usize,
        field: &'static str,
    ) -> Option<Vec<Option<u16>>> {
        let mut numbers = Vec::new();
        let mut column = from;
        while column <= self.columns.len() {
            let columns = column..=column + width - 1;
            let gap = column + width;
            if !self.columns.blank(gap) {
                self.shifted(column..=gap, "this number and those behind it");
                return None;
            }
            let number = match self.columns.text(columns.clone()) {
                "" => 0,
                _ => self.required(columns, field, NUMBER, |s| whole(s, 0))?,
            };
            numbers.push(Some(number).filter(|&number| number > 0));
            column += width + 1;
        }
        Some(numbers)
    }

    /// Ids in columns of four; zeros are left out.
    pub(super) fn ids(&mut self, from: usize, field: &'static str) -> Option<Vec<PlayerNo>> {
        let numbers = self.numbers(from, 4, field)?;
        Some(numbers.into_iter().flatten().map(PlayerNo).collect())
    }

    /// Ids between blanks, from column 5 on.
    pub(super) fn free_ids(&mut self, field: &'static str) -> Option<Vec<PlayerNo>> {
        self.required(
            5..=usize::MAX - 1,
            field,
            "write pairing numbers with blanks between them",
            |s| {
                s.split_whitespace()
                    .map(|word| {
                        whole(word, 1)
                            .map(PlayerNo)
                            .map_err(|_| format!("has a word that is no pairing number: {word}"))
                    })
                    .collect()
            },
        )
    }

    /// Points that may be left out.
    pub(super) fn points(
        &mut self,
        columns: RangeInclusive<usize>,
        field: &'static str,
    ) -> Option<Points> {
        self.optional(columns, field, "write them as 1.5", parse_points)
    }
}

const NUMBER: &str = "write digits only, right-aligned in its columns";

fn whole(text: &str, least: u16) -> Result<u16, String> {
    match text.parse() {
        Ok(number) if number >= least => Ok(number),
        Ok(_) | Err(_) => Err(format!("is not a whole number from {least}")),
    }
}

/// Points as files write them: `4.5`, `4`, `4,5`.
pub(super) fn parse_points(text: &str) -> Result<Points, String> {
    let error = || "is not a number of points (halves only)".to_owned();
    let (whole, part) = text.split_once(['.', ',']).unwrap_or((text, ""));
    let half = match part.trim_end_matches('0') {
        "" => 0,
        "5" => 1,
        _ => return Err(error()),
    };
    let whole = if whole.is_empty() && !part.is_empty() {
        "0"
    } else {
        whole
    };
    if !whole.bytes().all(|b| b.is_ascii_digit()) {
        return Err(error());
    }
    whole
        .parse::<u16>()
        .ok()
        .and_then(|whole| whole.checked_mul(2)?.checked_add(half))
        .map(Points)
        .ok_or_else(error)
}

/// Points as we write them, `4.5`; from 100 on whole ones without the point, to fit four columns.
pub(super) fn points_text(points: Points) -> String {
    if points.halves() >= 200 && points.halves().is_multiple_of(2) {
        (points.halves() / 2).to_string()
    } else {
        points.decimal()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_as_files_write_them() {
        for (text, halves) in [
            ("4.5", 9),
            ("4", 8),
            ("4,5", 9),
            ("0.0", 0),
            (".5", 1),
            ("12.50", 25),
        ] {
            assert_eq!(parse_points(text), Ok(Points(halves)), "{text}");
        }
        for bad in ["", ".", "-1.0", "+1", "1.25", "1.x", "99999", "1.5.0", "½"] {
            assert!(parse_points(bad).is_err(), "{bad}");
        }
    }
}
