//! The Dutch system of 2026 taken at its word: every candidate of every bracket, in the order of
//! article 4, judged by every criterion. For fields of a few players.

use std::{cmp::Reverse, collections::BTreeSet};

use flagfall_core::{
    pairing::swiss::{ByeBar, Field, Float, FloatRule, Preference},
    types::Color,
};

/// The pairs (unordered, by index of the field) and the bye; nothing when there is no legal pairing.
pub(crate) type Outcome = Option<(BTreeSet<(usize, usize)>, Option<usize>)>;

type Pairs = Vec<(usize, usize)>;

struct Literal<'f> {
    field: &'f Field,
    bye_score: Option<u16>,
}

/// The whole round.
pub(crate) fn pair(field: &Field) -> Outcome {
    let everybody = field.to_pair().to_vec();
    let mut literal = Literal {
        field,
        bye_score: None,
    };
    if everybody.len() % 2 == 1 {
        let scores: BTreeSet<u16> = everybody.iter().map(|&i| literal.score(i)).collect();
        // C5
        literal.bye_score = Some(scores.into_iter().find(|&score| {
            literal.bye_score = Some(score);
            literal.completable(&everybody)
        })?);
    } else if !literal.completable(&everybody) {
        return None;
    }
    let mut rest = everybody;
    let mut moved: Vec<usize> = Vec::new();
    let mut pairs = BTreeSet::new();
    while let Some(&first) = rest.first() {
        let score = literal.score(first);
        let (residents, below): (Vec<usize>, Vec<usize>) =
            rest.iter().partition(|&&i| literal.score(i) == score);
        let (made, left) = literal.bracket(&moved, &residents, &below);
        pairs.extend(made.into_iter().map(|(a, b)| (a.min(b), a.max(b))));
        moved = left;
        rest = below;
    }
    assert!(moved.len() <= 1);
    Some((pairs, moved.pop()))
}

