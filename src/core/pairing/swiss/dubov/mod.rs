//! The Dubov system, C.04.4.1, by the text in force since 1 February 2026.
//!
//! The bye is given first. Then the scoregroups are paired from the top; a scoregroup that cannot be
//! paired within itself is completed by upfloaters from below, and nobody floats down. Inside a
//! bracket those who seek White meet those who seek Black, the former by the mean rating of their
//! opponents.

mod halves;
mod reason;
mod roster;
mod upfloaters;

pub use reason::{DubovReason, Half, PassedUpfloat, UpfloatObstacle, UpfloatReason};

use super::{Field, simple_colours};
use crate::pairing::{Explanation, Input, PairingError, RoundPairing, System};
use roster::Roster;

/// The Dubov system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dubov;

impl System for Dubov {
    fn name(&self) -> &'static str {
        "dubov"
    }

    fn rounds(&self, _entrants: usize) -> Option<u16> {
        None
    }

    fn pair(&self, input: &Input) -> Result<RoundPairing, PairingError> {
        let field = Field::new(input)?;
        let roster = Roster::new(&field, input.settings.rounds)?;
        let mut pairs = Vec::new();
        let mut rest: Vec<usize> = (0..roster.ground.order.len()).collect();
        while !rest.is_empty() {
            let bracket =
                upfloaters::complete(&roster, &rest).ok_or_else(|| roster.ground.impossible())?;
            rest.retain(|place| !bracket.members.contains(place));
            let paired =
                halves::pair(&roster, &bracket).ok_or_else(|| roster.ground.impossible())?;
            for pair in paired {
                pairs.push(finish(&roster, pair));
            }
        }
        let bye = roster
            .ground
            .bye
            .clone()
            .map(|(player, reason)| (player, Explanation::ByeFirst(Box::new(reason))));
        Ok(field.finish(pairs, bye))
    }
}

fn finish(roster: &Roster<'_>, pair: halves::Paired) -> (usize, usize, Explanation) {
    let field = roster.ground.field;
    let of = |place: usize| (roster.ground.order[place], roster.traits[place].preference);
    // Places are in the order of rank.
    let (high, low) = (pair.first.min(pair.second), pair.first.max(pair.second));
    let (white, black, colour) = simple_colours::allocate(field, of(high), of(low));
    let mut reason = pair.reason;
    reason.colour = colour;
    (white, black, Explanation::Dubov(Box::new(reason)))
}
