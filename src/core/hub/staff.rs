//! The arbiters of an event: who leads, who looks after which tables, and when (R-AR-1).

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::types::TableNo;

/// The fewest arbiters of any event (R-AR-1).
const FEWEST: usize = 2;
/// More arbiters than this for one who leads need seniors between them (R-AR-1).
const LED_AT_MOST: usize = 4;
/// More people than any hall has.
const MEMBERS_MAX: usize = 200;
/// Zones, and shifts, of one person.
const PARTS_MAX: usize = 32;
/// The most characters of a name, as at the login.
const NAME_MAX: usize = 60;

/// All arbiters of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Staff {
    /// What kind of event it is: how many games one arbiter may have.
    #[serde(default)]
    pub level: EventLevel,
    /// The arbiters.
    #[serde(default)]
    pub members: Vec<Member>,
}

/// How many games fall to one arbiter (R-AR-1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EventLevel {
    /// International: two.
    International,
    /// National: three.
    National,
    /// Of a region or a city: four.
    Regional,
    /// Any other: five.
    #[default]
    Other,
}

impl EventLevel {
    /// Games for one arbiter.
    pub const fn games(self) -> usize {
        match self {
            Self::International => 2,
            Self::National => 3,
            Self::Regional => 4,
            Self::Other => 5,
        }
    }
}

/// One arbiter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// His name, as he gives it at the login.
    pub name: String,
    /// What he is.
    #[serde(default)]
    pub duty: Duty,
    /// The tables that he looks after; none: no zone of his own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<Zone>,
    /// When he is there; none: always.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shifts: Vec<Shift>,
}

/// What an arbiter is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Duty {
    /// The chief arbiter.
    Chief,
    /// A deputy of the chief.
    Deputy,
    /// A senior arbiter, between the chief and the others.
    Senior,
    /// An arbiter of a zone.
    #[default]
    Arbiter,
}

impl Duty {
    /// What nobody took goes to him in the end.
    pub const fn leads(self) -> bool {
        matches!(self, Self::Chief | Self::Deputy)
    }
}

/// Tables in a row, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Zone {
    /// The first table.
    #[cfg_attr(feature = "openapi", schema(value_type = u16))]
    pub from: TableNo,
    /// The last table.
    #[cfg_attr(feature = "openapi", schema(value_type = u16))]
    pub to: TableNo,
}

impl Zone {
    /// How many tables lie between; zero inside.
    fn distance(self, table: TableNo) -> u16 {
        if table < self.from {
            self.from.0 - table.0
        } else {
            table.0.saturating_sub(self.to.0)
        }
    }
}

/// When an arbiter is there; from the first instant on, up to and without the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Shift {
    /// From.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub from: Timestamp,
    /// Until.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub until: Timestamp,
}

/// What is wrong with a list of arbiters.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StaffError {
    /// A name is missing, or too long for the login.
    #[error("the name of arbiter {0} must have 1 to {NAME_MAX} characters")]
    Name(usize),
    /// The same name twice.
    #[error("{0} stands in the list twice")]
    Twice(String),
    /// A zone whose end lies before its beginning.
    #[error("the zone {from} to {to} of {name} ends before it begins")]
    Zone {
        /// Whose.
        name: String,
        /// The first table.
        from: TableNo,
        /// The last table.
        to: TableNo,
    },
    /// A shift that ends before it begins.
    #[error("the shift of {0} from {1} ends before it begins")]
    Shift(String, Timestamp),
    /// Two chiefs at one time.
    #[error("{0} and {1} are chief arbiter at the same time; one of them may be a deputy")]
    Chiefs(String, String),
    /// More than there can be.
    #[error(
        "the list is too long: at most {MEMBERS_MAX} arbiters with {PARTS_MAX} zones and shifts each"
    )]
    Long,
}

