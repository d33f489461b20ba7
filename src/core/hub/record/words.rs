//! The sentences of the record and of corrections, in three languages.

use std::collections::BTreeMap;

use crate::{
    hub::event::{Amended, Details, Ended, Outcome, PlayerFact, ProtestFact},
    pairing::words::Language,
    tournament::{Bye, GameResult, Player},
    types::{PlayerNo, RoundNo},
};

/// How somebody is named.
type Name<'a> = &'a dyn Fn(PlayerNo) -> String;

/// One of three texts.
fn say(language: Language, en: String, uk: String, ru: String) -> String {
    match language {
        Language::English => en,
        Language::Ukrainian => uk,
        Language::Russian => ru,
    }
}

fn number(round: Option<RoundNo>) -> String {
    round.map_or_else(|| "?".to_owned(), |round| round.to_string())
}

pub(super) fn published(round: Option<RoundNo>, language: Language) -> String {
    let n = number(round);
    say(
        language,
        format!("Pairing of round {n} published."),
        format!("Опубліковано жеребкування туру {n}."),
        format!("Опубликована жеребьёвка тура {n}."),
    )
}

pub(super) fn closed(round: Option<RoundNo>, language: Language) -> String {
    let n = number(round);
    say(
        language,
        format!("Round {n} closed."),
        format!("Тур {n} закрито."),
        format!("Тур {n} закрыт."),
    )
}

pub(super) fn settings(language: Language) -> String {
    say(
        language,
        "The settings of the event were changed in the configuration.".to_owned(),
        "Налаштування змагання змінено у файлі конфігурації.".to_owned(),
        "Настройки соревнования изменены в файле конфигурации.".to_owned(),
    )
}

/// What differs between two lists of players.
pub(super) fn list(old: &[Player], new: &[Player], language: Language) -> Vec<String> {
    let by_no = |players: &[Player]| -> BTreeMap<PlayerNo, Player> {
        let numbered = players.iter().map(|player| (player.no, player.clone()));
        numbered.collect()
    };
    let (old, new) = (by_no(old), by_no(new));
    let mut said = Vec::new();
    for (no, player) in &new {
        match old.get(no) {
            None => said.push(say(
                language,
                format!("{no} {} was entered.", player.name),
                format!("Заявлено: {no} {}.", player.name),
                format!("Заявлен участник: {no} {}.", player.name),
            )),
            Some(before) if before != player => {
                let (was, is) = (Details::of(before), Details::of(player));
                said.push(if was == is {
                    say(
                        language,
                        format!("The line of {no} {} in the list was changed.", player.name),
                        format!("Змінено рядок списку: {no} {}.", player.name),
                        format!("Изменена строка списка: {no} {}.", player.name),
                    )
                } else {
                    details(*no, &was, &is, language)
                });
            }
            Some(_) => {}
        }
    }
    for (no, player) in old.iter().filter(|(no, _)| !new.contains_key(no)) {
        said.push(say(
            language,
            format!("{no} {} was taken out of the list.", player.name),
            format!("Вилучено зі списку: {no} {}.", player.name),
            format!("Исключён из списка: {no} {}.", player.name),
        ));
    }
    said
}

/// A line of the list, put right.
fn details(no: PlayerNo, before: &Details, after: &Details, language: Language) -> String {
    let none = || "–".to_owned();
    let text = |value: Option<String>| value.unwrap_or_else(none);
    let fields = [
        (
            say(language, "name".into(), "ім'я".into(), "имя".into()),
            before.name.clone(),
            after.name.clone(),
        ),
        (
            say(
                language,
                "rating".into(),
                "рейтинг".into(),
                "рейтинг".into(),
            ),
            text(before.rating.map(|it| it.to_string())),
            text(after.rating.map(|it| it.to_string())),
        ),
        (
            say(
                language,
                "FIDE number".into(),
                "номер FIDE".into(),
                "номер FIDE".into(),
            ),
            text(before.fide_id.map(|it| it.to_string())),
            text(after.fide_id.map(|it| it.to_string())),
        ),
        (
            say(language, "club".into(), "клуб".into(), "клуб".into()),
            text(before.club.clone()),
            text(after.club.clone()),
        ),
    ];
    let changed: Vec<String> = fields
        .into_iter()
        .filter(|(_, before, after)| before != after)
        .map(|(field, before, after)| format!("{field} {before} → {after}"))
        .collect();
    format!("{no} {}: {}.", before.name, changed.join(", "))
}

