//! The codes of record `192`, and ours for systems that have none.
//!
//! A code of ours is `CUSTOM_`, the name, and the parameters as pairs: `CUSTOM_KNOCKOUT_GAMES_2_SEED_7`.
//! Players are not in it: sides stand as teams in the file, decisions of matches nowhere.

use super::{PairingSystem, form::FORMS};
use crate::{
    pairing::{
        swiss::dutch::Rules,
        team::{PrimaryScore, TeamPreferences},
    },
    tournament::trf::{SystemCode, SystemKind},
};

impl PairingSystem {
    /// The system that record `192` of a report file names; `None` for one that cannot be paired.
    /// A code without a year means the text in force.
    pub fn by_code(code: &SystemCode) -> Option<Self> {
        Some(match &code.system {
            SystemKind::RoundRobin { cycles } => Self::RoundRobin { cycles: *cycles },
            SystemKind::Dubov => Self::Dubov,
            SystemKind::Burstein => Self::Burstein,
            SystemKind::DoubleSwiss => Self::DoubleSwiss,
            SystemKind::Team(suffix) => by_team_suffix(suffix),
            SystemKind::Custom(text) => return by_custom(text),
            SystemKind::Dutch => Self::Dutch {
                // C.04.3 of 2026 was approved in 2025, and some write that year.
                rules: match code.edition {
                    Some(year) if year < 2025 => Rules::Fide2017,
                    Some(_) | None => Rules::Fide2026,
                },
            },
        })
    }

    /// How record `192` writes it.
    pub fn code(&self, baku: bool) -> SystemCode {
        let (system, edition) = match self {
            Self::RoundRobin { cycles } => (SystemKind::RoundRobin { cycles: *cycles }, None),
            Self::Dutch { rules } => (
                SystemKind::Dutch,
                Some(match rules {
                    Rules::Fide2026 => 2026,
                    Rules::Fide2017 => 2017,
                }),
            ),
            Self::Dubov => (SystemKind::Dubov, None),
            Self::Burstein => (SystemKind::Burstein, None),
            Self::DoubleSwiss => (SystemKind::DoubleSwiss, None),
            Self::TeamSwiss {
                preferences,
                primary,
            } => {
                let preferences = match preferences {
                    TeamPreferences::A => "TYPEA_",
                    TeamPreferences::B => "TYPEB_",
                    TeamPreferences::None => "",
                };
                let scores = match primary {
                    PrimaryScore::MatchPoints => "MP_GP",
                    PrimaryScore::GamePoints => "GP_MP",
                };
                (SystemKind::Team(format!("{preferences}{scores}")), None)
            }
            Self::Lim
            | Self::Scheveningen { .. }
            | Self::KnockOut { .. }
            | Self::Match { .. }
            | Self::MatchTournament { .. }
            | Self::TeamRoundRobin { .. } => (SystemKind::Custom(self.custom()), None),
        };
        SystemCode {
            system,
            edition,
            baku,
        }
    }

    fn custom(&self) -> String {
        let mut code = match self {
            Self::Scheveningen { .. } => "FIDE_SCHEVENINGEN".to_owned(),
            Self::TeamRoundRobin { .. } => "BERGER_TEAM_ROUNDROBIN".to_owned(),
            Self::KnockOut { .. } => "CUSTOM_KNOCKOUT".to_owned(),
            other => format!("CUSTOM_{}", other.name().replace('-', "_")),
        };
        for (key, value) in self.said(false) {
            code.extend(["_", key, "_", &value]);
        }
        code.to_ascii_uppercase()
    }
}

/// `TYPEA_MP_GP` and the like. Without a type no colour preference counts, but the bare code is
/// type A, as the programs that write it have it.
fn by_team_suffix(suffix: &str) -> PairingSystem {
    let words: Vec<&str> = suffix.split('_').filter(|word| !word.is_empty()).collect();
    if let Some(cycles) = round_robin(&words) {
        return PairingSystem::TeamRoundRobin { cycles };
    }
    let scores = words.iter().find(|word| matches!(**word, "MP" | "GP"));
    PairingSystem::TeamSwiss {
        preferences: if words.contains(&"TYPEB") {
            TeamPreferences::B
        } else if words.contains(&"TYPEA") || scores.is_none() {
            TeamPreferences::A
        } else {
            TeamPreferences::None
        },
        primary: match scores {
            Some(&"GP") => PrimaryScore::GamePoints,
            Some(_) | None => PrimaryScore::MatchPoints,
        },
    }
}

/// The cycles of `ROUNDROBIN`, `DOUBLEROUNDROBIN`, `ROUNDROBIN_G3` and `ROUNDROBIN_CYCLES_3`.
fn round_robin(words: &[&str]) -> Option<u16> {
    let (name, rest) = words.split_first()?;
    let usual = match *name {
        "ROUNDROBIN" => 1,
        "DOUBLEROUNDROBIN" => 2,
        _ => return None,
    };
    let said = rest.iter().find_map(|word| {
        let number = word.strip_prefix('G').unwrap_or(word);
        number
            .parse()
            .ok()
            .filter(|cycles| (1..=99).contains(cycles))
    });
    Some(said.unwrap_or(usual))
}

