//! One scoregroup: floaters get their opponents (3.6 to 3.8), somebody may have to leave (2.3, 3.2,
//! 3.9), the rest go to scrutiny.

use super::{
    reason::{FloatCause, Found, LimColour, LimFloat, LimReason},
    roster::Roster,
};
use crate::{
    pairing::{
        matching::{Alternating, BitMatrix, BitSet, NONE, Optimum, maximise},
        swiss::ground::sub_graph,
    },
    types::{Color, PlayerNo, Points},
};

/// How many who could not be spared an explanation lists.
const PASSED: usize = 8;

/// Where a group lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Above the median: paired downwards.
    Upper,
    /// Below it: paired upwards.
    Lower,
    /// The median: paired downwards, nobody leaves.
    Median,
}

/// Where a floater comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Above,
    Below,
}

/// A member of a group.
#[derive(Clone, Debug)]
pub(super) struct Incoming {
    pub(super) place: usize,
    /// Nothing for residents.
    pub(super) origin: Option<Origin>,
    pub(super) float: Option<LimFloat>,
}

impl Incoming {
    pub(super) fn resident(place: usize) -> Self {
        Self {
            place,
            origin: None,
            float: None,
        }
    }
}

/// A group to pair.
pub(super) struct Task {
    pub(super) side: Side,
    pub(super) score: Points,
    pub(super) members: Vec<Incoming>,
    /// The places of the group to which floaters go.
    pub(super) adjacent: Vec<usize>,
}

/// A pair, as places.
#[derive(Clone, Debug)]
pub(super) struct Paired {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) below_median: bool,
    pub(super) reason: LimReason,
}

/// What a group comes to.
pub(super) struct Outcome {
    pub(super) pairs: Vec<Paired>,
    pub(super) floats: Vec<Incoming>,
}

/// Pairs a group.
pub(super) fn pair(roster: &Roster<'_>, task: &Task) -> Option<Outcome> {
    let mut work = Work::new(roster, task);
    work.floaters();
    work.leave();
    work.scrutinise()?;
    Some(Outcome {
        pairs: work.pairs,
        floats: work.floats,
    })
}

pub(super) struct Work<'a, 'f> {
    pub(super) roster: &'a Roster<'f>,
    task: &'a Task,
    /// Members in the order of scrutiny: by number downwards, or upwards below the median.
    pub(super) members: Vec<Incoming>,
    pub(super) graph: BitMatrix,
    /// The largest pairings of the group. Vertices beyond the members stand for leaving it.
    pub(super) optimum: Optimum,
    settled: Vec<bool>,
    /// How many must still leave.
    leaving: usize,
    pairs: Vec<Paired>,
    floats: Vec<Incoming>,
}

impl<'a, 'f> Work<'a, 'f> {
    fn new(roster: &'a Roster<'f>, task: &'a Task) -> Self {
        let mut members = task.members.clone();
        members.sort_by_key(|member| roster.ground.order[member.place]);
        if task.side == Side::Lower {
            members.reverse();
        }
        let places: Vec<usize> = members.iter().map(|member| member.place).collect();
        let graph = sub_graph(&roster.ground.legal, &places);
        let count = members.len();
        let mut mates = vec![NONE; count];
        let left = maximise(&graph, &mut mates, &BitSet::full(count));
        let size = count + left.len();
        let mut padded = BitMatrix::new(size);
        for a in 0..count {
            padded.row_mut(a)[..graph.row(a).len()].copy_from_slice(graph.row(a));
        }
        mates.resize(size, NONE);
        for (nobody, &v) in (count..).zip(&left) {
            mates[nobody] = v;
            mates[v] = nobody;
            for member in 0..count {
                padded.set_both(nobody, member);
            }
        }
        Self {
            roster,
            task,
            settled: vec![false; count],
            members,
            graph,
            optimum: Optimum::from_graph(padded, mates),
            leaving: left.len(),
            pairs: Vec::new(),
            floats: Vec::new(),
        }
    }

