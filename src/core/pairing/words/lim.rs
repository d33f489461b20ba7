//! The Lim system.

use super::{
    Language,
    phrase::{Phrase, list},
    swiss::passed,
};
use crate::{
    pairing::swiss::lim::{FloatCause, Found, LimColour, LimFloat, LimReason},
    types::Color,
};

const GROUP: Phrase = Phrase::new(
    "Scoregroup of {score} {score|point|points}: {how}.",
    "Очкова група ({score} {score|очко|очки|очок|очка}): {how}.",
    "Очковая группа ({score} {score|очко|очка|очков}): {how}.",
);
const FLOATER: Phrase = Phrase::new(
    "{first} is a floater and gets the first compatible opponent who is due the other colour, \
     {second} (3.8)",
    "{first} — флоутер і отримує першого сумісного суперника, якому належить інший колір: {second} \
     (3.8)",
    "{first} — флоутер и получает первого совместимого соперника, которому положен другой цвет: \
     {second} (3.8)",
);
const PROPOSED: Phrase = Phrase::new(
    "top half against bottom half, {second} was proposed for {first}, number {number} of the group, \
     and nothing speaks against it (2.4)",
    "верхня половина проти нижньої: {second} запропоновано для {first}, номера {number} у групі, і \
     ніщо цьому не заважає (2.4)",
    "верхняя половина против нижней: {second} предложен для {first}, номера {number} в группе, и \
     ничто этому не мешает (2.4)",
);
const SCRUTINY: Phrase = Phrase::new(
    "the scrutiny in order finds {second} for {first}, number {number} of the group (4.2)",
    "почерговий перегляд дає {second} для {first}, номера {number} у групі (4.2)",
    "поочерёдный просмотр даёт {second} для {first}, номера {number} в группе (4.2)",
);
const EXCHANGE: Phrase = Phrase::new(
    "{first} had {before}; exchanged for {second}, more players get the colour that they are due \
     (5.2)",
    "{first} мав {before}; після обміну на {second} належний колір отримує більше учасників (5.2)",
    "{first} имел {before}; после обмена на {second} положенный цвет получает больше участников \
     (5.2)",
);
const FLOAT: Phrase = Phrase::new(
    " {player} came from the group of {score} {score|point|points}: {why}.",
    " {player} прийшов із групи, де {score} {score|очко|очки|очок|очка}: {why}.",
    " {player} пришёл из группы, где {score} {score|очко|очка|очков}: {why}.",
);
const EVEN_MAKER: Phrase = Phrase::new(
    "the number there was odd (3.2), {by}",
    "там була непарна кількість (3.2), {by}",
    "там было нечётное число (3.2), {by}",
);
const BY_COLOUR: Phrase = Phrase::new(
    "most there are due {colour}, he too, and of these it is his turn by number (3.2.2, 3.2.4)",
    "більшості там належать {colour}, йому теж, а з таких черга за номером — його (3.2.2, 3.2.4)",
    "большинству там положены {colour}, ему тоже, а из таких очередь по номеру — его (3.2.2, 3.2.4)",
);
const BY_NUMBER: Phrase = Phrase::new(
    "and by opponents in the next group, floats so far and number it was his turn (3.2.4, 3.9, 3.10)",
    "і за суперниками в сусідній групі, переходами досі й номером черга була його (3.2.4, 3.9, 3.10)",
    "и по соперникам в соседней группе, прежним переходам и номеру очередь была его (3.2.4, 3.9, \
     3.10)",
);
const TRIED: Phrase = Phrase::new(
    "; tried before him, but without them the others could not be paired: {who}",
    "; перед ним розглянуто тих, без кого не скласти пари іншим: {who}",
    "; перед ним рассмотрены те, без кого не составить пары другим: {who}",
);
const WHITE: Phrase = Phrase::new("White", "білі", "белые");
const BLACK: Phrase = Phrase::new("Black", "чорні", "чёрные");
const NO_OPPONENT: Phrase = Phrase::new(
    "nobody left there is compatible with him (2.3)",
    "там не лишилося нікого, сумісного з ним (2.3)",
    "там не осталось никого, совместимого с ним (2.3)",
);
const OTHERS: Phrase = Phrase::new(
    "not everybody there could be paired, and without him the others can (4.4)",
    "там не вистачало пар на всіх, а без нього вони складаються (4.4)",
    "там не хватало пар на всех, а без него они складываются (4.4)",
);
const TAKEN_APART: Phrase = Phrase::new(
    "his pair there was taken apart, because the median group needed opponents (2.6)",
    "його пару там розібрано, бо середній групі бракувало суперників (2.6)",
    "его пара там разобрана, потому что средней группе не хватало соперников (2.6)",
);

