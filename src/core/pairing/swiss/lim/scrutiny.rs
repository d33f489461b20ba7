//! Scrutiny of the proposed pairs: for compatibility (2.4, 4.1, 4.2), then for colours (5.2).

use super::{Scrutiny, group::Work, reason::Found};
use crate::{
    pairing::{
        matching::NONE,
        swiss::{criteria::Criteria, ground::sub_graph},
    },
    types::Color,
};

impl Work<'_, '_> {
    /// 2.4, 4.1, 4.2, 5.2.
    pub(super) fn scrutinise(&mut self) -> Option<()> {
        let open = self.open();
        let half = open.len() / 2;
        let mut mates = vec![NONE; open.len()];
        for at in 0..open.len() {
            if mates[at] != NONE {
                continue;
            }
            let tries = tries(at, half, self.roster.options.scrutiny);
            let free = tries.into_iter().filter(|&x| mates[x] == NONE);
            let order: Vec<usize> = free.map(|x| open[x]).collect();
            let partner = self.optimum.first(open[at], order.into_iter())?;
            let other = open.iter().position(|&v| v == partner)?;
            mates[at] = other;
            mates[other] = at;
        }
        let better = self.exchange(&open, &mates)?;
        for at in 0..open.len() {
            let other = better[at];
            if other < at {
                continue;
            }
            let proposed =
                (at < half).then(|| self.roster.ground.no(self.members[open[at + half]].place));
            let found = if other == mates[at] {
                Found::Scrutiny {
                    number: at + 1,
                    proposed,
                }
            } else {
                Found::ColourExchange {
                    before: self.roster.ground.no(self.members[open[mates[at]]].place),
                }
            };
            let passed: Vec<usize> = tries(at, half, self.roster.options.scrutiny)
                .into_iter()
                .take_while(|&x| x != other)
                .filter(|&x| better[x] > at)
                .map(|x| open[x])
                .collect();
            self.settle(open[at], open[other], found, &passed);
        }
        Some(())
    }

    /// 5.2: of the pairings that give most players the colour they are due the first in the order
    /// of scrutiny; `mates` itself when nothing is gained.
    fn exchange(&self, open: &[usize], mates: &[usize]) -> Option<Vec<usize>> {
        let denied = |a: usize, b: usize| {
            self.due(open[a]).is_some() && self.due(open[a]) == self.due(open[b])
        };
        let count = (0..open.len()).filter(|&a| denied(a, mates[a])).count() / 2;
        if count == 0 {
            return Some(mates.to_vec());
        }
        let mut graph = sub_graph(&self.graph, open);
        if self.roster.options.maxi_tournament {
            // 5.7: nobody is exchanged for somebody whose rating differs by more than 100 points.
            let place = |x: usize| self.members[open[x]].place;
            let near =
                |a: usize, b: usize| self.roster.colour_may_choose(place(mates[a]), place(b));
            for a in 0..open.len() {
                for b in a + 1..open.len() {
                    if !(near(a, b) && near(b, a)) {
                        graph.unset_both(a, b);
                    }
                }
            }
        }
        let mut criteria = Criteria::new(open.len(), |v| self.due(open[v]).map(Color::is_white));
        criteria.add(|a, b| u32::from(denied(a, b)));
        let mut optimum = criteria.solve(graph, |v| mates[v])?;
        let best = (0..open.len())
            .filter(|&a| denied(a, optimum.mates()[a]))
            .count()
            / 2;
        if best == count {
            return Some(mates.to_vec());
        }
        let mut settled = vec![false; open.len()];
        for at in 0..open.len() {
            if settled[at] {
                continue;
            }
            settled[at] = true;
            let tries = tries(at, open.len() / 2, self.roster.options.scrutiny);
            let free: Vec<usize> = tries.into_iter().filter(|&x| !settled[x]).collect();
            let partner = optimum.first(at, free.into_iter())?;
            settled[partner] = true;
        }
        Some(optimum.mates().to_vec())
    }
}

/// 4.2: whom number `at` (from 0) of a group of `2 * half` tries, in order.
fn tries(at: usize, half: usize, scrutiny: Scrutiny) -> Vec<usize> {
    if at >= half {
        // The leading half is paired: the rest in order.
        return (at + 1..2 * half).collect();
    }
    let proposed = at + half;
    let mut tries: Vec<usize> = (proposed..2 * half).collect();
    match scrutiny {
        Scrutiny::Around => tries.extend(half..proposed),
        Scrutiny::Outwards => tries.extend((half..proposed).rev()),
    }
    tries.extend((at + 1..half).rev());
    tries
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(at: usize, half: usize, scrutiny: Scrutiny) -> Vec<usize> {
        tries(at - 1, half, scrutiny)
            .into_iter()
            .map(|x| x + 1)
            .collect()
    }

    #[test]
    fn number_one_of_six_tries_4_5_6_3_2() {
        assert_eq!(numbers(1, 3, Scrutiny::Around), [4, 5, 6, 3, 2]);
        assert_eq!(numbers(1, 3, Scrutiny::Outwards), [4, 5, 6, 3, 2]);
    }

    #[test]
    fn readings_differ_from_number_three_on() {
        assert_eq!(numbers(2, 3, Scrutiny::Around), [5, 6, 4, 3]);
        assert_eq!(numbers(3, 3, Scrutiny::Around), [6, 4, 5]);
        assert_eq!(numbers(3, 3, Scrutiny::Outwards), [6, 5, 4]);
        assert_eq!(numbers(4, 3, Scrutiny::Around), [5, 6]);
    }
}
