//! Pairing the next round: who is there, what was played, the lot, the draft.

use super::{
    Hub,
    alerts::Cause,
    command::Refused,
    event::{AlertKind, Fact, PlayerFact, RoundFact},
    state::Round,
    view::Severity,
    words::counted,
};
use crate::{
    pairing::{
        self, Acceleration, Entrant, Input, PlayedGame, PlayedRound, Presence, UnpairedKind,
        UnpairedScore, swiss::baku_last,
    },
    tournament::{
        Bye, PairingSystem,
        event::ProposalKind,
        result::{Awarded, Played},
    },
    types::{Color, Now, PlayerNo, RoundNo},
};

impl Hub {
    pub(super) fn pair_round(&mut self, now: Now, by: &str) -> Result<(), Refused> {
        self.pair_as(now, by, false)
    }

    /// `anew` = because the draft no longer holds.
    fn pair_as(&mut self, now: Now, by: &str, anew: bool) -> Result<(), Refused> {
        let set_up = self.state.set_up.as_ref().ok_or_else(|| {
            Refused::Conflict("no event is set up: name one in the configuration".to_owned())
        })?;
        let number = match self.state.round() {
            None => RoundNo(1),
            Some(round) if round.closed_at.is_some() => RoundNo(round.number.0 + 1),
            Some(round) if !round.published => round.number,
            Some(round) => return Err(Refused::Conflict(still_open(round))),
        };
        if set_up.settings.system.is_of_teams() {
            return Err(Refused::Conflict(format!(
                "{} pairs teams, which a hub does not know: use `flagfall pair`",
                set_up.settings.system.name()
            )));
        }
        let rounds = self.rounds();
        if rounds.is_some_and(|rounds| number.0 > rounds) {
            return Err(Refused::Conflict(format!(
                "the event has {} and all are played",
                counted(usize::from(number.0) - 1, "round")
            )));
        }
        self.settle(now, number);
        let system = self.pairing_system().unwrap_or(PairingSystem::Dubov);
        if system.draws_initial_colour() && self.state.initial_colour().is_none() {
            self.draw_lot(now);
        }
        let pairing = system
            .system()
            .pair(&self.pairing_input(number))
            .map_err(|error| Refused::Conflict(error.to_string()))?;
        let by = by.to_owned();
        let fact = Fact::Round(RoundFact::Paired { pairing, by, anew });
        self.emit(now, None, None, fact);
        Ok(())
    }

    /// The initial colour by lot (C.04.3, A.6): once an event, kept in the journal.
    fn draw_lot(&mut self, now: Now) {
        let colour = if self.lot_bits() & 1 == 0 {
            Color::White
        } else {
            Color::Black
        };
        let by = "lot".to_owned();
        self.emit(now, None, None, Fact::Round(RoundFact::Lot { colour, by }));
    }

