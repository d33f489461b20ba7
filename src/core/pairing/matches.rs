//! A match between two, and the match tournament: matches of several games in the order of the
//! Berger tables (rules 7.5).

use serde::{Deserialize, Serialize};

use super::{
    Entrant, Explanation, FormatError, FormatReason, Input, PairingError, RoundPairing, System,
    berger, entrants,
    schedule::{Meetings, Seats},
};
use crate::types::{Color, PlayerNo, Points};

/// When a match ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "by")]
pub enum MatchLength {
    /// The majority of a number of games.
    Games {
        /// How many.
        games: u16,
        /// They play on when one can no longer be caught.
        play_all: bool,
    },
    /// Whoever first has so many points.
    Points {
        /// The points.
        points: Points,
        /// No more games than these.
        most: Option<u16>,
    },
    /// Whoever first has won so many games.
    Wins {
        /// The number of wins.
        wins: u16,
        /// No more games than these.
        most: Option<u16>,
    },
}

/// A match between two players or teams; each game is a round.
///
/// The colours alternate, whatever became of a game. In the first game the smaller number has the
/// initial colour of the settings, which the lot gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Match {
    /// When it ends.
    pub length: MatchLength,
    /// The colours of the second half are turned round; only with an even number of games.
    pub second_half_reversed: bool,
}

impl Match {
    /// So many games, ended when one can no longer be caught.
    pub const fn of(games: u16) -> Self {
        Self {
            length: MatchLength::Games {
                games,
                play_all: false,
            },
            second_half_reversed: false,
        }
    }

    const fn most(self) -> Option<u16> {
        match self.length {
            MatchLength::Games { games, .. } => Some(games),
            MatchLength::Points { most, .. } | MatchLength::Wins { most, .. } => most,
        }
    }

    /// The colours of this game are turned by the change at half-time.
    fn turned(self, game: u16) -> bool {
        self.second_half_reversed
            && self
                .most()
                .is_some_and(|games| games % 2 == 0 && game > games / 2)
    }

    /// Who has won the match, once nothing can change it; nothing while it is open or when it ended
    /// level.
    ///
    /// # Errors
    /// When there are not two players, or the input contradicts itself.
    pub fn winner(&self, input: &Input) -> Result<Option<PlayerNo>, PairingError> {
        let (a, b) = two(input)?;
        let (mut points, mut wins) = ([0_u32; 2], [0_u16; 2]);
        for game in input.history.iter().flat_map(|past| &past.games) {
            let of_a = if game.white == a.no {
                [game.white_points, game.black_points]
            } else {
                [game.black_points, game.white_points]
            };
            for (sum, own) in points.iter_mut().zip(of_a) {
                *sum += u32::from(own.0);
            }
            match of_a[0].cmp(&of_a[1]) {
                std::cmp::Ordering::Greater => wins[0] += 1,
                std::cmp::Ordering::Less => wins[1] += 1,
                std::cmp::Ordering::Equal => {}
            }
        }
        let played = input.history.len() as u16;
        let left = self.most().map(|most| most.saturating_sub(played));
        let leader = match points[0].cmp(&points[1]) {
            std::cmp::Ordering::Greater => Some(0),
            std::cmp::Ordering::Less => Some(1),
            std::cmp::Ordering::Equal => None,
        };
        let reached = match self.length {
            MatchLength::Games { play_all, .. } => {
                let reserve =
                    u32::from(left.unwrap_or(u16::MAX)) * u32::from(input.settings.scoring.win.0);
                let lead = points[0].abs_diff(points[1]);
                leader.filter(|_| left == Some(0) || !play_all && lead > reserve)
            }
            MatchLength::Points { points: goal, .. } => {
                leader.filter(|&i| points[i] >= u32::from(goal.0) || left == Some(0))
            }
            MatchLength::Wins { wins: goal, .. } => (0..2)
                .find(|&i| wins[i] >= goal)
                .or_else(|| leader.filter(|_| left == Some(0))),
        };
        Ok(reached.map(|i| [a.no, b.no][i]))
    }
}

