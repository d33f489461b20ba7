//! From pairs to a published round: boards, fixed pairs, and everybody who is left out.

use super::{ColourRule, Field};
use crate::pairing::{
    Allocated, ByeKind, Explanation, Pair, Presence, RoundPairing, Unpaired, UnpairedReason,
};

impl Field {
    /// Puts the round together. `pairs` are (index of White, index of Black, why); `bye` is who has
    /// the pairing-allocated bye, and why. Boards by C.04.2 3.6 on pairing scores (C.04.7, 1.5):
    /// higher score of the two ↓, sum ↓, number of the higher ranked ↑.
    pub fn finish(
        &self,
        pairs: Vec<(usize, usize, Explanation)>,
        bye: Option<(usize, Explanation)>,
    ) -> RoundPairing {
        let index_of = |no| self.players().partition_point(|player| player.no < no);
        let mut pairs = pairs;
        pairs.extend(self.fixed().iter().map(|pair| {
            let explanation = Explanation::Fixed {
                colour: ColourRule::Fixed,
            };
            (index_of(pair.white), index_of(pair.black), explanation)
        }));
        pairs.sort_by_key(|&(white, black, _)| {
            let higher = if self.ranks_higher(white, black) {
                white
            } else {
                black
            };
            let score = |i: usize| u32::from(self.player(i).pairing_score.0);
            (
                std::cmp::Reverse(score(higher)),
                std::cmp::Reverse(score(white) + score(black)),
                higher,
            )
        });
        let unpaired = self
            .players()
            .iter()
            .filter_map(|player| {
                let reason = match player.presence {
                    Presence::Present => return None,
                    Presence::Absent => UnpairedReason::Absent { opponent: None },
                    Presence::Withdrawn => UnpairedReason::Withdrawn { opponent: None },
                };
                Some(Unpaired {
                    player: player.no,
                    reason,
                })
            })
            .collect();
        RoundPairing {
            round: self.round,
            pairs: (1..=u16::MAX)
                .zip(pairs)
                .map(|(board, (white, black, explanation))| Pair {
                    board,
                    white: self.player(white).no,
                    black: self.player(black).no,
                    explanation,
                })
                .collect(),
            bye: bye.map(|(player, explanation)| Allocated {
                player: self.player(player).no,
                kind: ByeKind::PairingAllocated,
                explanation,
            }),
            unpaired,
        }
    }
}
