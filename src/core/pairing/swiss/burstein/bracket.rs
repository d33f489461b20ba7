//! The brackets from the top (articles 2 to 4).

use std::collections::BTreeSet;

use super::{
    index::Index,
    reason::{BursteinFloat, BursteinReason, FloatedDown},
};
use crate::{
    pairing::{
        matching::{BitMatrix, Optimum},
        swiss::{
            ColourRule,
            criteria::Criteria,
            ground::{Ground, perfect, sub_graph},
        },
    },
    types::{Color, Points},
};

/// A pair, as places.
pub(super) struct Paired {
    /// The higher ranked by index.
    pub(super) upper: usize,
    /// The other.
    pub(super) lower: usize,
    pub(super) reason: BursteinReason,
}

/// Pairs everybody. Nothing when that is impossible.
pub(super) fn pair(ground: &Ground<'_>, index: &Index) -> Option<Vec<Paired>> {
    let groups = ground.groups();
    let mut pairs = Vec::new();
    let mut floats: Vec<usize> = Vec::new();
    let mut reasons: Vec<BursteinFloat> = Vec::new();
    for (at, residents) in groups.iter().enumerate() {
        let mut members = floats.clone();
        members.extend(residents.clone());
        members.sort_by_key(|&place| index.rank(ground.order[place]));
        let next = groups.get(at + 1).cloned().unwrap_or(0..0);
        let mates = best(ground, &members, next.len(), residents.end)?;
        floats.clear();
        let left: Vec<usize> = (0..members.len()).filter(|&v| mates[v].is_none()).collect();
        let came_down = std::mem::replace(&mut reasons, came_down(ground, &members, &left));
        for (v, &mate) in mates.iter().enumerate() {
            match mate {
                None => floats.push(members[v]),
                Some(mate) if v < mate => {
                    let reason = reason(ground, index, &members, &mates, &came_down, v);
                    pairs.push(Paired {
                        upper: members[v],
                        lower: members[mate],
                        reason,
                    });
                }
                Some(_) => {}
            }
        }
    }
    floats.is_empty().then_some(pairs)
}

fn score(ground: &Ground<'_>, place: usize) -> u16 {
    ground.field.player(ground.order[place]).pairing_score.0
}

/// The partners of the members, by their numbers in the bracket; nothing for who floats down.
/// `below` is the first place below the bracket, the next scoregroup has `next` of them.
fn best(
    ground: &Ground<'_>,
    members: &[usize],
    next: usize,
    below: usize,
) -> Option<Vec<Option<usize>>> {
    let legal = &ground.legal;
    let rest: Vec<usize> = (below..ground.order.len()).collect();
    let bracket = members.len();
    let mut view = View {
        ground,
        vertices: members.to_vec(),
        bracket,
        seen: bracket,
        nobody: 0,
    };
    if rest.is_empty() || perfect(legal, members).is_some() && perfect(legal, &rest).is_some() {
        return Some(first(&mut view.solve()?, bracket));
    }
    view.vertices.extend(&rest[..next]);
    view.seen = bracket + next;
    let all = bracket + rest.len();
    if view.seen * 3 < all * 2 {
        // Without those further down, as many left over in the next bracket as it takes. What is
        // best here is best altogether when the rest can be completed.
        view.nobody = 2 + view.seen % 2;
        if let Some(mut optimum) = view.solve() {
            let mates = first(&mut optimum, bracket);
            let is_nobody = |v: usize| v >= view.seen;
            // Two who stand for nobody met: more of them would change nothing.
            let spare = (view.seen..view.seen + view.nobody).any(|v| is_nobody(optimum.mates()[v]));
            let mut left: Vec<usize> = (0..view.seen)
                .filter(|&v| is_nobody(optimum.mates()[v]))
                .map(|v| view.vertices[v])
                .collect();
            left.extend(&rest[next..]);
            if spare && perfect(legal, &left).is_some() {
                return Some(mates);
            }
        }
        view.nobody = 0;
    }
    view.vertices.extend(&rest[next..]);
    Some(first(&mut view.solve()?, bracket))
}

/// A bracket and as much of what is below as has to be looked at.
struct View<'a, 'f> {
    ground: &'a Ground<'f>,
    /// The places: the bracket by rank, the next scoregroup, the others.
    vertices: Vec<usize>,
    /// How many are in the bracket.
    bracket: usize,
    /// How many are in it or in the next scoregroup.
    seen: usize,
    /// How many vertices come after the places that stand for nobody.
    nobody: usize,
}

