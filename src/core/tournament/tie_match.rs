//! The match that decides a tie for a place (R-ST-8): two games with changed colours, then one of five
//! minutes against four in which a draw is a win for Black. Who has White first, and in the last game, is
//! drawn by lot or chosen by who won the lot; either is told and recorded.

use serde::{Deserialize, Serialize};

use crate::{
    tournament::result::GameResult,
    types::{Color, PlayerNo, Points},
};

/// How a tie is played off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TieRules {
    /// Games before the last one; colours change in each.
    pub games: u16,
    /// A decisive game follows a level match; without it the lot decides.
    pub armageddon: bool,
}

impl Default for TieRules {
    /// R-ST-8: two games, then five minutes against four.
    fn default() -> Self {
        Self {
            games: 2,
            armageddon: true,
        }
    }
}

/// A game of the match, as it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TieGame {
    /// White.
    pub white: PlayerNo,
    /// The result.
    pub result: GameResult,
}

/// A match between two who are tied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TieMatch {
    /// The two.
    pub players: [PlayerNo; 2],
    /// How it is played.
    pub rules: TieRules,
    /// Who has White in the first game, as the lot said.
    pub first_white: PlayerNo,
    /// Who has White in the decisive game, once it is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_white: Option<PlayerNo>,
    /// Whom the lot named, where no game decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_lot: Option<PlayerNo>,
    /// The games so far.
    pub games: Vec<TieGame>,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "next", rename_all = "kebab-case")]
pub enum Next {
    /// A game.
    Game {
        /// Its number, from 1.
        number: u16,
        /// White.
        white: PlayerNo,
        /// Black.
        black: PlayerNo,
        /// White has five minutes, Black four and the draw.
        armageddon: bool,
    },
    /// Who has White in the decisive game must be said: by lot, or by the choice of who won it.
    Colour,
    /// The lot must name the winner.
    Lot,
    /// It is decided.
    Won {
        /// Who.
        winner: PlayerNo,
        /// By what.
        by: Decisive,
    },
}

/// What decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decisive {
    /// The points of the games.
    Points,
    /// The decisive game, won over the board or by forfeit.
    Armageddon,
    /// A draw in the decisive game, as Black.
    DrawOdds,
    /// The lot.
    Lot,
}

/// What cannot be in such a match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TieError {
    /// Somebody else.
    #[error("{0} does not play in this match")]
    Stranger(PlayerNo),
    /// Against the colours that are due.
    #[error("{due} has White in game {number}")]
    WrongWhite {
        /// The game.
        number: u16,
        /// Who has White.
        due: PlayerNo,
    },
    /// No game is due.
    #[error("no game is due: {0}")]
    NotDue(&'static str),
}

impl TieMatch {
    /// A match that has not begun.
    ///
    /// # Errors
    /// When White in the first game is neither of the two.
    pub fn new(
        players: [PlayerNo; 2],
        rules: TieRules,
        first_white: PlayerNo,
    ) -> Result<Self, TieError> {
        if !players.contains(&first_white) {
            return Err(TieError::Stranger(first_white));
        }
        Ok(Self {
            players,
            rules,
            first_white,
            last_white: None,
            by_lot: None,
            games: Vec::new(),
        })
    }

    fn other(&self, player: PlayerNo) -> PlayerNo {
        let [one, two] = self.players;
        if player == one { two } else { one }
    }

    /// The points of a player in the games before the decisive one.
    pub fn points(&self, player: PlayerNo) -> Points {
        let games = self.games.iter().take(self.rules.games.into());
        Points(games.map(|game| Self::of(*game, player).0).sum())
    }

    fn of(game: TieGame, player: PlayerNo) -> Points {
        game.result.points(if game.white == player {
            Color::White
        } else {
            Color::Black
        })
    }

    /// What comes next. A match ends as soon as the other cannot draw level.
    pub fn next(&self) -> Next {
        let played = u16::try_from(self.games.len()).unwrap_or(u16::MAX);
        let [one, two] = self.players;
        let (first, second) = (self.points(one), self.points(two));
        let (ahead, lead) = if first > second {
            (one, first.0 - second.0)
        } else {
            (two, second.0 - first.0)
        };
        let left = self.rules.games.saturating_sub(played);
        if lead > left * Points::ONE.0 {
            return Next::Won {
                winner: ahead,
                by: Decisive::Points,
            };
        }
        if left > 0 {
            let white = if played % 2 == 0 {
                self.first_white
            } else {
                self.other(self.first_white)
            };
            return Next::Game {
                number: played + 1,
                white,
                black: self.other(white),
                armageddon: false,
            };
        }
        if let Some(winner) = self.by_lot {
            return Next::Won {
                winner,
                by: Decisive::Lot,
            };
        }
        if !self.rules.armageddon {
            return Next::Lot;
        }
        match (
            self.last_white,
            self.games.get(usize::from(self.rules.games)),
        ) {
            (None, _) => Next::Colour,
            (Some(white), None) => Next::Game {
                number: played + 1,
                white,
                black: self.other(white),
                armageddon: true,
            },
            (Some(_), Some(last)) => self.decided_by(*last),
        }
    }

    /// What the decisive game says.
    fn decided_by(&self, last: TieGame) -> Next {
        let black = self.other(last.white);
        match last.result.winner() {
            Some(side) => Next::Won {
                winner: if side.is_white() { last.white } else { black },
                by: Decisive::Armageddon,
            },
            None if last.result == GameResult::Draw => Next::Won {
                winner: black,
                by: Decisive::DrawOdds,
            },
            None => Next::Lot,
        }
    }

