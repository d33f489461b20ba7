//! Rules that a pairing breaks.

use super::{
    Language,
    phrase::{Phrase, Value, list},
};
use crate::{
    pairing::check::{Breach, Excuse, Finding},
    types::Color,
};

const WHITE: Phrase = Phrase::new("White", "білих", "белых");
const BLACK: Phrase = Phrase::new("Black", "чорних", "чёрных");
const UNKNOWN: Phrase = Phrase::new(
    "{player} is paired, but is not entered",
    "{player} має пару, але не заявлений",
    "{player} имеет пару, но не заявлен",
);
const LEFT: Phrase = Phrase::new(
    "{player} is paired, but has left the event",
    "{player} має пару, але вибув із турніру",
    "{player} имеет пару, но выбыл из турнира",
);
const ABSENT: Phrase = Phrase::new(
    "{player} is paired, but is absent in this round",
    "{player} має пару, але пропускає цей тур",
    "{player} имеет пару, но пропускает этот тур",
);
const REPEATED: Phrase = Phrase::new(
    "{player} stands {times} {times|time|times} in this round",
    "{player} стоїть у цьому турі {times} {times|раз|рази|разів}",
    "{player} стоит в этом туре {times} {times|раз|раза|раз}",
);
const MISSING: Phrase = Phrase::new(
    "{player} is there, but has neither an opponent nor the bye",
    "{player} присутній, але не має ні суперника, ні бая",
    "{player} присутствует, но не имеет ни соперника, ни бая",
);
const HIMSELF: Phrase = Phrase::new(
    "{player} is paired with himself",
    "{player} грає сам із собою",
    "{player} играет сам с собой",
);
const MET: Phrase = Phrase::new(
    "{white} and {black} have met before, in round {before}",
    "{white} і {black} уже грали, в турі {before}",
    "{white} и {black} уже играли, в туре {before}",
);
const MET_OFTEN: Phrase = Phrase::new(
    "{white} and {black} have met {times} times before, last in round {before}",
    "{white} і {black} вже зустрічалися, і не раз ({times}), востаннє в турі {before}",
    "{white} и {black} уже встречались, и не раз ({times}), последний раз в туре {before}",
);
const FORBIDDEN: Phrase = Phrase::new(
    "{white} and {black} must not meet in rounds from {first} on",
    "{white} і {black} не можуть грати разом від туру {first}",
    "{white} и {black} не могут играть друг с другом с тура {first}",
);
const FORBIDDEN_TO: Phrase = Phrase::new(
    "{white} and {black} must not meet in rounds from {first} to {last}",
    "{white} і {black} не можуть грати разом у турах від {first} до {last}",
    "{white} и {black} не могут играть друг с другом в турах от {first} до {last}",
);
const FIXED_MISSING: Phrase = Phrase::new(
    "{white} (White) against {black} (Black) was set by an arbiter and is not there",
    "пару {white} (білі) – {black} (чорні) визначив арбітр, але її немає",
    "пару {white} (белые) – {black} (чёрные) определил арбитр, но её нет",
);
const THIRD: Phrase = Phrase::new(
    "{player} has {colour} for the third time running, twice is the limit",
    "у {player} третя поспіль партія за {colour}, межа — дві",
    "у {player} третья подряд партия за {colour}, предел — две",
);
const DIFFERENCE: Phrase = Phrase::new(
    "{player} has {difference} {colour} more than {other}, 2 is the limit",
    "у {player} {colour} на {difference} більше, ніж {other}, межа — 2",
    "у {player} {colour} на {difference} больше, чем {other}, предел — 2",
);
const TURNED: Phrase = Phrase::new(
    "{white} (White) and {black} (Black) would both get the colour that they are due the other way \
     round",
    "{white} (білі) і {black} (чорні) обидва отримали б належний колір, якби їх поміняти",
    "{white} (белые) и {black} (чёрные) оба получили бы положенный цвет, если их поменять",
);
const DENIED: Phrase = Phrase::new(
    "{player} is due {colour} more than {opponent}, who has it",
    "{player} має на гру за {colour} більше право, ніж {opponent}, який їх отримав",
    "{player} имеет на игру за {colour} больше прав, чем {opponent}, который их получил",
);
const SEVERAL: Phrase = Phrase::new(
    "{count} players have the bye: {who}",
    "бай мають одразу {count}: {who}",
    "бай имеют сразу {count}: {who}",
);
const OF_EVEN: Phrase = Phrase::new(
    "{player} has the bye although the number in the round, {paired}, is even",
    "{player} має бай, хоча в турі парна кількість учасників, {paired}",
    "{player} имеет бай, хотя в туре чётное число участников, {paired}",
);
const SECOND: Phrase = Phrase::new(
    "{player} has the bye again after round {round}",
    "{player} має бай удруге, перший був у турі {round}",
    "{player} имеет бай повторно, первый был в туре {round}",
);
const BARRED: Phrase = Phrase::new(
    "{player} has the bye after scoring {points} without a game in round {round}",
    "{player} має бай, хоча в турі {round} вже здобув без гри {points}",
    "{player} имеет бай, хотя в туре {round} уже получил без игры {points}",
);
const BY_ARBITER: Phrase = Phrase::new(
    "; an arbiter set this pair",
    "; цю пару визначив арбітр",
    "; эту пару определил арбитр",
);
const TOPSCORERS: Phrase = Phrase::new(
    "; allowed in the last round, because of the points of {who}",
    "; в останньому турі дозволено через кількість очок ({who})",
    "; в последнем туре разрешено из-за количества очков ({who})",
);
const EQUAL_SCORES: Phrase = Phrase::new(
    "; allowed in the last round between equal scores",
    "; в останньому турі дозволено за рівних очок",
    "; в последнем туре разрешено при равных очках",
);

