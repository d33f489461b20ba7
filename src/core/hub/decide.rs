//! Proposals and decisions: the hub proposes, an arbiter decides (R-AR-4).

use super::{
    Hub,
    alerts::Cause,
    command::Refused,
    event::{AlertKind, DeviceFact, Fact, Proposal, Proposed, ResultSource, Verdict},
    view::Severity,
};
use crate::{
    tournament::{GameResult, Termination, event::ProposalKind},
    types::{Color, DeviceId, Now, TableNo},
};

impl Hub {
    /// Puts a proposal before the arbiter, or accepts it where the event's settings say so.
    pub(super) fn propose(
        &mut self,
        now: Now,
        table: TableNo,
        proposal: Proposal,
        about: AlertKind,
        severity: Severity,
    ) {
        let proposed = proposal.proposed;
        if let Some((number, other)) = self.open_result(table)
            && let Some(result) = result_of(proposed)
        {
            if result == other {
                return;
            }
            // R-RS-5: two sources, two results. The newer one stays for the arbiter to decide.
            self.overtake(now, table, number);
            let text = format!(
                "Table {table}: first {other} was proposed, now {result}. Ask both players."
            );
            let cause = Cause::at(AlertKind::ResultConflict, table);
            self.raise(now, cause, Severity::Call, text, None);
        }
        let mut proposal = proposal;
        let early = match proposed {
            Proposed::Result {
                result,
                termination,
            } => self.early_draw(table, result, termination),
            _ => None,
        };
        if let Some(early) = &early {
            proposal.text = format!("{early} {}", proposal.text);
        }
        let text = proposal.text.clone();
        let number = self.emit(now, Some(table), None, Fact::Proposal(proposal));
        if early.is_some() {
            // R-RS-9: whatever the settings say, an arbiter looks at it first.
            let text = format!("Table {table}: {text}");
            let cause = Cause::at(AlertKind::EarlyDraw, table);
            self.raise(now, cause, Severity::Call, text, Some(number));
        } else if self.accepts_itself(proposed) {
            // Cannot be refused: the proposal has just been made.
            let _ = self.decide(now, number, true, None, None, "policy");
        } else if severity > Severity::Notice {
            let text = format!("Table {table}: {text}");
            self.raise(now, Cause::at(about, table), severity, text, Some(number));
        }
    }

    fn accepts_itself(&self, proposed: Proposed) -> bool {
        self.accepts(match proposed {
            Proposed::Result { termination, .. } if is_flag(termination) => ProposalKind::Flag,
            Proposed::Result { .. } => ProposalKind::Result,
            Proposed::IllegalMove { .. } => ProposalKind::IllegalMove,
            Proposed::Forfeit { .. } => ProposalKind::Forfeit,
            Proposed::HandViolation { .. } => ProposalKind::IllegalMove,
            Proposed::Penalty { .. } => ProposalKind::Penalty,
            // Nobody is put out of an event but by a person.
            Proposed::Disqualify { .. } => return false,
        })
    }

    /// The event's settings let this kind accept itself (R-AR-4).
    pub(super) fn accepts(&self, kind: ProposalKind) -> bool {
        self.state
            .set_up
            .as_ref()
            .is_some_and(|set_up| set_up.settings.accepts(kind))
    }

    /// The result that is proposed for a table.
    pub(super) fn open_result(&self, table: TableNo) -> Option<(u64, GameResult)> {
        self.state
            .proposals
            .iter()
            .filter(|(_, open)| open.table == table)
            .find_map(|(number, open)| Some((*number, result_of(open.proposal.proposed)?)))
    }

    pub(super) fn overtake(&mut self, now: Now, table: TableNo, proposal: u64) {
        let fact = Fact::Decision {
            proposal,
            verdict: Verdict::Overtaken,
            by: "hub".to_owned(),
            note: None,
        };
        self.emit(now, Some(table), None, fact);
        self.clear_proposal(now, proposal, "hub");
    }