/// How the arbiters on duty compare with what the event needs (R-AR-1).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Staffing {
    /// Arbiters and seniors on duty.
    pub arbiters: usize,
    /// As many as the event's games need.
    pub arbiters_needed: usize,
    /// Chief and deputies on duty.
    pub leads: usize,
    /// Seniors on duty.
    pub seniors: usize,
    /// As many as it takes that no more than four arbiters fall to one who leads.
    pub seniors_needed: usize,
    /// A chief arbiter is on duty.
    pub chief: bool,
    /// Tables of the round that are in nobody's zone.
    pub uncovered: Vec<Zone>,
}

impl Staffing {
    /// Nothing is missing.
    pub fn is_enough(&self) -> bool {
        self.chief
            && self.arbiters >= self.arbiters_needed
            && self.seniors >= self.seniors_needed
            && self.uncovered.is_empty()
    }
}

impl Member {
    /// He is there.
    pub fn is_on_duty(&self, at: Timestamp) -> bool {
        self.shifts.is_empty()
            || self
                .shifts
                .iter()
                .any(|shift| shift.from <= at && at < shift.until)
    }

    /// How far his nearest table is; `None` without a zone.
    fn distance(&self, table: TableNo) -> Option<u16> {
        self.tables.iter().map(|zone| zone.distance(table)).min()
    }

    /// There is an instant at which both are there.
    fn meets(&self, other: &Self) -> bool {
        match (self.shifts.as_slice(), other.shifts.as_slice()) {
            ([], _) | (_, []) => true,
            (own, others) => own.iter().any(|a| {
                others
                    .iter()
                    .any(|b| a.from.max(b.from) < a.until.min(b.until))
            }),
        }
    }
}

impl Staff {
    /// The same list with trimmed names, when it makes sense.
    ///
    /// # Errors
    /// Names the first thing that does not.
    pub fn checked(mut self) -> Result<Self, StaffError> {
        if self.members.len() > MEMBERS_MAX {
            return Err(StaffError::Long);
        }
        let mut names = BTreeSet::new();
        for (at, member) in (1..).zip(&mut self.members) {
            let name = member.name.trim();
            let length = name.chars().count();
            if length == 0 || length > NAME_MAX || name.chars().any(char::is_control) {
                return Err(StaffError::Name(at));
            }
            member.name = name.to_owned();
            if !names.insert(folded(&member.name)) {
                return Err(StaffError::Twice(member.name.clone()));
            }
            if member.tables.len() > PARTS_MAX || member.shifts.len() > PARTS_MAX {
                return Err(StaffError::Long);
            }
            if let Some(zone) = member.tables.iter().find(|zone| zone.to < zone.from) {
                return Err(StaffError::Zone {
                    name: member.name.clone(),
                    from: zone.from,
                    to: zone.to,
                });
            }
            if let Some(shift) = member.shifts.iter().find(|it| it.until <= it.from) {
                return Err(StaffError::Shift(member.name.clone(), shift.from));
            }
        }
        let chiefs: Vec<&Member> = self
            .members
            .iter()
            .filter(|it| it.duty == Duty::Chief)
            .collect();
        for (at, one) in chiefs.iter().enumerate() {
            if let Some(other) = chiefs.iter().skip(at + 1).find(|other| one.meets(other)) {
                return Err(StaffError::Chiefs(one.name.clone(), other.name.clone()));
            }
        }
        Ok(self)
    }

    /// The one of that name.
    pub fn member(&self, name: &str) -> Option<&Member> {
        let name = folded(name);
        self.members
            .iter()
            .find(|member| folded(&member.name) == name)
    }

    fn on_duty(&self, at: Timestamp) -> impl Iterator<Item = &Member> {
        self.members
            .iter()
            .filter(move |member| member.is_on_duty(at))
    }

    /// Chief and deputies who are there; where there are none, everybody who is.
    pub fn leads(&self, at: Timestamp) -> Vec<String> {
        let leads = names(self.on_duty(at).filter(|member| member.duty.leads()));
        if leads.is_empty() {
            names(self.on_duty(at))
        } else {
            leads
        }
    }

    /// Everybody who is there.
    pub fn all(&self, at: Timestamp) -> Vec<String> {
        names(self.on_duty(at))
    }

