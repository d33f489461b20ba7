//! The queue: who has taken what. One owner at a time, visible to all.

use std::cmp::Reverse;

use crate::{
    hub::{Hub, command::Refused, event::AlertFact, state::Alert},
    types::Now,
};

impl Hub {
    /// An arbiter is on his way.
    pub(in crate::hub) fn take_alert(
        &mut self,
        now: Now,
        alert: u64,
        by: &str,
    ) -> Result<(), Refused> {
        match self.owner(alert)? {
            Some(owner) if owner == by => Ok(()),
            Some(owner) => Err(Refused::Conflict(format!(
                "{owner} has taken alert {alert} already"
            ))),
            None => {
                self.taken(now, alert, by);
                Ok(())
            }
        }
    }

    /// Somebody else goes in the owner's place.
    pub(in crate::hub) fn take_over_alert(
        &mut self,
        now: Now,
        alert: u64,
        by: &str,
    ) -> Result<(), Refused> {
        if self.owner(alert)? != Some(by) {
            self.taken(now, alert, by);
        }
        Ok(())
    }

    /// The owner cannot go: it is open to all again, and called for again when nobody takes it.
    pub(in crate::hub) fn release_alert(
        &mut self,
        now: Now,
        alert: u64,
        by: &str,
    ) -> Result<(), Refused> {
        match self.owner(alert)? {
            None => Ok(()),
            Some(owner) if owner != by => Err(Refused::Conflict(format!(
                "{owner} has taken alert {alert}: only he can give it back; take it over instead"
            ))),
            Some(_) => {
                let by = by.to_owned();
                self.emit_alert(now, alert, AlertFact::Released { alert, by });
                self.arm_escalation(now, alert);
                Ok(())
            }
        }
    }

    /// The matter is dealt with.
    pub(in crate::hub) fn close_by_hand(
        &mut self,
        now: Now,
        alert: u64,
        by: &str,
    ) -> Result<(), Refused> {
        if let Some(owner) = self.owner(alert)?
            && owner != by
        {
            return Err(Refused::Conflict(format!(
                "{owner} has taken alert {alert}: take it over first"
            )));
        }
        if let Some(proposal) = self.state.alerts.get(&alert).and_then(|it| it.proposal)
            && self.state.proposals.contains_key(&proposal)
        {
            return Err(Refused::Conflict(format!(
                "alert {alert} waits for a decision: accept or reject proposal {proposal}"
            )));
        }
        if let Some(protest) = self.protest_of(alert) {
            return Err(Refused::Conflict(format!(
                "alert {alert} waits for the outcome of protest {protest}"
            )));
        }
        self.close(now, alert, by);
        Ok(())
    }

    fn taken(&mut self, now: Now, alert: u64, by: &str) {
        let by = by.to_owned();
        self.emit_alert(now, alert, AlertFact::Acknowledged { alert, by });
        self.escalations.remove(&alert);
    }

    fn owner(&self, alert: u64) -> Result<Option<&str>, Refused> {
        let open = self.state.alerts.get(&alert);
        let open = open.ok_or_else(|| Refused::NotFound {
            what: "open alert",
            id: alert.to_string(),
        })?;
        Ok(open.owner.as_deref())
    }

    /// Open alerts as they are worked off: what nobody has taken first, the most pressing of those
    /// first, the oldest of those first.
    pub(in crate::hub) fn queue(&self) -> Vec<(u64, &Alert)> {
        let mut queue: Vec<(u64, &Alert)> = (self.state.alerts.iter())
            .map(|(number, alert)| (*number, alert))
            .collect();
        queue.sort_by_key(|(number, alert)| {
            (alert.owner.is_some(), Reverse(alert.severity), *number)
        });
        queue
    }
}
