//! What was put right after it was public: a result, colours, who played, what the list says of a
//! player, what a missed round is worth. Each says what stood before, so that it can be taken back.

use serde::{Deserialize, Serialize};

use crate::{
    tournament::{Bye, GameResult, Player, Termination},
    types::{PlayerNo, RoundNo, TableNo},
};

/// One correction. Its number is the event's `seq`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Amendment {
    /// What.
    #[serde(flatten)]
    pub what: Amended,
    /// Who decided it.
    pub by: String,
    /// Why.
    pub note: String,
    /// The correction that it takes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reverts: Option<u64>,
}

/// What was put right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Amended {
    /// A result, also of a round that is closed.
    Result {
        /// The round.
        in_round: RoundNo,
        /// The table.
        board: TableNo,
        /// What stood; absent when there was none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<Ended>,
        /// What stands now; absent when none does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<Ended>,
    },
    /// The game was played with the colours the other way round. Each keeps his points.
    Colours {
        /// The round.
        in_round: RoundNo,
        /// The table.
        board: TableNo,
    },
    /// One played in the place of the other.
    Exchanged {
        /// The round.
        in_round: RoundNo,
        /// One.
        first: PlayerNo,
        /// The other.
        second: PlayerNo,
    },
    /// What the list says of a player. His number stays, and so do the pairings.
    Player {
        /// Who.
        player: PlayerNo,
        /// What was said.
        before: Details,
        /// What is right.
        after: Details,
    },
    /// What a round without an opponent is worth.
    Bye {
        /// The round.
        in_round: RoundNo,
        /// Who.
        player: PlayerNo,
        /// What it was worth.
        before: Bye,
        /// What it is worth.
        after: Bye,
    },
}

impl Amended {
    /// The round that it is about; none for a player.
    pub const fn round(&self) -> Option<RoundNo> {
        match self {
            Self::Result { in_round, .. }
            | Self::Colours { in_round, .. }
            | Self::Exchanged { in_round, .. }
            | Self::Bye { in_round, .. } => Some(*in_round),
            Self::Player { .. } => None,
        }
    }

    /// The table that it is about.
    pub const fn table(&self) -> Option<TableNo> {
        match self {
            Self::Result { board, .. } | Self::Colours { board, .. } => Some(*board),
            Self::Exchanged { .. } | Self::Player { .. } | Self::Bye { .. } => None,
        }
    }

    /// The players whom it names.
    pub fn players(&self) -> Vec<PlayerNo> {
        match self {
            Self::Exchanged { first, second, .. } => vec![*first, *second],
            Self::Player { player, .. } | Self::Bye { player, .. } => vec![*player],
            Self::Result { .. } | Self::Colours { .. } => Vec::new(),
        }
    }

    /// What takes it back.
    #[must_use]
    pub fn inverse(&self) -> Self {
        match self.clone() {
            Self::Result {
                in_round,
                board,
                before,
                after,
            } => Self::Result {
                in_round,
                board,
                before: after,
                after: before,
            },
            Self::Player {
                player,
                before,
                after,
            } => Self::Player {
                player,
                before: after,
                after: before,
            },
            Self::Bye {
                in_round,
                player,
                before,
                after,
            } => Self::Bye {
                in_round,
                player,
                before: after,
                after: before,
            },
            same @ (Self::Colours { .. } | Self::Exchanged { .. }) => same,
        }
    }
}

/// A result and how it came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// The result.
    pub result: GameResult,
    /// How the game ended.
    pub termination: Termination,
}

/// What the list of players says of somebody, as far as it can be put right during the event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Details {
    /// The name.
    pub name: String,
    /// The rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<u16>,
    /// The FIDE number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fide_id: Option<u64>,
    /// Club or school.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub club: Option<String>,
}

impl Details {
    /// As the list has them.
    pub fn of(player: &Player) -> Self {
        Self {
            name: player.name.clone(),
            rating: player.rating,
            fide_id: player.fide_id,
            club: player.club.clone(),
        }
    }

    /// Writes them over what the list has.
    pub fn put_into(&self, player: &mut Player) {
        player.name.clone_from(&self.name);
        player.rating = self.rating;
        player.fide_id = self.fide_id;
        player.club.clone_from(&self.club);
    }
}
