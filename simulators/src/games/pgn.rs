//! Reading the embedded PGN.

use std::{
    io::{BufReader, Read as _},
    ops::ControlFlow,
    time::Duration,
};

use flate2::read::GzDecoder;
use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};
use shakmaty::{Chess, Color, KnownOutcome, Move, Outcome as Known, Position};

use super::{Ending, Game, Outcome};

/// A game shorter than this teaches nothing.
const FEWEST_PLIES: usize = 8;

/// All whole legal games of a gzipped PGN.
pub(super) fn read(gz: &[u8]) -> Vec<Game> {
    let mut reader = Reader::new(BufReader::new(GzDecoder::new(gz).take(64 << 20)));
    let mut games = Vec::new();
    while let Ok(Some(game)) = reader.read_game(&mut Collector) {
        games.extend(game);
    }
    games
}

struct Collector;

#[derive(Default)]
struct Draft {
    time_control: String,
    termination: String,
    position: Chess,
    moves: Vec<Move>,
    clocks: Vec<Duration>,
    outcome: Option<KnownOutcome>,
    legal: bool,
}

impl Visitor for Collector {
    type Tags = Draft;
    type Movetext = Draft;
    type Output = Option<Game>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Draft> {
        ControlFlow::Continue(Draft {
            legal: true,
            ..Draft::default()
        })
    }

    fn tag(
        &mut self,
        draft: &mut Draft,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        let text = || String::from_utf8_lossy(value.as_bytes()).into_owned();
        match name {
            b"TimeControl" => draft.time_control = text(),
            b"Termination" => draft.termination = text().to_lowercase(),
            b"FEN" | b"Variant" => draft.legal = false,
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, draft: Draft) -> ControlFlow<Self::Output, Draft> {
        ControlFlow::Continue(draft)
    }

    fn san(&mut self, draft: &mut Draft, san: SanPlus) -> ControlFlow<Self::Output> {
        match san.san.to_move(&draft.position) {
            Ok(m) => {
                draft.position.play_unchecked(m);
                draft.moves.push(m);
            }
            Err(_) => draft.legal = false,
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, draft: &mut Draft, comment: RawComment<'_>) -> ControlFlow<Self::Output> {
        draft
            .clocks
            .extend(clock_of(&String::from_utf8_lossy(comment.as_bytes())));
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, draft: &mut Draft, outcome: Known) -> ControlFlow<Self::Output> {
        draft.outcome = outcome.known();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, draft: Draft) -> Self::Output {
        finish(draft)
    }
}

fn finish(draft: Draft) -> Option<Game> {
    if !draft.legal || draft.moves.len() < FEWEST_PLIES {
        return None;
    }
    let outcome = match draft.outcome? {
        KnownOutcome::Decisive { winner } => Outcome::Win(winner),
        KnownOutcome::Draw => Outcome::Draw,
    };
    let ending = ending(&draft.position, outcome, &draft.termination)?;
    let clocks = (draft.clocks.len() == draft.moves.len()).then_some(draft.clocks);
    let budget = budget_of(&draft.time_control)?;
    Some(Game {
        moves: draft.moves,
        clocks,
        budget,
        outcome,
        ending,
    })
}

/// How it ended; `None` when the result contradicts the final position.
fn ending(position: &Chess, outcome: Outcome, termination: &str) -> Option<Ending> {
    let turn = position.turn();
    if position.is_checkmate() {
        return (outcome == Outcome::Win(turn.other())).then_some(Ending::Checkmate);
    }
    if position.is_stalemate() {
        return (outcome == Outcome::Draw).then_some(Ending::Stalemate);
    }
    if position.is_insufficient_material() {
        return (outcome == Outcome::Draw).then_some(Ending::DeadPosition);
    }
    let on_time = termination.contains("time");
    match outcome {
        // The winner's flag cannot have fallen, and a bare king does not win on time.
        Outcome::Win(winner) if on_time && winner != turn && can_mate(position, winner) => {
            Some(Ending::TimeForfeit)
        }
        Outcome::Win(_) => Some(Ending::Resignation),
        Outcome::Draw if on_time && !can_mate(position, turn.other()) => Some(Ending::TimeForfeit),
        Outcome::Draw => Some(Ending::Agreement),
    }
}

pub(crate) fn can_mate(position: &Chess, side: Color) -> bool {
    !position.has_insufficient_material(side)
}

/// `600+5` or `180`, in seconds.
fn budget_of(text: &str) -> Option<(Duration, Duration)> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let seconds = |part: &str| part.parse().ok().map(Duration::from_secs);
    Some((seconds(base)?, seconds(increment)?))
}

/// The time in `[%clk 0:02:45.6]`.
fn clock_of(comment: &str) -> Option<Duration> {
    let text = comment.split_once("[%clk ")?.1.split_once(']')?.0;
    let seconds = text.split(':').try_fold(0.0, |sum: f64, part| {
        part.trim().parse::<f64>().map(|value| sum * 60.0 + value)
    });
    Duration::try_from_secs_f64(seconds.ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_comments() {
        assert_eq!(
            clock_of(" [%clk 0:02:45.5] "),
            Some(Duration::from_millis(165_500))
        );
        assert_eq!(clock_of(" [%eval 0.3] "), None);
        assert_eq!(
            budget_of("600+5"),
            Some((Duration::from_mins(10), Duration::from_secs(5)))
        );
        assert_eq!(budget_of("-"), None);
    }
}
