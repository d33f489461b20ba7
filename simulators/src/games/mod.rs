//! Real games, and how long the players think.
//!
//! The games are embedded: amateur rapid and blitz games, some of them with clock times, names removed.
//! Only whole games with legal moves get in.

mod pgn;
mod thinking;

pub(crate) use pgn::can_mate;
pub use thinking::{Pace, thinking_times};

use std::{sync::OnceLock, time::Duration};

use rand::Rng as _;
use shakmaty::{Chess, Color, Move, Position as _};

use crate::seed;

/// How a game ended on the board or beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move.
    Stalemate,
    /// Neither side can mate.
    DeadPosition,
    /// The loser gives up.
    Resignation,
    /// The players agree.
    Agreement,
    /// The side to move runs out of time.
    TimeForfeit,
}

impl Ending {
    /// One short lower-case word or two, as in a report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::DeadPosition => "dead position",
            Self::Resignation => "resignation",
            Self::Agreement => "agreement",
            Self::TimeForfeit => "time forfeit",
        }
    }
}

/// Who won.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// This side.
    Win(Color),
    /// Nobody.
    Draw,
}

impl Outcome {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Win(Color::White) => "1-0",
            Self::Win(Color::Black) => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }
}

/// A whole game.
#[derive(Debug, Clone)]
pub struct Game {
    /// Legal moves from the start position.
    pub moves: Vec<Move>,
    /// Time left after each move, where the source has it for all moves.
    pub clocks: Option<Vec<Duration>>,
    /// Base time and increment of the source.
    pub budget: (Duration, Duration),
    /// Who won.
    pub outcome: Outcome,
    /// How.
    pub ending: Ending,
}

impl Game {
    /// The position in which the game ended.
    pub fn final_position(&self) -> Chess {
        let mut position = Chess::default();
        for &m in &self.moves {
            position.play_unchecked(m);
        }
        position
    }
}

/// All embedded games, read once.
pub fn library() -> &'static [Game] {
    static GAMES: OnceLock<Vec<Game>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let mut games = pgn::read(include_bytes!("../../data/games.pgn.gz"));
        games.extend(pgn::read(include_bytes!("../../data/clocked.pgn.gz")));
        games
    })
}

/// The number in the [`library`] of the game that this table plays in this round.
pub fn pick(seed: u64, round: u32, table: u16) -> usize {
    let mut rng = seed::rng(seed, &[GAMES, u64::from(round), u64::from(table)]);
    rng.random_range(0..library().len().max(1))
}

const GAMES: u64 = 0x0067_616d_6573;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn library_is_whole() {
        let games = library();
        assert!(games.len() > 1300, "{} games", games.len());
        let clocked = games.iter().filter(|game| game.clocks.is_some()).count();
        assert!(clocked > 100, "{clocked} clocked games");
        let count = |test: fn(&Move) -> bool| {
            games
                .iter()
                .filter(|game| game.moves.iter().any(test))
                .count()
        };
        assert!(count(|m| m.is_promotion()) > 50);
        assert!(count(|m| m.is_en_passant()) > 20);
        assert!(count(|m| m.is_castle()) > 800);
        for ending in [
            Ending::Checkmate,
            Ending::Stalemate,
            Ending::DeadPosition,
            Ending::Resignation,
            Ending::Agreement,
            Ending::TimeForfeit,
        ] {
            assert!(games.iter().any(|game| game.ending == ending), "{ending:?}");
        }
    }

    #[test]
    fn outcome_fits_the_final_position() {
        for game in library() {
            let position = game.final_position();
            match game.ending {
                Ending::Checkmate => {
                    assert!(position.is_checkmate());
                    assert_eq!(game.outcome, Outcome::Win(position.turn().other()));
                }
                Ending::Stalemate => assert!(position.is_stalemate()),
                Ending::DeadPosition => assert!(position.is_insufficient_material()),
                Ending::TimeForfeit => assert_ne!(game.outcome, Outcome::Win(position.turn())),
                Ending::Agreement => assert_eq!(game.outcome, Outcome::Draw),
                Ending::Resignation => assert_ne!(game.outcome, Outcome::Draw),
            }
        }
    }

    #[test]
    fn tables_play_different_games() {
        let picked: std::collections::BTreeSet<usize> =
            (1..=20).map(|table| pick(1, 1, table)).collect();
        assert!(picked.len() > 15);
        assert_eq!(pick(1, 2, 3), pick(1, 2, 3));
    }
}
