//! The players of the round in the order of rank, with what the criteria ask about them.

use super::Rules;
use crate::{
    pairing::{
        matching::{BitMatrix, ones},
        swiss::{Field, Float, Preference},
    },
    types::Color,
};

/// What the criteria ask about a player.
#[derive(Clone, Debug)]
pub(super) struct Trait {
    /// The pairing score in half points.
    pub(super) score: u16,
    pub(super) preference: Preference,
    /// The size of the colour difference.
    pub(super) imbalance: i32,
    /// The colour of the last two games, when equal.
    pub(super) repeated: Option<Color>,
    pub(super) topscorer: bool,
    /// Floated down one and two rounds ago.
    pub(super) down: [bool; 2],
    /// Floated up one and two rounds ago.
    pub(super) up: [bool; 2],
    /// Rounds without a game.
    pub(super) missed: usize,
    /// The bye is not barred to him.
    pub(super) bye_allowed: bool,
}

/// The players to pair. They are addressed by their place: score ↓, number ↑. When they are odd, the
/// bye is one more place at the end.
pub(super) struct Roster<'a> {
    pub(super) field: &'a Field,
    pub(super) traits: Vec<Trait>,
    /// Who may meet (C1, C3), and who may have the bye (C2).
    pub(super) legal: BitMatrix,
    /// The number of players.
    pub(super) count: usize,
    topscorers: bool,
}

impl<'a> Roster<'a> {
    pub(super) fn new(field: &'a Field, rules: Rules) -> Self {
        let order = field.to_pair();
        let count = order.len();
        let scoring = &field.scoring;
        let floated = |i: usize, which: Float| {
            [1, 2]
                .map(|back| field.player(i).float(back, rules.float_rule(), scoring) == Some(which))
        };
        let traits: Vec<Trait> = order
            .iter()
            .map(|&i| {
                let player = field.player(i);
                Trait {
                    score: player.pairing_score.0,
                    preference: player.preference,
                    imbalance: player.colour_difference().abs(),
                    repeated: player.colours.repeated(),
                    topscorer: field.is_topscorer(i),
                    down: floated(i, Float::Down),
                    up: floated(i, Float::Up),
                    missed: player.games_missed(),
                    bye_allowed: !player.bye_barred(rules.bye_bar(), scoring),
                }
            })
            .collect();
        let size = count + count % 2;
        let mut legal = BitMatrix::new(size);
        let mut place = vec![usize::MAX; field.players().len()];
        for (at, &i) in order.iter().enumerate() {
            place[i] = at;
        }
        // C3 by rows of bits: who must not meet somebody with this absolute preference.
        let mut bound = BitMatrix::new(size);
        for (at, own) in traits.iter().enumerate() {
            if let (Preference::Absolute(colour), false) = (own.preference, own.topscorer) {
                bound.set(usize::from(colour.is_white()), at);
            }
        }
        for (at, own) in traits.iter().enumerate() {
            let mut row = vec![u64::MAX; size.div_ceil(64)];
            // The bye is not one of the players.
            if let Some(last) = row.get_mut(count / 64) {
                *last = (1 << (count % 64)) - 1;
            }
            if let (Preference::Absolute(colour), false) = (own.preference, own.topscorer) {
                for (word, mask) in row
                    .iter_mut()
                    .zip(bound.row(usize::from(colour.is_white())))
                {
                    *word &= !mask;
                }
            }
            legal.row_mut(at).copy_from_slice(&row);
            legal.unset(at, at);
        }
        for (at, &i) in order.iter().enumerate() {
            for other in ones(field.apart_row(i)) {
                if place[other] != usize::MAX {
                    legal.unset(at, place[other]);
                }
            }
        }
        if count % 2 == 1 {
            for (at, own) in traits.iter().enumerate() {
                if own.bye_allowed {
                    legal.set_both(at, count);
                }
            }
        }
        Self {
            field,
            topscorers: traits.iter().any(|own| own.topscorer),
            traits,
            legal,
            count,
        }
    }

    /// The scoregroups from the top, as ranges of places.
    pub(super) fn groups(&self) -> Vec<std::ops::Range<usize>> {
        let mut groups = Vec::new();
        let mut start = 0;
        for at in 1..=self.count {
            if at == self.count || self.traits[at].score != self.traits[start].score {
                groups.push(start..at);
                start = at;
            }
        }
        groups
    }

    /// Whether anybody is a topscorer.
    pub(super) fn has_topscorers(&self) -> bool {
        self.topscorers
    }

    /// The place of the bye, when there is one.
    pub(super) fn seat(&self) -> Option<usize> {
        (self.count % 2 == 1).then_some(self.count)
    }

    /// The index in the field.
    pub(super) fn player(&self, place: usize) -> usize {
        self.field.to_pair()[place]
    }

    /// What a pair of equal absolute preferences costs a topscorer or his opponent: colour
    /// differences above two, third equal colours running (C10, C11).
    pub(super) fn topscorer_costs(&self, a: usize, b: usize) -> (u64, u64) {
        let (one, two) = (&self.traits[a], &self.traits[b]);
        let (Preference::Absolute(wish), Preference::Absolute(other)) =
            (one.preference, two.preference)
        else {
            return (0, 0);
        };
        if wish != other || !(one.topscorer || two.topscorer) {
            return (0, 0);
        }
        let (white, black, _) =
            super::colours::allocate(self.field, self.player(a), self.player(b));
        let granted = if wish.is_white() { white } else { black };
        // Who does not get the colour that he is due.
        let loser = if granted == self.player(a) { two } else { one };
        (
            u64::from(loser.imbalance >= 2),
            u64::from(loser.repeated == Some(!wish)),
        )
    }
}
