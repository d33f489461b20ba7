//! Restrictions announced beforehand: who must not meet when, by rule (R-PR-10).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Forbidden;
use crate::types::{PlayerNo, RoundNo};

/// In which rounds a restriction holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum InRounds {
    /// In all.
    All,
    /// In so many at the beginning.
    First {
        /// How many.
        rounds: u16,
    },
    /// In so many at the end.
    Last {
        /// How many.
        rounds: u16,
    },
    /// From one round to another, both included.
    Between {
        /// The first.
        first: RoundNo,
        /// The last.
        last: RoundNo,
    },
}

/// A rule: those who share a label must not meet in some rounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restriction {
    /// When.
    pub rounds: InRounds,
    /// The label of each player, such as his federation, club or family; players without one are
    /// free.
    pub labels: BTreeMap<PlayerNo, String>,
}

/// What a rule comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expanded {
    /// The groups, for [`Settings::forbidden`](super::Settings).
    pub forbidden: Vec<Forbidden>,
    /// Groups with more than half of the players: there the rule cannot be kept.
    pub too_large: Vec<TooLarge>,
}

/// A group with more than half of the players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TooLarge {
    /// The label.
    pub label: String,
    /// How many share it.
    pub members: usize,
    /// How many players there are.
    pub players: usize,
}

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} of {} players belong to {}: some of them will have to meet, so no legal pairing \
             exists in those rounds.",
            self.members, self.players, self.label
        )
    }
}

/// Why a rule cannot be expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RestrictionError {
    /// "The last rounds" of an event whose length is not known.
    #[error(
        "the restriction is about the last {rounds} rounds, but the number of rounds is not set; \
         set it, or name the rounds"
    )]
    RoundsUnknown {
        /// How many rounds at the end.
        rounds: u16,
    },
    /// It holds in no round.
    #[error("the restriction holds in no round: it runs from round {first} to {last}; correct it")]
    NoRound {
        /// The first round.
        first: RoundNo,
        /// The last.
        last: RoundNo,
    },
}

impl Restriction {
    /// The groups of players that the rule keeps apart, for an event of `rounds` rounds with
    /// `players` players.
    ///
    /// # Errors
    /// When it holds in no round, or counts from an end that is not known.
    pub fn expand(
        &self,
        rounds: Option<u16>,
        players: usize,
    ) -> Result<Expanded, RestrictionError> {
        let (first, last) = match self.rounds {
            InRounds::All => (RoundNo(1), rounds.map(RoundNo)),
            InRounds::First { rounds } => (RoundNo(1), Some(RoundNo(rounds))),
            InRounds::Last { rounds: own } => {
                let all = rounds.ok_or(RestrictionError::RoundsUnknown { rounds: own })?;
                let first = RoundNo((all + 1).saturating_sub(own).max(1));
                (first, Some(RoundNo(all)))
            }
            InRounds::Between { first, last } => (first, Some(last)),
        };
        if let Some(last) = last
            && last < first
        {
            return Err(RestrictionError::NoRound { first, last });
        }
        let mut groups: BTreeMap<&str, Vec<PlayerNo>> = BTreeMap::new();
        for (&player, label) in &self.labels {
            if !label.is_empty() {
                groups.entry(label).or_default().push(player);
            }
        }
        let mut expanded = Expanded::default();
        for (label, members) in groups.into_iter().filter(|(_, members)| members.len() > 1) {
            if members.len() > players.div_ceil(2) {
                expanded.too_large.push(TooLarge {
                    label: label.to_owned(),
                    members: members.len(),
                    players,
                });
            }
            expanded.forbidden.push(Forbidden {
                players: members,
                first,
                last,
            });
        }
        Ok(expanded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(rounds: InRounds, labels: &[&str]) -> Restriction {
        Restriction {
            rounds,
            labels: (1..)
                .map(PlayerNo)
                .zip(labels.iter().map(|&label| label.to_owned()))
                .collect(),
        }
    }

    #[test]
    fn the_same_federation_stays_apart_in_the_last_three_rounds() {
        let rule = rule(
            InRounds::Last { rounds: 3 },
            &["UKR", "POL", "UKR", "", "POL", "GEO", "UKR", "ARM"],
        );
        let expanded = rule.expand(Some(9), 8).unwrap();
        let groups: Vec<Vec<u16>> = expanded
            .forbidden
            .iter()
            .map(|group| group.players.iter().map(|no| no.0).collect())
            .collect();
        assert_eq!(groups, [vec![2, 5], vec![1, 3, 7]]);
        for group in &expanded.forbidden {
            let held: Vec<u16> = (1..=9).filter(|&r| group.holds_in(RoundNo(r))).collect();
            assert_eq!(held, [7, 8, 9]);
        }
        assert_eq!(expanded.too_large, []);
    }

    #[test]
    fn a_group_of_more_than_half_is_said() {
        let rule = rule(InRounds::All, &["A", "A", "A", "B"]);
        let expanded = rule.expand(None, 4).unwrap();
        assert_eq!(
            expanded.too_large[0].to_string(),
            "3 of 4 players belong to A: some of them will have to meet, so no legal pairing exists \
             in those rounds."
        );
        assert_eq!(expanded.forbidden[0].last, None);
        assert_eq!(
            rule.expand(None, 5).unwrap().too_large,
            [],
            "one has the bye"
        );
    }

    #[test]
    fn rounds_are_needed_where_the_end_counts() {
        let labels = ["A", "A"];
        assert_eq!(
            rule(InRounds::Last { rounds: 3 }, &labels).expand(None, 2),
            Err(RestrictionError::RoundsUnknown { rounds: 3 })
        );
        let all = rule(InRounds::Last { rounds: 30 }, &labels).expand(Some(9), 2);
        assert_eq!(all.unwrap().forbidden[0].first, RoundNo(1));
        let none = InRounds::Between {
            first: RoundNo(4),
            last: RoundNo(3),
        };
        assert_eq!(
            rule(none, &labels).expand(Some(9), 2),
            Err(RestrictionError::NoRound {
                first: RoundNo(4),
                last: RoundNo(3)
            })
        );
    }
}