/// A result that was said otherwise before.
pub(super) fn result(
    before: GameResult,
    after: GameResult,
    players: Option<&[String; 2]>,
    note: Option<&str>,
    language: Language,
) -> String {
    let who = players.map_or_else(String::new, |[white, black]| format!("{white} – {black}: "));
    let text = say(
        language,
        format!("{who}result changed from {before} to {after}."),
        format!("{who}результат змінено з {before} на {after}."),
        format!("{who}результат изменён с {before} на {after}."),
    );
    match note {
        Some(note) => format!("{text} {}", because(note, language)),
        None => text,
    }
}

/// The reason that was given.
pub(super) fn because(note: &str, language: Language) -> String {
    say(
        language,
        format!("Reason: {note}"),
        format!("Підстава: {note}"),
        format!("Основание: {note}"),
    )
}

pub(super) fn reverts(number: u64, language: Language) -> String {
    say(
        language,
        format!("Correction {number} taken back."),
        format!("Виправлення {number} скасовано."),
        format!("Исправление {number} отменено."),
    )
}

pub(super) fn player(fact: &PlayerFact, language: Language, name: Name<'_>) -> (String, String) {
    match fact {
        PlayerFact::Withdrawn { player, from, by } => {
            let who = name(*player);
            let text = say(
                language,
                format!("{who} left the event before round {from}."),
                format!("{who} вибуває зі змагання перед туром {from}."),
                format!("{who} выбывает из соревнования перед туром {from}."),
            );
            (by.clone(), text)
        }
        PlayerFact::Returned { player, from, by } => {
            let who = name(*player);
            let text = say(
                language,
                format!("{who} is back from round {from} on."),
                format!("{who} повертається з туру {from}."),
                format!("{who} возвращается с тура {from}."),
            );
            (by.clone(), text)
        }
        PlayerFact::Bye {
            player,
            in_round,
            bye,
            by,
        } => {
            let who = name(*player);
            let text = match bye {
                Some(bye) => {
                    let worth = worth(*bye, language);
                    say(
                        language,
                        format!("{who} misses round {in_round}: {worth}."),
                        format!("{who} пропускає тур {in_round}: {worth}."),
                        format!("{who} пропускает тур {in_round}: {worth}."),
                    )
                }
                None => say(
                    language,
                    format!("{who} plays round {in_round} after all."),
                    format!("{who} все ж грає в турі {in_round}."),
                    format!("{who} всё же играет в туре {in_round}."),
                ),
            };
            (by.clone(), text)
        }
    }
}

/// What a bye is worth.
fn worth(bye: Bye, language: Language) -> String {
    let points = bye.points();
    say(
        language,
        format!("bye worth {points}"),
        format!("без гри, очок: {points}"),
        format!("без игры, очков: {points}"),
    )
}

pub(super) fn protest(fact: &ProtestFact, language: Language, name: Name<'_>) -> String {
    match fact {
        ProtestFact::Filed { player, text, .. } => {
            let who = player.map_or_else(String::new, |no| format!(" ({})", name(no)));
            say(
                language,
                format!("Protest handed in{who}: {text}"),
                format!("Подано протест{who}: {text}"),
                format!("Подан протест{who}: {text}"),
            )
        }
        ProtestFact::Decided {
            protest,
            outcome,
            deposit_returned,
            note,
            ..
        } => {
            let how = match outcome {
                Outcome::Upheld => say(
                    language,
                    "upheld".into(),
                    "задоволено".into(),
                    "удовлетворён".into(),
                ),
                Outcome::Rejected => say(
                    language,
                    "rejected".into(),
                    "відхилено".into(),
                    "отклонён".into(),
                ),
                Outcome::Withdrawn => say(
                    language,
                    "withdrawn".into(),
                    "відкликано".into(),
                    "отозван".into(),
                ),
            };
            let deposit = if *deposit_returned {
                say(
                    language,
                    "deposit returned".into(),
                    "внесок повернено".into(),
                    "взнос возвращён".into(),
                )
            } else {
                say(
                    language,
                    "deposit kept".into(),
                    "внесок не повернено".into(),
                    "взнос не возвращён".into(),
                )
            };
            let note = note
                .as_deref()
                .map_or_else(String::new, |it| format!(" {it}"));
            say(
                language,
                format!("Protest {protest} {how}, {deposit}.{note}"),
                format!("Протест {protest} {how}, {deposit}.{note}"),
                format!("Протест {protest} {how}, {deposit}.{note}"),
            )
        }
    }
}

