//! The list as text in columns.

use std::borrow::Cow;

use super::{Entry, number};

/// From which character to which.
type Span = (usize, usize);

/// Where the columns stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Columns {
    id: Span,
    name: Span,
    federation: Option<Span>,
    sex: Option<Span>,
    title: Option<Span>,
    woman: Option<Span>,
    standard: Option<Span>,
    rapid: Option<Span>,
    blitz: Option<Span>,
    birth: Option<Span>,
}

impl Columns {
    /// From the first line; `None` when it names no players.
    pub(super) fn named(header: &str) -> Option<Self> {
        // "ID Number" is one column.
        let header = header.replace("ID Number", "ID_Number").to_lowercase();
        let letters: Vec<char> = header.chars().collect();
        let starts: Vec<usize> = (0..letters.len())
            .filter(|at| {
                !letters[*at].is_whitespace() && (*at == 0 || letters[at - 1].is_whitespace())
            })
            .collect();
        let mut columns = Self::default();
        let (mut id, mut name) = (None, None);
        for (at, start) in starts.iter().enumerate() {
            let end = starts.get(at + 1).copied().unwrap_or(usize::MAX);
            let word: String = (letters[*start..].iter())
                .take_while(|letter| !letter.is_whitespace())
                .collect();
            let span = Some((*start, end));
            match word.as_str() {
                "id_number" | "id" | "idnumber" => id = span,
                "name" => name = span,
                "fed" | "country" => columns.federation = span,
                "sex" => columns.sex = span,
                "tit" | "titl" | "title" => columns.title = span,
                "wtit" => columns.woman = span,
                "srtng" | "rtng" | "rating" => columns.standard = span,
                "rrtng" => columns.rapid = span,
                "brtng" => columns.blitz = span,
                "b-day" | "born" | "birthday" => columns.birth = span,
                // A single list names its ratings by the month.
                month if is_month(month) => columns.standard = span,
                _ => {}
            }
        }
        columns.id = id?;
        columns.name = name?;
        columns.federation?;
        Some(columns)
    }

    pub(super) fn entry<'a>(&self, line: &'a str) -> Option<Entry<'a>> {
        let ascii = line.is_ascii();
        let field = |(from, to): Span| -> &'a str {
            if ascii {
                let to = to.min(line.len());
                return line.get(from.min(to)..to).unwrap_or_default().trim();
            }
            let place = |at: usize| {
                let mut places = line.char_indices().map(|(place, _)| place);
                places.nth(at).unwrap_or(line.len())
            };
            let from = place(from);
            let to = if to == usize::MAX {
                line.len()
            } else {
                place(to)
            };
            line.get(from..to).unwrap_or_default().trim()
        };
        let optional = |span: Option<Span>| span.map(field).unwrap_or_default();
        let name = field(self.name);
        if name.is_empty() {
            return None;
        }
        let title = optional(self.title);
        Some(Entry {
            fide_id: number(field(self.id))?,
            name: Cow::Borrowed(name),
            federation: optional(self.federation),
            sex: optional(self.sex),
            title: if title.is_empty() {
                optional(self.woman)
            } else {
                title
            },
            standard: number(optional(self.standard)),
            rapid: number(optional(self.rapid)),
            blitz: number(optional(self.blitz)),
            birth: number(optional(self.birth)),
        })
    }
}

/// `dec26`.
fn is_month(word: &str) -> bool {
    const MONTHS: [&str; 12] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    let split = word.is_ascii() && word.len() == 5;
    split && MONTHS.contains(&&word[..3]) && word[3..].bytes().all(|b| b.is_ascii_digit())
}
