//! Bytes to lines of text and back. No standard fixes the encoding of report files, so it is
//! guessed: UTF-8 where the bytes allow it, else Windows-1251 or 1252 by the look of the words.

use serde::{Deserialize, Serialize};

/// How the bytes became text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// UTF-8 (or plain ASCII), with or without a byte order mark.
    #[default]
    Utf8,
    /// Windows-1251: not UTF-8, and the words are written in upper bytes alone, as Cyrillic is.
    Windows1251,
    /// Windows-1252, the superset of Latin-1 that old programs write: not UTF-8, and the upper
    /// bytes stand among ASCII letters.
    Windows1252,
}

impl Encoding {
    /// The name that people know.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Windows1251 => "Windows-1251",
            Self::Windows1252 => "Windows-1252",
        }
    }

    /// The text of a line; `false` when bytes had no meaning and became U+FFFD.
    pub(in crate::tournament) fn decode(self, bytes: &[u8]) -> (String, bool) {
        match (self, std::str::from_utf8(bytes)) {
            (Self::Utf8, Ok(text)) => (text.to_owned(), true),
            (Self::Utf8, Err(_)) => (String::from_utf8_lossy(bytes).into_owned(), false),
            (Self::Windows1251 | Self::Windows1252, Ok(text)) if text.is_ascii() => {
                (text.to_owned(), true)
            }
            (Self::Windows1251 | Self::Windows1252, _) => {
                let text: String = bytes.iter().map(|&byte| self.char(byte)).collect();
                let whole = !text.contains(char::REPLACEMENT_CHARACTER);
                (text, whole)
            }
        }
    }

    /// The bytes of a text; `None` when a character is not in the encoding.
    pub(super) fn encode(self, text: &str) -> Option<Vec<u8>> {
        if self == Self::Utf8 || text.is_ascii() {
            return Some(text.as_bytes().to_vec());
        }
        text.chars()
            .map(|c| {
                u8::try_from(c)
                    .ok()
                    .filter(u8::is_ascii)
                    .or_else(|| (0x80..=0xff).find(|&byte| self.char(byte) == c))
                    .filter(|_| c != char::REPLACEMENT_CHARACTER)
            })
            .collect()
    }

    /// A byte of a one-byte encoding; bytes without a meaning become the replacement character.
    fn char(self, byte: u8) -> char {
        let at = usize::from(byte & 0x3f);
        match (self, byte) {
            (_, 0..=0x7f) | (Self::Utf8, _) => char::from(byte),
            (Self::Windows1251, 0x80..=0xbf) => UPPER_1251[at],
            (Self::Windows1251, _) => {
                char::from_u32('А' as u32 + u32::from(byte & 0x3f)).unwrap_or_default()
            }
            (Self::Windows1252, 0x80..=0x9f) => UPPER_1252[at],
            (Self::Windows1252, _) => char::from(byte),
        }
    }
}

/// 0x80 to 0xBF of Windows-1251; the letters А to я follow.
const UPPER_1251: [char; 64] = [
    'Ђ', 'Ѓ', '‚', 'ѓ', '„', '…', '†', '‡', '€', '‰', 'Љ', '‹', 'Њ', 'Ќ', 'Ћ', 'Џ', 'ђ', '‘', '’',
    '“', '”', '•', '–', '—', '\u{fffd}', '™', 'љ', '›', 'њ', 'ќ', 'ћ', 'џ', '\u{a0}', 'Ў', 'ў',
    'Ј', '¤', 'Ґ', '¦', '§', 'Ё', '©', 'Є', '«', '¬', '\u{ad}', '®', 'Ї', '°', '±', 'І', 'і', 'ґ',
    'µ', '¶', '·', 'ё', '№', 'є', '»', 'ј', 'Ѕ', 'ѕ', 'ї',
];

/// 0x80 to 0x9F of Windows-1252; the rest is Latin-1.
const UPPER_1252: [char; 32] = [
    '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž',
    '\u{fffd}', '\u{fffd}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{fffd}',
    'ž', 'Ÿ',
];

/// How a line ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineEnd {
    /// CR LF, as the standard programs write.
    #[default]
    CrLf,
    /// LF alone.
    Lf,
    /// CR alone, as JaVaFo and bbpPairings may write.
    Cr,
    /// The file ends here.
    None,
}

