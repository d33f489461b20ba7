//! The players of the round with what the Lim system asks about them.

use super::{LastRound, Lim, Numbering, colours};
use crate::{
    pairing::{
        PairingError,
        swiss::{
            Field, Float, FloatRule,
            ground::{ByeOrder, Ground},
        },
    },
    types::Color,
};

/// What the rules ask about a player.
#[derive(Clone, Debug)]
pub(super) struct Trait {
    /// The pairing score in half points.
    pub(super) score: u16,
    /// The colour that he is due (5.3, 5.5, 5.6); nothing without games.
    pub(super) due: Option<Color>,
    /// The colour that he must not have (5.1).
    pub(super) banned: Option<Color>,
    pub(super) rating: u16,
    /// He floated down in the last round.
    pub(super) came_down: bool,
    /// He floated up in the last round.
    pub(super) came_up: bool,
}

/// The players to pair, by score ↓ and number ↑.
pub(super) struct Roster<'f> {
    pub(super) ground: Ground<'f>,
    pub(super) traits: Vec<Trait>,
    pub(super) options: Lim,
    /// The score of the median group: half of what wins in all rounds so far would have brought.
    /// In quarter points, as it need not be a score.
    pub(super) median: u32,
}

impl<'f> Roster<'f> {
    pub(super) fn new(field: &'f Field, options: Lim) -> Result<Self, PairingError> {
        let limits_fall = field.last_round && options.last_round == LastRound::ScoreFirst;
        let banned: Vec<Option<Color>> = field
            .players()
            .iter()
            .map(|player| colours::banned(&player.colours))
            .collect();
        let may_meet = |a: usize, b: usize| {
            let same_score = field.player(a).pairing_score == field.player(b).pairing_score;
            banned[a].is_none() || banned[a] != banned[b] || limits_fall && same_score
        };
        let ground = Ground::new(
            field,
            field.to_pair().to_vec(),
            may_meet,
            ByeOrder::LastPlace,
            "C.04.4.3, 1 and 2.1",
        )?;
        let traits = ground
            .order
            .iter()
            .map(|&i| {
                let player = field.player(i);
                let float = player.float(1, FloatRule::PlayedOnly, &field.scoring);
                Trait {
                    score: player.pairing_score.0,
                    due: colours::due(&player.colours, field.round),
                    banned: banned[i],
                    rating: player.rating.unwrap_or(0),
                    came_down: float == Some(Float::Down),
                    came_up: float == Some(Float::Up),
                }
            })
            .collect();
        Ok(Self {
            ground,
            traits,
            options,
            median: u32::from(field.scoring.win.0) * u32::from(field.round.0 - 1),
        })
    }

    /// Sorts the highest numbered first.
    pub(super) fn by_number(&self, place: usize) -> isize {
        let index = self.ground.order[place].cast_signed();
        match self.options.numbering {
            Numbering::FirstIsHighest => index,
            Numbering::LastIsHighest => -index,
        }
    }

    /// A choice by colour may fall on the second where the number alone would take the first.
    pub(super) fn colour_may_choose(&self, by_number: usize, by_colour: usize) -> bool {
        let rating = |place: usize| self.traits[place].rating;
        !self.options.maxi_tournament || rating(by_number).abs_diff(rating(by_colour)) <= 100
    }
}
