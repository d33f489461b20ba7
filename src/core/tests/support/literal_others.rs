//! The Dubov and the Burstein system taken at their word: every set, every division, every pairing
//! in the order of the text, judged by every criterion. For fields of a few players.

use std::{cmp::Reverse, collections::BTreeSet};

use flagfall_core::{
    pairing::{
        Presence, UnpairedKind,
        swiss::{ByeBar, Field, Float, FloatRule, Preference, RoundRecord},
    },
    types::Color,
};

/// The pairs (unordered, by index of the field) and the bye; nothing when there is no legal pairing.
pub(crate) type Outcome = Option<(BTreeSet<(usize, usize)>, Option<usize>)>;

type Pairs = Vec<(usize, usize)>;

fn score(field: &Field, i: usize) -> u16 {
    field.player(i).pairing_score.0
}

/// C1 and C3.
fn legal(field: &Field, a: usize, b: usize) -> bool {
    let (one, two) = (field.player(a).preference, field.player(b).preference);
    let same = one.is_absolute() && one == two;
    !field.apart(a, b) && !same
}

/// Every perfect pairing of legal pairs.
fn pairings(field: &Field, players: &[usize]) -> Vec<Pairs> {
    let Some((&first, others)) = players.split_first() else {
        return vec![Vec::new()];
    };
    let mut all = Vec::new();
    for (at, &other) in others.iter().enumerate() {
        if legal(field, first, other) {
            let mut rest = others.to_vec();
            rest.remove(at);
            for mut pairs in pairings(field, &rest) {
                pairs.push((first, other));
                all.push(pairs);
            }
        }
    }
    all
}

fn completable(field: &Field, players: &[usize]) -> bool {
    let Some((&first, others)) = players.split_first() else {
        return true;
    };
    (0..others.len()).any(|at| {
        let mut rest = others.to_vec();
        let other = rest.remove(at);
        legal(field, first, other) && completable(field, &rest)
    })
}

/// Splits off the bye; `order` has the lowest ranked last. Nothing when the rest cannot be paired.
fn take_bye(field: &Field, order: &[usize]) -> Option<(Vec<usize>, Option<usize>)> {
    if order.len().is_multiple_of(2) {
        return completable(field, order).then(|| (order.to_vec(), None));
    }
    let mut candidates = order.to_vec();
    candidates.reverse();
    candidates.sort_by_key(|&i| (score(field, i), Reverse(field.player(i).games_played())));
    for i in candidates {
        let rest: Vec<usize> = order.iter().copied().filter(|&other| other != i).collect();
        let barred = field
            .player(i)
            .bye_barred(ByeBar::WinUnplayed, &field.scoring);
        if !barred && completable(field, &rest) {
            return Some((rest, Some(i)));
        }
    }
    None
}

/// All sets of `size` of the items, lexicographically by place.
fn subsets(items: &[usize], size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (at, &item) in items.iter().enumerate() {
        for mut rest in subsets(&items[at + 1..], size - 1) {
            rest.insert(0, item);
            all.push(rest);
        }
    }
    all
}

fn without(items: &[usize], gone: &[usize]) -> Vec<usize> {
    items
        .iter()
        .copied()
        .filter(|item| !gone.contains(item))
        .collect()
}

/// The Dubov system.
pub(crate) fn dubov(field: &Field, rounds: u16) -> Outcome {
    let (mut rest, bye) = take_bye(field, field.to_pair())?;
    let mut made = BTreeSet::new();
    while let Some(&first) = rest.first() {
        let (group, pool): (Vec<usize>, Vec<usize>) = rest
            .iter()
            .partition(|&&i| score(field, i) == score(field, first));
        let members = complete(field, rounds, &group, &pool);
        rest = without(&rest, &members);
        for (a, b) in divide(field, &members) {
            made.insert((a.min(b), a.max(b)));
        }
    }
    Some((made, bye))
}

fn seeks_white(field: &Field, i: usize) -> bool {
    field.player(i).preference.colour() == Some(Color::White)
}

fn same_side(field: &Field, pairs: &Pairs) -> usize {
    pairs
        .iter()
        .filter(|&&(a, b)| seeks_white(field, a) == seeks_white(field, b))
        .count()
}

/// C6, and C7 to C10; smaller is better.
type UpfloaterCriteria = (Reverse<Vec<u16>>, Vec<usize>);

