//! Board prizes of a team event (R-ST-7): the best percentage of who played at least two thirds of the
//! possible games, whatever his board; then direct encounter, wins, and who replaced on a higher board.

use std::{cmp::Ordering, collections::BTreeMap};

use crate::{
    tournament::result::GameResult,
    types::{Color, PlayerNo, Points, RoundNo},
};

/// A game of a match of teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardGame {
    /// The round.
    pub round: RoundNo,
    /// The board of the match on which it was played, from 1.
    pub board: u16,
    /// White.
    pub white: PlayerNo,
    /// Black.
    pub black: PlayerNo,
    /// The result.
    pub result: GameResult,
}

/// A player's claim to a board prize.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardScore {
    /// The place among those who qualify, from 1; `None` for too few games.
    pub place: Option<u16>,
    /// Others have the same after every rule.
    pub shared: bool,
    /// Who.
    pub player: PlayerNo,
    /// His board in the list of entries, from 1.
    pub board: u16,
    /// Games that he played; forfeits are none.
    pub games: u16,
    /// His points in them.
    pub points: Points,
    /// Of them won.
    pub wins: u16,
    /// Played on a higher board than his own.
    pub higher: u16,
}

impl BoardScore {
    /// The percentage in hundredths, e.g. 6667 for two of three.
    pub fn percentage(&self) -> u32 {
        let possible = u32::from(self.games) * 2;
        (u32::from(self.points.0) * 10_000 + possible / 2)
            .checked_div(possible)
            .unwrap_or_default()
    }

    /// The exact share, compared without rounding.
    fn share(&self, other: &Self) -> Ordering {
        let of = |one: &Self, two: &Self| u32::from(one.points.0) * u32::from(two.games);
        of(self, other).cmp(&of(other, self))
    }
}

