//! The brackets of a round, from the top.

use super::{
    DutchBye, DutchPair, FloatFacts, FloatReason, Rules, Side,
    candidate::{self, Candidate},
    colours,
    facts::{self, PairFacts},
    problem::{Bracket, Problem, View},
    roster::Roster,
};
use crate::{
    pairing::{
        PairingError,
        matching::{Alternating, BitMatrix, BitSet, NONE, maximise},
        swiss::{Field, stuck},
    },
    types::Points,
};

/// A round as indices of the field: (White, Black, why), and who has the bye.
pub(super) struct Paired {
    pub(super) pairs: Vec<(usize, usize, DutchPair)>,
    pub(super) bye: Option<(usize, DutchBye)>,
}

/// Pairs the round.
pub(super) fn pair(field: &Field, rules: Rules) -> Result<Paired, PairingError> {
    let impossible = || {
        let roster = Roster::new(field, rules);
        let article = match rules {
            Rules::Fide2026 => "C.04.3, C1 to C5",
            Rules::Fide2017 => "C.04.3 of 2017, C.1 to C.4",
        };
        stuck::impossible(field, field.to_pair(), &roster.legal, article, |place| {
            roster.traits[place].bye_allowed
        })
    };
    let mut round = Round::new(field, rules).ok_or_else(impossible)?;
    round.run().ok_or_else(impossible)?;
    let roster = &round.roster;
    let side = |place: usize| Side {
        score: Points(roster.traits[place].score),
        due: roster.traits[place].preference,
        float: round.floated[place],
    };
    let pairs = round
        .pairs
        .into_iter()
        .map(|facts| {
            let (one, two) = (roster.player(facts.upper), roster.player(facts.lower));
            let (white, black, colour) = colours::allocate(field, one, two);
            let (first, second) = if white == one {
                (facts.upper, facts.lower)
            } else {
                (facts.lower, facts.upper)
            };
            let why = DutchPair {
                bracket: facts.bracket,
                upper: field.player(one).no,
                how: facts.how,
                skipped: facts.skipped,
                colour,
                white: side(first),
                black: side(second),
            };
            (white, black, why)
        })
        .collect();
    let bye = round.bye.map(|place| {
        let why = facts::bye(roster, rules, place, round.floated[place]);
        (roster.player(place), why)
    });
    Ok(Paired { pairs, bye })
}

struct Round<'f> {
    roster: Roster<'f>,
    rules: Rules,
    /// Some way to pair everybody who is left, the bye included: shows that one exists.
    witness: Vec<usize>,
    /// The score of whoever gets the bye (C5).
    bye_score: Option<u16>,
    pairs: Vec<PairFacts>,
    /// How each place was last moved down.
    floated: Vec<Option<FloatFacts>>,
    bye: Option<usize>,
    /// The number of the bracket, from 1.
    number: u16,
}

/// What a bracket comes to, as places.
struct Outcome {
    pairs: Vec<PairFacts>,
    floats: Vec<usize>,
    /// Why each of them leaves the bracket.
    reasons: Vec<FloatFacts>,
    bye: Option<usize>,
}

/// What came of a bracket paired alone.
enum Alone {
    /// The outcome is the right one.
    Stands(Outcome),
    /// It may not be; the value of its leading criteria is.
    Yields(Vec<u64>),
}

/// How many vertices a largest matching leaves out.
fn unmatched(graph: &BitMatrix) -> usize {
    let size = graph.size();
    maximise(graph, &mut vec![NONE; size], &BitSet::full(size)).len()
}

impl<'f> Round<'f> {
    /// Nothing when no legal pairing exists.
    fn new(field: &'f Field, rules: Rules) -> Option<Self> {
        let roster = Roster::new(field, rules);
        let mut round = Self {
            witness: vec![NONE; roster.legal.size()],
            roster,
            rules,
            bye_score: None,
            pairs: Vec::new(),
            floated: Vec::new(),
            bye: None,
            number: 0,
        };
        round.floated = vec![None; round.roster.count];
        round.settle()?;
        Some(round)
    }