impl View<'_, '_> {
    fn solve(&self) -> Option<Optimum> {
        let Self { bracket, seen, .. } = *self;
        let places = self.vertices.len();
        let size = places + self.nobody;
        let points = |v: usize| score(self.ground, self.vertices[v]);
        let colour = |v: usize| {
            let player = self.ground.order[self.vertices[v]];
            self.ground.field.player(player).preference.colour()
        };
        let mut criteria = Criteria::new(size, |v| {
            if v < bracket {
                (0, points(v), colour(v).map(Color::is_white))
            } else if v < seen {
                (1, points(v), None)
            } else {
                (2, 0, None)
            }
        });
        if size > bracket {
            // C5 and C6, then C7: the same for the next bracket.
            for bound in [bracket, seen] {
                let left = |a: usize, b: usize| a < bound && b >= bound;
                criteria.add(|a, b| u32::from(left(a, b)));
                let scores: BTreeSet<u16> = (0..bound).map(points).collect();
                for score in scores.into_iter().rev() {
                    criteria.add(|a, b| u32::from(left(a, b) && points(a) == score));
                }
            }
        }
        // C8
        criteria
            .add(|a, b| u32::from(b < bracket && colour(a).is_some() && colour(a) == colour(b)));
        let within = sub_graph(&self.ground.legal, &self.vertices);
        let mut graph = BitMatrix::new(size);
        for v in 0..places {
            graph.row_mut(v)[..within.row(v).len()].copy_from_slice(within.row(v));
        }
        for nobody in places..size {
            for v in 0..nobody {
                graph.set_both(v, nobody);
            }
        }
        let hint = |v: usize| {
            if v < bracket { bracket - 1 - v } else { v ^ 1 }
        };
        criteria.solve(graph, hint)
    }
}

/// The first of the best (article 4): the highest ranked meets the lowest that he can; who floats
/// down meets nobody, who is lower than all.
fn first(optimum: &mut Optimum, bracket: usize) -> Vec<Option<usize>> {
    let mut mates = vec![None; bracket];
    let mut settled = vec![false; bracket];
    for v in 0..bracket {
        if settled[v] {
            continue;
        }
        settled[v] = true;
        let lower: Vec<usize> = (v + 1..bracket).rev().filter(|&x| !settled[x]).collect();
        match optimum.first(v, lower.into_iter()) {
            Some(mate) => {
                settled[mate] = true;
                mates[v] = Some(mate);
                mates[mate] = Some(v);
            }
            None => {
                optimum.limit(v, |x| x >= bracket);
            }
        }
    }
    mates
}

/// Why each of `left`, numbers in the bracket, is left over.
fn came_down(ground: &Ground<'_>, members: &[usize], left: &[usize]) -> Vec<BursteinFloat> {
    let stays = |v: usize| !left.contains(&v);
    left.iter()
        .map(|&v| {
            let own = score(ground, members[v]);
            let meets = |&other: &usize| ground.legal.get(members[v], other);
            let lower = |x: usize| stays(x) && score(ground, members[x]) < own;
            let cause = if !members.iter().any(meets) {
                FloatedDown::NoOpponent
            } else if (0..members.len()).any(lower) {
                FloatedDown::Criteria
            } else {
                FloatedDown::LowestScore
            };
            BursteinFloat {
                player: ground.no(members[v]),
                score: Points(own),
                left: left.len(),
                members: members.len(),
                cause,
            }
        })
        .collect()
}

fn reason(
    ground: &Ground<'_>,
    index: &Index,
    members: &[usize],
    mates: &[Option<usize>],
    came_down: &[BursteinFloat],
    v: usize,
) -> BursteinReason {
    let mate = mates[v].unwrap_or(v);
    let no = |v: usize| ground.no(members[v]);
    // Lower ranked, and not given to anybody before.
    let before = (mate + 1..members.len())
        .rev()
        .filter(|&x| mates[x].is_none_or(|other| other > v))
        .map(|x| members[x]);
    let (buchholz, berger) = index.of(ground.order[members[v]]);
    let came_down = came_down
        .iter()
        .filter(|float| [no(v), no(mate)].contains(&float.player))
        .copied()
        .collect();
    BursteinReason {
        upper: no(v),
        rank: v + 1,
        buchholz_halves: buchholz,
        berger_quarters: berger,
        lower: no(mate),
        lower_rank: mate + 1,
        members: members.len(),
        came_down,
        passed: ground.passed(members[v], before),
        colour: ColourRule::BothGranted,
    }
}
