//! Explanations as sentences: English, Ukrainian, Russian.
//!
//! Players are named by number, for whoever shows a sentence knows what else he may show. Articles
//! are those of the rule book, the same in every language.

mod dutch;
mod finding;
mod format;
mod lim;
mod phrase;
mod swiss;
mod table;
mod unpaired;

use super::{Explanation, UnpairedReason, check::Finding};
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
        } => table::berger(*size, *table_round, *cycle, [*white, *black], language),
        Explanation::BergerRest {
            size,
            table_round,
            number,
        } => table::rest(*size, *table_round, *number, language),
        Explanation::Format(why) => format::reason(why, language),
        Explanation::DutchPair(why) => dutch::pair(why, language),
        Explanation::DutchBye(why) => dutch::bye(why, language),
        Explanation::Fixed { .. } => table::FIXED.in_language(language).to_owned(),
        Explanation::ByeFirst(why) => swiss::bye(why, language),
        Explanation::Dubov(why) => swiss::dubov(why, language),
        Explanation::Burstein(why) => swiss::burstein(why, language),
        Explanation::Lim(why) => lim::pair(why, language),
    }
}

/// Why somebody is not paired.
pub fn unpaired(why: &UnpairedReason, language: Language) -> String {
    unpaired::unpaired(*why, language)
}

/// Which rule a pairing breaks, with the article and what excuses it.
pub fn finding(finding: &Finding, language: Language) -> String {
    finding::finding(finding, language)
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
    use crate::{
        pairing::{
            FormatReason, LotColour, Missed, TeamColourRule, UpfloatSystem, Upfloater,
            check::{Breach, Excuse},
        },
        tournament::{
            PairingSystem,
            simulate::{Plan, simulate},
            trf::ReportOptions,
        },
        types::{Color, PlayerNo, Points, RoundNo},
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
        for (_, system) in PairingSystem::BY_NAME {
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
            for round in (1..=9).map(RoundNo) {
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

    fn player(no: u16) -> PlayerNo {
        PlayerNo(no)
    }

    #[test]
    fn formats_are_told_in_every_language() {
        let upfloat = |group, passed_over: &[u16]| FormatReason::Upfloat {
            system: UpfloatSystem::Team,
            bracket: Points(4),
            group,
            upfloater: (group > 4).then(|| Upfloater {
                player: player(7),
                score: Points(3),
                passed_over: passed_over.iter().copied().map(PlayerNo).collect(),
            }),
            colour: TeamColourRule::Granted,
        };
        let knock_out = |colour, game| FormatReason::KnockOut {
            stage: 2,
            first_place: 3,
            last_place: 4,
            white_seed: 1,
            black_seed: 8,
            game,
            colour,
        };
        let scheveningen = |white_first_side, cycle| FormatReason::Scheveningen {
            white: 1,
            black: 2,
            white_first_side,
            table_round: 3,
            cycle,
        };
        let mut reasons = vec![
            scheveningen(true, 1),
            scheveningen(false, 2),
            FormatReason::MatchGame {
                game: 1,
                reversed: false,
            },
            FormatReason::MatchGame {
                game: 4,
                reversed: true,
            },
            FormatReason::MatchTournament {
                table_round: 2,
                game: 1,
                games: 2,
                cycle: 2,
            },
            knock_out(LotColour::Alternate, 1),
            knock_out(LotColour::AlternateOne, 1),
            knock_out(LotColour::Balance, 1),
            knock_out(LotColour::Lot { seed: 7 }, 1),
            knock_out(LotColour::LaterGame, 2),
            upfloat(4, &[]),
            upfloat(5, &[]),
            upfloat(6, &[4, 5]),
            FormatReason::UpfloatBye {
                system: UpfloatSystem::DoubleSwiss,
                score: Points(1),
                played: 3,
                passed_over: vec![player(3)],
            },
            FormatReason::RepairedBye,
        ];
        for (white_kept, black_kept) in [(true, true), (true, false), (false, true), (false, false)]
        {
            reasons.push(FormatReason::Repaired {
                white_kept,
                black_kept,
            });
        }
        for reason in reasons {
            let why = Explanation::Format(reason);
            whole(&LANGUAGES.map(|language| explain(&why, language)));
        }
        let opponent = Missed {
            player: player(4),
            own_colour: Color::White,
        };
        for why in [
            UnpairedReason::Absent {
                opponent: Some(opponent),
            },
            UnpairedReason::Withdrawn {
                opponent: Some(opponent),
            },
            UnpairedReason::OpponentMissing { opponent },
            UnpairedReason::KnockedOut { stage: 2, place: 5 },
            UnpairedReason::GoesOn { stage: 1 },
            UnpairedReason::PlaceSettled { place: 3 },
            UnpairedReason::MatchDecided {
                opponent: player(2),
            },
        ] {
            whole(&LANGUAGES.map(|language| unpaired(&why, language)));
        }
    }

    #[test]
    fn findings_are_told_in_every_language() {
        let (white, black) = (player(1), player(2));
        let one = player(3);
        let round = RoundNo(2);
        let breaches = [
            Breach::Unknown { player: one },
            Breach::NotThere {
                player: one,
                withdrawn: true,
            },
            Breach::NotThere {
                player: one,
                withdrawn: false,
            },
            Breach::Repeated {
                player: one,
                times: 2,
            },
            Breach::Missing { player: one },
            Breach::AgainstHimself { player: one },
            Breach::Rematch {
                white,
                black,
                before: round,
                times: 1,
            },
            Breach::Rematch {
                white,
                black,
                before: round,
                times: 3,
            },
            Breach::Forbidden {
                white,
                black,
                first: round,
                last: None,
            },
            Breach::Forbidden {
                white,
                black,
                first: round,
                last: Some(RoundNo(5)),
            },
            Breach::FixedPairMissing { white, black },
            Breach::ThirdColour {
                player: one,
                colour: Color::Black,
            },
            Breach::ColourDifference {
                player: one,
                difference: -3,
            },
            Breach::ColoursTurned { white, black },
            Breach::StrongerDenied {
                player: white,
                due: Color::Black,
                opponent: black,
            },
            Breach::SeveralByes {
                players: vec![white, black],
            },
            Breach::ByeOfEven {
                player: one,
                paired: 6,
            },
            Breach::SecondBye { player: one, round },
            Breach::ByeBarred {
                player: one,
                round,
                points: Points(2),
            },
        ];
        let excuses = [
            None,
            Some(Excuse::SetByArbiter),
            Some(Excuse::EqualScores),
            Some(Excuse::Topscorers {
                players: vec![white, black],
            }),
        ];
        for breach in breaches {
            for excuse in excuses.clone() {
                let found = Finding {
                    breach: breach.clone(),
                    excuse,
                };
                whole(&LANGUAGES.map(|language| finding(&found, language)));
            }
        }
    }
}
