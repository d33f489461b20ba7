//! The rating lists of FIDE as its site gives them out: text in columns, or XML. Read in pieces of any
//! size, so that a list of a million and a half players takes no more memory than one of them.
//!
//! The combined list has columns for standard, rapid and blitz (`SRtng`, `RRtng`, `BRtng`); the single
//! ones have one column of ratings that is named by its month (`DEC26`). Columns are taken from the first
//! line, never from fixed places.

mod columns;
mod fill;
mod markup;

use std::borrow::Cow;

use self::columns::Columns;
pub use self::fill::{Filled, Filler};

/// Which of a player's ratings is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum RatingKind {
    /// Standard.
    #[default]
    Standard,
    /// Rapid.
    Rapid,
    /// Blitz.
    Blitz,
}

/// A player of a list, as it stands there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The FIDE number.
    pub fide_id: u64,
    /// `Surname, First`.
    pub name: Cow<'a, str>,
    /// Three letters.
    pub federation: &'a str,
    /// `M` or `F`.
    pub sex: &'a str,
    /// `GM` …; empty for none. The better one where a woman bears two.
    pub title: &'a str,
    /// Standard, or the only rating of a single list; `None` for 0.
    pub standard: Option<u16>,
    /// Rapid.
    pub rapid: Option<u16>,
    /// Blitz.
    pub blitz: Option<u16>,
    /// The year of birth.
    pub birth: Option<i16>,
}

impl Entry<'_> {
    /// The rating of a kind; of a list with one kind that one.
    pub const fn rating(&self, kind: RatingKind) -> Option<u16> {
        match kind {
            RatingKind::Standard => self.standard,
            RatingKind::Rapid => self.rapid,
            RatingKind::Blitz => self.blitz,
        }
    }
}

/// Not a rating list of FIDE.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListError {
    /// The first line names no columns that we know.
    #[error(
        "is no rating list of FIDE: its first line must name the columns \"ID Number\", \"Name\" and \
         \"Fed\", or it must be XML with <playerslist>; unpack the .zip first"
    )]
    Unknown,
    /// A record that never ends.
    #[error("is damaged: a record is longer than {LONGEST} bytes")]
    Endless,
}

/// The longest record that is waited for.
const LONGEST: usize = 64 * 1024;

#[derive(Debug)]
enum Form {
    /// Nothing has come yet that tells.
    Open,
    Text(Box<Columns>),
    Markup,
}

/// Reads a list piece by piece.
#[derive(Debug)]
pub struct Reader {
    form: Form,
    /// Of a record whose end has not come.
    rest: Vec<u8>,
    /// Players read.
    pub players: u64,
    /// Records from which no player could be read.
    pub broken: u64,
}

impl Default for Reader {
    fn default() -> Self {
        Self::new()
    }
}

impl Reader {
    /// A reader that has seen nothing.
    pub const fn new() -> Self {
        Self {
            form: Form::Open,
            rest: Vec::new(),
            players: 0,
            broken: 0,
        }
    }

    /// Takes a piece and hands out the players that are whole.
    ///
    /// # Errors
    /// When it is no such list.
    pub fn feed(
        &mut self,
        piece: &[u8],
        each: &mut impl FnMut(&Entry<'_>),
    ) -> Result<(), ListError> {
        if self.rest.is_empty() {
            let used = self.records(piece, each)?;
            self.rest.extend_from_slice(&piece[used..]);
        } else {
            let mut whole = std::mem::take(&mut self.rest);
            whole.extend_from_slice(piece);
            let used = self.records(&whole, each)?;
            whole.drain(..used);
            self.rest = whole;
        }
        if self.rest.len() > LONGEST.max(piece.len()) {
            return Err(ListError::Endless);
        }
        Ok(())
    }

    /// The end has come.
    ///
    /// # Errors
    /// When it was no such list.
    pub fn finish(&mut self, each: &mut impl FnMut(&Entry<'_>)) -> Result<(), ListError> {
        let mut rest = std::mem::take(&mut self.rest);
        rest.push(b'\n');
        self.records(&rest, each)?;
        match self.form {
            Form::Open => Err(ListError::Unknown),
            Form::Text(_) | Form::Markup => Ok(()),
        }
    }

    /// Reads the whole records and says how many bytes they were.
    fn records(
        &mut self,
        bytes: &[u8],
        each: &mut impl FnMut(&Entry<'_>),
    ) -> Result<usize, ListError> {
        let mut at = 0;
        if matches!(self.form, Form::Open) {
            let bom = bytes.starts_with(b"\xef\xbb\xbf");
            at = if bom { 3 } else { 0 };
            let start = bytes[at..].iter().position(|b| !b.is_ascii_whitespace());
            let Some(start) = start else { return Ok(0) };
            if bytes[at + start] == b'<' {
                self.form = Form::Markup;
            } else {
                let Some(end) = bytes[at + start..].iter().position(|b| *b == b'\n') else {
                    return Ok(0);
                };
                let header = String::from_utf8_lossy(&bytes[at..at + start + end]);
                let columns = Columns::named(&header).ok_or(ListError::Unknown)?;
                self.form = Form::Text(Box::new(columns));
                at += start + end + 1;
            }
        }
        loop {
            let left = &bytes[at..];
            let (record, end) = match &self.form {
                Form::Text(_) => match left.iter().position(|b| *b == b'\n') {
                    Some(end) => (&left[..end], end + 1),
                    None => return Ok(at),
                },
                Form::Markup | Form::Open => match markup::record(left) {
                    Some(found) => found,
                    None => return Ok(at),
                },
            };
            at += end;
            let text = decoded(record);
            if text.trim().is_empty() {
                continue;
            }
            let entry = match &self.form {
                Form::Text(columns) => columns.entry(&text),
                Form::Markup | Form::Open => markup::entry(&text),
            };
            match entry {
                Some(entry) => {
                    self.players += 1;
                    each(&entry);
                }
                None => self.broken += 1,
            }
        }
    }
}

/// UTF-8, else Latin-1: the lists are ASCII but for a name here and there.
fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|byte| char::from(*byte)).collect()),
    }
}

fn number<T: std::str::FromStr + PartialOrd + Default>(text: &str) -> Option<T> {
    text.trim().parse().ok().filter(|it| *it > T::default())
}
