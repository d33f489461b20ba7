//! A clock with the open clock profile on a serial line: exact times, numbered events that it keeps, and
//! commands that it obeys when it may.
//!
//! Written from the profile alone. [`OpenClock`] is driven by hands ([`OpenClock::press`] and the like), by the
//! bytes of a host and by time.

mod serve;
mod wire;

use std::{collections::VecDeque, time::Duration};

use serde_json::json;

use self::wire::{Asked, Ear, Heard, OPS, Said, letter};
pub use self::{serve::serve, wire::Talk};
use crate::clock::Side;

/// After the arbiter has held two buttons, changes are obeyed so long.
const PERMIT: Duration = Duration::from_mins(2);
const OK: u8 = 0;
const UNSUPPORTED: u8 = 1;
const BAD_VALUE: u8 = 2;
const NOT_NOW: u8 = 3;
const STALE: u8 = 4;
const NOT_PERMITTED: u8 = 5;

/// What a clock is like.
#[derive(Debug, Clone)]
pub struct OpenClockPlan {
    /// At most nine characters.
    pub serial: String,
    /// How it talks.
    pub talk: Talk,
    /// Both sides' time.
    pub base: Duration,
    /// Added at each press.
    pub increment: Duration,
    /// Both sides stop at the first flag.
    pub freeze: bool,
    /// Events that it keeps.
    pub log_depth: u8,
}

/// An event as the clock keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// Its number.
    pub number: u16,
    /// When, ms since the start of the clock.
    pub at_ms: u32,
    /// The code of its kind.
    pub kind: u8,
    /// 0 none, 1 left, 2 right, 3 both.
    pub sides: u8,
    /// 0 player, 1 arbiter, 2 host, 3 clock.
    pub by: u8,
    /// Both times after it, ms.
    pub left_right: [i32; 2],
    /// Moves of the side.
    pub moves: Option<u16>,
    /// Argument.
    pub arg: i16,
}

/// The clock.
#[derive(Debug, Clone)]
pub struct OpenClock {
    plan: OpenClockPlan,
    boot_id: u32,
    booted: Duration,
    as_of: Duration,
    times: [i64; 2],
    moves: [u16; 2],
    running: Option<Side>,
    paused: bool,
    started: bool,
    flags: [bool; 2],
    first_flag: u8,
    call_open: bool,
    newest: u16,
    frame: u8,
    kept: VecDeque<Kept>,
    cut: bool,
    permitted: Option<Duration>,
    next_state: Duration,
    ear: Ear,
    out: VecDeque<Vec<u8>>,
    display: String,
}

const KINDS: [&str; 16] = [
    "boot",
    "setup",
    "start",
    "press",
    "pause",
    "resume",
    "flag",
    "period",
    "time_correction",
    "move_correction",
    "result",
    "claim",
    "arbiter_call",
    "battery",
    "colours",
    "acknowledged",
];

fn place(side: Side) -> usize {
    match side {
        Side::Left => 0,
        Side::Right => 1,
    }
}

fn bits(side: Option<Side>) -> u8 {
    side.map_or(0, |side| place(side) as u8 + 1)
}

impl OpenClock {
    /// A clock that has just been switched on.
    pub fn new(now: Duration, plan: OpenClockPlan, boot_id: u32) -> Self {
        let base = plan.base.as_millis() as i64;
        let mut clock = Self {
            plan,
            boot_id,
            booted: now,
            as_of: now,
            times: [base; 2],
            moves: [0; 2],
            running: None,
            paused: false,
            started: false,
            flags: [false; 2],
            first_flag: 0,
            call_open: false,
            newest: 0,
            frame: 0,
            kept: VecDeque::new(),
            cut: false,
            permitted: None,
            next_state: now,
            ear: Ear::default(),
            out: VecDeque::new(),
            display: String::new(),
        };
        clock.say_info();
        clock.record(1, 0, 3, None, 1);
        clock
    }

