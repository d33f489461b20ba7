//! One module a pairing system. Stands alone: knows players by number, the history and the
//! settings, nothing of names, tables of the hall or the hub.
//!
//! A system is a value of [`System`]; the hub asks it for a [`RoundPairing`] when a round closes.
//! The outcome does not depend on the order in which entrants or history are given.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};

use crate::types::{Color, PlayerNo, Points, RoundNo};

pub mod berger;

pub use berger::RoundRobin;

/// A pairing system.
pub trait System: Send + Sync {
    /// The name in settings and files, e.g. `round-robin`.
    fn name(&self) -> &'static str;

    /// How many rounds the system needs for this number of entrants; `None` when the event is free
    /// to choose.
    fn rounds(&self, entrants: usize) -> Option<u16>;

    /// Pairs the round that `input` asks for.
    ///
    /// # Errors
    /// When the input contradicts itself or no pairing exists; the message says what to do.
    fn pair(&self, input: &Input) -> Result<RoundPairing, PairingError>;
}

/// All that a system may look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// Everybody who was ever entered, those who withdrew included.
    pub players: Vec<Entrant>,
    /// The rounds before this one.
    pub history: Vec<PlayedRound>,
    /// The round to pair, from 1.
    pub round: RoundNo,
    /// What the event says about pairing.
    pub settings: Settings,
}

/// What the event says about pairing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The number of rounds of the event; `None` = as many as the system needs.
    pub rounds: Option<u16>,
    /// The colour of the first player in round 1, by lot, where the system leaves it open.
    #[serde(with = "crate::types::color::option", default)]
    pub initial_colour: Option<Color>,
}

/// A player as pairing sees him.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// The pairing number.
    pub no: PlayerNo,
    /// The rating, if any.
    pub rating: Option<u16>,
    /// Whether he plays in this round.
    pub presence: Presence,
}

impl Entrant {
    /// A player who is there.
    pub const fn present(no: PlayerNo) -> Self {
        Self {
            no,
            rating: None,
            presence: Presence::Present,
        }
    }
}

/// Whether a player takes part in the round to be paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Presence {
    /// He plays.
    Present,
    /// He misses this round, announced.
    Absent,
    /// He left the event or was excluded.
    Withdrawn,
}

/// A round of the history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedRound {
    /// Which.
    pub round: RoundNo,
    /// The pairs with what they brought.
    pub games: Vec<PlayedGame>,
    /// Players without an opponent.
    pub unpaired: Vec<UnpairedScore>,
}

/// A pair of the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// Who had White.
    pub white: PlayerNo,
    /// Who had Black.
    pub black: PlayerNo,
    /// White's points.
    pub white_points: Points,
    /// Black's points.
    pub black_points: Points,
    /// False for a forfeit: then it is no meeting and no colour (C.04.2, 3.4 and 3.5).
    pub played: bool,
}

/// What a player without an opponent was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnpairedScore {
    /// Who.
    pub player: PlayerNo,
    /// The points.
    pub points: Points,
    /// It was the pairing-allocated bye.
    pub allocated: bool,
}

/// A paired round: a draft until somebody publishes it. Every entrant is in it exactly once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundPairing {
    /// The round.
    pub round: RoundNo,
    /// The pairs, in the order of their boards.
    pub pairs: Vec<Pair>,
    /// The odd man out.
    pub bye: Option<Allocated>,
    /// Everybody else, with the reason.
    pub unpaired: Vec<Unpaired>,
}

/// Two players and their board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    /// The board within the section, from 1.
    pub board: u16,
    /// Who has White.
    pub white: PlayerNo,
    /// Who has Black.
    pub black: PlayerNo,
    /// Why these two, and why these colours (R-PR-4).
    pub explanation: Explanation,
}

/// The bye that the pairing gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allocated {
    /// Who.
    pub player: PlayerNo,
    /// Which kind.
    pub kind: ByeKind,
    /// Why he.
    pub explanation: Explanation,
}

/// Which bye a pairing gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ByeKind {
    /// The pairing-allocated bye of a Swiss: the points of a win (C.04.1.3).
    PairingAllocated,
    /// Rest in a round robin with an odd number: no points.
    Rest,
}

/// A player whom the round leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unpaired {
    /// Who.
    pub player: PlayerNo,
    /// Why.
    pub reason: UnpairedReason,
}

/// Why a player is not paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum UnpairedReason {
    /// He misses this round.
    Absent {
        /// His opponent by the table, when the system knows him.
        opponent: Option<Missed>,
    },
    /// He left the event.
    Withdrawn {
        /// His opponent by the table, when the system knows him.
        opponent: Option<Missed>,
    },
    /// He is there, but the opponent whom the table gives him is not.
    OpponentMissing {
        /// The opponent and the colours of the pair that does not take place.
        opponent: Missed,
    },
}

