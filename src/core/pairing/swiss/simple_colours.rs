//! Who gets which colour in the Dubov and the Burstein system (article 5 of both).

use super::{ColourRule, Field, Preference};
use crate::types::Color;

/// White, Black and the rule that decided. `high` is the higher ranked by the system's order; the
/// preferences are the system's own.
pub(super) fn allocate(
    field: &Field,
    (high, wish): (usize, Preference),
    (low, their_wish): (usize, Preference),
) -> (usize, usize, ColourRule) {
    let (own, theirs) = (field.player(high), field.player(low));
    let unplayed = own.games_played() == 0 && theirs.games_played() == 0;
    let (colour, rule) = match (wish.colour(), their_wish.colour()) {
        _ if unplayed => {
            // 1.4 of the rules: the parity counts those who are, or were, there.
            let odd = own.parity_rank.is_none_or(|rank| rank % 2 == 1);
            let colour = if odd {
                field.initial_colour
            } else {
                !field.initial_colour
            };
            (colour, ColourRule::InitialColour)
        }
        (None, None) => (field.initial_colour, ColourRule::InitialColour),
        (None, Some(other)) => (!other, ColourRule::BothGranted),
        (Some(mine), None) => (mine, ColourRule::BothGranted),
        (Some(mine), Some(other)) if mine != other => (mine, ColourRule::BothGranted),
        (Some(mine), Some(_)) => match wish.strength().cmp(&their_wish.strength()) {
            std::cmp::Ordering::Greater => (mine, ColourRule::Stronger),
            std::cmp::Ordering::Less => (!mine, ColourRule::Stronger),
            std::cmp::Ordering::Equal => match own.colours.last_difference(&theirs.colours) {
                Some((before, _)) => (!before, ColourRule::LastDifference),
                None => (mine, ColourRule::HigherRanked),
            },
        },
    };
    match colour {
        Color::White => (high, low, rule),
        Color::Black => (low, high, rule),
    }
}
