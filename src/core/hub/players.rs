//! Who is there: the players as arbiters see them, and whether a draft still fits them.

use std::collections::BTreeSet;

use super::{
    Hub,
    command::Refused,
    set_up::players_of,
    state::Round,
    view::{ByeView, DraftView, EntryView, PlayersView, PublicRound, PublicTable, SeatView},
    views::word,
};
use crate::{
    tournament::Bye,
    types::{Color, PlayerNo, RoundNo, color},
};

impl Hub {
    /// All players with what they are to the next round.
    pub fn players_view(&self) -> PlayersView {
        let Some(set_up) = &self.state.set_up else {
            return PlayersView::default();
        };
        let rounds = self.rounds();
        let next = self.next_to_publish();
        PlayersView {
            next: (rounds.is_none_or(|rounds| next.0 <= rounds)).then_some(next),
            rounds,
            byes: self.byes_allowed().into_iter().map(word).collect(),
            draft: self.draft_view(),
            players: (set_up.players.iter())
                .map(|player| self.entry_view(player.no, next))
                .collect(),
        }
    }

    fn draft_view(&self) -> Option<DraftView> {
        let round = self.state.round().filter(|round| !round.published)?;
        let entered: BTreeSet<PlayerNo> = (self.state.set_up.iter())
            .flat_map(|set_up| set_up.players.iter().map(|player| player.no))
            .collect();
        let drafted: BTreeSet<PlayerNo> = players_of(round).collect();
        let mut outdated: BTreeSet<PlayerNo> = &entered ^ &drafted;
        outdated.extend(&round.away ^ &self.state.away(round.number));
        Some(DraftView {
            round: round.number,
            outdated: (outdated.into_iter())
                .map(|player| self.player_view(player))
                .collect(),
        })
    }

    fn entry_view(&self, player: PlayerNo, next: RoundNo) -> EntryView {
        EntryView {
            player: self.player_view(player),
            withdrawn_since: self.state.left_since(player, next),
            byes: (self.state.byes.iter())
                .filter(|((_, who), _)| *who == player)
                .map(|((round, _), bye)| ByeView {
                    round: *round,
                    worth: word(bye),
                    open: *round >= next,
                })
                .collect(),
            seat: self.seat_view(player),
        }
    }

    fn seat_view(&self, player: PlayerNo) -> Option<SeatView> {
        let round = self.state.round()?;
        let (table, game) =
            (round.games.iter()).find(|(_, game)| game.white == player || game.black == player)?;
        let (side, opponent) = if game.white == player {
            (Color::White, game.black)
        } else {
            (Color::Black, game.white)
        };
        Some(SeatView {
            round: round.number,
            published: round.published,
            table: *table,
            color: color::name(side).to_owned(),
            opponent: self.player_view(opponent),
            begun: game.clock_started || !game.moves.is_empty(),
            result: game.result.map(|(result, _)| result.as_str().to_owned()),
        })
    }

    /// How many players the next round finds missing.
    pub(super) fn away(&self) -> u16 {
        let away = self.state.away(self.next_to_publish()).len();
        u16::try_from(away).unwrap_or(u16::MAX)
    }

    /// What a bye may be worth here: what the event grants in a Swiss; without points where everybody
    /// has his opponents by a table.
    fn byes_allowed(&self) -> Vec<Bye> {
        let settings = self.state.set_up.as_ref().map(|it| &it.settings);
        match settings {
            Some(settings) if settings.system.is_swiss() => settings
                .byes
                .iter()
                .map(|worth| Bye::from(*worth))
                .collect(),
            _ => vec![Bye::Zero],
        }
    }

    /// # Errors
    /// When the event does not grant such a bye.
    pub(super) fn check_bye(&self, bye: Bye) -> Result<(), Refused> {
        let allowed = self.byes_allowed();
        if allowed.contains(&bye) {
            return Ok(());
        }
        let allowed: Vec<String> = allowed.into_iter().map(word).collect();
        Err(Refused::Conflict(format!(
            "a {} bye is not granted in this event, only {}: its setting `byes` says which are, \
             and without a Swiss it is zero",
            word(bye),
            allowed.join(" and "),
        )))
    }

    /// A round as everybody may see it; `None` while it is not public.
    pub fn public_round(&self, number: RoundNo) -> Option<PublicRound> {
        let round =
            (self.state.rounds.iter()).find(|round| round.number == number && round.published)?;
        Some(PublicRound {
            number,
            starts_at: round.starts_at,
            started_at: round.started_at,
            closed: round.closed_at.is_some(),
            tables: self.public_tables(round),
            bye: (round.pairing.bye.as_ref()).map(|bye| self.player_view(bye.player)),
        })
    }

    fn public_tables(&self, round: &Round) -> Vec<PublicTable> {
        (round.games.iter())
            .map(|(table, game)| PublicTable {
                table: *table,
                white: self.player_view(game.white),
                black: self.player_view(game.black),
                result: game.result.map(|(result, _)| result.as_str().to_owned()),
            })
            .collect()
    }
}
