//! What stands in the way when no legal pairing exists.

use std::collections::BTreeSet;

use super::Field;
use crate::pairing::{
    Hindrance, PairingError,
    matching::{Alternating, BitMatrix, BitSet, NONE, maximise, ones},
};

/// The error of a round that cannot be paired. `legal` tells which of the players to pair may meet,
/// in the order of `order`, which are indices of the field; further vertices are not looked at.
pub(super) fn impossible(
    field: &Field,
    order: &[usize],
    legal: &BitMatrix,
    article: &'static str,
    may_have_bye: impl Fn(usize) -> bool,
) -> PairingError {
    let count = order.len();
    let mut players = BitSet::full(legal.size());
    for beyond in count..legal.size() {
        players.remove(beyond);
    }
    let mut mates = vec![NONE; legal.size()];
    let left = maximise(legal, &mut mates, &players);
    let name = |places: Vec<usize>| places.into_iter().map(|at| field.player(order[at]).no);
    let alone: Vec<usize> = (0..count)
        .filter(|&at| !ones(legal.row(at)).any(|other| other < count))
        .collect();
    let odd = count % 2 == 1;
    let possible = left.is_empty() && !odd;
    let hindrance = if possible {
        Hindrance::Unknown
    } else if odd && !(0..count).any(&may_have_bye) {
        Hindrance::NobodyForBye
    } else if alone.len() > usize::from(odd) || alone.iter().any(|&at| !may_have_bye(at)) {
        let met = |&at: &usize| {
            let own = &field.player(order[at]).rounds;
            let opponents: BTreeSet<usize> = own.iter().filter_map(|it| it.opponent()).collect();
            order
                .iter()
                .all(|other| *other == order[at] || opponents.contains(other))
        };
        let met = alone.iter().all(met);
        if met && alone.len() == count {
            Hindrance::AllMet
        } else {
            Hindrance::Alone {
                players: name(alone).collect(),
                met,
            }
        }
    } else if let &[root] = left.as_slice() {
        // Whoever an alternating path reaches could be left out, and all of them are barred.
        let mut search = Alternating::new(legal.size());
        search.search(legal, &mut mates, &players, root, |_| false);
        let reached = (0..count).filter(|&at| search.reached().contains(at));
        let reached: Vec<usize> = reached.collect();
        if reached.iter().any(|&at| may_have_bye(at)) {
            Hindrance::Unknown
        } else {
            Hindrance::ByeNeeded {
                players: name(reached).collect(),
            }
        }
    } else {
        Hindrance::LeftOver { count: left.len() }
    };
    PairingError::Impossible {
        round: field.round,
        present: count,
        article,
        hindrance,
    }
}
