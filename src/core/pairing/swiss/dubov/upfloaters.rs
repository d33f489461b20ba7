//! Who is taken up to complete a scoregroup (C5 to C10, 4.2).

use std::collections::BTreeSet;

use super::{
    reason::{PassedUpfloat, UpfloatObstacle, UpfloatReason},
    roster::Roster,
};
use crate::{
    pairing::{
        matching::Optimum,
        swiss::{
            criteria::Criteria,
            ground::{perfect, sub_graph},
        },
    },
    types::Points,
};

/// How many who came before an upfloater an explanation lists.
const OVER: usize = 6;

/// A scoregroup with its upfloaters.
pub(super) struct Bracket {
    /// The score of the group.
    pub(super) score: Points,
    /// The places, in the order of rank.
    pub(super) members: Vec<usize>,
    /// Who came up, and why.
    pub(super) upfloats: Vec<UpfloatReason>,
}

/// Completes the first scoregroup of `rest`, which has the places not yet paired in order. Nothing
/// when the rest cannot be paired at all.
pub(super) fn complete(roster: &Roster<'_>, rest: &[usize]) -> Option<Bracket> {
    let legal = &roster.ground.legal;
    let score = roster.traits[*rest.first()?].score;
    let group = rest.partition_point(|&place| roster.traits[place].score >= score);
    let mut bracket = Bracket {
        score: Points(score),
        members: rest[..group].to_vec(),
        upfloats: Vec::new(),
    };
    if group == rest.len()
        || perfect(legal, &rest[..group]).is_some() && perfect(legal, &rest[group..]).is_some()
    {
        return Some(bracket);
    }
    let criteria = criteria(roster, rest, group);
    let optimum = criteria.solve(sub_graph(legal, rest), |v| v ^ 1)?;
    let chosen = choose(optimum, group, rest.len());
    for (before, &v) in chosen.iter().enumerate() {
        let place = rest[v];
        bracket.members.push(place);
        // Those nearest before him are the ones whom a player asks about.
        let over = (group..v)
            .rev()
            .filter(|u| !chosen.contains(u))
            .take(OVER)
            .map(|u| PassedUpfloat {
                player: roster.ground.no(rest[u]),
                why: obstacle(roster, rest, group, u, v),
            })
            .collect();
        bracket.upfloats.push(UpfloatReason {
            player: roster.ground.no(place),
            score: Points(roster.traits[place].score),
            needed: chosen.len(),
            passed: v - group - before,
            over,
        });
    }
    Some(bracket)
}

/// What speaks against `u`, who came before `v`: the first criterion by which he is the worse of the
/// two, where their scores do not differ.
fn obstacle(
    roster: &Roster<'_>,
    rest: &[usize],
    group: usize,
    u: usize,
    v: usize,
) -> UpfloatObstacle {
    let of = |v: usize| &roster.traits[rest[v]];
    let (own, other) = (of(u), of(v));
    let legal = &roster.ground.legal;
    if !(0..group).any(|member| legal.get(rest[member], rest[u])) {
        return UpfloatObstacle::NoOpponent;
    }
    if own.score != other.score {
        return UpfloatObstacle::Others;
    }
    if own.seeks_white != other.seeks_white {
        return UpfloatObstacle::Colour;
    }
    if roster.ground.field.last_round {
        return UpfloatObstacle::Others;
    }
    match (own.maximum, other.maximum) {
        (true, false) => UpfloatObstacle::Maximum,
        (true, true) if own.upfloats > other.upfloats => UpfloatObstacle::MoreOften,
        (false, true) => UpfloatObstacle::Others,
        _ if own.floated_last && !other.floated_last => UpfloatObstacle::LastRound,
        _ => UpfloatObstacle::Others,
    }
}

/// 4.2: the first set of the best, in lexicographic order.
fn choose(mut optimum: Optimum, group: usize, size: usize) -> Vec<usize> {
    let needed = (0..group).filter(|&v| optimum.mates()[v] >= group).count();
    let mut chosen = Vec::with_capacity(needed);
    for v in group..size {
        if chosen.len() == needed {
            break;
        }
        if optimum.limit(v, |other| other < group) {
            chosen.push(v);
        }
    }
    chosen
}

/// C5 to C10 for the bracket that the first `group` of `rest` and their partners below make.
fn criteria(roster: &Roster<'_>, rest: &[usize], group: usize) -> Criteria {
    let of = |v: usize| &roster.traits[rest[v]];
    let counts_floats = !roster.ground.field.last_round;
    let mut criteria = Criteria::new(rest.len(), |v| {
        let own = of(v);
        if v < group {
            return (true, 0, own.seeks_white, 0, false);
        }
        let upfloats = if counts_floats && own.maximum {
            own.upfloats + 1
        } else {
            0
        };
        let last = counts_floats && own.floated_last;
        (false, own.score, own.seeks_white, upfloats, last)
    });
    let comes_up = |a: usize, b: usize| a < group && b >= group;
    // C5
    criteria.add(|a, b| u32::from(comes_up(a, b)));
    // C6: the scores of the upfloaters, the lowest first.
    let scores: BTreeSet<u16> = (group..rest.len()).map(|v| of(v).score).collect();
    for score in scores {
        criteria.add(|a, b| u32::from(comes_up(a, b) && of(b).score == score));
    }
    // C7
    criteria.add(|a, b| u32::from(a < group && of(a).seeks_white == of(b).seeks_white));
    if counts_floats {
        // C8 to C10
        criteria.add(|a, b| u32::from(comes_up(a, b) && of(b).maximum));
        criteria.add(|a, b| {
            if comes_up(a, b) && of(b).maximum {
                of(b).upfloats
            } else {
                0
            }
        });
        criteria.add(|a, b| u32::from(comes_up(a, b) && of(b).floated_last));
    }
    criteria
}
