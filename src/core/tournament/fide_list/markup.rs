//! The list as XML: `<player>` elements, each with elements of text and nothing else.

use std::borrow::Cow;

use super::{Entry, number};

const END: &[u8] = b"</player>";

/// The next player's bytes, and where the one after begins.
pub(super) fn record(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let mut from = 0;
    loop {
        let at = from + bytes[from..].iter().position(|b| *b == b'/')?;
        if at > 0 && bytes[at - 1..].starts_with(END) {
            let end = at - 1 + END.len();
            return Some((&bytes[..at - 1], end));
        }
        from = at + 1;
    }
}

pub(super) fn entry(text: &str) -> Option<Entry<'_>> {
    let body = &text[text.rfind("<player>").map_or(0, |at| at + "<player>".len())..];
    let mut entry = Entry::default();
    let mut woman = "";
    let mut left = body;
    while let Some(open) = left.find('<') {
        left = &left[open + 1..];
        let Some(close) = left.find('>') else { break };
        let tag = &left[..close];
        left = &left[close + 1..];
        if tag.starts_with('/') || tag.ends_with('/') {
            continue;
        }
        let value = left.find('<').map_or(left, |end| &left[..end]).trim();
        match tag {
            "fideid" => entry.fide_id = number(value)?,
            "name" => entry.name = unescaped(value),
            "country" => entry.federation = value,
            "sex" => entry.sex = value,
            "title" => entry.title = value,
            "w_title" => woman = value,
            "rating" => entry.standard = number(value),
            "rapid_rating" => entry.rapid = number(value),
            "blitz_rating" => entry.blitz = number(value),
            "birthday" => entry.birth = number(value),
            _ => {}
        }
    }
    if entry.title.is_empty() {
        entry.title = woman;
    }
    (entry.fide_id > 0 && !entry.name.is_empty()).then_some(entry)
}

fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let text = text
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&#39;", "'")
        .replace("&amp;", "&");
    Cow::Owned(text)
}