const fn colours(colour: LimColour) -> Phrase {
    match colour {
        LimColour::Granted => Phrase::new(
            " Colours: as they are due (5.5, 5.6).",
            " Кольори: обидва отримали належний (5.5, 5.6).",
            " Цвета: оба получили положенный (5.5, 5.6).",
        ),
        LimColour::Forced => Phrase::new(
            " Colours: one of them must not have the other colour again (5.3).",
            " Кольори: одному з них іншого кольору вже не можна (5.3).",
            " Цвета: одному из них другого цвета уже нельзя (5.3).",
        ),
        LimColour::LastDifference => Phrase::new(
            " Colours: both are due the same, so the other way round than when they last differed \
             (5.4).",
            " Кольори: обом належить той самий, тож навпаки до туру, в якому вони востаннє різнилися \
             (5.4).",
            " Цвета: обоим положен один и тот же, поэтому наоборот к туру, в котором они в последний \
             раз различались (5.4).",
        ),
        LimColour::HigherRanked => Phrase::new(
            " Colours: equal histories, in the median and above the higher ranked gets what he is due \
             (5.4).",
            " Кольори: історія однакова, у середній групі й вище свій отримує вищий за рангом (5.4).",
            " Цвета: история одинакова, в средней группе и выше свой получает старший по рангу (5.4).",
        ),
        LimColour::LowerRanked => Phrase::new(
            " Colours: equal histories, below the median the lower ranked gets what he is due (5.4).",
            " Кольори: історія однакова, нижче середньої групи свій отримує нижчий за рангом (5.4).",
            " Цвета: история одинакова, ниже средней группы свой получает младший по рангу (5.4).",
        ),
        LimColour::Lot => Phrase::new(
            " Colours: by lot and number (7).",
            " Кольори: за жеребом і номером (7).",
            " Цвета: по жребию и номеру (7).",
        ),
    }
}

/// A pair of the Lim system.
pub(super) fn pair(why: &LimReason, language: Language) -> String {
    let people = |more: (&'static str, super::phrase::Value)| {
        [
            ("first", why.first.into()),
            ("second", why.second.into()),
            more,
        ]
    };
    let how = match why.found {
        Found::Floater => FLOATER.say(language, &people(("", "".into()))),
        Found::Scrutiny { number, proposed } => {
            let phrase = if proposed == Some(why.second) {
                PROPOSED
            } else {
                SCRUTINY
            };
            phrase.say(language, &people(("number", number.into())))
        }
        Found::ColourExchange { before } => {
            EXCHANGE.say(language, &people(("before", before.into())))
        }
    };
    let mut text = GROUP.say(
        language,
        &[("score", why.score.into()), ("how", how.into())],
    );
    text += &passed(why.first, &why.passed, language);
    for one in &why.floats {
        text += &float(one, language);
    }
    text + colours(why.colour).in_language(language)
}

fn float(one: &LimFloat, language: Language) -> String {
    let mut why = match one.cause {
        FloatCause::NoOpponent => NO_OPPONENT.in_language(language).to_owned(),
        FloatCause::Others => OTHERS.in_language(language).to_owned(),
        FloatCause::Unpaired => TAKEN_APART.in_language(language).to_owned(),
        FloatCause::EvenMaker => {
            let by = match one.majority {
                Some(due) => {
                    let colour = match due {
                        Color::White => WHITE,
                        Color::Black => BLACK,
                    };
                    let values = [("colour", colour.in_language(language).into())];
                    BY_COLOUR.say(language, &values)
                }
                None => BY_NUMBER.in_language(language).to_owned(),
            };
            EVEN_MAKER.say(language, &[("by", by.into())])
        }
    };
    if !one.passed.is_empty() {
        why += &TRIED.say(language, &[("who", list(&one.passed).into())]);
    }
    FLOAT.say(
        language,
        &[
            ("player", one.player.into()),
            ("score", one.from.into()),
            ("why", why.into()),
        ],
    )
}
