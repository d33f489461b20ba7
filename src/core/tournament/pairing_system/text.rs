//! A system as text, e.g. `knock-out:games=2,places=all`.

use std::{collections::BTreeMap, fmt, str::FromStr};

use super::{
    PairingSystem, Sides,
    form::{FORMS, Form, form},
};
use crate::{
    pairing::{
        knock_out::{DecidedBy, Decision, Places},
        matches::MatchLength,
        swiss::dutch::Rules,
        team::{PrimaryScore, TeamPreferences},
    },
    types::{PlayerNo, Points},
};

/// Why a text names no system.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SystemError {
    /// No system has the name.
    #[error("there is no system \"{0}\"; there are {names}", names = names())]
    Unknown(String),
    /// A key that the system does not take.
    #[error("{system} takes no parameter \"{key}\"; {known}", known = known(system))]
    Key {
        /// The system.
        system: &'static str,
        /// The key.
        key: String,
    },
    /// A key stands twice, or a value without a key beside that key.
    #[error("{system}: \"{key}\" is said twice; remove one of them")]
    Twice {
        /// The system.
        system: &'static str,
        /// The key.
        key: &'static str,
    },
    /// A value that makes no sense.
    #[error("{system}: {key} cannot be \"{value}\"; write {form}")]
    Value {
        /// The system.
        system: &'static str,
        /// The key.
        key: &'static str,
        /// The value.
        value: String,
        /// What it may be.
        form: &'static str,
    },
    /// A match of which nobody knows the end.
    #[error(
        "a match needs to know when it ends; write e.g. match:12 (games), match:points=6.5,most=12 \
         or match:wins=6"
    )]
    Endless,
    /// A match with two ends, or an option that its end does not take.
    #[error("match: {one} and {other} do not go together; remove one of them")]
    Together {
        /// One key.
        one: &'static str,
        /// The other.
        other: &'static str,
    },
}

fn names() -> String {
    FORMS.map(|form| form.name).join(", ")
}

fn known(system: &str) -> String {
    let parameters = form(system).map_or(&[] as &[_], |form| form.parameters);
    if parameters.is_empty() {
        return format!("write only {system}");
    }
    let keys: Vec<&str> = parameters.iter().map(|it| it.key).collect();
    format!("it takes {}", keys.join(", "))
}

impl FromStr for PairingSystem {
    type Err = SystemError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name.trim(), Some(rest)),
            None => (text.trim(), None),
        };
        let form = form(name).ok_or_else(|| SystemError::Unknown(name.to_owned()))?;
        let values = Values::read(form, rest)?;
        Ok(match form.name {
            "dutch" => Self::Dutch {
                rules: Rules::Fide2026,
            },
            "dutch-2017" => Self::Dutch {
                rules: Rules::Fide2017,
            },
            "dubov" => Self::Dubov,
            "burstein" => Self::Burstein,
            "lim" => Self::Lim,
            "double-swiss" => Self::DoubleSwiss,
            "scheveningen" => Self::Scheveningen {
                cycles: values.number("cycles", 99)?.unwrap_or(1),
                sides: values.read_as("sides", sides)?,
            },
            "knock-out" => Self::KnockOut {
                games: values.number("games", 99)?.unwrap_or(1),
                places: values.read_as("places", places)?.unwrap_or_default(),
                seed: values.read_as("seed", |text| text.parse().ok())?,
                decisions: values.read_as("decided", decisions)?.unwrap_or_default(),
            },
            "match" => values.a_match()?,
            "match-tournament" => Self::MatchTournament {
                games: values.number("games", 99)?.unwrap_or(2),
                cycles: values.number("cycles", 99)?.unwrap_or(1),
            },
            "team-swiss" => Self::TeamSwiss {
                preferences: values
                    .read_as("type", |text| match text {
                        "a" | "A" => Some(TeamPreferences::A),
                        "b" | "B" => Some(TeamPreferences::B),
                        "none" => Some(TeamPreferences::None),
                        _ => None,
                    })?
                    .unwrap_or_default(),
                primary: values
                    .read_as("primary", |text| match text {
                        "mp" | "MP" => Some(PrimaryScore::MatchPoints),
                        "gp" | "GP" => Some(PrimaryScore::GamePoints),
                        _ => None,
                    })?
                    .unwrap_or_default(),
            },
            "team-round-robin" => Self::TeamRoundRobin {
                cycles: values.number("cycles", 99)?.unwrap_or(1),
            },
            _ => Self::RoundRobin {
                cycles: values.number("cycles", 99)?.unwrap_or(1),
            },
        })
    }
}

