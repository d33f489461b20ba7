//! Who gets which colour (C.04.3, article 5).

use crate::{
    pairing::swiss::{ColourRule, Field},
    types::Color,
};

/// White, Black and the rule that decided, for a pair of the field.
pub(super) fn allocate(field: &Field, a: usize, b: usize) -> (usize, usize, ColourRule) {
    let (high, low) = if field.ranks_higher(a, b) {
        (a, b)
    } else {
        (b, a)
    };
    let (colour, rule) = of_higher(field, high, low);
    match colour {
        Color::White => (high, low, rule),
        Color::Black => (low, high, rule),
    }
}

fn of_higher(field: &Field, high: usize, low: usize) -> (Color, ColourRule) {
    let (own, theirs) = (field.player(high), field.player(low));
    let (wish, their_wish) = (own.preference, theirs.preference);
    if let (Some(mine), Some(other)) = (wish.colour(), their_wish.colour())
        && mine == other
    {
        // 5.2.2
        match wish.strength().cmp(&their_wish.strength()) {
            std::cmp::Ordering::Greater => return (mine, ColourRule::Stronger),
            std::cmp::Ordering::Less => return (!mine, ColourRule::Stronger),
            std::cmp::Ordering::Equal => {}
        }
        if wish.is_absolute() {
            let (a, b) = (
                own.colour_difference().abs(),
                theirs.colour_difference().abs(),
            );
            if a != b {
                let granted = if a > b { mine } else { !mine };
                return (granted, ColourRule::LargerDifference);
            }
        }
        // 5.2.3
        if let Some((before, _)) = own.colours.last_difference(&theirs.colours) {
            return (!before, ColourRule::LastDifference);
        }
        // 5.2.4
        return (mine, ColourRule::HigherRanked);
    }
    // 5.2.1: one of them, or both, get what they are due; 5.2.5 when nobody is due anything.
    match (wish.colour(), their_wish.colour()) {
        (Some(mine), _) => (mine, ColourRule::BothGranted),
        (None, Some(other)) => (!other, ColourRule::BothGranted),
        (None, None) => {
            let odd = own.parity_rank.is_none_or(|rank| rank % 2 == 1);
            let colour = if odd {
                field.initial_colour
            } else {
                !field.initial_colour
            };
            (colour, ColourRule::InitialColour)
        }
    }
}
