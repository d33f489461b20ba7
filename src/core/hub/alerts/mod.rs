//! Alerts: raised once for one cause, taken by an arbiter, closed when the cause is gone.

mod escalation;
mod queue;
mod zones;

use super::{
    Hub,
    event::{AlertFact, AlertKind, Evidence, Fact},
    view::Severity,
};
use crate::types::{DeviceId, Now, TableNo};

/// Where and about what; two alerts with the same key are one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cause {
    pub(super) about: AlertKind,
    pub(super) table: Option<TableNo>,
    pub(super) device: Option<DeviceId>,
}

impl Cause {
    pub(super) fn hall(about: AlertKind) -> Self {
        Self {
            about,
            table: None,
            device: None,
        }
    }

    pub(super) fn at(about: AlertKind, table: TableNo) -> Self {
        Self {
            about,
            table: Some(table),
            device: None,
        }
    }

    pub(super) fn of(about: AlertKind, table: Option<TableNo>, device: &DeviceId) -> Self {
        Self {
            about,
            table,
            device: Some(device.clone()),
        }
    }
}

impl Hub {
    /// Raises an alert unless the same cause has an open one. Returns its number.
    pub(super) fn raise(
        &mut self,
        now: Now,
        cause: Cause,
        severity: Severity,
        text: impl Into<String>,
        proposal: Option<u64>,
    ) -> u64 {
        if let Some(open) = self.open_alert(&cause) {
            return open;
        }
        let Cause {
            about,
            table,
            device,
        } = cause;
        let evidence = match table {
            Some(table) if proposal.is_none() && device.is_none() => self.evidence(now, table),
            _ => None,
        };
        let fact = AlertFact::Raised {
            about,
            severity,
            text: text.into(),
            proposal,
            evidence,
            to: self.asked_first(now, table),
        };
        self.emit(now, table, device, Fact::Alert(fact))
    }

    pub(super) fn open_alert(&self, cause: &Cause) -> Option<u64> {
        self.state
            .alerts
            .iter()
            .find(|(_, alert)| {
                alert.about == cause.about
                    && alert.table == cause.table
                    && (cause.device.is_none() || alert.device == cause.device)
            })
            .map(|(number, _)| *number)
    }

    /// Closes what was raised for a cause that is gone.
    pub(super) fn clear(&mut self, now: Now, cause: &Cause) {
        if let Some(alert) = self.open_alert(cause) {
            self.close(now, alert, "hub");
        }
    }

    /// Closes the alerts that wait for a proposal's decision.
    pub(super) fn clear_proposal(&mut self, now: Now, proposal: u64, by: &str) {
        let waiting: Vec<u64> = self
            .state
            .alerts
            .iter()
            .filter(|(_, alert)| alert.proposal == Some(proposal))
            .map(|(number, _)| *number)
            .collect();
        for alert in waiting {
            self.close(now, alert, by);
        }
    }

    /// Closes everything of these kinds at a table.
    pub(super) fn clear_table(&mut self, now: Now, table: TableNo, kinds: &[AlertKind]) {
        for about in kinds {
            self.clear(now, &Cause::at(*about, table));
        }
    }

    pub(in crate::hub) fn close(&mut self, now: Now, alert: u64, by: &str) {
        self.emit_alert(
            now,
            alert,
            AlertFact::Closed {
                alert,
                by: by.to_owned(),
            },
        );
    }

    fn emit_alert(&mut self, now: Now, alert: u64, fact: AlertFact) {
        let (table, device) = self
            .state
            .alerts
            .get(&alert)
            .map_or((None, None), |alert| (alert.table, alert.device.clone()));
        self.emit(now, table, device, Fact::Alert(fact));
    }

    /// What stands at a table now, for an alert that no proposal has the evidence of (R-RS-4).
    fn evidence(&self, now: Now, table: TableNo) -> Option<Box<Evidence>> {
        let game = self.state.game(table)?;
        let position = self.position(table);
        let placement = position.split(' ').next().unwrap_or_default();
        let seen = self.seen(table).filter(|seen| seen != placement);
        Some(Box::new(Evidence {
            ply: game.moves.len() as u16,
            seen,
            times: self.times(table, now).or(game.times),
            position,
        }))
    }
}
