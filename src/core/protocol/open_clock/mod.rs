//! The open clock profile, version 1.0: our own proposal for clocks that can be read, and nobody's standard.
//!
//! A state is a complete picture and may be lost; an event is a numbered fact and may not: the clock keeps its
//! last ones, and [`link`] asks for those that it did not hear. Every message carries the clock's own time.
//! Reading needs no permission, changing does.
//!
//! The payloads are those of [`message`] and [`command`] over every transport; [`serial`] frames them.

pub mod command;
mod face;
mod json_line;
pub mod link;
pub mod log;
pub mod message;
pub mod serial;
mod told;
mod values;
pub mod words;

pub use self::message::Info;
use self::{
    link::{OpenClockLink, OpenClockSettings},
    told::{commands, decoder},
};
use super::{
    board::{Confidence, Evidence},
    families::Family,
    registry::{Capabilities, Device, Probe, Recognised, SerialLine},
};

/// The family in [`DeviceInfo`](super::DeviceInfo) and on the command line.
pub const FAMILY: &str = "open-clock";

/// How such a clock is found and spoken with.
pub const DEVICE: Family = Family {
    name: FAMILY,
    aliases: &[],
    title: "clocks with the open clock profile",
    evidence: Evidence::Times,
    confidence: Confidence::High,
    values: false,
    device: Device {
        recognised: Recognised {
            usb: &[],
            names: &[],
            probe: Probe::Named,
        },
        can: Capabilities {
            clock: true,
            set_time: true,
            battery: true,
            buttons: true,
            claim: true,
            memory: true,
            ..Capabilities::NONE
        },
        serial: Some(SerialLine {
            baud: 115_200,
            modem_high: true,
        }),
        // Its characteristics carry the payloads without the frames of the serial line.
        gatt: None,
        talk: Some(|habits| {
            let usual = OpenClockSettings::default();
            Box::new(OpenClockLink::new(OpenClockSettings {
                silence: usual.silence.max(habits.least_silence),
                ..usual
            }))
        }),
    },
    decoder,
    commands,
};