/// The values of a text by key.
struct Values<'a> {
    form: &'static Form,
    by_key: BTreeMap<&'static str, &'a str>,
}

impl<'a> Values<'a> {
    fn read(form: &'static Form, text: Option<&'a str>) -> Result<Self, SystemError> {
        let mut by_key = BTreeMap::new();
        let parts = text.into_iter().flat_map(|text| text.split(','));
        for (at, part) in parts.enumerate() {
            let (key, value) = match part.split_once('=') {
                Some((key, value)) => (Some(key.trim()), value.trim()),
                None => (None, part.trim()),
            };
            let parameter = match key {
                Some(key) => form.parameters.iter().find(|it| it.key == key),
                None if at == 0 => form.parameters.first(),
                None => None,
            };
            let parameter = parameter.ok_or_else(|| SystemError::Key {
                system: form.name,
                key: key.unwrap_or(value).to_owned(),
            })?;
            if by_key.insert(parameter.key, value).is_some() {
                return Err(SystemError::Twice {
                    system: form.name,
                    key: parameter.key,
                });
            }
        }
        Ok(Self { form, by_key })
    }

    fn read_as<T>(
        &self,
        key: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, SystemError> {
        let Some(value) = self.by_key.get(key) else {
            return Ok(None);
        };
        let parameter = self.form.parameters.iter().find(|it| it.key == key);
        read(value).map(Some).ok_or_else(|| SystemError::Value {
            system: self.form.name,
            key,
            value: (*value).to_owned(),
            form: parameter.map_or("", |it| it.form),
        })
    }

    fn number(&self, key: &'static str, most: u16) -> Result<Option<u16>, SystemError> {
        self.read_as(key, |text| {
            text.parse()
                .ok()
                .filter(|number| (1..=most).contains(number))
        })
    }

    fn yes(&self, key: &'static str) -> Result<bool, SystemError> {
        let said = self.read_as(key, |text| match text {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        })?;
        Ok(said.unwrap_or(false))
    }

    fn a_match(&self) -> Result<PairingSystem, SystemError> {
        let ends = ["games", "points", "wins"];
        let mut said = ends.into_iter().filter(|key| self.by_key.contains_key(key));
        let end = said.next().ok_or(SystemError::Endless)?;
        let odd = if end == "games" { "most" } else { "all" };
        let other = said.next().or(self.by_key.contains_key(odd).then_some(odd));
        if let Some(other) = other {
            return Err(SystemError::Together { one: end, other });
        }
        let most = self.number("most", 999)?;
        let length = match end {
            "games" => MatchLength::Games {
                games: self.number("games", 999)?.unwrap_or(1),
                play_all: self.yes("all")?,
            },
            "points" => MatchLength::Points {
                points: self.read_as("points", points)?.unwrap_or_default(),
                most,
            },
            _ => MatchLength::Wins {
                wins: self.number("wins", 999)?.unwrap_or(1),
                most,
            },
        };
        Ok(PairingSystem::Match {
            length,
            second_half_reversed: self.yes("turn")?,
        })
    }
}

/// Half points of `6` or `6.5`, never 0.
fn points(text: &str) -> Option<Points> {
    let (whole, half) = match text.split_once('.') {
        Some((whole, "5")) => (whole, 1),
        Some((whole, "0")) => (whole, 0),
        Some(_) => return None,
        None => (text, 0),
    };
    let whole: u16 = whole.parse().ok().filter(|&whole| whole < 10_000)?;
    Some(Points(whole * 2 + half)).filter(|&points| points > Points::ZERO)
}

fn points_text(points: Points) -> String {
    let half = if points.0 % 2 == 1 { ".5" } else { "" };
    format!("{}{half}", points.0 / 2)
}

fn places(text: &str) -> Option<Places> {
    match text {
        "first" => Some(Places::First),
        "all" => Some(Places::All),
        number => number
            .parse()
            .ok()
            .filter(|&place| place > 0)
            .map(|place| Places::Down { place }),
    }
}

fn player(text: &str) -> Option<PlayerNo> {
    text.trim().parse().ok().filter(|&no| no > 0).map(PlayerNo)
}

/// `1-3+7`.
fn side(text: &str) -> Option<Vec<PlayerNo>> {
    let mut players = Vec::new();
    for part in text.split('+') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (player(first)?, player(last)?);
        if first > last || players.len() > 1000 {
            return None;
        }
        players.extend((first.0..=last.0).map(PlayerNo));
    }
    Some(players)
}

