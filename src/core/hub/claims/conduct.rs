//! Devices and unfair play: the game, the rest of the event, and an eye on who sits down again (R-RS-8).

use crate::{
    hub::{
        Hub,
        alerts::Cause,
        decide::name,
        event::{AlertKind, ClaimKind, Proposed},
        view::Severity,
        words::counted,
    },
    tournament::{GameResult, Termination},
    types::{Color, Now, PlayerNo, RoundNo, TableNo},
};

/// More games than this lost by unfair play, and the player is out of the event.
const UNFAIR_AT_MOST: usize = 3;

impl Hub {
    pub(super) fn conduct_claimed(
        &mut self,
        now: Now,
        table: TableNo,
        what: ClaimKind,
        side: Color,
        note: &str,
    ) {
        let (words, termination) = if what == ClaimKind::ElectronicDevice {
            (
                "to have used an electronic device",
                Termination::ElectronicDevice,
            )
        } else {
            ("to have played unfairly", Termination::UnfairPlay)
        };
        let text = format!(
            "{} is said {words}.{note} Once you are convinced, the game is lost.",
            name(side)
        );
        let proposed = Proposed::Result {
            result: GameResult::won_by(side.other()),
            termination,
        };
        self.put(now, table, proposed, text, AlertKind::Conduct);
    }

    /// The rounds in which a player lost a game by his conduct, and how.
    fn offences(&self, player: PlayerNo) -> Vec<(RoundNo, Termination)> {
        let games = self.state.rounds.iter().flat_map(|round| {
            let games = round.games.values();
            games.map(move |game| (round.number, game))
        });
        games
            .filter_map(|(round, game)| {
                let (result, termination) = game.result?;
                let conduct = matches!(
                    termination,
                    Termination::UnfairPlay | Termination::ElectronicDevice
                );
                let loser = match result.winner() {
                    Some(Color::White) => game.black == player,
                    Some(Color::Black) => game.white == player,
                    // Both have lost.
                    None => game.white == player || game.black == player,
                };
                (conduct && loser).then_some((round, termination))
            })
            .collect()
    }

    /// A game was lost by unfair play: once too often, and the player is out.
    pub(in crate::hub) fn check_disqualified(&mut self, now: Now, table: TableNo) {
        let Some(game) = self.state.game(table) else {
            return;
        };
        for player in [game.white, game.black] {
            let unfair = self.offences(player);
            let unfair = unfair.iter().filter(|it| it.1 == Termination::UnfairPlay);
            let unfair = unfair.count();
            let proposed = Proposed::Disqualify { player };
            let open = |it: &crate::hub::state::OpenProposal| it.proposal.proposed == proposed;
            let gone = self.state.has_left(player, self.next_to_publish());
            if unfair <= UNFAIR_AT_MOST || gone || self.state.proposals.values().any(open) {
                continue;
            }
            let text = format!(
                "Player {player} has lost {} by unfair play: he is out of the event, and all his \
                 further rounds are lost.",
                counted(unfair, "game")
            );
            self.put(now, table, proposed, text, AlertKind::Conduct);
        }
    }

    /// The round starts: who was noted in an earlier one is looked after.
    pub(in crate::hub) fn follow_up(&mut self, now: Now) {
        let Some(round) = self.state.round() else {
            return;
        };
        let current = round.number;
        let seats: Vec<(TableNo, Color, PlayerNo)> = (round.games.iter())
            .flat_map(|(table, game)| {
                [
                    (*table, Color::White, game.white),
                    (*table, Color::Black, game.black),
                ]
            })
            .collect();
        for (table, side, player) in seats {
            let earlier: Vec<String> = (self.offences(player).into_iter())
                .filter(|(round, _)| *round < current)
                .map(|(round, how)| match how {
                    Termination::ElectronicDevice => {
                        format!("an electronic device in round {round}")
                    }
                    _ => format!("unfair play in round {round}"),
                })
                .collect();
            if !earlier.is_empty() {
                let text = format!(
                    "Table {table}: {} (player {player}) was noted before: {}.",
                    name(side),
                    earlier.join(", ")
                );
                let cause = Cause::at(AlertKind::FollowUp, table);
                self.raise(now, cause, Severity::Warning, text, None);
            }
        }
    }
}
