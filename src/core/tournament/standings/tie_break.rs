//! A tie-break with its modifiers, as report files and settings write it.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::code::{Code, Limit, NAMES, Score, known};
use crate::tournament::pairing_system::PairingSystem;

/// A tie-break as an event lists it: `NAME[:MP|:GP][/C1][/M1][/L+1][/K3][/P][/F][/R]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct TieBreak {
    /// What is counted.
    pub code: Code,
    /// By which score of a team event; the primary one without it.
    pub score: Option<Score>,
    /// `/C1`, `/C2`: so many of the least significant values are left out.
    pub cut_low: u8,
    /// `/M1`, `/M2`: so many of the most significant ones too.
    pub cut_high: u8,
    /// `/L60`, `/L+1`, `/L-1`: whose points a Koya counts.
    pub limit: Limit,
    /// `/K3`: the divisor of a schedule strength; 0 = by the rule.
    pub divisor: u8,
    /// `/P`: forfeits count as games.
    pub forfeits_count: bool,
    /// `/F`: the last round is taken as drawn.
    pub fore: bool,
    /// `/R`: the other way round.
    pub reversed: bool,
}

impl TieBreak {
    /// Points.
    pub const POINTS: Self = Self::of(Code::Points);
    /// Sonneborn-Berger.
    pub const SONNEBORN_BERGER: Self = Self::of(Code::SonnebornBerger);
    /// Wins, played or not.
    pub const WINS: Self = Self::of(Code::Wins);
    /// Wins over the board.
    pub const GAMES_WON: Self = Self::of(Code::Won);
    /// Direct encounter.
    pub const DIRECT_ENCOUNTER: Self = Self::of(Code::DirectEncounter);

    /// The order of the rule book for a round robin (R-ST-5).
    pub const ROUND_ROBIN: [Self; 3] = [Self::SONNEBORN_BERGER, Self::WINS, Self::DIRECT_ENCOUNTER];

    /// The order of the rule book for a Swiss (R-ST-4).
    pub const SWISS: [Self; 3] = [
        Self::of(Code::Buchholz),
        Self {
            cut_low: 1,
            ..Self::of(Code::Buchholz)
        },
        Self::WINS,
    ];

    /// The order for teams after match points (R-ST-6, without the best place of a member): game points,
    /// matches won.
    pub const TEAMS: [Self; 2] = [Self::of(Code::OtherScore), Self::WINS];

    /// A code without modifiers.
    pub const fn of(code: Code) -> Self {
        Self {
            code,
            score: None,
            cut_low: 0,
            cut_high: 0,
            limit: Limit::Percent(50),
            divisor: 0,
            forfeits_count: false,
            fore: false,
            reversed: false,
        }
    }

    /// The order of the rule book where an event names none.
    pub fn usual(system: &PairingSystem) -> Vec<Self> {
        if system.is_of_teams() {
            Self::TEAMS.to_vec()
        } else if system.is_swiss() {
            Self::SWISS.to_vec()
        } else {
            Self::ROUND_ROBIN.to_vec()
        }
    }

    /// Reads a list, `BH/C1,BH,WIN`; empty places are passed over.
    ///
    /// # Errors
    /// Names the code that is not known.
    pub fn list(text: &str) -> Result<Vec<Self>, ParseTieBreakError> {
        text.split([',', ';', ' '])
            .map(str::trim)
            .filter(|code| !code.is_empty())
            .map(str::parse)
            .collect()
    }

    /// Needs teams.
    pub const fn is_of_teams(self) -> bool {
        matches!(
            self.code,
            Code::OtherScore
                | Code::ExtendedSonnebornBerger(_)
                | Code::ExtendedDirectEncounter(..)
                | Code::ScheduleStrength
                | Code::BoardCount
                | Code::TopBoards
                | Code::BottomBoards
        )
    }

    /// Is worked out among who are tied, and is a place.
    pub const fn is_place(self) -> bool {
        matches!(
            self.code,
            Code::DirectEncounter
                | Code::ExtendedDirectEncounter(..)
                | Code::TopBoards
                | Code::BottomBoards
        )
    }

    /// The low figure is the better one.
    pub const fn low_first(self) -> bool {
        let low = matches!(self.code, Code::Number | Code::BoardCount) || self.is_place();
        low != self.reversed
    }

