//! The Swiss team system, C.04.6.
//!
//! The entrants are teams, the history carries their primary score, and the colour of a team is its
//! colour on board 1; [`crate::pairing::team`] makes both from match results. Criteria and order are
//! those that the `upfloat` module shares with the Double-Swiss.

use std::{cmp::Reverse, collections::BTreeMap};

use serde::{Deserialize, Serialize};

use super::{
    Field,
    upfloat::{self, Chapter, Wish},
};
use crate::{
    pairing::{
        Acceleration, FormatError, Input, PairingError, RoundPairing, System, TeamColourRule,
        UpfloatSystem,
    },
    types::{Color, PlayerNo, Points},
};

/// Which colour preferences an event counts (1.7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TeamPreferences {
    /// Type A: plain.
    #[default]
    A,
    /// Type B: strong and mild.
    B,
    /// None.
    None,
}

/// Which score pairs the teams; the other one is the secondary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PrimaryScore {
    /// Match points.
    #[default]
    MatchPoints,
    /// Game points.
    GamePoints,
}

/// The Swiss team system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeamSwiss {
    /// The colour preferences.
    pub preferences: TeamPreferences,
    /// What the points of the history are.
    pub primary: PrimaryScore,
    /// The other score of each team so far; teams that are not in it have none.
    pub secondary: BTreeMap<PlayerNo, Points>,
}

impl System for TeamSwiss {
    fn name(&self) -> &'static str {
        "team-swiss"
    }

    fn rounds(&self, _entrants: usize) -> Option<u16> {
        None
    }

    fn pair(&self, input: &Input) -> Result<RoundPairing, PairingError> {
        if self.primary == PrimaryScore::GamePoints
            && matches!(input.settings.acceleration, Acceleration::Baku { .. })
        {
            return Err(FormatError::BakuByGamePoints.into());
        }
        let field = Field::new(input)?;
        upfloat::pair(&field, self, input.settings.rounds)
    }
}

impl Chapter for TeamSwiss {
    fn system(&self) -> UpfloatSystem {
        UpfloatSystem::Team
    }

    fn floats_lapse(&self) -> u16 {
        2
    }

    fn wish(&self, field: &Field, player: usize) -> Wish {
        let colours = &field.player(player).colours;
        let difference = colours.difference();
        let twice = colours.repeated();
        let plain = match difference {
            ..=-2 => Some(true),
            2.. => Some(false),
            -1 | 0 if twice == Some(Color::Black) => Some(true),
            0 | 1 if twice == Some(Color::White) => Some(false),
            _ => None,
        };
        match self.preferences {
            TeamPreferences::None => Wish::default(),
            TeamPreferences::A => Wish {
                white: plain,
                strong: false,
            },
            TeamPreferences::B => Wish {
                white: plain.or(match difference {
                    -1 => Some(true),
                    1 => Some(false),
                    // Level, and not the last round: the other than last time.
                    _ if field.last_round => None,
                    _ => colours.last().map(|last| !last.is_white()),
                }),
                strong: plain.is_some(),
            },
        }
    }

    fn is_first(&self, field: &Field, a: usize, b: usize) -> bool {
        let key = |i: usize| {
            let team = field.player(i);
            let secondary = self.secondary.get(&team.no).copied().unwrap_or_default();
            (Reverse(team.pairing_score), Reverse(secondary), i)
        };
        key(a) < key(b)
    }

    fn colour(&self, field: &Field, first: usize, other: usize) -> (Color, TeamColourRule) {
        let (own, theirs) = (field.player(first), field.player(other));
        if let Some(colour) = initial(field, first, other) {
            return (colour, TeamColourRule::InitialColour);
        }
        let (wish, their_wish) = (self.wish(field, first), self.wish(field, other));
        match (wish.white, their_wish.white) {
            (Some(white), None) => return (colour(white), TeamColourRule::Granted),
            (None, Some(white)) => return (colour(!white), TeamColourRule::Granted),
            (Some(white), Some(their_white)) if white != their_white => {
                return (colour(white), TeamColourRule::Granted);
            }
            (Some(white), Some(_)) if wish.strong != their_wish.strong => {
                let granted = if wish.strong { white } else { !white };
                return (colour(granted), TeamColourRule::StrongOnly);
            }
            _ => {}
        }
        let (difference, their_difference) = (own.colour_difference(), theirs.colour_difference());
        if difference != their_difference {
            let white = difference < their_difference;
            return (colour(white), TeamColourRule::FewerWhites);
        }
        if let Some((before, _)) = own.colours.last_difference(&theirs.colours) {
            return (!before, TeamColourRule::LastDifference);
        }
        if let Some(white) = wish.white {
            return (colour(white), TeamColourRule::FirstPreference);
        }
        alternate(field, first, other)
    }
}

const fn colour(white: bool) -> Color {
    if white { Color::White } else { Color::Black }
}

/// 4.3.1: neither has had a colour.
pub(super) fn initial(field: &Field, first: usize, other: usize) -> Option<Color> {
    let (own, theirs) = (field.player(first), field.player(other));
    if own.games_played() + theirs.games_played() > 0 {
        return None;
    }
    let odd = own.parity_rank.is_none_or(|rank| rank % 2 == 1);
    Some(if odd {
        field.initial_colour
    } else {
        !field.initial_colour
    })
}

/// The end of 4.3: the first alternates, else the other.
pub(super) fn alternate(field: &Field, first: usize, other: usize) -> (Color, TeamColourRule) {
    match (
        field.player(first).colours.last(),
        field.player(other).colours.last(),
    ) {
        (Some(last), _) => (!last, TeamColourRule::FirstAlternates),
        (None, Some(last)) => (last, TeamColourRule::OtherAlternates),
        (None, None) => (field.initial_colour, TeamColourRule::InitialColour),
    }
}
