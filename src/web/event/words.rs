//! The words of the event's pages and files, each in three languages.

use flagfall_core::{
    hub::staff::Duty,
    pairing::words::Language,
    tournament::{Termination, standings::CellKind},
};

macro_rules! words {
    ($($key:ident: $en:literal, $uk:literal, $ru:literal;)*) => {
        /// Everything that stands on the pages in one language.
        pub(crate) struct Words {
            pub(crate) language: Language,
            $(pub(crate) $key: &'static str,)*
        }

        const ENGLISH: Words = Words { language: Language::English, $($key: $en,)* };
        const UKRAINIAN: Words = Words { language: Language::Ukrainian, $($key: $uk,)* };
        const RUSSIAN: Words = Words { language: Language::Russian, $($key: $ru,)* };

        /// All of them, for the test that none lacks its translation.
        #[cfg(test)]
        const ALL: &[(&str, [&str; 3])] = &[$((stringify!($key), [$en, $uk, $ru]),)*];
    };
}

words! {
    standings: "Standings", "Турнірна таблиця", "Турнирная таблица";
    crosstable: "Crosstable", "Крос-таблиця", "Кросс-таблица";
    pairings: "Pairings", "Пари", "Пары";
    report: "Event report", "Звіт про змагання", "Отчёт о соревновании";
    place: "Place", "Місце", "Место";
    number: "No.", "№", "№";
    name: "Name", "Ім'я", "Имя";
    title: "Title", "Звання", "Звание";
    rating: "Rating", "Рейтинг", "Рейтинг";
    federation: "Federation", "Федерація", "Федерация";
    club: "Club", "Клуб або школа", "Клуб или школа";
    points: "Points", "Очки", "Очки";
    round: "Round", "Тур", "Тур";
    table: "Table", "Стіл", "Стол";
    colour: "Colour", "Колір", "Цвет";
    white: "White", "Білі", "Белые";
    black: "Black", "Чорні", "Чёрные";
    opponent: "Opponent", "Суперник", "Соперник";
    result: "Result", "Результат", "Результат";
    figures: "How the figures come about", "Як складаються показники", "Как складываются показатели";
    no_event: "No event is set up.", "Змагання ще не налаштовано.", "Соревнование ещё не настроено.";
    empty: "No round is public yet.", "Жоден тур ще не опубліковано.", "Ни один тур ещё не опубликован.";
    published: "Published", "Опубліковано", "Опубликовано";
    provisional: "Provisional", "Попередня", "Предварительная";
    last: "Final", "Остаточна", "Окончательная";
    draft: "Draft", "Чернетка", "Черновик";
    nameless: "Names are not shown here: players are named by their numbers.",
        "Імена тут не показано: учасників названо за номерами.",
        "Имена здесь не показаны: участники названы по номерам.";
    staff_sees: "You are logged in: you see names that others do not.",
        "Ви увійшли: ви бачите імена, яких інші не бачать.",
        "Вы вошли: вы видите имена, которых другие не видят.";
    staff_only: "This page is for the arbiters: log in on the console first.",
        "Ця сторінка для арбітрів: спершу увійдіть на пульті.",
        "Эта страница для арбитров: сначала войдите на пульте.";
    console: "Console", "Пульт", "Пульт";
    withdrawn: "left the event", "вибув зі змагання", "выбыл из соревнования";
    struck_out: "left before half of the games: nothing counts",
        "вибув до половини партій: результати не враховуються",
        "выбыл до половины партий: результаты не учитываются";
    same_name: "Others bear the same name: look at the number.",
        "Є учасники з таким самим іменем: зважайте на номер.",
        "Есть участники с тем же именем: смотрите на номер.";
    as_file: "As a file", "Файлом", "Файлом";
    shared: "shared", "поділене", "разделено";
    open_game: "to be played", "ще триває", "ещё идёт";
    bye_allocated: "bye by the pairing", "вільний від гри", "свободен от игры";
    bye_full: "bye, one point", "без гри, одне очко", "без игры, одно очко";
    bye_half: "bye, half a point", "без гри, пів очка", "без игры, пол-очка";
    bye_zero: "absent", "відсутній", "отсутствует";
    rest: "free", "вихідний", "выходной";
    forfeit_win: "by forfeit, opponent absent", "неявка суперника", "неявка соперника";
    forfeit_loss: "by forfeit, did not come", "неявка", "не явился";
    players: "Players", "Учасників", "Участников";
    rated: "with a rating", "з рейтингом", "с рейтингом";
    average: "Average rating", "Середній рейтинг", "Средний рейтинг";
    federations: "Federations", "Федерації", "Федерации";
    system: "Pairing system", "Система жеребкування", "Система жеребьёвки";
    time_control: "Time control", "Контроль часу", "Контроль времени";
    tie_breaks: "Tie-breaks", "Додаткові показники", "Дополнительные показатели";
    rounds: "Rounds", "Тури", "Туры";
    planned: "Announced start", "Оголошений початок", "Объявленное начало";
    started: "Started", "Розпочато", "Начат";
    closed: "Closed", "Закрито", "Закрыт";
    games: "Games", "Партій", "Партий";
    open: "Open", "Не завершено", "Не завершено";
    forfeits: "Forfeits", "Неявок", "Неявки";
    unpaired: "Without an opponent", "Без суперника", "Без соперника";
    results: "Results", "Результати", "Результаты";
    endings: "How games ended", "Як закінчилися партії", "Как закончились партии";
    staff: "Arbiters", "Арбітри", "Судьи";
    needed: "Needed", "Потрібно", "Нужно";
    present: "On duty", "На чергуванні", "На дежурстве";
    incidents: "Incidents", "Події", "Происшествия";
    protests: "Protests", "Протести", "Протесты";
    changes: "Changes after publication", "Зміни після публікації", "Изменения после публикации";
    none: "None.", "Немає.", "Нет.";
    withdrawals: "Withdrawals", "Вибули", "Выбыли";
    since_round: "from round", "з туру", "с тура";
    when: "When", "Коли", "Когда";
    who: "Who", "Хто", "Кто";
    what: "What", "Що", "Что";
    signature: "Signature", "Підпис", "Подпись";
    corrections: "Corrections", "Виправлення", "Исправления";
    kind: "What is to be put right", "Що виправити", "Что исправить";
    wrong_result: "A result", "Результат партії", "Результат партии";
    wrong_colours: "Colours of a game", "Кольори в партії", "Цвета в партии";
    wrong_players: "Two players taken for each other", "Переплутано двох учасників", "Перепутаны два участника";
    wrong_line: "Name or rating of a player", "Ім'я чи рейтинг учасника", "Имя или рейтинг участника";
    wrong_bye: "Worth of a round without an opponent", "Очки за тур без суперника", "Очки за тур без соперника";
    new_result: "Right result, e.g. 1-0", "Правильний результат, напр. 1-0", "Правильный результат, напр. 1-0";
    first_no: "Number of the one", "Номер першого", "Номер первого";
    second_no: "Number of the other", "Номер другого", "Номер второго";
    player_no: "Number of the player", "Номер учасника", "Номер участника";
    new_name: "Right name (empty: stays)", "Правильне ім'я (порожньо: без змін)", "Правильное имя (пусто: без изменений)";
    new_rating: "Right rating (empty: stays, 0: none)", "Правильний рейтинг (порожньо: без змін, 0: немає)", "Правильный рейтинг (пусто: без изменений, 0: нет)";
    half_point: "half a point", "пів очка", "пол-очка";
    one_point: "one point", "одне очко", "одно очко";
    no_point: "no point", "нуль очок", "ноль очков";
    reason: "Reason, for the record", "Підстава, для протоколу", "Основание, для протокола";
    foresee: "Show what comes of it", "Показати наслідки", "Показать последствия";
    confirm: "Put it right", "Виправити", "Исправить";
    cancel: "Leave it", "Не виправляти", "Не исправлять";
    take_back: "Take back", "Скасувати виправлення", "Отменить исправление";
    nothing_moves: "Nobody's points or place change.", "Очки й місця не змінюються.", "Очки и места не меняются.";
    done: "Recorded.", "Записано.", "Записано в протокол.";
    who_left: "A player withdrawn by mistake comes back on the console, under players; here you then give the rounds that he missed their worth.",
        "Помилково вилученого учасника повертають на пульті, у списку учасників; тут потім зазначають очки за пропущені тури.",
        "Ошибочно выбывшего участника возвращают на пульте, в списке участников; здесь затем указывают очки за пропущенные туры.";
    chief: "Chief arbiter", "Головний арбітр", "Главный судья";
    deputy: "Deputy", "Заступник", "Заместитель";
    senior: "Senior arbiter", "Старший арбітр", "Старший судья";
    arbiter: "Arbiter", "Арбітр", "Судья";
    mate: "mate", "мат", "мат";
    resignation: "resignation", "здача", "сдача";
    stalemate: "stalemate", "пат", "пат";
    dead_position: "dead position", "мертва позиція", "мёртвая позиция";
    agreement: "draw by agreement", "нічия за згодою", "ничья по соглашению";
    threefold: "threefold repetition", "триразове повторення", "троекратное повторение";
    fifty: "50 moves", "50 ходів", "50 ходов";
    seventy_five: "75 moves", "75 ходів", "75 ходов";
    fivefold: "fivefold repetition", "п'ятиразове повторення", "пятикратное повторение";
    flag: "flag", "прапорець", "флажок";
    flag_draw: "flag, opponent cannot mate", "прапорець, суперник не може поставити мат",
        "флажок, соперник не может поставить мат";
    illegal: "illegal moves", "неможливі ходи", "невозможные ходы";
    adjudicated: "adjudicated", "присудження", "присуждение";
    refused: "refused to play", "відмова від гри", "отказ от игры";
    no_show: "did not come", "не з'явився", "неявка";
    late: "came too late", "запізнення", "опоздание";
    left: "left the playing area", "залишив ігрову зону", "покинул игровую зону";
    unfair: "unfair play", "нечесна гра", "нечестная игра";
    device: "electronic device", "електронний пристрій", "электронное устройство";
    not_shown: "result not shown", "результат не показано", "результат не показан";
    unknown: "not recorded", "не зазначено", "не указано";
}

impl Words {
    pub(crate) const fn of(language: Language) -> &'static Self {
        match language {
            Language::English => &ENGLISH,
            Language::Ukrainian => &UKRAINIAN,
            Language::Russian => &RUSSIAN,
        }
    }

    /// The code of the language, for the page and its links.
    pub(crate) const fn code(&self) -> &'static str {
        match self.language {
            Language::English => "en",
            Language::Ukrainian => "uk",
            Language::Russian => "ru",
        }
    }

    fn say(&self, en: String, uk: String, ru: String) -> String {
        match self.language {
            Language::English => en,
            Language::Ukrainian => uk,
            Language::Russian => ru,
        }
    }

    /// A number with its noun, whose forms go with 1, 2 and 5.
    fn counted(&self, n: usize, forms: [[&str; 3]; 3]) -> String {
        let [en, uk, ru] = forms;
        let forms = match self.language {
            Language::English => return format!("{n} {}", en[usize::from(n != 1)]),
            Language::Ukrainian => uk,
            Language::Russian => ru,
        };
        let form = match (n % 10, n % 100) {
            (1, rest) if rest != 11 => 0,
            (2..=4, rest) if !(12..=14).contains(&rest) => 1,
            _ => 2,
        };
        format!("{n} {}", forms[form])
    }

    pub(crate) fn games_open(&self, n: usize) -> String {
        self.counted(
            n,
            [
                ["game is open", "games are open", "games are open"],
                ["партія триває", "партії тривають", "партій триває"],
                ["партия идёт", "партии идут", "партий идёт"],
            ],
        )
    }

    pub(crate) fn count_players(&self, n: usize) -> String {
        self.counted(
            n,
            [
                ["player", "players", "players"],
                ["учасник", "учасники", "учасників"],
                ["участник", "участника", "участников"],
            ],
        )
    }

    /// After so many rounds of so many.
    pub(crate) fn after(&self, round: u16, rounds: Option<u16>) -> String {
        let of = |word: &str| rounds.map_or_else(String::new, |n| format!(" {word} {n}"));
        self.say(
            format!("After round {round}{}", of("of")),
            format!("Після туру {round}{}", of("з")),
            format!("После тура {round}{}", of("из")),
        )
    }

    pub(crate) fn running(&self, round: u16, open: usize) -> String {
        let open = self.games_open(open);
        self.say(
            format!("Round {round} is being played: {open}."),
            format!("Грається тур {round}: {open}."),
            format!("Играется тур {round}: {open}."),
        )
    }

    pub(crate) fn drafted(&self, round: u16) -> String {
        self.say(
            format!("Round {round} is a draft: nothing of it is in this table."),
            format!("Тур {round} – чернетка: у цій таблиці його немає."),
            format!("Тур {round} – черновик: в этой таблице его нет."),
        )
    }

    pub(crate) fn cell(&self, kind: CellKind) -> &'static str {
        match kind {
            CellKind::Played => "",
            CellKind::ForfeitWin => self.forfeit_win,
            CellKind::ForfeitLoss => self.forfeit_loss,
            CellKind::Allocated => self.bye_allocated,
            CellKind::Full => self.bye_full,
            CellKind::Half => self.bye_half,
            CellKind::Zero => self.bye_zero,
            CellKind::Rest => self.rest,
            CellKind::Open => self.open_game,
        }
    }

    pub(crate) fn duty(&self, duty: Duty) -> &'static str {
        match duty {
            Duty::Chief => self.chief,
            Duty::Deputy => self.deputy,
            Duty::Senior => self.senior,
            Duty::Arbiter => self.arbiter,
        }
    }

    pub(crate) fn ending(&self, ending: Termination) -> &'static str {
        match ending {
            Termination::Mate => self.mate,
            Termination::Resignation => self.resignation,
            Termination::Stalemate => self.stalemate,
            Termination::DeadPosition => self.dead_position,
            Termination::Agreement => self.agreement,
            Termination::Threefold => self.threefold,
            Termination::FiftyMoves => self.fifty,
            Termination::SeventyFiveMoves => self.seventy_five,
            Termination::Fivefold => self.fivefold,
            Termination::Flag => self.flag,
            Termination::FlagNoMatingMaterial => self.flag_draw,
            Termination::IllegalMoves => self.illegal,
            Termination::Adjudicated => self.adjudicated,
            Termination::RefusedToPlay => self.refused,
            Termination::NoShow => self.no_show,
            Termination::Late => self.late,
            Termination::Left => self.left,
            Termination::UnfairPlay => self.unfair,
            Termination::ElectronicDevice => self.device,
            Termination::ResultNotShown => self.not_shown,
            Termination::Unknown => self.unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREE: [Language; 3] = [Language::English, Language::Ukrainian, Language::Russian];

    #[test]
    fn no_word_lacks_its_translation() {
        let cyrillic = |letter: char| ('\u{400}'..='\u{4ff}').contains(&letter) || letter == '№';
        for (key, [en, uk, ru]) in ALL {
            assert!(!en.is_empty() && !en.contains(cyrillic), "{key}: {en}");
            for text in [uk, ru] {
                assert!(text.contains(cyrillic), "{key}: {text}");
            }
            assert!(
                !uk.contains(['ы', 'э', 'ё', 'ъ']),
                "{key}: {uk} is no Ukrainian"
            );
            assert!(
                !ru.contains(['і', 'ї', 'є', 'ґ']),
                "{key}: {ru} is no Russian"
            );
        }
    }

    #[test]
    fn numbers_stand_with_the_right_form() {
        let said = |n| THREE.map(|language| Words::of(language).count_players(n));
        assert_eq!(said(1), ["1 player", "1 учасник", "1 участник"]);
        assert_eq!(said(3), ["3 players", "3 учасники", "3 участника"]);
        assert_eq!(said(12), ["12 players", "12 учасників", "12 участников"]);
        assert_eq!(said(21), ["21 players", "21 учасник", "21 участник"]);
        assert_eq!(
            Words::of(Language::Ukrainian).running(3, 2),
            "Грається тур 3: 2 партії тривають."
        );
    }
}
