//! Explanations as sentences: English, Ukrainian, Russian.
//!
//! Players are named by number, for whoever shows a sentence knows what else he may show. Articles
//! are those of the rule book, the same in every language.

mod russian;
mod ukrainian;

use super::{Explanation, UnpairedReason};
use crate::types::PlayerNo;

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

/// Why these two, or why this bye. The reasons of Dubov, Burstein, Lim and of the formats are
/// English in every language.
pub fn explain(why: &Explanation, language: Language) -> String {
    let translated = match language {
        Language::English => None,
        Language::Ukrainian => ukrainian::explain(why),
        Language::Russian => russian::explain(why),
    };
    translated.unwrap_or_else(|| why.to_string())
}

/// Why somebody is not paired.
pub fn unpaired(why: &UnpairedReason, language: Language) -> String {
    match language {
        Language::English => why.to_string(),
        Language::Ukrainian => match why {
            UnpairedReason::Absent { opponent } => {
                format!(
                    "Пропускає цей тур{}.",
                    missed("; суперник мав бути ", *opponent)
                )
            }
            UnpairedReason::Withdrawn { opponent } => {
                format!(
                    "Вибув із турніру{}.",
                    missed("; суперник мав бути ", *opponent)
                )
            }
            UnpairedReason::OpponentMissing { opponent } => {
                format!("Суперник {} відсутній.", opponent.player)
            }
            UnpairedReason::KnockedOut { stage, place } => {
                format!("Вибув на стадії {stage}, місце {place}.")
            }
            UnpairedReason::GoesOn { stage } => {
                format!("Проходить стадію {stage} без гри.")
            }
            UnpairedReason::PlaceSettled { place } => format!("Уже має місце {place}."),
            UnpairedReason::MatchDecided { opponent } => {
                format!("Матч із {opponent} уже вирішено.")
            }
        },
        Language::Russian => match why {
            UnpairedReason::Absent { opponent } => {
                format!(
                    "Пропускает этот тур{}.",
                    missed("; соперником был бы ", *opponent)
                )
            }
            UnpairedReason::Withdrawn { opponent } => {
                format!(
                    "Выбыл из турнира{}.",
                    missed("; соперником был бы ", *opponent)
                )
            }
            UnpairedReason::OpponentMissing { opponent } => {
                format!("Соперник {} отсутствует.", opponent.player)
            }
            UnpairedReason::KnockedOut { stage, place } => {
                format!("Выбыл на стадии {stage}, место {place}.")
            }
            UnpairedReason::GoesOn { stage } => {
                format!("Проходит стадию {stage} без игры.")
            }
            UnpairedReason::PlaceSettled { place } => format!("Уже имеет место {place}."),
            UnpairedReason::MatchDecided { opponent } => {
                format!("Матч с {opponent} уже решён.")
            }
        },
    }
}

fn missed(words: &str, opponent: Option<super::Missed>) -> String {
    opponent.map_or_else(String::new, |it| format!("{words}{}", it.player))
}

/// Said behind a sentence whose numbers are not the ids of the file.
pub const fn numbers_are_ranks(language: Language) -> &'static str {
    match language {
        Language::English => "(Numbers here are places in the order of strength.)",
        Language::Ukrainian => "(Числа тут — місця за силою.)",
        Language::Russian => "(Числа здесь — места по силе.)",
    }
}

/// Numbers with commas between them.
fn list(numbers: &[PlayerNo]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    numbers.join(", ")
}

/// The form of a noun that a number asks for in both Slavic languages: 1, 2–4, else. Half points take
/// the second form.
fn form(number: u16, forms: [&str; 3]) -> &str {
    match (number % 10, number % 100) {
        (1, hundred) if hundred != 11 => forms[0],
        (2..=4, hundred) if !(12..=14).contains(&hundred) => forms[1],
        _ => forms[2],
    }
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
    fn nouns_follow_their_numbers() {
        let forms = ["очко", "очка", "очок"];
        for (number, word) in [
            (0, "очок"),
            (1, "очко"),
            (2, "очка"),
            (5, "очок"),
            (11, "очок"),
            (12, "очок"),
            (21, "очко"),
            (22, "очка"),
            (111, "очок"),
            (114, "очок"),
        ] {
            assert_eq!(form(number, forms), word, "{number}");
        }
    }

    #[test]
    fn languages_by_code() {
        assert_eq!(Language::by_code("uk-UA"), Some(Language::Ukrainian));
        assert_eq!(Language::by_code("RU"), Some(Language::Russian));
        assert_eq!(Language::by_code("de"), None);
    }

    /// Nothing of the English sentence is left, whatever the pairing had to explain.
    #[test]
    fn sentences_are_whole() {
        let mut seen = 0;
        for (name, system) in PairingSystem::BY_NAME {
            let plan = Plan {
                players: 41,
                rounds: 9,
                seed: 3,
                system: system.clone(),
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
                for why in pairs.chain(paired.bye.iter().map(|bye| &bye.explanation)) {
                    let english_only = matches!(
                        why,
                        Explanation::Dubov(_)
                            | Explanation::Burstein(_)
                            | Explanation::Lim(_)
                            | Explanation::ByeFirst(_)
                    );
                    for language in [Language::Ukrainian, Language::Russian] {
                        let text = explain(why, language);
                        if english_only {
                            assert_eq!(text, why.to_string(), "{name}");
                            continue;
                        }
                        let left = text.replace(['C', '.'], "");
                        assert!(
                            text.ends_with('.') && !left.bytes().any(|b| b.is_ascii_alphabetic()),
                            "{name} round {round}: {text}"
                        );
                        seen += 1;
                    }
                }
            }
        }
        assert!(seen > 500, "{seen}");
    }
}
