//! What devices tell: found, lost, batteries; everything else goes on to the board and the clock.

use super::tracker::{Change, Picture};
use crate::{
    hub::{
        Hub,
        alerts::Cause,
        event::{AlertKind, DeviceFact, Fact},
        state::Device,
        view::Severity,
    },
    protocol::{
        Battery, ClockCall, ClockReading, ClockSide, DeviceInfo, LostReason, MagicPiece,
        Observation, Recalled,
    },
    tournament::{GameResult, Termination},
    types::{DeviceId, Mono, Now, TableNo},
};

/// A battery of a board below this needs somebody.
const BATTERY_LOW: u8 = 20;

/// A call at the clock, in words: who is on which side, the clock knows.
fn called(call: ClockCall) -> String {
    let who = match call.side {
        Some(ClockSide::Left) => "The player on the clock's left side",
        Some(ClockSide::Right) => "The player on the clock's right side",
        None => "Somebody at the clock",
    };
    format!("{who} {}.", call.what.words())
}

/// What a device told last.
#[derive(Clone, Debug, Default)]
pub(in crate::hub) struct Shown {
    board: Option<Picture>,
    clock: Option<ClockReading>,
}

impl Hub {
    /// A device was given to a table: what it told before is what stands there.
    pub(in crate::hub) fn show_device(&mut self, now: Now, device: &DeviceId, table: TableNo) {
        let Some(shown) = self.shown.get(device).cloned() else {
            return;
        };
        self.show(now, table, shown.board);
        if let (Some(reading), Some(live)) = (shown.clock, self.live.get_mut(table)) {
            live.clock.handle_reading(now.mono, &reading);
            self.drain_clock(now, table);
        }
    }

    /// Something that a device on a port told.
    pub fn handle_observation(&mut self, now: Now, port: &str, observation: Observation) {
        match observation {
            Observation::Found(info) => return self.handle_found(now, port, info),
            Observation::Lost(reason) => return self.handle_lost(now, port, reason),
            _ => {}
        }
        let Some(device) = self.ports.get(port).cloned() else {
            self.hear_in_clash(port, &observation);
            return;
        };
        self.heard.insert(device.clone(), now.utc);
        let table = self
            .state
            .devices
            .get(&device)
            .and_then(|device| device.table);
        match observation {
            Observation::Fault(detail) => {
                let fact = DeviceFact::Fault {
                    detail,
                    port: port.to_owned(),
                };
                self.emit(now, table, Some(device), Fact::Device(fact));
                return;
            }
            Observation::Called(call) => {
                let detail = called(call);
                let port = port.to_owned();
                let fact = DeviceFact::Fault { detail, port };
                self.emit(now, table, Some(device.clone()), Fact::Device(fact));
                if let Some(table) = table {
                    self.claim_by_clock(now, table, call, &device.0);
                }
                return;
            }
            Observation::Battery(battery) => {
                return self.handle_battery(now, table, &device, battery);
            }
            _ => {}
        }
        self.look_for_king(now, &device, &observation);
        let table = self
            .state
            .devices
            .get(&device)
            .and_then(|device| device.table);
        let shown = self.shown.entry(device).or_default();
        match &observation {
            Observation::Placement { .. } | Observation::Occupancy { .. } => {
                shown.board = Picture::of(&observation);
            }
            Observation::Clock(reading) | Observation::ClockAt { reading, .. } => {
                shown.clock = Some(*reading);
            }
            Observation::ClockGone => shown.clock = None,
            _ => {}
        }
        let Some(table) = table else { return };
        if !self.live.contains_key(table) {
            self.device_changed(table);
        }
        let Some(live) = self.live.get_mut(table) else {
            return;
        };
        if live.shows_news(&observation) {
            self.dirty.tables.insert(table);
        }
        match observation {
            Observation::Missed { since } => {
                live.miss(now, since);
                self.drain_tracker(now, table);
            }
            Observation::Placement { .. } | Observation::Occupancy { .. } => {
                let change = Change::of(&observation);
                if change.is_none() {
                    live.agree(now);
                }
                if let Some(picture) = Picture::of(&observation) {
                    self.show_picture(now, table, picture, change);
                }
            }
            Observation::Clock(reading) => {
                live.clock.handle_reading(now.mono, &reading);
                if live.clock_shows_news(now) {
                    self.dirty.tables.insert(table);
                }
                self.drain_clock(now, table);
            }
            Observation::ClockAt { reading, at } => {
                live.clock.handle_reading(at, &reading);
                if live.clock_shows_news(now) {
                    self.dirty.tables.insert(table);
                }
                self.drain_clock_at(now, at, table);
            }
            Observation::ClockGone => {
                live.clock.handle_gone(now.mono);
                self.drain_clock(now, table);
            }
            Observation::Recalled { at, what } => self.handle_recalled(now, at, table, what),
            Observation::Magic(piece) => self.handle_magic(now, table, piece),
            Observation::ClockMoves { left, right } => live.count_moves(left, right),
            Observation::ClockCommand(outcome) => self.clock_answered(now, table, outcome),
            Observation::Button(_) => {}
            Observation::Found(_)
            | Observation::Lost(_)
            | Observation::Fault(_)
            | Observation::Called(_)
            | Observation::Battery(_) => {}
        }
    }

