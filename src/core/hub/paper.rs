//! What is printed for the tables.

use super::{
    Hub,
    view::{PaperPlayer, PaperTable, PaperView},
};
use crate::types::PlayerNo;

impl Hub {
    /// The tables of the current round; `None` before an event is set up.
    pub fn paper_view(&self) -> Option<PaperView> {
        let settings = &self.state.set_up.as_ref()?.settings;
        let round = self.state.round();
        let games = round.into_iter().flat_map(|round| &round.games);
        Some(PaperView {
            event: settings.name.clone(),
            time_control: settings.time_control.clone().unwrap_or_default(),
            round: round.map(|round| round.number),
            published: round.is_some_and(|round| round.published),
            tables: games
                .map(|(table, game)| PaperTable {
                    table: *table,
                    white: self.paper_player(game.white),
                    black: self.paper_player(game.black),
                })
                .collect(),
        })
    }

    fn paper_player(&self, no: PlayerNo) -> PaperPlayer {
        let player = self.state.player(no);
        PaperPlayer {
            no,
            name: self.player_view(no).name,
            federation: player.and_then(|player| player.federation.clone()),
            rating: player.and_then(|player| player.rating),
        }
    }
}
