//! What C.04.6 (teams) and C.04.5 (Double-Swiss) share word for word: the bye first (3.4), then group
//! by group from the top, each completed by upfloaters (3.5) and paired in the order of identifiers
//! (3.6). Nobody floats down.
//!
//! Criteria of sets: C4 fewest upfloaters, C5 the highest scores, C6 the group below can still manage
//! with as few as parity allows, C7 fewest who floated last round; then the first set in the order of
//! 3.5.4. Criteria of pairings: colours (teams only), then upfloaters' opponents who floated last
//! round; then the smallest identifier.
//!
//! Readings where the text leaves room: a floater of the last round is whoever played then against a
//! different pairing score, up or down (1.5); the group below is the next score of the standings, and
//! C6 holds once it is empty; C6 is kept or not kept, not counted; C5 takes the highest scores, as the
//! article says and its example under 3.5.4 does not; a forfeited match is no meeting.

mod bracket;
mod bye;
mod set;

use super::{Field, FloatRule, stuck};
use crate::{
    pairing::{
        Explanation, FormatReason, PairingError, TeamColourRule, UpfloatSystem, Upfloater,
        matching::{BitMatrix, BitSet, NONE, maximise},
    },
    types::{Color, Points},
};

/// A colour preference of C.04.6, 1.7.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Wish {
    /// White; nothing when there is none.
    pub(super) white: Option<bool>,
    /// Strong (type B only).
    pub(super) strong: bool,
}

/// What a system adds.
pub(super) trait Chapter {
    /// Which it is.
    fn system(&self) -> UpfloatSystem;

    /// In how many rounds at the end the criteria on floats lapse.
    fn floats_lapse(&self) -> u16;

    /// What a participant prefers.
    fn wish(&self, field: &Field, player: usize) -> Wish;

    /// The colour of the first of the two, and the rule (4.3).
    fn colour(&self, field: &Field, first: usize, other: usize) -> (Color, TeamColourRule);

    /// Whether the first is the one whom 4.2 calls so.
    fn is_first(&self, field: &Field, a: usize, b: usize) -> bool;
}

/// What the criteria ask about a participant.
#[derive(Clone, Copy, Debug)]
struct Traits {
    /// The index in the field: the order of the numbers.
    player: usize,
    score: Points,
    floated: bool,
    wish: Wish,
}

/// Two of a bracket, as indices of the field.
struct BracketPair {
    a: usize,
    b: usize,
    /// The score of the group, and how many of it were left.
    bracket: Points,
    residents: usize,
    upfloater: Option<Upfloater>,
}

