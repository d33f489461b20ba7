//! Team events: match results into what pairing looks at, and the colours of the boards.
//!
//! A team stands in the [`Input`](super::Input) like a player; its colour is the one of board 1. Round
//! robin, Scheveningen and knock-out of teams are those of players; the Swiss is
//! [`TeamSwiss`].

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{PlayedGame, PlayedRound, Scoring, UnpairedKind, UnpairedScore};
use crate::types::{Color, PlayerNo, Points, RoundNo};

pub use super::swiss::team::{PrimaryScore, TeamPreferences, TeamSwiss};

/// Match points 2, 1, 0; the bye is worth a draw (C.04.6, 3.4).
pub const MATCH_POINTS: Scoring = {
    let mut scoring = Scoring::of(Points(4), Points(2), Points::ZERO);
    scoring.pab = Points(2);
    scoring
};

/// A match of two teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamMatch {
    /// The team with White on board 1.
    pub white: PlayerNo,
    /// The other.
    pub black: PlayerNo,
    /// Match points of White and Black.
    pub match_points: [Points; 2],
    /// Game points of White and Black.
    pub game_points: [Points; 2],
    /// A game was played on one board at least; else the match was forfeited, which is no meeting and
    /// no colour.
    pub played: bool,
}

impl TeamMatch {
    /// A match from its game points: whoever has more has won.
    pub fn from_games(
        white: PlayerNo,
        black: PlayerNo,
        game_points: [Points; 2],
        played: bool,
        scoring: &Scoring,
    ) -> Self {
        let match_points = match game_points[0].cmp(&game_points[1]) {
            std::cmp::Ordering::Greater => [scoring.win, scoring.loss],
            std::cmp::Ordering::Less => [scoring.loss, scoring.win],
            // Nobody came: nobody has earned a draw.
            std::cmp::Ordering::Equal if !played => [scoring.forfeit_loss; 2],
            std::cmp::Ordering::Equal => [scoring.draw; 2],
        };
        Self {
            white,
            black,
            match_points,
            game_points,
            played,
        }
    }
}

/// A team without a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamUnpaired {
    /// Which.
    pub team: PlayerNo,
    /// Why.
    pub kind: UnpairedKind,
    /// Match points.
    pub match_points: Points,
    /// Game points.
    pub game_points: Points,
}

/// A round of a team event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamRound {
    /// Which.
    pub round: RoundNo,
    /// The matches.
    pub matches: Vec<TeamMatch>,
    /// Teams without one.
    pub unpaired: Vec<TeamUnpaired>,
}

impl TeamSwiss {
    /// The system with the secondary scores of these rounds, and the history that belongs into the
    /// input.
    pub fn after(
        rounds: &[TeamRound],
        preferences: TeamPreferences,
        primary: PrimaryScore,
    ) -> (Self, Vec<PlayedRound>) {
        let mut secondary: BTreeMap<PlayerNo, Points> = BTreeMap::new();
        let mut split = |team: PlayerNo, matches: Points, games: Points| {
            let (first, second) = match primary {
                PrimaryScore::MatchPoints => (matches, games),
                PrimaryScore::GamePoints => (games, matches),
            };
            *secondary.entry(team).or_default() += second;
            first
        };
        let history = rounds
            .iter()
            .map(|round| PlayedRound {
                round: round.round,
                games: round
                    .matches
                    .iter()
                    .map(|own| PlayedGame {
                        white: own.white,
                        black: own.black,
                        white_points: split(own.white, own.match_points[0], own.game_points[0]),
                        black_points: split(own.black, own.match_points[1], own.game_points[1]),
                        played: own.played,
                    })
                    .collect(),
                unpaired: round
                    .unpaired
                    .iter()
                    .map(|own| UnpairedScore {
                        player: own.team,
                        points: split(own.team, own.match_points, own.game_points),
                        kind: own.kind,
                    })
                    .collect(),
            })
            .collect();
        let system = Self {
            preferences,
            primary,
            secondary,
        };
        (system, history)
    }
}

/// The colour on a board, from 1, of a team that has `colour` on board 1: they alternate.
pub fn board_colour(colour: Color, board: u16) -> Color {
    if board % 2 == 1 { colour } else { !colour }
}

/// A board of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardPair {
    /// The board of the match, from 1.
    pub board: u16,
    /// Who has White; nobody when that team has no player for the board.
    pub white: Option<PlayerNo>,
    /// Who has Black.
    pub black: Option<PlayerNo>,
}

/// The boards of a match from the line-ups in board order, `white` being the team with White on
/// board 1. A line-up that is too short leaves its last boards without a player; whoever stands
/// beyond the number of boards does not play.
pub fn boards(white: &[PlayerNo], black: &[PlayerNo], boards: u16) -> Vec<BoardPair> {
    let some = |players: &[PlayerNo]| -> Vec<_> { players.iter().copied().map(Some).collect() };
    let colours: Vec<Color> = (1..=boards)
        .map(|board| board_colour(Color::White, board))
        .collect();
    boards_by(&some(white), &some(black), &colours)
}

/// The same from line-ups that leave boards out, and the colours of the team `white` by board.
pub fn boards_by(
    white: &[Option<PlayerNo>],
    black: &[Option<PlayerNo>],
    colours: &[Color],
) -> Vec<BoardPair> {
    (1..=u16::MAX)
        .zip(colours)
        .map(|(board, colour)| {
            let at = usize::from(board - 1);
            let player = |line_up: &[Option<PlayerNo>]| line_up.get(at).copied().flatten();
            let (own, other) = (player(white), player(black));
            let (white, black) = if colour.is_white() {
                (own, other)
            } else {
                (other, own)
            };
            BoardPair {
                board,
                white,
                black,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_alternate_and_a_short_line_up_leaves_the_last_ones() {
        let line_up =
            |numbers: &[u16]| -> Vec<PlayerNo> { numbers.iter().copied().map(PlayerNo).collect() };
        let pairs: Vec<_> = boards(&line_up(&[11, 12, 13, 14]), &line_up(&[21, 22, 24]), 4)
            .into_iter()
            .map(|pair| (pair.board, pair.white.map(|p| p.0), pair.black.map(|p| p.0)))
            .collect();
        assert_eq!(
            pairs,
            [
                (1, Some(11), Some(21)),
                (2, Some(22), Some(12)),
                (3, Some(13), Some(24)),
                (4, None, Some(14)),
            ]
        );
        assert_eq!(board_colour(Color::Black, 2), Color::White);
    }

    #[test]
    fn match_points_follow_from_game_points() {
        let points = |games, played| {
            TeamMatch::from_games(PlayerNo(1), PlayerNo(2), games, played, &MATCH_POINTS)
                .match_points
                .map(Points::halves)
        };
        assert_eq!(points([Points(5), Points(3)], true), [4, 0]);
        assert_eq!(points([Points(4), Points(4)], true), [2, 2]);
        assert_eq!(points([Points(0), Points(8)], false), [0, 4]);
        assert_eq!(points([Points(0), Points(0)], false), [0, 0]);
    }
}
