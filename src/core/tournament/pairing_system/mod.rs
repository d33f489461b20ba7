//! The pairing systems as data: the one place where a name of a setting, with its parameters, or a
//! code of a report file becomes a [`System`].

mod code;
mod form;
mod text;

use serde::{Deserialize, Serialize};

pub use form::{FORMS, Form, Parameter, help};
pub use text::SystemError;

use super::player::Player;
use crate::{
    pairing::{
        KnockOut, Match, MatchTournament, RoundRobin, Scheveningen, System,
        knock_out::{Decision, Places},
        matches::MatchLength,
        swiss::{
            burstein::Burstein,
            double::DoubleSwiss,
            dubov::Dubov,
            dutch::{Dutch, Rules},
            lim::Lim,
        },
        team::{PrimaryScore, TeamPreferences, TeamSwiss},
    },
    types::PlayerNo,
};

/// The pairing system of an event, as data. Its text is that of settings and the command line, e.g.
/// `round-robin:2` or `knock-out:games=2,places=all`; [`FORMS`] has all of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "name")]
#[non_exhaustive]
pub enum PairingSystem {
    /// Round robin by Berger tables.
    RoundRobin {
        /// How often everybody meets everybody.
        cycles: u16,
    },
    /// The FIDE (Dutch) Swiss.
    Dutch {
        /// The text.
        rules: Rules,
    },
    /// Dubov (C.04.4.1).
    Dubov,
    /// Burstein (C.04.4.2).
    Burstein,
    /// Lim (C.04.4.3), by our reading of what its text leaves open.
    Lim,
    /// The Double-Swiss (C.04.5): a round is a match of two games.
    DoubleSwiss,
    /// Everybody of one side meets everybody of the other.
    Scheveningen {
        /// How often.
        cycles: u16,
        /// The sides; `None` = the halves of the list, the smaller numbers first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sides: Option<Sides>,
    },
    /// Knock-out; the numbers are the seeding.
    KnockOut {
        /// How many games a match has, each in a round of its own.
        games: u16,
        /// For which places those who have lost play on.
        #[serde(default)]
        places: Places,
        /// The seed of the lots for colours; `None` = not drawn yet, counts as 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seed: Option<u64>,
        /// Matches that the points of their games left level.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        decisions: Vec<Decision>,
    },
    /// A match between two; each game is a round.
    Match {
        /// When it ends.
        length: MatchLength,
        /// The colours of the second half are turned round.
        #[serde(default)]
        second_half_reversed: bool,
    },
    /// Everybody meets everybody in a match of several games.
    MatchTournament {
        /// How many games a match has.
        games: u16,
        /// How many matches a pair plays.
        cycles: u16,
    },
    /// The Swiss of teams (C.04.6).
    TeamSwiss {
        /// Which colour preferences count.
        #[serde(default)]
        preferences: TeamPreferences,
        /// Which score pairs.
        #[serde(default)]
        primary: PrimaryScore,
    },
    /// Round robin of teams by Berger tables.
    TeamRoundRobin {
        /// How often every team meets every team.
        cycles: u16,
    },
}

/// The sides of a Scheveningen event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sides {
    /// The first, whose players alternate their colours.
    pub first: Vec<PlayerNo>,
    /// The second.
    pub second: Vec<PlayerNo>,
}

impl Sides {
    /// Two groups as sides, each in the order of its numbers, the one with the smallest number first;
    /// `None` when there are not two, or somebody stands in neither.
    pub fn of_groups(groups: &[Vec<PlayerNo>], players: &[PlayerNo]) -> Option<Self> {
        let [one, other] = groups else {
            return None;
        };
        let sorted = |group: &[PlayerNo]| {
            let mut group = group.to_vec();
            group.sort_unstable();
            group
        };
        let (one, other) = (sorted(one), sorted(other));
        let all = players
            .iter()
            .all(|no| one.contains(no) || other.contains(no));
        if !all || one.is_empty() || other.is_empty() {
            return None;
        }
        let (first, second) = if one[0] < other[0] {
            (one, other)
        } else {
            (other, one)
        };
        Some(Self { first, second })
    }

    /// The smaller half of the numbers against the larger one; `None` for an odd number.
    pub fn halves(players: &[Player]) -> Option<Self> {
        let mut numbers: Vec<PlayerNo> = players.iter().map(|player| player.no).collect();
        numbers.sort_unstable();
        if numbers.is_empty() || numbers.len() % 2 == 1 {
            return None;
        }
        let second = numbers.split_off(numbers.len() / 2);
        Some(Self {
            first: numbers,
            second,
        })
    }