/// Pairs a round.
pub(super) fn pair(
    field: &Field,
    chapter: &dyn Chapter,
    rounds: Option<u16>,
) -> Result<crate::pairing::RoundPairing, PairingError> {
    let impossible = || {
        let order = field.to_pair();
        let mut legal = BitMatrix::new(order.len());
        for (a, &one) in order.iter().enumerate() {
            for (b, &two) in order.iter().enumerate().skip(a + 1) {
                if !field.apart(one, two) {
                    legal.set_both(a, b);
                }
            }
        }
        let article = match chapter.system() {
            UpfloatSystem::Team => "C.04.6, C1 to C3",
            UpfloatSystem::DoubleSwiss => "C.04.5, C1 to C3",
        };
        stuck::impossible(field, order, &legal, article, |place| {
            !bye::barred(field, order[place])
        })
    };
    let left_to_play = rounds.map(|rounds| rounds.saturating_sub(field.round.0));
    let lapsed = left_to_play.is_some_and(|left| left < chapter.floats_lapse());
    let mut left: Vec<Traits> = field
        .to_pair()
        .iter()
        .map(|&player| Traits {
            player,
            score: field.player(player).pairing_score,
            floated: !lapsed
                && field
                    .player(player)
                    .float(1, FloatRule::PlayedOnly, &field.scoring)
                    .is_some(),
            wish: chapter.wish(field, player),
        })
        .collect();
    let mut bye = None;
    if left.len() % 2 == 1 {
        let (at, passed_over) = bye::choose(field, &left).ok_or_else(impossible)?;
        let taker = left.remove(at);
        let player = field.player(taker.player);
        let reason = FormatReason::UpfloatBye {
            system: chapter.system(),
            score: player.pairing_score,
            played: player.games_played() as u16,
            passed_over,
        };
        bye = Some((taker.player, Explanation::Format(reason)));
    } else if !can_pair_all(field, &left) {
        return Err(impossible());
    }
    let scores: Vec<Points> = {
        // The one with the bye counts for what the group below is (C6).
        let mut scores: Vec<Points> = field
            .to_pair()
            .iter()
            .map(|&player| field.player(player).pairing_score)
            .collect();
        scores.dedup();
        scores
    };
    let mut pairs = Vec::with_capacity(left.len() / 2);
    while let Some(top) = left.first().map(|own| own.score) {
        let below = scores.iter().copied().find(|&score| score < top);
        let set = set::choose(field, &left, below).ok_or_else(impossible)?;
        let residents = left.partition_point(|own| own.score == top);
        let (mut inside, outside): (Vec<_>, Vec<_>) = left
            .iter()
            .enumerate()
            .partition(|(at, _)| *at < residents || set.contains(at));
        inside.sort_by_key(|(_, own)| own.player);
        let members: Vec<Traits> = inside.into_iter().map(|(_, own)| *own).collect();
        let found = bracket::pair(field, &members, top).ok_or_else(impossible)?;
        pairs.extend(found.into_iter().map(|(a, b)| {
            BracketPair {
                a,
                b,
                bracket: top,
                residents,
                upfloater: set
                    .iter()
                    .find(|&&at| [a, b].contains(&left[at].player))
                    .map(|&at| Upfloater {
                        player: field.player(left[at].player).no,
                        score: left[at].score,
                        passed_over: (residents..at)
                            .filter(|other| !set.contains(other))
                            .map(|other| field.player(left[other].player).no)
                            .collect(),
                    }),
            }
        }));
        left = outside.into_iter().map(|(_, own)| *own).collect();
    }
    let pairs = pairs
        .into_iter()
        .map(|pair| seat(field, chapter, pair))
        .collect();
    Ok(field.finish(pairs, bye))
}

fn seat(field: &Field, chapter: &dyn Chapter, pair: BracketPair) -> (usize, usize, Explanation) {
    let (first, other) = if chapter.is_first(field, pair.a, pair.b) {
        (pair.a, pair.b)
    } else {
        (pair.b, pair.a)
    };
    let (colour, rule) = chapter.colour(field, first, other);
    let reason = FormatReason::Upfloat {
        system: chapter.system(),
        bracket: pair.bracket,
        group: pair.residents as u16,
        upfloater: pair.upfloater,
        colour: rule,
    };
    let (white, black) = if colour.is_white() {
        (first, other)
    } else {
        (other, first)
    };
    (white, black, Explanation::Format(reason))
}

/// Who may meet whom (C1), by position.
fn graph(field: &Field, left: &[Traits]) -> BitMatrix {
    let mut graph = BitMatrix::new(left.len());
    for (a, own) in left.iter().enumerate() {
        for (b, other) in left.iter().enumerate().skip(a + 1) {
            if !field.apart(own.player, other.player) {
                graph.set_both(a, b);
            }
        }
    }
    graph
}

/// A complete pairing exists (C3).
fn can_pair_all(field: &Field, left: &[Traits]) -> bool {
    let graph = graph(field, left);
    let mut mate = vec![NONE; left.len()];
    maximise(&graph, &mut mate, &BitSet::full(left.len())).is_empty()
}

/// Adds up criteria, the first the most significant, each with room for `most`.
struct Digits {
    bits: u32,
    used: u32,
}

impl Digits {
    fn new(most: usize) -> Self {
        Self {
            bits: usize::BITS - most.leading_zeros() + 1,
            used: 0,
        }
    }

    /// The place of the next criterion, from the least significant up.
    fn next(&mut self) -> u32 {
        let at = self.used;
        self.used += self.bits;
        at
    }

    /// The width that a number needs which holds them, with room for what the method adds.
    const fn width(&self) -> u32 {
        self.used + self.bits + 6
    }
}
