//! Corrections of what was public, as the journal tells them.

use std::collections::BTreeMap;

use super::HallState;
use crate::{
    hub::event::{Amended, Amendment, Details, SetUp},
    tournament::{Bye, GameResult},
    types::{PlayerNo, RoundNo},
};

/// What was put right in this event.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Amendments {
    /// All of them by number, those that were taken back too.
    pub all: BTreeMap<u64, Amendment>,
    /// What the list of players must be read with: the file may not have been corrected.
    pub details: BTreeMap<PlayerNo, Corrected>,
    /// What rounds without an opponent are worth, where that was put right.
    pub byes: BTreeMap<(RoundNo, PlayerNo), Bye>,
}

/// A player's line in the list, before and after.
#[derive(Clone, Debug, PartialEq)]
pub struct Corrected {
    /// As the list had it.
    pub before: Details,
    /// As it is right.
    pub after: Details,
}

impl Amendments {
    /// Whether a correction was taken back.
    pub fn is_reverted(&self, number: u64) -> bool {
        self.all.values().any(|it| it.reverts == Some(number))
    }

    /// The list of players with its lines put right. A line that says something else than what was
    /// corrected was corrected itself since and is taken as it stands.
    pub fn correct(&self, set_up: &mut SetUp) {
        for player in &mut set_up.players {
            if let Some(corrected) = self.details.get(&player.no)
                && Details::of(player) == corrected.before
            {
                corrected.after.put_into(player);
            }
        }
    }
}

impl HallState {
    pub(super) fn apply_amendment(&mut self, number: u64, amendment: &Amendment) {
        match &amendment.what {
            // The result itself follows as an event of its own.
            Amended::Result { after: Some(_), .. } => {}
            Amended::Result {
                in_round, board, ..
            } => {
                let round = (self.rounds.iter_mut()).find(|round| round.number == *in_round);
                if let Some(game) = round.and_then(|round| round.games.get_mut(board)) {
                    game.result = None;
                    game.result_source = None;
                    game.result_at = None;
                }
            }
            Amended::Colours { in_round, board } => {
                let round = (self.rounds.iter_mut()).find(|round| round.number == *in_round);
                let Some(round) = round else { return };
                if let Some(game) = round.games.get_mut(board) {
                    std::mem::swap(&mut game.white, &mut game.black);
                    game.result = (game.result).map(|(result, how)| (mirrored(result), how));
                }
                for pair in &mut round.pairing.pairs {
                    if pair.board == board.0 {
                        std::mem::swap(&mut pair.white, &mut pair.black);
                    }
                }
            }
            Amended::Exchanged {
                in_round,
                first,
                second,
            } => {
                let round = (self.rounds.iter_mut()).find(|round| round.number == *in_round);
                let Some(round) = round else { return };
                let exchange = |no: &mut PlayerNo| {
                    if *no == *first {
                        *no = *second;
                    } else if *no == *second {
                        *no = *first;
                    }
                };
                for game in round.games.values_mut() {
                    exchange(&mut game.white);
                    exchange(&mut game.black);
                }
                for pair in &mut round.pairing.pairs {
                    exchange(&mut pair.white);
                    exchange(&mut pair.black);
                }
                if let Some(bye) = &mut round.pairing.bye {
                    exchange(&mut bye.player);
                }
                for unpaired in &mut round.pairing.unpaired {
                    exchange(&mut unpaired.player);
                }
            }
            Amended::Player {
                player,
                before,
                after,
            } => {
                let listed = self.amendments.details.get(player);
                let listed = listed.map_or_else(|| before.clone(), |it| it.before.clone());
                if listed == *after {
                    self.amendments.details.remove(player);
                } else {
                    let corrected = Corrected {
                        before: listed,
                        after: after.clone(),
                    };
                    self.amendments.details.insert(*player, corrected);
                }
                let players = self.set_up.iter_mut().flat_map(|it| &mut it.players);
                for found in players.filter(|found| found.no == *player) {
                    after.put_into(found);
                }
            }
            Amended::Bye {
                in_round,
                player,
                after,
                ..
            } => {
                self.amendments.byes.insert((*in_round, *player), *after);
            }
        }
        self.amendments.all.insert(number, amendment.clone());
    }
}

/// The result with the colours the other way round: each keeps his points.
pub(in crate::hub) const fn mirrored(result: GameResult) -> GameResult {
    match result {
        GameResult::WhiteWins => GameResult::BlackWins,
        GameResult::BlackWins => GameResult::WhiteWins,
        GameResult::HalfToWhite => GameResult::HalfToBlack,
        GameResult::HalfToBlack => GameResult::HalfToWhite,
        GameResult::WhiteByForfeit => GameResult::BlackByForfeit,
        GameResult::BlackByForfeit => GameResult::WhiteByForfeit,
        same @ (GameResult::Draw | GameResult::BothLose | GameResult::DoubleForfeit) => same,
    }
}
