//! Who gets the bye (3.4).

use super::{Field, Traits, can_pair_all};
use crate::{
    pairing::{UnpairedKind, swiss::RoundRecord},
    types::PlayerNo,
};

/// The position of the taker, and those who stood before him in the order: lowest score, most matches
/// played, largest number; nothing when no bye leaves the others a complete pairing.
pub(super) fn choose(field: &Field, left: &[Traits]) -> Option<(usize, Vec<PlayerNo>)> {
    let mut order: Vec<usize> = (0..left.len()).collect();
    order.sort_by_key(|&at| {
        let player = left[at].player;
        (
            left[at].score,
            std::cmp::Reverse(field.player(player).games_played()),
            std::cmp::Reverse(player),
        )
    });
    let mut passed_over = Vec::new();
    for at in order {
        let player = left[at].player;
        if !barred(field, player) {
            let mut others = left.to_vec();
            others.remove(at);
            if can_pair_all(field, &others) {
                return Some((at, passed_over));
            }
        }
        passed_over.push(field.player(player).no);
    }
    None
}

/// C2: had the bye, won a match by forfeit, or was given a full-point bye.
pub(super) fn barred(field: &Field, player: usize) -> bool {
    let rounds = &field.player(player).rounds;
    rounds
        .iter()
        .enumerate()
        .any(|(round, record)| match *record {
            RoundRecord::Played { .. } => false,
            RoundRecord::Forfeit { opponent, points } => {
                points > field.player(opponent).rounds[round].points()
            }
            RoundRecord::Unpaired { kind, .. } => matches!(
                kind,
                UnpairedKind::PairingAllocated | UnpairedKind::FullPoint
            ),
        })
}
