//! What the hub made of games against what was really played.

use std::collections::BTreeMap;

use flagfall_core::{
    hub::{
        event::{BoardFact, Fact},
        state::Game,
    },
    types::{RoundNo, TableNo},
};
use shakmaty::{Board, Chess, Color, Position, fen::Fen, uci::UciMove};

use crate::virtual_hall::Outcome;

/// A record against what was really played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Record {
    Complete,
    /// Moves are missing, and the record says where.
    Gap,
    /// It ends early, and it was said that the board is not understood.
    Told,
    /// Moves are missing and nobody knows.
    Silent,
    /// It says what was not played.
    Wrong,
}

/// The positions of a game, the start first, as the men stand and who is to move.
fn stages(moves: &[String]) -> Vec<(Board, Color)> {
    let mut position = Chess::default();
    let stage = |position: &Chess| (position.board().clone(), position.turn());
    let mut stages = vec![stage(&position)];
    for uci in moves {
        let mv = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        position.play_unchecked(mv);
        stages.push(stage(&position));
    }
    stages
}

/// Each part of the record must be a part of what was played, in the same order, and begin from a
/// position that stood on the board.
pub(crate) fn judge(game: &Game, truth: &[String], disturbed: bool) -> Record {
    let ours: Vec<&str> = game.moves.iter().map(|played| &*played.uci).collect();
    let stages = stages(truth);
    let agrees = |from: usize, part: &[&str]| {
        truth
            .get(from..from + part.len())
            .is_some_and(|played| played == part)
    };
    let placed: Vec<_> = game.gaps.iter().filter(|gap| gap.fen.is_some()).collect();
    let (mut at, mut before) = (0, 0);
    for (index, gap) in placed.iter().enumerate() {
        let after = usize::from(gap.after);
        let part = &ours[before..after];
        if !agrees(at, part) {
            return Record::Wrong;
        }
        let next = placed
            .get(index + 1)
            .map_or(ours.len(), |next| usize::from(next.after));
        let fen: Fen = gap.fen.as_ref().unwrap().parse().unwrap();
        let setup = fen.into_setup();
        let part_after = &ours[after..next];
        let found = (at + part.len()..stages.len()).find(|from| {
            stages[*from] == (setup.board.clone(), setup.turn) && agrees(*from, part_after)
        });
        let Some(found) = found else {
            return Record::Wrong;
        };
        (at, before) = (found, after);
    }
    let rest = &ours[before..];
    if !agrees(at, rest) {
        Record::Wrong
    } else if !game.gaps.is_empty() {
        Record::Gap
    } else if ours.len() == truth.len() {
        Record::Complete
    } else if disturbed {
        Record::Told
    } else {
        Record::Silent
    }
}

/// What is not complete in an event's records, and how.
pub(crate) struct Flaw {
    pub(crate) record: Record,
    text: String,
}

impl std::fmt::Display for Flaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}: {}", self.record, self.text)
    }
}

/// How the records of an event are, and each that is not complete.
pub(crate) fn flaws(outcome: &Outcome) -> (BTreeMap<Record, usize>, Vec<Flaw>) {
    let mut counts = BTreeMap::new();
    let mut flaws = Vec::new();
    for ((round, table), truth) in &outcome.truths {
        let state = &outcome.state.rounds[usize::from(*round) - 1];
        let game = &state.games[&TableNo(*table)];
        let mut disturbed = false;
        for event in &outcome.journal {
            if event.round == Some(RoundNo(*round)) && event.table == Some(TableNo(*table)) {
                match &event.fact {
                    Fact::Board(BoardFact::Disturbed { .. }) => disturbed = true,
                    // What was told about earlier moves says nothing of those that follow.
                    Fact::Move(_) => disturbed = false,
                    _ => {}
                }
            }
        }
        let mut record = judge(game, &truth.moves, disturbed);
        // Amateurs play on in positions that are dead; the game was over.
        let over = game.result.is_some_and(|(_, how)| how.is_proved_by_board());
        if record == Record::Silent && over {
            record = Record::Complete;
        }
        *counts.entry(record).or_insert(0) += 1;
        if record == Record::Complete {
            continue;
        }
        let ours: Vec<&str> = game.moves.iter().map(|played| &*played.uci).collect();
        let same = ours.iter().zip(&truth.moves).take_while(|(a, b)| a == b);
        let same = same.count();
        let gaps: Vec<_> = game.gaps.iter().map(|gap| (gap.after, &gap.fen)).collect();
        let text = format!(
            "round {round} table {table}: after {same} half-moves {:?} for {:?}, {} for {}, gaps {gaps:?}",
            &ours[same..ours.len().min(same + 6)],
            &truth.moves[same..truth.moves.len().min(same + 6)],
            ours.len(),
            truth.moves.len(),
        );
        flaws.push(Flaw { record, text });
    }
    (counts, flaws)
}

/// How the records of an event are, and those that nobody may have: silent or wrong ones.
pub(crate) fn records(outcome: &Outcome) -> (BTreeMap<Record, usize>, Vec<String>) {
    let (counts, flaws) = flaws(outcome);
    let bad = flaws.iter().filter(|flaw| flaw.record >= Record::Silent);
    (counts, bad.map(ToString::to_string).collect())
}

/// Results and moves against what the players really did.
pub(crate) fn compare(outcome: &Outcome) -> (usize, Vec<String>, usize, Vec<String>) {
    let (mut results, mut wrong_results, mut moves, mut wrong_moves) = (0, vec![], 0, vec![]);
    for ((round, table), truth) in &outcome.truths {
        let round_state = &outcome.state.rounds[usize::from(*round) - 1];
        let game = &round_state.games[&TableNo(*table)];
        if let Some((result, _)) = game.result {
            results += 1;
            if result.as_str() != truth.result {
                wrong_results.push(format!(
                    "round {round} table {table}: {} for {} ({})",
                    result.as_str(),
                    truth.result,
                    truth.termination
                ));
            }
        }
        let ours: Vec<&str> = game.moves.iter().map(|played| &*played.uci).collect();
        moves += truth.moves.len();
        if ours != truth.moves {
            let ply = ours
                .iter()
                .zip(&truth.moves)
                .take_while(|(a, b)| *a == b)
                .count();
            wrong_moves.push(format!(
                "round {round} table {table}: from half move {} on we have {:?} for {:?}",
                ply + 1,
                &ours[ply..ours.len().min(ply + 4)],
                &truth.moves[ply..truth.moves.len().min(ply + 4)]
            ));
        }
    }
    (results, wrong_results, moves, wrong_moves)
}
