//! What a pairing may break.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::types::{Color, PlayerNo, Points, RoundNo};

/// A rule that a pairing breaks, with what excuses it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The rule.
    pub breach: Breach,
    /// Why it may stand nevertheless.
    pub excuse: Option<Excuse>,
}

impl From<Breach> for Finding {
    fn from(breach: Breach) -> Self {
        Self {
            breach,
            excuse: None,
        }
    }
}

/// Why a rule may be broken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "excuse")]
pub enum Excuse {
    /// In the last round the limits on colours do not bind pairs with these players (C.04.3, 1.8).
    Topscorers {
        /// Who of the two has points enough.
        players: Vec<PlayerNo>,
    },
    /// An arbiter set the pair and answers for it.
    SetByArbiter,
}

/// A basic rule that is broken; `Display` says it in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "breach")]
#[non_exhaustive]
pub enum Breach {
    /// Somebody who is not entered is paired.
    Unknown {
        /// Who.
        player: PlayerNo,
    },
    /// Somebody who is absent or has left is paired, or has the bye.
    NotThere {
        /// Who.
        player: PlayerNo,
        /// He has left the event.
        withdrawn: bool,
    },
    /// A player has several places in the round.
    Repeated {
        /// Who.
        player: PlayerNo,
        /// How many.
        times: u16,
    },
    /// A player who is there has no place in the round.
    Missing {
        /// Who.
        player: PlayerNo,
    },
    /// A player is paired with himself.
    AgainstHimself {
        /// Who.
        player: PlayerNo,
    },
    /// Two meet more often than they may.
    Rematch {
        /// White.
        white: PlayerNo,
        /// Black.
        black: PlayerNo,
        /// When they met last.
        before: RoundNo,
        /// How often they have met.
        times: u16,
    },
    /// Two meet whom the event keeps apart.
    Forbidden {
        /// White.
        white: PlayerNo,
        /// Black.
        black: PlayerNo,
        /// From which round.
        first: RoundNo,
        /// To which; `None` = to the end.
        last: Option<RoundNo>,
    },
    /// A pair that an arbiter set is not there, or has the colours turned.
    FixedPairMissing {
        /// White.
        white: PlayerNo,
        /// Black.
        black: PlayerNo,
    },
    /// A third game running with one colour.
    ThirdColour {
        /// Who.
        player: PlayerNo,
        /// The colour.
        #[serde(with = "crate::types::color")]
        colour: Color,
    },
    /// The colour difference leaves ±2.
    ColourDifference {
        /// Who.
        player: PlayerNo,
        /// Whites minus Blacks with this round.
        difference: i32,
    },
    /// Turned round, the colours would give both what they are due.
    ColoursTurned {
        /// White.
        white: PlayerNo,
        /// Black.
        black: PlayerNo,
    },
    /// The weaker preference is granted.
    StrongerDenied {
        /// Who has the stronger preference and does not get it.
        player: PlayerNo,
        /// What he is due.
        #[serde(with = "crate::types::color")]
        due: Color,
        /// Who gets it.
        opponent: PlayerNo,
    },
    /// More than one bye.
    SeveralByes {
        /// Who.
        players: Vec<PlayerNo>,
    },
    /// A bye though the number is even.
    ByeOfEven {
        /// Who has it.
        player: PlayerNo,
        /// How many are in the round.
        paired: usize,
    },
    /// A second bye.
    SecondBye {
        /// Who.
        player: PlayerNo,
        /// When he had the first.
        round: RoundNo,
    },
    /// A bye for somebody who has scored a win without a game.
    ByeBarred {
        /// Who.
        player: PlayerNo,
        /// When.
        round: RoundNo,
        /// What that round brought.
        points: Points,
    },
}