    /// Whose zone a table is in; where it is in nobody's, who leads.
    pub fn zone_of(&self, table: TableNo, at: Timestamp) -> Vec<String> {
        let own = names(self.on_duty(at).filter(|it| it.distance(table) == Some(0)));
        if own.is_empty() { self.leads(at) } else { own }
    }

    /// Who is nearest to a table and not among `asked`; of two who are as near both.
    pub fn neighbours(&self, table: TableNo, at: Timestamp, asked: &[String]) -> Vec<String> {
        let others = || {
            self.on_duty(at)
                .filter(|member| !asked.contains(&member.name))
                .filter_map(move |member| Some((member.distance(table)?, member)))
        };
        let Some(nearest) = others().map(|(distance, _)| distance).min() else {
            return Vec::new();
        };
        names(others().filter(|it| it.0 == nearest).map(|it| it.1))
    }

    /// When somebody comes or goes next.
    pub fn next_change(&self, after: Timestamp) -> Option<Timestamp> {
        self.members
            .iter()
            .flat_map(|member| &member.shifts)
            .flat_map(|shift| [shift.from, shift.until])
            .filter(|at| *at > after)
            .min()
    }

    /// Compares who is there with what these tables need.
    pub fn staffing(&self, tables: &BTreeSet<TableNo>, at: Timestamp) -> Staffing {
        let count =
            |wanted: fn(Duty) -> bool| self.on_duty(at).filter(|it| wanted(it.duty)).count();
        let arbiters = count(|duty| matches!(duty, Duty::Arbiter | Duty::Senior));
        let leads = count(Duty::leads);
        let led = count(|duty| duty == Duty::Arbiter);
        let mut uncovered: Vec<Zone> = Vec::new();
        for table in tables {
            if self.on_duty(at).any(|it| it.distance(*table) == Some(0)) {
                continue;
            }
            match uncovered.last_mut() {
                Some(zone) if tables.range(zone.to..=*table).count() == 2 => zone.to = *table,
                _ => uncovered.push(Zone {
                    from: *table,
                    to: *table,
                }),
            }
        }
        Staffing {
            arbiters,
            arbiters_needed: tables.len().div_ceil(self.level.games()).max(FEWEST),
            leads,
            seniors: count(|duty| duty == Duty::Senior),
            // That nobody leads is said by itself.
            seniors_needed: led.div_ceil(LED_AT_MOST).saturating_sub(leads.max(1)),
            chief: self.on_duty(at).any(|it| it.duty == Duty::Chief),
            uncovered,
        }
    }
}

fn names<'a>(members: impl Iterator<Item = &'a Member>) -> Vec<String> {
    members.map(|member| member.name.clone()).collect()
}

