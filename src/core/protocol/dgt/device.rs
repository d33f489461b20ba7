//! How DGT boards are found and spoken with.

use super::{
    bus_link::{BusLink, BusSettings},
    link::{DgtLink, DgtSettings},
};
use crate::protocol::{
    board::{Confidence, Evidence},
    registry::{Capabilities, Device, Kind, Probe, Recognised, SerialLine, UsbId},
};

const USB: &[UsbId] = &[
    // FTDI: in every second serial adapter as well.
    UsbId {
        vendor: 0x0403,
        product: Some(0x6001),
    },
    // Smart boards; which products is not known.
    UsbId {
        vendor: 0x045b,
        product: None,
    },
];

/// A board by itself: on a cable, or over classic Bluetooth (`/dev/rfcomm*`). A Revelation II is one as well.
pub const BOARD: Kind = Kind {
    name: super::link::FAMILY,
    aliases: &["dgt", "revelation"],
    title: "DGT boards and the clocks behind them, Revelation II",
    evidence: Evidence::Placement,
    confidence: Confidence::High,
    device: &Device {
        recognised: Recognised {
            usb: USB,
            names: &["DGT_BT_", "PCS-REVII-"],
            probe: Probe::Ask,
        },
        can: Capabilities {
            clock: true,
            set_time: true,
            battery: true,
            buttons: true,
            memory: true,
            ..Capabilities::NONE
        },
        serial: Some(SerialLine {
            baud: 9600,
            modem_high: true,
        }),
        gatt: None,
        talk: Some(|habits| {
            let usual = if habits.bluetooth {
                DgtSettings::BLUETOOTH
            } else {
                DgtSettings::CABLE
            };
            Box::new(DgtLink::new(DgtSettings {
                silence: usual.silence.max(habits.least_silence),
                ..usual
            }))
        }),
    },
};

/// A string of boards on one RS-232 line. Never guessed: a question that many answer at once helps nobody.
pub const BUS: Kind = Kind {
    name: super::bus_link::FAMILY,
    aliases: &[],
    title: "a string of DGT boards on one line",
    evidence: Evidence::Placement,
    confidence: Confidence::Medium,
    device: &Device {
        recognised: Recognised {
            usb: &[],
            names: &[],
            probe: Probe::Named,
        },
        can: Capabilities {
            clock: true,
            memory: true,
            ..Capabilities::NONE
        },
        serial: Some(SerialLine {
            baud: 9600,
            modem_high: false,
        }),
        gatt: None,
        talk: Some(|habits| {
            let usual = BusSettings::default();
            Box::new(BusLink::new(BusSettings {
                answer: usual.answer + habits.slack,
                silence: usual.silence.max(habits.least_silence),
            }))
        }),
    },
};