    /// Finds the witness, and the score of the bye.
    fn settle(&mut self) -> Option<()> {
        let count = self.roster.count;
        let mut players = BitSet::full(self.roster.legal.size());
        let Some(seat) = self.roster.seat() else {
            let left = maximise(&self.roster.legal, &mut self.witness, &players);
            return left.is_empty().then_some(());
        };
        players.remove(seat);
        let left = maximise(&self.roster.legal, &mut self.witness, &players);
        let &[root] = left.as_slice() else {
            return None;
        };
        let traits = &self.roster.traits;
        let lowest = traits.last()?.score;
        let mut search = Alternating::new(self.roster.legal.size());
        let found = search.search(&self.roster.legal, &mut self.witness, &players, root, |x| {
            traits[x].bye_allowed && traits[x].score == lowest
        });
        let chosen = if let Some(chosen) = found {
            chosen
        } else {
            let chosen = (0..count)
                .rev()
                .find(|&x| traits[x].bye_allowed && search.reached().contains(x))?;
            search.free(&mut self.witness, chosen);
            chosen
        };
        self.witness[chosen] = seat;
        self.witness[seat] = chosen;
        if self.rules == Rules::Fide2026 {
            let score = traits[chosen].score;
            self.bye_score = Some(score);
            for x in 0..count {
                if self.roster.traits[x].score != score {
                    self.roster.legal.unset_both(x, seat);
                }
            }
        }
        Some(())
    }

    fn run(&mut self) -> Option<()> {
        let groups = self.roster.groups();
        let mut moved = Vec::new();
        for (at, residents) in groups.iter().enumerate() {
            self.number += 1;
            let end = residents.end;
            let next = groups.get(at + 1).cloned().unwrap_or(end..end);
            let bracket = Bracket {
                moved: std::mem::take(&mut moved),
                residents: residents.clone(),
                next,
            };
            let (outcome, collapse) = match self.rules {
                Rules::Fide2026 => (self.pair_bracket(&bracket)?, false),
                Rules::Fide2017 => self.pair_bracket_2017(&bracket)?,
            };
            self.take(outcome, &mut moved);
            if collapse {
                self.number += 1;
                let count = self.roster.count;
                let last = Bracket {
                    moved: std::mem::take(&mut moved),
                    residents: end..count,
                    next: count..count,
                };
                let outcome = self.pair_everybody(&last, false)?;
                self.take(outcome, &mut moved);
                break;
            }
        }
        moved.is_empty().then_some(())
    }

    fn take(&mut self, outcome: Outcome, moved: &mut Vec<usize>) {
        self.pairs.extend(outcome.pairs);
        self.bye = self.bye.or(outcome.bye);
        for (&place, &reason) in outcome.floats.iter().zip(&outcome.reasons) {
            self.floated[place] = Some(reason);
        }
        moved.extend(outcome.floats);
        moved.retain(|place| self.bye != Some(*place));
    }

    fn pair_bracket(&mut self, bracket: &Bracket) -> Option<Outcome> {
        let below = bracket.residents.end < self.roster.count;
        if below && bracket.moved.is_empty() && bracket.residents.len() == 1 {
            return Some(Outcome {
                pairs: Vec::new(),
                floats: vec![bracket.residents.start],
                reasons: vec![FloatFacts {
                    bracket: self.number,
                    players: 1,
                    downfloaters: 1,
                    reason: FloatReason::NoOpponent,
                    instead: None,
                }],
                bye: None,
            });
        }
        if below && !self.bye_is_in(bracket) {
            let best = match self.pair_alone(bracket) {
                Alone::Stands(outcome) => return Some(outcome),
                Alone::Yields(best) => best,
            };
            let near = bracket.moved.len() + bracket.residents.len() + bracket.next.len();
            let all = bracket.moved.len() + self.roster.count - bracket.residents.start;
            if near * 3 < all * 2
                && let Some(outcome) = self.pair_with_next(bracket, &best)
            {
                return Some(outcome);
            }
        }
        self.pair_everybody(bracket, true)
    }

