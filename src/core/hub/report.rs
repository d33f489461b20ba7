//! The event as a report file, and a round's pairing with its reasons.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;

use super::{
    Hub,
    view::{PairView, PairingView, UnpairedView},
};
use crate::{
    pairing::{
        Acceleration, Scoring,
        swiss::baku_points,
        words::{self, Language},
    },
    tournament::{
        Bye, PairingSystem,
        result::Awarded,
        trf::{Report, ReportError, ReportOptions},
    },
    types::{PlayerNo, Points, RoundNo, color},
};

impl Hub {
    /// The event so far as a report file; dates are those of `zone`. A draft is not in it, so that a
    /// program that pairs from it pairs what the hub does. `None` before an event is set up.
    ///
    /// # Errors
    /// When a number does not fit the columns of the file.
    pub fn report(
        &self,
        options: ReportOptions,
        zone: &TimeZone,
    ) -> Option<Result<Vec<u8>, ReportError>> {
        let set_up = self.state.set_up.as_ref()?;
        let public = || self.state.rounds.iter().filter(|round| round.published);
        let next = self.next_to_publish();
        let announced = set_up.players.iter().flat_map(|player| {
            let last = self.rounds().unwrap_or(next.0).max(next.0);
            (next.0..=last)
                .map(RoundNo)
                .filter_map(move |round| Some((player.no, round, self.absence(player.no, round)?)))
        });
        let announced = announced.map(|(player, round, bye)| Awarded { round, player, bye });
        let missed = self.missed(&self.struck_out());
        let is_missed = |awarded: &Awarded| {
            missed
                .iter()
                .any(|game| game.round == awarded.round && game.side_of(awarded.player).is_some())
        };
        let report = Report {
            rounds: self.rounds(),
            initial_colour: self.state.initial_colour(),
            players: set_up.players.clone(),
            games: self.results().chain(missed.iter().copied()).collect(),
            open: public()
                .flat_map(|round| {
                    let open = round.games.values().filter(|game| game.result.is_none());
                    open.map(|game| (round.number, game.white, game.black))
                })
                .collect(),
            byes: public()
                .flat_map(|round| self.awarded(round))
                .filter(|awarded| !is_missed(awarded))
                .chain(announced)
                .collect(),
            virtual_points: self.virtual_points(),
            ranks: self
                .standings()
                .into_iter()
                .map(|line| (line.player.no, line.place))
                .collect(),
            system: self
                .pairing_system()
                .map(|system| system.code(set_up.settings.acceleration != Acceleration::None)),
            teams: self.sides(),
            ..Report::of_event(&set_up.settings, zone)
        };
        Some(report.compose(options).map(|document| document.write()))
    }

    /// The sides of a Scheveningen event as teams.
    pub(super) fn sides(&self) -> Vec<(String, Vec<PlayerNo>)> {
        let Some(PairingSystem::Scheveningen {
            sides: Some(sides), ..
        }) = self.pairing_system()
        else {
            return Vec::new();
        };
        [("Side 1", sides.first), ("Side 2", sides.second)]
            .map(|(name, players)| {
                let club = players
                    .first()
                    .and_then(|no| self.state.player(*no)?.club.clone());
                let all = players.iter().all(|no| {
                    let player = self.state.player(*no);
                    player.is_some_and(|player| player.club == club)
                });
                (
                    club.filter(|_| all).unwrap_or_else(|| name.to_owned()),
                    players,
                )
            })
            .into()
    }

    /// The points of group A, written out because nobody can tell from the file who entered later.
    fn virtual_points(&self) -> BTreeMap<(PlayerNo, RoundNo), Points> {
        let set_up = self.state.set_up.as_ref();
        let baku = set_up.filter(|set_up| {
            matches!(
                set_up.settings.acceleration,
                Acceleration::Baku { last: None }
            )
        });
        let (Some(set_up), Some(last)) = (baku, self.group_a_last()) else {
            return BTreeMap::new();
        };
        let rounds = self.rounds().unwrap_or_default();
        let group_a = set_up.players.iter().filter(|player| player.no <= last);
        group_a
            .flat_map(|player| {
                (1..=rounds).map(RoundNo).map(move |round| {
                    let points = baku_points(rounds, round, &Scoring::STANDARD);
                    ((player.no, round), points)
                })
            })
            .filter(|(_, points)| *points > Points::ZERO)
            .collect()
    }

    fn absence(&self, player: PlayerNo, round: RoundNo) -> Option<Bye> {
        if self.state.has_left(player, round) {
            return Some(Bye::Zero);
        }
        self.state.byes.get(&(round, player)).copied()
    }

    /// Who meets whom in a round, and why; `None` for a round that is not paired.
    pub fn pairing_view(&self, round: RoundNo, language: Language) -> Option<PairingView> {
        let round = self.state.rounds.iter().find(|it| it.number == round)?;
        let set_up = self.state.set_up.as_ref()?;
        let pairing = &round.pairing;
        let points: BTreeMap<PlayerNo, Points> = (self.awarded(round))
            .map(|awarded| (awarded.player, awarded.bye.points()))
            .collect();
        let worth = |player| points.get(player).copied().unwrap_or_default().decimal();
        Some(PairingView {
            round: round.number,
            published: round.published,
            system: set_up.settings.system.name().to_owned(),
            initial_colour: self
                .state
                .initial_colour()
                .filter(|_| set_up.settings.system.draws_initial_colour())
                .map(|colour| color::name(colour).to_owned()),
            pairs: pairing
                .pairs
                .iter()
                .map(|pair| PairView {
                    board: pair.board,
                    white: self.player_view(pair.white),
                    black: self.player_view(pair.black),
                    why: words::explain(&pair.explanation, language),
                })
                .collect(),
            bye: pairing.bye.as_ref().map(|bye| UnpairedView {
                player: self.player_view(bye.player),
                points: worth(&bye.player),
                why: words::explain(&bye.explanation, language),
            }),
            unpaired: pairing
                .unpaired
                .iter()
                .map(|unpaired| UnpairedView {
                    player: self.player_view(unpaired.player),
                    points: worth(&unpaired.player),
                    why: words::unpaired(&unpaired.reason, language),
                })
                .collect(),
        })
    }
}
