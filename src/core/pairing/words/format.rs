//! The formats beside the individual Swiss, and repairs.

use super::{
    Language,
    phrase::{Phrase, Value, list},
    table::again,
};
use crate::{
    pairing::{FormatReason, LotColour, TeamColourRule, UpfloatSystem, Upfloater},
    types::{PlayerNo, Points},
};

const SCHEVENINGEN: Phrase = Phrase::new(
    "Everybody meets everybody of the other side: the table pairs number {white} of the {own} side \
     (White) with number {black} of the {other} (Black) in its round {round}{again}.",
    "Кожен грає з кожним з іншої команди: таблиця в турі {round} зводить номер {white} {own} команди \
     (білі) з номером {black} {other} (чорні){again}.",
    "Каждый играет с каждым из другой команды: таблица в туре {round} сводит номер {white} {own} \
     команды (белые) с номером {black} {other} (чёрные){again}.",
);
const FIRST_SIDE: Phrase = Phrase::new("first", "першої", "первой");
const SECOND_SIDE: Phrase = Phrase::new("second", "другої", "второй");
const FIRST_GAME: Phrase = Phrase::new(
    "The first game of the match; the lot gave the colours.",
    "Перша партія матчу; кольори дав жереб.",
    "Первая партия матча; цвета дал жребий.",
);
const GAME: Phrase = Phrase::new(
    "Game {game} of the match; the colours alternate.",
    "Партія {game} матчу; кольори чергуються.",
    "Партия {game} матча; цвета чередуются.",
);
const GAME_REVERSED: Phrase = Phrase::new(
    "Game {game} of the match; the colours alternate and were turned at half-time.",
    "Партія {game} матчу; кольори чергуються, а в середині матчу їх змінено.",
    "Партия {game} матча; цвета чередуются, а в середине матча они изменены.",
);
const MATCH_TOURNAMENT: Phrase = Phrase::new(
    "Game {game} of {games} of the match that the Berger table gives in its round {round}{cycle}; the \
     colours alternate within the match.",
    "Партія {game} з {games} матчу, який таблиця Бергера дає в турі {round}{cycle}; у матчі кольори \
     чергуються.",
    "Партия {game} из {games} матча, который таблица Бергера даёт в туре {round}{cycle}; в матче \
     цвета чередуются.",
);
const OF_CYCLE: Phrase = Phrase::new(" of cycle {cycle}", " кола {cycle}", " круга {cycle}");
const KNOCK_OUT: Phrase = Phrase::new(
    "Stage {stage} of the knock-out pairs seed {white} (White) with seed {black} \
     (Black){places}{game}; {colour}.",
    "Стадія {stage} турніру на вибування зводить номер посіву {white} (білі) з номером {black} \
     (чорні){places}{game}; {colour}.",
    "Стадия {stage} турнира на выбывание сводит номер посева {white} (белые) с номером {black} \
     (чёрные){places}{game}; {colour}.",
);
const FOR_PLACES: Phrase = Phrase::new(
    " for places {first} to {last}",
    " за місця {first}–{last}",
    " за места {first}–{last}",
);
const GAME_OF: Phrase = Phrase::new(", game {game}", ", партія {game}", ", партия {game}");

const fn lot(colour: LotColour) -> Phrase {
    match colour {
        LotColour::Alternate => Phrase::new(
            "both alternate their colours",
            "обидва змінюють колір",
            "оба меняют цвет",
        ),
        LotColour::AlternateOne => Phrase::new(
            "the one who has played alternates his colour",
            "той, хто вже грав, змінює колір",
            "тот, кто уже играл, меняет цвет",
        ),
        LotColour::Balance => Phrase::new(
            "both are due the same colour, who had it less often gets it",
            "обом належить той самий колір, його отримує той, хто мав його рідше",
            "обоим положен один и тот же цвет, его получает тот, кто имел его реже",
        ),
        LotColour::Lot { .. } => Phrase::new(
            "the colours are by lot (seed {seed})",
            "кольори дав жереб (число {seed})",
            "цвета дал жребий (число {seed})",
        ),
        LotColour::LaterGame => Phrase::new(
            "the colours alternate within the match",
            "у матчі кольори чергуються",
            "в матче цвета чередуются",
        ),
    }
}

