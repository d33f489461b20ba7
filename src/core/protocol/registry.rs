//! The device registry: every kind of board and clock that a hall may bring, each declared in its own file.
//!
//! A [`Kind`] says how a device is recognised ([`Recognised`]), what it can do ([`Capabilities`]), how its
//! line is set ([`SerialLine`]) and who talks with it ([`Device::talk`]); the codec is that of
//! [`families`](super::families) or, for DGT, of [`dgt`]. To add a family: one file here with its
//! codec, its `DEVICE` and its `FAMILY`, one line in [`FAMILIES`], its golden vectors and its simulator.
//!
//! # Transports
//! A conversation is a [`Link`]: bytes and time in, bytes and observations out. It does not know what
//! carries the bytes, so another transport needs no change here:
//!
//! - **Serial and TCP** open the port with [`Device::serial`] and hand on what they read.
//! - **GATT characteristics** (BLE) use [`Device::gatt`]: after subscribing to all of [`Gatt::notify`] they
//!   call `handle_open`, then `handle_bytes` once for each notification with its whole value, and write each
//!   item of `poll_transmit` as one value to [`Gatt::write`]. Where [`Gatt::values`] is set a message ends
//!   with its value: `handle_value_end` follows each `handle_bytes`. What is found in the air is matched with
//!   [`Recognised::names`] and [`Gatt::service`] by [`by_advertisement`]. The port's name is the address of
//!   the device and that of its adapter, e.g. `ble://AA:BB:CC:DD:EE:FF`.
//! - **A WebSocket source** (LiveChess) is one link with many devices behind it: each message is one
//!   `handle_bytes`, and what it tells carries the [`Part`](super::Part) that it is about, as the boards of
//!   a bus do. The hub sees each part as a port of its own, `PORT#PART`.

use std::time::Duration;

use super::{
    Link,
    board::{Confidence, Evidence},
    certabo::tags::SharedTags,
    dgt,
    families::{FAMILIES, Family},
};

/// Everything that is known of one kind of device, apart from its codec.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name in configurations, on the command line and in recordings.
    pub name: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// What it is, for people.
    pub title: &'static str,
    /// What its messages bear out.
    pub evidence: Evidence,
    /// How well what we know of it is borne out. None was tried on a device by us.
    pub confidence: Confidence,
    /// How it is found and spoken with.
    pub device: &'static Device,
}

/// Makes a conversation.
pub type Talk = fn(&Habits) -> Box<dyn Link>;

/// How a kind of device is found, opened and spoken with.
#[derive(Clone, Copy, Debug)]
pub struct Device {
    /// How it is recognised.
    pub recognised: Recognised,
    /// What it can do.
    pub can: Capabilities,
    /// Its serial line; `None` when it has none.
    pub serial: Option<SerialLine>,
    /// Its BLE service; `None` when it has none.
    pub gatt: Option<Gatt>,
    /// Makes a conversation; `None` while only its bytes can be read.
    pub talk: Option<Talk>,
}

/// How a device is recognised before it has said a word, and by what it says.
#[derive(Clone, Copy, Debug)]
pub struct Recognised {
    /// USB ids that it is known to have; `None` as product means any product of the vendor. An id may be that
    /// of a common adapter and proves nothing by itself.
    pub usb: &'static [UsbId],
    /// How the names begin under which it advertises itself (BLE, classic Bluetooth).
    pub names: &'static [&'static str],
    /// How a port is asked whether it is one.
    pub probe: Probe,
}

/// Vendor and, if known, product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsbId {
    /// The vendor.
    pub vendor: u16,
    /// The product.
    pub product: Option<u16>,
}

impl UsbId {
    /// Whether a device with these ids may be meant.
    pub fn fits(self, vendor: u16, product: u16) -> bool {
        self.vendor == vendor && self.product.is_none_or(|known| known == product)
    }
}

/// How a device is told from others on an unknown port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// It talks by itself: listening is enough, and nothing is written.
    Listen,
    /// It is asked something that does no harm to a device of another kind that is on the port: see
    /// [`Script::probe`](super::conversation::Script::probe).
    Ask,
    /// Not at all: it has to be named.
    Named,
}

/// A BLE service with the characteristics that carry the conversation. UUIDs as they are written.
#[derive(Clone, Copy, Debug)]
pub struct Gatt {
    /// The service.
    pub service: &'static str,
    /// Written by the host.
    pub write: &'static str,
    /// Notified by the device.
    pub notify: &'static [&'static str],
    /// The least MTU with which its messages arrive whole, where that is more than the default.
    pub least_mtu: Option<u16>,
    /// The least pause between two writes.
    pub pause: Duration,
    /// Only the end of a value closes some messages.
    pub values: bool,
}