    /// The game is open and nothing is to be proposed for it any more.
    pub(super) fn overtake_all(&mut self, now: Now, table: TableNo) {
        let open: Vec<u64> = self
            .state
            .proposals
            .iter()
            .filter(|(_, open)| open.table == table)
            .map(|(number, _)| *number)
            .collect();
        for proposal in open {
            self.overtake(now, table, proposal);
        }
    }

    pub(super) fn decide(
        &mut self,
        now: Now,
        proposal: u64,
        accept: bool,
        result: Option<String>,
        note: Option<String>,
        by: &str,
    ) -> Result<(), Refused> {
        let open = self
            .state
            .proposals
            .get(&proposal)
            .ok_or_else(|| self.not_open(proposal))?;
        let (table, proposed) = (open.table, open.proposal.proposed);
        let other = result
            .map(|text| text.parse::<GameResult>())
            .transpose()
            .map_err(|error| Refused::Invalid(error.to_string()))?;
        if !accept && other.is_some() {
            return Err(Refused::Invalid(
                "a rejected proposal brings no result: accept it with another result, or enter \
                 the result at the table"
                    .to_owned(),
            ));
        }
        let verdict = if accept {
            Verdict::Accepted
        } else {
            Verdict::Rejected
        };
        self.emit(
            now,
            Some(table),
            None,
            Fact::Decision {
                proposal,
                verdict,
                by: by.to_owned(),
                note: note.clone(),
            },
        );
        self.clear_proposal(now, proposal, by);
        match (accept, proposed) {
            (
                true,
                Proposed::Result {
                    result,
                    termination,
                },
            ) => {
                let termination = match other {
                    Some(other) => kept(result, termination, other),
                    None => termination,
                };
                let source = source_of(other.is_some_and(|other| other != result), termination);
                let result = other.unwrap_or(result);
                let standing = Standing {
                    result,
                    termination,
                    source,
                    proposal: Some(proposal),
                    note,
                };
                self.confirm(now, table, standing, by);
            }
            (true, Proposed::Forfeit { result }) => {
                let termination = Termination::NoShow;
                let source = source_of(other.is_some_and(|other| other != result), termination);
                let result = other.unwrap_or(result);
                let standing = Standing {
                    result,
                    termination,
                    source,
                    proposal: Some(proposal),
                    note,
                };
                self.confirm(now, table, standing, by);
            }
            (true, Proposed::IllegalMove { side }) => {
                self.illegal_recorded(now, table, side, proposal);
            }
            (true, Proposed::HandViolation { side }) => {
                self.hand_recorded(now, table, side, proposal);
            }
            (true, Proposed::Penalty { side, bonus }) => {
                let why = format!("penalty of {}", name(side));
                self.order_penalty(now, table, (side.other(), bonus), (&why, proposal), by);
            }
            (true, Proposed::Disqualify { player }) => {
                // Refused only where he has left already.
                let _ = self.withdraw(now, player, true, by);
            }
            (false, Proposed::Result { .. }) => self.result_rejected(now, table),
            (
                false,
                Proposed::IllegalMove { .. }
                | Proposed::Forfeit { .. }
                | Proposed::HandViolation { .. }
                | Proposed::Penalty { .. }
                | Proposed::Disqualify { .. },
            ) => {}
        }
        Ok(())
    }