/// The upfloaters: C5 to C10, 4.2.
fn complete(field: &Field, rounds: u16, group: &[usize], pool: &[usize]) -> Vec<usize> {
    for needed in 0..=pool.len() {
        let mut best: Option<(UpfloaterCriteria, Vec<usize>)> = None;
        for set in subsets(pool, needed) {
            let mut members = group.to_vec();
            members.extend(&set);
            let c7 = pairings(field, &members)
                .iter()
                .map(|pairs| same_side(field, pairs))
                .min();
            let (Some(c7), true) = (c7, completable(field, &without(pool, &set))) else {
                continue;
            };
            let mut scores: Vec<u16> = set.iter().map(|&i| score(field, i)).collect();
            scores.sort_unstable();
            let mut criteria = vec![c7];
            if !field.last_round {
                let upfloat = |i: usize, back: usize| {
                    let rule = FloatRule::PlayedOnly;
                    field.player(i).float(back, rule, &field.scoring) == Some(Float::Up)
                };
                let times = |i: usize| {
                    (1..=field.player(i).rounds.len())
                        .filter(|&back| upfloat(i, back))
                        .count()
                };
                let limit = 2 + usize::from(rounds) / 5;
                let most: Vec<usize> = set.iter().map(|&i| times(i)).collect();
                let most: Vec<usize> = most.into_iter().filter(|&times| times >= limit).collect();
                criteria.extend([most.len(), most.iter().sum()]);
                criteria.push(set.iter().filter(|&&i| upfloat(i, 1)).count());
            }
            let judged = (Reverse(scores), criteria);
            if best.as_ref().is_none_or(|(known, _)| judged < *known) {
                best = Some((judged, members));
            }
        }
        if let Some((_, members)) = best {
            return members;
        }
    }
    panic!("the rest was completable");
}

/// 3.2.3, 3.2.4, 4.3, 4.4.
fn divide(field: &Field, members: &[usize]) -> Pairs {
    let rating = |i: usize| {
        let met: Vec<u32> = field
            .player(i)
            .rounds
            .iter()
            .filter_map(|record| match *record {
                RoundRecord::Played { opponent, .. } => {
                    Some(u32::from(field.player(opponent).rating.unwrap_or(0)))
                }
                _ => None,
            })
            .collect();
        if met.is_empty() {
            return 0;
        }
        let mean = f64::from(met.iter().sum::<u32>()) / met.len() as f64;
        (mean + 0.5).floor() as u32
    };
    let mut by_number = members.to_vec();
    by_number.sort_unstable();
    let unplayed = members.iter().all(|&i| field.player(i).games_played() == 0);
    let (mut g1, g2): (Vec<usize>, Vec<usize>) = if unplayed {
        let half = by_number.len() / 2;
        (by_number[..half].to_vec(), by_number[half..].to_vec())
    } else {
        by_number.iter().partition(|&&i| seeks_white(field, i))
    };
    let original = g1.clone();
    let all = pairings(field, members);
    let within = |pairs: &Pairs, half: bool| {
        pairs
            .iter()
            .filter(|&&(a, b)| original.contains(&a) == half && original.contains(&b) == half)
            .count()
    };
    let c7 = all
        .iter()
        .map(|pairs| same_side(field, pairs))
        .min()
        .expect("a pairing is legal");
    let smaller = g1.len() <= g2.len();
    let moves = all
        .iter()
        .filter(|pairs| same_side(field, pairs) == c7)
        .map(|pairs| within(pairs, smaller))
        .min()
        .expect("one of them is best");
    let sort = |is_first: bool, list: &mut Vec<usize>| {
        list.sort_unstable();
        if is_first {
            list.sort_by_key(|&i| (rating(i), i));
        }
    };
    sort(true, &mut g1);
    let (one, two) = if smaller { (&g1, &g2) } else { (&g2, &g1) };
    for across in subsets(&shifters(one), moves) {
        let left = without(one, &across);
        let mut larger = two.clone();
        larger.extend(&across);
        sort(!smaller, &mut larger);
        let back = (larger.len() - left.len()) / 2;
        for returned in subsets(&shifters(&larger), back) {
            let mut left = left.clone();
            left.extend(&returned);
            let larger = without(&larger, &returned);
            let (mut s1, mut s2) = if smaller {
                (left, larger)
            } else {
                (larger, left)
            };
            sort(true, &mut s1);
            sort(false, &mut s2);
            let mut found = None;
            transpose(field, &s1, &s2, &mut Vec::new(), &mut |pairs| {
                if same_side(field, pairs) == c7 {
                    found = Some(pairs.clone());
                }
                found.is_some()
            });
            if let Some(pairs) = found {
                return pairs;
            }
        }
    }
    panic!("a pairing was legal");
}

/// 4.3: the list from its middle outwards.
fn shifters(list: &[usize]) -> Vec<usize> {
    let mut rest = list.to_vec();
    let mut order = Vec::new();
    let odd = !list.len().is_multiple_of(2);
    while !rest.is_empty() {
        // The middle of an odd list; of an even one the upper of the two, then the other.
        let at = if odd == (order.len() % 2 == 0) {
            rest.len() / 2
        } else {
            (rest.len() - 1) / 2
        };
        order.push(rest.remove(at));
    }
    order
}

/// All ways to give the members of S2 to those of S1, lexicographically, until `seen` says yes.
fn transpose(
    field: &Field,
    s1: &[usize],
    s2: &[usize],
    pairs: &mut Pairs,
    seen: &mut dyn FnMut(&Pairs) -> bool,
) -> bool {
    let Some((&first, others)) = s1.split_first() else {
        return seen(pairs);
    };
    for (at, &other) in s2.iter().enumerate() {
        if legal(field, first, other) {
            let mut rest = s2.to_vec();
            rest.remove(at);
            pairs.push((first, other));
            if transpose(field, others, &rest, pairs, seen) {
                return true;
            }
            pairs.pop();
        }
    }
    false
}

