//! Why a round cannot be paired, with the way out.

use super::FormatError;
use crate::types::{PlayerNo, RoundNo};

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
    /// What is special to a format: a side, a bracket, a match, teams.
    #[error(transparent)]
    Format(#[from] FormatError),
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
    /// No pairing of this round obeys the absolute criteria.
    #[error(
        "no pairing of round {round} is legal for the {present} players who are present: too many \
         have met, must not meet, or are due the same colour (C.04.3, C1 to C4); end the event \
         here, allow a forbidden pair, give a player a bye, or pair by hand"
    )]
    Impossible {
        /// The round to pair.
        round: RoundNo,
        /// How many were to be paired.
        present: usize,
    },
    /// A player has two entries in one round of the history.
    #[error("round {round} of the history has player {player} twice; correct that round")]
    TwiceInRound {
        /// The round of the history.
        round: RoundNo,
        /// The number.
        player: PlayerNo,
    },
    /// A fixed pair cannot be: a player is missing, not entered, or fixed twice.
    #[error(
        "the fixed pair {white} v {black} cannot stand: both must be present and in no other \
         fixed pair; remove it or correct it"
    )]
    FixedPairUnusable {
        /// White.
        white: PlayerNo,
        /// Black.
        black: PlayerNo,
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
