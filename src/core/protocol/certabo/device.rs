//! How boards with tags, and their sisters that only feel men, are found and spoken with.

use super::{TagDecoder, leds::Command, occupancy::Line};
use crate::protocol::{
    board::{Confidence, Decoder, Evidence},
    conversation::{self, BoardLink, Script},
    families::{Beforehand, Family, commands, plain},
    registry::{Capabilities, Device, NORDIC_UART, Probe, Recognised, SerialLine, UsbId},
};

/// The CP210x in all of them is in thousands of other gadgets, too: only a line of the right shape tells.
const CP210X: UsbId = UsbId {
    vendor: 0x10c4,
    product: Some(0xea60),
};

const LINE: SerialLine = SerialLine {
    baud: 38_400,
    modem_high: false,
};

/// Low-gain models drop tags for single frames.
const TALK: Script = Script {
    family: "certabo",
    majority: true,
    ..Script::STREAM
};

fn tags(beforehand: &Beforehand) -> Box<dyn Decoder> {
    let table = beforehand.calibration.clone();
    Box::new(TagDecoder::new(table, beforehand.start_calibrates))
}

/// Boards that read tags.
pub const TAGS: Family = Family {
    name: "certabo",
    aliases: &["tabutronic", "tabutronic-cerno", "tabutronic-spectrum"],
    title: "Certabo; Tabutronic Cerno and Spectrum",
    evidence: Evidence::Placement,
    confidence: Confidence::High,
    values: false,
    device: Device {
        recognised: Recognised {
            usb: &[CP210X],
            names: &["Certabo"],
            probe: Probe::Listen,
        },
        can: Capabilities {
            leds: true,
            ..Capabilities::NONE
        },
        serial: Some(LINE),
        gatt: Some(NORDIC_UART),
        talk: Some(|habits| {
            let decoder = Box::new(TagDecoder::sharing(habits.tags.clone()));
            Box::new(BoardLink::new(TALK, decoder, habits))
        }),
    },
    decoder: tags,
    commands: commands::<Command>,
};

/// Boards that only feel men. Under which name their BLE models are found is not known.
pub const OCCUPANCY: Family = Family {
    name: "tabutronic-sentio",
    aliases: &["sentio", "tactum", "tabutronic-tactum"],
    title: "Tabutronic Sentio and Tactum",
    evidence: Evidence::Occupancy,
    device: Device {
        recognised: Recognised {
            usb: &[CP210X],
            names: &[],
            probe: Probe::Listen,
        },
        talk: Some(|habits| {
            let talk = Script {
                family: "tabutronic-sentio",
                ..Script::STREAM
            };
            conversation::plain::<Line>(talk, habits)
        }),
        ..TAGS.device
    },
    decoder: plain::<Line>,
    ..TAGS
};
