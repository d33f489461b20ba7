//! The games as PGN: for the record with everything in it, for a broadcast with what it may know.

use jiff::Timestamp;

use super::{
    Hub,
    event::{SetUp, Times},
    state::{Game, Round},
    view::{GameView, GapView, MoveView},
    views::word,
};
use crate::{
    chess::{
        MoveMade,
        game::{GameRecord, Gap, RecordedMove},
        pgn::{self, PgnTags},
        result::Outcome,
    },
    clock::TimeControl,
    tournament::{GameResult, Player, Termination},
    types::{Color, Mono, PlayerNo, RoundNo, TableNo},
};

/// One thing about a player.
type About = fn(&Player) -> Option<String>;

/// What may be told of the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feed {
    /// Names, titles, ratings and FIDE numbers; `Player 12` otherwise.
    pub names: bool,
    /// Only what happened until then; `None` = until now.
    pub until: Option<Timestamp>,
    /// Half-moves of a running game that are held back.
    pub held_back: u16,
}

/// One game as PGN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamePgn {
    /// Its table.
    pub table: TableNo,
    /// It has a result.
    pub over: bool,
    /// Its text by each of the feeds that were asked for; ends with an empty line.
    pub texts: Vec<String>,
}

impl Feed {
    /// Everything.
    pub const RECORD: Self = Self {
        names: true,
        until: None,
        held_back: 0,
    };

    fn tells(&self, at: Timestamp) -> bool {
        self.until.is_none_or(|until| at <= until)
    }
}

impl Hub {
    /// The game of a table; of the current round when none is named.
    pub fn game_view(&self, table: TableNo, round: Option<RoundNo>) -> Option<GameView> {
        let round = match round {
            None => self.state.round()?,
            Some(number) => self.round_of(number)?,
        };
        let game = round.games.get(&table)?;
        let moves = game
            .moves
            .iter()
            .zip(game.sides())
            .map(|(played, side)| MoveView {
                san: played.san.to_string(),
                uci: played.uci.to_string(),
                clock_ms: played.times.map(|times| times.of(side).as_millis() as u64),
            })
            .collect();
        Some(GameView {
            table,
            round: round.number,
            start: game.start_fen().map(str::to_owned),
            moves,
            gaps: game.gaps.iter().map(gap_view).collect(),
            pgn: self.pgn(round, table, game, Feed::RECORD)?,
        })
    }

    /// All games of a round, in the order of their tables.
    pub fn round_pgn(&self, round: RoundNo) -> Option<String> {
        let round = self.round_of(round)?;
        let games = round
            .games
            .iter()
            .filter_map(|(table, game)| self.pgn(round, *table, game, Feed::RECORD));
        Some(games.collect::<Vec<_>>().join("\n"))
    }

    /// Games of a round that is public, each as far as every one of `feeds` tells it. Tables without a
    /// game are left out; a draft has no games.
    pub fn games_pgn(&self, round: RoundNo, tables: &[TableNo], feeds: &[Feed]) -> Vec<GamePgn> {
        let Some(round) = self.round_of(round).filter(|round| round.published) else {
            return Vec::new();
        };
        let told = |table: &TableNo| {
            let game = round.games.get(table)?;
            let texts = feeds
                .iter()
                .map(|feed| self.pgn(round, *table, game, *feed));
            Some(GamePgn {
                table: *table,
                over: game.result.is_some(),
                texts: texts.collect::<Option<_>>()?,
            })
        };
        tables.iter().filter_map(told).collect()
    }

    pub(super) fn round_of(&self, number: RoundNo) -> Option<&Round> {
        let mut rounds = self.state.rounds.iter();
        rounds.find(|round| round.number == number)
    }

    fn pgn(&self, round: &Round, table: TableNo, game: &Game, feed: Feed) -> Option<String> {
        let set_up = self.state.set_up.as_ref()?;
        let control = set_up.control();
        let result = game
            .result
            .filter(|_| game.result_at.is_none_or(|at| feed.tells(at)));
        let tags = self.tags(set_up, round, table, game, result, feed);
        let record = match result {
            // What stood on the board was no game.
            Some((result, _)) if !result.is_played() => GameRecord::default(),
            _ => record(game, control.as_ref(), result.is_some(), feed),
        };
        Some(pgn::write(&tags, &record))
    }