impl Literal<'_> {
    fn score(&self, i: usize) -> u16 {
        self.field.player(i).pairing_score.0
    }

    fn legal(&self, a: usize, b: usize) -> bool {
        let (one, two) = (self.field.player(a), self.field.player(b));
        let same = one.preference.is_absolute() && one.preference == two.preference;
        let topscorers = self.field.is_topscorer(a) || self.field.is_topscorer(b);
        !self.field.apart(a, b) && (!same || topscorers)
    }

    fn may_have_bye(&self, i: usize) -> bool {
        let player = self.field.player(i);
        Some(self.score(i)) == self.bye_score
            && !player.bye_barred(ByeBar::WinUnplayed, &self.field.scoring)
    }

    /// C1 to C5 for all who are left.
    fn completable(&self, players: &[usize]) -> bool {
        let Some((&first, others)) = players.split_first() else {
            return true;
        };
        let without = |at: usize| {
            let mut rest = others.to_vec();
            rest.remove(at);
            rest
        };
        (0..others.len()).any(|at| self.legal(first, others[at]) && self.completable(&without(at)))
            || players.len() % 2 == 1 && self.may_have_bye(first) && self.completable(others)
    }

    /// The pairs and the downfloaters of a bracket.
    fn bracket(
        &self,
        moved: &[usize],
        residents: &[usize],
        below: &[usize],
    ) -> (Pairs, Vec<usize>) {
        let mut best: Option<(Vec<Vec<u32>>, Pairs, Vec<usize>)> = None;
        for (pairs, left) in candidates(moved, residents) {
            if !pairs.iter().all(|&(a, b)| self.legal(a, b)) {
                continue;
            }
            let rest: Vec<usize> = left.iter().chain(below).copied().collect();
            if !self.completable(&rest) {
                continue;
            }
            let judged = self.judge(moved, &pairs, &left, below);
            if best.as_ref().is_none_or(|(known, ..)| judged < *known) {
                best = Some((judged, pairs, left));
            }
        }
        let (_, pairs, left) = best.expect("the rest was completable");
        (pairs, left)
    }

    /// The criteria from C6 on; smaller is better.
    fn judge(
        &self,
        moved: &[usize],
        pairs: &[(usize, usize)],
        left: &[usize],
        below: &[usize],
    ) -> Vec<Vec<u32>> {
        let descending = |mut list: Vec<u32>| {
            list.sort_by_key(|&value| Reverse(value));
            list
        };
        let scores = |players: &[usize]| {
            descending(players.iter().map(|&i| u32::from(self.score(i))).collect())
        };
        let mut judged = vec![vec![left.len() as u32], scores(left)];
        judged.extend(self.next_bracket(left, below));
        let bye_taker = left.len() == 1 && {
            let only: Vec<usize> = left.to_vec();
            let mut without = below.to_vec();
            without.extend(&only);
            // Nobody below has the score of the bye.
            (left.len() + below.len()) % 2 == 1 && !below.iter().any(|&i| self.has_bye_score(i))
        };
        judged.push(vec![if bye_taker {
            self.field.player(left[0]).games_missed() as u32
        } else {
            0
        }]);
        let count = |which: &dyn Fn(usize, usize) -> u32| -> Vec<u32> {
            vec![pairs.iter().map(|&(a, b)| which(a, b)).sum()]
        };
        judged.push(count(&|a, b| self.topscorer_costs(a, b).0));
        judged.push(count(&|a, b| self.topscorer_costs(a, b).1));
        let wish = |i: usize| self.field.player(i).preference;
        let same =
            |a: usize, b: usize| wish(a).colour().is_some() && wish(a).colour() == wish(b).colour();
        judged.push(count(&|a, b| u32::from(same(a, b))));
        judged.push(count(&|a, b| {
            u32::from(same(a, b) && wish(a).is_strong() && wish(b).is_strong())
        }));
        let floated = |i: usize, back: usize, which: Float| {
            let rule = FloatRule::Rewarded;
            self.field.player(i).float(back, rule, &self.field.scoring) == Some(which)
        };
        for back in [1, 2] {
            let down = left
                .iter()
                .filter(|&&i| !moved.contains(&i) && floated(i, back, Float::Down))
                .count();
            judged.push(vec![down as u32]);
            judged.push(count(&|a, b| {
                u32::from(moved.contains(&a) && floated(b, back, Float::Up))
            }));
        }
        let lowest = pairs
            .iter()
            .flat_map(|&(a, b)| [a, b])
            .chain(left.iter().copied())
            .map(|i| self.score(i))
            .min()
            .unwrap_or(0);
        for back in [1, 2] {
            let difference = |a: usize, b: usize| u32::from(self.score(a) - self.score(b));
            let mut down: Vec<u32> = pairs
                .iter()
                .filter(|&&(a, _)| moved.contains(&a) && floated(a, back, Float::Down))
                .map(|&(a, b)| difference(a, b))
                .collect();
            // Who floats on: as if he met somebody a point below the bracket.
            down.extend(
                left.iter()
                    .filter(|&&i| moved.contains(&i) && floated(i, back, Float::Down))
                    .map(|&i| u32::from(self.score(i) - lowest + 2)),
            );
            judged.push(descending(down));
            judged.push(descending(
                pairs
                    .iter()
                    .filter(|&&(a, b)| moved.contains(&a) && floated(b, back, Float::Up))
                    .map(|&(a, b)| difference(a, b))
                    .collect(),
            ));
        }
        judged
    }

    fn has_bye_score(&self, i: usize) -> bool {
        Some(self.score(i)) == self.bye_score
    }

    /// C8: the best that the next bracket can do with these downfloaters: how many are left over
    /// there, and their scores.
    fn next_bracket(&self, left: &[usize], below: &[usize]) -> Vec<Vec<u32>> {
        let Some(&first) = below.first() else {
            return Vec::new();
        };
        let (next, rest): (Vec<usize>, Vec<usize>) = below
            .iter()
            .partition(|&&i| self.score(i) == self.score(first));
        let mut players = left.to_vec();
        players.extend(next);
        let mut best: Option<Vec<Vec<u32>>> = None;
        self.leftovers(&players, &mut Vec::new(), &mut |over| {
            let mut scores: Vec<u32> = over.iter().map(|&i| u32::from(self.score(i))).collect();
            scores.sort_by_key(|&score| Reverse(score));
            let judged = vec![vec![scores.len() as u32], scores];
            if best.as_ref().is_none_or(|best| judged < *best) {
                let mut all = over.to_vec();
                all.extend(&rest);
                if self.completable(&all) {
                    best = Some(judged);
                }
            }
        });
        best.expect("the rest was completable")
    }

    /// Every way to pair some of the players, by who is left over.
    fn leftovers(&self, players: &[usize], over: &mut Vec<usize>, seen: &mut dyn FnMut(&[usize])) {
        let Some((&first, others)) = players.split_first() else {
            seen(over);
            return;
        };
        for at in 0..others.len() {
            if self.legal(first, others[at]) {
                let mut rest = others.to_vec();
                rest.remove(at);
                self.leftovers(&rest, over, seen);
            }
        }
        over.push(first);
        self.leftovers(others, over, seen);
        over.pop();
    }

    /// C10 and C11 of a pair.
    fn topscorer_costs(&self, a: usize, b: usize) -> (u32, u32) {
        let (one, two) = (self.field.player(a), self.field.player(b));
        let (Preference::Absolute(wish), Preference::Absolute(other)) =
            (one.preference, two.preference)
        else {
            return (0, 0);
        };
        if wish != other {
            return (0, 0);
        }
        let (high, low) = if self.field.ranks_higher(a, b) {
            (one, two)
        } else {
            (two, one)
        };
        let sizes = [high, low].map(|player| player.colour_difference().abs());
        let high_granted = if sizes[0] == sizes[1] {
            match high.colours.last_difference(&low.colours) {
                Some((before, _)) => before != wish,
                None => true,
            }
        } else {
            sizes[0] > sizes[1]
        };
        let loser = if high_granted { low } else { high };
        let sign = |colour: Color| if colour.is_white() { 1 } else { -1 };
        let after = loser.colour_difference() + sign(!wish);
        (
            u32::from(after.abs() > 2),
            u32::from(loser.colours.repeated() == Some(!wish)),
        )
    }
}

