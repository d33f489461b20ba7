//! The sample of real games.

use std::ops::ControlFlow;

use flagfall_core::chess::result::Outcome;
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{Chess, Move, Position};

pub(crate) struct Game {
    pub(crate) moves: Vec<Move>,
    pub(crate) outcome: Outcome,
    pub(crate) last: Chess,
}

struct Collect;

impl Visitor for Collect {
    type Tags = Option<Outcome>;
    type Movetext = (Option<Outcome>, Chess, Vec<Move>);
    type Output = Game;

    fn begin_tags(&mut self) -> ControlFlow<Game, Self::Tags> {
        ControlFlow::Continue(None)
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Game> {
        if name == b"Result" {
            *tags = match value.as_bytes() {
                b"1-0" => Some(Outcome::White),
                b"0-1" => Some(Outcome::Black),
                _ => Some(Outcome::Draw),
            };
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Game, Self::Movetext> {
        ControlFlow::Continue((tags, Chess::default(), Vec::new()))
    }

    fn san(&mut self, text: &mut Self::Movetext, san: SanPlus) -> ControlFlow<Game> {
        let mv = san.san.to_move(&text.1).unwrap();
        text.1.play_unchecked(mv);
        text.2.push(mv);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (outcome, last, moves): Self::Movetext) -> Game {
        Game {
            moves,
            outcome: outcome.unwrap(),
            last,
        }
    }
}

pub(crate) fn games() -> Vec<Game> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/games-sample.pgn"
    );
    let mut reader = Reader::new(std::fs::File::open(path).unwrap());
    std::iter::from_fn(|| reader.read_game(&mut Collect).unwrap()).collect()
}