    pub(in crate::hub) fn handle_found(&mut self, now: Now, port: &str, info: DeviceInfo) {
        let (id, info) = self.recognise(port, info);
        let elsewhere = self
            .ports
            .iter()
            .any(|(other, it)| *it == id && other != port);
        if elsewhere {
            self.begin_clash(now, port, &id, info);
            return;
        }
        self.clashes.remove(port);
        self.take_in(now, port, id, info);
    }

    /// A device talks on a port, and it is known which one it is.
    pub(super) fn take_in(&mut self, now: Now, port: &str, id: DeviceId, info: DeviceInfo) {
        self.ports.insert(port.to_owned(), id.clone());
        self.heard.insert(id.clone(), now.utc);
        let wanted = self
            .settings
            .ports
            .get(port)
            .and_then(|settings| settings.table);
        let known = self.state.devices.get(&id).and_then(|device| device.table);
        let fact = DeviceFact::Found {
            info,
            port: port.to_owned(),
        };
        let table = wanted.or(known);
        self.emit(now, table, Some(id.clone()), Fact::Device(fact));
        self.clear(now, &Cause::of(AlertKind::DeviceLost, known, &id));
        match table {
            Some(table) if known != Some(table) => {
                let fact = DeviceFact::Assigned {
                    by: "config".to_owned(),
                };
                self.emit(now, Some(table), Some(id), Fact::Device(fact));
            }
            Some(_) => {}
            None => {
                let text = format!("{id} on {port} serves no table. Assign it on the console.");
                let cause = Cause::of(AlertKind::DeviceUnassigned, None, &id);
                self.raise(now, cause, Severity::Notice, text, None);
            }
        }
        if let Some(table) = table {
            self.device_changed(table);
        }
    }

    /// Who talks on a port. Under load a board may give its short serial number only, which is the end
    /// of the long one: what was known there by either is the same device, and the longest number
    /// ever given stands.
    pub(super) fn recognise(&self, port: &str, mut info: DeviceInfo) -> (DeviceId, DeviceInfo) {
        let known = self
            .state
            .devices
            .iter()
            .filter(|(_, device)| {
                device.port == port
                    && device.info.family == info.family
                    && same_serial(device.info.serial.as_deref(), info.serial.as_deref())
            })
            .max_by_key(|(_, device)| device.info.serial.as_ref().map(String::len));
        let Some((id, device)) = known else {
            return (device_id(&info, port), info);
        };
        let length = |info: &DeviceInfo| info.serial.as_ref().map(String::len);
        if length(&device.info) > length(&info) {
            info.serial.clone_from(&device.info.serial);
        }
        (id.clone(), info)
    }

