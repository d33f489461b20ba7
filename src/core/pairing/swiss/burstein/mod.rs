//! The Burstein system, C.04.4.2, by the text in force since 1 February 2026.
//!
//! The first rounds are seeding rounds by the Dutch system. Afterwards the bye is given first; then
//! the scoregroups are paired from the top, floaters go down, and inside a bracket the players are
//! ranked by an index that measures the opposition met so far: the highest meets the lowest.

mod bracket;
mod index;
mod reason;

pub use reason::{BursteinFloat, BursteinReason, FloatedDown};

use super::{
    Field, Preference,
    dutch::Dutch,
    ground::{ByeOrder, Ground, same_absolute},
    simple_colours,
};
use crate::pairing::{Explanation, Input, PairingError, RoundPairing, System};
use index::Index;

/// The Burstein system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Burstein;

/// How many rounds the Dutch system pairs: half of them, at most four.
fn seeding_rounds(rounds: Option<u16>) -> u16 {
    rounds.map_or(4, |rounds| (rounds / 2).min(4))
}

impl System for Burstein {
    fn name(&self) -> &'static str {
        "burstein"
    }

    fn rounds(&self, _entrants: usize) -> Option<u16> {
        None
    }

    fn pair(&self, input: &Input) -> Result<RoundPairing, PairingError> {
        if input.round.0 <= seeding_rounds(input.settings.rounds) {
            return Dutch::FIDE_2026.pair(input);
        }
        let field = Field::new(input)?;
        let index = Index::new(&field);
        let mut order = field.to_pair().to_vec();
        order.sort_by_key(|&i| {
            (
                std::cmp::Reverse(field.player(i).pairing_score),
                index.rank(i),
            )
        });
        let preference = |i: usize| field.player(i).preference;
        let ground = Ground::new(
            &field,
            order,
            |a, b| !same_absolute(preference(a), preference(b)),
            ByeOrder::MostGames,
            "C.04.4.2, C1 to C4",
        )?;
        let paired = bracket::pair(&ground, &index).ok_or_else(|| ground.impossible())?;
        let pairs = paired
            .into_iter()
            .map(|pair| {
                let of = |place: usize| -> (usize, Preference) {
                    let i = ground.order[place];
                    (i, preference(i))
                };
                // The higher ranked by index, whatever the scores.
                let (white, black, colour) =
                    simple_colours::allocate(&field, of(pair.upper), of(pair.lower));
                let mut reason = pair.reason;
                reason.colour = colour;
                (white, black, Explanation::Burstein(Box::new(reason)))
            })
            .collect();
        let bye = ground
            .bye
            .clone()
            .map(|(player, reason)| (player, Explanation::ByeFirst(Box::new(reason))));
        Ok(field.finish(pairs, bye))
    }
}