    /// Everybody who may still get the bye is in the bracket.
    fn bye_is_in(&self, bracket: &Bracket) -> bool {
        self.bye_score
            .is_some_and(|score| self.roster.traits[bracket.residents.start].score <= score)
    }

    /// Without a look at anybody below. The outcome stands when it leaves the next bracket the best
    /// that there can be, and the rest completable: then no other candidate can be better.
    fn pair_alone(&mut self, bracket: &Bracket) -> Alone {
        let view = View::Bracket { left: 0 };
        let problem = Problem::new(&self.roster, self.rules, bracket, view);
        let left = unmatched(&problem.graph);
        let view = View::Bracket { left };
        let problem = Problem::new(&self.roster, self.rules, bracket, view);
        let Some(best) = candidate::best(&problem) else {
            return Alone::Yields(Vec::new());
        };
        let leading = problem.leading(&best.mates);
        let outcome = self.outcome(&problem, &best, bracket);
        let left = if outcome.floats.is_empty() {
            Some(Vec::new())
        } else {
            self.ideal_next(&outcome.floats, bracket)
        };
        let Some(left) = left else {
            return Alone::Yields(leading);
        };
        let complete = match self.rules {
            Rules::Fide2026 if outcome.floats.is_empty() => {
                self.completable(&[], bracket.residents.end)
            }
            Rules::Fide2026 => self.completable(&left, bracket.next.end),
            // 2017 asks later, and of all that is left.
            Rules::Fide2017 => true,
        };
        if complete {
            Alone::Stands(outcome)
        } else {
            Alone::Yields(leading)
        }
    }

    /// Whether all downfloaters and the next scoregroup can be paired among themselves, but for one
    /// of the scoregroup when they are odd: him.
    fn ideal_next(&mut self, floats: &[usize], bracket: &Bracket) -> Option<Vec<usize>> {
        let legal = &self.roster.legal;
        let mut active = BitSet::new(legal.size());
        for place in floats.iter().copied().chain(bracket.next.clone()) {
            active.insert(place);
        }
        let mut mates = vec![NONE; legal.size()];
        let left = maximise(legal, &mut mates, &active);
        let last = bracket.next.end == self.roster.count;
        let may_be_left = |place: usize| {
            bracket.next.contains(&place)
                && (!last
                    || self
                        .roster
                        .seat()
                        .is_some_and(|seat| legal.get(place, seat)))
        };
        match left.as_slice() {
            [] => Some(Vec::new()),
            &[root] => {
                let chosen = Alternating::new(legal.size()).search(
                    legal,
                    &mut mates,
                    &active,
                    root,
                    may_be_left,
                )?;
                Some(vec![chosen])
            }
            _ => None,
        }
    }

    /// With the next scoregroup in view; stands when the rest stays completable.
    fn pair_with_next(&mut self, bracket: &Bracket, leading: &[u64]) -> Option<Outcome> {
        let (outcome, left) = self.best_with_next(bracket, leading)?;
        self.completable(&left, bracket.next.end).then_some(outcome)
    }