/// The other half of a pair that does not take place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missed {
    /// The opponent.
    pub player: PlayerNo,
    /// The colour that the unpaired player would have had.
    #[serde(with = "crate::types::color")]
    pub own_colour: Color,
}

/// The rule that decided, as data; `Display` makes it a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "rule")]
#[non_exhaustive]
pub enum Explanation {
    /// The Berger table gives this pair (R-PR-6).
    Berger {
        /// The size of the table, even.
        size: u16,
        /// The round of the table.
        table_round: u16,
        /// The cycle, from 1; even cycles have the colours reversed.
        cycle: u16,
        /// White's number in the table.
        white: u16,
        /// Black's number in the table.
        black: u16,
    },
    /// The Berger table gives the highest number, which nobody has.
    BergerRest {
        /// The size of the table, even.
        size: u16,
        /// The round of the table.
        table_round: u16,
        /// The number of the player who rests.
        number: u16,
    },
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Berger {
                size,
                table_round,
                cycle,
                white,
                black,
            } => {
                write!(
                    f,
                    "The Berger table for {} or {size} players pairs {white} (White) with {black} \
                     (Black) in its round {table_round}",
                    size - 1
                )?;
                if *cycle > 1 {
                    write!(f, "; this is cycle {cycle}")?;
                    if cycle % 2 == 0 {
                        f.write_str(", with the colours reversed")?;
                    }
                }
                f.write_str(".")
            }
            Self::BergerRest {
                size,
                table_round,
                number,
            } => write!(
                f,
                "The number of players is odd: in round {table_round} of the Berger table for {} \
                 or {size} players, {number} meets {size}, which nobody has, and rests.",
                size - 1
            ),
        }
    }
}

/// Why a round cannot be paired.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PairingError {
    /// Fewer than two players.
    #[error("{entered} players are entered; enter at least two before pairing")]
    TooFewPlayers {
        /// How many there are.
        entered: usize,
    },
    /// Nobody could play.
    #[error(
        "nobody can be paired in round {round}: no two players who should meet are both present; \
         mark who is there, or close the event"
    )]
    NobodyPresent {
        /// The round.
        round: RoundNo,
    },
    /// A number stands twice.
    #[error("number {player} is entered twice; give one of the two another number")]
    DuplicateNumber {
        /// The number.
        player: PlayerNo,
    },
    /// The event has no such round.
    #[error("round {round} does not exist: the event has rounds 1 to {rounds}")]
    NoSuchRound {
        /// The round asked for.
        round: RoundNo,
        /// The last round.
        rounds: u16,
    },
    /// The history names somebody who is not entered.
    #[error(
        "round {round} of the history names player {player}, who is not entered; keep withdrawn \
         players in the list and mark them withdrawn"
    )]
    UnknownPlayer {
        /// The round of the history.
        round: RoundNo,
        /// The number.
        player: PlayerNo,
    },
    /// A round of the history is there twice, or is not before the round to pair.
    #[error("round {found} stands in the history when round {round} is paired")]
    HistoryOutOfOrder {
        /// The round to pair.
        round: RoundNo,
        /// The round that should not be there.
        found: RoundNo,
    },
    /// The pair has met as often as it may.
    #[error(
        "{white} and {black} should meet in round {round}, but have met before in round \
         {before}; the rounds played differ from the table, pair this round by hand"
    )]
    MetBefore {
        /// The round to pair.
        round: RoundNo,
        /// White.
        white: PlayerNo,
        /// Black.
        black: PlayerNo,
        /// The last round in which they met.
        before: RoundNo,
    },
    /// More players than the numbers reach.
    #[error("{entered} players are too many for {system}; split the event into groups")]
    TooManyPlayers {
        /// How many there are.
        entered: usize,
        /// The system.
        system: &'static str,
    },
}

/// Checks what every system needs and sorts the entrants by number.
pub(crate) fn entrants(input: &Input) -> Result<Vec<Entrant>, PairingError> {
    if input.players.len() < 2 {
        return Err(PairingError::TooFewPlayers {
            entered: input.players.len(),
        });
    }
    let mut players = BTreeMap::new();
    for entrant in &input.players {
        if players.insert(entrant.no, *entrant).is_some() {
            return Err(PairingError::DuplicateNumber { player: entrant.no });
        }
    }
    let mut rounds = std::collections::BTreeSet::new();
    for past in &input.history {
        if past.round >= input.round || !rounds.insert(past.round) {
            return Err(PairingError::HistoryOutOfOrder {
                round: input.round,
                found: past.round,
            });
        }
        let named = past
            .games
            .iter()
            .flat_map(|game| [game.white, game.black])
            .chain(past.unpaired.iter().map(|unpaired| unpaired.player));
        for player in named {
            if !players.contains_key(&player) {
                return Err(PairingError::UnknownPlayer {
                    round: past.round,
                    player,
                });
            }
        }
    }
    Ok(players.into_values().collect())
}