const UPFLOAT_EQUAL: Phrase = Phrase::new(
    "Both have {score} {score|point|points}; of the pairings that are best by the criteria this is \
     the first ({article}, 3.6).",
    "Обидва мають {score} {score|очко|очки|очок|очка}; з найкращих за критеріями варіантів цей перший \
     ({article}, 3.6).",
    "У обоих {score} {score|очко|очка|очков}; из лучших по критериям вариантов этот первый \
     ({article}, 3.6).",
);
const UPFLOAT: Phrase = Phrase::new(
    "The group of {bracket} {bracket|point|points}, {group} strong, {why}, so {player} with {score} \
     came up{tried}; of the pairings that are best by the criteria this is the first ({article}, \
     3.6).",
    "Група {bracket} {bracket|очко|очки|очок|очка} (їх {group}) {why}, тож піднявся {player} \
     ({score}){tried}; з найкращих за критеріями варіантів цей перший ({article}, 3.6).",
    "Группа {bracket} {bracket|очко|очка|очков} (их {group}) {why}, поэтому поднялся {player} \
     ({score}){tried}; из лучших по критериям вариантов этот первый ({article}, 3.6).",
);
const ODD: Phrase = Phrase::new("is odd", "непарна", "нечётная");
const NOT_WITHIN: Phrase = Phrase::new(
    "could not be paired within itself",
    "не складає пар усередині себе",
    "не составляет пар внутри себя",
);
const UPFLOAT_TRIED: Phrase = Phrase::new(
    " (before him came {who}: with them the criteria C3 to C7 would have been kept less well)",
    " (перед ним були {who}: з ними критерії C3 – C7 виконано гірше)",
    " (перед ним были {who}: с ними критерии C3 – C7 выполнены хуже)",
);
const UPFLOAT_BYE: Phrase = Phrase::new(
    "The number is odd: the bye goes to the lowest score ({score}), then to whoever has played most \
     ({played}), then to the largest number ({article}, 3.4){tried}.",
    "Кількість непарна: бай дістається найменшому рахунку ({score}), потім тому, хто найбільше грав \
     ({played}), потім найбільшому номеру ({article}, 3.4){tried}.",
    "Число нечётное: бай достаётся наименьшему счёту ({score}), затем тому, кто больше всех играл \
     ({played}), затем наибольшему номеру ({article}, 3.4){tried}.",
);
const BYE_TRIED: Phrase = Phrase::new(
    "; before him came {who}, who may not have it or without whom the rest cannot be paired",
    "; перед ним були {who}: не мають на нього права або потрібні іншим для пари",
    "; перед ним были {who}: не имеют на него права или нужны другим для пары",
);

