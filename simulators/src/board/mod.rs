//! The electronics of a DGT board: commands in, messages out, squares seen by a slow scan.
//!
//! A pure object: the caller tells the time, brings bytes and fetches bytes. Everything inside happens
//! at its own exact instant, however seldom the caller looks, so the bytes do not depend on how often it
//! does. Written from `dgt-serial`: single-board mode whole, of the bus what finds a board and asks
//! it for position and clock.

mod bus;
mod frames;
mod identity;
mod input;
mod line;
mod log;
pub mod pieces;
mod plug;
mod scan;
mod sensors;

pub use identity::Identity;
pub use sensors::Noise;

use std::{collections::VecDeque, time::Duration};

use rand::Rng as _;
use rand_chacha::ChaCha8Rng;

use crate::{
    clock::{AutoAck, Button, Side, SimClock, WireTime},
    seed,
};

use frames::{id, single};
use input::{Command, Input};
use line::{BYTE, Line};
use log::EventLog;
use plug::Plug;
use scan::Scan;
use sensors::Sensors;

/// Which messages come unasked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// None (40).
    Idle,
    /// Squares, and the clock at least every second (43).
    Update,
    /// Squares only (44).
    UpdateBoard,
    /// Squares, and the clock when it changes (4b).
    UpdateNice,
    /// Asleep on the bus until addressed (4a).
    Bus,
}

/// A board with its clock.
#[derive(Debug, Clone)]
pub struct SimBoard {
    identity: Identity,
    mode: Mode,
    powered: bool,
    mute: bool,
    now: Duration,
    powered_at: Duration,
    actual: [u8; 64],
    seen: [u8; 64],
    scan: Scan,
    sensors: Sensors,
    plug: Plug,
    log: EventLog,
    input: Input,
    arriving: VecDeque<(Duration, u8)>,
    waiting: VecDeque<Command>,
    line: Line,
    deaf_until: Duration,
    last_clock: WireTime,
    last_clock_at: Duration,
    bus: bus::Bus,
    rng: ChaCha8Rng,
}

/// Commands that wait while an answer is on the line; more are lost.
const INPUT_BUFFER: usize = 10;
/// From a command to the first bit of its answer.
const THINKS: Duration = Duration::from_millis(2);
/// In update mode the clock is told at least so often.
const HEARTBEAT: Duration = Duration::from_secs(1);

impl SimBoard {
    /// The board of a table in the hall that `seed` names, with this clock, and men already standing
    /// as in `cells` (wire order).
    pub fn new(seed: u64, table: u16, clock: SimClock, cells: [u8; 64]) -> Self {
        let identity = Identity::seeded(seed, table);
        let mut rng = seed::rng(seed, &[ELECTRONICS, u64::from(table)]);
        let period = Duration::from_micros(rng.random_range(200_000..=250_000));
        let phase = Duration::from_micros(rng.random_range(0..250_000));
        let lag = Duration::from_millis(rng.random_range(50..=700));
        let mut log = EventLog::default();
        log.power_up(&cells);
        Self {
            identity,
            mode: Mode::Idle,
            powered: true,
            mute: false,
            now: Duration::ZERO,
            powered_at: Duration::ZERO,
            actual: cells,
            seen: cells,
            scan: Scan::new(period, phase),
            sensors: Sensors::new(
                Noise::none(),
                Duration::ZERO,
                seed::rng(seed, &[SENSORS, u64::from(table)]),
            ),
            plug: Plug::new(clock, lag),
            log,
            input: Input::default(),
            arriving: VecDeque::new(),
            waiting: VecDeque::new(),
            line: Line::default(),
            deaf_until: Duration::ZERO,
            last_clock: WireTime::NO_CLOCK,
            last_clock_at: Duration::ZERO,
            bus: bus::Bus::default(),
            rng,
        }
    }

    /// Bytes from the host, all of them put on the line at `now`.
    pub fn handle_bytes(&mut self, now: Duration, bytes: &[u8]) {
        self.handle_timeout(now);
        if !self.powered || self.mute {
            return;
        }
        let mut at = self.arriving.back().map_or(now, |&(at, _)| at.max(now));
        for &byte in bytes {
            at += BYTE;
            self.arriving.push_back((at, byte));
        }
    }