fn sides(text: &str) -> Option<Sides> {
    let (first, second) = text.split_once('/')?;
    Some(Sides {
        first: side(first)?,
        second: side(second)?,
    })
}

fn decisions(text: &str) -> Option<Vec<Decision>> {
    text.split('+')
        .map(|pair| {
            let (winner, loser) = pair.split_once('/')?;
            let (winner, loser) = (player(winner)?, player(loser)?);
            (winner != loser).then_some(Decision {
                stage: None,
                winner,
                loser,
                by: DecidedBy::Arbiter,
            })
        })
        .collect()
}

fn side_text(players: &[PlayerNo]) -> String {
    let mut text = String::new();
    let mut at = 0;
    while at < players.len() {
        let run = (players[at..].iter().zip(players[at].0..))
            .take_while(|(player, expected)| player.0 == *expected)
            .count();
        if !text.is_empty() {
            text.push('+');
        }
        text.push_str(&players[at].to_string());
        if run > 1 {
            text.push('-');
            text.push_str(&players[at + run - 1].to_string());
        }
        at += run;
    }
    text
}

impl fmt::Display for PairingSystem {
    /// What [`FromStr`] reads; what is as usual is left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        for (at, (key, value)) in self.said(true).into_iter().enumerate() {
            let before = if at == 0 { ':' } else { ',' };
            write!(f, "{before}{key}={value}")?;
        }
        Ok(())
    }
}

