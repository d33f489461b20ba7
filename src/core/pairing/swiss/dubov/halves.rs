//! The two halves of a bracket, and who meets whom (3.2.3, 3.2.4, 4.3, 4.4).

use super::{
    reason::{DubovReason, Half},
    roster::Roster,
    upfloaters::Bracket,
};
use crate::pairing::{
    matching::{BitMatrix, NONE, Optimum},
    swiss::{ColourRule, criteria::Criteria, ground::sub_graph},
};

/// A pair, as places.
pub(super) struct Paired {
    /// Of S1.
    pub(super) first: usize,
    /// Of T2.
    pub(super) second: usize,
    pub(super) reason: DubovReason,
}

/// Pairs the bracket. Nothing when that is impossible.
pub(super) fn pair(roster: &Roster<'_>, bracket: &Bracket) -> Option<Vec<Paired>> {
    // By number, which is the order of T2.
    let mut members = bracket.members.clone();
    members.sort_by_key(|&place| roster.ground.order[place]);
    let graph = sub_graph(&roster.ground.legal, &members);
    let unplayed = members
        .iter()
        .all(|&place| !roster.traits[place].has_played);
    let first: Vec<bool> = members
        .iter()
        .enumerate()
        .map(|(at, &place)| {
            if unplayed {
                at < members.len() / 2
            } else {
                roster.traits[place].seeks_white
            }
        })
        .collect();
    let halves = Halves {
        first: &first,
        ratings: &members
            .iter()
            .map(|&place| roster.traits[place].opponents_rating)
            .collect::<Vec<_>>(),
    };
    let mut criteria = Criteria::new(members.len(), |v| first[v]);
    criteria.add(|a, b| u32::from(first[a] == first[b]));
    let hint = halves.straight();
    let optimum = criteria.solve(graph.clone(), |v| hint[v])?;
    let recomposed = recompose(&halves, optimum);
    let (s1, mates) = assign(&halves, &recomposed, graph)?;
    let pairs = s1.iter().enumerate().map(|(at, &v)| {
        let other = mates[v];
        let (one, two) = (members[v], members[other]);
        let no = |place: usize| roster.ground.no(place);
        let half = |v: usize| match (recomposed.first[v] == first[v], unplayed) {
            (false, _) => Half::Shifted,
            (true, true) => Half::Number,
            (true, false) => Half::Colour,
        };
        // Who is assigned to a number before this one was not free.
        let taken: Vec<usize> = s1[..at].iter().map(|&v| mates[v]).collect();
        let before = (0..other)
            .filter(|&x| !recomposed.first[x] && !taken.contains(&x))
            .map(|x| members[x]);
        let upfloats = bracket
            .upfloats
            .iter()
            .filter(|upfloat| [no(one), no(two)].contains(&upfloat.player))
            .cloned()
            .collect();
        let reason = DubovReason {
            score: bracket.score,
            first: no(one),
            number: at + 1,
            opponents_rating: halves.ratings[v],
            second: no(two),
            first_half: half(v),
            second_half: half(other),
            upfloats,
            passed: roster.ground.passed(one, before),
            colour: ColourRule::BothGranted,
        };
        Paired {
            first: one,
            second: two,
            reason,
        }
    });
    Some(pairs.collect())
}

/// Members of the bracket by number, as they are divided at first.
struct Halves<'a> {
    /// In G1.
    first: &'a [bool],
    ratings: &'a [u32],
}

impl Halves<'_> {
    /// The members of a half in the order of 4.3: G1 by the rating of the opponents, G2 by number.
    fn sorted(&self, is_first: bool, members: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut sorted: Vec<usize> = members.collect();
        if is_first {
            sorted.sort_by_key(|&v| (self.ratings[v], v));
        } else {
            sorted.sort_unstable();
        }
        sorted
    }

    /// Who meets whom if nothing stands against it.
    fn straight(&self) -> Vec<usize> {
        let all = || 0..self.first.len();
        let one = self.sorted(true, all().filter(|&v| self.first[v]));
        let two = self.sorted(false, all().filter(|&v| !self.first[v]));
        let mut mates = vec![NONE; self.first.len()];
        for (&a, &b) in one.iter().zip(&two) {
            mates[a] = b;
            mates[b] = a;
        }
        mates
    }
}

/// The order of the shifters (4.3): from the middle outwards, the one higher in the list first.
fn from_the_middle(list: &[usize]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..list.len()).collect();
    order.sort_by_key(|&at| ((2 * at + 1).abs_diff(list.len()), at));
    order.into_iter().map(|at| list[at]).collect()
}

/// The halves after 3.2.4, with one pairing that keeps to them.
struct Recomposed {
    first: Vec<bool>,
    mates: Vec<usize>,
}

/// 3.2.4.
fn recompose(halves: &Halves<'_>, mut optimum: Optimum) -> Recomposed {
    let size = halves.first.len();
    let mut first = halves.first.to_vec();
    let ones = first.iter().filter(|is_first| **is_first).count();
    // The smaller half gives first; when they are equal, G1.
    let smaller = ones <= size - ones;
    for from in [smaller, !smaller] {
        let within = (0..size)
            .filter(|&v| {
                let mate = optimum.mates()[v];
                v < mate && halves.first[v] == from && halves.first[mate] == from
            })
            .count();
        let list = halves.sorted(from, (0..size).filter(|&v| first[v] == from));
        let mut shifted = vec![false; size];
        let mut left = within;
        for v in from_the_middle(&list) {
            if left == 0 {
                break;
            }
            let stays = |x: usize| halves.first[x] == from && !shifted[x];
            if halves.first[v] == from && optimum.limit(v, stays) {
                shifted[v] = true;
                left -= 1;
            }
        }
        for v in 0..size {
            if shifted[v] {
                first[v] = !from;
            }
        }
    }
    Recomposed {
        first,
        mates: optimum.mates().to_vec(),
    }
}

/// 4.4: S1 in order, and the first transposition of the others that is legal.
fn assign(
    halves: &Halves<'_>,
    recomposed: &Recomposed,
    graph: BitMatrix,
) -> Option<(Vec<usize>, Vec<usize>)> {
    let first = &recomposed.first;
    let size = first.len();
    let mut graph = graph;
    for a in 0..size {
        for b in a + 1..size {
            if first[a] == first[b] {
                graph.unset_both(a, b);
            }
        }
    }
    let one = halves.sorted(true, (0..size).filter(|&v| first[v]));
    let two: Vec<usize> = (0..size).filter(|&v| !first[v]).collect();
    let mut optimum = Optimum::from_graph(graph, recomposed.mates.clone());
    for &v in &one {
        optimum.first(v, two.iter().copied())?;
    }
    Some((one, optimum.mates().to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifters_are_numbered_from_the_middle() {
        let letters = |text: &str| -> String {
            let list: Vec<usize> = text.bytes().map(usize::from).collect();
            from_the_middle(&list)
                .into_iter()
                .map(|byte| char::from(byte as u8))
                .collect()
        };
        assert_eq!(letters("ABCDEFG"), "DCEBFAG");
        assert_eq!(letters("ABCDEF"), "CDBEAF");
        assert_eq!(letters("A"), "A");
    }
}
