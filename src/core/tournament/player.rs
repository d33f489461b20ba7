//! Who plays.

use std::{cmp::Reverse, fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::types::PlayerNo;

/// A player of the event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// The pairing number, from 1.
    pub no: PlayerNo,
    /// The name as the entry list writes it, usually `Surname, First`.
    pub name: String,
    /// The title, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<Title>,
    /// The rating; `None` for an unrated player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<u16>,
    /// Federation, three letters as FIDE writes them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub federation: Option<String>,
    /// Birth date, or only its year.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub birth: Option<Birth>,
    /// The FIDE number, at most 11 digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fide_id: Option<u64>,
    /// Sex as the rating lists keep it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sex: Option<Sex>,
    /// Club or school.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub club: Option<String>,
}

impl Player {
    /// A player of whom only number and name are known.
    pub fn new(no: PlayerNo, name: impl Into<String>) -> Self {
        Self {
            no,
            name: name.into(),
            title: None,
            rating: None,
            federation: None,
            birth: None,
            fide_id: None,
            sex: None,
            club: None,
        }
    }
}

/// Numbers the players anew from 1 by strength: rating, title, name (C.04.2, 2.1–2.3).
pub fn number_by_strength(players: &mut [Player]) {
    players.sort_by(|a, b| {
        let key = |p: &Player| (Reverse(p.rating), p.title.is_none(), p.title);
        key(a)
            .cmp(&key(b))
            .then_with(|| a.name.cmp(&b.name))
            .then_with(|| a.no.cmp(&b.no))
    });
    for (no, player) in (1..).zip(players) {
        player.no = PlayerNo(no);
    }
}

/// FIDE titles in the order of the initial ranking (C.04.2, 2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Title {
    /// Grandmaster.
    Gm,
    /// International master.
    Im,
    /// Woman grandmaster.
    Wgm,
    /// FIDE master.
    Fm,
    /// Woman international master.
    Wim,
    /// Candidate master.
    Cm,
    /// Woman FIDE master.
    Wfm,
    /// Woman candidate master.
    Wcm,
}

impl Title {
    /// The short form, `GM`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Gm => "GM",
            Self::Im => "IM",
            Self::Wgm => "WGM",
            Self::Fm => "FM",
            Self::Wim => "WIM",
            Self::Cm => "CM",
            Self::Wfm => "WFM",
            Self::Wcm => "WCM",
        }
    }
}

impl fmt::Display for Title {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Not a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not a FIDE title (GM, IM, WGM, FM, WIM, CM, WFM, WCM)")]
pub struct ParseTitleError;

impl FromStr for Title {
    type Err = ParseTitleError;

    /// Reads any case, and the one- and two-letter forms of old TRF16 files (`g`, `wg`).
    fn from_str(s: &str) -> Result<Self, Self::Err> {
        Ok(match s.trim().to_ascii_uppercase().as_str() {
            "GM" | "G" => Self::Gm,
            "IM" | "M" => Self::Im,
            "WGM" | "WG" => Self::Wgm,
            "FM" | "F" => Self::Fm,
            "WIM" | "WM" => Self::Wim,
            "CM" | "C" => Self::Cm,
            "WFM" | "WF" => Self::Wfm,
            "WCM" | "WC" => Self::Wcm,
            _ => return Err(ParseTitleError),
        })
    }
}

/// Sex as the rating lists keep it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sex {
    /// `m` in TRF.
    Male,
    /// `w` in TRF.
    Female,
}

/// A birth date of which only the year may be known. Text: `1990` or `1990-01-02`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Birth {
    /// The year.
    pub year: i16,
    /// Month and day.
    pub month_day: Option<(i8, i8)>,
}

/// Not a birth date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not a date or a year between 1900 and 2100")]
pub struct ParseBirthError;

impl FromStr for Birth {
    type Err = ParseBirthError;

    /// Reads `1990`, `1990-01-02`, `1990/01/02`, `1990/00/00` and `02.01.1990`.
    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let parts: Vec<i16> = s
            .trim()
            .split(['-', '/', '.'])
            .map(|part| part.trim().parse().map_err(|_| ParseBirthError))
            .collect::<Result<_, _>>()?;
        let (year, month, day) = match parts[..] {
            [year] => (year, 0, 0),
            [day, month, year] if year >= 1900 => (year, month, day),
            [year, month, day] => (year, month, day),
            _ => return Err(ParseBirthError),
        };
        if !(1900..=2100).contains(&year) {
            return Err(ParseBirthError);
        }
        if month == 0 {
            return Ok(Self {
                year,
                month_day: None,
            });
        }
        let (month, day) = (month.try_into(), day.try_into());
        let (Ok(month), Ok(day)) = (month, day) else {
            return Err(ParseBirthError);
        };
        jiff::civil::Date::new(year, month, day).map_err(|_| ParseBirthError)?;
        Ok(Self {
            year,
            month_day: Some((month, day)),
        })
    }
}

impl fmt::Display for Birth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.month_day {
            None => write!(f, "{}", self.year),
            Some((month, day)) => write!(f, "{}-{month:02}-{day:02}", self.year),
        }
    }
}

impl From<Birth> for String {
    fn from(birth: Birth) -> Self {
        birth.to_string()
    }
}

impl TryFrom<String> for Birth {
    type Error = ParseBirthError;

    fn try_from(s: String) -> Result<Self, Self::Error> {
        s.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn birth_dates_in_the_forms_of_the_files() {
        for (text, shown) in [
            ("1990", "1990"),
            ("1990/00/00", "1990"),
            ("1990/01/02", "1990-01-02"),
            ("02.01.1990", "1990-01-02"),
            ("2012-02-29", "2012-02-29"),
        ] {
            assert_eq!(text.parse::<Birth>().unwrap().to_string(), shown, "{text}");
        }
        for bad in [
            "",
            "90",
            "2013-02-29",
            "1990-13-01",
            "199o",
            "1990-01",
            "1990-01-300",
        ] {
            assert_eq!(bad.parse::<Birth>(), Err(ParseBirthError), "{bad}");
        }
    }

    #[test]
    fn strength_is_rating_then_title_then_name() {
        let mut players: Vec<Player> = [
            ("C", Some(2400), None),
            ("B", Some(2400), None),
            ("A", None, Some(Title::Gm)),
        ]
        .into_iter()
        .chain([
            ("D", Some(2400), Some(Title::Fm)),
            ("E", Some(2400), Some(Title::Im)),
        ])
        .zip(1..)
        .map(|((name, rating, title), no)| Player {
            title,
            rating,
            ..Player::new(PlayerNo(no), name)
        })
        .collect();
        number_by_strength(&mut players);
        let names: Vec<_> = players.iter().map(|p| (p.no.0, p.name.as_str())).collect();
        assert_eq!(names, [(1, "E"), (2, "D"), (3, "B"), (4, "C"), (5, "A")]);
    }

    #[test]
    fn json_keeps_every_field() {
        let player = Player {
            title: Some(Title::Wgm),
            rating: Some(2310),
            federation: Some("UKR".into()),
            birth: "2001/05/06".parse().ok(),
            fide_id: Some(14_100_000),
            sex: Some(Sex::Female),
            club: Some("Авангард".into()),
            ..Player::new(PlayerNo(7), "Коваль, Олена")
        };
        let json = serde_json::to_string(&player).unwrap();
        assert!(json.contains(r#""title":"WGM","rating":2310"#), "{json}");
        assert_eq!(serde_json::from_str::<Player>(&json).unwrap(), player);
    }
}
