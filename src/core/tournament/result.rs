//! How a game ended and what it is worth (R-RS-2, R-RS-3).

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

pub use crate::types::Points;
use crate::types::{Color, PlayerNo, RoundNo};

/// The result of a pairing. On the wire as FIDE writes it: `1-0`, `1/2-1/2`, `+/-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameResult {
    /// `1-0`.
    WhiteWins,
    /// `0-1`.
    BlackWins,
    /// `1/2-1/2`.
    Draw,
    /// `0-0`: played, both lose.
    BothLose,
    /// `1/2-0`: by an arbiter.
    HalfToWhite,
    /// `0-1/2`: by an arbiter.
    HalfToBlack,
    /// `+/-`: Black did not come.
    WhiteByForfeit,
    /// `-/+`: White did not come.
    BlackByForfeit,
    /// `-/-`: nobody came.
    DoubleForfeit,
}

impl GameResult {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::WhiteWins,
        Self::Draw,
        Self::BlackWins,
        Self::BothLose,
        Self::HalfToWhite,
        Self::HalfToBlack,
        Self::WhiteByForfeit,
        Self::BlackByForfeit,
        Self::DoubleForfeit,
    ];

    /// The text on the wire and in files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::BothLose => "0-0",
            Self::HalfToWhite => "1/2-0",
            Self::HalfToBlack => "0-1/2",
            Self::WhiteByForfeit => "+/-",
            Self::BlackByForfeit => "-/+",
            Self::DoubleForfeit => "-/-",
        }
    }

    /// The result in which `winner` has won over the board.
    pub const fn won_by(winner: Color) -> Self {
        match winner {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }

    /// The result in which `winner` has won by forfeit.
    pub const fn forfeit_to(winner: Color) -> Self {
        match winner {
            Color::White => Self::WhiteByForfeit,
            Color::Black => Self::BlackByForfeit,
        }
    }

    /// The points of one side.
    pub const fn points(self, side: Color) -> Points {
        let (white, black) = match self {
            Self::WhiteWins | Self::WhiteByForfeit => (2, 0),
            Self::BlackWins | Self::BlackByForfeit => (0, 2),
            Self::Draw => (1, 1),
            Self::BothLose | Self::DoubleForfeit => (0, 0),
            Self::HalfToWhite => (1, 0),
            Self::HalfToBlack => (0, 1),
        };
        match side {
            Color::White => Points(white),
            Color::Black => Points(black),
        }
    }

    /// Forfeits are no games: no meeting, no colour (C.04.2, 3.4 and 3.5).
    pub const fn is_played(self) -> bool {
        !matches!(
            self,
            Self::WhiteByForfeit | Self::BlackByForfeit | Self::DoubleForfeit
        )
    }

    /// The winner, over the board or by forfeit.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::WhiteWins | Self::WhiteByForfeit => Some(Color::White),
            Self::BlackWins | Self::BlackByForfeit => Some(Color::Black),
            Self::Draw
            | Self::BothLose
            | Self::HalfToWhite
            | Self::HalfToBlack
            | Self::DoubleForfeit => None,
        }
    }

    /// The result tag of PGN: `*` where PGN has no sign.
    pub const fn pgn(self) -> &'static str {
        match self {
            Self::WhiteWins | Self::WhiteByForfeit => "1-0",
            Self::BlackWins | Self::BlackByForfeit => "0-1",
            Self::Draw => "1/2-1/2",
            Self::BothLose | Self::HalfToWhite | Self::HalfToBlack | Self::DoubleForfeit => "*",
        }
    }
}

impl fmt::Display for GameResult {
    /// For people: `½-½` instead of `1/2-1/2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Draw => "½-½",
            Self::HalfToWhite => "½-0",
            Self::HalfToBlack => "0-½",
            other => other.as_str(),
        })
    }
}

/// Not a result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{0}\" is not a result; write 1-0, 0-1, 1/2-1/2, 0-0, 1/2-0, 0-1/2, +/-, -/+ or -/- instead"
)]
pub struct ParseResultError(pub String);

impl FromStr for GameResult {
    type Err = ParseResultError;

    /// Reads the wire form, `½`, `0.5`, and `:` as the middle sign.
    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let plain = s
            .replace('½', "1/2")
            .replace("0.5", "1/2")
            .replace("0,5", "1/2")
            .replace(['–', '−'], "-")
            .replace(char::is_whitespace, "");
        let colon = plain.replace(':', "-");
        let forfeit = plain.replace(':', "/");
        Self::ALL
            .into_iter()
            .find(|result| result.as_str() == colon || result.as_str() == forfeit)
            .or(match plain.as_str() {
                "+--" => Some(Self::WhiteByForfeit),
                "--+" => Some(Self::BlackByForfeit),
                "---" => Some(Self::DoubleForfeit),
                _ => None,
            })
            .ok_or_else(|| ParseResultError(s.to_owned()))
    }
}

impl Serialize for GameResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for GameResult {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(D::Error::custom)
    }
}