/// A finding with its article and what excuses it.
pub(super) fn finding(finding: &Finding, language: Language) -> String {
    let excuse = match &finding.excuse {
        None => String::new(),
        Some(Excuse::SetByArbiter) => BY_ARBITER.in_language(language).to_owned(),
        Some(Excuse::EqualScores) => EQUAL_SCORES.in_language(language).to_owned(),
        Some(Excuse::Topscorers { players }) => {
            TOPSCORERS.say(language, &[("who", list(players).into())])
        }
    };
    let breach = breach(&finding.breach, language);
    let article = match (finding.breach.article(), language) {
        ("event rules", Language::Ukrainian) => "правила турніру",
        ("event rules", Language::Russian) => "правила турнира",
        (article, _) => article,
    };
    format!("{breach} ({article}){excuse}.")
}

/// A broken rule, without a full stop.
pub(super) fn breach(breach: &Breach, language: Language) -> String {
    let colour = |colour: Color| -> Value {
        let name = match colour {
            Color::White => WHITE,
            Color::Black => BLACK,
        };
        name.in_language(language).into()
    };
    let one = |phrase: Phrase, player| phrase.say(language, &[("player", Value::from(player))]);
    let two = |phrase: Phrase, white, black| {
        let values = [("white", Value::from(white)), ("black", Value::from(black))];
        phrase.say(language, &values)
    };
    match *breach {
        Breach::Unknown { player } => one(UNKNOWN, player),
        Breach::NotThere {
            player,
            withdrawn: true,
        } => one(LEFT, player),
        Breach::NotThere { player, .. } => one(ABSENT, player),
        Breach::Repeated { player, times } => REPEATED.say(
            language,
            &[("player", player.into()), ("times", times.into())],
        ),
        Breach::Missing { player } => one(MISSING, player),
        Breach::AgainstHimself { player } => one(HIMSELF, player),
        Breach::Rematch {
            white,
            black,
            before,
            times,
        } => {
            let phrase = if times == 1 { MET } else { MET_OFTEN };
            phrase.say(
                language,
                &[
                    ("white", white.into()),
                    ("black", black.into()),
                    ("before", before.into()),
                    ("times", times.into()),
                ],
            )
        }
        Breach::Forbidden {
            white,
            black,
            first,
            last,
        } => {
            let phrase = last.map_or(FORBIDDEN, |_| FORBIDDEN_TO);
            phrase.say(
                language,
                &[
                    ("white", white.into()),
                    ("black", black.into()),
                    ("first", first.into()),
                    ("last", last.unwrap_or(first).into()),
                ],
            )
        }
        Breach::FixedPairMissing { white, black } => two(FIXED_MISSING, white, black),
        Breach::ThirdColour {
            player,
            colour: third,
        } => THIRD.say(
            language,
            &[("player", player.into()), ("colour", colour(third))],
        ),
        Breach::ColourDifference { player, difference } => {
            let more = if difference > 0 {
                Color::White
            } else {
                Color::Black
            };
            DIFFERENCE.say(
                language,
                &[
                    ("player", player.into()),
                    ("difference", difference.unsigned_abs().into()),
                    ("colour", colour(more)),
                    ("other", colour(!more)),
                ],
            )
        }
        Breach::ColoursTurned { white, black } => two(TURNED, white, black),
        Breach::StrongerDenied {
            player,
            due,
            opponent,
        } => DENIED.say(
            language,
            &[
                ("player", player.into()),
                ("colour", colour(due)),
                ("opponent", opponent.into()),
            ],
        ),
        Breach::SeveralByes { ref players } => SEVERAL.say(
            language,
            &[
                ("count", players.len().into()),
                ("who", list(players).into()),
            ],
        ),
        Breach::ByeOfEven { player, paired } => OF_EVEN.say(
            language,
            &[("player", player.into()), ("paired", paired.into())],
        ),
        Breach::SecondBye { player, round } => SECOND.say(
            language,
            &[("player", player.into()), ("round", round.into())],
        ),
        Breach::ByeBarred {
            player,
            round,
            points,
        } => BARRED.say(
            language,
            &[
                ("player", player.into()),
                ("round", round.into()),
                ("points", points.into()),
            ],
        ),
    }
}