/// Codes that begin with something else than a system of their own.
fn by_custom(code: &str) -> Option<PairingSystem> {
    let words: Vec<&str> = code.split('_').filter(|word| !word.is_empty()).collect();
    let words = match words.as_slice() {
        ["CUSTOM" | "FIDE" | "BERGER", rest @ ..] => rest,
        all => all,
    };
    // TEAM stands before names of systems that teams play like players.
    if let ["TEAM", rest @ ..] = words
        && let Some(system) = by_custom(&rest.join("_"))
    {
        return Some(system.of_teams());
    }
    if let Some(cycles) = round_robin(words) {
        return Some(PairingSystem::RoundRobin { cycles });
    }
    // The longest name: MATCH_TOURNAMENT is no MATCH.
    for take in (1..=words.len().min(4)).rev() {
        let name = words[..take].concat();
        let (name, double) = match name.strip_prefix("DOUBLE") {
            Some(rest) if rest == "SCHEVENINGEN" => (rest.to_owned(), true),
            _ => (name, false),
        };
        let form = FORMS
            .iter()
            .find(|form| form.name.replace('-', "").eq_ignore_ascii_case(&name));
        let Some(form) = form else { continue };
        let mut text = form.name.to_owned();
        for (at, pair) in words[take..].chunks_exact(2).enumerate() {
            let before = if at == 0 { ':' } else { ',' };
            text.push_str(&format!("{before}{}={}", pair[0], pair[1]).to_ascii_lowercase());
        }
        return match text.parse().or_else(|_| form.name.parse()) {
            Ok(PairingSystem::Scheveningen { sides, .. }) if double => {
                Some(PairingSystem::Scheveningen { cycles: 2, sides })
            }
            other => other.ok(),
        };
    }
    code.ends_with("LIM").then_some(PairingSystem::Lim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_and_their_codes_agree() {
        for (text, written) in [
            ("dutch", "FIDE_DUTCH_2026"),
            ("dutch-2017", "FIDE_DUTCH_2017"),
            ("dubov", "FIDE_DUBOV"),
            ("burstein", "FIDE_BURSTEIN"),
            ("lim", "CUSTOM_LIM"),
            ("double-swiss", "FIDE_DOUBLESWISS"),
            ("round-robin", "BERGER_ROUNDROBIN"),
            ("round-robin:2", "BERGER_ROUNDROBIN_G2"),
            ("scheveningen", "FIDE_SCHEVENINGEN"),
            ("scheveningen:2", "FIDE_SCHEVENINGEN_CYCLES_2"),
            ("knock-out", "CUSTOM_KNOCKOUT"),
            (
                "knock-out:games=2,places=all,seed=7",
                "CUSTOM_KNOCKOUT_GAMES_2_PLACES_ALL_SEED_7",
            ),
            ("match:12", "CUSTOM_MATCH_GAMES_12"),
            (
                "match:points=6.5,most=12",
                "CUSTOM_MATCH_POINTS_6.5_MOST_12",
            ),
            ("match-tournament", "CUSTOM_MATCH_TOURNAMENT"),
            ("match-tournament:4", "CUSTOM_MATCH_TOURNAMENT_GAMES_4"),
            ("team-swiss", "FIDE_TEAM_TYPEA_MP_GP"),
            ("team-swiss:b,primary=gp", "FIDE_TEAM_TYPEB_GP_MP"),
            ("team-swiss:none", "FIDE_TEAM_MP_GP"),
            ("team-round-robin", "BERGER_TEAM_ROUNDROBIN"),
            ("team-round-robin:2", "BERGER_TEAM_ROUNDROBIN_CYCLES_2"),
        ] {
            let system: PairingSystem = text.parse().unwrap();
            for baku in [false, true] {
                let code = system.code(baku);
                let tail = if baku { "_BAKU" } else { "" };
                assert_eq!(code.to_string(), format!("{written}{tail}"));
                let again: SystemCode = code.to_string().parse().unwrap();
                assert_eq!(again.baku, baku);
                assert_eq!(
                    PairingSystem::by_code(&again),
                    Some(system.clone()),
                    "{written}"
                );
            }
        }
    }

    #[test]
    fn codes_of_others() {
        let by =
            |text: &str| PairingSystem::by_code(&text.parse().unwrap()).map(|it| it.to_string());
        for (code, system) in [
            ("FIDE_DUTCH", "dutch"),
            ("FIDE_DUTCH_2025", "dutch"),
            ("FIDE_TEAM", "team-swiss"),
            ("FIDE_TEAM_BAKU", "team-swiss"),
            ("FIDE_TEAM_MP", "team-swiss:type=none"),
            ("FIDE_TEAM_TYPEA_GP", "team-swiss:primary=gp"),
            ("FIDE_TEAM_ROUNDROBIN", "team-round-robin"),
            ("FIDE_TEAM_DOUBLEROUNDROBIN", "team-round-robin:cycles=2"),
            ("BERGER_TEAM_DOUBLEROUNDROBIN", "team-round-robin:cycles=2"),
            ("BERGER_DOUBLEROUNDROBIN", "round-robin:cycles=2"),
            ("CUSTOM_ROUNDROBIN", "round-robin"),
            ("CUSTOM_TEAM_SWISS", "team-swiss"),
            ("CUSTOM_TEAM_KNOCKOUT", "knock-out"),
            ("FIDE_DOUBLESCHEVENINGEN", "scheveningen:cycles=2"),
            ("CUSTOM_SCHEVENINGEN", "scheveningen"),
            ("CUSTOM_KNOCK_OUT", "knock-out"),
            ("CUSTOM_DOUBLESWISS", "double-swiss"),
            ("MY_LIM", "lim"),
        ] {
            assert_eq!(by(code).as_deref(), Some(system), "{code}");
        }
        assert_eq!(by("CUSTOM"), None);
        assert_eq!(by("CUSTOM_SWISS"), None);
        assert_eq!(by("CUSTOM_MATCH"), None, "nobody knows how long it is");
    }
}