    pub(in crate::hub) fn handle_lost(&mut self, now: Now, port: &str, reason: LostReason) {
        self.clashes.remove(port);
        if reason == LostReason::NotADevice && self.settings.ports.contains_key(port) {
            let text =
                "nothing that we know answers on this port; name the right one or exclude it"
                    .to_owned();
            self.handle_port(now, port, Some(text));
        }
        let Some(id) = self.ports.remove(port) else {
            return;
        };
        self.shown.remove(&id);
        let device = self.state.devices.get(&id);
        let table = device.and_then(|device| device.table);
        let clock = device.is_some_and(Device::is_clock);
        match table.and_then(|table| self.live.get_mut(table)) {
            // The board is still seen.
            Some(live) if clock => live.lose_clock(),
            Some(live) => live.lose_sight(now),
            None => {}
        }
        self.emit(
            now,
            table,
            Some(id.clone()),
            Fact::Device(DeviceFact::Lost { reason }),
        );
        let at = table.map_or_else(|| "It".to_owned(), |table| format!("Table {table}: {id}"));
        let text = match reason {
            LostReason::Silent => format!("{at} has been silent for 5 s. Look at cable and power."),
            _ => format!("{at} is gone from {port}. Look at cable and power."),
        };
        self.raise(
            now,
            Cause::of(AlertKind::DeviceLost, table, &id),
            Severity::Warning,
            text,
            None,
        );
        self.end_clashes_with(now, &id);
    }

    pub(in crate::hub) fn handle_battery(
        &mut self,
        now: Now,
        table: Option<TableNo>,
        device: &DeviceId,
        battery: Battery,
    ) {
        let Some(percent) = battery.percent else {
            return;
        };
        let before = self
            .state
            .devices
            .get(device)
            .and_then(|device| device.battery);
        if before.is_none_or(|before| before / 10 != percent / 10) {
            let fact = Fact::Device(DeviceFact::Battery { percent });
            self.emit(now, table, Some(device.clone()), fact);
        }
        let cause = Cause::of(AlertKind::DeviceBattery, table, device);
        if percent < BATTERY_LOW && !battery.charging {
            let text = format!("The battery of {device} is at {percent} %.");
            self.raise(now, cause, Severity::Warning, text, None);
        } else {
            self.clear(now, &cause);
        }
    }

    /// What a board remembers of the time in which it was not heard. It is told now, and goes to tracker and
    /// clock as of its own moment.
    fn handle_recalled(&mut self, now: Now, at: Mono, table: TableNo, what: Recalled) {
        let then = Now { mono: at, ..now };
        let Some(live) = self.live.get_mut(table) else {
            return;
        };
        match what {
            Recalled::Board { placement, change } => {
                if change.is_none() {
                    live.tracker.handle_recalled(at);
                }
                let change = change.map(Change::Man);
                self.show_picture(then, table, Picture::Men(placement), change);
            }
            Recalled::Clock(reading) => {
                live.clock.handle_reading(at, &reading);
                live.recalling = true;
                self.drain_clock_at(then, at, table);
                if let Some(live) = self.live.get_mut(table) {
                    live.recalling = false;
                }
            }
        }
    }

    pub(in crate::hub) fn handle_magic(&mut self, now: Now, table: TableNo, piece: MagicPiece) {
        let result = match piece {
            MagicPiece::Draw => GameResult::Draw,
            MagicPiece::WhiteWins => GameResult::WhiteWins,
            MagicPiece::BlackWins => GameResult::BlackWins,
        };
        let position = self.position(table);
        let text = "The result was shown with the result piece.".to_owned();
        self.propose_result(now, table, result, Termination::Unknown, position, text);
    }
}

/// Digits of a short serial number.
const SHORT_SERIAL: usize = 5;

/// Whether two devices say that they are one.
pub(super) fn same_device(a: &DeviceInfo, b: &DeviceInfo) -> bool {
    a.family == b.family && same_serial(a.serial.as_deref(), b.serial.as_deref())
}

/// Whether two serial numbers are one, or the short and the long form of one.
fn same_serial(a: Option<&str>, b: Option<&str>) -> bool {
    let (Some(a), Some(b)) = (a, b) else {
        return false;
    };
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    short == long || (short.len() == SHORT_SERIAL && long.ends_with(short))
}

fn device_id(info: &DeviceInfo, port: &str) -> DeviceId {
    let family = info.family.split('-').next().unwrap_or_default();
    let name = info.serial.as_deref().unwrap_or(port);
    let slug: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                '-'
            }
        })
        .collect();
    DeviceId(format!("{family}-{}", slug.trim_matches('-')))
}
