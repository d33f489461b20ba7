//! The state machine that ties the core together: observations and commands in, events and effects
//! out. No I/O and no wall clock: every call brings its [`Now`].
//!
//! After each `handle_*` call drain [`Hub::poll_event`], make those events durable, and only then
//! tell the world: [`Hub::take_update`] for the pages, [`Hub::poll_clock_command`] for the clocks.
//! Arm a timer for [`Hub::poll_timeout`].

mod absent;
mod alerts;
mod amend;
mod claims;
mod clock_faces;
pub mod command;
mod countdown;
mod decide;
pub mod event;
mod event_table;
mod formats;
pub mod games;
mod next_round;
mod pairing;
mod paper;
mod play_off;
mod players;
pub mod record;
mod report;
mod rounds;
pub mod screens;
pub mod set_up;
pub mod sheet;
pub mod staff;
mod standings;
pub mod state;
mod tables;
pub mod view;
mod views;
mod wall;
mod words;

pub use self::words::counted;

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    time::Duration,
};

use jiff::{Timestamp, tz::TimeZone};

use self::{
    alerts::Cause,
    command::{Command, Refused, Request},
    event::{AlertFact, AlertKind, DeviceFact, Event, Fact, Mark, RequestKey, ScreenFact, SetUp},
    screens::LiveScreens,
    state::HallState,
    tables::{AwaitedKing, Clash, LiveTables, Shown},
    view::Severity,
};
use crate::{
    protocol::{ClockCommand, LostReason},
    types::{DeviceId, Mono, Now, RoundNo, TableNo},
};

/// What the hub knows of a port from the configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PortSettings {
    /// The table that whatever is plugged in here serves.
    pub table: Option<TableNo>,
    /// The board stands turned; `None` = found out from the start position.
    pub turned: Option<bool>,
}

/// What the configuration says.
#[derive(Clone, Debug)]
pub struct HubSettings {
    /// The ports by name.
    pub ports: BTreeMap<String, PortSettings>,
    /// How long a call may stay untaken before it goes one step further (R-AR-2).
    pub escalate_after: Duration,
    /// Fills the random part of event ids: two hubs with different salts never clash.
    pub id_salt: u64,
    /// The hall's time zone: the dates of the games are by it.
    pub zone: TimeZone,
    /// The minutes until the start stand on the DGT clocks until five minutes before it.
    pub clock_countdown: bool,
}

impl Default for HubSettings {
    fn default() -> Self {
        Self {
            ports: BTreeMap::new(),
            escalate_after: Duration::from_mins(1),
            id_salt: 0,
            zone: TimeZone::UTC,
            clock_countdown: false,
        }
    }
}

/// The most characters of a request's key.
pub const KEY_MAX: usize = 64;

/// Trouble that the edges of the daemon report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The system clock jumped, or lies behind the journal; words for the staff.
    SystemClock(String),
    /// The journal could not be written from `since` on, and can again.
    JournalGap {
        /// When the first write failed.
        since: Timestamp,
        /// Why.
        reason: String,
    },
    /// The journal that was found at the start ends earlier than the one that was written.
    JournalShort {
        /// Its last event.
        ends: u64,
        /// An event that was written.
        least: u64,
    },
    /// A port could not be opened; `None` once it is open.
    Port {
        /// Its name.
        port: String,
        /// Why.
        error: Option<String>,
    },
    /// The games cannot be written to their files, in words; `None` once they can.
    Games(Option<String>),
    /// The list of players: lines that were left out, players that are gone or new. In words;
    /// empty when all is well.
    Players(String),
}

/// The hub.
#[derive(Debug)]
pub struct Hub {
    settings: HubSettings,
    state: HallState,
    live: LiveTables,
    /// Which device talks on which port.
    ports: BTreeMap<String, DeviceId>,
    /// Ports whose device says that it is one that talks elsewhere.
    clashes: BTreeMap<String, Clash>,
    /// A table whose board is to show itself.
    awaited_king: Option<AwaitedKing>,
    port_alerts: BTreeMap<String, u64>,
    heard: BTreeMap<DeviceId, Timestamp>,
    /// What each device told last, for the table that it is given.
    shown: BTreeMap<DeviceId, Shown>,
    screens: LiveScreens,
    countdown: Option<Mono>,
    skipped_marks: Vec<Mark>,
    default_at: Option<Mono>,
    absent_at: Option<Mono>,
    photo_at: Option<Mono>,
    play_off_at: Option<Mono>,
    /// The minutes that the clocks show.
    clock_faces: Option<u128>,
    clock_faces_at: Option<Mono>,
    /// The fixed time for the last boards was offered in this round.
    play_off_offered: bool,
    escalations: BTreeMap<u64, Mono>,
    /// The request that is being carried out, until its first event.
    request: Option<RequestKey>,
    /// The round of the result that is being put right, when it is not the current one.
    result_of: Option<RoundNo>,
    /// When an arbiter comes or goes next.
    shift_at: Option<Mono>,
    /// When the next protest should have been decided.
    protest_at: Option<Mono>,
    /// The round whose absent players were asked for since few still play.
    half_asked: Option<RoundNo>,
    /// When the minutes of the ordered corrections are over.
    corrections_due: BTreeMap<TableNo, Mono>,
    /// When the running clocks are written down again.
    sample_at: Mono,
    out: VecDeque<Event>,
    clock_commands: VecDeque<(String, ClockCommand)>,
    dirty: Dirty,
}