impl LineEnd {
    /// The bytes.
    pub const fn bytes(self) -> &'static [u8] {
        match self {
            Self::CrLf => b"\r\n",
            Self::Lf => b"\n",
            Self::Cr => b"\r",
            Self::None => b"",
        }
    }
}

/// A byte order mark of UTF-8.
pub(super) const BOM: &[u8] = b"\xef\xbb\xbf";

/// Splits at CR, LF and CRLF.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = (&[u8], LineEnd)> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let at = rest
            .iter()
            .position(|b| matches!(b, b'\r' | b'\n'))
            .unwrap_or(rest.len());
        let (line, tail) = rest.split_at(at);
        let end = match tail {
            [b'\r', b'\n', ..] => LineEnd::CrLf,
            [b'\n', ..] => LineEnd::Lf,
            [_, ..] => LineEnd::Cr,
            [] => LineEnd::None,
        };
        rest = &tail[end.bytes().len()..];
        Some((line, end))
    })
}

/// Guesses the encoding of a file without its byte order mark.
pub(in crate::tournament) fn guess(bytes: &[u8]) -> Encoding {
    if std::str::from_utf8(bytes).is_ok() {
        return Encoding::Utf8;
    }
    // Programs that cut names by bytes leave halves of characters in a file that is UTF-8 otherwise.
    let (mut whole, mut broken) = (0_usize, 0_usize);
    for (line, _) in lines(bytes).filter(|(line, _)| !line.is_ascii()) {
        match std::str::from_utf8(line) {
            Ok(_) => whole += 1,
            Err(_) => broken += 1,
        }
    }
    if whole > broken {
        return Encoding::Utf8;
    }
    let letter = |b: &u8| b.is_ascii_alphabetic() || *b >= 0x80;
    let (mut cyrillic, mut latin) = (0_usize, 0_usize);
    for word in bytes.split(|b| !letter(b)).filter(|word| !word.is_empty()) {
        match word.iter().filter(|b| !b.is_ascii()).count() {
            0 => {}
            upper if upper == word.len() && upper > 1 => cyrillic += 1,
            upper if upper < word.len() => latin += 1,
            _ => {}
        }
    }
    if cyrillic > latin {
        Encoding::Windows1251
    } else {
        Encoding::Windows1252
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_or_has_no_meaning() {
        for encoding in [Encoding::Windows1251, Encoding::Windows1252] {
            for byte in 0..=u8::MAX {
                let (text, whole) = encoding.decode(&[byte]);
                assert_eq!(
                    encoding.encode(&text),
                    whole.then(|| vec![byte]),
                    "{encoding:?} {byte:#x}"
                );
            }
        }
        assert_eq!(Encoding::Windows1252.encode("Коваль"), None);
        assert_eq!(
            Encoding::Windows1251
                .decode(b"\xb2\xe2\xe0\xed \xaf\xe6\xe0\xea\xe5\xe2\xe8\xf7 \xba\xb4\xa5\xff"),
            ("Іван Їжакевич єґҐя".to_owned(), true)
        );
    }

    #[test]
    fn guesses() {
        assert_eq!(guess("Коваль, Олена".as_bytes()), Encoding::Utf8);
        let (cyrillic, latin) = ("Коваль, Олена; Шевченко", "Müller, Jörg; Đặng");
        let encode = |encoding: Encoding, text: &str| {
            let known: String = text
                .chars()
                .filter(|&c| encoding.encode(&c.to_string()).is_some())
                .collect();
            encoding.encode(&known).unwrap_or_default()
        };
        assert_eq!(
            guess(&encode(Encoding::Windows1251, cyrillic)),
            Encoding::Windows1251
        );
        assert_eq!(
            guess(&encode(Encoding::Windows1252, latin)),
            Encoding::Windows1252
        );
        // One name cut in the middle of a character among many whole ones.
        let mut cut = "Коваль\nОлена\nШевченк".as_bytes().to_vec();
        cut.push(0xd0);
        assert_eq!(guess(&cut), Encoding::Utf8);
    }

    #[test]
    fn all_line_ends() {
        let found: Vec<_> = lines(b"a\r\nb\rc\n\r\r\nd").collect();
        let expected: [(&[u8], LineEnd); 6] = [
            (b"a", LineEnd::CrLf),
            (b"b", LineEnd::Cr),
            (b"c", LineEnd::Lf),
            (b"", LineEnd::Cr),
            (b"", LineEnd::CrLf),
            (b"d", LineEnd::None),
        ];
        assert_eq!(found, expected);
    }
}