    /// Power fails for a moment in play: it comes back paused with its times, with a new log.
    pub fn brown_out(&mut self, now: Duration, boot_id: u32) {
        self.advance(now);
        let mut fresh = Self::new(now, self.plan.clone(), boot_id);
        fresh.times = self.times;
        fresh.moves = self.moves;
        fresh.flags = self.flags;
        fresh.first_flag = self.first_flag;
        fresh.started = self.started;
        fresh.paused = self.started;
        *self = fresh;
    }

    /// Both times at `now`, ms.
    pub fn times_ms(&mut self, now: Duration) -> [i64; 2] {
        self.advance(now);
        self.times
    }

    /// All events since the start that it still has.
    pub fn events(&self) -> impl Iterator<Item = &Kept> {
        self.kept.iter()
    }

    /// Whose time runs.
    pub fn running(&self) -> Option<Side> {
        self.running
    }

    /// Whose flags are down, left and right.
    pub fn flags(&self) -> [bool; 2] {
        self.flags
    }

    /// The arbiter sets the clock for the next game.
    pub fn set_again(&mut self, now: Duration) {
        self.advance(now);
        self.times = [self.plan.base.as_millis() as i64; 2];
        self.moves = [0; 2];
        self.flags = [false; 2];
        self.first_flag = 0;
        (self.running, self.paused, self.started) = (None, false, false);
        self.record(2, 0, 1, None, 0);
    }

    /// The text on the display.
    pub fn display(&self) -> &str {
        &self.display
    }

    /// The arbiter holds the two buttons.
    pub fn hold_buttons(&mut self, now: Duration) {
        self.permitted = Some(now + PERMIT);
    }

    /// The first side's time begins to run.
    pub fn start(&mut self, now: Duration, side: Side) {
        self.advance(now);
        self.running = Some(side);
        self.started = true;
        self.record(3, bits(self.running), 1, None, 0);
    }

    /// A player presses. Nothing happens unless his time runs.
    pub fn press(&mut self, now: Duration, side: Side) -> bool {
        self.advance(now);
        if self.running != Some(side) {
            return false;
        }
        let at = place(side);
        self.moves[at] += 1;
        if !self.flags[at] {
            self.times[at] += self.plan.increment.as_millis() as i64;
        }
        self.running = Some(side.other());
        self.record(4, bits(Some(side)), 0, Some(side), 0);
        true
    }

    /// The arbiter stops the clock.
    pub fn pause(&mut self, now: Duration) {
        self.stop(now, 1);
    }

    fn stop(&mut self, now: Duration, by: u8) {
        self.advance(now);
        let running = bits(self.running.take());
        self.paused = true;
        self.record(5, running, by, None, 0);
    }

    fn run(&mut self, now: Duration, side: Side, by: u8) {
        self.advance(now);
        self.running = Some(side);
        self.paused = false;
        self.record(6, bits(Some(side)), by, None, 0);
    }

    /// The arbiter lets the clock run again.
    pub fn resume(&mut self, now: Duration, side: Side) {
        self.run(now, side, 1);
    }

    /// A player calls the arbiter.
    pub fn call(&mut self, now: Duration, side: Side) {
        self.advance(now);
        self.call_open = true;
        self.record(13, bits(Some(side)), 0, Some(side), 0);
    }

    /// The line was opened by somebody: what was said before is gone.
    pub fn unplugged(&mut self) {
        self.out.clear();
        self.ear = Ear::default();
    }

    /// The next bytes to the host.
    pub fn poll_transmit(&mut self) -> Option<Vec<u8>> {
        self.out.pop_front()
    }

    /// When something happens by itself.
    pub fn next_event(&self) -> Duration {
        let zero = self.running.and_then(|side| {
            let left = u64::try_from(self.times[place(side)]).ok()?;
            (!self.flags[place(side)]).then(|| self.as_of + Duration::from_millis(left))
        });
        zero.map_or(self.next_state, |zero| zero.min(self.next_state))
    }

