//! Figures as sentences: English, Ukrainian, Russian.
//!
//! Players are named by number, as in the explanations of pairings; articles are those of C.07.

use super::{
    TieBreak,
    figure::{Figure, From, How, LeftOut, Measure, Step, Term},
    value::Value,
};
use crate::{pairing::words::Language, types::PlayerNo};

/// What a figure is made of, a line for each part, and how they make it. Empty for what stands in the
/// list of participants.
pub fn explain(tie_break: TieBreak, figure: &Figure, language: Language) -> Vec<String> {
    let words = Words(language);
    let mut lines: Vec<String> = figure.terms.iter().map(|term| words.term(term)).collect();
    match &figure.how {
        How::Given => {}
        How::Place { steps } if steps.is_empty() => lines.push(words.not_tied().to_owned()),
        How::Place { steps } => lines.extend(steps.iter().map(|step| words.step(step))),
        how => lines.push(words.how(tie_break, figure, how)),
    }
    lines
}

struct Words(Language);

impl Words {
    fn pick(&self, words: [&'static str; 3]) -> &'static str {
        words[match self.0 {
            Language::English => 0,
            Language::Ukrainian => 1,
            Language::Russian => 2,
        }]
    }

    /// Puts values into the places `{}` of a phrase, in their order.
    fn fill(&self, words: [&'static str; 3], values: &[&str]) -> String {
        let mut text = String::new();
        let mut values = values.iter();
        let mut parts = self.pick(words).split("{}").peekable();
        while let Some(part) = parts.next() {
            text.push_str(part);
            if parts.peek().is_some() {
                text.push_str(values.next().unwrap_or(&""));
            }
        }
        text
    }

    fn term(&self, term: &Term) -> String {
        let mut text = match (term.round, term.opponent, term.from) {
            (_, _, From::Board { board }) => {
                self.fill(["board {}", "дошка {}", "доска {}"], &[&board.to_string()])
            }
            (Some(round), Some(opponent), _) => self.fill(
                ["round {}, {}", "тур {}, {}", "тур {}, {}"],
                &[&round.to_string(), &opponent.to_string()],
            ),
            (Some(round), None, _) => {
                self.fill(["round {}", "тур {}", "тур {}"], &[&round.to_string()])
            }
            (None, _, _) => String::new(),
        };
        text.push_str(": ");
        match term.product {
            _ if term.from == From::NoRating => text.push('–'),
            Some([score, own]) => {
                text.extend([&score.to_string(), " × ", &own.to_string(), " = "]);
                text.push_str(&term.value.to_string());
            }
            None => text.push_str(&term.value.to_string()),
        }
        for remark in [self.from(term), term.left_out.map(|why| self.left_out(why))] {
            if let Some(remark) = remark.filter(|remark| !remark.is_empty()) {
                text.push_str(", ");
                text.push_str(&remark);
            }
        }
        text
    }

    fn from(&self, term: &Term) -> Option<String> {
        let own_score = |own: Value, words| Some(self.fill(words, &[&own.to_string()]));
        match term.from {
            From::Result
            | From::RunningTotal
            | From::OpponentScore
            | From::Rating
            | From::OpponentFigure
            | From::Board { .. } => None,
            From::LastRoundDrawn => Some(
                self.pick([
                    "the last round is taken as drawn",
                    "останній тур вважається нічиєю",
                    "последний тур считается ничьей",
                ])
                .to_owned(),
            ),
            From::TrailingBye => Some(
                self.pick([
                    "a bye after which he did not come back: a draw to the opponents (16.3)",
                    "пропуск, після якого гравець не повернувся: нічия для суперників (16.3)",
                    "пропуск, после которого игрок не вернулся: ничья для соперников (16.3)",
                ])
                .to_owned(),
            ),
            From::OpponentAdjusted { awarded } => own_score(
                awarded,
                [
                    "has {}, opponents see it so (16.3)",
                    "має {}, для суперників рахується так (16.3)",
                    "имеет {}, для соперников считается так (16.3)",
                ],
            ),
            From::Dummy => Some(
                self.pick([
                    "not played: the own score stands for the opponent's (16.4)",
                    "не зіграно: замість очок суперника власні (16.4)",
                    "не сыграно: вместо очков соперника собственные (16.4)",
                ])
                .to_owned(),
            ),
            From::DummyAsOpponent { own } => own_score(
                own,
                [
                    "not played: the own score {}, but no more than the opponent has (16.4)",
                    "не зіграно: власні {}, але не більше, ніж у суперника (16.4)",
                    "не сыграно: собственные {}, но не больше, чем у соперника (16.4)",
                ],
            ),
            From::DummyAsDraws { own } => own_score(
                own,
                [
                    "not played: the own score {}, but no more than draws in all rounds (16.4)",
                    "не зіграно: власні {}, але не більше, ніж нічиї в усіх турах (16.4)",
                    "не сыграно: собственные {}, но не больше, чем ничьи во всех турах (16.4)",
                ],
            ),
            From::NoRating => Some(
                self.pick(["no rating", "немає рейтингу", "нет рейтинга"])
                    .to_owned(),
            ),
            From::AssignedRating => Some(
                self.pick([
                    "a rating that the event assigns",
                    "рейтинг, який призначено на турнірі",
                    "рейтинг, назначенный на турнире",
                ])
                .to_owned(),
            ),
        }
    }

    fn left_out(&self, why: LeftOut) -> String {
        let words = match why {
            LeftOut::Lowest => [
                "left out as the lowest",
                "не враховано як найменше",
                "не учтено как наименьшее",
            ],
            LeftOut::Voluntary => [
                "left out: an unplayed round of his own choice goes first (16.5)",
                "не враховано: спершу відкидається тур, не зіграний з власної волі (16.5)",
                "не учтено: сначала отбрасывается тур, не сыгранный по своей воле (16.5)",
            ],
            LeftOut::Highest => [
                "left out as the highest",
                "не враховано як найбільше",
                "не учтено как наибольшее",
            ],
            LeftOut::FirstRounds => ["left out", "не враховано", "не учтено"],
            LeftOut::BelowLimit => [
                "does not count: the opponent is below the limit",
                "не рахується: суперник нижче межі",
                "не считается: соперник ниже предела",
            ],
            LeftOut::Unknown => ["left out", "не враховано", "не учтено"],
        };
        self.pick(words).to_owned()
    }

    fn how(&self, tie_break: TieBreak, figure: &Figure, how: &How) -> String {
        let result = figure.text(tie_break);
        match how {
            How::Sum | How::Given | How::Place { .. } => {
                self.fill(["sum {}", "сума {}", "сумма {}"], &[&result])
            }
            How::Mean => self.fill(["mean {}", "середнє {}", "среднее {}"], &[&result]),
            How::Performance {
                mean,
                score,
                percent,
                difference,
            } => self.fill(
                [
                    "{} points are {} %: mean rating {} and {} = {}",
                    "набрано {}, це {} %: середній рейтинг {} і {} = {}",
                    "набрано {}, это {} %: средний рейтинг {} и {} = {}",
                ],
                &[
                    &score.to_string(),
                    &percent.to_string(),
                    &mean.to_string(),
                    &format!("{difference:+}"),
                    &result,
                ],
            ),
            How::Perfect { score } => self.fill(
                [
                    "the lowest rating from which the score of {} is expected: {}",
                    "найменший рейтинг, від якого очікується результат {}: {}",
                    "наименьший рейтинг, от которого ожидается результат {}: {}",
                ],
                &[&score.to_string(), &result],
            ),
            How::Limit { limit } => self.fill(
                [
                    "opponents with {} or more: {}",
                    "суперники, що мають {} або більше: {}",
                    "соперники, имеющие {} или больше: {}",
                ],
                &[&limit.to_string(), &result],
            ),
            How::Strength {
                sum,
                divisor,
                other,
            } => format!("{other} + {sum} ÷ {divisor} = {result}"),
        }
    }

    fn not_tied(&self) -> &'static str {
        self.pick([
            "does not apply: nobody is tied with him",
            "не застосовується: ніхто не має стільки ж",
            "не применяется: ни у кого нет столько же",
        ])
    }

    fn step(&self, step: &Step) -> String {
        let mut text = self.fill(
            [
                "tied: {}; ",
                "порівну в учасників: {}; ",
                "поровну у участников: {}; ",
            ],
            &[&Self::members(step)],
        );
        let splits = step.groups.len() > 1;
        match step.by {
            Measure::Encounter { .. } if step.all_met => text.push_str(self.pick([
                "all have met, points among them: ",
                "усі зустрічалися, очки між ними: ",
                "все встречались, очки между ними: ",
            ])),
            Measure::Encounter { .. } => {
                let pairs: Vec<String> = (step.not_met.iter())
                    .map(|[one, other]| format!("{one}–{other}"))
                    .collect();
                text.push_str(&self.fill(
                    [
                        "not all have met ({}), points among them: ",
                        "не всі зустрічалися ({}), очки між ними: ",
                        "не все встречались ({}), очки между ними: ",
                    ],
                    &[&pairs.join(", ")],
                ));
            }
            Measure::BoardCount => text.push_str(self.pick([
                "board count, the lower is better: ",
                "сума очок, помножених на номер дошки, менша краща: ",
                "сумма очков, умноженных на номер доски, меньшая лучше: ",
            ])),
            Measure::Board { board } => text.push_str(&self.fill(
                [
                    "points on board {}: ",
                    "очки на дошці {}: ",
                    "очки на доске {}: ",
                ],
                &[&board.to_string()],
            )),
            Measure::WithoutLast { boards } => text.push_str(&self.fill(
                [
                    "points without the last boards ({}): ",
                    "очки без останніх дощок ({}): ",
                    "очки без последних досок ({}): ",
                ],
                &[&boards.to_string()],
            )),
        }
        let results: Vec<String> = (step.results.iter())
            .map(|it| {
                if it.most > it.points {
                    let words = [
                        "{} – {} (at most {})",
                        "{} – {} (щонайбільше {})",
                        "{} – {} (самое большее {})",
                    ];
                    let values = [
                        it.no.to_string(),
                        it.points.to_string(),
                        it.most.to_string(),
                    ];
                    self.fill(words, &[&values[0], &values[1], &values[2]])
                } else {
                    format!("{} – {}", it.no, it.points)
                }
            })
            .collect();
        text.push_str(if results.is_empty() { "…" } else { "" });
        text.push_str(&results.join(", "));
        text.push_str("; ");
        if splits {
            let order: Vec<String> = step.groups.iter().map(|group| list(group, " = ")).collect();
            text.push_str(&self.fill(
                ["order: {}", "порядок: {}", "порядок: {}"],
                &[&order.join(", ")],
            ));
        } else {
            text.push_str(match (step.by, step.all_met) {
                (Measure::Encounter { .. }, false) => self.pick([
                    "nobody is ahead whatever the missing games bring: it decides nothing",
                    "ніхто не попереду за будь-яких результатів решти партій: нічого не вирішує",
                    "никто не впереди при любых результатах остальных партий: ничего не решает",
                ]),
                _ => self.pick([
                    "all level: it decides nothing",
                    "усе порівну: нічого не вирішує",
                    "всё поровну: ничего не решает",
                ]),
            });
        }
        text
    }

    fn members(step: &Step) -> String {
        let mut members: Vec<PlayerNo> = step.groups.iter().flatten().copied().collect();
        members.sort_unstable();
        if members.is_empty() {
            step.tied.to_string()
        } else {
            list(&members, ", ")
        }
    }
}

fn list(members: &[PlayerNo], between: &str) -> String {
    let members: Vec<String> = members.iter().map(ToString::to_string).collect();
    members.join(between)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        tournament::standings::{Among, Code, Score},
        types::RoundNo,
    };

    #[test]
    fn a_sum_with_all_that_may_befall_it() {
        let mut term = Term::new(
            Value(150),
            From::DummyAsOpponent {
                own: Value::whole(3),
            },
        );
        term.round = Some(RoundNo(4));
        term.opponent = Some(PlayerNo(7));
        term.left_out = Some(LeftOut::Lowest);
        let figure = Figure {
            value: Some(Value::whole(9)),
            terms: vec![term],
            how: How::Sum,
        };
        let lines = |language| explain(TieBreak::of(Code::Buchholz), &figure, language);
        assert_eq!(
            lines(Language::English),
            [
                "round 4, 7: 1.5, not played: the own score 3, but no more than the opponent has \
                 (16.4), left out as the lowest",
                "sum 9.0"
            ]
        );
        assert!(lines(Language::Ukrainian)[0].starts_with("тур 4, 7: 1.5, не зіграно: власні 3,"));
        assert!(lines(Language::Russian)[1].starts_with("сумма"));
    }

    #[test]
    fn a_direct_encounter_says_why_it_does_not_apply() {
        let among = |no, points, most| Among {
            no: PlayerNo(no),
            points: Value(points),
            most: Value(most),
        };
        let step = Step {
            by: Measure::Encounter { score: Score::Game },
            tied: 2,
            all_met: false,
            results: vec![among(1, 100, 200), among(3, 0, 100)],
            not_met: vec![[PlayerNo(1), PlayerNo(3)]],
            groups: vec![vec![PlayerNo(1), PlayerNo(3)]],
        };
        let figure = Figure {
            value: Some(Value::whole(1)),
            terms: Vec::new(),
            how: How::Place { steps: vec![step] },
        };
        let lines = explain(TieBreak::DIRECT_ENCOUNTER, &figure, Language::English);
        assert_eq!(
            lines,
            [
                "tied: 1, 3; not all have met (1–3), points among them: 1 – 1 (at most 2), 3 – 0 (at \
                 most 1); nobody is ahead whatever the missing games bring: it decides nothing"
            ]
        );
    }
}