/// Service and characteristics of the Nordic UART, which many boards use.
pub const NORDIC_UART: Gatt = Gatt {
    service: "6e400001-b5a3-f393-e0a9-e50e24dcca9e",
    write: "6e400002-b5a3-f393-e0a9-e50e24dcca9e",
    notify: &["6e400003-b5a3-f393-e0a9-e50e24dcca9e"],
    least_mtu: None,
    pause: Duration::ZERO,
    values: false,
};

/// How a serial line is set. Always eight data bits and one stop bit: where a device wants seven and a parity
/// bit, its codec makes that bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SerialLine {
    /// Bits a second.
    pub baud: u32,
    /// Whether DTR and RTS are raised after opening; some boards want them low.
    pub modem_high: bool,
}

/// What a device can do for the hub.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// A clock can be read through it.
    pub clock: bool,
    /// Times can be set on that clock, if it is in the mode for it.
    pub set_time: bool,
    /// Lights on its squares.
    pub leds: bool,
    /// It tells its battery.
    pub battery: bool,
    /// It tells of buttons, its own or the clock's.
    pub buttons: bool,
    /// Players can claim or call at it.
    pub claim: bool,
    /// Moves made while the link was down can be read from its memory.
    pub memory: bool,
}

impl Capabilities {
    /// Nothing.
    pub const NONE: Self = Self {
        clock: false,
        set_time: false,
        leds: false,
        battery: false,
        buttons: false,
        claim: false,
        memory: false,
    };

    /// The names of what it can do, in a fixed order.
    pub fn names(self) -> Vec<&'static str> {
        let all = [
            (self.clock, "clock"),
            (self.set_time, "set-time"),
            (self.leds, "leds"),
            (self.battery, "battery"),
            (self.buttons, "buttons"),
            (self.claim, "claim"),
            (self.memory, "memory"),
        ];
        all.into_iter()
            .filter_map(|(can, name)| can.then_some(name))
            .collect()
    }
}

/// How a conversation is to be held on one port.
#[derive(Clone, Debug)]
pub struct Habits {
    /// A serial port over Bluetooth: slower to answer, and boards on it have batteries.
    pub bluetooth: bool,
    /// No device is called silent before this much time: on a time line faster than life the machine still
    /// needs its own. Zero in life.
    pub least_silence: Duration,
    /// How much longer answers may take than the device needs, for the same reason.
    pub slack: Duration,
    /// The men's tags of the whole hall, for boards that read tags.
    pub tags: SharedTags,
    /// The key that unlocks a DGT Pegasus; its maker gives it to developers, none is shipped.
    pub developer_key: Option<[u8; 6]>,
}

impl Default for Habits {
    fn default() -> Self {
        Self {
            bluetooth: false,
            least_silence: Duration::ZERO,
            slack: Duration::ZERO,
            tags: SharedTags::default(),
            developer_key: None,
        }
    }
}

impl Kind {
    /// The kind of a family with a codec of the usual form.
    pub const fn of(family: &'static Family) -> Self {
        Self {
            name: family.name,
            aliases: family.aliases,
            title: family.title,
            evidence: family.evidence,
            confidence: family.confidence,
            device: &family.device,
        }
    }

    /// The kind of this name, as given by people or in a recording.
    pub fn named(name: &str) -> Option<Self> {
        kinds().find(|kind| kind.name == name || kind.aliases.contains(&name))
    }

    /// A conversation with it.
    pub fn link(&self, habits: &Habits) -> Option<Box<dyn Link>> {
        self.device.talk.map(|talk| talk(habits))
    }

    /// Whether a port with such a device can be served now.
    pub fn on_serial(&self) -> bool {
        self.device.serial.is_some() && self.device.talk.is_some()
    }

    /// What it can do, in words that stay the same: what its board shows first.
    pub fn can(&self) -> Vec<&'static str> {
        let board = match self.evidence {
            Evidence::Placement => Some("placement"),
            Evidence::Occupancy => Some("occupancy"),
            Evidence::Moves => Some("moves"),
            Evidence::Times => None,
        };
        board.into_iter().chain(self.device.can.names()).collect()
    }
}

/// All kinds of devices.
pub fn kinds() -> impl Iterator<Item = Kind> {
    [dgt::BOARD, dgt::BUS]
        .into_iter()
        .chain(FAMILIES.iter().map(Kind::of))
}