    /// Lets the time pass.
    pub fn advance(&mut self, now: Duration) {
        while let Some(side) = self.running {
            let at = place(side);
            let left = Duration::from_millis(u64::try_from(self.times[at]).unwrap_or(0));
            if self.flags[at] || self.as_of + left > now {
                break;
            }
            self.pass(left);
            self.flags[at] = true;
            let first = self.first_flag == 0;
            if first {
                self.first_flag = bits(Some(side));
            }
            if self.plan.freeze {
                self.running = None;
            }
            self.record(
                7,
                bits(Some(side)),
                3,
                Some(side),
                if first { 1 } else { 2 },
            );
        }
        self.pass(now.saturating_sub(self.as_of));
        if now >= self.next_state {
            self.say_state();
        }
    }

    fn pass(&mut self, by: Duration) {
        // Whole milliseconds, as the clock counts them.
        let by = Duration::from_millis(by.as_millis() as u64);
        self.as_of += by;
        if let Some(side) = self.running {
            let at = place(side);
            self.times[at] -= by.as_millis() as i64;
            if self.flags[at] {
                self.times[at] = self.times[at].max(0);
            }
        }
    }

    fn device_ms(&self) -> u32 {
        (self.as_of.saturating_sub(self.booted)).as_millis() as u32
    }

    fn record(&mut self, kind: u8, sides: u8, by: u8, mover: Option<Side>, arg: i16) {
        self.newest = if self.newest == u16::MAX {
            1
        } else {
            self.newest + 1
        };
        let kept = Kept {
            number: self.newest,
            at_ms: self.device_ms(),
            kind,
            sides,
            by,
            left_right: self.times.map(|time| time as i32),
            moves: mover.map(|side| self.moves[place(side)]),
            arg,
        };
        self.kept.push_back(kept);
        if self.kept.len() > usize::from(self.plan.log_depth) {
            self.kept.pop_front();
            self.cut = true;
        }
        self.say_event(&kept);
        self.say_state();
    }

    fn say(&mut self, said: &Said) {
        let bytes = self.plan.talk.put(said);
        self.out.push_back(bytes);
    }

    fn say_info(&mut self) {
        let capabilities = 0x00df_u16;
        let mut bytes = vec![1, 0];
        bytes.extend(capabilities.to_le_bytes());
        bytes.extend(1_u16.to_le_bytes());
        bytes.extend(self.boot_id.to_le_bytes());
        bytes.push(self.plan.log_depth);
        bytes.extend(self.plan.serial.bytes());
        bytes.resize(20, 0);
        let line = json!({
            "k": "info", "major": 1, "minor": 0, "cap": capabilities, "res": 1,
            "boot": self.boot_id, "depth": self.plan.log_depth, "serial": self.plan.serial,
        });
        self.say(&Said {
            kind: 1,
            bytes,
            line,
        });
    }

    fn say_state(&mut self) {
        let often = if self.running.is_some() { 1 } else { 5 };
        self.next_state = self.as_of + Duration::from_secs(often);
        let flags = u8::from(self.flags[0]) | u8::from(self.flags[1]) << 1;
        let running = bits(self.running);
        let [left, right] = self.times.map(|time| time as i32);
        let [left_moves, right_moves] = self.moves.map(|moves| moves as u8);
        let mut bytes = vec![self.frame];
        bytes.extend(self.newest.to_le_bytes());
        bytes.extend(self.device_ms().to_le_bytes());
        bytes.extend(left.to_le_bytes());
        bytes.extend(right.to_le_bytes());
        bytes.extend([left_moves, right_moves, 0x11]);
        let low = running
            | u8::from(self.paused) << 2
            | u8::from(self.started) << 3
            | flags << 4
            | self.first_flag << 6;
        let high = 1
            | u8::from(self.call_open) << 5
            | u8::from(self.plan.freeze) << 6
            | u8::from(self.cut) << 7;
        bytes.extend([low, high]);
        let line = json!({
            "k": "state", "f": self.frame, "e": self.newest, "t": self.device_ms(),
            "l": left, "r": right, "lm": left_moves, "rm": right_moves, "lp": 1, "rp": 1,
            "run": letter(running), "paused": self.paused, "started": self.started,
            "flags": letter(flags), "first": letter(self.first_flag), "white": "l", "bat": "ok",
            "edit": false, "call": self.call_open, "freeze": self.plan.freeze, "cut": self.cut,
        });
        self.frame = self.frame.wrapping_add(1);
        self.say(&Said {
            kind: 2,
            bytes,
            line,
        });
    }

