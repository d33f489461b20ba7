//! Tournaments in files: pair a round, check the rounds that were paired, make up a tournament.

mod check;
mod files;
mod generate;
mod pair;

use clap::{Args, ValueEnum, builder::PossibleValuesParser};
use flagfall_core::{
    pairing::swiss::dutch::Rules,
    tournament::{PairingSystem, trf::SystemCode},
    types::Color,
};

pub use check::{CheckArgs, check};
pub use generate::{GenerateArgs, generate};
pub use pair::{PairArgs, pair};

use crate::exit::Failure;

/// By which rules a file is paired, where the file does not say it or is overruled.
#[derive(Clone, Debug, Default, Args)]
pub struct Choice {
    /// The pairing system; without it the one that the file names, else dutch
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(PairingSystem::names()))]
    pub system: Option<String>,
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

impl Choice {
    /// The system to pair by.
    fn system(&self, file: Option<&SystemCode>) -> Result<PairingSystem, Failure> {
        let named = match (&self.system, file) {
            (Some(name), _) => PairingSystem::by_name(name),
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
            PairingSystem::Dutch { .. } => Ok(PairingSystem::Dutch { rules }),
            other => Err(Failure::configuration(anyhow::anyhow!(
                "--rules chooses the text of the Dutch system; this is {}",
                other.system().name()
            ))),
        }
    }
}