/// Everybody of `boards` (player and his board in the list of entries), the best first. `rounds` is the
/// number of games that one player could play.
pub fn board_prizes(
    boards: &BTreeMap<PlayerNo, u16>,
    games: &[BoardGame],
    rounds: u16,
) -> Vec<BoardScore> {
    let mut scores: BTreeMap<PlayerNo, BoardScore> = (boards.iter())
        .map(|(player, board)| {
            let score = BoardScore {
                place: None,
                shared: false,
                player: *player,
                board: *board,
                games: 0,
                points: Points::ZERO,
                wins: 0,
                higher: 0,
            };
            (*player, score)
        })
        .collect();
    let played = || games.iter().filter(|game| game.result.is_played());
    for game in played() {
        for (player, side) in [(game.white, Color::White), (game.black, Color::Black)] {
            let Some(score) = scores.get_mut(&player) else {
                continue;
            };
            score.games += 1;
            score.points = Points(score.points.0 + game.result.points(side).0);
            score.wins += u16::from(game.result.winner() == Some(side));
            score.higher += u16::from(game.board < score.board);
        }
    }
    // Two thirds exactly are enough.
    let qualifies =
        |score: &BoardScore| score.games > 0 && u32::from(score.games) * 3 >= u32::from(rounds) * 2;
    let (mut first, mut rest): (Vec<_>, Vec<_>) = scores.into_values().partition(qualifies);
    first.sort_by(|a, b| b.share(a).then(a.player.cmp(&b.player)));
    let mut ranked: Vec<BoardScore> = Vec::with_capacity(first.len() + rest.len());
    for group in first.chunk_by(|a, b| a.share(b).is_eq()) {
        let among = |player: PlayerNo| group.iter().any(|score| score.player == player);
        let encounter: BTreeMap<PlayerNo, u16> = (group.iter())
            .map(|score| {
                let own = played().filter(|game| among(game.white) && among(game.black));
                let points = own.map(|game| match score.player {
                    player if player == game.white => game.result.points(Color::White).0,
                    player if player == game.black => game.result.points(Color::Black).0,
                    _ => 0,
                });
                (score.player, points.sum())
            })
            .collect();
        // Direct encounter decides only where all of them met.
        let met = |a: PlayerNo, b: PlayerNo| {
            played().any(|game| {
                (game.white, game.black) == (a, b) || (game.white, game.black) == (b, a)
            })
        };
        let all_met = group
            .iter()
            .enumerate()
            .all(|(at, a)| group[at + 1..].iter().all(|b| met(a.player, b.player)));
        let key = |score: &BoardScore| {
            let encounter = if all_met { encounter[&score.player] } else { 0 };
            (encounter, score.wins, score.higher)
        };
        let mut group = group.to_vec();
        group.sort_by(|a, b| key(b).cmp(&key(a)).then(a.player.cmp(&b.player)));
        let from = ranked.len();
        for (at, score) in group.iter().enumerate() {
            let same = |other: &&BoardScore| key(other) == key(score);
            let ahead = group[..at]
                .iter()
                .filter(|it| key(it) != key(score))
                .count();
            ranked.push(BoardScore {
                place: u16::try_from(from + ahead + 1).ok(),
                shared: group.iter().filter(same).count() > 1,
                ..score.clone()
            });
        }
    }
    rest.sort_by(|a, b| b.share(a).then(a.player.cmp(&b.player)));
    ranked.extend(rest);
    ranked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(round: u16, board: u16, white: u16, black: u16, result: &str) -> BoardGame {
        BoardGame {
            round: RoundNo(round),
            board,
            white: PlayerNo(white),
            black: PlayerNo(black),
            result: result.parse().unwrap(),
        }
    }

    fn boards(of: &[(u16, u16)]) -> BTreeMap<PlayerNo, u16> {
        of.iter()
            .map(|(no, board)| (PlayerNo(*no), *board))
            .collect()
    }

    fn places(scores: &[BoardScore]) -> Vec<(u16, Option<u16>)> {
        scores.iter().map(|it| (it.player.0, it.place)).collect()
    }

    #[test]
    fn two_thirds_are_enough_and_less_is_not() {
        let games = [
            game(1, 1, 1, 11, "1-0"),
            game(2, 1, 12, 1, "0-1"),
            game(1, 2, 2, 13, "1-0"),
            game(3, 1, 1, 14, "+/-"),
        ];
        let scores = board_prizes(&boards(&[(1, 1), (2, 2)]), &games, 3);
        assert_eq!(places(&scores), [(1, Some(1)), (2, None)]);
        assert_eq!(
            (scores[0].games, scores[0].percentage()),
            (2, 10_000),
            "forfeits are no games"
        );
        // Of four possible games two are less than two thirds.
        let scores = board_prizes(&boards(&[(1, 1)]), &games, 4);
        assert_eq!(scores[0].place, None);
    }

    #[test]
    fn ties_go_by_encounter_wins_and_higher_boards() {
        // 1 and 2: both one of two; 2 has beaten 1.
        let met = [
            game(1, 1, 1, 2, "0-1"),
            game(2, 1, 1, 9, "1-0"),
            game(2, 1, 2, 8, "0-1"),
        ];
        let scores = board_prizes(&boards(&[(1, 1), (2, 1)]), &met, 3);
        assert_eq!(places(&scores), [(2, Some(1)), (1, Some(2))]);
        // They did not meet: one win and one loss before two draws.
        let wins = [
            game(1, 1, 1, 7, "1/2-1/2"),
            game(2, 1, 1, 8, "1/2-1/2"),
            game(1, 2, 2, 9, "1-0"),
            game(2, 2, 2, 6, "0-1"),
        ];
        let scores = board_prizes(&boards(&[(1, 1), (2, 2)]), &wins, 3);
        assert_eq!(places(&scores), [(2, Some(1)), (1, Some(2))]);
        // The same but for the board: who replaced on a higher one is first.
        let higher = [game(1, 1, 1, 7, "1/2-1/2"), game(1, 1, 2, 8, "1/2-1/2")];
        let scores = board_prizes(&boards(&[(1, 1), (2, 2)]), &higher, 1);
        assert_eq!(places(&scores), [(2, Some(1)), (1, Some(2))]);
        let same = board_prizes(&boards(&[(1, 1), (2, 1)]), &higher, 1);
        assert_eq!(places(&same), [(1, Some(1)), (2, Some(1))]);
        assert!(same[0].shared && same[1].shared);
    }
}