    /// Lets everything happen that is due by `now`.
    pub fn handle_timeout(&mut self, now: Duration) {
        while let Some(at) = self.next_inside().filter(|&at| at <= now) {
            self.now = self.now.max(at);
            self.step();
        }
        self.now = self.now.max(now);
        self.plug.advance(self.now);
    }

    /// The bytes that have left the board by `now`, if any.
    pub fn poll_transmit(&mut self, now: Duration) -> Option<Vec<u8>> {
        self.handle_timeout(now);
        let bytes = self.line.take(now);
        let bytes = self.sensors.carry(bytes);
        (!bytes.is_empty() && !self.mute).then_some(bytes)
    }

    /// When to call [`SimBoard::handle_timeout`] and [`SimBoard::poll_transmit`] again.
    pub fn poll_timeout(&self) -> Option<Duration> {
        self.line.next().into_iter().chain(self.next_inside()).min()
    }

    /// A hand puts `piece` (0: nothing) on a square in wire order.
    pub fn set_square(&mut self, now: Duration, index: u8, piece: u8) {
        self.handle_timeout(now);
        let Some(cell) = self.actual.get_mut(usize::from(index)) else {
            return;
        };
        if *cell != piece {
            *cell = piece;
            self.sensors.put(now, index, piece, self.scan.period());
            if self.powered {
                self.scan.touch(now, index);
            }
        }
    }

    /// What really stands on the board, in wire order.
    pub fn placement(&self) -> &[u8; 64] {
        &self.actual
    }

    /// What the scan has seen so far.
    pub fn seen(&self) -> &[u8; 64] {
        &self.seen
    }

    /// Who the board is.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The update mode.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The clock, as of the last call.
    pub fn clock(&self) -> &SimClock {
        self.plug.clock()
    }

    /// Somebody touches the clock; the board hears of it with the usual lag.
    pub fn touch_clock<R>(&mut self, now: Duration, f: impl FnOnce(&mut SimClock) -> R) -> R {
        self.handle_timeout(now);
        self.plug.touch(now, f)
    }

    /// A player presses his side; logged by the board when the lever moves.
    pub fn press(&mut self, now: Duration, side: Side) -> bool {
        let moved = self.touch_clock(now, |clock| clock.press(now, side));
        if moved && self.powered && self.plug.connected() {
            let wire = self.plug.touch(now, |clock| clock.face(now).wire(false));
            let (right, hours, ms) = match side {
                Side::Right => (true, wire.right, wire.right_ms),
                Side::Left => (false, wire.left, wire.left_ms),
            };
            self.log.press(right, hours, ms);
            self.bus.pressed(right, hours, ms);
        }
        moved
    }

    /// A button in front of the clock is pressed and reported. What it does is the caller's affair.
    pub fn press_button(&mut self, now: Duration, button: Button) {
        self.handle_timeout(now);
        self.plug
            .report(now, AutoAck::Button(button).ack(), &mut self.rng);
    }

    /// The clock is put in mode 25 or back in its own option.
    pub fn set_mode_25(&mut self, now: Duration, on: bool) {
        if let Some(report) = self.touch_clock(now, |clock| clock.set_mode_25(now, on)) {
            self.plug.report(now, report.ack(), &mut self.rng);
        }
    }

    /// The cable between board and clock is pulled or put back.
    pub fn connect_clock(&mut self, now: Duration, connected: bool) {
        self.handle_timeout(now);
        if self.plug.connected() == connected {
            return;
        }
        self.plug.connect(connected);
        if connected {
            self.plug.report(now, AutoAck::Ready.ack(), &mut self.rng);
            if self.plug.clock().mode_25() {
                self.plug
                    .report(now, AutoAck::Mode(25).ack(), &mut self.rng);
            }
        }
    }

    /// Power off: the line is cut at once and nothing is seen any more.
    pub fn power_off(&mut self, now: Duration) {
        self.handle_timeout(now);
        self.powered = false;
        self.line.cut();
        self.arriving.clear();
        self.waiting.clear();
        self.input = Input::default();
        self.deaf_until = Duration::ZERO;
    }