#[derive(Debug, Default)]
struct Dirty {
    event: bool,
    round: bool,
    alerts: bool,
    proposals: bool,
    devices: bool,
    screens: bool,
    show: bool,
    staff: bool,
    protests: bool,
    tables: BTreeSet<TableNo>,
}

impl Hub {
    /// A hub that goes on from what the journal told.
    pub fn new(settings: HubSettings, state: HallState, now: Now) -> Self {
        let mut hub = Self {
            settings,
            state,
            live: LiveTables::default(),
            ports: BTreeMap::new(),
            clashes: BTreeMap::new(),
            awaited_king: None,
            port_alerts: BTreeMap::new(),
            heard: BTreeMap::new(),
            shown: BTreeMap::new(),
            screens: LiveScreens::new(now.mono),
            countdown: None,
            skipped_marks: Vec::new(),
            default_at: None,
            absent_at: None,
            photo_at: None,
            play_off_at: None,
            clock_faces: None,
            clock_faces_at: None,
            play_off_offered: false,
            escalations: BTreeMap::new(),
            request: None,
            result_of: None,
            shift_at: None,
            protest_at: None,
            half_asked: None,
            corrections_due: BTreeMap::new(),
            sample_at: Mono::ZERO,
            out: VecDeque::new(),
            clock_commands: VecDeque::new(),
            dirty: Dirty::default(),
        };
        hub.go_on(now);
        hub
    }

    /// What the links and timers held is gone; the state stands.
    fn go_on(&mut self, now: Now) {
        let online: Vec<DeviceId> = self
            .state
            .devices
            .iter()
            .filter(|(_, device)| device.online)
            .map(|(id, _)| id.clone())
            .collect();
        for id in online {
            let table = self.state.devices.get(&id).and_then(|device| device.table);
            let lost = DeviceFact::Lost {
                reason: LostReason::HubRestarted,
            };
            self.emit(now, table, Some(id), Fact::Device(lost));
        }
        if let Some(last) = self.state.at
            && last > now.utc
        {
            let text = format!(
                "The system clock says {}, but the journal's last event is of {last}. \
                 Set the clock; the order of events is kept by their numbers.",
                now.utc
            );
            self.raise(
                now,
                Cause::hall(AlertKind::SystemClock),
                Severity::Warning,
                text,
                None,
            );
        }
        self.arm_countdown(now);
        self.arm_default_time(now);
        self.arm_after_start(now);
        self.restore_tables();
        self.arm_corrections(now);
        let waiting: Vec<u64> = self.state.alerts.keys().copied().collect();
        for alert in waiting {
            self.arm_escalation(now, alert);
        }
        self.arm_shifts(now);
        self.arm_protests(now);
    }

    /// Names the event that is played, as [`set_up::fit`] gave it. The same one again changes
    /// nothing.
    pub fn handle_set_up(&mut self, now: Now, set_up: SetUp) {
        let (mut set_up, drawn) = self.drawn(set_up);
        self.state.amendments.correct(&mut set_up);
        if self.state.set_up.as_ref() == Some(&set_up) {
            return;
        }
        let held = self.state.set_up.as_ref();
        let system = set_up.settings.system.name();
        let other_system = held.is_some_and(|held| held.settings.system.name() != system);
        self.emit(now, None, None, Fact::Event(Box::new(set_up)));
        if let Some(text) = drawn {
            let by = "lot".to_owned();
            self.emit(now, None, None, Fact::Incident { text, by });
        }
        self.repair_draft(now, other_system);
    }