    fn say_event(&mut self, event: &Kept) {
        let [left, right] = event.left_right;
        let mut bytes = event.number.to_le_bytes().to_vec();
        bytes.extend(event.at_ms.to_le_bytes());
        bytes.extend([event.kind, event.sides | event.by << 4]);
        bytes.extend(left.to_le_bytes());
        bytes.extend(right.to_le_bytes());
        bytes.extend(event.moves.unwrap_or(0xffff).to_le_bytes());
        bytes.extend(event.arg.to_le_bytes());
        let by = ["player", "arbiter", "host", "clock"][usize::from(event.by & 3)];
        let mut line = json!({
            "k": "event", "e": event.number, "t": event.at_ms,
            "type": KINDS[usize::from(event.kind) - 1], "side": letter(event.sides),
            "by": by,
            "l": left, "r": right,
        });
        if let Some(moves) = event.moves {
            line["m"] = json!(moves);
        }
        if event.arg != 0 {
            line["arg"] = json!(event.arg);
        }
        self.say(&Said {
            kind: 3,
            bytes,
            line,
        });
    }

    /// Bytes of a host came.
    pub fn handle_bytes(&mut self, now: Duration, bytes: &[u8]) {
        self.advance(now);
        for heard in self.ear.hear(bytes, self.plan.talk) {
            match heard {
                Heard::Command(asked) => self.obey(now, &asked),
                Heard::Settings(settings) => self.set_up(now, &settings),
            }
        }
    }

    fn may_change(&self, now: Duration) -> bool {
        self.permitted.is_some_and(|until| now < until)
    }

    fn set_up(&mut self, now: Duration, settings: &[u8]) {
        let [
            1,
            periods,
            _,
            program,
            0,
            _,
            tenths_low,
            tenths_high,
            times @ ..,
        ] = settings
        else {
            return;
        };
        // This clock knows one period only.
        let (1, 8) = (*periods, times.len()) else {
            return;
        };
        let (left, right) = times.split_at(4);
        if !self.may_change(now) || self.running.is_some() {
            return;
        }
        let tenths = u16::from_le_bytes([*tenths_low, *tenths_high]);
        self.plan.increment = Duration::from_millis(u64::from(tenths) * 100);
        self.times = [left, right].map(|time| number(time).map_or(0, i64::from));
        self.moves = [0; 2];
        self.flags = [false; 2];
        self.first_flag = 0;
        self.started = false;
        self.record(2, 0, 2, None, i16::from(*program));
    }

    fn obey(&mut self, now: Duration, asked: &Asked) {
        let name = OPS.get(usize::from(asked.op)).copied();
        let reads = matches!(
            name,
            Some("get_info" | "get_state" | "replay" | "time_sync" | "display" | "identify")
        );
        let status = match name {
            None => UNSUPPORTED,
            Some(_) if !reads && !self.may_change(now) => NOT_PERMITTED,
            Some(name) => self.carry_out(now, name, &asked.params),
        };
        let mut bytes = vec![asked.op | 0x80, asked.tag, status, 0];
        bytes.extend(self.newest.to_le_bytes());
        bytes.extend(self.device_ms().to_le_bytes());
        let mut line = json!({
            "k": "ack", "tag": asked.tag, "op": name.unwrap_or("unknown"), "ok": status == OK,
            "e": self.newest, "t": self.device_ms(),
        });
        if status != OK {
            let words = [
                "unsupported",
                "bad_value",
                "not_now",
                "stale",
                "not_permitted",
            ];
            line["status"] = json!(words[usize::from(status) - 1]);
        }
        self.say(&Said {
            kind: 6,
            bytes,
            line,
        });
    }