    /// Power on: idle, and all squares looked at afresh.
    pub fn power_on(&mut self, now: Duration) {
        self.handle_timeout(now);
        self.powered = true;
        self.powered_at = now;
        self.mode = Mode::Idle;
        self.seen = self.actual;
        self.bus = bus::Bus::default();
        self.log.power_up(&self.seen);
    }

    /// Whether it hears and speaks at all.
    pub fn is_on(&self) -> bool {
        self.powered && !self.mute
    }

    /// A mute board neither hears nor speaks, though the port is open.
    pub fn set_mute(&mut self, now: Duration, mute: bool) {
        self.handle_timeout(now);
        self.line.take(now);
        self.mute = mute;
    }

    /// From now on the board reads its men, and its cable carries what it says, as badly as this.
    pub fn set_noise(&mut self, now: Duration, noise: Noise) {
        self.handle_timeout(now);
        self.sensors = self.sensors.with(noise, now);
    }

    /// Noise on the line: `count` bytes that no board sent.
    pub fn inject_garbage(&mut self, now: Duration, count: usize) {
        self.handle_timeout(now);
        let noise: Vec<u8> = (0..count).map(|_| self.rng.random()).collect();
        self.line.send(now, &noise);
    }

    /// The next instant at which something happens inside.
    fn next_inside(&self) -> Option<Duration> {
        if !self.powered {
            return None;
        }
        let blocked = |at: Duration| at.max(self.deaf_until).max(self.now);
        let free = self.line.free_at();
        [
            self.arriving.front().map(|&(at, _)| at),
            (!self.waiting.is_empty()).then(|| free.max(self.now)),
            self.scan.next().map(blocked),
            self.sensors.next(),
            self.bus.next(),
            self.plug.next_ack(),
            self.plug.next_waiting(),
            self.next_clock_message().map(|at| at.max(free)),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    fn next_clock_message(&self) -> Option<Duration> {
        let heartbeat = match self.mode {
            Mode::Update => Some(self.last_clock_at + HEARTBEAT),
            Mode::UpdateNice => None,
            Mode::Idle | Mode::UpdateBoard | Mode::Bus => return None,
        };
        if self.plug.view(self.now) != self.last_clock {
            return Some(self.now);
        }
        self.plug
            .next_change(self.now)
            .into_iter()
            .chain(heartbeat)
            .min()
    }

    /// Does what is due at `self.now`.
    fn step(&mut self) {
        let now = self.now;
        self.plug.advance(now);
        while let Some(&(_, byte)) = self.arriving.front().filter(|(at, _)| *at <= now) {
            self.arriving.pop_front();
            if let Some(command) = self.input.push(now, byte) {
                self.accept(command);
            }
        }
        if self.line.free_at() <= now
            && let Some(command) = self.waiting.pop_front()
        {
            self.execute(&command);
        }
        for square in self.sensors.advance(now, &self.actual, self.scan.period()) {
            self.scan.touch(now, square);
        }
        if now >= self.deaf_until {
            while let Some(square) = self.scan.pop(now) {
                self.look_at(square);
            }
        }
        if let Some(reply) = self.bus.pop(now) {
            self.line.send(now, &reply);
        }
        self.plug.resume(now, &mut self.rng);
        while let Some(ack) = self.plug.pop_ack(now) {
            if matches!(self.mode, Mode::Update | Mode::UpdateNice) {
                self.line.send(now, &single(id::CLOCK, &ack.bytes()));
            }
        }
        let due = self.next_clock_message().is_some_and(|at| at <= now);
        if due && self.line.free_at() <= now {
            let view = self.plug.view(now);
            let heartbeat = self.mode == Mode::Update && now >= self.last_clock_at + HEARTBEAT;
            if view != self.last_clock || heartbeat {
                self.send_clock(now, view);
            }
        }
    }

    /// Clock commands pass through to the clock; the rest waits for the line.
    fn accept(&mut self, command: Command) {
        match command {
            Command::Clock(data) => {
                self.wake_single();
                self.plug.command(self.now, &data, &mut self.rng);
            }
            Command::Swallowed => self.wake_single(),
            Command::BadSum => {}
            Command::Single(_) | Command::Bus { .. } if self.waiting.len() < INPUT_BUFFER => {
                self.waiting.push_back(command);
            }
            Command::Single(_) | Command::Bus { .. } => {}
        }
    }

    fn wake_single(&mut self) {
        self.bus.single = true;
        if self.mode == Mode::Bus {
            self.mode = Mode::Idle;
        }
    }

    fn execute(&mut self, command: &Command) {
        match *command {
            Command::Single(code) => {
                self.wake_single();
                self.execute_single(code);
            }
            Command::Bus { code, address } => self.execute_bus(code, address),
            Command::Clock(_) | Command::Swallowed | Command::BadSum => {}
        }
    }

    fn execute_single(&mut self, code: u8) {
        let now = self.now + THINKS;
        let identity = &self.identity;
        let reply = match code {
            0x40 => return self.mode = Mode::Idle,
            0x41 => return self.send_clock(now, self.plug.view(self.now)),
            0x42 => single(id::BOARD_DUMP, &self.seen),
            0x43 => return self.enter(Mode::Update),
            0x44 => return self.enter(Mode::UpdateBoard),
            0x45 => single(id::SERIAL, identity.serial_digits().as_bytes()),
            0x46 => single(id::BUS_ADDRESS, &identity.bus_address()),
            0x47 => single(id::TRADEMARK, identity.trademark().as_bytes()),
            0x48 => single(id::HARDWARE, &[identity.hardware.0, identity.hardware.1]),
            0x49 => single(id::EE_MOVES, &self.log.download()),
            0x4a => return self.enter_bus(),
            0x4b => return self.enter(Mode::UpdateNice),
            0x4c => single(id::BATTERY, &self.battery()),
            0x4d => single(id::VERSION, &[identity.version.0, identity.version.1]),
            0x51 | 0x53 | 0x54 => return self.log.all_pieces(&self.seen),
            0x55 => single(id::LONG_SERIAL, identity.long_serial.as_bytes()),
            // Draughts, I²C clocks, the boot loader and what nobody has defined.
            _ => return,
        };
        let done = self.line.send(now, &reply);
        if code == 0x49 {
            // Nothing else is done while the log goes out.
            self.deaf_until = done;
        }
    }

    fn enter(&mut self, mode: Mode) {
        self.mode = mode;
        // Update nice speaks of changes from here on; plain update speaks at once.
        self.last_clock = self.plug.view(self.now);
        self.last_clock_at = if mode == Mode::Update {
            self.now.saturating_sub(HEARTBEAT)
        } else {
            self.now
        };
    }

    fn enter_bus(&mut self) {
        self.mode = Mode::Bus;
        self.bus.single = false;
    }

    fn send_clock(&mut self, now: Duration, view: WireTime) {
        self.line.send(now, &single(id::CLOCK, &view.bytes()));
        self.last_clock = view;
        self.last_clock_at = now;
    }

    fn look_at(&mut self, square: u8) {
        let place = usize::from(square);
        let piece = self.sensors.read(self.now, square, self.actual[place]);
        if self.seen[place] == piece {
            return;
        }
        self.seen[place] = piece;
        self.log.change(self.now, square, piece, &self.seen);
        self.bus.changed(square, piece);
        if matches!(
            self.mode,
            Mode::Update | Mode::UpdateBoard | Mode::UpdateNice
        ) {
            self.line
                .send(self.now, &single(id::FIELD_UPDATE, &[square, piece]));
        }
    }

    /// Percent, hours and minutes left, hours and minutes on, standby, status: discharging.
    fn battery(&self) -> [u8; 9] {
        let on = self.now.saturating_sub(self.powered_at).as_secs() / 60;
        // A full battery lasts twelve hours.
        let full = u64::from(self.identity.battery) * 720 / 100;
        let left = full.saturating_sub(on);
        let part = |value: u64| value.min(0x7e) as u8;
        [
            part(left * 100 / 720),
            part(left / 60),
            part(left % 60),
            part(on / 60),
            part(on % 60),
            0,
            0,
            0,
            0x02,
        ]
    }
}

const ELECTRONICS: u64 = 0x0065_6c65_6374;
const SENSORS: u64 = 0x7365_6e73_6f72;
