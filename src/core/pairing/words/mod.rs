//! Explanations as sentences: English, Ukrainian, Russian.
//!
//! Players are named by number, for whoever shows a sentence knows what else he may show. Articles
//! are those of the rule book, the same in every language.

mod dutch;
mod format;
mod lim;
mod phrase;
mod swiss;

use super::{Explanation, UnpairedReason};
use phrase::Phrase;

/// A language of explanations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Ukrainian.
    Ukrainian,
    /// Russian.
    Russian,
}

impl Language {
    /// The language of a code like `uk` or `ru-UA`; `None` for one that we do not speak.
    pub fn by_code(code: &str) -> Option<Self> {
        let language = code.split(['-', '_']).next().unwrap_or(code);
        Some(match language.to_ascii_lowercase().as_str() {
            "en" => Self::English,
            "uk" => Self::Ukrainian,
            "ru" => Self::Russian,
            _ => return None,
        })
    }
}

/// Why these two, or why this bye.
pub fn explain(why: &Explanation, language: Language) -> String {
    match why {
        Explanation::Berger {
            size,
            table_round,
            cycle,
            white,
            black,
        } => format::berger(*size, *table_round, *cycle, [*white, *black], language),
        Explanation::BergerRest {
            size,
            table_round,
            number,
        } => format::rest(*size, *table_round, *number, language),
        Explanation::Format(why) => format::reason(why, language),
        Explanation::DutchPair(why) => dutch::pair(why, language),
        Explanation::DutchBye(why) => dutch::bye(why, language),
        Explanation::Fixed { .. } => format::FIXED.in_language(language).to_owned(),
        Explanation::ByeFirst(why) => swiss::bye(why, language),
        Explanation::Dubov(why) => swiss::dubov(why, language),
        Explanation::Burstein(why) => swiss::burstein(why, language),
        Explanation::Lim(why) => lim::pair(why, language),
    }
}

/// Why somebody is not paired.
pub fn unpaired(why: &UnpairedReason, language: Language) -> String {
    format::unpaired(why, language)
}

/// Said behind a sentence whose numbers are not the ids of the file.
pub const fn numbers_are_ranks(language: Language) -> &'static str {
    const RANKS: Phrase = Phrase::new(
        "(Numbers here are places in the order of strength.)",
        "(Числа тут — місця за силою.)",
        "(Числа здесь — места по силе.)",
    );
    RANKS.in_language(language)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::{
        PairingSystem,
        simulate::{Plan, simulate},
        trf::ReportOptions,
    };

    #[test]
    fn languages_by_code() {
        assert_eq!(Language::by_code("uk-UA"), Some(Language::Ukrainian));
        assert_eq!(Language::by_code("RU"), Some(Language::Russian));
        assert_eq!(Language::by_code("de"), None);
    }

    const LANGUAGES: [Language; 3] = [Language::English, Language::Ukrainian, Language::Russian];

    /// Every place is filled, and nothing of another language is left.
    fn whole(texts: &[String; 3]) {
        for text in texts {
            assert!(
                text.ends_with('.') && !text.contains(['{', '}', '|']),
                "{text}"
            );
            assert!(!text.contains("..") && !text.contains("  "), "{text}");
        }
        let [english, ukrainian, russian] = texts;
        assert!(
            english.bytes().any(|b| b.is_ascii_alphabetic()),
            "{english}"
        );
        let cyrillic = |text: &str| text.chars().any(|c| ('а'..='я').contains(&c));
        assert!(!cyrillic(english), "{english}");
        for text in [ukrainian, russian] {
            // Articles keep their Latin letters.
            let left = text.replace(['B', 'C', 'D', 'E', '.'], "");
            let latin = left.bytes().any(|b| b.is_ascii_alphabetic());
            assert!(cyrillic(text) && !latin, "{text}");
        }
        assert!(!ukrainian.contains(['ы', 'э', 'ё', 'ъ']), "{ukrainian}");
        assert!(!russian.contains(['і', 'ї', 'є', 'ґ']), "{russian}");
    }

    /// Whatever the pairing had to explain.
    #[test]
    fn sentences_are_whole() {
        let mut seen = 0;
        for (name, system) in PairingSystem::BY_NAME {
            let plan = Plan {
                players: 41,
                rounds: 9,
                seed: 3,
                system,
                forfeits: 4,
                byes: if system.is_swiss() { 5 } else { 0 },
                withdrawals: 5,
                baku: false,
            };
            let document = simulate(&plan, ReportOptions::default()).unwrap();
            for round in (1..=9).map(crate::types::RoundNo) {
                let request = document.request(Some(round)).unwrap();
                let paired = system.system().pair(&request.input).unwrap();
                let pairs = paired.pairs.iter().map(|pair| &pair.explanation);
                let byes = paired.bye.iter().map(|bye| &bye.explanation);
                let explained = pairs.chain(byes).map(|why| {
                    assert_eq!(explain(why, Language::English), why.to_string());
                    LANGUAGES.map(|language| explain(why, language))
                });
                let unpaired = paired.unpaired.iter().map(|it| {
                    assert_eq!(
                        unpaired(&it.reason, Language::English),
                        it.reason.to_string()
                    );
                    LANGUAGES.map(|language| unpaired(&it.reason, language))
                });
                for texts in explained.chain(unpaired) {
                    whole(&texts);
                    seen += 1;
                }
            }
        }
        assert!(seen > 800, "{seen}");
    }
}
