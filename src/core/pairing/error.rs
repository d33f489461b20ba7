//! Why a round cannot be paired, with the way out.

use std::fmt;

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
        "no pairing of round {round} is legal for the {present} players who are present ({article}): \
         {hindrance}"
    )]
    Impossible {
        /// The round to pair.
        round: RoundNo,
        /// How many were to be paired.
        present: usize,
        /// The criteria of the system that no pairing keeps.
        article: &'static str,
        /// What stands in the way, as far as it is known.
        hindrance: Hindrance,
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

/// What stands in the way of every pairing; `Display` says it with the way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hindrance {
    /// Everybody has met everybody else.
    AllMet,
    /// These have nobody left whom they may meet.
    Alone {
        /// Who.
        players: Vec<PlayerNo>,
        /// They have met everybody: no ban and no colour stands in the way.
        met: bool,
    },
    /// The number is odd, and the bye is barred to everybody.
    NobodyForBye,
    /// The number is odd. The others can be paired only when one of these has the bye, and it is
    /// barred to all of them.
    ByeNeeded {
        /// Who.
        players: Vec<PlayerNo>,
    },
    /// However one pairs, so many are without an opponent.
    LeftOver {
        /// How many at least.
        count: usize,
    },
    /// It was not looked for.
    Unknown,
}

/// How many names a message lists.
const NAMED: usize = 8;

/// "3, 5 and 8", "1, 2, … and 4 more".
fn names(f: &mut fmt::Formatter<'_>, players: &[PlayerNo]) -> fmt::Result {
    for (at, player) in players.iter().take(NAMED).enumerate() {
        let before = match at {
            0 => "",
            _ if at + 1 == players.len() => " and ",
            _ => ", ",
        };
        write!(f, "{before}{player}")?;
    }
    match players.len().saturating_sub(NAMED) {
        0 => Ok(()),
        more => write!(f, " and {more} more"),
    }
}

impl fmt::Display for Hindrance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AllMet => f.write_str(
                "everybody who is here has met everybody else; let those play who are absent, or end \
                 the event here",
            ),
            Self::Alone { players, met } => {
                names(f, players)?;
                let (has, him) = match players.len() {
                    1 => ("has", "him"),
                    _ => ("have", "each of them"),
                };
                let (why, more) = if *met {
                    ("met everybody else who is here", "")
                } else {
                    (
                        "nobody left to meet: the others are met already, forbidden, or due the same \
                         colour",
                        "lift a ban on a pair, ",
                    )
                };
                write!(
                    f,
                    " {has} {why}; give {him} a half-point or zero-point bye for this round, \
                     {more}pair by hand, or end the event here"
                )
            }
            Self::NobodyForBye => f.write_str(
                "the number is odd, and everybody has had the bye or a win's points without a game \
                 already; give one player a half-point or zero-point bye for this round, let a house \
                 player in to make the number even, or pair by hand",
            ),
            Self::ByeNeeded { players } => {
                f.write_str(
                    "the number is odd, and the others can be paired only when the bye goes to ",
                )?;
                names(f, players)?;
                write!(
                    f,
                    ", who had it or a win's points without a game already; give {} a half-point or \
                     zero-point bye for this round, let a house player in to make the number even, \
                     or pair by hand",
                    if players.len() == 1 {
                        "him"
                    } else {
                        "one of them"
                    }
                )
            }
            Self::LeftOver { count } => write!(
                f,
                "too many have met, must not meet, or are due the same colour: however one pairs, at \
                 least {count} are without an opponent; lift a ban on a pair, give byes, pair by \
                 hand, or end the event here"
            ),
            Self::Unknown => f.write_str(
                "too many have met, must not meet, or are due the same colour; lift a ban on a pair, \
                 give byes, pair by hand, or end the event here",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_out_is_said() {
        let alone = |players: &[u16]| {
            Hindrance::Alone {
                players: players.iter().copied().map(PlayerNo).collect(),
                met: true,
            }
            .to_string()
        };
        assert!(alone(&[4]).starts_with("4 has met"), "{}", alone(&[4]));
        assert!(alone(&[4, 5, 9]).starts_with("4, 5 and 9 have met"));
        let many: Vec<u16> = (1..=12).collect();
        assert!(alone(&many).starts_with("1, 2, 3, 4, 5, 6, 7, 8 and 4 more have met"));
    }
}
