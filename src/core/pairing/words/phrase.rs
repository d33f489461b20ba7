//! A phrase in the three languages, with places for values.
//!
//! `{name}` stands for a value, `{name|point|points}` for the form of a word that the value asks
//! for: two forms in English, three in Ukrainian and Russian (1 очко, 2 очки, 5 очок), and a fourth
//! one for halves where it is not the second (½ очка). What a sentence is made of is decided once, for
//! all languages; a phrase only words it.

use super::Language;
use crate::types::{PlayerNo, Points, RoundNo};

/// The same in each language.
#[derive(Clone, Copy)]
pub(super) struct Phrase {
    english: &'static str,
    ukrainian: &'static str,
    russian: &'static str,
}

/// Something to put into a phrase.
#[derive(Clone)]
pub(super) enum Value {
    Number(u32),
    Points(Points),
    Text(String),
}

impl From<u16> for Value {
    fn from(number: u16) -> Self {
        Self::Number(number.into())
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Number(number)
    }
}

impl From<usize> for Value {
    fn from(number: usize) -> Self {
        Self::Number(number.try_into().unwrap_or(u32::MAX))
    }
}

impl From<PlayerNo> for Value {
    fn from(player: PlayerNo) -> Self {
        Self::Text(player.to_string())
    }
}

impl From<RoundNo> for Value {
    fn from(round: RoundNo) -> Self {
        Self::Text(round.to_string())
    }
}

impl From<Points> for Value {
    fn from(points: Points) -> Self {
        Self::Points(points)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl Value {
    fn written(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Points(points) => points.to_string(),
            Self::Text(text) => text.clone(),
        }
    }

    /// Which of the forms of a word stands behind it.
    fn form(&self, language: Language) -> usize {
        let (whole, half) = match self {
            Self::Number(number) => (*number, false),
            Self::Points(points) => (u32::from(points.0 / 2), points.0 % 2 == 1),
            Self::Text(_) => (0, false),
        };
        if language == Language::English {
            // "½ point", "1 point", "1½ points".
            return usize::from(!matches!((whole, half), (1, false) | (0, true)));
        }
        match (half, whole % 10, whole % 100) {
            (true, ..) => 3,
            (false, 1, hundred) if hundred != 11 => 0,
            (false, 2..=4, hundred) if !(12..=14).contains(&hundred) => 1,
            _ => 2,
        }
    }
}

impl Phrase {
    /// English, Ukrainian, Russian.
    pub(super) const fn new(
        english: &'static str,
        ukrainian: &'static str,
        russian: &'static str,
    ) -> Self {
        Self {
            english,
            ukrainian,
            russian,
        }
    }

    /// The words in a language, nothing put in.
    pub(super) const fn in_language(self, language: Language) -> &'static str {
        match language {
            Language::English => self.english,
            Language::Ukrainian => self.ukrainian,
            Language::Russian => self.russian,
        }
    }

    /// The words with the values. A place without a value stays as it is, which the tests find.
    pub(super) fn say(self, language: Language, values: &[(&str, Value)]) -> String {
        let mut rest = self.in_language(language);
        let mut text = String::with_capacity(rest.len() + 16);
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let Some((place, behind)) = after.split_once('}') else {
                rest = after;
                break;
            };
            rest = behind;
            let mut parts = place.split('|');
            let name = parts.next().unwrap_or_default();
            let Some((_, value)) = values.iter().find(|(known, _)| *known == name) else {
                text.push('{');
                text.push_str(place);
                text.push('}');
                continue;
            };
            let forms: Vec<&str> = parts.collect();
            if forms.is_empty() {
                text.push_str(&value.written());
            } else {
                let form = match value.form(language) {
                    3 if forms.len() < 4 => 1,
                    form => form,
                };
                text.push_str(forms.get(form).copied().unwrap_or_default());
            }
        }
        text.push_str(rest);
        text
    }
}

/// Numbers with commas between them.
pub(super) fn list(numbers: &[PlayerNo]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    numbers.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: Phrase = Phrase::new(
        "{n} {n|point|points}",
        "{n} {n|очко|очки|очок|очка}",
        "{n} {n|очко|очка|очков}",
    );

    #[test]
    fn words_follow_their_numbers() {
        for (half_points, english, ukrainian) in [
            (0, "0 points", "0 очок"),
            (1, "½ point", "½ очка"),
            (2, "1 point", "1 очко"),
            (3, "1½ points", "1½ очка"),
            (4, "2 points", "2 очки"),
            (10, "5 points", "5 очок"),
            (22, "11 points", "11 очок"),
            (24, "12 points", "12 очок"),
            (42, "21 points", "21 очко"),
            (44, "22 points", "22 очки"),
            (222, "111 points", "111 очок"),
            (228, "114 points", "114 очок"),
        ] {
            let value = [("n", Points(half_points).into())];
            assert_eq!(POINTS.say(Language::English, &value), english);
            assert_eq!(POINTS.say(Language::Ukrainian, &value), ukrainian);
        }
        let value = [("n", 3_usize.into())];
        assert_eq!(POINTS.say(Language::Russian, &value), "3 очка");
    }

    #[test]
    fn a_place_without_a_value_is_seen() {
        assert_eq!(
            POINTS.say(Language::Russian, &[]),
            "{n} {n|очко|очка|очков}"
        );
    }
}
