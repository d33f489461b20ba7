//! What the formats need beside results: sides and seeds laid down, level knock-out matches decided, and
//! the repair of a drawn round 1.

use super::{
    Hub,
    alerts::Cause,
    command::{MatchDecision, Refused},
    event::{AlertKind, Fact, RoundFact, SetUp},
    view::{ChangeView, RepairView, Severity},
};
use crate::{
    pairing::{
        RoundPairing,
        knock_out::{DecidedBy, Decision},
        repair::{self, Change, Proposal},
    },
    tournament::{
        PairingSystem,
        drawing::{draw_numbers, drawing_text},
    },
    types::{Now, PlayerNo, RoundNo},
};

impl Hub {
    /// The pairing system with all that was drawn, laid down and decided since the event began.
    pub fn pairing_system(&self) -> Option<PairingSystem> {
        let set_up = self.state.set_up.as_ref()?;
        let held = self.state.settled.as_ref();
        let mut system = set_up.settings.system.settled_by(held);
        if let PairingSystem::KnockOut { decisions, .. } = &mut system {
            decisions.extend(&self.state.decisions);
        }
        Some(system)
    }

    /// How many rounds there are; `None` while neither the event nor the system says so.
    pub(super) fn rounds(&self) -> Option<u16> {
        let set_up = self.state.set_up.as_ref()?;
        let needed = || {
            let system = self.pairing_system()?.system();
            system.rounds(set_up.players.len())
        };
        set_up.settings.rounds.or_else(needed)
    }

    /// Lays down what the settings leave open, and writes it into the journal. Until round 1 is public
    /// the sides follow the list of players.
    pub(super) fn settle(&mut self, now: Now, round: RoundNo) {
        let Some(set_up) = &self.state.set_up else {
            return;
        };
        let held = self.state.settled.as_ref();
        let given = &set_up.settings.system;
        let sides_open = matches!(given, PairingSystem::Scheveningen { .. }) && round == RoundNo(1);
        let known = if sides_open {
            given.clone()
        } else {
            given.settled_by(held)
        };
        // Short enough to be read out.
        let seed = self.lot_bits() >> 32;
        let system = known.settled_for(&set_up.players, seed);
        if system == *given || held == Some(&system) {
            return;
        }
        let by = "hub".to_owned();
        self.emit(
            now,
            None,
            None,
            Fact::Round(RoundFact::Settled { system, by }),
        );
    }

    /// The set-up with its numbers drawn, where the event has them drawn, and the drawing in words. The
    /// seed is drawn once; once a round is paired everybody keeps his number.
    pub(super) fn drawn(&self, mut given: SetUp) -> (SetUp, Option<String>) {
        let Some(drawing) = &mut given.settings.drawing else {
            return (given, None);
        };
        let held = self.state.set_up.as_ref();
        let held = held.filter(|held| held.settings.section == given.settings.section);
        let before = held.and_then(|held| held.settings.drawing);
        let seed = drawing.seed.or_else(|| before?.seed);
        let seed = seed.unwrap_or_else(|| self.lot_bits() >> 32);
        drawing.seed = Some(seed);
        let by = drawing.by;
        if held.is_some() && !self.state.rounds.is_empty() {
            return (given, None);
        }
        match draw_numbers(&given.players, by, seed) {
            Ok((players, steps)) => {
                let text = drawing_text(&given.players, &steps).join(" ");
                given.players = players;
                (given, Some(text))
            }
            Err(error) => (given, Some(format!("The numbers are not drawn: {error}."))),
        }
    }

    /// The knock-out matches that nobody has won when `round` is to be paired, with their stage.
    fn undecided(&self, round: RoundNo) -> Option<(u16, Vec<[PlayerNo; 2]>)> {
        let knock_out = self.pairing_system()?.knock_out()?;
        knock_out.undecided(&self.pairing_input(round))
    }

    /// The round whose pairing a decision could open.
    fn round_to_decide(&self) -> Option<RoundNo> {
        let round = self.state.round()?;
        round.closed_at?;
        Some(RoundNo(round.number.0.saturating_add(1)))
    }

    /// The last round of a knock-out is over and somebody is level: nobody pairs a round that would
    /// say so.
    pub(super) fn check_decided(&mut self, now: Now) {
        let open = self.round_to_decide().and_then(|it| self.undecided(it));
        if let Some((stage, matches)) = open {
            let text = format!(
                "Nobody has won {} of stage {stage}: decide by play-off, lot or the rules of the event.",
                versus(&matches)
            );
            let cause = Cause::hall(AlertKind::DraftAtStart);
            self.raise(now, cause, Severity::Warning, text, None);
        }
    }