impl Breach {
    /// The article that is broken.
    pub const fn article(&self) -> &'static str {
        match self {
            Self::Unknown { .. } => "C.04.2, 2.4",
            Self::NotThere {
                withdrawn: true, ..
            } => "C.04.2, 3.2",
            Self::NotThere { .. } => "C.04.2, 3.3",
            Self::Repeated { .. } | Self::Missing { .. } | Self::AgainstHimself { .. } => {
                "C.04.1, 3"
            }
            Self::Rematch { .. } => "C.04.1, 2",
            Self::Forbidden { .. } | Self::FixedPairMissing { .. } => "event rules",
            Self::ThirdColour { .. } => "C.04.1, 7",
            Self::ColourDifference { .. } => "C.04.1, 6",
            Self::ColoursTurned { .. } | Self::StrongerDenied { .. } => "C.04.1, 8",
            Self::SeveralByes { .. } | Self::ByeOfEven { .. } => "C.04.1, 3",
            Self::SecondBye { .. } | Self::ByeBarred { .. } => "C.04.1, 4",
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.breach, self.breach.article())?;
        match &self.excuse {
            None => f.write_str("."),
            Some(Excuse::SetByArbiter) => f.write_str("; an arbiter set this pair."),
            Some(Excuse::Topscorers { players }) => {
                f.write_str("; allowed in the last round, because of the points of ")?;
                for (at, player) in players.iter().enumerate() {
                    if at > 0 {
                        f.write_str(" and ")?;
                    }
                    player.fmt(f)?;
                }
                f.write_str(".")
            }
        }
    }
}

const fn name(colour: Color) -> &'static str {
    match colour {
        Color::White => "White",
        Color::Black => "Black",
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { player } => write!(f, "{player} is paired, but is not entered"),
            Self::NotThere {
                player,
                withdrawn: true,
            } => write!(f, "{player} is paired, but has left the event"),
            Self::NotThere { player, .. } => {
                write!(f, "{player} is paired, but is absent in this round")
            }
            Self::Repeated { player, times } => {
                write!(f, "{player} stands {times} times in this round")
            }
            Self::Missing { player } => {
                write!(
                    f,
                    "{player} is there, but has neither an opponent nor the bye"
                )
            }
            Self::AgainstHimself { player } => write!(f, "{player} is paired with himself"),
            Self::Rematch {
                white,
                black,
                before,
                times: 1,
            } => write!(f, "{white} and {black} have met before, in round {before}"),
            Self::Rematch {
                white,
                black,
                before,
                times,
            } => write!(
                f,
                "{white} and {black} have met {times} times before, last in round {before}"
            ),
            Self::Forbidden {
                white,
                black,
                first,
                last,
            } => {
                write!(
                    f,
                    "{white} and {black} must not meet in rounds from {first} "
                )?;
                match last {
                    Some(last) => write!(f, "to {last}"),
                    None => f.write_str("on"),
                }
            }
            Self::FixedPairMissing { white, black } => write!(
                f,
                "{white} (White) against {black} (Black) was set by an arbiter and is not there"
            ),
            Self::ThirdColour { player, colour } => {
                write!(
                    f,
                    "{player} has {} for the third time running",
                    name(*colour)
                )
            }
            Self::ColourDifference { player, difference } => write!(
                f,
                "{player} has {} {} more than {}",
                difference.abs(),
                name(if *difference > 0 {
                    Color::White
                } else {
                    Color::Black
                }),
                name(if *difference > 0 {
                    Color::Black
                } else {
                    Color::White
                }),
            ),
            Self::ColoursTurned { white, black } => write!(
                f,
                "{white} (White) and {black} (Black) would both get the colour that they are due \
                 the other way round"
            ),
            Self::StrongerDenied {
                player,
                due,
                opponent,
            } => write!(
                f,
                "{player} is due {} more than {opponent}, who has it",
                name(*due)
            ),
            Self::SeveralByes { players } => {
                write!(f, "{} players have the bye:", players.len())?;
                for player in players {
                    write!(f, " {player}")?;
                }
                Ok(())
            }
            Self::ByeOfEven { player, paired } => write!(
                f,
                "{player} has the bye although the number in the round, {paired}, is even"
            ),
            Self::SecondBye { player, round } => {
                write!(f, "{player} has the bye again after round {round}")
            }
            Self::ByeBarred {
                player,
                round,
                points,
            } => write!(
                f,
                "{player} has the bye after scoring {points} without a game in round {round}"
            ),
        }
    }
}