/// A round without an opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bye {
    /// The pairing-allocated bye of a Swiss, worth a win here (C.04.1.3). `U` in TRF.
    PairingAllocated,
    /// The odd man out of a round robin: no points. `Z` in TRF.
    Rest,
    /// A full-point bye, granted. `F` in TRF.
    Full,
    /// A half-point bye, asked for. `H` in TRF.
    Half,
    /// Absent. `Z` in TRF.
    Zero,
}

impl Bye {
    /// What it is worth.
    pub const fn points(self) -> Points {
        match self {
            Self::PairingAllocated | Self::Full => Points::ONE,
            Self::Half => Points::HALF,
            Self::Rest | Self::Zero => Points::ZERO,
        }
    }

    /// The letter in TRF.
    pub const fn trf_code(self) -> char {
        match self {
            Self::PairingAllocated => 'U',
            Self::Full => 'F',
            Self::Half => 'H',
            Self::Rest | Self::Zero => 'Z',
        }
    }
}

/// Why a game ended (R-RS-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// Checkmate.
    Mate,
    /// A player resigned.
    Resignation,
    /// Stalemate.
    Stalemate,
    /// No series of legal moves can mate.
    DeadPosition,
    /// Draw by agreement.
    Agreement,
    /// The same position three times, claimed.
    Threefold,
    /// Fifty moves without pawn move or capture, claimed.
    FiftyMoves,
    /// Seventy-five moves, without a claim.
    SeventyFiveMoves,
    /// The same position five times, without a claim.
    Fivefold,
    /// The flag fell.
    Flag,
    /// The flag fell and the opponent cannot mate: draw.
    FlagNoMatingMaterial,
    /// The second illegal move (or the number that the event sets).
    IllegalMoves,
    /// Adjudicated after the play-off time (R-CD-6).
    Adjudicated,
    /// Refused to play after three calls.
    RefusedToPlay,
    /// Never came to the board.
    NoShow,
    /// Came after the default time.
    Late,
    /// Left the playing area for good.
    Left,
    /// Unfair play.
    UnfairPlay,
    /// A telephone or another electronic device.
    ElectronicDevice,
    /// The result was not shown or could not be established: both lose (R-RS-5).
    ResultNotShown,
    /// Kings in the centre say who won; nothing says how.
    Unknown,
}

impl Termination {
    /// Whether the moves on the board alone end a game so, without anybody's word.
    pub fn is_proved_by_board(self) -> bool {
        matches!(
            self,
            Self::Mate
                | Self::Stalemate
                | Self::DeadPosition
                | Self::Fivefold
                | Self::SeventyFiveMoves
        )
    }
}

/// A pairing with its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Played {
    /// The round.
    pub round: RoundNo,
    /// Who has White.
    pub white: PlayerNo,
    /// Who has Black.
    pub black: PlayerNo,
    /// The result.
    pub result: GameResult,
}

impl Played {
    /// The other player and the side that `player` has; `None` when he is not in this game.
    pub fn side_of(&self, player: PlayerNo) -> Option<(Color, PlayerNo)> {
        if self.white == player {
            Some((Color::White, self.black))
        } else if self.black == player {
            Some((Color::Black, self.white))
        } else {
            None
        }
    }
}

/// A bye in one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Awarded {
    /// The round.
    pub round: RoundNo,
    /// Whose.
    pub player: PlayerNo,
    /// Which.
    pub bye: Bye,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_survives_its_text() {
        for result in GameResult::ALL {
            assert_eq!(result.as_str().parse(), Ok(result));
            assert_eq!(result.to_string().parse(), Ok(result));
            let json = serde_json::to_string(&result).unwrap();
            assert_eq!(json, format!("\"{}\"", result.as_str()));
            assert_eq!(serde_json::from_str::<GameResult>(&json).unwrap(), result);
        }
    }

    #[test]
    fn results_as_people_write_them() {
        for (text, result) in [
            ("1 : 0", GameResult::WhiteWins),
            ("0,5-0,5", GameResult::Draw),
            ("½–½", GameResult::Draw),
            ("0:½", GameResult::HalfToBlack),
            ("+:-", GameResult::WhiteByForfeit),
            ("- - +", GameResult::BlackByForfeit),
            ("−/−", GameResult::DoubleForfeit),
        ] {
            assert_eq!(text.parse(), Ok(result), "{text}");
        }
        for bad in ["", "1", "1-1", "2-0", "+/+", "1/0", "*"] {
            assert!(bad.parse::<GameResult>().is_err(), "{bad}");
        }
    }

    #[test]
    fn points_never_exceed_one_a_game() {
        for result in GameResult::ALL {
            let sum = result.points(Color::White) + result.points(Color::Black);
            assert!(sum <= Points::ONE, "{result}");
            assert_eq!(
                result.winner().is_some(),
                sum == Points::ONE && result != GameResult::Draw
            );
        }
        assert_eq!(GameResult::BothLose.points(Color::White), Points::ZERO);
        assert!(GameResult::BothLose.is_played());
        assert!(!GameResult::DoubleForfeit.is_played());
    }

    #[test]
    fn points_for_people_and_for_files() {
        for (halves, people, file) in [(0, "0", "0.0"), (1, "½", "0.5"), (9, "4½", "4.5")] {
            assert_eq!(Points(halves).to_string(), people);
            assert_eq!(Points(halves).decimal(), file);
        }
    }
}
