//! Protests: handed in, a time until which they are to be decided, an outcome (R-RS-11).

use std::time::Duration;

use jiff::SignedDuration;

use crate::{
    hub::{
        Hub,
        command::Refused,
        event::{AlertFact, AlertKind, Fact, Outcome, ProtestFact},
        state::Protest,
        view::{ProtestView, Severity},
    },
    types::{Mono, Now, PlayerNo, TableNo},
};

/// No appeal waits longer than an event.
const MINUTES_MAX: u32 = 14 * 24 * 60;

impl Hub {
    pub(in crate::hub) fn file_protest(
        &mut self,
        now: Now,
        (table, player): (Option<TableNo>, Option<PlayerNo>),
        text: &str,
        minutes: Option<u32>,
        by: &str,
    ) -> Result<(), Refused> {
        let text = text.trim();
        if text.is_empty() {
            return Err(Refused::Invalid("say what the protest is about".to_owned()));
        }
        if let Some(table) = table {
            self.known_table(table)?;
        }
        if let Some(player) = player
            && self.state.player(player).is_none()
        {
            return Err(Refused::NotFound {
                what: "player",
                id: player.to_string(),
            });
        }
        let due_at = match minutes {
            None => None,
            Some(minutes @ 1..=MINUTES_MAX) => {
                let time = SignedDuration::from_mins(i64::from(minutes));
                now.utc.checked_add(time).ok()
            }
            Some(_) => {
                return Err(Refused::Invalid(format!(
                    "a protest is decided within 1 to {MINUTES_MAX} minutes"
                )));
            }
        };
        let fact = ProtestFact::Filed {
            player,
            text: text.to_owned(),
            due_at,
            by: by.to_owned(),
        };
        let protest = self.emit(now, table, None, Fact::Protest(fact));
        let text = format!("Protest {protest}: {text}");
        self.raise_protest(now, table, Severity::Warning, text);
        self.arm_protests(now);
        Ok(())
    }

    pub(in crate::hub) fn decide_protest(
        &mut self,
        now: Now,
        protest: u64,
        (outcome, deposit_returned): (Outcome, bool),
        note: Option<String>,
        by: &str,
    ) -> Result<(), Refused> {
        let open = self
            .state
            .protests
            .get(&protest)
            .ok_or_else(|| Refused::NotFound {
                what: "protest",
                id: protest.to_string(),
            })?;
        if let Some(decided) = &open.decided {
            return Err(Refused::Conflict(format!(
                "protest {protest} was decided by {} at {}",
                decided.by, decided.at
            )));
        }
        if outcome == Outcome::Upheld && !deposit_returned {
            return Err(Refused::Invalid(
                "the deposit of a protest that is upheld goes back".to_owned(),
            ));
        }
        let table = open.table;
        let fact = ProtestFact::Decided {
            protest,
            outcome,
            deposit_returned,
            note,
            by: by.to_owned(),
        };
        self.emit(now, table, None, Fact::Protest(fact));
        if let Some((alert, _)) = self.protest_alert(protest) {
            self.close(now, alert, by);
        }
        self.arm_protests(now);
        Ok(())
    }

    /// There may be several at one table, so each is an alert of its own.
    fn raise_protest(
        &mut self,
        now: Now,
        table: Option<TableNo>,
        severity: Severity,
        text: String,
    ) {
        let fact = AlertFact::Raised {
            about: AlertKind::Protest,
            severity,
            text,
            proposal: None,
            evidence: None,
            // The zone has decided already: a protest is for who leads.
            to: self.state.staff.leads(now.utc),
        };
        self.emit(now, table, None, Fact::Alert(fact));
    }

    /// The alert of a protest that waits for its outcome.
    fn protest_alert(&self, protest: u64) -> Option<(u64, Severity)> {
        let (at, over) = (
            format!("Protest {protest}: "),
            format!("Protest {protest} "),
        );
        let found = self.state.alerts.iter().find(|(_, alert)| {
            alert.about == AlertKind::Protest
                && (alert.text.starts_with(&at) || alert.text.starts_with(&over))
        });
        found.map(|(number, alert)| (*number, alert.severity))
    }

    /// The protest that an alert is about, while it waits for its outcome.
    pub(in crate::hub) fn protest_of(&self, alert: u64) -> Option<u64> {
        let open = self.state.protests.iter();
        let open = open.filter(|(_, protest)| protest.decided.is_none());
        open.map(|(number, _)| *number)
            .find(|number| self.protest_alert(*number).is_some_and(|it| it.0 == alert))
    }

    /// It was told that its time has passed.
    fn is_overdue(&self, protest: u64) -> bool {
        self.protest_alert(protest)
            .is_none_or(|it| it.1 == Severity::Call)
    }

    /// When the next protest should have been decided.
    pub(in crate::hub) fn arm_protests(&mut self, now: Now) {
        let open = self.state.protests.iter();
        let open = open
            .filter(|(number, protest)| protest.decided.is_none() && !self.is_overdue(**number));
        let due = open.filter_map(|(_, protest)| protest.due_at).min();
        self.protest_at = due.map(|due| {
            let ahead = Duration::try_from(due.duration_since(now.utc));
            now.mono + ahead.unwrap_or_default()
        });
    }

    pub(in crate::hub) fn handle_protests(&mut self, now: Now) {
        if self.protest_at.is_none_or(|at| at > now.mono) {
            return;
        }
        let late: Vec<(u64, Option<TableNo>)> = (self.state.protests.iter())
            .filter(|(number, protest)| {
                protest.decided.is_none()
                    && !self.is_overdue(**number)
                    && protest.due_at.is_some_and(|due| due <= now.utc)
            })
            .map(|(number, protest)| (*number, protest.table))
            .collect();
        for (protest, table) in late {
            // A warning becomes a call.
            if let Some((alert, _)) = self.protest_alert(protest) {
                self.close(now, alert, "hub");
            }
            let text = format!("Protest {protest} should have been decided by now.");
            self.raise_protest(now, table, Severity::Call, text);
        }
        self.arm_protests(now);
    }

    pub(in crate::hub) fn protest_timeout(&self) -> Option<Mono> {
        self.protest_at
    }

    /// All protests, newest first.
    pub(in crate::hub) fn protest_views(&self) -> Vec<ProtestView> {
        let view = |(number, protest): (&u64, &Protest)| ProtestView {
            id: *number,
            table: protest.table,
            round: protest.round,
            player: protest.player.map(|player| self.player_view(player)),
            text: protest.text.clone(),
            filed_at: protest.filed_at,
            filed_by: protest.filed_by.clone(),
            due_at: protest.due_at,
            outcome: protest.decided.as_ref().map(|it| it.outcome),
            deposit_returned: protest.decided.as_ref().map(|it| it.deposit_returned),
            note: protest.decided.as_ref().and_then(|it| it.note.clone()),
            decided_by: protest.decided.as_ref().map(|it| it.by.clone()),
            decided_at: protest.decided.as_ref().map(|it| it.at),
        };
        self.state.protests.iter().rev().map(view).collect()
    }
}