    /// Carries out a command, or says why not.
    pub fn handle_request(&mut self, now: Now, request: Request) -> Result<(), Refused> {
        let Request { by, command } = request;
        let Command::Once { key, command } = command else {
            return self.carry_out(now, &by, command);
        };
        if key.is_empty() || key.len() > KEY_MAX || matches!(*command, Command::Once { .. }) {
            return Err(Refused::Invalid(format!(
                "the key of a request has 1 to {KEY_MAX} characters"
            )));
        }
        let request = RequestKey { by, key };
        if self.state.requests.contains(&request) {
            return Ok(());
        }
        let by = request.by.clone();
        self.request = Some(request);
        let done = self.carry_out(now, &by, *command);
        // Nothing happened: it may come again.
        self.request = None;
        done
    }

    fn carry_out(&mut self, now: Now, by: &str, command: Command) -> Result<(), Refused> {
        match command {
            Command::Once { .. } => Err(Refused::Invalid("a request has one key".to_owned())),
            Command::AcknowledgeAlert { alert } => self.take_alert(now, alert, by),
            Command::TakeOverAlert { alert } => self.take_over_alert(now, alert, by),
            Command::ReleaseAlert { alert } => self.release_alert(now, alert, by),
            Command::SetStaff { staff } => self.set_staff(now, staff, by),
            Command::CloseAlert { alert } => self.close_by_hand(now, alert, by),
            Command::Decide {
                proposal,
                accept,
                result,
                note,
            } => self.decide(now, proposal, accept, result, note, by),
            Command::SetResult {
                table,
                result,
                termination,
                note,
            } => self.set_result(now, table, &result, termination.as_deref(), note, by),
            Command::CallArbiter { table, note } => self.call(now, table, note, by),
            Command::Claim {
                table,
                what,
                against,
                note,
            } => self.claim_by_arbiter(now, table, (what, against), note, by),
            Command::FileProtest {
                table,
                player,
                text,
                minutes,
            } => self.file_protest(now, (table, player), &text, minutes, by),
            Command::DecideProtest {
                protest,
                outcome,
                deposit_returned,
                note,
            } => self.decide_protest(now, protest, (outcome, deposit_returned), note, by),
            Command::CorrectClock { table, correction } => {
                self.correct_clock(now, table, correction, by)
            }
            Command::CancelCorrection { table } => self.cancel_correction(now, table, by),
            Command::RecordIncident { table, text } => self.incident(now, table, &text, by),
            Command::PairRound => self.pair_round(now, by),
            Command::Amend { asked, note } => self.amend(now, &asked, note, by),
            Command::RevertAmendment { amendment, note } => {
                self.revert_amendment(now, amendment, note, by)
            }
            Command::RepairRound => self.repair_round(now, by),
            Command::DecideMatch(decision) => self.decide_match(now, decision, by),
            Command::WithdrawPlayer { player } => self.withdraw(now, player, true, by),
            Command::ReturnPlayer { player } => self.withdraw(now, player, false, by),
            Command::SetBye { player, round, bye } => self.set_bye(now, player, round, bye, by),
            Command::PublishRound => self.publish_round(now, by),
            Command::ScheduleRound {
                starts_at,
                earlier_confirmed,
            } => self.schedule_round(now, starts_at, earlier_confirmed, by),
            Command::ShiftRound {
                seconds,
                earlier_confirmed,
            } => self.shift_round(now, seconds, earlier_confirmed, by),
            Command::HoldRound { reason } => self.hold_round(now, reason, by),
            Command::StartRound => self.start_round(now, by),
            Command::StartPlayOff { seconds } => self.start_play_off(now, seconds, by),
            Command::AssignScreen { screen, settings } => {
                self.assign_screen(now, screen, settings, by)
            }
            Command::ForgetScreen { screen } => self.forget_screen(now, screen, by),
            Command::ShowMessage { text, seconds } => self.show_message(now, text, seconds, by),
            Command::BlackOut { seconds } => self.black_out(now, seconds, by),
            Command::SetNotice { text } => self.set_notice(now, text, by),
            Command::RaiseEmergency { about, text } => self.raise_emergency(now, about, text, by),
            Command::EndEmergency => self.end_emergency(now, by),
            Command::CloseRound { round } => self.close_round(now, round, by),
            Command::AssignDevice { device, table } => self.assign(now, &device, table, by),
            Command::AwaitKing { table } => self.await_king(now, table, by),
            Command::TellMoves { table, moves } => self.tell_moves(now, table, moves, by),
            Command::SetStart { table, number, fen } => {
                self.set_start_position(now, table, number, fen.as_deref(), by)
            }
            Command::SetOrientation { table, turned } => self.set_orientation(now, table, turned),
        }
    }