    /// Bits for a lot. The salt is drawn anew whenever the hub is started; the finalizer of SplitMix64
    /// spreads it over the bits that are wanted.
    pub(super) const fn lot_bits(&self) -> u64 {
        let mut z = self.settings.id_salt ^ self.state.seq.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// What the pairing system is asked for a round.
    pub fn pairing_input(&self, round: RoundNo) -> Input {
        let set_up = self.state.set_up.as_ref();
        let players = set_up
            .map(|set_up| set_up.players.as_slice())
            .unwrap_or_default()
            .iter()
            .map(|player| Entrant {
                no: player.no,
                rating: player.rating,
                presence: self.presence(player.no, round),
            })
            .collect();
        let history = self
            .state
            .rounds
            .iter()
            .filter(|past| past.number < round)
            .map(|past| self.played(past))
            .collect();
        let settings = set_up.map(|set_up| &set_up.settings);
        Input {
            players,
            history,
            round,
            settings: pairing::Settings {
                rounds: self.rounds(),
                initial_colour: self.state.initial_colour(),
                forbidden: settings.map_or_else(Vec::new, |it| it.forbidden.clone()),
                acceleration: self.acceleration(),
                ..pairing::Settings::default()
            },
        }
    }

    /// Virtual points as the event has them. Group A of the Baku method is that of round 1: who enters
    /// later does not move its border (C.04.7).
    fn acceleration(&self) -> Acceleration {
        let Some(set_up) = &self.state.set_up else {
            return Acceleration::None;
        };
        match &set_up.settings.acceleration {
            Acceleration::Baku { last: None } => Acceleration::Baku {
                last: self.group_a_last(),
            },
            other => other.clone(),
        }
    }

    /// The last of group A, once round 1 is public.
    pub(super) fn group_a_last(&self) -> Option<PlayerNo> {
        let first = self.state.rounds.first().filter(|round| round.published)?;
        let pairing = &first.pairing;
        let mut entered: Vec<PlayerNo> = (pairing.pairs.iter())
            .flat_map(|pair| [pair.white, pair.black])
            .chain(pairing.bye.iter().map(|bye| bye.player))
            .chain(pairing.unpaired.iter().map(|unpaired| unpaired.player))
            .collect();
        entered.sort_unstable();
        entered
            .get(baku_last(entered.len()).checked_sub(1)?)
            .copied()
    }

    fn presence(&self, player: PlayerNo, round: RoundNo) -> Presence {
        if self.state.has_left(player, round) {
            Presence::Withdrawn
        } else if self.state.byes.contains_key(&(round, player)) {
            Presence::Absent
        } else {
            Presence::Present
        }
    }

    fn played(&self, past: &Round) -> PlayedRound {
        PlayedRound {
            round: past.number,
            games: past
                .games
                .values()
                .filter_map(|game| {
                    let (result, _) = game.result?;
                    Some(PlayedGame {
                        white: game.white,
                        black: game.black,
                        white_points: result.points(Color::White),
                        black_points: result.points(Color::Black),
                        played: result.is_played(),
                    })
                })
                .collect(),
            unpaired: self
                .awarded(past)
                .map(|awarded| UnpairedScore {
                    player: awarded.player,
                    points: awarded.bye.points(),
                    kind: match awarded.bye {
                        Bye::PairingAllocated => UnpairedKind::PairingAllocated,
                        Bye::Rest => UnpairedKind::Rest,
                        Bye::Full => UnpairedKind::FullPoint,
                        Bye::Half => UnpairedKind::HalfPoint,
                        Bye::Zero if self.state.has_left(awarded.player, past.number) => {
                            UnpairedKind::Absent
                        }
                        Bye::Zero => UnpairedKind::ZeroPoint,
                    },
                })
                .collect(),
        }
    }

    /// Everybody whom a paired round leaves without an opponent, with what that is worth.
    pub(super) fn awarded<'a>(&'a self, round: &'a Round) -> impl Iterator<Item = Awarded> + 'a {
        let number = round.number;
        let allocated = round.pairing.bye.iter().map(move |bye| Awarded {
            round: number,
            player: bye.player,
            bye: bye_of(bye.kind),
        });
        let others = round.pairing.unpaired.iter().map(move |unpaired| {
            let announced = self.state.byes.get(&(number, unpaired.player)).copied();
            let left = self.state.has_left(unpaired.player, number);
            Awarded {
                round: number,
                player: unpaired.player,
                bye: announced.filter(|_| !left).unwrap_or(Bye::Zero),
            }
        });
        let amended = &self.state.amendments.byes;
        allocated.chain(others).map(move |awarded| Awarded {
            bye: (amended.get(&(number, awarded.player)).copied()).unwrap_or(awarded.bye),
            ..awarded
        })
    }

    /// The games with a result, of all rounds.
    pub(super) fn results(&self) -> impl Iterator<Item = Played> + '_ {
        self.state.rounds.iter().flat_map(|round| {
            round.games.values().filter_map(|game| {
                let (result, _) = game.result?;
                Some(Played {
                    round: round.number,
                    white: game.white,
                    black: game.black,
                    result,
                })
            })
        })
    }

    /// The pairing core runs whenever a round closes; whoever closed it sees a failure as an alert.
    pub(super) fn pair_next(&mut self, now: Now, by: &str) {
        let paired = self.pair_round(now, by);
        self.after_pairing(now, paired);
    }

    /// The same for a draft whose players are not those of the event any more.
    pub(super) fn pair_draft_for_list(&mut self, now: Now, by: &str) {
        let paired = self.pair_as(now, by, true);
        self.after_pairing(now, paired);
    }

    fn after_pairing(&mut self, now: Now, paired: Result<(), Refused>) {
        match paired {
            Ok(()) => {
                self.schedule_by_plan(now);
                if self.accepts(ProposalKind::Pairing) {
                    // Cannot be refused: it has just been paired.
                    let _ = self.publish_round(now, "policy");
                }
            }
            Err(error) => {
                let text = format!("The next round could not be paired: {error}.");
                let cause = Cause::hall(AlertKind::DraftAtStart);
                self.raise(now, cause, Severity::Warning, text, None);
            }
        }
    }

