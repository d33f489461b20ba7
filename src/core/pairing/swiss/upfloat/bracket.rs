//! The pairing of a bracket (3.6).

use std::collections::BTreeMap;

use super::{Digits, Field, Traits, Wish, graph};
use crate::{
    pairing::matching::{Costs, Optimum, Weight, solve},
    types::Points,
};

/// The pairs, as indices of the field, of a bracket whose members come in the order of their numbers:
/// of the best pairings the one with the smallest identifier, that is the top members ascending and
/// then their bottom members.
pub(super) fn pair(field: &Field, members: &[Traits], top: Points) -> Option<Vec<(usize, usize)>> {
    let mut digits = Digits::new(members.len());
    let (floats, strong, colours) = (digits.next(), digits.next(), digits.next());
    debug_assert!(digits.width() <= i64::BITS);
    let cost = |a: &Traits, b: &Traits| {
        let mut cost = 0;
        if a.wish.white.is_some() && a.wish.white == b.wish.white {
            cost += i64::shifted(1, colours);
            if a.wish.strong && b.wish.strong {
                cost += i64::shifted(1, strong);
            }
        }
        // The one above is the upfloater's opponent.
        let above = match a.score.cmp(&b.score) {
            std::cmp::Ordering::Greater => Some(a),
            std::cmp::Ordering::Less => Some(b),
            std::cmp::Ordering::Equal => None,
        };
        if above.is_some_and(|above| above.floated) {
            cost += i64::shifted(1, floats);
        }
        cost
    };
    let mut classes: BTreeMap<(Points, bool, Wish), usize> = BTreeMap::new();
    let mut sample = Vec::new();
    let class = members
        .iter()
        .map(|own| {
            *classes
                .entry((own.score, own.floated, own.wish))
                .or_insert_with(|| {
                    sample.push(*own);
                    sample.len() - 1
                })
        })
        .collect();
    let costs = Costs::new(class, sample.len(), |a, b| cost(&sample[a], &sample[b]));
    let size = members.len();
    let mut graph = graph(field, members);
    if members.iter().any(|own| own.score < top) {
        // Two upfloaters who meet would both be needless.
        for a in 0..size {
            for b in a + 1..size {
                if members[a].score < top && members[b].score < top {
                    graph.unset_both(a, b);
                }
            }
        }
    }
    let solver = solve(&costs, graph, |at| (at + size / 2) % size)?;
    let mut optimum = Optimum::new(&solver);
    let tops: Vec<usize> = (0..size)
        .filter(|&at| optimum.limit(at, |mate| mate > at))
        .collect();
    for &at in &tops {
        optimum.first(at, at + 1..size);
    }
    let mates = optimum.mates();
    Some(
        tops.into_iter()
            .map(|at| (members[at].player, members[mates[at]].player))
            .collect(),
    )
}
