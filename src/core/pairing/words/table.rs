//! Round robin, and pairs that an arbiter set.

use super::{Language, phrase::Phrase};

/// An arbiter's pair.
pub(super) const FIXED: Phrase = Phrase::new(
    "The arbiter set this pair and its colours.",
    "Цю пару й кольори в ній визначив арбітр.",
    "Эту пару и цвета в ней определил арбитр.",
);
const BERGER: Phrase = Phrase::new(
    "The Berger table for {odd} or {size} players pairs {white} (White) with {black} (Black) in its \
     round {round}{again}.",
    "За таблицею Бергера на {odd} або {size} учасників у її турі {round} грають {white} (білі) і \
     {black} (чорні){again}.",
    "По таблице Бергера на {odd} или {size} участников в её туре {round} играют {white} (белые) и \
     {black} (чёрные){again}.",
);
const CYCLE: Phrase = Phrase::new(
    "; this is cycle {cycle}",
    "; це коло {cycle}",
    "; это круг {cycle}",
);
const REVERSED_CYCLE: Phrase = Phrase::new(
    "; this is cycle {cycle}, with the colours reversed",
    "; це коло {cycle}, кольори навпаки",
    "; это круг {cycle}, цвета наоборот",
);
const BERGER_REST: Phrase = Phrase::new(
    "The number of players is odd: in round {round} of the Berger table for {odd} or {size} players, \
     {number} meets {size}, which nobody has, and rests.",
    "Учасників непарна кількість: у турі {round} таблиці Бергера на {odd} або {size} учасників \
     {number} випадає на {size}, а такого номера немає ні в кого, тож він відпочиває.",
    "Участников нечётное число: в туре {round} таблицы Бергера на {odd} или {size} участников \
     {number} попадает на {size}, а такого номера нет ни у кого, поэтому он отдыхает.",
);

/// A pair of the Berger table; `who` are the numbers of White and Black in it.
pub(super) fn berger(
    size: u16,
    round: u16,
    cycle: u16,
    who: [u16; 2],
    language: Language,
) -> String {
    BERGER.say(
        language,
        &[
            ("odd", size.saturating_sub(1).into()),
            ("size", size.into()),
            ("white", who[0].into()),
            ("black", who[1].into()),
            ("round", round.into()),
            ("again", again(cycle, language).into()),
        ],
    )
}

/// Who rests by the Berger table.
pub(super) fn rest(size: u16, round: u16, number: u16, language: Language) -> String {
    BERGER_REST.say(
        language,
        &[
            ("odd", size.saturating_sub(1).into()),
            ("size", size.into()),
            ("round", round.into()),
            ("number", number.into()),
        ],
    )
}

/// Which cycle it is, from the second on.
pub(super) fn again(cycle: u16, language: Language) -> String {
    let phrase = match cycle {
        0 | 1 => return String::new(),
        cycle if cycle % 2 == 0 => REVERSED_CYCLE,
        _ => CYCLE,
    };
    phrase.say(language, &[("cycle", cycle.into())])
}
