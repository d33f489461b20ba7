//! What a pairing may break.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    pairing::words::{self, Language},
    types::{Color, PlayerNo, Points, RoundNo},
};

/// A rule that a pairing breaks, with what excuses it; `Display` says it in English.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The rule.
    pub breach: Breach,
    /// Why it may stand nevertheless.
    pub excuse: Option<Excuse>,
}

impl Finding {
    /// A rule that must never be broken is, and nothing excuses it.
    pub const fn is_fault(&self) -> bool {
        self.excuse.is_none() && self.breach.is_absolute()
    }

    /// Renames the players, where the numbers of the pairing are not those that people know.
    #[must_use]
    pub fn renamed(mut self, name: impl Fn(PlayerNo) -> PlayerNo) -> Self {
        let mut players = self.breach.players_mut();
        if let Some(Excuse::Topscorers { players: named }) = &mut self.excuse {
            players.extend(named);
        }
        for player in players {
            *player = name(*player);
        }
        self
    }
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
    /// In the last round they do not bind players of equal score (C.04.4.3, 6).
    EqualScores,
    /// An arbiter set the pair and answers for it.
    SetByArbiter,
}

/// A basic rule that is broken.
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
    /// Whether the rule is absolute. Who of two gets the colour that both are due is not: there a
    /// system may have its own order.
    pub const fn is_absolute(&self) -> bool {
        !matches!(
            self,
            Self::ColoursTurned { .. } | Self::StrongerDenied { .. }
        )
    }

    fn players_mut(&mut self) -> Vec<&mut PlayerNo> {
        match self {
            Self::Unknown { player }
            | Self::NotThere { player, .. }
            | Self::Repeated { player, .. }
            | Self::Missing { player }
            | Self::AgainstHimself { player }
            | Self::ThirdColour { player, .. }
            | Self::ColourDifference { player, .. }
            | Self::ByeOfEven { player, .. }
            | Self::SecondBye { player, .. }
            | Self::ByeBarred { player, .. } => vec![player],
            Self::Rematch { white, black, .. }
            | Self::Forbidden { white, black, .. }
            | Self::FixedPairMissing { white, black }
            | Self::ColoursTurned { white, black } => vec![white, black],
            Self::StrongerDenied {
                player, opponent, ..
            } => vec![player, opponent],
            Self::SeveralByes { players } => players.iter_mut().collect(),
        }
    }

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
        f.write_str(&words::finding(self, Language::English))
    }
}
