//! The index of a player (1.7, 1.8): how strong his opposition was.

use std::cmp::Reverse;

use crate::pairing::{
    Presence, UnpairedKind,
    swiss::{Field, Player, RoundRecord},
};

/// Buchholz and Sonneborn-Berger of everybody, on current scores without virtual points.
pub(super) struct Index(Vec<(u32, u32)>);

/// Buchholz in half points; Sonneborn-Berger in quarter points: scores of opponents times the points
/// made against them; the number last. Smaller is higher.
pub(super) type Rank = (Reverse<u32>, Reverse<u32>, usize);

impl Index {
    pub(super) fn new(field: &Field) -> Self {
        let seen: Vec<u32> = field
            .players()
            .iter()
            .map(|player| seen_by_opponents(field, player))
            .collect();
        let index = field
            .players()
            .iter()
            .map(|player| {
                let own = u32::from(player.score.0);
                let mut sums = (0, 0);
                for record in &player.rounds {
                    let theirs = match *record {
                        RoundRecord::Played { opponent, .. } => seen[opponent],
                        // 1.8: a game against himself.
                        RoundRecord::Forfeit { .. } | RoundRecord::Unpaired { .. } => own,
                    };
                    let points = u32::from(record.points().0);
                    sums.0 += theirs;
                    sums.1 += theirs * points;
                }
                sums
            })
            .collect();
        Self(index)
    }

    /// What players are ranked by.
    pub(super) fn rank(&self, player: usize) -> Rank {
        let (buchholz, berger) = self.0[player];
        (Reverse(buchholz), Reverse(berger), player)
    }

    /// Buchholz in half points and Sonneborn-Berger in quarter points.
    pub(super) fn of(&self, player: usize) -> (u32, u32) {
        self.0[player]
    }
}

/// The score of a player as it counts for his opponents: the rounds before this one of a run of
/// zero-point byes that reaches up to now count as draws. Who is back has no such run.
fn seen_by_opponents(field: &Field, player: &Player) -> u32 {
    if player.presence == Presence::Present {
        return u32::from(player.score.0);
    }
    let trailing = player
        .rounds
        .iter()
        .rev()
        .take_while(|record| {
            matches!(
                record,
                RoundRecord::Unpaired {
                    kind: UnpairedKind::ZeroPoint | UnpairedKind::Absent,
                    ..
                }
            )
        })
        .count();
    u32::from(player.score.0) + trailing as u32 * u32::from(field.scoring.draw.0)
}
