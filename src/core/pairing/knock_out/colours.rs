//! Colours in a knock-out: alternate, else balance, else lot (R-PR-9).

use crate::{
    pairing::{Input, LotColour, lot::Lot, swiss::Colours},
    types::{Color, PlayerNo, RoundNo},
};

/// The colours of a pair.
pub(super) struct Allocation {
    /// The first of the two has White.
    pub(super) first_white: bool,
    pub(super) by: LotColour,
}

/// The lots of a pair: the same whichever of the two comes first.
pub(super) const fn lot_of(seed: u64, stage: u16, one: PlayerNo, other: PlayerNo) -> Lot {
    let (low, high) = if one.0 < other.0 {
        (one.0, other.0)
    } else {
        (other.0, one.0)
    };
    Lot::keyed(seed, [stage as u64, low as u64, high as u64])
}

/// Colours of game `game` of a match; the first game goes by what was played before `first_round`,
/// the others alternate.
pub(super) fn allocate(
    input: &Input,
    first_round: RoundNo,
    stage: u16,
    game: u16,
    seed: u64,
    two: [PlayerNo; 2],
) -> Allocation {
    let [one, other] = two.map(|player| history(input, first_round, player));
    let (colour, by) = first_game(&one, &other).unwrap_or_else(|| {
        let drawn = lot_of(seed, stage, two[0], two[1]).colour();
        let smaller_is_first = two[0] < two[1];
        let colour = if smaller_is_first { drawn } else { !drawn };
        (colour, LotColour::Lot { seed })
    });
    Allocation {
        first_white: colour.is_white() == (game % 2 == 1),
        by: if game == 1 { by } else { LotColour::LaterGame },
    }
}

/// The colour of the first of the two; nothing when the lot must decide.
fn first_game(one: &Colours, other: &Colours) -> Option<(Color, LotColour)> {
    match (one.last().map(|last| !last), other.last().map(|last| !last)) {
        (Some(own), Some(theirs)) if own != theirs => Some((own, LotColour::Alternate)),
        (Some(own), None) => Some((own, LotColour::AlternateOne)),
        (None, Some(theirs)) => Some((!theirs, LotColour::AlternateOne)),
        (None, None) => None,
        (Some(_), Some(_)) => match one.difference().cmp(&other.difference()) {
            std::cmp::Ordering::Less => Some((Color::White, LotColour::Balance)),
            std::cmp::Ordering::Greater => Some((Color::Black, LotColour::Balance)),
            std::cmp::Ordering::Equal => None,
        },
    }
}

/// The colours of the games over the board before a round.
fn history(input: &Input, before: RoundNo, player: PlayerNo) -> Colours {
    let mut rounds: Vec<_> = input
        .history
        .iter()
        .filter(|past| past.round < before)
        .collect();
    rounds.sort_by_key(|past| past.round);
    Colours::new(
        rounds
            .into_iter()
            .flat_map(|past| &past.games)
            .filter(|game| game.played)
            .filter_map(|game| match player {
                _ if game.white == player => Some(Color::White),
                _ if game.black == player => Some(Color::Black),
                _ => None,
            })
            .collect(),
    )
}
