//! The words of the printed pages.

use flagfall_core::pairing::words::Language;

/// Everything that stands on them.
pub(super) struct Words {
    pub(super) setting: &'static str,
    pub(super) starts: &'static str,
    pub(super) falls: &'static str,
    pub(super) white: &'static str,
    pub(super) black: &'static str,
    pub(super) rest: &'static str,
    pub(super) electronic: &'static str,
    pub(super) laps: &'static str,
    pub(super) table: &'static str,
    pub(super) round: &'static str,
    pub(super) follow: &'static str,
    pub(super) result: &'static str,
    pub(super) signed: &'static str,
    pub(super) none: &'static str,
    /// Minutes, abbreviated.
    pub(super) min: &'static str,
    control: &'static str,
    moves: [&'static str; 3],
}

impl Words {
    pub(super) fn of(language: Language) -> &'static Self {
        match language {
            Language::English => &ENGLISH,
            Language::Ukrainian => &UKRAINIAN,
            Language::Russian => &RUSSIAN,
        }
    }

    /// `Control 2`.
    pub(super) fn control(&self, number: usize) -> String {
        format!("{} {number}", self.control)
    }

    /// A number of moves with its noun.
    pub(super) fn moves(&self, n: u16) -> String {
        // English has two forms: the second stands twice.
        let slavic = self.moves[1] != self.moves[2];
        let form = match (n % 10, n % 100) {
            _ if !slavic => usize::from(n != 1),
            (1, rest) if rest != 11 => 0,
            (2..=4, rest) if !(12..=14).contains(&rest) => 1,
            _ => 2,
        };
        format!("{n} {}", self.moves[form])
    }
}

const ENGLISH: Words = Words {
    setting: "Setting of the clocks",
    starts: "Set the hands to",
    falls: "the flag falls at",
    white: "White",
    black: "Black",
    rest: "rest of the game",
    electronic: "Time added for each move needs an electronic clock.",
    laps: "The hands pass six o’clock before that: count the turns.",
    table: "Table",
    round: "Round",
    follow: "This game",
    result: "Result",
    signed: "Signature",
    none: "No round is paired yet.",
    min: "min",
    control: "Control",
    moves: ["move", "moves", "moves"],
};

const UKRAINIAN: Words = Words {
    setting: "Встановлення годинників",
    starts: "Поставте стрілки на",
    falls: "прапорець падає о",
    white: "Білі",
    black: "Чорні",
    rest: "до кінця партії",
    electronic: "Додавання часу на хід потребує електронного годинника.",
    laps: "Раніше стрілки минуть шосту годину: рахуйте оберти.",
    table: "Стіл",
    round: "Тур",
    follow: "Ця партія",
    result: "Результат",
    signed: "Підпис",
    none: "Жоден тур ще не складено.",
    min: "хв",
    control: "Контроль",
    moves: ["хід", "ходи", "ходів"],
};

const RUSSIAN: Words = Words {
    setting: "Установка часов",
    starts: "Поставьте стрелки на",
    falls: "флажок падает в",
    white: "Белые",
    black: "Чёрные",
    rest: "до конца партии",
    electronic: "Для добавления времени на ход нужны электронные часы.",
    laps: "До этого стрелки пройдут шесть часов: считайте обороты.",
    table: "Стол",
    round: "Тур",
    follow: "Эта партия",
    result: "Результат",
    signed: "Подпись",
    none: "Ни один тур ещё не составлен.",
    min: "мин",
    control: "Контроль",
    moves: ["ход", "хода", "ходов"],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_stand_in_the_right_form() {
        for (language, expected) in [
            (
                Language::English,
                "1 move, 2 moves, 5 moves, 11 moves, 14 moves, 21 moves, 22 moves, 111 moves",
            ),
            (
                Language::Ukrainian,
                "1 хід, 2 ходи, 5 ходів, 11 ходів, 14 ходів, 21 хід, 22 ходи, 111 ходів",
            ),
            (
                Language::Russian,
                "1 ход, 2 хода, 5 ходов, 11 ходов, 14 ходов, 21 ход, 22 хода, 111 ходов",
            ),
        ] {
            let words = Words::of(language);
            let all = [1, 2, 5, 11, 14, 21, 22, 111].map(|n| words.moves(n));
            assert_eq!(all.join(", "), expected);
        }
    }
}