    /// How many decimals people expect.
    pub const fn decimals(self) -> usize {
        match self.code {
            Code::SonnebornBerger
            | Code::ExtendedSonnebornBerger(_)
            | Code::OpponentsBuchholz
            | Code::ScheduleStrength => 2,
            Code::Points
            | Code::OtherScore
            | Code::Standard
            | Code::Progressive
            | Code::Koya
            | Code::Buchholz
            | Code::ForeBuchholz
            | Code::Adjusted
            | Code::ForeAdjusted
            | Code::BoardCount => 1,
            _ => 0,
        }
    }

    const fn may_cut(self) -> bool {
        matches!(
            self.code,
            Code::Buchholz
                | Code::ForeBuchholz
                | Code::OpponentsBuchholz
                | Code::SonnebornBerger
                | Code::ExtendedSonnebornBerger(_)
                | Code::OpponentsRating
                | Code::ScheduleStrength
        )
    }

    /// Reads one modifier.
    fn modify(&mut self, word: &str) -> Option<()> {
        let (kind, rest) = word.split_at_checked(1)?;
        let number = || rest.parse::<u8>().ok().filter(|_| !rest.starts_with('+'));
        let cuts = || number().filter(|cut| (1..=99).contains(cut));
        match kind {
            "C" if self.may_cut() || self.code == Code::Progressive => self.cut_low = cuts()?,
            "M" if self.may_cut() => {
                self.cut_low = cuts()?;
                self.cut_high = self.cut_low;
            }
            "L" if self.code == Code::Koya => {
                self.limit = if rest.starts_with(['+', '-']) {
                    Limit::Halves(halves(rest)?)
                } else {
                    Limit::Percent(number().filter(|percent| *percent <= 100)?)
                };
            }
            "K" if self.code == Code::ScheduleStrength => self.divisor = cuts()?,
            "P" if rest.is_empty() => self.forfeits_count = true,
            "F" if rest.is_empty() && self.may_be_fore() => self.fore = true,
            "R" if rest.is_empty() => self.reversed = true,
            _ => return None,
        }
        Some(())
    }

    const fn may_be_fore(self) -> bool {
        matches!(
            self.code,
            Code::Buchholz | Code::OpponentsBuchholz | Code::ScheduleStrength
        )
    }
}

/// `+1`, `-2`, `+0.5`: half points, or points with a decimal point.
fn halves(text: &str) -> Option<i8> {
    let Some((whole, part)) = text.split_once('.') else {
        return text.parse().ok();
    };
    let sign = if whole.starts_with('-') { -1 } else { 1 };
    let whole: i8 = whole.get(1..)?.parse().ok()?;
    let half = match part {
        "0" => 0,
        "5" => 1,
        _ => return None,
    };
    whole.checked_mul(2)?.checked_add(half)?.checked_mul(sign)
}

impl fmt::Display for TieBreak {
    /// As a report file writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES.iter().find(|(_, code)| *code == self.code);
        let name = match (self.code, self.score) {
            (Code::Points, Some(Score::Match)) => "MPTS",
            (Code::Points, Some(Score::Game)) => "GPTS",
            (Code::OtherScore, _) => "MPvGP",
            _ => name.map_or("", |(name, _)| name),
        };
        let score = self.score.filter(|_| self.code != Code::Points);
        let score = score.map_or_else(String::new, |score| format!(":{}P", score.letter()));
        let cut = match (self.cut_low, self.cut_high) {
            (0, _) => String::new(),
            (low, 0) => format!("/C{low}"),
            (low, _) => format!("/M{low}"),
        };
        let limit = match self.limit {
            Limit::Percent(50) => String::new(),
            Limit::Percent(percent) => format!("/L{percent}"),
            Limit::Halves(halves) => format!("/L{halves:+}"),
        };
        let divisor = match self.divisor {
            0 => String::new(),
            divisor => format!("/K{divisor}"),
        };
        let mut text = [name, &score, &cut, &limit, &divisor].concat();
        for (set, word) in [
            (self.forfeits_count, "/P"),
            (self.fore, "/F"),
            (self.reversed, "/R"),
        ] {
            text.push_str(if set { word } else { "" });
        }
        f.pad(&text)
    }
}

/// Not a tie-break that we know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseTieBreakError {
    /// The name is none of C.07.
    #[error("unknown tie-break \"{0}\"; known are {known}", known = known())]
    Name(String),
    /// The name is known, what follows it is not.
    #[error(
        "\"{word}\" cannot follow {name} in \"{text}\"; \
         modifiers are :MP, :GP, /C1, /M1 (sums), /L+1 (KS), /K3 (SSSC), /P, /F (BH, AOB, SSSC), /R"
    )]
    Modifier {
        /// The whole text.
        text: String,
        /// The name.
        name: String,
        /// What is not known.
        word: String,
    },
}

