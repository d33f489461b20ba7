//! Everybody who is not paired.

use super::{
    Language,
    phrase::{Phrase, Value},
};
use crate::pairing::{Missed, UnpairedReason};

const ABSENT: Phrase = Phrase::new(
    "He is absent in this round{missed}.",
    "Пропускає цей тур{missed}.",
    "Пропускает этот тур{missed}.",
);
const WITHDRAWN: Phrase = Phrase::new(
    "He has left the event{missed}.",
    "Вибув із турніру{missed}.",
    "Выбыл из турнира{missed}.",
);
const MISSED: Phrase = Phrase::new(
    "; the table gives him {opponent}",
    "; за таблицею суперник — {opponent}",
    "; по таблице соперник — {opponent}",
);
const OPPONENT_MISSING: Phrase = Phrase::new(
    "His opponent {opponent}, whom the table gives, is missing.",
    "Суперник за таблицею, {opponent}, відсутній.",
    "Соперник по таблице, {opponent}, отсутствует.",
);
const KNOCKED_OUT: Phrase = Phrase::new(
    "He has lost in stage {stage} and shares the places from {place} on.",
    "Вибув на стадії {stage} й ділить місця від {place} і нижче.",
    "Выбыл на стадии {stage} и делит места от {place} и ниже.",
);
const GOES_ON: Phrase = Phrase::new(
    "Nobody stands against him in stage {stage}; he goes on without a game.",
    "На стадії {stage} суперника немає; проходить далі без гри.",
    "На стадии {stage} соперника нет; проходит дальше без игры.",
);
const PLACE_SETTLED: Phrase = Phrase::new(
    "He has played for place {place} and has it.",
    "Місце {place} уже розіграно: воно його.",
    "Место {place} уже разыграно: оно за ним.",
);
const MATCH_DECIDED: Phrase = Phrase::new(
    "His match against {opponent} is decided before its last game.",
    "Матч проти {opponent} вирішено до останньої партії.",
    "Матч против {opponent} решён до последней партии.",
);

/// Why somebody is not paired.
pub(super) fn unpaired(why: UnpairedReason, language: Language) -> String {
    let missed = |opponent: Option<Missed>| -> Value {
        let missed = opponent.map(|it| MISSED.say(language, &[("opponent", it.player.into())]));
        missed.unwrap_or_default().into()
    };
    match why {
        UnpairedReason::Absent { opponent } => {
            ABSENT.say(language, &[("missed", missed(opponent))])
        }
        UnpairedReason::Withdrawn { opponent } => {
            WITHDRAWN.say(language, &[("missed", missed(opponent))])
        }
        UnpairedReason::OpponentMissing { opponent } => {
            OPPONENT_MISSING.say(language, &[("opponent", opponent.player.into())])
        }
        UnpairedReason::KnockedOut { stage, place } => KNOCKED_OUT.say(
            language,
            &[("stage", stage.into()), ("place", place.into())],
        ),
        UnpairedReason::GoesOn { stage } => GOES_ON.say(language, &[("stage", stage.into())]),
        UnpairedReason::PlaceSettled { place } => {
            PLACE_SETTLED.say(language, &[("place", place.into())])
        }
        UnpairedReason::MatchDecided { opponent } => {
            MATCH_DECIDED.say(language, &[("opponent", opponent.into())])
        }
    }
}
