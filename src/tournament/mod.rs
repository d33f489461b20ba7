//! Tournaments in files: pair a round, check the rounds that were paired, the
//! standings, make up a tournament.

mod check;
mod draw;
mod files;
mod generate;
mod pair;
mod players;
mod standings;
mod teams;

use clap::{Args, ValueEnum};
use flagfall_core::{
    pairing::{
        swiss::dutch::Rules,
        team::{PrimaryScore, TeamPreferences},
    },
    tournament::{
        PairingSystem, SystemError,
        trf::{Document, Request, SystemCode},
    },
    types::Color,
};

pub use check::{CheckArgs, check};
pub use draw::{DrawArgs, draw};
pub use generate::{GenerateArgs, generate};
pub use pair::{PairArgs, pair};
pub use players::{PlayersArgs, players};
pub use standings::{StandingsArgs, print as standings};

use crate::exit::Failure;

/// By which rules a file is paired, where the file does not say it or is overruled.
#[derive(Clone, Debug, Default, Args)]
pub struct Choice {
    /// The pairing system, e.g. dutch, round-robin:2 or knock-out:games=2; without it the one that
    /// the file names, else dutch, or team-swiss for teams
    #[arg(long, value_name = "NAME[:…]", value_parser = read_system)]
    pub system: Option<PairingSystem>,
    /// The rule book of the Dutch system, where the name or the file does not say it
    #[arg(long, value_enum, value_name = "YEAR")]
    pub rules: Option<RuleBook>,
    /// The colour of number 1 in round 1, where the file does not say it; white without this
    #[arg(long, value_enum, value_name = "COLOUR")]
    pub initial_colour: Option<Side>,
}

/// A rule book of the Dutch system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RuleBook {
    /// In force since 1 February 2026
    #[value(name = "2026")]
    Fide2026,
    /// In force until 31 January 2026
    #[value(name = "2017")]
    Fide2017,
}

/// A colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Side {
    /// White
    White,
    /// Black
    Black,
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Self::White,
            Side::Black => Self::Black,
        }
    }
}

/// Reads `NAME:KEY=VALUE,…`.
fn read_system(text: &str) -> Result<PairingSystem, SystemError> {
    text.parse()
}

/// The systems with their parameters, behind the examples of a command's help.
fn help_with_systems(text: &str) -> String {
    format!("{text}\n\n{}", flagfall_core::tournament::system_help())
}

impl Choice {
    /// The system to pair by, as it is named.
    fn system(&self, file: Option<&SystemCode>) -> Result<PairingSystem, Failure> {
        let named = match (&self.system, file) {
            (Some(system), _) => Some(system.clone()),
            (None, None) => PairingSystem::by_name("dutch"),
            (None, Some(code)) => PairingSystem::by_code(code),
        };
        let Some(system) = named else {
            let code = file.map(ToString::to_string).unwrap_or_default();
            return Err(Failure::configuration(anyhow::anyhow!(
                "the file is of a system that cannot be paired here: {code}; name one with \
                 --system: {}",
                PairingSystem::names().join(", ")
            )));
        };
        let rules = match self.rules {
            None => return Ok(system),
            Some(RuleBook::Fide2026) => Rules::Fide2026,
            Some(RuleBook::Fide2017) => Rules::Fide2017,
        };
        match system {
            PairingSystem::Dutch { rules: named }
                if self.system.is_some() && named == Rules::Fide2017 && rules != named =>
            {
                Err(Failure::arguments(anyhow::anyhow!(
                    "--system dutch-2017 and --rules 2026 name two texts; leave one out"
                )))
            }
            PairingSystem::Dutch { .. } => Ok(PairingSystem::Dutch { rules }),
            other => Err(Failure::arguments(anyhow::anyhow!(
                "--rules chooses the text of the Dutch system; this is {}",
                other.name()
            ))),
        }
    }

    /// The system to pair a request by, with the sides that the teams of the file are, and for teams
    /// where the request is of teams.
    fn system_of(&self, document: &Document, request: &Request) -> Result<PairingSystem, Failure> {
        let teams = request.teams.is_some();
        let said = self.system.is_some() || self.rules.is_some() || request.system.is_some();
        let system = match self.system(request.system.as_ref())? {
            PairingSystem::Dutch { .. } if teams && !said => PairingSystem::TeamSwiss {
                preferences: TeamPreferences::default(),
                primary: PrimaryScore::default(),
            },
            PairingSystem::Scheveningen {
                cycles,
                sides: None,
            } => PairingSystem::Scheveningen {
                cycles,
                sides: document.sides(request),
            },
            other if teams => other.of_teams(),
            other => other,
        };
        let single = (system.is_swiss() && !system.is_of_teams())
            || matches!(system, PairingSystem::Scheveningen { .. });
        match (teams, system.is_of_teams()) {
            (true, _) if single => Err(Failure::configuration(anyhow::anyhow!(
                "the file is of a team event, {} pairs players one by one: say --system team-swiss \
                 or team-round-robin",
                system.name()
            ))),
            (false, true) => Err(Failure::configuration(anyhow::anyhow!(
                "{} pairs teams, and players are asked for; say --system {}",
                system.name(),
                if system.is_swiss() {
                    "dutch"
                } else {
                    "round-robin"
                }
            ))),
            _ => Ok(system),
        }
    }
}