    pub(super) fn set_result(
        &mut self,
        now: Now,
        table: TableNo,
        result: &str,
        termination: Option<&str>,
        note: Option<String>,
        by: &str,
    ) -> Result<(), Refused> {
        let result: GameResult =
            result
                .parse()
                .map_err(|error: crate::tournament::result::ParseResultError| {
                    Refused::Invalid(error.to_string())
                })?;
        let termination = match termination {
            None => match self.state.game(table).and_then(|game| game.result) {
                Some((earlier, termination)) => kept(earlier, termination, result),
                None if !result.is_played() => Termination::NoShow,
                None => Termination::Unknown,
            },
            Some(text) => serde_json::from_value(text.into())
                .map_err(|_| Refused::Invalid(format!("{text:?} is no way to end a game")))?,
        };
        let round = self
            .state
            .round()
            .ok_or_else(|| Refused::Conflict("no round is paired yet".to_owned()))?;
        if round.closed_at.is_some() {
            return Err(Refused::Conflict(format!(
                "round {} is closed",
                round.number
            )));
        }
        if !round.published {
            return Err(Refused::Conflict(format!(
                "the pairing of round {} is a draft",
                round.number
            )));
        }
        if round.started_at.is_none() && result.is_played() {
            return Err(Refused::Conflict(format!(
                "round {} has not started: until then only forfeits can be entered",
                round.number
            )));
        }
        if !round.games.contains_key(&table) {
            return Err(Refused::NotFound {
                what: "game at table",
                id: table.to_string(),
            });
        }
        if let Some(early) = self.early_draw(table, result, termination)
            && note.is_none()
        {
            return Err(Refused::Conflict(format!(
                "{early} To record it all the same, say why in a note"
            )));
        }
        self.confirm(
            now,
            table,
            Standing {
                result,
                termination,
                source: ResultSource::Arbiter,
                proposal: None,
                note,
            },
            by,
        );
        Ok(())
    }

    fn confirm(&mut self, now: Now, table: TableNo, standing: Standing, by: &str) {
        let Standing {
            result,
            termination,
            source,
            proposal,
            note,
        } = standing;
        self.tell_lost_end(now, table);
        let fact = Fact::Result {
            result,
            termination,
            source: Some(source),
            by: by.to_owned(),
            proposal,
            note,
        };
        self.emit(now, Some(table), None, fact);
        self.overtake_all(now, table);
        self.clear_table(
            now,
            table,
            &[
                AlertKind::Flag,
                AlertKind::ClockStopped,
                AlertKind::ResultConflict,
                AlertKind::ResultMissing,
                AlertKind::Disturbed,
                AlertKind::IllegalMove,
                AlertKind::NotStarted,
                AlertKind::ClockSide,
                AlertKind::PressMissed,
                AlertKind::WrongSideRuns,
                AlertKind::MoveCounter,
                AlertKind::ClockReplaced,
                AlertKind::ClockFault,
                AlertKind::CorrectionOpen,
                AlertKind::WrongSetting,
                AlertKind::WrongSetUp,
                AlertKind::DrawClaim,
                AlertKind::Claim,
                AlertKind::EarlyDraw,
                AlertKind::WrongColours,
                AlertKind::HandViolation,
                AlertKind::Penalty,
                AlertKind::FollowUp,
            ],
        );
        self.result_stands(table);
        self.drop_correction(now, table);
        if termination == Termination::UnfairPlay {
            self.check_disqualified(now, table);
        }
        self.check_half(now);
        self.check_complete(now);
    }

    pub(super) fn call(
        &mut self,
        now: Now,
        table: TableNo,
        note: Option<String>,
        by: &str,
    ) -> Result<(), Refused> {
        self.known_table(table)?;
        let text = match &note {
            Some(note) => format!("Table {table} calls an arbiter: {note}"),
            None => format!("Table {table} calls an arbiter."),
        };
        let fact = Fact::Call {
            reason: "person".to_owned(),
            note,
            by: Some(by.to_owned()),
        };
        self.emit(now, Some(table), None, fact);
        self.raise(
            now,
            Cause::at(AlertKind::Call, table),
            Severity::Call,
            text,
            None,
        );
        Ok(())
    }

    pub(super) fn known_table(&self, table: TableNo) -> Result<(), Refused> {
        if self.state.game(table).is_none() && self.state.device_at(table).is_none() {
            return Err(Refused::NotFound {
                what: "table",
                id: table.to_string(),
            });
        }
        Ok(())
    }