/// All candidates of a bracket with any number of pairs, in the order of generation within each
/// number: (pairs, left over).
fn candidates(moved: &[usize], residents: &[usize]) -> Vec<(Pairs, Vec<usize>)> {
    let mut all = Vec::new();
    for paired_moved in (0..=moved.len().min(residents.len())).rev() {
        let most = paired_moved + (residents.len() - paired_moved) / 2;
        for count in (paired_moved..=most).rev() {
            // 4.4
            for set in subsets(moved.len(), paired_moved) {
                let upper: Vec<usize> = set.iter().map(|&at| moved[at]).collect();
                let limbo: Vec<usize> = (0..moved.len())
                    .filter(|at| !set.contains(at))
                    .map(|at| moved[at])
                    .collect();
                for lower in arrangements(residents, paired_moved) {
                    let remainder: Vec<usize> = residents
                        .iter()
                        .filter(|i| !lower.contains(i))
                        .copied()
                        .collect();
                    for (pairs, left) in homogeneous(&remainder, count - paired_moved) {
                        let mut whole: Pairs =
                            upper.iter().copied().zip(lower.iter().copied()).collect();
                        whole.extend(pairs);
                        let left = limbo.iter().copied().chain(left).collect();
                        all.push((whole, left));
                    }
                }
            }
        }
    }
    all
}

/// The candidates of a homogeneous bracket or remainder: exchanges (4.3), transpositions (4.2).
fn homogeneous(players: &[usize], pairs: usize) -> Vec<(Pairs, Vec<usize>)> {
    let mut halves = subsets(players.len(), pairs);
    halves.sort_by_key(|upper| {
        let down: Vec<usize> = (0..pairs).filter(|at| !upper.contains(at)).collect();
        let up: Vec<usize> = upper.iter().filter(|&&at| at >= pairs).copied().collect();
        let sum = |list: &[usize]| i64::from(list.iter().sum::<usize>() as u32);
        let largest_first: Vec<Reverse<usize>> = down.iter().rev().map(|&at| Reverse(at)).collect();
        (down.len(), sum(&up) - sum(&down), largest_first, up)
    });
    let mut all = Vec::new();
    for upper in halves {
        let lower: Vec<usize> = (0..players.len())
            .filter(|at| !upper.contains(at))
            .collect();
        for order in arrangements(&lower, pairs) {
            let made = upper
                .iter()
                .zip(&order)
                .map(|(&a, &b)| (players[a], players[b]));
            let left = lower
                .iter()
                .filter(|at| !order.contains(at))
                .map(|&at| players[at]);
            all.push((made.collect(), left.collect()));
        }
    }
    all
}

/// All sets of `size` numbers below `count`, lexicographically.
fn subsets(count: usize, size: usize) -> Vec<Vec<usize>> {
    fn go(from: usize, count: usize, size: usize, set: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
        if set.len() == size {
            all.push(set.clone());
            return;
        }
        for at in from..count {
            set.push(at);
            go(at + 1, count, size, set, all);
            set.pop();
        }
    }
    let mut all = Vec::new();
    go(0, count, size, &mut Vec::new(), &mut all);
    all
}

/// All sequences of `size` different items, lexicographically by place.
fn arrangements(items: &[usize], size: usize) -> Vec<Vec<usize>> {
    fn go(items: &[usize], size: usize, chosen: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
        if chosen.len() == size {
            all.push(chosen.clone());
            return;
        }
        for &item in items {
            if !chosen.contains(&item) {
                chosen.push(item);
                go(items, size, chosen, all);
                chosen.pop();
            }
        }
    }
    let mut all = Vec::new();
    go(items, size, &mut Vec::new(), &mut all);
    all
}
