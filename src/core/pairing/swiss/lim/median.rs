//! The order of work (2.2), and what happens when the median group is blocked (2.6).

use super::{
    group::{self, Incoming, Origin, Paired, Side, Task},
    reason::{FloatCause, LimFloat},
    roster::Roster,
};
use crate::{pairing::swiss::ground::perfect, types::Points};

/// Pairs everybody. Nothing when that is impossible.
pub(super) fn pair(roster: &Roster<'_>) -> Option<Vec<Paired>> {
    let groups = roster.ground.groups();
    let double = |group: &std::ops::Range<usize>| 2 * u32::from(roster.traits[group.start].score);
    let upper = groups.partition_point(|group| double(group) > roster.median);
    let lower = groups.partition_point(|group| double(group) >= roster.median);
    let middle: Vec<usize> = groups[upper..lower].iter().flat_map(Clone::clone).collect();
    // The groups from the outside to the median, the upper ones first.
    let mut sides = [
        (Side::Upper, groups[..upper].to_vec()),
        (
            Side::Lower,
            groups[lower..].iter().rev().cloned().collect::<Vec<_>>(),
        ),
    ];
    let mut done: [Vec<Vec<Paired>>; 2] = [Vec::new(), Vec::new()];
    let mut median: Vec<Incoming> = Vec::new();
    for ((side, groups), done) in sides.iter_mut().zip(&mut done) {
        let mut floats: Vec<Incoming> = Vec::new();
        for (at, residents) in groups.iter().enumerate() {
            let adjacent = match groups.get(at + 1) {
                Some(next) => next.clone().collect(),
                None => middle.clone(),
            };
            let mut members = std::mem::take(&mut floats);
            members.extend(residents.clone().map(Incoming::resident));
            let outcome = group::pair(
                roster,
                &Task {
                    side: *side,
                    score: Points(roster.traits[residents.start].score),
                    members,
                    adjacent,
                },
            )?;
            done.push(outcome.pairs);
            floats = outcome.floats;
        }
        median.extend(floats);
    }
    median.extend(middle.iter().copied().map(Incoming::resident));
    unblock(roster, &mut median, &mut done);
    let score = middle.first().map_or(
        // Nobody has half the points: those who meet here come from both sides.
        Points((roster.median / 2) as u16),
        |&place| Points(roster.traits[place].score),
    );
    let outcome = group::pair(
        roster,
        &Task {
            side: Side::Median,
            score,
            members: median,
            adjacent: Vec::new(),
        },
    )?;
    if !outcome.floats.is_empty() {
        return None;
    }
    let mut pairs: Vec<Paired> = done.into_iter().flatten().flatten().collect();
    pairs.extend(outcome.pairs);
    Some(pairs)
}

/// 2.6: takes pairs of the neighbouring groups apart until everybody in the median group can be
/// paired. The lower neighbour gives first when more floaters came from above, else the higher; of
/// its pairs the one found last that alone suffices, otherwise all of them, and so on outwards.
fn unblock(roster: &Roster<'_>, median: &mut Vec<Incoming>, done: &mut [Vec<Vec<Paired>>; 2]) {
    let from = |origin: Origin, median: &[Incoming]| {
        median
            .iter()
            .filter(|member| member.origin == Some(origin))
            .count()
    };
    let lower_first = from(Origin::Above, median) > from(Origin::Below, median);
    let mut turn = usize::from(lower_first);
    let mut places: Vec<usize> = median.iter().map(|member| member.place).collect();
    while perfect(&roster.ground.legal, &places).is_none() {
        if done[turn].is_empty() {
            turn = 1 - turn;
        }
        let Some(mut group) = done[turn].pop() else {
            return;
        };
        let single = (0..group.len()).rev().find(|&at| {
            let mut trial = places.clone();
            trial.extend([group[at].first, group[at].second]);
            perfect(&roster.ground.legal, &trial).is_some()
        });
        let taken = match single {
            Some(at) => {
                let pair = group.remove(at);
                done[turn].push(group);
                vec![pair]
            }
            None => group,
        };
        let origin = [Origin::Above, Origin::Below][turn];
        for pair in taken {
            for place in [pair.first, pair.second] {
                places.push(place);
                median.push(Incoming {
                    place,
                    origin: Some(origin),
                    float: Some(LimFloat {
                        player: roster.ground.no(place),
                        from: Points(roster.traits[place].score),
                        cause: FloatCause::Unpaired,
                        majority: None,
                        passed: Vec::new(),
                    }),
                });
            }
        }
        turn = 1 - turn;
    }
}