const fn team_colours(rule: TeamColourRule) -> Phrase {
    match rule {
        TeamColourRule::InitialColour => Phrase::new(
            " Colours: neither has played, an odd number of the higher ranked gets the initial colour \
             (4.3.1).",
            " Кольори: жоден ще не грав, непарний номер вищого за рангом отримує початковий колір \
             (4.3.1).",
            " Цвета: ни один ещё не играл, нечётный номер старшего по рангу получает начальный цвет \
             (4.3.1).",
        ),
        TeamColourRule::Granted => Phrase::new(
            " Colours: nobody's preference is denied (4.3).",
            " Кольори: бажаний колір отримує кожен, хто має на нього право (4.3).",
            " Цвета: желаемый цвет получает каждый, кто имеет на него право (4.3).",
        ),
        TeamColourRule::StrongOnly => Phrase::new(
            " Colours: only one preference is strong, it is granted (4.3).",
            " Кольори: сильне право лише в одного, він і отримує свій (4.3).",
            " Цвета: сильное право только у одного, он и получает свой (4.3).",
        ),
        TeamColourRule::FewerWhites => Phrase::new(
            " Colours: who had White less often gets it (4.3).",
            " Кольори: білі отримує той, хто мав їх рідше (4.3).",
            " Цвета: белые получает тот, кто имел их реже (4.3).",
        ),
        TeamColourRule::LastDifference => Phrase::new(
            " Colours: the other way round than in the last round in which they differed (4.3).",
            " Кольори: навпаки до останнього туру, в якому вони різнилися (4.3).",
            " Цвета: наоборот к последнему туру, в котором они различались (4.3).",
        ),
        TeamColourRule::FirstPreference => Phrase::new(
            " Colours: the higher ranked gets what he prefers (4.3).",
            " Кольори: свій отримує вищий за рангом (4.3).",
            " Цвета: свой получает старший по рангу (4.3).",
        ),
        TeamColourRule::FirstAlternates => Phrase::new(
            " Colours: the higher ranked gets the other one than last time (4.3).",
            " Кольори: вищий за рангом змінює колір (4.3).",
            " Цвета: старший по рангу меняет цвет (4.3).",
        ),
        TeamColourRule::OtherAlternates => Phrase::new(
            " Colours: the lower ranked gets the other one than last time (4.3).",
            " Кольори: нижчий за рангом змінює колір (4.3).",
            " Цвета: младший по рангу меняет цвет (4.3).",
        ),
    }
}

const BOTH_KEEP: Phrase = Phrase::new(
    "Both were without an opponent after the change; both keep their colours.",
    "Після зміни обидва лишилися без суперника; обидва зберігають свої кольори.",
    "После изменения оба остались без соперника; оба сохраняют свои цвета.",
);
const WHITE_KEEPS: Phrase = Phrase::new(
    "Both were without an opponent after the change; White keeps the published colour.",
    "Після зміни обидва лишилися без суперника; білі зберігають оголошений колір.",
    "После изменения оба остались без соперника; белые сохраняют объявленный цвет.",
);
const BLACK_KEEPS: Phrase = Phrase::new(
    "Both were without an opponent after the change; Black keeps the published colour.",
    "Після зміни обидва лишилися без суперника; чорні зберігають оголошений колір.",
    "После изменения оба остались без соперника; чёрные сохраняют объявленный цвет.",
);
const NONE_KEEPS: Phrase = Phrase::new(
    "Both were without an opponent after the change; the number of the higher ranked gives the \
     colours.",
    "Після зміни обидва лишилися без суперника; кольори визначає номер вищого за рангом.",
    "После изменения оба остались без соперника; цвета определяет номер старшего по рангу.",
);
const REPAIRED_BYE: Phrase = Phrase::new(
    "The number is odd after the change: the lowest ranked of those without an opponent has the bye.",
    "Після зміни кількість непарна: бай отримує найнижчий за рангом з тих, хто без суперника.",
    "После изменения число нечётное: бай получает младший по рангу из тех, кто без соперника.",
);

