//! The pairing systems by name: the one place where a name of a setting or a code of a report file
//! becomes a [`System`].

use serde::{Deserialize, Serialize};

use super::trf::{SystemCode, SystemKind};
use crate::pairing::{
    RoundRobin, System,
    swiss::{
        burstein::Burstein,
        dubov::Dubov,
        dutch::{Dutch, Rules},
        lim::Lim,
    },
};

/// The pairing system of an event, as data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
}

impl PairingSystem {
    /// The systems by the names that settings and the command line use.
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

    /// The names of [`Self::BY_NAME`].
    pub fn names() -> Vec<&'static str> {
        Self::BY_NAME.iter().map(|(name, _)| *name).collect()
    }

    /// The system of a name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::BY_NAME
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, system)| *system)
    }

    /// The system that record `192` of a report file names; `None` for one that cannot be paired.
    /// A code without a year means the text in force.
    pub fn by_code(code: &SystemCode) -> Option<Self> {
        Some(match &code.system {
            SystemKind::RoundRobin { cycles } => Self::RoundRobin { cycles: *cycles },
            SystemKind::Dubov => Self::Dubov,
            SystemKind::Burstein => Self::Burstein,
            custom if custom.is_lim() => Self::Lim,
            SystemKind::Dutch => Self::Dutch {
                // C.04.3 of 2026 was approved in 2025, and some write that year.
                rules: match code.edition {
                    Some(year) if year < 2025 => Rules::Fide2017,
                    Some(_) | None => Rules::Fide2026,
                },
            },
            _ => return None,
        })
    }

    /// How record `192` writes it.
    pub fn code(self, baku: bool) -> SystemCode {
        let (system, edition) = match self {
            Self::RoundRobin { cycles } => (SystemKind::RoundRobin { cycles }, None),
            Self::Dutch { rules } => (
                SystemKind::Dutch,
                Some(match rules {
                    Rules::Fide2026 => 2026,
                    Rules::Fide2017 => 2017,
                }),
            ),
            Self::Dubov => (SystemKind::Dubov, None),
            Self::Burstein => (SystemKind::Burstein, None),
            Self::Lim => (SystemKind::Custom("CUSTOM_LIM".to_owned()), None),
        };
        SystemCode {
            system,
            edition,
            baku,
        }
    }

    /// What pairs.
    pub fn system(self) -> Box<dyn System> {
        match self {
            Self::RoundRobin { cycles } => Box::new(RoundRobin { cycles }),
            Self::Dutch { rules } => Box::new(Dutch { rules }),
            Self::Dubov => Box::new(Dubov),
            Self::Burstein => Box::new(Burstein),
            Self::Lim => Box::new(Lim::default()),
        }
    }

    /// A Swiss: the event says how many rounds there are, and who has White first is drawn by lot.
    pub fn is_swiss(self) -> bool {
        !matches!(self, Self::RoundRobin { .. })
    }

    /// How often two players may meet; for [`super::standings::Scores::meetings`].
    pub const fn meetings(self) -> u16 {
        match self {
            Self::RoundRobin { cycles } => cycles,
            Self::Dutch { .. } | Self::Dubov | Self::Burstein | Self::Lim => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_codes_and_systems_agree() {
        for (name, system) in PairingSystem::BY_NAME {
            assert_eq!(PairingSystem::by_name(name), Some(system));
            assert_eq!(system.system().name(), name);
            for baku in [false, true] {
                let code: SystemCode = system.code(baku).to_string().parse().unwrap();
                assert_eq!(PairingSystem::by_code(&code), Some(system), "{code}");
                assert_eq!(code.baku, baku);
            }
        }
        assert_eq!(PairingSystem::by_name("swiss"), None);
    }

    #[test]
    fn a_code_without_a_year_means_the_text_in_force() {
        let by = |text: &str| PairingSystem::by_code(&text.parse().unwrap());
        assert_eq!(by("FIDE_DUTCH"), PairingSystem::by_name("dutch"));
        assert_eq!(by("FIDE_DUTCH_2025"), PairingSystem::by_name("dutch"));
        assert_eq!(by("CUSTOM"), None);
    }
}
