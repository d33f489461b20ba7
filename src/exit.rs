//! Why the program ended, as an exit code.

use std::process::ExitCode;

/// An error with the exit code that tells scripts and systemd what kind it is.
#[derive(Debug)]
pub struct Failure {
    /// What went wrong, with its causes.
    pub error: anyhow::Error,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Running,
    Arguments,
    Configuration,
    Taken,
    WrongResult,
    NoPairing,
    RulesBroken,
}

impl Failure {
    /// The arguments make no sense together.
    pub fn arguments(error: impl Into<anyhow::Error>) -> Self {
        Self {
            error: error.into(),
            kind: Kind::Arguments,
        }
    }

    /// The configuration, or a file that was given, is wrong.
    pub fn configuration(error: impl Into<anyhow::Error>) -> Self {
        Self {
            error: error.into(),
            kind: Kind::Configuration,
        }
    }

    /// Something that must be ours alone is taken.
    pub fn taken(error: impl Into<anyhow::Error>) -> Self {
        Self {
            error: error.into(),
            kind: Kind::Taken,
        }
    }

    /// The demo, or a check, found something wrong.
    pub fn wrong_result(error: impl Into<anyhow::Error>) -> Self {
        Self {
            error: error.into(),
            kind: Kind::WrongResult,
        }
    }

    /// The round cannot be paired: nobody is there, or no pairing is legal.
    pub fn no_pairing(error: impl Into<anyhow::Error>) -> Self {
        Self {
            error: error.into(),
            kind: Kind::NoPairing,
        }
    }

    /// A pairing that was checked breaks a rule that no pairing may break.
    pub fn rules_broken(error: impl Into<anyhow::Error>) -> Self {
        Self {
            error: error.into(),
            kind: Kind::RulesBroken,
        }
    }

    /// The exit code.
    pub fn code(&self) -> ExitCode {
        ExitCode::from(match self.kind {
            Kind::Running => 1,
            Kind::Arguments => 2,
            Kind::Configuration => 3,
            Kind::Taken => 4,
            Kind::WrongResult => 5,
            Kind::NoPairing => 6,
            Kind::RulesBroken => 7,
        })
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self {
            error,
            kind: Kind::Running,
        }
    }
}