/// The Burstein system after its seeding rounds.
pub(crate) fn burstein(field: &Field) -> Outcome {
    let index: Vec<(Reverse<u32>, Reverse<u32>, usize)> = (0..field.players().len())
        .map(|i| index(field, i))
        .collect();
    let mut order = field.to_pair().to_vec();
    order.sort_by_key(|&i| (Reverse(score(field, i)), index[i]));
    let (mut rest, bye) = take_bye(field, &order)?;
    let mut floats: Vec<usize> = Vec::new();
    let mut made = BTreeSet::new();
    while let Some(&first) = rest.first() {
        let (group, below): (Vec<usize>, Vec<usize>) = rest
            .iter()
            .partition(|&&i| score(field, i) == score(field, first));
        let mut members = floats;
        members.extend(group);
        members.sort_by_key(|&i| index[i]);
        let (pairs, left) = bracket(field, &members, &below);
        made.extend(pairs.into_iter().map(|(a, b)| (a.min(b), a.max(b))));
        floats = left;
        rest = below;
    }
    assert!(floats.is_empty());
    Some((made, bye))
}

/// 1.7, 1.8.
fn index(field: &Field, i: usize) -> (Reverse<u32>, Reverse<u32>, usize) {
    let player = field.player(i);
    let draw = u32::from(field.scoring.draw.0);
    let seen = |other: usize| {
        let other = field.player(other);
        let mut score = u32::from(other.score.0);
        if other.presence != Presence::Present {
            for record in other.rounds.iter().rev() {
                let RoundRecord::Unpaired { kind, .. } = record else {
                    break;
                };
                if !matches!(kind, UnpairedKind::ZeroPoint | UnpairedKind::Absent) {
                    break;
                }
                score += draw;
            }
        }
        score
    };
    let (mut buchholz, mut berger) = (0, 0);
    for record in &player.rounds {
        let theirs = match *record {
            RoundRecord::Played { opponent, .. } => seen(opponent),
            _ => u32::from(player.score.0),
        };
        buchholz += theirs;
        berger += theirs * u32::from(record.points().0);
    }
    (Reverse(buchholz), Reverse(berger), i)
}

/// Every way to pair some of the players: (pairs, left over).
fn partial(field: &Field, players: &[usize]) -> Vec<(Pairs, Vec<usize>)> {
    let Some((&first, others)) = players.split_first() else {
        return vec![(Vec::new(), Vec::new())];
    };
    let mut all = Vec::new();
    for (mut pairs, mut left) in partial(field, others) {
        left.insert(0, first);
        all.push((std::mem::take(&mut pairs), left));
    }
    for (at, &other) in others.iter().enumerate() {
        if legal(field, first, other) {
            let mut rest = others.to_vec();
            rest.remove(at);
            for (mut pairs, left) in partial(field, &rest) {
                pairs.push((first, other));
                all.push((pairs, left));
            }
        }
    }
    all
}

/// How many are left over, and their scores from the highest; smaller is better.
fn left_scores(field: &Field, left: &[usize]) -> (usize, Vec<u16>) {
    let mut scores: Vec<u16> = left.iter().map(|&i| score(field, i)).collect();
    scores.sort_by_key(|&score| Reverse(score));
    (left.len(), scores)
}

/// The best pairing of a bracket, and the first of the best by article 4.
fn bracket(field: &Field, members: &[usize], below: &[usize]) -> (Pairs, Vec<usize>) {
    let (next, rest): (Vec<usize>, Vec<usize>) = below.iter().partition(|&&i| {
        below
            .first()
            .is_some_and(|&b| score(field, b) == score(field, i))
    });
    partial(field, members)
        .into_iter()
        .filter(|(_, left)| {
            let mut all = left.clone();
            all.extend(below);
            completable(field, &all)
        })
        .min_by_key(|(pairs, left)| {
            let mut there = left.clone();
            there.extend(&next);
            let ahead = partial(field, &there)
                .into_iter()
                .filter(|(_, over)| {
                    let mut all = over.clone();
                    all.extend(&rest);
                    completable(field, &all)
                })
                .map(|(_, over)| left_scores(field, &over))
                .min();
            let wish = |i: usize| field.player(i).preference;
            let denied = pairs
                .iter()
                .filter(|&&(a, b)| {
                    wish(a) != Preference::None && wish(a).colour() == wish(b).colour()
                })
                .count();
            let opponents: Vec<Reverse<usize>> = members
                .iter()
                .map(|&i| {
                    let other = pairs.iter().find_map(|&(a, b)| match i {
                        _ if i == a => Some(b),
                        _ if i == b => Some(a),
                        _ => None,
                    });
                    let number = other.and_then(|b| members.iter().position(|&m| m == b));
                    Reverse(number.map_or(0, |at| at + 1))
                })
                .collect();
            (left_scores(field, left), ahead, denied, opponents)
        })
        .expect("the rest was completable")
}
