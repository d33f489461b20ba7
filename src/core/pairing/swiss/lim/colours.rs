//! What colours a player is due, and who gets which (5, 7).

use super::{reason::LimColour, roster::Roster};
use crate::{
    pairing::swiss::Colours,
    types::{Color, RoundNo},
};

/// 5.1: the colour that would be the third running, or three more than the other.
pub(super) fn banned(colours: &Colours) -> Option<Color> {
    match colours.difference() {
        2.. => Some(Color::White),
        ..=-2 => Some(Color::Black),
        _ => colours.repeated(),
    }
}

/// 5.3, then 5.5 and 5.6: in odd rounds colours alternate, in even rounds they equalise.
pub(super) fn due(colours: &Colours, round: RoundNo) -> Option<Color> {
    if let Some(colour) = banned(colours) {
        return Some(!colour);
    }
    let equalise = round.0.is_multiple_of(2);
    let alternate = colours.last().map(|last| !last);
    match colours.difference() {
        1.. if equalise => Some(Color::Black),
        ..=-1 if equalise => Some(Color::White),
        _ => alternate,
    }
}

/// White, Black and what decided, for two places.
pub(super) fn allocate(
    roster: &Roster<'_>,
    a: usize,
    b: usize,
    below_median: bool,
) -> (usize, usize, LimColour) {
    // Places are in the order of rank.
    let (high, low) = (a.min(b), a.max(b));
    let (own, theirs) = (&roster.traits[high], &roster.traits[low]);
    let field = roster.ground.field;
    let player = |place: usize| field.player(roster.ground.order[place]);
    let (colour, rule) = match (own.due, own.banned, theirs.due, theirs.banned) {
        (None, _, None, _) => {
            // 7: the odd numbers of the top half have the colour of number 1.
            let odd = player(high).parity_rank.is_none_or(|rank| rank % 2 == 1);
            let first = field.initial_colour;
            (if odd { first } else { !first }, LimColour::Lot)
        }
        (Some(mine), _, None, _) => (mine, LimColour::Granted),
        (None, _, Some(other), _) => (!other, LimColour::Granted),
        (Some(mine), _, Some(other), _) if mine != other => (mine, LimColour::Granted),
        (Some(mine), Some(_), Some(_), None) => (mine, LimColour::Forced),
        (Some(mine), None, Some(_), Some(_)) => (!mine, LimColour::Forced),
        (Some(mine), ..) => match player(high).colours.last_difference(&player(low).colours) {
            Some((before, _)) => (!before, LimColour::LastDifference),
            None if below_median => (!mine, LimColour::LowerRanked),
            None => (mine, LimColour::HigherRanked),
        },
    };
    match colour {
        Color::White => (high, low, rule),
        Color::Black => (low, high, rule),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colours(text: &str) -> Colours {
        Colours::new(
            text.chars()
                .map(|c| if c == 'w' { Color::White } else { Color::Black })
                .collect(),
        )
    }

    #[test]
    fn two_running_or_two_more_ban_a_colour() {
        assert_eq!(banned(&colours("bww")), Some(Color::White));
        assert_eq!(banned(&colours("wwbw")), Some(Color::White));
        assert_eq!(banned(&colours("wb")), None);
        assert_eq!(banned(&colours("bbwb")), Some(Color::Black));
    }

    #[test]
    fn odd_rounds_alternate_and_even_rounds_equalise() {
        // One game missed: the difference is −1 and the last colour White.
        let missed = colours("bbw");
        assert_eq!(due(&missed, RoundNo(5)), Some(Color::Black));
        assert_eq!(due(&missed, RoundNo(6)), Some(Color::White));
        assert_eq!(due(&colours("wb"), RoundNo(4)), Some(Color::White));
        assert_eq!(due(&colours("bww"), RoundNo(5)), Some(Color::Black));
        assert_eq!(due(&colours(""), RoundNo(2)), None);
    }
}
