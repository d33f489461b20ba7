//! The Lim system, C.04.4.3: the text of 1987 to 1999, reissued for 2026.
//!
//! The bye is given first. Scoregroups are paired from the top down to the one above the median,
//! then from the bottom up to the one below it, the median last; floaters move towards it. Inside a
//! group floaters get their opponents first; the rest are proposed top half against bottom half and
//! scrutinised, first for compatibility, then for colours.
//!
//! No program is known to follow the text, and it leaves much open: what had to be chosen is in
//! [`Lim`] as options, the reasons are in the notes on readings of the rules.

mod colours;
mod group;
mod median;
mod reason;
mod roster;
mod scrutiny;

pub use reason::{FloatCause, Found, LimColour, LimFloat, LimReason};

use super::Field;
use crate::pairing::{Explanation, Input, PairingError, RoundPairing, System};
use roster::Roster;

/// The Lim system with what its text leaves open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lim {
    /// Who is "highest numbered".
    pub numbering: Numbering,
    /// In which order opponents are tried in groups of more than six.
    pub scrutiny: Scrutiny,
    /// The event is a "Maxi-tournament" (3.2.3, 3.8, 5.7): colours choose only among players within
    /// 100 rating points.
    pub maxi_tournament: bool,
    /// What article 6 allows in the last round.
    pub last_round: LastRound,
}

/// Who is "highest numbered" (3.2.4, 3.6 to 3.8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numbering {
    /// Number 1, whom the text calls the highest.
    #[default]
    FirstIsHighest,
    /// The player with the largest number.
    LastIsHighest,
}

/// In which order the bottom half is tried after the proposed opponent and those behind him (4.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scrutiny {
    /// From its first player on: number 3 of six tries 6, 4, 5.
    #[default]
    Around,
    /// Backwards from the proposed one: number 3 of six tries 6, 5, 4.
    Outwards,
}

/// What holds in the last round (6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LastRound {
    /// Players of equal score may meet whatever their colours.
    #[default]
    ScoreFirst,
    /// The colour limits stay.
    AsBefore,
}

impl System for Lim {
    fn name(&self) -> &'static str {
        "lim"
    }

    fn rounds(&self, _entrants: usize) -> Option<u16> {
        None
    }

    fn pair(&self, input: &Input) -> Result<RoundPairing, PairingError> {
        let field = Field::new(input)?;
        let roster = Roster::new(&field, *self)?;
        let paired = median::pair(&roster).ok_or_else(|| roster.ground.impossible())?;
        let pairs = paired
            .into_iter()
            .map(|pair| {
                let (white, black, colour) =
                    colours::allocate(&roster, pair.first, pair.second, pair.below_median);
                let mut reason = pair.reason;
                reason.colour = colour;
                let index = |place: usize| roster.ground.order[place];
                (
                    index(white),
                    index(black),
                    Explanation::Lim(Box::new(reason)),
                )
            })
            .collect();
        let bye = roster
            .ground
            .bye
            .clone()
            .map(|(player, reason)| (player, Explanation::ByeFirst(Box::new(reason))));
        Ok(field.finish(pairs, bye))
    }
}
