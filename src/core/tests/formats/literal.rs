//! C.04.6 and C.04.5 read literally: every set of upfloaters and every pairing of every bracket is
//! listed, sorted and judged.

use std::collections::BTreeSet;

use flagfall_core::pairing::{Input, UnpairedKind, team::TeamPreferences};

/// A team as the text sees it.
#[derive(Clone, Debug, Default)]
struct Team {
    score: u16,
    met: BTreeSet<usize>,
    floated: bool,
    /// Had the bye, a forfeit win or a full-point bye.
    barred: bool,
    /// The colours, true = White.
    colours: Vec<bool>,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Team(TeamPreferences),
    Double,
}

/// Pairs as (smaller, larger).
pub(super) type Pairs = BTreeSet<(usize, usize)>;

pub(super) struct Literal {
    teams: Vec<Team>,
    /// 2.3.4 and 2.3.7 apply.
    floats: bool,
    last_round: bool,
    kind: Kind,
}

impl Literal {
    pub(super) fn new(input: &Input, kind: Kind) -> Self {
        let mut teams = vec![Team::default(); input.players.len()];
        for past in &input.history {
            let before: Vec<u16> = teams.iter().map(|team| team.score).collect();
            for team in &mut teams {
                team.floated = false;
            }
            for own in &past.games {
                let (w, b) = (usize::from(own.white.0) - 1, usize::from(own.black.0) - 1);
                teams[w].score += own.white_points.0;
                teams[b].score += own.black_points.0;
                if own.played {
                    teams[w].met.insert(b);
                    teams[b].met.insert(w);
                    teams[w].colours.push(true);
                    teams[b].colours.push(false);
                    teams[w].floated = before[w] != before[b];
                    teams[b].floated = before[w] != before[b];
                } else {
                    teams[w].barred |= own.white_points > own.black_points;
                    teams[b].barred |= own.black_points > own.white_points;
                }
            }
            for own in &past.unpaired {
                let team = &mut teams[usize::from(own.player.0) - 1];
                team.score += own.points.0;
                team.barred |= own.kind == UnpairedKind::PairingAllocated;
            }
        }
        let left = input.settings.rounds.expect("set") - input.round.0;
        let lapse = if kind == Kind::Double { 1 } else { 2 };
        Self {
            teams,
            floats: left >= lapse,
            last_round: left == 0,
            kind,
        }
    }

    fn can_pair(&self, teams: &[usize]) -> bool {
        let Some((&first, rest)) = teams.split_first() else {
            return true;
        };
        rest.iter().any(|&other| {
            !self.teams[first].met.contains(&other) && {
                let left: Vec<usize> = rest.iter().copied().filter(|&t| t != other).collect();
                self.can_pair(&left)
            }
        })
    }

    /// Preference of 1.7: (White, strong).
    fn wish(&self, team: usize) -> Option<(bool, bool)> {
        let Kind::Team(preferences) = self.kind else {
            return None;
        };
        let colours = &self.teams[team].colours;
        let cd: i32 = colours
            .iter()
            .map(|&white| if white { 1 } else { -1 })
            .sum();
        let last_two =
            |white: bool| colours.len() > 1 && colours[colours.len() - 2..] == [white; 2];
        let strong = if cd < -1 || (cd == 0 || cd == -1) && last_two(false) {
            Some(true)
        } else if cd > 1 || (cd == 0 || cd == 1) && last_two(true) {
            Some(false)
        } else {
            None
        };
        match (preferences, strong) {
            (TeamPreferences::None, _) => None,
            (TeamPreferences::A, white) => white.map(|white| (white, false)),
            (TeamPreferences::B, Some(white)) => Some((white, true)),
            (TeamPreferences::B, None) if cd != 0 => Some((cd < 0, false)),
            (TeamPreferences::B, None) if self.last_round => None,
            (TeamPreferences::B, None) => colours.last().map(|&white| (!white, false)),
        }
    }

    /// Pairs (top, bottom) and the bye.
    pub(super) fn pair(&self) -> Option<(Pairs, Option<usize>)> {
        let mut left: Vec<usize> = (0..self.teams.len()).collect();
        let mut bye = None;
        if left.len() % 2 == 1 {
            let mut order = left.clone();
            order.sort_by_key(|&t| {
                let team = &self.teams[t];
                (team.score, usize::MAX - team.colours.len(), usize::MAX - t)
            });
            let taker = order.into_iter().find(|&t| {
                let others: Vec<usize> = left.iter().copied().filter(|&o| o != t).collect();
                !self.teams[t].barred && self.can_pair(&others)
            })?;
            left.retain(|&t| t != taker);
            bye = Some(taker);
        }
        if !self.can_pair(&left) {
            return None;
        }
        let mut pairs = BTreeSet::new();
        while !left.is_empty() {
            let set = self.best_set(&left);
            let top = left.iter().map(|&t| self.teams[t].score).max()?;
            let bracket: Vec<usize> = left
                .iter()
                .copied()
                .filter(|t| self.teams[*t].score == top || set.contains(t))
                .collect();
            pairs.extend(self.best_pairing(&bracket, top));
            left.retain(|t| !bracket.contains(t));
        }
        Some((pairs, bye))
    }