    fn tags(
        &self,
        set_up: &SetUp,
        round: &Round,
        table: TableNo,
        game: &Game,
        result: Option<(GameResult, Termination)>,
        feed: Feed,
    ) -> PgnTags {
        let mut more: Vec<(String, String)> = Vec::new();
        let mut tag = |name: &str, value: Option<String>| {
            more.extend(value.map(|value| (name.to_owned(), value)));
        };
        let sides = self.sides();
        let team = |no: PlayerNo| {
            let side = sides.iter().find(|(_, players)| players.contains(&no));
            side.map(|(name, _)| name.clone()).filter(|_| feed.names)
        };
        let player = |no| self.state.player(no).filter(|_| feed.names);
        let both = [("White", game.white), ("Black", game.black)];
        let about: [(&str, About); 3] = [
            ("Title", |player| {
                player.title.map(|title| title.to_string())
            }),
            ("Elo", |player| player.rating.map(|elo| elo.to_string())),
            ("FideId", |player| player.fide_id.map(|id| id.to_string())),
        ];
        for (suffix, of) in about {
            for (side, no) in both {
                tag(&format!("{side}{suffix}"), player(no).and_then(of));
            }
        }
        for (side, no) in both {
            tag(&format!("{side}Team"), team(no));
        }
        tag("Board", Some(table.to_string()));
        tag(
            "TimeControl",
            set_up.control().map(|control| control.to_pgn()),
        );
        let began = game
            .clock_from
            .map(|(at, _)| at)
            .filter(|_| result.is_none_or(|(result, _)| result.is_played()))
            .filter(|at| feed.tells(*at));
        let utc = |form: &str| began.map(|at| at.strftime(form).to_string());
        tag("UTCDate", utc("%Y.%m.%d"));
        tag("UTCTime", utc("%H:%M:%S"));
        tag(
            "Termination",
            Some(ended(result, game.clock_started || !game.moves.is_empty()).to_owned()),
        );
        tag(
            "TerminationReason",
            result
                .filter(|(_, how)| *how != Termination::Unknown)
                .map(|(_, how)| word(how)),
        );
        let name = |no: PlayerNo| match player(no) {
            Some(player) => player.name.clone(),
            None => format!("Player {no}"),
        };
        let date = began.or(round.started_at).or(round.starts_at);
        PgnTags {
            event: set_up.settings.name.clone(),
            site: String::new(),
            date: date.map_or_else(String::new, |date| {
                let local = self.settings.zone.to_datetime(date);
                local.strftime("%Y.%m.%d").to_string()
            }),
            round: format!("{}.{table}", round.number),
            white: name(game.white),
            black: name(game.black),
            result: result.and_then(|(result, _)| outcome(result)),
            more,
            remark: result
                .filter(|(result, _)| outcome(*result).is_none())
                .map_or_else(String::new, |(result, _)| {
                    format!("Result {}", result.as_str())
                }),
        }
    }
}

/// How a game ended in the words of the PGN standard (9.8.1), and two more for what was not played.
fn ended(result: Option<(GameResult, Termination)>, begun: bool) -> &'static str {
    let Some((result, how)) = result else {
        return if begun { "unterminated" } else { "unplayed" };
    };
    if !result.is_played() {
        return if result.winner().is_some() {
            "forfeit"
        } else {
            "unplayed"
        };
    }
    match how {
        Termination::Flag | Termination::FlagNoMatingMaterial => "time forfeit",
        Termination::IllegalMoves
        | Termination::UnfairPlay
        | Termination::ElectronicDevice
        | Termination::RefusedToPlay => "rules infraction",
        Termination::Adjudicated | Termination::ResultNotShown => "adjudication",
        Termination::Left => "abandoned",
        Termination::NoShow | Termination::Late => "forfeit",
        Termination::Mate
        | Termination::Resignation
        | Termination::Stalemate
        | Termination::DeadPosition
        | Termination::Agreement
        | Termination::Threefold
        | Termination::FiftyMoves
        | Termination::SeventyFiveMoves
        | Termination::Fivefold
        | Termination::Unknown => "normal",
    }
}

/// PGN has no sign for a game that both lose.
fn outcome(result: GameResult) -> Option<Outcome> {
    match result.winner() {
        Some(winner) => Some(Outcome::win(winner)),
        None if result == GameResult::Draw => Some(Outcome::Draw),
        None => None,
    }
}

pub(super) fn gap_view(gap: &Gap) -> GapView {
    GapView {
        after: gap.after,
        fen: gap.fen.clone(),
    }
}

/// A game as far as the feed tells it. Nothing is held back once its result is told.
fn record(game: &Game, control: Option<&TimeControl>, over: bool, feed: Feed) -> GameRecord {
    let told = game.moves.iter().take_while(|played| feed.tells(played.at));
    let held_back = if over { 0 } else { feed.held_back };
    let shown = told.count().saturating_sub(held_back.into());
    let whole = shown == game.moves.len()
        && (over
            || feed
                == Feed {
                    names: feed.names,
                    ..Feed::RECORD
                });
    // Both may rest on what the clock showed at the next press.
    let pressed = |index: usize| game.moves.get(index).and_then(|played| played.pressed_at);
    let read = |index: usize| pressed(index).is_none_or(|at| feed.tells(at));
    let settled =
        |index: usize| index + 1 < shown && pressed(index + 1).is_some() && read(index + 1);
    let times = |index: usize, side: Color| -> Option<Times> {
        let known = if settled(index) {
            game.left(index, side, control)
        } else {
            game.moves.get(index)?.times
        };
        known.filter(|_| read(index))
    };
    let spent = |index: usize, side: Color| {
        let last = index + 1 == game.moves.len();
        game.spent(index, side, control)
            .filter(|_| read(index) && (last || settled(index)))
    };
    let moves = game.moves[..shown].iter().zip(game.sides()).enumerate();
    GameRecord {
        start: game.start_fen().map(str::to_owned),
        variant: game.variant(),
        moves: moves
            .map(|(index, (played, side))| RecordedMove {
                made: made(index, side, &played.uci, &played.san),
                times: times(index, side),
                spent: spent(index, side),
            })
            .collect(),
        illegal: game
            .attempts
            .iter()
            .filter(|attempt| {
                let ply = usize::from(attempt.what.ply);
                feed.tells(attempt.at)
                    && (whole || ply <= shown || (held_back == 0 && ply == shown + 1))
            })
            .map(|attempt| attempt.what.clone())
            .collect(),
        // The position behind a gap tells what was played there.
        gaps: game
            .gaps
            .iter()
            .filter(|gap| whole || usize::from(gap.after) < shown)
            .cloned()
            .collect(),
    }
}

fn made(index: usize, side: Color, uci: &str, san: &str) -> MoveMade {
    MoveMade {
        ply: index as u16 + 1,
        side,
        uci: uci.to_owned(),
        san: san.to_owned(),
        pressed: false,
        inferred: false,
        at: Mono::ZERO,
    }
}
