//! Bytes to a document.

use super::{
    check::check,
    columns::Columns,
    encoding::{self, BOM, Encoding},
    field::Fields,
    model::{Document, Line, Record, Source},
    notice::{Kind, Notice, Severity},
    player, records, teams,
};

/// A report file and what there is to say about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The file.
    pub document: Document,
    /// Guesses, oddities and faults, by line.
    pub notices: Vec<Notice>,
}

impl Reading {
    /// A player, a result or a setting was left out, or the file contradicts itself: pairing from
    /// it would be wrong.
    pub fn has_errors(&self) -> bool {
        self.notices
            .iter()
            .any(|notice| notice.severity == Severity::Error)
    }
}

/// Reads a report file of any kind: TRF16, its extensions, TRF26. Never fails: what cannot be read
/// is kept as it stands and named in the notices.
pub fn read(bytes: &[u8]) -> Reading {
    let mut notices = Vec::new();
    let bom = bytes.starts_with(BOM);
    let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let encoding = encoding::guess(text);
    if text.starts_with(&[0xff, 0xfe]) || text.starts_with(&[0xfe, 0xff]) {
        notices.push(
            Notice::new(Severity::Error, Kind::Encoding, 1, "encoding")
                .value("UTF-16")
                .problem("cannot be read", "save the file again as UTF-8"),
        );
    } else if encoding != Encoding::Utf8 {
        notices.push(
            Notice::new(Severity::Info, Kind::Encoding, 1, "encoding")
                .value(encoding.name())
                .problem(
                    "is a guess: the file is not UTF-8",
                    "if names look wrong, save the file again as UTF-8",
                ),
        );
    }
    let mut document = Document {
        encoding,
        bom,
        lines: Vec::new(),
    };
    let mut by_bytes: Option<(u32, u32)> = None;
    for (no, (bytes, end)) in (1..).zip(encoding::lines(text)) {
        let (line, whole) = encoding.decode(bytes);
        if !whole {
            notices.push(
                Notice::new(Severity::Warning, Kind::Encoding, no, "line")
                    .value(&line)
                    .problem(
                        format!("has bytes that mean nothing in {}", encoding.name()),
                        "correct the name; the bytes are kept until then",
                    ),
            );
        }
        let (columns, bytes_counted) = columns(&line, encoding);
        if bytes_counted {
            by_bytes = Some(by_bytes.map_or((no, 1), |(first, count)| (first, count + 1)));
        }
        let record = record(&line, columns, no, &mut notices);
        let canonical = encoding
            .encode(&records::format(&record))
            .is_some_and(|b| b == bytes);
        let source = (!canonical).then(|| {
            Box::new(Source {
                bytes: bytes.to_vec(),
                record: record.clone(),
            })
        });
        document.lines.push(Line {
            record,
            end,
            source,
        });
    }
    if let Some((first, count)) = by_bytes {
        notices.push(
            Notice::new(Severity::Info, Kind::Columns, first, "columns")
                .value(&count.to_string())
                .problem("lines, this one first, count their columns by bytes", ""),
        );
    }
    notices.extend(check(&document));
    let error = |notice: &Notice| notice.severity == Severity::Error;
    if document.rows().next().is_none() && !notices.iter().any(error) {
        notices.push(Notice::new(Severity::Error, Kind::Empty, 1, "001").problem(
            "no player record is in the file",
            "choose a report file (TRF16 or TRF26); its players stand in lines that begin with 001",
        ));
    }
    notices.sort_by_key(|notice| (notice.line, notice.column));
    Reading { document, notices }
}

fn record(line: &str, columns: Columns, no: u32, notices: &mut Vec<Notice>) -> Record {
    if line.trim().is_empty() || line.starts_with('#') {
        return Record::Comment(line.to_owned());
    }
    let mut fields = Fields {
        columns,
        line: no,
        player: None,
        round: None,
        notices,
    };
    let code = fields.columns.raw(1..=3);
    if fields.columns.blank(4) {
        records::parse(code, &mut fields)
    } else {
        if records::is_known(code) {
            fields.shifted(1..=8, "the line");
        }
        None
    }
    .unwrap_or_else(|| Record::Other(line.to_owned()))
}

/// Columns count characters; a line padded by bytes is recognised by the fields behind the name.
fn columns(line: &str, encoding: Encoding) -> (Columns<'_>, bool) {
    let by_characters = Columns::by_characters(line);
    if line.is_ascii() || encoding != Encoding::Utf8 {
        return (by_characters, false);
    }
    let fits = match by_characters.raw(1..=4) {
        "310 " => teams::fits,
        "013 " => |c: &Columns| {
            let ids = c.rest(37);
            ids.bytes().all(|b| b.is_ascii_digit() || b == b' ') && c.blank(41)
        },
        code if code == "001 "
            || code.trim_end().len() == 3
                && code.bytes().all(|b| b.is_ascii_uppercase() || b == b' ') =>
        {
            player::fits
        }
        _ => return (by_characters, false),
    };
    if !fits(&by_characters) {
        let by_bytes = Columns::by_bytes(line);
        if fits(&by_bytes) {
            return (by_bytes, true);
        }
    }
    (by_characters, false)
}
