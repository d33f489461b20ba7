//! Why a pair of a particular format is as it is (R-PR-4).

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::types::{PlayerNo, Points};

/// The rule of a format that decided, as data; `Display` makes it a sentence.
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

impl fmt::Display for UpfloatSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.article())
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

impl fmt::Display for FormatReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scheveningen {
                white,
                black,
                white_first_side,
                table_round,
                cycle,
            } => {
                let (own, other) = if *white_first_side {
                    ("first", "second")
                } else {
                    ("second", "first")
                };
                write!(
                    f,
                    "Everybody meets everybody of the other side: the table pairs number {white} of \
                     the {own} side (White) with number {black} of the {other} (Black) in its \
                     round {table_round}"
                )?;
                if *cycle > 1 {
                    write!(f, "; this is cycle {cycle}")?;
                    if cycle % 2 == 0 {
                        f.write_str(", with the colours reversed")?;
                    }
                }
                f.write_str(".")
            }
            Self::MatchGame { game: 1, .. } => {
                f.write_str("The first game of the match; the lot gave the colours.")
            }
            Self::MatchGame { game, reversed } => {
                write!(f, "Game {game} of the match; the colours alternate")?;
                if *reversed {
                    f.write_str(" and were turned at half-time")?;
                }
                f.write_str(".")
            }
            Self::MatchTournament {
                table_round,
                game,
                games,
                cycle,
            } => {
                write!(
                    f,
                    "Game {game} of {games} of the match that the Berger table gives in its round \
                     {table_round}"
                )?;
                if *cycle > 1 {
                    write!(f, " of cycle {cycle}")?;
                }
                f.write_str("; the colours alternate within the match.")
            }
            Self::KnockOut {
                stage,
                first_place,
                last_place,
                white_seed,
                black_seed,
                game,
                colour,
            } => {
                write!(
                    f,
                    "Stage {stage} of the knock-out pairs seed {white_seed} (White) with seed \
                     {black_seed} (Black)"
                )?;
                if *first_place > 1 {
                    write!(f, " for places {first_place} to {last_place}")?;
                }
                if *game > 1 {
                    write!(f, ", game {game}")?;
                }
                write!(f, "; {colour}.")
            }
            Self::Upfloat {
                system,
                bracket,
                group,
                upfloater,
                colour,
            } => {
                match upfloater {
                    None => write!(f, "Both have {bracket}")?,
                    Some(Upfloater {
                        player,
                        score,
                        passed_over,
                    }) => {
                        let why = if group % 2 == 1 {
                            "is odd"
                        } else {
                            "could not be paired within itself"
                        };
                        write!(
                            f,
                            "The group of {bracket} points, {group} strong, {why}, so {player} with \
                             {score} came up"
                        )?;
                        if !passed_over.is_empty() {
                            f.write_str(" (")?;
                            list(f, passed_over)?;
                            f.write_str(" would have kept the criteria C3 to C7 less well)")?;
                        }
                    }
                }
                write!(
                    f,
                    "; of the pairings that are best by the criteria this is the first \
                     ({system}, 3.6). {colour}."
                )
            }
            Self::UpfloatBye {
                system,
                score,
                played,
                passed_over,
            } => {
                write!(
                    f,
                    "The number is odd: the bye goes to the lowest score ({score}), then to whoever \
                     has played most ({played}), then to the largest number ({system}, 3.4)"
                )?;
                if !passed_over.is_empty() {
                    f.write_str("; before him came ")?;
                    list(f, passed_over)?;
                    f.write_str(", who may not have it or without whom the rest cannot be paired")?;
                }
                f.write_str(".")
            }
            Self::Repaired {
                white_kept,
                black_kept,
            } => {
                f.write_str("Both were without an opponent after the change")?;
                match (white_kept, black_kept) {
                    (true, true) => f.write_str("; both keep their colours."),
                    (true, false) => f.write_str("; White keeps the published colour."),
                    (false, true) => f.write_str("; Black keeps the published colour."),
                    (false, false) => {
                        f.write_str("; the number of the higher ranked gives the colours.")
                    }
                }
            }
            Self::RepairedBye => f.write_str(
                "The number is odd after the change: the lowest ranked of those without an \
                 opponent has the bye.",
            ),
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, players: &[PlayerNo]) -> fmt::Result {
    for (at, player) in players.iter().enumerate() {
        if at > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{player}")?;
    }
    Ok(())
}

impl fmt::Display for LotColour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Alternate => f.write_str("both alternate their colours"),
            Self::AlternateOne => f.write_str("the one who has played alternates his colour"),
            Self::Balance => {
                f.write_str("both are due the same colour, who had it less often gets it")
            }
            Self::Lot { seed } => write!(f, "the colours are by lot (seed {seed})"),
            Self::LaterGame => f.write_str("the colours alternate within the match"),
        }
    }
}

impl fmt::Display for TeamColourRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InitialColour => {
                "Neither has played: an odd number of the higher ranked gets the initial colour (4.3.1)"
            }
            Self::Granted => "The colour preferences agree and are granted",
            Self::StrongOnly => "Only one preference is strong, it is granted",
            Self::FewerWhites => "Who had White less often gets it",
            Self::LastDifference => {
                "The colours turn round against the last round in which they differed"
            }
            Self::FirstPreference => "The higher ranked gets the preferred colour",
            Self::FirstAlternates => "The higher ranked alternates",
            Self::OtherAlternates => "The lower ranked alternates",
        })
    }
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
            reason.to_string(),
            "The group of 2 points, 5 strong, is odd, so 7 with 1½ came up (4, 5 would have kept the \
             criteria C3 to C7 less well); of the pairings that are best by the criteria this is the \
             first (C.04.5, 3.6). Who had White less often gets it."
        );
    }
}