    /// Something outside the core went wrong, or is right again.
    pub fn handle_trouble(&mut self, now: Now, trouble: Trouble) {
        match trouble {
            Trouble::SystemClock(text) => {
                let cause = Cause::hall(AlertKind::SystemClock);
                // What was said of an earlier step is no longer so.
                self.clear(now, &cause);
                self.raise(now, cause, Severity::Warning, text, None);
            }
            Trouble::JournalGap { since, reason } => {
                let text = format!(
                    "The journal could not be written from {since} on: {reason}. \
                     It is complete again; nothing was lost."
                );
                let cause = Cause::hall(AlertKind::Journal);
                self.raise(now, cause, Severity::Warning, text, None);
            }
            Trouble::JournalShort { ends, least } => {
                let text = format!(
                    "The journal ends at event {ends}, but event {least} was written before: the \
                     file was lost, or an old one was put in its place. If that was not on purpose, \
                     stop the hub and put the right journal in the data directory."
                );
                let cause = Cause::hall(AlertKind::Journal);
                // Whatever was said of the journal is less than this.
                self.clear(now, &cause);
                self.raise(now, cause, Severity::Call, text, None);
            }
            Trouble::Port { port, error } => self.handle_port(now, &port, error),
            Trouble::Games(None) => self.clear(now, &Cause::hall(AlertKind::GameFiles)),
            Trouble::Games(Some(text)) => {
                let cause = Cause::hall(AlertKind::GameFiles);
                self.raise(now, cause, Severity::Warning, text, None);
            }
            Trouble::Players(text) => {
                let cause = Cause::hall(AlertKind::Players);
                let told = self.open_alert(&cause);
                let told = told.and_then(|number| self.state.alerts.get(&number));
                if told.is_some_and(|alert| alert.text == text) {
                    return;
                }
                self.clear(now, &cause);
                if !text.is_empty() {
                    self.raise(now, cause, Severity::Warning, text, None);
                }
            }
        }
    }

    fn handle_port(&mut self, now: Now, port: &str, error: Option<String>) {
        let table = self
            .settings
            .ports
            .get(port)
            .and_then(|settings| settings.table);
        match error {
            Some(_) if self.port_alerts.contains_key(port) => {}
            Some(error) => {
                // Told before the hub was started anew, and still so.
                let open = self.state.alerts.iter().find(|(_, alert)| {
                    alert.about == AlertKind::Port && alert.text.starts_with(&format!("{port}: "))
                });
                if let Some((number, _)) = open {
                    self.port_alerts.insert(port.to_owned(), *number);
                    return;
                }
                let fact = AlertFact::Raised {
                    about: AlertKind::Port,
                    severity: Severity::Warning,
                    text: format!("{port}: {error}"),
                    proposal: None,
                    evidence: None,
                    to: self.state.staff.leads(now.utc),
                };
                let number = self.emit(now, table, None, Fact::Alert(fact));
                self.port_alerts.insert(port.to_owned(), number);
            }
            None => {
                if let Some(alert) = self.port_alerts.remove(port)
                    && self.state.alerts.contains_key(&alert)
                {
                    let by = "hub".to_owned();
                    self.emit(
                        now,
                        table,
                        None,
                        Fact::Alert(AlertFact::Closed { alert, by }),
                    );
                }
            }
        }
    }

    /// A countdown is under way, which a stepped clock must not move.
    pub fn countdown_runs(&self) -> bool {
        self.countdown.is_some()
    }

    /// The hub's UTC follows a stepped system clock now; what is planned by UTC is planned anew.
    pub fn handle_clock_adopted(&mut self, now: Now) {
        self.arm_countdown(now);
        self.arm_shifts(now);
        self.arm_protests(now);
        self.dirty.round = true;
    }

    /// The time of [`Hub::poll_timeout`] has come.
    pub fn handle_timeout(&mut self, now: Now) {
        self.handle_schedule(now);
        self.check_screens(now);
        self.escalate(now);
        self.handle_shifts(now);
        self.handle_protests(now);
        self.handle_clashes(now);
        self.handle_table_timeouts(now);
        self.handle_late_corrections(now);
        self.handle_sample(now);
    }

