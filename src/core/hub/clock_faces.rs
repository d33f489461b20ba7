//! The minutes until the start on the DGT clocks of the tables, where the configuration wants it. It ends
//! five minutes before the start, when players set and check their clocks.

use std::time::Duration;

use super::{Hub, event::Mark};
use crate::{
    protocol::ClockCommand,
    types::{Mono, Now},
};

/// The clocks that take a text.
const FAMILY: &str = "dgt-board";
const MINUTE: Duration = Duration::from_mins(1);

impl Hub {
    /// The start was set, moved, held or said: the clocks are looked at anew.
    pub(super) fn touch_clock_faces(&mut self) {
        self.clock_faces_at = self.settings.clock_countdown.then_some(Mono::ZERO);
    }

    /// Shows the minutes that are left, or takes them away.
    pub(super) fn handle_clock_faces(&mut self, now: Now) {
        if self.clock_faces_at.is_none_or(|at| at > now.mono) {
            return;
        }
        let wanted = self
            .countdown
            .filter(|_| self.settings.clock_countdown)
            .map(|start| start.since(now.mono))
            .filter(|left| (last_shown()..=first_shown()).contains(left))
            .map(|left| left.as_millis().div_ceil(MINUTE.as_millis()));
        self.clock_faces_at = self.next_look(now, wanted);
        if wanted == self.clock_faces {
            return;
        }
        self.clock_faces = wanted;
        let command = match wanted {
            Some(minutes) => ClockCommand::Display {
                text: format!("{minutes:>3} min"),
                beep: false,
            },
            None => ClockCommand::EndDisplay,
        };
        let ports: Vec<String> = (self.ports.iter())
            .filter(|(_, id)| {
                let device = self.state.devices.get(*id);
                device.is_some_and(|device| {
                    let live = device.table.and_then(|table| self.live.get(table));
                    // A clock that runs shows its own time.
                    device.info.family == FAMILY
                        && live.and_then(|live| live.running(now)).is_none()
                })
            })
            .map(|(port, _)| port.clone())
            .collect();
        for port in ports {
            self.clock_commands.push_back((port, command.clone()));
        }
    }

    /// When the minutes change; one millisecond later than the minute that is over.
    fn next_look(&self, now: Now, shown: Option<u128>) -> Option<Mono> {
        let start = self.countdown.filter(|_| self.settings.clock_countdown)?;
        let left = match shown {
            None if start.since(now.mono) > first_shown() => {
                return Some(before(start, first_shown()));
            }
            None => return None,
            Some(minutes) => MINUTE * u32::try_from(minutes).ok()?.saturating_sub(1),
        };
        Some(before(start, left.max(last_shown())) + Duration::from_millis(1))
    }
}

fn before(start: Mono, time: Duration) -> Mono {
    Mono(start.0.saturating_sub(time))
}

/// The first minutes that are shown.
fn first_shown() -> Duration {
    Mark::Seats.before_start()
}

/// The last ones.
fn last_shown() -> Duration {
    Mark::FiveMinutes.before_start()
}