    pub(super) fn due(&self, v: usize) -> Option<Color> {
        self.roster.traits[self.members[v].place].due
    }

    fn score(&self, v: usize) -> u16 {
        self.roster.traits[self.members[v].place].score
    }

    pub(super) fn open(&self) -> Vec<usize> {
        (0..self.members.len())
            .filter(|&v| !self.settled[v])
            .collect()
    }

    /// 3.6 to 3.8: each floater gets an opponent, or floats on.
    fn floaters(&mut self) {
        let mut order: Vec<usize> = (0..self.members.len())
            .filter(|&v| self.members[v].origin.is_some())
            .collect();
        let above_first = self.task.side != Side::Lower;
        order.sort_by_key(|&v| {
            let above = self.members[v].origin == Some(Origin::Above);
            let score = i32::from(self.score(v));
            let number = self.roster.by_number(self.members[v].place);
            if above {
                (!above_first, -score, number)
            } else {
                (above_first, score, -number)
            }
        });
        for v in order {
            if self.settled[v] {
                continue;
            }
            let wanted = self.wanted(v);
            let partner = self.optimum.first(v, wanted.iter().copied());
            match partner {
                Some(other) => {
                    let before = wanted.iter().take_while(|&&x| x != other);
                    let passed: Vec<usize> = before.copied().collect();
                    self.settle(v, other, Found::Floater, &passed);
                }
                None => self.send(v, FloatCause::NoOpponent, None, Vec::new()),
            }
        }
    }

    /// 3.8: residents before other floaters, those due the opposite colour first, by number: from
    /// above the highest, from below the lowest.
    fn wanted(&self, v: usize) -> Vec<usize> {
        let from_below = self.members[v].origin == Some(Origin::Below);
        let number = |x: usize| {
            let number = self.roster.by_number(self.members[x].place);
            if from_below { -number } else { number }
        };
        let mut wanted: Vec<usize> = self.open();
        wanted.retain(|&x| x != v && self.graph.get(v, x));
        wanted.sort_by_key(|&x| (self.members[x].origin.is_some(), number(x)));
        let Some(&plain) = wanted.first() else {
            return wanted;
        };
        wanted.sort_by_key(|&x| {
            let opposite = self.due(v).is_none() || self.due(x) != self.due(v);
            let chosen = opposite
                && self
                    .roster
                    .colour_may_choose(self.members[plain].place, self.members[x].place);
            (self.members[x].origin.is_some(), !chosen, number(x))
        });
        wanted
    }

    /// 2.3, 3.2, 3.9, 3.10: the fewest possible leave, the best types first.
    fn leave(&mut self) {
        while self.leaving > 0 {
            let candidates = self.candidates();
            let beyond = self.members.len();
            let majority = self.majority();
            let mut passed = Vec::new();
            let mut chosen = None;
            for v in candidates {
                if self.optimum.limit(v, |other| other >= beyond) {
                    chosen = Some(v);
                    break;
                }
                if passed.len() < PASSED {
                    passed.push(self.roster.ground.no(self.members[v].place));
                }
            }
            let Some(v) = chosen else { return };
            let alone = (0..beyond).all(|x| !self.graph.get(v, x));
            let cause = if alone {
                FloatCause::NoOpponent
            } else if self.leaving % 2 == 1 {
                FloatCause::EvenMaker
            } else {
                FloatCause::Others
            };
            let majority = majority.filter(|_| majority == self.due(v));
            self.send(v, cause, majority, passed);
        }
    }