impl PairingSystem {
    /// The parameters that are not as usual. `whole` = players too, who are no matter of the kind of
    /// event.
    pub(super) fn said(&self, whole: bool) -> Vec<(&'static str, String)> {
        let mut said: Vec<(&'static str, Option<String>)> = Vec::new();
        let number = |own: u16, usual: u16| (own != usual).then(|| own.to_string());
        let yes = |own: bool| own.then(|| "yes".to_owned());
        match self {
            Self::RoundRobin { cycles } | Self::TeamRoundRobin { cycles } => {
                said.push(("cycles", number(*cycles, 1)));
            }
            Self::Scheveningen { cycles, sides } => {
                let sides = sides.as_ref().filter(|_| whole);
                said.push(("cycles", number(*cycles, 1)));
                said.push((
                    "sides",
                    sides.map(|it| format!("{}/{}", side_text(&it.first), side_text(&it.second))),
                ));
            }
            Self::KnockOut {
                games,
                places,
                seed,
                decisions,
            } => {
                let decided: Vec<String> = (decisions.iter())
                    .map(|it| format!("{}/{}", it.winner, it.loser))
                    .collect();
                said.push(("games", number(*games, 1)));
                said.push((
                    "places",
                    match places {
                        Places::First => None,
                        Places::Down { place } => Some(place.to_string()),
                        Places::All => Some("all".to_owned()),
                    },
                ));
                said.push(("seed", seed.map(|seed| seed.to_string())));
                let decided = Some(decided).filter(|it| whole && !it.is_empty());
                said.push(("decided", decided.map(|it| it.join("+"))));
            }
            Self::Match {
                length,
                second_half_reversed,
            } => {
                match length {
                    MatchLength::Games { games, play_all } => {
                        said.push(("games", Some(games.to_string())));
                        said.push(("all", yes(*play_all)));
                    }
                    MatchLength::Points { points, most } => {
                        said.push(("points", Some(points_text(*points))));
                        said.push(("most", most.map(|most| most.to_string())));
                    }
                    MatchLength::Wins { wins, most } => {
                        said.push(("wins", Some(wins.to_string())));
                        said.push(("most", most.map(|most| most.to_string())));
                    }
                }
                said.push(("turn", yes(*second_half_reversed)));
            }
            Self::MatchTournament { games, cycles } => {
                said.push(("games", number(*games, 2)));
                said.push(("cycles", number(*cycles, 1)));
            }
            Self::TeamSwiss {
                preferences,
                primary,
            } => {
                said.push((
                    "type",
                    match preferences {
                        TeamPreferences::A => None,
                        TeamPreferences::B => Some("b".to_owned()),
                        TeamPreferences::None => Some("none".to_owned()),
                    },
                ));
                let game_points = *primary == PrimaryScore::GamePoints;
                said.push(("primary", game_points.then(|| "gp".to_owned())));
            }
            Self::Dutch { .. } | Self::Dubov | Self::Burstein | Self::Lim | Self::DoubleSwiss => {}
        }
        said.into_iter()
            .filter_map(|(key, value)| Some((key, value?)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_read_back() {
        for text in [
            "dutch",
            "dutch-2017",
            "double-swiss",
            "round-robin",
            "round-robin:cycles=2",
            "scheveningen:cycles=2,sides=1-3+7/4-6+8",
            "knock-out:games=2,places=all,seed=18446744073709551615,decided=3/6+5/4",
            "knock-out:places=3",
            "match:games=12,all=yes,turn=yes",
            "match:points=6.5,most=12",
            "match:wins=6",
            "match-tournament:games=4,cycles=2",
            "team-swiss:type=b,primary=gp",
            "team-round-robin:cycles=2",
        ] {
            let system: PairingSystem = text.parse().unwrap();
            assert_eq!(system.to_string(), text);
            let json = serde_json::to_string(&system).unwrap();
            assert_eq!(
                serde_json::from_str::<PairingSystem>(&json).unwrap(),
                system
            );
        }
        for (short, long) in [
            ("round-robin:2", "round-robin:cycles=2"),
            ("match:12", "match:games=12"),
            ("knock-out:2,seed=5", "knock-out:games=2,seed=5"),
            ("team-swiss:b", "team-swiss:type=b"),
            (" round-robin : 3 ", "round-robin:cycles=3"),
        ] {
            let system: PairingSystem = short.parse().unwrap();
            assert_eq!(system.to_string(), long);
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_the_way_out() {
        for (text, said) in [
            (
                "swiss",
                "there is no system \"swiss\"; there are dutch, dutch-2017, ",
            ),
            (
                "dutch:2",
                "dutch takes no parameter \"2\"; write only dutch",
            ),
            ("dutch:", "dutch takes no parameter \"\"; write only dutch"),
            (
                "knock-out:rounds=3",
                "it takes games, places, seed, decided",
            ),
            ("knock-out:games=1,2", "knock-out takes no parameter \"2\""),
            ("round-robin:0", "cycles cannot be \"0\"; write 1 to 99"),
            ("round-robin:", "cycles cannot be \"\"; write 1 to 99"),
            ("round-robin:2,cycles=2", "\"cycles\" is said twice"),
            ("match", "write e.g. match:12"),
            ("match:games=4,wins=2", "games and wins do not go together"),
            ("match:games=4,most=2", "games and most do not go together"),
            ("match:wins=4,all=yes", "wins and all do not go together"),
            (
                "match:points=0",
                "points cannot be \"0\"; write like 6 or 6.5",
            ),
            ("match:points=6.25", "points cannot be \"6.25\""),
            (
                "scheveningen:sides=1-5",
                "sides cannot be \"1-5\"; write numbers like",
            ),
            ("scheveningen:sides=5-1/6-10", "sides cannot be"),
            (
                "knock-out:decided=3/3",
                "decided cannot be \"3/3\"; write winner/loser",
            ),
            ("knock-out:places=0", "write first, all or a number"),
        ] {
            let error = text.parse::<PairingSystem>().unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
