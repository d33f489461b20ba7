//! The criteria of the Dutch system in words, and the articles of its two texts.

use crate::pairing::{
    swiss::dutch::{Quality, Rules},
    words::phrase::Phrase,
};

/// The criteria as things that one wants little of.
pub(super) const fn quality(quality: Quality) -> Phrase {
    match quality {
        Quality::Downfloaters => Phrase::new(
            "players moved down",
            "спуск у нижчу групу",
            "спуск в нижнюю группу",
        ),
        Quality::Scores => Phrase::new(
            "the scores of those moved down",
            "очки тих, хто спускається",
            "очки тех, кто спускается",
        ),
        Quality::NextBracket => Phrase::new(
            "the pairing of the next bracket",
            "жеребкування наступної групи",
            "жеребьёвка следующей группы",
        ),
        Quality::MissedGames => Phrase::new(
            "games missed by whoever has the bye",
            "пропущені тури того, хто отримує бай",
            "пропущенные туры того, кто получает бай",
        ),
        Quality::Imbalance => Phrase::new(
            "a colour difference above two for a top scorer or his opponent",
            "різниця кольорів понад два в лідера чи його суперника",
            "разница цветов больше двух у лидера или его соперника",
        ),
        Quality::ThirdColour => Phrase::new(
            "one colour three times running for a top scorer or his opponent",
            "той самий колір утретє поспіль у лідера чи його суперника",
            "один цвет в третий раз подряд у лидера или его соперника",
        ),
        Quality::Preference => Phrase::new(
            "players without the colour they are due",
            "учасники без належного кольору",
            "участники без положенного цвета",
        ),
        Quality::StrongPreference => Phrase::new(
            "players without a colour they are strongly due",
            "учасники без кольору, на який мають сильне право",
            "участники без цвета, на который имеют сильное право",
        ),
        Quality::DownLastRound => Phrase::new(
            "players moved down as in the last round",
            "спуск, як і в минулому турі",
            "спуск, как и в прошлом туре",
        ),
        Quality::UpLastRound => Phrase::new(
            "opponents from above as in the last round",
            "суперник згори, як і в минулому турі",
            "соперник сверху, как и в прошлом туре",
        ),
        Quality::DownTwoAgo => Phrase::new(
            "players moved down as two rounds ago",
            "спуск, як і два тури тому",
            "спуск, как и два тура назад",
        ),
        Quality::UpTwoAgo => Phrase::new(
            "opponents from above as two rounds ago",
            "суперник згори, як і два тури тому",
            "соперник сверху, как и два тура назад",
        ),
        Quality::DownDifference | Quality::DownDifferenceTwoAgo => Phrase::new(
            "score differences of players moved down again",
            "різниця очок у тих, хто спускається знову",
            "разница очков у тех, кто спускается снова",
        ),
        Quality::UpDifference | Quality::UpDifferenceTwoAgo => Phrase::new(
            "score differences of players with an opponent from above again",
            "різниця очок у тих, хто знову має суперника згори",
            "разница очков у тех, у кого снова соперник сверху",
        ),
    }
}

/// The articles under the two texts.
pub(super) struct Articles {
    /// No rematch.
    pub(super) met: &'static str,
    pub(super) bye: &'static str,
    pub(super) same_colour: &'static str,
    pub(super) no_opponent: &'static str,
    pub(super) complete: &'static str,
    pub(super) lowest: &'static str,
    pub(super) criteria: &'static str,
    pub(super) candidate: &'static str,
    pub(super) transposition: &'static str,
    pub(super) exchange: &'static str,
    pub(super) order: &'static str,
    pub(super) colours: [&'static str; 5],
}

pub(super) const fn articles(rules: Rules) -> Articles {
    match rules {
        Rules::Fide2026 => Articles {
            met: "C1",
            bye: "C2",
            same_colour: "C3",
            no_opponent: "C1, C3",
            complete: "C4, C8",
            lowest: "C5",
            criteria: "C4 – C21",
            candidate: "3",
            transposition: "4.2",
            exchange: "4.3",
            order: "4",
            colours: ["5.2.1", "5.2.2", "5.2.3", "5.2.4", "5.2.5"],
        },
        Rules::Fide2017 => Articles {
            met: "C.1",
            bye: "C.2",
            same_colour: "C.3",
            no_opponent: "C.1, C.3",
            complete: "C.4, C.7",
            lowest: "C.2, C.4",
            criteria: "C.4 – C.19",
            candidate: "B.3",
            transposition: "D.1",
            exchange: "D.2",
            order: "D",
            colours: ["E.1", "E.2", "E.3", "E.4", "E.5"],
        },
    }
}
