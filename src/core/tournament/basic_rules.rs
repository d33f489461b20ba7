//! The basic rules to which the rounds of an event are held.

use super::PairingSystem;
use crate::pairing::{check, swiss::dutch::Rules};

impl PairingSystem {
    /// What [`check::check`] holds its pairings to, ours and those of others.
    pub fn basic_rules(&self) -> check::Rules {
        match self {
            Self::Dutch {
                rules: Rules::Fide2026,
            } => check::Rules::DUTCH,
            Self::Dutch {
                rules: Rules::Fide2017,
            } => check::Rules::DUTCH_2017,
            Self::Dubov | Self::Burstein => check::Rules::STRICT,
            Self::Lim => check::Rules::LIM,
            Self::DoubleSwiss | Self::TeamSwiss { .. } => check::Rules::TEAMS,
            Self::RoundRobin { .. }
            | Self::Scheveningen { .. }
            | Self::KnockOut { .. }
            | Self::Match { .. }
            | Self::MatchTournament { .. }
            | Self::TeamRoundRobin { .. } => check::Rules::schedule(self.meetings()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        tournament::{
            simulate::{Plan, simulate},
            trf::ReportOptions,
        },
        types::RoundNo,
    };

    /// Whatever a system makes of byes, forfeits, withdrawals and virtual points, it keeps the rules.
    #[test]
    fn own_pairings_keep_the_basic_rules() {
        for (name, system) in PairingSystem::BY_NAME {
            for baku in [false, true] {
                if baku && !system.is_swiss() {
                    continue;
                }
                let plan = Plan {
                    players: 23,
                    rounds: 8,
                    seed: 11,
                    system: system.clone(),
                    forfeits: 5,
                    byes: if system.is_swiss() { 6 } else { 0 },
                    withdrawals: 5,
                    baku,
                };
                let document = simulate(&plan, ReportOptions::default()).unwrap();
                for round in (1..=8).map(RoundNo) {
                    let request = document.request(Some(round)).unwrap();
                    let paired = system.system().pair(&request.input).unwrap();
                    let rules = system.basic_rules();
                    let found = check::check(&request.input, &(&paired).into(), rules).unwrap();
                    let faults: Vec<_> = found.iter().filter(|it| it.is_fault()).collect();
                    assert!(faults.is_empty(), "{name} {round}: {faults:?}");
                }
            }
        }
    }
}
