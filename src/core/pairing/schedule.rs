//! What the systems share whose pairs are fixed beforehand: seats, rests, and who has met whom.

use std::collections::BTreeMap;

use super::{
    Allocated, ByeKind, Entrant, Explanation, Input, Missed, Pair, PairingError, Presence,
    RoundPairing, Unpaired, UnpairedReason,
};
use crate::types::{Color, PlayerNo, RoundNo};

/// A round that is being put together.
pub(super) struct Seats<'a> {
    round: RoundPairing,
    meetings: &'a Meetings,
    /// How often two players may meet.
    most: u16,
}

impl<'a> Seats<'a> {
    pub(super) fn new(round: RoundNo, meetings: &'a Meetings, most: u16) -> Self {
        Self {
            round: RoundPairing {
                round,
                pairs: Vec::new(),
                bye: None,
                unpaired: Vec::new(),
            },
            meetings,
            most,
        }
    }

    /// Seats two players, or lists both when one of them is missing.
    pub(super) fn seat(
        &mut self,
        white: Entrant,
        black: Entrant,
        explanation: Explanation,
    ) -> Result<(), PairingError> {
        if white.presence == Presence::Present && black.presence == Presence::Present {
            if let Some((times, before)) = self.meetings.of(white.no, black.no)
                && times >= self.most
            {
                return Err(PairingError::MetBefore {
                    round: self.round.round,
                    white: white.no,
                    black: black.no,
                    before,
                });
            }
            let board = u16::try_from(self.round.pairs.len())
                .unwrap_or(u16::MAX)
                .saturating_add(1);
            self.round.pairs.push(Pair {
                board,
                white: white.no,
                black: black.no,
                explanation,
            });
            return Ok(());
        }
        for (own, own_colour, other) in [
            (white, Color::White, black.no),
            (black, Color::Black, white.no),
        ] {
            let opponent = Missed {
                player: other,
                own_colour,
            };
            let reason = missing(own.presence, Some(opponent))
                .unwrap_or(UnpairedReason::OpponentMissing { opponent });
            self.leave(own.no, reason);
        }
        Ok(())
    }

    /// The table gives him nobody.
    pub(super) fn rest(&mut self, resting: Entrant, explanation: Explanation) {
        match missing(resting.presence, None) {
            Some(reason) => self.leave(resting.no, reason),
            None => {
                self.round.bye = Some(Allocated {
                    player: resting.no,
                    kind: ByeKind::Rest,
                    explanation,
                });
            }
        }
    }

    /// He is not in the pairs of this round.
    pub(super) fn leave(&mut self, player: PlayerNo, reason: UnpairedReason) {
        self.round.unpaired.push(Unpaired { player, reason });
    }

    /// The round.
    ///
    /// # Errors
    /// When there is no pair in it.
    pub(super) fn finish(mut self) -> Result<RoundPairing, PairingError> {
        if self.round.pairs.is_empty() {
            return Err(PairingError::NobodyPresent {
                round: self.round.round,
            });
        }
        self.round.unpaired.sort_by_key(|unpaired| unpaired.player);
        Ok(self.round)
    }
}

/// Why a player is missing; nothing when he is there.
pub(super) const fn missing(
    presence: Presence,
    opponent: Option<Missed>,
) -> Option<UnpairedReason> {
    match presence {
        Presence::Present => None,
        Presence::Absent => Some(UnpairedReason::Absent { opponent }),
        Presence::Withdrawn => Some(UnpairedReason::Withdrawn { opponent }),
    }
}

/// How often each pair has played over the board, and when last.
pub(super) struct Meetings(BTreeMap<(PlayerNo, PlayerNo), (u16, RoundNo)>);

impl Meetings {
    pub(super) fn new(input: &Input) -> Self {
        let mut meetings = BTreeMap::new();
        for past in &input.history {
            for game in past.games.iter().filter(|game| game.played) {
                let met = meetings
                    .entry(key(game.white, game.black))
                    .or_insert((0, past.round));
                met.0 += 1;
                met.1 = met.1.max(past.round);
            }
        }
        Self(meetings)
    }

    /// How often the two have met, and when last; nothing when never.
    pub(super) fn of(&self, a: PlayerNo, b: PlayerNo) -> Option<(u16, RoundNo)> {
        self.0.get(&key(a, b)).copied()
    }
}

fn key(a: PlayerNo, b: PlayerNo) -> (PlayerNo, PlayerNo) {
    (a.min(b), a.max(b))
}
