//! The facts behind each pair, float and bye, read off the paired bracket.

use super::{
    BracketFacts, DutchBye, FloatFacts, FloatReason, How, Instead, Quality, Rules, SkipReason,
    Skipped, Tried,
    candidate::Candidate,
    problem::{Criterion, Problem},
    roster::Roster,
};
use crate::{
    pairing::{matching::ones, swiss::RoundRecord},
    types::{PlayerNo, Points},
};

/// How many passed-over opponents a pair lists.
const SKIPPED: usize = 8;

/// A pair as places, the upper one first, with how it came about.
pub(super) struct PairFacts {
    pub(super) upper: usize,
    pub(super) lower: usize,
    pub(super) bracket: BracketFacts,
    pub(super) how: How,
    pub(super) skipped: Vec<Skipped>,
}

fn number(roster: &Roster<'_>, place: usize) -> PlayerNo {
    roster.field.player(roster.player(place)).no
}

/// The bracket itself.
pub(super) fn bracket(problem: &Problem<'_, '_>, best: &Candidate, at: u16) -> BracketFacts {
    let paired = (0..problem.members)
        .filter(|&v| problem.is_member(best.mates[v]))
        .count();
    let first = problem.places.get(problem.moved);
    BracketFacts {
        number: at,
        rules: problem.rules,
        score: first.map_or(Points::ZERO, |&place| {
            Points(problem.roster.traits[place].score)
        }),
        players: problem.members as u16,
        moved: problem.moved as u16,
        pairs: (paired / 2) as u16,
        unavoidable: problem.broken(&best.mates),
    }
}

/// The pairs of a bracket.
pub(super) fn pairs(
    problem: &Problem<'_, '_>,
    best: &Candidate,
    bracket: &BracketFacts,
) -> Vec<PairFacts> {
    let halves = &best.halves;
    let changed = |v: usize, upper: bool| (halves.number[v] < halves.top) != upper;
    let exchanged = best.upper.iter().filter(|&&at| at >= halves.top).count();
    let residents: Vec<usize> = (problem.moved..problem.members).collect();
    let mut taken = vec![false; problem.members];
    let mut pairs = Vec::new();
    // Those moved down are paired first, then the upper half of the remainder, each in order.
    let moved = (0..problem.moved).filter(|&v| problem.is_member(best.mates[v]));
    let lower: Vec<usize> = {
        let mut upper = vec![false; halves.players.len()];
        for &at in &best.upper {
            upper[at] = true;
        }
        (0..halves.players.len())
            .filter(|&at| !upper[at])
            .map(|at| halves.players[at])
            .collect()
    };
    let remainder = best.upper.iter().map(|&at| halves.players[at]);
    let all = moved
        .enumerate()
        .map(|(at, v)| (at, v, true))
        .chain(remainder.enumerate().map(|(at, v)| (at, v, false)));
    for (at, v, is_moved) in all {
        let mate = best.mates[v];
        let order = if is_moved { &residents } else { &lower };
        let proposed = order.get(at).copied();
        let how = if !is_moved && (changed(v, true) || changed(mate, false)) {
            How::Exchanged {
                players: exchanged as u16,
            }
        } else {
            match proposed {
                Some(proposed) if proposed != mate => How::Transposed {
                    proposed: number(problem.roster, problem.places[proposed]),
                },
                _ => How::Proposed,
            }
        };
        let skipped = order
            .iter()
            .take_while(|&&other| other != mate)
            .filter(|&&other| !taken[other])
            .take(SKIPPED)
            .map(|&other| Skipped {
                opponent: number(problem.roster, problem.places[other]),
                reason: skip_reason(problem.roster, problem.places[v], problem.places[other]),
            })
            .collect();
        taken[mate] = true;
        pairs.push(PairFacts {
            upper: problem.places[v],
            lower: problem.places[mate],
            bracket: bracket.clone(),
            how,
            skipped,
        });
    }
    pairs
}

fn skip_reason(roster: &Roster<'_>, a: usize, b: usize) -> SkipReason {
    if roster.legal.get(a, b) {
        return SkipReason::Worse;
    }
    let (one, two) = (roster.player(a), roster.player(b));
    if !roster.field.apart(one, two) {
        return SkipReason::SameColour;
    }
    let met =
        roster.field.player(one).rounds.iter().any(
            |record| matches!(*record, RoundRecord::Played { opponent, .. } if opponent == two),
        );
    if met {
        SkipReason::Met
    } else {
        SkipReason::Forbidden
    }
}