    /// The colour that more of those left are due.
    fn majority(&self) -> Option<Color> {
        let open = self.open();
        let due = |colour: Color| {
            let colour = Some(colour);
            open.iter().filter(|&&v| self.due(v) == colour).count()
        };
        match due(Color::White).cmp(&due(Color::Black)) {
            std::cmp::Ordering::Greater => Some(Color::White),
            std::cmp::Ordering::Less => Some(Color::Black),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// Who may leave, in the order of preference.
    fn candidates(&self) -> Vec<usize> {
        let open = self.open();
        let majority = self.majority();
        let reachable = self.reachable();
        let plain = |v: usize| {
            let place = self.members[v].place;
            let own = &self.roster.traits[place];
            let number = self.roster.by_number(place);
            let (spared, number) = match self.task.side {
                Side::Upper | Side::Median => (own.came_down, -number),
                Side::Lower => (own.came_up, number),
            };
            (!reachable[v], spared, number)
        };
        let by_number = open.iter().copied().min_by_key(|&v| plain(v));
        let mut candidates = open;
        candidates.sort_by_key(|&v| {
            let (no_opponent, spared, number) = plain(v);
            let chosen = majority.is_some()
                && self.due(v) == majority
                && by_number.is_some_and(|by_number| {
                    self.roster
                        .colour_may_choose(self.members[by_number].place, self.members[v].place)
                });
            (no_opponent, spared, !chosen, number)
        });
        candidates
    }

    /// 3.3, 3.4: who has a compatible opponent in the adjacent group whom earlier floaters do not
    /// need.
    fn reachable(&self) -> Vec<bool> {
        let legal = &self.roster.ground.legal;
        let (floats, adjacent) = (&self.floats, &self.task.adjacent);
        let size = floats.len() + 1 + adjacent.len();
        let mut graph = BitMatrix::new(size);
        for (a, float) in floats.iter().enumerate() {
            for (b, &other) in (floats.len() + 1..).zip(adjacent) {
                if legal.get(float.place, other) {
                    graph.set_both(a, b);
                }
            }
        }
        let mut mates = vec![NONE; size];
        let mut active = BitSet::full(size);
        active.remove(floats.len());
        maximise(&graph, &mut mates, &active);
        let root = floats.len();
        active.insert(root);
        let mut search = Alternating::new(size);
        self.members
            .iter()
            .map(|member| {
                for (b, &other) in (root + 1..).zip(adjacent) {
                    if legal.get(member.place, other) {
                        graph.set_both(root, b);
                    } else {
                        graph.unset_both(root, b);
                    }
                }
                let mut mates = mates.clone();
                search
                    .search(&graph, &mut mates, &active, root, |_| false)
                    .is_some()
            })
            .collect()
    }

    fn send(
        &mut self,
        v: usize,
        cause: FloatCause,
        majority: Option<Color>,
        passed: Vec<PlayerNo>,
    ) {
        let beyond = self.members.len();
        self.optimum.limit(v, |other| other >= beyond);
        self.settled[v] = true;
        self.leaving -= 1;
        let place = self.members[v].place;
        let origin = match self.task.side {
            Side::Upper | Side::Median => Origin::Above,
            Side::Lower => Origin::Below,
        };
        self.floats.push(Incoming {
            place,
            origin: Some(origin),
            float: Some(LimFloat {
                player: self.roster.ground.no(place),
                from: Points(self.roster.traits[place].score),
                cause,
                majority,
                passed,
            }),
        });
    }

    pub(super) fn settle(&mut self, first: usize, second: usize, found: Found, passed: &[usize]) {
        self.settled[first] = true;
        self.settled[second] = true;
        let place = |v: usize| self.members[v].place;
        let ground = &self.roster.ground;
        let floats = [first, second]
            .into_iter()
            .filter_map(|v| self.members[v].float.clone())
            .collect();
        let reason = LimReason {
            score: self.task.score,
            first: ground.no(place(first)),
            second: ground.no(place(second)),
            found,
            passed: ground.passed(place(first), passed.iter().map(|&x| place(x))),
            floats,
            colour: LimColour::Granted,
        };
        self.pairs.push(Paired {
            first: place(first),
            second: place(second),
            below_median: self.task.side == Side::Lower,
            reason,
        });
    }
}