/// What is special to a format.
pub(super) fn reason(why: &FormatReason, language: Language) -> String {
    let word = |phrase: Phrase| Value::from(phrase.in_language(language));
    match why {
        FormatReason::Scheveningen {
            white,
            black,
            white_first_side,
            table_round,
            cycle,
        } => {
            let (own, other) = if *white_first_side {
                (FIRST_SIDE, SECOND_SIDE)
            } else {
                (SECOND_SIDE, FIRST_SIDE)
            };
            SCHEVENINGEN.say(
                language,
                &[
                    ("white", (*white).into()),
                    ("black", (*black).into()),
                    ("own", word(own)),
                    ("other", word(other)),
                    ("round", (*table_round).into()),
                    ("again", again(*cycle, language).into()),
                ],
            )
        }
        FormatReason::MatchGame { game: 1, .. } => FIRST_GAME.in_language(language).to_owned(),
        FormatReason::MatchGame { game, reversed } => {
            let phrase = if *reversed { GAME_REVERSED } else { GAME };
            phrase.say(language, &[("game", (*game).into())])
        }
        FormatReason::MatchTournament {
            table_round,
            game,
            games,
            cycle,
        } => {
            let of_cycle = if *cycle > 1 {
                OF_CYCLE.say(language, &[("cycle", (*cycle).into())])
            } else {
                String::new()
            };
            MATCH_TOURNAMENT.say(
                language,
                &[
                    ("game", (*game).into()),
                    ("games", (*games).into()),
                    ("round", (*table_round).into()),
                    ("cycle", of_cycle.into()),
                ],
            )
        }
        FormatReason::KnockOut {
            stage,
            first_place,
            last_place,
            white_seed,
            black_seed,
            game,
            colour,
        } => {
            let places = [
                ("first", (*first_place).into()),
                ("last", (*last_place).into()),
            ];
            let when = |yes: bool, text: String| if yes { text } else { String::new() };
            let seed = match colour {
                LotColour::Lot { seed } => seed.to_string(),
                _ => String::new(),
            };
            KNOCK_OUT.say(
                language,
                &[
                    ("stage", (*stage).into()),
                    ("white", (*white_seed).into()),
                    ("black", (*black_seed).into()),
                    (
                        "places",
                        when(*first_place > 1, FOR_PLACES.say(language, &places)).into(),
                    ),
                    (
                        "game",
                        when(
                            *game > 1,
                            GAME_OF.say(language, &[("game", (*game).into())]),
                        )
                        .into(),
                    ),
                    (
                        "colour",
                        lot(*colour).say(language, &[("seed", seed.into())]).into(),
                    ),
                ],
            )
        }
        FormatReason::Upfloat {
            system,
            bracket,
            group,
            upfloater,
            colour,
        } => {
            upfloat(*system, *bracket, *group, upfloater.as_ref(), language)
                + team_colours(*colour).in_language(language)
        }
        FormatReason::UpfloatBye {
            system,
            score,
            played,
            passed_over,
        } => UPFLOAT_BYE.say(
            language,
            &[
                ("score", (*score).into()),
                ("played", (*played).into()),
                ("article", system.article().into()),
                ("tried", tried(BYE_TRIED, passed_over, language)),
            ],
        ),
        FormatReason::Repaired {
            white_kept,
            black_kept,
        } => match (white_kept, black_kept) {
            (true, true) => BOTH_KEEP,
            (true, false) => WHITE_KEEPS,
            (false, true) => BLACK_KEEPS,
            (false, false) => NONE_KEEPS,
        }
        .in_language(language)
        .to_owned(),
        FormatReason::RepairedBye => REPAIRED_BYE.in_language(language).to_owned(),
    }
}

fn tried(phrase: Phrase, who: &[PlayerNo], language: Language) -> Value {
    if who.is_empty() {
        return String::new().into();
    }
    phrase.say(language, &[("who", list(who).into())]).into()
}

fn upfloat(
    system: UpfloatSystem,
    bracket: Points,
    group: u16,
    upfloater: Option<&Upfloater>,
    language: Language,
) -> String {
    let article = ("article", system.article().into());
    let Some(up) = upfloater else {
        return UPFLOAT_EQUAL.say(language, &[("score", bracket.into()), article]);
    };
    let why = if group % 2 == 1 { ODD } else { NOT_WITHIN };
    UPFLOAT.say(
        language,
        &[
            ("bracket", bracket.into()),
            ("group", group.into()),
            ("why", why.in_language(language).into()),
            ("player", up.player.into()),
            ("score", up.score.into()),
            ("tried", tried(UPFLOAT_TRIED, &up.passed_over, language)),
            article,
        ],
    )
}