/// Why a member of the bracket leaves it.
pub(super) fn float(
    problem: &Problem<'_, '_>,
    mates: &[usize],
    bracket: &BracketFacts,
    vertex: usize,
) -> FloatFacts {
    let downfloaters = bracket.players - 2 * bracket.pairs;
    let alone = !ones(problem.graph.row(vertex)).any(|other| problem.is_member(other));
    let reason = if alone {
        FloatReason::NoOpponent
    } else if vertex + usize::from(downfloaters) >= problem.members {
        FloatReason::Last
    } else {
        FloatReason::Criteria
    };
    FloatFacts {
        bracket: bracket.number,
        players: bracket.players,
        downfloaters,
        reason,
        instead: match reason {
            FloatReason::Criteria => instead(problem, mates, vertex),
            FloatReason::NoOpponent | FloatReason::Last => None,
        },
    }
}

/// Exchanges a floater for the last member who stays. As the matching is the first of the best, the
/// exchange is forbidden, worse, or later.
fn instead(problem: &Problem<'_, '_>, mates: &[usize], vertex: usize) -> Option<Instead> {
    let other = (vertex + 1..problem.members)
        .rev()
        .find(|&v| problem.is_member(mates[v]))?;
    let (below, opponent) = (mates[vertex], mates[other]);
    let cost =
        |criterion: Criterion, a: usize, b: usize| problem.cost(criterion, a.min(b), a.max(b));
    let roster = problem.roster;
    let tried = if !problem.graph.get(vertex, opponent) {
        let (a, b) = (problem.places[vertex], problem.places[opponent]);
        Tried::Opponent {
            opponent: number(roster, b),
            reason: skip_reason(roster, a, b),
        }
    } else if !problem.graph.get(other, below) {
        Tried::Below
    } else {
        problem
            .criteria()
            .into_iter()
            .find_map(|criterion| {
                let now = cost(criterion, vertex, below) + cost(criterion, other, opponent);
                let then = cost(criterion, other, below) + cost(criterion, vertex, opponent);
                (then != now).then(|| Tried::Worse {
                    quality: quality(criterion),
                })
            })
            .unwrap_or(Tried::Later)
    };
    Some(Instead {
        player: number(roster, problem.places[other]),
        tried,
    })
}

const fn quality(criterion: Criterion) -> Quality {
    match criterion {
        Criterion::Downfloaters => Quality::Downfloaters,
        Criterion::DownfloaterScore(_) | Criterion::Difference(_) => Quality::Scores,
        Criterion::LeftNext | Criterion::LeftNextScore(_) => Quality::NextBracket,
        Criterion::ByeMissed => Quality::MissedGames,
        Criterion::Imbalance => Quality::Imbalance,
        Criterion::ThirdColour => Quality::ThirdColour,
        Criterion::Preference => Quality::Preference,
        Criterion::StrongPreference => Quality::StrongPreference,
        Criterion::Down(0) => Quality::DownLastRound,
        Criterion::Down(_) => Quality::DownTwoAgo,
        Criterion::Up(0) => Quality::UpLastRound,
        Criterion::Up(_) => Quality::UpTwoAgo,
        Criterion::DownDifference(0, _) => Quality::DownDifference,
        Criterion::DownDifference(..) => Quality::DownDifferenceTwoAgo,
        Criterion::UpDifference(0, _) => Quality::UpDifference,
        Criterion::UpDifference(..) => Quality::UpDifferenceTwoAgo,
    }
}

/// Why this place has the bye.
pub(super) fn bye(
    roster: &Roster<'_>,
    rules: Rules,
    place: usize,
    float: Option<FloatFacts>,
) -> DutchBye {
    let own = &roster.traits[place];
    let below = place + 1..roster.count;
    DutchBye {
        rules,
        score: Points(own.score),
        missed: own.missed as u16,
        barred: below
            .clone()
            .filter(|&other| !roster.traits[other].bye_allowed)
            .map(|other| number(roster, other))
            .collect(),
        needed: below
            .filter(|&other| {
                roster.traits[other].bye_allowed && roster.traits[other].score < own.score
            })
            .map(|other| number(roster, other))
            .collect(),
        float,
    }
}