/// Names are the same whatever their capitals.
fn folded(name: &str) -> String {
    name.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, duty: Duty, tables: &[(u16, u16)]) -> Member {
        let tables = tables.iter().map(|(from, to)| Zone {
            from: TableNo(*from),
            to: TableNo(*to),
        });
        Member {
            name: name.to_owned(),
            duty,
            tables: tables.collect(),
            shifts: Vec::new(),
        }
    }

    fn at(hour: i64) -> Timestamp {
        Timestamp::from_second(1_796_428_800 + hour * 3600).unwrap()
    }

    fn shift(mut member: Member, from: i64, until: i64) -> Member {
        let (from, until) = (at(from), at(until));
        member.shifts.push(Shift { from, until });
        member
    }

    fn staff(members: Vec<Member>) -> Staff {
        let level = EventLevel::Regional;
        Staff { level, members }.checked().unwrap()
    }

    #[test]
    fn a_table_belongs_to_whoever_is_there_and_has_it() {
        let staff = staff(vec![
            member("Chief", Duty::Chief, &[]),
            member("Anna", Duty::Arbiter, &[(1, 10)]),
            shift(member("Petro", Duty::Arbiter, &[(11, 20)]), 8, 14),
            shift(member("Olha", Duty::Arbiter, &[(11, 20)]), 14, 20),
            member("Ivan", Duty::Arbiter, &[(21, 30), (40, 40)]),
        ]);
        let zone = |table, hour| staff.zone_of(TableNo(table), at(hour));
        assert_eq!(zone(10, 9), ["Anna"]);
        assert_eq!(zone(11, 13), ["Petro"]);
        assert_eq!(zone(11, 14), ["Olha"], "the end of a shift is not in it");
        assert_eq!(zone(40, 9), ["Ivan"]);
        assert_eq!(zone(35, 9), ["Chief"], "in nobody's zone");
        assert_eq!(zone(15, 22), ["Chief"], "nobody of the zone is there");

        let near = |table, asked: &[&str]| {
            let asked: Vec<String> = asked.iter().map(|name| (*name).to_owned()).collect();
            staff.neighbours(TableNo(table), at(9), &asked)
        };
        assert_eq!(near(10, &["Anna"]), ["Petro"]);
        assert_eq!(near(20, &["Petro"]), ["Ivan"]);
        assert_eq!(near(15, &["Petro"]), ["Anna"], "five tables, not six");
        assert_eq!(near(35, &[]), ["Ivan"]);
        assert_eq!(staff.next_change(at(9)), Some(at(14)));
        assert_eq!(staff.next_change(at(20)), None);
    }

    #[test]
    fn staffing_follows_the_rule_book() {
        let tables = |last: u16| (1..=last).map(TableNo).collect::<BTreeSet<_>>();
        let zone = |no: u16| (no * 4 - 3, no * 4);
        let many = |count: u16, level| {
            let mut members = vec![member("Chief", Duty::Chief, &[])];
            members.extend(
                (1..=count).map(|no| member(&format!("A{no}"), Duty::Arbiter, &[zone(no)])),
            );
            Staff { level, members }
        };
        for (level, games, needed) in [
            (EventLevel::International, 20, 10),
            (EventLevel::National, 20, 7),
            (EventLevel::Regional, 20, 5),
            (EventLevel::Other, 20, 4),
            (EventLevel::Other, 3, 2),
            (EventLevel::International, 5, 3),
        ] {
            let staffing = many(1, level).staffing(&tables(games), at(9));
            assert_eq!(staffing.arbiters_needed, needed, "{level:?} {games}");
        }
        let enough = many(4, EventLevel::Regional).staffing(&tables(16), at(9));
        assert!(enough.is_enough(), "{enough:?}");
        let five = many(5, EventLevel::Regional).staffing(&tables(20), at(9));
        assert_eq!(five.seniors_needed, 1, "five for one chief");
        assert!(!five.is_enough());
        let open = many(2, EventLevel::Regional).staffing(&tables(10), at(9));
        let rest = Zone {
            from: TableNo(9),
            to: TableNo(10),
        };
        assert_eq!(open.uncovered, [rest]);
        let none = Staff::default().staffing(&tables(10), at(9));
        assert!(!none.chief && none.arbiters == 0 && none.arbiters_needed == 2);
    }

    #[test]
    fn lists_that_make_no_sense_are_refused() {
        let good = member("Anna", Duty::Arbiter, &[(1, 2)]);
        for (members, words) in [
            (vec![member(" ", Duty::Arbiter, &[])], "name of arbiter 1"),
            (
                vec![good.clone(), member(" ANNA ", Duty::Chief, &[])],
                "ANNA stands in the list twice",
            ),
            (
                vec![member("Anna", Duty::Arbiter, &[(5, 4)])],
                "zone 5 to 4",
            ),
            (vec![shift(good.clone(), 9, 9)], "ends before"),
            (
                vec![
                    shift(member("Anna", Duty::Chief, &[]), 8, 14),
                    shift(member("Petro", Duty::Chief, &[]), 13, 20),
                ],
                "Anna and Petro are chief",
            ),
        ] {
            let level = EventLevel::Other;
            let error = Staff { level, members }.checked().unwrap_err();
            assert!(error.to_string().contains(words), "{error}");
        }
        let in_turn = vec![
            shift(member("Anna", Duty::Chief, &[]), 8, 14),
            shift(member("Petro", Duty::Chief, &[]), 14, 20),
        ];
        let level = EventLevel::Other;
        assert!(
            Staff {
                level,
                members: in_turn
            }
            .checked()
            .is_ok()
        );
    }
}