    /// The best outcome for the bracket and the next scoregroup, whatever becomes of the rest, and
    /// who of them is left over. `leading` is what the bracket alone can reach before it looks
    /// ahead: it can reach that here too, if only enough are left over.
    fn best_with_next(&self, bracket: &Bracket, leading: &[u64]) -> Option<(Outcome, Vec<usize>)> {
        let near = bracket.moved.len() + bracket.residents.len() + bracket.next.len();
        // In 2017 a leftover of the last bracket may count three times: not the number decides.
        let at_most = self.rules == Rules::Fide2017 && bracket.next.end == self.roster.count;
        let mut left = 0;
        let view = |left| View::Next { left, at_most };
        if at_most {
            left = 2 + near % 2;
        } else {
            let problem = Problem::new(&self.roster, self.rules, bracket, view(0));
            left += unmatched(&problem.graph);
        }
        while left <= near {
            let problem = Problem::new(&self.roster, self.rules, bracket, view(left));
            if let Some(best) = candidate::best(&problem) {
                // Two who stand for nobody met: more of them would change nothing.
                let spare = (near..problem.size()).any(|v| best.mates[v] >= near);
                let enough = if at_most {
                    spare || left == near
                } else {
                    problem.leading(&best.mates) == leading
                };
                if enough {
                    let over = (0..near)
                        .filter(|&v| best.mates[v] >= near)
                        .map(|v| problem.places[v])
                        .collect();
                    return Some((self.outcome(&problem, &best, bracket), over));
                }
            }
            left += 2;
        }
        None
    }

    /// With everybody below in view, so that the rest stays completable.
    fn pair_everybody(&mut self, bracket: &Bracket, look_ahead: bool) -> Option<Outcome> {
        let look_ahead = look_ahead && !bracket.next.is_empty();
        let view = View::Everybody { look_ahead };
        let mut problem = Problem::new(&self.roster, self.rules, bracket, view);
        let mut best = candidate::best(&problem)?;
        if self.bye_is_in(bracket) && problem.downfloaters(&best.mates) == 1 {
            problem.bye_counts = true;
            best = candidate::best(&problem)?;
        }
        Some(self.outcome(&problem, &best, bracket))
    }

    fn outcome(&self, problem: &Problem<'_, '_>, best: &Candidate, bracket: &Bracket) -> Outcome {
        let own = facts::bracket(problem, best, self.number);
        let last = bracket.residents.end == self.roster.count;
        let left = (0..problem.members).filter(|&v| !problem.is_member(best.mates[v]));
        let mut outcome = Outcome {
            pairs: facts::pairs(problem, best, &own),
            floats: Vec::new(),
            reasons: Vec::new(),
            bye: None,
        };
        for v in left {
            let place = problem.places[v];
            if last {
                outcome.bye = Some(place);
            } else {
                outcome.floats.push(place);
                outcome
                    .reasons
                    .push(facts::float(problem, &best.mates, &own, v));
            }
        }
        outcome
    }

    /// Whether these and everybody from `below` on can be paired; the witness then shows how.
    fn completable(&mut self, left: &[usize], below: usize) -> bool {
        let size = self.roster.legal.size();
        let mut active = BitSet::new(size);
        for place in left.iter().copied().chain(below..size) {
            active.insert(place);
        }
        let mut witness = self.witness.clone();
        for (v, mate) in witness.iter_mut().enumerate() {
            if *mate != NONE && !(active.contains(v) && active.contains(*mate)) {
                *mate = NONE;
            }
        }
        let complete = maximise(&self.roster.legal, &mut witness, &active).is_empty();
        if complete {
            self.witness = witness;
        }
        complete
    }

    /// 2017, A.9: the bracket and the next one; when the rest cannot be completed, this is the
    /// penultimate bracket and everything below collapses into one: then the second value is true.
    fn pair_bracket_2017(&mut self, bracket: &Bracket) -> Option<(Outcome, bool)> {
        let below = bracket.residents.end;
        if below == self.roster.count {
            return Some((self.pair_everybody(bracket, false)?, false));
        }
        let outcome = match self.pair_alone(bracket) {
            Alone::Stands(outcome) => outcome,
            Alone::Yields(leading) => self.best_with_next(bracket, &leading)?.0,
        };
        if self.completable(&outcome.floats, below) {
            return Some((outcome, false));
        }
        Some((self.pair_everybody(bracket, false)?, true))
    }
}
