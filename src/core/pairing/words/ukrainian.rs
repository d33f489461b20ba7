//! Ukrainian.

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
        return Some("Цю пару й кольори в ній визначив арбітр.".to_owned());
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
                cycle if cycle % 2 == 0 => format!("; це коло {cycle}, кольори навпаки"),
                cycle => format!("; це коло {cycle}"),
            };
            format!(
                "За таблицею Бергера на {} або {size} учасників у її турі {table_round} грають \
                 {white} (білі) і {black} (чорні){again}.",
                size - 1
            )
        }
        Explanation::BergerRest {
            size,
            table_round,
            number,
        } => format!(
            "Учасників непарна кількість: у турі {table_round} таблиці Бергера на {} або {size} \
             учасників {number} випадає на {size}, а такого номера немає ні в кого, тож він \
             відпочиває.",
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
        form(points.0 / 2, ["очко", "очка", "очок"])
    };
    format!("{points} {word}")
}

fn pair(why: &DutchPair) -> String {
    let bracket = &why.bracket;
    let mut text = format!(
        "Група {} ({}, {} {}, {} {})",
        bracket.number,
        points(bracket.score),
        bracket.players,
        form(bracket.players, ["учасник", "учасники", "учасників"]),
        bracket.pairs,
        form(bracket.pairs, ["пара", "пари", "пар"]),
    );
    let how = match why.how {
        How::Proposed => ": так їх зводить уже перший кандидат (стаття 3).".to_owned(),
        How::Transposed { proposed } => format!(
            ": спочатку {} мав грати з {proposed}; цю пару дає транспозиція (4.2).",
            why.upper
        ),
        How::Exchanged { players } => {
            format!(": потрібен обмін між половинами, {players} на {players} (4.3).")
        }
    };
    text += &how;
    for skipped in &why.skipped {
        let reason = match skipped.reason {
            SkipReason::Met => "вони вже грали (C1)",
            SkipReason::Forbidden => "у цьому турі їм не можна грати разом",
            SkipReason::SameColour => "обом належить той самий колір (C3)",
            SkipReason::Worse => "жеребкування вийшло б гіршим",
        };
        let _ = write!(text, " Не {}: {reason}.", skipped.opponent);
    }
    for (name, side) in [("Білі", &why.white), ("Чорні", &why.black)] {
        if let Some(facts) = side.float {
            let _ = write!(text, " {name}: {}.", float(facts));
        }
    }
    text += match why.colour {
        ColourRule::BothGranted => " Кольори: обидва отримали належний (5.2.1).",
        ColourRule::Stronger => " Кольори: перевагу має сильніше право на колір (5.2.2).",
        ColourRule::LargerDifference => " Кольори: перевагу має більша різниця кольорів (5.2.2).",
        ColourRule::LastDifference => {
            " Кольори: навпаки до останнього туру, в якому вони різнилися (5.2.3)."
        }
        ColourRule::HigherRanked => " Кольори: свій отримує вищий за рангом (5.2.4).",
        ColourRule::InitialColour => " Кольори: за жеребом і номером (5.2.5).",
        ColourRule::Fixed => " Кольори визначив арбітр.",
    };
    let broken: Vec<String> = bracket
        .unavoidable
        .iter()
        .map(|one| format!("{}: {}", one.quality.article(bracket.rules), one.times))
        .collect();
    if !broken.is_empty() {
        let _ = write!(
            text,
            " У групі не можна уникнути порушень: {}.",
            broken.join(", ")
        );
    }
    text
}

fn float(facts: FloatFacts) -> String {
    let reason = match facts.reason {
        FloatReason::NoOpponent => "там ніхто не може з ним грати",
        FloatReason::Last => "він останній за порядком",
        FloatReason::Criteria => "так вирішили критерії",
    };
    format!(
        "спускається з групи {}, яку залишають {} з {}: {reason}",
        facts.bracket, facts.downfloaters, facts.players
    )
}

fn bye(why: &DutchBye) -> String {
    let mut text = format!(
        "Учасників непарна кількість: вільний тур дістається тому, хто має найменше очок з-поміж \
         тих, кому його можна дати, — {}",
        points(why.score)
    );
    for (numbers, reason) in [
        (&why.barred, "не має на нього права (C2)"),
        (&why.needed, "потрібен іншим для пари (C4)"),
    ] {
        if !numbers.is_empty() {
            let _ = write!(text, "; {} — {reason}", list(numbers));
        }
    }
    if let Some(facts) = why.float {
        let _ = write!(text, "; він {}", float(facts));
    }
    text + &format!(
        ". Він пропустив {} {}.",
        why.missed,
        form(why.missed, ["тур", "тури", "турів"])
    )
}
