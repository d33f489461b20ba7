//! What tie-breaks count, by their FIDE codes.

use serde::{Deserialize, Serialize};

/// One of the two scores of a team event; in an event of players both are the points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Score {
    /// Match points (`MP`).
    Match,
    /// Game points (`GP`).
    Game,
}

impl Score {
    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Match => Self::Game,
            Self::Game => Self::Match,
        }
    }

    pub(super) const fn letter(self) -> char {
        match self {
            Self::Match => 'M',
            Self::Game => 'G',
        }
    }

    pub(super) fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'M' => Some(Self::Match),
            'G' => Some(Self::Game),
            _ => None,
        }
    }
}

/// What decides between two teams that the direct encounter leaves level on both scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoardCheck {
    /// Board count (C.07, 12.1).
    Count,
    /// Results from the top board down (12.2).
    Top,
    /// Results without the last board, the last two, … (12.3).
    Bottom,
}

/// What a tie-break counts (C.07).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Code {
    /// `PTS`, `MPTS`, `GPTS` (also `MP`, `GP`): the score.
    Points,
    /// `MPvGP`: the score that is not the primary one.
    OtherScore,
    /// `TPN`: the pairing number, low first.
    Number,
    /// `RTNG`: the rating.
    Rating,
    /// `WIN`: rounds worth a win, played or not.
    Wins,
    /// `WON`: games won over the board.
    Won,
    /// `BPG`: games with Black.
    BlackGames,
    /// `BWG`: games won with Black.
    BlackWon,
    /// `REP` (`GE` until 2024): rounds that one elected to play.
    Elected,
    /// `STD`: the score by 1, ½, 0, whatever the event gives.
    Standard,
    /// `PS`: the sum of the scores after each round.
    Progressive,
    /// `KS`: points against those with half of the maximum (Koya).
    Koya,
    /// `BH`: the sum of the opponents' scores (Buchholz).
    Buchholz,
    /// `FB`: the same with all paired games of the last round drawn.
    ForeBuchholz,
    /// `ABH`: the own score as the opponents' Buchholz sees it (16.3).
    Adjusted,
    /// `AFB`: the same for `FB`.
    ForeAdjusted,
    /// `AOB`: the mean Buchholz of the opponents.
    OpponentsBuchholz,
    /// `SB`: each opponent's score times the points won from him (Sonneborn-Berger).
    SonnebornBerger,
    /// `ESB`, or `EMMSB`, `EMGSB`, `EGMSB`, `EGGSB` that name both scores: of the opponent, of the match.
    ExtendedSonnebornBerger(Option<(Score, Score)>),
    /// `ARO`: the mean rating of the opponents.
    OpponentsRating,
    /// `TPR`: the performance rating.
    Performance,
    /// `PTP`: the perfect performance.
    Perfect,
    /// `APRO`: the mean performance of the opponents.
    OpponentsPerformance,
    /// `APPO`: the mean perfect performance of the opponents.
    OpponentsPerfect,
    /// `DE`: the games among who are still tied.
    DirectEncounter,
    /// `EDE`, `EDEC`, `EDET`, `EDEB`, `EDEBT`, `EDEBB`: the same for teams, on both scores, then by boards.
    ExtendedDirectEncounter(Option<BoardCheck>, Option<BoardCheck>),
    /// `SSSC`: the other score, and the strength of the schedule.
    ScheduleStrength,
    /// `BC`: points times board, low first.
    BoardCount,
    /// `TBR`: the points on board 1, then 2, …
    TopBoards,
    /// `BBE`: the points without the last board, the last two, …
    BottomBoards,
}

/// The codes; of several for one thing the first is written.
pub(super) const NAMES: [(&str, Code); 44] = {
    use BoardCheck::{Bottom, Count, Top};
    use Code as C;
    use Score::{Game, Match};
    [
        ("PTS", C::Points),
        ("MPTS", C::Points),
        ("GPTS", C::Points),
        ("MP", C::Points),
        ("GP", C::Points),
        ("MPVGP", C::OtherScore),
        ("TPN", C::Number),
        ("RTNG", C::Rating),
        ("WIN", C::Wins),
        ("WON", C::Won),
        ("BPG", C::BlackGames),
        ("BWG", C::BlackWon),
        ("REP", C::Elected),
        ("GE", C::Elected),
        ("STD", C::Standard),
        ("PS", C::Progressive),
        ("KS", C::Koya),
        ("BH", C::Buchholz),
        ("FB", C::ForeBuchholz),
        ("ABH", C::Adjusted),
        ("AFB", C::ForeAdjusted),
        ("AOB", C::OpponentsBuchholz),
        ("SB", C::SonnebornBerger),
        ("ESB", C::ExtendedSonnebornBerger(None)),
        ("EMMSB", C::ExtendedSonnebornBerger(Some((Match, Match)))),
        ("EMGSB", C::ExtendedSonnebornBerger(Some((Match, Game)))),
        ("EGMSB", C::ExtendedSonnebornBerger(Some((Game, Match)))),
        ("EGGSB", C::ExtendedSonnebornBerger(Some((Game, Game)))),
        ("ARO", C::OpponentsRating),
        ("TPR", C::Performance),
        ("PTP", C::Perfect),
        ("APRO", C::OpponentsPerformance),
        ("APPO", C::OpponentsPerfect),
        ("DE", C::DirectEncounter),
        ("EDE", C::ExtendedDirectEncounter(None, None)),
        ("EDEC", C::ExtendedDirectEncounter(Some(Count), None)),
        ("EDET", C::ExtendedDirectEncounter(Some(Top), None)),
        ("EDEB", C::ExtendedDirectEncounter(Some(Bottom), None)),
        ("EDEBT", C::ExtendedDirectEncounter(Some(Count), Some(Top))),
        (
            "EDEBB",
            C::ExtendedDirectEncounter(Some(Count), Some(Bottom)),
        ),
        ("SSSC", C::ScheduleStrength),
        ("BC", C::BoardCount),
        ("TBR", C::TopBoards),
        ("BBE", C::BottomBoards),
    ]
};

/// Whose score a Koya system asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Limit {
    /// `L60`: per cent of the maximum.
    Percent(u8),
    /// `L+1`, `L-2`: half of the maximum and so many half points more or less.
    Halves(i8),
}

impl Default for Limit {
    fn default() -> Self {
        Self::Percent(50)
    }
}

/// All names, for a message.
pub(super) fn known() -> String {
    let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
    names.join(", ")
}