    /// Says who has White in the decisive game.
    ///
    /// # Errors
    /// When it is not due, or he is neither of the two.
    pub fn set_last_white(&mut self, white: PlayerNo) -> Result<(), TieError> {
        if !self.players.contains(&white) {
            return Err(TieError::Stranger(white));
        }
        if self.next() != Next::Colour {
            return Err(TieError::NotDue(
                "the colours of the last game are not open",
            ));
        }
        self.last_white = Some(white);
        Ok(())
    }

    /// Says whom the lot named.
    ///
    /// # Errors
    /// When no lot is due, or he is neither of the two.
    pub fn set_lot(&mut self, winner: PlayerNo) -> Result<(), TieError> {
        if !self.players.contains(&winner) {
            return Err(TieError::Stranger(winner));
        }
        if self.next() != Next::Lot {
            return Err(TieError::NotDue("no lot is needed"));
        }
        self.by_lot = Some(winner);
        Ok(())
    }

    /// Takes the result of the game that is due.
    ///
    /// # Errors
    /// When no game is due, or White is the other one.
    pub fn record(&mut self, game: TieGame) -> Result<(), TieError> {
        match self.next() {
            Next::Game { number, white, .. } if white != game.white => {
                Err(TieError::WrongWhite { number, due: white })
            }
            Next::Game { .. } => {
                self.games.push(game);
                Ok(())
            }
            Next::Colour => Err(TieError::NotDue("say who has White in the last game first")),
            Next::Lot => Err(TieError::NotDue("the lot must name the winner")),
            Next::Won { .. } => Err(TieError::NotDue("the match is decided")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: PlayerNo = PlayerNo(1);
    const TWO: PlayerNo = PlayerNo(2);

    fn tie(rules: TieRules) -> TieMatch {
        TieMatch::new([ONE, TWO], rules, TWO).unwrap()
    }

    fn play(tie: &mut TieMatch, white: PlayerNo, result: &str) {
        let result = result.parse().unwrap();
        tie.record(TieGame { white, result }).unwrap();
    }

    #[test]
    fn two_games_with_changed_colours_decide() {
        let mut tie = tie(TieRules::default());
        play(&mut tie, TWO, "1/2-1/2");
        let wrong = TieGame {
            white: TWO,
            result: GameResult::Draw,
        };
        assert_eq!(
            tie.record(wrong),
            Err(TieError::WrongWhite {
                number: 2,
                due: ONE
            })
        );
        play(&mut tie, ONE, "1-0");
        assert_eq!(
            tie.next(),
            Next::Won {
                winner: ONE,
                by: Decisive::Points
            }
        );
        assert!(
            tie.record(TieGame {
                white: TWO,
                result: GameResult::Draw
            })
            .is_err()
        );
    }

    #[test]
    fn a_level_match_goes_to_five_against_four() {
        for (last, winner, by) in [
            ("1-0", ONE, Decisive::Armageddon),
            ("1/2-1/2", TWO, Decisive::DrawOdds),
            ("-/+", TWO, Decisive::Armageddon),
        ] {
            let mut tie = tie(TieRules::default());
            play(&mut tie, TWO, "1-0");
            play(&mut tie, ONE, "1-0");
            assert_eq!(tie.next(), Next::Colour);
            tie.set_last_white(ONE).unwrap();
            let game = Next::Game {
                number: 3,
                white: ONE,
                black: TWO,
                armageddon: true,
            };
            assert_eq!(tie.next(), game);
            play(&mut tie, ONE, last);
            assert_eq!(tie.next(), Next::Won { winner, by }, "{last}");
        }
    }

    #[test]
    fn the_lot_decides_where_no_game_does() {
        let mut tie = tie(TieRules {
            games: 2,
            armageddon: false,
        });
        play(&mut tie, TWO, "1/2-1/2");
        play(&mut tie, ONE, "1/2-1/2");
        assert_eq!(tie.next(), Next::Lot);
        assert_eq!(
            tie.set_lot(PlayerNo(3)),
            Err(TieError::Stranger(PlayerNo(3)))
        );
        tie.set_lot(TWO).unwrap();
        assert_eq!(
            tie.next(),
            Next::Won {
                winner: TWO,
                by: Decisive::Lot
            }
        );
        let mut none = self::tie(TieRules::default());
        play(&mut none, TWO, "0-0");
        play(&mut none, ONE, "0-0");
        none.set_last_white(ONE).unwrap();
        play(&mut none, ONE, "-/-");
        assert_eq!(none.next(), Next::Lot, "nobody came");
    }

    #[test]
    fn a_match_of_four_ends_when_it_cannot_be_made_level() {
        let mut tie = tie(TieRules {
            games: 4,
            armageddon: true,
        });
        play(&mut tie, TWO, "1-0");
        play(&mut tie, ONE, "0-1");
        assert!(
            matches!(tie.next(), Next::Game { number: 3, .. }),
            "level is still possible"
        );
        play(&mut tie, TWO, "1/2-1/2");
        assert_eq!(
            tie.next(),
            Next::Won {
                winner: TWO,
                by: Decisive::Points
            }
        );
        let text = serde_json::to_string(&tie).unwrap();
        assert_eq!(serde_json::from_str::<TieMatch>(&text).unwrap(), tie);
    }
}