/// The kinds that an unknown serial port may be, in the order in which to try them. With a USB id that
/// belongs to somebody: only who has it, and who has none that is known. DGT comes first: half of the
/// devices in halls are theirs, and 0403:6001 is in every second adapter.
pub fn candidates(usb: Option<(u16, u16)>) -> Vec<Kind> {
    let fits = |kind: &Kind| {
        let ids = kind.device.recognised.usb;
        usb.is_some_and(|(vendor, product)| ids.iter().any(|id| id.fits(vendor, product)))
    };
    let all =
        || kinds().filter(|kind| kind.on_serial() && kind.device.recognised.probe != Probe::Named);
    let somebodys = all().any(|kind| fits(&kind));
    let mut found: Vec<Kind> = all()
        .filter(|kind| !somebodys || fits(kind) || kind.device.recognised.usb.is_empty())
        .collect();
    // A stable sort: who only listens cannot do harm and goes before who asks.
    found.sort_by_key(|kind| {
        let listens = kind.device.recognised.probe == Probe::Listen;
        (
            somebodys && !fits(kind),
            kind.name != dgt::BOARD.name,
            !listens,
        )
    });
    found
}

/// The kind that advertises itself so over BLE, by its name or its service. Names come first: many boards
/// share a service.
pub fn by_advertisement(name: Option<&str>, services: &[&str]) -> Option<Kind> {
    let gatt = || kinds().filter(|kind| kind.device.gatt.is_some());
    let named = name.and_then(|name| {
        let length = |kind: &Kind| {
            let begins = kind.device.recognised.names.iter();
            begins
                .filter(|begin| name.starts_with(**begin))
                .map(|begin| begin.len())
                .max()
        };
        gatt()
            .filter_map(|kind| Some((length(&kind)?, kind)))
            .max_by_key(|(length, _)| *length)
            .map(|(_, kind)| kind)
    });
    named.or_else(|| {
        let own = |kind: &Kind| {
            kind.device.gatt.is_some_and(|gatt| {
                gatt.service != NORDIC_UART.service
                    && services
                        .iter()
                        .any(|it| it.eq_ignore_ascii_case(gatt.service))
            })
        };
        gatt().find(own)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn names(kinds: &[Kind]) -> Vec<&'static str> {
        kinds.iter().map(|kind| kind.name).collect()
    }

    #[test]
    fn names_are_unique() {
        let mut seen = BTreeSet::new();
        for kind in kinds() {
            for name in std::iter::once(&kind.name).chain(kind.aliases) {
                assert!(seen.insert(*name), "{name} twice");
                assert_eq!(Kind::named(name).map(|it| it.name), Some(kind.name));
            }
        }
        assert!(Kind::named("centaur").is_none());
    }

    #[test]
    fn an_unknown_port_may_be_anything_that_can_be_told_apart() {
        let found = candidates(None);
        assert_eq!(found[0].name, "dgt-board");
        assert!(names(&found).contains(&"chesslink"));
        assert!(!names(&found).contains(&"dgt-bus"), "it has to be named");
        assert!(!names(&found).contains(&"pegasus"), "it has no line");
        let listens = |kind: &&Kind| kind.device.recognised.probe == Probe::Listen;
        let last_listener = found.iter().rposition(|kind| listens(&kind)).unwrap();
        let second_asker = found
            .iter()
            .skip(1)
            .position(|kind| !listens(&kind))
            .unwrap()
            + 1;
        assert!(last_listener < second_asker);
    }

    #[test]
    fn a_known_usb_id_narrows_the_choice() {
        let found = candidates(Some((0x10c4, 0xea60)));
        assert_eq!(found[0].device.recognised.probe, Probe::Listen);
        assert!(!names(&found).contains(&"dgt-board"));
        assert_eq!(candidates(Some((0x0403, 0x6001)))[0].name, "dgt-board");
        assert_eq!(candidates(Some((0x045b, 0x1234)))[0].name, "dgt-board");
        // An adapter that nobody claims.
        let strange = candidates(Some((0x1a86, 0x7523)));
        assert_eq!(names(&strange), names(&candidates(None)));
    }

    #[test]
    fn what_is_in_the_air_is_known_by_name_then_by_service() {
        let name = |name| by_advertisement(Some(name), &[]).map(|kind| kind.name);
        assert_eq!(name("DGT_PEGASUS_12345"), Some("pegasus"));
        assert_eq!(name("Chessnut Air+"), Some("chessnut"));
        assert_eq!(name("Chessnut Move"), Some("chessnut-move"));
        assert_eq!(name("Somebody's phone"), None);
        let millennium = "49535343-FE7D-4AE5-8FA9-9FAFD205E455";
        let found = by_advertisement(None, &[millennium]).map(|kind| kind.name);
        assert_eq!(found, Some("chesslink"));
        // The Nordic UART is in lamps as well.
        assert!(by_advertisement(None, &[NORDIC_UART.service]).is_none());
    }
}