    /// A player leaves the event, or comes back. Counts from the next round that is not public yet.
    pub(super) fn withdraw(
        &mut self,
        now: Now,
        player: PlayerNo,
        leaves: bool,
        by: &str,
    ) -> Result<(), Refused> {
        self.known_player(player)?;
        let round = self.next_to_publish();
        if self.state.has_left(player, round) == leaves {
            return Err(Refused::Conflict(if leaves {
                format!("player {player} has left the event already")
            } else {
                format!("player {player} has not left the event")
            }));
        }
        let fact = if leaves {
            PlayerFact::Withdrawn {
                player,
                from: round,
                by: by.to_owned(),
            }
        } else {
            PlayerFact::Returned {
                player,
                from: round,
                by: by.to_owned(),
            }
        };
        self.emit(now, None, None, Fact::Player(fact));
        self.pair_draft_anew(now, round, by);
        Ok(())
    }

    /// A bye that a player asked for, as far as the event grants it; `None` takes it back.
    pub(super) fn set_bye(
        &mut self,
        now: Now,
        player: PlayerNo,
        round: RoundNo,
        bye: Option<Bye>,
        by: &str,
    ) -> Result<(), Refused> {
        self.known_player(player)?;
        let next = self.next_to_publish();
        let rounds = self.rounds();
        if round < next || rounds.is_some_and(|rounds| round.0 > rounds) {
            return Err(Refused::Conflict(format!(
                "a bye can be given in rounds {next} to {}; in a round that is public a player who \
                 does not come loses by forfeit",
                rounds.map_or_else(|| "the last".to_owned(), |rounds| rounds.to_string())
            )));
        }
        if bye.is_none() && !self.state.byes.contains_key(&(round, player)) {
            return Err(Refused::Conflict(format!(
                "player {player} has no bye in round {round}"
            )));
        }
        if let Some(bye) = bye {
            self.check_bye(bye)?;
        }
        let fact = PlayerFact::Bye {
            player,
            in_round: round,
            bye,
            by: by.to_owned(),
        };
        self.emit(now, None, None, Fact::Player(fact));
        self.pair_draft_anew(now, round, by);
        Ok(())
    }

    pub(super) fn known_player(&self, player: PlayerNo) -> Result<(), Refused> {
        if self.state.player(player).is_none() {
            return Err(Refused::NotFound {
                what: "player",
                id: player.to_string(),
            });
        }
        Ok(())
    }

    /// The first round whose pairing can still be another.
    pub(super) fn next_to_publish(&self) -> RoundNo {
        match self.state.round() {
            None => RoundNo(1),
            Some(round) if round.published => RoundNo(round.number.0 + 1),
            Some(round) => round.number,
        }
    }

    /// A draft made before somebody left is no draft any more. What was recorded stands either way.
    pub(super) fn pair_draft_anew(&mut self, now: Now, round: RoundNo, by: &str) {
        let draft = self
            .state
            .round()
            .is_some_and(|it| it.number == round && !it.published);
        if draft && let Err(error) = self.pair_as(now, by, true) {
            let text = format!(
                "The draft of round {round} could not be paired anew and does not know yet who is \
                 missing: {error}."
            );
            let cause = Cause::hall(AlertKind::DraftAtStart);
            self.raise(now, cause, Severity::Warning, text, None);
        }
    }
}

/// Why the next round cannot be paired yet.
fn still_open(round: &Round) -> String {
    let open: Vec<String> = round.open_tables().map(|table| table.to_string()).collect();
    if open.is_empty() {
        return format!(
            "round {} is public: close it before the next one is paired",
            round.number
        );
    }
    let missing = match open.as_slice() {
        [table] => format!("the result is missing at table {table}: enter it"),
        tables => format!(
            "results are missing at tables {}: enter them",
            tables.join(", ")
        ),
    };
    format!(
        "round {} is public and {missing} and close it before the next one is paired",
        round.number
    )
}

/// The bye that a pairing gave, as standings count it.
fn bye_of(kind: pairing::ByeKind) -> Bye {
    match kind {
        pairing::ByeKind::PairingAllocated => Bye::PairingAllocated,
        pairing::ByeKind::Rest => Bye::Rest,
    }
}