    fn not_open(&self, proposal: u64) -> Refused {
        match self.state.decided.get(&proposal) {
            Some(decided) => Refused::Conflict(format!(
                "proposal {proposal} was {} by {} at {}",
                match decided.verdict {
                    Verdict::Accepted => "accepted",
                    Verdict::Rejected => "rejected",
                    Verdict::Overtaken => "overtaken",
                },
                decided.by,
                decided.at
            )),
            None => Refused::NotFound {
                what: "proposal",
                id: proposal.to_string(),
            },
        }
    }

    pub(super) fn incident(
        &mut self,
        now: Now,
        table: Option<TableNo>,
        text: &str,
        by: &str,
    ) -> Result<(), Refused> {
        let text = text.trim();
        if text.is_empty() {
            return Err(Refused::Invalid("say what happened".to_owned()));
        }
        if let Some(table) = table {
            self.known_table(table)?;
        }
        let fact = Fact::Incident {
            text: text.to_owned(),
            by: by.to_owned(),
        };
        self.emit(now, table, None, fact);
        Ok(())
    }

    pub(super) fn assign(
        &mut self,
        now: Now,
        device: &DeviceId,
        table: Option<TableNo>,
        by: &str,
    ) -> Result<(), Refused> {
        let known = self
            .state
            .devices
            .get(device)
            .ok_or_else(|| Refused::NotFound {
                what: "device",
                id: device.to_string(),
            })?;
        let before = known.table;
        if before == table {
            return Ok(());
        }
        if let Some(table) = table
            && let Some((other, _)) = self.state.devices.iter().find(|(_, it)| {
                it.table == Some(table) && it.online && it.is_clock() == known.is_clock()
            })
        {
            return Err(Refused::Conflict(format!(
                "{other} serves table {table} and is talking: take it away first"
            )));
        }
        let fact = DeviceFact::Assigned { by: by.to_owned() };
        self.emit(now, table, Some(device.clone()), Fact::Device(fact));
        self.clear(now, &Cause::of(AlertKind::DeviceUnassigned, None, device));
        for table in [before, table].into_iter().flatten() {
            self.clear(now, &Cause::of(AlertKind::DeviceMoved, Some(table), device));
        }
        self.dirty.tables.extend(before);
        for table in [before, table].into_iter().flatten() {
            self.device_changed(table);
        }
        if let Some(table) = table {
            self.show_device(now, device, table);
        }
        Ok(())
    }
}

/// A result that is to stand, and what it rests on.
struct Standing {
    result: GameResult,
    termination: Termination,
    source: ResultSource,
    proposal: Option<u64>,
    note: Option<String>,
}

fn source_of(amended: bool, termination: Termination) -> ResultSource {
    match termination {
        _ if amended => ResultSource::Arbiter,
        Termination::Flag | Termination::FlagNoMatingMaterial => ResultSource::Clock,
        Termination::NoShow | Termination::Late | Termination::IllegalMoves => ResultSource::Hub,
        _ => ResultSource::Board,
    }
}

/// How a game ended when only its result is amended: as it was said before, if that can be.
pub(super) fn kept(
    earlier: GameResult,
    termination: Termination,
    amended: GameResult,
) -> Termination {
    let same_kind = earlier.is_played() == amended.is_played()
        && earlier.winner().is_some() == amended.winner().is_some();
    if earlier == amended || same_kind {
        termination
    } else if amended.is_played() {
        Termination::Unknown
    } else {
        Termination::NoShow
    }
}

/// The result inside a proposal.
pub(super) fn result_of(proposed: Proposed) -> Option<GameResult> {
    match proposed {
        Proposed::Result { result, .. } | Proposed::Forfeit { result } => Some(result),
        Proposed::IllegalMove { .. }
        | Proposed::HandViolation { .. }
        | Proposed::Penalty { .. }
        | Proposed::Disqualify { .. } => None,
    }
}

fn is_flag(termination: Termination) -> bool {
    matches!(
        termination,
        Termination::Flag | Termination::FlagNoMatingMaterial
    )
}

pub(super) fn name(side: Color) -> &'static str {
    match side {
        Color::White => "White",
        Color::Black => "Black",
    }
}
