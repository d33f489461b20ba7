//! The kind of event as record `192` writes it.

use std::{fmt, str::FromStr};

/// A code like `FIDE_DUTCH_2026_BAKU`. Written again as read, but for what we do not understand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemCode {
    /// The system.
    pub system: SystemKind,
    /// The year of the text, where the code says it (`FIDE_DUTCH_2017`).
    pub edition: Option<u16>,
    /// Baku acceleration (C.04.7).
    pub baku: bool,
}

/// The system of a [`SystemCode`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SystemKind {
    /// `FIDE_DUTCH`.
    Dutch,
    /// `FIDE_DUBOV`.
    Dubov,
    /// `FIDE_BURSTEIN`.
    Burstein,
    /// `FIDE_DOUBLESWISS`.
    DoubleSwiss,
    /// `FIDE_TEAM` with its suffixes but for Baku, e.g. `TYPEA_MP_GP`.
    Team(String),
    /// `BERGER_ROUNDROBIN`, `FIDE_ROUNDROBIN`, `FIDE_DOUBLEROUNDROBIN`.
    RoundRobin {
        /// How often everybody meets everybody.
        cycles: u16,
    },
    /// Anything else, e.g. `CUSTOM_LIM`; in upper case.
    Custom(String),
}

impl SystemKind {
    /// Whether a Lim Swiss is meant, for which the standard has no code.
    pub fn is_lim(&self) -> bool {
        matches!(self, Self::Custom(code) if code.ends_with("LIM"))
    }
}

impl FromStr for SystemCode {
    type Err = std::convert::Infallible;

    /// Never fails: what is not known is [`SystemKind::Custom`]. Suffixes that are not known are
    /// passed over.
    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let code = s.trim().to_ascii_uppercase().replace(['-', ' '], "_");
        let words: Vec<&str> = code.split('_').collect();
        let (system, suffixes) = match words.as_slice() {
            ["FIDE", "DUTCH", rest @ ..] => (SystemKind::Dutch, rest),
            ["FIDE", "DUBOV", rest @ ..] => (SystemKind::Dubov, rest),
            ["FIDE", "BURSTEIN", rest @ ..] => (SystemKind::Burstein, rest),
            ["FIDE", "DOUBLESWISS", rest @ ..] => (SystemKind::DoubleSwiss, rest),
            ["FIDE", "TEAM", rest @ ..] => {
                let kept: Vec<&str> = rest
                    .iter()
                    .copied()
                    .filter(|word| *word != "BAKU")
                    .collect();
                (SystemKind::Team(kept.join("_")), rest)
            }
            ["FIDE", "DOUBLEROUNDROBIN", rest @ ..] => (SystemKind::RoundRobin { cycles: 2 }, rest),
            ["FIDE" | "BERGER", "ROUNDROBIN", rest @ ..] => {
                let cycles = rest
                    .iter()
                    .find_map(|word| word.strip_prefix('G')?.parse().ok())
                    .filter(|&cycles| cycles > 0)
                    .unwrap_or(1);
                (SystemKind::RoundRobin { cycles }, rest)
            }
            [name @ .., "BAKU"] => (SystemKind::Custom(name.join("_")), &["BAKU"] as &[&str]),
            _ => (SystemKind::Custom(code.clone()), &[] as &[&str]),
        };
        Ok(Self {
            edition: suffixes.iter().find_map(|word| {
                word.parse()
                    .ok()
                    .filter(|year| (1990..=2999).contains(year))
            }),
            baku: suffixes.contains(&"BAKU"),
            system,
        })
    }
}

impl fmt::Display for SystemCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.system {
            SystemKind::Dutch => f.write_str("FIDE_DUTCH")?,
            SystemKind::Dubov => f.write_str("FIDE_DUBOV")?,
            SystemKind::Burstein => f.write_str("FIDE_BURSTEIN")?,
            SystemKind::DoubleSwiss => f.write_str("FIDE_DOUBLESWISS")?,
            SystemKind::Team(suffix) if suffix.is_empty() => f.write_str("FIDE_TEAM")?,
            SystemKind::Team(suffix) => write!(f, "FIDE_TEAM_{suffix}")?,
            SystemKind::RoundRobin { cycles: 1 } => f.write_str("BERGER_ROUNDROBIN")?,
            SystemKind::RoundRobin { cycles } => write!(f, "BERGER_ROUNDROBIN_G{cycles}")?,
            SystemKind::Custom(code) => f.write_str(code)?,
        }
        if let (Some(edition), false) = (self.edition, matches!(self.system, SystemKind::Team(_))) {
            write!(f, "_{edition}")?;
        }
        f.write_str(if self.baku { "_BAKU" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes() {
        for (text, system, edition, baku) in [
            ("FIDE_DUTCH", SystemKind::Dutch, None, false),
            ("FIDE_DUTCH_2026_BAKU", SystemKind::Dutch, Some(2026), true),
            ("FIDE_DUTCH_2017", SystemKind::Dutch, Some(2017), false),
            ("FIDE_DUBOV", SystemKind::Dubov, None, false),
            ("FIDE_BURSTEIN", SystemKind::Burstein, None, false),
            ("FIDE_DOUBLESWISS", SystemKind::DoubleSwiss, None, false),
            (
                "FIDE_TEAM_BAKU",
                SystemKind::Team(String::new()),
                None,
                true,
            ),
            (
                "FIDE_TEAM_TYPEA_MP_GP",
                SystemKind::Team("TYPEA_MP_GP".into()),
                None,
                false,
            ),
            (
                "BERGER_ROUNDROBIN",
                SystemKind::RoundRobin { cycles: 1 },
                None,
                false,
            ),
            (
                "BERGER_ROUNDROBIN_G3",
                SystemKind::RoundRobin { cycles: 3 },
                None,
                false,
            ),
            (
                "CUSTOM_LIM",
                SystemKind::Custom("CUSTOM_LIM".into()),
                None,
                false,
            ),
        ] {
            let code: SystemCode = text.parse().unwrap();
            assert_eq!(
                code,
                SystemCode {
                    system,
                    edition,
                    baku
                }
            );
            assert_eq!(code.to_string(), text);
        }
        let double: SystemCode = "FIDE_DOUBLEROUNDROBIN".parse().unwrap();
        assert_eq!(double.system, SystemKind::RoundRobin { cycles: 2 });
        let odd: SystemCode = "fide-dutch_whatever".parse().unwrap();
        assert_eq!((odd.system, odd.edition), (SystemKind::Dutch, None));
        assert!("CUSTOM_LIM".parse::<SystemCode>().unwrap().system.is_lim());
    }
}
