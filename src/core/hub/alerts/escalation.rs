//! What nobody takes is called for again, further out each time (R-AR-2).

use crate::{
    hub::{
        Hub,
        event::{AlertFact, Reach},
        view::Severity,
    },
    types::Now,
};

impl Hub {
    /// Waits for somebody to take a call.
    pub(in crate::hub) fn arm_escalation(&mut self, now: Now, alert: u64) {
        let waits = self.state.alerts.get(&alert).is_some_and(|open| {
            open.severity == Severity::Call && open.owner.is_none() && open.reach < Reach::Chief
        });
        if waits {
            let at = now.mono + self.settings.escalate_after;
            self.escalations.insert(alert, at);
        }
    }

    /// Calls that nobody took in time: to the zone once more and to the neighbour, then to the chief.
    pub(in crate::hub) fn escalate(&mut self, now: Now) {
        let due: Vec<u64> = self
            .escalations
            .iter()
            .filter(|(_, at)| **at <= now.mono)
            .map(|(alert, _)| *alert)
            .collect();
        for alert in due {
            self.escalations.remove(&alert);
            let Some(open) = self.state.alerts.get(&alert) else {
                continue;
            };
            if open.owner.is_some() {
                continue;
            }
            // Where nobody has a zone, and in the hall as a whole, there is no neighbour.
            let zones = open.table.is_some() && !self.state.staff.members.is_empty();
            let reach = match open.reach {
                Reach::Zone if zones => Reach::Neighbour,
                Reach::Zone | Reach::Neighbour | Reach::Chief => Reach::Chief,
            };
            let to = self.asked(now, open.table, reach);
            self.emit_alert(now, alert, AlertFact::Escalated { alert, reach, to });
            self.arm_escalation(now, alert);
        }
    }
}
