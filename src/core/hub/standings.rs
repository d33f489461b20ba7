//! The standings of the hub's event.

use std::collections::BTreeSet;

use super::{Hub, event::SetUp, view::StandingView};
use crate::{
    pairing::{UnpairedReason, words::Language},
    tournament::{
        GameResult, PairingSystem,
        result::{Awarded, Played},
        standings::{
            Crosstable, Detail, Format, Scores, Terms, TieBreak, standings, struck_out, words,
        },
    },
    types::{PlayerNo, RoundNo},
};

impl Hub {
    /// The standings after the results that stand.
    pub fn standings(&self) -> Vec<StandingView> {
        self.standings_explained(None)
    }

    /// The same; in a language each figure says what it is made of.
    pub fn standings_explained(&self, language: Option<Language>) -> Vec<StandingView> {
        let Some(set_up) = &self.state.set_up else {
            return Vec::new();
        };
        let order = &set_up.settings.tie_breaks;
        let detail = match language {
            Some(_) => Detail::Terms,
            None => Detail::Values,
        };
        standings(&self.crosstable(set_up), order, detail)
            .into_iter()
            .map(|line| {
                let figures = || order.iter().zip(&line.figures);
                StandingView {
                    place: line.rank,
                    player: self.player_view(line.player),
                    points: line.points.decimal(1),
                    tie_breaks: figures()
                        .map(|(code, figure)| (code.to_string(), figure.text(*code)))
                        .collect(),
                    explanations: language.map(|language| {
                        let lines = |(code, figure): (&TieBreak, _)| {
                            words::explain(*code, figure, language)
                        };
                        figures().map(lines).collect()
                    }),
                }
            })
            .collect()
    }

    /// Who did what in the published rounds.
    pub(super) fn crosstable(&self, set_up: &SetUp) -> Crosstable {
        let settings = &set_up.settings;
        let players: Vec<(PlayerNo, Option<u16>)> = (set_up.players.iter())
            .map(|player| (player.no, player.rating))
            .collect();
        let struck = self.struck_out();
        let mut games: Vec<Played> = self.results().collect();
        games.extend(self.missed(&struck));
        // A draft gives nobody anything.
        let public = || self.state.rounds.iter().filter(|round| round.published);
        let byes: Vec<Awarded> = public().flat_map(|round| self.awarded(round)).collect();
        let open: Vec<(RoundNo, PlayerNo, PlayerNo)> = public()
            .flat_map(|round| {
                let open = round.games.values().filter(|game| game.result.is_none());
                open.map(|game| (round.number, game.white, game.black))
            })
            .collect();
        let terms = Terms {
            planned: self.rounds().unwrap_or(0),
            meetings: settings.system.meetings(),
            ..Terms::players(Format::of(&settings.system), 0)
        };
        let scores = Scores {
            players: &players,
            games: &games,
            open: &open,
            byes: &byes,
            struck_out: &struck,
        };
        Crosstable::of_games(terms, &scores)
    }

    /// Who left a round robin before half of his games: nothing of him counts (R-ST-1).
    pub(super) fn struck_out(&self) -> BTreeSet<PlayerNo> {
        let Some(set_up) = &self.state.set_up else {
            return BTreeSet::new();
        };
        if !matches!(set_up.settings.system, PairingSystem::RoundRobin { .. }) {
            return BTreeSet::new();
        }
        let next = self.next_to_publish();
        let players = set_up.players.iter().map(|player| player.no);
        let left = players
            .filter(|no| self.state.has_left(*no, next))
            .collect();
        let others = u16::try_from(set_up.players.len().saturating_sub(1)).unwrap_or(u16::MAX);
        let each = others.saturating_mul(set_up.settings.system.meetings());
        struck_out(&left, &self.results().collect::<Vec<_>>(), each)
    }

    /// The pairs of a table that did not take place because somebody was missing: `+/-`, `-/-` (R-ST-1).
    /// Those of `struck` are none.
    pub(super) fn missed(&self, struck: &BTreeSet<PlayerNo>) -> Vec<Played> {
        // A table without rounds to come: in a knock-out such a pair decides a match, and pairing knows it.
        let by_table = |system: &PairingSystem| {
            matches!(
                system,
                PairingSystem::RoundRobin { .. } | PairingSystem::Scheveningen { .. }
            )
        };
        if !self.pairing_system().as_ref().is_some_and(by_table) {
            return Vec::new();
        }
        let public = self.state.rounds.iter().filter(|round| round.published);
        public
            .flat_map(|round| {
                let unpaired = &round.pairing.unpaired;
                unpaired.iter().filter_map(|unpaired| {
                    let (opponent, result) = match &unpaired.reason {
                        UnpairedReason::OpponentMissing { opponent } => {
                            (*opponent, GameResult::forfeit_to(opponent.own_colour))
                        }
                        UnpairedReason::Absent { opponent }
                        | UnpairedReason::Withdrawn { opponent } => {
                            // The one who came tells of it; of two missing ones White.
                            let opponent = (*opponent)?;
                            let came = round.pairing.unpaired.iter().any(|other| {
                                other.player == opponent.player
                                    && matches!(
                                        other.reason,
                                        UnpairedReason::OpponentMissing { .. }
                                    )
                            });
                            if came || opponent.own_colour.is_black() {
                                return None;
                            }
                            (opponent, GameResult::DoubleForfeit)
                        }
                        _ => return None,
                    };
                    let (white, black) = if opponent.own_colour.is_white() {
                        (unpaired.player, opponent.player)
                    } else {
                        (opponent.player, unpaired.player)
                    };
                    let counts = !struck.contains(&white) && !struck.contains(&black);
                    counts.then_some(Played {
                        round: round.number,
                        white,
                        black,
                        result,
                    })
                })
            })
            .collect()
    }
}
