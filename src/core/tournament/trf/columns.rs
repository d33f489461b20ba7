//! Lines by columns: reading a field, building a line. Columns count from 1, ends inclusive.

use std::ops::RangeInclusive;

/// A line addressed by columns. Blanks at its end are no columns.
pub(super) struct Columns<'a> {
    text: &'a str,
    /// Where each character begins; `None` where columns are bytes.
    starts: Option<Vec<usize>>,
}

impl<'a> Columns<'a> {
    /// Columns count characters.
    pub(super) fn by_characters(text: &'a str) -> Self {
        let text = text.trim_end();
        let starts = (!text.is_ascii()).then(|| text.char_indices().map(|(at, _)| at).collect());
        Self { text, starts }
    }

    /// Columns count bytes: a character stands in the column of its first one.
    pub(super) fn by_bytes(text: &'a str) -> Self {
        let text = text.trim_end();
        Self { text, starts: None }
    }

    /// The number of columns.
    pub(super) fn len(&self) -> usize {
        self.starts.as_ref().map_or(self.text.len(), Vec::len)
    }

    fn byte(&self, column: usize) -> usize {
        let at = column - 1;
        let mut byte = match &self.starts {
            Some(starts) => starts.get(at).copied().unwrap_or(self.text.len()),
            None => at.min(self.text.len()),
        };
        while !self.text.is_char_boundary(byte) {
            byte += 1;
        }
        byte
    }

    /// What stands in the columns, blanks included; shorter where the line ends.
    pub(super) fn raw(&self, columns: RangeInclusive<usize>) -> &'a str {
        let end = self.byte(columns.end().saturating_add(1));
        &self.text[self.byte(*columns.start()).min(end)..end]
    }

    /// What stands in the columns, trimmed.
    pub(super) fn text(&self, columns: RangeInclusive<usize>) -> &'a str {
        self.raw(columns).trim()
    }

    /// From a column to the end, trimmed.
    pub(super) fn rest(&self, from: usize) -> &'a str {
        self.text[self.byte(from)..].trim()
    }

    /// Nothing but a blank stands in the column.
    pub(super) fn blank(&self, column: usize) -> bool {
        self.raw(column..=column).trim().is_empty()
    }
}

/// Builds a line.
pub(super) struct Form {
    text: String,
    columns: usize,
}

impl Form {
    /// Begins with the record code.
    pub(super) fn new(code: &str) -> Self {
        let mut form = Self {
            text: String::new(),
            columns: 0,
        };
        form.left(1, code);
        form
    }

    /// Text from a column on.
    pub(super) fn left(&mut self, column: usize, text: &str) {
        if text.is_empty() {
            return;
        }
        while self.columns + 1 < column {
            self.text.push(' ');
            self.columns += 1;
        }
        // A name with a line end in it must not become two records.
        self.text
            .extend(text.chars().map(|c| if c.is_control() { ' ' } else { c }));
        self.columns += text.chars().count();
    }

    /// Text that ends in a column.
    pub(super) fn right(&mut self, last: usize, text: &str) {
        self.left((last + 1).saturating_sub(text.chars().count()), text);
    }

    /// The line.
    pub(super) fn finish(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_characters_and_by_bytes() {
        let line = Columns::by_characters("Їжак 12");
        assert_eq!(
            (line.len(), line.text(1..=4), line.text(6..=9)),
            (7, "Їжак", "12")
        );
        let line = Columns::by_bytes("Їжак 12");
        assert_eq!(
            (line.len(), line.text(1..=8), line.rest(10)),
            (11, "Їжак", "12")
        );
        // A column inside a character belongs to the character before it.
        assert_eq!(
            (line.raw(1..=1), line.raw(2..=2), line.raw(2..=3)),
            ("Ї", "", "ж")
        );
        assert_eq!((line.raw(50..=60), line.rest(usize::MAX)), ("", ""));
        assert!(line.blank(9) && line.blank(99) && !line.blank(10));
    }

    #[test]
    fn lines_are_built_by_columns() {
        let mut form = Form::new("001");
        form.right(8, "12");
        form.left(10, "Їжак");
        form.right(16, "7");
        assert_eq!(form.finish(), "001   12 Їжак  7");
    }
}