/// What a correction puts right.
pub(in crate::hub) fn amended(what: &Amended, language: Language, name: Name<'_>) -> String {
    let shown = |ended: &Option<Ended>| {
        ended.map_or_else(|| "–".to_owned(), |ended| ended.result.to_string())
    };
    match what {
        Amended::Result {
            in_round: n,
            board,
            before,
            after,
        } => {
            let (before, after) = (shown(before), shown(after));
            say(
                language,
                format!("Round {n}, table {board}: result {before} → {after}."),
                format!("Тур {n}, стіл {board}: результат {before} → {after}."),
                format!("Тур {n}, стол {board}: результат {before} → {after}."),
            )
        }
        Amended::Colours { in_round: n, board } => say(
            language,
            format!("Round {n}, table {board}: the colours were the other way round."),
            format!("Тур {n}, стіл {board}: кольори були навпаки."),
            format!("Тур {n}, стол {board}: цвета были наоборот."),
        ),
        Amended::Exchanged {
            in_round: n,
            first,
            second,
        } => {
            let (a, b) = (name(*first), name(*second));
            say(
                language,
                format!("Round {n}: {a} and {b} were taken for each other."),
                format!("Тур {n}: переплутано учасників {a} та {b}."),
                format!("Тур {n}: перепутаны участники {a} и {b}."),
            )
        }
        Amended::Player {
            player,
            before,
            after,
        } => details(*player, before, after, language),
        Amended::Bye {
            in_round: n,
            player,
            before,
            after,
        } => {
            let who = name(*player);
            let (before, after) = (before.points(), after.points());
            say(
                language,
                format!("{who}: round {n} without an opponent is worth {after}, not {before}."),
                format!("{who}: тур {n} без гри оцінено в {after}, а не {before}."),
                format!("{who}: тур {n} без игры оценён в {after}, а не {before}."),
            )
        }
    }
}

pub(in crate::hub) fn stays_paired(round: RoundNo, language: Language) -> String {
    say(
        language,
        format!("Round {round} was paired before: its published pairing stays."),
        format!("Тур {round} складено раніше: опубліковані пари лишаються."),
        format!("Тур {round} составлен раньше: опубликованные пары остаются."),
    )
}

pub(in crate::hub) fn paired_anew(round: RoundNo, language: Language) -> String {
    say(
        language,
        format!("The draft of round {round} is paired anew."),
        format!("Чернетка туру {round} складається заново."),
        format!("Черновик тура {round} составляется заново."),
    )
}

pub(in crate::hub) fn points_stay(language: Language) -> String {
    say(
        language,
        "Each keeps his points; the colours count for later pairings.".to_owned(),
        "Очки лишаються за гравцями; кольори враховуються в наступних жеребкуваннях.".to_owned(),
        "Очки остаются за игроками; цвета учитываются в следующих жеребьёвках.".to_owned(),
    )
}

pub(in crate::hub) fn numbers_stay(language: Language) -> String {
    say(
        language,
        "The numbers of the players stay, and so do the pairings.".to_owned(),
        "Номери учасників і пари не змінюються.".to_owned(),
        "Номера участников и пары не меняются.".to_owned(),
    )
}

pub(in crate::hub) fn met_again(
    names: &[String; 2],
    rounds: &[RoundNo],
    language: Language,
) -> String {
    let [a, b] = names;
    let rounds: Vec<String> = rounds.iter().map(RoundNo::to_string).collect();
    let rounds = rounds.join(", ");
    say(
        language,
        format!("{a} and {b} then have met twice (also in round {rounds})."),
        format!("{a} та {b} тоді зустрічалися двічі (також у турі {rounds})."),
        format!("{a} и {b} тогда встречались дважды (также в туре {rounds})."),
    )
}

pub(in crate::hub) fn same_name(other: &str, language: Language) -> String {
    say(
        language,
        format!("{other} bears the same name: give each his FIDE number or club."),
        format!("Таке саме ім'я має {other}: зазначте номер FIDE або клуб."),
        format!("То же имя носит {other}: укажите номер FIDE или клуб."),
    )
}