    /// All legal sets with the fewest upfloaters, in the order of 3.5.4.
    fn sets(&self, left: &[usize]) -> Vec<Vec<usize>> {
        let top = left
            .iter()
            .map(|&t| self.teams[t].score)
            .max()
            .expect("somebody is left");
        let residents: Vec<usize> = left
            .iter()
            .copied()
            .filter(|&t| self.teams[t].score == top)
            .collect();
        let mut pool: Vec<usize> = left
            .iter()
            .copied()
            .filter(|&t| self.teams[t].score < top)
            .collect();
        pool.sort_by_key(|&t| (u16::MAX - self.teams[t].score, t));
        for size in 0..=pool.len() {
            if (residents.len() + size) % 2 == 1 {
                continue;
            }
            let legal: Vec<Vec<usize>> = choose(&pool, size)
                .into_iter()
                .filter(|set| {
                    let mut bracket = residents.clone();
                    bracket.extend(set);
                    let rest: Vec<usize> = left
                        .iter()
                        .copied()
                        .filter(|t| !bracket.contains(t))
                        .collect();
                    self.can_pair(&bracket) && self.can_pair(&rest)
                })
                .collect();
            if !legal.is_empty() {
                return legal;
            }
        }
        panic!("C3 was checked")
    }

    fn best_set(&self, left: &[usize]) -> Vec<usize> {
        let top = left
            .iter()
            .map(|&t| self.teams[t].score)
            .max()
            .expect("somebody is left");
        let below = self
            .teams
            .iter()
            .map(|t| t.score)
            .filter(|&s| s < top)
            .max();
        self.sets(left)
            .into_iter()
            .enumerate()
            .min_by_key(|(order, set)| {
                let mut scores: Vec<u16> = set
                    .iter()
                    .map(|&t| u16::MAX - self.teams[t].score)
                    .collect();
                scores.sort_unstable_by(|a, b| b.cmp(a));
                let rest: Vec<usize> = left
                    .iter()
                    .copied()
                    .filter(|t| self.teams[*t].score < top && !set.contains(t))
                    .collect();
                let members = rest
                    .iter()
                    .filter(|&&t| Some(self.teams[t].score) == below)
                    .count();
                let fails = members > 0 && self.sets(&rest)[0].len() != members % 2;
                let floated = set.iter().filter(|&&t| self.teams[t].floated).count();
                (scores, fails, if self.floats { floated } else { 0 }, *order)
            })
            .expect("C3 was checked")
            .1
    }

    fn best_pairing(&self, bracket: &[usize], top: u16) -> Vec<(usize, usize)> {
        pairings(bracket)
            .into_iter()
            .filter(|pairs| pairs.iter().all(|(a, b)| !self.teams[*a].met.contains(b)))
            .min_by_key(|pairs| {
                let (mut colours, mut strong, mut floats) = (0, 0, 0);
                for &(a, b) in pairs {
                    if let (Some(own), Some(other)) = (self.wish(a), self.wish(b))
                        && own.0 == other.0
                    {
                        colours += 1;
                        strong += usize::from(own.1 && other.1);
                    }
                    for (own, other) in [(a, b), (b, a)] {
                        let upfloat = self.teams[own].score == top && self.teams[other].score < top;
                        floats += usize::from(upfloat && self.floats && self.teams[own].floated);
                    }
                }
                let mut identifier: Vec<usize> = pairs.iter().map(|pair| pair.0).collect();
                identifier.extend(pairs.iter().map(|pair| pair.1));
                (colours, strong, floats, identifier)
            })
            .expect("C3 was checked")
    }
}

fn choose(pool: &[usize], size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (at, &first) in pool.iter().enumerate() {
        for mut rest in choose(&pool[at + 1..], size - 1) {
            rest.insert(0, first);
            all.push(rest);
        }
    }
    all
}

/// All pairings as (smaller, larger), tops ascending.
fn pairings(teams: &[usize]) -> Vec<Vec<(usize, usize)>> {
    let mut teams = teams.to_vec();
    teams.sort_unstable();
    let Some((&first, rest)) = teams.split_first() else {
        return vec![Vec::new()];
    };
    let mut all = Vec::new();
    for &other in rest {
        let left: Vec<usize> = rest.iter().copied().filter(|&t| t != other).collect();
        for mut pairs in pairings(&left) {
            pairs.insert(0, (first, other));
            all.push(pairs);
        }
    }
    all
}
