//! The Double-Swiss system, C.04.5: each pair plays two games with the colours turned, and the colour
//! of a player is the one of game 1.
//!
//! A round of the history is a match: its points are those of both games, and it was played unless
//! somebody forfeited both. The bye is worth a game won and a game drawn, which the event's settings
//! say ([`SCORING`]). Criteria and order are those that the `upfloat` module shares with the
//! teams; colours play no part in them.

use std::cmp::Ordering;

use super::{
    Field,
    team::{alternate, initial},
    upfloat::{self, Chapter, Wish},
};
use crate::{
    pairing::{Input, PairingError, RoundPairing, Scoring, System, TeamColourRule, UpfloatSystem},
    types::{Color, Points},
};

/// Two games at 1, ½, 0; the bye is worth 1½ (C.04.5, 1.4).
pub const SCORING: Scoring = {
    let mut scoring = Scoring::of(Points(4), Points(2), Points::ZERO);
    scoring.pab = Points(3);
    scoring
};

/// The Double-Swiss system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DoubleSwiss;

impl System for DoubleSwiss {
    fn name(&self) -> &'static str {
        "double-swiss"
    }

    fn rounds(&self, _entrants: usize) -> Option<u16> {
        None
    }

    fn pair(&self, input: &Input) -> Result<RoundPairing, PairingError> {
        let field = Field::new(input)?;
        upfloat::pair(&field, self, input.settings.rounds)
    }
}

impl Chapter for DoubleSwiss {
    fn system(&self) -> UpfloatSystem {
        UpfloatSystem::DoubleSwiss
    }

    fn floats_lapse(&self) -> u16 {
        1
    }

    fn wish(&self, _field: &Field, _player: usize) -> Wish {
        Wish::default()
    }

    fn is_first(&self, field: &Field, a: usize, b: usize) -> bool {
        field.ranks_higher(a, b)
    }

    fn colour(&self, field: &Field, first: usize, other: usize) -> (Color, TeamColourRule) {
        if let Some(colour) = initial(field, first, other) {
            return (colour, TeamColourRule::InitialColour);
        }
        let whites = |i: usize| {
            let colours = field.player(i).colours.as_slice();
            colours.iter().filter(|colour| colour.is_white()).count()
        };
        match whites(first).cmp(&whites(other)) {
            Ordering::Less => return (Color::White, TeamColourRule::FewerWhites),
            Ordering::Greater => return (Color::Black, TeamColourRule::FewerWhites),
            Ordering::Equal => {}
        }
        let (own, theirs) = (field.player(first), field.player(other));
        if let Some((before, _)) = own.colours.last_difference(&theirs.colours) {
            return (!before, TeamColourRule::LastDifference);
        }
        alternate(field, first, other)
    }
}
