//! Russian.

use std::fmt::Write as _;

use super::{form, list};
use crate::{
    pairing::{
        Explanation,
        swiss::{
            ColourRule,
            dutch::{DutchBye, DutchPair, FloatFacts, FloatReason, How, SkipReason},
        },
    },
    types::Points,
};

/// `None` for a system whose sentences are not translated.
pub(super) fn explain(why: &Explanation) -> Option<String> {
    if let Explanation::Fixed { .. } = why {
        return Some("Эту пару и цвета в ней определил арбитр.".to_owned());
    }
    Some(match why {
        Explanation::Berger {
            size,
            table_round,
            cycle,
            white,
            black,
        } => {
            let again = match cycle {
                0 | 1 => String::new(),
                cycle if cycle % 2 == 0 => format!("; это круг {cycle}, цвета наоборот"),
                cycle => format!("; это круг {cycle}"),
            };
            format!(
                "По таблице Бергера на {} или {size} участников в её туре {table_round} играют \
                 {white} (белые) и {black} (чёрные){again}.",
                size - 1
            )
        }
        Explanation::BergerRest {
            size,
            table_round,
            number,
        } => format!(
            "Участников нечётное число: в туре {table_round} таблицы Бергера на {} или {size} \
             участников {number} попадает на {size}, а такого номера нет ни у кого, поэтому он \
             отдыхает.",
            size - 1
        ),
        Explanation::DutchPair(why) => pair(why),
        Explanation::DutchBye(why) => bye(why),
        // Said in English until it is translated.
        _ => return None,
    })
}

fn points(points: Points) -> String {
    let word = if points.0 % 2 == 1 {
        "очка"
    } else {
        form(points.0 / 2, ["очко", "очка", "очков"])
    };
    format!("{points} {word}")
}

fn pair(why: &DutchPair) -> String {
    let bracket = &why.bracket;
    let mut text = format!(
        "Группа {} ({}, {} {}, {} {})",
        bracket.number,
        points(bracket.score),
        bracket.players,
        form(bracket.players, ["участник", "участника", "участников"]),
        bracket.pairs,
        form(bracket.pairs, ["пара", "пары", "пар"]),
    );
    let how = match why.how {
        How::Proposed => ": так их сводит уже первый кандидат (статья 3).".to_owned(),
        How::Transposed { proposed } => format!(
            ": сначала {} должен был играть с {proposed}; эту пару даёт транспозиция (4.2).",
            why.upper
        ),
        How::Exchanged { players } => {
            format!(": нужен обмен между половинами, {players} на {players} (4.3).")
        }
    };
    text += &how;
    for skipped in &why.skipped {
        let reason = match skipped.reason {
            SkipReason::Met => "они уже играли (C1)",
            SkipReason::Forbidden => "в этом туре им нельзя играть друг с другом",
            SkipReason::SameColour => "обоим положен один и тот же цвет (C3)",
            SkipReason::Worse => "жеребьёвка вышла бы хуже",
        };
        let _ = write!(text, " Не {}: {reason}.", skipped.opponent);
    }
    for (name, side) in [("Белые", &why.white), ("Чёрные", &why.black)] {
        if let Some(facts) = side.float {
            let _ = write!(text, " {name}: {}.", float(facts));
        }
    }
    text += match why.colour {
        ColourRule::BothGranted => " Цвета: оба получили положенный (5.2.1).",
        ColourRule::Stronger => " Цвета: решает более сильное право на цвет (5.2.2).",
        ColourRule::LargerDifference => " Цвета: решает большая разница цветов (5.2.2).",
        ColourRule::LastDifference => {
            " Цвета: наоборот к последнему туру, в котором они различались (5.2.3)."
        }
        ColourRule::HigherRanked => " Цвета: свой получает старший по рангу (5.2.4).",
        ColourRule::InitialColour => " Цвета: по жребию и номеру (5.2.5).",
        ColourRule::Fixed => " Цвета определил арбитр.",
    };
    let broken: Vec<String> = bracket
        .unavoidable
        .iter()
        .map(|one| format!("{}: {}", one.quality.article(bracket.rules), one.times))
        .collect();
    if !broken.is_empty() {
        let _ = write!(
            text,
            " В группе нельзя избежать нарушений: {}.",
            broken.join(", ")
        );
    }
    text
}

fn float(facts: FloatFacts) -> String {
    let reason = match facts.reason {
        FloatReason::NoOpponent => "там никто не может с ним играть",
        FloatReason::Last => "он последний по порядку",
        FloatReason::Criteria => "так решили критерии",
    };
    format!(
        "спускается из группы {}, которую покидают {} из {}: {reason}",
        facts.bracket, facts.downfloaters, facts.players
    )
}

fn bye(why: &DutchBye) -> String {
    let mut text = format!(
        "Участников нечётное число: свободный тур достаётся тому, у кого меньше всего очков среди \
         тех, кому его можно дать, — {}",
        points(why.score)
    );
    for (numbers, reason) in [
        (&why.barred, "не имеет на него права (C2)"),
        (&why.needed, "нужен другим для пары (C4)"),
    ] {
        if !numbers.is_empty() {
            let _ = write!(text, "; {} — {reason}", list(numbers));
        }
    }
    if let Some(facts) = why.float {
        let _ = write!(text, "; он {}", float(facts));
    }
    text + &format!(
        ". Он пропустил {} {}.",
        why.missed,
        form(why.missed, ["тур", "тура", "туров"])
    )
}
