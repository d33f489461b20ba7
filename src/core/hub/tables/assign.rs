//! Which board stands at which table: said on the console, or with the white king.
//!
//! An arbiter walks through the hall, says a table's number and lifts the white king there: whichever board tells
//! that is the table's. It stays so over days. A board that is known to stand elsewhere is asked about.

use std::time::Duration;

use super::{devices::same_device, tracker::Picture};
use crate::{
    hub::{
        Hub,
        alerts::Cause,
        command::Refused,
        event::{AlertKind, DeviceFact, Fact},
        view::Severity,
    },
    protocol::{DeviceInfo, Observation},
    types::{Bitboard, Color, DeviceId, Mono, Now, Placement, Square, TableNo},
};

/// How long the king is waited for.
const KING_WAIT: Duration = Duration::from_mins(2);
/// Two boards with one number may be one that was put into another port: so long its old port is given to
/// notice.
const CLASH_WAIT: Duration = Duration::from_secs(10);

/// A table whose board is to show itself.
#[derive(Clone, Debug)]
pub(in crate::hub) struct AwaitedKing {
    table: TableNo,
    until: Mono,
    by: String,
}

/// A device with the identity of one that talks elsewhere.
#[derive(Clone, Debug)]
pub(in crate::hub) struct Clash {
    info: DeviceInfo,
    until: Mono,
    /// What it has told meanwhile.
    board: Option<Observation>,
    clock: Option<Observation>,
}

impl Hub {
    /// The next board whose white king is lifted from the start position stands at this table.
    pub(in crate::hub) fn await_king(
        &mut self,
        now: Now,
        table: TableNo,
        by: &str,
    ) -> Result<(), Refused> {
        if table.0 == 0 {
            return Err(Refused::Invalid("there is no table 0".to_owned()));
        }
        self.awaited_king = Some(AwaitedKing {
            table,
            until: now.mono + KING_WAIT,
            by: by.to_owned(),
        });
        Ok(())
    }

    /// A board shows something: perhaps a king is in an arbiter's hand.
    pub(super) fn look_for_king(&mut self, now: Now, device: &DeviceId, seen: &Observation) {
        let Some(awaited) = self.awaited_king.clone() else {
            return;
        };
        if now.mono >= awaited.until {
            self.awaited_king = None;
            return;
        }
        if !Picture::of(seen).is_some_and(|picture| king_lifted(&picture)) {
            return;
        }
        self.awaited_king = None;
        let known = self.state.devices.get(device).and_then(|it| it.table);
        let cause = Cause::of(AlertKind::DeviceMoved, Some(awaited.table), device);
        match known {
            Some(table) if table == awaited.table => {}
            Some(table) => {
                let text = format!(
                    "{device} stands at table {table}, and its king was lifted for table {}. Where does \
                     it stand?",
                    awaited.table
                );
                self.raise(now, cause, Severity::Notice, text, None);
            }
            None => {
                let assigned = self.assign(now, device, Some(awaited.table), &awaited.by);
                if let Err(refused) = assigned {
                    let text = format!(
                        "{device} cannot be put at table {}: {refused}",
                        awaited.table
                    );
                    self.raise(now, cause, Severity::Notice, text, None);
                }
            }
        }
    }

    /// A device says that it is one that talks elsewhere. It may be that one, just put into another port;
    /// two with one number are told apart by their ports.
    pub(super) fn begin_clash(&mut self, now: Now, port: &str, id: &DeviceId, info: DeviceInfo) {
        let clash = Clash {
            info,
            until: now.mono + CLASH_WAIT,
            board: None,
            clock: None,
        };
        if self.clashes.insert(port.to_owned(), clash).is_none() {
            let fact = DeviceFact::Quarantined {
                port: port.to_owned(),
            };
            self.emit(now, None, Some(id.clone()), Fact::Device(fact));
        }
    }

    /// Something that a device in a clash told: kept for when it is known who it is.
    pub(super) fn hear_in_clash(&mut self, port: &str, seen: &Observation) {
        let Some(clash) = self.clashes.get_mut(port) else {
            return;
        };
        match seen {
            Observation::Placement { .. } | Observation::Occupancy { .. } => {
                clash.board = Some(seen.clone());
            }
            Observation::Clock(_) => clash.clock = Some(seen.clone()),
            _ => {}
        }
    }

    /// A device is gone from its port: who had its number elsewhere was it.
    pub(super) fn end_clashes_with(&mut self, now: Now, gone: &DeviceId) {
        let Some(device) = self.state.devices.get(gone) else {
            return;
        };
        let same = self
            .clashes
            .iter()
            .find(|(_, clash)| same_device(&device.info, &clash.info))
            .map(|(port, _)| port.clone());
        if let Some(port) = same
            && let Some(clash) = self.clashes.remove(&port)
        {
            self.handle_found(now, &port, clash.info.clone());
            self.tell_after_clash(now, &port, clash);
        }
    }

    fn tell_after_clash(&mut self, now: Now, port: &str, clash: Clash) {
        for seen in clash.board.into_iter().chain(clash.clock) {
            self.handle_observation(now, port, seen);
        }
    }

    pub(in crate::hub) fn clash_timeout(&self) -> Option<Mono> {
        self.clashes.values().map(|clash| clash.until).min()
    }

    /// Both have gone on talking: they are two.
    pub(in crate::hub) fn handle_clashes(&mut self, now: Now) {
        let due: Vec<String> = self
            .clashes
            .iter()
            .filter(|(_, clash)| clash.until <= now.mono)
            .map(|(port, _)| port.clone())
            .collect();
        for port in due {
            let Some(clash) = self.clashes.remove(&port) else {
                continue;
            };
            let (first, info) = self.recognise(&port, clash.info.clone());
            let second = DeviceId(format!("{first}-{}", port_slug(&port)));
            let text = format!(
                "Two devices call themselves {first}. The one on {port} is {second} from now on: keep each \
                 in its port."
            );
            let cause = Cause::of(AlertKind::DeviceClash, None, &second);
            self.raise(now, cause, Severity::Warning, text, None);
            self.take_in(now, &port, second, info);
            self.tell_after_clash(now, &port, clash);
        }
    }
}

/// The last part of a port's name, as it can stand in the name of a device.
fn port_slug(port: &str) -> String {
    let last = port
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or(port);
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '-'
        }
    };
    last.chars()
        .map(plain)
        .collect::<String>()
        .trim_matches('-')
        .to_owned()
}

/// The start position with nothing but White's king away, whichever way the board stands. Where a board does not
/// know its men, the black queen of a board that stands the other way would look the same.
fn king_lifted(picture: &Picture) -> bool {
    let start = Placement::new();
    match picture {
        Picture::Men(placement) => [false, true].into_iter().any(|turned| {
            let mut wanted = start.clone();
            wanted.discard_piece_at(Square::E1);
            if turned {
                wanted.rotate_180();
            }
            *placement == wanted && placement.king_of(Color::White).is_none()
        }),
        Picture::Squares(occupied) => [Square::E1, Square::D8]
            .into_iter()
            .any(|king| *occupied == start.occupied() & !Bitboard::from(king)),
    }
}