    /// The two clubs of the players; `None` when there are not two, or somebody has none.
    pub fn of_clubs(players: &[Player]) -> Option<Self> {
        let mut clubs: Vec<(&str, Vec<PlayerNo>)> = Vec::new();
        for player in players {
            let club = player.club.as_deref()?;
            match clubs.iter_mut().find(|(name, _)| *name == club) {
                Some((_, members)) => members.push(player.no),
                None => clubs.push((club, vec![player.no])),
            }
        }
        let groups: Vec<Vec<PlayerNo>> = clubs.into_iter().map(|(_, members)| members).collect();
        let players: Vec<PlayerNo> = players.iter().map(|player| player.no).collect();
        Self::of_groups(&groups, &players)
    }
}

impl PairingSystem {
    /// The systems that take no parameter or can do without, and that pair any number of players for
    /// as many rounds as there are opponents.
    pub const BY_NAME: [(&'static str, Self); 6] = [
        ("round-robin", Self::RoundRobin { cycles: 1 }),
        (
            "dutch",
            Self::Dutch {
                rules: Rules::Fide2026,
            },
        ),
        (
            "dutch-2017",
            Self::Dutch {
                rules: Rules::Fide2017,
            },
        ),
        ("dubov", Self::Dubov),
        ("burstein", Self::Burstein),
        ("lim", Self::Lim),
    ];

    /// The names of all systems, without parameters.
    pub fn names() -> Vec<&'static str> {
        FORMS.iter().map(|form| form.name).collect()
    }

    /// The system of a text like `round-robin:2`; `None` where [`str::parse`] says what is wrong.
    pub fn by_name(name: &str) -> Option<Self> {
        name.parse().ok()
    }

