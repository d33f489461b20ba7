//! Whom an alert goes to: the arbiter of the zone, his neighbour, the chief (R-AR-1, R-AR-2).

use std::collections::BTreeSet;

use crate::{
    hub::{
        Hub,
        alerts::Cause,
        command::Refused,
        event::{AlertFact, AlertKind, Fact, Reach},
        staff::{Staff, Staffing},
        view::Severity,
    },
    types::{Now, TableNo},
};

impl Hub {
    /// Whom an alert goes to when it is raised.
    pub(super) fn asked_first(&self, now: Now, table: Option<TableNo>) -> Vec<String> {
        self.asked(now, table, Reach::Zone)
    }

    /// Whom an alert goes to once it has gone so far; nobody means everybody.
    pub(super) fn asked(&self, now: Now, table: Option<TableNo>, reach: Reach) -> Vec<String> {
        let (staff, at) = (&self.state.staff, now.utc);
        let Some(table) = table else {
            return match reach {
                Reach::Zone => staff.leads(at),
                Reach::Neighbour | Reach::Chief => staff.all(at),
            };
        };
        let mut asked = staff.zone_of(table, at);
        if reach >= Reach::Neighbour {
            let neighbours = staff.neighbours(table, at, &asked);
            asked.extend(neighbours);
        }
        if reach >= Reach::Chief {
            for lead in staff.leads(at) {
                if !asked.contains(&lead) {
                    asked.push(lead);
                }
            }
        }
        asked
    }

    /// The arbiters are others now, or have other zones.
    pub(in crate::hub) fn set_staff(
        &mut self,
        now: Now,
        staff: Staff,
        by: &str,
    ) -> Result<(), Refused> {
        let staff = staff
            .checked()
            .map_err(|error| Refused::Invalid(error.to_string()))?;
        if staff == self.state.staff {
            return Ok(());
        }
        let by = by.to_owned();
        self.emit(now, None, None, Fact::Staff { staff, by });
        self.route_anew(now);
        self.arm_shifts(now);
        self.check_staffing(now);
        Ok(())
    }

    /// Somebody came or went: what nobody has taken is for those who are there.
    pub(in crate::hub) fn handle_shifts(&mut self, now: Now) {
        if self.shift_at.is_none_or(|at| at > now.mono) {
            return;
        }
        self.dirty.staff = true;
        self.route_anew(now);
        self.arm_shifts(now);
        self.check_staffing(now);
    }

    /// When somebody comes or goes next, by monotonic time.
    pub(in crate::hub) fn arm_shifts(&mut self, now: Now) {
        let next = self.state.staff.next_change(now.utc);
        self.shift_at = next.map(|at| {
            let ahead = std::time::Duration::try_from(at.duration_since(now.utc));
            now.mono + ahead.unwrap_or_default()
        });
    }

    fn route_anew(&mut self, now: Now) {
        let open: Vec<(u64, Vec<String>)> = (self.state.alerts.iter())
            .filter(|(_, alert)| alert.owner.is_none())
            .filter_map(|(number, alert)| {
                let to = self.asked(now, alert.table, alert.reach);
                (to != alert.to).then_some((*number, to))
            })
            .collect();
        for (alert, to) in open {
            self.emit_alert(now, alert, AlertFact::Routed { alert, to });
        }
    }

    /// How the arbiters on duty compare with what the tables of the round need.
    pub(in crate::hub) fn staffing(&self, now: Now) -> Staffing {
        let round = self.state.round().filter(|round| round.closed_at.is_none());
        let tables: BTreeSet<TableNo> = round
            .into_iter()
            .flat_map(|round| round.games.keys().copied())
            .collect();
        self.state.staff.staffing(&tables, now.utc)
    }

    /// R-AR-1, said once, until enough are there. An event that lists no arbiters is not asked.
    pub(in crate::hub) fn check_staffing(&mut self, now: Now) {
        let cause = Cause::hall(AlertKind::Staffing);
        let public = self.state.round().is_some_and(|round| round.published);
        let staffing = self.staffing(now);
        if self.state.staff.members.is_empty() || !public || staffing.is_enough() {
            self.clear(now, &cause);
            return;
        }
        let text = staffing_words(&staffing);
        let told = self.open_alert(&cause);
        let told = told.and_then(|number| self.state.alerts.get(&number));
        if told.is_some_and(|alert| alert.text == text) {
            return;
        }
        self.clear(now, &cause);
        self.raise(now, cause, Severity::Notice, text, None);
    }
}

fn staffing_words(staffing: &Staffing) -> String {
    let mut parts = Vec::new();
    if !staffing.chief {
        parts.push("no chief arbiter is on duty".to_owned());
    }
    if staffing.arbiters < staffing.arbiters_needed {
        parts.push(format!(
            "{} of {} arbiters are on duty",
            staffing.arbiters, staffing.arbiters_needed
        ));
    }
    if staffing.seniors < staffing.seniors_needed {
        parts.push(format!(
            "{} of {} senior arbiters are on duty",
            staffing.seniors, staffing.seniors_needed
        ));
    }
    if !staffing.uncovered.is_empty() {
        let zones = staffing.uncovered.iter().map(|zone| {
            if zone.from == zone.to {
                zone.from.to_string()
            } else {
                format!("{}\u{2013}{}", zone.from, zone.to)
            }
        });
        let zones: Vec<String> = zones.collect();
        parts.push(format!("nobody has tables {}", zones.join(", ")));
    }
    format!("Not enough arbiters: {}.", parts.join("; "))
}
