//! What differs between two pairings of a round.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};

use crate::{
    pairing::RoundPairing,
    types::{Color, PlayerNo},
};

/// Where a player is in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "at")]
pub enum Seat {
    /// At a board.
    Board {
        /// The board.
        board: u16,
        /// The opponent.
        opponent: PlayerNo,
        /// The own colour.
        #[serde(with = "crate::types::color")]
        colour: Color,
    },
    /// He has the bye.
    Bye,
    /// He does not play.
    Out,
}

/// What changes for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Who.
    pub player: PlayerNo,
    /// Where he was.
    pub before: Seat,
    /// Where he is now.
    pub after: Seat,
}

impl Change {
    /// Opponent, colour, bye or absence change, not the board alone.
    pub fn is_more_than_board(&self) -> bool {
        match (self.before, self.after) {
            (
                Seat::Board {
                    opponent, colour, ..
                },
                Seat::Board {
                    opponent: now,
                    colour: other,
                    ..
                },
            ) => opponent != now || colour != other,
            (before, after) => before != after,
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            player,
            before,
            after,
        } = self;
        write!(f, "{player}: {before} before, {after} now.")
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board {
                board,
                opponent,
                colour,
            } => {
                let colour = if colour.is_white() { "White" } else { "Black" };
                write!(f, "{colour} against {opponent} on board {board}")
            }
            Self::Bye => f.write_str("the bye"),
            Self::Out => f.write_str("not playing"),
        }
    }
}

/// What changes from one pairing to another, by player; who is in neither has no change.
pub fn changes(before: &RoundPairing, after: &RoundPairing) -> Vec<Change> {
    let (before, after) = (seats(before), seats(after));
    let mut players: Vec<PlayerNo> = before.keys().chain(after.keys()).copied().collect();
    players.sort_unstable();
    players.dedup();
    players
        .into_iter()
        .map(|player| {
            let at =
                |seats: &BTreeMap<PlayerNo, Seat>| seats.get(&player).copied().unwrap_or(Seat::Out);
            Change {
                player,
                before: at(&before),
                after: at(&after),
            }
        })
        .filter(|change| change.before != change.after)
        .collect()
}

fn seats(pairing: &RoundPairing) -> BTreeMap<PlayerNo, Seat> {
    let mut seats = BTreeMap::new();
    for pair in &pairing.pairs {
        for (own, opponent, colour) in [
            (pair.white, pair.black, Color::White),
            (pair.black, pair.white, Color::Black),
        ] {
            let board = pair.board;
            seats.insert(
                own,
                Seat::Board {
                    board,
                    opponent,
                    colour,
                },
            );
        }
    }
    if let Some(bye) = &pairing.bye {
        seats.insert(bye.player, Seat::Bye);
    }
    seats
}
