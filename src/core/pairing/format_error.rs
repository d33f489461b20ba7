//! Why a round of a particular format cannot be paired, with the way out.

use crate::types::{PlayerNo, RoundNo};

/// Why a round of a particular format cannot be paired.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The sides of a Scheveningen event differ in size.
    #[error(
        "the sides have {first} and {second} players; a Scheveningen event needs as many on both: \
         add a reserve to the smaller side or take a player off the larger one"
    )]
    SidesUnequal {
        /// Players of the first side.
        first: usize,
        /// Players of the second side.
        second: usize,
    },
    /// An entered player plays for no side.
    #[error(
        "player {player} is entered but stands on neither side; put him on one or take him out"
    )]
    OnNoSide {
        /// Who.
        player: PlayerNo,
    },
    /// A side names somebody who is not entered, or names him twice.
    #[error(
        "the sides name player {player}, who is not entered or is named twice; correct the sides, \
         keep withdrawn players in the list and mark them withdrawn"
    )]
    SideUnusable {
        /// Who.
        player: PlayerNo,
    },
    /// A match has exactly two sides.
    #[error("{entered} players are entered, a match is between two; choose a match tournament")]
    NotTwo {
        /// How many there are.
        entered: usize,
    },
    /// The match needs no further game.
    #[error(
        "the match is decided after {games} games, {winner} has won it; close the event, or let \
         the players play all games"
    )]
    MatchDecided {
        /// Who has won.
        winner: PlayerNo,
        /// After how many games.
        games: u16,
    },
    /// Knock-out matches have no winner yet.
    #[error(
        "nobody has won {} of stage {stage}, so round {round} cannot be paired; enter the missing \
         result, or the outcome of a play-off or a lot as the decision",
        versus(.matches)
    )]
    Undecided {
        /// The stage, from 1.
        stage: u16,
        /// The round to pair.
        round: RoundNo,
        /// The matches, one at least.
        matches: Vec<[PlayerNo; 2]>,
    },
    /// Baku acceleration with game points as the primary score.
    #[error(
        "Baku acceleration gives match points, but game points are the primary score (C.04.7); \
         choose match points, or write the virtual points out"
    )]
    BakuByGamePoints,
    /// Baku acceleration without the number of rounds, on which it depends.
    #[error(
        "Baku acceleration depends on the number of rounds, which is not set (C.04.7); set it, or \
         pair without acceleration"
    )]
    BakuNeedsRounds,
}

fn versus(matches: &[[PlayerNo; 2]]) -> String {
    let matches: Vec<String> = matches
        .iter()
        .map(|[one, other]| format!("{one} v {other}"))
        .collect();
    matches.join(", ")
}
