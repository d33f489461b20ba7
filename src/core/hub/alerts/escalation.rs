//! What nobody takes is called for again, further out each time (R-AR-2).

use crate::{
    hub::{
        Hub,
        event::{AlertFact, Reach},
        view::Severity,
    },
    types::Now,
};

/// A warning waits so many times as long as a call.
const WARNING_WAITS: u32 = 5;

impl Hub {
    /// Waits for somebody to take an alert.
    pub(in crate::hub) fn arm_escalation(&mut self, now: Now, alert: u64) {
        let open = self.state.alerts.get(&alert);
        let waits = open.filter(|open| open.owner.is_none() && open.reach < Reach::Chief);
        let times = match waits.map(|open| open.severity) {
            Some(Severity::Call) => 1,
            Some(Severity::Warning) => WARNING_WAITS,
            // Nobody need walk.
            Some(Severity::Notice) | None => return,
        };
        let at = now.mono + self.settings.escalate_after.saturating_mul(times);
        self.escalations.insert(alert, at);
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
