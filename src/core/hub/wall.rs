//! The wall of boards: positions and clocks of the running games, as they are or as they were.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen, uci::UciMove};

use super::{Hub, state::Game, view::WallTable};
use crate::types::{Now, TableNo};

impl Hub {
    /// All tables of a public round as they were so long ago; none of a draft, nor before its start.
    pub fn wall(&self, now: Now, delay: Duration) -> Vec<WallTable> {
        let round = self.state.round();
        let Some(round) = round.filter(|round| round.published && round.started_at.is_some())
        else {
            return Vec::new();
        };
        let games = round.games.iter();
        if delay.is_zero() {
            return games
                .map(|(table, game)| self.wall_now(*table, game, now))
                .collect();
        }
        let ago = SignedDuration::try_from(delay).unwrap_or_default();
        let until = now.utc.checked_sub(ago).unwrap_or(Timestamp::MIN);
        games
            .map(|(table, game)| self.wall_at(*table, game, until))
            .collect()
    }

    fn wall_now(&self, table: TableNo, game: &Game, now: Now) -> WallTable {
        let view = self.table_view(table, now);
        let clock = view.clock.as_ref();
        WallTable {
            table,
            white: self.player_view(game.white),
            black: self.player_view(game.black),
            white_ms: clock.map(|clock| clock.white_ms),
            black_ms: clock.map(|clock| clock.black_ms),
            running: clock.and_then(|clock| clock.running),
            position: view.position,
            last_uci: view.last_uci,
            result: view.result,
        }
    }

    fn wall_at(&self, table: TableNo, game: &Game, until: Timestamp) -> WallTable {
        let known = game.moves.partition_point(|played| played.at <= until);
        let times = game.moves[..known].iter().rev().find_map(|it| it.times);
        let result = game
            .result
            .filter(|_| game.result_at.is_some_and(|at| at <= until));
        WallTable {
            table,
            white: self.player_view(game.white),
            black: self.player_view(game.black),
            position: position_after(game, known),
            last_uci: game.moves[..known].last().map(|it| it.uci.to_string()),
            white_ms: times.map(|times| times.white.as_millis() as u64),
            black_ms: times.map(|times| times.black.as_millis() as u64),
            // Old times do not run on.
            running: None,
            result: result.map(|(result, _)| result.as_str().to_owned()),
        }
    }
}

/// First field of the FEN after so many of the moves.
fn position_after(game: &Game, known: usize) -> String {
    let mode = CastlingMode::Chess960;
    let read = |fen: &str| {
        let fen: Fen = fen.parse().ok()?;
        fen.into_position::<Chess>(mode).ok()
    };
    let mut position = game.start_fen().and_then(read).unwrap_or_default();
    for (ply, played) in game.moves[..known].iter().enumerate() {
        // After moves that are missing the record goes on from another position.
        let gap = game.gaps.iter().find(|gap| usize::from(gap.after) == ply);
        if let Some(after) = gap.and_then(|gap| read(gap.fen.as_deref()?)) {
            position = after;
        }
        let uci: Option<UciMove> = played.uci.parse().ok();
        let Some(made) = uci.and_then(|uci| uci.to_move(&position).ok()) else {
            break;
        };
        position.play_unchecked(made);
    }
    let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
    fen.split(' ').next().unwrap_or_default().to_owned()
}