    /// The name, without parameters.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::RoundRobin { .. } => "round-robin",
            Self::Dutch {
                rules: Rules::Fide2026,
            } => "dutch",
            Self::Dutch {
                rules: Rules::Fide2017,
            } => "dutch-2017",
            Self::Dubov => "dubov",
            Self::Burstein => "burstein",
            Self::Lim => "lim",
            Self::DoubleSwiss => "double-swiss",
            Self::Scheveningen { .. } => "scheveningen",
            Self::KnockOut { .. } => "knock-out",
            Self::Match { .. } => "match",
            Self::MatchTournament { .. } => "match-tournament",
            Self::TeamSwiss { .. } => "team-swiss",
            Self::TeamRoundRobin { .. } => "team-round-robin",
        }
    }

    /// What pairs. The secondary scores of teams belong to the history and are not in it.
    pub fn system(&self) -> Box<dyn System> {
        match self {
            Self::RoundRobin { cycles } | Self::TeamRoundRobin { cycles } => {
                Box::new(RoundRobin { cycles: *cycles })
            }
            Self::Dutch { rules } => Box::new(Dutch { rules: *rules }),
            Self::Dubov => Box::new(Dubov),
            Self::Burstein => Box::new(Burstein),
            Self::Lim => Box::new(Lim::default()),
            Self::DoubleSwiss => Box::new(DoubleSwiss),
            Self::Scheveningen { cycles, sides } => Box::new(match sides {
                Some(Sides { first, second }) => Scheveningen {
                    first: first.clone(),
                    second: second.clone(),
                    cycles: *cycles,
                },
                None => Scheveningen::halves(*cycles),
            }),
            Self::KnockOut {
                games,
                places,
                seed,
                decisions,
            } => Box::new(KnockOut {
                games: *games,
                places: *places,
                seed: seed.unwrap_or(0),
                decisions: decisions.clone(),
            }),
            Self::Match {
                length,
                second_half_reversed,
            } => Box::new(Match {
                length: *length,
                second_half_reversed: *second_half_reversed,
            }),
            Self::MatchTournament { games, cycles } => Box::new(MatchTournament {
                games: *games,
                cycles: *cycles,
            }),
            Self::TeamSwiss {
                preferences,
                primary,
            } => Box::new(TeamSwiss {
                preferences: *preferences,
                primary: *primary,
                ..TeamSwiss::default()
            }),
        }
    }

    /// What was drawn or laid down before stands where this leaves it open: sides, the seed of lots.
    #[must_use]
    pub fn settled_by(&self, held: Option<&Self>) -> Self {
        let mut settled = self.clone();
        match (&mut settled, held) {
            (Self::Scheveningen { sides, .. }, Some(Self::Scheveningen { sides: held, .. }))
                if sides.is_none() =>
            {
                sides.clone_from(held);
            }
            (Self::KnockOut { seed, .. }, Some(Self::KnockOut { seed: held, .. })) => {
                *seed = seed.or(*held);
            }
            _ => {}
        }
        settled
    }

    /// Lays down what is open before round 1: the sides are the two clubs, else the halves of the list.
    #[must_use]
    pub fn settled_for(&self, players: &[Player], new_seed: u64) -> Self {
        let mut settled = self.clone();
        match &mut settled {
            Self::Scheveningen { sides, .. } if sides.is_none() => {
                *sides = Sides::of_clubs(players).or_else(|| Sides::halves(players));
            }
            Self::KnockOut { seed, .. } => *seed = seed.or(Some(new_seed)),
            _ => {}
        }
        settled
    }

    /// The knock-out, where it is one.
    pub fn knock_out(&self) -> Option<KnockOut> {
        match self {
            Self::KnockOut {
                games,
                places,
                seed,
                decisions,
            } => Some(KnockOut {
                games: *games,
                places: *places,
                seed: seed.unwrap_or(0),
                decisions: decisions.clone(),
            }),
            _ => None,
        }
    }

    /// A Swiss: the event says how many rounds there are, and pairs are by score.
    pub const fn is_swiss(&self) -> bool {
        matches!(
            self,
            Self::Dutch { .. }
                | Self::Dubov
                | Self::Burstein
                | Self::Lim
                | Self::DoubleSwiss
                | Self::TeamSwiss { .. }
        )
    }

    /// The colour of the first player in round 1 is drawn by lot.
    pub const fn draws_initial_colour(&self) -> bool {
        self.is_swiss() || matches!(self, Self::Match { .. })
    }

    /// Pairs teams, from report files only.
    pub const fn is_of_teams(&self) -> bool {
        matches!(self, Self::TeamSwiss { .. } | Self::TeamRoundRobin { .. })
    }

    /// The same for teams: they stand in a round robin like players.
    #[must_use]
    pub fn of_teams(self) -> Self {
        match self {
            Self::RoundRobin { cycles } => Self::TeamRoundRobin { cycles },
            other => other,
        }
    }

    /// How often two players may meet; for the meetings of the standings.
    pub fn meetings(&self) -> u16 {
        match self {
            Self::RoundRobin { cycles }
            | Self::TeamRoundRobin { cycles }
            | Self::Scheveningen { cycles, .. } => *cycles,
            Self::KnockOut { games, .. } => *games,
            Self::MatchTournament { games, cycles } => games.saturating_mul(*cycles),
            Self::Match { .. } => self.system().rounds(2).unwrap_or(u16::MAX),
            Self::Dutch { .. }
            | Self::Dubov
            | Self::Burstein
            | Self::Lim
            | Self::DoubleSwiss
            | Self::TeamSwiss { .. } => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_systems_agree() {
        for form in &FORMS {
            let text = if form.name == "match" {
                "match:12"
            } else {
                form.name
            };
            let system: PairingSystem = text.parse().unwrap();
            assert_eq!(system.name(), form.name);
            let core = system.system().name();
            assert!(
                core == form.name || format!("team-{core}") == form.name,
                "{core}"
            );
            assert!(
                help().contains(&format!("\n  {} ", form.name)),
                "{}",
                help()
            );
        }
        for (name, system) in PairingSystem::BY_NAME {
            assert_eq!(PairingSystem::by_name(name), Some(system));
        }
        assert_eq!(PairingSystem::by_name("swiss"), None);
    }

    #[test]
    fn old_journals_are_read() {
        for (json, system) in [
            (r#"{"name":"round-robin","cycles":2}"#, "round-robin:2"),
            (r#"{"name":"dutch","rules":"2026"}"#, "dutch"),
            (r#"{"name":"dubov"}"#, "dubov"),
            (r#"{"name":"knock-out","games":1}"#, "knock-out"),
        ] {
            let read: PairingSystem = serde_json::from_str(json).unwrap();
            assert_eq!(Some(read), PairingSystem::by_name(system));
        }
    }

    #[test]
    fn sides_are_the_two_clubs() {
        let players = |clubs: &[Option<&str>]| -> Vec<Player> {
            (1..)
                .zip(clubs)
                .map(|(no, club)| Player {
                    club: club.map(str::to_owned),
                    ..Player::new(PlayerNo(no), "X")
                })
                .collect()
        };
        let (north, south) = (Some("North"), Some("South"));
        let sides = Sides::of_clubs(&players(&[south, north, north, south])).unwrap();
        assert_eq!(sides.first, [PlayerNo(1), PlayerNo(4)]);
        assert_eq!(sides.second, [PlayerNo(2), PlayerNo(3)]);
        assert_eq!(Sides::of_clubs(&players(&[south, north, None])), None);
        assert_eq!(
            Sides::of_clubs(&players(&[south, north, Some("East")])),
            None
        );
        assert_eq!(Sides::of_clubs(&players(&[south, south])), None);
    }
}