    fn carry_out(&mut self, now: Duration, name: &str, params: &[u8]) -> u8 {
        let side = |code: u8| match code {
            1 => Some(Side::Left),
            2 => Some(Side::Right),
            _ => None,
        };
        match (name, params) {
            ("get_info", []) => self.say_info(),
            ("get_state", []) => self.say_state(),
            ("replay", [low, high]) => {
                let from = u16::from_le_bytes([*low, *high]);
                // Numbers begin again after the last, so what is wanted are the newest so many.
                let wanted = self.newest.wrapping_sub(from).wrapping_add(1);
                let skip = self.kept.len().saturating_sub(usize::from(wanted));
                for event in self.kept.iter().skip(skip).copied().collect::<Vec<_>>() {
                    self.say_event(&event);
                }
            }
            ("set_times", [times @ .., run, low, high]) if times.len() == 8 => {
                let only_if = u16::from_le_bytes([*low, *high]);
                if only_if != 0xffff && only_if != self.newest {
                    return STALE;
                }
                let (left, right) = times.split_at(4);
                let [Some(left), Some(right)] = [left, right].map(number) else {
                    return BAD_VALUE;
                };
                if left < 0 || right < 0 {
                    return BAD_VALUE;
                }
                let change = [
                    i64::from(left) - self.times[0],
                    i64::from(right) - self.times[1],
                ];
                self.times = [i64::from(left), i64::from(right)];
                self.running = side(*run);
                for at in 0..2 {
                    self.flags[at] &= self.times[at] == 0;
                }
                let (sides, most) = match change {
                    [0, right] => (2, right),
                    [left, 0] => (1, left),
                    [left, _] => (3, left),
                };
                self.corrected(sides, most);
            }
            ("add_time", [code, ms @ .., 1..=3]) => {
                let (Some(side), Some(ms)) = (side(*code), number(ms)) else {
                    return BAD_VALUE;
                };
                let time = &mut self.times[place(side)];
                *time = (*time + i64::from(ms)).max(0);
                self.corrected(*code, i64::from(ms));
            }
            ("pause", []) if self.running.is_some() => self.stop(now, 2),
            ("resume", [code]) if self.running.is_none() => match side(*code) {
                Some(side) => self.run(now, side, 2),
                None => return BAD_VALUE,
            },
            ("pause", []) | ("resume", [_]) => return NOT_NOW,
            ("set_moves", [code, low, high]) => {
                let Some(side) = side(*code) else {
                    return BAD_VALUE;
                };
                let moves = u16::from_le_bytes([*low, *high]);
                let before = std::mem::replace(&mut self.moves[place(side)], moves);
                self.record(
                    10,
                    *code,
                    2,
                    Some(side),
                    moves.wrapping_sub(before).cast_signed(),
                );
            }
            ("acknowledge", [low, high]) => {
                self.call_open = false;
                let number = u16::from_le_bytes([*low, *high]) & 0x7fff;
                self.record(16, 0, 2, None, number.cast_signed());
            }
            ("display", text) => self.display = String::from_utf8_lossy(text).into_owned(),
            ("time_sync" | "identify", _) => {}
            ("set_period" | "clear_flags" | "new_game" | "lock", _) => return UNSUPPORTED,
            _ => return BAD_VALUE,
        }
        OK
    }

    fn corrected(&mut self, sides: u8, ms: i64) {
        let seconds = (ms / 1000).clamp(-32767, 32767) as i16;
        self.record(9, sides, 2, None, seconds);
    }
}

fn number(bytes: &[u8]) -> Option<i32> {
    bytes.try_into().ok().map(i32::from_le_bytes)
}
