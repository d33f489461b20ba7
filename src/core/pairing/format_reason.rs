//! Why a pair of a particular format is as it is (R-PR-4).

use serde::{Deserialize, Serialize};

use crate::types::{PlayerNo, Points};

/// The rule of a format that decided, as data; [`super::words`] makes it a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "format")]
#[non_exhaustive]
pub enum FormatReason {
    /// The Scheveningen table (rules 7.3).
    Scheveningen {
        /// The place of White on his side, from 1.
        white: u16,
        /// The place of Black on his side, from 1.
        black: u16,
        /// White plays for the first side.
        white_first_side: bool,
        /// The round of the table, from 1.
        table_round: u16,
        /// The cycle, from 1.
        cycle: u16,
    },
    /// The next game of a match.
    MatchGame {
        /// Which, from 1.
        game: u16,
        /// The colours turned at half-time.
        reversed: bool,
    },
    /// A game of a match in a match tournament.
    MatchTournament {
        /// The round of the Berger table, from 1.
        table_round: u16,
        /// The game of the match, from 1.
        game: u16,
        /// How many games a match has.
        games: u16,
        /// The cycle, from 1.
        cycle: u16,
    },
    /// A pair of the knock-out bracket.
    KnockOut {
        /// The stage, from 1.
        stage: u16,
        /// The best place that the two play for.
        first_place: u16,
        /// The worst.
        last_place: u16,
        /// White's place in the order of the numbers, from 1.
        white_seed: u16,
        /// Black's.
        black_seed: u16,
        /// The game of the match, from 1.
        game: u16,
        /// What gave the colours.
        colour: LotColour,
    },
    /// A pair of a team or Double-Swiss (C.04.6, C.04.5).
    Upfloat {
        /// Which of the two.
        system: UpfloatSystem,
        /// The score of the bracket.
        bracket: Points,
        /// How many were left in the group of that score.
        group: u16,
        /// Who came up from below.
        upfloater: Option<Upfloater>,
        /// What gave the colours.
        colour: TeamColourRule,
    },
    /// The bye of such a system, given before anything else.
    UpfloatBye {
        /// Which of the two.
        system: UpfloatSystem,
        /// His score, the lowest from which the rest can be paired.
        score: Points,
        /// How many matches he has played.
        played: u16,
        /// Those below him in this order who may not have it, or after whose bye the others could
        /// not be paired.
        passed_over: Vec<PlayerNo>,
    },
    /// A pair that a repair makes of those who lost their opponents or came late (R-PR-8).
    Repaired {
        /// White keeps the colour that was published.
        white_kept: bool,
        /// Black keeps the colour that was published.
        black_kept: bool,
    },
    /// The bye that a repair gives: the lowest ranked of those who are without an opponent.
    RepairedBye,
}

/// Somebody who came up to complete a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Upfloater {
    /// Who.
    pub player: PlayerNo,
    /// His score.
    pub score: Points,
    /// Those who stand before him in the order of 3.5.3 and stayed, because with them a criterion
    /// from C3 to C7 would have been kept less well.
    pub passed_over: Vec<PlayerNo>,
}

/// The systems that pair by upfloaters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UpfloatSystem {
    /// The Swiss team system, C.04.6.
    Team,
    /// The Double-Swiss, C.04.5.
    DoubleSwiss,
}

impl UpfloatSystem {
    /// The chapter.
    pub const fn article(self) -> &'static str {
        match self {
            Self::Team => "C.04.6",
            Self::DoubleSwiss => "C.04.5",
        }
    }
}

/// What gives the colours in a knock-out (R-PR-9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "by")]
pub enum LotColour {
    /// Both get the other colour than last time.
    Alternate,
    /// Only one of the two has played: he gets the other colour than last time.
    AlternateOne,
    /// Both are due the same colour: who had it less often gets it.
    Balance,
    /// Level: by lot, which the seed and the two numbers repeat.
    Lot {
        /// The seed.
        seed: u64,
    },
    /// A later game of the same match: the other way round than the game before.
    LaterGame,
}

/// What gives the colours in C.04.6 and C.04.5 (article 4.3 of each).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TeamColourRule {
    /// Neither has played: the number of the first team and the lot.
    InitialColour,
    /// Only one of them has a preference, or they want different colours.
    Granted,
    /// Only one of the two preferences is strong.
    StrongOnly,
    /// Who has had White less often, compared with Black, gets it.
    FewerWhites,
    /// The other way round than in the last round in which the two differed.
    LastDifference,
    /// The first team gets what it prefers.
    FirstPreference,
    /// The first team gets the other colour than last time.
    FirstAlternates,
    /// The other team gets the other colour than last time.
    OtherAlternates,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairing::Explanation;

    #[test]
    fn reasons_survive_json() {
        for reason in [
            FormatReason::RepairedBye,
            FormatReason::MatchGame {
                game: 1,
                reversed: false,
            },
            FormatReason::KnockOut {
                stage: 1,
                first_place: 1,
                last_place: 8,
                white_seed: 1,
                black_seed: 8,
                game: 1,
                colour: LotColour::Lot { seed: u64::MAX },
            },
            FormatReason::Upfloat {
                system: UpfloatSystem::Team,
                bracket: Points(4),
                group: 2,
                upfloater: Some(Upfloater {
                    player: PlayerNo(7),
                    score: Points(3),
                    passed_over: vec![PlayerNo(5)],
                }),
                colour: TeamColourRule::Granted,
            },
        ] {
            let explanation = Explanation::Format(reason);
            let json = serde_json::to_string(&explanation).unwrap();
            assert!(json.starts_with(r#"{"rule":"format","format":"#), "{json}");
            assert_eq!(
                serde_json::from_str::<Explanation>(&json).unwrap(),
                explanation
            );
        }
    }

    #[test]
    fn an_upfloat_is_explained() {
        let reason = FormatReason::Upfloat {
            system: UpfloatSystem::DoubleSwiss,
            bracket: Points(4),
            group: 5,
            upfloater: Some(Upfloater {
                player: PlayerNo(7),
                score: Points(3),
                passed_over: vec![PlayerNo(4), PlayerNo(5)],
            }),
            colour: TeamColourRule::FewerWhites,
        };
        assert_eq!(
            Explanation::Format(reason).to_string(),
            "The group of 2 points, 5 strong, is odd, so 7 with 1½ came up (before him came 4, 5: \
             with them the criteria C3 to C7 would have been kept less well); of the pairings that \
             are best by the criteria this is the first (C.04.5, 3.6). Colours: who had White less \
             often gets it (4.3)."
        );
    }
}