    /// Records who goes on from a level match, and pairs the next round when it was the last one
    /// open.
    pub(super) fn decide_match(
        &mut self,
        now: Now,
        asked: MatchDecision,
        by: &str,
    ) -> Result<(), Refused> {
        let knock_out = self
            .pairing_system()
            .is_some_and(|it| it.knock_out().is_some());
        if !knock_out {
            return Err(Refused::Conflict(
                "the event is no knock-out: matches of other formats may end level".to_owned(),
            ));
        }
        let round = self.round_to_decide().ok_or_else(|| {
            Refused::Conflict(
                "the round is not over: close it, then decide level matches".to_owned(),
            )
        })?;
        let (stage, matches) = self.undecided(round).ok_or_else(|| {
            Refused::Conflict("no match is level: there is nothing to decide".to_owned())
        })?;
        let wanted = asked.players;
        let open = matches
            .iter()
            .any(|two| *two == wanted || *two == [wanted[1], wanted[0]]);
        if !open {
            return Err(Refused::Conflict(format!(
                "{} is not open in stage {stage}; open is {}",
                versus(&[wanted]),
                versus(&matches)
            )));
        }
        let decision = match (asked.winner, asked.by_lot) {
            (None, true) => {
                let seed = self.lot_bits() >> 32;
                Decision::by_lot(stage, wanted[0], wanted[1], seed)
            }
            (Some(winner), false) if wanted.contains(&winner) => {
                let loser = if winner == wanted[0] {
                    wanted[1]
                } else {
                    wanted[0]
                };
                let by = if asked.play_off {
                    DecidedBy::PlayOff
                } else {
                    DecidedBy::Arbiter
                };
                Decision {
                    stage: Some(stage),
                    winner,
                    loser,
                    by,
                }
            }
            _ => {
                return Err(Refused::Invalid(
                    "say the winner, one of the two, or let the lot decide and say none".to_owned(),
                ));
            }
        };
        let fact = RoundFact::MatchDecided {
            stage,
            winner: decision.winner,
            loser: decision.loser,
            how: decision.by,
            by: by.to_owned(),
        };
        self.emit(now, None, None, Fact::Round(fact));
        self.clear(now, &Cause::hall(AlertKind::DraftAtStart));
        if self.rounds().is_none_or(|rounds| round.0 <= rounds) {
            self.pair_next(now, by);
        } else {
            self.check_decided(now);
        }
        Ok(())
    }

    /// What may be done about a draft of round 1 that no longer holds.
    fn proposal(&self) -> Result<(RoundPairing, Proposal), Refused> {
        let round = self.state.round().filter(|round| !round.published);
        let Some(round) = round else {
            return Err(Refused::Conflict(
                "no draft is waiting: only a draft of round 1 is repaired".to_owned(),
            ));
        };
        let system = self.pairing_system().unwrap_or(PairingSystem::Dubov);
        if !system.is_swiss() {
            return Err(Refused::Conflict(format!(
                "the pairs of {} stand in its table and are not repaired",
                system.name()
            )));
        }
        let before = round.before.clone().ok_or_else(|| {
            Refused::Conflict(
                "nobody has left, come or asked for a bye since the draft was made: there is nothing \
                 to repair"
                    .to_owned(),
            )
        })?;
        let input = self.pairing_input(round.number);
        let proposal = repair::propose(&input, &before, system.system().as_ref())
            .map_err(|error| Refused::Conflict(error.to_string()))?;
        Ok((before, proposal))
    }

    /// What a repair would change beside pairing anew.
    ///
    /// # Errors
    /// When there is nothing to repair, in words.
    pub fn repair_view(&self) -> Result<RepairView, Refused> {
        let (before, proposal) = self.proposal()?;
        Ok(RepairView {
            round: before.round,
            repair: self.change_views(&proposal.changes),
            anew: self.change_views(&proposal.changes_again),
        })
    }

    fn change_views(&self, changes: &[Change]) -> Vec<ChangeView> {
        changes
            .iter()
            .map(|change| ChangeView {
                player: self.player_view(change.player),
                board_only: !change.is_more_than_board(),
                before: change.before.to_string(),
                after: change.after.to_string(),
            })
            .collect()
    }

    /// Puts the repaired pairing in the place of the one that was made anew.
    pub(super) fn repair_round(&mut self, now: Now, by: &str) -> Result<(), Refused> {
        let (_, proposal) = self.proposal()?;
        let fact = RoundFact::Paired {
            pairing: proposal.repaired,
            by: by.to_owned(),
            anew: false,
        };
        self.emit(now, None, None, Fact::Round(fact));
        Ok(())
    }
}

fn versus(matches: &[[PlayerNo; 2]]) -> String {
    let matches: Vec<String> = matches
        .iter()
        .map(|[one, other]| format!("{one} v {other}"))
        .collect();
    matches.join(", ")
}