    /// When [`Hub::handle_timeout`] is due.
    pub fn poll_timeout(&self) -> Option<Mono> {
        let escalation = self.escalations.values().min().copied();
        [
            self.schedule_timeout(),
            escalation,
            self.shift_at,
            self.protest_timeout(),
            self.clash_timeout(),
            self.table_timeout(),
            self.corrections_due.values().min().copied(),
            self.sample_timeout(),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    /// The next event to make durable.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.out.pop_front()
    }

    /// The next command for the clock on a port.
    pub fn poll_clock_command(&mut self) -> Option<(String, ClockCommand)> {
        self.clock_commands.pop_front()
    }

    /// What the journal's events make of the hall.
    pub fn state(&self) -> &HallState {
        &self.state
    }

    /// Writes down what happened: numbers it, takes it into the state, hands it out.
    fn emit(
        &mut self,
        now: Now,
        table: Option<TableNo>,
        device: Option<DeviceId>,
        fact: Fact,
    ) -> u64 {
        let seq = self.state.seq + 1;
        // Milliseconds on the wire.
        let at = Timestamp::from_millisecond(now.utc.as_millisecond()).unwrap_or(now.utc);
        let round = match &fact {
            Fact::Round(event::RoundFact::Paired { pairing, .. }) => Some(pairing.round),
            Fact::Amendment(amendment) => amendment.what.round(),
            Fact::Result { .. } if self.result_of.is_some() => self.result_of,
            _ => self.state.round().map(|round| round.number),
        };
        let section = match &fact {
            Fact::Event(set_up) => Some(set_up.settings.section.clone()),
            _ => self
                .state
                .set_up
                .as_ref()
                .map(|set_up| set_up.settings.section.clone()),
        };
        let event = Event {
            v: 1,
            id: ulid(at, self.settings.id_salt, seq),
            seq,
            at,
            section,
            round,
            table,
            device,
            request: self.request.take(),
            fact,
        };
        let before = match &event.fact {
            Fact::Event(_) | Fact::Round(_) | Fact::Device(_) => self.all_tables(),
            _ => BTreeSet::new(),
        };
        self.state.apply(&event);
        self.mark_dirty(&event);
        if !before.is_empty() {
            // A table that is no more is news, too.
            let after = self.all_tables();
            self.dirty.tables.extend(before.difference(&after));
        }
        if let Fact::Alert(AlertFact::Raised { .. }) = &event.fact {
            self.arm_escalation(now, seq);
        }
        self.out.push_back(event);
        seq
    }

    fn mark_dirty(&mut self, event: &Event) {
        match &event.fact {
            Fact::Event(_) => {
                self.dirty.event = true;
                self.dirty.round = true;
            }
            Fact::Player(_) => self.dirty.event = true,
            Fact::Round(_) => {
                // Another round is the next one now, with others missing.
                self.dirty.event = true;
                self.dirty.round = true;
                self.dirty.staff = true;
                let tables = self.state.round().map(|round| round.games.keys().copied());
                self.dirty.tables.extend(tables.into_iter().flatten());
            }
            Fact::Announce { .. } => self.dirty.round = true,
            Fact::Screen(ScreenFact::Assigned { .. } | ScreenFact::Forgotten { .. }) => {
                self.dirty.round = true;
                self.dirty.screens = true;
            }
            Fact::Screen(_) => self.dirty.show = true,
            Fact::Device(_) => self.dirty.devices = true,
            Fact::Alert(_) => self.dirty.alerts = true,
            Fact::Proposal(_) | Fact::Decision { .. } => self.dirty.proposals = true,
            Fact::Result { .. } => self.dirty.round = true,
            Fact::Staff { .. } => self.dirty.staff = true,
            Fact::Protest(_) => self.dirty.protests = true,
            Fact::Amendment(_) => {
                self.dirty.event = true;
                self.dirty.tables.extend(self.all_tables());
            }
            _ => {}
        }
        if let Some(table) = event.table {
            self.dirty.tables.insert(table);
        }
    }
}

/// A ULID from the time and, in the place of chance, the hub's salt and the sequence number: unique,
/// and the same again when a test runs the same hall again.
fn ulid(at: Timestamp, salt: u64, seq: u64) -> String {
    const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let time = u128::from(at.as_millisecond().unsigned_abs() & 0xffff_ffff_ffff);
    let chance = (u128::from(salt & 0xff_ffff_ffff) << 40) | u128::from(seq & 0xff_ffff_ffff);
    let value = (time << 80) | chance;
    (0..26)
        .rev()
        .map(|place| char::from(ALPHABET[((value >> (place * 5)) & 31) as usize]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::ulid;

    #[test]
    fn ulids_sort_by_time_and_number() {
        let at = "2026-11-30T10:42:07.318Z".parse().unwrap();
        let first = ulid(at, 7, 1);
        assert_eq!(first.len(), 26);
        assert!(first.starts_with("01M8P0RDAP"), "{first}");
        assert!(first < ulid(at, 7, 2));
        assert!(ulid(at, 7, 2) < ulid("2026-11-30T10:42:07.319Z".parse().unwrap(), 7, 1));
        assert_ne!(first, ulid(at, 8, 1));
    }
}