impl System for Match {
    fn name(&self) -> &'static str {
        "match"
    }

    fn rounds(&self, _entrants: usize) -> Option<u16> {
        self.most()
    }

    fn pair(&self, input: &Input) -> Result<RoundPairing, PairingError> {
        let (a, b) = two(input)?;
        let game = input.round.0;
        if game == 0 || self.most().is_some_and(|most| game > most) {
            return Err(PairingError::NoSuchRound {
                round: input.round,
                rounds: self.most().unwrap_or(u16::MAX),
            });
        }
        if let Some(winner) = self.winner(input)? {
            let games = input.history.len() as u16;
            return Err(FormatError::MatchDecided { winner, games }.into());
        }
        let reversed = self.turned(game);
        let initial = input.settings.initial_colour.unwrap_or(Color::White);
        let (white, black) = if initial.is_white() == ((game % 2 == 1) != reversed) {
            (a, b)
        } else {
            (b, a)
        };
        let meetings = Meetings::new(input);
        let mut seats = Seats::new(input.round, &meetings, u16::MAX);
        let reason = FormatReason::MatchGame { game, reversed };
        seats.seat(white, black, Explanation::Format(reason))?;
        seats.finish()
    }
}

fn two(input: &Input) -> Result<(Entrant, Entrant), PairingError> {
    match entrants(input)?[..] {
        [a, b] => Ok((a, b)),
        ref more => Err(FormatError::NotTwo {
            entered: more.len(),
        }
        .into()),
    }
}

/// Everybody meets everybody in a match of several games, the games of a match in consecutive
/// rounds. With one game a match it is a round robin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchTournament {
    /// How many games a match has. Zero counts as one.
    pub games: u16,
    /// How many matches a pair plays; even cycles have the colours reversed. Zero counts as one.
    pub cycles: u16,
}

impl MatchTournament {
    fn games(self) -> u16 {
        self.games.max(1)
    }

    fn cycles(self) -> u16 {
        self.cycles.max(1)
    }
}

impl System for MatchTournament {
    fn name(&self) -> &'static str {
        "match-tournament"
    }

    fn rounds(&self, entrants: usize) -> Option<u16> {
        let players = u16::try_from(entrants).ok().filter(|&n| n < u16::MAX)?;
        berger::table_size(players)
            .checked_sub(1)?
            .checked_mul(self.cycles())?
            .checked_mul(self.games())
    }

    fn pair(&self, input: &Input) -> Result<RoundPairing, PairingError> {
        let entrants = entrants(input)?;
        let all = self
            .rounds(entrants.len())
            .ok_or(PairingError::TooManyPlayers {
                entered: entrants.len(),
                system: self.name(),
            })?;
        let rounds = input.settings.rounds.map_or(all, |rounds| rounds.min(all));
        let no_such_round = PairingError::NoSuchRound {
            round: input.round,
            rounds,
        };
        if input.round.0 == 0 || input.round.0 > rounds {
            return Err(no_such_round);
        }
        let games = self.games();
        let (number, game) = (
            (input.round.0 - 1) / games + 1,
            (input.round.0 - 1) % games + 1,
        );
        let (cycle, table_round) =
            berger::table_round(entrants.len() as u16, self.cycles(), number)
                .ok_or(no_such_round)?;
        let meetings = Meetings::new(input);
        let most = games.saturating_mul(self.cycles());
        let mut seats = Seats::new(input.round, &meetings, most);
        let reversed = (game % 2 == 0) != (cycle % 2 == 0);
        berger::seat_round(&mut seats, &entrants, table_round, reversed, |_, _| {
            Explanation::Format(FormatReason::MatchTournament {
                table_round,
                game,
                games,
                cycle,
            })
        })?;
        seats.finish()
    }
}