impl FromStr for TieBreak {
    type Err = ParseTieBreakError;

    /// In any case; `BH-C1` as well as `BH/C1`.
    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let text = s.trim().to_ascii_uppercase();
        let mut words = text.split('/');
        let mut head = words.next().unwrap_or_default();
        let mut first = None;
        if let Some((name, modifier)) = head.split_once('-') {
            (head, first) = (name, Some(modifier));
        }
        let (name, score) = match head.split_once(':') {
            Some((name, score)) => (name, Some(score)),
            None => (head, None),
        };
        let found = NAMES.iter().find(|(known, _)| *known == name);
        let Some(&(known, code)) = found else {
            return Err(ParseTieBreakError::Name(s.trim().to_owned()));
        };
        let wrong = |word: &str| ParseTieBreakError::Modifier {
            text: s.trim().to_owned(),
            name: known.to_owned(),
            word: word.to_owned(),
        };
        let mut tie_break = Self::of(code);
        tie_break.score = match (known, score) {
            ("MPTS" | "MP", None) => Some(Score::Match),
            ("GPTS" | "GP", None) => Some(Score::Game),
            (_, None) => None,
            (_, Some(word)) => match (word, code) {
                ("MP", _) => Some(Score::Match),
                ("GP", _) => Some(Score::Game),
                (pair, Code::ExtendedSonnebornBerger(_)) => {
                    let mut letters = pair.chars().map(Score::from_letter);
                    let both = (letters.next().flatten(), letters.next().flatten());
                    let (Some(opponent), Some(own)) = both else {
                        return Err(wrong(word));
                    };
                    tie_break.code = Code::ExtendedSonnebornBerger(Some((opponent, own)));
                    None
                }
                _ => return Err(wrong(word)),
            },
        };
        for word in first.into_iter().chain(words) {
            tie_break.modify(word).ok_or_else(|| wrong(word))?;
        }
        Ok(tie_break)
    }
}

impl From<TieBreak> for String {
    fn from(tie_break: TieBreak) -> Self {
        tie_break.to_string()
    }
}

impl TryFrom<String> for TieBreak {
    type Error = ParseTieBreakError;

    fn try_from(s: String) -> Result<Self, Self::Error> {
        s.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_survives_its_text() {
        for (name, code) in NAMES {
            let read: TieBreak = name.parse().unwrap();
            assert_eq!(read.code, code, "{name}");
            assert_eq!(read.to_string().parse(), Ok(read), "{name}");
            assert_eq!(name.to_lowercase().parse(), Ok(read));
        }
    }

    #[test]
    fn modifiers() {
        for (text, written) in [
            ("BH/C1", "BH/C1"),
            ("bh-c2", "BH/C2"),
            ("BH:MP/M1", "BH:MP/M1"),
            ("BH:GP/C1/P", "BH:GP/C1/P"),
            ("PTS:GP", "GPTS"),
            ("mpvgp", "MPvGP"),
            ("KS/L+2", "KS/L+2"),
            ("KS/L-0.5", "KS/L-1"),
            ("KS/L60", "KS/L60"),
            ("SSSC/K3/F", "SSSC/K3/F"),
            ("TPN/R", "TPN/R"),
            ("ESB:MG", "EMGSB"),
            ("GE", "REP"),
            ("EDET/P", "EDET/P"),
        ] {
            let read: TieBreak = text.parse().unwrap();
            assert_eq!(read.to_string(), written, "{text}");
            let json = serde_json::to_string(&read).unwrap();
            assert_eq!(serde_json::from_str::<TieBreak>(&json).unwrap(), read);
        }
        for bad in [
            "", "BHX", "BH/C0", "BH/C", "BH/X", "BH:XP", "WIN/C1", "BH/L+1", "KS/L", "DE/F",
            "BH/C+1", "PS/M1", "BH/", "ESB:M", "BH/€",
        ] {
            assert!(bad.parse::<TieBreak>().is_err(), "{bad}");
        }
        let list = TieBreak::list(" BH/C1, BH,,WIN").unwrap();
        assert_eq!(list.len(), 3);
        let error = TieBreak::list("BH,SONNE").unwrap_err().to_string();
        assert!(
            error.contains("SONNE") && error.contains("MPVGP"),
            "{error}"
        );
    }
}
